"""Sliders and words that the explorers share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import ipywidgets as widgets

from ..svg import number

BYTES: Final = tuple(1024 * kb for kb in (1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 100, 200, 400))
"""Item sizes worth trying, in bytes."""

MOST_A_SECOND: Final = 1_000_000_000
"""The most of anything in a second that an explorer takes: units, requests."""


def steps(description: str, steps: tuple[int, ...], value: int, written: Any) -> Any:
    """A slider over chosen steps: each press of an arrow key is a step worth seeing, from 1 to 400 in 22."""
    chosen = sorted({*steps, value})
    options = [(written(step), step) for step in chosen]
    return widgets.SelectionSlider(options=options, value=value, description=description, **slider())


def whole(description: str, value: int, low: int, high: int, step: int = 1) -> Any:
    """A slider over whole numbers, wide enough for ``value``."""
    low, high = min(low, value), max(high, value)
    return widgets.IntSlider(
        value=value, min=low, max=high, step=step, description=description, readout_format=",d", **slider()
    )


def choice(description: str, options: Mapping[str, Any], value: Any) -> Any:
    """One of a few named values, as a list that drops down: ``options`` maps what is read to the value."""
    settings = slider()
    del settings["continuous_update"]
    return widgets.Dropdown(options=list(options.items()), value=value, description=description, **settings)


def slider() -> dict[str, Any]:
    """The settings of every slider: redrawn while it moves, one width, names under each other."""
    return {
        "continuous_update": True,
        "style": {"description_width": "80px"},
        # The two kinds of slider have different margins of their own; these put them under each other.
        "layout": widgets.Layout(width="auto", max_width="560px", margin="2px"),
    }


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 key``, ``2,000 keys``."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def size_text(item_bytes: int) -> str:
    """A size as people write it: ``800 B``, ``10 KB``."""
    return f"{number(item_bytes / 1024)} KB" if item_bytes >= 1024 else f"{item_bytes} B"
