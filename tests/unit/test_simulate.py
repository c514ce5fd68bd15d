"""Workloads by arithmetic: what a design admits, refuses and becomes."""

from __future__ import annotations

import dataclasses
import heapq
import math
import random
from typing import Any

import numpy as np
import pytest

from dynamolab.errors import LabError
from dynamolab.model import flow
from dynamolab.model.parameters import Parameters
from dynamolab.traffic import demand
from dynamolab.traffic.design import Design, IndexDesign, IndexWrites, Limits, Operation, Policy, Workload
from dynamolab.traffic.outcome import day_map
from dynamolab.traffic.simulate import BACK_OFF, simulate
from dynamolab.traffic.workload import sharded_writes

KB = 1024
ONE_KEY = demand.few(["PEDIDOS#2026-09-06"])


def writes(rate: float, seconds: int, keys: Any = ONE_KEY, **more: Any) -> Workload:
    return Workload(demand.constant(rate, seconds), keys, **more)


# --- one partition, one table ---------------------------------------------------------------------------------------


def test_one_key_gets_a_thousand_units_a_second_and_the_rest_is_refused() -> None:
    totals = simulate(writes(400, 60, item_bytes=10 * KB), Design()).totals["write"]
    assert (totals["sent_units"], totals["admitted_units"], totals["refused_units"]) == (240_000, 60_000, 180_000)
    assert (totals["refused_requests"], totals["refused_share"], totals["peak_units"]) == (18_000, 0.75, 1000)


@pytest.mark.parametrize("n", [4, 10, 200])
def test_suffixes_admit_what_the_steady_state_says(n: int) -> None:
    """The same answer as ``sharded_writes``, of which this is the case without time."""
    steady = sharded_writes(n, item_bytes=KB, writes_per_second=3900)
    outcome = simulate(writes(3900, 60), Design(shards=n))
    np.testing.assert_allclose(outcome.partition_units("write")[30], steady.admitted_units)
    assert outcome.totals["write"]["refused_share"] == pytest.approx(steady.refused_share)


def test_five_write_units_swallow_a_burst_and_then_crawl() -> None:
    """300 seconds of 5 units are kept: 1,500 units; then 5 a second ("Burst and adaptive capacity")."""
    admitted = simulate(writes(50, 60), Design("PROVISIONED", read_units=5, write_units=5)).admitted_units("write")
    assert admitted[:30].tolist() == [50.0] * 30
    assert admitted[40:].tolist() == [5.0] * 20
    assert admitted.sum() == 1500 + 59 * 5


def test_adaptive_capacity_lifts_one_of_four_partitions_as_the_documentation_says() -> None:
    """400 WCU on four partitions, loads of 50, 50, 50 and 150 ("Burst and adaptive capacity")."""
    keys = _keys_on_four_partitions()
    work = Workload(demand.constant(300, 1500), demand.few(keys, [50, 50, 50, 150]))
    design = Design("PROVISIONED", read_units=400, write_units=400, partitions=4)
    refused = {}
    for adaptation in ("static", "2017", "today"):
        parameters = Parameters(adaptation=adaptation)  # type: ignore[arg-type]
        refused[adaptation] = simulate(work, design, parameters=parameters).refused_units("write")
    assert refused["today"].sum() == 0
    # Its part's burst of 30,000 units carries the fourth partition's extra 50 a second for ten minutes.
    assert refused["static"][:590].sum() == 0
    assert refused["static"][610:].tolist() == [50.0] * 890
    # In 2017 relief comes ten minutes after the first throttling.
    assert refused["2017"][610:1190].min() == 50.0
    assert refused["2017"][1210:].sum() == 0


def _keys_on_four_partitions() -> list[str]:
    from dynamolab.traffic.workload import places

    names = [f"key-{number}" for number in range(40)]
    where = places(names, 4).tolist()
    return [names[where.index(partition)] for partition in range(4)]


