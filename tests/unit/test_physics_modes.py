"""On-demand's ramp and limits, and what the control plane allows when."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from dynamolab.model import modes
from dynamolab.model.meters import MICROSECONDS
from dynamolab.model.modes import DecreaseHistory, ModeHistory, Timeline
from dynamolab.model.parameters import Parameters
from dynamolab.model.partitions import PartitionedTable
from dynamolab.model.ramp import Ramp
from dynamolab.model.throttling import Side

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/pedidos"
START = 1_788_688_800 * MICROSECONDS
MINUTE = 60
HOUR = 3600
REGION = "eu-west-1"


def at(text: str) -> int:
    """Microseconds of ``2026-09-18 09:08:14`` in UTC."""
    return round(dt.datetime.fromisoformat(text + "+00:00").timestamp()) * MICROSECONDS


def spread(table: PartitionedTable, units: int, seconds: range, side: Side = "write", size: int = 100) -> float:
    """Offer ``units`` a second, evenly over the partitions; return the average admitted, a second."""
    took = 0
    for second in seconds:
        now = START + second * MICROSECONDS
        for turn in range(units // size):
            partition = table.partitions[turn % len(table.partitions)]
            if table.refusal(side, [partition], now) is None:
                table.charge(side, partition, size, now)
                took += size
    return took / len(seconds)


# --- on-demand ------------------------------------------------------------------------------------------------------


def test_a_new_on_demand_table_takes_4000_writes_and_12000_reads() -> None:
    """AWS, "On-demand capacity mode"."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    assert spread(table, 6000, range(10)) == pytest.approx(4000, abs=40)
    assert spread(table, 20_000, range(10), "read") == pytest.approx(12_000, abs=40)
    assert (table.warm_throughput("write"), table.warm_throughput("read")) == (4000, 12_000)


def test_the_ramp_doubles_a_peak_half_an_hour_later_and_keeps_it() -> None:
    """AWS, "On-demand capacity mode": up to twice the previous peak; more within 30 minutes may be throttled."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    assert spread(table, 10_000, range(MINUTE)) == pytest.approx(4000, abs=40)
    half_an_hour = 30 * MINUTE
    assert spread(table, 10_000, range(half_an_hour, half_an_hour + 30)) == pytest.approx(4000, abs=140)
    later = range(half_an_hour + MINUTE, half_an_hour + 2 * MINUTE)
    assert spread(table, 10_000, later) == pytest.approx(8000, abs=140)
    assert (len(table.partitions), table.warm_throughput("write")) == (8, 8000)
    year = 365 * 24 * HOUR
    assert spread(table, 10_000, range(year, year + 10)) == pytest.approx(10_000, abs=140)


def test_a_peak_of_50000_reads_allows_100000_and_that_allows_200000() -> None:
    """AWS, "On-demand capacity mode": the page's own example; and capacity that was reached is not lost."""
    ramp, half_an_hour = Ramp(12_000, 1_000_000, Parameters()), 30 * MINUTE * MICROSECONDS
    seen = []
    for turn, rate in enumerate((50_000, 100_000, 10)):
        ramp.consumed = rate * 60
        ramp.close_interval(START + turn * half_an_hour, on_demand=True)
        if ramp.due is not None:
            assert ramp.due == START + (turn + 1) * half_an_hour
            ramp.mature()
        seen.append(ramp.reached)
    assert seen == [100_000, 200_000, 200_000]
    assert ramp.due is None


def test_a_provisioned_table_has_no_ramp_to_climb() -> None:
    ramp = Ramp(100, 40_000, Parameters())
    ramp.consumed = 6000 * 60
    ramp.close_interval(START, on_demand=False)
    assert (ramp.due, ramp.reached, ramp.consumed) == (None, 100, 0)


