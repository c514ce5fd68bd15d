"""The frames: geometry read back from the SVG, bad data, alt text."""

from __future__ import annotations

import itertools
import json
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.errors import LabError
from dynamolab.view import Picture, PictureError, partition_bars, partition_seconds, share_bars
from dynamolab.view.theme import LIGHT, TEXT_PAIRS
from picture_reading import text_box

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]  # left, top, right, bottom


# --- reading a picture back --------------------------------------------------------------------------------


def root_of(picture: Picture) -> ET.Element:
    return ET.fromstring(picture.svg)


def drawn(picture: Picture) -> Iterator[ET.Element]:
    """Everything that is painted, without the pattern's own content."""
    root = root_of(picture)
    inside_defs = {id(e) for defs in root.iter(f"{SVG}defs") for e in defs.iter()}
    return (e for e in root.iter() if id(e) not in inside_defs)


def path_boxes(element: ET.Element) -> list[Box]:
    """The rectangles of a path that is made of rectangles only; anything else in it fails the test."""
    one = re.compile(r"M([\d.-]+) ([\d.-]+)h([\d.-]+)v([\d.-]+)h-([\d.-]+)z")
    path = element.get("d", "")
    assert one.sub("", path) == ""
    boxes = []
    for x, y, w, h, back in one.findall(path):
        assert w == back
        boxes.append((float(x), float(y), float(x) + float(w), float(y) + float(h)))
    return boxes


