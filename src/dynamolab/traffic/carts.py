"""MercadoFresco's carts in numbers: what a Friday, a quiet hour and a month bring, and what they cost against RDS.

Everything follows from ``data/operation_mix.csv`` and the figures that the story gives: 900 orders an hour on Friday
from 17:00 to 21:00, 180,000 cart writes in the day, 8 GB that stay once expired carts are gone. The tables are a
reconstruction; ``data/README.md`` says what survives of the original and where it does not add up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from .. import data
from ..errors import LabError
from ..model.billing import HOURS_PER_MONTH, Bill, Line, on_demand, point_in_time_recovery, storage, together
from ..model.operation_mix import MixRow, units_per_order, units_per_second
from ..model.throttling import Side

FRIDAY_ORDERS_PER_HOUR = 900.0
PEAK_HOURS = 4.0
CART_WRITES_OF_A_FRIDAY = 180_000
TARGET = 0.7
STORED_GB = 8.0
INDEX_MOVES = 0.75
"""Share of the cart writes that change ``estado`` or ``fecha``, and with them the key of ``gsi-estado-fecha``."""

Counted = Literal["headline", "saving", "neither"]


@dataclass(frozen=True)
class Units:
    """Write and read units, per second or in sum."""

    write: float
    read: float


def units_at(orders_per_hour: float) -> Units:
    """Return the units per second at ``orders_per_hour``, before rounding: 57.6 and 32.14 at 900."""
    mix = data.operation_mix()
    return Units(units_per_second(mix, "write", orders_per_hour), units_per_second(mix, "read", orders_per_hour))


def capacity_for(orders_per_hour: float, *, target: float = TARGET, step: int = 1) -> dict[Side, int]:
    """Return the units to provision for ``orders_per_hour`` at a target utilisation, up to a multiple of ``step``.

    In steps of 5 at 70 %: 85 and 50 for 900 orders an hour, 320 and 180 for 3,500.
    """
    if not 0 < target <= 1 or step < 1:
        raise LabError(f"The target is a share above 0 and the step 1 or more, not {target!r} and {step!r}.")
    needed = units_at(orders_per_hour)

    def up(units: float) -> int:
        # Rounded first: 224 / 0.7 must not become 321 through the last bit.
        return max(1, math.ceil(round(units / target / step, 9))) * step

    return {"write": up(needed.write), "read": up(needed.read)}


def cart_writes_per_order() -> float:
    """Return how often a cart is written for each order: 32, of which 92 % update the same item."""
    return float(sum(row.per_order for row in _cart_writes()))


def friday_orders() -> float:
    """Return the orders of a Friday: as many as 180,000 cart writes stand for."""
    return CART_WRITES_OF_A_FRIDAY / cart_writes_per_order()


def quiet_orders_per_hour() -> float:
    """Return the orders of an hour outside the Friday peak: what its four hours leave of a Friday, spread evenly."""
    return (friday_orders() - PEAK_HOURS * FRIDAY_ORDERS_PER_HOUR) / (24 - PEAK_HOURS)


def orders_of_a_month() -> float:
    """Return the orders of an average month of 730 hours: Friday's peaks, and quiet hours otherwise."""
    peaks = HOURS_PER_MONTH / (7 * 24) * PEAK_HOURS
    return peaks * FRIDAY_ORDERS_PER_HOUR + (HOURS_PER_MONTH - peaks) * quiet_orders_per_hour()


def units_of_a_month() -> dict[str, float]:
    """Return the request units of a month: writes and reads of the table, and writes of ``gsi-estado-fecha``.

    An index entry is at most 1 KB (INCLUDE), and a write that changes its key costs a delete and a put.
    """
    orders, mix = orders_of_a_month(), data.operation_mix()
    return {
        "writes of the table": orders * units_per_order(mix, "write"),
        "reads of the table": orders * units_per_order(mix, "read"),
        "writes of gsi-estado-fecha": orders * cart_writes_per_order() * INDEX_MOVES * 2,
    }


def rds_month(counted: Counted = "headline") -> Bill:
    """Return what the carts cost a month in RDS: 51 USD, or the ``neither`` part that no line of either sum has."""
    return Bill("RDS", _lines("rds", counted))


def dynamodb_month(*, with_pitr: bool = False) -> Bill:
    """Return what the carts cost a month in DynamoDB, provisioned by auto scaling at 70 %: 8 USD without PITR.

    Capacity is taken to follow the load exactly; what it lags behind is not in here.
    """
    bill = Bill("DynamoDB, provisioned", _lines("dynamodb", "headline"))
    return bill + Bill("", _lines("dynamodb", "saving")) if with_pitr else bill


def dynamodb_month_on_demand(region: str = "eu-west-1", *, with_pitr: bool = False) -> Bill:
    """Return the same month in on-demand mode, the mode that the story begins with."""
    units, prices = units_of_a_month(), data.prices(region)
    writes = units["writes of the table"] + units["writes of gsi-estado-fecha"]
    parts = [on_demand(writes, units["reads of the table"], prices), storage(STORED_GB, prices)]
    if with_pitr:
        # The price of eu-west-1 is missing; the other region's stands in, as in the table of parts.
        parts.append(point_in_time_recovery(STORED_GB, data.prices("us-east-1")))
    return together("DynamoDB, on-demand", parts)


def saved_a_month() -> float:
    """Return the USD saved a month with PITR counted: the 41.30 that the story's text speaks of."""
    return rds_month().total - dynamodb_month(with_pitr=True).total


def _cart_writes() -> list[MixRow]:
    return [row for row in data.operation_mix() if row.side == "write" and row.about == "cart"]


def _lines(system: str, counted: Counted) -> tuple[Line, ...]:
    derived = {part: units / 3_600 / TARGET for part, units in units_of_a_month().items()}
    derived["storage above the free 25 GB"] = storage(STORED_GB, data.prices()).lines[0].quantity
    lines = []
    for row in data.table("rds_against_dynamodb"):
        if row["system"] == system and row["counted"] == counted:
            quantity = float(row["quantity"]) if row["quantity"] else derived[row["part"]]
            usd = row["usd_per_unit"]
            price = float(usd) if usd else data.prices(row["price_region"]).usd(row["price_item"])
            lines.append(Line(row["part"], quantity, row["unit"], price))
    return tuple(lines)
