"""Partitions as bars: what each admits and refuses, under its ceiling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, round_step, shorten, text_width, ticks
from .common import WIDTH, frame, positive, sentences, values_of

MOST_PARTITIONS: Final = 256


@frame
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
    took, lost = values_of("admitted", admitted), values_of("refused", refused)
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
    limit = positive("ceiling", ceiling)
    least_top = positive("top", top) or 0.0
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
    alt = sentences(title, f"{count}{each}: {total}", seen, f"Reading it back: {cost}" if cost else "")
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
