"""Units of every operation.

Worked examples are named after the AWS Developer Guide page they stand on. "Measured" values come from public
recordings of the real service's answers.
"""

from __future__ import annotations

from typing import Any

import pytest

from dynamolab.model.sizes import item_size
from dynamolab.model.units import (
    Consumed,
    Index,
    TableKeys,
    as_responses,
    batch_get_item,
    batch_write_item,
    cancelled_action,
    check_keys,
    combined,
    condition_check,
    failed_condition,
    fetches_from_table,
    get_item,
    index_entry,
    index_write_units,
    projected_names,
    query_page,
    read_units,
    replayed_transaction,
    replicated_write_units,
    scan_page,
    transact_write_items,
    transactional,
    write_item,
    write_units,
)

KB = 1024
Attributes = dict[str, Any]


def item_of(size: int, name: str = "v", **others: Attributes) -> Attributes:
    """An item of exactly ``size`` bytes with partition key ``pk``, filled up with the attribute ``name``."""
    item: Attributes = {"pk": {"S": "a"}, **others, name: {"S": ""}}
    item[name] = {"S": "x" * (size - item_size(item))}
    assert item_size(item) == size
    return item


# --- units of a size ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "write", "strong", "eventual"),
    [
        (0, 1, 1, 0.5),
        (1, 1, 1, 0.5),
        (1024, 1, 1, 0.5),
        (1025, 2, 1, 0.5),
        (2049, 3, 1, 0.5),
        (4096, 4, 1, 0.5),
        (4097, 5, 2, 1.0),
        (409_600, 400, 100, 50.0),
    ],
)
def test_read_write_operations_rounds_writes_up_to_1_kb_and_reads_up_to_4_kb(
    size: int, write: int, strong: float, eventual: float
) -> None:
    assert write_units(size) == write
    assert read_units(size, consistency="strong") == strong
    assert read_units(size, consistency="eventual") == read_units(size) == eventual
    assert read_units(size, consistency="transactional") == 2 * strong


# --- reads --------------------------------------------------------------------------------------------------


def test_read_write_operations_charges_a_get_of_10_kb_as_12_kb() -> None:
    item = item_of(10 * KB)
    assert get_item(item, consistency="strong") == Consumed("read", 3.0)
    assert get_item(item) == Consumed("read", 1.5)


def test_a_get_of_a_missing_item_costs_the_minimum() -> None:
    assert get_item(None).total == 0.5
    assert get_item(None, consistency="strong").total == 1.0
    assert get_item(None, consistency="transactional").total == 2.0


def test_a_get_of_a_350_kb_item_costs_the_88_units_measured() -> None:
    assert get_item(item_of(350 * KB), consistency="strong").total == 88.0


def test_read_write_operations_rounds_each_item_of_a_batch_get_by_itself() -> None:
    items = [item_of(1536), item_of(6656)]
    assert batch_get_item(items, consistency="strong").total == 3.0
    assert batch_get_item(items).total == 1.5


def test_a_missing_item_in_a_batch_get_costs_the_minimum_as_measured() -> None:
    items = [item_of(500), item_of(500), None]
    assert batch_get_item(items).total == 1.5
    assert batch_get_item(items, consistency="strong").total == 3.0


def test_a_batch_get_of_nothing_consumes_nothing() -> None:
    assert batch_get_item([]).total == 0


@pytest.mark.parametrize("items", [[item_of(500)] * 3, [item_of(20), item_of(20), None]], ids=["500 B", "missing"])
def test_transaction_apis_charges_three_small_transactional_gets_6_units(
    items: list[Attributes | None],
) -> None:
    assert batch_get_item(items, consistency="transactional").total == 6.0


