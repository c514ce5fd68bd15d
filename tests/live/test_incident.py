"""The index incident of the course's capstone, from its causes: an index at its limit stops its table's writes."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import boto3
import pytest

import dynamolab as lab

TABLE, INDEX = "pedidos", "gsi-estado-fecha"
CARTS, INSTANCES = 400, 80
PER_SECOND = 7.7
"""Cart writes: about eight a second."""
MOVING = 0.6
"""The share of cart writes that change ``estado`` or ``fecha``."""
HISTORIAL = "h" * 10_900


def cart(number: int) -> dict[str, Any]:
    return {"pk": {"S": f"CARRITO#{number}"}, "sk": {"S": "CARRITO"}}


def open_shop(dynamodb: Any) -> None:
    """Make the table and its index, and store the carts with their new attribute, three times: burst goes with it."""
    keys = {"HASH": "pk", "RANGE": "sk"}
    index_keys = {"HASH": "estado", "RANGE": "fecha"}
    dynamodb.create_table(
        TableName=TABLE,
        KeySchema=[{"AttributeName": name, "KeyType": kind} for kind, name in keys.items()],
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in (*keys.values(), *index_keys.values())
        ],
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 100, "WriteCapacityUnits": 120},
        GlobalSecondaryIndexes=[
            {
                "IndexName": INDEX,
                "KeySchema": [{"AttributeName": name, "KeyType": kind} for kind, name in index_keys.items()],
                "Projection": {"ProjectionType": "ALL"},
                "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 100},
            }
        ],
    )
    for sweep in range(3):
        for first in range(0, CARTS, 25):
            puts = [
                {
                    "PutRequest": {
                        "Item": {
                            **cart(number),
                            "estado": {"S": "abierto"},
                            "fecha": {"S": f"2026-09-05T{sweep}:{number:05}"},
                            "historial": {"S": HISTORIAL},
                        }
                    }
                }
                for number in range(first, first + 25)
            ]
            assert not dynamodb.batch_write_item(RequestItems={TABLE: puts})["UnprocessedItems"]
            lab.clock.advance(seconds=1)


def shop(seconds: int) -> None:
    """About eight cart writes a second from 80 instances of the application, each a client with default retries."""
    draws = random.Random(7)

    def write(dynamodb: Any, number: int) -> None:
        name = "fecha" if draws.random() < MOVING else "nota"
        dynamodb.update_item(
            TableName=TABLE,
            Key=cart(number % CARTS),
            UpdateExpression=f"SET {name} = :new",
            ExpressionAttributeValues={":new": {"S": f"2026-09-06T{number:08}"}},
        )

    def instance(place: int) -> lab.Client:
        return lab.Client(
            f"instancia-{place}",
            lambda dynamodb, number: write(dynamodb, number * INSTANCES + place),
            per_second=PER_SECOND / INSTANCES,
            random_arrivals=True,
        )

    lab.run_clients([instance(place) for place in range(INSTANCES)], seconds=seconds)


def total(name: str, start: dt.datetime, **dimensions: str) -> float:
    """The sum of a metric over five minutes."""
    answer = boto3.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=name,
        Dimensions=[{"Name": key, "Value": value} for key, value in {"TableName": TABLE, **dimensions}.items()],
        StartTime=start,
        EndTime=start + dt.timedelta(minutes=5),
        Period=300,
        Statistics=["Sum"],
    )
    return sum(float(point["Sum"]) for point in answer["Datapoints"])


def test_five_minutes_of_the_incident_show_its_four_figures(running_lab: None) -> None:
    """ThrottledRequests 4,200 in five minutes, table 61 of 120 WCU, index 98 to 100 of 100.

    Chosen: 7.7 writes a second, of which 60 % move their index entry. For these the index deletes 11 KB and puts
    11 KB, 22 units; the others cost it 11, as the table. So the index is asked for 17.6 x 7.7 = 136 units a second, may
    have 100, and lets 5.7 writes through: 62.5 units a second of the table. The share is at the lower end of what the
    story allows because the table's figure falls with it (65 %: 60, 75 %: about 56); at exactly 8 writes a second
    there are 4,740 throttled requests, 13 % more than told, with the same consumption.

    The 80 clients stand for instances of the application. Each call makes at most four attempts, boto3's default; all
    from one client, retries would soon end at its quota of 500 tokens, and at the former default of ten attempts there
    would be three times as many throttled requests. The window begins 9 minutes after the traffic did: until about a
    minute before, the index lives on its burst, of which storing the carts has used the greater part.
    """
    open_shop(boto3.client("dynamodb"))
    lab.clock.advance(seconds=60 - lab.clock.now().second)
    start = lab.clock.now() + dt.timedelta(minutes=9)
    shop(14 * 60)
    assert total("ThrottledRequests", start, Operation="UpdateItem") == pytest.approx(4_200, rel=0.10)
    assert total("ConsumedWriteCapacityUnits", start) / 300 == pytest.approx(61, abs=5)
    assert 98 <= total("ConsumedWriteCapacityUnits", start, GlobalSecondaryIndexName=INDEX) / 300 <= 100.5
    assert total("WriteThrottleEvents", start) == 0
    events = total("WriteThrottleEvents", start, GlobalSecondaryIndexName=INDEX)
    assert events == total("ThrottledRequests", start, Operation="UpdateItem")
