"""What DynamoDB's parts cost: prices of one region, each with its date and how surely it is known.

No number stands here: :func:`dynamolab.data.prices` reads them. A price that nobody could find is missing, and asking
for it says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..arguments import is_number, shown
from ..errors import LabError
from .parameters import Confidence

UNITS: Mapping[str, str] = MappingProxyType(
    {
        "write_request_million": "million write request units",
        "read_request_million": "million read request units",
        "wcu_hour": "WCU-hour",
        "rcu_hour": "RCU-hour",
        "storage_gb_month": "GB-month",
        "pitr_gb_month": "GB-month",
        "ia_storage_gb_month": "GB-month",
        "ia_write_request_million": "million write request units",
        "ia_read_request_million": "million read request units",
        "stream_reads_100k": "100 thousand GetRecords calls",
        "backup_gb_month": "GB-month",
        "restore_gb": "GB",
        "export_gb": "GB",
        "reserved_wcu_1y_upfront": "100 WCU for 1 year",
        "reserved_wcu_1y_hour": "100 WCU-hours",
        "reserved_wcu_3y_upfront": "100 WCU for 3 years",
        "reserved_wcu_3y_hour": "100 WCU-hours",
        "reserved_rcu_1y_upfront": "100 RCU for 1 year",
        "reserved_rcu_1y_hour": "100 RCU-hours",
        "reserved_rcu_3y_upfront": "100 RCU for 3 years",
        "reserved_rcu_3y_hour": "100 RCU-hours",
    }
)
"""Every item that has a price, and the unit that the price is for."""


@dataclass(frozen=True)
class Price:
    """The price of one item: US dollars for one ``unit``.

    ``date`` is that of the price list or, where a source has none, the day on which it was read, as YYYY-MM-DD; empty
    for a price that a problem gives.
    """

    item: str
    usd: float
    date: str
    confidence: Confidence
    origin: str

    @property
    def unit(self) -> str:
        """What the price is for."""
        return UNITS[self.item]


@dataclass(frozen=True)
class Prices:
    """The prices of one region by item."""

    region: str
    by_item: Mapping[str, Price]

    @classmethod
    def of(cls, region: str, found: Iterable[Price]) -> Prices:
        """Make the prices of ``region`` from single ones."""
        return cls(region, MappingProxyType({price.item: price for price in found}))

    def price(self, item: str) -> Price:
        """Return the price of ``item``; raise LabError if there is no such item or its price is not known."""
        _known(item)
        if item not in self.by_item:
            raise LabError(
                f"The price of {item} is not known for {self.region}: give one that you have read, "
                f"prices.having({item}=...), or take another region's."
            )
        return self.by_item[item]

    def usd(self, item: str) -> float:
        """Return the US dollars for one unit of ``item``; raise LabError as :meth:`price` does."""
        return self.price(item).usd

    def having(self, **usd: float) -> Prices:
        """Return the same prices with some replaced or added: ``prices.having(pitr_gb_month=0.22)``."""
        found = dict(self.by_item)
        for item, value in usd.items():
            _known(item)
            if not is_number(value) or value < 0:
                raise LabError(f"A price is a number of US dollars from 0 up; that of {item} is {shown(value)}.")
            found[item] = Price(item, float(value), "", "F", "given by the caller")
        return dataclasses.replace(self, by_item=MappingProxyType(found))


def _known(item: str) -> None:
    if item not in UNITS:
        raise LabError(f"Nothing is billed under the name {item!r}: choose one of {', '.join(UNITS)}.")
