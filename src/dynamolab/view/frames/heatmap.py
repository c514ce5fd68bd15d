"""A day as a heat map: key ranges or keys downwards, time across, as Bigtable's Key Visualizer shows one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, round_step, shorten, text_width
from ..theme import HEAT
from .common import WIDTH, frame, positive, sentences

MOST_RANGES: Final = 64
MOST_BINS: Final = 288
_DAY: Final = 86_400
_STEPS: Final = len(HEAT) - 1
_ROUND: Final = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_SERIES: Final = (1, 2, 5, 10)
_CLOCK: Final = (1, 5, 10, 15, 30, 60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, _DAY)

_Grid = npt.NDArray[np.float64]


@frame
def heat_map(
    units: Any,
    *,
    refused: Any = None,
    labels: Sequence[str] | None = None,
    rows: str = "key range",
    start: float = 0.0,
    bin_seconds: float = 300.0,
    unit: str = "WU",
    title: str,
    caption: str | None = None,
    top: float | None = None,
    even: bool = False,
) -> Picture:
    """What each key range (or key) was asked in each span of time: the darker, the more; hatched, where refused.

    ``units`` and ``refused`` are arrays ``[row, column]`` in ``unit``, of the same shape: 1 to 64 rows, 1 to 288
    columns; ``units`` is what was asked for, so it includes ``refused``. ``labels`` names the rows, ``rows`` what a
    row is. ``start`` is the second of the day at which the first column begins, ``bin_seconds`` how long one lasts.
    The scale ends at the most, or at ``top``, which keeps it still from picture to picture. Its six steps grow as 1,
    2, 5, 10, ..., because load is skewed, or are ``even``; a cell with nothing is a step of its own. At the right and
    below: what was refused by row and by column.
    """
    asked = _grid("units", units)
    lost = _grid("refused", refused) if refused is not None else np.zeros_like(asked)
    if lost.shape != asked.shape:
        raise PictureError(f"units has the shape {asked.shape} and refused {lost.shape}; pass two of one shape.")
    if (lost > asked * (1 + 1e-9) + 1e-9).any():
        raise PictureError("refused is above units somewhere: units is what was asked for, refused included.")
    if labels is not None and len(labels) != len(asked):
        raise PictureError(f"labels has {len(labels)} entries for {len(asked)} rows; pass one per row.")
    if not (math.isfinite(start) and 0 <= start < 1e9):
        raise PictureError(f"start is {start:g}; pass the second of the day at which the first column begins.")
    span = positive("bin_seconds", bin_seconds) or 1.0
    if span * asked.shape[1] > 1e9:
        raise PictureError("The columns span more than 1 G seconds, too many for one clock.")
    given = positive("top", top)
    bounds = _bounds(given or float(asked.max()) or 1.0, even=even)
    levels = np.minimum(np.searchsorted(np.array([0.0, *bounds]) * (1 + 1e-9), asked), _STEPS)
    rows, unit = clean(rows), shorten(clean(unit), 120, 14)
    names = [clean(label) for label in labels] if labels is not None else [str(i) for i in range(len(asked))]
    called = names if labels is not None else [f"{rows} {name}" for name in names]
    seen = caption if caption is not None else _caption(asked, lost, called, start=start, span=span, unit=unit)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    every = f"{unit} in {_length(span)}"
    y = _scale(canvas, bounds, every, y=y + 20, more=bool(asked.max() > bounds[-1]), hatched=bool(lost.any()))

    count, columns = asked.shape
    high = min(max(384 / count, 6.0), 44.0)
    size = 14.0
    shown = [shorten(name, 150, size) for name in names]
    thin = round_step(max(1.0, 19 / high))
    left = MARGIN + max(text_width(name, size) for name in [*shown[::thin], "refused"]) + 8
    side = 74.0 if lost.any() else 0.0
    right = WIDTH - MARGIN - (side or 10)  # the last time of day is centred on the edge
    inside: Box = (left, y + 34, right - left, high * count)
    canvas.text(MARGIN, y + 24, shorten(rows, 300, size), size=size, role="muted")
    if side:
        canvas.text(WIDTH - MARGIN, y + 24, "refused", size=size, role="muted", anchor="end")
    _cells(canvas, levels, inside)
    _hatching(canvas, lost, inside)
    for i in range(0, count, thin):
        canvas.text(left - 8, inside[1] + (i + 0.5) * high + 5, shown[i], size=size, anchor="end")
    bottom = inside[1] + inside[3]
    if side:
        _margins(canvas, lost, inside, side=side - 12)
        bottom += 44
    y = _clock_axis(canvas, start, span, columns, inside=inside, y=bottom)

    over = f"{_clock(start)} to {_clock(start + span * columns, end=True)}"
    alt = sentences(
        title,
        f"{number(count)} rows ({rows}) and {number(columns)} columns of {_length(span)}, {over}: "
        f"{number(float(asked.sum()))} {unit} asked for, {number(float(lost.sum()))} refused "
        f"in {number(int((lost > 0).sum()))} of {number(asked.size)} cells",
        seen,
    )
    return canvas.picture(y + 18, title=title, alt=alt)


def _grid(name: str, values: Any) -> _Grid:
    try:
        grid = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        grid = np.empty(0)
    if grid.ndim != 2 or not grid.size:
        raise PictureError(f"{name} must be a table of numbers, one row per key range and one column per span of time.")
    if grid.shape[0] > MOST_RANGES or grid.shape[1] > MOST_BINS:
        raise PictureError(
            f"{name} has {number(grid.shape[0])} rows and {number(grid.shape[1])} columns; one picture takes "
            f"{MOST_RANGES} and {MOST_BINS}: add up neighbours first."
        )
    if not np.isfinite(grid).all() or (grid < 0).any() or (grid > 1e15).any():
        raise PictureError(f"{name} holds something other than numbers from 0 to 1e15.")
    return np.round(grid, 9)


def _bounds(top: float, *, even: bool) -> list[float]:
    """The upper bounds of the six steps, round numbers, so that the legend's are short; the last is at least ``top``.

    Even ones, or the six last members up to ``top`` of the series 1, 2, 5, 10, 20, 50, ...
    """
    if even:
        step = _round_up(top / _STEPS, _ROUND)
        return [round(i * step, 9) for i in range(1, _STEPS + 1)]
    found = [_round_up(top, _SERIES)]
    while len(found) < _STEPS:
        found.insert(0, _round_up(found[0] * 0.39, _SERIES))  # the one before 5 is 2, before 2 is 1, before 1 is 0.5
    return found


def _round_up(least: float, series: tuple[float, ...]) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return float(f"{next((m * power for m in series if m * power >= least * (1 - 1e-9)), 10 * power):.6g}")


def _runs(grid: npt.NDArray[Any]) -> list[tuple[int, int, int, int]]:
    """Neighbours of one value in a row as ``(value, row, first column, how many)``."""
    found = []
    for i, row in enumerate(grid):
        cuts = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
        found += [(int(row[a]), i, a, b - a) for a, b in zip(cuts, cuts[1:], strict=False)]
    return found


def _cells(canvas: Canvas, levels: npt.NDArray[np.int64], inside: Box) -> None:
    canvas.area([inside], role=HEAT[0], name="nothing")
    runs = _runs(levels)
    for level in range(1, _STEPS + 1):
        mine = [(row, column, length) for value, row, column, length in runs if value == level]
        canvas.cells(mine, inside=inside, columns=levels.shape[1], rows=levels.shape[0], role=HEAT[level])


def _hatching(canvas: Canvas, lost: _Grid, inside: Box) -> None:
    x, y, width, height = inside
    wide, high = width / lost.shape[1], height / lost.shape[0]
    boxes = [
        (x + column * wide, y + row * high, length * wide, high)
        for value, row, column, length in _runs((lost > 0).astype(np.int64))
        if value
    ]
    canvas.hatch(boxes, joined=True, over=True)
    canvas.frames(boxes, role="refused", width=1, name="refused cells")


def _margins(canvas: Canvas, lost: _Grid, inside: Box, *, side: float) -> None:
    """What was refused by row, at the right, and by column, below."""
    x, y, width, height = inside
    count, columns = lost.shape
    wide, high = width / columns, height / count
    by_row, by_column = lost.sum(1), lost.sum(0)
    rows = [
        (x + width + 12, y + i * high, value / by_row.max() * side, high)
        for i, value in enumerate(by_row.tolist())
        if value > 0
    ]
    base = y + height + 42
    below = [
        (x + i * wide, base - value / by_column.max() * 34, wide, value / by_column.max() * 34)
        for i, value in enumerate(by_column.tolist())
        if value > 0
    ]
    for name, boxes in (("refused by row", rows), ("refused by column", below)):
        canvas.area(boxes, role="refused-fill", name=name)
        canvas.hatch(boxes, joined=True)
    canvas.line(x + width + 12, y, x + width + 12, y + height, role="muted")
    canvas.line(x, base, x + width, base, role="muted")
    canvas.text(x - 8, base - 12, "refused", size=14, role="muted", anchor="end")


def _scale(canvas: Canvas, bounds: list[float], unit: str, *, y: float, more: bool, hatched: bool) -> float:
    """The legend: seven boxes with their bounds below, and the hatching; the baseline of its last line."""
    words = [number(bound) + ("+" if more and bound == bounds[-1] else "") for bound in bounds]
    box, x = max(46.0, *(text_width(each, 13) + 8 for each in words)), MARGIN
    for i, role in enumerate(HEAT):
        canvas.area([(x + i * box, y, box, 14.0)], role=role, name="swatch")
    canvas.frames([(x, y, box * len(HEAT), 14.0)], role="muted", width=1)
    canvas.text(x + box / 2, y + 29, "0", size=13, role="muted", anchor="middle")
    for i, each in enumerate(words, start=1):
        canvas.text(x + (i + 1) * box - 2, y + 29, each, size=13, role="muted", anchor="end")
    x += box * len(HEAT) + 14
    unit = shorten(unit, 200, 14)
    canvas.text(x, y + 12, unit, size=14)
    if hatched:
        x = max(x + text_width(unit, 14) + 16, WIDTH - MARGIN - 118)
        canvas.swatch(x, y, "refused")
        canvas.text(x + 26, y + 12, "refused", size=14)
    return y + 29


def _clock_axis(canvas: Canvas, start: float, span: float, columns: int, *, inside: Box, y: float) -> float:
    """Times of day under the map, thinned; the baseline of the axis' name."""
    x, _, width, _ = inside
    size, total = 14.0, span * columns
    per_second = width / total
    fine = total < 600
    widest = max(text_width(_clock(t, fine=fine), size) for t in (start, start + total)) + 14
    longer = [day * _DAY for day in (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)]
    every = next(each for each in (*_CLOCK, *longer) if each * per_second >= widest or each == longer[-1])
    for i in range(math.ceil(start / every), math.floor((start + total) / every * (1 + 1e-12)) + 1):
        at = x + (i * every - start) * per_second
        words = _clock(i * every, fine=fine, end=i * every == start + total)
        half = text_width(words, size) / 2
        if at + half > WIDTH - 4 or at - half < 4:
            continue
        canvas.line(at, y, at, y + 5, role="muted")
        canvas.text(at, y + 20, words, size=size, role="muted", anchor="middle")
    canvas.text(x, y + 42, f"simulated clock; a column is {_length(span)}", size=size, role="muted")
    return y + 42


