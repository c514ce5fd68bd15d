"""CloudWatch's figures of DynamoDB: what counts where, and how boto3 reads it."""

from __future__ import annotations

import datetime as dt
import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto.cloudwatch.models import CloudWatchBackend
from moto.cloudwatch.responses import CloudWatchResponse
from moto.core import botocore_stubber
from moto.dynamodb.responses import DynamoHandler

import dynamolab as lab
from dynamolab.live import cloudwatch as cloudwatch_operations
from dynamolab.live import insights, metrics, monitoring
from dynamolab.live.clock import START
from dynamolab.live.metrics import Recorder, Tally
from dynamolab.model.throttling import Limit, Refusal, Side

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def cloudwatch(running_lab: None) -> Iterator[Any]:
    monitoring.install()
    monitoring.reset()
    yield boto3.client("cloudwatch")
    monitoring.remove()


def refused(side: Side, index: str | None = None, limit: Limit = Limit.PROVISIONED) -> Refusal:
    return Refusal(side, limit, "PROVISIONED", ARN if index is None else f"{ARN}/index/{index}")


def dimensions(**named: str) -> list[dict[str, str]]:
    return [{"Name": name, "Value": value} for name, value in named.items()]


def read(
    cloudwatch: Any, name: str, stat: str = "Sum", period: int = 60, first: dt.datetime = START, **named: str
) -> dict[str, float]:
    """The values of a metric by the time of their period, oldest first."""
    metric = {"Namespace": "AWS/DynamoDB", "MetricName": name, "Dimensions": dimensions(**named)}
    answer = cloudwatch.get_metric_data(
        StartTime=first,
        EndTime=lab.clock.now() + MINUTE,
        ScanBy="TimestampAscending",
        MetricDataQueries=[{"Id": "m1", "MetricStat": {"Metric": metric, "Period": period, "Stat": stat}}],
    )
    (result,) = answer["MetricDataResults"]
    times = [when.astimezone(dt.UTC).strftime("%H:%M") for when in result["Timestamps"]]
    return dict(zip(times, result["Values"], strict=True))


def now() -> int:
    return lab.clock.microseconds


# --- counting rules: "DynamoDB metrics and dimensions" --------------------------------------------------------------


def test_a_put_on_a_table_with_three_indexes_is_one_throttled_request_and_one_event_on_each_refusing_resource(
    cloudwatch: Any,
) -> None:
    for index in ("by-a", "by-b"):
        metrics.recorder.throttled_event("pedidos", index, refused("write", index), now())
    metrics.recorder.throttled_request("pedidos", "PutItem", now())
    assert read(cloudwatch, "ThrottledRequests", TableName="pedidos", Operation="PutItem") == {"10:00": 1}
    for index in ("by-a", "by-b"):
        place = {"TableName": "pedidos", "GlobalSecondaryIndexName": index}
        assert read(cloudwatch, "WriteThrottleEvents", **place) == {"10:00": 1}
        assert read(cloudwatch, "WriteProvisionedThroughputThrottleEvents", **place) == {"10:00": 1}
    assert read(cloudwatch, "WriteThrottleEvents", TableName="pedidos") == {}
    assert read(cloudwatch, "WriteThrottleEvents", TableName="pedidos", GlobalSecondaryIndexName="by-c") == {}


def test_a_write_that_an_index_refused_is_a_request_of_the_table_and_an_event_of_the_index(cloudwatch: Any) -> None:
    """Back-pressure: "Understanding global secondary index write throttling"."""
    metrics.recorder.refused(refused("write", "by-a"), "UpdateItem", now())
    assert read(cloudwatch, "ThrottledRequests", TableName="pedidos", Operation="UpdateItem") == {"10:00": 1}
    assert read(cloudwatch, "WriteThrottleEvents", TableName="pedidos") == {}
    place = {"TableName": "pedidos", "GlobalSecondaryIndexName": "by-a"}
    assert read(cloudwatch, "WriteThrottleEvents", **place) == {"10:00": 1}


