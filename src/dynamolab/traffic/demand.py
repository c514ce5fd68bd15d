"""Demand: how many requests arrive in each second, and which keys they are for.

A demand over time is a plain NumPy array of requests a second, one element a second, shape (seconds,): such arrays add
and multiply. A population of keys is a :class:`Keys`: it says which part of the requests falls on which key range.
"""

from __future__ import annotations

import copy
import decimal
import functools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import is_number, is_whole, number, one_of, shown, whole
from ..errors import LabError
from ..model.keyspace import SPACE, position

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Positions = NDArray[np.uint64]
SortKeys = Literal["one", "spread", "rising"]

DAY = 86_400
MOST_SECONDS = 40_000_000
"""The longest demand: a little more than a year of seconds."""
MOST_RATE = 1e12
"""The highest rate: far more than all of DynamoDB answers, and far from where floats lose single requests."""
MOST_PLACES = 50_000_000
"""The most places (keys times suffixes) that a population has."""
_KEPT_PLACES = 5_000_000
MOST_NAMES = 200_000
"""The most keys that are given by name, each of which is hashed as the live table hashes it."""

# --- over time ------------------------------------------------------------------------------------------------------


def constant(rate: float, seconds: int) -> Floats:
    """Return the same ``rate`` in each second."""
    return np.full(_seconds(seconds), _rate("rate", rate))


def daily(mean: float, *, peak: float | None = None, busiest: float = 20.0, seconds: int = DAY) -> Floats:
    """Return a daily curve: ``mean`` requests a second over a day, ``peak`` of them at the hour ``busiest``.

    The first second is midnight; longer demands repeat the day. Without ``peak``, it is twice the mean. The curve is
    exp(k cos x), scaled: one smooth hump, never negative, for any peak up to forty times the mean.
    """
    mean = _rate("mean", mean)
    ratio = 2.0 if peak is None or mean == 0 else _rate("peak", peak) / mean
    if not 1 <= ratio <= 40:
        raise LabError(f"A daily peak is from 1 to 40 times the mean; {peak!r} is {ratio:,.3g} times {mean:g}.")
    busiest = number("the busiest hour", busiest, 0, 24)
    angle = 2 * np.pi * (np.arange(_seconds(seconds)) / DAY - busiest / 24)
    curve: Floats = mean * ratio * np.exp(_concentration(ratio) * (np.cos(angle) - 1))
    return curve


def _concentration(ratio: float) -> float:
    """Find the k whose curve exp(k cos x) has its peak at ``ratio`` times its mean."""
    circle = np.cos(2 * np.pi * np.arange(4096) / 4096)
    low, high = 0.0, 20_000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 / np.exp(middle * (circle - 1)).mean() < ratio else (low, middle)
    return low


def spike(rate: float, *, at: float, lasts: float, seconds: int, rise: float = 0.0) -> Floats:
    """Return nothing but ``rate`` from second ``at`` for ``lasts`` seconds, with ramps of ``rise`` seconds before and
    after.
    """
    at, lasts = number("the second at which a spike begins (at)", at), number("how long it lasts", lasts)
    rise = number("the rise of a spike, in seconds,", rise)
    time = np.arange(_seconds(seconds), dtype=np.float64)
    if rise <= 0:
        return np.where((time >= at) & (time < at + lasts), _rate("rate", rate), 0.0)
    return _rate("rate", rate) * np.clip(np.minimum(time - at + rise, at + lasts + rise - time) / rise, 0.0, 1.0)


def campaign(rate: float, *, at: float, seconds: int, rise: float = 60.0, half_life: float = 3600.0) -> Floats:
    """Return a campaign's answer: from second ``at`` it rises to ``rate`` in ``rise`` seconds, then it halves each
    ``half_life`` seconds.
    """
    at = number("the second at which a campaign begins (at)", at)
    rise, half_life = number("the rise of a campaign", rise), number("the half_life of a campaign", half_life)
    if half_life == 0:
        raise LabError("A campaign's half_life is a number of seconds above 0, not 0.")
    since = np.arange(_seconds(seconds), dtype=np.float64) - at
    rising = np.clip(since / rise, 0.0, 1.0) if rise > 0 else (since >= 0).astype(np.float64)
    falling = np.exp2(-np.maximum(since - max(rise, 0.0), 0.0) / half_life)
    return _rate("rate", rate) * rising * falling


# --- over keys ------------------------------------------------------------------------------------------------------


