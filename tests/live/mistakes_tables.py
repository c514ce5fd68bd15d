"""Tables, indexes, TTL, streams, alarms and auto scaling."""

from __future__ import annotations

import datetime as dt
from typing import Any

import dynamolab as lab
from live.mistakes_world import (
    BOTO,
    DYNALITE,
    KEYS,
    MOTO,
    OURS,
    PARITY,
    REPORTED,
    SILENT,
    STACKD,
    Mistake,
    World,
    definitions,
    index,
    keys,
    units,
)

V = {":v": {"S": "x"}}


def ttl(w: World, name: str = "expires", on: bool = True, table: str = "orders") -> Any:
    """UpdateTimeToLive."""
    return w.client.update_time_to_live(TableName=table, TimeToLiveSpecification={"AttributeName": name, "Enabled": on})


def cw(w: World, **more: Any) -> Any:
    """GetMetricStatistics of the last hour's consumption."""
    now = lab.clock.now()
    request = {
        "Namespace": "AWS/DynamoDB",
        "MetricName": "ConsumedWriteCapacityUnits",
        "Dimensions": [{"Name": "TableName", "Value": "orders"}],
        "StartTime": now - dt.timedelta(hours=1),
        "EndTime": now,
        "Period": 60,
        "Statistics": ["Sum"],
    }
    return w.of("cloudwatch").get_metric_statistics(**{**request, **more})


def stream(w: World) -> str:
    """Enable a stream; returns its ARN."""
    w.client.update_table(
        TableName="orders", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    )
    lab.clock.advance(seconds=10)
    return str(w.client.describe_table(TableName="orders")["Table"]["LatestStreamArn"])


