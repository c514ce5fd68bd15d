"""The control plane: tables and indexes that change in simulated time, and DescribeTable's account of them.

A change that the model allows (:mod:`dynamolab.model.modes`) begins at once, lasts as long as it does on the service,
and is in force when it has settled. moto's own record of a table holds what is in force: its billing mode, its units
and those of its indexes. What is under way is kept here. Two choices are the lab's: CreateTable and DeleteTable are
done at once, and the counts and sizes in a description are of this moment (the service counts about every six hours).
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.exceptions import DynamodbException, MockValidationException, ResourceNotFoundException
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.table import GlobalSecondaryIndex, Table
from moto.dynamodb.responses import DynamoResult

from ..errors import LabError
from ..model import modes
from ..model.meters import MICROSECONDS
from ..model.modes import DecreaseHistory, ModeHistory, Objection, Timeline
from ..model.parameters import Parameters
from ..model.partitions import PartitionedTable
from ..model.throttling import SIDES, BillingMode, Side
from . import metrics, validation
from .clock import clock
from .images import holds
from .metering import find_table, named, parameters, physics_of, throughput_of
from .schema import schema_of
from .surroundings import REGION

ALLOCATION_SECONDS = 40
"""How long a new index waits for its resources, the table UPDATING, before it is filled (measured: 24 to 56 s)."""

DELETION_SECONDS = 5
"""How long an index is DELETING, the table UPDATING (measured: 3 to 5 s)."""

_INVALID = "One or more parameter values were invalid: "
_IN_USE = "Attempt to change a resource which is still in use: "
_EPOCH = dt.datetime(1970, 1, 1)
_NONE: Mapping[Side, int] = {"read": 0, "write": 0}
_MAXIMA: Mapping[Side, str] = {"read": "MaxReadRequestUnits", "write": "MaxWriteRequestUnits"}
_describe = Table.describe

Units = Mapping[Side, int]
Handler = Callable[[Any], Any]


class Objected(DynamodbException):
    """A change that the service refuses, with the model's objection: its code and message."""

    def __init__(self, objection: Objection) -> None:
        super().__init__(f"com.amazonaws.dynamodb.v20120810#{objection.code}", objection.message)
        self.objection = objection


def refuse(objection: Objection | None) -> None:
    """Raise the service's error for what the model objects to; None lets the change pass.

    Raises moto's ``DynamodbException``: as :class:`Objected`, or as ``MockValidationException``.
    """
    if objection is None:
        return
    if objection.code == modes.VALIDATION:
        raise MockValidationException(objection.message)
    raise Objected(objection)


@dataclass
class Capacity:
    """What the control plane remembers of one table or one global index."""

    state: Timeline = field(default_factory=Timeline)
    decreases: DecreaseHistory = field(default_factory=DecreaseHistory)
    wanted: Units | None = None
    """The units that a change under way leads to."""
    raised: int | None = None
    lowered: int | None = None
    """When the units last rose and fell, in microseconds."""
    maxima: dict[Side, int] = field(default_factory=dict)
    """Maximum on-demand throughput, where there is one."""
    warm: Timeline = field(default_factory=Timeline)
    warm_wanted: Units = field(default_factory=lambda: _NONE)
    warmed: bool = False
    """Whether warm throughput was ever raised by request: only the first time takes minutes."""
    allocated: int = 0
    """Until when a new index waits for its resources, in microseconds."""
    filled: int = 0
    """Until when it is then filled from the table."""


