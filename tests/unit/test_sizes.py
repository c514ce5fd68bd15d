"""Item sizes and refused items.

Worked examples are named after the AWS Developer Guide page they stand on. "Measured" values were read off
the real service by public projects: the largest padding that still costs one write unit, the largest item
accepted.
"""

from __future__ import annotations

import base64
from typing import Any

import pytest

from dynamolab.model.sizes import (
    MAX_ITEM_BYTES,
    ItemError,
    attribute_sizes,
    canonical,
    check_index_key_value,
    check_key_value,
    check_size,
    check_values,
    item_size,
    number_size,
    page_size,
    value_size,
)
from dynamolab.model.units import write_units

INVALID = "One or more parameter values were invalid: "
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_PRECISE = "Attempting to store more than 38 significant digits in a Number"
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value: "

# --- numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 1),
        ("1", 2),
        ("5", 2),
        ("12", 2),
        ("100", 2),
        ("1200", 2),
        ("1000000", 2),
        ("0.5", 2),
        ("120", 3),
        ("123", 3),
        ("1234", 3),
        ("1.2", 3),
        ("12.3", 3),
        ("12.34", 3),
        ("-5", 3),
        ("-12", 3),
        ("3.14159", 5),
        ("123.4", 4),
        ("-123.4", 5),
        ("1e-130", 2),
        pytest.param("1234567890" * 3 + "12345678", 20, id="38 digits, a whole number"),
        pytest.param("1." + "1234567890" * 3 + "1234567", 21, id="38 digits, one before the point"),
        pytest.param("9." + "9" * 37 + "E125", 20, id="38 digits, the largest number"),
    ],
)
def test_a_number_takes_a_byte_per_pair_of_digits_counted_from_the_point_and_one_more(text: str, size: int) -> None:
    assert number_size(text) == size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0042", 2),
        ("1010", 3),
        ("0.0000001", 2),
        ("1E125", 2),
        ("1E-100", 2),
        ("1.5", 3),
        ("15", 2),
        ("1.200", 3),
        ("1.234", 4),
        ("123456", 4),
        ("100.5", 4),
        ("0.15", 2),
        ("-42", 3),
        ("-0", 1),
        ("00012.3400", 3),
        ("1E+125", 2),
        ("1E-130", 2),
    ],
)
def test_a_number_has_the_size_measured_on_the_service(text: str, size: int) -> None:
    assert number_size(text) == size


@pytest.mark.parametrize("spelling", ["-123.4", "-123.40", "-00123.4", "-1.234e2", "-1234E-1", "-.1234E+3"])
def test_the_spelling_of_a_number_does_not_change_its_size(spelling: str) -> None:
    assert number_size(spelling) == 5


@pytest.mark.parametrize("text", ["", "abc", "1.2.3", " 1", "1 ", "0x10", "1e", "NaN", "Infinity", "1_000", "٣", "."])
def test_a_text_that_is_no_number_has_no_size(text: str) -> None:
    with pytest.raises(ItemError) as raised:
        number_size(text)
    assert raised.value.message == NOT_A_NUMBER + text


# --- values and items ---------------------------------------------------------------------------------------

PK = {"pk": {"S": "a"}}


