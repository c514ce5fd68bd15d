"""Changes of billing mode and of capacity: what the service allows when, what it says otherwise, and how long it takes.

Times are microseconds since 1970 of simulated time. A ``check`` answers with the service's own message, or None where
the service accepts; a change is entered by a call of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .meters import MICROSECONDS
from .parameters import DEFAULTS, Parameters
from .throttling import SIDES, BillingMode, Side

LIMIT_EXCEEDED = "LimitExceededException"
RESOURCE_IN_USE = "ResourceInUseException"
VALIDATION = "ValidationException"

_INVALID = "One or more parameter values were invalid: "
_INITIAL = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html"
    "#on-demand-capacity-mode-initial"
)
_REFER = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
_DAY = 86_400 * MICROSECONDS
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
# strftime's names follow the machine's language; the service's do not.
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_text(now: int) -> str:
    """Return an instant as the service writes it in messages: ``Fri Sep 18 09:08:14 UTC 2026``."""
    when = _EPOCH + dt.timedelta(seconds=now // MICROSECONDS)
    return f"{_WEEKDAYS[when.weekday()]} {_MONTHS[when.month - 1]} {when:%d %H:%M:%S} UTC {when.year:04}"


@dataclass(frozen=True)
class Objection:
    """Why the control plane refuses a change: the exception's name and its message."""

    code: str
    message: str


# --- billing mode -------------------------------------------------------------------------------------------------


@dataclass
class ModeHistory:
    """The billing modes of one table since ``created``: four switches to on-demand within any 24 hours.

    Creation in on-demand mode is one of the four; switching back to provisioned is free at any time, and choosing
    on-demand again when the table has it already takes none. Source: "Considerations when switching capacity modes";
    creation and message as recorded from the service.
    """

    created: int
    mode: BillingMode
    parameters: Parameters = DEFAULTS
    was_on_demand: bool = field(init=False)
    _switches: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.was_on_demand = self.mode == "PAY_PER_REQUEST"
        self._switches = [self.created] if self.was_on_demand else []

    def check(self, mode: BillingMode, now: int) -> Objection | None:
        """Say whether the table may go to ``mode`` at ``now``."""
        if mode == "PROVISIONED" or mode == self.mode:
            return None
        window = self.parameters.on_demand_switch_seconds * MICROSECONDS
        recent = [switch for switch in self._switches if switch > now - window]
        if len(recent) < self.parameters.on_demand_switches:
            return None
        days = self.parameters.on_demand_switch_seconds // 86_400
        return Objection(
            LIMIT_EXCEEDED,
            "Subscriber limit exceeded: Update to PayPerRequest mode are limited to "
            f"{self.parameters.on_demand_switches} in {days} day(s). Last update at {date_text(recent[-1])}. "
            f"Next update can be made at {date_text(recent[-self.parameters.on_demand_switches] + window)}",
        )

    def switch(self, mode: BillingMode, now: int) -> int:
        """Enter a switch that settles at ``now``; return how long the table had been UPDATING for it, in seconds.

        Ask :meth:`seconds` before, to know when it will settle.
        """
        seconds = self.seconds(mode)
        if mode == "PAY_PER_REQUEST" and self.mode != mode:
            window = self.parameters.on_demand_switch_seconds * MICROSECONDS
            self._switches = [*(switch for switch in self._switches if switch > now - window), now]
            self.was_on_demand = True
        self.mode = mode
        return seconds

    def seconds(self, mode: BillingMode) -> int:
        """Return how long the table is UPDATING when it goes to ``mode``; 0 if it has it already."""
        if mode == self.mode:
            return 0
        if mode == "PROVISIONED":
            return self.parameters.provisioned_seconds
        return (
            self.parameters.later_on_demand_seconds if self.was_on_demand else self.parameters.first_on_demand_seconds
        )


# --- decreases ----------------------------------------------------------------------------------------------------


