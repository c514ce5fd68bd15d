"""Partitions over time: what each admitted and refused, second by second."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, number, round_step, shorten, text_width, ticks
from .common import UNITS, WIDTH, frame, positive, sentences

MOST_ROWS: Final = 16
MOST_COLUMNS: Final = 120

_Grid = npt.NDArray[np.float64]


@frame
def partition_seconds(
    load: Any,
    *,
    side: str = "write",
    ceiling: float | None = None,
    title: str | None = None,
    caption: str | None = None,
) -> Picture:
    """What each partition admitted and refused, second by second: one row per partition, time across.

    ``load`` is the table that ``lab.partition_load`` returns. Without a ``ceiling`` the bars count requests,
    as measured. With one (units per second) they are units: admitted units as measured, and each refused
    request drawn as the mean of the admitted ones, because a refused request has no measured size; the legend
    says so. The two columns at the right are measured in either case.

    Of more than 16 partitions, the 16 that refused and admitted most are drawn. Over 120 seconds, each bar is
    the busiest second of its span, not a mean: a mean hides the second that was refused.
    """
    if side not in UNITS:
        raise PictureError(f"side is {side!r}; it is either 'write' or 'read'.")
    limit = positive("ceiling", ceiling)
    data = _Load.of(load, side)
    seconds = data.admitted.shape[1]
    span = math.ceil(seconds / MOST_COLUMNS)
    asked = data.admitted.sum()
    weight = float(data.units.sum() / asked) if limit and asked else 1.0
    drawn, unit = (data.units, UNITS[side]) if limit else (data.admitted, "requests")
    solid, hatched = _busiest(drawn, data.refused * weight, span)

    heading = title if title is not None else f"{side.capitalize()}s per partition, second by second"
    seen = caption if caption is not None else _seconds_caption(data)
    shown = np.sort(np.lexsort((-data.admitted.sum(1), -data.refused.sum(1)))[:MOST_ROWS]).tolist()
    notes = [f"The {MOST_ROWS} busiest of {len(data.partitions)} partitions are drawn."] * (len(shown) < len(solid))
    notes += [f"Each bar is the busiest of {span} seconds."] * (span > 1)
    canvas = Canvas(WIDTH)
    y = canvas.header(heading, " ".join([seen, *notes]))
    entries = [("admitted", f"admitted, {unit}/s"), ("refused", "refused requests/s")]
    if limit:
        entries[1] = ("refused", f"refused requests, drawn as {number(weight)} {unit} each")
        entries.append(("dashed", f"ceiling, {number(limit)} {unit}/s"))
    y = canvas.legend(MARGIN, y + 33, entries)

    columns = [
        _Column(f"admitted {unit}", "admitted", drawn.sum(1).tolist()),
        _Column("refused requests", "refused-text", data.refused.sum(1).tolist()),
    ]
    end = WIDTH - MARGIN
    for column in reversed(columns):
        column.end = end
        end -= column.width() + 18
        for i, word in enumerate(column.head.split()):
            canvas.text(column.end, y + 28 + 17 * i, word, size=14, role="muted", anchor="end")
    y += 60

    busy = {i for i in shown if (solid[i] + hatched[i]).any()}
    highest = float(max(np.max(solid + hatched), limit or 0.0)) or 1.0
    mark = limit or ticks(highest, 2)[-1]
    names = {i: shorten(f"partition {data.partitions[i]}", 120, 15) for i in shown}
    left = MARGIN + max(text_width(name, 15) for name in names.values()) + 10 + text_width(number(mark), 13) + 8
    slot = min((end - left) / solid.shape[1], 76.0)
    right = left + slot * solid.shape[1]
    high = min(max(420 / max(len(busy), 1) - 14, 34.0), 110.0)
    for i in shown:
        if i in busy:
            y += high
            scale = high / highest
            level = y - mark * scale
            if not limit:
                canvas.line(left, level, right, level, role="grid", name=f"tick {number(mark)}")
            name = data.partitions[i]
            _row_bars(canvas, solid[i], hatched[i], name, left=left, slot=slot, base=y, scale=scale)
            if limit:
                canvas.line(left, level, right, level, role="ink", width=1.5, dashed=True, name="ceiling")
            canvas.text(left - 6, level + 4.5, number(mark), size=13, role="muted", anchor="end")
            canvas.line(left, y, right, y, role="muted")
            middle = y - high / 2 + 6
        else:
            # An idle partition needs no room: a line and the word say it, and the busy ones stand out.
            y += 16
            canvas.text(left + 4, y - 5, "idle", size=14, role="muted")
            canvas.line(left, y, right, y, role="edge")
            middle = y - 4
        canvas.text(MARGIN, middle, names[i], size=15, role="ink" if i in busy else "muted")
        for column in columns:
            some = column.values[i] > 0
            role = column.role if some else "muted"
            words = number(column.values[i])
            canvas.text(column.end, middle, words, size=16, bold=some, role=role, anchor="end")
        y += 14
    y = _seconds_axis(canvas, data.first, solid.shape[1], span, left=left, slot=slot, y=y + 6)

    count = "One partition" if len(solid) == 1 else f"{len(solid)} partitions"
    over = "1 simulated second" if seconds == 1 else f"{number(seconds)} simulated seconds"
    took = f"{number(asked)} {side} requests admitted ({number(data.units.sum())} {UNITS[side]})"
    alt = sentences(heading, f"{count}, {over}: {took}, {number(data.refused.sum())} refused", seen)
    return canvas.picture(y + 20, title=heading, alt=alt)


@dataclass
class _Column:
    """A column of measured totals at the right of the rows, right-aligned at ``end``."""

    head: str
    role: str
    values: list[float]
    end: float = 0.0

    def width(self) -> float:
        words = [text_width(word, 14) for word in self.head.split()]
        return max(words + [text_width(number(value), 16, bold=True) for value in self.values])


@dataclass(frozen=True)
class _Load:
    """One side of a load table as arrays ``[partition, second]``, every second from the first to the last."""

    admitted: _Grid
    refused: _Grid
    units: _Grid
    partitions: list[int]
    first: int

    @classmethod
    def of(cls, load: Any, side: str) -> _Load:
        values = ("admitted_requests", "refused_requests", "admitted_units")
        present = getattr(load, "columns", ())
        missing = [name for name in ("second", "partition", "side", *values) if name not in present]
        if missing:
            raise PictureError(f"The load lacks {', '.join(missing)}; pass what lab.partition_load returns.")
        if len(load) == 0:
            raise PictureError("There is no load to draw: send some requests, then ask for the picture.")
        second, partition = (_column(load, name).astype(np.int64) for name in ("second", "partition"))
        partitions, row = np.unique(partition, return_inverse=True)
        first, seconds = int(second.min()), int(second.max() - second.min()) + 1
        if seconds * len(partitions) > 5_000_000:
            raise PictureError(
                f"The load spans {number(seconds)} seconds, too many for one picture; select some, such as "
                "load[load.second < 3600]."
            )
        mine = np.asarray(load["side"] == side, dtype=bool)
        grids = []
        for name in values:
            grid = np.zeros((len(partitions), seconds))
            np.add.at(grid, (row[mine], second[mine] - first), _column(load, name)[mine])
            grids.append(grid)
        return cls(grids[0], grids[1], grids[2], [int(p) for p in partitions], first)


def _column(load: Any, name: str) -> _Grid:
    try:
        values = np.asarray(load[name], dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not np.isfinite(values).all() or (values < 0).any() or (values > 1e15).any():
        raise PictureError(f"The load's column {name} holds something other than numbers from 0 to 1e15.")
    return values


def _busiest(solid: _Grid, hatched: _Grid, span: int) -> tuple[_Grid, _Grid]:
    """Both grids with ``span`` seconds folded into one column: the second in which the most was asked for."""
    pad = ((0, 0), (0, -solid.shape[1] % span))
    one, two = (np.pad(grid, pad).reshape(len(grid), -1, span) for grid in (solid, hatched))
    pick = np.argmax(one + two, axis=2)[:, :, None]
    return np.take_along_axis(one, pick, axis=2)[:, :, 0], np.take_along_axis(two, pick, axis=2)[:, :, 0]


def _row_bars(
    canvas: Canvas,
    solid: _Grid,
    hatched: _Grid,
    name: int,
    *,
    left: float,
    slot: float,
    base: float,
    scale: float,
) -> None:
    joined = slot <= 5
    wide = slot if joined else 0.8 * slot
    below: list[Box] = []
    above: list[Box] = []
    for i, (a, r) in enumerate(zip(solid.tolist(), hatched.tolist(), strict=True)):
        x = left + i * slot + (slot - wide) / 2
        if a > 0:
            below.append((x, base - a * scale, wide, a * scale))
        if r > 0:
            above.append((x, base - (a + r) * scale, wide, r * scale))
    canvas.area(below, role="admitted", name=f"admitted {name}")
    canvas.area(above, role="refused-fill", name=f"refused {name}")
    canvas.hatch(above, joined=joined)


def _seconds_axis(canvas: Canvas, first: int, columns: int, span: int, *, left: float, slot: float, y: float) -> float:
    """Second numbers under the last row and the axis' name; the last baseline."""
    size = 14.0
    widest = text_width(number(first + columns * span), size) + 12
    every = max(round_step(widest * span / slot), span)
    for second in range(-(-first // every) * every, first + columns * span, every):
        x = left + ((second - first) // span + 0.5) * slot
        canvas.text(x, y, number(second), size=size, role="muted", anchor="middle")
    canvas.text(left, y + 22, "simulated second since lab.start()", size=size, role="muted")
    return y + 22


def _seconds_caption(data: _Load) -> str:
    """One sentence that says what to see."""
    lost = data.refused.sum(1)
    asked = data.admitted.sum(1) + lost
    idle, count = int((asked == 0).sum()), len(asked)
    if idle == count:
        return "Nothing was sent: every partition is idle."
    if not lost.any():
        most = int(np.argmax(asked))
        share = number(100 * asked[most] / asked.sum())
        return f"Nothing was refused; partition {data.partitions[most]} took most, {share} % of the requests."
    most = int(np.argmax(lost))
    name, share = f"artition {data.partitions[most]}", number(100 * lost[most] / asked[most])
    refusing = int((lost > 0).sum())
    if refusing == 1:
        said = f"P{name} refused {share} % of its requests"
        return said + (f" while {idle} of {count} stood idle." if idle else ".")
    said = f"{refusing} of {count} partitions refused, p{name} most, {share} % of its own"
    return said + (f"; {idle} stood idle." if idle else ".")
