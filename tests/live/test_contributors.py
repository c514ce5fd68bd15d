"""Contributor Insights: which keys are used and throttled most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

import dynamolab as lab
from dynamolab.errors import LabError
from dynamolab.live import insights, monitoring
from dynamolab.live.insights import Insights, TopKeys
from dynamolab.model.throttling import Limit, Refusal, Side
from dynamolab.traffic.contributors import most_accessed_keys, most_throttled_keys

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
INDEX: dict[str, Any] = {
    "IndexName": "by-sk",
    "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}


@pytest.fixture
def table(running_lab: None, make_table: Callable[..., str]) -> Iterator[str]:
    monitoring.install()
    monitoring.reset()
    yield make_table(GlobalSecondaryIndexes=[INDEX])
    monitoring.remove()


def use(key: str, sort: str | None, side: Side, units: float, index: str | None = None) -> None:
    insights.insights.key_used("pedidos", index, {"S": key}, None if sort is None else {"S": sort}, side, units)


def throttle(key: str, sort: str | None = None, index: str | None = None, side: Side = "write") -> None:
    arn = ARN if index is None else f"{ARN}/index/{index}"
    refusal = Refusal(side, Limit.KEY_RANGE, "PAY_PER_REQUEST", arn)
    sorted_by = None if sort is None else {"S": sort}
    insights.insights.key_throttled("pedidos", index, {"S": key}, sorted_by, refusal)


def test_a_write_unit_weighs_three_times_a_read_unit(table: str) -> None:
    use("a", "1", "write", 2)
    use("b", "1", "read", 5)
    frame = most_accessed_keys("pedidos")
    assert list(frame.columns) == ["rank", "partition_key", "units", "share"]
    assert frame.to_dict("list") == {
        "rank": [1, 2], "partition_key": ["a", "b"], "units": [6.0, 5.0], "share": [6 / 11, 5 / 11],
    }  # fmt: skip


def test_one_partition_flat_out_on_either_side_is_180000_a_minute(table: str) -> None:
    for _ in range(60):
        use("writes", "1", "write", 1_000)
        use("reads", "1", "read", 3_000)
    assert list(most_accessed_keys("pedidos")["units"]) == [180_000, 180_000]


def test_items_are_ranked_with_their_sort_key_and_a_query_counts_for_its_partition_key_alone(table: str) -> None:
    use("a", "1", "write", 1)
    use("a", "2", "write", 2)
    use("a", None, "read", 10)
    assert most_accessed_keys("pedidos")["units"].tolist() == [19]
    pairs = most_accessed_keys("pedidos", sort_key=True)
    assert pairs[["partition_key", "sort_key", "units"]].to_numpy().tolist() == [["a", "2", 6.0], ["a", "1", 3.0]]


def test_an_index_has_a_ranking_of_its_own(table: str) -> None:
    use("a", "1", "write", 1)
    use("1", None, "write", 4, index="by-sk")
    assert most_accessed_keys("pedidos", "by-sk")["partition_key"].tolist() == ["1"]
    assert most_accessed_keys("pedidos")["partition_key"].tolist() == ["a"]


def test_throttled_keys_are_ranked_by_events(table: str) -> None:
    for key in ("a", "b", "b", "c", "b", "a"):
        throttle(key, "1")
    frame = most_throttled_keys("pedidos")
    assert frame[["partition_key", "events"]].to_numpy().tolist() == [["b", 3], ["a", 2], ["c", 1]]
    assert most_throttled_keys("pedidos", sort_key=True)["sort_key"].tolist() == ["1", "1", "1"]


def test_a_write_that_an_index_refused_is_not_counted(table: str) -> None:
    throttle("a", index="by-sk")
    assert most_throttled_keys("pedidos").empty
    assert most_throttled_keys("pedidos", "by-sk").empty
    throttle("a", index="by-sk", side="read")
    assert most_throttled_keys("pedidos", "by-sk")["events"].tolist() == [1]


def test_25_contributors_are_shown_and_the_share_is_of_all(table: str) -> None:
    for number in range(100):
        use(f"key-{number:03}", "1", "read", 1)
    use("hot", "1", "read", 100)
    frame = most_accessed_keys("pedidos")
    assert len(frame) == 25
    assert frame.loc[0, ["partition_key", "share"]].tolist() == ["hot", 0.5]
    assert frame["partition_key"].tolist()[1:] == [f"key-{number:03}" for number in range(24)]


def test_an_unknown_table_or_index_is_said_in_a_sentence(table: str) -> None:
    with pytest.raises(LabError, match="no table 'other'"):
        most_accessed_keys("other")
    with pytest.raises(LabError, match="no global index 'other'; it has by-sk"):
        most_throttled_keys("pedidos", "other")


# --- bounded memory -------------------------------------------------------------------------------------------------


def test_counts_are_exact_up_to_the_bound_and_bounded_beyond_it() -> None:
    top = TopKeys(most=3)
    for key in "aabbbc":
        top.add(("S", key), 1)
    assert top.top() == [(("S", "b"), 3), (("S", "a"), 2), (("S", "c"), 1)]
    top.add(("S", "d"), 1)
    assert len(top.counts) == 3
    assert top.top() == [(("S", "b"), 3), (("S", "a"), 2), (("S", "d"), 2)]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=300))
def test_a_frequent_key_is_never_missed_and_never_undercounted(stream: list[tuple[int, int]]) -> None:
    """Space-Saving: with k places, whatever has more than 1/k of all is there, and no count is too low."""
    top, exact = TopKeys(most=8), dict.fromkeys(range(31), 0)
    for number, weight in stream:
        top.add(("N", str(number)), weight)
        exact[number] += weight
    total = sum(exact.values())
    assert sum(top.counts.values()) == total
    assert len(top.counts) <= 8
    for number, count in exact.items():
        found = top.counts.get(("N", str(number)))
        assert found is not None or count <= total / 8
        assert found is None or found >= count


# --- the API --------------------------------------------------------------------------------------------------------


def test_it_is_turned_on_and_off_and_described_through_boto3(table: str, client: Any) -> None:
    assert client.describe_contributor_insights(TableName="pedidos")["ContributorInsightsStatus"] == "DISABLED"
    lab.clock.advance(seconds=5)
    answer = client.update_contributor_insights(TableName="pedidos", ContributorInsightsAction="ENABLE")
    assert answer["ContributorInsightsStatus"] == "ENABLING"
    found = client.describe_contributor_insights(TableName="pedidos")
    assert found["ContributorInsightsStatus"] == "ENABLED"
    assert found["ContributorInsightsMode"] == "ACCESSED_AND_THROTTLED_KEYS"
    assert found["LastUpdateDateTime"] == lab.clock.now()
    assert found["ContributorInsightsRuleList"] == [
        f"DynamoDBContributorInsights-{kind}-pedidos-{int(lab.clock.time() * 1000)}"
        for kind in ("PKC", "PKT", "SKC", "SKT")
    ]
    client.update_contributor_insights(TableName="pedidos", ContributorInsightsAction="DISABLE")
    assert "ContributorInsightsRuleList" not in client.describe_contributor_insights(TableName="pedidos")


def test_throttled_keys_mode_has_only_the_rules_of_throttling(table: str, client: Any) -> None:
    client.update_contributor_insights(
        TableName="pedidos", ContributorInsightsAction="ENABLE", ContributorInsightsMode="THROTTLED_KEYS"
    )
    rules = client.describe_contributor_insights(TableName="pedidos")["ContributorInsightsRuleList"]
    assert [rule.split("-")[1] for rule in rules] == ["PKT", "SKT"]
    client.update_contributor_insights(TableName="pedidos", IndexName="by-sk", ContributorInsightsAction="ENABLE")
    rules = client.describe_contributor_insights(TableName="pedidos", IndexName="by-sk")["ContributorInsightsRuleList"]
    assert [rule.split("-")[1] for rule in rules] == ["PKC", "PKT"]  # the index has no sort key


def test_what_was_set_is_listed_in_pages(table: str, client: Any) -> None:
    for more in ({}, {"IndexName": "by-sk"}):
        client.update_contributor_insights(TableName="pedidos", ContributorInsightsAction="ENABLE", **more)
    page = client.list_contributor_insights(MaxResults=1)
    rest = client.list_contributor_insights(MaxResults=1, NextToken=page["NextToken"])
    found = page["ContributorInsightsSummaries"] + rest["ContributorInsightsSummaries"]
    assert [each.get("IndexName") for each in found] == [None, "by-sk"]
    assert "NextToken" not in rest


def test_an_unknown_table_index_or_action_is_refused(table: str, client: Any) -> None:
    for place in ({"TableName": "other"}, {"TableName": "pedidos", "IndexName": "other"}):
        with pytest.raises(client.exceptions.ResourceNotFoundException):
            client.update_contributor_insights(**place, ContributorInsightsAction="ENABLE")
    with pytest.raises(ClientError, match="enum value set"):
        client.update_contributor_insights(TableName="pedidos", ContributorInsightsAction="MAYBE")


def test_a_reset_begins_with_no_rankings_and_a_restore_brings_them_back(table: str) -> None:
    use("a", "1", "write", 1)
    kept = monitoring.reset()
    assert isinstance(insights.insights, Insights)
    assert most_accessed_keys("pedidos").empty
    monitoring.restore(kept)
    assert most_accessed_keys("pedidos")["units"].tolist() == [3]
