"""Simulated time stands still, moves forward, and boto3's retries wait in it."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.config import Config

import dynamolab as lab


def test_time_stands_still(running_lab: None) -> None:
    first = lab.clock.time()
    boto3.client("dynamodb").list_tables()
    assert lab.clock.time() == first


@pytest.mark.parametrize("step", [{"seconds": 1e-6}, {"days": 365}, {"hours": 48, "minutes": 1.5}, {"seconds": 0}, {}])
def test_the_clock_moves_by_what_it_is_told(running_lab: None, step: dict[str, float]) -> None:
    import datetime as dt

    first = lab.clock.now()
    assert lab.clock.advance(**step) == first + dt.timedelta(**step)


@pytest.mark.parametrize("step", [{"seconds": -1}, {"hours": -1e-6}])
def test_the_clock_does_not_go_back(running_lab: None, step: dict[str, float]) -> None:
    with pytest.raises(lab.LabError, match="only moves forward"):
        lab.clock.advance(**step)


@pytest.mark.parametrize(
    "step", [{"seconds": float("nan")}, {"hours": "48"}, {"days": True}, {"seconds": float("inf")}]
)
def test_a_step_that_is_no_number_is_refused(running_lab: None, step: dict[str, Any]) -> None:
    with pytest.raises(lab.LabError, match="as a number"):
        lab.clock.advance(**step)


@pytest.mark.parametrize("days", [1e7, 1e30])
def test_the_year_9999_is_the_end(running_lab: None, days: float) -> None:
    with pytest.raises(lab.LabError, match="9999"):
        lab.clock.advance(days=days)


def throttle_for_ever(make_table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from dynamolab.model.meters import Meter

    make_table()
    monkeypatch.setattr(Meter, "admits", lambda self, now: False)


def put(client: Any) -> None:
    client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "sk": {"S": "1"}})


def test_ten_legacy_attempts_wait_25_55_simulated_seconds(make_table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    throttle_for_ever(make_table, monkeypatch)
    first = lab.clock.time()
    legacy = boto3.client("dynamodb", config=Config(retries={"mode": "legacy"}))
    with pytest.raises(legacy.exceptions.ThrottlingException, match="reached max retries: 9"):
        put(legacy)
    # Each wait of legacy mode's 0.05 x 2^i has a random factor of at most 1 in botocore; DynamoDB's has none.
    assert lab.clock.time() - first == pytest.approx(25.55, abs=1e-3)


def test_four_standard_attempts_wait_at_most_seven_seconds_and_3_5_on_average(
    make_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    throttle_for_ever(make_table, monkeypatch)
    waits = []
    for _ in range(400):
        first = lab.clock.time()
        client = boto3.client("dynamodb") if len(waits) % 30 == 0 else client  # noqa: F821  (a new retry quota)
        with pytest.raises(client.exceptions.ThrottlingException, match="reached max retries: 3"):
            put(client)
        waits.append(lab.clock.time() - first)
    assert max(waits) <= 7
    assert sum(waits) / len(waits) == pytest.approx(3.5, rel=0.05)


def test_an_empty_retry_quota_ends_the_retries(make_table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    throttle_for_ever(make_table, monkeypatch)
    client = boto3.client("dynamodb")
    drive = lab.drive(lambda: put(client), per_second=0.01, seconds=4000)
    assert drive.calls["retries"].tolist() == [3] * 33 + [1] + [0] * 6


def test_a_step_without_its_unit_is_refused(running_lab: None) -> None:
    with pytest.raises(lab.LabError, match=r"advance\(seconds=5\)"):
        lab.clock.advance(5)


def test_what_is_on_the_agenda_happens_at_its_own_time_and_in_order(running_lab: None) -> None:
    from dynamolab.live import clock

    start, seen = clock.microseconds, []

    def note(name: str) -> Any:
        return lambda: seen.append((name, clock.microseconds - start))

    clock.at(start + 5_000_000, note("late"))
    clock.at(start + 1_000_000, note("early"))
    clock.at(start + 1_000_000, lambda: clock.at(start + 2_000_000, note("asked for on the way")))
    lab.clock.advance(seconds=3)
    assert seen == [("early", 1_000_000), ("asked for on the way", 2_000_000)]
    lab.clock.advance(days=365)
    assert seen[2:] == [("late", 5_000_000)]
    assert clock.microseconds - start == 365 * 86_400_000_000 + 3_000_000
