"""Laws of the physics, for any traffic: nothing is admitted that no bucket held, no key is lost, time only adds up."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.model.indexes import IndexedTable, PartitionedIndex
from dynamolab.model.keyspace import SPACE, Place, place_of, sort_bytes
from dynamolab.model.meters import MICROSECONDS
from dynamolab.model.modes import DecreaseHistory, ModeHistory
from dynamolab.model.parameters import Parameters
from dynamolab.model.partitions import PartitionedTable
from dynamolab.model.throttling import SIDES

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
START = 1_788_688_800 * MICROSECONDS
# Small numbers, so that splits, peaks and throttling all happen within a short run.
QUICK = Parameters(
    heat_split_seconds=20,
    ramp_seconds=30,
    ramp_peak_seconds=5,
    partition_bytes=20_000,
    adaptation_delay_seconds=10,
    adaptation_memory_seconds=5,
)
PLACES = [place_of(({"S": f"key-{n}"},), ({"N": str(m)},)) for n in range(6) for m in range(4)]

# Each second: which places are asked, how many units a request, how many requests; and what else happens. A load lasts
# for some seconds, so that partitions get hot for long enough.
SECONDS = st.lists(
    st.tuples(
        st.lists(st.integers(0, len(PLACES) - 1), min_size=1, max_size=4),
        st.sampled_from([1, 40, 400]),
        st.integers(0, 30),
        st.sampled_from(["", "", "", "", "store", "provision", "warm", "idle"]),
    ),
    max_size=8,
).map(lambda loads: [load for n, load in enumerate(loads) for _ in range((30, 1, 45, 5)[n % 4])])
ADAPTATIONS: Any = st.sampled_from(["static", "2017", "today"])
MODES: Any = st.sampled_from(["PROVISIONED", "PAY_PER_REQUEST"])


def make(mode: Any, adaptation: Any, local_indexes: bool) -> PartitionedTable:
    parameters = Parameters(**{**vars(QUICK), "adaptation": adaptation})
    return PartitionedTable(
        ARN, mode, read_units=2500, write_units=2500, local_indexes=local_indexes, parameters=parameters
    )


def play(table: PartitionedTable, seconds: Any, *, steps: bool = False) -> list[tuple[int, int, bool]]:
    """Play the seconds on the table; return every request with its partition and its fate."""
    trace, time = [], START
    for wheres, units, requests, event in seconds:
        gap = 400 * MICROSECONDS if event == "idle" else MICROSECONDS
        if steps:
            for now in range(time, time + gap, gap // 7):
                table.settle(now)
        time += gap
        if event == "store":
            table.store(PLACES[wheres[0]], 3000, time)
        elif event == "provision":
            table.provision(table.mode, read_units=100 * units, write_units=100 * units, now=time)
        elif event == "warm":
            table.warm_up(write_units=10 * units, read_units=1, now=time)
        for n in range(requests):
            now = time + n * MICROSECONDS // 30
            where = PLACES[wheres[n % len(wheres)]]
            table.settle(now)
            partition = table.partition_at(where)
            refused = table.refusal("write", [partition], now) is not None
            if not refused:
                table.charge("write", partition, units, now, place=where)
            trace.append((now, partition.number, refused))
    return trace


def state(table: PartitionedTable, now: int) -> Any:
    return [
        (p.number, p.key_range, p.history, {s: m.level_at(now) for s, m in p.meters.items()}, p.load, p.stored_bytes)
        for p in table.in_order
    ], [table.warm_throughput(side) for side in SIDES]


@settings(max_examples=60, deadline=None)
@given(SECONDS, MODES, ADAPTATIONS, st.booleans())
def test_partitions_cover_every_place_without_gap_or_overlap_and_never_grow_fewer(
    seconds: Any, mode: Any, adaptation: Any, local_indexes: bool
) -> None:
    table = make(mode, adaptation, local_indexes)
    count = len(table.partitions)
    for second in seconds:
        play(table, [second])
        assert len(table.partitions) >= count
        count = len(table.partitions)
        ranges = [partition.key_range for partition in table.in_order]
        assert (ranges[0].first, ranges[-1].beyond) == ((0, b""), (SPACE, b""))
        assert all(one.beyond == two.first for one, two in zip(ranges, ranges[1:], strict=False))
        assert all(each.first < each.beyond for each in ranges)
        assert [partition.number for partition in table.partitions] == list(range(count))
        assert all(where in table.partition_at(where).key_range for where in PLACES)
        if local_indexes:
            assert all(len(table.partitions_of_collection(hashed)) == 1 for hashed, _ in PLACES)


@settings(max_examples=60, deadline=None)
@given(SECONDS, MODES, ADAPTATIONS)
def test_a_partition_never_gives_more_than_its_ceiling_and_one_request(
    seconds: Any, mode: Any, adaptation: Any
) -> None:
    table = make(mode, adaptation, False)
    play(table, seconds)
    for partition in table.partitions:
        taken = {second: tally.admitted_units for (second, side), tally in partition.load.items() if side == "write"}
        for first in taken:
            for last in taken:
                if last >= first:
                    total = sum(units for second, units in taken.items() if first <= second <= last)
                    assert total <= 1000 * (last - first + 1) + 399


@settings(max_examples=60, deadline=None)
@given(SECONDS, ADAPTATIONS, st.integers(1, 3000), st.floats(0, 1))
def test_a_provisioned_table_never_gives_more_than_its_units_its_burst_and_one_request(
    seconds: Any, adaptation: Any, units: int, burst_at_birth: float
) -> None:
    quiet = [(wheres, size, requests, "idle" if event == "idle" else "") for wheres, size, requests, event in seconds]
    parameters = Parameters(**{**vars(QUICK), "adaptation": adaptation, "burst_at_birth": burst_at_birth})
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=units, parameters=parameters)
    trace = play(table, quiet)
    if not trace:
        return
    given_units = sum(tally.admitted_units for partition in table.partitions for tally in partition.load.values())
    elapsed = trace[-1][0] // MICROSECONDS - trace[0][0] // MICROSECONDS
    assert given_units <= max(units, 300 * units * burst_at_birth) + units * elapsed + 400


@settings(max_examples=60, deadline=None)
@given(SECONDS, MODES, ADAPTATIONS, st.booleans())
def test_the_same_traffic_has_the_same_history(seconds: Any, mode: Any, adaptation: Any, local_indexes: bool) -> None:
    one, two = make(mode, adaptation, local_indexes), make(mode, adaptation, local_indexes)
    assert play(one, seconds) == play(two, seconds)
    end = START + 100_000 * MICROSECONDS
    assert state(one, end) == state(two, end)


@settings(max_examples=60, deadline=None)
@given(SECONDS, MODES, ADAPTATIONS, st.lists(st.integers(0, 365 * 86_400 * MICROSECONDS), max_size=20))
def test_a_jump_of_a_year_equals_the_same_in_many_steps(
    seconds: Any, mode: Any, adaptation: Any, stops: list[int]
) -> None:
    table = make(mode, adaptation, False)
    stepped = copy.deepcopy(table)
    assert play(table, seconds) == play(stepped, seconds, steps=True)
    begin = START + 200 * 400 * MICROSECONDS
    for stop in sorted(stops):
        stepped.settle(begin + stop)
    end = begin + 366 * 86_400 * MICROSECONDS
    table.settle(end)
    stepped.settle(end)
    assert state(table, end) == state(stepped, end)


@settings(max_examples=40, deadline=None)
@given(SECONDS, st.integers(1, 500))
def test_a_table_never_writes_more_into_its_index_than_units_burst_buffer_and_one_request(
    seconds: Any, units: int
) -> None:
    parameters = Parameters(index_buffer_units=100, burst_seconds=10)
    index = PartitionedIndex(f"{ARN}/index/i", "PROVISIONED", read_units=1, write_units=units, parameters=parameters)
    both = IndexedTable(PartitionedTable(ARN, "PAY_PER_REQUEST"), {"i": index})
    total, time, first = 0, START, None
    for wheres, size, requests, _ in seconds:
        time += MICROSECONDS
        for n in range(requests):
            where: Place = PLACES[wheres[n % len(wheres)]]
            first = first or time
            if both.refusal("write", [both.table.partition_at(where)], time) is None:
                both.absorb("i", where, size, time)
                total += size
    if first is not None:
        assert total <= 10 * units + units * (time - first) // MICROSECONDS + 100 + 400


NUMBERS = st.decimals(-(10**30), 10**30, allow_nan=False, places=6) | st.integers(-200, 200)


@given(NUMBERS, NUMBERS)
def test_sort_bytes_of_numbers_sort_as_the_numbers(one: Any, two: Any) -> None:
    coded = [sort_bytes({"N": str(value)}) for value in (one, two)]
    assert (one < two, one == two) == (coded[0] < coded[1], coded[0] == coded[1])


@given(st.lists(st.tuples(st.integers(0, 3 * 86_400), st.booleans()), max_size=40).map(sorted))
def test_never_more_than_four_switches_to_on_demand_within_a_day(wishes: list[tuple[int, bool]]) -> None:
    history = ModeHistory(START, "PROVISIONED")
    made = []
    for second, on_demand in wishes:
        now = START + second * MICROSECONDS
        mode: Any = "PAY_PER_REQUEST" if on_demand else "PROVISIONED"
        if history.check(mode, now) is None:
            if on_demand and history.mode == "PROVISIONED":
                made.append(second)
            history.switch(mode, now)
    assert all(late - early >= 86_400 for early, late in zip(made, made[4:], strict=False))


@given(st.lists(st.integers(0, 3 * 86_400), max_size=200).map(sorted))
def test_never_more_than_27_decreases_in_a_utc_day(wishes: list[int]) -> None:
    """AWS, "Quotas in Amazon DynamoDB": at most 27 decreases in a day."""
    history, made = DecreaseHistory(), [0, 0, 0, 0]
    for second in wishes:
        now = second * MICROSECONDS
        if history.check(now) is None:
            history.decrease(now)
            made[second // 86_400] += 1
    assert max(made) <= 27


def test_a_jump_of_a_year_costs_no_more_than_a_second() -> None:
    """Counted, not timed: settling a year looks at each clock interval's end at most once."""
    table = make("PAY_PER_REQUEST", "today", False)
    play(table, [([n % 6], 400, 30, "") for n in range(60)])
    looked = 0
    split = table._split_for_heat

    def counted(at: int) -> None:
        nonlocal looked
        looked += 1
        split(at)

    table._split_for_heat = counted  # type: ignore[method-assign]
    table.settle(START + 365 * 86_400 * MICROSECONDS)
    assert looked == pytest.approx(1, abs=1)
