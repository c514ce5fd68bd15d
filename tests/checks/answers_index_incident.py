"""Answers to problem 22, the index incident, as learners give them, each with the judgement that it deserves."""

import datetime as dt
import json

import boto3

import dynamolab as lab
from checks.answering import Answers

book = Answers("index_incident")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["figures"],
    "b": lambda names: names["culprit"],
    "c": lambda names: (names["needed"], names["ceiling"]),
    "d": lambda names: names["copy_less"],
    "e": lambda names: (names["change_state"], names["history"]),
    "f": lambda names: names["watch"],
}
CONSUMED = "ConsumedWriteCapacityUnits"
UPDATES = {"Operation": "UpdateItem"}

# ── a ─────────────────────────────────────────────────────────────────────────────────


def ask(cloudwatch, metric, statistic, start, period=300, minutes=5, **dimensions):
    answer = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=[{"Name": name, "Value": value} for name, value in dimensions.items()],
        StartTime=start,
        EndTime=start + dt.timedelta(minutes=minutes),
        Period=period,
        Statistics=[statistic],
    )
    return [point[statistic] for point in sorted(answer["Datapoints"], key=lambda point: point["Timestamp"])]


def four(cloudwatch, table, index, start, but=None):
    """The right figures, but for those that are given."""
    of_index = {"TableName": table, "GlobalSecondaryIndexName": index}
    figures = {
        "throttled": lambda: sum(ask(cloudwatch, "ThrottledRequests", "Sum", start, TableName=table, **UPDATES)),
        "table": lambda: sum(ask(cloudwatch, CONSUMED, "Sum", start, TableName=table)) / 300,
        "index": lambda: sum(ask(cloudwatch, CONSUMED, "Sum", start, **of_index)) / 300,
        "latency": lambda: ask(cloudwatch, "SuccessfulRequestLatency", "Average", start, TableName=table, **UPDATES)[0],
    }
    return {name: figure() for name, figure in figures.items() if name not in (but or {})} | (but or {})


@is_right("a")
def five_minutes_at_once(cloudwatch, table, index, start):
    return four(cloudwatch, table, index, start)


@is_right("a")
def minute_by_minute(cloudwatch, table, index, start):
    sums = ask(cloudwatch, CONSUMED, "Sum", start, period=60, TableName=table)
    refused = sum(ask(cloudwatch, "ThrottledRequests", "Sum", start, period=60, TableName=table, **UPDATES))
    return four(cloudwatch, table, index, start, {"table": sum(sums) / len(sums) / 60, "throttled": refused})


@is_right("a")
def metric_data(cloudwatch, table, index, start):
    def query(id, metric, statistic, **more):
        dimensions = [{"Name": n, "Value": v} for n, v in {"TableName": table, **more}.items()]
        about = {"Namespace": "AWS/DynamoDB", "MetricName": metric, "Dimensions": dimensions}
        return {"Id": id, "MetricStat": {"Metric": about, "Period": 300, "Stat": statistic}}

    queries = [
        query("throttled", "ThrottledRequests", "Sum", **UPDATES),
        query("table", CONSUMED, "Sum"),
        query("index", CONSUMED, "Sum", GlobalSecondaryIndexName=index),
        query("latency", "SuccessfulRequestLatency", "Average", **UPDATES),
    ]
    answer = cloudwatch.get_metric_data(
        MetricDataQueries=queries, StartTime=start, EndTime=start + dt.timedelta(minutes=5)
    )
    found = {each["Id"]: sum(each["Values"]) for each in answer["MetricDataResults"]}
    return found | {"table": found["table"] / 300, "index": found["index"] / 300}


@is_right("a")
def with_more_keys(cloudwatch, table, index, start):
    return {**four(cloudwatch, table, index, start), "what": "incident"}


@shows("a", "no_data")
def without_operation(cloudwatch, table, index, start):
    total = sum(ask(cloudwatch, "ThrottledRequests", "Sum", start, TableName=table))
    return four(cloudwatch, table, index, start, {"throttled": total})


@shows("a", "no_data")
def the_notebooks_own(cloudwatch, table, index, start):
    sums = {"throttled": ("ThrottledRequests", UPDATES), "table": (CONSUMED, {}), "latency": ("Latency", UPDATES)}
    sums["index"] = CONSUMED, {"GlobalSecondaryIndexName": "gsi-estado-fecha"}
    own = {"TableName": "mercadofresco-carritos"}
    return {name: sum(ask(cloudwatch, metric, "Sum", start, **own, **more)) for name, (metric, more) in sums.items()}