@dataclass
class Control:
    """One table's part in the control plane; the Capacity under None is the table's own."""

    modes: ModeHistory
    parameters: Parameters
    capacities: dict[str | None, Capacity] = field(default_factory=dict)
    switching: BillingMode | None = None
    """The mode that a switch under way leads to."""
    last_on_demand: int | None = None
    leaving: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The descriptions of indexes that are being deleted."""

    def of(self, index: str | None) -> Capacity:
        """Return what is remembered of an index, or of the table itself (None)."""
        if index not in self.capacities:
            self.capacities[index] = Capacity(decreases=DecreaseHistory(self.parameters))
        return self.capacities[index]

    def forget(self, index: str) -> None:
        """Let an index be gone."""
        self.leaving.pop(index, None)


_controls: weakref.WeakKeyDictionary[Table, Control] = weakref.WeakKeyDictionary()


def control_of(table: Table) -> Control:
    """Return the control plane's record of moto's table; made when it is first asked for, gone with the table."""
    found = _controls.get(table)
    if found is None:
        created = (table.created_at - _EPOCH) // dt.timedelta(microseconds=1)
        numbers = throughput_of(table).parameters
        found = _controls[table] = Control(ModeHistory(created, _mode(table), numbers), numbers)
        if found.modes.was_on_demand:
            found.last_on_demand = created
    return found


def readable(table: Table, index: str) -> None:
    """Refuse to read from a global index that is still being filled, as Query and Scan do."""
    if control_of(table).of(index).state.status(clock.microseconds) == "CREATING":
        refuse(_invalid(f"Cannot read from backfilling global secondary index: {index}"))


# --- operations ---------------------------------------------------------------------------------------------


def create_table(handler: Any, original: Handler) -> Any:
    """CreateTable: the table is ACTIVE at once."""
    body = handler.body
    validation.create_table(body)
    region, numbers = handler.region, parameters()
    mode: BillingMode = "PAY_PER_REQUEST" if body.get("BillingMode") == "PAY_PER_REQUEST" else "PROVISIONED"
    parts: dict[str | None, Mapping[str, Any]] = {None: body}
    parts |= {index["IndexName"]: index for index in body.get("GlobalSecondaryIndexes") or []}
    provisioned = []
    for name, part in parts.items():
        if part.get("ProvisionedThroughput"):
            provisioned.append(_given_units(part))
            refuse(modes.check_units(provisioned[-1], region, on_index=name is not None, parameters=numbers))
        _check_maxima(part, name, mode, numbers, creating=True, region=region)
        # moto knows, in the service's words, that warm throughput begins at what the table has anyway.
        warm = _given_warm(part, _NONE)
        refuse(modes.check_warm(warm, _NONE, creating=False, mode=mode, region=region, index=name, parameters=numbers))
    there = _provisioned(handler.dynamodb_backend.tables.values())
    refuse(modes.check_account(provisioned, region, numbers, reserved=there))
    original(handler)
    table = handler.dynamodb_backend.tables[body["TableName"]]
    control = control_of(table)
    for name, part in parts.items():
        _set_maxima(table, control, name, part)
        limits_of(table, name).warm_up(**_by_side(_given_warm(part, _NONE)), now=clock.microseconds)
    return DynamoResult(table.describe())


def delete_table(handler: Any, original: Handler) -> Any:
    """DeleteTable: refused while the table or an index is changing; else the table is gone at once."""
    table = _table(handler)
    control, now = control_of(table), clock.microseconds
    if control.of(None).state.status(now) != "ACTIVE":
        refuse(_in_use(f"Table: {table.name} is in the process of being updated."))
    if control.leaving or any(control.of(index.name).state.status(now) != "ACTIVE" for index in table.global_indexes):
        refuse(_in_use("Cannot delete table while indexes are being created, updated, or deleted."))
    result = original(handler)
    shard: Any = table.stream_shard
    if shard is not None:
        shard.closed = clock.microseconds  # An empty stream, too, can be described for a day.
    result.result["TableDescription"]["TableStatus"] = "DELETING"
    return result


def list_tables(handler: Any, original: Handler) -> Any:
    """ListTables: in the order of their names, a page of at most 100."""
    body, tables = handler.body, handler.dynamodb_backend.tables
    after, limit = body.get("ExclusiveStartTableName") or "", body.get("Limit") or 100
    names = sorted(name for name in tables if name > after)
    answer: dict[str, Any] = {"TableNames": names[:limit]}
    if len(names) > limit:
        answer["LastEvaluatedTableName"] = names[limit - 1]
    return DynamoResult(answer)


def describe_limits(handler: Any, original: Handler) -> Any:
    """DescribeLimits: the quotas that the lab goes by."""
    numbers = parameters()
    return DynamoResult(
        {
            "AccountMaxReadCapacityUnits": int(numbers.account_read_quota),
            "AccountMaxWriteCapacityUnits": int(numbers.account_write_quota),
            "TableMaxReadCapacityUnits": int(numbers.table_read_quota),
            "TableMaxWriteCapacityUnits": int(numbers.table_write_quota),
        }
    )


def tags(handler: Any, original: Handler) -> Any:
    """TagResource, UntagResource and ListTagsOfResource: of a table that exists, by its ARN."""
    arn = handler.body.get("ResourceArn") or ""
    if re.fullmatch(r"arn:aws[\w-]*:dynamodb:[^:]+:\d+:table/[^/]{3,}", arn) is None:
        raise MockValidationException(f"Invalid TableArn: Invalid ResourceArn provided as input {arn}")
    if all(table.table_arn != arn for table in handler.dynamodb_backend.tables.values()):
        code = "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
        # The service spells it so.
        raise DynamodbException(code, f"Requested resource not found: ResourcArn: {arn} not found")
    return original(handler)


def describe_table(handler: Any, original: Handler) -> Any:
    """DescribeTable: see :func:`describe`."""
    _table(handler)
    return original(handler)


def update_table(handler: Any, original: Handler) -> Any:
    """UpdateTable: one call is allowed as a whole, or refused as a whole and changes nothing."""
    body = handler.body
    validation.update_table(body)
    table = _table(handler)
    control = control_of(table)
    change = _Change(table, control, body)
    change.check(handler.region, handler.dynamodb_backend.tables.values())
    # What is left in the request moto does at once: indexes come and go, streams, protection.
    for member in ("BillingMode", "ProvisionedThroughput", "WarmThroughput", "OnDemandThroughput"):
        body.pop(member, None)
    body["GlobalSecondaryIndexUpdates"] = [
        entry for entry in body.get("GlobalSecondaryIndexUpdates") or [] if not entry.get("Update")
    ]
    validation.definitions(table, body, change.created)
    left = {index.name: _described_index(table, control, index) for index in table.global_indexes}
    original(handler)
    change.begin(left)
    description = table.describe()
    if change.mode == "PAY_PER_REQUEST" == _mode(table):
        # On-demand again: accepted, and over before anyone can look.
        description["TableDescription"]["TableStatus"] = "UPDATING"
    return DynamoResult(description)


def apply(table_name: str, index_name: str | None, side: Side, units: int, *, region: str = REGION) -> int:
    """Change one side of a table's or a global index' units, as UpdateTable would; for Application Auto Scaling.

    Returns the instant (microseconds) at which the new units are in force. Raises moto's ``DynamodbException`` with the
    service's code and message where the service refuses the change, LabError if there is no such table or index.
    """
    table = find_table(table_name, region)
    if index_name is not None and index_name not in {index.name for index in table.global_indexes}:
        raise LabError(f"The table {table_name!r} has no global index {index_name!r}.")
    wanted = dict(units_of(table, index_name))
    wanted[side] = units
    given = {"ReadCapacityUnits": wanted["read"], "WriteCapacityUnits": wanted["write"]}
    body: dict[str, Any] = {"ProvisionedThroughput": given}
    if index_name is not None:
        body = {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": index_name, **body}}]}
    change = _Change(table, control_of(table), body)
    change.check(region, dynamodb_backends[DEFAULT_ACCOUNT_ID][region].tables.values())
    return change.begin({})


# --- one UpdateTable ----------------------------------------------------------------------------------------


class _Change:
    """What one UpdateTable asks for."""

    def __init__(self, table: Table, control: Control, body: Mapping[str, Any]) -> None:
        self.table, self.control, self.now = table, control, clock.microseconds
        updates = body.get("GlobalSecondaryIndexUpdates") or []
        self.created = [entry["Create"] for entry in updates if entry.get("Create")]
        self.deleted = [entry["Delete"]["IndexName"] for entry in updates if entry.get("Delete")]
        self.parts: dict[str | None, Mapping[str, Any]] = {None: dict(body)}
        self.parts |= {entry["Update"]["IndexName"]: entry["Update"] for entry in updates if entry.get("Update")}
        self.units = {
            name: _given_units(part) for name, part in self.parts.items() if part.get("ProvisionedThroughput")
        }
        self.mode: BillingMode | None = body.get("BillingMode")
        self.mode_after: BillingMode = self.mode or _mode(table)
        self.switches = self.mode_after != _mode(table)

    def check(self, region: str, tables: Iterable[Table]) -> None:
        """Raise what the service refuses this with; it comes before anything is changed."""
        numbers = self.control.parameters
        self._check_form()
        self._check_states()
        self._check_indexes()
        for name, wanted in self.units.items():
            refuse(modes.check_units(wanted, region, on_index=name is not None, parameters=numbers))
        if not self.switches:
            self._check_units()
        others = [table for table in tables if table is not self.table]
        refuse(modes.check_account(self._provisioned_after(), region, numbers, reserved=_provisioned(others)))
        self._check_created(region)
        for name, part in self.parts.items():
            _check_maxima(part, name, self.mode_after, numbers, creating=False, region=region)
            current = warm_of(self.table, name)
            wanted = _given_warm(part, current)
            refuse(
                modes.check_warm(
                    wanted, current, creating=False, mode=self.mode_after, region=region, index=name, parameters=numbers
                )
            )
        if self.mode is not None:
            refuse(self.control.modes.check(self.mode, self.now))

    def begin(self, before: Mapping[str, dict[str, Any]]) -> int:
        """Begin all of it; returns when the last of the units is in force. ``before`` describes the indexes."""
        control, now, numbers = self.control, self.now, self.control.parameters
        for index in self.created:
            capacity = control.capacities[index["IndexName"]] = Capacity(decreases=DecreaseHistory(numbers))
            capacity.allocated = now + ALLOCATION_SECONDS * MICROSECONDS
            capacity.filled = capacity.state.begin("CREATING", seconds=numbers.backfill_seconds, now=now)
            metrics.recorder.index_build(self.table.name, index["IndexName"], now, capacity.filled)
            _set_maxima(self.table, control, index["IndexName"], index)
            if index.get("WarmThroughput"):
                capacity.warm.begin("UPDATING", seconds=numbers.backfill_seconds, now=now)
                capacity.warm_wanted = _given_warm(index, _NONE)
                clock.at(capacity.filled, functools.partial(_settle_warm, self.table, control, index["IndexName"]))
        for name in self.deleted:
            control.capacities.pop(name, None)
            control.leaving[name] = {**before[name], "IndexStatus": "DELETING"}
            control.leaving[name].pop("Backfilling", None)
            clock.at(now + DELETION_SECONDS * MICROSECONDS, functools.partial(control.forget, name))
        for name, part in self.parts.items():
            self._begin_warm(name, _given_warm(part, _NONE))
            if not self.switches:
                _set_maxima(self.table, control, name, part)
        return self._begin_switch() if self.switches else self._begin_units()

    def _check_form(self) -> None:
        """What the request itself and the table's mode rule out."""
        names = [index.name for index in self.table.global_indexes]
        if self.mode == "PROVISIONED" and None not in self.units:
            refuse(modes.NO_THROUGHPUT)
        for name in (*self.parts, *self.deleted):
            if name is not None and name not in (*names, *self.control.leaving):
                missing = f"Requested resource not found: Index {name} for table {self.table.name}"
                raise ResourceNotFoundException(missing)
        if self.mode_after == "PAY_PER_REQUEST":
            if None in self.units:
                refuse(_invalid(f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                                "BillingMode is PAY_PER_REQUEST"))  # fmt: skip
            for name in self.units:
                refuse(_invalid(f"{_INVALID}The only Updates for index: {name} when TableThroughputMode is "
                                "PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"))  # fmt: skip
        elif self.switches:
            without = [name for name in names if name not in self.units and name not in self.deleted]
            if without:
                refuse(_invalid(f"{_INVALID}ProvisionedThroughput must be specified for index: {','.join(without)}"))
        for index in self.created:
            validation.index_throughput(index, self.mode_after, updating=True)

    def _check_states(self) -> None:
        """What has to wait until a change under way has settled."""
        control, name, now = self.control, self.table.name, self.now
        own = control.of(None).state
        if (self.created or self.deleted) and own.status(now) != "ACTIVE":
            refuse(_in_use(f"Can't create or delete indexes while table IOPS are being updated. Table: {name}"))
        if self.units or self.mode is not None:
            refuse(own.check(name, now))
        if self.parts[None].get("StreamSpecification") and own.status(now) != "ACTIVE":
            refuse(_in_use(f"Can't enable or disable stream while table IOPS are being updated. Table: {name}"))
        if control.switching is not None and self.parts[None].get("OnDemandThroughput"):
            refuse(_in_use("OnDemandThroughput cannot be updated while BillingMode update is in progress"))
        allocating = [each for each in control.capacities if each is not None and control.of(each).allocated > now]
        for indexes, doing in ((list(control.leaving), "deleted"), (allocating, "created")):
            if indexes and (None in self.units or self.switches):
                where = f"Table: {name} Indexes: [{', '.join(indexes)}]"
                refuse(_in_use(f"Can't change table IOPS when an index is being {doing}. {where}"))
            for index in indexes:
                if index in self.parts:
                    refuse(_in_use(f"Index is being {doing}. Table: {name} Index: {index}"))
        switched = _index_names(self.table) if self.switches else []
        for index in (*self.parts, *self.deleted, *switched):
            touched = self.deleted or self.switches or self.units.get(index)
            touched = touched or self.parts.get(index, {}).get("OnDemandThroughput")
            if index is not None and touched and control.of(index).state.status(now) == "UPDATING":
                refuse(_in_use(f"Index is being updated. Table: {name} Index: {index}"))

    def _check_indexes(self) -> None:
        """One index at a time, and not before the one that is made has its resources."""
        control, now = self.control, self.now
        if not self.created and not self.deleted:
            return
        if len(self.created) + len(self.deleted) > 1:
            refuse(modes.ONE_INDEX_AT_A_TIME)
        for index in self.deleted:
            if control.of(index).allocated > now:
                where = f"Table: {self.table.name} Index: {index}"
                refuse(_in_use("Index creation is in resource allocation phase. Retry deletion during backfilling "
                               f"phase or when the index is active. {where}"))  # fmt: skip
        there = [index.name for index in self.table.global_indexes]
        building = [name for name in there if control.of(name).state.status(now) == "CREATING"]
        if control.leaving or any(name not in self.deleted for name in building):
            refuse(modes.ONE_INDEX_AT_A_TIME)
        validation.index_changes(self.table, self.created)

    def _check_created(self, region: str) -> None:
        """A new index may have what a table may have."""
        numbers = self.control.parameters
        first: Units = {"read": numbers.on_demand_read_units, "write": numbers.on_demand_write_units}
        for index in self.created:
            units = _given_units(index)
            if self.mode_after == "PROVISIONED":
                refuse(modes.check_units(units, region, on_index=True, parameters=numbers))
                first = units
            _check_maxima(index, index["IndexName"], self.mode_after, numbers, creating=True, region=region)
            warm = _given_warm(index, first)
            refuse(
                modes.check_warm(
                    warm,
                    first,
                    creating=True,
                    mode=self.mode_after,
                    region=region,
                    index=index["IndexName"],
                    parameters=numbers,
                )
            )

    def _check_units(self) -> None:
        """New units must differ, and fall only as often as they may."""
        for name, wanted in self.units.items():
            before = units_of(self.table, name)
            refuse(_about(modes.check_change(before, wanted), name))
            if DecreaseHistory.is_decrease(before, wanted):
                refuse(self.control.of(name).decreases.check(self.now))

    def _provisioned_after(self) -> list[Units]:
        if self.mode_after == "PAY_PER_REQUEST":
            return []
        units = {name: units_of(self.table, name) for name in (None, *_index_names(self.table))}
        new = {index["IndexName"]: _given_units(index) for index in self.created}
        return [of for name, of in {**units, **self.units, **new}.items() if name not in self.deleted]

    def _begin_units(self) -> int:
        control, end = self.control, self.now
        for name, wanted in self.units.items():
            capacity = control.of(name)
            capacity.wanted = wanted
            end = capacity.state.begin("UPDATING", seconds=control.parameters.capacity_seconds, now=self.now)
            clock.at(end, functools.partial(_settle_units, self.table, control, name))
        return end

    def _begin_switch(self) -> int:
        control = self.control
        control.switching = self.mode_after
        seconds = control.modes.seconds(self.mode_after)
        end = control.of(None).state.begin("UPDATING", seconds=seconds, now=self.now)
        for name in (None, *_index_names(self.table)):
            capacity = control.of(name)
            capacity.wanted = self.units.get(name, _NONE)
            if capacity.state.status(self.now) == "ACTIVE":
                capacity.state.begin("UPDATING", seconds=seconds, now=self.now)
        maxima = {name: part for name, part in self.parts.items() if part.get("OnDemandThroughput")}
        clock.at(end, functools.partial(_settle_switch, self.table, control, self.mode_after, maxima))
        return end

    def _begin_warm(self, name: str | None, wanted: Units) -> None:
        capacity, current = self.control.of(name), warm_of(self.table, name)
        if not any(wanted[side] > current[side] for side in SIDES):
            return
        # A further request takes the place of one under way, and is done when that would have been.
        capacity.warm_wanted = wanted
        if capacity.warm.status(self.now) == "ACTIVE":
            numbers = self.control.parameters
            seconds = numbers.later_warm_seconds if capacity.warmed else numbers.first_warm_seconds
            capacity.warmed = True
            end = capacity.warm.begin("UPDATING", seconds=seconds, now=self.now)
            clock.at(end, functools.partial(_settle_warm, self.table, self.control, name))


