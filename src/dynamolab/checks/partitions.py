"""Exercise 03, partitions: what one item takes, what a table carries, what more capacity cures, and bad company.

Answers are judged by the model: its units, and tables of so many partitions under a load.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..model.parameters import Parameters
from ..model.partitions import PARTITION_UNITS
from ..model.throttling import Side
from ..model.units import read_units, write_units
from ..traffic import demand
from ..traffic.design import Design, Workload
from ..traffic.outcome import Outcome
from ..traffic.simulate import simulate
from ..traffic.workload import places
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_function, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("partitions")

CEILING = PARTITION_UNITS["write"]
READ_CEILING = PARTITION_UNITS["read"]
_NO_BURST = Parameters(burst_at_birth=0.0)


def _near(number: float, value: float) -> bool:
    return math.isclose(number, value, rel_tol=1e-6, abs_tol=1e-9)


# ── a: what one item takes ────────────────────────────────────────────────────────────────

KINDS = ("write", "strong", "eventual")
_SIZES = (20_480, 700, 1_024, 1_025, 3_000, 4_096, 4_097, 9_000, 31_744, 102_401, 409_600)
"""Bytes of the items that the check asks about: about the edges of both units, and between them."""


def _most(kind: str, size: int) -> float:
    if kind == "write":
        return CEILING / write_units(size)
    return READ_CEILING / read_units(size, consistency="strong" if kind == "strong" else "eventual")


def _kb(size: int, kb: int) -> int:
    return -(-size // kb)


_A_RIGHT_CEILING: Mapping[str, float] = {"write": 1000.0, "strong": 3000.0, "eventual": 6000.0}
_A_SLIPS: tuple[tuple[str, Callable[[str, int], float], str], ...] = (
    (
        "operations",
        lambda kind, size: {"write": 1000.0, "strong": 3000.0, "eventual": 6000.0}[kind],
        "The ceilings count units, whatever the size gave it. How many units does this one request take?",
    ),
    (
        "operations",
        lambda kind, size: 1000.0 if kind == "write" else 3000.0,
        "The ceilings count units, whatever the size gave it. How many units does this one request take?",
    ),
    (
        "same_block",
        lambda kind, size: _A_RIGHT_CEILING[kind] / _kb(size, 4096),
        "Are writes counted in the same pieces as reads?",
    ),
    (
        "same_block",
        lambda kind, size: _A_RIGHT_CEILING[kind] / _kb(size, 1024),
        "Are reads counted in the same pieces as writes?",
    ),
    (
        "not_rounded",
        lambda kind, size: _A_RIGHT_CEILING[kind] / (size / (1024 if kind == "write" else 4096)),
        "A started piece is charged whole: what does one byte more cost?",
    ),
    (
        "thousands",
        lambda kind, size: _A_RIGHT_CEILING[kind] / _kb(size, 1000 if kind == "write" else 4000),
        "How many bytes has a KB here?",
    ),
    (
        "eventual_wrong_way",
        lambda kind, size: (1000.0 if kind == "write" else 3000.0) / _kb(size, 1024 if kind == "write" else 4096),
        "Eventually consistent reads take another number of units than strongly consistent ones.",
    ),
    (
        "eventual_wrong_way",
        lambda kind, size: (
            {"write": 1000.0, "strong": 3000.0, "eventual": 1500.0}[kind] / _kb(size, 1024 if kind == "write" else 4096)
        ),
        "Which of the two kinds of read takes fewer units, and so may come more often?",
    ),
    (
        "eventual_in_8_kb",
        lambda kind, size: 3000.0 / _kb(size, 8192) if kind == "eventual" else _most(kind, size),
        "Which comes first, rounding up the pieces or halving them? An item of 1 KB takes half a unit.",
    ),
)


@exercise.question(
    "a",
    asks="Write most(kind, item_bytes), then check it: lab.check('partitions.a', most).",
    hints=(
        "Count units first: how many does one such request take? Then see how often they fit into the ceiling.",
        "A write takes a unit for each started 1,024 bytes, a strongly consistent read one for each started 4,096. An "
        "eventually consistent read takes half of what the strong one takes.",
        "-(-item_bytes // 1024) rounds up. 1,000 divided by that is the number of writes.",
    ),
    value="1,000 / ceil(bytes / 1,024) writes, 3,000 / ceil(bytes / 4,096) strong reads, twice as many eventual ones",
    solution="""
        import math

        def most(kind, item_bytes):
            if kind == "write":
                return 1000 / math.ceil(item_bytes / 1024)
            strong = 3000 / math.ceil(item_bytes / 4096)
            return strong if kind == "strong" else 2 * strong
    """,
    road="The ceilings are 1,000 and 3,000 units. Divide them by the units of one request, each rounded up by itself.",
    misconceptions={
        "operations": "operations counted instead of units",
        "same_block": "reads and writes counted in the same pieces",
        "not_rounded": "the size not rounded up",
        "thousands": "a KB of 1,000 bytes",
        "eventual_wrong_way": "what eventual consistency costs",
        "eventual_in_8_kb": "halved before it was rounded",
        "elsewhere": "another number",
    },
)
def _judge_most(answer: Any, learner: Learner) -> Verdict:
    most = a_function(answer, "most", "kind", "item_bytes")
    cases = [(kind, size) for size in _SIZES for kind in KINDS]
    said = [a_number(value, "requests a second") for value in learner.each(most, cases)]
    bad = [
        (case, number)
        for case, number in zip(cases, said, strict=True)
        if not (_near(number, _most(*case)) or number == math.floor(_most(*case)))
    ]
    if not bad:
        return right(
            f"{len(cases)} of {len(cases)} are right: {min(_SIZES)} bytes to 400 KB, also one byte above a unit."
        )
    (kind, size), number = bad[0]
    what = {"write": "writes", "strong": "strongly consistent reads", "eventual": "eventually consistent reads"}[kind]
    seen = f"{len(cases) - len(bad)} of {len(cases)} are right. Not this: {number:,.6g} {what} of {size:,} bytes."
    for misconception, slip, why in _A_SLIPS:
        if all(
            _near(given, slip(*case)) or given == math.floor(slip(*case))
            for case, given in zip(cases, said, strict=True)
        ):
            wrong(misconception, f"{seen} {why}")
    wrong("elsewhere", f"{seen} How many units does one of them take, and how often do these fit into the ceiling?")


# ── b: what a table carries ───────────────────────────────────────────────────────────────


@functools.cache
def _tables() -> tuple[tuple[str, int, int, tuple[str, ...], tuple[float, ...]], ...]:
    """Return tables: what is in it, its write units and partitions, its keys and each key's share."""

    def customers(count: int, first: int) -> tuple[str, ...]:
        return tuple(f"CLIENTE#{first + number}" for number in range(count))

    states = ("ESTADO#pendiente", "ESTADO#pagado", "ESTADO#enviado", "ESTADO#devuelto")
    return (
        ("300 customers alike, 40,000 WCU", 40_000, 40, customers(300, 5_100), (1 / 300,) * 300),
        ("a tenant with 30 % and 400 alike, 4,000 WCU", 4_000, 4, customers(401, 900), (0.3, *(0.7 / 400,) * 400)),
        ("600 customers alike, 1,500 WCU", 1_500, 4, customers(600, 40), (1 / 600,) * 600),
        ("four states, 20,000 WCU", 20_000, 20, states, (0.7, 0.1, 0.15, 0.05)),
    )


