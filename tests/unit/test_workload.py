"""Steady traffic by arithmetic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dynamolab.errors import LabError
from dynamolab.traffic.workload import places, sharded_writes

KB = 1024


def test_one_key_gets_a_thousand_units_and_the_rest_is_refused() -> None:
    day = sharded_writes(1, item_bytes=10 * KB, writes_per_second=400)
    assert (day.sent_units, day.admitted_units.sum(), day.refused_units.sum()) == (4000, 1000, 3000)
    assert day.refused_share == 0.75


def test_two_hundred_suffixes_on_four_partitions_lose_nothing_at_2500_units() -> None:
    assert sharded_writes(200, item_bytes=1 * KB, writes_per_second=2500).refused_share == 0


def test_ten_keys_on_four_partitions_buy_about_two_and_a_half_times_one_key() -> None:
    """Balls into bins: the mean of 1,000 x 10 / max over many days is 2,486."""
    best = [
        10_000 / sharded_writes(10, item_bytes=KB, writes_per_second=1, day=f"day-{d}").keys_per_partition.max()
        for d in range(3000)
    ]
    assert np.mean(best) == pytest.approx(2486, rel=0.02)


def test_two_hundred_keys_on_ten_partitions_buy_seven_thousand_four_hundred_units() -> None:
    best = [
        200_000
        / sharded_writes(
            200, item_bytes=KB, writes_per_second=1, partitions=10, day=f"day-{d}"
        ).keys_per_partition.max()
        for d in range(500)
    ]
    assert np.mean(best) == pytest.approx(7423, rel=0.02)


def test_an_empty_shard_still_costs_its_query() -> None:
    day = sharded_writes(400, item_bytes=KB, writes_per_second=1, seconds=10)
    assert day.read_back_queries == day.read_back_pages == 400
    assert day.read_back_units == 400 * 0.5


def test_reading_back_costs_half_a_unit_for_each_four_kilobytes_admitted() -> None:
    day = sharded_writes(1, item_bytes=4 * KB, writes_per_second=100, seconds=1000)
    assert day.read_back_units == 100 * 1000 * 0.5
    assert day.read_back_pages == math.ceil(100 * 1000 / 256)


def test_places_are_those_of_the_live_table() -> None:
    from dynamolab.model.partitions import PartitionedTable

    keys = [f"PEDIDOS#2026-09-06.{s}" for s in range(1, 201)]
    table = PartitionedTable("arn", "PAY_PER_REQUEST")
    assert places(keys).tolist() == [table.partition_of({"S": key}).number for key in keys]
    wide = PartitionedTable("arn", "PROVISIONED", write_units=7000)
    assert places(keys, 7).tolist() == [wide.partition_of({"S": key}).number for key in keys]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n": 0}, "N as a whole number from 1"),
        ({"n": 10**9}, "N as a whole number from 1 to 10,000"),
        ({"n": 2.5}, "N as a whole number"),
        ({"n": "10"}, "N as a whole number"),
        ({"n": True}, "N as a whole number"),
        ({"item_bytes": 0}, "item size in bytes"),
        ({"item_bytes": 409_601}, "item size in bytes"),
        ({"writes_per_second": 0}, "the write rate as a number above 0"),
        ({"writes_per_second": -1}, "the write rate as a number above 0"),
        ({"writes_per_second": float("nan")}, "the write rate as a number above 0"),
        ({"writes_per_second": float("inf")}, "the write rate as a number above 0"),
        ({"partitions": 0}, "number of partitions"),
        ({"seconds": -1}, "time in seconds"),
    ],
)
def test_a_load_that_cannot_be_is_refused_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    settings: dict[str, Any] = {"n": 10, "item_bytes": KB, "writes_per_second": 100, **change}
    with pytest.raises(LabError, match=sentence):
        sharded_writes(settings.pop("n"), **settings)