@shows("a", "no_data")
def nothing_found(cloudwatch, table, index, start):
    return four(cloudwatch, table, index, start, {"index": None})


@shows("a", "no_data")
def throttle_events_of_the_table(cloudwatch, table, index, start):
    events = sum(ask(cloudwatch, "WriteThrottleEvents", "Sum", start, TableName=table))
    return four(cloudwatch, table, index, start, {"throttled": events})


@shows("a", "not_a_rate")
def sums(cloudwatch, table, index, start):
    found = ask(cloudwatch, CONSUMED, "Sum", start, TableName=table)[0]
    return four(cloudwatch, table, index, start, {"table": found})


@shows("a", "per_minute")
def a_minutes_units(cloudwatch, table, index, start):
    found = ask(cloudwatch, CONSUMED, "Sum", start, TableName=table)[0]
    return four(cloudwatch, table, index, start, {"table": found / 5})


@shows("a", "per_minute")
def five_minutes_over_sixty(cloudwatch, table, index, start):
    found = ask(cloudwatch, CONSUMED, "Sum", start, TableName=table)[0]
    return four(cloudwatch, table, index, start, {"table": found / 60})


@shows("a", "per_request")
def averages(cloudwatch, table, index, start):
    found = ask(cloudwatch, CONSUMED, "Average", start, TableName=table)[0]
    return four(cloudwatch, table, index, start, {"table": found})


@shows("a", "one_dimension_short")
def table_for_index(cloudwatch, table, index, start):
    total = sum(ask(cloudwatch, CONSUMED, "Sum", start, TableName=table))
    return four(cloudwatch, table, index, start, {"index": total / 300})


@shows("a", "counted_samples")
def average_of_throttled(cloudwatch, table, index, start):
    average = ask(cloudwatch, "ThrottledRequests", "Average", start, TableName=table, **UPDATES)[0]
    return four(cloudwatch, table, index, start, {"throttled": average})


@shows("a", "counted_samples")
def throttled_a_second(cloudwatch, table, index, start):
    total = ask(cloudwatch, "ThrottledRequests", "Sum", start, TableName=table, **UPDATES)[0]
    return four(cloudwatch, table, index, start, {"throttled": total / 300})


@shows("a", "another_window")
def the_five_minutes_before(cloudwatch, table, index, start):
    return four(cloudwatch, table, index, start - dt.timedelta(minutes=1))


@shows("a", "another_window")
def ten_minutes(cloudwatch, table, index, start):
    total = sum(ask(cloudwatch, "ThrottledRequests", "Sum", start, period=60, minutes=10, TableName=table, **UPDATES))
    return four(cloudwatch, table, index, start, {"throttled": total})


@shows("a", "provisioned")
def what_is_provisioned(cloudwatch, table, index, start):
    units = ask(cloudwatch, "ProvisionedWriteCapacityUnits", "Average", start, TableName=table)[0]
    return four(cloudwatch, table, index, start, {"table": units})


@shows("a", "elsewhere")
def visible_figures(cloudwatch, table, index, start):
    return {"throttled": 4_200, "table": 62.0, "index": 100.0, "latency": 5.0}


@shows("a", "elsewhere")
def latency_in_seconds(cloudwatch, table, index, start):
    return four(cloudwatch, table, index, start, {"latency": 0.005})


@shows("a", "wrong_type")
def a_tuple(cloudwatch, table, index, start):
    return tuple(four(cloudwatch, table, index, start).values())


@shows("a", "wrong_type")
def one_figure(cloudwatch, table, index, start):
    return {"throttled": four(cloudwatch, table, index, start)["throttled"]}


@shows("a", "wrong_type")
def in_words(cloudwatch, table, index, start):
    return four(cloudwatch, table, index, start, {"table": "61 WCU"})


@shows("a", "wrong_type")
def empty(cloudwatch, table, index, start):
    return {}


@shows("a", "wrong_type")
def takes_less(cloudwatch, table):
    return {}


@raises("a")
def first_of_none(cloudwatch, table, index, start):
    return {"throttled": ask(cloudwatch, "ThrottledRequest", "Sum", start, TableName=table)[0]}


@raises("a")
def never_ends(cloudwatch, table, index, start):
    while not ask(cloudwatch, "ThrottledRequests", "Sum", start, TableName=table):
        pass


