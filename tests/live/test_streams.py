"""A table's stream holds one record for each change, for 24 simulated hours."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live import expiry, session, streams, surroundings, writes
from dynamolab.live.metering import find_table

KEYS = {"pk": {"S": "a"}, "sk": {"S": "1"}}
BOTH = "NEW_AND_OLD_IMAGES"


@pytest.fixture(autouse=True)
def connected(running_lab: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What lab.start() does; a second time changes nothing."""
    # A stream's ARN would take boto3 to another host, which moto does not know.
    monkeypatch.setitem(surroundings.FAKE, "AWS_ACCOUNT_ID_ENDPOINT_MODE", "disabled")
    monkeypatch.setenv("AWS_ACCOUNT_ID_ENDPOINT_MODE", "disabled")
    streams.install()
    expiry.install()
    writes.install()
    yield
    writes.remove()
    expiry.remove()
    streams.remove()


@pytest.fixture
def make(make_table: Callable[..., str]) -> Callable[..., str]:
    def make(view: str = BOTH, **more: Any) -> str:
        return make_table(StreamSpecification={"StreamEnabled": True, "StreamViewType": view}, **more)

    return make


class Reader:
    """The stream of one table, read as a client reads it."""

    def __init__(self, client: Any, name: str = "pedidos") -> None:
        self.client = boto3.client("dynamodbstreams")
        self.arn = client.describe_table(TableName=name)["Table"]["LatestStreamArn"]
        self.shard = self.client.describe_stream(StreamArn=self.arn)["StreamDescription"]["Shards"][0]["ShardId"]

    def iterator(self, kind: str = "TRIM_HORIZON", number: str | None = None) -> str:
        more = {} if number is None else {"SequenceNumber": number}
        answer = self.client.get_shard_iterator(StreamArn=self.arn, ShardId=self.shard, ShardIteratorType=kind, **more)
        found: str = answer["ShardIterator"]
        return found

    def page(self, iterator: str, **more: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.client.get_records(ShardIterator=iterator, **more)
        del answer["ResponseMetadata"]
        return answer

    def records(self, kind: str = "TRIM_HORIZON", number: str | None = None) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page(self.iterator(kind, number))["Records"]
        return found


def put(client: Any, pk: str = "a", **attributes: Any) -> Any:
    return client.put_item(TableName="pedidos", Item={"pk": {"S": pk}, "sk": {"S": "1"}, **attributes})


def update(client: Any, expression: str, pk: str = "a", **values: Any) -> Any:
    more = {"ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}} if values else {}
    key = {"pk": {"S": pk}, "sk": {"S": "1"}}
    return client.update_item(TableName="pedidos", Key=key, UpdateExpression=expression, **more)


@pytest.mark.parametrize("view", ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", BOTH])
def test_each_view_holds_its_images_and_no_other_key(client: Any, make: Callable[..., str], view: str) -> None:
    make(view)
    put(client, x={"N": "1"})
    update(client, "SET x = :x", x={"N": "2"})
    client.delete_item(TableName="pedidos", Key=KEYS)
    one, two = {**KEYS, "x": {"N": "1"}}, {**KEYS, "x": {"N": "2"}}
    new = [{"NewImage": one}, {"NewImage": two}, {}] if view in ("NEW_IMAGE", BOTH) else [{}, {}, {}]
    old = [{}, {"OldImage": one}, {"OldImage": two}] if view in ("OLD_IMAGE", BOTH) else [{}, {}, {}]
    records = Reader(client).records()
    assert [record["eventName"] for record in records] == ["INSERT", "MODIFY", "REMOVE"]
    for record, with_new, with_old in zip(records, new, old, strict=True):
        content = record["dynamodb"]
        for name in ("ApproximateCreationDateTime", "SequenceNumber", "SizeBytes"):
            del content[name]
        assert content == {"Keys": KEYS, "StreamViewType": view, **with_new, **with_old}


def test_a_record_names_its_source_version_region_and_second_and_has_an_identity_only_for_ttl(
    client: Any, make: Callable[..., str]
) -> None:
    make()
    lab.clock.advance(seconds=61.75)
    put(client)
    (record,) = Reader(client).records()
    assert record["dynamodb"].pop("ApproximateCreationDateTime") == dt.datetime(2026, 9, 6, 10, 1, 1, tzinfo=dt.UTC)
    del record["eventID"], record["dynamodb"]
    assert record == {
        "eventName": "INSERT",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "eu-west-1",
    }


def test_sizes_are_those_of_the_developer_guide_s_example(client: Any) -> None:
    """AWS Developer Guide, "Tutorial: Process DynamoDB Streams with Lambda": 26, 59 and 38 bytes."""
    client.create_table(
        TableName="pedidos",
        KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "N"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": BOTH},
    )
    for message in ("New item!", "This item has changed"):
        client.put_item(TableName="pedidos", Item={"Id": {"N": "101"}, "Message": {"S": message}})
    client.delete_item(TableName="pedidos", Key={"Id": {"N": "101"}})
    assert [record["dynamodb"]["SizeBytes"] for record in Reader(client).records()] == [26, 59, 38]


def test_what_changes_nothing_leaves_no_record(client: Any, make: Callable[..., str]) -> None:
    make()
    attributes = {"n": {"N": "1.50"}, "s": {"SS": ["x", "y"]}, "m": {"M": {"l": {"L": [{"BOOL": True}]}}}}
    put(client, **attributes)
    put(client, **{**attributes, "s": {"SS": ["y", "x"]}, "n": {"N": "01.5"}})
    update(client, "SET n = :n", n={"N": "1.5"})
    update(client, "REMOVE nothing")
    update(client, "SET n = n + :zero", zero={"N": "0"})
    client.delete_item(TableName="pedidos", Key={"pk": {"S": "b"}, "sk": {"S": "1"}})
    assert len(Reader(client).records()) == 1
    put(client, **{**attributes, "m": {"M": {"l": {"L": [{"N": "1"}]}}}})
    assert len(Reader(client).records()) == 2


def test_a_new_item_made_by_an_update_is_one_record_with_all_that_it_has(client: Any, make: Callable[..., str]) -> None:
    make()
    update(client, "SET x = :x", x={"S": "y"})
    (record,) = Reader(client).records()
    assert (record["eventName"], record["dynamodb"]["NewImage"]) == ("INSERT", {**KEYS, "x": {"S": "y"}})


def test_refused_cancelled_and_undone_writes_leave_no_record(client: Any, make: Callable[..., str]) -> None:
    make()
    put(client, x={"S": "y"})
    condition = {"ConditionExpression": "attribute_not_exists(pk)"}
    long = {"S": "x" * 410_000}
    with pytest.raises(ClientError, match="conditional"):
        client.put_item(TableName="pedidos", Item=KEYS, **condition)
    with pytest.raises(ClientError, match="size"):
        update(client, "SET x = :x", x=long)
    with pytest.raises(ClientError, match="size"):
        update(client, "SET x = :x", pk="b", x=long)
    other = {"pk": {"S": "c"}, "sk": {"S": "1"}}
    grow = {"Key": KEYS, "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": long}}
    for second in ({"Put": {"Item": KEYS, **condition}}, {"Update": grow}):
        actions = [{"Put": {"Item": other}}, second]
        items = [{kind: {"TableName": "pedidos", **what}} for action in actions for kind, what in action.items()]
        with pytest.raises(ClientError, match="Transaction"):
            client.transact_write_items(TransactItems=items)
    assert [record["eventName"] for record in Reader(client).records()] == ["INSERT"]
    put(client, "d")
    first, second_record = Reader(client).records()
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in (first, second_record)]
    assert numbers[1] == numbers[0] + 1


def test_batches_transactions_and_statements_leave_records_in_their_order(
    client: Any, make: Callable[..., str]
) -> None:
    make("KEYS_ONLY")

    def item(pk: str) -> dict[str, Any]:
        return {"pk": {"S": pk}, "sk": {"S": "1"}}

    puts = [{"PutRequest": {"Item": item(pk)}} for pk in "bc"]
    client.batch_write_item(RequestItems={"pedidos": puts})
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "pedidos", "Item": item("d")}},
            {"Delete": {"TableName": "pedidos", "Key": item("b")}},
        ]
    )
    client.execute_statement(Statement="INSERT INTO pedidos VALUE {'pk': 'e', 'sk': '1'}")
    records = Reader(client).records()
    seen = [(record["eventName"][0], record["dynamodb"]["Keys"]["pk"]["S"]) for record in records]
    assert seen == [("I", "b"), ("I", "c"), ("I", "d"), ("R", "b"), ("I", "e")]
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in records]
    assert numbers == sorted(set(numbers))
    assert all(21 <= len(record["dynamodb"]["SequenceNumber"]) <= 40 for record in records)


