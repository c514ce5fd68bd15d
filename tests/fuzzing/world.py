"""Tables that come, change and go; time that passes; streams and metrics that must agree with all that was done."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import dynamolab as lab
from dynamolab.live.clock import START

from . import drawing
from .arithmetic import Index, Item, item_bytes, number, same_item
from .groups import Groups
from .model import (
    BURST_SECONDS,
    CEILING,
    DAY,
    FIRST_ON_DEMAND,
    SECOND,
    SIDES,
    TTL_LATEST,
    TTL_SECONDS,
    Key,
    Ledger,
    Levels,
    Stream,
    Table,
    Ttl,
)
from .singles import Doors, Entry, replay, short

NAMES = ("one", "two.2", "Three_3")
UNITS = (1, 1, 2, 5, 20, 100, 1000, 2500)
JUMPS = {
    "moment": (0.001, 0.05, 0.3, 0.9),
    "while": (1, 1, 2, 5, 30, 61, 150, 300),
    "long": (400, 600, 1800, 3600, 3601, 7200, DAY, 2 * DAY + 1, 9 * DAY),
}
_TABLE_SECONDS = {"units": 2, "PROVISIONED": 60, "first": 150, "later": 5}


class World(Groups):
    """Everything that may happen to a lab."""

    # --- tables -------------------------------------------------------------------------------------------------------

    def make_table(self, seed: int) -> None:
        """CreateTable with random keys, indexes, mode and stream; refused if the name is taken."""
        rng = random.Random(f"make {seed}")
        name = rng.choice(NAMES)
        types = {"pk": rng.choice("SSNB"), "sk": rng.choice("SNB"), **drawing.INDEX_TYPES}
        keys = ("pk", "sk") if rng.random() < 0.6 else ("pk",)
        indexes = [self._index(rng, f"GS{n}", keys, types) for n in range(rng.choice((0, 0, 1, 1, 2)))]
        if len(keys) == 2:
            indexes += [self._local(rng, f"LS{n}", types) for n in range(rng.choice((0, 0, 1, 2)))]
        mode = rng.choice(("PROVISIONED", "PROVISIONED", "PAY_PER_REQUEST"))
        everywhere = [index for index in indexes if not index.is_local]
        units: dict[str | None, dict[str, int]] = {
            of: self._units(rng) if mode == "PROVISIONED" else {"read": 0, "write": 0}
            for of in (None, *(index.name for index in everywhere))
        }
        needed = {*keys, *(key for index in indexes for key in index.keys)}
        body: dict[str, Any] = {
            "TableName": name,
            "KeySchema": _schema(keys[:1], keys[1:]),
            "AttributeDefinitions": [{"AttributeName": key, "AttributeType": types[key]} for key in sorted(needed)],
            "BillingMode": mode,
        }
        if everywhere:
            body["GlobalSecondaryIndexes"] = [_described(index, units[index.name], mode) for index in everywhere]
        locals_ = [_described(index, None, mode) for index in indexes if index.is_local]
        if locals_:
            body["LocalSecondaryIndexes"] = locals_
        if mode == "PROVISIONED":
            body["ProvisionedThroughput"] = _throughput(units[None])
        elif rng.random() < 0.4:
            body["OnDemandThroughput"] = {"MaxWriteRequestUnits": rng.choice((1, 5, 100))}
            if rng.random() < 0.5:
                body["OnDemandThroughput"]["MaxReadRequestUnits"] = rng.choice((1, 20))
        if rng.random() < 0.15:
            body["WarmThroughput"] = {"ReadUnitsPerSecond": 14_000, "WriteUnitsPerSecond": rng.choice((4_000, 9_000))}
        view = rng.choice((None, "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"))
        if view is not None:
            body["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": view}
        taken = name in self.tables
        before = self._shown(name)
        answer = self.send("create_table", **body)
        if taken:
            assert answer.code == "ResourceInUseException", f"create_table {short(body)}: {answer.body}"
            assert self._shown(name) == before, "a refused CreateTable changed the table that is there"
            return
        assert answer.code is None, f"create_table {short(body)}: {answer.body}"
        table = self.tables[name] = Table(name, keys, types, indexes, mode, units, born=self.now)
        table.was_on_demand = mode == "PAY_PER_REQUEST"
        if view is not None:
            table.streams.append(Stream(answer.body["TableDescription"]["LatestStreamArn"], view, True))
        self._describe(table)

    @staticmethod
    def _index(rng: random.Random, name: str, keys: tuple[str, ...], types: dict[str, str]) -> Index:
        names = rng.sample(("g1", "g1", "g2", "g3", *keys), 3)
        names = list(dict.fromkeys(names))
        hashes = tuple(names[: 2 if rng.random() < 0.15 else 1])
        ranges = tuple(each for each in names if each not in hashes)[: rng.choice((0, 0, 1, 1, 2))]
        return _projected(rng, name, hashes, ranges, types, is_local=False)

    @staticmethod
    def _local(rng: random.Random, name: str, types: dict[str, str]) -> Index:
        return _projected(rng, name, ("pk",), (rng.choice(("g1", "g2", "g3")),), types, is_local=True)

    @staticmethod
    def _units(rng: random.Random) -> dict[str, int]:
        return {"read": rng.choice(UNITS), "write": rng.choice(UNITS)}

    def drop_table(self, seed: int) -> None:
        """DeleteTable: its items, indexes and TTL are gone, its stream can still be read."""
        rng = random.Random(f"drop {seed}")
        name = rng.choice(NAMES)
        before = self._shown(name)
        answer = self.send("delete_table", TableName=name)
        if name not in self.tables:
            assert answer.code == "ResourceNotFoundException", answer.body
            return
        if answer.code is not None:
            assert answer.code == "ResourceInUseException", answer.body
            assert before.pop("TableStatus") == "UPDATING" or any(
                index["IndexStatus"] != "ACTIVE" for index in before.get("GlobalSecondaryIndexes", [])
            ), f"nothing is changing, and the table cannot be deleted: {answer.body}"
            return
        table = self.tables.pop(name)
        stream = table.stream
        if stream is not None:
            stream.is_open, stream.closed = False, self.now
        self.old_streams += table.streams

    # --- UpdateTable --------------------------------------------------------------------------------------------------

    def change(self, seed: int) -> None:
        """UpdateTable: units, mode, an index more or less, a maximum, warm throughput, the stream."""
        rng = random.Random(f"change {seed}")
        table = self.table(rng)
        if table is None:
            return
        kind = rng.choice(
            (
                "units",
                "units",
                "index units",
                "mode",
                "more index",
                "more index",
                "less index",
                "maximum",
                "warm",
                "stream",
            )
        )
        body: dict[str, Any] = {"TableName": table.name}
        names = [index.name for index in table.globals]
        new_units = {of: self._units(rng) for of in (None, *names)}
        made: Index | None = None
        if kind == "units":
            body["ProvisionedThroughput"] = _throughput(new_units[None])
        elif kind == "index units" and names:
            which = rng.choice(names)
            throughput = _throughput(new_units[which])
            body["GlobalSecondaryIndexUpdates"] = [
                {"Update": {"IndexName": which, "ProvisionedThroughput": throughput}}
            ]
        elif kind == "mode":
            body["BillingMode"] = "PAY_PER_REQUEST" if table.mode == "PROVISIONED" else "PROVISIONED"
            if body["BillingMode"] == "PROVISIONED":
                body["ProvisionedThroughput"] = _throughput(new_units[None])
                if names:
                    body["GlobalSecondaryIndexUpdates"] = [
                        {"Update": {"IndexName": of, "ProvisionedThroughput": _throughput(new_units[of])}}
                        for of in names
                    ]
        elif kind == "more index":
            made = self._index(rng, rng.choice(("GS0", "GS1", "GS2", "GS3")), table.keys, table.types)
            body["AttributeDefinitions"] = [
                {"AttributeName": key, "AttributeType": table.types[key]}
                for key in dict.fromkeys((*table.keys, *made.keys))
            ]
            create = _described(made, self._units(rng), table.mode)
            body["GlobalSecondaryIndexUpdates"] = [{"Create": create}]
        elif kind == "less index" and names:
            body["GlobalSecondaryIndexUpdates"] = [{"Delete": {"IndexName": rng.choice(names)}}]
        elif kind == "maximum":
            body["OnDemandThroughput"] = {"MaxWriteRequestUnits": rng.choice((-1, 1, 10, 500))}
        elif kind == "warm":
            body["WarmThroughput"] = {
                "ReadUnitsPerSecond": rng.choice((12_000, 15_000)),
                "WriteUnitsPerSecond": rng.choice((100, 4_000, 6_000)),
            }
        else:
            wanted = rng.random() < 0.6
            view = rng.choice(("KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"))
            body["StreamSpecification"] = {"StreamEnabled": wanted, **({"StreamViewType": view} if wanted else {})}
        before = self._shown(table.name)
        levels = Levels(table)
        answer = self.send("update_table", **body)
        what = f"update_table {short(body)} answered {answer.code}"
        if answer.code is not None:
            assert self._shown(table.name) == before, f"{what}, and changed the table"
            self._unchanged(table, levels, what)
            return
        self._changed(table, body, made, answer.body["TableDescription"], what)
        table.check_contents(what)
        self._describe(table)

    def _changed(
        self, table: Table, body: dict[str, Any], made: Index | None, shown: dict[str, Any], what: str
    ) -> None:
        """Enter what an UpdateTable that was accepted begins."""
        wanted: dict[str | None, dict[str, int]] = {}
        if "ProvisionedThroughput" in body:
            wanted[None] = _by_side(body["ProvisionedThroughput"])
        for entry in body.get("GlobalSecondaryIndexUpdates", ()):
            if "Update" in entry:
                wanted[entry["Update"]["IndexName"]] = _by_side(entry["Update"]["ProvisionedThroughput"])
        mode = body.get("BillingMode", table.mode)
        if mode != table.mode:
            if mode == "PAY_PER_REQUEST":
                wanted = {of: {"read": 0, "write": 0} for of in table.units}
                seconds = _TABLE_SECONDS["later" if table.was_on_demand else "first"]
            else:
                seconds = _TABLE_SECONDS["PROVISIONED"]
            table.pending.append((self.now + seconds * SECOND, mode, wanted))
        elif wanted:
            table.pending.append((self.now + _TABLE_SECONDS["units"] * SECOND, mode, wanted))
        for entry in body.get("GlobalSecondaryIndexUpdates", ()):
            if "Create" in entry and made is not None:
                table.indexes.append(made)
                units = entry["Create"].get("ProvisionedThroughput")
                table.units[made.name] = _by_side(units) if units else {"read": 0, "write": 0}
            elif "Delete" in entry:
                name = entry["Delete"]["IndexName"]
                table.indexes = [index for index in table.indexes if index.name != name]
                del table.units[name]
        if "StreamSpecification" in body:
            if body["StreamSpecification"]["StreamEnabled"]:
                assert table.stream is None, f"{what}: a second stream"
                table.streams.append(
                    Stream(shown["LatestStreamArn"], body["StreamSpecification"]["StreamViewType"], False)
                )
            else:
                stream = table.stream
                assert stream is not None, f"{what}: no stream to disable"
                stream.is_open, stream.closed = False, self.now

    def scale(self, seed: int) -> None:
        """Let auto scaling look after the writes of a provisioned table."""
        rng = random.Random(f"scale {seed}")
        table = self.table(rng)
        if table is None or table.mode != "PROVISIONED":
            return
        what = {
            "ServiceNamespace": "dynamodb",
            "ResourceId": f"table/{table.name}",
            "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
        }
        client = "application-autoscaling"
        self.send("register_scalable_target", client, **what, MinCapacity=1, MaxCapacity=rng.choice((50, 5000)))
        policy = {
            "TargetValue": 70.0,
            "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
        }
        self.send(
            "put_scaling_policy", client, **what, PolicyName=f"{table.name}-w", PolicyType="TargetTrackingScaling",
            TargetTrackingScalingPolicyConfiguration=policy,
        )  # fmt: skip
        table.auto = True

    def _shown(self, name: str) -> dict[str, Any]:
        answer = self.send("describe_table", TableName=name)
        table: dict[str, Any] = answer.body.get("Table", {})
        return table

    def look(self, seed: int) -> None:
        """DescribeTable and DescribeTimeToLive."""
        table = self.table(random.Random(f"look {seed}"))
        if table is not None:
            self._describe(table)
            answer = self.send("describe_time_to_live", TableName=table.name)
            shown = answer.body["TimeToLiveDescription"]
            wanted = {"TimeToLiveStatus": "DISABLED"}
            if table.ttl is not None:
                settled = self.now >= table.ttl.changed + TTL_SECONDS * SECOND
                word = "DISABL" if table.ttl.attribute is None else "ENABL"
                wanted["TimeToLiveStatus"] = word + ("ED" if settled else "ING")
                name = table.ttl.attribute or table.ttl.in_force(self.now)
                if name is not None:
                    wanted["AttributeName"] = name
            assert shown == wanted, f"TTL of {table.name} is {shown}, not {wanted}"

    def _describe(self, table: Table) -> None:
        """DescribeTable must count what there is, and tell the mode and the units in force."""
        shown = self._shown(table.name)
        assert shown["ItemCount"] == len(table.items), f"{table.name} counts {shown['ItemCount']}"
        assert shown["TableSizeBytes"] == table.size(), f"{shown['TableSizeBytes']} bytes, not {table.size()}"
        held = {index.name: [index.entry(item, table.keys) for item in table.items.values()] for index in table.indexes}
        described = [*shown.get("GlobalSecondaryIndexes", []), *shown.get("LocalSecondaryIndexes", [])]
        there = {index["IndexName"] for index in described if index.get("IndexStatus") != "DELETING"}
        assert there == set(held), f"{table.name} describes the indexes {there}, not {set(held)}"
        for index in described:
            if index.get("IndexStatus") == "DELETING":
                continue
            name = index["IndexName"]
            entries = [entry for entry in held[name] if entry is not None]
            assert index["ItemCount"] == len(entries), f"{name} counts {index['ItemCount']}, not {len(entries)}"
            if not table.index(name).is_local:
                size = sum(map(item_bytes, entries))
                assert index["IndexSizeBytes"] == size, f"{name} has {index['IndexSizeBytes']} bytes, not {size}"
        if table.pending or table.auto:
            return
        mode = shown.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
        assert mode == table.mode, f"{table.name} is {mode}, not {table.mode}"
        for name, part in [(None, shown), *((i["IndexName"], i) for i in described if i["IndexName"] in table.units)]:
            if part.get("IndexStatus") != "DELETING":
                units = _by_side(part["ProvisionedThroughput"])
                assert units == table.units[name], f"{table.name} {name} has {units}, not {table.units[name]}"

    # --- TTL ----------------------------------------------------------------------------------------------------------

    def live(self, seed: int) -> None:
        """UpdateTimeToLive: on or off."""
        rng = random.Random(f"live {seed}")
        table = self.table(rng)
        if table is None:
            return
        on = rng.random() < 0.7
        attribute = "exp" if rng.random() < 0.9 else "n"
        answer = self.send(
            "update_time_to_live",
            TableName=table.name,
            TimeToLiveSpecification={"Enabled": on, "AttributeName": attribute},
        )
        old = table.ttl
        current = old.attribute if old is not None else None
        soon = old is not None and self.now < old.changed + TTL_SECONDS * SECOND
        other = current is not None and attribute != current
        refused = soon or other or on == (current is not None)
        assert (answer.code is not None) == refused, f"TTL {on} on {attribute} while {old}: {answer.body}"
        if not refused:
            previous = old.attribute if old is not None else None
            table.ttl = Ttl(attribute if on else None, previous, self.now)

    # --- time ---------------------------------------------------------------------------------------------------------

    def wait(self, seed: int) -> None:
        """The clock goes on, mostly by less than it takes to fill a bucket."""
        rng = random.Random(f"wait {seed}")
        kind = rng.choice(("moment", "moment", "while", "while", "while", "long"))
        self._advance(float(rng.choice(JUMPS[kind])))

    def _advance(self, seconds: float) -> None:
        before, start = {name: Levels(table) for name, table in self.tables.items()}, self.now
        entry = Entry("advance", "advance", seconds)
        self.log.append(entry)
        self.doors.do(entry)
        assert self.now == start + round(seconds * SECOND), f"the clock is at {self.now}"
        self.last_time = lab.clock.time()
        for name, table in self.tables.items():
            settled = [change for change in table.pending if change[0] <= self.now]
            table.pending = [change for change in table.pending if change[0] > self.now]
            for _, mode, units in settled:
                table.mode = mode
                table.was_on_demand = table.was_on_demand or mode == "PAY_PER_REQUEST"
                table.units = {of: units.get(of, known) for of, known in table.units.items()}
            if table.auto:
                self._follow(table)
            self._expire(table, start)
            table.check_contents(f"{seconds} seconds later")
            if not settled and not table.auto:
                self._check_refill(table, before[name], start)
            if settled or seconds > 60:
                self._describe(table)

    def _follow(self, table: Table) -> None:
        """Auto scaling has its own mind: take the units from the lab, which must be within the bounds."""
        shown = self._shown(table.name)
        units = _by_side(shown["ProvisionedThroughput"])
        assert units["write"] == 0 or 1 <= units["write"] <= 5000, units
        if not table.pending:  # of a switch the description tells the end already
            table.mode = shown.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
            table.units[None] = units

    def _check_refill(self, table: Table, before: Levels, start: int) -> None:
        """Each bucket has gained its rate for each whole second, up to its depth."""
        now = Levels(table)
        seconds = self.now // SECOND - start // SECOND
        for meter, level in before.levels.items():
            resource, name, side = meter
            if meter not in now.levels:
                raise AssertionError(f"the bucket {meter} of {table.name} is gone")
            rate, depth = before.law[meter]
            if now.law[meter] != (rate, depth):
                # Warm throughput that was asked for, or a peak that counts by now.
                grows = name == "total" and table.mode == "PAY_PER_REQUEST" and now.law[meter][0] > rate
                assert grows, f"{meter} of {table.name} has another law: {now.law[meter]}, not {(rate, depth)}"
                continue
            if isinstance(name, int):
                wanted = (CEILING[side], CEILING[side])
                assert (rate, depth) == wanted, f"partition {meter} refills {rate} up to {depth}, not {wanted}"
            elif name == "total":
                own = table.units[resource][side] if table.mode == "PROVISIONED" else rate
                law = (own, own * BURST_SECONDS[table.mode])
                assert (rate, depth) == law, f"{meter} of {table.name}: {rate}, {depth}, not {law}"
                assert table.mode == "PROVISIONED" or rate >= FIRST_ON_DEMAND[side], f"{meter}: {rate}"
            gained = min(depth, level + rate * seconds)
            if seconds and abs(now.levels[meter] - gained) > 1e-6:
                raise AssertionError(
                    f"{meter} of {table.name} went from {level} to {now.levels[meter]} in {seconds} s, not to {gained}"
                )

    def _expire(self, table: Table, start: int) -> None:
        """Items that have vanished must have expired, and those whose latest time is over must have vanished."""
        stored = table.stored()
        gone = [key for key in table.items if key not in stored]
        ttl = table.ttl
        allowed = {ttl.in_force(self.now), ttl.in_force(start)} - {None} if ttl is not None else set()
        records = []
        for key in gone:
            item = table.items[key]
            ends = [_expiry(item, name) for name in allowed]
            assert any(end is not None and end * SECOND < self.now for end in ends), (
                f"{table.name} lost {short(item)}, which TTL on {allowed} does not explain at {self.now}"
            )
            record = table.write(item, None, self.now, by_ttl=True, alone=False)
            if record is not None:
                records.append(record)
            self.ledger.add("TimeToLiveDeletedItemCount", table.name)
            self.counts["items deleted by TTL"] += 1
        if records and table.stream is not None:
            table.stream.groups.append((start, self.now, records))
        name = ttl.in_force(self.now) if ttl is not None else None
        if name is None or ttl is None:
            return
        for key, item in table.items.items():
            ends = _expiry(item, name)
            if ends is None:
                continue
            seen = max(ends * SECOND, ttl.changed + TTL_SECONDS * SECOND, table.written[key])
            too_old = ends * SECOND < seen - 5 * 365 * DAY * SECOND
            late = seen + TTL_LATEST * SECOND < self.now
            assert too_old or not late, f"{table.name} still has {short(item)}, two days after its time"

    def begin_again(self, seed: int) -> None:
        """lab.stop and lab.start: everything is checked, and then nothing is left."""
        self.finish()
        lab.stop()
        self.seed = seed
        self.tables, self.old_streams, self.ledger, self.log, self.tokens = {}, [], Ledger(), [], {}
        lab.start(seed=seed)
        assert lab.clock.now() == START
        self.doors, self.last_time = Doors.open(), lab.clock.time()
        assert self.send("list_tables").body["TableNames"] == [], "a fresh lab has tables"

    # --- streams ------------------------------------------------------------------------------------------------------

    def follow_stream(self, seed: int) -> None:
        """Read one stream from its oldest record to its end."""
        rng = random.Random(f"stream {seed}")
        table = self.table(rng)
        if table is not None and table.streams:
            self._read_stream(rng.choice(table.streams), rng.choice((1000, 1000, 3)), table)

    def _read_stream(self, stream: Stream, limit: int, table: Table | None) -> None:
        client = "dynamodbstreams"
        edge = self.now - DAY * SECOND
        wanted = [group for group in stream.groups if group[1] > edge]
        if not stream.is_open and not wanted and stream.closed <= edge:
            return
        shown = self.send("describe_stream", client, StreamArn=stream.arn).body["StreamDescription"]
        assert shown["StreamStatus"] == ("ENABLED" if stream.is_open else "DISABLED"), shown
        shard = shown["Shards"][0]["ShardId"]
        answer = self.send(
            "get_shard_iterator", client, StreamArn=stream.arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON"
        )
        iterator, records = answer.body["ShardIterator"], []
        for _ in range(400):
            page = self.send("get_records", client, ShardIterator=iterator, Limit=limit).body
            assert len(page["Records"]) <= limit
            records += page["Records"]
            iterator = page.get("NextShardIterator")
            if iterator is None or not page["Records"]:
                break
        last_number, last_time = 0, 0.0
        for record in records:
            number_, made = int(record["dynamodb"]["SequenceNumber"]), record["dynamodb"]["ApproximateCreationDateTime"]
            assert number_ > last_number, f"a record out of order: {short(record)}"
            assert made.timestamp() >= last_time, f"a record before its time: {short(record)}"
            last_number, last_time = number_, made.timestamp()
        got = [_record(record) for record in records]
        for earliest, _, group in reversed(wanted):
            size = len(group)
            tail = [got.pop() for _ in range(min(size, len(got)))]
            missing = [record for record in group if record not in tail]
            if earliest <= edge and len(tail) < size:
                continue  # made within a jump of the clock, and some of them so early that they are trimmed
            complete = not missing and len(tail) == size
            assert complete, f"{stream.arn}: {short(group)}, and not {short(tail)}"
        assert not got, f"{stream.arn} has records too many: {short(got)}"
        if table is not None and stream is table.stream and stream.whole and stream.view.startswith("NEW"):
            self._replay_stream(records, table)

    def _replay_stream(self, records: list[dict[str, Any]], table: Table) -> None:
        """A stream that begins with its table, and has lost nothing yet, leads to what the table holds."""
        if table.born <= self.now - DAY * SECOND:
            return
        items: dict[Key, Item] = {}
        for record in records:
            content = record["dynamodb"]
            key = table.key(content["Keys"])
            if record["eventName"] == "REMOVE":
                items.pop(key)
            else:
                items[key] = content["NewImage"]
        assert {k: same_item(i) for k, i in items.items()} == {k: same_item(i) for k, i in table.items.items()}

    # --- metrics ------------------------------------------------------------------------------------------------------

    def measure(self, seed: int) -> None:
        """CloudWatch's counts of everything so far."""
        self._check_metrics()

    def _check_metrics(self) -> None:
        client = "cloudwatch"
        found: dict[tuple[str, str | None, str | None, str], float] = {}
        listed: list[dict[str, Any]] = []
        token: dict[str, str] = {}
        while True:
            page = self.send("list_metrics", client, Namespace="AWS/DynamoDB", **token).body
            listed += page["Metrics"]
            if "NextToken" not in page:
                break
            token = {"NextToken": page["NextToken"]}
        counted = [metric for metric in listed if _is_counted(metric)]
        end = lab.clock.now() + dt.timedelta(minutes=1)
        for first in range(0, len(counted), 400):
            queries = [
                {
                    "Id": f"m{n}",
                    "MetricStat": {
                        "Metric": metric,
                        "Period": 365 * DAY,
                        "Stat": "SampleCount" if metric["MetricName"] == "SuccessfulRequestLatency" else "Sum",
                    },
                }
                for n, metric in enumerate(counted[first : first + 400])
            ]
            answer = self.send(
                "get_metric_data",
                client,
                MetricDataQueries=queries,
                StartTime=START - dt.timedelta(days=1),
                EndTime=end,
            )
            for result in answer.body["MetricDataResults"]:
                metric = counted[first + int(result["Id"][1:])]
                found[_series(metric)] = sum(result["Values"])
        wanted = {series: value for series, value in self.ledger.sums.items() if value}
        for series in sorted({*found, *wanted}, key=repr):
            is_, should = found.get(series, 0.0), wanted.get(series, 0.0)
            assert abs(is_ - should) < 1e-6, f"the metric {series} is {is_}, the answers give {should}"

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self, *, again: bool = True) -> None:
        """Check all tables, streams and metrics; then run the whole program again."""
        for table in self.tables.values():
            table.check_contents("at the end")
            self._describe(table)
            for stream in table.streams:
                self._read_stream(stream, 1000, table)
        for stream in self.old_streams:
            self._read_stream(stream, 1000, None)
        self._check_metrics()
        if again:
            lab.stop()
            replay(self.seed, self.log)
            lab.start(seed=self.seed)