@is_untouched("a")
def stub_a(cloudwatch, table, index, start):
    return ...


given("a", None, "not attempted")

# ── b ─────────────────────────────────────────────────────────────────────────────────


def reasons_of(error):
    return error.response.get("ThrottlingReasons") or error.response.get("throttlingReasons")


@is_right("b")
def both_spellings(error):
    reasons = reasons_of(error)
    return (reasons[0]["resource"].split("/")[-1], reasons[0]["reason"]) if reasons else None


@is_right("b")
def whatever_the_spelling(error):
    for name, reasons in error.response.items():
        if name.lower() == "throttlingreasons":
            return reasons[0]["resource"].rpartition("/")[2], reasons[0]["reason"]


@is_right("b")
def as_a_list(error):
    reasons = {name.lower(): value for name, value in error.response.items()}.get("throttlingreasons", [])
    for each in reasons:
        parts = each["resource"].split(":")[-1].split("/")
        return [parts[3] if len(parts) > 3 else parts[1], each["reason"]]
    return None


@shows("b", "one_spelling")
def upper_only(error):
    reasons = error.response["ThrottlingReasons"]
    return reasons[0]["resource"].split("/")[-1], reasons[0]["reason"]


@shows("b", "one_spelling")
def lower_only(error):
    reasons = error.response.get("throttlingReasons")
    return (reasons[0]["resource"].split("/")[-1], reasons[0]["reason"]) if reasons else None


@shows("b", "the_table_named")
def table_always(error):
    reasons = reasons_of(error)
    return (reasons[0]["resource"].split("/")[1], reasons[0]["reason"]) if reasons else None


@shows("b", "whole_arn")
def arn(error):
    reasons = reasons_of(error)
    return (reasons[0]["resource"], reasons[0]["reason"]) if reasons else None


@shows("b", "always_the_same")
def visible_index(error):
    return "gsi-estado-fecha", "IndexWriteProvisionedThroughputExceeded"


@shows("b", "code_for_reason")
def code(error):
    reasons = reasons_of(error)
    return (reasons[0]["resource"].split("/")[-1], error.response["Error"]["Code"]) if reasons else None


@shows("b", "accuses")
def always_somebody(error):
    return both_spellings(error) or ("?", error.response["Error"]["Code"])


@shows("b", "elsewhere")
def reason_cut(error):
    reasons = reasons_of(error)
    return (reasons[0]["resource"].split("/")[-1], reasons[0]["reason"][:5]) if reasons else None


@shows("b", "wrong_type")
def only_the_name(error):
    reasons = reasons_of(error)
    return reasons[0]["resource"].split("/")[-1] if reasons else None


@shows("b", "wrong_type")
def nobody(error):
    return None if error else ("", "")


@raises("b")
def no_reasons(error):
    reasons = reasons_of(error)
    return reasons[0]["resource"].split("/")[-1], reasons[0]["reason"]


@raises("b")
def not_an_error(error):
    return error["ThrottlingReasons"]


@raises("b")
def endless_b(error):
    while True:
        pass


@is_untouched("b")
def stub_b(error):
    return ...


given("b", "gsi-estado-fecha", "wrong", "wrong_type")
given("b", None, "not attempted")

# ── c ─────────────────────────────────────────────────────────────────────────────────

given("c", (7.7 * 11 * 1.6, 120 / 11), "right", name="unrounded")
given("c", (136, 10.9), "right")
given("c", [137, 11], "right", name="rounded up")
given("c", (37, 10.9), "wrong", "size_before")
given("c", (136, 40), "wrong", "size_before", name="40 carts of 3 KB")
given("c", (84.7, 10.9), "wrong", "no_moves")
given("c", (169.4, 10.9), "wrong", "all_move")
given("c", (101.64, 10.9), "wrong", "only_moves")
given("c", (120, 10.9), "wrong", "the_tables")
given("c", (136, 17.05), "wrong", "index_ceiling")
given("c", (136, 27.3), "wrong", "index_ceiling", name="27.3")
given("c", (136, 120), "wrong", "units_for_writes")
given("c", (136, 6.8), "wrong", "added_up")
given("c", (136, 7.64), "wrong", "with_target")
given("c", (50, 10.9), "wrong", "too_small")
given("c", (136, 1), "wrong", "too_small", name="one a second")
given("c", (300, 10.9), "wrong", "too_large")
given("c", (136, 1_000), "wrong", "too_large", name="a thousand a second")
given("c", 136, "wrong", "wrong_type")
given("c", ("136", "10.9"), "wrong", "wrong_type")
given("c", (float("inf"), 10.9), "wrong", "wrong_type")
given("c", (), "wrong", "wrong_type")
given("c", (136, ...), "not attempted")
given("c", [..., 10.9], "not attempted")

