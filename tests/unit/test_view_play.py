"""Explorers with time: computed once a change, drawn at any moment, never moving by themselves."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import pytest

from dynamolab.errors import LabError
from dynamolab.view import Picture, TimeExplorer, partition_bars


class Watched:
    """A simulation that counts how often it is run."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def simulate(self, *, load: int) -> list[int]:
        if load > 40:
            raise LabError("Too much load.")
        self.runs.append(load)
        return [load * second for second in range(10)]

    def draw_at(self, levels: list[int], frame: int) -> tuple[Picture, str]:
        picture = partition_bars([levels[frame]], [0], ceiling=100, title="t", top=400)
        return picture, f"second {frame}: {levels[frame]}"

    def explorer(self, **more: Any) -> TimeExplorer:
        load = widgets.IntSlider(value=3, min=0, max=50, description="load")
        return TimeExplorer({"load": load}, self.simulate, self.draw_at, frames=10, **more)


def buttons(explorer: TimeExplorer) -> dict[str, Any]:
    row = next(child for child in explorer.children if isinstance(child, widgets.HBox))
    return {child.tooltip: child for child in row.children if isinstance(child, widgets.Button)}


def told(explorer: TimeExplorer) -> str:
    return "".join(child.value for child in explorer.children if isinstance(child, widgets.HTML))


def test_scrubbing_draws_every_moment_of_one_simulation() -> None:
    watched = Watched()
    explorer = watched.explorer()
    for frame in (1, 5, 9, 2):
        explorer.time.value = frame
        assert explorer.sentence == f"second {frame}: {3 * frame}"
    assert watched.runs == [3]


def test_another_control_simulates_anew_and_stays_at_its_moment() -> None:
    watched = Watched()
    explorer = watched.explorer(start=4)
    explorer.controls["load"].value = 7
    assert explorer.sentence == "second 4: 28"
    explorer.controls["load"].value = 3
    assert watched.runs == [3, 7, 3]


def test_an_error_of_the_simulation_is_shown_and_the_next_step_recovers() -> None:
    explorer = Watched().explorer()
    explorer.controls["load"].value = 41
    assert explorer.sentence == "Too much load."
    explorer.time.value = 2
    assert explorer.sentence == "Too much load."
    explorer.controls["load"].value = 5
    assert explorer.sentence == "second 2: 10"


def test_the_buttons_step_and_stop_at_both_ends() -> None:
    explorer = Watched().explorer(start=8)
    press = buttons(explorer)
    seen = []
    for name in ("one second on", "one second on", "one second back", "go to the first second", "one second back"):
        press[name].click()
        seen.append(explorer.time.value)
    assert seen == [9, 9, 8, 0, 0]


def test_play_starts_and_pauses_begins_again_at_the_end_and_a_step_pauses_it() -> None:
    explorer = Watched().explorer(start=9)
    press = buttons(explorer)["play from this second on"]
    assert (explorer.player.playing, press.description) == (False, "play")
    press.click()
    assert (explorer.player.playing, press.description, explorer.time.value) == (True, "pause", 0)
    press.click()
    assert (explorer.player.playing, press.description) == (False, "play")
    press.click()
    buttons(explorer)["one second on"].click()
    assert (explorer.player.playing, explorer.time.value) == (False, 1)


def test_nothing_plays_by_itself_and_less_motion_takes_the_play_button_away() -> None:
    explorer = Watched().explorer()
    assert not explorer.player.playing
    assert "dl-play" in explorer.play._dom_classes
    assert "@media (prefers-reduced-motion:reduce){.dynamolab-explorer .dl-play{display:none}" in told(explorer)


def test_a_reader_of_the_screen_hears_steps_but_not_a_played_film() -> None:
    explorer = Watched().explorer()
    explorer.time.value = 1
    assert '<p aria-live="polite"' in told(explorer)
    explorer.player.playing = True
    explorer.time.value = 2
    assert '<p aria-live="off"' in told(explorer)


def test_the_stored_view_is_the_chosen_moment_and_the_same_in_every_run() -> None:
    one, other = (Watched().explorer(start=6) for _ in range(2))
    assert repr(one) == "second 6: 18"
    other.time.value = 3
    other.player.playing = True
    assert one.opening.svg == other.opening.svg
    assert "second 6: 18" in one.opening.svg


@pytest.mark.parametrize("more", [{"start": 10}, {"start": -1}])
def test_a_start_outside_of_the_frames_is_refused(more: dict[str, int]) -> None:
    with pytest.raises(LabError, match="of 10 frames"):
        Watched().explorer(**more)
