"""Problem 22, the index incident: read it from CloudWatch, name what refused, and judge remedies by what they do.

Each answer is code that runs in a fresh lab on tables with other names, sizes and times than the notebook's.
"""

from __future__ import annotations

import copy
import datetime as dt
import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from ..live import clock, metrics
from ..model.sizes import item_size
from ..traffic import incident
from .core import Exercise
from .learner import WRONG_TYPE, Learner, a_function, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("index_incident")

_OTHER_INDEX = "gsi-cliente"
_MINUTES = 5


def _create(table: str, units: int, indexes: Mapping[str, int]) -> None:
    """Make a table of provisioned mode; each index has its own key attribute, and copies everything."""
    names = [f"clave{number}" for number in range(len(indexes))]
    more: dict[str, Any] = {}
    if indexes:
        more["GlobalSecondaryIndexes"] = [
            {
                "IndexName": index,
                "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
                **_capacity(indexes[index]),
            }
            for name, index in zip(names, indexes, strict=True)
        ]
    boto3.client("dynamodb").create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", *names)],
        **(_capacity(units) or {"BillingMode": "PAY_PER_REQUEST"}),
        **more,
    )


def _capacity(units: int) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": units}} if units else {}


def _consume(table: str, index: str | None, per_second: float, each: float = 11.0) -> None:
    """Enter a minute's consumption of one resource into the figures, as so many requests of ``each`` units."""
    for _ in range(round(per_second * 60 / each)):
        metrics.recorder.consumed(table, index, "write", each, clock.microseconds)


# ── a: the four figures ───────────────────────────────────────────────────────────────────

_SHOP, _SHOP_INDEX = "carritos-de-prueba", "gsi-de-prueba"
_REFUSED = (0, 40, 310, 905, 880, 850, 760, 700, 20)
"""Refused requests in each minute; the window is the third to the seventh."""
_TABLE_USED = (30.8, 88.0, 70.4, 66.0, 59.4, 57.2, 61.6, 99.0, 110.0)
_INDEX_USED = (22.0, 121.0, 90.2, 88.0, 94.6, 91.3, 89.1, 44.0, 11.0)
_FIRST = 2
_KEYS = ("throttled", "table", "index", "latency")


def _fill_figures() -> dt.datetime:
    """Enter nine minutes of an incident, and return when the five asked for begin."""
    _create(_SHOP, 130, {_SHOP_INDEX: 90, _OTHER_INDEX: 90})
    _create("sesiones-de-prueba", 40, {})
    clock.advance(seconds=60 - clock.now().second, minutes=7)
    began = clock.now()
    for refused, table, index in zip(_REFUSED, _TABLE_USED, _INDEX_USED, strict=True):
        _consume(_SHOP, None, table)
        _consume(_SHOP, _SHOP_INDEX, index)
        _consume(_SHOP, _OTHER_INDEX, 8.8)
        _consume("sesiones-de-prueba", None, 33.0)
        for _ in range(refused):
            metrics.recorder.throttled_request(_SHOP, "UpdateItem", clock.microseconds)
        for _ in range(12):
            metrics.recorder.request_done(_SHOP, "UpdateItem", clock.microseconds)
            metrics.recorder.throttled_request("sesiones-de-prueba", "UpdateItem", clock.microseconds)
        clock.advance(minutes=1)
    clock.advance(minutes=2)
    return began + dt.timedelta(minutes=_FIRST)


def _mean(values: Sequence[float], first: int = _FIRST) -> float:
    return sum(values[first : first + _MINUTES]) / _MINUTES


@exercise.question(
    "a",
    asks="Write figures(cloudwatch, table, index, start), then check it: lab.check('index_incident.a', figures).",
    hints=(
        "get_metric_statistics with Period=300 gives one data point for the five minutes. Which statistic is a total?",
        "ConsumedWriteCapacityUnits: the Sum of the time, divided by its seconds. The Average is that of one request.",
        "An index has one more dimension, GlobalSecondaryIndexName. ThrottledRequests and SuccessfulRequestLatency "
        "are kept by operation: the dimension Operation is UpdateItem.",
    ),
    value="Sum of ThrottledRequests (TableName, Operation); Sum / 300 of ConsumedWriteCapacityUnits for TableName and "
    "for TableName with GlobalSecondaryIndexName; Average of SuccessfulRequestLatency",
    solution="""
        import datetime

        def figures(cloudwatch, table, index, start):
            def ask(metric, statistic, **more):
                dimensions = {"TableName": table, **more}
                answer = cloudwatch.get_metric_statistics(
                    Namespace="AWS/DynamoDB",
                    MetricName=metric,
                    Dimensions=[{"Name": name, "Value": value} for name, value in dimensions.items()],
                    StartTime=start,
                    EndTime=start + datetime.timedelta(minutes=5),
                    Period=300,
                    Statistics=[statistic],
                )
                return sum(point[statistic] for point in answer["Datapoints"])

            consumed = "ConsumedWriteCapacityUnits"
            return {
                "throttled": ask("ThrottledRequests", "Sum", Operation="UpdateItem"),
                "table": ask(consumed, "Sum") / 300,
                "index": ask(consumed, "Sum", GlobalSecondaryIndexName=index) / 300,
                "latency": ask("SuccessfulRequestLatency", "Average", Operation="UpdateItem"),
            }
    """,
    road="A metric is a name and its dimensions. Totals are Sum; a rate is Sum over seconds; the latency alone is an "
    "average.",
    misconceptions={
        "no_data": "a metric without data",
        "not_a_rate": "a total where a second's units are asked for",
        "per_minute": "a minute's units where a second's are asked for",
        "per_request": "the average of a request",
        "one_dimension_short": "the table's figure given for the index",
        "counted_samples": "not the number of refused requests",
        "another_window": "another window of time",
        "provisioned": "what is provisioned, not what is consumed",
        "elsewhere": "another figure",
    },
)
def _judge_figures(answer: Any, learner: Learner) -> Verdict:
    figures = a_function(answer, "figures", "cloudwatch", "table", "index", "start")
    start = _fill_figures()
    learner.most_requests = 100
    given = learner.call(figures, boto3.client("cloudwatch"), _SHOP, _SHOP_INDEX, start)
    if not isinstance(given, Mapping) or not set(_KEYS) <= set(given):
        wrong(WRONG_TYPE, f"figures should return a dict with the keys {', '.join(_KEYS)}; it gave {_brief(given)}.")
    if all(is_stub(given[name]) for name in _KEYS):
        raise Judged(Verdict("not attempted", ("figures still returns dots.",)))
    found = {name: _figure(given[name], name) for name in _KEYS}
    if not any(found[name] for name in ("throttled", "table", "index")):
        wrong(
            "no_data",
            "All the figures are 0: here CloudWatch knows nothing by such names or of such a time. The check has "
            "another table, index and start than the notebook; does the function use its arguments?",
        )
    _must_be_refused(found["throttled"])
    _must_be_consumed(found["table"], "table", _TABLE_USED, 130)
    if abs(found["index"] - _mean(_TABLE_USED)) < 0.5:
        wrong(
            "one_dimension_short", "Your index consumes exactly what the table does. Is its dimension in the request?"
        )
    _must_be_consumed(found["index"], "index", _INDEX_USED, 90)
    if abs(found["latency"] - metrics.NOMINAL_LATENCY) > 0.01:
        wrong("elsewhere", f"latency is {found['latency']:g}; the average of the five minutes is asked for, in ms.")
    return right(
        f"On another table, in other minutes: {found['throttled']:,.0f} refused, the table at {found['table']:.1f} of "
        f"130, the index at {found['index']:.1f} of 90, {found['latency']:g} ms as ever."
    )


