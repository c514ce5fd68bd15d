"""What a table costs: AWS's worked examples, laws of bills, and the month of the carts against RDS."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynamolab import LabError, data
from dynamolab.model.billing import (
    GB,
    Bill,
    IndexCopy,
    Line,
    Years,
    break_even_utilisation,
    on_demand,
    point_in_time_recovery,
    provisioned,
    provisioned_curve,
    reserved,
    reserved_break_even,
    reserved_payback_hours,
    reserved_usd_per_hour,
    storage,
    stored_bytes,
    stream_reads,
    tables_worth,
    together,
    unit_hours,
    units_of_a_write,
)
from dynamolab.model.operation_mix import MixRow, units_per_order, units_per_second
from dynamolab.model.units import Side, read_units, write_units
from dynamolab.traffic import carts

VIRGINIA = data.prices("us-east-1")
IRELAND = data.prices("eu-west-1")

# --- throughput ---------------------------------------------------------------------------------------------------


def test_one_write_and_one_read_unit_for_a_month_cost_57_cents_and_a_hundred_of_each_56_94() -> None:
    one = provisioned(1, 1, VIRGINIA, hours=730)
    assert [line.usd for line in one.lines] == pytest.approx([0.4745, 0.0949])
    assert provisioned(100, 100, VIRGINIA, hours=730).total == pytest.approx(56.94)


def test_an_hour_of_one_write_unit_used_fully_is_3600_requests_on_demand_at_three_and_a_half_times_the_price() -> None:
    used, bought = on_demand(3_600, 0, VIRGINIA).total, provisioned(1, 0, VIRGINIA, hours=1).total
    assert (used, bought) == (pytest.approx(0.00225), pytest.approx(0.00065))
    assert used / bought == pytest.approx(3.46, abs=0.005)


@pytest.mark.parametrize(
    ("region", "write", "read"),
    [("us-east-1", 28.9, 28.9), ("eu-west-1", 29.0, 28.9), (data.BEFORE_THE_CUT, 14.4, 14.4)],
)
def test_on_demand_is_cheaper_below_29_percent_utilisation_and_was_below_14(
    region: str, write: float, read: float
) -> None:
    prices = data.prices(region)
    assert round(100 * break_even_utilisation(prices, "write"), 1) == write
    assert round(100 * break_even_utilisation(prices, "read"), 1) == read


@given(st.floats(0.01, 1), st.sampled_from(["us-east-1", "eu-west-1", data.EXERCISE]))
def test_the_break_even_says_which_mode_is_cheaper(utilisation: float, region: str) -> None:
    prices = data.prices(region)
    used = on_demand(utilisation * 3_600, 0, prices).total
    bought = provisioned(1, 0, prices, hours=1).total
    if not math.isclose(used, bought):
        assert (used < bought) == (utilisation < break_even_utilisation(prices))


def test_ten_million_writes_of_1_5_kb_on_demand_cost_12_50_dollars() -> None:
    assert on_demand(10e6 * write_units(1_536), 0, VIRGINIA).total == pytest.approx(12.50)


def test_ten_million_eventual_reads_of_3_kb_on_demand_cost_62_cents() -> None:
    assert on_demand(0, 10e6 * read_units(3_072), VIRGINIA).total == pytest.approx(0.625)


def test_a_curve_is_billed_by_time_whatever_its_steps() -> None:
    minutes = np.repeat([5, 40], [90, 30])
    assert unit_hours(minutes, 60) == pytest.approx(5 * 1.5 + 40 * 0.5)
    assert unit_hours(np.repeat(minutes, 60)) == pytest.approx(unit_hours(minutes, 60))


def test_whole_hours_bill_each_clock_hour_at_its_highest() -> None:
    assert unit_hours(np.repeat([5, 40, 5], [59, 1, 30]), 60, whole_hours=True) == 40 + 5


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=200))
def test_whole_hours_never_cost_less_than_the_time_itself(curve: list[int]) -> None:
    assert unit_hours(curve, 60, whole_hours=True) >= unit_hours(curve, 60) - 1e-9


def test_a_constant_curve_costs_what_constant_units_cost() -> None:
    curve = provisioned_curve(np.full(86_400, 85), np.full(86_400, 50), VIRGINIA)
    assert curve.total == pytest.approx(provisioned(85, 50, VIRGINIA, hours=24).total)


# --- reserved -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("region", ["us-east-1", "eu-west-1"])
@pytest.mark.parametrize("side", ["write", "read"])
def test_a_unit_used_all_the_time_is_54_percent_cheaper_reserved_for_a_year_and_77_for_three(
    region: str, side: Side
) -> None:
    prices = data.prices(region)
    assert round(100 * (1 - reserved_break_even(prices, side, years=1))) == 54
    assert round(100 * (1 - reserved_break_even(prices, side, years=3))) == 77


def test_a_reservation_pays_from_46_percent_of_the_year_and_its_payment_is_back_in_four_months() -> None:
    assert reserved_break_even(VIRGINIA) == pytest.approx(0.4604, abs=5e-5)
    assert reserved_payback_hours(VIRGINIA) / 730 == pytest.approx(3.94, abs=0.005)


@pytest.mark.parametrize("years", [1, 3])
def test_at_its_break_even_a_reservation_costs_what_provisioning_does(years: Years) -> None:
    hours = 8_760 * years
    bought = provisioned(100, 0, VIRGINIA, hours=hours * reserved_break_even(VIRGINIA, years=years))
    assert reserved(100, 0, VIRGINIA, years=years).total == pytest.approx(bought.total)
    assert reserved(100, 0, VIRGINIA, years=years).total == pytest.approx(
        100 * hours * reserved_usd_per_hour(VIRGINIA, years=years)
    )


def test_reserved_units_are_sold_in_hundreds() -> None:
    assert reserved(101, 0, VIRGINIA).total == reserved(200, 0, VIRGINIA).total
    assert reserved(0, 0, VIRGINIA) == Bill("reserved for 1 year")


# --- indexes and transactions -------------------------------------------------------------------------------------


def test_five_indexes_that_project_everything_make_six_tables() -> None:
    assert tables_worth(3_072, [IndexCopy(f"gsi-{n}", 3_072) for n in range(5)]) == 6


def test_a_new_item_of_1_5_kb_with_an_all_and_a_keys_only_index_costs_5_units() -> None:
    assert units_of_a_write(1_536, [IndexCopy("all", 1_536), IndexCopy("keys", 60)]) == 5


def test_moving_an_index_key_costs_twice_and_an_index_that_is_not_touched_nothing() -> None:
    assert units_of_a_write(3_072, [IndexCopy("moved", 3_072, operations=2)]) == 9
    assert units_of_a_write(3_072, [IndexCopy("untouched", 3_072, operations=0)]) == 3


def test_a_transaction_doubles_the_tables_units_and_not_the_indexes() -> None:
    assert units_of_a_write(500, [IndexCopy("all", 500)], transactional=True) == 3


# --- what lies there ----------------------------------------------------------------------------------------------


def test_a_million_items_of_200_bytes_are_billed_as_300_million() -> None:
    assert stored_bytes(1_000_000, 200) == 300_000_000


def test_every_index_entry_has_its_own_100_bytes_and_a_sparse_index_few_entries() -> None:
    copies = [IndexCopy("all", 200), IndexCopy("sparse", 60, items=0.01)]
    assert stored_bytes(1_000, 200, copies) == 300_000 + 300_000 + 10 * 160


def test_the_first_25_gb_are_free_and_the_rest_is_not() -> None:
    assert storage(8, VIRGINIA).total == 0
    assert storage(78, VIRGINIA).total == pytest.approx(53 * 0.25)
    assert storage(78, VIRGINIA, free_gb=0, months=2).total == pytest.approx(78 * 0.25 * 2)


def test_backups_are_billed_from_the_first_gb_on() -> None:
    assert point_in_time_recovery(8, VIRGINIA).total == pytest.approx(1.60)


def test_stream_reads_are_free_for_lambda_and_up_to_two_and_a_half_million() -> None:
    assert stream_reads(10e6, VIRGINIA, reader="lambda").total == 0
    assert stream_reads(2.5e6, VIRGINIA).total == 0
    assert stream_reads(3.5e6, VIRGINIA).total == pytest.approx(0.20)


def test_a_gb_has_1024_mb() -> None:
    assert GB == 1_073_741_824


# --- bills and prices ---------------------------------------------------------------------------------------------

LINES = st.lists(
    st.builds(Line, st.just("line"), st.floats(0, 1e6), st.just("unit"), st.floats(0, 10)), max_size=6
).map(tuple)


@given(LINES, LINES, st.floats(0, 40))
def test_a_bill_is_the_sum_of_its_lines_and_bills_add_and_stretch(
    one: tuple[Line, ...], two: tuple[Line, ...], times: float
) -> None:
    first, second = Bill("first", one), Bill("second", two)
    assert first.total == pytest.approx(sum(row["usd"] for row in first.rows()))
    assert (first + second).total == pytest.approx(first.total + second.total)
    assert (first * times).total == pytest.approx(first.total * times)
    assert together("both", [first, second]).lines == (first + second).lines


def test_a_bill_prints_its_lines_and_their_total() -> None:
    shown = str(on_demand(20e6, 5e6, VIRGINIA, title="October"))
    assert shown.splitlines()[0] == "October"
    assert "20.00 x 0.625" in shown
    assert shown.splitlines()[-1].split() == ["total", "13.12"]


def test_a_price_that_nobody_knows_is_asked_for_in_one_sentence() -> None:
    with pytest.raises(
        LabError, match=r"pitr_gb_month is not known for eu-west-1.*prices\.having\(pitr_gb_month="
    ) as e:
        point_in_time_recovery(8, IRELAND)
    assert str(e.value).count(". ") == 0


def test_a_price_can_be_given_and_does_not_change_the_others() -> None:
    mine = IRELAND.having(pitr_gb_month=0.22)
    assert point_in_time_recovery(8, mine).total == pytest.approx(1.76)
    assert mine.usd("wcu_hour") == IRELAND.usd("wcu_hour")
    assert "pitr_gb_month" not in IRELAND.by_item


def test_an_item_that_nobody_bills_and_a_price_that_is_none_are_refused() -> None:
    with pytest.raises(LabError, match="Nothing is billed under the name 'wcu'"):
        VIRGINIA.usd("wcu")
    with pytest.raises(LabError, match="from 0 up"):
        VIRGINIA.having(wcu_hour=math.nan)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: on_demand(-1, 0, VIRGINIA),
        lambda: on_demand(0, math.nan, VIRGINIA),
        lambda: on_demand("many", 0, VIRGINIA),
        lambda: provisioned(1, 1, VIRGINIA, hours=math.inf),
        lambda: provisioned_curve([1, -1], [1, 1], VIRGINIA),
        lambda: unit_hours([1, math.nan]),
        lambda: unit_hours(["a"]),
        lambda: unit_hours([1], 7, whole_hours=True),
        lambda: unit_hours([1], 0, whole_hours=True),
        lambda: reserved(1, 1, VIRGINIA, years=2),
        lambda: storage(-1, VIRGINIA),
        lambda: stored_bytes(1, math.inf),
        lambda: IndexCopy("sparse", 60, items=1.5),
        lambda: IndexCopy("sparse", 60, operations=-1),
        lambda: stream_reads(1, VIRGINIA, reader="you"),
        lambda: Bill("none") * -1,
    ],
)
def test_impossible_quantities_are_answered_with_one_sentence(asked: Callable[[], object]) -> None:
    with pytest.raises(LabError):
        asked()


# --- the operation mix --------------------------------------------------------------------------------------------


def test_900_orders_an_hour_are_exactly_57_6_write_and_32_14_read_units() -> None:
    mix = data.operation_mix()
    assert units_per_second(mix, "write", 900) == 57.6
    assert units_per_second(mix, "read", 900) == 32.14


def test_the_units_of_the_mix_are_the_models_own() -> None:
    for row in data.operation_mix():
        expected = read_units(row.bytes, consistency=row.consistency or "eventual") if row.side == "read" else None
        assert row.units == (expected if expected is not None else write_units(row.bytes)), row.name
        assert row.units_per_order == pytest.approx(float(row.per_order) * row.units)
    assert units_per_order(data.operation_mix(), "write") == 230.4


def test_a_transactional_operation_costs_twice() -> None:
    plain, doubled = (MixRow("pay", "cart", "update", Fraction(1), 3_072, kind) for kind in (None, "transactional"))
    assert (plain.units, doubled.units) == (3, 6)
    assert MixRow("look", "cart", "get", Fraction(1), 3_072, "transactional").units == 2


def test_92_percent_of_the_cart_writes_update_the_same_item() -> None:
    writes = [row for row in data.operation_mix() if row.side == "write" and row.about == "cart"]
    assert sum(row.per_order for row in writes if row.call == "update") / sum(row.per_order for row in writes) == (
        Fraction(92, 100)
    )
    assert {row.bytes for row in writes} == {3 * 1024}


def test_180000_cart_writes_are_the_friday_whose_four_peak_hours_are_3600_of_its_5625_orders() -> None:
    assert carts.friday_orders() == 5_625
    assert carts.friday_orders() * carts.cart_writes_per_order() == 180_000
    assert carts.quiet_orders_per_hour() == pytest.approx(101.25)


def test_orders_that_no_hour_has_are_refused() -> None:
    for rate in (-1, math.nan, math.inf):
        with pytest.raises(LabError, match="from 0 up"):
            units_per_second(data.operation_mix(), "write", rate)


def test_the_friday_peak_is_sized_85_and_50_and_black_friday_320_and_180() -> None:
    assert carts.capacity_for(900, step=5) == {"write": 85, "read": 50}
    assert carts.capacity_for(3_500, step=5) == {"write": 320, "read": 180}


# --- RDS against DynamoDB -----------------------------------------------------------------------------------------


def test_51_dollars_against_8_follow_from_their_parts() -> None:
    assert round(carts.rds_month().total) == 51
    assert round(carts.dynamodb_month().total) == 8


def test_41_30_saved_is_what_remains_once_pitr_is_counted_and_not_51_less_8() -> None:
    assert carts.saved_a_month() == pytest.approx(41.30, abs=0.005)
    assert carts.rds_month().total - carts.dynamodb_month().total == pytest.approx(42.9, abs=0.05)


def test_the_same_month_on_demand_costs_more_than_twice_the_8_dollars() -> None:
    assert carts.dynamodb_month_on_demand().total == pytest.approx(18.83, abs=0.005)


def test_the_instances_released_share_is_in_neither_sum() -> None:
    (released,) = carts.rds_month("neither").lines
    assert released.quantity == pytest.approx(0.35 * 730)
    assert released.what not in {line.what for line in carts.rds_month().lines + carts.rds_month("saving").lines}


def test_every_part_of_the_month_is_counted_somewhere() -> None:
    counted = carts.rds_month().lines + carts.rds_month("neither").lines + carts.dynamodb_month(with_pitr=True).lines
    assert sorted(line.what for line in counted) == sorted(row["part"] for row in data.table("rds_against_dynamodb"))
