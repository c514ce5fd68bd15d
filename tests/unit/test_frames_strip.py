"""``item_strip``: bytes and units read back from the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.model.sizes import attribute_sizes, item_size
from dynamolab.model.units import read_units, write_units
from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import item_strip
from picture_reading import assert_as_last_looked_at, assert_sound, lines_named, rects_named, words

CART: dict[str, Any] = {
    "pk": {"S": "CLIENTE#4471"},
    "sk": {"S": "CARRITO#2026-09-06"},
    "estado": {"S": "pendiente"},
    "total": {"N": "54.30"},
}


def of_size(size: int) -> dict[str, Any]:
    """An item of exactly that many bytes."""
    return {"pk": {"S": "a"}, "v": {"S": "x" * (size - 4)}}


def width(picture: Picture, name: str) -> float:
    return sum(right - left for left, _, right, _ in rects_named(picture, name))


values = st.one_of(
    st.text(max_size=3000).map(lambda text: {"S": text}),
    st.binary(max_size=200_000).map(lambda raw: {"B": raw}),
    st.integers(-(10**30), 10**30).map(lambda n: {"N": str(n)}),
    st.just({"BOOL": True}),
    st.just({"L": [{"S": "é" * 40}, {"M": {"a": {"NULL": True}}}] * 30}),
)


@settings(max_examples=60)
@given(
    item=st.dictionaries(st.text(min_size=1, max_size=60), values, min_size=1, max_size=40).filter(
        lambda item: item_size(item) <= 800_000
    ),
    title=st.text(max_size=80),
)
def test_bytes_of_names_and_values_are_to_the_scale_of_the_units_and_sum_to_the_item(
    item: dict[str, Any], title: str
) -> None:
    picture = item_strip(item, title=title)
    assert_sound(picture)
    sizes = attribute_sizes(item)
    size = item_size(item)
    ((left, _, right, _),) = rects_named(picture, "item")
    scale = (right - left) / size
    assert width(picture, "names") == pytest.approx(sum(n for n, _ in sizes.values()) * scale, abs=0.02 * len(sizes))
    assert width(picture, "values") == pytest.approx(sum(v for _, v in sizes.values()) * scale, abs=0.02 * len(sizes))
    assert width(picture, "used write units") == pytest.approx(right - left, abs=0.02)
    # The paid unit is the reference where the item itself is too small to measure the scale with.
    paid = width(picture, "paid write units")
    assert paid * size == pytest.approx(write_units(size) * 1024 * (right - left), rel=0.02 / (right - left) + 1e-3)
    if size > 1024:
        reads = read_units(size, consistency="strong")
        assert width(picture, "paid read units") == pytest.approx(
            paid / write_units(size) * 4 * reads, abs=0.05 * reads
        )
    # In the lines below, every byte is in a bar again.
    ratio = width(picture, "name bars") * sum(v for _, v in sizes.values())
    assert ratio == pytest.approx(
        width(picture, "value bars") * sum(n for n, _ in sizes.values()), abs=0.05 * len(sizes) * size
    )


@pytest.mark.parametrize("size", [100, 1023, 1024, 1025, 3050, 4096, 4097, 65_536, 262_144, 409_599, 409_600])
def test_from_100_bytes_to_400_kb_the_picture_says_what_a_write_and_a_read_cost(size: int) -> None:
    picture = item_strip(of_size(size), title="t", keys=("pk",))
    assert_sound(picture)
    strong = read_units(size, consistency="strong")
    line = f"a write costs {write_units(size)} WU, a read {strong:g} RU (eventually consistent: {strong / 2:g} RU)"
    assert line[0].upper() + line[1:] in words(picture)
    assert f"{size:,} bytes" in picture.alt
    assert "refuses" not in picture.alt
    assert len(picture.svg) < 20_000


def test_one_byte_more_than_a_kb_is_a_write_unit_more_and_the_caption_counts_the_empty_bytes() -> None:
    full, over = (item_strip(of_size(size), title="t").alt for size in (2048, 2049))
    assert "2 KB are paid, not one byte is free" in full
    assert "3 KB are paid, 1,023 bytes of them are empty" in over
    assert "1 byte of them is empty" in item_strip(of_size(1023), title="t").alt


def test_an_item_over_400_kb_is_drawn_past_the_limit_and_called_refused() -> None:
    picture = item_strip(of_size(409_601), title="t")
    assert_sound(picture)
    assert "Too large: DynamoDB refuses it." in words(picture)
    assert "DynamoDB refuses it: over 400 KB" in picture.alt
    ((x, _), _) = lines_named(picture, "limit")[0]
    ((_, _, right, _),) = rects_named(picture, "item")
    assert x == pytest.approx(right, abs=0.05)
    assert lines_named(item_strip(of_size(4000), title="t"), "limit") == []


def test_each_attribute_has_its_line_with_its_bytes_and_keys_say_which_they_are() -> None:
    picture = item_strip(CART, title="t", keys=("pk", "sk"))
    found = words(picture)
    assert {"pk", "sk", "estado", "total", "string, partition key", "string, sort key", "number"} <= set(found)
    assert "pk 2 + 12, sk 2 + 18, estado 6 + 9, total 5 + 3" in picture.alt


def test_of_many_attributes_the_largest_have_lines_and_the_rest_share_one() -> None:
    item = {f"attribute_{i:03}": {"S": "x" * i} for i in range(100)}
    picture = item_strip(item, title="t", listed=5)
    assert_sound(picture)
    assert {f"attribute_{i:03}" for i in range(95, 100)} <= set(words(picture))
    assert "attribute_000" in words(item_strip(item, title="t", listed=5, keys=("attribute_000",)))
    assert "95 smaller attributes" in words(picture)
    rest = attribute_sizes({f"attribute_{i:03}": {"S": "x" * i} for i in range(95)})
    assert f"{sum(v for _, v in rest.values()):,}" in words(picture)


def test_an_attribute_is_named_over_the_strip_where_its_bytes_leave_room() -> None:
    picture = item_strip({"pk": {"S": "a"}, "historial": {"S": "x" * 900}}, title="t")
    assert words(picture).count("historial") == 2  # over the strip and in its line
    assert words(picture).count("pk") == 1


def test_the_axis_stands_still_when_it_is_told_how_far_to_reach() -> None:
    small, large = (item_strip(of_size(size), title="t", top_bytes=8192) for size in (100, 8000))
    assert lines_named(small, "marks") == lines_named(large, "marks")
    assert (small.width, small.height) == (large.width, large.height)
    assert width(large, "item") == pytest.approx(80 * width(small, "item"), rel=0.01)


@pytest.mark.parametrize(
    "name", ["很长的名字" * 30, "e\u0301" * 100, "👩‍👩‍👧‍👦" * 40, "W" * 300, "<b>&\"'</b>", "\x00\x1b"]
)
def test_names_of_any_kind_stay_in_their_places(name: str) -> None:
    item = {name: {"S": "x"}, **{f"{name}{i}": {"S": "x" * i} for i in range(30)}}
    assert_sound(item_strip(item, title=name, keys=(name, f"{name}1"), caption=name or None))


@pytest.mark.parametrize(
    ("item", "arguments", "sentence"),
    [
        ({}, {}, "the item is empty"),
        ({"pk": {"N": "many"}}, {}, "DynamoDB would refuse it: The parameter cannot be converted"),
        ({"pk": {}}, {}, "must contain exactly one of the supported datatypes"),
        ({"pk": "a"}, {}, "DynamoDB's own JSON"),
        ({"pk": 5}, {}, "DynamoDB's own JSON"),
        (["pk"], {}, "DynamoDB's own JSON"),
        (of_size(819_201), {}, "a picture takes up to"),
        (CART, {"listed": 0}, "listed is 0"),
        (CART, {"listed": 13}, "listed is 13"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(item: Any, arguments: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        item_strip(item, title="t", **arguments)


# --- pictures that somebody looked at ---------------------------------------------------------------------------


ARTICLE = {"M": {"sku": {"S": "SKU-000123"}, "cantidad": {"N": "2"}, "precio": {"N": "3.45"}}}


def item_small() -> Picture:
    return item_strip(CART, title="An empty cart", keys=("pk", "sk"))


def item_cart() -> Picture:
    cart = {**CART, "articulos": {"L": [ARTICLE] * 60}, "nota": {"S": "x" * 300}}
    return item_strip(cart, title="A cart of 60 articles", keys=("pk", "sk"))


def item_many_attributes() -> Picture:
    more = {f"atributo_con_nombre_largo_{i}": {"N": str(i)} for i in range(40)}
    return item_strip({**CART, **more}, title="Names cost bytes", keys=("pk", "sk"))


def item_too_large() -> Picture:
    return item_strip({**CART, "foto": {"B": b"x" * 412_000}}, title="A photo too many", keys=("pk", "sk"))


@pytest.mark.parametrize(
    "draw", [item_small, item_cart, item_many_attributes, item_too_large], ids=lambda draw: draw.__name__
)
def test_a_picture_is_drawn_as_it_was_when_somebody_last_looked_at_it(draw: Callable[[], Picture]) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)
