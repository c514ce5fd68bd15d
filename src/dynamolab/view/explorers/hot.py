"""The explorer of lesson 04: what rate, item size and skew do to one partition."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ... import arguments
from ...errors import LabError
from ...model.keyspace import SPACE
from ...model.partitions import ON_DEMAND_PARTITIONS, PARTITION_UNITS
from ...model.sizes import MAX_ITEM_BYTES
from ...model.units import write_units
from ...traffic import demand
from ..explorer import Explorer
from ..frames import partition_bars
from ..picture import Picture
from ..svg import number
from .controls import BYTES, MOST_A_SECOND, counted, size_text, steps

KEYS: Final = 10_000
PARTITIONS: Final = ON_DEMAND_PARTITIONS
RATES: Final = (
    *(1, 10, 50, 100, 200, 250, 300, 400, 500, 750, 1_000, 1_250, 1_500, 1_600, 1_750),
    *(2_000, 2_500, 3_000, 3_500, 4_000, 6_000),
)
"""Writes a second worth trying, for the whole table."""
SHARES: Final = (0, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
"""Shares of the hottest key worth trying, in per cent."""


@dataclass(frozen=True)
class HotTable:
    """Writes to 10,000 keys on four partitions, of which one key is hot: units a second in the steady state.

    Arrays have one element a partition; ``home`` is the hot key's partition, ``hot_units`` what is sent to that key.
    """

    admitted_units: NDArray[np.float64]
    refused_units: NDArray[np.float64]
    home: int
    hot_units: float

    @property
    def refused_share(self) -> float:
        """Refused units over sent units, from 0 to 1."""
        return float(self.refused_units.sum() / (self.admitted_units.sum() + self.refused_units.sum()))


@arguments.typed
def hot_table(writes_per_second: float, *, item_bytes: int = 1024, share: float = 50) -> HotTable:
    """Answer what four partitions take of writes of which ``share`` per cent go to one key, the rest to 9,999 others.

    Raises LabError for a rate, a size or a share that no table can have. Retries and splits are not counted.
    """
    if not 0 < writes_per_second <= MOST_A_SECOND:
        raise LabError(
            f"Choose the write rate above 0 and up to {MOST_A_SECOND:,}, not {arguments.shown(writes_per_second)}."
        )
    arguments.whole("the item size in bytes", item_bytes, 1, MAX_ITEM_BYTES)
    arguments.number("the hottest key's share in per cent", share, 0, 100)
    where = _places()
    sent = float(writes_per_second * write_units(item_bytes))
    weights = np.r_[share / 100, np.full(KEYS - 1, (1 - share / 100) / (KEYS - 1))]
    asked = np.bincount(where, weights=weights * sent, minlength=PARTITIONS).astype(np.float64)
    admitted: NDArray[np.float64] = np.minimum(asked, float(PARTITION_UNITS["write"]))
    return HotTable(admitted, asked - admitted, int(where[0]), sent * share / 100)


@arguments.typed
def hot_explorer(*, writes_per_second: int = 1_000, item_bytes: int = 1024, share: int = 50) -> Explorer:
    """What a hot key does to its partition: sliders for the write rate, the item size and the hottest key's share.

    10,000 keys on the four partitions of a new on-demand table; the other keys share the rest alike. The vertical axis
    follows the demand, not the share, so that moving the share moves the bars and nothing else. Errors:
    :func:`hot_table`. Rests on the AWS page "Designing partition keys to distribute your workload".
    """

    def draw(*, writes_per_second: int, item_bytes: int, share: int) -> tuple[Picture, str]:
        found = hot_table(writes_per_second, item_bytes=item_bytes, share=share)
        admitted, refused = float(found.admitted_units.sum()), float(found.refused_units.sum())
        sent = admitted + refused
        ceiling = PARTITION_UNITS["write"]
        used = 100 * admitted / (ceiling * PARTITIONS)
        outcome = f"{number(round(admitted))} of {number(sent)} WU/s admitted, {number(round(refused))} refused"
        picture = partition_bars(
            found.admitted_units.round(),
            found.refused_units.round(),
            ceiling=ceiling,
            title=f"{number(writes_per_second)} writes of {size_text(item_bytes)} a second, {share} % to one key",
            caption=f"{outcome}; the table works at {number(round(used))} % of its capacity.",
            labels=[f"partition {i}\n{'the hot key' if i == found.home else 'others'}" for i in range(PARTITIONS)],
            top=max(sent, ceiling),
        )
        sentence = (
            f"{counted(writes_per_second, 'write')} of {size_text(item_bytes)} a second, {share} % to one key "
            f"({number(round(found.hot_units))} WU/s): {outcome}; the table works at {number(round(used))} %."
        )
        return picture, sentence

    draw(writes_per_second=writes_per_second, item_bytes=item_bytes, share=share)  # bad arguments fail at once
    controls = {
        "share": steps("hot key", SHARES, share, lambda step: f"{step} %"),
        "writes_per_second": steps("writes/s", RATES, writes_per_second, number),
        "item_bytes": steps("item size", BYTES, item_bytes, size_text),
    }
    return Explorer(controls, draw)


@functools.cache
def _places() -> NDArray[np.int64]:
    positions = demand.uniform(KEYS).where(0, 1)
    # position // (SPACE / n) in integers, as the live table's ranges are cut: 2**64 / 4 is a shift.
    width = np.uint64(SPACE // PARTITIONS)
    found: NDArray[np.int64] = (positions // width).astype(np.int64)
    found.flags.writeable = False
    return found
