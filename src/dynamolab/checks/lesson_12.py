"""The predictions of lesson 12, index back-pressure."""

from __future__ import annotations

from typing import Any

from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_12")

ORDER_UNITS = 30
"""Write units of one order, in the table and in an index that copies it whole."""
PER_SECOND = 3
TABLE_UNITS, INDEX_UNITS = 120, 60
SENT = PER_SECOND * 60
STORED = INDEX_UNITS // ORDER_UNITS * 60
"""Orders that the index lets through in a minute."""
STATES = 4
LIFE_TABLE = STATES * ORDER_UNITS
LIFE_INDEX = ORDER_UNITS + (STATES - 1) * 2 * ORDER_UNITS
UPDATES, UPDATE_UNITS, MOVING = 10, 10, 0.6
NEEDED = UPDATES * UPDATE_UNITS * (1 + MOVING)

_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")
_MORE_THAN_SENT = Guess(SENT + 1, float("inf"), "out_of_range", f"Only {SENT:,} are sent.")


@exercise.question(
    "a",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("The index copies each order whole, 30 units, and has 60 a second.",),
    value=f"about {STORED}",
    solution=f"prediction = {STORED}",
    road="When its burst and the buffer are used up, the index takes 60 units a second, two orders: 120 a minute.",
    misconceptions={
        "table_alone": "the table's capacity taken for the limit",
        "stop": "back-pressure taken for a full stop",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_evening(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many orders of the last minute will be stored",
        0.9 * STORED,
        1.1 * STORED,
        "Yes: two a second is what the index can take. Run it and see when it begins.",
        [
            _NEGATIVE,
            _MORE_THAN_SENT,
            Guess(
                0.97 * SENT,
                SENT,
                "table_alone",
                "The table alone could take them. But each order is also copied into the index: run it and see.",
            ),
            Guess(0, 0.1 * STORED, "stop", "The index still takes what its capacity allows. Run it and see."),
        ],
        ("elsewhere", "How many copies of 30 units can the index take in a second? Run it and see."),
    )


@exercise.question(
    "b",
    asks="Put a number of events in place of the dots, or run on and see.",
    hints=("Which resource does the refusal name?",),
    value="0",
    solution="prediction = 0",
    road="A throttle event is entered under the resource that throttled: the index. The table throttled nothing.",
    misconceptions={
        "counted_here": "the index's refusals looked for at the table",
        "out_of_range": "not a possible number",
    },
)
def _judge_metric(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "the table's WriteThrottleEvents",
        0,
        0,
        "Yes, nothing: the table throttled nobody. Run it and see where the events are.",
        [_NEGATIVE],
        ("counted_here", "The events are entered under the resource that is named in the refusal. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of orders in place of the dots, or run on and see.",
    hints=("Was the table short of anything?",),
    value=f"about {STORED}",
    solution=f"prediction = {STORED}",
    road="The index still takes 60 units a second. What the table could take changes nothing.",
    misconceptions={
        "table_alone": "the table's capacity taken for the limit",
        "stop": "back-pressure taken for a full stop",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_raised_table(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "how many orders of the minute will be stored",
        0.9 * STORED,
        1.1 * STORED,
        "Yes: the index is as it was. Run it and see.",
        [
            _NEGATIVE,
            _MORE_THAN_SENT,
            Guess(
                0.97 * SENT,
                SENT,
                "table_alone",
                "The table had twice what it needed before. Which resource did the refusal name? Run it and see.",
            ),
            Guess(0, 0.1 * STORED, "stop", "The index still takes what its capacity allows. Run it and see."),
        ],
        ("elsewhere", "What has changed for the index? Run it and see."),
    )


@exercise.question(
    "d",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("An index entry cannot change its key: what must happen to it instead, and what does each part cost?",),
    value=f"{LIFE_INDEX}",
    solution=f"prediction = {LIFE_INDEX}",
    road="One put, 30; then three times a delete of 30 and a put of 30.",
    misconceptions={
        "as_the_table": "the entry changed in place",
        "all_moves": "the first put taken for a move",
        "keys_only": "only the keys counted",
        "elsewhere": "another number",
        "out_of_range": "not a possible number",
    },
)
def _judge_life(answer: Any, learner: Learner) -> Verdict:
    return judge(
        answer,
        "the index's write units",
        LIFE_INDEX,
        LIFE_INDEX,
        "Yes: 30 for the put, 60 for each of the three moves.",
        [
            _NEGATIVE,
            Guess(
                LIFE_TABLE,
                LIFE_TABLE,
                "as_the_table",
                "So it would be if the entry changed where it stands. estado is its key: it must leave and enter.",
            ),
            Guess(
                2 * LIFE_TABLE,
                2 * LIFE_TABLE,
                "all_moves",
                "Nearly: for the first write there is nothing to delete yet.",
            ),
            Guess(0, 2 * STATES, "keys_only", "This index copies whole orders: 30 units for each entry."),
        ],
        ("elsewhere", "One put, three moves; a move is a delete and a put, each of 30 KB. Run it and see."),
    )


@exercise.question(
    "e",
    asks="Put a number of WCU in place of the dots, or find it with the sliders below.",
    hints=("Take ten updates: six move their entry, four change it where it stands. Add up the units.",),
    value=f"{NEEDED:g}",
    solution=f"prediction = {NEEDED:g}",
    road="10 a second x 10 units x (1 + 0.6): four updates of 10 and six moves of 20.",
    misconceptions={
        "as_the_table": "the table's units taken for the index's",
        "only_moves": "only the moves counted",
        "twice": "every update taken for a move",
        "too_little": "less than it takes",
        "too_much": "more than it takes",
        "out_of_range": "not a possible number",
    },
)
def _judge_needed(answer: Any, learner: Learner) -> Verdict:
    table = UPDATES * UPDATE_UNITS
    return judge(
        answer,
        "the WCU that the index needs",
        NEEDED,
        NEEDED + 1,
        "Yes. Set it below: the refusals end at exactly this capacity.",
        [
            _NEGATIVE,
            Guess(
                table, table, "as_the_table", "That is what the table needs. Six of ten updates cost the index double."
            ),
            Guess(
                2 * MOVING * table,
                2 * MOVING * table,
                "only_moves",
                "Those are the moves. The other four updates change a copied entry too, 10 units each.",
            ),
            Guess(2 * table, 2 * table, "twice", "That would do if every update moved its entry; only 60 % do."),
            Guess(NEEDED, float("inf"), "too_much", "Nothing is refused with that, but less does it too."),
        ],
        ("too_little", "With that some updates are refused in the end. Count the units of ten updates."),
    )
