"""Black Friday: the figures by every road of rounding, and the same day simulated."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dynamolab import LabError, data
from dynamolab.model.autoscaling import MINUTE, AutoScaling, Policy
from dynamolab.model.parameters import DEFAULTS, Parameters
from dynamolab.model.throttling import Side
from dynamolab.traffic.black_friday import (
    ORDERS_PER_HOUR,
    PEAK_BEGINS,
    PEAK_ENDS,
    answer,
    answers,
    bill,
    day,
    design,
    orders_taken_at_once,
    workload,
    wrong_forecast,
)
from dynamolab.traffic.carts import units_at
from dynamolab.traffic.simulate import simulate

# --- by arithmetic ------------------------------------------------------------------------------------------------


def test_3500_orders_an_hour_are_224_write_and_125_read_units() -> None:
    assert units_at(ORDERS_PER_HOUR).write == 224
    assert units_at(ORDERS_PER_HOUR).read == pytest.approx(124.99, abs=0.005)


def test_rounded_at_each_step_the_day_costs_6_14_on_demand_and_2_17_provisioned() -> None:
    found = answer("each step")
    assert (found.peak.write, found.peak.read, found.other.write, found.other.read) == (224, 125, 58, 33)
    assert (found.write_millions, found.read_millions) == (pytest.approx(7.41), pytest.approx(4.18))
    assert found.on_demand_usd == pytest.approx(6.14)
    assert (found.capacity, found.other_capacity) == ({"write": 320, "read": 180}, {"write": 85, "read": 50})
    assert found.provisioned_usd == pytest.approx(2.17)


def test_with_only_the_units_rounded_it_costs_6_14_and_2_16() -> None:
    found = answer("units")
    assert round(found.on_demand_usd, 2) == 6.14
    assert round(found.provisioned_usd, 2) == 2.16


def test_with_nothing_rounded_it_costs_6_11_and_2_12() -> None:
    found = answer("nothing")
    assert found.capacity == {"write": 320, "read": 179}
    assert round(found.on_demand_usd, 2) == 6.11
    assert round(found.provisioned_usd, 2) == 2.12


def test_every_road_says_that_provisioned_is_about_4_dollars_cheaper() -> None:
    table = answers()
    assert list(table["rounding"]) == ["each step", "units", "nothing"]
    assert (table["on_demand_usd"] - table["provisioned_usd"]).between(3.95, 4.0).all()


def test_irelands_own_prices_change_the_dollars_and_not_the_choice() -> None:
    found = answer("units", data.prices("eu-west-1"))
    assert round(found.on_demand_usd, 2) == 5.81
    assert round(found.provisioned_usd, 2) == 2.44


def test_a_road_that_there_is_not_is_refused() -> None:
    with pytest.raises(LabError, match="'each step' or 'units' or 'nothing'"):
        answer("up")  # type: ignore[arg-type]


def test_a_new_on_demand_table_takes_62500_orders_an_hour_at_once() -> None:
    assert orders_taken_at_once() == pytest.approx(62_500)
    assert orders_taken_at_once({"write": 8_000, "read": 24_000}) == pytest.approx(125_000)


# --- simulated ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def usual_day() -> pd.DataFrame:
    return day().set_index("strategy")


def test_the_days_traffic_is_900_orders_an_hour_but_for_the_four_peak_hours() -> None:
    rate = workload().streams[0].rate * 3_600
    assert len(rate) == 86_400
    assert np.allclose(rate[PEAK_BEGINS:PEAK_ENDS], 3_500)
    assert np.allclose(rate[: PEAK_BEGINS - 31], 900)
    assert np.allclose(rate[PEAK_ENDS + 31 :], 900)


def by_hand(side: Side) -> tuple[float, int, int]:
    """Refused units of the day under reactive auto scaling, and the first and the last second with some.

    One bucket of 300 seconds and one alarm, second by second.
    """
    capacity: dict[Side, int] = {"write": 85, "read": 50}
    units = capacity[side]
    scaling, level, used, pending = AutoScaling(Policy(units, 1_000)), 300.0 * units, 0.0, None
    refused, an_order = np.zeros(86_400), getattr(units_at(1), side)
    for second, orders in enumerate(workload().streams[0].rate * 3_600):
        if pending and second * 10**6 >= pending.effective + DEFAULTS.capacity_seconds * 10**6:
            units, pending = pending.units, None
            level = min(level, 300.0 * units)
        level = min(300.0 * units, level + units)
        wanted = an_order * orders
        given = min(wanted, level)
        level, used, refused[second] = level - given, used + given, wanted - given
        if second % 60 == 59:
            pending = scaling.observe(second // 60 * MINUTE, used, units) or pending
            used = 0.0
    seconds = np.flatnonzero(refused > 1e-6)
    return float(refused.sum()), int(seconds[0]), int(seconds[-1])


@pytest.mark.parametrize("side", ["write", "read"])
def test_the_simulated_refusals_are_those_of_one_bucket_and_one_alarm_computed_second_by_second(side: Side) -> None:
    total, first, last = by_hand(side)
    found = simulate(workload(), design("reactive auto scaling")).refused_units(side)
    seconds = np.flatnonzero(found > 1e-6)
    assert abs(seconds[0] - first) <= 1
    assert abs(seconds[-1] - last) <= 1
    assert found.sum() == pytest.approx(total, abs=2 * 224)


def test_reactive_auto_scaling_loses_carts_once_burst_is_used_up_and_the_others_lose_none(
    usual_day: pd.DataFrame,
) -> None:
    reactive = usual_day.loc["reactive auto scaling"]
    assert reactive["lost_cart_writes"] > 1_000
    assert 1 <= reactive["minutes"] <= 5
    assert 3 <= reactive["last"] <= 6
    others = usual_day.drop("reactive auto scaling")
    assert len(others) == 3
    assert (others[["refused_cart_writes", "refused_reads", "minutes"]] == 0).all(axis=None)


def test_the_simulated_bills_are_those_by_arithmetic_but_for_lag_and_for_capacity_raised_ahead(
    usual_day: pd.DataFrame,
) -> None:
    usd = usual_day["usd"]
    assert usd["on-demand"] == pytest.approx(answer("nothing").on_demand_usd, abs=0.01)
    assert answer("units").provisioned_usd < usd["reactive auto scaling"] < usd["scheduled scaling"] < 2.30


def test_scale_in_lags_by_a_quarter_of_an_hour_and_is_billed() -> None:
    table = design("reactive auto scaling")
    outcome = simulate(workload(), table)
    units = outcome.provisioned_units("write")
    assert (units[PEAK_ENDS : PEAK_ENDS + 15 * 60] == 320).all()
    (write, read) = bill(outcome, table).lines
    assert write.quantity == pytest.approx(units.sum() / 3_600)
    assert read.quantity == pytest.approx(outcome.provisioned_units("read").sum() / 3_600)


def test_without_burst_auto_scaling_sees_only_what_it_admits_and_climbs_in_steps(
    usual_day: pd.DataFrame,
) -> None:
    table = day(["reactive auto scaling"], parameters=Parameters(burst_seconds=1))
    assert table["lost_cart_writes"][0] > 5 * usual_day["lost_cart_writes"]["reactive auto scaling"]
    units = simulate(
        workload(), design("reactive auto scaling"), parameters=Parameters(burst_seconds=1)
    ).provisioned_units("write")
    assert len(set(units[PEAK_BEGINS:PEAK_ENDS])) > 3


def test_retries_bring_the_refused_writes_back_and_lose_fewer_of_them(
    usual_day: pd.DataFrame,
) -> None:
    alone = usual_day.loc["reactive auto scaling"]
    retried = day(["reactive auto scaling"], retries="standard").iloc[0]
    assert alone["lost_cart_writes"] == alone["refused_cart_writes"]
    assert retried["refused_cart_writes"] > alone["refused_cart_writes"]
    assert retried["lost_cart_writes"] < retried["refused_cart_writes"]


def test_a_forecast_that_is_too_high_costs_dollars_and_no_cart() -> None:
    table = wrong_forecast([3_500, 7_000])
    assert list(table["write_units"]) == [320, 640]
    assert (table["lost_cart_writes"] == 0).all()
    assert table["usd"][1] - table["usd"][0] > 0.9


def test_a_forecast_that_is_too_low_costs_carts_until_21_00_if_nothing_follows_the_load() -> None:
    alone = wrong_forecast([900, 1_750, 3_500], auto_scaling=False)
    assert alone["lost_cart_writes"].is_monotonic_decreasing
    assert alone["lost_cart_writes"][0] > 200_000
    assert alone["minutes"][0] > 235
    assert alone["lost_cart_writes"][2] == 0
    followed = wrong_forecast([900, 1_750])
    assert followed["lost_cart_writes"][0] < alone["lost_cart_writes"][0] / 100
    assert followed["lost_cart_writes"][1] == 0, "burst carries half a forecast until auto scaling has caught up"


def test_on_demand_takes_this_black_friday_at_once_and_only_thirty_times_as_many_orders_need_it_warm() -> None:
    small, large = (day(["on-demand", "on-demand, warm"], orders_per_hour=orders) for orders in (60_000, 100_000))
    assert list(small["lost_cart_writes"]) == [0, 0]
    assert large["lost_cart_writes"][0] > 100_000
    assert large["lost_cart_writes"][1] == 0


def test_a_day_without_orders_at_the_peak_and_orders_that_no_hour_has() -> None:
    assert (day(orders_per_hour=0)["lost_cart_writes"] == 0).all()
    for orders in (-1, float("nan"), True):
        with pytest.raises(LabError, match="from 0 to|as a number"):
            workload(orders)
    with pytest.raises(LabError, match="'reactive auto scaling' or 'scheduled scaling'"):
        design("prayer")  # type: ignore[arg-type]
