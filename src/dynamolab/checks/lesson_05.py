"""The predictions of lesson 05, write sharding."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any

from ..model.partitions import PARTITION_UNITS
from ..traffic import grocer
from ..traffic.workload import MOST_SHARDS, SHARD_STEPS, sharded_writes
from .core import Exercise
from .learner import Learner, a_number
from .predictions import Guess, judge
from .verdicts import Verdict, right, wrong

exercise = Exercise("lesson_05")

RATE, SECONDS, SUFFIXES = 4_000, 2, 10
SLIDER_RATE = 2_800
SLIDER_SUFFIXES, SLIDER_STEP = 200, 100
GROCER_SPEED_UP = 14_400
VIEWERS = 7_000
BOARD_UNITS = 0.5
"""Read units of one query for the ten best."""
_DATES = [(dt.date(2026, 1, 1) + dt.timedelta(days=day)).isoformat() for day in range(365)]


@exercise.question(
    "a",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("The limit is the partition's. Nothing keeps several of the ten keys from sharing one.",),
    value="about 6,000 at once, a little more with boto3's retries",
    solution="prediction = 6000",
    road="The ten keys fall on four partitions by chance; the fullest one refuses while the emptiest has room.",
    misconceptions={
        "each_its_own": "ten keys taken for ten partitions",
        "one_key": "ten keys taken for one",
        "elsewhere": "another number",
    },
)
def _judge_ten(answer: Any, learner: Learner) -> Verdict:
    sent = RATE * SECONDS
    stored = float(sharded_writes(SUFFIXES, item_bytes=100, writes_per_second=RATE).admitted_units.sum()) * SECONDS
    return judge(
        answer,
        "how many orders will be stored",
        0.9 * stored,
        0.95 * sent,
        "Yes: most, not all. Run it and see which.",
        [
            Guess(
                0.95 * sent,
                sent,
                "each_its_own",
                "That holds if no two of the ten keys share a partition. There are four partitions. Run it and see.",
            ),
            Guess(
                0,
                1.2 * PARTITION_UNITS["write"] * SECONDS,
                "one_key",
                "That is one key's share; ten keys use more than one partition. Run it and see.",
            ),
        ],
        (
            "elsewhere",
            "More than one key's share and less than all, but not this many. Some of the ten keys share a partition: "
            "run it and see how many.",
        ),
    )


def lost_days(n: int) -> int:
    """Return on how many days of 2026 ``n`` suffixes refuse something at the slider's rate, on four partitions."""
    return sum(
        sharded_writes(n, item_bytes=1024, writes_per_second=SLIDER_RATE, day=f"PEDIDOS#{date}").refused_share > 0
        for date in _DATES
    )


@functools.cache
def first_safe_n() -> int:
    """Return the slider's first N that refuses nothing on any day of 2026."""
    return next(n for n in SHARD_STEPS if lost_days(n) == 0)


@exercise.question(
    "b",
    asks="Put an N in place of the dots, or move the slider and find it.",
    hints=(
        "Few keys are lucky on one day and not on the next. Which row of the year's table holds the worst day?",
        "Look for the first column whose min is above 2,800.",
    ),
    value=str(first_safe_n()),
    solution=f"prediction = {first_safe_n()}",
    road="The row min of the year's table: the first column in which the worst day still takes 2,800 units.",
    misconceptions={
        "rate_over_1000": "the rate divided by 1,000, without a margin",
        "partitions": "as many keys as partitions",
        "one_day": "good on some days only",
        "more_than_needed": "more than it takes",
        "no_n": "no N at all",
    },
)
def _judge_n(answer: Any, learner: Learner) -> Verdict:
    n = a_number(answer, "an N")
    if not n.is_integer() or not 1 <= n <= MOST_SHARDS:
        wrong("no_n", f"N is a whole number of suffixes, from 1 to {MOST_SHARDS:,}.")
    lost, safe = lost_days(int(n)), first_safe_n()
    if lost:
        name = {3: "rate_over_1000", 4: "partitions"}.get(int(n), "one_day")
        wrong(name, f"With {n:g} suffixes something is refused on {lost} of the {len(_DATES)} days of 2026.")
    if n > safe:
        wrong("more_than_needed", "Nothing is refused on any day, but a smaller N of the table does it too.")
    return right(f"Yes: with {n:g} suffixes nothing is refused on any of the {len(_DATES)} days of 2026.")


@functools.cache
def highest_rate() -> int:
    """Return the slider's highest rate of 1 KB writes that 200 suffixes take on the lesson's day, nothing refused."""
    rates = range(SLIDER_STEP, 10_001, SLIDER_STEP)
    return max(rate for rate in rates if not _refused_share(rate))


def _refused_share(rate: int) -> float:
    return sharded_writes(SLIDER_SUFFIXES, item_bytes=1024, writes_per_second=rate).refused_share


