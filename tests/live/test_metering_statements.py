"""PartiQL statements cost what the operation costs that they stand for."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.model.sizes import item_size


def sized(size: int, **attributes: str) -> dict[str, Any]:
    """An item of exactly ``size`` bytes with these string attributes."""
    bare = {**{name: {"S": value} for name, value in attributes.items()}, "x": {"S": ""}}
    return {**bare, "x": {"S": "x" * (size - item_size(bare))}}


def run(client: Any, statement: str, *parameters: Any, **more: Any) -> dict[str, Any]:
    given = {"Parameters": list(parameters)} if parameters else {}
    answer: dict[str, Any] = client.execute_statement(
        Statement=statement, ReturnConsumedCapacity="TOTAL", **given, **more
    )
    return answer


def cost(client: Any, statement: str, *parameters: Any, **more: Any) -> float:
    units: float = run(client, statement, *parameters, **more)["ConsumedCapacity"]["CapacityUnits"]
    return units


@pytest.fixture
def table(client: Any, make_table: Any) -> Any:
    make_table()
    for sk, size in (("1", 500), ("2", 5000), ("3", 300)):
        client.put_item(TableName="pedidos", Item=sized(size, pk="a", sk=sk))
    return client


def test_a_select_by_the_whole_key_is_a_get(table: Any) -> None:
    statement = "SELECT * FROM \"pedidos\" WHERE pk = 'a' AND sk = '2'"
    answer = run(table, statement, ConsistentRead=True)
    assert [item["sk"]["S"] for item in answer["Items"]] == ["2"]
    assert answer["ConsumedCapacity"] == {"TableName": "pedidos", "CapacityUnits": 2.0}
    assert cost(table, statement) == 1.0
    assert cost(table, "SELECT * FROM pedidos WHERE pk = 'a' AND sk = 'none'") == 0.5


def test_a_select_by_the_partition_key_is_a_query_in_the_order_of_the_sort_key(table: Any) -> None:
    """Lower-case keywords and a table name without quotes: moto answered this with an AttributeError."""
    answer = run(table, "select * from pedidos where pk='a'", ConsistentRead=True)
    assert [item["sk"]["S"] for item in answer["Items"]] == ["1", "2", "3"]
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 2.0  # 5,800 bytes


def test_a_select_with_no_key_is_a_scan_of_every_partition(table: Any) -> None:
    answer = run(table, "SELECT sk FROM pedidos WHERE sk >= '2'")
    assert sorted(item["sk"]["S"] for item in answer["Items"]) == ["2", "3"]
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 2.5  # 1.0 for 5,800 bytes, 3 x 0.5 for the other partitions


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("pk = 'a' AND sk > '1'", ["2", "3"]),
        ("pk = 'a' AND sk BETWEEN '1' AND '2'", ["1", "2"]),
        ("pk = 'a' AND begins_with(sk, '3')", ["3"]),
        ("pk = 'a' AND (sk = '1' OR sk = '3')", ["1", "3"]),
        ("pk = 'a' AND NOT sk = '1'", ["2", "3"]),
        ("pk = 'a' AND sk <> '2'", ["1", "3"]),
        ("pk = 'a' AND nothing IS MISSING", ["1", "2", "3"]),
        ("pk IN ['a', 'b'] AND sk = '3'", ["3"]),
        ("'a' = pk AND '2' < sk", ["3"]),
    ],
)
def test_a_where_clause_chooses_what_it_says(table: Any, where: str, expected: list[str]) -> None:
    answer = run(table, f"SELECT * FROM pedidos WHERE {where}")
    assert [item["sk"]["S"] for item in answer["Items"]] == expected


def test_a_limit_pages_through_everything_once(table: Any) -> None:
    seen, more = [], {}
    while True:
        answer = run(table, "SELECT sk FROM pedidos WHERE pk = ?", {"S": "a"}, Limit=2, **more)
        seen += [item["sk"]["S"] for item in answer["Items"]]
        if "NextToken" not in answer:
            break
        more = {"NextToken": answer["NextToken"]}
    assert seen == ["1", "2", "3"]


def test_a_select_by_the_whole_key_is_at_its_end_whatever_its_limit(table: Any) -> None:
    assert "NextToken" not in run(table, "SELECT * FROM pedidos WHERE pk = 'a' AND sk = '2'", Limit=1)
    assert "NextToken" in run(table, "SELECT * FROM pedidos WHERE pk = 'a' AND sk >= '2'", Limit=1)


def test_writes_cost_what_put_update_and_delete_cost(client: Any, make_table: Any) -> None:
    make_table()
    item = sized(1025, pk="a", sk="1")
    insert = "INSERT INTO pedidos VALUE {'pk': ?, 'sk': '1', 'x': ?}"
    assert cost(client, insert, item["pk"], item["x"]) == 2.0
    assert cost(client, "UPDATE pedidos SET x = 'short' WHERE pk = 'a' AND sk = '1'") == 2.0
    assert client.get_item(TableName="pedidos", Key={"pk": {"S": "a"}, "sk": {"S": "1"}})["Item"]["x"] == {"S": "short"}
    assert cost(client, "UPDATE pedidos SET n = 3 REMOVE x WHERE pk = 'a' AND sk = '1'") == 1.0
    assert cost(client, "DELETE FROM pedidos WHERE pk = 'a' AND sk = '1'") == 1.0
    assert cost(client, "DELETE FROM pedidos WHERE pk = 'a' AND sk = '1'") == 1.0  # already gone


@pytest.mark.parametrize(("size", "expected"), [(512, 1), (9216, 9)])
def test_a_duplicate_insert_fails_and_is_charged_for_what_exists(
    client: Any, make_table: Any, size: int, expected: int
) -> None:
    make_table()
    client.put_item(TableName="pedidos", Item=sized(size, pk="a", sk="1"))
    lab.clock.advance(seconds=1)
    with pytest.raises(client.exceptions.DuplicateItemException):
        run(client, "INSERT INTO pedidos VALUE {'pk': 'a', 'sk': '1'}")
    load = lab.partition_load("pedidos")
    assert load[load["second"] == 1]["admitted_units"].sum() == expected


def test_an_update_of_a_missing_item_fails_its_condition(client: Any, make_table: Any) -> None:
    make_table()
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        run(client, "UPDATE pedidos SET x = 1 WHERE pk = 'a' AND sk = '1'")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("SELECTT * FROMM pedidos", "ValidationException"),
        ("SELECT * FROM pedidos WHERE pk = ?", "ValidationException"),
        ("SELECT * FROM pedidos.none WHERE pk = 'a'", "ValidationException"),
        ("SELECT * FROM unknown WHERE pk = 'a'", "ResourceNotFoundException"),
        ("UPDATE pedidos SET x = 1 WHERE pk = 'a'", "ValidationException"),
    ],
)
def test_a_statement_that_makes_no_sense_is_the_services_error(table: Any, statement: str, code: str) -> None:
    with pytest.raises(ClientError) as refused:
        run(table, statement)
    assert refused.value.response["Error"]["Code"] == code


def test_a_batch_of_statements_answers_each_and_lists_capacity_by_table(table: Any) -> None:
    answer = table.batch_execute_statement(
        Statements=[
            {"Statement": "SELECT * FROM pedidos WHERE pk = 'a' AND sk = '1'"},
            {"Statement": "SELECT * FROM pedidos WHERE pk = 'a'"},
            {"Statement": "SELECT * FROM unknown WHERE pk = 'a'"},
            {"Statement": "SELECT * FROM pedidos WHERE pk = 'a' AND sk = 'none'"},
        ],
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 1.0}]
    first, second, third, fourth = answer["Responses"]
    assert first["Item"]["sk"] == {"S": "1"}
    assert second["Error"]["Code"] == "ValidationError"
    assert third["Error"]["Code"] == "ResourceNotFound"
    assert fourth == {"TableName": "pedidos"}


def test_a_batch_in_which_every_statement_fails_has_no_capacity(table: Any) -> None:
    answer = table.batch_execute_statement(
        Statements=[{"Statement": "INSERT INTO pedidos VALUE {'pk': 'a', 'sk': '1'}"}], ReturnConsumedCapacity="TOTAL"
    )
    assert answer["Responses"][0]["Error"]["Code"] == "DuplicateItem"
    assert "ConsumedCapacity" not in answer


def test_a_transaction_of_statements_costs_double(table: Any) -> None:
    written = table.execute_transaction(
        TransactStatements=[
            {"Statement": "INSERT INTO pedidos VALUE {'pk': 'b', 'sk': '1'}"},
            {"Statement": "UPDATE pedidos SET y = 1 WHERE pk = 'a' AND sk = '1'"},
        ],
        ReturnConsumedCapacity="TOTAL",
    )
    assert written["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}]
    read = table.execute_transaction(
        TransactStatements=[{"Statement": f"SELECT * FROM pedidos WHERE pk = 'a' AND sk = '{sk}'"} for sk in "12"],
        ReturnConsumedCapacity="TOTAL",
    )
    assert [entry["Item"]["sk"]["S"] for entry in read["Responses"]] == ["1", "2"]
    assert read["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": 6.0, "ReadCapacityUnits": 6.0}]


def test_a_duplicate_insert_cancels_the_transaction_and_is_charged_double(client: Any, make_table: Any) -> None:
    make_table()
    client.put_item(TableName="pedidos", Item=sized(9216, pk="a", sk="1"))
    lab.clock.advance(seconds=1)
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.execute_transaction(
            TransactStatements=[{"Statement": "INSERT INTO pedidos VALUE {'pk': 'a', 'sk': '1'}"}]
        )
    assert [reason["Code"] for reason in cancelled.value.response["CancellationReasons"]] == ["DuplicateItem"]
    load = lab.partition_load("pedidos")
    assert load[load["second"] == 1]["admitted_units"].sum() == 18


def test_a_throttled_statement_of_a_batch_is_an_error_of_its_own(client: Any, make_table: Any) -> None:
    make_table()
    client.put_item(TableName="pedidos", Item=sized(400 * 1024, pk="a", sk="1"))
    lab.clock.advance(seconds=1)
    key = {"pk": {"S": "a"}, "sk": {"S": "1"}}
    for _ in range(30):
        client.get_item(TableName="pedidos", Key=key, ConsistentRead=True)
    answer = client.batch_execute_statement(
        Statements=[{"Statement": "SELECT * FROM pedidos WHERE pk = 'a' AND sk = '1'"}]
    )
    assert answer["Responses"][0]["Error"]["Code"] == "ThrottlingError"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM pedidos WHERE pk = 'a' garbage",
        "SELECT * FROM pedidos WHERE pk = 'a'; SELECT * FROM pedidos",
        "DELETE FROM pedidos WHERE pk = 'a' AND sk = '1' LIMIT 1",
    ],
)
def test_what_follows_the_end_of_a_statement_is_refused_and_nothing_is_done(table: Any, statement: str) -> None:
    with pytest.raises(ClientError, match="ValidationException"):
        run(table, statement)
    assert len(run(table, "SELECT * FROM pedidos WHERE pk = 'a'")["Items"]) == 3


EXISTS = "EXISTS(SELECT * FROM pedidos WHERE pk = 'a' AND sk = '1' AND begins_with(x, 'x'))"


def transact(client: Any, *statements: str) -> Any:
    return client.execute_transaction(
        TransactStatements=[{"Statement": statement} for statement in statements], ReturnConsumedCapacity="TOTAL"
    )


@pytest.mark.parametrize(("key", "condition", "units"), [("1", "x >= 'x'", 4.0), ("2", "attribute_type(x, 'S')", 12.0)])
def test_exists_checks_an_item_for_a_transaction_and_costs_a_condition_check(
    table: Any, key: str, condition: str, units: float
) -> None:
    """ "Using the EXISTS function with PartiQL for DynamoDB": it costs twice the item's write units."""
    exists = f"EXISTS(SELECT * FROM pedidos WHERE pk = 'a' AND sk = '{key}' AND {condition})"
    done = transact(table, exists, "INSERT INTO pedidos VALUE {'pk': 'b', 'sk': '1'}")
    assert done["Responses"] == [{}, {}]
    assert done["ConsumedCapacity"] == [{"TableName": "pedidos", "CapacityUnits": units, "WriteCapacityUnits": units}]
    assert len(run(table, "SELECT * FROM pedidos")["Items"]) == 4


