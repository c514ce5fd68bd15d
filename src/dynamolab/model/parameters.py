"""Every number of the model that is not arithmetic: its default, how surely it is known, and where it stands.

The model is nominal: it does what AWS documents. What AWS does not publish is a parameter here, so that a guess can be
seen, doubted and changed in one place. ``docs/fidelity.md`` says the same in a table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Adaptation = Literal["static", "2017", "today"]
"""How a provisioned table shares its units among its partitions.

``static``: each partition has an equal part, no more. ``2017``: as ``static``, but a partition that is throttled gets
more after some minutes. ``today``: a partition may use what the table has, at once, up to the partition's own ceiling.
"""

Confidence = Literal["D", "A", "L", "I", "F"]
"""How surely a value is known.

``D`` documented by AWS; ``A`` measured on the real service by a named project; ``L`` measured on the reader's own
machine; ``I`` inferred from D or A; ``F`` unpublished: a plausible choice of the lab.
"""


def _rule(default: Any, confidence: Confidence, source: str, meaning: str) -> Any:
    metadata = {"confidence": confidence, "source": source, "meaning": meaning}
    return dataclasses.field(default=default, metadata=metadata)


_PARTITION_KEYS = "Designing partition keys to distribute your workload"
_BURST = "Burst and adaptive capacity"
_ON_DEMAND = "On-demand capacity mode"
_SPLIT = "Elhemali et al., USENIX ATC 2022, section 4.4"
_BLOG = "AWS Database Blog, Scaling DynamoDB: how partitions, hot keys, and split for heat impact performance"
_GSI = "Understanding global secondary index write throttling"
_QUOTAS = "Quotas in Amazon DynamoDB"
_SWITCHING = "Considerations when switching capacity modes"
_SCALING = "Managing throughput capacity automatically with DynamoDB auto scaling"
_TTL = "Using time to live (TTL) in DynamoDB"
_RECORDED = "recordings of the service published as radkawar/stackd"
_LAB_LOG = "public lab log ack-api-quirks"
_UNPUBLISHED = "unpublished"


@dataclass(frozen=True)
class Parameters:
    """The numbers that the model runs on; every field's ``metadata`` has its meaning, confidence and source.

    A lesson that varies one writes ``Parameters(adaptation="2017")``. Raises ``ValueError`` for a value without sense.
    """

    # --- partitions ---
    partition_write_units: int = _rule(1_000, "D", _PARTITION_KEYS, "Write units a second of one partition, at most.")
    partition_read_units: int = _rule(3_000, "D", _PARTITION_KEYS, "Read units a second of one partition, at most.")
    eventual_read_units: int | None = _rule(
        None,
        "A",
        f"{_BLOG}, part 2: 4,500",
        "Read units a second of one partition when the reads are eventually consistent; None: the same as all reads. "
        "AWS's own test of one hot key reached 4,500.",
    )
    partition_bytes: int = _rule(10 * 1024**3, "D", f"{_BLOG}, part 3", "Bytes at which a partition is split for size.")
    on_demand_partitions: int = _rule(
        4, "I", f"{_ON_DEMAND}: 4,000 and 12,000 units", "Partitions of a new on-demand table or index."
    )

    # --- splits for heat ---
    heat_split_seconds: int = _rule(
        600,
        "F",
        f"{_UNPUBLISHED}; {_BLOG}, part 2, shows about ten minutes",
        "How long a partition must be hot before it is split. Heat before that time is forgotten.",
    )
    heat_split_share: float = _rule(
        0.8, "F", f"{_UNPUBLISHED}; {_SPLIT}: above a threshold", "Share of its ceiling at which a partition is hot."
    )
    heat_slots: int = _rule(
        10, "F", _UNPUBLISHED, "Equal parts of the heat window; a partition must be hot in each of them."
    )
    heat_samples: int = _rule(
        512, "F", _UNPUBLISHED, "Positions remembered of a slot in which a partition works at its ceiling."
    )
    heat_split_relief: float = _rule(
        0.02,
        "F",
        f"{_UNPUBLISHED}; {_SPLIT}: no split where it would not help",
        "Share of the newest heat that a split must take off the hottest part; below it the split is not made.",
    )

    # --- buckets ---
    burst_seconds: int = _rule(300, "D", _BURST, "Seconds of unused provisioned capacity that are kept for a burst.")
    burst_at_birth: float = _rule(
        1.0,
        "I",
        f"{_RECORDED}: 350 units admitted by a fresh table of 1",
        "How full the burst bucket of a new provisioned table is, from 0 to 1.",
    )
    adaptation: Adaptation = _rule(
        "today", "D", _BURST, "How a provisioned table's units are shared among its partitions."
    )
    adaptation_delay_seconds: int = _rule(
        600,
        "D",
        f"{_BURST}, text of April 2018: 5 to 30 minutes",
        "In 2017: how long a partition is throttled before it gets more than its part.",
    )
    adaptation_memory_seconds: int = _rule(
        300, "F", _UNPUBLISHED, "In 2017: a pause in the pressure that is longer than this ends it."
    )

    # --- on-demand ---
    on_demand_write_units: int = _rule(4_000, "D", _ON_DEMAND, "Write units a second of a new on-demand table.")
    on_demand_read_units: int = _rule(12_000, "D", _ON_DEMAND, "Read units a second of a new on-demand table.")
    ramp_factor: float = _rule(2.0, "D", _ON_DEMAND, "How many times its previous peak a table takes at once.")
    ramp_seconds: int = _rule(1_800, "D", _ON_DEMAND, "How long after a peak the table is ready for the next doubling.")
    ramp_peak_seconds: int = _rule(
        60, "F", _UNPUBLISHED, "Length of the clock intervals whose average consumption counts as a peak."
    )
    ramp_burst_seconds: float = _rule(
        2.0, "F", _UNPUBLISHED, "Seconds of an on-demand table's total that may be used at once."
    )
    maximum_burst_seconds: float = _rule(
        1.0, "F", f"{_ON_DEMAND}: best effort", "Seconds of the maximum on-demand throughput that may be used at once."
    )

    # --- indexes ---
    index_buffer_units: float = _rule(
        3_000.0,
        "F",
        f"{_UNPUBLISHED}; {_GSI} speaks of a buffer, AWS's workshop waits a few minutes",
        "Write units that a global index may owe before its table refuses writes.",
    )

    # --- quotas ---
    table_read_quota: int = _rule(40_000, "D", _QUOTAS, "Read units a second of one table or global index.")
    table_write_quota: int = _rule(40_000, "D", _QUOTAS, "Write units a second of one table or global index.")
    account_read_quota: int = _rule(80_000, "D", _QUOTAS, "Provisioned read units of all tables and indexes together.")
    account_write_quota: int = _rule(
        80_000, "D", _QUOTAS, "Provisioned write units of all tables and indexes together."
    )

    # --- modes and changes of capacity ---
    on_demand_switches: int = _rule(4, "D", _SWITCHING, "Switches to on-demand mode within the window.")
    on_demand_switch_seconds: int = _rule(86_400, "D", _SWITCHING, "The rolling window of those switches.")
    free_decreases: int = _rule(4, "D", _QUOTAS, "Decreases of capacity that a UTC day begins with.")
    decrease_seconds: int = _rule(
        3_600, "A", f"{_LAB_LOG}, {_RECORDED}", "Seconds from one decrease to the next, once the free ones are used."
    )
    first_on_demand_seconds: int = _rule(
        150, "A", f"{_RECORDED}: 129 to 172 s", "How long a table is UPDATING when it first becomes on-demand."
    )
    later_on_demand_seconds: int = _rule(
        5, "A", f"{_RECORDED}: 4 to 5 s", "The same for a table that was on-demand before."
    )
    provisioned_seconds: int = _rule(
        60,
        "A",
        f"{_RECORDED}: 9 s; {_LAB_LOG}: 60 to 98 s",
        "How long a table is UPDATING when it becomes provisioned.",
    )
    capacity_seconds: int = _rule(
        2, "A", f"{_RECORDED}: 1 to 2 s", "How long a table is UPDATING when only its units change."
    )
    first_warm_seconds: int = _rule(
        400, "A", f"{_LAB_LOG}: 272 to 514 s", "How long a first raise of warm throughput takes."
    )
    later_warm_seconds: int = _rule(2, "A", _LAB_LOG, "How long each later raise of warm throughput takes.")
    backfill_seconds: int = _rule(
        600,
        "A",
        f"{_RECORDED}, {_LAB_LOG}: 7 to 16 minutes",
        "How long a new global index on a small table is CREATING.",
    )

    # --- auto scaling ---
    scale_out_points: int = _rule(2, "D", _SCALING, "Minutes in a row above the target before a scale-out.")
    scale_in_points: int = _rule(15, "D", _SCALING, "Minutes in a row far below the target before a scale-in.")
    scale_in_offset: float = _rule(
        0.2, "F", f"{_RECORDED}: 50 % for a target of 70 %", "How far below the target the scale-in line lies."
    )
    scale_action_seconds: int = _rule(
        180, "D", f"{_SCALING}: several minutes", "From the alarm to the new capacity in force."
    )

    # --- TTL ---
    ttl_oldest_seconds: int = _rule(
        5 * 365 * 86_400, "D", _TTL, "An expiry further in the past than this is ignored: five years."
    )
    ttl_latest_seconds: int = _rule(
        172_800, "D", f"{_TTL}: typically within two days", "The latest that an expired item is deleted."
    )
    ttl_lateness_exponent: float = _rule(
        3.0, "F", _UNPUBLISHED, "Shape of the delay: the latest times u to this power, u uniform; half within 6 hours."
    )
    ttl_enabling_seconds: int = _rule(
        3_600, "D", f"{_TTL}: up to one hour", "From a change of TTL until it is in force."
    )
    ttl_change_seconds: int = _rule(3_600, "D", _TTL, "Seconds from one change of a table's TTL to the next.")

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if each.name == "adaptation":
                if value not in get_args(Adaptation):
                    raise ValueError(f"adaptation is one of {', '.join(get_args(Adaptation))}, not {value!r}.")
            elif value is not None and not 0 <= value < float("inf"):
                raise ValueError(f"{each.name} is a number from 0 up, not {value!r}.")
        for name in ("partition_write_units", "partition_read_units", "partition_bytes", "on_demand_partitions",
                     "heat_split_seconds", "heat_slots", "heat_samples", "ramp_peak_seconds"):  # fmt: skip
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1, not {getattr(self, name)!r}.")

    @classmethod
    def documentation(cls) -> dict[str, Mapping[str, Any]]:
        """Return, for each parameter, its ``default``, ``meaning``, ``confidence`` and ``source``."""
        return {each.name: {"default": each.default, **each.metadata} for each in dataclasses.fields(cls)}


DEFAULTS = Parameters()
"""The nominal service."""