# ── d ─────────────────────────────────────────────────────────────────────────────────

KEYS = {"estado": "HASH", "fecha": "RANGE"}
OLD = "gsi-estado-fecha"


def create(dynamodb, table, *, name="gsi-2", keys=None, copied=("importe",), kind="INCLUDE", wcu=30, types=None):
    keys = keys or KEYS
    projection = {"ProjectionType": kind} | ({"NonKeyAttributes": list(copied)} if kind == "INCLUDE" else {})
    new = {
        "IndexName": name,
        "KeySchema": [{"AttributeName": part, "KeyType": side} for part, side in keys.items()],
        "Projection": projection,
        "ProvisionedThroughput": {"ReadCapacityUnits": 20, "WriteCapacityUnits": wcu},
    }
    types = [{"AttributeName": part, "AttributeType": "S"} for part in {**KEYS, **keys}]
    dynamodb.update_table(TableName=table, AttributeDefinitions=types, GlobalSecondaryIndexUpdates=[{"Create": new}])


def wait(dynamodb, table, name="gsi-2"):
    def status():
        indexes = dynamodb.describe_table(TableName=table)["Table"]["GlobalSecondaryIndexes"]
        return {one["IndexName"]: one["IndexStatus"] for one in indexes}.get(name)

    while status() != "ACTIVE":
        lab.clock.advance(seconds=30)


def delete(dynamodb, table, name=OLD):
    dynamodb.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": name}}])


def replaced(dynamodb, table, **how):
    create(dynamodb, table, **how)
    wait(dynamodb, table, how.get("name", "gsi-2"))
    delete(dynamodb, table)


@is_right("d")
def only_the_amount(dynamodb, table):
    replaced(dynamodb, table)


@is_right("d")
def amount_and_lines(dynamodb, table):
    replaced(dynamodb, table, name="gsi-estado-fecha-lineas", copied=["importe", "lineas"], wcu=50)


@is_right("d")
def waits_half_an_hour(dynamodb, table):
    create(dynamodb, table, wcu=10)
    lab.clock.advance(minutes=30)
    delete(dynamodb, table)
    return "done"