@pytest.mark.parametrize(
    "where",
    ["pk = 'a' AND sk = '1' AND x = 'other'", "pk = 'a' AND sk = 'none'", "pk = 'a' AND sk = 'none' AND NOT x = 'y'"],
)
def test_exists_of_what_is_not_there_cancels_the_transaction(table: Any, where: str) -> None:
    with pytest.raises(table.exceptions.TransactionCanceledException) as cancelled:
        transact(
            table, f"EXISTS(SELECT * FROM pedidos WHERE {where})", "INSERT INTO pedidos VALUE {'pk': 'b', 'sk': '1'}"
        )
    reasons = [reason["Code"] for reason in cancelled.value.response["CancellationReasons"]]
    assert reasons == ["ConditionalCheckFailed", "None"]
    assert len(run(table, "SELECT * FROM pedidos")["Items"]) == 3


def test_exists_can_only_be_used_in_transactions_and_does_nothing_elsewhere(table: Any) -> None:
    with pytest.raises(ClientError, match="ValidationException.*only be used in transactions"):
        run(table, EXISTS)
    (answer,) = table.batch_execute_statement(Statements=[{"Statement": EXISTS}])["Responses"]
    assert answer["Error"]["Code"] == "ValidationError"
    assert len(run(table, "SELECT * FROM pedidos")["Items"]) == 3


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (EXISTS.replace("(SELECT", " SELECT", 1), "wasn't well formed"),
        (EXISTS.replace("(SELECT", " SELECT", 1).removesuffix(")"), "wasn't well formed"),
        (EXISTS.removesuffix(")"), "wasn't well formed"),
        (f"EXISTS({EXISTS})", "wasn't well formed"),
        ("EXISTS(DELETE FROM pedidos WHERE pk = 'a' AND sk = '1')", "wasn't well formed"),
        ("EXISTS(UPDATE pedidos SET n = 1 WHERE pk = 'a' AND sk = '1')", "wasn't well formed"),
        ("EXISTS(SELECT * FROM pedidos WHERE pk = 'a')", "mandatory equality on all key attributes"),
        (EXISTS.replace("pedidos", "pedidos.any"), "Reads on indices are not supported"),
    ],
)
def test_exists_takes_a_select_by_the_full_primary_key_in_brackets(table: Any, statement: str, message: str) -> None:
    with pytest.raises(ClientError, match=f"ValidationException.*{message}"):
        transact(table, statement)
    assert len(run(table, "SELECT * FROM pedidos")["Items"]) == 3


