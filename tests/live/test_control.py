"""The control plane through boto3: what may change when, how long it takes, and what DescribeTable says meanwhile."""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, WaiterError
from moto.dynamodb.exceptions import DynamodbException
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import Table

import dynamolab as lab
from dynamolab.live import control, session
from dynamolab.live.metering import find_table, throughput_of

INVALID = "One or more parameter values were invalid: "
IN_USE = "Attempt to change a resource which is still in use: "
START = dt.datetime(2026, 9, 6, 10, 0, tzinfo=dt.UTC)

Make = Callable[..., str]
pytestmark = pytest.mark.usefixtures("running_lab")


def units(read: int, write: int) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}


def provisioned(read: int = 5, write: int = 5) -> dict[str, Any]:
    return {"BillingMode": "PROVISIONED", **units(read, write)}


def gsi(name: str = "by-g", **more: Any) -> dict[str, Any]:
    keys = [{"AttributeName": "g", "KeyType": "HASH"}]
    return {"IndexName": name, "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}, **more}


def with_index(*indexes: dict[str, Any], **more: Any) -> dict[str, Any]:
    definitions = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "g")]
    return {"AttributeDefinitions": definitions, "GlobalSecondaryIndexes": list(indexes) or [gsi()], **more}


def of_index(**change: Any) -> dict[str, Any]:
    return {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "by-g", **change}}]}


DEFINITION = [{"AttributeName": "g", "AttributeType": "S"}]


