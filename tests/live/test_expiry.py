"""TTL deletes expired items on the clock, late, for nothing, and leaves a record that tells who did it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live import expiry, session, streams, writes
from dynamolab.live.metering import find_table

START = 1_788_688_800  # 6 September 2026, 10:00 UTC
HOUR = 3_600
DAY = 24 * HOUR
YEAR = 365 * DAY


def connect() -> None:
    """What lab.start() does; a second time changes nothing."""
    expiry.reset(7)
    streams.install()
    expiry.install()
    writes.install()


@pytest.fixture(autouse=True)
def connected(running_lab: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCOUNT_ID_ENDPOINT_MODE", "disabled")
    connect()
    yield
    writes.remove()
    expiry.remove()
    streams.remove()


@pytest.fixture
def deletions() -> Iterator[list[tuple[str, int]]]:
    """Each deletion by TTL: the item's partition key, and the simulated second."""
    seen: list[tuple[str, int]] = []

    def note(table: Any, item: Any) -> None:
        seen.append((item.hash_key.value, int(lab.clock.time())))

    expiry.deleted.append(note)
    yield seen
    expiry.deleted.remove(note)


def enable(client: Any, attribute: str = "caduca", *, on: bool = True, name: str = "pedidos") -> Any:
    setting = {"AttributeName": attribute, "Enabled": on}
    return client.update_time_to_live(TableName=name, TimeToLiveSpecification=setting)


def put(client: Any, pk: str, caduca: Any, name: str = "pedidos", **more: Any) -> None:
    value = caduca if isinstance(caduca, dict) else {"N": str(caduca)}
    client.put_item(TableName=name, Item={"pk": {"S": pk}, "sk": {"S": "1"}, "caduca": value, **more})


def there(client: Any, name: str = "pedidos") -> list[str]:
    pages = client.get_paginator("scan").paginate(TableName=name, ConsistentRead=True)
    return sorted(item["pk"]["S"] for page in pages for item in page["Items"])


def status(client: Any) -> dict[str, str]:
    description: dict[str, str] = client.describe_time_to_live(TableName="pedidos")["TimeToLiveDescription"]
    return description


