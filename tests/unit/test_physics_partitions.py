"""Partitions are born, split and isolated as AWS describes; what cannot be split stays whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest

from dynamolab.model import flow
from dynamolab.model.heat import Heat, Sample
from dynamolab.model.keyrange_view import look, look_at_all
from dynamolab.model.keyspace import SPACE, KeyRange, Place, place_of, sort_bytes
from dynamolab.model.meters import MICROSECONDS
from dynamolab.model.parameters import DEFAULTS, Parameters
from dynamolab.model.partitions import PartitionedTable, partitions_at_birth

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
START = 1_788_688_800 * MICROSECONDS
GB = 1024**3
MINUTE = 60
SIZE = 50  # units of one request: large ones keep the tests short


def place(pk: str, sk: str | None = None) -> Place:
    return place_of(({"S": pk},), () if sk is None else ({"S": sk},))


def write(
    table: PartitionedTable, seconds: Iterable[int], demand: Callable[[int], Mapping[Place, float]]
) -> dict[Place, float]:
    """Offer ``demand(second)`` units to each place in each second, in turn; return what was admitted."""
    took: dict[Place, float] = {}
    for second in seconds:
        asked = demand(second)
        waiting = [(n * SIZE / units, where) for where, units in asked.items() for n in range(int(units // SIZE))]
        for offset, where in sorted(waiting):
            now = START + second * MICROSECONDS + int(offset * MICROSECONDS)
            table.settle(now)
            partition = table.partition_at(where)
            if table.refusal("write", [partition], now) is None:
                table.charge("write", partition, SIZE, now, place=where)
                took[where] = took.get(where, 0.0) + SIZE
    return took


def steady(units: float, *places: Place) -> Callable[[int], Mapping[Place, float]]:
    return lambda second: dict.fromkeys(places, units)


def verdicts(table: PartitionedTable) -> set[Any]:
    return {event.cause for partition in table.partitions for event in partition.history}


def neighbours(table: PartitionedTable, count: int) -> list[Place]:
    """Keys that share the first partition, in the order of their places."""
    found = (place(f"key-{n}") for n in range(1000))
    return sorted([where for where in found if table.partition_at(where).number == 0][:count])


# --- births ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stored", "expected"), [(0, 1), (10 * GB, 1), (10 * GB + 1, 2), (78 * GB, 8)])
def test_a_table_is_born_with_a_partition_for_every_ten_gigabytes(stored: int, expected: int) -> None:
    assert partitions_at_birth("PROVISIONED", read_units=1, write_units=1, stored_bytes=stored) == expected


def test_partitions_split_in_two_when_raised_and_stay_when_lowered_atc22_section_4() -> None:
    """USENIX ATC 2022, section 4: 3,200 WCU on 4 partitions, 3,600, 6,000 on 8, then 5,000."""
    table = PartitionedTable(ARN, "PROVISIONED", write_units=3200, parameters=Parameters(adaptation="static"))
    seen, saved = [], []
    for units in (3200, 3600, 6000, 5000):
        table.provision("PROVISIONED", write_units=units, now=START)
        saved.append(sum(partition.parts["write"].level_at(START) for partition in table.partitions))
        seen.append((len(table.partitions), {partition.parts["write"].rate for partition in table.partitions}))
    assert seen == [(4, {800}), (4, {900}), (8, {750}), (8, {625})]
    assert {event.cause for partition in table.partitions[4:] for event in partition.history} == {"capacity"}
    assert saved == [300 * 3200] * 4  # A split gives nobody more of a burst than there was.


def test_ten_keys_on_four_partitions_carry_less_than_ten_thousand() -> None:
    """Ten shards are not ten partitions: on four they carry 1,000 x keys / the most in one, at first."""
    carried = []
    for group in range(40):
        table = PartitionedTable(ARN, "PAY_PER_REQUEST")
        keys = [place(f"{group}#{n}") for n in range(10)]
        most = max(sum(table.partition_at(key) is partition for key in keys) for partition in table.partitions)
        carried.append(1000 * 10 / most)
    assert sum(carried) / len(carried) == pytest.approx(2486, rel=0.1)
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    keys = [place(f"0#{n}") for n in range(10)]
    took = write(table, range(2), steady(1000, *keys))
    used = {table.partition_at(key).number for key in keys}
    assert sum(took.values()) == pytest.approx(2 * 1000 * len(used), abs=4 * SIZE)


# --- size -----------------------------------------------------------------------------------------------------------


def test_a_partition_is_split_when_it_holds_more_than_ten_gigabytes() -> None:
    table = PartitionedTable(
        ARN, "PROVISIONED", read_units=1, write_units=1, parameters=Parameters(partition_bytes=10_000)
    )
    for number in range(120):
        table.store(place(f"key-{number}"), 100, START + number)
    assert len(table.partitions) == 2
    assert [p.stored_bytes for p in table.partitions] == pytest.approx([6000, 6000], rel=0.25)
    assert sum(partition.stored_bytes for partition in table.partitions) == 12_000
    assert table.partitions[1].history[0].cause == "size"


def test_bytes_that_are_deleted_make_room() -> None:
    table = PartitionedTable(ARN, "PROVISIONED", write_units=1, parameters=Parameters(partition_bytes=10_000))
    for number in range(500):
        table.store(place(f"key-{number}"), 400, START + number)
        table.store(place(f"key-{number}"), -400, START + number)
    assert (len(table.partitions), table.partitions[0].stored_bytes) == (1, 0)


@pytest.mark.parametrize(("local_indexes", "expected"), [(False, 2), (True, 1)])
def test_an_item_collection_is_split_for_size_unless_it_has_a_local_index(local_indexes: bool, expected: int) -> None:
    table = PartitionedTable(
        ARN, "PROVISIONED", write_units=1, local_indexes=local_indexes, parameters=Parameters(partition_bytes=10_000)
    )
    first = place("one")[0]
    # The partition holds nothing but this collection.
    table.partitions[0].key_range = KeyRange(first, first + 1)
    for number in range(110):
        table.store(place("one", f"{number:03}"), 100, START + number)
    assert len(table.partitions) == expected
    if local_indexes:
        assert table.partitions[0].history[-1].cause == "one item collection under a local secondary index"
    else:
        assert 0 < table.partitions[1].stored_bytes < 11_000


def test_a_collection_under_a_local_index_is_full_at_ten_gigabytes() -> None:
    """AWS, "Local secondary indexes": 10 GB for a collection with its index entries; without one there is no limit."""
    full = []
    for local_indexes in (True, False):
        table = PartitionedTable(
            ARN,
            "PROVISIONED",
            write_units=1,
            local_indexes=local_indexes,
            parameters=Parameters(partition_bytes=10_000),
        )
        for number in range(100):
            table.store(place("one", f"{number:03}"), 100, START)
        full.append([table.collection_is_full(place("one")[0], more) for more in (0, 1)])
        assert not table.collection_is_full(place("two")[0], 1)
    assert full == [[False, True], [False, False]]


# --- heat -----------------------------------------------------------------------------------------------------------


def test_ten_hot_minutes_split_a_partition_and_splitting_helps() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    keys = neighbours(table, 4)
    before = write(table, range(9 * MINUTE + 50, 10 * MINUTE), steady(500, *keys))
    assert sum(before.values()) == pytest.approx(10 * 1000, abs=4 * SIZE)
    write(table, range(10 * MINUTE, 20 * MINUTE - 1), steady(500, *keys))
    assert len(table.partitions) == 4
    write(table, range(20 * MINUTE - 1, 20 * MINUTE), steady(500, *keys))
    after = write(table, range(20 * MINUTE, 20 * MINUTE + 10), steady(500, *keys))
    assert len(table.partitions) == 5
    assert sum(after.values()) == pytest.approx(10 * 2000, abs=4 * SIZE)
    assert sorted(table.partition_at(key).number for key in keys) == [0, 0, 4, 4]
    born = table.partitions[4].history[0]
    assert (born.kind, born.other, born.cause) == ("born", 0, "split at the observed load")
    assert born.at == START + 20 * MINUTE * MICROSECONDS
    # Both halves begin a window of their own, hot though they are.
    write(table, range(20 * MINUTE + 10, 29 * MINUTE), steady(500, *keys))
    assert len(table.partitions) == 5
    write(table, range(29 * MINUTE, 31 * MINUTE), steady(500, *keys))
    assert len(table.partitions) == 7


def test_a_partition_that_stayed_whole_for_one_key_is_thought_over_again_when_its_keys_are_others() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    keys = neighbours(table, 4)
    write(table, range(11 * MINUTE), steady(1_000, keys[0]))
    assert (len(table.partitions), verdicts(table)) == (4, {"created", "one item"})
    write(table, range(11 * MINUTE, 32 * MINUTE), steady(250, *keys))
    assert len(table.partitions) > 4


def test_a_partition_that_cools_for_a_minute_is_not_split() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    keys = neighbours(table, 4)
    for begin in (0, 10):
        write(table, range(begin * MINUTE, (begin + 9) * MINUTE), steady(500, *keys))
    table.settle(START + 60 * MINUTE * MICROSECONDS)
    assert len(table.partitions) == 4


def test_heat_older_than_the_window_is_forgotten() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    keys = neighbours(table, 4)
    write(table, range(9 * MINUTE), steady(500, *keys))
    year = 365 * 86_400
    assert look(table, keys[0], START + year * MICROSECONDS).sides["write"].window_units == 0
    write(table, range(year, year + MINUTE), steady(500, *keys))
    table.settle(START + (year + 2 * MINUTE) * MICROSECONDS)
    assert len(table.partitions) == 4


def test_the_window_is_the_running_slot_and_as_many_before_it_as_the_rule_says() -> None:
    heat = Heat(1_000, DEFAULTS)
    for number, units in enumerate((1.0, 2.0, 4.0)):
        heat.add(units, None)
        heat.close(number)
    heat.add(8.0, None)
    slots = DEFAULTS.heat_slots
    held = [heat.window_units(number) for number in (3, slots, slots + 1, slots + 2, slots + 3)]
    assert held == [15, 15, 14, 12, 8]


def test_a_sample_lies_half_a_gap_to_one_and_a_half_apart_and_one_gap_on_average() -> None:
    sample = Sample(100.0, 1_000)
    for number in range(50_000):
        sample.add(1.0, place(f"key-{number}"))
    chosen = {place(f"key-{number}"): number for number in range(50_000)}
    steps = np.diff([chosen[where] for where in sample.places])
    assert len(sample.places) == pytest.approx(500, rel=0.05)
    assert (steps.min(), steps.max()) == pytest.approx((50, 150), abs=2)
    assert abs(np.corrcoef(steps[:-1], steps[1:])[0, 1]) < 0.1
    assert len(np.unique(steps)) > 90


def test_a_stretch_asks_for_the_keys_of_a_partition_from_the_very_share_on_that_makes_it_hot() -> None:
    """Sums of many seconds end a digit below or above: just the share is hot all the same, a millionth less is not."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", now=START)
    hot = table.hot_units("write", 60 * MICROSECONDS) / 60
    asked = []

    def places(number: int) -> list[Place]:
        asked.append(number)
        return [place("a")]

    rows = np.tile(hot * np.array([1.0, 1 - 1e-6, 1 + 1e-6, 0.0]), (60, 1))
    flow.enter(table, "write", rows, places)
    assert asked == [0, 2]
    assert [partition.heat["write"].units for partition in table.partitions] == pytest.approx(rows.sum(axis=0))


