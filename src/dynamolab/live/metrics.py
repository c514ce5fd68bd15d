"""What CloudWatch counts of DynamoDB: one recorder that the gate feeds, in whole simulated minutes.

A figure of a minute is kept as how often each value occurred, which gives every statistic and costs one addition a
request. A minute without activity has no data point, as on the service. What does not come from requests (provisioned
capacity, quotas) is not recorded but computed when it is asked for, at each fifth minute.

Source: "DynamoDB metrics and dimensions". Retention is not modelled: nothing is ever thrown away.
"""

from __future__ import annotations

import bisect
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends

from ..model.meters import MICROSECONDS
from ..model.parameters import DEFAULTS, Parameters
from ..model.throttling import SIDES, Refusal, Side
from .clock import clock
from .surroundings import REGION

NAMESPACE = "AWS/DynamoDB"
MINUTE = 60
"""Seconds of the period of what requests cause."""
GAUGE_PERIOD = 300
"""Seconds of the period of capacities, quotas and progress."""
STATISTICS = ("Sum", "Average", "SampleCount", "Minimum", "Maximum")
"""CloudWatch's plain statistics; percentiles besides."""
NOMINAL_LATENCY = 5.0
"""Milliseconds of every successful request: the lab has no latency, only the number of samples means something."""

Pairs = tuple[tuple[str, str], ...]
Series = tuple[str, str | None, str | None, Pairs]
"""A metric: its name, table, global index, and further dimensions such as ``(("Operation", "PutItem"),)``."""

CONSUMED: Mapping[Side, str] = {side: f"Consumed{side.capitalize()}CapacityUnits" for side in SIDES}
PROVISIONED: Mapping[Side, str] = {side: f"Provisioned{side.capitalize()}CapacityUnits" for side in SIDES}
_THROTTLED: Mapping[Side, str] = {side: f"{side.capitalize()}ThrottleEvents" for side in SIDES}
_MAXIMUM: Mapping[Side, str] = {side: f"OnDemandMax{side.capitalize()}RequestUnits" for side in SIDES}
_UNITS = {"SuccessfulRequestLatency": "Milliseconds"}
_CUSTOMER = ("Source", "Customer")


@dataclass
class Tally:
    """A set of samples: how many, their sum, the least, the most and, if known, how often each value occurred."""

    count: float = 0
    total: float = 0.0
    least: float = float("inf")
    most: float = float("-inf")
    values: dict[float, float] | None = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[float, float]) -> Tally:
        """Return the tally of values that occurred so often."""
        total = sum(value * count for value, count in values.items())
        return cls(sum(values.values()), total, min(values), max(values), dict(values))

    def add(self, other: Tally) -> None:
        """Take in the samples of another tally."""
        self.count += other.count
        self.total += other.total
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        if self.values is None or other.values is None:
            self.values = None
            return
        for value, count in other.values.items():
            self.values[value] = self.values.get(value, 0) + count

    def percentile(self, percent: float) -> float | None:
        """Return the smallest value that is not below ``percent`` of the samples; None where values are not known."""
        if not self.values:
            return None
        wanted, seen = self.count * percent / 100, 0.0
        for value in sorted(self.values):
            seen += self.values[value]
            if seen >= wanted:
                break
        return value

    def statistic(self, name: str) -> float | None:
        """Return ``Sum``, ``Average``, ``SampleCount``, ``Minimum``, ``Maximum`` or a percentile such as ``p99``.

        Raises KeyError for any other name.
        """
        percent = percentage(name)
        if percent is not None:
            return self.percentile(percent)
        return {
            "Sum": self.total,
            "Average": self.total / self.count,
            "SampleCount": float(self.count),
            "Minimum": self.least,
            "Maximum": self.most,
        }[name]


def percentage(statistic: str) -> float | None:
    """Return 99.9 for ``p99.9``; None if that is no percentile."""
    try:
        percent = float(statistic[1:]) if statistic.startswith("p") else -1.0
    except ValueError:
        return None
    return percent if 0 <= percent <= 100 else None


