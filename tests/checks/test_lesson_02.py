"""Lesson 02's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks
from dynamolab.checks import lesson_02

RIGHT = [
    ("lesson_02.a", 500),
    ("lesson_02.b", 3),
    ("lesson_02.c", 9),
    ("lesson_02.d", 2),
    ("lesson_02.e", 5.0),
    ("lesson_02.f", 38.5),
    ("lesson_02.f", 37.5),
]
WRONG = [
    ("lesson_02.a", 20, "only_found"),
    ("lesson_02.a", 300, "only_carts"),
    ("lesson_02.a", 5_000, "out_of_range"),
    ("lesson_02.a", 0, "out_of_range"),
    ("lesson_02.a", 100, "elsewhere"),
    ("lesson_02.b", 5, "appends"),
    ("lesson_02.b", 2, "partition_key_only"),
    ("lesson_02.b", 0, "fails"),
    ("lesson_02.b", 4, "elsewhere"),
    ("lesson_02.c", 10, "by_value"),
    ("lesson_02.c", 2, "by_writing"),
    ("lesson_02.c", 7, "elsewhere"),
    ("lesson_02.d", 3, "whole_day"),
    ("lesson_02.d", 4, "everything"),
    ("lesson_02.d", 1, "end_excluded"),
    ("lesson_02.d", 0, "elsewhere"),
    ("lesson_02.e", 6, "all"),
    ("lesson_02.e", 3, "id_only"),
    ("lesson_02.e", 0, "elsewhere"),
    ("lesson_02.f", 0.5, "per_request"),
    ("lesson_02.f", 51, "per_item"),
    ("lesson_02.f", 102, "per_item"),
    ("lesson_02.f", 77, "strong"),
    ("lesson_02.f", 300, "elsewhere"),
]
QUESTIONS = list(lesson_02.exercise.questions)


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(("id", "answer"), RIGHT)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(("id", "answer", "misconception"), WRONG)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("id", QUESTIONS)
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(id: str, stub: Any) -> None:
    assert checks.check(id, stub).outcome == "not attempted"


@pytest.mark.parametrize("id", QUESTIONS)
@pytest.mark.parametrize("answer", ["two", [3], float("nan"), {}])
def test_what_is_no_number_is_wrong_and_raises_nothing(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "wrong"


def test_every_misconception_is_shown_by_a_wrong_answer_above() -> None:
    named = {(q, m) for q in QUESTIONS for m in lesson_02.exercise.questions[q].misconceptions}
    assert named - {(id, m) for id, _, m in WRONG} - {(q, "wrong_type") for q in QUESTIONS} == set()
