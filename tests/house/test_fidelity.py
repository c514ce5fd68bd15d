"""docs/fidelity.md tells each parameter of the model as the code has it."""

from __future__ import annotations

from pathlib import Path

from dynamolab.model.parameters import Parameters


def row(name: str) -> str:
    """The parameter's row of the table, made from the code."""
    told = Parameters.documentation()[name]
    default = told["default"]
    shown = f"{default:,}" if isinstance(default, int | float) and not isinstance(default, bool) else str(default)
    cells = (f"`{name}`", shown, told["confidence"], told["meaning"], told["source"])
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def test_every_parameter_stands_in_the_table_with_its_default_confidence_and_source(root: Path) -> None:
    lines = (root / "docs" / "fidelity.md").read_text(encoding="utf-8").splitlines()
    missing = [row(name) for name in Parameters.documentation() if row(name) not in lines]
    assert not missing, "put these rows into docs/fidelity.md:\n" + "\n".join(missing)


def test_the_table_has_no_parameter_that_the_code_lacks(root: Path) -> None:
    text = (root / "docs" / "fidelity.md").read_text(encoding="utf-8")
    table = text.partition("## Parameters")[2]
    named = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert named == list(Parameters.documentation())
