"""The grocer's year under each key that a table could have, as a table and as a picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dynamolab as lab
from dynamolab.errors import LabError
from dynamolab.traffic import demand, grocer
from dynamolab.traffic.design import Design, Workload
from dynamolab.traffic.simulate import simulate
from dynamolab.view.svg import number


@pytest.fixture(scope="module")
def year() -> Any:
    return grocer.key_schemes(4000).set_index("key")


def test_the_years_keys_have_the_published_counts(year: Any) -> None:
    assert year["keys"].to_dict() == {
        "day": 365, "household": 2_469, "store": 457, "basket": 155_848, "product": 68_509,
    }  # fmt: skip
    assert year.loc["store", "hottest_key_share"] == pytest.approx(0.028, abs=0.0005)


def test_by_day_one_partition_takes_nearly_all_of_a_second_and_a_third_is_refused(year: Any) -> None:
    assert year.index[0] == "day"
    assert year.loc["day", "hottest_partition_share"] > 0.9
    assert year.loc["day", "refused_share"] == pytest.approx(0.327, abs=0.001)
    assert (year.drop(index="day")["refused_share"] < 0.002).all()


def test_the_smoothest_key_is_the_one_that_changes_within_a_basket(year: Any) -> None:
    assert year.index[-1] == "product"
    assert year.loc["product", "hottest_partition_share"] == pytest.approx(0.268, abs=0.001)
    # Many baskets a year do not help: all lines of one come at once.
    assert year.loc["basket", "hottest_partition_share"] > 0.3


def test_the_hottest_partition_is_counted_as_the_simulation_counts_it() -> None:
    lines = grocer.busiest_day()
    found = grocer.key_schemes(4000, partitions=8, lines=lines).set_index("key")
    for key in grocer.KEYS:
        trace = grocer.demand_by(key, peak=4000, lines=lines)
        outcome = simulate(Workload(trace.rate, trace), Design(partitions=8))
        asked = outcome.partition_units("write") + outcome.partition_refused("write")
        np.testing.assert_allclose(asked, grocer.lines_by_partition(trace, 8), atol=1e-6)
        assert found.loc[key, "hottest_partition_lines"] == round(asked.max())
        assert found.loc[key, "hottest_partition_share"] == pytest.approx(asked.max(axis=1).sum() / len(lines))
    assert found.loc["day", "hottest_partition_share"] == 1


@pytest.mark.parametrize("key", [key for key in grocer.KEYS if key != "day"])
def test_demand_by_a_key_is_every_line_with_its_value_at_its_time(key: str) -> None:
    lines = grocer.busiest_day()
    trace = grocer.demand_by(key, lines=lines)
    assert np.array_equal(np.asarray(trace.labels)[trace.codes], lines[key])
    assert np.array_equal(trace.second, lines["second"].astype(int))


def test_a_peak_is_reached_in_the_busiest_second_and_no_line_is_lost() -> None:
    for peak in (500, 4000):
        trace = grocer.demand_by("store", peak=peak)
        assert peak <= trace.rate.max() < 1.1 * peak
        assert trace.rate.sum() == len(grocer.year())


def test_lines_in_any_order_give_the_same_table() -> None:
    lines = grocer.busiest_day()
    mixed = lines.sample(frac=1, random_state=3).sort_values("household", kind="stable")
    # Lines of the same second may change places; which second and which key they have does not.
    assert grocer.key_schemes(1000, lines=mixed).equals(grocer.key_schemes(1000, lines=lines))


def test_the_years_demand_is_that_of_the_demand_module_under_either_name_of_a_day() -> None:
    ours, theirs = grocer.demand_by("day", peak=1000), demand.grocer("date", peak=1000)
    assert np.array_equal(ours.rate, theirs.rate)
    assert np.array_equal(ours.codes, theirs.codes)


def test_the_picture_says_the_tables_numbers(year: Any) -> None:
    picture = lab.key_scheme_bars()
    for key, share in year["hottest_partition_share"].items():
        assert f"by {key} {number(round(100 * share, 1))} %" in picture.alt
    assert "the dashed line is at 25 %" in picture.alt
    assert picture.svg == lab.key_scheme_bars().svg


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: grocer.demand_by("customer"), "no key 'customer'; they have day, store"),
        (lambda: grocer.demand_by("store", peak=-1), "peak is above 0"),
        (lambda: grocer.demand_by("store", peak=50), "At their own speed"),
        (lambda: grocer.demand_by("store", lines=grocer.year().head(0)), "not one line"),
        (lambda: grocer.key_schemes(partitions=0), "partitions as a whole number"),
        (lambda: lab.key_scheme_bars(partitions=1.5), "partitions as a whole number"),
        (lambda: grocer.key_schemes(8000, lines=grocer.busiest_day()), "at most all 7,110 events"),
    ],
)
def test_input_without_sense_is_answered_with_a_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(LabError, match=re.escape(sentence)):
        call()