class Owner:
    """One table and a client, to write short what is asked of them."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def update(self, **change: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.client.update_table(TableName="pedidos", **change)["TableDescription"]
        return answer

    def done(self, **change: Any) -> None:
        """Change, and wait until it is in force."""
        self.update(**change)
        while self.table["TableStatus"] != "ACTIVE" or self.index_status not in ("ACTIVE", None):
            lab.clock.advance(seconds=1)

    def refusal(self, **change: Any) -> tuple[str, str]:
        before = self.table
        with pytest.raises(ClientError) as refused:
            self.update(**change)
        assert self.table == before, "a refused change changed something"
        return refused.value.response["Error"]["Code"], refused.value.response["Error"]["Message"]

    @property
    def table(self) -> dict[str, Any]:
        described: dict[str, Any] = self.client.describe_table(TableName="pedidos")["Table"]
        return described

    @property
    def index(self) -> dict[str, Any]:
        found: dict[str, Any] = self.table["GlobalSecondaryIndexes"][0]
        return found

    @property
    def index_status(self) -> str | None:
        return next((index["IndexStatus"] for index in self.table.get("GlobalSecondaryIndexes", ())), None)

    @property
    def units(self) -> tuple[int, int]:
        return capacity(self.table)


def capacity(described: dict[str, Any]) -> tuple[int, int]:
    throughput = described["ProvisionedThroughput"]
    return throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]


def warm(described: dict[str, Any]) -> tuple[int, int, str]:
    found = described["WarmThroughput"]
    return found["ReadUnitsPerSecond"], found["WriteUnitsPerSecond"], found["Status"]


@pytest.fixture
def owner(client: Any) -> Owner:
    return Owner(client)


@pytest.fixture
def midnight(running_lab: None) -> None:
    lab.clock.advance(hours=14)


# --- states -------------------------------------------------------------------------------------------------


def test_a_new_table_is_active_at_once(client: Any, make_table: Make, owner: Owner) -> None:
    make_table(**with_index())
    client.get_waiter("table_exists").wait(TableName="pedidos")
    assert lab.clock.now() == START
    assert (owner.table["TableStatus"], owner.index["IndexStatus"]) == ("ACTIVE", "ACTIVE")
    assert owner.table["CreationDateTime"] == START


def test_new_units_are_in_force_when_the_table_is_active_again(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned(5, 5))
    answer = owner.update(**units(10, 20))
    assert (answer["TableStatus"], capacity(answer)) == ("UPDATING", (5, 5))
    lab.clock.advance(seconds=1.999999)
    assert (owner.table["TableStatus"], owner.units) == ("UPDATING", (5, 5))
    assert throughput_of(find_table("pedidos")).warm_throughput("write") == 5
    lab.clock.advance(seconds=0.000001)
    assert (owner.table["TableStatus"], owner.units) == ("ACTIVE", (10, 20))
    assert throughput_of(find_table("pedidos")).warm_throughput("write") == 20
    assert owner.table["ProvisionedThroughput"]["LastIncreaseDateTime"] == START + dt.timedelta(seconds=2)
    assert "LastDecreaseDateTime" not in owner.table["ProvisionedThroughput"]


def test_a_table_that_is_updating_takes_no_other_change_and_is_not_deleted(
    client: Any, make_table: Make, owner: Owner
) -> None:
    make_table(**provisioned())
    owner.update(**units(6, 6))
    busy = ("ResourceInUseException", f"{IN_USE}Table IOPS are currently being updated. Table: pedidos")
    assert owner.refusal(**units(7, 7)) == busy
    assert owner.refusal(BillingMode="PAY_PER_REQUEST") == busy
    create = {"AttributeDefinitions": DEFINITION, "GlobalSecondaryIndexUpdates": [{"Create": gsi(**units(1, 1))}]}
    assert owner.refusal(**create) == (
        "ResourceInUseException",
        f"{IN_USE}Can't create or delete indexes while table IOPS are being updated. Table: pedidos",
    )
    with pytest.raises(client.exceptions.ResourceInUseException, match="Table: pedidos is in the process of being up"):
        client.delete_table(TableName="pedidos")
    lab.clock.advance(seconds=2)
    assert client.delete_table(TableName="pedidos")["TableDescription"]["TableStatus"] == "DELETING"
    client.get_waiter("table_not_exists").wait(TableName="pedidos")


def test_boto3_s_waiters_wait_in_simulated_time(client: Any, make_table: Make, owner: Owner) -> None:
    make_table(**provisioned())
    owner.update(BillingMode="PAY_PER_REQUEST")
    client.get_waiter("table_exists").wait(TableName="pedidos")
    assert lab.clock.now() - START == dt.timedelta(seconds=160), "every 20 s, past the switch's 150 s"
    assert owner.table["TableStatus"] == "ACTIVE"
    boto3.resource("dynamodb").Table("pedidos").wait_until_exists()
    with pytest.raises(WaiterError):
        client.get_waiter("table_exists").wait(TableName="other", WaiterConfig={"Delay": 3, "MaxAttempts": 3})
    assert lab.clock.now() - START == dt.timedelta(seconds=166)


def test_a_jump_of_a_year_settles_each_change_at_its_own_time(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned())
    owner.update(**units(6, 4))
    lab.clock.advance(days=365)
    shown = owner.table["ProvisionedThroughput"]
    assert capacity(owner.table) == (6, 4)
    assert shown["LastDecreaseDateTime"] == shown["LastIncreaseDateTime"] == START + dt.timedelta(seconds=2)
    assert shown["NumberOfDecreasesToday"] == 0, "that was a year ago"


def test_a_lab_that_starts_over_forgets_the_changes_under_way(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned())
    owner.update(**units(6, 6))
    lab.start(seed=7)
    make_table(**provisioned())
    lab.clock.advance(hours=1)
    assert owner.units == (5, 5)


def test_a_change_under_way_goes_on_after_an_exercise_was_judged(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned())
    owner.update(**units(6, 6))
    with session.sandbox(1):
        make_table(**provisioned(1, 1))
        lab.clock.advance(hours=1)
        assert owner.units == (1, 1)
    assert (owner.table["TableStatus"], owner.units) == ("UPDATING", (5, 5))
    lab.clock.advance(seconds=2)
    assert (owner.table["TableStatus"], owner.units) == ("ACTIVE", (6, 6))


def test_counts_and_sizes_are_of_this_moment(client: Any, make_table: Make, owner: Owner) -> None:
    """Bytes of names and values, as in "DynamoDB item sizes"; an item's 100 bytes of overhead are billed, not shown."""
    make_table(**with_index())
    for sort_key, more in (("1", {"g": {"S": "abc"}}), ("2", {}), ("3", {})):
        client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "sk": {"S": sort_key}, **more})
    client.delete_item(TableName="pedidos", Key={"pk": {"S": "a"}, "sk": {"S": "3"}})
    assert (owner.table["ItemCount"], owner.table["TableSizeBytes"]) == (2, 10 + 6)
    assert (owner.index["ItemCount"], owner.index["IndexSizeBytes"]) == (1, 10)


# --- billing mode -------------------------------------------------------------------------------------------