def _clock(second: float, *, fine: bool = False, end: bool = False) -> str:
    """``06:00``; after the first day ``day 2, 06:00``; the end of a day is 24:00 when it is an ``end``."""
    day, rest = divmod(int(second), _DAY)
    if end and day and not rest:
        day, rest = day - 1, _DAY
    hour, minute = divmod(rest // 60, 60)
    words = f"{hour:02}:{minute:02}" + (f":{rest % 60:02}" if fine else "")
    return f"day {day + 1}, {words}" if day else words


def _length(seconds: float) -> str:
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= size and seconds % size == 0:
            return f"{number(seconds / size)} {name}"
    return f"{number(seconds)} s"


def _caption(asked: _Grid, lost: _Grid, names: list[str], *, start: float, span: float, unit: str) -> str:
    """One sentence that says what to see."""
    total = float(asked.sum())
    if not total:
        return "Nothing was asked for."
    if not lost.any():
        most = int(np.argmax(asked.sum(1)))
        share = number(100 * float(asked[most].sum()) / total)
        return f"Nothing is refused; {shorten(names[most], 250, 16)} takes most, {share} % of the {unit}."
    by_row = lost.sum(1)
    most = int(np.argmax(by_row))
    when = np.flatnonzero(lost.any(0))
    fine = bool(span % 60)
    first = _clock(start + float(when[0]) * span, fine=fine)
    last = _clock(start + float(when[-1] + 1) * span, fine=fine, end=True)
    share = number(100 * float(lost.sum()) / total)
    said = f"{share} % is refused, between {first} and {last}"
    of = number(100 * float(by_row[most]) / float(lost.sum()))
    return f"{said}; {of} % of that in {shorten(names[most], 250, 16)}."
