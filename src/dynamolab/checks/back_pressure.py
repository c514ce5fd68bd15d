"""Exercise 12, index back-pressure: who refuses, how much an index needs, a workload that stops it, alarms, a remedy.

Every answer runs in a fresh lab, or is held against what the lab charges; tables, indexes and rates are not those of
any notebook.
"""

from __future__ import annotations

import datetime as dt
import functools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, ParamValidationError

from ..live import clock
from ..model.units import write_units
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_function, a_number
from .verdicts import Verdict, right, wrong

exercise = Exercise("back_pressure")


def _once() -> Any:
    """A client that does not retry, so that each attempt counts once."""
    return boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))


def _key(name: str, kind: str = "HASH") -> dict[str, str]:
    return {"AttributeName": name, "KeyType": kind}


def _capacity(wcu: int) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": 50, "WriteCapacityUnits": wcu}}


def _create(client: Any, table: str, wcu: int, indexes: Mapping[str, tuple[Sequence[str], int, Any]]) -> None:
    """Create a provisioned table; ``indexes`` gives for each name its keys, its WCU and its projection."""
    names = {name for keys, _, _ in indexes.values() for name in keys} | {"PK"}
    client.create_table(
        TableName=table,
        KeySchema=[_key("PK")],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in sorted(names)],
        GlobalSecondaryIndexes=[
            {
                "IndexName": name,
                "KeySchema": [_key(part, kind) for part, kind in zip(keys, ("HASH", "RANGE"), strict=False)],
                "Projection": projection,
                **_capacity(units),
            }
            for name, (keys, units, projection) in indexes.items()
        ],
        **_capacity(wcu),
    )


ALL = {"ProjectionType": "ALL"}


def _item(key: str, units: int, **texts: str) -> dict[str, Any]:
    """Make an item that costs so many write units."""
    short = {"PK": key, **texts}
    size = sum(len(name) + len(text) for name, text in short.items())
    filling = "x" * (units * 1024 - size - len("lineas") - 8)
    return {name: {"S": text} for name, text in (short | {"lineas": filling}).items()}


def _try_put(client: Any, table: str, item: Mapping[str, Any]) -> None:
    try:
        client.put_item(TableName=table, Item=item)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ProvisionedThroughputExceededException":
            raise


def _sum(metric: str, since: dt.datetime, table: str, index: str | None = None) -> float:
    """Return a metric's sum from an instant until now."""
    dimensions = {"TableName": table} | ({"GlobalSecondaryIndexName": index} if index else {})
    answer = boto3.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/DynamoDB",
        MetricName=metric,
        Dimensions=[{"Name": name, "Value": value} for name, value in dimensions.items()],
        StartTime=since,
        EndTime=clock.now() + dt.timedelta(minutes=1),
        Period=60,
        Statistics=["Sum"],
    )
    return float(sum(point["Sum"] for point in answer["Datapoints"]))


# ── a: who refuses ──────────────────────────────────────────────────────────────────────

_SHOP, _SMALL = "pedidos-de-prueba", "clientes-de-prueba"
_BUDGET = 200
_NARROW, _WIDE, _THIRD = "gsi-almacen-hora", "gsi-cliente-fecha", "gsi-ciudad"


