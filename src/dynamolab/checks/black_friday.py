"""Exercise 21, Black Friday: its units and prices by arithmetic, a design that survives the day, two limits.

Numbers are accepted by any road of rounding. A design is judged by running the simulated day on it, as forecast and
otherwise; populations of keys and warm throughput by what an on-demand table then refuses.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import LabError
from ..model.parameters import Parameters
from ..traffic import black_friday, demand
from ..traffic.design import Design, Operation, Workload
from ..traffic.outcome import Outcome
from ..traffic.simulate import simulate
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("black_friday")

ROUNDINGS = (black_friday.answer("each step"), black_friday.answer("units"), black_friday.answer("nothing"))
"""The day by three roads of rounding. A fourth, rounding up to 58 and 33 before multiplying, ends a little higher."""
PRICES = {"write": 0.7452, "read": 0.1491, "wcu": 0.00065, "rcu": 0.00013}
FACTOR = black_friday.ORDERS_PER_HOUR / 900
USUAL = {"write": (57.6, 58.0), "read": (32.14, 33.0)}
"""Units a second at 900 orders an hour: exact, and rounded up as the story has them."""
DAY, PEAK = 24.0, 4.0


@dataclass(frozen=True)
class _Near:
    """Values that a slip leads to, and what it shows; a value counts if it is within ``share`` of one."""

    misconception: str
    values: tuple[float, ...]
    says: str
    share: float = 0.012

    def __contains__(self, number: float) -> bool:
        return any(abs(number - value) <= self.share * value for value in self.values)


def _numbers(answer: Any, count: int, what: str) -> list[float]:
    """Return so many numbers of a tuple or list; a missing one is not attempted, anything else a wrong type."""
    if not isinstance(answer, tuple | list) or len(answer) != count:
        wrong(WRONG_TYPE, f"The check needs {count} numbers in a tuple: {what}.")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", (f"Give all {count}: {what}.",)))
    found = [a_number(part, what) for part in answer]
    if not all(math.isfinite(number) for number in found):
        wrong(WRONG_TYPE, f"Each of {what} is a finite number.")
    return found


# ── a: units at the peak ──────────────────────────────────────────────────────────────────

WRITE_RANGE = (223.5, 226.5)
READ_RANGE = (124.5, 129.5)
"""From 57.6 and 32.14 times 3.889, to 58 and 33 times 3.889, rounded up."""


@exercise.question(
    "a",
    asks="Set peak = (write units, read units) a second, then check it: lab.check('black_friday.a', peak).",
    hints=(
        "The mix of operations stays as it is, so each order costs what it costs on a usual Friday.",
        "3,500 orders are how many times 900? Multiply the Friday's units by that.",
    ),
    value="224 write units and 125 read units a second (226 and 129 if 58 and 33 are multiplied)",
    solution="peak = (57.6 * 3500 / 900, 32.14 * 3500 / 900)",
    road="The same mix, 3.889 times as often: 57.6 becomes 224, 32.14 becomes 125. Round at the end; 33 for 32.14 "
    "ends at 129.",
    misconceptions={
        "swapped": "writes and reads the wrong way round",
        "usual": "the units of a usual Friday",
        "with_target": "the utilisation target is not asked for yet",
        "requests": "requests counted, not units",
        "crude_factor": "a factor of 3 or 4",
        "added": "the peak added to the usual traffic",
        "another_time": "another unit of time",
        "elsewhere": "another number",
    },
)
def _judge_peak(answer: Any, learner: Learner) -> Verdict:
    write, read = _numbers(answer, 2, "write units and read units a second")
    writes, reads = _requests_a_second()
    if WRITE_RANGE[0] <= write <= WRITE_RANGE[1] and READ_RANGE[0] <= read <= READ_RANGE[1]:
        late = write < 225 and read < 126
        how = "3.889 times the Friday." if late else "You rounded before multiplying, which costs a little; it is safe."
        return right(f"{write:.4g} write units and {read:.4g} read units a second. {how}")
    if WRITE_RANGE[0] <= read <= WRITE_RANGE[1] and READ_RANGE[0] <= write <= READ_RANGE[1]:
        wrong("swapped", "The carts write more units than they read. Which of the two comes first?")
    if 56 <= write <= 59 and 31 <= read <= 34:
        wrong("usual", "These are the units of 900 orders an hour. Black Friday brings 3,500.")
    if 318 <= write <= 326 and 178 <= read <= 186:
        wrong("with_target", "That is what auto scaling at 70 % would provision. Asked here: what is consumed.")
    if abs(write - writes) < 3 and abs(read - reads) < 3:
        wrong(
            "requests", "These are requests a second. A write of 3 KB is 3 units, an eventual read of 3 KB half a unit."
        )
    if any(abs(write - 57.6 * factor) < 2 or abs(write - 58 * factor) < 2 for factor in (3, 4)):
        wrong("crude_factor", f"{write:.4g} is the Friday's units times a whole number. 3,500 / 900 is not whole.")
    if 280 <= write <= 285 and 156 <= read <= 163:
        wrong("added", "The 3,500 orders an hour are all there are: the 900 are not in addition.")
    if write > 10_000 or write < 10:
        wrong("another_time", "Units a second are asked for. The 57.6 and 32.14 are already a second's.")
    wrong(
        "elsewhere",
        f"{write:g} and {read:g} are not what 3,500 orders an hour cost. Begin with the units of 900 and the ratio.",
    )


def _requests_a_second() -> tuple[float, float]:
    operations = black_friday.workload().streams[0].operations
    orders = black_friday.ORDERS_PER_HOUR / 3_600
    sums = {side: orders * sum(each.share for _, each in operations if each.side == side) for side in ("write", "read")}
    return sums["write"], sums["read"]


# ── b: the day on-demand ──────────────────────────────────────────────────────────────────

MILLION_WRITES = (7.36, 7.45)
MILLION_READS = (4.10, 4.25)
ON_DEMAND_USD = (6.095, 6.185)


def _day(peak: float, other: float, hours: float = PEAK, rest: float = DAY - PEAK) -> float:
    """Millions of units in ``hours`` of peak and ``rest`` of other units a second."""
    return (peak * hours + other * rest) * 0.0036


@exercise.question(
    "b",
    asks="Set on_demand = (millions of write units, millions of read units, USD), then check it: "
    "lab.check('black_friday.b', on_demand).",
    hints=(
        "Units a second times 3,600 are the units of an hour. The day has 4 hours of one kind and 20 of another.",
        "The other 20 hours are, here, like a Friday's peak: 900 orders an hour, 58 and 33 units a second.",
        "(224 * 4 + 58 * 20) * 3600 write units. Each million has its price; do the same for reads and add.",
    ),
    value="7.41 million writes, 4.18 million reads, 6.14 USD (6.11 without rounding)",
    solution="""
        write = (57.6 * 3500 / 900 * 4 + 57.6 * 20) * 3600 / 1e6
        read = (32.14 * 3500 / 900 * 4 + 32.14 * 20) * 3600 / 1e6
        on_demand = (write, read, write * 0.7452 + read * 0.1491)
    """,
    road="Hours times units, twice, then two prices. Rounded at each step: 7.41 and 4.18 million, 5.52 + 0.62 USD.",
    misconceptions={
        "peak_all_day": "24 hours at the peak",
        "peak_only": "only the four peak hours",
        "usual_day": "24 usual hours",
        "twenty_four_more": "four peak hours and 24 others",
        "quiet": "the carts' true quiet hours, which the problem does not have",
        "requests": "requests counted, not units",
        "reads_doubled": "each unit counted as two eventual reads",
        "swapped": "writes and reads the wrong way round",
        "one_price": "a sum that does not follow from the millions",
        "elsewhere": "another number",
    },
)
def _judge_on_demand(answer: Any, learner: Learner) -> Verdict:
    write, read, usd = _numbers(answer, 3, "millions of write units, millions of read units, USD")
    write, read = (amount / 1e6 if amount > 1e5 else amount for amount in (write, read))
    seen = f"{write:.4g} million writes, {read:.4g} million reads"
    if _within(read, MILLION_WRITES) and _within(write, MILLION_READS):
        wrong("swapped", f"{seen}: there are more write units than read units on this table. Which comes first?")
    _must_be_this_day(write, "write", seen)
    _must_be_this_day(read, "read", seen)
    if not _within(usd, ON_DEMAND_USD) or abs(usd - (write * PRICES["write"] + read * PRICES["read"])) > 0.02:
        wrong(
            "one_price",
            f"{seen}: right. But {usd:.4g} USD is not 0.7452 a million writes plus 0.1491 a million reads.",
        )
    return right(f"{seen}, {usd:.2f} USD. Rounded at each step it is 6.14, without any rounding 6.11.")


def _must_be_this_day(number: float, side: str, seen: str) -> None:
    if _within(number, MILLION_WRITES if side == "write" else MILLION_READS):
        return
    usual, peaks = USUAL[side], tuple(units * FACTOR for units in USUAL[side])
    calm = tuple(units * 101.25 / 900 for units in usual)
    pairs = tuple(zip(peaks, usual, calm, strict=True))
    per_unit = _requests_a_second()[0 if side == "write" else 1] / FACTOR
    slips = (
        _Near("peak_all_day", tuple(_day(p, u, 24, 0) for p, u, _ in pairs), "that is 24 hours at the peak. It is 4."),
        _Near("peak_only", tuple(_day(p, 0) for p, _, _ in pairs), "the other 20 hours are missing."),
        _Near("usual_day", tuple(_day(0, u, 0, 24) for _, u, _ in pairs), "that is a day without the campaign."),
        _Near("twenty_four_more", tuple(_day(p, u, 4, 24) for p, u, _ in pairs), "the day has 28 hours."),
        _Near(
            "quiet",
            tuple(_day(p, c) for p, _, c in pairs),
            "you know the carts well: their nights are quiet. This problem has 900 orders in each other hour.",
        ),
        _Near(
            "requests",
            (_day(per_unit * FACTOR, per_unit),),
            "that counts requests. What is billed are units: a write of 3 KB is 3.",
        ),
        _Near(
            "reads_doubled",
            tuple(2 * _day(p, u) for p, u, _ in pairs) if side == "read" else (),
            "that counts eventual reads, two for each unit. AWS bills read request units; 32.14 are units already.",
        ),
    )
    for slip in slips:
        if number in slip:
            wrong(slip.misconception, f"{seen}: {slip.says}")
    wrong(
        "elsewhere",
        f"{seen}: the {side}s are not those of 4 peak hours and 20 of 900 orders. An hour has 3,600 seconds.",
    )


def _within(number: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= number <= bounds[1]


# ── c: the day provisioned ────────────────────────────────────────────────────────────────

PEAK_WCU, PEAK_RCU, OTHER_WCU, OTHER_RCU = (319.9, 325.0), (178.5, 185.0), (82.2, 85.0), (45.9, 50.0)
PROVISIONED_USD = (2.11, 2.215)


@exercise.question(
    "c",
    asks="Set provisioned = (peak WCU, peak RCU, other WCU, other RCU, USD), then check it: "
    "lab.check('black_friday.c', provisioned).",
    hints=(
        "At 70 % utilisation what is consumed is 70 % of what is provisioned. So what is provisioned is ...",
        "224 / 0.7 = 320. The same for 125, 58 and 33; round up, to fives if you like.",
        "USD: 4 hours of the peak's units and 20 hours of the others', WCU at 0.00065, RCU at 0.00013 an hour.",
    ),
    value="320/180 in the peak and 85/50 else: 2.17 USD (2.16 unrounded; 2.12 with 320/179 and 83/46)",
    solution="""
        peak, other = (320, 180), (85, 50)
        usd = 4 * (320 * 0.00065 + 180 * 0.00013) + 20 * (85 * 0.00065 + 50 * 0.00013)
        provisioned = (*peak, *other, usd)
    """,
    road="Divide by the target, round up, then hours times units times price: 0.93 + 1.24 = 2.17, or 2.16 if only the "
    "end is rounded.",
    misconceptions={
        "no_target": "no room above what is consumed",
        "times_target": "multiplied by the target, not divided",
        "added_target": "30 % added, which is not a utilisation of 70 %",
        "swapped": "writes and reads the wrong way round",
        "same_all_day": "one capacity for the whole day",
        "too_much": "more than 70 % utilisation needs",
        "too_little": "less than 70 % utilisation needs",
        "peak_price_all_day": "24 hours at the peak's price",
        "hours_swapped": "20 hours of peak and 4 of the rest",
        "wrong_sum": "a sum that does not follow from the units",
    },
)
def _judge_provisioned(answer: Any, learner: Learner) -> Verdict:
    given = _numbers(answer, 5, "peak WCU, peak RCU, other WCU, other RCU, USD")
    *units, usd = given
    bounds = (PEAK_WCU, PEAK_RCU, OTHER_WCU, OTHER_RCU)
    if not all(_within(number, bound) for number, bound in zip(units, bounds, strict=True)):
        _say_what_is_wrong_with(units, bounds)
    w, r, v, s = units

    def costs(hours: float) -> float:
        return hours * (w * PRICES["wcu"] + r * PRICES["rcu"]) + (24 - hours) * (v * PRICES["wcu"] + s * PRICES["rcu"])

    if abs(usd - costs(PEAK)) > 0.0151:
        for hours, name, says in (
            (24.0, "peak_price_all_day", "The peak's units are needed for 4 hours only."),
            (20.0, "hours_swapped", "The peak has 4 hours, the rest 20."),
        ):
            if abs(usd - costs(hours)) < 0.02:
                wrong(name, f"{usd:.4g} USD: {says} That is what a schedule, or auto scaling, is for.")
        wrong(
            "wrong_sum",
            f"The units are right, but {usd:.4g} USD do not follow from them: 4 hours of {w:g} and {r:g}, 20 of {v:g} "
            f"and {s:g}, a WCU-hour at 0.00065 and an RCU-hour at 0.00013.",
        )
    return right(
        f"{w:g}/{r:g} in the peak, {v:g}/{s:g} else, {usd:.2f} USD: about a third of on-demand, if capacity follows "
        "the plan on the second. Whether it does, (d) will tell."
    )


def _say_what_is_wrong_with(units: Sequence[float], bounds: Sequence[tuple[float, float]]) -> None:
    right_units = (224.0, 125.0, 57.6, 32.14)
    seen = f"{units[0]:g}/{units[1]:g} and {units[2]:g}/{units[3]:g}"

    def all_near(factor: float) -> bool:
        return all(abs(u - factor * c) <= 0.045 * factor * c for u, c in zip(units, right_units, strict=True))

    if _within(units[1], bounds[0]) and _within(units[0], bounds[1]):
        wrong("swapped", f"{seen}: WCU come first, and the carts need more of them.")
    if all_near(1.0):
        wrong("no_target", f"{seen} is what is consumed. A utilisation of 70 % leaves room: more is provisioned.")
    if all_near(0.7):
        wrong("times_target", f"{seen} is 70 % of what is consumed, so the table would refuse. Which is 70 % of which?")
    if all_near(1.3):
        wrong("added_target", f"{seen}: 224 of 291 are 77 %. What must be there for 224 to be 70 % of it?")
    if _within(units[0], bounds[0]) and units[2] == units[0]:
        wrong("same_all_day", f"{seen}: for 900 orders an hour, auto scaling at 70 % needs less.")
    low = any(number < bound[0] for number, bound in zip(units, bounds, strict=True))
    if low:
        wrong(
            "too_little", f"{seen}: with at least one of these the utilisation is above 70 %. Divide by 0.7, round up."
        )
    wrong("too_much", f"{seen}: at least one of these is more than 70 % utilisation asks for. Divide by 0.7, round up.")


# ── d: a design for the day ───────────────────────────────────────────────────────────────

BUDGET_USD = 6.50
WRONG_FORECAST = 7_000.0
EARLY = 16 * 3_600
_NO_BURST = Parameters(burst_seconds=1)


@functools.cache
def _days() -> Mapping[str, Workload]:
    """The three days, by the words in which they are told: as forecast, an hour early, twice as many orders."""
    return {
        "as forecast": black_friday.workload(),
        "the peak comes at 16:00": black_friday.workload(begins=EARLY),
        "twice the orders": black_friday.workload(WRONG_FORECAST),
    }


@exercise.question(
    "d",
    asks="Set design = lab.Design(...), then check it: lab.check('black_friday.d', design).",
    hints=(
        "Run your design on each of the three days and look at totals: which day refuses, and at which hour?",
        "Auto scaling needs minutes to see a peak. Either capacity is there before it, or the mode needs no capacity.",
        "A schedule must begin before 16:00 and hold 7,000 orders an hour: 448 and 250 units, target or not. "
        "Or choose the mode that needs no forecast.",
    ),
    value='lab.Design("PAY_PER_REQUEST"), or a schedule of at least 448 and 250 units from before 16:00 to after 21:00',
    solution="""
        import dynamolab as lab

        design = lab.Design("PAY_PER_REQUEST")
    """,
    road="On-demand costs 6.11 USD and needs no forecast. A schedule of twice the forecast from an hour earlier costs "
    "3 to 4 and is right as long as the day is not worse still.",
    misconceptions={
        "reactive": "auto scaling comes minutes after the peak",
        "too_late": "capacity comes after the orders",
        "ends_too_soon": "capacity goes before the last orders",
        "trusts_the_forecast": "right for the forecast only",
        "trusts_the_clock": "right for 17:00 only",
        "capped": "a limit of your own",
        "fixed_too_low": "too little capacity for the peak",
        "too_dear": "over the budget",
    },
)
def _judge_design(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Design):
        wrong(
            WRONG_TYPE,
            f"The check needs a lab.Design, such as lab.Design('PAY_PER_REQUEST'); it got {type(answer).__name__}.",
        )
    outcomes: dict[str, Outcome] = {}
    for name, traffic in _days().items():
        try:
            outcome = simulate(traffic, answer, parameters=_NO_BURST)
        except LabError as error:
            wrong(WRONG_TYPE, f"The day cannot be run with this design: {error}")
        outcomes[name] = outcome
        if name == "as forecast":
            usd = black_friday.bill(outcome, answer).total
        refused = _refused(outcome)
        if refused >= 1:
            _say_why_refused(name, outcome, answer, refused)
    if usd > BUDGET_USD:
        wrong(
            "too_dear",
            f"Nothing is refused on any of the days, and the day as forecast costs {usd:.2f} USD; the team has "
            f"{BUDGET_USD:.2f}. For how many hours is the peak's capacity needed?",
        )
    return right(
        f"Nothing is refused: as forecast, an hour early, with twice the orders. As forecast it costs {usd:.2f} USD. "
        + (
            "It needed no forecast at all."
            if answer.mode == "PAY_PER_REQUEST"
            else "It holds as long as the forecast is not wrong by more than that."
        )
    )


def _refused(outcome: Outcome) -> int:
    return round(float(outcome.refused_requests("write").sum() + outcome.refused_requests("read").sum()))


def _say_why_refused(name: str, outcome: Outcome, design: Design, refused: int) -> None:
    lost = outcome.refused_units("write") + outcome.refused_units("read") > 1e-9
    minutes = np.flatnonzero(lost.reshape(-1, 60).any(axis=1))
    first, last = (f"{minute // 60}:{minute % 60:02}" for minute in (minutes[0], minutes[-1] + 1))
    seen = f"Day '{name}': {refused:,} requests refused between {first} and {last}."
    if design.mode == "PAY_PER_REQUEST":
        wrong("capped", f"{seen} The table could take them; the maximum in your design could not.")
    ends = black_friday.PEAK_ENDS - (black_friday.PEAK_BEGINS - EARLY if name == "the peak comes at 16:00" else 0)
    if design.schedule and minutes[0] * 60 >= ends - 60:
        wrong(
            "ends_too_soon",
            f"{seen} Until then the capacity was enough. The orders take half a minute to fall, so let it go later.",
        )
    if design.schedule and name == "twice the orders":
        wrong("trusts_the_forecast", f"{seen} The schedule holds what was forecast. Nobody has seen this day before.")
    if design.schedule and name == "the peak comes at 16:00":
        wrong("trusts_the_clock", f"{seen} The capacity comes at its hour, the customers an hour before.")
    if design.schedule and (minutes[-1] + 1) * 60 <= black_friday.PEAK_BEGINS + 1_800:
        wrong(
            "too_late", f"{seen} The change takes minutes, and nothing promises that burst carries them. Begin earlier."
        )
    if design.auto_scaling and not design.schedule:
        wrong(
            "reactive",
            f"{seen} Auto scaling looks at whole minutes, waits for two, and the change takes some more. The peak "
            "comes within seconds.",
        )
    wrong("fixed_too_low", f"{seen} The capacity in force is less than what is asked for, 224 and 125 units or more.")


# ── e: the partition ──────────────────────────────────────────────────────────────────────

TEST_PER_SECOND = 500.0
CART_BYTES = 3_072
TEST_SECONDS = 60
THROWS = 8


@exercise.question(
    "e",
    asks="Set keys = (keys that break it, keys that do not), both made by lab.demand, then check them: "
    "lab.check('black_friday.e', keys).",
    hints=(
        "The whole test is 1,500 write units a second, and a new on-demand table takes 4,000. Who takes 1,000?",
        "lab.demand.uniform(n), .celebrity(n, share), .few([...], weights): which of them put 1,000 units on one key?",
        "One customer with everything breaks it: lab.demand.few(['CLIENTE#prueba']). Thousands of equals do not.",
    ),
    value="for example (lab.demand.few(['CLIENTE#1']), lab.demand.uniform(20_000))",
    solution="""
        import dynamolab as lab

        keys = (lab.demand.few(["CLIENTE#prueba"]), lab.demand.uniform(20_000))
    """,
    road="The limit is the partition's 1,000 write units a second, whatever the mode. One test customer is one key and "
    "one partition; many customers use all four.",
    misconceptions={
        "breaks_nothing": "the first keys break nothing",
        "swapped": "the two the wrong way round",
        "breaks_too": "the second keys are refused as well",
        "few_keys": "safe by luck",
    },
)
def _judge_keys(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2 or not all(isinstance(k, demand.Keys) for k in answer):
        if isinstance(answer, tuple | list) and any(is_stub(part) for part in answer):
            raise Judged(Verdict("not attempted", ("Give both: keys that break the table, keys that do not.",)))
        wrong(WRONG_TYPE, "The check needs two populations of keys, each made by lab.demand: (bad, good).")
    bad, good = (_share_refused(keys) for keys in answer)
    if bad == 0 and good > 0:
        wrong("swapped", f"The first keys are refused nothing, the second {good:.1%}. The breaking ones come first.")
    if bad < 0.01:
        wrong(
            "breaks_nothing",
            f"With the first keys {bad:.1%} is refused. One partition must be asked for over 1,000 units a second.",
        )
    if good > 0:
        wrong(
            "breaks_too", f"The first keys break the table: {bad:.1%}. But with the second {good:.1%} is refused too."
        )
    worst = max(_share_refused(keys) for keys in _thrown_anew(answer[1]))
    if worst > 0:
        wrong(
            "few_keys",
            f"The second keys pass here, where they happen to fall apart. In eight other tables up to {worst:.1%} "
            "would be refused: take more customers.",
        )
    return right(
        f"1,500 units a second on a table that takes 4,000: {bad:.1%} refused with the first keys, nothing with the "
        "second. The mode did not matter, the keys did."
    )


def _share_refused(keys: demand.Keys) -> float:
    traffic = Workload(demand.constant(TEST_PER_SECOND, TEST_SECONDS), keys, {"put": Operation("put", 1.0, CART_BYTES)})
    return float(simulate(traffic, Design("PAY_PER_REQUEST")).totals["write"]["refused_share"])


def _thrown_anew(keys: demand.Keys) -> Iterator[demand.Keys]:
    """The same population in other tables: each time its keys lie elsewhere."""
    for _ in range(THROWS):
        keys = keys.elsewhere()
        yield keys


# ── f: the table ──────────────────────────────────────────────────────────────────────────

BROADCAST_ORDERS = 100_000.0
MOST_WARM = 2.0
"""Times what is needed that may be asked for: warm throughput costs money, and how much is not known here."""
ORDERS_FOR_UNITS = 25_000
"""Whoever warms a table for so many units or more has most likely put in orders."""


@exercise.question(
    "f",
    asks="Set warm_design = lab.Design(...), then check it: lab.check('black_friday.f', warm_design).",
    hints=(
        "How many write units a second are 100,000 orders an hour, and how many read units? As in (a).",
        "A new on-demand table is ready for 4,000 write and 12,000 read units a second. More takes minutes to come.",
        "lab.Design('PAY_PER_REQUEST', warm={'write': ..., 'read': ...}) is a table that was warmed in advance.",
    ),
    value="at least 6,400 write units warm; the 12,000 read units that every table has are enough",
    solution="""
        import dynamolab as lab

        warm_design = lab.Design("PAY_PER_REQUEST", warm={"write": 7_000, "read": 12_000})
    """,
    road="100,000 orders an hour are 6,400 write units a second, 4,000 are ready: more than a third would be refused "
    "until the table has grown. Reads need 3,571 of 12,000.",
    misconceptions={
        "not_warmed": "as it is born",
        "too_little": "warmed for less than comes",
        "orders_for_units": "orders taken for units",
        "too_dear": "more than twice what is needed",
        "capped": "a limit of your own",
        "provisioned": "another mode",
    },
)
def _judge_warm(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Design):
        wrong(WRONG_TYPE, f"The check needs a lab.Design with its warm throughput; it got {type(answer).__name__}.")
    if answer.mode != "PAY_PER_REQUEST":
        wrong("provisioned", "This question is about the on-demand table: lab.Design('PAY_PER_REQUEST', warm={...}).")
    try:
        outcome = simulate(_broadcast(), answer)
    except LabError as error:
        wrong(WRONG_TYPE, f"The minutes cannot be run with this design: {error}")
    refused, ready = _refused(outcome), answer.warm.get("write", 0)
    seen = f"{refused:,} requests refused in the first two minutes."
    if refused >= 1 and answer.maximum:
        wrong("capped", f"{seen} Your design sets a maximum below what comes.")
    if refused >= 1 and ready <= 4_000:
        wrong("not_warmed", f"{seen} The table is ready for 4,000 write units a second, as it was born.")
    if refused >= 1:
        wrong(
            "too_little",
            f"{seen} Ready for {ready:,.0f} write units a second: how many do 100,000 orders an hour need?",
        )
    needed = BROADCAST_ORDERS * 0.064
    reads = answer.warm.get("read", 0)
    if ready > MOST_WARM * needed or reads > MOST_WARM * 12_000:
        seen = f"Nothing is refused, but you ask for {ready:,.0f} write"
        seen += f" and {reads:,.0f} read units a second" if reads else " units a second"
        if max(ready, reads) >= ORDERS_FOR_UNITS:
            wrong("orders_for_units", f"{seen}, many times what is needed, and it is charged. Units, not orders.")
        wrong(
            "too_dear",
            f"{seen}, more than twice what is needed, and warm throughput is charged. How many units are the orders?",
        )
    return right(
        f"Nothing is refused from the first second on: {needed:,.0f} write units come, {ready:,.0f} are ready. A table "
        f"as it is born would refuse {_refused_by_a_new_table():.1%} of the writes in the first two minutes."
    )


@functools.cache
def _refused_by_a_new_table() -> float:
    return float(simulate(_broadcast(), Design("PAY_PER_REQUEST")).totals["write"]["refused_share"])


@functools.cache
def _broadcast() -> Workload:
    stream = black_friday.workload().streams[0]
    return Workload(demand.constant(BROADCAST_ORDERS / 3_600, 120), stream.keys, dict(stream.operations))
