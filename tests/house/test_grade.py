"""``python -m dynamolab grade``: submissions that are whole, broken, hanging or lying get the marks they deserve."""

import csv
import io
import json
from pathlib import Path

import nbformat
import pytest

from dynamolab import grading
from dynamolab.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
IMPORT = "import dynamolab as lab"
PATIENCE = 20
"""Seconds for a cell: more than a busy machine needs to import the lab, so that only what hangs is interrupted."""
RIGHT, WRONG = "lab.check('lesson_00.a', 2000)", "lab.check('lesson_00.b', 2000)"


def notebook(folder: Path, *cells: str, name: str = "submitted.ipynb") -> Path:
    path = folder / name
    code = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=code), path)
    return path


def outcomes(graded: grading.Graded) -> dict[str, str]:
    return {mark.id: mark.outcome for mark in graded.marks if mark.outcome != "not attempted"}


def test_every_check_of_a_solution_is_right_and_every_one_of_an_untouched_exercise_not_attempted():
    paths = [ROOT / "solutions/05_write_sharding.ipynb", ROOT / "exercises/05_write_sharding.ipynb"]
    before = [path.read_bytes() for path in paths]
    solved, untouched = grading.grade_all(paths)
    assert solved.points == solved.possible == len(solved.marks) >= 5
    assert {mark.outcome for mark in untouched.marks} == {"not attempted"}
    assert (untouched.points, untouched.possible) == (0, solved.possible)
    assert not solved.trouble
    assert not untouched.trouble
    assert [path.read_bytes() for path in paths] == before  # what was submitted is not changed
    assert grading.status([solved]) == 0
    assert grading.status([solved, untouched]) == 3


def test_a_cell_that_raises_or_hangs_costs_only_what_depends_on_it(tmp_path):
    endless = "while True: time.sleep(0.1)"  # which leaves the processor to others
    path = notebook(tmp_path, f"import time\n{IMPORT}", "1 / 0", endless, RIGHT, WRONG)
    graded = grading.grade(path, timeout=PATIENCE)
    assert outcomes(graded) == {"lesson_00.a": "right", "lesson_00.b": "wrong"}
    assert graded.points == 1
    assert "Cell 2 (`1 / 0`) raised ZeroDivisionError: division by zero" in graded.trouble
    assert f"Cell 3 (`{endless}`) was interrupted after {PATIENCE} s." in graded.trouble


def test_a_cell_that_ends_its_kernel_keeps_what_was_checked_before_it(tmp_path):
    graded = grading.grade(notebook(tmp_path, IMPORT, RIGHT, "import os; os._exit(1)", WRONG))
    assert outcomes(graded) == {"lesson_00.a": "right"}
    assert "ended its kernel" in graded.trouble[0]


def test_a_cell_that_cannot_be_interrupted_ends_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "ANSWER_SECONDS", 2)
    deaf = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: time.sleep(0.1)"
    graded = grading.grade(notebook(tmp_path, IMPORT, RIGHT, deaf, WRONG), timeout=PATIENCE)
    assert outcomes(graded) == {"lesson_00.a": "right"}
    assert "did not stop" in graded.trouble[-1]


def test_the_last_ask_of_a_question_counts_and_its_misconception_is_told(tmp_path):
    graded = grading.grade(notebook(tmp_path, IMPORT, RIGHT, "lab.check('lesson_00.a', 8000)"))
    (mark,) = (mark for mark in graded.marks if mark.id == "lesson_00.a")
    assert (mark.outcome, mark.misconception, mark.points) == ("wrong", "table_rate", 0)


def test_a_notebook_that_stores_a_right_answer_but_does_not_give_it_gets_nothing(tmp_path):
    stored = nbformat.v4.new_output("stream", text="lesson_00.a: right")
    lying = nbformat.v4.new_code_cell("print('lesson_00.a: right')  # lab.check('lesson_00.a', 2000)", outputs=[stored])
    path = tmp_path / "lying.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[lying]), path)
    graded = grading.grade(path)
    assert graded.points == 0
    assert graded.possible > 0


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("broken.ipynb", '{"cells": [', "cannot be read as a notebook"),
        ("empty.ipynb", "", "cannot be read as a notebook"),
        ("picture.ipynb", "\x89PNG", "cannot be read as a notebook"),
        ("other.ipynb", None, "asks no check of this course"),
        ("missing.ipynb", ..., "There is no such file."),
    ],
)
def test_what_cannot_be_graded_has_no_marks_and_says_why(tmp_path, name, text, says):
    path = tmp_path / name
    if text is None:
        notebook(tmp_path, "print(1)", name=name)
    elif text is not ...:
        path.write_text(text, encoding="utf-8")
    graded = grading.grade(path)
    assert graded.marks == ()
    assert len(graded.trouble) == 1
    assert says in graded.trouble[0]
    assert grading.status([graded]) == 4


def test_the_learners_aws_settings_do_not_reach_the_kernel(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_PROFILE", "produccion")
    seen = "import os\nassert 'AWS_PROFILE' not in os.environ, 'seen'"
    assert grading.grade(notebook(tmp_path, IMPORT, seen, RIGHT)).trouble == ()


def test_the_command_writes_a_table_a_gradebook_and_json(tmp_path, capsys):
    good = notebook(tmp_path, IMPORT, RIGHT, name="ana ñ.ipynb")
    bad = tmp_path / "luis.ipynb"
    bad.write_text("{", encoding="utf-8")
    book, everything = tmp_path / "book.csv", tmp_path / "all.json"
    assert main(["grade", str(good), str(bad), "--csv", str(book), "--json", str(everything)]) == 4
    said = capsys.readouterr()
    assert f"{good}: 1 of" in said.out
    assert "2 notebooks: 0 with every check right." in said.out
    assert said.err == ""  # no progress bar where nobody watches
    rows = list(csv.DictReader(io.StringIO(book.read_text(encoding="utf-8"))))
    assert [row["lesson_00.a"] for row in rows] == ["1", ""]
    assert [row["points"] for row in rows] == ["1", "0"]
    found = json.loads(everything.read_text(encoding="utf-8"))
    assert [one["notebook"] for one in found] == [str(good), str(bad)]
    assert found[0]["marks"][0] == {
        "id": "lesson_00.a", "outcome": "right", "misconception": None, "points": 1, "possible": 1,
    }  # fmt: skip


def test_a_report_that_cannot_be_written_is_said_in_one_sentence_and_the_table_is_printed(tmp_path, capsys):
    bad = tmp_path / "luis.ipynb"
    bad.write_text("{", encoding="utf-8")
    assert main(["grade", str(bad), "--csv", str(tmp_path / "no" / "book.csv")]) == 1
    said = capsys.readouterr()
    assert "could not be written" in said.err
    assert "luis.ipynb" in said.out


def test_a_time_limit_below_zero_is_refused(capsys):
    assert main(["grade", "x.ipynb", "--timeout", "-1"]) == 1
    assert "time limit above 0" in capsys.readouterr().err