def test_a_switch_shows_its_end_at_once_and_is_in_force_when_it_has_settled(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned(5, 5))
    assert "BillingModeSummary" not in owner.table, "never on-demand"
    answer = owner.update(BillingMode="PAY_PER_REQUEST")
    assert (answer["TableStatus"], answer["BillingModeSummary"]) == ("UPDATING", {"BillingMode": "PAY_PER_REQUEST"})
    assert capacity(answer) == (0, 0)
    meters = throughput_of(find_table("pedidos"))
    assert (meters.mode, warm(owner.table)) == ("PROVISIONED", (5, 5, "ACTIVE"))
    lab.clock.advance(seconds=149)
    assert owner.table["TableStatus"] == "UPDATING"
    lab.clock.advance(seconds=1)
    assert (owner.table["TableStatus"], meters.mode) == ("ACTIVE", "PAY_PER_REQUEST")
    assert owner.table["BillingModeSummary"] == {
        "BillingMode": "PAY_PER_REQUEST",
        "LastUpdateToPayPerRequestDateTime": START + dt.timedelta(seconds=150),
    }
    assert warm(owner.table) == (12_000, 4000, "ACTIVE")
    assert len(meters.partitions) == 4


def test_the_way_back_takes_a_minute_and_the_next_switch_seconds(make_table: Make, owner: Owner) -> None:
    make_table()
    took = []
    for change in (provisioned(2, 2), {"BillingMode": "PAY_PER_REQUEST"}):
        before = lab.clock.time()
        owner.done(**change)
        took.append(lab.clock.time() - before)
    assert took == [60, 5]
    owner.done(**provisioned(2, 2))
    assert (owner.units, warm(owner.table)) == ((2, 2), (12_000, 4000, "ACTIVE"))
    assert owner.table["BillingModeSummary"]["BillingMode"] == "PROVISIONED"


def test_the_fifth_switch_to_on_demand_within_a_day_is_refused_with_its_dates(make_table: Make, owner: Owner) -> None:
    """Creation in on-demand mode is the first; the way back to provisioned is free."""
    make_table()
    for _ in range(3):
        owner.done(**provisioned())
        owner.done(BillingMode="PAY_PER_REQUEST")
    owner.done(**provisioned())
    assert owner.refusal(BillingMode="PAY_PER_REQUEST") == (
        "LimitExceededException",
        "Subscriber limit exceeded: Update to PayPerRequest mode are limited to 4 in 1 day(s). Last update at "
        "Sun Sep 06 10:03:15 UTC 2026. Next update can be made at Mon Sep 07 10:00:00 UTC 2026",
    )
    lab.clock.advance(hours=24)
    owner.done(BillingMode="PAY_PER_REQUEST")
    assert owner.table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


def test_on_demand_again_is_accepted_and_takes_neither_time_nor_a_switch(make_table: Make, owner: Owner) -> None:
    make_table()
    for _ in range(9):
        assert owner.update(BillingMode="PAY_PER_REQUEST")["TableStatus"] == "UPDATING"
        assert owner.table["TableStatus"] == "ACTIVE"
    owner.done(**provisioned())
    owner.done(BillingMode="PAY_PER_REQUEST")


@pytest.mark.parametrize(
    ("made", "change", "expected"),
    [
        (
            {},
            {"BillingMode": "PROVISIONED"},
            f"{INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
        ),
        (
            provisioned(),
            {"BillingMode": "PROVISIONED"},
            f"{INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
        ),
        (
            {},
            units(5, 5),
            f"{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
            "PAY_PER_REQUEST",
        ),
        (
            provisioned(5, 6),
            units(5, 6),
            "The provisioned throughput for the table will not change. The requested value equals the current value. "
            "Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current "
            "WriteCapacityUnits provisioned for the table: 6. Requested WriteCapacityUnits: 6. Refer to the Amazon "
            "DynamoDB Developer Guide for current limits and how to request higher limits.",
        ),
        (
            with_index(),
            provisioned(),
            f"{INVALID}ProvisionedThroughput must be specified for index: by-g",
        ),
        (
            with_index(),
            of_index(**units(5, 5)),
            f"{INVALID}The only Updates for index: by-g when TableThroughputMode is PAY_PER_REQUEST can be to "
            "OnDemandThroughput, WarmThroughput",
        ),
    ],
)
def test_changes_that_do_not_fit_the_mode_are_refused(
    make_table: Make, owner: Owner, made: dict[str, Any], change: dict[str, Any], expected: str
) -> None:
    make_table(**made)
    assert owner.refusal(**change) == ("ValidationException", expected)


