"""What the rows of learners' mistakes share: the lab that each begins in, and how what the learner sees is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

import dynamolab as lab

# Where a text comes from.
BOTO = "boto3 or botocore, before anything is sent"
PARITY = "recorded: paritysuite/dynamodb-conformance"
DYNALITE = "recorded: the tests of mhart/dynalite"
REPORTED = "recorded: public issues"
STACKD = "recorded: radkawar/stackd"
DOCUMENTED = "AWS documentation"
MOTO = "moto 5.2's account of the service"
OURS = "the lab's own words"
SILENT = "accepted"
SOURCES = {BOTO, PARITY, DYNALITE, REPORTED, STACKD, DOCUMENTED, MOTO, OURS, SILENT}

KEYS: list[dict[str, str]] = [
    {"AttributeName": "pk", "KeyType": "HASH"},
    {"AttributeName": "sk", "KeyType": "RANGE"},
]
ALL = {"ProjectionType": "ALL"}


def keys(*names: str) -> list[dict[str, str]]:
    """A key schema of these attributes."""
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


def definitions(*names: str, kind: str = "S") -> list[dict[str, str]]:
    """Definitions of these attributes, all of one type."""
    return [{"AttributeName": name, "AttributeType": kind} for name in names]


def index(name: str, *names: str, **more: Any) -> dict[str, Any]:
    """An index with everything projected, unless said otherwise."""
    return {"IndexName": name, "KeySchema": keys(*names), "Projection": ALL, **more}


class World:
    """A lab with a few tables, and what a learner has at hand: clients, and the resource's Table of ``orders``.

    ``orders`` (pk, sk) is on-demand and has the index ``by-customer`` and the local index ``by-date``; ``numbers`` and
    ``blobs`` have a partition key of type N and B; ``slow`` is provisioned with 5 units, its index ``by-g`` too.
    """

    client: Any
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    plain_key = {"pk": "a", "sk": "1"}

    def __init__(self) -> None:
        lab.start(seed=7)
        self.client = _clients()["dynamodb"]
        self.client.create_table(
            TableName="orders",
            KeySchema=KEYS,
            AttributeDefinitions=definitions("pk", "sk", "customer", "date"),
            BillingMode="PAY_PER_REQUEST",
            GlobalSecondaryIndexes=[index("by-customer", "customer", Projection={"ProjectionType": "KEYS_ONLY"})],
            LocalSecondaryIndexes=[index("by-date", "pk", "date", Projection={"ProjectionType": "KEYS_ONLY"})],
        )
        for name, kind in (("numbers", "N"), ("blobs", "B")):
            self.client.create_table(
                TableName=name,
                KeySchema=keys("pk"),
                AttributeDefinitions=definitions("pk", kind=kind),
                BillingMode="PAY_PER_REQUEST",
            )
        self.client.create_table(
            TableName="slow",
            KeySchema=keys("pk"),
            AttributeDefinitions=definitions("pk", "g"),
            ProvisionedThroughput=units(5),
            GlobalSecondaryIndexes=[index("by-g", "g", ProvisionedThroughput=units(5))],
        )
        self.client.put_item(
            TableName="orders",
            Item={
                **self.key,
                "name": {"S": "tea"},
                "price": {"N": "7"},
                "tags": {"SS": ["black", "loose"]},
                "lines": {"L": [{"N": "1"}]},
                "address": {"M": {"city": {"S": "Leeds"}}},
            },
        )

    def of(self, service: str) -> Any:
        """A client of another service of the lab."""
        return _clients()[service]

    @cached_property
    def resource(self) -> Any:
        """What ``boto3.resource("dynamodb")`` gives."""
        return _resource()

    @cached_property
    def table(self) -> Any:
        """The resource's ``orders``."""
        return self.resource.Table("orders")

    # Short forms, for what most rows do.

    def put(self, more: dict[str, Any] | None = None, /, **request: Any) -> Any:
        """PutItem of the item that is there, with more attributes."""
        return self.client.put_item(**{"TableName": "orders", "Item": {**self.key, **(more or {})}, **request})

    def update(self, expression: str | None, values: dict[str, Any] | None = None, /, **request: Any) -> Any:
        """UpdateItem of the item that is there."""
        return self.client.update_item(
            **{"TableName": "orders", "Key": self.key, **_expression("UpdateExpression", expression, values), **request}
        )

    def when(self, condition: str, values: dict[str, Any] | None = None, /, **request: Any) -> Any:
        """DeleteItem of the item that is there, under a condition."""
        return self.client.delete_item(
            **{
                "TableName": "orders",
                "Key": self.key,
                **_expression("ConditionExpression", condition, values),
                **request,
            }
        )

    def query(self, condition: str, values: dict[str, Any] | None = None, /, **request: Any) -> Any:
        """Query of ``orders``."""
        body = {"TableName": "orders", **_expression("KeyConditionExpression", condition, values), **request}
        return self.client.query(**body)

    def scan(self, condition: str | None = None, values: dict[str, Any] | None = None, /, **request: Any) -> Any:
        """Scan of ``orders``."""
        return self.client.scan(
            **{"TableName": "orders", **_expression("FilterExpression", condition, values), **request}
        )

    def get(self, **request: Any) -> Any:
        """GetItem of the item that is there."""
        return self.client.get_item(**{"TableName": "orders", "Key": self.key, **request})

    def create(self, **request: Any) -> Any:
        """CreateTable of a table ``fresh`` (pk), on-demand."""
        body = {
            "TableName": "fresh",
            "KeySchema": keys("pk"),
            "AttributeDefinitions": definitions("pk"),
            "BillingMode": "PAY_PER_REQUEST",
            **request,
        }
        return self.client.create_table(**{name: value for name, value in body.items() if value is not None})

    def run(self, statement: str, *parameters: Any, **more: Any) -> Any:
        """ExecuteStatement."""
        given = {"Parameters": list(parameters)} if parameters else {}
        return self.client.execute_statement(Statement=statement, **given, **more)


