"""The run of all gates cannot look green when it is not: whatever becomes of a gate, the last line counts it."""

from __future__ import annotations

import fcntl
import os
import re
import time
from pathlib import Path

import nbformat
import pytest

import run_all
from run_all import Gate

TESTS = "import pytest\ndef test_a(): pass\ndef test_b(): assert 0\ndef test_c(): pytest.skip('no')\n"


@pytest.fixture(autouse=True)
def artifacts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run_all, "ARTIFACTS", tmp_path)
    return tmp_path


def result(*arguments: str, seconds: int = 60) -> run_all.Result:
    return run_all.run(Gate("gate", arguments, seconds), dict(os.environ))


@pytest.mark.parametrize("code", ["import os; os.abort()", "raise SystemExit(3)", "import no_such_module", "1/0"])
def test_a_gate_that_crashes_has_failed(code: str) -> None:
    assert result("-c", code).failed == 1


def test_a_gate_that_hangs_is_ended_with_its_children_and_has_failed(tmp_path: Path) -> None:
    held = tmp_path / "held"
    lock = f"f = open({str(held)!r}, 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(1, file=f, flush=True)"
    child = f"import fcntl, time; {lock}; time.sleep(600)"
    ended = result("-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])", seconds=5)
    assert (ended.failed, ended.word) == (1, "HUNG after 5 s")
    assert held.read_text() == "1\n"
    with held.open() as file:
        for attempt in range(200):  # the lock goes when the child does
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                assert attempt < 199, "the child lives on"
                time.sleep(0.05)


def test_a_gate_of_tests_is_counted_from_its_report(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(TESTS)
    counted = result(*run_all.PYTEST, "-p", "no:cacheprovider", str(tmp_path))
    assert (counted.passed, counted.failed, counted.skipped) == (1, 1, 1)
    assert counted.word == "FAILED"


@pytest.mark.parametrize("content", [None, "", "def test_a(: pass", "import pytest\ndef test_a(): pytest.skip('x')"])
def test_a_gate_in_which_no_test_passed_has_failed(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "test_none.py").write_text(content)
    counted = result(*run_all.PYTEST, "-p", "no:cacheprovider", str(tmp_path))
    assert counted.passed == 0
    assert counted.failed >= 1


def test_strict_nbval_without_a_notebook_has_failed(tmp_path: Path) -> None:
    assert result(*run_all.PYTEST, "-p", "no:cacheprovider", *run_all.STRICT, str(tmp_path)).failed == 1


def test_a_stored_number_that_is_wrong_turns_the_notebook_gate_red(tmp_path: Path) -> None:
    cell = nbformat.v4.new_code_cell("6 * 7", id="a", execution_count=1)
    for stored, failed in (("42", 0), ("43", 1)):
        cell.outputs = [
            nbformat.v4.new_output("execute_result", data={"text/plain": stored}, execution_count=1),
        ]
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=metadata), tmp_path / "n.ipynb")
        counted = result(*run_all.PYTEST, "-p", "no:cacheprovider", *run_all.STRICT, str(tmp_path))
        assert counted.failed == failed


@pytest.mark.parametrize(("more", "not_run"), [((), True), (("--keep-going",), False)])
def test_the_first_failure_stops_the_rest_and_the_last_line_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], not_run: bool
) -> None:
    gates = (Gate("good", ("-c", "")), Gate("bad", ("-c", "1/0")), Gate("late", ("-c", "")))
    monkeypatch.setattr(run_all, "GATES", gates)
    assert run_all.main(more) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == f"{1 if not_run else 2} passed, 1 failed"
    assert any(re.fullmatch(r"late +not run", line) for line in said) is not_run


def test_all_gates_well_is_status_zero(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(run_all, "GATES", (Gate("good", ("-c", "")),))
    assert run_all.main([]) == 0
    assert capsys.readouterr().out.endswith("\n1 passed, 0 failed\n")


def test_the_gates_run_cheapest_first_and_none_is_left_out() -> None:
    names = ["ruff", "mypy", "tests", "notebooks", "drift", "proofs", "rerun", "browser"]
    assert [gate.name for gate in run_all.GATES] == names


def test_every_test_file_belongs_to_exactly_one_gate(root: Path) -> None:
    gates = {gate.name: gate.arguments for gate in run_all.GATES}
    apart = [argument.removeprefix("--ignore=") for argument in gates["tests"] if argument.startswith("--ignore=")]
    named = [word for name in ("proofs", "rerun") for word in gates[name] if word.endswith(".py")]
    assert sorted(named) == sorted(apart) != []
    assert [file for file in named if not (root / file).is_file()] == []
    marked = [
        path
        for path in (root / "tests" / "browser").glob("test_*.py")
        if "pytest.mark.browser" not in path.read_text("utf-8")
    ]
    assert marked == []
