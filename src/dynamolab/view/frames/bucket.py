"""Token buckets over time: what they hold, what they admit, what they refuse."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, round_step, shorten, text_width, ticks
from .common import WIDTH, frame, sentences, values_of

MOST_BUCKETS: Final = 8
MOST_COLUMNS: Final = 180
MOST_SECONDS: Final = 1_000_000

_Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Bucket:
    """One token bucket, second by second; all in units.

    ``refill``: units a second that flow in; ``depth``: the most that it holds. ``level``: what it holds at the end of
    each second (below zero: owed). ``admitted`` and ``refused``: units in each second, together the demand.
    """

    name: str
    refill: float
    depth: float
    level: Sequence[float]
    admitted: Sequence[float]
    refused: Sequence[float]


@frame
def token_buckets(
    buckets: Bucket | Iterable[Bucket],
    *,
    title: str,
    caption: str | None = None,
    unit: str = "WU",
    first: int = 0,
    seconds: int | None = None,
    top_level: float | None = None,
    top_rate: float | None = None,
) -> Picture:
    """Buckets filling and draining, 1 to 8 of them under each other with the same axes.

    Of each: the level as an area under its depth (dashed), and below it the demand of each second: admitted (solid),
    refused (hatched), with the refill as a dashed line. All buckets cover the same seconds, from second ``first`` on.
    ``seconds``, ``top_level`` and ``top_rate`` keep the axes still while a slider moves: they are the least that the
    axes reach. Over 180 seconds each column stands for several: the lowest level and the second of the highest demand,
    not means: a mean hides the second that was refused. The totals are those of all seconds.
    """
    rows = [_Row.of(bucket) for bucket in ([buckets] if isinstance(buckets, Bucket) else buckets)]
    if not rows:
        raise PictureError("There is no bucket to draw; pass at least one Bucket.")
    if len(rows) > MOST_BUCKETS:
        raise PictureError(f"{len(rows)} buckets are too many for one picture; pass at most {MOST_BUCKETS}.")
    length = len(rows[0].level)
    if any(len(row.level) != length for row in rows):
        raise PictureError("The buckets cover different numbers of seconds; pass the same seconds of each.")
    span = math.ceil(max(length, seconds or 0) / MOST_COLUMNS)
    columns = math.ceil(max(length, seconds or 0) / span)
    unit = shorten(clean(unit), 60, 14)
    rows_seen = caption if caption is not None else _caption(rows, first, unit)
    note = f"Each column is {span} seconds: the lowest level, the busiest second." if span > 1 else ""

    canvas = Canvas(WIDTH)
    y = canvas.header(title, f"{rows_seen} {note}")
    low = min(0.0, *(float(row.level.min()) for row in rows))
    held = f"held, {unit}" + (", pale: owed" if low < 0 else "")
    entries = [("bucket", held), ("admitted", f"admitted, {unit}/s"), ("refused", f"refused, {unit}/s")]
    y = canvas.legend(MARGIN, y + 33, [*entries, ("dashed", "depth, refill")])

    high = max(*(max(row.depth, float(row.level.max())) for row in rows), top_level or 0.0)
    rate = max(*(max(row.refill, float(row.demand.max())) for row in rows), top_rate or 0.0)
    tall = min(max(230 / len(rows), 54.0), 130.0)
    flow = min(max(190 / len(rows), 44.0), 105.0)
    steps, rates = ticks(high, 2), ticks(rate, 2)
    steps += [-step for step in ticks(-low, 2)[1:]]
    marks = [row.depth for row in rows] + [row.refill for row in rows]
    left = MARGIN + max(text_width(number(value), 13) for value in [*steps, *rates, *marks]) + 10
    slot = (WIDTH - MARGIN - left) / columns
    right = left + slot * columns
    for i, row in enumerate(rows):
        y = _head(canvas, row, unit, y=y + 34)
        scale = tall / ((high - low) or 1.0)
        zero = y + 14 + high * scale
        _scale(canvas, f"level {i}", steps, row.depth, left=left, right=right, base=zero, scale=scale)
        _level(canvas, i, row, span, left=left, slot=slot, zero=zero, scale=scale)
        _dashed(canvas, f"depth {i}", row.depth, left=left, right=right, base=zero, scale=scale)
        base = y + 14 + tall + 16 + flow
        scale = flow / (rate or 1.0)
        _scale(canvas, f"rate {i}", rates, row.refill, left=left, right=right, base=base, scale=scale)
        _flow(canvas, i, row, span, left=left, slot=slot, base=base, scale=scale)
        _dashed(canvas, f"refill {i}", row.refill, left=left, right=right, base=base, scale=scale)
        y = base
    y = _axis(canvas, first, columns, span, left=left, slot=slot, y=y + 19)

    told = "; ".join(
        f"{shorten(row.name, 200, 14)}: holds at most {number(row.depth)} {unit}, refilled with {number(row.refill)} "
        f"{unit}/s, {_totals(row, unit)}, {number(float(row.level[-1]))} {unit} left"
        for row in rows
    )
    over = "1 second" if length == 1 else f"{number(length)} seconds"
    return canvas.picture(y + 18, title=title, alt=sentences(title, f"{over}. {told}", rows_seen))


@dataclass(frozen=True)
class _Row:
    """A bucket with checked arrays ``[second]``."""

    name: str
    refill: float
    depth: float
    level: _Array
    admitted: _Array
    refused: _Array

    @classmethod
    def of(cls, bucket: Bucket) -> _Row:
        name = clean(bucket.name)
        of = f"the bucket {shorten(name, 160, 14)!r}"
        level = _array(f"level of {of}", bucket.level, signed=True)
        admitted, refused = (
            _array(f"{what} of {of}", values)
            for what, values in (("admitted", bucket.admitted), ("refused", bucket.refused))
        )
        if not len(level) == len(admitted) == len(refused):
            raise PictureError(
                f"{of} has {len(level)} levels, {len(admitted)} admitted and {len(refused)} refused; "
                "pass one of each per second."
            )
        if not 1 <= len(level) <= MOST_SECONDS:
            raise PictureError(f"{of} covers {number(len(level))} seconds; pass from 1 to {number(MOST_SECONDS)}.")
        (refill,) = values_of(f"refill of {of}", [bucket.refill])
        (depth,) = values_of(f"depth of {of}", [bucket.depth])
        return cls(name, refill, depth, level, admitted, refused)

    @property
    def demand(self) -> _Array:
        return self.admitted + self.refused


def _array(name: str, values: Sequence[float], *, signed: bool = False) -> _Array:
    """``values_of``, fast for an hour of seconds; ``signed`` values may be below zero (owed)."""
    try:
        if np.asarray(values).dtype.kind not in "iufO":  # NumPy would take text and truths for numbers
            raise TypeError(values)
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise PictureError(f"{name} must hold numbers; it holds something else.") from None
    sizes = np.abs(array) if signed else array
    if array.ndim != 1 or not ((sizes >= 0) & (sizes <= 1e15)).all():
        values_of(name, sizes.ravel().tolist())  # says which one it is
        raise PictureError(f"{name} must be one value per second; it has {array.ndim} dimensions.")
    return array.round(9)


def _totals(row: _Row, unit: str) -> str:
    return f"{number(float(row.admitted.sum()))} {unit} admitted, {number(float(row.refused.sum()))} {unit} refused"


def _caption(rows: Sequence[_Row], first: int, unit: str) -> str:
    """One sentence that says what to see."""
    lost = [float(row.refused.sum()) for row in rows]
    if not any(float(row.demand.sum()) for row in rows):
        return "Nothing is asked for: what flows in is kept, up to the depth."
    most = max(range(len(rows)), key=lambda i: lost[i])
    row = rows[most]
    name = f"“{shorten(row.name, 200, 16)}”" if len(rows) > 1 else "The bucket"
    if not lost[most]:
        lowest = min(rows, key=lambda each: float(each.level.min()))
        return f"Nothing is refused: the lowest level is {number(max(0.0, float(lowest.level.min())))} {unit}."
    second = int(np.argmax(row.refused > 0))
    given = number(float(row.admitted[: second + 1].sum()))
    others = sum(1 for value in lost if value > 0) - 1
    besides = f" {others} more {'refuses' if others == 1 else 'refuse'} too." if others else ""
    after = row.admitted[second + 1 :]
    crawl = f"; then it admits {number(float(after.mean()))} {unit}/s" if len(after) else ""
    return f"{name} first refuses in second {number(first + second)}, after {given} {unit}{crawl}.{besides}"


def _head(canvas: Canvas, row: _Row, unit: str, *, y: float) -> float:
    """The bucket's name, and its totals at the right; its baseline."""
    size = 15.0
    took = f"{number(float(row.admitted.sum()))} {unit} admitted"
    lost = float(row.refused.sum())
    refused = f"{number(lost)} refused"
    end = WIDTH - MARGIN
    canvas.text(end, y, refused, size=size, bold=lost > 0, role="refused-text" if lost else "muted", anchor="end")
    end -= text_width(refused, size, bold=True) + 14
    canvas.text(end, y, took, size=size, role="admitted", anchor="end")
    end -= text_width(took, size) + 18
    holds = f"{number(row.refill)} {unit}/s in, holds {number(row.depth)}"
    name = shorten(row.name, max(end - MARGIN - text_width(holds, size) - 14, 90.0), size, bold=True)
    canvas.text(MARGIN, y, name, size=size, bold=True)
    x = MARGIN + text_width(name, size, bold=True) + 14
    if x + text_width(holds, size) <= end:
        canvas.text(x, y, holds, size=size, role="muted")
    return y