def test_a_table_s_indexes_switch_with_it(make_table: Make, owner: Owner) -> None:
    make_table(**with_index())
    owner.done(**provisioned(5, 5), **of_index(**units(3, 2)))
    assert (owner.units, capacity(owner.index)) == ((5, 5), (3, 2))
    owner.done(BillingMode="PAY_PER_REQUEST")
    assert (owner.units, capacity(owner.index)) == ((0, 0), (0, 0))
    counts = [part["ProvisionedThroughput"]["NumberOfDecreasesToday"] for part in (owner.table, owner.index)]
    assert counts == [0, 1], "a switch to on-demand counts as a decrease of each index, not of the table"


# --- decreases ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("midnight")
def test_four_decreases_are_free_and_each_further_one_waits_an_hour(make_table: Make, owner: Owner) -> None:
    """AWS's rule on the clock: at 00:30 and 01:30 it is too early, at 01:05 and 02:06 an hour has passed."""
    make_table(**provisioned(100, 100))
    outcome = []
    for number, (hour, minute) in enumerate([(0, 1), (0, 2), (0, 3), (0, 4), (0, 30), (1, 5), (1, 30), (2, 6)]):
        due = START.replace(day=7, hour=hour, minute=minute)
        lab.clock.advance(seconds=(due - lab.clock.now()).total_seconds())
        try:
            owner.update(**units(99 - number, 100))
            outcome.append("accepted")
        except ClientError as refused:
            outcome.append(refused.response["Error"]["Code"])
    refused_twice = ["accepted"] * 4 + ["LimitExceededException", "accepted"] * 2
    assert outcome == refused_twice
    lab.clock.advance(minutes=1)
    assert owner.table["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 6


@pytest.mark.usefixtures("midnight")
def test_the_fifth_decrease_is_refused_with_its_dates_and_increases_are_not(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned(100, 100))
    for read in (99, 98, 97, 96):
        owner.done(**units(read, 100))
    assert owner.refusal(**units(95, 101)) == (
        "LimitExceededException",
        "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the "
        "first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 "
        "seconds. Number of decreases today: 4. Last decrease at Mon Sep 07 00:00:08 UTC 2026. Next decrease can be "
        "made at Mon Sep 07 01:00:08 UTC 2026",
    )
    for read in range(97, 109):
        owner.done(**units(read, 100))
    shown = owner.table["ProvisionedThroughput"]
    assert shown["NumberOfDecreasesToday"] == 4
    assert shown["LastDecreaseDateTime"] == START.replace(day=7, hour=0, second=8)
    assert owner.units == (108, 100)


def test_table_and_index_have_counters_of_their_own_and_a_call_is_refused_as_a_whole(
    make_table: Make, owner: Owner
) -> None:
    make_table(**with_index(gsi(**units(9, 9))), **provisioned(9, 9))
    for read in (8, 7, 6, 5):
        owner.done(**of_index(**units(read, 9)))
    assert owner.index["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 4
    assert owner.table["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0
    code, _ = owner.refusal(**units(8, 9), **of_index(**units(4, 9)))
    assert code == "LimitExceededException"
    owner.done(**units(8, 9))
    assert owner.table["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 1


# --- quotas -------------------------------------------------------------------------------------------------


def test_a_table_or_index_has_at_most_40000_units(client: Any, make_table: Make, owner: Owner) -> None:
    make_table(**with_index(gsi(**units(1, 1))), **provisioned(1, 1))
    code, text = owner.refusal(**units(40_001, 1))
    assert code == "LimitExceededException"
    assert text.startswith(
        "The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in eu-west-1. Per "
        "table maximum: 40000."
    )
    code, text = owner.refusal(**of_index(**units(1, 40_001)))
    assert (code, "per index maximum" in text) == ("LimitExceededException", True)
    with pytest.raises(client.exceptions.LimitExceededException):
        make_table("other", **provisioned(1, 40_001))
    owner.done(**units(40_000, 1))


def test_an_account_has_at_most_80000_provisioned_units(client: Any, make_table: Make, owner: Owner) -> None:
    make_table("one", **provisioned(1, 40_000))
    make_table("two", **provisioned(1, 39_998))
    make_table(**with_index(gsi(**units(1, 1))), **provisioned(1, 1))
    code, text = owner.refusal(**units(1, 2))
    assert (code, "80000" in text) == ("LimitExceededException", True)
    with pytest.raises(client.exceptions.LimitExceededException):
        make_table("four", **provisioned(1, 1))
    make_table("on-demand")
    owner.done(**units(2, 1))


# --- maximum on-demand throughput ---------------------------------------------------------------------------


def maximum(**given: int) -> dict[str, Any]:
    names = {"read": "MaxReadRequestUnits", "write": "MaxWriteRequestUnits"}
    return {"OnDemandThroughput": {names[side]: value for side, value in given.items()}}


def test_a_maximum_is_set_at_once_member_by_member_and_minus_one_takes_it_away(make_table: Make, owner: Owner) -> None:
    make_table(**maximum(read=100))
    assert owner.table["OnDemandThroughput"] == {"MaxReadRequestUnits": 100}
    assert owner.update(**maximum(write=1))["TableStatus"] == "ACTIVE"
    assert owner.table["OnDemandThroughput"] == {"MaxReadRequestUnits": 100, "MaxWriteRequestUnits": 1}
    owner.update(**maximum(read=-1, write=-1))
    assert "OnDemandThroughput" not in owner.table


def test_a_maximum_throttles(client: Any, make_table: Make, owner: Owner) -> None:
    make_table(**maximum(write=1))
    put = {"TableName": "pedidos", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}}}
    client.put_item(**put)
    with pytest.raises(client.exceptions.ThrottlingException) as refused:
        client.put_item(**put)
    assert refused.value.response["throttlingReasons"][0]["reason"] == "TableWriteMaxOnDemandThroughputExceeded"
    owner.update(**maximum(write=-1))
    client.put_item(**put)


@pytest.mark.parametrize(("value", "code"), [(0, "ValidationException"), (-2, "ValidationException"),
                                             (40_001, "LimitExceededException"), (40_000, None)])  # fmt: skip
def test_which_maxima_are_accepted(make_table: Make, owner: Owner, value: int, code: str | None) -> None:
    make_table()
    if code is None:
        owner.update(**maximum(read=value))
    else:
        assert owner.refusal(**maximum(read=value))[0] == code


def test_a_table_is_not_made_with_the_sign_for_no_maximum(client: Any, make_table: Make) -> None:
    with pytest.raises(ClientError, match="ValidationException"):
        make_table(**maximum(read=-1))
    assert client.list_tables()["TableNames"] == []


def test_maxima_are_for_on_demand_and_a_switch_to_provisioned_clears_them(make_table: Make, owner: Owner) -> None:
    make_table(**with_index(gsi(**maximum(read=70))), **maximum(read=100))
    assert owner.index["OnDemandThroughput"] == {"MaxReadRequestUnits": 70}
    owner.done(**provisioned(), **of_index(**units(1, 1)))
    assert "OnDemandThroughput" not in owner.table
    assert owner.refusal(**maximum(read=100)) == (
        "ValidationException",
        f"{INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is "
        "PROVISIONED",
    )
    owner.done(BillingMode="PAY_PER_REQUEST", **maximum(write=50))
    assert owner.table["OnDemandThroughput"] == {"MaxWriteRequestUnits": 50}
    assert "OnDemandThroughput" not in owner.index


# --- warm throughput ----------------------------------------------------------------------------------------


def warmer(read: int | None = None, write: int | None = None) -> dict[str, Any]:
    given = {"ReadUnitsPerSecond": read, "WriteUnitsPerSecond": write}
    return {"WarmThroughput": {name: value for name, value in given.items() if value is not None}}


def test_the_first_raise_of_warm_throughput_takes_minutes_while_the_table_is_active(
    make_table: Make, owner: Owner
) -> None:
    make_table()
    assert warm(owner.table) == (12_000, 4000, "ACTIVE")
    assert warm(owner.update(**warmer(13_000, 5000))) == (12_000, 4000, "UPDATING")
    lab.clock.advance(seconds=399)
    assert (owner.table["TableStatus"], warm(owner.table)) == ("ACTIVE", (12_000, 4000, "UPDATING"))
    lab.clock.advance(seconds=1)
    assert warm(owner.table) == (13_000, 5000, "ACTIVE")
    owner.update(**warmer(write=9000))
    lab.clock.advance(seconds=2)
    assert warm(owner.table) == (13_000, 9000, "ACTIVE"), "later raises take two seconds"
    assert len(throughput_of(find_table("pedidos")).partitions) >= 9


def test_a_second_raise_takes_the_place_of_the_one_under_way(make_table: Make, owner: Owner) -> None:
    make_table()
    owner.update(**warmer(13_000, 5000))
    lab.clock.advance(seconds=100)
    owner.update(**warmer(14_000, 6000))
    lab.clock.advance(seconds=300)
    assert warm(owner.table) == (14_000, 6000, "ACTIVE")


def test_warm_throughput_never_falls(make_table: Make, owner: Owner) -> None:
    make_table()
    code, text = owner.refusal(**warmer(11_999))
    assert code == "ValidationException"
    assert text.endswith("is lower than current WarmThroughput, decreasing WarmThroughput is not supported")
    owner.update(**warmer(12_000, 4000))
    assert warm(owner.table) == (12_000, 4000, "ACTIVE"), "what it has already is accepted and changes nothing"
    assert owner.refusal(**warmer(40_001))[0] == "LimitExceededException"


def test_a_new_on_demand_table_is_not_colder_than_all_are(client: Any, make_table: Make, owner: Owner) -> None:
    with pytest.raises(ClientError, match="is lower than initial throughput for OnDemand"):
        make_table(**warmer(11_999, 4000))
    assert client.list_tables()["TableNames"] == []
    make_table(**warmer(24_000, 8000))
    assert warm(owner.table) == (24_000, 8000, "ACTIVE")


def test_a_provisioned_table_is_as_warm_as_it_ever_was(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned(1, 1))
    owner.done(**units(3, 3))
    owner.done(**units(1, 1))
    assert warm(owner.table) == (3, 3, "ACTIVE")


def test_an_index_is_warmed_by_itself(make_table: Make, owner: Owner) -> None:
    make_table(**with_index())
    owner.update(**of_index(**warmer(20_000)))
    lab.clock.advance(seconds=400)
    assert (warm(owner.index), warm(owner.table)) == ((20_000, 4000, "ACTIVE"), (12_000, 4000, "ACTIVE"))


def test_describe_table_shows_the_ramp_half_an_hour_after_a_peak(client: Any, make_table: Make, owner: Owner) -> None:
    make_table(sort_key=False)
    keys: dict[int, str] = {}
    for number in range(100):
        keys.setdefault(lab.partition_of("pedidos", {"pk": f"k{number}"}), f"k{number}")
    assert len(keys) == 4
    for _ in range(60):
        for key in sorted(keys.values()):
            for _ in range(2):
                client.put_item(TableName="pedidos", Item={"pk": {"S": key}, "x": {"S": "x" * 400_000}})
        lab.clock.advance(seconds=1)
    assert warm(owner.table)[1] == 4000
    lab.clock.advance(minutes=30)
    peak = 391 * 8
    assert warm(owner.table)[1] == 2 * peak


# --- indexes ------------------------------------------------------------------------------------------------


def test_a_new_index_gets_its_resources_and_is_then_filled(make_table: Make, owner: Owner) -> None:
    make_table()
    answer = owner.update(AttributeDefinitions=DEFINITION, GlobalSecondaryIndexUpdates=[{"Create": gsi()}])
    assert (answer["TableStatus"], answer["GlobalSecondaryIndexes"][0]["IndexStatus"]) == ("UPDATING", "CREATING")
    seen = []
    for seconds in (39, 1, 559, 1):
        lab.clock.advance(seconds=seconds)
        seen.append((owner.table["TableStatus"], owner.index["IndexStatus"], owner.index.get("Backfilling")))
    assert seen == [
        ("UPDATING", "CREATING", False),
        ("ACTIVE", "CREATING", True),
        ("ACTIVE", "CREATING", True),
        ("ACTIVE", "ACTIVE", None),
    ]
    assert owner.index["IndexArn"] == f"{owner.table['TableArn']}/index/by-g"


def test_an_index_that_is_being_filled_cannot_be_read(client: Any, make_table: Make, owner: Owner) -> None:
    make_table()
    client.put_item(TableName="pedidos", Item={"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": "b"}})
    owner.update(AttributeDefinitions=DEFINITION, GlobalSecondaryIndexUpdates=[{"Create": gsi()}])
    lab.clock.advance(seconds=599)
    with pytest.raises(ClientError, match="Cannot read from backfilling global secondary index: by-g"):
        client.scan(TableName="pedidos", IndexName="by-g")
    lab.clock.advance(seconds=1)
    assert client.scan(TableName="pedidos", IndexName="by-g")["Count"] == 1


def test_one_index_at_a_time_is_created_or_deleted(client: Any, make_table: Make, owner: Owner) -> None:
    make_table(**with_index())
    only_one = (
        "LimitExceededException",
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
    )
    delete = {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by-g"}}]}
    create = {"AttributeDefinitions": DEFINITION, "GlobalSecondaryIndexUpdates": [{"Create": gsi("two")}]}
    owner.update(**create)
    with pytest.raises(ClientError, match="Index creation is in resource allocation phase"):
        owner.update(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "two"}}])
    for seconds in (0, 41):
        lab.clock.advance(seconds=seconds)
        assert owner.refusal(**delete) == only_one
    with pytest.raises(client.exceptions.ResourceInUseException, match="while indexes are being created"):
        client.delete_table(TableName="pedidos")
    lab.clock.advance(minutes=10)
    owner.update(**delete)
    create["GlobalSecondaryIndexUpdates"] = [{"Create": gsi("three")}]
    assert owner.refusal(**create) == only_one
    lab.clock.advance(seconds=5)
    owner.update(**create)


