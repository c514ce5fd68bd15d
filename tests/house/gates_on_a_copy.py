"""A copy of the repository that a test may spoil, and the real gates run on it by the copy's own ``run_all.py``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import venv
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from made import MADE

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ("notebooks", "exercises", "solutions")


@dataclass(frozen=True)
class Run:
    """What one gate did: its exit status, what it printed, and the failures of its report, by file and name."""

    status: int
    said: str
    passed: int
    failures: dict[str, str]

    def line(self, word: str) -> str:
        """The first printed line that holds the word; says everything if there is none."""
        found = next((line for line in self.said.splitlines() if word in line), None)
        assert found is not None, f"no line of the gate's says {word!r}:\n{self.said}"
        return found

    def failure(self, name: str) -> str:
        """The text of the one failure whose name begins so; says everything if there is none or several."""
        found = [text for test, text in self.failures.items() if test.partition("::")[2].startswith(name)]
        assert len(found) == 1, f"{len(found)} failures of {name}, of {list(self.failures)}:\n{self.said}"
        return found[0]


class Copy:
    """A copy of the repository with a Python of its own, whose ``dynamolab`` is the copy's.

    Of the tests and of the notebooks with their sources it keeps those that are named: a gate's command runs whatever
    is there, so the command stays the real one and the run is short.
    """

    def __init__(self, folder: Path, tests: tuple[str, ...] = (), notebooks: tuple[str, ...] = ()) -> None:
        self.root = folder / "copy"
        shutil.copytree(ROOT, self.root, symlinks=True, ignore=shutil.ignore_patterns(*MADE))
        for path in sorted((self.root / "tests").rglob("test_*.py")):
            if str(path.relative_to(self.root / "tests")) not in tests:
                path.unlink()
        for name in NOTEBOOKS:
            for path in sorted((self.root / name).glob("*.ipynb")):
                if f"{name}/{path.stem}" not in notebooks:
                    path.unlink()
        kept = {name.rpartition("/")[2] for name in notebooks}
        for path in sorted((self.root / "course").glob("*/*.md")):
            if path.stem not in kept:
                path.unlink()
        venv.EnvBuilder(symlinks=True).create(folder / "python")
        self.python = folder / "python" / "bin" / "python"
        site = sysconfig.get_path("purelib", vars={"base": str(folder / "python")})
        installed = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"
        (Path(site) / "copy.pth").write_text(f"{self.root / 'src'}\n{installed}\n", encoding="utf-8")

    def run(self, gate: str) -> Run:
        """Run one gate as ``make test`` does, in the copy."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "COV"))}
        ended = subprocess.run(
            [self.python, "tests/run_all.py", gate],
            cwd=self.root,
            env=clean,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        passed, failures = 0, {}
        report = self.root / "artifacts" / f"{gate}.xml"
        for case in ElementTree.parse(report).iter("testcase") if report.is_file() else ():
            wrong = case.find("failure") if case.find("failure") is not None else case.find("error")
            if wrong is not None:
                failures[f"{case.get('classname')}::{case.get('name')}"] = f"{wrong.get('message')}\n{wrong.text}"
            elif case.find("skipped") is None:
                passed += 1
        return Run(ended.returncode, ended.stdout, passed, failures)

    def spoil(self, path: str, change: Callable[[str], str]) -> None:
        """Rewrite one file of the copy; a change that changes nothing is a mistake of the test's."""
        file = self.root / path
        before = file.read_text(encoding="utf-8")
        after = change(before)
        assert after != before, f"nothing was spoilt in {path}"
        file.write_text(after, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace the first ``old`` in one file of the copy."""
        self.spoil(path, lambda text: text.replace(old, new, 1))

    def notebook(self, path: str, change: Callable[[list[Any]], None]) -> None:
        """Change a notebook's cells in place."""

        def changed(text: str) -> str:
            book = json.loads(text)
            change(book["cells"])
            return json.dumps(book, ensure_ascii=False, indent=1) + "\n"

        self.spoil(path, changed)
