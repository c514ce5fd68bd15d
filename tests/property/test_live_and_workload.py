"""One physics: requests admitted one by one, as the live gate does, and the same traffic computed as arrays."""

from __future__ import annotations

import dataclasses
import itertools
import random
from typing import Any

import boto3
import numpy as np
import pytest
from botocore.config import Config
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamolab as lab
from dynamolab.model.indexes import IndexedTable, PartitionedIndex
from dynamolab.model.keyspace import Place, position
from dynamolab.model.meters import MICROSECONDS
from dynamolab.model.parameters import Parameters
from dynamolab.model.partitions import PartitionedTable
from dynamolab.model.throttling import Side
from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, IndexDesign, IndexWrites, Operation, Policy, Workload
from dynamolab.traffic.simulate import simulate

KB = 1024
ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/T"
# Small numbers, so that every limit binds within half a minute of few requests. The factor is not 2: a partition at its
# ceiling would then stand on the very edge between two numbers of partitions, and one overdrawn request would decide.
SMALL = Parameters(
    partition_write_units=20,
    partition_read_units=30,
    on_demand_partitions=3,
    on_demand_write_units=45,
    on_demand_read_units=70,
    ramp_factor=1.9,
    table_write_quota=150,
    table_read_quota=200,
    ramp_seconds=12,
    ramp_peak_seconds=5,
    burst_seconds=4,
    index_buffer_units=40.0,
    adaptation_delay_seconds=8,
    adaptation_memory_seconds=3,
    heat_split_seconds=100_000,
)
LIMITS = 5
"""Limits that one request each may overdraw: a partition's ceiling and part, the maximum, the total, an index."""
compared = {"runs": 0, "requests": 0, "refused": 0}


@dataclasses.dataclass(frozen=True)
class Traffic:
    """One stream: each second of a stage, each key gets ``counts[key] x stage`` requests of ``size`` units."""

    side: Side
    counts: tuple[int, ...]
    stages: tuple[int, ...]
    size: int
    first_key: int

    @property
    def keys(self) -> list[str]:
        """The names of its keys."""
        return [f"key-{self.first_key + number}" for number in range(len(self.counts))]

    def per_second(self, length: int) -> np.ndarray[Any, Any]:
        """How many times ``counts`` there are in each second."""
        return np.repeat(self.stages, length)


STAGE_SECONDS = 10
SIZES: Any = st.sampled_from([1, 1, 2, 3])
TRAFFIC = st.builds(
    Traffic,
    side=st.sampled_from(["write", "write", "read"]),
    counts=st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple),
    stages=st.tuples(st.integers(0, 5), st.integers(0, 8), st.integers(0, 5)),
    size=SIZES,
    first_key=st.integers(0, 8),
)
INDEX = st.fixed_dictionaries(
    {
        "units": st.integers(3, 60),
        "entry": SIZES,
        "moves": st.sampled_from([0.0, 1.0]),
        "counts": st.lists(st.integers(1, 4), min_size=1, max_size=3),
    }
)
DESIGN = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["PROVISIONED", "PAY_PER_REQUEST"]),
        "read_units": st.integers(1, 120),
        "write_units": st.integers(1, 90),
        "partitions": st.integers(1, 6),
        "adaptation": st.sampled_from(["today", "today", "static"]),
        "maximum": st.sampled_from([None, None, 25]),
        "indexes": st.lists(INDEX, max_size=2),
    }
)


def arrivals(streams: list[Traffic], second: int) -> list[tuple[float, int, str]]:
    """The requests of a second as (moment, stream, key): each key's evenly spaced, from another moment each second."""
    found = []
    for number, stream in enumerate(streams):
        times = int(stream.per_second(STAGE_SECONDS)[second])
        for key, count in zip(stream.keys, stream.counts, strict=True):
            # Of a few requests that get through, each key must have its turn: no key is always first.
            phase = random.Random(f"{second} {number} {key}").random()
            found += [((at + phase) / (count * times), number, key) for at in range(count * times)]
    return sorted(found)


