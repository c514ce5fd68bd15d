"""The frames: each a pure function of data that returns a :class:`~dynamolab.view.picture.Picture`.

One module per family. The same function draws the stored picture and the one behind a slider. Bad data raises
``PictureError``.
"""

from __future__ import annotations

from .bars import partition_bars
from .bucket import Bucket, token_buckets
from .cost import Priced, cost_bars, cost_curve
from .flows import Flow, table_flows
from .heatmap import heat_map
from .metric import Series, metric
from .ring import hash_space
from .seconds import partition_seconds
from .shares import share_bars
from .strip import item_strip
from .timeline import request_timeline

__all__ = [
    "Bucket",
    "Flow",
    "Priced",
    "Series",
    "cost_bars",
    "cost_curve",
    "hash_space",
    "heat_map",
    "item_strip",
    "metric",
    "partition_bars",
    "partition_seconds",
    "request_timeline",
    "share_bars",
    "table_flows",
    "token_buckets",
]
