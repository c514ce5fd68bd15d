"""What a table costs: requests, provisioned hours, reservations, storage, indexes, backups and stream reads.

Every function is pure: quantities and :class:`~dynamolab.model.prices.Prices` in, a :class:`Bill` out whose lines add
up to its total. Amounts are US dollars and are never rounded on the way. Sources: "DynamoDB throughput capacity",
"DynamoDB reserved capacity" and the price list; the prices stand in ``data/prices.csv``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import is_number, is_whole, shown
from ..errors import LabError
from .prices import Prices
from .units import Side, write_units

GB = 1024**3
HOURS_PER_MONTH = 730
HOURS_PER_YEAR = 8_760
STORED_OVERHEAD_BYTES = 100
"""What storage counts besides the data, for each item and for each index entry. Source: "Capacity unit consumption"."""
FREE_STORAGE_GB = 25
FREE_STREAM_READS = 2_500_000
RESERVED_BLOCK = 100
"""Reserved capacity is sold in hundreds of units. Source: "DynamoDB reserved capacity"."""

Years: TypeAlias = Literal[1, 3]

_HOURS: dict[Side, str] = {"write": "wcu_hour", "read": "rcu_hour"}
_REQUESTS: dict[Side, str] = {"write": "write_request_million", "read": "read_request_million"}
_RESERVED: dict[Side, str] = {"write": "reserved_wcu", "read": "reserved_rcu"}


@dataclass(frozen=True)
class Line:
    """One line of a bill: so many units of something at a price."""

    what: str
    quantity: float
    unit: str
    usd_per_unit: float

    @property
    def usd(self) -> float:
        """What the line comes to, in US dollars."""
        return self.quantity * self.usd_per_unit


@dataclass(frozen=True)
class Bill:
    """Lines that add up. Bills add with ``+`` and stretch with ``*``: thirty days are ``day * 30``."""

    title: str
    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> float:
        """The sum of the lines in US dollars."""
        return math.fsum(line.usd for line in self.lines)

    def __add__(self, other: Bill) -> Bill:
        return Bill(self.title, self.lines + other.lines)

    def __mul__(self, times: float) -> Bill:
        factor = _amount("the factor of a bill", times)
        return Bill(
            self.title, tuple(dataclasses.replace(line, quantity=line.quantity * factor) for line in self.lines)
        )

    __rmul__ = __mul__

    def named(self, title: str) -> Bill:
        """Return the same bill under another title."""
        return dataclasses.replace(self, title=title)

    def rows(self) -> list[dict[str, str | float]]:
        """Return the lines as rows for a table: bill, line, quantity, unit, usd_per_unit, usd."""
        return [
            {
                "bill": self.title,
                "line": line.what,
                "quantity": line.quantity,
                "unit": line.unit,
                "usd_per_unit": line.usd_per_unit,
                "usd": line.usd,
            }
            for line in self.lines
        ]

    def __str__(self) -> str:
        wide = max((len(line.what) for line in self.lines), default=0)
        rows = [
            f"  {line.what:<{wide}}  {line.quantity:>14,.2f} x {line.usd_per_unit:<10,.6g} = {line.usd:>10,.2f}"
            f"  ({line.unit})"
            for line in self.lines
        ]
        return "\n".join([self.title, *rows, f"  {'total':<{wide}}  {self.total:>40,.2f}"])


# --- throughput ---------------------------------------------------------------------------------------------------


def on_demand(write_units: float, read_units: float, prices: Prices, *, title: str = "on-demand") -> Bill:
    """Bill request units in on-demand mode; ``write_units`` and ``read_units`` are sums over the time billed.

    A refused request is not billed, a failed condition is: both are already in what the model counts as consumed.
    """
    units: dict[Side, float] = {"write": write_units, "read": read_units}
    return Bill(
        title,
        tuple(
            _line(f"{side} request units", _amount(f"{side} units", units[side]) / 1e6, prices, _REQUESTS[side])
            for side in units
        ),
    )


def provisioned(
    write_units: float, read_units: float, prices: Prices, *, hours: float, title: str = "provisioned"
) -> Bill:
    """Bill units that stay provisioned for ``hours``, used or not."""
    time = _amount("hours", hours)
    return _unit_hours_bill(
        _amount("write units", write_units) * time, _amount("read units", read_units) * time, prices, title
    )


def provisioned_curve(
    write_units: ArrayLike,
    read_units: ArrayLike,
    prices: Prices,
    *,
    seconds_per_value: float = 1.0,
    whole_hours: bool = False,
    title: str = "provisioned",
) -> Bill:
    """Bill capacity that changes: two curves of the units in force, one value for each ``seconds_per_value``.

    Auto scaling's lag is in the bill because it is in the curve. ``whole_hours`` as of :func:`unit_hours`.
    """
    write_hours = unit_hours(write_units, seconds_per_value, whole_hours=whole_hours)
    read_hours = unit_hours(read_units, seconds_per_value, whole_hours=whole_hours)
    return _unit_hours_bill(write_hours, read_hours, prices, title)


def unit_hours(units: ArrayLike, seconds_per_value: float = 1.0, *, whole_hours: bool = False) -> float:
    """Return the unit-hours under a capacity curve, shape (values,).

    By time unless ``whole_hours``: then each clock hour, counted from the first value, is billed at its highest value
    as a whole. The price is per hour; AWS's pages do not say which of the two holds when capacity changes within one.
    Raises LabError for a curve with negative or missing values, or values that hours do not divide into.
    """
    try:
        curve = np.atleast_1d(np.asarray(units, dtype=np.float64))
    except (TypeError, ValueError):
        curve = np.array([np.nan])
    if curve.ndim != 1 or not np.isfinite(curve).all() or (curve < 0).any():
        raise LabError("A capacity curve is a list of units, each a number from 0 up, in the order of time.")
    step = _amount("seconds_per_value", seconds_per_value)
    if not whole_hours:
        return float(curve.sum() * step / 3_600)
    if not step or 3_600 % step:
        raise LabError(f"Whole hours need values that an hour divides into: {step:g} seconds each do not.")
    each = int(3_600 // step)
    padded = np.pad(curve, (0, -len(curve) % each))
    return float(padded.reshape(-1, each).max(axis=1).sum())


def break_even_utilisation(prices: Prices, side: Side = "write") -> float:
    """Return the utilisation, 0 to 1, at which a provisioned unit costs as much as the requests it serves on-demand.

    A unit used fully for an hour serves 3,600 requests. Below it on-demand is cheaper, above it provisioned.
    """
    return prices.usd(_HOURS[side]) / (3_600 * prices.usd(_REQUESTS[side]) / 1e6)


# --- reserved -----------------------------------------------------------------------------------------------------


def reserved(
    write_units: float, read_units: float, prices: Prices, *, years: Years = 1, title: str | None = None
) -> Bill:
    """Bill reserved capacity over its whole term: once up front, then for every hour, used or not.

    Units are rounded up to hundreds, as they are sold. It covers provisioned units of the Standard table class only.
    """
    hours = HOURS_PER_YEAR * _years(years)
    units: dict[Side, float] = {"write": write_units, "read": read_units}
    lines = []
    for side in units:
        blocks = math.ceil(_amount(f"{side} units", units[side]) / RESERVED_BLOCK)
        if blocks:
            item = f"{_RESERVED[side]}_{years}y"
            lines.append(_line(f"{side} units up front", blocks, prices, f"{item}_upfront"))
            lines.append(_line(f"{side} units by the hour", blocks * hours, prices, f"{item}_hour"))
    return Bill(title or f"reserved for {years} year{'s' if years > 1 else ''}", tuple(lines))


def reserved_usd_per_hour(prices: Prices, side: Side = "write", *, years: Years = 1) -> float:
    """Return what one reserved unit costs an hour, with its share of the payment up front."""
    item = f"{_RESERVED[side]}_{_years(years)}y"
    spread = prices.usd(f"{item}_upfront") / (HOURS_PER_YEAR * years)
    return (spread + prices.usd(f"{item}_hour")) / RESERVED_BLOCK


def reserved_break_even(prices: Prices, side: Side = "write", *, years: Years = 1) -> float:
    """Return the share of the term, 0 to 1, for which a unit must be provisioned for its reservation to pay.

    One less it is the saving on a unit that is provisioned all the time.
    """
    return reserved_usd_per_hour(prices, side, years=years) / prices.usd(_HOURS[side])


def reserved_payback_hours(prices: Prices, side: Side = "write", *, years: Years = 1) -> float:
    """Return after how many hours of use the payment up front is recovered by the lower price of each hour."""
    item = f"{_RESERVED[side]}_{_years(years)}y"
    saved = prices.usd(_HOURS[side]) - prices.usd(f"{item}_hour") / RESERVED_BLOCK
    return prices.usd(f"{item}_upfront") / RESERVED_BLOCK / saved


# --- indexes ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IndexCopy:
    """What an index keeps and costs: ``entry_bytes`` as projected, for a share of the items.

    ``operations``: index writes for each write of the table: 1 for a put or a changed projected attribute, 2 where the
    index key changes (delete and put), 0 where nothing projected changes, or a mean of these. ``items``: the share of
    the table's items that are in the index, below 1 if it is sparse. Source: "Using Global Secondary Indexes".
    """

    name: str
    entry_bytes: int
    operations: float = 1.0
    items: float = 1.0

    def __post_init__(self) -> None:
        _amount(f"the bytes of an entry of {self.name}", self.entry_bytes)
        _amount(f"the operations of {self.name}", self.operations)
        if _amount(f"the share of items in {self.name}", self.items) > 1:
            raise LabError(f"An index holds at most all of its table's items; the share in {self.name} is above 1.")

    @property
    def units_per_write(self) -> float:
        """Write units of the index for each write of the table."""
        return write_units(self.entry_bytes) * self.operations


def units_of_a_write(item_bytes: int, indexes: Iterable[IndexCopy] = (), *, transactional: bool = False) -> float:
    """Return the write units that one write costs on the table and all of its indexes together.

    A transaction doubles the table's part, not the indexes'. Source: "DynamoDB read and write operations".
    """
    _amount("the bytes of an item", item_bytes)
    return write_units(item_bytes) * (2 if transactional else 1) + sum(each.units_per_write for each in indexes)


def tables_worth(item_bytes: int, indexes: Iterable[IndexCopy]) -> float:
    """Return how many tables without indexes would cost the same writes: six for five indexes that project all."""
    return units_of_a_write(item_bytes, indexes) / write_units(item_bytes)


# --- what lies there ----------------------------------------------------------------------------------------------


def stored_bytes(items: float, item_bytes: float, indexes: Iterable[IndexCopy] = ()) -> float:
    """Return the bytes that storage is billed on: data and 100 bytes more for each item and each index entry.

    Source: "Capacity unit consumption".
    """
    count = _amount("the number of items", items)
    table = count * (_amount("the bytes of an item", item_bytes) + STORED_OVERHEAD_BYTES)
    return table + sum(count * each.items * (each.entry_bytes + STORED_OVERHEAD_BYTES) for each in indexes)


def storage(
    gb: float, prices: Prices, *, months: float = 1, free_gb: float = FREE_STORAGE_GB, title: str = "storage"
) -> Bill:
    """Bill ``gb`` stored for ``months``. The first 25 GB of an account's region are free: ``free_gb`` what is left."""
    paid = max(0.0, _amount("GB", gb) - _amount("free GB", free_gb))
    return Bill(title, (_line("storage", paid * _amount("months", months), prices, "storage_gb_month"),))


