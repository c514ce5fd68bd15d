"""Many requests at once: what a table admits when units arrive second by second, as arrays instead of requests.

The rules are those of :mod:`.partitions` and :mod:`.indexes`, and so are the objects: meters, parts, heat, peaks and
indexes' debts are the table's own, read when a stretch of seconds begins and left as the stretch leaves them. What
changes slowly (splits, growth, capacity) happens between stretches, by ``table.settle``.

A limit of many small requests is taken: within a second requests arrive evenly, units are divisible, and a meter gives
what it holds. A partition's own meter holds one second, so that it keeps nothing from one second to the next.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .indexes import PartitionedIndex
from .keyspace import Place
from .meters import MICROSECONDS, Meter, give_together
from .partitions import PartitionedTable
from .throttling import Limit, Refusal, Side

Floats = NDArray[np.float64]
Inflow = Callable[[int, int, Floats], Mapping[str, Floats]]
"""What flows to each index, as (seconds, index partitions), from the first to before the last second of a stretch, when
these fractions of what is freshly asked, (seconds, partitions), are admitted."""
Places = Callable[[int], Sequence[Place]]
"""Where in a partition, given by its number, units fall: evenly on these places."""
_TINY = 1e-9


@dataclass
class Stretch:
    """What became of a stretch of seconds on one side of a table.

    ``asked`` and ``admitted``: units by second and partition number, shape (seconds, partitions); ``asked`` counts
    retries again. ``refused``: units a second by the service's (reason, resource). ``lost``: units a second whose last
    retry was refused, all refused ones where nobody retries. ``to_indexes``: units that each index took, (seconds,
    index partitions).
    """

    asked: Floats
    admitted: Floats
    refused: dict[tuple[str, str], Floats]
    lost: Floats
    to_indexes: Mapping[str, Floats] = field(default_factory=dict)


# --- retries ----------------------------------------------------------------------------------------------------------


class Retries:
    """Refused units that come again, later: the back-off of an SDK, as a flow.

    ``delays``: for each retry the shortest and the longest wait in seconds, any between them equally likely. Refused
    requests are spread evenly over their second. Simplified: a client has no retry quota and no other work.
    """

    def __init__(self, delays: Sequence[tuple[float, float]], partitions: int) -> None:
        kernels = [_kernel(shortest, longest) for shortest, longest in delays]
        self._length = max(len(kernel) for kernel in kernels)
        self._kernels = np.array([np.pad(kernel, (0, self._length - len(kernel))) for kernel in kernels])
        # Units that will come again: in so many seconds, as which attempt, at which partition.
        self._coming = np.zeros((self._length, len(delays), partitions))
        self.waiting = 0.0

    def follow(self, regrouped: Callable[[Floats], Floats]) -> None:
        """Go on with other partitions: ``regrouped`` says where the units at each partition come again."""
        self._coming = np.apply_along_axis(regrouped, 2, self._coming)

    def due(self) -> Floats:
        """Return what comes again in this second, by retry and partition."""
        now: Floats = self._coming[0].copy()
        self._coming = np.concatenate([self._coming[1:], np.zeros((1, *now.shape))])
        return now

    def refuse(self, refused: Floats) -> tuple[Floats, float]:
        """Take in what was refused in this second, by attempt (the first included) and partition.

        Returns what was asked once more within the same second and refused again, by partition, and what is lost.
        """
        again = np.zeros(refused.shape[1])
        for attempt, kernel in enumerate(self._kernels):
            # A retry within the same second meets the same empty bucket.
            at_once = refused[attempt] * kernel[0]
            refused[attempt + 1] += at_once
            again += at_once
            self._coming[: self._length - 1, attempt] += kernel[1:, None] * refused[attempt]
        self.waiting = float(self._coming.sum())
        return again, float(refused[-1].sum())


def _kernel(shortest: float, longest: float) -> Floats:
    """Return which part of the requests refused in a second comes again 0, 1, 2 ... seconds later."""
    sample = (np.arange(400) + 0.5) / 400
    moments = np.add.outer(sample, shortest + (longest - shortest) * sample).ravel()
    return np.bincount(moments.astype(np.int64)) / moments.size


# --- indexes ----------------------------------------------------------------------------------------------------------


class Pressure:
    """The global indexes of a table, as one vector of meters that its writes run into debt.

    The vector holds, index by index, each partition's ceiling, the maximum, the total, and each partition's part of the
    units where there are parts. A write is admitted while none of them owes ``index_buffer_units`` or more, as in
    :meth:`PartitionedIndex.pressure`.
    """

    def __init__(self, indexes: Mapping[str, PartitionedIndex]) -> None:
        self.indexes = dict(sorted(indexes.items()))
        # What each partition's ceiling holds: only its debts last from one second to the next.
        self._own: dict[str, Floats] = {name: np.zeros(0) for name in self.indexes}

    def begin(self, now: int) -> None:
        """Take up what all meters hold in the second of ``now``."""
        levels: list[Floats] = []
        rates: list[Floats] = []
        depths: list[Floats] = []
        self._reasons: list[tuple[str, str]] = []
        self._meters: list[tuple[int, Meter]] = []
        self._parts: dict[str, int] = {}
        for name, index in self.indexes.items():
            count, ceiling = len(index.partitions), float(index.ceiling("write") or 0)
            own = np.r_[self._own[name], np.zeros(count - len(self._own[name]))]
            total, limit = index.total_meter("write")
            maximum = index.maximum_meter("write")
            groups = [
                ([meter], kind) for meter, kind in ((maximum, Limit.MAXIMUM), (total, limit)) if meter is not None
            ]
            kinds = [Limit.KEY_RANGE] * count
            levels.append(np.minimum(own + ceiling, ceiling))
            rates.append(np.full(count, ceiling))
            depths.append(np.full(count, ceiling))
            if index.partitions[0].parts:
                self._parts[name] = sum(map(len, levels)) + len(groups)
                groups.append(([each.parts["write"] for each in index.partitions], Limit.KEY_RANGE))
            for meters, kind in groups:
                first = sum(map(len, levels))
                self._meters += [(first + place, meter) for place, meter in enumerate(meters)]
                levels.append(np.array([meter.level_at(now) for meter in meters]))
                rates.append(np.array([meter.rate for meter in meters]))
                depths.append(np.array([meter.depth for meter in meters]))
                kinds += [kind] * len(meters)
            self._reasons += [(Refusal("write", kind, index.mode, index.arn).reason, index.arn) for kind in kinds]
        self._level, self._rate, self._depth = map(np.concatenate, (levels, rates, depths))
        parameters = next(iter(self.indexes.values())).parameters
        self._buffer = parameters.index_buffer_units
        self.relieving = bool(self._parts) and parameters.adaptation == "2017"
        self._relieve(now)

    def _relieve(self, now: int) -> None:
        """Find the index partitions that may use more than their parts in the second of ``now``."""
        self._free: dict[str, NDArray[np.bool_]] = {
            name: np.array([self.indexes[name].relieved(each, "write", now) for each in self.indexes[name].partitions])
            for name in self._parts
        }

    def rows(self, inflow: Mapping[str, Floats]) -> Floats:
        """Return an inflow by index as what each meter is charged, (seconds, meters)."""
        columns: list[Floats] = []
        for name, index in self.indexes.items():
            flow = inflow[name]
            total = flow.sum(axis=1, keepdims=True)
            columns += [flow, *([total] if index.maximum_meter("write") is not None else []), total]
            if name in self._free:
                columns.append(np.where(self._free[name], 0.0, flow))
        return np.concatenate(columns, axis=1)

    def hold(self, rows: Floats) -> bool:
        """Take a whole stretch if the buffers have room for it; False, and nothing taken, if they have not."""
        steps = np.cumsum(self._rate - rows[:-1], axis=0)
        levels = np.concatenate([self._level[None], self._level + steps])
        if len(steps):
            levels[1:] -= np.maximum(np.maximum.accumulate(levels[1:] - self._depth, axis=0), 0.0)
        if ((levels - rows) < -self._buffer).any():
            return False
        self._level = levels[-1] - rows[-1]
        return True

    def refill(self, now: int) -> None:
        """Go on to the next second, that of ``now``."""
        self._level = np.minimum(self._level + self._rate, self._depth)
        if self.relieving:
            self._relieve(now)

    def room(self, row: Floats) -> tuple[float, tuple[str, str]]:
        """Return which fraction of a second's charges the buffers have room for, and the reason for no more."""
        left = self._level + self._buffer
        # An index that is behind stops every write, also those that would not reach it.
        fractions = np.where(left > _TINY, left / np.maximum(row, _TINY**2), 0.0)
        tightest = int(fractions.argmin())
        return float(fractions[tightest]), self._reasons[tightest]

    def take(self, row: Floats, inflow: Mapping[str, Floats], now: int) -> None:
        """Charge the second of ``now``."""
        self._level = self._level - row
        if not self.relieving:
            return
        for name, first in self._parts.items():
            index = self.indexes[name]
            for each, free, level, units in zip(
                index.partitions, self._free[name], self._level[first:], inflow[name][0], strict=False
            ):
                if free and units > each.parts["write"].rate:
                    each.strain["write"].last = now
                elif units and level <= 0 and not free:
                    index.strained(each, "write", now)

    def end(self, now: int) -> None:
        """Leave everything as the stretch that ended with the second of ``now`` left it."""
        for place, meter in self._meters:
            meter.leave(float(self._level[place]), now)
        first = 0
        for name, index in self.indexes.items():
            count = len(index.partitions)
            self._own[name] = np.minimum(self._level[first : first + count], 0.0)
            first += count + 1 + (index.maximum_meter("write") is not None) + count * (name in self._parts)


