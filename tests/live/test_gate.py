"""boto3's calls are metered and refused as the service would."""

from __future__ import annotations

import concurrent.futures
import zlib
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, ParamValidationError

import dynamolab as lab
from dynamolab.model.sizes import item_size

KB = 1024
ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"


def item(pk: str, size: int, sk: str = "1") -> dict[str, Any]:
    """An item of exactly ``size`` bytes."""
    bare = {"pk": {"S": pk}, "sk": {"S": sk}, "x": {"S": ""}}
    return {**bare, "x": {"S": "x" * (size - item_size(bare))}}


def units(response: dict[str, Any]) -> float:
    consumed: float = response["ConsumedCapacity"]["CapacityUnits"]
    return consumed


def exhaust(client: Any, table: str, pk: str = "hot") -> ClientError:
    """Write to one key until the service refuses."""
    for number in range(20):
        try:
            client.put_item(TableName=table, Item=item(pk, 100 * KB, str(number)))
        except ClientError as error:
            return error
    raise AssertionError("twenty writes of 100 units were admitted in one second")


@pytest.mark.parametrize(("size", "expected"), [(1024, 1), (1025, 2), (3 * KB, 3), (400 * KB, 400)])
def test_a_put_costs_a_unit_per_started_kilobyte(client: Any, make_table: Any, size: int, expected: int) -> None:
    response = client.put_item(TableName=make_table(), Item=item("a", size), ReturnConsumedCapacity="TOTAL")
    assert response["ConsumedCapacity"] == {"TableName": "pedidos", "CapacityUnits": float(expected)}


def test_a_smaller_replacement_costs_what_it_replaces(client: Any, make_table: Any) -> None:
    client.put_item(TableName=make_table(), Item=item("a", 4097))
    assert units(client.put_item(TableName="pedidos", Item=item("a", 64), ReturnConsumedCapacity="TOTAL")) == 5


def test_an_update_costs_the_whole_larger_image(client: Any, make_table: Any) -> None:
    client.put_item(TableName=make_table(), Item=item("a", 350 * KB))
    response = client.update_item(
        TableName="pedidos",
        Key={"pk": {"S": "a"}, "sk": {"S": "1"}},
        UpdateExpression="SET z = :z",
        ExpressionAttributeValues={":z": {"BOOL": True}},
        ReturnConsumedCapacity="TOTAL",
    )
    assert units(response) == 351


@pytest.mark.parametrize(("existing", "expected"), [(1025, 2), (None, 1)])
def test_a_delete_costs_what_it_deletes_and_at_least_one(
    client: Any, make_table: Any, existing: int | None, expected: int
) -> None:
    make_table()
    if existing:
        client.put_item(TableName="pedidos", Item=item("a", existing))
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    assert units(client.delete_item(TableName="pedidos", Key=key, ReturnConsumedCapacity="TOTAL")) == expected


@pytest.mark.parametrize(
    ("size", "strong", "expected"),
    [(4096, True, 1), (4097, True, 2), (4097, False, 1), (10 * KB, True, 3), (10 * KB, False, 1.5), (None, False, 0.5)],
)
def test_a_get_costs_a_unit_per_started_four_kilobytes(
    client: Any, make_table: Any, size: int | None, strong: bool, expected: float
) -> None:
    make_table()
    if size:
        client.put_item(TableName="pedidos", Item=item("a", size))
    response = client.get_item(
        TableName="pedidos",
        Key={"pk": {"S": "a"}, "sk": {"S": "1"}},
        ConsistentRead=strong,
        ReturnConsumedCapacity="TOTAL",
    )
    assert units(response) == expected


def test_a_query_sums_then_rounds_once_and_a_filter_saves_nothing(client: Any, make_table: Any) -> None:
    """AWS, "Capacity consumption for read operations": 1,500 items of 64 bytes are 24 strong units."""
    make_table()
    for number in range(1500):
        client.put_item(TableName="pedidos", Item=item("a", 64, f"{number:04}"))
        if number % 500 == 499:
            lab.clock.advance(seconds=1)
    ask: dict[str, Any] = {
        "TableName": "pedidos",
        "KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": "a"}},
        "ConsistentRead": True,
        "ReturnConsumedCapacity": "TOTAL",
    }
    assert units(client.query(**ask)) == 24
    ask["ExpressionAttributeValues"][":none"] = {"S": "none"}
    filtered = client.query(**ask, FilterExpression="x = :none")
    assert (filtered["Count"], filtered["ScannedCount"], units(filtered)) == (0, 1500, 24)