def _figure(value: Any, name: str) -> float:
    if value is None or value == []:
        wrong("no_data", f"{name} is {value!r}: for these dimensions CloudWatch has no data. Which ones is it kept by?")
    return a_number(value, f"the figure {name!r}")


def _must_be_refused(number: float) -> None:
    total = _MINUTES * _mean(_REFUSED)
    if abs(number - total) < 0.5:
        return
    seen = f"throttled is {number:g}."
    if number == 0:
        wrong("no_data", f"{seen} ThrottledRequests are kept by operation, and only there. Name the operation too.")
    if number in (1, total / 300) or abs(number - total / _MINUTES) < 0.5:
        wrong("counted_samples", f"{seen} The number of requests in the five minutes is asked for: the Sum.")
    _say_if_another_window(seen, number / _MINUTES, _REFUSED)
    wrong("elsewhere", f"{seen} It should be the sum over the five minutes from start, of this table's updates.")


def _must_be_consumed(number: float, name: str, values: Sequence[float], provisioned: float) -> None:
    mean = _mean(values)
    if abs(number - mean) < 0.3:
        return
    seen = f"{name} is {number:,.4g}."
    if number == 0:
        wrong("no_data", f"{seen} For these dimensions CloudWatch has no data. Which ones is the metric kept by?")
    if abs(number - 300 * mean) < 90:
        wrong("not_a_rate", f"{seen} That is the sum of five minutes. A WCU is one unit a second.")
    if abs(number - 60 * mean) < 18 or abs(number - 5 * mean) < 1.5 or abs(number - mean / 5) < 0.1:
        wrong("per_minute", f"{seen} Units a second are asked for: how many seconds are in the sum?")
    if abs(number - 11) < 0.01:
        wrong("per_request", f"{seen} Average, here, is the average of one request: what a write costs. Take the Sum.")
    if abs(number - provisioned) < 0.01:
        wrong("provisioned", f"{seen} That is provisioned. Consumed is asked for.")
    _say_if_another_window(seen, number, values)
    wrong("elsewhere", f"{seen} It should be what this {name} consumed in a second, on average over the five minutes.")


def _say_if_another_window(seen: str, number: float, values: Sequence[float]) -> None:
    windows = {_mean(values, first) for first in range(len(values) - _MINUTES + 1)}
    partly = {sum(values[_FIRST : _FIRST + length]) / _MINUTES for length in range(1, 8)}
    longer = {
        sum(values[first:last]) / _MINUTES for first in range(len(values)) for last in range(first, len(values) + 1)
    }
    if any(abs(number - other) < 0.3 for other in windows | partly | longer):
        wrong("another_window", f"{seen} That is another window. It begins at start and ends five minutes later.")


