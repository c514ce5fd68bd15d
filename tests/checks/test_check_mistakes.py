"""What learners hand to a check by mistake, and what they read: one of the four outcomes, or one sentence."""

import datetime
import decimal
import json
import re
import signal
import sys

import boto3
import numpy as np
import pandas as pd
import pytest

import dynamolab as lab
from dynamolab import checks, grading
from dynamolab.__main__ import main
from dynamolab.checks import core

FUNCTION, NUMBER = "write_sharding.a", "write_sharding.b"


@pytest.fixture(autouse=True)
def _fresh():
    checks.reset()
    lab.start(seed=7)
    yield
    checks.reset()
    lab.stop()


class Unshowable:
    """Raises whatever it is asked."""

    def __repr__(self):
        raise RuntimeError("no repr")

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")

    def __eq__(self, other):
        raise RuntimeError("no equality")

    __hash__ = None

    def __float__(self):
        raise RuntimeError("no number")

    def __iter__(self):
        raise RuntimeError("no items")

    def __len__(self):
        raise RuntimeError("no length")


class Leaving:
    def __repr__(self):
        sys.exit()


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no message")


def generator():
    yield 200


def recursive(*_):
    return recursive(*_)


def raises(error):
    def function(*_, **more):
        raise error

    return function


def quits(*_):
    quit()


def stops(*_):
    lab.stop()
    raise ValueError("stopped")


def restarts(*_):
    lab.start(seed=3)
    raise ValueError("begun again")


def prints(*_):
    print("x" * 1_000_000)
    print("x" * 1_000_000, file=sys.stderr)
    return 1


ANSWERS = {
    "a number as text": "224",
    "NumPy's whole number": np.int64(224),
    "NumPy's float": np.float64(200),
    "NumPy's yes": np.bool_(True),
    "a column": pd.Series([200]),
    "a frame": pd.DataFrame([[200]]),
    "a missing value": pd.NA,
    "no time": pd.NaT,
    "yes": True,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a Decimal": decimal.Decimal(200),
    "a complex number": 2j,
    "a number beyond floats": 10**400,
    "zero": 0,
    "below zero": -5,
    "a list": [200],
    "an empty list": [],
    "a tuple": (1, 2, 3),
    "a mapping": {},
    "a set": {1},
    "bytes": b"1",
    "a word": "é🛒",
    "an array": np.array([1, 2]),
    "an array of one": np.array(200),
    "a time": datetime.timedelta(1),
    "a generator": generator(),
    "a class": int,
    "a function of nothing": lambda: 1,
    "a built-in": print,
    "an object that raises": Unshowable(),
    "its class": Unshowable,
    "an object that leaves": Leaving(),
    "a recursion": recursive,
    "sys.exit": raises(SystemExit("bye")),
    "quit": quits,
    "no memory": raises(MemoryError()),
    "the end of a generator": raises(GeneratorExit()),
    "an error without a message": raises(Silent()),
    "a stop of the lab": stops,
    "a start of the lab": restarts,
    "megabytes of print": prints,
    "the client": boto3.client,
}

IDS = {
    "write_shard.a": "Near it: write_sharding.a",
    "write_sharding": "Near it: write_sharding.a",
    "WRITE_SHARDING.A": "Near it: write_sharding.a",
    " write_sharding.a": "Near it: write_sharding.a",
    "write_sharding.z": "This exercise has: write_sharding.a",
    ("write_sharding.a",): "Near it: write_sharding.a",
    "": "An id is an exercise and a letter",
    None: "An id is an exercise and a letter",
    5: "An id is an exercise and a letter",
    "é.ñ": "An id is an exercise and a letter",
    "core.a": "no check 'core.a'",
}


def plain(text):
    assert not re.search(r"0x[0-9a-f]{6}|Traceback|site-packages|/src/", text), text
    return text