# --- what settles -------------------------------------------------------------------------------------------


def _settle_units(table: Table, control: Control, name: str | None) -> None:
    now, capacity, before = clock.microseconds, control.of(name), units_of(table, name)
    wanted, capacity.wanted = capacity.wanted or before, None
    if DecreaseHistory.is_decrease(before, wanted):
        capacity.decreases.decrease(now)
        capacity.lowered = now
    if any(wanted[side] > before[side] for side in SIDES):
        capacity.raised = now
    _record(table, name, wanted)
    physics_of(table)
    metrics.recorder.sync()


def _settle_switch(table: Table, control: Control, mode: BillingMode, maxima: Mapping[str | None, Any]) -> None:
    now = clock.microseconds
    control.modes.switch(mode, now)
    control.switching = None
    for name in (None, *_index_names(table)):
        capacity = control.of(name)
        wanted, capacity.wanted = capacity.wanted or _NONE, None
        _record(table, name, wanted)
        if mode == "PROVISIONED":
            capacity.maxima.clear()
        elif name is not None:
            # Recorded from the service: a switch to on-demand counts on each index, and not on the table.
            capacity.decreases.decrease(now)
            capacity.lowered = now
    table.billing_mode = mode
    physics_of(table)
    if mode == "PAY_PER_REQUEST":
        control.last_on_demand = now
    for name, part in maxima.items():
        _set_maxima(table, control, name, part)
    metrics.recorder.sync()