def one_by_one(
    streams: list[Traffic], wanted: dict[str, Any], parameters: Parameters
) -> dict[tuple[str, Side], np.ndarray[Any, Any]]:
    """Drive the model's objects as the live gate does; return admitted units by second and partition number."""
    provisioned = wanted["mode"] == "PROVISIONED"
    units = {"read_units": wanted["read_units"], "write_units": wanted["write_units"]} if provisioned else {}
    table = PartitionedTable(ARN, wanted["mode"], **units, partitions=wanted["partitions"], parameters=parameters)
    if wanted["maximum"] is not None:
        table.limit_on_demand(read_units=wanted["maximum"], write_units=wanted["maximum"])
    indexes = {}
    for number, each in enumerate(wanted["indexes"]):
        own = {"read_units": each["units"], "write_units": each["units"]} if provisioned else {}
        name = f"index-{number}"
        indexes[name] = PartitionedIndex(f"{ARN}/index/{name}", wanted["mode"], **own, parameters=parameters)
    physics = IndexedTable(table, indexes)
    seconds = STAGE_SECONDS * 3
    compared["runs"] += 1
    turns = {
        name: itertools.cycle(index_keys(each["counts"])) for name, each in zip(indexes, wanted["indexes"], strict=True)
    }
    for second in range(seconds):
        for moment, number, key in arrivals(streams, second):
            stream, now = streams[number], int((second + moment * 0.999) * MICROSECONDS)
            place: Place = (position({"S": key}), b"")
            physics.settle(now)
            partition = table.partition_at(place)
            compared["requests"] += 1
            if physics.refusal(stream.side, (partition,), now) is not None:
                compared["refused"] += 1
                continue
            table.charge(stream.side, partition, stream.size, now, place=place)
            if stream.side == "write":
                for name, each in zip(indexes, wanted["indexes"], strict=True):
                    for _ in range(1 + int(each["moves"])):
                        physics.absorb(name, (position({"S": next(turns[name])}), b""), each["entry"], now)
    physics.settle(seconds * MICROSECONDS)
    found: dict[tuple[str, Side], np.ndarray[Any, Any]] = {}
    for name, each in {"": table, **indexes}.items():
        for side in ("read", "write"):
            grid = np.zeros((seconds, len(each.partitions)))
            for partition in each.partitions:
                for (second, of), tally in partition.load.items():
                    if of == side:
                        grid[second, partition.number] = tally.admitted_units
            found[name, side] = grid
    return found


def index_keys(counts: list[int]) -> list[str]:
    """Index keys in turn, each as often as its count says, well mixed."""
    turn = [((at + 0.5) / count, f"value-{number}") for number, count in enumerate(counts) for at in range(count)]
    return [name for _, name in sorted(turn)]


def as_arrays(streams: list[Traffic], wanted: dict[str, Any], parameters: Parameters) -> Any:
    """Simulate the same."""
    effects = {
        f"index-{number}": IndexWrites(
            each["entry"] * KB,
            moves=each["moves"],
            keys=demand.few([f"value-{at}" for at in range(len(each["counts"]))], each["counts"]),
        )
        for number, each in enumerate(wanted["indexes"])
    }
    total = None
    for stream in streams:
        keys = demand.few(stream.keys, stream.counts)
        rate = stream.per_second(STAGE_SECONDS) * sum(stream.counts)
        reading = Operation("get", item_bytes=stream.size * 4 * KB, consistency="strong")
        operation = Operation("put", item_bytes=stream.size * KB) if stream.side == "write" else reading
        one = Workload(rate, keys, {"it": operation}, indexes=effects)
        total = one if total is None else total + one
    provisioned = wanted["mode"] == "PROVISIONED"
    maximum = {} if wanted["maximum"] is None else {"read": wanted["maximum"], "write": wanted["maximum"]}
    design = Design(
        wanted["mode"],
        read_units=wanted["read_units"] if provisioned else 0,
        write_units=wanted["write_units"] if provisioned else 0,
        partitions=wanted["partitions"],
        maximum={} if provisioned else maximum,
        indexes={
            f"index-{number}": IndexDesign(each["units"], each["units"]) if provisioned else IndexDesign()
            for number, each in enumerate(wanted["indexes"])
        },
    )
    return simulate(total, design, parameters=parameters)


