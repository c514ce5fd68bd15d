"""``metric`` and ``Series``: steps, gaps, thresholds and alarms read back from the picture."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import Series, metric
from picture_reading import assert_as_last_looked_at, assert_sound, level_of, lines_named, named, rects_named, words

FRIDAY = int(dt.datetime(2026, 11, 27, 18, 0, tzinfo=dt.UTC).timestamp())


def steps(picture: Picture, place: int = 0) -> list[tuple[float, float, float]]:
    """The level stretches of a series: (from x, to x, y)."""
    found = []
    for line in lines_named(picture, f"series {place}"):
        for (x1, y1), (x2, y2) in zip(line, line[1:], strict=False):
            if y1 == y2:
                found.append((x1, x2, y1))
    return found


def height_at(picture: Picture, x: float, place: int = 0) -> float | None:
    """How high a series stands over the axis at ``x``; None in a gap."""
    base = level_of(picture, "tick 0")
    return next((base - y for x1, x2, y in steps(picture, place) if x1 < x < x2), None)


values = st.one_of(st.none(), st.just(0.0), st.floats(0.01, 5000), st.floats(0.001, 1e12))


@settings(max_examples=60)
@given(
    data=st.lists(values, min_size=1, max_size=200),
    limit=st.one_of(st.none(), st.floats(0.01, 1e6)),
    text=st.text(max_size=80),
)
def test_every_value_is_a_step_as_long_as_its_period_and_as_high_as_its_worth(
    data: list[float | None], limit: float | None, text: str
) -> None:
    picture = metric(Series(text, data), title=text, unit="WU/s", threshold=limit)
    assert_sound(picture)
    known = [value for value in data if value is not None]
    ((left, base), (right, _)) = lines_named(picture, "tick 0")[0]
    wide = (right - left) / len(data)
    highest = max([*known, limit or 0.0])
    tops = [y for _, _, y in steps(picture)] + ([level_of(picture, "threshold")] if limit else [])
    scale = (base - min(tops)) / highest if highest else 0.0
    for i, value in enumerate(data):
        high = height_at(picture, left + (i + 0.5) * wide)
        assert (high is None) == (value is None)
        if high is not None and value is not None:
            assert high == pytest.approx(value * scale, abs=0.02)
    drawn = sum((x2 - x1) * (base - y) for x1, x2, y in steps(picture))
    assert drawn == pytest.approx(sum(known) * scale * wide, rel=1e-3, abs=0.02 * (right - left) + 5)
    if limit:
        assert base - level_of(picture, "threshold") == pytest.approx(limit * scale, abs=0.02)
    else:
        assert named(picture, "threshold") == []


def test_a_minute_s_average_hides_the_second_at_the_ceiling() -> None:
    seconds = Series("each second", [1000.0 if 30 <= s < 40 else 100.0 for s in range(60)] * 3, 1)
    minutes = seconds.over(60, name="the minute's average")
    assert minutes.values == [250.0] * 3
    both = metric([seconds, minutes], title="t", unit="WU/s", threshold=(1000, "ceiling"))
    assert_sound(both)
    base, ceiling = level_of(both, "tick 0"), level_of(both, "threshold")
    assert min(y for _, _, y in steps(both, 0)) == pytest.approx(ceiling, abs=0.02)
    assert [base - y for _, _, y in steps(both, 1)] == pytest.approx([(base - ceiling) / 4], abs=0.02)
    assert "each second reaches the threshold in 30 periods of 1 s" in both.alt
    still = metric(minutes, title="t", unit="WU/s", top=1000)
    assert lines_named(still, "tick 500") == lines_named(metric(seconds, title="t", unit="WU/s"), "tick 500")


def test_periods_fold_at_multiples_and_those_without_data_stay_without() -> None:
    series = Series("x", [1.0, 2.0, None, 4.0, None, None], 20, first=40)
    assert series.over(60, "Sum") == Series("x", [1.0, 6.0, None], 60, 0)
    assert series.over(60, "Maximum").values == [1.0, 4.0, None]
    assert series.over(60, "Minimum").values == [1.0, 2.0, None]
    assert series.over(60, "SampleCount").values == [1.0, 2.0, None]
    assert series.over(20) == series


@pytest.mark.parametrize("period", [10, 30, 0])
def test_periods_that_do_not_fit_are_refused(period: int) -> None:
    with pytest.raises(PictureError, match=f"do not make up periods of {period} s"):
        Series("x", [1.0], 20).over(period)


def test_an_unknown_statistic_is_refused() -> None:
    with pytest.raises(PictureError, match="it is one of Average, Sum"):
        Series("x", [1.0], 20).over(60, "Mean")  # type: ignore[arg-type]


def test_cloudwatch_s_answer_becomes_a_series_in_time_order_with_its_gaps() -> None:
    stamps = [dt.datetime.fromtimestamp(FRIDAY + 60 * m, dt.UTC) for m in (3, 0, 1)]
    result = {"Id": "m1", "Label": "WriteThrottleEvents", "Timestamps": stamps, "Values": [7.0, 5.0, 6.0]}
    series = Series.of_result(result)
    assert series == Series("WriteThrottleEvents", [5.0, 6.0, None, 7.0], 60, FRIDAY)
    picture = metric(series, title="t", unit="Count", axis="clock")
    assert {"18:00", "18:01", "18:03", "time, UTC"} <= set(words(picture))
    nothing = Series.of_result({**result, "Timestamps": [], "Values": []})
    assert nothing.values == []
    assert "no data" in words(metric(nothing, title="t", unit="Count"))


def test_the_seconds_in_alarm_are_shaded_named_and_counted() -> None:
    picture = metric(
        Series("x", [1.0, 9.0, 9.0, 1.0, 9.0, 1.0]),
        title="t",
        unit="u",
        threshold=5,
        alarm=[(240, 300), (60, 120), (120, 180)],
    )
    assert_sound(picture)
    ((left, _), (right, _)) = lines_named(picture, "tick 0")[0]
    minute = (right - left) / 6
    assert [(x1, x2) for x1, _, x2, _ in rects_named(picture, "alarm")] == [
        pytest.approx((left + minute, left + 3 * minute), abs=0.02),
        pytest.approx((left + 4 * minute, left + 5 * minute), abs=0.02),
    ]
    assert words(picture).count("ALARM") == 2
    assert "in ALARM" in words(picture)
    assert "in ALARM for 3 min" in picture.alt


def test_series_differ_in_dashes_and_not_only_in_colour() -> None:
    rows = [Series(f"s{i}", [float(i)] * 4) for i in range(5)]
    picture = metric(rows, title="t", unit="u")
    assert_sound(picture)
    looks = [named(picture, f"series {i}")[0] for i in range(5)]
    assert len({e.get("stroke-dasharray") for e in looks}) == 5
    assert len({e.get("stroke") for e in looks}) == 5
    assert {f"s{i}" for i in range(5)} <= set(words(picture))


def test_points_may_be_joined_as_the_console_does_and_a_gap_stays_a_gap() -> None:
    picture = metric(Series("x", [1.0, 2.0, None, 4.0]), title="t", unit="u", points=True)
    assert_sound(picture)
    first, second = lines_named(picture, "series 0")
    assert (len(first), len(second)) == (2, 1)
    assert len(rects_named(picture, "points 0")) == 3
    base = level_of(picture, "tick 0")
    assert [base - y for _, y in [*first, *second]] == pytest.approx([55, 110, 220], abs=0.02)


@pytest.mark.parametrize("axis", ["second", "minute", "clock"])
@pytest.mark.parametrize("period", [1, 60, 300])
@pytest.mark.parametrize("count", [1, 2, 59, 361, 5000])
def test_any_length_on_any_axis_stays_on_the_canvas_in_short_text(axis: Any, period: int, count: int) -> None:
    data = [float((i * 37) % 211) for i in range(count)]
    first = FRIDAY if axis == "clock" else 0
    picture = metric(Series("x", data, period, first), title="t", unit="WU/s", axis=axis, alarm=[(first, first + 1)])
    assert_sound(picture)
    assert len(picture.svg) < 24_000


def test_of_more_than_360_values_the_highest_of_each_few_is_drawn_and_the_caption_says_so() -> None:
    data = [10.0] * 720
    data[301] = 100.0
    picture = metric(Series("x", data, 1), title="t", unit="u", axis="second")
    ((left, base), (right, _)) = lines_named(picture, "tick 0")[0]
    peak = left + (right - left) * 301 / 720
    assert height_at(picture, peak) == pytest.approx(220, abs=0.02)
    assert height_at(picture, peak + 4) == pytest.approx(22, abs=0.02)
    assert "Each step is the highest of 2 s." in " ".join(words(picture))
    assert base > level_of(picture, "tick 50")


@pytest.mark.parametrize(
    "name", ["很长的名字" * 40, "e\u0301" * 200, "👩‍👩‍👧‍👦" * 50, "W" * 400, "<b>&\"'</b>", "\x00", ""]
)
def test_names_of_any_kind_stay_in_their_places(name: str) -> None:
    rows = [Series(name, [1.0, 2.0])] * 5
    picture = metric(
        rows, title=name, unit=name, caption=name or None, threshold=(1.5, name), alarm=[(0, 30)], axis="second"
    )
    assert_sound(picture)


@pytest.mark.parametrize("data", [[], [None], [None, None, None]])
def test_a_metric_without_a_data_point_is_a_readable_empty_picture(data: list[None]) -> None:
    picture = metric(Series("x", data), title="Nothing", unit="Count", threshold=5)
    assert_sound(picture)
    assert "no data" in words(picture)
    assert "There is no data point" in picture.alt


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"series": []}, "no metric to draw"),
        ({"series": [Series("x", [1.0])] * 6}, "6 series are too many"),
        ({"series": Series("x", [math.nan])}, "the values of 'x'"),
        ({"series": Series("x", [-1.0])}, "the values of 'x'"),
        ({"series": Series("x", ["a"])}, "the values of 'x' must hold numbers"),  # type: ignore[list-item]
        ({"series": Series("x", [1.0], 0)}, "The period of 'x' is 0"),
        ({"threshold": 0}, "threshold is 0"),
        ({"axis": "hour"}, "axis is 'hour'"),
        ({"alarm": [(60, 60)]}, "ends before it begins"),
        ({"top": -1}, "top"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    whole: dict[str, Any] = {"series": Series("x", [1.0]), "title": "t", "unit": "u", **arguments}
    with pytest.raises(PictureError, match=sentence):
        metric(whole.pop("series"), **whole)


def test_an_answer_that_is_none_of_cloudwatch_s_is_refused_in_one_sentence() -> None:
    with pytest.raises(PictureError, match="MetricDataResults"):
        Series.of_result({"Label": "x"})


# --- pictures that somebody looked at ---------------------------------------------------------------------------


def metric_hidden_second() -> Picture:
    seconds = [1000.0 if 30 <= s % 300 < 42 else 120.0 + s * 7 % 61 for s in range(900)]
    each = Series("consumed in each second", seconds, 1)
    rows = [each, each.over(60, name="the minute's average")]
    title = "A minute's average hides the seconds at the ceiling"
    return metric(rows, title=title, unit="WU/s", threshold=(1000, "a partition's ceiling, 1,000 WU/s"))


def metric_alarm() -> Picture:
    consumed = [200.0 + 37 * i % 97 if i % 9 else None for i in range(60)]
    throttled = [90.0 + 53 * i % 91 if 10 <= i < 20 or i in (31, 32) else 3.0 for i in range(60)]
    rows = [
        Series("WriteThrottleEvents", throttled, 60, FRIDAY),
        Series("ConsumedWriteCapacityUnits", consumed, 60, FRIDAY),
    ]
    on = [(FRIDAY + 60 * a, FRIDAY + 60 * b) for a, b in ((12, 22), (33, 34))]
    return metric(rows, title="Friday evening", unit="Count", threshold=80, alarm=on, axis="clock")


def metric_joined() -> Picture:
    rows = [
        Series(f"index {i}", [20.0 * i + (i + 2) * j % 17 if j != 8 else None for j in range(20)]) for i in range(5)
    ]
    return metric(rows, title="Five series, joined as the console does", unit="WCU", points=True)


def metric_no_data() -> Picture:
    return metric(Series("ThrottledRequests", [None] * 5), title="Nothing was refused", unit="Count", threshold=5)


@pytest.mark.parametrize(
    "draw", [metric_hidden_second, metric_alarm, metric_joined, metric_no_data], ids=lambda draw: draw.__name__
)
def test_a_picture_is_drawn_as_it_was_when_somebody_last_looked_at_it(draw: Callable[[], Picture]) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)