def test_pages_of_a_query_return_every_item_once_and_are_charged_for_what_they_read(
    client: Any, make_table: Any
) -> None:
    make_table()
    for number in range(25):
        client.put_item(TableName="pedidos", Item=item("a", 90 * KB, f"{number:02}"))
        lab.clock.advance(seconds=1)
    seen, consumed, start = [], [], {}
    while True:
        page = client.query(
            TableName="pedidos",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "a"}},
            ScanIndexForward=False,
            ReturnConsumedCapacity="TOTAL",
            **start,
        )
        seen += [row["sk"]["S"] for row in page["Items"]]
        consumed.append(units(page))
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert seen == [f"{number:02}" for number in reversed(range(25))]
    assert consumed == [135.0, 135.0, 11.5]  # 12, 12 and 1 items of 90 KB, rounded up to 4 KB, halved


def test_consumed_capacity_appears_only_when_asked_for(client: Any, make_table: Any) -> None:
    make_table()
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    answers = [
        client.put_item(TableName="pedidos", Item=item("a", 100)),
        client.update_item(TableName="pedidos", Key=key, AttributeUpdates={"y": {"Value": {"N": "1"}}}),
        client.get_item(TableName="pedidos", Key=key),
        client.scan(TableName="pedidos"),
        client.delete_item(TableName="pedidos", Key=key),
    ]
    assert [sorted(answer) for answer in answers if "ConsumedCapacity" in answer] == []


def test_an_unknown_detail_of_consumed_capacity_is_refused(client: Any, make_table: Any) -> None:
    with pytest.raises(ClientError, match="ValidationException.*'ALL' at 'returnConsumedCapacity'"):
        client.put_item(TableName=make_table(), Item=item("a", 100), ReturnConsumedCapacity="ALL")


def test_a_refusal_is_the_services_own(client: Any, make_table: Any) -> None:
    response = exhaust(client, make_table()).response
    assert response["Error"]["Code"] == "ThrottlingException"
    assert response["Error"]["Message"].startswith("Throughput exceeds the current capacity of your table or index.")
    assert response["throttlingReasons"] == [{"reason": "TableWriteKeyRangeThroughputExceeded", "resource": ARN}]
    assert response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_a_refusal_is_raised_as_the_clients_own_exception_class(client: Any, make_table: Any) -> None:
    assert isinstance(exhaust(client, make_table()), client.exceptions.ThrottlingException)


def test_a_refused_request_changes_nothing(client: Any, make_table: Any) -> None:
    exhaust(client, make_table())
    before = client.scan(TableName="pedidos", Select="COUNT")["Count"]
    changes: list[Callable[[], Any]] = [
        lambda: client.put_item(TableName="pedidos", Item=item("hot", 100, "new")),
        lambda: client.delete_item(TableName="pedidos", Key={"pk": {"S": "hot"}, "sk": {"S": "0"}}),
        lambda: client.update_item(
            TableName="pedidos",
            Key={"pk": {"S": "hot"}, "sk": {"S": "new"}},
            UpdateExpression="SET z = :z",
            ExpressionAttributeValues={":z": {"N": "1"}},
        ),
    ]
    for change in changes:
        with pytest.raises(client.exceptions.ThrottlingException):
            change()
    assert client.scan(TableName="pedidos", Select="COUNT")["Count"] == before


def test_reads_and_writes_do_not_limit_each_other(client: Any, make_table: Any) -> None:
    exhaust(client, make_table())
    client.get_item(TableName="pedidos", Key={"pk": {"S": "hot"}, "sk": {"S": "0"}})


def test_one_hot_partition_leaves_the_others_alone(client: Any, make_table: Any) -> None:
    exhaust(client, make_table())
    hot = lab.partition_of("pedidos", {"pk": "hot"})
    others = [f"k{n}" for n in range(40) if lab.partition_of("pedidos", {"pk": f"k{n}"}) != hot]
    assert len(others) > 20
    for pk in others:
        client.put_item(TableName="pedidos", Item=item(pk, 100))


def test_reads_of_one_key_stop_at_three_thousand_units(client: Any, make_table: Any) -> None:
    """AWS, "Designing partition keys": 20 KB read strongly, 600 times a second."""
    client.put_item(TableName=make_table(), Item=item("a", 20 * KB))
    lab.clock.advance(seconds=1)
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    read = {"TableName": "pedidos", "Key": key, "ConsistentRead": True}
    drive = lab.drive(lambda: client.get_item(**read), per_second=700, seconds=2)
    assert (drive.admitted, drive.refused) == (1200, 200)


