"""What a learner gets wrong with the lab's own doors, and the sentence that they read.

Each row: what is done, and words of the one sentence. A refused call changes nothing: neither clock nor tables nor
what is counted. Python's own ``TypeError`` for a missing or misspelt argument is clear enough and stays.
"""

from __future__ import annotations

import datetime as dt
import decimal
import math
import re
from collections.abc import Callable
from typing import Any

import boto3
import numpy as np
import pandas as pd
import pytest

import dynamolab as lab
from dynamolab import data
from dynamolab.live import clock, metrics
from dynamolab.traffic import demand
from dynamolab.traffic.simulation import MOST_WAITS

D, W, Op, Iw, Id, Client = lab.Design, lab.Workload, lab.Operation, lab.IndexWrites, lab.IndexDesign, lab.Client
KEYS = demand.uniform(10)
LOAD = W([100, 100], KEYS)
PROVISIONED: dict[str, Any] = {"mode": "PROVISIONED", "read_units": 5, "write_units": 5}


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def put(number: int = 0) -> Any:
    return boto3.client("dynamodb").put_item(TableName="carts", Item={"pk": {"S": str(number)}})


def generator(number: int) -> Any:
    yield put(number)


async def coroutine(number: int) -> None:
    put(number)


def once(function: Any, **more: Any) -> Any:
    return lab.drive(function, **{"per_second": 1, "seconds": 1, **more})


def clients(function: Any = lambda dynamodb, i: None, seconds: Any = 2, **more: Any) -> Any:
    return lab.run_clients([Client("a", function, **{"per_second": 1, **more})], seconds=seconds)


def workload(**more: Any) -> Any:
    return W(1, KEYS, **more)


def scaled(*policy: Any) -> Any:
    return D(**PROVISIONED, auto_scaling={"write": lab.Policy(*policy)})


def planned(*limits: Any) -> Any:
    return D(**PROVISIONED, schedule={"write": (lab.Limits(*limits),)})


