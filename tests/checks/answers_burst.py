"""Answers to exercise 06, burst and adaptive capacity, each with the judgement that it deserves."""

import decimal

import numpy as np

from checks.answering import Answers

book = Answers("burst")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["seconds"],
    "b": lambda names: names["refused"],
    "c": lambda names: names["wcu"],
    "d": lambda names: names["loads"],
    "e": lambda names: names["cured"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────

for right in (60, 60.0, 59, 61, decimal.Decimal(60), np.float64(60)):
    given("a", right, "right", name=repr(right))
for wrong, shown in (
    (0, "no_burst"),
    (1, "no_burst"),
    (50, "no_inflow"),
    (300, "five_minutes"),
    (600, "hour_saved"),
    (720, "hour_saved"),
    (100, "elsewhere"),
    (6_000, "elsewhere"),
    (-60, "out_of_range"),
    ("60", "wrong_type"),
    (True, "wrong_type"),
    ([60], "wrong_type"),
):
    given("a", wrong, "wrong", shown, name=repr(wrong))
given("a", None, "not attempted")

# ── b ─────────────────────────────────────────────────────────────────────────────────


@is_right("b")
def refill_first(capacity, asked):
    saved, lost = 300 * capacity, 0
    for units in asked:
        saved = min(saved + capacity, 300 * capacity)
        out = min(units, saved, 1000)
        saved -= out
        lost += units - out
    return lost


@is_right("b")
def refill_afterwards(capacity, asked):
    level = full = capacity * 300
    admitted = 0
    for units in asked:
        out = min(level, units, 1_000)
        admitted += out
        level = min(full, level - out + capacity)
    return sum(asked) - admitted


@is_right("b")
def counts_what_is_used_up(capacity, asked):
    used, refusals = 0.0, []
    for units in np.asarray(asked, dtype=float):
        used = max(0.0, used - capacity)
        passed = min(units, 300 * capacity - used, 1000.0)
        used += passed
        refusals.append(units - passed)
    return np.sum(refusals)


@is_right("b")
def recursive_by_pieces(capacity, asked):
    def step(state, units):
        saved, lost = state
        saved = min(saved + capacity, 300 * capacity)
        out = min(units, saved, 1000)
        return saved - out, lost + units - out

    state = (300 * capacity, 0)
    for units in asked:
        state = step(state, units)
    return decimal.Decimal(state[1])


@shows("b", "debt")
def as_in_production(capacity, asked):
    saved, lost = 300 * capacity, 0
    for units in asked:
        saved += capacity
        if units > saved:
            lost += units
        saved -= units
    return lost


@shows("b", "debt")
def all_but_the_debt(capacity, asked):
    saved, lost = 300 * capacity, 0
    for units in asked:
        saved = min(saved + capacity, 300 * capacity)
        lost += units - min(units, max(saved, 0), 1000)
        saved -= units
    return lost


@shows("b", "whole")
def all_or_nothing(capacity, asked):
    saved, lost = 300 * capacity, 0
    for units in asked:
        saved = min(saved + capacity, 300 * capacity)
        if units > min(saved, 1000):
            lost += units
        else:
            saved -= units
    return lost


@shows("b", "lid")
def saves_for_ever(capacity, asked):
    saved, lost = 300 * capacity, 0
    for units in asked:
        saved += capacity
        out = min(units, saved, 1000)
        saved -= out
        lost += units - out
    return lost


@shows("b", "ceiling")
def no_partition(capacity, asked):
    saved, lost = 300 * capacity, 0
    for units in asked:
        saved = min(saved + capacity, 300 * capacity)
        out = min(units, saved)
        saved -= out
        lost += units - out
    return lost


@shows("b", "no_savings")
def nothing_saved(capacity, asked):
    return sum(max(0, units - capacity) for units in asked)


@shows("b", "admitted")
def what_passes(capacity, asked):
    return sum(asked) - refill_first(capacity, asked)


@shows("b", "no_savings")
def begins_empty(capacity, asked):
    saved = lost = 0
    for units in asked:
        saved = min(saved + capacity, 300 * capacity)
        out = min(units, saved, 1000)
        saved -= out
        lost += units - out
    return lost


@shows("b", "elsewhere")
def visible_load_only(capacity, asked):
    return 2305


@shows("b", "elsewhere")
def five_seconds_saved(capacity, asked):
    saved, lost = 5 * capacity, 0
    for units in asked:
        saved = min(saved + capacity, 5 * capacity)
        out = min(units, saved, 1000)
        saved -= out
        lost += units - out
    return lost


@shows("b", "wrong_type")
def a_list(capacity, asked):
    return [0 for _ in asked]


@shows("b", "wrong_type")
def takes_one(capacity):
    return 0


@raises("b")
def divides(capacity, asked):
    return sum(asked) / (len(asked) - len(asked))


@raises("b")
def for_ever(capacity, asked):
    lost = 0
    while lost < 10:
        lost -= 1
    return lost


@is_untouched("b")
def stub(capacity, asked):
    return ...


given("b", 2305, "wrong", "wrong_type", name="a number")
given("b", [], "wrong", "wrong_type", name="empty")
given("b", None, "not attempted")

# ── c ─────────────────────────────────────────────────────────────────────────────────

for right in (24, 24.0, 25, 26, np.int64(24)):
    given("c", right, "right", name=repr(right))
for wrong, shown in (
    (1, "does_not_fit"),
    (18, "does_not_fit"),
    (19, "does_not_return"),
    (20, "does_not_return"),
    (23, "does_not_return"),
    (27, "too_dear"),
    (35, "too_dear"),
    (200, "for_the_peak"),
    (204, "for_the_peak"),
    (292, "for_the_peak"),
    (24.5, "wrong_type"),
    (0, "wrong_type"),
    (-24, "wrong_type"),
    (10**9, "wrong_type"),
    (float("nan"), "wrong_type"),
    ("24", "wrong_type"),
):
    given("c", wrong, "wrong", shown, name=repr(wrong))
given("c", None, "not attempted")

# ── d ─────────────────────────────────────────────────────────────────────────────────

HELPED, SHORT, HOT = [50, 50, 50, 150], [50, 50, 50, 600], [0, 0, 0, 1500]
given("d", (HELPED, SHORT, HOT), "right", name="as in the lesson")
given("d", [[0, 0, 0, 400], [200, 200, 200, 200], [1001, 0, 0, 0]], "right", name="the extremes")
given("d", ((150, 150, 50, 50), (900, 0, 0, 0), (2_000, 10, 10, 10)), "right", name="tuples")
given("d", (np.array([10, 300, 10, 10]), np.full(4, 150.0), np.array([1, 2, 3, 4_000])), "right", name="arrays")
given("d", ([100, 100, 100, 100], SHORT, HOT), "wrong", "even", name="even quarters")
given("d", ([1, 1, 1, 1], SHORT, HOT), "wrong", "even", name="hardly anything")
given("d", (SHORT, SHORT, HOT), "wrong", "above_total", name="first above the total")
given("d", (HOT, SHORT, HELPED), "wrong", "above_total", name="the wrong way round")
given("d", (HELPED, HELPED, HOT), "wrong", "carried", name="second fits")
given("d", (HELPED, [110, 110, 110, 110], HOT), "wrong", "carried", name="savings carry the second")
given("d", (HELPED, HOT, HOT), "wrong", "ceiling_too", name="second above a partition's limit")
given("d", (HELPED, SHORT, SHORT), "wrong", "below_ceiling", name="third like the second")
given("d", (HELPED, SHORT, [1000, 1000, 1000, 1000]), "wrong", "below_ceiling", name="four at the limit")
given("d", (HELPED, SHORT), "wrong", "wrong_type", name="two loads")
given("d", (HELPED, SHORT, [1500]), "wrong", "wrong_type", name="one rate")
given("d", (HELPED, SHORT, 1500), "wrong", "wrong_type", name="a number")
given("d", (HELPED, SHORT, [0, 0, 0, -5]), "wrong", "wrong_type", name="below nothing")
given("d", ([0, 0, 0, 0], SHORT, HOT), "wrong", "wrong_type", name="no load")
given("d", ([50, 50, 50, "150"], SHORT, HOT), "wrong", "wrong_type", name="text")
given("d", {}, "wrong", "wrong_type", name="empty")
given("d", ([...] * 4, [...] * 4, [...] * 4), "not attempted", name="the stub")
given("d", (HELPED, SHORT, ...), "not attempted", name="two of three")
given("d", None, "not attempted")

# ── e ─────────────────────────────────────────────────────────────────────────────────

given("e", {"A", "C", "G"}, "right", name="set")
given("e", ["g", "a", "c"], "right", name="list")
given("e", "A, C, G", "right", name="text")
given("e", "ACG", "right", name="letters")
given("e", {"A", "B", "C", "G"}, "wrong", "single_item", name="the counter too")
given("e", {"A", "C", "F", "G"}, "wrong", "single_item", name="ninety per cent too")
given("e", set("ABCDEFG"), "wrong", "single_item", name="everything")
given("e", {"A", "C", "D", "G"}, "wrong", "local_index", name="under a local index")
given("e", {"A", "C", "E", "G"}, "wrong", "rising", name="the sensor too")
given("e", {"A", "G"}, "wrong", "collection", name="collections stay")
given("e", set(), "wrong", "collection", name="nothing")
given("e", {"A", "C"}, "wrong", "neighbours", name="no isolation")
given("e", {"C"}, "wrong", "neighbours", name="only the collection")
given("e", {"A", "C", "H"}, "wrong", "wrong_type", name="another letter")
given("e", {1, 3, 7}, "wrong", "wrong_type", name="numbers in a set")
given("e", 3, "wrong", "wrong_type", name="a number")
given("e", None, "not attempted")
given("e", ..., "not attempted")
