"""What must not stand in any file that people get."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from made import MADE

# Written in halves, so that this file does not hold what it looks for.
REGISTRIES = ("py" + "pi.org", "python" + "hosted", "npm" + "js", "conda.ana" + "conda.org", "deb.deb" + "ian.org")
MACHINE = re.compile(r"(?<![\w.~*-])/(?:wor" + r"k|tm" + r"p|roo" + r"t|hom" + r"e|User" + r"s)/|\.\./shar" + r"ed")
# Every comment by which nbval leaves a cell out, as nbval reads it: any number of #, the old name too.
MARKER = r"^\s*#[#\s]*(?:NBVAL_IGNORE_OUTPUT|PYTEST_VALIDATE_IGNORE_OUTPUT|NBVAL_SKIP)[^\S\n]*"
UNCOMPARED = re.compile(rf"{MARKER}$", re.MULTILINE)
WITH_REASON = re.compile(rf"{MARKER}\n\s*#\s*because \S", re.MULTILINE)


def files(root: Path) -> Iterator[Path]:
    """Every file of the repository, without what is made by running it (there may be no git to ask)."""
    ignored = shutil.ignore_patterns(*MADE)
    for folder, below, names in os.walk(root):
        made = ignored(folder, [*below, *names])
        below[:] = sorted(name for name in below if name not in made)
        yield from (Path(folder, name) for name in sorted(names) if name not in made)


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Path and text of every file that is text."""
    for path in files(root):
        try:
            yield str(path.relative_to(root)), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            assert path.suffix in {".png"}, f"{path} is neither text nor a picture"


def mentions(text: str) -> list[str]:
    """Registry hosts and paths of somebody's machine in a text."""
    return [host for host in REGISTRIES if host in text] + MACHINE.findall(text)


def uncompared_without_reason(text: str) -> int:
    """How many cells are taken out of the comparison with no `# because ...` on the next line."""
    return len(UNCOMPARED.findall(text)) - len(WITH_REASON.findall(text))


def code(source: str, count: int | None, *tags: str) -> Any:
    """A cell of code with its execution count."""
    return nbformat.v4.new_code_cell(source, execution_count=count, metadata={"tags": list(tags)} if tags else {})


def escapes(cell: Any) -> bool:
    """Whether strict nbval would not compare this cell. It does not if the cell has no execution count."""
    if cell.cell_type != "code":
        return False
    tags = [tag for tag in cell.metadata.get("tags", []) if tag.startswith(("nbval", "pytest"))]
    return bool(tags) or cell.execution_count is None or uncompared_without_reason(cell.source) > 0


def test_what_is_made_by_running_the_course_is_not_looked_at(tmp_path: Path) -> None:
    for made in (".venv/bin/python", ".versions/newest-3.13/env/bin/python", "artifacts/a.xml", "src/lab.egg-info/x"):
        (tmp_path / made).parent.mkdir(parents=True)
        (tmp_path / made).write_bytes(b"\xf0")
    (tmp_path / "README.md").touch()
    assert list(files(tmp_path)) == [tmp_path / "README.md"]


def test_no_file_names_a_package_registry_or_a_path_of_somebodys_machine(root: Path) -> None:
    assert {name: mentions(text) for name, text in texts(root) if mentions(text)} == {}


@pytest.mark.parametrize(
    "text",
    ["https://" + "py" + "pi.org/simple", "see /ho" + "me/ana/lab", "File /tm" + "p/x.py", "../shar" + "ed/x.md"],
)
def test_such_a_mention_is_seen(text: str) -> None:
    assert mentions(text)


def test_no_cell_escapes_the_comparison_without_a_reason(root: Path) -> None:
    wrong = []
    for path in files(root):
        if path.suffix != ".ipynb":
            continue
        for cell in nbformat.read(path, as_version=4).cells:
            if escapes(cell):
                wrong.append(f"{path.parent.name}/{path.name}: cell {cell.id}")
    assert wrong == []


@pytest.mark.parametrize(
    ("cell", "escapes_it"),
    [
        (code("1", 1), False),
        (code("1", None), True),
        (code("1", 1, "nbval-skip"), True),
        (code("1", 1, "pytest-validate-ignore-output"), True),
        (code("1/0", 1, "raises-exception"), False),
        (nbformat.v4.new_markdown_cell("# NBVAL_" + "SKIP"), False),
    ],
)
def test_a_cell_escapes_by_a_tag_or_by_never_having_been_run(cell: Any, escapes_it: bool) -> None:
    assert bool(escapes(cell)) is escapes_it


def test_a_reason_is_a_comment_on_the_next_line() -> None:
    marker = "# NBVAL_" + "IGNORE_OUTPUT"
    assert uncompared_without_reason(f"{marker}\nx") == 1
    assert uncompared_without_reason(f"{marker}\n# because the service says so\nx") == 0


@pytest.mark.parametrize(
    "marker", ["## NBVAL_" + "SKIP", "  #NBVAL_" + "SKIP ", "# PYTEST_VALIDATE_" + "IGNORE_OUTPUT"]
)
def test_a_marker_is_seen_however_nbval_lets_it_be_written(marker: str) -> None:
    assert uncompared_without_reason(f"{marker}\nx") == 1
