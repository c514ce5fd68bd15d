"""Laws that hold for every item, not only for the worked examples."""

from __future__ import annotations

import base64
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.model.sizes import (
    MAX_NUMBER_DIGITS,
    attribute_sizes,
    canonical,
    check_values,
    item_size,
    number_size,
    value_size,
)
from dynamolab.model.units import (
    Consumed,
    Index,
    TableKeys,
    as_responses,
    batch_get_item,
    batch_write_item,
    combined,
    failed_condition,
    get_item,
    index_entry,
    index_write_units,
    query_page,
    read_units,
    replayed_transaction,
    scan_page,
    transact_write_items,
    write_item,
    write_units,
)

Attributes = dict[str, Any]

# Derandomised: the same examples on every machine, and no database of failures left behind.
law = settings(derandomize=True, deadline=None, max_examples=200)

CONSISTENCIES = st.sampled_from(["eventual", "strong", "transactional"])
SIZES = st.one_of(st.integers(0, 12_000), st.integers(0, 409_600))

DIGITS = st.integers(-(10**MAX_NUMBER_DIGITS) + 1, 10**MAX_NUMBER_DIGITS - 1)
NUMBERS = st.one_of(
    st.builds(lambda digits, power: Decimal(f"{digits}E{power}"), st.integers(-9999, 9999), st.integers(-8, 8)),
    st.builds(lambda digits, power: Decimal(f"{digits}E{power}"), DIGITS, st.integers(-130, 125 - 37)),
)


def spellings(number: Decimal) -> list[str]:
    """The number in plain digits and in scientific notation, with and without superfluous zeros."""
    plain = format(number, "f")
    sign, bare = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    padded = f"{sign}00{bare}00" if "." in bare else f"{sign}00{bare}.000"
    return [plain, padded, format(number, "e"), str(number)]


NUMBER_TEXTS = NUMBERS.flatmap(lambda number: st.sampled_from(spellings(number)))
SCALARS = st.one_of(
    st.builds(lambda text: {"S": text}, st.text(max_size=40)),
    st.builds(lambda text: {"N": text}, NUMBER_TEXTS),
    st.builds(lambda raw: {"B": raw}, st.binary(max_size=40)),
    st.builds(lambda flag: {"BOOL": flag}, st.booleans()),
    st.just({"NULL": True}),
    st.builds(lambda members: {"SS": members}, st.lists(st.text(max_size=8), min_size=1, max_size=4, unique=True)),
    st.builds(lambda members: {"BS": members}, st.lists(st.binary(max_size=8), min_size=1, max_size=4, unique=True)),
    st.builds(
        lambda members: {"NS": [str(member) for member in members]},
        st.lists(st.integers(-9999, 9999), min_size=1, max_size=4, unique=True),
    ),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda elements: {"L": elements}, st.lists(inner, max_size=4)),
        st.builds(lambda elements: {"M": elements}, st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    ),
    max_leaves=8,
)
ITEMS = st.dictionaries(st.text(min_size=1, max_size=10), VALUES, min_size=1, max_size=6)

KEYS = TableKeys("pk")
INDEXES = [
    Index("global-keys", "GSI", ("g",), projection="KEYS_ONLY"),
    Index("global-include", "GSI", ("g",), ("l",), projection="INCLUDE", included=("p",)),
    Index("global-all", "GSI", ("l",)),
    Index("local-keys", "LSI", ("pk",), ("l",), projection="KEYS_ONLY"),
    Index("local-all", "LSI", ("pk",), ("g",)),
]


def stored(**others: st.SearchStrategy[Any]) -> st.SearchStrategy[Attributes]:
    """Items of one key that are in some of the indexes, with values that often repeat and sizes over 1 KB."""
    short = st.sampled_from([{"S": "A"}, {"S": "B"}, {"N": "1"}, {"N": "1.0"}])
    long = st.integers(0, 6000).map(lambda length: {"S": "x" * length})
    optional = {
        "g": short,
        "l": short,
        "p": st.one_of(short, long),
        "other": st.one_of(short, long),
        **others,
    }
    return st.fixed_dictionaries({"pk": st.just({"S": "a"})}, optional=optional)