def _brief(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"a dict with {', '.join(map(str, value)) or 'nothing'}"
    return type(value).__name__


# ── b: who refused ────────────────────────────────────────────────────────────────────────


@functools.cache
def _refusals() -> tuple[tuple[str, dict[str, Any], tuple[str, str] | None], ...]:
    """Return four refusals and one other error: what it is, boto3's response, and the resource and its limit."""
    found: list[tuple[str, dict[str, Any], tuple[str, str] | None]] = []
    for name, units, index, key in (
        ("tabla-justa", 1, "", "a"),
        ("tabla-amplia", 2_000, "gsi-por-tienda", ""),
        ("tabla-sin-plan", 0, "", "a"),
        ("tabla-de-la-campana", 0, "gsi-por-dia", ""),
    ):
        _create(name, units, {index: 1 if units else 0} if index else {})
        response = _until_refused(name, key)
        reasons = response.get("ThrottlingReasons") or response["throttlingReasons"]
        resource = reasons[0]["resource"].rsplit("/", 1)[-1]
        found.append((name, response, (resource, reasons[0]["reason"])))
    try:
        boto3.client("dynamodb").put_item(TableName="tabla-justa", Item={"otra": {"S": "1"}})
    except ClientError as error:
        found.append(("a write without its key", dict(error.response), None))
    return tuple(found)


def _until_refused(table: str, key: str) -> dict[str, Any]:
    once = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    for number in range(200):
        texts = {"PK": key or f"k{number}", "clave0": "hoy", "relleno": "x" * 390_000}
        try:
            once.put_item(TableName=table, Item={name: {"S": text} for name, text in texts.items()})
        except ClientError as error:
            return dict(error.response)
        clock.advance(seconds=0.5 if "amplia" in table else 0)
    raise AssertionError(f"{table} refuses nothing")


@exercise.question(
    "b",
    asks="Write culprit(error), then check it: lab.check('index_incident.b', culprit).",
    hints=(
        "Print error.response of the refusal that you caught. Which entry names a resource?",
        "The resource is an ARN: .../table/T for a table, .../table/T/index/I for an index. The last part is its name.",
        "ProvisionedThroughputExceededException has ThrottlingReasons, ThrottlingException has throttlingReasons.",
    ),
    value="the last part of reasons[0]['resource'] and reasons[0]['reason'], where reasons is under "
    "ThrottlingReasons or "
    "throttlingReasons; None without them",
    solution="""
        def culprit(error):
            response = error.response
            reasons = response.get("ThrottlingReasons") or response.get("throttlingReasons")
            if not reasons:
                return None
            return reasons[0]["resource"].split("/")[-1], reasons[0]["reason"]
    """,
    road="The error's text speaks of 'one or more indexes'; its reasons say which, and which limit. Both "
    "spellings occur.",
    misconceptions={
        "one_spelling": "only one spelling of the reasons",
        "the_table_named": "the table named where an index refused",
        "whole_arn": "the whole ARN",
        "always_the_same": "an answer that does not depend on the error",
        "code_for_reason": "the error's code taken for the reason",
        "accuses": "a culprit for an error that is no throttling",
        "elsewhere": "another resource or reason",
    },
)
def _judge_culprit(answer: Any, learner: Learner) -> Verdict:
    culprit = a_function(answer, "culprit", "error")
    cases = _refusals()
    errors = [ClientError(copy.deepcopy(response), "PutItem") for _, response, _ in cases]
    attempts = [learner.attempt(culprit, error) for error in errors[:4]]
    failed = [attempt for attempt in attempts if attempt.error is not None or attempt.value is None]
    if failed and len(failed) < 4 and all(a in failed for a in attempts[2:]) != all(a in failed for a in attempts[:2]):
        wrong(
            "one_spelling",
            f"It finds the reasons of {_code(errors[0] if failed[0] in attempts[2:] else errors[2])} but not those of "
            f"{_code(errors[2] if failed[0] in attempts[2:] else errors[0])}. Their two responses spell "
            "the entry differently: lesson 12 shows both.",
        )
    given = learner.each(culprit, [(error,) for error in errors])
    *named, other = [tuple(value) if isinstance(value, list) else value for value in given]
    for value in named:
        if not (isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, str) for part in value)):
            wrong(WRONG_TYPE, f"culprit should return (resource, reason), two texts; it gave {_brief(value)}.")
    if len(set(named)) == 1:
        wrong("always_the_same", f"For four different refusals it always names {named[0][0]}. Read it from the error.")
    for value, (table, response, wanted) in zip(named, cases, strict=False):
        assert wanted is not None
        _must_name(value, wanted, table, response)
    if other is not None:
        wrong(
            "accuses",
            f"A write without its key ({_code(errors[-1])}) is nobody's throttling: return None. It gave {other}.",
        )
    return right(
        "It names table or index, and the limit, in four refusals of both spellings, and nobody for other errors."
    )


def _must_name(value: tuple[str, str], wanted: tuple[str, str], table: str, response: Mapping[str, Any]) -> None:
    resource, reason = value
    if resource.startswith("arn:") and resource.endswith(wanted[0]):
        wrong("whole_arn", f"It returned {resource}. Only the name is asked for, what follows the last /.")
    if resource == table != wanted[0]:
        wrong(
            "the_table_named", f"The index {wanted[0]} refused, and it named the table {table}. Who refused? Read on."
        )
    if resource == wanted[0] and reason in (response["Error"]["Code"], response["Error"]["Message"]):
        wrong(
            "code_for_reason",
            "That is the error's code or message. The reason stands beside the resource, and says which limit.",
        )
    if value != wanted:
        wrong("elsewhere", f"For a refusal by {wanted[0]} it gave {value!r}.")


def _code(error: ClientError) -> str:
    return str(error.response["Error"]["Code"])


# ── c: how much it needs, and how far that carries ───────────────────────────────────────

CART_UNITS = {"before": 3, "after": 11}
NEEDED = incident.PER_SECOND * CART_UNITS["after"] * (1 + incident.MOVING)
CEILING = incident.TABLE_UNITS / CART_UNITS["after"]
RAISED = 300


@exercise.question(
    "c",
    asks="Set needed and ceiling, then check them: lab.check('index_incident.c', (needed, ceiling)).",
    hints=(
        "An entry whose key changes is deleted and put: twice the units. 60 % of the writes do that, 40 % cost once.",
        "An entry is as large as the cart, 11 KB. Ten writes: six times 22 units and four times 11.",
        "The table pays 11 units for every write, moved or not, and has 120.",
    ),
    value="needed: 136 WCU (135.5); ceiling: 10.9 cart writes a second",
    solution="needed, ceiling = 7.7 * 11 * (1 + 0.6), 120 / 11",
    road="The index: 7.7 writes of 11 units, 60 % of them twice. The table: 120 units are 10.9 writes of 11; the "
    "raised "
    "index would take 17.",
    misconceptions={
        "size_before": "the size before the deployment",
        "no_moves": "the move of an entry counted once",
        "all_move": "every write taken for a move",
        "only_moves": "only the moves counted",
        "the_tables": "the table's units taken for the index's",
        "index_ceiling": "the index's ceiling, not the table's",
        "units_for_writes": "units given where writes are asked for",
        "added_up": "table and index added up",
        "with_target": "a margin that was not asked for",
        "too_small": "too little",
        "too_large": "too much",
    },
)
def _judge_need(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both numbers: lab.check('index_incident.c', (needed, ceiling)).")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", ("Give both numbers: needed and ceiling.",)))
    needed, ceiling = a_number(answer[0], "needed, in WCU"), a_number(answer[1], "ceiling, in writes a second")
    if not (math.isfinite(needed) and math.isfinite(ceiling)):
        wrong(WRONG_TYPE, "needed and ceiling are finite numbers.")
    _must_be_needed(needed)
    _must_be_ceiling(ceiling)
    return right(
        f"The index needs {NEEDED:.1f} WCU and 300 are more than twice that. But from {CEILING:.1f} cart writes a "
        "second on "
        f"the table's own 120 refuse: {CEILING / incident.PER_SECOND - 1:.0%} above this Friday."
    )


