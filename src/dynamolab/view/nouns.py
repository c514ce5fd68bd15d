"""The nouns of the course: in prose, the glyph and the colour that a thing has in the pictures.

What survives where a notebook is read decides the form. JupyterLab keeps a hexadecimal ``color`` on a ``span`` in
Markdown and drops CSS variables and inline SVG; code-hosting pages drop every style. So a noun is a character of
Unicode's geometric shapes in colour, and its word in bold: without the colour, the glyph still tells it. One colour
must do for light and dark pages: it is the picture's own hue, in a middle lightness.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

from ..arguments import typed
from ..errors import LabError
from .picture import Picture
from .svg import MARGIN, Canvas, text_width

WIDTH: Final = 760


@dataclass(frozen=True)
class Noun:
    """A thing that prose and pictures share: its ``word``, ``glyph``, ``colour`` in prose, and what it ``means``.

    ``role`` is the name of its colour in the pictures.
    """

    word: str
    glyph: str
    role: str
    colour: str
    means: str


NOUNS: Final = {
    noun.word: noun
    for noun in (
        Noun("partition", "\u25a3", "partition", "#56687d", "holds a range of hashed keys; has a ceiling of its own"),
        Noun("key", "\u25c6", "key", "#1c775a", "a partition key's value; its hash says which partition"),
        Noun("bucket", "\u25d2", "bucket", "#2f7480", "units saved up for later; drained by use, filled by time"),
        Noun("index", "\u25a4", "index", "#6a55c9", "a copy sorted by another key; written with the table"),
        Noun("refusal", "\u25a8", "refused", "#d55e00", "a request that was throttled: nothing read, nothing written"),
        Noun("admitted", "\u25a0", "admitted", "#0072b2", "work that went through, in units"),
        Noun("ceiling", "\u254c\u254c", "ink", "#61676e", "the most units a second that are admitted"),
        Noun("query", "\u25ae", "query", "#a04680", "one request that reads items of one key"),
        Noun("buffer", "\u25e7", "buffer", "#826421", "index writes that are still owed"),
        Noun("cost", "\u25ce", "cost", "#796648", "what AWS would bill, in US dollars"),
        Noun("alarm", "\u25b2", "alarm", "#c22f4b", "a metric has crossed its threshold"),
        Noun("waiting", "\u25cc", "waiting", "#616a74", "a client that backs off before it tries again"),
    )
}


@typed
def noun(word: str, written: str | None = None) -> str:
    """Return the Markdown of a noun, for pasting into a lesson; ``written`` is its form there (``"partitions"``).

    Raises LabError for a word that is no noun of the pictures.
    """
    if word not in NOUNS:
        raise LabError(f"There is no noun {word!r} in the pictures; there is {', '.join(NOUNS)}.")
    found = NOUNS[word]
    return f'<span style="color:{found.colour}">{found.glyph}</span> **{escape(written or word)}**'


def nouns() -> Picture:
    """Draw every noun with its glyph, its colour and what it means: the legend of the whole course."""
    canvas = Canvas(WIDTH)
    y = canvas.header("What the shapes and colours mean", "The same in every picture, and in the text.") + 14
    column = MARGIN + 40 + max(text_width(word, 16, bold=True) for word in NOUNS) + 16
    for each in NOUNS.values():
        y += 30
        canvas.text(MARGIN + 14, y, each.glyph, role=each.role, size=20, anchor="middle")
        canvas.text(MARGIN + 40, y, each.word, role=_text_role(each.role), size=16, bold=True)
        canvas.text(column, y, each.means, size=16)
    alt = "; ".join(f"{each.word} ({each.glyph}): {each.means}" for each in NOUNS.values())
    return canvas.picture(y + 20, title="What the shapes and colours mean", alt=alt)


def _text_role(role: str) -> str:
    return "refused-text" if role == "refused" else role