@pytest.mark.parametrize(
    ("item", "size"),
    [
        pytest.param(
            {"shirt-color": {"S": "R"}, "shirt-size": {"S": "M"}},
            23,
            id="the shirt of 'DynamoDB item sizes and formats'",
        ),
        pytest.param({"pk": {"S": "é"}}, 4, id="two bytes of UTF-8"),
        pytest.param({"pk": {"S": "日本"}}, 8, id="three bytes of UTF-8 each"),
        pytest.param({"pk": {"S": "😀"}}, 6, id="four bytes of UTF-8"),
        pytest.param({"é": {"S": "a"}}, 3, id="a name in UTF-8"),
        pytest.param({**PK, "n": {"N": "-123.4"}}, 9, id="a number"),
        pytest.param({**PK, "b": {"B": b"\x00\x01\x02"}}, 7, id="a raw binary"),
        pytest.param({**PK, "b": {"B": "AAEC"}}, 7, id="the same binary in base64"),
        pytest.param({**PK, "ok": {"BOOL": True}, "z": {"NULL": True}}, 8, id="a boolean and a null"),
        pytest.param({**PK, "l": {"L": []}}, 7, id="an empty list"),
        pytest.param({**PK, "m": {"M": {}}}, 7, id="an empty map"),
        pytest.param({**PK, "l": {"L": [{"N": "1"}, {"S": "xy"}]}}, 13, id="a list"),
        pytest.param({**PK, "m": {"M": {"k": {"S": "v"}}}}, 10, id="a map"),
        pytest.param({**PK, "m": {"M": {"in": {"M": {"x": {"N": "7"}}}}}}, 17, id="a map in a map"),
        pytest.param({**PK, "ss": {"SS": ["red", "green"]}}, 13, id="a string set"),
        pytest.param({**PK, "ns": {"NS": ["1", "22", "-3"]}}, 12, id="a number set"),
        pytest.param({**PK, "s": {"S": ""}}, 4, id="an empty string"),
        pytest.param({}, 0, id="no attributes"),
    ],
)
def test_an_item_counts_its_names_and_values(item: dict[str, Any], size: int) -> None:
    assert item_size(item) == size


MEASURED_VALUES = [
    pytest.param({"N": "0"}, 1, id="zero"),
    pytest.param({"N": "1"}, 2, id="one"),
    pytest.param({"N": "-1"}, 3, id="minus one"),
    pytest.param({"N": "12"}, 2, id="two digits"),
    pytest.param({"N": "-12"}, 3, id="two digits, negative"),
    pytest.param({"N": "123"}, 3, id="three digits"),
    pytest.param({"N": "1234"}, 3, id="four digits"),
    pytest.param({"N": "00012.3400"}, 3, id="zeros at both ends"),
    pytest.param({"N": "12345678901234567890123456789012345678"}, 20, id="38 digits"),
    pytest.param({"S": "é☃"}, 5, id="UTF-8"),
    pytest.param({"B": "AAECAwQFBgcICQ=="}, 10, id="binary"),
    pytest.param({"BOOL": False}, 1, id="boolean"),
    pytest.param({"NULL": True}, 1, id="null"),
    pytest.param({"NS": ["1", "-12", "0.0100"]}, 7, id="number set"),
    pytest.param({"SS": ["é", "three"]}, 7, id="string set"),
    pytest.param({"BS": ["AAE=", "AgME"]}, 5, id="binary set"),
    pytest.param({"L": []}, 3, id="empty list"),
    pytest.param({"M": {}}, 3, id="empty map"),
    pytest.param({"L": [{"N": "1"}, {"S": "é"}, {"NULL": True}]}, 11, id="list"),
    pytest.param({"M": {"n": {"N": "-1"}, "b": {"BOOL": True}}}, 11, id="map"),
]


@pytest.mark.parametrize(("value", "size"), MEASURED_VALUES)
def test_a_value_has_the_size_measured_on_the_service(value: dict[str, Any], size: int) -> None:
    assert value_size(value) == size


@pytest.mark.parametrize(("value", "size"), MEASURED_VALUES)
def test_the_second_write_unit_starts_at_the_padding_measured_on_the_service(value: dict[str, Any], size: int) -> None:
    def padded(padding: int) -> dict[str, Any]:
        return {"pk": {"S": "000001"}, "v": value, "padding": {"S": "x" * padding}}

    last_of_one_unit = 1008 - size
    assert item_size(padded(last_of_one_unit)) == 1024
    assert write_units(item_size(padded(last_of_one_unit))) == 1
    assert write_units(item_size(padded(last_of_one_unit + 1))) == 2


@pytest.mark.parametrize("raw", [b"", b"a", b"ab", b"abc", b"abcd", bytes(range(256))])
def test_a_binary_counts_raw_bytes_however_it_is_held(raw: bytes) -> None:
    text = base64.b64encode(raw).decode()
    assert value_size({"B": raw}) == value_size({"B": text}) == len(raw)
    assert value_size({"BS": [raw]}) == value_size({"BS": [text]}) == len(raw)


