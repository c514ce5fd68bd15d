"""Any outcome of a simulation as a heat map of key ranges over time."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dynamolab as lab
from dynamolab.errors import LabError
from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, Workload
from dynamolab.traffic.outcome import Outcome
from dynamolab.traffic.simulate import simulate
from dynamolab.view.day import _bins
from dynamolab.view.svg import number


def outcome(seconds: int = 600, rate: float = 3000.0, share: float = 0.5) -> Outcome:
    return simulate(
        Workload(demand.constant(rate, seconds), demand.celebrity(1000, share), {"put": 1, "get": 0.1}),
        Design(partitions=4),
    )


def test_a_day_is_288_columns_of_five_minutes_and_an_outcome_of_any_length_is_drawn() -> None:
    assert _bins(86_400, None) == (300, 288)
    assert _bins(3_600, None) == (15, 240)
    assert _bins(1, None) == (1, 1)
    assert _bins(31_536_000, None) == (172_800, 183)
    for seconds in (1, 59, 288, 289, 1_367, 10_007):
        span, columns = _bins(seconds, None)
        assert columns <= 288
        assert 0 <= span * columns - seconds < span


def test_the_map_says_how_much_was_asked_and_refused() -> None:
    result = outcome(seconds=607)
    write = result.totals["write"]
    assert write["refused_units"] > 0
    picture = lab.key_range_map(result)
    assert f"{number(write['sent_units'])} WU asked for, {number(write['refused_units'])} refused" in picture.alt
    assert "64 rows (key range) and 122 columns of 5 s" in picture.alt


def test_the_hottest_row_is_the_one_in_which_the_celebrity_lies() -> None:
    keys = demand.celebrity(1000, 0.5)
    row = int(keys.where(0, 1)[0] >> np.uint64(58))
    assert f"of that in key range {row}." in lab.key_range_map(outcome()).alt
    lonely = simulate(Workload(demand.constant(10, 60), keys), Design())
    assert f"key range {row} takes most" in lab.key_range_map(lonely).alt


def test_reads_and_writes_and_each_quantity_have_a_map_of_their_own() -> None:
    result = outcome()
    read = lab.key_range_map(result, "read", quantity="admitted")
    assert f"{number(result.totals['read']['admitted_units'])} RU asked for, 0 refused" in read.alt
    refused = lab.key_range_map(result, quantity="refused")
    assert "What each key range refused" in refused.alt
    assert f"{number(result.totals['write']['refused_units'])} WU" in refused.alt
    assert len({read.svg, refused.svg, lab.key_range_map(result).svg}) == 3


def test_a_time_without_traffic_and_no_time_at_all_are_drawn_as_nothing() -> None:
    for seconds in (0, 86_400):
        idle = simulate(Workload(np.zeros(seconds), demand.uniform(5)), Design())
        assert "Nothing was asked for" in lab.key_range_map(idle).alt


def test_a_table_that_splits_and_clients_that_retry_are_drawn() -> None:
    result = simulate(
        Workload(demand.constant(5000, 1500), demand.zipf(2000, 0.9)), Design(partitions=4), retries="standard"
    )
    assert len(result.events)
    assert "refused" in lab.key_range_map(result).alt


def test_the_same_outcome_gives_the_same_picture_and_is_left_as_it_was() -> None:
    result = outcome()
    before = result.seconds
    assert lab.key_range_map(result).svg == lab.key_range_map(result).svg == lab.key_range_map(outcome()).svg
    assert result.seconds == before


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: lab.key_range_map(outcome(), "both"), "side is 'both'; choose 'write' or 'read'"),
        (lambda: lab.key_range_map(outcome(), quantity="lost"), "choose 'asked' or 'admitted' or 'refused'"),
        (lambda: lab.key_range_map(outcome(), rows=65), "rows as a whole number from 1 to 64"),
        (lambda: lab.key_range_map(outcome(), bin_seconds=2), "bin_seconds as a whole number from 3 to 2,592,000"),
        (lambda: lab.key_range_map({"seconds": 5}), "draws what simulate returned"),
    ],
)
def test_input_without_sense_is_answered_with_a_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(LabError, match=re.escape(sentence)):
        call()
