"""The long run: ``python tests/fuzzing --steps 100000 --seed 1``; prints what was done, and how it was answered."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

sys.path[0] = str(Path(__file__).resolve().parents[1])

from fuzzing import machine  # noqa: E402

LENGTH = 80
"""Steps of a program, at most; Hypothesis ends some earlier."""
PROGRAMS = 10
"""Programs between two lines of progress."""


def main() -> int:
    """Run programs until there were enough steps; a failure is shown and raised."""
    parser = argparse.ArgumentParser(description="Fuzz the lab.")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shrink", action="store_true", help="take minutes to find the fewest steps of a failure")
    chosen = parser.parse_args()
    profile = settings(
        max_examples=PROGRAMS, stateful_step_count=LENGTH, deadline=None, database=None, print_blob=True,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate, *([Phase.shrink] if chosen.shrink else [])],
    )  # fmt: skip
    machine.LabMachine.again_every = 4
    rounds = 0
    while machine.steps["steps"] < chosen.steps:
        hypothesis.seed(chosen.seed * 100_000 + rounds)(machine.LabMachine)
        run_state_machine_as_test(machine.LabMachine, settings=profile)
        rounds += 1
        print(f"{machine.steps['steps']:,} steps, {machine.steps['requests']:,} requests", flush=True)
    for name, count in sorted(machine.steps.items()):
        print(f"{count:9,}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
