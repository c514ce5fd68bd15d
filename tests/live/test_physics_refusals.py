"""All sixteen reasons for a refusal, live: code, spelling, resource; and batches, transactions and statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

import dynamolab as lab

KB = 1024
ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
INDEX_ARN = f"{ARN}/index/by-estado"
PTE, THROTTLING, LIMIT = "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    lab.stop()


def start(
    units: int = 0, index_units: int = 0, *, maximum: Any = None, index_maximum: Any = None, **numbers: Any
) -> Any:
    """A fresh lab, a table with an index, on demand unless units are given; returns a client without retries."""
    lab.start(seed=7, **numbers)
    index: dict[str, Any] = {
        "IndexName": "by-estado",
        "KeySchema": [{"AttributeName": "estado", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    settings: dict[str, Any] = {
        "TableName": "pedidos",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "estado")],
        "GlobalSecondaryIndexes": [index],
    }
    if units:
        settings["ProvisionedThroughput"] = {"ReadCapacityUnits": units, "WriteCapacityUnits": units}
        index["ProvisionedThroughput"] = {"ReadCapacityUnits": index_units, "WriteCapacityUnits": index_units}
    else:
        settings["BillingMode"] = "PAY_PER_REQUEST"
    for place, most in ((settings, maximum), (index, index_maximum)):
        if most:
            place["OnDemandThroughput"] = {"MaxReadRequestUnits": most, "MaxWriteRequestUnits": most}
    dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    dynamodb.create_table(**settings)
    return dynamodb


def row(pk: str, units: int, estado: str | None = None) -> dict[str, Any]:
    item = {"pk": {"S": pk}, "x": {"S": "x" * (units * KB - 60)}}
    return item if estado is None else {**item, "estado": {"S": estado}}


def write(dynamodb: Any, pk: str, units: int, estado: str | None = None) -> None:
    dynamodb.put_item(TableName="pedidos", Item=row(pk, units, estado))


def query(dynamodb: Any, estado: str) -> None:
    dynamodb.query(
        TableName="pedidos",
        IndexName="by-estado",
        KeyConditionExpression="estado = :e",
        ExpressionAttributeValues={":e": {"S": estado}},
        Select="COUNT",
    )


def first_refusal(call: Any, most: int = 200) -> ClientError:
    for number in range(most):
        try:
            call(number)
        except ClientError as error:
            return error
    raise AssertionError(f"{most} calls in one second were all admitted")


def check(error: ClientError, code: str, reason: str, resource: str) -> None:
    member = "throttlingReasons" if code == THROTTLING else "ThrottlingReasons"
    assert error.response["Error"]["Code"] == code
    assert error.response[member] == [{"reason": reason, "resource": resource}]
    assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400


CASES: dict[str, tuple[dict[str, Any], str]] = {
    "KeyRangeThroughputExceeded": ({}, THROTTLING),
    "ProvisionedThroughputExceeded": ({"units": 40, "index_units": 40, "burst_at_birth": 0.0}, PTE),
    "AccountLimitExceeded": ({"table_write_quota": 100, "table_read_quota": 100}, LIMIT),
    "MaxOnDemandThroughputExceeded": ({"maximum": 100}, THROTTLING),
}


@pytest.mark.parametrize("limit", CASES)
def test_a_write_is_refused_for_each_limit_of_its_table(limit: str) -> None:
    numbers, code = CASES[limit]
    dynamodb = start(**numbers)
    hot = limit.startswith("KeyRange")
    error = first_refusal(lambda n: write(dynamodb, "hot" if hot else f"k{n}", 40))
    check(error, code, f"TableWrite{limit}", ARN)


@pytest.mark.parametrize("limit", CASES)
def test_a_read_is_refused_for_each_limit_of_its_table(limit: str) -> None:
    numbers, code = CASES[limit]
    dynamodb = start(**numbers)
    write(dynamodb, "hot", 400)
    key = {"pk": {"S": "hot"}}
    error = first_refusal(lambda n: dynamodb.get_item(TableName="pedidos", Key=key, ConsistentRead=True))
    check(error, code, f"TableRead{limit}", ARN)


INDEX_CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    # The limit, how the lab starts, the exception of a read and of a write.
    "KeyRangeThroughputExceeded": ({}, THROTTLING, THROTTLING),
    "ProvisionedThroughputExceeded": ({"units": 3000, "index_units": 40, "burst_at_birth": 0.0}, PTE, PTE),
    "AccountLimitExceeded": ({"table_write_quota": 300, "table_read_quota": 100}, THROTTLING, THROTTLING),
    "MaxOnDemandThroughputExceeded": ({"index_maximum": 40}, THROTTLING, PTE),
}


@pytest.mark.parametrize("limit", INDEX_CASES)
def test_a_read_is_refused_for_each_limit_of_an_index_and_reads_of_the_table_are_not(limit: str) -> None:
    numbers, code, _ = INDEX_CASES[limit]
    dynamodb = start(**numbers)
    write(dynamodb, "a", 250, "abierto")
    error = first_refusal(lambda n: query(dynamodb, "abierto"))
    check(error, code, f"IndexRead{limit}", INDEX_ARN)
    dynamodb.get_item(TableName="pedidos", Key={"pk": {"S": "a"}})
    load = lab.partition_load("pedidos", index="by-estado")
    assert load[load["side"] == "read"]["refused_requests"].sum() > 0


@pytest.mark.parametrize("limit", INDEX_CASES)
def test_a_write_is_refused_for_each_limit_of_an_index_though_it_misses_the_index(limit: str) -> None:
    numbers, _, code = INDEX_CASES[limit]
    dynamodb = start(**numbers, index_buffer_units=200)

    def one_key(n: int) -> None:
        write(dynamodb, f"k{n}", 35, "abierto")

    def move(n: int) -> None:
        # Twice the table's units on the index: the entry is deleted at one place and put at another.
        write(dynamodb, f"k{n % 8}", 35, f"estado-{n // 8 % 2}")

    error = first_refusal(one_key if limit.startswith("KeyRange") else move)
    check(error, code, f"IndexWrite{limit}", INDEX_ARN)
    with pytest.raises(ClientError) as missing:
        write(dynamodb, "no-estado", 1)
    check(missing.value, code, f"IndexWrite{limit}", INDEX_ARN)
    dynamodb.get_item(TableName="pedidos", Key={"pk": {"S": "k0"}})
    lab.clock.advance(minutes=10)
    write(dynamodb, "no-estado", 1)


def test_a_hot_index_key_stops_a_table_whose_own_keys_are_cold() -> None:
    dynamodb = start()
    drive = lab.drive(lambda i: write(dynamodb, f"k{i}", 50, "pendiente"), per_second=60, seconds=10)
    load = lab.partition_load("pedidos", index="by-estado")
    admitted = load[load["side"] == "write"].groupby("second")["admitted_units"].sum()
    assert admitted.iloc[-3:].tolist() == [1000.0] * 3
    check(drive.first_error, THROTTLING, "IndexWriteKeyRangeThroughputExceeded", INDEX_ARN)
    busy = load[load["admitted_units"] > 0]["partition"].unique().tolist()
    assert busy == [lab.partition_of("pedidos", {"estado": "pendiente"}, index="by-estado")]


# --- batches, transactions, statements ----------------------------------------------------------------------


def in_debt(**more: Any) -> Any:
    """A provisioned table of 1 that has just been overdrawn on both sides."""
    dynamodb = start(1, 1, burst_at_birth=0.0, **more)
    write(dynamodb, "a", 300)
    dynamodb.get_item(TableName="pedidos", Key={"pk": {"S": "a"}}, ConsistentRead=True)
    return dynamodb


def test_a_batch_of_a_provisioned_table_is_done_in_part_and_the_rest_comes_back() -> None:
    dynamodb = start(1, 1, burst_at_birth=0.0)
    entries = [{"PutRequest": {"Item": row(f"k{n}", 1)}} for n in range(5)]
    answer = dynamodb.batch_write_item(RequestItems={"pedidos": entries})
    assert answer["UnprocessedItems"] == {"pedidos": entries[1:]}
    keys = [{"pk": {"S": f"k{n}"}} for n in range(5)]
    answer = dynamodb.batch_get_item(RequestItems={"pedidos": {"Keys": keys, "ConsistentRead": True}})
    assert answer["UnprocessedKeys"] == {"pedidos": {"Keys": keys[1:], "ConsistentRead": True}}


def test_a_batch_that_is_refused_whole_raises_with_the_reason() -> None:
    dynamodb = in_debt()
    calls = {
        "Write": lambda: dynamodb.batch_write_item(RequestItems={"pedidos": [{"PutRequest": {"Item": row("b", 1)}}]}),
        "Read": lambda: dynamodb.batch_get_item(RequestItems={"pedidos": {"Keys": [{"pk": {"S": "a"}}]}}),
    }
    for side, call in calls.items():
        with pytest.raises(ClientError) as refused:
            call()
        check(refused.value, PTE, f"Table{side}ProvisionedThroughputExceeded", ARN)


def test_a_throttled_transaction_is_an_error_of_its_own_without_cancellation_reasons() -> None:
    dynamodb = in_debt()
    insert = {"Statement": "INSERT INTO pedidos VALUE {'pk': 'b'}"}
    calls = [
        lambda: dynamodb.transact_write_items(TransactItems=[{"Put": {"TableName": "pedidos", "Item": row("b", 1)}}]),
        lambda: dynamodb.execute_transaction(TransactStatements=[insert]),
    ]
    for call in calls:
        with pytest.raises(ClientError) as refused:
            call()
        check(refused.value, PTE, "TableWriteProvisionedThroughputExceeded", ARN)
        assert "CancellationReasons" not in refused.value.response


def test_the_maximum_of_an_index_is_another_exception_in_a_transaction() -> None:
    dynamodb = start(index_maximum=1, index_buffer_units=1)
    write(dynamodb, "a", 10, "abierto")
    with pytest.raises(ClientError) as alone:
        write(dynamodb, "b", 1)
    check(alone.value, PTE, "IndexWriteMaxOnDemandThroughputExceeded", INDEX_ARN)
    with pytest.raises(ClientError) as together:
        dynamodb.transact_write_items(TransactItems=[{"Put": {"TableName": "pedidos", "Item": row("b", 1)}}])
    check(together.value, THROTTLING, "IndexWriteMaxOnDemandThroughputExceeded", INDEX_ARN)


@pytest.mark.parametrize(
    ("numbers", "code"),
    [({"units": 1, "index_units": 1, "burst_at_birth": 0.0}, "ProvisionedThroughputExceeded"), ({}, "ThrottlingError")],
)
def test_a_batch_of_statements_succeeds_and_each_refused_one_says_so(numbers: dict[str, Any], code: str) -> None:
    dynamodb = start(**numbers)
    for _ in range(3 if not numbers else 1):
        write(dynamodb, "a", 390)
    statement = {"Statement": "INSERT INTO pedidos VALUE {'pk': 'a', 'n': 1}"}
    answer = dynamodb.batch_execute_statement(Statements=[statement, statement])
    assert [response["Error"]["Code"] for response in answer["Responses"]] == [code, code]


def test_a_local_index_keeps_its_item_collections_within_the_limit_of_a_partition() -> None:
    lab.start(seed=7, partition_bytes=4 * KB)
    dynamodb = boto3.client("dynamodb")
    names = ["pk", "sk", "estado"]
    dynamodb.create_table(
        TableName="pedidos",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        LocalSecondaryIndexes=[
            {
                "IndexName": "by-estado",
                "KeySchema": [
                    {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "estado", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )  # fmt: skip
    big = {"pk": {"S": "a"}, "estado": {"S": "e"}, "x": {"S": "x" * 1500}}
    dynamodb.put_item(TableName="pedidos", Item={**big, "sk": {"S": "1"}})
    with pytest.raises(dynamodb.exceptions.ItemCollectionSizeLimitExceededException, match="Collection size exceeded"):
        dynamodb.put_item(TableName="pedidos", Item={**big, "sk": {"S": "2"}})
    with pytest.raises(dynamodb.exceptions.ItemCollectionSizeLimitExceededException):
        dynamodb.update_item(
            TableName="pedidos",
            Key={"pk": {"S": "a"}, "sk": {"S": "2"}},
            UpdateExpression="SET x = :x, estado = :e",
            ExpressionAttributeValues={":x": big["x"], ":e": big["estado"]},
        )
    with pytest.raises(dynamodb.exceptions.TransactionCanceledException) as cancelled:
        dynamodb.transact_write_items(
            TransactItems=[{"Put": {"TableName": "pedidos", "Item": {**big, "sk": {"S": "2"}}}}]
        )
    assert cancelled.value.response["CancellationReasons"][0]["Code"] == "ItemCollectionSizeLimitExceeded"
    assert dynamodb.scan(TableName="pedidos", Select="COUNT")["Count"] == 1
    dynamodb.put_item(TableName="pedidos", Item={**big, "pk": {"S": "b"}, "sk": {"S": "2"}})
    dynamodb.delete_item(TableName="pedidos", Key={"pk": {"S": "a"}, "sk": {"S": "1"}})
    dynamodb.put_item(TableName="pedidos", Item={**big, "sk": {"S": "2"}})


# --- reads --------------------------------------------------------------------------------------------------


def spend_reads(dynamodb: Any, keys: list[dict[str, Any]], table: str = "pedidos") -> None:
    """Read these items, strongly, until each one's partition refuses."""
    for key in keys:
        first_refusal(lambda n, key=key: dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True))