def point_in_time_recovery(gb: float, prices: Prices, *, months: float = 1, title: str = "PITR") -> Bill:
    """Bill point-in-time recovery of a table of ``gb``. None of it is free."""
    return Bill(title, (_line("PITR", _amount("GB", gb) * _amount("months", months), prices, "pitr_gb_month"),))


def stream_reads(
    calls: float,
    prices: Prices,
    *,
    reader: Literal["application", "lambda"] = "application",
    free_calls: float = FREE_STREAM_READS,
    title: str = "stream reads",
) -> Bill:
    """Bill ``calls`` of GetRecords in a month. Lambda's are free, and so are the first 2.5 million of an account.

    Source: "Change data capture for DynamoDB Streams"; the free calls and the price are from memory.
    """
    if reader not in ("application", "lambda"):
        raise LabError(f"A stream is read by 'application' or 'lambda', not {reader!r}.")
    asked = _amount("calls", calls)
    if reader == "lambda":
        return Bill(title)
    paid = max(0.0, asked - _amount("free calls", free_calls))
    return Bill(title, (_line("GetRecords", paid / 1e5, prices, "stream_reads_100k"),))


def together(title: str, bills: Sequence[Bill]) -> Bill:
    """Return one bill with the lines of all."""
    return Bill(title, tuple(line for bill in bills for line in bill.lines))


# --- helpers ------------------------------------------------------------------------------------------------------


def _unit_hours_bill(write_hours: float, read_hours: float, prices: Prices, title: str) -> Bill:
    return Bill(
        title,
        (
            _line("write units provisioned", write_hours, prices, _HOURS["write"]),
            _line("read units provisioned", read_hours, prices, _HOURS["read"]),
        ),
    )


def _line(what: str, quantity: float, prices: Prices, item: str) -> Line:
    price = prices.price(item)
    return Line(what, quantity, price.unit, price.usd)


def _amount(name: str, value: Any) -> float:
    if not is_number(value) or value < 0:
        raise LabError(f"Give {name} as a number from 0 up, not {shown(value)}.")
    return float(value)


def _years(years: Years) -> Years:
    if not is_whole(years) or years not in (1, 3):
        raise LabError(f"Capacity is reserved for 1 year or for 3, not {shown(years)}.")
    return years
