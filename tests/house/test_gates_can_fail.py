"""Every gate turns red for the thing that it is there for, and names it: each is run on a copy with things spoilt.

The command is the gate's own, run by the copy's ``run_all.py``, first on the copy as it is and then with one thing
spoilt, or several where the report tells them apart; it must then fail for exactly these. The browser gate is too
slow to be run twice: its own tests move a control that does nothing (tests/browser). What becomes of a gate that hangs,
crashes or runs nothing is in test_run_all.py.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from house.gates_on_a_copy import ROOT, Copy, Run

LESSON, EXERCISE, SOLUTION = (f"{folder}/01_data_model" for folder in ("notebooks", "exercises", "solutions"))
FIRST, GALLERY, WELCOME = "notebooks/00_first_throttle", "notebooks/90_gallery", "notebooks/welcome"

Cell = dict[str, Any]


def assert_green(run: Run) -> None:
    """The gate passed, and something was looked at."""
    assert run.status == 0, run.said
    assert re.search(r"^[1-9]\d* passed, 0 failed$", run.said, re.MULTILINE), run.said


def assert_red(run: Run) -> None:
    """The gate failed, and so would `make test`."""
    assert run.status == 1, run.said
    assert re.search(r"^\d+ passed, [1-9]\d* failed$", run.said, re.MULTILINE), run.said


# ── ruff, mypy ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("gate", "added", "said"),
    [
        ("ruff", "\nimport colorsys\n", "`colorsys` imported but unused"),
        ("mypy", '\n\ndef half(n):\n    """Half."""\n    return n / 2\n', "Function is missing a type annotation"),
    ],
)
def test_a_linters_gate_turns_red_for_one_bad_line(tmp_path: Path, gate: str, added: str, said: str) -> None:
    copy = Copy(tmp_path)
    assert_green(copy.run(gate))
    copy.spoil("src/dynamolab/model/ttl.py", lambda text: text + added)
    run = copy.run(gate)
    assert_red(run)
    assert said in run.said
    assert "src/dynamolab/model/ttl.py" in run.said


# ── notebooks ─────────────────────────────────────────────────────────────────────────


def joined(text: str | list[str]) -> str:
    """A stored text, which may be a list of its lines."""
    return "".join(text)


def digit_changed(text: str, before: str = "") -> tuple[str, str]:
    """The text with its first digit behind ``before`` made another, and the line it stands in now."""
    match = re.search(rf"({before})(\d)", text)
    assert match
    place = match.start(2)
    new = f"{text[:place]}{(int(text[place]) + 1) % 10}{text[place + 1 :]}"
    start = new.rfind("\n", 0, place) + 1
    return new, new[start:].partition("\n")[0]


def stored(kind: str, before: str = "") -> Callable[[Cell], str | None]:
    """Changes one digit of an output of that kind; returns the line that is now wrong, None if there is no such."""

    def change(cell: Cell) -> str | None:
        for output in cell["outputs"]:
            holder, key = (output, "text") if kind == "stdout" else (output.get("data", {}), kind)
            if kind == "text/plain" and set(holder) != {kind}:
                continue
            if key in holder and output.get("name", kind) == kind and re.search(rf"{before}\d", joined(holder[key])):
                holder[key], line = digit_changed(joined(holder[key]), before)
                return line
        return None

    return change


def error_message(cell: Cell) -> str | None:
    """Changes the first word of what a cell prints that catches an error."""
    if "except " not in joined(cell["source"]) or not cell["outputs"] or "text" not in cell["outputs"][0]:
        return None
    text = joined(cell["outputs"][0]["text"])
    if not re.match(r"[A-Z][a-z]+ [a-z]+ ", text):
        return None
    cell["outputs"][0]["text"] = "Some" + text[text.index(" ") :]
    return joined(cell["outputs"][0]["text"]).partition("\n")[0]


def one_of_two(cell: Cell) -> str | None:
    """Deletes the last of several outputs."""
    if len(cell["outputs"]) < 2:
        return None
    cell["outputs"].pop()
    return "Unexpected output fields"


def all_outputs(cell: Cell) -> str | None:
    """Deletes all outputs and leaves the count, as a cell has that shows nothing."""
    if not cell["outputs"]:
        return None
    cell["outputs"] = []
    return "Unexpected output fields"


SPOILT: dict[str, dict[str, Callable[[Cell], str | None]]] = {
    LESSON: {
        "a picture's bar": stored("image/svg+xml", r'<rect [^>]*width="'),
        "an error's message": error_message,
        "one of two outputs": one_of_two,
        "a table": stored("text/html", "<td>"),
        "a printed number": stored("stdout"),
        "a result": stored("text/plain"),
        "all outputs of a cell": all_outputs,
    },
    EXERCISE: {"a result": stored("text/plain")},
    SOLUTION: {"a result": stored("text/plain"), "a verdict": stored("text/html", r"data_model: ")},
    GALLERY: {"a picture's bar": stored("image/svg+xml", r'<rect [^>]*width="')},
}


def spoil(cells: list[Cell], changes: dict[str, Callable[[Cell], str | None]]) -> dict[str, str]:
    """Make each change in the first cell that allows it and is still whole; returns what must be said of which cell."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    said: dict[str, str] = {}
    for what, change in changes.items():
        for number, cell in enumerate(code):
            name = f"Cell {number}"
            if name not in said and (line := change(cell)) is not None:
                said[name] = line
                break
        else:
            raise AssertionError(f"no cell is left for: {what}")
    return said