def test_values_of_every_type_come_back_as_they_were_written(client: Any, make: Callable[..., str]) -> None:
    make()
    values = {
        "b": {"B": b"\x00\xff"},
        "bs": {"BS": [b"\x01", b"\x02"]},
        "m": {"M": {"b": {"B": b"\x03"}, "l": {"L": [{"NULL": True}, {"N": "-0.5"}]}}},
        "ns": {"NS": ["1", "20"]},
        "t": {"BOOL": False},
    }
    put(client, **values)
    update(client, "ADD ns :ns SET z = :z", ns={"NS": ["3"]}, z={"B": b"\x04"})
    first, second = Reader(client).records()
    assert first["dynamodb"]["NewImage"] == {**KEYS, **values} == second["dynamodb"]["OldImage"]
    after = {**KEYS, **values, "ns": {"NS": ["1", "3", "20"]}, "z": {"B": b"\x04"}}
    assert second["dynamodb"]["NewImage"] == after


def test_the_four_iterators_begin_where_they_say(client: Any, make: Callable[..., str]) -> None:
    make("KEYS_ONLY")
    for pk in "abc":
        put(client, pk)
    reader = Reader(client)
    number = reader.records()[1]["dynamodb"]["SequenceNumber"]
    latest = reader.iterator("LATEST")
    put(client, "d")

    def keys(records: list[dict[str, Any]]) -> str:
        return "".join(record["dynamodb"]["Keys"]["pk"]["S"] for record in records)

    assert keys(reader.records("TRIM_HORIZON")) == "abcd"
    assert keys(reader.records("AT_SEQUENCE_NUMBER", number)) == "bcd"
    assert keys(reader.records("AFTER_SEQUENCE_NUMBER", number)) == "cd"
    assert keys(reader.page(latest)["Records"]) == "d"
    with pytest.raises(ClientError, match="SequenceNumber"):
        reader.iterator("AT_SEQUENCE_NUMBER")