# --- admission --------------------------------------------------------------------------------------------------------


def admit(
    table: PartitionedTable,
    side: Side,
    fresh: Floats,
    now: int,
    *,
    strong: Floats | None = None,
    pressure: Pressure | None = None,
    inflow: Inflow | None = None,
    retries: Retries | None = None,
) -> Stretch:
    """Admit a stretch of whole seconds from ``now`` (microseconds) on and charge the table's and its indexes' meters.

    ``fresh``: units asked for, (seconds, partitions by number); ``strong``: those of them that are strongly consistent
    reads, where the parameters give eventually consistent ones an allowance of their own. ``pressure`` and ``inflow``:
    the indexes, and what flows to them. ``retries``: what refused units do; None: they are lost. Heat, peaks and what
    is due are the caller's: :func:`enter`, ``table.settle``.
    """
    if pressure is not None:
        pressure.begin(now)
    stretch = None
    tied = bool(table.partitions[0].parts) or (retries is not None and retries.waiting > 0)
    if not tied and not (pressure is not None and pressure.relieving):
        stretch = _at_once(table, side, fresh, now, _caps(table, side, fresh, strong), pressure, inflow, retries)
    if stretch is None and not tied and pressure is not None and inflow is not None and retries is None:
        stretch = _under_pressure(table, side, fresh, now, _caps(table, side, fresh, strong), pressure, inflow)
    if stretch is None:
        stretch = _by_seconds(table, side, fresh, now, _caps(table, side, fresh, strong), pressure, inflow, retries)
    return stretch