def _scale(
    canvas: Canvas,
    name: str,
    steps: Sequence[float],
    mark: float,
    *,
    left: float,
    right: float,
    base: float,
    scale: float,
) -> None:
    """Grid lines with their numbers, those left out that would touch the number of the dashed line at ``mark``."""
    free = [0.0] if mark * scale < 14 else [0.0, mark]  # numbers that are written whatever else is
    for step in steps:
        at = base - step * scale
        canvas.line(left, at, right, at, role="ink" if step == 0 else "grid", name=f"{name} tick {number(step)}")
        if step == 0 or all(abs(step - other) * scale >= 14 for other in free):
            canvas.text(left - 6, at + 4.5, number(step), size=13, role="muted", anchor="end")
    if mark in free and mark:
        canvas.text(left - 6, base - mark * scale + 4.5, number(mark), size=13, anchor="end")


def _dashed(canvas: Canvas, name: str, mark: float, *, left: float, right: float, base: float, scale: float) -> None:
    at = base - mark * scale
    canvas.line(left, at, right, at, role="ink", width=1.5, dashed=True, name=name)


def _level(
    canvas: Canvas, place: int, row: _Row, span: int, *, left: float, slot: float, zero: float, scale: float
) -> None:
    values = np.pad(row.level, (0, -len(row.level) % span), mode="edge").reshape(-1, span).min(axis=1)
    held: list[Box] = []
    debt: list[Box] = []
    for start, stop, value in _runs(values):
        x, wide = left + start * slot, (stop - start) * slot
        if value > 0:
            held.append((x, zero - value * scale, wide, value * scale))
        elif value < 0:
            debt.append((x, zero, wide, -value * scale))
    canvas.area(held, role="bucket", name=f"held {place}")
    canvas.area(debt, role="bucket-fill", name=f"owed {place}")
    canvas.frames(debt, role="bucket", name=f"owed edge {place}")


