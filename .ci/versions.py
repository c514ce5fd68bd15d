"""Runs the tests with the oldest, the locked and the newest versions of what pyproject.toml asks for.

    make test-versions                                         six combinations, one table; well over an hour
    .venv/bin/python .ci/versions.py minimum-3.11 newest-3.13  the named ones
    .venv/bin/python .ci/versions.py --only tests/live         these tests alone, for a first look

Oldest is what pyproject.toml writes behind `>=`, each with the newest of what it needs itself. The Pythons are the
oldest and the newest that `requires-python` allows and this machine has; PYTHONS="/path/to/python3.11 ..." names them.
The environments are made in .versions/ and kept, so that a second run only looks for newer releases.

When the tests have passed with the oldest versions, these are written to .ci/minimum.txt: tests/house/test_versions.py
holds it against pyproject.toml, so that no bound stands there that was not tried.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".versions"
LOCK = ROOT / "requirements.lock"
MINIMUM = ROOT / ".ci" / "minimum.txt"
KINDS = ("minimum", "locked", "newest")
# These say that exactly the lock is installed, which is so in one of the kinds.
LOCK_ONLY = (
    "tests/house/test_pins.py::test_what_is_installed_is_what_the_lock_says",
    "tests/house/test_pins.py::test_the_lock_names_what_its_packages_need_on_every_python_and_system_and_nothing_else",
)
# A failure here says what has changed inside moto or botocore; the others follow from it.
FIRST_TO_READ = "test_moto_contract"


def asked(project: str) -> list[Requirement]:
    """What pyproject.toml asks for itself: at run time, for each extra, and to build the package."""
    table = tomllib.loads(project)
    texts = [*table["project"]["dependencies"], *table["build-system"]["requires"]]
    for extra in table["project"]["optional-dependencies"].values():
        texts += extra
    return [Requirement(text) for text in texts]


def lowest(wanted: Requirement) -> Version:
    """The oldest version that a requirement allows, the one behind ``>=``; raises ValueError if it has none."""
    found = [Version(each.version) for each in wanted.specifier if each.operator == ">="]
    if len(found) != 1:
        raise ValueError(f"{wanted} in pyproject.toml has no one lower bound: write it as name>=version")
    return found[0]


def requirements(kind: str, project: str) -> list[str]:
    """The lines that pip is given for one of `KINDS`, except for the lock, which is a file of its own."""
    if kind == "newest":
        return sorted({str(wanted) for wanted in asked(project)})
    lines = set()
    for wanted in asked(project):
        extras = f"[{','.join(sorted(wanted.extras))}]" if wanted.extras else ""
        lines.add(f"{canonicalize_name(wanted.name)}{extras}=={lowest(wanted)}")
    return sorted(lines)


def pythons(wanted: SpecifierSet, environment: Mapping[str, str]) -> dict[str, Path]:
    """The oldest and the newest Python here, by minor version; raises SystemExit with a sentence without the oldest."""
    minors = [minor for minor in range(100) if wanted.contains(f"3.{minor}.99")]
    names = environment.get("PYTHONS", "").split() or [sys.executable, *(f"python3.{minor}" for minor in minors)]
    found: dict[int, Path] = {}
    for name in names:
        path = shutil.which(name)
        # A name on the path proves nothing: version managers leave shims that only complain.
        probe = "import ensurepip, venv, sys; print(sys.version_info[1], sys._base_executable)"
        answer = subprocess.run([path, "-c", probe], capture_output=True, text=True) if path else None
        if answer is not None and answer.returncode == 0:
            minor, executable = answer.stdout.strip().split(" ", 1)
            if int(minor) in minors:
                found.setdefault(int(minor), Path(executable))
    if minors[0] not in found:
        raise SystemExit(
            f'There is no Python 3.{minors[0]} here: name one, PYTHONS="/path/to/python3.{minors[0]} ...".'
        )
    return {f"3.{minor}": found[minor] for minor in sorted({min(found), max(found)})}


@dataclass
class Combination:
    """One kind of versions on one Python, and what became of it."""

    kind: str
    minor: str
    python: Path
    differs: list[str] = field(default_factory=list)
    passed: int = 0
    failed: int = 0
    words: str = "not run"

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return f"{self.kind}-{self.minor}"

    @property
    def folder(self) -> Path:
        """Where its environment and its last report are."""
        return FOLDER / self.name

    @property
    def executable(self) -> Path:
        """Its environment's Python."""
        return self.folder / "env" / "bin" / "python"

    def make(self, project: str) -> None:
        """Make its environment, or bring it up to date; raises OSError with a sentence when pip cannot."""
        lines = (
            LOCK.read_text(encoding="utf-8") if self.kind == "locked" else "\n".join(requirements(self.kind, project))
        )
        stamp, made_from = (
            self.folder / "made-from",
            hashlib.sha256(f"{lines}\0{self.python}\0{ROOT}".encode()).hexdigest(),
        )
        if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == made_from):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            subprocess.run([self.python, "-m", "venv", self.folder / "env"], check=True)
        elif self.kind != "newest":
            return
        (self.folder / "requirements.txt").write_text(lines + "\n", encoding="utf-8")
        newer = ("--upgrade", "--upgrade-strategy=eager") if self.kind == "newest" else ()
        self._pip(*newer, "--requirement", str(self.folder / "requirements.txt"))
        self._pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
        stamp.write_text(made_from, encoding="utf-8")

    def compare(self, project: str) -> None:
        """Note which of the packages that pyproject.toml names are not in the lock's version."""
        done = subprocess.run(
            [self.executable, "-m", "pip", "list", "--format=json"], capture_output=True, text=True, check=True
        )
        installed = {canonicalize_name(each["name"]): each["version"] for each in json.loads(done.stdout)}
        locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
        names = sorted({canonicalize_name(wanted.name) for wanted in asked(project)})
        self.differs = [f"{name} {installed[name]}" for name in names if installed[name] != locked[name]]

    def test(self, only: Sequence[str], workers: int) -> None:
        """Run the tests in its environment; their words go to the terminal and to a log, the result into the fields."""
        skip = "" if self.kind == "locked" else " ".join(f"--deselect={name}" for name in LOCK_ONLY)
        environment = {**os.environ, "PYTEST_ADDOPTS": skip}
        reports, status, lines = [], 0, []
        with (self.folder / "tests.log").open("w", encoding="utf-8") as log:
            for report, arguments in self._steps(only, workers):
                report.unlink(missing_ok=True)
                reports.append(report)
                with subprocess.Popen(
                    [str(self.executable), *arguments], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                ) as process:  # fmt: skip
                    assert process.stdout is not None
                    for line in process.stdout:
                        print(line, end="", flush=True)
                        log.write(line)
                        lines.append(line)
                status = status or process.returncode
        self.passed, self.failed, self.words = verdict(status, reports, lines)

    def _steps(self, only: Sequence[str], workers: int) -> list[tuple[Path, list[str]]]:
        """What is run, each with the report that it leaves."""
        pytest = ["-m", "pytest", "--quiet", "--no-header", f"--numprocesses={workers}", "--dist=loadfile"]
        if only:
            report = self.folder / "only.xml"
            return [(report, [*pytest, "-m", "not browser", f"--junitxml={report}", *only])]
        gates = [(ROOT / "artifacts" / f"{name}.xml", ["tests/run_all.py", name]) for name in ("tests", "notebooks")]
        # The gate `proofs` is mostly about the lock; the lab under random programs in it is about moto.
        report = self.folder / "machine.xml"
        machine = (report, [*pytest, f"--junitxml={report}", "tests/property/test_machine.py"])
        if self.kind == "locked":
            return [*gates, machine]
        # Another pandas may lay a table out otherwise: the notebooks must run, their outputs may differ.
        report = self.folder / "notebooks.xml"
        lax = ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=120", f"--junitxml={report}"]
        return [gates[0], (report, [*pytest, *lax, "notebooks", "exercises", "solutions"]), machine]

    def _pip(self, *arguments: str) -> None:
        command = [str(self.executable), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *arguments]
        pip = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(pip.stdout, end="", flush=True)
        if pip.returncode:
            raise OSError("pip could not install it; its own words are above")
        taken_back = re.search(r"yanked version: '([\w.-]+)' candidate \(version ([\w.]+)", pip.stdout)
        if taken_back:
            raise OSError(f"{taken_back[1]} {taken_back[2]} was taken back by its makers: write another bound")


