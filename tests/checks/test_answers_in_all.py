"""How much the files of answers hold together; the file beside this one judges each of them."""

from checks.test_answers import ANSWERS

WRONG_ANSWERS = 150
"""Wrong answers that all the exercises have together, at least."""


def test_all_exercises_together_have_a_hundred_and_fifty_wrong_answers():
    assert sum(answer.outcome in ("wrong", "raised") for answer in ANSWERS) >= WRONG_ANSWERS