def _must_be_needed(number: float) -> None:
    rate, units, moving = incident.PER_SECOND, CART_UNITS["after"], incident.MOVING
    if NEEDED - 0.05 <= number <= NEEDED + 2:
        return
    seen = f"needed = {number:g} WCU:"
    before = rate * CART_UNITS["before"]
    for values, name, says in (
        ((before, before * (1 + moving), 2 * before), "size_before", "carts have 11 KB since this morning."),
        ((rate * units,), "no_moves", "where the key changes, the index deletes one entry and puts another."),
        ((2 * rate * units,), "all_move", "that would do if every write moved its entry. 60 % do."),
        ((2 * moving * rate * units,), "only_moves", "the other 40 % change a copied entry too, 11 units each."),
        ((incident.TABLE_UNITS, 62, 61), "the_tables", "that is the table's. An index with moving keys works harder."),
    ):
        if any(abs(number - value) < 0.6 for value in values):
            wrong(name, f"{seen} {says}")
    if number < NEEDED:
        wrong("too_small", f"{seen} with that, writes are refused in the end. Add up the index units of ten writes.")
    wrong(
        "too_large", f"{seen} nothing is refused with that, but less does it too. Add up the index units of ten writes."
    )


def _must_be_ceiling(number: float) -> None:
    units, moving = CART_UNITS["after"], incident.MOVING
    if abs(number - CEILING) < 0.1 or number == 11:
        return
    seen = f"ceiling = {number:g} writes a second:"
    for values, name, says in (
        ((RAISED / (units * (1 + moving)), RAISED / units), "index_ceiling", "before that, somebody else says no."),
        ((incident.TABLE_UNITS, RAISED), "units_for_writes", "those are units. How many carts of 11 KB are they?"),
        ((incident.TABLE_UNITS / 3,), "size_before", "a cart has 11 KB now."),
        (
            (incident.TABLE_UNITS / (units * (1 + moving)), incident.TABLE_UNITS / (units * (2 + moving))),
            "added_up",
            "what the index works does not count against the table: each has its own capacity.",
        ),
        ((0.7 * CEILING, 0.8 * CEILING), "with_target", "with a margin one would act there; refused is later."),
    ):
        if any(abs(number - value) < 0.15 for value in values):
            wrong(name, f"{seen} {says}")
    if number < CEILING:
        wrong("too_small", f"{seen} the table takes that. What does one write cost it, and how many units has it?")
    wrong("too_large", f"{seen} something refuses before that. What does one write cost the table, and what has it?")


# ── d: an index that copies less ──────────────────────────────────────────────────────────

_D_TABLE = "carritos-copia"
_D_WANTED = ("importe",)
_D_CARTS = 12
_BUILD_SECONDS = 600


def _writes(client: Any, table: str) -> tuple[float, float]:
    """Return what a cart write costs table and all indexes, on average, with the shop's share of moves."""
    used = [0.0, 0.0]
    for number in range(20):
        name = "fecha" if number % 5 < 3 else "nota"
        answer = client.update_item(
            TableName=table,
            Key=incident.key(number % _D_CARTS),
            UpdateExpression=f"SET {name} = :new",
            ExpressionAttributeValues={":new": {"S": f"2026-10-02T20#{number:08}"}},
            ReturnConsumedCapacity="INDEXES",
        )["ConsumedCapacity"]
        used[0] += answer["Table"]["CapacityUnits"]
        used[1] += sum(part["CapacityUnits"] for part in answer.get("GlobalSecondaryIndexes", {}).values())
        clock.advance(seconds=1)
    return used[0] / 20, used[1] / 20


