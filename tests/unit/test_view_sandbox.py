"""The sandbox: an hour that agrees with the second-by-second simulation, goals that can be reached, controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dynamolab.errors import LabError
from dynamolab.model.parameters import DEFAULTS
from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, IndexDesign, IndexWrites, Workload
from dynamolab.traffic.simulate import simulate
from dynamolab.view import checklist
from dynamolab.view.explorers import sandbox_explorer
from dynamolab.view.explorers.sandbox import (
    GOALS,
    KEY_BYTES,
    KEYS,
    MOVES,
    SECONDS,
    STATES,
    STEPS,
    Scene,
    cheapest_without_refusals,
    choices,
    hour,
)
from picture_reading import assert_sound

OPENING = Scene()
HOT = Scene(writes_per_second=1_600, item_bytes=1_024, share=70, partitions=64, mode="PAY_PER_REQUEST", copied="none")
SPLIT = Scene(writes_per_second=3_000, item_bytes=1_024, share=20, mode="PAY_PER_REQUEST", copied="none")
SLOW_INDEX = Scene(writes_per_second=300, table_capacity=800, index_capacity=400, copied="ALL")
CHEAP = Scene(writes_per_second=200, share=0, table_capacity=400, index_capacity=300)
REACHES = {"ceiling": HOT, "index": SLOW_INDEX, "helped": SPLIT, "whole": HOT, "cheapest": CHEAP}
SCENES = [
    OPENING,
    HOT,
    SPLIT,
    SLOW_INDEX,
    CHEAP,
    replace(SPLIT, splits=False),
    replace(HOT, n=8, copied="ALL"),
    Scene(writes_per_second=2_000, share=40, n=4, partitions=16, mode="PAY_PER_REQUEST", copied="ALL"),
    Scene(writes_per_second=2_500, share=10, partitions=8, table_capacity=6_000, index_capacity=8_000, copied="ALL"),
    Scene(writes_per_second=4_000, item_bytes=4_096, share=10, partitions=64, mode="PAY_PER_REQUEST"),
]


@pytest.fixture(autouse=True)
def nothing_reached() -> Iterator[None]:
    checklist.forget()
    yield
    checklist.forget()


def by_the_second(scene: Scene) -> Any:
    """The same hour in 3,600 steps, under the rules as they are."""
    provided = scene.mode == "PROVISIONED"
    entry = scene.item_bytes if scene.copied == "ALL" else KEY_BYTES
    work = Workload(
        demand.constant(scene.writes_per_second, 3_600),
        demand.celebrity(KEYS, scene.share / 100),
        item_bytes=scene.item_bytes,
        indexes={"by-state": IndexWrites(entry, 1.0, MOVES, keys=demand.few(STATES))},
    )
    index = IndexDesign(1, scene.index_capacity) if provided else IndexDesign()
    design = Design(
        scene.mode,
        read_units=int(provided),
        write_units=scene.table_capacity if provided else 0,
        partitions=max(scene.partitions, -(-scene.table_capacity // 1_000) if provided else 1),
        shards=scene.n,
        indexes={} if scene.copied == "none" else {"by-state": index},
    )
    rules = DEFAULTS if scene.splits else replace(DEFAULTS, heat_split_share=1e9)
    return simulate(work, design, parameters=rules)


@pytest.mark.parametrize("scene", SCENES)
def test_an_hour_in_twelve_steps_is_the_hour_of_3600_seconds(scene: Scene) -> None:
    found, seconds = hour(scene), by_the_second(scene)
    sent = float(seconds.sent_units("write").sum())
    assert SECONDS * float((found.admitted + found.refused).sum()) == pytest.approx(sent)
    # Apart by no more than what a table born on demand grows a few minutes earlier or later.
    assert found.refused_share == pytest.approx(float(seconds.refused_units("write").sum()) / sent, abs=0.02)
    by_step = seconds.admitted_units("write").reshape(STEPS, SECONDS).mean(axis=1)
    assert np.abs(found.admitted.sum(axis=1) - by_step).max() <= 0.05 * sent / 3_600 or scene.mode != "PROVISIONED"
    splits = {e.second // SECONDS for e in seconds.event_log if e.event == "split" and "capacity" not in e.detail}
    assert set(found.splits + found.index_splits) == splits


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.id)
def test_each_goal_is_reached_by_a_scene_and_not_by_the_opening(goal: Any) -> None:
    assert goal.reached(REACHES[goal.id])
    assert not goal.reached(OPENING)


def test_no_goal_of_splits_is_reached_with_splits_off() -> None:
    off = [replace(scene, splits=False) for scene in SCENES]
    assert not any(hour(scene).split_helped or hour(scene).stayed_whole or hour(scene).splits for scene in off)


def test_the_index_is_blamed_for_what_it_refuses_and_its_buffer_is_full_then() -> None:
    found = hour(SLOW_INDEX)
    late = found.for_index > 0
    assert late.any()
    assert not late[0]  # burst and buffer last longer than that
    assert (found.owed[late] == DEFAULTS.index_buffer_units).all()
    assert found.for_index == pytest.approx(found.refused.sum(axis=1))
    assert not hour(replace(SLOW_INDEX, index_capacity=800)).for_index.any()


def test_cheapest_means_that_no_other_mode_projection_or_smaller_capacity_refuses_nothing_for_less() -> None:
    assert cheapest_without_refusals(CHEAP)
    on_demand = replace(CHEAP, mode="PAY_PER_REQUEST")
    assert not hour(on_demand).refused.any()
    assert not cheapest_without_refusals(on_demand)
    assert not cheapest_without_refusals(replace(CHEAP, copied="none"))
    assert not cheapest_without_refusals(replace(CHEAP, writes_per_second=2_000))
    assert not cheapest_without_refusals(replace(CHEAP, table_capacity=500))
    assert not cheapest_without_refusals(replace(CHEAP, index_capacity=400))
    assert len({(each.scene.mode, each.scene.copied) for each in choices(CHEAP)}) == 4


def test_provisioned_capacity_costs_the_same_whatever_is_used_of_it_and_requests_do_not() -> None:
    busy = replace(CHEAP, writes_per_second=400)
    assert hour(busy).usd == hour(CHEAP).usd
    on_demand = [hour(replace(scene, mode="PAY_PER_REQUEST")).usd for scene in (CHEAP, busy)]
    assert on_demand[1] == pytest.approx(2 * on_demand[0])


def test_the_checklist_ticks_itself_and_keeps_its_ticks_when_the_cell_is_run_again() -> None:
    explorer = sandbox_explorer(replace(OPENING, copied="none"))
    stored = explorer.opening.svg
    explorer.controls["index_capacity"].value = 200
    explorer.controls["copied"].value = "ALL"
    again = sandbox_explorer(replace(OPENING, copied="none"))
    assert checklist.Checklist("sandbox", GOALS).reached == {"index"}
    assert again.opening.svg == stored


def test_no_step_of_a_control_changes_the_size_of_the_pictures_or_fails_or_draws_badly() -> None:
    explorer = sandbox_explorer(Scene(writes_per_second=1_000, partitions=64))
    size = [(picture.width, picture.height) for picture in explorer.pictures]
    for name, control in explorer.controls.items():
        before = control.value
        for option in getattr(control, "options", range(STEPS)):
            control.value = option[1] if isinstance(option, tuple) else option
            assert [(picture.width, picture.height) for picture in explorer.pictures] == size, name
            assert "could not be drawn" not in explorer.sentence
            assert len(explorer.sentence) < 290  # three lines
        for picture in explorer.pictures:
            assert_sound(picture)
        control.value = before


def test_capacities_are_grey_where_they_do_not_count() -> None:
    explorer = sandbox_explorer()
    capacities = [explorer.controls[name] for name in ("table_capacity", "index_capacity")]
    assert not any(each.disabled for each in capacities)
    explorer.controls["mode"].value = "PAY_PER_REQUEST"
    assert all(each.disabled for each in capacities)


@pytest.mark.parametrize(
    "arguments",
    [
        {"writes_per_second": 0},
        {"item_bytes": 0},
        {"item_bytes": 500_000},
        {"share": 101},
        {"share": float("nan")},
        {"n": 0},
        {"partitions": 65},
        {"table_capacity": True},
        {"mode": "on-demand"},
        {"copied": "INCLUDE"},
    ],
)
def test_bad_scenes_are_refused_in_one_sentence(arguments: dict[str, Any]) -> None:
    with pytest.raises(LabError, match=r"\.$"):
        sandbox_explorer(Scene(**arguments))
