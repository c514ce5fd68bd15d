"""Cost beside refusals, and cost against utilisation."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamolab.view import Picture, PictureError
from dynamolab.view.frames import Priced, cost_bars, cost_curve
from dynamolab.view.svg import number, text_width
from picture_reading import assert_as_last_looked_at, assert_sound, boxes_named, named, path_boxes, stretches, words

#: 1,000 write units for 730 hours in us-east-1 ("DynamoDB pricing"): on-demand at full use, provisioned.
ON_DEMAND, PROVISIONED = 1000 * 3600 * 730 * 0.625 / 1e6, 1000 * 730 * 0.00065


def cost_black_friday() -> Picture:
    return cost_bars(
        [
            Priced("on-demand", 6.14, 0, 2e6),
            Priced("provisioned for the peak", 5.02, 0, 2e6),
            Priced("auto scaling at 70 %", 2.17, 31_200, 2e6),
            Priced("85 WCU all day", 1.60, 912_000, 2e6),
        ],
        title="One day, four designs",
    )


def cost_by_utilisation() -> Picture:
    prices = {"provisioned": PROVISIONED, "reserved, 1 year": 218.4, "reserved, 3 years": 109.1}
    return cost_curve(ON_DEMAND, prices, title="1,000 WCU for a month, by how much of them is used", at=0.15)


@pytest.mark.parametrize("draw", [cost_black_friday, cost_by_utilisation])
def test_the_cost_is_drawn_as_when_somebody_last_looked(draw: Any) -> None:
    assert_as_last_looked_at(draw(), draw.__name__)


# --- bars --------------------------------------------------------------------------------------------------

values = st.one_of(st.just(0.0), st.floats(0.001, 5000), st.floats(0.001, 1e15))
shares = st.one_of(st.just(0.0), st.just(1.0), st.floats(0, 1))
designs_ = st.lists(
    st.tuples(st.text(max_size=80), values, shares, values).map(
        lambda row: Priced(row[0], row[1], row[2] * row[3], row[3])
    ),
    min_size=1,
    max_size=24,
)


@settings(max_examples=80)
@given(designs=designs_, title=st.text(max_size=200), per=st.text(max_size=40))
def test_any_designs_stay_on_the_canvas_and_their_bars_are_the_data(
    designs: list[Priced], title: str, per: str
) -> None:
    picture = cost_bars(designs, title=title, per=per)
    assert_sound(picture)
    money = {name: box[2] - box[0] for name, (box,) in boxes_named(picture, "cost ").items()}
    highest = max(design.usd for design in designs)
    longest = max(money.values(), default=0.0)
    lost = {name: box[2] - box[0] for name, (box,) in boxes_named(picture, "refused ").items()}
    # One refused share is known to the others by proportion; all of it would be the same length in any row.
    full = max(
        (
            lost[f"refused {i}"] / (d.refused / d.sent)
            for i, d in enumerate(designs)
            if f"refused {i}" in lost and d.refused / d.sent > 0.01
        ),
        default=0.0,
    )
    for i, design in enumerate(designs):
        if highest:
            assert money.get(f"cost {i}", 0.0) == pytest.approx(design.usd / highest * longest, abs=0.03)
        if full and design.sent:
            share = design.refused / design.sent
            assert lost.get(f"refused {i}", 0.0) == pytest.approx(share * full, abs=0.03 + full * 0.001)
    free = [design.usd for design in designs if not round(design.refused, 9)]
    assert len(named(picture, "cheapest")) == (1 if free else 0)


def test_the_star_stands_beside_the_cheapest_that_refuses_nothing() -> None:
    picture = cost_black_friday()
    (star,) = named(picture, "cheapest")
    ((_, top, _, bottom),) = path_boxes(star)
    ((_, bar_top, _, bar_bottom),) = boxes_named(picture, "cost 1")["cost 1"]
    assert bar_top <= (top + bottom) / 2 <= bar_bottom
    assert "the cheapest that refuses nothing" in words(picture)


def test_amounts_and_shares_are_written_beside_their_bars() -> None:
    assert {"6.14", "1.60", "1.56 % (31,200)", "45.6 % (912,000)", "0 %", "USD a day"} <= set(
        words(cost_black_friday())
    )


def test_refused_shares_are_hatched_on_a_scale_of_their_own_to_100_percent() -> None:
    picture = cost_bars([Priced("a", 1, 50, 100), Priced("b", 2, 100, 100)], title="t")
    (half,), (full,) = (boxes_named(picture, f"refused {i}")[f"refused {i}"] for i in (0, 1))
    assert half[2] - half[0] == pytest.approx((full[2] - full[0]) / 2, abs=0.02)
    (axis,) = named(picture, "nothing refused")
    assert float(axis.get("x1", "")) == pytest.approx(half[0], abs=0.02)


@pytest.mark.parametrize("name", ["a", "a design with a name that nobody would give to one in earnest", "設計" * 40])
@pytest.mark.parametrize("amount", [1.0, 999_999.0, 1e15])
def test_the_longest_bars_leave_room_for_their_words(name: str, amount: float) -> None:
    picture = cost_bars([Priced(name, amount, amount, amount)], title="t")
    assert_sound(picture)
    ((_, _, end, _),) = boxes_named(picture, "refused 0")["refused 0"]
    assert end + 8 + text_width(f"100 % ({number(amount)})", 15, bold=True) <= picture.width


def test_a_fixed_top_keeps_the_scale_of_the_money() -> None:
    wide = []
    for usd in (10, 20):
        ((x, _, right, _),) = boxes_named(cost_bars([Priced("a", usd)], title="t", top=100), "cost 0")["cost 0"]
        wide.append(right - x)
    assert wide[1] == pytest.approx(2 * wide[0], abs=0.03)


@pytest.mark.parametrize(
    ("designs", "caption"),
    [
        ([Priced("a", 1), Priced("b", 2)], "a is cheapest with 1.00 USD a day and refuses nothing."),
        (
            [Priced("a", 1, 5, 100), Priced("b", 2)],
            "a is cheapest with 1.00 USD a day, but refuses 5 %; refusing nothing costs 2.00 USD.",
        ),
        (
            [Priced("a", 1, 5, 100), Priced("b", 2, 1, 10_000)],
            "Every design refuses something; a is cheapest with 1.00 USD a day and refuses 5 %.",
        ),
    ],
)
def test_the_caption_says_what_to_see(designs: list[Priced], caption: str) -> None:
    assert caption in cost_bars(designs, title="t").alt


@pytest.mark.parametrize(
    ("designs", "sentence"),
    [
        ([], "no design to draw"),
        ([Priced("a", 1)] * 25, "25 designs are too many"),
        ([Priced("a", math.inf)], r"usd\[0\] is inf"),
        ([Priced("a", -1)], r"usd\[0\] is -1"),
        ([Priced("a", 1, 5, 4)], "'a' refuses 5 of 4 requests"),
    ],
)
def test_designs_that_cannot_be_drawn_are_refused_in_one_sentence(designs: list[Priced], sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        cost_bars(designs, title="t")


# --- the curve ---------------------------------------------------------------------------------------------


def test_provisioned_breaks_even_at_28_9_percent_as_of_november_2024_and_at_14_4_before() -> None:
    """DynamoDB pricing."""
    after = cost_curve(ON_DEMAND, {"provisioned": PROVISIONED}, title="t")
    before = cost_curve(2 * ON_DEMAND, {"provisioned": PROVISIONED}, title="t")
    assert "Below 28.9 % utilisation on-demand is cheaper than provisioned, above it dearer." in words(after)
    assert {"28.9 %", "pays from 28.9 %"} <= set(words(after))
    assert "pays from 14.4 %" in words(before)


@settings(max_examples=80)
@given(
    on_demand=st.floats(0.001, 1e15),
    prices=st.dictionaries(st.text(max_size=60), values, min_size=1, max_size=6),
    at=st.one_of(st.none(), shares),
    title=st.text(max_size=200),
    unit=st.text(max_size=40),
)
def test_any_prices_stay_on_the_canvas_and_lines_meet_at_their_rings(
    on_demand: float, prices: dict[str, float], at: float | None, title: str, unit: str
) -> None:
    picture = cost_curve(on_demand, prices, title=title, unit=unit, at=at)
    assert_sound(picture)
    ((start, end),) = (line for e in named(picture, "on-demand") for line in stretches(e))
    rings = sorted(((x + r) / 2, (t + b) / 2) for e in named(picture, "ring") for x, t, r, b in path_boxes(e))
    prices_ = [round(price, 9) for price in prices.values()]
    meeting = sorted(price / round(on_demand, 9) for price in prices_ if 0 < price < round(on_demand, 9))
    assert [(x - start[0]) / (end[0] - start[0]) for x, _ in rings] == pytest.approx(meeting, abs=0.001)
    for x, y in rings:  # on the line of on-demand
        along = (x - start[0]) / (end[0] - start[0])
        assert y == pytest.approx(start[1] + along * (end[1] - start[1]), abs=0.05)
    highest = max(on_demand, *prices_)
    base = start[1]
    for i, price in enumerate(prices_):
        ((left, right),) = (line for e in named(picture, f"line {i}") for line in stretches(e))
        assert left[1] == right[1]
        assert base - left[1] == pytest.approx(price / highest * (base - min(end[1], *_levels(picture))), abs=0.05)


def _levels(picture: Picture) -> list[float]:
    return [line[0][1] for i in range(6) for e in named(picture, f"line {i}") for line in stretches(e)]


def test_six_lines_of_nearly_one_price_keep_their_names_apart() -> None:
    prices = {f"a price with a name, number {i}": 500 + i / 10 for i in range(6)}
    picture = cost_curve(1000, prices, title="t", at=0.5)
    assert_sound(picture)
    assert len({e.get("stroke-dasharray") for i in range(6) for e in named(picture, f"line {i}")}) == 6


def test_the_utilisation_of_ones_own_is_marked_where_it_lies() -> None:
    picture = cost_curve(100, {"provisioned": 50}, at=0.25, title="t")
    ((start, end),) = (line for e in named(picture, "on-demand") for line in stretches(e))
    (mark,) = named(picture, "utilisation")
    assert float(mark.get("x1", "")) == pytest.approx(start[0] + 0.25 * (end[0] - start[0]), abs=0.02)
    assert "used: 25 %" in words(picture)


@pytest.mark.parametrize(
    ("price", "caption"),
    [
        (200.0, "On-demand is cheaper than provisioned at every utilisation."),
        (0.0, "provisioned costs nothing."),
        (25.0, "Below 25 % utilisation on-demand is cheaper than provisioned, above it dearer."),
    ],
)
def test_the_curve_s_caption_says_what_to_see(price: float, caption: str) -> None:
    assert caption in words(cost_curve(100, {"provisioned": price}, title="t"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"on_demand": 0}, "on_demand is 0"),
        ({"on_demand": 1, "capacity": {}}, "0 entries"),
        ({"on_demand": 1, "capacity": {str(i): 1.0 for i in range(7)}}, "7 entries"),
        ({"on_demand": 1, "capacity": {"a": math.nan}}, "is nan"),
        ({"on_demand": 1, "at": 1.5}, "at is 1.5"),
    ],
)
def test_prices_that_cannot_be_drawn_are_refused_in_one_sentence(arguments: Any, sentence: str) -> None:
    with pytest.raises(PictureError, match=sentence):
        cost_curve(**{"capacity": {"provisioned": 1.0}, "title": "t", **arguments})
