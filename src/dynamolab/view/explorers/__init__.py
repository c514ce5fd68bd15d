"""The explorers of the lessons, one module each: a few sliders over one model and its frames."""

from __future__ import annotations

from .sharding import sharding_explorer

__all__ = ["sharding_explorer"]
