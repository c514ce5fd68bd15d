"""What one order costs in units: the operations that lead to it, how often each happens, and what each consumes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ..arguments import number
from .units import Consistency, Side, read_units, write_units

Call: TypeAlias = Literal["put", "update", "delete", "get", "query"]

_READS = ("get", "query")


@dataclass(frozen=True)
class MixRow:
    """One kind of operation: how often it happens for each order, on how many bytes, how consistently.

    ``per_order`` is a fraction, so that sums come out as on paper. ``bytes`` is the item's size, of a Query the sum of
    what it reads; ``about`` says what the item is. ``consistency`` is None for a plain write; ``transactional`` doubles
    a write or a strong read. ``pattern`` names the access patterns that it answers.
    """

    name: str
    about: str
    call: Call
    per_order: Fraction
    bytes: int
    consistency: Consistency | None = None
    pattern: str = ""

    @property
    def side(self) -> Side:
        """Whether it consumes read or write units."""
        return "read" if self.call in _READS else "write"

    @property
    def units(self) -> float:
        """Units of one such operation. Source: "DynamoDB read and write operations"."""
        if self.side == "read":
            return read_units(self.bytes, consistency=self.consistency or "eventual")
        return float(write_units(self.bytes) * (2 if self.consistency == "transactional" else 1))

    @property
    def units_per_order(self) -> float:
        """Units that one order brings with it through this operation."""
        return float(self.per_order * Fraction(self.units))


def units_per_order(operations: Iterable[MixRow], side: Side) -> float:
    """Return the units of one side that one order brings with it, all operations together."""
    return float(_units_per_order(operations, side))


def units_per_second(operations: Iterable[MixRow], side: Side, orders_per_hour: float) -> float:
    """Return the units per second of one side at ``orders_per_hour``.

    Raises LabError for a rate that is negative or no number.
    """
    return float(_units_per_order(operations, side) * Fraction(number("orders an hour", orders_per_hour)) / 3_600)


def _units_per_order(operations: Iterable[MixRow], side: Side) -> Fraction:
    chosen = (each for each in operations if each.side == side)
    return sum((each.per_order * Fraction(each.units) for each in chosen), start=Fraction(0))
