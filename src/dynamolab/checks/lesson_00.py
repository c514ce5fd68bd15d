"""The predictions of lesson 00, first throttle."""

from __future__ import annotations

from typing import Any

from ..model.partitions import ON_DEMAND_PARTITIONS, PARTITION_UNITS
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_00")

RATE, SECONDS = 4_000, 2
SENT = RATE * SECONDS
ONE_PARTITION = PARTITION_UNITS["write"] * SECONDS
WHOLE_TABLE = ONE_PARTITION * ON_DEMAND_PARTITIONS
OTHER_DAY = 100
"""Orders of the next day, mixed into one second of the rush."""


@exercise.question(
    "a",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("All these orders have one and the same partition key.",),
    value=f"about {ONE_PARTITION:,}",
    solution=f"prediction = {ONE_PARTITION}",
    road="One key lives in one partition, and a partition takes 1,000 write units in each of the two seconds.",
    misconceptions={
        "table_rate": "the table's rate taken for a key's",
        "none": "a throttle taken for a stop",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_one_key(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many orders will be stored",
        0.9 * ONE_PARTITION,
        1.25 * ONE_PARTITION,
        "Yes, about a quarter. Run it and see why.",
        [
            Guess(SENT + 1, float("inf"), "out_of_range", f"Only {SENT:,} orders are sent."),
            Guess(float("-inf"), -1, "out_of_range", "No fewer than 0 orders can be stored."),
            Guess(0, 100, "none", "A throttled table goes on working: it takes what it can and refuses the rest."),
            Guess(
                0.8 * SENT,
                SENT,
                "table_rate",
                "That is what the table was promised. Nobody promised it to a single key: run it and see.",
            ),
        ],
        (
            "elsewhere",
            f"Between none and all {SENT:,}, but not this many: what limits the rate is neither the table nor the "
            "account. Run it and see.",
        ),
    )


@exercise.question(
    "b",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("The 7th has another partition key. Where does it live?",),
    value=f"all {OTHER_DAY}",
    solution=f"prediction = {OTHER_DAY}",
    road="The 7th lives in another partition, which has 1,000 write units a second of its own and nothing to do.",
    misconceptions={
        "shared": "the refusals taken for the whole table's",
        "closed": "the table taken for closed",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_other_day(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many orders of the 7th will be stored",
        0.98 * OTHER_DAY,
        OTHER_DAY,
        "Yes, all of them: the 7th lives in another partition. Run it and see.",
        [
            Guess(OTHER_DAY + 1, float("inf"), "out_of_range", f"Only {OTHER_DAY} orders are sent for the 7th."),
            Guess(float("-inf"), -1, "out_of_range", "No fewer than 0 orders can be stored."),
            Guess(0, 5, "closed", "What is full is one partition, not the table. Does the 7th live there too?"),
            Guess(
                0.15 * OTHER_DAY,
                0.4 * OTHER_DAY,
                "shared",
                "A quarter is what the 6th gets, of its own partition. The 7th does not stand in that queue.",
            ),
        ],
        ("elsewhere", "Look where the three days live: does anything limit the 7th? Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("200 keys, four partitions: how much does each partition have to take?",),
    value=f"nearly all of {SENT:,}",
    solution=f"prediction = {SENT - 100}",
    road="200 keys spread over four partitions almost evenly, so each is asked for about 1,000 units a second.",
    misconceptions={
        "no_change": "as if the suffix changed nothing",
        "too_few": "the suffixes spread better than that",
        "out_of_range": "not a possible number",
    },
)
def _judge_suffixes(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many orders will be stored",
        0.93 * WHOLE_TABLE,
        SENT,
        "Yes, nearly all. Run it and look at the partitions.",
        [
            Guess(
                0,
                1.25 * ONE_PARTITION,
                "no_change",
                "Each suffix is a partition key of its own, and keys spread over all partitions.",
            ),
            Guess(SENT + 1, float("inf"), "out_of_range", f"Only {SENT:,} orders are sent."),
            Guess(float("-inf"), -1, "out_of_range", "No fewer than 0 orders can be stored."),
        ],
        ("too_few", "200 keys on four partitions lose only a little. Run it and see."),
    )
