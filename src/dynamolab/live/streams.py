"""DynamoDB Streams: what moto's streams lack of the service's ("Change data capture for DynamoDB Streams").

Records carry the simulated time, their region and their true size; they vanish after 24 hours; a write that changes
nothing leaves none; a disabled stream can still be read. Iterators hold their own state, so they are the same in each
run, and are valid for 15 minutes. A stream has one shard, where the service's has about one for each partition.
"""

from __future__ import annotations

import base64
import bisect
import contextlib
import datetime as dt
import functools
import hashlib
import itertools
import json
import types
from collections.abc import Iterator
from typing import Any

import moto.dynamodb.models.table as moto_table
from moto.dynamodb.exceptions import ERROR_TYPE_PREFIX, DynamodbException, MockValidationException
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import Item
from moto.dynamodb.models.table import StreamShard, Table
from moto.dynamodbstreams.models import DynamoDBStreamsBackend, dynamodbstreams_backends

from ..model import sizes
from ..model.meters import MICROSECONDS
from .clock import clock
from .images import Image, image, tidy
from .patches import Patches

RETENTION_SECONDS = 86_400
ITERATOR_SECONDS = 900
PAGE_RECORDS = 1_000
PAGE_BYTES = 1_048_576
"""A page of GetRecords: 1,000 records or 1 MB (API Reference, "GetRecords")."""

