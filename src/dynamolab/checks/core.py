"""The grader: asks a question's judge, keeps count of the asking, and says one of four things in plain words.

An exercise is a module of this package that makes one :class:`Exercise`, named like the module, and declares
its questions with :meth:`Exercise.question`. A question's id is ``exercise.letter``; nothing else ties it to
a notebook, so a notebook may be copied, renamed or cut into other cells.
"""

from __future__ import annotations

import contextlib
import difflib
import html
import importlib
import json
import os
import pkgutil
import random
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from ..arguments import shown
from ..errors import LabError
from ..interrupts import held, let_in
from ..live import sandbox
from .learner import SHARED_MISCONCEPTIONS, Learner, is_stub, raised_while_judged
from .verdicts import Judged, Outcome, Verdict

WIDTH = 100
"""Characters in a line of plain text; code is never wrapped."""

ASKS_BEFORE_THE_VALUE = 3
"""A wrong answer is told the value at this ask of the same question, not before."""

RECORD = "DYNAMOLAB_RECORD"
"""Name of the environment variable that names a file to which each check adds its outcome, for whoever grades."""

PROGRESS = "DYNAMOLAB_PROGRESS"
"""Name of the environment variable that names the file in which a learner's outcomes outlive the notebook's kernel."""

SANDBOX_SEED = 20_260_906
"""Seed of the fresh lab in which every answer is judged."""

Judge = Callable[[Any, Learner], Verdict]


@dataclass(frozen=True)
class Text:
    """Something said to a learner: a headline and paragraphs. Four leading spaces make a paragraph code."""

    headline: str
    paragraphs: tuple[str, ...]

    def __repr__(self) -> str:
        lines = [self.headline]
        for paragraph in self.paragraphs:
            lines += paragraph.splitlines() if _is_code(paragraph) else textwrap.wrap(paragraph, WIDTH)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<strong>{html.escape(self.headline)}</strong>"]
        for paragraph in self.paragraphs:
            if _is_code(paragraph):
                code = html.escape(textwrap.dedent(paragraph))
                parts.append(f'<pre style="margin:.3em 0 .3em 1.5em">{code}</pre>')
            else:
                parts.append(f'<p style="margin:.3em 0">{html.escape(paragraph)}</p>')
        return f'<div style="border-left:4px solid {self._colour};padding:.2em .8em">{"".join(parts)}</div>'

    @property
    def _colour(self) -> str:
        return "#8a8a8a"


@dataclass(frozen=True, repr=False)
class Result(Text):
    """What a check found; its text is the same wherever and whenever the same answer is checked.

    ``outcome`` is "not attempted", "raised", "wrong" or "right"; ``misconception`` names what a wrong answer
    shows.
    """

    id: str
    outcome: Outcome
    misconception: str | None = None

    @property
    def _colour(self) -> str:
        return {"right": "#009e73", "wrong": "#d55e00", "raised": "#d55e00", "not attempted": "#8a8a8a"}[self.outcome]


@dataclass(frozen=True)
class Question:
    """One checked question: who judges it, what helps, and which misconceptions a wrong answer can show.

    ``misconceptions`` maps a plain name to the words that a learner reads; ``value`` is told at the third
    wrong ask; ``solution`` is one model answer (code that defines what the check is given) and ``road`` says
    how one gets there.
    """

    id: str
    asks: str
    judge: Judge
    hints: tuple[str, ...]
    value: str
    solution: str
    road: str
    misconceptions: Mapping[str, str]
    points: int = 1


