"""Where a partition key lives: its position in the hash space, and the key ranges that share that space.

DynamoDB places an item by a hash of its partition key; a partition owns one contiguous range of hashes
(AWS Developer Guide, "Partitions and data distribution"). Which hash the service uses is not published; the lab's is
BLAKE2b, so *which* keys meet in one partition differs from AWS, while how often they meet does not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .sizes import canonical

SPACE = 1 << 64
"""Number of positions in the hash space: a position is an integer from 0 to ``SPACE - 1``."""


def position(value: Mapping[str, Any]) -> int:
    """Return the position of a partition key value in the hash space, an integer from 0 to ``SPACE - 1``.

    ``value`` is one DynamoDB attribute value of a key type: ``{"S": "a"}``, ``{"N": "1"}`` or ``{"B": b"..."}`` (or its
    base64 text). Numbers of equal worth share a position: ``1``, ``1.0`` and ``1E0`` are one key.
    """
    kind, content = canonical(value)
    raw = content if isinstance(content, bytes) else str(content).encode()
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8, key=kind.encode()).digest(), "big")


@dataclass(frozen=True)
class KeyRange:
    """A contiguous, half-open range of hash positions: ``start <= position < end``."""

    start: int
    end: int

    def __contains__(self, place: int) -> bool:
        return self.start <= place < self.end

    @property
    def share(self) -> float:
        """The range's share of the whole hash space, from 0 to 1."""
        return (self.end - self.start) / SPACE


def equal_ranges(count: int) -> list[KeyRange]:
    """Cut the whole hash space into ``count`` neighbouring ranges of equal width (to within one position)."""
    if count < 1:
        raise ValueError(f"A table has at least 1 partition, not {count}.")
    edges = [SPACE * i // count for i in range(count + 1)]
    return [KeyRange(start, end) for start, end in zip(edges, edges[1:], strict=False)]
