"""Lesson 01's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks
from dynamolab.checks import lesson_01
from dynamolab.errors import LabError
from dynamolab.model.sizes import MAX_ITEM_BYTES, item_size
from dynamolab.model.units import write_units
from dynamolab.view import item_explorer
from dynamolab.view.explorers.item import cart

RIGHT = [
    ("lesson_01.a", 1),
    ("lesson_01.b", 2.0),
    ("lesson_01.c", 15),
    ("lesson_01.d", 3),
    ("lesson_01.e", 409_582),
    ("lesson_01.e", 400 * 1024 - 18),
]
WRONG = [
    ("lesson_01.a", 3, "names_free"),
    ("lesson_01.a", 2, "too_little"),
    ("lesson_01.a", 4, "out_of_range"),
    ("lesson_01.a", 0, "out_of_range"),
    ("lesson_01.a", "one", "wrong_type"),
    ("lesson_01.b", 7, "as_text"),
    ("lesson_01.b", 9, "as_text"),
    ("lesson_01.b", 8, "machine_word"),
    ("lesson_01.b", 4, "all_pairs"),
    ("lesson_01.b", 5, "all_pairs"),
    ("lesson_01.b", 3, "elsewhere"),
    ("lesson_01.b", 1, "elsewhere"),
    ("lesson_01.c", 14, "last_that_fits"),
    ("lesson_01.c", 45, "short_names"),
    ("lesson_01.c", 17, "values_only"),
    ("lesson_01.c", 3, "elsewhere"),
    ("lesson_01.d", 4, "converted"),
    ("lesson_01.d", 0, "fails"),
    ("lesson_01.d", 2, "elsewhere"),
    ("lesson_01.e", 409_600, "whole_limit"),
    ("lesson_01.e", 400_000, "decimal_kb"),
    ("lesson_01.e", 399_982, "decimal_kb"),
    ("lesson_01.e", 409_586, "some_left_out"),
    ("lesson_01.e", 409_601, "too_large"),
    ("lesson_01.e", 400, "elsewhere"),
]
QUESTIONS = list(lesson_01.exercise.questions)


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
    named = {(q, m) for q in QUESTIONS for m in lesson_01.exercise.questions[q].misconceptions}
    assert named - {(id, m) for id, _, m in WRONG} - {(q, "wrong_type") for q in QUESTIONS} == set()


def test_the_lines_and_letters_of_the_lesson_are_those_of_the_size_rules() -> None:
    fits = [n for n in range(100) if item_size(cart(lines=n)) <= 1024]
    assert fits[-1] + 1 == 15
    note = {"PK": {"S": "CLIENTE#4471"}, "nota": {"S": "x" * lesson_01.NOTE_LETTERS}}
    assert item_size(note) == MAX_ITEM_BYTES


def test_the_item_explorer_keeps_its_size_and_says_what_a_write_costs() -> None:
    explorer = item_explorer()
    sizes = set()
    for lines, changes, names in ((42, 0, "short"), (15, 0, "long"), (42, 190, "long"), (42, 10_000, "long")):
        explorer.controls["lines"].value = lines
        explorer.controls["changes"].value = changes
        explorer.controls["names"].value = names
        sizes.add((explorer.picture.width, explorer.picture.height))
        size = item_size(cart(lines=lines, changes=changes, names=names))
        told = "refused" if size > MAX_ITEM_BYTES else f"a write costs {write_units(size)} WU"
        assert told in explorer.sentence
    assert len(sizes) == 1


@pytest.mark.parametrize("arguments", [{"lines": -1}, {"changes": -1}, {"names": "tiny"}])
def test_a_cart_that_cannot_be_is_one_clear_sentence(arguments: dict[str, Any]) -> None:
    with pytest.raises(LabError):
        item_explorer(**arguments)
