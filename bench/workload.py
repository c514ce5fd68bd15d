"""The vectorised workload: simulated requests a second, each time beside a plain NumPy pass over arrays of equal size.

The pass is what any simulation must do at least: multiply the demand out over seconds and partitions, cut it at the
ceiling, and sum. Seconds differ from machine to machine; the ratio to that pass does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, Workload
from dynamolab.traffic.simulate import simulate

DAY = 86_400
LEAST_REQUESTS = 1e8
MOST_RATIO = 60.0


def best(function: Callable[[], object], times: int = 3) -> float:
    """Return the shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        function()
        found.append(time.perf_counter() - began)
    return min(found)


def plain(seconds: int, keys: int, partitions: int) -> Callable[[], object]:
    """Return the plain pass for a run of that size: each key to its partition, then all seconds times partitions."""
    rate = np.full(seconds, 20_000.0)
    where, weights = np.arange(keys) * 7919 % partitions, np.full(keys, 1 / keys)

    def run() -> object:
        asked = rate[:, None] * np.bincount(where, weights=weights, minlength=partitions)
        admitted = np.minimum(asked, 1000.0)
        return admitted.sum(axis=1), (asked - admitted).sum(axis=1)

    return run


def day(seconds: int, keys: int, partitions: int = 64) -> Callable[[], object]:
    """Return a simulation of that size: fresh keys each time, so that their places are computed as well."""
    rate = demand.daily(20_000, peak=30_000)[:seconds]
    design = Design(partitions=partitions, warm={"write": 40_000})
    return lambda: simulate(Workload(rate, demand.zipf(keys, 0.9)), design)


def run() -> list[str]:
    """Measure; raises AssertionError when fewer than 1e8 requests a second are simulated, or growth is not linear."""
    lines = []
    whole, pass_ = best(day(DAY, 100_000)), best(plain(DAY, 100_000, 64))
    requests = float(demand.daily(20_000, peak=30_000).sum()) / whole
    lines.append(
        f"a day: 86,400 seconds x 100,000 keys x 64 partitions in {whole:.2f} s, {whole / pass_:.1f} times a plain "
        f"NumPy pass; {requests:.2g} simulated requests a second, at least {LEAST_REQUESTS:.0e}"
    )
    hour = best(lambda: simulate(Workload(demand.daily(2000)[:3600], demand.zipf(10_000)), Design()), 5)
    plain_hour = best(plain(3600, 10_000, 4), 5)
    lines.append(
        f"a slider: one hour x 10,000 keys in {1000 * hour:.1f} ms, {hour / plain_hour:.0f} times a plain pass"
    )
    steps = [(seconds, best(day(seconds, 100_000))) for seconds in (10_800, 21_600, 43_200, DAY)]
    lines.append("seconds: " + ", ".join(f"{size:,}: {1e6 * took / size:.1f} us each" for size, took in steps))
    populations = [(keys, best(day(3600, keys))) for keys in (10_000, 100_000, 1_000_000, 4_000_000)]
    lines.append("keys (one hour): " + ", ".join(f"{size:,}: {1000 * took:.0f} ms" for size, took in populations))
    grown = (steps[-1][1] / steps[0][1]) / 8
    keyed = (populations[-1][1] - populations[0][1]) / max(populations[-2][1] - populations[0][1], 1e-9) / 4
    lines.append(f"growth against linear: {grown:.2f} in seconds, {keyed:.2f} in keys (1 is linear)")
    assert requests >= LEAST_REQUESTS, f"{requests:.2g} simulated requests a second, not {LEAST_REQUESTS:.0e}"
    assert whole / pass_ <= MOST_RATIO, f"{whole / pass_:.0f} times a plain pass, not {MOST_RATIO:.0f}"
    assert grown < 1.6, f"a day costs {grown:.2f} times what eight times three hours cost"
    assert keyed < 1.6, f"keys cost {keyed:.2f} times what linear growth gives"
    return lines
