"""Exercise 04, hot partitions: diagnosing tables, a key for a grocer's year, two loads, and a minute that hides one.

Diagnoses are asked for tables that had their traffic in a fresh lab; keys and loads are judged by running them.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import boto3
import numpy as np
from botocore.config import Config
from botocore.exceptions import ClientError

from ..arguments import is_number, is_whole, shown
from ..errors import LabError
from ..live import clock, isolation
from ..model.partitions import PARTITION_UNITS
from ..traffic import demand
from ..traffic.design import Design, Workload
from ..traffic.simulate import simulate
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_function, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

if TYPE_CHECKING:
    import pandas as pd

exercise = Exercise("hot_partitions")

CEILING = PARTITION_UNITS["write"]
TABLE = 4 * CEILING
"""Write units a second of a new on-demand table."""

# ── a: what is wrong with these tables ────────────────────────────────────────────────────

KEY, CAPACITY, NEITHER = "key", "capacity", "neither"


@dataclass(frozen=True)
class _Story:
    """One table: what happened to it, and so what its diagnosis is."""

    table: str
    cause: str
    hot: str | None
    steady: str
    fill: Callable[[Any, _Story], None]
    capacity: tuple[int, int] | None = None


def tables() -> list[str]:
    """Make the three tables of the exercise in the running lab, let their traffic pass, and return their names.

    Tables that are there already stay as they are. Raises LabError if the lab does not run.
    """
    isolation.require_running()
    there = boto3.client("dynamodb").list_tables()["TableNames"]
    missing = [story for story in _VISIBLE if story.table not in there]
    if missing:
        _tell(missing)
    return [story.table for story in _VISIBLE]


def _tell(stories: Sequence[_Story]) -> None:
    client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    for story in stories:
        modes: dict[str, Any] = {"BillingMode": "PAY_PER_REQUEST"}
        if story.capacity:
            read, write = story.capacity
            modes = {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}
        client.create_table(
            TableName=story.table,
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
            **modes,
        )
        story.fill(client, story)
    clock.advance(minutes=2)


def _send(call: Callable[..., Any], **parameters: Any) -> None:
    # A refusal is what the exercise is about; the metrics have it.
    with contextlib.suppress(ClientError):
        call(**parameters)


def _put(client: Any, table: str, key: str, number: int, kb: int) -> None:
    item = {"PK": {"S": key}, "SK": {"S": f"#{number:04}"}, "datos": {"S": "x" * (kb * 1024 - 80)}}
    _send(client.put_item, TableName=table, Item=item)


def _get(client: Any, table: str, key: str, number: int) -> None:
    _send(client.get_item, TableName=table, Key={"PK": {"S": key}, "SK": {"S": f"#{number:04}"}}, ConsistentRead=True)


def _hot_writes(client: Any, story: _Story) -> None:
    """A steady key is used more over the minutes; in one second another key is asked for too much."""
    for step in range(10):
        _put(client, story.table, story.steady, step, 240)
        _put(client, story.table, f"{story.steady}{step % 9}", step, 60)
        if step == 6:
            for number in range(8):
                _put(client, story.table, str(story.hot), number, 240)
        clock.advance(seconds=6)


def _hot_reads(client: Any, story: _Story) -> None:
    """As :func:`_hot_writes`, with reads; the items were there before."""
    for key in (story.steady, str(story.hot), *(f"{story.steady}{number}" for number in range(4))):
        _put(client, story.table, key, 0, 390)
        clock.advance(seconds=2)
    for step in range(20):
        for _ in range(2):
            _get(client, story.table, story.steady, 0)
        if step == 11:
            for _ in range(36):
                _get(client, story.table, str(story.hot), 0)
        clock.advance(seconds=3)


def _too_little_writes(client: Any, story: _Story) -> None:
    """Many keys, each of which gets little, and a table that has ordered less than they need."""
    for step in range(10):
        for number in range(3):
            key = story.steady if (step + number) % 4 == 0 else f"{story.steady}{step * 3 + number}"
            _put(client, story.table, key, step, 200)
        clock.advance(seconds=5)


def _too_little_for_one(client: Any, story: _Story) -> None:
    """As :func:`_too_little_writes`, and one key has most of the requests, and so most of the refusals."""
    for step in range(10):
        for number in range(4):
            key = f"{story.steady}{step}" if number == step % 4 else story.steady
            _put(client, story.table, key, step * 4 + number, 200)
        clock.advance(seconds=5)


def _too_little_reads(client: Any, story: _Story) -> None:
    """As :func:`_too_little_writes`, with reads."""
    for number in range(6):
        _put(client, story.table, f"{story.steady}{number}", 0, 200)
        clock.advance(seconds=2)
    for step in range(12):
        for number in range(3):
            _get(client, story.table, f"{story.steady}{(step * 3 + number) % 6}", 0)
        clock.advance(seconds=5)


def _scan(client: Any, story: _Story) -> None:
    """Somebody looks for one row with a Scan and a filter, again and again."""
    for number in range(12):
        _put(client, story.table, f"{story.steady}{number}", 0, 200)
        clock.advance(seconds=1)
    for _ in range(4):
        pages = client.get_paginator("scan").paginate(
            TableName=story.table,
            FilterExpression="PK = :wanted",
            ExpressionAttributeValues={":wanted": {"S": f"{story.steady}nadie"}},
        )
        for _ in pages:
            clock.advance(seconds=1)


_VISIBLE = (
    _Story("sesiones", KEY, "CLIENTE#prueba", "CLIENTE#12", _hot_writes),
    _Story("carritos", CAPACITY, None, "CLIENTE#7", _too_little_writes, (1_000, 4)),
    _Story("catalogo", NEITHER, None, "PRODUCTO#", _scan),
)
_HIDDEN = (
    _Story("visitas", KEY, "CONTADOR#portada", "CONTADOR#ayuda", _hot_writes, (4_000, 4_000)),
    _Story("precios", CAPACITY, None, "TIENDA#1", _too_little_for_one, (1_000, 6)),
    _Story("informes", NEITHER, None, "INFORME#", _scan, (5_000, 3_000)),
    _Story("fichas", KEY, "PRODUCTO#turron", "PRODUCTO#agua", _hot_reads),
    _Story("saldos", CAPACITY, None, "CUENTA#", _too_little_reads, (2, 1_000)),
)


_BUDGET = 150
"""Requests that the diagnoses may take, several times what they need."""


@exercise.question(
    "a",
    asks="Write diagnose(table), then check it: lab.check('hot_partitions.a', diagnose).",
    hints=(
        "CloudWatch counts throttled requests by reason: one metric for key ranges, one for what is provisioned. Reads "
        "have their own two.",
        "A refused key range: which key was refused most often? That is not the list of the keys used most.",
        "If either ...KeyRangeThroughputThrottleEvents is above 0: ('key', the first partition_key of "
        "lab.most_throttled_keys(table)). If either ...ProvisionedThroughputThrottleEvents is: ('capacity', None). "
        "Else ('neither', None).",
    ),
    value="by the throttle metrics of reads and of writes: key range, then provisioned, else neither; the key is the "
    "first of lab.most_throttled_keys(table)",
    solution="""
        import datetime as dt

        import boto3
        import dynamolab as lab

        def total(table, metric):
            now = lab.clock.now()
            points = boto3.client("cloudwatch").get_metric_statistics(
                Namespace="AWS/DynamoDB",
                MetricName=metric,
                Dimensions=[{"Name": "TableName", "Value": table}],
                StartTime=now - dt.timedelta(hours=1),
                EndTime=now,
                Period=60,
                Statistics=["Sum"],
            )
            return sum(point["Sum"] for point in points["Datapoints"])

        def diagnose(table):
            if any(total(table, f"{side}KeyRangeThroughputThrottleEvents") for side in ("Write", "Read")):
                return "key", lab.most_throttled_keys(table)["partition_key"][0]
            if any(total(table, f"{side}ProvisionedThroughputThrottleEvents") for side in ("Write", "Read")):
                return "capacity", None
            return "neither", None
    """,
    road="The metrics by reason tell a key range from ordered capacity, for reads and for writes; where nothing was "
    "throttled, the table is not at a limit. Contributor Insights' list of throttled keys names the key.",
    misconceptions={
        "by_consumption": "a hot key is not seen in consumption",
        "writes_only": "reads are refused too",
        "every_throttle": "not every refusal is a hot key",
        "only_capacity": "not every refusal is a lack of capacity",
        "most_accessed": "the key used most, not the one refused most",
        "needless_key": "a key blamed where no key is to blame",
        "scan": "a Scan is not a refusal",
        "elsewhere": "another diagnosis",
    },
)
def _judge_diagnosis(answer: Any, learner: Learner) -> Verdict:
    diagnose = a_function(answer, "diagnose", "table")
    _tell(_HIDDEN)
    learner.most_requests = _BUDGET
    said = {story: _diagnosis(story, learner.call(diagnose, story.table)) for story in _HIDDEN}
    bad = [story for story, given in said.items() if given != (story.cause, story.hot)]
    if not bad:
        return right(
            f"{len(said)} tables that you have not seen, of both modes: each cause is found, and each key named."
        )
    story = bad[0]
    cause, key = said[story]
    found = f"{cause!r}, {key!r}" if key is not None else f"{cause!r}, None"
    seen = (
        f"{len(said) - len(bad)} of {len(said)} tables are diagnosed rightly. Not {story.table!r}: it said ({found})."
    )
    if all(each.fill in (_hot_reads, _too_little_reads) for each in bad) and said[bad[0]][0] == NEITHER:
        wrong("writes_only", f"{seen} Requests were refused there, and none was a write. Which metrics count reads?")
    if story.cause == KEY and cause == KEY:
        if key == story.steady:
            wrong("most_accessed", f"{seen} That key was used most, over minutes. Which one was refused?")
        wrong("elsewhere", f"{seen} Requests were refused; which key had most of them?")
    if story.cause == cause:
        wrong("needless_key", f"{seen} The cause is right, and no key brings it about: say None.")
    if story.cause == NEITHER:
        wrong("scan", f"{seen} Not one of its requests was refused. Much was read, and hardly anything found.")
    if story.cause == KEY and cause == NEITHER:
        wrong("by_consumption", f"{seen} Requests were refused at a few per cent of the capacity. Which metric tells?")
    if story.cause == KEY:
        wrong("only_capacity", f"{seen} It was refused with capacity to spare. What does the metric of its reason say?")
    if cause == KEY:
        wrong(
            "every_throttle",
            f"{seen} Requests were refused, but no partition was full; a key that asks for most is refused most. Which "
            "reason is counted?",
        )
    wrong("elsewhere", f"{seen} Requests were refused. Which reason do its metrics count?")


def _diagnosis(story: _Story, given: Any) -> tuple[str, str | None]:
    if not isinstance(given, tuple | list) or len(given) != 2 or given[0] not in (KEY, CAPACITY, NEITHER):
        wrong(
            WRONG_TYPE,
            f"diagnose({story.table!r}) should return a pair: 'key', 'capacity' or 'neither', and a key or None; it "
            f"gave {_short(given)}.",
        )
    cause, key = given
    if key is not None and not isinstance(key, str):
        wrong(WRONG_TYPE, f"The second of the pair should be a partition key as text, or None; it was {_short(key)}.")
    return cause, key


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str | int | float | tuple | list | dict | None) else ""
    return text if 0 < len(text) <= 60 else f"a {type(value).__name__}"


# ── b: a key for the grocer ───────────────────────────────────────────────────────────────

LINE_BYTES, SPEED, WRITE_UNITS, PARTITIONS = 8_000, 13_000, 40_000, 40
MOST_REFUSED = 0.002
MOST_QUERIES = 10
_WEEK = "2017-12-18"
"""The week before Christmas, which no notebook shows."""


def week(first: str = "2017-11-06") -> pd.DataFrame:
    """Return the grocer's lines of seven days from ``first``, with ``day`` as text and ``time``.

    Raises LabError if ``first`` is no day, or none of the grocer's year.
    """
    import pandas as pd

    from ..traffic import grocer

    lines = grocer.year()
    try:
        begin = pd.Timestamp(first)
    except (ValueError, TypeError):
        raise LabError(f"Give a week's first day as a text such as '2017-11-06', not {shown(first)}.") from None
    chosen = lines[(lines["time"] >= begin) & (lines["time"] < begin + pd.Timedelta(days=7))].reset_index(drop=True)
    if chosen.empty:
        raise LabError(f"The grocer's year is 2017; it has no lines in the week from {shown(first)}.")
    return chosen.assign(day=chosen["time"].dt.strftime("%Y-%m-%d"))


def refused(lines: pd.DataFrame, keys: Iterable[Any]) -> float:
    """Return the share of ``lines`` that is refused when each is written under its key, 13,000 times as fast.

    Raises LabError if there is not one key, a text or a number, for each line.
    """
    if not isinstance(keys, Iterable) or isinstance(keys, str):
        raise LabError(f"Give refused(lines, keys) a list with one key for each line, not {shown(keys)}.")
    keys = list(keys)
    if len(keys) != len(lines):
        raise LabError(f"There are {len(lines):,} lines and {len(keys):,} keys: give each line one key.")
    if (bad := _no_key(keys)) is not None:
        raise LabError(f"{_A_KEY} One of yours is {shown(bad[0])}.")
    since = (lines["time"] - lines["time"].min().normalize()).dt.total_seconds().to_numpy()
    trace = demand.trace(since / SPEED, np.asarray(keys))
    outcome = simulate(
        Workload(trace.rate, trace, {"put": 1.0}, item_bytes=LINE_BYTES),
        Design("PROVISIONED", read_units=1, write_units=WRITE_UNITS, partitions=PARTITIONS),
    )
    return float(outcome.totals["write"]["refused_share"])


class Line(NamedTuple):
    """One line on a receipt, as a key is made of it: four numbers, and the day as text."""

    household: int
    store: int
    product: int
    basket: int
    day: str


@functools.cache
def _lines() -> tuple[pd.DataFrame, tuple[Line, ...]]:
    lines = week(_WEEK)
    columns = [lines[name].tolist() for name in Line._fields]
    return lines, tuple(Line(*row) for row in zip(*columns, strict=True))


@exercise.question(
    "b",
    asks="Write key(line), then check it: lab.check('hot_partitions.b', key).",
    hints=(
        "The report asks for one store. Which of your keys must it query, and whose lines lie under them besides?",
        "The store alone is right for the report and too hot in its busiest second. A suffix parts it. From which "
        "column should the suffix be calculated?",
        "All lines of a basket arrive at once, so basket and household cannot part them. The lines of a basket differ "
        "in their product: store and product % 8.",
    ),
    value="for example f'{line.store}#{line.product % 8}'",
    solution="""
        def key(line):
            return f"{line.store}#{line.product % 8}"
    """,
    road="The report fixes the beginning: the store. The busiest second asks for a suffix, up to ten by the report's "
    "Queries. It has to differ among the lines of one second, which mostly are one basket's: the product does.",
    misconceptions={
        "day": "the day, the worst of all",
        "report": "the report needs too many Queries",
        "other_lines": "the report reads other stores' lines",
        "store": "the store alone is too hot",
        "whole_baskets": "a suffix that a whole basket shares",
        "few_suffixes": "too few suffixes",
        "too_hot": "too hot in its busiest second",
        "not_repeatable": "the same line gets different keys",
        "salted_hash": "hash() differs from process to process",
    },
)
def _judge_key(answer: Any, learner: Learner) -> Verdict:
    key = a_function(answer, "key", "line")
    lines, rows = _lines()
    keys = learner.each(key, [(row,) for row in rows])
    _must_be_keys(keys)
    if learner.each(key, [(row,) for row in rows[:50]]) != keys[:50]:
        wrong("not_repeatable", "The same line got another key the second time. Nobody would find it again.")
    with mock.patch("builtins.hash", _hash_elsewhere):
        if learner.each(key, [(row,) for row in rows[:50]]) != keys[:50]:
            wrong(
                "salted_hash",
                "Python's hash() of a text differs from process to process: another program, and this one tomorrow, "
                "would look under another key. zlib.crc32 of the text does not.",
            )
    keys = [str(each) for each in keys]
    stores, days = [row.store for row in rows], [row.day for row in rows]
    queries, others = _report(keys, stores, days)
    share = refused(lines, keys)
    seen = f"A week unseen, {len(set(keys)):,} keys: {share:.1%} of the lines are refused."
    cost = f"A store's report takes up to {queries} {'Query' if queries == 1 else 'Queries'}"
    if others > 2:
        if len(set(zip(keys, days, strict=True))) == len(set(keys)) <= 7:
            wrong("day", f"{seen} All that is sold now has one key: the worst of the five columns.")
        wrong(
            "other_lines", f"{seen} {cost}, and for each line of the store {others - 1:,.1f} of other stores are read."
        )
    if queries > MOST_QUERIES:
        wrong("report", f"{seen} {cost}; {MOST_QUERIES} are allowed.")
    if share > MOST_REFUSED:
        if queries == 1:
            wrong(
                "store",
                f"{seen} A store is too much for a partition in its busiest second, and all that it sells in a day "
                "still has one key.",
            )
        if _by_basket(keys, rows):
            wrong(
                "whole_baskets",
                f"{seen} All lines of one basket get the same key, and they are written in the same moment. What "
                "differs among them?",
            )
        if queries < 4:
            wrong("few_suffixes", f"{seen} {cost}; up to {MOST_QUERIES} are allowed.")
        wrong("too_hot", f"{seen} In the busiest second one key has too many lines. What differs among these?")
    read = f"{others - 1:,.1f} lines of other stores for each of its own" if others > 1 else "no line of another store"
    return right(f"{seen} {cost}, and reads {read}.")


_A_KEY = "A partition key is a text that is not empty, or a number: an int, or a Decimal (boto3 stores no float)."


def _must_be_keys(keys: Sequence[Any]) -> None:
    if (bad := _no_key(keys)) is not None:
        wrong(WRONG_TYPE, f"{_A_KEY} key(line) gave {_short(bad[0])}.")
    if len(types := sorted({_attribute_type(each) or "" for each in keys})) > 1:
        wrong(WRONG_TYPE, f"key(line) gives keys of the types {' and '.join(types)}; a table's partition key has one.")


def _no_key(keys: Sequence[Any]) -> tuple[Any] | None:
    """Return the first of ``keys`` that no item can have as its partition key, in a tuple of its own."""
    return next(((each,) for each in keys if _attribute_type(each) is None or each in ("", b"")), None)


def _attribute_type(key: Any) -> str | None:
    if isinstance(key, str):
        return "S"
    if isinstance(key, bytes):
        return "B"
    # boto3 knows no numbers of NumPy's; in a check of keys they are what they look like.
    return "N" if is_whole(key) or (isinstance(key, Decimal) and key.is_finite()) else None


_hash = hash


def _hash_elsewhere(value: Any) -> int:
    """Answer as ``hash`` would in another process: otherwise for texts, and for tuples that hold some."""
    if isinstance(value, str | bytes):
        return _hash((value, "another process"))
    if isinstance(value, tuple):
        return _hash(tuple(map(_hash_elsewhere, value)))
    return _hash(value)


def _report(keys: Sequence[str], stores: Sequence[int], days: Sequence[str]) -> tuple[int, float]:
    """Return the most Queries that one store's day takes, and the lines read for each line wanted, over all reports."""
    wanted: dict[tuple[int, str], set[str]] = {}
    for each, store, day in zip(keys, stores, days, strict=True):
        wanted.setdefault((store, day), set()).add(each)
    # Time leads the sort key, so a Query reads its day only.
    lying = Counter(zip(keys, days, strict=True))
    read = sum(lying[each, day] for (_, day), under in wanted.items() for each in under)
    of_a_store: dict[int, set[str]] = {}
    for (store, _), under in wanted.items():
        # A key that names the day is another key each day, and one Query for its report.
        of_a_store[store] = max(of_a_store.get(store, set()), under, key=len)
    return max(len(under) for under in of_a_store.values()), read / len(keys)