def _homes(keys: Sequence[str], partitions: int) -> list[int]:
    """Return each key's partition, numbered so that no number tells how many partitions there are."""
    return [int(number) * 7 + 3 for number in places(keys, partitions)]


def _heaviest(shares: Sequence[float], homes: Sequence[int]) -> float:
    sums: dict[int, float] = {}
    for share, home in zip(shares, homes, strict=True):
        sums[home] = sums.get(home, 0.0) + share
    return max(sums.values())


_B_SLIPS: tuple[tuple[str, Callable[[Sequence[float], Sequence[int], float, int], float], str], ...] = (
    (
        "table_forgotten",
        lambda shares, homes, units, partitions: CEILING / _heaviest(shares, homes),
        "The partitions could. Which other limit is there?",
    ),
    (
        "sum_of_partitions",
        lambda shares, homes, units, partitions: min(units, CEILING * len(set(homes))),
        "That holds if the load reaches all of them alike. Which is full first, and what does the whole load get then?",
    ),
    (
        "sum_of_partitions",
        lambda shares, homes, units, partitions: float(units),
        "The table has them. Does the load reach all partitions alike?",
    ),
    (
        "neighbours",
        lambda shares, homes, units, partitions: min(units, CEILING / max(shares)),
        "That is when the hottest key is alone in its partition. Who lives there with it?",
    ),
    (
        "keys_times_ceiling",
        lambda shares, homes, units, partitions: min(units, CEILING * len(shares)),
        "Not each key has a partition of its own, and not each gets as much.",
    ),
    (
        "static_share",
        lambda shares, homes, units, partitions: units / len(set(homes)) / _heaviest(shares, homes),
        "Fixed shares were the early design. Today a partition takes what the table has left, up to its own ceiling.",
    ),
    (
        "hottest_only",
        lambda shares, homes, units, partitions: min(float(units), float(CEILING)),
        "1,000 is what the fullest partition takes. How much does the whole table get by then?",
    ),
)


