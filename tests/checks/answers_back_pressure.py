"""Answers to exercise 12 as learners give them, each with the judgement that it deserves."""

import datetime
import math
from decimal import Decimal
from fractions import Fraction

from checks.answering import Answers

book = Answers("back_pressure")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["culprit"],
    "b": lambda names: names["index_wcu"],
    "c": lambda names: (names["write"], names["per_second"]),
    "d": lambda names: names["watch"],
    "e": lambda names: names["design"],
}


def endless(*_):
    while True:
        pass


# ── a ─────────────────────────────────────────────────────────────────────────────────


def dimensions(table, index=None):
    names = {"TableName": table} | ({"GlobalSecondaryIndexName": index} if index else {})
    return [{"Name": name, "Value": value} for name, value in names.items()]


def total(cloudwatch, metric, start, end, *whose, period=60):
    answer = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=dimensions(*whose),
        StartTime=start,
        EndTime=end,
        Period=period,
        Statistics=["Sum"],
    )
    return sum(point["Sum"] for point in answer["Datapoints"])


@is_right("a")
def indexes_first(cloudwatch, table, indexes, start, end):
    for index in indexes:
        if total(cloudwatch, "WriteThrottleEvents", start, end, table, index):
            return index
    return table if total(cloudwatch, "WriteThrottleEvents", start, end, table) else None


@is_right("a")
def the_largest_number_of_events(cloudwatch, table, indexes, start, end):
    events = {index: total(cloudwatch, "WriteThrottleEvents", start, end, table, index) for index in indexes}
    events[table] = total(cloudwatch, "WriteThrottleEvents", start, end, table)
    worst = max(events, key=events.get)
    return worst if events[worst] > 0 else None


@is_right("a")
def in_one_request(cloudwatch, table, indexes, start, end):
    names = [table, *indexes]
    queries = [
        {
            "Id": f"m{place}",
            "MetricStat": {
                "Metric": {
                    "Namespace": "AWS/DynamoDB",
                    "MetricName": "WriteThrottleEvents",
                    "Dimensions": dimensions(table, name if place else None),
                },
                "Period": 60,
                "Stat": "Sum",
            },
        }
        for place, name in enumerate(names)
    ]
    results = cloudwatch.get_metric_data(MetricDataQueries=queries, StartTime=start, EndTime=end)["MetricDataResults"]
    found = [names[int(result["Id"][1:])] for result in results if sum(result["Values"]) > 0]
    return found[0] if found else None


@shows("a", "table_only")
def the_tables_own_metric(cloudwatch, table, indexes, start, end):
    return table if total(cloudwatch, "WriteThrottleEvents", start, end, table) else None


@shows("a", "table_only")
def reads_instead_of_writes(cloudwatch, table, indexes, start, end):
    for index in indexes:
        if total(cloudwatch, "ReadThrottleEvents", start, end, table, index):
            return index
    return None


@shows("a", "table_only")
def never_anybody(cloudwatch, table, indexes, start, end):
    return None if table else table


@shows("a", "blames_the_table")
def whoever_is_asked(cloudwatch, table, indexes, start, end):
    names = [{"Name": "TableName", "Value": table}, {"Name": "Operation", "Value": "PutItem"}]
    points = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName="ThrottledRequests",
        Dimensions=names,
        StartTime=start,
        EndTime=end,
        Period=60,
        Statistics=["Sum"],
    )["Datapoints"]
    return table if points else None


@shows("a", "by_consumption")
def the_largest_consumer(cloudwatch, table, indexes, start, end):
    return max(indexes, key=lambda i: total(cloudwatch, "ConsumedWriteCapacityUnits", start, end, table, i))


@shows("a", "by_consumption")
def the_first_index(cloudwatch, table, indexes, start, end):
    return indexes[0]


@shows("a", "no_table")
def only_indexes(cloudwatch, table, indexes, start, end):
    for index in indexes:
        if total(cloudwatch, "WriteThrottleEvents", start, end, table, index):
            return index
    return None


@shows("a", "blames_an_index")
def always_some_index(cloudwatch, table, indexes, start, end):
    return max(indexes, key=lambda i: total(cloudwatch, "WriteThrottleEvents", start, end, table, i))


@shows("a", "another_time")
def all_of_the_day(cloudwatch, table, indexes, start, end):
    return indexes_first(cloudwatch, table, indexes, end - datetime.timedelta(hours=12), end)