def units(count: int) -> dict[str, Any]:
    """As many read as write units."""
    return {"ReadCapacityUnits": count, "WriteCapacityUnits": count}


def _expression(member: str, text: str | None, values: dict[str, Any] | None) -> dict[str, Any]:
    given: dict[str, Any] = {} if text is None else {member: text}
    return {**given, "ExpressionAttributeValues": values} if values else given


_made: dict[str, Any] = {}


def _clients() -> dict[str, Any]:
    # Made once: a client outlives the lab that it was made in, and making one costs more than most rows.
    if not _made:
        config = Config(retries={"total_max_attempts": 1})
        for service in ("dynamodb", "dynamodbstreams", "cloudwatch", "application-autoscaling"):
            _made[service] = boto3.client(service, config=config)
        _made["resource"] = boto3.resource("dynamodb", config=config)
    return _made


def _resource() -> Any:
    return _clients()["resource"]


@dataclass(frozen=True)
class Mistake:
    """What a learner does, and what exactly is seen: an error's code or type with its message, or what happened."""

    name: str
    does: Callable[[World], Any]
    sees: str
    source: str


def seen(does: Callable[[World], Any], world: World) -> tuple[str, Exception | None]:
    """What the learner sees of it, ``Code: message`` or ``accepted: ...``, and the error, if there is one."""
    try:
        return f"accepted: {does(world)}", None
    except ClientError as error:
        return f"{error.response['Error']['Code']}: {error.response['Error']['Message']}", error
    except Exception as error:
        # Some of boto3's messages show an object's address, or a set in the order of its hashes.
        text = re.sub(r" at 0x[0-9a-f]+", "", str(error)).replace("{'a', 1}", "{1, 'a'}")
        return f"{type(error).__name__}: {text}", error
