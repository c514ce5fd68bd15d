"""Exercise 05: every answer in ``answers_write_sharding.py`` gets the judgement that stands beside it."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest

from dynamolab import checks
from dynamolab.checks import core, write_sharding

_SPEC = importlib.util.spec_from_file_location(
    "answers_write_sharding", Path(__file__).with_name("answers_write_sharding.py")
)
answers = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = answers
_SPEC.loader.exec_module(answers)

QUESTIONS = core.questions("write_sharding")


@pytest.fixture(autouse=True)
def _fresh_memory():
    checks.reset()


@pytest.mark.parametrize("answer", answers.ANSWERS, ids=lambda a: f"{a.id[-1]}-{a.outcome}-{a.name}".replace(" ", "_"))
def test_an_answer_is_judged_as_it_deserves(answer):
    result = checks.check(answer.id, answer.value)
    assert (result.outcome, result.misconception) == (answer.outcome, answer.misconception), repr(result)


def test_every_named_misconception_has_a_wrong_answer_that_shows_it():
    declared = {(question.id, name) for question in QUESTIONS.values() for name in question.misconceptions}
    shown = {(answer.id, answer.misconception) for answer in answers.ANSWERS if answer.outcome == "wrong"}
    assert declared == shown


def test_there_are_three_different_right_answers_to_every_question():
    rights = Counter(answer.id for answer in answers.ANSWERS if answer.outcome == "right")
    assert set(rights) == set(QUESTIONS)
    assert min(rights.values()) >= 3


@pytest.mark.parametrize("id", QUESTIONS)
def test_the_solution_that_is_shown_is_right(id):
    names = {}
    exec(QUESTIONS[id].solution, names)
    passed = {
        "a": lambda: names["suffix"],
        "b": lambda: names["N"],
        "c": lambda: names["read_day"],
        "d": lambda: names["modulus"],
        "e": lambda: (names["suffix"], names["get_order"]),
    }[id[-1]]()
    assert checks.check(id, passed).outcome == "right"


@pytest.mark.parametrize("id", QUESTIONS)
def test_two_wrong_asks_do_not_tell_the_value_and_the_third_does(id):
    wrong = next(answer.value for answer in answers.ANSWERS if answer.id == id and answer.outcome == "wrong")
    first, second, third = (repr(checks.check(id, wrong)) for _ in range(3))
    told = "\n".join(core.Text("", (f"The value: {QUESTIONS[id].value}",)).__repr__().splitlines()[1:])
    assert first == second
    assert third == f"{second}\n{told}"
    assert told not in second


def test_the_reader_of_a_refused_query_is_judged_by_what_it_says_not_by_how():
    loud = checks.check("write_sharding.c", answers.page_by_page)
    patient = checks.check("write_sharding.c", answers.asks_again_when_refused)
    assert "the exception reached the caller" in repr(loud).replace("\n", " ")
    assert "it asked again and lost nothing" in repr(patient).replace("\n", " ")


def test_units_told_for_one_order_are_those_of_the_documented_read_of_an_eventual_kilobyte():
    # Developer Guide, "Read and write operations": an eventually consistent read of up to 4 KB is half a unit.
    assert "0.5 read units each" in repr(checks.check("write_sharding.e", (answers.crc32, answers.get_item)))


def test_the_documented_formula_sends_every_uuid_to_one_suffix():
    # Developer Guide, "Using write sharding to distribute workloads evenly": product of code points modulo 200.
    assert write_sharding._product_spread(200) == (200.0, 1)


def test_exactly_the_primes_repair_the_product_formula_and_none_is_a_close_call():
    for modulus in range(write_sharding.LOWEST, write_sharding.HIGHEST + 1):
        is_prime = all(modulus % divisor for divisor in range(2, modulus))
        fullest, _ = write_sharding._product_spread(modulus)
        assert fullest < 1.5 if is_prime else fullest > 2.3, modulus


@pytest.mark.parametrize("n", range(65, write_sharding.MOST_QUERIES + 1, 37))
def test_any_number_of_suffixes_in_the_range_that_is_told_at_the_end_passes(n):
    assert checks.check("write_sharding.b", n).outcome == "right"
