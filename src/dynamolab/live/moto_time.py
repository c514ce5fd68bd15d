"""moto's own dates and identifiers come from the simulated clock and the seed, so a whole response may be printed."""

from __future__ import annotations

import datetime as dt
import types
from typing import Any

import moto.core.utils as moto_utils
from moto.moto_api._internal import mock_random

from .clock import clock

_original = vars(moto_utils)["datetime"]


class _SimulatedDatetime(dt.datetime):
    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Any:
        return clock.now().astimezone(tz) if tz else clock.now().replace(tzinfo=None)


# moto.core.utils.utcnow is imported by name all over moto: what it reads is replaced instead of the function.
_simulated = types.SimpleNamespace(**{**vars(dt), "datetime": _SimulatedDatetime})


def simulate(seed: int) -> None:
    """From now on moto dates things by the lab's clock and draws its identifiers from ``seed``."""
    vars(moto_utils)["datetime"] = _simulated
    mock_random.seed(seed)


def restore() -> None:
    """Give moto the real time back."""
    vars(moto_utils)["datetime"] = _original