@dataclass
class DecreaseHistory:
    """The decreases of one table's, or of one index', provisioned units in the running UTC day.

    Four at any time, each further one an hour after the last; at midnight UTC four again. Reads and writes lowered in
    one call are one decrease, and so is a call that lowers one and raises the other. Source: "Quotas in Amazon
    DynamoDB"; the hour after the last decrease and the message as measured on the service.
    """

    parameters: Parameters = DEFAULTS
    _day: int = field(default=-1, init=False)
    _count: int = field(default=0, init=False)
    _last: int = field(default=0, init=False)

    @staticmethod
    def is_decrease(before: Mapping[Side, int], wanted: Mapping[Side, int]) -> bool:
        """Whether going from the units ``before`` to ``wanted`` lowers either side."""
        return any(wanted[side] < before[side] for side in SIDES)

    def count(self, now: int) -> int:
        """Return how many decreases the UTC day of ``now`` has seen: ``NumberOfDecreasesToday``."""
        return self._count if now // _DAY == self._day else 0

    def check(self, now: int) -> Objection | None:
        """Say whether a decrease is allowed at ``now``."""
        free, wait = self.parameters.free_decreases, self.parameters.decrease_seconds
        following = self._last + wait * MICROSECONDS
        if self.count(now) < free or now >= following:
            return None
        following = min(following, (self._day + 1) * _DAY)
        return Objection(
            LIMIT_EXCEEDED,
            "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After "
            f"the first {free} decreases, each subsequent decrease in the same UTC day can be performed at most once "
            f"every {wait} seconds. Number of decreases today: {self.count(now)}. "
            f"Last decrease at {date_text(self._last)}. Next decrease can be made at {date_text(following)}",
        )

    def decrease(self, now: int) -> None:
        """Enter a decrease that settles at ``now``."""
        self._count = self.count(now) + 1
        self._day, self._last = now // _DAY, now


# --- values -------------------------------------------------------------------------------------------------------


def check_units(
    units: Mapping[Side, int], region: str, *, on_index: bool = False, parameters: Parameters = DEFAULTS
) -> Objection | None:
    """Say whether one table or index may have those provisioned units: at least 1, at most its quota.

    Source: "Quotas in Amazon DynamoDB"; the message as measured on the service.
    """
    quota: dict[Side, int] = {"read": parameters.table_read_quota, "write": parameters.table_write_quota}
    for side in SIDES:
        if units[side] < 1:
            name = f"provisionedThroughput.{side}CapacityUnits"
            return Objection(
                VALIDATION,
                f"1 validation error detected: Value '{units[side]}' at '{name}' failed to satisfy constraint: Member "
                "must have value greater than or equal to 1",
            )
        if units[side] > quota[side]:
            place = "index" if on_index else "table"
            return Objection(
                LIMIT_EXCEEDED,
                f"The requested {side.capitalize()}CapacityUnits, {units[side]}, is above the per {place} maximum for "
                f"the account in {region}. Per {place} maximum: {quota[side]}.",
            )
    return None


def check_account(
    wanted: Iterable[Mapping[Side, int]],
    region: str,
    parameters: Parameters = DEFAULTS,
    *,
    reserved: Iterable[Mapping[Side, int]] = (),
) -> Objection | None:
    """Say whether the provisioned units of all tables and indexes together are within the account's quota.

    ``wanted`` are those of the table that is made or changed and of its indexes, ``reserved`` those of all others.
    On-demand tables do not count. Source: "Quotas in Amazon DynamoDB"; the message as measured on the service.
    """
    quota: dict[Side, int] = {"read": parameters.account_read_quota, "write": parameters.account_write_quota}
    wanted, reserved = list(wanted), list(reserved)
    for side in SIDES:
        requested, current = (sum(units[side] for units in resources) for resources in (wanted, reserved))
        if requested + current > quota[side]:
            name = f"{side.capitalize()}CapacityUnits"
            return Objection(
                LIMIT_EXCEEDED,
                f"This request would have caused the {name} limit to be exceeded for the account in {region}. Current "
                f"{name} reserved by the account: {current}. Limit: {quota[side]}. Requested: {requested}. {_REFER}",
            )
    return None


def check_change(before: Mapping[Side, int], wanted: Mapping[Side, int]) -> Objection | None:
    """Say whether the new units differ from the old: the service refuses a change that is none."""
    if any(before[side] != wanted[side] for side in SIDES):
        return None
    values = " ".join(
        f"Current {side.capitalize()}CapacityUnits provisioned for the table: {before[side]}. "
        f"Requested {side.capitalize()}CapacityUnits: {wanted[side]}."
        for side in SIDES
    )
    return Objection(
        VALIDATION,
        "The provisioned throughput for the table will not change. The requested value equals the current value. "
        f"{values} {_REFER}",
    )


NO_THROUGHPUT = Objection(
    VALIDATION,
    f"{_INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
)
"""The answer to a provisioned table without units."""