def test_attribute_sizes_tell_names_and_values_apart_in_the_order_of_the_item() -> None:
    item = {"shirt-size": {"S": "M"}, "é": {"N": "-123.4"}, "pk": {"S": "日本"}}
    assert list(attribute_sizes(item).items()) == [("shirt-size", (10, 1)), ("é", (2, 5)), ("pk", (2, 6))]


@pytest.mark.parametrize("value", [{}, {"X": "a"}, {"s": "a"}])
def test_a_value_without_a_known_type_has_no_size(value: dict[str, Any]) -> None:
    with pytest.raises(ItemError, match="^Supplied AttributeValue is empty, must contain exactly one of"):
        value_size(value)


def test_a_value_of_two_types_has_no_size() -> None:
    with pytest.raises(ItemError, match="^Supplied AttributeValue has more than one datatypes set, must"):
        value_size({"S": "a", "N": "1"})


def test_a_lone_surrogate_is_counted_and_does_not_raise() -> None:
    assert value_size({"S": "a\ud800"}) == 2


# --- equality -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"N": "1"}, {"N": "1.0"}),
        ({"N": "100"}, {"N": "1e2"}),
        ({"N": "0"}, {"N": "-0e5"}),
        ({"NS": ["1", "2"]}, {"NS": ["2.0", "1"]}),
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}),
        ({"B": b"ab"}, {"B": "YWI="}),
        ({"BS": [b"a", b"b"]}, {"BS": ["Yg==", "YQ=="]}),
        ({"L": [{"N": "1"}]}, {"L": [{"N": "1.0"}]}),
        ({"M": {"a": {"N": "1"}, "b": {"S": "x"}}}, {"M": {"b": {"S": "x"}, "a": {"N": "1.0"}}}),
    ],
)
def test_two_spellings_of_one_value_are_equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"N": "1"}, {"N": "-1"}),
        ({"N": "1"}, {"N": "10"}),
        ({"N": "1"}, {"S": "1"}),
        ({"SS": ["a"]}, {"S": "a"}),
        ({"SS": ["YQ=="]}, {"BS": ["YQ=="]}),
        ({"L": [{"S": "a"}, {"S": "b"}]}, {"L": [{"S": "b"}, {"S": "a"}]}),
        ({"BOOL": True}, {"BOOL": False}),
        ({"BOOL": True}, {"NULL": True}),
        ({"M": {"a": {"N": "1"}}}, {"M": {"b": {"N": "1"}}}),
    ],
)
def test_two_different_values_are_not_equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert canonical(one) != canonical(other)


# --- what is refused: "Constraints in Amazon DynamoDB" ------------------------------------------------------


def test_an_item_of_exactly_400_kb_is_accepted() -> None:
    assert MAX_ITEM_BYTES == 400 * 1024
    assert check_size(MAX_ITEM_BYTES) is None
    assert check_size(MAX_ITEM_BYTES, update=True) is None


def test_an_item_of_one_byte_more_is_refused_in_the_words_of_a_put_or_an_update() -> None:
    assert check_size(MAX_ITEM_BYTES + 1) == "Item size has exceeded the maximum allowed size"
    message = check_size(MAX_ITEM_BYTES + 1, update=True)
    assert message == "Item size to update has exceeded the maximum allowed size"


