"""Simulated time: it stands still until something advances it."""

from __future__ import annotations

import datetime as dt
import heapq
import itertools
import math
from collections.abc import Callable
from typing import Any

from ..errors import LabError
from ..model.meters import MICROSECONDS

START = dt.datetime(2026, 9, 6, 10, 0, tzinfo=dt.UTC)
"""The instant at which every lab starts: the day of the course's orders, ``PEDIDOS#2026-09-06``."""

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)
_LAST = (dt.datetime(9999, 12, 31, tzinfo=dt.UTC) - _EPOCH) // _MICROSECOND


class Clock:
    """The lab's clock. It moves by :meth:`advance`, by a traffic driver, and by the waits inside boto3's retries."""

    def __init__(self) -> None:
        self._order = itertools.count()
        self.reset()
        # A driver of many clients takes over the waiting: see dynamolab.traffic.drive.
        self.waiter: Callable[[int, bool], bool] | None = None

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

        Raises LabError for a step backwards, one without a unit, one that is not a number, or one beyond the year 9999.
        """
        if unnamed:
            raise LabError(
                f"The clock needs the unit with the number: advance(seconds={unnamed[0]!r}), or minutes, hours, days."
            )
        step = self._step(days=days, hours=hours, minutes=minutes, seconds=seconds)
        self.move_to(self.microseconds + step)
        return self.now()

    def sleep(self, seconds: float, *, is_retry: bool = False) -> None:
        """Wait in simulated time. Inside ``lab.drive`` only the calling client waits; the others go on.

        ``is_retry`` marks boto3's wait before another attempt.
        """
        step = self._step(seconds=seconds)
        if self.waiter is None or not self.waiter(step, is_retry):
            self.move_to(self.microseconds + step)

    def move_to(self, microseconds: int) -> None:
        """Set the clock to a later instant (drivers use it); an earlier one is refused."""
        if microseconds > _LAST:
            raise LabError("The clock cannot go past the year 9999; advance it by less.")
        if microseconds < self.microseconds:
            raise LabError("The clock only moves forward; call lab.start() to begin again at the first instant.")
        # What is due on the way happens at its own time, and may put more on the agenda.
        while self.agenda and self.agenda[0][0] <= microseconds:
            due, _, happen = heapq.heappop(self.agenda)
            self.microseconds = max(self.microseconds, due)
            happen()
        self.microseconds = max(self.microseconds, microseconds)

    def at(self, microseconds: int, happen: Callable[[], None]) -> None:
        """Put something on the agenda: it happens when the clock passes that instant, in order of time, then of asking.

        What repeats puts itself on the agenda again, and should do so only while there is something to do: a jump of a
        year runs everything that is due in it.
        """
        heapq.heappush(self.agenda, (microseconds, next(self._order), happen))

    def _step(self, **parts: Any) -> int:
        if not any(parts.values()):
            return 0
        for name, value in parts.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise LabError(f"The clock needs {name} as a number, not {value!r}; for example {name}=1.5.")
        try:
            step = round(dt.timedelta(**parts) / _MICROSECOND)
        except OverflowError:
            raise LabError("The clock cannot go past the year 9999; advance it by less.") from None
        if step < 0:
            raise LabError("The clock only moves forward; call lab.start() to begin again at the first instant.")
        return step

    def __repr__(self) -> str:
        return f"<lab clock at {self.now():%Y-%m-%d %H:%M:%S.%f} UTC>"


clock = Clock()
"""The one clock of this process, known to learners as ``lab.clock``."""