@pytest.fixture
def ttl_table(client: Any, make_table: Callable[..., str]) -> str:
    """A table whose TTL on ``caduca`` is in force, with a stream of both images; it is one hour past the start."""
    name = make_table(StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    enable(client)
    lab.clock.advance(hours=1)
    return name


def test_an_expired_item_stays_readable_and_is_gone_within_48_hours(
    client: Any, ttl_table: str, deletions: list[tuple[str, int]]
) -> None:
    expires = START + 2 * HOUR
    for number in range(40):
        put(client, f"pedido-{number}", expires)
    lab.clock.advance(hours=1)
    assert len(there(client)) == 40
    lab.clock.advance(hours=3)
    assert 0 < len(there(client)) < 40, "what expired three hours ago may be there: a reader has to filter"
    lab.clock.advance(hours=45)
    assert there(client) == []
    late = [when - expires for _, when in deletions]
    assert late == sorted(late)
    assert late[0] >= 0
    assert 24 * HOUR < late[-1] <= 48 * HOUR


def test_a_deletion_s_record_says_that_the_service_made_it_at_its_own_time(
    client: Any, ttl_table: str, deletions: list[tuple[str, int]]
) -> None:
    put(client, "a", START + 2 * HOUR, total={"N": "12.5"})
    put(client, "b", START + 2 * HOUR)
    client.delete_item(TableName=ttl_table, Key={"pk": {"S": "b"}, "sk": {"S": "1"}})
    while not deletions:
        lab.clock.advance(hours=1)
    reader = boto3.client("dynamodbstreams")
    arn = client.describe_table(TableName=ttl_table)["Table"]["LatestStreamArn"]
    shard = reader.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
    iterator = reader.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")
    *others, record = reader.get_records(ShardIterator=iterator["ShardIterator"])["Records"]
    assert record["eventName"] == "REMOVE"
    assert record["userIdentity"] == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
    assert record["dynamodb"]["Keys"] == {"pk": {"S": "a"}, "sk": {"S": "1"}}
    assert record["dynamodb"]["OldImage"]["total"] == {"N": "12.5"}
    assert "NewImage" not in record["dynamodb"]
    assert record["dynamodb"]["ApproximateCreationDateTime"].timestamp() == deletions[0][1]
    assert [other["eventName"] for other in others] == ["INSERT", "INSERT", "REMOVE"]
    assert not any("userIdentity" in other for other in others)


def test_a_deletion_costs_no_units_and_takes_the_index_entry_with_it(
    client: Any, make_table: Callable[..., str]
) -> None:
    index = {
        "IndexName": "by-store",
        "KeySchema": [{"AttributeName": "store", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    make_table(
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "store")],
        GlobalSecondaryIndexes=[index],
    )
    enable(client)
    lab.clock.advance(hours=1)
    put(client, "a", START + HOUR + 60, store={"S": "367"})
    query: dict[str, Any] = {
        "TableName": "pedidos",
        "IndexName": "by-store",
        "KeyConditionExpression": "#s = :s",
        "ExpressionAttributeNames": {"#s": "store"},
        "ExpressionAttributeValues": {":s": {"S": "367"}},
    }
    assert client.query(**query)["Count"] == 1
    load = lab.partition_load("pedidos")
    lab.clock.advance(hours=49)
    assert client.query(**query)["Count"] == 0
    after = lab.partition_load("pedidos")
    writes_before, writes_after = (table[table.side == "write"]["admitted_units"].sum() for table in (load, after))
    assert writes_after == writes_before


@pytest.mark.parametrize(
    "value",
    [
        {"N": "1788696000000"},  # milliseconds: the year 58,650
        {"S": "1788696000"},
        {"M": {"caduca": {"N": "1788696000"}}},
        {"N": str(START - 5 * YEAR - 10)},
        {"N": "0"},
    ],
)
def test_milliseconds_strings_maps_and_what_is_five_years_old_never_go(client: Any, ttl_table: str, value: Any) -> None:
    put(client, "a", value)
    lab.clock.advance(days=365)
    assert there(client) == ["a"]


def test_an_attribute_of_another_case_never_goes(client: Any, ttl_table: str) -> None:
    put(client, "a", {"S": "no time"}, Caduca={"N": str(START)})
    lab.clock.advance(days=365)
    assert there(client) == ["a"]


def test_the_five_year_rule_of_the_developer_guide(client: Any, ttl_table: str) -> None:
    lab.clock.advance(seconds=dt.datetime(2026, 11, 30, tzinfo=dt.UTC).timestamp() - lab.clock.time())
    put(client, "2020", 1_606_000_000)
    put(client, "2023", 1_700_000_000)
    lab.clock.advance(hours=48)
    assert there(client) == ["2020"]


def test_an_update_before_the_deletion_rescues_the_item(
    client: Any, ttl_table: str, deletions: list[tuple[str, int]]
) -> None:
    later = START + 30 * DAY
    for pk in ("saved", "freed", "left"):
        put(client, pk, START + HOUR)
    update: dict[str, Any] = {"TableName": ttl_table, "Key": {"pk": {"S": "saved"}, "sk": {"S": "1"}}}
    client.update_item(
        **update, UpdateExpression="SET caduca = :later", ExpressionAttributeValues={":later": {"N": str(later)}}
    )
    update["Key"]["pk"] = {"S": "freed"}
    client.update_item(**update, UpdateExpression="REMOVE caduca")
    lab.clock.advance(days=3)
    assert there(client) == ["freed", "saved"]
    lab.clock.advance(days=365)
    assert there(client) == ["freed"]
    assert [pk for pk, _ in deletions] == ["left", "saved"]
    assert 0 <= deletions[1][1] - later <= 48 * HOUR


def test_a_refused_or_undone_update_does_not_rescue(client: Any, ttl_table: str) -> None:
    put(client, "a", START + 2 * HOUR)
    update: dict[str, Any] = {
        "TableName": ttl_table,
        "Key": {"pk": {"S": "a"}, "sk": {"S": "1"}},
        "UpdateExpression": "SET caduca = :later, x = :x",
        "ExpressionAttributeValues": {":later": {"N": str(START + YEAR)}, ":x": {"S": "x" * 410_000}},
    }
    with pytest.raises(ClientError, match="size"):
        client.update_item(**update)
    with pytest.raises(ClientError, match="Transaction"):
        client.transact_write_items(TransactItems=[{"Update": update}])
    lab.clock.advance(hours=50)
    assert there(client) == []


def test_an_item_written_again_lives_by_its_new_time(client: Any, ttl_table: str) -> None:
    put(client, "a", START + 2 * HOUR)
    client.delete_item(TableName=ttl_table, Key={"pk": {"S": "a"}, "sk": {"S": "1"}})
    client.batch_write_item(
        RequestItems={
            ttl_table: [
                {"PutRequest": {"Item": {"pk": {"S": pk}, "sk": {"S": "1"}, "caduca": {"N": str(START + n * DAY)}}}}
                for pk, n in (("a", 10), ("b", 1))
            ]
        }
    )
    lab.clock.advance(days=9)
    assert there(client) == ["a"]
    lab.clock.advance(days=4)
    assert there(client) == []


def test_ttl_is_in_force_an_hour_after_the_request_and_until_an_hour_after_the_next(
    client: Any, make_table: Callable[..., str], deletions: list[tuple[str, int]]
) -> None:
    make_table()
    assert status(client) == {"TimeToLiveStatus": "DISABLED"}
    for number in range(30):
        put(client, f"pedido-{number}", START - 60)
    enable(client)
    assert status(client) == {"TimeToLiveStatus": "ENABLING", "AttributeName": "caduca"}
    lab.clock.advance(minutes=59, seconds=59)
    assert status(client)["TimeToLiveStatus"] == "ENABLING"
    assert deletions == []
    with pytest.raises(ClientError, match="modified multiple times within a fixed interval"):
        enable(client, on=False)
    lab.clock.advance(seconds=1)
    assert status(client) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "caduca"}
    enable(client, on=False)
    assert status(client) == {"TimeToLiveStatus": "DISABLING", "AttributeName": "caduca"}
    lab.clock.advance(hours=1)
    assert status(client) == {"TimeToLiveStatus": "DISABLED"}
    gone = len(deletions)
    assert 0 < gone < 30
    lab.clock.advance(days=365)
    assert len(there(client)) == 30 - gone
    enable(client)
    lab.clock.advance(hours=49)
    assert there(client) == []


def test_describing_the_ttl_of_no_table_is_the_service_s_error(client: Any) -> None:
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_time_to_live(TableName="nada")


def test_a_table_of_the_same_name_has_nothing_to_do_with_the_one_deleted(client: Any, ttl_table: str) -> None:
    put(client, "a", START + 2 * HOUR)
    client.delete_table(TableName=ttl_table)
    client.create_table(
        TableName=ttl_table,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        BillingMode="PAY_PER_REQUEST",
    )
    put(client, "a", START + 2 * HOUR)
    lab.clock.advance(days=30)
    assert there(client) == ["a"]
    assert status(client) == {"TimeToLiveStatus": "DISABLED"}


def test_a_table_without_a_sort_key_is_swept_too(client: Any, make_table: Callable[..., str]) -> None:
    make_table(sort_key=False)
    client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "caduca": {"N": str(START)}})
    enable(client)
    lab.clock.advance(days=3)
    assert there(client) == []


