"""The frames: each a pure function of data that returns a :class:`~dynamolab.view.picture.Picture`.

The same function draws the stored picture and the one behind a slider. Bad data raises ``PictureError``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .picture import Picture, PictureError
from .svg import MARGIN, Box, Canvas, clean, number, round_step, shorten, text_width, ticks

WIDTH: Final = 760
MOST_PARTITIONS: Final = 256
MOST_ROWS: Final = 16
MOST_COLUMNS: Final = 120
MOST_SHARES: Final = 40

_UNITS: Final = {"write": "WU", "read": "RU"}
_Grid = npt.NDArray[np.float64]


# --- partitions as bars ------------------------------------------------------------------------------------


def partition_bars(
    admitted: Iterable[float],
    refused: Iterable[float],
    *,
    ceiling: float | None,
    unit: str = "WU/s",
    title: str,
    caption: str | None = None,
    labels: Sequence[str] | None = None,
    top: float | None = None,
    queries: int | None = None,
    queries_note: str = "",
) -> Picture:
    """What each partition admits (solid) and refuses (hatched, on top), against its ceiling (dashed).

    ``admitted`` and ``refused`` hold one value per partition, in ``unit``; 1 to 256 partitions.
    ``labels`` names the bars, in two lines at most (``"partition 0\\n4 keys"``); where they would touch, only
    some are written. ``top`` keeps the vertical axis still while a slider moves. ``queries`` adds a strip
    below: one mark per query that reads everything back, and ``queries_note``, what they cost.
    """
    took, lost = _values("admitted", admitted), _values("refused", refused)
    if not took:
        raise PictureError(
            "There is no partition to draw: admitted and refused are empty. Pass one value per partition."
        )
    if len(took) != len(lost):
        raise PictureError(
            f"admitted has {len(took)} values and refused has {len(lost)}; pass one of each per partition."
        )
    if len(took) > MOST_PARTITIONS:
        raise PictureError(f"{len(took)} partitions are too many for one picture; pass the {MOST_PARTITIONS} busiest.")
    limit = _positive("ceiling", ceiling)
    least_top = _positive("top", top) or 0.0
    if labels is not None and len(labels) != len(took):
        raise PictureError(f"labels has {len(labels)} entries for {len(took)} partitions; pass one per partition.")
    if queries is not None and queries < 0:
        raise PictureError("queries cannot be negative; pass how many queries read everything back.")

    unit = shorten(clean(unit), 80, 14)
    names = [str(label) for label in (labels if labels is not None else range(len(took)))]
    seen = caption if caption is not None else _bars_caption(took, lost, limit, unit)
    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    y = canvas.legend(MARGIN, y + 33, [("admitted", f"admitted, {unit}"), ("refused", f"refused, {unit}")])

    highest = max(*(a + r for a, r in zip(took, lost, strict=True)), limit or 0.0, least_top) or 1.0
    steps = ticks(highest)
    beside = f"{number(limit)} {unit}" if limit else ""
    left = MARGIN + max(text_width(words, 14) for words in (unit, *map(number, steps))) + 10
    right = WIDTH - MARGIN - (max(text_width(beside, 14, bold=True), 50) + 12 if limit else 0)
    plot_top = y + 52  # room for two lines of numbers above the highest bar
    base = plot_top + 200
    scale = (base - plot_top) / highest

    for step in steps:
        level = base - step * scale
        canvas.line(left, level, right, level, role="grid" if step else "ink", name=f"tick {number(step)}")
        canvas.text(left - 8, level + 5, number(step), size=14, role="muted", anchor="end")
    canvas.text(left - 8, plot_top - 22, unit, size=14, role="muted", anchor="end")

    slot = (right - left) / len(took)
    wide = min(0.72 * slot, 110) if slot > 8 else 0.84 * slot
    centres = [left + (i + 0.5) * slot for i in range(len(took))]
    solid: dict[str, Box] = {}
    hatched: dict[str, Box] = {}
    for i, (a, r, centre) in enumerate(zip(took, lost, centres, strict=True)):
        if a > 0:
            solid[f"admitted {i}"] = (centre - wide / 2, base - a * scale, wide, a * scale)
        if r > 0:
            hatched[f"refused {i}"] = (centre - wide / 2, base - (a + r) * scale, wide, r * scale)
    canvas.bars(list(solid.values()), role="admitted", names=list(solid))
    canvas.bars(list(hatched.values()), role="refused-fill", names=list(hatched))
    canvas.hatch(list(hatched.values()))
    if limit:
        level = base - limit * scale
        canvas.line(left, level, right + 6, level, role="ink", width=2, dashed=True, name="ceiling")
        level = min(level, base - 18)  # its words stay clear of the names under the bars
        canvas.text(right + 12, level - 4, "ceiling", size=14)
        canvas.text(right + 12, level + 14, beside, size=14, bold=True)
    _bar_numbers(canvas, took, lost, centres=centres, slot=slot, wide=wide, base=base, scale=scale)

    y = _axis_labels(canvas, names, centres=centres, slot=slot, y=base + 22)
    if labels is None:
        y += 21
        canvas.text((left + right) / 2, y, "partition", size=15, role="muted", anchor="middle")
    cost = ""
    if queries is not None:
        cost = "1 query" if queries == 1 else f"{number(queries)} queries"
        cost += f", {queries_note}" if queries_note else ""
        y = _query_strip(canvas, queries, cost, y=y + 20)

    total = f"{number(sum(took))} {unit} admitted and {number(sum(lost))} {unit} refused"
    each = f", each with a ceiling of {number(limit)} {unit}" if limit else ""
    count = "One partition" if len(took) == 1 else f"{len(took)} partitions"
    alt = _sentences(title, f"{count}{each}: {total}", seen, f"Reading it back: {cost}" if cost else "")
    return canvas.picture(y + 20, title=title, alt=alt)


def _bars_caption(took: list[float], lost: list[float], limit: float | None, unit: str) -> str:
    """One sentence that says what to see."""
    count = len(took)
    idle = sum(1 for a, r in zip(took, lost, strict=True) if a + r == 0)
    if idle == count:
        return "Nothing is sent: every partition is idle."
    if not any(lost):
        most = max(range(count), key=lambda i: took[i])
        of = f" of its {number(limit)}" if limit else ""
        return f"Nothing is refused: the busiest, partition {most}, takes {number(took[most])}{of} {unit}."
    most = max(range(count), key=lambda i: lost[i])
    refusing = sum(1 for r in lost if r > 0)
    amount = f"{number(lost[most])} {unit}"
    if refusing == 1:
        said = f"Partition {most} refuses {amount}"
    else:
        said = f"{refusing} of {count} partitions refuse; partition {most} refuses most, {amount}"
        said += "," if idle else ""
    return said + (f" while {idle} of {count} {'is' if idle == 1 else 'are'} idle." if idle else ".")


def _bar_numbers(
    canvas: Canvas,
    took: list[float],
    lost: list[float],
    *,
    centres: list[float],
    slot: float,
    wide: float,
    base: float,
    scale: float,
) -> None:
    """The numbers on and over the bars, where all of them have room."""
    size = 16.0
    if max(text_width(number(v), size, bold=True) for v in (*took, *lost)) > slot - 6:
        return
    longest = max((f"{number(r)} refused" for r in lost), key=len)
    worded = text_width(longest, 14, bold=True) <= slot - 6
    if worded and text_width(longest, size, bold=True) > slot - 6:
        size = 14.0
    for a, r, centre in zip(took, lost, centres, strict=True):
        if a + r == 0:
            if text_width("idle", size) <= slot - 6:
                canvas.text(centre, base - 8, "idle", size=size, role="muted", anchor="middle", halo=True)
            continue
        y = base - (a + r) * scale - 8
        inside = a * scale >= 26 and text_width(number(a), size, bold=True) <= wide - 6
        if a > 0 and inside:
            y_in = base - a * scale + 20
            canvas.text(centre, y_in, number(a), size=size, role="on-admitted", anchor="middle", bold=True)
        elif a > 0 and (worded or r == 0):  # without its word, a second number would only puzzle
            canvas.text(centre, y, number(a), size=size, role="admitted", anchor="middle", bold=True, halo=True)
            y -= 18
        if r > 0:
            words = f"{number(r)} refused" if worded else number(r)
            canvas.text(centre, y, words, size=size, role="refused-text", anchor="middle", bold=True, halo=True)


def _axis_labels(canvas: Canvas, names: list[str], *, centres: list[float], slot: float, y: float) -> float:
    """Names under the bars, thinned so that neighbours never touch; the baseline of the last line."""
    size, gap = 15.0, 8.0
    room = max(slot - gap, 72.0)
    rows = [[shorten(clean(part), room, size) for part in name.split("\n")[:2]] for name in names]
    widest = max(text_width(part, size) for row in rows for part in row)
    every = round_step((widest + gap) / slot)
    lines, free = 1, 0.0
    for i in range(0, len(names), every):
        # A last name wider than its slot is pushed inwards; where that brings it too close, it is left out.
        half = max(text_width(part, size) for part in rows[i]) / 2
        x = min(max(centres[i], MARGIN + half), canvas.width - MARGIN - half)
        if x - half < free:
            continue
        free = x + half + gap
        for j, part in enumerate(rows[i]):
            if part:
                canvas.text(x, y + 20 * j, part, size=size, anchor="middle", role="ink" if j == 0 else "muted")
        lines = max(lines, len(rows[i]))
    return y + 20 * (lines - 1)


def _query_strip(canvas: Canvas, queries: int, cost: str, *, y: float) -> float:
    """One mark per query (400 at most are drawn) between the words and the cost; the last baseline."""
    left, right, size = MARGIN, canvas.width - MARGIN, 15.0
    canvas.line(left, y, right, y, role="grid")
    y += 28
    canvas.text(left, y, "reading it back", size=size)
    cost = shorten(clean(cost), 300, size, bold=True)
    canvas.text(right, y, cost, size=size, bold=True, anchor="end")
    start = left + text_width("reading it back", size) + 10
    room = right - max(text_width(cost, size, bold=True), 200) - 16 - start
    drawn = min(queries, 400)
    pitch = min(12.0, room / max(drawn, 1))
    marks = [(start + i * pitch, y - 13.0, pitch * 0.6, 15.0) for i in range(drawn)]
    canvas.area(marks, role="query", name="queries")
    return y


# --- partitions over time ----------------------------------------------------------------------------------


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
    if side not in _UNITS:
        raise PictureError(f"side is {side!r}; it is either 'write' or 'read'.")
    limit = _positive("ceiling", ceiling)
    data = _Load.of(load, side)
    seconds = data.admitted.shape[1]
    span = math.ceil(seconds / MOST_COLUMNS)
    asked = data.admitted.sum()
    weight = float(data.units.sum() / asked) if limit and asked else 1.0
    drawn, unit = (data.units, _UNITS[side]) if limit else (data.admitted, "requests")
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
    took = f"{number(asked)} {side} requests admitted ({number(data.units.sum())} {_UNITS[side]})"
    alt = _sentences(heading, f"{count}, {over}: {took}, {number(data.refused.sum())} refused", seen)
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


# --- shares ------------------------------------------------------------------------------------------------


def share_bars(
    rows: Iterable[tuple[str, float]],
    *,
    title: str,
    caption: str | None = None,
    threshold: float | tuple[float, str] | None = None,
    unit: str = "%",
) -> Picture:
    """One horizontal bar per ``(label, value)``, for shares that are to be compared; 1 to 40 rows.

    ``threshold`` draws a dashed vertical line, either at a value or, with its own words, ``(value, label)``.
    """
    pairs = [(clean(label), value) for label, value in rows]
    if not pairs:
        raise PictureError("There is no bar to draw: rows is empty. Pass (label, value) pairs.")
    if len(pairs) > MOST_SHARES:
        raise PictureError(f"{number(len(pairs))} bars are too many for one picture; pass at most {MOST_SHARES}.")
    values = _values("rows", (value for _, value in pairs))
    unit = shorten(clean(unit), 120, 16, bold=True)
    at, words = threshold if isinstance(threshold, tuple) else (threshold, "")
    limit = _positive("threshold", at)
    largest = max(range(len(pairs)), key=lambda i: values[i])
    seen = caption if caption is not None else f"The largest is {pairs[largest][0]}, {number(values[largest])} {unit}."
    seen = clean(seen)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    size, high, gap = 16.0, 28.0, 12.0
    labels = [shorten(label, 250, size) for label, _ in pairs]
    left = MARGIN + max(text_width(label, size) for label in labels) + 14
    room = max(text_width(f"{number(v)} {unit}", size, bold=True) for v in values) + 10
    right = WIDTH - MARGIN - room
    scale = (right - left) / (max(*values, limit or 0.0) or 1.0)
    y += 28
    if limit:
        words = shorten(clean(words) or f"{number(limit)} {unit}", WIDTH - 2 * MARGIN, 14)
        half = text_width(words, 14) / 2
        x = min(max(left + limit * scale, MARGIN + half), WIDTH - MARGIN - half)
        canvas.text(x, y + 4, words, size=14, anchor="middle")
        y += 16
    bottom = y + len(pairs) * (high + gap)
    boxes = [(left, y + gap / 2 + i * (high + gap), v * scale, high) for i, v in enumerate(values)]
    drawn = [i for i, v in enumerate(values) if v > 0]
    canvas.bars([boxes[i] for i in drawn], role="key", names=[f"share {labels[i]}" for i in drawn])
    canvas.line(left, y, left, bottom, role="ink")
    if limit:
        x = left + limit * scale
        canvas.line(x, y - 4, x, bottom, role="ink", width=2, dashed=True, name="threshold")
    for label, value, (x, top, wide, _) in zip(labels, values, boxes, strict=True):
        canvas.text(left - 10, top + 20, label, size=size, anchor="end")
        canvas.text(x + wide + 8, top + 20, f"{number(value)} {unit}", size=size, bold=True, role="key", halo=True)

    listed = ", ".join(f"{label} {number(value)} {unit}" for label, value in zip(labels, values, strict=True))
    line = f"; the dashed line is at {number(limit)} {unit}" if limit else ""
    alt = _sentences(title, listed + line, seen)
    return canvas.picture(bottom + 16, title=title, alt=alt)


# --- what every frame needs --------------------------------------------------------------------------------


def _values(name: str, values: Iterable[float]) -> list[float]:
    try:
        # Dust of floating point, such as 1e-13 refused, is not something to see.
        numbers = [round(float(value), 9) for value in values]
    except (TypeError, ValueError):
        raise PictureError(f"{name} must hold numbers; it holds something else.") from None
    for i, value in enumerate(numbers):
        if not math.isfinite(value) or value < 0 or value > 1e15:
            raise PictureError(f"{name}[{i}] is {value:g}; a picture needs numbers from 0 to 1e15 there.")
    return numbers


def _positive(name: str, value: float | None) -> float | None:
    if value is None:
        return None
    (checked,) = _values(name, [value])
    if checked == 0:
        raise PictureError(f"{name} is 0; pass a number above 0, or leave it out.")
    return checked


def _sentences(*parts: str) -> str:
    ended = (part if part[-1] in ".!?" else part + "." for part in map(clean, parts) if part)
    return " ".join(ended)
