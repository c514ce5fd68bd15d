"""Application Auto Scaling as DynamoDB uses it: target tracking on a minute's consumption, and scheduled limits.

Pure: fed with each minute's consumption it says which capacity it wants, and from when. Source: "Managing throughput
capacity automatically with DynamoDB auto scaling"; the alarms as recorded from the service.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from ..arguments import is_number, is_whole, shown
from ..errors import ValueLabError
from .meters import MICROSECONDS
from .parameters import DEFAULTS, Parameters

MINUTE = 60 * MICROSECONDS


@dataclass(frozen=True)
class Policy:
    """What auto scaling is to keep: a target utilisation (0.2 to 0.9) between a minimum and a maximum of units.

    Raises ``ValueLabError`` for values that the service refuses.
    """

    minimum: int
    maximum: int
    target: float = 0.7
    scale_in: bool = True

    def __post_init__(self) -> None:
        if not is_number(self.target) or not 0.2 <= self.target <= 0.9:
            raise ValueLabError(f"The target utilisation is a number from 0.2 to 0.9, not {shown(self.target)}.")
        whole = is_whole(self.minimum) and is_whole(self.maximum)
        if not whole or not 1 <= self.minimum <= self.maximum:
            raise ValueLabError(
                f"The limits of auto scaling are whole numbers of 1 or more, lowest first, not {shown(self.minimum)} "
                f"to {shown(self.maximum)}."
            )

    def clamp(self, units: int) -> int:
        """Return ``units`` brought between the minimum and the maximum."""
        return min(max(units, self.minimum), self.maximum)

    def high_line(self, units: int) -> float:
        """Return the threshold of AlarmHigh: units consumed in a minute at the target. 1 unit at 70 %: 42."""
        return units * 60 * self.target

    def low_line(self, units: int, parameters: Parameters = DEFAULTS) -> float:
        """Return the threshold of AlarmLow, below which capacity is too much. 5 units at 70 %: 150 a minute."""
        return units * 60 * max(0.0, self.target - parameters.scale_in_offset)


@dataclass(frozen=True)
class ScheduledAction:
    """New limits from an instant (microseconds) on."""

    at: int
    minimum: int
    maximum: int


@dataclass(frozen=True)
class Step:
    """A change of capacity that auto scaling asks for: decided at ``decided``, in force at ``effective``."""

    units: int
    decided: int
    effective: int
    cause: Literal["scale out", "scale in", "scheduled"]


@dataclass
class AutoScaling:
    """Auto scaling of one side of one table or index.

    Feed :meth:`observe` once for each minute, in their order, with the capacity that was in force; minutes without a
    call have no data and break a run. A scale-out takes two minutes in a row above the target, a scale-in fifteen below
    the low line; each needs some minutes to come into force, and none is decided while one is under way.
    """

    policy: Policy
    schedule: tuple[ScheduledAction, ...] = ()
    parameters: Parameters = DEFAULTS
    steps: list[Step] = field(default_factory=list, init=False)
    _minute: int | None = field(default=None, init=False)
    _above: int = field(default=0, init=False)
    _below: int = field(default=0, init=False)

    def observe(
        self, minute_start: int, consumed_units: float, units: int, *, may_decrease: bool = True
    ) -> Step | None:
        """Take in one minute's consumption; return the change that auto scaling decides at its end, if any.

        ``minute_start``: microseconds, a whole minute. ``consumed_units``: the sum over the minute. ``units``: the
        capacity in force. ``may_decrease``: whether the quota of decreases allows one; if not, it is asked again each
        minute.
        """
        minute = minute_start // MINUTE
        if self._minute is not None and minute <= self._minute:
            raise ValueError("Minutes are observed once each, in their order.")
        follows = self._minute is not None and minute == self._minute + 1
        self._minute = minute
        above = consumed_units > self.policy.high_line(units)
        below = consumed_units < self.policy.low_line(units, self.parameters)
        self._above = (self._above if follows else 0) + 1 if above else 0
        self._below = (self._below if follows else 0) + 1 if below else 0
        now = (minute + 1) * MINUTE
        if self.steps and now <= self.steps[-1].effective:
            return None
        wanted = self.policy.clamp(max(1, math.ceil(round(consumed_units / 60 / self.policy.target, 9))))
        if self._above >= self.parameters.scale_out_points and wanted > units:
            return self._decide(wanted, now, "scale out")
        ready = self._below >= self.parameters.scale_in_points and self.policy.scale_in and may_decrease
        if ready and wanted < units:
            return self._decide(wanted, now, "scale in")
        return None

    def scheduled(self, now: int, units: int) -> Step | None:
        """Apply the scheduled actions that are due by ``now`` (microseconds); return the change they bring, if any.

        An action moves the limits at once; capacity outside the new limits follows as any change does.
        """
        due = sorted((action for action in self.schedule if action.at <= now), key=lambda action: action.at)
        if not due:
            return None
        self.schedule = tuple(action for action in self.schedule if action.at > now)
        last = due[-1]
        self.policy = Policy(last.minimum, last.maximum, self.policy.target, self.policy.scale_in)
        wanted = self.policy.clamp(units)
        if wanted == units:
            return None
        step = Step(wanted, last.at, last.at + self.parameters.capacity_seconds * MICROSECONDS, "scheduled")
        self.steps.append(step)
        return step

    def _decide(self, units: int, now: int, cause: Literal["scale out", "scale in"]) -> Step:
        self._above = self._below = 0
        step = Step(units, now, now + self.parameters.scale_action_seconds * MICROSECONDS, cause)
        self.steps.append(step)
        return step
