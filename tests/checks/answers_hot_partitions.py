"""Answers to exercise 04, hot partitions, each with the judgement that it deserves."""

import datetime as dt
import hashlib
import random
import zlib
from decimal import Decimal

import boto3
import numpy as np
import pandas as pd

import dynamolab as lab
from checks.answering import Answers

book = Answers("hot_partitions")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["diagnose"],
    "b": lambda names: names["key"],
    "c": lambda names: (names["breaks_first"], names["breaks_second"]),
    "d": lambda names: names["minute"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────


def total(table, metric):
    now = lab.clock.now()
    points = boto3.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=[{"Name": "TableName", "Value": table}],
        StartTime=now - dt.timedelta(hours=1),
        EndTime=now,
        Period=60,
        Statistics=["Sum"],
    )
    return sum(point["Sum"] for point in points["Datapoints"])


def throttles(table, reason, sides=("Write", "Read")):
    return sum(total(table, f"{side}{reason}ThrottleEvents") for side in sides)


def first(frame):
    return frame["partition_key"][0]


@is_right("a")
def by_reason(table):
    if throttles(table, "KeyRangeThroughput"):
        return "key", first(lab.most_throttled_keys(table))
    return ("capacity" if throttles(table, "ProvisionedThroughput") else "neither"), None


@is_right("a")
def by_partitions_at_their_ceiling(table):
    """The lab's own measure by partition, which CloudWatch does not have."""
    load = lab.partition_load(table)
    refusing = load[load["refused_requests"] > 0]
    if refusing.empty:
        return "neither", None
    ceilings = refusing["side"].map({"write": 1_000, "read": 3_000})
    full = (refusing["admitted_units"] > 0.6 * ceilings).any()
    return ("key", first(lab.most_throttled_keys(table))) if full else ("capacity", None)


@is_right("a")
def by_every_throttle_and_its_reason(table):
    if not throttles(table, ""):
        return ["neither", None]
    if throttles(table, "ProvisionedThroughput"):
        return ["capacity", None]
    return ["key", lab.most_throttled_keys(table).loc[0, "partition_key"]]


@shows("a", "every_throttle")
def by_the_list_of_throttled_keys(table):
    """A guess: on a table that is too small, a customer who asks for most is refused most as well."""
    throttled = lab.most_throttled_keys(table)
    if throttled.empty:
        return "neither", None
    return ("key", first(throttled)) if throttled["share"][0] > 0.5 else ("capacity", None)


@shows("a", "by_consumption")
def by_consumption(table):
    mode = boto3.client("dynamodb").describe_table(TableName=table)["Table"]["ProvisionedThroughput"]
    ordered = {side: mode[f"{side}CapacityUnits"] or 4_000 for side in ("Write", "Read")}
    for side, units in ordered.items():
        if total(table, f"Consumed{side}CapacityUnits") > 0.8 * 60 * units:
            return "capacity", None
    return "neither", None


@shows("a", "writes_only")
def writes_only(table):
    if throttles(table, "KeyRangeThroughput", ["Write"]):
        return "key", first(lab.most_throttled_keys(table))
    return ("capacity" if throttles(table, "ProvisionedThroughput", ["Write"]) else "neither"), None


@shows("a", "every_throttle")
def every_throttle_is_a_key(table):
    return ("key", first(lab.most_throttled_keys(table))) if throttles(table, "") else ("neither", None)


@shows("a", "only_capacity")
def every_throttle_is_capacity(table):
    return ("capacity" if throttles(table, "") else "neither"), None


@shows("a", "most_accessed")
def most_accessed(table):
    cause, key = by_reason(table)
    return cause, key and first(lab.most_accessed_keys(table))


@shows("a", "needless_key")
def always_a_key(table):
    throttled = lab.most_throttled_keys(table)
    return by_reason(table)[0], None if throttled.empty else first(throttled)


@shows("a", "scan")
def whoever_reads_much(table):
    cause, key = by_reason(table)
    return ("capacity", None) if cause == "neither" else (cause, key)


@shows("a", "elsewhere")
def nameless(table):
    return by_reason(table)[0], None


@shows("a", "elsewhere")
def visible_tables(table):
    known = {"sesiones": ("key", "CLIENTE#prueba"), "carritos": ("capacity", None), "catalogo": ("neither", None)}
    return known.get(table, ("key", "CLIENTE#prueba"))


@shows("a", "wrong_type")
def cause_alone(table):
    return by_reason(table)[0]


