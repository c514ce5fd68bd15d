"""Contributor Insights: which keys used most and which were throttled most, and the API that turns it on.

The lab counts for every table, turned on or not, so that a question may come after the traffic. Counts are exact up to
:data:`KEYS` keys of a table or index; beyond that the rarest give way to new ones, which inherit their count (the
Space-Saving rule), so that a frequent key is never missed and memory is bounded.

Source: "CloudWatch Contributor Insights for DynamoDB: How it works".
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from moto.dynamodb.exceptions import MockValidationException, ResourceNotFoundException
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoResult

from ..model.meters import MICROSECONDS
from ..model.throttling import Refusal, Side
from .clock import clock

KEYS = 10_000
"""How many keys of a table or index are counted exactly, for each of the four rankings."""
SHOWN = 25
"""Contributors in a ranking, as the service's graphs show at most."""
WRITE_WEIGHT = 3
"""ConsumedThroughputUnits are 3 times the write units plus the read units."""

Ranking = Literal["PKC", "PKT", "SKC", "SKT"]
"""Most accessed (C) or throttled (T), by partition key (PK) or by the pair with the sort key (SK): the rules' names."""

Key = tuple[str, ...]
"""The key's values, each with its type in front: ``("S", "a")``, or ``("S", "a", "N", "1")`` with the sort key."""


class TopKeys:
    """The most frequent of a stream of keys, in bounded memory, the same for the same stream."""

    def __init__(self, most: int = KEYS) -> None:
        self.most = most
        self.counts: dict[Key, float] = {}
        self._order: dict[Key, int] = {}
        self._smallest: list[tuple[float, int, Key]] = []
        self._seen = 0

    def add(self, key: Key, weight: float) -> None:
        """Count ``weight`` for a key; a new one beyond the bound takes the place, and the count, of the rarest."""
        counts = self.counts
        if key in counts:
            counts[key] += weight
            return
        inherited = self._drop() if len(counts) >= self.most else 0.0
        self._seen += 1
        counts[key], self._order[key] = inherited + weight, self._seen
        heapq.heappush(self._smallest, (inherited + weight, self._seen, key))

    def _drop(self) -> float:
        while True:
            count, order, key = heapq.heappop(self._smallest)
            now = self.counts[key]
            if now == count:
                del self.counts[key], self._order[key]
                return count
            heapq.heappush(self._smallest, (now, order, key))  # it has grown since it was put there

    def top(self, number: int = SHOWN) -> list[tuple[Key, float]]:
        """Return the keys with the highest counts, the first seen first among equals."""
        return sorted(self.counts.items(), key=lambda entry: (-entry[1], self._order[entry[0]]))[:number]


@dataclass
class Setting:
    """What UpdateContributorInsights made of one table or index; ``when`` in seconds since 1970."""

    status: Literal["ENABLED", "DISABLED"]
    mode: str
    when: int


@dataclass
class Insights:
    """The rankings and settings of one lab."""

    rankings: dict[tuple[str, str | None, Ranking], TopKeys] = field(default_factory=dict)
    settings: dict[tuple[str, str | None], Setting] = field(default_factory=dict)

    def key_used(
        self, table: str, index: str | None, key: Mapping[str, Any], sort: Mapping[str, Any] | None, side: Side,
        units: float,
    ) -> None:  # fmt: skip
        """An item (or, of a Query, an item collection) of a table or global index used ``units``.

        ``key`` and ``sort``: the attribute values, ``{"S": "a"}``; ``sort`` None for a table without a sort key and for
        a Query, which is one event of its partition key. Not for PartiQL, which the service leaves out.
        """
        weight = units * (WRITE_WEIGHT if side == "write" else 1)
        self._add(table, index, "C", key, sort, weight)

    def key_throttled(
        self, table: str, index: str | None, key: Mapping[str, Any], sort: Mapping[str, Any] | None, refusal: Refusal
    ) -> None:
        """A request for that key was refused: one event. A write that an index refused is not counted."""
        if not (refusal.on_index and refusal.side == "write"):
            self._add(table, index, "T", key, sort, 1)

    def _add(
        self, table: str, index: str | None, what: Literal["C", "T"], key: Mapping[str, Any],
        sort: Mapping[str, Any] | None, weight: float,
    ) -> None:  # fmt: skip
        pair: Key = next(iter(key.items()))
        self._ranking(table, index, "PKC" if what == "C" else "PKT").add(pair, weight)
        if sort is not None:
            both: Key = (*pair, *next(iter(sort.items())))
            self._ranking(table, index, "SKC" if what == "C" else "SKT").add(both, weight)

    def _ranking(self, table: str, index: str | None, ranking: Ranking) -> TopKeys:
        found = self.rankings.get((table, index, ranking))
        if found is None:
            found = self.rankings[table, index, ranking] = TopKeys()
        return found

    def top(self, table: str, index: str | None, ranking: Ranking) -> list[tuple[Key, float]]:
        """Return the first 25 keys of a ranking and their counts."""
        found = self.rankings.get((table, index, ranking))
        return found.top() if found is not None else []


