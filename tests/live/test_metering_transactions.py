"""Transactions cost double, happen as a whole or not at all, and are repeated for the price of reading."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.model.sizes import item_size

KB = 1024


def sized(size: int, pk: str, sk: str = "1") -> dict[str, Any]:
    """An item of exactly ``size`` bytes."""
    bare = {"pk": {"S": pk}, "sk": {"S": sk}, "x": {"S": ""}}
    return {**bare, "x": {"S": "x" * (size - item_size(bare))}}


def key(pk: str, sk: str = "1") -> dict[str, Any]:
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def put(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"Put": {"TableName": "pedidos", "Item": item, **more}}


def delete(pk: str, **more: Any) -> dict[str, Any]:
    return {"Delete": {"TableName": "pedidos", "Key": key(pk), **more}}


def check(pk: str, condition: str) -> dict[str, Any]:
    return {"ConditionCheck": {"TableName": "pedidos", "Key": key(pk), "ConditionExpression": condition}}


def get(pk: str, **more: Any) -> dict[str, Any]:
    return {"Get": {"TableName": "pedidos", "Key": key(pk), **more}}


def write(client: Any, *actions: Any, detail: str = "TOTAL", **more: Any) -> Any:
    answer = client.transact_write_items(TransactItems=list(actions), ReturnConsumedCapacity=detail, **more)
    return answer["ConsumedCapacity"]


def admitted(second: int, side: str = "write") -> float:
    load = lab.partition_load("pedidos")
    total: float = load[(load["second"] == second) & (load["side"] == side)]["admitted_units"].sum()
    return total


@pytest.fixture
def table(client: Any, make_table: Any) -> Any:
    make_table()
    return client


def test_a_put_of_1025_bytes_and_a_delete_of_nothing_cost_six(table: Any) -> None:
    assert write(table, put(sized(1025, "a")), delete("b"), detail="INDEXES") == [
        {
            "TableName": "pedidos",
            "CapacityUnits": 6.0,
            "WriteCapacityUnits": 6.0,
            "Table": {"CapacityUnits": 6.0, "WriteCapacityUnits": 6.0},
        }
    ]


def test_three_writes_of_500_bytes_cost_six_and_total_has_no_table(table: Any) -> None:
    consumed = write(table, *(put(sized(500, pk)) for pk in "abc"))
    assert consumed == [{"TableName": "pedidos", "CapacityUnits": 6.0, "WriteCapacityUnits": 6.0}]


def test_a_condition_check_costs_a_write_of_the_item_it_checks(table: Any) -> None:
    table.put_item(TableName="pedidos", Item=sized(1500, "a"))
    consumed = write(table, check("a", "attribute_exists(pk)"), put(sized(100, "b")))
    assert consumed[0]["WriteCapacityUnits"] == 4 + 2


def test_indexes_are_written_once_in_a_transaction(client: Any, make_table: Any) -> None:
    make_table(
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "g")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-g",
                "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    consumed = write(client, put({**key("a"), "g": {"S": "A"}}), detail="INDEXES")
    assert consumed == [
        {
            "TableName": "pedidos",
            "CapacityUnits": 3.0,
            "WriteCapacityUnits": 3.0,
            "Table": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
            "GlobalSecondaryIndexes": {"by-g": {"CapacityUnits": 1.0, "WriteCapacityUnits": 1.0}},
        }
    ]


def test_a_transaction_over_two_tables_lists_both(client: Any, make_table: Any) -> None:
    make_table()
    make_table("stock")
    actions = [put(sized(100, "a")), {"Put": {"TableName": "stock", "Item": sized(2000, "a")}}]
    consumed = write(client, *actions)
    assert {entry["TableName"]: entry["CapacityUnits"] for entry in consumed} == {"pedidos": 2.0, "stock": 4.0}


def test_nothing_is_reported_unless_asked_for(table: Any) -> None:
    assert "ConsumedCapacity" not in table.transact_write_items(TransactItems=[put(sized(100, "a"))])
    assert "ConsumedCapacity" not in table.transact_get_items(TransactItems=[get("a")])


def test_reading_costs_double_missing_items_included(table: Any) -> None:
    table.put_item(TableName="pedidos", Item=sized(500, "a"))
    table.put_item(TableName="pedidos", Item=sized(500, "b"))
    answer = table.transact_get_items(
        TransactItems=[get("a"), get("b", ProjectionExpression="sk"), get("none")], ReturnConsumedCapacity="INDEXES"
    )
    assert answer["ConsumedCapacity"] == [
        {
            "TableName": "pedidos",
            "CapacityUnits": 6.0,
            "ReadCapacityUnits": 6.0,
            "Table": {"CapacityUnits": 6.0, "ReadCapacityUnits": 6.0},
        }
    ]
    assert [entry.get("Item", {}).keys() for entry in answer["Responses"]] == [{"pk", "sk", "x"}, {"sk"}, set()]
    assert admitted(0, "read") == 6


def test_a_read_of_a_transaction_projects_by_names_that_stand_for_attributes(table: Any) -> None:
    table.put_item(TableName="pedidos", Item={**key("a"), "estado": {"S": "nuevo"}})
    named = get("a", ProjectionExpression="#e", ExpressionAttributeNames={"#e": "estado"})
    assert table.transact_get_items(TransactItems=[named])["Responses"] == [{"Item": {"estado": {"S": "nuevo"}}}]


def test_a_token_makes_a_repetition_cost_reads_and_change_nothing(table: Any) -> None:
    actions = [put(sized(1025, "a")), delete("b")]
    assert write(table, *actions, ClientRequestToken="t")[0]["CapacityUnits"] == 6.0
    table.delete_item(TableName="pedidos", Key=key("a"))
    lab.clock.advance(minutes=9)
    assert write(table, *actions, detail="INDEXES", ClientRequestToken="t") == [
        {
            "TableName": "pedidos",
            "CapacityUnits": 4.0,
            "ReadCapacityUnits": 4.0,
            "Table": {"CapacityUnits": 4.0, "ReadCapacityUnits": 4.0},
        }
    ]
    assert "Item" not in table.get_item(TableName="pedidos", Key=key("a"))
    lab.clock.advance(minutes=2)
    assert write(table, *actions, ClientRequestToken="t")[0]["WriteCapacityUnits"] == 6.0
    assert "Item" in table.get_item(TableName="pedidos", Key=key("a"))


def test_a_token_with_another_request_is_refused(table: Any) -> None:
    write(table, put(sized(100, "a")), ClientRequestToken="t")
    with pytest.raises(table.exceptions.IdempotentParameterMismatchException):
        write(table, put(sized(200, "a")), ClientRequestToken="t")


def test_a_fresh_lab_knows_no_tokens(table: Any, make_table: Any) -> None:
    write(table, put(sized(100, "a")), ClientRequestToken="t")
    lab.start(seed=7)
    make_table()
    assert write(table, put(sized(2000, "b")), ClientRequestToken="t")[0]["WriteCapacityUnits"] == 4.0


def test_a_cancelled_transaction_writes_nothing_and_pays_double_for_what_exists(table: Any) -> None:
    table.put_item(TableName="pedidos", Item=sized(5 * KB, "a"))
    lab.clock.advance(seconds=1)
    absent = "attribute_not_exists(pk)"
    with pytest.raises(table.exceptions.TransactionCanceledException) as cancelled:
        write(
            table,
            put(sized(100, "new")),
            put(sized(9 * KB, "a"), ConditionExpression=absent, ReturnValuesOnConditionCheckFailure="ALL_OLD"),
            check("none", "attribute_exists(pk)"),
        )
    response = cancelled.value.response
    assert response["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed, ConditionalCheckFailed]"
    )
    first, second, third = response["CancellationReasons"]
    assert first == {"Code": "None"}
    assert second["Message"] == third["Message"] == "The conditional request failed"
    assert item_size(second["Item"]) == 5 * KB
    assert "Item" not in third
    assert "ConsumedCapacity" not in response
    assert admitted(1) == 2 * (1 + 5 + 1)
    assert "Item" not in table.get_item(TableName="pedidos", Key=key("new"))
    assert admitted(0) == 5  # the table's load is not forgotten


def test_one_failing_condition_on_5_kb_costs_ten(table: Any) -> None:
    table.put_item(TableName="pedidos", Item=sized(5 * KB, "a"))
    lab.clock.advance(seconds=1)
    with pytest.raises(table.exceptions.TransactionCanceledException):
        write(table, put(sized(100, "a"), ConditionExpression="attribute_not_exists(pk)"))
    assert admitted(1) == 10


def test_a_fault_in_the_last_action_undoes_the_first_ones(table: Any) -> None:
    table.put_item(TableName="pedidos", Item=sized(300, "a"))
    too_large = {
        "Update": {
            "TableName": "pedidos",
            "Key": key("c"),
            "UpdateExpression": "SET x = :x",
            "ExpressionAttributeValues": {":x": {"S": "x" * 400 * KB}},
        }
    }
    with pytest.raises(table.exceptions.TransactionCanceledException) as cancelled:
        write(table, put(sized(100, "new")), delete("a"), too_large)
    reason = cancelled.value.response["CancellationReasons"][2]
    assert reason["Code"] == "ValidationError"
    assert "Item size to update has exceeded the maximum allowed size" in reason["Message"]
    assert [item["pk"]["S"] for item in table.scan(TableName="pedidos")["Items"]] == ["a"]


def test_a_throttled_transaction_is_refused_whole_by_an_error_of_its_own(table: Any) -> None:
    for number in range(3):
        table.put_item(TableName="pedidos", Item=sized(400 * KB, "hot", str(number)))
    hot = lab.partition_of("pedidos", {"pk": "hot"})
    cold = next(f"k{n}" for n in range(40) if lab.partition_of("pedidos", {"pk": f"k{n}"}) != hot)
    with pytest.raises(table.exceptions.ThrottlingException) as refused:
        write(table, put(sized(100, cold)), put(sized(100, "hot", "new")))
    assert refused.value.response["throttlingReasons"][0]["reason"] == "TableWriteKeyRangeThroughputExceeded"
    assert "Item" not in table.get_item(TableName="pedidos", Key=key(cold))


def test_a_hundred_actions_are_one_transaction_and_a_hundred_and_one_are_refused(table: Any) -> None:
    assert write(table, *(put(sized(100, f"k{n}")) for n in range(100)))[0]["CapacityUnits"] == 200
    keys = [get(f"k{n}") for n in range(101)]
    assert len(table.transact_get_items(TransactItems=keys[:100])["Responses"]) == 100
    bound = "ValidationException.*Member must have length less than or equal to 100"
    with pytest.raises(ClientError, match=bound):
        table.transact_get_items(TransactItems=keys)
    with pytest.raises(ClientError, match=bound):
        write(table, *(put(sized(100, f"k{n}")) for n in range(101)))


def test_more_than_4_mb_are_refused(table: Any) -> None:
    lab.clock.advance(seconds=1)
    with pytest.raises(ClientError, match="ValidationException"):
        write(table, *(put(sized(350_000, f"k{n}")) for n in range(12)))
    assert table.scan(TableName="pedidos")["Items"] == []


@pytest.mark.parametrize("kind", ["write", "read"])
def test_one_item_twice_is_refused(table: Any, kind: str) -> None:
    with pytest.raises(ClientError, match="Transaction request cannot include multiple operations on one item"):
        if kind == "write":
            write(table, put(sized(100, "a")), delete("a"))
        else:
            table.transact_get_items(TransactItems=[get("a"), get("a")])


def test_an_empty_key_refuses_the_request_and_a_key_of_another_type_cancels_it(table: Any) -> None:
    with pytest.raises(ClientError, match="ValidationException.*cannot contain an empty string value. Key: pk"):
        write(table, delete(""))
    with pytest.raises(table.exceptions.TransactionCanceledException) as cancelled:
        write(table, {"Delete": {"TableName": "pedidos", "Key": {"pk": {"N": "5"}, "sk": {"S": "1"}}}})
    assert cancelled.value.response["CancellationReasons"] == [
        {"Code": "ValidationError", "Message": "The provided key element does not match the schema"}
    ]
    with pytest.raises(table.exceptions.TransactionCanceledException) as cancelled:
        write(table, put({"pk": {"N": "5"}, "sk": {"S": "1"}}))
    assert cancelled.value.response["CancellationReasons"][0]["Message"] == (
        "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N"
    )


def test_an_unknown_table_refuses_the_whole_transaction(table: Any) -> None:
    with pytest.raises(table.exceptions.ResourceNotFoundException):
        write(table, put(sized(100, "a")), {"Put": {"TableName": "unknown", "Item": sized(100, "a")}})
    assert table.scan(TableName="pedidos")["Items"] == []


@pytest.mark.parametrize(("last", "refused"), [(98_304, False), (98_305, True)])
def test_a_transaction_reads_4_mb_and_not_a_byte_more(client: Any, make_table: Any, last: int, refused: bool) -> None:
    """AWS, "Amazon DynamoDB Transactions: How it works": the aggregate size cannot exceed 4 MB."""
    make_table()
    sizes = [400 * KB] * 10 + [last]
    for number, size in enumerate(sizes):
        client.put_item(TableName="pedidos", Item=sized(size, pk=f"pedido-{number}"))
        lab.clock.advance(seconds=2)
    actions = [get(f"pedido-{number}") for number in range(len(sizes))]
    if refused:
        with pytest.raises(ClientError, match="ValidationException"):
            client.transact_get_items(TransactItems=actions)
    else:
        assert len(client.transact_get_items(TransactItems=actions)["Responses"]) == 11
