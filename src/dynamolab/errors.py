"""The lab's own errors, and how an error is shown in a notebook: the sentence and the learner's line, no stack."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable


class LabError(Exception):
    """The lab was asked for something it cannot do; the message says what, where and what to do next.

    The service's own refusals are never a ``LabError``: those reach the caller as botocore's ``ClientError``.
    """

    def _render_traceback_(self) -> list[str]:
        # IPython calls this in place of printing the stack: a learner needs the sentence, not our frames.
        return in_short(self)


class ValueLabError(LabError, ValueError):
    """A value without sense: a ``LabError`` for a learner, a ``ValueError`` for code that tries values."""


def _no_advice(error: BaseException) -> str | None:
    return None


advise: Callable[[BaseException], str | None] = _no_advice
"""What can be said about an error beside its own message; a notebook's kernel has more to say than a program."""


def in_short(error: BaseException) -> list[str]:
    """Return the lines that a notebook shows for ``error``: its name and message, what to do, where in the cells."""
    said = advise(error)
    lines = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ()), *([said] if said else [])]
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_cell(frame.filename) and frame.lineno is not None:
            code = linecache.getline(frame.filename, frame.lineno).strip()
            lines.append(f"  in {_place(frame.name)}, line {frame.lineno}: {code}")
    return lines


def _is_cell(filename: str) -> bool:
    return "ipykernel_" in filename or filename.startswith("<ipython-input")


def _place(name: str) -> str:
    return "your cell" if name == "<module>" else f"your {name}"
