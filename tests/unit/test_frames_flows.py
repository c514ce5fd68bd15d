"""A table and its indexes: bars, buffers, and who makes the table refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.model.parameters import DEFAULTS
from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import Flow, table_flows
from picture_reading import assert_as_last_looked_at, assert_sound, boxes_named, named, path_boxes, words


def flows_back_pressure() -> Picture:
    indexes = [Flow("gsi-cliente", 62, 100), Flow("gsi-estado-fecha", 160, 100, owed=3000, refused=41)]
    return table_flows(Flow("carritos", 62, 125), indexes, title="A table at half its capacity refuses writes")


def flows_twenty_indexes() -> Picture:
    indexes = [Flow(f"index-{i}", 90 * i, 800 if i % 2 else None, 50 * i, 30 * (i == 7)) for i in range(20)]
    return table_flows(Flow("orders", 1000, refused=300), indexes, title="Twenty indexes")


def flows_no_index() -> Picture:
    return table_flows(Flow("carritos", 62, 1000), title="A table without an index")


@pytest.mark.parametrize(
    "draw", [flows_back_pressure, flows_twenty_indexes, flows_no_index], ids=lambda draw: draw.__name__
)
def test_the_flows_are_drawn_as_when_somebody_last_looked(draw: Any) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)


values = st.one_of(st.just(0.0), st.floats(0.001, 5000), st.floats(0.001, 1e15))
limits = st.one_of(st.none(), st.floats(0.5, 1e9))
indexes_ = st.lists(st.builds(Flow, st.text(max_size=60), values, limits, values, values), max_size=20)


@settings(max_examples=80)
@given(
    table=st.builds(Flow, st.text(max_size=300), values, limits, st.just(0.0), values),
    indexes=indexes_,
    title=st.text(max_size=200),
)
def test_any_flows_stay_on_the_canvas_and_their_bars_add_up_to_the_data(
    table: Flow, indexes: list[Flow], title: str
) -> None:
    picture = table_flows(table, indexes, title=title)
    assert_sound(picture)
    flows = [table, *indexes]
    refused = sum(flow.refused for flow in flows)
    highest = max([table.units + refused, *(flow.units for flow in flows), *(flow.capacity or 0 for flow in flows)])
    if not highest:
        return
    scale = 180 / highest
    for i, flow in enumerate(flows):
        drawn = sum(
            box[2] - box[0]
            for role in (("index", "buffer") if i else ("admitted",))
            for box in boxes_named(picture, f"{role} {i}").get(f"{role} {i}", [])
        )
        assert drawn == pytest.approx(flow.units * scale, abs=0.03)
    hatched = boxes_named(picture, "refused-fill 0").get("refused-fill 0", [(0.0, 0.0, 0.0, 0.0)])[0]
    assert hatched[2] - hatched[0] == pytest.approx(refused * scale, abs=0.03)


@pytest.mark.parametrize("count", range(21))
@pytest.mark.parametrize(
    "name", ["gsi-{}", "an index with a long name that nobody can remember, number {}", "索引 {} für Müller"]
)
def test_0_to_20_indexes_have_a_row_each_and_no_words_overlap(count: int, name: str) -> None:
    indexes = [
        Flow(name.format(i), 10.0 ** (i % 16), 10.0 ** (i % 7), 10.0 ** (i % 16), float(i % 3)) for i in range(count)
    ]
    picture = table_flows(Flow(name.format("of the table"), 1e6, 1e6, refused=1e6), indexes, title="t")
    assert_sound(picture)
    assert len(boxes_named(picture, "buffer room").get("buffer room", [])) == count
    assert len(named(picture, "trunk")) == (count > 0)


def test_what_comes_above_the_capacity_is_drawn_as_going_into_the_buffer() -> None:
    picture = flows_back_pressure()
    (written,), (owed,) = (boxes_named(picture, f"{role} 2")[f"{role} 2"] for role in ("index", "buffer"))
    assert (owed[2] - owed[0]) / (written[2] - written[0]) == pytest.approx(0.6, abs=0.001)
    (line,) = named(picture, "capacity 2")
    assert float(line.get("x1", "")) == pytest.approx(owed[0], abs=0.02)
    assert line.get("stroke-dasharray")


def test_the_arrow_leads_from_the_index_at_fault_to_the_table() -> None:
    (arrow,) = named(flows_back_pressure(), "back-pressure")
    *from_index, up = path_boxes(arrow)
    assert len(from_index) == 1
    fault = boxes_named(flows_back_pressure(), "buffer 2")["buffer 2"][0]
    assert fault[1] <= from_index[0][1] <= fault[3]
    table = boxes_named(flows_back_pressure(), "admitted 0")["admitted 0"][0]
    assert table[1] <= up[1] <= table[3]


def test_without_an_index_at_fault_there_is_no_arrow() -> None:
    picture = table_flows(Flow("t", 5, 5, refused=9), [Flow("i", 5, 9)], title="t")
    assert not named(picture, "back-pressure")
    assert "The table refuses 9 WU/s for its own limit, no index makes it." in words(picture)


def test_a_full_buffer_says_so_and_is_drawn_no_longer_than_its_room() -> None:
    picture = table_flows(Flow("t", 5), [Flow("i", 5, 5, owed=9000), Flow("j", 5, 5, owed=1500)], title="t")
    assert {"9,000 owed, full", "1,500 owed", "buffer of 3,000"} <= set(words(picture))
    room = boxes_named(picture, "buffer room")["buffer room"]
    full, half = (boxes_named(picture, f"owed {i}")[f"owed {i}"][0] for i in (1, 2))
    assert full == pytest.approx(room[0])
    assert half[2] - half[0] == pytest.approx((room[1][2] - room[1][0]) / 2)
    assert DEFAULTS.index_buffer_units == 3000


@pytest.mark.parametrize(
    ("table", "indexes", "caption"),
    [
        (Flow("t", 0), [], "Nothing is written."),
        (Flow("t", 5), [], "Nothing is refused; the table has no index."),
        (Flow("t", 5, 5, refused=1), [], "The table refuses 1 WU/s for its own limit."),
        (
            Flow("t", 10),
            [Flow("i", 10), Flow("j", 20)],
            "Nothing is refused: every index keeps up. The indexes take 3 times the table's own units.",
        ),
        (
            Flow("t", 10),
            [Flow("i", 10, 5, owed=40)],
            "Nothing is refused yet: i is behind by 40 of the 3,000 it may owe.",
        ),
        (
            Flow("t", 10, 20),
            [Flow("i", 10, 5, 3000, 4), Flow("j", 10, 5, 3000, 6)],
            "Back-pressure: j and 1 more cannot keep up, so the table refuses 10 WU/s while it takes 10 of its own 20.",
        ),
    ],
)
def test_the_caption_says_what_to_see(table: Flow, indexes: list[Flow], caption: str) -> None:
    assert caption in table_flows(table, indexes, title="t").alt


def test_the_alt_text_names_every_row_and_who_is_at_fault() -> None:
    assert (
        "carritos takes 62 of 125 WU/s; gsi-cliente takes 62 of 100 WU/s; gsi-estado-fecha takes 160 of 100 WU/s, "
        "owes 3,000, makes the table refuse 41; refused in all: 41 WU/s."
    ) in flows_back_pressure().alt


def test_a_fixed_top_keeps_the_bars_scale() -> None:
    pictures = [table_flows(Flow("t", units), title="t", caption="c", top=1000) for units in (100, 200)]
    one, two = (boxes_named(p, "admitted 0")["admitted 0"][0] for p in pictures)
    assert two[2] - two[0] == pytest.approx(2 * (one[2] - one[0]))


@pytest.mark.parametrize(
    ("table", "indexes", "sentence"),
    [
        (Flow("t", -1), [], r"units\[0\] is -1"),
        (Flow("t", 1), [Flow("i", float("nan"))], r"units\[1\] is nan"),
        (Flow("t", 1, 0), [], "capacity is 0"),
        (Flow("t", 1, owed=3), [], "A table owes nothing"),
        (Flow("t", 1), [Flow("i", 1)] * 21, "21 indexes are too many"),
    ],
)
def test_flows_that_cannot_be_drawn_are_refused_in_one_sentence(table: Flow, indexes: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        table_flows(table, indexes, title="t")
