"""TTL: what expires, and how late it goes."""

from __future__ import annotations

from typing import Any

import pytest

from dynamolab.model import ttl
from dynamolab.model.meters import MICROSECONDS

NOW = 1_796_040_000 * MICROSECONDS  # 30 November 2026
HOUR = 3600 * MICROSECONDS


@pytest.mark.parametrize(
    ("value", "expired", "eligible"),
    [
        ({"N": "1700000000"}, True, True),
        ({"N": "1606000000"}, True, False),  # November 2020: more than five years ago
        ({"N": "1796039999"}, True, True),
        ({"N": "1796040000"}, False, False),
        ({"N": "1764500000000"}, False, False),  # milliseconds: the year 57885
        ({"S": "1700000000"}, False, False),
        ({"M": {"N": {"N": "1700000000"}}}, False, False),
        ({"N": "9.9E125"}, False, False),
        ({"N": "1700000000.5"}, True, True),
    ],
)
def test_only_a_number_of_seconds_in_the_last_five_years_expires(value: Any, expired: bool, eligible: bool) -> None:
    """AWS, "Using time to live (TTL)"."""
    item = {"pk": {"S": "a"}, "caduca": value}
    assert ttl.is_expired(item, "caduca", NOW) is expired
    assert ttl.is_eligible(item, "caduca", NOW) is eligible
    assert (ttl.is_expired(item, "Caduca", NOW), ttl.is_eligible({}, "caduca", NOW)) == (False, False)


def test_lateness_is_up_to_48_hours_and_mostly_a_few() -> None:
    late = sorted(ttl.lateness(7, "pedidos", n) for n in range(2000))
    assert late[0] >= 0
    assert 40 * HOUR < late[-1] <= 48 * HOUR
    assert late[1000] == pytest.approx(6 * HOUR, rel=0.15)


def test_lateness_depends_on_seed_and_item_alone() -> None:
    assert ttl.lateness(7, "pedidos", "a") == ttl.lateness(7, "pedidos", "a")
    assert len({ttl.lateness(7, "a"), ttl.lateness(8, "a"), ttl.lateness(7, "b")}) == 3


def test_an_item_is_deleted_after_its_expiry_and_after_ttl_came_into_force() -> None:
    item = {"caduca": {"N": "1700000000"}}
    when = ttl.deletion_time(item, "caduca", 7, "a", enabled_since=NOW)
    assert when is not None
    assert NOW <= when <= NOW + 48 * HOUR
    later = ttl.deletion_time({"caduca": {"N": "1796050000"}}, "caduca", 7, "a", enabled_since=NOW)
    assert later is not None
    assert 1_796_050_000 * MICROSECONDS < later <= 1_796_050_000 * MICROSECONDS + 48 * HOUR + 1
    assert ttl.deletion_time({"caduca": {"N": "1606000000"}}, "caduca", 7, enabled_since=NOW) is None
    assert ttl.deletion_time({"caduca": {"S": "1700000000"}}, "caduca", 7, enabled_since=NOW) is None


def test_a_change_of_ttl_takes_an_hour_and_allows_no_other_meanwhile() -> None:
    setting = ttl.TimeToLive()
    assert (setting.status(NOW), setting.sweeps(NOW)) == ("DISABLED", None)
    assert setting.check("caduca", NOW) is None
    assert setting.change("caduca", NOW) == NOW + HOUR
    assert (setting.status(NOW), setting.sweeps(NOW)) == ("ENABLING", None)
    assert (setting.status(NOW + HOUR), setting.sweeps(NOW + HOUR)) == ("ENABLED", "caduca")
    objection = setting.check(None, NOW + HOUR - 1)
    assert objection is not None
    assert objection.message == "Time to live has been modified multiple times within a fixed interval"
    assert setting.check(None, NOW + HOUR) is None
    setting.change(None, NOW + HOUR)
    assert (setting.status(NOW + HOUR), setting.sweeps(NOW + HOUR)) == ("DISABLING", "caduca")
    assert (setting.status(NOW + 2 * HOUR), setting.sweeps(NOW + 2 * HOUR)) == ("DISABLED", None)


def test_ttl_twice_on_is_an_error_of_its_own() -> None:
    setting = ttl.TimeToLive()
    setting.change("caduca", NOW)
    messages = [objection.message for name in ("caduca", "otra") if (objection := setting.check(name, NOW + HOUR))]
    assert messages[0] == "TimeToLive is already enabled"
    assert "current AttributeName is caduca" in messages[1]
    objection = ttl.TimeToLive().check(None, NOW)
    assert objection is not None
    assert objection.message == "TimeToLive is already disabled"
