"""Client and resource taken for each other, and mistakes that nobody reports."""

from __future__ import annotations

from boto3.dynamodb.conditions import Attr, Key

import dynamolab as lab
from live.mistakes_world import BOTO, DYNALITE, PARITY, REPORTED, SILENT, Mistake, World

V = {":v": {"S": "x"}}
N = {":n": {"N": "1"}}


def expiring(w: World, value: str, kind: str = "N") -> int:
    """How many of one item with that expiry are left after 30 days."""
    wanted = {"AttributeName": "expires", "Enabled": True}
    w.client.update_time_to_live(TableName="orders", TimeToLiveSpecification=wanted)
    lab.clock.advance(hours=2)
    w.client.put_item(TableName="orders", Item={"pk": {"S": "t"}, "sk": {"S": "1"}, "expires": {kind: value}})
    lab.clock.advance(days=30)
    return int(w.query("pk = :v", {":v": {"S": "t"}}, Select="COUNT")["Count"])


def filled(w: World, count: int = 3, size: int = 10) -> None:
    """Items of one partition key, one a second."""
    for n in range(count):
        w.client.put_item(TableName="orders", Item={"pk": {"S": "f"}, "sk": {"S": str(n)}, "v": {"S": "x" * size}})
        lab.clock.advance(seconds=1)


def in_a_minute() -> int:
    """Epoch seconds."""
    return int(lab.clock.time()) + 60


