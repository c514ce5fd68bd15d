"""What a drawing function returns: deterministic SVG text with its alt text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import LabError


class PictureError(LabError, ValueError):
    """The data cannot be drawn; the message says what is wrong with it and what to pass instead."""


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture as text: shown by Jupyter as SVG, told in words by ``alt`` where SVG cannot be shown.

    ``width`` and ``height`` are the size of its canvas in CSS pixels; a narrower page scales it down.
    """

    svg: str
    alt: str
    width: int
    height: int

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": self.alt}