def test_a_split_for_heat_does_not_lift_the_ramp() -> None:
    """The partitions of a split could give more than the table may take: the ramp refuses, as a key range does."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table._cut(table.partitions[0], ((1 << 60, b""),), "capacity", START)
    assert spread(table, 10_000, range(30)) == pytest.approx(4000, abs=140)
    refusal = table.refusal("write", table.partitions[:1], START + 29 * MICROSECONDS)
    assert refusal is not None
    assert (refusal.reason, refusal.code) == ("TableWriteKeyRangeThroughputExceeded", "ThrottlingException")


@pytest.mark.parametrize(
    ("highest", "now_at", "expected"),
    [((5, 5), (5, 5), (12_000, 4000)), ((24_000, 8000), (24_000, 8000), (24_000, 8000)),
     ((10_000, 10_000), (10, 10), (12_000, 10_000))],
)  # fmt: skip
def test_a_table_that_becomes_on_demand_keeps_what_it_had(
    highest: tuple[int, int], now_at: tuple[int, int], expected: tuple[int, int]
) -> None:
    """AWS, "Considerations when switching capacity modes": at least 4,000/12,000, or the highest ever provisioned."""
    table = PartitionedTable(ARN, "PROVISIONED", read_units=highest[0], write_units=highest[1])
    table.provision("PROVISIONED", read_units=now_at[0], write_units=now_at[1], now=START)
    assert (table.warm_throughput("read"), table.warm_throughput("write")) == highest
    table.provision("PAY_PER_REQUEST", now=START)
    assert (table.warm_throughput("read"), table.warm_throughput("write")) == expected
    assert spread(table, 20_000, range(10)) == pytest.approx(expected[1], rel=0.05)


def test_warm_throughput_never_falls_and_lifts_the_table_not_the_partition() -> None:
    """AWS, "Warm throughput": 30,000/10,000 at once, and still 1,000 WU/s for one hot key."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table.warm_up(read_units=30_000, write_units=10_000, now=START)
    table.warm_up(read_units=1, write_units=1, now=START)
    assert (table.warm_throughput("read"), table.warm_throughput("write")) == (30_000, 10_000)
    assert spread(table, 12_000, range(10)) == pytest.approx(10_000, abs=300)
    hot = table.partitions[3]
    refused = START + 20 * MICROSECONDS
    table.charge("write", hot, 1000, refused)
    refusal = table.refusal("write", [hot], refused)
    assert refusal is not None
    assert refusal.reason == "TableWriteKeyRangeThroughputExceeded"


def test_what_was_made_warm_can_be_taken_at_once() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table.warm_up(write_units=40_000, now=START)
    meter, _ = table.total_meter("write")
    assert meter.level_at(START) == meter.rate == 40_000
    meter.charge(40_000, START)
    table.warm_up(write_units=40_000, now=START)  # nothing is gained by asking again
    assert meter.level_at(START) == 0


def test_warm_throughput_survives_the_way_to_on_demand_and_back() -> None:
    """Recorded from the service: a table that goes back to provisioned 2/2 still shows 12,000/4,000."""
    table = PartitionedTable(ARN, "PROVISIONED", read_units=1, write_units=1)
    table.provision("PAY_PER_REQUEST", now=START)
    table.provision("PROVISIONED", read_units=2, write_units=2, now=START + MICROSECONDS)
    assert (table.warm_throughput("read"), table.warm_throughput("write")) == (12_000, 4000)
    assert len(table.partitions) == 4


def test_the_maximum_on_demand_throughput_rules_over_warm_throughput() -> None:
    """AWS, "Warm throughput": warm 30,000 reads with a maximum of 5,000: 5,000 rules."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table.warm_up(read_units=30_000, now=START)
    table.limit_on_demand(read_units=5000)
    assert spread(table, 20_000, range(10), "read") == 5000
    refusal = table.refusal("read", table.partitions[:1], START + 9 * MICROSECONDS)
    assert refusal is not None
    assert (refusal.reason, refusal.code) == ("TableReadMaxOnDemandThroughputExceeded", "ThrottlingException")
    table.limit_on_demand(read_units=None)
    assert table.refusal("read", table.partitions[:1], START + 9 * MICROSECONDS) is None


def test_a_switch_to_provisioned_clears_the_maximum_for_good() -> None:
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table.limit_on_demand(read_units=1, write_units=1)
    table.provision("PROVISIONED", read_units=100, write_units=100, now=START)
    table.provision("PAY_PER_REQUEST", now=START)
    assert spread(table, 1000, range(2)) == 1000


def test_the_quota_of_an_on_demand_table_is_a_limit_of_the_account() -> None:
    """AWS, "Quotas": 40,000 write units for a table."""
    table = PartitionedTable(ARN, "PAY_PER_REQUEST")
    table.warm_up(read_units=40_000, write_units=40_000, now=START)
    assert len(table.partitions) >= 40
    assert spread(table, 60_000, range(6), size=400) == pytest.approx(40_000, rel=0.2)
    refusal = table.refusal("write", table.partitions[:1], START + 5 * MICROSECONDS)
    assert refusal is not None
    assert (refusal.reason, refusal.code) == ("TableWriteAccountLimitExceeded", "RequestLimitExceeded")


# --- switches and decreases -----------------------------------------------------------------------------------------


def test_the_fifth_switch_to_on_demand_within_a_day_is_refused_in_the_recorded_words() -> None:
    """Recorded from the service; creation in on-demand mode is the first of the four."""
    history = ModeHistory(at("2026-09-18 09:02:18"), "PAY_PER_REQUEST")
    for when in ("09:04:00", "09:06:00", "09:08:14"):
        history.switch("PROVISIONED", at(f"2026-09-18 {when}") - MICROSECONDS)
        assert history.check("PAY_PER_REQUEST", at(f"2026-09-18 {when}")) is None
        history.switch("PAY_PER_REQUEST", at(f"2026-09-18 {when}"))
    assert history.check("PROVISIONED", at("2026-09-18 09:09:00")) is None
    history.switch("PROVISIONED", at("2026-09-18 09:09:00"))
    objection = history.check("PAY_PER_REQUEST", at("2026-09-18 09:10:00"))
    assert objection is not None
    assert (objection.code, objection.message) == (
        "LimitExceededException",
        "Subscriber limit exceeded: Update to PayPerRequest mode are limited to 4 in 1 day(s). Last update at "
        "Fri Sep 18 09:08:14 UTC 2026. Next update can be made at Sat Sep 19 09:02:18 UTC 2026",
    )
    assert history.check("PAY_PER_REQUEST", at("2026-09-19 09:02:17")) is not None
    assert history.check("PAY_PER_REQUEST", at("2026-09-19 09:02:18")) is None


def test_on_demand_again_takes_no_slot() -> None:
    history = ModeHistory(START, "PAY_PER_REQUEST")
    for second in range(9):
        assert history.check("PAY_PER_REQUEST", START + second) is None
        assert history.switch("PAY_PER_REQUEST", START + second) == 0
    history.switch("PROVISIONED", START + 10)
    assert history.check("PAY_PER_REQUEST", START + 11) is None


def test_the_first_switch_takes_minutes_and_later_ones_seconds() -> None:
    history = ModeHistory(START, "PROVISIONED")
    took = [history.switch(mode, START) for mode in ("PAY_PER_REQUEST", "PROVISIONED", "PAY_PER_REQUEST")]  # type: ignore[arg-type]
    assert took == [150, 60, 5]


def test_decreases_four_freely_then_one_an_hour() -> None:
    """AWS's rule on the clock: 00:01 to 00:04 pass, 00:30 not, 01:05 passes, 01:30 not, 02:06 passes."""
    history, outcome = DecreaseHistory(), []
    for when in ("00:01", "00:02", "00:03", "00:04", "00:30", "01:05", "01:30", "02:06"):
        now = at(f"2026-09-18 {when}:00")
        outcome.append(history.check(now) is None)
        if outcome[-1]:
            history.decrease(now)
    assert outcome == [True, True, True, True, False, True, False, True]
    assert history.count(at("2026-09-18 23:59:59")) == 6


