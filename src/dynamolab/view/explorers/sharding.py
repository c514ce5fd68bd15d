"""The explorer of lesson 05: what N suffixes do to one busy day."""

from __future__ import annotations

import ipywidgets as widgets

from ... import arguments
from ...model.partitions import PARTITION_UNITS
from ...traffic import workload
from ..explorer import Explorer
from ..frames import partition_bars
from ..frames.bars import MOST_PARTITIONS
from ..picture import Picture
from ..svg import number
from .controls import BYTES, MOST_A_SECOND, counted, size_text, slider, steps


@arguments.typed
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
            counted(day.read_back_queries, "query", "queries"),
            counted(day.read_back_pages, "page"),
        )
        back = f"reading the day back takes {queries} in {pages} and {number(day.read_back_units)} RU"
        keys_text = f"{counted(n, 'key')} fell"
        sent = f"{number(admitted)} of {number(day.sent_units)} WU/s"
        outcome = f"{sent} admitted, {number(refused)} refused"
        sentence = f"N = {n}: {keys_text} on partitions as {spread}; {outcome}; {back}."
        picture = partition_bars(
            day.admitted_units,
            day.refused_units,
            ceiling=PARTITION_UNITS["write"],
            title=f"N = {n}: {number(writes_per_second)} writes of {size_text(item_bytes)} a second to one day",
            caption=f"{outcome}.",
            labels=[f"partition {i}\n{counted(k, 'key')}" for i, k in enumerate(keys)],
            top=max(day.sent_units, PARTITION_UNITS["write"]),
            queries=day.read_back_queries,
            queries_note=f"{number(day.read_back_units)} RU",
        )
        return picture, sentence

    arguments.whole("writes_per_second", writes_per_second, 1, MOST_A_SECOND)
    arguments.whole("the number of partitions in the picture", partitions, 1, MOST_PARTITIONS)
    draw(n=n, item_bytes=item_bytes, writes_per_second=writes_per_second)  # bad arguments fail before a slider exists
    controls = {
        "n": steps("N", workload.SHARD_STEPS, n, number),
        "item_bytes": steps("item size", BYTES, item_bytes, size_text),
        "writes_per_second": widgets.IntSlider(
            value=writes_per_second,
            min=min(100, writes_per_second),
            max=max(10_000, writes_per_second),
            step=100,
            description="writes/s",
            readout_format=",d",
            **slider(),
        ),
    }
    return Explorer(controls, draw)