def test_an_index_that_is_being_filled_may_be_deleted(make_table: Make, owner: Owner) -> None:
    make_table()
    owner.update(AttributeDefinitions=DEFINITION, GlobalSecondaryIndexUpdates=[{"Create": gsi()}])
    lab.clock.advance(minutes=1)
    answer = owner.update(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}])
    assert (answer["TableStatus"], answer["GlobalSecondaryIndexes"][0]["IndexStatus"]) == ("UPDATING", "DELETING")
    lab.clock.advance(seconds=5)
    assert (owner.table["TableStatus"], owner.index_status) == ("ACTIVE", None)
    assert [entry["AttributeName"] for entry in owner.table["AttributeDefinitions"]] == ["pk", "sk"]


def test_an_index_s_units_change_while_its_table_stays_active(make_table: Make, owner: Owner) -> None:
    make_table(**with_index(gsi(**units(5, 5))), **provisioned())
    answer = owner.update(**of_index(**units(7, 5)))
    index = answer["GlobalSecondaryIndexes"][0]
    assert (answer["TableStatus"], index["IndexStatus"], capacity(index)) == ("ACTIVE", "UPDATING", (5, 5))
    assert owner.refusal(**of_index(**units(8, 5))) == (
        "ResourceInUseException",
        f"{IN_USE}Index is being updated. Table: pedidos Index: by-g",
    )
    lab.clock.advance(seconds=2)
    assert (owner.index["IndexStatus"], capacity(owner.index), warm(owner.index)) == (
        "ACTIVE",
        (7, 5),
        (7, 5, "ACTIVE"),
    )
    code, text = owner.refusal(**of_index(**units(7, 5)))
    assert text.startswith("The provisioned throughput for the index by-g will not change. The requested value equals")
    assert "Current ReadCapacityUnits provisioned for index by-g: 7. Requested" in text