def boxes_of(picture: Picture) -> Iterator[tuple[str, Box]]:
    for e in drawn(picture):
        kind = e.tag.removeprefix(SVG)
        if kind == "rect":
            x, y, w, h = (float(e.get(name, "")) for name in ("x", "y", "width", "height"))
            yield kind, (x, y, x + w, y + h)
        elif kind == "line":
            x1, y1, x2, y2 = (float(e.get(name, "")) for name in ("x1", "y1", "x2", "y2"))
            yield kind, (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
        elif kind == "path":
            for box in path_boxes(e):
                yield kind, box
        elif kind == "text":
            yield f"text {e.text!r}", text_box(e)


def assert_sound(picture: Picture) -> None:
    """What must hold for every picture: it is XML, nothing leaves the canvas, no words overlap, it has words."""
    root = root_of(picture)
    assert picture.svg.startswith('<svg class="dl-picture"')
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title") is not None
    assert root.findtext(f"{SVG}desc") == picture.alt
    _, _, width, height = map(float, root.get("viewBox", "").split())
    assert (width, height) == (picture.width, picture.height)
    assert "nan" not in picture.svg
    words = []
    for what, (left, top, right, bottom) in boxes_of(picture):
        assert left <= right
        assert top <= bottom
        assert left >= 0, what
        assert top >= 0, what
        assert right <= width, what
        assert bottom <= height, what
        if what.startswith("text"):
            words.append((what, (left, top, right, bottom)))
    for (one, a), (other, b) in itertools.combinations(words, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one} overlaps {other}"


def rects(picture: Picture, kind: str) -> dict[int, Box]:
    """The bars of one kind ('admitted' or 'refused') by partition."""
    found = {}
    for e in drawn(picture):
        name = e.get("data-name", "")
        if e.tag == f"{SVG}rect" and name.startswith(kind):
            x, y, w, h = (float(e.get(attribute, "")) for attribute in ("x", "y", "width", "height"))
            found[int(name.split()[1])] = (x, y, x + w, y + h)
    return found


def line(picture: Picture, name: str) -> ET.Element:
    (found,) = (e for e in drawn(picture) if e.tag == f"{SVG}line" and e.get("data-name") == name)
    return found


def words(picture: Picture) -> list[str]:
    return [e.text or "" for e in drawn(picture) if e.tag == f"{SVG}text"]


def load_table(
    admitted: Any, refused: Any, *, units_each: float = 1.0, side: str = "write", first: int = 0
) -> pd.DataFrame:
    """A load table as ``lab.partition_load`` returns it, from arrays ``[partition, second]``."""
    rows = [
        (first + s, p, one, int(a), int(r), float(a * units_each))
        for s in range(len(admitted[0]))
        for p in range(len(admitted))
        for one in ("read", "write")
        for a, r in [(admitted[p][s], refused[p][s]) if one == side else (0, 0)]
    ]
    names = ["second", "partition", "side", "admitted_requests", "refused_requests", "admitted_units"]
    return pd.DataFrame(rows, columns=names)


# --- partition_bars ----------------------------------------------------------------------------------------


def hot(n: int = 4) -> Picture:
    return partition_bars([0.0] * (n - 1) + [1000], [0.0] * (n - 1) + [1500], ceiling=1000, title="One date key")


def test_a_picture_is_shown_as_svg_and_told_as_text() -> None:
    picture = hot()
    assert picture._repr_mimebundle_() == {"image/svg+xml": picture.svg, "text/plain": picture.alt}
    assert repr(picture) == picture.alt
    assert picture.alt == (
        "One date key. 4 partitions, each with a ceiling of 1,000 WU/s: 1,000 WU/s admitted and 1,500 WU/s refused. "
        "Partition 3 refuses 1,500 WU/s while 3 of 4 are idle."
    )


def test_the_same_data_give_the_same_bytes() -> None:
    assert hot().svg == hot().svg


def test_a_picture_needs_nothing_from_outside() -> None:
    svg = hot().svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in svg
    assert "href" not in svg
    assert "<script" not in svg


def test_an_opaque_panel_covers_the_whole_canvas_before_anything_is_drawn() -> None:
    picture = hot()
    first = next(e for e in drawn(picture) if e.tag in {f"{SVG}rect", f"{SVG}path", f"{SVG}line", f"{SVG}text"})
    assert first.get("fill") == LIGHT["panel"]
    assert "dl-f-panel" in first.get("class", "")
    assert float(first.get("width", "")) == picture.width - 1
    assert float(first.get("height", "")) == picture.height - 1


def test_two_pictures_on_one_page_share_a_pattern_only_if_they_are_the_same_picture() -> None:
    ids = [re.findall(r' id="([^"]+)"', p.svg) for p in (hot(4), hot(4), hot(5))]
    assert ids[0] == ids[1]
    assert not set(ids[0]) & set(ids[2])
    for picture in (hot(4), hot(5)):
        assert set(re.findall(r"url\(#([^)]+)\)", picture.svg)) == set(re.findall(r' id="([^"]+)"', picture.svg))


def test_refused_work_is_hatched_and_named_and_the_ceiling_is_dashed_with_its_number() -> None:
    picture = hot()
    hatched = [box for e in drawn(picture) if e.get("fill", "").startswith("url(#") for box in path_boxes(e)]
    assert rects(picture, "refused")[3] in hatched
    assert "1,500 refused" in words(picture)
    assert line(picture, "ceiling").get("stroke-dasharray")
    assert {"ceiling", "1,000 WU/s"} <= set(words(picture))


values = st.one_of(st.just(0.0), st.floats(0.001, 5000), st.floats(0.001, 1e9))
pairs = st.lists(st.tuples(values, values), min_size=1, max_size=256)


@settings(max_examples=60, deadline=None)
@given(pairs=pairs, ceiling=st.one_of(st.none(), st.floats(0.5, 1e6)), title=st.text(max_size=200))
def test_bars_are_proportional_stacked_and_add_up_to_the_data(
    pairs: list[tuple[float, float]], ceiling: float | None, title: str
) -> None:
    took, lost = [a for a, _ in pairs], [r for _, r in pairs]
    picture = partition_bars(took, lost, ceiling=ceiling, title=title)
    assert_sound(picture)
    base = float(line(picture, "tick 0").get("y1", ""))
    highest = max(max(a + r for a, r in pairs), ceiling or 0)
    if highest == 0:
        return
    # The scale is read from the picture: the highest of bars and ceiling fixes it.
    solid, hatched = rects(picture, "admitted"), rects(picture, "refused")
    tops = [box[1] for box in (*solid.values(), *hatched.values())]
    tops += [float(line(picture, "ceiling").get("y1", ""))] if ceiling else []
    scale = (base - min(tops)) / highest
    for i, (a, r) in enumerate(pairs):
        for value, bars in ((a, solid), (r, hatched)):
            height = bars[i][3] - bars[i][1] if i in bars else 0.0
            assert height == pytest.approx(value * scale, abs=0.03)
        if i in solid:
            assert solid[i][3] == pytest.approx(base, abs=0.02)
        if i in hatched:
            assert hatched[i][3] == pytest.approx(solid[i][1] if i in solid else base, abs=0.03)
    total = sum(b - t for _, t, _, b in (*solid.values(), *hatched.values()))
    assert total == pytest.approx(sum(took + lost) * scale, abs=0.03 * len(pairs))
    if ceiling:
        assert base - float(line(picture, "ceiling").get("y1", "")) == pytest.approx(ceiling * scale, abs=0.03)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 20, 32, 50, 64, 100, 128, 200, 256])