@is_right("d")
def first_aid_first(dynamodb, table):
    more = {"IndexName": OLD, "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 300}}
    dynamodb.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Update": more}])
    lab.clock.advance(seconds=10)
    replaced(dynamodb, table)


@shows("d", "nothing_new")
def only_first_aid(dynamodb, table):
    more = {"IndexName": OLD, "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 300}}
    dynamodb.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Update": more}])


@shows("d", "nothing_new")
def only_the_table(dynamodb, table):
    more = {"ReadCapacityUnits": 100, "WriteCapacityUnits": 240}
    dynamodb.update_table(TableName=table, ProvisionedThroughput=more)


@shows("d", "nothing_new")
def only_deletes(dynamodb, table):
    delete(dynamodb, table)


@shows("d", "in_the_gap")
def deletes_first(dynamodb, table):
    delete(dynamodb, table)
    lab.clock.advance(minutes=10)
    create(dynamodb, table)
    wait(dynamodb, table)


@shows("d", "in_the_gap")
def same_name(dynamodb, table):
    delete(dynamodb, table)
    lab.clock.advance(minutes=10)
    create(dynamodb, table, name=OLD)
    wait(dynamodb, table, OLD)


@shows("d", "old_left")
def two_indexes(dynamodb, table):
    create(dynamodb, table)
    wait(dynamodb, table)


@shows("d", "other_keys")
def by_state_alone(dynamodb, table):
    replaced(dynamodb, table, keys={"estado": "HASH"})


@shows("d", "other_keys")
def by_date(dynamodb, table):
    replaced(dynamodb, table, keys={"fecha": "HASH", "estado": "RANGE"})


@shows("d", "attribute_missing")
def keys_only(dynamodb, table):
    replaced(dynamodb, table, kind="KEYS_ONLY")


@shows("d", "attribute_missing")
def another_attribute(dynamodb, table):
    replaced(dynamodb, table, copied=["nota"])


@shows("d", "copies_history")
def all_again(dynamodb, table):
    replaced(dynamodb, table, kind="ALL", wcu=100)


@shows("d", "copies_history")
def history_included(dynamodb, table):
    replaced(dynamodb, table, copied=["importe", "historial"], wcu=100)


@shows("d", "too_small")
def five_units(dynamodb, table):
    replaced(dynamodb, table, wcu=5)


@shows("d", "too_dear")
def three_hundred(dynamodb, table):
    replaced(dynamodb, table, wcu=300)


@shows("d", "table_gone")
def begins_anew(dynamodb, table):
    dynamodb.delete_table(TableName=table)
    dynamodb.create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )


@raises("d")
def changes_the_projection(dynamodb, table):
    changed = {"IndexName": OLD, "Projection": {"ProjectionType": "KEYS_ONLY"}}
    dynamodb.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Update": changed}])


@raises("d")
def waits_for_ever(dynamodb, table):
    create(dynamodb, table)
    while "CREATING" in json.dumps(dynamodb.describe_table(TableName=table)["Table"], default=str):
        pass


@raises("d")
def visible_table(dynamodb, table):
    replaced(dynamodb, "mercadofresco-carritos")


@shows("d", "wrong_type")
def takes_a_table(table):
    replaced(boto3.client("dynamodb"), table)


@is_untouched("d")
def stub_d(dynamodb, table):
    return ...


given("d", [], "wrong", "wrong_type")
given("d", None, "not attempted")

# ── e ─────────────────────────────────────────────────────────────────────────────────


def update_cart(dynamodb, table, key, estado, when):
    dynamodb.update_item(
        TableName=table,
        Key=key,
        UpdateExpression="SET estado = :e, fecha = :f",
        ExpressionAttributeValues={":e": {"S": estado}, ":f": {"S": when}},
    )


def rows(dynamodb, table, pk, begins, forward=True):
    answer = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
        ExpressionAttributeValues={":pk": {"S": pk}, ":sk": {"S": begins}},
        ScanIndexForward=forward,
    )
    return answer["Items"]


def design(pk_of, sk_of, begins, attributes=lambda estado, when: {"nuevo": estado}, state="nuevo"):
    """A change in two writes, and its history, for items with these keys and attributes."""

    def change(dynamodb, table, key, estado, when):
        update_cart(dynamodb, table, key, estado, when)
        pk, sk = key["PK"]["S"], key["SK"]["S"]
        texts = {"PK": pk_of(pk, sk), "SK": sk_of(sk, when)} | attributes(estado, when)
        dynamodb.put_item(TableName=table, Item={name: {"S": text} for name, text in texts.items()})

    def history(dynamodb, table, key):
        pk, sk = key["PK"]["S"], key["SK"]["S"]
        return [row[state]["S"] for row in rows(dynamodb, table, pk_of(pk, sk), begins(sk))]

    return change, history


same_pk = (lambda pk, sk: pk, lambda sk, when: f"ESTADO#{sk}#{when}", lambda sk: f"ESTADO#{sk}#")
own_pk = (lambda pk, sk: f"HISTORIA#{pk}#{sk}", lambda sk, when: f"ESTADO#{when}", lambda sk: "ESTADO#")
beside, apart = design(*same_pk), design(*own_pk)


def in_a_transaction(dynamodb, table, key, estado, when):
    sk = f"ESTADO#{key['SK']['S']}#{when}"
    row = {"PK": key["PK"], "SK": {"S": sk}, "nuevo": {"S": estado}}
    cart = {
        "TableName": table,
        "Key": key,
        "UpdateExpression": "SET estado = :e, fecha = :f",
        "ExpressionAttributeValues": {":e": {"S": estado}, ":f": {"S": when}},
    }
    dynamodb.transact_write_items(TransactItems=[{"Update": cart}, {"Put": {"TableName": table, "Item": row}}])


def with_the_resource(dynamodb, table, key, estado, when):
    plain = {name: value["S"] for name, value in key.items()}
    place = boto3.resource("dynamodb").Table(table)
    place.update_item(
        Key=plain, UpdateExpression="SET estado = :e, fecha = :f", ExpressionAttributeValues={":e": estado, ":f": when}
    )
    place.put_item(Item={"PK": plain["PK"], "SK": f"ESTADO#{plain['SK']}#{when}", "nuevo": estado})


