"""Auto scaling: two minutes out, fifteen in, and always late."""

from __future__ import annotations

from typing import Any

import pytest

from dynamolab.model.autoscaling import MINUTE, AutoScaling, Policy, ScheduledAction, Step
from dynamolab.model.meters import MICROSECONDS
from dynamolab.model.modes import DecreaseHistory
from dynamolab.model.partitions import PartitionedTable

START = 1_788_688_800 * MICROSECONDS
ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"


def feed(scaling: AutoScaling, rates: list[float], units: int, first: int = 0, **more: Any) -> list[Step]:
    """Feed minutes of a steady rate each, in units a second; return the steps decided."""
    steps = [scaling.observe(START + (first + n) * MINUTE, rate * 60, units, **more) for n, rate in enumerate(rates)]
    return [step for step in steps if step is not None]


def test_the_lines_of_the_alarms_are_the_recorded_ones() -> None:
    """Recorded from the service: 1 WCU at 70 % alarms above 42 a minute; 5 RCU above 210 and below 150."""
    policy = Policy(1, 10, 0.7)
    assert policy.high_line(1) == pytest.approx(42)
    assert (policy.high_line(5), policy.low_line(5)) == (pytest.approx(210), pytest.approx(150))


def test_two_minutes_above_the_target_scale_out_to_consumption_over_target() -> None:
    """At 90 of 100 units and a target of 70 %, the new setting is 129."""
    steps = feed(AutoScaling(Policy(5, 40_000)), [90, 90], 100)
    assert [(step.units, step.cause) for step in steps] == [(129, "scale out")]
    assert steps[0].decided == START + 2 * MINUTE
    assert steps[0].effective == steps[0].decided + 3 * MINUTE


def test_spikes_more_than_a_minute_apart_never_trigger() -> None:
    assert feed(AutoScaling(Policy(5, 40_000)), [90, 10] * 10, 100) == []


def test_fifteen_minutes_far_below_scale_in() -> None:
    scaling = AutoScaling(Policy(5, 40_000))
    assert feed(scaling, [10] * 14, 100) == []
    steps = feed(scaling, [10], 100, first=14)
    assert [(step.units, step.cause) for step in steps] == [(15, "scale in")]


def test_minutes_between_the_two_lines_change_nothing() -> None:
    assert feed(AutoScaling(Policy(5, 40_000)), [60] * 60, 100) == []


def test_scale_in_waits_for_the_quota_of_decreases() -> None:
    scaling, decreases = AutoScaling(Policy(5, 40_000)), DecreaseHistory()
    for minute in range(4):
        decreases.decrease(START + minute * MINUTE)
    decided = []
    for minute in range(90):
        allowed = decreases.check(START + minute * MINUTE) is None
        step = scaling.observe(START + minute * MINUTE, 600, 100, may_decrease=allowed)
        if step is not None:
            decided.append(minute)
            decreases.decrease(step.effective)
    assert decided == [63]


def test_scale_in_can_be_disabled() -> None:
    assert feed(AutoScaling(Policy(5, 40_000, scale_in=False)), [1] * 60, 100) == []


def test_capacity_stays_between_its_limits() -> None:
    assert feed(AutoScaling(Policy(5, 110)), [90, 90], 100)[0].units == 110
    assert feed(AutoScaling(Policy(50, 110)), [1] * 15, 100)[0].units == 50
    assert feed(AutoScaling(Policy(5, 100)), [90, 90, 90], 100) == []


@pytest.mark.parametrize(("target", "limits"), [(0.19, (1, 2)), (0.91, (1, 2)), (0.7, (0, 2)), (0.7, (3, 2))])
def test_a_target_outside_20_to_90_percent_or_limits_without_sense_are_refused(
    target: float, limits: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="utilisation|limits"):
        Policy(*limits, target)


def test_a_minute_without_data_breaks_the_run() -> None:
    scaling = AutoScaling(Policy(5, 40_000))
    assert feed(scaling, [90], 100) == []
    assert feed(scaling, [90], 100, first=2) == []
    assert len(feed(scaling, [90], 100, first=3)) == 1
    with pytest.raises(ValueError, match="once each"):
        scaling.observe(START + 3 * MINUTE, 1, 1)


def test_a_scheduled_action_raises_capacity_at_its_time() -> None:
    scaling = AutoScaling(Policy(5, 40_000), (ScheduledAction(START + 10 * MINUTE, 320, 40_000),))
    assert scaling.scheduled(START + 10 * MINUTE - 1, 85) is None
    step = scaling.scheduled(START + 60 * MINUTE, 85)
    assert step is not None
    assert (step.units, step.decided, step.cause) == (320, START + 10 * MINUTE, "scheduled")
    assert scaling.scheduled(START + 61 * MINUTE, 320) is None
    assert scaling.policy.minimum == 320


def test_the_lag_a_spike_of_three_minutes_meets_new_capacity_when_it_is_over() -> None:
    """AWS: capacity follows minutes later, and until then the burst must carry: 100 WCU hold 30,000 units."""
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=100)
    scaling, units, refused = AutoScaling(Policy(5, 40_000)), 100, []
    step: Step | None = None
    for minute in range(10):
        consumed = 0.0
        for second in range(60):
            now = START + minute * MINUTE + second * MICROSECONDS
            if step is not None and now >= step.effective:
                units, step = step.units, None
                table.provision("PROVISIONED", read_units=1, write_units=units, now=now)
            for _ in range(40 if minute < 6 else 4):
                if table.refusal("write", table.partitions, now) is None:
                    table.charge("write", table.partitions[0], 10, now)
                    consumed += 10
                else:
                    refused.append(60 * minute + second)
        step = scaling.observe(START + minute * MINUTE, consumed, units) or step
    # 400 a second drain 300: the bucket lasts 100 seconds, the alarm comes at 2 minutes, the capacity at 5.
    assert (min(refused), max(refused)) == (pytest.approx(100, abs=1), 300)
    assert scaling.steps[0].units > 100
    assert scaling.steps[0].effective == START + 5 * MINUTE
