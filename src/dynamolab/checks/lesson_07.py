"""The predictions of lesson 07, capacity arithmetic."""

from __future__ import annotations

import functools
from typing import Any

from ..data import operation_mix
from ..model.operation_mix import units_per_second
from ..model.units import read_units, write_units
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_07")

CARTS, CART_BYTES = 10_000, 41
UPDATED_BYTES = 3_072
SESSIONS, SESSION_BYTES = 40, 200
EXISTING_BYTES = 5_120
ORDERS_PER_HOUR = 900
_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")


@exercise.question(
    "a",
    asks="Put a number of read units in place of the dots, or run on and see.",
    hints=("When does the filter work, before the reading or after it?", "How many bytes have 10,000 such items?"),
    value="about 51",
    solution="prediction = 51",
    road="The filter comes after the reading, so 10,000 items of some 40 bytes are paid for: 400 KB in pieces of 4 KB, "
    "half a unit each.",
    misconceptions={
        "returned": "what is returned taken for what is paid",
        "one_each": "a minimum taken for each item read",
        "strong": "an eventually consistent read taken for a strong one",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_filter(answer: Any, learner: Learner) -> Verdict:
    units = read_units(CARTS * CART_BYTES)
    return judge(
        answer,
        "the read units of the query",
        0.7 * units,
        1.4 * units,
        "Yes: it pays for the bytes that it reads. Run it and see.",
        [
            _NEGATIVE,
            Guess(0, 1, "returned", "That is the item that comes back. How does the query find it? Run it and see."),
            Guess(
                1.6 * units,
                2.5 * units,
                "strong",
                "Twice too many: that is the price of a strong read, and this is an ordinary one.",
            ),
            Guess(
                0.9 * CARTS / 2,
                1.1 * CARTS,
                "one_each",
                "All the items are read, yes. But a query adds up their bytes before it rounds. Run it and see.",
            ),
        ],
        ("elsewhere", "The whole collection is read. Add up its bytes, in pieces of 4 KB. Run it and see."),
    )


@exercise.question(
    "b",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("What does the service store: the attribute, or the item?",),
    value=str(write_units(UPDATED_BYTES)),
    solution=f"prediction = {write_units(UPDATED_BYTES)}",
    road="A write pays for the whole item, and this one has 3 KB.",
    misconceptions={
        "attribute": "the attribute taken for what is paid",
        "both": "both images added up",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_update(answer: Any, learner: Learner) -> Verdict:
    units = write_units(UPDATED_BYTES)
    return judge(
        answer,
        "the write units of the update",
        units,
        units,
        "Yes, the whole item. Run it and see.",
        [
            _NEGATIVE,
            Guess(0, 1, "attribute", "That would pay for the attribute. What is written is the item: run it and see."),
            Guess(2 * units, 2 * units, "both", "The larger of before and after is paid, not both. Run it and see."),
        ],
        ("elsewhere", "How many begun KB has the item? Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of read units in place of the dots, or run on and see.",
    hints=("Does a query round each item, or their sum?",),
    value=f"{read_units(SESSIONS * SESSION_BYTES, consistency='strong'):g}",
    solution=f"prediction = {read_units(SESSIONS * SESSION_BYTES, consistency='strong'):g}",
    road="The query adds 40 times 200 bytes and rounds 8,000 bytes once: two pieces of 4 KB.",
    misconceptions={
        "one_each": "each item rounded by itself",
        "half_each": "each item rounded by itself, and eventually consistent",
        "eventual": "a strong read taken for an eventual one",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_query(answer: Any, learner: Learner) -> Verdict:
    units = read_units(SESSIONS * SESSION_BYTES, consistency="strong")
    return judge(
        answer,
        "the read units of the query",
        units,
        units,
        "Yes: summed, then rounded. Run it and see.",
        [
            _NEGATIVE,
            Guess(units / 2, units / 2, "eventual", "The sum is right; but this read is strongly consistent."),
            Guess(SESSIONS, SESSIONS, "one_each", "So it would be, fetched one by one. A query sums first: run it."),
            Guess(
                SESSIONS / 2,
                SESSIONS / 2,
                "half_each",
                "A query sums the bytes before it rounds, and this one is strongly consistent. Run it and see.",
            ),
        ],
        ("elsewhere", "40 times 200 bytes, in pieces of 4 KB. Run it and see."),
    )


@exercise.question(
    "d",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("Which item had to be looked at to see that the condition does not hold?",),
    value=str(write_units(EXISTING_BYTES)),
    solution=f"prediction = {write_units(EXISTING_BYTES)}",
    road="A failed condition is charged by the item that is there: 5 KB.",
    misconceptions={
        "free": "a failed write taken for a free one",
        "attempted": "charged by the item that was to be written",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_condition(answer: Any, learner: Learner) -> Verdict:
    units = write_units(EXISTING_BYTES)
    return judge(
        answer,
        "the write units of the failed write",
        units,
        units,
        "Yes, the item that is there. Run it and see.",
        [
            _NEGATIVE,
            Guess(0, 0, "free", "Nothing was written, but the condition had to be judged. Run it and see."),
            Guess(1, 1, "attempted", "That is the cart that was to be written. Which cart was judged? Run it."),
        ],
        ("elsewhere", "Which item decides, and how many begun KB has it? Run it and see."),
    )


@functools.cache
def peak(side: Any) -> float:
    """Return the units a second of the Friday peak, by the operation mix."""
    return units_per_second(operation_mix(), side, ORDERS_PER_HOUR)


@functools.cache
def write_calls_per_second() -> float:
    """Return how many write calls a second the Friday peak makes, whatever their size."""
    calls = sum(row.per_order for row in operation_mix() if row.side == "write")
    return float(calls * ORDERS_PER_HOUR / 3_600)


@exercise.question(
    "e",
    asks="Put a number of write units a second in place of the dots, or run on and see.",
    hints=("Units of a cart write, of a session write; how many of each an order brings; orders a second.",),
    value=f"about {peak('write'):g}",
    solution=f"prediction = {peak('write'):g}",
    road="32 cart writes of 3 units and 134.4 session writes of 1 unit are 230.4 units an order, at a quarter order a "
    "second.",
    misconceptions={
        "calls": "writes counted instead of units",
        "per_order": "the units of one order, not of a second",
        "per_hour": "the units of an hour, not of a second",
        "carts": "the sessions forgotten",
        "sessions": "the carts forgotten",
        "reads": "the reads counted instead of the writes",
        "provisioned": "what one would provision, not what is consumed",
        "both_sides": "reads and writes added up",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_peak(answer: Any, learner: Learner) -> Verdict:
    writes, reads = peak("write"), peak("read")
    carts = sum(row.units_per_order for row in operation_mix() if row.side == "write" and row.bytes > 1_024)
    an_order = writes * 3_600 / ORDERS_PER_HOUR

    def near(value: float, misconception: str, says: str) -> Guess:
        return Guess(0.98 * value, 1.02 * value, misconception, says)

    return judge(
        answer,
        "the write units a second",
        0.98 * writes,
        1.02 * writes,
        "Yes. Run it and see where they come from.",
        [
            _NEGATIVE,
            near(
                write_calls_per_second(), "calls", "That is the number of writes a second; a cart's write is 3 units."
            ),
            near(an_order, "per_order", "That is one order. How many orders come in a second?"),
            near(writes * 3_600, "per_hour", "That is an hour. Divide by its seconds."),
            near(carts * ORDERS_PER_HOUR / 3_600, "carts", "The carts alone. Sessions are small, but there are many."),
            near(writes / 0.7, "provisioned", "That leaves room above the load; here the load itself is asked for."),
            near(writes - carts * ORDERS_PER_HOUR / 3_600, "sessions", "The sessions alone. What do the carts add?"),
            Guess(reads - 0.05, reads + 0.05, "reads", "Those are the reads. Count the writes."),
            near(writes + reads, "both_sides", "Reads and writes have capacities of their own. Count the writes."),
        ],
        ("elsewhere", "Multiply, line by line: times an order, units each, 900 orders in 3,600 seconds. Then add."),
    )