def _settle_warm(table: Table, control: Control, name: str | None) -> None:
    if name is None or name in _index_names(table):
        limits_of(table, name).warm_up(**_by_side(control.of(name).warm_wanted), now=clock.microseconds)


def _record(table: Table, name: str | None, units: Units) -> None:
    """Write down in moto's table what is in force; the meters follow it when they are next asked for."""
    given = {"ReadCapacityUnits": units["read"], "WriteCapacityUnits": units["write"]}
    (table if name is None else _index(table, name)).throughput = given


# --- description --------------------------------------------------------------------------------------------


def describe(table: Table, base_key: str = "TableDescription") -> dict[str, Any]:
    """DescribeTable's answer: moto's, with what the control plane knows."""
    answer = _describe(table, base_key)
    shown = answer[base_key]
    control, now = control_of(table), clock.microseconds
    changing = control.of(None).state.status(now) != "ACTIVE" or control.leaving
    allocating = any(capacity.allocated > now for capacity in control.capacities.values())
    shown["TableStatus"] = "UPDATING" if changing or allocating else "ACTIVE"
    del shown["BillingModeSummary"]
    if control.last_on_demand is not None or control.switching is not None:
        shown["BillingModeSummary"] = {"BillingMode": control.switching or _mode(table)}
        if control.last_on_demand is not None:
            shown["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"] = _date(control.last_on_demand)
    shown["TableSizeBytes"] = _bytes(limits_of(table, None))
    shown.update(_described_capacity(table, control, None))
    everywhere = [_described_index(table, control, index) for index in table.global_indexes]
    for member, indexes in (
        ("GlobalSecondaryIndexes", [*everywhere, *control.leaving.values()]),
        ("LocalSecondaryIndexes", [_named_index(table, index) for index in table.indexes]),
    ):
        if indexes:
            shown[member] = indexes
        else:
            del shown[member]
    return answer


