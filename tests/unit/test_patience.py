"""Progress bars: seen by a person who waits, never stored. Time is a stand-in: nothing here waits for a second."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from dynamolab import patience

# In the notebook, each look at the clock is a second later: a bar is due at the first chance, whatever the machine.
SLOW = """\
import itertools, dynamolab as lab
from dynamolab import patience
seconds = itertools.count()
patience.time = type("Clock", (), {"monotonic": staticmethod(lambda: float(next(seconds)))})
"""
WORK = """\
with patience.bar("counting", 3) as advance:
    for done in range(4):
        advance(done)
"""
DRIVE = """\
import boto3
lab.start(seed=7)
lab.drive(lambda: boto3.client("dynamodb").list_tables(), per_second=5, seconds=1)
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The wall clock as the bar sees it; a test sets its last entry."""
    now = [0.0]
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[-1])
    return now


def count_to_three(seconds: list[float], step: float) -> None:
    with patience.bar("counting", 3) as advance:
        for done in range(4):
            seconds.append(done * step)
            advance(done)


def test_on_a_terminal_slow_work_shows_a_bar_and_wipes_it(
    monkeypatch: pytest.MonkeyPatch, seconds: list[float]
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    count_to_three(seconds, 1.0)
    written = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "counting [" in written
    assert "33%" in written
    assert "100%" in written
    assert written.endswith("\r\x1b[K")


def test_work_within_a_second_shows_nothing(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    count_to_three(seconds, 0.2)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_a_file_or_a_pipe_gets_nothing(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    count_to_three(seconds, 1.0)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_a_fault_of_the_work_passes_and_the_bar_is_wiped(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(ZeroDivisionError), patience.bar("counting", 3) as advance:
        seconds.append(5.0)
        advance(1)
        raise ZeroDivisionError
    assert sys.stderr.getvalue().endswith("\r\x1b[K")  # type: ignore[attr-defined]


def executed(cells: list[str], *, person: bool = False) -> list[list[nbformat.NotebookNode]]:
    """The outputs of cells run in one kernel; with ``person``, as a front end that a person could answer asks."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(notebook, kernel_name="python3", timeout=60)
    if person:
        with client.setup_kernel():
            execute = client.kc.execute
            client.kc.execute = lambda *a, **k: execute(*a, **{**k, "allow_stdin": True})
            for number, cell in enumerate(notebook.cells):
                client.execute_cell(cell, number)
    else:
        client.execute()
    return [cell.outputs for cell in notebook.cells]


def test_nothing_is_stored_when_no_person_watches() -> None:
    *_, counted, driven = executed([SLOW, WORK, DRIVE])
    assert counted == []
    assert [output.output_type for output in driven] == ["execute_result"]


def test_a_bar_that_a_person_saw_leaves_nothing_in_the_cell() -> None:
    seen = 'shown = []\nget_ipython().display_pub.register_hook(lambda m: shown.append(m["msg_type"]) or m)'
    _, _, counted, driven, told = executed([SLOW, seen, WORK, DRIVE, "print(*shown)"], person=True)
    assert told[0].text.split().count("clear_output") >= 1
    assert told[0].text.split().count("display_data") >= 1
    assert counted == []
    assert [output.output_type for output in driven] == ["execute_result"]


def test_a_cell_that_has_shown_something_keeps_it_and_gets_no_bar() -> None:
    _, counted = executed([SLOW, "print('kept')\n" + WORK], person=True)
    assert [output.text for output in counted] == ["kept\n"]


def test_strict_nbval_passes_over_slow_work(tmp_path: Path) -> None:
    cells = [nbformat.v4.new_code_cell(cell) for cell in (SLOW, WORK, DRIVE)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", timeout=60).execute()
    nbformat.write(notebook, tmp_path / "slow.ipynb")
    line = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-p", "no:cacheprovider", "."]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
