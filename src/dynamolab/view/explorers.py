"""The explorers of the lessons, each a few sliders over one model and one frame."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets as widgets

from ..model.partitions import PARTITION_UNITS
from ..traffic import workload
from .explorer import Explorer
from .frames import partition_bars
from .picture import Picture
from .svg import number

_BYTES: Final = tuple(1024 * kb for kb in (1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 100, 200, 400))


def sharding_explorer(
    *, writes_per_second: int = 2500, item_bytes: int = 1024, n: int = 1, partitions: int = 4
) -> Explorer:
    """What N suffixes do to one busy day: what each partition admits and refuses, the price of reading back.

    Sliders: N (how many suffixes the day's key gets), item size, write rate. The vertical axis follows
    the demand, not N, so that moving N moves the bars and nothing else. Errors: ``sharded_writes``.
    Rests on the AWS page "Using write sharding to distribute workloads evenly in your DynamoDB table".
    """

    def draw(*, n: int, item_bytes: int, writes_per_second: int) -> tuple[Picture, str]:
        day = workload.sharded_writes(
            n, item_bytes=item_bytes, writes_per_second=writes_per_second, partitions=partitions
        )
        keys = [int(k) for k in day.keys_per_partition]
        admitted, refused = float(day.admitted_units.sum()), float(day.refused_units.sum())
        spread = "/".join(map(str, keys)) if len(keys) <= 8 else f"{min(keys)} to {max(keys)} each"
        queries, pages = (
            _count(day.read_back_queries, "query", "queries"),
            _count(day.read_back_pages, "page"),
        )
        back = f"reading the day back takes {queries} in {pages} and {number(day.read_back_units)} RU"
        counted = f"{_count(n, 'key')} fell"
        sent = f"{number(admitted)} of {number(day.sent_units)} WU/s"
        outcome = f"{sent} admitted, {number(refused)} refused"
        sentence = f"N = {n}: {counted} on partitions as {spread}; {outcome}; {back}."
        picture = partition_bars(
            day.admitted_units,
            day.refused_units,
            ceiling=PARTITION_UNITS["write"],
            title=f"N = {n}: {number(writes_per_second)} writes of {_size(item_bytes)} a second to one day",
            caption=f"{outcome}.",
            labels=[f"partition {i}\n{_count(k, 'key')}" for i, k in enumerate(keys)],
            top=max(day.sent_units, PARTITION_UNITS["write"]),
            queries=day.read_back_queries,
            queries_note=f"{number(day.read_back_units)} RU",
        )
        return picture, sentence

    draw(n=n, item_bytes=item_bytes, writes_per_second=writes_per_second)  # bad arguments fail before a slider exists
    controls = {
        "n": _steps("N", workload.SHARD_STEPS, n, number),
        "item_bytes": _steps("item size", _BYTES, item_bytes, _size),
        "writes_per_second": widgets.IntSlider(
            value=writes_per_second,
            min=min(100, writes_per_second),
            max=max(10_000, writes_per_second),
            step=100,
            description="writes/s",
            readout_format=",d",
            **_slider(),
        ),
    }
    return Explorer(controls, draw)


def _steps(description: str, steps: tuple[int, ...], value: int, written: Any) -> Any:
    """A slider over chosen steps: each press of an arrow key is a step worth seeing, from 1 to 400 in 22."""
    chosen = sorted({*steps, value})
    options = [(written(step), step) for step in chosen]
    return widgets.SelectionSlider(options=options, value=value, description=description, **_slider())


def _slider() -> dict[str, Any]:
    return {
        "continuous_update": True,
        "style": {"description_width": "80px"},
        # The two kinds of slider have different margins of their own; these put them under each other.
        "layout": widgets.Layout(width="auto", max_width="560px", margin="2px"),
    }


def _count(count: int, one: str, many: str = "") -> str:
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def _size(item_bytes: int) -> str:
    return f"{number(item_bytes / 1024)} KB" if item_bytes >= 1024 else f"{item_bytes} B"
