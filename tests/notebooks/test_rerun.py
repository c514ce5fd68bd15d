"""A notebook run twice in one kernel gives the same outputs: learners press Run All again."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import nbformat
import pytest

import build

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(
    path for folder in ("notebooks", "exercises", "solutions") for path in (ROOT / folder).glob("*.ipynb")
)


def outputs(cells: list[Any]) -> list[Any]:
    """The outputs without the numbers that count executions."""
    found = copy.deepcopy([cell.get("outputs", []) for cell in cells])
    for output in (output for cell in found for output in cell):
        output.pop("execution_count", None)
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_second_run_in_the_same_kernel_gives_the_stored_outputs(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    twice = copy.deepcopy(stored)
    again = copy.deepcopy(stored.cells)
    for cell in again:
        cell.id += "-again"
    twice.cells += again
    product = build.Product(path, path, frozenset())
    with build.quiet_environment():
        build.execute(twice, product)
    build.clean(twice)
    assert outputs(twice.cells[len(stored.cells) :]) == outputs(stored.cells)


def test_there_are_notebooks_to_run() -> None:
    assert len(NOTEBOOKS) >= 5
