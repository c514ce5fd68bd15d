"""Answers to exercise 21, Black Friday, as learners give them, each with the judgement that it deserves."""

import decimal
from fractions import Fraction

import numpy as np

import dynamolab as lab
from checks.answering import Answers
from dynamolab.traffic import black_friday

book = Answers("black_friday")
given = book.given
HOUR = 3_600

SOLVES = {
    "a": lambda names: names["peak"],
    "b": lambda names: names["on_demand"],
    "c": lambda names: names["provisioned"],
    "d": lambda names: names["design"],
    "e": lambda names: names["keys"],
    "f": lambda names: names["warm_design"],
}


def endless(*_):
    while True:
        pass


def untouched():
    return ...


# ── a ─────────────────────────────────────────────────────────────────────────────────

given("a", (57.6 * 3500 / 900, 32.14 * 3500 / 900), "right", name="unrounded")
given("a", (224, 125), "right")
given("a", [224, 125], "right")
given("a", (226, 129), "right", name="58 and 33 multiplied, rounded up")
given("a", (58 * 3.889, 33 * 3.889), "right", name="58 and 33 multiplied")
given("a", (decimal.Decimal("224.0"), Fraction(125)), "right", name="exact numbers")
given("a", np.array([224.0, 124.99]).tolist(), "right", name="from NumPy")
given("a", (125, 224), "wrong", "swapped")
given("a", (58, 33), "wrong", "usual")
given("a", (57.6, 32.14), "wrong", "usual")
given("a", (320, 180), "wrong", "with_target")
given("a", (320, 178.6), "wrong", "with_target")
given("a", (161.8, 212.9), "wrong", "requests")
given("a", (230.4, 128.56), "wrong", "crude_factor")
given("a", (172.8, 96.4), "wrong", "crude_factor")
given("a", (282, 158), "wrong", "added")
given("a", (806_400, 450_000), "wrong", "another_time")
given("a", (3.7, 2.1), "wrong", "another_time")
given("a", (224, 250), "wrong", "elsewhere")
given("a", (3500, 3500), "wrong", "elsewhere")
given("a", 224, "wrong", "wrong_type")
given("a", (224,), "wrong", "wrong_type")
given("a", ("224", "125"), "wrong", "wrong_type")
given("a", (float("nan"), 125), "wrong", "wrong_type")
given("a", "224 and 125", "wrong", "wrong_type")
given("a", {}, "wrong", "wrong_type")
given("a", (224, ...), "not attempted")
given("a", [..., ...], "not attempted")
given("a", untouched, "not attempted")
given("a", None, "not attempted")

# ── b ─────────────────────────────────────────────────────────────────────────────────

given("b", (7.41, 4.18, 6.14), "right")
given("b", (7.3728, 4.1139, 6.1076), "right", name="nothing rounded")
given("b", (7.4016, 4.176, 6.1383), "right", name="units rounded")
given("b", (7.43, 4.2336, 6.168), "right", name="58 and 33 multiplied")
given("b", (7_401_600, 4_176_000, 6.14), "right", name="in units")
given("b", [7.41, 4.18, 5.52 + 0.62], "right", name="a list")
given("b", (19.35, 10.8, 16.03), "wrong", "peak_all_day")
given("b", (3.2256, 1.8, 2.67), "wrong", "peak_only")
given("b", (5.0112, 2.85, 4.16), "wrong", "usual_day")
given("b", (7.41 + 0.835, 4.18 + 0.475, 6.84), "wrong", "twenty_four_more")
given("b", (3.69, 2.06, 3.06), "wrong", "quiet")
given("b", (5.325, 7.007, 5.01), "wrong", "requests")
given("b", (7.41, 8.36, 6.77), "wrong", "reads_doubled")
given("b", (4.18, 7.41, 4.22), "wrong", "swapped")
given("b", (7.41, 4.18, 4.22), "wrong", "one_price", name="prices the wrong way round")
given("b", (7.41, 4.18, 5.52), "wrong", "one_price", name="writes only")
given("b", (7.41, 4.18, 614), "wrong", "one_price", name="cents")
given("b", (0.00741, 0.00418, 0.00614), "wrong", "elsewhere")
given("b", (7.41, 1.0, 6.14), "wrong", "elsewhere")
given("b", 6.14, "wrong", "wrong_type")
given("b", (7.41, 4.18), "wrong", "wrong_type")
given("b", ("7.41", 4.18, 6.14), "wrong", "wrong_type")
given("b", (7.41, 4.18, ...), "not attempted")
given("b", endless, "wrong", "wrong_type")