def test_a_batch_get_of_ten_with_four_throttled_is_four_read_events_and_no_throttled_request(cloudwatch: Any) -> None:
    metrics.recorder.throttled_event("pedidos", None, refused("read"), now(), 4)
    assert read(cloudwatch, "ReadThrottleEvents", TableName="pedidos") == {"10:00": 4}
    assert read(cloudwatch, "ThrottledRequests", TableName="pedidos", Operation="BatchGetItem") == {}


def test_a_batch_get_of_ten_all_throttled_is_ten_read_events_and_one_throttled_request(cloudwatch: Any) -> None:
    metrics.recorder.throttled_event("pedidos", None, refused("read"), now(), 10)
    metrics.recorder.throttled_request("pedidos", "BatchGetItem", now())
    assert read(cloudwatch, "ReadThrottleEvents", TableName="pedidos") == {"10:00": 10}
    assert read(cloudwatch, "ThrottledRequests", TableName="pedidos", Operation="BatchGetItem") == {"10:00": 1}


def test_a_batch_write_of_25_with_one_throttled_is_one_write_event_and_no_throttled_request(cloudwatch: Any) -> None:
    metrics.recorder.throttled_event("pedidos", None, refused("write"), now(), 1)
    assert read(cloudwatch, "WriteThrottleEvents", TableName="pedidos") == {"10:00": 1}
    assert read(cloudwatch, "ThrottledRequests", TableName="pedidos", Operation="BatchWriteItem") == {}


def test_every_attempt_of_an_sdk_s_retries_counts_again(cloudwatch: Any) -> None:
    for _ in range(4):
        metrics.recorder.throttled_event("pedidos", None, refused("write"), now())
        metrics.recorder.throttled_request("pedidos", "PutItem", now())
        lab.clock.advance(seconds=20)
    assert read(cloudwatch, "ThrottledRequests", TableName="pedidos", Operation="PutItem") == {"10:00": 3, "10:01": 1}
    assert read(cloudwatch, "WriteThrottleEvents", TableName="pedidos") == {"10:00": 3, "10:01": 1}


@pytest.mark.parametrize("side", ["read", "write"])
@pytest.mark.parametrize("limit", list(Limit))
def test_each_of_the_eight_reasons_has_a_metric_on_the_resource_that_refused(
    cloudwatch: Any, side: Side, limit: Limit
) -> None:
    refusal = refused(side, "by-a", limit)
    metrics.recorder.throttled_event("pedidos", "by-a", refusal, now())
    place = {"TableName": "pedidos", "GlobalSecondaryIndexName": "by-a"}
    listed = cloudwatch.list_metrics(Dimensions=[{"Name": "GlobalSecondaryIndexName"}])["Metrics"]
    names = {f"{side.capitalize()}ThrottleEvents", refusal.metric}
    assert {metric["MetricName"] for metric in listed} == names
    assert all(read(cloudwatch, name, **place) == {"10:00": 1} for name in names)


def test_consumption_of_a_table_excludes_its_global_indexes(cloudwatch: Any) -> None:
    metrics.recorder.consumed("pedidos", None, "write", 2, now())
    metrics.recorder.consumed("pedidos", "by-a", "write", 3, now())
    assert read(cloudwatch, "ConsumedWriteCapacityUnits", TableName="pedidos") == {"10:00": 2}
    place = {"TableName": "pedidos", "GlobalSecondaryIndexName": "by-a"}
    assert read(cloudwatch, "ConsumedWriteCapacityUnits", **place) == {"10:00": 3}


def test_consumed_writes_are_also_listed_by_their_source(cloudwatch: Any) -> None:
    metrics.recorder.consumed("pedidos", None, "write", 2, now())
    metrics.recorder.consumed("pedidos", None, "read", 0.5, now())
    listed = cloudwatch.list_metrics(Dimensions=[{"Name": "Source", "Value": "Customer"}])["Metrics"]
    assert [metric["MetricName"] for metric in listed] == ["ConsumedWriteCapacityUnits"]
    assert read(cloudwatch, "ConsumedWriteCapacityUnits", TableName="pedidos", Source="Customer") == {"10:00": 2}