@dataclass
class Exercise:
    """The questions of one exercise, in order. ``name`` is the name of the module that declares it."""

    name: str
    questions: dict[str, Question] = field(default_factory=dict)

    def question(
        self,
        letter: str,
        *,
        asks: str,
        hints: Sequence[str],
        value: str,
        solution: str,
        road: str,
        misconceptions: Mapping[str, str],
        points: int = 1,
    ) -> Callable[[Judge], Judge]:
        """Declare a question: decorates its judge, a function ``judge(answer, learner) -> Verdict``."""

        def declare(judge: Judge) -> Judge:
            name = f"{self.name}.{letter}"
            self.questions[name] = Question(
                name,
                asks,
                judge,
                tuple(hints),
                value,
                textwrap.dedent(solution).strip(),
                road,
                {**SHARED_MISCONCEPTIONS, **misconceptions},
                points,
            )
            return judge

        return declare


@dataclass
class _Asked:
    """What one process remembers of one question."""

    last: Result | None = None
    wrong: int = 0
    hints: int = 0


_memory: dict[str, _Asked] = {}
_NOT_EXERCISES = {"core", "learner", "predictions", "verdicts"}


def reset() -> None:
    """Forget every ask and hint of this process, as after a restart of the kernel."""
    _memory.clear()


def exercises() -> list[str]:
    """Return the names of all exercises that this package can check, sorted."""
    package = importlib.import_module(__package__)
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.name not in _NOT_EXERCISES)


def questions(exercise: str) -> dict[str, Question]:
    """Return the questions of one exercise by id, in order. Raises ``LabError`` for an unknown exercise."""
    names = exercises()
    if not isinstance(exercise, str) or exercise not in names:
        raise LabError(f"There is no exercise {shown(exercise)}. There is: {', '.join(names)}.")
    module = importlib.import_module(f".{exercise}", __package__)
    found: Exercise = module.exercise
    return found.questions


def _question(id: str) -> Question:
    if isinstance(id, str) and id.rpartition(".")[0] in exercises():
        found = questions(id.rpartition(".")[0])
        if id in found:
            return found[id]
        raise LabError(f"There is no check {id!r}. This exercise has: {', '.join(found)}.")
    everything = [name for exercise in exercises() for name in questions(exercise)]
    asked = shown(id).strip("'\"()[], ").lower()
    near = [asked] if asked in everything else difflib.get_close_matches(asked, everything, n=6, cutoff=0.6)
    if near:
        raise LabError(f"There is no check {shown(id)}. Near it: {', '.join(sorted(near))}.")
    raise LabError(
        f"There is no check {shown(id)}. An id is an exercise and a letter, such as {everything[0]!r}; the exercises "
        f"are {', '.join(exercises())}."
    )


def check(id: str, answer: Any = ...) -> Result:
    """Judge ``answer`` to the question ``id``, such as ``"write_sharding.a"``, and say what was found.

    An answer that is missing, ``None``, ``...`` or a function that is still its stub counts as not attempted.
    The learner's own tables and clock are not touched. Raises ``LabError`` for an unknown id.
    """
    question = _question(id)
    asked = _memory.setdefault(id, _Asked())
    result = _result(question, _verdict(question, answer))
    if result.outcome == "wrong":
        asked.wrong += 1
        if asked.wrong >= ASKS_BEFORE_THE_VALUE:
            result = replace(result, paragraphs=(*result.paragraphs, f"The value: {question.value}"))
    elif result.outcome == "right":
        asked.wrong = 0
    asked.last = result
    _record(result)
    return result


def _record(result: Result) -> None:
    line = json.dumps({"id": result.id, "outcome": result.outcome, "misconception": result.misconception}) + "\n"
    path = os.environ.get(RECORD)
    if path:
        _add(path, line)
    path = os.environ.get(PROGRESS)
    if path:
        # A full or read-only disk costs the learner the memory of an answer, not the answer.
        with contextlib.suppress(OSError):
            _add(path, line)


def _add(path: str, line: str) -> None:
    """Add a line to a file as a whole, on a line of its own even if the last one was cut short."""
    with held(), open(path, "a+b") as record:
        end = record.seek(0, os.SEEK_END)
        record.seek(max(0, end - 1))
        broken = end > 0 and record.read(1) != b"\n"
        record.write((b"\n" if broken else b"") + line.encode())


