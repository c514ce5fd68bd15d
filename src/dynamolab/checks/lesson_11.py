"""The predictions of lesson 11, secondary indexes."""

from __future__ import annotations

from typing import Any

from ..model.partitions import ON_DEMAND_PARTITIONS
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_11")

CART_UNITS = 3
"""Write units of the lesson's cart, for the table and for an index that copies it whole."""
CARTS, INCIDENTS = 1_000, 12

_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")


@exercise.question(
    "a",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("Which attributes has this cart? Which of the two indexes has something to store?",),
    value=f"{2 * CART_UNITS}",
    solution=f"prediction = {2 * CART_UNITS}",
    road="The table stores 3 KB, the index by state stores 3 KB again, and the cart is not in the other index.",
    misconceptions={
        "free": "an index taken for free",
        "every_index": "every index taken for paid",
        "entry": "an index taken for a list of pointers",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_put(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "the write units of the put, indexes included",
        2 * CART_UNITS,
        2 * CART_UNITS,
        "Yes: the table once, one index once, the other not at all. Run it and see.",
        [
            _NEGATIVE,
            Guess(
                CART_UNITS,
                CART_UNITS,
                "free",
                "That is the table alone. An index stores the cart again: run it and see.",
            ),
            Guess(
                3 * CART_UNITS,
                3 * CART_UNITS,
                "every_index",
                "That is three times the cart. Does this cart have the attribute incidencia? Run it and see.",
            ),
            Guess(
                CART_UNITS + 1,
                CART_UNITS + 2,
                "entry",
                "An entry of keys alone would cost 1. These indexes copy all attributes: run it and see.",
            ),
        ],
        ("elsewhere", "Count table and indexes one by one, each by the size of what it stores. Run it and see."),
    )


@exercise.question(
    "b",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("Where does the entry stand in the index before, and where after?",),
    value=f"{3 * CART_UNITS}",
    solution=f"prediction = {3 * CART_UNITS}",
    road="The table writes 3. The index deletes the entry under abierto, 3, and puts it under pagado, 3.",
    misconceptions={
        "table_only": "an index taken for free",
        "in_place": "the entry changed in place",
        "small_change": "only the changed bytes counted",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_move(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "the write units of the update, index included",
        3 * CART_UNITS,
        3 * CART_UNITS,
        "Yes: the entry leaves one place and enters another, and both are paid.",
        [
            _NEGATIVE,
            Guess(0, CART_UNITS - 1, "small_change", "An update pays for the whole item, however little changes."),
            Guess(CART_UNITS, CART_UNITS, "table_only", "That is the table alone. The index follows each change."),
            Guess(
                2 * CART_UNITS,
                2 * CART_UNITS,
                "in_place",
                "That would be an entry changed where it stands. But estado is the key of the entry, and a key cannot "
                "be changed: what must the index do instead?",
            ),
        ],
        ("elsewhere", "The table once; then count what the index must do, each time with 3 KB. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of entries in place of the dots, or run on and see.",
    hints=("What decides that an item is in the index: the value of incidencia, or that there is one?",),
    value=f"{INCIDENTS}",
    solution=f"prediction = {INCIDENTS}",
    road="The twelve items still have the index's key attribute, with another value. Their entries move and stay.",
    misconceptions={
        "by_value": "an index taken for a list of the items with one value",
        "both_entries": "the old entry taken to stay beside the new one",
        "all": "an index of everything, as in SQL",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_sparse(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many entries the index holds",
        INCIDENTS,
        INCIDENTS,
        "Yes: they have the index's key, so they are in it. Run it and see.",
        [
            _NEGATIVE,
            Guess(CARTS + 1, float("inf"), "out_of_range", f"The table holds only {CARTS:,} carts."),
            Guess(
                0,
                0,
                "by_value",
                "The index does not know which value you ask for. Have the twelve lost its key? Run it and see.",
            ),
            Guess(
                2 * INCIDENTS,
                2 * INCIDENTS,
                "both_entries",
                "An item has one entry in an index: when its key changes, the old entry is deleted.",
            ),
            Guess(
                CARTS,
                CARTS,
                "all",
                "An SQL index lists every row, NULL or not. Here an entry needs its key: no key, no entry. "
                "Run it and see.",
            ),
        ],
        ("elsewhere", "Ask of each cart whether it has the index's key. Run it and see."),
    )


@exercise.question(
    "d",
    asks="Put a number of partitions in place of the dots, or run on and see.",
    hints=("Which value of estado do all new carts have?",),
    value="1",
    solution="prediction = 1",
    road="The index's partition key is estado; all new carts have the same, so they share one partition.",
    misconceptions={
        "as_the_table": "the index taken to be spread as its table",
        "by_sort_key": "the sort key taken to spread",
        "out_of_range": "not a possible number",
    },
)
def _judge_hot(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "over how many partitions the index spreads the carts",
        1,
        1,
        "Yes, one: a single value of estado, a single partition.",
        [
            Guess(float("-inf"), 0, "out_of_range", "The carts go somewhere."),
            Guess(
                ON_DEMAND_PARTITIONS,
                ON_DEMAND_PARTITIONS,
                "as_the_table",
                "So does the table, by the customer. The index goes by its own partition key. Run it and see.",
            ),
            Guess(ON_DEMAND_PARTITIONS + 1, float("inf"), "out_of_range", "The index has four partitions."),
        ],
        ("by_sort_key", "Only the partition key decides on the partition, and it has one value here. Run it and see."),
    )