def test_pages_follow_one_another_and_an_empty_one_has_an_iterator_too(client: Any, make: Callable[..., str]) -> None:
    make("KEYS_ONLY")
    for pk in "abcde":
        put(client, pk)
    reader = Reader(client)
    iterator, sizes = reader.iterator(), []
    for _ in range(4):
        page = reader.page(iterator, Limit=2)
        sizes.append(len(page["Records"]))
        iterator = page["NextShardIterator"]
    assert sizes == [2, 2, 1, 0]
    put(client, "f")
    assert len(reader.page(iterator)["Records"]) == 1


def test_a_page_ends_at_1000_records_or_1_mb(client: Any, make: Callable[..., str]) -> None:
    make("NEW_IMAGE")
    table = find_table("pedidos")
    for number in range(1_001):
        table.put_item({"pk": {"S": str(number)}, "sk": {"S": "1"}})
    reader = Reader(client)
    page = reader.page(reader.iterator())
    assert len(page["Records"]) == 1_000
    for pk in "abcd":
        put(client, pk, x={"S": "x" * 300_000})
        lab.clock.advance(seconds=1)
    first = reader.page(page["NextShardIterator"])
    assert [record["dynamodb"]["Keys"]["pk"]["S"] for record in first["Records"]] == ["1000", "a", "b", "c"]
    assert len(reader.page(first["NextShardIterator"])["Records"]) == 1
    with pytest.raises(ClientError, match="less than or equal to 1000"):
        reader.page(reader.iterator(), Limit=1_001)


def test_an_iterator_is_valid_for_15_minutes(client: Any, make: Callable[..., str]) -> None:
    make()
    put(client)
    reader = Reader(client)
    iterator = reader.iterator()
    lab.clock.advance(minutes=15)
    following = reader.page(iterator)["NextShardIterator"]
    lab.clock.advance(seconds=1)
    with pytest.raises(reader.client.exceptions.ExpiredIteratorException, match="expired"):
        reader.page(iterator)
    assert reader.page(following)["Records"] == []
    with pytest.raises(ClientError, match="Invalid ShardIterator"):
        reader.page("no iterator")


def test_records_vanish_after_24_hours_and_numbers_go_on(client: Any, make: Callable[..., str]) -> None:
    make("KEYS_ONLY")
    put(client, "a")
    lab.clock.advance(hours=12)
    put(client, "b")
    reader = Reader(client)
    lab.clock.advance(hours=11, minutes=59)
    first, second = reader.records()
    numbers = [record["dynamodb"]["SequenceNumber"] for record in (first, second)]
    iterator = reader.iterator()
    lab.clock.advance(minutes=2)
    assert reader.records() == [second]
    trimmed = reader.client.exceptions.TrimmedDataAccessException
    with pytest.raises(trimmed):
        reader.page(iterator)
    with pytest.raises(trimmed):
        reader.iterator("AT_SEQUENCE_NUMBER", numbers[0])
    assert reader.records("AT_SEQUENCE_NUMBER", numbers[1]) == [second]
    lab.clock.advance(days=365)
    assert reader.records() == []
    assert find_table("pedidos").stream_shard.items == []
    put(client, "c")
    (third,) = reader.records()
    assert int(third["dynamodb"]["SequenceNumber"]) == int(numbers[1]) + 1


