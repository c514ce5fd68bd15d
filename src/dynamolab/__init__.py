"""A lab for Amazon DynamoDB's throughput: plain boto3 against moto, with the service's limits, on a simulated clock.

>>> import boto3, dynamolab as lab
>>> lab.start(seed=7)
>>> dynamodb = boto3.client("dynamodb")
"""

from __future__ import annotations

import importlib
import signal
import sys
from typing import Any

# `python -m dynamolab` loads this first: Ctrl-C meanwhile ends it without a word, not with a stack of imports.
if sys.argv[:1] == ["-m"] and "dynamolab" in sys.orig_argv:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from .errors import LabError
from .live import clock, start, stop

__version__ = "0.1.0"

# Pandas, widgets and greenlet are loaded when they are first asked for: starting the lab needs none of them.
_DOORS = {
    "drive": "traffic.drive",
    "replica_lag": "live.replicas",
    "Client": "traffic.clients",
    "run_clients": "traffic.clients",
    "look": "traffic.load",
    "most_accessed_keys": "traffic.contributors",
    "most_throttled_keys": "traffic.contributors",
    "partition_history": "traffic.load",
    "partition_load": "traffic.load",
    "partition_of": "traffic.load",
    "partition_map": "view.partitions",
    "demand": "traffic",
    "simulate": "traffic.simulate",
    "day_map": "traffic.outcome",
    "Workload": "traffic.design",
    "Operation": "traffic.design",
    "IndexWrites": "traffic.design",
    "Design": "traffic.design",
    "IndexDesign": "traffic.design",
    "Policy": "traffic.design",
    "Limits": "traffic.design",
    "sweep": "traffic.sweep",
    "variants": "traffic.sweep",
    "key_schemes": "traffic.grocer",
    "key_scheme_bars": "view.key_schemes",
    "key_range_map": "view.day",
    "check": "checks",
    "hint": "checks",
    "solution": "checks",
    "progress": "checks",
}

__all__ = ["LabError", "clock", "start", "stop", *_DOORS]


def __getattr__(name: str) -> Any:
    if name not in _DOORS:
        raise AttributeError(f"module 'dynamolab' has no attribute {name!r}; it offers {', '.join(sorted(__all__))}")
    found = getattr(importlib.import_module(f".{_DOORS[name]}", __name__), name)
    globals()[name] = found
    return found


if "IPython" in sys.modules:  # in a notebook: a missing name is explained in one sentence, a long wait has a bar
    from . import cells, patience

    cells.install()
    patience.watch_cells()


def __dir__() -> list[str]:
    return sorted(__all__)
