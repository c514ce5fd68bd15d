"""Time to live: which items expire, and when the service gets round to deleting them ("Using time to live")."""

from __future__ import annotations

import decimal
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .meters import MICROSECONDS
from .modes import VALIDATION, Objection
from .parameters import DEFAULTS, Parameters


def expiry(item: Mapping[str, Any], attribute: str) -> decimal.Decimal | None:
    """Return the instant, in epoch seconds, at which the item expires; None if it never does.

    Only a top-level attribute of type Number counts, and its value is seconds whatever its size: milliseconds name an
    instant tens of thousands of years ahead.
    """
    value = item.get(attribute)
    if value is None or "N" not in value:
        return None
    return decimal.Decimal(str(value["N"]))


def is_expired(item: Mapping[str, Any], attribute: str, now: int) -> bool:
    """Whether the item's time is over at ``now`` (microseconds): what a reader filters on. It may still be there."""
    expires = expiry(item, attribute)
    return expires is not None and expires * MICROSECONDS < now


def is_eligible(item: Mapping[str, Any], attribute: str, now: int, parameters: Parameters = DEFAULTS) -> bool:
    """Whether the service will delete the item: expired at ``now`` (microseconds), though not over five years ago."""
    expires = expiry(item, attribute)
    if expires is None or not is_expired(item, attribute, now):
        return False
    return expires * MICROSECONDS >= now - parameters.ttl_oldest_seconds * MICROSECONDS


def lateness(seed: int, *identity: object, parameters: Parameters = DEFAULTS) -> int:
    """Return how long after its expiry an item is deleted, in microseconds.

    From 0 to 48 hours, half of them within 6; AWS promises nothing and publishes no distribution. ``identity`` names
    the item (table, key, expiry): the same seed and identity give the same delay, in whichever order items are asked.
    """
    raw = hashlib.blake2b(repr((seed, *identity)).encode(), digest_size=8).digest()
    uniform = int.from_bytes(raw, "big") / (1 << 64)
    return int(parameters.ttl_latest_seconds * MICROSECONDS * uniform**parameters.ttl_lateness_exponent)


def deletion_time(
    item: Mapping[str, Any],
    attribute: str,
    seed: int,
    *identity: object,
    enabled_since: int = 0,
    parameters: Parameters = DEFAULTS,
) -> int | None:
    """Return the instant (microseconds) at which the service deletes the item; None if it never does.

    ``enabled_since`` is when TTL came into force on the table: the delay runs from the later of that and the expiry.
    An item whose expiry lies more than five years before the moment it would be looked at stays for ever.
    """
    expires = expiry(item, attribute)
    if expires is None:
        return None
    begin = max(int(expires * MICROSECONDS) + 1, enabled_since)
    if not is_eligible(item, attribute, begin, parameters):
        return None
    return begin + lateness(seed, attribute, str(expires), *identity, parameters=parameters)


@dataclass
class TimeToLive:
    """The TTL setting of one table: one change an hour, in force up to an hour later.

    Source: "Using time to live"; the message as measured on the service.
    """

    parameters: Parameters = DEFAULTS
    attribute: str | None = field(default=None, init=False)
    _previous: str | None = field(default=None, init=False)
    _changed: int | None = field(default=None, init=False)

    def check(self, attribute: str | None, now: int) -> Objection | None:
        """Say whether TTL may be enabled on ``attribute`` (None: disabled) at ``now``."""
        wait = self.parameters.ttl_change_seconds * MICROSECONDS
        if self._changed is not None and now < self._changed + wait:
            return Objection(VALIDATION, "Time to live has been modified multiple times within a fixed interval")
        if attribute is not None and self.attribute is not None:
            if attribute == self.attribute:
                return Objection(VALIDATION, "TimeToLive is already enabled")
            return Objection(
                VALIDATION,
                f"TimeToLive is active on a different AttributeName: current AttributeName is {self.attribute}",
            )
        if attribute is None and self.attribute is None:
            return Objection(VALIDATION, "TimeToLive is already disabled")
        return None

    def change(self, attribute: str | None, now: int) -> int:
        """Enter a change; return the instant (microseconds) from which it is in force."""
        self._previous, self.attribute, self._changed = self.attribute, attribute, now
        return self.in_force_since

    @property
    def in_force_since(self) -> int:
        """The instant (microseconds) from which the last change is in force; 0 if there was none."""
        return 0 if self._changed is None else self._changed + self.parameters.ttl_enabling_seconds * MICROSECONDS

    def status(self, now: int) -> str:
        """Return ``TimeToLiveStatus``: ENABLING, ENABLED, DISABLING or DISABLED."""
        word = "ENABL" if self.attribute is not None else "DISABL"
        return word + ("ING" if self._changed is not None and now < self.in_force_since else "ED")

    def sweeps(self, now: int) -> str | None:
        """Return the attribute by which items are deleted at ``now``; None if none are."""
        return self.attribute if self._changed is None or now >= self.in_force_since else self._previous
