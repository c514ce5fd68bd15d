"""The predictions of lesson 05, write sharding."""

from __future__ import annotations

from typing import Any

from ..model.partitions import PARTITION_UNITS
from ..traffic.workload import SHARD_STEPS, sharded_writes
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_05")

RATE, SECONDS, SUFFIXES = 4_000, 2, 10
SLIDER_RATE = 2_800


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
        ("elsewhere", "Something else happens. Run it, then come back to this cell."),
    )


def first_safe_n() -> int:
    """Return the slider's N from which on no N of the slider refuses anything."""
    refused = [sharded_writes(n, item_bytes=1024, writes_per_second=SLIDER_RATE).refused_share > 0 for n in SHARD_STEPS]
    return SHARD_STEPS[max(i for i, some in enumerate(refused) if some) + 1]


@exercise.question(
    "b",
    asks="Put an N in place of the dots, or move the slider and find it.",
    hints=(
        "Three keys can be lucky. How many does it take until luck no longer matters?",
        "Move N up from 1 past every step on which something is refused.",
    ),
    value=f"{first_safe_n()}",
    solution=f"prediction = {first_safe_n()}",
    road="Few keys fall unevenly: some N are lucky on this day, the next one is not. Many keys are even on any day.",
    misconceptions={
        "rate_over_1000": "the rate divided by 1,000, without a margin",
        "partitions": "as many keys as partitions",
        "ten": "ten because everybody takes ten",
        "lucky": "lucky on this day",
        "not_yet": "a larger N still refuses",
        "more_than_needed": "more than it takes",
        "no_n": "no N at all",
    },
)
def _judge_n(answer: Any, learner: Learner) -> Verdict:
    safe = first_safe_n()
    before = SHARD_STEPS[SHARD_STEPS.index(safe) - 1]
    return judge(
        answer,
        "an N",
        before + 1,
        safe,
        f"Yes: at {before} the fullest partition is still over its ceiling, from {safe} on none is.",
        [
            Guess(float("-inf"), 0, "no_n", "N is a number of suffixes: at least 1."),
            Guess(3, 3, "rate_over_1000", "Three keys happen to fall well on this day. Try 4, and 10, and 12."),
            Guess(4, 4, "partitions", "Four keys on four partitions: one of them gets two. Look at the bars."),
            Guess(10, 10, "ten", "Ten keys on four partitions: one of them gets five. Look at the bars."),
            Guess(6, 6, "lucky", "Six keys happen to fall well on this day. Try 7, and 12."),
            Guess(1, before, "not_yet", "Something is refused here, or at a larger N. Go on moving the slider."),
            Guess(safe + 1, float("inf"), "more_than_needed", "Nothing is refused there, but a smaller N does it too."),
        ],
        ("not_yet", "Go on moving the slider."),
    )


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
    },
)
def _judge_product(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many suffixes are used",
        1,
        1,
        "Yes, a single one. Run it and see why.",
        [Guess(150, float("inf"), "even_spread", "So the page says. Run it: it takes one line to count.")],
        ("fewer", "Another number. Run it: it takes one line to count."),
    )