def test_a_time_moved_with_every_write_does_not_pile_up(
    client: Any, ttl_table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "_SPARE", 100)
    for number in range(600):
        put(client, "session", START + DAY + number)
        if number % 50 == 0:
            lab.clock.advance(seconds=1)
    lab.clock.advance(seconds=1)
    planned = expiry._sweeps[find_table(ttl_table)]
    assert len(planned.heap) <= 100 + 52
    lab.clock.advance(days=3, hours=1)
    assert there(client) == []
    assert planned.heap == []


def test_a_year_s_jump_over_thousands_of_items_deletes_each_at_its_own_time(
    client: Any, ttl_table: str, deletions: list[tuple[str, int]]
) -> None:
    table = find_table(ttl_table)
    for number in range(30_000):
        expires = START + 2 * HOUR + number * 1_100
        table.put_item({"pk": {"S": f"p{number}"}, "sk": {"S": "1"}, "caduca": {"N": str(expires)}})
    lab.clock.advance(days=365)
    gone = dict(deletions)
    assert [when for _, when in deletions] == sorted(gone.values())
    assert all(0 <= when - (START + 2 * HOUR + int(pk[1:]) * 1_100) <= 48 * HOUR for pk, when in gone.items())
    assert len(gone) == len(deletions) == 30_000 - len(table)
    assert (365 - 3) * DAY / 1_100 < len(gone) < 365 * DAY / 1_100
    assert len(table.stream_shard.items) < 200, "records older than a day are not kept"


