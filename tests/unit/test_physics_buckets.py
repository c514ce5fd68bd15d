"""Burst, ceilings, the table's total, and adaptive capacity in its three designs."""

from __future__ import annotations

from typing import Any

import pytest

from dynamolab.model.meters import MICROSECONDS, Meter, give_together
from dynamolab.model.parameters import Parameters
from dynamolab.model.partitions import PartitionedTable
from dynamolab.model.throttling import Side
from dynamolab.model.units import read_units

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
START = 1_788_688_800 * MICROSECONDS
EMPTY = Parameters(burst_at_birth=0.0)


def ask(
    table: PartitionedTable, number: int, units: float, second: float, side: Side = "write", *, eventual: bool = False
) -> bool:
    """Make one request of partition ``number``; say whether it was admitted."""
    now = START + round(second * MICROSECONDS)
    partition = table.partitions[number]
    if table.refusal(side, [partition], now, eventual=eventual) is not None:
        return False
    table.charge(side, partition, units, now, eventual=eventual)
    return True


def reason(table: PartitionedTable, number: int, second: float, side: Side = "write") -> str:
    refusal = table.refusal(side, [table.partitions[number]], START + round(second * MICROSECONDS))
    assert refusal is not None
    return refusal.reason


def run(table: PartitionedTable, loads: tuple[int, ...], seconds: range, size: int = 5) -> list[float]:
    """Offer so many units a second to each partition; return the average admitted to each, a second."""
    took = [0.0] * len(loads)
    for second in seconds:
        for turn in range(max(loads) // size):
            for number, load in enumerate(loads):
                if turn * size < load and ask(table, number, size, second):
                    took[number] += size
    return [units / len(seconds) for units in took]


def test_a_20_kb_item_is_read_600_times_a_second() -> None:
    """AWS, "Designing partition keys": 3,000 read units over 5 for a strongly consistent read of 20 KB."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    units = read_units(20 * 1024, consistency="strong")
    admitted = [sum(ask(table, 1, units, second + n / 1000, "read") for n in range(1000)) for second in range(5)]
    assert admitted == [600] * 5


@pytest.mark.parametrize(
    ("allowance", "eventual", "expected"), [(None, True, 3000), (4500, True, 4500), (4500, False, 3000)]
)
def test_eventual_reads_of_one_key_reach_their_allowance(allowance: int | None, eventual: bool, expected: int) -> None:
    """AWS's own test of one hot key reached 4,500 RU/s with eventually consistent reads; off unless asked for."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", parameters=Parameters(eventual_read_units=allowance))
    admitted = sum(ask(table, 0, 0.5, n / 20_000, "read", eventual=eventual) for n in range(10_000)) * 0.5
    assert admitted == expected


def test_strong_and_eventual_reads_share_the_allowance() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", parameters=Parameters(eventual_read_units=4500))
    took = {True: 0, False: 0}
    for n in range(8000):
        took[n % 2 == 0] += ask(table, 0, 1, n / 10_000, "read", eventual=n % 2 == 0)
    assert sum(took.values()) == 4500
    assert took[False] <= 3000


def test_150_read_units_idle_for_300_seconds_carry_200_a_second_for_900() -> None:
    """AWS, "Burst and adaptive capacity": 300 seconds of unused capacity, 45,000 units, drained by 50 a second."""
    table = PartitionedTable(ARN, "PROVISIONED", read_units=150, write_units=1, parameters=EMPTY)
    table.refusal("read", [table.partitions[0]], START)
    for second in range(300, 2000):
        if not all(ask(table, 0, 20, second + n / 10, "read") for n in range(10)):
            break
    assert second - 300 == pytest.approx(900, abs=4)
    assert reason(table, 0, second + 0.99, "read") == "TableReadProvisionedThroughputExceeded"


def test_a_table_of_5_write_units_swallows_500_writes_and_then_crawls() -> None:
    """AWS's workshop on capacity: one client writes 500 items, then 2,000, to a table of 5 units.

    AWS printed 17.6 s for the first, all by burst, and 75 to 134 s for the second. The nominal rule gives the same
    17.6 s (35.2 ms a write), and 183 s for the second: the bucket holds 1,087 by then and the other 913 come at 5 a
    second. The service is looser with tiny tables than its documentation.
    """
    table = PartitionedTable(ARN, "PROVISIONED", read_units=5, write_units=5)
    pace, attempts = 0.0352, 0
    times: list[float] = []
    while len(times) < 2500:
        if ask(table, 0, 1, attempts * pace):
            times.append(attempts * pace)
        attempts += 1
    assert times[499] == pytest.approx(499 * pace)
    assert times[2499] - times[499] == pytest.approx(183, abs=3)
    last_minute = [time for time in times if time > times[-1] - 60]
    assert len(last_minute) == pytest.approx(5 * 60, abs=5)


def test_a_burst_never_lifts_the_ceiling_of_a_partition() -> None:
    """AWS: while bursting, a partition still gives at most 1,000 WU/s."""
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=900)
    took = [sum(ask(table, 0, 10, second + n / 500) for n in range(500)) * 10 for second in range(20)]
    assert took == [1000] * 20
    assert reason(table, 0, 19.999) == "TableWriteKeyRangeThroughputExceeded"


