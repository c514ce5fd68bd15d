"""What a file of answers is made of: each answer as a learner gives it, with the judgement that it deserves.

A file ``answers_NAME.py`` belongs to the exercise NAME. It makes ``book = Answers("NAME")``, gives answers to it, and
defines ``SOLVES``: for each letter, how the names that the shown solution defines are passed to the check.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What a learner passes to the check ``id``, and what the check is to find."""

    id: str
    name: str
    value: Any
    outcome: str
    misconception: str | None = None


@dataclass
class Answers:
    """The answers to one exercise; the decorators take a function as the answer."""

    exercise: str
    answers: list[Answer] = field(default_factory=list)

    def given(self, letter: str, value: Any, outcome: str, misconception: str | None = None, name: str = "") -> Any:
        """Enter an answer of any kind, say a number or a dictionary; returns it."""
        label = name or getattr(value, "__name__", None) or repr(value)[:40]
        self.answers.append(Answer(f"{self.exercise}.{letter}", label, value, outcome, misconception))
        return value

    def is_right(self, letter: str) -> Callable[[Any], Any]:
        """The function below is a right answer."""
        return lambda function: self.given(letter, function, "right")

    def shows(self, letter: str, misconception: str) -> Callable[[Any], Any]:
        """The function below is wrong and shows this misconception."""
        return lambda function: self.given(letter, function, "wrong", misconception)

    def raises(self, letter: str) -> Callable[[Any], Any]:
        """The function below raises, or is stopped at its budget."""
        return lambda function: self.given(letter, function, "raised")

    def is_untouched(self, letter: str) -> Callable[[Any], Any]:
        """The function below is still the stub."""
        return lambda function: self.given(letter, function, "not attempted")