given("e", beside, "right", name="beside the cart")
given("e", list(apart), "right", name="a collection for each cart")
given("e", (in_a_transaction, beside[1]), "right", name="in a transaction")
given("e", (with_the_resource, beside[1]), "right", name="with the resource")
given("e", design(*own_pk, attributes=lambda e, w: {"estado": e}, state="estado"), "right", name="half an index key")


def appended(dynamodb, table, key, estado, when):
    entry = {"L": [{"M": {"estado": {"S": estado}, "cuando": {"S": when}, "nota": {"S": "n" * 60}}}]}
    dynamodb.update_item(
        TableName=table,
        Key=key,
        UpdateExpression="SET estado = :e, fecha = :f, historial = list_append(if_not_exists(historial, :none), :one)",
        ExpressionAttributeValues={":e": {"S": estado}, ":f": {"S": when}, ":one": entry, ":none": {"L": []}},
    )


def from_the_cart(dynamodb, table, key):
    cart = dynamodb.get_item(TableName=table, Key=key)["Item"]
    return [entry["M"]["estado"]["S"] for entry in cart["historial"]["L"]]


def appended_barely(dynamodb, table, key, estado, when):
    dynamodb.update_item(
        TableName=table,
        Key=key,
        UpdateExpression="SET estado = :e, fecha = :f, historial = list_append(if_not_exists(historial, :none), :one)",
        ExpressionAttributeValues={
            ":e": {"S": estado},
            ":f": {"S": when},
            ":one": {"L": [{"S": estado}]},
            ":none": {"L": []},
        },
    )


def bare_from_the_cart(dynamodb, table, key):
    return [entry["S"] for entry in dynamodb.get_item(TableName=table, Key=key)["Item"]["historial"]["L"]]


def gathered(key):
    return {"PK": key["PK"], "SK": {"S": f"HISTORIA#{key['SK']['S']}"}}


def appended_elsewhere(dynamodb, table, key, estado, when):
    update_cart(dynamodb, table, key, estado, when)
    dynamodb.update_item(
        TableName=table,
        Key=gathered(key),
        UpdateExpression="SET estados = list_append(if_not_exists(estados, :none), :one)",
        ExpressionAttributeValues={":one": {"L": [{"S": estado}]}, ":none": {"L": []}},
    )


def from_elsewhere(dynamodb, table, key):
    return [entry["S"] for entry in dynamodb.get_item(TableName=table, Key=gathered(key))["Item"]["estados"]["L"]]


def counted(dynamodb, table, key, estado, when):
    beside[0](dynamodb, table, key, estado, when)
    dynamodb.update_item(
        TableName=table, Key=key, UpdateExpression="ADD cambios :one", ExpressionAttributeValues={":one": {"N": "1"}}
    )


def only_history(dynamodb, table, key, estado, when):
    row = {"PK": key["PK"], "SK": {"S": f"ESTADO#{key['SK']['S']}#{when}"}, "nuevo": {"S": estado}}
    dynamodb.put_item(TableName=table, Item=row)


def puts_the_cart(dynamodb, table, key, estado, when):
    only_history(dynamodb, table, key, estado, when)
    dynamodb.put_item(TableName=table, Item={**key, "estado": {"S": estado}, "fecha": {"S": when}})


def scanned(dynamodb, table, key):
    found = dynamodb.scan(TableName=table)["Items"]
    wanted = [row for row in found if row["PK"] == key["PK"] and row["SK"]["S"].startswith(f"ESTADO#{key['SK']['S']}")]
    return [row["nuevo"]["S"] for row in sorted(wanted, key=lambda row: row["SK"]["S"])]


def wide_item(dynamodb, table, key, estado, when):
    update_cart(dynamodb, table, key, estado, when)
    sk = f"ESTADO#{key['SK']['S']}#{when}"
    copy = dynamodb.get_item(TableName=table, Key=key)["Item"]
    row = {**copy, "PK": key["PK"], "SK": {"S": sk}, "nuevo": {"S": estado}, "mas": {"S": "x" * 6_000}}
    del row["estado"]
    dynamodb.put_item(TableName=table, Item=row)


def newest_first(dynamodb, table, key):
    return beside[1](dynamodb, table, key)[::-1]


def alphabetical(dynamodb, table, key):
    return sorted(beside[1](dynamodb, table, key))


def page_of_five(dynamodb, table, key):
    return beside[1](dynamodb, table, key)[:5]