def enter(table: PartitionedTable, side: Side, admitted: Floats, places: Places) -> None:
    """Enter a stretch's admitted units, (seconds, partitions), in the table's heat and peaks.

    ``places`` is asked only about a partition that was hot.
    """
    units = admitted.sum(axis=0)
    total = float(units.sum())
    if not total:
        return
    table.consumed(side, round(total, 6))  # A sum's last digits must not make one unit more of a peak.
    hot = table.hot_units(side, len(admitted) * MICROSECONDS) * (1 - _TINY)
    for partition, used in zip(table.partitions, units.tolist(), strict=True):
        if used:
            partition.heat[side].spread(used, places(partition.number) if used >= hot else ())


def _caps(table: PartitionedTable, side: Side, fresh: Floats, strong: Floats | None) -> Floats:
    """Return the most that each partition gives in each second, for the partitions' own ceilings."""
    ceiling = float(table.ceiling(side) or 0)
    allowance = table.parameters.eventual_read_units
    if side == "write" or allowance is None:
        return np.full((1, 1), ceiling)
    strongly = np.zeros_like(fresh) if strong is None else strong
    # Strongly consistent reads stop at the ceiling; the eventually consistent ones beside them go on.
    caps: Floats = np.minimum(float(allowance), np.where(strongly > ceiling, ceiling + fresh - strongly, np.inf))
    return caps


