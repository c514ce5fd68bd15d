"""The explorer of lesson 08: the shape of a day and the capacity provisioned for it, against cost and refusals."""

from __future__ import annotations

import functools
import math
from typing import Final, Literal

import numpy as np

from ... import arguments
from ...data import prices
from ...model.autoscaling import AutoScaling, Policy
from ...model.billing import break_even_utilisation, on_demand, provisioned, provisioned_curve
from ...model.meters import MICROSECONDS
from ...model.modes import DecreaseHistory
from ...model.parameters import DEFAULTS
from ...traffic import demand
from ...traffic.demand import Floats
from ..explorer import Explorer
from ..frames.cost import Priced, cost_bars
from ..picture import Picture
from ..svg import number
from .controls import choice, steps

Shape = Literal["smooth", "sudden"]

MEAN: Final = 30
"""Write units a second of every day that the explorer shows, on average: whatever its shape, the units are the same."""
REGION: Final = "us-east-1"
_RATIOS: Final = (1.0, 1.5, 2.0, 2.4, 3.0, 4.0, 6.0, 10.0)
_PERCENT: Final = (20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 143, 170, 200)
_BUSY_HOURS: Final = 2


@arguments.typed
def day(ratio: float, shape: Shape) -> Floats:
    """Return the write units a second of a day with a mean of 30 and a peak of ``ratio`` times that, shape (86400,).

    ``smooth``: one hump around 19:00. ``sudden``: from 18:00 to 20:00 the peak, else what leaves the mean at 30; its
    beginning takes half a minute. Raises LabError for a ratio below 1 or above 10.
    """
    arguments.number("ratio, the peak over the mean,", ratio, 1, 10)
    if shape == "smooth":
        return demand.daily(MEAN, peak=MEAN * ratio, busiest=19.0)
    hump = demand.spike(1.0, at=18 * 3_600, lasts=_BUSY_HOURS * 3_600, seconds=86_400, rise=30.0)
    share = float(hump.mean())
    quiet = MEAN * (1 - ratio * share) / (1 - share)
    return quiet + (MEAN * ratio - quiet) * hump


def served(rate: Floats, units: int, policy: Policy | None = None) -> tuple[Floats, float]:
    """Return the write units in force in each second, and the units refused, of a table of one partition.

    ``rate``: write units asked for, a value a second for whole minutes, from midnight on and below the ceiling of a
    partition; ``units``: provisioned as it begins, with full savings; ``policy``: auto scaling, if any. It gives what
    ``simulate`` gives, without keys, splits and indexes, so that a step of a slider need not wait for those.
    """
    scaling = AutoScaling(policy) if policy is not None else None
    decreases, asked = DecreaseHistory(), rate.tolist()
    by_minute = rate.reshape(-1, 60)
    minutes = zip(*(found.tolist() for found in (by_minute.min(1), by_minute.max(1), by_minute.sum(1))), strict=True)
    in_force = np.empty(len(rate))
    held = depth = float(DEFAULTS.burst_seconds * units)
    refused = 0.0
    change: tuple[int, int] | None = None
    for minute, (least, most, total) in enumerate(minutes):
        begin, consumed = 60 * minute, total
        in_force[begin : begin + 60] = units
        if change is None and most <= units <= held:  # savings only grow: nothing is refused
            held = min(depth, held - total + 60 * units)
        elif change is None and least >= units:  # savings only shrink: they and the minute's units are all there is
            consumed = min(total, held + 59 * units)
            refused += total - consumed
            held = max(float(units), held - total + 60 * units)
        else:
            consumed = 0.0
            for second in range(begin, begin + 60):
                if change is not None and second == change[0]:
                    lower, (_, units), change = change[1] < units, change, None
                    if lower:
                        decreases.decrease(second * MICROSECONDS)
                    in_force[second : begin + 60] = units
                    depth = float(DEFAULTS.burst_seconds * units)
                    held = min(held, depth)
                given = min(asked[second], held)
                consumed += given
                refused += asked[second] - given
                held = min(depth, held - given + units)
        if scaling is not None and consumed > 0:
            now = (begin + 60) * MICROSECONDS
            may = decreases.check(now) is None
            step = scaling.observe(begin * MICROSECONDS, consumed, units, may_decrease=may)
            if step is not None:
                change = step.effective // MICROSECONDS + DEFAULTS.capacity_seconds, step.units
    return in_force, refused