def test_a_maximum_on_demand_throughput_rules_over_the_partitions() -> None:
    outcome = simulate(writes(900, 60, demand.uniform(1000)), Design(maximum={"write": 500}))
    assert outcome.admitted_units("write")[10] == pytest.approx(500)
    assert outcome.by_reason["reason"].tolist() == ["TableWriteMaxOnDemandThroughputExceeded"]


def test_an_on_demand_table_doubles_half_an_hour_after_its_peak() -> None:
    """4,000 units at once; 8,000 half an hour after that peak, on eight partitions ("On-demand capacity mode")."""
    outcome = simulate(writes(10_000, 2 * 3600, demand.uniform(100_000)), Design())
    admitted = outcome.admitted_units("write")
    assert admitted[599] == pytest.approx(4000)
    assert admitted[60 + 1800 + 30] == pytest.approx(8000, rel=0.03)
    assert admitted[-1] == pytest.approx(10_000, rel=0.01)
    assert outcome.partition_units("write").shape[1] >= 10
    warm = simulate(writes(10_000, 60, demand.uniform(100_000)), Design(warm={"write": 20_000}))
    assert warm.totals["write"]["refused_units"] == 0


def test_eventually_consistent_reads_may_have_an_allowance_of_their_own() -> None:
    """4,500 units a second on one partition, as AWS measured; strongly consistent reads stop at 3,000."""
    parameters = Parameters(eventual_read_units=4500)
    for consistency, most in (("eventual", 4500), ("strong", 3000)):
        work = writes(12_000, 30, operations={"get": 1.0}, consistency=consistency)
        assert simulate(work, Design(), parameters=parameters).admitted_units("read")[5] == most


# --- splits ---------------------------------------------------------------------------------------------------------


def test_a_hot_partition_is_split_after_ten_minutes_and_then_admits_more() -> None:
    outcome = simulate(writes(1500, 1800, demand.few(_neighbours())), Design())
    events = outcome.events[outcome.events["event"] == "split"]
    assert events["second"].tolist()[0] == 600
    assert outcome.admitted_units("write")[599] == 1000
    assert outcome.admitted_units("write")[601] == pytest.approx(1500)


def _neighbours() -> list[str]:
    from dynamolab.traffic.workload import places

    names = [f"key-{number}" for number in range(200)]
    return [name for name, where in zip(names, places(names, 4), strict=True) if where == 2]


def test_one_hot_item_is_never_split_and_rising_sort_keys_are_not_either() -> None:
    for keys in (ONE_KEY, demand.time_bucket(86_400, "PEDIDOS#"), demand.few(["a"], sort_keys="rising")):
        outcome = simulate(writes(1500, 1300, keys), Design())
        assert outcome.admitted_units("write")[-1] == 1000
        assert set(outcome.events["event"]) == {"stayed whole"}
    assert "rising sort key" in outcome.events["detail"].iloc[0]


def test_an_item_collection_with_spread_sort_keys_is_cut_within() -> None:
    outcome = simulate(writes(1500, 1300, demand.few(["a"], sort_keys="spread")), Design())
    assert outcome.admitted_units("write")[-1] == pytest.approx(1500)
    local = simulate(writes(1500, 1300, demand.few(["a"], sort_keys="spread")), Design(local_indexes=True))
    assert local.admitted_units("write")[-1] == 1000


# --- indexes --------------------------------------------------------------------------------------------------------


def test_an_index_that_cannot_keep_up_stops_its_table_after_its_buffer() -> None:
    """100 writes a second, an index of 10 units: 290 s of burst, then the buffer, then what the index takes."""
    work = writes(100, 600, demand.uniform(1000), indexes={"by-status": IndexWrites(KB)})
    design = Design("PROVISIONED", read_units=200, write_units=200, indexes={"by-status": IndexDesign(10, 10)})
    outcome = simulate(work, design)
    # The buckets give 10 x 300 + 3,000 units and 10 a second, of 100 asked for.
    stops = int(np.argmax(outcome.refused_units("write") > 0))
    assert stops == pytest.approx(6000 / 90, abs=2)
    assert outcome.admitted_units("write")[-1] == pytest.approx(10)
    assert outcome.index_units("by-status")[-1] == pytest.approx(10)
    assert outcome.by_reason["reason"].tolist() == ["IndexWriteProvisionedThroughputExceeded"]
    minutes = outcome.by_minute
    assert minutes[(minutes["index"] == "") & (minutes["side"] == "write")]["throttled_requests"].sum() == 0
    assert minutes[minutes["index"] == "by-status"]["throttled_requests"].sum() > 10_000
    without = dataclasses.replace(design, indexes={})
    assert simulate(work, without).totals["write"]["refused_units"] == 0


