"""A day as a heat map: cells, scale, hatching, clock."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import heat_map
from dynamolab.view.theme import HEAT
from picture_reading import assert_as_last_looked_at, assert_sound, boxes_named, drawn, named, path_boxes, words

SCALES = st.booleans()


def a_day(rows: int, columns: int) -> tuple[Any, Any]:
    """A day with its two peaks, in which one row is hot in the evening and refused above 900."""
    hour = np.arange(columns) * 24 / columns
    shape = 20 + 80 * np.exp(-(((hour - 20) / 2.5) ** 2)) + 50 * np.exp(-(((hour - 13) / 2) ** 2))
    share = 1.0 + (np.arange(rows) * 7 % 11)
    units = np.round(np.outer(share, shape))
    units[rows // 2] += np.round(1500 * np.exp(-(((hour - 20) / 1.2) ** 2)))
    return units, np.maximum(units - 900, 0)


def heat_a_day() -> Picture:
    units, lost = a_day(32, 288)
    return heat_map(units, refused=lost, title="A day of 32 key ranges")


def heat_four_partitions() -> Picture:
    units, lost = a_day(4, 24)
    names = [f"partition {i}" for i in range(4)]
    return heat_map(units, refused=lost, labels=names, rows="partition", bin_seconds=3600, even=True, title="Four")


def heat_nothing_refused() -> Picture:
    return heat_map(a_day(64, 48)[0], bin_seconds=1800, title="64 key ranges")


@pytest.mark.parametrize("draw", [heat_a_day, heat_four_partitions, heat_nothing_refused])
def test_the_map_is_drawn_as_when_somebody_last_looked(draw: Any) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)


def levels_of(picture: Picture, shape: tuple[int, int]) -> Any:
    """The step of every cell, read from the picture, by the middle of each cell."""
    (x, y, right, bottom), *_ = boxes_named(picture, "nothing")["nothing"]
    found = np.zeros(shape, dtype=int)
    wide, high = (right - x) / shape[1], (bottom - y) / shape[0]
    for step, role in enumerate(HEAT):
        for e in named(picture, role):
            for left, top, end, _ in path_boxes(e):
                row = round((top - y) / high)
                first, last = round((left - x) / wide), round((end - x) / wide)
                assert (found[row, first:last] == 0).all()  # no cell is painted twice
                found[row, first:last] = step
    return found


def refused_of(picture: Picture, shape: tuple[int, int]) -> Any:
    (x, y, right, bottom), *_ = boxes_named(picture, "nothing")["nothing"]
    wide, high = (right - x) / shape[1], (bottom - y) / shape[0]
    found = np.zeros(shape, dtype=bool)
    for left, top, end, _ in boxes_named(picture, "refused cells").get("refused cells", []):
        found[round((top - y) / high), round((left - x) / wide) : round((end - x) / wide)] = True
    return found


def bounds_of(picture: Picture) -> list[str]:
    """The numbers under the legend's boxes, as they are written."""
    texts = [e for e in drawn(picture) if e.tag.endswith("text")]
    level = next(e.get("y") for e in texts if e.text == "0" and e.get("font-size") == "13")
    return [e.text or "" for e in texts if e.get("y") == level][1:]


cells = st.one_of(st.just(0.0), st.floats(0.001, 5000), st.floats(0.001, 1e15))
shapes = st.tuples(st.integers(1, 64), st.integers(1, 288))


@settings(max_examples=60)
@given(
    units=shapes.flatmap(lambda shape: arrays(float, shape, elements=cells, fill=st.sampled_from([0.0, 7.0]))),
    part=st.sampled_from([0.0, 0.25, 1.0]),
    even=st.booleans(),
    start=st.sampled_from([0.0, 3600.0, 86_399.0, 1e6]),
    span=st.sampled_from([1.0, 60.0, 300.0, 3600.0, 0.5, 90_000.0]),
    label=st.sampled_from([None, "key {}", "a range with a name that is much too long for its place {}", "商品 {}"]),
)
def test_any_map_stays_on_the_canvas_and_its_cells_are_the_data(
    units: Any, part: float, even: bool, start: float, span: float, label: str | None
) -> None:
    lost = np.where(np.arange(units.size).reshape(units.shape) % 3 == 0, units * part, 0)
    names = [label.format(i) for i in range(len(units))] if label else None
    picture = heat_map(
        units, refused=lost, labels=names, even=even, start=start, bin_seconds=span, rows="key range", title="t"
    )
    assert_sound(picture)
    found = levels_of(picture, units.shape)
    seen = np.round(units, 9)
    assert ((found == 0) == (seen == 0)).all()
    assert (refused_of(picture, units.shape) == (np.round(lost, 9) > 0)).all()
    # A darker cell never holds less, and the busiest has the last steps of the scale.
    order = np.argsort(seen, axis=None, kind="stable")
    assert (np.diff(found.ravel()[order]) >= 0).all()
    assert found.max() == (len(HEAT) - 1 if seen.any() and not even else found.max())


@pytest.mark.parametrize("rows", [1, 2, 4, 10, 16, 32, 50, 64])
@pytest.mark.parametrize("columns", [1, 7, 60, 288])
def test_1_to_64_rows_of_1_to_288_columns_fit_and_no_words_overlap(rows: int, columns: int) -> None:
    units, lost = a_day(rows, columns)
    for refused in (None, lost):
        assert_sound(heat_map(units, refused=refused, bin_seconds=86_400 / columns, title="t"))


