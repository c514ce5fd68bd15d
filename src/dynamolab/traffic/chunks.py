"""Keys and events by the billion: read in chunks, on several workers if need be, and added up by slices of the hash
space.

What a partition is asked for is a sum over its keys, so the keys need not be in one place: each chunk is reduced to a
short array over equal slices of the hash space, and the arrays are added. What comes out is a population or a workload
as any other, for ``simulate`` and ``sweep``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import whole
from ..errors import LabError
from ..model.keyspace import SPACE
from . import demand
from .demand import Floats, Ints, Keys, Positions
from .design import Operation, Workload
from .layout import slice_of
from .sweep import Map

MOST_SLICES = 1 << 16
MOST_KEYS = 1 << 48

Weight = Callable[[Ints], Floats]
"""The weights of the keys with these numbers (from 1, as ranks), shape as given."""

Read = Callable[[Any], tuple[ArrayLike, ArrayLike]]
"""Reads a chunk, such as a file by its name: the second of each event and its key, a whole number from 0."""


class Reduced(NamedTuple):
    """A chunk of keys: its weight by slice of the hash space, and the numbers and weights of its heaviest keys."""

    slices: Floats
    numbers: Ints
    weights: Floats


def reduce_keys(chunk: tuple[int, int], *, weight: Weight, slices: int, hottest: int, seed: int) -> Reduced:
    """Return what is kept of the keys numbered from ``chunk[0]`` to before ``chunk[1]``: a pure function."""
    numbers = np.arange(*chunk, dtype=np.int64)
    weights = np.asarray(weight(numbers), dtype=np.float64)
    if weights.shape != numbers.shape or not np.isfinite(weights).all() or (len(weights) and weights.min() < 0):
        raise LabError(f"The weights of the keys {chunk[0]:,} to {chunk[1] - 1:,} are not all numbers from 0 up.")
    by_slice: Floats = np.bincount(
        slice_of(_positions(numbers, seed), slices), weights=weights, minlength=slices
    ).astype(np.float64)
    few = min(hottest, len(numbers))
    heaviest = np.sort(np.argpartition(-weights, few - 1)[:few]) if few else np.empty(0, dtype=np.int64)
    return Reduced(by_slice, numbers[heaviest], weights[heaviest])


def keys_in_chunks(
    count: int,
    weight: Weight,
    *,
    chunk: int = 1_000_000,
    slices: int = 4096,
    hottest: int = 256,
    seed: int = 0,
    map: Map = map,
) -> Keys:
    """Return a population of ``count`` keys that were never all in memory: ``weight`` says how often each is asked for.

    Keys are numbered from 1 and lie where ``demand.zipf`` and ``demand.uniform`` of the same ``seed`` have them. The
    ``hottest`` ones stay keys of their own; the others are added up in ``slices`` equal slices of the hash space, each
    of which takes the place of a key in the middle of its slice. Partitions whose bounds are bounds of slices (4, 8 or
    64 of them, with 4,096 slices) get exactly the shares that the keys would give them; others are off by a slice at
    most. Chunks are added in order: the result does not depend on ``map``. A population like this has no suffixes.
    """
    whole("the number of keys", count, 1, MOST_KEYS)
    whole("the keys of a chunk", chunk, 1, 100_000_000)
    whole("slices", slices, 1, MOST_SLICES)
    whole("the hottest keys", hottest, 0, 100_000)
    chunks = [(first, min(first + chunk, count + 1)) for first in range(1, count + 1, chunk)]
    one = functools.partial(reduce_keys, weight=weight, slices=slices, hottest=hottest, seed=seed)
    total, numbers, weights = np.zeros(slices), np.empty(0, dtype=np.int64), np.empty(0)
    for reduced in map(one, chunks):
        total = total + reduced.slices
        numbers, weights = np.r_[numbers, reduced.numbers], np.r_[weights, reduced.weights]
        order = np.argsort(-weights, kind="stable")[:hottest]
        numbers, weights = numbers[order], weights[order]
    own = _positions(numbers, seed)
    rest = total - np.bincount(slice_of(own, slices), weights=weights, minlength=slices)
    rest[rest < 1e-12 * total] = 0.0
    places = np.r_[own, _middles(slices)]
    labels = [*numbers.tolist(), *(f"other keys in slice {number}" for number in range(slices))]
    return Keys(labels, np.r_[weights, rest], functools.partial(_without_suffix, places))


def count_events(chunks: Iterable[Any], *, read: Read, seconds: int, slices: int, seed: int) -> Ints:
    """Return the events of some chunks by second and slice of the hash space, (seconds, slices): a pure function."""
    found: Ints = np.zeros((seconds, slices), dtype=np.int64)
    for chunk in chunks:
        found += _counted(chunk, read, seconds, slices, seed)
    return found


def _counted(chunk: Any, read: Read, seconds: int, slices: int, seed: int) -> Ints:
    second, key = (np.asarray(column) for column in read(chunk))
    if second.ndim != 1 or second.shape != key.shape or key.dtype.kind not in "iu":
        raise LabError(f"Chunk {chunk!r} is not as many seconds as keys, with whole numbers as keys.")
    if len(second) and not (np.isfinite(second).all() and second.min() >= 0 and second.max() < seconds):
        raise LabError(f"Chunk {chunk!r} has events outside of the seconds from 0 to before {seconds:,}.")
    cells = second.astype(np.int64) * slices + slice_of(demand.mixed(key, seed), slices)
    found: Ints = np.bincount(cells, minlength=seconds * slices).reshape(seconds, slices)
    return found


def trace_in_chunks(
    chunks: Iterable[Any],
    read: Read,
    *,
    seconds: int,
    operations: Mapping[str, float | Operation] | None = None,
    item_bytes: int = 1024,
    slices: int = 64,
    seed: int = 0,
    tasks: int = 16,
    map: Map = map,
) -> Workload:
    """Return recorded events as a workload of ``seconds`` seconds, without ever having them all in memory.

    ``read(chunk)`` is called where the chunk is reduced, on a worker with :func:`~dynamolab.traffic.sweep.on_dask`, and
    returns the second of each event and its key, a whole number; only counts travel. Each of ``slices`` equal slices of
    the hash space becomes one stream, so partitions whose bounds are bounds of slices are asked for exactly what the
    events ask, second by second. Counts are whole numbers: neither ``map`` nor how events are cut into chunks
    changes the result. A slice is one key to the model, and splits for heat go no finer than that. ``tasks``: into how
    many lists the chunks are dealt; so many arrays of counts, 8 bytes x seconds x slices each, are held at once.
    ``operations`` and ``item_bytes`` as of ``Workload``.
    """
    whole("seconds", seconds, 1, demand.MOST_SECONDS)
    whole("slices", slices, 1, 1024)
    one = functools.partial(count_events, read=read, seconds=seconds, slices=slices, seed=seed)
    whole("tasks", tasks, 1, 100_000)
    given = list(chunks)
    total = np.zeros((seconds, slices), dtype=np.int64)
    for counts in map(one, [given[number::tasks] for number in range(min(tasks, len(given)))]):
        total += counts
    if not total.any():
        raise LabError("There is not one event in the chunks.")
    middles = _middles(slices)
    streams = [
        Workload(
            total[:, number],
            Keys([f"slice {number}"], [1.0], functools.partial(_without_suffix, middles[number : number + 1])),
            operations,
            item_bytes=item_bytes,
        )
        for number in np.flatnonzero(total.any(axis=0)).tolist()
    ]
    return functools.reduce(lambda one, other: one + other, streams)


def _positions(numbers: Ints, seed: int) -> Positions:
    # The first key has the number 1 and the place of index 0, as in demand.zipf.
    return demand.mixed(numbers - 1, seed)


def _middles(slices: int) -> Positions:
    return np.array([SPACE * (2 * number + 1) // (2 * slices) for number in range(slices)], dtype=np.uint64)


def _without_suffix(places: Positions, suffix: int, shards: int) -> Positions:
    if shards != 1:
        raise LabError("Keys that were read in chunks have no suffixes: use a design with shards=1.")
    return places


__all__ = ["count_events", "keys_in_chunks", "reduce_keys", "trace_in_chunks"]