def test_a_strongly_consistent_select_on_a_global_index_is_refused_in_partiql_s_words(
    client: Any, make_table: Any
) -> None:
    make_table(
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "estado")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "por-estado",
                "KeySchema": [{"AttributeName": "estado", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    statement = "SELECT * FROM pedidos.\"por-estado\" WHERE estado = 'nuevo'"
    assert run(client, statement)["Items"] == []
    with pytest.raises(ClientError, match="Strongly consistent read is not supported on Global Secondary Indexes"):
        run(client, statement, ConsistentRead=True)


@pytest.mark.parametrize(
    ("clause", "shown"),
    [
        ("", []),
        ("RETURNING ALL OLD *", [{"pk": "a", "sk": "1", "n": "1", "other": "same"}]),
        ("RETURNING ALL NEW *", [{"pk": "a", "sk": "1", "n": "2", "other": "same"}]),
        ("RETURNING MODIFIED OLD *", [{"n": "1"}]),
        ("RETURNING MODIFIED NEW *", [{"n": "2"}]),
    ],
)
def test_an_update_returns_what_its_returning_clause_names(
    client: Any, make_table: Any, clause: str, shown: list[dict[str, str]]
) -> None:
    """ "PartiQL update statements for DynamoDB"."""
    make_table()
    run(client, "INSERT INTO pedidos VALUE {'pk': 'a', 'sk': '1', 'n': '1', 'other': 'same'}")
    items = run(client, f"UPDATE pedidos SET n = '2' WHERE pk = 'a' AND sk = '1' {clause}")["Items"]
    assert [{name: value["S"] for name, value in item.items()} for item in items] == shown


@pytest.mark.parametrize(("clause", "count"), [("", 0), ("RETURNING ALL OLD *", 1)])
def test_a_delete_returns_what_was_there_if_it_is_told_to(table: Any, clause: str, count: int) -> None:
    """ "PartiQL delete statements for DynamoDB"."""
    items = run(table, f"DELETE FROM pedidos WHERE pk = 'a' AND sk = '2' {clause}")["Items"]
    assert [item["sk"]["S"] for item in items] == ["2"] * count
