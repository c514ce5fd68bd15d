"""Indexes: capacity of their own, a buffer, and back-pressure onto the table."""

from __future__ import annotations

import numpy as np
import pytest

from dynamolab.model import flow
from dynamolab.model.indexes import IndexedTable, PartitionedIndex, entry_writes
from dynamolab.model.keyspace import place_of
from dynamolab.model.meters import MICROSECONDS
from dynamolab.model.parameters import Parameters
from dynamolab.model.partitions import PartitionedTable
from dynamolab.model.sizes import item_size
from dynamolab.model.throttling import BillingMode, Refusal
from dynamolab.model.units import Index, TableKeys

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
INDEX = f"{ARN}/index/gsi-estado-fecha"
START = 1_788_688_800 * MICROSECONDS


def indexed(
    mode: BillingMode, units: int = 0, index_units: int = 0, parameters: Parameters | None = None
) -> IndexedTable:
    parameters = parameters or Parameters()
    table = PartitionedTable(ARN, mode, read_units=units, write_units=units, parameters=parameters)
    index = PartitionedIndex(INDEX, mode, read_units=index_units, write_units=index_units, parameters=parameters)
    return IndexedTable(table, {"gsi-estado-fecha": index})


def write(
    both: IndexedTable, n: int, now: int, units: float, index_units: float, value: str | None = None
) -> Refusal | None:
    """One write to the table; ``index_units`` is what its index entry costs, 0 if it has none."""
    both.settle(now)
    place = place_of(({"S": f"pedido-{n}"},))
    partition = both.table.partition_at(place)
    refusal = both.refusal("write", [partition], now)
    if refusal is None:
        both.table.charge("write", partition, units, now, place=place)
        if index_units:
            entry = place_of(({"S": value or f"estado-{n}"},), ({"S": str(n)},))
            both.absorb("gsi-estado-fecha", entry, index_units, now)
    return refusal


def seconds_of(
    both: IndexedTable, per_second: int, seconds: range, *, units: float, index_units: float, value: str | None = None
) -> list[int]:
    """Offer that many writes a second; return how many were admitted in each."""
    admitted = []
    for second in seconds:
        count = 0
        for n in range(per_second):
            now = START + second * MICROSECONDS + n * MICROSECONDS // per_second
            count += write(both, second * per_second + n, now, units, index_units, value) is None
        admitted.append(count)
    return admitted


def test_an_index_of_1_unit_stops_a_table_of_1000_within_minutes() -> None:
    """AWS's workshop: a table of 1,000/1,000 with an index of 1/1 is throttled after a few minutes."""
    both = indexed("PROVISIONED", 1000, 1)
    admitted = seconds_of(both, 20, range(600), units=1, index_units=1)
    onset = next(second for second, count in enumerate(admitted) if count < 20)
    assert 60 < onset < 5 * 60
    assert onset == pytest.approx((300 + 3000) / 19, abs=3)
    assert admitted[onset + 10 :] == [1] * (600 - onset - 10)
    assert both.table.refusal("write", both.table.partitions, START + 599 * MICROSECONDS) is None


def test_back_pressure_names_the_index_and_spares_the_tables_own_reason() -> None:
    both = indexed("PROVISIONED", 1000, 1)
    both.absorb("gsi-estado-fecha", place_of(({"S": "x"},)), 3300, START)
    refusal = write(both, 1, START, 1, 1)
    assert refusal is not None
    assert (refusal.code, refusal.reason, refusal.resource) == (
        "ProvisionedThroughputExceededException",
        "IndexWriteProvisionedThroughputExceeded",
        INDEX,
    )
    assert refusal.message.startswith("The level of configured provisioned throughput for one or more global secondary")
    assert both.pressures(START) == [refusal]


def test_back_pressure_stops_writes_that_miss_the_index_and_no_reads() -> None:
    both = indexed("PROVISIONED", 1000, 1)
    both.absorb("gsi-estado-fecha", place_of(({"S": "x"},)), 3300, START)
    assert write(both, 1, START, 1, 0) is not None
    assert both.refusal("read", both.table.partitions, START) is None


def test_the_buffer_hides_a_short_imbalance() -> None:
    both = indexed("PROVISIONED", 1000, 10)
    admitted = seconds_of(both, 100, range(30), units=1, index_units=1)
    assert admitted == [100] * 30
    index = both.indexes["gsi-estado-fecha"]
    assert index.owed(START + 29 * MICROSECONDS) == 0  # 3,000 by burst
    seconds_of(both, 100, range(30, 40), units=1, index_units=1)
    assert index.owed(START + 39 * MICROSECONDS) == pytest.approx(40 * 90 + 10 - 3000, abs=110)
    assert index.owed(START + 3600 * MICROSECONDS) == 0


def test_reads_of_an_index_never_throttle_the_table() -> None:
    both = indexed("PROVISIONED", 1000, 1)
    index = both.indexes["gsi-estado-fecha"]
    index.charge("read", index.partitions[0], 300, START)
    refusal = index.refusal("read", index.partitions, START)
    assert refusal is not None
    assert refusal.reason == "IndexReadProvisionedThroughputExceeded"
    assert both.refusal("read", both.table.partitions, START) is None
    assert write(both, 1, START, 1, 1) is None