def _projected(
    rng: random.Random, name: str, hashes: tuple[str, ...], ranges: tuple[str, ...], types: dict[str, str],
    *, is_local: bool,
) -> Index:  # fmt: skip
    projection = rng.choice(("ALL", "KEYS_ONLY", "INCLUDE"))
    included = tuple(rng.sample((*drawing.FREE, "n", "exp"), 2)) if projection == "INCLUDE" else ()
    kinds = tuple(types[key] for key in (*hashes, *ranges))
    return Index(name, hashes, ranges, projection, included, is_local, kinds)


def _schema(hashes: tuple[str, ...], ranges: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": "HASH"} for name in hashes] + [
        {"AttributeName": name, "KeyType": "RANGE"} for name in ranges
    ]


def _described(index: Index, units: dict[str, int] | None, mode: str) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection}
    if index.included:
        projection["NonKeyAttributes"] = list(index.included)
    shown = {"IndexName": index.name, "KeySchema": _schema(index.hashes, index.ranges), "Projection": projection}
    if units is not None and mode == "PROVISIONED":
        shown["ProvisionedThroughput"] = _throughput(units)
    return shown


def _throughput(units: dict[str, int]) -> dict[str, int]:
    return {f"{side.capitalize()}CapacityUnits": units[side] for side in SIDES}