@pytest.mark.parametrize(
    ("sizes", "strong"),
    [
        pytest.param([4178] * 9 + [4177], 11.0, id="read-write-operations: 10 items, 40.8 KB, as 44 KB"),
        pytest.param([64] * 1500, 24.0, id="read-write-operations: 1,500 items of 64 B, 93.75 KB, as 96 KB"),
        pytest.param([4096] * 256, 256.0, id="a full page of 1 MB"),
        pytest.param([], 1.0, id="nothing found"),
        pytest.param([1023, 1024, 1025, 4095, 4096, 4097], 4.0, id="measured: six items, 15,360 B"),
        pytest.param([1023, 1024], 1.0, id="measured: the first page of two"),
        pytest.param([1025, 4095], 2.0, id="measured: the second page of two"),
        pytest.param([4096, 4097], 3.0, id="measured: the third page of two"),
        pytest.param([1500, 1500], 1.0, id="measured: two items of 1,500 B"),
    ],
)
def test_a_page_of_query_sums_sizes_and_rounds_once(sizes: list[int], strong: float) -> None:
    assert query_page(sizes, consistency="strong") == Consumed("read", strong)
    assert query_page(sizes).total == strong / 2


BY_G = Index("by-g", "GSI", ("g",), projection="KEYS_ONLY")
BY_L = Index("by-l", "LSI", ("pk",), ("l",), projection="INCLUDE", included=("flag",))
KEYS = TableKeys("pk", "sk")


def test_using_global_secondary_indexes_charges_eight_2000_byte_entries_2_units_to_the_index() -> None:
    consumed = query_page([2000] * 8, index=BY_G)
    assert consumed == Consumed("read", global_indexes={"by-g": 2.0})
    assert consumed.charged_to_table == 0


@pytest.mark.parametrize("consistency", ["strong", "transactional"])
def test_a_global_index_is_read_eventually_or_not_at_all(consistency: Any) -> None:
    with pytest.raises(ValueError, match="by-g is a global secondary index"):
        query_page([100], consistency=consistency, index=BY_G)


def test_local_secondary_indexes_charges_projected_attributes_by_the_size_of_the_entries() -> None:
    strong = query_page([200] * 4, consistency="strong", index=BY_L)
    assert strong == Consumed("read", local_indexes={"by-l": 1.0})
    assert strong.charged_to_table == 1.0
    assert query_page([200] * 4, index=BY_L).total == 0.5


def test_local_secondary_indexes_adds_every_whole_item_fetched_rounded_by_itself() -> None:
    strong = query_page([200] * 4, consistency="strong", index=BY_L, fetched_sizes=[300] * 4)
    assert strong == Consumed("read", 4.0, local_indexes={"by-l": 1.0})
    assert strong.total == strong.charged_to_table == 5.0
    assert query_page([200] * 4, index=BY_L, fetched_sizes=[300] * 4).total == 2.5


def test_fetching_six_items_through_a_local_index_is_split_as_measured() -> None:
    sizes = [1023, 1024, 1025, 4095, 4096, 4097]
    strong = query_page([60] * 6, consistency="strong", index=BY_L, fetched_sizes=sizes)
    assert strong == Consumed("read", 7.0, local_indexes={"by-l": 1.0})
    assert query_page([60] * 6, index=BY_L, fetched_sizes=sizes) == Consumed("read", 3.5, {}, {"by-l": 0.5})


@pytest.mark.parametrize("index", [None, BY_G])
def test_only_a_local_index_fetches(index: Index | None) -> None:
    with pytest.raises(ValueError, match="only a local secondary index fetches"):
        query_page([100], index=index, fetched_sizes=[100])


def test_a_scan_pays_the_minimum_for_each_empty_partition() -> None:
    assert scan_page([[], [], [], []]).total == 2.0
    assert scan_page([[], [], [], []], index=BY_G) == Consumed("read", global_indexes={"by-g": 2.0})


def test_a_scan_of_a_new_on_demand_table_is_charged_as_measured() -> None:
    full = [1023, 1024, 1025, 4095, 4096, 4097, 1500, 1500]
    assert scan_page([full, [], [], []], consistency="strong").total == 8.0
    assert scan_page([full, [], [], []]).total == 4.0
    last_page = scan_page([[], [], [], []], consistency="strong")
    assert last_page.total == 4.0


def test_a_scan_of_one_partition_costs_what_a_query_would() -> None:
    assert scan_page([[500, 700]], consistency="strong") == query_page([500, 700], consistency="strong")