@exercise.question(
    "d",
    asks="Write copy_less(dynamodb, table), then check it: lab.check('index_incident.d', copy_less).",
    hints=(
        "A projection cannot be changed. A second index can be made beside the first, by update_table with Create.",
        "Projection: INCLUDE with NonKeyAttributes=['importe']. The keys of table and index are in it anyway.",
        "Wait until describe_table says ACTIVE, moving the clock: lab.clock.advance(minutes=1) in a loop. Then Delete "
        "the first, in another update_table.",
    ),
    value="update_table with Create (INCLUDE, NonKeyAttributes ['importe']), wait for ACTIVE, update_table with Delete",
    solution="""
        import dynamolab as lab

        def copy_less(dynamodb, table):
            keys = {"estado": "HASH", "fecha": "RANGE"}
            new = {
                "IndexName": "gsi-estado-fecha-2",
                "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in keys.items()],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["importe"]},
                "ProvisionedThroughput": {"ReadCapacityUnits": 50, "WriteCapacityUnits": 30},
            }
            types = [{"AttributeName": name, "AttributeType": "S"} for name in keys]
            dynamodb.update_table(
                TableName=table, AttributeDefinitions=types, GlobalSecondaryIndexUpdates=[{"Create": new}]
            )

            def state():
                indexes = dynamodb.describe_table(TableName=table)["Table"]["GlobalSecondaryIndexes"]
                return {one["IndexName"]: one["IndexStatus"] for one in indexes}

            while state()["gsi-estado-fecha-2"] != "ACTIVE":
                lab.clock.advance(minutes=1)
            old = [{"Delete": {"IndexName": "gsi-estado-fecha"}}]
            dynamodb.update_table(TableName=table, GlobalSecondaryIndexUpdates=old)
    """,
    road="Create, wait until it is filled, move the queries, delete. An entry of keys and importe is one unit, "
    "two for a "
    "move, however large the cart grows.",
    misconceptions={
        "nothing_new": "no new index",
        "in_the_gap": "the old index deleted before the new one could answer",
        "old_left": "the old index is still there",
        "other_keys": "an index that answers another question",
        "attribute_missing": "the query's attribute is not copied",
        "copies_history": "historial is copied again",
        "too_small": "too little capacity for the new index",
        "too_dear": "more capacity than before",
        "table_gone": "the table was made anew",
    },
)
def _judge_copy_less(answer: Any, learner: Learner) -> Verdict:
    copy_less = a_function(answer, "copy_less", "dynamodb", "table")
    client = boto3.client("dynamodb")
    incident.create(client, table=_D_TABLE)
    for cart in range(_D_CARTS):
        client.put_item(TableName=_D_TABLE, Item=incident.item(cart, f"2026-10-02T1#{cart:04}"))
        clock.advance(seconds=1)
    happened: dict[str, int] = {}
    learner.most_requests = 150

    def note(request: Any) -> None:
        for change in request.parameters.get("GlobalSecondaryIndexUpdates", []):
            for what, about in change.items():
                happened.setdefault(
                    what if what != "Delete" else f"Delete {about.get('IndexName')}", clock.microseconds
                )

    learner.refuse = note
    learner.call(copy_less, client, _D_TABLE)
    if any(request.operation in ("DeleteTable", "CreateTable") for request in learner.requests):
        wrong("table_gone", "The table was deleted or made anew, on a Friday evening. Its index can be replaced alone.")
    clock.advance(minutes=20)
    units = _must_be_better(client, happened)
    carts = client.scan(TableName=_D_TABLE, Select="COUNT")["Count"]
    if carts != _D_CARTS:
        wrong("table_gone", f"{carts} of {_D_CARTS} carts are left in the table.")
    return right(
        f"A cart write costs the index {units:.1f} units instead of 17.6, whatever historial grows to, and at each "
        "moment "
        f"one index could answer. Friday's traffic needs {units * incident.PER_SECOND:.0f} WCU of it."
    )


def _must_be_better(client: Any, happened: Mapping[str, int]) -> float:
    """Return the index units of a cart write; end the judgement if the one index left is not what is needed."""
    indexes = client.describe_table(TableName=_D_TABLE)["Table"].get("GlobalSecondaryIndexes", [])
    names = [one["IndexName"] for one in indexes]
    if "Create" not in happened:
        wrong(
            "nothing_new",
            f"No index was created; the table has {', '.join(names) or 'none'} now. A projection cannot be changed "
            "in place.",
        )
    deleted = happened.get(f"Delete {incident.INDEX}")
    if deleted is not None and deleted - happened["Create"] < _BUILD_SECONDS * 1_000_000:
        wrong(
            "in_the_gap",
            "The old index was deleted while the new one was still being filled: for minutes no query by state "
            "could be "
            "answered. Wait until its IndexStatus is ACTIVE.",
        )
    if incident.INDEX in names:
        wrong(
            "old_left",
            f"{incident.INDEX} is still there, and as long as it is, it stops the table. Delete it at the end.",
        )
    for one in indexes:
        _must_answer(one)
    _, units = _writes(client, _D_TABLE)
    asked = units * incident.PER_SECOND
    capacity = sum(one["ProvisionedThroughput"]["WriteCapacityUnits"] for one in indexes)
    if capacity < asked:
        wrong(
            "too_small",
            f"Friday's traffic asks the new index for {asked:.0f} WCU and it has {capacity}: the same evening again.",
        )
    if capacity > incident.INDEX_UNITS:
        wrong(
            "too_dear",
            f"Nothing is refused, but the new index has {capacity} WCU, more than the old one, and needs {asked:.0f}.",
        )
    return units


def _must_answer(index: Mapping[str, Any]) -> None:
    keys = {part["KeyType"]: part["AttributeName"] for part in index["KeySchema"]}
    if keys != {"HASH": "estado", "RANGE": "fecha"}:
        wrong(
            "other_keys",
            f"The query asks for an estado up to a fecha; {index['IndexName']} has the keys "
            f"{', '.join(keys.values())}.",
        )
    projection = index["Projection"]
    copied = projection.get("NonKeyAttributes", [])
    if projection["ProjectionType"] == "ALL" or "historial" in copied:
        wrong(
            "copies_history",
            f"{index['IndexName']} copies historial, which no query of the index asks for: the same units again.",
        )
    if not set(_D_WANTED) <= set(copied):
        wrong(
            "attribute_missing",
            f"The list by state shows importe, and {index['IndexName']} does not copy it: a GetItem for each row.",
        )


# ── e: history as items of its own ────────────────────────────────────────────────────────

_E_TABLE = "carritos-historia"
_STATES = ("abierto", "en_pago", "pago_rechazado", "en_pago", "pagado", "en_preparacion", "en_reparto", "entregado")
_ROUNDS = 9
_MOST_TABLE_UNITS, _MOST_INDEX_UNITS = 9.0, 7.0
_MOST_GROWTH = 40
"""Bytes that a cart may have more after its ninth change than after its first: a longer state, a counter. The barest
list of the eight states between has over seventy."""