def test_an_index_with_three_values_is_hot_on_an_on_demand_table() -> None:
    """At most three index partitions carry the writes, 1,000 units a second each."""
    status = demand.few(["new", "paid", "sent"], [8, 1, 1])
    work = writes(2000, 300, demand.uniform(10_000), indexes={"by-status": IndexWrites(KB, keys=status)})
    outcome = simulate(work, Design(indexes={"by-status": IndexDesign()}))
    assert outcome.admitted_units("write")[-1] == pytest.approx(1000 / 0.8, rel=0.3)
    assert outcome.by_reason["reason"].tolist() == ["IndexWriteKeyRangeThroughputExceeded"]


def test_a_moved_entry_is_two_writes_and_a_sparse_index_none() -> None:
    effects = {"moved": IndexWrites(KB, moves=1.0), "sparse": IndexWrites(KB, share=0.1), "gone": IndexWrites(KB)}
    work = writes(100, 10, demand.uniform(100), indexes=effects)
    outcome = simulate(work, Design(indexes={"moved": IndexDesign(), "sparse": IndexDesign()}))
    assert outcome.index_units("moved").sum() == pytest.approx(2000)
    assert outcome.index_units("sparse").sum() == pytest.approx(100)


def test_reads_of_an_index_use_its_own_units() -> None:
    reads = {"orders by status": Operation("query", item_bytes=2000, items=8, index="by-status")}
    outcome = simulate(
        writes(10, 10, demand.uniform(50), operations=reads), Design(indexes={"by-status": IndexDesign()})
    )
    assert outcome.index_units("by-status", "read").tolist() == [20.0] * 10
    assert outcome.admitted_units("read").sum() == 0


# --- capacity in time -----------------------------------------------------------------------------------------------


def test_auto_scaling_comes_minutes_after_the_peak_began() -> None:
    """Two minutes above the target, then three until the new units are in force."""
    design = Design("PROVISIONED", read_units=50, write_units=85, auto_scaling={"write": Policy(85, 320)})
    rate = demand.constant(30, 3600) + demand.spike(194, at=600, lasts=3000, seconds=3600)
    outcome = simulate(Workload(rate, demand.uniform(1000)), design)
    assert outcome.capacity.query("side == 'write'")["second"].tolist() == [0, 600 + 120 + 180 + 2]
    assert outcome.provisioned_units("write")[[0, 901, 902, 3599]].tolist() == [85, 85, 320, 320]
    # The bucket of the second in which they come had been filled at the old rate.
    assert outcome.refused_units("write")[:903].sum() > 0
    assert outcome.refused_units("write")[903:].sum() == 0


def test_a_scheduled_action_is_there_before_the_peak() -> None:
    rate = demand.constant(30, 3600) + demand.spike(194, at=600, lasts=3000, seconds=3600)
    design = Design(
        "PROVISIONED",
        read_units=50,
        write_units=85,
        auto_scaling={"write": Policy(85, 320)},
        schedule={"write": (Limits(540, 320, 320),)},
    )
    outcome = simulate(Workload(rate, demand.uniform(1000)), design)
    assert outcome.capacity.query("side == 'write'")["units"].tolist() == [85, 320]
    assert outcome.totals["write"]["refused_units"] == 0


