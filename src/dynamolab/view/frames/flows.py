"""A table and its indexes: what flows into each, what each owes, and who makes the table refuse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...model.parameters import DEFAULTS
from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, shorten
from .common import WIDTH, frame, positive, sentences, values_of

MOST_INDEXES: Final = 20
"""The default quota of global secondary indexes of a table ("Quotas in Amazon DynamoDB")."""

_NAMES, _BARS, _BUFFER, _REFUSED, _RISER = 64.0, 250.0, 452.0, 712.0, 728.0
_LONG, _DEEP = 180.0, 120.0


@dataclass(frozen=True)
class Flow:
    """What a table or an index takes: ``units`` a second, against a ``capacity`` (None: on-demand, none is drawn).

    ``refused``: the units a second that the table refuses, for its own limits or because of this index. ``owed``: the
    units in an index' buffer, written to the table and not yet to the index.
    """

    name: str
    units: float
    capacity: float | None = None
    owed: float = 0.0
    refused: float = 0.0


@frame
def table_flows(
    table: Flow,
    indexes: Iterable[Flow] = (),
    *,
    title: str,
    caption: str | None = None,
    unit: str = "WU/s",
    buffer: float = DEFAULTS.index_buffer_units,
    top: float | None = None,
) -> Picture:
    """Where a table's writes go: its own units, those of 0 to 20 indexes, each index' buffer, and back-pressure.

    All bars have one scale, in ``unit``, and a dashed line at the capacity. What comes to an index above its capacity
    goes into its buffer of ``buffer`` units; an index whose buffer is full makes the table refuse writes, and the
    arrow on the right leads from it to the table. ``top`` keeps the scale still while a slider moves. Rests on the AWS
    page "Understanding global secondary index write throttling and back pressure".
    """
    flows = [table, *indexes]
    if len(flows) - 1 > MOST_INDEXES:
        raise PictureError(f"{number(len(flows) - 1)} indexes are too many for one table; it can have {MOST_INDEXES}.")
    taken = values_of("units", (flow.units for flow in flows))
    refused = values_of("refused", (flow.refused for flow in flows))
    owed = values_of("owed", (flow.owed for flow in flows))
    limits = [positive("capacity", flow.capacity) for flow in flows]
    room = positive("buffer", buffer) or 1.0
    if owed[0]:
        raise PictureError("A table owes nothing: owed is for an index, the units that wait in its buffer.")
    names = [clean(flow.name) for flow in flows]
    unit = shorten(clean(unit), 70, 14)
    total = round(sum(refused), 9)
    seen = caption if caption is not None else _caption(names, taken, limits, owed, refused, room=room, unit=unit)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    entries = [("admitted", "table takes"), ("refused", "table refuses"), ("dashed", "capacity")]
    if len(flows) > 1:
        entries[1:1] = [("index", "index takes"), ("buffer", "into its buffer")]
    y = canvas.legend(MARGIN, y + 33, entries)

    y += 32
    for x, words, anchor in ((_BARS, f"coming in, {unit}", "start"), (_REFUSED, "refused", "end")):
        canvas.text(x, y, words, size=14, role="muted", anchor=anchor)
    if len(flows) > 1:
        canvas.text(_BUFFER, y, f"buffer of {number(room)}", size=14, role="muted")
    first, pitch = y + 12, 58.0 if len(flows) <= 9 else 46.0
    highest = max(taken[0] + total, *taken, *(limit or 0.0 for limit in limits), positive("top", top) or 0.0) or 1.0
    scale = _LONG / highest
    thick = pitch - 30
    bars: dict[str, list[tuple[str, Box]]] = {"admitted": [], "index": [], "buffer": [], "refused-fill": []}
    for i, (took, limit) in enumerate(zip(taken, limits, strict=True)):
        top_y = first + i * pitch + (14 if i else 0)
        middle = top_y + pitch / 2 - 4
        _row(canvas, names[i], took, limit, unit, y=middle, is_table=i == 0)
        if i:
            _inflow(canvas, took, highest, y=middle - 9, name=f"flow {i}")
        written = took if not i or limit is None else min(took, limit)
        ends = _BARS
        parts = (
            ("index" if i else "admitted", written),
            ("buffer", took - written),
            ("refused-fill", 0 if i else total),
        )
        for role, value in parts:
            if value > 0:
                bars[role].append((f"{role} {i}", (ends, middle - thick / 2, value * scale, thick)))
                ends += value * scale
        canvas.line(_BARS, middle - thick / 2 - 3, _BARS, middle + thick / 2 + 3, role="ink")
        if limit:
            x = _BARS + limit * scale
            canvas.line(
                x,
                middle - thick / 2 - 6,
                x,
                middle + thick / 2 + 6,
                role="ink",
                width=2,
                dashed=True,
                name=f"capacity {i}",
            )
        if i:
            _gauge(canvas, owed[i], room, y=middle, name=f"owed {i}")
        amount = refused[i] if i else total
        _refusal(canvas, amount, own=refused[0] if not i and total > refused[0] else None, y=middle)
    for role, boxes in bars.items():
        canvas.bars([box for _, box in boxes], role=role, names=[name for name, _ in boxes])
    canvas.hatch([box for _, box in bars["refused-fill"]])

    table_y = first + pitch / 2 - 4
    _writes_in(canvas, y=table_y - 9)
    levels = [first + i * pitch + 14 + pitch / 2 - 4 for i in range(1, len(flows))]
    if levels:
        canvas.line(34, table_y - 9, 34, levels[-1] - 9, role="index", width=2, name="trunk")
        canvas.line(MARGIN, first + pitch + 4, WIDTH - MARGIN, first + pitch + 4, role="edge")
    pressing = [level for level, amount in zip(levels, refused[1:], strict=True) if amount > 0]
    if pressing:
        at = table_y - 5
        lines = [[(_REFUSED + 4, level - 5), (_RISER, level - 5)] for level in pressing]
        lines.append([(_RISER, pressing[-1] - 5), (_RISER, at), (_REFUSED + 12, at)])
        canvas.strokes(lines, role="refused", width=3, name="back-pressure")
        canvas.shapes([[(_REFUSED + 3, at), (_REFUSED + 13, at - 7), (_REFUSED + 13, at + 7)]], role="refused")
    bottom = first + len(flows) * pitch + (14 if levels else 0)

    told = [
        f"{name} takes {number(took)}{f' of {number(limit)}' if limit else ''} {unit}"
        + (f", owes {number(debt)}" if debt else "")
        + (f", makes the table refuse {number(lost)}" if lost and i else "")
        for i, (name, took, limit, debt, lost) in enumerate(zip(names, taken, limits, owed, refused, strict=True))
    ]
    alt = sentences(title, "; ".join(told) + f"; refused in all: {number(total)} {unit}", seen)
    return canvas.picture(bottom + 8, title=title, alt=alt)


def _row(canvas: Canvas, name: str, took: float, limit: float | None, unit: str, *, y: float, is_table: bool) -> None:
    room = _BARS - _NAMES - 12
    words = shorten(name, room, 15, bold=True)
    canvas.text(_NAMES, y - 4, words, size=15, bold=True, role="ink" if is_table else "index")
    numbers = f"{number(took)} of {number(limit)}" if limit else number(took)
    canvas.text(_NAMES, y + 14, shorten(f"{numbers} {unit}", room, 14), size=14, role="muted")


def _writes_in(canvas: Canvas, *, y: float) -> None:
    canvas.line(MARGIN, y, 50, y, role="admitted", width=7, name="writes")
    canvas.shapes([[(58, y), (48, y - 9), (48, y + 9)]], role="admitted")


def _inflow(canvas: Canvas, units: float, highest: float, *, y: float, name: str) -> None:
    """The arrow from the trunk to an index, as thick as what it carries."""
    width = 1.5 + 6 * units / highest
    canvas.line(34, y, 52, y, role="index" if units else "edge", width=width, name=name)
    canvas.shapes([[(58, y), (50, y - 6), (50, y + 6)]], role="index" if units else "edge")


def _gauge(canvas: Canvas, owed: float, room: float, *, y: float, name: str) -> None:
    """How full an index' buffer is; above its end nothing more is drawn, the words say it."""
    full = owed >= room
    box = (_BUFFER, y - 17, _DEEP, 15.0)
    canvas.area([box], role="buffer-fill", name="buffer room")
    if owed > 0:
        canvas.bars([(_BUFFER, y - 17, min(owed / room, 1.0) * _DEEP, 15.0)], role="buffer", names=[name])
    canvas.frames([box], role="buffer", width=1.5)
    words = "empty" if not owed else f"{number(owed)} owed" + (", full" if full else "")
    canvas.text(_BUFFER, y + 14, words, size=14, role="buffer" if owed else "muted", bold=full)


