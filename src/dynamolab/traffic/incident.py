"""A Friday evening on MercadoFresco's carts, live: an attribute of the morning's deployment stops the table at 18:20.

The causes are here, not the figures: carts of 11 KB, an index that copies them whole, 7.7 cart writes a second of which
60 % change ``fecha`` and with it the index key, and eighty clients that try again as boto3 does by default.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import random
from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from ..arguments import is_number, shown
from ..errors import LabError
from ..live import clock, isolation
from .clients import Client, ClientsRun, run_clients

TABLE, INDEX = "mercadofresco-carritos", "gsi-estado-fecha"
TABLE_UNITS, INDEX_UNITS = 120, 100
CARTS, INSTANCES = 400, 80
PER_SECOND, MOVING = 7.7, 0.6
"""Cart writes a second, and the share of them that change the key of the index."""
LINES_BYTES, HISTORY_BYTES = 2_800, 8_100
"""Bytes of a cart's lines and of its ``historial``: with keys and the rest, 3 KB and 11 KB."""
_FRIDAY = dt.datetime(2026, 9, 11, 18, 12, tzinfo=dt.UTC)
_MOST_SWEEPS = 12
_A_SECONDS_WORTH = 6
"""Cart writes that use a second's units of the index: five and a little."""

Write = Callable[[Any, int, int, bool], Any]
"""``write(dynamodb, cart, number, moves)``: one cart write, ``moves`` if it changes the key of the index."""


def key(cart: int) -> dict[str, dict[str, str]]:
    """Return the key of a cart, in DynamoDB's JSON."""
    return {"PK": {"S": f"CLIENTE#{cart:04}"}, "SK": {"S": "CARRITO#2026-09-11T09:00:00Z"}}


def item(cart: int, fecha: str, *, historial: bool = True) -> dict[str, dict[str, str]]:
    """Return a cart as the shop stores it, with or without the new attribute ``historial``."""
    found = {
        **key(cart),
        "estado": {"S": "abierto"},
        "fecha": {"S": fecha},
        "importe": {"N": "31.90"},
        "lineas": {"S": "l" * LINES_BYTES},
    }
    return found | {"historial": {"S": "h" * HISTORY_BYTES}} if historial else found


def open_shop(*, historial: bool = True) -> None:
    """Make the carts' table and its index on a Friday before 18:14, and use up the savings of the index.

    The table has 120 WCU, the index 100 and a copy of all attributes. An afternoon's deployment traffic is shortened to
    storing the carts again and again until the index has neither burst nor buffer left; without ``historial`` the carts
    are stored once. A table of that name is replaced. Raises LabError if the lab does not run.
    """
    isolation.require_running()
    dynamodb = boto3.client("dynamodb")
    if TABLE in dynamodb.list_tables()["TableNames"]:
        dynamodb.delete_table(TableName=TABLE)
    if clock.now() < _FRIDAY:
        clock.advance(seconds=(_FRIDAY - clock.now()).total_seconds())
    create(dynamodb)
    _store(dynamodb, 0, historial)
    if historial:
        _use_up_savings()
    clock.advance(seconds=60 - clock.now().second)


def create(dynamodb: Any, *, table: str = TABLE, projection: Any = None) -> None:
    """Create the carts' table with its index, 120 and 100 WCU, which copies everything unless told otherwise."""
    names = {"PK": "HASH", "SK": "RANGE"}, {"estado": "HASH", "fecha": "RANGE"}
    own, other = ([{"AttributeName": name, "KeyType": kind} for name, kind in each.items()] for each in names)
    dynamodb.create_table(
        TableName=table,
        KeySchema=own,
        AttributeDefinitions=[{"AttributeName": part["AttributeName"], "AttributeType": "S"} for part in own + other],
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 100, "WriteCapacityUnits": TABLE_UNITS},
        GlobalSecondaryIndexes=[
            {
                "IndexName": INDEX,
                "KeySchema": other,
                "Projection": projection or {"ProjectionType": "ALL"},
                "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": INDEX_UNITS},
            }
        ],
    )


