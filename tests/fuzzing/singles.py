"""One lab under fuzz: sends requests through boto3, foretells each answer, and compares everything that can be seen.

Every method is one step: it takes a seed, from which it draws what to ask, and the state it finds. What was sent is
kept, so that the same program can be run again (:func:`replay`) and must give the same answers to the byte.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections import Counter
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import boto3
from boto3.dynamodb.types import TypeDeserializer
from botocore.config import Config
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live.clock import clock
from dynamolab.model.keyspace import place_of

from . import drawing
from .arithmetic import Bill, Index, Item, item_bytes, order, read_units, same, same_item, write_bill, write_units
from .drawing import Writing, WrongUpdate
from .model import Ledger, Levels, Stream, Table

THROTTLED = {"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"}
INVALID = "ValidationException"
CONDITION = "ConditionalCheckFailedException"
CANCELLED = "TransactionCanceledException"
_ON_ITEMS = {INVALID, "ResourceNotFoundException", *THROTTLED}
_ON_TABLES = {INVALID, "ResourceNotFoundException", "ResourceInUseException", "LimitExceededException"}
CODES: dict[str, set[str]] = {
    **dict.fromkeys(("put_item", "update_item", "delete_item"), _ON_ITEMS | {CONDITION}),
    **dict.fromkeys(("get_item", "query", "scan", "batch_get_item", "batch_write_item"), _ON_ITEMS),
    "transact_write_items": _ON_ITEMS | {CANCELLED, "IdempotentParameterMismatchException"},
    "transact_get_items": _ON_ITEMS | {CANCELLED},
    "execute_statement": _ON_ITEMS | {CONDITION, "DuplicateItemException"},
    "batch_execute_statement": _ON_ITEMS,
    "execute_transaction": _ON_ITEMS | {CANCELLED, "IdempotentParameterMismatchException"},
    **dict.fromkeys(("create_table", "update_table", "delete_table"), _ON_TABLES),
    **dict.fromkeys(("describe_table", "describe_time_to_live", "update_time_to_live"), _ON_TABLES),
    **dict.fromkeys(
        ("list_streams", "describe_stream", "get_shard_iterator", "get_records"),
        {"TrimmedDataAccessException", "ExpiredIteratorException"},
    ),
}
"""What each operation may answer with beside success; anything else is a defect of the lab."""

_NO_RETRIES = Config(retries={"total_max_attempts": 1}, parameter_validation=False)


def operation_name(method: str) -> str:
    return "".join(word.capitalize() for word in method.split("_"))


@dataclass
class Entry:
    """One thing that was done to the lab, and the digest of what came back."""

    what: str
    method: str
    arguments: Any
    digest: str = ""
    shown: str = ""


@dataclass
class Answer:
    """A response, or a ClientError's."""

    body: dict[str, Any]
    code: str | None = None

    @property
    def reasons(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.body.get("throttlingReasons") or self.body.get("ThrottlingReasons") or []
        return found


class Doors:
    """The clients, made once: like a learner's they outlive the lab in which they were made."""

    @classmethod
    @functools.cache
    def open(cls) -> Doors:
        """The clients of this process; call it while a lab is running."""
        return cls()

    def __init__(self) -> None:
        self.clients = {
            name: boto3.client(name, config=_NO_RETRIES)
            for name in ("dynamodb", "dynamodbstreams", "cloudwatch", "application-autoscaling")
        }
        self.resource = boto3.resource("dynamodb", config=_NO_RETRIES)

    def do(self, entry: Entry) -> Answer:
        """Carry out an entry and fill in its digest."""
        if entry.what == "advance":
            lab.clock.advance(seconds=entry.arguments)
            answer = Answer({"now": lab.clock.time()})
        else:
            try:
                if entry.what == "resource":
                    table = self.resource.Table(entry.arguments["TableName"])
                    more = {name: value for name, value in entry.arguments.items() if name != "TableName"}
                    body = getattr(table, entry.method)(**more)
                else:
                    body = getattr(self.clients[entry.what], entry.method)(**entry.arguments)
                answer = Answer(body)
            except ClientError as error:
                answer = Answer(error.response, error.response["Error"]["Code"])
        text = repr(answer.body)
        entry.digest = hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
        entry.shown = text[:400]
        return answer


def replay(seed: int, log: list[Entry]) -> None:
    """Run a program again from its beginning; every answer must be what it was."""
    lab.start(seed=seed)
    doors = Doors.open()
    for number, was in enumerate(log):
        again = Entry(was.what, was.method, was.arguments)
        doors.do(again)
        assert again.digest == was.digest, (
            f"step {number}, {was.method}: another answer the second time:\n{was.shown}\n{again.shown}"
        )
    lab.stop()


@dataclass
class Requests:
    """A running lab and all that is known of it; requests on single items and on pages."""

    seed: int = 7
    tables: dict[str, Table] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    log: list[Entry] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, Any] = field(default_factory=dict)
    old_streams: list[Stream] = field(default_factory=list)
    """Of tables that are gone."""

    def __post_init__(self) -> None:
        lab.start(seed=self.seed)
        self.doors = Doors.open()
        self.last_time = lab.clock.time()

    @property
    def now(self) -> int:
        return clock.microseconds

    # --- sending ------------------------------------------------------------------------------------------------------

    def send(self, method: str, client: str = "dynamodb", **arguments: Any) -> Answer:
        """Send one request; its code must be one that the operation has, and its date that of the clock."""
        entry = Entry(client, method, arguments)
        self.log.append(entry)
        answer = self.doors.do(entry)
        assert lab.clock.time() >= self.last_time, "time went backwards"
        self.last_time = lab.clock.time()
        self.counts["requests"] += 1
        if answer.code is not None:
            allowed = CODES.get(method, set())
            assert answer.code in allowed, f"{method} answered {answer.code}: {answer.body} to {short(arguments)}"
            message = answer.body["Error"]["Message"]
            assert "The lab could not read" not in message, f"{method}: {message} to {short(arguments)}"
        meta = answer.body["ResponseMetadata"]
        assert meta["HTTPStatusCode"] == (200 if answer.code is None else 400)
        date = meta["HTTPHeaders"].get("date")
        if date is not None:
            assert parsedate_to_datetime(date).timestamp() == int(lab.clock.time()), f"{method} is dated {date}"
        reasons = "/".join(reason["reason"] for reason in answer.reasons)
        self.counts[f"{method}: {reasons or answer.code or 'done'}"] += 1
        is_user_error = answer.code is not None and answer.code not in {*THROTTLED, CONDITION, "DuplicateItemException"}
        reasons_given = {reason["Code"] for reason in answer.body.get("CancellationReasons", ())}
        is_user_error = is_user_error and not reasons_given & {"ConditionalCheckFailed", "DuplicateItem"}
        if client in ("dynamodb", "resource") and is_user_error:
            self.ledger.add("UserErrors", None)
        return answer

    def request(self, table: Table, method: str, **arguments: Any) -> Answer:
        """A request on one table's items, counted as sent."""
        return self.send(method, TableName=table.name, **arguments)

    def done(self, table: str, method: str, more: str = "", returned: int | None = None) -> None:
        operation = operation_name(method) + more
        self.ledger.add("SuccessfulRequestLatency", table, None, operation)
        if returned is not None:
            self.ledger.add("ReturnedItemCount", table, None, operation, returned)

    def refused(
        self,
        table: Table,
        method: str,
        side: str,
        refusals: list[tuple[str | None, str]],
        answer: Answer,
        more: str = "",
    ) -> None:
        """The answer must be this refusal; it is entered as one request, and one event on each resource."""
        index, limit = refusals[0]
        self._check_reason(table, side, index, limit, answer)
        for resource, kind in refusals:
            self.ledger.event(table.name, resource, side, kind)
        self.ledger.add("ThrottledRequests", table.name, None, operation_name(method) + more)

    def _check_reason(self, table: Table, side: str, index: str | None, limit: str, answer: Answer) -> None:
        place = "Table" if index is None else "Index"
        assert answer.reasons, f"a refusal without reasons: {answer.body}"
        reason = answer.reasons[0]
        assert reason["reason"] == f"{place}{side.capitalize()}{limit}", f"refused for {reason}, not {index} {limit}"
        assert reason["resource"].endswith(f"table/{table.name}" + (f"/index/{index}" if index else "")), reason

    # --- choosing -----------------------------------------------------------------------------------------------------

    def table(self, rng: random.Random) -> Table | None:
        names = sorted(self.tables)
        return self.tables[rng.choice(names)] if names else None

    def key(self, rng: random.Random, table: Table) -> Item:
        """A key; usually of an item that there is, or one of a few."""
        if table.items and rng.random() < 0.5:
            return table.key_of(table.items[sorted(table.items, key=repr)[rng.randrange(len(table.items))]])
        return {
            name: drawing.key_value(rng, table.types[name], 4 if n == 0 else 6) for n, name in enumerate(table.keys)
        }

    def wrong_key(self, rng: random.Random, table: Table) -> Item:
        key, name = self.key(rng, table), rng.choice(table.keys)
        kind = table.types[name]
        return rng.choice(
            (
                {**key, name: {"BOOL": True}},
                {**key, name: drawing.scalar(rng, "N" if kind == "S" else "S")},
                {**key, "more": {"S": "x"}},
                {n: value for n, value in key.items() if n != name},
                {**key, name: {"S": ""} if kind == "S" else {"B": b""} if kind == "B" else {"N": "1E+200"}},
                {**key, name: {"S": "k" * 2049} if kind == "S" else {"NULL": True}},
            )
        )

    def detail(self, rng: random.Random, request: dict[str, Any]) -> str:
        chosen = rng.choice(("INDEXES", "INDEXES", "TOTAL", "NONE", ""))
        if chosen:
            request["ReturnConsumedCapacity"] = chosen
        return chosen

    # --- one write ----------------------------------------------------------------------------------------------------

    def write(self, seed: int) -> None:
        """PutItem, UpdateItem or DeleteItem."""
        rng = random.Random(f"write {seed}")
        table = self.table(rng)
        if table is not None:
            kind = rng.choice(("put_item", "put_item", "update_item", "update_item", "delete_item"))
            self._write(rng, table, kind, self.key(rng, table))

    def hammer(self, seed: int) -> None:
        """One key, many times in the same instant, with much in it."""
        rng = random.Random(f"hammer {seed}")
        table = self.table(rng)
        if table is None:
            return
        key = self.key(rng, table)
        size = rng.choice((20, 60, 60, 390)) * 1024
        for _ in range(rng.randint(3, 12)):
            item = drawing.fill({**key, **({"g1": {"S": rng.choice("hb")}} if rng.random() < 0.5 else {})}, rng, size)
            if rng.random() < 0.8:
                self._write(rng, table, "put_item", key, item)
            else:
                self._get(rng, table, key)

    def _write(self, rng: random.Random, table: Table, kind: str, key: Item, item: Item | None = None) -> None:
        request: dict[str, Any] = {}
        writing = Writing()
        actions: list[drawing.Action] = []
        if kind == "put_item":
            if item is None:
                key = self.wrong_key(rng, table) if rng.random() < 0.04 else key
                item = {**drawing.attributes(rng, self.now), **key}
                item = drawing.fill(item, rng)
            request["Item"] = item
            wrong = table.item_is_wrong(item)
        else:
            key = self.wrong_key(rng, table) if rng.random() < 0.04 else key
            request["Key"] = key
            wrong = table.key_is_wrong(key)
            if kind == "update_item":
                actions = drawing.update(rng, self.now, table.keys)
                if rng.random() < 0.95:
                    request["UpdateExpression"] = drawing.update_text(actions, writing)
                else:
                    actions = []
        wanted = None
        if rng.random() < 0.25:
            wanted = drawing.condition(rng, (*table.keys, *drawing.FREE, "n", "g1", "g2"))
            request["ConditionExpression"] = drawing.written(wanted, writing)
        writing.into(request)
        returned = None
        if rng.random() < 0.2:
            returned = "ALL_NEW" if kind == "update_item" and rng.random() < 0.5 else "ALL_OLD"
            request["ReturnValues"] = returned
        detail = self.detail(rng, request)
        if kind == "put_item" and item is not None and not wrong and wanted is None and rng.random() < 0.05:
            self._through_the_resource(table, item)
            return
        levels = Levels(table)
        answer = self.request(table, kind, **request)
        what = f"{kind} {short(request)} on {table.name} answered {answer.code}"
        if wrong:
            assert answer.code == INVALID, what
            self._unchanged(table, levels, what)
            return
        place = table.key(key)
        before = table.items.get(place)
        refusals = levels.refusals([levels.partition(key)], "write")
        if refusals:
            assert answer.code in THROTTLED, f"{what}; it should have been refused: {refusals}"
            self.refused(table, kind, "write", refusals, answer)
            self._unchanged(table, levels, what)
            return
        assert answer.code not in THROTTLED, f"{what}; nothing should have refused it: {answer.body}"
        if wanted is not None and not drawing.holds(wanted, before):
            assert answer.code == CONDITION, f"{what}: {wanted} is false of {short(before)}"
            bill = Bill(float(write_units(max(item_bytes(before), item_bytes(item)))))
            levels.take(None, levels.partition(key), "write", bill.table)
            self.ledger.consumed(table.name, "write", bill)
            self.ledger.add("ConditionalCheckFailedRequests", table.name)
            self._unchanged(table, levels, what)
            return
        after = item
        if kind == "update_item":
            try:
                after = drawing.updated(actions, key, before)
                if table.item_is_wrong(after):
                    raise WrongUpdate
            except WrongUpdate:
                assert answer.code == INVALID, f"{what}: {actions} on {short(before)}"
                self._unchanged(table, levels, what)
                return
        assert answer.code is None, f"{what}: {answer.body}"
        bill = write_bill(before, after, table.keys, table.indexes)
        levels.take_write(key, before, after, bill)
        self.ledger.consumed(table.name, "write", bill)
        self.done(table.name, kind)
        table.write(key, after, self.now)
        self._check_capacity(answer.body.get("ConsumedCapacity"), table, "write", bill, detail, what)
        if returned is not None:
            shown = after if returned == "ALL_NEW" else before
            assert same_item(answer.body.get("Attributes") or None) == same_item(shown), f"{what}: {answer.body}"
        levels.check(what)
        table.check_contents(what)

    def _through_the_resource(self, table: Table, item: Item) -> None:
        """The same put, by a boto3 resource."""
        read = TypeDeserializer().deserialize
        levels = Levels(table)
        plain = {name: read(value) for name, value in item.items()}
        answer = self.send("put_item", "resource", TableName=table.name, Item=plain, ReturnConsumedCapacity="INDEXES")
        refusals = levels.refusals([levels.partition(item)], "write")
        if refusals:
            self.refused(table, "put_item", "write", refusals, answer)
            self._unchanged(table, levels, "a put by the resource")
            return
        assert answer.code is None, answer.body
        before = table.items.get(table.key(item))
        bill = write_bill(before, item, table.keys, table.indexes)
        levels.take_write(item, before, item, bill)
        self.ledger.consumed(table.name, "write", bill)
        self.done(table.name, "put_item")
        table.write(item, item, self.now)
        self._check_capacity(answer.body["ConsumedCapacity"], table, "write", bill, "INDEXES", "a put by the resource")
        levels.check("a put by the resource")
        table.check_contents("a put by the resource")

    def _unchanged(self, table: Table, levels: Levels, what: str) -> None:
        levels.check(what)
        table.check_contents(what)

    def _check_capacity(
        self, shown: dict[str, Any] | None, table: Table, side: str, bill: Bill, detail: str, what: str,
        *, transactional: bool = False,
    ) -> None:  # fmt: skip
        if detail in ("", "NONE"):
            assert shown is None, f"{what}: capacity without being asked for: {shown}"
            return

        def capacity(units: float) -> dict[str, float]:
            return {"CapacityUnits": units, **({f"{side.capitalize()}CapacityUnits": units} if transactional else {})}

        wanted: dict[str, Any] = {"TableName": table.name, **capacity(bill.total)}
        if detail == "INDEXES":
            wanted["Table"] = capacity(bill.table)
            for member, of in (("LocalSecondaryIndexes", bill.locals), ("GlobalSecondaryIndexes", bill.globals)):
                if of:
                    wanted[member] = {name: capacity(units) for name, units in of.items()}
        assert shown == wanted, f"{what}: consumed {shown}, not {wanted}"

    # --- reads --------------------------------------------------------------------------------------------------------

    def read(self, seed: int) -> None:
        """GetItem."""
        rng = random.Random(f"read {seed}")
        table = self.table(rng)
        if table is not None:
            self._get(rng, table, self.wrong_key(rng, table) if rng.random() < 0.05 else self.key(rng, table))

    def _get(self, rng: random.Random, table: Table, key: Item) -> None:
        strong = rng.random() < 0.5
        request: dict[str, Any] = {"Key": key, "ConsistentRead": strong}
        detail = self.detail(rng, request)
        projected, inside = None, ""
        if rng.random() < 0.2:
            writing = Writing()
            projected = rng.sample((*table.keys, *drawing.FREE, "g1"), 2)
            inside = rng.choice(("", "", ".x", "[1]"))
            request["ProjectionExpression"] = f"{writing.name(projected[0])}, {writing.name(projected[1])}{inside}"
            writing.into(request)
        levels = Levels(table)
        answer = self.request(table, "get_item", **request)
        what = f"get_item {short(request)} on {table.name} answered {answer.code}"
        if table.key_is_wrong(key):
            assert answer.code == INVALID, what
            levels.check(what)
            return
        partition = levels.partition(key)
        refusals = levels.refusals([partition], "read")
        if refusals:
            assert answer.code in THROTTLED, f"{what}; it should have been refused: {refusals}"
            self.refused(table, "get_item", "read", refusals, answer)
            self._unchanged(table, levels, what)
            return
        assert answer.code is None, f"{what}: {answer.body}"
        item = table.items.get(table.key(key))
        bill = Bill(read_units(item_bytes(item), 1.0 if strong else 0.5))
        levels.take(None, partition, "read", bill.table)
        self.ledger.consumed(table.name, "read", bill)
        self.done(table.name, "get_item")
        shown = item
        if item is not None and projected is not None:
            shown = {name: value for name, value in item.items() if name in projected}
            if inside and projected[1] in shown:
                part = drawing.inside(shown.pop(projected[1]), inside)
                shown.update({} if part is None else {projected[1]: part})
        assert same_item(answer.body.get("Item") or None) == same_item(shown or None), (
            f"{what}: {short(answer.body)}, not {short(shown)}"
        )
        self._check_capacity(answer.body.get("ConsumedCapacity"), table, "read", bill, detail, what)
        levels.check(what)

    def page(self, seed: int) -> None:
        """Query or Scan, of the table or an index, to its end."""
        rng = random.Random(f"page {seed}")
        table = self.table(rng)
        if table is None:
            return
        index = rng.choice(table.indexes) if table.indexes and rng.random() < 0.6 else None
        request: dict[str, Any] = {}
        writing = Writing()
        source = table.items.values()
        if index is not None:
            request["IndexName"] = index.name
        entries = [item for item in source if index is None or index.entry(item, table.keys) is not None]
        strong = rng.random() < 0.3
        if strong:
            request["ConsistentRead"] = True
        hashes = table.keys[:1] if index is None else index.hashes
        ranges = table.keys[1:] if index is None else index.ranges
        is_query = rng.random() < 0.6
        partition_key: Item = {}
        backward = False
        if is_query:
            some = rng.choice(entries) if entries and rng.random() < 0.8 else None
            partition_key = {name: some[name] if some else drawing.key_value(rng, table.types[name]) for name in hashes}
            parts = [f"{writing.name(name)} = {writing.value(value)}" for name, value in partition_key.items()]
            wanted = [lambda item: all(same(item[name]) == same(value) for name, value in partition_key.items())]
            if ranges and rng.random() < 0.5:
                node = self._range(rng, ranges[0], table.types[ranges[0]])
                parts.append(drawing.written(node, writing))
                wanted.append(lambda item: drawing.holds(node, item))
            rng.shuffle(parts)
            request["KeyConditionExpression"] = " AND ".join(parts)
            backward = rng.random() < 0.3
            request["ScanIndexForward"] = not backward
            entries = [item for item in entries if all(test(item) for test in wanted)]
        limit = rng.choice((None, None, 1, 2, 5))
        if limit is not None:
            request["Limit"] = limit
        condition = None
        if rng.random() < 0.3:
            free = tuple(name for name in (*drawing.FREE, "n", "exp") if name not in (*table.keys, *hashes, *ranges))
            condition = drawing.condition(rng, free)
            request["FilterExpression"] = drawing.written(condition, writing)
        if rng.random() < 0.15:
            request["Select"] = "COUNT"
        writing.into(request)
        detail = "INDEXES"
        request["ReturnConsumedCapacity"] = detail
        if is_query:
            entries.sort(
                key=lambda item: [order(item[name]) for name in (*ranges, *table.keys)],
                reverse=backward,
            )
        self._pages(table, index, request, entries, is_query, strong, condition, partition_key)

    @staticmethod
    def _range(rng: random.Random, name: str, kind: str) -> drawing.Condition:
        value = drawing.key_value(rng, kind)
        if rng.random() < 0.3:
            low, high = sorted((value, drawing.key_value(rng, kind)), key=order)
            return "between", name, low, high
        if kind == "S" and rng.random() < 0.3:
            return "begins", name, {"S": rng.choice(("h", "k", "ñ"))}
        return "compare", name, rng.choice(("=", "<", "<=", ">", ">=")), value

    def _pages(
        self, table: Table, index: Index | None, request: dict[str, Any], entries: list[Item], is_query: bool,
        strong: bool, condition: drawing.Condition | None, partition_key: Item,
    ) -> None:  # fmt: skip
        method = "query" if is_query else "scan"
        is_global = index is not None and not index.is_local
        resource = index.name if index is not None and is_global else None
        found: list[Item] = []
        read = 0
        for _ in range(60):
            levels = Levels(table)
            answer = self.request(table, method, **request)
            what = f"{method} {short(request)} on {table.name} answered {answer.code}"
            if (is_global and strong) or (is_query and not self._projects(table, index, condition)):
                assert answer.code == INVALID, what
                self._unchanged(table, levels, what)
                return
            if resource is not None and answer.code == INVALID:
                assert "backfilling" in answer.body["Error"]["Message"], f"{what}: {answer.body}"
                self._unchanged(table, levels, what)
                return
            limits = levels.limits[resource]
            partitions = len(limits.partitions)
            searched = sorted(partition.number for partition in limits.partitions)
            if is_query:
                names = table.keys[:1] if index is None or index.is_local else index.hashes
                position = place_of([partition_key[name] for name in names])[0]
                searched = [partition.number for partition in limits.partitions_of_collection(position)]
            if answer.code is not None:
                limit = levels.stops(resource, searched, "read")
                assert answer.code in THROTTLED, f"{what}: {answer.body}"
                assert limit is not None, f"{what}: nothing should have refused it"
                reason = answer.reasons[0]["reason"]
                limit = limit if len(searched) == 1 else reason.removeprefix("Table").removeprefix("Index")[4:]
                self.refused(table, method, "read", [(resource, limit)], answer)
                self._unchanged(table, levels, what)
                return
            assert levels.stops(resource, searched if len(searched) == 1 else [], "read") is None, f"{what}: admitted"
            body = answer.body
            scanned, shown = body["ScannedCount"], body.get("Items")
            last = body.get("LastEvaluatedKey")
            if shown is not None:
                found += shown
                assert body["Count"] == len(shown), what
            if last is None:
                assert read + scanned == len(entries), f"{what}: read {read} and {scanned}, not {len(entries)}"
            elif request.get("Limit"):
                assert scanned <= request["Limit"], what
            bill = self._page_bill(table, index, entries[read : read + scanned], strong)
            took = body["ConsumedCapacity"]
            if not is_query and (partitions > 1 or last is not None or read > 0):
                # Which items are in which partition is the lab's hash alone: the bounds are what is known.
                page = entries if last is None and read == 0 else None
                self._check_scan(table, index, took, page, strong, partitions, what)
                bill = self._bill(index, took["CapacityUnits"])
            self._check_capacity(took, table, "read", bill, "INDEXES", what)
            self.ledger.consumed(table.name, "read", bill)
            self.done(table.name, method, returned=body["Count"])
            self._check_page_levels(levels, resource, bill.total, searched, what)
            read += scanned
            if last is None:
                break
            request = {**request, "ExclusiveStartKey": last}
        else:
            raise AssertionError(f"{method} on {table.name} does not end")
        kept = [
            item for item in entries if condition is None or drawing.holds(condition, self._held(table, index, item))
        ]
        if request.get("Select") == "COUNT":
            return
        wanted = [same_item(self._held(table, index, item)) for item in kept]
        got = [same_item(item) for item in found]
        if is_query:
            assert got == wanted, f"{what}: {short(found)}, not {short(kept)}"
        else:
            assert Counter(got) == Counter(wanted), f"{what}: {short(found)}, not {short(kept)}"

    @staticmethod
    def _held(table: Table, index: Index | None, item: Item) -> Item:
        return item if index is None else index.entry(item, table.keys) or {}

    @staticmethod
    def _projects(table: Table, index: Index | None, condition: drawing.Condition | None) -> bool:
        """Whether the index has every attribute that the filter speaks of."""
        if index is None or index.projection == "ALL" or condition is None:
            return True
        return drawing.names_in(condition) <= {*table.keys, *index.keys, *index.included}

    def _page_bill(self, table: Table, index: Index | None, entries: list[Item], strong: bool) -> Bill:
        factor = 1.0 if strong else 0.5
        units = read_units(sum(item_bytes(self._held(table, index, item)) for item in entries), factor)
        return self._bill(index, units)

    @staticmethod
    def _bill(index: Index | None, units: float) -> Bill:
        if index is None:
            return Bill(units)
        return Bill(0.0, {index.name: units}) if index.is_local else Bill(0.0, {}, {index.name: units})

    def _check_scan(
        self, table: Table, index: Index | None, took: dict[str, Any], page: list[Item] | None, strong: bool,
        partitions: int, what: str,
    ) -> None:  # fmt: skip
        factor = 1.0 if strong else 0.5
        units = took["CapacityUnits"]
        assert units >= factor, f"{what}: {took}"
        if page is not None:
            total = sum(item_bytes(self._held(table, index, item)) for item in page)
            least = max(read_units(total, factor), partitions * factor)
            most = read_units(total, factor) + partitions * factor
            assert least <= units <= most, f"{what}: {units} units for {total} bytes in {partitions} partitions"

    def _check_page_levels(
        self, levels: Levels, resource: str | None, units: float, searched: list[int], what: str
    ) -> None:
        """The table's buckets, or the index', fell by the units in all; each partition's by its part of them."""
        after = Levels(levels.table)
        parts = 0.0
        for meter, level in levels.levels.items():
            of, name, side = meter
            fell = level - after.levels[meter]
            if of == resource and side == "read" and (name in ("total", "max") or [name] == searched):
                assert abs(fell - units) < 1e-6, f"{what}: bucket {meter} gave {fell}, not {units}"
            elif of == resource and side == "read" and name in searched:
                assert fell >= 0, f"{what}: bucket {meter} gave {fell}"
                parts += fell
            else:
                assert abs(fell) < 1e-6, f"{what}: bucket {meter} gave {fell}"
        if len(searched) > 1:
            assert abs(parts - units) < 1e-6, f"{what}: the partitions gave {parts}, not {units}"


def short(value: Any) -> str:
    """A request or an item, in short enough to read."""
    text = repr(value)
    return text if len(text) < 700 else f"{text[:350]}...{text[-350:]} ({len(text)})"
