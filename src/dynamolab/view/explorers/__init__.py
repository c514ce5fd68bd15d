"""The explorers of the lessons, one module each: a few sliders over one model and its frames."""

from __future__ import annotations

from .back_pressure import back_pressure_explorer
from .expiry import ttl_explorer
from .peak import peak_explorer
from .sharding import sharding_explorer

__all__ = ["back_pressure_explorer", "peak_explorer", "sharding_explorer", "ttl_explorer"]
