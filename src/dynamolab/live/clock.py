"""Simulated time: it stands still until something advances it."""

from __future__ import annotations

import datetime as dt
import heapq
import itertools
from collections.abc import Callable
from typing import Any, Protocol

from ..arguments import is_number, is_whole, shown
from ..errors import LabError
from ..interrupts import held, let_in
from ..model.meters import MICROSECONDS
from ..patience import Advance, bar
from . import isolation

START = dt.datetime(2026, 9, 6, 10, 0, tzinfo=dt.UTC)
"""The instant at which every lab starts: the day of the course's orders, ``PEDIDOS#2026-09-06``."""

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)
_LAST = (dt.datetime(9999, 12, 31, tzinfo=dt.UTC) - _EPOCH) // _MICROSECOND


class Waiter(Protocol):
    """A driver of many clients, which takes over the waiting: see dynamolab.traffic.simulation."""

    def wait(self, step: int, is_retry: bool) -> bool:
        """Let the calling client wait ``step`` microseconds; False if the caller is none of the clients."""

    def drives_the_caller(self) -> bool:
        """Say whether the calling code is one of the clients."""


class Clock:
    """The lab's clock. It moves by :meth:`advance`, by a traffic driver, and by the waits inside boto3's retries."""

    def __init__(self) -> None:
        self._order = itertools.count()
        self.reset()
        self.waiter: Waiter | None = None

    def reset(self, first: dt.datetime = START) -> None:
        """Go to the first instant of a new lab: the fixed one, or another (the HTTP server begins at the real time)."""
        self.microseconds = self.started = (first - _EPOCH) // _MICROSECOND
        self.agenda: list[tuple[int, int, Callable[[], None]]] = []

    def time(self) -> float:
        """Return the simulated time in seconds since 1970, as ``time.time()`` would."""
        return self.microseconds / MICROSECONDS

    def now(self) -> dt.datetime:
        """Return the simulated time as an aware datetime in UTC."""
        return _EPOCH + self.microseconds * _MICROSECOND

    def advance(
        self, *unnamed: float, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> dt.datetime:
        """Move the clock forward and return the new time; ``lab.clock.advance(hours=48)``.

        Raises LabError for a step backwards, one without a unit, one that is not a number, or one beyond the year 9999,
        and in a function that is driven: there the clock is not one client's to move.
        """
        if unnamed:
            raise LabError(
                f"The clock needs the unit with the number: advance(seconds={shown(unnamed[0])}), or minutes, hours, "
                "days."
            )
        isolation.require_running()
        step = self._step(days=days, hours=hours, minutes=minutes, seconds=seconds)
        if self.is_driven():
            raise LabError(
                "In a function that lab.drive or lab.run_clients drives, the clock moves by itself: to wait there, "
                "call lab.clock.sleep(seconds); the other clients go on meanwhile."
            )
        with held() as holding, bar("lab.clock.advance", step) as tell, let_in(holding):
            self.move_to(self.microseconds + step, tell)
        return self.now()

    def sleep(self, seconds: float, *, is_retry: bool = False) -> None:
        """Wait in simulated time. Inside ``lab.drive`` only the calling client waits; the others go on.

        ``is_retry`` marks boto3's wait before another attempt.
        """
        step = self._step(seconds=seconds)
        if self.waiter is None or not self.waiter.wait(step, is_retry):
            self.move_to(self.microseconds + step)

    def is_driven(self) -> bool:
        """Say whether the calling code is a client that a driver drives."""
        return self.waiter is not None and self.waiter.drives_the_caller()

    def move_to(self, microseconds: int, tell: Advance = lambda done: None) -> None:
        """Set the clock to a later instant (drivers use it); an earlier one is refused.

        ``tell`` is told how many microseconds of the way are done.
        """
        self.can_reach(microseconds)
        # What is due on the way happens at its own time, and may put more on the agenda.
        began = self.microseconds
        while self.agenda and self.agenda[0][0] <= microseconds:
            tell(self.microseconds - began)
            with held():
                due, _, happen = heapq.heappop(self.agenda)
                self.microseconds = max(self.microseconds, due)
                happen()
        self.microseconds = max(self.microseconds, microseconds)

    def can_reach(self, microseconds: float) -> None:
        """Raise LabError unless the clock can be moved to that instant."""
        if microseconds > _LAST:
            raise LabError("The clock cannot go past the year 9999; advance it by less.")
        if microseconds < self.microseconds:
            raise LabError("The clock only moves forward; call lab.start() to begin again at the first instant.")

    def at(self, microseconds: int, happen: Callable[[], None]) -> None:
        """Put something on the agenda: it happens when the clock passes that instant, in order of time, then of asking.

        What repeats puts itself on the agenda again, and should do so only while there is something to do: a jump of a
        year runs everything that is due in it.
        """
        heapq.heappush(self.agenda, (microseconds, next(self._order), happen))

    def _step(self, **parts: Any) -> int:
        try:
            for name, value in parts.items():
                if not is_number(value) and not is_whole(value):
                    raise LabError(f"The clock needs {name} as a number, not {shown(value)}; for example {name}=1.5.")
            # NumPy's numbers too, which timedelta does not take.
            plain = {name: int(value) if is_whole(value) else float(value) for name, value in parts.items()}
            step = round(dt.timedelta(**plain) / _MICROSECOND)
        except OverflowError:
            raise LabError("The clock cannot go past the year 9999; advance it by less.") from None
        if step < 0:
            raise LabError("The clock only moves forward; call lab.start() to begin again at the first instant.")
        return step

    def __repr__(self) -> str:
        return f"<lab clock at {self.now():%Y-%m-%d %H:%M:%S.%f} UTC>"


clock = Clock()
"""The one clock of this process, known to learners as ``lab.clock``."""
