"""The scene of the incident that learners work in: its figures, its remedies, and what it refuses."""

from __future__ import annotations

import datetime as dt

import boto3
import pytest

import dynamolab as lab
from dynamolab.model.sizes import item_size
from dynamolab.traffic import incident


def of_five_minutes(metric: str, **dimensions: str) -> float:
    answer = boto3.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=[{"Name": n, "Value": v} for n, v in {"TableName": incident.TABLE, **dimensions}.items()],
        StartTime=dt.datetime(2026, 9, 11, 18, 15, tzinfo=dt.UTC),
        EndTime=dt.datetime(2026, 9, 11, 18, 20, tzinfo=dt.UTC),
        Period=300,
        Statistics=["Sum"],
    )
    return sum(float(point["Sum"]) for point in answer["Datapoints"])


def test_carts_have_three_kilobytes_and_with_their_history_eleven() -> None:
    sizes = [item_size(incident.item(1, "2026-09-11T18#00000001", historial=history)) for history in (False, True)]
    assert [-(-size // 1024) for size in sizes] == [3, 11]


def test_at_18_20_the_four_figures_of_the_story_are_there_and_only_the_index_can_end_it(running_lab: None) -> None:
    incident.open_shop()
    incident.traffic(6 * 60, seed=5)
    assert of_five_minutes("ThrottledRequests", Operation="UpdateItem") == pytest.approx(4_200, rel=0.10)
    assert of_five_minutes("ConsumedWriteCapacityUnits") / 300 == pytest.approx(61, abs=5)
    of_index = of_five_minutes("ConsumedWriteCapacityUnits", GlobalSecondaryIndexName=incident.INDEX)
    assert 98 <= of_index / 300 <= 100.5

    dynamodb = boto3.client("dynamodb")
    more = {"ReadCapacityUnits": 100, "WriteCapacityUnits": 300}
    dynamodb.update_table(TableName=incident.TABLE, ProvisionedThroughput=more)
    lab.clock.advance(seconds=3)
    assert incident.a_minute()["lost"] > 50
    update = {"Update": {"IndexName": incident.INDEX, "ProvisionedThroughput": more}}
    dynamodb.update_table(TableName=incident.TABLE, GlobalSecondaryIndexUpdates=[update])
    lab.clock.advance(seconds=3)
    after = incident.a_minute()
    assert after["lost"] == 0
    assert after["index"] == pytest.approx(1.6 * after["table"], rel=0.05)


def test_a_shop_without_history_asks_the_index_for_a_third_of_its_capacity(running_lab: None) -> None:
    incident.open_shop(historial=False)
    minute = incident.a_minute()
    assert minute["lost"] == 0
    assert 30 < minute["index"] < 45


def test_a_shop_needs_a_running_lab() -> None:
    lab.stop()
    with pytest.raises(lab.LabError, match="lab.start"):
        incident.open_shop()


@pytest.mark.parametrize("rate", [0, -1, 1_000, "8", True])
def test_a_rate_without_sense_is_refused(running_lab: None, rate: object) -> None:
    with pytest.raises(lab.LabError, match="a second"):
        incident.traffic(1, per_second=rate)  # type: ignore[arg-type]
