"""Black Friday on the carts' table: the day by arithmetic, the same day simulated, and what a wrong forecast costs.

The problem gives four peak hours at 3,500 orders an hour, twenty hours at the 900 of any Friday's peak, the usual mix
of operations, and prices of its own. Peak hours are 17:00 to 21:00.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from .. import data
from ..arguments import number, shown, typed
from ..errors import LabError
from ..model.billing import Bill, on_demand, provisioned, provisioned_curve
from ..model.operation_mix import units_per_order
from ..model.parameters import DEFAULTS, Parameters
from ..model.prices import Prices
from ..model.throttling import Side
from . import demand
from .carts import FRIDAY_ORDERS_PER_HOUR, PEAK_HOURS, TARGET, Units, capacity_for, units_at
from .design import Design, Limits, Operation, Policy, Workload
from .simulate import simulate

if TYPE_CHECKING:
    import pandas as pd

    from .outcome import Outcome

ORDERS_PER_HOUR = 3_500.0
OTHER_HOURS = 24 - PEAK_HOURS
PEAK_BEGINS = 17 * 3_600
PEAK_ENDS = PEAK_BEGINS + int(PEAK_HOURS) * 3_600
CUSTOMERS = 20_000
MOST_UNITS = 1_000

_SIDES: tuple[Side, ...] = ("write", "read")


# --- by arithmetic ------------------------------------------------------------------------------------------------

Rounding = Literal["each step", "units", "nothing"]
"""Where figures are rounded: after each step as by hand; only the units per second; nowhere before the result."""


@dataclass(frozen=True)
class Answer:
    """The day's figures by one road of rounding; units per second, millions of units, USD.

    ``capacity`` and ``other_capacity`` are provisioned in the peak and in the other hours.
    """

    rounding: Rounding
    peak: Units
    other: Units
    write_millions: float
    read_millions: float
    on_demand_usd: float
    capacity: Mapping[Side, int]
    other_capacity: Mapping[Side, int]
    provisioned_usd: float


@typed
def answer(rounding: Rounding = "each step", prices: Prices | None = None) -> Answer:
    """Return the day by arithmetic: 224 and 125 units at the peak, 6.14 USD on-demand, 2.17 USD provisioned.

    By ``"each step"``: units to whole ones (those of 900 orders an hour up, as the story does), millions and dollars to
    two places, capacity up to fives. By ``"units"``, only units and capacity so: 6.14 and 2.16. By ``"nothing"``, no
    units, and capacity to whole units, since no other can be provisioned: 6.11 and 2.12. Prices are the problem's
    unless given. The provisioned day takes capacity to follow the plan on the second.
    """
    prices = _prices(prices)
    peak, other = units_at(ORDERS_PER_HOUR), units_at(FRIDAY_ORDERS_PER_HOUR)
    if rounding != "nothing":
        peak = Units(round(peak.write), round(peak.read))
        other = Units(math.ceil(other.write), math.ceil(other.read))
    step = 1 if rounding == "nothing" else 5
    capacity, other_capacity = (capacity_for(orders, step=step) for orders in (ORDERS_PER_HOUR, FRIDAY_ORDERS_PER_HOUR))
    cents = _cents if rounding == "each step" else float
    millions = {
        side: cents(getattr(peak, side) * PEAK_HOURS * 0.0036) + cents(getattr(other, side) * OTHER_HOURS * 0.0036)
        for side in _SIDES
    }
    asked = on_demand(millions["write"] * 1e6, millions["read"] * 1e6, prices)
    hours = (
        provisioned(capacity["write"], capacity["read"], prices, hours=PEAK_HOURS),
        provisioned(other_capacity["write"], other_capacity["read"], prices, hours=OTHER_HOURS),
    )
    return Answer(
        rounding,
        peak,
        other,
        millions["write"],
        millions["read"],
        sum(cents(line.usd) for line in asked.lines),
        capacity,
        other_capacity,
        sum(cents(bill.total) for bill in hours),
    )


def answers(prices: Prices | None = None) -> pd.DataFrame:
    """Return the day by every road of rounding, one row each."""
    import pandas as pd

    rows = []
    for rounding in get_args(Rounding):
        found = answer(rounding, prices)
        rows.append(
            {
                "rounding": rounding,
                "peak_write": found.peak.write,
                "peak_read": found.peak.read,
                "write_millions": found.write_millions,
                "read_millions": found.read_millions,
                "on_demand_usd": found.on_demand_usd,
                "capacity": f"{found.capacity['write']}/{found.capacity['read']}",
                "other_capacity": f"{found.other_capacity['write']}/{found.other_capacity['read']}",
                "provisioned_usd": found.provisioned_usd,
            }
        )
    return pd.DataFrame(rows)


def _cents(value: float) -> float:
    # Half a cent goes up, as by hand, whatever the last bit of the float says.
    return math.floor(value * 100 + 0.5 + 1e-9) / 100


# --- simulated ----------------------------------------------------------------------------------------------------

MOST_ORDERS = 10**9
"""Orders an hour that a simulation takes."""
Strategy = Literal["reactive auto scaling", "scheduled scaling", "on-demand", "on-demand, warm"]


@typed
def workload(
    orders_per_hour: float = ORDERS_PER_HOUR,
    *,
    other: float = FRIDAY_ORDERS_PER_HOUR,
    rise: float = 30.0,
    begins: int = PEAK_BEGINS,
) -> Workload:
    """Return the day's traffic: the mix of operations, ``orders_per_hour`` from 17:00 to 21:00 and ``other`` else.

    ``rise``: the seconds that the peak takes to come, before 17:00, and to go. ``begins``: the second of the day at
    which the four hours begin, if not at 17:00. The carts belong to 20,000 customers.
    """
    _orders(orders_per_hour), _orders(other)
    orders = demand.constant(other / 3_600, 86_400)
    if orders_per_hour >= other:
        orders = orders + demand.spike(
            (orders_per_hour - other) / 3_600, at=begins, lasts=PEAK_HOURS * 3_600, seconds=86_400, rise=rise
        )
    else:
        orders[begins : begins + int(PEAK_HOURS) * 3_600] = orders_per_hour / 3_600
    return Workload(
        orders,
        demand.uniform(CUSTOMERS),
        {
            row.name: Operation(row.call, float(row.per_order), row.bytes, consistency=row.consistency or "eventual")
            for row in data.operation_mix()
        },
    )


@typed
def design(
    strategy: Strategy,
    *,
    forecast: float = ORDERS_PER_HOUR,
    ahead: float = 900.0,
    most: int = MOST_UNITS,
    auto_scaling: bool = True,
) -> Design:
    """Return the table as set up by one strategy.

    Both provisioned ones begin with the capacity for a usual Friday, 85 and 50, and scale by auto scaling at 70 % up to
    ``most`` units. ``scheduled scaling`` also raises the minimum to the capacity for ``forecast`` orders an hour,
    ``ahead`` seconds before 17:00, and lowers it at 21:00; without ``auto_scaling`` the schedule is all there is.
    ``on-demand, warm`` has twice the warm throughput that a
    table is born with. Raises LabError for a strategy that there is not.
    """
    if strategy == "on-demand":
        return Design("PAY_PER_REQUEST")
    if strategy == "on-demand, warm":
        return Design("PAY_PER_REQUEST", warm={"write": 8_000, "read": 24_000})
    usual, wanted = capacity_for(FRIDAY_ORDERS_PER_HOUR, step=5), capacity_for(_orders(forecast), step=5)
    schedule: dict[Side, tuple[Limits, ...]] = {}
    if strategy == "scheduled scaling":
        for side in _SIDES:
            least = max(usual[side], wanted[side])
            schedule[side] = (
                Limits(PEAK_BEGINS - ahead, least, max(most, least) if auto_scaling else least),
                Limits(PEAK_ENDS + 60, usual[side], max(most, least) if auto_scaling else usual[side]),
            )
    return Design(
        "PROVISIONED",
        read_units=usual["read"],
        write_units=usual["write"],
        auto_scaling={side: Policy(usual[side], most, TARGET) for side in _SIDES} if auto_scaling else {},
        schedule=schedule,
    )


def bill(outcome: Outcome, table: Design, prices: Prices | None = None) -> Bill:
    """Return what a simulated time costs: admitted units on-demand, or the capacity that was in force, lag included.

    Raising warm throughput is charged too, at a price that is not known: it is not in the bill.
    """
    prices = _prices(prices)
    if table.mode == "PAY_PER_REQUEST":
        return on_demand(
            float(outcome.admitted_units("write").sum()), float(outcome.admitted_units("read").sum()), prices
        )
    return provisioned_curve(outcome.provisioned_units("write"), outcome.provisioned_units("read"), prices)


@typed
def day(
    strategies: Iterable[Strategy] = get_args(Strategy),
    *,
    orders_per_hour: float = ORDERS_PER_HOUR,
    rise: float = 30.0,
    prices: Prices | None = None,
    retries: Literal["standard", "legacy"] | None = None,
    parameters: Parameters = DEFAULTS,
) -> pd.DataFrame:
    """Return what the day does to a table under each strategy, one row each.

    ``refused_cart_writes``: attempts; ``lost_cart_writes``: requests that nobody tries again, the same unless the
    clients have ``retries``; ``lost_carts``: how many carts' whole life those are worth (12.5 writes each);
    ``refused_reads``: attempts; ``minutes``: minutes with a refusal; ``last``: how many minutes after 17:00 the last of
    them ends (0: none); ``worst_minute``: the refused share of the write units in the worst minute; ``usd``: the day's
    bill. ``rise`` as of :func:`workload`, ``retries`` as of ``simulate``. With
    ``parameters=Parameters(burst_seconds=1)`` the day has no burst to hide behind.
    """
    traffic = workload(orders_per_hour, rise=rise)
    rows = [
        {"strategy": strategy, **_result(traffic, design(strategy), prices, retries, parameters)}
        for strategy in strategies
    ]
    return _frame(rows)


@typed
def wrong_forecast(
    forecasts: Iterable[float] = (900, 1_750, 2_500, 3_000, 3_500, 5_000, 7_000),
    *,
    orders_per_hour: float = ORDERS_PER_HOUR,
    auto_scaling: bool = True,
    rise: float = 30.0,
    prices: Prices | None = None,
    parameters: Parameters = DEFAULTS,
) -> pd.DataFrame:
    """Return what scheduled scaling does when ``orders_per_hour`` come and another number was forecast, one row each.

    ``forecast`` orders an hour, the ``write_units`` and ``read_units`` scheduled for them, and the columns of
    :func:`day`. A forecast that is too high costs dollars. One that is too low costs carts: with ``auto_scaling`` for
    the minutes until it has caught up, if burst does not carry them; without, until 21:00.
    """
    traffic = workload(orders_per_hour, rise=rise)
    rows = []
    for forecast in forecasts:
        units = capacity_for(_orders(forecast), step=5)
        table = design("scheduled scaling", forecast=forecast, auto_scaling=auto_scaling)
        rows.append(
            {
                "forecast": forecast,
                "write_units": units["write"],
                "read_units": units["read"],
                **_result(traffic, table, prices, None, parameters),
            }
        )
    return _frame(rows)


def orders_taken_at_once(table: Mapping[Side, float] | None = None) -> float:
    """Return the orders an hour that an on-demand table takes at once: its ready units over those of an order.

    ``table``: the units per second it is ready for by side; a new table's 4,000 and 12,000 unless given.
    """
    ready = table or {"write": 4_000, "read": 12_000}
    an_order = units_at(1.0)
    return min(ready["write"] / an_order.write, ready["read"] / an_order.read)


def _result(
    traffic: Workload,
    table: Design,
    prices: Prices | None,
    retries: Literal["standard", "legacy"] | None,
    parameters: Parameters,
) -> dict[str, float]:
    outcome = simulate(traffic, table, retries=retries, parameters=parameters)
    mix = data.operation_mix()
    carts = [row for row in mix if row.side == "write" and row.about == "cart"]
    per_order = float(sum(row.per_order for row in carts))
    per_cart = float(sum(row.per_order for row in carts) / sum(row.per_order for row in carts if row.call == "put"))
    # All writes of a second are refused in the same proportion: carts have their part of the units.
    refused, gone = (
        float(units.sum()) * per_order / units_per_order(mix, "write")
        for units in (outcome.refused_units("write"), outcome.lost_units("write"))
    )
    refusing = outcome.refused_units("write") + outcome.refused_units("read") > 1e-9
    minutes = np.flatnonzero(refusing.reshape(-1, 60).any(axis=1))
    given, lost = (
        units.reshape(-1, 60).sum(axis=1) for units in (outcome.admitted_units("write"), outcome.refused_units("write"))
    )
    return {
        "refused_cart_writes": round(refused),
        "lost_cart_writes": round(gone),
        "lost_carts": round(gone / per_cart),
        "refused_reads": round(float(outcome.refused_requests("read").sum())),
        "minutes": len(minutes),
        "last": int(minutes[-1]) + 1 - PEAK_BEGINS // 60 if len(minutes) else 0,
        "worst_minute": float(np.divide(lost, given + lost, out=np.zeros_like(lost), where=lost > 0).max()),
        "usd": bill(outcome, table, prices).total,
    }


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)


def _prices(given: Prices | None) -> Prices:
    if given is not None and not isinstance(given, Prices):
        raise LabError(f"Prices are such as data.prices('eu-west-1'), not {shown(given)}.")
    return data.prices(data.EXERCISE) if given is None else given


def _orders(value: float) -> float:
    return number("orders an hour", value, 0, MOST_ORDERS)
