"""Every answer in every ``answers_NAME.py`` gets the judgement that stands beside it; the files leave nothing out."""

import importlib
from collections import Counter
from pathlib import Path

import pytest

from dynamolab import checks
from dynamolab.checks import core

NAMES = sorted(path.stem.removeprefix("answers_") for path in Path(__file__).parent.glob("answers_*.py"))
FILES = {name: importlib.import_module(f"checks.answers_{name}") for name in NAMES}
ANSWERS = [answer for file in FILES.values() for answer in file.book.answers]
QUESTIONS = {id: question for name in NAMES for id, question in core.questions(name).items()}
EXERCISES = [name for name in core.exercises() if not name.startswith("lesson_")]


@pytest.fixture(autouse=True)
def _fresh_memory():
    checks.reset()


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: f"{a.id}-{a.outcome}-{a.name}".replace(" ", "_"))
def test_an_answer_is_judged_as_it_deserves(answer):
    result = checks.check(answer.id, answer.value)
    assert (result.outcome, result.misconception) == (answer.outcome, answer.misconception), repr(result)


def test_every_exercise_has_a_file_of_answers():
    assert NAMES == EXERCISES


@pytest.mark.parametrize("name", NAMES)
def test_every_named_misconception_has_a_wrong_answer_that_shows_it(name):
    declared = {(id, shown) for id, question in core.questions(name).items() for shown in question.misconceptions}
    shown = {(answer.id, answer.misconception) for answer in FILES[name].book.answers if answer.outcome == "wrong"}
    assert declared == shown


@pytest.mark.parametrize("id", QUESTIONS)
def test_a_question_has_three_right_answers_and_stands_nothing_and_the_dots(id):
    outcomes = Counter(answer.outcome for answer in ANSWERS if answer.id == id)
    assert outcomes["right"] >= 3
    assert checks.check(id).outcome == checks.check(id, None).outcome == checks.check(id, ...).outcome
    assert checks.check(id).outcome == "not attempted"


@pytest.mark.parametrize("id", QUESTIONS)
def test_the_solution_that_is_shown_is_right(id):
    names = {}
    exec(QUESTIONS[id].solution, names)
    name, _, letter = id.rpartition(".")
    assert checks.check(id, FILES[name].SOLVES[letter](names)).outcome == "right"


@pytest.mark.parametrize("id", QUESTIONS)
def test_two_wrong_asks_do_not_tell_the_value_and_the_third_does(id):
    wrong = next(answer.value for answer in ANSWERS if answer.id == id and answer.outcome == "wrong")
    first, second, third = (repr(checks.check(id, wrong)) for _ in range(3))
    told = "\n".join(repr(core.Text("", (f"The value: {QUESTIONS[id].value}",))).splitlines()[1:])
    assert first == second
    assert third == f"{second}\n{told}"
    assert told not in second


@pytest.mark.parametrize("id", QUESTIONS)
def test_hints_come_one_at_a_time_and_the_last_stays(id):
    count = len(QUESTIONS[id].hints)
    heads = [checks.hint(id).headline for _ in range(count + 1)]
    assert heads == [f"{id}: hint {i} of {count}" for i in (*range(1, count + 1), count)]
    assert count >= 2
