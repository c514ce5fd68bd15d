"""The explorers of the lessons, one module each: a few sliders over one model and its frames."""

from __future__ import annotations

from .back_pressure import back_pressure_explorer
from .buckets import buckets_explorer
from .expiry import ttl_explorer
from .hot import hot_explorer
from .item import item_explorer
from .partitions import partitions_explorer
from .paying import paying_explorer
from .peak import peak_explorer
from .sandbox import sandbox_explorer
from .sharding import sharding_explorer

__all__ = [
    "back_pressure_explorer",
    "buckets_explorer",
    "hot_explorer",
    "item_explorer",
    "partitions_explorer",
    "paying_explorer",
    "peak_explorer",
    "sandbox_explorer",
    "sharding_explorer",
    "ttl_explorer",
]
