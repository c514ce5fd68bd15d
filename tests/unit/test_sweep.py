"""Many designs, many keys and many events, here and on two local workers of Dask: the same numbers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dynamolab.errors import LabError
from dynamolab.traffic import demand
from dynamolab.traffic.chunks import keys_in_chunks, trace_in_chunks
from dynamolab.traffic.demand import Floats, Ints
from dynamolab.traffic.design import Design, Workload
from dynamolab.traffic.outcome import Outcome
from dynamolab.traffic.simulate import simulate
from dynamolab.traffic.sweep import on_dask, sweep, variants

PROVISIONED = Design("PROVISIONED", read_units=10, write_units=100)


def hour() -> Workload:
    return Workload(
        demand.spike(900, at=60, lasts=120, seconds=300, rise=30), demand.zipf(500, 1.1), {"put": 0.5, "get": 1}
    )


def designs() -> list[Design]:
    return [*variants(PROVISIONED, write_units=(20, 40, 60, 80)), Design()]


def one_at_a_time(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
    return [function(item) for item in items]


# --- designs --------------------------------------------------------------------------------------------------------


def test_a_row_of_a_sweep_is_the_total_of_its_own_simulation() -> None:
    frame = sweep(hour(), designs(), retries="standard", seconds=200)
    for row, design in zip(frame.to_dict("records"), designs(), strict=True):
        totals = simulate(hour(), design, retries="standard", seconds=200).totals
        assert {
            f"{side}_{name}": value for side in totals for name, value in totals[side].items()
        }.items() <= row.items()
    assert frame["write_refused_units"].nunique() == len(designs())


def test_a_row_names_the_settings_in_which_the_designs_differ_and_no_other() -> None:
    plain = sweep(hour(), variants(PROVISIONED, write_units=(100, 400), shards=(1, 4)), measure=lambda o, d: {"x": 1})
    assert plain.columns.tolist() == ["design", "write_units", "shards", "x"]
    assert plain[["design", "write_units", "shards"]].to_numpy().tolist() == [
        [0, 100, 1], [1, 100, 4], [2, 400, 1], [3, 400, 4],
    ]  # fmt: skip
    named = sweep(hour(), {"small": PROVISIONED, "same": PROVISIONED}, measure=lambda o, d: {"units": d.write_units})
    assert named.to_dict("list") == {"design": ["small", "same"], "units": [100, 100]}


def test_two_local_workers_give_the_very_rows_that_one_process_gives() -> None:
    here = sweep(hour(), designs())
    there = sweep(hour(), designs(), map=on_dask(workers=2))
    pd.testing.assert_frame_equal(here, there, check_exact=True)


def test_two_workers_are_two_other_processes_that_run_at_the_same_time(tmp_path: Path) -> None:
    folder = str(tmp_path)

    def meet(outcome: Outcome, design: Design) -> dict[str, int]:
        # Each leaves its number and waits for the other's: one process alone, or one after the other, never ends.
        Path(folder, str(os.getpid())).touch()
        for _ in range(600):
            if len(os.listdir(folder)) == 2:
                return {"process": os.getpid()}
            time.sleep(0.05)
        return {"process": -1}

    frame = sweep(hour(), [Design(), Design(partitions=2)], measure=meet, map=on_dask(workers=2))
    assert frame["process"].nunique() == 2
    assert not {-1, os.getpid()} & set(frame["process"])


def test_what_a_worker_refuses_reaches_the_caller_as_the_labs_sentence() -> None:
    with pytest.raises(LabError, match="Requests are retried as"):
        sweep(hour(), [Design()], retries="never", map=on_dask(workers=1))  # type: ignore[arg-type]


def test_without_dask_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask.bag", None)
    with pytest.raises(LabError, match="`pip install dask`"):
        sweep(hour(), designs(), map=on_dask(workers=2))


def test_nothing_to_do_is_done_by_no_worker() -> None:
    assert list(on_dask(workers=2)(abs, [])) == []


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sweep(hour(), []), "no design to run"),
        (lambda: sweep(hour(), ["PROVISIONED"]), "is a Design; 0 is 'PROVISIONED'"),
        (lambda: sweep(hour(), designs(), map=lambda function, items: []), "gave 0 results for 5 designs"),
        (lambda: variants(Design(), suffixes=(1, 2)), "no setting 'suffixes'"),
        (lambda: variants(PROVISIONED, write_units=(0,)), "write_units of 1 or more"),
        (lambda: on_dask(workers=0), "workers as a whole number"),
        (lambda: keys_in_chunks(0, lambda n: n * 1.0), "number of keys"),
        (lambda: keys_in_chunks(5, lambda n: n - 3.0), "keys 1 to 5 are not all numbers from 0 up"),
        (lambda: keys_in_chunks(5, lambda n: n * np.nan), "not all numbers from 0 up"),
        (lambda: keys_in_chunks(5, lambda n: n * 0.0), "not all of them 0"),
        (lambda: trace_in_chunks([], lambda chunk: ([], []), seconds=5), "not one event"),
        (lambda: trace_in_chunks(["a"], lambda chunk: ([7], [1]), seconds=5), "'a' has events outside"),
        (lambda: trace_in_chunks(["a"], lambda chunk: ([-1], [1]), seconds=5), "'a' has events outside"),
        (lambda: trace_in_chunks(["a"], lambda chunk: ([1, 2], [1]), seconds=5), "'a' is not as many seconds as keys"),
        (lambda: trace_in_chunks(["a"], lambda chunk: ([1], ["x"]), seconds=5), "whole numbers as keys"),
    ],
)
def test_input_without_sense_is_answered_with_a_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(LabError, match=re.escape(sentence)):
        call()


# --- keys -----------------------------------------------------------------------------------------------------------

KEYS = 100_000


def zipf(rank: Ints) -> Floats:
    return rank**-1.05  # type: ignore[no-any-return]


def admitted(keys: demand.Keys, partitions: int) -> Floats:
    work = Workload(demand.constant(partitions * 900, 90), keys)
    found = simulate(work, Design(partitions=partitions, warm={"write": partitions * 1_000})).partition_units("write")
    assert (found.max(), found.shape) == (1_000, (90, partitions))  # the hottest at its ceiling
    assert found[-1].min() < 900
    return found


@pytest.mark.parametrize("partitions", [4, 64])
def test_keys_in_chunks_ask_of_each_partition_what_the_keys_ask_that_are_all_in_memory(partitions: int) -> None:
    whole = admitted(demand.zipf(KEYS, 1.05), partitions)
    chunked = admitted(keys_in_chunks(KEYS, zipf, chunk=7_777), partitions)
    assert chunked.shape == whole.shape
    np.testing.assert_allclose(chunked, whole, rtol=1e-9)


def test_partitions_that_cut_a_slice_are_off_by_no_more_than_that_slice() -> None:
    keys = demand.uniform(KEYS)
    chunked = keys_in_chunks(KEYS, lambda number: np.ones(len(number)), slices=64, hottest=0)
    shares = [
        np.bincount((np.asarray(each.where(0, 1)).astype(float) / 2.0**64 * 5).astype(int), weights=each.weights)
        for each in (keys, chunked)
    ]
    assert np.abs(shares[0] - shares[1]).max() > 1e-4
    np.testing.assert_allclose(*shares, atol=1.1 / 64)


def test_keys_in_chunks_are_the_same_on_two_local_workers_to_the_last_bit() -> None:
    here = keys_in_chunks(KEYS, zipf, chunk=10_000)
    there = keys_in_chunks(KEYS, zipf, chunk=10_000, map=on_dask(workers=2))
    assert here.labels == there.labels
    assert np.array_equal(here.weights, there.weights)
    assert np.array_equal(here.where(0, 1), there.where(0, 1))


@pytest.mark.parametrize("chunk", [1, 7, 100, 1_000])
def test_whole_weights_add_up_to_the_same_bits_however_the_keys_are_cut(chunk: int) -> None:
    def weight(number: Ints) -> Floats:
        return (number * 7919 % 1009).astype(np.float64)

    whole, cut = (keys_in_chunks(1_000, weight, chunk=size, hottest=20) for size in (1_000, chunk))
    assert whole.labels == cut.labels
    assert np.array_equal(whole.weights, cut.weights)


def test_the_hottest_keys_stay_keys_of_their_own() -> None:
    keys = keys_in_chunks(KEYS, zipf, chunk=9_999, hottest=5)
    assert list(keys.labels[:5]) == [1, 2, 3, 4, 5]
    whole = demand.zipf(KEYS, 1.05)
    np.testing.assert_allclose(keys.weights[:5], whole.weights[:5], rtol=1e-9)
    assert np.array_equal(keys.where(0, 1)[:5], whole.where(0, 1)[:5])


def test_keys_in_chunks_refuse_suffixes_with_a_sentence() -> None:
    work = Workload(demand.constant(10, 5), keys_in_chunks(100, zipf))
    with pytest.raises(LabError, match="no suffixes: use a design with shards=1"):
        simulate(work, Design(shards=3))


# --- events ---------------------------------------------------------------------------------------------------------


def events() -> tuple[Ints, Ints]:
    random = np.random.default_rng(5)
    second = np.sort(random.integers(0, 60, 200_000))
    key = np.concatenate([np.arange(2_000), (random.zipf(1.4, 198_000) % 2_000)])
    return second, random.permutation(key)


def in_files(folder: Path, pieces: int) -> list[Path]:
    second, key = events()
    dealt = np.random.default_rng(1).permutation(len(second))
    paths = []
    for number, rows in enumerate(np.array_split(dealt, pieces)):
        paths.append(folder / f"{number:02}.npz")
        np.savez(paths[-1], second=second[rows], key=key[rows])
    return paths


def read(path: Path) -> tuple[Any, Any]:
    stored = np.load(path)
    return stored["second"], stored["key"]


def load(work: Workload, partitions: int) -> Floats:
    outcome = simulate(work, Design(partitions=partitions))
    return np.hstack([outcome.partition_units("write"), outcome.partition_refused("write")])


@pytest.mark.parametrize("partitions", [4, 8, 64])
def test_a_trace_in_files_asks_of_each_partition_in_each_second_what_its_events_ask(
    tmp_path: Path, partitions: int
) -> None:
    whole = demand.trace(*events())
    expected = load(Workload(whole.rate, whole), partitions)
    chunked = load(trace_in_chunks(in_files(tmp_path, 9), read, seconds=60), partitions)
    assert partitions == 64 or expected[:, partitions:].sum() > 0
    np.testing.assert_allclose(chunked, expected, rtol=1e-9, atol=1e-6)


def test_a_trace_is_the_same_to_the_last_bit_however_it_is_cut_and_on_two_local_workers(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    whole = trace_in_chunks(in_files(tmp_path / "one", 1), read, seconds=60)
    files = in_files(tmp_path, 21)

    def from_file(path: Path) -> tuple[Any, Any]:
        stored = np.load(path)
        return stored["second"], stored["key"]

    for other in (
        trace_in_chunks(files, read, seconds=60),
        trace_in_chunks(files[::-1], read, seconds=60, tasks=3),
        trace_in_chunks(files, from_file, seconds=60, map=on_dask(workers=2)),
    ):
        assert [each.keys.labels for each in other.streams] == [each.keys.labels for each in whole.streams]
        for one, two in zip(whole.streams, other.streams, strict=True):
            assert np.array_equal(one.rate, two.rate)


# --- the documented examples ----------------------------------------------------------------------------------------


def examples(root: Path) -> list[tuple[str, str]]:
    """The scripts of docs/scale.md and what it says they print ("" where it does not)."""
    text = (root / "docs" / "scale.md").read_text(encoding="utf-8")
    found = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)
    assert len(found) == 3
    return found


def run(script: str, folder: Path) -> str:
    (folder / "example.py").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_documented_sweep_prints_what_the_page_says(root: Path, tmp_path: Path) -> None:
    script, printed = examples(root)[0]
    assert "the same on two workers: True" in printed
    assert run(script, tmp_path) == printed


def test_the_documented_billion_keys_run_as_a_million_and_print_what_the_keys_in_memory_give(
    root: Path, tmp_path: Path
) -> None:
    script, _ = examples(root)[1]
    assert script.count("1_000_000_000") == 1
    printed = run(script.replace("1_000_000_000", "1_000_000"), tmp_path)
    work = Workload(demand.constant(20_000, 300), demand.zipf(1_000_000, 1.05))
    outcome = simulate(work, Design(warm={"write": 64_000}))
    expected = f"{outcome}\n{outcome.by_key.head(3).round(1).to_string(index=False)}\n"
    assert printed.split() == expected.split()  # columns may be wider: not all keys are numbers


def test_the_documented_trace_prints_what_its_events_give(root: Path, tmp_path: Path) -> None:
    script, _ = examples(root)[2]
    (tmp_path / "events").mkdir()
    in_files(tmp_path / "events", 5)
    second, key = events()
    whole = demand.trace(second, key, seconds=300)
    assert run(script, tmp_path) == f"{simulate(Workload(whole.rate, whole), Design(partitions=8))}\n"


def test_a_map_of_ones_own_is_enough() -> None:
    pd.testing.assert_frame_equal(
        sweep(hour(), designs(), map=one_at_a_time), sweep(hour(), designs()), check_exact=True
    )