def test_failed_conditions_count_one_each_also_within_one_transaction(cloudwatch: Any) -> None:
    metrics.recorder.condition_failed("pedidos", 2, now())
    metrics.recorder.condition_failed("pedidos", 0, now())
    assert read(cloudwatch, "ConditionalCheckFailedRequests", TableName="pedidos") == {"10:00": 2}


def test_user_errors_have_no_dimension(cloudwatch: Any) -> None:
    metrics.recorder.user_error(now())
    assert read(cloudwatch, "UserErrors") == {"10:00": 1}
    assert read(cloudwatch, "UserErrors", TableName="pedidos") == {}


def test_ttl_deletes_conflicts_and_system_errors_are_counted(cloudwatch: Any) -> None:
    metrics.recorder.ttl_deleted("pedidos", 40, now())
    metrics.recorder.transaction_conflict("pedidos", 1, now())
    metrics.recorder.system_error("pedidos", "PutItem", now())
    assert read(cloudwatch, "TimeToLiveDeletedItemCount", TableName="pedidos") == {"10:00": 40}
    assert read(cloudwatch, "TransactionConflict", TableName="pedidos") == {"10:00": 1}
    assert read(cloudwatch, "SystemErrors", TableName="pedidos", Operation="PutItem") == {"10:00": 1}


def test_successful_requests_and_returned_items_have_the_operation_as_dimension(cloudwatch: Any) -> None:
    metrics.recorder.request_done("pedidos", "Query", now(), returned_items=7)
    metrics.recorder.request_done("pedidos", "Query", now(), returned_items=1)
    metrics.recorder.request_done("pedidos", "PutItem", now())
    place = {"TableName": "pedidos", "Operation": "Query"}
    assert read(cloudwatch, "SuccessfulRequestLatency", "SampleCount", **place) == {"10:00": 2}
    assert read(cloudwatch, "ReturnedItemCount", "Average", **place) == {"10:00": 4}
    assert read(cloudwatch, "ReturnedItemCount", TableName="pedidos", Operation="PutItem") == {}


def test_partiql_requests_are_told_apart_by_their_verb_and_type(cloudwatch: Any) -> None:
    metrics.recorder.throttled_request("pedidos", "ExecuteStatement", now(), (("Verb", "PartiQLUpdate"),))
    place = {"TableName": "pedidos", "Operation": "ExecuteStatement"}
    assert read(cloudwatch, "ThrottledRequests", Verb="PartiQLUpdate", **place) == {"10:00": 1}
    assert read(cloudwatch, "ThrottledRequests", **place) == {}


# --- statistics and periods -----------------------------------------------------------------------------------------


def test_all_statistics_of_a_minute_come_from_its_requests(cloudwatch: Any) -> None:
    for units in [1] * 97 + [10, 50, 400]:
        metrics.recorder.consumed("pedidos", None, "write", units, now())
    place = {"TableName": "pedidos"}
    wanted = {"Sum": 557, "Average": 5.57, "SampleCount": 100, "Minimum": 1, "Maximum": 400, "p50": 1, "p99": 50}
    for name, value in wanted.items():
        assert read(cloudwatch, "ConsumedWriteCapacityUnits", name, **place) == {"10:00": pytest.approx(value)}
    (point,) = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName="ConsumedWriteCapacityUnits", Dimensions=dimensions(**place),
        StartTime=START, EndTime=START + MINUTE, Period=60,
        Statistics=["Sum", "Average", "SampleCount", "Minimum", "Maximum"],
    )["Datapoints"]  # fmt: skip
    assert {name: point[name] for name in list(wanted)[:5]} == {
        name: pytest.approx(value) for name, value in list(wanted.items())[:5]
    }
    assert point["Unit"] == "Count"
    (point,) = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName="ConsumedWriteCapacityUnits", Dimensions=dimensions(**place),
        StartTime=START, EndTime=START + MINUTE, Period=60, ExtendedStatistics=["p99", "p100"],
    )["Datapoints"]  # fmt: skip
    assert point["ExtendedStatistics"] == {"p99": 50, "p100": 400}


