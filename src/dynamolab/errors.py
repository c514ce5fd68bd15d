"""The lab's own errors, and how an error is shown in a notebook: the sentence and the learner's line, no stack."""

from __future__ import annotations

import linecache
import traceback


class LabError(Exception):
    """The lab was asked for something it cannot do; the message says what, where and what to do next.

    The service's own refusals are never a ``LabError``: those reach the caller as botocore's ``ClientError``.
    """

    def _render_traceback_(self) -> list[str]:
        # IPython calls this in place of printing the stack: a learner needs the sentence, not our frames.
        return in_short(self)


def in_short(error: BaseException) -> list[str]:
    """Return the lines that a notebook shows for ``error``: its name and message, its notes, and where in the cells."""
    lines = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_cell(frame.filename) and frame.lineno is not None:
            code = linecache.getline(frame.filename, frame.lineno).strip()
            lines.append(f"  in {_place(frame.name)}, line {frame.lineno}: {code}")
    return lines


def _is_cell(filename: str) -> bool:
    return "ipykernel_" in filename or filename.startswith("<ipython-input")


def _place(name: str) -> str:
    return "your cell" if name == "<module>" else f"your {name}"