@shows("a", "wrong_type")
def another_word(table):
    return "hot", None


@shows("a", "wrong_type")
def takes_nothing():
    return "key", None


@raises("a")
def first_of_nothing(table):
    return "key", lab.most_throttled_keys(table)["partition_key"][0]


@raises("a")
def asks_until_it_is_quiet(table):
    while True:
        total(table, "WriteThrottleEvents")


@is_untouched("a")
def stub_diagnose(table):
    return ...


# ── b ─────────────────────────────────────────────────────────────────────────────────


@is_right("b")
def store_and_product(line):
    return f"{line.store}#{line.product % 8}"


@is_right("b")
def store_day_and_checksum(line):
    return f"TIENDA#{line.store}#{line.day}.{zlib.crc32(str(line.product).encode()) % 10 + 1}"


@is_right("b")
def one_number(line):
    return line.store * 100 + line.product % 7


@is_right("b")
def digest(line):
    text = f"{line.basket}-{line.product}"
    return f"{line.store}/{int(hashlib.sha256(text.encode()).hexdigest(), 16) % 9}"


@is_right("b")
def number_of_numpy(line):
    return np.int64(line.store * 10 + line.product % 10)


@is_right("b")
def number_as_decimal(line):
    return Decimal(line.store * 10 + line.product % 10)


@is_right("b")
def binary(line):
    return f"{line.store}#{line.product % 10}".encode()


@is_right("b")
def hash_of_numbers(line):
    return f"{line.store}#{hash((line.basket, line.product)) % 8}"


@shows("b", "salted_hash")
def hash_of_a_text(line):
    return f"{line.store}#{hash(str(line.product)) % 8}"


@shows("b", "salted_hash")
def hash_of_the_line(line):
    return f"{line.store}#{hash(line) % 8}"


@shows("b", "wrong_type")
def of_two_types(line):
    return line.store if line.product % 2 else f"{line.store}#{line.product % 10}"


@shows("b", "wrong_type")
def a_float(line):
    return line.store + line.product % 8 / 10


@shows("b", "wrong_type")
def an_item(line):
    return {"PK": f"{line.store}#{line.product % 8}"}


@shows("b", "day")
def day(line):
    return line.day


@shows("b", "other_lines")
def day_with_suffix(line):
    return f"{line.day}.{line.product % 10}"


@shows("b", "other_lines")
def product(line):
    return line.product


@shows("b", "report")
def household(line):
    return line.household


@shows("b", "other_lines")
def few_stores_together(line):
    return f"{line.store % 20}#{line.product % 8}"


@shows("b", "report")
def basket(line):
    return line.basket


@shows("b", "report")
def store_and_whole_product(line):
    return f"{line.store}#{line.product}"


@shows("b", "report")
def fifty_suffixes(line):
    return f"{line.store}#{line.product % 50}"


@shows("b", "store")
def store(line):
    return line.store


@shows("b", "store")
def store_and_day(line):
    return f"{line.store}#{line.day}"


@shows("b", "whole_baskets")
def store_and_part_of_basket(line):
    return f"{line.store}#{line.basket % 8}"


@shows("b", "whole_baskets")
def store_and_part_of_household(line):
    return f"{line.store}#{line.household % 10}"


@shows("b", "few_suffixes")
def two_suffixes(line):
    return f"{line.store}#{line.product % 2}"


@shows("b", "too_hot")
def one_suffix_for_nearly_all(line):
    return f"{line.store}#{line.product % 30 if line.product % 30 < 6 else 6}"


@shows("b", "not_repeatable")
def random_suffix(line):
    return f"{line.store}#{random.randrange(8)}"


@shows("b", "wrong_type")
def a_pair(line):
    return line.store, line.product % 8


@shows("b", "wrong_type")
def a_half(line):
    return line.store / 2


@shows("b", "wrong_type")
def empty(line):
    return ""


@raises("b")
def another_column(line):
    return f"{line.tienda}#{line.product % 8}"


@raises("b")
def counts_for_ever(line):
    number = line.store
    while number:
        number += 1
    return number


@is_untouched("b")
def stub_key(line): ...


given("b", "store", "wrong", "wrong_type", name="a column's name")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def orders(count, cliente=None, tienda=None, hora=18):
    return [
        {"cliente": cliente if cliente else i, "tienda": tienda if tienda else i % 400, "hora": hora}
        for i in range(count)
    ]