_TRIM_SECONDS = 3_600
# As the API writes it; in the events that Lambda gets, both names begin with a small letter.
_SERVICE = {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_patches = Patches()
_by_the_service = False


@contextlib.contextmanager
def by_the_service() -> Iterator[None]:
    """Records of the ``with`` block tell that the service itself, not a client, made the change: a TTL deletion."""
    global _by_the_service
    _by_the_service = True
    try:
        yield
    finally:
        _by_the_service = False


class Record:
    """One stream record and the time (microseconds) at which it was made."""

    def __init__(self, record: dict[str, Any], made: int) -> None:
        self.record = record
        self.made = made

    def to_json(self) -> dict[str, Any]:
        """The record as GetRecords gives it."""
        return self.record


class Shard(StreamShard):
    """The one shard of a stream, in the place of moto's; ``items`` holds the records that are still kept."""

    def __init__(self, account_id: str, table: Table) -> None:
        super().__init__(account_id, table)
        self.label = _label(clock.microseconds)
        # Two streams of a table may be made at one instant of a clock that stands still.
        for later in itertools.count(1):
            if self.arn not in _registry(account_id, table.region_name):
                break
            self.label = _label(clock.microseconds + later * 1_000)
        _registry(account_id, table.region_name)[self.arn] = self
        specification: Any = table.stream_specification
        self.view: str = specification["StreamViewType"]
        suffix = hashlib.blake2b(self.arn.encode(), digest_size=4).hexdigest()
        self.id = f"shardId-{clock.microseconds // 1_000:020d}-{suffix}"
        self.items: list[Record] = []  # type: ignore[assignment]
        self.trimmed = 0
        self.closed: int | None = None
        self._trims = False

    @property
    def arn(self) -> str:
        """The stream's ARN."""
        return f"{self.table.table_arn}/stream/{self.label}"

    @property
    def is_open(self) -> bool:
        """Whether the table is there and still writes this stream."""
        tables = dynamodb_backends[self.account_id][self.table.region_name].tables
        return tables.get(self.table.name) is self.table and self.table.stream_shard is self

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left of a stream that was disabled, or whose table was deleted."""
        if self.is_open or self.first != self.next:
            return False
        return self.closed is None or self.closed <= clock.microseconds - RETENTION_SECONDS * MICROSECONDS

    @property
    def next(self) -> int:
        """The sequence number that the next record will have."""
        return int(self.starting_sequence_number) + self.trimmed + len(self.items)

    @property
    def first(self) -> int:
        """The sequence number of the oldest record that can be read: the trim horizon."""
        return self.next - len(self.items) + self._outdated()

    def to_json(self) -> dict[str, Any]:
        """The shard as DescribeStream gives it."""
        numbers = {"StartingSequenceNumber": str(self.starting_sequence_number)}
        if not self.is_open:
            numbers["EndingSequenceNumber"] = str(max(self.next - 1, self.starting_sequence_number))
        return {"ShardId": self.id, "SequenceNumberRange": numbers}

    def add(self, old: Item | None, new: Item | None) -> None:
        """Record a change, unless nothing changed. The images are written as they will be read."""
        before, after = _image(old), _image(new)
        if before == after:
            return
        there = after if after is not None else before
        keys = {name: there[name] for name in self.table.table_key_attrs} if there is not None else {}
        content: dict[str, Any] = {
            "ApproximateCreationDateTime": _EPOCH + dt.timedelta(seconds=clock.microseconds // MICROSECONDS),
            "Keys": keys,
        }
        if after is not None and self.view in ("NEW_IMAGE", "NEW_AND_OLD_IMAGES"):
            content["NewImage"] = after
        if before is not None and self.view in ("OLD_IMAGE", "NEW_AND_OLD_IMAGES"):
            content["OldImage"] = before
        number = str(self.next)
        content["SequenceNumber"] = number
        content["SizeBytes"] = sum(sizes.item_size(content.get(part, {})) for part in ("Keys", "NewImage", "OldImage"))
        content["StreamViewType"] = self.view
        record = {
            "eventID": hashlib.blake2b(f"{self.arn} {number}".encode(), digest_size=16).hexdigest(),
            "eventName": "INSERT" if before is None else "REMOVE" if after is None else "MODIFY",
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": self.table.region_name,
            "dynamodb": content,
        }
        if _by_the_service:
            record["userIdentity"] = dict(_SERVICE)
        self.items.append(Record(record, clock.microseconds))
        if not self._trims:
            self._trim_later(clock.microseconds + RETENTION_SECONDS * MICROSECONDS)

    def read(self, position: int, limit: int) -> tuple[list[dict[str, Any]], int]:
        """Return the records from a sequence number on, as many as a page holds, and the number that follows them."""
        page: list[dict[str, Any]] = []
        total = 0
        begin = position - (self.next - len(self.items))
        for kept in self.items[begin : begin + limit]:
            total += kept.record["dynamodb"]["SizeBytes"]
            if page and total > PAGE_BYTES:
                break
            page.append(kept.record)
        return page, position + len(page)

    def _outdated(self) -> int:
        """How many of the kept records are too old to be read."""
        oldest = clock.microseconds - RETENTION_SECONDS * MICROSECONDS
        return bisect.bisect_right(self.items, oldest, key=lambda kept: kept.made)

    def _trim_later(self, when: int) -> None:
        # On the agenda, so never within a request: one that is undone cuts the list back to the length it had.
        self._trims = True
        clock.at(when, self._trim)

    def _trim(self) -> None:
        outdated = self._outdated()
        del self.items[:outdated]
        self.trimmed += outdated
        self._trims = False
        if self.items:
            due = self.items[0].made + RETENTION_SECONDS * MICROSECONDS
            self._trim_later(max(due, clock.microseconds + _TRIM_SECONDS * MICROSECONDS))


def install() -> None:
    """Put the lab's streams in the place of moto's; a second call changes nothing."""
    if _patches:
        return
    specify = Table.set_stream_specification

    @functools.wraps(specify)
    def set_stream_specification(table: Table, streams: dict[str, Any] | None) -> None:
        before = table.stream_shard
        specify(table, streams)
        shard = table.stream_shard
        if isinstance(shard, Shard) and shard is not before:
            table.latest_stream_label = shard.label
        elif isinstance(before, Shard):
            before.closed = clock.microseconds
            table.stream_shard = None

    _patches.replace(moto_table, "StreamShard", Shard)
    _patches.replace(Table, "set_stream_specification", set_stream_specification)
    _patches.replace(DynamoDBBackend, "update_table_streams", _update_table_streams)
    for method in (_list_streams, _describe_stream, _get_shard_iterator, _get_records):
        _patches.replace(DynamoDBStreamsBackend, method.__name__[1:], method)


def remove() -> None:
    """Give moto its streams back."""
    _patches.undo()


def _update_table_streams(backend: DynamoDBBackend, table: Table, specification: dict[str, Any]) -> None:
    wanted = bool(specification.get("StreamEnabled") or specification.get("StreamViewType"))
    if wanted and table.stream_shard is not None:
        raise MockValidationException(f"Table already has an enabled stream: TableName: {table.name}")
    if not wanted and table.stream_shard is None:
        raise MockValidationException(f"Table has no enabled stream to disable: TableName: {table.name}")
    table.set_stream_specification(specification)


def _list_streams(backend: DynamoDBStreamsBackend, table_name: str | None = None) -> list[dict[str, Any]]:
    return [
        {"StreamArn": arn, "TableName": shard.table.name, "StreamLabel": shard.label}
        for arn, shard in _registry(backend.account_id, backend.region_name).items()
        if table_name in (None, shard.table.name) and not shard.is_gone
    ]


def _describe_stream(backend: DynamoDBStreamsBackend, arn: str) -> dict[str, Any]:
    shard = _shard(backend, arn)
    return {
        "StreamArn": arn,
        "StreamLabel": shard.label,
        "StreamStatus": "ENABLED" if shard.is_open else "DISABLED",
        "StreamViewType": shard.view,
        "CreationRequestDateTime": shard.created_on,
        "TableName": shard.table.name,
        "KeySchema": shard.table.schema,
        "Shards": [shard.to_json()],
    }


def _get_shard_iterator(
    backend: DynamoDBStreamsBackend,
    arn: str,
    shard_id: str,
    shard_iterator_type: str,
    sequence_number: int | None = None,
) -> Any:
    shard = _shard(backend, arn)
    if shard.id != shard_id:
        raise _error("ResourceNotFoundException", f"Requested resource not found: Shard: {shard_id} not found")
    position = {"TRIM_HORIZON": shard.first, "LATEST": shard.next}.get(shard_iterator_type)
    if position is None:
        if sequence_number is None:
            raise MockValidationException(f"SequenceNumber is required for the iterator type {shard_iterator_type}")
        if sequence_number >= shard.next:
            raise MockValidationException(f"The shard has no record with the sequence number {sequence_number}")
        _check_trimmed(shard, sequence_number)
        position = sequence_number + (shard_iterator_type == "AFTER_SEQUENCE_NUMBER")
    return types.SimpleNamespace(arn=_iterator(shard, position))


def _get_records(backend: DynamoDBStreamsBackend, iterator_arn: str, limit: int) -> dict[str, Any]:
    if not 1 <= limit <= PAGE_RECORDS:
        bound = f"less than or equal to {PAGE_RECORDS}" if limit > 1 else "greater than or equal to 1"
        raise MockValidationException(
            f"{sizes.VALIDATION_ENVELOPE}Value '{limit}' at 'limit' failed to satisfy constraint: "
            f"Member must have value {bound}"
        )
    try:
        arn, _, code = iterator_arn.split("|")
        shard_id, position, made = json.loads(base64.b64decode(code, validate=True))
    except (TypeError, ValueError):
        raise MockValidationException("Invalid ShardIterator") from None
    shard = _shard(backend, arn)
    if shard.id != shard_id:
        raise MockValidationException("Invalid ShardIterator")
    if made + ITERATOR_SECONDS * MICROSECONDS < clock.microseconds:
        raise _error("ExpiredIteratorException", "Shard iterator has expired")
    _check_trimmed(shard, position)
    records, following = shard.read(position, limit)
    answer: dict[str, Any] = {"Records": records}
    if shard.is_open or following < shard.next:
        answer["NextShardIterator"] = _iterator(shard, following)
    return answer


def _iterator(shard: Shard, position: int) -> str:
    code = json.dumps([shard.id, position, clock.microseconds]).encode()
    return f"{shard.arn}|1|{base64.b64encode(code).decode()}"


def _check_trimmed(shard: Shard, position: int) -> None:
    if position < shard.first:
        raise _error("TrimmedDataAccessException", "The data you are trying to access has been trimmed")


def _shard(backend: DynamoDBStreamsBackend, arn: str) -> Shard:
    shard = _registry(backend.account_id, backend.region_name).get(arn)
    if shard is None or shard.is_gone:
        raise _error("ResourceNotFoundException", f"Requested resource not found: Stream: {arn} not found")
    return shard


def _registry(account_id: str, region: str) -> dict[str, Shard]:
    # Kept in moto's backend itself, so that a fresh lab knows nothing of them.
    found: dict[str, Shard] = vars(dynamodbstreams_backends[account_id][region]).setdefault("_lab_shards", {})
    return found


def _error(name: str, message: str) -> DynamodbException:
    return DynamodbException(ERROR_TYPE_PREFIX + name, message)


def _label(microseconds: int) -> str:
    when = _EPOCH + dt.timedelta(microseconds=microseconds)
    return when.strftime("%Y-%m-%dT%H:%M:%S.") + f"{when.microsecond // 1_000:03d}"


def _image(item: Item | None) -> Image | None:
    content = image(item)
    for value in content.values() if content is not None else ():
        tidy(value)
    return content
