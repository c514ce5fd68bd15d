"""A fresh lab for each test, and a table as the lessons make it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config

import dynamolab as lab

NO_RETRIES = Config(retries={"total_max_attempts": 1})


@pytest.fixture
def running_lab() -> Iterator[None]:
    lab.start(seed=7)
    yield
    lab.stop()


@pytest.fixture
def client(running_lab: None) -> Any:
    return boto3.client("dynamodb", config=NO_RETRIES)


@pytest.fixture
def make_table(client: Any) -> Callable[..., str]:
    def make(name: str = "pedidos", *, sort_key: bool = True, **more: Any) -> str:
        names = ["pk", "sk"] if sort_key else ["pk"]
        settings: dict[str, Any] = {
            "TableName": name,
            "KeySchema": [
                {"AttributeName": part, "KeyType": kind} for part, kind in zip(names, ("HASH", "RANGE"), strict=False)
            ],
            "AttributeDefinitions": [{"AttributeName": part, "AttributeType": "S"} for part in names],
            "BillingMode": "PAY_PER_REQUEST",
        }
        client.create_table(**{**settings, **more})
        return name

    return make