FIRST, SECOND = orders(2000, cliente=1), orders(2000, tienda=5)
given("c", (FIRST, SECOND), "right", name="all of one")
given("c", [orders(1100, cliente=3), orders(1200, tienda=9)], "right", name="just enough")
mixed = [*orders(1200, cliente="Ana", hora=7), *orders(600)]
given("c", (mixed, [*orders(1300, tienda="Sol"), *orders(300)]), "right", name="among others")
by_hour = [{"cliente": 4, "tienda": 5, "hora": i % 24} for i in range(1500)]
given("c", (by_hour, SECOND), "right", name="hours instead of stores")
for of_kind in (np.int64, float, Decimal, str):
    kinds = [{name: of_kind(value) for name, value in order.items()} for order in FIRST]
    given("c", (kinds, SECOND), "right", name=f"values as {of_kind.__name__}")
few_stores = [{"cliente": 1, "tienda": i % 10, "hora": 18} for i in range(2000)]
given("c", (few_stores, SECOND), "wrong", "breaks_both", name="ten stores, three or more in a partition")
given("c", (orders(2000), SECOND), "wrong", "breaks_neither", name="first all different")
given("c", (FIRST, orders(2000)), "wrong", "breaks_neither", name="second all different")
given("c", (orders(900, cliente=1), SECOND), "wrong", "breaks_neither", name="too few")
given("c", (orders(2000, cliente=1, tienda=5), SECOND), "wrong", "breaks_both", name="all the same")
given("c", (FIRST, orders(2000, cliente=1, tienda=5)), "wrong", "breaks_both", name="all the same in the second")
given("c", (SECOND, FIRST), "wrong", "wrong_way_round", name="the wrong way round")
given("c", (orders(4500, cliente=1), SECOND), "wrong", "too_many", name="too many")
given("c", (FIRST, [{"cliente": i} for i in range(2000)]), "wrong", "wrong_type", name="fields missing")
given("c", (FIRST, range(2000)), "wrong", "wrong_type", name="numbers")
given("c", ([], []), "wrong", "wrong_type", name="empty lists")
given(
    "c", (FIRST, [{"cliente": i, "tienda": 5, "hora": None} for i in range(2000)]), "wrong", "wrong_type", name="None"
)
given("c", ((order for order in FIRST), SECOND), "wrong", "wrong_type", name="a generator")
given("c", FIRST, "wrong", "wrong_type", name="one load")
given("c", ([(1, 2, 3)] * 2000, SECOND), "wrong", "wrong_type", name="tuples")
given("c", (..., ...), "not attempted", name="both dots")
given("c", (FIRST, ...), "not attempted", name="one dot")
given("c", [FIRST, None], "not attempted", name="a list with nothing")

# ── d ─────────────────────────────────────────────────────────────────────────────────

IDLE = [0] * 59
for name, right in {
    "one second": [1100, *IDLE],
    "in the middle": [*[0] * 30, 1500, *[0] * 29],
    "two seconds": (*[0] * 58, 1050, 1050),
    "an array": np.array([20] * 59 + [1200]),
    "a column": pd.Series([1100.0, *IDLE]),
    "decimals": [Decimal(1100), *IDLE],
}.items():
    given("d", right, "right", name=name)
for name, wrong, shown in (
    ("evenly", [10] * 60, "below_ceiling"),
    ("more than a thousand, evenly", [20] * 60, "by_the_minute"),
    ("the ceiling", [1000, *IDLE], "below_ceiling"),
    ("nothing", [0] * 60, "below_ceiling"),
    ("a minute's sum", [45] * 60, "by_the_minute"),
    ("a minute's thousand", [1000] * 60, "by_the_minute"),
    ("hardly", [1050, *IDLE], "too_few_refused"),
    ("three seconds", [1100] * 3 + [0] * 57, "too_busy"),
    ("all seconds", [1100] * 60, "too_busy"),
    ("seldom enough", [1100, *[40] * 59], "too_busy"),
    ("59 seconds", IDLE, "wrong_type"),
    ("text", ["1100"] * 60, "wrong_type"),
    ("negative", [1100, -1, *[0] * 58], "wrong_type"),
    ("endless", [float("inf"), *IDLE], "wrong_type"),
    ("not a number", [float("nan"), *IDLE], "wrong_type"),
    ("a number", 1100, "wrong_type"),
    ("empty", [], "wrong_type"),
):
    given("d", wrong, "wrong", shown, name=name)
given("d", [..., *IDLE], "not attempted", name="begun")