ROWS = [
    Mistake(
        "a Table given to the client",
        lambda w: w.client.get_item(TableName=w.table, Key=w.key),
        "EndpointResolutionError: Value (ResourceArn) is the wrong type. Must be <class 'str'>.",
        BOTO,
    ),
    Mistake(
        "plain values given to the client",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": "a", "sk": "1"}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.pk, value: a, type: <class 'str'>, valid types: <class 'dict'>\nInvalid type "
            "for parameter Item.sk, value: 1, type: <class 'str'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "TableName given to a Table",
        lambda w: w.table.get_item(TableName="orders", Key=w.plain_key)["Item"]["sk"],
        "accepted: 1",
        SILENT,
    ),
    Mistake(
        "typed values given to the resource as key",
        lambda w: w.table.get_item(Key=w.key),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "typed values given to the resource as item",
        lambda w: w.table.put_item(Item=w.key),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "key pk expected: S actual: M"
        ),
        PARITY,
    ),
    Mistake(
        "a typed attribute given to the resource",
        lambda w: [w.table.put_item(Item={**w.plain_key, "city": {"S": "Leeds"}}), w.get()["Item"]["city"]][1],
        "accepted: {'M': {'S': {'S': 'Leeds'}}}",
        SILENT,
    ),
    Mistake(
        "a condition object given to the client",
        lambda w: w.client.query(TableName="orders", KeyConditionExpression=Key("pk").eq("a")),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "KeyConditionExpression, value: <boto3.dynamodb.conditions.Equals object>, type: "
            "<class 'boto3.dynamodb.conditions.Equals'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "a condition object for an update",
        lambda w: w.table.update_item(Key=w.plain_key, UpdateExpression=Attr("a").eq(1)),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "UpdateExpression, value: <boto3.dynamodb.conditions.Equals object>, type: <class "
            "'boto3.dynamodb.conditions.Equals'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "Attr in a key condition",
        lambda w: w.table.query(KeyConditionExpression=Attr("pk").eq("a")),
        (
            "DynamoDBNeedsKeyConditionError: Attribute object pk is of type <class "
            "'boto3.dynamodb.conditions.Attr'>. KeyConditionExpression only supports Attribute "
            "objects of type Key"
        ),
        BOTO,
    ),
    Mistake(
        "Key in a filter", lambda w: w.table.scan(FilterExpression=Key("pk").eq("a"))["Count"], "accepted: 1", SILENT
    ),
    Mistake(
        "and between condition objects",
        lambda w: w.table.query(KeyConditionExpression=Key("pk").eq("a") and Key("sk").eq("1")),
        "ValidationException: Query condition missed key schema element: pk",
        PARITY,
    ),
    Mistake(
        "a condition object that is no condition",
        lambda w: w.table.scan(FilterExpression=Attr("a")),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "FilterExpression, value: <boto3.dynamodb.conditions.Attr object>, type: <class "
            "'boto3.dynamodb.conditions.Attr'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "a bare bool in a filter",
        lambda w: w.table.scan(FilterExpression=Attr("a") == 1),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "FilterExpression, value: False, type: <class 'bool'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "& with a string",
        lambda w: w.table.query(KeyConditionExpression=Key("pk").eq("a") & "sk = 1"),
        (
            "DynamoDBOperationNotSupportedError: AND operation cannot be applied to value sk = 1 "
            "of type <class 'str'> directly. Must use AttributeBase object methods (i.e. "
            "Attr().eq()). to generate ConditionBase instances first."
        ),
        BOTO,
    ),
    Mistake(
        "an operation of the client on the Table",
        lambda w: w.table.transact_write_items(TransactItems=[]),
        "AttributeError: 'dynamodb.Table' object has no attribute 'transact_write_items'",
        BOTO,
    ),
    Mistake(
        "batch_writer of the client",
        lambda w: w.client.batch_writer(),
        "AttributeError: 'DynamoDB' object has no attribute 'batch_writer'",
        BOTO,
    ),
    Mistake(
        "a Table of a table that does not exist",
        lambda w: w.resource.Table("order").put_item(Item=w.plain_key),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "item_count of a table that does not exist",
        lambda w: w.resource.Table("order").item_count,
        "ResourceNotFoundException: Requested resource not found: Table: order not found",
        DYNALITE,
    ),
    Mistake(
        "a float in a filter of the resource",
        lambda w: w.table.scan(FilterExpression=Attr("price").gt(1.5)),
        "TypeError: Float types are not supported. Use Decimal types instead.",
        BOTO,
    ),
    Mistake(
        "an unknown parameter",
        lambda w: w.client.scan(TableName="orders", Filter="x = :v"),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in input: "
            '"Filter", must be one of: TableName, IndexName, AttributesToGet, Limit, Select, '
            "ScanFilter, ConditionalOperator, ExclusiveStartKey, ReturnConsumedCapacity, "
            "TotalSegments, Segment, ProjectionExpression, FilterExpression, "
            "ExpressionAttributeNames, ExpressionAttributeValues, ConsistentRead"
        ),
        BOTO,
    ),
    Mistake(
        "a parameter in small letters",
        lambda w: w.client.scan(tablename="orders"),
        (
            "ParamValidationError: Parameter validation failed:\nMissing required parameter in "
            'input: "TableName"\nUnknown parameter in input: "tablename", must be one of: '
            "TableName, IndexName, AttributesToGet, Limit, Select, ScanFilter, "
            "ConditionalOperator, ExclusiveStartKey, ReturnConsumedCapacity, TotalSegments, "
            "Segment, ProjectionExpression, FilterExpression, ExpressionAttributeNames, "
            "ExpressionAttributeValues, ConsistentRead"
        ),
        BOTO,
    ),
    Mistake(
        "positional arguments",
        lambda w: w.client.scan("orders"),
        "TypeError: scan() only accepts keyword arguments.",
        BOTO,
    ),
    Mistake(
        "an unknown operation",
        lambda w: w.client.putItem(TableName="orders", Item=w.key),
        "AttributeError: 'DynamoDB' object has no attribute 'putItem'",
        BOTO,
    ),
    Mistake(
        "an unknown paginator",
        lambda w: w.client.get_paginator("get_item"),
        "OperationNotPageableError: Operation cannot be paginated: get_item",
        BOTO,
    ),
    Mistake(
        "an unknown waiter",
        lambda w: w.client.get_waiter("table_active"),
        "ValueError: Waiter does not exist: table_active",
        BOTO,
    ),
    Mistake(
        "a malformed ARN as table's name",
        lambda w: w.client.scan(TableName="arn:aws:dynamodb:eu-west-1:orders"),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "an ARN of another account",
        lambda w: w.client.scan(TableName="arn:aws:dynamodb:eu-west-1:999999999999:table/orders"),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "an ARN of another region",
        lambda w: w.client.scan(TableName="arn:aws:dynamodb:us-east-1:123456789012:table/orders"),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "bytes given to the resource",
        lambda w: [
            w.table.put_item(Item={**w.plain_key, "b": b"x"}),
            w.table.get_item(Key=w.plain_key)["Item"]["b"].value,
        ][1],
        "accepted: b'x'",
        SILENT,
    ),
    Mistake(
        "an int of the resource comes back",
        lambda w: [w.table.put_item(Item={**w.plain_key, "n": 5}), w.table.get_item(Key=w.plain_key)["Item"]["n"]][1],
        "accepted: 5",
        SILENT,
    ),
    Mistake(
        "TTL in milliseconds: nothing is ever deleted",
        lambda w: expiring(w, str(in_a_minute() * 1000)),
        "accepted: 1",
        SILENT,
    ),
    Mistake(
        "TTL as a date in words: nothing is ever deleted",
        lambda w: expiring(w, "2026-09-06T11:00:00Z", "S"),
        "accepted: 1",
        SILENT,
    ),
    Mistake(
        "TTL as a number in a string: nothing is ever deleted",
        lambda w: expiring(w, str(in_a_minute()), "S"),
        "accepted: 1",
        SILENT,
    ),
    Mistake(
        "TTL in seconds, for comparison: deleted", lambda w: expiring(w, str(in_a_minute())), "accepted: 0", SILENT
    ),
    Mistake(
        "an update of a mistyped key makes a new item",
        lambda w: [
            w.update("SET v = :v", V, Key={"pk": {"S": "A"}, "sk": {"S": "1"}}),
            w.scan(Select="COUNT")["Count"],
        ][1],
        "accepted: 2",
        SILENT,
    ),
    Mistake(
        "a delete of a mistyped key deletes nothing and says nothing",
        lambda w: [
            w.client.delete_item(TableName="orders", Key={"pk": {"S": "A"}, "sk": {"S": "1"}}),
            w.scan(Select="COUNT")["Count"],
        ][1],
        "accepted: 1",
        SILENT,
    ),
    Mistake(
        "a put erases the attributes that it does not name",
        lambda w: [w.put({"price": {"N": "8"}}), sorted(w.get()["Item"])][1],
        "accepted: ['pk', 'price', 'sk']",
        SILENT,
    ),
    Mistake(
        "a get of an item that is not there has no Item",
        lambda w: "Item" in w.get(Key={"pk": {"S": "A"}, "sk": {"S": "1"}}),
        "accepted: False",
        SILENT,
    ),
    Mistake(
        "a filter is applied after the page is read and paid",
        lambda w: [
            filled(w, 3, 4096),
            (
                r := w.query(
                    "pk = :v",
                    {":v": {"S": "f"}, ":n": {"N": "1"}},
                    FilterExpression="price = :n",
                    ReturnConsumedCapacity="TOTAL",
                )
            )["Count"],
            r["ConsumedCapacity"]["CapacityUnits"],
        ][1:],
        "accepted: [0, 2.0]",
        SILENT,
    ),
    Mistake(
        "Limit counts what is read, not what the filter lets pass",
        lambda w: [
            filled(w),
            (r := w.query("pk = :v", {":v": {"S": "f"}, ":l": {"S": "1"}}, Limit=1, FilterExpression="v = :l"))[
                "Count"
            ],
            "LastEvaluatedKey" in r,
        ][1:],
        "accepted: [0, True]",
        SILENT,
    ),
    Mistake(
        "a first page taken for the whole",
        lambda w: [
            filled(w, 5, 300_000),
            (r := w.query("pk = :v", {":v": {"S": "f"}}, Select="COUNT"))["Count"],
            "LastEvaluatedKey" in r,
        ][1:],
        "accepted: [4, True]",
        SILENT,
    ),
    Mistake(
        "numbers as strings are in the order of text",
        lambda w: [
            [w.client.put_item(TableName="orders", Item={"pk": {"S": "n"}, "sk": {"S": s}}) for s in ("9", "10")],
            [i["sk"]["S"] for i in w.query("pk = :v", {":v": {"S": "n"}})["Items"]],
        ][1],
        "accepted: ['10', '9']",
        SILENT,
    ),
    Mistake(
        "a number compared with a string is no match",
        lambda w: w.scan("price = :v", {":v": {"S": "7"}})["Count"],
        "accepted: 0",
        SILENT,
    ),
    Mistake(
        "a comparison with an attribute that is absent is no match",
        lambda w: w.scan("absent < :n", N)["Count"],
        "accepted: 0",
        SILENT,
    ),
    Mistake(
        "<> matches what has no such attribute", lambda w: w.scan("absent <> :n", N)["Count"], "accepted: 1", SILENT
    ),
    Mistake(
        "a condition on an item that is not there fails",
        lambda w: w.update(
            "SET v = :v", V, Key={"pk": {"S": "A"}, "sk": {"S": "1"}}, ConditionExpression="attribute_exists(pk)"
        ),
        "ConditionalCheckFailedException: The conditional request failed",
        REPORTED,
    ),
    Mistake(
        "an item without the index's key is not in the index",
        lambda w: w.scan(IndexName="by-customer", Select="COUNT")["Count"],
        "accepted: 0",
        SILENT,
    ),
    Mistake(
        "a SELECT without a key reads the whole table",
        lambda w: [
            filled(w, 3, 4096),
            w.run("SELECT * FROM \"orders\" WHERE v = 'x'", ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"][
                "CapacityUnits"
            ],
        ][1],
        "accepted: 3.5",
        SILENT,
    ),
    Mistake(
        "writes that were not admitted come back unprocessed",
        lambda w: len(
            w.client.batch_write_item(
                RequestItems={
                    "slow": [
                        {"PutRequest": {"Item": {"pk": {"S": str(n)}, "v": {"S": "x" * 390_000}}}} for n in range(8)
                    ]
                }
            )["UnprocessedItems"]["slow"]
        ),
        "accepted: 5",
        SILENT,
    ),
    Mistake(
        "an empty string is a value like others",
        lambda w: [w.put({"v": {"S": ""}}), w.get()["Item"]["v"]][1],
        "accepted: {'S': ''}",
        SILENT,
    ),
    Mistake(
        "1.0 comes back as 1",
        lambda w: [w.put({"v": {"N": "1.0"}}), w.get()["Item"]["v"]][1],
        "accepted: {'N': '1'}",
        SILENT,
    ),
]