def test_entries_of_local_indexes_share_the_400_kb() -> None:
    assert check_size(MAX_ITEM_BYTES - 10, local_index_bytes=10) is None
    assert check_size(MAX_ITEM_BYTES - 10, local_index_bytes=11) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1e126", OVERFLOW),
        ("-1e126", OVERFLOW),
        ("10e125", OVERFLOW),
        ("1e2147483648", OVERFLOW),
        ("1e99999999999", OVERFLOW),
        ("0e126", OVERFLOW),
        ("1e-131", UNDERFLOW),
        ("-0.1e-130", UNDERFLOW),
        ("1e-99999999999", UNDERFLOW),
        ("0e-131", UNDERFLOW),
        ("1" * 39, TOO_PRECISE),
        ("0." + "1" * 39, TOO_PRECISE),
        ("1" * 38 + ".5", TOO_PRECISE),
        ("1e9223372036854775808", NOT_A_NUMBER + "1e9223372036854775808"),
        ("1e" + "9" * 5000, NOT_A_NUMBER + "1e" + "9" * 5000),
        ("", NOT_A_NUMBER),
        ("abc", NOT_A_NUMBER + "abc"),
    ],
    ids=lambda text: text[:24],
)
def test_a_number_out_of_range_is_refused_wherever_it_stands(text: str, message: str) -> None:
    number = {"N": text}
    for value in (number, {"L": [number]}, {"M": {"k": {"L": [number]}}}, {"NS": ["1", text]}):
        assert check_values({"pk": {"S": "a"}, "v": value}) == message


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-0",
        "0e125",
        "0e-130",
        "000",
        "0" * 200,
        "1" * 38,
        "1" * 38 + "000",
        "1E-130",
        "9." + "9" * 37 + "E+125",
        "+7",
        ".5",
        "5.",
    ],
)
def test_a_number_in_range_is_accepted(text: str) -> None:
    assert check_values({"v": {"N": text}, "s": {"NS": [text]}}) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"SS": []}, "An string set  may not be empty"),
        ({"NS": []}, "An number set  may not be empty"),
        ({"BS": []}, "Binary sets should not be empty"),
        ({"SS": ["b", "a", "b"]}, 'Input collection ["a", "b", "b"] contains duplicates.'),
        ({"SS": ["a", "a", "c", "b"]}, 'Input collection ["a", "a", "c", "b"] contains duplicates.'),
        ({"SS": ["", ""]}, 'Input collection ["", ""] contains duplicates.'),
        ({"NS": ["2", "1", "2.0"]}, "Input collection contains duplicates."),
        (
            {"BS": ["/w==", "AA==", "AA=="]},
            'Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.',
        ),
        ({"BS": [b"a", b"a"]}, 'Input collection ["YQ==","YQ=="]of type BS contains duplicates.'),
        ({"NULL": False}, "Null attribute value types must have the value of true"),
    ],
    ids=str,
)
def test_a_bad_set_or_null_is_refused_wherever_it_stands(value: dict[str, Any], message: str) -> None:
    for nested in (value, {"L": [value]}, {"M": {"k": value}}):
        assert check_values({"pk": {"S": "a"}, "v": nested}) == INVALID + message


def test_a_value_without_a_type_is_refused_inside_a_document() -> None:
    message = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
    assert check_values({"v": {"L": [{}]}}) == message


def test_ordinary_values_are_accepted() -> None:
    item = {
        "pk": {"S": "a"},
        "empty": {"S": ""},
        "nothing": {"B": b""},
        "n": {"N": "12.5"},
        "ss": {"SS": ["", "a"]},
        "ns": {"NS": ["1", "-1"]},
        "bs": {"BS": ["", "YQ=="]},
        "doc": {"M": {"l": {"L": [{"BOOL": False}, {"NULL": True}, {"M": {}}]}}},
    }
    assert check_values(item) is None


@pytest.mark.parametrize("wrap", [lambda v: {"M": {"n": v}}, lambda v: {"L": [v]}], ids=["maps", "lists"])
def test_a_value_may_stand_inside_31_documents_and_not_inside_32(wrap: Any) -> None:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(31):
        value = wrap(value)
    assert check_values({"v": value}) is None
    message = check_values({"v": wrap(value)})
    assert message is not None
    assert message.startswith("Nesting Levels have exceeded supported limits")


def test_an_item_nested_too_deeply_for_recursion_is_refused_without_an_error() -> None:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(20_000):
        value = {"L": [value]}
    assert check_values({"v": value}) is not None


@pytest.mark.parametrize(
    ("value", "length"),
    [
        ({"S": "x" * 2049}, 2049),
        ({"S": "é" * 1025}, 2050),
        ({"B": b"x" * 2049}, 2049),
        ({"B": base64.b64encode(b"x" * 2049).decode()}, 2049),
    ],
    ids=["string", "UTF-8", "raw", "base64"],
)
def test_a_partition_key_over_2048_bytes_is_refused(value: dict[str, Any], length: int) -> None:
    assert value_size(value) == length
    assert check_key_value("pk", value) == f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"
    assert check_index_key_value("by-g", "g", value) == check_key_value("pk", value)


