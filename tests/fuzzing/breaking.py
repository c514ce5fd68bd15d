"""Ways to break the lab, each of which the fuzzer must notice."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from dynamolab.live import counting, expiry, items, metrics, pages, streams, transactions
from dynamolab.live.metering import Refused
from dynamolab.model import meters, units

Patch = Callable[[Any, str, Any], None]
"""``patch(place, name, substitute)``, which somebody takes back later."""


def a_delete_is_free(patch: Patch) -> None:
    original = items.charge_write
    patch(items, "charge_write", lambda spot, used, old, new: original(spot, used, old, new) if new else None)


def a_changed_index_key_is_one_write(patch: Patch) -> None:
    original = units.index_write_units
    patch(units, "index_write_units", lambda *given: min(1, original(*given)))


def a_metric_counts_a_unit_too_much(patch: Patch) -> None:
    original = metrics.Recorder.consumed
    patch(metrics.Recorder, "consumed", lambda self, table, index, side, used, now: original(
        self, table, index, side, used + 1, now))  # fmt: skip


def a_refused_put_is_stored(patch: Patch) -> None:
    original = items.admit

    def admit(spot: Any, side: str, **more: Any) -> None:
        try:
            original(spot, side, **more)
        except Refused:
            if side == "write":
                spot.table.put_item(dict(spot.keys))
            raise

    patch(items, "admit", admit)


def a_bucket_refills_twice_as_fast(patch: Patch) -> None:
    original = meters.Meter._refill

    def refill(meter: Any, now: int) -> None:
        rate, meter.rate = meter.rate, 2 * meter.rate
        original(meter, now)
        meter.rate = rate

    patch(meters.Meter, "_refill", refill)


def ttl_deletes_what_has_not_expired(patch: Patch) -> None:
    patch(expiry.ttl, "deletion_time", lambda *given, enabled_since=0, **more: enabled_since + 1)
    patch(expiry, "_expiry", lambda item, attribute: 1 if attribute in item.attrs else None)


def a_stream_loses_the_updates(patch: Patch) -> None:
    original = streams.Shard.add
    patch(streams.Shard, "add", lambda shard, old, new: original(shard, old, new) if old is None or new is None else 0)


def partiql_is_not_metered(patch: Patch) -> None:
    original = items.charge_write
    patch(items, "charge_write", lambda *given: None if counting.call.is_partiql else original(*given))


def an_index_holds_every_attribute(patch: Patch) -> None:
    patch(units, "projected_names", lambda index, keys: None)
    patch(pages, "projected_names", lambda index, keys: None)


def a_cancelled_transaction_leaves_what_it_wrote(patch: Patch) -> None:
    patch(transactions, "restore", lambda *given: None)


def an_answer_is_another_each_time(patch: Patch) -> None:
    count, original = itertools.count(), streams.Shard.to_json
    patch(streams.Shard, "to_json", lambda shard: {**original(shard), "ParentShardId": f"parent-{next(count):030d}"})


def a_bucket_admits_while_it_owes(patch: Patch) -> None:
    patch(meters.Meter, "admits", lambda meter, now: meter.level_at(now) > -50)


BREAKS = [
    a_delete_is_free,
    a_changed_index_key_is_one_write,
    a_metric_counts_a_unit_too_much,
    a_refused_put_is_stored,
    a_bucket_refills_twice_as_fast,
    ttl_deletes_what_has_not_expired,
    a_stream_loses_the_updates,
    partiql_is_not_metered,
    an_index_holds_every_attribute,
    a_cancelled_transaction_leaves_what_it_wrote,
    an_answer_is_another_each_time,
    a_bucket_admits_while_it_owes,
]
