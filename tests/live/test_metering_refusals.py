"""What the service refuses, and moto by itself would accept or answer in other words."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ParamValidationError

from dynamolab.live import pages
from dynamolab.model.sizes import item_size

KB = 1024
ITEM = {"pk": {"S": "a"}, "sk": {"S": "1"}}
INVALID = "One or more parameter values were invalid: "
NOT_VALID = "One or more parameter values are not valid. "
ENVELOPE = "1 validation error detected: "
LONG_HASH = f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"
LONG_RANGE = f"{INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
TWICE = f'{ENVELOPE}{INVALID}Input collection ["a", "a"] contains duplicates.'
UNITS = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
SCHEMA = "The provided key element does not match the schema"


def refusal(call: Any, **arguments: Any) -> tuple[str, str]:
    with pytest.raises(ClientError) as refused:
        call(**arguments)
    error = refused.value.response["Error"]
    return error["Code"], error["Message"]


def message(call: Any, **arguments: Any) -> str:
    code, text = refusal(call, **arguments)
    assert code == "ValidationException"
    return text


def gsi(name: str, key: str = "g", projection: str = "ALL", *included: str) -> dict[str, Any]:
    kept: dict[str, Any] = {"ProjectionType": projection, **({"NonKeyAttributes": list(included)} if included else {})}
    return {"IndexName": name, "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}], "Projection": kept}


def lsi(name: str, key: str = "g", projection: str = "ALL", *included: str) -> dict[str, Any]:
    index = gsi(name, "pk", projection, *included)
    index["KeySchema"].append({"AttributeName": key, "KeyType": "RANGE"})
    return index


def types(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


# --- keys and items -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"sk": {"S": "1"}}, f"{INVALID}Missing the key pk in the item"),
        ({"pk": {"S": "a"}}, f"{INVALID}Missing the key sk in the item"),
        ({**ITEM, "pk": {"N": "1"}}, f"{INVALID}Type mismatch for key pk expected: S actual: N"),
        (
            {**ITEM, "pk": {"S": ""}},
            f"{NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        ),
        (
            {**ITEM, "sk": {"S": ""}},
            f"{NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: sk",
        ),
        ({**ITEM, "pk": {"S": "é" * 1024 + "x"}}, LONG_HASH),
        ({**ITEM, "sk": {"S": "x" * 1025}}, LONG_RANGE),
        ({**ITEM, "n": {"N": "1e126"}}, f"{ENVELOPE}{OVERFLOW}"),
        ({**ITEM, "n": {"N": "abc"}}, f"{ENVELOPE}The parameter cannot be converted to a numeric value: abc"),
        ({**ITEM, "n": {"N": "1" * 39}}, f"{ENVELOPE}Attempting to store more than 38 significant digits in a Number"),
        ({**ITEM, "s": {"SS": []}}, f"{INVALID}An string set  may not be empty"),
        ({**ITEM, "s": {"SS": ["a", "a"]}}, TWICE),
    ],
)  # fmt: skip
def test_a_put_of_what_no_table_can_hold_is_refused(
    client: Any, make_table: Any, item: dict[str, Any], expected: str
) -> None:
    make_table()
    assert message(client.put_item, TableName="pedidos", Item=item) == expected
    assert client.scan(TableName="pedidos")["Items"] == []


def test_keys_of_exactly_the_longest_length_are_accepted(client: Any, make_table: Any) -> None:
    make_table()
    longest = {"pk": {"S": "x" * 2048}, "sk": {"S": "x" * 1024}}
    client.put_item(TableName="pedidos", Item=longest)
    assert client.get_item(TableName="pedidos", Key=longest)["Item"] == longest


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ({"pk": {"S": "a"}}, SCHEMA),
        ({**ITEM, "more": {"S": "x"}}, SCHEMA),
        ({**ITEM, "pk": {"N": "1"}}, SCHEMA),
        ({**ITEM, "pk": {"S": "x" * 2049}}, LONG_HASH),
        (
            {**ITEM, "pk": {"S": ""}},
            f"{NOT_VALID}The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        ),
    ],
)
@pytest.mark.parametrize("operation", ["get_item", "delete_item", "update_item", "batch_get_item", "batch_write_item"])
def test_a_key_that_no_item_can_have_is_refused(
    client: Any, make_table: Any, operation: str, key: dict[str, Any], expected: str
) -> None:
    make_table()
    arguments: dict[str, Any] = {"TableName": "pedidos", "Key": key}
    if operation == "batch_get_item":
        arguments = {"RequestItems": {"pedidos": {"Keys": [key]}}}
    elif operation == "batch_write_item":
        arguments = {"RequestItems": {"pedidos": [{"DeleteRequest": {"Key": key}}]}}
    assert message(getattr(client, operation), **arguments) == expected


def test_nesting_of_more_than_32_levels_is_refused(client: Any, make_table: Any) -> None:
    make_table()
    value: dict[str, Any] = {"S": "x"}
    for _ in range(31):
        value = {"L": [value]}
    client.put_item(TableName="pedidos", Item={**ITEM, "v": value})
    text = message(client.put_item, TableName="pedidos", Item={**ITEM, "v": {"L": [value]}})
    assert text.startswith("Nesting Levels have exceeded supported limits")


@pytest.mark.parametrize("value", [{"N": "5"}, {"L": [{"S": "x"}]}])
def test_an_index_key_of_another_type_is_refused(client: Any, make_table: Any, value: dict[str, Any]) -> None:
    make_table(AttributeDefinitions=types("pk", "sk", "g"), GlobalSecondaryIndexes=[gsi("by-g")])
    actual = next(iter(value))
    expected = f"{INVALID}Type mismatch for Index Key g Expected: S Actual: {actual} IndexName: by-g"
    assert message(client.put_item, TableName="pedidos", Item={**ITEM, "g": value}) == expected
    client.put_item(TableName="pedidos", Item=ITEM)
    update = {"UpdateExpression": "SET g = :g", "ExpressionAttributeValues": {":g": value}}
    assert message(client.update_item, TableName="pedidos", Key=ITEM, **update) == expected
    assert client.scan(TableName="pedidos")["Items"] == [ITEM]


def test_an_empty_index_key_is_refused(client: Any, make_table: Any) -> None:
    make_table(AttributeDefinitions=types("pk", "sk", "g"), GlobalSecondaryIndexes=[gsi("by-g")])
    assert message(client.put_item, TableName="pedidos", Item={**ITEM, "g": {"S": ""}}) == (
        f"{NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a key "
        "attribute cannot contain an empty string value. IndexName: by-g, IndexKey: g"
    )
    client.put_item(TableName="pedidos", Item=ITEM)
    update = {"UpdateExpression": "SET g = :g", "ExpressionAttributeValues": {":g": {"S": ""}}}
    assert message(client.update_item, TableName="pedidos", Key=ITEM, **update) == (
        f"{NOT_VALID}The update expression attempted to update a secondary index key to a value that is not supported. "
        "The AttributeValue for a key attribute cannot contain an empty string value."
    )


def test_an_item_and_its_local_index_entries_share_400_kb(client: Any, make_table: Any) -> None:
    make_table(AttributeDefinitions=types("pk", "sk", "g"), LocalSecondaryIndexes=[lsi("by-g")])
    item = {**ITEM, "g": {"S": "g"}, "x": {"S": ""}}
    fits = {**item, "x": {"S": "x" * (200 * KB - item_size(item))}}
    client.put_item(TableName="pedidos", Item=fits)
    too_large = {**fits, "x": {"S": fits["x"]["S"] + "x"}}
    expected = "Item size has exceeded the maximum allowed size"
    assert message(client.put_item, TableName="pedidos", Item=too_large) == expected


def test_an_item_of_a_batch_over_400_kb_refuses_the_batch(client: Any, make_table: Any) -> None:
    make_table()
    items = [ITEM, {**ITEM, "sk": {"S": "2"}, "x": {"S": "x" * 410_000}}]
    entries = [{"PutRequest": {"Item": item}} for item in items]
    assert "Item size has exceeded" in message(client.batch_write_item, RequestItems={"pedidos": entries})
    assert client.scan(TableName="pedidos")["Items"] == []


def test_an_update_with_an_invalid_value_is_refused_and_changes_nothing(client: Any, make_table: Any) -> None:
    make_table()
    client.put_item(TableName="pedidos", Item=ITEM)
    update = {"UpdateExpression": "SET n = :n", "ExpressionAttributeValues": {":n": {"N": "1e-131"}}}
    text = message(client.update_item, TableName="pedidos", Key=ITEM, **update)
    assert text.startswith("1 validation error detected: Number underflow.")
    assert client.scan(TableName="pedidos")["Items"] == [ITEM]


def test_an_update_that_says_nothing_makes_an_item_of_its_key(client: Any, make_table: Any) -> None:
    make_table()
    client.update_item(TableName="pedidos", Key=ITEM)
    assert client.scan(TableName="pedidos")["Items"] == [ITEM]
    client.put_item(TableName="pedidos", Item={**ITEM, "x": {"S": "kept"}})
    client.update_item(TableName="pedidos", Key=ITEM)
    assert client.scan(TableName="pedidos")["Items"] == [{**ITEM, "x": {"S": "kept"}}]


# --- expressions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "expression", "expected"),
    [
        ("ConditionExpression", "#x = :v", "An expression attribute name used in the document path is not defined; "
                                           "attribute name: #x"),
        ("FilterExpression", "n = :w", "An expression attribute value used in expression is not defined; "
                                       "attribute value: :w"),
        ("UpdateExpression", "SET #x = :v", "An expression attribute name used in the document path is not defined; "
                                            "attribute name: #x"),
        ("ConditionExpression", "n BETWEEN :v", 'Syntax error; token: "<EOF>", near: ":v"'),
        ("ProjectionExpression", "a,", 'Syntax error; token: "<EOF>", near: ","'),
    ],
)  # fmt: skip
def test_an_expression_that_moto_fails_on_is_refused_as_the_service_refuses_it(
    client: Any, make_table: Any, member: str, expression: str, expected: str
) -> None:
    make_table()
    calls: dict[str, tuple[Any, dict[str, Any]]] = {
        "ConditionExpression": (client.put_item, {"Item": ITEM}),
        "FilterExpression": (client.scan, {}),
        "UpdateExpression": (client.update_item, {"Key": ITEM}),
        "KeyConditionExpression": (client.query, {}),
        "ProjectionExpression": (client.get_item, {"Key": ITEM}),
    }
    client.put_item(TableName="pedidos", Item=ITEM)
    call, more = calls[member]
    if member != "ProjectionExpression":
        more = {**more, "ExpressionAttributeValues": {":v": {"S": "a"}}}
    assert message(call, TableName="pedidos", **{member: expression}, **more) == f"Invalid {member}: {expected}"
    assert client.scan(TableName="pedidos")["Items"] == [ITEM]


def test_a_malformed_condition_in_a_transaction_is_refused_too(client: Any, make_table: Any) -> None:
    make_table()
    put = {"TableName": "pedidos", "Item": ITEM, "ConditionExpression": "attribute_exists(#x)"}
    text = message(client.transact_write_items, TransactItems=[{"Put": put}])
    assert text.endswith("attribute name: #x")
    assert client.scan(TableName="pedidos")["Items"] == []


def test_a_fault_of_the_lab_itself_is_not_taken_for_the_learner_s(
    client: Any, make_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_table()

    def fails(*_: Any, **__: Any) -> Any:
        raise KeyError("#x")

    monkeypatch.setattr(pages, "query", fails)
    monkeypatch.setitem(fails.__globals__, "__name__", "dynamolab.live.pages")
    with pytest.raises(KeyError):
        client.query(
            TableName="pedidos", KeyConditionExpression="pk = :v", ExpressionAttributeValues={":v": {"S": "a"}}
        )


# --- batches ------------------------------------------------------------------------------------------------


def test_26_writes_are_too_many(client: Any, make_table: Any) -> None:
    make_table()
    entries = [{"PutRequest": {"Item": {**ITEM, "sk": {"S": f"{n}"}}}} for n in range(26)]
    lax = boto3.client("dynamodb", config=Config(parameter_validation=False))
    assert message(lax.batch_write_item, RequestItems={"pedidos": entries}).endswith(
        "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
        "Member must have length greater than or equal to 1]"
    )
    make_table("stock")
    spread = {"pedidos": entries[:13], "stock": entries[13:]}
    expected = "Too many items requested for the BatchWriteItem call"
    assert message(client.batch_write_item, RequestItems=spread) == expected


def test_101_gets_are_too_many(client: Any, make_table: Any) -> None:
    make_table()
    keys = [{**ITEM, "sk": {"S": f"{n}"}} for n in range(101)]
    lax = boto3.client("dynamodb", config=Config(parameter_validation=False))
    assert message(lax.batch_get_item, RequestItems={"pedidos": {"Keys": keys}}) == (
        "1 validation error detected: Value at 'RequestItems.pedidos.member.Keys' failed to satisfy constraint: "
        "Member must have length less than or equal to 100"
    )
    make_table("stock")
    spread = {"pedidos": {"Keys": keys[:51]}, "stock": {"Keys": keys[51:]}}
    assert message(client.batch_get_item, RequestItems=spread) == "Too many items requested for the BatchGetItem call"


def test_one_item_twice_in_a_batch_is_refused(client: Any, make_table: Any) -> None:
    make_table()
    expected = "Provided list of item keys contains duplicates"
    both = [{"PutRequest": {"Item": {**ITEM, "x": {"S": "x"}}}}, {"DeleteRequest": {"Key": ITEM}}]
    assert message(client.batch_write_item, RequestItems={"pedidos": both}) == expected
    assert message(client.batch_get_item, RequestItems={"pedidos": {"Keys": [ITEM, ITEM]}}) == expected


# --- tables and indexes -------------------------------------------------------------------------------------


def test_names_of_under_three_characters_or_with_others_than_allowed_are_refused(client: Any, make_table: Any) -> None:
    too_short = "TableName must be at least 3 characters long and at most 255 characters long"
    assert message(make_table, name="ab") == too_short
    assert message(make_table, name="x" * 256) == too_short
    assert message(client.update_table, TableName="ab", BillingMode="PAY_PER_REQUEST") == too_short
    assert message(make_table, name="orders!") == (
        "1 validation error detected: Value 'orders!' at 'tableName' failed to satisfy constraint: "
        "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
    )
    more = {"AttributeDefinitions": types("pk", "sk", "g"), "GlobalSecondaryIndexes": [gsi("g")]}
    lax = boto3.client("dynamodb", config=Config(parameter_validation=False))
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    text = message(lax.create_table, TableName="pedidos", KeySchema=keys, BillingMode="PAY_PER_REQUEST", **more)
    assert text == (
        "1 validation error detected: Value 'g' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy "
        "constraint: Member must have length greater than or equal to 3"
    )
    assert client.list_tables()["TableNames"] == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            {"GlobalSecondaryIndexes": [gsi(f"index{n}") for n in range(21)]},
            f"{INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20",
        ),
        (
            {"LocalSecondaryIndexes": [lsi(f"index{n}") for n in range(6)]},
            f"{INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5",
        ),
        ({"GlobalSecondaryIndexes": [gsi("same"), gsi("same")]}, f"{INVALID}Duplicate index name: same"),
        (
            {"GlobalSecondaryIndexes": [gsi("by-g", "g", "KEYS_ONLY", "x")]},
            f"{INVALID}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
        ),
        (
            {"GlobalSecondaryIndexes": [gsi("by-g", "g", "INCLUDE")]},
            f"{INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        ),
    ],
)
def test_a_table_with_indexes_that_cannot_be_is_refused(
    client: Any, make_table: Any, more: dict[str, Any], expected: str
) -> None:
    assert message(make_table, AttributeDefinitions=types("pk", "sk", "g"), **more) == expected


def test_a_table_without_keys_or_definitions_is_refused(client: Any) -> None:
    lax = boto3.client("dynamodb", config=Config(parameter_validation=False))
    assert message(lax.create_table, TableName="pedidos", BillingMode="PAY_PER_REQUEST") == (
        "2 validation errors detected: Value null at 'keySchema' failed to satisfy constraint: Member must not be "
        "null; Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null"
    )
    assert message(lax.create_table) == "The parameter 'TableName' is required but was not present in the request"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            {"GlobalSecondaryIndexes": [{**gsi("by-g"), "ProvisionedThroughput": UNITS}]},
            f"{INVALID}ProvisionedThroughput should not be specified for index: by-g when BillingMode is "
            "PAY_PER_REQUEST",
        ),
        (
            {
                "GlobalSecondaryIndexes": [gsi("by-g")],
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": UNITS,
            },
            f"{INVALID}ProvisionedThroughput is not specified for index: by-g",
        ),
        (
            {"BillingMode": "PROVISIONED"},
            f"{INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
        ),
        (
            {"LocalSecondaryIndexes": [{**lsi("by-g"), "KeySchema": lsi("by-g")["KeySchema"][::-1]}]},
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        ),
    ],
)
def test_a_definition_that_contradicts_itself_is_refused(
    client: Any, make_table: Any, more: dict[str, Any], expected: str
) -> None:
    definitions = types("pk", "sk", "g") if len(more) != 1 or "BillingMode" not in more else types("pk", "sk")
    assert message(make_table, AttributeDefinitions=definitions, **more) == expected
    assert client.list_tables()["TableNames"] == []


def test_tables_are_listed_by_name_in_pages(client: Any, make_table: Any) -> None:
    for name in ("stock", "pedidos", "clientes"):
        make_table(name)
    assert client.list_tables()["TableNames"] == ["clientes", "pedidos", "stock"]
    first = client.list_tables(Limit=2)
    assert (first["TableNames"], first["LastEvaluatedTableName"]) == (["clientes", "pedidos"], "pedidos")
    rest = client.list_tables(ExclusiveStartTableName="pedidos")
    assert (rest["TableNames"], "LastEvaluatedTableName" in rest) == (["stock"], False)
    assert client.list_tables(ExclusiveStartTableName="no-such-table")["TableNames"] == ["pedidos", "stock"]


def test_a_table_that_is_not_there_is_named(client: Any) -> None:
    for call, more in ((client.delete_table, {}), (client.update_table, {"BillingMode": "PAY_PER_REQUEST"})):
        assert refusal(call, TableName="pedidos", **more) == (
            "ResourceNotFoundException",
            "Requested resource not found: Table: pedidos not found",
        )


def test_projections_of_more_than_100_attributes_in_all_are_refused(client: Any, make_table: Any) -> None:
    def indexes(*counts: int) -> list[dict[str, Any]]:
        return [gsi(f"index{n}", "g", "INCLUDE", *(f"a{m}" for m in range(count))) for n, count in enumerate(counts)]

    make_table(AttributeDefinitions=types("pk", "sk", "g"), GlobalSecondaryIndexes=indexes(20, 20, 20, 20, 20))
    text = message(
        make_table,
        name="other",
        AttributeDefinitions=types("pk", "sk", "g"),
        GlobalSecondaryIndexes=indexes(20, 20, 20, 20, 20, 1),
    )
    assert "101" in text
    create = gsi("more", "g", "INCLUDE", "z")
    assert "101" in message(client.update_table, TableName="pedidos", GlobalSecondaryIndexUpdates=[{"Create": create}])


def test_a_local_index_needs_a_sort_key_and_the_tables_partition_key(client: Any, make_table: Any) -> None:
    text = message(
        make_table, sort_key=False, AttributeDefinitions=types("pk", "g"), LocalSecondaryIndexes=[lsi("by-g")]
    )
    assert text.startswith(f"{INVALID}Table KeySchema does not have a range key")


def test_a_local_index_cannot_be_added_later(client: Any, make_table: Any) -> None:
    make_table()
    with pytest.raises(ParamValidationError):
        client.update_table(TableName="pedidos", LocalSecondaryIndexes=[lsi("by-g")])
    lax = boto3.client("dynamodb", config=Config(parameter_validation=False))
    # Over the wire the member is passed over as unknown, and nothing is left to change.
    text = message(lax.update_table, TableName="pedidos")
    assert text.startswith("At least one of ProvisionedThroughput, BillingMode,")


def test_global_indexes_come_and_go_one_at_a_time(client: Any, make_table: Any) -> None:
    make_table()
    two = [{"Create": gsi("one")}, {"Create": gsi("two")}]
    code, text = refusal(
        client.update_table, TableName="pedidos", AttributeDefinitions=types("g"), GlobalSecondaryIndexUpdates=two
    )
    assert (code, text) == (
        "LimitExceededException",
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
    )
    assert client.describe_table(TableName="pedidos")["Table"].get("GlobalSecondaryIndexes", []) == []


def test_the_21st_global_index_is_over_the_tables_limit(client: Any, make_table: Any) -> None:
    indexes = [gsi(f"index{n}") for n in range(20)]
    make_table(AttributeDefinitions=types("pk", "sk", "g"), GlobalSecondaryIndexes=indexes)
    create = [{"Create": gsi("more")}]
    code, text = refusal(client.update_table, TableName="pedidos", GlobalSecondaryIndexUpdates=create)
    assert code == "LimitExceededException"
    assert text == "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"


def test_time_to_live_is_refused_on_a_key_and_when_it_is_on_already(client: Any, make_table: Any) -> None:
    make_table()

    def live(name: str, enabled: bool = True) -> dict[str, Any]:
        return {"TableName": "pedidos", "TimeToLiveSpecification": {"AttributeName": name, "Enabled": enabled}}

    assert "pk" in message(client.update_time_to_live, **live("pk"))
    client.update_time_to_live(**live("caduca"))
    assert message(client.update_time_to_live, **live("caduca")) == "TimeToLive is already enabled"
    assert message(client.update_time_to_live, **live("other")) == (
        "TimeToLive is active on a different AttributeName: current AttributeName is caduca"
    )


def test_an_unknown_detail_is_refused_by_every_operation_on_items(client: Any, make_table: Any) -> None:
    make_table()
    put = {"Put": {"TableName": "pedidos", "Item": ITEM}}
    calls: dict[str, dict[str, Any]] = {
        "get_item": {"TableName": "pedidos", "Key": ITEM},
        "scan": {"TableName": "pedidos"},
        "batch_write_item": {"RequestItems": {"pedidos": [{"PutRequest": {"Item": ITEM}}]}},
        "transact_write_items": {"TransactItems": [put]},
        "execute_statement": {"Statement": "SELECT * FROM pedidos"},
    }
    for operation, arguments in calls.items():
        text = message(getattr(client, operation), ReturnConsumedCapacity="DUMMY", **arguments)
        assert "Value 'DUMMY' at 'returnConsumedCapacity' failed to satisfy constraint" in text
    assert client.scan(TableName="pedidos")["Items"] == []


@pytest.mark.parametrize(
    ("name", "accepted"),
    [("x" * 65_535, True), ("x" * 65_536, False), ("ñ" * 32_767 + "x", True), ("ñ" * 32_768, False)],
)
def test_an_attribute_s_name_has_at_most_65535_bytes(client: Any, make_table: Any, name: str, accepted: bool) -> None:
    make_table()
    item = {"pk": {"S": "a"}, "sk": {"S": "1"}, name: {"S": "value"}}
    if accepted:
        client.put_item(TableName="pedidos", Item=item)
    else:
        with pytest.raises(ClientError, match="from 1 to 65535 bytes, not 65536"):
            client.put_item(TableName="pedidos", Item=item)
    assert client.scan(TableName="pedidos")["Count"] == accepted