ROWS: list[tuple[str, Callable[[], Any], str]] = [
    # the lab
    ("a word as seed", lambda: lab.start(seed="x"), "a whole number as its seed, not 'x'"),
    ("no seed", lambda: lab.start(seed=None), "a whole number as its seed, not None"),
    ("half a seed", lambda: lab.start(seed=1.5), "a whole number as its seed, not 1.5"),
    ("a yes as seed", lambda: lab.start(seed=True), "a whole number as its seed, not True"),
    ("a misspelt setting", lambda: lab.start(burst_second=5), "did you mean burst_seconds?"),
    ("a setting that is none", lambda: lab.start(region="us-east-1"), "has no setting 'region'"),
    ("a setting in words", lambda: lab.start(partition_write_units="5"), "is a whole number, not '5'"),
    ("a negative setting", lambda: lab.start(partition_write_units=-5), "from 0 up, not -5"),
    ("an adaptation of no year", lambda: lab.start(adaptation="2016"), "is one of static, 2017, today"),
    # the clock
    ("back", lambda: lab.clock.advance(seconds=-1), "only moves forward"),
    ("NaN seconds", lambda: lab.clock.advance(seconds=math.nan), "as a number, not nan"),
    ("for ever", lambda: lab.clock.advance(seconds=math.inf), "as a number, not inf"),
    ("a Decimal", lambda: lab.clock.advance(seconds=decimal.Decimal(3)), "as a number, not Decimal('3')"),
    ("a timedelta", lambda: lab.clock.advance(seconds=dt.timedelta(1)), "not datetime.timedelta"),
    ("a word", lambda: lab.clock.advance(hours="two"), "hours as a number, not 'two'"),
    ("nothing as hours", lambda: lab.clock.advance(hours=None), "hours as a number, not None"),
    ("an empty text", lambda: lab.clock.advance(hours=""), "hours as a number, not ''"),
    ("an array", lambda: lab.clock.advance(seconds=np.array([1, 2])), "not array([1, 2])"),
    ("a column", lambda: lab.clock.advance(seconds=pd.Series([1, 2])), "seconds as a number, not 0 1"),
    ("past the year 9999", lambda: lab.clock.advance(days=10**7), "past the year 9999"),
    ("a huge number", lambda: lab.clock.advance(seconds=10**400), "past the year 9999"),
    ("no unit", lambda: lab.clock.advance(5), "advance(seconds=5)"),
    ("sleep back", lambda: lab.clock.sleep(-1), "only moves forward"),
    ("sleep for a word", lambda: lab.clock.sleep("1"), "as a number, not '1'"),
    ("sleep for nothing", lambda: lab.clock.sleep(None), "as a number, not None"),
    ("an unshowable time", lambda: lab.clock.sleep(Unshowable()), "a Unshowable that cannot be shown"),
    # a drive
    ("none a second", lambda: once(put, per_second=0), "above 0, not 0"),
    ("fewer than none", lambda: once(put, per_second=-3), "above 0, not -3"),
    ("a rate in words", lambda: once(put, per_second="400"), "above 0, not '400'"),
    ("a rate for each second", lambda: once(put, per_second=np.array([1, 2])), "not array([1, 2])"),
    ("no time", lambda: once(put, seconds=0), "seconds as a number above 0"),
    ("time without end", lambda: once(put, seconds=math.inf), "seconds as a number above 0"),
    ("30 years of calls", lambda: once(put, seconds=10**9), "1,000,000,000 real boto3 calls"),
    ("more than can be written", lambda: once(put, per_second=1e200), "1e+200 real boto3 calls"),
    ("until after the year 9999", lambda: once(put, per_second=1e-300, seconds=1e300), "past the year 9999"),
    ("a rate forgotten", lambda: lab.drive(put, seconds=1), "per_second as a number above 0, not None"),
    ("at and a rate", lambda: once(put, at=[1]), "not both"),
    ("times in one text", lambda: lab.drive(put, at="123"), "at as a list of numbers"),
    ("a time that is none", lambda: lab.drive(put, at=[math.nan]), "at as a list of numbers"),
    ("a time too late", lambda: lab.drive(put, at=[0, 1e300]), "past the year 9999"),
    ("times that fall", lambda: lab.drive(put, at=[2, 1]), "in rising order"),
    ("nothing to call", lambda: once(None), "pass its name, without brackets"),
    ("what the function gave", lambda: once({"a": 1}), "a function to call, not {'a': 1}"),
    ("two arguments", lambda: once(lambda a, b: None), "yours needs (a, b)"),
    ("a named argument", lambda: once(lambda *, a: None), "yours needs (*, a)"),
    # many clients
    ("no client", lambda: lab.run_clients([], seconds=1), "not an empty one"),
    ("a function for a client", lambda: lab.run_clients([put], seconds=1), "a list of clients"),
    ("nothing for clients", lambda: lab.run_clients(None, seconds=1), "one with None"),
    ("two of one name", lambda: lab.run_clients([Client("a", put)] * 2, seconds=1), "Two clients are called 'a'"),
    ("a list as a name", lambda: lab.run_clients([Client(["a"], put)], seconds=1), "name is text"),  # type: ignore[arg-type]
    ("a function of one", lambda: clients(put), "a function of (dynamodb, i)"),
    ("neither rate nor pause", lambda: clients(per_second=None), "either per_second (open loop) or pause"),
    ("both rate and pause", lambda: clients(pause=1), "either per_second (open loop) or pause"),
    ("a pause of nothing", lambda: clients(per_second=None, pause=0), "a request takes no simulated time"),
    ("retries as a number", lambda: clients(retries=5), "legacy, standard or adaptive, not 5"),
    ("no attempt", lambda: clients(attempts=0), "the attempts of the client 'a'"),
    ("attempts in words", lambda: clients(attempts="ten"), "as a whole number from 1 up, not 'ten'"),
    ("clients for no time", lambda: clients(seconds=0), "seconds as a number above 0"),
    ("clients for ever", lambda: clients(seconds=1e300), "1e+300 real boto3 calls"),
    # what is looked at
    ("the load of no table", lambda: lab.partition_load("cart"), "has no table 'cart'"),
    ("the load of no index", lambda: lab.partition_load("carts", index="by-city"), "it has none"),
    ("a key that is none", lambda: lab.partition_of("carts", "k"), "give a key such as"),
    ("a number for a text key", lambda: lab.partition_of("carts", {"pk": 5}), "of type S"),
    ("the history of no table", lambda: lab.partition_history("cart"), "has no table 'cart'"),
    ("the map of no table", lambda: lab.partition_map("cart"), "has no table 'cart'"),
    ("keys of no table", lambda: lab.most_accessed_keys("cart"), "has no table 'cart'"),
    ("throttled keys of no index", lambda: lab.most_throttled_keys("carts", "x"), "no global index 'x'"),
    ("a lag in words", lambda: lab.replica_lag("long"), "a number of seconds from 0 up"),
    # a workload
    ("a rate in words", lambda: W("fast", KEYS), "an array of requests a second"),
    ("a negative rate", lambda: W([1, -1], KEYS), "in second 1 this one is -1"),
    ("a rate of NaN", lambda: W([1, math.nan], KEYS), "NaN or infinite"),
    ("a rate of two dimensions", lambda: W([[1]], KEYS), "not 2 dimensions"),
    ("a rate beyond floats", lambda: W(10**400, KEYS), "an array of requests a second"),
    ("a rate beyond sense", lambda: W(1e300, KEYS), "not 1e+300"),
    ("a number for keys", lambda: W(1, 10), "such as demand.uniform(1000), not 10"),  # type: ignore[arg-type]
    ("a list for operations", lambda: workload(operations=["put"]), "such as {'put': 0.3, 'get': 0.7}"),
    ("an operation of the API", lambda: workload(operations={"PutItem": 1}), "put, update, delete, get or query"),
    ("a share in words", lambda: workload(operations={"put": "all"}), "the share of put as a number"),
    ("a negative share", lambda: workload(operations={"put": -1}), "from 0 to 100,000,000, not -1"),
    ("a size in words", lambda: workload(item_bytes="1KB"), "from 1 to 409,600, not '1KB'"),
    ("an item too large", lambda: workload(item_bytes=500_000), "from 1 to 409,600, not 500000"),
    ("a consistency of no name", lambda: Op("get", consistency="strongly"), "eventual, strong, transactional"),  # type: ignore[arg-type]
    ("half an item", lambda: Op("query", items=1.5), "the items of a query as a whole number"),  # type: ignore[arg-type]
    ("a list of kinds", lambda: Op(["put"]), "not ['put']"),  # type: ignore[arg-type]
    ("indexes in a list", lambda: workload(indexes=["i"]), "such as {'by-city'"),
    ("an index as a number", lambda: workload(indexes={"i": 1}), "such as {'by-city'"),
    ("more than all writes", lambda: Iw(share=2), "from 0 to 1, not 2"),
    ("a share of a word", lambda: Iw(share="x"), "from 0 to 1, not 'x'"),  # type: ignore[arg-type]
    ("keys of an index as a number", lambda: Iw(keys=5), "such as demand.uniform(1000), not 5"),  # type: ignore[arg-type]
    ("a workload and a number", lambda: LOAD + 5, "multiply it for more requests"),  # type: ignore[operator]
    ("a workload times a word", lambda: LOAD * "x", "the factor of a workload"),  # type: ignore[operator]
    # a design
    ("a mode in small letters", lambda: D("provisioned"), "PAY_PER_REQUEST or PROVISIONED"),  # type: ignore[arg-type]
    ("no units", lambda: D("PROVISIONED"), "read_units and write_units of 1 or more"),
    ("units in words", lambda: D("PROVISIONED", 5, "5"), "the write_units of the table"),  # type: ignore[arg-type]
    ("half a unit", lambda: D("PROVISIONED", 5, 5.5), "as a whole number"),  # type: ignore[arg-type]
    ("units of NaN", lambda: D("PROVISIONED", 5, math.nan), "as a whole number"),  # type: ignore[arg-type]
    ("negative units", lambda: D(write_units=-5), "from 0 to 100,000,000, not -5"),
    ("a trillion units", lambda: D("PROVISIONED", 5, 10**12), "from 0 to 100,000,000"),
    ("no partition", lambda: D(partitions=0), "partitions as a whole number from 1"),
    ("a billion shards", lambda: D(shards=10**9), "shards as a whole number from 1 to 10,000"),
    ("more than can be held", lambda: D(stored_bytes=10**18), "stored_bytes as a number"),
    ("a number for warm", lambda: D(warm=5000), "such as {'write': 8000}"),  # type: ignore[arg-type]
    ("warm words", lambda: D(warm={"write": "x"}), "the units of warm"),  # type: ignore[dict-item]
    ("another side", lambda: D(maximum={"writes": 5}), "read or write, not 'writes'"),  # type: ignore[dict-item]
    ("a maximum of nothing", lambda: D(maximum={"write": 0}), "from 1 to 100,000,000, not 0"),
    ("a target for a policy", lambda: D(**PROVISIONED, auto_scaling={"write": 70}), "Policy(5, 100)"),
    ("a policy of no side", lambda: D(**PROVISIONED, auto_scaling=lab.Policy(5, 9)), "such as {'write': Policy"),
    ("a target of 70", lambda: scaled(5, 10, 70), "from 0.2 to 0.9, not 70"),
    ("limits the wrong way round", lambda: scaled(10, 5), "lowest first, not 10 to 5"),
    ("limits in words", lambda: scaled("a", 10), "lowest first, not 'a' to 10"),
    ("a schedule of numbers", lambda: D(**PROVISIONED, schedule={"write": (5,)}), "Limits(at, minimum, maximum)"),
    ("a schedule of one", lambda: D(**PROVISIONED, schedule={"write": lab.Limits(0, 1, 2)}), "(Limits(3600,"),
    ("scheduled before the start", lambda: planned(-1, 1, 2), "from 0 to 40,000,000, not -1"),
    ("scheduled the wrong way round", lambda: planned(0, 5, 1), "from 5 to 100,000,000, not 1"),
    ("an index as units", lambda: D(indexes={"i": 5}), "such as {'by-city': IndexDesign"),  # type: ignore[dict-item]
    ("an index without units", lambda: D(**PROVISIONED, indexes={"i": Id()}), "1 or more for i"),
    # a simulation
    ("the wrong way round", lambda: lab.simulate(D(), LOAD), "simulate(workload, design)"),  # type: ignore[arg-type]
    ("a mapping for a design", lambda: lab.simulate(LOAD, {"shards": 2}), "simulate(workload, design)"),  # type: ignore[arg-type]
    ("half a second", lambda: lab.simulate(LOAD, D(), seconds=1.5), "a whole number from 0"),  # type: ignore[arg-type]
    ("a million years", lambda: lab.simulate(LOAD, D(), seconds=10**13), "from 0 to 40,000,000"),
    ("a start of words", lambda: lab.simulate(LOAD, D(), start="noon"), "epoch seconds"),  # type: ignore[arg-type]
    ("retries as a number", lambda: lab.simulate(LOAD, D(), retries=3), "or not at all (None), not 3"),  # type: ignore[arg-type]
    ("parameters as a mapping", lambda: lab.simulate(LOAD, D(), parameters={}), "The parameters are"),  # type: ignore[arg-type]
    ("an outcome's other side", lambda: lab.simulate(LOAD, D()).sent_units("writes"), "read or write"),  # type: ignore[arg-type]
    ("an outcome's other index", lambda: lab.simulate(LOAD, D()).sent_units("write", "i"), "no index 'i'"),
    ("a map of a number", lambda: lab.day_map(5), "what lab.simulate returned, not 5"),
    ("a key range map of words", lambda: lab.key_range_map("x"), "what simulate returned, not 'x'"),
    ("no design", lambda: lab.sweep(LOAD, []), "no design to run"),
    ("a design of no kind", lambda: lab.sweep(LOAD, [5]), "0 is 5"),
    ("variants of no setting", lambda: lab.variants(D(), suffixes=(1, 2)), "no setting 'suffixes'"),
    # demand
    ("no key", lambda: demand.uniform(0), "the number of keys as a whole number from 1"),
    ("a float of keys", lambda: demand.uniform(1e6), "not 1000000.0"),  # type: ignore[arg-type]
    ("a trillion keys", lambda: demand.uniform(10**12), "to 50,000,000"),
    ("a seed in words", lambda: demand.uniform(3, seed="x"), "the seed of keys"),  # type: ignore[arg-type]
    ("a Zipf of words", lambda: demand.zipf(3, "x"), "the exponent of Zipf"),  # type: ignore[arg-type]
    ("50 for 50 %", lambda: demand.celebrity(3, 50), "from 0 to 1, not 50"),
    ("one text for keys", lambda: demand.few("abc"), "such as ['a', 'b'], not 'abc'"),
    ("a key of nothing", lambda: demand.few(["a", None]), "not None"),
    ("an empty key", lambda: demand.few(["a", ""]), "and not empty"),
    ("weights of words", lambda: demand.few(["a"], ["x"]), "not ['x']"),
    ("weights too many", lambda: demand.few(["a"], [1, 2]), "as many weights"),
    ("negative seconds", lambda: demand.constant(1, -5), "seconds as a whole number"),
    ("a peak below the mean", lambda: demand.daily(5, peak=1), "from 1 to 40 times the mean"),
    ("hour 25", lambda: demand.daily(5, busiest=25), "from 0 to 24, not 25"),
    ("a spike of words", lambda: demand.spike(1, at="noon", lasts=1, seconds=5), "(at)"),  # type: ignore[arg-type]
    ("a campaign that never halves", lambda: demand.campaign(1, at=0, seconds=5, half_life=0), "above 0, not 0"),
    ("a bucket of nothing", lambda: demand.time_bucket(0), "the seconds of a time bucket"),
    ("a trace of words", lambda: demand.trace(["x"], ["a"]), "numbers from 0 up"),
    ("a trace of mixed keys", lambda: demand.trace([1, 2], [None, "a"]), "all of one kind"),
    ("a shop of the grocer", lambda: demand.grocer(5), "by the name of a column"),  # type: ignore[arg-type]
    # data
    ("no such table", lambda: data.table("price"), "There is no table 'price'"),
    ("no such region", lambda: data.prices("mars-1"), "There are no prices of 'mars-1'"),
]  # fmt: skip


