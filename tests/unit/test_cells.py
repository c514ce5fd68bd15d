"""A missing name is answered with the cell to run first."""

import json

import boto3
import pytest
from IPython.core.interactiveshell import InteractiveShell

import dynamolab as lab
from dynamolab import cells
from dynamolab.errors import LabError

SOURCES = [
    "import boto3\nimport dynamolab as lab\n\nlab.start(seed=7)\ndynamodb = boto3.client('dynamodb')",
    "%matplotlib inline",
    "# counts\nfor order in range(3):\n    total = order\nwith open('x') as file:\n    a, (b, *c) = 1, (2, 3)",
    "def save(i):\n    inside = i\n\n\nclass Shop:\n    hours = 9",
    "half a line (",
    "import botocore.exceptions\nfrom decimal import Decimal as D\nprint(walrus := 1)",
]


@pytest.mark.parametrize(
    ("name", "number", "first"),
    [
        ("dynamodb", 1, "import boto3"),
        ("lab", 1, "import boto3"),
        ("order", 3, "# counts"),
        ("file", 3, "# counts"),
        ("c", 3, "# counts"),
        ("save", 4, "def save(i):"),
        ("Shop", 4, "def save(i):"),
        ("botocore", 6, "import botocore.exceptions"),
        ("D", 6, "import botocore.exceptions"),
        ("walrus", 6, "import botocore.exceptions"),
    ],
)
def test_the_cell_that_makes_a_name_is_named(name, number, first):
    said = cells.sentence(name, SOURCES, "")
    assert said.startswith(f"`{name}` is made by code cell {number} (`{first}`): run the cells from the top")


@pytest.mark.parametrize("name", ["inside", "hours", "dinamodb"])
def test_a_name_that_no_cell_makes_is_said_to_be_misspelt(name):
    assert cells.sentence(name, SOURCES, f"name '{name}' is not defined").endswith("Is it misspelt?")


def test_without_the_notebook_the_sentence_still_says_what_to_do():
    assert "run the cells above this one first" in cells.sentence("dynamodb", [], "")


@pytest.fixture
def shell(monkeypatch, tmp_path):
    notebook = {"cells": [{"cell_type": "code", "source": source.splitlines(True)} for source in SOURCES]}
    path = tmp_path / "lección.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    shown = []
    monkeypatch.setattr(InteractiveShell, "_showtraceback", lambda self, kind, error, lines: shown.append(lines))
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    cells.install(shell)
    yield shell, shown
    InteractiveShell.clear_instance()


def test_a_shell_shows_the_sentence_in_place_of_a_stack(shell):
    shell, shown = shell
    result = shell.run_cell("dynamodb.put_item()")
    assert isinstance(result.error_in_exec, NameError)
    assert [lines[0][:45] for lines in shown] == ["`dynamodb` is made by code cell 1 (`import bo"]
    assert all("Traceback" not in line for lines in shown for line in lines)


def test_other_errors_are_shown_as_ever(shell):
    shell, shown = shell
    shell.run_cell("1 / 0")
    assert "ZeroDivisionError" in "".join(shown[0])


def test_a_handler_of_the_learners_own_is_kept(shell):
    shell, _ = shell
    shell.set_custom_exc((ValueError,), lambda *_, **__: [])
    cells.install(shell)
    assert shell.custom_exceptions == (ValueError,)


TABLES = [
    "import boto3\nimport dynamolab as lab\nlab.start(seed=7)\ndynamodb = boto3.client('dynamodb')",
    "TABLE, INDEX = 'carts', 'by-state'\n\n\ndef create(name):\n    dynamodb.create_table(TableName=name)",
    "def fresh():\n    create(TABLE)\n    return TABLE",
    "for name in ('orders', 'days'):\n    create(name)",
    "fresh()",
    "dynamodb.put_item(TableName='shops', Item={})\nprint(create)",
    "made = dynamodb.create_table(TableName='shops')",
]


@pytest.mark.parametrize(
    ("table", "number", "first"),
    [
        ("orders", 4, "for name in ('orders', 'days'):"),
        ("days", 4, "for name in ('orders', 'days'):"),
        ("carts", 5, "fresh()"),
        ("shops", 7, "made = dynamodb.create_table(TableName='shops')"),
    ],
)
def test_the_cell_that_makes_a_table_is_named(table, number, first):
    said = cells.table_sentence(table, TABLES)
    assert said.startswith(f"The table `{table}` is made by code cell {number} (`{first}`): run the cells from the top")


@pytest.mark.parametrize("sources", [TABLES, []])
def test_a_table_that_no_cell_makes_may_be_misspelt(sources):
    said = cells.table_sentence("cats", sources)
    assert said.startswith("The table `cats` is not made yet: run the cells above this one first")
    assert said.endswith("whether its name is misspelt.")


@pytest.fixture
def dynamodb():
    lab.start(seed=7)
    yield boto3.client("dynamodb")
    lab.stop()


KEY = {"pk": {"S": "a"}}


@pytest.mark.parametrize(
    "ask",
    [
        lambda dynamodb: dynamodb.put_item(TableName="carts", Item=KEY),
        lambda dynamodb: dynamodb.scan(TableName="arn:aws:dynamodb:eu-west-1:123456789012:table/carts"),
        lambda dynamodb: dynamodb.describe_table(TableName="carts"),
        lambda dynamodb: dynamodb.batch_get_item(RequestItems={"carts": {"Keys": [KEY]}}),
        lambda dynamodb: dynamodb.transact_write_items(TransactItems=[{"Put": {"TableName": "carts", "Item": KEY}}]),
        lambda dynamodb: lab.partition_of("carts", {"pk": "a"}),
    ],
    ids=["item", "arn", "table", "batch", "transaction", "the lab's own"],
)
def test_the_table_that_a_request_did_not_find_is_known(dynamodb, ask):
    with pytest.raises((dynamodb.exceptions.ClientError, LabError)) as caught:
        ask(dynamodb)
    assert cells.missing_table(caught.value) == "carts"


def test_other_errors_miss_no_table(dynamodb):
    with pytest.raises(dynamodb.exceptions.ClientError) as caught:
        dynamodb.execute_statement(Statement="SELECT")
    assert cells.missing_table(caught.value) is None
    assert cells.missing_table(LabError("lab.start needs a whole number as its seed.")) is None
    assert cells.missing_table(KeyError("The lab has no table 'carts'")) is None


def test_the_sentence_about_a_table_stands_below_the_services_own_words(shell, dynamodb):
    shell, shown = shell
    shell.user_ns["dynamodb"] = dynamodb
    result = shell.run_cell("dynamodb.scan(TableName='pedidos')")
    assert isinstance(result.error_in_exec, dynamodb.exceptions.ResourceNotFoundException)
    assert str(result.error_in_exec).endswith("Requested resource not found")
    own, advice, place = shown[0]
    assert own.startswith("ResourceNotFoundException: An error occurred (ResourceNotFoundException) when calling")
    assert advice.startswith("The table `pedidos` is not made yet")
    assert place.startswith("  in your cell, line 1: ")


def test_a_lab_that_is_not_running_names_the_cell_that_starts_it(shell):
    shell, shown = shell
    lab.stop()
    shell.run_cell("import dynamolab\ndynamolab.clock.advance(seconds=1)")
    assert shown[0][0] == "LabError: The lab is not running: call lab.start() first."
    assert shown[0][1].startswith("The lab is started by code cell 1 (`import boto3`)")


def test_outside_of_a_notebook_nothing_is_added():
    InteractiveShell.clear_instance()
    assert cells.advice(LabError("The lab is not running: call lab.start() first.")) is None
