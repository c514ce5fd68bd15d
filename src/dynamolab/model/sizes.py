"""How many bytes DynamoDB counts for a value and for an item, and which items it refuses.

Sizes follow the AWS Developer Guide page "DynamoDB item sizes and formats", limits its page "Constraints in
Amazon DynamoDB". Items are in DynamoDB's own JSON, ``{"pk": {"S": "a"}, "n": {"N": "-123.4"}}``. A binary
value may be raw bytes (what a boto3 client holds) or base64 text (what travels on the wire and what moto
stores); the raw length counts in both.

The ``check_*`` functions answer with the service's own message, or None where the service accepts.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

AttributeValue: TypeAlias = Mapping[str, Any]
"""One value in DynamoDB JSON: exactly one type tag and its content, ``{"S": "x"}``."""

Item: TypeAlias = Mapping[str, AttributeValue]
"""An item in DynamoDB JSON: attribute name to :data:`AttributeValue`."""

PAGE_BYTES = 1_048_576
"""1 MB: a page of Query or Scan ends with the item that reaches it ("Paginating table query results")."""

MAX_ITEM_BYTES = 409_600
"""400 KB, attribute names included."""

MAX_PARTITION_KEY_BYTES = 2048
MAX_SORT_KEY_BYTES = 1024

MAX_NESTING_LEVELS = 32
"""A top-level attribute is level 1, so a string may stand inside at most 31 lists and maps."""

MAX_NUMBER_DIGITS = 38
MAX_NUMBER_MAGNITUDE = 125
"""Largest power of ten of a number's first digit: 9.99...E+125."""
MIN_NUMBER_MAGNITUDE = -130

VALIDATION_ENVELOPE = "1 validation error detected: "
"""What PutItem, UpdateItem and DeleteItem put before a message about a number or about a set's duplicates."""

# Source of these three: "DynamoDB item sizes and formats".
_FLAG_BYTES = 1  # a boolean or a null
_DOCUMENT_BYTES = 3  # a list or a map, even an empty one
_ELEMENT_BYTES = 1  # each element of a list or map, beside the element itself

_ONE_TYPE = "must contain exactly one of the supported datatypes"
_NO_TYPE = f"Supplied AttributeValue is empty, {_ONE_TYPE}"
_MANY_TYPES = f"Supplied AttributeValue has more than one datatypes set, {_ONE_TYPE}"
_NOT_A_NUMBER = "The parameter cannot be converted to a numeric value: "
_OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
_UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
_TOO_PRECISE = "Attempting to store more than 38 significant digits in a Number"
_TOO_DEEP = (
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)
_INVALID = "One or more parameter values were invalid: "
_NOT_VALID = "One or more parameter values are not valid. "

_Member = TypeVar("_Member", str, bytes)


class ItemError(ValueError):
    """A value without a size, because the service would refuse it; ``message`` is the service's own text."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# --- sizes --------------------------------------------------------------------------------------------------


def item_size(item: Mapping[str, Any]) -> int:
    """Bytes that DynamoDB counts for the item: every attribute's name and value, names in UTF-8.

    No attributes are 0 bytes. Raises :class:`ItemError` for a value without exactly one known type tag and
    for a number that is none. On untrusted items run :func:`check_values` first: it bounds the depth of this
    recursion. Source: "DynamoDB item sizes and formats".
    """
    total = 0
    for name, value in item.items():
        total += (len(name) if name.isascii() else _text_size(name)) + value_size(value)
    return total


def attribute_sizes(item: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Bytes of each attribute of the item, (name, value), in the item's order; together they are its size."""
    return {name: (_text_size(name), value_size(value)) for name, value in item.items()}


def value_size(value: AttributeValue) -> int:
    """Bytes of one value, without the name of its attribute; errors as in :func:`item_size`.

    Strings count in UTF-8, binaries raw, booleans and nulls 1, numbers as :func:`number_size`; a list or map
    costs 3, plus 1 per element, plus the elements and a map's key names; a set is the sum of its members.
    """
    # The body of _typed, written out: every attribute of every live request passes here.
    try:
        ((kind, content),) = value.items()
        measure = _MEASURES[kind]
    except (KeyError, ValueError):
        raise _type_error(value) from None
    return measure(content)