def whole_rows(dynamodb, table, key):
    return rows(dynamodb, table, key["PK"]["S"], f"ESTADO#{key['SK']['S']}#")


def looks_at_attributes(dynamodb, table, key):
    return [row["estado"]["S"] for row in whole_rows(dynamodb, table, key)]


def tries_for_ever(dynamodb, table, key, estado, when):
    while True:
        update_cart(dynamodb, table, key, estado, when)


def stub_change(dynamodb, table, key, estado, when):
    return ...


def stub_history(dynamodb, table, key):
    return ...


by_state = (lambda pk, sk: f"HISTORIA#{pk}#{sk}", lambda sk, when: "ESTADO#ultimo", lambda sk: "ESTADO#")
by_customer = (lambda pk, sk: f"HISTORIA#{pk}", lambda sk, when: f"ESTADO#{when}#{sk}", lambda sk: "ESTADO#")
by_time = (lambda pk, sk: pk, lambda sk, when: f"ESTADO#{when}", lambda sk: "ESTADO#")
under_the_cart = (lambda pk, sk: pk, lambda sk, when: f"{sk}#ESTADO#{when}", lambda sk: f"{sk}#ESTADO#")
by_the_hour = (lambda pk, sk: f"HISTORIA#{pk}#{sk}", lambda sk, when: f"ESTADO#{when[:13]}", lambda sk: "ESTADO#")

given("e", (appended, from_the_cart), "wrong", "grows", name="a list in the cart")
given("e", (appended_barely, bare_from_the_cart), "wrong", "grows", name="a bare list in the cart")
given("e", (appended_elsewhere, from_elsewhere), "wrong", "gathers", name="a list in an item of its own")
given("e", (counted, beside[1]), "wrong", "too_dear", name="a counter in a third write")
given("e", design(*by_time), "wrong", "mixed", name="by customer and time")
given("e", (only_history, beside[1]), "wrong", "cart_not_changed", name="history only")
given("e", (puts_the_cart, beside[1]), "wrong", "cart_erased", name="put of the cart")
given("e", design(*by_state), "wrong", "overwritten", name="one item for the history")
given("e", design(*by_the_hour), "wrong", "overwritten", name="an item for each hour")
given("e", design(*by_customer), "wrong", "mixed", name="by customer")
given("e", design(*under_the_cart), "wrong", "breaks_newest", name="under the cart's own key")
given(
    "e",
    design(*same_pk, attributes=lambda e, w: {"estado": e, "fecha": w}, state="estado"),
    "wrong",
    "history_in_index",
    name="attributes of the index",
)
given("e", (beside[0], newest_first), "wrong", "order", name="newest first")
given("e", (beside[0], alphabetical), "wrong", "order", name="alphabetical")
given("e", (beside[0], page_of_five), "wrong", "lost", name="five at most")
given("e", (beside[0], scanned), "wrong", "scan", name="scan")
given("e", (wide_item, beside[1]), "wrong", "too_dear", name="a copy of the cart")
given("e", (beside[0], whole_rows), "wrong", "wrong_type", name="whole rows")
given("e", beside[0], "wrong", "wrong_type", name="one function")
given("e", (beside[0], 5), "wrong", "wrong_type", name="a number")
given("e", (beside[1], beside[0]), "wrong", "wrong_type", name="the wrong way round")
given("e", (), "wrong", "wrong_type", name="an empty pair")
given("e", (beside[0], looks_at_attributes), "raised", name="an attribute that is not there")
given("e", (tries_for_ever, beside[1]), "raised", name="tries for ever")
given("e", (stub_change, stub_history), "not attempted", name="both stubs")
given("e", (beside[0], stub_history), "not attempted", name="one stub")
given("e", None, "not attempted")

# ── f ─────────────────────────────────────────────────────────────────────────────────


def alarm(cloudwatch, table, index=None, *, threshold, name=None, metric=CONSUMED, statistic="Sum", period=60, times=2):
    dimensions = {"TableName": table} | ({"GlobalSecondaryIndexName": index} if index else {})
    cloudwatch.put_metric_alarm(
        AlarmName=name or f"alarma {index or table}",
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=[{"Name": n, "Value": v} for n, v in dimensions.items()],
        Statistic=statistic,
        Period=period,
        EvaluationPeriods=times,
        ComparisonOperator="GreaterThanThreshold",
        Threshold=threshold,
    )


