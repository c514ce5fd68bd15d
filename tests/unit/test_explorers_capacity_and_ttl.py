"""The explorers of lessons 07 and 13: the right numbers, no step that fails, bad arguments in one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from dynamolab.errors import LabError
from dynamolab.view import Explorer
from dynamolab.view.explorers import peak_explorer, ttl_explorer
from dynamolab.view.explorers.expiry import table_gb
from dynamolab.view.explorers.peak import mix_with_carts


def test_the_friday_peak_is_what_the_picture_opens_with() -> None:
    explorer = peak_explorer()
    assert "57.6 write and 32.14 read units a second" in explorer.sentence
    assert "W: change the lines of a cart 21.3 units/s" in explorer.picture.alt


def test_black_friday_is_the_peak_in_proportion() -> None:
    explorer = peak_explorer()
    explorer.controls["orders_per_hour"].value = 3_500
    assert "224 write and 124.99 read units a second" in explorer.sentence


def test_larger_carts_move_the_carts_and_nothing_else() -> None:
    before, after = mix_with_carts(3_072), mix_with_carts(11 * 1_024)
    changed = {row.name for row, other in zip(before, after, strict=True) if row.bytes != other.bytes}
    assert changed == {row.name for row in before if "session on" not in row.name and "a session" not in row.name} | {
        "draw the header of a session's first page"
    }
    explorer = peak_explorer(cart_bytes=11 * 1_024)
    assert "121.6 write" in explorer.sentence


@pytest.mark.parametrize(
    ("day", "lifetime", "late", "gb"),
    [(30, 60, 0, 11.49), (60, 60, 0, 22.98), (180, 60, 0, 22.98), (180, 21, 0, 8.043), (180, 14, 7, 8.043)],
)
def test_a_table_holds_what_came_within_lifetime_and_lateness(day: int, lifetime: int, late: int, gb: float) -> None:
    assert table_gb(day, gb_a_day=0.383, lifetime_days=lifetime, late_days=late) == pytest.approx(gb)


def test_lifetime_and_lateness_are_one_to_the_table() -> None:
    one, other = ttl_explorer(lifetime_days=21), ttl_explorer(lifetime_days=14, late_days=7)
    assert [row.rsplit(": ", 1)[1] for row in (one.sentence, other.sentence)] == ["the size levels off at 8 GB."] * 2


def test_a_year_of_life_has_not_levelled_off_in_half_a_year() -> None:
    assert ttl_explorer(lifetime_days=365).sentence.endswith("the table still grows on day 180.")


@pytest.mark.parametrize("make", [peak_explorer, ttl_explorer])
def test_no_step_of_a_slider_changes_the_size_of_the_picture_or_fails(make: Any) -> None:
    explorer: Explorer = make()
    size = explorer.picture.width, explorer.picture.height
    for control in explorer.controls.values():
        for _, value in control.options:
            control.value = value
            assert (explorer.picture.width, explorer.picture.height) == size
            assert "could not be drawn" not in explorer.sentence


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (peak_explorer, {"cart_bytes": 0}),
        (peak_explorer, {"cart_bytes": 500_000}),
        (peak_explorer, {"orders_per_hour": -1}),
        (ttl_explorer, {"lifetime_days": -1}),
        (ttl_explorer, {"gb_a_day": float("nan")}),
        (ttl_explorer, {"late_days": float("inf")}),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(make: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(LabError, match=r"\.$"):
        make(**arguments)
