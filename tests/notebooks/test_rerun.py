"""Learners press Shift-Enter twice, and Run All again: each time a cell gives its stored outputs.

One kernel a notebook: every cell twice in place (which is also the notebook's first run, from a fresh kernel), then
the whole notebook from the top. No cell is excused; one that cannot give the same again is mended in its source.
"""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import nbformat
import pytest

import build
from dynamolab.checks import core

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(
    path for folder in ("notebooks", "exercises", "solutions") for path in (ROOT / folder).glob("*.ipynb")
)
TELL_WHERE_THE_LEARNER_STANDS = {"welcome"}  # its last cell adds up the checks of all notebooks: that is its purpose
PASSES = ("run", "run again in place", "run again with the whole notebook")


def outputs(cell: Any) -> list[Any]:
    """A cell's outputs without the numbers that count executions."""
    found = copy.deepcopy(cell.get("outputs", []))
    for output in found:
        output.pop("execution_count", None)
    return list(found)


def thrice(stored: Any) -> tuple[Any, list[tuple[str, Any, Any]]]:
    """A notebook of the stored one's code cells, each of them three times; and what to compare: how, stored, now."""
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    runs = []
    for place, how in enumerate(PASSES):
        runs.append([(how, cell, copy.deepcopy(cell)) for cell in code])
        for _, _, now in runs[place]:
            now.id += f"-{place}"
            now.outputs = []
    in_place = [run for pair in zip(runs[0], runs[1], strict=True) for run in pair]
    order = [*in_place, *runs[2]]
    notebook = nbformat.v4.new_notebook(cells=[now for _, _, now in order], metadata=copy.deepcopy(stored.metadata))
    return notebook, order


def differences(order: list[tuple[str, Any, Any]]) -> list[str]:
    """What differs, a line for each run of a cell."""
    return [
        f"cell {cell.id}, {how}: {build._first_line(outputs(cell), outputs(now))}"
        for how, cell, now in order
        if outputs(now) != outputs(cell)
    ]


def rerun(stored: Any, path: Path, progress: Path) -> list[str]:
    """Run the notebook's cells thrice in one kernel, as a learner who was here before; return what differs."""
    notebook, order = thrice(stored)
    with build.quiet_environment():
        os.environ[core.PROGRESS] = str(progress)
        build.execute(notebook, build.Product(path, path, frozenset()))
    build.clean(notebook)
    return differences(order)


@pytest.fixture
def progress(tmp_path: Path) -> Path:
    """The memory of a learner who has asked every check before, and got all of them wrong."""
    path = tmp_path / "progress.jsonl"
    asked = [id for exercise in core.exercises() for id in core.questions(exercise)]
    lines = [json.dumps({"id": id, "outcome": "wrong", "misconception": None}) + "\n" for id in asked]
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_cell_twice_in_place_and_the_notebook_again_give_the_stored_outputs(path: Path, progress: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    if path.stem in TELL_WHERE_THE_LEARNER_STANDS:
        assert "lab.progress()" in stored.cells[-1].source or "lab.progress()" in stored.cells[-2].source
        progress.unlink()
    assert rerun(stored, path, progress) == []


def test_there_are_notebooks_to_run() -> None:
    assert len(NOTEBOOKS) >= 40


def test_a_cell_that_counts_its_runs_is_told_from_one_that_does_not(progress: Path) -> None:
    def cell(id: str, source: str, text: str) -> Any:
        output = nbformat.v4.new_output("stream", name="stdout", text=text)
        return nbformat.v4.new_code_cell(source, id=id, outputs=[output])

    cells = [
        cell("start", "n = 0\nprint(n)", "0\n"),
        cell("counts", "n += 1\nprint(n)", "1\n"),
        cell("after", "print(n)", "1\n"),
        cell("steady", "print(5)", "5\n"),
    ]
    found = rerun(nbformat.v4.new_notebook(cells=cells), ROOT / "notebooks" / "counting.ipynb", progress)
    assert [line.partition(":")[0] for line in found] == [
        "cell counts, run again in place",
        "cell after, run",
        "cell after, run again in place",
    ]