@exercise.question(
    "c",
    asks="Put a rate in place of the dots: move the slider of the writes until something is hatched.",
    hints=("The sentence under the bars says how the 200 keys fell. The fullest partition decides.",),
    value=f"{highest_rate():,}",
    solution=f"prediction = {highest_rate()}",
    road="The fullest partition holds 57 of the 200 keys: 1,000 x 200 / 57, and the slider goes in steps of 100.",
    misconceptions={
        "even": "200 keys taken for perfectly even",
        "each_its_own": "200 keys taken for 200 partitions",
        "one_key": "the fullest partition taken for all",
        "refuses": "a rate that refuses something",
        "more_room": "a rate below the limit",
        "out_of_range": "not a possible number",
    },
)
def _judge_rate(answer: Any, learner: Learner) -> Verdict:
    highest, ceiling = highest_rate(), PARTITION_UNITS["write"]
    exact = ceiling * SLIDER_SUFFIXES / _fullest()
    return judge(
        answer,
        "a rate of writes",
        highest,
        exact,
        f"Yes: {highest:,}. The fullest partition holds {_fullest()} of the {SLIDER_SUFFIXES} keys, not 50.",
        [
            Guess(float("-inf"), 0, "out_of_range", "A rate is above 0."),
            Guess(
                ceiling, ceiling, "one_key", "That is one partition full. The load lies on four: move the writes up."
            ),
            Guess(1, highest - 1, "more_room", "Nothing is refused there, and there is room for more: move it up."),
            Guess(
                4 * ceiling,
                4 * ceiling,
                "even",
                "That would take exactly 50 keys in each partition. Read under the bars how they fell.",
            ),
            Guess(
                SLIDER_SUFFIXES * ceiling,
                SLIDER_SUFFIXES * ceiling,
                "each_its_own",
                "200 keys on four partitions: four times 1,000 units is the most that there is.",
            ),
        ],
        ("refuses", "Set the slider there: a part of a bar is hatched, so something is refused."),
    )


def _fullest() -> int:
    day = sharded_writes(SLIDER_SUFFIXES, item_bytes=1024, writes_per_second=SLIDER_STEP)
    return int(day.keys_per_partition.max())


@exercise.question(
    "d",
    asks="Put a number from 1 to 200 in place of the dots, or run on and see.",
    hints=("When can a product be divided by 200? What happens to it after that?",),
    value="1",
    solution="prediction = 1",
    road="Dashes, 2s and 7s bring the two 5s, even digits the three 2s; from then on the product is 0 modulo 200.",
    misconceptions={
        "even_spread": "the formula is trusted",
        "fewer": "fewer still",
        "out_of_range": "not a possible number",
    },
)
def _judge_product(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many suffixes are used",
        1,
        1,
        "Yes, a single one. Run it and see why.",
        [
            Guess(201, float("inf"), "out_of_range", "There are 200 suffixes."),
            Guess(float("-inf"), 0, "out_of_range", "Every order gets some suffix."),
            Guess(150, 200, "even_spread", "So the page says. Run it: it takes one line to count."),
        ],
        ("fewer", "Fewer still. Run it: it takes one line to count."),
    )


@functools.cache
def stored_by_day() -> int:
    """Return how many lines of the grocer's busiest day one key takes at the lesson's speed, without retries."""
    seconds = (grocer.busiest_day()["second"] / GROCER_SPEED_UP).astype(int)
    return int(seconds.value_counts().clip(upper=PARTITION_UNITS["write"]).sum())


@exercise.question(
    "e",
    asks="Put a number of lines in place of the dots, or run on and see.",
    hints=("One key takes 1,000 units a second. Are the six seconds of this day equally busy?",),
    value="about 4,000",
    solution="prediction = 4000",
    road="One key takes at most 1,000 lines a second. Quiet hours use less of it; the busy hours lose the rest.",
    misconceptions={
        "all": "the hot hours forgotten",
        "even_day": "the quiet hours forgotten",
        "elsewhere": "another number",
    },
)
def _judge_grocer(answer: Any, learner: Learner) -> Verdict:
    stored, sent = stored_by_day(), len(grocer.busiest_day())
    return judge(
        answer,
        "how many lines will be stored",
        0.9 * stored,
        1.1 * stored,
        "Yes: the busy hours lose lines, the quiet ones have room. Run it and see.",
        [
            Guess(
                5_500,
                6_100,
                "even_day",
                "Six seconds of 1,000 would be taken if every hour asked for that much. At night few people shop.",
            ),
            Guess(
                6_101,
                sent,
                "all",
                "One key takes 1,000 lines a second, and a second holds four hours of this day. Run it and see.",
            ),
        ],
        ("elsewhere", "One key takes 1,000 a second for six seconds, and not every second is full. Run it and see."),
    )


@exercise.question(
    "f",
    asks="Put a number of viewers in place of the dots, or run on and see.",
    hints=("One key lives in one partition: 3,000 read units a second. What does one query cost?",),
    value="about 6,000",
    solution="prediction = 6000",
    road="A partition takes 3,000 read units a second, and a query for the ten best costs half of one.",
    misconceptions={
        "unit_each": "a query taken for a whole unit",
        "all": "the table's rate taken for a key's",
        "write_ceiling": "the limit of writes taken for that of reads",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_viewers(answer: Any, learner: Learner) -> Verdict:
    answered = PARTITION_UNITS["read"] / BOARD_UNITS
    return judge(
        answer,
        "how many viewers get the board",
        0.95 * answered,
        1.05 * answered,
        "Yes: 3,000 units, half a unit each. Run it and see.",
        [
            Guess(VIEWERS + 1, float("inf"), "out_of_range", f"Only {VIEWERS:,} viewers ask."),
            Guess(float("-inf"), -1, "out_of_range", "No fewer than 0 viewers can be answered."),
            Guess(
                0.98 * VIEWERS,
                VIEWERS,
                "all",
                "The table could: 12,000 units. But all of them ask one key, and it lives in one partition.",
            ),
            Guess(0.9 * PARTITION_UNITS["read"], 1.1 * PARTITION_UNITS["read"], "unit_each", "Half a unit each."),
            Guess(
                0.9 * PARTITION_UNITS["write"],
                2.2 * PARTITION_UNITS["write"],
                "write_ceiling",
                "1,000 is the limit of writes. For reads it is 3,000 units.",
            ),
        ],
        ("elsewhere", "Divide what one partition may read in a second by what one query costs. Run it and see."),
    )
