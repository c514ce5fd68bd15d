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
GROCER_SPEED_UP = 14_400
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


@exercise.question(
    "c",
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
    "d",
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
