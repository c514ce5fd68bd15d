"""Lesson 12's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks

IDS = ["lesson_12.a", "lesson_12.b", "lesson_12.c", "lesson_12.d", "lesson_12.e"]


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_12.a", 120),
        ("lesson_12.a", 125.5),
        ("lesson_12.b", 0),
        ("lesson_12.c", 120),
        ("lesson_12.c", 125),
        ("lesson_12.d", 210),
        ("lesson_12.e", 160),
        ("lesson_12.e", 161),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_12.a", 180, "table_alone"),
        ("lesson_12.a", 0, "stop"),
        ("lesson_12.a", 90, "elsewhere"),
        ("lesson_12.a", 540, "out_of_range"),
        ("lesson_12.a", -1, "out_of_range"),
        ("lesson_12.b", 180, "counted_here"),
        ("lesson_12.b", 511, "counted_here"),
        ("lesson_12.b", -2, "out_of_range"),
        ("lesson_12.c", 180, "table_alone"),
        ("lesson_12.c", 0, "stop"),
        ("lesson_12.c", 150, "elsewhere"),
        ("lesson_12.c", 10_000, "out_of_range"),
        ("lesson_12.d", 120, "as_the_table"),
        ("lesson_12.d", 240, "all_moves"),
        ("lesson_12.d", 7, "keys_only"),
        ("lesson_12.d", 60, "elsewhere"),
        ("lesson_12.d", -70, "out_of_range"),
        ("lesson_12.e", 100, "as_the_table"),
        ("lesson_12.e", 120, "only_moves"),
        ("lesson_12.e", 200, "twice"),
        ("lesson_12.e", 150, "too_little"),
        ("lesson_12.e", 300, "too_much"),
        ("lesson_12.e", -1, "out_of_range"),
        *((id, "half", "wrong_type") for id in IDS),
        *((id, {}, "wrong_type") for id in IDS),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(id: str, stub: Any) -> None:
    assert checks.check(id, stub).outcome == "not attempted"


@pytest.mark.parametrize("id", IDS)
def test_not_a_number_is_no_prediction(id: str) -> None:
    assert checks.check(id, float("nan")).outcome == "wrong"


@pytest.mark.parametrize("id", IDS)
def test_the_value_told_at_the_third_ask_is_right(id: str) -> None:
    told = [checks.check(id, -5).paragraphs[-1] for _ in range(3)][-1]
    assert checks.check(id, float(told.removeprefix("The value: ").removeprefix("about "))).outcome == "right"
