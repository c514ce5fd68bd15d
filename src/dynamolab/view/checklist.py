"""A list of things to bring about, which ticks itself when a simulation reaches them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import ipywidgets as widgets

from ..errors import LabError

_reached: dict[str, set[str]] = {}
"""What one process remembers: ids of the goals reached, by the name of their list."""


@dataclass(frozen=True)
class Goal:
    """One thing to bring about: an ``id``, the ``sentence`` that a learner reads, and when a state has it."""

    id: str
    sentence: str
    reached: Callable[[Any], bool]


def forget() -> None:
    """Forget all that was reached, as after a restart of the kernel."""
    _reached.clear()


class Checklist:
    """Goals, ticked as :meth:`see` meets states that reach them; a tick stays, and outlives a rerun of its cell.

    ``name`` is what the kernel remembers the ticks by. Ticks are shown by the live ``view`` only. ``text``, which is
    what a notebook stores, is the list without ticks, so that it is the same in every run. Raises LabError for a list
    without goals and for two goals of one id.
    """

    def __init__(self, name: str, goals: Sequence[Goal]) -> None:
        ids = [goal.id for goal in goals]
        if not ids or len(set(ids)) < len(ids):
            raise LabError(f"The checklist {name!r} needs at least one goal, and each with an id of its own: {ids}.")
        self.name, self.goals = name, tuple(goals)
        self.view = widgets.HTML(tooltip="", layout=widgets.Layout(width="auto"))
        self._show()

    @property
    def reached(self) -> frozenset[str]:
        """Ids of the goals reached so far in this kernel."""
        return frozenset(_reached.get(self.name, ()))

    @property
    def text(self) -> str:
        """The goals, one a line, without ticks."""
        return "\n".join(f"\u2610 {goal.sentence}" for goal in self.goals)

    def see(self, state: Any) -> None:
        """Tick every goal that ``state`` reaches. What a goal's predicate raises goes to the caller."""
        done = _reached.setdefault(self.name, set())
        new = {goal.id for goal in self.goals if goal.id not in done and goal.reached(state)}
        if new:
            done |= new
            self._show()

    def _show(self) -> None:
        done = self.reached
        rows = "".join(_row(goal.sentence, goal.id in done) for goal in self.goals)
        count = f"{sum(goal.id in done for goal in self.goals)} of {len(self.goals)} reached"
        style = "list-style:none;padding:0;margin:.2em 0"
        self.view.value = (
            '<div style="font-size:1.1em;line-height:1.6">'
            f'<strong aria-live="polite">{count}</strong><ul style="{style}">{rows}</ul></div>'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        return {**(self.view._repr_mimebundle_(**kwargs) or {}), "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def _row(sentence: str, done: bool) -> str:
    mark, word = ("\u2611", "reached: ") if done else ("\u2610", "not yet: ")
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"
    weight = "font-weight:600" if done else ""
    spoken = f'<span style="{hidden}">{word}</span>'
    return f'<li style="{weight}"><span aria-hidden="true">{mark}</span> {spoken}{escape(sentence)}</li>'