def _refusal(canvas: Canvas, amount: float, *, own: float | None, y: float) -> None:
    role = "refused-text" if amount else "muted"
    canvas.text(_REFUSED, y, number(amount), size=16, role=role, bold=amount > 0, anchor="end")
    if own is not None:
        words = f"own limit {number(own)}" if own else "own limit 0"
        canvas.text(_REFUSED, y + 18, words, size=14, role="muted", anchor="end")


def _caption(
    names: list[str],
    taken: list[float],
    limits: list[float | None],
    owed: list[float],
    refused: list[float],
    *,
    room: float,
    unit: str,
) -> str:
    """One sentence that says what to see."""
    blamed = [i for i in range(1, len(names)) if refused[i] > 0]
    own = f"The table refuses {number(refused[0])} {unit} for its own limit"
    if blamed:
        worst = max(blamed, key=lambda i: refused[i])
        name = shorten(names[worst], 260, 16)
        others = f" and {len(blamed) - 1} more" if len(blamed) > 1 else ""
        amount = number(sum(refused[1:]))
        used = f" while it takes {number(taken[0])} of its own {number(limits[0])}" if limits[0] else ""
        said = f"Back-pressure: {name}{others} cannot keep up, so the table refuses {amount} {unit}{used}"
        return said + (f"; its own limit refuses {number(refused[0])}." if refused[0] else ".")
    if refused[0]:
        return own + (", no index makes it." if len(names) > 1 else ".")
    if not any(taken):
        return "Nothing is written."
    if any(owed):
        most = max(range(len(names)), key=lambda i: owed[i])
        name = shorten(names[most], 260, 16)
        return f"Nothing is refused yet: {name} is behind by {number(owed[most])} of the {number(room)} it may owe."
    if len(names) == 1:
        return "Nothing is refused; the table has no index."
    times = f"{number(sum(taken[1:]) / taken[0])} times" if taken[0] else "besides"
    return f"Nothing is refused: every index keeps up. The indexes take {times} the table's own units."