def test_a_hot_item_among_others_is_isolated_and_gets_its_thousand() -> None:
    """AWS: a single hot item can be isolated; then it gets up to 1,000 WU/s, and never more."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    left, hot, right = neighbours(table, 3)
    cool = [left, right]
    demand = {hot: 1500, **dict.fromkeys(cool, 100)}
    early = write(table, range(MINUTE), lambda second: demand)
    assert sum(early.values()) == pytest.approx(60 * 1000, rel=0.01)
    write(table, range(MINUTE, 10 * MINUTE), lambda second: demand)
    late = write(table, range(10 * MINUTE, 11 * MINUTE), lambda second: demand)
    alone = table.partition_at(hot)
    assert [key for key in (left, hot, right) if table.partition_at(key) is alone] == [hot]
    assert "isolated a hot item" in {event.cause for event in alone.history}
    assert late[hot] == pytest.approx(60 * 1000, rel=0.01)
    assert [late[key] for key in cool] == [60 * 100, 60 * 100]


def test_one_hot_key_takes_a_thousand_writes_however_long_it_lasts() -> None:
    """AWS, "Designing partition keys": 1,000 WU/s for one partition; a single item is never split."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    hot = place("PEDIDOS#2026-09-06")
    took = write(table, range(25 * MINUTE), steady(2000, hot))
    assert took[hot] == pytest.approx(25 * MINUTE * 1000, rel=0.001)
    assert len(table.partitions) == 4
    assert verdicts(table) == {"created", "one item"}
    assert [event.kind for event in table.partition_at(hot).history] == ["born", "stayed"]


