"""The predictions of lesson 06, burst and adaptive capacity."""

from __future__ import annotations

import functools
from typing import Any

from ..model.parameters import DEFAULTS
from ..model.partitions import PARTITION_UNITS
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_06")

CAPACITY, FIRST, RATE, SECONDS = 5, 10, 50, 60
LOAD = {0: 50, 1: 50, 2: 50, 3: 150}
TABLE_UNITS = 400
HOT = 600
_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")
_OUT_OF_RANGE = {"out_of_range": "not a possible number"}


@functools.cache
def admitted_after_the_first() -> int:
    """Return how many of the writes of the second run the 5-WCU table admits: what is saved, and what flows in."""
    level, admitted = float(CAPACITY * DEFAULTS.burst_seconds), [0.0, 0.0]
    for second in range(FIRST + SECONDS):
        level = min(CAPACITY * DEFAULTS.burst_seconds, level + CAPACITY)
        given = min(RATE, level)
        level -= given
        admitted[second >= FIRST] += given
    return int(admitted[1])


@exercise.question(
    "a",
    asks="Put a number of writes in place of the dots, or run on and see.",
    hints=("What did the table save before the first write, and how much of it is left?", "5 units come each second."),
    value="about 1,350",
    solution="prediction = 1350",
    road="300 s of 5 units are 1,500 saved. 500 are gone; what is left and 60 seconds of 5 units make about 1,350.",
    misconceptions={
        "all": "what went well for ten seconds taken for what goes well for ever",
        "no_burst": "what was saved forgotten",
        "whole_burst": "what was saved, without what flows in or what is spent",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_burst(answer: Any, learner: Learner) -> Verdict:
    admitted = admitted_after_the_first()
    return judge(
        answer,
        "how many writes are admitted",
        0.95 * admitted,
        1.05 * admitted,
        "Yes: what is still saved, and 5 more each second. Run it and see.",
        [
            _NEGATIVE,
            Guess(2_900, RATE * SECONDS, "all", "Ten seconds went well. What did they use up? Run it and see."),
            Guess(
                CAPACITY * SECONDS - 10,
                CAPACITY * SECONDS + 10,
                "no_burst",
                "That is 5 a second. By that rule the first 500 would not have passed either. Run it and see.",
            ),
            Guess(
                1_450,
                1_850,
                "whole_burst",
                "That is what the table had at the beginning; 500 are spent. Run it and see.",
            ),
        ],
        ("elsewhere", "What is saved for 300 seconds, less 500, and what flows in during 60 seconds. Run it and see."),
    )


@exercise.question(
    "b",
    asks="Put a number of write units a second in place of the dots, or run on and see.",
    hints=("Which part of the table's 400 units has one of four partitions, if nothing is ever moved?",),
    value="100",
    solution="prediction = 100",
    road="A fixed quarter of 400 is 100. The other quarters are half idle, and nothing of them can be used.",
    misconceptions={
        "all": "the table's total taken for the limit",
        "whole_table": "the table's total taken for the partition's part",
        "ceiling": "the partition's ceiling taken for its part",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_static(answer: Any, learner: Learner) -> Verdict:
    part = TABLE_UNITS // len(LOAD)
    ceiling = PARTITION_UNITS["write"]
    return judge(
        answer,
        "the write units a second of the hot partition",
        part,
        part,
        "Yes, its quarter and no more. Run it and see.",
        [
            _NEGATIVE,
            Guess(150, 150, "all", "The total fits, 300 of 400. But here each partition has a fixed quarter: run it."),
            Guess(
                TABLE_UNITS, TABLE_UNITS, "whole_table", "That is the table. In this design a partition has a quarter."
            ),
            Guess(
                ceiling, ceiling, "ceiling", "That is the most that any partition gives. This one has a quarter of 400."
            ),
        ],
        ("elsewhere", "A fixed quarter of 400, once what was saved is used up. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of write units a second in place of the dots, or run on and see.",
    hints=("Add up what is asked for. Which of the limits comes first: the partition's or the table's?",),
    value="400",
    solution="prediction = 400",
    road="750 are asked for. The hot partition is below 1,000, but the table has 400.",
    misconceptions={
        "all": "adaptive capacity taken for a way beyond what is provisioned",
        "static": "the fixed quarters of the old design",
        "ceiling": "the partition's ceiling taken for the limit",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_total(answer: Any, learner: Learner) -> Verdict:
    asked = HOT + sum(units for partition, units in LOAD.items() if partition < 3)
    return judge(
        answer,
        "the write units a second that the table admits",
        TABLE_UNITS,
        TABLE_UNITS,
        "Yes: shares move, the sum does not grow. Run it and see.",
        [
            _NEGATIVE,
            Guess(
                asked,
                asked,
                "all",
                "Adaptive capacity moves what the table has. It has 400 units a second: run it and see.",
            ),
            Guess(250, 250, "static", "So it was with fixed quarters: 50, 50, 50 and 100. Today shares move: run it."),
            Guess(1_000, 1_000, "ceiling", "The hot partition could, but who would pay for it? Run it and see."),
        ],
        ("elsewhere", "The smaller of what is asked for and what is provisioned. Run it and see."),
    )


@exercise.question(
    "d",
    asks="Put a number of write units a second in place of the dots, or run on and see.",
    hints=("Can a partition be smaller than one item? What does a partition give at most?",),
    value="1,000",
    solution="prediction = 1000",
    road="One item lies in one partition, and a partition gives 1,000 write units a second, alone or not.",
    misconceptions={
        "all": "a split taken for a cure of every hot key",
        "halved": "the item shared between two partitions",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_item(answer: Any, learner: Learner) -> Verdict:
    ceiling = PARTITION_UNITS["write"]
    return judge(
        answer,
        "the write units a second of one item",
        0.98 * ceiling,
        1.02 * ceiling,
        "Yes: a partition's, for ever. Run it and see.",
        [
            _NEGATIVE,
            Guess(1_450, 1_550, "all", "The two items could be parted. What is there to part now? Run it and see."),
            Guess(700, 800, "halved", "One item cannot lie in two partitions. Run it and see."),
        ],
        ("elsewhere", "One item, one partition. What does a partition give? Run it and see."),
    )
