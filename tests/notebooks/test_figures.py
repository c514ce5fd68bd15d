"""Every figure in a lesson's text was shown by a cell or is declared with a reason; and this search can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

import build
import figures

ROOT = Path(__file__).resolve().parents[2]
LESSONS = [
    product
    for product in build.products(ROOT)
    if product.source.parent.name == "lessons" and figures.LESSON.match(product.source.name)
]


def cell(text: str, output: str = "") -> Any:
    """A code cell that printed something."""
    new = nbformat.v4.new_code_cell(text)
    new.outputs = [nbformat.v4.new_output("stream", name="stdout", text=output)] if output else []
    return new


def text(words: str) -> Any:
    """A Markdown cell."""
    return nbformat.v4.new_markdown_cell(words)


def found(*cells: Any, declared: str = "") -> list[str]:
    """The figures that are found wanting in a notebook that begins with a cell of code."""
    notebook = nbformat.v4.new_notebook(cells=[cell("start()"), *cells])
    return [finding.figure for finding in figures.check(notebook, "it", figures.declared([declared]))]


@pytest.mark.parametrize("product", LESSONS, ids=lambda product: product.source.stem)
def test_every_figure_in_the_text_was_shown_or_is_declared(product: build.Product) -> None:
    assert [str(finding) for finding in figures.of_lesson(product.source, product.path)] == []


def test_there_are_lessons_to_look_at() -> None:
    assert len(LESSONS) >= 2


def test_a_figure_that_no_cell_shows_is_named_with_its_notebook_and_cell() -> None:
    notebook = nbformat.v4.new_notebook(cells=[cell("1"), text("It stored 2,028 orders.")])
    notebook.cells[1].id = "lesson-001"
    [finding] = figures.check(notebook, "notebooks/lesson.ipynb", {})
    assert str(finding).startswith("notebooks/lesson.ipynb, cell lesson-001: the text says 2,028, which no cell")


def test_a_changed_figure_in_a_real_lesson_is_found() -> None:
    path = ROOT / "notebooks" / "00_first_throttle.ipynb"
    notebook = nbformat.read(path, as_version=4)
    last = next(cell for cell in reversed(notebook.cells) if cell.cell_type == "markdown")
    last.source += "\n\nIn all 7,640 orders were stored."
    assert "7,640" in [finding.figure for finding in figures.check(notebook, path.name, {})]


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("3,000 units", "3000"),
        ("3,000 units", "3,000.0 units"),
        ("57.6 units", "57.60"),
        ("6,000 units", "range(6_000)"),
        ("it is 28.9 % of it", "0.289"),
        ("it is 28.9 % of it", "28.9%"),
        ("8.6 million", "8600000"),
        ("10.2 M units", "1.02e7"),
        ("a load of **300** units, 20–40 each", "300, 20, 40"),
        ("from 4,097 bytes on, not 4,096.", "4096 4097"),
    ],
)
def test_a_figure_is_found_however_it_was_printed(words: str, printed: str) -> None:
    assert found(cell("go()", printed), text(words)) == []


@pytest.mark.parametrize(
    "words", ["3,001 units", "57.64 units", "29 % of it", "10.3 M units", "300 units", "**41**", "| 8,600 |", "14-day"]
)
def test_another_figure_is_not(words: str) -> None:
    assert len(found(cell("go()", "3000 57.6 0.289 1.02e7 86"), text(words))) == 1


@pytest.mark.parametrize(
    "words",
    [
        "on one of 12 days",
        "since November 2024, on 2026-09-06 or 2026-11, at 18:20 and 17:00-21:00, on 27 November",
        "`PED-0000017` and `400`",
        "[19 · Later](19_later.ipynb) of [AWS](https://example.org/400/page-500), <br data-x='77'>",
        "CRC32, md5x64, lesson 13, exercises 21 and 22, the 25th",
        "```\nblock of 999\n```",
    ],
)
def test_dates_names_code_and_small_numbers_are_no_figures(words: str) -> None:
    assert found(text(words)) == []


def test_the_text_before_the_first_code_is_not_looked_at() -> None:
    notebook = nbformat.v4.new_notebook(cells=[text("Minutes 35"), cell("1")])
    assert figures.check(notebook, "it", {}) == []


def test_the_next_cell_counts_and_the_one_after_it_does_not() -> None:
    asked = cell('lab.check("lesson_00.a", prediction)')
    assert found(text("How many of 8,000?"), asked, cell("drive()", "8,000 calls")) == []
    assert found(text("How many of 8,000?"), cell("1"), cell("drive()", "8,000 calls")) == ["8,000"]


def test_the_coordinates_of_a_picture_do_not_count_and_its_words_do() -> None:
    picture = cell("draw()")
    markup = '<svg width="660"><style>.a{width:661px}</style><text x="662">2,028 stored</text></svg>'
    picture.outputs = [nbformat.v4.new_output("display_data", data={"text/html": markup})]
    assert found(picture, text("2,028 stored, 660, 661, 662")) == ["660", "661", "662"]


def test_a_declared_figure_is_in_order_and_an_idle_declaration_is_not() -> None:
    line = "% figures: 3,000 57.6 (documented: Designing partition keys)"
    assert found(text("3,000 of 57.6"), declared=line) == []
    assert found(text("3,000"), declared=line) == ["57.6"]


@pytest.mark.parametrize(
    "line", ["% figures: 3,000", "% figures: (why)", "% figures: many (why)", "% figures: 3,000 ()"]
)
def test_a_declaration_without_a_figure_or_a_reason_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="declares nothing"):
        figures.declared([line])


def test_comments_do_not_reach_the_notebook(tmp_path: Path) -> None:
    source = tmp_path / "course" / "lessons" / "01_a.md"
    source.parent.mkdir(parents=True)
    fenced = "```{code-cell} ipython3\n1\n```"
    source.write_text(
        f"% figures: 4 (why)\n\n# A\n\n% remark\n\n400 words\n\n{fenced}\n\n% alone\n\n{fenced}\n\nEnd\n% x\nhere\n"
    )
    [product] = build.products(tmp_path)
    notebook = build.read(product)
    assert [cell.source for cell in notebook.cells] == ["# A\n\n400 words", "1", "1", "End\nhere"]
    assert [cell.id for cell in notebook.cells] == ["01_a-000", "01_a-001", "01_a-003", "01_a-004"]
