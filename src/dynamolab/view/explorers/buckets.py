"""The explorer of lesson 06: a table's bucket fills while the table is idle, and a spike drains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ... import arguments
from ...model.parameters import DEFAULTS
from ..frames.bucket import Bucket, token_buckets
from ..picture import Picture
from ..play import TimeExplorer
from ..svg import number
from .controls import steps

_CAPACITIES: Final = (1, 2, 5, 10, 20, 50, 100)
_RATES: Final = (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000)
_IDLE: Final = (0, 10, 30, 60, 100, 150, 180, 200, 300, 400)
_LENGTHS: Final = (5, 10, 20, 30, 60, 90, 120, 180, 300)
SECONDS: Final = 720
"""What the picture shows: at most 400 s of idleness, 300 s of spike, and the beginning of the next idleness."""
STEP: Final = 5
"""Seconds of one step of the time slider."""


@dataclass(frozen=True)
class Spike:
    """A bucket over time; ``first_refusal``: seconds from the beginning of the spike to the first refusal, None: none.

    ``ceiling``: whether it is the partition, and not the bucket, that refused first.
    """

    bucket: Bucket
    first_refusal: int | None
    ceiling: bool


@arguments.typed
def spike(*, capacity: float, idle: int, rate: float, lasts: int, seconds: int = SECONDS) -> Spike:
    """Return what a table of ``capacity`` write units a second does with one spike of small writes.

    It begins with an empty bucket, is idle for ``idle`` seconds, is asked for ``rate`` units a second for ``lasts``
    seconds, and is idle again. A second's refill comes first. The table has one partition, which gives 1,000 a second
    whatever the bucket holds. Raises LabError for numbers without sense. Rests on the AWS page "Burst and adaptive
    capacity".
    """
    for name, value, least in (("capacity", capacity, 1), ("rate", rate, 0), ("idle", idle, 0), ("lasts", lasts, 0)):
        arguments.number(name, value, least, 1_000_000)
    arguments.whole("seconds", seconds, 1, 1_000_000)
    depth, ceiling = capacity * DEFAULTS.burst_seconds, DEFAULTS.partition_write_units
    level, levels, admitted, refused = 0.0, [], [], []
    first, by_ceiling = None, False
    for second in range(seconds):
        asked = rate if idle <= second < idle + lasts else 0.0
        level = min(depth, level + capacity)
        given = min(asked, level, ceiling)
        if given < asked and first is None:
            first, by_ceiling = second - idle, level >= ceiling
        level -= given
        levels.append(level)
        admitted.append(given)
        refused.append(asked - given)
    return Spike(
        Bucket(f"table of {number(capacity)} WCU", capacity, depth, levels, admitted, refused), first, by_ceiling
    )


@arguments.typed
def buckets_explorer(*, capacity: int = 5, idle: int = 300, rate: int = 50, lasts: int = 60) -> TimeExplorer:
    """A table's bucket filling and draining: capacity, idleness before a spike, the spike's rate and length, and time.

    A step of the time slider is five seconds; it opens with the end of the story. Errors: :func:`spike`.
    """

    def draw_at(found: tuple[Spike, str, str], frame: int) -> tuple[Picture, str]:
        whole, second = found[0].bucket, max(1, frame * STEP)
        shown = Bucket(
            whole.name, whole.refill, whole.depth, whole.level[:second], whole.admitted[:second], whole.refused[:second]
        )
        holds = f"After {number(second)} s it holds {number(round(shown.level[-1], 1))} of {number(whole.depth)} WU."
        highest = max(map(sum, zip(whole.admitted, whole.refused, strict=True)))
        picture = token_buckets(shown, title=found[1], caption=holds, seconds=SECONDS, top_rate=highest)
        return picture, f"{holds} {found[2]}"

    def simulate(*, capacity: int, idle: int, rate: int, lasts: int) -> tuple[Spike, str, str]:
        found = spike(capacity=capacity, idle=idle, rate=rate, lasts=lasts)
        title = f"{number(capacity)} WCU, idle for {number(idle)} s, then {number(rate)} WU/s for {number(lasts)} s"
        return found, title, _told(found, rate * lasts, capacity, idle)

    simulate(capacity=capacity, idle=idle, rate=rate, lasts=lasts)  # bad arguments fail before a slider exists
    controls = {
        "capacity": steps("WCU", _CAPACITIES, capacity, number),
        "idle": steps("idle before", _IDLE, idle, "{} s".format),
        "rate": steps("WU/s asked", _RATES, rate, number),
        "lasts": steps("for", _LENGTHS, lasts, "{} s".format),
    }
    last = SECONDS // STEP
    return TimeExplorer(controls, simulate, draw_at, frames=last + 1, start=last, name="step", interval=120)


def _told(found: Spike, asked: float, capacity: float, idle: int) -> str:
    saved = min(found.bucket.depth, capacity * idle)
    taken = f"The spike asks for {number(asked)} WU and finds {number(saved)} saved"
    if found.first_refusal is None:
        return f"{taken}: nothing is refused."
    whose = "its partition's ceiling" if found.ceiling else "the empty bucket"
    lost = number(round(sum(found.bucket.refused), 1))
    when = f"after {number(found.first_refusal)} s" if found.first_refusal else "at once"
    return f"{taken}: the first refusal comes {when}, by {whose}; {lost} WU are refused."