# --- retries --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["standard", "legacy"])
def test_retries_lose_no_unit_and_ask_for_more_than_was_sent(mode: Any) -> None:
    rate = demand.spike(1500, at=5, lasts=20, seconds=120)
    outcome = simulate(Workload(rate, ONE_KEY), Design(), retries=mode)
    totals = outcome.totals["write"]
    assert totals["admitted_units"] + totals["lost_units"] + totals["waiting_units"] == pytest.approx(30_000)
    assert totals["refused_units"] > totals["sent_units"] - totals["admitted_units"]
    plain = simulate(Workload(rate, ONE_KEY), Design()).totals["write"]
    assert totals["admitted_units"] > plain["admitted_units"]
    assert totals["lost_requests"] < plain["lost_requests"] == 10_000


def test_retries_as_a_flow_agree_with_requests_that_wait_one_by_one() -> None:
    """9,000 requests in 30 s at a partition of 100 units a second, each with its own three jittered waits."""
    parameters, draw = Parameters(partition_write_units=100), random.Random(7)
    queue = [(second + at / 300, 0) for second in range(30) for at in range(300)]
    heapq.heapify(queue)
    level, now, admitted, refusals = 100.0, 0, 0, 0
    while queue:
        moment, attempt = heapq.heappop(queue)
        if int(moment) > now:
            now, level = int(moment), 100.0
        if level > 0:
            level, admitted = level - 1, admitted + 1
            continue
        refusals += 1
        if attempt < 3:
            heapq.heappush(queue, (moment + draw.uniform(0, 2**attempt), attempt + 1))
    rate = demand.spike(300, at=0, lasts=30, seconds=60)
    totals = simulate(Workload(rate, ONE_KEY), Design(), parameters=parameters, retries="standard").totals["write"]
    assert totals["admitted_requests"] == pytest.approx(admitted, rel=0.02)
    assert totals["refused_requests"] == pytest.approx(refusals, rel=0.02)


def test_without_refusals_retries_change_nothing() -> None:
    one, other = (simulate(writes(900, 100), Design(), retries=mode) for mode in (None, "standard"))
    assert one.totals == other.totals


def test_the_back_off_is_boto3s() -> None:
    assert [sum(waits) / 2 for waits in BACK_OFF["standard"]] == [0.5, 1.0, 2.0]
    assert sum(longest for _, longest in BACK_OFF["legacy"]) == pytest.approx(25.55)


# --- keys and time --------------------------------------------------------------------------------------------------


def test_a_minute_key_moves_the_heat_from_partition_to_partition() -> None:
    outcome = simulate(writes(100, 600, demand.time_bucket(60, "minute ")), Design())
    used = outcome.partition_units("write") > 0
    assert (used.sum(axis=1) == 1).all()
    assert len(set(used.argmax(axis=1).tolist())) > 1
    assert outcome.by_key["key"].tolist() == [f"minute {n}" for n in range(10)]
    assert outcome.by_key["sent_units"].tolist() == [6000.0] * 10


def test_a_trace_asks_for_each_event_once() -> None:
    trace = demand.trace([0.5, 0.7, 3.1, 3.2, 3.3], ["a", "b", "a", "a", "c"])
    outcome = simulate(Workload(trace.rate, trace), Design())
    assert outcome.admitted_units("write").tolist() == [2, 0, 0, 3]
    assert dict(zip(outcome.by_key["key"], outcome.by_key["sent_units"], strict=True)) == {"a": 3, "b": 1, "c": 1}
    assert trace.to_peak(3).rate.max() >= 3
    assert trace.speed_up(2).rate.tolist() == [2, 3]


def test_the_grocers_year_has_its_hottest_partition_by_the_key_scheme() -> None:
    """Four partitions: a date sends everything to one, a basket spreads evenly."""
    hottest = {}
    for key in ("date", "store", "product", "basket"):
        trace = demand.grocer(key).speed_up(20_000)
        outcome = simulate(Workload(trace.rate, trace), Design())
        cells = outcome.partition_units("write") + outcome.partition_refused("write")
        hottest[key] = float((cells.max(axis=1).sum()) / cells.sum())
        assert cells.sum() == pytest.approx(1_469_307)
    assert hottest["basket"] < hottest["store"] < hottest["date"]
    assert hottest["basket"] < 0.35