def _meters(table: PartitionedTable, side: Side) -> tuple[list[Meter], list[tuple[str, str]]]:
    """Return the table's own meters in the order in which they refuse, each with its reason and resource."""
    total, limit = table.total_meter(side)
    maximum = table.maximum_meter(side)
    found = [(maximum, Limit.MAXIMUM), (total, limit)]
    kept = [(meter, Refusal(side, kind, table.mode, table.arn)) for meter, kind in found if meter is not None]
    return [meter for meter, _ in kept], [(refusal.reason, table.arn) for _, refusal in kept]


def _at_once(
    table: PartitionedTable,
    side: Side,
    fresh: Floats,
    now: int,
    caps: Floats,
    pressure: Pressure | None,
    inflow: Inflow | None,
    retries: Retries | None,
) -> Stretch | None:
    """Admit a stretch without looking back at what a second did to the next; None, and no trace, if it takes that."""
    admitted = np.minimum(fresh, caps)
    wanted = admitted.sum(axis=1)
    meters, reasons = _meters(table, side)
    before = [copy.copy(meter) for meter in meters]
    given, stopped = give_together(meters, wanted.tolist(), now)
    short = np.array([number >= 0 for number in stopped])
    if short.any():
        admitted[short] = share_out(fresh[short], np.broadcast_to(caps, fresh.shape)[short], np.array(given)[short])
    refused = fresh - admitted
    lost = refused.sum(axis=1)
    some = bool(lost.max(initial=0.0) > 0)
    possible = retries is None or not some
    to_indexes: Mapping[str, Floats] = {}
    if possible and pressure is not None and inflow is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            flow = inflow(0, len(fresh), np.where(fresh > 0, admitted / fresh, 1.0))
        possible = pressure.hold(pressure.rows(flow))
        if possible:
            pressure.end(now + (len(fresh) - 1) * MICROSECONDS)
            to_indexes = flow
    if not possible:
        for meter, earlier in zip(meters, before, strict=True):
            meter.back_to(earlier)
        return None
    reasons_of: dict[tuple[str, str], Floats] = {}
    if some:
        at_ceiling = np.where(admitted >= caps * (1 - _TINY), refused, 0.0).sum(axis=1)
        _blame(reasons_of, _key_range(table, side), at_ceiling)
        for number, reason in enumerate(reasons):
            _blame(reasons_of, reason, np.where(np.array(stopped) == number, lost - at_ceiling, 0.0))
    return Stretch(fresh, admitted, reasons_of, lost, to_indexes)


