"""Clients and their requests over simulated time: attempts, refusals, the waits of boto3's back-off, giving up."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, shorten, text_width, ticks
from .common import WIDTH, frame, positive, sentences

MOST_CLIENTS: Final = 40
"""Clients that get a row each; of more, only what all of them do together is drawn."""
MOST_ATTEMPTS: Final = 1_000
"""Attempts that get a mark each; more would cover each other."""
_COLUMNS: Final = 120
_LAST_SECOND: Final = 1e9
_AXIS: Final = "simulated seconds since the run began"

_Values = npt.NDArray[np.float64]
Kind = Literal["admitted", "refused", "failed"]


@dataclass(frozen=True)
class _Request:
    """One call: when each of its attempts was sent, and how it ended."""

    client: str
    sent: float
    finished: float
    outcome: str
    attempts: tuple[float, ...]

    @property
    def last(self) -> Kind:
        if self.outcome == "ok":
            return "admitted"
        return "refused" if self.outcome == "throttled" else "failed"

    @property
    def gave_up(self) -> bool:
        return self.outcome == "throttled"

    def waits(self) -> Iterable[tuple[float, float]]:
        return itertools.pairwise(self.attempts)


@frame
def request_timeline(
    run: Any, *, seconds: float | None = None, title: str | None = None, caption: str | None = None
) -> Picture:
    """What every client sends over simulated time: one row a client, one mark an attempt.

    ``run`` is what ``lab.run_clients`` or ``lab.drive`` returns, or its ``log``: calls with ``client``, ``sent``,
    ``finished`` (seconds since the run began), ``retries``, ``waits`` and ``outcome``. Solid: admitted; hatched:
    refused; between them, dotted, the back-off that boto3 waits; a cross where a call gives up. ``seconds`` makes the
    axis longer than the run. Calls of one client at the same time are drawn on several lines, up to a limit.

    Of more than 40 clients or 1,000 attempts, the attempts of all clients are counted by time instead.
    """
    requests, names = _read(run)
    longest = max((request.finished for request in requests), default=0.0)
    end = max(longest, positive("seconds", seconds) or 0.0, float(getattr(run, "seconds", 0.0))) or 1.0
    attempts = sum(len(request.attempts) for request in requests)
    heading = title if title is not None else f"{_count(len(names), 'client')}, {_count(len(requests), 'call')}"
    seen = caption if caption is not None else _caption(requests)
    alt = sentences(heading, _told(requests, names, end), seen)
    draw = _rows if len(names) <= MOST_CLIENTS and attempts <= MOST_ATTEMPTS else _together
    canvas = Canvas(WIDTH)
    return canvas.picture(draw(canvas, requests, names, end, heading, seen), title=heading, alt=alt)


def _read(run: Any) -> tuple[list[_Request], list[str]]:
    calls = list(getattr(run, "log", run))
    requests = []
    for i, call in enumerate(calls):
        try:
            client = clean(getattr(call, "client", "") or f"call {call.number}")
            sent, finished, waits = float(call.sent), float(call.finished), [float(wait) for wait in call.waits]
            outcome, retries = str(call.outcome), int(call.retries)
        except (AttributeError, TypeError, ValueError):
            raise PictureError(
                f"Call {i} is not one of a run's log: pass what lab.run_clients returns, or its log."
            ) from None
        at = [sent, *itertools.accumulate(waits, initial=sent)][1:]
        if not all(math.isfinite(t) and 0 <= t <= _LAST_SECOND for t in (*at, finished)) or min(waits, default=0) < 0:
            raise PictureError(f"Call {i} has a time that is not a number from 0 to 1 G seconds.")
        if len(waits) != retries:
            raise PictureError(f"Call {i} has {retries} retries and {len(waits)} waits; pass one wait per retry.")
        # The clock counts microseconds: a sum of waits may end a hair after the call did.
        requests.append(_Request(client, sent, max(finished, at[-1]), outcome, tuple(at)))
    names = [clean(name) for name in getattr(run, "names", ())]
    return requests, list(dict.fromkeys([*names, *(request.client for request in requests)]))


def _told(requests: list[_Request], names: list[str], end: float) -> str:
    counts = _kinds(requests)
    gave_up = sum(request.gave_up for request in requests)
    over = "1 simulated second" if end == 1 else f"{number(end)} simulated seconds"
    said = f"{_count(len(names), 'client')}, {over}: {_count(len(requests), 'call')}, "
    said += f"{_count(counts['admitted'], 'attempt')} admitted and {number(counts['refused'])} refused, "
    said += f"{_count(gave_up, 'call')} given up"
    return said + (f", {number(counts['failed'])} failed" if counts["failed"] else "")


def _kinds(requests: list[_Request]) -> dict[Kind, int]:
    counts: dict[Kind, int] = {"admitted": 0, "refused": 0, "failed": 0}
    for request in requests:
        counts[request.last] += 1
        counts["refused"] += len(request.attempts) - 1
    return counts


def _caption(requests: list[_Request]) -> str:
    """One sentence that says what to see."""
    if not requests:
        return "Nothing was sent."
    refused = [request for request in requests if request.gave_up or len(request.attempts) > 1]
    if not refused:
        return "Every first attempt was admitted: no call had to wait."
    gave_up = sum(request.gave_up for request in requests)
    longest = max(request.attempts[-1] - request.attempts[0] for request in requests)
    waited = f"; the longest wait was {number(longest)} s" if longest else ""
    ended = "none gave up" if not gave_up else "1 gave up" if gave_up == 1 else f"{number(gave_up)} gave up"
    return f"{number(len(refused))} of {_count(len(requests), 'call')} met a refusal, {ended}{waited}."


def _count(count: int, one: str) -> str:
    return f"{number(count)} {one if count == 1 else one + 's'}"


# --- one row a client --------------------------------------------------------------------------------------


def _rows(canvas: Canvas, requests: list[_Request], names: list[str], end: float, heading: str, seen: str) -> float:
    counts = _kinds(requests)
    by_client: dict[str, list[_Request]] = {name: [] for name in names}
    for request in requests:
        by_client[request.client].append(request)
    y = canvas.header(heading, seen)
    entries = [
        ("admitted", "admitted"),
        ("refused", "refused"),
        ("line waiting 2 3", "waits to try again"),
        ("cross", "gives up"),
    ]
    entries += [("hollow", "failed for another reason")] * (counts["failed"] > 0)
    y = canvas.legend(MARGIN, y + 33, entries)

    heads = (("retries", WIDTH - MARGIN - 74), ("given up", WIDTH - MARGIN))
    for words, x in heads:
        canvas.text(x, y + 30, words, size=14, role="muted", anchor="end")
    shown = {name: shorten(name, 150, 15) for name in names}
    left = MARGIN + max((text_width(name, 15) for name in shown.values()), default=0.0) + 16
    right = WIDTH - MARGIN - 146
    scale = (right - left - 14) / end
    y += 42
    top = y
    lanes_each = max(1, 36 // max(len(names), 1))
    lanes = {name: _lanes(calls, lanes_each, 11 / scale) for name, calls in by_client.items()}
    levels: dict[str, float] = {}
    for name in names:
        levels[name] = y
        y += max(len(lanes[name]) * 15, 15) + 7
    _time_grid(canvas, end, left=left, scale=scale, top=top, bottom=y)
    for name in names:
        marks = _Marks()
        for i, lane in enumerate(lanes[name]):
            for request in lane:
                marks.add(request, left=left, scale=scale, y=levels[name] + 15 * i + 7)
        marks.draw(canvas, name)
        calls = by_client[name]
        middle = levels[name] + max(len(lanes[name]) * 15, 15) / 2 + 5
        retries = sum(len(request.attempts) - 1 for request in calls)
        gave_up = sum(request.gave_up for request in calls)
        canvas.text(MARGIN, middle, shown[name], size=15, role="ink" if calls else "muted")
        for value, (_, x) in zip((retries, gave_up), heads, strict=True):
            role = "refused-text" if value else "muted"
            canvas.text(x, middle, number(value), size=15, role=role, bold=value > 0, anchor="end")
    canvas.line(left, y, right, y, role="ink", name="axis")
    return _time_axis(canvas, end, left=left, scale=scale, y=y) + 20


def _lanes(calls: list[_Request], most: int, gap: float) -> list[list[_Request]]:
    """Calls on lines such that calls of one line do not overlap in time; what finds no
    place goes on the line that is free first."""
    lanes: list[list[_Request]] = []
    free: list[float] = []
    for call in calls:
        place = next((i for i, at in enumerate(free) if at <= call.sent), None)
        if place is None:
            if len(lanes) < most:
                lanes.append([])
                free.append(0.0)
            place = min(range(len(lanes)), key=lambda i: free[i])
        lanes[place].append(call)
        # Only a call that waited needs the line for itself, a little longer than it took, for its marks.
        free[place] = max(free[place], call.attempts[-1] + gap if len(call.attempts) > 1 else call.sent)
    return lanes


class _Marks:
    """The marks of one client, by kind; each kind becomes one element."""

    def __init__(self) -> None:
        self.boxes: dict[Kind, list[Box]] = {"admitted": [], "refused": [], "failed": []}
        self.waits: list[list[tuple[float, float]]] = []
        self.crosses: list[list[tuple[float, float]]] = []

    def add(self, request: _Request, *, left: float, scale: float, y: float) -> None:
        places = [left + at * scale for at in request.attempts]
        for i, x in enumerate(places):
            kind = request.last if i == len(places) - 1 else "refused"
            self.boxes[kind].append((x, y - 5.5, 4.0 if kind == "admitted" else 7.0, 11.0))
        self.waits += [[(one + 7, y), (other, y)] for one, other in itertools.pairwise(places) if other > one + 8]
        if request.gave_up:
            x = places[-1] + 3.5
            self.crosses += [[(x - 5, y - 5), (x + 5, y + 5)], [(x - 5, y + 5), (x + 5, y - 5)]]

    def draw(self, canvas: Canvas, name: str) -> None:
        canvas.strokes(self.waits, role="waiting", width=1.5, dashes="2 3", name=f"waiting {name}")
        canvas.area(self.boxes["refused"], role="refused-fill", name=f"refused {name}")
        canvas.hatch(self.boxes["refused"])
        canvas.area(self.boxes["admitted"], role="admitted", name=f"admitted {name}")
        canvas.frames(self.boxes["failed"], role="ink", width=1.5, name=f"failed {name}")
        canvas.strokes(self.crosses, role="ink", width=2, name=f"given up {name}")


# --- all clients together ----------------------------------------------------------------------------------


def _together(canvas: Canvas, requests: list[_Request], names: list[str], end: float, heading: str, seen: str) -> float:
    span = _round_span(end / _COLUMNS)
    columns = math.ceil(end / span * (1 - 1e-12))
    admitted = _histogram([r.attempts[-1] for r in requests if r.last == "admitted"], span, columns)
    refused = _histogram([at for r in requests for at in (r.attempts if r.gave_up else r.attempts[:-1])], span, columns)
    failed = _histogram([r.attempts[-1] for r in requests if r.last == "failed"], span, columns)
    gave_up = _histogram([r.attempts[-1] for r in requests if r.gave_up], span, columns)
    waiting = _waiting([wait for r in requests for wait in r.waits()], span, columns)

    note = f"All clients together, counted by {number(span)} s."
    y = canvas.header(heading, f"{seen} {note}")
    y = canvas.legend(MARGIN, y + 33, [("admitted", "attempts admitted"), ("refused", "attempts refused")])
    left, right = MARGIN + 132, WIDTH - MARGIN - 100
    wide = (right - left) / columns
    scale = wide / span
    canvas.text(WIDTH - MARGIN, y + 28, "in all", size=14, role="muted", anchor="end")
    y += 34
    each = f"in {number(span)} s"
    panels = [
        _Panel("attempts", each, 110, [("admitted", admitted), ("refused", refused), ("failed", failed)]),
        _Panel("calls waiting", "on average", 70, [("waiting", waiting)], adds_up=False),
        _Panel("calls given up", each, 50, [("given up", gave_up)]),
    ]
    for panel in panels:
        y += panel.high + 8
        stacked = np.sum([values for _, values in panel.series], axis=0)
        highest = float(stacked.max()) or 1.0
        mark = ticks(highest, 2)[-1]
        level = y - mark / highest * panel.high
        canvas.line(left, level, right, level, role="grid")
        canvas.text(left - 8, level + 5, number(mark), size=13, role="muted", anchor="end")
        below = np.zeros(columns)
        for name, values in panel.series:
            boxes = [
                (left + i * wide, y - (b + v) / highest * panel.high, wide, v / highest * panel.high)
                for i, (b, v) in enumerate(zip(below.tolist(), values.tolist(), strict=True))
                if v > 0
            ]
            _pile(canvas, boxes, name)
            below = below + values
        canvas.line(left, y, right, y, role="muted")
        canvas.text(MARGIN, y - panel.high / 2 + 2, panel.words, size=15)
        canvas.text(MARGIN, y - panel.high / 2 + 20, panel.per, size=13, role="muted")
        said = number(float(stacked.sum())) if panel.adds_up else f"at most {number(float(stacked.max()))}"
        canvas.text(WIDTH - MARGIN, y - panel.high / 2 + 8, said, size=15, anchor="end")
        y += 12
    note = f"{_count(len(requests), 'call')} of {_count(len(names), 'client')}"
    return _time_axis(canvas, end, left=left, scale=scale, y=y, note=note) + 20


@dataclass(frozen=True)
class _Panel:
    """What is drawn over one another on one axis, one value a column; its total is written beside it."""

    words: str
    per: str
    high: float
    series: list[tuple[str, _Values]]
    adds_up: bool = True


def _pile(canvas: Canvas, boxes: Sequence[Box], name: str) -> None:
    roles = {"refused": "refused-fill", "waiting": "waiting-fill", "failed": "waiting", "given up": "ink"}
    canvas.area(boxes, role=roles.get(name, name), name=name)
    if name == "refused":
        canvas.hatch(boxes, joined=True)
    if name == "waiting":
        canvas.strokes(_outline(boxes), role="waiting", width=2, name="calls waiting")


def _outline(boxes: Sequence[Box]) -> list[list[tuple[float, float]]]:
    """The tops of boxes that stand side by side, joined into steps."""
    steps: list[list[tuple[float, float]]] = []
    for x, y, wide, _ in boxes:
        if not steps or steps[-1][-1][0] < x - 0.01:
            steps.append([])
        steps[-1] += [(x, y), (x + wide, y)]
    return steps


def _histogram(at: list[float], span: float, columns: int) -> _Values:
    where = np.minimum((np.asarray(at, dtype=np.float64) / span).astype(np.int64), columns - 1)
    return np.bincount(where, minlength=columns).astype(np.float64)


def _waiting(waits: list[tuple[float, float]], span: float, columns: int) -> _Values:
    """How many calls wait, on average over each column: the waiting seconds that fall in it, by its length."""
    if not waits:
        return np.zeros(columns)
    edges = np.arange(columns + 1, dtype=np.float64) * np.float64(span)
    starts = np.array(sorted(start for start, _ in waits), dtype=np.float64)
    ends = np.array(sorted(end for _, end in waits), dtype=np.float64)
    # The waiting seconds up to each edge; what lies between two edges is their difference.
    before = _area(starts, edges) - _area(ends, edges)
    return np.asarray(np.round(np.maximum(np.diff(before), 0.0) / span, 9), dtype=np.float64)


def _area(times: _Values, edges: _Values) -> _Values:
    """For each edge, the sum over the times before it of how long before."""
    count = np.searchsorted(times, edges)
    sums = np.zeros(len(times) + 1)
    sums[1:] = np.cumsum(times)
    return edges * count - sums[count]


def _round_span(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9)))


# --- the time axis -----------------------------------------------------------------------------------------


def _time_ticks(end: float, scale: float) -> list[float]:
    for about in (8, 6, 4, 3, 2):
        found = ticks(end, about)
        if len(found) < 2 or (found[1] - found[0]) * scale > max(text_width(number(t), 14) for t in found) + 14:
            return found
    return [0.0]


def _time_grid(canvas: Canvas, end: float, *, left: float, scale: float, top: float, bottom: float) -> None:
    for tick in _time_ticks(end, scale):
        canvas.line(left + tick * scale, top, left + tick * scale, bottom, role="grid")


def _time_axis(canvas: Canvas, end: float, *, left: float, scale: float, y: float, note: str = "") -> float:
    for tick in _time_ticks(end, scale):
        canvas.text(left + tick * scale, y + 18, number(tick), size=14, role="muted", anchor="middle")
    canvas.text(left, y + 40, _AXIS, size=14, role="muted")
    if note:
        canvas.text(WIDTH - MARGIN, y + 40, shorten(note, 300, 14), size=14, role="muted", anchor="end")
    return y + 40