def _by_basket(keys: Sequence[str], rows: Sequence[Line]) -> bool:
    return len(set(zip(keys, (row.basket for row in rows), strict=True))) == len({row.basket for row in rows})


# ── c: two loads for two keys ─────────────────────────────────────────────────────────────

ORDERS = 2_000
_FIELDS = ("cliente", "tienda", "hora")


@exercise.question(
    "c",
    asks="Set breaks_first and breaks_second, then check both: "
    "lab.check('hot_partitions.c', (breaks_first, breaks_second)).",
    hints=(
        "A key breaks if its value is the same for very many orders of the second. Which field does each key look at?",
        "For the first key: one customer, and something that differs in the second key. For the second: many "
        "customers, and the same store and hour.",
        "[{'cliente': 1, 'tienda': i % 400, 'hora': 18} for i in range(2000)] breaks the first.",
    ),
    value="2,000 orders of one customer in 400 stores; 2,000 customers in one store and one hour",
    solution="""
        breaks_first = [{"cliente": 1, "tienda": i % 400, "hora": 18} for i in range(2000)]
        breaks_second = [{"cliente": i, "tienda": 5, "hora": 18} for i in range(2000)]
    """,
    road="Each key is hot where its own value repeats: the first with one customer, the second with one store and "
    "hour. What the other key looks at has to differ.",
    misconceptions={
        "breaks_neither": "a load that the key takes",
        "breaks_both": "a load that breaks the other key too",
        "wrong_way_round": "each breaks the other key",
        "too_many": "more orders than allowed",
    },
)
def _judge_loads(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "The check needs two loads: (breaks_first, breaks_second), each a list of orders.")
    loads = [_orders(load, which) for load, which in zip(answer, ("first", "second"), strict=True)]
    lost = [(_lost_by(load, _first_key), _lost_by(load, _second_key)) for load in loads]
    (own, other), (other2, own2) = lost
    if own < 1 <= other and own2 < 1 <= other2:
        wrong("wrong_way_round", "Each load breaks the other key. The first is to break CLIENTE#<cliente>.")
    for which, mine, theirs, load in (("first", own, other, loads[0]), ("second", own2, other2, loads[1])):
        found = f"{mine:,} refused under the {which} key, {theirs:,} under the other"
        seen = f"The {which} load, {len(load):,} orders: {found}."
        if mine < 1:
            wrong(
                "breaks_neither", f"{seen} What does the {which} key look at, and how many orders have that in common?"
            )
        if theirs >= 1:
            counts = Counter(map(_second_key if which == "first" else _first_key, load))
            if max(counts.values()) <= CEILING:
                wrong(
                    "breaks_both",
                    f"{seen} No value of the other key has more than {max(counts.values()):,} orders, but its "
                    f"{len(counts)} values fall on four partitions by chance, and one gets too many. More values come "
                    "out more even.",
                )
            wrong("breaks_both", f"{seen} The other key has to take it all. What must differ for that?")
    return right(
        f"The first load: {own:,} refused under the first key, none under the second. The second: {own2:,} under the "
        "second, none under the first."
    )