@settings(max_examples=150)
@given(streams=st.lists(TRAFFIC, min_size=1, max_size=3), wanted=DESIGN)
def test_requests_one_by_one_and_the_arrays_admit_the_same_units(
    streams: list[Traffic], wanted: dict[str, Any]
) -> None:
    """At every moment the units admitted so far differ by one second's bucket and a request for each limit at most."""
    parameters = dataclasses.replace(SMALL, adaptation=wanted["adaptation"])
    live = one_by_one(streams, wanted, parameters)
    outcome = as_arrays(streams, wanted, parameters)
    largest = max(stream.size for stream in streams)
    for side, ceiling in (("read", SMALL.partition_read_units), ("write", SMALL.partition_write_units)):
        ours, theirs = outcome.partition_units(side), live["", side]
        assert ours.shape == theirs.shape
        apart = np.abs(ours.cumsum(axis=0) - theirs.cumsum(axis=0))
        assert apart.max(initial=0) <= ceiling + LIMITS * largest
        rate = wanted[f"{side}_units"] if wanted["mode"] == "PROVISIONED" else ceiling
        total = np.abs(ours.sum(axis=1).cumsum() - theirs.sum(axis=1).cumsum())
        assert total.max(initial=0) <= max(rate, ceiling) + LIMITS * largest
    for number, each in enumerate(wanted["indexes"]):
        ours, theirs = outcome.partition_units("write", f"index-{number}"), live[f"index-{number}", "write"]
        apart = np.abs(ours.sum(axis=1).cumsum() - theirs.sum(axis=1).cumsum())
        per_unit = each["entry"] * (1 + each["moves"]) / min(stream.size for stream in streams)
        assert apart.max(initial=0) <= (SMALL.partition_write_units + LIMITS * largest) * max(1.0, per_unit)


PLAIN: dict[str, Any] = {"read_units": 50, "partitions": 4, "maximum": None, "indexes": []}


def test_the_relief_of_2017_comes_at_the_same_time() -> None:
    """A part of 10 units a second, asked for 16: its burst, then throttling for eight seconds, then relief.

    Not drawn at random: whether a part was throttled in the last three seconds may hang on one request.
    """
    names = [f"key-{number}" for number in range(40)]
    first = next(n for n in range(40) if len({position({"S": key}) >> 62 for key in names[n : n + 4]}) == 4)
    streams = [Traffic("write", (4, 4, 4, 8), (2, 2, 2), 1, first)]
    wanted = {**PLAIN, "mode": "PROVISIONED", "write_units": 40}
    parameters = dataclasses.replace(SMALL, adaptation="2017")
    live, outcome = one_by_one(streams, wanted, parameters), as_arrays(streams, wanted, parameters)
    ours, theirs = outcome.partition_units("write").cumsum(axis=0), live["", "write"].cumsum(axis=0)
    assert np.abs(ours - theirs).max() <= 10 + 1
    assert (outcome.refused_units("write") > 0).any()
    assert outcome.refused_units("write")[-5:].sum() == 0


def test_a_hot_partition_is_cut_in_the_same_second_and_gives_as_much_after() -> None:
    names = [f"key-{number}" for number in range(400)]
    first = next(n for n in range(400) if len({position({"S": key}) >> 62 for key in names[n : n + 4]}) == 1)
    streams = [Traffic("write", (5, 5, 5, 5), (2, 2, 2), 1, first)]
    wanted = {**PLAIN, "mode": "PAY_PER_REQUEST", "write_units": 0}
    parameters = dataclasses.replace(SMALL, heat_split_seconds=20, on_demand_write_units=80, on_demand_partitions=4)
    live, outcome = one_by_one(streams, wanted, parameters), as_arrays(streams, wanted, parameters)
    ours, theirs = outcome.admitted_units("write"), live["", "write"].sum(axis=1)
    assert outcome.events["second"].tolist() == [20]
    assert ours[19] == theirs[19] == 20
    assert ours[21] > 20
    assert np.abs(ours.cumsum() - theirs.cumsum()).max() <= 2 * 20 + 1