def test_a_new_index_of_a_provisioned_table_needs_units_and_of_an_on_demand_table_has_none(
    client: Any, make_table: Make, owner: Owner
) -> None:
    make_table()
    create = {"AttributeDefinitions": DEFINITION, "GlobalSecondaryIndexUpdates": [{"Create": gsi(**units(1, 1))}]}
    assert owner.refusal(**create)[1] == (
        f"{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: by-g when BillingMode "
        "is PAY_PER_REQUEST"
    )
    owner.done(**provisioned())
    create["GlobalSecondaryIndexUpdates"] = [{"Create": gsi()}]
    assert owner.refusal(**create)[1] == (
        f"{INVALID}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: by-g"
    )


@pytest.mark.parametrize(
    ("made", "more", "code"),
    [
        ({}, maximum(read=-1), "ValidationException"),
        ({}, maximum(read=40_001), "LimitExceededException"),
        ({}, warmer(11_999), "ValidationException"),
        (provisioned(), units(1, 40_001), "LimitExceededException"),
        (provisioned(), {**units(5, 5), **warmer(4, 5)}, "ValidationException"),
    ],
)
def test_a_new_index_is_held_to_the_rules_of_a_table(
    make_table: Make, owner: Owner, made: Any, more: Any, code: str
) -> None:
    make_table(**made)
    create = [{"Create": gsi(**more)}]
    assert owner.refusal(AttributeDefinitions=DEFINITION, GlobalSecondaryIndexUpdates=create)[0] == code


