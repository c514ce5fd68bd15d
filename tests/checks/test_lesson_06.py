"""The predictions of lesson 06: the right ranges, the misconceptions, and where the right numbers come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config

import dynamolab as lab
from dynamolab import checks
from dynamolab.checks import lesson_06


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_06.a", 1_345),
        ("lesson_06.a", 1_300),
        ("lesson_06.a", 1_400.0),
        ("lesson_06.b", 100),
        ("lesson_06.c", 400),
        ("lesson_06.d", 1_000),
        ("lesson_06.d", 1_005),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_06.a", 3_000, "all"),
        ("lesson_06.a", 300, "no_burst"),
        ("lesson_06.a", 1_500, "whole_burst"),
        ("lesson_06.a", 1_800, "whole_burst"),
        ("lesson_06.a", 50, "elsewhere"),
        ("lesson_06.a", -1, "out_of_range"),
        ("lesson_06.a", "many", "wrong_type"),
        ("lesson_06.b", 150, "all"),
        ("lesson_06.b", 400, "whole_table"),
        ("lesson_06.b", 1_000, "ceiling"),
        ("lesson_06.b", 120, "elsewhere"),
        ("lesson_06.b", -5, "out_of_range"),
        ("lesson_06.b", [100], "wrong_type"),
        ("lesson_06.c", 750, "all"),
        ("lesson_06.c", 250, "static"),
        ("lesson_06.c", 1_000, "ceiling"),
        ("lesson_06.c", 600, "elsewhere"),
        ("lesson_06.c", -400, "out_of_range"),
        ("lesson_06.d", 1_500, "all"),
        ("lesson_06.d", 750, "halved"),
        ("lesson_06.d", 3_000, "elsewhere"),
        ("lesson_06.d", -1, "out_of_range"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("question", "abcd")
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(question: str, stub: Any) -> None:
    assert checks.check(f"lesson_06.{question}", stub).outcome == "not attempted"


def test_the_judged_number_of_writes_is_what_the_live_table_admits() -> None:
    lab.start(seed=7)
    try:
        dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        dynamodb.create_table(
            TableName="cinco",
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
            BillingMode="PROVISIONED",
            ProvisionedThroughput={"WriteCapacityUnits": lesson_06.CAPACITY, "ReadCapacityUnits": 1},
        )

        def save(i: int) -> None:
            dynamodb.put_item(TableName="cinco", Item={"PK": {"S": str(i)}})

        lab.drive(save, per_second=lesson_06.RATE, seconds=lesson_06.FIRST)
        second = lab.drive(save, per_second=lesson_06.RATE, seconds=lesson_06.SECONDS)
    finally:
        lab.stop()
    assert second.admitted == lesson_06.admitted_after_the_first() == 1_345