@exercise.question(
    "a",
    asks="Write culprit(cloudwatch, table, indexes, start, end), then check it: lab.check('back_pressure.a', culprit).",
    hints=(
        "Which metric counts refused writes? It has the dimension TableName, and for an index also "
        "GlobalSecondaryIndexName.",
        "Ask for WriteThrottleEvents, Statistics=['Sum'], from start to end: once for the table alone, once for each "
        "index. A metric without events has no data points, so the sum is 0.",
        "The answer is whichever of them has events: the index's name, the table's name, or None.",
    ),
    value="whoever has a sum of WriteThrottleEvents above 0 between start and end; None if nobody has",
    solution="""
        def culprit(cloudwatch, table, indexes, start, end):
            for index in [None, *indexes]:
                dimensions = [{"Name": "TableName", "Value": table}]
                if index:
                    dimensions.append({"Name": "GlobalSecondaryIndexName", "Value": index})
                points = cloudwatch.get_metric_statistics(
                    Namespace="AWS/DynamoDB",
                    MetricName="WriteThrottleEvents",
                    Dimensions=dimensions,
                    StartTime=start,
                    EndTime=end,
                    Period=60,
                    Statistics=["Sum"],
                )["Datapoints"]
                if sum(point["Sum"] for point in points) > 0:
                    return index or table
            return None
    """,
    road="WriteThrottleEvents is entered under the resource that refused. Under the table's name alone it stays at "
    "zero while an index stops the table, so each index is asked by its own dimension.",
    misconceptions={
        "table_only": "the index's events looked for under the table alone",
        "blames_the_table": "the table blamed for what its index refuses",
        "by_consumption": "the largest consumer taken for the culprit",
        "blames_an_index": "an index blamed for what the table refuses",
        "no_table": "the table's own refusals overlooked",
        "another_time": "refusals of another time",
        "no_such_name": "not a name that it was given",
    },
)
def _judge_culprit(answer: Any, learner: Learner) -> Verdict:
    culprit = a_function(answer, "culprit", "cloudwatch", "table", "indexes", "start", "end")
    learner.most_requests = _BUDGET
    client, cloudwatch = _once(), boto3.client("cloudwatch")
    shape = {_WIDE: (("cliente",), 400, ALL), _NARROW: (("almacen",), 5, ALL), _THIRD: (("ciudad",), 400, ALL)}
    _create(client, _SHOP, 400, shape)
    _create(client, _SMALL, 5, {name: (keys, 400, ALL) for name, (keys, _, _) in shape.items() if name != _NARROW})
    start = clock.now()
    # The wide index takes more than any other; the narrow one is out of burst and buffer after about a minute.
    for number in range(75):
        clock.advance(seconds=1)
        _try_put(client, _SHOP, _item(f"PEDIDO#{number}", 88, cliente=f"{number}", almacen=f"A{number % 7}"))
        if number < 30:
            _try_put(client, _SMALL, _item(f"CLIENTE#{number}", 88, cliente=f"{number}", ciudad=f"C{number % 5}"))
    clock.advance(seconds=60)
    end = clock.now()

    def named(table: str, start: dt.datetime, end: dt.datetime) -> Any:
        indexes = [name for name in shape if table == _SHOP or name != _NARROW]
        name = learner.call(culprit, cloudwatch, table, indexes, start, end)
        if name is not None and not isinstance(name, str):
            wrong(WRONG_TYPE, f"culprit should return a name, or None; it gave {type(name).__name__}.")
        if name not in (None, table, *indexes):
            wrong("no_such_name", "It returned a name that is neither the table's nor one of the indexes it was given.")
        return name

    refused = _sum("WriteThrottleEvents", start, _SHOP, _NARROW)
    seen = f"{refused:.0f} writes to a table were refused because one of its three indexes could not keep up. culprit"
    found = named(_SHOP, start, end)
    if found is None:
        wrong("table_only", f"{seen} returned None. Under which dimensions did it look for the events?")
    if found == _SHOP:
        wrong("blames_the_table", f"{seen} named the table, which had capacity to spare. Who is named in the events?")
    if found != _NARROW:
        wrong("by_consumption", f"{seen} named another index. Much consumed is not yet refused: count the refusals.")
    found = named(_SMALL, start, end)
    if found is None:
        wrong("no_table", "A table with too little capacity of its own refused writes, and culprit returned None.")
    if found != _SMALL:
        wrong(
            "blames_an_index", "A table refused writes for want of its own capacity; culprit named one of its indexes."
        )
    clock.advance(hours=1)
    _try_put(client, _SHOP, _item("PEDIDO#tarde", 40, cliente="1"))
    if named(_SHOP, clock.now() - dt.timedelta(minutes=10), clock.now() + dt.timedelta(minutes=1)) is not None:
        wrong(
            "another_time",
            "An hour later, asked about the last ten minutes, in which nothing was refused, culprit still named "
            "somebody. Does it use start and end?",
        )
    return right(
        "An index that stops its table, a table too small by itself, and a quiet evening an hour after: each time the "
        "right name, or none."
    )


# ── b: how much an index needs ───────────────────────────────────────────────────────────

DOES = {"puts": 1, "changes": 1, "moves": 2, "removes": 1, "passes by": 0}
"""Writes that each kind of write asks of the index."""
_CASES = 40


