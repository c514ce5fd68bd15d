"""With lagging copies, an eventually consistent read may be stale for a while and a strongly consistent one never."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dynamolab as lab
from dynamolab.live import batches, gate, items, replicas, writes
from dynamolab.live.metering import find_table

KEY = {"pk": {"S": "a"}, "sk": {"S": "1"}}
LAG = 0.5
READS = 60


@pytest.fixture(autouse=True)
def connected(running_lab: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What lab.start() and the gate do; a second time changes nothing."""
    replicas.reset(7)
    writes.install()
    gate.remove()
    for module, name, operation in (
        (items, "get_item", "get_item"),
        (items, "read_page", "query"),
        (batches, "read_batch", "batch_get_item"),
    ):
        reading = replicas.eventual(getattr(module, name))
        monkeypatch.setattr(module, name, reading)
        monkeypatch.setitem(gate._OPERATIONS, operation, reading)
    monkeypatch.setitem(gate._OPERATIONS, "scan", items.read_page)
    gate.install()
    yield
    replicas.reset(7)
    writes.remove()


@pytest.fixture
def table(make_table: Callable[..., str]) -> str:
    index = {
        "IndexName": "by-state",
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    return make_table(
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "state")],
        GlobalSecondaryIndexes=[index],
    )


def put(client: Any, state: str, pk: str = "a") -> None:
    client.put_item(TableName="pedidos", Item={"pk": {"S": pk}, "sk": {"S": "1"}, "state": {"S": state}})


def get(client: Any, *, strong: bool = False) -> str | None:
    answer = client.get_item(TableName="pedidos", Key=KEY, ConsistentRead=strong)
    return answer["Item"]["state"]["S"] if "Item" in answer else None


def query(client: Any, *, strong: bool = False) -> str | None:
    found = client.query(
        TableName="pedidos",
        KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}},
        ConsistentRead=strong,
    )["Items"]
    return found[0]["state"]["S"] if found else None


def scan(client: Any, *, strong: bool = False) -> str | None:
    found = client.scan(TableName="pedidos", ConsistentRead=strong)["Items"]
    return found[0]["state"]["S"] if found else None


def batch(client: Any, *, strong: bool = False) -> str | None:
    request = {"pedidos": {"Keys": [KEY], "ConsistentRead": strong}}
    found = client.batch_get_item(RequestItems=request)["Responses"]["pedidos"]
    return found[0]["state"]["S"] if found else None


def statement(client: Any, *, strong: bool = False) -> str | None:
    text = "SELECT * FROM pedidos WHERE pk = 'a' AND sk = '1'"
    found = client.execute_statement(Statement=text, ConsistentRead=strong)["Items"]
    return found[0]["state"]["S"] if found else None


def transaction(client: Any) -> str | None:
    answer = client.transact_get_items(TransactItems=[{"Get": {"TableName": "pedidos", "Key": KEY}}])["Responses"][0]
    return answer["Item"]["state"]["S"] if "Item" in answer else None


def by_state(client: Any, state: str) -> int:
    count: int = client.query(
        TableName="pedidos",
        IndexName="by-state",
        KeyConditionExpression="#s = :s",
        ExpressionAttributeNames={"#s": "state"},
        ExpressionAttributeValues={":s": {"S": state}},
    )["Count"]
    return count


def settle() -> None:
    lab.clock.advance(seconds=LAG)


def test_without_the_door_every_read_sees_the_last_write(client: Any, table: str) -> None:
    for number in range(READS):
        put(client, str(number))
        assert [read(client) for read in (get, query, scan, batch, statement)] == [str(number)] * 5
        assert by_state(client, str(number)) == 1


@pytest.mark.parametrize("read", [get, query, scan, batch, statement])
def test_an_eventual_read_is_sometimes_stale_a_strong_one_never_and_both_agree_after_the_lag(
    client: Any, table: str, read: Callable[..., str | None]
) -> None:
    replicas.replica_lag(LAG)
    put(client, "placed")
    settle()
    put(client, "shipped")
    seen = [read(client) for _ in range(READS)]
    assert {*seen} == {"placed", "shipped"}
    # The copy that took the write answers a third of the reads.
    assert READS / 6 < seen.count("shipped") < READS / 2
    assert {read(client, strong=True) for _ in range(READS)} == {"shipped"}
    settle()
    assert {read(client) for _ in range(READS)} == {"shipped"}


@pytest.mark.parametrize("read", [get, query, scan, batch])
def test_a_new_item_may_be_missing_and_a_deleted_one_still_there(
    client: Any, table: str, read: Callable[..., str | None]
) -> None:
    replicas.replica_lag(LAG)
    put(client, "placed")
    assert {read(client) for _ in range(READS)} == {None, "placed"}
    settle()
    client.delete_item(TableName=table, Key=KEY)
    assert {read(client) for _ in range(READS)} == {None, "placed"}
    assert {read(client, strong=True) for _ in range(READS)} == {None}
    settle()
    assert {read(client) for _ in range(READS)} == {None}


