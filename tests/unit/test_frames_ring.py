"""``hash_space``: names, places and partitions read back from the picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.model.keyspace import SPACE, KeyRange, Place, equal_ranges, position
from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import hash_space
from picture_reading import assert_as_last_looked_at, assert_sound, drawn, lines_named, named, rects_named, words

positions = st.integers(0, SPACE - 1)


def customers(count: int) -> dict[str, int]:
    return {f"CLIENTE#{i}": position({"S": f"CLIENTE#{i}"}) for i in range(count)}


def bars(picture: Picture) -> dict[int, float]:
    """The height of each partition's bar."""
    found = {}
    for e in drawn(picture):
        name = e.get("data-name", "")
        if name.startswith("held "):
            ((_, top, _, bottom),) = rects_named(picture, name)
            found[int(name.split()[1])] = bottom - top
    return found


def split(cuts: Sequence[Place]) -> list[KeyRange]:
    """The whole hash space, cut at those places."""
    ranges = equal_ranges(1)
    for cut in sorted(set(cuts)):
        last = ranges.pop()
        ranges += last.cut(cut) if last.first < cut < last.beyond else (last,)
    return ranges


places = st.tuples(positions, st.sampled_from([b"", b"a", b"m", b"\xff"]))


@settings(max_examples=60)
@given(
    cuts=st.lists(places, max_size=40),
    keys=st.lists(st.one_of(positions, places), max_size=60),
    title=st.text(max_size=100),
)
def test_bars_count_the_keys_of_each_range_and_together_all_of_them(
    cuts: list[Place], keys: list[int | Place], title: str
) -> None:
    ranges = split(cuts)
    keys = [*keys, *cuts]  # on an edge, a key belongs to the range that begins there
    picture = hash_space(ranges, keys, title=title)
    assert_sound(picture)
    held = [sum(1 for key in keys if key in owner) for owner in ranges]
    assert sum(held) == len(keys)
    high = bars(picture)
    assert set(high) == {i for i, n in enumerate(held) if n}
    if keys:
        scale = max(high.values()) / max(held)
        assert all(high[i] == pytest.approx(held[i] * scale, abs=0.03) for i in high)
        assert sum(high.values()) == pytest.approx(len(keys) * scale, abs=0.03 * len(ranges))


@pytest.mark.parametrize("partitions", [1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 100, 128, 200, 255, 256])
@pytest.mark.parametrize("keys", [0, 1, 12, 400, 2000])
def test_labels_never_overlap_or_leave_the_canvas_at_1_to_256_partitions(partitions: int, keys: int) -> None:
    assert_sound(hash_space(partitions, customers(keys), title=f"{keys} keys", numbers=range(900, 900 + partitions)))


@pytest.mark.parametrize("count", range(1, 13))
@pytest.mark.parametrize(
    "name", ["k{}", "PEDIDOS#2026-09-{}", "{}很长的名字很长的名字很长的名字", "e\u0301{}" * 60, "W" * 80 + "{}"]
)
def test_names_of_any_length_stay_apart(count: int, name: str) -> None:
    keys = {name.replace("{}", str(i)): position({"N": str(i)}) for i in range(count)}
    picture = hash_space(4, keys, title="names")
    assert_sound(picture)
    assert len(lines_named(picture, "leads")) == count


def test_names_that_differ_at_their_ends_are_cut_at_their_beginnings() -> None:
    keys = {f"PEDIDOS-DE-LA-TIENDA#2026-09-{i:02}": position({"N": str(i)}) for i in range(10)}
    written = [word for word in words(hash_space(4, keys, title="days")) if word.startswith("…")]
    assert len(set(written)) == 10
    assert all(word.endswith(f"-{i:02}") for i, word in enumerate(written))


