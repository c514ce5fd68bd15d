"""The predictions of lesson 03, partitions."""

from __future__ import annotations

from typing import Any

from ..model.partitions import PARTITION_UNITS
from ..model.units import read_units
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_03")

SENT, SECONDS, UNITS = 1_000, 5, 10
STORED = PARTITION_UNITS["write"] * SECONDS // UNITS
LOWERED, PARTITIONS_AFTER = 4_000, 64
STATES, PARTITIONS = 3, 40
PAGE_BYTES, READS, READ_SECONDS = 20 * 1024, 2_000, 2
ANSWERED = int(PARTITION_UNITS["read"] / read_units(PAGE_BYTES, consistency="strong")) * READ_SECONDS
_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")


@exercise.question(
    "a",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("What did the table lack before, and what has it got more of now?", "All orders have one partition key."),
    value=str(STORED),
    solution=f"prediction = {STORED}",
    road="One key lives in one partition, and a partition takes 1,000 write units a second, whatever the table has.",
    misconceptions={
        "table_rate": "the table's capacity taken for a key's",
        "tenfold": "a part of the new capacity expected",
        "fewer": "less than before",
        "out_of_range": "not a possible number",
    },
)
def _judge_tenfold(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many orders will be stored",
        0.9 * STORED,
        1.1 * STORED,
        "Yes: as many as before. Run it and look at the reason.",
        [
            _NEGATIVE,
            Guess(SENT + 1, float("inf"), "out_of_range", f"Only {SENT:,} orders are sent."),
            Guess(0.9 * SENT, SENT, "table_rate", "The table could take them all. Can the one key? Run it and see."),
            Guess(0, 0.9 * STORED, "fewer", "Why fewer than before? Nothing was taken away. Run it and see."),
        ],
        ("tenfold", "More capacity, some more orders? Run it and see what the capacity was not the limit of."),
    )


@exercise.question(
    "b",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("What was the limit at 40,000 units? Is it another one at 4,000?",),
    value=str(STORED),
    solution=f"prediction = {STORED}",
    road="Partitions stay, but none is held to an equal share: it takes what the table has, up to its own ceiling.",
    misconceptions={
        "dilution": "the table's units divided by the partitions",
        "table_rate": "the table's capacity taken for a key's",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_lowered(answer: Any, learner: Learner) -> Verdict:
    share = LOWERED / PARTITIONS_AFTER * SECONDS / UNITS
    return judge(
        answer,
        "how many orders will be stored",
        0.9 * STORED,
        1.1 * STORED,
        "Yes: a partition's ceiling, again. Run it and see.",
        [
            _NEGATIVE,
            Guess(SENT + 1, float("inf"), "out_of_range", f"Only {SENT:,} orders are sent."),
            Guess(
                0, 2.5 * share, "dilution", "That is an equal share for each partition, as it was once. Run it and see."
            ),
            Guess(0.9 * SENT, SENT, "table_rate", "The table could take them all; its one hot partition could not."),
        ],
        ("elsewhere", "The limit of the two runs before was the partition's. Is it still? Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of partitions in place of the dots, or run on and see.",
    hints=("In how many partitions can one key be?",),
    value=str(PARTITIONS - STATES),
    solution=f"prediction = {PARTITIONS - STATES}",
    road="A key is in one partition, so three keys are in three at most.",
    misconceptions={
        "none": "keys thought to be spread over all partitions",
        "used": "the used ones instead of the empty ones",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_states(answer: Any, learner: Learner) -> Verdict:
    empty = PARTITIONS - STATES
    return judge(
        answer,
        "how many partitions are empty",
        empty,
        empty,
        "Yes: three keys reach three partitions at most.",
        [
            _NEGATIVE,
            Guess(PARTITIONS + 1, float("inf"), "out_of_range", f"There are {PARTITIONS} partitions."),
            Guess(0, 0, "none", "Each key is in one partition only, however many orders have it."),
            Guess(1, STATES, "used", f"At most {STATES} hold something. The question is how many hold nothing."),
        ],
        ("elsewhere", "Each of the three keys is in one partition. How many can have none at the least?"),
    )


@exercise.question(
    "d",
    asks="Put a number of keys in place of the dots, or move the slider and find it.",
    hints=("Keys fall by chance. When only one partition is empty, how often does the next key hit it?",),
    value="about 170; 175 on the slider",
    solution="prediction = 170",
    road="The last empty partition is hit by one key in 40, so the wait for it alone is 40 keys long.",
    misconceptions={
        "one_each": "keys thought to fall on free partitions",
        "too_few": "fewer than chance needs",
        "too_many": "more than chance needs",
        "out_of_range": "not a possible number",
    },
)
def _judge_all_filled(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many keys it takes",
        110,
        300,
        "Yes, about four times as many keys as partitions. Find the number with the slider.",
        [
            Guess(float("-inf"), 0, "out_of_range", "Without a key every partition is empty."),
            Guess(1, PARTITIONS - 1, "one_each", f"{PARTITIONS} partitions cannot be filled by fewer keys than that."),
            Guess(
                PARTITIONS,
                1.3 * PARTITIONS,
                "one_each",
                "That would do if no two keys shared a partition. They fall by chance: try it with the slider.",
            ),
            Guess(301, float("inf"), "too_many", "Fewer: try it with the slider."),
        ],
        ("too_few", "More: the last empty partitions are hit seldom. Try it with the slider."),
    )


@exercise.question(
    "e",
    asks="Put a number of reads in place of the dots, or run on and see.",
    hints=("How many units does one such read cost? How many does a partition give in a second?",),
    value=f"{ANSWERED:,}",
    solution=f"prediction = {ANSWERED}",
    road="A strongly consistent read of 20 KB costs 5 units: 3,000 ÷ 5 = 600 a second, for two seconds.",
    misconceptions={
        "operations": "units taken for operations",
        "one_second": "the second second forgotten",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_reads(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many reads will be answered",
        0.9 * ANSWERED,
        1.1 * ANSWERED,
        "Yes: 600 a second. Run it and see.",
        [
            _NEGATIVE,
            Guess(READS + 1, float("inf"), "out_of_range", f"Only {READS:,} reads are sent."),
            Guess(
                0.95 * READS,
                READS,
                "operations",
                "A partition gives 3,000 units, and each of these reads takes five. Run it and see.",
            ),
            Guess(0.45 * ANSWERED, 0.55 * ANSWERED, "one_second", "In one second, yes. The drive lasts two."),
        ],
        ("elsewhere", "Divide what a partition gives in a second by what one read costs; two seconds. Run it and see."),
    )