@pytest.mark.parametrize("style", ["numbers", "two lines", "long", "unicode"])
def test_labels_never_overlap_or_leave_the_canvas_at_1_to_256_partitions(n: int, style: str) -> None:
    labels = {
        "numbers": None,
        "two lines": [f"partition {i}\n{i * 7} keys" for i in range(n)],
        "long": [f"the partition that holds the orders of customer {i}" for i in range(n)],
        "unicode": [f"分区 {i} für Müller & Söhne <{i}>" for i in range(n)],
    }[style]
    took = [1000.0 * (i % 3) / 2 for i in range(n)]
    lost = [250_000.0 * (i % 2) for i in range(n)]
    for ceiling in (None, 1000):
        picture = partition_bars(took, lost, ceiling=ceiling, title="t", labels=labels)
        assert_sound(picture)
        assert sum(word.startswith(("0", "partition 0", "the part", "分区")) for word in words(picture)) >= 1


@pytest.mark.parametrize(("n", "step"), [(4, 1), (16, 1), (64, 5), (256, 20)])
def test_thinned_labels_count_in_round_steps(n: int, step: int) -> None:
    picture = partition_bars([1.0] * n, [0.0] * n, ceiling=None, title="t", caption="c")
    (bottom,) = {e.get("y") for e in drawn(picture) if e.tag == f"{SVG}text" and e.text == str(step)} & {
        e.get("y") for e in drawn(picture) if e.tag == f"{SVG}text" and e.text == str(2 * step)
    }
    under = [e.text for e in drawn(picture) if e.tag == f"{SVG}text" and e.get("y") == bottom]
    assert under == [str(i) for i in range(0, n, step)]


def test_bars_stand_side_by_side_in_order() -> None:
    boxes = rects(partition_bars([5.0] * 256, [0.0] * 256, ceiling=10, title="t"), "admitted")
    assert list(boxes) == list(range(256))
    assert all(a[2] < b[0] for a, b in itertools.pairwise(boxes.values()))


def test_a_fixed_top_keeps_the_axis_and_the_ceiling_where_they_are() -> None:
    pictures = [
        partition_bars(took, lost, ceiling=1000, title="t", caption="c", top=2500)
        for took, lost in (([0, 1000], [0, 1500]), ([1000, 1000], [250, 250]), ([0, 0], [0, 0]))
    ]
    assert len({line(p, "ceiling").get("y1") for p in pictures}) == 1
    assert len({(p.width, p.height) for p in pictures}) == 1


def test_an_idle_partition_is_called_idle() -> None:
    assert words(hot()).count("idle") == 3


