"""Lesson 13's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [("lesson_13.a", 2), ("lesson_13.b", 2.0), ("lesson_13.c", 100), ("lesson_13.c", 97), ("lesson_13.d", 0)]
    + [("lesson_13.e", 0)],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_13.a", 0, "all_work"),
        ("lesson_13.a", 1, "text_only"),
        ("lesson_13.a", 3, "none_works"),
        ("lesson_13.a", 4, "out_of_range"),
        ("lesson_13.a", -1, "out_of_range"),
        ("lesson_13.a", "two", "wrong_type"),
        ("lesson_13.b", 0, "none"),
        ("lesson_13.b", 1, "only_future"),
        ("lesson_13.b", 3, "five_years"),
        ("lesson_13.b", 7, "lenient"),
        ("lesson_13.b", 9, "out_of_range"),
        ("lesson_13.b", 1.5, "out_of_range"),
        ("lesson_13.c", 0, "timer"),
        ("lesson_13.c", 50, "half"),
        ("lesson_13.c", 101, "out_of_range"),
        ("lesson_13.c", [100], "wrong_type"),
        ("lesson_13.d", 300, "as_a_delete"),
        ("lesson_13.d", 100, "one_each"),
        ("lesson_13.d", 150, "something"),
        ("lesson_13.d", -3, "out_of_range"),
        ("lesson_13.e", 2, "as_shown"),
        ("lesson_13.e", 1, "elsewhere"),
        ("lesson_13.e", -1, "out_of_range"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("question", "abcde")
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(question: str, stub: Any) -> None:
    assert checks.check(f"lesson_13.{question}", stub).outcome == "not attempted"
