"""Nouns in prose and pictures: the same glyph, the same hue, readable on light and dark pages."""

from __future__ import annotations

import math
import unicodedata
import xml.etree.ElementTree as ET

import pytest

from dynamolab.errors import LabError
from dynamolab.view.nouns import NOUNS, noun, nouns
from dynamolab.view.svg import text_width
from dynamolab.view.theme import LIGHT, contrast

#: JupyterLab's light and dark notebooks, and a code-hosting page in the dark.
PAGES = ("#ffffff", "#111111", "#0d1117")
SVG = "{http://www.w3.org/2000/svg}"


def hue(colour: str) -> tuple[float, float]:
    """Hue in degrees and saturation of a ``#rrggbb`` colour."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    angle = math.degrees(math.atan2(math.sqrt(3) * (green - blue), 2 * red - green - blue))
    return angle, max(red, green, blue) - min(red, green, blue)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("word", NOUNS)
def test_a_glyph_reaches_a_contrast_of_3_on_every_page(word: str, page: str) -> None:
    assert contrast(NOUNS[word].colour, page) >= 3


@pytest.mark.parametrize("word", [word for word in NOUNS if NOUNS[word].role != "ink"])
def test_a_noun_in_prose_has_the_hue_of_its_picture(word: str) -> None:
    in_prose, saturated = hue(NOUNS[word].colour)
    in_picture, _ = hue(LIGHT[NOUNS[word].role])
    away = abs((in_prose - in_picture + 180) % 360 - 180)
    assert away <= 20, away
    assert saturated > 0.05


def test_no_two_nouns_share_a_glyph_or_a_colour() -> None:
    assert len({found.glyph for found in NOUNS.values()}) == len(NOUNS)
    assert len({found.colour for found in NOUNS.values()}) == len(NOUNS)
    assert len({found.role for found in NOUNS.values()}) == len(NOUNS)


def test_glyphs_are_plain_shapes_that_every_system_has_and_no_emoji() -> None:
    for found in NOUNS.values():
        assert all(0x2500 <= ord(char) <= 0x25FF for char in found.glyph)
        assert all(unicodedata.category(char) == "So" for char in found.glyph)


def test_a_noun_is_markdown_whose_word_stays_when_the_colour_is_dropped() -> None:
    assert noun("refusal", "refused") == '<span style="color:#d55e00">\u25a8</span> **refused**'
    assert noun("key").endswith("</span> **key**")


def test_an_unknown_noun_is_told_which_there_are() -> None:
    with pytest.raises(LabError, match="There is no noun 'table' in the pictures; there is partition, key"):
        noun("table")


def test_the_legend_has_every_noun_in_its_colour_and_stays_on_its_canvas() -> None:
    picture = nouns()
    texts = list(ET.fromstring(picture.svg).iter(f"{SVG}text"))
    for found in NOUNS.values():
        (glyph,) = [text for text in texts if text.text == found.glyph]
        assert glyph.get("fill") == LIGHT[found.role]
        assert any(text.text == found.word for text in texts)
        assert found.means in picture.alt
    for text in texts:
        if text.get("text-anchor") is None:
            assert (
                float(text.get("x", 0)) + text_width(text.text or "", float(text.get("font-size", 0))) <= picture.width
            )
        assert float(text.get("y", 0)) <= picture.height - 8