def _first_key(order: Mapping[str, Any]) -> str:
    return f"CLIENTE#{order['cliente']}"


def _second_key(order: Mapping[str, Any]) -> str:
    return f"TIENDA#{order['tienda']}#{order['hora']}"


def _orders(load: Any, which: str) -> list[Mapping[str, Any]]:
    if is_stub(load):
        raise Judged(Verdict("not attempted", (f"Give the load that breaks the {which} key.",)))
    if isinstance(load, tuple | list) and not load:
        wrong(WRONG_TYPE, f"The load that breaks the {which} key has no order in it.")
    if not isinstance(load, tuple | list):
        wrong(WRONG_TYPE, f"The load that breaks the {which} key should be a list of orders; it is {_short(load)}.")
    if len(load) > ORDERS:
        wrong(
            "too_many",
            f"The load that breaks the {which} key has {len(load):,} orders; {ORDERS:,} come in that second.",
        )
    for order in load:
        if not isinstance(order, Mapping) or not all(_is_value(order.get(name)) for name in _FIELDS):
            wrong(WRONG_TYPE, f"An order is a dict with {', '.join(_FIELDS)}, numbers or texts; one is {shown(order)}.")
    return list(load)


def _is_value(value: Any) -> bool:
    return isinstance(value, str | Decimal) or is_number(value)