def test_a_minute_without_activity_has_no_data_point(cloudwatch: Any) -> None:
    metrics.recorder.consumed("pedidos", None, "read", 0.5, now())
    lab.clock.advance(minutes=3)
    metrics.recorder.consumed("pedidos", None, "read", 1, now())
    metrics.recorder.consumed("pedidos", None, "read", 0, now())
    assert read(cloudwatch, "ConsumedReadCapacityUnits", TableName="pedidos") == {"10:00": 0.5, "10:03": 1}
    assert read(cloudwatch, "ConsumedReadCapacityUnits", "SampleCount", 300, TableName="pedidos") == {"10:00": 2}


def test_twelve_thousand_requests_are_one_entry_a_minute_and_no_object_of_moto_s(cloudwatch: Any) -> None:
    for _ in range(12_000):
        metrics.recorder.consumed("pedidos", None, "write", 1, now())
    assert metrics.recorder.minutes == {
        ("ConsumedWriteCapacityUnits", "pedidos", None, ()): {START.timestamp() // 60: {1: 12_000}}
    }
    assert monitoring.alarms.watch.backend.metric_data == []
    assert read(cloudwatch, "ConsumedWriteCapacityUnits", TableName="pedidos") == {"10:00": 12_000}


def test_the_order_is_the_newest_first_unless_asked_otherwise(cloudwatch: Any) -> None:
    for _ in range(3):
        metrics.recorder.user_error(now())
        lab.clock.advance(minutes=1)
    metric = {"Namespace": "AWS/DynamoDB", "MetricName": "UserErrors"}
    query = [{"Id": "m1", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum"}}]
    answer = cloudwatch.get_metric_data(StartTime=START, EndTime=lab.clock.now(), MetricDataQueries=query)
    times = answer["MetricDataResults"][0]["Timestamps"]
    assert times == sorted(times, reverse=True)
    assert len(times) == 3


@pytest.mark.parametrize(("unit", "values"), [(None, [3]), ("Count", [3]), ("Seconds", [])])
def test_a_unit_that_the_metric_does_not_have_finds_no_data(
    cloudwatch: Any, unit: str | None, values: list[float]
) -> None:
    """ "MetricStat", CloudWatch API Reference: data of another unit than the one asked for is not returned."""
    for _ in range(3):
        metrics.recorder.user_error(now())
    lab.clock.advance(minutes=1)
    stat = {"Metric": {"Namespace": "AWS/DynamoDB", "MetricName": "UserErrors"}, "Period": 60, "Stat": "Sum"}
    query = {"Id": "m1", "MetricStat": {**stat, **({"Unit": unit} if unit else {})}}
    answer = cloudwatch.get_metric_data(StartTime=START, EndTime=lab.clock.now(), MetricDataQueries=[query])
    assert answer["MetricDataResults"][0]["Values"] == values


def test_the_end_is_outside_and_the_start_inside(cloudwatch: Any) -> None:
    for _ in range(3):
        metrics.recorder.user_error(now())
        lab.clock.advance(minutes=1)
    points = cloudwatch.get_metric_statistics(
        Namespace="AWS/DynamoDB", MetricName="UserErrors", StartTime=START + MINUTE, EndTime=START + 2 * MINUTE,
        Period=60, Statistics=["Sum"],
    )["Datapoints"]  # fmt: skip
    assert [point["Timestamp"] for point in points] == [START + MINUTE]


def test_metric_math_computes_rates_and_shares(cloudwatch: Any) -> None:
    metrics.recorder.consumed("pedidos", None, "write", 90 * 60, now())
    lab.clock.advance(minutes=1)
    metrics.recorder.consumed("pedidos", None, "write", 30 * 60, now())
    metrics.recorder.throttled_event("pedidos", None, refused("write"), now(), 600)
    place = dimensions(TableName="pedidos")
    queries: list[dict[str, Any]] = [
        {
            "Id": name,
            "ReturnData": False,
            "MetricStat": {
                "Metric": {"Namespace": "AWS/DynamoDB", "MetricName": metric, "Dimensions": place},
                "Period": 60,
                "Stat": "Sum",
            },
        }
        for name, metric in (("used", "ConsumedWriteCapacityUnits"), ("refused", "WriteThrottleEvents"))
    ]
    queries += [
        {"Id": "rate", "Expression": "used / PERIOD(used)"},
        {"Id": "share", "Expression": "100 * FILL(refused, 0) / (used + FILL(refused, 0))"},
        {"Id": "both", "Expression": "refused / refused"},
        {"Id": "total", "Expression": "SUM([used, refused])"},
    ]
    answer = cloudwatch.get_metric_data(
        StartTime=START, EndTime=START + 2 * MINUTE, MetricDataQueries=queries, ScanBy="TimestampAscending"
    )
    assert {result["Id"]: result["Values"] for result in answer["MetricDataResults"]} == {
        "rate": [90, 30], "share": [0, 25], "both": [1], "total": [5_400, 2_400],
    }  # fmt: skip
    with pytest.raises(ClientError, match="the lab computes"):
        queries[-1]["Expression"] = "ANOMALY_DETECTION_BAND(used)"
        cloudwatch.get_metric_data(StartTime=START, EndTime=START + MINUTE, MetricDataQueries=queries)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"Period": 90}, "multiple of 60"),
        ({"EndTime": START}, "must be less than"),
        ({"EndTime": START + 1_441 * MINUTE}, "exceeds the limit of 1,440"),
        ({"Statistics": None}, "Must specify either"),
    ],
)
def test_what_the_service_refuses_is_refused(cloudwatch: Any, changes: dict[str, Any], words: str) -> None:
    request = {
        "Namespace": "AWS/DynamoDB", "MetricName": "UserErrors", "StartTime": START, "EndTime": START + MINUTE,
        "Period": 60, "Statistics": ["Sum"],
    }  # fmt: skip
    with pytest.raises(ClientError, match=words):
        given = {name: value for name, value in {**request, **changes}.items() if value is not None}
        cloudwatch.get_metric_statistics(**given)


