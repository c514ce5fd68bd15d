"""Pictures and explorers: deterministic SVG, the same behind a slider and stored in a notebook.

``frames`` draw, ``explorer`` puts sliders above a frame, ``explorers`` has one per lesson.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .frames import partition_bars, partition_seconds, share_bars
from .picture import Picture, PictureError

if TYPE_CHECKING:
    from .explorer import Explorer
    from .explorers import back_pressure_explorer, sharding_explorer

__all__ = [
    "Explorer",
    "Picture",
    "PictureError",
    "back_pressure_explorer",
    "partition_bars",
    "partition_seconds",
    "sharding_explorer",
    "share_bars",
]


def __getattr__(name: str) -> Any:
    # Pictures need no widgets; ipywidgets is imported when an explorer is asked for.
    if name == "Explorer":
        from .explorer import Explorer

        return Explorer
    if name.endswith("_explorer") and name in __all__:
        from . import explorers

        return getattr(explorers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