@exercise.question(
    "b",
    asks="Write carried(shares, homes, write_units), then check it: lab.check('partitions.b', carried).",
    hints=(
        "Add up the shares of each partition's keys. One partition has the largest sum.",
        "If that partition gets 30 % of the load, how large may the whole load be until it gets 1,000 units a second?",
        "1,000 divided by the largest sum, and not more than write_units.",
    ),
    value="min(write_units, 1000 / the largest sum of shares in one partition)",
    solution="""
        def carried(shares, homes, write_units):
            load = {}
            for share, home in zip(shares, homes):
                load[home] = load.get(home, 0) + share
            return min(write_units, 1000 / max(load.values()))
    """,
    road="The fullest partition decides: it refuses as soon as its part of the load exceeds 1,000 units. Until then "
    "the whole load is 1,000 divided by its part, unless the table's own units end first.",
    misconceptions={
        "table_forgotten": "the table's own limit forgotten",
        "sum_of_partitions": "the sum of the partitions",
        "neighbours": "the keys in the same partition forgotten",
        "keys_times_ceiling": "1,000 for each key",
        "static_share": "fixed shares of the table's capacity",
        "hottest_only": "the fullest partition taken for the table",
        "too_much": "more than the table takes",
        "too_little": "less than the table takes",
    },
)
def _judge_carried(answer: Any, learner: Learner) -> Verdict:
    carried = a_function(answer, "carried", "shares", "homes", "write_units")
    homes = [_homes(keys, partitions) for _, _, partitions, keys, _ in _tables()]
    given = []
    for (name, units, partitions, keys, shares), where in zip(_tables(), homes, strict=True):
        number = a_number(learner.call(carried, list(shares), list(where), units), "write units a second")
        if not 0 <= number <= 1e9:
            wrong(WRONG_TYPE, f"A table does not carry {number:g} units a second; return a number from 0 up.")
        given.append(number)
        lost, above = (_lost(number * times, keys, shares, units, partitions) for times in (0.999, 1.02))
        if lost < 1e-6 < above:
            continue
        what = f"{lost:,.0f} of them are refused" if lost > 1e-6 else "nothing is refused, nor under two per cent more"
        seen = f"{name[0].upper()}{name[1:]}: under {number:,.0f} units a second {what}."
        for misconception, slip, why in _B_SLIPS:
            if abs(number - slip(shares, where, units, partitions)) <= 0.001 * number:
                wrong(misconception, f"{seen} {why}")
        if lost > 1e-6:
            wrong("too_much", f"{seen} Which partition is full first?")
        wrong("too_little", f"{seen} What is full first, and when?")
    return right(
        f"Four tables, run with that load: nothing is refused under {', '.join(f'{number:,.0f}' for number in given)} "
        "units a second, and something under two per cent more."
    )


