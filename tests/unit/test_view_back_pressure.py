"""Lesson 12's explorer and its arithmetic, held against the live lab."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from hypothesis import given
from hypothesis import strategies as st

import dynamolab as lab
from dynamolab.errors import LabError
from dynamolab.view import back_pressure_explorer
from dynamolab.view.explorers.back_pressure import pressure

SCENE: dict[str, Any] = {
    "updates_per_second": 10,
    "item_bytes": 10 * 1024,
    "moving": 0.6,
    "copied": "ALL",
    "index_capacity": 60,
    "table_capacity": 120,
}


@pytest.fixture
def lab_without_burst() -> Iterator[None]:
    lab.start(seed=7, burst_at_birth=0.0)
    yield
    lab.stop()


def test_an_index_that_is_asked_for_160_of_60_units_lets_three_eighths_through() -> None:
    found = pressure(**SCENE)
    assert (found.table_units, found.index_units, found.fault) == (10, 16, "index")
    assert found.admitted == pytest.approx(3.75)
    assert found.refused_share == pytest.approx(0.625)


def test_the_first_refusal_comes_when_burst_and_buffer_are_used_up() -> None:
    """(60 x 300 + 3,000) / (160 - 60): the arithmetic of lesson 12."""
    assert pressure(**SCENE).first_refusal == pytest.approx(210)
    assert pressure(**{**SCENE, "moving": 0.0}).first_refusal == pytest.approx(21_000 / 40)
    assert pressure(**{**SCENE, "index_capacity": 160}).first_refusal is None


@given(
    rate=st.floats(0.1, 1_000),
    item_bytes=st.integers(1, 400 * 1024),
    moving=st.floats(0, 1),
    copied=st.sampled_from(["ALL", "KEYS_ONLY"]),
    index=st.floats(1, 40_000),
    table=st.floats(1, 40_000),
)
def test_neither_table_nor_index_takes_more_than_it_has_and_one_that_refuses_is_full(
    rate: float, item_bytes: int, moving: float, copied: Any, index: float, table: float
) -> None:
    found = pressure(
        updates_per_second=rate,
        item_bytes=item_bytes,
        moving=moving,
        copied=copied,
        index_capacity=index,
        table_capacity=table,
    )
    taken = {"table": found.admitted * found.table_units, "index": found.admitted * found.index_units}
    capacity = {"table": table, "index": index}
    assert all(taken[name] <= capacity[name] * (1 + 1e-9) for name in taken)
    assert found.admitted <= rate
    if found.fault is not None:
        assert taken[found.fault] == pytest.approx(capacity[found.fault])
        assert found.first_refusal is not None
    else:
        assert found.admitted == rate


@pytest.mark.parametrize(
    "wrong",
    [
        {"updates_per_second": 0},
        {"moving": 1.5},
        {"item_bytes": 500 * 1024},
        {"index_capacity": -1},
        {"table_capacity": 0},
    ],
)
def test_numbers_without_sense_are_one_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(LabError):
        pressure(**{**SCENE, **wrong})


def test_the_live_lab_lets_through_what_the_arithmetic_says(lab_without_burst: None) -> None:
    dynamodb = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    capacity = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6_000}
    dynamodb.create_table(
        TableName="pedidos",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "estado")],
        ProvisionedThroughput=capacity,
        GlobalSecondaryIndexes=[
            {
                "IndexName": "gsi",
                "KeySchema": [{"AttributeName": "estado", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
                "ProvisionedThroughput": {**capacity, "WriteCapacityUnits": 60},
            }
        ],
    )
    item = {"pk": {"S": "PEDIDO#1"}, "estado": {"S": "a"}, "nota": {"S": "a"}, "lineas": {"S": "x" * 10_000}}
    dynamodb.put_item(TableName="pedidos", Item=item)
    moving = random.Random(7)

    def update(number: int) -> None:
        dynamodb.update_item(
            TableName="pedidos",
            Key={"pk": item["pk"]},
            UpdateExpression=f"SET {'estado' if moving.random() < SCENE['moving'] else 'nota'} = :new",
            ExpressionAttributeValues={":new": {"S": f"v{number:06}"}},
        )

    lab.drive(update, per_second=10, seconds=40)
    settled = lab.drive(update, per_second=10, seconds=120)
    assert settled.admitted / settled.sent == pytest.approx(pressure(**SCENE).admitted / 10, rel=0.08)


def test_raising_the_table_changes_nothing_and_raising_the_index_ends_the_refusals() -> None:
    explorer = back_pressure_explorer()
    assert "62.5 % is refused, because of the index" in explorer.sentence
    explorer.controls["table_capacity"].value = 300
    assert "62.5 % is refused, because of the index" in explorer.sentence
    explorer.controls["index_capacity"].value = 150
    assert "because of the index" in explorer.sentence
    explorer.controls["index_capacity"].value = 160
    assert "Nothing is refused" in explorer.sentence


def test_every_step_of_every_control_draws_a_picture_of_one_size() -> None:
    explorer = back_pressure_explorer()
    sizes, sentences = set(), set()
    for control in explorer.controls.values():
        first = control.value
        if hasattr(control, "options"):
            values = [option[1] if isinstance(option, tuple) else option for option in control.options]
        else:
            values = list(range(control.min, control.max + 1, control.step))
        for value in values:
            control.value = value
            sizes.add((explorer.picture.width, explorer.picture.height))
            sentences.add(explorer.sentence)
        control.value = first
    assert len(sizes) == 1
    assert not any("could not be drawn" in sentence for sentence in sentences)


def test_an_item_that_is_too_large_fails_before_a_slider_exists() -> None:
    with pytest.raises(LabError, match="400 KB"):
        back_pressure_explorer(item_bytes=500 * 1024)
