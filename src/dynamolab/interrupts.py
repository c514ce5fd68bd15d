"""What must happen as a whole: an interrupt (Ctrl-C, a notebook's stop button) waits until it has.

A request that is admitted is stored, charged and counted; a lab that is started is started. An interrupt in between
would leave half of it. So these parts hold interrupts back, for milliseconds each, and what may take long (a learner's
own code, the steps of a drive) lets them in again. Only the main thread is ever interrupted; elsewhere this does
nothing.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

_Handler = Callable[[int, FrameType | None], Any]

_ROOM = 400
"""Python frames that a held block may use below a learner's own; a request takes about a hundred."""

_came = False
"""Whether an interrupt has come while they were held back."""


def _note(number: int, frame: FrameType | None) -> None:
    global _came
    _came = True


class held:
    """``with held():`` an interrupt waits for the end of the block, and is raised there.

    Nor does the block end because a learner's code has called itself too often: it has frames to spare. If these
    could not be given, RecursionError is raised before it begins.
    """

    # A class, not a generator: between the lines of contextlib an interrupt could come before or after its time.
    def __init__(self) -> None:
        self._before: _Handler | None = None
        self._limit = 0

    def __enter__(self) -> Self:
        if threading.get_ident() == threading.main_thread().ident:
            now = signal.getsignal(signal.SIGINT)
            if callable(now) and now is not _note:
                _need(10)
                signal.signal(signal.SIGINT, _note)  # from here on nothing is raised
                self._before = now
                self._limit = sys.getrecursionlimit()
                sys.setrecursionlimit(self._limit + _ROOM)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            sys.setrecursionlimit(self._limit)
            _release(self._before)

    def again(self) -> None:
        """Hold interrupts back once more after :class:`let_in`; does nothing if they are."""
        if self._before is not None:
            signal.signal(signal.SIGINT, _note)


class let_in:
    """``with held() as holding, ..., let_in(holding):`` interrupts come through in this block.

    What stands between the two is entered and left as a whole, whenever the interrupt comes.
    """

    def __init__(self, holding: held) -> None:
        self._holding = holding

    def __enter__(self) -> None:
        holding = self._holding
        if holding._before is not None:
            sys.setrecursionlimit(holding._limit)
            _release(holding._before)

    def __exit__(self, *_: object) -> None:
        self._holding.again()


def _release(before: _Handler) -> None:
    """Give the handler back, and tell it if an interrupt came."""
    global _came
    signal.signal(signal.SIGINT, before)
    if _came:
        _came = False
        before(signal.SIGINT, None)


def _need(frames: int) -> None:
    if frames:
        _need(frames - 1)