def _lost(rate: float, keys: Sequence[str], shares: Sequence[float], units: int, partitions: int) -> float:
    """Return the units that a table refuses in each second of so much load."""
    outcome = simulate(
        Workload(demand.constant(rate, 10), demand.few(keys, list(shares))),
        Design("PROVISIONED", read_units=1, write_units=units, partitions=partitions),
        parameters=_NO_BURST,
    )
    return float(outcome.refused_units("write").sum() / 10)


# ── c: what ten times the capacity cures ──────────────────────────────────────────────────


@functools.cache
def _loads() -> Mapping[str, tuple[int, demand.Keys, float, int, Side]]:
    """Return each case of the exercise: capacity, keys, requests a second, KB of an item, which side."""
    counter = demand.few(["CONTADOR#visitas"])
    product = demand.few(["PRODUCTO#jamon"])
    customers = [f"CLIENTE#{number}" for number in range(2_000)]
    states = demand.few(["ESTADO#pendiente", "ESTADO#pagado", "ESTADO#enviado"])
    return {
        "A": (500, counter, 900, 1, "write"),
        "B": (4_000, counter, 1_200, 1, "write"),
        "C": (300, demand.few(customers), 2_400, 1, "write"),
        "D": (1_000, states, 3_300, 1, "write"),
        "E": (400, product, 250, 40, "read"),
        "F": (500, product, 60, 20, "write"),
        "G": (4_000, demand.few(customers, [700, *[2_000 / 1_999] * 1_999]), 2_700, 1, "write"),
    }


def _run(case: str, times: int) -> Outcome:
    units, keys, rate, kb, side = _loads()[case]
    ordered = {"read_units": 1, "write_units": 1, f"{side}_units": units * times}
    return simulate(
        Workload(
            demand.constant(rate, 60),
            keys,
            {"put" if side == "write" else "get": 1.0},
            item_bytes=1024 * kb,
            consistency="strong",
        ),
        Design("PROVISIONED", **ordered),  # type: ignore[arg-type]
        parameters=_NO_BURST,
    )


@functools.cache
def _cured() -> Mapping[str, bool]:
    """Whether each case is free of refusals with ten times the capacity, by running it."""
    return {case: float(_run(case, 10).refused_units(load[4]).sum()) < 1 for case, load in _loads().items()}


_CASES = (
    ("sizes", "F", True, "60 writes a second look few. How many units are they, and what takes one item?"),
    ("single_item", "B", True, "all of it is for one item. What does one partition take, at any capacity?"),
    ("few_values", "D", True, "however many partitions there are, how many of them does this load reach?"),
    ("table_limit", "A", False, "which of the two limits refuses today: is 900 too much for a partition?"),
    ("table_limit", "C", False, "which of the two limits refuses today, if so many keys get so little each?"),
    (
        "reads",
        "E",
        False,
        "a read unit covers 4 KB, and reads have a ceiling of their own. What does this product need?",
    ),
    ("neighbours", "G", False, "700 fit into a partition; what is too much are those who share it. Do they stay?"),
)


