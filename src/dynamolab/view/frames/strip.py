"""An item as a strip of bytes, attribute by attribute, over the units that a write and a read of it cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...arguments import shown
from ...model.sizes import MAX_ITEM_BYTES, Item, ItemError, attribute_sizes
from ...model.units import READ_UNIT_BYTES, WRITE_UNIT_BYTES, read_units, write_units
from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, round_step, shorten, shorten_apart, text_width
from .common import WIDTH, frame, sentences

MOST_LISTED: Final = 12
MOST_BYTES: Final = 2 * MAX_ITEM_BYTES

_TYPES: Final = {
    "S": "string",
    "N": "number",
    "B": "binary",
    "BOOL": "boolean",
    "NULL": "null",
    "L": "list",
    "M": "map",
    "SS": "string set",
    "NS": "number set",
    "BS": "binary set",
}


@frame
def item_strip(
    item: Item,
    *,
    title: str,
    caption: str | None = None,
    keys: Sequence[str] = (),
    listed: int = MOST_LISTED,
    top_bytes: int | None = None,
) -> Picture:
    """An item's bytes, the units that a write and a read of it cost, and each attribute's part.

    ``item`` is in DynamoDB's own JSON (``{"pk": {"S": "a"}, ...}``), up to twice the 400 KB that DynamoDB takes.
    ``keys`` names the key attributes, partition key first. Up to ``listed`` attributes get a line of their own, the
    keys and the largest ones, in the item's order; the rest share one. ``top_bytes`` keeps the axis still while a
    slider moves: the axis otherwise ends with the last unit that is paid.

    In the strip, a name's bytes are dark and its value's bytes lighter. Sizes as in ``model.sizes.item_size``, units as
    in ``model.units``: a started unit is paid whole. Rests on "DynamoDB item sizes and formats" and "DynamoDB read and
    write operations".
    """
    parts = _parts(item)
    size = sum(part.bytes for part in parts)
    if size > MOST_BYTES:
        raise PictureError(f"The item has {number(size)} bytes; a picture takes up to {number(MOST_BYTES)}.")
    if not 1 <= listed <= MOST_LISTED:
        raise PictureError(
            f"listed is {shown(listed)}; pass from 1 to {MOST_LISTED} attributes that get a line of their own."
        )
    writes, reads = write_units(size), int(read_units(size, consistency="strong"))
    paid = reads * READ_UNIT_BYTES if size > WRITE_UNIT_BYTES else WRITE_UNIT_BYTES
    end = max(paid, top_bytes or 0)
    seen = caption if caption is not None else _caption(parts, size, writes)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    entries = [("partition", "bytes of names"), ("bytes", "bytes of values")]
    entries += [("dashed", "limit, 400 KB")] * (end >= MAX_ITEM_BYTES)
    y = canvas.legend(MARGIN, y + 33, entries)
    left = MARGIN + text_width("write units", 14) + 12
    right = WIDTH - MARGIN - 6
    scale = (right - left) / end
    y = _strip(canvas, parts, left=left, scale=scale, y=y + 34)
    if end >= MAX_ITEM_BYTES:
        x = left + MAX_ITEM_BYTES * scale
        canvas.line(x, y - 36, x, y + 3, role="ink", width=2, dashed=True, name="limit")
    y = _axis(canvas, end, left=left, right=right, scale=scale, y=y)
    cost = f"{number(writes)} WU"
    y = _units(canvas, "write units", writes, WRITE_UNIT_BYTES, size, end, left=left, scale=scale, y=y + 14)
    y = _units(canvas, "read units", reads, READ_UNIT_BYTES, size, end, left=left, scale=scale, y=y + 12)
    refused = size > MAX_ITEM_BYTES
    price = f"a write costs {cost}, a read {number(reads)} RU (eventually consistent: {number(reads / 2)} RU)"
    y += 30
    if refused:
        canvas.text(MARGIN, y, "Too large: DynamoDB refuses it.", size=15, bold=True, role="refused-text")
    else:
        canvas.text(MARGIN, y, price[0].upper() + price[1:], size=15)
    y = _table(canvas, parts, size, keys, listed, y=y + 14)

    told = ", ".join(
        f"{shorten(part.name, 200, 14)} {number(part.name_bytes)} + {number(part.value_bytes)}"
        for part in parts[:MOST_LISTED]
    )
    more = f" and {number(len(parts) - MOST_LISTED)} more" if len(parts) > MOST_LISTED else ""
    outcome = "DynamoDB refuses it: over 400 KB" if refused else price[0].upper() + price[1:]
    alt = sentences(title, f"{_bytes(size)}, name + value: {told}{more}", outcome, seen)
    return canvas.picture(y + 18, title=title, alt=alt)


@dataclass(frozen=True)
class _Part:
    """One attribute, or several together."""

    name: str
    kind: str
    name_bytes: int
    value_bytes: int

    @property
    def bytes(self) -> int:
        return self.name_bytes + self.value_bytes


def _parts(item: Item) -> list[_Part]:
    try:
        sizes = attribute_sizes(item)
    except ItemError as error:
        raise PictureError(f"The item cannot be drawn, DynamoDB would refuse it: {error.message}") from None
    except (AttributeError, TypeError):
        raise PictureError(
            "The item must be in DynamoDB's own JSON, a type tag for each value: {'pk': {'S': 'a'}, 'n': {'N': '1'}}."
        ) from None
    if not sizes:
        raise PictureError("There is no attribute to draw: the item is empty. Pass at least its key.")
    return [
        _Part(clean(name), _TYPES[next(iter(item[name]))], name_bytes, value_bytes)
        for name, (name_bytes, value_bytes) in sizes.items()
    ]


def _caption(parts: Sequence[_Part], size: int, writes: int) -> str:
    """One sentence that says what to see."""
    if size > MAX_ITEM_BYTES:
        return f"{_bytes(size)}: over the 400 KB ({_bytes(MAX_ITEM_BYTES)}) that an item may have, names included."
    share = 100 * sum(part.name_bytes for part in parts) / size
    names = f"{share:.0f} %" if share >= 1 else "under 1 %"
    left = writes * WRITE_UNIT_BYTES - size
    room = "not one byte is free" if left == 0 else f"{_bytes(left)} of them {'is' if left == 1 else 'are'} empty"
    units = "1 KB is" if writes == 1 else f"{number(writes)} KB are"
    return f"{_bytes(size)}, {names} of them names. A write pays started KBs: {units} paid, {room}."


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count:,} bytes"


def _strip(canvas: Canvas, parts: Sequence[_Part], *, left: float, scale: float, y: float) -> float:
    """The bytes to scale, with an attribute's name over it where there is room; the strip's lower edge."""
    high = 36.0
    names: list[Box] = []
    values: list[Box] = []
    bounds: list[list[tuple[float, float]]] = []
    x = left
    canvas.text(MARGIN, y + high / 2 + 5, "bytes", size=14, role="muted")
    for part in parts:
        wide = part.bytes * scale
        if part.name_bytes:
            names.append((x, y, part.name_bytes * scale, high))
        if part.value_bytes:
            values.append((x + part.name_bytes * scale, y, part.value_bytes * scale, high))
        if text_width(part.name, 14) <= wide - 4:
            canvas.text(x + wide / 2, y - 7, part.name, size=14, anchor="middle")
        x += wide
        if wide >= 4:
            bounds.append([(x, y), (x, y + high)])
    canvas.area(names, role="partition", name="names")
    canvas.area(values, role="bytes", name="values")
    canvas.strokes(bounds, role="panel", width=1.5, name="bounds")
    canvas.frames([(left, y, x - left, high)], role="ink", width=1.5, name="item")
    return y + high


def _axis(canvas: Canvas, end: int, *, left: float, right: float, scale: float, y: float) -> float:
    """Marks under the strip: at each KB where there is room, numbered so that they never touch."""
    unit, word = (128, "bytes") if end <= WRITE_UNIT_BYTES else (WRITE_UNIT_BYTES, "KB")
    written = text_width(number(end if word == "bytes" else end / 1024), 14) + 14
    if word == "bytes":
        every = unit * (1 if unit * scale >= written else 2)
    else:
        every = unit * round_step(written / (unit * scale))
        unit = unit if unit * scale >= 4 else every
    canvas.line(left, y + 3, right, y + 3, role="muted", name="axis")
    canvas.strokes(
        [
            [(left + at * scale, y + 3), (left + at * scale, y + (10 if at % every == 0 else 7))]
            for at in range(0, end + 1, unit)
        ],
        role="muted",
        name="marks",
    )
    canvas.text(MARGIN, y + 24, word, size=14, role="muted")
    for at in range(0, end + 1, every):
        words = number(at if word == "bytes" else at / 1024)
        x = min(left + at * scale, WIDTH - MARGIN + 6 - text_width(words, 14) / 2)
        canvas.text(x, y + 24, words, size=14, role="muted", anchor="middle")
    return y + 24


def _units(
    canvas: Canvas,
    word: str,
    units: int,
    unit_bytes: int,
    size: int,
    end: int,
    *,
    left: float,
    scale: float,
    y: float,
) -> float:
    """The units that are paid as boxes to scale, filled as far as the item fills them; the row's lower edge."""
    high = 22.0
    canvas.text(MARGIN, y + 16, word, size=14, role="muted")
    each = unit_bytes * scale
    paid = min(units * unit_bytes, end)  # a small item's axis ends before its read unit does
    canvas.area([(left, y, min(size, paid) * scale, high)], role="cost-fill", name=f"used {word}")
    # Boxes narrower than 4 pixels would be one dark bar: then only every tenth or hundredth line is drawn.
    every = 1 if each >= 4 else round_step(4 / each)
    lines = [
        [(left + i * each, y), (left + i * each, y + high)] for i in range(every, math.ceil(paid / unit_bytes), every)
    ]
    canvas.strokes(lines, role="cost", width=1 if each >= 8 else 0.5, name=f"lines {word}")
    canvas.frames([(left, y, paid * scale, high)], role="cost", width=1.5, name=f"paid {word}")
    words = f"{number(units)} {word[:-1] if units == 1 else word}"
    words += f" of {number(unit_bytes // 1024)} KB"
    words += (
        f", a line every {every}" if every > 1 else ", of which a part is drawn" if paid < units * unit_bytes else ""
    )
    canvas.text(left + paid * scale / 2, y + 16, words, size=14, role="cost", anchor="middle", halo=True)
    return y + high


