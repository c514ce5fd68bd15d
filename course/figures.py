"""Finds the figures in a lesson's text that no cell has printed: what a reader is told, the lab must have shown.

    python course/figures.py                  all lessons
    python course/figures.py 07_capacity      the lesson of that name, from its source and its built notebook

A figure is a number in the text that follows the first code cell. It is in order if it stands, with any separators
and units, in the code or in an output of a cell before it, or of the next cell after it (cells that hand in a
prediction do not count as next). Otherwise the source declares it, with the reason, in a comment of its own:

    % figures: 3,000 1,000 (documented: Designing partition keys)

Not looked at: numbers from 0 to 12, years, dates and times of day, what stands between backticks, addresses, the
numbers of lessons, and digits that belong to a word (CRC32). A declaration holds for its whole lesson, and one that
nothing needs is a finding too. Comments (lines that begin with `% `) do not reach the notebook.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

COMMENT = re.compile(r"%(?: (.*))?$")
DECLARATION = re.compile(r"figures:(?P<figures>[^(]*)\((?P<reason>.+)\)\s*$")
PREDICTION = "lab.check("

NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|\.\d)")
"""A number as the lessons write it: 3,000 or 57.6; not the digits of CRC32."""

PRINTED = re.compile(r"\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
"""A number as code and outputs write it: 3000, 3_000, 3,000.0, 3e3; also inside words."""

SMALL = 12
YEARS = range(1990, 2040)
SCALES = {"million": 6, "M": 6, "billion": 9, "thousand": 3}
LESSON = re.compile(r"\d\d_")  # the welcome page tells of minutes and lessons, and runs nothing

UNREAD = re.compile(
    r"(?P<fence>^(?:```|~~~).*?^(?:```|~~~)\s*?$)"
    r"|`[^`\n]+`"
    r"|\]\([^)\s]*\)"  # the address of a link; its text is read
    r"|<[^<>\n]+>"
    r"|https?://\S+"
    r"|\b\d{4}-\d\d(?:-\d\d)?(?:T[\d:]+Z?)?\b"
    r"|\b\d{1,2}:\d\d(?::\d\d)?\b"
    r"|\b\d\d · "
    r"|\b(?:lesson|lessons|exercise|exercises|problem|section|step|page)s? \d+(?:(?:, | and | to )\d+)*\b"
    r"|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\b\d+(?:st|nd|rd|th)\b"
    r"|\bISO 8601\b",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True)
class Finding:
    """What is wrong with a figure, in one sentence that says where and what to do."""

    where: str
    figure: str
    says: str

    def __str__(self) -> str:
        return f"{self.where}: {self.says}"


def without_comments(text: str) -> str:
    """The text of a Markdown cell without its comments, and without the gaps that they leave."""
    return "\n".join(_lines(text, comments=False)).strip("\n")


def comments(text: str) -> list[str]:
    """The comments of a Markdown cell, without their percent signs."""
    return list(_lines(text, comments=True))


def _lines(text: str, *, comments: bool) -> Iterator[str]:
    fenced, gap = False, False
    for line in text.split("\n"):
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        match = None if fenced else COMMENT.match(line)
        if match:
            gap = True
            if comments:
                yield (match[1] or "").strip()
        elif not comments and not (gap and not line.strip()):
            yield line
        if not match and line.strip():
            gap = False


def declared(source: Iterable[str]) -> dict[str, str]:
    """The figures that the Markdown cells of a source declare, each with its reason; raises `ValueError` for a slip."""
    found = {}
    for text in source:
        for comment in comments(text):
            if not comment.startswith("figures:"):
                continue
            match = DECLARATION.match(comment)
            figures = NUMBER.findall(match["figures"]) if match else []
            if not match or not figures or NUMBER.sub("", match["figures"]).strip(" %"):
                raise ValueError(f"`% {comment}` declares nothing; write `% figures: 3,000 57.6 (why)`.")
            found.update(dict.fromkeys(figures, match["reason"].strip()))
    return found


def _ignored(figure: str) -> bool:
    value = _value(figure)
    bare_integer = figure.isdigit()
    return bare_integer and (value <= SMALL or (len(figure) == 4 and int(figure) in YEARS) or figure[0] == "0")


def _value(figure: str) -> Decimal:
    return Decimal(figure.replace(",", "").replace("_", ""))


def shown(cell: Any) -> set[Decimal]:
    """Every number in a code cell's source and outputs; pictures count by their texts, not by their coordinates."""
    texts = [cell.source]
    for output in cell.get("outputs", []):
        texts.append(output.get("text", ""))
        texts.append(output.get("evalue", ""))
        data = output.get("data", {})
        texts.append(data.get("text/plain", ""))
        texts += [_words(data.get(kind, "")) for kind in ("text/html", "image/svg+xml", "text/markdown")]
    return {_value(number) for text in texts for number in PRINTED.findall(text)}


