"""Comparisons across types match nothing, and a key condition speaks of each key once."""

import boto3
import pytest
from botocore.exceptions import ClientError

import dynamolab as lab


@pytest.fixture
def dynamodb():
    lab.start(seed=7)
    client = boto3.client("dynamodb")
    client.create_table(
        TableName="t01",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
        BillingMode="PAY_PER_REQUEST",
    )
    for sort, price in (("1", {"S": "12"}), ("2", {"N": "12"}), ("3", {"L": []})):
        client.put_item(TableName="t01", Item={"PK": {"S": "a"}, "SK": {"S": sort}, "precio": price})
    return client


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("precio > :low", ["2"]),
        ("precio >= :low", ["2"]),
        ("precio < :high", ["2"]),
        ("precio <= :high", ["2"]),
        ("precio BETWEEN :low AND :high", ["2"]),
        ("NOT precio > :low", ["1", "3"]),
        ("precio <> :low", ["1", "2", "3"]),
    ],
)
def test_a_value_of_another_type_does_not_match(dynamodb, condition, found):
    values = {name: {"N": worth} for name, worth in ((":low", "5"), (":high", "50")) if name in condition}
    answer = dynamodb.scan(TableName="t01", FilterExpression=condition, ExpressionAttributeValues=values)
    assert sorted(item["SK"]["S"] for item in answer["Items"]) == found
    assert answer["ScannedCount"] == 3


def test_a_condition_on_a_value_of_another_type_is_a_failed_condition(dynamodb):
    with pytest.raises(dynamodb.exceptions.ConditionalCheckFailedException):
        dynamodb.delete_item(
            TableName="t01",
            Key={"PK": {"S": "a"}, "SK": {"S": "1"}},
            ConditionExpression="precio > :p",
            ExpressionAttributeValues={":p": {"N": "5"}},
        )


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("PK = :a AND SK > :b AND SK < :c", "KeyConditionExpressions must only contain one condition per key"),
        ("PK = :a AND #s > :b AND SK < :c", "KeyConditionExpressions must only contain one condition per key"),
        (
            "PK = :a AND begins_with(SK, :b) AND SK<:c",
            "KeyConditionExpressions must only contain one condition per key",
        ),
        ("PK = :a AND PK = :b", "KeyConditionExpressions must only contain one condition per key"),
        ("PK = :a OR PK = :b", "Invalid operator used in KeyConditionExpression: OR"),
        ("PK = :a and not SK = :b", "Invalid operator used in KeyConditionExpression: NOT"),
        ("PK = :a AND SK <> :b", "Invalid operator used in KeyConditionExpression: <>"),
        ("PK = :a AND SK IN (:b, :c)", "Invalid operator used in KeyConditionExpression: IN"),
        ("PK = :a AND contains(SK, :b)", "Invalid operator used in KeyConditionExpression: contains"),
        ("PK = :a AND attribute_exists(SK)", "Invalid operator used in KeyConditionExpression: attribute_exists"),
        ("PK = :a AND size(SK) > :b", "KeyConditionExpressions cannot contain nested operations"),
    ],
)
def test_a_key_condition_of_another_kind_is_refused_in_the_words_of_the_service(dynamodb, condition, message):
    values = {f":{name}": {"S": name} for name in "abc" if f":{name}" in condition}
    names = {"ExpressionAttributeNames": {"#s": "SK"}} if "#s" in condition else {}
    with pytest.raises(ClientError) as caught:
        dynamodb.query(TableName="t01", KeyConditionExpression=condition, ExpressionAttributeValues=values, **names)
    assert caught.value.response["Error"] == {"Code": "ValidationException", "Message": message}


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("PK = :a AND SK BETWEEN :b AND :c", ["2", "3"]),
        ("PK = :a AND SK >= :b", ["2", "3"]),
        ("SK<:c AND PK=:a", ["1", "2"]),
        ("(PK = :a) AND (begins_with(SK, :b))", ["2"]),
        ("#p = :a AND #s = :b", ["2"]),
    ],
)
def test_one_condition_on_each_key_is_answered(dynamodb, condition, found):
    values = {f":{n}": {"S": v} for n, v in (("a", "a"), ("b", "2"), ("c", "3")) if f":{n}" in condition}
    names = {name: key for name, key in (("#p", "PK"), ("#s", "SK")) if name in condition}
    more = {"ExpressionAttributeNames": names} if names else {}
    answer = dynamodb.query(TableName="t01", KeyConditionExpression=condition, ExpressionAttributeValues=values, **more)
    assert [item["SK"]["S"] for item in answer["Items"]] == found
