"""Runs every gate, one after another, and ends with one summary.

    python tests/run_all.py                 everything; stops at the first gate that fails
    python tests/run_all.py ruff mypy       the named gates only
    python tests/run_all.py --keep-going    runs the later gates too

Every gate runs in a learner's worst surroundings: real-looking credentials, profiles, endpoints, proxies. Whatever
tries to leave the machine meanwhile is refused, and the gate has failed; see tests/egress.

The last line is always `N passed, N failed`, with `, N skipped` if there were any; the exit status is 0 only when every
gate that was asked for passed. What pytest found stands in artifacts/GATE.xml, the browser's screenshots beside it.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ARTIFACTS = ROOT / "artifacts"
sys.path.insert(0, str(ROOT / "course"))

sys.path.insert(0, str(ROOT / "tests"))

from build import quiet_environment  # noqa: E402  (course/ is no package)
from egress.watch import Watch, hostile  # noqa: E402

PYTEST = ("-m", "pytest", "--quiet", "--no-header")
# Two processes on two cores; a file's tests stay together, so that what they share is made once.
PARALLEL = ("--numprocesses=2", "--dist=loadfile")
STRICT = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=120")
RERUN = ("tests/notebooks/test_rerun.py", "tests/notebooks/test_alone.py")
PROOFS = ("tests/house/test_gates_can_fail.py", "tests/house/test_startup.py", "tests/property/test_machine.py")
"""Slow tests that stand apart, so that a failure among the others is told before these begin."""


@dataclass(frozen=True)
class Gate:
    """One command that must succeed; ``seconds`` is when it is given up as hung."""

    name: str
    arguments: tuple[str, ...]
    seconds: int = 1500

    @property
    def report(self) -> Path:
        """Where pytest leaves its counts."""
        return ARTIFACTS / f"{self.name}.xml"

    @property
    def command(self) -> list[str]:
        """The whole command line."""
        report = [f"--junitxml={self.report}"] if "pytest" in self.arguments else []
        return [sys.executable, *self.arguments, *report]


APART = [f"--ignore={file}" for file in (*RERUN, *PROOFS)]

GATES = (
    Gate("ruff", ("-m", "ruff", "check", "."), 120),
    Gate("mypy", ("-m", "mypy"), 600),
    Gate("tests", (*PYTEST, *PARALLEL, "tests", "-m", "not browser", *APART), 2400),
    Gate("notebooks", (*PYTEST, *STRICT, *PARALLEL, "notebooks", "exercises", "solutions")),
    Gate("drift", ("course/build.py", "--check", "--jobs=2")),
    Gate("proofs", (*PYTEST, *PARALLEL, *PROOFS)),
    Gate("rerun", (*PYTEST, "--numprocesses=2", "--dist=load", *RERUN)),
    Gate("browser", (*PYTEST, "--numprocesses=2", "--dist=load", "tests/browser", "-m", "browser"), 900),
)


@dataclass(frozen=True)
class Result:
    """What a gate gave: how many things it held to be right and wrong, and how long each slow one took."""

    gate: str
    word: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    slow: tuple[tuple[float, str], ...] = ()
    left: int = 0
    """How often something tried to leave the machine."""
    watched: int = 0
    """How many Python processes were watched while they could have tried."""


def run(gate: Gate, environment: dict[str, str], watch: Watch | None = None) -> Result:
    """Run one gate with its output on the terminal. Whatever becomes of it, there is a result."""
    print(f"\n=== {gate.name}: {' '.join(gate.arguments)}", flush=True)
    gate.report.unlink(missing_ok=True)
    started = time.monotonic()
    # A session of its own, so that a hung gate's kernels and browsers end with it.
    process = subprocess.Popen(
        gate.command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        status = process.wait(gate.seconds)
        word = "passed" if status == 0 else "FAILED"
    except subprocess.TimeoutExpired:
        status, word = -1, f"HUNG after {gate.seconds} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = time.monotonic() - started
    passed, failed, skipped, slow = counts(gate)
    if status == 0 and "pytest" in gate.arguments and passed == 0:
        word, failed = "FAILED (ran nothing)", 1
    elif status != 0:  # a crash counts too, though no test reported it
        failed = max(failed, 1)
    elif not passed:
        passed = 1
    result = Result(gate.name, word, passed, failed, skipped, seconds, slow)
    return result if watch is None else judged(result, watch)


def judged(result: Result, watch: Watch) -> Result:
    """Fail a gate during which something tried to leave the machine, or which nobody watched."""
    left, watched = watch.left(), len(watch.processes())
    for line in left:
        print(f"{result.gate}: LEFT THE MACHINE: {line}", flush=True)
    if left:
        word = f"FAILED ({len(left)} tried to leave)"
    elif not watched:
        word = "FAILED (not watched)"
    else:
        return replace(result, watched=watched)
    return replace(result, word=word, failed=max(result.failed, 1), left=len(left), watched=watched)


def counts(gate: Gate) -> tuple[int, int, int, tuple[tuple[float, str], ...]]:
    """Passed, failed, skipped and the durations in a gate's report; zeros when it left none."""
    try:
        cases = list(ElementTree.parse(gate.report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return 0, 0, 0, ()
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    slow = tuple((float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}") for case in cases)
    return len(cases) - failed - skipped, failed, skipped, slow


def summary(results: Sequence[Result], not_run: Sequence[str]) -> str:
    """The table of gates, the ten slowest tests and the closing line."""
    lines = ["", f"{'gate':<12}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}  result"]
    for r in results:
        lines.append(f"{r.gate:<12}{r.passed:>8}{r.failed:>8}{r.skipped:>9}{r.seconds:>9.1f}  {r.word}")
    lines += [f"{name:<12}{'':>34}  not run" for name in not_run]
    slowest = sorted((entry for r in results for entry in r.slow), reverse=True)[:10]
    if slowest:
        lines += ["", "slowest:"]
        lines += [f"{seconds:>8.1f} s  {name}" for seconds, name in slowest]
    left, watched = sum(r.left for r in results), sum(r.watched for r in results)
    lines += ["", f"{left} left the machine ({watched} Python processes watched)"]
    passed, failed = sum(r.passed for r in results), sum(r.failed for r in results)
    skipped = sum(r.skipped for r in results)
    return "\n".join([*lines, "", f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the gates asked for; returns 0 if all passed."""
    parser = argparse.ArgumentParser(prog="tests/run_all.py", description="Run the gates.")
    parser.add_argument("gate", nargs="*", choices=[[], *(gate.name for gate in GATES)], help="which; none means all")
    parser.add_argument("--keep-going", action="store_true", help="run the later gates after one has failed")
    options = parser.parse_args(arguments)
    wanted = [gate for gate in GATES if not options.gate or gate.name in options.gate]
    ARTIFACTS.mkdir(exist_ok=True)
    results: list[Result] = []
    with quiet_environment() as environment, hostile(environment) as watch:
        for gate in wanted:
            results.append(run(gate, watch.environment, watch))
            if results[-1].failed and not options.keep_going:
                break
    not_run = [gate.name for gate in wanted[len(results) :]]
    print(summary(results, not_run), flush=True)
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