# --- writes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        pytest.param(4097, 64, 5, id="measured: put, large replaced by small"),
        pytest.param(None, 3 * KB, 3, id="put, new"),
        pytest.param(4096, 64, 4, id="measured: update, shrink"),
        pytest.param(1024, 1025, 2, id="measured: update, grow"),
        pytest.param(1025, 1025, 2, id="measured: update, nothing changed"),
        pytest.param(None, 20, 1, id="measured: update, small item created"),
        pytest.param(350 * KB, 350 * KB + 6, 351, id="measured: update, a few bytes of 350 KB"),
        pytest.param(1025, None, 2, id="measured: delete"),
        pytest.param(None, None, 1, id="measured: delete, missing"),
    ],
)
def test_a_write_is_charged_the_larger_of_both_images(before: int | None, after: int | None, units: int) -> None:
    images = [None if size is None else item_of(size) for size in (before, after)]
    assert write_item(images[0], images[1]) == Consumed("write", units)


@pytest.mark.parametrize(
    ("sizes", "units"),
    [
        pytest.param([(None, 500), (None, 3584)], 5.0, id="read-write-operations: 500 B and 3.5 KB"),
        pytest.param([(None, 20), (None, 1025), (None, None)], 4.0, id="measured: small, 1,025 B, missing delete"),
    ],
)
def test_each_member_of_a_batch_write_is_rounded_by_itself(
    sizes: list[tuple[int | None, int | None]], units: float
) -> None:
    writes = [tuple(None if size is None else item_of(size) for size in pair) for pair in sizes]
    assert batch_write_item(writes).total == units


@pytest.mark.parametrize("attempted", [None, item_of(20), item_of(5 * KB)], ids=["delete", "small put", "put"])
def test_a_failed_condition_on_a_5_kb_item_costs_the_5_units_measured(attempted: Attributes | None) -> None:
    assert failed_condition(item_of(5 * KB), attempted) == Consumed("write", 5)


def test_read_write_operations_charges_a_failed_condition_the_larger_of_existing_and_attempted_item() -> None:
    assert failed_condition(item_of(300 * KB), item_of(310 * KB)).total == 310


def test_a_failed_condition_on_no_item_costs_the_minimum() -> None:
    assert failed_condition(None).total == 1


@pytest.mark.parametrize(("size", "units"), [(512, 1), (9216, 9)])
def test_a_duplicate_partiql_insert_is_charged_on_the_existing_item_as_measured(size: int, units: int) -> None:
    assert failed_condition(item_of(size)).total == units
    assert cancelled_action(item_of(size)).total == 2 * units


# --- transactions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "writes",
    [
        pytest.param([(None, item_of(1025)), (None, None)], id="measured: put of 1,025 B and missing delete"),
        pytest.param([(None, item_of(500))] * 3, id="transaction-apis: three writes of 500 B"),
    ],
)
def test_a_transaction_costs_two_units_per_kb(writes: list[Any]) -> None:
    assert transact_write_items(writes) == Consumed("write", 6)


def test_a_condition_check_costs_as_a_write_of_its_item() -> None:
    assert condition_check(item_of(500)) == Consumed("write", 2)
    assert condition_check(None) == Consumed("write", 2)
    assert transact_write_items([], [item_of(500)]) == condition_check(item_of(500))


MIXED = [
    (item_of(8193), item_of(4095)),
    (item_of(4097), item_of(100)),
    (item_of(8193), None),
]
CHECKED = item_of(4097)


def test_a_mixed_transaction_costs_the_56_units_measured_and_its_replay_20_read_units() -> None:
    assert transact_write_items(MIXED, [CHECKED]) == Consumed("write", 56)
    assert replayed_transaction([*MIXED, (CHECKED, CHECKED)]) == Consumed("read", 20.0)


@pytest.mark.parametrize(("size", "first", "again"), [(4096, 8, 2.0), (4097, 10, 4.0)])
def test_each_kind_of_action_and_its_replay_cost_what_was_measured(size: int, first: int, again: float) -> None:
    item, small = item_of(size), item_of(100)
    for images in ((None, item), (item, small), (item, None)):
        assert transact_write_items([images]).total == first
        assert replayed_transaction([images]).total == again
    assert condition_check(item).total == first
    assert replayed_transaction([(item, item)]).total == again