# ── c ─────────────────────────────────────────────────────────────────────────────────

given("c", (320, 180, 85, 50, 2.17), "right")
given("c", (320, 180, 85, 50, 2.1606), "right", name="rounded at the end")
given("c", (320, 179, 83, 46, 2.1237), "right", name="to whole units")
given("c", (325, 185, 85, 50, 2.176), "right", name="from 226 and 129")
given("c", [320, 178.6, 82.3, 45.92, 2.1222], "right", name="not rounded at all")
given("c", (224, 125, 58, 33, 1.49), "wrong", "no_target")
given("c", (157, 88, 41, 23, 1.05), "wrong", "times_target")
given("c", (291, 163, 75, 43, 1.93), "wrong", "added_target")
given("c", (180, 320, 50, 85, 1.4), "wrong", "swapped")
given("c", (320, 180, 320, 180, 5.55), "wrong", "same_all_day")
given("c", (640, 360, 85, 50, 3.1), "wrong", "too_much")
given("c", (320, 180, 100, 50, 2.35), "wrong", "too_much")
given("c", (320, 180, 58, 33, 1.8), "wrong", "too_little")
given("c", (320, 180, 15, 10, 1.1), "wrong", "too_little", name="the true nights")
given("c", (320, 180, 85, 50, 5.55), "wrong", "peak_price_all_day")
given("c", (320, 180, 85, 50, 4.876), "wrong", "hours_swapped")
given("c", (320, 180, 85, 50, 0.93), "wrong", "wrong_sum", name="the peak only")
given("c", (320, 180, 85, 50, 6.14), "wrong", "wrong_sum")
given("c", (320, 180, 2.17), "wrong", "wrong_type")
given("c", {"peak": (320, 180)}, "wrong", "wrong_type", name="a dict")
given("c", (320, 180, 85, 50, "2.17"), "wrong", "wrong_type")
given("c", (320, 180, 85, 50, ...), "not attempted")
given("c", ..., "not attempted")

# ── d ─────────────────────────────────────────────────────────────────────────────────


def scheduled(write, read, *, begins=15.75, ends=21 + 1 / 60, usual=(85, 50), most=1_000):
    """Capacity by the clock; ``most`` above the schedule only if auto scaling is wanted."""
    limits = {}
    for side, units, rest in (("write", write, usual[0]), ("read", read, usual[1])):
        ceiling = max(units, most)
        limits[side] = (
            lab.Limits(begins * HOUR, units, ceiling if most else units),
            lab.Limits(ends * HOUR, rest, ceiling if most else rest),
        )
    scaling = {"write": lab.Policy(usual[0], most, 0.7), "read": lab.Policy(usual[1], most, 0.7)} if most else {}
    return lab.Design("PROVISIONED", write_units=usual[0], read_units=usual[1], auto_scaling=scaling, schedule=limits)