def test_a_status_of_few_values_is_a_hot_index_key_that_stops_an_on_demand_table() -> None:
    both = indexed("PAY_PER_REQUEST")
    admitted = seconds_of(both, 60, range(20), units=50, index_units=50, value="pendiente")
    assert sum(admitted[:2]) * 50 > 4500  # the buffer
    assert [count * 50 for count in admitted[-10:]] == [1000] * 10
    refusal = write(both, 7, START + 19_999_999, 50, 50, "pendiente")
    assert refusal is not None
    assert (refusal.code, refusal.reason) == ("ThrottlingException", "IndexWriteKeyRangeThroughputExceeded")


def test_a_hot_index_key_is_isolated_but_never_gets_more() -> None:
    both = indexed("PAY_PER_REQUEST", parameters=Parameters(heat_split_seconds=60))
    index = both.indexes["gsi-estado-fecha"]
    for second in range(150):
        now = START + second * MICROSECONDS
        for turn in range(20):
            index.absorb(place_of(({"S": "pendiente"},)), 45, now)
            index.absorb(place_of(({"S": f"otro-{turn}"},)), 5, now)
    hot = index.partition_at(place_of(({"S": "pendiente"},)))
    assert hot.meters["write"].rate == 1000
    assert len(index.partitions) > 4


def test_a_maximum_on_the_index_stops_a_single_write_with_the_recorded_exception() -> None:
    both = indexed("PAY_PER_REQUEST")
    both.indexes["gsi-estado-fecha"].limit_on_demand(write_units=1)
    both.absorb("gsi-estado-fecha", place_of(({"S": "x"},)), 3001, START)
    refusal = write(both, 1, START, 1, 1)
    assert refusal is not None
    assert (refusal.reason, refusal.code) == (
        "IndexWriteMaxOnDemandThroughputExceeded",
        "ProvisionedThroughputExceededException",
    )


def test_a_raised_index_catches_up_and_lets_the_table_write_again() -> None:
    both = indexed("PROVISIONED", 1000, 1)
    seconds_of(both, 20, range(300), units=1, index_units=1)
    index = both.indexes["gsi-estado-fecha"]
    index.provision("PROVISIONED", read_units=1, write_units=100, now=START + 300 * MICROSECONDS)
    assert seconds_of(both, 20, range(301, 320), units=1, index_units=1) == [20] * 19


def test_the_incident_table_61_of_120_with_its_index_at_100_of_100() -> None:
    """Carts of 11 KB, eight a second, three in four moving their index entry: the index stops the table half way."""
    both = indexed("PROVISIONED", 120, 100, Parameters(burst_at_birth=0.0))
    table_units = index_units = 0.0
    refused = 0
    for second in range(900):
        for n in range(8):
            now = START + second * MICROSECONDS + n * 125_000
            cost = 11 if n % 4 == 3 else 22
            if write(both, n, now, 11, cost) is not None:
                refused += second >= 600
            elif second >= 600:
                table_units, index_units = table_units + 11, index_units + cost
    assert index_units / 300 == pytest.approx(100, abs=3)
    assert table_units / 300 == pytest.approx(61, abs=6)
    assert refused > 0


def test_an_entry_that_moves_is_deleted_in_one_place_and_put_in_another_and_its_bytes_move_with_it() -> None:
    keys, index = TableKeys("pk"), Index("gsi", "GSI", ("state",))
    old = {"pk": {"S": "a"}, "state": {"S": "open"}, "x": {"S": "x" * 2_000}}
    new = {**old, "state": {"S": "closed"}, "x": {"S": "x" * 1_000}}
    sizes = [item_size(old), item_size(new)]
    gone, come = entry_writes(old, new, index, keys)
    assert (gone.place, gone.units, gone.more_bytes) == (place_of(({"S": "open"},)), 2, -sizes[0])
    assert (come.place, come.units, come.more_bytes) == (place_of(({"S": "closed"},)), 1, sizes[1])
    [changed] = entry_writes(old, {**old, "x": {"S": "x"}}, index, keys)
    assert (changed.units, changed.more_bytes) == (2, -1_999)
    [made] = entry_writes(None, new, index, keys)
    assert (made.units, made.more_bytes) == (1, sizes[1])


@pytest.mark.parametrize("owing", ["a", "b", "c"])
def test_what_a_partition_of_one_of_several_indexes_owes_lasts_from_one_stretch_to_the_next(owing: str) -> None:
    names = ("a", "b", "c")
    pressure = flow.Pressure({name: PartitionedIndex(f"{ARN}/index/{name}", "PAY_PER_REQUEST") for name in names})
    charged = {name: np.zeros((1, 4)) for name in names}
    charged[owing][0, 2] = 1_500.0
    pressure.begin(START)
    (row,) = pressure.rows(charged)
    pressure.take(row, charged, START)
    pressure.end(START)
    pressure.begin(START + MICROSECONDS)
    held = {name: pressure._own[name].tolist() for name in names}
    assert held == {name: [0, 0, -500, 0] if name == owing else [0, 0, 0, 0] for name in names}
    ceiling = int(row.argmax())  # of that partition
    assert pressure._level[ceiling] == 1_000 - 500