IMAGES = st.tuples(st.one_of(st.none(), stored()), st.one_of(st.none(), stored()))


# --- sizes --------------------------------------------------------------------------------------------------


def size_by_hand(number: Decimal) -> int:
    """A number's size from its base-100 digits aligned on the point, written out with whole numbers only."""
    if not number:
        return 1
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    # A shift by an even power of ten keeps the pairs where they are.
    shifted = int("".join(map(str, digits))) * 10 ** (exponent + 400)
    while shifted % 100 == 0:
        shifted //= 100
    pairs = 0
    while shifted:
        shifted //= 100
        pairs += 1
    return 1 + pairs + sign


@law
@given(NUMBERS)
def test_a_number_has_a_byte_per_base_100_digit_however_it_is_spelled(number: Decimal) -> None:
    assert {number_size(text) for text in spellings(number)} == {size_by_hand(number)}


@law
@given(DIGITS, st.integers(-130, 125 - 37))
def test_no_number_in_range_takes_more_than_22_bytes_or_is_refused(digits: int, power: int) -> None:
    text = f"{digits}E{power}"
    assert 1 <= number_size(text) <= 22
    assert check_values({"n": {"N": text}}) is None


@law
@given(ITEMS)
def test_an_item_is_the_sum_of_its_attributes(item: Attributes) -> None:
    assert item_size(item) == sum(name + value for name, value in attribute_sizes(item).values())


@law
@given(ITEMS, st.text(min_size=1, max_size=12), VALUES)
def test_adding_an_attribute_adds_its_name_and_value_and_never_shrinks(
    item: Attributes, name: str, value: Attributes
) -> None:
    smaller = {other: kept for other, kept in item.items() if other != name}
    grown = item_size({**smaller, name: value})
    assert grown == item_size(smaller) + len(name.encode()) + value_size(value)
    assert grown > item_size(smaller)


@law
@given(st.lists(VALUES, max_size=4), VALUES)
def test_an_element_adds_one_byte_to_its_own(elements: list[Attributes], more: Attributes) -> None:
    assert value_size({"L": [*elements, more]}) == value_size({"L": elements}) + 1 + value_size(more)


@law
@given(st.binary(max_size=200))
def test_a_binary_has_one_size_and_one_value_raw_and_in_base64(raw: bytes) -> None:
    text = base64.b64encode(raw).decode()
    assert value_size({"B": raw}) == value_size({"B": text})
    assert canonical({"B": raw}) == canonical({"B": text})


@law
@given(ITEMS)
def test_items_of_ordinary_values_are_accepted(item: Attributes) -> None:
    assert check_values(item) is None


# --- units --------------------------------------------------------------------------------------------------


@law
@given(SIZES, SIZES, CONSISTENCIES)
def test_units_never_fall_as_an_item_grows(one: int, other: int, consistency: Any) -> None:
    small, large = sorted((one, other))
    assert write_units(small) <= write_units(large)
    assert read_units(small, consistency=consistency) <= read_units(large, consistency=consistency)


@law
@given(SIZES)
def test_units_are_the_fewest_that_cover_the_size(size: int) -> None:
    assert (write_units(size) - 1) * 1024 < max(size, 1) <= write_units(size) * 1024
    strong = read_units(size, consistency="strong")
    assert (strong - 1) * 4096 < max(size, 1) <= strong * 4096


@law
@given(st.lists(st.one_of(st.none(), stored()), max_size=6), CONSISTENCIES)
def test_a_batch_get_is_the_sum_of_its_singles(items: list[Attributes | None], consistency: Any) -> None:
    singles = [get_item(item, consistency=consistency) for item in items]
    assert batch_get_item(items, consistency=consistency).total == sum(single.total for single in singles)


@law
@given(st.lists(IMAGES, max_size=6))
def test_a_batch_write_is_the_sum_of_its_singles_on_the_table_and_on_every_index(writes: list[Any]) -> None:
    batch = batch_write_item(writes, KEYS, INDEXES)
    singles = [write_item(before, after, KEYS, INDEXES) for before, after in writes]
    assert batch.table == sum(single.table for single in singles)
    for kind in ("global_indexes", "local_indexes"):
        charged: Attributes = {}
        for single in singles:
            for name, units in getattr(single, kind).items():
                charged[name] = charged.get(name, 0) + units
        assert getattr(batch, kind) == charged