def test_a_new_index_is_as_warm_as_it_was_asked_to_be_when_it_is_filled(make_table: Make, owner: Owner) -> None:
    make_table()
    create = [{"Create": gsi(**warmer(24_000, 8000), **maximum(write=9))}]
    owner.update(AttributeDefinitions=DEFINITION, GlobalSecondaryIndexUpdates=create)
    assert warm(owner.index)[2] == "UPDATING"
    lab.clock.advance(minutes=10)
    assert warm(owner.index) == (24_000, 8000, "ACTIVE")
    assert owner.index["OnDemandThroughput"] == {"MaxWriteRequestUnits": 9}


def test_an_index_that_the_table_has_not_is_not_found(make_table: Make, owner: Owner) -> None:
    make_table(**provisioned())
    expected = ("ResourceNotFoundException", "Requested resource not found: Index by-g for table pedidos")
    assert owner.refusal(**of_index(**units(1, 1))) == expected
    assert owner.refusal(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-g"}}]) == expected


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        (
            {"DeletionProtectionEnabled": True},
            "DeletionProtection modification must be the only operation in the request",
        ),
        (warmer(9, 9), "WarmThroughput must be the only operation in the request"),
        (maximum(read=1), "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"),
        (
            {"GlobalSecondaryIndexUpdates": [{"Create": gsi()}]},
            "You cannot create or delete index while updating table IOPS",
        ),
        (
            {"StreamSpecification": {"StreamEnabled": False}},
            "You cannot modify stream status while updating table IOPS",
        ),
    ],
)
def test_some_changes_do_not_go_together(make_table: Make, owner: Owner, member: Any, expected: str) -> None:
    make_table(**provisioned())
    assert owner.refusal(**units(6, 6), **member) == ("ValidationException", f"{INVALID}{expected}")