def test_demand_adds_up_like_arrays() -> None:
    day = demand.daily(10, peak=35)
    assert (day.mean(), day.max()) == (pytest.approx(10), pytest.approx(35))
    assert int(day.argmax()) == 20 * 3600
    both = day + demand.campaign(100, at=3600, seconds=86_400, rise=60, half_life=600)
    assert both[3660] - day[3660] == 100
    assert both[3660 + 600] - day[3660 + 600] == pytest.approx(50)
    assert demand.spike(7, at=10, lasts=5, seconds=20).sum() == 35


def test_a_workload_of_two_streams_is_the_sum_of_both() -> None:
    one = Workload(demand.constant(10, 60), demand.uniform(10), {"put": 0.5, "get": 0.5})
    other = Workload(demand.constant(5, 30), demand.zipf(10), {"removal": Operation("delete", item_bytes=3 * KB)})
    outcome = simulate(one + 2 * other, Design())
    assert outcome.totals["write"]["sent_units"] == 10 * 60 * 0.5 + 10 * 30 * 3
    frame = outcome.by_operation.set_index("operation")
    assert frame["admitted_requests"].to_dict() == pytest.approx({"get": 300, "put": 300, "removal": 300})


def test_every_frame_adds_up_to_the_totals() -> None:
    keys = demand.celebrity(500, 0.6)
    operations = {"put": 0.2, "get": 0.8}
    work = Workload(demand.daily(4000, peak=12_000, seconds=3600, busiest=0.5), keys, operations, item_bytes=2 * KB)
    outcome = simulate(work, Design())
    for side, totals in outcome.totals.items():
        for frame in (outcome.by_second, outcome.by_operation):
            rows = frame[frame["side"] == side]
            for name in ("sent", "admitted", "refused"):
                for what in ("requests", "units"):
                    assert rows[f"{name}_{what}"].sum() == pytest.approx(totals[f"{name}_{what}"])
        rows = outcome.by_partition[outcome.by_partition["side"] == side]
        assert rows["admitted_requests"].sum() == pytest.approx(totals["admitted_requests"])
        assert rows["refused_requests"].sum() == pytest.approx(totals["refused_requests"], abs=1e-3)
        keyed = outcome.by_key[outcome.by_key["side"] == side]
        for name in ("sent", "admitted", "refused"):
            assert keyed[f"{name}_units"].sum() == pytest.approx(totals[f"{name}_units"], rel=1e-6)
        minutes = outcome.by_minute[outcome.by_minute["side"] == side]
        assert minutes["consumed_units"].sum() == pytest.approx(totals["admitted_units"])
        assert minutes["throttled_requests"].sum() == pytest.approx(totals["refused_requests"])
    assert outcome.by_reason["units"].sum() == pytest.approx(
        sum(totals["refused_units"] for totals in outcome.totals.values())
    )
    assert outcome.totals["write"]["refused_units"] > 0


def test_a_days_heat_map_holds_what_was_admitted() -> None:
    work = Workload(demand.daily(2000, peak=4000), demand.zipf(1000, 1.2))
    outcome = simulate(work, Design())
    drawn = day_map(outcome, rows=32, columns=96)
    assert drawn.units.shape == drawn.refused.shape == (32, 96)
    assert drawn.units.sum() * 900 == pytest.approx(outcome.totals["write"]["admitted_units"])
    assert drawn.refused.sum() * 900 == pytest.approx(outcome.totals["write"]["refused_units"], rel=1e-6)
    asked = day_map(outcome, quantity="asked", rows=32, columns=96)
    np.testing.assert_allclose(asked.units, drawn.units + drawn.refused, atol=1e-6)


# --- what is no workload --------------------------------------------------------------------------------------------


