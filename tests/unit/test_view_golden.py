"""A few pictures, byte for byte. After a change that is meant to change them, look at them and run

DYNAMOLAB_REGENERATE_GOLDEN=1 pytest tests/unit/test_view_golden.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from dynamolab.view import Picture, partition_bars, partition_seconds, share_bars

GOLDEN = Path(__file__).parents[1] / "golden"


def _load(rows: list[tuple[int, int, str, int, int, float]]) -> pd.DataFrame:
    names = ["second", "partition", "side", "admitted_requests", "refused_requests", "admitted_units"]
    return pd.DataFrame(rows, columns=names)


def one_hot_partition() -> Picture:
    return partition_bars([0, 0, 1000, 0], [0, 0, 1500, 0], ceiling=1000, title="One date key, 2,500 writes a second")


def ten_suffixes() -> Picture:
    return partition_bars(
        [500, 1000, 500, 250],
        [0, 250, 0, 0],
        ceiling=1000,
        title="Ten suffixes",
        labels=["partition 0\n2 keys", "partition 1\n5 keys", "partition 2\n2 keys", "partition 3\n1 key"],
        top=2500,
        queries=10,
        queries_note="24.3 M RU",
    )


def sixty_four_partitions() -> Picture:
    demand = [37 * (i * i % 61) for i in range(64)]
    took = [min(d, 1000) for d in demand]
    lost = [d - a for d, a in zip(demand, took, strict=True)]
    return partition_bars(took, lost, ceiling=1000, title="64 partitions")


def first_throttle() -> Picture:
    rows = [
        (s, p, "write", 100 * (p == 2), (s * 90 + 30) * (p == 2), 1000.0 * (p == 2)) for s in range(3) for p in range(4)
    ]
    return partition_seconds(_load(rows), ceiling=1000, title="400 writes of 10 KB a second to one key")


def requests_only() -> Picture:
    rows = [(s, p, "read", 10 + s * p, s * (p == 1), 5.0) for s in range(12) for p in range(2)]
    return partition_seconds(_load(rows), side="read")


def grocer() -> Picture:
    return share_bars(
        [("day", 100), ("store", 2.8), ("product", 0.9), ("household", 0.12)],
        title="The hottest key's share of the writes, by choice of key",
        threshold=(25, "one of four partitions"),
    )


PICTURES = [one_hot_partition, ten_suffixes, sixty_four_partitions, first_throttle, requests_only, grocer]


@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_a_picture_is_drawn_as_it_was_when_somebody_last_looked_at_it(draw: Callable[[], Picture]) -> None:
    path = GOLDEN / f"{draw.__name__}.svg"
    svg = draw().svg + "\n"
    if os.environ.get("DYNAMOLAB_REGENERATE_GOLDEN"):
        path.write_text(svg, encoding="utf-8", newline="\n")
    assert svg == path.read_text(encoding="utf-8"), f"{path.name} differs; see this file's first lines"


def test_every_golden_picture_belongs_to_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    assert [path.name for path in sorted(GOLDEN.glob("*.svg")) if path.stem not in tests] == []