def verdict(status: int, reports: Sequence[Path], lines: Sequence[str]) -> tuple[int, int, str]:
    """How many tests passed and failed, and in words: "passed", or the first sentence to read of those that failed."""
    passed, failures = 0, []
    for report in reports:
        try:
            cases = list(ElementTree.parse(report).iter("testcase"))
        except (OSError, ElementTree.ParseError):
            continue
        for case in cases:
            wrong = [each for each in case if each.tag in ("failure", "error")]
            if wrong:
                text = wrong[0].get("message") or wrong[0].text or ""
                failures.append((f"{case.get('classname')}::{case.get('name')}", text.strip().split("\n")[0]))
            elif case.find("skipped") is None:
                passed += 1
    if status == 0 and passed and not failures:
        return passed, 0, "passed"
    if failures:
        name, sentence = next((each for each in failures if FIRST_TO_READ in each[0]), failures[0])
        return passed, len(failures), f"{name}: {sentence}"
    # Nothing was collected, for instance because the lab itself could not be imported: its sentence is in the words.
    said = [line.strip() for line in lines if "LabError: " in line or line.startswith("E  ")]
    return passed, 1, (said or [line.strip() for line in lines if line.strip()] or ["it said nothing"])[-1]


def table(combinations: Sequence[Combination]) -> str:
    """One line for each combination, then what differs from the lock and what failed first."""
    lines = ["", f"{'combination':<16}{'not the lock':>14}{'passed':>8}{'failed':>8}  result"]
    for each in combinations:
        word = each.words if each.words in ("passed", "not run") else "FAILED"
        lines.append(f"{each.name:<16}{len(each.differs):>14}{each.passed:>8}{each.failed:>8}  {word}")
    for each in combinations:
        if each.differs:
            lines.append(f"\n{each.name} has {', '.join(each.differs)}.")
        if each.failed:
            lines.append(f"\n{each.name}: {each.words}")
    return "\n".join(lines)


