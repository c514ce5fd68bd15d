"""Exercise 00, first throttle: whose fault a refusal is, a key that cures it, and the least traffic that provokes one.

Exceptions are the lab's own, provoked in it; keys are judged by where they land; an attack by what it consumed.
"""

from __future__ import annotations

import collections
import copy
import functools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unittest import mock

import boto3
import numpy as np
from botocore.config import Config
from botocore.exceptions import ClientError

from ..live import clock
from ..model.partitions import ON_DEMAND_PARTITIONS
from ..traffic.workload import admitted, places
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("first_throttle")

_TABLE = "pedidos-de-prueba"
_LARGE = "x" * 390 * 1024


def _create(client: Any, name: str, **settings: Any) -> None:
    if "ProvisionedThroughput" not in settings:
        settings["BillingMode"] = "PAY_PER_REQUEST"
    client.create_table(
        TableName=name,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("PK", "SK")],
        **settings,
    )


def _impatient() -> Any:
    """Return a client that does not retry, so that the first refusal shows."""
    return boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))


# ── a: whose fault ────────────────────────────────────────────────────────────────────────

KEY, CAPACITY = "key", "capacity"


def _error_of(send: Callable[[int], Any]) -> ClientError:
    """Send until the service refuses, and return its error."""
    for number in range(100):
        try:
            send(number)
        except ClientError as error:
            return error
    raise AssertionError("the lab refused nothing")