def test_a_collection_is_split_by_sort_key_where_the_traffic_is_spread() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    items = [place("TENANT#acme", f"{n:02}") for n in range(40)]
    write(table, range(10 * MINUTE), steady(100, *items))
    took = write(table, range(10 * MINUTE, 10 * MINUTE + 10), steady(100, *items))
    assert sum(took.values()) == pytest.approx(20_000, abs=10 * SIZE)
    parts = table.partitions_of_collection(items[0][0])
    assert len(parts) == 2
    assert table.partitions_between(items[0], items[-1]) == parts
    assert [table.partition_at(item) for item in (items[0], items[-1])] == parts


def test_a_collection_under_a_local_index_is_never_split() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", local_indexes=True)
    items = [place("TENANT#acme", f"{n:02}") for n in range(40)]
    took = write(table, range(25 * MINUTE), steady(50, *items))
    assert sum(took.values()) == pytest.approx(25 * MINUTE * 1000, rel=0.001)
    assert len(table.partitions_of_collection(items[0][0])) == 1
    assert "one item collection under a local secondary index" in verdicts(table)


def test_a_rising_sort_key_is_never_split() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")

    def rising(second: int) -> Mapping[Place, float]:
        return {place("sensor", f"{second:06}"): 2000}

    took = write(table, range(25 * MINUTE), rising)
    assert sum(took.values()) == pytest.approx(25 * MINUTE * 1000, rel=0.001)
    assert len(table.partitions) == 4
    assert verdicts(table) == {"created", "rising sort key"}


