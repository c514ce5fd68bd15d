"""A canvas that writes SVG text, and what it needs to know about words and numbers.

Nothing here knows DynamoDB. Text is measured by estimate, on the wide side: the reader's font is unknown.
"""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from .picture import Picture
from .theme import FONT_FAMILY, LIGHT, style_sheet

MARGIN: Final = 20.0
#: ``(x, y, width, height)``
Box = tuple[float, float, float, float]

_ID: Final = "\0"  # stands for the picture's own prefix; ``clean`` keeps it out of any text
_PATTERNS: Final = {
    "hatch": (
        '<pattern id="{id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<line x1="1.5" y1="0" x2="1.5" y2="6" stroke-width="2" {stroke}/></pattern>'
    ),
    "over": (
        '<pattern id="{id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<line x1="2.5" y1="0" x2="2.5" y2="7" stroke-width="4" {under}/>'
        '<line x1="2.5" y1="0" x2="2.5" y2="7" stroke-width="2" {stroke}/></pattern>'
    ),
    "fine": (
        '<pattern id="{id}" width="4" height="4" patternUnits="userSpaceOnUse">'
        '<line x1="0" y1="1.5" x2="4" y2="1.5" stroke-width="2.5" {stroke}/></pattern>'
    ),
}
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


# --- words and numbers -------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A number for a reader: ``1,875``, ``4.25``, ``1.5 M``, ``1 G``; readable, not exact."""
    value = round(value, 9)  # the last bits of a sum may differ between machines
    if value < 0:
        return "-" + number(-value)
    if value >= 1e15 or 0 < value < 0.1:
        return f"{value:.2g}"
    for size, suffix in ((1e12, " T"), (1e9, " G"), (1e6, " M")):
        if value >= 0.9999995 * size:
            return _digits(value / size, 2) + suffix
    return _digits(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def _digits(value: float, decimals: int) -> str:
    text = f"{math.floor(value * 10**decimals + 0.5) / 10**decimals:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def clean(text: str) -> str:
    """``text`` on one line, without the characters that XML cannot hold."""
    return " ".join(_NOT_XML.sub("\ufffd", str(text)).split())


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """About how many pixels ``text`` takes at a font size of ``size``; rather too many than too few."""
    return sum(map(_em, text)) * size * (1.06 if bold else 1.0)


def _em(char: str) -> float:
    if char in "ijl.,:;'|!I ·":
        return 0.32
    if char in "frt()[]-/":
        return 0.41
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if char in "mwMW%@—…":
        return 0.92
    if char.isascii():
        return 0.7 if char.isupper() else 0.59
    return 0.78


def shorten(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """``text``, cut with an ellipsis where it would be wider than ``width`` pixels."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(text + "…", size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def shorten_apart(texts: Sequence[str], width: float, size: float) -> list[str]:
    """``texts``, each cut to ``width`` pixels: at their beginnings where cut ends would make two of them alike."""
    short = [shorten(text, width, size) for text in texts]
    if len(set(short)) == len(set(texts)):
        return short
    for i, text in enumerate(texts):
        if text_width(text, size) > width:
            while text and text_width("…" + text, size) > width:
                text = text[1:]
            short[i] = "…" + text.lstrip()
    return short


def wrap(text: str, width: float, size: float, *, lines: int, bold: bool = False) -> list[str]:
    """``text`` in at most ``lines`` lines of ``width`` pixels; what does not fit is cut with an ellipsis."""
    rows: list[str] = []
    words = clean(text).split(" ")
    while words and len(rows) < lines:
        row = words.pop(0)
        while words and text_width(f"{row} {words[0]}", size, bold=bold) <= width:
            row += " " + words.pop(0)
        if len(rows) == lines - 1 and words:
            row = shorten(" ".join([row, *words]), width, size, bold=bold)
        elif text_width(row, size, bold=bold) > width:  # one word without a place to break it
            fits = 1
            while text_width(row[: fits + 1], size, bold=bold) <= width:
                fits += 1
            if len(rows) == lines - 1:
                row = shorten(row, width, size, bold=bold)
            else:
                words.insert(0, row[fits:])
                row = row[:fits]
        rows.append(row)
    return [row for row in rows if row]


def ticks(top: float, about: int = 4) -> list[float]:
    """Round numbers from 0 to at most ``top``, close to ``about`` steps."""
    if top <= 0:
        return [0.0]
    power = 10.0 ** math.floor(math.log10(top / about))
    step = next(m * power for m in (1, 2, 5, 10) if top / (m * power) <= about * 1.01)
    return [i * step for i in range(int(top / step * (1 + 1e-9)) + 1)]


def round_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is at least ``least``."""
    power = 1
    while 10 * power < least:
        power *= 10
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least)


def px(value: float) -> str:
    """A coordinate with at most two decimals, always written the same way."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# --- the canvas --------------------------------------------------------------------------------------------


class Canvas:
    """SVG elements in drawing order, with an opaque panel behind them. Coordinates are CSS pixels."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._body: list[str] = []
        self._roles: set[str] = {"panel", "edge"}
        self._patterns: set[str] = set()

    def _paint(self, **roles: str) -> str:
        """Attributes that paint in a role's colour: a class for the themes, the light colour for the rest."""
        self._roles.update(roles.values())
        classes = " ".join(f"dl-{kind[0]}-{role}" for kind, role in roles.items())
        colours = " ".join(f'{kind}="{LIGHT[role]}"' for kind, role in roles.items())
        return f'class="{classes}" {colours}'

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        role: str = "ink",
        size: float = 14,
        anchor: str = "start",
        bold: bool = False,
        halo: bool = False,
    ) -> None:
        """Words with their baseline at ``y``; ``halo`` keeps them readable where they cross a line."""
        paint = self._paint(fill=role, stroke="panel") if halo else self._paint(fill=role)
        extra = ' stroke-width="4" stroke-linejoin="round" paint-order="stroke"' if halo else ""
        extra += ' font-weight="600"' if bold else ""
        extra += f' text-anchor="{anchor}"' if anchor != "start" else ""
        place = f'x="{px(x)}" y="{px(y)}" font-size="{px(size)}"'
        self._body.append(f"<text {place} {paint}{extra}>{escape(clean(text))}</text>")

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        role: str,
        width: float = 1,
        dashed: bool = False,
        name: str = "",
    ) -> None:
        """A straight line; ``name`` becomes ``data-name``, for tests and for authors who look inside."""
        extra = ' stroke-dasharray="7 4"' if dashed else ""
        extra += f' data-name="{name}"' if name else ""
        self._body.append(
            f'<line x1="{px(x1)}" y1="{px(y1)}" x2="{px(x2)}" y2="{px(y2)}" stroke-width="{px(width)}" '
            f"{self._paint(stroke=role)}{extra}/>"
        )

    def bars(self, boxes: Sequence[Box], *, role: str, names: Sequence[str]) -> None:
        """Solid rectangles in one colour; each carries its name."""
        rects = "".join(
            f"<rect {_box(box)} data-name={_quoted(name)}/>" for box, name in zip(boxes, names, strict=True)
        )
        if rects:
            self._body.append(f"<g {self._paint(fill=role)}>{rects}</g>")

    def area(self, boxes: Sequence[Box], *, role: str, name: str) -> None:
        """Many rectangles as one element: shorter text where nobody needs them one by one."""
        if boxes:
            paint = self._paint(fill=role)
            self._body.append(f'<path d="{_path(boxes)}" {paint} data-name={_quoted(name)}/>')

    def hatch(self, boxes: Sequence[Box], *, joined: bool = False, over: bool = False) -> None:
        """The hatching that marks refused work, over rectangles already tinted with ``refused-fill``.

        ``joined`` rectangles stand side by side and are hatched as one shape, without outlines. ``over``
        any other colour each line of the hatching brings the tint with it.
        """
        if not boxes:
            return
        # In a lone narrow bar slanted lines would fall apart into dots.
        narrow = not joined and min(width for _, _, width, _ in boxes) < 6
        kind = "over" if over else "fine" if narrow else "hatch"
        self._patterns.add(kind)
        edge = "" if joined or narrow else f' {self._paint(stroke="refused")} stroke-width="1"'
        self._body.append(f'<path d="{_path(boxes)}" fill="url(#{_ID}{kind})"{edge}/>')

    def strokes(
        self,
        lines: Sequence[Sequence[tuple[float, float]]],
        *,
        role: str,
        width: float = 1,
        dashes: str = "",
        name: str = "",
    ) -> None:
        """Lines through points, as one element; ``dashes`` as in ``stroke-dasharray``, such as ``"2 3"``."""
        if not lines:
            return
        extra = f' stroke-dasharray="{dashes}"' if dashes else ""
        extra += f" data-name={_quoted(name)}" if name else ""
        path = "".join("M" + "L".join(f"{px(x)} {px(y)}" for x, y in line) for line in lines)
        self._body.append(
            f'<path d="{path}" fill="none" stroke-width="{px(width)}" {self._paint(stroke=role)}{extra}/>'
        )

    def shapes(self, outlines: Sequence[Sequence[tuple[float, float]]], *, role: str, name: str = "") -> None:
        """Filled polygons, as one element: heads of arrows, markers."""
        if not outlines:
            return
        extra = f" data-name={_quoted(name)}" if name else ""
        path = "".join("M" + "L".join(f"{px(x)} {px(y)}" for x, y in outline) + "Z" for outline in outlines)
        self._body.append(f'<path d="{path}" {self._paint(fill=role)}{extra}/>')

    def frames(self, boxes: Sequence[Box], *, role: str, width: float = 1, name: str = "") -> None:
        """Outlines of rectangles, as one element."""
        if boxes:
            extra = f" data-name={_quoted(name)}" if name else ""
            paint = self._paint(stroke=role)
            self._body.append(f'<path d="{_path(boxes)}" fill="none" stroke-width="{px(width)}" {paint}{extra}/>')

    def cells(self, runs: Sequence[tuple[int, int, int]], *, inside: Box, columns: int, rows: int, role: str) -> None:
        """Runs ``(row, first column, how many)`` of a grid that fills ``inside``, as one short element.

        The path counts in cells (a run is a line as thick as its row), so 18,000 cells stay small as text.
        """
        if not runs:
            return
        x, y, width, height = inside
        place = f"translate({px(x)} {px(y)})scale({width / columns:.6g} {height / rows:.6g})"
        path = "".join(f"M{column} {row}.5h{count}" for row, column, count in runs)
        self._body.append(
            f'<path transform="{place}" d="{path}" stroke-width="1" shape-rendering="crispEdges" '
            f'{self._paint(stroke=role)} data-name="{role}"/>'
        )

    def swatch(self, x: float, y: float, kind: str) -> None:
        """A sample (18 x 13) of how ``admitted`` or ``refused`` work or a ``dashed`` line is drawn; else a role."""
        box = (x, y, 18.0, 13.0)
        if kind == "dashed":
            self.line(x, y + 7, x + 18, y + 7, role="ink", width=2, dashed=True)
        elif kind.startswith("line "):  # "line admitted", "line key 2 3": a series, its role and its dashes
            _, role, dash = (kind + " ").split(" ", 2)
            self.strokes([[(x, y + 7), (x + 18, y + 7)]], role=role, width=2.5, dashes=dash.strip(), name="swatch")
        elif kind == "cross":
            ends = [[(x + 4, y + 1.5), (x + 14, y + 11.5)], [(x + 4, y + 11.5), (x + 14, y + 1.5)]]
            self.strokes(ends, role="ink", width=2)
        elif kind == "hollow":
            self.frames([(x + 5, y + 1, 8.0, 11.0)], role="ink", width=1.5)
        elif kind == "refused":
            self.area([box], role="refused-fill", name="swatch")
            self.hatch([box])
        else:
            self.area([box], role=kind, name="swatch")

    def legend(self, x: float, y: float, entries: Iterable[tuple[str, str]], *, size: float = 15) -> float:
        """Swatches with their words from ``(x, y)``, broken into rows; the baseline of the last row."""
        left, right = x, self.width - MARGIN
        for kind, words in entries:
            words = shorten(clean(words), right - left - 26, size)
            wide = 26 + text_width(words, size)
            if x > left and x + wide > right:
                x, y = left, y + size + 8
            self.swatch(x, y - 11, kind)
            self.text(x + 26, y, words, size=size)
            x += wide + 18
        return y

    def header(self, title: str, caption: str) -> float:
        """Title and caption at the top; the baseline of their last line."""
        room, y = self.width - 2 * MARGIN, 12.0
        for row in wrap(title, room, 22, lines=2, bold=True):
            y += 27
            self.text(MARGIN, y, row, size=22, bold=True)
        for i, row in enumerate(wrap(caption, room, 16, lines=3)):
            y += 27 if i == 0 else 22
            self.text(MARGIN, y, row, size=16, role="muted")
        return y

    def picture(self, height: float, *, title: str, alt: str) -> Picture:
        """Close the canvas at ``height`` and hand it out."""
        body = "\n".join(self._body)
        high = math.ceil(height)
        # The ids are made of the content: two pictures on one page that share them are the same picture.
        prefix = f"dl-{zlib.crc32(body.encode()):08x}-"
        body = body.replace(_ID, prefix)
        defs = ""
        for kind in sorted(self._patterns):
            paint = self._paint(stroke="refused")
            under = self._paint(stroke="refused-fill") if kind == "over" else ""
            defs += _PATTERNS[kind].format(id=prefix + kind, stroke=paint, under=under)
        defs = f"<defs>{defs}</defs>\n" if defs else ""
        panel = (
            f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{high - 1}" rx="8" '
            f"{self._paint(fill='panel', stroke='edge')}/>"
        )
        svg = (
            f'<svg class="dl-picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {high}" '
            f'width="{self.width}" height="{high}" style="width:100%;max-width:{self.width}px;height:auto" '
            f'role="img" font-family="{FONT_FAMILY}">\n'
            f"<title>{escape(clean(title))}</title>\n<desc>{escape(clean(alt))}</desc>\n"
            f"<style>{style_sheet(self._roles)}</style>\n{defs}{panel}\n{body}\n</svg>"
        )
        return Picture(svg=svg, alt=clean(alt), width=self.width, height=high)


def _quoted(text: str) -> str:
    return f'"{escape(clean(text))}"'


def _box(box: Box) -> str:
    x, y, width, height = map(px, box)
    return f'x="{x}" y="{y}" width="{width}" height="{height}"'


def _path(boxes: Sequence[Box]) -> str:
    return "".join(f"M{px(x)} {px(y)}h{px(w)}v{px(h)}h{px(-w)}z" for x, y, w, h in boxes)
