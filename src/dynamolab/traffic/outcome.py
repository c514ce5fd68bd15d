"""What came of a simulated workload: totals, and frames by second, partition, key, minute and reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import LabError
from ..model.flow import Stretch
from ..model.partitions import PartitionedTable
from ..model.throttling import SIDES, Side
from .demand import Floats
from .layout import Layout

if TYPE_CHECKING:
    import pandas as pd


class Part(NamedTuple):
    """One operation as asked of one side: its population of keys (by number), requests a second, units of each."""

    name: str
    group: int
    rate: Floats
    units: float


class Block(NamedTuple):
    """One stretch of seconds on one side: what was asked and admitted, and where the keys lay meanwhile."""

    first: int
    stretch: Stretch
    fresh: Floats
    layouts: list[Layout]
    shares: list[Floats]

    @property
    def last(self) -> int:
        """The second behind it."""
        return self.first + len(self.fresh)


class Event(NamedTuple):
    """Something that changed: ``index`` None for the table."""

    second: int
    index: str | None
    event: str
    detail: str


@dataclass
class Record:
    """All stretches of one side of a table or index."""

    side: Side
    index: str | None
    table: PartitionedTable
    parts: list[Part]
    blocks: list[Block] = field(default_factory=list)


class Totals(dict[str, dict[str, float]]):
    """Totals by side and name; printed, one line a number."""

    def __repr__(self) -> str:
        lines = []
        for side, values in self.items():
            lines.append(f"{side}:")
            for name, value in values.items():
                text = f"{100 * value:.2f} %" if name.endswith("share") else f"{value:,.6g}"
                if not name.endswith("share") and value >= 1e6:
                    text = f"{value:,.0f}"
                lines.append(f"  {name.replace('_', ' ')}: {text}")
        return "\n".join(lines)


@dataclass
class Outcome:
    """What came of ``simulate``. Arrays are by second from 0; frames (pandas) are made when they are first asked for.

    ``sent`` counts each request once, ``admitted`` those that got through in the end, ``refused`` those that did not:
    with retries, a refused request is one whose last retry was refused, or that still waits at the end.
    """

    seconds: int
    records: Mapping[tuple[str | None, Side], Record] = field(repr=False)
    steps: list[tuple[int, str | None, Side, int]] = field(repr=False)
    event_log: list[Event] = field(repr=False)
    provisioned: bool = False
    tables: Mapping[str | None, PartitionedTable] = field(default_factory=dict, repr=False)
