"""Reading a picture back from its SVG: what tests need to hold geometry against data."""

from __future__ import annotations

import itertools
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from dynamolab.view import Picture

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]  # left, top, right, bottom
Point = tuple[float, float]

_RECTANGLE = re.compile(r"M([\d.-]+) ([\d.-]+)h([\d.-]+)v([\d.-]+)h-([\d.-]+)z")


def drawn(picture: Picture) -> Iterator[ET.Element]:
    """Everything that is painted, without the patterns' own content."""
    root = ET.fromstring(picture.svg)
    inside_defs = {id(e) for defs in root.iter(f"{SVG}defs") for e in defs.iter()}
    return (e for e in root.iter() if id(e) not in inside_defs)


def named(picture: Picture, name: str) -> list[ET.Element]:
    """The elements of one ``data-name``."""
    return [e for e in drawn(picture) if e.get("data-name") == name]


def rectangles(element: ET.Element) -> list[Box]:
    """The rectangles of a <rect> or of a path that is made of rectangles only; anything else fails the test."""
    if element.tag == f"{SVG}rect":
        x, y, w, h = (float(element.get(name, "")) for name in ("x", "y", "width", "height"))
        return [(x, y, x + w, y + h)]
    path = element.get("d", "")
    assert _RECTANGLE.sub("", path) == ""
    return [
        (float(x), float(y), float(x) + float(w), float(y) + float(h)) for x, y, w, h, _ in _RECTANGLE.findall(path)
    ]


def boxes_named(picture: Picture, name: str) -> list[Box]:
    """The rectangles of all elements of one ``data-name``."""
    return [box for e in named(picture, name) for box in rectangles(e)]


def lines_named(picture: Picture, name: str) -> list[list[Point]]:
    """The lines through points of all elements of one ``data-name``: <line>, or a path of M and L."""
    found = []
    for e in named(picture, name):
        if e.tag == f"{SVG}line":
            x1, y1, x2, y2 = (float(e.get(at, "")) for at in ("x1", "y1", "x2", "y2"))
            found.append([(x1, y1), (x2, y2)])
        else:
            found += polygons(e)
    return found


def polygons(element: ET.Element) -> list[list[Point]]:
    """The points of each part of a path of M, L and Z."""
    parts = element.get("d", "").replace("Z", "").split("M")[1:]
    return [[(float(x), float(y)) for x, y in (at.split() for at in part.split("L"))] for part in parts]


def level_of(picture: Picture, name: str) -> float:
    """The height at which the only level line of that ``data-name`` is drawn."""
    ((one, other),) = lines_named(picture, name)
    assert one[1] == other[1]
    return one[1]


def words(picture: Picture) -> list[str]:
    """All words of the picture, in drawing order."""
    return [e.text or "" for e in drawn(picture) if e.tag == f"{SVG}text"]


def text_box(element: ET.Element) -> Box:
    """Where words stand, measured by another rule than the one that placed them: Arial's average widths."""
    size, x, y = (float(element.get(name, "")) for name in ("font-size", "x", "y"))
    wide = size * sum(map(_em, element.text or ""))
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.get("text-anchor", "start")]
    return left, y - 0.72 * size, left + wide, y + 0.2 * size


def _em(char: str) -> float:
    if char.isdigit():
        return 0.556
    if char in " ,.'il":
        return 0.28
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.0 if unicodedata.east_asian_width(char) in "WF" else 0.5


def _extents(picture: Picture) -> Iterator[tuple[str, Box]]:
    for e in drawn(picture):
        kind = e.tag.removeprefix(SVG)
        if kind == "text":
            yield f"text {e.text!r}", text_box(e)
        elif kind == "rect" or (kind == "path" and "h" in e.get("d", "")):
            yield from ((f"{kind} {e.get('data-name')}", box) for box in rectangles(e))
        elif kind in ("line", "path"):
            points = lines_of(e)
            yield f"{kind} {e.get('data-name')}", _around(points)


def lines_of(element: ET.Element) -> list[Point]:
    """All points of a <line> or of a path of M and L."""
    if element.tag == f"{SVG}line":
        x1, y1, x2, y2 = (float(element.get(at, "")) for at in ("x1", "y1", "x2", "y2"))
        return [(x1, y1), (x2, y2)]
    return [point for line in polygons(element) for point in line]


def _around(points: list[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def assert_sound(picture: Picture) -> None:
    """What must hold for every picture: it is XML, nothing leaves the canvas, no words overlap, it tells itself."""
    root = ET.fromstring(picture.svg)
    assert picture.svg.startswith('<svg class="dl-picture"')
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title") is not None
    assert root.findtext(f"{SVG}desc") == picture.alt != ""
    _, _, width, height = map(float, root.get("viewBox", "").split())
    assert (width, height) == (picture.width, picture.height)
    assert not re.search(r'="[^"]*\b(nan|inf)\b', picture.svg.split("</desc>")[1])
    assert "href" not in picture.svg
    texts = []
    for what, (left, top, right, bottom) in _extents(picture):
        assert left <= right, what
        assert top <= bottom, what
        assert left >= 0, what
        assert top >= 0, what
        assert right <= width, what
        assert bottom <= height, what
        if what.startswith("text"):
            texts.append((what, (left, top, right, bottom)))
    for (one, a), (other, b) in itertools.combinations(texts, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one} overlaps {other}"