def _by_side(throughput: dict[str, Any]) -> dict[str, int]:
    return {side: throughput[f"{side.capitalize()}CapacityUnits"] for side in SIDES}


def _expiry(item: Item, name: str | None) -> Any:
    value = item.get(name or "", {})
    return number(value["N"]) if "N" in value else None


def _record(record: dict[str, Any]) -> dict[str, Any]:
    content = record["dynamodb"]
    return {
        "name": record["eventName"],
        "keys": same_item(content["Keys"]),
        "new": same_item(content.get("NewImage")),
        "old": same_item(content.get("OldImage")),
        "by_service": "userIdentity" in record,
    }


_LEVELS = ("Provisioned", "Account", "Max", "OnDemandMax", "OnlineIndex")


def _is_counted(metric: dict[str, Any]) -> bool:
    """Whether it counts what requests do; consumed units are listed a second time, with their source."""
    return not metric["MetricName"].startswith(_LEVELS) and not any(d["Name"] == "Source" for d in metric["Dimensions"])


def _series(metric: dict[str, Any]) -> tuple[str, str | None, str | None, str]:
    given = {each["Name"]: each["Value"] for each in metric["Dimensions"]}
    table, index = given.pop("TableName", None), given.pop("GlobalSecondaryIndexName", None)
    operation = given.pop("Operation", "")
    return metric["MetricName"], table, index, "/".join([operation, *given.values()] if given else [operation])