def test_a_rerun_deletes_the_same_items_in_the_same_order_at_the_same_times(
    client: Any, make_table: Callable[..., str], deletions: list[tuple[str, int]]
) -> None:
    runs = []
    for _ in range(2):
        lab.start(seed=7)
        connect()
        make_table()
        enable(client)
        for number in range(50):
            put(client, f"pedido-{number}", START + number)
        lab.clock.advance(days=4)
        runs.append(list(deletions))
        deletions.clear()
    assert len(runs[0]) == 50
    assert runs[0] == runs[1]


def test_another_seed_is_late_otherwise(
    client: Any, make_table: Callable[..., str], deletions: list[tuple[str, int]]
) -> None:
    runs = []
    for seed in (7, 8):
        lab.start(seed=seed)
        connect()
        expiry.reset(seed)
        make_table()
        enable(client)
        for number in range(20):
            put(client, f"pedido-{number}", START + number)
        lab.clock.advance(days=4)
        runs.append(sorted(deletions))
        deletions.clear()
    assert runs[0] != runs[1]


def test_a_sandbox_has_its_own_deletions_and_the_learner_s_come_at_their_time(
    client: Any, ttl_table: str, deletions: list[tuple[str, int]]
) -> None:
    put(client, "learner", START + 2 * HOUR)
    with session.sandbox(3):
        client.create_table(
            TableName=ttl_table,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            BillingMode="PAY_PER_REQUEST",
        )
        assert status(client) == {"TimeToLiveStatus": "DISABLED"}
        enable(client)
        put(client, "judged", START)
        lab.clock.advance(days=4)
        assert [pk for pk, _ in deletions] == ["judged"]
    assert status(client) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "caduca"}
    assert there(client) == ["learner"]
    lab.clock.advance(hours=50)
    assert [pk for pk, _ in deletions] == ["judged", "learner"]


def test_an_item_written_long_after_its_time_is_found_as_late_as_any_other(
    client: Any, ttl_table: str, deletions: list[tuple[str, int]]
) -> None:
    lab.clock.advance(hours=10 * 24)
    written = int(lab.clock.time())
    for number in range(20):
        put(client, f"pedido-{number}", written - 5 * DAY)
    assert len(there(client)) == 20
    lab.clock.advance(hours=48)
    assert there(client) == []
    late = [when - written for _, when in deletions]
    assert len(late) == 20
    assert 0 <= min(late) < 24 * HOUR < max(late) <= 48 * HOUR