@pytest.mark.parametrize("question", [FUNCTION, NUMBER])
@pytest.mark.parametrize("name", ANSWERS)
def test_whatever_is_handed_in_is_judged_in_a_few_lines_and_the_learners_lab_stays(question, name, capsys):
    lab.clock.advance(hours=1)
    result = lab.check(question, ANSWERS[name])
    told = repr(result)
    assert result.outcome in ("wrong", "raised") or (question == NUMBER and result.outcome == "right")
    assert len(plain(told)) < 700
    assert lab.clock.now().hour == 11
    assert boto3.client("dynamodb").list_tables()["TableNames"] == []
    assert capsys.readouterr() == ("", "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert sys.gettrace() is None


@pytest.mark.parametrize("question", sorted(id for exercise in core.exercises() for id in core.questions(exercise)))
def test_an_object_that_raises_whatever_it_is_asked_is_judged_by_every_check(question):
    result = lab.check(question, Unshowable())
    assert result.outcome in ("wrong", "raised")
    plain(repr(result))


@pytest.mark.parametrize("answer", [None, ..., (), (None, 1), lambda *_: ...])
def test_no_answer_is_not_attempted_or_not_the_kind_asked_for(answer):
    assert lab.check(NUMBER, answer).outcome == ("wrong" if answer == () else "not attempted") or callable(answer)
    assert checks.progress("write_sharding").headline.startswith("write_sharding: 0 of 5")


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("ask", [lab.check, lab.hint, lab.solution])
def test_an_id_that_is_none_is_answered_with_those_near_it(id, ask):
    with pytest.raises(lab.LabError) as told:
        ask(id)
    assert IDS[id] in plain(str(told.value))
    assert not core._memory


def test_an_id_that_cannot_be_shown_is_said_to_be_none():
    with pytest.raises(lab.LabError, match="a Unshowable that cannot be shown"):
        lab.check(Unshowable(), 1)


@pytest.mark.parametrize("exercise", ["nope", 5, "write_sharding.a", "unshowable"])
def test_progress_of_no_exercise_names_those_there_are(exercise):
    exercise = Unshowable() if exercise == "unshowable" else exercise
    with pytest.raises(lab.LabError, match="There is no exercise .* write_sharding"):
        lab.progress(exercise)


def test_a_hint_before_any_answer_is_the_first_one():
    assert lab.hint(NUMBER).headline.endswith("hint 1 of 3")


# --- files that were cut short ----------------------------------------------------------------------------------------


def test_an_outcome_after_a_line_cut_short_stands_on_a_line_of_its_own(tmp_path, monkeypatch):
    for variable in (core.PROGRESS, core.RECORD):
        path = tmp_path / variable
        path.write_text('{"id": "write_sharding.a", "outc', encoding="utf-8")
        monkeypatch.setenv(variable, str(path))
    lab.check(NUMBER, 4)
    for variable in (core.PROGRESS, core.RECORD):
        _, line, rest = (tmp_path / variable).read_text(encoding="utf-8").split("\n")
        assert json.loads(line)["id"] == NUMBER
        assert rest == ""
    checks.reset()
    assert "wrong: b" in repr(checks.progress())


def test_a_report_that_is_interrupted_leaves_the_old_one(tmp_path, monkeypatch):
    book = tmp_path / "book.csv"
    book.write_text("old", encoding="utf-8")

    def interrupted(path, text, **more):
        with open(path, "w", **more) as file:
            file.write(text[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grading.write(book, "new and longer")
    assert book.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [book]


def test_grading_that_is_interrupted_says_so_and_is_no_success(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(grading, "grade", raises(KeyboardInterrupt()))
    monkeypatch.setattr(grading, "grade_all", raises(KeyboardInterrupt()))
    assert main(["grade", "x.ipynb", "--csv", str(tmp_path / "book.csv")]) == 130
    assert capsys.readouterr().err == "Interrupted: the notebooks are not all graded, and no report was written.\n"
    assert list(tmp_path.iterdir()) == []


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: command"),
        (["play"], "invalid choice: 'play'"),
        (["serve", "--port", "70000"], "70000 is no port"),
        (["serve", "--port", "-1"], "is no port"),
        (["serve", "--port", "http"], "http is no port"),
        (["serve", "--port", "٣"], "is no port"),
        (["serve", "--seed", "x"], "invalid int value: 'x'"),
        (["lab", "--port", "1e3"], "1e3 is no port"),
        (["grade"], "NOTEBOOK"),
        (["grade", "a.ipynb", "--timeout", "soon"], "invalid float value: 'soon'"),
    ],
)
def test_a_command_that_is_none_is_said_in_a_line(arguments, words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert words in plain(capsys.readouterr().err)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_time_limit_that_is_none_is_refused(seconds, capsys):
    assert main(["grade", "x.ipynb", "--timeout", seconds]) == 1
    assert "above 0 seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.ipynb", None, "There is no such file."),
        ("folder.ipynb", ..., "It cannot be read as a notebook"),
        ("picture.ipynb", b"\x89PNG\r\n\x1a\n\xff", "It cannot be read as a notebook"),
        ("empty.ipynb", b"", "It cannot be read as a notebook"),
        ("half.ipynb", b'{"cells": [', "It cannot be read as a notebook"),
        ("list.ipynb", b"[]", "It cannot be read as a notebook"),
        ("number.ipynb", b"5", "It cannot be read as a notebook"),
        ("nulls.ipynb", b'{"cells": null, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "cannot be read"),
        ("cellless.ipynb", b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "cannot be read"),
        ("deep.ipynb", b"[" * 100_000, "It cannot be read as a notebook"),
        ("other.ipynb", b'{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "asks no check"),
    ],
)
def test_what_is_no_notebook_has_no_marks_and_says_why(tmp_path, name, content, words, capsys):
    path = tmp_path / name
    if content is ...:
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    assert main(["grade", str(path)]) == 4
    said = capsys.readouterr()
    assert words in said.out
    assert plain(said.out).count("!") == 1
    assert said.err == ""
