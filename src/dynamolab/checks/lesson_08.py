"""The predictions of lesson 08, paying for it."""

from __future__ import annotations

from typing import Any

from ..data import BEFORE_THE_CUT, prices
from ..model.billing import IndexCopy, break_even_utilisation, units_of_a_write
from ..model.parameters import DEFAULTS
from .core import Exercise
from .learner import Learner
from .predictions import Guess, judge
from .verdicts import Verdict

exercise = Exercise("lesson_08")

REGION = "us-east-1"
CART_BYTES, INDEXES = 3_072, 5
_NEGATIVE = Guess(float("-inf"), -1e-9, "out_of_range", "It cannot be less than 0.")
_OUT_OF_RANGE = {"out_of_range": "not a possible number"}


@exercise.question(
    "a",
    asks="Put a utilisation in per cent in place of the dots, or run on and see.",
    hints=("What do the 3,600 writes of a full hour cost on-demand? Which part of them costs one WCU-hour?",),
    value="28.9",
    solution="prediction = 28.9",
    road="A WCU-hour costs 0.00065, its 3,600 writes on-demand 0.00225: the quotient is 28.9 %.",
    misconceptions={
        "old": "the break-even of the prices before November 2024",
        "share": "a share of 1 given where per cent are asked for",
        "target": "the usual target of auto scaling taken for the break-even",
        "full": "provisioned capacity taken to pay only when it is all used",
        "never": "on-demand taken for the dearer mode at every utilisation",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_break_even(answer: Any, learner: Learner) -> Verdict:
    even = 100 * break_even_utilisation(prices(REGION))
    old = 100 * break_even_utilisation(prices(BEFORE_THE_CUT))
    return judge(
        answer,
        "the utilisation in per cent",
        0.95 * even,
        1.05 * even,
        "Yes. Run it and see.",
        [
            _NEGATIVE,
            Guess(
                0.95 * even / 100,
                1.05 * even / 100,
                "share",
                "As a share of 1 that is right; the answer is in per cent.",
            ),
            Guess(0, 2, "never", "Then a table that nobody uses would be cheaper provisioned. Divide and see."),
            Guess(
                0.9 * old,
                1.1 * old,
                "old",
                "So it was until November 2024. On-demand costs half of that now: run it and see.",
            ),
            Guess(
                65,
                75,
                "target",
                "70 % is how full auto scaling keeps a table. Where do the costs meet? Run it and see.",
            ),
            Guess(
                95,
                100,
                "full",
                "A full WCU serves 3,600 writes an hour. What would those cost on-demand? Run it and see.",
            ),
            Guess(100.0001, float("inf"), "out_of_range", "No capacity is used at more than 100 %."),
        ],
        ("elsewhere", "Divide the price of a WCU-hour by that of 3,600 writes. Run it and see."),
    )


@exercise.question(
    "b",
    asks="Put a number of minutes in place of the dots, or run on and see.",
    hints=("How long must consumption be above the target? Then an alarm, then a change of the table.",),
    value="about 5",
    solution="prediction = 5",
    road="Two whole minutes above the target, and the minutes until the table is changed.",
    misconceptions={
        "at_once": "auto scaling taken for instant",
        "alarm": "the alarm counted, the change not",
        "too_long": "longer than it takes",
        **_OUT_OF_RANGE,
    },
)
def _judge_lag(answer: Any, learner: Learner) -> Verdict:
    lag = DEFAULTS.scale_out_points + DEFAULTS.scale_action_seconds / 60
    return judge(
        answer,
        "the minutes until more capacity is there",
        lag - 1,
        lag + 1.5,
        "Yes: two minutes to notice, some more to act. Run it and see.",
        [
            _NEGATIVE,
            Guess(0, 1.5, "at_once", "It looks at whole minutes, and waits for two of them in a row. Run it and see."),
            Guess(
                1.6, 3.9, "alarm", "That is how long the alarm takes. Then the table has to be changed: run it and see."
            ),
        ],
        ("too_long", "Two minutes to notice, and some more to act. Run it and see."),
    )


@exercise.question(
    "c",
    asks="Put a number of write units in place of the dots, or run on and see.",
    hints=("What does an index with the projection ALL keep of an item?",),
    value="18",
    solution="prediction = 18",
    road="Each of the five indexes writes the whole item again: six times 3 units.",
    misconceptions={
        "free": "indexes taken for free",
        "one_each": "one unit taken for each index, whatever it copies",
        "indexes_only": "the table forgotten",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_indexes(answer: Any, learner: Learner) -> Verdict:
    table = units_of_a_write(CART_BYTES)
    units = units_of_a_write(CART_BYTES, [IndexCopy(str(n), CART_BYTES) for n in range(INDEXES)])
    return judge(
        answer,
        "the write units of the put",
        units,
        units,
        "Yes, six tables' worth. Run it and see.",
        [
            _NEGATIVE,
            Guess(
                table, table, "free", "That is the table alone. Somebody has to write the five copies: run it and see."
            ),
            Guess(table + INDEXES, table + INDEXES, "one_each", "An index with ALL copies all 3 KB. Run it and see."),
            Guess(units - table, units - table, "indexes_only", "Those are the indexes; the table is written too."),
        ],
        ("elsewhere", "The table's 3 units, and the same for each copy. Run it and see."),
    )


@exercise.question(
    "d",
    asks="Put a number of switches in place of the dots, or run on and see.",
    hints=("AWS allows 4 in 24 hours. What else counts as one?",),
    value="3",
    solution="prediction = 3",
    road="Four in 24 hours, and the creation as on-demand was the first.",
    misconceptions={
        "once": "the rule of once in 24 hours, which is gone",
        "four": "the creation not counted",
        "any": "no limit at all",
        "elsewhere": "another number",
        **_OUT_OF_RANGE,
    },
)
def _judge_switches(answer: Any, learner: Learner) -> Verdict:
    left = DEFAULTS.on_demand_switches - 1
    return judge(
        answer,
        "how often it may return",
        left,
        left,
        "Yes: four in 24 hours, of which creation was one. Run it and see.",
        [
            _NEGATIVE,
            Guess(1, 1, "once", "Once in 24 hours was the rule until 2024. Run it and see."),
            Guess(left + 1, left + 1, "four", "Four in all. This table was born on-demand: run it and see."),
            Guess(left + 2, float("inf"), "any", "There is a limit to returning to on-demand. Run it and see."),
        ],
        ("elsewhere", "Count the creation too. Run it and see."),
    )