def test_the_fifth_decrease_is_refused_and_midnight_gives_four_again() -> None:
    history = DecreaseHistory()
    for minute in range(4):
        history.decrease(at(f"2026-09-18 23:1{minute}:00"))
    objection = history.check(at("2026-09-18 23:30:00"))
    assert objection is not None
    assert objection.code == "LimitExceededException"
    assert objection.message == (
        "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the "
        "first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 "
        "seconds. Number of decreases today: 4. Last decrease at Fri Sep 18 23:13:00 UTC 2026. Next decrease can be "
        "made at Sat Sep 19 00:00:00 UTC 2026"
    )
    assert history.check(at("2026-09-19 00:00:00")) is None
    assert history.count(at("2026-09-19 00:00:00")) == 0


@pytest.mark.parametrize(
    ("before", "wanted", "expected"),
    [((5, 5), (4, 4), True), ((5, 5), (9, 4), True), ((5, 5), (5, 9), False), ((5, 5), (5, 5), False)],
)
def test_a_call_that_lowers_either_side_is_a_decrease(
    before: tuple[int, int], wanted: tuple[int, int], expected: bool
) -> None:
    assert DecreaseHistory.is_decrease(sides(*before), sides(*wanted)) is expected


# --- values and states ----------------------------------------------------------------------------------------------


def sides(read: int, write: int) -> dict[Side, int]:
    return {"read": read, "write": write}


@pytest.mark.parametrize(
    ("units", "code", "words"),
    [
        ((1, 1), None, ""),
        ((40_000, 40_000), None, ""),
        ((0, 1), "ValidationException", "readCapacityUnits"),
        ((1, 40_001), "LimitExceededException", "WriteCapacityUnits, 40001, is above the per table maximum"),
    ],
)
def test_provisioned_units_lie_between_1_and_the_quota(units: tuple[int, int], code: str | None, words: str) -> None:
    found = modes.check_units(sides(*units), REGION)
    assert (found.code if found else None) == code
    assert found is None or words in found.message


def test_all_tables_together_stay_within_the_accounts_quota() -> None:
    """AWS, "Quotas": 80,000 provisioned units of each side for the account."""
    reserved = [sides(1, 40_000), sides(1, 30_000)]
    assert modes.check_account([sides(1, 10_000)], REGION, reserved=reserved) is None
    found = modes.check_account([sides(1, 10_000), sides(1, 1)], REGION, reserved=reserved)
    assert found is not None
    assert found.code == "LimitExceededException"
    assert found.message.startswith(
        "This request would have caused the WriteCapacityUnits limit to be exceeded for the account in eu-west-1. "
        "Current WriteCapacityUnits reserved by the account: 70000. Limit: 80000. Requested: 10001. Refer to"
    )