def resources(dynamodb, table):
    about = dynamodb.describe_table(TableName=table)["Table"]
    for one in [about, *about.get("GlobalSecondaryIndexes", [])]:
        yield one.get("IndexName"), one["ProvisionedThroughput"]["WriteCapacityUnits"]


@is_right("f")
def each_at_eighty(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.8 * 60 * units)


@is_right("f")
def once_in_three_minutes(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.8 * 180 * units, period=180, times=1)


@is_right("f")
def at_three_quarters_and_throttles(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=45 * units, times=3)
        name = f"rechazos {index or table}"
        alarm(cloudwatch, table, index, threshold=0, name=name, metric="WriteThrottleEvents", times=1)


@is_right("f")
def by_metric_math(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        dimensions = {"TableName": table} | ({"GlobalSecondaryIndexName": index} if index else {})
        about = {
            "Namespace": "AWS/DynamoDB",
            "MetricName": CONSUMED,
            "Dimensions": [{"Name": n, "Value": v} for n, v in dimensions.items()],
        }
        cloudwatch.put_metric_alarm(
            AlarmName=f"uso {index or table}",
            Metrics=[
                {"Id": "c", "MetricStat": {"Metric": about, "Period": 60, "Stat": "Sum"}, "ReturnData": False},
                {"Id": "uso", "Expression": f"c / {60 * units}", "ReturnData": True},
            ],
            EvaluationPeriods=2,
            ComparisonOperator="GreaterThanThreshold",
            Threshold=0.8,
        )


@shows("f", "no_alarm")
def looks_only(cloudwatch, dynamodb, table):
    return list(resources(dynamodb, table))


@shows("f", "always_rings")
def units_a_second(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.8 * units)


@shows("f", "too_early")
def at_sixty(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.6 * 60 * units)


@shows("f", "table_not_watched")
def indexes_only(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        if index:
            alarm(cloudwatch, table, index, threshold=48 * units)


@shows("f", "index_not_watched")
def table_only(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        if not index:
            alarm(cloudwatch, table, threshold=48 * units)


@shows("f", "index_not_watched")
def first_index_only(cloudwatch, dynamodb, table):
    for index, units in list(resources(dynamodb, table))[:2]:
        alarm(cloudwatch, table, index, threshold=48 * units)


@shows("f", "too_late")
def threshold_of_the_table(cloudwatch, dynamodb, table):
    units = next(resources(dynamodb, table))[1]
    for index, own in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=48 * max(units, own))


@shows("f", "too_late")
def at_the_limit(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=60 * units)


@shows("f", "too_late")
def ten_minutes_f(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.8 * 300 * units, period=300)


@shows("f", "always_rings")
def at_half(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.5 * 60 * units)


@shows("f", "too_late")
def half_an_hour(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=48 * units, times=30 if index else 2)


@shows("f", "table_not_watched")
def visible_names(cloudwatch, dynamodb, table):
    alarm(cloudwatch, "mercadofresco-carritos", threshold=5_760)
    alarm(cloudwatch, "mercadofresco-carritos", "gsi-estado-fecha", threshold=4_800)


@shows("f", "only_throttles")
def throttles(cloudwatch, dynamodb, table):
    for index, _ in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0, metric="WriteThrottleEvents")


@shows("f", "same_name")
def one_name(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=48 * units, name="capacidad")


@shows("f", "average_taken")
def averages_f(cloudwatch, dynamodb, table):
    for index, units in resources(dynamodb, table):
        alarm(cloudwatch, table, index, threshold=0.8 * units, statistic="Average")


@shows("f", "wrong_type")
def takes_two(cloudwatch, table):
    return table


@raises("f")
def no_threshold(cloudwatch, dynamodb, table):
    cloudwatch.put_metric_alarm(AlarmName="x", MetricName=CONSUMED, Namespace="AWS/DynamoDB", EvaluationPeriods=1)


@raises("f")
def indexes_missing(cloudwatch, dynamodb, table):
    for one in dynamodb.describe_table(TableName=table)["GlobalSecondaryIndexes"]:
        alarm(cloudwatch, table, one["IndexName"], threshold=1)


@raises("f")
def watches_for_ever(cloudwatch, dynamodb, table):
    while True:
        dynamodb.describe_table(TableName=table)


@is_untouched("f")
def stub_f(cloudwatch, dynamodb, table):
    return ...


given("f", "80 %", "wrong", "wrong_type")
given("f", None, "not attempted")
