"""Key ranges, meters and the admission of a table, without boto3 or moto."""

from __future__ import annotations

from typing import Any

import pytest

from dynamolab.model.keyspace import SPACE, equal_ranges, position
from dynamolab.model.meters import MICROSECONDS, Meter
from dynamolab.model.partitions import PARTITION_UNITS, PartitionedTable, partitions_at_birth
from dynamolab.model.throttling import Limit, Refusal

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
START = 1_788_688_800 * MICROSECONDS


def key(text: str) -> dict[str, str]:
    return {"S": text}


@pytest.mark.parametrize("count", [1, 3, 4, 7, 64, 1000])
def test_ranges_cover_the_hash_space_without_gap_or_overlap(count: int) -> None:
    ranges = equal_ranges(count)
    assert (ranges[0].start, ranges[-1].end) == (0, SPACE)
    assert all(one.end == two.start for one, two in zip(ranges, ranges[1:], strict=False))
    assert max(r.share for r in ranges) - min(r.share for r in ranges) < 1e-12


@pytest.mark.parametrize("count", [0, -1])
def test_a_table_without_partitions_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="at least 1 partition"):
        equal_ranges(count)


def test_text_number_and_binary_of_the_same_look_are_three_keys() -> None:
    assert len({position({"S": "1"}), position({"N": "1"}), position({"B": b"1"})}) == 3


@pytest.mark.parametrize("same", [("1", "1.0"), ("100", "1E2"), ("0", "-0"), ("0.10", "0.1")])
def test_numbers_of_equal_worth_share_a_position(same: tuple[str, str]) -> None:
    assert position({"N": same[0]}) == position({"N": same[1]})


def test_binary_keys_are_the_same_raw_or_in_base64() -> None:
    assert position({"B": b"abc"}) == position({"B": "YWJj"})


def test_positions_spread_evenly_over_four_partitions() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    counts = [0] * 4
    for n in range(20_000):
        counts[table.partition_of(key(f"key-{n}")).number] += 1
    assert max(counts) < 1.05 * min(counts)


def test_every_partition_is_found_by_the_positions_of_its_range() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    for partition in table.partitions:
        ends = (partition.key_range.start, partition.key_range.end - 1)
        assert [table.partition_at(place).number for place in ends] == [partition.number] * 2
        assert all(place in partition.key_range for place in ends)


@pytest.mark.parametrize(
    ("mode", "read", "write", "expected"),
    [
        ("PAY_PER_REQUEST", 0, 0, 4),
        ("PROVISIONED", 1, 1, 1),
        ("PROVISIONED", 3000, 1000, 1),
        ("PROVISIONED", 3001, 1, 2),
        ("PROVISIONED", 12_000, 4000, 4),
        ("PROVISIONED", 1, 40_000, 40),
    ],
)
def test_partitions_at_birth(mode: Any, read: int, write: int, expected: int) -> None:
    assert partitions_at_birth(mode, read_units=read, write_units=write) == expected


def test_a_meter_admits_while_positive_and_owes_what_it_overdraws() -> None:
    meter = Meter(1000)
    meter.charge(999, START)
    assert meter.admits(START)
    meter.charge(400, START)
    assert not meter.admits(START + MICROSECONDS - 1)
    assert meter.admits(START + MICROSECONDS)
    assert meter.level == 601


def test_a_meter_keeps_no_more_than_its_depth_however_long_it_rests() -> None:
    meter = Meter(5, depth=1500)
    meter.charge(1500, START)
    assert not meter.admits(START)
    meter.admits(START + 10 * MICROSECONDS)
    assert meter.level == 50
    meter.admits(START + 365 * 86_400 * MICROSECONDS)
    assert meter.level == 1500


def test_150_units_idle_for_300_seconds_carry_200_a_second_for_900() -> None:
    """AWS, "Burst and adaptive capacity": up to 300 seconds of unused capacity."""
    meter, seconds = Meter(150, depth=300 * 150), 0
    while meter.admits(START + seconds * MICROSECONDS):
        meter.charge(200, START + seconds * MICROSECONDS)
        seconds += 1
        assert seconds < 2000
    # The 45,000 units last 900 seconds at a net 50 a second, with one second's refill at the start and one overdraft.
    assert seconds == pytest.approx(900, abs=4)


def test_a_partition_takes_its_thousand_and_only_it_refuses() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    hot, cold = table.partitions[2], table.partitions[0]
    table.charge("write", hot, PARTITION_UNITS["write"], START)
    assert table.refusal("write", [hot], START) == Refusal("write", Limit.KEY_RANGE, "PAY_PER_REQUEST", ARN)
    assert table.refusal("write", [cold], START) is None
    assert table.refusal("read", [hot], START) is None
    assert table.refusal("write", [hot], START + MICROSECONDS) is None
    tallies = [hot.load[START // MICROSECONDS, "write"], cold.load.get((START // MICROSECONDS, "write"))]
    assert (tallies[0].admitted_units, tallies[0].refused_requests) == (1000, 1)
    assert tallies[1] is None


def test_a_request_on_several_partitions_is_refused_if_one_of_them_is_full() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table.charge("read", table.partitions[1], 3000, START)
    assert table.refusal("read", table.partitions, START) is not None
    refused = {p.number: p.load[START // MICROSECONDS, "read"].refused_requests for p in table.partitions if p.load}
    assert refused == {1: 1}


def test_a_provisioned_table_is_limited_as_a_whole_and_follows_a_change() -> None:
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=2000)
    table.charge("read", table.partitions[0], 300, START)
    refusal = table.refusal("read", [table.partitions[1]], START)
    assert refusal is not None
    assert (refusal.code, refusal.reason) == (
        "ProvisionedThroughputExceededException",
        "TableReadProvisionedThroughputExceeded",
    )
    assert "ThrottlingReasons" in refusal.as_error()
    table.provision("PAY_PER_REQUEST", now=START)
    assert table.refusal("read", [table.partitions[1]], START) is None
    assert len(table.partitions) == 4


def test_the_same_setting_again_does_not_refill_the_meters() -> None:
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=1)
    table.charge("write", table.partitions[0], 300, START)
    table.provision("PROVISIONED", read_units=1, write_units=1, now=START)
    assert table.refusal("write", table.partitions, START) is not None


@pytest.mark.parametrize("side", ["write", "read"])
def test_an_on_demand_refusal_reads_as_the_services(side: Any) -> None:
    body = Refusal(side, Limit.KEY_RANGE, "PAY_PER_REQUEST", ARN).as_error()
    assert body["__type"] == "com.amazonaws.dynamodb.v20120810#ThrottlingException"
    reason = {"reason": f"Table{side.capitalize()}KeyRangeThroughputExceeded", "resource": ARN}
    assert body["throttlingReasons"] == [reason]
    assert "ThrottlingReasons" not in body
