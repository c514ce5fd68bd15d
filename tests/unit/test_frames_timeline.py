"""Clients and their requests over time: one mark an attempt, or all of them counted."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamolab as lab
from dynamolab.traffic.clients import Client, ClientCall, ClientsRun
from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import request_timeline
from dynamolab.view.frames.timeline import MOST_ATTEMPTS, MOST_CLIENTS
from picture_reading import assert_as_last_looked_at, assert_sound, boxes_named, named, path_boxes, stretches, words


@dataclass
class Call:
    """One call of a log."""

    client: str
    sent: float
    waits: list[float] = field(default_factory=list)
    outcome: str = "ok"
    number: int = 0

    @property
    def retries(self) -> int:
        return len(self.waits)

    @property
    def finished(self) -> float:
        return self.sent + sum(self.waits)


def log(clients: int, calls: int, *, seed: int = 7) -> list[Call]:
    """Calls of which some wait and some give up, as standard retries make them."""
    draw = random.Random(seed)
    made = []
    for number, client in itertools.product(range(calls), range(clients)):
        waits = [round(draw.random() * 2**i, 6) for i in range(draw.randrange(4))]
        outcome = "throttled" if len(waits) == 3 and draw.random() < 0.5 else "ok"
        made.append(Call(f"client {client}", number + client / clients, waits, outcome))
    return made


def timeline_three_clients() -> Picture:
    calls = [
        Call("web", 0),
        Call("web", 1, [0.4, 1.1]),
        Call("worker", 0.5, [0.3, 0.9, 2.2], "throttled"),
        Call("worker", 4, [0.25]),
        Call("report", 2, [], "error"),
    ]
    return request_timeline(calls, title="Three clients of one table")


def timeline_forty_clients() -> Picture:
    return request_timeline(log(40, 6), title="Forty clients")


def timeline_many_clients() -> Picture:
    return request_timeline(log(300, 20), title="Three hundred clients")


@pytest.mark.parametrize("draw", [timeline_three_clients, timeline_forty_clients, timeline_many_clients])
def test_the_timeline_is_drawn_as_when_somebody_last_looked(draw: Any) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)


def marks(picture: Picture, kind: str) -> int:
    return sum(len(boxes) for boxes in boxes_named(picture, f"{kind} ").values())


seconds = st.floats(0, 1e6) | st.floats(0, 20) | st.just(0.0)
calls_ = st.builds(
    Call,
    st.sampled_from(["a", "b", "注文の係", "x" * 90, "Müller & <Söhne>", ""]),
    seconds,
    st.lists(seconds, max_size=4),
    st.sampled_from(["ok", "throttled", "error", "raised"]),
    st.integers(0, 9),
)


@settings(max_examples=80)
@given(calls=st.lists(calls_, max_size=40), title=st.text(max_size=200))
def test_any_calls_stay_on_the_canvas_and_every_attempt_has_its_mark(calls: list[Call], title: str) -> None:
    picture = request_timeline(calls, title=title)
    assert_sound(picture)
    ended = [call.outcome for call in calls]
    assert marks(picture, "admitted") == ended.count("ok")
    assert marks(picture, "refused") == ended.count("throttled") + sum(call.retries for call in calls)
    assert marks(picture, "failed") == ended.count("error") + ended.count("raised")
    assert 2 * ended.count("throttled") == marks(picture, "given up")  # a cross has two strokes


@pytest.mark.parametrize("clients", [1, 2, 10, 40])
@pytest.mark.parametrize("name", ["client {}", "{} client with a name that is much too long to be shown", "分区 {}"])
def test_1_to_40_clients_have_a_row_each_and_no_words_overlap(clients: int, name: str) -> None:
    calls = [Call(name.format(c), c / 7 + i, [0.5] * (i % 3), "ok") for c in range(clients) for i in range(3)]
    picture = request_timeline(calls, title="t")
    assert_sound(picture)
    assert len(boxes_named(picture, "admitted ")) == clients


def test_attempts_stand_at_their_times() -> None:
    picture = request_timeline([Call("a", 0), Call("a", 2, [3, 4]), Call("a", 10)], title="t")
    at = sorted(box[0] for kind in ("admitted a", "refused a") for box in boxes_named(picture, kind)[kind])
    assert [(x - at[0]) / (at[-1] - at[0]) for x in at] == pytest.approx([0, 0.2, 0.5, 0.9, 1], abs=0.001)


def test_a_wait_leads_from_the_refused_attempt_to_the_next_one() -> None:
    picture = request_timeline([Call("a", 0, [3, 4]), Call("a", 10)], title="t")
    refused, last = boxes_named(picture, "refused a")["refused a"], boxes_named(picture, "admitted a")["admitted a"]
    (waits,) = (stretches(e) for e in named(picture, "waiting a"))
    assert [line[0][0] for line in waits] == pytest.approx([box[2] for box in refused], abs=0.02)
    assert [line[1][0] for line in waits] == pytest.approx([refused[1][0], last[0][0]], abs=0.02)


def test_calls_of_one_client_at_the_same_time_do_not_cover_each_other() -> None:
    picture = request_timeline([Call("a", i / 10, [5.0]) for i in range(8)], title="t")
    levels = {box[1] for box in boxes_named(picture, "refused a")["refused a"]}
    assert len(levels) == 8


def test_a_client_that_sent_nothing_keeps_its_row() -> None:
    run = ClientsRun(0, 5.0, ["busy", "idle"], [ClientCall(0, 1.0, 1.0, client="busy")])
    picture = request_timeline(run)
    assert {"busy", "idle", "2 clients, 1 call"} <= set(words(picture))
    assert "5 simulated seconds" in picture.alt


def test_more_than_40_clients_or_too_many_attempts_are_counted_together() -> None:
    at_most = log(MOST_CLIENTS, 1)
    assert "All clients together" not in request_timeline(at_most).svg
    for calls in (log(MOST_CLIENTS + 1, 1), log(2, MOST_ATTEMPTS)):
        assert "All clients together, counted by" in " ".join(words(request_timeline(calls)))


@settings(max_examples=40)
@given(
    calls=st.lists(
        st.builds(
            Call,
            st.uuids().map(str),
            seconds,
            st.lists(seconds, max_size=4),
            st.sampled_from(["ok", "throttled", "error"]),
        ),
        min_size=41,
        max_size=120,
    )
)
def test_counted_together_bars_add_up_to_the_attempts_and_the_area_to_the_waits(calls: list[Call]) -> None:
    picture = request_timeline(calls, title="t")
    assert_sound(picture)
    ended = [call.outcome for call in calls]
    counts = {
        "admitted": ended.count("ok"),
        "refused": ended.count("throttled") + sum(call.retries for call in calls),
        "failed": ended.count("error"),
    }
    heights = {kind: sum(b - t for _, t, _, b in boxes_named(picture, kind).get(kind, [])) for kind in counts}
    assert sum(heights.values()) > 0
    unit = sum(heights.values()) / sum(counts.values())
    for kind, count in counts.items():
        assert heights[kind] == pytest.approx(count * unit, abs=0.02 * len(calls))
    waited = sum(sum(call.waits) for call in calls)
    area = sum((r - x) * (b - t) for x, t, r, b in boxes_named(picture, "waiting").get("waiting", []))
    assert (area > 0) == (round(waited, 6) > 0) or waited < 1e-3


def test_the_average_of_the_waiting_calls_is_exact() -> None:
    calls = [Call(f"c{i}", 0, [2.0]) for i in range(60)] + [Call("end", 120)]
    picture = request_timeline(calls, title="t")
    boxes = boxes_named(picture, "waiting")["waiting"]
    assert len(boxes) == 2
    assert "at most 60" in words(picture)


@pytest.mark.parametrize(
    ("calls", "caption"),
    [
        ([], "Nothing was sent."),
        ([Call("a", 1)], "Every first attempt was admitted: no call had to wait."),
        ([Call("a", 1), Call("a", 2, [0.5])], "1 of 2 calls met a refusal, none gave up; the longest wait was 0.5 s."),
        (
            [Call("a", 1, [1.0, 2.0], "throttled"), Call("b", 2, [], "throttled")],
            "2 of 2 calls met a refusal, 2 gave up; the longest wait was 3 s.",
        ),
    ],
)
def test_the_caption_says_what_to_see(calls: list[Call], caption: str) -> None:
    assert caption in words(request_timeline(calls, title="t"))


@pytest.mark.parametrize(
    ("calls", "sentence"),
    [
        ([1], "Call 0 is not one of a run's log"),
        ([Call("a", math.nan)], "Call 0 has a time"),
        ([Call("a", 1, [-0.5])], "Call 0 has a time"),
        ([ClientCall(0, 1.0, 2.0, retries=2, client="a")], "2 retries and 0 waits"),
    ],
)
def test_calls_that_cannot_be_drawn_are_refused_in_one_sentence(calls: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        request_timeline(calls, title="t")


def test_a_real_run_of_clients_can_be_drawn_and_its_waits_are_those_of_boto3() -> None:
    lab.start(seed=7)
    try:
        import boto3

        boto3.client("dynamodb").create_table(
            TableName="carts",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
        )

        def put(dynamodb: Any, i: int) -> None:
            dynamodb.put_item(TableName="carts", Item={"id": {"S": str(i)}, "pad": {"S": "x" * 9000}})

        run = lab.run_clients([Client("web", put, per_second=4), Client("worker", put, per_second=3)], 12)
    finally:
        lab.stop()
    retried = [call for call in run.log if call.retries]
    assert retried
    for call in run.log:
        assert len(call.waits) == call.retries
        assert call.sent + sum(call.waits) == pytest.approx(call.finished)
    picture = request_timeline(run)
    assert_sound(picture)
    assert marks(picture, "refused") == sum(run.summary.retries) + sum(run.summary.throttled)
    assert marks(picture, "admitted") == sum(run.summary.ok)
    assert all(path_boxes(e) for e in named(picture, "waiting web"))


def test_counted_together_refused_attempts_stand_on_the_admitted_ones() -> None:
    calls = [Call(f"c{i}", 0) for i in range(30)] + [Call(f"d{i}", 0, [], "throttled") for i in range(60)]
    picture = request_timeline(calls, title="t")
    ((x, top, right, _),) = boxes_named(picture, "admitted")["admitted"]
    ((other, _, end, bottom),) = boxes_named(picture, "refused")["refused"]
    assert (other, end, bottom) == pytest.approx((x, right, top), abs=0.02)