def test_the_replay_of_a_6_unit_transaction_costs_the_4_read_units_measured() -> None:
    assert replayed_transaction([(None, item_of(1025)), (None, None)]) == Consumed("read", 4.0)


def test_a_cancelled_transaction_with_a_condition_on_5_kb_costs_the_10_units_measured() -> None:
    assert cancelled_action(item_of(5 * KB)) == Consumed("write", 10)
    assert cancelled_action(None) == Consumed("write", 2)


# --- indexes ------------------------------------------------------------------------------------------------


def test_an_entry_holds_table_keys_index_keys_and_included_attributes() -> None:
    item = {name: {"S": name} for name in ("other", "flag", "l", "sk", "g", "pk")}
    assert index_entry(item, BY_G, KEYS) == {name: {"S": name} for name in ("pk", "sk", "g")}
    assert index_entry(item, BY_L, KEYS) == {name: {"S": name} for name in ("pk", "sk", "l", "flag")}
    assert index_entry(item, Index("all", "GSI", ("g",)), KEYS) == item


def test_an_item_that_lacks_an_index_key_is_not_in_the_index() -> None:
    assert index_entry({"pk": {"S": "a"}}, BY_G, TableKeys("pk")) is None
    assert index_entry(None, BY_G, TableKeys("pk")) is None


@pytest.mark.parametrize("missing", ["country", "city", "year", "month"])
def test_an_item_that_lacks_one_of_several_key_attributes_is_not_in_the_index(missing: str) -> None:
    index = Index("by-place", "GSI", ("country", "city"), ("year", "month"))
    item = {name: {"S": "x"} for name in ("pk", "country", "city", "year", "month")}
    assert index_entry(item, index, TableKeys("pk")) == item
    sparse = {name: value for name, value in item.items() if name != missing}
    assert index_entry(sparse, index, TableKeys("pk")) is None
    assert write_item(None, sparse, TableKeys("pk"), [index]) == Consumed("write", 1)


def test_an_entry_may_lack_an_included_attribute() -> None:
    item = {"pk": {"S": "a"}, "sk": {"S": "1"}, "l": {"S": "x"}}
    assert index_entry(item, BY_L, KEYS) == item


def test_included_names_count_only_with_the_projection_include() -> None:
    index = Index("by-g", "GSI", ("g",), projection="KEYS_ONLY", included=("flag",))
    assert projected_names(index, KEYS) == {"pk", "sk", "g"}
    assert projected_names(Index("all", "GSI", ("g",)), KEYS) is None


@pytest.mark.parametrize(
    ("requested", "fetches"),
    [
        (["pk", "l"], False),
        (["flag"], False),
        (["payload"], True),
        (["pk", "payload"], True),
        (None, True),
        ([], False),
    ],
    ids=str,
)
def test_attributes_that_the_index_does_not_hold_are_fetched(requested: list[str] | None, fetches: bool) -> None:
    assert fetches_from_table(BY_L, KEYS, requested) is fetches
    assert fetches_from_table(Index("all", "LSI", ("pk",), ("l",)), KEYS, requested) is False


A = {"pk": {"S": "a"}, "g": {"S": "A"}, "flag": {"N": "1"}, "other": {"S": "x"}}
PK = TableKeys("pk")


def without(item: Attributes, *names: str) -> Attributes:
    return {name: value for name, value in item.items() if name not in names}