def state() -> Any:
    """All that a refused call must leave as it was."""
    tables = boto3.client("dynamodb").list_tables()["TableNames"]
    counted = [(series, str(minutes)) for series, minutes in sorted(metrics.recorder.minutes.items(), key=str)]
    return clock.microseconds, len(clock.agenda), clock.waiter, tables, counted


@pytest.fixture(scope="module")
def at_work() -> Any:
    """A lab with a table, in which nothing of what follows changes anything: one for all rows."""
    lab.start(seed=7)
    boto3.client("dynamodb").create_table(
        TableName="carts",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    lab.clock.advance(seconds=0.5)
    yield
    lab.stop()


def check_sentence(text: str) -> None:
    assert text[-1] in ".?"
    assert text.count(". ") <= 1, f"more than two sentences: {text}"
    assert len(text) < 280, text
    assert not re.search(r"0x[0-9a-f]+|Traceback|/src/dynamolab/|site-packages|\n", text), text


@pytest.mark.parametrize(("mistake", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_mistake_is_answered_in_a_sentence_and_changes_nothing(
    at_work: Any, mistake: Callable[[], Any], words: str
) -> None:
    before = state()
    with pytest.raises(lab.LabError) as told:
        mistake()
    assert words in str(told.value)
    check_sentence(str(told.value))
    assert state() == before


def test_there_are_as_many_mistakes_as_were_promised() -> None:
    assert len(ROWS) >= 150


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (generator, "gives a generator"),
        (coroutine, "is async"),
        (lambda i: map(put, [i]), "gives a map"),
        (lambda i: once(put), "A drive is already running"),
        (lambda i: clients(), "A run is already under way"),
        (lambda i: lab.clock.advance(hours=1), "call lab.clock.sleep(seconds)"),
        (lambda i: lab.stop(), "lab.stop cannot be called"),
        (lambda i: lab.start(seed=8), "lab.start cannot be called"),
        (lambda i: [lab.clock.sleep(1) for _ in range(MOST_WAITS + 1)], "a loop in it that does not end?"),
        (lambda i: lab.partition_of("no", {}), "has no table 'no'"),
    ],
)
def test_what_a_driven_function_must_not_do_ends_the_drive_with_a_sentence(
    at_work: Any, function: Callable[[int], Any], words: str
) -> None:
    with pytest.raises(lab.LabError) as told:
        once(function)
    assert words in str(told.value)
    check_sentence(str(told.value))
    assert clock.waiter is None
    assert once(lambda i: None).admitted == 1


@pytest.mark.parametrize("fault", [KeyError("pk"), SystemExit(), RecursionError("deep"), MemoryError()])
def test_what_a_driven_function_raises_comes_out_as_it_is_and_the_next_drive_runs(
    at_work: Any, fault: BaseException
) -> None:
    def faulty(number: int) -> None:
        raise fault

    with pytest.raises(type(fault)) as told:
        once(faulty)
    assert told.value is fault
    assert "lab.drive stopped at call 0 of 1" in "".join(fault.__notes__)
    assert once(lambda i: None).admitted == 1


def test_numpys_numbers_are_numbers_everywhere(at_work: Any) -> None:
    five, half = np.int64(5), np.float32(0.5)
    began = lab.clock.time()
    lab.clock.advance(seconds=five)
    lab.clock.advance(seconds=half)
    lab.clock.sleep(five)
    assert lab.clock.time() - began == 10.5
    assert once(lambda i: None, per_second=five, seconds=np.int64(1)).admitted == 5  # type: ignore[misc]
    assert clients(per_second=np.float64(2), seconds=np.int64(2)).summary["sent"].tolist() == [4]  # type: ignore[misc]
    design = D(shards=np.int64(2), partitions=np.int64(4))  # type: ignore[arg-type]
    assert lab.simulate(W(np.int64(9), KEYS), design, seconds=np.int64(1)).seconds == 1  # type: ignore[arg-type]


def test_a_seed_of_numpy_is_the_seed_it_says() -> None:
    names = []
    for seed in (np.int64(3), 3):
        lab.start(seed=seed)  # type: ignore[arg-type]
        names.append(boto3.client("dynamodb").list_tables()["ResponseMetadata"]["RequestId"])
    lab.stop()
    assert names[0] == names[1]


def test_a_clock_without_a_lab_says_to_start_it() -> None:
    lab.stop()
    with pytest.raises(lab.LabError, match=re.escape("call lab.start() first")):
        lab.clock.advance(hours=1)


def test_a_client_and_a_resource_from_before_ask_the_new_lab() -> None:
    lab.start(seed=7)
    dynamodb, carts = boto3.client("dynamodb"), boto3.resource("dynamodb").Table("carts")
    lab.stop()
    for ask in (dynamodb.list_tables, carts.load):
        with pytest.raises(lab.LabError, match=re.escape("call lab.start() first")):
            ask()
    lab.start(seed=8)
    assert dynamodb.list_tables()["TableNames"] == []
    with pytest.raises(dynamodb.exceptions.ResourceNotFoundException):
        carts.load()
    lab.stop()
