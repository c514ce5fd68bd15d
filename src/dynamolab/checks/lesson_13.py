"""The predictions of lesson 13, time to live."""

from __future__ import annotations

from typing import Any

from ..model.units import write_units
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_13")

SPELLINGS, WORKING_SPELLINGS = 3, 1
WAYS, WORKING_WAYS = 8, 2
CARTS, CART_BYTES = 100, 3_000
LINES_SHOWN = 2
_BY_HAND = CARTS * write_units(CART_BYTES)
_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")


@exercise.question(
    "a",
    asks="Put a number of carts in place of the dots, or run on and see.",
    hints=("Look at the type and at the size of the three values. What does DynamoDB expect?",),
    value=str(SPELLINGS - WORKING_SPELLINGS),
    solution=f"prediction = {SPELLINGS - WORKING_SPELLINGS}",
    road="Only a Number of seconds counts. Milliseconds are seconds far in the future, a text is no time at all.",
    misconceptions={
        "all_work": "each spelling taken for a time",
        "text_only": "milliseconds taken for a time",
        "none_works": "TTL taken for a thing that never fires",
        "out_of_range": "not a possible number",
    },
)
def _judge_spellings(answer: Any, learner: Learner) -> Verdict:
    left = SPELLINGS - WORKING_SPELLINGS
    return judge(
        answer,
        "how many carts are left",
        left,
        left,
        "Yes. Run it and see which one is gone.",
        [
            _NEGATIVE,
            Guess(0, 0, "all_work", "Nothing was refused, but not everything that is stored is an expiry. Run it."),
            Guess(1, 1, "text_only", "A text is not the only value here that names no hour from now. Run it and see."),
            Guess(SPELLINGS, SPELLINGS, "none_works", "One of the three is right, and a month is long enough."),
        ],
        ("out_of_range", f"There are {SPELLINGS} carts."),
    )


@exercise.question(
    "b",
    asks="Put a number from 0 to 8 in place of the dots, or run on and see.",
    hints=("Go through the rule item by item: type, name, place, size.", "Do not forget the five years."),
    value=str(WORKING_WAYS),
    solution=f"prediction = {WORKING_WAYS}",
    road="Seconds in a minute from now and seconds of a year ago count; six years ago is too long ago.",
    misconceptions={
        "only_future": "an expiry in the past overlooked",
        "five_years": "the five years, or one other part of the rule, overlooked",
        "lenient": "the service taken for one that guesses what was meant",
        "none": "nothing taken for valid",
        "out_of_range": "not a possible number",
    },
)
def _judge_ways(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many items are deleted",
        WORKING_WAYS,
        WORKING_WAYS,
        "Yes. Run it and see which.",
        [
            _NEGATIVE,
            Guess(0, 0, "none", "The first one follows the rule to the letter."),
            Guess(1, 1, "only_future", "What has expired before it was written has expired all the same."),
            Guess(3, 3, "five_years", "One fewer: an expiry more than five years in the past is ignored."),
            Guess(4, WAYS, "lenient", "The service does not guess: another type, name or place is no expiry."),
        ],
        ("out_of_range", f"There are {WAYS} items, and each is deleted or not."),
    )


@exercise.question(
    "c",
    asks="Put a number of carts in place of the dots, or run on and see.",
    hints=("The service deletes when it has time to spare.",),
    value="nearly all 100",
    solution=f"prediction = {CARTS}",
    road="Deletion comes within days. One minute after the expiry hardly any cart is gone.",
    misconceptions={
        "timer": "TTL taken for a timer",
        "half": "the deletion taken for quick",
        "out_of_range": "not a possible number",
    },
)
def _judge_late(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many carts are still read",
        0.8 * CARTS,
        CARTS,
        "Yes, about all of them. Run it and see.",
        [
            _NEGATIVE,
            Guess(0, 0.1 * CARTS, "timer", "An expiry is no timer: it says from when on the service may delete."),
            Guess(0.1 * CARTS, 0.8 * CARTS, "half", "The service takes hours to days over it, not a minute."),
        ],
        ("out_of_range", f"There are {CARTS} carts."),
    )


@exercise.question(
    "d",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("The service deletes in the background. Whose capacity would it use?",),
    value="0",
    solution="prediction = 0",
    road="A deletion by TTL consumes no write units in the region in which the item expires.",
    misconceptions={
        "as_a_delete": "priced like DeleteItem",
        "one_each": "priced at one unit each",
        "something": "another price",
        "out_of_range": "not a possible number",
    },
)
def _judge_price(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "the write units of the deletions",
        0,
        0,
        "Yes, nothing. Run it and see.",
        [
            _NEGATIVE,
            Guess(
                _BY_HAND,
                _BY_HAND,
                "as_a_delete",
                "That is what your own DeleteItem calls would cost. Is it you who deletes? Run it and see.",
            ),
            Guess(
                CARTS,
                CARTS,
                "one_each",
                "One unit is the least that a write of yours costs. Is it you who deletes? Run it and see.",
            ),
        ],
        ("something", "Ask whose work this is before you ask how large the carts are. Run it and see."),
    )


@exercise.question(
    "e",
    asks="Put a number of lines in place of the dots, or run on and see.",
    hints=("What does update_item do with a key that is not there?",),
    value="0",
    solution="prediction = 0",
    road="update_item creates the item that it does not find, with nothing but what the expression sets.",
    misconceptions={
        "as_shown": "the update taken for one that brings the old cart back",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_rescue(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many lines the cart has",
        0,
        0,
        "Yes, none: and yet no error. Run it and see.",
        [
            _NEGATIVE,
            Guess(
                LINES_SHOWN,
                LINES_SHOWN,
                "as_shown",
                "That was shown ten hours ago. The update knows nothing of it: it sets one attribute. Run it and see.",
            ),
        ],
        ("elsewhere", "The update sets one attribute, and it is not the lines. Run it and see."),
    )