def _outcomes() -> dict[str, Outcome]:
    """Return the last outcome of every question that was asked: of all notebooks if they share a file, else of this."""
    found = {id: asked.last.outcome for id, asked in _memory.items() if asked.last is not None}
    path = os.environ.get(PROGRESS)
    if path:
        with contextlib.suppress(OSError), open(path, encoding="utf-8") as record:
            for line in record:
                with contextlib.suppress(ValueError, KeyError, TypeError):  # a line cut short
                    entry = json.loads(line)
                    if entry["outcome"] in get_args(Outcome):
                        found[entry["id"]] = entry["outcome"]
    return found


def _verdict(question: Question, answer: Any) -> Verdict:
    try:
        if is_stub(answer):
            return Verdict("not attempted", (question.asks,))
        # The answer runs in a fresh lab: it can change neither the learner's own nor that of another check.
        with held() as holding, sandbox(SANDBOX_SEED), _same_chance(), let_in(holding):
            return question.judge(answer, Learner())
    except Judged as judged:
        return judged.verdict
    except (Exception, SystemExit, GeneratorExit) as error:  # an object whose own methods raise, or that is no number
        return raised_while_judged(error)


@contextlib.contextmanager
def _same_chance() -> Iterator[None]:
    """Let Python's own random numbers begin anew for each check, and put the learner's back afterwards."""
    state = random.getstate()
    random.seed(SANDBOX_SEED)
    try:
        yield
    finally:
        random.setstate(state)


def _result(question: Question, verdict: Verdict) -> Result:
    headline = f"{question.id}: {verdict.outcome}"
    if verdict.misconception is not None:
        headline += f" ({question.misconceptions[verdict.misconception]})"
    return Result(headline, verdict.paragraphs, question.id, verdict.outcome, verdict.misconception)


def hint(id: str) -> Text:
    """Return the next hint for the question ``id``, one at a time; after the last one, the last one again."""
    question = _question(id)
    asked = _memory.setdefault(id, _Asked())
    asked.hints = min(asked.hints + 1, len(question.hints))
    headline = f"{id}: hint {asked.hints} of {len(question.hints)}"
    return Text(headline, (question.hints[asked.hints - 1],))


def solution(id: str) -> Text:
    """Return one right answer to the question ``id`` as code, and the road to it."""
    question = _question(id)
    code = textwrap.indent(question.solution, "    ")
    return Text(f"{id}: one right answer of several", (code, question.road))


def progress(exercise: str | None = None) -> Text:
    """Say how many checks pass, for one exercise or for every one asked about so far, and name the others.

    The last ask of each question counts. A question that was never asked is not attempted. In the course's own
    JupyterLab the answers of all notebooks count, also those from before a restart; elsewhere those of this kernel.
    """
    outcomes = _outcomes()
    if exercise is not None:
        names = [exercise]
    else:
        names = sorted({id.rpartition(".")[0] for id in outcomes} & set(exercises()))
    if not names:
        return Text("No check has been asked yet.", ())
    first, *others = [_standing(name, outcomes) for name in names]
    return Text(first, tuple(others))


def _standing(exercise: str, outcomes: Mapping[str, Outcome]) -> str:
    by_outcome: dict[Outcome, list[str]] = {"right": [], "wrong": [], "raised": [], "not attempted": []}
    for id in questions(exercise):
        by_outcome[outcomes.get(id, "not attempted")].append(id.rpartition(".")[2])
    total = sum(len(letters) for letters in by_outcome.values())
    rest = [
        f"{outcome}: {', '.join(letters)}" for outcome, letters in by_outcome.items() if letters and outcome != "right"
    ]
    return "; ".join([f"{exercise}: {len(by_outcome['right'])} of {total} checks pass", *rest]) + "."


def _is_code(paragraph: str) -> bool:
    return paragraph.startswith("    ")