def _needed(writes: Sequence[Mapping[str, Any]], times: Mapping[str, int] = DOES) -> float:
    return float(sum(w["per_second"] * write_units(w["entry_bytes"]) * times[w["does"]] for w in writes))


def _unrounded(writes: Sequence[Mapping[str, Any]]) -> float:
    return float(sum(w["per_second"] * w["entry_bytes"] / 1024 * DOES[w["does"]] for w in writes))


_OTHERWISE: Mapping[str, tuple[Callable[[Sequence[Mapping[str, Any]]], float], str]] = {
    "moves_once": (
        lambda writes: _needed(writes, DOES | {"moves": 1}),
        "A moved entry leaves one place and enters another. How many writes of the index are that?",
    ),
    "deletes_free": (
        lambda writes: _needed(writes, DOES | {"removes": 0}),
        "An entry that is removed is a write of the index too.",
    ),
    "passes_by_counted": (
        lambda writes: _needed(writes, DOES | {"passes by": 1}),
        "What 'passes by' changes nothing that the index holds, and costs it nothing.",
    ),
    "unrounded": (
        _unrounded,
        "Each entry is rounded up to whole units by itself, before anything is added up.",
    ),
}


@exercise.question(
    "b",
    asks="Write index_wcu(writes), then check it: lab.check('back_pressure.b', index_wcu).",
    hints=(
        "Take one kind of write at a time: how many units has one entry, and how many entries are written or deleted?",
        "An entry's units are its bytes over 1,024, rounded up. 'moves' is a delete and a put; 'passes by' is nothing.",
        "Sum of per_second x units x (2 if it moves, 0 if it passes by, else 1).",
    ),
    value="the sum of per_second x ceil(entry_bytes / 1024) x (2 for moves, 0 for passes by, 1 otherwise)",
    solution="""
        import math

        def index_wcu(writes):
            times = {"puts": 1, "changes": 1, "moves": 2, "removes": 1, "passes by": 0}
            return sum(w["per_second"] * math.ceil(w["entry_bytes"] / 1024) * times[w["does"]] for w in writes)
    """,
    road="The index pays for entries, not for requests: each rounded up alone, a move twice, a change of what it "
    "does not hold not at all.",
    misconceptions={
        "moves_once": "a move counted once",
        "deletes_free": "a removed entry taken for free",
        "passes_by_counted": "writes counted that do not touch the index",
        "unrounded": "bytes added up without rounding",
        "too_little": "less than the index is asked for",
        "too_much": "more than it takes",
    },
)
def _judge_needed(answer: Any, learner: Learner) -> Verdict:
    index_wcu = a_function(answer, "index_wcu", "writes")
    draw = random.Random(31_907)
    cases = [_writes(draw) for _ in range(_CASES)]
    given = learner.each(index_wcu, [([dict(write) for write in writes],) for writes in cases])
    numbers = [a_number(number, "the WCU that the index needs") for number in given]
    needed = [_needed(writes) for writes in cases]
    # Capacity is ordered in whole units: the sum itself or the next whole number, and one to be sure.
    low = [number < need - 1e-6 for number, need in zip(numbers, needed, strict=True)]
    high = [number > math.ceil(need) + 1 for number, need in zip(numbers, needed, strict=True)]
    if not any(low) and not any(high):
        return right(
            f"{_CASES} mixtures of writes, from {min(needed):g} to {max(needed):g} WCU: each time enough for all that "
            "the index is asked for, and no more."
        )
    place = (low if any(low) else high).index(True)
    seen = (
        f"For one of {_CASES} mixtures it gave {numbers[place]:,.4g} WCU; the index is asked for {needed[place]:,.4g} "
        "units a second."
    )
    for misconception, (formula, why) in _OTHERWISE.items():
        if all(abs(number - formula(writes)) < 1.5 for number, writes in zip(numbers, cases, strict=True)):
            wrong(misconception, f"{seen} {why}")
    if any(low):
        wrong("too_little", f"{seen} With less, burst and buffer run out some day, and then the table refuses.")
    wrong("too_much", f"{seen} Nothing is refused with that; it is paid for every hour of the year.")


