"""Where in a partition its traffic falls, and where to cut a partition that has been hot for long.

"Split for consumption" (Elhemali et al., USENIX ATC 2022, section 4.4): a partition whose consumption stays above a
threshold is split, at a point taken from the observed distribution of accesses, unless that would not help. Threshold,
duration and sketch are not published; the lab's are parameters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .keyspace import KeyRange, Place, after
from .parameters import Parameters

Verdict = Literal[
    "split at the observed load",
    "isolated a hot item",
    "isolated a hot item collection",
    "one item",
    "one item collection under a local secondary index",
    "rising sort key",
    "no relief",
    "no observed keys",
]
"""What was decided about a hot partition: the first three cut it, the others say why it stays whole."""


class Sample:
    """Some of the places that units went to: one for every ``gap`` units or so, spread evenly but not in step.

    The gaps vary by a fixed pseudo-random sequence, so that traffic in a regular rotation is sampled fairly, and the
    same traffic is always sampled alike. Its length is bounded: beyond ``limit`` places, every second one is dropped
    and the gap doubled.
    """

    __slots__ = ("_gap", "_limit", "_state", "_until", "places")

    def __init__(self, gap: float, limit: int, state: int = 1) -> None:
        self.places: list[Place] = []
        self._gap, self._limit, self._state = gap, limit, state
        self._until = 0.0
        self._next_gap()

    def add(self, units: float, place: Place) -> None:
        """Let ``units`` fall on ``place``."""
        self._until -= units
        while self._until <= 0:
            self.places.append(place)
            self._next_gap()
            if len(self.places) > self._limit:
                self.places = self.places[::2]
                self._gap *= 2

    def restarted(self, gap: float) -> Sample:
        """Return an empty sample that goes on with the same sequence."""
        return Sample(gap, self._limit, self._state)

    def _next_gap(self) -> None:
        self._state = (self._state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        self._until += self._gap * (0.5 + self._state / 0x8000_0000)


class Slot(NamedTuple):
    """One part of the heat window: its number on the clock, the units consumed in it, and a sample of their places."""

    number: int
    units: float
    places: Sequence[Place]


class Heat:
    """The consumption of one side of one partition over the heat window, slot by slot."""

    __slots__ = ("_gap", "_known", "_sample", "past", "units")

    def __init__(self, units_a_slot: float, parameters: Parameters) -> None:
        """Watch a partition that gives at most ``units_a_slot`` in one slot."""
        self._gap = units_a_slot / parameters.heat_samples
        self._sample = Sample(self._gap, 2 * parameters.heat_samples)
        self.units = 0.0
        self._known: Sequence[Place] = ()
        self.past: deque[Slot] = deque(maxlen=parameters.heat_slots)

    def add(self, units: float, place: Place | None) -> None:
        """Enter what an admitted request consumed, and where; without a place only the amount counts."""
        self.units += units
        if place is not None:
            self._sample.add(units, place)

    def spread(self, units: float, places: Sequence[Place]) -> None:
        """Enter what many requests consumed that fell evenly on ``places``; without places only the amount counts."""
        self.units += units
        if places and places is not self._known:
            self._known = [*self._known, *places] if self._known else places

    def close(self, number: int) -> None:
        """End the running slot, which is slot ``number`` of the clock."""
        if self.units:
            self.past.append(Slot(number, self.units, self._known or self._sample.places))
            if self._known:
                self._known = ()
            else:
                self._sample = self._sample.restarted(self._gap)
            self.units = 0.0

    def window_units(self, number: int) -> float:
        """Return what the heat window holds in slot ``number``: the running slot and those it still remembers."""
        oldest = number - (self.past.maxlen or 0)
        return self.units + sum(slot.units for slot in self.past if slot.number >= oldest)

    def sustained(self, number: int, units_a_slot: float) -> bool:
        """Say whether each slot of the window that ends with slot ``number`` consumed ``units_a_slot`` or more."""
        window = self.past
        return (
            len(window) == window.maxlen
            and window[-1].number == number
            and window[0].number == number - len(window) + 1
            and all(slot.units >= units_a_slot for slot in window)
        )

    def forget(self) -> None:
        """Start a new window: what was seen belongs to another range now."""
        self.past.clear()
        self.units = 0.0
        self._known = ()
        self._sample = self._sample.restarted(self._gap)


@dataclass(frozen=True)
class Decision:
    """Where to cut a hot partition (one or two places, or none), and why so."""

    cuts: tuple[Place, ...]
    verdict: Verdict


def decide(slots: Sequence[Slot], key_range: KeyRange, *, whole_collections: bool, relief: float) -> Decision:
    """Decide how to split a partition that was hot in all of ``slots``, the oldest first.

    Candidates come from all slots but the newest: the cut that halves the load, and the isolation of the hottest item;
    the same with whole item collections. Each is judged by the newest slot, because only traffic still to come can be
    relieved: a sort key that rises for ever leaves every earlier cut behind, and would not if the slot that judges had
    proposed the cut as well. (A single slot does both.) The candidate that leaves least on its hottest part wins, if it
    takes off ``relief`` of the load at least; among near equals, the one with fewer cuts.
    ``whole_collections``: the table has a local secondary index, so no collection may be cut.
    """
    older = list(slots)[:-1] or slots
    seen = [place for slot in older for place in slot.places]
    newest = sorted(slots[-1].places) if slots else []
    if not seen or not newest:
        return Decision((), "no observed keys")
    items, keys = Counter(seen), Counter((hashed, b"") for hashed, _ in seen)
    sorted_items = any(sort for _, sort in items)
    levels: list[tuple[Counter[Place], Callable[[Place], Place], Verdict]] = [
        (keys, _next_key, "isolated a hot item collection" if sorted_items else "isolated a hot item")
    ]
    if sorted_items and not whole_collections:
        levels.insert(0, (items, after, "isolated a hot item"))
    best: tuple[int, int, tuple[Place, ...], Verdict] | None = None
    for loads, beyond, isolated in levels:
        hottest = max(sorted(loads), key=loads.__getitem__)
        options: tuple[tuple[tuple[Place, ...], Verdict], ...] = (
            ((_halving(loads),), "split at the observed load"),
            ((hottest, beyond(hottest)), isolated),
        )
        for places, verdict in options:
            cuts = tuple(place for place in places if key_range.first < place < key_range.beyond)
            left = _hottest_part(newest, cuts)
            option = (round(20 * left), len(cuts), cuts, verdict)
            if left <= 1 - relief and (best is None or option[:2] < best[:2]):
                best = option
    if best is not None:
        return Decision(best[2], best[3])
    return Decision((), _why_whole(items, keys, newest, whole_collections))


def _why_whole(items: Counter[Place], keys: Counter[Place], newest: list[Place], whole_collections: bool) -> Verdict:
    if len(items) == 1:
        return "one item"
    if len(keys) == 1:
        if whole_collections:
            return "one item collection under a local secondary index"
        if newest[0] > _halving(items):
            return "rising sort key"
        return "one item" if max(items.values()) > 0.9 * items.total() else "no relief"
    return "no relief"


def _next_key(place: Place) -> Place:
    return place[0] + 1, b""


def _halving(loads: Counter[Place]) -> Place:
    """Return the place that, as the first of the right part, makes the heavier part lightest."""
    total, before = loads.total(), 0
    best, heaviest = min(loads), total
    for place in sorted(loads):
        if max(before, total - before) < heaviest:
            best, heaviest = place, max(before, total - before)
        before += loads[place]
    return best


def _hottest_part(ordered: Sequence[Place], cuts: Iterable[Place]) -> float:
    """Return the share of the heaviest of the parts into which ``cuts`` divide the ``ordered`` places."""
    edges = [0, *(bisect_left(ordered, cut) for cut in cuts), len(ordered)]
    return max(right - left for left, right in zip(edges, edges[1:], strict=False)) / len(ordered)