def _under_pressure(
    table: PartitionedTable,
    side: Side,
    fresh: Floats,
    now: int,
    caps: Floats,
    pressure: Pressure,
    inflow: Inflow,
) -> Stretch | None:
    """Admit a stretch that only the indexes and the table's totals hold back; None if partitions do, too.

    Then what is admitted in a second is the same part of everything, and one number a second has to be found.
    """
    if pressure.relieving or (fresh > caps).any():
        return None
    wanted = fresh.sum(axis=1)
    flow = inflow(0, len(fresh), np.ones_like(fresh))
    rows = pressure.rows(flow)
    meters, reasons = _meters(table, side)
    refused: dict[tuple[str, str], Floats] = {}
    parts = np.ones(len(fresh))
    for at, units in enumerate(wanted.tolist()):
        moment = now + at * MICROSECONDS
        if at:
            pressure.refill(moment)
        if not units:
            continue
        given, reason = units, None
        for meter, why in zip(meters, reasons, strict=True):
            level = meter.level_at(moment)
            if given > level:
                given, reason = max(level, 0.0), why
        fraction, why = pressure.room(rows[at])
        if units * fraction < given:
            given, reason = units * fraction, why
        for meter in meters:
            meter.charge(given, moment)
        parts[at] = given / units
        pressure.take(rows[at] * parts[at], {}, moment)
        if reason is not None:
            refused.setdefault(reason, np.zeros(len(fresh)))[at] = units - given
    pressure.end(now + (len(fresh) - 1) * MICROSECONDS)
    each = parts[:, None]
    return Stretch(
        fresh, fresh * each, refused, wanted * (1 - parts), {name: units * each for name, units in flow.items()}
    )


def _by_seconds(
    table: PartitionedTable,
    side: Side,
    fresh: Floats,
    now: int,
    caps: Floats,
    pressure: Pressure | None,
    inflow: Inflow | None,
    retries: Retries | None,
) -> Stretch:
    """Admit a stretch second by second: where parts, retries or indexes' debts tie the seconds together."""
    seconds, count = fresh.shape
    asked, admitted = fresh.copy(), np.zeros_like(fresh)
    lost = np.zeros(seconds)
    refused: dict[tuple[str, str], Floats] = {}
    meters, reasons = _meters(table, side)
    key_range, caps = _key_range(table, side), np.broadcast_to(caps, fresh.shape)
    taken: dict[str, list[Floats]] = {}
    for at in range(seconds):
        moment = now + at * MICROSECONDS
        attempts = fresh[at : at + 1]
        if retries is not None:
            attempts = np.concatenate([attempts, retries.due()])
            asked[at] = attempts.sum(axis=0)
        cap = caps[at] if not table.partitions[0].parts else _parts_caps(table, side, caps[at], moment)
        most = np.minimum(asked[at], cap)
        wanted = units = float(most.sum())
        reason: tuple[str, str] | None = None
        for meter, why in zip(meters, reasons, strict=True):
            level = meter.level_at(moment)
            if units > level:
                units, reason = max(level, 0.0), why
        given = share_out(asked[at : at + 1], cap[None], np.array([units]))[0] if units < wanted else most
        if pressure is not None and inflow is not None:
            if at:
                pressure.refill(moment)
            flow = dict(_flow_of(inflow, at, fresh[at], asked[at], given))
            row = pressure.rows(flow)[0]
            fraction, why = pressure.room(row)
            if fraction < 1:
                reason = why
                # First come, first served: what there is room for is used up before the second is over.
                for _ in range(4):
                    units = min(wanted, float(given.sum()) * fraction)
                    given = share_out(asked[at : at + 1], cap[None], np.array([units]))[0]
                    flow = dict(_flow_of(inflow, at, fresh[at], asked[at], given))
                    row = pressure.rows(flow)[0]
                    fraction, _ = pressure.room(row)
                    if not units or abs(fraction - 1) < _TINY:
                        break
            pressure.take(row, flow, moment)
            for name, rows in flow.items():
                taken.setdefault(name, []).append(rows)
        admitted[at] = given
        for meter in meters:
            meter.charge(float(given.sum()), moment)
        if table.partitions[0].parts:
            _charge_parts(table, side, asked[at], given, caps[at], moment)
        back = asked[at] - given
        if not back.any():
            continue
        at_ceiling = float(np.where(given >= cap * (1 - _TINY), back, 0.0).sum())
        for who, part in ((key_range, at_ceiling), (reason, float(back.sum()) - at_ceiling)):
            if part > _TINY and who is not None:
                refused.setdefault(who, np.zeros(seconds))[at] += part
        if retries is None:
            lost[at] = back.sum()
        else:
            with np.errstate(divide="ignore", invalid="ignore"):
                share = np.where(asked[at] > 0, back / asked[at], 0.0)
            again, lost[at] = retries.refuse(attempts * share)
            asked[at] += again
            if again.any():
                who = key_range if at_ceiling > 0 or reason is None else reason
                refused.setdefault(who, np.zeros(seconds))[at] += again.sum()
    to_indexes = {name: np.concatenate(rows) for name, rows in taken.items()}
    if pressure is not None and to_indexes:
        pressure.end(now + (seconds - 1) * MICROSECONDS)
    return Stretch(asked, admitted, refused, lost, to_indexes)