def test_a_day_without_traffic_is_an_empty_result() -> None:
    outcome = simulate(writes(0, 86_400, demand.uniform(100)), Design())
    assert outcome.totals["write"]["sent_requests"] == 0
    assert outcome.totals["write"]["refused_share"] == 0
    assert len(outcome.by_second) == 86_400
    assert outcome.by_reason.empty
    assert day_map(outcome).units.sum() == 0
    nothing = simulate(Workload([], demand.uniform(3)), Design())
    assert nothing.seconds == 0
    assert nothing.by_second.empty
    assert nothing.by_key.empty or nothing.by_key["sent_units"].sum() == 0
    assert day_map(nothing).units.sum() == 0


def test_more_partitions_than_keys_leave_most_of_them_idle() -> None:
    outcome = simulate(writes(500, 60, demand.uniform(3)), Design(partitions=200, warm={"write": 40_000}))
    assert outcome.totals["write"]["refused_units"] == 0
    assert (outcome.partition_units("write").sum(axis=0) > 0).sum() <= 3


@pytest.mark.parametrize(
    "bad",
    [
        lambda: Workload([1.0, -2.0], ONE_KEY),
        lambda: Workload([1.0, math.nan], ONE_KEY),
        lambda: Workload([math.inf], ONE_KEY),
        lambda: Workload("fast", ONE_KEY),
        lambda: Workload([[1.0]], ONE_KEY),
        lambda: Workload([1.0], ["a"]),
        lambda: Workload([1.0], ONE_KEY, {"put": -1.0}),
        lambda: Workload([1.0], ONE_KEY, {"scan": 1.0}),
        lambda: Workload([1.0], ONE_KEY, item_bytes=500 * KB),
        lambda: Workload([1.0], ONE_KEY) * -1,
        lambda: demand.constant(-1, 10),
        lambda: demand.constant(1, -10),
        lambda: demand.constant(True, 10),
        lambda: demand.daily(10, peak=5),
        lambda: demand.campaign(1, at=0, seconds=10, half_life=0),
        lambda: demand.uniform(0),
        lambda: demand.uniform(2.5),
        lambda: demand.few([]),
        lambda: demand.few(["a"], [0.0]),
        lambda: demand.few(["a", "b"], [1.0]),
        lambda: demand.few(["a"], sort_keys="falling"),
        lambda: demand.zipf(10, math.nan),
        lambda: demand.celebrity(10, 1.5),
        lambda: demand.time_bucket(0),
        lambda: demand.trace([], []),
        lambda: demand.trace([-1], ["a"]),
        lambda: demand.trace([1], ["a"]).to_peak(9),
        lambda: demand.grocer("colour"),
        lambda: Design("FREE"),
        lambda: Design("PROVISIONED"),
        lambda: Design(shards=0),
        lambda: Design(partitions=0),
        lambda: Design(warm={"writes": 1}),
        lambda: Design(auto_scaling={"write": Policy(1, 2)}),
        lambda: IndexWrites(share=0.2, moves=0.5),
        lambda: Operation("get", index="by-status"),
        lambda: simulate(writes(1, 1), "design"),
        lambda: simulate(writes(1, 1), Design(), seconds=-1),
        lambda: simulate(writes(1, 1), Design(), retries="often"),
        lambda: simulate(writes(1, 1), Design(), start=math.nan),
        lambda: simulate(writes(1, 1, operations={"q": Operation("query", index="gone")}), Design()),
        lambda: simulate(writes(1, 40_000_000), Design(partitions=100_000)),
        lambda: day_map(simulate(writes(1, 1), Design()), quantity="heat"),
        lambda: day_map(simulate(writes(1, 1), Design()), rows=0),
    ],
)
def test_what_makes_no_sense_is_answered_with_one_sentence(bad: Any) -> None:
    with pytest.raises(LabError) as told:
        bad()
    assert str(told.value).endswith((".", "none."))
    assert len(str(told.value)) < 220


def test_a_request_refused_anywhere_in_a_second_comes_again_evenly_after_its_wait() -> None:
    """Refused at any moment of a second and back after 0 to 1 seconds: half of them in the same second."""
    assert flow._kernel(0, 1) == pytest.approx([0.5, 0.5], abs=0.01)
    assert flow._kernel(2, 2) == pytest.approx([0, 0, 1])