@exercise.question(
    "c",
    asks="Set cured to a set of letters, then check it: lab.check('partitions.c', cured).",
    hints=(
        "For each case, two numbers: the units asked for in all, and those asked of the fullest partition.",
        "Count units, not requests: F writes 20 a request, E reads 10. Ceilings: 1,000 write and 3,000 read.",
        "More capacity brings more partitions. They part keys from each other, and never an item from itself.",
    ),
    value="A, C, E and G",
    solution='cured = {"A", "C", "E", "G"}',
    road="A, C and E have too little capacity and no partition above its ceiling. G has one because of the neighbours, "
    "and 40 partitions part them. B and F ask 1,200 units of one item, D 1,100 of each of three keys.",
    misconceptions={
        "sizes": "writes counted instead of units",
        "single_item": "more capacity does not help one item",
        "few_values": "more capacity does not help few values",
        "table_limit": "the table's limit is cured by capacity",
        "reads": "reads have a ceiling of their own",
        "neighbours": "more partitions part neighbours",
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
    return right(f"All {len(truth)} cases, each run for a minute with ten times the capacity.")


# ── d: bad company ────────────────────────────────────────────────────────────────────────

COMPANY, EACH, CUSTOMERS = 4, 300, 9_999
FEW, MANY = 4, 64
"""Partitions of the table with 4,000 units and with 40,000, as in lesson 03."""


@exercise.question(
    "d",
    asks="Set company to four customers' numbers, then check it: lab.check('partitions.d', company).",
    hints=(
        "No customer is too hot with 300 units. How many of the four have to share a partition until it is too much?",
        "places(keys, partitions) from the exercise tells where keys lie. Ask it for many customers at once.",
        "All four must lie in the same of 64 partitions. Group the customers by partition and take four of a group.",
    ),
    value="any four that share one of 64 partitions, for example the first four in partition 47",
    solution="""
        from dynamolab.traffic.workload import places

        customers = range(1, 10_000)
        homes = places([f"CLIENTE#{number}" for number in customers], 64)
        company = [number for number, home in zip(customers, homes) if home == 47][:4]
    """,
    road="Four times 300 are 1,200: all four have to meet. Any of the 64 partitions holds some 150 of the customers; "
    "take four of one. What shares one of 64 partitions shares one of four as well.",
    misconceptions={
        "apart": "customers who do not meet",
        "not_all": "three of four are not enough",
        "same_customer": "one customer taken twice",
        "running_numbers": "neighbouring numbers are no neighbours",
        "parted": "parted by the new partitions",
    },
)
def _judge_company(answer: Any, learner: Learner) -> Verdict:
    numbers = _company(answer)
    keys = [f"CLIENTE#{number}" for number in numbers]
    tables = {FEW: 4_000, MANY: 40_000}
    lost = {n: _lost(COMPANY * EACH, keys, [0.25] * COMPANY, units, n) for n, units in tables.items()}
    together = {n: int(np.bincount(places(keys, n)).max()) for n in tables}
    held = f"of {FEW} partitions the fullest holds {together[FEW]} of them, of {MANY} partitions {together[MANY]}"
    seen = f"{', '.join(keys)}: {held}."
    if lost[FEW] < 1:
        if max(numbers) - min(numbers) == COMPANY - 1:
            wrong("running_numbers", f"{seen} Nothing is refused. Numbers in a row are hashed far apart.")
        if together[FEW] == COMPANY - 1:
            wrong("not_all", f"{seen} Nothing is refused: three times 300 are still below the ceiling.")
        wrong("apart", f"{seen} Nothing is refused. They would have to share a partition.")
    if lost[MANY] < 1:
        wrong("parted", f"{seen} With {FEW} partitions {lost[FEW]:,.0f} units a second are refused, with {MANY} none.")
    return right(
        f"{seen} {lost[FEW]:,.0f} units a second are refused before, {lost[MANY]:,.0f} after; the table works at "
        f"{COMPANY * EACH / tables[FEW]:.0%} of its capacity, then at {COMPANY * EACH / tables[MANY]:.0%}."
    )


def _company(answer: Any) -> list[int]:
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, list | tuple | set | frozenset | range):
        wrong(WRONG_TYPE, f"The check needs a list of four customers' numbers; it got {type(answer).__name__}.")
    if any(is_stub(each) for each in answer):
        raise Judged(Verdict("not attempted", ("Give four customers' numbers.",)))
    numbers = []
    for each in answer:
        number = a_number(each, "a customer's number, such as 17 for CLIENTE#17")
        if not number.is_integer() or not 1 <= number <= CUSTOMERS:
            wrong(WRONG_TYPE, f"Customers have whole numbers from 1 to {CUSTOMERS:,}; {number:g} is none.")
        numbers.append(int(number))
    if len(set(numbers)) < len(numbers):
        wrong(
            "same_customer", "One customer is named twice. That is a hot key; find four who are harmless by themselves."
        )
    if len(numbers) != COMPANY:
        wrong(WRONG_TYPE, f"The check needs four customers; it got {len(numbers)}.")
    return numbers