@exercise.question(
    "e",
    asks="Write change_state(dynamodb, table, key, estado, when) and history(dynamodb, table, key), then check them: "
    "lab.check('index_incident.e', (change_state, history)).",
    hints=(
        "Two writes: one updates the cart's estado and fecha, one puts an item for the history. What is its key?",
        "Its key must name the cart and the time, and must not begin with CARRITO#: the newest cart is looked for by "
        "that. Its attributes must not be estado and fecha, or the index takes it in.",
        'For example SK = "ESTADO#" + the cart\'s own SK + "#" + when, under the same PK. A Query with begins_with '
        "reads them back in order.",
    ),
    value='update_item of estado and fecha, put_item with SK "ESTADO#<cart>#<when>" and other attributes; history '
    "is a Query with begins_with",
    solution="""
        def change_state(dynamodb, table, key, estado, when):
            row = {"PK": key["PK"], "SK": {"S": f"ESTADO#{key['SK']['S']}#{when}"}, "nuevo": {"S": estado}}
            cart = {
                "TableName": table,
                "Key": key,
                "UpdateExpression": "SET estado = :e, fecha = :f",
                "ExpressionAttributeValues": {":e": {"S": estado}, ":f": {"S": when}},
            }
            dynamodb.transact_write_items(
                TransactItems=[{"Update": cart}, {"Put": {"TableName": table, "Item": row}}]
            )

        def history(dynamodb, table, key):
            pages = dynamodb.get_paginator("query").paginate(
                TableName=table,
                KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
                ExpressionAttributeValues={":pk": key["PK"], ":sk": {"S": f"ESTADO#{key['SK']['S']}#"}},
            )
            return [row["nuevo"]["S"] for page in pages for row in page["Items"]]
    """,
    road="The cart stays at 3 KB and each change adds a small item. Both in one transaction: 8 units of the table "
    "instead "
    "of 4, and never a cart that disagrees with its history.",
    misconceptions={
        "grows": "the history is still inside the cart",
        "gathers": "the history grows inside another item",
        "cart_not_changed": "the cart's state does not change",
        "cart_erased": "the cart loses attributes",
        "overwritten": "a change overwrites an earlier one",
        "mixed": "the histories of two carts are mixed",
        "lost": "changes are missing",
        "order": "not from the oldest to the newest",
        "breaks_newest": "the newest cart is no longer found",
        "history_in_index": "the index takes in the history",
        "too_dear": "more units than two small writes",
        "scan": "a Scan reads the whole table",
    },
)
def _judge_history(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both functions: lab.check('index_incident.e', (change_state, history)).")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", ("Write both: change_state and history.",)))
    change = a_function(answer[0], "change_state", "dynamodb", "table", "key", "estado", "when")
    history = a_function(answer[1], "history", "dynamodb", "table", "key")
    client = boto3.client("dynamodb")
    incident.create(client, table=_E_TABLE)
    carts = _three_carts(client)
    wanted: dict[str, list[str]] = {name: [] for name in carts}
    calls = []
    for turn in range(_ROUNDS):
        for place, (name, key) in enumerate(carts.items()):
            estado = _STATES[(turn + place) % len(_STATES)]
            when = f"2026-10-02T18:{turn:02}:07.{100 + place // 2:03}Z"
            calls.append((client, _E_TABLE, copy.deepcopy(key), estado, when))
            wanted[name].append(estado)
    learner.most_requests = 200
    before, spent, first = len(learner.requests), [], dict[str, int]()
    for number, call in enumerate(calls):
        learner.call(change, *call)
        spent.append(sum(request.units for request in learner.requests[before:]))
        before = len(learner.requests)
        clock.advance(seconds=1)
        if number == len(carts) - 1:
            first = {name: item_size(_cart(client, key)) for name, key in carts.items()}
    _must_keep_carts(client, carts, wanted, first)
    _must_stay_small(client)
    _must_keep_newest(client, carts)
    given = learner.each(history, [(client, _E_TABLE, copy.deepcopy(key)) for key in carts.values()])
    if any(request.operation == "Scan" for request in learner.requests):
        wrong("scan", "A Scan pays for every cart of the shop to show one cart's history. Its key is known: Query.")
    _must_tell(dict(zip(carts, given, strict=True)), wanted)
    _must_be_items(client, len(carts), len(calls))
    table, index = _last_units(client, spent)
    if table > _MOST_TABLE_UNITS or index > _MOST_INDEX_UNITS:
        wrong(
            "too_dear",
            f"A change costs the table {table:g} units and the index {index:g}. A cart of 3 KB and one small item "
            "are 4 "
            "(8 in a transaction), and 6 in the index.",
        )
    how = (
        "in one transaction" if any(r.operation == "TransactWriteItems" for r in learner.requests) else "in two writes"
    )
    return right(
        f"{len(calls)} changes of three carts, all told in order. The last cost the table {table:g} units and the "
        "index "
        f"{index:g}, as the first did ({how}); with historial inside the cart they would be 11 and 22."
    )


def _three_carts(client: Any) -> dict[str, dict[str, dict[str, str]]]:
    keys = {
        "a": {"PK": {"S": "CLIENTE#8121"}, "SK": {"S": "CARRITO#2026-10-01T21:40:00Z"}},
        "b": {"PK": {"S": "CLIENTE#8121"}, "SK": {"S": "CARRITO#2026-10-02T17:55:00Z"}},
        "c": {"PK": {"S": "CLIENTE#0907"}, "SK": {"S": "CARRITO#2026-10-02T17:55:00Z"}},
    }
    for key in keys.values():
        cart = {**incident.item(1, "2026-10-02T17:55:00.000Z", historial=False), **key}
        client.put_item(TableName=_E_TABLE, Item=cart)
        clock.advance(seconds=1)
    return keys


def _cart(client: Any, key: Mapping[str, Any]) -> dict[str, Any]:
    return dict(client.get_item(TableName=_E_TABLE, Key=key).get("Item", {}))