def test_a_sort_key_over_1024_bytes_is_refused() -> None:
    message = f"{INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    assert check_key_value("sk", {"S": "x" * 1025}, sort_key=True) == message
    assert check_index_key_value("by-g", "g", {"B": b"x" * 1025}, sort_key=True) == message


@pytest.mark.parametrize(
    ("value", "sort_key"),
    [
        ({"S": "x" * 2048}, False),
        ({"B": base64.b64encode(b"x" * 2048).decode()}, False),
        ({"S": "x" * 1024}, True),
        ({"B": b"x" * 1024}, True),
        ({"N": "9" * 38}, True),
        ({"S": "a"}, False),
    ],
    ids=["partition", "base64 partition", "sort", "raw sort", "number", "one byte"],
)
def test_a_key_within_its_limit_is_accepted(value: dict[str, Any], sort_key: bool) -> None:
    assert check_key_value("k", value, sort_key=sort_key) is None
    assert check_index_key_value("by-k", "k", value, sort_key=sort_key) is None


@pytest.mark.parametrize(
    ("value", "noun"), [({"S": ""}, "string"), ({"B": b""}, "binary"), ({"B": ""}, "binary")], ids=str
)
def test_an_empty_key_is_refused_and_named(value: dict[str, Any], noun: str) -> None:
    reason = f"The AttributeValue for a key attribute cannot contain an empty {noun} value."
    unsupported = "A value specified for a secondary index key is not supported."
    refused = "One or more parameter values are not valid."
    assert check_key_value("pk", value) == f"{refused} {reason} Key: pk"
    message = check_index_key_value("by-g", "g", value, sort_key=True)
    assert message == f"{refused} {unsupported} {reason} IndexName: by-g, IndexKey: g"


@pytest.mark.parametrize(
    ("item", "sort_key", "size"),
    [
        # 2 bytes an item; 1 for the name, 5 + 1 for the text and its mark; 18 for the started 3 KB.
        ({"pk": {"S": "abcde"}}, None, 2 + 1 + 5 + 1 + 18),
        # The sort key counts once in each started 3 KB, and nowhere else.
        ({"pk": {"S": "abcde"}, "sk": {"S": "0042"}}, "sk", 2 + 1 + 5 + 1 + 18 + 4),
        ({"pk": {"S": "abcde"}, "sk": {"S": "0042"}, "t": {"S": "x" * 6_200}}, "sk", 2 + 7 + 6_203 + 3 * (18 + 4)),
        # A text's mark takes 1, 2 or 3 bytes.
        ({"t": {"S": "x" * 127}}, None, 2 + 1 + 127 + 1 + 18),
        ({"t": {"S": "x" * 128}}, None, 2 + 1 + 128 + 2 + 18),
        ({"t": {"S": "x" * 16_383}}, None, 2 + 1 + 16_383 + 2 + 6 * 18),
        ({"t": {"S": "x" * 16_384}}, None, 2 + 1 + 16_384 + 3 + 6 * 18),
        # A third of 3 KB begins with the byte after the last of the one before.
        ({"t": {"S": "x" * 3_067}}, None, 2 + 1 + 3_067 + 2 + 18),
        ({"t": {"S": "x" * 3_068}}, None, 2 + 1 + 3_068 + 2 + 2 * 18),
        ({"n": {"NULL": True}}, None, 2 + 1 + 0 + 18),
        ({"b": {"BOOL": True}}, None, 2 + 1 + 1 + 18),
        ({"s": {"SS": ["ab", "c"]}}, None, 2 + 1 + 3 + 1 + 2 + 18),
        ({"l": {"L": [{"S": "ab"}, {"BOOL": True}]}}, None, 2 + 1 + 3 + (1 + 3) + (1 + 1) + 18),
        ({"m": {"M": {"key": {"S": "ab"}}}}, None, 2 + 1 + 3 + 1 + (1 + 3) + 18),
    ],
)
def test_an_item_counts_towards_a_page_by_its_marks_and_started_3_kilobytes(
    item: dict[str, Any], sort_key: str | None, size: int
) -> None:
    assert page_size(item, sort_key) == size
