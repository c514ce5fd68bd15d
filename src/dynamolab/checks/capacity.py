"""Exercise 07, capacity arithmetic: the cost of a write, failures, a sort key, an export, the peak.

Costs are compared with what the lab charges; reading functions run in a fresh lab, on tables that the learner has not
seen, written with the learner's own sort keys.
"""

from __future__ import annotations

import collections
import functools
import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import boto3

from ..live import clock
from ..model.units import read_units, write_units
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("capacity")

KB = 1_024
_TABLE = "carritos-de-prueba"


def _new_table(client: Any) -> None:
    client.create_table(
        TableName=_TABLE,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
        BillingMode="PAY_PER_REQUEST",
    )


def _filled(item: Mapping[str, str], size: int) -> dict[str, Any]:
    """Return the item with a filling that brings it to ``size`` bytes."""
    used = sum(len(name.encode()) + len(value.encode()) for name, value in item.items()) + len("lineas")
    return {name: {"S": value} for name, value in {**item, "lineas": "." * (size - used)}.items()}


# ── a: what a write costs ─────────────────────────────────────────────────────────────────

CASES = (
    (0, 2_600, False),
    (0, 6_145, False),
    (5_300, 5_300, False),
    (8_900, 700, False),
    (700, 8_900, False),
    (6_500, 0, False),
    (0, 0, False),
    (0, 1_300, True),
    (12_100, 300, True),
    (0, 0, True),
)
"""Bytes before, bytes after (0: no item), and whether in a transaction."""


def _pieces(size: float) -> int:
    return math.ceil(size / KB)


def _cost(before: float, after: float, transactional: bool) -> float:
    return max(1, _pieces(max(before, after))) * (2 if transactional else 1)


