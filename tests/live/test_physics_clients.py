"""Several named clients at once, with their own retries, in simulated time."""

from __future__ import annotations

from typing import Any

import pytest

import dynamolab as lab
from dynamolab import Client


@pytest.fixture(autouse=True)
def _table(make_table: Any) -> None:
    make_table(sort_key=False)


def write(dynamodb: Any, i: int) -> None:
    dynamodb.put_item(TableName="pedidos", Item={"pk": {"S": "hot"}, "x": {"S": "x" * 100_000}})


def test_an_open_loop_sends_on_time_whatever_became_of_earlier_calls() -> None:
    run = lab.run_clients([Client("open", write, per_second=20)], seconds=3)
    assert run.calls["sent"].tolist() == [pytest.approx(n / 20) for n in range(60)]
    assert run.calls["retries"].sum() > 0
    assert (run.calls["finished"] > run.calls["sent"]).any()


def test_a_closed_loop_waits_for_each_call_before_the_next() -> None:
    run = lab.run_clients([Client("closed", write, pause=0.01), Client("noise", write, per_second=15)], seconds=3)
    calls = run.calls[run.calls["client"] == "closed"]
    assert (calls["sent"].iloc[1:].to_numpy() >= calls["finished"].iloc[:-1].to_numpy() + 0.01 - 1e-9).all()
    assert calls["sent"].max() < 3
    assert calls["retries"].sum() > 0


def test_each_client_retries_in_its_own_mode() -> None:
    modes = {"legacy": 9, "standard": 3, "adaptive": 3}

    def into_debt(dynamodb: Any, i: int) -> None:
        dynamodb.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": "pedidos", "Item": {"pk": {"S": f"{n}"}, "x": {"S": "x" * 390_000}}}}
                for n in range(10)
            ]
        )

    lab.run_clients([Client("debt", into_debt, pause=1)], seconds=0.5)
    lab.start(seed=7, burst_at_birth=0.0)
    import boto3

    boto3.client("dynamodb").create_table(
        TableName="pedidos",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    )
    lab.run_clients([Client("debt", into_debt, pause=1)], seconds=0.5)
    run = lab.run_clients([Client(mode, write, pause=100, retries=mode) for mode in modes], seconds=1)  # type: ignore[arg-type]
    assert run.calls.set_index("client")["retries"].to_dict() == modes
    one = lab.run_clients([Client("once", write, pause=100, attempts=1)], seconds=1)
    assert one.calls["retries"].tolist() == [0]


def test_an_exception_ends_its_client_alone_and_names_it() -> None:
    def faulty(dynamodb: Any, i: int) -> None:
        if i == 3:
            raise KeyError("total")
        write(dynamodb, i)

    clients = [
        Client("good", write, per_second=2), Client("bad", faulty, per_second=2), Client("worse", faulty, pause=1),
    ]  # fmt: skip
    run = lab.run_clients(clients, seconds=5)
    assert run.summary.set_index("client")["sent"].to_dict() == {"good": 10, "bad": 4, "worse": 4}
    assert run.faults == {"bad": "KeyError: 'total'", "worse": "KeyError: 'total'"}
    assert "bad: 4 calls, 3 ok, 0 throttled; ended by KeyError: 'total'" in repr(run)


def test_the_summary_says_how_long_a_call_of_each_client_took_on_average() -> None:
    def turns(dynamodb: Any, i: int) -> None:
        lab.clock.sleep(0.5 if i % 2 else 0.25)

    run = lab.run_clients(
        [Client("turns", turns, per_second=2), Client("same", lambda dynamodb, i: lab.clock.sleep(2), pause=1)],
        seconds=4,
    )
    assert run.summary.set_index("client")["sent"].to_dict() == {"turns": 8, "same": 2}
    assert run.summary.set_index("client")["seconds"].to_dict() == pytest.approx({"turns": 0.375, "same": 2.0})


def test_a_service_error_is_counted_and_its_client_goes_on() -> None:
    def invalid(dynamodb: Any, i: int) -> None:
        dynamodb.put_item(TableName="pedidos", Item={"pk": {"S": ""}})

    run = lab.run_clients([Client("invalid", invalid, pause=1)], seconds=3)
    assert run.summary[["sent", "error"]].to_numpy().tolist() == [[3, 3]]
    assert set(run.calls["error"]) == {"ValidationException"}


def test_random_arrivals_follow_the_seed() -> None:
    def sent(seed: int) -> list[float]:
        visitor = Client("a", lambda d, i: None, per_second=50, random_arrivals=True)
        run = lab.run_clients([visitor], seconds=20, seed=seed)
        return run.calls["sent"].tolist()

    first = sent(1)
    assert sent(1) == first != sent(2)
    assert len(first) == pytest.approx(1000, abs=120)


def test_a_run_of_many_clients_is_the_same_each_time(make_table: Any) -> None:
    def run() -> tuple[str, list[Any]]:
        lab.start(seed=7)
        make_table(sort_key=False)
        modes = ["legacy", "standard", "adaptive"]
        clients = [
            Client(f"c{n:02}", write, per_second=1.5, retries=modes[n % 3], random_arrivals=n % 2 == 0)  # type: ignore[arg-type]
            for n in range(12)
        ]
        done = lab.run_clients(clients, seconds=10)
        return repr(done), done.calls.to_numpy().tolist()

    assert run() == run()


def test_an_interrupt_stops_the_run_and_leaves_nothing_behind() -> None:
    def interrupted(dynamodb: Any, i: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab.run_clients([Client("a", write, per_second=30), Client("b", interrupted, pause=1)], seconds=3)
    assert lab.clock.waiter is None
    lab.clock.advance(minutes=1)
    assert lab.run_clients([Client("a", write, pause=1)], seconds=2).calls["outcome"].tolist() == ["ok", "ok"]


@pytest.mark.parametrize(
    ("clients", "seconds", "sentence"),
    [
        ([Client("a", write, per_second=1), Client("a", write, pause=1)], 1, "Two clients are called 'a'"),
        ([Client("a", write)], 1, "either per_second"),
        ([Client("a", write, per_second=1, pause=1)], 1, "either per_second"),
        ([Client("a", write, pause=0)], 1, "takes no simulated time"),
        ([Client("a", write, per_second=float("inf"))], 1, "as a number above 0"),
        ([Client("a", None, pause=1)], 1, "needs a function"),  # type: ignore[arg-type]
        ([Client("a", write, pause=1, retries="none")], 1, "legacy, standard or adaptive"),  # type: ignore[arg-type]
        ([Client("a", write, pause=1)], 0, "seconds as a number above 0"),
        ([Client("a", write, pause=1e-5)], 10, "1,000,000 real boto3 calls"),
    ],
)
def test_clients_without_sense_are_refused_in_a_sentence(clients: list[Client], seconds: float, sentence: str) -> None:
    with pytest.raises(lab.LabError, match=sentence):
        lab.run_clients(clients, seconds=seconds)


def test_a_run_within_a_run_is_refused() -> None:
    def nested(dynamodb: Any, i: int) -> None:
        lab.run_clients([Client("b", write, pause=1)], seconds=1)

    run = lab.run_clients([Client("a", nested, pause=1)], seconds=1)
    assert "already under way" in run.faults["a"]
