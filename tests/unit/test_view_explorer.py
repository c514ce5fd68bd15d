"""Explorers driven from Python, as the sliders drive them."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import Any

import ipywidgets as widgets
import pytest

from dynamolab.errors import LabError
from dynamolab.view import Explorer, Picture, partition_bars, sharding_explorer

WIDGET = "application/vnd.jupyter.widget-view+json"


def shown(explorer: Explorer) -> str:
    """The HTML of everything shown: the words around, the picture area, the sentence."""
    return "".join(child.value for child in explorer.children if isinstance(child, widgets.HTML))


def words(svg: str) -> str:
    """All text drawn in a picture, in order."""
    return " ".join(e.text or "" for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


def doubling(draw: Any = None) -> Explorer:
    """A small explorer of one slider."""

    def twice(*, load: int) -> tuple[Picture, str]:
        return partition_bars([2 * load], [0], ceiling=100, title="t", top=100), f"Twice {load} <is> {2 * load}."

    return Explorer({"load": widgets.IntSlider(value=1, min=0, max=50, description="load")}, draw or twice)


def test_moving_a_slider_changes_picture_and_sentence() -> None:
    explorer = doubling()
    before = shown(explorer)
    explorer.controls["load"].value = 20
    assert shown(explorer) != before
    assert explorer.picture.svg in shown(explorer)
    assert explorer.sentence == "Twice 20 <is> 40."
    assert "Twice 20 &lt;is&gt; 40." in shown(explorer)


def test_the_picture_area_keeps_its_proportions_whatever_is_in_it() -> None:
    def draw(*, load: int) -> tuple[Picture, str]:
        if load > 5:
            raise LabError("Too much.")
        return partition_bars([load], [0], ceiling=10, title="t"), "."

    explorer = doubling(draw)
    styles = []
    for load in (1, 5, 6):
        explorer.controls["load"].value = load
        styles.append(re.findall(r"aspect-ratio:\d+/\d+", shown(explorer)))
    assert styles[0] == styles[1] == styles[2]
    assert len(styles[0]) == 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (LabError("An item of 500 KB is too large; choose at most 400 KB."), "An item of 500 KB is too large"),
        (ZeroDivisionError("division & by zero"), "could not be drawn: ZeroDivisionError: division &amp; by zero"),
    ],
)
def test_an_error_behind_a_slider_is_shown_as_a_sentence_and_the_next_step_recovers(
    error: Exception, sentence: str
) -> None:
    def draw(*, load: int) -> tuple[Picture, str]:
        if load == 7:
            raise error
        return partition_bars([load], [0], ceiling=10, title="t"), f"load {load}"

    explorer = doubling(draw)
    explorer.controls["load"].value = 7
    assert sentence in shown(explorer)
    assert "<svg" not in shown(explorer)
    assert 'role="alert"' in shown(explorer)
    explorer.controls["load"].value = 8
    assert "<svg" in shown(explorer)
    assert "load 8" in shown(explorer)


def test_the_bundle_holds_the_live_widget_and_the_static_twin_of_the_opening_state() -> None:
    explorer = doubling()
    opening = explorer._repr_mimebundle_()
    assert set(opening) == {WIDGET, "image/svg+xml", "text/plain"}
    assert opening["image/svg+xml"] == explorer.opening.svg
    assert opening["text/plain"] == "Twice 1 <is> 2."
    assert words(explorer.picture.svg) in words(opening["image/svg+xml"])
    assert words(opening["image/svg+xml"]).endswith("Twice 1 <is> 2.")  # seen where there is no kernel, not only told
    explorer.controls["load"].value = 30
    assert explorer._repr_mimebundle_() == opening
    assert repr(explorer) == opening["text/plain"]


def two(*, load: int) -> tuple[list[Picture], str]:
    pictures = [partition_bars([k * load], [0], ceiling=100, title=f"row {k}", top=100) for k in (1, 2)]
    return pictures, f"load {load}"


def test_several_pictures_stand_below_each_other_live_and_stored() -> None:
    explorer = doubling(two)
    explorer.controls["load"].value = 9
    assert explorer.picture is explorer.pictures[0]
    live = shown(explorer)
    assert live.index(explorer.pictures[0].svg) < live.index(explorer.pictures[1].svg)
    high = sum(picture.height for picture in explorer.pictures)
    assert f"aspect-ratio:760/{high}" in live
    stored = ET.fromstring(explorer.opening.svg)
    places = [(int(child.get("y", 0)), int(child.get("height", 0))) for child in stored]
    assert len(places) == 3  # two pictures and the sentence
    assert [y for y, _ in places] == [0, places[0][1], places[0][1] + places[1][1]]
    assert int(stored.get("height", 0)) == sum(height for _, height in places)
    assert not any(child.get("style") for child in stored)


def test_a_question_stands_above_and_its_follow_up_below_live_and_stored() -> None:
    controls = {"load": widgets.IntSlider(value=1, min=0, max=9, description="load")}
    explorer = Explorer(controls, two, before="What <if> it grows?", after="Now make it shrink.")
    live = [child.value for child in explorer.children if isinstance(child, widgets.HTML)]
    assert "What &lt;if&gt; it grows?" in live[0]
    assert "Now make it shrink." in live[3]
    stored = words(explorer.opening.svg)
    assert stored.startswith("What <if> it grows?")
    assert stored.endswith("load 1 Now make it shrink.")
    assert repr(explorer) == "What <if> it grows?\nload 1\nNow make it shrink."


def test_no_control_and_no_text_leaves_a_title_without_words() -> None:
    # With no tooltip at all, ipywidgets writes title="null" into the page.
    explorer = sharding_explorer()
    assert [control.tooltip for control in explorer.controls.values()] == ["N", "item size", "writes/s"]
    assert all(child.tooltip is not None for child in explorer.children if isinstance(child, widgets.HTML))


def test_what_runs_in_the_page_is_not_stored() -> None:
    explorer = doubling()
    assert "onload=" in shown(explorer)
    assert "onload" not in explorer.opening.svg
    assert "prefers-reduced-motion" not in explorer.opening.svg


def test_the_stored_part_of_the_bundle_is_the_same_in_every_run() -> None:
    one, other = (sharding_explorer()._repr_mimebundle_() for _ in range(2))
    assert one.pop(WIDGET) != other.pop(WIDGET)  # two live widgets
    assert one == other


def test_the_root_can_be_found_by_its_class_and_speaks_politely() -> None:
    explorer = sharding_explorer()
    assert "dynamolab-explorer" in explorer._dom_classes
    assert 'aria-live="polite"' in shown(explorer)


def test_every_slider_has_a_description_a_readout_and_moves_the_picture_while_it_is_dragged() -> None:
    sliders = sharding_explorer().controls
    assert [slider.description for slider in sliders.values()] == ["N", "item size", "writes/s"]
    assert all(slider.readout and slider.continuous_update for slider in sliders.values())


def test_more_suffixes_admit_more_and_take_more_queries() -> None:
    explorer = sharding_explorer()
    assert explorer.sentence.startswith("N = 1: 1 key fell on partitions as ")
    assert "1,000 of 2,500 WU/s admitted, 1,500 refused; reading the day back takes 1 query" in explorer.sentence
    explorer.controls["n"].value = 200
    assert explorer.sentence.startswith("N = 200: 200 keys fell on partitions as ")
    assert "2,500 of 2,500 WU/s admitted, 0 refused; reading the day back takes 200 queries" in explorer.sentence


def test_the_keys_of_the_sentence_stand_under_the_bars_and_add_up_to_n() -> None:
    explorer = sharding_explorer(n=10)
    (spread,) = re.findall(r"partitions as ([\d/]+);", explorer.sentence)
    keys = list(map(int, spread.split("/")))
    assert sum(keys) == 10
    words = [e.text for e in ET.fromstring(explorer.picture.svg).iter("{http://www.w3.org/2000/svg}text")]
    for count in keys:
        assert f"{count} {'key' if count == 1 else 'keys'}" in words


def test_an_item_of_ten_kilobytes_costs_ten_units() -> None:
    explorer = sharding_explorer(writes_per_second=400)
    explorer.controls["item_bytes"].value = 10 * 1024
    assert "1,000 of 4,000 WU/s admitted, 3,000 refused" in explorer.sentence
    explorer.controls["writes_per_second"].value = 100
    assert "1,000 of 1,000 WU/s admitted, 0 refused" in explorer.sentence


def test_no_step_of_a_slider_changes_the_size_of_the_picture_or_fails() -> None:
    explorer = sharding_explorer()
    sizes = set()
    n, size, rate = (explorer.controls[name] for name in ("n", "item_bytes", "writes_per_second"))
    corners = itertools.product(
        (n.options[0][1], n.options[-1][1]), (size.options[0][1], size.options[-1][1]), (rate.min, rate.max)
    )
    for n.value, size.value, rate.value in corners:
        sizes.add((explorer.picture.width, explorer.picture.height))
        assert explorer.sentence.startswith(f"N = {n.value}")
    assert len(sizes) == 1


def test_moving_n_leaves_the_axis_still() -> None:
    explorer = sharding_explorer()
    ceilings = set()
    slider = explorer.controls["n"]
    for _, n in slider.options:
        slider.value = n
        ceilings.add(re.findall(r'<line [^>]*data-name="ceiling"', explorer.picture.svg)[0])
    assert len(ceilings) == 1


@pytest.mark.parametrize("n", [1, 11, 400, 1000])
def test_an_opening_n_between_the_steps_gets_a_step_of_its_own(n: int) -> None:
    explorer = sharding_explorer(n=n)
    assert explorer.controls["n"].value == n
    chosen = [value for _, value in explorer.controls["n"].options]
    assert chosen == sorted(chosen)


def test_many_partitions_are_told_as_a_range() -> None:
    explorer = sharding_explorer(n=200, partitions=64)
    assert re.search(r"fell on partitions as \d+ to \d+ each;", explorer.sentence)


@pytest.mark.parametrize(
    "arguments",
    [{"n": 0}, {"n": 10**9}, {"item_bytes": 409_601}, {"writes_per_second": 0}, {"partitions": 0}, {"partitions": 257}],
)
def test_bad_arguments_are_refused_in_one_sentence_before_a_slider_exists(arguments: dict[str, int]) -> None:
    with pytest.raises(LabError) as caught:
        sharding_explorer(**arguments)
    assert str(caught.value).count(".") <= 2


def test_pictures_alone_need_neither_widgets_nor_pandas() -> None:
    code = (
        "import sys, dynamolab.view as view\n"
        "view.partition_bars([1], [0], ceiling=2, title='t')\n"
        "print(sorted({'ipywidgets', 'pandas', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