def test_one_key_of_ten_kilobyte_items_gets_a_thousand_units_a_second(client: Any, make_table: Any) -> None:
    make_table()
    put = client.put_item
    lab.drive(lambda i: put(TableName="pedidos", Item=item("day", 10 * KB, str(i))), per_second=400, seconds=5)
    load = lab.partition_load("pedidos")
    writes = load[(load["side"] == "write") & (load["partition"] == lab.partition_of("pedidos", {"pk": "day"}))]
    steady = writes[writes["second"] > 0]
    assert steady["admitted_units"].mean() == pytest.approx(1000, rel=0.1)
    assert writes["admitted_requests"].sum() + writes["refused_requests"].sum() == 2000


def test_two_hundred_crc32_suffixes_at_2500_units_lose_nothing(client: Any, make_table: Any) -> None:
    make_table()

    def write(i: int) -> None:
        suffix = zlib.crc32(str(i).encode()) % 200 + 1
        client.put_item(TableName="pedidos", Item=item(f"PEDIDOS#2026-09-06.{suffix}", 1 * KB, str(i)))

    assert lab.drive(write, per_second=2500, seconds=2).refused == 0


def test_a_failed_condition_is_charged_and_changes_nothing(client: Any, make_table: Any) -> None:
    client.put_item(TableName=make_table(), Item=item("a", 5 * KB))
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName="pedidos", Item=item("a", 9 * KB), ConditionExpression="attribute_not_exists(pk)")
    load = lab.partition_load("pedidos")
    assert load["admitted_units"].sum() == 5 + 9
    got = client.get_item(TableName="pedidos", Key={"pk": {"S": "a"}, "sk": {"S": "1"}})
    assert item_size(got["Item"]) == 5 * KB


def test_an_item_over_400_kb_is_refused_and_not_stored(client: Any, make_table: Any) -> None:
    make_table()
    with pytest.raises(ClientError, match="Item size has exceeded the maximum allowed size"):
        client.put_item(TableName="pedidos", Item=item("a", 400 * KB + 1))
    assert client.scan(TableName="pedidos")["Items"] == []


def test_an_update_past_400_kb_leaves_the_item_as_it_was(client: Any, make_table: Any) -> None:
    client.put_item(TableName=make_table(), Item=item("a", 400 * KB - 5))
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    with pytest.raises(ClientError, match="Item size to update has exceeded the maximum allowed size"):
        client.update_item(
            TableName="pedidos",
            Key=key,
            UpdateExpression="SET long_name = :v",
            ExpressionAttributeValues={":v": {"S": "vvvv"}},
        )
    assert sorted(client.get_item(TableName="pedidos", Key=key)["Item"]) == ["pk", "sk", "x"]


def test_an_update_that_fails_half_way_leaves_no_item_behind(client: Any, make_table: Any) -> None:
    make_table()
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    with pytest.raises(ClientError, match="ValidationException"):
        client.update_item(
            TableName="pedidos",
            Key=key,
            UpdateExpression="SET a = :one, b = missing + :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )
    assert client.scan(TableName="pedidos")["Items"] == []


def test_an_unknown_table_is_the_services_error(client: Any) -> None:
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.put_item(TableName="no-such-table", Item=item("a", 100))


def test_a_float_is_refused_by_boto3_itself(client: Any, make_table: Any) -> None:
    table = boto3.resource("dynamodb").Table(make_table())
    with pytest.raises(TypeError, match="Float types are not supported"):
        table.put_item(Item={"pk": "a", "sk": "1", "n": 1.5})
    with pytest.raises(ParamValidationError):
        client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "sk": {"S": "1"}, "n": {"N": 1.5}})
    table.put_item(Item={"pk": "a", "sk": "1", "n": Decimal("1.5")})


def test_a_batch_that_is_partly_refused_returns_the_rest_unprocessed(client: Any, make_table: Any) -> None:
    make_table()
    entries = [{"PutRequest": {"Item": item("hot", 300 * KB, str(n))}} for n in range(6)]
    answer = client.batch_write_item(RequestItems={"pedidos": entries}, ReturnConsumedCapacity="TOTAL")
    # The fourth is admitted with 100 units left and overdraws them: 4 x 300.
    assert answer["UnprocessedItems"] == {"pedidos": entries[4:]}
    assert answer["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 1200.0}]
    stored = client.query(
        TableName="pedidos", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "hot"}}, Limit=10
    )
    assert [row["sk"]["S"] for row in stored["Items"]] == ["0", "1", "2", "3"]  # 1 MB ends the page with the fourth


