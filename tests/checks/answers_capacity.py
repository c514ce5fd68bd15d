"""Answers to exercise 07, capacity arithmetic, each with the judgement that it deserves."""

import decimal
import math
import time

import boto3
import numpy as np
from boto3.dynamodb.conditions import Attr, Key

import dynamolab as lab
from checks.answering import Answers

book = Answers("capacity")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["write_cost"],
    "b": lambda names: names["failed"],
    "c": lambda names: (names["sort_key"], names["paid"]),
    "d": lambda names: names["export"],
    "e": lambda names: names["peak"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────


@is_right("a")
def ceil_of_the_larger(before, after, transactional):
    return max(1, math.ceil(max(before, after) / 1024)) * (2 if transactional else 1)


@is_right("a")
def whole_numbers_only(before, after, transactional):
    units = (max(before, after, 1) + 1023) // 1024
    return units << bool(transactional)


@is_right("a")
def by_numpy(before, after, transactional):
    return np.maximum(1.0, np.ceil(np.max([before, after]) / 1024)) * [1, 2][transactional]


@is_right("a")
def larger_of_two_costs(before, after, transactional):
    cost = max(max(-(-size // 1024), 1) for size in (before, after))
    return decimal.Decimal(cost + cost if transactional else cost)


@shows("a", "after_only")
def only_what_is_written(before, after, transactional):
    return max(1, math.ceil(after / 1024)) * (2 if transactional else 1)


@shows("a", "before_only")
def only_what_was_there(before, after, transactional):
    return max(1, math.ceil(before / 1024)) * (2 if transactional else 1)


@shows("a", "difference")
def only_the_change(before, after, transactional):
    return max(1, math.ceil(abs(before - after) / 1024)) * (2 if transactional else 1)


@shows("a", "both")
def both_images(before, after, transactional):
    return max(1, math.ceil(before / 1024) + math.ceil(after / 1024)) * (2 if transactional else 1)


@shows("a", "rounded_down")
def floor(before, after, transactional):
    return max(1, max(before, after) // 1024) * (2 if transactional else 1)


@shows("a", "nearest")
def nearest(before, after, transactional):
    return max(1, round(max(before, after) / 1024)) * (2 if transactional else 1)


@shows("a", "not_rounded")
def in_fractions(before, after, transactional):
    return max(1, max(before, after) / 1024) * (2 if transactional else 1)


@shows("a", "thousand")
def thousand_bytes(before, after, transactional):
    return max(1, math.ceil(max(before, after) / 1000)) * (2 if transactional else 1)


@shows("a", "no_minimum")
def nothing_is_free(before, after, transactional):
    return math.ceil(max(before, after) / 1024) * (2 if transactional else 1)


@shows("a", "single")
def no_transactions(before, after, transactional):
    return max(1, math.ceil(max(before, after) / 1024))


@shows("a", "doubled_first")
def doubles_the_bytes(before, after, transactional):
    return max(1, math.ceil(max(before, after) * (2 if transactional else 1) / 1024))


@shows("a", "elsewhere")
def visible_cases_only(before, after, transactional):
    return 3


@shows("a", "elsewhere")
def pieces_of_four(before, after, transactional):
    return max(1, math.ceil(max(before, after) / 4096)) * (2 if transactional else 1)


@shows("a", "wrong_type")
def says_it(before, after, transactional):
    return f"{before} units"


@shows("a", "wrong_type")
def two_parameters(before, after):
    return 1


@raises("a")
def divides_by_what_was_there(before, after, transactional):
    return after / before


@raises("a")
def for_ever(before, after, transactional):
    while True:
        after += 1


@is_untouched("a")
def stub_a(before, after, transactional):
    return ...


given("a", 3, "wrong", "wrong_type", name="a number")
given("a", None, "not attempted")

# ── b ─────────────────────────────────────────────────────────────────────────────────

for right in ((9, 1, 20), [9.0, 1.0, 20.0], (np.int64(9), decimal.Decimal(1), 20)):
    given("b", right, "right", name=repr(right))
for wrong, shown in (
    ((0, 0, 0), "free"),
    ((9, 1, 0), "free"),
    ((1, 1, 4), "minimum_only"),
    ((18, 1, 20), "elsewhere"),
    ((9, 9, 20), "not_there"),
    ((9, 3, 20), "not_there"),
    ((9, 1, 10), "simple_price"),
    ((9, 1, 18), "one_action"),
    ((9, 1, 2), "one_action"),
    ((9, 1, 24), "attempted"),
    ((9, 1, 12), "attempted"),
    ((9, 1, 6), "attempted"),
    ((9, 1, 40), "elsewhere"),
    ((9, 1), "wrong_type"),
    (("9", 1, 20), "wrong_type"),
    ((9, 1, float("nan")), "wrong_type"),
    (20, "wrong_type"),
    ((), "wrong_type"),
):
    given("b", wrong, "wrong", shown, name=repr(wrong))
given("b", (..., ..., ...), "not attempted", name="the stub")
given("b", (9, 1, ...), "not attempted", name="two of three")
given("b", None, "not attempted")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def state_first(cart):
    return f"{cart['estado']}#{cart['fecha']}#{cart['id']}"


def month_first(cart):
    return f"{cart['fecha'][:7]}/{cart['estado']}/{cart['id']}"


def paid_or_other(cart):
    return ("A" if cart["estado"] == "pagado" else "B") + cart["fecha"] + cart["id"]


def by_id(cart):
    return cart["id"]


def time_first(cart):
    return f"{cart['fecha']}#{cart['estado']}#{cart['id']}"


def query(dynamodb, table, customer, begins, **more):
    condition = "PK = :pk AND begins_with(SK, :sk)" if begins else "PK = :pk"
    values = {":pk": {"S": f"CLIENTE#{customer}"}, **({":sk": {"S": begins}} if begins else {})}
    values |= more.pop("values", {})
    pages = dynamodb.get_paginator("query").paginate(
        TableName=table, KeyConditionExpression=condition, ExpressionAttributeValues=values, **more
    )
    return [row for page in pages for row in page["Items"]]


def begins_with_state(dynamodb, table, customer, month):
    return query(dynamodb, table, customer, f"pagado#{month}")


def begins_with_month(dynamodb, table, customer, month):
    return query(dynamodb, table, customer, f"{month}/pagado/")


def by_resource(dynamodb, table, customer, month):
    there, rows, more = boto3.resource("dynamodb").Table(table), [], {}
    while True:
        condition = Key("PK").eq(f"CLIENTE#{customer}") & Key("SK").between(f"A{month}-01", f"A{month}-32")
        answer = there.query(KeyConditionExpression=condition, **more)
        rows += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return rows
        more = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def generator(dynamodb, table, customer, month):
    yield from begins_with_state(dynamodb, table, customer, month)


ONLY_PAID = {
    "FilterExpression": "estado = :e AND begins_with(fecha, :m)",
}


def filtered(dynamodb, table, customer, month):
    values = {":e": {"S": "pagado"}, ":m": {"S": month}}
    return query(dynamodb, table, customer, "", values=values, **ONLY_PAID)


def filtered_in_the_month(dynamodb, table, customer, month):
    return query(dynamodb, table, customer, month, values={":e": {"S": "pagado"}}, FilterExpression="estado = :e")


def filtered_by_resource(dynamodb, table, customer, month):
    answer = (
        boto3.resource("dynamodb")
        .Table(table)
        .query(
            KeyConditionExpression=Key("PK").eq(f"CLIENTE#{customer}"),
            FilterExpression=Attr("estado").eq("pagado") & Attr("fecha").begins_with(month),
        )
    )
    return answer["Items"]


def thrown_away(dynamodb, table, customer, month):
    rows = query(dynamodb, table, customer, "")
    return [row for row in rows if row["estado"]["S"] == "pagado" and row["fecha"]["S"].startswith(month)]


def all_paid(dynamodb, table, customer, month):
    return [row for row in query(dynamodb, table, customer, "pagado#") if month in row["fecha"]["S"]]


def strongly(dynamodb, table, customer, month):
    return query(dynamodb, table, customer, f"pagado#{month}", ConsistentRead=True)


def scans(dynamodb, table, customer, month):
    pages = dynamodb.get_paginator("scan").paginate(TableName=table)
    rows = [row for page in pages for row in page["Items"]]
    return [row for row in rows if row["SK"]["S"].startswith(f"pagado#{month}") and row["PK"]["S"].endswith(customer)]


def first_page(dynamodb, table, customer, month):
    return dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
        ExpressionAttributeValues={":pk": {"S": f"CLIENTE#{customer}"}, ":sk": {"S": f"pagado#{month}"}},
    )["Items"]


def loses_the_last_day(dynamodb, table, customer, month):
    pages = dynamodb.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression="PK = :pk AND SK BETWEEN :a AND :b",
        ExpressionAttributeValues={
            ":pk": {"S": f"CLIENTE#{customer}"},
            ":a": {"S": f"pagado#{month}-01"},
            ":b": {"S": f"pagado#{month}-30"},
        },
    )
    return [row for page in pages for row in page["Items"]]


def every_paid_one(dynamodb, table, customer, month):
    return query(dynamodb, table, customer, "pagado#")


def another_separator(dynamodb, table, customer, month):
    return query(dynamodb, table, customer, f"pagado/{month}")


def nothing(dynamodb, table, customer, month):
    return []


def visible_month_only(dynamodb, table, customer, month):
    return [{"id": {"S": "C-00005"}}]


def a_count(dynamodb, table, customer, month):
    return len(begins_with_state(dynamodb, table, customer, month))


def the_ids(dynamodb, table, customer, month):
    return [row["id"]["S"] for row in begins_with_state(dynamodb, table, customer, month)]


def no_return(dynamodb, table, customer, month):
    begins_with_state(dynamodb, table, customer, month)


def reads_another_table(dynamodb, table, customer, month):
    return query(dynamodb, "mercadofresco-carritos", customer, f"pagado#{month}")


def same_page_for_ever(dynamodb, table, customer, month):
    while True:
        first_page(dynamodb, table, customer, month)


def stub_key(cart):
    return ...


def stub_paid(dynamodb, table, customer, month):
    return ...


given("c", (state_first, begins_with_state), "right", name="state first")
given("c", [month_first, begins_with_month], "right", name="month first")
given("c", (paid_or_other, by_resource), "right", name="two classes, by resource")
given("c", (state_first, generator), "right", name="generator")
given("c", (by_id, filtered), "wrong", "filter", name="as in production")
given("c", (time_first, filtered_in_the_month), "wrong", "filter", name="month by key, state by filter")
given("c", (by_id, filtered_by_resource), "wrong", "filter", name="filter by resource")
given("c", (by_id, thrown_away), "wrong", "reads_too_much", name="thrown away in the client")
given("c", (state_first, all_paid), "wrong", "reads_too_much", name="all paid ones read")
given("c", (state_first, strongly), "wrong", "strong", name="strongly")
given("c", (state_first, scans), "wrong", "scan", name="scan")
given("c", (state_first, first_page), "wrong", "one_page", name="first page")
given("c", (state_first, loses_the_last_day), "wrong", "missing", name="without the last day")
given("c", (state_first, every_paid_one), "wrong", "too_many", name="every paid one")
given("c", (month_first, begins_with_state), "wrong", "nothing", name="two different keys")
given("c", (state_first, another_separator), "wrong", "nothing", name="another separator")
given("c", (state_first, nothing), "wrong", "nothing", name="empty list")
given("c", (state_first, visible_month_only), "wrong", "too_many", name="a visible cart only")
given("c", (lambda cart: f"{cart['estado']}#{cart['fecha']}", begins_with_state), "wrong", "not_unique", name="no id")
given("c", (lambda cart: cart["estado"], begins_with_state), "wrong", "not_unique", name="state only")
given("c", (lambda cart: 5, begins_with_state), "wrong", "wrong_type", name="a number as key")
given("c", (lambda cart: "", begins_with_state), "wrong", "wrong_type", name="an empty key")
given("c", (state_first, a_count), "wrong", "wrong_type", name="a count")
given("c", (state_first, the_ids), "wrong", "wrong_type", name="ids")
given("c", (state_first, no_return), "wrong", "wrong_type", name="no return")
given("c", (begins_with_state, state_first), "wrong", "wrong_type", name="the wrong way round")
given("c", state_first, "wrong", "wrong_type", name="one function")
given("c", (), "wrong", "wrong_type", name="empty")
given("c", (lambda cart: cart["precio"], begins_with_state), "raised", name="an attribute that is not")
given("c", (state_first, reads_another_table), "raised", name="another table")
given("c", (state_first, same_page_for_ever), "raised", name="same page for ever")
given("c", (stub_key, stub_paid), "not attempted", name="the stubs")
given("c", (state_first, stub_paid), "not attempted", name="one stub")
given("c", None, "not attempted")

# ── d ─────────────────────────────────────────────────────────────────────────────────


def pages_of(dynamodb, table, **more):
    start = {}
    while True:
        page = dynamodb.scan(TableName=table, ReturnConsumedCapacity="TOTAL", **more, **start)
        yield page["Items"], page["ConsumedCapacity"]["CapacityUnits"]
        if "LastEvaluatedKey" not in page:
            return
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


@is_right("d")
def waits_for_what_it_took(dynamodb, table, units_per_second):
    items = []
    for rows, units in pages_of(dynamodb, table):
        items += rows
        time.sleep(units / units_per_second)
    return items


@is_right("d")
def by_the_lab_clock(dynamodb, table, units_per_second):
    items = []
    for rows, units in pages_of(dynamodb, table):
        items += rows
        lab.clock.advance(seconds=units / units_per_second)
    return items


@is_right("d")
def small_sips(dynamodb, table, units_per_second):
    items = []
    for rows, units in pages_of(dynamodb, table, Limit=20):
        items += rows
        time.sleep(1.2 * units / units_per_second)
    return items


@is_right("d")
def paginator_that_reckons_with_a_megabyte(dynamodb, table, units_per_second):
    for page in dynamodb.get_paginator("scan").paginate(TableName=table):
        yield from page["Items"]
        time.sleep(2**20 / 8192 / units_per_second)


@shows("d", "full_speed")
def without_a_pause(dynamodb, table, units_per_second):
    return [row for rows, _ in pages_of(dynamodb, table) for row in rows]


@shows("d", "too_fast")
def one_second_a_page(dynamodb, table, units_per_second):
    items = []
    for rows, _ in pages_of(dynamodb, table):
        items += rows
        time.sleep(1)
    return items


@shows("d", "too_fast")
def waits_at_the_beginning(dynamodb, table, units_per_second):
    next(pages_of(dynamodb, table, Limit=1))
    time.sleep(20)
    return without_a_pause(dynamodb, table, units_per_second)


@shows("d", "strong")
def as_in_production(dynamodb, table, units_per_second):
    items = []
    for rows, _ in pages_of(dynamodb, table, ConsistentRead=True):
        items += rows
        lab.clock.advance(seconds=1)
    return items


@shows("d", "strong")
def strongly_but_slowly(dynamodb, table, units_per_second):
    items = []
    for rows, units in pages_of(dynamodb, table, ConsistentRead=True):
        items += rows
        time.sleep(units / units_per_second)
    return items


@shows("d", "too_slow")
def a_minute_a_page(dynamodb, table, units_per_second):
    items = []
    for rows, _ in pages_of(dynamodb, table):
        items += rows
        time.sleep(60)
    return items


@shows("d", "small_pages")
def single_items_by_key(dynamodb, table, units_per_second):
    items = []
    for rows, units in pages_of(dynamodb, table):
        time.sleep(units / units_per_second)
        for row in rows[:80]:
            key = {"PK": row["PK"], "SK": row["SK"]}
            items.append(dynamodb.get_item(TableName=table, Key=key)["Item"])
            time.sleep(4 / units_per_second)
        items += rows[80:]
    return items


@shows("d", "one_page")
def first_page_only(dynamodb, table, units_per_second):
    return dynamodb.scan(TableName=table)["Items"]


@shows("d", "lost_rows")
def without_the_last_page(dynamodb, table, units_per_second):
    items, start = [], {}
    while True:
        page = dynamodb.scan(TableName=table, **start)
        if "LastEvaluatedKey" not in page:
            return items
        items += page["Items"]
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        time.sleep(6)


@shows("d", "lost_rows")
def empty_list(dynamodb, table, units_per_second):
    list(pages_of(dynamodb, table))
    return []


@shows("d", "one_page")
def nothing_at_all(dynamodb, table, units_per_second):
    return []


@shows("d", "duplicates")
def adds_a_page_twice(dynamodb, table, units_per_second):
    items = waits_for_what_it_took(dynamodb, table, units_per_second)
    return items + items[:3]


@shows("d", "wrong_type")
def counts(dynamodb, table, units_per_second):
    return len(waits_for_what_it_took(dynamodb, table, units_per_second))


@shows("d", "wrong_type")
def pages(dynamodb, table, units_per_second):
    return [rows for rows, _ in pages_of(dynamodb, table)]


@shows("d", "wrong_type")
def two_of_three_parameters(dynamodb, table):
    return []


@raises("d")
def wrong_table(dynamodb, table, units_per_second):
    return waits_for_what_it_took(dynamodb, "mercadofresco-carritos", units_per_second)


@raises("d")
def first_page_for_ever(dynamodb, table, units_per_second):
    items = []
    while dynamodb.scan(TableName=table, Limit=1)["Items"]:
        items.append(1)
    return items


@raises("d")
def no_capacity_asked_for(dynamodb, table, units_per_second):
    page = dynamodb.scan(TableName=table)
    time.sleep(page["ConsumedCapacity"]["CapacityUnits"] / units_per_second)
    return page["Items"]


@is_untouched("d")
def stub_d(dynamodb, table, units_per_second):
    return ...


given("d", [], "wrong", "wrong_type", name="empty")
given("d", None, "not attempted")

# ── e ─────────────────────────────────────────────────────────────────────────────────

READS = ("get", "query")


def units_of(row):
    if row["call"] in READS:
        return math.ceil(row["bytes"] / 4096) * (1 if row["read"] == "strong" else 0.5)
    return math.ceil(row["bytes"] / 1024)


def summed(mix, units, read):
    return sum(row["per_order"] * units(row) for row in mix if (row["call"] in READS) is read)


@is_right("e")
def by_rows(mix, orders_per_hour):
    writes = reads = 0
    for row in mix:
        if row["call"] in READS:
            reads += row["per_order"] * units_of(row)
        else:
            writes += row["per_order"] * units_of(row)
    return writes * orders_per_hour / 3600, reads * orders_per_hour / 3600


@is_right("e")
def by_pandas(mix, orders_per_hour):
    import pandas as pd

    frame = pd.DataFrame(mix)
    frame["units"] = [units_of(row) for row in mix]
    sums = (frame["units"] * frame["per_order"]).groupby(frame["call"].isin(READS)).sum() * orders_per_hour / 3600
    return [sums[False], sums[True]]


@is_right("e")
def rounded_up(mix, orders_per_hour):
    return tuple(math.ceil(summed(mix, units_of, read) * orders_per_hour / 3600) for read in (False, True))


@is_right("e")
def by_numpy_array(mix, orders_per_hour):
    return np.array([summed(mix, units_of, read) for read in (False, True)]) * orders_per_hour / 3600


@shows("e", "swapped")
def reads_first(mix, orders_per_hour):
    return by_rows(mix, orders_per_hour)[::-1]


@shows("e", "per_hour")
def an_hour(mix, orders_per_hour):
    return summed(mix, units_of, False) * orders_per_hour, summed(mix, units_of, True) * orders_per_hour


@shows("e", "per_order")
def an_order(mix, orders_per_hour):
    return summed(mix, units_of, False), summed(mix, units_of, True)


@shows("e", "requests")
def requests(mix, orders_per_hour):
    return tuple(summed(mix, lambda row: 1, read) * orders_per_hour / 3600 for read in (False, True))


@shows("e", "bytes_first")
def bytes_first(mix, orders_per_hour):
    writes = sum(row["per_order"] * row["bytes"] / 1024 for row in mix if row["call"] not in READS)
    reads = sum(
        row["per_order"] * row["bytes"] / 4096 * (1 if row["read"] == "strong" else 0.5)
        for row in mix
        if row["call"] in READS
    )
    return writes * orders_per_hour / 3600, reads * orders_per_hour / 3600


@shows("e", "all_strong")
def all_strong(mix, orders_per_hour):
    return by_rows([{**row, "read": "strong"} for row in mix], orders_per_hour)


@shows("e", "all_eventual")
def all_eventual(mix, orders_per_hour):
    return by_rows([{**row, "read": "eventual"} for row in mix], orders_per_hour)


@shows("e", "write_size")
def pieces_of_one(mix, orders_per_hour):
    def units(row):
        return math.ceil(row["bytes"] / 1024) * (0.5 if row["read"] == "eventual" else 1)

    return tuple(summed(mix, units, read) * orders_per_hour / 3600 for read in (False, True))


@shows("e", "elsewhere")
def visible_mix_only(mix, orders_per_hour):
    return 9.375, 4.125


@shows("e", "elsewhere")
def without_deletes(mix, orders_per_hour):
    return by_rows([row for row in mix if row["call"] != "delete"], orders_per_hour)


@shows("e", "elsewhere")
def a_factor_of_seventy_per_cent(mix, orders_per_hour):
    return tuple(side / 0.7 for side in by_rows(mix, orders_per_hour))


@shows("e", "wrong_type")
def one_sum(mix, orders_per_hour):
    return sum(by_rows(mix, orders_per_hour))


@shows("e", "wrong_type")
def a_text(mix, orders_per_hour):
    return "57.6 and 32.14"


@shows("e", "wrong_type")
def texts(mix, orders_per_hour):
    return "10", "11"


@shows("e", "wrong_type")
def no_orders(mix):
    return 1, 2


@raises("e")
def a_column_that_is_not(mix, orders_per_hour):
    return sum(row["units"] for row in mix), 0


@raises("e")
def never_ends(mix, orders_per_hour):
    while mix:
        orders_per_hour += 1


@is_untouched("e")
def stub_e(mix, orders_per_hour):
    return ...


given("e", (10, 10), "wrong", "wrong_type", name="two numbers")
given("e", {}, "wrong", "wrong_type", name="empty")
given("e", None, "not attempted")
