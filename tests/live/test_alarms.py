"""CloudWatch's alarms in simulated time: M out of N, missing data, history, and sleep while nothing happens."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live import alarms, metrics, monitoring
from dynamolab.live.alarms import State, judge
from dynamolab.live.clock import START
from dynamolab.live.session import sandbox

TOPIC = "arn:aws:sns:eu-west-1:123456789012:on-call"
REQUESTS = {"TableName": "pedidos", "Operation": "PutItem"}


@pytest.fixture
def cloudwatch(running_lab: None) -> Iterator[Any]:
    monitoring.install()
    monitoring.reset()
    yield boto3.client("cloudwatch")
    monitoring.remove()


def put(cloudwatch: Any, **changes: Any) -> None:
    settings: dict[str, Any] = {
        "AlarmName": "throttled",
        "Namespace": "AWS/DynamoDB",
        "MetricName": "ThrottledRequests",
        "Dimensions": [{"Name": name, "Value": value} for name, value in REQUESTS.items()],
        "Statistic": "Sum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "Threshold": 10,
        "ComparisonOperator": "GreaterThanThreshold",
        "AlarmActions": [TOPIC],
    }
    given = {name: value for name, value in {**settings, **changes}.items() if value is not None}
    cloudwatch.put_metric_alarm(**given)


def minute(throttled: int) -> None:
    """One simulated minute with so many throttled requests."""
    for _ in range(throttled):
        metrics.recorder.throttled_request("pedidos", "PutItem", lab.clock.microseconds)
    lab.clock.advance(minutes=1)


def alarm(cloudwatch: Any, name: str = "throttled") -> dict[str, Any]:
    (found,) = cloudwatch.describe_alarms(AlarmNames=[name])["MetricAlarms"]
    return dict(found)


def state(cloudwatch: Any) -> str:
    return str(alarm(cloudwatch)["StateValue"])


def transitions(cloudwatch: Any) -> list[tuple[str, str]]:
    items = cloudwatch.describe_alarm_history(
        AlarmName="throttled", HistoryItemType="StateUpdate", ScanBy="TimestampAscending"
    )["AlarmHistoryItems"]
    times = [f"{item['Timestamp'].astimezone(dt.UTC):%H:%M}" for item in items]
    return list(zip(times, (item["HistorySummary"].split(" to ")[1] for item in items), strict=True))


# --- the rules ------------------------------------------------------------------------------------------------------

KEPT = "kept"
TABLE = [
    # Examples of "Configuring how CloudWatch alarms treat missing data": 3 out of 3, then 2 out of 3.
    (3, "0 - X - X", "OK", "OK", "OK", "OK"),
    (3, "0 - - - -", "OK", "OK", "OK", "OK"),
    (3, "- - - - -", "INSUFFICIENT_DATA", KEPT, "ALARM", "OK"),
    (3, "0 X X - X", "ALARM", "ALARM", "ALARM", "ALARM"),
    (3, "- - X - -", "ALARM", KEPT, "ALARM", "OK"),
    (2, "0 - X - X", "ALARM", "ALARM", "ALARM", "ALARM"),
    (2, "0 0 X 0 X", "ALARM", "ALARM", "ALARM", "ALARM"),
    (2, "0 - X - -", "OK", "OK", "ALARM", "OK"),
    (2, "- - - - 0", "OK", "OK", "ALARM", "OK"),
    (2, "- - - X -", "ALARM", KEPT, "ALARM", "OK"),
]


@pytest.mark.parametrize("before", ["OK", "ALARM", "INSUFFICIENT_DATA"])
@pytest.mark.parametrize(("to_alarm", "points", "missing", "ignore", "breaching", "not_breaching"), TABLE)
def test_missing_data_is_treated_as_in_the_documentation_s_examples(
    to_alarm: int, points: str, missing: str, ignore: str, breaching: str, not_breaching: str, before: State
) -> None:
    values = [{"0": False, "X": True, "-": None}[point] for point in points.split()]
    wanted = {"missing": missing, "ignore": ignore, "breaching": breaching, "notBreaching": not_breaching}
    for treatment, state in wanted.items():
        found, _ = judge(values, periods=3, to_alarm=to_alarm, missing=treatment, state=before)
        assert found == (before if state == KEPT else state), treatment


# --- through boto3 --------------------------------------------------------------------------------------------------


def test_a_new_alarm_has_insufficient_data_and_says_that_it_is_unchecked(cloudwatch: Any) -> None:
    put(cloudwatch)
    found = alarm(cloudwatch)
    assert (found["StateValue"], found["StateReason"]) == ("INSUFFICIENT_DATA", "Unchecked: Initial alarm creation")
    assert found["StateUpdatedTimestamp"] == found["StateTransitionedTimestamp"] == START


def test_an_alarm_goes_off_when_the_minute_is_over_and_says_why_in_simulated_time(cloudwatch: Any) -> None:
    put(cloudwatch)
    minute(3)
    assert state(cloudwatch) == "OK"
    minute(20)
    found = alarm(cloudwatch)
    assert found["StateValue"] == "ALARM"
    assert found["StateTransitionedTimestamp"] == START + dt.timedelta(minutes=2)
    assert found["StateReason"] == (
        "Threshold Crossed: 1 out of the last 1 datapoints [20.0 (06/09/26 10:01:00)] was greater than the threshold "
        "(10.0) (minimum 1 datapoint for OK -> ALARM transition)."
    )
    data = json.loads(found["StateReasonData"])
    assert (data["recentDatapoints"], data["threshold"], data["period"]) == ([20.0], 10.0, 60)
    minute(1)
    assert state(cloudwatch) == "OK"
    assert transitions(cloudwatch) == [("10:01", "OK"), ("10:02", "ALARM"), ("10:03", "OK")]


def test_nothing_is_judged_before_the_minute_is_over(cloudwatch: Any) -> None:
    put(cloudwatch)
    for _ in range(20):
        metrics.recorder.throttled_request("pedidos", "PutItem", lab.clock.microseconds)
    lab.clock.advance(seconds=59)
    assert state(cloudwatch) == "INSUFFICIENT_DATA"
    lab.clock.advance(seconds=1)
    assert state(cloudwatch) == "ALARM"


def test_two_out_of_three_needs_two(cloudwatch: Any) -> None:
    put(cloudwatch, EvaluationPeriods=3, DatapointsToAlarm=2)
    for throttled in (20, 1, 20, 1, 1):
        minute(throttled)
    # One breaching minute and two without data leave it as it was.
    assert transitions(cloudwatch) == [("10:02", "OK"), ("10:03", "ALARM"), ("10:04", "OK")]


def test_a_dynamodb_metric_s_missing_data_is_ignored_so_the_alarm_stays_as_it_was(cloudwatch: Any) -> None:
    put(cloudwatch)
    minute(20)
    lab.clock.advance(days=1)
    assert state(cloudwatch) == "ALARM"


def test_the_alarm_s_own_choice_about_missing_data_rules(cloudwatch: Any) -> None:
    put(cloudwatch, TreatMissingData="notBreaching")
    minute(20)
    lab.clock.advance(minutes=10)
    assert transitions(cloudwatch) == [("10:01", "ALARM"), ("10:04", "OK")]
    assert alarm(cloudwatch)["StateReason"] == (
        "Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint was treated as "
        "[NotBreaching]."
    )


def test_an_alarm_told_to_treat_missing_as_missing_has_insufficient_data_when_all_is_missing(cloudwatch: Any) -> None:
    put(cloudwatch, TreatMissingData="missing")
    minute(20)
    lab.clock.advance(minutes=10)
    assert transitions(cloudwatch) == [("10:01", "ALARM"), ("10:04", "INSUFFICIENT_DATA")]
    assert alarm(cloudwatch)["StateReason"] == "Insufficient Data: 1 datapoint was unknown."


def test_an_alarm_over_five_minutes_sums_them(cloudwatch: Any) -> None:
    put(cloudwatch, Period=300, Threshold=49)
    for _ in range(4):
        minute(10)
    assert state(cloudwatch) == "OK"
    minute(10)
    assert state(cloudwatch) == "ALARM"


def test_a_percentile_of_consumption_may_alarm(cloudwatch: Any) -> None:
    put(
        cloudwatch, MetricName="ConsumedWriteCapacityUnits", Statistic=None, ExtendedStatistic="p90", Threshold=100,
        Dimensions=[{"Name": "TableName", "Value": "pedidos"}],
    )  # fmt: skip
    for units in [1] * 8 + [400, 400]:
        metrics.recorder.consumed("pedidos", None, "write", units, lab.clock.microseconds)
    lab.clock.advance(minutes=1)
    assert state(cloudwatch) == "ALARM"


def test_an_alarm_on_metric_math_is_evaluated(cloudwatch: Any) -> None:
    metric = {"Namespace": "AWS/DynamoDB", "MetricName": "ConsumedWriteCapacityUnits",
              "Dimensions": [{"Name": "TableName", "Value": "pedidos"}]}  # fmt: skip
    cloudwatch.put_metric_alarm(
        AlarmName="throttled", EvaluationPeriods=1, Threshold=50, ComparisonOperator="GreaterThanThreshold",
        Metrics=[
            {"Id": "used", "ReturnData": False, "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum"}},
            {"Id": "rate", "Expression": "used / PERIOD(used)", "ReturnData": True},
        ],
    )  # fmt: skip
    metrics.recorder.consumed("pedidos", None, "write", 3_000, lab.clock.microseconds)
    lab.clock.advance(minutes=1)
    assert state(cloudwatch) == "OK"
    metrics.recorder.consumed("pedidos", None, "write", 3_060, lab.clock.microseconds)
    lab.clock.advance(minutes=1)
    assert state(cloudwatch) == "ALARM"


def test_an_alarm_that_could_not_be_evaluated_is_refused_when_it_is_put(cloudwatch: Any) -> None:
    with pytest.raises(ClientError, match="multiple of 60"):
        put(cloudwatch, Period=90)
    assert cloudwatch.describe_alarms()["MetricAlarms"] == []
    put(cloudwatch)
    with pytest.raises(ClientError, match="multiple of 60"):
        put(cloudwatch, Period=90)
    assert alarm(cloudwatch)["Period"] == 60


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"Statistic": None}, "needs a Statistic or an ExtendedStatistic"),
        ({"TreatMissingData": "zero"}, "TreatMissingData is one of .*, not zero"),
        ({"EvaluationPeriods": 3, "DatapointsToAlarm": 4}, "4 is above 3"),
    ],
)
def test_an_alarm_that_cloudwatch_refuses_is_refused(cloudwatch: Any, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ClientError, match=message):
        put(cloudwatch, **changes)
    assert cloudwatch.describe_alarms()["MetricAlarms"] == []
    put(cloudwatch, EvaluationPeriods=3, DatapointsToAlarm=3, TreatMissingData="breaching")
    assert alarm(cloudwatch)["DatapointsToAlarm"] == 3


def test_actions_are_recorded_unless_they_are_disabled(cloudwatch: Any) -> None:
    put(cloudwatch)
    minute(20)
    cloudwatch.disable_alarm_actions(AlarmNames=["throttled"])
    minute(1)
    minute(20)
    items = cloudwatch.describe_alarm_history(AlarmName="throttled", HistoryItemType="Action")["AlarmHistoryItems"]
    assert [item["HistorySummary"] for item in items] == [f"Successfully executed action {TOPIC}"]
    assert len(transitions(cloudwatch)) == 3


def test_the_history_tells_of_creation_change_and_deletion_newest_first(cloudwatch: Any) -> None:
    put(cloudwatch)
    put(cloudwatch, Threshold=30)
    cloudwatch.delete_alarms(AlarmNames=["throttled"])
    items = cloudwatch.describe_alarm_history(AlarmName="throttled")["AlarmHistoryItems"]
    assert [item["HistorySummary"].split()[-1] for item in items] == ["deleted", "updated", "created"]
    page = cloudwatch.describe_alarm_history(AlarmName="throttled", MaxRecords=2)
    rest = cloudwatch.describe_alarm_history(AlarmName="throttled", MaxRecords=2, NextToken=page["NextToken"])
    assert page["AlarmHistoryItems"] + rest["AlarmHistoryItems"] == items


def test_a_changed_alarm_keeps_its_state_until_it_is_evaluated(cloudwatch: Any) -> None:
    put(cloudwatch)
    minute(20)
    put(cloudwatch, Threshold=30)
    assert state(cloudwatch) == "ALARM"
    minute(20)
    assert state(cloudwatch) == "OK"


def test_a_state_set_by_hand_lasts_until_the_next_evaluation(cloudwatch: Any) -> None:
    put(cloudwatch, TreatMissingData="notBreaching")
    lab.clock.advance(minutes=1)
    cloudwatch.set_alarm_state(AlarmName="throttled", StateValue="ALARM", StateReason="a drill")
    assert alarm(cloudwatch)["StateReason"] == "a drill"
    lab.clock.advance(minutes=1)
    assert state(cloudwatch) == "OK"
    assert [name for _, name in transitions(cloudwatch)] == ["OK", "ALARM", "OK"]


def test_alarms_are_found_by_their_state(cloudwatch: Any) -> None:
    put(cloudwatch)
    put(cloudwatch, AlarmName="other", Threshold=1_000)
    minute(20)
    found = cloudwatch.describe_alarms(StateValue="ALARM")["MetricAlarms"]
    assert [each["AlarmName"] for each in found] == ["throttled"]


def test_an_alarm_on_provisioned_capacity_sees_the_level(cloudwatch: Any, make_table: Callable[..., str]) -> None:
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 100})
    put(
        cloudwatch, MetricName="ProvisionedWriteCapacityUnits", Statistic="Average", Period=300, Threshold=200,
        ComparisonOperator="LessThanThreshold", Dimensions=[{"Name": "TableName", "Value": "pedidos"}],
    )  # fmt: skip
    lab.clock.advance(minutes=1)
    assert state(cloudwatch) == "ALARM"


def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    seen: list[int] = []
    original = alarms.Watch._evaluate_one

    def counted(watch: Any, which: Any, now: int) -> None:
        seen.append(now)
        original(watch, which, now)

    monkeypatch.setattr(alarms.Watch, "_evaluate_one", counted)
    return seen


@pytest.mark.parametrize("missing", ["missing", "ignore", "breaching", "notBreaching"])
def test_an_idle_alarm_sleeps_through_a_year(cloudwatch: Any, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(cloudwatch, TreatMissingData=missing, EvaluationPeriods=5)
    minute(20)
    seen = evaluations(monkeypatch)
    lab.clock.advance(days=365)
    assert 0 < len(seen) < 20
    minute(20)
    assert seen[-1] == lab.clock.time()


def test_an_alarm_on_a_level_sleeps_while_it_stays(
    cloudwatch: Any, make_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 100})
    put(
        cloudwatch, MetricName="ProvisionedWriteCapacityUnits", Statistic="Average", Threshold=200,
        Dimensions=[{"Name": "TableName", "Value": "pedidos"}],
    )  # fmt: skip
    seen = evaluations(monkeypatch)
    lab.clock.advance(days=365)
    assert 0 < len(seen) < 20
    assert state(cloudwatch) == "OK"


def test_without_an_alarm_nothing_is_on_the_agenda(cloudwatch: Any) -> None:
    minute(20)
    assert lab.clock.agenda == []


def test_a_sleeping_alarm_changes_at_the_same_times_as_one_that_is_looked_at_each_minute(cloudwatch: Any) -> None:
    """One jump over the quiet minutes, or a step for each of them: the same history."""
    histories = []
    for step in (60, 1):
        lab.start(seed=7)
        monitoring.install()
        monitoring.reset()
        client = boto3.client("cloudwatch")
        put(client, TreatMissingData="notBreaching", Period=300, EvaluationPeriods=3, DatapointsToAlarm=2, Threshold=5)
        minute(20)
        lab.clock.advance(minutes=4)
        minute(20)
        for _ in range(60 // step):
            lab.clock.advance(minutes=step)
            if step == 1:
                alarms.watch.wake()
        histories.append(transitions(client))
    assert histories[0] == histories[1]
    assert [name for _, name in histories[0]] == ["OK", "ALARM", "OK"]


def test_a_lab_within_the_lab_leaves_the_learner_s_alarms_and_figures_as_they_were(cloudwatch: Any) -> None:
    put(cloudwatch)
    minute(20)
    with sandbox(seed=1):
        kept = monitoring.reset()
        assert cloudwatch.describe_alarms()["MetricAlarms"] == []
        put(cloudwatch)
        minute(50)
        minute(1)
        assert [name for _, name in transitions(cloudwatch)] == ["ALARM", "OK"]
        monitoring.restore(kept)
    assert transitions(cloudwatch) == [("10:01", "ALARM")]
    minute(1)
    assert transitions(cloudwatch) == [("10:01", "ALARM"), ("10:02", "OK")]
