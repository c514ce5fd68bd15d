"""The explorers of lessons 06 and 08: the right numbers, no step that fails, bad arguments in one sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamolab.data import prices
from dynamolab.errors import LabError
from dynamolab.model.autoscaling import Policy
from dynamolab.model.meters import Meter, give_together
from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, Workload
from dynamolab.traffic.simulate import simulate
from dynamolab.view import Explorer
from dynamolab.view.explorers import buckets_explorer, paying_explorer
from dynamolab.view.explorers.buckets import SECONDS, STEP, spike
from dynamolab.view.explorers.paying import MEAN, day, paid, served


def test_a_table_of_five_units_gives_fifty_a_second_for_33_seconds_and_then_five() -> None:
    found = spike(capacity=5, idle=300, rate=50, lasts=60)
    assert (found.first_refusal, found.ceiling) == (33, False)
    assert found.bucket.admitted[300:333] == [50] * 33
    assert found.bucket.admitted[334:360] == [5] * 26


def test_20_seconds_of_50_units_need_180_seconds_of_rest_at_5_units() -> None:
    assert spike(capacity=5, idle=180, rate=50, lasts=20).first_refusal is None
    assert spike(capacity=5, idle=179, rate=50, lasts=20).first_refusal == 19


def test_a_full_bucket_does_not_lift_the_ceiling_of_its_partition() -> None:
    found = spike(capacity=100, idle=300, rate=2_000, lasts=10)
    assert (found.first_refusal, found.ceiling) == (0, True)
    assert max(found.bucket.admitted) == 1_000


@given(
    capacity=st.integers(1, 2_000),
    idle=st.integers(0, 400),
    rate=st.integers(0, 3_000),
    lasts=st.integers(0, 300),
)
def test_the_explorers_bucket_gives_what_the_models_meters_give(
    capacity: int, idle: int, rate: int, lasts: int
) -> None:
    found = spike(capacity=capacity, idle=idle, rate=rate, lasts=lasts)
    table, partition = Meter(capacity, 300.0 * capacity), Meter(1_000)
    table.level = float(capacity)  # the explorer's first second begins with one refill
    wanted = [float(rate) if idle <= second < idle + lasts else 0.0 for second in range(SECONDS)]
    expected, _ = give_together([table, partition], wanted, 0)
    assert found.bucket.admitted == pytest.approx(expected)


def test_the_bucket_explorer_opens_with_the_whole_story_and_plays_it_from_the_beginning() -> None:
    explorer = buckets_explorer()
    assert explorer.sentence.startswith(f"After {SECONDS} s it holds 1,500 of 1,500 WU.")
    assert "finds 1,500 saved: the first refusal comes after 33 s, by the empty bucket" in explorer.sentence
    explorer.time.value = 60 // STEP
    assert explorer.sentence.startswith("After 60 s it holds 300 of 1,500 WU.")


@pytest.mark.parametrize("shape", ["smooth", "sudden"])
@pytest.mark.parametrize("ratio", [1.0, 2.4, 10.0])
def test_every_day_has_the_same_mean_and_the_peak_that_was_asked_for(ratio: float, shape: Any) -> None:
    rate = day(ratio, shape)
    assert rate.mean() == pytest.approx(MEAN, rel=1e-6)
    assert rate.max() == pytest.approx(MEAN * ratio, rel=1e-6)
    assert rate.min() >= 0


def test_capacity_for_the_peak_refuses_nothing_and_is_paid_all_day() -> None:
    usd, refused, sent = paid(2.0, "smooth", 86, False)
    assert usd == pytest.approx(86 * 24 * prices("us-east-1").usd("wcu_hour"))
    assert refused == 0
    assert sent == pytest.approx(MEAN * 86_400)


@pytest.mark.parametrize("shape", ["smooth", "sudden"])
@pytest.mark.parametrize(("ratio", "percent"), [(1.5, None), (3.0, None), (10.0, None), (2.0, 20), (6.0, 60)])
def test_the_explorers_day_is_the_one_that_simulate_gives(shape: Any, ratio: float, percent: int | None) -> None:
    rate = day(ratio, shape)
    units = max(5, math.ceil(rate[0] / 0.7)) if percent is None else math.ceil(MEAN * ratio * percent / 100)
    policy = Policy(5, 1_000, 0.7) if percent is None else None
    in_force, refused = served(rate, units, policy)
    scaled = {"write": policy} if policy is not None else {}
    design = Design("PROVISIONED", read_units=1, write_units=units, auto_scaling=scaled)  # type: ignore[arg-type]
    outcome = simulate(Workload(rate, demand.uniform(1_000)), design)
    assert np.array_equal(in_force, outcome.provisioned_units("write"))
    assert refused == pytest.approx(outcome.refused_units("write").sum())


def test_auto_scaling_refuses_at_a_sudden_peak_of_three_times_and_not_at_a_smooth_one_of_ten() -> None:
    assert paid(3.0, "sudden", 35, True)[1] > 1_000
    assert paid(10.0, "smooth", 5, True)[1] == 0


def test_the_break_even_lies_between_a_peak_of_2_4_and_of_3_times_the_mean() -> None:
    explorer = paying_explorer(ratio=2.4)
    assert "above the break-even of 28.9 %" in explorer.sentence
    explorer.controls["ratio"].value = 3.0
    assert "below the break-even of 28.9 %" in explorer.sentence


def test_refusals_are_told_in_the_sentence() -> None:
    explorer = paying_explorer(ratio=10.0, percent=30)
    assert "The provisioned table refuses 1.28 M WU." in explorer.sentence


@pytest.mark.parametrize("make", [buckets_explorer, paying_explorer])
def test_no_step_of_a_control_changes_the_size_of_the_picture_or_fails(make: Any) -> None:
    explorer: Explorer = make()
    size = explorer.picture.width, explorer.picture.height
    for control in explorer.controls.values():
        options = getattr(control, "options", None)
        values = [value for _, value in options] if options else [0, 1, SECONDS // STEP // 2, SECONDS // STEP]
        for value in values:
            control.value = value
            assert (explorer.picture.width, explorer.picture.height) == size
            assert "could not be drawn" not in explorer.sentence


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (buckets_explorer, {"capacity": 0}),
        (buckets_explorer, {"rate": -1}),
        (buckets_explorer, {"idle": "long"}),
        (buckets_explorer, {"lasts": float("nan")}),
        (paying_explorer, {"ratio": 0.5}),
        (paying_explorer, {"ratio": 11}),
        (paying_explorer, {"shape": "square"}),
        (paying_explorer, {"percent": 0}),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(make: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(LabError, match=r"\.$"):
        make(**arguments)
