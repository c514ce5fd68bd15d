"""Lesson 02's predictions: right guesses pass, each wrong one is met by its own sentence."""

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
    named = {(q, m) for q in QUESTIONS for m in lesson_02.exercise.questions[q.rpartition(".")[2]].misconceptions}
    assert named - {(id, m) for id, _, m in WRONG} - {(q, "wrong_type") for q in QUESTIONS} == set()