def _described_index(table: Table, control: Control, index: GlobalSecondaryIndex) -> dict[str, Any]:
    now, capacity = clock.microseconds, control.of(index.name)
    shown = _named_index(table, index)
    shown["IndexStatus"] = capacity.state.status(now)
    if shown["IndexStatus"] == "CREATING":
        shown["Backfilling"] = now >= capacity.allocated
    shown["IndexSizeBytes"] = _bytes(limits_of(table, index.name))
    shown.update(_described_capacity(table, control, index.name))
    return shown


def _named_index(table: Table, index: Any) -> dict[str, Any]:
    known = schema_of(table).index(index.name)
    entries = [] if known is None else [item for item in _items(table) if holds(known, item)]
    return {
        **index.describe(),
        "IndexArn": f"{table.table_arn}/index/{index.name}",
        "ItemCount": len(entries),
    }


def _items(table: Table) -> Iterator[Any]:
    # moto's own way sorts them all.
    for found in table.items.values():
        yield from found.values() if table.range_key_attr else (found,)


def _bytes(limits: PartitionedTable) -> int:
    """What is stored; entries of local indexes count with their table's items, among which they lie."""
    return limits.stored_bytes


def _described_capacity(table: Table, control: Control, name: str | None) -> dict[str, Any]:
    now, capacity = clock.microseconds, control.of(name)
    units = units_of(table, name)
    if control.switching is not None and capacity.wanted is not None:
        # Of a switch the service tells the end at once, of other changes only when they have settled.
        units = capacity.wanted
    throughput: dict[str, Any] = {
        "NumberOfDecreasesToday": capacity.decreases.count(now),
        "ReadCapacityUnits": units["read"],
        "WriteCapacityUnits": units["write"],
    }
    for member, when in (("LastIncreaseDateTime", capacity.raised), ("LastDecreaseDateTime", capacity.lowered)):
        if when is not None:
            throughput[member] = _date(when)
    warm = warm_of(table, name)
    shown: dict[str, Any] = {
        "ProvisionedThroughput": throughput,
        "WarmThroughput": {
            "ReadUnitsPerSecond": warm["read"],
            "WriteUnitsPerSecond": warm["write"],
            "Status": capacity.warm.status(now),
        },
    }
    if capacity.maxima:
        shown["OnDemandThroughput"] = {_MAXIMA[side]: units for side, units in sorted(capacity.maxima.items())}
    return shown