@pytest.mark.parametrize(
    ("before", "after", "index_units"),
    [
        pytest.param(None, A, 1, id="item inserted with the key"),
        pytest.param(without(A, "g"), A, 1, id="key set for the first time"),
        pytest.param(A, {**A, "g": {"S": "B"}}, 2, id="key changed from A to B"),
        pytest.param(A, without(A, "g"), 1, id="key removed"),
        pytest.param(A, None, 1, id="item deleted"),
        pytest.param(None, without(A, "g"), 0, id="sparse: never in the index"),
        pytest.param(without(A, "g"), {**without(A, "g"), "other": {"S": "y"}}, 0, id="sparse: not before, not after"),
        pytest.param(None, None, 0, id="missing item deleted"),
        pytest.param(A, {**A, "other": {"S": "y"}}, 0, id="only an unprojected attribute changed"),
        pytest.param(A, {**A, "flag": {"N": "2"}}, 1, id="a projected attribute changed"),
        pytest.param(A, without(A, "flag"), 1, id="a projected attribute removed"),
        pytest.param(without(A, "flag"), A, 1, id="a projected attribute added"),
        pytest.param(A, dict(A), 0, id="nothing changed"),
        pytest.param(A, {**A, "flag": {"N": "1.0"}}, 0, id="a number spelled differently"),
    ],
)
@pytest.mark.parametrize("kind", ["GSI", "LSI"])
def test_using_global_and_local_secondary_indexes_charges_what_the_index_has_to_write(
    kind: Any, before: Attributes | None, after: Attributes | None, index_units: int
) -> None:
    index = Index("by-g", kind, ("g",), projection="INCLUDE", included=("flag",))
    assert index_write_units(before, after, index, PK) == index_units
    consumed = write_item(before, after, PK, [index])
    assert consumed.total == 1 + index_units
    assert consumed.charged_to_table == (1 if kind == "GSI" else consumed.total)
    charged = {"by-g": index_units} if index_units else {}
    assert (consumed.global_indexes if kind == "GSI" else consumed.local_indexes) == charged


def test_a_change_of_an_unprojected_attribute_of_5_kb_costs_5_units_and_none_on_the_index() -> None:
    before = item_of(5 * KB, g={"S": "A"}, n={"N": "1"})
    after = {**before, "n": {"N": "2"}}
    assert write_item(before, after, PK, [BY_G]) == Consumed("write", 5)


def test_a_projected_change_of_a_4_kb_item_costs_4_units_on_an_index_of_all_attributes() -> None:
    before = item_of(4 * KB, g={"S": "A"}, n={"N": "1"})
    after = {**before, "n": {"N": "2"}}
    indexes = [Index("all", "GSI", ("g",)), Index("n", "GSI", ("g",), projection="INCLUDE", included=("n",))]
    assert write_item(before, after, PK, indexes).global_indexes == {"all": 4, "n": 1}


def test_using_global_secondary_indexes_adds_the_writes_of_every_index() -> None:
    indexes = [Index("all", "GSI", ("g",)), BY_G]
    consumed = write_item(None, item_of(1536, g={"S": "A"}), PK, indexes)
    assert consumed == Consumed("write", 2, {"all": 2, "by-g": 1})
    assert consumed.total == 5


def test_indexes_without_the_tables_keys_are_refused() -> None:
    with pytest.raises(ValueError, match="pass table_keys"):
        write_item(None, A, None, [BY_G])


LADDER = [
    Index(f"{kind.lower()}-{name}", kind, *keys, projection=projection, included=included)
    for kind, keys in (("LSI", (("pk",), ("x",))), ("GSI", (("x",), ())))
    for name, projection, included in (
        ("keys", "KEYS_ONLY", ()),
        ("include", "INCLUDE", ("p",)),
        ("all", "ALL", ()),
    )
]


def rung(p: int, x: str | None = "A", q: str = "q") -> Attributes:
    """An item whose INCLUDE entry has 24 + p bytes, as in the recording that these numbers are from."""
    item: Attributes = {"pk": {"S": "scalar00"}, "sk": {"S": "0"}, "p": {"S": "a" * p}, "q": {"S": q * 500}}
    return item if x is None else {**item, "x": {"S": x}}


SMALL, LARGE = rung(1008), rung(2033, x="B")


