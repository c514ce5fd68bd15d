"""How the grocer's year falls on partitions under each possible key, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..traffic import grocer
from .frames import share_bars
from .picture import Picture

if TYPE_CHECKING:
    import pandas as pd


def key_scheme_bars(
    peak: float = 4000, *, partitions: int = 4, lines: pd.DataFrame | None = None, title: str | None = None
) -> Picture:
    """Draw the hottest partition's share of a second's lines under each key of the grocer's year; dashed: an even one.

    The numbers are the column ``hottest_partition_share`` of ``traffic.grocer.key_schemes``, which takes the same
    arguments and raises the same errors.
    """
    table = grocer.key_schemes(peak, partitions=partitions, lines=lines)
    shares = [round(100 * share, 1) for share in table["hottest_partition_share"]]
    worst, best = table.iloc[0], table.iloc[-1]
    caption = (
        f"By {worst['key']}, one partition of {partitions} takes {shares[0]:g} % of a second's lines, "
        f"by {best['key']} {shares[-1]:g} %; even would be {100 / partitions:.3g} %."
    )
    return share_bars(
        [(f"by {key}", share) for key, share in zip(table["key"], shares, strict=True)],
        title=title or f"The hottest partition's share, at {peak:,.0f} lines a second",
        caption=caption,
        threshold=(100 / partitions, "even"),
    )


__all__ = ["key_scheme_bars"]
