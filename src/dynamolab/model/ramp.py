"""What a table can take at once, and how that grows: warm throughput and the doubling of on-demand mode."""

from __future__ import annotations

from collections import deque

from .meters import MICROSECONDS
from .parameters import Parameters


class Ramp:
    """One side of one table or index: the units a second that it has reached, which never fall.

    On-demand mode takes twice the previous peak at once; a peak counts as previous half an hour after it. A peak is the
    average over one interval of the clock (``ramp_peak_seconds``). Sources: "On-demand capacity mode", "Warm
    throughput".
    """

    def __init__(self, reached: float, quota: int, parameters: Parameters) -> None:
        self.reached = reached
        self.consumed = 0.0
        """Units in the running interval; whoever charges adds to it."""
        self._quota = quota
        self._factor = parameters.ramp_factor
        self._interval_seconds = parameters.ramp_peak_seconds
        self._delay = parameters.ramp_seconds * MICROSECONDS
        self._peaks: deque[tuple[int, float]] = deque()

    def raise_to(self, units: float) -> None:
        """Reach ``units`` a second, if that is more."""
        self.reached = max(self.reached, units)

    def close_interval(self, at: int, *, on_demand: bool) -> None:
        """End the running interval at ``at`` (microseconds); a new peak in it will count later."""
        ready_for = min(self.consumed / self._interval_seconds * self._factor, self._quota)
        self.consumed = 0.0
        expected = max(self.reached, self._peaks[-1][1]) if self._peaks else self.reached
        if on_demand and ready_for > expected:
            self._peaks.append((at + self._delay, ready_for))

    @property
    def due(self) -> int | None:
        """The instant (microseconds) at which the next peak counts; None if there is none to come."""
        return self._peaks[0][0] if self._peaks else None

    def mature(self) -> None:
        """Let the next peak count."""
        self.raise_to(self._peaks.popleft()[1])