def test_each_key_has_a_tick_at_its_share_of_the_strip_and_a_named_one_a_line_to_it() -> None:
    keys = {"a": 0, "b": SPACE // 4, "c": SPACE - 1}
    picture = hash_space(3, keys, title="ticks")
    ((left, _, right, _),) = rects_named(picture, "hash space")
    expected = [left, left + (right - left) / 4, right]
    assert [(x1 + x2) / 2 for x1, _, x2, _ in rects_named(picture, "keys")] == pytest.approx(expected, abs=0.02)
    assert [line[-1][0] for line in lines_named(picture, "leads")] == pytest.approx(expected, abs=0.02)


def test_more_than_400_keys_become_columns_that_add_up_to_them() -> None:
    keys = customers(1000)
    picture = hash_space(16, keys, title="many", named=["CLIENTE#7"])
    columns = [bottom - top for _, top, _, bottom in rects_named(picture, "keys")]
    (note,) = (word for word in words(picture) if "highest holds" in word)
    most = int(note.rstrip(".").split()[-1])
    ((left, _, right, _),) = rects_named(picture, "hash space")
    middle = sum(b - t for x, t, _, b in rects_named(picture, "keys") if x < (left + right) / 2 - 0.01)
    half = sum(1 for place in keys.values() if place < SPACE // 2)
    assert middle / max(columns) * most == pytest.approx(half, abs=8)  # the column in the middle may be shared
    assert sum(columns) / max(columns) * most == pytest.approx(1000, abs=1)
    assert len(hash_space(64, customers(20_000), title="more").svg) < 40_000


def test_a_part_of_an_item_collection_has_room_below_though_no_width_in_the_strip() -> None:
    owner = equal_ranges(1)[0]
    at = SPACE // 2
    low, high = owner.cut((at, b"m"))
    middle, high = high.cut((at, b"t"))
    picture = hash_space([low, middle, high], [(at, b"a"), (at, b"p"), (at, b"p2"), (at, b"z")], title="cut")
    assert bars(picture)[1] == pytest.approx(2 * bars(picture)[0], abs=0.03)
    one, other = lines_named(picture, "bounds")
    assert one[0][0] == other[0][0]  # in the strip
    assert other[-1][0] - one[-1][0] > 100  # below


@pytest.mark.parametrize(
    ("partitions", "keys", "caption"),
    [
        (4, 0, "No key yet: every partition is empty."),
        (1, 5, "One partition holds every key."),
        (4, 1, "One key lives in one partition: 3 of 4 hold nothing, whatever they could serve."),
    ],
)
def test_the_caption_says_what_to_see(partitions: int, keys: int, caption: str) -> None:
    assert caption in words(hash_space(partitions, customers(keys), title="t"))


def test_few_keys_leave_partitions_without_work_and_the_caption_counts_them() -> None:
    keys = {"a": 0, "b": 1, "c": SPACE // 2}
    assert "3 keys reach 2 of 4 partitions; the others have nothing to serve." in words(hash_space(4, keys, title="t"))


def test_the_alternative_text_names_partitions_by_their_own_numbers() -> None:
    picture = hash_space(2, {"a": 0, "b": 1, "c": SPACE - 1}, title="Split", numbers=[0, 7])
    assert "partition 0 holds 2, partition 7 holds 1" in picture.alt
    assert {"0", "7"} <= set(words(picture))


def test_the_axis_stands_still_when_it_is_told_how_high_to_reach() -> None:
    low, high = (hash_space(2, customers(n), title="t", top=500) for n in (100, 400))
    assert max(bars(high).values()) / max(bars(low).values()) > 2
    assert rects_named(low, "hash space") != []
    assert [e.get("y1") for e in named(low, "tick 500")] == [e.get("y1") for e in named(high, "tick 500")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"ranges": 0}, "0 partitions cannot be drawn"),
        ({"ranges": 257}, "257 partitions cannot be drawn"),
        ({"ranges": []}, "0 partitions cannot be drawn"),
        ({"ranges": equal_ranges(4)[1:]}, "gap or overlap"),
        ({"ranges": equal_ranges(4)[::-1]}, "gap or overlap"),
        ({"numbers": [1]}, "numbers has 1 entries for 4 partitions"),
        ({"keys": {"a": SPACE}}, "is no place"),
        ({"keys": [-1]}, "is no place"),
        ({"keys": ["a"]}, "is no place"),
        ({"keys": [math.nan]}, "is no place"),
        ({"named": ["b"]}, "'b' is to be named"),
        ({"keys": customers(20), "named": list(customers(13))}, "13 names are too many"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    whole: dict[str, Any] = {"ranges": 4, "keys": {"a": 1}, "title": "t", **arguments}
    with pytest.raises(PictureError, match=sentence):
        hash_space(**whole)


# --- pictures that somebody looked at ---------------------------------------------------------------------------


DAYS = {f"PEDIDOS#2026-09-{i:02}": position({"S": f"PEDIDOS#2026-09-{i:02}"}) for i in range(1, 9)}


def keys_eight_days() -> Picture:
    return hash_space(4, DAYS, title="Eight days are eight keys")


def keys_64_partitions() -> Picture:
    names = ["CLIENTE#1", "CLIENTE#2", "CLIENTE#3", "CLIENTE#4471"]
    return hash_space(64, customers(5000), title="5,000 customers on 64 partitions", named=names)


def keys_after_splits() -> Picture:
    hot = DAYS["PEDIDOS#2026-09-06"]
    ranges = split([(SPACE // 4, b""), (SPACE // 2, b""), (SPACE // 4 * 3, b""), (hot, b"m"), (hot, b"t")])
    days = [*list(DAYS)[:4], "PEDIDOS#2026-09-06"]
    orders = {f"order {i}": (hot, letter) for i, letter in enumerate((b"a", b"h", b"p", b"p5", b"s", b"z"))}
    keys = {**{day: DAYS[day] for day in days}, **orders}
    title = "A day that was split twice, by its sort keys"
    return hash_space(ranges, keys, title=title, named=days)


@pytest.mark.parametrize(
    "draw", [keys_eight_days, keys_64_partitions, keys_after_splits], ids=lambda draw: draw.__name__
)
def test_a_picture_is_drawn_as_it_was_when_somebody_last_looked_at_it(draw: Callable[[], Picture]) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)
