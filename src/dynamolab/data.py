"""What lies in ``data/``, as plain Python: prices, the operation mix, the access patterns, the parts of two bills.

``data/README.md`` says where each table comes from. In a checkout the files of ``data/`` themselves are read; an
installed package carries copies.
"""

from __future__ import annotations

import csv
import functools
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .arguments import typed
from .errors import LabError
from .model.operation_mix import MixRow
from .model.prices import UNITS, Price, Prices

EXERCISE = "as given in exercise 21"
"""The "region" with the prices that the Black Friday problem gives; no region of AWS has them."""

BEFORE_THE_CUT = "us-east-1 before November 2024"
"""us-east-1 before on-demand became cheaper by half."""


def folder() -> Path:
    """Return the folder of the tables: ``data/`` of the checkout, or the copy inside the installed package."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / "data" / "prices.csv").is_file():
        return checkout / "data"
    return Path(__file__).resolve().parent / "_data"


@typed
@functools.cache
def table(name: str) -> tuple[MappingProxyType[str, str], ...]:
    """Return ``data/NAME.csv`` row by row, each a mapping of column to text; raise LabError if there is none."""
    path = folder() / f"{name}.csv"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):  # ValueError: a name that no file can have
        there = ", ".join(sorted(each.stem for each in folder().glob("*.csv"))) or "none"
        raise LabError(f"There is no table {name!r} in the lab's data; there are: {there}.") from None
    return tuple(MappingProxyType(row) for row in csv.DictReader(text.splitlines()))


def regions() -> tuple[str, ...]:
    """Return the names that :func:`prices` knows, in the order of the table."""
    return tuple(dict.fromkeys(row["region"] for row in table("prices")))


@typed
@functools.cache
def prices(region: str = "eu-west-1") -> Prices:
    """Return the prices of ``region``; raise LabError for one that the table does not have.

    Besides two regions of AWS it has their past (:data:`BEFORE_THE_CUT`) and a problem's own prices
    (:data:`EXERCISE`).
    """
    rows = [row for row in table("prices") if row["region"] == region]
    if not rows:
        raise LabError(f"There are no prices of {region!r}; there are those of: {'; '.join(regions())}.")
    return Prices.of(region, (_price(row) for row in rows))


@functools.cache
def operation_mix() -> tuple[MixRow, ...]:
    """Return the operations that an order brings with it at MercadoFresco: a reconstruction.

    At 900 orders an hour they come to exactly 57.6 write and 32.14 read units a second.
    """
    return tuple(
        MixRow(
            row["operation"],
            row["about"],
            row["call"],  # type: ignore[arg-type]
            Fraction(row["per_order"]),
            int(row["bytes"]),
            row["consistency"] or None,  # type: ignore[arg-type]
            row["pattern"],
        )
        for row in table("operation_mix")
    )


def access_patterns() -> tuple[MappingProxyType[str, str], ...]:
    """Return the six questions C1 to C6 that the carts' table answers: a reconstruction.

    Columns: ``pattern``, ``question``, ``given``, ``call``, ``where`` (table or index), ``key_condition``,
    ``consistency``, ``when``.
    """
    return table("access_patterns")


def _price(row: MappingProxyType[str, str]) -> Price:
    item = row["item"]
    if row["unit"] != UNITS.get(item):
        raise LabError(f"data/prices.csv: {item} is priced for {UNITS.get(item)!r}, not for {row['unit']!r}.")
    confidence: Any = row["confidence"]
    return Price(item, float(row["usd"]), row["date"], confidence, row["origin"])
