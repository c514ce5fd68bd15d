"""What a learner can look at and change: partitions of tables and indexes, their history, the model's numbers."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

import dynamolab as lab
from dynamolab.live import gate, session
from dynamolab.model.indexes import entry_place, entry_writes
from dynamolab.model.parameters import DEFAULTS, Parameters
from dynamolab.model.units import Index, TableKeys, index_write_units

KB = 1024
BY_G = {
    "IndexName": "by-g",
    "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}


def types(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


@pytest.fixture
def indexed(client: Any, make_table: Any) -> Any:
    make_table(AttributeDefinitions=types("pk", "sk", "g"), GlobalSecondaryIndexes=[BY_G])
    return client


def put(client: Any, pk: str, sk: str = "1", units: int = 1, **more: str) -> None:
    texts = {"pk": pk, "sk": sk, **more}
    item = {name: {"S": value} for name, value in texts.items()}
    client.put_item(TableName="pedidos", Item={**item, "x": {"S": "x" * (units * KB - 60)}})


def written(index: str | None = None) -> dict[int, float]:
    load = lab.partition_load("pedidos", index=index)
    load = load[load["side"] == "write"]
    return {n: units for n, units in load.groupby("partition")["admitted_units"].sum().items() if units}


def test_an_entry_that_moves_is_charged_at_both_its_places(indexed: Any) -> None:
    places = {g: lab.partition_of("pedidos", {"g": g}, index="by-g") for g in "abcdefgh"}
    one, other = next((a, b) for a in places for b in places if places[a] != places[b])
    put(indexed, "k", g=one)
    assert written("by-g") == {places[one]: 1.0}
    put(indexed, "k", g=other)
    assert written("by-g") == {places[one]: 2.0, places[other]: 1.0}
    assert sum(written().values()) == 2.0
    put(indexed, "k", g=other)
    assert sum(written("by-g").values()) == 3.0
    indexed.delete_item(TableName="pedidos", Key={"pk": {"S": "k"}, "sk": {"S": "1"}})
    assert written("by-g") == {places[one]: 2.0, places[other]: 2.0}
    limits = gate.physics_of(gate.find_table("pedidos"))
    assert {partition.stored_bytes for partition in limits.indexes["by-g"].partitions} == {0}
    assert {partition.stored_bytes for partition in limits.table.partitions} == {0}


@pytest.mark.parametrize(
    ("before", "after"), [(None, "a"), ("a", None), ("a", "b"), ("a", "a"), (None, None), ("a", "missing")]
)
def test_the_writes_to_an_index_add_up_to_its_units(before: str | None, after: str | None) -> None:
    keys, index = TableKeys("pk"), Index("by-g", "GSI", ("g",))

    def item(g: str | None, size: int) -> dict[str, Any] | None:
        if g is None:
            return None
        found = {"pk": {"S": "k"}, "g": {"S": g}, "x": {"S": "x" * size}}
        return {name: value for name, value in found.items() if g != "missing" or name != "g"}

    old, new = item(before, 1500), item(after, 3500)
    writes = entry_writes(old, new, index, keys)
    assert sum(write.units for write in writes) == index_write_units(old, new, index, keys)
    assert [write.place for write in writes] == [
        entry_place({"g": {"S": g}}, index) for g in dict.fromkeys([before, after]) if g not in (None, "missing")
    ]


def test_a_query_of_an_index_loads_the_partition_of_its_key_and_not_the_table(indexed: Any) -> None:
    put(indexed, "k", g="a", units=9)
    indexed.query(
        TableName="pedidos",
        IndexName="by-g",
        KeyConditionExpression="g = :g",
        ExpressionAttributeValues={":g": {"S": "a"}},
    )
    load = lab.partition_load("pedidos", index="by-g")
    read = load[(load["side"] == "read") & (load["admitted_requests"] > 0)]
    home = lab.partition_of("pedidos", {"g": "a"}, index="by-g")
    assert read[["partition", "admitted_units"]].to_numpy().tolist() == [[home, 1.5]]
    table = lab.partition_load("pedidos")
    assert table[table["side"] == "read"]["admitted_requests"].sum() == 0


def test_a_query_of_a_collection_that_was_split_reads_from_each_of_its_partitions(make_table: Any) -> None:
    lab.start(seed=7, partition_bytes=40 * KB)
    client = boto3.client("dynamodb")
    make_table()
    rows = 60
    for n in range(rows):
        put(client, "k", f"{n:03}")
    homes = [lab.partition_of("pedidos", {"pk": "k", "sk": f"{n:03}"}) for n in range(rows)]
    assert len(set(homes)) > 1
    lab.clock.advance(seconds=5)
    since = 5
    ask = {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "k"}}, "ConsistentRead": True}
    answer = client.query(TableName="pedidos", **ask, ReturnConsumedCapacity="TOTAL")
    assert answer["Count"] == rows
    load = lab.partition_load("pedidos", since=since)
    read = load[load["side"] == "read"].set_index("partition")["admitted_units"]
    assert read.sum() == pytest.approx(answer["ConsumedCapacity"]["CapacityUnits"])
    for number in set(homes):
        assert read[number] == pytest.approx(read.sum() * homes.count(number) / rows)
    answer = client.scan(TableName="pedidos", ReturnConsumedCapacity="TOTAL")
    assert answer["Count"] == rows
    assert [item["sk"]["S"] for item in answer["Items"]] == [f"{n:03}" for n in range(rows)]


def test_an_index_made_on_a_full_table_begins_with_its_entries(client: Any, make_table: Any) -> None:
    make_table()
    for n in range(4):
        put(client, f"k{n}", g="a", units=2)
    put(client, "without")
    client.update_table(
        TableName="pedidos",
        AttributeDefinitions=types("g"),
        GlobalSecondaryIndexUpdates=[{"Create": BY_G}],
    )
    index = gate.physics_of(gate.find_table("pedidos")).indexes["by-g"]
    assert sum(partition.stored_bytes for partition in index.partitions) == pytest.approx(4 * 2 * KB, abs=300)


def test_an_index_that_is_gone_limits_nothing(indexed: Any) -> None:
    assert list(gate.physics_of(gate.find_table("pedidos")).indexes) == ["by-g"]
    indexed.update_table(TableName="pedidos", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    lab.clock.advance(minutes=15)
    with pytest.raises(lab.LabError, match="has no global index 'by-g'; it has none"):
        lab.partition_load("pedidos", index="by-g")


# --- looking ------------------------------------------------------------------------------------------------


def test_a_year_without_requests_has_no_rows_and_ten_minutes_have(client: Any, make_table: Any) -> None:
    make_table()
    for pause in ({"days": 365}, {"minutes": 10}, {}):
        put(client, "a")
        lab.clock.advance(**pause)
    seconds = lab.partition_load("pedidos")["second"].unique().tolist()
    year = 365 * 86_400
    assert seconds == [0, *range(year, year + 601)]


def test_a_look_shows_the_partition_of_a_key_and_says_the_same_twice(client: Any, make_table: Any) -> None:
    make_table()
    put(client, "hot", units=300)
    number = lab.partition_of("pedidos", {"pk": "hot"})
    looks = [lab.look("pedidos", {"pk": "hot"}) for _ in range(2)]
    assert repr(looks[0]) == repr(looks[1])
    assert looks[0].partition.sides["write"].tokens == 700
    first, read, write, born = repr(looks[0]).splitlines()
    assert first.startswith(f"partition {number}: hashes {25 * number}.00 % to {25 * number + 25}.00 %; 307,")
    assert read == "  read: 3,000 of 3,000 units left this second; 0 admitted, 0 refused"
    assert write == "  write: 700 of 1,000 units left this second; 1 admitted, 0 refused"
    assert born.startswith("  born with the table (created)")


def test_partitions_born_for_capacity_are_in_the_history(client: Any, make_table: Any) -> None:
    units = {"ReadCapacityUnits": 10, "WriteCapacityUnits": 1000}
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput=units)
    assert len(lab.partition_history("pedidos")) == 1
    lab.clock.advance(seconds=60)
    client.update_table(TableName="pedidos", ProvisionedThroughput={**units, "WriteCapacityUnits": 2000})
    lab.clock.advance(seconds=60)
    history = lab.partition_history("pedidos")
    assert history["event"].tolist() == ["born", "gave", "born"]
    assert history["other"].tolist() == [-1, 1, 0]
    assert set(history["cause"]) == {"created", "capacity"}
    assert 60 <= history["second"].iloc[-1] <= 120
    client.update_table(TableName="pedidos", ProvisionedThroughput={**units, "WriteCapacityUnits": 1})
    lab.clock.advance(seconds=60)
    assert len(lab.partition_history("pedidos")) == 3


def test_a_switch_to_on_demand_gives_at_least_four_partitions(client: Any, make_table: Any) -> None:
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
    client.update_table(TableName="pedidos", BillingMode="PAY_PER_REQUEST")
    lab.clock.advance(minutes=10)
    assert lab.partition_history("pedidos")["partition"].max() == 3


def test_looking_at_what_is_not_there_is_refused_in_a_sentence(indexed: Any) -> None:
    for call in (
        lambda: lab.look("pedidos", {"pk": "a"}, index="no"),
        lambda: lab.partition_history("pedidos", index="no"),
        lambda: lab.partition_load("pedidos", index="no"),
        lambda: lab.partition_map("pedidos", index="no"),
    ):
        with pytest.raises(lab.LabError, match="has no global index 'no'; it has by-g"):
            call()
    with pytest.raises(lab.LabError, match="partition key of 'by-g' of 'pedidos' is 'g'"):
        lab.look("pedidos", {"pk": "a"}, index="by-g")


def test_a_map_of_an_index_names_it(indexed: Any) -> None:
    put(indexed, "a", g="a")
    assert "by-g of pedidos" in lab.partition_map("pedidos", index="by-g").svg


# --- the model's numbers --------------------------------------------------------------------------------------


def parameters_of_a_new_table(make_table: Any) -> Parameters:
    return gate.throughput_of(gate.find_table(make_table())).parameters


def test_the_lab_starts_with_other_numbers_by_their_names(make_table: Any) -> None:
    lab.start(seed=7, adaptation="2017", heat_split_seconds=300, eventual_read_units=4500)
    found = parameters_of_a_new_table(make_table)
    assert found == Parameters(adaptation="2017", heat_split_seconds=300, eventual_read_units=4500)
    lab.start(seed=7)
    assert parameters_of_a_new_table(make_table) == DEFAULTS


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ({"adaptatoin": "2017"}, "no setting 'adaptatoin'; did you mean adaptation?"),
        ({"xyz": 1}, "no setting 'xyz'; it has, for example, partition_write_units"),
        ({"adaptation": "2018"}, "adaptation is one of static, 2017, today, not '2018'"),
        ({"heat_split_seconds": "300"}, "heat_split_seconds is a whole number, not '300'"),
        ({"heat_slots": 2.5}, "heat_slots is a whole number, not 2.5"),
        ({"heat_slots": None}, "heat_slots is a whole number, not None"),
        ({"ramp_factor": True}, "ramp_factor is a number, not True"),
        ({"ramp_factor": -1}, "ramp_factor is a number from 0 up, not -1"),
        ({"partition_bytes": 0}, "partition_bytes is at least 1, not 0"),
    ],
)
def test_a_number_without_sense_is_refused_and_the_lab_stays_as_it_was(
    client: Any, make_table: Any, numbers: dict[str, Any], sentence: str
) -> None:
    make_table("kept")
    with pytest.raises(lab.LabError, match=sentence.replace("?", r"\?")):
        lab.start(seed=7, **numbers)
    assert client.list_tables()["TableNames"] == ["kept"]


def test_a_sandbox_judges_by_the_nominal_numbers(make_table: Any) -> None:
    lab.start(seed=7, adaptation="static")
    with session.sandbox(1):
        assert parameters_of_a_new_table(make_table) == DEFAULTS
    assert parameters_of_a_new_table(make_table).adaptation == "static"
