"""The state machine: Hypothesis chooses what happens, :mod:`fuzzing.world` does it and checks everything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import dynamolab as lab

from .world import World

SEEDS = st.integers(0, 2**20)
steps: Counter[str] = Counter()
"""How often each rule has run in this process, and how often each answer came."""


class LabMachine(RuleBasedStateMachine):
    """One program: a fresh lab, and what is done to it until the program ends; then everything is checked once more."""

    again_every = 1
    """Each so many programs are run a second time."""
    programs = 0

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        LabMachine.programs += 1

    @initialize(seed=SEEDS)
    def first_table(self, seed: int) -> None:
        self.world.make_table(seed)

    def teardown(self) -> None:
        try:
            self.world.finish(again=LabMachine.programs % self.again_every == 0)
        finally:
            steps.update(self.world.counts)
            lab.stop()


def _rule(name: str, seeds: Any = SEEDS) -> Any:
    def step(self: LabMachine, seed: int) -> None:
        done = len(self.world.log)
        getattr(self.world, name)(seed)
        if len(self.world.log) != done:  # without a table, or a stream, there may have been nothing to do
            steps["steps"] += 1
            steps[f"step {name}"] += 1

    step.__name__ = name
    return rule(seed=seeds)(step)


# What happens often stands here several times: Hypothesis takes each rule as often as any other.
for _name, _times in {
    "write": 5, "hammer": 1, "read": 2, "page": 3, "batch": 2, "transaction": 2, "statement": 2, "wait": 4,
    "change": 2, "live": 1, "follow_stream": 1, "look": 1, "make_table": 1, "drop_table": 1, "measure": 1,
    "scale": 1, "begin_again": 1,
}.items():  # fmt: skip
    for _time in range(_times):
        setattr(LabMachine, f"{_name}_{_time}", _rule(_name))