@pytest.mark.parametrize(
    ("before", "after", "table", "keys", "include", "everything"),
    [
        pytest.param(None, SMALL, 2, 1, 1, 2, id="insert"),
        pytest.param(SMALL, SMALL, 2, 0, 0, 0, id="identical overwrite"),
        pytest.param(SMALL, rung(1008, q="r"), 2, 0, 0, 2, id="unprojected change"),
        pytest.param(SMALL, LARGE, 3, 2, 4, 5, id="key moved, item grown"),
        pytest.param(LARGE, SMALL, 3, 2, 4, 5, id="key moved, item shrunk"),
        pytest.param(SMALL, rung(1008, x=None), 2, 1, 1, 2, id="leaves the index"),
        pytest.param(rung(1008, x=None), SMALL, 2, 1, 1, 2, id="enters the index"),
        pytest.param(SMALL, None, 2, 1, 1, 2, id="delete"),
        pytest.param(None, None, 1, 0, 0, 0, id="missing delete"),
    ],
)
def test_six_indexes_are_charged_as_measured_alone_in_a_batch_and_in_a_transaction(
    before: Attributes | None, after: Attributes | None, table: int, keys: int, include: int, everything: int
) -> None:
    charged = {"keys": keys, "include": include, "all": everything}
    local = {f"lsi-{name}": float(units) for name, units in charged.items() if units}
    global_ = {f"gsi-{name}": float(units) for name, units in charged.items() if units}
    assert write_item(before, after, KEYS, LADDER) == Consumed("write", table, global_, local)
    assert batch_write_item([(before, after)], KEYS, LADDER) == Consumed("write", table, global_, local)
    in_transaction = transact_write_items([(before, after)], (), KEYS, LADDER)
    assert in_transaction == Consumed("write", 2 * table, global_, local)


def test_the_recorded_items_have_the_recorded_sizes() -> None:
    assert item_size(SMALL) == 1525
    assert [item_size(index_entry(SMALL, index, KEYS) or {}) for index in LADDER] == [15, 1024, 1525] * 2
    assert [item_size(index_entry(LARGE, index, KEYS) or {}) for index in LADDER] == [15, 2049, 2550] * 2


# --- keys ---------------------------------------------------------------------------------------------------


def test_keys_within_their_limits_pass_and_absent_ones_are_not_looked_at() -> None:
    assert check_keys({"pk": {"S": "x" * 2048}, "sk": {"S": "x" * 1024}, "g": {"N": "1"}}, KEYS, [BY_G, BY_L]) is None
    assert check_keys({"pk": {"S": "a"}}, KEYS, [BY_G, BY_L]) is None


@pytest.mark.parametrize(
    ("item", "end"),
    [
        ({"pk": {"S": ""}}, "Key: pk"),
        ({"pk": {"S": "a"}, "sk": {"B": b""}}, "Key: sk"),
        ({"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": ""}}, "IndexName: by-g, IndexKey: g"),
        ({"pk": {"S": "a"}, "sk": {"S": "1"}, "l": {"S": ""}}, "IndexName: by-l, IndexKey: l"),
        ({"pk": {"S": "x" * 2049}}, "limit of2048 bytes"),
        ({"pk": {"S": "a"}, "sk": {"S": "x" * 1025}}, "limit of 1024 bytes"),
        ({"g": {"S": "x" * 2049}}, "limit of2048 bytes"),
        ({"l": {"S": "x" * 1025}}, "limit of 1024 bytes"),
    ],
    ids=[
        "empty",
        "empty sort",
        "empty index",
        "empty index sort",
        "long",
        "long sort",
        "long index",
        "long index sort",
    ],
)
def test_the_first_bad_key_of_table_or_index_is_named(item: Attributes, end: str) -> None:
    message = check_keys(item, KEYS, [BY_G, BY_L])
    assert message is not None
    assert message.endswith(end)


# --- global tables ------------------------------------------------------------------------------------------


def test_billing_for_global_tables_counts_replicated_units_and_ordinary_ones_for_an_index() -> None:
    items = [{"pk": {"S": f"{number:03}"}, "g": {"S": "A"}, "v": {"S": "x" * 1016}} for number in range(200)]
    assert {item_size(item) for item in items} == {KB}
    consumed = batch_write_item([(None, item) for item in items], PK, [Index("by-g", "GSI", ("g",))])
    assert replicated_write_units(consumed, regions=2) == (400, 400)