def test_a_batch_that_is_wholly_refused_raises(client: Any, make_table: Any) -> None:
    exhaust(client, make_table())
    with pytest.raises(client.exceptions.ThrottlingException):
        client.batch_write_item(RequestItems={"pedidos": [{"PutRequest": {"Item": item("hot", 100, "n")}}]})


def test_a_batch_get_rounds_each_item_alone(client: Any, make_table: Any) -> None:
    """AWS, "Capacity consumption for read operations": 1.5 KB and 6.5 KB are 3 strong units."""
    make_table()
    client.put_item(TableName="pedidos", Item=item("a", 1536))
    client.put_item(TableName="pedidos", Item=item("b", 6656))
    keys = [{"pk": {"S": pk}, "sk": {"S": "1"}} for pk in "ab"]
    answer = client.batch_get_item(
        RequestItems={"pedidos": {"Keys": keys, "ConsistentRead": True}}, ReturnConsumedCapacity="TOTAL"
    )
    assert answer["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 3.0}]


def test_a_pool_of_threads_reads_every_shard(client: Any, make_table: Any) -> None:
    make_table()
    for n in range(20):
        client.put_item(TableName="pedidos", Item=item(f"d.{n}", 100))

    def read(n: int) -> int:
        answer = client.query(
            TableName="pedidos",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": f"d.{n}"}},
        )
        count: int = answer["Count"]
        return count

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, range(20))) == [1] * 20


def test_a_provisioned_table_spends_its_burst_and_then_its_rate(client: Any, make_table: Any) -> None:
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
    lab.drive(lambda i: client.put_item(TableName="pedidos", Item=item(f"k{i}", 100)), per_second=100, seconds=25)
    load = lab.partition_load("pedidos")
    by_second = load[load["side"] == "write"].groupby("second")["admitted_units"].sum()
    assert by_second.loc[5] == 100  # burst: 300 seconds of 5 units
    assert by_second.loc[20:].tolist() == [5.0] * 5
    with pytest.raises(client.exceptions.ProvisionedThroughputExceededException) as refused:
        for n in range(10):
            client.put_item(TableName="pedidos", Item=item(f"k{n}", 100))
    assert refused.value.response["ThrottlingReasons"][0]["reason"] == "TableWriteProvisionedThroughputExceeded"


def test_numbers_of_equal_worth_are_one_key(running_lab: None) -> None:
    client = boto3.client("dynamodb")
    client.create_table(
        TableName="numbers",
        KeySchema=[{"AttributeName": "n", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "n", "AttributeType": "N"}],
        BillingMode="PAY_PER_REQUEST",
    )
    places = {lab.partition_of("numbers", {"n": value}) for value in (1, Decimal("1.0"), Decimal("1E0"), {"N": "01"})}
    assert len(places) == 1


@pytest.mark.parametrize(
    ("given", "shown"),
    [("00012.3400", "12.34"), ("1E2", "100"), ("-0", "0"), ("-0.50", "-0.5"), ("1e-3", "0.001"), ("7", "7")],
)
def test_a_number_comes_back_as_the_service_writes_it(client: Any, make_table: Any, given: str, shown: str) -> None:
    make_table()
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    client.put_item(TableName="pedidos", Item={**key, "n": {"N": given}, "l": {"L": [{"M": {"n": {"N": given}}}]}})
    got = client.get_item(TableName="pedidos", Key=key)["Item"]
    assert (got["n"], got["l"]) == ({"N": shown}, {"L": [{"M": {"n": {"N": shown}}}]})


def test_what_an_update_computes_comes_in_one_order_and_form(client: Any, make_table: Any) -> None:
    make_table()
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    client.put_item(TableName="pedidos", Item={**key, "s": {"SS": ["c", "b"]}, "n": {"N": "90"}})
    answer = client.update_item(
        TableName="pedidos",
        Key=key,
        UpdateExpression="ADD s :s SET n = n + :n",
        ExpressionAttributeValues={":s": {"SS": ["d", "a", "e"]}, ":n": {"N": "1E1"}},
        ReturnValues="ALL_NEW",
    )
    assert (answer["Attributes"]["s"], answer["Attributes"]["n"]) == ({"SS": ["a", "b", "c", "d", "e"]}, {"N": "100"})
    assert client.get_item(TableName="pedidos", Key=key)["Item"] == answer["Attributes"]


def test_an_unknown_index_is_the_services_error(client: Any, make_table: Any) -> None:
    make_table()
    with pytest.raises(ClientError, match="ValidationException.*The table does not have the specified index: none"):
        client.query(
            TableName="pedidos",
            IndexName="none",
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "a"}},
        )