def _date(microseconds: int) -> dt.datetime:
    return _EPOCH + dt.timedelta(microseconds=microseconds)


# --- small things -------------------------------------------------------------------------------------------


def limits_of(table: Table, index: str | None) -> PartitionedTable:
    """Return the limits of a table (None) or of one of its global indexes."""
    physics = physics_of(table)
    return physics.table if index is None else physics.indexes[index]


def units_of(table: Table, index: str | None) -> Units:
    """Return the provisioned units in force, 0 of an on-demand table or index."""
    given = (table if index is None else _index(table, index)).throughput
    return {"read": int(given.get("ReadCapacityUnits", 0)), "write": int(given.get("WriteCapacityUnits", 0))}


def warm_of(table: Table, index: str | None) -> Units:
    """Return the warm throughput in force."""
    limits = limits_of(table, index)
    limits.settle(clock.microseconds)
    return {side: limits.warm_throughput(side) for side in SIDES}


def _mode(table: Table) -> BillingMode:
    return "PAY_PER_REQUEST" if table.billing_mode == "PAY_PER_REQUEST" else "PROVISIONED"


def _table(handler: Any) -> Table:
    name = handler.body.get("TableName", "")
    table = named(handler, name)
    if table is None:
        raise ResourceNotFoundException(table_name=name)
    return table