def check_maximum(
    side: Side, units: int, *, creating: bool, region: str, index: str | None = None, parameters: Parameters = DEFAULTS
) -> Objection | None:
    """Say whether ``units`` is a maximum on-demand throughput: 1 up to the table's quota, or -1 to take it away.

    ``index`` names the global index whose maximum it is; None: the table's. -1 is for updates only. Source: "Maximum
    on-demand throughput"; what is rejected and the messages as measured on the service.
    """
    quota = parameters.table_read_quota if side == "read" else parameters.table_write_quota
    # The service writes "index :" of maxima, and "index" of warm throughput.
    place = "table" if index is None else f"index : {index}"
    request = f"Requested Max{side.capitalize()}RequestUnits for OnDemandThroughput for {place}"
    if units > quota:
        return Objection(LIMIT_EXCEEDED, _exceeds_quota(request, side, region))
    if units < 1 and (creating or units != -1):
        return Objection(VALIDATION, f"{_INVALID}{request} is outside of valid range")
    return None


def check_warm(
    wanted: Mapping[Side, int],
    current: Mapping[Side, int],
    *,
    creating: bool,
    mode: BillingMode,
    region: str,
    index: str | None = None,
    parameters: Parameters = DEFAULTS,
) -> Objection | None:
    """Say whether warm throughput may become ``wanted``: never lower than it is, at most the table's quota.

    ``index`` names the global index whose warm throughput it is; None: the table's. Source: "Warm throughput"; the
    messages as measured on the service.
    """
    quota: dict[Side, int] = {"read": parameters.table_read_quota, "write": parameters.table_write_quota}
    first: dict[Side, int] = {"read": parameters.on_demand_read_units, "write": parameters.on_demand_write_units}
    place = "table" if index is None else f"index {index}"
    for side in SIDES:
        request = f"Requested {side.capitalize()}UnitsPerSecond for WarmThroughput for {place}"
        if creating and mode == "PAY_PER_REQUEST" and wanted[side] < first[side]:
            return Objection(
                VALIDATION, f"{_INVALID}{request} is lower than initial throughput for OnDemand. See: {_INITIAL}"
            )
        if wanted[side] < current[side]:
            return Objection(
                VALIDATION,
                f"{_INVALID}{request} is lower than current WarmThroughput, decreasing WarmThroughput is not supported",
            )
        if wanted[side] > quota[side]:
            return Objection(LIMIT_EXCEEDED, _exceeds_quota(request, side, region))
    return None


def _exceeds_quota(request: str, side: Side, region: str) -> str:
    return (
        f"Subscriber limit exceeded: {request} exceeds TableMax{side.capitalize()}CapacityUnits of the account in "
        f"region {region}"
    )


# --- states -------------------------------------------------------------------------------------------------------

Status = Literal["CREATING", "UPDATING", "DELETING", "ACTIVE"]


@dataclass
class Timeline:
    """The state of one table, index or warm throughput: ACTIVE, or something else until a known instant.

    >>> state = Timeline()
    >>> state.begin("UPDATING", seconds=2, now=0)
    >>> state.status(1_999_999), state.status(2_000_000)
    ('UPDATING', 'ACTIVE')
    """

    _status: Status = field(default="ACTIVE", init=False)
    _until: int = field(default=0, init=False)

    def begin(self, status: Status, *, seconds: float, now: int) -> int:
        """Enter a state for so many seconds; return the instant (microseconds) at which it ends."""
        self._status, self._until = status, now + round(seconds * MICROSECONDS)
        return self._until

    def status(self, now: int) -> Status:
        """Return the state at ``now``."""
        return self._status if now < self._until else "ACTIVE"

    def check(self, table_name: str, now: int) -> Objection | None:
        """Say whether a further change may begin at ``now``: not while the last one is under way."""
        status = self.status(now)
        if status == "ACTIVE":
            return None
        doing = "Table IOPS are currently being updated" if status == "UPDATING" else f"Table is being {_DONE[status]}"
        return Objection(
            RESOURCE_IN_USE,
            f"Attempt to change a resource which is still in use: {doing}. Table: {table_name}",
        )


_DONE: dict[Status, str] = {"CREATING": "created", "DELETING": "deleted"}

ONE_INDEX_AT_A_TIME = Objection(
    LIMIT_EXCEEDED,
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
)
"""The answer to a second creation or deletion of an index, in one call or while another is under way."""

TOO_MANY_INDEXES = Objection(
    VALIDATION,
    f"{_INVALID}Number of global secondary indexes exceeds per-table limit of 20",
)
"""The answer to the twenty-first global secondary index."""