@functools.cache
def _errors() -> tuple[tuple[str, str | None, ClientError], ...]:
    """Return errors of the service, each with a description and the right cause; made once, in a fresh lab."""
    client = _impatient()

    def put(table: str, key: str, number: int) -> Any:
        item = {"PK": {"S": key}, "SK": {"S": f"{number:03}"}, "v": {"S": _LARGE}}
        return client.put_item(TableName=table, Item=item)

    _create(client, "on-demand")
    _create(client, "large", ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 3_000})
    _create(client, "small", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
    _create(client, "capped", OnDemandThroughput={"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 10})
    found: list[tuple[str, str | None, ClientError]] = [
        ("on-demand, writes to one key", KEY, _error_of(lambda n: put("on-demand", "a", n))),
        ("provisioned 3,000 WCU, writes to one key", KEY, _error_of(lambda n: put("large", "a", n))),
        ("provisioned 1 WCU", CAPACITY, _error_of(lambda n: put("small", f"a{n}", n))),
        ("on-demand with a maximum of 10 units", CAPACITY, _error_of(lambda n: put("capped", f"a{n}", n))),
    ]
    clock.advance(seconds=5)
    key = {"PK": {"S": "a"}, "SK": {"S": "000"}}
    found.append(
        (
            "on-demand, reads of one key",
            KEY,
            _error_of(lambda n: client.get_item(TableName="on-demand", Key=key, ConsistentRead=True)),
        )
    )
    clock.advance(seconds=5)
    condition = {"Item": key, "ConditionExpression": "attribute_not_exists(PK)"}
    found.append(
        ("a condition that is false", None, _error_of(lambda n: client.put_item(TableName="on-demand", **condition)))
    )
    found.append(
        ("a table that is not there", None, _error_of(lambda n: client.get_item(TableName="nowhere", Key=key)))
    )
    return tuple(found)


def _fresh(error: ClientError) -> ClientError:
    """Return a copy, so that what a learner does to one does not reach the next check."""
    return type(error)(copy.deepcopy(error.response), error.operation_name)


def _is_throttling(error: ClientError) -> bool:
    return bool(error.response["Error"]["Code"] == "ThrottlingException")


@exercise.question(
    "a",
    asks="Write cause(error), then check it: lab.check('first_throttle.a', cause).",
    hints=(
        "Print error.response of each error in the notebook: which part of it says more than the name does?",
        "The reasons are a list under 'throttlingReasons' or 'ThrottlingReasons', depending on the exception. "
        ".get(name) gives None where there is none.",
        "A key is too hot if a reason ends in KeyRangeThroughputExceeded. Any other reason is a capacity or a "
        "maximum. No reasons at all: this error is not about rate.",
    ),
    value="by the reasons, under either spelling: 'key' if one ends in KeyRangeThroughputExceeded, 'capacity' for "
    "any other, None without reasons",
    solution="""
        def cause(error):
            reasons = error.response.get("throttlingReasons") or error.response.get("ThrottlingReasons")
            if not reasons:
                return None
            hot = any(each["reason"].endswith("KeyRangeThroughputExceeded") for each in reasons)
            return "key" if hot else "capacity"
    """,
    road="The exception's name tells the table's mode. The reason tells which limit was met, and for what resource: "
    "a key range, or a capacity that somebody chose. Only the second is cured by choosing more.",
    misconceptions={
        "by_name": "the exception's name or message taken for its reason",
        "one_spelling": "the reasons looked for under one spelling only",
        "exact_reason": "only one of several such reasons is known",
        "every_error": "an error that is not about rate taken for a throttle",
        "swapped": "the two answers the wrong way round",
        "elsewhere": "another cause",
    },
)
def _judge_cause(answer: Any, learner: Learner) -> Verdict:
    cause = a_function(answer, "cause", "error")
    cases = _errors()
    said = learner.each(cause, [(_fresh(error),) for _, _, error in cases])
    for what, given in zip((what for what, _, _ in cases), said, strict=True):
        if given is not None and given not in (KEY, CAPACITY):
            wrong(
                WRONG_TYPE, f"cause should answer 'key', 'capacity' or None; for one error ({what}) it gave {given!r}."
            )
    bad = [(case, given) for case, given in zip(cases, said, strict=True) if given != case[1]]
    if not bad:
        return right(f"{len(cases)} errors of the lab, of writes and of reads: each has the right cause.")
    (what, _, error), given = bad[0]
    seen = f"{len(cases) - len(bad)} of {len(cases)} errors are judged rightly. Not this: {what}; it said {given!r}."
    throttles = [(case, given) for case, given in zip(cases, said, strict=True) if case[1] is not None]
    if all(case[1] is None for case, _ in bad):
        wrong("every_error", f"{seen} This error has no throttling reasons: sending less would not help.")
    if all(given is None for _, given in bad) and len({_is_throttling(case[2]) for case, _ in bad}) == 1:
        spelled = "throttlingReasons" if _is_throttling(error) else "ThrottlingReasons"
        others = [given for case, given in throttles if _is_throttling(case[2]) != _is_throttling(error)]
        if None not in others:
            wrong(
                "one_spelling", f"{seen} Its reasons stand under {spelled!r}. The two exceptions spell it differently."
            )
    if all(given == (CAPACITY if case[1] == KEY else KEY) for case, given in throttles):
        wrong("swapped", f"{seen} So it is with all the throttles: are 'key' and 'capacity' exchanged?")
    if cases[1] in [case for case, _ in bad] and said[0] == KEY:
        wrong(
            "by_name",
            f"{seen} Name and message follow the table's mode, whatever limit was met. Look at the reasons.",
        )
    if all(case[1] == KEY and not _is_write(case[2]) for case, _ in bad):
        wrong("exact_reason", f"{seen} Reads have such a limit too. What do the ends of both reasons have in common?")
    wrong(
        "elsewhere", f"{seen} Print the reasons of the two throttles in the notebook and compare them with your rule."
    )


def _is_write(error: ClientError) -> bool:
    return bool(error.operation_name == "PutItem")


# ── b: another key ───────────────────────────────────────────────────────────────────────

ORDERS_PER_SECOND = 3_000
MOST_REFUSED = 0.02
"""Share of a second's orders that may be refused, on the worst of the days: what chance does to a good key."""
_CITIES = ("Madrid", "Barcelona", "Valencia", "Sevilla", "Bilbao", "Logroño")
_DAYS = ("2026-10-02", "2026-10-03", "2026-10-04", "2026-10-05")


def _orders(day: str, draw: random.Random) -> list[dict[str, str]]:
    first = draw.randrange(100_000, 900_000)
    return [
        {
            "pedido": f"PED-{first + i:07}",
            "fecha": day,
            # The wholesaler is the reason that a customer is no even key either.
            "cliente": "CLIENTE#0001" if draw.random() < 0.45 else f"CLIENTE#{draw.randrange(2, 40_000):04}",
            "ciudad": draw.choice(_CITIES),
            "estado": "pendiente",
        }
        for i in range(ORDERS_PER_SECOND)
    ]


@exercise.question(
    "b",
    asks="Write partition_key(order), then check it: lab.check('first_throttle.b', partition_key).",
    hints=(
        "How many different values does your key have in one second, and how often does the most frequent one occur?",
        "Customer service knows fecha and pedido. Both may stand in the key, or a number made from them.",
        "The order's number is different for each order. It can be the key, or give a suffix to the day, as in the "
        "lesson: zlib.crc32(order['pedido'].encode()) % 200 + 1.",
    ),
    value="for example f\"PEDIDO#{order['pedido']}\", or the day with a suffix of 1 to 200 calculated from pedido",
    solution="""
        import zlib

        def partition_key(order):
            suffix = zlib.crc32(order["pedido"].encode()) % 200 + 1
            return f"PEDIDOS#{order['fecha']}.{suffix}"
    """,
    road="A key spreads if it has many values and none of them is frequent. It can be found again if it is made of "
    "what the reader knows. pedido does both; so does a suffix that is calculated from it.",
    misconceptions={
        "one_key": "one key for all orders of a second",
        "few_values": "a key with few values",
        "one_frequent_value": "one value gets a large part of the orders",
        "too_few_suffixes": "too few suffixes to come out even",
        "salted_hash": "hash() differs from process to process",
        "not_repeatable": "the same order gets different keys",
        "not_known": "the key holds what the reader does not know",
    },
)
def _judge_key(answer: Any, learner: Learner) -> Verdict:
    partition_key = a_function(answer, "partition_key", "order")
    draw = random.Random(60_213)
    days = [_orders(day, draw) for day in _DAYS]
    keys = [learner.each(partition_key, [(dict(order),) for order in orders]) for orders in days]
    for given in (key for day in keys for key in day):
        if not isinstance(given, str) or not 1 <= len(given.encode()) <= 2_048:
            wrong(
                WRONG_TYPE, f"A partition key of this table is a text of 1 to 2,048 bytes; one order got {given!r:.60}."
            )
    refused = max(map(_refused_share, keys))
    counts = collections.Counter(keys[0])
    frequent, often = counts.most_common(1)[0]
    seen = f"{ORDERS_PER_SECOND:,} orders in a second: {refused:.0%} are refused on the worst of {len(days)} days."
    if refused > MOST_REFUSED:
        if len(counts) == 1:
            wrong("one_key", f"{seen} They all have one key, {frequent!r:.40}, and so one partition.")
        if len(counts) <= len(_CITIES):
            wrong("few_values", f"{seen} There are only {len(counts)} keys, one heap of orders each.")
        if often > 0.3 * ORDERS_PER_SECOND:
            wrong(
                "one_frequent_value",
                f"{seen} There are {len(counts):,} keys, but {frequent!r:.40} alone gets {often:,} orders. Whose?",
            )
        wrong(
            "too_few_suffixes",
            f"{seen} {len(counts):,} keys fall on four partitions by chance, and one gets more than its share. "
            "More keys come out more even.",
        )
    _must_be_found_again(partition_key, learner, days[0][:60])
    return right(f"{seen} Whoever knows an order's number and day finds it with one GetItem.")


def _refused_share(keys: Sequence[str]) -> float:
    """Return the share of a second's orders, of one write unit each, that four partitions refuse."""
    counts = collections.Counter(keys)
    demand = np.array(list(counts.values()), dtype=np.float64)
    _, refused = admitted(demand, places(list(counts), ON_DEMAND_PARTITIONS), ON_DEMAND_PARTITIONS)
    return float(refused.sum() / len(keys))


def _must_be_found_again(
    partition_key: Callable[..., Any], learner: Learner, orders: Sequence[Mapping[str, str]]
) -> None:
    first = learner.each(partition_key, [(dict(order),) for order in orders])
    again = learner.each(partition_key, [(dict(order),) for order in reversed(orders)])
    if again[::-1] != first:
        wrong(
            "not_repeatable",
            "The orders spread well, but the same order got another key when it was asked for a second time. Nobody "
            "can find it again: calculate the key from the order.",
        )
    with mock.patch("builtins.hash", lambda value, real=hash: real(("another process", value))):
        elsewhere = learner.each(partition_key, [(dict(order),) for order in orders])
    if elsewhere != first:
        wrong(
            "salted_hash",
            "The orders spread well, but Python's hash() of a text differs from process to process: another "
            "program would look under another key. zlib.crc32 does not.",
        )
    known = ("pedido", "fecha")
    asked = [{**dict.fromkeys(order, "?"), **{name: order[name] for name in known}} for order in orders]
    if learner.each(partition_key, [(order,) for order in asked]) != first:
        wrong(
            "not_known",
            "The orders spread well, but the key changes with something other than pedido and fecha. Customer "
            "service knows only these two and could not build it.",
        )


# ── c: the least that throttles ──────────────────────────────────────────────────────────

PROMISED = 40_000
"""Units a second that the attacked table is ready for, reads and writes alike."""
MOST_SHARE = 0.05
_BUDGET = 1_500
_READS = {"GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"}


@exercise.question(
    "c",
    asks="Write attack(dynamodb, table), then check it: lab.check('first_throttle.c', attack).",
    hints=(
        "What limits a partition: 1,000 write units a second. What share of 40,000 is that?",
        "Stay on one partition key. Time stands still while your requests come, so they all fall into one second.",
        "Units are sizes: an item of 390 KB is 390 write units. After three, that key's next write is refused.",
    ),
    value="writes to one single key, a little over 1,000 units: for example four items of 390 KB",
    solution="""
        def attack(dynamodb, table):
            for i in range(4):
                item = {"PK": {"S": "PEDIDOS#2026-09-06"}, "SK": {"S": f"PEDIDO#{i}"}, "v": {"S": "x" * 390 * 1024}}
                dynamodb.put_item(TableName=table, Item=item)
    """,
    road="One key lives in one partition, and that takes 1,000 write units a second however much the table is "
    "promised. The larger the table, the smaller the share of it at which one key is refused: here 2.5 %, and "
    "the last item that is still let in brings it to 2.9 %.",
    misconceptions={
        "spread": "the load is spread over several keys",
        "too_little": "the ceiling of a partition is not reached",
        "reads": "a partition takes three times as many read units",
        "too_much": "far more than one partition's worth",
        "other_table": "another table than the one it was given",
    },
)
def _judge_attack(answer: Any, learner: Learner) -> Verdict:
    attack = a_function(answer, "attack", "dynamodb", "table")
    client = _impatient()
    promise = {"ReadUnitsPerSecond": PROMISED, "WriteUnitsPerSecond": PROMISED}
    _create(client, _TABLE, WarmThroughput=promise)
    clock.advance(seconds=60)  # the promise of a new table is full after some seconds
    learner.most_requests = _BUDGET
    refused_at: list[int] = []

    def look(parsed: Mapping[str, Any], **_: Any) -> None:
        reasons = parsed.get("throttlingReasons") or parsed.get("ThrottlingReasons") or []
        hot = any(each["reason"].endswith("KeyRangeThroughputExceeded") for each in reasons)
        if hot or parsed.get("UnprocessedItems") or parsed.get("UnprocessedKeys"):
            refused_at.append(len(learner.requests))

    client.meta.events.register("after-call.dynamodb", look)
    try:
        learner.call(attack, client, _TABLE)
    except Judged:
        # Once something was refused, the exception that ended the attack is what it was after.
        if not refused_at:
            raise
    sent = learner.requests[: refused_at[0]] if refused_at else learner.requests
    if any(request.parameters.get("TableName", _TABLE) != _TABLE for request in sent):
        wrong("other_table", f"It spoke to another table. Attack the one that it is given, here {_TABLE!r}.")
    reads, writes = _consumed(sent)
    what = f"{len(sent):,} request{'s' * (len(sent) != 1)}, {writes:,.0f} write units and {reads:,g} read units"
    if not refused_at:
        keys = _keys(sent)
        if len(keys) > 1:
            wrong(
                "spread",
                f"{what}, and nothing was refused: {len(keys):,} partition keys share the load over many partitions.",
            )
        wrong(
            "too_little",
            f"{what}, and nothing was refused. A request is refused once its partition has nothing left: go on with "
            "the same key.",
        )
    share = max(reads, writes) / PROMISED
    if share <= MOST_SHARE:
        return right(
            f"{what}, and then a refusal: {share:.2%} of what the table is promised for a second. No larger promise "
            "would have helped."
        )
    if reads > writes and len(_keys(sent)) <= 1:
        wrong(
            "reads",
            f"{what}, and then a refusal: {share:.1%} of the table. A partition takes 3,000 read units a second; "
            "for writes its ceiling is lower.",
        )
    wrong(
        "too_much",
        f"{what}, and then a refusal: {share:.1%} of the table; {MOST_SHARE:.0%} is enough. Which of these "
        "requests did the refusing partition not even see?",
    )


def _consumed(sent: Sequence[Request]) -> tuple[float, float]:
    reads = sum(request.units for request in sent if request.operation in _READS)
    return reads, sum(request.units for request in sent) - reads


def _keys(sent: Sequence[Request]) -> set[str]:
    """Return the partition keys that the requests name, as text."""
    return {repr(key) for request in sent for key in _named(request.parameters)}


def _named(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        own = [value["PK"]] if "PK" in value else [value[":pk"]] if ":pk" in value else []
        return own + [key for part in value.values() for key in _named(part)]
    if isinstance(value, list | tuple):
        return [key for part in value for key in _named(part)]
    return []
