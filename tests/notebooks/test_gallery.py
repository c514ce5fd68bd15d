"""The gallery is complete: every frame and every explorer is on the page, each with its call."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from dynamolab.view import explorers, frames


@pytest.fixture(scope="module")
def cells(root: Path) -> list[Any]:
    notebook = nbformat.read(root / "notebooks" / "90_gallery.ipynb", as_version=4)
    return list(notebook.cells)


@pytest.mark.parametrize("name", [*(each for each in frames.__all__ if each.islower()), *explorers.__all__])
def test_the_gallery_calls_it_and_stores_its_picture(cells: list[Any], name: str) -> None:
    # partition_seconds is called by lab.partition_map, with the load of a live table.
    call = re.compile(r"\b" + ("partition_map" if name == "partition_seconds" else name) + r"\(")
    (found,) = [cell for cell in cells if cell.cell_type == "code" and call.search(cell.source.splitlines()[-1])]
    (stored,) = [output for output in found.outputs if "image/svg+xml" in output.get("data", {})]
    assert "<desc>" in "".join(stored.data["image/svg+xml"])
    assert "".join(stored.data["text/plain"]).strip()