@pytest.mark.parametrize(
    ("took", "lost", "caption"),
    [
        ([0, 0], [0, 0], "Nothing is sent: every partition is idle."),
        ([400, 700], [0, 0], "Nothing is refused: the busiest, partition 1, takes 700 of its 1,000 WU/s."),
        ([1000, 0], [5, 0], "Partition 0 refuses 5 WU/s while 1 of 2 is idle."),
        ([1000, 3], [5, 0], "Partition 0 refuses 5 WU/s."),
        (
            [1000, 1000, 0],
            [5, 9, 0],
            "2 of 3 partitions refuse; partition 1 refuses most, 9 WU/s, while 1 of 3 is idle.",
        ),
    ],
)
def test_the_caption_says_what_to_see(took: list[float], lost: list[float], caption: str) -> None:
    assert caption in words(partition_bars(took, lost, ceiling=1000, title="t"))


def test_dust_of_floating_point_is_not_drawn_as_a_refusal() -> None:
    picture = partition_bars([1000.0], [1e-13], ceiling=1000, title="t")
    assert rects(picture, "refused") == {}
    assert "Nothing is refused" in picture.alt


@pytest.mark.parametrize("queries", [0, 1, 10, 400, 10_000])
def test_the_cost_of_reading_back_is_one_mark_per_query_up_to_400(queries: int) -> None:
    picture = partition_bars([1], [0], ceiling=10, title="t", queries=queries, queries_note="27 M RU")
    assert_sound(picture)
    marks = [e for e in drawn(picture) if e.get("data-name") == "queries"]
    assert sum(len(path_boxes(e)) for e in marks) == min(queries, 400)
    assert f"{queries:,} {'query' if queries == 1 else 'queries'}, 27 M RU" in words(picture)


HOSTILE = [
    "<script>alert('x')</script> & \"quotes\" ]]>",
    "很长的标题" * 40,
    "e\u0301" * 300,
    "👩‍👩‍👧‍👦" * 50,
    "\x00\x1b[31m url(#\x00hatch) \ud800",
    "W" * 500,
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_are_escaped_and_stay_inside(text: str) -> None:
    took, lost = [1000.0, 10], [20.0, 0]
    assert_sound(
        partition_bars(took, lost, ceiling=1000, title=text, caption=text, labels=[text] * 2, unit=text or "x")
    )
    assert_sound(partition_seconds(load_table([took], [lost]), ceiling=1000, title=text, caption=text))
    assert_sound(share_bars([(text, 3), ("b", 1)], title=text, caption=text, threshold=(2, text), unit=text or "x"))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1, 1e16, "many", None])
@pytest.mark.parametrize("place", ["admitted", "refused", "ceiling"])
def test_a_value_that_cannot_be_drawn_is_refused_in_one_sentence(bad: Any, place: str) -> None:
    arguments: dict[str, Any] = {"admitted": [1, 2], "refused": [0, 0], "ceiling": 5}
    arguments[place] = bad if place == "ceiling" else [1, bad]
    if place == "ceiling" and bad is None:
        partition_bars(**arguments, title="t")
        return
    with pytest.raises(PictureError, match=place):
        partition_bars(**arguments, title="t")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"admitted": [], "refused": []}, "no partition to draw"),
        ({"admitted": [1], "refused": [1, 2]}, "1 values and refused has 2"),
        ({"admitted": [1] * 257, "refused": [1] * 257}, "257 partitions are too many"),
        ({"ceiling": 0}, "ceiling is 0"),
        ({"labels": ["a"]}, "1 entries for 2 partitions"),
        ({"queries": -1}, "queries cannot be negative"),
    ],
)
def test_bad_bars_are_refused_with_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    given_: dict[str, Any] = {"admitted": [1, 2], "refused": [0, 0], "ceiling": 5, "title": "t", **arguments}
    with pytest.raises(PictureError, match=sentence):
        partition_bars(**given_)


def test_a_picture_error_is_a_lab_error_and_a_value_error() -> None:
    assert issubclass(PictureError, LabError)
    assert issubclass(PictureError, ValueError)


