"""What the lab's doors accept as a number, and how a value that they do not accept is shown in a sentence."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, ParamSpec, TypeVar, get_args, get_origin

from .errors import LabError

P = ParamSpec("P")
R = TypeVar("R")

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
    try:
        return not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def is_whole(value: object) -> bool:
    """Say whether ``value`` is a whole number: Python's or NumPy's, no bool, no float."""
    return not isinstance(value, bool) and isinstance(value, numbers.Integral)


def number(what: str, value: Any, least: float = 0.0, most: float = math.inf) -> float:
    """Return a number from ``least`` to ``most``; raises LabError, with ``what`` it is, for anything else."""
    if not is_number(value) or not least <= value <= most:
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


def one_of(what: str, value: Any, choices: Iterable[str]) -> str:
    """Return one of a few words; raises LabError, which names them, for anything else."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise LabError(f"{what} is {shown(value)}; choose {' or '.join(map(repr, known))}.")
    return value


def typed(function: Callable[P, R]) -> Callable[P, R]:
    """Hold each argument of ``function`` against its annotation where that is a plain one; LabError if it is not.

    Plain are ``str``, ``float``, ``int``, ``bool``, ``X | None`` of these, and a ``Literal`` of words; a text is no
    ``Sequence`` of texts. NumPy's numbers reach the function as Python's. What it can make of a number of the right
    kind is for the function to say, and what is missing or misspelt for Python.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # in a notebook's stack, the function itself stands for it
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:
            given = None
        if given is None:
            return function(*args, **kwargs)  # Python's own words name the function
        for name, value in given.arguments.items():
            given.arguments[name] = _plain(name, value, str(signature.parameters[name].annotation), function)
        return function(*given.args, **given.kwargs)

    return called


def _plain(name: str, value: Any, annotation: str, function: Callable[..., Any]) -> Any:
    kind = annotation.removesuffix(" | None")
    if value is None and kind != annotation:
        return None
    if kind == "str" and not isinstance(value, str):
        raise LabError(f"Give {name} as text, not {shown(value)}.")
    if kind == "int" and not is_whole(value):
        raise LabError(f"Choose {name} as a whole number, not {shown(value)}.")
    if kind == "float" and not is_number(value):
        raise LabError(f"Choose {name} as a number, not {shown(value)}.")
    if kind.startswith("Sequence[") and isinstance(value, str | bytes):
        raise LabError(f"Give {name} as a list such as [{value!r}], not as one text.")
    if kind == "bool" and not isinstance(value, bool):
        raise LabError(f"Choose {name} as True or False, not {shown(value)}.")
    if kind in ("int", "float"):
        return int(value) if is_whole(value) else float(value)
    words = inspect.unwrap(function).__globals__.get(kind)
    return one_of(name, value, get_args(words)) if get_origin(words) is Literal else value


def _span(least: float, most: float) -> str:
    return f"from {least:,.15g} up" if most == math.inf else f"from {least:,.15g} to {most:,.15g}"
