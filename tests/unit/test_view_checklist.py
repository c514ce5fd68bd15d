"""A checklist ticks itself, keeps its ticks through reruns, and is stored without them."""

from __future__ import annotations

from collections.abc import Iterator

import ipywidgets as widgets
import pytest

from dynamolab.errors import LabError
from dynamolab.view import Checklist, Explorer, Goal, Picture, checklist, partition_bars

GOALS = (
    Goal("many", "More than <five> are refused.", lambda refused: refused > 5),
    Goal("none", "Nothing is refused.", lambda refused: refused == 0),
)
TICKED, EMPTY = "\u2611", "\u2610"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    checklist.forget()
    yield
    checklist.forget()


def explorer(goals: Checklist) -> Explorer:
    def draw(*, refused: int) -> tuple[Picture, str]:
        goals.see(refused)
        return partition_bars([10], [refused], ceiling=10, title="t", top=30), f"{refused} refused"

    slider = widgets.IntSlider(value=3, min=0, max=9, description="refused")
    return Explorer({"refused": slider}, draw, checklist=goals)


def test_a_goal_is_ticked_when_a_slider_reaches_it_and_stays_ticked() -> None:
    goals = Checklist("sandbox", GOALS)
    moved = explorer(goals)
    assert goals.view in moved.children
    assert goals.reached == set()
    for refused, reached, count in ((8, {"many"}, "1 of 2"), (3, {"many"}, "1 of 2"), (0, {"many", "none"}, "2 of 2")):
        moved.controls["refused"].value = refused
        assert goals.reached == reached
        assert f"{count} reached" in goals.view.value
        assert goals.view.value.count(TICKED) == len(reached)


def test_a_rerun_keeps_the_ticks_and_stores_the_same_output() -> None:
    first = explorer(Checklist("sandbox", GOALS))
    stored = (first.opening.svg, repr(first))
    first.controls["refused"].value = 8
    goals = Checklist("sandbox", GOALS)
    again = explorer(goals)
    assert goals.view.value.count(TICKED) == 1
    assert (again.opening.svg, repr(again)) == stored
    assert TICKED not in "".join(stored)


def test_an_opening_state_that_reaches_a_goal_ticks_it_live_only() -> None:
    goals = Checklist("three", [Goal("some", "Some are refused.", lambda refused: refused > 0)])
    opened = explorer(goals)
    assert goals.view.value.count(TICKED) == 1
    assert TICKED not in opened.opening.svg
    assert f"{EMPTY} Some are refused." in opened.opening.svg


def test_lists_of_other_names_and_a_forgotten_list_start_empty() -> None:
    Checklist("one", GOALS).see(0)
    assert Checklist("other", GOALS).reached == set()
    assert Checklist("one", GOALS).reached == {"none"}
    checklist.forget()
    assert Checklist("one", GOALS).reached == set()


def test_a_tick_is_told_in_words_and_sentences_are_escaped() -> None:
    goals = Checklist("one", GOALS)
    goals.see(0)
    assert "not yet: </span>More than &lt;five&gt; are refused." in goals.view.value
    assert "reached: </span>Nothing is refused." in goals.view.value


def test_the_list_by_itself_stores_its_text_without_ticks() -> None:
    goals = Checklist("one", GOALS)
    goals.see(0)
    bundle = goals._repr_mimebundle_()
    assert bundle["text/plain"] == repr(goals) == f"{EMPTY} More than <five> are refused.\n{EMPTY} Nothing is refused."
    assert "application/vnd.jupyter.widget-view+json" in bundle


@pytest.mark.parametrize("goals", [(), (GOALS[0], GOALS[0])])
def test_a_list_without_goals_or_with_twice_the_same_is_refused(goals: tuple[Goal, ...]) -> None:
    with pytest.raises(LabError, match="an id of its own"):
        Checklist("one", goals)