def test_every_text_colour_in_use_is_one_whose_contrast_is_tested() -> None:
    pictures = [
        hot(),
        partition_bars([1, 900], [900, 0], ceiling=1000, title="t", queries=3),
        partition_seconds(load_table([[5, 0], [0, 0]], [[7, 0], [0, 0]]), ceiling=10),
        share_bars([("a", 1)], title="t", threshold=2),
    ]
    tested = {LIGHT[text] for text, _ in TEXT_PAIRS}
    used = {e.get("fill") for p in pictures for e in drawn(p) if e.tag == f"{SVG}text"}
    assert used <= tested
    assert len(used) >= 5


# --- partition_seconds -------------------------------------------------------------------------------------


def row_heights(picture: Picture, kind: str, partition: int) -> list[float]:
    found = [e for e in drawn(picture) if e.get("data-name") == f"{kind} {partition}"]
    return [bottom - top for e in found for _, top, _, bottom in path_boxes(e)]


@pytest.mark.parametrize("partitions", [1, 4, 16])
@pytest.mark.parametrize("seconds", [1, 3, 30, 119, 120])
@pytest.mark.parametrize("ceiling", [None, 1000])
def test_1_to_120_seconds_of_1_to_16_partitions_stay_on_the_canvas(
    partitions: int, seconds: int, ceiling: float | None
) -> None:
    demand = np.random.default_rng(7).integers(0, 4000, (partitions, seconds))
    took = np.minimum(demand, 1000)
    assert_sound(partition_seconds(load_table(took, demand - took), ceiling=ceiling))


def test_bars_without_a_ceiling_are_proportional_to_the_counted_requests() -> None:
    picture = partition_seconds(load_table([[100, 50, 0]], [[300, 0, 100]], units_each=10))
    took, lost = row_heights(picture, "admitted", 0), row_heights(picture, "refused", 0)
    scale = lost[0] / 300
    assert took == pytest.approx([100 * scale, 50 * scale], abs=0.03)
    assert lost == pytest.approx([300 * scale, 100 * scale], abs=0.03)
    assert {"admitted, requests/s", "refused requests/s"} <= set(words(picture))


def test_with_a_ceiling_refused_requests_are_drawn_as_the_mean_admitted_one_and_the_legend_says_so() -> None:
    picture = partition_seconds(load_table([[100, 50]], [[300, 0]], units_each=10), ceiling=1000)
    took, lost = row_heights(picture, "admitted", 0), row_heights(picture, "refused", 0)
    assert lost[0] == pytest.approx(3 * took[0], abs=0.03)
    assert "refused requests, drawn as 10 WU each" in words(picture)
    ceiling = line(picture, "ceiling")
    (bars,) = (e for e in drawn(picture) if e.get("data-name") == "admitted 0")
    assert float(ceiling.get("y1", "")) == pytest.approx(path_boxes(bars)[0][1], abs=0.02)  # 100 x 10 WU


def test_the_columns_at_the_right_are_the_measured_totals() -> None:
    picture = partition_seconds(load_table([[100, 50]], [[300, 7]], units_each=10), ceiling=1000)
    assert {"1,500", "307"} <= set(words(picture))
    assert "150 write requests admitted (1,500 WU), 307 refused" in picture.alt


def test_an_idle_partition_keeps_its_row_and_is_called_idle() -> None:
    picture = partition_seconds(load_table([[0], [9], [0]], [[0], [3], [0]]))
    assert words(picture).count("idle") == 2
    assert {"partition 0", "partition 1", "partition 2"} <= set(words(picture))
    assert "Partition 1 refused 25 % of its requests while 2 of 3 stood idle." in words(picture)


def test_the_other_side_of_the_table_is_left_out() -> None:
    table = load_table([[9, 9]], [[1, 1]], side="read")
    assert "every partition is idle" in partition_seconds(table).alt
    assert "18 read requests admitted" in partition_seconds(table, side="read").alt


def test_seconds_are_those_of_the_table() -> None:
    picture = partition_seconds(load_table([[5, 5, 5]], [[0, 0, 0]], first=3600))
    assert {"3,600", "3,601", "3,602"} <= set(words(picture))


