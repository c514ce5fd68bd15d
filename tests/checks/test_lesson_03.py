"""Lesson 03's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks
from dynamolab.checks import lesson_03
from dynamolab.traffic.workload import places
from dynamolab.view.explorers.partitions import KEYS, held


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_03.a", 500),
        ("lesson_03.a", 520),
        ("lesson_03.b", 500),
        ("lesson_03.c", 37),
        ("lesson_03.d", 171),
        ("lesson_03.d", 120),
        ("lesson_03.e", 1200),
        ("lesson_03.e", 1_150.5),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_03.a", 1000, "table_rate"),
        ("lesson_03.a", 750, "tenfold"),
        ("lesson_03.a", 50, "fewer"),
        ("lesson_03.a", 5000, "out_of_range"),
        ("lesson_03.a", -1, "out_of_range"),
        ("lesson_03.a", "half", "wrong_type"),
        ("lesson_03.b", 31, "dilution"),
        ("lesson_03.b", 62.5, "dilution"),
        ("lesson_03.b", 1000, "table_rate"),
        ("lesson_03.b", 250, "elsewhere"),
        ("lesson_03.b", 1001, "out_of_range"),
        ("lesson_03.b", [500], "wrong_type"),
        ("lesson_03.c", 0, "none"),
        ("lesson_03.c", 3, "used"),
        ("lesson_03.c", 20, "elsewhere"),
        ("lesson_03.c", 41, "out_of_range"),
        ("lesson_03.d", 40, "one_each"),
        ("lesson_03.d", 3, "one_each"),
        ("lesson_03.d", 80, "too_few"),
        ("lesson_03.d", 4000, "too_many"),
        ("lesson_03.d", 0, "out_of_range"),
        ("lesson_03.e", 2000, "operations"),
        ("lesson_03.e", 600, "one_second"),
        ("lesson_03.e", 1600, "elsewhere"),
        ("lesson_03.e", 2400, "out_of_range"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("question", "abcde")
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(question: str, stub: Any) -> None:
    assert checks.check(f"lesson_03.{question}", stub).outcome == "not attempted"


def test_the_states_of_the_lesson_live_in_three_partitions_of_forty() -> None:
    homes = places(["ESTADO#pendiente", "ESTADO#pagado", "ESTADO#enviado"], lesson_03.PARTITIONS)
    assert len(set(homes.tolist())) == lesson_03.STATES


def test_the_slider_fills_the_last_of_forty_partitions_within_the_range_that_is_judged_right() -> None:
    first = next(n for n in KEYS if 0 not in held(n, lesson_03.PARTITIONS))
    assert first == 175
    assert checks.check("lesson_03.d", first).outcome == "right"
