"""Where a page of Query and Scan ends, what it costs, and how much BatchGetItem returns."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.model.sizes import item_size, page_size

KB = 1024
PROVISIONED = {
    "BillingMode": "PROVISIONED",
    "ProvisionedThroughput": {"ReadCapacityUnits": 2_000, "WriteCapacityUnits": 900},
}
LONG = "n" * 255


def fill(client: Any, items: list[dict[str, Any]], table: str = "pedidos") -> None:
    for item in items:
        client.put_item(TableName=table, Item=item)
        lab.clock.advance(seconds=1)


def rows(count: int, length: int, attribute: str = "e", **last: int) -> list[dict[str, Any]]:
    """``count`` items of one collection with a value of ``length``; ``last`` gives some of them another length."""
    return [
        {"pk": {"S": "0123456789"}, "sk": {"S": f"{n:02}"}, attribute: {"S": "e" * last.get(f"n{n}", length)}}
        for n in range(count)
    ]


def query(client: Any, **more: Any) -> Any:
    return client.query(
        TableName="pedidos",
        KeyConditionExpression="pk = :p",
        ExpressionAttributeValues={":p": {"S": "0123456789"}},
        Select="COUNT",
        ReturnConsumedCapacity="TOTAL",
        **more,
    )


def test_25_items_of_just_under_1_mb_are_one_page(client: Any, make_table: Any) -> None:
    """41,645 characters under a name of 255: a page does not count names, the units do."""
    make_table(**PROVISIONED)
    fill(client, rows(25, 41_645, LONG))
    page = query(client, Limit=26)
    assert (page["Count"], page["ConsumedCapacity"]["CapacityUnits"]) == (25, 128.0)
    assert "LastEvaluatedKey" not in page


def test_25_items_of_just_over_1_mb_are_one_page_that_says_there_may_be_more(client: Any, make_table: Any) -> None:
    make_table(**PROVISIONED)
    fill(client, rows(25, 41_645, n24=41_646))
    page = query(client)
    assert (page["Count"], page["ConsumedCapacity"]["CapacityUnits"]) == (25, 127.5)
    assert page["LastEvaluatedKey"] == {"pk": {"S": "0123456789"}, "sk": {"S": "24"}}
    rest = query(client, ExclusiveStartKey=page["LastEvaluatedKey"])
    assert (rest["Count"], rest["ConsumedCapacity"]["CapacityUnits"]) == (0, 0.5)


def test_the_item_that_passes_1_mb_is_the_last_of_its_page(client: Any, make_table: Any) -> None:
    make_table(**PROVISIONED)
    fill(client, rows(25, 43_372, LONG, n23=43_387, n24=44_999))
    page = query(client)
    assert (page["Count"], page["ConsumedCapacity"]["CapacityUnits"]) == (25, 133.5)
    fill(client, rows(25, 43_372, n23=43_388, n24=44_999))
    page = query(client)
    assert (page["Count"], page["ConsumedCapacity"]["CapacityUnits"]) == (24, 127.5)
    assert page["LastEvaluatedKey"]["sk"] == {"S": "23"}


@pytest.mark.parametrize(
    ("name", "length", "last", "units", "more"),
    [(LONG, 41_582, 41_582, 128.0, False), ("e", 41_596, 41_597, 127.5, True)],
)
def test_a_scan_ends_where_a_query_does(
    client: Any, make_table: Any, name: str, length: int, last: int, units: float, more: bool
) -> None:
    make_table(**PROVISIONED)
    width = 6 if name == LONG else 5
    items = [
        {"pk": {"S": "0123456789"}, "sk": {"S": f"{n:0{width}}"}, "c": {"S": "abcde"}, name: {"S": "e" * length}}
        for n in range(25)
    ]
    items[24][name] = {"S": "e" * last}
    fill(client, items)
    page = client.scan(TableName="pedidos", Select="COUNT", ReturnConsumedCapacity="TOTAL", Limit=26)
    assert (page["Count"], page["ConsumedCapacity"]["CapacityUnits"]) == (25, units)
    assert ("LastEvaluatedKey" in page) is more


@pytest.mark.parametrize("value", [{"N": "12.3456"}, {"B": b"ab"}, {"SS": ["a", "bc"]}, {"NULL": True}, {"BOOL": True},
                                   {"L": [{"S": "a"}, {"M": {"k": {"N": "1"}}}]}])  # fmt: skip
def test_a_page_counts_a_name_as_one_byte_whatever_its_length(value: dict[str, Any]) -> None:
    assert page_size({"a": value}) == page_size({"a" * 255: value})
    assert item_size({"a": value}) + 254 == item_size({"a" * 255: value})


def test_a_limit_ends_a_page_without_looking_further(client: Any, make_table: Any) -> None:
    make_table(**PROVISIONED)
    fill(client, rows(3, 10))
    assert query(client, Limit=3)["LastEvaluatedKey"]["sk"] == {"S": "02"}
    assert "LastEvaluatedKey" not in query(client, Limit=4)


def test_a_start_key_that_is_no_key_is_refused(client: Any, make_table: Any) -> None:
    make_table()
    with pytest.raises(ClientError, match="ValidationException.*The provided starting key is invalid"):
        query(client, ExclusiveStartKey={"pk": {"S": "a"}})


# --- scans --------------------------------------------------------------------------------------------------


def scan(client: Any, **more: Any) -> Any:
    return client.scan(TableName="pedidos", ReturnConsumedCapacity="TOTAL", **more)


def test_a_scan_of_a_new_on_demand_table_pays_for_each_of_its_four_partitions(client: Any, make_table: Any) -> None:
    """AWS, "DynamoDB read and write operations": an extra charge for the partitions searched, even with no data."""
    make_table()
    assert scan(client)["ConsumedCapacity"]["CapacityUnits"] == 2.0
    assert scan(client, ConsistentRead=True)["ConsumedCapacity"]["CapacityUnits"] == 4.0


def test_a_scan_of_one_partition_costs_what_a_query_does(client: Any, make_table: Any) -> None:
    make_table(**PROVISIONED)
    assert scan(client)["ConsumedCapacity"]["CapacityUnits"] == 0.5
    fill(client, rows(10, 4_000))
    assert scan(client)["ConsumedCapacity"] == query(client)["ConsumedCapacity"]


def test_a_scan_that_ends_early_pays_only_where_it_read(client: Any, make_table: Any) -> None:
    make_table()
    for sk in "12":
        client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "sk": {"S": sk}})
    page = scan(client, Limit=2, ConsistentRead=True, FilterExpression="attribute_exists(nothing)")
    assert (page["Count"], page["ScannedCount"], page["ConsumedCapacity"]["CapacityUnits"]) == (0, 2, 1.0)


def test_the_segments_of_a_parallel_scan_return_every_item_once_and_cost_what_one_scan_does(
    client: Any, make_table: Any
) -> None:
    make_table()
    names = [f"k{n}" for n in range(40)]
    for pk in names:
        client.put_item(TableName="pedidos", Item={"pk": {"S": pk}, "sk": {"S": "1"}})
    pages = [scan(client, Segment=n, TotalSegments=4) for n in range(4)]
    assert sorted(item["pk"]["S"] for page in pages for item in page["Items"]) == sorted(names)
    assert sum(page["ConsumedCapacity"]["CapacityUnits"] for page in pages) == 2.0


def test_pages_of_a_scan_return_every_item_once(client: Any, make_table: Any) -> None:
    make_table()
    names = [f"k{n}" for n in range(25)]
    for pk in names:
        client.put_item(TableName="pedidos", Item={"pk": {"S": pk}, "sk": {"S": "1"}})
    seen: list[str] = []
    start: dict[str, Any] = {}
    while True:
        page = scan(client, Limit=4, **start)
        seen += [item["pk"]["S"] for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert sorted(seen) == sorted(names)


def test_a_scan_loads_each_partition_with_what_it_read_there(client: Any, make_table: Any) -> None:
    make_table()
    client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "sk": {"S": "1"}, "x": {"S": "x" * 9_000}})
    lab.clock.advance(seconds=1)
    scan(client, ConsistentRead=True)
    load = lab.partition_load("pedidos")
    read = load[(load["side"] == "read") & (load["second"] == 1)].set_index("partition")["admitted_units"]
    holder = lab.partition_of("pedidos", {"pk": "a"})
    assert read.to_dict() == {number: 3.0 if number == holder else 1.0 for number in range(4)}


# --- batches ------------------------------------------------------------------------------------------------


def test_a_batch_get_of_a_hundred_items_of_300_kb_returns_52(client: Any, make_table: Any) -> None:
    """AWS, API Reference, "BatchGetItem"."""
    make_table(sort_key=False, **PROVISIONED)
    for n in range(100):
        client.put_item(TableName="pedidos", Item={"pk": {"S": f"{n:03}"}, "x": {"S": "x" * (300 * KB - 6)}})
        lab.clock.advance(seconds=1)
    keys = [{"pk": {"S": f"{n:03}"}} for n in range(100)]
    lab.clock.advance(minutes=5)
    answer = client.batch_get_item(
        RequestItems={"pedidos": {"Keys": keys, "ProjectionExpression": "pk"}}, ReturnConsumedCapacity="TOTAL"
    )
    assert len(answer["Responses"]["pedidos"]) == 52
    assert answer["UnprocessedKeys"]["pedidos"] == {"Keys": keys[52:], "ProjectionExpression": "pk"}
    assert answer["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 52 * 37.5}]


def test_missing_keys_of_a_batch_get_pay_the_minimum(client: Any, make_table: Any) -> None:
    make_table()
    for pk in "ab":
        client.put_item(TableName="pedidos", Item={"pk": {"S": pk}, "sk": {"S": "1"}})
    keys = [{"pk": {"S": pk}, "sk": {"S": "1"}} for pk in "abc"]
    for strong, units in ((False, 1.5), (True, 3.0)):
        answer = client.batch_get_item(
            RequestItems={"pedidos": {"Keys": keys, "ConsistentRead": strong}}, ReturnConsumedCapacity="INDEXES"
        )
        assert answer["ConsumedCapacity"] == [
            {"TableName": "pedidos", "CapacityUnits": units, "Table": {"CapacityUnits": units}}
        ]


def test_a_batch_write_rounds_each_member_alone(client: Any, make_table: Any) -> None:
    """AWS, "DynamoDB read and write operations": 500 bytes and 3.5 KB are 1 + 4."""
    make_table()
    entries = []
    for pk, size in (("a", 500), ("b", 3584)):
        bare = {"pk": {"S": pk}, "sk": {"S": "1"}, "x": {"S": ""}}
        entries.append({"PutRequest": {"Item": {**bare, "x": {"S": "x" * (size - item_size(bare))}}}})
    entries.append({"DeleteRequest": {"Key": {"pk": {"S": "none"}, "sk": {"S": "1"}}}})
    answer = client.batch_write_item(RequestItems={"pedidos": entries}, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 6.0}]


def test_the_name_in_the_answer_is_the_one_that_was_asked_with(client: Any, make_table: Any) -> None:
    make_table()
    arn = client.describe_table(TableName="pedidos")["Table"]["TableArn"]
    answer = client.put_item(TableName=arn, Item={"pk": {"S": "a"}, "sk": {"S": "1"}}, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": arn, "CapacityUnits": 1.0}


def test_a_query_filter_of_the_older_kind_chooses_what_an_expression_would(client: Any, make_table: Any) -> None:
    make_table(**PROVISIONED)
    fill(client, rows(4, 10, n2=20))
    found = client.query(
        TableName="pedidos",
        KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "0123456789"}]}},
        QueryFilter={"e": {"ComparisonOperator": "NE", "AttributeValueList": [{"S": "e" * 10}]}},
    )
    assert ([item["sk"]["S"] for item in found["Items"]], found["ScannedCount"]) == (["02"], 4)
