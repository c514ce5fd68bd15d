"""A learner's own function, sent at a rate in simulated time, with boto3's real retries."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.config import Config

import dynamolab as lab
from dynamolab.model.sizes import item_size
from dynamolab.traffic import grocer

KB = 1024


def writer(client: Any, size: int = 1 * KB, pk: str = "hot") -> Any:
    def write(i: int) -> None:
        row = {"pk": {"S": pk}, "sk": {"S": str(i)}, "x": {"S": ""}}
        row["x"] = {"S": "x" * (size - item_size(row))}
        client.put_item(TableName="pedidos", Item=row)

    return write


def test_calls_are_evenly_spaced_in_simulated_time(client: Any, make_table: Any) -> None:
    make_table()
    first = lab.clock.time()
    drive = lab.drive(writer(client), per_second=400, seconds=2)
    assert drive.calls["sent"].tolist() == [pytest.approx(i / 400) for i in range(800)]
    assert lab.clock.time() - first == 2.0


def test_four_thousand_a_second_on_one_key_admits_a_thousand(client: Any, make_table: Any) -> None:
    make_table()
    drive = lab.drive(writer(client), per_second=4000, seconds=1)
    assert (drive.sent, drive.admitted, drive.refused, drive.failed) == (4000, 1000, 3000, 0)


def test_waiting_calls_do_not_hold_up_the_others(make_table: Any) -> None:
    make_table()
    drive = lab.drive(writer(boto3.client("dynamodb"), 100 * KB), per_second=20, seconds=3)
    calls = drive.calls
    assert calls["sent"].tolist() == [pytest.approx(i / 20) for i in range(60)]
    retried = calls[calls["retries"] > 0]
    assert (retried["finished"] > retried["sent"]).all()
    assert set(calls["outcome"]) == {"ok", "throttled"}
    assert drive.retries == calls["retries"].sum() > 0


def test_every_retry_mode_runs_and_ends(make_table: Any) -> None:
    make_table()
    for mode in ("legacy", "standard", "adaptive"):
        client = boto3.client("dynamodb", config=Config(retries={"mode": mode}))
        drive = lab.drive(writer(client, 100 * KB), per_second=20, seconds=1)
        assert drive.sent == drive.admitted + drive.refused == 20
        lab.clock.advance(minutes=5)


def test_sent_is_admitted_plus_refused_plus_failed_and_the_load_agrees(client: Any, make_table: Any) -> None:
    make_table()

    def mixed(i: int) -> None:
        client.put_item(
            TableName="pedidos",
            Item={"pk": {"S": "hot"}}
            if i % 100 == 0
            else {"pk": {"S": "hot"}, "sk": {"S": str(i)}, "x": {"S": "x" * 5 * KB}},
        )

    drive = lab.drive(mixed, per_second=1000, seconds=1)
    load = lab.partition_load("pedidos")
    assert drive.failed == 10
    assert "10 failed (the first with ValidationException: " in repr(drive)
    assert drive.sent == drive.admitted + drive.refused + drive.failed
    assert (load["admitted_requests"].sum(), load["refused_requests"].sum()) == (drive.admitted, drive.refused)


def test_a_fault_of_the_code_stops_the_drive_and_says_where(client: Any, make_table: Any) -> None:
    make_table()

    def faulty(i: int) -> None:
        if i == 7:
            raise KeyError("pk")
        writer(client)(i)

    with pytest.raises(KeyError) as fault:
        lab.drive(faulty, per_second=10, seconds=1)
    assert fault.value.__notes__[0] == "lab.drive stopped at call 7 of 10, simulated second 0.7."
    assert lab.drive(writer(client), per_second=10, seconds=1).admitted == 10


def test_an_interrupt_ends_the_waiting_clients_too(make_table: Any) -> None:
    make_table()
    client = boto3.client("dynamodb")

    def interrupted(i: int) -> None:
        if i == 15:
            raise KeyboardInterrupt
        writer(client, 100 * KB)(i)

    with pytest.raises(KeyboardInterrupt):
        lab.drive(interrupted, per_second=20, seconds=1)
    assert lab.clock.waiter is None
    lab.clock.advance(minutes=1)
    assert lab.drive(writer(client), per_second=10, seconds=1).admitted == 10


def test_a_function_without_a_parameter_is_called_without_one(running_lab: None) -> None:
    seen: list[int] = []
    lab.drive(lambda: seen.append(1), per_second=3, seconds=1)
    lab.drive(lambda i: seen.append(i), per_second=3, seconds=1)
    assert seen == [1, 1, 1, 0, 1, 2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"per_second": 0, "seconds": 1}, "per_second as a number above 0"),
        ({"per_second": -1, "seconds": 1}, "per_second as a number above 0"),
        ({"per_second": "400", "seconds": 1}, "per_second as a number above 0"),
        ({"per_second": 400, "seconds": float("nan")}, "seconds as a number above 0"),
        ({"per_second": 400}, "seconds as a number above 0"),
        ({"per_second": 1e9, "seconds": 1}, "1,000,000,000 real boto3 calls"),
        ({"at": []}, "at least one time"),
        ({"at": [2, 1]}, "rising order"),
        ({"at": [-1]}, "none before 0"),
        ({"at": ["x"]}, "list of numbers"),
        ({"at": 5}, "list of numbers"),
        ({"at": [1], "seconds": 1}, "not both"),
    ],
)
def test_a_drive_that_cannot_be_is_refused_in_one_sentence(
    running_lab: None, arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(lab.LabError, match=sentence):
        lab.drive(print, **arguments)


def test_something_that_is_no_function_is_refused(running_lab: None) -> None:
    with pytest.raises(lab.LabError, match="pass its name, without brackets"):
        lab.drive(None, per_second=1, seconds=1)  # type: ignore[arg-type]


def test_a_drive_within_a_drive_is_refused(running_lab: None) -> None:
    with pytest.raises(lab.LabError, match="already running"):
        lab.drive(lambda: lab.drive(print, per_second=1, seconds=1), per_second=1, seconds=1)


def test_the_grocers_busiest_day_by_date_is_refused_and_by_store_is_not(client: Any, make_table: Any) -> None:
    day = grocer.busiest_day()
    assert len(day) == 7110
    assert str(day["time"].dt.date[0]) == "2017-12-23"
    stores = day["store"].tolist()

    def replay(key: Any) -> lab.drive:
        return lab.drive(lambda i: writer(client, pk=key(i))(i), at=day["second"] / 14_400)

    make_table()
    assert replay(lambda i: "2017-12-23").refused > 2000
    lab.clock.advance(minutes=1)
    assert replay(lambda i: f"store-{stores[i]}").refused == 0


def test_the_grocers_year_has_the_published_counts() -> None:
    year = grocer.year()
    counts = [len(year), *(year[name].nunique() for name in ("basket", "household", "store", "product"))]
    assert counts == [1_469_307, 155_848, 2_469, 457, 68_509]
    assert grocer.hottest_share(year, "store") == pytest.approx(0.028, abs=0.001)
