"""The predictions of lesson 08: the right ranges, the misconceptions, and where the right numbers come from."""

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
    [
        ("lesson_08.a", 28.9),
        ("lesson_08.a", 29),
        ("lesson_08.b", 5),
        ("lesson_08.b", 4.5),
        ("lesson_08.b", 6),
        ("lesson_08.c", 18),
        ("lesson_08.c", 18.0),
        ("lesson_08.d", 3),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_08.a", 14.4, "old"),
        ("lesson_08.a", 0.289, "share"),
        ("lesson_08.a", 70, "target"),
        ("lesson_08.a", 100, "full"),
        ("lesson_08.a", 0, "never"),
        ("lesson_08.a", 50, "elsewhere"),
        ("lesson_08.a", 130, "out_of_range"),
        ("lesson_08.a", -1, "out_of_range"),
        ("lesson_08.a", "28.9 %", "wrong_type"),
        ("lesson_08.b", 0, "at_once"),
        ("lesson_08.b", 1, "at_once"),
        ("lesson_08.b", 2, "alarm"),
        ("lesson_08.b", 30, "too_long"),
        ("lesson_08.b", -2, "out_of_range"),
        ("lesson_08.c", 3, "free"),
        ("lesson_08.c", 8, "one_each"),
        ("lesson_08.c", 15, "indexes_only"),
        ("lesson_08.c", 36, "elsewhere"),
        ("lesson_08.c", -18, "out_of_range"),
        ("lesson_08.d", 1, "once"),
        ("lesson_08.d", 4, "four"),
        ("lesson_08.d", 24, "any"),
        ("lesson_08.d", 2, "elsewhere"),
        ("lesson_08.d", -1, "out_of_range"),
        ("lesson_08.d", {3}, "wrong_type"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("question", "abcd")
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(question: str, stub: Any) -> None:
    assert checks.check(f"lesson_08.{question}", stub).outcome == "not attempted"