def test_the_notebooks_gate_turns_red_for_each_stored_output_that_is_not_what_its_cell_gives(tmp_path: Path) -> None:
    copy = Copy(tmp_path, notebooks=(LESSON, EXERCISE, SOLUTION))
    assert_green(copy.run("notebooks"))

    expected: dict[str, str] = {}
    shutil.copy(ROOT / f"{GALLERY}.ipynb", copy.root / "notebooks")
    for path, changes in SPOILT.items():
        said: dict[str, str] = {}
        copy.notebook(f"{path}.ipynb", lambda cells, c=changes, s=said: s.update(spoil(cells, c)))  # type: ignore[misc]
        expected |= {f"{path.replace('/', '.')}.ipynb::{cell}": line for cell, line in said.items()}

    # No lesson stores an error today; one may.
    cells = [nbformat.v4.new_code_cell("1 / 0", id=f"raises-{n}", execution_count=n + 1) for n in range(2)]
    for cell, value in zip(cells, ("division by zero", "division by nought"), strict=True):
        cell.metadata.tags = ["raises-exception"]
        cell.outputs = [nbformat.v4.new_output("error", ename="ZeroDivisionError", evalue=value, traceback=[])]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), copy.root / "notebooks" / "raises.ipynb")
    expected["notebooks.raises.ipynb::Cell 1"] = "division by nought"

    run = copy.run("notebooks")
    assert_red(run)
    assert set(run.failures) == set(expected)
    assert {test: line for test, line in expected.items() if line not in run.failures[test]} == {}


# ── drift ─────────────────────────────────────────────────────────────────────────────


def test_the_drift_gate_turns_red_for_a_source_or_a_product_that_is_not_the_others(tmp_path: Path) -> None:
    copy = Copy(tmp_path, notebooks=(WELCOME, EXERCISE, SOLUTION, "notebooks/01_data_model"))
    (copy.root / "course" / "lessons" / "01_data_model.md").unlink()
    (copy.root / f"{LESSON}.ipynb").unlink()
    assert_green(copy.run("drift"))

    copy.spoil("course/lessons/welcome.md", lambda text: re.sub(r"\bthe\b", "thee", text, count=1))
    copy.spoil(f"{EXERCISE}.ipynb", lambda text: re.sub(r"\bthe\b", "thee", text, count=1))
    (copy.root / f"{SOLUTION}.ipynb").unlink()
    shutil.copy(copy.root / f"{WELCOME}.ipynb", copy.root / "notebooks" / "welcome_again.ipynb")
    run = copy.run("drift")
    assert_red(run)
    assert re.search(r"DIFFERS: cell welcome-\d+, source: .*thee", run.line(f"{WELCOME}.ipynb"))
    assert re.search(r"DIFFERS: cell 01_data_model-\d+, source: .*thee", run.line(f"{EXERCISE}.ipynb"))
    assert "is missing" in run.line(f"{SOLUTION}.ipynb")
    assert "NO SOURCE" in run.line("notebooks/welcome_again.ipynb")


