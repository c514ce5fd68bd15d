"""What all tests share: the repository, a lab server, and a Hypothesis that gives the same verdict on every run."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples every time and no clock: a gate that fails once in twenty runs teaches people to run it again.
settings.register_profile("gate", derandomize=True, deadline=None, database=None)
settings.load_profile("gate")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail on a file of tests that holds no test, say because all of them are misspelt."""
    report = yield
    if isinstance(collector, pytest.Module) and report.passed and not report.result:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} holds no test"
    return report


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return Path(__file__).resolve().parents[1]


@dataclass
class Lab:
    """A running `python -m dynamolab lab`: what it printed until its address was out, and its process."""

    process: subprocess.Popen[str]
    printed: list[str]

    @property
    def address(self) -> str:
        """The address that it printed, token included."""
        return next(word for line in self.printed for word in line.split() if word.startswith("http://"))

    def stop(self) -> int:
        """Press Ctrl-C once; returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(30)


@pytest.fixture
def start_lab() -> Iterator[Callable[..., Lab]]:
    """Starts the lab in a folder and ends it, by its own process, when the test is over."""
    processes = []

    def start(folder: Path, *arguments: str) -> Lab:
        process = subprocess.Popen(
            [sys.executable, "-m", "dynamolab", "lab", "--no-browser", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        processes.append(process)
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=_pump, args=(process, lines), daemon=True).start()
        printed: list[str] = []
        while not any("http://" in line for line in printed):
            printed.append(lines.get(timeout=60))
            assert printed[-1], f"the lab ended without an address: {printed}"
        return Lab(process, printed)

    yield start
    for process in processes:
        if process.poll() is None:
            process.terminate()
            process.wait(30)


def _pump(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:  # read on to the end, so that the server never waits for a reader
        lines.put(line)
    lines.put("")
