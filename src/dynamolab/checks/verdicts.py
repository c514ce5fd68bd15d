"""What a judge says about an answer: one of four outcomes, with the words for the learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

Outcome: TypeAlias = Literal["not attempted", "raised", "wrong", "right"]


@dataclass(frozen=True)
class Verdict:
    """An outcome and what is said about it; a paragraph that starts with four spaces is shown as code.

    ``misconception`` names, by one of the names that the question declares, what a wrong answer shows.
    """

    outcome: Outcome
    paragraphs: tuple[str, ...]
    misconception: str | None = None


class Judged(Exception):
    """Ends a judgement from anywhere inside it: carries the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.outcome)
        self.verdict = verdict


def right(*paragraphs: str) -> Verdict:
    """Return the verdict on an answer that does what was asked, with what was seen."""
    return Verdict("right", paragraphs)


def wrong(misconception: str, *paragraphs: str) -> NoReturn:
    """End the judgement: it shows the named misconception. Say what was seen, why, what to try."""
    raise Judged(Verdict("wrong", paragraphs, misconception))
