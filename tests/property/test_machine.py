"""The lab under fuzz, in short: fixed programs of random requests, each answer foretold by a model of the test's own.

``make fuzz STEPS=100000 SEED=1`` is the long run of the same machine.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

import dynamolab as lab
from fuzzing import breaking
from fuzzing.machine import LabMachine
from fuzzing.singles import Entry, replay
from fuzzing.world import World

SHORT = settings(max_examples=12, stateful_step_count=40, suppress_health_check=list(HealthCheck))
PROGRAM = (
    "write", "hammer", "batch", "wait", "transaction", "statement", "page", "live", "change", "write", "wait",
    "follow_stream", "batch", "measure",
)  # fmt: skip


def test_every_answer_metric_and_stream_is_what_the_requests_so_far_make_it() -> None:
    run_state_machine_as_test(LabMachine, settings=SHORT)


def _run(seed: int, turns: int) -> World:
    """A fixed program on a fresh lab; everything in it is checked on the way."""
    world = World(seed=seed)
    world.make_table(seed)
    for turn in range(turns):
        for place, step in enumerate(PROGRAM):
            getattr(world, step)(10_000 * seed + 1000 * turn + place)
    return world


@pytest.mark.parametrize("break_it", breaking.BREAKS, ids=lambda break_it: break_it.__name__)
def test_the_machine_notices_a_lab_in_which(
    break_it: Callable[[breaking.Patch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch.setattr)
    with pytest.raises(AssertionError):
        for seed in range(1, 6):
            _run(seed, 4).finish()
    lab.stop()


def test_the_same_program_gives_the_same_bytes_in_a_process_with_another_hash_seed(tmp_path: Path) -> None:
    world = _run(11, 6)
    world.finish(again=False)
    lab.stop()
    program = tmp_path / "program.pickle"
    program.write_bytes(pickle.dumps([(e.what, e.method, e.arguments, e.digest, e.shown) for e in world.log]))
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, __file__, str(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout == f"{len(world.log)} answers are the same\n"


def _again(program: str) -> None:
    log = [Entry(*entry) for entry in pickle.loads(Path(program).read_bytes())]
    replay(11, log)
    print(f"{len(log)} answers are the same")


if __name__ == "__main__":
    _again(sys.argv[1])