def _writes(draw: random.Random) -> list[dict[str, Any]]:
    return [
        {"does": does, "per_second": draw.randrange(2, 15), "entry_bytes": draw.randrange(200, 9_000)}
        for does in DOES
        if does == "moves" or draw.random() < 0.8
    ]


# ── c: stop the table by its index ───────────────────────────────────────────────────────

TABLE_WCU, INDEX_WCU = 120, 10
MOST_PER_SECOND, SECONDS = 3, 100
MOST_TABLE_SHARE = 0.5
_TARGET = "pedidos-a-parar"
_READS = ("GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems")


@exercise.question(
    "c",
    asks="Write write(dynamodb, table, i) and set per_second, then check both: "
    "lab.check('back_pressure.c', (write, per_second)).",
    hints=(
        "The index has burst for 3,000 units, and the lab's buffer holds 3,000 more. At 60 units a second of new "
        "orders, how long does that last?",
        "You need more from the index than from the table, for the same write. Which write costs the index double?",
        "Write the same few orders again and again, 20 KB each, each time with another estado: three a second are 60 "
        "units for the table and 120 for the index.",
    ),
    value="about 3 writes a second of 20 KB to orders that exist, each of which changes estado or fecha",
    solution="""
        per_second = 3

        def write(dynamodb, table, i):
            texts = {"PK": f"PEDIDO#{i % 3}", "estado": f"E{i // 3 % 2}", "fecha": "2026-09-06", "lineas": "x" * 19_900}
            dynamodb.put_item(TableName=table, Item={name: {"S": text} for name, text in texts.items()})
    """,
    road="A write that changes the index's key costs the index a delete and a put, and the table one write. So the "
    "index is asked for twice what the table takes, and its savings are gone in the time given.",
    misconceptions={
        "too_fast": "more writes than allowed",
        "not_in_the_index": "the index is asked for nothing",
        "nothing_moves": "no write moves an entry",
        "too_slow": "the index's savings are not used up in time",
        "table_too_busy": "the table works at more than half of its capacity",
        "table_refuses": "the table refuses by itself",
    },
)
def _judge_workload(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both: lab.check('back_pressure.c', (write, per_second)).")
    write = a_function(answer[0], "write", "dynamodb", "table", "i")
    per_second = a_number(answer[1], "per_second")
    if not 0 < per_second < math.inf:
        wrong(WRONG_TYPE, f"per_second is {per_second:g}; it has to be above 0.")
    if per_second > MOST_PER_SECOND:
        wrong("too_fast", f"per_second is {per_second:g}; the evening has at most {MOST_PER_SECOND} writes a second.")
    client = _once()
    _create(client, _TARGET, TABLE_WCU, {"gsi-estado-fecha": (("estado", "fecha"), INDEX_WCU, ALL)})
    start, began = clock.now(), clock.microseconds
    refusals: list[ClientError] = []
    last = 0

    @functools.wraps(write)
    def attempt(dynamodb: Any, table: str, i: int) -> Any:
        try:
            return write(dynamodb, table, i)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ProvisionedThroughputExceededException":
                raise
            refusals.append(error)
            return None

    def calls() -> Iterator[tuple[Any, str, int]]:
        nonlocal last
        for number in range(int(SECONDS * per_second)):
            if len(refusals) >= 3:
                return
            clock.move_to(max(clock.microseconds, began + round(number * 1e6 / per_second)))
            last = number
            yield client, _TARGET, number

    learner.each(attempt, calls())
    seconds = max((last + 1) / per_second, 1.0)
    table = _sum("ConsumedWriteCapacityUnits", start, _TARGET)
    index = sum(request.units for request in learner.requests if request.operation not in _READS) - table
    by_index = _sum("WriteThrottleEvents", start, _TARGET, "gsi-estado-fecha")
    by_table = _sum("WriteThrottleEvents", start, _TARGET)
    seen = (
        f"In {seconds:.0f} s the table took {table / seconds:.0f} units a second of its {TABLE_WCU}, and the index was "
        f"asked for {max(index, 0) / seconds:.0f} a second of its {INDEX_WCU}."
    )
    if by_table:
        wrong("table_refuses", f"{seen} The table refused by itself: that is no back-pressure.")
    if table / seconds > MOST_TABLE_SHARE * TABLE_WCU + 0.5:
        wrong(
            "table_too_busy",
            f"{seen} The table is to work at no more than half of its capacity: smaller or fewer writes.",
        )
    if by_index:
        return right(f"{seen} After {seconds:.0f} s the index refused writes to a table that was at most half busy.")
    if index <= 0.5:
        wrong("not_in_the_index", f"{seen} An order without estado or fecha is not in the index.")
    if index < 1.1 * table:
        wrong(
            "nothing_moves",
            f"{seen} Nothing was refused: burst and buffer of the index lasted. Each write touched its entry once; "
            "which write costs the index more than the table?",
        )
    wrong("too_slow", f"{seen} Nothing was refused yet: the index's burst and buffer last longer than that.")


# ── d: alarms ────────────────────────────────────────────────────────────────────────────

_WATCHED = "pedidos-vigilados"
_WATCHED_WCU = 100
_WATCHED_INDEXES = {"gsi-almacen": ("almacen", 40), "gsi-repartidor": ("repartidor", 20)}
_EVENINGS: Sequence[tuple[str, str | None, Mapping[str, int]]] = (
    # What is overloaded, and the units of each kind of item in ten seconds: none of them ever exceeds its capacity.
    ("calm", None, {"": 200, "almacen": 200, "repartidor": 100}),
    ("gsi-repartidor", "gsi-repartidor", {"repartidor": 185, "almacen": 100}),
    ("gsi-almacen", "gsi-almacen", {"almacen": 370, "repartidor": 50}),
    (_WATCHED, None, {"": 390, "more": 390, "almacen": 100, "repartidor": 50}),
)
_MINUTES = 5


@exercise.question(
    "d",
    asks="Write watch(dynamodb, cloudwatch, table), then check it: lab.check('back_pressure.d', watch).",
    hints=(
        "describe_table tells the table's capacity and that of each index: ProvisionedThroughput, WriteCapacityUnits.",
        "One put_metric_alarm for the table and one for each index, each with an AlarmName of its own. An index has "
        "two dimensions.",
        "ConsumedWriteCapacityUnits with Statistic='Sum' and Period=60 is the sum of a minute: the threshold is "
        "0.8 * 60 * WCU.",
    ),
    value="for the table and each index: Sum of ConsumedWriteCapacityUnits over 60 s above 0.8 x 60 x its own WCU",
    solution="""
        def watch(dynamodb, cloudwatch, table):
            about = dynamodb.describe_table(TableName=table)["Table"]
            for one in [about, *about.get("GlobalSecondaryIndexes", [])]:
                dimensions = [{"Name": "TableName", "Value": table}]
                if "IndexName" in one:
                    dimensions.append({"Name": "GlobalSecondaryIndexName", "Value": one["IndexName"]})
                cloudwatch.put_metric_alarm(
                    AlarmName=f"write capacity of {table} {one.get('IndexName', '')}",
                    Namespace="AWS/DynamoDB",
                    MetricName="ConsumedWriteCapacityUnits",
                    Dimensions=dimensions,
                    Statistic="Sum",
                    Period=60,
                    EvaluationPeriods=2,
                    ComparisonOperator="GreaterThanThreshold",
                    Threshold=0.8 * 60 * one["ProvisionedThroughput"]["WriteCapacityUnits"],
                )
    """,
    road="One alarm for each thing that has a capacity, each against its own, in the unit of the metric: a sum over a "
    "minute. It rings before anybody is refused, because burst and buffer come after it.",
    misconceptions={
        "rings_when_calm": "an alarm rings at half of the capacity",
        "table_only": "no index has an alarm",
        "not_every_index": "an index has no alarm that rings",
        "no_table_alarm": "the table has no alarm that rings",
        "rings_too_late": "the alarm waits until writes are lost",
        "nothing_set": "no alarm was set",
    },
)
def _judge_alarms(answer: Any, learner: Learner) -> Verdict:
    watch = a_function(answer, "watch", "dynamodb", "cloudwatch", "table")
    client, cloudwatch = _once(), boto3.client("cloudwatch")
    shape = {name: ((key,), wcu, ALL) for name, (key, wcu) in _WATCHED_INDEXES.items()}
    _create(client, _WATCHED, _WATCHED_WCU, shape)
    learner.call(watch, client, cloudwatch, _WATCHED)
    alarms = cloudwatch.describe_alarms()["MetricAlarms"]
    if not alarms:
        wrong("nothing_set", "After watch there is no alarm at all. put_metric_alarm sets one.")
    for evening, index, load in _EVENINGS:
        _evening(client, load)
        ringing = [
            one["AlarmName"] for one in cloudwatch.describe_alarms()["MetricAlarms"] if one["StateValue"] == "ALARM"
        ]
        if evening == "calm" and ringing:
            wrong(
                "rings_when_calm",
                f"On an evening at half of every capacity {len(ringing)} of {len(alarms)} alarms rang. The metric's "
                "sum of a minute is sixty seconds' worth of units, and each index has a capacity of its own.",
            )
        if evening != "calm" and not ringing:
            _say_what_is_silent(alarms, index)
        clock.advance(minutes=10)
    return right(
        f"{len(alarms)} alarms. At half of every capacity none rang; with the table or either index at nine tenths one "
        "did, before anybody was refused."
    )


def _evening(client: Any, load: Mapping[str, int]) -> None:
    for step in range(_MINUTES * 6):
        for kind, units in load.items():
            texts = {kind: f"{kind}{step % 5}"} if kind in ("almacen", "repartidor") else {}
            client.put_item(TableName=_WATCHED, Item=_item(f"{kind}#{clock.microseconds}", units, **texts))
        clock.advance(seconds=10)


def _say_what_is_silent(alarms: Sequence[Mapping[str, Any]], index: str | None) -> None:
    what = "An index" if index else "The table"
    seen = f"{what} worked at nine tenths of its capacity for {_MINUTES} minutes, and no alarm rang."
    metrics = {alarm.get("MetricName", "") for alarm in alarms}
    if metrics and all("Throttle" in metric for metric in metrics):
        wrong(
            "rings_too_late", f"{seen} These alarms wait for refusals: by then writes are lost. Watch what is consumed."
        )
    if index is None:
        wrong("no_table_alarm", f"{seen} The table has a capacity of its own, and an alarm of its own to set.")
    if not any("GlobalSecondaryIndexName" in str(alarm) for alarm in alarms):
        wrong("table_only", f"{seen} None of the {len(alarms)} alarms looks at an index.")
    wrong(
        "not_every_index",
        f"{seen} Does each index that the table has get an alarm, under its own name and against its own capacity? "
        "An alarm of the same name replaces the one before it.",
    )


# ── e: the cheapest remedy ───────────────────────────────────────────────────────────────

UPDATES_PER_SECOND, MOVING = 6, 0.75
MOST_WCU = 90
_ITEM_UNITS = 11
_REMEDIED = "pedidos-curados"
_TRIED = 8


@exercise.question(
    "e",
    asks="Put your design in place of the dots, then check it: lab.check('back_pressure.e', design).",
    hints=(
        "Table and index are two sums. Which of them can you make smaller without losing what the screen shows?",
        "With a projection that does not hold historial an entry is 1 unit, and an update that does not move it "
        "costs the index nothing.",
        "Table: 6 x 11. Index: 6 x 0.75 x 2 x the units of an entry. The screen shows total, so KEYS_ONLY is too thin.",
    ),
    value="table_wcu 66, index_wcu 9, projection INCLUDE with total",
    solution="""
        design = {
            "table_wcu": 66,
            "index_wcu": 9,
            "projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["total"]},
        }
    """,
    road="The table pays 6 x 11 = 66 whatever is done. The index pays only for what it holds: keys and total are 1 "
    "unit, moved 4.5 times a second, which is 9.",
    misconceptions={
        "bad_projection": "create_table refuses the projection",
        "raises_the_table": "the table raised, the index left short",
        "index_starved": "the index cannot keep up",
        "table_starved": "the table is too small itself",
        "not_shown": "the screen lacks an attribute",
        "copies_all": "the index copies what nobody looks at",
        "too_dear": "more capacity than it takes",
    },
)
def _judge_design(answer: Any, learner: Learner) -> Verdict:
    names = ("table_wcu", "index_wcu", "projection")
    if not isinstance(answer, Mapping) or set(answer) != set(names):
        wrong(WRONG_TYPE, f"The check needs a dict with {', '.join(names)}.")
    if any(value is ... or value is None for value in answer.values()):
        return Verdict("not attempted", ("Some of the dots are still there.",))
    table_wcu, index_wcu = (a_number(answer[name], name) for name in names[:2])
    projection = answer["projection"]
    if not isinstance(projection, Mapping):
        wrong(WRONG_TYPE, f"projection should be a dict with ProjectionType; it is {type(projection).__name__}.")
    if not all(wcu.is_integer() and 1 <= wcu <= 40_000 for wcu in (table_wcu, index_wcu)):
        wrong(WRONG_TYPE, "Capacities are ordered in whole units, from 1 to 40,000.")
    table_units, index_units, rows = _units_an_update(projection)
    table_need, index_need = UPDATES_PER_SECOND * table_units, UPDATES_PER_SECOND * index_units
    seen = (
        f"The table is asked for {table_need:g} units a second and has {table_wcu:g}; the index is asked for "
        f"{index_need:g} and has {index_wcu:g}."
    )
    if index_wcu < index_need - 1e-9:
        if table_wcu >= 2 * table_need:
            wrong("raises_the_table", f"{seen} Whatever the table has, the index sets the pace of its writes.")
        wrong("index_starved", f"{seen} When its burst and the buffer are gone, the table's writes are refused.")
    if table_wcu < table_need - 1e-9:
        wrong("table_starved", f"{seen} The table refuses by itself then.")
    if not all("total" in row for row in rows):
        wrong("not_shown", f"{seen} But the list by state shows each order's total, and this index does not hold it.")
    price = table_wcu + index_wcu
    if price <= MOST_WCU:
        return right(f"{seen} Nothing is ever refused, for {price:g} WCU in all, and the list shows what it has to.")
    if index_need > 2 * UPDATES_PER_SECOND:
        wrong(
            "copies_all",
            f"{seen} Nothing is refused, for {price:g} WCU; {MOST_WCU} are enough. Who looks at historial here?",
        )
    wrong("too_dear", f"{seen} Nothing is refused, for {price:g} WCU; {MOST_WCU} are enough.")


def _units_an_update(projection: Mapping[str, Any]) -> tuple[float, float, list[Any]]:
    """Return the units of an average update for table and index, and the rows that the index gives."""
    if projection.get("ProjectionType") not in ("ALL", "INCLUDE", "KEYS_ONLY"):
        wrong("bad_projection", "A projection's type is ALL, INCLUDE or KEYS_ONLY.")
    client = _once()
    try:
        _create(client, _REMEDIED, 2_000, {"gsi-estado-fecha": (("estado", "fecha"), 2_000, projection)})
    except (ClientError, ParamValidationError) as error:
        wrong("bad_projection", f"create_table refused it: {' '.join(str(error).split())[:220]}")
    texts = {"PK": "PEDIDO#1", "estado": "E0", "fecha": "2026-09-06", "total": "31.90", "cliente": "4471"}
    texts |= {"historial": "x" * (_ITEM_UNITS * 1024 - 300)}
    client.put_item(TableName=_REMEDIED, Item={name: {"S": text} for name, text in texts.items()})
    table = index = 0.0
    for number in range(_TRIED):
        moves = number < MOVING * _TRIED
        values = {":h": f"{number}" + "x" * (_ITEM_UNITS * 1024 - 301)} | ({":e": f"E{number + 1}"} if moves else {})
        used = client.update_item(
            TableName=_REMEDIED,
            Key={"PK": {"S": "PEDIDO#1"}},
            UpdateExpression="SET historial = :h" + (", estado = :e" if moves else ""),
            ExpressionAttributeValues={name: {"S": text} for name, text in values.items()},
            ReturnConsumedCapacity="INDEXES",
        )["ConsumedCapacity"]
        clock.advance(seconds=1)
        table += used["Table"]["CapacityUnits"]
        index += used.get("GlobalSecondaryIndexes", {}).get("gsi-estado-fecha", {}).get("CapacityUnits", 0.0)
    rows = client.scan(TableName=_REMEDIED, IndexName="gsi-estado-fecha")["Items"]
    return table / _TRIED, index / _TRIED, list(rows)