def test_a_disabled_stream_can_be_read_to_its_end_for_a_day_and_takes_no_more(
    client: Any, make: Callable[..., str]
) -> None:
    make("KEYS_ONLY")
    put(client, "a")
    reader = Reader(client)
    with pytest.raises(ClientError, match="already has an enabled stream"):
        client.update_table(
            TableName="pedidos", StreamSpecification={"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}
        )
    client.update_table(TableName="pedidos", StreamSpecification={"StreamEnabled": False})
    put(client, "b")
    update(client, "SET x = :x", x={"S": "y"})
    page = reader.page(reader.iterator())
    assert len(page["Records"]) == 1
    assert "NextShardIterator" not in page
    description = reader.client.describe_stream(StreamArn=reader.arn)["StreamDescription"]
    assert description["StreamStatus"] == "DISABLED"
    assert "EndingSequenceNumber" in description["Shards"][0]["SequenceNumberRange"]
    client.update_table(TableName="pedidos", StreamSpecification={"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"})
    put(client, "c")
    again = Reader(client)
    assert again.arn != reader.arn
    assert len(again.records()) == 1
    assert len(reader.records()) == 1
    assert len(reader.client.list_streams(TableName="pedidos")["Streams"]) == 2
    lab.clock.advance(hours=24)
    assert [stream["StreamArn"] for stream in reader.client.list_streams()["Streams"]] == [again.arn]
    with pytest.raises(reader.client.exceptions.ResourceNotFoundException):
        reader.client.describe_stream(StreamArn=reader.arn)


def test_the_stream_of_a_deleted_table_is_readable_for_a_day(client: Any, make: Callable[..., str]) -> None:
    make("KEYS_ONLY")
    put(client, "a")
    reader = Reader(client)
    client.delete_table(TableName="pedidos")
    assert len(reader.records()) == 1
    lab.clock.advance(hours=24)
    with pytest.raises(reader.client.exceptions.ResourceNotFoundException):
        reader.records()


def test_a_stream_s_label_is_the_simulated_time_to_the_millisecond(client: Any, make: Callable[..., str]) -> None:
    lab.clock.advance(seconds=1.2345)
    make()
    table = client.describe_table(TableName="pedidos")["Table"]
    assert table["LatestStreamLabel"] == "2026-09-06T10:00:01.234"
    assert table["LatestStreamArn"] == f"{table['TableArn']}/stream/2026-09-06T10:00:01.234"
    reader = Reader(client)
    description = reader.client.describe_stream(StreamArn=reader.arn)["StreamDescription"]
    assert description["StreamLabel"] == table["LatestStreamLabel"]
    assert (description["StreamStatus"], description["StreamViewType"]) == ("ENABLED", BOTH)


def test_a_rerun_gives_the_same_answers_byte_for_byte(client: Any, make: Callable[..., str]) -> None:
    runs = []
    for _ in range(2):
        lab.start(seed=7)
        streams.install()
        writes.install()
        make()
        for number in range(5):
            update(client, "ADD tags :t", t={"SS": [f"t{number}", "x"]})
            lab.clock.advance(seconds=0.3)
        reader = Reader(client)
        pages = [reader.page(reader.iterator(), Limit=3)]
        pages.append(reader.page(pages[0]["NextShardIterator"]))
        runs.append(repr(pages))
    assert len(runs[0]) > 1_000
    assert runs[0] == runs[1]


def test_a_table_without_a_stream_has_none(client: Any, make_table: Callable[..., str]) -> None:
    make_table()
    put(client)
    update(client, "SET x = :x", x={"S": "y"})
    assert "LatestStreamArn" not in client.describe_table(TableName="pedidos")["Table"]
    assert boto3.client("dynamodbstreams").list_streams()["Streams"] == []
    with pytest.raises(ClientError, match="no enabled stream"):
        client.update_table(TableName="pedidos", StreamSpecification={"StreamEnabled": False})


def test_a_sandbox_knows_no_stream_of_the_learner_s(client: Any, make: Callable[..., str]) -> None:
    make("KEYS_ONLY")
    put(client)
    reader = Reader(client)
    with session.sandbox(3):
        assert reader.client.list_streams()["Streams"] == []
    assert len(reader.records()) == 1
