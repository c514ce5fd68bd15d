"""Pictures and explorers: deterministic SVG, the same behind a slider and stored in a notebook.

``frames`` draw, ``explorer`` puts sliders above a frame, ``explorers`` has one per lesson.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .frames import partition_bars, partition_seconds, share_bars
from .nouns import noun, nouns
from .picture import Picture, PictureError

if TYPE_CHECKING:
    from .checklist import Checklist, Goal
    from .explorer import Explorer
    from .explorers import back_pressure_explorer, item_explorer, sandbox_explorer, sharding_explorer
    from .play import TimeExplorer

__all__ = [
    "Checklist",
    "Explorer",
    "Goal",
    "Picture",
    "PictureError",
    "TimeExplorer",
    "back_pressure_explorer",
    "item_explorer",
    "noun",
    "nouns",
    "partition_bars",
    "partition_seconds",
    "sandbox_explorer",
    "sharding_explorer",
    "share_bars",
]


_WIDGETS = {"Checklist": "checklist", "Explorer": "explorer", "Goal": "checklist", "TimeExplorer": "play"}


def __getattr__(name: str) -> Any:
    # Pictures need no widgets; ipywidgets is imported when an explorer is asked for.
    if name in _WIDGETS:
        return getattr(importlib.import_module(f".{_WIDGETS[name]}", __name__), name)
    if name.endswith("_explorer") and name in __all__:
        from . import explorers

        return getattr(explorers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
