"""Metrics as CloudWatch draws them: series over time, an alarm's line, and when the alarm was on."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ...arguments import is_whole, shown
from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, round_step, shorten, text_width, ticks
from .common import WIDTH, frame, positive, sentences, values_of

MOST_SERIES: Final = 5
MOST_POINTS: Final = 1_000_000
MOST_STEPS: Final = 360
_LAST_SECOND: Final = 1e12
_DAY: Final = 86_400

Statistic = Literal["Average", "Sum", "Maximum", "Minimum", "SampleCount"]
Clock = Literal["second", "minute", "clock"]

_Array: TypeAlias = npt.NDArray[np.float64]
#: How each series is drawn, first to last: its colour and its dashes, so that colour alone never tells.
_LOOKS: Final = (("admitted", ""), ("query", "9 3"), ("key", "2.5 3"), ("index", "12 3 2.5 3"), ("buffer", "5 5"))
_FOLDS: Final[Mapping[Statistic, Callable[[_Array], float]]] = {
    "Average": lambda values: float(values.mean()),
    "Sum": lambda values: float(values.sum()),
    "Maximum": lambda values: float(values.max()),
    "Minimum": lambda values: float(values.min()),
    "SampleCount": lambda values: float(len(values)),
}


@dataclass(frozen=True)
class Series:
    """One metric: a value for each period, None where there is no data point.

    ``first`` is the second at which the first period begins: simulated seconds, or seconds since 1970.
    """

    name: str
    values: Sequence[float | None]
    period: int = 60
    first: int = 0

    def over(self, period: int, statistic: Statistic = "Average", *, name: str | None = None) -> Series:
        """Return the statistic of longer periods, which begin at multiples of ``period``: seconds become minutes.

        Periods without any data point have none. Raises PictureError for a period that is no multiple of this one's.
        """
        _, values = _checked(self)
        if (
            not is_whole(period)
            or not self.period <= period <= _DAY
            or period % self.period
            or self.first % self.period
        ):
            raise PictureError(
                f"Periods of {self.period} s do not make up periods of {shown(period)} s; pass a multiple, up to a day."
            )
        if not isinstance(statistic, str) or statistic not in _FOLDS:
            raise PictureError(f"statistic is {shown(statistic)}; it is one of {', '.join(_FOLDS)}.")
        lead = self.first % period // self.period
        padded = np.full(-(-(lead + len(values)) // (period // self.period)) * (period // self.period), np.nan)
        padded[lead : lead + len(values)] = values
        folded = [
            _FOLDS[statistic](row[~np.isnan(row)]) if not np.isnan(row).all() else None
            for row in padded.reshape(-1, period // self.period)
        ]
        return Series(name if name is not None else self.name, folded, period, self.first - self.first % period)

    @classmethod
    def of_result(cls, result: Mapping[str, Any], period: int = 60, *, name: str | None = None) -> Series:
        """Return a series of one of the ``MetricDataResults`` of CloudWatch's GetMetricData.

        ``period`` is the one that was asked for, in seconds. Missing periods have no data point; ``first`` is in
        seconds since 1970, for ``metric(..., axis="clock")``.
        """
        if not is_whole(period) or not 1 <= period <= _DAY:
            raise PictureError(f"The period is {shown(period)}; pass whole seconds, up to a day.")
        try:
            points = {
                int(moment.timestamp()): float(value)
                for moment, value in zip(result["Timestamps"], result["Values"], strict=True)
            }
            label = str(result["Label"]) if name is None else name
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
            raise PictureError(
                "Pass one entry of GetMetricData's MetricDataResults, with Timestamps and Values."
            ) from None
        first, last = min(points, default=0), max(points, default=-period)
        if (last - first) // period >= MOST_POINTS:
            raise PictureError(f"{label[:60]!r} spans too long a time for one picture; ask for fewer periods.")
        return cls(label, [points.get(at) for at in range(first, last + 1, period)], period, first)


@frame
def metric(
    series: Series | Iterable[Series],
    *,
    title: str,
    unit: str,
    caption: str | None = None,
    threshold: float | tuple[float, str] | None = None,
    alarm: Iterable[tuple[int, int]] = (),
    axis: Clock = "minute",
    top: float | None = None,
    points: bool = False,
) -> Picture:
    """One to five series as CloudWatch draws them, with an alarm's threshold and the time it was in ALARM.

    Each value is a step as long as its period; with ``points`` the values are joined by straight lines, as the console
    does. A period without a data point is a gap. Series may have different periods: the seconds under the minute's
    average. ``threshold`` is a dashed line, ``(value, words)`` gives it its own words, and the caption counts
    in how many of its periods the first series reaches it; ``alarm`` holds the seconds
    (from, to) that are shaded. ``axis`` counts seconds or minutes from 0, or tells the UTC time of seconds since 1970.
    ``top`` keeps the vertical axis still while a slider moves. Of more than 360 steps, each drawn is the highest of
    several; the caption says so. Without any data point the picture says "no data".
    """
    rows = [series] if isinstance(series, Series) else list(series)
    if not rows:
        raise PictureError("There is no metric to draw; pass at least one Series.")
    if len(rows) > MOST_SERIES:
        raise PictureError(f"{len(rows)} series are too many for one picture; pass at most {MOST_SERIES}.")
    if axis not in ("second", "minute", "clock"):
        raise PictureError(f"axis is {axis!r}; it is 'second', 'minute' or 'clock'.")
    at, words = threshold if isinstance(threshold, tuple) else (threshold, "")
    limit = positive("threshold", at)
    unit = shorten(clean(unit), 110, 14)
    checked = [_checked(row) for row in rows]
    begin = min(row.first for row in rows)
    end = max(row.first + row.period * len(values) for row, (_, values) in zip(rows, checked, strict=True))
    bands = _bands(alarm)
    begin, end = min([begin, *(a for a, _ in bands)]), max([end, *(b for _, b in bands), begin + 1])
    spans = [math.ceil(len(values) / MOST_STEPS) for _, values in checked]
    highest = [float(np.nanmax(values)) if not np.isnan(values).all() else 0.0 for _, values in checked]
    empty = all(np.isnan(values).all() for _, values in checked)
    seen = caption if caption is not None else _caption(rows, checked, limit, bands, unit)
    folded = max((span * row.period for span, row in zip(spans, rows, strict=True) if span > 1), default=0)
    note = f"Each step is the highest of {_time(folded)}." if folded else ""

    canvas = Canvas(WIDTH)
    y = canvas.header(title, f"{seen} {note}")
    looks = [
        (" ".join(["line", role, dashes]).strip(), name)
        for (role, dashes), (name, _) in zip(_LOOKS, checked, strict=False)
    ]
    entries = [*looks, *([("dashed", _threshold_words(limit, words, unit))] if limit else [])]
    entries += [("alarm", "in ALARM")] * bool(bands)
    y = canvas.legend(MARGIN, y + 33, [(kind, shorten(name, 330, 15)) for kind, name in entries])

    high = max(*highest, limit or 0.0, positive("top", top) or 0.0) or 1.0
    steps = ticks(high)
    left = MARGIN + max(text_width(word, 14) for word in [unit, *map(number, steps)]) + 10
    right = WIDTH - MARGIN - 6
    plot = y + 50
    base = plot + 220
    scale = (base - plot) / high
    across = (right - left) / (end - begin)

    shaded = [(left + (a - begin) * across, plot - 20, (b - a) * across, base - plot + 20) for a, b in bands]
    canvas.area(shaded, role="alarm-fill", name="alarm")
    canvas.area([(x, y - 4, wide, 4) for x, y, wide, _ in shaded], role="alarm", name="alarm edge")
    for x, y, wide, _ in shaded:
        if text_width("ALARM", 13, bold=True) <= wide - 6:
            canvas.text(x + wide / 2, y + 14, "ALARM", size=13, bold=True, role="alarm", anchor="middle")
    canvas.text(left - 8, plot - 22, unit, size=14, role="muted", anchor="end")
    for step in steps:
        level = base - step * scale
        canvas.line(left, level, right, level, role="grid" if step else "ink", name=f"tick {number(step)}")
        canvas.text(left - 8, level + 5, number(step), size=14, role="muted", anchor="end")
    for i, (row, (_, values), span) in enumerate(zip(rows, checked, spans, strict=True)):
        role, dashes = _LOOKS[i]
        x, step = left + (row.first - begin) * across, row.period * span * across
        lines = (
            _joined(_fold(values, span), x, step, base, scale)
            if points
            else _steps(_fold(values, span), x, step, base, scale, right)
        )
        canvas.strokes(lines, role=role, width=2.5 if len(values) < 200 else 1.5, dashes=dashes, name=f"series {i}")
        if points:
            dots: list[Box] = [(x - 2.5, y - 2.5, 5, 5) for line in lines for x, y in line]
            canvas.area(dots if len(dots) <= 120 else [], role=role, name=f"points {i}")
    if limit:
        level = base - limit * scale
        canvas.line(left, level, right, level, role="ink", width=2, dashed=True, name="threshold")
    if empty:
        canvas.text((left + right) / 2, (plot + base) / 2, "no data", size=18, role="muted", anchor="middle", halo=True)
    y = _time_axis(canvas, axis, begin, end, left=left, right=right, across=across, y=base)

    told = "; ".join(
        f"{shorten(name, 200, 14)}, {_time(row.period)} each: {_range(values, unit)}"
        for row, (name, values) in zip(rows, checked, strict=True)
    )
    line = f"threshold {number(limit)} {unit}" if limit else ""
    on = sum(b - a for a, b in bands)
    rang = f"in ALARM for {_time(on)}" if on else ""
    alt = sentences(title, "; ".join(part for part in (told, line, rang) if part), seen)
    return canvas.picture(y + 18, title=title, alt=alt)


def _checked(row: Series) -> tuple[str, _Array]:
    """The series' clean name and its values, nan where there is none."""
    name = clean(row.name) or "metric"
    of = f"the values of {shorten(name, 160, 14)!r}"
    whose = shorten(name, 160, 14)
    if not is_whole(row.period) or not 1 <= row.period <= _DAY:
        raise PictureError(f"The period of {whose!r} is {shown(row.period)}; pass whole seconds, up to a day.")
    if not is_whole(row.first) or abs(row.first) > _LAST_SECOND:
        raise PictureError(f"The first second of {whose!r} is {shown(row.first)}; pass whole seconds, such as 0.")
    if len(row.values) > MOST_POINTS:
        raise PictureError(f"{of} are {number(len(row.values))}; pass at most {number(MOST_POINTS)}.")
    known = iter(values_of(of, [value for value in row.values if value is not None]))
    return name, np.array([np.nan if value is None else next(known) for value in row.values], dtype=np.float64)