_SLIPS: tuple[tuple[str, Callable[[float, float, bool], float], str], ...] = (
    ("after_only", lambda b, a, t: _cost(0, a, t), "What was there before counts as well."),
    ("before_only", lambda b, a, t: _cost(b, 0, t), "What is there afterwards counts as well."),
    ("difference", lambda b, a, t: _cost(0, abs(a - b), t), "It is not the change that is paid for, but an item."),
    (
        "both",
        lambda b, a, t: max(1, _pieces(b) + _pieces(a)) * (2 if t else 1),
        "The two items are not added up. One of them decides.",
    ),
    (
        "rounded_down",
        lambda b, a, t: max(1, int(max(b, a) // KB)) * (2 if t else 1),
        "A begun KB counts as a whole one.",
    ),
    ("nearest", lambda b, a, t: max(1, round(max(b, a) / KB)) * (2 if t else 1), "A begun KB counts as a whole one."),
    (
        "not_rounded",
        lambda b, a, t: max(1.0, max(b, a) / KB) * (2 if t else 1),
        "A begun KB counts as a whole one.",
    ),
    (
        "thousand",
        lambda b, a, t: max(1, math.ceil(max(b, a) / 1_000)) * (2 if t else 1),
        "A KB has 1,024 bytes here.",
    ),
    ("no_minimum", lambda b, a, t: _pieces(max(b, a)) * (2 if t else 1), "Deleting nothing is a write, too."),
    ("single", lambda b, a, t: _cost(b, a, False), "In a transaction each write is made twice over."),
    (
        "doubled_first",
        lambda b, a, t: max(1, _pieces(max(b, a) * (2 if t else 1))),
        "Round first, then double: it is the units that are doubled, not the bytes.",
    ),
)


@functools.cache
def _charged() -> tuple[float, ...]:
    """Return what the lab charges for each case, by running it; call it inside a check's lab."""
    client = boto3.client("dynamodb")
    _new_table(client)
    found = []
    for number, (before, after, transactional) in enumerate(CASES):
        key = {"PK": f"CLIENTE#{number}", "SK": "CARRITO"}
        if before:
            client.put_item(TableName=_TABLE, Item=_filled(key, before))
        clock.advance(seconds=1)
        what: dict[str, Any] = {"TableName": _TABLE}
        what |= {"Item": _filled(key, after)} if after else {"Key": {name: {"S": value} for name, value in key.items()}}
        if transactional:
            answer = client.transact_write_items(
                TransactItems=[{"Put" if after else "Delete": what}], ReturnConsumedCapacity="TOTAL"
            )["ConsumedCapacity"][0]
        else:
            call = client.put_item if after else client.delete_item
            answer = call(**what, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
        found.append(float(answer["CapacityUnits"]))
    return tuple(found)


@exercise.question(
    "a",
    asks="Write write_cost(before, after, transactional), then check it: lab.check('capacity.a', write_cost).",
    hints=(
        "A put over an item of 5 KB with one of 100 bytes: measure it. Which of the two is paid for?",
        "The larger of both, in begun pieces of 1,024 bytes, and at least one. Then the transaction.",
        "max(1, math.ceil(max(before, after) / 1024)), twice in a transaction.",
    ),
    value="max(1, ceil(max(before, after) / 1024)), times 2 in a transaction",
    solution="""
        import math

        def write_cost(before, after, transactional):
            units = max(1, math.ceil(max(before, after) / 1024))
            return 2 * units if transactional else units
    """,
    road="The larger of the item before and the item after, in begun KB, at least one; a transaction doubles the "
    "units.",
    misconceptions={
        "after_only": "only the new item",
        "before_only": "only the old item",
        "difference": "only what changes",
        "both": "both items added up",
        "rounded_down": "rounded down",
        "nearest": "rounded to the nearest",
        "not_rounded": "not rounded",
        "thousand": "a KB of 1,000 bytes",
        "no_minimum": "a write that costs nothing",
        "single": "a transaction at the simple price",
        "doubled_first": "doubled before rounding",
        "elsewhere": "another sum",
    },
)
def _judge_cost(answer: Any, learner: Learner) -> Verdict:
    write_cost = a_function(answer, "write_cost", "before", "after", "transactional")
    charged = _charged()
    given = [a_number(each, "write units") for each in learner.each(write_cost, CASES)]
    bad = next(
        (i for i, (mine, theirs) in enumerate(zip(given, charged, strict=True)) if abs(mine - theirs) > 0.01), None
    )
    if bad is None:
        return right(f"{len(CASES)} writes, deletes and transactions in a fresh lab: charged as you say, each of them.")
    before, after, transactional = CASES[bad]
    kind = "a transaction" if transactional else "a write"
    seen = (
        f"{kind[0].upper()}{kind[1:]} from {before:,} to {after:,} bytes: write_cost says {given[bad]:g}, the "
        "lab charges "
        f"{'more' if charged[bad] > given[bad] else 'less'}."
    )
    for name, slip, says in _SLIPS:
        if all(abs(slip(*case) - mine) < 0.01 for case, mine in zip(CASES, given, strict=True)):
            wrong(name, f"{seen} {says}")
    wrong("elsewhere", f"{seen} Measure this one by itself, with ReturnConsumedCapacity.")


# ── b: failures ───────────────────────────────────────────────────────────────────────────

ORDER_KB, NEW_KB = 9, 3
FAILED = (ORDER_KB, 1, 2 * 1 + 2 * ORDER_KB)


@exercise.question(
    "b",
    asks="Set failed = (units, units, units), then check it: lab.check('capacity.b', failed).",
    hints=(
        "A condition is checked where the item lies. The work of looking is charged as if the write had been done.",
        "What is there decides: an order of 9 KB, or nothing, which costs the minimum.",
        "In a cancelled transaction each action is charged: twice the item that exists, or twice the minimum.",
    ),
    value="9, 1 and 20",
    solution="failed = (9, 1, 2 * 1 + 2 * 9)",
    road="9 for the order that is there, 1 where nothing is, and in the transaction twice each: 2 for the item "
    "that does "
    "not exist yet, 18 for the one that does.",
    misconceptions={
        "free": "failures that cost nothing",
        "minimum_only": "the minimum whatever is there",
        "not_there": "a missing item at the price of an existing one",
        "simple_price": "a transaction at the simple price",
        "one_action": "only one action of the transaction",
        "attempted": "the item that was not written",
        "elsewhere": "another number",
    },
)
def _judge_failed(answer: Any, learner: Learner) -> Verdict:
    first, second, third = _numbers(answer, 3, "the units of the repeated order, the missing cart, the transaction")
    if 0 in (first, second, third):
        wrong("free", "One of them costs nothing, you say. Look at lesson 07's failed condition in CloudWatch.")
    if first == 1:
        wrong("minimum_only", "The repeated order: what is looked at is an order of 9 KB, not nothing.")
    if first != FAILED[0]:
        wrong(
            "elsewhere",
            f"The repeated order: {first:g} units. There is an item, it has 9 KB, and it is no transaction.",
        )
    if second != FAILED[1]:
        wrong("not_there", f"The missing cart: {second:g} units. How large is an item that is not there?")
    if third == FAILED[2]:
        return right("9, 1 and 20 units: failing is charged by what is there, and twice in a transaction.")
    if third == FAILED[2] / 2:
        wrong("simple_price", f"The transaction: {third:g} units would be right for two single writes.")
    if third in (2 * ORDER_KB, 2):
        wrong(
            "one_action", f"The transaction: {third:g} units are those of one action. It has two, and both are charged."
        )
    if third in (2 * (NEW_KB + ORDER_KB), NEW_KB + ORDER_KB, 2 * NEW_KB):
        wrong(
            "attempted",
            f"The transaction: {third:g} units. The cart of 3 KB is never written. What is there in its place?",
        )
    wrong("elsewhere", f"The transaction: {third:g} units. Charge each action by what is there, and then twice.")


def _numbers(answer: Any, count: int, what: str) -> list[float]:
    """Return so many numbers of a tuple or list; a missing one is not attempted, anything else a wrong type."""
    if not isinstance(answer, tuple | list) or len(answer) != count:
        wrong(WRONG_TYPE, f"The check needs {count} numbers: {what}.")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", (f"Give all {count}: {what}.",)))
    found = [a_number(part, what) for part in answer]
    if not all(math.isfinite(number) for number in found):
        wrong(WRONG_TYPE, f"Each of {what} is a finite number.")
    return found


# ── c: a sort key ─────────────────────────────────────────────────────────────────────────

_MONTH = "2026-11"
_CUSTOMER, _ROBOT = "4471", "robot"
_ROBOT_PAID = 100
_MOST_QUERIES = 150
"""Requests that one call may send; the longest list has two pages."""
_SIZES = {_CUSTOMER: 3_072, _ROBOT: 12_288}


@functools.cache
def _carts() -> Mapping[str, tuple[dict[str, str], ...]]:
    """Return the carts of two customers: one with few that are wanted, one with more than a page of them."""
    draw = random.Random(70_309)

    def cart(number: int, estado: str, fecha: str) -> dict[str, str]:
        return {"id": f"C-{number:05}", "fecha": fecha, "estado": estado}

    def some_time(month: str) -> str:
        clock_time = ":".join(f"{draw.randrange(limit):02}" for limit in (24, 60, 60))
        return f"{month}-{draw.randrange(1, 31):02}T{clock_time}Z"

    edges = ["2026-11-01T00:00:00Z", "2026-11-30T23:59:59Z", "2026-10-31T23:59:59Z", "2026-12-01T00:00:00Z"]
    states = ("activo", "pagado", "vacio")
    few = [cart(100 + i, "pagado", fecha) for i, fecha in enumerate(edges)]
    few += [
        cart(200 + i, states[i % 3], some_time(("2026-10", _MONTH, _MONTH, "2026-12")[i // 3 % 4])) for i in range(60)
    ]
    few.append({**few[0], "id": "C-00399"})  # another cart of the same second
    many = [cart(1_000 + i, "pagado", some_time(_MONTH)) for i in range(_ROBOT_PAID)]
    many += [cart(2_000 + i, "vacio", some_time(_MONTH)) for i in range(10)]
    return {_CUSTOMER: tuple(draw.sample(few, len(few))), _ROBOT: tuple(draw.sample(many, len(many)))}


def _wanted(customer: str) -> set[str]:
    return {
        cart["id"] for cart in _carts()[customer] if cart["estado"] == "pagado" and cart["fecha"].startswith(_MONTH)
    }


@exercise.question(
    "c",
    asks="Write sort_key(cart) and paid(dynamodb, table, customer, month), then check both: "
    "lab.check('capacity.c', (sort_key, paid)).",
    hints=(
        "What is read is paid for. Which carts must lie side by side, so that one Query reads them and no others?",
        "The state first, then the time: the paid ones of a month are then one stretch. Two carts may have the "
        "same time.",
        'f"{estado}#{fecha}#{id}", and begins_with(SK, "pagado#2026-11"). A Query has pages: follow LastEvaluatedKey.',
    ),
    value="f\"{cart['estado']}#{cart['fecha']}#{cart['id']}\", and begins_with(SK, f\"pagado#{month}\")",
    solution="""
        def sort_key(cart):
            return f"{cart['estado']}#{cart['fecha']}#{cart['id']}"

        def paid(dynamodb, table, customer, month):
            pages = dynamodb.get_paginator("query").paginate(
                TableName=table,
                KeyConditionExpression="PK = :pk AND begins_with(SK, :paid)",
                ExpressionAttributeValues={
                    ":pk": {"S": f"CLIENTE#{customer}"},
                    ":paid": {"S": f"pagado#{month}"},
                },
            )
            return [cart for page in pages for cart in page["Items"]]
    """,
    road="The condition on the key decides what is read; so what is asked for together has to lie together: first the "
    "state, then the time, and the id so that no two keys are the same.",
    misconceptions={
        "not_unique": "two carts with one key",
        "filter": "a filter after the reading",
        "reads_too_much": "carts read that are not wanted",
        "scan": "a Scan reads the whole table",
        "strong": "a strongly consistent read at twice the price",
        "one_page": "only the first page",
        "missing": "carts that are missing",
        "too_many": "carts that are not wanted",
        "nothing": "no carts at all",
    },
)
def _judge_layout(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "The check needs both functions: (sort_key, paid).")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", ("Write both, sort_key and paid.",)))
    sort_key = a_function(answer[0], "sort_key", "cart")
    paid = a_function(answer[1], "paid", "dynamodb", "table", "customer", "month")
    client = boto3.client("dynamodb")
    _new_table(client)
    for customer, carts in _carts().items():
        _write(client, customer, carts, [dict(cart) for cart in carts], sort_key, learner)
    read = {}
    learner.most_requests = _MOST_QUERIES
    for customer in (_CUSTOMER, _ROBOT):
        learner.requests.clear()
        rows = _ids(learner.call(paid, client, _TABLE, customer, _MONTH))
        read[customer] = sum(request.units for request in learner.requests)
        _must_not_scan(learner.requests)
        _must_be_wanted(rows, customer, len(learner.requests))
        _must_be_cheap(read[customer], customer, learner.requests)
    return right(
        f"{len(_wanted(_CUSTOMER))} of {len(_carts()[_CUSTOMER])} carts for {read[_CUSTOMER]:g} read units, and "
        f"{_ROBOT_PAID} large ones, two pages of them, for {read[_ROBOT]:g}. Nothing is read that is not wanted."
    )


def _write(
    client: Any,
    customer: str,
    carts: Sequence[Mapping[str, str]],
    given: Sequence[dict[str, str]],
    sort_key: Callable[..., Any],
    learner: Learner,
) -> None:
    keys = learner.each(sort_key, [(cart,) for cart in given])
    for key in keys:
        if not isinstance(key, str) or not 1 <= len(key.encode()) <= 1_024:
            wrong(WRONG_TYPE, f"A sort key here is a text of 1 to 1,024 bytes; sort_key gave {type(key).__name__}.")
    if len(set(keys)) < len(keys):
        twice = collections.Counter(keys).most_common(1)[0][0]
        wrong(
            "not_unique",
            f"{len(keys) - len(set(keys))} carts of a customer would be overwritten by others: {twice!r} comes "
            "more than "
            "once. What tells two carts apart?",
        )
    items = [
        _filled({"PK": f"CLIENTE#{customer}", "SK": key, **cart}, _SIZES[customer])
        for key, cart in zip(keys, carts, strict=True)
    ]
    for first in range(0, len(items), 25):
        client.batch_write_item(
            RequestItems={_TABLE: [{"PutRequest": {"Item": item}} for item in items[first : first + 25]]}
        )
        clock.advance(seconds=1)


def _ids(answered: Any) -> list[str]:
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"paid returns a list of carts; it gave {type(answered).__name__}.")
    found = [_plain(row, "id") for row in answered]
    if not all(isinstance(each, str) for each in found):
        wrong(WRONG_TYPE, "Each cart should be an item as the table holds it, with its id.")
    return found


def _plain(item: Any, name: str) -> Any:
    value = item.get(name) if isinstance(item, Mapping) else None
    return next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else value


def _must_not_scan(requests: Sequence[Request]) -> None:
    if any(request.operation == "Scan" for request in requests):
        wrong("scan", "A Scan pays for every cart of every customer. The customer is known: Query.")


def _must_be_wanted(rows: Sequence[str], customer: str, requests: int) -> None:
    wanted, got = _wanted(customer), set(rows)
    seen = f"{len(got & wanted)} of the {len(wanted)} paid carts of {_MONTH}"
    if not got:
        wrong(
            "nothing",
            "Not a single cart came back. Compare the key that paid asks for with the one that sort_key makes.",
        )
    if got - wanted or len(rows) > len(got):
        wrong(
            "too_many",
            f"{seen} came back, and {len(rows) - len(got & wanted)} more that are not wanted, or come twice.",
        )
    if customer == _ROBOT and got < wanted and requests == 1:
        wrong("one_page", f"{seen}: a Query ends after 1 MB and says so by LastEvaluatedKey. Go on from there.")
    if got < wanted:
        wrong("missing", f"{seen} came back. The first and the last second of the month belong to it, too.")


def _must_be_cheap(units: float, customer: str, requests: Sequence[Request]) -> None:
    least = read_units(len(_wanted(customer)) * _SIZES[customer])
    if units <= 1.3 * least + 1:
        return
    seen = f"The right carts, for {units:g} read units; {least:g} would do."
    if any("FilterExpression" in request.parameters for request in requests):
        wrong("filter", f"{seen} A filter works after the reading, and the reading is what is paid for.")
    if any(request.parameters.get("ConsistentRead") for request in requests):
        wrong("strong", f"{seen} For a list that is shown, an eventually consistent read is enough.")
    wrong("reads_too_much", f"{seen} Which carts are read and thrown away? Let the sort key put them elsewhere.")


# ── d: an export that leaves room ─────────────────────────────────────────────────────────

EXPORT_ITEMS, EXPORT_BYTES, EXPORT_BUDGET = 100, 26_000, 25
_SLACK = 10.0
_MOST_PAGES = EXPORT_ITEMS + 60


@exercise.question(
    "d",
    asks="Write export(dynamodb, table, units_per_second), then check it: lab.check('capacity.d', export).",
    hints=(
        "How many read units does a page of 1 MB take? And how many may be taken in a second?",
        "ReturnConsumedCapacity tells what a page has cost. So many units, at so many a second, take how long?",
        "After each page: time.sleep(units / units_per_second). And read eventually consistently: an export "
        "decides nothing.",
    ),
    value="after each page wait for its CapacityUnits / units_per_second; ConsistentRead left out",
    solution="""
        import time

        def export(dynamodb, table, units_per_second):
            items, start = [], {}
            while True:
                page = dynamodb.scan(TableName=table, ReturnConsumedCapacity="TOTAL", **start)
                items += page["Items"]
                if "LastEvaluatedKey" not in page:
                    return items
                start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
                time.sleep(page["ConsumedCapacity"]["CapacityUnits"] / units_per_second)
    """,
    road="A page of 1 MB costs 128 units at once, so at 25 a second it must be followed by five seconds of "
    "nothing. Smaller "
    "pages take smaller sips; each is rounded up by itself.",
    misconceptions={
        "full_speed": "no pause between the pages",
        "too_fast": "pauses that are too short",
        "too_slow": "far slower than it may",
        "strong": "strongly consistent reads at twice the price",
        "small_pages": "pages so small that rounding costs",
        "one_page": "only the first page",
        "lost_rows": "items that are missing",
        "duplicates": "items that come twice",
    },
)
def _judge_export(answer: Any, learner: Learner) -> Verdict:
    export = a_function(answer, "export", "dynamodb", "table", "units_per_second")
    client = boto3.client("dynamodb")
    _new_table(client)
    for first in range(0, EXPORT_ITEMS, 20):
        items = [_filled({"PK": f"CLIENTE#{i}", "SK": "CARRITO"}, EXPORT_BYTES) for i in range(first, first + 20)]
        client.batch_write_item(RequestItems={_TABLE: [{"PutRequest": {"Item": item}} for item in items]})
        clock.advance(seconds=1)
    clock.advance(minutes=1)
    sent: list[tuple[float, Request]] = []

    def note(request: Request) -> None:
        sent.append((clock.now().timestamp(), request))

    learner.refuse = note
    learner.most_requests = _MOST_PAGES
    answered = learner.call(export, client, _TABLE, EXPORT_BUDGET)
    reads = [
        (time, request) for time, request in sent if request.operation in ("Scan", "Query", "GetItem", "BatchGetItem")
    ]
    _must_be_all(answered, len(reads))
    total = sum(request.units for _, request in reads)
    least = EXPORT_ITEMS * EXPORT_BYTES / 4_096 / 2
    if total > 1.6 * least and any(request.parameters.get("ConsistentRead") for _, request in reads):
        wrong("strong", f"All items, for {total:g} read units; read eventually consistently they cost half of that.")
    _must_leave_room(reads, total)
    if total > 1.15 * least + 5:
        wrong(
            "small_pages",
            f"All items, for {total:g} read units in {len(reads)} requests; {least:.0f} would do. Each page is "
            "rounded up.",
        )
    took = reads[-1][0] - reads[0][0]
    if took > 3 * total / EXPORT_BUDGET + 5:
        wrong(
            "too_slow",
            f"All items, after {took:,.0f} s; at {EXPORT_BUDGET} units a second {total / EXPORT_BUDGET:.0f} s "
            "would do.",
        )
    return right(
        f"All {EXPORT_ITEMS} items for {total:g} read units within {took:.0f} s, and never more than "
        f"{EXPORT_BUDGET} a second "
        "from one page to any later one."
    )


def _must_be_all(answered: Any, requests: int) -> None:
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"export returns a list of items; it gave {type(answered).__name__}.")
    keys = [_plain(row, "PK") for row in answered]
    if not all(isinstance(key, str) for key in keys):
        wrong(WRONG_TYPE, "export returns the items as the table holds them, with their keys.")
    got = len(set(keys))
    if got < EXPORT_ITEMS and requests <= 1:
        wrong("one_page", f"{got} of {EXPORT_ITEMS} items: a Scan ends after 1 MB and says so by LastEvaluatedKey.")
    if got < EXPORT_ITEMS:
        wrong("lost_rows", f"{got} of {EXPORT_ITEMS} items came back. Is every page added, the last one too?")
    if len(keys) > got:
        wrong("duplicates", f"{len(keys) - got} items come more than once. Where does each page begin?")


def _must_leave_room(reads: Sequence[tuple[float, Request]], total: float) -> None:
    """Between any two requests there is time for what was read from the first of them to before the second."""
    waited = reads[-1][0] - reads[0][0]
    for i, (began, _) in enumerate(reads):
        units = 0.0
        for j in range(i + 1, len(reads)):
            units += reads[j - 1][1].units
            time = reads[j][0] - began
            if units > EXPORT_BUDGET * time + _SLACK:
                seen = (
                    f"{units:g} read units within {time:.1f} s, before request {j + 1}; {EXPORT_BUDGET} a "
                    "second are allowed."
                )
                if waited < 0.1 * total / EXPORT_BUDGET:
                    wrong("full_speed", f"{seen} The shop finds the table's units gone.")
                wrong("too_fast", f"{seen} So many units must be followed by how long a pause?")


# ── e: the peak ───────────────────────────────────────────────────────────────────────────

Mix = list[dict[str, Any]]
_READS = ("get", "query")


def _row(call: str, per_order: float, size: int, read: str = "") -> dict[str, Any]:
    return {"call": call, "per_order": per_order, "bytes": size, "read": read}


MIXES: tuple[tuple[Mix, float], ...] = (
    ([_row("put", 3, 2_600), _row("update", 12.5, 700), _row("get", 20, 5_000, "eventual")], 1_800),
    ([_row("put", 1, 400), _row("get", 9, 3_000, "strong"), _row("get", 9, 3_000, "eventual")], 7_200),
    (
        [
            _row("put", 2.5, 11_300),
            _row("delete", 2.5, 11_300),
            _row("query", 8, 30_000, "eventual"),
            _row("query", 1.5, 9_000, "strong"),
        ],
        3_000,
    ),
)


def _units(row: Mapping[str, Any]) -> float:
    if row["call"] in _READS:
        return read_units(row["bytes"], consistency=row["read"])
    return float(write_units(row["bytes"]))


def _peak(mix: Mix, orders: float, units: Callable[[Mapping[str, Any]], float] = _units) -> tuple[float, float]:
    reads, writes = (
        sum(row["per_order"] * units(row) for row in mix if (row["call"] in _READS) is is_read)
        for is_read in (True, False)
    )
    return writes * orders / 3_600, reads * orders / 3_600


def _bytes_first(mix: Mix, orders: float) -> tuple[float, float]:
    writes = sum(row["per_order"] * row["bytes"] for row in mix if row["call"] not in _READS)
    strong, eventual = (
        sum(row["per_order"] * row["bytes"] for row in mix if row["call"] in _READS and row["read"] == how)
        for how in ("strong", "eventual")
    )
    each = orders / 3_600
    return writes / KB * each, (strong + eventual / 2) / 4_096 * each


_PEAK_SLIPS: tuple[tuple[str, Callable[[Mix, float], tuple[float, float]], str], ...] = (
    ("swapped", lambda mix, n: (_peak(mix, n)[1], _peak(mix, n)[0]), "Write units come first."),
    (
        "per_hour",
        lambda mix, n: (_peak(mix, n)[0] * 3_600, _peak(mix, n)[1] * 3_600),
        "These are the units of an hour; a second's are wanted.",
    ),
    ("per_order", lambda mix, n: _peak(mix, 3_600), "These are the units of one order. How many come in a second?"),
    ("requests", lambda mix, n: _peak(mix, n, lambda row: 1.0), "These are requests, not units."),
    (
        "bytes_first",
        _bytes_first,
        "The bytes of many requests are not added before rounding: each request is rounded up by itself.",
    ),
    (
        "all_strong",
        lambda mix, n: _peak(mix, n, lambda row: _units({**row, "read": "strong"})),
        "An eventually consistent read costs half.",
    ),
    (
        "all_eventual",
        lambda mix, n: _peak(mix, n, lambda row: _units({**row, "read": "eventual"})),
        "A strongly consistent read costs twice the eventual one.",
    ),
    (
        "write_size",
        lambda mix, n: _peak(mix, n, lambda row: write_units(row["bytes"]) * (0.5 if row["read"] == "eventual" else 1)),
        "A read unit covers 4 KB, not 1.",
    ),
)


@exercise.question(
    "e",
    asks="Write peak(mix, orders_per_hour), then check it: lab.check('capacity.e', peak).",
    hints=(
        "First the units of one request of each row, rounded up; then times per_order; then times orders a second.",
        "Reads: begun pieces of 4,096 bytes, half of that if eventually consistent. Writes: begun pieces of 1,024.",
        "Add up separately: put, update and delete on one side, get and query on the other.",
    ),
    value="the sum of per_order x units of one request, times orders_per_hour / 3600, by side",
    solution="""
        import math

        def peak(mix, orders_per_hour):
            writes = reads = 0
            for row in mix:
                if row["call"] in ("get", "query"):
                    units = math.ceil(row["bytes"] / 4096) * (1 if row["read"] == "strong" else 0.5)
                    reads += row["per_order"] * units
                else:
                    writes += row["per_order"] * math.ceil(row["bytes"] / 1024)
            return writes * orders_per_hour / 3600, reads * orders_per_hour / 3600
    """,
    road="Round each request by itself, multiply by how many an order brings, add by side, and bring it to a second.",
    misconceptions={
        "swapped": "writes and reads the wrong way round",
        "per_hour": "an hour's units",
        "per_order": "one order's units",
        "requests": "requests counted, not units",
        "bytes_first": "bytes added before rounding",
        "all_strong": "eventual reads at the full price",
        "all_eventual": "strong reads at half the price",
        "write_size": "reads in pieces of 1 KB",
        "elsewhere": "another sum",
    },
)
def _judge_peak(answer: Any, learner: Learner) -> Verdict:
    peak = a_function(answer, "peak", "mix", "orders_per_hour")
    given = []
    for mix, orders in MIXES:
        pair = learner.call(peak, [dict(row) for row in mix], orders)
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__") or len(pair) != 2:
            wrong(WRONG_TYPE, f"peak returns two numbers, write units and read units; it gave {type(pair).__name__}.")
        given.append(tuple(a_number(list(pair)[i], "units a second") for i in range(2)))
    truth = [_peak(mix, orders) for mix, orders in MIXES]
    if all(_same(mine, theirs) for mine, theirs in zip(given, truth, strict=True)):
        told = "; ".join(f"{writes:.1f} and {reads:.1f}" for writes, reads in truth)
        return right(f"Three mixes that you have not seen, write and read units a second: {told}.")
    which = next(i for i, (mine, theirs) in enumerate(zip(given, truth, strict=True)) if not _same(mine, theirs))
    seen = (
        f"Mix {which + 1} of {len(MIXES)}: peak says {given[which][0]:.4g} write and {given[which][1]:.4g} read units."
    )
    for name, slip, says in _PEAK_SLIPS:
        if all(_same(mine, slip(*case)) for mine, case in zip(given, MIXES, strict=True)):
            wrong(name, f"{seen} {says}")
    wrong(
        "elsewhere",
        f"{seen} Work out one row by hand: the units of one request, times per_order, times orders a second.",
    )


def _same(mine: Sequence[float], theirs: Sequence[float]) -> bool:
    """Whether both sides agree; a result rounded up to whole units does."""
    return all(abs(a - b) <= 0.005 * b + 1e-6 or a == math.ceil(round(b, 6)) for a, b in zip(mine, theirs, strict=True))
