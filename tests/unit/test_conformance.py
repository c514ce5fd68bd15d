"""The comparison can fail: differences are found, entries match only what they name, and stale ones are noticed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "conformance"))

import compare


class Canned:
    """A server that always gives the same answer."""

    def __init__(self, status: int, content: Any) -> None:
        self.answer = compare.Answer(status, content)

    def ask(self, operation: str, body: Any) -> compare.Answer:
        return self.answer


def found(operation: str, lab: tuple[int, Any], dynalite: tuple[int, Any]) -> list[tuple[str, str, str]]:
    comparison = compare.Comparison(Canned(*lab), Canned(*dynalite))  # type: ignore[arg-type]
    comparison.ask("group/case", operation, {})
    return [(difference.path, difference.lab, difference.dynalite) for difference in comparison.differences]


REFUSED = (400, {"__type": "x#ValidationException", "message": "no"})


@pytest.mark.parametrize(
    ("lab", "dynalite", "difference"),
    [
        ((200, {"a": [1, 2]}), (200, {"a": [1, 2.0]}), []),
        ((200, {"a": [1, 2]}), (200, {"a": [1, 3]}), [("a[1]", "2", "3")]),
        ((200, {"a": [1, 2]}), (200, {"a": [1]}), [("a", "[1, 2]", "[1]")]),
        ((200, {}), (200, {"a": 1}), [("a", "(nothing)", "1")]),
        ((200, {"v": {"SS": ["a", "b"]}}), (200, {"v": {"SS": ["b", "a"]}}), []),
        ((200, {"v": {"L": ["a", "b"]}}), (200, {"v": {"L": ["b", "b"]}}), [("v.L[0]", "a", "b")]),
        (REFUSED, REFUSED, []),
        (REFUSED, (400, {"__type": "ValidationException", "Message": "no"}), []),
        ((200, {"a": 1}), REFUSED, [("outcome", "done", "400 ValidationException: no")]),
        (REFUSED, (400, {"__type": "x#Other", "message": "no"}),
         [("code", "400 ValidationException: no", "400 Other: no")]),
        (REFUSED, (500, {"__type": "x#ValidationException", "message": "no"}),
         [("code", "400 ValidationException: no", "500 ValidationException: no")]),
        (REFUSED, (400, {"__type": "x#ValidationException", "message": "not"}), [("message", "no", "not")]),
    ],
)  # fmt: skip
def test_two_answers_differ_in_exactly_what_is_told(lab: Any, dynalite: Any, difference: Any) -> None:
    assert found("Query", lab, dynalite) == difference


def test_the_order_of_items_counts_in_a_query_and_not_in_a_scan() -> None:
    one, other = (200, {"Items": ["a", "b"]}), (200, {"Items": ["b", "a"]})
    assert found("Scan", one, other) == []
    assert len(found("Query", one, other)) == 2


def rule(**patterns: Any) -> compare.Rule:
    return compare.Rule(id="x", right="lab", why="", source="", **patterns)


DIFFERENCE = compare.Difference("reads/scan", "Scan", "ConsumedCapacity.CapacityUnits", "2.0", "1", "{}")


@pytest.mark.parametrize(
    ("patterns", "matches"),
    [
        ({}, True),
        ({"case": "reads/.*"}, True),
        ({"case": "reads"}, False),
        ({"operation": "Query|Scan"}, True),
        ({"operation": "Query"}, False),
        ({"path": "ConsumedCapacity"}, False),
        ({"lab": "2"}, False),
        ({"dynalite": "1"}, True),
        ({"times": 2}, True),
        ({"times": 3}, False),
        ({"prefix": "2.0"}, False),
    ],
)
def test_an_entry_matches_whole_texts_only(patterns: Any, matches: bool) -> None:
    assert rule(**patterns).matches(DIFFERENCE) is matches


def test_each_difference_is_counted_for_the_first_entry_that_matches_and_the_rest_is_unlisted() -> None:
    rules = [rule(operation="Query"), rule(operation="Scan"), rule()]
    assert compare.judge([DIFFERENCE], rules) == []
    assert [entry.met for entry in rules] == [0, 1, 0]
    assert compare.judge([DIFFERENCE], rules[:1]) == [DIFFERENCE]


def test_every_entry_of_the_list_says_who_is_right_why_and_by_what() -> None:
    ids = set()
    for entry in compare.rules():
        assert entry.right in ("lab", "dynalite", "either")
        assert entry.why.endswith(".")
        assert entry.source
        assert entry.id not in ids
        ids.add(entry.id)