@pytest.mark.parametrize("began", [0, 7])
@pytest.mark.parametrize("a_second", [1, 2, 3, 5, 8, 13, 20])
def test_a_rising_sort_key_is_never_split_whatever_its_pace(a_second: int, began: int) -> None:
    """Some sampled item is always the hottest, also one of the newest slot: it too is left behind by what follows."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", parameters=Parameters(heat_split_seconds=60))
    for twentieth in range(20 * began, 20 * (began + 3 * MINUTE)):
        now = START + twentieth * MICROSECONDS // 20
        rising = place("sensor", f"{twentieth * a_second // 20:06}")
        table.settle(now)
        partition = table.partition_at(rising)
        if table.refusal("write", [partition], now) is None:
            table.charge("write", partition, SIZE, now, place=rising)
    assert verdicts(table) == {"created", "rising sort key"}


def test_a_rising_collection_among_others_is_isolated_as_a_whole() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    left, home, right = neighbours(table, 3)
    names = {place(f"key-{n}"): f"key-{n}" for n in range(1000)}

    def mixed(second: int) -> Mapping[Place, float]:
        return {place(names[home], f"{second:06}"): 1000, left: 100, right: 100}

    write(table, range(22 * MINUTE), mixed)
    assert len(table.partitions_of_collection(home[0])) == 1
    assert "isolated a hot item collection" in verdicts(table)
    assert "rising sort key" in verdicts(table)


def test_traffic_without_known_places_splits_nothing() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    for second in range(11 * MINUTE):
        table.charge("write", table.partitions[0], 1000, START + second * MICROSECONDS)
    assert verdicts(table) == {"created", "no observed keys"}


def test_regular_rotation_over_the_keys_is_sampled_fairly() -> None:
    """Ten keys in strict turn: a sketch that looked at every hundredth write would see a single one of them."""
    # 600 samples a minute are one for every 100 writes.
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", parameters=Parameters(heat_samples=600))
    keys = neighbours(table, 10)
    for n in range(10 * MINUTE * 1000):
        table.charge("write", table.partitions[0], 1, START + n * 1000, place=keys[n % 10])
    table.settle(START + 10 * MINUTE * MICROSECONDS)
    assert sorted(table.partition_at(key).number for key in keys) == [0] * 5 + [4] * 5


# --- places and views -----------------------------------------------------------------------------------------------


def test_sort_keys_sort_as_the_service_sorts_them() -> None:
    numbers = [
        "-1e125",
        "-123",
        "-12.5",
        "-12",
        "-1e-130",
        "0",
        "1e-130",
        "0.5",
        "1",
        "1.5",
        "2",
        "10",
        "12",
        "123",
        "9e125",
    ]
    coded = [sort_bytes({"N": number}) for number in numbers]
    assert coded == sorted(coded)
    assert len(set(coded)) == len(coded)
    texts = ["", "A", "B", "a", "aa", "é"]
    assert [sort_bytes({"S": text}) for text in texts] == sorted(sort_bytes({"S": text}) for text in texts)


def test_an_index_key_of_several_attributes_has_one_place() -> None:
    one = place_of(({"S": "a"}, {"S": "bc"}), ({"N": "1"}, {"S": "x"}))
    assert one == place_of(({"S": "a"}, {"S": "bc"}), ({"N": "1.0"}, {"S": "x"}))
    assert one[0] != place_of(({"S": "ab"}, {"S": "c"}))[0]
    pairs = [("1", "z"), ("2", ""), ("2", "a"), ("10", "a")]
    coded = [place_of(({"S": "a"},), ({"N": number}, {"S": text}))[1] for number, text in pairs]
    assert coded == sorted(coded)
    texts = [("a", "z"), ("a\0", "a"), ("ab", ""), ("ab", "a"), ("b", "")]
    coded = [place_of(({"S": "a"},), ({"S": one}, {"S": two}))[1] for one, two in texts]
    assert coded == sorted(coded)
    assert len(set(coded)) == len(coded)


def test_a_learner_sees_range_load_tokens_and_history_of_the_partition_of_a_key() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST", now=START)
    hot = place("hot")
    write(table, range(1), steady(400, hot))
    view = look(table, hot, START + 500_000)
    assert view.number == table.partition_at(hot).number
    assert hot in view.key_range
    assert view.share == 0.25
    side = view.sides["write"]
    assert (side.ceiling, side.tokens, side.admitted_units, side.admitted_requests) == (1000, 600, 400, 8)
    assert (side.part, side.window_units) == (None, 400)
    assert view.history == (
        f"born at second {START // MICROSECONDS} (created), "
        f"hashes {25 * view.number:.2f} % to {25 * view.number + 25:.2f} %",
    )
    assert [each.number for each in look_at_all(table, START + 500_000)] == [0, 1, 2, 3]


def test_history_tells_who_gave_keys_to_whom_and_why() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    left, hot, right = neighbours(table, 3)
    write(table, range(22 * MINUTE), lambda second: {hot: 1500, left: 100, right: 100})
    giver, alone = look(table, left, START + 22 * MINUTE * MICROSECONDS), look(table, hot, START)
    split = START // MICROSECONDS + 10 * MINUTE
    assert giver.history[0].startswith("born with the table (created), hashes 0.00 % to 25.00 %")
    assert giver.history[1].startswith(
        f"gave keys to partition 4 at second {split} (isolated a hot item), kept hashes 0.00 %"
    )
    assert alone.history == (
        alone.history[0],
        f"stayed whole at second {split + 10 * MINUTE} (one item)",
    )
    assert alone.history[0].startswith(f"born at second {split} from partition 0 (isolated a hot item), ")


def test_a_range_within_one_key_is_cut_between_sort_keys() -> None:
    whole = KeyRange(5, 6)
    left, right = whole.cut((5, b"m"))
    assert ((5, b"a") in left, (5, b"m") in left, (5, b"m") in right, (6, b"") in right) == (True, False, True, False)
    assert right.middle is None
    with pytest.raises(ValueError, match="does not cut"):
        left.cut((5, b"m"))
    assert KeyRange(0, SPACE).middle == (SPACE // 2, b"")