def test_each_cell_has_the_step_in_which_its_value_lies() -> None:
    values = np.array([[0, 1, 20, 21, 50, 51, 100, 101, 200, 500, 501, 1000]])
    picture = heat_map(values, title="t")
    assert bounds_of(picture) == ["20", "50", "100", "200", "500", "1,000"]
    assert levels_of(picture, values.shape).tolist() == [[0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 6]]


def test_an_even_scale_has_six_equal_steps() -> None:
    values = np.array([[0, 100, 101, 200, 600]])
    picture = heat_map(values, even=True, title="t")
    assert bounds_of(picture) == ["100", "200", "300", "400", "500", "600"]
    assert levels_of(picture, values.shape).tolist() == [[0, 1, 2, 2, 6]]


@pytest.mark.parametrize("top", [0.003, 0.1, 1, 3, 7, 10, 1999, 2e6, 1e15])
def test_the_bounds_are_the_members_of_one_series(top: float) -> None:
    bounds = bounds_of(heat_map([[top]], title="t"))
    assert len(set(bounds)) == 6
    assert all(word[0] in "1250" for word in bounds)


def test_a_fixed_top_keeps_the_scale_and_says_when_more_was_asked_for() -> None:
    small, large = heat_map([[5.0, 90]], top=100, title="t"), heat_map([[5.0, 9000]], top=100, title="t")
    assert [word.rstrip("+") for word in bounds_of(large)] == bounds_of(small)
    assert bounds_of(large)[-1] == "100+"


def test_refused_cells_are_hatched_and_outlined_as_one_run() -> None:
    picture = heat_map([[9, 9, 9, 9]], refused=[[0, 3, 3, 0]], title="t")
    (outline,) = boxes_named(picture, "refused cells")["refused cells"]
    hatched = [box for e in drawn(picture) if e.get("fill", "").endswith("over)") for box in path_boxes(e)]
    assert hatched == [outline]
    assert "refused" in words(picture)


def test_the_margins_show_what_was_refused_by_row_and_by_column() -> None:
    picture = heat_map(np.full((2, 3), 9), refused=[[0, 4, 0], [2, 0, 1]], title="t")
    by_row = [r - x for x, _, r, _ in boxes_named(picture, "refused by row")["refused by row"]]
    by_column = [b - t for _, t, _, b in boxes_named(picture, "refused by column")["refused by column"]]
    assert by_row[1] / by_row[0] == pytest.approx(3 / 4, abs=0.001)
    assert [value / by_column[1] for value in by_column] == pytest.approx([2 / 4, 1, 1 / 4], abs=0.002)


def test_the_clock_runs_from_the_start_to_the_end_of_the_day() -> None:
    seen = words(heat_map(np.ones((2, 288)), title="t"))
    assert [word for word in seen if ":" in word and len(word) == 5] == ["00:00", "06:00", "12:00", "18:00", "24:00"]
    assert "simulated clock; a column is 5 min" in seen


def test_a_minute_is_told_by_the_second_and_a_second_day_by_its_number() -> None:
    assert "10:00:30" in words(heat_map(np.ones((1, 60)), start=36_000, bin_seconds=1, title="t"))
    assert any(word.startswith("day 2, ") for word in words(heat_map(np.ones((1, 48)), bin_seconds=3600, title="t")))


def test_a_smooth_day_of_64_ranges_stays_short_as_text() -> None:
    units, lost = a_day(64, 288)
    assert len(heat_map(units, refused=lost, title="t").svg) < 40_000
    noise = np.random.default_rng(7).integers(0, 1000, (64, 288))
    assert len(heat_map(noise, title="t").svg) < 250_000


@pytest.mark.parametrize(
    ("units", "refused", "labels", "caption"),
    [
        ([[0, 0]], None, None, "Nothing was asked for."),
        ([[1, 0], [3, 0]], None, None, "Nothing is refused; key range 1 takes most, 75 % of the WU."),
        (
            [[8, 8], [8, 8]],
            [[0, 0], [0, 8]],
            ["a", "b"],
            "25 % is refused, between 00:05 and 00:10; 100 % of that in b.",
        ),
    ],
)
def test_the_caption_says_what_to_see(units: Any, refused: Any, labels: Any, caption: str) -> None:
    assert caption in words(heat_map(units, refused=refused, labels=labels, title="t"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"units": []}, "must be a table of numbers"),
        ({"units": [1, 2]}, "must be a table of numbers"),
        ({"units": [["a"]]}, "must be a table of numbers"),
        ({"units": [[math.nan]]}, "other than numbers"),
        ({"units": [[-1]]}, "other than numbers"),
        ({"units": np.ones((65, 2))}, "65 rows and 2 columns"),
        ({"units": np.ones((2, 289))}, "2 rows and 289 columns"),
        ({"units": [[1, 2]], "refused": [[1]]}, "two of one shape"),
        ({"units": [[1, 2]], "refused": [[2, 0]]}, "refused is above units"),
        ({"units": [[1, 2]], "labels": ["a", "b"]}, "2 entries for 1 rows"),
        ({"units": [[1]], "start": -1}, "start is -1"),
        ({"units": [[1]], "bin_seconds": 0}, "bin_seconds is 0"),
        ({"units": [[1]], "bin_seconds": 1e10}, "too many for one clock"),
        ({"units": [[1]], "top": 0}, "top is 0"),
    ],
)
def test_a_map_that_cannot_be_drawn_is_refused_in_one_sentence(arguments: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        heat_map(**{"title": "t", **arguments})
