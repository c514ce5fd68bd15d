"""The explorer of lesson 13: how large a table becomes whose items live for so many days."""

from __future__ import annotations

from typing import Final

from ... import arguments
from ..explorer import Explorer
from ..frames import share_bars
from ..picture import Picture
from ..svg import number
from .controls import steps

_LIFETIMES: Final = (1, 2, 3, 5, 7, 10, 14, 20, 21, 30, 45, 60, 90, 120, 180, 365)
_LATENESS: Final = (0, 1, 2, 3, 7)
_DAYS: Final = (30, 60, 90, 120, 150, 180)


@arguments.typed
def table_gb(day: float, *, gb_a_day: float, lifetime_days: float, late_days: float = 0) -> float:
    """Return the GB in a table on ``day`` after the first item, if ``gb_a_day`` comes evenly and lives so long.

    ``late_days`` is how long after its expiry an item is deleted on average. Raises LabError for what is negative or no
    number.
    """
    for name, value in (
        ("day", day),
        ("gb_a_day", gb_a_day),
        ("lifetime_days", lifetime_days),
        ("late_days", late_days),
    ):
        arguments.number(name, value, 0, 1_000_000)
    return gb_a_day * min(day, lifetime_days + late_days)


@arguments.typed
def ttl_explorer(*, gb_a_day: float = 0.383, lifetime_days: int = 60, late_days: int = 0) -> Explorer:
    """How large a table is after one to six months, if its items live for so many days and are deleted so late.

    Sliders: lifetime, mean lateness of the deletion, both in days. The longest bar is the table without TTL after 180
    days, so that the scale stays. Errors: :func:`table_gb`. Rests on the AWS page "Using time to live (TTL) in
    DynamoDB", which promises no lateness.
    """

    def draw(*, lifetime_days: int, late_days: int) -> tuple[Picture, str]:
        sizes = [table_gb(day, gb_a_day=gb_a_day, lifetime_days=lifetime_days, late_days=late_days) for day in _DAYS]
        without = table_gb(_DAYS[-1], gb_a_day=gb_a_day, lifetime_days=_DAYS[-1])
        rows = [(f"day {day}", round(size, 1)) for day, size in zip(_DAYS, sizes, strict=True)]
        rows.append((f"day {_DAYS[-1]}, no TTL", round(without, 1)))
        whole = lifetime_days + late_days
        level = f"the size levels off at {number(round(gb_a_day * whole, 1))} GB"
        still = f"the table still grows on day {_DAYS[-1]}"
        told = level if whole <= _DAYS[-1] else still
        title = f"Items that live for {_days(lifetime_days)}, deleted {_days(late_days)} late"
        picture = share_bars(rows, title=title, caption=told[0].upper() + told[1:] + ".", unit="GB")
        inflow = f"{number(gb_a_day)} GB a day"
        return picture, f"{inflow}, a lifetime of {_days(lifetime_days)}, {_days(late_days)} late: {told}."

    draw(lifetime_days=lifetime_days, late_days=late_days)  # bad arguments fail before a slider exists
    controls = {
        "lifetime_days": steps("lifetime", _LIFETIMES, lifetime_days, _days),
        "late_days": steps("lateness", _LATENESS, late_days, _days),
    }
    return Explorer(controls, draw)


def _days(days: float) -> str:
    return f"{number(days)} day{'' if days == 1 else 's'}"