def number_size(text: str) -> int:
    """Bytes of a number, given as the decimal text that DynamoDB carries: ``number_size("-123.4")`` is 5.

    Zero takes 1 byte. Any other number takes 1, plus 1 per pair of digits, paired off from the decimal point
    (-123.4 is 01 23 . 40, three pairs) with zero pairs at both ends left out, plus 1 if it is negative. The
    page "DynamoDB item sizes and formats" says "approximately"; the exact rule is the one that published
    measurements show. Raises :class:`ItemError` for a text that is no number.
    """
    negative, digits, exponent = _parse_number(text)
    if not digits:
        return 1
    count = len(digits)
    # An even count of digits that ends in the middle of a pair also begins in the middle of one: a pair more.
    straddles = count % 2 == 0 and exponent % 2 == 1
    return 1 + (count + 1) // 2 + straddles + negative


def _typed(value: AttributeValue) -> tuple[str, Any]:
    """The value's only type tag and its content."""
    if len(value) == 1:
        ((kind, content),) = value.items()
        if kind in _MEASURES:
            return kind, content
    raise _type_error(value)


def _type_error(value: AttributeValue) -> ItemError:
    return ItemError(_MANY_TYPES if len(value) > 1 else _NO_TYPE)


def _text_size(text: str) -> int:
    # A lone surrogate has no UTF-8; it is counted as the "?" that most encoders put in its place.
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _binary_size(content: bytes | str) -> int:
    return len(content.rstrip("=")) * 3 // 4 if isinstance(content, str) else len(content)


def _flag_size(content: object) -> int:
    return _FLAG_BYTES


def _list_size(content: Collection[AttributeValue]) -> int:
    return _DOCUMENT_BYTES + _ELEMENT_BYTES * len(content) + sum(map(value_size, content))


def _map_size(content: Item) -> int:
    return _DOCUMENT_BYTES + _ELEMENT_BYTES * len(content) + item_size(content)


def _string_set_size(content: Iterable[str]) -> int:
    return sum(map(_text_size, content))


def _number_set_size(content: Iterable[str]) -> int:
    return sum(map(number_size, content))


def _binary_set_size(content: Iterable[bytes | str]) -> int:
    return sum(map(_binary_size, content))


_MEASURES: dict[str, Callable[[Any], int]] = {
    "S": _text_size,
    "N": number_size,
    "B": _binary_size,
    "BOOL": _flag_size,
    "NULL": _flag_size,
    "L": _list_size,
    "M": _map_size,
    "SS": _string_set_size,
    "NS": _number_set_size,
    "BS": _binary_set_size,
}


# --- numbers and equality -----------------------------------------------------------------------------------

_NUMBER = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?")
_EXPONENT_DIGITS = 20  # a sign and the 19 digits of a 64-bit integer
_EXPONENT_LIMIT = 2**63


def _parse_number(text: str) -> tuple[bool, str, int]:
    """Whether the number is negative, its significant digits, and the power of ten of the last of them.

    Zero has no digits, and keeps the exponent it was written with: the service checks the range of that too.
    """
    if text.isdigit() and text.isascii():
        digits = text.rstrip("0")
        return False, digits.lstrip("0"), len(text) - len(digits) if digits else 0
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ItemError(_NOT_A_NUMBER + text)
    sign, whole, fraction, bare_fraction, power_text = match.groups()
    # The service reads the exponent as a 64-bit integer, and a longer one not at all.
    power = int(power_text or 0) if len(power_text or "") <= _EXPONENT_DIGITS else _EXPONENT_LIMIT
    if abs(power) >= _EXPONENT_LIMIT:
        raise ItemError(_NOT_A_NUMBER + text)
    fraction = fraction or bare_fraction or ""
    written = (whole or "") + fraction
    digits = written.rstrip("0")
    if not digits:
        return False, "", power
    return sign == "-", digits.lstrip("0"), power - len(fraction) + len(written) - len(digits)