def _lost_by(load: Sequence[Mapping[str, Any]], key: Callable[[Mapping[str, Any]], str]) -> int:
    counts = Counter(map(key, load))
    outcome = simulate(
        Workload(demand.constant(len(load), 1), demand.few(list(counts), [float(n) for n in counts.values()])), Design()
    )
    return round(float(outcome.refused_units("write").sum()))


# ── d: the idlest minute that refuses ─────────────────────────────────────────────────────

WANTED_REFUSALS, MOST_AVERAGE = 100, 0.01


@exercise.question(
    "d",
    asks="Set minute to a list of 60 numbers, then check it: lab.check('hot_partitions.d', minute).",
    hints=(
        "One key gets 1,000 units in a second, whatever it got in the second before. What is refused in each second?",
        "Everything in a single second: how many writes of 1 KB have to come so that 100 are refused?",
        "Sum what is admitted: 1 % of 4,000 units for 60 seconds are 2,400. [1100] and 59 zeros use 1,000 of them.",
    ),
    value="for example [1100] + [0] * 59",
    solution="minute = [1100] + [0] * 59",
    road="The ceiling is a second's, the metric a minute's. 1,100 writes in one second: 100 refused, 1,000 admitted, "
    "which is 17 a second over the minute, 0.4 % of the table.",
    misconceptions={
        "below_ceiling": "no second above the partition's limit",
        "too_few_refused": "too little is refused",
        "too_busy": "the minute's average shows it",
        "by_the_minute": "the limit taken for a minute's",
    },
)
def _judge_minute(answer: Any, learner: Learner) -> Verdict:
    rates = _sixty(answer)
    outcome = simulate(Workload(np.array(rates, dtype=np.float64), demand.few(["CLIENTE#prueba"])), Design())
    lost = float(outcome.refused_units("write").sum())
    average = float(outcome.admitted_units("write").sum()) / 60
    seen = (
        f"{sum(rates):,.0f} writes, at most {max(rates):,.0f} in a second: {lost:,.0f} refused, and CloudWatch shows "
        f"{average / TABLE:.1%} of the table's units."
    )
    if lost < 1:
        if sum(rates) > CEILING and max(rates) <= sum(rates) / 30:
            wrong("by_the_minute", f"{seen} A minute's sum decides nothing. The limit holds for each second by itself.")
        wrong("below_ceiling", f"{seen} One key takes 1,000 units in each second.")
    if lost < WANTED_REFUSALS - 1e-6:
        wrong("too_few_refused", f"{seen} {WANTED_REFUSALS} are wanted.")
    if average > MOST_AVERAGE * TABLE + 1e-9:
        wrong("too_busy", f"{seen} {MOST_AVERAGE:.0%} is allowed. What is admitted counts: make it fewer seconds.")
    return right(f"{seen} Its busiest second was at the ceiling.")


def _sixty(answer: Any) -> list[float]:
    if hasattr(answer, "tolist"):  # an array of NumPy's, a column of pandas'
        answer = answer.tolist()
    if not isinstance(answer, tuple | list):
        wrong(WRONG_TYPE, f"The check needs a list of 60 numbers, the writes in each second; it got {_short(answer)}.")
    if any(is_stub(rate) for rate in answer):
        raise Judged(Verdict("not attempted", ("Give the writes of each second.",)))
    if len(answer) != 60:
        wrong(WRONG_TYPE, f"A minute has 60 seconds; the list has {len(answer)}.")
    rates = [a_number(rate, "the writes of one second") for rate in answer]
    if not all(0 <= rate <= 100_000 for rate in rates):
        wrong(WRONG_TYPE, "The writes of a second are from 0 to 100,000.")
    return rates


__all__ = ["exercise", "refused", "tables", "week"]