# ── tests ─────────────────────────────────────────────────────────────────────────────

JUDGED = "burst"
"""The exercise whose checks are spoilt: its answers are judged in seconds."""

SPOILT_CHECKS = """

from dataclasses import replace as _replace


def _always(letter: str, verdict: Verdict) -> None:
    id = f"{exercise.name}.{letter}"
    exercise.questions[id] = _replace(exercise.questions[id], judge=lambda answer, learner: verdict)


def _misnamed(letter: str, shown: str, said: str) -> None:
    id = f"{exercise.name}.{letter}"
    honest = exercise.questions[id].judge

    def judge(answer: Any, learner: Learner) -> Verdict:
        try:
            verdict = honest(answer, learner)
        except Judged as judged:
            verdict = judged.verdict
        return _replace(verdict, misconception=said) if verdict.misconception == shown else verdict

    exercise.questions[id] = _replace(exercise.questions[id], judge=judge)


_misnamed("a", "no_burst", "hour_saved")
_always("c", Verdict("wrong", (), "too_dear"))
_always("d", right("Well done."))
"""


@pytest.fixture(scope="module")
def tests_copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy with the tests that read files, and with the checks of one exercise."""
    tests = (
        "checks/test_answers.py",
        "house/test_layers.py",
        "house/test_pins.py",
        "house/test_prices.py",
        "house/test_repository.py",
        "notebooks/test_figures.py",
        "notebooks/test_gallery.py",
    )
    copy = Copy(tmp_path_factory.mktemp("tests"), tests, (FIRST, LESSON, GALLERY))
    answered = [path.stem.removeprefix("answers_") for path in (copy.root / "tests" / "checks").glob("answers_*.py")]
    for name in answered:
        if name != JUDGED:
            (copy.root / "tests" / "checks" / f"answers_{name}.py").unlink()
            (copy.root / "src" / "dynamolab" / "checks" / f"{name}.py").unlink()
    return copy


@pytest.fixture(scope="module")
def tests_red(tests_copy: Copy) -> Run:
    """The tests gate on the copy, green before and with everything spoilt that it must see."""
    copy = tests_copy
    assert_green(copy.run("tests"))

    copy.spoil("requirements.lock", lambda text: re.sub(r"(?m)^(attrs==.*)$", r"\1.1", text))
    copy.spoil("requirements.lock", lambda text: re.sub(r"(?m)^pytest==.*\n", "", text))
    copy.replace("environment.yml", "python >=3.11", "python >=3.10")
    copy.spoil("pyproject.toml", lambda text: re.sub(r'"hypothesis>=[^"]*"', '"hypothesis>=1,<2"', text))

    copy.replace("data/prices.csv", "backup_gb_month,GB-month,0.10", "backup_gb_month,GB-month,0.11")
    copy.replace("data/operation_mix.csv", "28.44", "28.45")
    copy.spoil("src/dynamolab/model/ttl.py", lambda text: text + "\nfrom ..live import clock  # noqa\n")
    copy.spoil(f"src/dynamolab/checks/{JUDGED}.py", lambda text: text + SPOILT_CHECKS)
    (copy.root / "tests" / "unit" / "test_nothing.py").write_text("def tset_a(): assert False\n", encoding="utf-8")
    copy.notebook(f"{FIRST}.ipynb", lambda cells: cells[-1]["source"].append("\n\nIn all 7,643 orders were stored."))

    def without_keys(cells: list[Cell]) -> None:
        cells[:] = [cell for cell in cells if "hash_space(" not in joined(cell["source"]).splitlines()[-1]]

    copy.notebook(f"{GALLERY}.ipynb", without_keys)
    copy.notebook(f"{LESSON}.ipynb", lambda cells: never_run(cells))
    return copy.run("tests")


def never_run(cells: list[Cell]) -> None:
    """Clear the first cell that shows something, as JupyterLab's "Clear Outputs" does."""
    cell = next(cell for cell in cells if cell.get("outputs"))
    cell["outputs"], cell["execution_count"] = [], None


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("test_what_is_installed_is_what_the_lock_says", r"attrs==\S+\.1: \S+ is installed"),
        ("test_pyproject_lock_and_environment_agree", r"pytest is in pyproject\.toml and not in the lock"),
        ("test_pyproject_lock_and_environment_agree", r"environment\.yml asks for .*3\.10"),
        ("test_pyproject_lock_and_environment_agree", r"hypothesis==\S+ is outside pyproject\.toml's hypothesis<2,>=1"),
        ("test_a_price_stands_in_the_table_as_it_was_read", r"0\.20 .* 0\.11 0\.15"),
        ("test_the_quantities_of_the_two_invoices_and_of_the_mix_stand_as_they_were_given", r"28\.45"),
        ("test_a_layer_imports_nothing_from_above_it[model]", r"model/ttl\.py.*dynamolab\.live\.clock"),
        ("tests.unit.test_nothing", r"tests/unit/test_nothing\.py holds no test"),
        ("test_every_figure_in_the_text_was_shown_or_is_declared[00_first_throttle]", r"the text says 7,643"),
        ("test_the_gallery_calls_it_and_stores_its_picture[hash_space]", r"not enough values to unpack"),
        (
            "test_no_cell_escapes_the_comparison_without_a_reason",
            r"notebooks/01_data_model\.ipynb: cell 01_data_model-",
        ),
    ],
)
def test_the_tests_gate_turns_red_for_what_is_wrong_in_a_file(tests_red: Run, test: str, said: str) -> None:
    assert_red(tests_red)
    assert re.search(said, tests_red.failure(test)), tests_red.failure(test)