def test_updates_batches_transactions_and_statements_lag_too(client: Any, table: str) -> None:
    replicas.replica_lag(LAG)
    item = {**KEY, "state": {"S": "two"}}
    put(client, "one")

    def update() -> None:
        client.update_item(
            TableName=table,
            Key=KEY,
            UpdateExpression="SET #s = :s",
            ExpressionAttributeNames={"#s": "state"},
            ExpressionAttributeValues={":s": {"S": "two"}},
        )

    for change in (
        update,
        lambda: client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item}}]}),
        lambda: client.transact_write_items(TransactItems=[{"Put": {"TableName": table, "Item": item}}]),
        lambda: client.execute_statement(Statement="UPDATE pedidos SET state = 'two' WHERE pk = 'a' AND sk = '1'"),
    ):
        put(client, "one")
        settle()
        change()
        assert {get(client) for _ in range(READS)} == {"one", "two"}
        assert {transaction(client) for _ in range(READS)} == {"two"}


def test_a_global_index_lags_in_every_read_and_catches_up(client: Any, table: str) -> None:
    replicas.replica_lag(LAG)
    put(client, "placed")
    settle()
    put(client, "shipped")
    assert {(by_state(client, "placed"), by_state(client, "placed")) for _ in range(READS)} == {(1, 1)}
    settle()
    assert {(by_state(client, "placed"), by_state(client, "shipped")) for _ in range(READS)} == {(0, 1)}


def test_a_copy_never_goes_back(client: Any, table: str) -> None:
    replicas.replica_lag(LAG)
    there = find_table(table)
    seen: dict[int, list[int]] = {1: [], 2: []}
    for number in range(200):
        put(client, str(number))
        lab.clock.advance(seconds=0.01)
        now = lab.clock.microseconds
        for copy, states in seen.items():
            ((hash_key, collection),) = there.items.items()
            ((range_key, current),) = collection.items()
            item = replicas.visible(there, hash_key, range_key, current, now, copy)
            states.append(-1 if item is None else int(item.attrs["state"].value))
    for states in seen.values():
        assert states == sorted(states)
        assert all(number - 50 <= state <= number for number, state in enumerate(states))
        assert states != list(range(200))
    assert seen[1] != seen[2]


def test_what_a_stale_read_costs_is_what_it_saw(client: Any, table: str) -> None:
    replicas.replica_lag(LAG)
    client.put_item(TableName=table, Item={**KEY, "x": {"S": "x" * 20_000}})
    costs = {
        ("Item" in answer, answer["ConsumedCapacity"]["CapacityUnits"])
        for answer in (client.get_item(TableName=table, Key=KEY, ReturnConsumedCapacity="TOTAL") for _ in range(READS))
    }
    assert costs == {(False, 0.5), (True, 2.5)}


def test_a_scan_of_many_items_is_whole_apart_from_what_is_on_its_way(client: Any, table: str) -> None:
    for number in range(50):
        put(client, "old", f"p{number:02}")
    replicas.replica_lag(LAG)
    for number in range(0, 50, 10):
        put(client, "new", f"p{number:02}")
    for _ in range(20):
        states = [item["state"]["S"] for item in client.scan(TableName=table)["Items"]]
        assert len(states) == 50
        assert states.count("new") in range(6)
    assert client.scan(TableName=table, ConsistentRead=True)["Count"] == 50


def test_only_what_is_on_its_way_is_remembered(client: Any, table: str) -> None:
    replicas.replica_lag(LAG)
    for number in range(300):
        put(client, str(number), pk=f"p{number % 7}")
        lab.clock.advance(seconds=0.1)
    behind = replicas._state.tables[find_table(table)]
    assert 0 < len(behind.queue) <= 6
    settle()
    get(client)
    assert not behind.queue
    assert not behind.changes


def test_turning_the_lag_off_shows_everything_at_once(client: Any, table: str) -> None:
    replicas.replica_lag(60)
    put(client, "placed")
    assert {get(client) for _ in range(READS)} == {None, "placed"}
    replicas.replica_lag(0)
    assert {get(client) for _ in range(READS)} == {"placed"}


def test_a_rerun_sees_the_same_and_another_seed_something_else(client: Any, table: str) -> None:
    runs = []
    for seed in (7, 7, 8):
        replicas.reset(seed)
        replicas.replica_lag(LAG)
        seen = []
        for number in range(40):
            put(client, str(number))
            lab.clock.advance(seconds=0.1)
            seen.append((get(client) == str(number), by_state(client, str(number))))
        runs.append(seen)
        lab.clock.advance(seconds=5)
    assert runs[0] == runs[1] != runs[2]


def test_a_saved_state_comes_back_with_the_writes_on_their_way(client: Any, table: str) -> None:
    replicas.replica_lag(LAG)
    put(client, "placed")
    saved = replicas.save()
    replicas.reset(3)
    assert {get(client) for _ in range(READS)} == {"placed"}
    replicas.restore(saved)
    assert {get(client) for _ in range(READS)} == {None, "placed"}


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), "1", True, None])
def test_a_lag_that_is_no_time_is_refused_in_a_sentence(seconds: Any) -> None:
    with pytest.raises(lab.LabError, match="seconds=0.5"):
        replicas.replica_lag(seconds)


def test_the_lag_is_the_running_lab_s(client: Any) -> None:
    lab.stop()
    with pytest.raises(lab.LabError, match=r"lab\.start"):
        replicas.replica_lag(1)