@shows("a", "no_such_name")
def the_visible_index(cloudwatch, table, indexes, start, end):
    return "gsi-estado-fecha"


@shows("a", "no_such_name")
def with_its_table(cloudwatch, table, indexes, start, end):
    return f"{table}/index/{indexes_first(cloudwatch, table, indexes, start, end)}"


@shows("a", "wrong_type")
def a_list(cloudwatch, table, indexes, start, end):
    return [indexes_first(cloudwatch, table, indexes, start, end)]


@shows("a", "wrong_type")
def takes_no_times(cloudwatch, table, indexes):
    return table


@raises("a")
def forgets_the_statistics(cloudwatch, table, indexes, start, end):
    return cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName="WriteThrottleEvents", StartTime=start, EndTime=end, Period=60
    )["Datapoints"][0]["Sum"]


@raises("a")
def asks_for_ever(cloudwatch, table, indexes, start, end):
    while True:
        total(cloudwatch, "WriteThrottleEvents", start, end, table)


@is_untouched("a")
def stub_a(cloudwatch, table, indexes, start, end):
    return ...


given("a", endless, "raised", name="endless")
given("a", "gsi-estado-fecha", "wrong", "wrong_type")

# ── b ─────────────────────────────────────────────────────────────────────────────────

TIMES = {"puts": 1, "changes": 1, "moves": 2, "removes": 1, "passes by": 0}


def units(write):
    return math.ceil(write["entry_bytes"] / 1024)


def total_of(writes, times=TIMES, size=units):
    return sum(write["per_second"] * size(write) * times[write["does"]] for write in writes)


@is_right("b")
def as_a_sum(writes):
    return total_of(writes)