def test_the_tests_gate_turns_red_for_a_check_that_does_not_judge(tests_red: Run) -> None:
    judged = "test_an_answer_is_judged_as_it_deserves["
    found = [name.partition(judged)[2] for name in tests_red.failures if judged in name]
    assert {name.partition("-")[0] for name in found} == {f"{JUDGED}.{letter}" for letter in "acd"}
    outcomes = {
        letter: {name.split("-")[1] for name in found if name.startswith(f"{JUDGED}.{letter}-")} for letter in "cd"
    }
    assert "right" in outcomes["c"]
    assert "wrong" in outcomes["d"]
    assert "right" not in outcomes["d"]
    for name in (name for name in found if name.startswith(f"{JUDGED}.a-")):
        assert re.search("'wrong', 'hour_saved'.*'wrong', 'no_burst'", tests_red.failure(judged + name), re.DOTALL)


def test_the_tests_gate_turns_red_for_nothing_else(tests_red: Run) -> None:
    named = {re.sub(r"\[.*", "", name.partition("::")[2]) for name in tests_red.failures}
    assert named == {
        "test_a_layer_imports_nothing_from_above_it",
        "test_a_price_stands_in_the_table_as_it_was_read",
        "test_an_answer_is_judged_as_it_deserves",
        "test_every_figure_in_the_text_was_shown_or_is_declared",
        "test_no_cell_escapes_the_comparison_without_a_reason",
        "test_one_wrong_line_in_any_of_the_three_is_seen",  # which looks for the right line first
        "test_pyproject_lock_and_environment_agree",
        "test_the_gallery_calls_it_and_stores_its_picture",
        "test_the_lock_names_what_its_packages_need_on_every_python_and_system_and_nothing_else",
        "test_the_quantities_of_the_two_invoices_and_of_the_mix_stand_as_they_were_given",
        "test_the_solution_that_is_shown_is_right",  # the check that always says wrong
        "test_two_wrong_asks_do_not_tell_the_value_and_the_third_does",  # the check that always says right
        "test_what_is_installed_is_what_the_lock_says",
        "tests.unit.test_nothing",
    }