@functools.lru_cache(maxsize=256)
def paid(ratio: float, shape: Shape, units: int, scaled: bool) -> tuple[float, float, float]:
    """Return what a day costs (USD), and the units refused and sent, with ``units`` provisioned or auto scaling.

    ``scaled``: auto scaling at 70 %, from 5 units up, that begins the day with ``units``.
    """
    rate = day(ratio, shape)
    if not scaled and units >= rate.max():  # it never runs short
        return provisioned(units, 0, prices(REGION), hours=24).total, 0.0, float(rate.sum())
    in_force, refused = served(rate, units, Policy(5, 1_000, 0.7) if scaled else None)
    bill = provisioned_curve(in_force, [0.0], prices(REGION))
    return bill.total, refused, float(rate.sum())


@arguments.typed
def paying_explorer(*, ratio: float = 2.0, shape: Shape = "smooth", percent: int = 143) -> Explorer:
    """What one day of writes costs on-demand, provisioned and with auto scaling, and what each refuses.

    Controls: peak over mean, how the peak comes, and the provisioned units in per cent of the peak (143 % is a
    utilisation of 70 % at the peak). Prices of us-east-1; the mean is 30 write units a second in every day. Errors:
    :func:`day`, and LabError for ``percent`` below 1.
    """
    arguments.whole("percent", percent, 1, 1_000)
    table = prices(REGION)

    def draw(*, ratio: float, shape: Shape, percent: int) -> tuple[Picture, str]:
        rate = day(ratio, shape)
        units = math.ceil(round(MEAN * ratio * percent / 100, 6))
        fixed, fixed_lost, sent = paid(ratio, shape, units, False)
        scaled, scaled_lost, _ = paid(ratio, shape, max(5, math.ceil(round(float(rate[0]) / 0.7, 6))), True)
        asked = on_demand(sent, 0, table).total
        rows = [
            Priced("on-demand", asked, 0, sent),
            Priced(f"provisioned, {number(units)} WCU", fixed, fixed_lost, sent),
            Priced("auto scaling at 70 %", scaled, scaled_lost, sent),
        ]
        used = (sent - fixed_lost) / (units * 86_400)
        even = break_even_utilisation(table)
        side = "below" if used < even else "above"
        told = (
            f"The provisioned table is used at {number(round(100 * used, 1))} %, {side} the break-even of "
            f"{number(round(100 * even, 1))} %: {fixed:.2f} USD a day against {asked:.2f} on-demand."
        )
        losses = (("The provisioned table", fixed_lost), ("auto scaling", scaled_lost))
        lost = " and ".join(f"{name} refuses {number(round(value))} WU" for name, value in losses if value >= 1)
        picture = cost_bars(
            rows,
            title=f"A {shape} day of {MEAN} WU/s with a peak of {number(MEAN * ratio)} WU/s",
            caption=f"The provisioned table is used at {number(round(100 * used, 1))} %.",
            top=asked * 2,
        )
        return picture, f"{told} {lost[0].upper() + lost[1:] if lost else 'Nothing is refused'}."

    draw(ratio=ratio, shape=shape, percent=percent)  # bad arguments fail before a slider exists
    controls = {
        "ratio": steps("peak/mean", _RATIOS, ratio, number),  # type: ignore[arg-type]
        "shape": choice("the day", {"smooth": "smooth", "sudden": "sudden"}, shape),
        "percent": steps("of the peak", _PERCENT, percent, "{} %".format),
    }
    return Explorer(controls, draw)
