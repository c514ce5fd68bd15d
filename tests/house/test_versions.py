"""`make test-versions` tries the oldest, the locked and the newest packages, and says which sentence to read first."""

from __future__ import annotations

import ast
import stat
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import versions
from versions import Combination

PROJECT = """
[build-system]
requires = ["flit_core>=3.12,<4"]
[project]
requires-python = ">=3.11,<3.14"
dependencies = ["moto[s3,dynamodb]>=5.2,<5.3", "numpy>=2.1,<3"]
[project.optional-dependencies]
test = ["PyYAML>=6.0.2,<7"]
"""


@pytest.fixture
def project(root: Path) -> str:
    return (root / "pyproject.toml").read_text(encoding="utf-8")


def tried(text: str) -> list[str]:
    """The lines of .ci/minimum.txt."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_the_lower_bounds_are_those_that_were_tried(root: Path, project: str) -> None:
    text = (root / ".ci" / "minimum.txt").read_text(encoding="utf-8")
    assert versions.requirements("minimum", project) == tried(text), "a bound changed: run `make test-versions`"


@pytest.mark.parametrize(
    ("old", "new"), [("numpy>=2.1", "numpy>=2.0"), ("moto[dynamodb,s3,ssm]>=5.2.5", "moto>=5.2.5")]
)
def test_a_bound_that_was_not_tried_is_seen(root: Path, project: str, old: str, new: str) -> None:
    assert old in project
    text = (root / ".ci" / "minimum.txt").read_text(encoding="utf-8")
    assert versions.requirements("minimum", project.replace(old, new)) != tried(text)


def test_the_oldest_versions_are_the_bounds_and_the_newest_what_the_ranges_allow() -> None:
    assert versions.requirements("minimum", PROJECT) == [
        "flit-core==3.12", "moto[dynamodb,s3]==5.2", "numpy==2.1", "pyyaml==6.0.2",
    ]  # fmt: skip
    newest = [Requirement(line) for line in versions.requirements("newest", PROJECT)]
    assert {each.name: str(each.specifier) for each in newest}["numpy"] == "<3,>=2.1"
    assert tried(versions.record(PROJECT)) == versions.requirements("minimum", PROJECT)


@pytest.mark.parametrize("text", ["numpy", "numpy<3", "numpy==2.1", "numpy>=2,>=3"])
def test_a_requirement_without_one_lower_bound_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has no one lower bound"):
        versions.lowest(Requirement(text))


def test_no_range_excludes_its_own_bound(project: str) -> None:
    asked = versions.asked(project)
    assert len(asked) > 20
    assert [str(each) for each in asked if not each.specifier.contains(versions.lowest(each))] == []


def fake(folder: Path, name: str, answer: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{answer}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_the_oldest_and_the_newest_python_that_work_are_found(tmp_path: Path) -> None:
    for minor in (10, 11, 12, 13):
        fake(tmp_path, f"python3.{minor}", f"echo {minor} /base/python3.{minor}")
    fake(tmp_path, "python3.13", "echo 'command not found' >&2; exit 127")  # a version manager's shim
    names = " ".join(str(tmp_path / f"python3.{minor}") for minor in (13, 10, 12, 11))
    found = versions.pythons(SpecifierSet(">=3.11,<3.14"), {"PYTHONS": f"{names} {tmp_path / 'nothing'}"})
    assert found == {"3.11": Path("/base/python3.11"), "3.12": Path("/base/python3.12")}


def test_without_the_oldest_python_there_is_one_sentence(tmp_path: Path) -> None:
    name = fake(tmp_path, "python3.12", "echo 12 /base/python3.12")
    with pytest.raises(SystemExit, match=r"^There is no Python 3\.11 here: name one, PYTHONS="):
        versions.pythons(SpecifierSet(">=3.11,<3.14"), {"PYTHONS": name})


def report(folder: Path, *cases: str) -> Path:
    path = folder / "report.xml"
    path.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>", encoding="utf-8")
    return path


GOOD = '<testcase classname="tests.a" name="test_a"/>'
SKIPPED = '<testcase classname="tests.a" name="test_s"><skipped/></testcase>'
BAD = '<testcase classname="tests.a" name="test_b"><failure message="assert 1 == 2&#10; + where"/></testcase>'
BROKEN = '<testcase classname="tests.b" name="test_c"><error message="no fixture"/></testcase>'
CONTRACT = (
    '<testcase classname="tests.live.test_moto_contract" name="test_d">'
    '<failure message="AssertionError: Table.query changed: pages"/></testcase>'
)


def test_a_run_in_which_all_passed_has_passed(tmp_path: Path) -> None:
    assert versions.verdict(0, [report(tmp_path, GOOD, SKIPPED, GOOD)], []) == (2, 0, "passed")


def test_the_first_failure_is_named_in_a_sentence(tmp_path: Path) -> None:
    found = versions.verdict(1, [report(tmp_path, GOOD, BAD, BROKEN)], [])
    assert found == (1, 2, "tests.a::test_b: assert 1 == 2")


def test_a_failure_of_the_contract_is_named_before_what_follows_from_it(tmp_path: Path) -> None:
    words = versions.verdict(1, [report(tmp_path, BAD, CONTRACT)], [])[2]
    assert words == "tests.live.test_moto_contract::test_d: AssertionError: Table.query changed: pages"


@pytest.mark.parametrize(
    ("status", "lines", "words"),
    [
        (4, ["ImportError while loading conftest\n", "E   LabError: The lab rests on\n", "\n"], "LabError: The lab"),
        (4, ["dynamolab.errors.LabError: The lab rests on moto\n", "\n"], "LabError: The lab rests on moto"),
        (1, ["Killed\n", "\n"], "Killed"),
        (0, [], "it said nothing"),
    ],
)
def test_a_run_that_tested_nothing_has_failed(tmp_path: Path, status: int, lines: list[str], words: str) -> None:
    passed, failed, said = versions.verdict(status, [tmp_path / "none.xml"], lines)
    assert (passed, failed) == (0, 1)
    assert words in said


def test_a_run_that_crashed_after_its_tests_has_failed(tmp_path: Path) -> None:
    assert versions.verdict(-9, [report(tmp_path, GOOD)], ["Killed\n"]) == (1, 1, "Killed")


def test_a_combination_s_tests_run_in_its_own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "FOLDER", tmp_path)
    combination = Combination("newest", "3.11", Path(sys.executable))
    combination.executable.parent.mkdir(parents=True)
    fake(combination.executable.parent, "python", "echo LabError: the lab rests on another moto; exit 3")
    combination.test(["tests/live"], 1)
    assert (combination.passed, combination.failed) == (0, 1)
    assert combination.words == "LabError: the lab rests on another moto"
    assert "LabError" in (combination.folder / "tests.log").read_text(encoding="utf-8")


def test_the_table_names_what_differs_and_what_failed() -> None:
    good = Combination("locked", "3.11", Path("python"), passed=7, words="passed")
    bad = Combination("newest", "3.13", Path("python"), ["numpy 2.5.5"], 5, 2, "tests.a::test_b: assert 1 == 2")
    text = versions.table([good, bad, Combination("minimum", "3.11", Path("python"))])
    rows = [line.split() for line in text.splitlines() if line[:6] in ("locked", "newest", "minimu")]
    assert ["locked-3.11", "0", "7", "0", "passed"] in rows
    assert ["newest-3.13", "1", "5", "2", "FAILED"] in rows
    assert ["minimum-3.11", "0", "0", "0", "not", "run"] in rows
    assert "newest-3.13 has numpy 2.5.5." in text
    assert "newest-3.13: tests.a::test_b: assert 1 == 2" in text


def test_the_tests_that_are_left_out_without_the_lock_are_there(root: Path) -> None:
    for test in versions.LOCK_ONLY:
        file, name = test.split("::")
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


def test_the_environments_are_no_part_of_the_repository(root: Path) -> None:
    folder = versions.FOLDER.relative_to(root).as_posix()
    assert f"{folder}/" in (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert folder in settings["tool"]["ruff"]["extend-exclude"]


@pytest.mark.parametrize(
    ("failing", "arguments", "written"),
    [
        ("", [], True),
        ("newest-3.13", [], True),
        ("minimum-3.13", [], False),
        ("", ["--only", "tests/live"], False),
        ("", ["minimum-3.11", "locked-3.11"], False),
    ],
)
def test_the_oldest_versions_are_recorded_once_both_pythons_have_passed_everything_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, arguments: list[str], written: bool
) -> None:
    def passes(combination: Combination, *_: object) -> None:
        wrong = combination.name == failing
        combination.passed, combination.failed, combination.words = 1, int(wrong), "a test" if wrong else "passed"

    monkeypatch.setattr(versions, "MINIMUM", tmp_path / "minimum.txt")
    monkeypatch.setattr(versions, "pythons", lambda *_: {"3.11": Path(sys.executable), "3.13": Path(sys.executable)})
    for name in ("make", "compare"):
        monkeypatch.setattr(Combination, name, lambda *_: None)
    monkeypatch.setattr(Combination, "test", passes)
    assert versions.main(arguments) == (1 if failing else 0)
    assert (tmp_path / "minimum.txt").exists() is written
