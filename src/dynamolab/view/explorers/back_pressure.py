"""The explorer of lesson 12: what an index needs, and what the table does when it does not have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import ipywidgets as widgets

from ... import arguments
from ...errors import LabError
from ...model.parameters import DEFAULTS
from ...model.sizes import MAX_ITEM_BYTES
from ...model.units import write_units
from ..explorer import Explorer
from ..frames.flows import Flow, table_flows
from ..picture import Picture
from ..svg import number
from .controls import BYTES, MOST_A_SECOND, counted, size_text, slider, steps

Copied = Literal["ALL", "KEYS_ONLY"]

_RATES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50)
_MOVING: Final = tuple(range(0, 101, 10))
_SCALE: Final = 320
"""Units a second that the bars have room for at least, so that they do not all move with every slider."""


@dataclass(frozen=True)
class Pressure:
    """Steady updates of a provisioned table with one global index, once burst and buffer are used up.

    Units are write units, of one update or of a second; ``admitted`` and ``sent`` are updates a second.
    ``fault`` is what refuses: the table, its index, or nothing. ``first_refusal`` is in seconds of such
    updates from a full burst on; None: never.
    """

    sent: float
    table_units: float
    index_units: float
    admitted: float
    fault: Literal["table", "index"] | None
    first_refusal: float | None

    @property
    def refused_share(self) -> float:
        """Refused updates over sent ones, from 0 to 1."""
        return 1 - self.admitted / self.sent


@arguments.typed
def pressure(
    *,
    updates_per_second: float,
    item_bytes: int,
    moving: float,
    copied: Copied,
    index_capacity: float,
    table_capacity: float,
) -> Pressure:
    """Answer what passes of updates of which the share ``moving`` (0 to 1) changes the index key.

    The other updates change an attribute that only ``ALL`` copies. A moved entry is deleted and put: two writes of its
    size; an entry of keys is one unit. Raises LabError for an item that is no item, and for numbers that are not
    positive. Rests on the AWS pages "Using global secondary indexes in DynamoDB" and "Understanding global secondary
    index write throttling and back pressure in DynamoDB"; the buffer is a parameter of the lab.
    """
    for name, value in (
        ("updates_per_second", updates_per_second),
        ("index_capacity", index_capacity),
        ("table_capacity", table_capacity),
    ):
        if not 0 < value <= MOST_A_SECOND:
            raise LabError(f"Choose {name} above 0 and up to {MOST_A_SECOND:,}, not {arguments.shown(value)}.")
    arguments.number("moving, a share of the updates,", moving, 0, 1)
    if not 1 <= item_bytes <= MAX_ITEM_BYTES:
        raise LabError(f"An item has 1 byte to 400 KB, not {arguments.shown(item_bytes)} bytes.")
    table_units = float(write_units(item_bytes))
    index_units = table_units * (1 + moving) if copied == "ALL" else 2 * moving
    # What each of the two would let through by itself, and for how long its savings last.
    limits: dict[Literal["table", "index"], tuple[float, float, float]] = {
        "table": (table_capacity, table_units, 0.0),
        "index": (index_capacity, index_units, DEFAULTS.index_buffer_units),
    }
    admitted, fault, first = updates_per_second, None, None
    for name, (capacity, units, buffer) in limits.items():
        surplus = updates_per_second * units - capacity
        if surplus <= 0:
            continue
        lasts = (capacity * DEFAULTS.burst_seconds + buffer) / surplus
        first = lasts if first is None else min(first, lasts)
        if capacity / units < admitted:
            admitted, fault = capacity / units, name
    return Pressure(updates_per_second, table_units, index_units, admitted, fault, first)


@arguments.typed
def back_pressure_explorer(
    *,
    updates_per_second: int = 10,
    item_bytes: int = 10 * 1024,
    moving_percent: int = 60,
    copied: Copied = "ALL",
    index_capacity: int = 60,
    table_capacity: int = 120,
) -> Explorer:
    """What one index' capacity, projection and moving keys do to the table above it, once savings are used up.

    Controls: updates a second, item size, the share that changes the index key (per cent), what the index copies, the
    provisioned write capacity of the index and of the table. Errors: :func:`pressure`.
    """

    def draw(
        *,
        updates_per_second: int,
        item_bytes: int,
        moving_percent: int,
        copied: Copied,
        index_capacity: int,
        table_capacity: int,
    ) -> tuple[Picture, str]:
        now = pressure(
            updates_per_second=updates_per_second,
            item_bytes=item_bytes,
            moving=moving_percent / 100,
            copied=copied,
            index_capacity=index_capacity,
            table_capacity=table_capacity,
        )
        by_table, by_index = now.table_units * now.admitted, now.index_units * now.admitted
        refused = (now.sent - now.admitted) * now.table_units
        flows = [
            Flow("table", by_table, table_capacity, refused=refused if now.fault == "table" else 0.0),
            Flow(
                "index",
                by_index,
                index_capacity,
                owed=DEFAULTS.index_buffer_units if now.fault == "index" else 0.0,
                refused=refused if now.fault == "index" else 0.0,
            ),
        ]
        asked = now.index_units * now.sent
        sent = f"{counted(updates_per_second, 'update')} of {size_text(item_bytes)} a second"
        needs = f"{sent} ask the table for {_units(now.table_units * now.sent)} and the index for {_units(asked)}."
        if now.fault is None:
            caption = outcome = "Nothing is refused."
        else:
            share = f"{number(round(100 * now.refused_share, 1))} %"
            used = f"{number(round(100 * by_table / table_capacity, 1))} %"
            caption = f"In the end {share} is refused, because of the {now.fault}."
            outcome = (
                f"{caption} The table uses {used} of what it has. From a full burst on, the first refusal comes after "
                f"{number(round(now.first_refusal or 0))} s."
            )
        picture = table_flows(
            flows[0],
            flows[1:],
            title=f"{sent}, {moving_percent} % move the entry",
            caption=caption,
            top=_SCALE,
        )
        return picture, f"{needs} {outcome}"

    arguments.whole("moving_percent", moving_percent, 0, 100)
    draw(
        updates_per_second=updates_per_second,
        item_bytes=item_bytes,
        moving_percent=moving_percent,
        copied=copied,
        index_capacity=index_capacity,
        table_capacity=table_capacity,
    )  # bad arguments fail before a slider exists
    controls = {
        "updates_per_second": steps("updates/s", _RATES, updates_per_second, number),
        "item_bytes": steps("item size", BYTES, item_bytes, size_text),
        "moving_percent": steps("moving", _MOVING, moving_percent, "{} %".format),
        "copied": widgets.Dropdown(
            options=[("ALL: whole items", "ALL"), ("KEYS_ONLY: keys", "KEYS_ONLY")],
            value=copied,
            description="copied",
            style={"description_width": "80px"},
            layout=widgets.Layout(width="auto", max_width="560px", margin="2px"),
        ),
        "index_capacity": _capacity("index WCU", index_capacity),
        "table_capacity": _capacity("table WCU", table_capacity),
    }
    return Explorer(controls, draw)


def _capacity(description: str, value: int) -> widgets.IntSlider:
    most = max(300, value)
    return widgets.IntSlider(value=value, min=10, max=most, step=10, description=description, **slider())


def _units(units: float) -> str:
    return f"{number(round(units, 2))} WU"
