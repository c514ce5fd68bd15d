"""The explorers of lessons 03 and 04: the right numbers, no step that fails, bad arguments in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamolab.errors import LabError
from dynamolab.model.keyspace import SPACE
from dynamolab.traffic import demand
from dynamolab.view import Explorer
from dynamolab.view.explorers import hot, hot_explorer, partitions_explorer
from dynamolab.view.explorers.hot import hot_table
from dynamolab.view.explorers.partitions import even_rate, held


@pytest.mark.parametrize(("keys", "partitions"), [(1, 1), (3, 40), (40, 40), (400, 64)])
def test_every_key_is_in_one_partition(keys: int, partitions: int) -> None:
    found = held(keys, partitions)
    assert (len(found), sum(found)) == (partitions, keys)


def test_one_key_takes_what_one_partition_takes_whatever_the_table_has() -> None:
    assert {even_rate(held(1, partitions)) for partitions in (1, 4, 40)} == {1_000}


def test_keys_never_take_more_than_all_partitions_together() -> None:
    assert all(even_rate(held(n, p)) <= 1_000 * p for n in (1, 10, 175, 400) for p in (1, 4, 40, 64))


def test_the_sentence_counts_empty_partitions() -> None:
    assert "37 empty" in partitions_explorer(keys=3, partitions=40).sentence
    assert "none empty" in partitions_explorer(keys=175, partitions=40).sentence


def test_a_hot_key_alone_gets_one_partition() -> None:
    found = hot_table(3_000, share=100)
    assert found.admitted_units.tolist() == [1_000 * (i == found.home) for i in range(4)]
    assert found.refused_share == pytest.approx(2 / 3)


def test_units_are_neither_lost_nor_made() -> None:
    for rate, size, share in ((1_600, 1024, 50), (300, 20_480, 10), (10_000, 1, 0)):
        found = hot_table(rate, item_bytes=size, share=share)
        sent = rate * -(-size // 1024)
        assert found.admitted_units.sum() + found.refused_units.sum() == pytest.approx(sent)


def test_items_of_ten_times_the_size_are_like_ten_times_the_rate() -> None:
    few, many = hot_table(400, item_bytes=10_240, share=40), hot_table(4_000, item_bytes=1_024, share=40)
    assert few.refused_units == pytest.approx(many.refused_units)


def test_the_keys_lie_where_the_population_has_them() -> None:
    positions = demand.uniform(hot.KEYS).where(0, 1)
    exact = [int(position) * hot.PARTITIONS // SPACE for position in positions]
    counts = np.bincount(exact, minlength=hot.PARTITIONS) / hot.KEYS
    assert hot_table(1_000, share=0.01).admitted_units == pytest.approx(1_000 * counts)


@pytest.mark.parametrize("make", [partitions_explorer, hot_explorer])
def test_no_step_of_a_slider_changes_the_size_of_the_picture_or_fails(make: Any) -> None:
    explorer: Explorer = make()
    size = explorer.picture.width, explorer.picture.height
    for control in explorer.controls.values():
        for _, value in control.options:
            control.value = value
            assert (explorer.picture.width, explorer.picture.height) == size
            assert "could not be drawn" not in explorer.sentence


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (partitions_explorer, {"keys": 0}),
        (partitions_explorer, {"keys": 401}),
        (partitions_explorer, {"partitions": 65}),
        (partitions_explorer, {"partitions": 2.5}),
        (hot_explorer, {"writes_per_second": 0}),
        (hot_explorer, {"writes_per_second": float("nan")}),
        (hot_explorer, {"item_bytes": 409_601}),
        (hot_explorer, {"share": 101}),
        (hot_explorer, {"share": -1}),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(make: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(LabError, match=r"\.$"):
        make(**arguments)
