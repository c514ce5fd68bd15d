"""The explorer of lesson 01: an item's bytes, attribute by attribute, and what it costs as it grows."""

from __future__ import annotations

from typing import Any, Final, Literal

import ipywidgets as widgets

from ... import arguments
from ...model.sizes import MAX_ITEM_BYTES, item_size
from ...model.units import read_units, write_units
from ..explorer import Explorer
from ..frames.strip import item_strip
from ..picture import Picture
from ..svg import number
from .controls import counted, slider, steps

Names = Literal["long", "short"]

NAMES: Final[dict[str, tuple[str, str, str]]] = {
    "long": ("identificador_producto", "cantidad", "precio_unitario_euros"),
    "short": ("id", "n", "p"),
}
"""Names for a cart line's product, quantity and price."""

MOST_PARTS: Final = 10_000
"""Lines, or changes, of a cart that an explorer draws: with either, it is beyond 400 KB."""
LINES: Final = (0, 1, 2, 5, 10, 13, 14, 15, 16, 20, 30, 42, 44, 45, 60, 100, 200, 500)
CHANGES: Final = (0, 1, 5, 10, 20, 50, 100, 150, 190, 500, 1_000, 2_000, 5_000, 9_000, 10_000)


@arguments.typed
def cart(*, lines: int, changes: int = 0, names: Names = "long") -> dict[str, Any]:
    """Return a cart in DynamoDB's own JSON: its lines, and ``historial``, a list with one entry for each change.

    All lines are alike, and so are all changes: what varies is how many. Raises LabError for numbers below 0 or above
    10,000 and for names that are neither ``long`` nor ``short``.
    """
    arguments.whole("lines", lines, 0, MOST_PARTS)
    arguments.whole("changes", changes, 0, MOST_PARTS)
    product, quantity, price = NAMES[names]
    line = {"M": {product: {"S": "P-0417"}, quantity: {"N": "2"}, price: {"N": "1.95"}}}
    change = {"M": {"estado": {"S": "activo"}, "fecha": {"S": "2026-09-06T18:04:11Z"}}}
    return {
        "PK": {"S": "CLIENTE#4471"},
        "estado": {"S": "activo"},
        "lineas": {"L": [line] * lines},
        "historial": {"L": [change] * changes},
    }


@arguments.typed
def item_explorer(*, lines: int = 42, changes: int = 0, names: Names = "long") -> Explorer:
    """An item's bytes, attribute by attribute, and the units of a write and a read of it as it grows.

    Controls: the cart's lines, its recorded changes of state, and long or short names inside a line. The axis ends
    with the last unit that is paid. Errors: :func:`cart`. Rests on the AWS pages "DynamoDB item sizes and formats" and
    "DynamoDB read and write operations".
    """

    def draw(*, lines: int, changes: int, names: Names) -> tuple[Picture, str]:
        item = cart(lines=lines, changes=changes, names=names)
        size = item_size(item)
        holds = f"{counted(lines, 'line')}, {counted(changes, 'change')}, {names} names"
        if size > MAX_ITEM_BYTES:
            outcome = f"{number(size - MAX_ITEM_BYTES)} more than DynamoDB takes: refused"
        else:
            reads = read_units(size, consistency="strong")
            outcome = f"a write costs {number(write_units(size))} WU, a strong read {number(reads)} RU"
        title = f"A cart of {holds}"
        picture = item_strip(item, title=title, caption=f"{number(size)} bytes.", keys=("PK",))
        return picture, f"{holds}: {number(size)} bytes; {outcome}."

    cart(lines=lines, changes=changes, names=names)  # bad arguments fail before a slider exists
    controls = {
        "lines": steps("lines", LINES, lines, number),
        "changes": steps("changes", CHANGES, changes, number),
        "names": widgets.ToggleButtons(options=list(NAMES), value=names, description="names", style=slider()["style"]),
    }
    return Explorer(controls, draw)