def canonical(value: AttributeValue) -> tuple[str, Hashable]:
    """A hashable form of the value: two values are equal to DynamoDB exactly when theirs are.

    ``{"N": "1"}`` equals ``{"N": "1.0"}``, the order of a set does not matter, and a binary is the same raw
    or in base64. Errors as in :func:`item_size`.
    """
    kind, content = _typed(value)
    if kind == "L":
        return kind, tuple(map(canonical, content))
    if kind == "M":
        return kind, frozenset((name, canonical(element)) for name, element in content.items())
    if kind in _SET_MEMBERS:
        return kind, frozenset(map(_SET_MEMBERS[kind], content))
    return kind, _SCALARS[kind](content)


def _canonical_number(text: str) -> Hashable:
    negative, digits, exponent = _parse_number(text)
    return negative, digits, exponent if digits else 0


def _raw_bytes(content: bytes | str) -> bytes:
    return base64.b64decode(content) if isinstance(content, str) else bytes(content)


def _as_it_is(content: str | bool) -> Hashable:
    return content


_SCALARS: dict[str, Callable[[Any], Hashable]] = {
    "S": _as_it_is,
    "N": _canonical_number,
    "B": _raw_bytes,
    "BOOL": _as_it_is,
    "NULL": _as_it_is,
}
_SET_MEMBERS = {"SS": _SCALARS["S"], "NS": _SCALARS["N"], "BS": _SCALARS["B"]}


# --- what the service refuses -------------------------------------------------------------------------------


def check_size(size_bytes: int, *, update: bool = False, local_index_bytes: int = 0) -> str | None:
    """The message for an item of more than 400 KB, worded as for a put or, with ``update``, for an update.

    ``local_index_bytes`` is the size of the item's entries in all local secondary indexes, which share the
    400 KB. Source: "Constraints in Amazon DynamoDB".
    """
    if size_bytes + local_index_bytes <= MAX_ITEM_BYTES:
        return None
    subject = "Item size to update" if update else "Item size"
    return f"{subject} has exceeded the maximum allowed size"


def check_values(item: Mapping[str, Any]) -> str | None:
    """The message for the first value that may not be stored anywhere in the item.

    Refused are: no or several types in one value, a number out of range or of more than 38 digits, an empty
    set, a set with duplicates, a null that is not true, more than 32 levels of nesting. The wording is that
    of single reads and writes; batch writes and transactions have an older one for an empty number and for
    duplicates. Source: "Constraints in Amazon DynamoDB".
    """
    try:
        for value in item.values():
            _check_value(value, 1)
    except ItemError as error:
        return error.message
    return None


def check_key_value(name: str, value: AttributeValue, *, sort_key: bool = False) -> str | None:
    """The message for a table's key attribute that is empty or over 2048 bytes (1024 for a sort key).

    A number is always within them. Source: "Constraints in Amazon DynamoDB".
    """
    empty = _empty_key(value)
    if empty is not None:
        return f"{_NOT_VALID}{empty} Key: {name}"
    return _long_key(value, sort_key)


def check_index_key_value(index_name: str, name: str, value: AttributeValue, *, sort_key: bool = False) -> str | None:
    """As :func:`check_key_value`, for an attribute that is a key of a secondary index."""
    empty = _empty_key(value)
    if empty is not None:
        unsupported = "A value specified for a secondary index key is not supported."
        return f"{_NOT_VALID}{unsupported} {empty} IndexName: {index_name}, IndexKey: {name}"
    return _long_key(value, sort_key)


def _empty_key(value: AttributeValue) -> str | None:
    for kind, noun in (("S", "string"), ("B", "binary")):
        if kind in value and not value[kind]:
            return f"The AttributeValue for a key attribute cannot contain an empty {noun} value."
    return None


def _long_key(value: AttributeValue, sort_key: bool) -> str | None:
    if value_size(value) <= (MAX_SORT_KEY_BYTES if sort_key else MAX_PARTITION_KEY_BYTES):
        return None
    if sort_key:
        return f"{_INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    # The service leaves out the space after "of".
    return f"{_INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"


def _check_value(value: AttributeValue, level: int) -> None:
    if level > MAX_NESTING_LEVELS:
        raise ItemError(_TOO_DEEP)
    kind, content = _typed(value)
    if kind == "N":
        _check_number(content)
    elif kind == "L":
        for element in content:
            _check_value(element, level + 1)
    elif kind == "M":
        for element in content.values():
            _check_value(element, level + 1)
    elif kind in _SET_CHECKS:
        _SET_CHECKS[kind](content)
    elif kind == "NULL" and content is not True:
        raise ItemError(f"{_INVALID}Null attribute value types must have the value of true")


