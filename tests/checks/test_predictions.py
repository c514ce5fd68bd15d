"""The lessons' predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dynamolab import checks
from dynamolab.checks import lesson_05
from dynamolab.traffic.workload import SHARD_STEPS
from dynamolab.view import sharding_explorer


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_00.a", 2000),
        ("lesson_00.a", 2028.0),
        ("lesson_00.b", 100),
        ("lesson_00.c", 8000),
        ("lesson_00.c", 7646),
        ("lesson_05.a", 6000),
        ("lesson_05.a", 6212),
        ("lesson_05.b", 200),
        ("lesson_05.c", 3500),
        ("lesson_05.c", 3508),
        ("lesson_05.d", 1),
        ("lesson_05.e", 4000),
        ("lesson_05.f", 6000),
        ("lesson_05.f", 6084),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_00.a", 8000, "table_rate"),
        ("lesson_00.a", 0, "none"),
        ("lesson_00.a", 4000, "elsewhere"),
        ("lesson_00.a", -5, "out_of_range"),
        ("lesson_00.a", 12_000, "out_of_range"),
        ("lesson_00.b", 25, "shared"),
        ("lesson_00.b", 0, "closed"),
        ("lesson_00.b", 60, "elsewhere"),
        ("lesson_00.b", 101, "out_of_range"),
        ("lesson_00.b", -1, "out_of_range"),
        ("lesson_00.b", "all", "wrong_type"),
        ("lesson_00.c", 2000, "no_change"),
        ("lesson_00.c", 5000, "too_few"),
        ("lesson_00.c", 9000, "out_of_range"),
        ("lesson_05.a", 8000, "each_its_own"),
        ("lesson_05.a", 2000, "one_key"),
        ("lesson_05.a", 4000, "elsewhere"),
        ("lesson_05.b", 3, "rate_over_1000"),
        ("lesson_05.b", 4, "partitions"),
        ("lesson_05.b", 10, "one_day"),
        ("lesson_05.b", 40, "one_day"),
        ("lesson_05.b", 100, "one_day"),
        ("lesson_05.b", 2.5, "no_n"),
        ("lesson_05.b", 10**9, "no_n"),
        ("lesson_05.b", 400, "more_than_needed"),
        ("lesson_05.b", -1, "no_n"),
        ("lesson_05.c", 4000, "even"),
        ("lesson_05.c", 200_000, "each_its_own"),
        ("lesson_05.c", 1000, "one_key"),
        ("lesson_05.c", 3600, "refuses"),
        ("lesson_05.c", 2800, "more_room"),
        ("lesson_05.c", 0, "out_of_range"),
        ("lesson_05.c", "all", "wrong_type"),
        ("lesson_05.d", 200, "even_spread"),
        ("lesson_05.d", 25, "fewer"),
        ("lesson_05.d", 0, "out_of_range"),
        ("lesson_05.d", "one", "wrong_type"),
        ("lesson_05.e", 7110, "all"),
        ("lesson_05.e", 6000, "even_day"),
        ("lesson_05.e", 1000, "elsewhere"),
        ("lesson_05.f", 7000, "all"),
        ("lesson_05.f", 3000, "unit_each"),
        ("lesson_05.f", 1000, "write_ceiling"),
        ("lesson_05.f", 4500, "elsewhere"),
        ("lesson_05.f", 7001, "out_of_range"),
        ("lesson_05.f", -1, "out_of_range"),
        ("lesson_00.a", [2000, 2001], "wrong_type"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("id", [f"lesson_00.{x}" for x in "abc"] + [f"lesson_05.{x}" for x in "abcdef"])
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(id: str, stub: Any) -> None:
    assert checks.check(id, stub).outcome == "not attempted"


def test_not_a_number_is_not_a_prediction() -> None:
    assert checks.check("lesson_05.b", float("nan")).outcome == "wrong"


def test_the_safe_n_is_the_first_of_the_slider_that_loses_no_day() -> None:
    safe = lesson_05.first_safe_n()
    before = SHARD_STEPS[SHARD_STEPS.index(safe) - 1]
    assert (lesson_05.lost_days(before) > 0, lesson_05.lost_days(safe)) == (True, 0)


def test_the_highest_rate_of_the_explorer_is_the_last_step_at_which_nothing_is_refused() -> None:
    explorer = sharding_explorer(writes_per_second=lesson_05.highest_rate(), item_bytes=1024, n=200)
    assert ", 0 refused" in explorer.sentence
    explorer.controls["writes_per_second"].value += lesson_05.SLIDER_STEP
    assert ", 0 refused" not in explorer.sentence