@pytest.mark.parametrize(
    ("adaptation", "early", "late"),
    [("static", 100, 100), ("2017", 100, 150), ("today", 150, 150)],
)
def test_400_units_on_four_partitions_under_50_50_50_150(adaptation: Any, early: int, late: int) -> None:
    """AWS, "Burst and adaptive capacity": the fourth partition is raised to 150, as 300 in all is within 400."""
    table = PartitionedTable(
        ARN,
        "PROVISIONED",
        write_units=400,
        stored_bytes=40 * 1024**3,
        parameters=Parameters(adaptation=adaptation, burst_at_birth=0.0),
    )
    assert len(table.partitions) == 4
    loads = (50, 50, 50, 150)
    assert run(table, loads, range(60)) == pytest.approx([50, 50, 50, early], abs=2)
    run(table, loads, range(60, 620))
    assert run(table, loads, range(620, 680)) == pytest.approx([50, 50, 50, late], abs=2)


@pytest.mark.parametrize("delay", [300, 1800])
def test_in_2017_relief_came_after_minutes_of_throttling(delay: int) -> None:
    parameters = Parameters(adaptation="2017", adaptation_delay_seconds=delay, burst_at_birth=0.0)
    table = PartitionedTable(ARN, "PROVISIONED", write_units=400, stored_bytes=40 * 1024**3, parameters=parameters)
    run(table, (0, 0, 0, 150), range(delay - 10), size=25)
    assert run(table, (0, 0, 0, 150), range(delay - 10, delay), size=25)[3] == pytest.approx(100, abs=5)
    assert run(table, (0, 0, 0, 150), range(delay + 1, delay + 11), size=25)[3] == pytest.approx(150, abs=5)
    run(table, (0, 0, 0, 150), range(delay + 11, delay + 400), size=25)
    # Relief lasts while it is needed, though nothing is refused any more; no burst of the part's own helps here.
    table.partitions[3].parts["write"].charge(30_000, START + (delay + 400) * MICROSECONDS)
    assert run(table, (0, 0, 0, 150), range(delay + 400, delay + 410), size=25)[3] == pytest.approx(150, abs=5)


def test_in_2017_relief_ended_with_the_pressure() -> None:
    parameters = Parameters(adaptation="2017", burst_at_birth=0.0)
    table = PartitionedTable(ARN, "PROVISIONED", write_units=400, stored_bytes=40 * 1024**3, parameters=parameters)
    run(table, (0, 0, 0, 150), range(700), size=25)
    run(table, (0, 0, 0, 50), range(700, 1100), size=25)
    table.partitions[3].parts["write"].charge(30_000, START + 1100 * MICROSECONDS)  # No burst is left of the pause.
    assert run(table, (0, 0, 0, 150), range(1101, 1131), size=25)[3] == pytest.approx(100, abs=10)


@pytest.mark.parametrize("adaptation", ["static", "2017", "today"])
def test_no_design_gives_more_than_the_table_has(adaptation: Any) -> None:
    """AWS: adaptive capacity never takes a table beyond its total provisioned capacity."""
    parameters = Parameters(adaptation=adaptation, burst_at_birth=0.0)
    table = PartitionedTable(ARN, "PROVISIONED", write_units=400, stored_bytes=40 * 1024**3, parameters=parameters)
    run(table, (200, 200, 200, 200), range(700), size=25)
    assert sum(run(table, (200, 200, 200, 200), range(700, 760), size=25)) <= 400 + 4 * 25 / 60


def test_more_units_keep_what_the_bucket_holds() -> None:
    table = PartitionedTable(ARN, "PROVISIONED", write_units=5)
    assert all(ask(table, 0, 100, 0) for _ in range(10))
    table.provision("PROVISIONED", write_units=10, now=START)
    assert [ask(table, 0, 250, second) for second in (0, 0.1, 0.2)] == [False, False, False]  # 1,000 of the partition
    assert [ask(table, 0, 250, 1 + second) for second in (0, 0.1, 0.2)] == [True, True, True]  # 500 left, plus 10
    assert not ask(table, 0, 250, 2)


def test_overdraft_a_first_write_of_350_units_passes_on_a_table_of_one() -> None:
    """Recorded from the service: 350 units admitted by a fresh table of 1, the next 351 a second later refused."""
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=1)
    assert [ask(table, 0, 350, 0), ask(table, 0, 351, 1)] == [True, False]


@pytest.mark.parametrize("wanted", [[], [7.0], [3.0, 9.0, 0.0, 40.0, 1.0]])
def test_what_is_taken_second_by_second_leaves_what_as_many_single_charges_leave(wanted: list[float]) -> None:
    together, single = (
        [Meter(10.0, 30.0), Meter(5.0, 20.0)],
        [Meter(10.0, 30.0), Meter(5.0, 20.0)],
    )
    for meter in (*together, *single):
        meter.charge(12.0, START)
    now, given = START + MICROSECONDS, []
    for second, units in enumerate(wanted):
        at = now + second * MICROSECONDS
        least = min(units, *(max(meter.level_at(at), 0.0) for meter in single))
        for meter in single:
            meter.charge(least, at)
        given.append(least)
    assert give_together(together, wanted, now)[0] == given
    last = now + max(len(wanted) - 1, 0) * MICROSECONDS
    for later in (last, last + MICROSECONDS, last + 2 * MICROSECONDS):
        assert [meter.level_at(later) for meter in together] == [meter.level_at(later) for meter in single]
