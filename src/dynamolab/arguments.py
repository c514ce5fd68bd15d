"""What the lab's doors accept as a number, and how a value that they do not accept is shown in a sentence."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from .errors import LabError

T = TypeVar("T")

LONGEST = 80
"""Characters of a value that a sentence shows."""


def shown(value: object) -> str:
    """Return ``value`` as a sentence may show it: one short line, the same on every run, whatever its repr does."""
    try:
        text = " ".join(repr(value).split())
    except (Exception, SystemExit):
        text = f"a {type(value).__name__} that cannot be shown"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def is_number(value: object) -> bool:
    """Say whether ``value`` is a finite number: Python's or NumPy's, no bool, no text, no Decimal."""
    return not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)


def is_whole(value: object) -> bool:
    """Say whether ``value`` is a whole number: Python's or NumPy's, no bool, no float."""
    return not isinstance(value, bool) and isinstance(value, numbers.Integral)


def number(what: str, value: Any, least: float = 0.0, most: float = math.inf) -> float:
    """Return a number from ``least`` to ``most``; raises LabError, with ``what`` it is, for anything else."""
    try:
        fits = is_number(value) and least <= value <= most
    except OverflowError:  # a whole number beyond all floats
        fits = False
    if not fits:
        raise LabError(f"Choose {what} as a number {_span(least, most)}, not {shown(value)}.")
    return float(value)


def whole(what: str, value: Any, least: int = 0, most: float = math.inf) -> int:
    """Return a whole number from ``least`` to ``most``; raises LabError, with ``what`` it is, for anything else."""
    if not is_whole(value) or not least <= value <= most:
        raise LabError(f"Choose {what} as a whole number {_span(least, most)}, not {shown(value)}.")
    return int(value)


def mapping(what: str, value: Any, of: type | tuple[type, ...], example: str) -> Mapping[str, Any]:
    """Return a mapping of names to values of one kind; raises LabError, with an ``example``, for anything else."""
    if not isinstance(value, Mapping) or not all(isinstance(each, of) for each in value.values()):
        raise LabError(f"Give {what} as a mapping such as {example}, not {shown(value)}.")
    return value


def _span(least: float, most: float) -> str:
    return f"from {least:,.15g} up" if most == math.inf else f"from {least:,.15g} to {most:,.15g}"