def test_a_change_that_changes_nothing_is_refused() -> None:
    assert modes.check_change(sides(5, 5), sides(5, 6)) is None
    found = modes.check_change(sides(5, 6), sides(5, 6))
    assert found is not None
    assert found.message.startswith("The provisioned throughput for the table will not change. The requested value")


@pytest.mark.parametrize(
    ("units", "creating", "code"),
    [(1, True, None), (40_000, False, None), (-1, False, None), (-1, True, "ValidationException"),
     (0, False, "ValidationException"), (-2, False, "ValidationException"), (40_001, False, "LimitExceededException")],
)  # fmt: skip
def test_which_maxima_of_on_demand_throughput_are_accepted(units: int, creating: bool, code: str | None) -> None:
    found = modes.check_maximum("read", units, creating=creating, region=REGION)
    assert (found.code if found else None) == code


@pytest.mark.parametrize(
    ("side", "units", "index", "message"),
    [
        (
            "read",
            0,
            None,
            "One or more parameter values were invalid: Requested MaxReadRequestUnits for OnDemandThroughput for table "
            "is outside of valid range",
        ),
        (
            "write",
            40_001,
            "gsi1",
            "Subscriber limit exceeded: Requested MaxWriteRequestUnits for OnDemandThroughput for index : gsi1 exceeds "
            "TableMaxWriteCapacityUnits of the account in region eu-west-1",
        ),
    ],
)
def test_a_refused_maximum_is_named_with_its_side_and_its_place(
    side: Any, units: int, index: str | None, message: str
) -> None:
    found = modes.check_maximum(side, units, creating=True, region=REGION, index=index)
    assert found is not None
    assert found.message == message


@pytest.mark.parametrize(
    ("wanted", "current", "creating", "mode", "words"),
    [
        ((12_000, 4000), (12_000, 4000), False, "PAY_PER_REQUEST", None),
        ((12_000, 3999), (12_000, 4000), False, "PAY_PER_REQUEST", "decreasing WarmThroughput is not supported"),
        ((12_000, 3999), (0, 0), True, "PAY_PER_REQUEST", "lower than initial throughput for OnDemand"),
        ((5, 5), (1, 1), True, "PROVISIONED", None),
        ((12_000, 40_001), (12_000, 4000), False, "PAY_PER_REQUEST", "exceeds TableMaxWriteCapacityUnits"),
    ],
)
def test_which_warm_throughput_is_accepted(
    wanted: tuple[int, int], current: tuple[int, int], creating: bool, mode: Any, words: str | None
) -> None:
    found = modes.check_warm(sides(*wanted), sides(*current), creating=creating, mode=mode, region=REGION)
    assert (found is None) if words is None else (found is not None and words in found.message)


@pytest.mark.parametrize(("index", "place"), [(None, "table"), ("gsi1", "index gsi1")])
def test_a_refused_warm_throughput_is_named_with_its_place(index: str | None, place: str) -> None:
    found = modes.check_warm(sides(1, 1), sides(2, 2), creating=False, mode="PROVISIONED", region=REGION, index=index)
    assert found is not None
    assert found.message == (
        f"One or more parameter values were invalid: Requested ReadUnitsPerSecond for WarmThroughput for {place} is "
        "lower than current WarmThroughput, decreasing WarmThroughput is not supported"
    )


def test_a_table_is_updating_until_its_change_has_settled() -> None:
    state = Timeline()
    assert state.status(START) == "ACTIVE"
    end = state.begin("UPDATING", seconds=2, now=START)
    assert [state.status(now) for now in (START, end - 1, end)] == ["UPDATING", "UPDATING", "ACTIVE"]
    objection = state.check("pedidos", START + 1)
    assert objection is not None
    assert (objection.code, objection.message) == (
        "ResourceInUseException",
        "Attempt to change a resource which is still in use: Table IOPS are currently being updated. Table: pedidos",
    )
    assert state.check("pedidos", end) is None


# --- parameters -----------------------------------------------------------------------------------------------------


def test_every_parameter_says_what_it_means_how_sure_it_is_and_where_it_stands() -> None:
    for name, rule in Parameters.documentation().items():
        assert rule["confidence"] in "DALIF", name
        assert rule["meaning"].endswith("."), name
        assert rule["source"], name


@pytest.mark.parametrize(
    "wrong", [{"adaptation": "2018"}, {"burst_seconds": -1}, {"heat_slots": 0}, {"ramp_factor": float("nan")}]
)
def test_a_parameter_without_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Parameters(**wrong)
