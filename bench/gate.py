"""What the gate costs: the same requests, in the same process and in turn, with the gate and without it.

Without the gate is moto as the lab leaves it: the lab also takes some of moto's own overhead away when it starts, and
that gain is in both. "moto alone" is measured first, before the lab has touched it. All times are CPU time of a whole
boto3 call, medians.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config
from moto import mock_aws

import dynamolab as lab
from dynamolab.live import gate

KEYS, ITEMS = 50, 2_000
ROUNDS, PER_ROUND = 15, 60
MOST = 1.15
MOST_GROWTH = 1.3
ITEM = {
    "pk": {"S": "PEDIDOS#2026-09-06.117"},
    "sk": {"S": "2026-09-06T10:00:00Z#0004711"},
    "estado": {"S": "en_reparto"},
    "total": {"N": "42.35"},
    "cliente": {"S": "c-0117"},
    "lineas": {"SS": ["p1", "p2", "p3"]},
    "nota": {"S": "x" * 880},
}
KEY = {name: ITEM[name] for name in ("pk", "sk")}
QUERY = {
    "TableName": "many",
    "KeyConditionExpression": "pk = :p",
    "ExpressionAttributeValues": {":p": {"S": "k7"}},
}


def client() -> Any:
    """A plain client, no retries."""
    return boto3.client("dynamodb", region_name="eu-west-1", config=Config(retries={"total_max_attempts": 1}))


def table(dynamodb: Any, name: str) -> None:
    """A table of pk and sk."""
    dynamodb.create_table(
        TableName=name,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": part, "AttributeType": "S"} for part in ("pk", "sk")],
        BillingMode="PAY_PER_REQUEST",
    )


def each(function: Callable[[], Any], calls: int) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    for _ in range(calls):
        function()
    return (time.process_time() - start) / calls


def gated(on: bool) -> None:
    """Put the gate in or take it out; new seconds, so that nothing is throttled."""
    if on:
        gate.install()
    else:
        gate.remove()
    lab.clock.advance(seconds=1)


def in_turn(function: Callable[[], Any], rounds: int, calls: int) -> tuple[float, float]:
    """Median CPU seconds of one call, with the gate and without."""
    taken: dict[bool, list[float]] = {True: [], False: []}
    for number in range(2 * rounds):
        on = number % 2 == 0
        gated(on)
        function()
        taken[on].append(each(function, calls))
    gated(True)
    return statistics.median(taken[True]), statistics.median(taken[False])


def moto_alone() -> dict[str, float]:
    """Put and Get of moto before the lab has touched it."""
    with mock_aws():
        dynamodb = client()
        table(dynamodb, "orders")
        put = lambda: dynamodb.put_item(TableName="orders", Item=ITEM)  # noqa: E731
        get = lambda: dynamodb.get_item(TableName="orders", Key=KEY)  # noqa: E731
        put(), get()
        return {
            "Put": statistics.median(each(put, PER_ROUND) for _ in range(ROUNDS)),
            "Get": statistics.median(each(get, PER_ROUND) for _ in range(ROUNDS)),
        }


def run() -> list[str]:
    """Put and Get with the gate cost at most 15 % more; a Query of one key is many times as fast, and the same."""
    alone = moto_alone()
    lab.start(seed=7)
    try:
        return measured(alone)
    finally:
        gated(True)
        lab.stop()


def measured(alone: dict[str, float]) -> list[str]:
    """The lines to print."""
    dynamodb = client()
    table(dynamodb, "orders")
    table(dynamodb, "many")
    for number in range(ITEMS):
        if number % 500 == 0:
            lab.clock.advance(seconds=1)
        row = {**ITEM, "pk": {"S": f"k{number % KEYS}"}, "sk": {"S": f"{number:05}"}}
        dynamodb.put_item(TableName="many", Item=row)
    requests: dict[str, Callable[[], Any]] = {
        "Put": lambda: dynamodb.put_item(TableName="orders", Item=ITEM),
        "Get": lambda: dynamodb.get_item(TableName="orders", Key=KEY),
    }
    lines = []
    for name, request in requests.items():
        with_gate, without = in_turn(request, ROUNDS, PER_ROUND)
        ratio = with_gate / without
        lines.append(
            f"{name} of 1 KB: gate/moto {ratio:.2f} (at most {MOST}); "
            f"gate/moto alone, before the lab: {with_gate / alone[name]:.2f}"
        )
        assert ratio <= MOST, lines[-1]
    gated(False)
    expected = dynamodb.query(**QUERY)["Items"]
    gated(True)
    got = dynamodb.query(**QUERY)["Items"]
    assert got == expected, "the Query with the gate returns other items than moto"
    with_gate, without = in_turn(lambda: dynamodb.query(**QUERY), 3, 2)
    lines.append(
        f"Query of {len(got)} items among {ITEMS:,} of {KEYS} keys, the same items: "
        f"{without / with_gate:.0f} times as many a second as moto"
    )
    few, many = in_tables(dynamodb)
    lines.append(f"Query of 40 items in a table of 2,000 / in one of 40: {many / few:.2f} (at most {MOST_GROWTH})")
    assert many / few <= MOST_GROWTH, lines[-1]
    return lines


def in_tables(dynamodb: Any) -> tuple[float, float]:
    """Median CPU seconds of the same Query in a table with nothing else in it, and in the large one."""
    table(dynamodb, "few")
    for row in dynamodb.query(**QUERY)["Items"]:
        dynamodb.put_item(TableName="few", Item=row)
    taken: dict[str, list[float]] = {"few": [], "many": []}
    for _ in range(ROUNDS):
        for name, times in taken.items():
            lab.clock.advance(seconds=1)
            times.append(each(lambda name=name: dynamodb.query(**{**QUERY, "TableName": name}), 5))
    return statistics.median(taken["few"]), statistics.median(taken["many"])
