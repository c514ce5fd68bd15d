"""What the gate tells the recorder and Contributor Insights: each request's units, events and outcome, as it happens.

Events are counted where a limit refuses, requests where they end; so a batch of which a part was done has events and
is no throttled request. Source: "DynamoDB metrics and dimensions".
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from moto.core.exceptions import JsonRESTError
from moto.dynamodb.exceptions import ConditionalCheckFailed, TransactionCanceledException
from moto.dynamodb.models.table import Table

from ..model.throttling import Refusal, Side
from ..model.units import Consumed
from . import insights, metrics
from .clock import clock

_CONDITIONS = ("ConditionalCheckFailed", "DuplicateItem", "TransactionConflict")
"""Why a transaction may be cancelled without any fault of the request's form."""


@dataclass
class Call:
    """One request while it is carried out: its operation, further dimensions, and the tables that it used."""

    operation: str = ""
    more: metrics.Pairs = ()
    tables: dict[str, None] = field(default_factory=dict)

    @property
    def is_partiql(self) -> bool:
        """Whether the request consists of statements, whose keys Contributor Insights leaves out."""
        return self.operation.endswith(("Statement", "ExecuteTransaction"))


call = Call()
"""The request in hand: there is one at a time."""


def begin(operation: str) -> None:
    """A request begins."""
    global call
    call = Call(operation)


def statement_is(verb: str) -> None:
    """The request in hand is ExecuteStatement with that verb."""
    call.more = (("Verb", f"PartiQL{verb.capitalize()}"),)


def statements_are(read: bool) -> None:
    """The request in hand is a batch or a transaction of statements that read, or of others."""
    call.more = (("OperationType", "Read" if read else "Write"),)


# --- how a request ends ---------------------------------------------------------------------------------------------


def done(result: Mapping[str, Any]) -> None:
    """The request in hand succeeded, or a part of it: count it for each table that it used."""
    returned = None
    if call.operation in ("Query", "Scan"):
        returned = result.get("Count")
    elif call.more == (("Verb", "PartiQLSelect"),):
        returned = len(result["Items"])
    for table in call.tables:
        metrics.recorder.request_done(table, call.operation, clock.microseconds, returned, call.more)


def throttled(refusal: Refusal) -> None:
    """The request in hand was refused as a whole; its events are counted where the refusal was found."""
    table, _ = metrics.names_of(refusal.resource)
    metrics.recorder.throttled_request(table, call.operation, clock.microseconds, call.more)


def failed(fault: JsonRESTError) -> None:
    """A request was answered with HTTP 400: a user error, unless its conditions failed."""
    if isinstance(fault, ConditionalCheckFailed) or fault.error_type.endswith("DuplicateItemException"):
        return
    if isinstance(fault, TransactionCanceledException) and any(code in _CONDITIONS for code in cancelled_for(fault)):
        return
    metrics.recorder.user_error(clock.microseconds)


def cancelled_for(fault: TransactionCanceledException) -> list[str]:
    """Return the code of each action's reason, ``None`` (the word) of those that were in order."""
    return [reason["Code"] for reason in json.loads(fault.description)["CancellationReasons"]]


def controlled(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Let the recorder look at the capacities after an operation on tables."""

    @functools.wraps(operation)
    def run(*args: Any) -> Any:
        try:
            return operation(*args)
        except JsonRESTError as fault:
            failed(fault)
            raise
        finally:
            metrics.recorder.sync()

    return run


# --- what happens on the way ----------------------------------------------------------------------------------------


def events(refusals: Sequence[Refusal]) -> None:
    """One throttle event on the resource of each refusal: a write may meet several indexes that are behind."""
    for refusal in refusals:
        table, index = metrics.names_of(refusal.resource)
        metrics.recorder.throttled_event(table, index, refusal, clock.microseconds)


def key_throttled(table: Table, index: str | None, key: Any, sort: Any, refusal: Refusal) -> None:
    """A request for a key was refused; ``key`` and ``sort`` as of :meth:`insights.Insights.key_throttled`."""
    if not call.is_partiql:
        insights.insights.key_throttled(table.name, index, key, sort, refusal)


def key_used(table: Table, index: str | None, key: Any, sort: Any, side: Side, units: float) -> None:
    """A key used units; as of :meth:`insights.Insights.key_used`."""
    if not call.is_partiql:
        insights.insights.key_used(table.name, index, key, sort, side, units)


def consumed(table: Table, used: Consumed) -> None:
    """A request, or one action or member of it, used units of a table and of its global indexes."""
    name, now = table.name, clock.microseconds
    call.tables[name] = None
    metrics.recorder.consumed(name, None, used.side, used.charged_to_table, now)
    for index, units in used.global_indexes.items():
        metrics.recorder.consumed(name, index, used.side, units, now)


def condition_failed(table: Table) -> None:
    """One condition on a table's item failed."""
    metrics.recorder.condition_failed(table.name, 1, clock.microseconds)


def as_one(values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return a key of several attributes, as an index may have, as one value: its parts side by side."""
    if len(values) == 1:
        return values[0]
    return {"S": " / ".join(str(part) for value in values for part in value.values())}


def expired(table: Table, item: Any) -> None:
    """TTL deleted an item."""
    metrics.recorder.ttl_deleted(table.name, 1, clock.microseconds)
