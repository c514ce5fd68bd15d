"""Answers to exercise 03, partitions, each with the judgement that it deserves."""

import collections
import math

import numpy as np

from checks.answering import Answers
from dynamolab.traffic.workload import places

book = Answers("partitions")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["most"],
    "b": lambda names: names["carried"],
    "c": lambda names: names["cured"],
    "d": lambda names: names["company"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────


@is_right("a")
def exact(kind, item_bytes):
    if kind == "write":
        return 1000 / math.ceil(item_bytes / 1024)
    return (3000 if kind == "strong" else 6000) / math.ceil(item_bytes / 4096)


@is_right("a")
def whole_requests(kind, item_bytes):
    ceiling, block = {"write": (1000, 1024), "strong": (3000, 4096), "eventual": (6000, 4096)}[kind]
    return ceiling // -(-item_bytes // block)


@is_right("a")
def by_units(kind, item_bytes):
    units = {"write": max(1, (item_bytes + 1023) >> 10), "strong": (item_bytes + 4095) // 4096}
    units["eventual"] = units["strong"] / 2
    return np.float64(1000 if kind == "write" else 3000) / units[kind]


@shows("a", "operations")
def operations(kind, item_bytes):
    return 1000 if kind == "write" else 3000


@shows("a", "operations")
def operations_by_consistency(kind, item_bytes):
    return {"write": 1000, "strong": 3000, "eventual": 6000}[kind]


@shows("a", "same_block")
def all_in_4_kb(kind, item_bytes):
    return {"write": 1000, "strong": 3000, "eventual": 6000}[kind] / math.ceil(item_bytes / 4096)


@shows("a", "same_block")
def all_in_1_kb(kind, item_bytes):
    return {"write": 1000, "strong": 3000, "eventual": 6000}[kind] / math.ceil(item_bytes / 1024)


@shows("a", "not_rounded")
def not_rounded(kind, item_bytes):
    return {"write": 1000 * 1024, "strong": 3000 * 4096, "eventual": 6000 * 4096}[kind] / item_bytes


@shows("a", "thousands")
def thousands(kind, item_bytes):
    if kind == "write":
        return 1000 / math.ceil(item_bytes / 1000)
    return (3000 if kind == "strong" else 6000) / math.ceil(item_bytes / 4000)


@shows("a", "eventual_wrong_way")
def eventual_as_strong(kind, item_bytes):
    return 1000 / math.ceil(item_bytes / 1024) if kind == "write" else 3000 / math.ceil(item_bytes / 4096)


@shows("a", "eventual_wrong_way")
def eventual_is_dearer(kind, item_bytes):
    if kind == "write":
        return 1000 / math.ceil(item_bytes / 1024)
    return (3000 if kind == "strong" else 1500) / math.ceil(item_bytes / 4096)


@shows("a", "eventual_in_8_kb")
def eventual_in_8_kb(kind, item_bytes):
    if kind == "write":
        return 1000 / math.ceil(item_bytes / 1024)
    return 3000 / math.ceil(item_bytes / (4096 if kind == "strong" else 8192))


@shows("a", "elsewhere")
def the_visible_ones(kind, item_bytes):
    return {"write": 50, "strong": 600, "eventual": 1200}[kind]


@shows("a", "elsewhere")
def units_of_one(kind, item_bytes):
    return math.ceil(item_bytes / (1024 if kind == "write" else 4096))


@shows("a", "elsewhere")
def rounds_the_result_up(kind, item_bytes):
    return math.ceil(exact(kind, item_bytes))


@shows("a", "wrong_type")
def gives_text(kind, item_bytes):
    return f"{exact(kind, item_bytes)} requests a second"


@shows("a", "wrong_type")
def takes_one(kind):
    return 1000


@raises("a")
def other_names(kind, item_bytes):
    return {"put": 1000, "get": 3000}[kind]


@raises("a")
def divides_by_nothing(kind, item_bytes):
    return 1000 / (item_bytes // 1024)


@raises("a")
def without_end(kind, item_bytes):
    units = 0
    while units != item_bytes / 1024:
        units += 1
    return 1000 / units


@is_untouched("a")
def stub_most(kind, item_bytes):
    return ...


given("a", 50, "wrong", "wrong_type")

# ── b ─────────────────────────────────────────────────────────────────────────────────


def sums(shares, homes):
    load = collections.Counter()
    for share, home in zip(shares, homes, strict=True):
        load[home] += share
    return load


@is_right("b")
def fullest_decides(shares, homes, write_units):
    return min(write_units, 1000 / max(sums(shares, homes).values()))


@is_right("b")
def by_trying(shares, homes, write_units):
    heaviest = max(sums(shares, homes).values())
    low, high = 0.0, float(write_units)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * heaviest <= 1000 else (low, middle)
    return low


@is_right("b")
def with_numpy(shares, homes, write_units):
    _, codes = np.unique(homes, return_inverse=True)
    return int(min(write_units, (1000 / np.bincount(codes, weights=shares)).min()))


@is_right("b")
def a_little_below(shares, homes, write_units):
    return 0.995 * fullest_decides(shares, homes, write_units)


@shows("b", "table_forgotten")
def table_forgotten(shares, homes, write_units):
    return 1000 / max(sums(shares, homes).values())


@shows("b", "sum_of_partitions")
def sum_of_partitions(shares, homes, write_units):
    return min(write_units, 1000 * len(set(homes)))


@shows("b", "sum_of_partitions")
def what_was_ordered(shares, homes, write_units):
    return write_units


@shows("b", "neighbours")
def hottest_key(shares, homes, write_units):
    heaviest = max(sums(shares, homes).values()) if len(shares) == 300 else max(shares)
    return min(write_units, 1000 / heaviest)


@shows("b", "sum_of_partitions")
def hottest_key_everywhere(shares, homes, write_units):
    return min(write_units, 1000 / max(shares))


@shows("b", "keys_times_ceiling")
def each_key_a_thousand(shares, homes, write_units):
    return min(write_units, 1000 * len(shares)) if len(shares) < 10 else fullest_decides(shares, homes, write_units)


@shows("b", "static_share")
def static_share(shares, homes, write_units):
    return write_units / len(set(homes)) / max(sums(shares, homes).values())


@shows("b", "hottest_only")
def hottest_only(shares, homes, write_units):
    return min(write_units, 1000)


@shows("b", "too_much")
def fullest_by_count(shares, homes, write_units):
    fullest = collections.Counter(homes).most_common(1)[0][1]
    return min(write_units, 1000 * len(homes) / fullest)


@shows("b", "too_much")
def a_third_more(shares, homes, write_units):
    return 1.3 * fullest_decides(shares, homes, write_units)


@shows("b", "too_little")
def half(shares, homes, write_units):
    return fullest_decides(shares, homes, write_units) / 2


@shows("b", "too_little")
def visible_only(shares, homes, write_units):
    return 1500


@shows("b", "wrong_type")
def gives_pair(shares, homes, write_units):
    return fullest_decides(shares, homes, write_units), 0


@shows("b", "wrong_type")
def not_a_number(shares, homes, write_units):
    return float("nan")


@shows("b", "wrong_type")
def forgets_return(shares, homes, write_units):
    fullest_decides(shares, homes, write_units)


@raises("b")
def homes_as_places(shares, homes, write_units):
    load = [0] * 4
    for share, home in zip(shares, homes, strict=True):
        load[home] += share
    return min(write_units, 1000 / max(load))


@raises("b")
def loops_without_end(shares, homes, write_units):
    rate = 1
    while rate > 0:
        rate += 1
    return rate


@is_untouched("b")
def stub_carried(shares, homes, write_units): ...


given("b", 15_909, "wrong", "wrong_type")

# ── c ─────────────────────────────────────────────────────────────────────────────────

for right in ({"A", "C", "E", "G"}, "ACEG", ["g", "e", "c", "a"], "A, C, E, G", frozenset("ACEG")):
    given("c", right, "right", name=repr(sorted(right)))
for wrong, shown in (
    (set("ACEFG"), "sizes"),
    (set("ABCEG"), "single_item"),
    (set("ACDEG"), "few_values"),
    (set("CEG"), "table_limit"),
    (set("AEG"), "table_limit"),
    (set("ACG"), "reads"),
    (set("ACE"), "neighbours"),
    (set("ABCDEFG"), "sizes"),
    (set(), "table_limit"),
    ("BDF", "sizes"),
    ({"A", "H"}, "wrong_type"),
    ({1, 2}, "wrong_type"),
    (7, "wrong_type"),
    (math.ceil, "wrong_type"),
):
    given("c", wrong, "wrong", shown, name=repr(wrong) if not isinstance(wrong, set) else repr(sorted(map(str, wrong))))
given("c", None, "not attempted")

# ── d ─────────────────────────────────────────────────────────────────────────────────

NUMBERS = list(range(1, 10_000))
IN_64 = places([f"CLIENTE#{number}" for number in NUMBERS], 64)
IN_4 = IN_64 // 16
FIRST, LATER, ELSEWHERE = ([n for n, home in zip(NUMBERS, IN_64, strict=True) if home == here] for here in (47, 3, 20))

given("d", FIRST[:4], "right", name="the first four of a partition")
given("d", set(LATER[10:14]), "right", name="a set of others")
given("d", np.array(FIRST[-4:]), "right", name="an array, the last four")
given("d", tuple(float(n) for n in LATER[:4]), "right", name="floats")
given("d", (1, 2, 3, 4), "wrong", "running_numbers")
given("d", range(7_000, 7_004), "wrong", "running_numbers", name="a range object")
given("d", [FIRST[0], LATER[0], ELSEWHERE[0], ELSEWHERE[1]], "wrong", "apart", name="two, one, one")
quarter = {home: [n for n, place in zip(NUMBERS, IN_4, strict=True) if place == home] for home in range(4)}
given("d", [quarter[home][5] for home in range(4)], "wrong", "apart", name="one in each")
given("d", [*FIRST[:3], LATER[0]], "wrong", "not_all", name="three of four")
given(
    "d", [next(n for n in NUMBERS if IN_64[n - 1] == home) for home in (0, 3, 7, 12)], "wrong", "parted", name="parted"
)
given("d", [*FIRST[:3], next(n for n in NUMBERS if IN_64[n - 1] == 46)], "wrong", "parted", name="next door")
given("d", [FIRST[0]] * 4, "wrong", "same_customer", name="four times the same")
given("d", [*FIRST[:3], FIRST[0]], "wrong", "same_customer", name="one twice")
given("d", FIRST[:5], "wrong", "wrong_type", name="five")
given("d", [], "wrong", "wrong_type", name="an empty list")
given("d", [0, 1, 2, 3], "wrong", "wrong_type", name="none has number 0")
given("d", [1.5, 2, 3, 4], "wrong", "wrong_type", name="a half customer")
given("d", ["CLIENTE#1", "CLIENTE#2", "CLIENTE#3", "CLIENTE#4"], "wrong", "wrong_type", name="keys")
given("d", 47, "wrong", "wrong_type", name="the partition")
given("d", [..., ..., ..., ...], "not attempted", name="four dots")
given("d", [FIRST[0], ..., ..., ...], "not attempted", name="begun")