def _must_keep_carts(
    client: Any, carts: Mapping[str, Any], wanted: Mapping[str, Sequence[str]], first: Mapping[str, int]
) -> None:
    """Say so if a cart is not as it should be; ``first``: the bytes of each after its first change."""
    for name, key in carts.items():
        cart = _cart(client, key)
        if cart.get("estado", {}).get("S") != wanted[name][-1] or cart.get("fecha", {}).get("S", "") <= "2026-10-02T18":
            wrong(
                "cart_not_changed",
                f"After the last change the cart's estado should be {wanted[name][-1]} and its fecha the time of "
                "it: the "
                "list by state reads them there.",
            )
        if "lineas" not in cart or "importe" not in cart:
            wrong(
                "cart_erased", "After a change the cart has lost its lines: PutItem replaces the whole item. Update it."
            )
        if item_size(cart) > first[name] + _MOST_GROWTH:
            wrong(
                "grows",
                f"After its first change the cart had {first[name]:,} bytes, after {_ROUNDS} it has "
                f"{item_size(cart):,}. It goes on like this, up to 400 KB: give each change an item of its own.",
            )


def _must_be_items(client: Any, carts: int, changes: int) -> None:
    kept = client.scan(TableName=_E_TABLE)["Count"] - carts
    if kept < changes:
        wrong(
            "gathers",
            f"All is told, but {changes} changes are kept in {kept} items. An item that gathers changes grows as the "
            "cart did: give each change an item of its own.",
        )


def _must_stay_small(client: Any) -> None:
    clock.advance(seconds=5)
    answer = client.scan(TableName=_E_TABLE, IndexName=incident.INDEX)
    if answer["Count"] > 3:
        wrong(
            "history_in_index",
            f"The index by state holds {answer['Count']} entries for three carts: history items that have estado "
            "and fecha "
            "are in it, and in its lists. Give their attributes other names.",
        )


def _must_keep_newest(client: Any, carts: Mapping[str, Any]) -> None:
    for name in ("b", "c"):
        answer = client.query(
            TableName=_E_TABLE,
            KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
            ExpressionAttributeValues={":pk": carts[name]["PK"], ":sk": {"S": "CARRITO#"}},
            ScanIndexForward=False,
            Limit=1,
        )
        found = [row["SK"] for row in answer["Items"]]
        if found != [carts[name]["SK"]]:
            wrong(
                "breaks_newest",
                "The shop finds the newest cart by begins_with(SK, 'CARRITO#'), newest first, Limit 1. It now finds "
                f"{found[0]['S'] if found else 'nothing'}: let the history's SK begin with something else.",
            )


def _must_tell(given: Mapping[str, Any], wanted: Mapping[str, Sequence[str]]) -> None:
    for name, states in given.items():
        if not isinstance(states, list | tuple) or not all(isinstance(state, str) for state in states):
            wrong(
                WRONG_TYPE,
                f"history should return a list of states, such as ['abierto', 'en_pago']; it gave {_brief(states)}.",
            )
        told, right_ones = list(states), list(wanted[name])
        if told == right_ones:
            continue
        seen = f"Of {len(right_ones)} changes of a cart, history tells {len(told)}"
        if told == right_ones[::-1]:
            wrong("order", f"{seen}, the newest first. It is asked for from the oldest to the newest.")
        if sorted(told) == sorted(right_ones):
            wrong("order", f"{seen}, but not in order of time.")
        if any(told == list(others) for other, others in wanted.items() if other != name):
            wrong(
                "mixed",
                f"{seen}, but these are another cart's: two carts of one customer changed in the same instant. What in "
                "the key tells them apart?",
            )
        if len(told) > len(right_ones):
            wrong("mixed", f"{seen}. A customer may have several carts: whose changes are these?")
        if len(told) == 1:
            wrong("overwritten", f"{seen}. Two changes had the same key, so that the later replaced the earlier.")
        wrong("lost", f"{seen}. Which are missing, and where are they?")


def _last_units(client: Any, spent: Sequence[float]) -> tuple[float, float]:
    """Split the units of the last change: the cart is in the index, moved, and the rest is the table's."""
    # The learner's requests are counted in total; what moving a cart costs the index is known from its size.
    cart = client.scan(TableName=_E_TABLE, IndexName=incident.INDEX)["Items"][0]
    index = 2.0 * math.ceil(item_size(cart) / 1_024)
    return spent[-1] - index, index


# ── f: an alarm for each index ────────────────────────────────────────────────────────────

_F_TABLE = "carritos-vigilados"
_F_UNITS = {None: 150, "gsi-uno": 60, "gsi-dos": 240}
_CALM, _BUSY, _FULL = 0.55, 0.70, 0.93
_WATCH_MINUTES = 5


