"""The explorer of lesson 07: the units of a peak, operation by operation."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ... import arguments
from ...data import operation_mix
from ...model.operation_mix import MixRow, units_per_second
from ...model.sizes import MAX_ITEM_BYTES
from ..explorer import Explorer
from ..frames import share_bars
from ..picture import Picture
from ..svg import number
from .controls import MOST_A_SECOND, size_text, steps

_CARTS: Final = tuple(1024 * kb for kb in (1, 2, 3, 4, 5, 6, 8, 11, 16, 32, 64, 128, 400))
_ORDERS: Final = (100, 164, 300, 600, 900, 1_500, 2_500, 3_500, 7_000)
_CART: Final = 3_072
"""Bytes of a cart in ``data/operation_mix.csv``; a customer's whole collection holds one too."""


@arguments.typed
def mix_with_carts(cart_bytes: int) -> tuple[MixRow, ...]:
    """Return MercadoFresco's operations if a cart had ``cart_bytes``; raise LabError for what is no item's size."""
    arguments.whole("cart_bytes, the size of an item,", cart_bytes, 1, MAX_ITEM_BYTES)
    more = cart_bytes - _CART
    return tuple(replace(row, bytes=row.bytes + more) if row.bytes >= _CART else row for row in operation_mix())


@arguments.typed
def peak_explorer(*, orders_per_hour: int = 900, cart_bytes: int = _CART) -> Explorer:
    """What an hour of so many orders needs, operation by operation, if a cart has so many bytes.

    Sliders: size of a cart, orders an hour. Units are of a second; the mix is ``data/operation_mix.csv``. Errors: those
    of :func:`mix_with_carts` and of ``units_per_second``. Rests on the AWS page "DynamoDB read and write operations".
    """

    def draw(*, cart_bytes: int, orders_per_hour: int) -> tuple[Picture, str]:
        mix = mix_with_carts(cart_bytes)
        writes, reads = (round(units_per_second(mix, side, orders_per_hour), 2) for side in ("write", "read"))
        rows = [
            (f"{row.side[0].upper()}: {row.name}", round(units_per_second([row], row.side, orders_per_hour), 2))
            for row in mix
        ]
        told = f"{writes:,g} write and {reads:,g} read units a second"
        room = f"at 70 % utilisation {round(writes / 0.7, 1):,g} WCU and {round(reads / 0.7, 1):,g} RCU"
        picture = share_bars(
            rows,
            title=f"{number(orders_per_hour)} orders an hour, carts of {size_text(cart_bytes)}",
            caption=f"W writes, R reads: {told}.",
            unit="units/s",
        )
        return picture, f"{number(orders_per_hour)} orders an hour, carts of {size_text(cart_bytes)}: {told}; {room}."

    arguments.whole("orders_per_hour", orders_per_hour, 0, MOST_A_SECOND)
    draw(cart_bytes=cart_bytes, orders_per_hour=orders_per_hour)  # bad arguments fail before a slider exists
    controls = {
        "cart_bytes": steps("cart size", _CARTS, cart_bytes, size_text),
        "orders_per_hour": steps("orders/h", _ORDERS, orders_per_hour, number),
    }
    return Explorer(controls, draw)