class Recorder:
    """The figures of one lab. Every ``now`` is in microseconds since 1970, every table and index a name."""

    def __init__(self, parameters: Parameters = DEFAULTS) -> None:
        self.parameters = parameters
        self.minutes: dict[Series, dict[int, dict[float, float]]] = {}
        self.listeners: list[Callable[[], None]] = []
        """Called when a metric gets its first sample of a minute, and when a capacity changes."""
        self._steps: dict[Series, list[tuple[int, float | None]]] = {}
        self._builds: dict[tuple[str, str], tuple[int, int]] = {}

    # --- what the gate tells ------------------------------------------------------------------------------------------

    def consumed(self, table: str, index: str | None, side: Side, units: float, now: int) -> None:
        """A request used ``units`` of a table (its local indexes included, ``index`` None) or of a global index.

        Failed conditions and cancelled transactions are told as well: they consume.
        """
        if units:
            self._add((CONSUMED[side], table, index, ()), units, now)

    def throttled_event(self, table: str, index: str | None, refusal: Refusal, now: int, count: int = 1) -> None:
        """Count ``count`` refused events (an item, or an index' part of a write) on the resource that refused them."""
        self._add((_THROTTLED[refusal.side], table, index, ()), 1, now, count)
        self._add((refusal.metric, table, index, ()), 1, now, count)

    def refused(self, refusal: Refusal, operation: str, now: int, more: Pairs = ()) -> None:
        """Count a request on one item or page that was refused: one event where the limit is, one request of its table.

        A write that an index refused counts its event on the index alone.
        """
        table, index = names_of(refusal.resource)
        self.throttled_event(table, index, refusal, now)
        self.throttled_request(table, operation, now, more)

    def throttled_request(self, table: str, operation: str, now: int, more: Pairs = ()) -> None:
        """Count a request that was refused as a whole; a batch of which a part was done is none.

        ``operation``: ``PutItem``, ``BatchGetItem``, ... ``more``: further dimensions, as ``(("Verb",
        "PartiQLUpdate"),)`` of ExecuteStatement and ``(("OperationType", "Write"),)`` of ExecuteTransaction.
        """
        self._add(("ThrottledRequests", table, None, (("Operation", operation), *more)), 1, now)

    def request_done(
        self, table: str, operation: str, now: int, returned_items: int | None = None, more: Pairs = ()
    ) -> None:
        """Count a successful request; ``returned_items`` of Query, Scan and PartiQL's reads."""
        dimensions = (("Operation", operation), *more)
        self._add(("SuccessfulRequestLatency", table, None, dimensions), NOMINAL_LATENCY, now)
        if returned_items is not None:
            self._add(("ReturnedItemCount", table, None, dimensions), returned_items, now)

    def condition_failed(self, table: str, count: int, now: int) -> None:
        """Count ``count`` failed conditions: two in one transaction are two."""
        if count:
            self._add(("ConditionalCheckFailedRequests", table, None, ()), 1, now, count)

    def transaction_conflict(self, table: str, count: int, now: int) -> None:
        """Count ``count`` items on which a request met a transaction that was under way."""
        if count:
            self._add(("TransactionConflict", table, None, ()), 1, now, count)

    def user_error(self, now: int) -> None:
        """Count an HTTP 400 that is neither throttling nor a failed condition; without dimensions, for the account."""
        self._add(("UserErrors", None, None, ()), 1, now)

    def system_error(self, table: str, operation: str, now: int) -> None:
        """Count an HTTP 500."""
        self._add(("SystemErrors", table, None, (("Operation", operation),)), 1, now)

    def ttl_deleted(self, table: str, count: int, now: int) -> None:
        """Count ``count`` items that TTL deleted."""
        if count:
            self._add(("TimeToLiveDeletedItemCount", table, None, ()), 1, now, count)

    def index_build(self, table: str, index: str, start: int, end: int) -> None:
        """Note that a new global index is built from ``start`` to ``end``: OnlineIndexPercentageProgress."""
        self._builds[table, index] = (start, end)

    def sync(self) -> None:
        """Look at moto's tables and note every capacity that is not what it was: call it after each change of one."""
        wanted: dict[Series, float] = {}
        born: dict[str, int] = {}
        for name, table in dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].tables.items():
            created = table.created_at
            born[name] = int(created.replace(tzinfo=created.tzinfo or dt.UTC).timestamp() * MICROSECONDS)
            on_demand = table.billing_mode == "PAY_PER_REQUEST"
            places: list[tuple[str | None, Any]] = [(None, table)]
            places += [(each.name, each) for each in table.global_indexes]
            for index, place in places:
                for side in SIDES:
                    if on_demand:
                        maximum = maxima(table, index).get(side)
                        if maximum is not None:
                            wanted[_MAXIMUM[side], name, index, ()] = float(maximum)
                    else:
                        units = (place.throughput or {}).get(f"{side.capitalize()}CapacityUnits", 0)
                        wanted[PROVISIONED[side], name, index, ()] = float(units)
        known = {series[1] for series in self._steps}
        now, changed = clock.microseconds, False
        for series in (*wanted, *(series for series in self._steps if series not in wanted)):
            steps = self._steps.setdefault(series, [])
            value = wanted.get(series)
            if (steps[-1][1] if steps else None) != value:
                table_name = str(series[1])
                steps.append((now if table_name in known else min(now, born[table_name]), value))
                changed = True
        if changed:
            self._tell()

    def _add(self, series: Series, value: float, now: int, count: int = 1) -> None:
        minutes = self.minutes.get(series)
        if minutes is None:
            minutes = self.minutes[series] = {}
        minute = now // (MINUTE * MICROSECONDS)
        values = minutes.get(minute)
        if values is None:
            values = minutes[minute] = {}
            self._tell()
        values[value] = values.get(value, 0) + count

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()

    # --- what is read -------------------------------------------------------------------------------------------------

    def consumed_in(self, table: str, index: str | None, side: Side, minute_start: int) -> float | None:
        """Return the units used in the minute that starts at those microseconds; None if there is no data point."""
        minutes = self.minutes.get((CONSUMED[side], table, index, ()), {})
        values = minutes.get(minute_start // (MINUTE * MICROSECONDS))
        return None if values is None else Tally.of(values).total

    def all_series(self) -> list[Series]:
        """Return every metric that has, or ever had, a data point, in the order of names."""
        self.sync()
        found = [*self.minutes, *(series for series, steps in self._steps.items() if steps), *_ACCOUNT]
        for side, name in CONSUMED.items():
            if side == "write":
                found += [(name, *series[1:3], (_CUSTOMER,)) for series in self.minutes if series[0] == name]
        for table, index in self._builds:
            found += [(name, table, index, ()) for name in _PROGRESS]
        return sorted(found, key=lambda series: (series[0], series[1] or "", series[2] or "", series[3]))

    def is_gauge(self, series: Series) -> bool:
        """Whether the metric is a level, known at any time, and no count of events."""
        return series in self._steps or series in _ACCOUNT or series[0] in _PROGRESS

    def changes(self, series: Series) -> Iterable[int]:
        """Return the seconds at which a level changed."""
        if series in self._steps:
            return [when // MICROSECONDS for when, _ in self._steps[series]]
        steps = self._steps.values() if series in _ACCOUNT else ()
        builds = self._builds.values() if series[0] in _PROGRESS else ()
        return [when // MICROSECONDS for each in steps for when, _ in each] + [
            when // MICROSECONDS for build in builds for when in build
        ]

    def between(self, series: Series, start: int, end: int, every: int = GAUGE_PERIOD) -> Iterator[tuple[int, Tally]]:
        """Yield the metric's data points from the second ``start`` to before ``end``: their seconds and samples.

        A level has a data point every ``every`` seconds, from its beginning to now.
        """
        name, table, index, pairs = series
        if name == CONSUMED["write"] and pairs == (_CUSTOMER,):
            series = (name, table, index, ())
        recorded = self.minutes.get(series)
        if recorded is not None:
            first, last = -(-start // MINUTE), -(-end // MINUTE)
            near = range(first, last) if last - first < len(recorded) else sorted(recorded)
            for minute in near:
                if first <= minute < last and minute in recorded:
                    yield minute * MINUTE, Tally.of(recorded[minute])
            return
        self.sync()
        if self.is_gauge(series):
            for second in range(-(-start // every) * every, min(end, clock.microseconds // MICROSECONDS + 1), every):
                value = self._level(series, second, every)
                if value is not None:
                    yield second, Tally.of({value: 1})

    def _level(self, series: Series, second: int, every: int) -> float | None:
        name, table, index, _ = series
        if name in _PROGRESS:
            build = self._builds.get((str(table), str(index)))
            if build is None or not build[0] < (second + every) * MICROSECONDS or second * MICROSECONDS > build[1]:
                return None
            share = (second * MICROSECONDS - build[0]) / max(1, build[1] - build[0])
            return min(100.0, max(0.0, 100 * share)) if name == _PROGRESS[0] else 0.0
        if series in self._steps:
            return self._value(self._steps[series], second, every)
        return self._account_level(name, second, every)

    @staticmethod
    def _value(steps: list[tuple[int, float | None]], second: int, every: int) -> float | None:
        place = bisect.bisect_right(steps, second * MICROSECONDS, key=lambda step: step[0])
        if place == 0 and steps[0][0] < (second + every) * MICROSECONDS:
            return steps[0][1]  # what was made within the period is there from its beginning
        return steps[place - 1][1] if place else None

    def _account_level(self, name: str, second: int, every: int) -> float | None:
        side: Side = "read" if "Read" in name else "write"
        ours = self.parameters
        account = {"read": ours.account_read_quota, "write": ours.account_write_quota}[side]
        single = {"read": ours.table_read_quota, "write": ours.table_write_quota}[side]
        if second * MICROSECONDS < clock.started // (every * MICROSECONDS) * every * MICROSECONDS:
            return None
        if name.startswith("AccountMaxTableLevel"):
            return float(single)
        if name.startswith("AccountMax"):
            return float(account)
        levels = [
            self._value(steps, second, every) or 0.0
            for series, steps in self._steps.items()
            if series[0] == PROVISIONED[side]
        ]
        if not any(levels):
            return None
        return 100 * (max(levels) / single if name.startswith("MaxProvisionedTable") else sum(levels) / account)


_PROGRESS = ("OnlineIndexPercentageProgress", "OnlineIndexConsumedWriteCapacity", "OnlineIndexThrottleEvents")
_ACCOUNT: dict[Series, Side] = {
    (name.format(word=side.capitalize()), None, None, ()): side
    for side in SIDES
    for name in (
        "AccountMax{word}s",
        "AccountMaxTableLevel{word}s",
        "AccountProvisioned{word}CapacityUtilization",
        "MaxProvisionedTable{word}CapacityUtilization",
    )
}


def names_of(resource: str) -> tuple[str, str | None]:
    """Return the table and the index, if it is one, of an ARN: ``.../table/T`` or ``.../table/T/index/I``."""
    parts = resource.split("/")
    return parts[1], parts[3] if len(parts) > 3 else None


def unit_of(name: str) -> str:
    """Return the metric's unit: ``Count``, ``Milliseconds`` or ``Percent``."""
    return "Percent" if name.endswith("Utilization") else _UNITS.get(name, "Count")


def dimensions_of(series: Series) -> list[dict[str, str]]:
    """Return the metric's dimensions as CloudWatch's API has them."""
    _, table, index, pairs = series
    places = [("TableName", table), ("GlobalSecondaryIndexName", index), *pairs]
    return [{"Name": name, "Value": value} for name, value in places if value is not None]


def series_of(name: str, dimensions: Iterable[Mapping[str, Any]]) -> Series:
    """Return the metric of that name and those dimensions, in whichever order."""
    given = {each["Name"]: each["Value"] for each in dimensions}
    table, index = given.pop("TableName", None), given.pop("GlobalSecondaryIndexName", None)
    return name, table, index, tuple(sorted(given.items()))


def _no_maxima(table: Any, index: str | None) -> Mapping[Side, int]:
    return {}


maxima: Callable[[Any, str | None], Mapping[Side, int]] = _no_maxima
"""Says which maximum on-demand throughput moto's table, or its index, has; the control plane knows."""

recorder = Recorder()
"""The running lab's figures."""


def swap(new: Recorder) -> Recorder:
    """Make ``new`` the running lab's recorder; return the one before, to be put back later."""
    global recorder
    before, recorder = recorder, new
    return before
