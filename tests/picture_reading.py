"""Pictures read back from their SVG, and what must hold for every one of them."""

from __future__ import annotations

import itertools
import os
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from dynamolab.view import Picture
from dynamolab.view.theme import LIGHT, TEXT_PAIRS

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
Box = tuple[float, float, float, float]  # left, top, right, bottom

_RECTANGLE = re.compile(r"M([\d.-]+) ([\d.-]+)h([\d.-]+)v([\d.-]+)h-?([\d.]+)z")
_POINT = re.compile(r"[ML]([\d.-]+) ([\d.-]+)")
_RUN = re.compile(r"M(\d+) (\d+)\.5h(\d+)")


def drawn(picture: Picture) -> list[ET.Element]:
    """Everything that is painted, without the patterns' own content."""
    root = ET.fromstring(picture.svg)
    inside_defs = {id(e) for defs in root.iter(f"{SVG}defs") for e in defs.iter()}
    return [e for e in root.iter() if id(e) not in inside_defs]


def path_boxes(element: ET.Element) -> list[Box]:
    """The rectangles of a path; of a path of points, the box around each stretch; of cells, one box a run."""
    path = element.get("d", "")
    if element.get("transform"):
        numbers = re.fullmatch(r"translate\((\S+) (\S+)\)scale\((\S+) (\S+)\)", element.get("transform", ""))
        assert numbers
        x, y, wide, high = map(float, numbers.groups())
        assert _RUN.sub("", path) == ""
        runs = [tuple(map(int, run)) for run in _RUN.findall(path)]
        return [(x + c * wide, y + r * high, x + (c + n) * wide, y + (r + 1) * high) for c, r, n in runs]
    if "h" in path:
        assert _RECTANGLE.sub("", path) == ""
        boxes = []
        for x_, y_, w, h, back in _RECTANGLE.findall(path):
            assert w == back
            boxes.append((float(x_), float(y_), float(x_) + float(w), float(y_) + float(h)))
        return boxes
    assert _POINT.sub("", path).replace("Z", "") == ""
    return [_around(stretch) for stretch in stretches(element)]


def stretches(element: ET.Element) -> list[list[tuple[float, float]]]:
    """The lines of points of a path."""
    parts = element.get("d", "").split("M")[1:]
    return [[(float(x), float(y)) for x, y in _POINT.findall("M" + part)] for part in parts]


def _around(points: list[tuple[float, float]]) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def text_box(element: ET.Element) -> Box:
    """Where words stand, measured by another rule than the one that placed them: Arial's average widths."""
    size, x, y = (float(element.get(name, "")) for name in ("font-size", "x", "y"))
    wide = size * sum(
        0.556
        if c.isdigit()
        else 0.28
        if c in " ,.'il"
        else 0.0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 1.0
        if unicodedata.east_asian_width(c) in "WF"
        else 0.5
        for c in element.text or ""
    )
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.get("text-anchor", "start")]
    return left, y - 0.72 * size, left + wide, y + 0.2 * size


def boxes_of(picture: Picture) -> Iterator[tuple[str, Box]]:
    """Everything that is drawn, as ``(what, where)``."""
    for e in drawn(picture):
        kind = e.tag.removeprefix(SVG)
        if kind == "rect":
            x, y, w, h = (float(e.get(name, "")) for name in ("x", "y", "width", "height"))
            yield f"rect {e.get('data-name')}", (x, y, x + w, y + h)
        elif kind == "line":
            x1, y1, x2, y2 = (float(e.get(name, "")) for name in ("x1", "y1", "x2", "y2"))
            yield f"line {e.get('data-name')}", (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
        elif kind == "path":
            for box in path_boxes(e):
                yield f"path {e.get('data-name')}", box
        elif kind == "text":
            yield f"text {e.text!r}", text_box(e)


def assert_sound(picture: Picture) -> None:
    """It is XML with a title and alt text, nothing leaves the canvas, no words overlap, every colour is tested."""
    root = ET.fromstring(picture.svg)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title") is not None
    assert root.findtext(f"{SVG}desc") == picture.alt
    assert picture.alt.endswith((".", "!", "?"))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    assert (width, height) == (picture.width, picture.height)
    texts = []
    for what, (left, top, right, bottom) in boxes_of(picture):
        assert left <= right, what
        assert top <= bottom, what
        assert left >= 0, what
        assert top >= 0, what
        assert right <= width + 0.01, what
        assert bottom <= height + 0.01, what
        if what.startswith("text"):
            texts.append((what, (left, top, right, bottom)))
    for (one, a), (other, b) in itertools.combinations(texts, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one} overlaps {other}"
    colours = {LIGHT[text] for text, _ in TEXT_PAIRS}
    assert {e.get("fill") for e in drawn(picture) if e.tag == f"{SVG}text"} <= colours


def words(picture: Picture) -> list[str]:
    """Everything that is written, in the order in which it is drawn."""
    return [e.text or "" for e in drawn(picture) if e.tag == f"{SVG}text"]


def named(picture: Picture, name: str) -> list[ET.Element]:
    """The elements of that name."""
    return [e for e in drawn(picture) if e.get("data-name") == name]


def boxes_named(picture: Picture, start: str) -> dict[str, list[Box]]:
    """The rectangles whose name begins so, by name."""
    found: dict[str, list[Box]] = {}
    for e in drawn(picture):
        name = e.get("data-name", "")
        if name.startswith(start) and e.tag == f"{SVG}path":
            found.setdefault(name, []).extend(path_boxes(e))
        elif name.startswith(start) and e.tag == f"{SVG}rect":
            x, y, w, h = (float(e.get(attribute, "")) for attribute in ("x", "y", "width", "height"))
            found.setdefault(name, []).append((x, y, x + w, y + h))
    return found


def assert_as_last_looked_at(picture: Picture, name: str) -> None:
    """The picture is byte for byte the stored one. After a change that is meant, look at it and run the test with
    DYNAMOLAB_REGENERATE_GOLDEN=1.
    """
    path, svg = GOLDEN / f"{name}.svg", picture.svg + "\n"
    if os.environ.get("DYNAMOLAB_REGENERATE_GOLDEN"):
        path.write_text(svg, encoding="utf-8", newline="\n")
    assert svg == path.read_text(encoding="utf-8"), f"{path.name} differs: look at the new picture, then regenerate"


def rects_named(picture: Picture, name: str) -> list[Box]:
    """The rectangles of exactly that name."""
    return boxes_named(picture, name).get(name, [])


def lines_named(picture: Picture, name: str) -> list[list[tuple[float, float]]]:
    """The lines of exactly that name, each as its points."""
    found = []
    for e in named(picture, name):
        if e.tag == f"{SVG}line":
            x1, y1, x2, y2 = (float(e.get(at, "")) for at in ("x1", "y1", "x2", "y2"))
            found.append([(x1, y1), (x2, y2)])
        else:
            found += stretches(e)
    return found


def level_of(picture: Picture, name: str) -> float:
    """The height of the only level line of that name."""
    ((one, other),) = lines_named(picture, name)
    assert one[1] == other[1]
    return one[1]
