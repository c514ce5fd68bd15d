"""What a client may still spend on retries begins anew with the lab, so that a cell that starts it may be run twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config

import dynamolab as lab
from dynamolab.live import sandbox


@pytest.fixture
def client() -> Iterator[Any]:
    lab.start(seed=7)
    yield boto3.client("dynamodb", config=Config(retries={"mode": "standard"}))
    lab.stop()


def rush(client: Any) -> Any:
    """A new lab, and more writes than a small table takes; most of them are refused."""
    lab.start(seed=7)
    return flood(client)


def flood(client: Any) -> Any:
    client.create_table(
        TableName="pedidos",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    )
    item = {"PK": {"S": "a"}, "nota": {"S": "x" * 10_000}}
    return lab.drive(lambda: client.put_item(TableName="pedidos", Item=item), per_second=100, seconds=2)


def test_a_client_older_than_the_lab_retries_as_often_as_a_new_one(client: Any) -> None:
    first = rush(client)
    assert first.retries >= 100  # all that it had
    assert [repr(rush(client)) for _ in range(2)] == [repr(first)] * 2


def test_within_one_lab_spent_tokens_stay_spent(client: Any) -> None:
    first = rush(client)
    item = {"PK": {"S": "a"}, "nota": {"S": "x" * 10_000}}
    again = lab.drive(lambda: client.put_item(TableName="pedidos", Item=item), per_second=100, seconds=2)
    assert again.retries < first.retries / 2


def history(drive: Any) -> Any:
    return [(call.sent, call.finished, call.outcome, tuple(call.waits)) for call in drive.log]


def test_a_client_that_adapts_and_is_older_than_the_lab_begins_as_a_new_one(client: Any) -> None:
    lab.start(seed=7)
    new = boto3.client("dynamodb", config=Config(retries={"mode": "adaptive"}))
    first = flood(new)
    assert first.retries > 20
    assert [history(rush(new)) for _ in range(2)] == [history(first)] * 2


@pytest.mark.parametrize("mode", ["standard", "adaptive"])
def test_what_a_check_sends_costs_a_learners_client_none_of_its_retries(client: Any, mode: str) -> None:
    own = boto3.client("dynamodb", config=Config(retries={"mode": mode}))
    item = {"PK": {"S": "a"}, "nota": {"S": "x" * 10_000}}

    def histories(between: bool) -> Any:
        rush(own)
        if between:
            with sandbox(11):
                flood(own)
        drive = lab.drive(lambda: own.put_item(TableName="pedidos", Item=item), per_second=100, seconds=2)
        return history(drive)

    assert histories(between=True) == histories(between=False)
