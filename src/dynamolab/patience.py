"""A progress bar for whoever waits: shown after a second, only to a person, and gone without a trace.

A stored notebook must not tell how long a cell took. So the bar appears on a terminal, where it is wiped; or in a
notebook whose front end says that a person can answer it (nbclient, nbval and papermill say the opposite). Of a
cell's outputs a kernel can only clear all at once: a cell that has already shown something gets no bar.

Nothing here is measured but the wait itself, and no result depends on it.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

AFTER: Final = 1.0
"""Seconds of wall clock before a bar appears."""

EVERY: Final = 0.2
"""Seconds of wall clock between two looks of a bar."""

Advance = Callable[[float], None]

_messages_before_cell: list[int] = []
"""How many messages the kernel had sent when the running cell began; empty before the first one that was seen."""


@contextlib.contextmanager
def bar(what: str, total: float) -> Iterator[Advance]:
    """Yield a function to be told how much of ``total`` is done; ``what`` names the work, in a few words.

    Telling costs next to nothing, so tell often. In a greenlet, tell from the main one only: a kernel knows the cell
    that it answers by its context. A failure to show the bar never fails the work.
    """
    began = time.monotonic()
    shown: Callable[[float], None] | None = None
    due, wiped = began + AFTER, _Wipe()

    def advance(done: float) -> None:
        nonlocal shown, due
        now = time.monotonic()
        if now < due:
            return
        due = now + EVERY
        with contextlib.suppress(Exception):
            if shown is None:
                shown, wiped.action = _place()
            shown(min(max(done / total, 0.0), 1.0) if total > 0 else 0.0)

    def _place() -> tuple[Callable[[float], None], Callable[[], None]]:
        kernel = _kernel()
        if kernel is not None:
            return _in_notebook(what) if _may_clear(kernel) else (_nowhere, _nothing)
        if sys.stderr is not None and sys.stderr.isatty():
            return _on_terminal(what)
        return _nowhere, _nothing

    try:
        yield advance
    finally:
        with contextlib.suppress(Exception):
            wiped.action()


class _Wipe:
    """What removes the bar once there is one."""

    def __init__(self) -> None:
        self.action: Callable[[], None] = _nothing


def _nothing() -> None:
    return None


def _nowhere(share: float) -> None:
    return None


def _on_terminal(what: str) -> tuple[Callable[[float], None], Callable[[], None]]:
    def show(share: float) -> None:
        marks = "#" * round(30 * share)
        sys.stderr.write(f"\r{what} [{marks:<30}] {share:4.0%}")
        sys.stderr.flush()

    def wipe() -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    return show, wipe


def _in_notebook(what: str) -> tuple[Callable[[float], None], Callable[[], None]]:
    from IPython.display import clear_output, display

    handle: Any = None

    def show(share: float) -> None:
        nonlocal handle
        text = f"{what}: {share:.0%}"
        html = (
            f'<label style="display:block;font-size:1.1em">{text} '
            f'<progress class="dl-patience" aria-label="{what}" max="100" value="{share * 100:.0f}"></progress></label>'
        )
        bundle = {"text/plain": text, "text/html": html}
        if handle is None:
            handle = display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            handle.update(bundle, raw=True)

    return show, clear_output


def _kernel() -> Any:
    """The kernel that this runs in, or None."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None)


def _may_clear(kernel: Any) -> bool:
    """Whether a person watches the running cell, and it has shown nothing yet that clearing would take away."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    asked: dict[str, Any] = kernel.get_parent().get("content", {})
    return bool(asked.get("allow_stdin")) and _messages_before_cell == [kernel.session.message_count]


def _remember(*_: Any) -> None:
    kernel = _kernel()
    if kernel is not None:
        _messages_before_cell[:] = [kernel.session.message_count]


def watch_cells() -> None:
    """In a kernel, note at the start of every cell how much was sent before it; elsewhere do nothing."""
    kernel = _kernel()
    if kernel is not None and _remember not in kernel.shell.events.callbacks["pre_run_cell"]:
        kernel.shell.events.register("pre_run_cell", _remember)