def shard(w: World, arn: str) -> str:
    """The stream's one shard."""
    return str(w.of("dynamodbstreams").describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"])


def iterator(w: World, **more: Any) -> Any:
    """GetShardIterator of a new stream."""
    arn = stream(w)
    request = {"StreamArn": arn, "ShardId": shard(w, arn), "ShardIteratorType": "TRIM_HORIZON"}
    return w.of("dynamodbstreams").get_shard_iterator(**{**request, **more})


def expired(w: World) -> Any:
    """GetRecords with an iterator of 16 minutes ago."""
    found = iterator(w)["ShardIterator"]
    lab.clock.advance(minutes=16)
    return w.of("dynamodbstreams").get_records(ShardIterator=found)


def alarm(w: World, **more: Any) -> Any:
    """PutMetricAlarm."""
    request = {
        "AlarmName": "a",
        "MetricName": "ThrottledRequests",
        "Namespace": "AWS/DynamoDB",
        "Statistic": "Sum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "Threshold": 1.0,
        "ComparisonOperator": "GreaterThanThreshold",
    }
    return w.of("cloudwatch").put_metric_alarm(**{**request, **more})


SCALED = {
    "ServiceNamespace": "dynamodb",
    "ResourceId": "table/slow",
    "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
}


def target(w: World, **more: Any) -> Any:
    """RegisterScalableTarget."""
    return w.of("application-autoscaling").register_scalable_target(
        **{**SCALED, "MinCapacity": 5, "MaxCapacity": 50, **more}
    )


def policy(w: World, **more: Any) -> Any:
    """PutScalingPolicy."""
    tracked = {
        "TargetValue": 70.0,
        "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
    }
    request = {
        "PolicyName": "p",
        **SCALED,
        "PolicyType": "TargetTrackingScaling",
        "TargetTrackingScalingPolicyConfiguration": tracked,
    }
    return w.of("application-autoscaling").put_scaling_policy(**{**request, **more})


ROWS = [
    Mistake(
        "a table that exists",
        lambda w: w.create(TableName="orders"),
        "ResourceInUseException: Table already exists: orders",
        DYNALITE,
    ),
    Mistake(
        "a table that does not exist",
        lambda w: w.run("SELECT * FROM \"order\" WHERE pk = 'a'"),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "DescribeTable of a table that does not exist",
        lambda w: w.client.describe_table(TableName="order"),
        "ResourceNotFoundException: Requested resource not found: Table: order not found",
        DYNALITE,
    ),
    Mistake(
        "DeleteTable of a table that does not exist",
        lambda w: w.client.delete_table(TableName="order"),
        "ResourceNotFoundException: Requested resource not found: Table: order not found",
        DYNALITE,
    ),
    Mistake(
        "UpdateTable of a table that does not exist",
        lambda w: w.client.update_table(TableName="order", BillingMode="PAY_PER_REQUEST"),
        "ResourceNotFoundException: Requested resource not found: Table: order not found",
        DYNALITE,
    ),
    Mistake(
        "a table's name in other case",
        lambda w: w.client.put_item(TableName="Orders", Item=w.key),
        "ResourceNotFoundException: Requested resource not found",
        PARITY,
    ),
    Mistake(
        "a table's name of two letters",
        lambda w: w.create(TableName="ab"),
        "ValidationException: TableName must be at least 3 characters long and at most 255 characters long",
        DYNALITE,
    ),
    Mistake(
        "a table's name with a space",
        lambda w: w.create(TableName="my orders"),
        (
            "ValidationException: 1 validation error detected: Value 'my orders' at 'tableName' "
            "failed to satisfy constraint: Member must satisfy regular expression pattern: "
            "[a-zA-Z0-9_.-]+"
        ),
        PARITY,
    ),
    Mistake(
        "a table's name with an accent",
        lambda w: w.create(TableName="pédidos"),
        (
            "ValidationException: 1 validation error detected: Value 'pédidos' at 'tableName' "
            "failed to satisfy constraint: Member must satisfy regular expression pattern: "
            "[a-zA-Z0-9_.-]+"
        ),
        PARITY,
    ),
    Mistake(
        "a table's name of 256 letters",
        lambda w: w.create(TableName="x" * 256),
        "ValidationException: TableName must be at least 3 characters long and at most 255 characters long",
        DYNALITE,
    ),
    Mistake(
        "no table's name",
        lambda w: w.client.scan(),
        ('ParamValidationError: Parameter validation failed:\nMissing required parameter in input: "TableName"'),
        BOTO,
    ),
    Mistake(
        "an empty table's name",
        lambda w: w.client.scan(TableName=""),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "TableName, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "None as a table's name",
        lambda w: w.client.scan(TableName=None),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "TableName, value: None, type: <class 'NoneType'>, valid types: <class 'str'>"
        ),
        BOTO,
    ),
    Mistake(
        "no billing mode and no units",
        lambda w: w.create(BillingMode=None),
        (
            "ValidationException: One or more parameter values were invalid: ReadCapacityUnits "
            "and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
        ),
        DYNALITE,
    ),
    Mistake(
        "PROVISIONED without units",
        lambda w: w.create(BillingMode="PROVISIONED"),
        (
            "ValidationException: One or more parameter values were invalid: ReadCapacityUnits "
            "and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
        ),
        DYNALITE,
    ),
    Mistake(
        "units with PAY_PER_REQUEST",
        lambda w: w.create(ProvisionedThroughput=units(5)),
        (
            "ValidationException: One or more parameter values were invalid: Neither "
            "ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
            "PAY_PER_REQUEST"
        ),
        DYNALITE,
    ),
    Mistake(
        "an unknown billing mode",
        lambda w: w.create(BillingMode="ON_DEMAND"),
        (
            "ValidationException: 1 validation error detected: Value 'ON_DEMAND' at "
            "'billingMode' failed to satisfy constraint: Member must satisfy enum value set: "
            "[PROVISIONED, PAY_PER_REQUEST]"
        ),
        PARITY,
    ),
    Mistake(
        "read units alone",
        lambda w: w.create(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5}),
        (
            "ParamValidationError: Parameter validation failed:\nMissing required parameter in "
            'ProvisionedThroughput: "WriteCapacityUnits"'
        ),
        BOTO,
    ),
    Mistake(
        "zero units",
        lambda w: w.create(BillingMode="PROVISIONED", ProvisionedThroughput=units(0)),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid value for parameter "
            "ProvisionedThroughput.ReadCapacityUnits, value: 0, valid min value: 1\nInvalid value "
            "for parameter ProvisionedThroughput.WriteCapacityUnits, value: 0, valid min value: 1"
        ),
        BOTO,
    ),
    Mistake(
        "negative units",
        lambda w: w.create(BillingMode="PROVISIONED", ProvisionedThroughput=units(-5)),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid value for parameter "
            "ProvisionedThroughput.ReadCapacityUnits, value: -5, valid min value: 1\nInvalid "
            "value for parameter ProvisionedThroughput.WriteCapacityUnits, value: -5, valid min "
            "value: 1"
        ),
        BOTO,
    ),
    Mistake(
        "units as string",
        lambda w: w.create(
            BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": "5", "WriteCapacityUnits": "5"}
        ),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ProvisionedThroughput.ReadCapacityUnits, value: 5, type: <class 'str'>, valid "
            "types: <class 'int'>\nInvalid type for parameter "
            "ProvisionedThroughput.WriteCapacityUnits, value: 5, type: <class 'str'>, valid "
            "types: <class 'int'>"
        ),
        BOTO,
    ),
    Mistake(
        "units as float",
        lambda w: w.create(
            BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5.0, "WriteCapacityUnits": 5.0}
        ),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "ProvisionedThroughput.ReadCapacityUnits, value: 5.0, type: <class 'float'>, valid "
            "types: <class 'int'>\nInvalid type for parameter "
            "ProvisionedThroughput.WriteCapacityUnits, value: 5.0, type: <class 'float'>, valid "
            "types: <class 'int'>"
        ),
        BOTO,
    ),
    Mistake(
        "more units than the quota",
        lambda w: w.create(BillingMode="PROVISIONED", ProvisionedThroughput=units(40_001)),
        (
            "LimitExceededException: The requested ReadCapacityUnits, 40001, is above the per "
            "table maximum for the account in eu-west-1. Per table maximum: 40000."
        ),
        OURS,
    ),
    Mistake(
        "an attribute definition that no key needs",
        lambda w: w.create(AttributeDefinitions=definitions("pk", "price")),
        (
            "ValidationException: One or more parameter values were invalid: Number of "
            "attributes in KeySchema does not exactly match number of attributes defined in "
            "AttributeDefinitions"
        ),
        DYNALITE,
    ),
    Mistake(
        "a key without a definition",
        lambda w: w.create(AttributeDefinitions=definitions("id")),
        (
            "ValidationException: One or more parameter values were invalid: Some index key "
            "attributes are not defined in AttributeDefinitions. Keys: [pk], "
            "AttributeDefinitions: [id]"
        ),
        DYNALITE,
    ),
    Mistake(
        "fewer definitions than keys",
        lambda w: w.create(KeySchema=keys("pk", "sk")),
        "ValidationException: Invalid KeySchema: Some index key attribute have no definition",
        DYNALITE,
    ),
    Mistake(
        "no definitions",
        lambda w: w.create(AttributeDefinitions=[]),
        "ValidationException: Invalid KeySchema: Some index key attribute have no definition",
        DYNALITE,
    ),
    Mistake(
        "no definitions at all",
        lambda w: w.create(AttributeDefinitions=None),
        (
            "ValidationException: 1 validation error detected: Value null at "
            "'attributeDefinitions' failed to satisfy constraint: Member must not be null"
        ),
        PARITY,
    ),
    Mistake(
        "an attribute defined twice",
        lambda w: w.create(AttributeDefinitions=[*definitions("pk"), *definitions("pk", kind="N")]),
        (
            "ValidationException: One or more parameter values were invalid: Number of "
            "attributes in KeySchema does not exactly match number of attributes defined in "
            "AttributeDefinitions"
        ),
        DYNALITE,
    ),
    Mistake(
        "an unknown type of a key",
        lambda w: w.create(AttributeDefinitions=definitions("pk", kind="STRING")),
        (
            "ValidationException: 1 validation error detected: Value 'STRING' at "
            "'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member "
            "must satisfy enum value set: [S, N, B]"
        ),
        PARITY,
    ),
    Mistake(
        "a boolean key",
        lambda w: w.create(AttributeDefinitions=definitions("pk", kind="BOOL")),
        (
            "ValidationException: 1 validation error detected: Value 'BOOL' at "
            "'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member "
            "must satisfy enum value set: [S, N, B]"
        ),
        PARITY,
    ),
    Mistake(
        "two partition keys",
        lambda w: w.create(
            KeySchema=[*keys("pk"), {"AttributeName": "sk", "KeyType": "HASH"}],
            AttributeDefinitions=definitions("pk", "sk"),
        ),
        "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        DYNALITE,
    ),
    Mistake(
        "the sort key first",
        lambda w: w.create(KeySchema=keys("pk", "sk")[::-1], AttributeDefinitions=definitions("pk", "sk")),
        "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        DYNALITE,
    ),
    Mistake(
        "a sort key alone",
        lambda w: w.create(KeySchema=[{"AttributeName": "pk", "KeyType": "RANGE"}]),
        "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        DYNALITE,
    ),
    Mistake(
        "three keys",
        lambda w: w.create(
            KeySchema=[*keys("pk", "sk"), {"AttributeName": "x", "KeyType": "RANGE"}],
            AttributeDefinitions=definitions("pk", "sk", "x"),
        ),
        (
            "ValidationException: 1 validation error detected: Value "
            "'[KeySchemaElement(attributeName=pk, keyType=HASH), "
            "KeySchemaElement(attributeName=sk, keyType=RANGE), "
            "KeySchemaElement(attributeName=x, keyType=RANGE)]' at 'keySchema' failed to satisfy "
            "constraint: Member must have length less than or equal to 2"
        ),
        DYNALITE,
    ),
    Mistake(
        "one attribute as both keys",
        lambda w: w.create(KeySchema=keys("pk", "pk"), AttributeDefinitions=definitions("pk")),
        "ValidationException: Invalid KeySchema: Some index key attribute have no definition",
        DYNALITE,
    ),
    Mistake(
        "an unknown key type",
        lambda w: w.create(KeySchema=[{"AttributeName": "pk", "KeyType": "PARTITION"}]),
        (
            "ValidationException: 1 validation error detected: Value 'PARTITION' at "
            "'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum "
            "value set: [HASH, RANGE]"
        ),
        PARITY,
    ),
    Mistake(
        "no keys",
        lambda w: w.create(KeySchema=[]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "KeySchema, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "an index on an attribute without a definition",
        lambda w: w.create(GlobalSecondaryIndexes=[index("by-g", "g")]),
        (
            "ValidationException: One or more parameter values were invalid: Some index key "
            "attributes are not defined in AttributeDefinitions. Keys: [g], "
            "AttributeDefinitions: [pk]"
        ),
        DYNALITE,
    ),
    Mistake(
        "an index without a projection",
        lambda w: w.create(
            AttributeDefinitions=definitions("pk", "g"),
            GlobalSecondaryIndexes=[{"IndexName": "by-g", "KeySchema": keys("g")}],
        ),
        (
            "ParamValidationError: Parameter validation failed:\nMissing required parameter in "
            'GlobalSecondaryIndexes[0]: "Projection"'
        ),
        BOTO,
    ),
    Mistake(
        "an unknown projection",
        lambda w: w.create(
            AttributeDefinitions=definitions("pk", "g"),
            GlobalSecondaryIndexes=[index("by-g", "g", Projection={"ProjectionType": "SOME"})],
        ),
        (
            "ValidationException: 1 validation error detected: Value 'SOME' at "
            "'globalSecondaryIndexes.1.member.projection.projectionType' failed to satisfy "
            "constraint: Member must satisfy enum value set: [ALL, KEYS_ONLY, INCLUDE]"
        ),
        PARITY,
    ),
    Mistake(
        "an unknown projection of a local index",
        lambda w: w.create(
            KeySchema=KEYS,
            AttributeDefinitions=definitions("pk", "sk", "g"),
            LocalSecondaryIndexes=[index("by-g", "pk", "g", Projection={"ProjectionType": "all"})],
        ),
        (
            "ValidationException: 1 validation error detected: Value 'all' at "
            "'localSecondaryIndexes.1.member.projection.projectionType' failed to satisfy "
            "constraint: Member must satisfy enum value set: [ALL, KEYS_ONLY, INCLUDE]"
        ),
        PARITY,
    ),
    Mistake(
        "INCLUDE without attributes",
        lambda w: w.create(
            AttributeDefinitions=definitions("pk", "g"),
            GlobalSecondaryIndexes=[index("by-g", "g", Projection={"ProjectionType": "INCLUDE"})],
        ),
        (
            "ValidationException: One or more parameter values were invalid: ProjectionType is "
            "INCLUDE, but NonKeyAttributes is not specified"
        ),
        DYNALITE,
    ),
    Mistake(
        "ALL with attributes",
        lambda w: w.create(
            AttributeDefinitions=definitions("pk", "g"),
            GlobalSecondaryIndexes=[
                index("by-g", "g", Projection={"ProjectionType": "ALL", "NonKeyAttributes": ["a"]})
            ],
        ),
        (
            "ValidationException: One or more parameter values were invalid: ProjectionType is "
            "ALL, but NonKeyAttributes is specified"
        ),
        DYNALITE,
    ),
    Mistake(
        "21 global indexes",
        lambda w: w.create(
            AttributeDefinitions=definitions("pk"), GlobalSecondaryIndexes=[index(f"by-{n}", "pk") for n in range(21)]
        ),
        (
            "ValidationException: One or more parameter values were invalid: "
            "GlobalSecondaryIndex count exceeds the per-table limit of 20"
        ),
        DYNALITE,
    ),
    Mistake(
        "6 local indexes",
        lambda w: w.create(
            KeySchema=KEYS,
            AttributeDefinitions=definitions("pk", "sk"),
            LocalSecondaryIndexes=[index(f"by-{n}", "pk", "sk") for n in range(6)],
        ),
        (
            "ValidationException: One or more parameter values were invalid: Number of "
            "LocalSecondaryIndexes exceeds per-table limit of 5"
        ),
        DYNALITE,
    ),
    Mistake(
        "101 projected attributes",
        lambda w: w.create(
            GlobalSecondaryIndexes=[
                index(
                    f"by-{i}",
                    "pk",
                    Projection={
                        "ProjectionType": "INCLUDE",
                        "NonKeyAttributes": [f"a{n}" for n in range(i * 20, i * 20 + (20 if i < 5 else 1))],
                    },
                )
                for i in range(6)
            ]
        ),
        (
            "ValidationException: One or more parameter values were invalid: Number of "
            "attributes projected into all indexes of the table, 101, exceeds the per-table "
            "limit of 100"
        ),
        DYNALITE,
    ),
    Mistake(
        "21 projected attributes of an index",
        lambda w: w.create(
            GlobalSecondaryIndexes=[
                index(
                    "by-g",
                    "pk",
                    Projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": [f"a{n}" for n in range(21)]},
                )
            ]
        ),
        (
            "ValidationException: 1 validation error detected: Value '[a0, a1, a2, a3, a4, a5, "
            "a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20]' at "
            "'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy "
            "constraint: Member must have length less than or equal to 20"
        ),
        PARITY,
    ),
    Mistake(
        "a local index of a table without a sort key",
        lambda w: w.create(
            AttributeDefinitions=definitions("pk", "d"), LocalSecondaryIndexes=[index("by-d", "pk", "d")]
        ),
        (
            "ValidationException: One or more parameter values were invalid: Table KeySchema "
            "does not have a range key, which is required when specifying a LocalSecondaryIndex"
        ),
        DYNALITE,
    ),
    Mistake(
        "a local index without a sort key",
        lambda w: w.create(
            KeySchema=KEYS, AttributeDefinitions=definitions("pk", "sk"), LocalSecondaryIndexes=[index("by-d", "pk")]
        ),
        (
            "ValidationException: One or more parameter values were invalid: Index KeySchema "
            "does not have a range key for index: by-d"
        ),
        DYNALITE,
    ),
    Mistake(
        "a local index of another partition key",
        lambda w: w.create(
            KeySchema=KEYS,
            AttributeDefinitions=definitions("pk", "sk", "d"),
            LocalSecondaryIndexes=[index("by-d", "d", "sk")],
        ),
        (
            "ValidationException: One or more parameter values were invalid: Index KeySchema "
            "does not have the same leading hash key as table KeySchema for index: by-d. index "
            "hash key: d, table hash key: pk"
        ),
        DYNALITE,
    ),
    Mistake(
        "two indexes of one name",
        lambda w: w.create(GlobalSecondaryIndexes=[index("by-pk", "pk")] * 2),
        "ValidationException: One or more parameter values were invalid: Duplicate index name: by-pk",
        PARITY,
    ),
    Mistake(
        "an empty list of indexes",
        lambda w: w.create(GlobalSecondaryIndexes=[]),
        ("ValidationException: One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty"),
        DYNALITE,
    ),
    Mistake(
        "an empty list of local indexes",
        lambda w: w.create(KeySchema=KEYS, AttributeDefinitions=definitions("pk", "sk"), LocalSecondaryIndexes=[]),
        ("ValidationException: One or more parameter values were invalid: List of LocalSecondaryIndexes is empty"),
        DYNALITE,
    ),
    Mistake(
        "an index of a provisioned table without units",
        lambda w: w.create(
            BillingMode="PROVISIONED", ProvisionedThroughput=units(5), GlobalSecondaryIndexes=[index("by-pk", "pk")]
        ),
        (
            "ValidationException: One or more parameter values were invalid: "
            "ProvisionedThroughput is not specified for index: by-pk"
        ),
        DYNALITE,
    ),
    Mistake(
        "an index of an on-demand table with units",
        lambda w: w.create(GlobalSecondaryIndexes=[index("by-pk", "pk", ProvisionedThroughput=units(5))]),
        (
            "ValidationException: One or more parameter values were invalid: "
            "ProvisionedThroughput should not be specified for index: by-pk when BillingMode is "
            "PAY_PER_REQUEST"
        ),
        DYNALITE,
    ),
    Mistake(
        "an index name of two letters in CreateTable",
        lambda w: w.create(GlobalSecondaryIndexes=[index("gs", "pk")]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "GlobalSecondaryIndexes[0].IndexName, value: 2, valid min length: 3"
        ),
        BOTO,
    ),
    Mistake(
        "a stream without a view",
        lambda w: w.create(StreamSpecification={"StreamEnabled": True}),
        (
            "ValidationException: One or more parameter values were invalid: StreamViewType is "
            "required when StreamEnabled is true"
        ),
        OURS,
    ),
    Mistake(
        "a stream of an unknown view",
        lambda w: w.create(StreamSpecification={"StreamEnabled": True, "StreamViewType": "BOTH"}),
        (
            "ValidationException: 1 validation error detected: Value 'BOTH' at "
            "'streamSpecification.streamViewType' failed to satisfy constraint: Member must "
            "satisfy enum value set: [NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]"
        ),
        PARITY,
    ),
    Mistake(
        "a view without a stream",
        lambda w: w.create(StreamSpecification={"StreamEnabled": False, "StreamViewType": "NEW_IMAGE"}),
        (
            "ValidationException: One or more parameter values were invalid: StreamViewType "
            "cannot be specified when StreamEnabled is false"
        ),
        OURS,
    ),
    Mistake(
        "an unknown table class",
        lambda w: w.create(TableClass="INFREQUENT"),
        (
            "ValidationException: 1 validation error detected: Value 'INFREQUENT' at "
            "'tableClass' failed to satisfy constraint: Member must satisfy enum value set: "
            "[STANDARD, STANDARD_INFREQUENT_ACCESS]"
        ),
        PARITY,
    ),
    Mistake(
        "an update of nothing",
        lambda w: w.client.update_table(TableName="orders"),
        (
            "ValidationException: At least one of ProvisionedThroughput, BillingMode, "
            "UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or "
            "ReplicaUpdates is required"
        ),
        DYNALITE,
    ),
    Mistake(
        "an update of units to what they are",
        lambda w: w.client.update_table(TableName="slow", ProvisionedThroughput=units(5)),
        (
            "ValidationException: The provisioned throughput for the table will not change. The "
            "requested value equals the current value. Current ReadCapacityUnits provisioned for "
            "the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits "
            "provisioned for the table: 5. Requested WriteCapacityUnits: 5. Refer to the Amazon "
            "DynamoDB Developer Guide for current limits and how to request higher limits."
        ),
        STACKD,
    ),
    Mistake(
        "units for an on-demand table",
        lambda w: w.client.update_table(TableName="orders", ProvisionedThroughput=units(5)),
        (
            "ValidationException: One or more parameter values were invalid: Neither "
            "ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
            "PAY_PER_REQUEST"
        ),
        DYNALITE,
    ),
    Mistake(
        "a change to provisioned without units",
        lambda w: w.client.update_table(TableName="orders", BillingMode="PROVISIONED"),
        (
            "ValidationException: One or more parameter values were invalid: "
            "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
        ),
        STACKD,
    ),
    Mistake(
        "a second update while the first is under way",
        lambda w: [w.client.update_table(TableName="slow", ProvisionedThroughput=units(n)) for n in (6, 7)],
        (
            "ResourceInUseException: Attempt to change a resource which is still in use: Table "
            "IOPS are currently being updated. Table: slow"
        ),
        STACKD,
    ),
    Mistake(
        "two indexes at once",
        lambda w: w.client.update_table(
            TableName="orders",
            AttributeDefinitions=definitions("a", "b"),
            GlobalSecondaryIndexUpdates=[{"Create": index("by-a", "a")}, {"Create": index("by-b", "b")}],
        ),
        (
            "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be "
            "created or deleted simultaneously per table"
        ),
        STACKD,
    ),
    Mistake(
        "an index that exists",
        lambda w: w.client.update_table(
            TableName="orders",
            AttributeDefinitions=definitions("customer"),
            GlobalSecondaryIndexUpdates=[{"Create": index("by-customer", "customer")}],
        ),
        "ValidationException: Attempting to create an index which already exists",
        MOTO,
    ),
    Mistake(
        "an index without a definition in UpdateTable",
        lambda w: w.client.update_table(
            TableName="orders", GlobalSecondaryIndexUpdates=[{"Create": index("by-a", "a")}]
        ),
        (
            "ValidationException: One or more parameter values were invalid: Some index key "
            "attributes are not defined in AttributeDefinitions. Keys: [a], "
            "AttributeDefinitions: [pk, sk, customer, date]"
        ),
        DYNALITE,
    ),
    Mistake(
        "deletion of an index that does not exist",
        lambda w: w.client.update_table(
            TableName="orders", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-a"}}]
        ),
        "ResourceNotFoundException: Requested resource not found: Index by-a for table orders",
        PARITY,
    ),
    Mistake(
        "an update of an index that does not exist",
        lambda w: w.client.update_table(
            TableName="slow",
            GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "by-a", "ProvisionedThroughput": units(6)}}],
        ),
        "ResourceNotFoundException: Requested resource not found: Index by-a for table slow",
        PARITY,
    ),
    Mistake(
        "another index while one is being created",
        lambda w: [
            w.client.update_table(
                TableName="orders",
                AttributeDefinitions=definitions(n),
                GlobalSecondaryIndexUpdates=[{"Create": index("by-" + n, n)}],
            )
            for n in ("aa", "bb")
        ],
        (
            "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be "
            "created or deleted simultaneously per table"
        ),
        STACKD,
    ),
    Mistake(
        "deletion of a table that is being updated",
        lambda w: [
            w.client.update_table(TableName="slow", ProvisionedThroughput=units(6)),
            w.client.delete_table(TableName="slow"),
        ],
        (
            "ResourceInUseException: Attempt to change a resource which is still in use: Table: "
            "slow is in the process of being updated."
        ),
        STACKD,
    ),
    Mistake(
        "deletion of a protected table",
        lambda w: [
            w.client.update_table(TableName="orders", DeletionProtectionEnabled=True),
            w.client.delete_table(TableName="orders"),
        ],
        (
            "ValidationException: 1 validation error detected: Table 'orders' can't be deleted "
            "while DeletionProtectionEnabled is set to True"
        ),
        MOTO,
    ),
    Mistake(
        "a local index in UpdateTable",
        lambda w: w.client.update_table(TableName="orders", LocalSecondaryIndexUpdates=[]),
        (
            "ParamValidationError: Parameter validation failed:\nUnknown parameter in input: "
            '"LocalSecondaryIndexUpdates", must be one of: AttributeDefinitions, TableName, '
            "BillingMode, ProvisionedThroughput, GlobalSecondaryIndexUpdates, "
            "StreamSpecification, SSESpecification, ReplicaUpdates, TableClass, "
            "DeletionProtectionEnabled, MultiRegionConsistency, GlobalTableWitnessUpdates, "
            "OnDemandThroughput, WarmThroughput, GlobalTableSettingsReplicationMode, "
            "DisassociationProtectionEnabled, VectorIndexUpdates"
        ),
        BOTO,
    ),
    Mistake(
        "a query of an index that is being created",
        lambda w: [
            w.client.update_table(
                TableName="orders",
                AttributeDefinitions=definitions("aa"),
                GlobalSecondaryIndexUpdates=[{"Create": index("by-aa", "aa")}],
            ),
            w.query("aa = :v", V, IndexName="by-aa"),
        ],
        "ValidationException: Cannot read from backfilling global secondary index: by-aa",
        STACKD,
    ),
    Mistake(
        "tags of a name",
        lambda w: w.client.tag_resource(ResourceArn="orders", Tags=[{"Key": "a", "Value": "b"}]),
        "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input orders",
        DYNALITE,
    ),
    Mistake(
        "tags of another table's ARN",
        lambda w: w.client.tag_resource(
            ResourceArn="arn:aws:dynamodb:eu-west-1:123456789012:table/order", Tags=[{"Key": "a", "Value": "b"}]
        ),
        (
            "ResourceNotFoundException: Requested resource not found: ResourcArn: "
            "arn:aws:dynamodb:eu-west-1:123456789012:table/order not found"
        ),
        DYNALITE,
    ),
    Mistake(
        "tags as a map",
        lambda w: w.client.tag_resource(
            ResourceArn="arn:aws:dynamodb:eu-west-1:123456789012:table/orders", Tags={"a": "b"}
        ),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter Tags, "
            "value: {'a': 'b'}, type: <class 'dict'>, valid types: <class 'list'>, <class "
            "'tuple'>"
        ),
        BOTO,
    ),
    Mistake(
        "the tags of a name",
        lambda w: w.client.list_tags_of_resource(ResourceArn="orders"),
        "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input orders",
        DYNALITE,
    ),
    Mistake(
        "untagging of a name",
        lambda w: w.client.untag_resource(ResourceArn="orders", TagKeys=["a"]),
        "ValidationException: Invalid TableArn: Invalid ResourceArn provided as input orders",
        DYNALITE,
    ),
    Mistake(
        "ListTables with a limit of 101",
        lambda w: w.client.list_tables(Limit=101),
        (
            "ValidationException: 1 validation error detected: Value '101' at 'limit' failed to "
            "satisfy constraint: Member must have value less than or equal to 100"
        ),
        PARITY,
    ),
    Mistake(
        "a waiter for a table that is not made",
        lambda w: w.client.get_waiter("table_exists").wait(
            TableName="order", WaiterConfig={"Delay": 1, "MaxAttempts": 2}
        ),
        (
            "WaiterError: Waiter TableExists failed: Max attempts exceeded. Previously accepted "
            "state: Matched expected service error code: ResourceNotFoundException"
        ),
        BOTO,
    ),
    Mistake(
        "backups of a table that does not exist",
        lambda w: w.client.create_backup(TableName="order", BackupName="copy"),
        "TableNotFoundException: Table not found: order",
        MOTO,
    ),
    Mistake(
        "continuous backups of an unknown table",
        lambda w: w.client.describe_continuous_backups(TableName="order"),
        "TableNotFoundException: Table not found: order",
        MOTO,
    ),
    Mistake(
        "an operation that the lab has not: export",
        lambda w: w.client.export_table_to_point_in_time(
            TableArn="arn:aws:dynamodb:eu-west-1:123456789012:table/orders", S3Bucket="b"
        ),
        ("ValidationException: The lab could not carry out this ExportTableToPointInTime (KeyError: S3Prefix)."),
        OURS,
    ),
    Mistake(
        "an operation that the lab has not: global tables",
        lambda w: w.client.list_global_tables(),
        (
            "LabError: The lab has not got the operation ListGlobalTables of dynamodb; "
            "docs/fidelity.md says what it models."
        ),
        OURS,
    ),
    Mistake(
        "TTL enabled twice",
        lambda w: [ttl(w), lab.clock.advance(hours=2), ttl(w)],
        "ValidationException: TimeToLive is already enabled",
        REPORTED,
    ),
    Mistake(
        "TTL enabled again within the hour",
        lambda w: [ttl(w), ttl(w)],
        "ValidationException: TimeToLive is already enabled",
        REPORTED,
    ),
    Mistake(
        "TTL disabled within the hour",
        lambda w: [ttl(w), ttl(w, on=False)],
        "ValidationException: Time to live has been modified multiple times within a fixed interval",
        REPORTED,
    ),
    Mistake(
        "TTL disabled though it is not on",
        lambda w: ttl(w, on=False),
        "ValidationException: TimeToLive is already disabled",
        REPORTED,
    ),
    Mistake(
        "TTL on another attribute while it is on",
        lambda w: [ttl(w), lab.clock.advance(hours=2), ttl(w, "other")],
        ("ValidationException: TimeToLive is active on a different AttributeName: current AttributeName is expires"),
        REPORTED,
    ),
    Mistake(
        "TTL of a table that does not exist",
        lambda w: ttl(w, table="order"),
        "ResourceNotFoundException: Requested resource not found: Table: order not found",
        DYNALITE,
    ),
    Mistake(
        "TTL without an attribute",
        lambda w: ttl(w, ""),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "TimeToLiveSpecification.AttributeName, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "TTL on a key",
        lambda w: ttl(w, "sk"),
        (
            "ValidationException: One or more parameter values were invalid: TimeToLive "
            "attribute sk is part of the table's key"
        ),
        OURS,
    ),
    Mistake(
        "TTL without Enabled",
        lambda w: w.client.update_time_to_live(TableName="orders", TimeToLiveSpecification={"AttributeName": "e"}),
        (
            "ParamValidationError: Parameter validation failed:\nMissing required parameter in "
            'TimeToLiveSpecification: "Enabled"'
        ),
        BOTO,
    ),
    Mistake(
        "TTL of an attribute name of 256 letters",
        lambda w: ttl(w, "x" * 256),
        (
            "ValidationException: 1 validation error detected: Value "
            "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxx' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: "
            "Member must have length less than or equal to 255"
        ),
        PARITY,
    ),
    Mistake(
        "DescribeTimeToLive of an unknown table",
        lambda w: w.client.describe_time_to_live(TableName="order"),
        "ResourceNotFoundException: Requested resource not found: Table: order not found",
        DYNALITE,
    ),
    Mistake(
        "a stream that is enabled twice",
        lambda w: [stream(w), stream(w)],
        "ValidationException: Table already has an enabled stream: TableName: orders",
        MOTO,
    ),
    Mistake(
        "a stream that is disabled though it is off",
        lambda w: w.client.update_table(TableName="orders", StreamSpecification={"StreamEnabled": False}),
        "ValidationException: Table has no enabled stream to disable: TableName: orders",
        MOTO,
    ),
    Mistake(
        "an iterator of an unknown type",
        lambda w: iterator(w, ShardIteratorType="FIRST"),
        (
            "ValidationException: 1 validation error detected: Value 'FIRST' at "
            "'shardIteratorType' failed to satisfy constraint: Member must satisfy enum value "
            "set: [TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER, AT_TIMESTAMP]"
        ),
        PARITY,
    ),
    Mistake(
        "an iterator of an unknown shard",
        lambda w: iterator(w, ShardId="shardId-00000000000000000001-aaaaaaaa"),
        (
            "ResourceNotFoundException: Requested resource not found: Shard: "
            "shardId-00000000000000000001-aaaaaaaa not found"
        ),
        PARITY,
    ),
    Mistake(
        "an iterator at a sequence number without one",
        lambda w: iterator(w, ShardIteratorType="AT_SEQUENCE_NUMBER"),
        "ValidationException: SequenceNumber is required for the iterator type AT_SEQUENCE_NUMBER",
        OURS,
    ),
    Mistake(
        "an iterator at a sequence number that never was",
        lambda w: iterator(w, ShardIteratorType="AT_SEQUENCE_NUMBER", SequenceNumber="1"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "SequenceNumber, value: 1, valid min length: 21"
        ),
        BOTO,
    ),
    Mistake(
        "a malformed iterator",
        lambda w: w.of("dynamodbstreams").get_records(ShardIterator="next"),
        "ValidationException: Invalid ShardIterator",
        OURS,
    ),
    Mistake(
        "an iterator of more than 15 minutes", expired, "ExpiredIteratorException: Shard iterator has expired", MOTO
    ),
    Mistake(
        "GetRecords with a limit of 1,001",
        lambda w: w.of("dynamodbstreams").get_records(ShardIterator=iterator(w)["ShardIterator"], Limit=1001),
        (
            "ValidationException: 1 validation error detected: Value '1001' at 'limit' failed to "
            "satisfy constraint: Member must have value less than or equal to 1000"
        ),
        PARITY,
    ),
    Mistake(
        "GetRecords without an iterator",
        lambda w: w.of("dynamodbstreams").get_records(),
        ('ParamValidationError: Parameter validation failed:\nMissing required parameter in input: "ShardIterator"'),
        BOTO,
    ),
    Mistake(
        "DescribeStream of a table's name",
        lambda w: w.of("dynamodbstreams").describe_stream(StreamArn="orders"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "StreamArn, value: 6, valid min length: 37"
        ),
        BOTO,
    ),
    Mistake(
        "DescribeStream of a table's ARN",
        lambda w: w.of("dynamodbstreams").describe_stream(
            StreamArn="arn:aws:dynamodb:eu-west-1:123456789012:table/orders"
        ),
        (
            "ResourceNotFoundException: Requested resource not found: Stream: "
            "arn:aws:dynamodb:eu-west-1:123456789012:table/orders not found"
        ),
        PARITY,
    ),
    Mistake(
        "DescribeStream of a stream that does not exist",
        lambda w: w.of("dynamodbstreams").describe_stream(
            StreamArn="arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2026-09-06T10:00:00.000"
        ),
        (
            "ResourceNotFoundException: Requested resource not found: Stream: "
            "arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2026-09-06T10:00:00.000 "
            "not found"
        ),
        PARITY,
    ),
    Mistake(
        "ListStreams of an unknown table",
        lambda w: w.of("dynamodbstreams").list_streams(TableName="order")["Streams"],
        "accepted: []",
        SILENT,
    ),
    Mistake(
        "a metric with its times reversed",
        lambda w: cw(w, StartTime=lab.clock.now(), EndTime=lab.clock.now() - dt.timedelta(hours=1)),
        "InvalidParameterValue: The parameter StartTime must be less than the parameter EndTime.",
        MOTO,
    ),
    Mistake(
        "a metric with one time twice",
        lambda w: cw(w, StartTime=lab.clock.now()),
        "InvalidParameterValue: The parameter StartTime must be less than the parameter EndTime.",
        MOTO,
    ),
    Mistake(
        "a metric at naive times",
        lambda w: cw(w, StartTime=dt.datetime(2026, 9, 6, 9), EndTime=dt.datetime(2026, 9, 6, 10))["Datapoints"],
        "accepted: []",
        SILENT,
    ),
    Mistake(
        "a metric at times in words",
        lambda w: cw(w, StartTime="yesterday"),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid type for parameter "
            "StartTime, value: yesterday, type: <class 'str'>, valid types: <class "
            "'datetime.datetime'>, timestamp-string"
        ),
        BOTO,
    ),
    Mistake(
        "a metric without statistics",
        lambda w: cw(w, Statistics=[]),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid length for parameter "
            "Statistics, value: 0, valid min length: 1"
        ),
        BOTO,
    ),
    Mistake(
        "a metric without Statistics",
        lambda w: w.of("cloudwatch").get_metric_statistics(
            Namespace="AWS/DynamoDB",
            MetricName="ConsumedWriteCapacityUnits",
            StartTime=lab.clock.now() - dt.timedelta(hours=1),
            EndTime=lab.clock.now(),
            Period=60,
        ),
        "InvalidParameterCombination: Must specify either Statistics or ExtendedStatistics",
        MOTO,
    ),
    Mistake(
        "an unknown statistic",
        lambda w: cw(w, Statistics=["Total"]),
        (
            "ValidationError: 1 validation error detected: Value 'Total' at "
            "'statistics.1.member' failed to satisfy constraint: Member must satisfy enum value "
            "set: [SampleCount, Average, Sum, Minimum, Maximum]"
        ),
        PARITY,
    ),
    Mistake(
        "a period of 90 seconds",
        lambda w: cw(w, Period=90),
        (
            "InvalidParameterValue: The parameter Period must be 1, 5, 10, 20, 30, or a multiple "
            "of 60 seconds: it is 90."
        ),
        MOTO,
    ),
    Mistake(
        "a period of 0",
        lambda w: cw(w, Period=0),
        (
            "ParamValidationError: Parameter validation failed:\nInvalid value for parameter "
            "Period, value: 0, valid min value: 1"
        ),
        BOTO,
    ),
    Mistake(
        "too many data points",
        lambda w: cw(w, StartTime=lab.clock.now() - dt.timedelta(days=2)),
        (
            "InvalidParameterCombination: You have requested up to 2,880 datapoints, which "
            "exceeds the limit of 1,440. You may reduce the datapoints requested by increasing "
            "Period, or decreasing the time range."
        ),
        MOTO,
    ),
    Mistake(
        "a metric that does not exist", lambda w: cw(w, MetricName="WriteUnits")["Datapoints"], "accepted: []", SILENT
    ),
    Mistake(
        "a metric of an unknown table",
        lambda w: cw(w, Dimensions=[{"Name": "TableName", "Value": "order"}])["Datapoints"],
        "accepted: []",
        SILENT,
    ),
    Mistake(
        "a dimension of an unknown name",
        lambda w: cw(w, Dimensions=[{"Name": "Table", "Value": "orders"}])["Datapoints"],
        "accepted: []",
        SILENT,
    ),
    Mistake(
        "an alarm of an unknown operator",
        lambda w: alarm(w, ComparisonOperator=">"),
        (
            "ValidationError: 1 validation error detected: Value '>' at 'comparisonOperator' "
            "failed to satisfy constraint: Member must satisfy enum value set: "
            "[GreaterThanOrEqualToThreshold, GreaterThanThreshold, LessThanThreshold, "
            "LessThanOrEqualToThreshold, LessThanLowerOrGreaterThanUpperThreshold, "
            "LessThanLowerThreshold, GreaterThanUpperThreshold]"
        ),
        PARITY,
    ),
    Mistake(
        "an alarm of an unknown statistic",
        lambda w: alarm(w, Statistic="Total"),
        (
            "ValidationError: 1 validation error detected: Value 'Total' at 'statistic' failed "
            "to satisfy constraint: Member must satisfy enum value set: [SampleCount, Average, "
            "Sum, Minimum, Maximum]"
        ),
        PARITY,
    ),
    Mistake(
        "an alarm without a statistic",
        lambda w: w.of("cloudwatch").put_metric_alarm(
            AlarmName="a",
            MetricName="ThrottledRequests",
            Namespace="AWS/DynamoDB",
            Period=60,
            EvaluationPeriods=1,
            Threshold=1.0,
            ComparisonOperator="GreaterThanThreshold",
        ),
        "ValidationError: An alarm on a metric needs a Statistic or an ExtendedStatistic.",
        OURS,
    ),
    Mistake(
        "an alarm of a period of 45 seconds",
        lambda w: alarm(w, Period=45),
        (
            "InvalidParameterValue: The parameter Period must be 1, 5, 10, 20, 30, or a multiple "
            "of 60 seconds: it is 45."
        ),
        MOTO,
    ),
    Mistake(
        "an alarm of unknown missing data",
        lambda w: alarm(w, TreatMissingData="zero"),
        "ValidationError: TreatMissingData is one of breaching, notBreaching, ignore, missing, not zero.",
        OURS,
    ),
    Mistake(
        "an alarm of more points than periods",
        lambda w: alarm(w, DatapointsToAlarm=2),
        "ValidationError: DatapointsToAlarm is at most EvaluationPeriods: 2 is above 1.",
        OURS,
    ),
    Mistake(
        "the state of an alarm that does not exist",
        lambda w: w.of("cloudwatch").set_alarm_state(AlarmName="b", StateValue="OK", StateReason="x"),
        "ResourceNotFound: There is no alarm b.",
        OURS,
    ),
    Mistake(
        "an unknown state of an alarm",
        lambda w: [alarm(w), w.of("cloudwatch").set_alarm_state(AlarmName="a", StateValue="FINE", StateReason="x")],
        (
            "ValidationError: 1 validation error detected: Value 'FINE' at 'stateValue' failed "
            "to satisfy constraint: Member must satisfy enum value set: [OK, ALARM, "
            "INSUFFICIENT_DATA]"
        ),
        PARITY,
    ),
    Mistake(
        "a target with its minimum above its maximum",
        lambda w: target(w, MinCapacity=60),
        (
            "ValidationException: Maximum capacity cannot be less than minimum capacity, nor the "
            "minimum less than 1: 60 to 50."
        ),
        OURS,
    ),
    Mistake(
        "a target of a table that does not exist",
        lambda w: target(w, ResourceId="table/slower"),
        "ValidationException: DynamoDB table does not exist: table/slower",
        MOTO,
    ),
    Mistake(
        "a target of a bare table name",
        lambda w: target(w, ResourceId="slow"),
        "ValidationException: Unsupported service namespace, resource type or scalable dimension",
        MOTO,
    ),
    Mistake(
        "a target of an unknown dimension",
        lambda w: target(w, ScalableDimension="dynamodb:table:Writes"),
        (
            "ValidationException: 1 validation error detected: Value 'dynamodb:table:Writes' at "
            "'scalableDimension' failed to satisfy constraint: Member must satisfy enum value "
            "set: [ecs:service:DesiredCount, ec2:spot-fleet-request:TargetCapacity, "
            "elasticmapreduce:instancegroup:InstanceCount, appstream:fleet:DesiredCapacity, "
            "dynamodb:table:ReadCapacityUnits, dynamodb:table:WriteCapacityUnits, "
            "dynamodb:index:ReadCapacityUnits, dynamodb:index:WriteCapacityUnits, "
            "rds:cluster:ReadReplicaCount, sagemaker:variant:DesiredInstanceCount, "
            "custom-resource:ResourceType:Property, "
            "comprehend:document-classifier-endpoint:DesiredInferenceUnits, "
            "comprehend:entity-recognizer-endpoint:DesiredInferenceUnits, "
            "lambda:function:ProvisionedConcurrency, cassandra:table:ReadCapacityUnits, "
            "cassandra:table:WriteCapacityUnits, kafka:broker-storage:VolumeSize, "
            "elasticache:cache-cluster:Nodes, elasticache:replication-group:NodeGroups, "
            "elasticache:replication-group:Replicas, neptune:cluster:ReadReplicaCount, "
            "sagemaker:variant:DesiredProvisionedConcurrency, "
            "sagemaker:inference-component:DesiredCopyCount, "
            "workspaces:workspacespool:DesiredUserSessions]"
        ),
        PARITY,
    ),
    Mistake(
        "a target of an index with a table's dimension",
        lambda w: target(w, ResourceId="table/slow/index/by-g"),
        "ValidationException: Unsupported service namespace, resource type or scalable dimension",
        MOTO,
    ),
    Mistake(
        "a target without a minimum",
        lambda w: w.of("application-autoscaling").register_scalable_target(
            ServiceNamespace="dynamodb",
            ResourceId="table/slow",
            ScalableDimension="dynamodb:table:WriteCapacityUnits",
            MaxCapacity=50,
        ),
        ("ValidationException: MinCapacity and MaxCapacity are required when a scalable target is registered."),
        OURS,
    ),
    Mistake(
        "a policy without a target",
        lambda w: policy(w),
        (
            "ObjectNotFoundException: No scalable target registered for service namespace: "
            "dynamodb, resource ID: table/slow, scalable dimension: "
            "dynamodb:table:WriteCapacityUnits"
        ),
        MOTO,
    ),
    Mistake(
        "a policy with the other side's metric",
        lambda w: [
            target(w),
            policy(
                w,
                TargetTrackingScalingPolicyConfiguration={
                    "TargetValue": 70.0,
                    "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBReadCapacityUtilization"},
                },
            ),
        ],
        (
            "ValidationException: Invalid PredefinedMetricType DynamoDBReadCapacityUtilization "
            "for dynamodb:table:WriteCapacityUnits."
        ),
        OURS,
    ),
    Mistake(
        "a policy with a target of 95 %",
        lambda w: [
            target(w),
            policy(
                w,
                TargetTrackingScalingPolicyConfiguration={
                    "TargetValue": 95.0,
                    "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
                },
            ),
        ],
        "ValidationException: The target utilization is between 20 and 90 percent, not 95.0.",
        OURS,
    ),
    Mistake(
        "a policy with a target of 0.7",
        lambda w: [
            target(w),
            policy(
                w,
                TargetTrackingScalingPolicyConfiguration={
                    "TargetValue": 0.7,
                    "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"},
                },
            ),
        ],
        "ValidationException: The target utilization is between 20 and 90 percent, not 0.7.",
        OURS,
    ),
    Mistake(
        "a step policy",
        lambda w: [target(w), policy(w, PolicyType="StepScaling")],
        "ValidationException: DynamoDB takes policies of type TargetTrackingScaling, not StepScaling.",
        OURS,
    ),
    Mistake(
        "deregistering an unknown target",
        lambda w: w.of("application-autoscaling").deregister_scalable_target(
            ServiceNamespace="dynamodb", ResourceId="table/slow", ScalableDimension="dynamodb:table:WriteCapacityUnits"
        ),
        (
            "ValidationException: No scalable target found for service namespace: dynamodb, "
            "resource ID: table/slow, scalable dimension: dynamodb:table:WriteCapacityUnits"
        ),
        MOTO,
    ),
]
