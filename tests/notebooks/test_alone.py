"""A cell run alone works, or one sentence names the cell to run first: with nothing before it, and with only the first.

`alone.py` runs the cells in forks of one warm process; the last tests hold it against kernels as learners have them.
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import build
from dynamolab.jupyter import started

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(
    path for folder in ("notebooks", "exercises", "solutions") for path in (ROOT / folder).glob("*.ipynb")
)
FIRST = ROOT / "notebooks" / "00_first_throttle.ipynb"
NAMES_A_CELL = re.compile(
    r"(?:`\w+` is made|The table `[^`]+` is made|The lab is started) by code cell (\d+) \(`.+`\): "
    r"run the cells from the top down to there, then this one again \(menu Run, Run All Above Selected Cell\)\."
)
"""The one sentence."""

MADE_IN_THE_PACKAGE = {"sesiones": ("solutions", "04_hot_partitions")}
"""Tables that no cell's code names, since a function of the package makes them; and where a cell asks for one."""

UNNAMED = re.compile(
    r"The table `([^`]+)` is not made yet: run the cells above this one first "
    r"\(menu Run, Run All Above Selected Cell\), or look whether its name is misspelt\."
)
"""The sentence about such a table."""

Run = Callable[[Path], dict[str, list[Any]]]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Asks one warm process for what each cell of a notebook does alone."""
    with build.quiet_environment() as environment:
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("alone.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert process.stdin
        assert process.stdout
        asking, answers = process.stdin, process.stdout

        @functools.cache
        def ask(path: Path) -> dict[str, list[Any]]:
            asking.write(f"{path}\n")
            asking.flush()
            found: dict[str, list[Any]] = json.loads(answers.readline())
            return found

        yield ask
        asking.close()
        process.wait(60)


def code_cells(path: Path) -> list[Any]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def fault(ran: dict[str, Any] | None, cell: Any, number: int) -> str | None:
    """What is wrong with how code cell ``number`` ended alone; None if a learner can live with it."""
    if ran is None:
        return f"cell {cell.id} did not end"
    wanted = {output.ename for output in cell.outputs if output.output_type == "error"}
    if not ran["error"] or ran["error"] in wanted:
        return None
    named = [int(found[1]) for line in ran["shown"] if (found := NAMES_A_CELL.fullmatch(line))]
    if len(named) == 1 and named[0] < number and not any("Traceback" in line for line in ran["shown"]):
        return None
    if unnamed(ran) in MADE_IN_THE_PACKAGE:
        return None
    return f"cell {cell.id} ended in {ran['error']}, and no one sentence names a cell above it: {ran['shown'][:4]}"


def unnamed(ran: dict[str, Any]) -> str | None:
    """The table that is missing, and of which no cell is named as its maker."""
    return next((found[1] for line in ran["shown"] if (found := UNNAMED.fullmatch(line))), None)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_cell_alone_works_or_one_sentence_names_the_cell_to_run_first(path: Path, run: Run) -> None:
    cells = code_cells(path)
    found = run(path)
    alone = zip(found["alone"], cells, range(1, len(cells) + 1), strict=True)
    after = zip(found["after the first"], cells[1:], range(2, len(cells) + 1), strict=True)
    assert [said for case in (*alone, *after) if (said := fault(*case))] == []


@pytest.mark.parametrize("table", MADE_IN_THE_PACKAGE)
def test_a_table_that_is_excused_is_asked_for_where_it_is_said_to_be(table: str, run: Run) -> None:
    folder, stem = MADE_IN_THE_PACKAGE[table]
    found = run(ROOT / folder / f"{stem}.ipynb")
    assert table in {unnamed(ran) for ran in found["after the first"]}


def test_there_are_notebooks_to_take_apart() -> None:
    assert len(NOTEBOOKS) >= 40


SAMPLES = {
    "a name of a cell above": "save(0)",
    "a name below an import": "import dynamolab as lab\ndynamodb.list_tables()",
    "a name of no cell": "dinamodb",
    "a table of a cell above": (
        "import boto3, dynamolab as lab\nlab.start(seed=7)\n"
        'boto3.client("dynamodb").scan(TableName="mercadofresco-pedidos")'
    ),
    "a table of the lab's": 'import dynamolab as lab\nlab.start(seed=7)\nlab.partition_map("mercadofresco-pedidos")',
    "no lab": "import dynamolab as lab\nlab.clock.advance(seconds=1)",
    "another error": "1 / 0",
}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, run: Run) -> dict[str, Any]:
    """What the forks say of the samples, as cells below those of a lesson."""
    stored = nbformat.read(FIRST, as_version=4)
    stored.cells += [nbformat.v4.new_code_cell(source) for source in SAMPLES.values()]
    path = tmp_path_factory.mktemp("alone") / "sample.ipynb"
    nbformat.write(stored, path)
    return dict(zip(SAMPLES, run(path)["alone"][-len(SAMPLES) :], strict=True))


def in_a_kernel(path: Path, source: str) -> list[str]:
    """What a learner reads who opens the notebook in JupyterLab and runs only this cell."""
    cell = nbformat.v4.new_code_cell(source)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    os.environ["JPY_SESSION_NAME"] = str(path)  # as JupyterLab tells its kernels
    client = NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True)
    started(client.execute)
    return [line for output in cell.outputs for text in output.get("traceback", []) for line in text.splitlines()]


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_fork_and_a_real_kernel_show_the_same(sample: str, samples: dict[str, Any]) -> None:
    with build.quiet_environment():
        shown = in_a_kernel(FIRST, SAMPLES[sample])
    assert shown
    if sample == "another error":  # Python's own stack, which has colours and files in it
        assert any("ZeroDivisionError" in line for line in shown)
        assert samples[sample]["error"] == "ZeroDivisionError"
    else:
        assert shown == samples[sample]["shown"]


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        ("a name of a cell above", "`save` is made by code cell 3 (`def save(i"),
        ("a name below an import", "`dynamodb` is made by code cell 1 (`import boto3`)"),
        ("a name of no cell", "NameError: name 'dinamodb' is not defined; no cell of this notebook makes `dinamodb`."),
        ("a table of a cell above", "The table `mercadofresco-pedidos` is made by code cell 2 (`def open_shop"),
        ("a table of the lab's", "The table `mercadofresco-pedidos` is made by code cell 2 (`def open_shop"),
        ("no lab", "The lab is started by code cell 1 (`import boto3`)"),
    ],
)
def test_the_sentence_names_what_is_missing(sample: str, said: str, samples: dict[str, Any]) -> None:
    assert any(line.startswith(said) for line in samples[sample]["shown"])
    assert not any("Traceback" in line for line in samples[sample]["shown"])


@pytest.mark.parametrize(
    ("ran", "faulty"),
    [
        (None, True),
        ({"error": "", "shown": []}, False),
        ({"error": "NameError", "shown": ["NameError: name 'x' is not defined"]}, True),
        ({"error": "ResourceNotFoundException", "shown": ["Requested resource not found"]}, True),
        ({"error": "KeyError", "shown": ["Traceback (most recent call last)"]}, True),
        ({"error": "ZeroDivisionError", "shown": ["ZeroDivisionError"]}, False),  # the one that the lesson stores
    ],
)
def test_the_judge_lets_pass_only_what_works_or_names_a_cell(ran: dict[str, Any] | None, faulty: bool) -> None:
    error = nbformat.v4.new_output("error", ename="ZeroDivisionError", evalue="", traceback=[])
    cell = nbformat.v4.new_code_cell("1 / 0", outputs=[error])
    assert (fault(ran, cell, 5) is not None) is faulty


def test_a_sentence_that_names_a_cell_further_down_is_no_help() -> None:
    said = "is made by code cell 4 (`x = 1`): run the cells from the top down to there, then this one again"
    ran = {"error": "NameError", "shown": [f"`x` {said} (menu Run, Run All Above Selected Cell)."]}
    cell = nbformat.v4.new_code_cell("x")
    assert fault(ran, cell, 5) is None
    assert fault(ran, cell, 4) is not None