@is_right("b")
def step_by_step(writes):
    wcu = 0
    for write in writes:
        entry = -(-write["entry_bytes"] // 1024)
        if write["does"] == "moves":
            entry *= 2
        if write["does"] != "passes by":
            wcu += entry * write["per_second"]
    return wcu


@is_right("b")
def by_share(writes):
    """The lesson's formula: writes x entry x (1 + share that moves), kind by kind."""
    touching = [write for write in writes if write["does"] != "passes by"]
    return float(sum(w["per_second"] * units(w) * (1 + (w["does"] == "moves")) for w in touching))


@is_right("b")
def one_to_be_sure(writes):
    return Decimal(total_of(writes)) + 1


@is_right("b")
def as_a_fraction(writes):
    return Fraction(total_of(writes))


@shows("b", "moves_once")
def every_write_once(writes):
    return total_of(writes, TIMES | {"moves": 1})


@shows("b", "deletes_free")
def removed_for_nothing(writes):
    return total_of(writes, TIMES | {"removes": 0})


@shows("b", "passes_by_counted")
def every_write_of_the_table(writes):
    return total_of(writes, TIMES | {"passes by": 1})


@shows("b", "unrounded")
def kilobytes(writes):
    return total_of(writes, size=lambda write: write["entry_bytes"] / 1024)


@shows("b", "unrounded")
def rounded_at_the_end(writes):
    return math.ceil(total_of(writes, size=lambda write: write["entry_bytes"] / 1024))


@shows("b", "too_little")
def requests_only(writes):
    return sum(write["per_second"] for write in writes)


@shows("b", "too_little")
def four_kilobytes(writes):
    return total_of(writes, size=lambda write: math.ceil(write["entry_bytes"] / 4096))


@shows("b", "too_little")
def the_visible_evening(writes):
    return 61


@shows("b", "too_little")
def nothing_at_all(writes):
    return sum(0 for _ in writes)


@shows("b", "too_much")
def everything_twice(writes):
    return 2 * sum(write["per_second"] * units(write) for write in writes)


@shows("b", "too_much")
def a_good_margin(writes):
    return 1.4 * total_of(writes)


@shows("b", "wrong_type")
def text(writes):
    return f"{total_of(writes)} WCU"


@shows("b", "wrong_type")
def forgets_to_return(writes):
    total_of(writes)


@raises("b")
def another_name(writes):
    return sum(write["bytes"] for write in writes)


@raises("b")
def visible_kinds_only(writes):
    return total_of(writes, {"puts": 1, "moves": 2})


@is_untouched("b")
def stub_b(writes):
    return ...


given("b", endless, "raised", name="endless")
given("b", 160, "wrong", "wrong_type")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def put(dynamodb, table, pk, state, date="2026-09-06", size=19_900, **more):
    texts = {"PK": pk, "estado": state, "fecha": date, "lineas": "x" * size} | more
    dynamodb.put_item(TableName=table, Item={name: {"S": text} for name, text in texts.items() if text})


def flips_the_state(dynamodb, table, i):
    put(dynamodb, table, "PEDIDO#1", f"E{i % 2}")


def moves_on_in_time(dynamodb, table, i):
    put(dynamodb, table, f"PEDIDO#{i % 10}", "pendiente", f"2026-09-06T{i:06}")


def updates_the_state(dynamodb, table, i):
    if i == 0:
        put(dynamodb, table, "PEDIDO#1", "E0")
        return
    dynamodb.update_item(
        TableName=table,
        Key={"PK": {"S": "PEDIDO#1"}},
        UpdateExpression="SET estado = :e",
        ExpressionAttributeValues={":e": {"S": f"E{i % 3}"}},
    )


def swallows_the_refusal(dynamodb, table, i):
    try:
        flips_the_state(dynamodb, table, i)
    except dynamodb.exceptions.ProvisionedThroughputExceededException:
        return


def new_orders(dynamodb, table, i):
    put(dynamodb, table, f"PEDIDO#{i}", "pendiente")


def same_again(dynamodb, table, i):
    put(dynamodb, table, "PEDIDO#1", "pendiente", nota=f"{i}", size=19_800)


def put_and_delete(dynamodb, table, i):
    if i % 2:
        dynamodb.delete_item(TableName=table, Key={"PK": {"S": "PEDIDO#1"}})
    else:
        put(dynamodb, table, "PEDIDO#1", "pendiente")


def profiles(dynamodb, table, i):
    put(dynamodb, table, f"CLIENTE#{i}", "", "")


def only_reads(dynamodb, table, i):
    dynamodb.get_item(TableName=table, Key={"PK": {"S": "PEDIDO#1"}})


def small_moves(dynamodb, table, i):
    put(dynamodb, table, "PEDIDO#1", f"E{i % 2}", size=6_000)


def large_moves(dynamodb, table, i):
    put(dynamodb, table, "PEDIDO#1", f"E{i % 2}", size=35_000)


def huge_orders(dynamodb, table, i):
    put(dynamodb, table, f"PEDIDO#{i}", "", "", size=390_000)


def writes_five(dynamodb, table, i):
    for _ in range(5):
        put(dynamodb, table, "PEDIDO#1", f"E{i % 2}")


def empty_key(dynamodb, table, i):
    put(dynamodb, table, "", "E1")


def reads_for_ever(dynamodb, table, i):
    while True:
        only_reads(dynamodb, table, i)


def stub_c(dynamodb, table, i):
    return ...


given("c", (flips_the_state, 3), "right", name="flips the state")
given("c", (moves_on_in_time, 2.8), "right", name="a new date each time")
given("c", (updates_the_state, Fraction(3)), "right", name="UpdateItem")
given("c", [swallows_the_refusal, 3], "right", name="swallows the refusal")
given("c", (flips_the_state, 50), "wrong", "too_fast", name="fifty a second")
given("c", (new_orders, 3), "wrong", "nothing_moves", name="new orders")
given("c", (same_again, 3), "wrong", "nothing_moves", name="the same key")
given("c", (put_and_delete, 3), "wrong", "nothing_moves", name="put and delete")
given("c", (profiles, 3), "wrong", "not_in_the_index", name="not in the index")
given("c", (only_reads, 3), "wrong", "not_in_the_index", name="reads")
given("c", (small_moves, 3), "wrong", "too_slow", name="small moves")
given("c", (flips_the_state, 1), "wrong", "too_slow", name="slow moves")
given("c", (large_moves, 3), "wrong", "table_too_busy", name="large moves")
given("c", (writes_five, 1), "wrong", "table_too_busy", name="five in a call")
given("c", (huge_orders, 3), "wrong", "table_refuses", name="huge orders")
given("c", (flips_the_state, 0), "wrong", "wrong_type", name="rate 0")
given("c", (flips_the_state, "6"), "wrong", "wrong_type", name="rate as text")
given("c", (flips_the_state, float("nan")), "wrong", "wrong_type", name="no number")
given("c", flips_the_state, "wrong", "wrong_type", name="only the function")
given("c", (6, flips_the_state), "wrong", "wrong_type", name="the wrong way round")
given("c", (empty_key, 3), "raised", name="an empty key")
given("c", (reads_for_ever, 3), "raised", name="reads for ever")
given("c", (endless, 3), "raised", name="endless")
given("c", (stub_c, 3), "not attempted", name="the stub")
given("c", (flips_the_state, ...), "not attempted", name="no rate")

# ── d ─────────────────────────────────────────────────────────────────────────────────


def alarm(cloudwatch, name, table, index, threshold, **more):
    request = {
        "AlarmName": name,
        "Namespace": "AWS/DynamoDB",
        "MetricName": "ConsumedWriteCapacityUnits",
        "Dimensions": dimensions(table, index),
        "Statistic": "Sum",
        "Period": 60,
        "EvaluationPeriods": 2,
        "ComparisonOperator": "GreaterThanThreshold",
        "Threshold": threshold,
    }
    cloudwatch.put_metric_alarm(**request | more)


def resources(dynamodb, table):
    """Name (None for the table) and write capacity of the table and its indexes."""
    about = dynamodb.describe_table(TableName=table)["Table"]
    for one in [about, *about.get("GlobalSecondaryIndexes", [])]:
        yield one.get("IndexName"), one["ProvisionedThroughput"]["WriteCapacityUnits"]


@is_right("d")
def eighty_percent(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        alarm(cloudwatch, f"{table}/{index}", table, index, 0.8 * 60 * wcu)


@is_right("d")
def one_minute_or_more(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        more = {"EvaluationPeriods": 1, "ComparisonOperator": "GreaterThanOrEqualToThreshold"}
        alarm(cloudwatch, f"escrituras de {index or table}", table, index, 45 * wcu, **more)


@is_right("d")
def over_two_minutes(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        more = {"Period": 120, "EvaluationPeriods": 1}
        alarm(cloudwatch, f"{table}-{index}", table, index, 0.75 * 120 * wcu, **more)


@is_right("d")
def two_levels(dynamodb, cloudwatch, table):
    for level in (0.7, 0.95):
        for index, wcu in resources(dynamodb, table):
            alarm(cloudwatch, f"{level} {index}", table, index, level * 60 * wcu)


@shows("d", "rings_when_calm")
def units_a_second(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        alarm(cloudwatch, f"{table}/{index}", table, index, 0.8 * wcu)


@shows("d", "rings_when_calm")
def at_every_write(dynamodb, cloudwatch, table):
    for index, _ in resources(dynamodb, table):
        alarm(cloudwatch, f"{table}/{index}", table, index, 0)


@shows("d", "table_only")
def the_table_alone(dynamodb, cloudwatch, table):
    wcu = next(wcu for index, wcu in resources(dynamodb, table) if index is None)
    alarm(cloudwatch, table, table, None, 0.8 * 60 * wcu)


@shows("d", "table_only")
def forgets_the_second_dimension(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        alarm(cloudwatch, f"{table}/{index}", table, None, 0.8 * 60 * max(wcu, 100))


@shows("d", "not_every_index")
def the_tables_capacity_for_all(dynamodb, cloudwatch, table):
    wcu = next(wcu for index, wcu in resources(dynamodb, table) if index is None)
    for index, _ in resources(dynamodb, table):
        alarm(cloudwatch, f"{table}/{index}", table, index, 0.8 * 60 * wcu)


@shows("d", "not_every_index")
def the_first_index_alone(dynamodb, cloudwatch, table):
    for index, wcu in list(resources(dynamodb, table))[:2]:
        alarm(cloudwatch, f"{table}/{index}", table, index, 0.8 * 60 * wcu)


@shows("d", "not_every_index")
def the_visible_names(dynamodb, cloudwatch, table):
    alarm(cloudwatch, "a", table, None, 0.8 * 60 * 100)
    alarm(cloudwatch, "b", table, "gsi-estado-fecha", 0.8 * 60 * 20)


@shows("d", "not_every_index")
def one_name_for_all(dynamodb, cloudwatch, table):
    for index, wcu in reversed(list(resources(dynamodb, table))):
        alarm(cloudwatch, "capacity", table, index, 0.8 * 60 * wcu)
    for index, wcu in list(resources(dynamodb, table))[1:2]:
        alarm(cloudwatch, "capacity", table, index, 0.8 * 60 * wcu)


@shows("d", "no_table_alarm")
def indexes_alone(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        if index:
            alarm(cloudwatch, index, table, index, 0.8 * 60 * wcu)


@shows("d", "rings_too_late")
def refusals(dynamodb, cloudwatch, table):
    for index, _ in resources(dynamodb, table):
        alarm(cloudwatch, f"{table}/{index}", table, index, 0, MetricName="WriteThrottleEvents")


@shows("d", "nothing_set")
def prints_only(dynamodb, cloudwatch, table):
    for index, wcu in resources(dynamodb, table):
        print(index, wcu)


@raises("d")
def an_index_without_capacity(dynamodb, cloudwatch, table):
    for index in dynamodb.describe_table(TableName=table)["Table"]["GlobalSecondaryIndexes"]:
        alarm(cloudwatch, index["IndexName"], table, index["IndexName"], 48 * index["WriteCapacityUnits"])


@raises("d")
def no_comparison(dynamodb, cloudwatch, table):
    cloudwatch.put_metric_alarm(AlarmName=table, MetricName="ConsumedWriteCapacityUnits", EvaluationPeriods=1)


@shows("d", "wrong_type")
def takes_only_the_table(table):
    return table


@is_untouched("d")
def stub_d(dynamodb, cloudwatch, table):
    return ...


given("d", endless, "raised", name="endless")
given("d", 0.8, "wrong", "wrong_type")

# ── e ─────────────────────────────────────────────────────────────────────────────────


def include(*names):
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(names)}


def design(table_wcu, index_wcu, projection):
    return {"table_wcu": table_wcu, "index_wcu": index_wcu, "projection": projection}


ALL, KEYS = {"ProjectionType": "ALL"}, {"ProjectionType": "KEYS_ONLY"}

given("e", design(66, 9, include("total")), "right", name="exactly")
given("e", design(70, 12, include("total")), "right", name="a margin")
given("e", design(66.0, Decimal(10), include("total", "cliente")), "right", name="the customer too")
given("e", design(132, 60, ALL), "wrong", "raises_the_table", name="table doubled")
given("e", design(1_000, 115, ALL), "wrong", "raises_the_table", name="table raised a lot")
given("e", design(66, 60, ALL), "wrong", "index_starved", name="as it was")
given("e", design(66, 66, ALL), "wrong", "index_starved", name="index like the table")
given("e", design(70, 4, include("total")), "wrong", "index_starved", name="moves counted once")
given("e", design(18, 9, include("total")), "wrong", "table_starved", name="3 KB carts")
given("e", design(60, 20, include("total")), "wrong", "table_starved", name="a little short")
given("e", design(66, 9, KEYS), "wrong", "not_shown", name="keys only")
given("e", design(66, 9, include("cliente")), "wrong", "not_shown", name="another attribute")
given("e", design(66, 116, ALL), "wrong", "copies_all", name="index raised")
given("e", design(66, 300, ALL), "wrong", "copies_all", name="index to 300")
given("e", design(66, 116, include("total", "historial")), "wrong", "copies_all", name="historial included")
given("e", design(120, 100, include("total")), "wrong", "too_dear", name="as before, thin")
given("e", design(66, 66, include("total")), "wrong", "too_dear", name="index like the table, thin")
given("e", design(66, 9, include()), "wrong", "bad_projection", name="nothing included")
given("e", design(66, 9, {}), "wrong", "bad_projection", name="no type")
given("e", design(66, 9, {"ProjectionType": "total"}), "wrong", "bad_projection", name="another type")
given("e", design(66, 9, "INCLUDE"), "wrong", "wrong_type", name="text projection")
given("e", design("66", 9, ALL), "wrong", "wrong_type", name="text capacity")
given("e", design(66.5, 9, ALL), "wrong", "wrong_type", name="half a unit")
given("e", design(66, 0, ALL), "wrong", "wrong_type", name="no capacity")
given("e", {"table_wcu": 66}, "wrong", "wrong_type", name="one of three")
given("e", (66, 9, ALL), "wrong", "wrong_type", name="a tuple")
given("e", {}, "wrong", "wrong_type", name="empty")
given("e", design(..., ..., ...), "not attempted", name="the dots")
given("e", design(66, 9, ...), "not attempted", name="one of the dots")
