"""A lesson's predictions: a number guessed before the run, judged by the range it falls into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .learner import a_number
from .verdicts import Verdict, right, wrong


@dataclass(frozen=True)
class Guess:
    """A range of wrong guesses, both ends included, the misconception that it shows, and what is said to it."""

    low: float
    high: float
    misconception: str
    says: str


def judge(
    answer: object, what: str, low: float, high: float, says: str, guesses: Sequence[Guess], otherwise: tuple[str, str]
) -> Verdict:
    """Judge a predicted number: right from ``low`` to ``high``, else the first guess that it falls into.

    ``otherwise`` is the misconception, and its words, of a number that no guess covers.
    """
    number = a_number(answer, what)
    if low <= number <= high:
        return right(says)
    for guess in guesses:
        if guess.low <= number <= guess.high:
            wrong(guess.misconception, guess.says)
    wrong(*otherwise)