given("d", lab.Design("PAY_PER_REQUEST"), "right", name="on-demand")
given("d", lab.Design("PAY_PER_REQUEST", warm={"write": 8_000, "read": 24_000}), "right", name="on-demand, warm")
given("d", scheduled(640, 360), "right", name="scheduled for twice the orders at 70 %")
given("d", scheduled(450, 252, most=0), "right", name="a schedule alone")
given("d", scheduled(460, 260, begins=12), "right", name="scheduled from noon")
given("d", lab.Design("PAY_PER_REQUEST", maximum={"write": 600, "read": 400}), "right", name="a sensible maximum")
given("d", black_friday.design("reactive auto scaling"), "wrong", "reactive")
given("d", black_friday.design("scheduled scaling"), "wrong", "trusts_the_clock", name="as forecast, 16:45")
given("d", black_friday.design("scheduled scaling", ahead=0), "wrong", "too_late", name="at 17:00 sharp")
given("d", scheduled(320, 180), "wrong", "trusts_the_forecast", name="an hour earlier, as forecast")
given("d", scheduled(320, 180, most=0), "wrong", "trusts_the_forecast", name="a schedule alone, as forecast")
given("d", scheduled(450, 252, ends=21, most=0), "wrong", "ends_too_soon", name="until 21:00 sharp")
given("d", scheduled(450, 252, ends=21, usual=(58, 33), most=0), "wrong", "ends_too_soon", name="lean until 21:00")
given("d", scheduled(448, 250, ends=21.02, usual=(58, 33), most=0), "right", name="as lean as can be")
given("d", lab.Design("PAY_PER_REQUEST", maximum={"write": 230, "read": 130}), "wrong", "capped")
given("d", lab.Design("PROVISIONED", write_units=85, read_units=50), "wrong", "fixed_too_low")
given("d", lab.Design("PROVISIONED", write_units=320, read_units=180), "wrong", "fixed_too_low", name="fixed at 320")
given("d", lab.Design("PROVISIONED", write_units=640, read_units=360), "wrong", "too_dear")
given("d", black_friday.design, "wrong", "wrong_type", name="a function")
given("d", "on-demand", "wrong", "wrong_type")
given("d", {"BillingMode": "PAY_PER_REQUEST"}, "wrong", "wrong_type", name="arguments of boto3")
given("d", (), "wrong", "wrong_type")
given("d", None, "not attempted")
given("d", untouched, "not attempted")

# ── e ─────────────────────────────────────────────────────────────────────────────────

demand = lab.demand
given("e", (demand.few(["CLIENTE#prueba"]), demand.uniform(20_000)), "right", name="one customer")
given("e", (demand.celebrity(2_000, 0.9), demand.uniform(5_000)), "right", name="a celebrity")
given("e", (demand.few(["a", "b"], weights=[9, 1]), demand.zipf(5_000, 0.5)), "right", name="two customers")
given("e", (demand.uniform(1), demand.celebrity(2_000, 0.1)), "right", name="a small celebrity")
given("e", (demand.uniform(2_000), demand.uniform(20_000)), "wrong", "breaks_nothing")
given("e", (demand.uniform(20_000), demand.few(["x"])), "wrong", "swapped")
given("e", (demand.few(["x"]), demand.few(["y"])), "wrong", "breaks_too")
given("e", (demand.few(["x"]), demand.celebrity(2_000, 0.8)), "wrong", "breaks_too", name="still a celebrity")
given("e", (demand.few(["x"]), demand.uniform(3)), "wrong", "few_keys")
given("e", (demand.few(["x"]), "many"), "wrong", "wrong_type")
given("e", demand.uniform(5), "wrong", "wrong_type", name="one population")
given("e", (1, 20_000), "wrong", "wrong_type")
given("e", [], "wrong", "wrong_type")
given("e", (demand.few(["x"]), ...), "not attempted")
given("e", [..., demand.uniform(5)], "not attempted")
given("e", None, "not attempted")

# ── f ─────────────────────────────────────────────────────────────────────────────────

given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 7_000, "read": 12_000}), "right", name="7,000")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 6_400}), "right", name="exactly")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 12_000, "read": 14_000}), "right", name="with room")
given("f", lab.Design("PAY_PER_REQUEST"), "wrong", "not_warmed", name="as born")
given("f", lab.Design("PAY_PER_REQUEST", warm={"read": 24_000}), "wrong", "not_warmed", name="reads only")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 5_000}), "wrong", "too_little")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 27_778, "read": 27_778}), "wrong", "orders_for_units")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 13_000}), "wrong", "too_dear", name="13,000")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 7_000, "read": 24_500}), "wrong", "too_dear", name="reads")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 100_000}), "wrong", "orders_for_units", name="100,000")
given("f", lab.Design("PAY_PER_REQUEST", warm={"write": 7_000}, maximum={"write": 5_000}), "wrong", "capped")
given("f", lab.Design("PROVISIONED", write_units=7_000, read_units=4_000), "wrong", "provisioned")
given("f", 7_000, "wrong", "wrong_type")
given("f", {"write": 7_000}, "wrong", "wrong_type")
given("f", "warm", "wrong", "wrong_type")
given("f", ..., "not attempted")