def record(project: str) -> str:
    """The text of .ci/minimum.txt."""
    head = "# The oldest versions with which all tests passed, on the oldest Python and the newest; written by\n"
    return (
        f"{head}# `make test-versions`, and held against pyproject.toml by tests/house/test_versions.py.\n"
        + "".join(f"{line}\n" for line in requirements("minimum", project))
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the combinations asked for; returns 0 if all passed."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    there = pythons(SpecifierSet(tomllib.loads(project)["project"]["requires-python"]), os.environ)
    every = [Combination(kind, minor, python) for kind in KINDS for minor, python in there.items()]
    parser = argparse.ArgumentParser(prog=".ci/versions.py", description=__doc__.partition("\n")[0])
    parser.add_argument("combination", nargs="*", choices=[[], *(each.name for each in every)], help="none means all")
    parser.add_argument("--only", action="append", default=[], metavar="TESTS", help="these tests, instead of all")
    parser.add_argument("--workers", type=int, default=2, help="processes for the tests")
    options = parser.parse_args(arguments)
    wanted = [each for each in every if not options.combination or each.name in options.combination]
    for each in wanted:
        print(f"\n=== {each.name}", flush=True)
        try:
            each.make(project)
            each.compare(project)
        except (OSError, subprocess.CalledProcessError) as error:
            each.failed, each.words = 1, f"its environment could not be made: {error}"
            continue
        each.test(options.only, options.workers)
        # At once, not at the end: the four that come after it take most of the time.
        oldest = [each.words for each in wanted if each.kind == "minimum"]
        if not options.only and oldest == ["passed"] * len(there):
            MINIMUM.write_text(record(project), encoding="utf-8")
    print(table(wanted), flush=True)
    return 1 if any(each.failed for each in wanted) else 0


if __name__ == "__main__":
    sys.exit(main())
