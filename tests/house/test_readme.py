"""The README's two programs do what it says they do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dynamolab as lab


@pytest.fixture
def programs(root: Path) -> list[str]:
    """The Python in the README."""
    return re.findall(r"^```python\n(.*?)^```$", (root / "README.md").read_text(encoding="utf-8"), re.M | re.S)


def test_the_drive_admits_and_refuses_as_many_as_the_comment_says(programs: list[str]) -> None:
    program, _ = programs
    ((line, *said),) = re.findall(
        r"(lab\.drive\(.*\))  # ([\d,]+) calls in 2 s: ([\d,]+) admitted, ([\d,]+) refused, ([\d,]+) retries", program
    )
    names: dict[str, Any] = {}
    try:
        exec(program.replace(line, f"run = {line}"), names)
    finally:
        lab.stop()
    run = names["run"]
    told = [int(number.replace(",", "")) for number in said]
    assert [run.admitted + run.refused, run.admitted, run.refused, run.retries] == told


def test_a_test_of_ones_own_meets_the_refusals(programs: list[str], tmp_path: Path) -> None:
    (tmp_path / "test_orders.py").write_text(programs[1], encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
