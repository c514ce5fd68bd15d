"""The explorer of lesson 03: where keys land, by how many there are and by how many partitions."""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from ... import arguments
from ...model.keyspace import position
from ...model.partitions import PARTITION_UNITS
from ...traffic.workload import places
from ..explorer import Explorer
from ..frames.ring import hash_space
from ..picture import Picture
from ..svg import number
from .controls import counted, steps

MOST_KEYS: Final = 400
MOST_PARTITIONS: Final = 64
KEYS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100, 125, 150, 175, 200, 250, 300, 400)
PARTITIONS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 50, 64)
PREFIX: Final = "CLIENTE#"


@arguments.typed
def held(keys: int, partitions: int) -> tuple[int, ...]:
    """Return how many of the keys ``CLIENTE#1``, ``CLIENTE#2``, ... each of ``partitions`` equal key ranges holds.

    Raises LabError for numbers that a picture cannot show: 1 to 400 keys on 1 to 64 partitions.
    """
    for name, value, most in (("keys", keys, MOST_KEYS), ("partitions", partitions, MOST_PARTITIONS)):
        arguments.whole(name, value, 1, most)
    return tuple(np.bincount(places(_names(keys), partitions), minlength=partitions).tolist())


def even_rate(held_keys: tuple[int, ...]) -> float:
    """Return the write units a second that these keys take together if all are written to equally often.

    The partition with most keys is full first: 1,000 times all keys over its keys.
    """
    return PARTITION_UNITS["write"] * sum(held_keys) / max(held_keys)


@arguments.typed
def partitions_explorer(*, keys: int = 3, partitions: int = 4) -> Explorer:
    """Where keys land in the hash space, which partitions hold them, and what they can take together.

    Sliders: how many keys (``CLIENTE#1`` and so on), how many partitions. Errors: :func:`held`. Rests on the AWS pages
    "Partitions and data distribution in DynamoDB" and "Designing partition keys"; the hash is the lab's own.
    """

    def draw(*, keys: int, partitions: int) -> tuple[Picture, str]:
        found = held(keys, partitions)
        empty, most = found.count(0), max(found)
        ceiling = PARTITION_UNITS["write"] * partitions
        taken = f"{number(round(even_rate(found)))} of {number(ceiling)} WU/s"
        fullest = f"the fullest holds {number(most)}"
        rest = f"{number(empty)} empty" if empty else "none empty"
        picture = hash_space(
            partitions,
            [position({"S": name}) for name in _names(keys)],
            title=f"{counted(keys, 'key')} on {counted(partitions, 'partition')}",
            caption=f"{fullest[0].upper()}{fullest[1:]}, {rest}.",
        )
        sentence = (
            f"{counted(keys, 'key')} on {counted(partitions, 'partition')}: {fullest}, {rest}; "
            f"all written to alike, they take {taken}."
        )
        return picture, sentence

    draw(keys=keys, partitions=partitions)  # bad arguments fail before a slider exists
    controls = {
        "keys": steps("keys", KEYS, keys, number),
        "partitions": steps("partitions", PARTITIONS, partitions, number),
    }
    return Explorer(controls, draw)


@functools.lru_cache(maxsize=64)
def _names(keys: int) -> tuple[str, ...]:
    return tuple(f"{PREFIX}{i}" for i in range(1, keys + 1))