def test_an_unknown_statistic_is_refused_with_those_there_are(cloudwatch: Any) -> None:
    with pytest.raises(ClientError, match="SampleCount"):
        read(cloudwatch, "UserErrors", "Median")


def test_the_learner_s_own_metrics_are_read_beside_the_lab_s(cloudwatch: Any) -> None:
    cloudwatch.put_metric_data(
        Namespace="Shop",
        MetricData=[
            {"MetricName": "Orders", "Values": [1, 2, 3], "Counts": [1, 1, 2], "Timestamp": START, "Unit": "Count"},
            {"MetricName": "Orders", "Timestamp": START,
             "StatisticValues": {"SampleCount": 2, "Sum": 10, "Minimum": 4, "Maximum": 6}},
        ],
    )  # fmt: skip
    (point,) = cloudwatch.get_metric_statistics(
        Namespace="Shop", MetricName="Orders", StartTime=START, EndTime=START + MINUTE, Period=60,
        Statistics=["Sum", "SampleCount", "Minimum", "Maximum"],
    )["Datapoints"]  # fmt: skip
    assert (point["Sum"], point["SampleCount"], point["Minimum"], point["Maximum"]) == (19, 6, 1, 6)
    assert {metric["Namespace"] for metric in cloudwatch.list_metrics()["Metrics"]} >= {"Shop", "AWS/DynamoDB"}


# --- levels ---------------------------------------------------------------------------------------------------------


def test_provisioned_capacity_has_a_point_each_five_minutes_with_or_without_requests(
    cloudwatch: Any, client: Any, make_table: Callable[..., str]
) -> None:
    lab.clock.advance(minutes=2)
    throughput = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 100}
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput=throughput)
    place = {"TableName": "pedidos"}
    assert read(cloudwatch, "ProvisionedWriteCapacityUnits", "Average", **place) == {"10:00": 100}
    lab.clock.advance(minutes=5)
    client.update_table(TableName="pedidos", ProvisionedThroughput={**throughput, "WriteCapacityUnits": 300})
    lab.clock.advance(seconds=10)
    metrics.recorder.sync()
    lab.clock.advance(minutes=9)
    levels = {"10:00": 100, "10:05": 100, "10:10": 300, "10:15": 300}
    assert read(cloudwatch, "ProvisionedWriteCapacityUnits", "Average", **place) == levels
    assert read(cloudwatch, "ProvisionedReadCapacityUnits", "SampleCount", 900, **place) == {"10:00": 3, "10:15": 1}
    client.delete_table(TableName="pedidos")
    metrics.recorder.sync()
    lab.clock.advance(minutes=10)
    assert read(cloudwatch, "ProvisionedWriteCapacityUnits", "Average", **place) == levels