# --- for auto scaling ---------------------------------------------------------------------------------------


def test_auto_scaling_changes_one_side_under_the_same_rules(make_table: Make, owner: Owner) -> None:
    make_table(**with_index(gsi(**units(5, 5))), **provisioned(5, 5))
    assert control.apply("pedidos", None, "write", 9) == lab.clock.time() * 1_000_000 + 2_000_000
    assert owner.table["TableStatus"] == "UPDATING"
    with pytest.raises(DynamodbException, match="Table IOPS are currently being updated"):
        control.apply("pedidos", None, "write", 10)
    lab.clock.advance(seconds=2)
    assert owner.units == (5, 9)
    for number, units_wanted in enumerate((4, 3, 2, 1)):
        control.apply("pedidos", "by-g", "read", units_wanted)
        lab.clock.advance(seconds=2)
        assert owner.index["ProvisionedThroughput"]["NumberOfDecreasesToday"] == number + 1
    with pytest.raises(DynamodbException, match="decreases are limited") as refused:
        control.apply("pedidos", "by-g", "write", 4)
    assert isinstance(refused.value, control.Objected)
    assert refused.value.objection.code == "LimitExceededException"
    with pytest.raises(DynamodbException, match="will not change"):
        control.apply("pedidos", None, "write", 9)
    with pytest.raises(lab.LabError, match="has no global index 'by-h'"):
        control.apply("pedidos", "by-h", "write", 9)


# --- moto ---------------------------------------------------------------------------------------------------


def test_moto_keeps_what_is_in_force_where_the_control_plane_puts_it() -> None:
    description = inspect.getsource(Table.describe if "control" not in Table.describe.__module__ else control._describe)
    for name in ("self.throughput", "self.billing_mode", '"BillingModeSummary"', '"TableStatus"', "self.warm_through"):
        assert name in description, f"Table.describe no longer tells {name}: control.describe replaces it"
    source = inspect.getsource(DynamoDBBackend.update_table)
    for name in ("table.attr = ", "table.throughput = ", "table.billing_mode = "):
        assert name in source, f"{name} is set elsewhere: control.update_table keeps it from moto"


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("globalSecondaryIndexes.1.member", {"GlobalSecondaryIndexes": [gsi("by day")]}),
        ("localSecondaryIndexes.2.member", {"LocalSecondaryIndexes": [gsi("by-g"), gsi("by day")]}),
    ],
)
def test_an_index_whose_name_no_index_may_have_is_refused_and_placed(
    client: Any, place: str, change: dict[str, Any]
) -> None:
    with pytest.raises(ClientError) as refused:
        client.create_table(
            TableName="pedidos",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
            **change,
        )
    assert f"Value 'by day' at '{place}.indexName' failed to satisfy constraint" in str(refused.value)
    assert client.list_tables()["TableNames"] == []


def test_a_new_index_whose_name_no_index_may_have_is_refused_and_placed(client: Any, make_table: Any) -> None:
    make_table()
    code, message = Owner(client).refusal(
        AttributeDefinitions=DEFINITION, GlobalSecondaryIndexUpdates=[{"Create": gsi("by day")}]
    )
    assert code == "ValidationException"
    assert "Value 'by day' at 'globalSecondaryIndexUpdates.1.member.create.indexName' failed" in message
