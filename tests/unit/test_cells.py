"""A missing name is answered with the cell to run first."""

import json

import pytest
from IPython.core.interactiveshell import InteractiveShell

from dynamolab import cells

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