def _index(table: Table, name: str) -> GlobalSecondaryIndex:
    return next(index for index in table.global_indexes if index.name == name)


def _index_names(table: Table) -> list[str]:
    return [index.name for index in table.global_indexes]


def _provisioned(tables: Iterable[Table]) -> list[Units]:
    """The provisioned units of all those tables and their indexes, as they are or will be."""
    found = []
    for table in tables:
        control = control_of(table)
        if (control.switching or _mode(table)) == "PROVISIONED":
            found += [control.of(name).wanted or units_of(table, name) for name in (None, *_index_names(table))]
    return found


def _given_units(part: Mapping[str, Any]) -> Units:
    given = part.get("ProvisionedThroughput") or {}
    return {"read": int(given.get("ReadCapacityUnits", 0)), "write": int(given.get("WriteCapacityUnits", 0))}


def _given_warm(part: Mapping[str, Any], current: Units) -> Units:
    given = part.get("WarmThroughput") or {}
    names: Mapping[Side, str] = {"read": "ReadUnitsPerSecond", "write": "WriteUnitsPerSecond"}
    return {side: int(given.get(names[side], current[side])) for side in SIDES}


def _check_maxima(
    part: Mapping[str, Any],
    name: str | None,
    mode: BillingMode,
    numbers: Parameters,
    *,
    creating: bool,
    region: str,
) -> None:
    given = part.get("OnDemandThroughput") or {}
    for side in SIDES:
        if _MAXIMA[side] not in given:
            continue
        if mode == "PROVISIONED":
            where = "" if name is None else f" for index : {name}"
            refuse(_invalid(f"{_INVALID}{_MAXIMA[side]} for OnDemandThroughput{where} cannot be specified when the "
                            "table BillingMode is PROVISIONED"))  # fmt: skip
        units = int(given[_MAXIMA[side]])
        refuse(modes.check_maximum(side, units, creating=creating, region=region, index=name, parameters=numbers))


def _set_maxima(table: Table, control: Control, name: str | None, part: Mapping[str, Any]) -> None:
    given = part.get("OnDemandThroughput")
    if not given:
        return
    maxima = control.of(name).maxima
    for side in SIDES:
        units = given.get(_MAXIMA[side])
        if units == -1:
            maxima.pop(side, None)
        elif units is not None:
            maxima[side] = int(units)
    limits_of(table, name).limit_on_demand(read_units=maxima.get("read"), write_units=maxima.get("write"))


def _by_side(units: Units) -> dict[str, int]:
    return {"read_units": units["read"], "write_units": units["write"]}


def _about(objection: Objection | None, index: str | None) -> Objection | None:
    """Let an objection about a table's units speak of an index'."""
    if objection is None or index is None:
        return objection
    words = objection.message.replace("for the table will", f"for the index {index} will")
    return dataclasses.replace(objection, message=words.replace("for the table:", f"for index {index}:"))


def _invalid(message: str) -> Objection:
    return Objection(modes.VALIDATION, message)


def _in_use(message: str) -> Objection:
    return Objection(modes.RESOURCE_IN_USE, f"{_IN_USE}{message}")
