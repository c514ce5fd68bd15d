"""Answers to exercise 08, paying, each with the judgement that it deserves."""

import decimal

import numpy as np

import dynamolab as lab
from checks.answering import Answers
from dynamolab.traffic import demand

book = Answers("paying")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["puts"],
    "b": lambda names: names["cheaper"],
    "c": lambda names: names["shapes"],
    "d": lambda names: names["design"],
    "e": lambda names: names["month"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────

for right in (250_213, 250_000, 0.29 * 864_000, decimal.Decimal(250_212), np.float64(249_600)):
    given("a", right, "right", name=repr(right))
for wrong, shown in (
    (1_000_851, "puts_for_units"),
    (285_957, "not_rounded"),
    (10_425, "one_hour"),
    (864_000, "full"),
    (124_500, "old_prices"),
    (2.9, "a_second"),
    (432_000, "elsewhere"),
    (0, "out_of_range"),
    (-1, "out_of_range"),
    ("250,000", "wrong_type"),
    ([250_213], "wrong_type"),
    (True, "wrong_type"),
):
    given("a", wrong, "wrong", shown, name=repr(wrong))
given("a", None, "not attempted")

# ── b ─────────────────────────────────────────────────────────────────────────────────


@is_right("b")
def two_bills(minutes, wcu):
    hours = len(minutes) / 60
    return "on-demand" if sum(minutes) * 0.705e-6 < wcu * hours * 0.000735 else "provisioned"


@is_right("b")
def utilisation(minutes, wcu):
    return "provisioned" if np.mean(minutes) / (60 * wcu) >= 0.289 else "on-demand"


@is_right("b")
def by_the_lab(minutes, wcu):
    from dynamolab.data import prices
    from dynamolab.model.billing import on_demand, provisioned

    asked = on_demand(float(sum(minutes)), 0, prices())
    paid = provisioned(wcu, 0, prices(), hours=len(minutes) / 60)
    return "PAY_PER_REQUEST" if asked.total < paid.total else "PROVISIONED"


@is_right("b")
def us_prices(minutes, wcu):
    return "provisioned" if sum(minutes) * 0.625 / 1e6 > wcu * len(minutes) / 60 * 0.00065 else "on demand"


@shows("b", "one_answer")
def forgets_the_sixty(minutes, wcu):
    return "on-demand" if sum(minutes) / len(minutes) / wcu < 0.29 else "provisioned"


@shows("b", "one_answer")
def always_on_demand(minutes, wcu):
    return "on-demand"


@shows("b", "peak")
def by_the_busiest_minute(minutes, wcu):
    return "provisioned" if max(minutes) / (60 * wcu) > 0.7 else "on-demand"


@shows("b", "peak")
def busiest_against_the_break_even(minutes, wcu):
    return "provisioned" if max(minutes) / 60 > 0.29 * wcu else "on-demand"


@shows("b", "half")
def one_half(minutes, wcu):
    return "provisioned" if sum(minutes) > 0.5 * wcu * 60 * len(minutes) else "on-demand"


@shows("b", "old_prices")
def before_the_cut(minutes, wcu):
    return "provisioned" if sum(minutes) > 0.144 * wcu * 60 * len(minutes) else "on-demand"


@shows("b", "swapped")
def the_wrong_way_round(minutes, wcu):
    return "on-demand" if two_bills(minutes, wcu) == "provisioned" else "provisioned"


@shows("b", "elsewhere")
def by_the_table_size(minutes, wcu):
    return "on-demand" if wcu < 50 else "provisioned"


@shows("b", "elsewhere")
def a_week_always(minutes, wcu):
    return "on-demand" if sum(minutes) / 10_080 < 0.29 * wcu * 60 else "provisioned"


@shows("b", "one_answer")
def visible_days_only(minutes, wcu):
    return "on-demand" if max(minutes) == 540 else "provisioned"


@shows("b", "wrong_type")
def a_truth_value(minutes, wcu):
    return sum(minutes) > 0


@shows("b", "wrong_type")
def no_return(minutes, wcu):
    two_bills(minutes, wcu)


@shows("b", "wrong_type")
def one_parameter(minutes):
    return "on-demand"


@raises("b")
def a_name_that_is_not(minutes, wcu):
    return {}["mode"]


@raises("b")
def for_ever(minutes, wcu):
    while True:
        wcu += 1


@is_untouched("b")
def stub(minutes, wcu):
    return ...


given("b", "on-demand", "wrong", "wrong_type", name="a text")
given("b", {}, "wrong", "wrong_type", name="empty")
given("b", None, "not attempted")

# ── c ─────────────────────────────────────────────────────────────────────────────────

SECOND = np.arange(86_400)


def turns(length, low=0.5, high=59.5):
    return np.where(SECOND // length % 2, high, low)


JUMPS, DAILY = turns(7_200), demand.daily(30, peak=300)
mountain = np.interp(SECOND / 3_600, [0, 8, 20, 22, 24], [0.0, 0.0, 300.0, 0.0, 0.0])
pyramid = np.interp(SECOND / 3_600, [0, 17.95, 18, 22, 24], [3.9, 3.9, 320.0, 0.0, 0.0])
half_day = np.where(SECOND < 43_200, 1.0, 59.0)

given("c", (JUMPS, DAILY), "right", name="turns of two hours")
given("c", np.array([turns(10_800), DAILY]), "right", name="one array of both")
given("c", [half_day.tolist(), demand.daily(30, peak=310, busiest=8).tolist()], "right", name="half a day, as lists")
given("c", (turns(1_200), pyramid), "wrong", "sudden", name="a pyramid too steep")
given("c", (turns(3_600, 1, 59), np.maximum(demand.daily(30, peak=320), 0.2)), "right", name="turns of an hour")
given("c", (turns(2_400), demand.daily(30, peak=300, busiest=14)), "right", name="another hour of the day")
given("c", (turns(14_400), demand.daily(29.9, peak=300)), "right", name="turns of four hours")
given("c", (JUMPS * 2, DAILY), "wrong", "another_mean", name="twice the mean")
given("c", (JUMPS, mountain), "wrong", "another_mean", name="a mountain of another mean")
given(
    "c",
    (demand.constant(22.5, 86_400) + demand.spike(180, at=61_200, lasts=3_600, seconds=86_400), DAILY),
    "wrong",
    "too_high",
    name="one high peak",
)
given("c", (DAILY, JUMPS), "wrong", "too_high", name="the wrong way round")
given("c", (demand.daily(30, peak=60), DAILY), "wrong", "smooth", name="a smooth day")
given("c", (demand.constant(30, 86_400), DAILY), "wrong", "smooth", name="no shape at all")
given(
    "c",
    (demand.constant(20, 86_400) + demand.spike(40, at=61_200, lasts=21_600, seconds=86_400), DAILY),
    "wrong",
    "too_little",
    name="one evening",
)
given("c", (JUMPS, demand.daily(30, peak=60)), "wrong", "low_peak", name="second too low")
given(
    "c",
    (JUMPS, demand.constant(18.75, 86_400) + demand.spike(281.25, at=61_200, lasts=3_456, seconds=86_400)),
    "wrong",
    "sudden",
    name="a sudden peak",
)
given("c", (JUMPS[:1_000], DAILY), "wrong", "wrong_type", name="a quarter of an hour")
given("c", (30, 300), "wrong", "wrong_type", name="numbers")
given("c", (JUMPS, "daily"), "wrong", "wrong_type", name="text")
given("c", (-JUMPS, DAILY), "wrong", "wrong_type", name="below nothing")
given("c", (JUMPS * np.nan, DAILY), "wrong", "wrong_type", name="no numbers")
given("c", JUMPS, "wrong", "wrong_type", name="one shape")
given("c", (), "wrong", "wrong_type", name="empty")
given("c", (JUMPS, ...), "not attempted", name="one of two")
given("c", None, "not attempted")

# ── d ─────────────────────────────────────────────────────────────────────────────────


def planned(peak, before, after, quiet=5, most=None, **more):
    limits = []
    for hour in (7, 13, 19):
        limits.append(lab.Limits(hour * 3_600 - before, peak, most or peak))
        limits.append(lab.Limits(hour * 3_600 + 2_700 + after, quiet, most or quiet))
    return lab.Design("PROVISIONED", read_units=1, write_units=quiet, schedule={"write": tuple(limits)}, **more)


auto = {"write": lab.Policy(5, 1_000, 0.7)}
given("d", planned(210, 900, 900), "right", name="a schedule")
given("d", planned(203, 640, 640, quiet=3), "right", name="to the second")
given("d", planned(290, 1_200, 1_200), "right", name="seventy per cent")
given("d", planned(290, 1_200, 1_200, most=1_000, auto_scaling=auto), "right", name="with auto scaling above")
given("d", planned(240, 900, 900, quiet=20), "right", name="more in the quiet hours")
given("d", lab.Design(), "wrong", "no_plan", name="on-demand")
given("d", lab.Design(warm={"write": 8_000}), "wrong", "no_plan", name="warm")
given("d", lab.Design(maximum={"write": 100}), "wrong", "capped", name="a maximum")
given("d", lab.Design("PROVISIONED", read_units=1, write_units=205), "wrong", "all_day", name="fixed")
given("d", planned(500, 900, 900), "wrong", "all_day", name="far too much")
given("d", planned(210, 900, 900, quiet=200), "wrong", "all_day", name="hardly lower at night")
given(
    "d",
    lab.Design("PROVISIONED", read_units=1, write_units=5, auto_scaling=auto),
    "wrong",
    "reactive",
    name="auto scaling",
)
given("d", lab.Design("PROVISIONED", read_units=1, write_units=40), "wrong", "too_low", name="the mean, fixed")
given("d", planned(150, 900, 900), "wrong", "too_low", name="too low a schedule")
given("d", planned(210, -300, 900), "wrong", "too_late", name="five minutes late")
given("d", planned(210, 900, -900), "wrong", "too_late", name="ends too early")
given("d", planned(210, 60, 60), "wrong", "trusts_the_clock", name="to the plan")
given("d", planned(210, 900, 60), "wrong", "trusts_the_clock", name="early only")
given("d", "PAY_PER_REQUEST", "wrong", "wrong_type", name="text")
given("d", {"write_units": 210}, "wrong", "wrong_type", name="a dictionary")
given("d", lab.Design, "wrong", "wrong_type", name="the class")
given("d", [], "wrong", "wrong_type", name="empty")
given("d", None, "not attempted")
given("d", ..., "not attempted")

# ── e ─────────────────────────────────────────────────────────────────────────────────

given("e", (9.05, 106.47, 20.37), "right", name="by hand")
given("e", [9.05, 114.32, 22.33], "right", name="GB of a thousand million")
given("e", (np.float64(9.05), decimal.Decimal("106.5"), 20.4), "right", name="other numbers")
given("e", (9.05, 106.35, 20.34), "right", name="without the small index' bytes")
given("e", (3, 35.4, 2.6), "wrong", "no_indexes", name="the table alone")
given("e", (9.05, 35.45, 2.61), "wrong", "no_indexes", name="only the table's GB")
given("e", (9.05, 34.33, 2.33), "wrong", "no_indexes", name="only the table's data")
given("e", (10, 106.47, 20.37), "wrong", "not_sparse", name="every cart in the third")
given("e", (9.05, 108.81, 20.95), "wrong", "not_sparse", name="every cart's entry")
given("e", (12, 141.8, 29.2), "wrong", "all_projected", name="three copies")
given("e", (9.05, 141.8, 29.2), "wrong", "all_projected", name="four tables of GB")
given("e", (9.05, 103.06, 19.52), "wrong", "overhead", name="no overhead")
given("e", (9.05, 106.47, 26.62), "wrong", "free_part", name="nothing free")
given("e", (9.05, 106.47, 12.0), "wrong", "wrong_sum", name="another sum")
given("e", (18.1, 106.47, 20.37), "wrong", "elsewhere", name="twice")
given("e", (9.05, 50, 6.25), "wrong", "elsewhere", name="another size")
given("e", (9.05, 106.47), "wrong", "wrong_type", name="two numbers")
given("e", (9.05, float("nan"), 1), "wrong", "wrong_type", name="no number")
given("e", ("9.05", 106.47, 20.37), "wrong", "wrong_type", name="text")
given("e", 20.37, "wrong", "wrong_type", name="one number")
given("e", [], "wrong", "wrong_type", name="empty")
given("e", (..., ..., ...), "not attempted", name="the stub")
given("e", None, "not attempted")