def test_over_120_seconds_each_bar_is_the_busiest_second_of_its_span() -> None:
    took, lost = np.full((1, 240), 10), np.zeros((1, 240))
    took[0, 100], lost[0, 100] = 1000, 3000
    picture = partition_seconds(load_table(took, lost))
    assert_sound(picture)
    heights = row_heights(picture, "admitted", 0)
    assert len(heights) == 120
    assert heights[50] == pytest.approx(max(heights))
    assert row_heights(picture, "refused", 0) == pytest.approx([3 * heights[50]], abs=0.03)
    assert "Each bar is the busiest of 2 seconds." in " ".join(words(picture))
    assert "3,390 write requests admitted" in picture.alt


def test_of_more_than_16_partitions_those_that_refuse_most_are_drawn() -> None:
    lost = [[i] for i in range(40)]
    picture = partition_seconds(load_table([[5]] * 40, lost))
    assert_sound(picture)
    assert {w for w in words(picture) if w.startswith("partition ")} == {f"partition {i}" for i in range(24, 40)}
    assert "The 16 busiest of 40 partitions are drawn." in " ".join(words(picture))


def test_a_load_that_is_refused_wholly_is_drawn_too() -> None:
    picture = partition_seconds(load_table([[0, 0]], [[40, 4]]), ceiling=1000)
    assert_sound(picture)
    assert "Partition 0 refused 100 % of its requests." in words(picture)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.iloc[:0], "no load to draw"),
        (lambda t: t.drop(columns=["side", "second"]), "lacks second, side"),
        (lambda t: t.assign(admitted_units=math.nan), "column admitted_units"),
        (lambda t: t.assign(refused_requests=-1), "column refused_requests"),
        (lambda t: t.assign(partition="p0"), "column partition"),
        (lambda t: t.assign(second=[0, 10**9]), "spans 1 G seconds"),
        (lambda t: None, "lacks second"),
    ],
)
def test_a_table_that_cannot_be_drawn_is_refused_in_one_sentence(change: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        partition_seconds(change(load_table([[1]], [[0]])))


def test_an_unknown_side_is_refused() -> None:
    with pytest.raises(PictureError, match="either 'write' or 'read'"):
        partition_seconds(load_table([[1]], [[0]]), side="both")


# --- share_bars --------------------------------------------------------------------------------------------


def test_shares_are_proportional_and_labelled_with_their_values() -> None:
    picture = share_bars([("day", 100), ("store", 2.8), ("basket", 0)], title="t", threshold=(25, "a quarter"))
    assert_sound(picture)
    boxes = {
        e.get("data-name"): float(e.get("width", ""))
        for e in drawn(picture)
        if e.get("data-name", "").startswith("share")
    }
    assert boxes["share store"] == pytest.approx(0.028 * boxes["share day"], abs=0.02)
    assert "share basket" not in boxes
    assert {"day", "100 %", "2.8 %", "0 %", "a quarter"} <= set(words(picture))
    left = float(next(e for e in drawn(picture) if e.get("data-name") == "share day").get("x", ""))
    at = float(line(picture, "threshold").get("x1", ""))
    assert at == pytest.approx(left + boxes["share day"] / 4, abs=0.02)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.text(max_size=80), values), min_size=1, max_size=40),
    threshold=st.one_of(st.none(), st.floats(0.001, 1e9)),
)
def test_any_shares_stay_on_the_canvas(rows: list[tuple[str, float]], threshold: float | None) -> None:
    assert_sound(share_bars(rows, title="t", threshold=threshold))


@pytest.mark.parametrize(
    ("rows", "threshold", "sentence"),
    [
        ([], None, "rows is empty"),
        ([("a", math.nan)], None, r"rows\[0\]"),
        ([("a", 1)], 0, "threshold is 0"),
        ([("a", 1)] * 41, None, "41 bars are too many"),
    ],
)
def test_bad_shares_are_refused_in_one_sentence(rows: Any, threshold: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        share_bars(rows, title="t", threshold=threshold)


def test_a_mimebundle_survives_a_notebook_file() -> None:
    bundle = hot()._repr_mimebundle_()
    assert json.loads(json.dumps(bundle)) == bundle
