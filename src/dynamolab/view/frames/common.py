"""What every frame needs: the canvas' width, checked numbers, and sentences that end."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from ..picture import PictureError
from ..svg import clean

WIDTH: Final = 760
UNITS: Final = {"write": "WU", "read": "RU"}


def values_of(name: str, values: Iterable[float]) -> list[float]:
    """The values as finite floats from 0 to 1e15, free of rounding dust; PictureError names the one that is not."""
    try:
        # Dust of floating point, such as 1e-13 refused, is not something to see.
        numbers = [round(float(value), 9) for value in values]
    except (TypeError, ValueError):
        raise PictureError(f"{name} must hold numbers; it holds something else.") from None
    for i, value in enumerate(numbers):
        if not math.isfinite(value) or value < 0 or value > 1e15:
            raise PictureError(f"{name}[{i}] is {value:g}; a picture needs numbers from 0 to 1e15 there.")
    return numbers


def positive(name: str, value: float | None) -> float | None:
    """The value if it is above 0, None if there is none; PictureError otherwise."""
    if value is None:
        return None
    (checked,) = values_of(name, [value])
    if checked == 0:
        raise PictureError(f"{name} is 0; pass a number above 0, or leave it out.")
    return checked


def sentences(*parts: str) -> str:
    """The parts as sentences, each with its full stop; empty ones left out."""
    ended = (part if part[-1] in ".!?" else part + "." for part in map(clean, parts) if part)
    return " ".join(ended)
