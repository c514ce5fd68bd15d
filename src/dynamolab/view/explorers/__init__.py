"""The explorers of the lessons, one module each: a few sliders over one model and its frames."""

from __future__ import annotations

from .back_pressure import back_pressure_explorer
from .sharding import sharding_explorer

__all__ = ["back_pressure_explorer", "sharding_explorer"]
