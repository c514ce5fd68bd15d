"""The predictions of lesson 01, the data model."""

from __future__ import annotations

from typing import Any

from ..model.sizes import MAX_ITEM_BYTES
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_01")

FOREVER = float("inf")
NOTE_NAMES = len("PK") + len("CLIENTE#4471") + len("nota")
NOTE_LETTERS = MAX_ITEM_BYTES - NOTE_NAMES


@exercise.question(
    "a",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=(
        "The cart took 3 units before. Which part of a line is longer, its names or its values?",
        "Long, the three names of a line are 51 letters; short, 4. There are 42 lines.",
    ),
    value="1",
    solution="prediction = 1",
    road="42 lines lose 47 bytes of names each, nearly 2 KB of the 2.9: less than 1 KB remains, which is one unit.",
    misconceptions={
        "names_free": "names taken for free, as a column's is in SQL",
        "too_little": "the names' share taken for small",
        "out_of_range": "not a possible number",
    },
)
def _judge_names(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many write units it costs",
        1,
        1,
        "Yes, a third. Run it.",
        [
            Guess(
                3, 3, "names_free", "That would be so if names cost nothing. Each line carries them: run it and see."
            ),
            Guess(1.01, 2.99, "too_little", "Names are more than half of this cart. Run it and see."),
        ],
        ("out_of_range", "A write costs at least 1 unit, and shorter names do not make it dearer than 3."),
    )


@exercise.question(
    "b",
    asks="Put a number of bytes in place of the dots, or run on and see.",
    hints=("Zeros at either end of a number are not stored.",),
    value="2",
    solution="prediction = 2",
    road="The one digit that matters takes a byte, and every number other than 0 has a byte more.",
    misconceptions={
        "as_text": "a byte for each digit, as in a text",
        "machine_word": "a machine's fixed-size number",
        "all_pairs": "the zeros counted as well",
        "elsewhere": "another number",
    },
)
def _judge_million(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many bytes it takes",
        2,
        2,
        "Yes: one for the digit that matters, one for the rest. Run it and compare.",
        [
            Guess(7, 7, "as_text", "So it travels, as text. It is stored more tightly: run it and see."),
            Guess(9, 9, "as_text", "So people write it. It is stored more tightly: run it and see."),
            Guess(8, 8, "machine_word", "DynamoDB's numbers are decimal and have no fixed size. Run it and see."),
            Guess(
                4,
                5,
                "all_pairs",
                "Seven digits would need that, two to a byte. But which of the seven tell something? Run it and see.",
            ),
        ],
        ("elsewhere", "Think of which of the seven digits tell something. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of lines in place of the dots: work it out, or find it with the slider.",
    hints=(
        "A line with long names takes 69 bytes; without any line the item takes 47.",
        "The second unit begins with byte 1,025.",
    ),
    value="15",
    solution="prediction = 15",
    road="47 + 14 × 69 = 1,013 bytes still fit into one unit; 47 + 15 × 69 = 1,082 do not.",
    misconceptions={
        "last_that_fits": "the last cart that still costs one unit",
        "short_names": "counted with the short names",
        "values_only": "the names or the overhead left out",
        "elsewhere": "another number",
    },
)
def _judge_lines(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "at how many lines the second unit begins",
        15,
        15,
        "Yes: 14 lines are 1,013 bytes, the 15th line costs a second unit at each write.",
        [
            Guess(14, 14, "last_that_fits", "14 lines are the last that still cost 1 unit. One more."),
            Guess(44, 45, "short_names", "That is with short names. Switch the names to long."),
            Guess(
                16, 100, "values_only", "Too many: count each line's names, and 3 + 1 bytes for its map and its place."
            ),
        ],
        ("elsewhere", "Not there. Set the names to long and move the lines up one step at a time from 10."),
    )


@exercise.question(
    "d",
    asks="Put a number of products in place of the dots, or run on and see.",
    hints=("Of the four, which one holds its price as text?",),
    value="3",
    solution="prediction = 3",
    road="A text never equals a number, so D is left out; so is C, whose attribute has another name.",
    misconceptions={
        "converted": "types taken to be converted, as SQL does",
        "fails": "a mixture of types taken for an error",
        "elsewhere": "another number",
    },
)
def _judge_types(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many products come back",
        3,
        3,
        "Yes: the text is left out, without a word. Run it.",
        [
            Guess(4, 5, "converted", "DynamoDB converts nothing, and C has no attribute of that name. Run it and see."),
            Guess(0, 0, "fails", "No error is raised: what does not fit is left out. Run it and see."),
        ],
        ("elsewhere", "Count those whose price is a number. Run it and see."),
    )


@exercise.question(
    "e",
    asks="Put a number of letters in place of the dots, or run on and see.",
    hints=("What else is in the item? PK, CLIENTE#4471 and nota are bytes too.",),
    value=f"{NOTE_LETTERS:,}",
    solution=f"prediction = 400 * 1024 - {NOTE_NAMES}",
    road="400 KB are 409,600 bytes; the name PK takes 2, its value 12, the name nota 4.",
    misconceptions={
        "whole_limit": "names and key left out",
        "decimal_kb": "a KB taken for 1,000 bytes",
        "some_left_out": "some of the 18 bytes left out",
        "too_large": "more than fits",
        "elsewhere": "another number",
    },
)
def _judge_room(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many letters fit",
        NOTE_LETTERS,
        NOTE_LETTERS,
        "Yes, to the byte. Run it.",
        [
            Guess(
                MAX_ITEM_BYTES, MAX_ITEM_BYTES, "whole_limit", "That is the item's limit. Names and key count as well."
            ),
            Guess(399_900, 400_000, "decimal_kb", "A KB is 1,024 bytes here."),
            Guess(NOTE_LETTERS - 20, MAX_ITEM_BYTES, "some_left_out", "Close. Count PK, CLIENTE#4471 and nota."),
            Guess(MAX_ITEM_BYTES, FOREVER, "too_large", "That is more than 400 KB by itself."),
        ],
        ("elsewhere", "Less than that is lost: take the names and the key from 409,600 bytes."),
    )