def _check_number(text: str) -> None:
    _, digits, exponent = _parse_number(text)
    magnitude = exponent + len(digits) - 1 if digits else exponent
    if magnitude > MAX_NUMBER_MAGNITUDE:
        raise ItemError(_OVERFLOW)
    if magnitude < MIN_NUMBER_MAGNITUDE:
        raise ItemError(_UNDERFLOW)
    if len(digits) > MAX_NUMBER_DIGITS:
        raise ItemError(_TOO_PRECISE)


def _check_string_set(content: Collection[str]) -> None:
    if not content:
        raise ItemError(f"{_INVALID}An string set  may not be empty")
    members = _duplicates_shown(list(content))
    if members is not None:
        shown = ", ".join(f'"{member}"' for member in members)
        raise ItemError(f"{_INVALID}Input collection [{shown}] contains duplicates.")


def _check_number_set(content: Collection[str]) -> None:
    if not content:
        raise ItemError(f"{_INVALID}An number set  may not be empty")
    for text in content:
        _check_number(text)
    if len(set(map(_canonical_number, content))) < len(content):
        raise ItemError(f"{_INVALID}Input collection contains duplicates.")


def _check_binary_set(content: Collection[bytes | str]) -> None:
    if not content:
        raise ItemError(f"{_INVALID}Binary sets should not be empty")
    members = _duplicates_shown([_raw_bytes(member) for member in content])
    if members is not None:
        shown = ",".join(f'"{base64.b64encode(member).decode()}"' for member in members)
        raise ItemError(f"{_INVALID}Input collection [{shown}]of type BS contains duplicates.")


_SET_CHECKS: dict[str, Callable[[Any], None]] = {
    "SS": _check_string_set,
    "NS": _check_number_set,
    "BS": _check_binary_set,
}


def _duplicates_shown(members: list[_Member]) -> list[_Member] | None:
    """The members as the service lists them if one repeats: those before it in byte order, it, the rest."""
    seen: set[_Member] = set()
    for position, member in enumerate(members):
        if member in seen:
            return sorted(seen) + members[position:]
        seen.add(member)
    return None


# --- where a page ends --------------------------------------------------------------------------------------

_CHUNK_BYTES = 3072
_CHUNK_OVERHEAD = 18
_RECORD_OVERHEAD = 2
_SHORT_TEXT, _MIDDLE_TEXT = 128, 16_384


def page_size(item: Mapping[str, Any], sort_key: str | None = None) -> int:
    """Bytes by which an item counts towards the 1 MB of a page of Query or Scan: another measure than its size.

    A page ends with the item that takes this sum to 1 MB or over; the item is still in the page. The pages of the
    service show that a name counts 1 byte whatever its length, that a value has a mark of its length (1 to 3 bytes),
    and that every started 3 KB costs 18 bytes and the sort key's value again. AWS documents only the 1 MB
    ("Paginating table query results"); the rule is what the measurements published with dynalite show.
    """
    sort_bytes = 0
    total = 0
    for name, value in item.items():
        if name == sort_key:
            sort_bytes = value_size(value)
        else:
            total += 1 + _marked_size(value)
    chunks = 1 + (1 + total) // _CHUNK_BYTES
    return _RECORD_OVERHEAD + total + chunks * (_CHUNK_OVERHEAD + sort_bytes)


def _marked_size(value: AttributeValue) -> int:
    kind, content = _typed(value)
    if kind == "L":
        return _DOCUMENT_BYTES + sum(_ELEMENT_BYTES + _marked_size(element) for element in content)
    if kind == "M":
        marked = sum(1 + _marked_size(element) for element in content.values())
        return _DOCUMENT_BYTES + _ELEMENT_BYTES * len(content) + marked
    if kind == "NULL":
        return 0
    size = value_size(value)
    if kind == "BOOL":
        return size
    if kind == "S":
        return size + (1 if size < _SHORT_TEXT else 2 if size < _MIDDLE_TEXT else 3)
    return size + 1 + (len(content) if kind in _SET_MEMBERS else 0)