def test_an_on_demand_table_has_no_provisioned_capacity(cloudwatch: Any, make_table: Callable[..., str]) -> None:
    make_table()
    lab.clock.advance(minutes=10)
    assert read(cloudwatch, "ProvisionedWriteCapacityUnits", "Average", TableName="pedidos") == {}


def test_a_maximum_on_demand_throughput_is_a_level(cloudwatch: Any, make_table: Callable[..., str]) -> None:
    make_table(OnDemandThroughput={"MaxReadRequestUnits": 50, "MaxWriteRequestUnits": 20})
    place = {"TableName": "pedidos"}
    assert read(cloudwatch, "OnDemandMaxReadRequestUnits", "Maximum", **place) == {"10:00": 50}
    assert read(cloudwatch, "OnDemandMaxWriteRequestUnits", "Maximum", **place) == {"10:00": 20}


def test_the_account_s_quotas_and_their_use_are_levels_without_a_table(
    cloudwatch: Any, make_table: Callable[..., str]
) -> None:
    for name, units in (("pedidos", 1_000), ("clientes", 3_000)):
        throughput = {"ReadCapacityUnits": 800, "WriteCapacityUnits": units}
        make_table(name, BillingMode="PROVISIONED", ProvisionedThroughput=throughput)
    wanted = {
        "AccountMaxReads": 80_000, "AccountMaxWrites": 80_000, "AccountMaxTableLevelReads": 40_000,
        "AccountMaxTableLevelWrites": 40_000,
    }  # fmt: skip
    assert {name: read(cloudwatch, name, "Maximum") for name in wanted} == {
        name: {"10:00": value} for name, value in wanted.items()
    }
    assert read(cloudwatch, "AccountProvisionedWriteCapacityUtilization", "Maximum") == {"10:00": 5}
    assert read(cloudwatch, "MaxProvisionedTableWriteCapacityUtilization", "Maximum") == {"10:00": 7.5}
    assert read(cloudwatch, "AccountProvisionedReadCapacityUtilization", "Maximum") == {"10:00": 2}


def test_a_new_index_shows_its_progress_and_no_consumption_of_its_own(cloudwatch: Any) -> None:
    metrics.recorder.index_build("pedidos", "by-a", now(), now() + 600 * 1_000_000)
    lab.clock.advance(minutes=15)
    place = {"TableName": "pedidos", "GlobalSecondaryIndexName": "by-a"}
    progress = read(cloudwatch, "OnlineIndexPercentageProgress", "Maximum", 300, **place)
    assert progress == {"10:00": 0, "10:05": 50, "10:10": 100}
    assert set(read(cloudwatch, "OnlineIndexConsumedWriteCapacity", "Sum", 300, **place).values()) == {0}


# --- the lab --------------------------------------------------------------------------------------------------------


def story(cloudwatch: Any) -> str:
    for second in range(180):
        metrics.recorder.consumed("pedidos", None, "write", 1 + second % 7, now())
        metrics.recorder.consumed("pedidos", "by-a", "read", 0.5, now())
        if second % 3 == 0:
            metrics.recorder.throttled_request("pedidos", "PutItem", now())
        lab.clock.advance(seconds=1)
    listed = cloudwatch.list_metrics()["Metrics"]
    queries = [
        {"Id": f"m{number}", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "p90"}}
        for number, metric in enumerate(listed)
    ]
    answer = cloudwatch.get_metric_data(StartTime=START, EndTime=lab.clock.now(), MetricDataQueries=queries)
    return json.dumps([listed, answer], default=str)


def test_the_same_story_gives_the_same_bytes(cloudwatch: Any) -> None:
    first = story(cloudwatch)
    lab.start(seed=7)
    monitoring.install()
    monitoring.reset()
    again = story(boto3.client("cloudwatch"))
    assert again == first
    assert "WriteCapacityUnits" in first


