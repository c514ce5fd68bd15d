"""The frames: each a pure function of data that returns a :class:`~dynamolab.view.picture.Picture`.

One module per family. The same function draws the stored picture and the one behind a slider. Bad data raises
``PictureError``.
"""

from __future__ import annotations

from .bars import partition_bars
from .seconds import partition_seconds
from .shares import share_bars

__all__ = ["partition_bars", "partition_seconds", "share_bars"]
