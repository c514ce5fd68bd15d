"""Shares that are to be compared: one bar per row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..picture import Picture, PictureError
from ..svg import MARGIN, Canvas, clean, number, shorten, text_width
from .common import WIDTH, frame, positive, sentences, values_of

MOST_SHARES: Final = 40


@frame
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
    values = values_of("rows", (value for _, value in pairs))
    unit = shorten(clean(unit), 120, 16, bold=True)
    at, words = threshold if isinstance(threshold, tuple) else (threshold, "")
    limit = positive("threshold", at)
    largest = max(range(len(pairs)), key=lambda i: values[i])
    seen = caption if caption is not None else f"The largest is {pairs[largest][0]}, {number(values[largest])} {unit}."
    seen = clean(seen)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    size, high, gap = 16.0, 28.0, 12.0
    labels = [shorten(label, 352, size) for label, _ in pairs]
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
    alt = sentences(title, listed + line, seen)
    return canvas.picture(bottom + 16, title=title, alt=alt)