def _store(dynamodb: Any, sweep: int, historial: bool) -> bool:
    """Store all carts once, a batch a second; False as soon as one is refused."""
    for first in range(0, CARTS, 25):
        puts = [
            {"PutRequest": {"Item": item(cart, f"2026-09-11T1{sweep:02}#{cart:04}", historial=historial)}}
            for cart in range(first, first + 25)
        ]
        if dynamodb.batch_write_item(RequestItems={TABLE: puts})["UnprocessedItems"]:
            return False
        clock.advance(seconds=1)
    return True


def _use_up_savings() -> None:
    """Store the carts again and again until the index refuses, and keep it there up to the last second of a minute."""
    once = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    sweep = 1
    while sweep < _MOST_SWEEPS and _store(once, sweep, True):
        sweep += 1
    number = 0
    while clock.now().second < 59:
        clock.advance(seconds=1)
        for _ in range(_A_SECONDS_WORTH):
            number += 1
            with contextlib.suppress(ClientError):
                change(once, number % CARTS, number, True)


def change(dynamodb: Any, cart: int, number: int, moves: bool) -> Any:
    """Write a cart as the shop does: a new ``fecha``, which moves the index entry, or a new note, which does not.

    Returns boto3's answer.
    """
    return dynamodb.update_item(
        TableName=TABLE,
        Key=key(cart),
        UpdateExpression=f"SET {'fecha' if moves else 'nota'} = :new",
        ExpressionAttributeValues={":new": {"S": f"{clock.now():%Y-%m-%dT%H:%M:%S}#{number:08}"}},
    )


def traffic(seconds: float, *, per_second: float = PER_SECOND, write: Write = change, seed: int = 7) -> ClientsRun:
    """Let the shop's eighty instances write carts for so many simulated seconds, each with boto3's default retries.

    ``write`` stands for the shop's own code. Raises LabError for a rate or time without sense.
    """
    if not is_number(per_second) or not 0 < per_second < 1_000:
        raise LabError(f"Cart writes a second are a number above 0 and below 1,000, not {shown(per_second)}.")
    draws = random.Random(seed)

    def instance(place: int) -> Client:
        def one(dynamodb: Any, number: int) -> None:
            number = number * INSTANCES + place
            write(dynamodb, number % CARTS, number, draws.random() < MOVING)

        return Client(f"instancia-{place:02}", one, per_second=per_second / INSTANCES, random_arrivals=True)

    return run_clients([instance(place) for place in range(INSTANCES)], seconds=seconds, seed=seed)


def a_minute(write: Write = change, *, seed: int = 7) -> dict[str, float]:
    """Let a minute of the traffic pass, and return what came of it.

    ``stored`` and ``lost`` cart writes, ``retries`` of the clients, and the write units a second that the ``table`` and
    all of its indexes together (``index``) consumed, from CloudWatch.
    """
    began = clock.now()
    before = _consumed(began)
    log = traffic(60, write=write, seed=seed).log
    table, index = (round((after - old) / 60, 1) for after, old in zip(_consumed(began), before, strict=True))
    outcomes = [call.outcome for call in log]
    return {
        "stored": outcomes.count("ok"),
        "lost": outcomes.count("throttled"),
        "retries": sum(call.retries for call in log),
        "table": table,
        "index": index,
    }


def _consumed(since: dt.datetime) -> tuple[float, float]:
    """Return the write units that table and indexes consumed from the minute of ``since`` to now."""
    about = boto3.client("dynamodb").describe_table(TableName=TABLE)["Table"]
    dimensions = [{"TableName": TABLE}]
    for each in about.get("GlobalSecondaryIndexes", []):
        dimensions.append({"TableName": TABLE, "GlobalSecondaryIndexName": each["IndexName"]})
    table, *indexes = (
        sum(
            point["Sum"]
            for point in boto3.client("cloudwatch").get_metric_statistics(
                Namespace="AWS/DynamoDB",
                MetricName="ConsumedWriteCapacityUnits",
                Dimensions=[{"Name": name, "Value": value} for name, value in each.items()],
                StartTime=since.replace(second=0, microsecond=0),
                EndTime=clock.now() + dt.timedelta(minutes=1),
                Period=60,
                Statistics=["Sum"],
            )["Datapoints"]
        )
        for each in dimensions
    )
    return table, sum(indexes)
