"""Values and keys that DynamoDB does not take."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from live.mistakes_world import BOTO, DYNALITE, OURS, PARITY, SILENT, Mistake


def deep(levels: int) -> dict[str, Any]:
    """A string inside that many lists."""
    value: dict[str, Any] = {"S": "x"}
    for _ in range(levels):
        value = {"L": [value]}
    return value


ROWS = [
    Mistake(
        "a float in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": 1.5}),
        "TypeError: Float types are not supported. Use Decimal types instead.",
        BOTO,
    ),
    Mistake(
        "a float inside a list in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": [{"p": 0.1}]}),
        "TypeError: Float types are not supported. Use Decimal types instead.",
        BOTO,
    ),
    Mistake(
        "a float as key in the resource",
        lambda w: w.resource.Table("numbers").get_item(Key={"pk": 1.0}),
        "TypeError: Float types are not supported. Use Decimal types instead.",
        BOTO,
    ),
    Mistake(
        "a Decimal made of a float",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": Decimal(0.1)}),
        "Inexact: [<class 'decimal.Inexact'>, <class 'decimal.Rounded'>]",
        BOTO,
    ),
    Mistake(
        "a Decimal of 39 digits",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": Decimal("1" * 39)}),
        "Inexact: [<class 'decimal.Inexact'>, <class 'decimal.Rounded'>]",
        BOTO,
    ),
    Mistake(
        "Decimal NaN",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": Decimal("NaN")}),
        "TypeError: Infinity and NaN not supported",
        BOTO,
    ),
    Mistake(
        "a Decimal too large",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": Decimal("1E127")}),
        "Overflow: [<class 'decimal.Overflow'>, <class 'decimal.Inexact'>, <class 'decimal.Rounded'>]",
        BOTO,
    ),
    Mistake(
        "a datetime in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": dt.datetime(2026, 9, 6)}),
        'TypeError: Unsupported type "<class \'datetime.datetime\'>" for value "2026-09-06 00:00:00"',
        BOTO,
    ),
    Mistake(
        "an empty set in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": set()}),
        "ValidationException: One or more parameter values were invalid: An number set  may not be empty",
        PARITY,
    ),
    Mistake(
        "a set of mixed types in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": {1, "a"}}),
        "TypeError: Unsupported type \"<class 'set'>\" for value \"{1, 'a'}\"",
        BOTO,
    ),
    Mistake(
        "a set of booleans in the resource",
        lambda w: [w.table.put_item(Item={**w.plain_key, "v": {True}}), w.get()["Item"]["v"]][1],
        "accepted: {'NS': ['1']}",
        SILENT,
    ),
    Mistake(
        "a map with number keys in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": {1: "a"}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.M (key: 1), value: 1, type: <class 'int'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "a Python object in the resource",
        lambda w: w.table.put_item(Item={**w.plain_key, "v": range(3)}),
        'TypeError: Unsupported type "<class \'range\'>" for value "range(0, 3)"',
        BOTO,
    ),
    Mistake(
        "an int for N in the client",
        lambda w: w.put({"v": {"N": 5}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.N, value: 5, type: <class 'int'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "a float for N in the client",
        lambda w: w.put({"v": {"N": 1.5}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.N, value: 1.5, type: <class 'float'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "a bare string in the client",
        lambda w: w.put({"v": "tea"}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v, value: tea, type: <class 'str'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "a bare number in the client",
        lambda w: w.put({"v": 5}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v, value: 5, type: <class 'int'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "a bare None in the client",
        lambda w: w.put({"v": None}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v, value: None, type: <class 'NoneType'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "a number for S in the client",
        lambda w: w.put({"v": {"S": 5}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.S, value: 5, type: <class 'int'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "bytes for S in the client",
        lambda w: w.put({"v": {"S": b"x"}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.S, value: b'x', type: <class 'bytes'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "a string for BOOL in the client",
        lambda w: w.put({"v": {"BOOL": "true"}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.BOOL, value: true, type: <class 'str'>, valid types: <class 'bool'>"
        ),
        BOTO,
    ),
    Mistake(
        "a set for SS in the client",
        lambda w: w.put({"v": {"SS": {"a"}}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.SS, value: {'a'}, type: <class 'set'>, valid types: <class 'list'>, <class "
            "'tuple'>"
        ),
        BOTO,
    ),
    Mistake(
        "a string for SS in the client",
        lambda w: w.put({"v": {"SS": "ab"}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.SS, value: ab, type: <class 'str'>, valid types: <class 'list'>, <class "
            "'tuple'>"
        ),
        BOTO,
    ),
    Mistake(
        "numbers for NS in the client",
        lambda w: w.put({"v": {"NS": [1, 2]}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.NS[0], value: 1, type: <class 'int'>, valid types: <class 'str'>\nInvalid "
            "type for parameter Item.v.NS[1], value: 2, type: <class 'int'>, valid types: <class "
            "'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "an unknown type letter",
        lambda w: w.put({"v": {"X": "a"}}),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in Item.v: "
            '"X", must be one of: S, N, B, SS, NS, BS, M, L, NULL, BOOL'
        ),
        BOTO,
    ),
    Mistake(
        "a small type letter",
        lambda w: w.put({"v": {"s": "a"}}),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in Item.v: "
            '"s", must be one of: S, N, B, SS, NS, BS, M, L, NULL, BOOL'
        ),
        BOTO,
    ),
    Mistake(
        "two type letters in one value",
        lambda w: w.put({"v": {"S": "a", "N": "1"}}),
        (
            "ValidationException: Supplied AttributeValue has more than one datatypes set, must "
            "contain exactly one of the supported datatypes"
        ),
        DYNALITE,
    ),
    Mistake(
        "no type letter in a value",
        lambda w: w.put({"v": {}}),
        ("ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        DYNALITE,
    ),
    Mistake(
        "an untyped map inside M",
        lambda w: w.put({"v": {"M": {"city": "Leeds"}}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.M.city, value: Leeds, type: <class 'str'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "untyped members of L",
        lambda w: w.put({"v": {"L": ["a"]}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Item.v.L[0], value: a, type: <class 'str'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "a word for N",
        lambda w: w.put({"v": {"N": "many"}}),
        (
            "ValidationException: 1 validation error detected: The parameter cannot be converted "
            "to a numeric value: many"
        ),
        PARITY,
    ),
    Mistake(
        "an empty string for N",
        lambda w: w.put({"v": {"N": ""}}),
        ("ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: "),
        PARITY,
    ),
    Mistake(
        "a number with a comma",
        lambda w: w.put({"v": {"N": "1,5"}}),
        ("ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: 1,5"),
        PARITY,
    ),
    Mistake(
        "a number with underscores",
        lambda w: w.put({"v": {"N": "1_000"}}),
        (
            "ValidationException: 1 validation error detected: The parameter cannot be converted "
            "to a numeric value: 1_000"
        ),
        PARITY,
    ),
    Mistake(
        "a number with spaces",
        lambda w: w.put({"v": {"N": " 5 "}}),
        ("ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value:  5 "),
        PARITY,
    ),
    Mistake(
        "NaN for N",
        lambda w: w.put({"v": {"N": "NaN"}}),
        ("ValidationException: 1 validation error detected: The parameter cannot be converted to a numeric value: NaN"),
        PARITY,
    ),
    Mistake(
        "a hexadecimal number",
        lambda w: w.put({"v": {"N": "0x10"}}),
        (
            "ValidationException: 1 validation error detected: The parameter cannot be converted "
            "to a numeric value: 0x10"
        ),
        PARITY,
    ),
    Mistake(
        "a number too large",
        lambda w: w.put({"v": {"N": "1e126"}}),
        (
            "ValidationException: 1 validation error detected: Number overflow. Attempting to "
            "store a number with magnitude larger than supported range"
        ),
        PARITY,
    ),
    Mistake(
        "a number too small",
        lambda w: w.put({"v": {"N": "1e-131"}}),
        (
            "ValidationException: 1 validation error detected: Number underflow. Attempting to "
            "store a number with magnitude smaller than supported range"
        ),
        PARITY,
    ),
    Mistake(
        "a number of 39 digits",
        lambda w: w.put({"v": {"N": "1" * 39}}),
        (
            "ValidationException: 1 validation error detected: Attempting to store more than 38 "
            "significant digits in a Number"
        ),
        PARITY,
    ),
    Mistake(
        "an empty string set",
        lambda w: w.put({"v": {"SS": []}}),
        "ValidationException: One or more parameter values were invalid: An string set  may not be empty",
        PARITY,
    ),
    Mistake(
        "an empty number set",
        lambda w: w.put({"v": {"NS": []}}),
        "ValidationException: One or more parameter values were invalid: An number set  may not be empty",
        PARITY,
    ),
    Mistake(
        "an empty binary set",
        lambda w: w.put({"v": {"BS": []}}),
        "ValidationException: One or more parameter values were invalid: Binary sets should not be empty",
        DYNALITE,
    ),
    Mistake(
        "a string twice in a set",
        lambda w: w.put({"v": {"SS": ["a", "b", "a"]}}),
        (
            "ValidationException: 1 validation error detected: One or more parameter values were "
            'invalid: Input collection ["a", "b", "a"] contains duplicates.'
        ),
        PARITY,
    ),
    Mistake(
        "a number twice in a set",
        lambda w: w.put({"v": {"NS": ["1", "1.0"]}}),
        (
            "ValidationException: 1 validation error detected: One or more parameter values were "
            "invalid: Input collection contains duplicates."
        ),
        PARITY,
    ),
    Mistake(
        "a binary twice in a set",
        lambda w: w.put({"v": {"BS": [b"a", b"a"]}}),
        (
            "ValidationException: 1 validation error detected: One or more parameter values were "
            'invalid: Input collection ["YQ==","YQ=="]of type BS contains duplicates.'
        ),
        PARITY,
    ),
    Mistake(
        "NULL false",
        lambda w: w.put({"v": {"NULL": False}}),
        (
            "ValidationException: One or more parameter values were invalid: Null attribute "
            "value types must have the value of true"
        ),
        DYNALITE,
    ),
    Mistake(
        "33 levels of nesting",
        lambda w: w.put({"v": deep(32)}),
        (
            "ValidationException: Nesting Levels have exceeded supported limits: Attributes in "
            "the item have nested levels beyond supported limit"
        ),
        DYNALITE,
    ),
    Mistake(
        "an item of more than 400 KB",
        lambda w: w.put({"v": {"S": "x" * 409_600}}),
        "ValidationException: Item size has exceeded the maximum allowed size",
        DYNALITE,
    ),
    Mistake(
        "an update to more than 400 KB",
        lambda w: w.update("SET v = :v", {":v": {"S": "x" * 409_600}}),
        "ValidationException: Item size to update has exceeded the maximum allowed size",
        DYNALITE,
    ),
    Mistake(
        "an attribute name of 64 KB",
        lambda w: w.put({"x" * 65_536: {"S": "v"}}),
        (
            "ValidationException: One or more parameter values were invalid: An attribute's name "
            "has from 1 to 65535 bytes, not 65536"
        ),
        OURS,
    ),
    Mistake(
        "an empty attribute name",
        lambda w: w.put({"": {"S": "v"}}),
        (
            "ValidationException: One or more parameter values were invalid: An attribute's name "
            "has from 1 to 65535 bytes, not 0"
        ),
        OURS,
    ),
    Mistake(
        "no item at all",
        lambda w: w.client.put_item(TableName="orders"),
        'ParamValidationError: Parameter validation failed:\nMissing required parameter in input: "Item"',
        BOTO,
    ),
    Mistake(
        "an item that is a list",
        lambda w: w.client.put_item(TableName="orders", Item=[w.key]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter Item, "
            "value: [{'pk': {'S': 'a'}, 'sk': {'S': '1'}}], type: <class 'list'>, valid types: "
            "<class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "an item that is JSON text",
        lambda w: w.client.put_item(TableName="orders", Item='{"pk": {"S": "a"}}'),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter Item, "
            'value: {"pk": {"S": "a"}}, type: <class \'str\'>, valid types: <class \'dict\'>'
        ),
        BOTO,
    ),
    Mistake(
        "an empty item",
        lambda w: w.client.put_item(TableName="orders", Item={}),
        "ValidationException: One or more parameter values were invalid: Missing the key pk in the item",
        DYNALITE,
    ),
    Mistake(
        "no partition key in an item",
        lambda w: w.client.put_item(TableName="orders", Item={"sk": {"S": "1"}}),
        "ValidationException: One or more parameter values were invalid: Missing the key pk in the item",
        DYNALITE,
    ),
    Mistake(
        "no sort key in an item",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": "a"}}),
        "ValidationException: One or more parameter values were invalid: Missing the key sk in the item",
        DYNALITE,
    ),
    Mistake(
        "an item's key of the wrong type",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"N": "1"}}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "key sk expected: S actual: N"
        ),
        PARITY,
    ),
    Mistake(
        "an item's key of the wrong type through the resource",
        lambda w: w.table.put_item(Item={"pk": "a", "sk": 1}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "key sk expected: S actual: N"
        ),
        PARITY,
    ),
    Mistake(
        "a key name in other case",
        lambda w: w.client.put_item(TableName="orders", Item={"PK": {"S": "a"}, "sk": {"S": "1"}}),
        "ValidationException: One or more parameter values were invalid: Missing the key pk in the item",
        DYNALITE,
    ),
    Mistake(
        "an empty string as partition key",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": ""}, "sk": {"S": "1"}}),
        (
            "ValidationException: One or more parameter values are not valid. The AttributeValue "
            "for a key attribute cannot contain an empty string value. Key: pk"
        ),
        PARITY,
    ),
    Mistake(
        "an empty string as sort key",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"S": ""}}),
        (
            "ValidationException: One or more parameter values are not valid. The AttributeValue "
            "for a key attribute cannot contain an empty string value. Key: sk"
        ),
        PARITY,
    ),
    Mistake(
        "an empty binary as key",
        lambda w: w.client.put_item(TableName="blobs", Item={"pk": {"B": b""}}),
        (
            "ValidationException: One or more parameter values are not valid. The AttributeValue "
            "for a key attribute cannot contain an empty binary value. Key: pk"
        ),
        PARITY,
    ),
    Mistake(
        "NULL as key",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"NULL": True}, "sk": {"S": "1"}}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "key pk expected: S actual: NULL"
        ),
        PARITY,
    ),
    Mistake(
        "None as key through the resource",
        lambda w: w.table.put_item(Item={"pk": None, "sk": "1"}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "key pk expected: S actual: NULL"
        ),
        PARITY,
    ),
    Mistake(
        "a partition key of 2,049 bytes",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": "x" * 2049}, "sk": {"S": "1"}}),
        (
            "ValidationException: One or more parameter values were invalid: Size of hashkey has "
            "exceeded the maximum size limit of2048 bytes"
        ),
        DYNALITE,
    ),
    Mistake(
        "a sort key of 1,025 bytes",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"S": "x" * 1025}}),
        (
            "ValidationException: One or more parameter values were invalid: Aggregated size of "
            "all range keys has exceeded the size limit of 1024 bytes"
        ),
        DYNALITE,
    ),
    Mistake(
        "a sort key of 1,025 bytes in UTF-8",
        lambda w: w.client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"S": "é" * 513}}),
        (
            "ValidationException: One or more parameter values were invalid: Aggregated size of "
            "all range keys has exceeded the size limit of 1024 bytes"
        ),
        DYNALITE,
    ),
    Mistake(
        "GetItem without the sort key",
        lambda w: w.client.get_item(TableName="orders", Key={"pk": {"S": "a"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "GetItem with a further attribute",
        lambda w: w.get(Key={**w.key, "name": {"S": "tea"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "GetItem with a key of the wrong type",
        lambda w: w.get(Key={"pk": {"S": "a"}, "sk": {"N": "1"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "GetItem with an empty key",
        lambda w: w.get(Key={}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "GetItem with an empty string as key",
        lambda w: w.get(Key={"pk": {"S": ""}, "sk": {"S": "1"}}),
        (
            "ValidationException: One or more parameter values are not valid. The AttributeValue "
            "for a key attribute cannot contain an empty string value. Key: pk"
        ),
        PARITY,
    ),
    Mistake(
        "GetItem without Key",
        lambda w: w.client.get_item(TableName="orders"),
        'ParamValidationError: Parameter validation failed:\nMissing required parameter in input: "Key"',
        BOTO,
    ),
    Mistake(
        "GetItem with a bare key",
        lambda w: w.get(Key="a"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter Key, "
            "value: a, type: <class 'str'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "GetItem by another attribute",
        lambda w: w.get(Key={"name": {"S": "tea"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "GetItem of an index",
        lambda w: w.client.get_item(TableName="orders", IndexName="by-customer", Key={"customer": {"S": "c"}}),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in input: "
            '"IndexName", must be one of: TableName, Key, AttributesToGet, ConsistentRead, '
            "ReturnConsumedCapacity, ProjectionExpression, ExpressionAttributeNames"
        ),
        BOTO,
    ),
    Mistake(
        "DeleteItem by the partition key alone",
        lambda w: w.client.delete_item(TableName="orders", Key={"pk": {"S": "a"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "UpdateItem by the partition key alone",
        lambda w: w.update("SET v = :v", {":v": {"S": "x"}}, Key={"pk": {"S": "a"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "UpdateItem with a number key as string",
        lambda w: w.update("SET v = :v", {":v": {"S": "x"}}, TableName="numbers", Key={"pk": {"S": "1"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "an index key of the wrong type",
        lambda w: w.put({"customer": {"N": "1"}}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "Index Key customer Expected: S Actual: N IndexName: by-customer"
        ),
        PARITY,
    ),
    Mistake(
        "an empty index key",
        lambda w: w.put({"customer": {"S": ""}}),
        (
            "ValidationException: One or more parameter values are not valid. A value specified "
            "for a secondary index key is not supported. The AttributeValue for a key attribute "
            "cannot contain an empty string value. IndexName: by-customer, IndexKey: customer"
        ),
        PARITY,
    ),
    Mistake(
        "NULL as index key",
        lambda w: w.put({"customer": {"NULL": True}}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "Index Key customer Expected: S Actual: NULL IndexName: by-customer"
        ),
        PARITY,
    ),
    Mistake(
        "an index key of 2,049 bytes",
        lambda w: w.put({"customer": {"S": "x" * 2049}}),
        (
            "ValidationException: One or more parameter values were invalid: Size of hashkey has "
            "exceeded the maximum size limit of2048 bytes"
        ),
        DYNALITE,
    ),
    Mistake(
        "an update that gives an index key the wrong type",
        lambda w: w.update("SET customer = :v", {":v": {"N": "1"}}),
        (
            "ValidationException: One or more parameter values were invalid: Type mismatch for "
            "Index Key customer Expected: S Actual: N IndexName: by-customer"
        ),
        PARITY,
    ),
    Mistake(
        "an update that empties an index key",
        lambda w: w.update("SET customer = :v", {":v": {"S": ""}}),
        (
            "ValidationException: One or more parameter values are not valid. The update "
            "expression attempted to update a secondary index key to a value that is not "
            "supported. The AttributeValue for a key attribute cannot contain an empty string "
            "value."
        ),
        PARITY,
    ),
]
