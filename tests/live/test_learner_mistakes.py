"""Whatever a learner does wrong with the API, an error of the service, of boto3 or of the lab says so: one row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

import dynamolab as lab
from dynamolab.live import front
from live import mistakes_expressions, mistakes_reads, mistakes_resource, mistakes_tables, mistakes_values
from live.mistakes_world import BOTO, SILENT, SOURCES, Mistake, World, seen

FILES = (mistakes_values, mistakes_expressions, mistakes_reads, mistakes_tables, mistakes_resource)
ROWS = [row for file in FILES for row in file.ROWS]
LESSONS = Path(__file__).parents[2] / "course" / "lessons"

# Python's own words for a name that is not there and for arguments without names: those come with Python's traceback.
_PYTHONS = (AttributeError, ValueError)
# What the lessons say of mistakes that nothing reports: where, and in which words.
TOLD = {
    "TTL in milliseconds: nothing is ever deleted": ("13_ttl", "DynamoDB took the milliseconds for seconds"),
    "TTL as a date in words: nothing is ever deleted": ("13_ttl", "`sara` wrote a date as text"),
    "a filter is applied after the page is read and paid": ("07_capacity", "`FilterExpression` saves nothing"),
    "a first page taken for the whole": ("05_write_sharding", "who reads one page loses four"),
    "an item without the index's key is not in the index": ("11_indexes", "An item without the index's key is not in"),
    "numbers as strings are in the order of text": ("02_keys", "bytes of text, value of numbers"),
}


@pytest.fixture
def world() -> Iterator[World]:
    yield World()
    lab.stop()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name.replace(" ", "_"))
def test_a_mistake_is_answered_in_these_words_and_shown_without_a_stack(world: World, row: Mistake) -> None:
    text, error = seen(row.does, world)
    assert text == row.sees
    if error is None or isinstance(error, _PYTHONS) or "keyword arguments" in str(error):
        return
    first, *others = error._render_traceback_()  # type: ignore[attr-defined]
    assert first == f"{type(error).__name__}: {error}"
    assert not any("site-packages" in line or "src/dynamolab" in line for line in others)


def test_the_table_is_long_and_every_row_says_where_its_words_are_from() -> None:
    assert len(ROWS) >= 500
    assert {row.source for row in ROWS} <= SOURCES
    assert [name for name, count in Counter(row.name for row in ROWS).items() if count > 1] == []
    assert all((row.source == SILENT) == row.sees.startswith("accepted: ") for row in ROWS)


def test_no_mistake_ends_in_an_error_without_a_model() -> None:
    unmodelled = ("Internal", "KeyError", "IndexError", "NotImplementedError", "The lab could not read")
    ours = [row for row in ROWS if row.source not in (BOTO, SILENT)]
    assert [row.name for row in ours if any(word in row.sees for word in unmodelled)] == [
        # moto fails on it, and the sentence says so.
        "an operation that the lab has not: export"
    ]


@pytest.mark.parametrize("name", TOLD)
def test_a_lesson_speaks_of_a_mistake_that_nothing_reports(name: str) -> None:
    assert any(row.name == name and row.source == SILENT for row in ROWS)
    lesson, words = TOLD[name]
    assert words in (LESSONS / f"{lesson}.md").read_text(encoding="utf-8")


def test_a_decimal_that_dynamodb_cannot_keep_is_explained(world: World) -> None:
    row = next(row for row in ROWS if row.name == "a Decimal made of a float")
    with pytest.raises(Exception, match="Inexact") as caught:
        row.does(world)
    assert "at most 38 digits" in caught.value._render_traceback_()[1]  # type: ignore[attr-defined]


def test_the_limits_of_an_account_are_those_that_the_lab_goes_by(world: World) -> None:
    answer = world.client.describe_limits()
    assert {name: answer[name] for name in answer if "Max" in name} == {
        "AccountMaxReadCapacityUnits": 80_000,
        "AccountMaxWriteCapacityUnits": 80_000,
        "TableMaxReadCapacityUnits": 40_000,
        "TableMaxWriteCapacityUnits": 40_000,
    }


@pytest.mark.parametrize("fault", [KeyError("x"), IndexError("x"), TypeError("x"), AttributeError("x")])
def test_what_moto_stumbles_over_is_an_error_of_the_service(
    world: World, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    from moto.dynamodb.responses import DynamoHandler

    def stumbles(handler: Any) -> None:
        raise fault

    monkeypatch.setitem(stumbles.__globals__, "__name__", "moto.dynamodb.responses")
    monkeypatch.setattr(DynamoHandler, "describe_continuous_backups", stumbles)
    with pytest.raises(ClientError) as caught:
        world.client.describe_continuous_backups(TableName="orders")
    assert caught.value.response["Error"] == {
        "Code": "ValidationException",
        "Message": f"The lab could not carry out this DescribeContinuousBackups ({type(fault).__name__}: x).",
    }


def test_without_the_front_a_word_that_no_member_has_is_taken(world: World) -> None:
    front.remove()
    try:
        world.of("cloudwatch").put_metric_alarm(
            AlarmName="a",
            MetricName="ThrottledRequests",
            Namespace="AWS/DynamoDB",
            Statistic="Sum",
            Period=60,
            EvaluationPeriods=1,
            Threshold=1.0,
            ComparisonOperator=">",
        )
    finally:
        front.install()