@law
@given(st.lists(IMAGES, min_size=1, max_size=6))
def test_a_transaction_is_twice_its_table_part_and_once_its_indexes(writes: list[Any]) -> None:
    alone, together = batch_write_item(writes, KEYS, INDEXES), transact_write_items(writes, (), KEYS, INDEXES)
    assert together.table == 2 * alone.table
    assert together.global_indexes == alone.global_indexes
    assert together.local_indexes == alone.local_indexes


@law
@given(st.lists(IMAGES, min_size=1, max_size=6))
def test_a_replay_is_never_dearer_than_the_transaction_and_touches_no_index(writes: list[Any]) -> None:
    replay = replayed_transaction(writes)
    assert replay.total == replay.table <= transact_write_items(writes).table


@law
@given(st.lists(IMAGES, max_size=4), st.booleans())
def test_indexes_sums_to_total_in_the_response(writes: list[Any], transactional: bool) -> None:
    consumed = {"orders": batch_write_item(writes, KEYS, INDEXES)}
    (total,) = as_responses(consumed, "TOTAL", transactional=transactional)
    (detailed,) = as_responses(consumed, "INDEXES", transactional=transactional)
    parts = [detailed["Table"]]
    for member in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
        parts += detailed.get(member, {}).values()
    names = ["CapacityUnits", "WriteCapacityUnits"] if transactional else ["CapacityUnits"]
    for name in names:
        assert total[name] == detailed[name] == sum(part[name] for part in parts)
    assert all(part["CapacityUnits"] > 0 for part in parts[1:])


@law
@given(IMAGES)
def test_a_write_and_its_reverse_cost_the_same(images: Any) -> None:
    before, after = images
    assert write_item(before, after, KEYS, INDEXES) == write_item(after, before, KEYS, INDEXES)


@law
@given(stored())
def test_writing_an_item_over_itself_costs_no_index_anything(item: Attributes) -> None:
    respelled = {name: {"N": "1.00"} if value == {"N": "1"} else value for name, value in item.items()}
    consumed = write_item(item, respelled, KEYS, INDEXES)
    assert consumed == Consumed("write", write_units(max(item_size(item), item_size(respelled))))


@law
@given(IMAGES)
def test_moving_an_entry_costs_its_removal_and_its_insertion_and_nothing_costs_more(images: Any) -> None:
    before, after = images
    for index in INDEXES:
        apart = index_write_units(before, None, index, KEYS) + index_write_units(None, after, index, KEYS)
        assert index_write_units(before, after, index, KEYS) <= apart


@law
@given(stored(), st.sampled_from(INDEXES))
def test_an_entry_is_no_larger_than_its_item_and_is_its_own_entry(item: Attributes, index: Index) -> None:
    entry = index_entry(item, index, KEYS)
    if entry is None:
        assert not set(index.key_names) <= item.keys()
    else:
        assert item_size(entry) <= item_size(item)
        assert index_entry(entry, index, KEYS) == entry


@law
@given(IMAGES)
def test_a_failed_condition_costs_what_the_write_would_have_cost_the_table(images: Any) -> None:
    existing, attempted = images
    assert failed_condition(existing, attempted) == Consumed("write", write_item(existing, attempted).table)


@law
@given(st.lists(st.integers(1, 9000), min_size=1, max_size=30), st.integers(0, 30), CONSISTENCIES)
def test_a_page_is_never_dearer_than_its_items_and_never_cheaper_than_their_bytes(
    sizes: list[int], cut: int, consistency: Any
) -> None:
    page = query_page(sizes, consistency=consistency).total
    assert read_units(sum(sizes), consistency=consistency) == page
    assert page <= sum(read_units(size, consistency=consistency) for size in sizes)
    parts = [query_page(part, consistency=consistency) for part in (sizes[:cut], sizes[cut:])]
    assert page <= combined(parts, "read").total
    assert scan_page([sizes[:cut], sizes[cut:]], consistency=consistency) == combined(parts, "read")