@pytest.mark.parametrize(
    ("mode", "weights", "per_second", "seconds"),
    [
        ("PAY_PER_REQUEST", [8, 1, 1], 90, 12),
        ("PAY_PER_REQUEST", [1, 1, 1], 70, 30),
        ("PROVISIONED", [2, 1, 1], 40, 20),
    ],
)
def test_real_boto3_calls_and_the_arrays_admit_the_same_units(
    mode: Any, weights: list[int], per_second: int, seconds: int
) -> None:
    """The whole road: boto3, moto, the gate, lab.drive; within one second's bucket of each partition, and a request."""
    small = {"partition_write_units": 20, "on_demand_partitions": 3, "on_demand_write_units": 45, "burst_seconds": 8,
             "ramp_seconds": 10, "ramp_peak_seconds": 5, "ramp_factor": 1.9, "partition_read_units": 20,
             "on_demand_read_units": 45}  # fmt: skip
    names = [f"key-{number}" for number in range(len(weights))]
    turns = itertools.cycle([name for name, weight in zip(names, weights, strict=True) for _ in range(weight)])
    provisioned = mode == "PROVISIONED"
    lab.start(seed=7, **small)
    try:
        client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        throughput: Any = {"ProvisionedThroughput": {"ReadCapacityUnits": 30, "WriteCapacityUnits": 30}}
        client.create_table(
            TableName="pedidos",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode=mode,
            **(throughput if provisioned else {}),
        )
        run = lab.drive(
            lambda: client.put_item(TableName="pedidos", Item={"pk": {"S": next(turns)}}), per_second, seconds
        )
        load = lab.partition_load("pedidos", since=run.began)
        partitions = len(lab.partition_history("pedidos").query("event == 'born'"))
    finally:
        lab.stop()
    outcome = simulate(
        Workload(demand.constant(per_second, seconds), demand.few(names, weights)),
        Design(mode, read_units=30, write_units=30) if provisioned else Design(),
        parameters=Parameters(**small),  # type: ignore[arg-type]
    )
    live = load[load["side"] == "write"].pivot(index="second", columns="partition", values="admitted_units").to_numpy()
    ours = outcome.partition_units("write")
    assert ours.shape == live.shape == (seconds, partitions)
    assert run.admitted == live.sum()
    assert np.abs(ours.cumsum(axis=0) - live.cumsum(axis=0)).max() <= 20 + 1
    assert 0.2 < outcome.totals["write"]["refused_share"] < 0.9


def test_auto_scaling_moves_the_same_units_at_the_same_seconds() -> None:
    """The same decisions, minute by minute, and the same seconds in force as in the live lab."""
    lab.start(seed=7)
    try:
        client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        client.create_table(
            TableName="pedidos",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
        )
        scaling = boto3.client("application-autoscaling")
        target: Any = {"ServiceNamespace": "dynamodb", "ResourceId": "table/pedidos",
                       "ScalableDimension": "dynamodb:table:WriteCapacityUnits"}  # fmt: skip
        scaling.register_scalable_target(**target, MinCapacity=5, MaxCapacity=100)
        metric = {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}
        scaling.put_scaling_policy(
            **target,
            PolicyName="p",
            PolicyType="TargetTrackingScaling",
            TargetTrackingScalingPolicyConfiguration={"TargetValue": 70.0, "PredefinedMetricSpecification": metric},
        )
        seen = []

        def put(number: int) -> None:
            client.put_item(TableName="pedidos", Item={"pk": {"S": f"k{number % 7}"}})
            units = client.describe_table(TableName="pedidos")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"]
            if not seen or seen[-1][1] != units:
                seen.append((int(number / 6), units))

        lab.drive(put, per_second=6, seconds=600)
    finally:
        lab.stop()
    outcome = simulate(
        Workload(demand.constant(6, 600), demand.few([f"k{number}" for number in range(7)])),
        Design("PROVISIONED", read_units=5, write_units=5, auto_scaling={"write": Policy(5, 100, 0.7)}),
    )
    ours = outcome.capacity[outcome.capacity["side"] == "write"]
    assert list(zip(ours["second"].tolist(), ours["units"].tolist(), strict=True)) == seen
    assert seen[-1][1] == 9


def test_what_was_compared_is_not_nothing() -> None:
    """Runs after the property: it drew enough traffic, and enough of it was refused."""
    print(compared)
    if not compared["runs"]:  # only where somebody chose this test alone; the gate runs the whole file in one process
        pytest.skip("the property did not run in this session")
    assert compared["runs"] >= 100
    assert compared["requests"] > 50_000
    assert 0.1 < compared["refused"] / compared["requests"] < 0.9
