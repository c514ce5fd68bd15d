"""Global and local secondary indexes: what a write costs in them, and what reading them costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.model.sizes import item_size

KB = 1024
Make = Callable[..., str]


def schema(partition_key: str, sort_key: str | None = None) -> list[dict[str, str]]:
    parts = [{"AttributeName": partition_key, "KeyType": "HASH"}]
    return parts + ([{"AttributeName": sort_key, "KeyType": "RANGE"}] if sort_key else [])


def index(name: str, keys: list[dict[str, str]], projection: str = "ALL", *included: str) -> dict[str, Any]:
    kept: dict[str, Any] = {"ProjectionType": projection}
    if included:
        kept["NonKeyAttributes"] = list(included)
    return {"IndexName": name, "KeySchema": keys, "Projection": kept}


def defined(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def sized(size: int, **attributes: str) -> dict[str, Any]:
    """An item of exactly ``size`` bytes with these string attributes; ``x`` fills it up."""
    bare = {**{name: {"S": value} for name, value in attributes.items()}, "x": {"S": ""}}
    return {**bare, "x": {"S": "x" * (size - item_size(bare))}}


def text(**attributes: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in attributes.items()}


def put(client: Any, item: dict[str, Any], detail: str = "INDEXES") -> dict[str, Any]:
    consumed: dict[str, Any] = client.put_item(TableName="pedidos", Item=item, ReturnConsumedCapacity=detail)[
        "ConsumedCapacity"
    ]
    return consumed


@pytest.fixture
def by_g(client: Any, make_table: Make) -> Any:
    """A table with the index by-g, of keys only."""
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g"),
        GlobalSecondaryIndexes=[index("by-g", schema("g"), "KEYS_ONLY")],
    )
    return client


@pytest.fixture
def both_kinds(client: Any, make_table: Make) -> Any:
    """A table with a global index that includes ``proj`` and a local one of everything."""
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g", "l"),
        GlobalSecondaryIndexes=[index("by-g", schema("g"), "INCLUDE", "proj")],
        LocalSecondaryIndexes=[index("by-l", schema("pk", "l"))],
    )
    return client


def expected(table: float, global_units: float = 0, local_units: float = 0) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "TableName": "pedidos",
        "CapacityUnits": table + global_units + local_units,
        "Table": {"CapacityUnits": table},
    }
    if global_units:
        shape["GlobalSecondaryIndexes"] = {"by-g": {"CapacityUnits": global_units}}
    if local_units:
        shape["LocalSecondaryIndexes"] = {"by-l": {"CapacityUnits": local_units}}
    return shape


ITEM = text(pk="a", sk="1", g="g1", l="l1", proj="p", unseen="o")


def test_an_item_that_gains_the_index_key_is_put_into_the_index(by_g: Any) -> None:
    assert put(by_g, text(pk="a", sk="1")) == expected(1)
    assert put(by_g, text(pk="a", sk="1", g="A")) == expected(1, 1)


def test_an_index_key_that_changes_costs_a_delete_and_a_put(by_g: Any) -> None:
    put(by_g, text(pk="a", sk="1", g="A"))
    assert put(by_g, text(pk="a", sk="1", g="B")) == expected(1, 2)


def test_an_index_key_that_is_removed_and_an_item_that_is_deleted_cost_a_delete(by_g: Any) -> None:
    put(by_g, text(pk="a", sk="1", g="A"))
    put(by_g, text(pk="a", sk="2", g="A"))
    updated = by_g.update_item(
        TableName="pedidos", Key=text(pk="a", sk="1"), UpdateExpression="REMOVE g", ReturnConsumedCapacity="INDEXES"
    )
    deleted = by_g.delete_item(TableName="pedidos", Key=text(pk="a", sk="2"), ReturnConsumedCapacity="INDEXES")
    assert updated["ConsumedCapacity"] == deleted["ConsumedCapacity"] == expected(1, 1)


def test_a_change_of_what_the_index_does_not_hold_costs_nothing_there(by_g: Any) -> None:
    put(by_g, sized(5 * KB, pk="a", sk="1", g="A"))
    assert put(by_g, {**sized(5 * KB, pk="a", sk="1", g="A"), "x": {"S": "y" * 5000}}) == expected(5)


def test_a_change_of_what_the_index_holds_costs_the_size_of_its_entry(client: Any, make_table: Make) -> None:
    make_table(AttributeDefinitions=defined("pk", "sk", "g"), GlobalSecondaryIndexes=[index("by-g", schema("g"))])
    put(client, sized(4 * KB, pk="a", sk="1", g="A"))
    changed = sized(4 * KB, pk="a", sk="1", g="A")
    changed["x"]["S"] = "y" + changed["x"]["S"][1:]
    assert put(client, changed) == expected(4, 4)


def test_fan_out_is_the_sum_of_the_table_and_every_index(client: Any, make_table: Make) -> None:
    """AWS, "Using Global Secondary Indexes": 1.5 KB, an index of everything and one of keys: 2 + 2 + 1."""
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g"),
        GlobalSecondaryIndexes=[index("all", schema("g")), index("keys", schema("g"), "KEYS_ONLY")],
    )
    consumed = put(client, sized(1536, pk="a", sk="1", g="A"))
    assert consumed["CapacityUnits"] == 5
    assert consumed["GlobalSecondaryIndexes"] == {"all": {"CapacityUnits": 2.0}, "keys": {"CapacityUnits": 1.0}}


def test_an_item_that_lacks_one_of_two_index_keys_is_not_in_the_index(client: Any, make_table: Make) -> None:
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g", "h"),
        GlobalSecondaryIndexes=[index("by-g", schema("g", "h"))],
    )
    assert put(client, text(pk="a", sk="1", g="A")) == expected(1)


@pytest.mark.parametrize(
    ("expression", "values", "global_units", "local_units"),
    [
        ("SET unseen = :v", {":v": {"S": "o2"}}, 0, 1),
        ("SET proj = :v", {":v": {"S": "p2"}}, 1, 1),
        ("SET g = :v", {":v": {"S": "g2"}}, 2, 1),
        ("REMOVE g", None, 1, 1),
        ("SET l = :v", {":v": {"S": "l2"}}, 0, 2),
        ("REMOVE l", None, 0, 1),
    ],
)
def test_an_update_costs_in_each_index_what_it_changes_there(
    both_kinds: Any, expression: str, values: Any, global_units: int, local_units: int
) -> None:
    assert put(both_kinds, ITEM) == expected(1, 1, 1)
    answer = both_kinds.update_item(
        TableName="pedidos",
        Key=text(pk="a", sk="1"),
        UpdateExpression=expression,
        ReturnConsumedCapacity="INDEXES",
        **({"ExpressionAttributeValues": values} if values else {}),
    )
    assert answer["ConsumedCapacity"] == expected(1, global_units, local_units)


def test_the_same_item_put_again_costs_no_index_anything(both_kinds: Any) -> None:
    put(both_kinds, ITEM)
    assert put(both_kinds, ITEM) == expected(1)


def test_total_holds_the_indexes_units_without_their_names(both_kinds: Any) -> None:
    assert put(both_kinds, ITEM, "TOTAL") == {"TableName": "pedidos", "CapacityUnits": 3.0}


def test_a_batch_reports_each_table_once_with_the_indexes_that_it_charged(both_kinds: Any) -> None:
    entries = [{"PutRequest": {"Item": text(pk="a", sk="1", g="G")}}, {"PutRequest": {"Item": text(pk="b", sk="1")}}]
    answer = both_kinds.batch_write_item(RequestItems={"pedidos": entries}, ReturnConsumedCapacity="INDEXES")
    assert answer["ConsumedCapacity"] == [expected(2, 1)]


def test_a_failed_condition_costs_the_table_and_no_index(by_g: Any) -> None:
    put(by_g, sized(5 * KB, pk="a", sk="1", g="A"))
    lab.clock.advance(seconds=1)
    with pytest.raises(by_g.exceptions.ConditionalCheckFailedException) as failed:
        by_g.delete_item(
            TableName="pedidos",
            Key=text(pk="a", sk="1"),
            ConditionExpression="attribute_not_exists(pk)",
            ReturnConsumedCapacity="INDEXES",
        )
    assert "ConsumedCapacity" not in failed.value.response
    load = lab.partition_load("pedidos")
    assert load[load["second"] == 1]["admitted_units"].sum() == 5


def test_local_index_writes_load_the_items_partition_and_global_ones_do_not(both_kinds: Any) -> None:
    put(both_kinds, ITEM)
    load = lab.partition_load("pedidos")
    written = load[(load["side"] == "write") & (load["partition"] == lab.partition_of("pedidos", {"pk": "a"}))]
    assert written["admitted_units"].sum() == 2


def test_an_index_added_later_is_charged_from_then_on(client: Any, make_table: Make) -> None:
    make_table()
    put(client, text(pk="a", sk="1", g="A"))
    client.update_table(
        TableName="pedidos",
        AttributeDefinitions=defined("g"),
        GlobalSecondaryIndexUpdates=[{"Create": index("by-g", schema("g"), "KEYS_ONLY")}],
    )
    described = client.describe_table(TableName="pedidos")["Table"]
    assert {entry["AttributeName"] for entry in described["AttributeDefinitions"]} == {"pk", "sk", "g"}
    assert put(client, text(pk="a", sk="1", g="B")) == expected(1, 2)
    lab.clock.advance(minutes=15)
    client.update_table(TableName="pedidos", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    assert put(client, text(pk="a", sk="1", g="C")) == expected(1)


def test_an_index_on_keys_that_the_table_has_is_charged_as_soon_and_as_long_as_it_is_there(
    client: Any, make_table: Make
) -> None:
    """It brings no new attribute, so nothing but the list of indexes changes."""
    make_table()
    assert put(client, text(pk="a", sk="1")) == expected(1)
    turned = index("by-g", schema("sk", "pk"))
    client.update_table(TableName="pedidos", GlobalSecondaryIndexUpdates=[{"Create": turned}])
    assert put(client, text(pk="a", sk="2")) == expected(1, 1)
    lab.clock.advance(minutes=15)
    client.update_table(TableName="pedidos", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    assert put(client, text(pk="a", sk="3")) == expected(1)


# --- reading ------------------------------------------------------------------------------------------------


def ask(client: Any, name: str, attribute: str, value: str, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = client.query(
        TableName="pedidos",
        IndexName=name,
        KeyConditionExpression=f"{attribute} = :v",
        ExpressionAttributeValues={":v": {"S": value}},
        ReturnConsumedCapacity="INDEXES",
        **more,
    )
    return answer


def test_a_query_of_a_global_index_is_charged_to_the_index(by_g: Any) -> None:
    put(by_g, text(pk="a", sk="1", g="A"))
    assert ask(by_g, "by-g", "g", "A")["ConsumedCapacity"] == {
        "TableName": "pedidos",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"by-g": {"CapacityUnits": 0.5}},
    }


def test_a_query_of_a_global_index_reads_its_entries_not_the_items(client: Any, make_table: Make) -> None:
    """AWS, "Using Global Secondary Indexes": eight entries of 2,000 bytes are 2 units."""
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g"),
        GlobalSecondaryIndexes=[index("by-g", schema("g"), "INCLUDE", "x")],
    )
    for number in range(8):
        row = sized(2000, pk="a", sk=f"{number}", g="A")
        client.put_item(TableName="pedidos", Item={**row, "unprojected": {"S": "y" * 3000}})
    answer = ask(client, "by-g", "g", "A")
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 2.0
    assert all("unprojected" not in item for item in answer["Items"])
    only = ask(client, "by-g", "g", "A", ProjectionExpression="sk, x")
    assert [item["sk"] for item in only["Items"]] == [{"S": f"{number}"} for number in range(8)]
    assert only["ConsumedCapacity"] == answer["ConsumedCapacity"]
    with pytest.raises(ClientError, match=r"Global secondary index by-g does not project \[unprojected\]"):
        ask(client, "by-g", "g", "A", ProjectionExpression="sk, unprojected")


@pytest.mark.parametrize("operation", ["query", "scan"])
def test_a_strong_read_of_a_global_index_is_refused(by_g: Any, operation: str) -> None:
    more = (
        {}
        if operation == "scan"
        else {"KeyConditionExpression": "g = :v", "ExpressionAttributeValues": {":v": {"S": "A"}}}
    )
    with pytest.raises(ClientError, match="ValidationException.*Consistent reads are not supported on global"):
        getattr(by_g, operation)(TableName="pedidos", IndexName="by-g", ConsistentRead=True, **more)


def test_all_attributes_of_a_global_index_that_does_not_hold_them_are_refused(by_g: Any) -> None:
    with pytest.raises(ClientError, match="Select type ALL_ATTRIBUTES is not supported for global secondary"):
        ask(by_g, "by-g", "g", "A", Select="ALL_ATTRIBUTES")


@pytest.fixture
def forum(client: Any, make_table: Make) -> Any:
    """The four items of 300 bytes, 200 of them projected, of AWS, "Local secondary indexes"."""
    make_table(
        AttributeDefinitions=defined("pk", "sk", "l"),
        LocalSecondaryIndexes=[index("by-l", schema("pk", "l"), "INCLUDE", "x")],
    )
    for number in range(4):
        row = {**sized(200, pk="a", sk=f"{number}", l="l"), "tags": {"S": "t" * 96}}
        assert item_size(row) == 300
        client.put_item(TableName="pedidos", Item=row)
    return client


@pytest.mark.parametrize(("strong", "expected_units"), [(True, 1.0), (False, 0.5)])
def test_a_query_of_a_local_index_for_what_it_holds(forum: Any, strong: bool, expected_units: float) -> None:
    answer = ask(forum, "by-l", "pk", "a", ConsistentRead=strong)
    assert answer["ConsumedCapacity"] == {
        "TableName": "pedidos",
        "CapacityUnits": expected_units,
        "Table": {"CapacityUnits": 0.0},
        "LocalSecondaryIndexes": {"by-l": {"CapacityUnits": expected_units}},
    }
    assert all("tags" not in item for item in answer["Items"])


@pytest.mark.parametrize(("strong", "table", "entries"), [(True, 4.0, 1.0), (False, 2.0, 0.5)])
def test_a_query_of_a_local_index_fetches_what_it_does_not_hold_from_the_table(
    forum: Any, strong: bool, table: float, entries: float
) -> None:
    for wanted in ({"Select": "ALL_ATTRIBUTES"}, {"ProjectionExpression": "sk, tags"}):
        answer = ask(forum, "by-l", "pk", "a", ConsistentRead=strong, **wanted)
        assert answer["ConsumedCapacity"] == {
            "TableName": "pedidos",
            "CapacityUnits": table + entries,
            "Table": {"CapacityUnits": table},
            "LocalSecondaryIndexes": {"by-l": {"CapacityUnits": entries}},
        }
        assert all(item["tags"] == {"S": "t" * 96} for item in answer["Items"])


def test_reads_of_a_local_index_load_the_tables_partition(forum: Any) -> None:
    lab.clock.advance(seconds=1)
    ask(forum, "by-l", "pk", "a", ConsistentRead=True, Select="ALL_ATTRIBUTES")
    load = lab.partition_load("pedidos")
    assert load[load["side"] == "read"]["admitted_units"].sum() == 5


def test_a_sparse_index_holds_only_the_items_with_its_key(by_g: Any) -> None:
    put(by_g, text(pk="a", sk="1"))
    put(by_g, text(pk="a", sk="2", g="A"))
    answer = by_g.scan(TableName="pedidos", IndexName="by-g", ReturnConsumedCapacity="INDEXES")
    assert [item["sk"]["S"] for item in answer["Items"]] == ["2"]
    assert answer["ConsumedCapacity"]["Table"] == {"CapacityUnits": 0.0}
    assert list(answer["ConsumedCapacity"]["GlobalSecondaryIndexes"]) == ["by-g"]


def test_pages_of_an_index_return_every_entry_once_in_both_directions(client: Any, make_table: Make) -> None:
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g", "h"),
        GlobalSecondaryIndexes=[index("by-g", schema("g", "h"), "KEYS_ONLY")],
    )
    for number in range(9):
        put(client, text(pk=f"p{number % 3}", sk=f"{number}", g="A", h=f"h{number // 4}"))
    for forward in (True, False):
        seen: list[str] = []
        start: dict[str, Any] = {}
        while True:
            page = ask(client, "by-g", "g", "A", Limit=2, ScanIndexForward=forward, **start)
            seen += [item["h"]["S"] + item["pk"]["S"] + item["sk"]["S"] for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                break
            assert sorted(page["LastEvaluatedKey"]) == ["g", "h", "pk", "sk"]
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        assert seen == sorted(seen, reverse=not forward)
        assert len(set(seen)) == 9


def test_an_index_may_have_keys_of_several_attributes(client: Any, make_table: Make) -> None:
    keys = [
        {"AttributeName": name, "KeyType": kind}
        for name, kind in (("g", "HASH"), ("h", "HASH"), ("l", "RANGE"), ("m", "RANGE"))
    ]
    make_table(
        AttributeDefinitions=defined("pk", "sk", "g", "h", "l", "m"),
        GlobalSecondaryIndexes=[index("by-g", keys, "KEYS_ONLY")],
    )
    assert put(client, text(pk="a", sk="1", g="A", h="H", l="1", m="2")) == expected(1, 1)
    assert put(client, text(pk="a", sk="2", g="A", h="H", l="1")) == expected(1)
    assert put(client, text(pk="a", sk="1", g="A", h="I", l="1", m="2")) == expected(1, 2)
    answer = client.query(
        TableName="pedidos",
        IndexName="by-g",
        KeyConditionExpression="g = :g AND h = :h AND l = :l",
        ExpressionAttributeValues={":g": {"S": "A"}, ":h": {"S": "I"}, ":l": {"S": "1"}},
    )
    assert [item["sk"]["S"] for item in answer["Items"]] == ["1"]
    assert client.scan(TableName="pedidos", IndexName="by-g")["Count"] == 1
