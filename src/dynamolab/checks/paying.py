"""Exercise 08, paying: break-even, which mode for which week, shapes that break auto scaling, a day, and a month.

A design is judged by running the day on it and adding up what it costs; shapes are judged by what auto scaling refuses.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..data import BEFORE_THE_CUT, prices
from ..errors import LabError
from ..model.billing import FREE_STORAGE_GB, GB, STORED_OVERHEAD_BYTES, break_even_utilisation, on_demand, provisioned
from ..model.parameters import Parameters
from ..traffic import black_friday, demand
from ..traffic.demand import Floats
from ..traffic.design import Design, Policy, Workload
from ..traffic.outcome import Outcome
from ..traffic.simulate import simulate
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_function, a_number, is_stub
from .predictions import Guess, judge
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("paying")

REGION = "eu-west-1"
DAY = 86_400

# ── a: break-even ─────────────────────────────────────────────────────────────────────────

WCU, PUT_UNITS, PUT_KB = 40, 4, 3.5


def _even(units_a_put: float, region: str = REGION, hours: float = 24) -> float:
    """Return the puts at which provisioned and on-demand cost the same for so many hours."""
    found = prices(region)
    return WCU * hours * found.usd("wcu_hour") / (found.usd("write_request_million") / 1e6) / units_a_put


def _around(value: float) -> tuple[float, float]:
    return 0.98 * value, 1.02 * value


@exercise.question(
    "a",
    asks="Set puts to a number, then check it: lab.check('paying.a', puts).",
    hints=(
        "What do 40 WCU cost in a day, used or not? And one put of 3.5 KB on-demand?",
        "A put of 3.5 KB is 4 write units, and a million units cost 0.705 USD.",
        "40 * 24 * 0.000735 USD are the day. Divide by the price of one put.",
    ),
    value="about 250,000 puts a day",
    solution="puts = 40 * 24 * 0.000735 / (4 * 0.705 / 1e6)",
    road="The day costs 0.7056 USD provisioned, a put 4 x 0.705 / 1,000,000 on-demand. It is 29 % of what 40 WCU could "
    "write in a day.",
    misconceptions={
        "puts_for_units": "puts taken for units",
        "not_rounded": "3.5 units for 3.5 KB",
        "one_hour": "one hour of the 24",
        "full": "all that the table can write",
        "old_prices": "prices from before November 2024",
        "a_second": "a rate in seconds",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_even(answer: Any, learner: Learner) -> Verdict:
    low, high = _around(_even(PUT_UNITS))
    return judge(
        answer,
        "puts a day",
        low,
        high,
        "So many puts a day cost the same in both modes. Fewer: on-demand is cheaper; more: provisioned.",
        [
            Guess(float("-inf"), 0, "out_of_range", "It is more than 0."),
            Guess(
                *_around(_even(1)), "puts_for_units", "So many write units cost the same. How many units is one put?"
            ),
            Guess(*_around(_even(PUT_KB)), "not_rounded", "A begun KB counts as a whole one."),
            Guess(*_around(_even(PUT_UNITS, hours=1)), "one_hour", "That is an hour's. The table is there all day."),
            Guess(
                *_around(WCU * DAY / PUT_UNITS), "full", "So many it can write in a day. Where do the two bills meet?"
            ),
            Guess(
                *_around(_even(PUT_UNITS, BEFORE_THE_CUT)),
                "old_prices",
                "So it was when a million writes cost 1.25. Take the prices above.",
            ),
            Guess(0, 50, "a_second", "That looks like a rate a second. Puts a day are asked for."),
        ],
        ("elsewhere", "Set the cost of 40 WCU for 24 hours equal to that of so many puts, each of them 4 units."),
    )


# ── b: which mode for which week ──────────────────────────────────────────────────────────

MODES = ("on-demand", "provisioned")


@functools.cache
def _weeks() -> tuple[tuple[str, int, tuple[float, ...]], ...]:
    """Return tables: in words, WCU, and the write units consumed in each minute."""
    draw = random.Random(80_502)

    def minutes(days: int, wcu: int, used: float, peak: float) -> tuple[float, ...]:
        # A share of the minutes is busy at ``peak`` of the capacity, the others share what is left of ``used``.
        busy = min(0.5, 0.5 * used / peak)
        rest = (used - busy * peak) / (1 - busy)
        given = [peak if draw.random() < busy else rest for _ in range(days * 1_440)]
        scale = used * len(given) / sum(given)
        return tuple(round(share * scale * wcu * 60, 1) for share in given)

    return (
        ("quiet, with peaks", 40, minutes(7, 40, 0.10, 0.90)),
        ("a fifth used, flat", 100, minutes(7, 100, 0.20, 0.25)),
        ("a quarter used, with peaks", 250, minutes(3, 250, 0.25, 0.95)),
        ("a third used, flat", 60, minutes(14, 60, 0.34, 0.40)),
        ("four tenths used, with peaks", 15, minutes(7, 15, 0.40, 0.95)),
        ("busy", 500, minutes(1, 500, 0.65, 0.90)),
    )


def _cheaper(minutes: Sequence[float], wcu: int) -> str:
    """Return the cheaper mode by both bills."""
    found, hours = prices(REGION), len(minutes) / 60
    asked, paid = on_demand(sum(minutes), 0, found).total, provisioned(wcu, 0, found, hours=hours).total
    return MODES[0] if asked < paid else MODES[1]


@exercise.question(
    "b",
    asks="Write cheaper(minutes, wcu), then check it: lab.check('paying.b', cheaper).",
    hints=(
        "Which part of what was paid for was used? wcu units in each second, 60 of them in each minute.",
        "Compare that part with the break-even, 29 %. Or work out both bills for this time and compare them.",
        "Used: sum(minutes). Paid for: wcu * 60 * len(minutes).",
    ),
    value='"on-demand" if sum(minutes) / (wcu * 60 * len(minutes)) is below 0.29, else "provisioned"',
    solution="""
        def cheaper(minutes, wcu):
            hours = len(minutes) / 60
            on_demand = sum(minutes) * 0.705 / 1e6
            return "on-demand" if on_demand < wcu * hours * 0.000735 else "provisioned"
    """,
    road="Both bills, for the same time. The utilisation against 29 % is the same comparison, divided by what full use "
    "would cost on-demand.",
    misconceptions={
        "one_answer": "the same answer for every table",
        "peak": "the busiest minute decides",
        "half": "a break-even of one half",
        "old_prices": "a break-even from before November 2024",
        "swapped": "the two the wrong way round",
        "elsewhere": "another rule",
    },
)
def _judge_mode(answer: Any, learner: Learner) -> Verdict:
    cheaper = a_function(answer, "cheaper", "minutes", "wcu")
    given = [_mode(learner.call(cheaper, list(minutes), wcu)) for _, wcu, minutes in _weeks()]
    truth = [_cheaper(minutes, wcu) for _, wcu, minutes in _weeks()]
    if given == truth:
        return right(
            f"{len(truth)} tables that you have not seen, from one day to two weeks: each gets its cheaper mode."
        )
    agreed = sum(mine == theirs for mine, theirs in zip(given, truth, strict=True))
    which = next(name for (name, _, _), mine, theirs in zip(_weeks(), given, truth, strict=True) if mine != theirs)
    seen = f"{agreed} of {len(truth)} tables get their cheaper mode. Not so: '{which}'."

    def by(share: Callable[[Sequence[float], int], float], line: float) -> list[str]:
        return [MODES[0] if share(minutes, wcu) < line else MODES[1] for _, wcu, minutes in _weeks()]

    if len(set(given)) == 1:
        wrong("one_answer", f"{seen} Every table gets the same. A minute's sum stands against 60 seconds of wcu.")
    if not agreed:
        wrong("swapped", f"{seen} All are the wrong way round: a table that is hardly used should pay by use.")
    if given == by(_used, break_even_utilisation(prices(BEFORE_THE_CUT))):
        wrong("old_prices", f"{seen} On-demand costs half of what it did before November 2024.")
    if given == by(_used, 0.5):
        wrong("half", f"{seen} Where is the break-even? A WCU-hour and the 3,600 units that it can serve have prices.")
    if any(given == by(_busiest, line) for line in (0.29, 0.5, 0.7, 0.8, 0.9)):
        wrong("peak", f"{seen} The busiest minute says how much must be provisioned, not which bill is lower.")
    wrong("elsewhere", f"{seen} Work out both bills for the whole time.")


def _used(minutes: Sequence[float], wcu: int) -> float:
    return sum(minutes) / (60 * wcu * len(minutes))


def _busiest(minutes: Sequence[float], wcu: int) -> float:
    return max(minutes) / (60 * wcu)


def _mode(given: Any) -> str:
    text = str(given).strip().lower().replace("_", "-").replace(" ", "-") if isinstance(given, str) else ""
    for mode, names in zip(MODES, (("on-demand", "ondemand", "pay-per-request"), ("provisioned",)), strict=True):
        if text in names:
            return mode
    wrong(WRONG_TYPE, f"cheaper returns 'on-demand' or 'provisioned'; it returned {type(given).__name__}.")


# ── c: two shapes ─────────────────────────────────────────────────────────────────────────

MEAN, LOW_PEAK, HIGH_PEAK, LEAST_REFUSED = 30.0, 60.0, 300.0, 20_000
AUTO = Design("PROVISIONED", read_units=1, write_units=43, auto_scaling={"write": Policy(10, 1_000, 0.7)})


@functools.cache
def _customers() -> demand.Keys:
    return demand.uniform(20_000)


@exercise.question(
    "c",
    asks="Set shapes = (one that breaks it, one that does not), then check them: lab.check('paying.c', shapes).",
    hints=(
        "Auto scaling needs five minutes for a step. What does a load look like for which that is too late? For "
        "which is "
        "it early enough?",
        "A step is harmless while savings carry it. They are small when little is provisioned: so first there "
        "must be a long "
        "time of almost nothing.",
        "Hours of almost nothing and hours of 59, in turns, with jumps between them. And lab.demand.daily(30, "
        "peak=300), "
        "which rises for hours.",
    ),
    value="for example np.where(np.arange(86_400) // 7200 % 2, 59.5, 0.5) and lab.demand.daily(30, peak=300)",
    solution="""
        import dynamolab as lab
        import numpy as np

        jumps = np.where(np.arange(86_400) // 7_200 % 2, 59.5, 0.5)
        shapes = (jumps, lab.demand.daily(30, peak=300))
    """,
    road="Each jump from next to nothing to twice the mean meets 10 WCU and their savings, for five minutes. Ten "
    "times the "
    "mean, reached over hours, never outruns it.",
    misconceptions={
        "another_mean": "another mean than 30",
        "too_high": "a peak above twice the mean",
        "smooth": "a change that auto scaling can follow",
        "too_little": "a jump that savings carry",
        "low_peak": "a peak of less than ten times the mean",
        "sudden": "a peak that comes too suddenly",
    },
)
def _judge_shapes(answer: Any, learner: Learner) -> Verdict:
    breaks, follows = _two_shapes(answer)
    for name, rate in (("first", breaks), ("second", follows)):
        if abs(rate.mean() - MEAN) > 0.5:
            wrong("another_mean", f"The {name} shape has a mean of {rate.mean():.1f} a second; it has to be {MEAN:g}.")
    if breaks.max() > LOW_PEAK + 1e-6:
        wrong("too_high", f"The first shape reaches {breaks.max():.1f} a second; it may not exceed {LOW_PEAK:g}.")
    if follows.max() < HIGH_PEAK - 0.5:
        wrong("low_peak", f"The second shape reaches {follows.max():.0f} a second; it has to reach {HIGH_PEAK:g}.")
    lost = _refused(_scaled(breaks))
    if lost < 1:
        wrong("smooth", "The first shape: nothing is refused. It has to change faster than auto scaling can act.")
    if lost < LEAST_REFUSED:
        wrong(
            "too_little",
            f"The first shape: {lost:,} writes are refused, {LEAST_REFUSED:,} are wanted. Savings carry most of "
            "it: when "
            "are they small, and how many times a day can it jump?",
        )
    others = _refused(_scaled(follows))
    if others >= 1:
        wrong("sudden", f"The second shape: {others:,} writes are refused. Let it rise over hours.")
    return right(
        f"The first never exceeds {breaks.max():.3g} a second and loses {lost:,} writes; the second reaches "
        f"{follows.max():.3g} and loses none. Not the height counts, but the jump."
    )


def _scaled(rate: Floats) -> Outcome:
    return simulate(Workload(rate, _customers()), AUTO)


def _two_shapes(answer: Any) -> tuple[Floats, Floats]:
    if not isinstance(answer, tuple | list | np.ndarray) or len(answer) != 2:
        wrong(WRONG_TYPE, "The check needs two shapes, each a rate for every second of the day.")
    if any(is_stub(shape) for shape in answer):
        raise Judged(Verdict("not attempted", ("Give both shapes.",)))
    shapes = []
    for shape in answer:
        try:
            rate = demand.checked(shape)
        except LabError as error:
            wrong(WRONG_TYPE, str(error))
        if len(rate) != DAY:
            wrong(WRONG_TYPE, f"A shape has a rate for each of the day's {DAY:,} seconds; this one has {len(rate):,}.")
        shapes.append(rate)
    return shapes[0], shapes[1]


# ── d: the day of the vans ────────────────────────────────────────────────────────────────

BUDGET_USD = 1.10
TOURS = (7, 13, 19)
TOUR_RATE, QUIET_RATE, TOUR_SECONDS, SHIFT = 200.0, 3.0, 2_700, 600
_NO_BURST = Parameters(burst_seconds=1)


@functools.cache
def _days() -> Mapping[str, Workload]:
    """Return the three days, by the words in which they are told."""

    def day(shift: int) -> Workload:
        rate = demand.constant(QUIET_RATE, DAY)
        for hour in TOURS:
            rate = rate + demand.spike(TOUR_RATE, at=hour * 3_600 + shift, lasts=TOUR_SECONDS, seconds=DAY, rise=20)
        return Workload(rate, _customers())

    return {"as planned": day(0), "ten minutes early": day(-SHIFT), "ten minutes late": day(SHIFT)}


@exercise.question(
    "d",
    asks="Set design = lab.Design(...), then check it: lab.check('paying.d', design).",
    hints=(
        "When do the peaks come, and how many minutes of the day do they last? Who knows that beforehand?",
        "A schedule: lab.Limits(at=seconds, minimum=..., maximum=...). With minimum and maximum the same, "
        "capacity is what "
        "you say, from then on.",
        "Three times: up to 210 at a quarter to, down to 5 an hour and a quarter later. Early and late must both "
        "fit in.",
    ),
    value="5 WCU, and by schedule 205 or more from 12 minutes before each peak to 12 minutes after it",
    solution="""
        import dynamolab as lab

        schedule = []
        for hour in (7, 13, 19):
            schedule.append(lab.Limits(hour * 3600 - 900, 210, 210))
            schedule.append(lab.Limits(hour * 3600 + 2700 + 900, 5, 5))
        design = lab.Design("PROVISIONED", read_units=1, write_units=5, schedule={"write": tuple(schedule)})
    """,
    road="The peaks have hours, so capacity can be there before them and go after them: half of what "
    "on-demand "
    "costs. The margin of a quarter of an hour on both sides is what early and late vans cost.",
    misconceptions={
        "reactive": "auto scaling comes minutes after the peak",
        "too_low": "too little capacity for the peak",
        "too_late": "capacity that is not there when the peak is",
        "trusts_the_clock": "right for the plan only",
        "capped": "a limit of your own",
        "no_plan": "a mode that needs no plan, where there is one",
        "all_day": "the peak's capacity in quiet hours too",
    },
)
def _judge_day(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Design):
        wrong(WRONG_TYPE, f"The check needs a lab.Design; it got {type(answer).__name__}.")
    usd = 0.0
    for name, traffic in _days().items():
        try:
            outcome = simulate(traffic, answer, parameters=_NO_BURST)
        except LabError as error:
            wrong(WRONG_TYPE, f"The day cannot be run with this design: {error}")
        if _refused(outcome) >= 1:
            _say_why_refused(name, outcome, answer)
        usd = max(usd, black_friday.bill(outcome, answer, prices(REGION)).total)
    if usd > BUDGET_USD and answer.mode == "PAY_PER_REQUEST":
        wrong(
            "no_plan",
            f"Nothing is refused, for {usd:.2f} USD; the team has {BUDGET_USD:.2f}. On-demand is for those who "
            "do not know "
            "when. What does the team know?",
        )
    if usd > BUDGET_USD:
        wrong(
            "all_day",
            f"Nothing is refused, for {usd:.2f} USD; the team has {BUDGET_USD:.2f}. For how many hours is the capacity "
            "needed?",
        )
    return right(f"Nothing is refused on any of the three days, for {usd:.2f} USD of {BUDGET_USD:.2f}.")


def _refused(outcome: Outcome) -> int:
    return round(float(outcome.refused_requests("write").sum()))


def _say_why_refused(name: str, outcome: Outcome, design: Design) -> None:
    minutes = np.flatnonzero((outcome.refused_units("write") > 1e-9).reshape(-1, 60).any(axis=1))
    first = f"{minutes[0] // 60}:{minutes[0] % 60:02}"
    seen = f"Day '{name}': {_refused(outcome):,} writes refused, for the first time at {first}."
    if design.mode == "PAY_PER_REQUEST":
        wrong("capped", f"{seen} The table could take them; the maximum in your design could not.")
    if name != "as planned" and design.schedule:
        wrong("trusts_the_clock", f"{seen} On the day as planned nothing was. The vans do not always leave on time.")
    if design.auto_scaling and not design.schedule:
        wrong("reactive", f"{seen} Two minutes to notice and three to act: the vans leave within seconds.")
    if outcome.provisioned_units("write").max() >= TOUR_RATE + QUIET_RATE:
        wrong("too_late", f"{seen} There is a time at which your table has enough. It is not that of the vans.")
    wrong("too_low", f"{seen} Your table never has the {TOUR_RATE + QUIET_RATE:g} units that the vans need.")


# ── e: a month with indexes ───────────────────────────────────────────────────────────────

CARTS, CART_BYTES, KEYS_BYTES, SPARSE, ALL_INDEXES = 12_000_000, 3_072, 120, 0.05, 2
STORAGE_USD = 0.25
UNITS = 3 * (1 + ALL_INDEXES) + SPARSE


def _stored(overhead: int = STORED_OVERHEAD_BYTES, copies: int = 1 + ALL_INDEXES, sparse: float = SPARSE) -> float:
    return CARTS * (copies * (CART_BYTES + overhead) + sparse * (KEYS_BYTES + overhead))


@exercise.question(
    "e",
    asks="Set month = (write units of a new cart, GB, USD), then check it: lab.check('paying.e', month).",
    hints=(
        "Each ALL index is a copy of the table, for writes and for storage. The third index has a small entry, "
        "and only for "
        "one cart in twenty.",
        "A new cart: 3 units for the table, 3 for each copy, 1 for an entry of 120 bytes if there is one: on "
        "average 0.05.",
        "Storage counts 100 bytes more for each item and each entry. A GB is 1024 ** 3 bytes, and the first 25 "
        "are free.",
    ),
    value="9.05 units, 106.5 GB, 20.37 USD",
    solution="""
        units = 3 + 3 + 3 + 0.05 * 1
        gb = 12_000_000 * (3 * (3072 + 100) + 0.05 * (120 + 100)) / 1024**3
        month = (units, gb, (gb - 25) * 0.25)
    """,
    road="Two ALL indexes make three tables of one. The sparse KEYS_ONLY index adds half a per cent to the "
    "writes and next "
    "to nothing to the storage.",
    misconceptions={
        "no_indexes": "the table alone",
        "not_sparse": "the sparse index counted for every cart",
        "all_projected": "a KEYS_ONLY index counted as a copy",
        "overhead": "the 100 bytes an item forgotten",
        "free_part": "the free 25 GB forgotten",
        "wrong_sum": "a sum that does not follow from the GB",
        "elsewhere": "another number",
    },
)
def _judge_month(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        wrong(WRONG_TYPE, "The check needs three numbers: write units of a new cart, GB, USD.")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", ("Give all three: units, GB, USD.",)))
    units, gb, usd = (a_number(part, "units, GB, USD") for part in answer)
    if not all(math.isfinite(number) for number in (units, gb, usd)):
        wrong(WRONG_TYPE, "Units, GB and USD are finite numbers.")
    _must_be_the_units(units)
    _must_be_the_gb(gb)
    if _near(usd, gb * STORAGE_USD, 0.06):
        wrong("free_part", f"{usd:.2f} USD: the first {FREE_STORAGE_GB} GB of an account's region cost nothing.")
    if not _near(usd, (gb - FREE_STORAGE_GB) * STORAGE_USD, 0.2):
        wrong(
            "wrong_sum", f"{usd:.2f} USD do not follow from {gb:.4g} GB, of which {FREE_STORAGE_GB} are free, at 0.25."
        )
    return right(
        f"{units:.2f} write units, {gb:.4g} GB, {usd:.2f} USD a month. Without indexes: 3 units and about 35 GB."
    )


def _near(number: float, value: float, within: float) -> bool:
    return abs(number - value) <= within


def _must_be_the_units(units: float) -> None:
    if _near(units, UNITS, 0.011):
        return
    if _near(units, 3, 0.01):
        wrong("no_indexes", "3 units are the table's. Each copy is written as well.")
    if _near(units, 10, 0.01):
        wrong("not_sparse", "10 units would be right if every cart were in the third index. One in twenty is.")
    if _near(units, 12, 0.01) or _near(units, 9.15, 0.01):
        wrong("all_projected", f"{units:g} units: an entry with keys only has 120 bytes. How many units is that?")
    wrong(
        "elsewhere", f"{units:g} units are not what a new cart of 3 KB costs here. Add the table and its three indexes."
    )


def _must_be_the_gb(gb: float) -> None:
    for size in (GB, 1e9):  # whoever counts in powers of ten is not wrong about DynamoDB
        if _near(gb * size, _stored(), 0.004 * _stored()):
            return
    for size in (GB, 1e9):
        for copies, sparse, overhead, misconception, says in (
            (3, SPARSE, 0, "overhead", "storage counts 100 bytes more for each item and each entry."),
            (3, 0, 0, "overhead", "storage counts 100 bytes more for each item and each entry."),
            (1, 0, STORED_OVERHEAD_BYTES, "no_indexes", "that is the table alone. Its copies lie there too."),
            (1, 0, 0, "no_indexes", "that is the table alone. Its copies lie there too."),
            (3, 1, STORED_OVERHEAD_BYTES, "not_sparse", "one cart in twenty is in the third index."),
            (4, 0, STORED_OVERHEAD_BYTES, "all_projected", "the third index holds 120 bytes an entry, not a copy."),
        ):
            if _near(gb * size, _stored(overhead, copies, sparse), 0.004 * _stored()):
                wrong(misconception, f"{gb:.4g} GB: {says}")
    wrong("elsewhere", f"{gb:.4g} GB are not what twelve million carts and three indexes take. Begin with the table's.")
