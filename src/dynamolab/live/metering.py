"""Admission and charging: every request passes here, before moto runs it and after."""

from __future__ import annotations

import base64
import json
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.models import dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table
from moto.dynamodb.models.utilities import dynamo_to_dict

from ..errors import LabError
from ..model.partitions import Partition, PartitionedTable
from ..model.throttling import BillingMode, Refusal, Side
from ..model.units import Consistency, Consumed, as_responses
from .clock import clock
from .isolation import REGION

Answer = tuple[int, dict[str, Any], str]
_JSON = "application/x-amz-json-1.0"
_tables: weakref.WeakKeyDictionary[Table, PartitionedTable] = weakref.WeakKeyDictionary()


class Refused(Exception):
    """The model refused the request; carried out of moto's code to the gate."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal

    def as_answer(self) -> Answer:
        """The service's HTTP answer."""
        return as_answer(self.refusal.as_error(), 400)


def as_answer(body: Mapping[str, Any], status: int = 200) -> Answer:
    """What moto's handlers may answer with: status, headers and JSON.

    moto's own way there asks of each value whether it is of each of ten types, which is most of the time of a Query.
    """
    return status, {"status": status, "content-type": _JSON}, json.dumps(body, default=_encoded)


def _encoded(value: Any) -> Any:
    if isinstance(value, DynamoType):
        return dynamo_to_dict(value)
    return base64.b64encode(value).decode()


def throughput_of(table: Table) -> PartitionedTable:
    """Return the limits and the load of moto's table; made when the table is first used, gone with it."""
    mode: BillingMode = "PAY_PER_REQUEST" if table.billing_mode == "PAY_PER_REQUEST" else "PROVISIONED"
    given = table.throughput
    read, write = int(given.get("ReadCapacityUnits", 0)), int(given.get("WriteCapacityUnits", 0))
    found = _tables.get(table)
    if found is None:
        found = _tables[table] = PartitionedTable(table.table_arn, mode, read_units=read, write_units=write)
    found.provision(mode, read_units=read, write_units=write)
    return found


def find_table(name: str, region: str = REGION) -> Table:
    """Return moto's table of that name in the lab's region; raises LabError, with the names there are, if none is."""
    tables = dynamodb_backends[DEFAULT_ACCOUNT_ID][region].tables
    if name not in tables:
        there = ", ".join(sorted(tables)) or "no table yet"
        raise LabError(f"The lab has no table {name!r} in {region}; it has {there}.")
    return tables[name]


def named(handler: Any, name: str) -> Table | None:
    """Return moto's table of that name or ARN, as the request gives it; None if there is none."""
    tables = handler.dynamodb_backend.tables
    found: Table | None = tables.get(name)
    if found is None and name.startswith("arn:"):
        found = next((table for table in tables.values() if table.table_arn == name), None)
    return found


def admit(throughput: PartitionedTable, side: Side, touched: Iterable[Partition]) -> None:
    """Raise Refused if the model does not admit a request on these partitions now."""
    refusal = throughput.refusal(side, touched, clock.microseconds)
    if refusal is not None:
        raise Refused(refusal)


def charge(throughput: PartitionedTable, partition: Partition, consumed: Consumed) -> None:
    """Take what a request used from its partition: the table's units and its local indexes'."""
    # A global index has partitions of its own. The lab meters and reports its units but does not limit by them yet.
    throughput.charge(consumed.side, partition, consumed.charged_to_table, clock.microseconds)


def consistency(request: Mapping[str, Any]) -> Consistency:
    """What the request's ConsistentRead asks for."""
    return "strong" if request.get("ConsistentRead") else "eventual"


def report(result: Any, detail: str, table_name: str, consumed: Consumed) -> Any:
    """Put ConsumedCapacity, or none, into moto's result of a request on one table."""
    body = result.result
    body.pop("ConsumedCapacity", None)
    body.pop("ConsumedCapacityUnits", None)
    if detail == "TOTAL" or detail == "INDEXES":
        body["ConsumedCapacity"] = consumed.as_response(table_name, detail)  # type: ignore[arg-type]
    return result


def report_tables(result: Any, detail: str, consumed: Mapping[str, Consumed], *, transactional: bool = False) -> Any:
    """As :func:`report`, for a batch or transaction: a list, one entry a table."""
    body = result.result
    body.pop("ConsumedCapacity", None)
    body.pop("ItemCollectionMetrics", None)  # empty, whether asked for or not
    if detail == "TOTAL" or detail == "INDEXES":
        body["ConsumedCapacity"] = as_responses(consumed, detail, transactional=transactional)  # type: ignore[arg-type]
    return result
