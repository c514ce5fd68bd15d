"""Exercise 06, burst and adaptive capacity: savings, a repaired planner, the smallest table, loads, and splits.

Answers are judged by running the model: a table of so many units under so much load, for minutes or hours.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..model.keyspace import SPACE, position
from ..model.parameters import Parameters
from ..traffic import demand
from ..traffic.design import Design, Workload
from ..traffic.outcome import Outcome
from ..traffic.simulate import simulate
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_function, a_number, is_stub
from .predictions import Guess, judge
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("burst")

# ── a: how long savings last ──────────────────────────────────────────────────────────────

IMPORT_WCU, IMPORT_RATE = 20, 120
IMPORT_SECONDS = 300 * IMPORT_WCU / (IMPORT_RATE - IMPORT_WCU)


@exercise.question(
    "a",
    asks="Set seconds to a number, then check it: lab.check('burst.a', seconds).",
    hints=(
        "A table saves what it does not use, for 300 seconds at most. How many units are that here?",
        "While the import runs, 20 units a second still flow in. How many more than that flow out?",
    ),
    value="60 seconds",
    solution="seconds = 300 * 20 / (120 - 20)",
    road="300 seconds of 20 units are 6,000. 120 flow out each second and 20 flow in: 6,000 / 100.",
    misconceptions={
        "no_burst": "savings forgotten",
        "no_inflow": "what flows in meanwhile forgotten",
        "five_minutes": "300 seconds taken for the length of a burst",
        "hour_saved": "more saved than 300 seconds' worth",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_seconds(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "the seconds until the first refusal",
        IMPORT_SECONDS - 1,
        IMPORT_SECONDS + 1,
        f"6,000 units are saved and 100 a second more flow out than in: {IMPORT_SECONDS:.0f} seconds.",
        [
            Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0."),
            Guess(0, 2, "no_burst", "The table was idle before: it does not begin with nothing."),
            Guess(
                49, 51, "no_inflow", "So long it would last if nothing flowed in. The table still gets its 20 a second."
            ),
            Guess(
                299,
                301,
                "five_minutes",
                "300 seconds say how much is saved, not how long it lasts: 120 a second empty it faster.",
            ),
            Guess(
                600,
                730,
                "hour_saved",
                "That is an hour's worth of savings. How many seconds' worth does DynamoDB keep?",
            ),
        ],
        ("elsewhere", "How many units are saved, and by how many a second do they shrink?"),
    )


# ── b: a planner with faults ──────────────────────────────────────────────────────────────

FAULTS = ("debt", "whole", "lid", "ceiling")
"""The faults of the planner in the notebook, in the order in which they are told."""
_BURST, _CEILING = 300, 1_000


def _planned(capacity: float, asked: Sequence[float], faults: Iterable[str] = ()) -> float:
    """Return the units refused by the planner with some of its faults; without faults it is right."""
    saved, lost = float(_BURST * capacity), 0.0
    for units in asked:
        saved += capacity
        if "lid" not in faults:
            saved = min(saved, _BURST * capacity)
        room = max(saved, 0.0) if "ceiling" in faults else max(min(saved, _CEILING), 0.0)
        given = min(units, room)
        if given < units:
            lost += units if "whole" in faults else units - given
            given = 0.0 if "whole" in faults else given
        saved -= units if "debt" in faults else given
    return lost


@functools.cache
def _cases() -> tuple[tuple[str, int, tuple[int, ...], float], ...]:
    """Return what happens, WCU, the units asked for by second, and the units that the model refuses."""
    draw = random.Random(60_201)
    noisy = tuple(draw.randrange(20, 260) for _ in range(900))
    cases = (
        ("a load above the capacity, for ten minutes", 37, (161,) * 600),
        ("a load that changes each second", 83, noisy),
        ("a load, half an hour of rest, and the load again", 29, (140,) * 90 + (0,) * 1_800 + (140,) * 240),
        ("a rush of 1,600 units a second on a table with savings", 250, (0,) * 60 + (1_600,) * 20 + (90,) * 60),
    )
    return tuple((name, wcu, asked, _refused_by_the_model(wcu, asked)) for name, wcu, asked in cases)


def _refused_by_the_model(wcu: int, asked: Sequence[int]) -> float:
    outcome = simulate(
        Workload(np.array(asked, dtype=np.float64), demand.few(["PAGINA#1"])),
        Design("PROVISIONED", read_units=1, write_units=wcu),
    )
    return float(outcome.refused_units("write").sum())


@exercise.question(
    "b",
    asks="Write refused(capacity, asked), then check it: lab.check('burst.b', refused).",
    hints=(
        "Follow one second by hand: 5 WCU, savings of 3, and 10 units asked for. How many are refused, and what "
        "is saved "
        "afterwards?",
        "Three faults are in the savings: they have a lid (300 seconds), only admitted units leave them, and "
        "they never "
        "go below 0. The fourth is another limit than the table's.",
        "given = min(units, saved, 1000): the rest is refused, and only given leaves the savings.",
    ),
    value="min(units, saved, 1000) is admitted each second; saved never exceeds 300 * capacity",
    solution="""
        def refused(capacity, asked):
            saved, lost = 300 * capacity, 0
            for units in asked:
                saved = min(saved + capacity, 300 * capacity)
                given = min(units, saved, 1000)
                saved -= given
                lost += units - given
            return lost
    """,
    road="Each second the capacity flows in, up to the lid; what is saved, at most 1,000 of it, flows out; the rest is "
    "refused and leaves nothing behind.",
    misconceptions={
        "no_savings": "no savings at all",
        "debt": "refused units taken from the savings",
        "whole": "all of a second refused where only a part is",
        "lid": "savings without a lid",
        "ceiling": "the partition's limit forgotten",
        "admitted": "what is admitted, not what is refused",
        "elsewhere": "another sum",
    },
)
def _judge_planner(answer: Any, learner: Learner) -> Verdict:
    refused = a_function(answer, "refused", "capacity", "asked")
    given = []
    for name, wcu, asked, expected in _cases():
        number = a_number(learner.call(refused, wcu, list(asked)), "the units refused in all")
        given.append(number)
        if abs(number - expected) > 1 + 0.0001 * expected:
            _say_what_the_planner_does(name, wcu, asked, expected, number)
    return right(
        f"Four loads that you have not seen, as the table has them: {', '.join(f'{number:,.0f}' for number in given)} "
        "units refused."
    )


def _say_what_the_planner_does(name: str, wcu: int, asked: Sequence[int], expected: float, number: float) -> None:
    seen = (
        f"{name[0].upper()}{name[1:]} ({wcu} WCU): your planner has {number:,.0f} units refused, the table "
        f"{expected:,.0f}."
    )

    def near(value: float) -> bool:
        return abs(number - value) <= 1 + 0.0001 * value

    if near(sum(asked) - expected):
        wrong("admitted", f"{seen} That is what is admitted. The planner is asked what is refused.")
    if near(sum(max(0, units - wcu) for units in asked)):
        wrong("no_savings", f"{seen} Is anything saved while the table is idle?")
    for count in range(1, len(FAULTS) + 1):
        for faults in itertools.combinations(FAULTS, count):
            if near(_planned(wcu, asked, faults)):
                wrong(faults[0], f"{seen} {_FAULTS[faults[0]]}")
    wrong("elsewhere", f"{seen} Try it with three seconds and do them by hand as well.")


_FAULTS = {
    "debt": "What was refused has consumed nothing. Does it leave your savings all the same?",
    "whole": "When savings do not suffice for all that a second asks for, how many of its units go through?",
    "lid": "After half an hour of rest, how many units may be saved?",
    "ceiling": "There is plenty saved, and still not everything passes. Which limit has nothing to do with savings?",
}

# ── c: the smallest table ─────────────────────────────────────────────────────────────────

SPIKE, SPIKE_SECONDS, PERIOD, QUIET = 200, 30, 300, 4
MOST_WCU = 26
"""The mean is 24; two more are let pass."""
_HOURS = 3


def _spikes() -> Workload:
    rate = demand.constant(QUIET, _HOURS * 3_600)
    for second in range(0, len(rate), PERIOD):
        rate[second : second + SPIKE_SECONDS] += SPIKE
    return Workload(rate, demand.uniform(2_000))


@exercise.question(
    "c",
    asks="Set wcu to a whole number, then check it: lab.check('burst.c', wcu).",
    hints=(
        "Two things must hold: one spike fits into the savings, and the savings are back before the next spike.",
        "Between two spikes lie 270 seconds, in which wcu - 4 units a second are saved. A spike takes 204 - wcu "
        "a second.",
        "What goes out in 300 seconds must come in within 300 seconds: compare wcu with the mean.",
    ),
    value="24 (the mean of the load)",
    solution="wcu = (30 * 204 + 270 * 4) // 300",
    road="One spike fits from 19 units on. But the savings must return: 270 seconds at wcu - 4 have to pay for "
    "30 seconds "
    "at 204 - wcu, which holds from the mean on, 24.",
    misconceptions={
        "does_not_fit": "one spike is more than the savings",
        "does_not_return": "the savings do not return in time",
        "for_the_peak": "capacity for the peak",
        "too_dear": "more than is needed",
    },
)
def _judge_smallest(answer: Any, learner: Learner) -> Verdict:
    number = a_number(answer, "wcu, the table's write units")
    if not number.is_integer() or not 1 <= number <= 40_000:
        wrong(WRONG_TYPE, f"wcu is {number:g}; a table has a whole number of units from 1 to 40,000.")
    wcu = int(number)
    lost = simulate(_spikes(), Design("PROVISIONED", read_units=1, write_units=wcu)).refused_units("write")
    refusing = np.flatnonzero(lost > 1e-9)
    if len(refusing):
        spike = int(refusing[0]) // PERIOD + 1
        seen = f"{wcu} WCU: {lost.sum():,.0f} units refused in three hours, for the first time in spike {spike}."
        if spike == 1:
            wrong("does_not_fit", f"{seen} Not even full savings carry one spike.")
        wrong("does_not_return", f"{seen} The first spike was carried. What has come back when the next one comes?")
    if wcu >= SPIKE:
        wrong("for_the_peak", f"{wcu} WCU refuse nothing, and nine seconds of ten they are idle. Use what is saved.")
    if wcu > MOST_WCU:
        wrong(
            "too_dear",
            f"{wcu} WCU refuse nothing. But fewer do as well: how much comes in and goes out in 300 seconds?",
        )
    return right(
        f"{wcu} WCU: nothing is refused in three hours, although each spike asks for {(SPIKE + QUIET) / wcu:.1f} "
        "times as much."
    )


# ── d: three loads ────────────────────────────────────────────────────────────────────────

TABLE_WCU, PARTITIONS, LOAD_SECONDS = 400, 4, 1_800
_ASKED_LOADS = ("helped", "short_of_capacity", "short_of_a_partition")


@functools.cache
def _pages() -> tuple[str, ...]:
    """One page's key in each of four partitions, in their order."""
    homes: dict[int, str] = {}
    for number in range(60):
        page = f"PAGINA#{number}"
        homes.setdefault(position({"S": page}) * PARTITIONS // SPACE, page)
    return tuple(homes[partition] for partition in range(PARTITIONS))


def _under(load: Sequence[float], adaptation: Any = "today") -> Outcome:
    return simulate(
        Workload(demand.constant(sum(load), LOAD_SECONDS), demand.few(_pages(), [float(rate) for rate in load])),
        Design("PROVISIONED", read_units=1, write_units=TABLE_WCU, partitions=PARTITIONS),
        parameters=Parameters(adaptation=adaptation),
    )


def _refused(outcome: Outcome) -> float:
    return float(outcome.refused_units("write").sum())


def _reasons(outcome: Outcome) -> set[str]:
    return set(outcome.by_reason["reason"])


@exercise.question(
    "d",
    asks="Set loads to three lists of four rates, then check them: lab.check('burst.d', loads).",
    hints=(
        "400 WCU, and fixed quarters of 100. For the first load: which quarter is too small, and what is idle "
        "elsewhere?",
        "The second load lacks the table's units, for half an hour: savings of 120,000 have to run out. The "
        "third lacks a "
        "partition's: it is refused with full savings.",
        "First: one page above 100, all four together below 400. Second: well above 466 together, no page above 1,000. "
        "Third: one page above 1,000.",
    ),
    value="for example ([50, 50, 50, 150], [50, 50, 50, 600], [0, 0, 0, 1500])",
    solution="loads = ([50, 50, 50, 150], [50, 50, 50, 600], [0, 0, 0, 1500])",
    road="Adaptive capacity moves shares within the table's total. Above the total the table's units are short, "
    "and more "
    "WCU help; above 1,000 on one item nothing helps but another key.",
    misconceptions={
        "even": "nothing that needs help",
        "above_total": "more than the table has",
        "carried": "carried by savings",
        "ceiling_too": "the partition's limit in the second load",
        "below_ceiling": "no page above a partition's limit",
    },
)
def _judge_loads(answer: Any, learner: Learner) -> Verdict:
    helped, capacity, partition = _three_loads(answer)
    then, now = _refused(_under(helped, "static")), _refused(_under(helped))
    if now >= 1:
        wrong(
            "above_total",
            f"First load: today's table refuses {now:,.0f} units of it as well. Shares can move, but only within "
            f"{TABLE_WCU}.",
        )
    if then < 1:
        wrong("even", "First load: fixed quarters refuse nothing of it either. Who would need another's share?")
    outcome = _under(capacity)
    short = _refused(outcome)
    if short < 1:
        wrong(
            "carried",
            f"Second load, {sum(capacity):g} units a second: nothing is refused in half an hour. 120,000 saved "
            "units last "
            "as long as the excess is small.",
        )
    if "TableWriteKeyRangeThroughputExceeded" in _reasons(outcome):
        wrong(
            "ceiling_too",
            "Second load: the reasons speak of a key range too, so more WCU would not help all of it. Keep each "
            "page below "
            "that limit.",
        )
    lost = _under(partition).refused_units("write")
    if lost[0] < 1e-6 or max(partition) <= _CEILING:
        wrong(
            "below_ceiling",
            "Third load: nothing is refused in the first second, while the savings are full. Which limit does not care "
            "about savings?",
        )
    return right(
        f"First: fixed quarters would refuse {then:,.0f} units, today's table none. Second: {short:,.0f} for "
        "want of WCU. "
        f"Third: {lost[0]:,.0f} in the first second, with 120,000 saved."
    )


def _three_loads(answer: Any) -> list[list[float]]:
    if not isinstance(answer, tuple | list) or len(answer) != len(_ASKED_LOADS):
        wrong(WRONG_TYPE, "The check needs three loads, each a list of four rates in write units a second.")
    if any(is_stub(load) for load in answer):
        raise Judged(Verdict("not attempted", ("Give three loads.",)))
    loads = []
    for load in answer:
        if not isinstance(load, tuple | list | np.ndarray) or len(load) != PARTITIONS:
            wrong(WRONG_TYPE, "Each load is a list of four rates, one for each partition's page.")
        if any(is_stub(rate) for rate in load):
            raise Judged(Verdict("not attempted", ("Give each load four rates.",)))
        rates = [a_number(rate, "a page's write units a second") for rate in load]
        if not all(0 <= rate <= 100_000 for rate in rates) or sum(rates) <= 0:
            wrong(WRONG_TYPE, "A rate is from 0 to 100,000 units a second, and a load is not all 0.")
        loads.append(rates)
    return loads


# ── e: what a split cures ─────────────────────────────────────────────────────────────────

HOT = 1_800
_HOUR = 3_600


@functools.cache
def _cured() -> Mapping[str, bool]:
    """Whether each case is free of refusals in the last ten minutes of an hour, by running it."""
    keys = [f"P#{number}" for number in range(400)]
    one = [key for key in keys if position({"S": key}) * PARTITIONS // SPACE == 2]
    cases = {
        "A": (demand.few(one[:2]), False),
        "B": (demand.few(one[:1]), False),
        "C": (demand.few(one[:1], sort_keys="spread"), False),
        "D": (demand.few(one[:1], sort_keys="spread"), True),
        "E": (demand.few(one[:1], sort_keys="rising"), False),
        "F": (demand.few(one[:41], [0.9, *[0.1 / 40] * 40]), False),
        "G": (demand.few(one[:41], [0.5, *[0.5 / 40] * 40]), False),
    }
    found = {}
    for case, (population, local) in cases.items():
        outcome = simulate(Workload(demand.constant(HOT, _HOUR), population), Design(local_indexes=local))
        found[case] = float(outcome.refused_units("write")[-600:].sum()) < 1
    return found


_CASES = (
    ("single_item", "BF", True, "a single item gets more than 1,000 units a second. Can a cut go through an item?"),
    ("local_index", "D", True, "a local secondary index keeps a whole collection together, hot or not."),
    ("rising", "E", True, "a cut parts the old readings from the new ones. Where does the next reading go?"),
    ("collection", "C", False, "a collection is no wall: without a local index it can be cut between two sort keys."),
    (
        "neighbours",
        "AG",
        False,
        "each key for itself is below 1,000. What happens once they no longer share a partition?",
    ),
)


@exercise.question(
    "e",
    asks="Set cured to a set of letters, then check it: lab.check('burst.e', cured).",
    hints=(
        "For each case: where could one cut so that both sides have less than 1,000 units a second?",
        "A cut goes between two partition keys, or between two sort keys of one collection. It cannot go through "
        "an item, "
        "and under a local secondary index not through a collection.",
        "The newest sort key is hot, always: behind which cut does the next one land?",
    ),
    value="A, C and G",
    solution='cured = {"A", "C", "G"}',
    road="A: the two keys are parted. C: the collection is cut between sort keys. G: the item with 900 is "
    "isolated, its "
    "neighbours have 900 together. B and F ask 1,800 and 1,620 of one item; D may not be cut; E would be hot "
    "behind any cut.",
    misconceptions={
        "single_item": "a split does not cure one item",
        "local_index": "a local index takes the split away",
        "rising": "rising sort keys are not split",
        "collection": "a collection can be split",
        "neighbours": "neighbours can be parted",
    },
)
def _judge_cured(answer: Any, learner: Learner) -> Verdict:
    truth = _cured()
    if not isinstance(answer, str | set | frozenset | list | tuple | dict):
        wrong(WRONG_TYPE, f"The check needs a set of letters from A to G; it got {type(answer).__name__}.")
    chosen = {str(letter).strip().upper() for letter in answer} - ({"", ","} if isinstance(answer, str) else set())
    if not chosen <= set(truth):
        wrong(WRONG_TYPE, "The cases have the letters A to G; the set holds something else.")
    agreed = sum((letter in chosen) == cured for letter, cured in truth.items())
    for misconception, letters, named, why in _CASES:
        for letter in letters:
            if (letter in chosen) is named:
                wrong(misconception, f"{agreed} of {len(truth)} cases are judged as the table does. In {letter} {why}")
    return right(
        f"All {len(truth)} cases, each run for an hour: what you named is free of refusals, the others are not."
    )
