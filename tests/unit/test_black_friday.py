"""Black Friday: the figures by every road of rounding, and the same day simulated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dynamolab import LabError, data
from dynamolab.model.billing import provisioned
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
    with pytest.raises(LabError, match="'each step', 'units', 'nothing'"):
        answer("up")  # type: ignore[arg-type]


def test_a_new_on_demand_table_takes_62500_orders_an_hour_at_once() -> None:
    assert orders_taken_at_once() == pytest.approx(62_500)
    assert orders_taken_at_once({"write": 8_000, "read": 24_000}) == pytest.approx(125_000)


# --- simulated ----------------------------------------------------------------------------------------------------


def test_the_days_traffic_is_900_orders_an_hour_but_for_the_four_peak_hours() -> None:
    rate = workload().streams[0].rate * 3_600
    assert len(rate) == 86_400
    assert np.allclose(rate[PEAK_BEGINS:PEAK_ENDS], 3_500)
    assert np.allclose(rate[: PEAK_BEGINS - 31], 900)
    assert np.allclose(rate[PEAK_ENDS + 31 :], 900)