# --- the API, which moto lacks --------------------------------------------------------------------------------------


def update_contributor_insights(handler: Any) -> Any:
    """UpdateContributorInsights: in force at once."""
    body = handler.body
    table, index = _resource(handler)
    before = insights.settings.get((table.name, index))
    mode = body.get("ContributorInsightsMode") or (before.mode if before else "ACCESSED_AND_THROTTLED_KEYS")
    action = body["ContributorInsightsAction"]
    for name, value, known in (
        ("contributorInsightsAction", action, ("ENABLE", "DISABLE")),
        ("contributorInsightsMode", mode, ("ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS")),
    ):
        if value not in known:
            raise MockValidationException(
                f"1 validation error detected: Value '{value}' at '{name}' failed to satisfy constraint: Member must "
                f"satisfy enum value set: [{', '.join(known)}]"
            )
    status: Literal["ENABLED", "DISABLED"] = "ENABLED" if action == "ENABLE" else "DISABLED"
    insights.settings[table.name, index] = Setting(status, mode, clock.microseconds // MICROSECONDS)
    changing = "ENABLING" if status == "ENABLED" else "DISABLING"
    answer = {**_names(table.name, index), "ContributorInsightsStatus": changing, "ContributorInsightsMode": mode}
    return DynamoResult(answer)


def describe_contributor_insights(handler: Any) -> Any:
    """DescribeContributorInsights."""
    table, index = _resource(handler)
    setting = insights.settings.get((table.name, index))
    if setting is None:
        return DynamoResult({**_names(table.name, index), "ContributorInsightsStatus": "DISABLED"})
    answer = {
        **_names(table.name, index),
        "ContributorInsightsStatus": setting.status,
        "ContributorInsightsMode": setting.mode,
        "LastUpdateDateTime": setting.when,
    }
    if setting.status == "ENABLED":
        answer["ContributorInsightsRuleList"] = _rules(table, index, setting)
    return DynamoResult(answer)


def list_contributor_insights(handler: Any) -> Any:
    """ListContributorInsights."""
    body = handler.body
    wanted = _named(handler, body["TableName"]).name if body.get("TableName") else None
    tables = handler.dynamodb_backend.tables
    settings = sorted(
        ((table, index, setting) for (table, index), setting in insights.settings.items()),
        key=lambda entry: (entry[0], entry[1] or ""),
    )
    found = [
        {
            **_names(table, index),
            "ContributorInsightsStatus": setting.status,
            "ContributorInsightsMode": setting.mode,
        }
        for table, index, setting in settings
        if table in tables and wanted in (None, table)
    ]
    first, most = int(body.get("NextToken") or 0), int(body.get("MaxResults") or 100)
    answer: dict[str, Any] = {"ContributorInsightsSummaries": found[first : first + most]}
    if len(found) > first + most:
        answer["NextToken"] = str(first + most)
    return DynamoResult(answer)


def _names(table: str, index: str | None) -> dict[str, Any]:
    return {"TableName": table, **({"IndexName": index} if index is not None else {})}


def _rules(table: Table, index: str | None, setting: Setting) -> list[str]:
    sorted_keys = table.has_range_key if index is None else len(_index(table, index).schema) > 1
    kinds = ["PKC", "PKT"] if setting.mode == "ACCESSED_AND_THROTTLED_KEYS" else ["PKT"]
    if sorted_keys:
        kinds += [kind.replace("PK", "SK") for kind in kinds]
    resource = table.name if index is None else f"{table.name}-{index}"
    return [f"DynamoDBContributorInsights-{kind}-{resource}-{setting.when * 1_000}" for kind in kinds]


def _resource(handler: Any) -> tuple[Table, str | None]:
    table, index = _named(handler, handler.body["TableName"]), handler.body.get("IndexName")
    if index is not None and _index(table, index) is None:
        raise ResourceNotFoundException(f"Requested resource not found: Index: {index} not found", table_name=None)
    return table, index


def _named(handler: Any, name: str) -> Table:
    found: Table | None = handler.dynamodb_backend.tables.get(name.rpartition("/")[2])
    if found is None:
        raise ResourceNotFoundException(f"Requested resource not found: Table: {name} not found", table_name=None)
    return found


def _index(table: Table, name: str) -> Any:
    return next((each for each in table.global_indexes if each.name == name), None)


OPERATIONS = {
    "update_contributor_insights": update_contributor_insights,
    "describe_contributor_insights": describe_contributor_insights,
    "list_contributor_insights": list_contributor_insights,
}
"""What moto's handler lacks."""

insights = Insights()
"""The running lab's Contributor Insights."""


def swap(new: Insights) -> Insights:
    """Make ``new`` the running lab's Contributor Insights; return the one before, to be put back later."""
    global insights
    before, insights = insights, new
    return before
