"""Lesson 04's predictions: right guesses pass, each wrong one is met by its own sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from dynamolab import checks
from dynamolab.checks import lesson_04
from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, Workload
from dynamolab.traffic.simulate import simulate
from dynamolab.view.explorers.hot import RATES, hot_table

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "04_hot_partitions.ipynb"


@pytest.fixture(autouse=True)
def _fresh_memory() -> Iterator[None]:
    checks.reset()
    yield
    checks.reset()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("lesson_04.a", 30),
        ("lesson_04.a", 29),
        ("lesson_04.b", 198),
        ("lesson_04.b", 200),
        ("lesson_04.c", 1540),
        ("lesson_04.c", 1500),
        ("lesson_04.e", "product"),
        ("lesson_04.e", " Product "),
        ("lesson_04.d", 1600),
        ("lesson_04.d", 1550),
        ("lesson_04.d", lesson_04.ON_THE_SLIDER),
    ],
)
def test_a_right_prediction_passes(id: str, answer: Any) -> None:
    assert checks.check(id, answer).outcome == "right"


@pytest.mark.parametrize(
    ("id", "answer", "misconception"),
    [
        ("lesson_04.a", 100, "full"),
        ("lesson_04.a", 54, "second"),
        ("lesson_04.a", 5, "idle"),
        ("lesson_04.a", 0.3, "share"),
        ("lesson_04.a", 18, "elsewhere"),
        ("lesson_04.a", 130, "out_of_range"),
        ("lesson_04.a", "30 %", "wrong_type"),
        ("lesson_04.b", 0, "never"),
        ("lesson_04.b", 100, "fewer"),
        ("lesson_04.b", 400, "more"),
        ("lesson_04.b", 4000, "out_of_range"),
        ("lesson_04.b", -1, "out_of_range"),
        ("lesson_04.c", 3600, "table_rate"),
        ("lesson_04.c", 1720, "neighbours"),
        ("lesson_04.c", 1000, "one_partition"),
        ("lesson_04.c", 2500, "elsewhere"),
        ("lesson_04.c", 4000, "out_of_range"),
        ("lesson_04.e", "basket", "cardinality"),
        ("lesson_04.e", "household", "household"),
        ("lesson_04.e", "store", "store"),
        ("lesson_04.e", "day", "day"),
        ("lesson_04.e", "date", "day"),
        ("lesson_04.e", "colour", "no_key"),
        ("lesson_04.e", 3, "wrong_type"),
        ("lesson_04.d", 4000, "table_rate"),
        ("lesson_04.d", 2000, "neighbours"),
        ("lesson_04.d", 1000, "one_key"),
        ("lesson_04.d", 3000, "elsewhere"),
        ("lesson_04.d", -5, "out_of_range"),
    ],
)
def test_a_wrong_prediction_is_met_by_its_misconception(id: str, answer: Any, misconception: str) -> None:
    result = checks.check(id, answer)
    assert (result.outcome, result.misconception) == ("wrong", misconception)


@pytest.mark.parametrize("question", "abcde")
@pytest.mark.parametrize("stub", [..., None])
def test_the_dots_count_as_not_attempted(question: str, stub: Any) -> None:
    assert checks.check(f"lesson_04.{question}", stub).outcome == "not attempted"


def test_the_clicks_that_are_judged_are_those_that_the_notebook_sends_and_loses_in_both_modes() -> None:
    printed = [
        output.text
        for cell in nbformat.read(NOTEBOOK, as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream"
    ]
    result = f"{lesson_04.CLICKS:,} calls in 59.98 s: {lesson_04.CLICKS - lesson_04.REFUSED:,} admitted, "
    assert sum(text.startswith(f"{result}{lesson_04.REFUSED:,} refused") for text in printed) == 2


def test_the_tenants_of_the_simulation_get_what_is_judged_right() -> None:
    tenants = demand.few(["TENANT#acme", *(f"TENANT#{n}" for n in range(1000))], [80, *[0.02] * 1000])
    workload = Workload(demand.constant(lesson_04.RATE, 10), tenants, {"put": 1.0}, item_bytes=1000)
    admitted = simulate(workload, Design("PAY_PER_REQUEST")).totals["write"]["admitted_units"] / 10
    assert checks.check("lesson_04.c", admitted).outcome == "right"


def test_the_explorer_refuses_from_the_rate_that_is_judged_right() -> None:
    below, above = (
        hot_table(factor * lesson_04.FIRST_REFUSED, share=50).refused_units.sum() for factor in (0.98, 1.02)
    )
    assert below == 0 < above


def test_the_first_step_of_the_slider_that_refuses_is_judged_right() -> None:
    refusing = next(rate for rate in RATES if hot_table(rate, share=50).refused_units.sum() >= 1)
    assert refusing == lesson_04.ON_THE_SLIDER
    assert checks.check("lesson_04.d", refusing).outcome == "right"
