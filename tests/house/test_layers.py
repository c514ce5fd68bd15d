"""Arrows point down: model, live, traffic, then view and checks. Read from the source, so lazy imports count too."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SERVICES = ("boto3", "botocore", "moto")
PICTURES = ("IPython", "ipywidgets", "matplotlib")
FORBIDDEN = {
    "model": (
        *SERVICES, *PICTURES, "pandas", "greenlet", "dynamolab.live", "dynamolab.traffic", "dynamolab.view",
        "dynamolab.checks",
    ),
    "live": (*PICTURES, "pandas", "dynamolab.traffic", "dynamolab.view", "dynamolab.checks"),
    "traffic": (*PICTURES, "moto", "dynamolab.view", "dynamolab.checks"),
    "traffic/workload.py": (
        *SERVICES, *PICTURES, "greenlet", "dynamolab.live", "dynamolab.traffic", "dynamolab.view", "dynamolab.checks",
    ),
    "traffic/demand.py": (*SERVICES, *PICTURES, "greenlet", "dynamolab.live", "dynamolab.view", "dynamolab.checks"),
    "traffic/design.py": (*SERVICES, *PICTURES, "greenlet", "dynamolab.live", "dynamolab.view", "dynamolab.checks"),
    "traffic/layout.py": (*SERVICES, *PICTURES, "greenlet", "dynamolab.live", "dynamolab.view", "dynamolab.checks"),
    "traffic/simulate.py": (*SERVICES, *PICTURES, "greenlet", "dynamolab.live", "dynamolab.view", "dynamolab.checks"),
    "traffic/outcome.py": (*SERVICES, *PICTURES, "greenlet", "dynamolab.live", "dynamolab.view", "dynamolab.checks"),
    "view": ("moto", "dynamolab.checks"),
    "checks": ("moto",),
}  # fmt: skip


def imported(source: str, package: str) -> set[str]:
    """Full names of all modules and names that ``source``, a module of ``package``, imports anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def offences(source: str, package: str, forbidden: tuple[str, ...]) -> list[str]:
    """Which of the imports are forbidden."""
    return sorted(
        name for name in imported(source, package) if any(name == f or name.startswith(f"{f}.") for f in forbidden)
    )


@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_imports_nothing_from_above_it(root: Path, layer: str) -> None:
    package = root / "src" / "dynamolab"
    place = package / layer
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    assert files
    wrong = {}
    for file in files:
        name = ".".join(["dynamolab", *file.relative_to(package).parts[:-1]])
        found = offences(file.read_text(encoding="utf-8"), name, FORBIDDEN[layer])
        if found:
            wrong[str(file.relative_to(package))] = found
    assert wrong == {}


@pytest.mark.parametrize(
    "line",
    [
        "import moto.dynamodb",
        "from moto import mock_aws",
        "def f():\n    import moto",
        "from ..view.svg import bars",
        "from .. import view",
        "def f():\n    from dynamolab.view import svg",
    ],
)
def test_every_way_of_writing_a_wrong_import_is_seen(line: str) -> None:
    assert offences(line, "dynamolab.model", ("moto", "dynamolab.view"))


def test_an_import_from_below_is_no_offence() -> None:
    assert offences("from ..model import units\nimport numpy", "dynamolab.live", FORBIDDEN["live"]) == []