# --- Consumed -----------------------------------------------------------------------------------------------

EVERYWHERE = Consumed("write", 2, {"by-g": 1.0}, {"by-l": 3.0})


def test_total_is_the_table_and_all_indexes_and_the_table_pays_for_local_ones() -> None:
    assert EVERYWHERE.total == 6
    assert EVERYWHERE.charged_to_table == 5


def test_consumed_adds_up_part_by_part() -> None:
    other = Consumed("write", 1, {"by-g": 1.0, "new": 2.0})
    assert EVERYWHERE + other == Consumed("write", 3, {"by-g": 2.0, "new": 2.0}, {"by-l": 3.0})
    assert combined([EVERYWHERE, other], "write") == EVERYWHERE + other
    assert combined([], "read") == Consumed("read")


def test_reads_and_writes_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="write units and read units do not add up"):
        EVERYWHERE + Consumed("read", 1)


def test_a_transaction_doubles_the_table_and_no_index() -> None:
    assert transactional(EVERYWHERE) == Consumed("write", 4, {"by-g": 1.0}, {"by-l": 3.0})


def test_total_says_the_table_and_the_units_only() -> None:
    response = EVERYWHERE.as_response("orders")
    assert response == {"TableName": "orders", "CapacityUnits": 6.0}
    assert isinstance(response["CapacityUnits"], float)


def test_indexes_says_the_table_and_each_index_that_was_charged() -> None:
    assert EVERYWHERE.as_response("orders", "INDEXES") == {
        "TableName": "orders",
        "CapacityUnits": 6.0,
        "Table": {"CapacityUnits": 2.0},
        "LocalSecondaryIndexes": {"by-l": {"CapacityUnits": 3.0}},
        "GlobalSecondaryIndexes": {"by-g": {"CapacityUnits": 1.0}},
    }


def test_indexes_leaves_out_a_kind_of_index_that_was_not_charged() -> None:
    assert write_item(None, without(A, "g"), PK, [BY_G]).as_response("orders", "INDEXES") == {
        "TableName": "orders",
        "CapacityUnits": 1.0,
        "Table": {"CapacityUnits": 1.0},
    }


def test_a_query_of_a_global_index_shows_a_table_of_zero_as_measured() -> None:
    assert query_page([100], index=BY_G).as_response("orders", "INDEXES") == {
        "TableName": "orders",
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"by-g": {"CapacityUnits": 0.5}},
    }


def test_a_transaction_names_its_side_beside_every_number_as_measured() -> None:
    consumed = transact_write_items([(None, A)], (), PK, [BY_G])
    assert consumed.as_response("orders", "INDEXES", transactional=True) == {
        "TableName": "orders",
        "CapacityUnits": 3.0,
        "WriteCapacityUnits": 3.0,
        "Table": {"CapacityUnits": 2.0, "WriteCapacityUnits": 2.0},
        "GlobalSecondaryIndexes": {"by-g": {"CapacityUnits": 1.0, "WriteCapacityUnits": 1.0}},
    }


def test_transactional_reads_and_replays_name_read_units() -> None:
    for consumed in (
        batch_get_item([None], consistency="transactional"),
        replayed_transaction([(None, None)]),
    ):
        assert consumed.as_response("orders", transactional=True) == {
            "TableName": "orders",
            "CapacityUnits": 2.0,
            "ReadCapacityUnits": 2.0,
        }


def test_batches_and_transactions_answer_one_entry_per_table_in_order() -> None:
    consumed = {"b": Consumed("read", 1.0), "a": Consumed("read", 0.5)}
    assert as_responses(consumed, "INDEXES") == [
        {"TableName": "b", "CapacityUnits": 1.0, "Table": {"CapacityUnits": 1.0}},
        {"TableName": "a", "CapacityUnits": 0.5, "Table": {"CapacityUnits": 0.5}},
    ]
    assert as_responses(consumed, transactional=True)[1]["ReadCapacityUnits"] == 0.5


def test_the_name_that_the_caller_gave_is_echoed() -> None:
    arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/orders"
    assert EVERYWHERE.as_response(arn)["TableName"] == arn