def _words(markup: str) -> str:
    visible = re.sub(r"<(style|script)\b.*?</\1>", " ", markup, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", visible)


def check(notebook: Any, name: str, declarations: dict[str, str]) -> list[Finding]:
    """Every figure of a built notebook that is neither shown nor declared, and every declaration that none needs."""
    found: list[Finding] = []
    needed: set[str] = set()
    cells = notebook.cells
    first = next((place for place, cell in enumerate(cells) if cell.cell_type == "code"), len(cells))
    pool: set[Decimal] = set()
    for place, cell in enumerate(cells):
        if cell.cell_type == "code":
            pool |= shown(cell)
        elif place > first:
            following = (c for c in cells[place:] if c.cell_type == "code" and PREDICTION not in c.source)
            after = next(following, None)
            known = pool | (shown(after) if after else set())
            for figure, value in figures(cell.source):
                if value & known:
                    continue
                if figure in declarations:
                    needed.add(figure)
                    continue
                says = (
                    f"the text says {figure}, which no cell before it and not the next one shows; "
                    f"print it, or declare it in the source: `% figures: {figure} (why)`."
                )
                found.append(Finding(f"{name}, cell {cell.id}", figure, says))
    for figure in declarations:
        if figure not in needed:
            says = f"`% figures: {figure}` is declared, but nothing needs it; delete it."
            found.append(Finding(name, figure, says))
    return found


def figures(text: str) -> list[tuple[str, set[Decimal]]]:
    """Each figure of a text with the values it may be shown as: 8.6 million as 8.6 or 8600000, 3 % as 3 or 0.03."""
    read = UNREAD.sub(" ", text)
    found = []
    for match in NUMBER.finditer(read):
        if _ignored(match[0]):
            continue
        value = _value(match[0])
        values = {value}
        unit = re.match(r"[ \u00a0\u202f]?(%|[A-Za-z]+)", read[match.end() :])
        if unit and unit[1] == "%":
            values.add(value / 100)
        elif unit and unit[1] in SCALES:
            values.add(value * 10 ** SCALES[unit[1]])
        found.append((match[0], values))
    return found


def main(stems: Sequence[str]) -> int:
    """Say what is found in the named lessons, or in all; returns the exit status."""
    import build  # which imports this module

    status = 0
    for product in build.products(build.ROOT, stems):
        if LESSON.match(product.source.name) and product.source.parent.name == "lessons" and product.path.is_file():
            for finding in of_lesson(product.source, product.path):
                print(finding)
                status = 1
    return status


def of_lesson(source: Path, path: Path) -> list[Finding]:
    """What is found in a lesson: its text and outputs from the built notebook, its declarations from the source."""
    import jupytext
    import nbformat

    fmt = {"extension": ".md", "format_name": "myst"}
    texts = jupytext.reads(source.read_text(encoding="utf-8"), fmt=fmt).cells
    name = f"{path.parent.name}/{path.name}"
    try:
        declarations = declared(cell.source for cell in texts if cell.cell_type == "markdown")
    except ValueError as error:
        return [Finding(name, "", str(error))]
    return check(nbformat.read(path, as_version=4), name, declarations)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