def _flow(
    canvas: Canvas, place: int, row: _Row, span: int, *, left: float, slot: float, base: float, scale: float
) -> None:
    pad = (0, -len(row.level) % span)
    took, lost = (np.pad(each, pad).reshape(-1, span) for each in (row.admitted, row.refused))
    pick = np.argmax(took + lost, axis=1)[:, None]
    took, lost = (np.take_along_axis(each, pick, axis=1)[:, 0] for each in (took, lost))
    gap = 0.12 * slot if slot > 6 else 0.0
    wide = slot - 2 * gap
    below: list[Box] = []
    above: list[Box] = []
    for i in range(len(took)):
        a, r = float(took[i]), float(lost[i])
        x = left + i * slot + gap
        if a > 0:
            below.append((x, base - a * scale, wide, a * scale))
        if r > 0:
            above.append((x, base - (a + r) * scale, wide, r * scale))
    canvas.area(below, role="admitted", name=f"admitted {place}")
    canvas.area(above, role="refused-fill", name=f"refused {place}")
    canvas.hatch(above, joined=slot <= 6)


def _runs(values: _Array) -> list[tuple[int, int, float]]:
    """Neighbours of one value together: (first, behind the last, value)."""
    starts = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist()]
    return [(start, stop, float(values[start])) for start, stop in zip(starts, [*starts[1:], len(values)], strict=True)]


def _axis(canvas: Canvas, first: int, columns: int, span: int, *, left: float, slot: float, y: float) -> float:
    """Second numbers and the axis' name; the last baseline."""
    end = first + columns * span
    every = max(round_step((text_width(number(end), 14) + 14) * span / slot), span)
    for second in range(-(-first // every) * every, end, every):
        x = left + ((second - first) / span + (0.5 if span == 1 else 0)) * slot
        if x + text_width(number(second), 14) / 2 <= canvas.width - MARGIN / 2:
            canvas.text(x, y, number(second), size=14, role="muted", anchor="middle")
    canvas.text(left, y + 21, "simulated second", size=14, role="muted")
    return y + 21
