"""A simulated time as a heat map: key ranges downwards, time across."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from ..arguments import shown, typed, whole
from ..errors import LabError
from ..model.throttling import Side
from ..traffic.outcome import Outcome, Quantity, day_map
from .frames.heatmap import MOST_BINS, MOST_RANGES, heat_map
from .picture import Picture

_BINS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200)
_DAY: Final = 86_400
MOST_BIN: Final = 30 * _DAY
"""Seconds of the longest column."""
_TITLES: Final = {
    "asked": "What each key range was asked",
    "admitted": "What each key range admitted",
    "refused": "What each key range refused",
}


@typed
def key_range_map(
    outcome: Outcome,
    side: Side = "write",
    *,
    quantity: Quantity = "asked",
    rows: int = MOST_RANGES,
    start: float = 0.0,
    bin_seconds: int | None = None,
    title: str | None = None,
    caption: str | None = None,
    top: float | None = None,
) -> Picture:
    """Draw an outcome of ``simulate`` as a heat map, as Bigtable's Key Visualizer shows a table.

    A row is one of ``rows`` (1 to 64) equal slices of the hash space of the table's partition keys, a column a span of
    time, its colour the units in that span; what was refused is hatched, and added up at the right and below.
    ``quantity``: "asked" (retries included), or "admitted" or "refused" alone, without hatching. ``start``: the
    second of the day at which the simulation began. ``bin_seconds``: a column's length; the shortest round one that
    needs at most 288 columns unless told. ``top`` keeps the scale still from picture to picture. Any length will do, a
    day or a minute. Raises LabError for a side, a quantity or a length without sense.
    """
    if not isinstance(outcome, Outcome):
        raise LabError(f"key_range_map draws what simulate returned, not {shown(outcome)}.")
    if side not in ("read", "write"):
        raise LabError(f"A table's units are by side, read or write, not {side!r}.")
    whole("rows", rows, 1, MOST_RANGES)
    span, columns = _bins(outcome.seconds, bin_seconds)
    # The last column may be longer than what is left: there, nothing is asked.
    longer = replace(outcome, seconds=span * columns)
    found = day_map(longer, side, quantity=quantity, rows=rows, columns=columns)
    units = np.maximum(found.units, found.refused) if quantity == "asked" else found.units
    return heat_map(
        units * span,
        refused=found.refused * span if quantity == "asked" else None,
        start=start,
        bin_seconds=span,
        unit="WU" if side == "write" else "RU",
        title=_TITLES[quantity] if title is None else title,
        caption=caption,
        top=top,
    )


def _bins(seconds: int, given: int | None) -> tuple[int, int]:
    """Return how long a column lasts and how many there are."""
    if given is None:
        days = (count * _DAY for count in range(1, 31))
        given = next(each for each in (*_BINS, *days) if each * MOST_BINS >= seconds)
    if given < 1 or given * MOST_BINS < seconds or given > MOST_BIN:
        least = max(1, -(-seconds // MOST_BINS))
        raise LabError(
            f"Choose bin_seconds as a whole number from {least:,} to {MOST_BIN:,}, since a picture has {MOST_BINS} "
            f"columns at most: not {shown(given)}."
        )
    return given, max(1, -(-seconds // given))


__all__ = ["key_range_map"]
