"""Application Auto Scaling through boto3: it acts on the clock, late, and never on an idle table."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto.dynamodb.exceptions import MockValidationException

import dynamolab as lab
from dynamolab.live import autoscaling, metrics, monitoring
from dynamolab.live.clock import START
from dynamolab.live.schedules import next_time
from dynamolab.model.throttling import Side

WRITES = {
    "ServiceNamespace": "dynamodb",
    "ResourceId": "table/pedidos",
    "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
}
MICROSECONDS = 1_000_000


@pytest.fixture
def scaling(running_lab: None) -> Iterator[Any]:
    monitoring.install()
    monitoring.reset()
    yield boto3.client("application-autoscaling")
    monitoring.remove()


@pytest.fixture
def table(scaling: Any, make_table: Callable[..., str]) -> str:
    index = {
        "IndexName": "by-sk",
        "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 50},
    }
    return make_table(
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 100},
        GlobalSecondaryIndexes=[index],
    )


def policy(side: Side = "write", target: float = 70, **more: Any) -> dict[str, Any]:
    predefined = {"PredefinedMetricType": f"DynamoDB{side.capitalize()}CapacityUtilization"}
    return {
        "PolicyName": "keep-seventy",
        "PolicyType": "TargetTrackingScaling",
        "TargetTrackingScalingPolicyConfiguration": {
            "TargetValue": target, "PredefinedMetricSpecification": predefined, **more,
        },
    }  # fmt: skip


def follow(
    scaling: Any, resource: dict[str, str] = WRITES, limits: tuple[int, int] = (5, 1_000), side: Side = "write",
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    scaling.register_scalable_target(**resource, MinCapacity=limits[0], MaxCapacity=limits[1])
    return dict(scaling.put_scaling_policy(**resource, **policy(side, **more)))


def minutes(number: int, rate: float, index: str | None = None, side: Side = "write") -> None:
    """So many simulated minutes of a steady rate, in units a second."""
    for _ in range(number):
        metrics.recorder.consumed("pedidos", index, side, rate * 60, lab.clock.microseconds)
        lab.clock.advance(minutes=1)


def units(client: Any, index: bool = False) -> int:
    described = client.describe_table(TableName="pedidos")["Table"]
    place = described["GlobalSecondaryIndexes"][0] if index else described
    return int(place["ProvisionedThroughput"]["WriteCapacityUnits"])


def alarms(kind: str = "") -> dict[str, Any]:
    found = boto3.client("cloudwatch").describe_alarms()["MetricAlarms"]
    return {alarm["AlarmName"].split("-")[2]: alarm for alarm in found if kind in alarm["AlarmName"]}


# --- target tracking ------------------------------------------------------------------------------------------------


def test_ninety_of_a_hundred_units_become_129_three_minutes_after_two_minutes(
    scaling: Any, client: Any, table: str
) -> None:
    follow(scaling)
    minutes(2, 90)
    assert units(client) == 100
    minutes(2, 90)
    assert units(client) == 100
    minutes(2, 90)
    assert units(client) == 129
    (activity,) = scaling.describe_scaling_activities(ServiceNamespace="dynamodb")["ScalingActivities"]
    assert activity["Description"] == "Setting write capacity units to 129."
    assert activity["StartTime"] == START + dt.timedelta(minutes=2)
    assert activity["EndTime"] >= START + dt.timedelta(minutes=5)
    assert activity["StatusCode"] == "Successful"
    assert "AlarmHigh" in activity["Cause"]


def test_spikes_more_than_a_minute_apart_do_not_scale(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    for _ in range(5):
        minutes(1, 90)
        minutes(1, 60)
    lab.clock.advance(minutes=10)
    assert units(client) == 100


def test_fifteen_quiet_minutes_scale_in(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    minutes(14, 10)
    lab.clock.advance(seconds=1)
    assert scaling.describe_scaling_activities(ServiceNamespace="dynamodb")["ScalingActivities"] == []
    minutes(5, 10)
    assert units(client) == 15


def test_a_table_without_traffic_is_never_scaled_in_and_an_idle_year_is_not_looked_at(
    scaling: Any, client: Any, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(scaling)
    seen = []
    original = autoscaling.Scaler._minute
    monkeypatch.setattr(autoscaling.Scaler, "_minute", lambda scaler: (seen.append(True), original(scaler)))
    lab.clock.advance(days=365)
    assert units(client) == 100
    assert len(seen) < 5


def test_scale_in_may_be_disabled_and_then_has_no_low_alarm(scaling: Any, client: Any, table: str) -> None:
    answer = follow(scaling, DisableScaleIn=True)
    assert len(answer["Alarms"]) == 3
    assert "AlarmLow" not in alarms()
    minutes(20, 10)
    assert units(client) == 100


def test_the_limits_hold(scaling: Any, client: Any, table: str) -> None:
    follow(scaling, limits=(40, 110))
    minutes(6, 95)
    assert units(client) == 110
    minutes(20, 1)
    assert units(client) == 40


def test_capacity_outside_new_limits_is_brought_into_them(scaling: Any, client: Any, table: str) -> None:
    follow(scaling, limits=(200, 1_000))
    lab.clock.advance(minutes=1)
    assert units(client) == 200


def test_an_index_is_scaled_by_its_own_consumption(scaling: Any, client: Any, table: str) -> None:
    place = {
        "ServiceNamespace": "dynamodb", "ResourceId": "table/pedidos/index/by-sk",
        "ScalableDimension": "dynamodb:index:WriteCapacityUnits",
    }  # fmt: skip
    follow(scaling, place)
    for _ in range(6):
        metrics.recorder.consumed("pedidos", None, "write", 90 * 60, lab.clock.microseconds)
        minutes(1, 45, "by-sk")
    assert (units(client), units(client, index=True)) == (100, 65)
    (high,) = alarms("AlarmHigh").values()
    assert {each["Name"]: each["Value"] for each in high["Dimensions"]} == {
        "TableName": "pedidos", "GlobalSecondaryIndexName": "by-sk",
    }  # fmt: skip


def test_suspended_scaling_out_waits(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    scaling.register_scalable_target(**WRITES, SuspendedState={"DynamicScalingOutSuspended": True})
    minutes(6, 90)
    assert units(client) == 100
    scaling.register_scalable_target(**WRITES, SuspendedState={"DynamicScalingOutSuspended": False})
    minutes(6, 90)
    assert units(client) == 129


def test_the_quota_of_decreases_delays_a_scale_in(
    scaling: Any, client: Any, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(scaling)
    allowed = False
    monkeypatch.setattr(autoscaling.scaler, "may_decrease", lambda table, index, side: allowed)
    minutes(25, 10)
    assert units(client) == 100
    allowed = True
    minutes(5, 10)
    assert units(client) == 15


def test_a_change_that_the_control_plane_refuses_is_a_failed_activity(
    scaling: Any, client: Any, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: Any) -> None:
        raise MockValidationException("not now")

    follow(scaling)
    monkeypatch.setattr(autoscaling.scaler, "apply", refuse)
    minutes(6, 90)
    # It is tried again as long as consumption stays above the target.
    activity = scaling.describe_scaling_activities(ServiceNamespace="dynamodb")["ScalingActivities"][-1]
    assert (activity["StatusCode"], "not now" in activity["StatusMessage"]) == ("Failed", True)
    assert units(client) == 100


def test_a_target_that_is_deregistered_meanwhile_is_left_alone(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    minutes(2, 90)
    scaling.deregister_scalable_target(**WRITES)
    lab.clock.advance(minutes=10)
    assert units(client) == 100
    assert scaling.describe_scaling_policies(ServiceNamespace="dynamodb")["ScalingPolicies"] == []
    assert alarms() == {}


# --- alarms ---------------------------------------------------------------------------------------------------------


def test_a_policy_makes_four_alarms_with_the_recorded_thresholds(scaling: Any, client: Any, table: str) -> None:
    """Recorded from the service for 5 units at 70 %: above 210 and below 150 a minute."""
    reads = {**WRITES, "ScalableDimension": "dynamodb:table:ReadCapacityUnits"}
    answer = follow(scaling, reads, side="read")
    assert len(answer["Alarms"]) == 4
    found = alarms()
    seen = {
        name: (
            alarm["MetricName"], alarm["Statistic"], alarm["Period"], alarm["EvaluationPeriods"], alarm["Threshold"],
            alarm["ComparisonOperator"],
        )
        for name, alarm in found.items()
    }  # fmt: skip
    assert seen == {
        "AlarmHigh": ("ConsumedReadCapacityUnits", "Sum", 60, 2, 210.0, "GreaterThanThreshold"),
        "AlarmLow": ("ConsumedReadCapacityUnits", "Sum", 60, 15, 150.0, "LessThanThreshold"),
        "ProvisionedCapacityHigh": ("ProvisionedReadCapacityUnits", "Average", 300, 2, 5.0, "GreaterThanThreshold"),
        "ProvisionedCapacityLow": ("ProvisionedReadCapacityUnits", "Average", 300, 3, 5.0, "LessThanThreshold"),
    }
    assert all(alarm["AlarmName"].startswith("TargetTracking-table/pedidos-") for alarm in found.values())


def test_reads_and_writes_of_a_table_have_eight_alarms(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    follow(scaling, {**WRITES, "ScalableDimension": "dynamodb:table:ReadCapacityUnits"}, side="read")
    assert len(boto3.client("cloudwatch").describe_alarms()["MetricAlarms"]) == 8


def test_the_high_alarm_goes_off_after_two_minutes_and_its_threshold_follows_capacity(
    scaling: Any, client: Any, table: str
) -> None:
    follow(scaling)
    minutes(2, 90)
    (high,) = alarms("AlarmHigh").values()
    assert (high["StateValue"], high["Threshold"]) == ("ALARM", 4_200)
    assert high["StateTransitionedTimestamp"] == START + dt.timedelta(minutes=2)
    minutes(8, 90)
    (high,) = alarms("AlarmHigh").values()
    assert (high["StateValue"], high["Threshold"]) == ("OK", 5_418)


def test_thresholds_follow_a_change_made_by_hand(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    client.update_table(TableName="pedidos", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 200})
    lab.clock.advance(minutes=1)
    metrics.recorder.sync()
    lab.clock.advance(minutes=1)
    assert alarms()["AlarmHigh"]["Threshold"] == 8_400


def test_a_policy_that_is_put_again_keeps_its_arn_and_replaces_its_alarms(scaling: Any, table: str) -> None:
    first = follow(scaling)
    again = follow(scaling, target=50)
    assert again["PolicyARN"] == first["PolicyARN"]
    assert alarms()["AlarmHigh"]["Threshold"] == 3_000
    assert len(boto3.client("cloudwatch").describe_alarms()["MetricAlarms"]) == 4
    assert all(first["PolicyARN"] in alarm["AlarmActions"][0] for alarm in alarms().values())


# --- scheduled actions ----------------------------------------------------------------------------------------------


def test_a_scheduled_action_moves_the_limits_at_its_time(scaling: Any, client: Any, table: str) -> None:
    follow(scaling)
    scaling.put_scheduled_action(
        **WRITES, ScheduledActionName="sale", Schedule="at(2026-09-06T12:00:00)",
        ScalableTargetAction={"MinCapacity": 320, "MaxCapacity": 2_000},
    )  # fmt: skip
    lab.clock.advance(minutes=119)
    assert units(client) == 100
    lab.clock.advance(minutes=2)
    assert units(client) == 320
    (target,) = scaling.describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"]
    assert (target["MinCapacity"], target["MaxCapacity"]) == (320, 2_000)


def test_a_target_without_a_policy_follows_its_schedule_too(scaling: Any, client: Any, table: str) -> None:
    scaling.register_scalable_target(**WRITES, MinCapacity=5, MaxCapacity=1_000)
    scaling.put_scheduled_action(
        **WRITES, ScheduledActionName="daily", Schedule="cron(0 8 * * ? *)", Timezone="Europe/Madrid",
        ScalableTargetAction={"MinCapacity": 150},
    )  # fmt: skip
    lab.clock.advance(hours=19, minutes=59)
    assert units(client) == 100
    lab.clock.advance(minutes=2)  # 06:01 UTC of the next day
    assert units(client) == 150


def test_a_deleted_or_replaced_scheduled_action_does_not_happen(scaling: Any, client: Any, table: str) -> None:
    scaling.register_scalable_target(**WRITES, MinCapacity=5, MaxCapacity=1_000)
    action = {**WRITES, "ScheduledActionName": "sale", "ScalableTargetAction": {"MinCapacity": 320}}
    scaling.put_scheduled_action(**action, Schedule="at(2026-09-06T11:00:00)")
    scaling.put_scheduled_action(**action, Schedule="at(2026-09-06T13:00:00)")
    lab.clock.advance(minutes=90)
    assert units(client) == 100
    scaling.delete_scheduled_action(**WRITES, ScheduledActionName="sale")
    lab.clock.advance(hours=5)
    assert units(client) == 100


def text(schedule: str, after: str, timezone: str = "UTC") -> str | None:
    moment = dt.datetime.fromisoformat(after).replace(tzinfo=dt.UTC)
    found = next_time(schedule, timezone, int(moment.timestamp()) * MICROSECONDS)
    return None if found is None else f"{dt.datetime.fromtimestamp(found / MICROSECONDS, dt.UTC):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("schedule", "after", "timezone", "wanted"),
    [
        ("at(2026-09-06T12:00:00)", "2026-09-06T10:00", "UTC", "2026-09-06 12:00"),
        ("at(2026-09-06T12:00:00)", "2026-09-06T10:00", "Europe/Madrid", None),  # 10:00 UTC: not after
        ("rate(90 minutes)", "2026-09-06T10:00", "UTC", "2026-09-06 11:30"),
        ("rate(1 day)", "2026-09-06T10:00", "UTC", "2026-09-07 10:00"),
        ("cron(0 8 * * ? *)", "2026-09-06T10:00", "UTC", "2026-09-07 08:00"),
        ("cron(0/15 * * * ? *)", "2026-09-06T10:01", "UTC", "2026-09-06 10:15"),
        ("cron(30 9 ? * MON-FRI *)", "2026-09-05T10:00", "UTC", "2026-09-07 09:30"),  # a Saturday
        ("cron(0 0 1 1,7 ? *)", "2026-09-06T10:00", "UTC", "2027-01-01 00:00"),
        ("cron(0 0 25 NOV ? 2026)", "2026-09-06T10:00", "America/New_York", "2026-11-25 05:00"),
        ("cron(0 0 1 1 ? 2020)", "2026-09-06T10:00", "UTC", None),
        ("cron(0 12 29 2 ? *)", "2026-09-06T10:00", "UTC", "2028-02-29 12:00"),
        ("cron(0 0 1 1 ? 2033)", "2026-09-06T10:00", "UTC", "2033-01-01 00:00"),
        ("cron(59 23 31 12 ? 2199)", "2026-09-06T10:00", "UTC", "2199-12-31 23:59"),  # the last year that cron knows
        ("cron(59 23 31 12 ? 2199)", "2199-12-31T23:59", "UTC", None),
        ("cron(0 0 30 2 ? *)", "2026-09-06T10:00", "UTC", None),
    ],
)
def test_schedules_fall_due_in_their_time_zone(schedule: str, after: str, timezone: str, wanted: str | None) -> None:
    assert text(schedule, after, timezone) == wanted


@pytest.mark.parametrize(
    "schedule", ["", "daily", "at(noon)", "rate(0 days)", "rate(1 fortnight)", "cron(0 8 * * *)", "cron(61 8 * * ? *)"]
)
def test_a_schedule_that_cannot_be_read_is_refused(scaling: Any, table: str, schedule: str) -> None:
    scaling.register_scalable_target(**WRITES, MinCapacity=5, MaxCapacity=1_000)
    with pytest.raises(ClientError, match="not valid|Schedule"):
        scaling.put_scheduled_action(**WRITES, ScheduledActionName="sale", Schedule=schedule or " ")


# --- refusals and identity ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [19, 91])
def test_a_target_outside_20_to_90_percent_is_refused(scaling: Any, table: str, target: float) -> None:
    with pytest.raises(ClientError, match="between 20 and 90 percent"):
        follow(scaling, target=target)


def test_what_is_not_there_or_does_not_fit_is_refused(scaling: Any, table: str) -> None:
    with pytest.raises(ClientError, match="No scalable target registered"):
        scaling.put_scaling_policy(**WRITES, **policy())
    with pytest.raises(ClientError, match="does not exist"):
        scaling.register_scalable_target(**{**WRITES, "ResourceId": "table/other"}, MinCapacity=1, MaxCapacity=2)
    with pytest.raises(ClientError, match="required"):
        scaling.register_scalable_target(**WRITES)
    with pytest.raises(ClientError, match="less than"):
        scaling.register_scalable_target(**WRITES, MinCapacity=3, MaxCapacity=2)
    scaling.register_scalable_target(**WRITES, MinCapacity=1, MaxCapacity=2)
    with pytest.raises(ClientError, match="PredefinedMetricType"):
        scaling.put_scaling_policy(**WRITES, **policy("read"))


def test_all_dates_are_simulated_and_the_same_story_gives_the_same_bytes(
    scaling: Any, client: Any, table: str, make_table: Callable[..., str]
) -> None:
    def story() -> str:
        service = boto3.client("application-autoscaling")
        follow(service)
        service.put_scheduled_action(
            **WRITES, ScheduledActionName="sale", Schedule="rate(1 day)", ScalableTargetAction={"MinCapacity": 9}
        )
        minutes(6, 90)
        answers = [
            getattr(service, f"describe_{what}")(ServiceNamespace="dynamodb")
            for what in ("scalable_targets", "scaling_policies", "scheduled_actions", "scaling_activities")
        ]
        return json.dumps([*answers, boto3.client("cloudwatch").describe_alarms()], default=str)

    first = story()
    lab.start(seed=7)
    monitoring.install()
    monitoring.reset()
    index = {
        "IndexName": "by-sk", "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 50},
    }  # fmt: skip
    make_table(
        BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 100},
        GlobalSecondaryIndexes=[index],
    )  # fmt: skip
    again = story()
    assert again == first
    assert first.count('"CreationTime": "2026-09-06 10:00:00+00:00"') == 3