def _table(canvas: Canvas, parts: Sequence[_Part], size: int, keys: Sequence[str], listed: int, *, y: float) -> float:
    """A line for each attribute: name, type, bytes, a bar; the last baseline."""
    glyphs = dict(zip(map(clean, keys), (", partition key", ", sort key"), strict=False))
    own = None
    if len(parts) > listed:  # keys first, then the largest
        own = set(sorted(range(len(parts)), key=lambda i: (parts[i].name not in glyphs, -parts[i].bytes, i))[:listed])
    lines = [part for i, part in enumerate(parts) if own is None or i in own]
    if own is not None:
        rest = [part for i, part in enumerate(parts) if i not in own]
        name = "1 smaller attribute" if len(rest) == 1 else f"{number(len(rest))} smaller attributes"
        lines.append(_Part(name, "", sum(p.name_bytes for p in rest), sum(p.value_bytes for p in rest)))
    left, kind, one, two, bar = MARGIN, 250.0, 420.0, 500.0, 524.0
    y += 22
    for x, words, anchor in (
        (left, "attribute", "start"),
        (kind, "type", "start"),
        (one, "name", "end"),
        (two, "value", "end"),
    ):
        canvas.text(x, y, words, size=14, role="muted", anchor=anchor)
    canvas.text(bar, y, f"of {_bytes(size)}", size=14, role="muted")
    most = max(part.bytes for part in lines)
    scale = (WIDTH - MARGIN - bar) / most
    names: list[Box] = []
    values: list[Box] = []
    short = shorten_apart([part.name for part in lines], kind - left - 12, 15)
    for i, part in enumerate(lines):
        y += 25
        marked = "" if own is not None and i == len(lines) - 1 else glyphs.get(part.name, "")
        canvas.text(left, y, short[i], size=15, role="key" if marked else "ink")
        canvas.text(kind, y, part.kind + marked, size=14, role="key" if marked else "muted")
        canvas.text(one, y, f"{part.name_bytes:,}", size=15, role="partition", anchor="end")
        canvas.text(two, y, f"{part.value_bytes:,}", size=15, anchor="end")
        if part.name_bytes:
            names.append((bar, y - 12, part.name_bytes * scale, 14))
        if part.value_bytes:
            values.append((bar + part.name_bytes * scale, y - 12, part.value_bytes * scale, 14))
    canvas.area(names, role="partition", name="name bars")
    canvas.area(values, role="bytes", name="value bars")
    return y
