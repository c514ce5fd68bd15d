"""What every frame needs: the canvas' width, checked numbers, and sentences that end."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Final, ParamSpec

from ...arguments import typed
from ...errors import LabError
from ..picture import Picture, PictureError
from ..svg import clean

WIDTH: Final = 760
UNITS: Final = {"write": "WU", "read": "RU"}


P = ParamSpec("P")


def frame(function: Callable[P, Picture]) -> Callable[P, Picture]:
    """Let a drawing function answer whatever it cannot draw with one sentence, a PictureError.

    Arguments are held against their annotations (:func:`dynamolab.arguments.typed`); what the function itself checks
    has words of its own; and data of another shape than it takes leads to its help, with Python's error as the cause.
    """
    checked = typed(function)

    @functools.wraps(function)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Picture:
        __tracebackhide__ = True
        try:
            return checked(*args, **kwargs)
        except PictureError:
            raise
        except LabError as error:
            raise PictureError(str(error)) from None
        except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
            if _is_call(error):
                raise
            name = function.__name__
            raise PictureError(
                f"{name} cannot draw data of that shape ({type(error).__name__}: {clean(str(error))[:90]}); "
                f"help({name}) says what it takes."
            ) from error

    return drawn


def _is_call(error: Exception) -> bool:
    """Whether Python found an argument missing or misspelt: no frame of the function's own."""
    trace, depth = error.__traceback__, 0
    while trace is not None:
        trace, depth = trace.tb_next, depth + 1
    return isinstance(error, TypeError) and depth == 2


def values_of(name: str, values: Iterable[float]) -> list[float]:
    """The values as finite floats from 0 to 1e15, free of rounding dust; PictureError names the one that is not."""
    try:
        # Dust of floating point, such as 1e-13 refused, is not something to see.
        numbers = [round(_float(value), 9) for value in values]
    except (TypeError, ValueError, OverflowError):
        raise PictureError(f"{name} must hold numbers; it holds something else.") from None
    for i, value in enumerate(numbers):
        if not math.isfinite(value) or value < 0 or value > 1e15:
            raise PictureError(f"{name}[{i}] is {value:g}; a picture needs numbers from 0 to 1e15 there.")
    return numbers


def _float(value: object) -> float:
    if isinstance(value, bool | str | bytes):
        raise TypeError(value)  # float() would take them for numbers
    return float(value)  # type: ignore[arg-type]


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