def _flow_of(inflow: Inflow, at: int, fresh: Floats, asked: Floats, given: Floats) -> Mapping[str, Floats]:
    """Return what flows to each index in one second, as rows; retried units flow like the fresh ones beside them."""
    fraction = np.divide(given, asked, out=np.zeros_like(given), where=asked > 0)
    flow = inflow(at, at + 1, fraction[None])
    now, all_of_it = float((fraction * fresh).sum()), float(given.sum())
    if now > 0 and all_of_it > now * (1 + _TINY):
        flow = {name: rows * (all_of_it / now) for name, rows in flow.items()}
    return flow


def share_out(demand: Floats, caps: Floats, total: Floats) -> Floats:
    """Share each second's ``total`` among its partitions, first come, first served, each up to its cap.

    All arrive evenly over the second, so that by the moment t each partition has min(demand x t, cap); the moment at
    which these sum to the total is found by Newton's steps from below, exact after as many steps as partitions fill.
    """
    sums = demand.sum(axis=1)
    moment = np.divide(total, sums, out=np.zeros_like(sums), where=sums > 0)
    for _ in range(demand.shape[1] + 1):
        reached = demand * moment[:, None]
        full = reached > caps
        slope = np.where(full, 0.0, demand).sum(axis=1)
        gap = total - np.minimum(reached, caps).sum(axis=1)
        if not ((gap > _TINY * np.maximum(total, 1.0)) & (slope > 0)).any():
            break
        moment = moment + np.divide(gap, slope, out=np.zeros_like(gap), where=slope > 0)
    shared: Floats = np.minimum(demand * moment[:, None], caps)
    return shared


def _key_range(table: PartitionedTable, side: Side) -> tuple[str, str]:
    return Refusal(side, Limit.KEY_RANGE, table.mode, table.arn).reason, table.arn


def _blame(reasons: dict[tuple[str, str], Floats], reason: tuple[str, str], units: Floats) -> None:
    if units.max(initial=0.0) > _TINY:
        reasons[reason] = reasons.get(reason, 0.0) + units


# --- equal parts ------------------------------------------------------------------------------------------------------


def _parts_caps(table: PartitionedTable, side: Side, caps: Floats, now: int) -> Floats:
    """Return the most that each partition gives in the second of ``now``, its part of the table's units included."""
    most = np.array(
        [
            np.inf if table.relieved(each, side, now) else max(each.parts[side].level_at(now), 0.0)
            for each in table.partitions
        ]
    )
    least: Floats = np.minimum(caps, most)
    return least


def _charge_parts(table: PartitionedTable, side: Side, asked: Floats, given: Floats, caps: Floats, now: int) -> None:
    for each, wanted, units, ceiling in zip(
        table.partitions, asked.tolist(), given.tolist(), np.broadcast_to(caps, given.shape).tolist(), strict=True
    ):
        part = each.parts[side]
        if table.relieved(each, side, now):
            if units > part.rate:
                each.strain[side].last = now  # It still needs more than its part.
        else:
            part.charge(units, now)
            if wanted > units and part.level_at(now) <= _TINY and units < ceiling:
                table.strained(each, side, now)
