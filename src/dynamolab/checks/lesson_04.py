"""The predictions of lesson 04, hot partitions."""

from __future__ import annotations

from typing import Any

from ..model.partitions import ON_DEMAND_PARTITIONS, PARTITION_UNITS
from .core import Exercise
from .learner import WRONG_TYPE, Learner
from .predictions import Guess, judge
from .verdicts import Verdict, right, wrong

exercise = Exercise("lesson_04")

CEILING = PARTITION_UNITS["write"]
TABLE = CEILING * ON_DEMAND_PARTITIONS
CLICKS, REFUSED = 3_780, 198
RATE, ACME = 3_600, 0.8
OTHERS = RATE * (1 - ACME)
WITH_ACME = CEILING + OTHERS * (1 - 1 / ON_DEMAND_PARTITIONS)
SKEW = 0.5
FIRST_REFUSED = CEILING / (SKEW + (1 - SKEW) / ON_DEMAND_PARTITIONS)
ON_THE_SLIDER = 1_750
"""The first step of the explorer's slider above ``FIRST_REFUSED``: what a hand finds there is right too."""
KEYS = ("household", "store", "product", "basket", "day")
_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")


@exercise.question(
    "a",
    asks="Put a number from 0 to 100 in place of the dots, or run on and see.",
    hints=("How many units come in 57 of the 60 seconds?", "58 clicks a second of 20 units: divide by 4,000."),
    value="about 30",
    solution="prediction = 30",
    road="58 clicks of 20 units are 1,160 a second, 29 % of 4,000; three seconds of one partition add hardly anything.",
    misconceptions={
        "full": "a refusal taken for a table that is full",
        "second": "the hot second taken for the minute",
        "share": "a share of 1 given where per cent are asked for",
        "idle": "too little",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_minute(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "a percentage",
        24,
        36,
        "Yes, about 30 %. Run it, and look for the second behind it.",
        [
            _NEGATIVE,
            Guess(100.0001, float("inf"), "out_of_range", "Per cent of what the table has: at most 100."),
            Guess(85, 100, "full", "The table refused, so it was full? Run it and see what a minute's sum shows."),
            Guess(37, 70, "second", "As much as that only in its three hot seconds. The minute has 57 others."),
            Guess(0.24, 0.36, "share", "As a share of 1 that is right; the answer is in per cent."),
            Guess(0, 15, "idle", "More: 58 clicks a second of 20 units each come all the time."),
        ],
        ("elsewhere", "58 clicks a second of 20 units each come all the time. What part of 4,000 is that?"),
    )


@exercise.question(
    "b",
    asks="Put a number of clicks in place of the dots, or run on and see.",
    hints=("Which limit refused them: the table's, or the partition's? Which one does on-demand mode lift?",),
    value=str(REFUSED),
    solution=f"prediction = {REFUSED}",
    road="On-demand mode lifts the limit that you order, not the partition's; partitions and clicks are the same.",
    misconceptions={
        "never": "on-demand thought never to throttle",
        "fewer": "some relief expected",
        "more": "more refusals expected",
        "out_of_range": "not a possible number",
    },
)
def _judge_on_demand(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many clicks will be refused",
        0.9 * REFUSED,
        1.1 * REFUSED,
        "Yes: as many. Run it and look at the reason.",
        [
            _NEGATIVE,
            Guess(CLICKS + 1, float("inf"), "out_of_range", f"Only {CLICKS:,} clicks are sent."),
            Guess(0, 20, "never", "No capacity is ordered, so none runs out? Run it and see what does."),
            Guess(20, 0.9 * REFUSED, "fewer", "What should be looser? It was not the table's limit. Run it and see."),
        ],
        ("more", "What should be tighter? It was not the table's limit. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of writes a second in place of the dots, or run on and see.",
    hints=("How much of acme's traffic does one partition take?", "Where do the small tenants live?"),
    value=f"about {WITH_ACME:,.0f}",
    solution=f"prediction = {WITH_ACME:.0f}",
    road="Acme's partition takes 1,000, for acme and a quarter of the small tenants; the others' 540 are admitted.",
    misconceptions={
        "table_rate": "the table's rate taken for a key's",
        "neighbours": "the keys in the same partition forgotten",
        "one_partition": "the other partitions forgotten",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_tenant(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many writes a second will be admitted",
        0.93 * WITH_ACME,
        1.07 * WITH_ACME,
        "Yes. Run it and see who else is refused.",
        [
            _NEGATIVE,
            Guess(RATE + 0.5, float("inf"), "out_of_range", f"Only {RATE:,} a second are sent."),
            Guess(0.9 * RATE, RATE, "table_rate", "The table could. Acme's partition cannot: run it and see."),
            Guess(
                1.07 * WITH_ACME,
                1.1 * (CEILING + OTHERS),
                "neighbours",
                "1,000 for acme and all 720 of the others? Some of these live in acme's partition. Run it and see.",
            ),
            Guess(
                0.9 * CEILING,
                1.1 * CEILING,
                "one_partition",
                "That is acme's partition. The small tenants in the other three are served. Run it and see.",
            ),
        ],
        ("elsewhere", "Acme's partition takes 1,000; what do the other three partitions get? Run it and see."),
    )


@exercise.question(
    "d",
    asks="Put a number of writes a second in place of the dots, or move the slider and find it.",
    hints=(
        "Which partition is full first, and what goes there?",
        "Half of the writes, and a quarter of the other half.",
    ),
    value=f"{FIRST_REFUSED:,.0f}",
    solution=f"prediction = {FIRST_REFUSED:.0f}",
    road="The hot partition gets half of the writes and a quarter of the rest, 62.5 %: it is full at 1,000 ÷ 0.625.",
    misconceptions={
        "table_rate": "the skew forgotten",
        "neighbours": "the keys in the same partition forgotten",
        "one_key": "all writes taken to go to one key",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_skew(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "a rate of writes a second",
        0.93 * FIRST_REFUSED,
        ON_THE_SLIDER,
        "Yes: the hot partition gets half of the writes and a quarter of the rest.",
        [
            _NEGATIVE,
            Guess(0.9 * TABLE, 1.1 * TABLE, "table_rate", "That is four full partitions. Half of it goes to one."),
            Guess(
                0.95 * CEILING / SKEW,
                1.05 * CEILING / SKEW,
                "neighbours",
                "Half of that fills the partition with the hot key alone. A quarter of the others live there too.",
            ),
            Guess(0.95 * CEILING, 1.05 * CEILING, "one_key", "That is when all writes go to one key. Half of them do."),
        ],
        ("elsewhere", "Which part of all writes goes to the hot key's partition? When is that 1,000? Try the slider."),
    )


@exercise.question(
    "e",
    asks="Put the name of one of the five keys, as a text, in place of the dots, or run on and see.",
    hints=("When are the lines of one receipt written?", "Which key's lines are spread over all shops and all day?"),
    value='"product"',
    solution='prediction = "product"',
    road="A basket's lines, and so its household's, come in one second; a product's come from all shops, all day.",
    misconceptions={
        "cardinality": "the number of keys taken for their spread",
        "household": "a household buys one basket at a time, all at once",
        "store": "a store sells all day, and to everybody",
        "day": "the day is one key for everybody",
        "no_key": "not one of the five",
    },
)
def _judge_key(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, str):
        wrong(WRONG_TYPE, 'The check needs the name of a key as a text, such as "store".')
    name = answer.strip().lower()
    match "day" if name == "date" else name:
        case "product":
            return right("Yes: a product is bought all day, in all shops. Run it and see by how much.")
        case "basket":
            wrong("cardinality", "It has most keys. But when are all the lines of one receipt written? Run it and see.")
        case "household":
            wrong("household", "A household's lines come a whole basket at a time. Run it and see.")
        case "store":
            wrong("store", "A store's customers all write to the same key. Run it and see.")
        case "day":
            wrong("day", "In each second, every line of the grocer has the same day. Run it and see.")
    wrong("no_key", f"The five keys are {', '.join(KEYS)}.")
