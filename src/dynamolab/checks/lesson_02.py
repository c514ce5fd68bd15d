"""The predictions of lesson 02, keys."""

from __future__ import annotations

from typing import Any

from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_02")

FOREVER = float("inf")


@exercise.question(
    "a",
    asks="Put a number of items in place of the dots, or run on and see.",
    hints=("The filter works on what has been read. What has to be read to find every abandoned cart?",),
    value="500",
    solution="prediction = 500",
    road="Without a partition key there is nowhere to look, so every item is read; the filter comes after that.",
    misconceptions={
        "only_found": "the filter taken for an index",
        "only_carts": "only the carts counted",
        "out_of_range": "not a possible number",
        "elsewhere": "another number",
    },
)
def _judge_scan(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many items are read",
        500,
        500,
        "Yes, all of them. Run it.",
        [
            Guess(20, 20, "only_found", "A filter chooses what is returned, not what is read. Run it and see."),
            Guess(300, 300, "only_carts", "Profiles and sessions lie in the same table. Run it and see."),
            Guess(501, FOREVER, "out_of_range", "The table has 500 items."),
            Guess(-FOREVER, 19, "out_of_range", "At least the 20 that are found have to be read."),
        ],
        ("elsewhere", "Nothing tells the scan which items it may leave out. Run it and see."),
    )


@exercise.question(
    "b",
    asks="Put a number of items in place of the dots, or run on and see.",
    hints=("How many different pairs are among the five?",),
    value="3",
    solution="prediction = len(set(writes))",
    road="The pair of both keys names an item; five writes have three different pairs, and a put replaces.",
    misconceptions={
        "appends": "a put taken for an insert that always adds",
        "partition_key_only": "the partition key taken for the whole key",
        "fails": "a repeated key taken for an error",
        "elsewhere": "another number",
    },
)
def _judge_pairs(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many items the table holds",
        3,
        3,
        "Yes: ana 1, ana 2 and luis 1. Run it.",
        [
            Guess(5, 5, "appends", "A key stands once in a table: a put on it replaces the item."),
            Guess(2, 2, "partition_key_only", "That is the simple key's table. Here both keys together name an item."),
            Guess(0, 1, "fails", "No write fails: a put on a key that exists replaces the item."),
        ],
        ("elsewhere", "Count the different pairs. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put one of the four numbers in place of the dots, or run on and see.",
    hints=("As text, '10' begins with '1'.",),
    value="9",
    solution="prediction = 9",
    road="Texts are compared byte by byte: '1' < '10' < '2' < '9'.",
    misconceptions={
        "by_value": "text compared by its value",
        "by_writing": "the order of writing",
        "elsewhere": "another number",
    },
)
def _judge_text_order(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "which number comes last",
        9,
        9,
        "Yes: '9' is the largest first byte. Run it.",
        [
            Guess(10, 10, "by_value", "That would be so for the type N. These are texts: run it and see."),
            Guess(1, 2, "by_writing", "Texts are sorted by their bytes, whenever they were written. Run it and see."),
        ],
        ("elsewhere", "It is one of 1, 2, 9 and 10."),
    )


@exercise.question(
    "d",
    asks="Put a number of carts in place of the dots, or run on and see.",
    hints=("Is '2026-08-31T09:00:00Z' before or after '2026-08-31', byte by byte?",),
    value="2",
    solution="prediction = 2",
    road="A text that goes on after the same beginning comes later, so the whole of 31 August is outside the range.",
    misconceptions={
        "whole_day": "the end taken for the whole last day",
        "everything": "the range taken for the month and more",
        "end_excluded": "both ends taken to be excluded",
        "elsewhere": "another number",
    },
)
def _judge_range(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many carts come back",
        2,
        2,
        "Yes: the 31st is lost. Run it and see how to keep it.",
        [
            Guess(3, 3, "whole_day", "So it reads. But the sort key is text, and it goes on after the day: run it."),
            Guess(4, 4, "everything", "The first of September is surely outside. Run it and see."),
            Guess(
                1, 1, "end_excluded", "Both ends belong to the range, and 1 August at 09:00 comes after its beginning."
            ),
        ],
        ("elsewhere", "There are four carts. Run it and see."),
    )


@exercise.question(
    "e",
    asks="Put a number from 0 to 6 in place of the dots, or run on and see.",
    hints=("For which question does the asker not know the customer?",),
    value="5",
    solution="prediction = 5",
    road="C1 to C5 name the customer, C2 and C5 inside their ids; C6 asks about all customers at once.",
    misconceptions={
        "all": "a question without a partition key taken for one that a table answers",
        "id_only": "ids that carry the customer taken for ids that do not",
        "elsewhere": "another number",
    },
)
def _judge_questions(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many of the six the table answers",
        5,
        5,
        "Yes: all but C6, which names no customer.",
        [
            Guess(6, 6, "all", "One of the six names no customer, so there is no place to look. Which one?"),
            Guess(
                3,
                4,
                "id_only",
                "C1, C3 and C4 give the customer. So do C2 and C5: read in the table what their ids hold.",
            ),
        ],
        ("elsewhere", "Go through the six: is the customer known, directly or inside an id?"),
    )


@exercise.question(
    "f",
    asks="Put a number of read units in place of the dots, or run on and see.",
    hints=(
        "A Query pays for the size of everything that it reads, rounded up to 4 KB once.",
        "100 carts of 3 KB are 300 KB and a little; an ordinary read costs half a unit for 4 KB.",
    ),
    value="about 38",
    solution="prediction = 300 / 4 / 2",
    road="300 KB are 75 pieces of 4 KB, half a unit each; names and keys make it a little more.",
    misconceptions={
        "per_request": "one request taken for one price",
        "per_item": "each item charged by itself",
        "strong": "the price of a strongly consistent read",
        "elsewhere": "another number",
    },
)
def _judge_collection(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many read units the query costs",
        36,
        40,
        "Yes: 300 KB, half a unit for each 4 KB. Run it.",
        [
            Guess(0, 1.5, "per_request", "That is what a small collection costs. A Query pays for all that it reads."),
            Guess(50, 52, "per_item", "A Query adds the sizes of its items first and rounds once."),
            Guess(
                100, 102, "per_item", "A Query adds the sizes of its items first and rounds once, in pieces of 4 KB."
            ),
            Guess(74, 80, "strong", "That is for a strongly consistent read. An ordinary one costs half."),
        ],
        ("elsewhere", "Add the sizes of all items, divide by 4 KB, and take half."),
    )