class Keys:
    """A population of partition keys and how often each is asked for, the same at all times.

    ``labels``: what each key is called in a result; ``weights``: each key's part of the requests, shape (keys,),
    brought to a sum of 1; ``suffixed(i, shards)``: the positions in the hash space of all keys with the suffix ``i``.
    ``sort_keys``: what lies under one partition key. "one": one item, or one sort key that all requests are for;
    "spread": many items, asked for evenly; "rising": items whose sort keys only rise, the newest asked for. It matters
    only when a partition is cut within a partition key.
    """

    def __init__(
        self,
        labels: Sequence[Hashable] | Ints,
        weights: ArrayLike,
        suffixed: Callable[[int, int], Positions],
        sort_keys: SortKeys = "one",
    ) -> None:
        try:
            given = np.asarray(weights, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise LabError(f"The weights of keys are numbers from 0 up, not {shown(weights)}.") from None
        if not len(labels) or given.shape != (len(labels),):
            raise LabError(f"A population of keys needs one key or more and as many weights, not {len(labels):,} keys.")
        if not np.isfinite(given).all() or given.min() < 0 or given.sum() <= 0:
            raise LabError("The weights of keys are numbers from 0 up, not all of them 0.")
        one_of("sort_keys", sort_keys, get_args(SortKeys))
        self.labels = labels
        self.weights: Floats = given / given.sum()
        self.suffixed = suffixed
        self.sort_keys: SortKeys = sort_keys
        self._positions: dict[tuple[int, int], Positions] = {}

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {len(self):,} keys, the hottest with {self.weights.max():.3g} of the requests"

    def where(self, suffix: int, shards: int) -> Positions:
        """Return where all keys lie with that suffix of so many (0 of 1: without one), shape (keys,)."""
        if len(self) * shards > MOST_PLACES:
            raise LabError(f"{len(self):,} keys with {shards:,} suffixes are more than {MOST_PLACES:,} places.")
        found = self._positions.get((suffix, shards))
        if found is None:
            found = self.suffixed(suffix, shards)
            if len(self) * shards <= _KEPT_PLACES:
                self._positions[suffix, shards] = found
        return found

    def elsewhere(self) -> Keys:
        """Return the same population under another hash: how an index' keys lie when nothing is known of them."""
        other = copy.copy(self)
        other._positions = {}
        other.suffixed = lambda suffix, shards: mixed(self.where(suffix, shards), -1)
        return other


def uniform(n: int, *, seed: int = 0, sort_keys: SortKeys = "one") -> Keys:
    """Return ``n`` keys, all asked for equally often.

    Keys that have no names lie at pseudo-random positions that follow from ``seed``: the service's hash is unpublished,
    and what counts is how often keys meet in a partition, not which do.
    """
    return _numbered(np.ones(_count(n)), seed, sort_keys)


def zipf(n: int, exponent: float = 1.0, *, seed: int = 0, sort_keys: SortKeys = "one") -> Keys:
    """Return ``n`` keys, the one of rank r asked for in proportion to 1 / r to the power of ``exponent``."""
    exponent = number("the exponent of Zipf, usually about 1,", exponent, 0, 100)
    return _numbered(np.arange(1.0, _count(n) + 1) ** -float(exponent), seed, sort_keys)


def celebrity(n: int, share: float, *, seed: int = 0, sort_keys: SortKeys = "one") -> Keys:
    """Return ``n`` keys of which the first gets ``share`` of all requests (0 to 1) and the others equal parts."""
    share = number("a celebrity's share of the requests", share, 0, 1)
    if _count(n) == 1:
        return uniform(1, seed=seed, sort_keys=sort_keys)
    return _numbered(np.r_[share, np.full(n - 1, (1 - share) / (n - 1))], seed, sort_keys)


def few(values: Sequence[Any], weights: ArrayLike | None = None, *, sort_keys: SortKeys = "one") -> Keys:
    """Return the keys with those ``values`` (text, numbers or bytes), equally often asked for or by ``weights``.

    They lie where a live table has them; with suffixes, as ``value.1`` ... ``value.N``.
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise LabError(f"demand.few needs a list of keys, such as ['a', 'b'], not {shown(values)}.")
    named = list(values)
    for each in named:
        if not _is_key(each):
            raise LabError(f"A key is text, a number or bytes, and not empty: not {shown(each)}.")
    if len(named) > MOST_NAMES:
        raise LabError(f"Up to {MOST_NAMES:,} keys may have names; uniform and zipf make populations of any size.")

    def suffixed(suffix: int, shards: int) -> Positions:
        return np.array(
            [position(_attribute_value(value if shards == 1 else f"{value}.{suffix + 1}")) for value in named],
            dtype=np.uint64,
        )

    return Keys(named, np.ones(len(named)) if weights is None else weights, suffixed, sort_keys)


class TimeBucket(Keys):
    """One key for each ``period`` seconds, the key of the running one asked for alone: a date, an hour, a minute."""

    def __init__(self, period: float, prefix: str = "") -> None:
        self.period, self.prefix = number("the seconds of a time bucket", period, 1), prefix
        super().__init__([prefix], [1.0], lambda suffix, shards: self.positions(0, shards)[:1], "rising")

    def positions(self, bucket: int, shards: int) -> Positions:
        """Return where the key of the bucket numbered so lies, or its ``shards`` suffixed keys."""
        name = f"{self.prefix}{bucket}"
        names = [name] if shards == 1 else [f"{name}.{suffix}" for suffix in range(1, shards + 1)]
        return np.array([position({"S": each}) for each in names], dtype=np.uint64)

    def elsewhere(self) -> Keys:
        """Return buckets that lie elsewhere."""
        return TimeBucket(self.period, f"{self.prefix} ")


def time_bucket(period: float, prefix: str = "") -> TimeBucket:
    """Return keys that follow the clock: all requests of ``period`` seconds go to one key, then to the next.

    Keys are called ``prefix`` and the bucket's number: 0, 1, 2 ... Their sort keys rise with time.
    """
    return TimeBucket(period, prefix)


class Trace(Keys):
    """Recorded events, each in a second and for a key."""

    def __init__(self, second: ArrayLike, key: ArrayLike, seconds: int | None = None) -> None:
        try:
            when, values = np.asarray(second, dtype=np.float64), np.asarray(key)
        except (TypeError, ValueError, OverflowError):
            raise LabError("The seconds of a trace are numbers from 0 up, one for each event.") from None
        if when.ndim != 1 or values.shape != when.shape or not len(when):
            raise LabError("A trace needs one event or more: as many seconds as keys, both one-dimensional.")
        if not np.isfinite(when).all() or when.min() < 0:
            raise LabError("The seconds of a trace are numbers from 0 up.")
        order = np.argsort(when, kind="stable")
        self.when = when[order]
        try:
            labels, codes = np.unique(values, return_inverse=True)
        except TypeError:
            raise LabError("The keys of a trace are all of one kind: text, or numbers.") from None
        self.codes: Ints = codes[order]
        self.second: Ints = self.when.astype(np.int64)
        self.seconds = length = _seconds(int(self.second[-1]) + 1 if seconds is None else seconds)
        kept = int(np.searchsorted(self.second, length))
        self.when, self.second, self.codes = self.when[:kept], self.second[:kept], self.codes[:kept]
        if not kept:
            raise LabError(f"None of the events lies in the first {length:,} seconds.")
        weights = np.bincount(self.codes, minlength=len(labels))
        super().__init__(labels.tolist(), weights, _mixing(mixed(np.arange(len(labels)), 0)))

    @functools.cached_property
    def rate(self) -> Floats:
        """Events in each second, shape (seconds,)."""
        return np.bincount(self.second, minlength=self.seconds).astype(np.float64)

    def speed_up(self, factor: float) -> Trace:
        """Return the same events ``factor`` times as fast."""
        if number("the factor by which a trace is sped up", factor) == 0:
            raise LabError("A trace is sped up by a number above 0, not 0.")
        return Trace(self.when / factor, np.asarray(self.labels)[self.codes])

    def to_peak(self, peak: float) -> Trace:
        """Return the same events so much faster that the busiest second has about ``peak`` of them, never fewer."""
        if not is_number(peak) or not 0 < peak <= len(self.when):
            raise LabError(f"A peak is above 0 and at most all {len(self.when):,} events, not {shown(peak)}.")
        low, high = (self.when[-1] + 1.0) / MOST_SECONDS, self.when[-1] + 1.0
        for _ in range(40):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if _busiest(self.when / middle) >= peak else (middle, high)
        return self.speed_up(high)


def _busiest(when: Floats) -> int:
    """Return the most events in one second; ``when`` rises."""
    ends = np.r_[np.flatnonzero(np.diff(when.astype(np.int64))), len(when) - 1]
    return int(np.diff(ends, prepend=-1).max())


def trace(second: ArrayLike, key: ArrayLike, *, seconds: int | None = None) -> Trace:
    """Return recorded events as demand: ``Workload(events.rate, events)``.

    ``second``: when each event was, in seconds from 0; ``key``: the key it was for; ``seconds``: how long the trace is,
    if longer or shorter than its last event says. ``.to_peak(requests_per_second)`` and ``.speed_up(factor)`` make it
    faster. A second without events, asked for all the same, takes the keys of the whole trace.
    """
    return Trace(second, key, seconds)


def grocer(key: str, *, peak: float | None = None) -> Trace:
    """Return a real grocer's year (1.47 million lines) as demand by one column of its lines.

    ``key``: "household", "store", "basket", "product" or "date". ``peak``: so much faster that the busiest second has
    that many lines.
    """
    if not isinstance(key, str):
        raise LabError(f"The grocer's lines are asked for by the name of a column, such as 'store', not {shown(key)}.")
    made = _year(key)
    return made if peak is None else made.to_peak(peak)


@functools.cache
def _year(key: str) -> Trace:
    from . import grocer as real

    lines = real.year()
    columns = [*(name for name in lines.columns if name != "time"), "date"]
    if key not in columns:
        raise LabError(f"The grocer's lines have no column {key!r}; they have {', '.join(columns)}.")
    first = lines["time"].iloc[0].normalize()
    second = (lines["time"] - first).dt.total_seconds().to_numpy()
    return Trace(second, (second // DAY).astype(np.int64) if key == "date" else lines[key].to_numpy())


# --- where keys lie -------------------------------------------------------------------------------------------------


def _numbered(weights: Floats, seed: int, sort_keys: SortKeys) -> Keys:
    seed = whole("the seed of keys", seed)
    numbers = np.arange(len(weights))
    return Keys(numbers + 1, weights, _mixing(mixed(numbers, seed)), sort_keys)


def _mixing(first: Positions) -> Callable[[int, int], Positions]:
    """Return where keys lie with a suffix, from where they lie without one."""
    return lambda suffix, shards: first if shards == 1 else mixed(first, suffix + 1)


def mixed(numbers: NDArray[Any], seed: int) -> Positions:
    """Return pseudo-random positions for whole numbers: the finaliser of SplitMix64, on all at once."""
    with np.errstate(over="ignore"):
        mixed = numbers.astype(np.uint64) + np.uint64((2 * seed + 1) * 0x9E3779B97F4A7C15 % SPACE)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))


def _attribute_value(value: Any) -> dict[str, Any]:
    if isinstance(value, (bytes, bytearray)):
        return {"B": bytes(value)}
    return {"S": value} if isinstance(value, str) else {"N": str(value)}


# --- what is no demand ----------------------------------------------------------------------------------------------


def checked(rate: ArrayLike) -> Floats:
    """Return a rate as an array of requests a second; raises LabError for one that no traffic has."""
    try:
        if np.asarray(rate).dtype.kind in "bSU":  # NumPy would take text and truths for numbers
            raise TypeError(rate)
        given = np.atleast_1d(np.asarray(rate, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        raise LabError("A rate is an array of requests a second, one number for each second.") from None
    if given.ndim != 1:
        raise LabError(f"A rate has one number for each second, not {given.ndim} dimensions.")
    if not np.isfinite(given).all():
        raise LabError("A rate is a number of requests a second: this one has seconds that are not (NaN or infinite).")
    if len(given) and given.min() < 0:
        raise LabError(f"A rate is from 0 up; in second {int(given.argmin()):,} this one is {given.min():g}.")
    if len(given) and given.max() > MOST_RATE:
        raise LabError(f"A rate is up to {MOST_RATE:,.0f} requests a second, not {given.max():.4g}.")
    _seconds(len(given))
    return given


def _seconds(value: Any) -> int:
    return whole("seconds", value, 0, MOST_SECONDS)


def _rate(name: str, value: Any) -> float:
    return number(f"the {name}, in requests a second,", value)


def _count(n: Any) -> int:
    return whole("the number of keys", n, 1, MOST_PLACES)


def _is_key(value: object) -> bool:
    if isinstance(value, (str, bytes, bytearray)):
        return len(value) > 0
    return is_number(value) or is_whole(value) or isinstance(value, decimal.Decimal)


__all__ = ["Floats", "Keys", "TimeBucket", "Trace", "campaign", "celebrity", "constant", "daily", "few",
           "grocer", "spike", "time_bucket", "trace", "uniform", "zipf"]  # fmt: skip