def test_a_reset_begins_empty_and_a_restore_brings_everything_back(cloudwatch: Any) -> None:
    metrics.recorder.user_error(now())
    kept = monitoring.reset()
    assert read(cloudwatch, "UserErrors") == {}
    monitoring.restore(kept)
    assert read(cloudwatch, "UserErrors") == {"10:00": 1}


def test_a_tally_knows_percentiles_only_of_values_that_it_knows() -> None:
    tally = Tally.of({1: 9, 100: 1})
    assert (tally.percentile(90), tally.percentile(91), tally.percentile(0)) == (1, 100, 1)
    tally.add(Tally(2, 10, 4, 6, None))
    assert (tally.count, tally.total, tally.least, tally.most, tally.percentile(50)) == (12, 119, 1, 100, None)


def test_a_recorder_tells_its_listeners_once_a_minute_and_metric() -> None:
    recorder, told = Recorder(), []
    recorder.listeners.append(lambda: told.append(True))
    for second in range(120):
        recorder.consumed("pedidos", None, "write", 1, second * 1_000_000)
    assert len(told) == 2


# --- what the lab relies on inside moto -----------------------------------------------------------------------------


def test_moto_asks_for_each_service_through_its_registry() -> None:
    source = inspect.getsource(botocore_stubber)
    assert "backends.get_backend(service)" in source, "get_backend is called otherwise: auto scaling is attached there"


def test_moto_s_cloudwatch_keeps_alarms_and_put_data_where_the_lab_looks() -> None:
    backend = CloudWatchBackend("eu-west-1", "123456789012")
    assert (backend.alarms, backend.metric_data) == ({}, []), "CloudWatchBackend keeps alarms or data elsewhere"
    for name in ("put_metric_alarm", "delete_alarms", "set_alarm_state", "put_metric_data"):
        assert name in vars(CloudWatchBackend), f"CloudWatchBackend.{name} is gone: alarms.{name} stands before it"
    for name in cloudwatch_operations.OPERATIONS:
        assert name in vars(CloudWatchResponse), f"CloudWatchResponse.{name} is gone: the lab answers in its place"
    assert "describe_alarm_history" not in vars(CloudWatchResponse), "moto has a history of alarms of its own now"


def test_moto_lacks_contributor_insights() -> None:
    for name in insights.OPERATIONS:
        assert not hasattr(DynamoHandler, name), f"moto has {name} now: is the lab's still needed?"


def test_moto_s_auto_scaling_makes_its_alarms_and_dates_where_the_lab_steps_in() -> None:
    from moto.applicationautoscaling import models
    from moto.applicationautoscaling.responses import ApplicationAutoScalingResponse

    from dynamolab.live import autoscaling

    for name in autoscaling.IN_FRONT:
        there = name in vars(models.ApplicationAutoscalingBackend)
        assert there, f"ApplicationAutoscalingBackend.{name} is gone: autoscaling.{name} stands before it"
    assert "_generate_dynamodb_alarms" in vars(models.FakeApplicationAutoscalingPolicy)
    assert "time.time()" in inspect.getsource(models.FakeScalableTarget), "moto dates targets otherwise now"
    assert not hasattr(ApplicationAutoScalingResponse, "describe_scaling_activities"), "moto has activities now"


def test_removing_the_monitoring_gives_moto_everything_back() -> None:
    before = {name: vars(CloudWatchResponse)[name] for name in [*cloudwatch_operations.OPERATIONS, "describe_alarms"]}
    monitoring.install()
    monitoring.install()
    assert vars(CloudWatchResponse)["get_metric_data"] is not before["get_metric_data"]
    monitoring.remove()
    assert {name: vars(CloudWatchResponse)[name] for name in before} == before
    assert not hasattr(DynamoHandler, "update_contributor_insights")


def test_a_table_made_at_the_end_of_a_period_has_no_level_in_it(
    cloudwatch: Any, make_table: Callable[..., str]
) -> None:
    lab.clock.advance(minutes=5)
    make_table(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 100})
    lab.clock.advance(minutes=1)
    levels = read(cloudwatch, "ProvisionedWriteCapacityUnits", "Average", TableName="pedidos")
    assert levels == {"10:05": 100}
