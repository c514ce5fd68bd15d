"""Laws of admission, for any traffic: and the live gate agrees with the arithmetic."""

from __future__ import annotations

import boto3
import numpy as np
import pytest
from botocore.config import Config
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dynamolab as lab
from dynamolab.live import sandbox
from dynamolab.model.meters import MICROSECONDS, Meter
from dynamolab.model.partitions import PARTITION_UNITS
from dynamolab.traffic.workload import admitted, places

ARRIVALS = st.lists(st.tuples(st.integers(0, 30 * MICROSECONDS), st.integers(1, 400)), max_size=200).map(sorted)


@given(ARRIVALS, st.integers(1, 2000), st.integers(1, 300))
def test_a_meter_never_gives_more_than_its_rate_its_depth_and_one_request(
    arrivals: list[tuple[int, int]], rate: int, seconds_deep: int
) -> None:
    depth = rate * seconds_deep
    meter = Meter(rate, depth)
    given_units, largest, first = 0, 0, None
    for now, units in arrivals:
        first = now // MICROSECONDS if first is None else first
        if meter.admits(now):
            meter.charge(units, now)
            given_units += units
            largest = max(largest, units)
            refills = now // MICROSECONDS - first
            assert given_units <= depth + rate * refills + largest


@given(ARRIVALS, st.integers(1, 2000))
def test_a_meter_is_never_in_debt_by_more_than_one_request(arrivals: list[tuple[int, int]], rate: int) -> None:
    meter, largest = Meter(rate), 0
    for now, units in arrivals:
        if meter.admits(now):
            meter.charge(units, now)
            largest = max(largest, units)
        assert meter.level > -largest or meter.level == meter.depth


@given(st.lists(st.floats(0, 5000), min_size=1, max_size=60), st.integers(1, 64), st.randoms(use_true_random=False))
def test_admitted_and_refused_add_up_to_what_was_asked(demand: list[float], partitions: int, draw: object) -> None:
    where = places([f"key-{i}" for i in range(len(demand))], partitions)
    took, lost = admitted(np.array(demand), where, partitions)
    assert took.sum() + lost.sum() == pytest.approx(sum(demand))
    assert (took <= PARTITION_UNITS["write"]).all()
    assert (lost >= 0).all()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=8),
    st.sampled_from([5, 17, 40, 100]),
    st.integers(1, 3),
)
def test_the_live_gate_admits_what_the_arithmetic_admits(weights: list[int], units: int, seconds: int) -> None:
    """Real boto3 calls against the vectorised steady state, to within one second's allowance and its overdrafts."""
    sequence = [f"key-{i}" for i, weight in enumerate(weights) for _ in range(weight)]
    per_second = len(sequence)
    with sandbox(seed=3):
        client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        client.create_table(
            TableName="laws",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )

        def write(i: int) -> None:
            item = {"pk": {"S": sequence[i % per_second]}, "x": {"S": "x" * (1024 * units - 100)}}
            client.put_item(TableName="laws", Item=item)

        lab.drive(write, per_second=per_second, seconds=seconds)
        load = lab.partition_load("laws")
    writes = load[load["side"] == "write"].groupby("partition")["admitted_units"].sum().to_numpy()
    demand = np.array([weight * units for weight in weights], dtype=float)
    expected, _ = admitted(demand, places([f"key-{i}" for i in range(len(weights))]), 4)
    # The gate may overdraw a partition once by a request; what is owed comes off the next second.
    assert writes == pytest.approx(expected * seconds, abs=units)