@pytest.mark.parametrize("batch", [False, True])
def test_eventual_reads_leave_the_units_of_strong_reads_alone(batch: bool) -> None:
    dynamodb = start(eventual_read_units=4500)
    write(dynamodb, "hot", 400)
    key = {"pk": {"S": "hot"}}
    for _ in range(64):  # 3,200 units
        if batch:
            dynamodb.batch_get_item(RequestItems={"pedidos": {"Keys": [key]}})
        else:
            dynamodb.get_item(TableName="pedidos", Key=key)
    dynamodb.get_item(TableName="pedidos", Key=key, ConsistentRead=True)


def test_a_scan_is_refused_by_a_partition_that_it_searches_and_by_no_other() -> None:
    dynamodb = start()
    by_home: dict[int, str] = {}
    for pk in (f"k{n}" for n in range(60)):
        by_home.setdefault(lab.partition_of("pedidos", {"pk": pk}), pk)
    for pk in by_home.values():
        write(dynamodb, pk, 400)
    spend_reads(dynamodb, [{"pk": {"S": by_home[3]}}])
    dynamodb.scan(TableName="pedidos", Segment=0, TotalSegments=4)
    with pytest.raises(ClientError) as refused:
        dynamodb.scan(TableName="pedidos", Segment=3, TotalSegments=4)
    check(refused.value, THROTTLING, "TableReadKeyRangeThroughputExceeded", ARN)


def test_a_query_of_a_split_collection_is_refused_where_it_reads() -> None:
    lab.start(seed=7, partition_bytes=900 * KB)
    dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    dynamodb.create_table(
        TableName="pedidos",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        BillingMode="PAY_PER_REQUEST",
    )
    for n in range(6):
        dynamodb.put_item(TableName="pedidos", Item={**row("k", 200), "sk": {"S": str(n)}})
        lab.clock.advance(seconds=1)
    homes = [lab.partition_of("pedidos", {"pk": "k", "sk": str(n)}) for n in range(6)]
    assert homes[0] != homes[5]
    spend_reads(dynamodb, [{"pk": {"S": "k"}, "sk": {"S": "5"}}])
    ask = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "k"}}, "Limit": 1}
    assert dynamodb.query(TableName="pedidos", **ask)["Count"] == 1
    with pytest.raises(ClientError) as refused:
        dynamodb.query(TableName="pedidos", **ask, ScanIndexForward=False)
    check(refused.value, THROTTLING, "TableReadKeyRangeThroughputExceeded", ARN)