def _bands(alarm: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The seconds in ALARM in order, those that touch joined."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted((int(start), int(stop)) for start, stop in alarm):
        if stop <= start:
            raise PictureError(f"The alarm's time ({start}, {stop}) ends before it begins; pass (from, to) in seconds.")
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def _threshold_words(limit: float, words: str, unit: str) -> str:
    return clean(words) or f"threshold, {number(limit)} {unit}"


def _caption(
    rows: Sequence[Series],
    checked: Sequence[tuple[str, _Array]],
    limit: float | None,
    bands: Sequence[tuple[int, int]],
    unit: str,
) -> str:
    """One sentence that says what to see."""
    if all(np.isnan(values).all() for _, values in checked):
        return "There is no data point: nothing happened that this metric counts."
    tops = [float(np.nanmax(values)) if not np.isnan(values).all() else -1.0 for _, values in checked]
    most = max(range(len(tops)), key=lambda i: tops[i])
    name = shorten(checked[most][0], 240, 16)
    said = f"The highest value is {number(tops[most])} {unit}" + (f" ({name})" if len(rows) > 1 else "")
    if limit is None:
        return said + "."
    first, values = checked[0]
    times = int((values[~np.isnan(values)] >= limit).sum())
    who = f"{shorten(first, 240, 16)} reaches the threshold" if len(rows) > 1 else "it reaches the threshold"
    periods = f"{number(times)} {'period' if times == 1 else 'periods'} of {_time(rows[0].period)}"
    reach = f"{who} in {periods}" if times else f"{who.replace(' reaches', ' never reaches')}"
    rang = f"; in ALARM for {_time(sum(b - a for a, b in bands))}" if bands else ""
    return f"{said}; {reach}{rang}."


def _time(seconds: int) -> str:
    for size, word in ((3600, "h"), (60, "min")):
        if seconds >= size and seconds % size == 0:
            return f"{number(seconds // size)} {word}"
    return f"{number(seconds)} s"


def _range(values: _Array, unit: str) -> str:
    known = values[~np.isnan(values)]
    if not len(known):
        return "no data"
    return f"{number(float(known.min()))} to {number(float(known.max()))} {unit}"


def _fold(values: _Array, span: int) -> _Array:
    """The highest of every ``span`` values; nan where there is none."""
    if span <= 1:
        return values
    padded = np.pad(np.where(np.isnan(values), -1.0, values), (0, -len(values) % span), constant_values=-1.0)
    highest: _Array = padded.reshape(-1, span).max(axis=1)
    return np.where(highest < 0, np.nan, highest)


def _steps(
    values: _Array, left: float, wide: float, base: float, scale: float, right: float
) -> list[list[tuple[float, float]]]:
    """One line for each stretch without a gap: a level as long as each period."""
    lines: list[list[tuple[float, float]]] = []
    open_ = False
    for i, value in enumerate(values.tolist()):
        if math.isnan(value):
            open_ = False
            continue
        x, y = left + i * wide, base - value * scale
        if not open_:
            lines.append([(x, y)])
        elif lines[-1][-1][1] == y:
            lines[-1].pop()
        else:
            lines[-1].append((x, y))
        lines[-1].append((min(x + wide, right), y))
        open_ = True
    return lines


def _joined(values: _Array, left: float, wide: float, base: float, scale: float) -> list[list[tuple[float, float]]]:
    """One line for each stretch without a gap, through a point at the beginning of each period."""
    lines: list[list[tuple[float, float]]] = []
    open_ = False
    for i, value in enumerate(values.tolist()):
        if math.isnan(value):
            open_ = False
            continue
        if not open_:
            lines.append([])
        lines[-1].append((left + i * wide, base - value * scale))
        open_ = True
    return lines


def _time_axis(
    canvas: Canvas, axis: Clock, begin: int, end: int, *, left: float, right: float, across: float, y: float
) -> float:
    """Numbers or times under the plot and the axis' name; the last baseline."""
    unit = 1 if axis == "second" else 60
    widest = text_width("00:00" if axis == "clock" else number(end / unit), 14) + 14
    least = widest / across
    if axis == "second":
        every = round_step(least)
    else:
        choices = [60 * minutes for minutes in (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)]
        every = next((step for step in choices if step >= least), 86_400 * round_step(least / 86_400))
    for second in range(-(-begin // every) * every, end + 1, every):
        x = left + (second - begin) * across
        words = f"{dt.datetime.fromtimestamp(second, dt.UTC):%H:%M}" if axis == "clock" else number(second / unit)
        canvas.line(x, y, x, y + 5, role="muted", name="time")
        if x + text_width(words, 14) / 2 <= canvas.width - MARGIN / 2:
            canvas.text(x, y + 20, words, size=14, role="muted", anchor="middle")
    names = {"second": "simulated second", "minute": "simulated minute", "clock": "time, UTC"}
    canvas.text(left, y + 41, names[axis], size=14, role="muted")
    return y + 41
