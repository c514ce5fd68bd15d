"""Lesson 11's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest

import dynamolab as lab
from dynamolab import checks
from dynamolab.checks import lesson_11

IDS = ["lesson_11.a", "lesson_11.b", "lesson_11.c", "lesson_11.d"]


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.fixture
def running_lab() -> Iterator[None]:
    lab.start(seed=7)
    yield
    lab.stop()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_11.a", 6),
        ("lesson_11.a", 6.0),
        ("lesson_11.b", 9),
        ("lesson_11.c", 12),
        ("lesson_11.d", 1),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_11.a", 3, "free"),
        ("lesson_11.a", 9, "every_index"),
        ("lesson_11.a", 4, "entry"),
        ("lesson_11.a", 5, "entry"),
        ("lesson_11.a", 100, "elsewhere"),
        ("lesson_11.a", -1, "out_of_range"),
        ("lesson_11.b", 3, "table_only"),
        ("lesson_11.b", 6, "in_place"),
        ("lesson_11.b", 1, "small_change"),
        ("lesson_11.b", 7, "elsewhere"),
        ("lesson_11.b", -3, "out_of_range"),
        ("lesson_11.c", 1000, "all"),
        ("lesson_11.c", 0, "by_value"),
        ("lesson_11.c", 24, "both_entries"),
        ("lesson_11.c", 988, "elsewhere"),
        ("lesson_11.c", 5000, "out_of_range"),
        ("lesson_11.c", -12, "out_of_range"),
        ("lesson_11.d", 4, "as_the_table"),
        ("lesson_11.d", 2, "by_sort_key"),
        ("lesson_11.d", 0, "out_of_range"),
        ("lesson_11.d", 20, "out_of_range"),
        *((id, "many", "wrong_type") for id in IDS),
        *((id, [1], "wrong_type") for id in IDS),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(id: str, stub: Any) -> None:
    assert checks.check(id, stub).outcome == "not attempted"


@pytest.mark.parametrize("id", IDS)
def test_not_a_number_is_no_prediction(id: str) -> None:
    assert checks.check(id, float("nan")).outcome == "wrong"


@pytest.mark.parametrize("id", IDS)
def test_the_value_told_at_the_third_ask_is_right(id: str) -> None:
    told = [checks.check(id, -5).paragraphs[-1] for _ in range(3)][-1]
    assert checks.check(id, float(told.removeprefix("The value: "))).outcome == "right"


def test_the_lab_charges_what_the_answers_say(running_lab: None) -> None:
    """A cart of 3 KB, an index that copies it whole and one that it is not in: 6 units; moved: 9."""
    dynamodb = boto3.client("dynamodb")
    names = ("pk", "estado", "incidencia")
    dynamodb.create_table(
        TableName="carritos",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=[
            {
                "IndexName": f"gsi-{name}",
                "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
            for name in names[1:]
        ],
    )
    cart = {"pk": {"S": "CLIENTE#1"}, "estado": {"S": "abierto"}, "lineas": {"S": "x" * 2900}}
    put = dynamodb.put_item(TableName="carritos", Item=cart, ReturnConsumedCapacity="TOTAL")
    moved = dynamodb.update_item(
        TableName="carritos",
        Key={"pk": cart["pk"]},
        UpdateExpression="SET estado = :new",
        ExpressionAttributeValues={":new": {"S": "pagado"}},
        ReturnConsumedCapacity="TOTAL",
    )
    units = [answer["ConsumedCapacity"]["CapacityUnits"] for answer in (put, moved)]
    assert units == [2 * lesson_11.CART_UNITS, 3 * lesson_11.CART_UNITS]
