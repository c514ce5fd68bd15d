"""Queries, scans, batches, transactions and statements."""

from __future__ import annotations

from typing import Any

from live.mistakes_world import BOTO, DYNALITE, MOTO, OURS, PARITY, REPORTED, SILENT, Mistake, World

V = {":v": {"S": "x"}}
N = {":n": {"N": "1"}}


def put(number: int) -> dict[str, Any]:
    """One put of a batch."""
    return {"PutRequest": {"Item": {"pk": {"S": "b"}, "sk": {"S": str(number)}}}}


def batch_writer(w: World) -> None:
    """One item twice within a batch_writer."""
    with w.table.batch_writer() as batch:
        batch.put_item(Item=w.plain_key)
        batch.put_item(Item=w.plain_key)


ROWS = [
    Mistake(
        "a key condition without the partition key",
        lambda w: w.query("sk = :v", V),
        "ValidationException: Query condition missed key schema element: pk",
        PARITY,
    ),
    Mistake(
        "a key condition on an attribute that is no key",
        lambda w: w.query("pk = :v AND color = :v", V),
        "ValidationException: Query condition missed key schema element: sk",
        PARITY,
    ),
    Mistake(
        "a key condition of another attribute alone",
        lambda w: w.query("color = :v", V),
        "ValidationException: Query condition missed key schema element: pk",
        PARITY,
    ),
    Mistake(
        "< on the partition key",
        lambda w: w.query("pk < :v", V),
        "ValidationException: Query key condition not supported",
        DYNALITE,
    ),
    Mistake(
        "begins_with on the partition key",
        lambda w: w.query("begins_with(pk, :v)", V),
        "ValidationException: Query key condition not supported",
        DYNALITE,
    ),
    Mistake(
        "<> on the partition key",
        lambda w: w.query("pk <> :v", V),
        "ValidationException: Invalid operator used in KeyConditionExpression: <>",
        DYNALITE,
    ),
    Mistake(
        "<> on the sort key",
        lambda w: w.query("pk = :v AND sk <> :v", V),
        "ValidationException: Invalid operator used in KeyConditionExpression: <>",
        DYNALITE,
    ),
    Mistake(
        "OR in a key condition",
        lambda w: w.query("pk = :v OR pk = :w", {**V, ":w": {"S": "y"}}),
        "ValidationException: Invalid operator used in KeyConditionExpression: OR",
        DYNALITE,
    ),
    Mistake(
        "IN in a key condition",
        lambda w: w.query("pk IN (:v)", V),
        "ValidationException: Invalid operator used in KeyConditionExpression: IN",
        DYNALITE,
    ),
    Mistake(
        "contains in a key condition",
        lambda w: w.query("pk = :v AND contains(sk, :v)", V),
        "ValidationException: Invalid operator used in KeyConditionExpression: contains",
        DYNALITE,
    ),
    Mistake(
        "NOT in a key condition",
        lambda w: w.query("pk = :v AND NOT sk = :v", V),
        "ValidationException: Invalid operator used in KeyConditionExpression: NOT",
        DYNALITE,
    ),
    Mistake(
        "two conditions on the sort key",
        lambda w: w.query("pk = :v AND sk > :v AND sk < :w", {**V, ":w": {"S": "y"}}),
        "ValidationException: KeyConditionExpressions must only contain one condition per key",
        DYNALITE,
    ),
    Mistake(
        "three conditions of a key",
        lambda w: w.query("pk = :v AND sk > :v AND extra = :v", V),
        (
            "ValidationException: The number of query conditions (3) exceeds the number of key "
            "attributes defined in the schema (2)"
        ),
        PARITY,
    ),
    Mistake(
        "a key condition of a number for a string",
        lambda w: w.query("pk = :n", N),
        (
            "ValidationException: One or more parameter values were invalid: Condition parameter "
            "type does not match schema type"
        ),
        PARITY,
    ),
    Mistake(
        "a sort key condition of another type",
        lambda w: w.query("pk = :v AND sk = :n", {**V, **N}),
        (
            "ValidationException: One or more parameter values were invalid: Condition parameter "
            "type does not match schema type"
        ),
        PARITY,
    ),
    Mistake(
        "begins_with a number in a key condition",
        lambda w: w.query("pk = :v AND begins_with(sk, :n)", {**V, **N}),
        (
            "ValidationException: Invalid KeyConditionExpression: Incorrect operand type for "
            "operator or function; operator or function: begins_with, operand type: N"
        ),
        PARITY,
    ),
    Mistake(
        "a boolean in a key condition",
        lambda w: w.query("pk = :v AND sk < :b", {**V, ":b": {"BOOL": True}}),
        (
            "ValidationException: Invalid KeyConditionExpression: Incorrect operand type for "
            "operator or function; operator or function: <, operand type: BOOL"
        ),
        PARITY,
    ),
    Mistake(
        "BETWEEN reversed in a key condition",
        lambda w: w.query("pk = :v AND sk BETWEEN :b AND :a", {**V, ":a": {"S": "a"}, ":b": {"S": "b"}}),
        (
            "ValidationException: Invalid KeyConditionExpression: The BETWEEN operator requires "
            "upper bound to be greater than or equal to lower bound; lower bound operand: "
            "AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"
        ),
        DYNALITE,
    ),
    Mistake(
        "an empty string in a key condition",
        lambda w: w.query("pk = :v", {":v": {"S": ""}}),
        (
            "ValidationException: One or more parameter values are not valid. The AttributeValue "
            "for a key attribute cannot contain an empty string value. Key: pk"
        ),
        PARITY,
    ),
    Mistake(
        "an empty key condition",
        lambda w: w.query("", V),
        "ValidationException: Invalid KeyConditionExpression: The expression can not be empty;",
        DYNALITE,
    ),
    Mistake(
        "no key condition",
        lambda w: w.client.query(TableName="orders"),
        (
            "ValidationException: Either the KeyConditions or KeyConditionExpression parameter "
            "must be specified in the request."
        ),
        DYNALITE,
    ),
    Mistake(
        "a nested path in a key condition",
        lambda w: w.query("pk = :v AND sk.a = :v", V),
        "ValidationException: KeyConditionExpressions cannot have conditions on nested attributes",
        DYNALITE,
    ),
    Mistake(
        "size in a key condition",
        lambda w: w.query("pk = :v AND size(sk) > :n", {**V, **N}),
        "ValidationException: KeyConditionExpressions cannot contain nested operations",
        DYNALITE,
    ),
    Mistake(
        "a filter on the sort key",
        lambda w: w.query("pk = :v", V, FilterExpression="sk = :v"),
        (
            "ValidationException: Filter Expression can only contain non-primary key attributes: "
            "Primary key attribute: sk"
        ),
        DYNALITE,
    ),
    Mistake(
        "a filter on the partition key by name",
        lambda w: w.query("pk = :v", V, FilterExpression="#p = :v", ExpressionAttributeNames={"#p": "pk"}),
        (
            "ValidationException: Filter Expression can only contain non-primary key attributes: "
            "Primary key attribute: pk"
        ),
        DYNALITE,
    ),
    Mistake(
        "a key value by name in a query of an index",
        lambda w: w.query("customer = :v", V, IndexName="by-customer", FilterExpression="customer = :v"),
        (
            "ValidationException: Filter Expression can only contain non-primary key attributes: "
            "Primary key attribute: customer"
        ),
        DYNALITE,
    ),
    Mistake(
        "an index that does not exist",
        lambda w: w.query("pk = :v", V, IndexName="by-date-2"),
        "ValidationException: The table does not have the specified index: by-date-2",
        REPORTED,
    ),
    Mistake(
        "an index of a table without any",
        lambda w: w.client.scan(TableName="numbers", IndexName="by-x"),
        "ValidationException: The table does not have the specified index: by-x",
        REPORTED,
    ),
    Mistake(
        "ConsistentRead of a global index",
        lambda w: w.query("customer = :v", V, IndexName="by-customer", ConsistentRead=True),
        "ValidationException: Consistent reads are not supported on global secondary indexes",
        PARITY,
    ),
    Mistake(
        "ConsistentRead in a Scan of a global index",
        lambda w: w.scan(IndexName="by-customer", ConsistentRead=True),
        "ValidationException: Consistent reads are not supported on global secondary indexes",
        PARITY,
    ),
    Mistake(
        "the table's key for an index",
        lambda w: w.query("pk = :v", V, IndexName="by-customer"),
        "ValidationException: Query condition missed key schema element: customer",
        PARITY,
    ),
    Mistake(
        "an index name of two letters",
        lambda w: w.query("pk = :v", V, IndexName="gs"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "IndexName, value: 2, valid min length: 3"
        ),
        BOTO,
    ),
    Mistake(
        "all attributes of an index that projects keys",
        lambda w: w.query("customer = :v", V, IndexName="by-customer", Select="ALL_ATTRIBUTES"),
        (
            "ValidationException: One or more parameter values were invalid: Select type "
            "ALL_ATTRIBUTES is not supported for global secondary index by-customer because its "
            "projection type is not ALL"
        ),
        REPORTED,
    ),
    Mistake(
        "an attribute that the index does not project",
        lambda w: w.query("customer = :v", V, IndexName="by-customer", ProjectionExpression="price"),
        (
            "ValidationException: One or more parameter values were invalid: Global secondary "
            "index by-customer does not project [price]"
        ),
        REPORTED,
    ),
    Mistake(
        "a filter on an attribute that the index does not project",
        lambda w: w.query("customer = :v", V, IndexName="by-customer", FilterExpression="price = :v"),
        (
            "ValidationException: One or more parameter values were invalid: Secondary index "
            "by-customer does not project one or more filter attributes: [price]"
        ),
        REPORTED,
    ),
    Mistake(
        "Limit 0",
        lambda w: w.scan(Limit=0),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid value for parameter "
            "Limit, value: 0, valid min value: 1"
        ),
        BOTO,
    ),
    Mistake(
        "Limit -1",
        lambda w: w.query("pk = :v", V, Limit=-1),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid value for parameter "
            "Limit, value: -1, valid min value: 1"
        ),
        BOTO,
    ),
    Mistake(
        "Limit as string",
        lambda w: w.scan(Limit="10"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Limit, value: 10, type: <class 'str'>, valid types: <class 'int'>"
        ),
        BOTO,
    ),
    Mistake(
        "Limit of a float",
        lambda w: w.scan(Limit=10.0),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Limit, value: 10.0, type: <class 'float'>, valid types: <class 'int'>"
        ),
        BOTO,
    ),
    Mistake(
        "Select of an unknown value",
        lambda w: w.scan(Select="ALL"),
        (
            "ValidationException: 1 validation error detected: Value 'ALL' at 'select' failed to "
            "satisfy constraint: Member must satisfy enum value set: [ALL_ATTRIBUTES, "
            "ALL_PROJECTED_ATTRIBUTES, SPECIFIC_ATTRIBUTES, COUNT]"
        ),
        PARITY,
    ),
    Mistake(
        "Select of specific attributes without any",
        lambda w: w.scan(Select="SPECIFIC_ATTRIBUTES"),
        (
            "ValidationException: 1 validation error detected: Must specify the AttributesToGet "
            "or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        ),
        MOTO,
    ),
    Mistake(
        "Select COUNT with a projection",
        lambda w: w.scan(Select="COUNT", ProjectionExpression="a"),
        (
            "ValidationException: 1 validation error detected: Cannot specify the "
            "ProjectionExpression when choosing to get only the Count"
        ),
        MOTO,
    ),
    Mistake(
        "Select ALL_PROJECTED_ATTRIBUTES without an index",
        lambda w: w.scan(Select="ALL_PROJECTED_ATTRIBUTES"),
        (
            "ValidationException: 1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be "
            "used only when Querying using an IndexName"
        ),
        MOTO,
    ),
    Mistake(
        "a start key without the sort key",
        lambda w: w.scan(ExclusiveStartKey={"pk": {"S": "a"}}),
        (
            "ValidationException: The provided starting key is invalid: The provided key element "
            "does not match the schema"
        ),
        DYNALITE,
    ),
    Mistake(
        "a start key of another type",
        lambda w: w.query("pk = :v", V, ExclusiveStartKey={"pk": {"S": "x"}, "sk": {"N": "1"}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "a start key of another table",
        lambda w: w.scan(ExclusiveStartKey={"id": {"S": "a"}}),
        (
            "ValidationException: The provided starting key is invalid: The provided key element "
            "does not match the schema"
        ),
        DYNALITE,
    ),
    Mistake(
        "a start key of another partition",
        lambda w: w.query("pk = :v", V, ExclusiveStartKey=w.key),
        ("ValidationException: The provided starting key is outside query boundaries based on provided conditions"),
        DYNALITE,
    ),
    Mistake(
        "a start key None",
        lambda w: w.scan(ExclusiveStartKey=None),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ExclusiveStartKey, value: None, type: <class 'NoneType'>, valid types: <class "
            "'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "an empty start key",
        lambda w: w.scan(ExclusiveStartKey={}),
        (
            "ValidationException: The provided starting key is invalid: The provided key element "
            "does not match the schema"
        ),
        DYNALITE,
    ),
    Mistake(
        "an index's start key without the table's",
        lambda w: w.query("customer = :v", V, IndexName="by-customer", ExclusiveStartKey={"customer": {"S": "x"}}),
        "ValidationException: The provided starting key is invalid",
        DYNALITE,
    ),
    Mistake(
        "Segment not below TotalSegments",
        lambda w: w.scan(Segment=4, TotalSegments=4),
        (
            "ValidationException: The Segment parameter is zero-based and must be less than "
            "parameter TotalSegments: Segment: 4 is not less than TotalSegments: 4"
        ),
        PARITY,
    ),
    Mistake(
        "Segment without TotalSegments",
        lambda w: w.scan(Segment=0),
        (
            "ValidationException: The TotalSegments parameter is required but was not present in "
            "the request when Segment parameter is present"
        ),
        PARITY,
    ),
    Mistake(
        "TotalSegments without Segment",
        lambda w: w.scan(TotalSegments=4),
        (
            "ValidationException: The Segment parameter is required but was not present in the "
            "request when parameter TotalSegments is present"
        ),
        PARITY,
    ),
    Mistake(
        "TotalSegments of 0",
        lambda w: w.scan(Segment=0, TotalSegments=0),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid value for parameter "
            "TotalSegments, value: 0, valid min value: 1"
        ),
        BOTO,
    ),
    Mistake(
        "too many segments",
        lambda w: w.scan(Segment=0, TotalSegments=1_000_001),
        (
            "ValidationException: 1 validation error detected: Value '1000001' at "
            "'totalSegments' failed to satisfy constraint: Member must have value less than or "
            "equal to 1000000"
        ),
        PARITY,
    ),
    Mistake(
        "Segment in a query",
        lambda w: w.query("pk = :v", V, Segment=0, TotalSegments=2),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in input: "
            '"Segment", must be one of: TableName, IndexName, Select, AttributesToGet, Limit, '
            "ConsistentRead, KeyConditions, QueryFilter, ConditionalOperator, ScanIndexForward, "
            "ExclusiveStartKey, ReturnConsumedCapacity, ProjectionExpression, FilterExpression, "
            "KeyConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues\nUnknown "
            'parameter in input: "TotalSegments", must be one of: TableName, IndexName, Select, '
            "AttributesToGet, Limit, ConsistentRead, KeyConditions, QueryFilter, "
            "ConditionalOperator, ScanIndexForward, ExclusiveStartKey, ReturnConsumedCapacity, "
            "ProjectionExpression, FilterExpression, KeyConditionExpression, "
            "ExpressionAttributeNames, ExpressionAttributeValues"
        ),
        BOTO,
    ),
    Mistake(
        "a KeyConditionExpression in a Scan",
        lambda w: w.client.scan(TableName="orders", KeyConditionExpression="pk = :v"),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in input: "
            '"KeyConditionExpression", must be one of: TableName, IndexName, AttributesToGet, '
            "Limit, Select, ScanFilter, ConditionalOperator, ExclusiveStartKey, "
            "ReturnConsumedCapacity, TotalSegments, Segment, ProjectionExpression, "
            "FilterExpression, ExpressionAttributeNames, ExpressionAttributeValues, "
            "ConsistentRead"
        ),
        BOTO,
    ),
    Mistake(
        "ScanIndexForward as string",
        lambda w: w.query("pk = :v", V, ScanIndexForward="false"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ScanIndexForward, value: false, type: <class 'str'>, valid types: <class 'bool'>"
        ),
        BOTO,
    ),
    Mistake(
        "ConsistentRead as string",
        lambda w: w.get(ConsistentRead="true"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ConsistentRead, value: true, type: <class 'str'>, valid types: <class 'bool'>"
        ),
        BOTO,
    ),
    Mistake(
        "an old condition with an unknown operator",
        lambda w: w.scan(ScanFilter={"x": {"ComparisonOperator": "IS"}}),
        (
            "ValidationException: 1 validation error detected: Value 'IS' at "
            "'scanFilter.x.member.comparisonOperator' failed to satisfy constraint: Member must "
            "satisfy enum value set: [EQ, NE, IN, LE, LT, GE, GT, BETWEEN, NOT_NULL, NULL, "
            "CONTAINS, NOT_CONTAINS, BEGINS_WITH]"
        ),
        PARITY,
    ),
    Mistake(
        "an old condition with too few values",
        lambda w: w.scan(ScanFilter={"x": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}]}}),
        (
            "ValidationException: One or more parameter values were invalid: Invalid number of "
            "argument(s) for the BETWEEN ComparisonOperator"
        ),
        DYNALITE,
    ),
    Mistake(
        "an old key condition on no key",
        lambda w: w.client.query(
            TableName="orders", KeyConditions={"x": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}
        ),
        "ValidationException: Query condition missed key schema element: pk",
        PARITY,
    ),
    Mistake(
        "an old key condition <",
        lambda w: w.client.query(
            TableName="orders", KeyConditions={"pk": {"ComparisonOperator": "LT", "AttributeValueList": [{"S": "a"}]}}
        ),
        "ValidationException: Query key condition not supported",
        DYNALITE,
    ),
    Mistake(
        "an old AttributesToGet twice",
        lambda w: w.get(AttributesToGet=["a", "a"]),
        ("ValidationException: One or more parameter values were invalid: Duplicate value in attribute name: a"),
        DYNALITE,
    ),
    Mistake(
        "26 writes in a batch",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [put(n) for n in range(26)]}),
        (
            "ValidationException: 1 validation error detected: Value '{orders=[WriteRequest, "
            "WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, "
            "WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, "
            "WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, "
            "WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, WriteRequest, "
            "WriteRequest]}' at 'requestItems' failed to satisfy constraint: Map value must "
            "satisfy constraint: [Member must have length less than or equal to 25, Member must "
            "have length greater than or equal to 1]"
        ),
        PARITY,
    ),
    Mistake(
        "26 writes over two tables",
        lambda w: w.client.batch_write_item(
            RequestItems={
                "orders": [put(n) for n in range(20)],
                "numbers": [{"DeleteRequest": {"Key": {"pk": {"N": str(n)}}}} for n in range(6)],
            }
        ),
        "ValidationException: Too many items requested for the BatchWriteItem call",
        PARITY,
    ),
    Mistake(
        "an empty batch",
        lambda w: w.client.batch_write_item(RequestItems={}),
        "ValidationException: The requestItems parameter is required for BatchWriteItem",
        PARITY,
    ),
    Mistake(
        "an empty list in a batch",
        lambda w: w.client.batch_write_item(RequestItems={"orders": []}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "RequestItems.orders, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "one item twice in a batch",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [put(1), put(1)]}),
        "ValidationException: Provided list of item keys contains duplicates",
        PARITY,
    ),
    Mistake(
        "a put and a delete of one item in a batch",
        lambda w: w.client.batch_write_item(
            RequestItems={"orders": [put(1), {"DeleteRequest": {"Key": {"pk": {"S": "b"}, "sk": {"S": "1"}}}}]}
        ),
        "ValidationException: Provided list of item keys contains duplicates",
        PARITY,
    ),
    Mistake(
        "an update in a batch",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [{"UpdateRequest": {}}]}),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in "
            'RequestItems.orders[0]: "UpdateRequest", must be one of: PutRequest, DeleteRequest'
        ),
        BOTO,
    ),
    Mistake(
        "a condition in a batch",
        lambda w: w.client.batch_write_item(
            RequestItems={
                "orders": [{"PutRequest": {"Item": w.key, "ConditionExpression": "attribute_not_exists(pk)"}}]
            }
        ),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in "
            'RequestItems.orders[0].PutRequest: "ConditionExpression", must be one of: Item'
        ),
        BOTO,
    ),
    Mistake(
        "an item for a key in a batch",
        lambda w: w.client.batch_write_item(
            RequestItems={"orders": [{"DeleteRequest": {"Key": {**w.key, "x": {"S": "1"}}}}]}
        ),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "an entry without a request",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [{}]}),
        (
            "ValidationException: Supplied AttributeValue has more than one datatypes set, must "
            "contain exactly one of the supported datatypes"
        ),
        DYNALITE,
    ),
    Mistake(
        "an entry of a put and a delete",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [{**put(1), "DeleteRequest": {"Key": w.key}}]}),
        (
            "ValidationException: Supplied AttributeValue has more than one datatypes set, must "
            "contain exactly one of the supported datatypes"
        ),
        DYNALITE,
    ),
    Mistake(
        "a batch of bare items",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [w.key]}),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in "
            'RequestItems.orders[0]: "pk", must be one of: PutRequest, DeleteRequest\nUnknown '
            'parameter in RequestItems.orders[0]: "sk", must be one of: PutRequest, DeleteRequest'
        ),
        BOTO,
    ),
    Mistake(
        "a batch of an unknown table",
        lambda w: w.client.batch_write_item(RequestItems={"order": [put(1)]}),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "an item without key in a batch",
        lambda w: w.client.batch_write_item(RequestItems={"orders": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}}]}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "a key of another type in a batch",
        lambda w: w.client.batch_write_item(
            RequestItems={"orders": [{"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"N": "1"}}}}]}
        ),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "duplicates through batch_writer",
        lambda w: batch_writer(w),
        "ValidationException: Provided list of item keys contains duplicates",
        PARITY,
    ),
    Mistake(
        "101 keys in a batch",
        lambda w: w.client.batch_get_item(
            RequestItems={"orders": {"Keys": [{"pk": {"S": "a"}, "sk": {"S": str(n)}} for n in range(101)]}}
        ),
        (
            "ValidationException: 1 validation error detected: Value at "
            "'RequestItems.orders.member.Keys' failed to satisfy constraint: Member must have "
            "length less than or equal to 100"
        ),
        PARITY,
    ),
    Mistake(
        "one key twice in a BatchGetItem",
        lambda w: w.client.batch_get_item(RequestItems={"orders": {"Keys": [w.key, w.key]}}),
        "ValidationException: Provided list of item keys contains duplicates",
        PARITY,
    ),
    Mistake(
        "no keys in a BatchGetItem",
        lambda w: w.client.batch_get_item(RequestItems={"orders": {"Keys": []}}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "RequestItems.orders.Keys, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "a list for a table in BatchGetItem",
        lambda w: w.client.batch_get_item(RequestItems={"orders": [w.key]}),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "RequestItems.orders, value: [{'pk': {'S': 'a'}, 'sk': {'S': '1'}}], type: <class "
            "'list'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "a partial key in BatchGetItem",
        lambda w: w.client.batch_get_item(RequestItems={"orders": {"Keys": [{"pk": {"S": "a"}}]}}),
        "ValidationException: The provided key element does not match the schema",
        PARITY,
    ),
    Mistake(
        "a reserved word in BatchGetItem",
        lambda w: w.client.batch_get_item(RequestItems={"orders": {"Keys": [w.key], "ProjectionExpression": "name"}}),
        (
            "ValidationException: Invalid ProjectionExpression: Attribute name is a reserved "
            "keyword; reserved keyword: name"
        ),
        PARITY,
    ),
    Mistake(
        "101 actions in a transaction",
        lambda w: w.client.transact_write_items(
            TransactItems=[
                {"Delete": {"TableName": "orders", "Key": {"pk": {"S": "a"}, "sk": {"S": str(n)}}}} for n in range(101)
            ]
        ),
        (
            "ValidationException: 1 validation error detected: Value '[TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, TransactItem, "
            "TransactItem, TransactItem, TransactItem, TransactItem]' at 'transactItems' failed "
            "to satisfy constraint: Member must have length less than or equal to 100"
        ),
        PARITY,
    ),
    Mistake(
        "no action in a transaction",
        lambda w: w.client.transact_write_items(TransactItems=[]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "TransactItems, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "an empty action in a transaction",
        lambda w: w.client.transact_write_items(TransactItems=[{}]),
        "ValidationException: TransactItems can only contain one of Check, Put, Update or Delete",
        MOTO,
    ),
    Mistake(
        "two actions in one entry",
        lambda w: w.client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "orders", "Item": w.key}, "Delete": {"TableName": "orders", "Key": w.key}}
            ]
        ),
        "ValidationException: TransactItems can only contain one of Check, Put, Update or Delete",
        MOTO,
    ),
    Mistake(
        "one item twice in a transaction",
        lambda w: w.client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "orders", "Item": w.key}},
                {"Delete": {"TableName": "orders", "Key": w.key}},
            ]
        ),
        "ValidationException: Transaction request cannot include multiple operations on one item",
        PARITY,
    ),
    Mistake(
        "a check and an update of one item",
        lambda w: w.client.transact_write_items(
            TransactItems=[
                {
                    "ConditionCheck": {
                        "TableName": "orders",
                        "Key": w.key,
                        "ConditionExpression": "attribute_exists(pk)",
                    }
                },
                {
                    "Update": {
                        "TableName": "orders",
                        "Key": w.key,
                        "UpdateExpression": "SET a = :v",
                        "ExpressionAttributeValues": V,
                    }
                },
            ]
        ),
        "ValidationException: Transaction request cannot include multiple operations on one item",
        PARITY,
    ),
    Mistake(
        "a condition check without a condition",
        lambda w: w.client.transact_write_items(
            TransactItems=[{"ConditionCheck": {"TableName": "orders", "Key": w.key}}]
        ),
        (
            "ParamValidationError: Parameter validation failed:\nMissing required parameter in "
            'TransactItems[0].ConditionCheck: "ConditionExpression"'
        ),
        BOTO,
    ),
    Mistake(
        "an update without an expression in a transaction",
        lambda w: w.client.transact_write_items(TransactItems=[{"Update": {"TableName": "orders", "Key": w.key}}]),
        (
            "ParamValidationError: Parameter validation failed:\nMissing required parameter in "
            'TransactItems[0].Update: "UpdateExpression"'
        ),
        BOTO,
    ),
    Mistake(
        "a failed condition in a transaction",
        lambda w: w.client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "orders", "Item": w.key, "ConditionExpression": "attribute_not_exists(pk)"}},
                {"Put": {"TableName": "orders", "Item": {**w.key, "sk": {"S": "2"}}}},
            ]
        ),
        (
            "TransactionCanceledException: Transaction cancelled, please refer cancellation "
            "reasons for specific reasons [ConditionalCheckFailed, None]"
        ),
        PARITY,
    ),
    Mistake(
        "a wrong key type in a transaction",
        lambda w: w.client.transact_write_items(
            TransactItems=[{"Put": {"TableName": "orders", "Item": {"pk": {"N": "1"}, "sk": {"S": "1"}}}}]
        ),
        (
            "TransactionCanceledException: Transaction cancelled, please refer cancellation "
            "reasons for specific reasons [ValidationError]"
        ),
        PARITY,
    ),
    Mistake(
        "an unknown table in a transaction",
        lambda w: w.client.transact_write_items(TransactItems=[{"Put": {"TableName": "order", "Item": w.key}}]),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "an idempotency token with another request",
        lambda w: [
            w.client.transact_write_items(
                TransactItems=[{"Put": {"TableName": "orders", "Item": {**w.key, "v": {"S": s}}}}],
                ClientRequestToken="token",
            )
            for s in "ab"
        ],
        (
            "IdempotentParameterMismatchException: Request parameters differ from those of the "
            "first request with the same ClientRequestToken"
        ),
        REPORTED,
    ),
    Mistake(
        "a token of 37 letters",
        lambda w: w.client.transact_write_items(
            TransactItems=[{"Put": {"TableName": "orders", "Item": w.key}}], ClientRequestToken="x" * 37
        ),
        (
            "ValidationException: 1 validation error detected: Value "
            "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' at 'clientRequestToken' failed to satisfy "
            "constraint: Member must have length less than or equal to 36"
        ),
        PARITY,
    ),
    Mistake(
        "a reserved word in a transaction",
        lambda w: w.client.transact_write_items(
            TransactItems=[
                {
                    "Update": {
                        "TableName": "orders",
                        "Key": w.key,
                        "UpdateExpression": "SET name = :v",
                        "ExpressionAttributeValues": V,
                    }
                }
            ]
        ),
        ("ValidationException: Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name"),
        PARITY,
    ),
    Mistake(
        "a read in a write transaction",
        lambda w: w.client.transact_write_items(TransactItems=[{"Get": {"TableName": "orders", "Key": w.key}}]),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in "
            'TransactItems[0]: "Get", must be one of: ConditionCheck, Put, Delete, Update'
        ),
        BOTO,
    ),
    Mistake(
        "a partial key in TransactGetItems",
        lambda w: w.client.transact_get_items(
            TransactItems=[{"Get": {"TableName": "orders", "Key": {"pk": {"S": "a"}}}}]
        ),
        (
            "TransactionCanceledException: Transaction cancelled, please refer cancellation "
            "reasons for specific reasons [ValidationError]"
        ),
        PARITY,
    ),
    Mistake(
        "one item twice in TransactGetItems",
        lambda w: w.client.transact_get_items(TransactItems=[{"Get": {"TableName": "orders", "Key": w.key}}] * 2),
        "ValidationException: Transaction request cannot include multiple operations on one item",
        PARITY,
    ),
    Mistake(
        "an index in TransactGetItems",
        lambda w: w.client.transact_get_items(
            TransactItems=[{"Get": {"TableName": "orders", "IndexName": "by-customer", "Key": w.key}}]
        ),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in "
            'TransactItems[0].Get: "IndexName", must be one of: Key, TableName, '
            "ProjectionExpression, ExpressionAttributeNames"
        ),
        BOTO,
    ),
    Mistake(
        "a table's name in single quotes",
        lambda w: w.run("SELECT * FROM 'orders' WHERE pk = 'a'"),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "a value in double quotes",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = "a"'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "a value without quotes",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = a'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "a table's name with a hyphen and no quotes",
        lambda w: w.run("SELECT * FROM my-orders WHERE pk = 'a'"),
        ("ValidationException: Statement wasn't well formed, can't be processed: Unexpected token after expression"),
        PARITY,
    ),
    Mistake(
        "a table that does not exist in PartiQL",
        lambda w: w.run("SELECT * FROM \"order\" WHERE pk = 'a'"),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "no statement",
        lambda w: w.run(""),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "Statement, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "half a statement",
        lambda w: w.run('SELECT * FROM "orders" WHERE'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "an unknown verb",
        lambda w: w.run('DROP TABLE "orders"'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "INSERT with columns",
        lambda w: w.run("INSERT INTO \"orders\" (pk, sk) VALUES ('a', '2')"),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "INSERT with JSON in double quotes",
        lambda w: w.run('INSERT INTO "orders" VALUE {"pk": "a", "sk": "2"}'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "INSERT of an item that exists",
        lambda w: w.run("INSERT INTO \"orders\" VALUE {'pk': 'a', 'sk': '1'}"),
        "DuplicateItemException: Duplicate primary key exists in table",
        PARITY,
    ),
    Mistake(
        "INSERT without a key",
        lambda w: w.run("INSERT INTO \"orders\" VALUE {'pk': 'a'}"),
        "ValidationException: One or more parameter values were invalid: Missing the key sk in the item",
        DYNALITE,
    ),
    Mistake(
        "UPDATE without the sort key",
        lambda w: w.run("UPDATE \"orders\" SET a = 'x' WHERE pk = 'a'"),
        "ValidationException: Where clause does not contain a mandatory equality on all key attributes",
        PARITY,
    ),
    Mistake(
        "UPDATE without WHERE",
        lambda w: w.run("UPDATE \"orders\" SET a = 'x'"),
        "ValidationException: Where clause does not contain a mandatory equality on all key attributes",
        PARITY,
    ),
    Mistake(
        "DELETE without WHERE",
        lambda w: w.run('DELETE FROM "orders"'),
        "ValidationException: Where clause does not contain a mandatory equality on all key attributes",
        PARITY,
    ),
    Mistake(
        "DELETE * FROM",
        lambda w: w.run("DELETE * FROM \"orders\" WHERE pk = 'a' AND sk = '1'"),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "UPDATE of the key",
        lambda w: w.run("UPDATE \"orders\" SET sk = '2' WHERE pk = 'a' AND sk = '1'"),
        (
            "ValidationException: One or more parameter values were invalid: Cannot update "
            "attribute sk. This attribute is part of the key"
        ),
        PARITY,
    ),
    Mistake(
        "UPDATE of an item that does not exist",
        lambda w: w.run("UPDATE \"orders\" SET a = 'x' WHERE pk = 'a' AND sk = '9'"),
        "ConditionalCheckFailedException: The conditional request failed",
        REPORTED,
    ),
    Mistake(
        "too few parameters",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = ? AND sk = ?', {"S": "a"}),
        "ValidationException: Number of parameters in request and statement don't match.",
        PARITY,
    ),
    Mistake(
        "too many parameters",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = ?', {"S": "a"}, {"S": "b"}),
        "ValidationException: Number of parameters in request and statement don't match.",
        PARITY,
    ),
    Mistake(
        "bare parameters",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = ?', "a"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "Parameters[0], value: a, type: <class 'str'>, valid types: <class 'dict'>"
        ),
        BOTO,
    ),
    Mistake(
        "named parameters",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = :v', {"S": "a"}),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "a key of another type in PartiQL",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = 1'),
        (
            "ValidationException: One or more parameter values were invalid: Condition parameter "
            "type does not match schema type"
        ),
        PARITY,
    ),
    Mistake(
        "an index that does not exist in PartiQL",
        lambda w: w.run('SELECT * FROM "orders"."by-x" WHERE pk = \'a\''),
        "ValidationException: The table does not have the specified index",
        PARITY,
    ),
    Mistake(
        "COUNT(*)",
        lambda w: w.run('SELECT COUNT(*) FROM "orders"'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "LIKE in PartiQL",
        lambda w: w.run("SELECT * FROM \"orders\" WHERE pk = 'a' AND sk LIKE '1%'"),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "LIMIT in PartiQL",
        lambda w: w.run("SELECT * FROM \"orders\" WHERE pk = 'a' LIMIT 1"),
        ("ValidationException: Statement wasn't well formed, can't be processed: Unexpected token after expression"),
        PARITY,
    ),
    Mistake(
        "GROUP BY",
        lambda w: w.run('SELECT pk FROM "orders" GROUP BY pk'),
        ("ValidationException: Statement wasn't well formed, can't be processed: Unexpected token after expression"),
        PARITY,
    ),
    Mistake(
        "a join",
        lambda w: w.run('SELECT * FROM "orders", "numbers"'),
        ("ValidationException: Statement wasn't well formed, can't be processed: Unexpected token after expression"),
        PARITY,
    ),
    Mistake(
        "ORDER BY without a key",
        lambda w: w.run('SELECT * FROM "orders" ORDER BY sk'),
        "ValidationException: Must have WHERE clause in the statement when using ORDER BY clause.",
        PARITY,
    ),
    Mistake(
        "an alias",
        lambda w: w.run("SELECT * FROM \"orders\" o WHERE o.pk = 'a'"),
        "ValidationException: Aliasing is not supported",
        PARITY,
    ),
    Mistake(
        "an alias with AS",
        lambda w: w.run("SELECT * FROM \"orders\" AS o WHERE pk = 'a'"),
        "ValidationException: Aliasing is not supported",
        PARITY,
    ),
    Mistake(
        "== in PartiQL",
        lambda w: w.run("SELECT * FROM \"orders\" WHERE pk == 'a'"),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "a word too many",
        lambda w: w.run("SELECT * FROM \"orders\" WHERE pk = 'a' foo"),
        ("ValidationException: Statement wasn't well formed, can't be processed: Unexpected token after expression"),
        PARITY,
    ),
    Mistake(
        "an unclosed quote",
        lambda w: w.run('SELECT * FROM "orders" WHERE pk = \'a'),
        "ValidationException: Statement wasn't well formed, can't be processed: ",
        PARITY,
    ),
    Mistake(
        "a condition function in PartiQL",
        lambda w: w.run('SELECT * FROM "orders" WHERE attribute_exists(pk)'),
        "ValidationException: Statement wasn't well formed, can't be processed: Unexpected token",
        PARITY,
    ),
    Mistake(
        "a reserved word without quotes",
        lambda w: w.run("SELECT name FROM \"orders\" WHERE pk = 'a'")["Items"],
        "accepted: [{'name': {'S': 'tea'}}]",
        SILENT,
    ),
    Mistake(
        "DELETE returning new values",
        lambda w: w.run("DELETE FROM \"orders\" WHERE pk = 'a' AND sk = '1' RETURNING ALL NEW *"),
        (
            "ValidationException: Invalid returning clause: RETURNING ALL NEW *. Only RETURNING "
            "ALL OLD * is allowed in DELETE statements."
        ),
        PARITY,
    ),
    Mistake(
        "INSERT in a read batch",
        lambda w: w.client.batch_execute_statement(
            Statements=[
                {"Statement": "SELECT * FROM \"orders\" WHERE pk = 'a' AND sk = '1'"},
                {"Statement": "INSERT INTO \"orders\" VALUE {'pk': 'a', 'sk': '2'}"},
            ]
        )["Responses"],
        (
            "ValidationException: BatchExecuteStatement API does not support both read and write "
            "operations in the same request"
        ),
        OURS,
    ),
    Mistake(
        "26 statements",
        lambda w: w.client.batch_execute_statement(
            Statements=[{"Statement": "SELECT * FROM \"orders\" WHERE pk = 'a' AND sk = '1'"}] * 26
        ),
        (
            "ValidationException: 1 validation error detected: Value '[Statement, Statement, "
            "Statement, Statement, Statement, Statement, Statement, Statement, Statement, "
            "Statement, Statement, Statement, Statement, Statement, Statement, Statement, "
            "Statement, Statement, Statement, Statement, Statement, Statement, Statement, "
            "Statement, Statement, Statement]' at 'statements' failed to satisfy constraint: "
            "Member must have length less than or equal to 25"
        ),
        PARITY,
    ),
    Mistake(
        "a query in a batch of statements",
        lambda w: w.client.batch_execute_statement(
            Statements=[{"Statement": "SELECT * FROM \"orders\" WHERE pk = 'a'"}]
        )["Responses"],
        (
            "accepted: [{'Error': {'Code': 'ValidationError', 'Message': 'Select statements "
            "within BatchExecuteStatement must specify the primary key in the where clause.'}, "
            "'TableName': 'orders'}]"
        ),
        SILENT,
    ),
    Mistake(
        "reads and writes in a transaction of statements",
        lambda w: w.client.execute_transaction(
            TransactStatements=[
                {"Statement": "SELECT * FROM \"orders\" WHERE pk = 'a' AND sk = '1'"},
                {"Statement": "INSERT INTO \"orders\" VALUE {'pk': 'a', 'sk': '2'}"},
            ]
        ),
        (
            "ValidationException: ExecuteTransaction API does not support both read and write "
            "operations in the same request"
        ),
        PARITY,
    ),
    Mistake(
        "a next token of one's own",
        lambda w: w.run('SELECT * FROM "orders"', NextToken="next"),
        "ValidationException: Given NextToken is invalid",
        OURS,
    ),
    Mistake(
        "a boolean with <",
        lambda w: w.run("SELECT * FROM \"orders\" WHERE pk = 'a' AND x < ?", {"BOOL": True}),
        (
            "ValidationException: Incorrect operand type for operator or function; operator or "
            "function: <, operand type: BOOL"
        ),
        PARITY,
    ),
    Mistake(
        "no transaction of statements",
        lambda w: w.client.execute_transaction(TransactStatements=[]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "TransactStatements, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "an empty name in FROM",
        lambda w: w.run("SELECT * FROM \"\" WHERE pk = 'a'"),
        "ValidationException: Path component cannot be an empty string",
        PARITY,
    ),
    Mistake(
        "three names in FROM",
        lambda w: w.run('SELECT * FROM "orders"."by-customer"."x" WHERE pk = \'a\''),
        "ValidationException: A path may contain at most 2 components in the FROM clause",
        PARITY,
    ),
]
