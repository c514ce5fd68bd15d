"""Where keys land: names, their places in the hash space, the key ranges that own those places."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from ...model.keyspace import SPACE, KeyRange, Place, equal_ranges
from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, round_step, shorten_apart, text_width, ticks
from .common import WIDTH, frame, sentences

MOST_RANGES: Final = 256
MOST_NAMED: Final = 12
MOST_TICKS: Final = 400

_BIN: Final = 4.0  # pixels of one column where keys are too many for a tick each
_Point: TypeAlias = tuple[float, float]


@frame
def hash_space(
    ranges: int | Sequence[KeyRange],
    keys: Mapping[str, int | Place] | Iterable[int | Place],
    *,
    title: str,
    caption: str | None = None,
    named: Sequence[str] | None = None,
    numbers: Sequence[int] | None = None,
    top: int | None = None,
) -> Picture:
    """Where keys land in the hash space, and how many of them each partition holds.

    ``ranges``: how many equal partitions, or their key ranges in order, without a gap (``[p.key_range for p in
    table.in_order]``), 1 to 256; ``numbers``: the partitions' numbers, where they are not 0, 1, 2, ... ``keys``: the
    place of each key (``model.keyspace.position`` or ``place_of``), by name or without names. ``named``: the names to
    write, at most 12 of them, in this order; without it all are written if they are at most 12. ``top`` keeps the axis
    of the bars still while a slider moves.

    A strip shows the places to scale: a tick for each key, or, for more than 400 keys, columns that count them. Below,
    every partition has the same room, whatever its share of the hash space: a part of an item collection has no width
    there. Rests on "Partitions and data distribution"; which keys meet is the lab's own (``model.keyspace``).
    """
    owners = _ranges(ranges)
    count = len(owners)
    labels = [str(number_) for number_ in (numbers if numbers is not None else range(count))]
    if len(labels) != count:
        raise PictureError(f"numbers has {len(labels)} entries for {count} partitions; pass one per partition.")
    written = keys if isinstance(keys, Mapping) else {}
    places = [_place(place) for place in (written.values() if isinstance(keys, Mapping) else keys)]
    shown = list(named) if named is not None else list(written) if len(written) <= MOST_NAMED else []
    if len(shown) > MOST_NAMED:
        raise PictureError(f"{len(shown)} names are too many for one picture; name at most {MOST_NAMED} keys.")
    unknown = next((name for name in shown if name not in written), None)
    if unknown is not None:
        raise PictureError(f"{clean(unknown)[:60]!r} is to be named, but is not among the keys; pass its place too.")
    held = _held(owners, places)
    seen = caption if caption is not None else _caption(held, labels)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    left = MARGIN + text_width("partition", 14) + 12
    right = WIDTH - MARGIN - 4
    high = max(max(held), top or 0)
    steps = [step for step in ticks(high) if step == int(step)]

    def at(place: Place) -> float:
        return left + (right - left) * (place[0] / SPACE)

    if shown:
        y = _names(canvas, shown, [at(_place(written[name])) for name in shown], left=left, right=right, y=y + 34)
    else:
        y += 26
    strip = (left, y, right - left, 30.0)
    bottom = y + strip[3]
    slot = (right - left) / count
    plot = bottom + 40
    base = plot + 150
    edges = [at(owner.first) for owner in owners] + [right]
    _ribbons(canvas, edges, left=left, slot=slot, top=y, bottom=bottom, plot=plot, base=base)
    canvas.text(MARGIN, y + 20, "hash", size=14, role="muted")
    busiest = _ticks_in_strip(canvas, strip, [at(place) for place in places])
    canvas.frames([strip], role="partition", width=1.5, name="hash space")
    for name in shown:
        x = at(_place(written[name]))
        canvas.area([(x - 1.5, y - 3, 3, 36)], role="key", name=f"key {shown.index(name)}")

    canvas.text(MARGIN, plot + 14, "keys", size=14, role="muted")
    scale = (base - plot - 26) / (high or 1)
    for step in steps:
        level = base - step * scale
        if step:
            canvas.line(left, level, right, level, role="edge", name=f"tick {number(step)}")
        if level > plot + 24:
            canvas.text(left - 8, level + 5, number(step), size=14, role="muted", anchor="end")
    wide = min(0.72 * slot, 90) if slot > 8 else 0.84 * slot
    boxes: dict[str, Box] = {}
    for i, keys_held in enumerate(held):
        if keys_held:
            x = left + (i + 0.5) * slot - wide / 2
            boxes[f"held {i}"] = (x, base - keys_held * scale, wide, keys_held * scale)
    canvas.bars(list(boxes.values()), role="key", names=list(boxes))
    canvas.line(left, base, right, base, role="ink", name="base")
    if max(text_width(number(n), 15, bold=True) for n in held) <= slot - 5:
        for i, n in enumerate(held):
            x, level = left + (i + 0.5) * slot, base - n * scale - 7
            words = number(n) if n or text_width("empty", 15) > slot - 5 else "empty"
            canvas.text(x, level, words, size=15, bold=n > 0, role="key" if n else "muted", anchor="middle", halo=n > 0)
    every = round_step((max(text_width(label, 15) for label in labels) + 8) / slot)
    canvas.text(MARGIN, base + 22, "partition", size=14, role="muted")
    for i in range(0, count, every):
        half = text_width(labels[i], 15) / 2
        x = min(left + (i + 0.5) * slot, WIDTH - MARGIN - half)
        canvas.text(x, base + 22, labels[i], size=15, anchor="middle", role="partition")
    y = base + 22
    if busiest:
        y += 24
        words = f"Each column of the strip counts the keys there; the highest holds {number(busiest)}."
        canvas.text(left, y, words, size=14, role="muted")

    partitions = "one partition" if count == 1 else f"{count} partitions"
    shares = ", ".join(f"partition {labels[i]} holds {number(n)}" for i, n in enumerate(held)) if count <= 16 else ""
    alt = sentences(title, f"{_keys(len(places))} on {partitions}: {shares}" if shares else "", seen)
    return canvas.picture(y + 20, title=title, alt=alt)


def _keys(count: int) -> str:
    return "1 key" if count == 1 else f"{number(count)} keys"


def _caption(held: Sequence[int], labels: Sequence[str]) -> str:
    """One sentence that says what to see."""
    total, count = sum(held), len(held)
    empty = sum(1 for n in held if n == 0)
    if total == 0:
        return "No key yet: every partition is empty."
    if count == 1:
        return "One partition holds every key."
    if total == 1:
        return f"One key lives in one partition: {empty} of {count} hold nothing, whatever they could serve."
    if empty:
        return f"{_keys(total)} reach {count - empty} of {count} partitions; the others have nothing to serve."
    most = max(range(count), key=lambda i: held[i])
    return (
        f"{_keys(total)} on {count} partitions: from {number(min(held))} to {number(max(held))} each, "
        f"most on partition {labels[most]}."
    )


def _ranges(ranges: int | Sequence[KeyRange]) -> list[KeyRange]:
    """The key ranges in order, checked to cover the hash space once."""
    count = ranges if isinstance(ranges, int) else len(ranges)
    if not 1 <= count <= MOST_RANGES:
        raise PictureError(f"{number(count)} partitions cannot be drawn; pass from 1 to {MOST_RANGES}.")
    owners = equal_ranges(ranges) if isinstance(ranges, int) else list(ranges)
    ends = [(0, b""), *(owner.beyond for owner in owners)]
    if any(owner.first != end for owner, end in zip(owners, ends, strict=False)) or ends[-1] != (SPACE, b""):
        raise PictureError(
            "The key ranges leave a gap or overlap; pass those of all partitions in order: "
            "[p.key_range for p in table.in_order]."
        )
    return owners


def _place(place: int | Place) -> Place:
    at = place if isinstance(place, tuple) else (place, b"")
    if isinstance(at[0], bool) or not isinstance(at[0], (int, np.integer)) or not 0 <= at[0] < SPACE:
        raise PictureError(f"{place!r} is no place in the hash space; pass what model.keyspace.position returns.")
    return int(at[0]), at[1]


def _held(owners: Sequence[KeyRange], places: Sequence[Place]) -> list[int]:
    """How many of the places each range holds."""
    if all(owner.sort_start == b"" for owner in owners):
        starts = np.array([owner.start for owner in owners], dtype=np.uint64)
        found = np.searchsorted(starts, np.array([p for p, _ in places], dtype=np.uint64), side="right")
        return [int(n) for n in np.bincount(found - 1, minlength=len(owners))]
    firsts = [owner.first for owner in owners]
    held = [0] * len(owners)
    for place in places:
        held[bisect.bisect_right(firsts, place) - 1] += 1
    return held


def _names(
    canvas: Canvas, names: Sequence[str], targets: Sequence[float], *, left: float, right: float, y: float
) -> float:
    """Names in a row (in two where they are wide), each with a line to its place; the top of the strip."""
    slot = (right - left) / (len(names) + 1)
    size, gap = 15.0, 14.0
    staggered = max(text_width(clean(name), size) for name in names) > slot - gap
    room = (2 if staggered and len(names) > 1 else 1) * slot - gap
    canvas.text(MARGIN, y, "key", size=14, role="muted")
    lowest = y + (24 if staggered and len(names) > 1 else 0)
    top = lowest + 62
    short = shorten_apart([clean(name) for name in names], room, size)
    lines: list[list[_Point]] = []
    for i, (name, target) in enumerate(zip(short, targets, strict=True)):
        x = left + (i + 1) * slot
        baseline = y if i % 2 == 0 else lowest
        canvas.text(x, baseline, name, size=size, role="key", anchor="middle")
        # A name in the upper row is led straight down between its neighbours, then to its place.
        lines.append([(x, baseline + 6), (x, lowest + 8), (target, top - 3)])
    canvas.strokes(lines, role="key", width=1.3, name="leads")
    return top


def _ribbons(
    canvas: Canvas,
    edges: Sequence[float],
    *,
    left: float,
    slot: float,
    top: float,
    bottom: float,
    plot: float,
    base: float,
) -> None:
    """Every second partition tinted, from its range in the strip to its room below, and lines between them."""
    count = len(edges) - 1
    tinted: list[list[_Point]] = []
    lines: list[list[_Point]] = []
    for i in range(count):
        a, b, c, d = edges[i], edges[i + 1], left + i * slot, left + (i + 1) * slot
        if i % 2 == 0:
            tinted.append([(a, top), (b, top), (b, bottom), (d, plot), (d, base), (c, base), (c, plot), (a, bottom)])
        if i:
            lines.append([(a, top), (a, bottom), (c, plot), (c, base)])
    canvas.shapes(tinted, role="partition-fill", name="partitions")
    canvas.strokes(lines, role="partition" if count <= 32 else "edge", name="bounds")


def _ticks_in_strip(canvas: Canvas, strip: Box, xs: Sequence[float]) -> int:
    """A tick for each key, or columns that count them: then what the highest column stands for, else 0."""
    left, top, wide, high = strip
    if len(xs) <= MOST_TICKS:
        canvas.area([(x - 0.6, top + 4, 1.2, high - 8) for x in xs], role="key", name="keys")
        return 0
    bins = int(wide // _BIN)
    counts = np.bincount(np.minimum(((np.array(xs) - left) / wide * bins).astype(int), bins - 1), minlength=bins)
    most = int(counts.max())
    step, tall = wide / bins, high - 4
    columns = [
        (left + i * step, top + high - tall * n / most, 0.75 * step, tall * n / most)
        for i, n in enumerate(counts.tolist())
        if n
    ]
    canvas.area(columns, role="key", name="keys")
    return most