@exercise.question(
    "f",
    asks="Write watch(cloudwatch, dynamodb, table), then check it: lab.check('index_incident.f', watch).",
    hints=(
        "describe_table lists the indexes and what each has provisioned. One alarm for the table, one for each of "
        "them.",
        "The metric's Sum of a minute is compared with the threshold. 80 % of 100 WCU are how many units a minute?",
        "Threshold = 0.8 * 60 * WCU, Period 60, Statistic Sum; dimensions TableName, and GlobalSecondaryIndexName "
        "for an "
        "index; each alarm with a name of its own.",
    ),
    value="put_metric_alarm for the table and each index: Sum over 60 s greater than 0.8 * 60 * its WriteCapacityUnits",
    solution="""
        def watch(cloudwatch, dynamodb, table):
            about = dynamodb.describe_table(TableName=table)["Table"]
            for one in [about, *about.get("GlobalSecondaryIndexes", [])]:
                index = {"GlobalSecondaryIndexName": one["IndexName"]} if "IndexName" in one else {}
                cloudwatch.put_metric_alarm(
                    AlarmName=f"80 % of {one.get('IndexName', table)}",
                    Namespace="AWS/DynamoDB",
                    MetricName="ConsumedWriteCapacityUnits",
                    Dimensions=[{"Name": n, "Value": v} for n, v in {"TableName": table, **index}.items()],
                    Statistic="Sum",
                    Period=60,
                    EvaluationPeriods=2,
                    ComparisonOperator="GreaterThanThreshold",
                    Threshold=0.8 * 60 * one["ProvisionedThroughput"]["WriteCapacityUnits"],
                )
    """,
    road="An index is a resource of its own, with its own capacity, metric and alarm. An alarm on consumption "
    "rings while "
    "burst still carries the index.",
    misconceptions={
        "no_alarm": "no alarm at all",
        "always_rings": "it rings on a calm evening",
        "too_early": "it rings far below the limit",
        "table_not_watched": "nobody watches the table",
        "index_not_watched": "nobody watches one of the indexes",
        "too_late": "an alarm that does not ring in time",
        "only_throttles": "it rings when carts are already lost",
        "same_name": "alarms of one name replace each other",
        "average_taken": "the average of a request",
    },
)
def _judge_watch(answer: Any, learner: Learner) -> Verdict:
    watch = a_function(answer, "watch", "cloudwatch", "dynamodb", "table")
    learner.most_requests = 100
    _create(_F_TABLE, _F_UNITS[None], {name: units for name, units in _F_UNITS.items() if name})
    clock.advance(seconds=60 - clock.now().second)
    cloudwatch = boto3.client("cloudwatch")
    learner.call(watch, cloudwatch, boto3.client("dynamodb"), _F_TABLE)
    alarms = cloudwatch.describe_alarms()["MetricAlarms"]
    if not alarms:
        wrong("no_alarm", "After watch(...) CloudWatch has no alarm. put_metric_alarm makes one.")
    if _ring(cloudwatch, dict.fromkeys(_F_UNITS, _CALM)):
        _say_why_it_rings(alarms, _CALM, "always_rings")
    if _ring(cloudwatch, dict.fromkeys(_F_UNITS, _BUSY)):
        _say_why_it_rings(alarms, _BUSY, "too_early")
    for resource in (None, "gsi-uno", "gsi-dos"):
        _quiet(cloudwatch)
        if not _ring(cloudwatch, {**dict.fromkeys(_F_UNITS, _CALM), resource: _FULL}):
            _say_why_silent(resource, alarms, learner)
    return right(
        f"{len(alarms)} alarms: silent at {_CALM:.0%} and {_BUSY:.0%}, and when table or index alone is at "
        f"{_FULL:.0%} one "
        f"rings within {_WATCH_MINUTES} minutes, when nobody has been refused yet."
    )


def _ring(cloudwatch: Any, shares: Mapping[str | None, float]) -> bool:
    """Let some minutes pass with these shares of capacity used; say whether an alarm rings at their end."""
    for _ in range(_WATCH_MINUTES):
        for index, share in shares.items():
            _consume(_F_TABLE, index, share * _F_UNITS[index])
        clock.advance(minutes=1)
    return any(alarm["StateValue"] == "ALARM" for alarm in cloudwatch.describe_alarms()["MetricAlarms"])


def _quiet(cloudwatch: Any) -> None:
    """Let an hour of little traffic pass, so that every alarm is content again."""
    for _ in range(12):
        for index, units in _F_UNITS.items():
            _consume(_F_TABLE, index, 0.1 * units)
        clock.advance(minutes=1)


def _say_why_it_rings(alarms: Sequence[Mapping[str, Any]], share: float, misconception: str) -> None:
    seen = f"With table and indexes at {share:.0%} of their capacity an alarm rings."
    if misconception == "always_rings":
        wrong(
            misconception,
            f"{seen} They should be silent below 80 %. Is a threshold in units a second compared with the sum of a "
            "minute?",
        )
    wrong(misconception, f"{seen} 80 % of what is provisioned is asked for, of each one's own capacity.")


def _watched(alarm: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return the table and the index that an alarm's metric belongs to."""
    found = {each["Name"]: each["Value"] for each in alarm.get("Dimensions", [])}
    return found.get("TableName"), found.get("GlobalSecondaryIndexName")


def _say_why_silent(resource: str | None, alarms: Sequence[Mapping[str, Any]], learner: Learner) -> None:
    who = "the table" if resource is None else f"the index {resource}"
    seen = f"With {who} at {_FULL:.0%} of its capacity for {_WATCH_MINUTES} minutes no alarm rings."
    made = [request for request in learner.requests if request.operation == "PutMetricAlarm"]
    if len(made) > len(alarms):
        wrong(
            "same_name",
            f"{seen} {len(made)} alarms were made and {len(alarms)} is left: one of the same name is replaced.",
        )
    if all("Throttle" in str(alarm.get("MetricName", "")) for alarm in alarms):
        wrong("only_throttles", f"{seen} Refusals come minutes later, when burst is gone. Watch what is consumed.")
    if any(alarm.get("Statistic") == "Average" for alarm in alarms):
        wrong("average_taken", f"{seen} The Average of consumed units is that of one request. Take the Sum.")
    for alarm in alarms:
        if alarm.get("MetricName") == "ConsumedWriteCapacityUnits" and _watched(alarm) == (_F_TABLE, resource):
            period, times = alarm["Period"], alarm["EvaluationPeriods"]
            wrong(
                "too_late",
                f"{seen} Its alarm waits for {times} x {period} s with more than {alarm['Threshold']:,.0f}. 80 % of "
                f"its {_F_UNITS[resource]} WCU are {0.8 * _F_UNITS[resource] * period:,.0f} units in {period} s, and "
                f"there are {_WATCH_MINUTES} minutes.",
            )
    if resource is None:
        wrong("table_not_watched", f"{seen} An alarm on TableName alone, with the table's own threshold, does it.")
    wrong("index_not_watched", f"{seen} Each index needs its alarm, with its own threshold and dimension.")
