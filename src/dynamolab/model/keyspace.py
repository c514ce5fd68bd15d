"""Where an item lives: its place among all places, and the key ranges that share them.

DynamoDB places an item by a hash of its partition key and, within one partition key, by its sort key; a partition owns
one contiguous range of places (AWS Developer Guide, "Partitions and data distribution"). Which hash the service uses is
not published; the lab's is BLAKE2b, so *which* keys meet in one partition differs from AWS, while how often they meet
does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from .sizes import canonical

SPACE = 1 << 64
"""Number of positions in the hash space: a position is an integer from 0 to ``SPACE - 1``."""

Place: TypeAlias = tuple[int, bytes]
"""An item's place: the position of its partition key, then its sort key as bytes that sort as the service sorts."""

_EXPONENT_ZERO = 0x8000
_NEGATIVE = bytes(255 - byte for byte in range(256))


def position(value: Mapping[str, Any]) -> int:
    """Return the position of a partition key value in the hash space, an integer from 0 to ``SPACE - 1``.

    ``value`` is one DynamoDB attribute value of a key type: ``{"S": "a"}``, ``{"N": "1"}`` or ``{"B": b"..."}`` (or its
    base64 text). Numbers of equal worth share a position: ``1``, ``1.0`` and ``1E0`` are one key.
    """
    kind, content = canonical(value)
    raw = content if isinstance(content, bytes) else str(content).encode()
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8, key=kind.encode()).digest(), "big")


def sort_bytes(value: Mapping[str, Any]) -> bytes:
    """Return a sort key value as bytes in the service's order: text by UTF-8, numbers by worth, binaries by byte."""
    kind, content = canonical(value)
    if kind == "N":
        return _number_bytes(content)
    return content if isinstance(content, bytes) else str(content).encode()


def place_of(partition_key: Sequence[Mapping[str, Any]], sort_key: Sequence[Mapping[str, Any]] = ()) -> Place:
    """Return the place of a key: the values of its partition key, and of its sort key if there is one.

    A table's key has one value in each; an index' key may have up to four in each.
    """
    if len(partition_key) == 1:
        hashed = position(partition_key[0])
    else:
        joined = b"".join(
            _ended(kind.encode() + str(content).encode()) for kind, content in map(canonical, partition_key)
        )
        hashed = int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big")
    if len(sort_key) == 1:
        return hashed, sort_bytes(sort_key[0])
    return hashed, b"".join(_ended(sort_bytes(value)) for value in sort_key)


def after(place: Place) -> Place:
    """Return the first place behind ``place``."""
    return place[0], place[1] + b"\0"


def _ended(raw: bytes) -> bytes:
    """Mark the end of one value among several, so that a shorter one sorts before its continuations."""
    return raw.replace(b"\0", b"\0\xff") + b"\0\0"


def _number_bytes(content: Any) -> bytes:
    negative, digits, exponent = content
    if not digits:
        return b"\x80"
    magnitude = int(exponent + len(digits) + _EXPONENT_ZERO).to_bytes(2, "big") + str(digits).encode()
    if not negative:
        return b"\x81" + magnitude
    # Larger magnitudes come first, and a number before those that continue its digits: complement, then a high end.
    return b"\x7f" + magnitude.translate(_NEGATIVE) + b"\xff"


@dataclass(frozen=True)
class KeyRange:
    """A contiguous, half-open range of places: from (``start``, ``sort_start``) up to before (``end``, ``sort_end``).

    Most ranges end between partition keys and have empty sort bounds; then ``start <= position < end``.
    """

    start: int
    end: int
    sort_start: bytes = b""
    sort_end: bytes = b""

    @property
    def first(self) -> Place:
        """The first place in the range."""
        return self.start, self.sort_start

    @property
    def beyond(self) -> Place:
        """The first place behind the range."""
        return self.end, self.sort_end

    def __contains__(self, place: int | Place) -> bool:
        return self.first <= ((place, b"") if isinstance(place, int) else place) < self.beyond

    @property
    def share(self) -> float:
        """The range's share of the whole hash space, from 0 to 1; 0 if it lies within one partition key."""
        return (self.end - self.start) / SPACE

    @property
    def middle(self) -> Place | None:
        """The place that halves the range between partition keys, or None if it holds no two positions."""
        half = (self.start + self.end) // 2, b""
        return half if self.first < half < self.beyond else None

    def cut(self, at: Place) -> tuple[KeyRange, KeyRange]:
        """Return the part before ``at`` and the part from it on; raises ``ValueError`` if one would be empty."""
        if not self.first < at < self.beyond:
            raise ValueError(f"{at} does not cut {self}.")
        return (
            KeyRange(self.start, at[0], self.sort_start, at[1]),
            KeyRange(at[0], self.end, at[1], self.sort_end),
        )


def equal_ranges(count: int) -> list[KeyRange]:
    """Cut the whole hash space into ``count`` neighbouring ranges of equal width (to within one position)."""
    if count < 1:
        raise ValueError(f"A table has at least 1 partition, not {count}.")
    edges = [SPACE * i // count for i in range(count + 1)]
    return [KeyRange(start, end) for start, end in zip(edges, edges[1:], strict=False)]
