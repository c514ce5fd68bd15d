"""``token_buckets``: levels and flows read back from the picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.model.meters import MICROSECONDS, Meter
from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import Bucket, token_buckets
from picture_reading import assert_as_last_looked_at, assert_sound, drawn, level_of, lines_named, rects_named, words


def run(name: str, refill: float, depth: float, demand: list[int], units: float = 1) -> Bucket:
    """A meter of the model under that many requests of ``units`` in each second."""
    meter = Meter(refill, depth)
    level, admitted, refused = [], [], []
    for second, asked in enumerate(demand):
        now = second * MICROSECONDS
        took = 0
        while took < asked and meter.admits(now):
            meter.charge(units, now)
            took += 1
        level.append(meter.level_at(now))
        admitted.append(took * units)
        refused.append((asked - took) * units)
    return Bucket(name, refill, depth, level, admitted, refused)


def area(picture: Picture, name: str) -> float:
    return sum((right - left) * (bottom - top) for left, top, right, bottom in rects_named(picture, name))


def zero_of(picture: Picture, name: str) -> float:
    return level_of(picture, f"{name} tick 0")


amounts = st.one_of(st.just(0.0), st.floats(0.01, 5000), st.floats(0.001, 1e12))
seconds = st.tuples(st.floats(-3000, 3000), amounts, amounts)


@settings(max_examples=60)
@given(
    data=st.lists(seconds, min_size=1, max_size=150),
    refill=amounts,
    depth=amounts,
    name=st.text(max_size=80),
    count=st.integers(1, 8),
)
def test_areas_sum_to_the_data_and_the_dashed_lines_are_to_the_same_scale(
    data: list[tuple[float, float, float]], refill: float, depth: float, name: str, count: int
) -> None:
    bucket = Bucket(name, refill, depth, *([row[i] for row in data] for i in range(3)))
    picture = token_buckets([bucket] * count, title=name)
    assert_sound(picture)
    for i in {0, count - 1}:
        # One second is as wide as the plot is by their number; the scales are read from what fixes them.
        ((left, _), (right, _)) = lines_named(picture, f"depth {i}")[0]
        slot = (right - left) / len(data)
        zero = zero_of(picture, f"level {i}")
        high = max(depth, *bucket.level)
        low = min(0.0, *bucket.level)
        lowest = max([box[3] for box in rects_named(picture, f"owed {i}")] or [zero])
        highest = min([box[1] for box in rects_named(picture, f"held {i}")] + [level_of(picture, f"depth {i}")])
        if high > low:
            scale = (lowest - highest) / (high - low)
            held, owed = (sum(max(0.0, sign * level) for level in bucket.level) for sign in (1, -1))
            dust = 0.02 * (right - left) + 0.02 * 110 * len(data)
            assert area(picture, f"held {i}") == pytest.approx(held * scale * slot, abs=dust)
            assert area(picture, f"owed {i}") == pytest.approx(owed * scale * slot, abs=dust)
            assert zero - level_of(picture, f"depth {i}") == pytest.approx(depth * scale, abs=0.05)
        base = zero_of(picture, f"rate {i}")
        admitted, refused = (rects_named(picture, f"{kind} {i}") for kind in ("admitted", "refused"))
        tops = [top for _, top, _, _ in [*admitted, *refused]] + [level_of(picture, f"refill {i}")]
        most = max(refill, *(a + r for _, a, r in data))
        scale = (base - min(tops)) / most if most else 0.0
        for boxes, values in ((admitted, bucket.admitted), (refused, bucket.refused)):
            drawn_sum = sum(bottom - top for _, top, _, bottom in boxes)
            assert drawn_sum == pytest.approx(sum(values) * scale, abs=0.03 * len(data) + 1e-6 * drawn_sum)
        assert base - level_of(picture, f"refill {i}") == pytest.approx(refill * scale, abs=0.05)


def test_a_table_of_5_wcu_swallows_500_writes_and_then_crawls() -> None:
    bucket = run("orders", 5, 1500, [500, *[0] * 4, *[40] * 115])
    picture = token_buckets(bucket, title="5 WCU")
    assert_sound(picture)
    second = next(i for i, lost in enumerate(bucket.refused) if lost)
    assert f"first refuses in second {second}" in picture.alt
    assert "then it admits 5 WU/s." in picture.alt
    assert f"{sum(bucket.admitted):,.0f} WU admitted" in words(picture)


def test_all_buckets_have_the_same_axes() -> None:
    demands = (50, 50, 50, 150)
    buckets = [run(f"partition {i}", 100, 3000, [d] * 120) for i, d in enumerate(demands)]
    picture = token_buckets(buckets, title="four", first=60)
    assert_sound(picture)
    high = [sum(b - t for _, t, _, b in rects_named(picture, f"admitted {i}")[:1]) for i in range(4)]
    assert high[:3] == pytest.approx([high[0]] * 3, abs=0.02)
    assert high[3] == pytest.approx(3 * high[0], abs=0.05)
    depths = [zero_of(picture, f"level {i}") - level_of(picture, f"depth {i}") for i in range(4)]
    assert depths == pytest.approx([depths[0]] * 4, abs=0.03)
    assert len({line[0][0] for i in range(4) for line in lines_named(picture, f"depth {i}")}) == 1
    assert "“partition 3” first refuses in second" in picture.alt


def test_refused_units_are_hatched_where_they_are_drawn() -> None:
    picture = token_buckets(run("b", 10, 10, [30] * 5), title="t")
    hatched = [e.get("d") for e in drawn(picture) if e.get("fill", "").startswith("url(#")]
    (refused,) = (e for e in drawn(picture) if e.get("data-name") == "refused 0")
    assert refused.get("d") in hatched


def test_what_is_owed_is_drawn_below_zero_and_the_legend_says_so() -> None:
    picture = token_buckets(run("b", 5, 60, [3] * 9, units=30), title="t")
    zero = zero_of(picture, "level 0")
    assert all(top == pytest.approx(zero, abs=0.02) for _, top, _, _ in rects_named(picture, "owed 0"))
    assert "held, WU, pale: owed" in words(picture)
    assert "held, WU" in words(token_buckets(run("b", 5, 60, [1] * 9), title="t"))


def test_over_180_seconds_a_column_keeps_the_lowest_level_and_the_busiest_second() -> None:
    level, took, lost = [100.0] * 360, [10.0] * 360, [0.0] * 360
    level[101], took[101], lost[101] = 0.0, 50.0, 200.0
    took[100] = 60.0  # more admitted, but less asked for
    picture = token_buckets(Bucket("b", 10, 100, level, took, lost), title="t")
    assert_sound(picture)
    ((_, top, _, bottom),) = rects_named(picture, "refused 0")
    heights = [b - t for _, t, _, b in rects_named(picture, "admitted 0")]
    assert len(heights) == 180
    assert heights[50] == pytest.approx(5 * heights[0], abs=0.05)
    assert bottom - top == pytest.approx(20 * heights[0], abs=0.05)
    first, second = rects_named(picture, "held 0")
    assert second[0] - first[2] == pytest.approx(first[2] / 50 - first[0] / 50, abs=0.1)  # one column is empty
    assert "Each column is 2 seconds: the lowest level, the busiest second." in " ".join(words(picture))
    assert "3,690 WU admitted" in words(picture)


@pytest.mark.parametrize("length", [1, 2, 5, 59, 60, 180, 181, 3600, 90_000])
@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_1_to_8_buckets_of_a_second_to_a_day_stay_on_the_canvas_in_short_text(length: int, count: int) -> None:
    demand = [(i * 37) % 211 for i in range(length)]
    took, lost = [min(d, 100) for d in demand], [max(0, d - 100) for d in demand]
    bucket = Bucket("很长的名字" * 20, 100, 30_000, [30_000 - d for d in demand], took, lost)
    picture = token_buckets([bucket] * count, title="long", first=86_400 * 365)
    assert_sound(picture)
    assert len(picture.svg) < 20_000 + 30_000 * count


def test_axes_stand_still_when_they_are_told_how_far_to_reach() -> None:
    short, long = (
        token_buckets(run("b", 5, depth, [20] * n), title="t", seconds=100, top_level=900, top_rate=300)
        for depth, n in ((100, 10), (600, 90))
    )
    for name in ("level 0 tick 0", "rate 0 tick 200"):
        assert lines_named(short, name) == lines_named(long, name)
    assert (short.width, short.height) == (long.width, long.height)
    assert len(rects_named(short, "admitted 0")) == 10


def test_nothing_asked_and_nothing_refused_have_captions_of_their_own() -> None:
    assert "Nothing is asked for" in token_buckets(run("b", 5, 10, [0, 0]), title="t").alt
    assert "Nothing is refused: the lowest level is 2 WU." in token_buckets(run("b", 5, 10, [8, 0]), title="t").alt


GOOD = Bucket("b", 1, 2, [1], [1], [0])


@pytest.mark.parametrize(
    ("buckets", "sentence"),
    [
        ([], "no bucket to draw"),
        ([GOOD] * 9, "9 buckets are too many"),
        ([GOOD, run("c", 1, 1, [1, 1])], "different numbers of seconds"),
        (replace(GOOD, level=[1, 2]), "has 2 levels, 1 admitted and 1 refused"),
        (replace(GOOD, level=[], admitted=[], refused=[]), "covers 0 seconds"),
        (replace(GOOD, level=[math.nan]), "level of the bucket 'b'"),
        (replace(GOOD, level=["x"]), "level of the bucket 'b' must hold numbers"),
        (replace(GOOD, admitted=[-1]), "admitted of the bucket 'b'"),
        (replace(GOOD, refused=[math.inf]), "refused of the bucket 'b'"),
        (replace(GOOD, depth=-1), "depth of the bucket 'b'"),
        (replace(GOOD, refill=math.nan), "refill of the bucket 'b'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(buckets: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        token_buckets(buckets, title="t")


# --- pictures that somebody looked at ---------------------------------------------------------------------------


def bucket_5_wcu() -> Picture:
    bucket = run("a table of 5 WCU", 5, 1500, [500, *[0] * 4, *[40] * 115])
    return token_buckets(bucket, title="A table of 5 WCU swallows 500 writes, then crawls")


def bucket_four_partitions() -> Picture:
    buckets = [run(f"partition {i}", 100, 30_000, [0] * 60 + [d] * 1140) for i, d in enumerate((50, 50, 50, 150))]
    return token_buckets(buckets, title="Four partitions of 100 WCU under 50, 50, 50 and 150")


def bucket_owes() -> Picture:
    return token_buckets(run("items of 30 KB", 5, 60, [2] * 20, units=30), title="A request may overdraw its bucket")


@pytest.mark.parametrize("draw", [bucket_5_wcu, bucket_four_partitions, bucket_owes], ids=lambda draw: draw.__name__)
def test_a_picture_is_drawn_as_it_was_when_somebody_last_looked_at_it(draw: Callable[[], Picture]) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)
