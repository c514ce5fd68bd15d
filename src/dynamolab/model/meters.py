"""A meter: how many units a resource may still give in the running second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

MICROSECONDS = 1_000_000
"""Microseconds in a second: the lab's time is an integer number of microseconds since 1970."""


@dataclass
class Meter:
    """A bucket of units, refilled at each whole second, that admits while it is positive.

    ``rate`` is the refill in units per second and ``depth`` the most it holds (one second's refill unless told
    otherwise). A request is admitted while the level is above zero and may overdraw it; what it overdraws is owed and
    comes off the next refills. So over any time a meter gives ``rate`` units a second, plus at most its depth and one
    request. AWS publishes the rates ("Burst and adaptive capacity": 3,000 RU/s and 1,000 WU/s for a partition), not the
    algorithm; that a positive bucket admits and may be overdrawn is inferred from refusals recorded on the service,
    and the refill at whole seconds is the lab's choice (docs/fidelity.md).
    """

    rate: float
    depth: float = -1.0
    level: float = field(init=False)
    _second: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.depth < 0:
            self.depth = self.rate
        self.level = self.depth

    def admits(self, now: int) -> bool:
        """Say whether a request that arrives at ``now`` (microseconds) is admitted."""
        return self.level_at(now) > 0

    def charge(self, units: float, now: int) -> None:
        """Take ``units`` at ``now`` (microseconds), into debt where need be."""
        self._refill(now)
        self.level -= units

    def level_at(self, now: int) -> float:
        """Return how many units the meter holds at ``now`` (microseconds); negative if it owes."""
        self._refill(now)
        return self.level

    def change(self, rate: float, depth: float, now: int | None = None) -> None:
        """Go on with another rate and depth; what is held stays, as far as it fits; ``now`` ends the old rate."""
        if now is not None:
            self._refill(now)
        self.rate, self.depth, self.level = rate, depth, min(self.level, depth)

    def back_to(self, earlier: Meter) -> None:
        """Hold again what it held when ``earlier`` was copied from it."""
        self.level, self._second = earlier.level, earlier._second

    def leave(self, level: float, now: int) -> None:
        """Hold ``level`` after the second of ``now``, as a computation of many seconds found it."""
        self._refill(now)
        self.level = level

    def _refill(self, now: int) -> None:
        second = now // MICROSECONDS
        if self._second is None:
            self._second = second
        elif second > self._second:
            self.level = min(self.depth, self.level + self.rate * (second - self._second))
            self._second = second


def give_together(meters: Sequence[Meter], wanted: Sequence[float], now: int) -> tuple[list[float], list[int]]:
    """Take units from all ``meters`` alike, second by second from ``now`` on, as many small requests do.

    ``wanted``: units asked for in each second. Returns what was given in each, and the place in ``meters`` of the one
    that allowed no more, the first of several; -1 where all was given.
    """
    given, stopped = list(wanted), [-1] * len(wanted)
    levels = [meter.level_at(now) for meter in meters]
    for at, units in enumerate(wanted):
        for number, level in enumerate(levels):
            if units > level:
                units, stopped[at] = max(level, 0.0), number
        given[at] = units
        if at + 1 < len(wanted):
            levels = [min(meter.depth, level - units + meter.rate) for meter, level in zip(meters, levels, strict=True)]
        else:
            levels = [level - units for level in levels]
    for meter, level in zip(meters, levels, strict=True):
        meter.leave(level, now + max(0, len(wanted) - 1) * MICROSECONDS)
    return given, stopped
