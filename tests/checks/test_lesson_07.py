"""Lesson 07's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks
from dynamolab.checks import lesson_07


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_07.a", 50.5),
        ("lesson_07.a", 60),
        ("lesson_07.b", 3),
        ("lesson_07.c", 2),
        ("lesson_07.d", 5.0),
        ("lesson_07.e", 57.6),
        ("lesson_07.e", 58),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_07.a", 0.5, "returned"),
        ("lesson_07.a", 1, "returned"),
        ("lesson_07.a", 100, "strong"),
        ("lesson_07.a", 5_000, "one_each"),
        ("lesson_07.a", 10_000, "one_each"),
        ("lesson_07.a", 1_000, "elsewhere"),
        ("lesson_07.a", -1, "out_of_range"),
        ("lesson_07.b", 1, "attribute"),
        ("lesson_07.b", 6, "both"),
        ("lesson_07.b", 4, "elsewhere"),
        ("lesson_07.b", -3, "out_of_range"),
        ("lesson_07.c", 40, "one_each"),
        ("lesson_07.c", 20, "half_each"),
        ("lesson_07.c", 1, "eventual"),
        ("lesson_07.c", 7, "elsewhere"),
        ("lesson_07.c", "two", "wrong_type"),
        ("lesson_07.c", -2, "out_of_range"),
        ("lesson_07.d", 0, "free"),
        ("lesson_07.d", 1, "attempted"),
        ("lesson_07.d", 6, "elsewhere"),
        ("lesson_07.d", -5, "out_of_range"),
        ("lesson_07.e", 41.6, "calls"),
        ("lesson_07.e", 230.4, "per_order"),
        ("lesson_07.e", 207_360, "per_hour"),
        ("lesson_07.e", 24, "carts"),
        ("lesson_07.e", 33.6, "sessions"),
        ("lesson_07.e", 32.14, "reads"),
        ("lesson_07.e", 82.3, "provisioned"),
        ("lesson_07.e", 89.74, "both_sides"),
        ("lesson_07.e", 10, "elsewhere"),
        ("lesson_07.e", -57.6, "out_of_range"),
        ("lesson_07.e", [57.6, 32.14], "wrong_type"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("question", "abcde")
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(question: str, stub: Any) -> None:
    assert checks.check(f"lesson_07.{question}", stub).outcome == "not attempted"


def test_the_peak_that_is_judged_is_the_one_of_the_operation_mix() -> None:
    assert (lesson_07.peak("write"), lesson_07.peak("read")) == (57.6, 32.14)
