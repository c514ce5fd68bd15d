"""Exercise 11, secondary indexes: what a write pays them, a sparse one, a cheap one, one for three
questions, and one that is late.

Designs are judged by what the lab charges and returns for them, on data that no notebook shows.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import boto3
from botocore.exceptions import ClientError, ParamValidationError

from ..live import clock, replicas
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, a_number
from .verdicts import Verdict, right, wrong

exercise = Exercise("indexes")

_TABLE = "pedidos-de-prueba"


def _key(name: str, kind: str = "HASH") -> dict[str, str]:
    return {"AttributeName": name, "KeyType": kind}


def _index(name: str, partition: str, sort: str, projection: Any) -> dict[str, Any]:
    return {"IndexName": name, "KeySchema": [_key(partition), _key(sort, "RANGE")], "Projection": projection}


def _create(client: Any, indexes: Sequence[Mapping[str, Any]], *keys: dict[str, str]) -> None:
    schema = list(keys) or [_key("PK")]
    names = {key["AttributeName"] for key in schema}
    names |= {key["AttributeName"] for index in indexes for key in index["KeySchema"]}
    client.create_table(
        TableName=_TABLE,
        KeySchema=schema,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in sorted(names)],
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=list(indexes),
    )


def _create_as_asked(client: Any, index: Mapping[str, Any], misconception: str) -> None:
    """Create the table with the learner's index; end the judgement if DynamoDB would refuse it."""
    try:
        kind = index["Projection"]["ProjectionType"]
        if kind not in ("ALL", "INCLUDE", "KEYS_ONLY"):
            wrong(misconception, f"A projection's type is ALL, INCLUDE or KEYS_ONLY; this one is {kind!r}.")
        _create(client, [index])
    except (ClientError, ParamValidationError) as error:
        what = " ".join(str(error).split())
        wrong(misconception, f"create_table refused it: {what[:220]}")
    except (TypeError, KeyError, AttributeError):
        wrong(
            misconception,
            "It is not what create_table takes: compare its form, name by name, with the one in the text.",
        )


def _put(client: Any, item: Mapping[str, str]) -> Any:
    texts = {name: {"S": text} for name, text in item.items()}
    answer = client.put_item(TableName=_TABLE, Item=texts, ReturnConsumedCapacity="INDEXES")
    clock.advance(seconds=0.1)  # so slowly that no write is refused
    return answer


def _text(item: Any, name: str) -> Any:
    """Return an attribute's text from a low-level or a plain item; None if it has none."""
    value = item.get(name) if isinstance(item, Mapping) else None
    return next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else value


def _rows(answered: Any, function: str, *names: str) -> list[Mapping[str, Any]]:
    """Return the answer if it is a list of items that have PK and these attributes; else end the judgement."""
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"{function} should return a list of items; it gave {type(answered).__name__}.")
    for row in answered:
        if not isinstance(row, Mapping) or not isinstance(_text(row, "PK"), str):
            what = f"a dict with {', '.join(map(str, row))}" if isinstance(row, Mapping) else type(row).__name__
            wrong(WRONG_TYPE, f"Each row should be an item with its PK, as DynamoDB returns it; one was {what}.")
        missing = [name for name in names if _text(row, name) is None]
        if missing:
            wrong(
                "not_shown",
                f"The screen shows {' and '.join(names)}; the rows came without {' and '.join(missing)}. An index "
                "holds its keys, the table's key and what its projection copies, nothing else.",
            )
    return list(answered)


def _must_not_scan(requests: Sequence[Request]) -> None:
    if any(request.operation == "Scan" and "IndexName" not in request.parameters for request in requests):
        units = sum(request.units for request in requests)
        wrong(
            "scan",
            f"A Scan of the table reads and pays for every item, here {units:g} read units in all. Query the index.",
        )


def _entries(client: Any) -> int:
    return int(client.describe_table(TableName=_TABLE)["Table"]["GlobalSecondaryIndexes"][0]["ItemCount"])


# ── a: what one order's life pays the indexes ──────────────────────────────────────────

LIFE_UNITS = {"gsi-estado": 42, "gsi-repartidor": 2, "gsi-cliente": 3}
"""Write units of each index over the four writes of the exercise; a test runs them in the lab."""
_WRITES, _ORDER_UNITS = 4, 7


def life() -> dict[str, float]:
    """Run the four writes of question a in the running lab; return the units that each index was charged."""
    client = boto3.client("dynamodb")
    everything, keys = {"ProjectionType": "ALL"}, {"ProjectionType": "KEYS_ONLY"}
    state_too = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["estado"]}
    _create(
        client,
        [
            _index("gsi-estado", "estado", "fecha", everything),
            _index("gsi-repartidor", "repartidor", "fecha", keys),
            _index("gsi-cliente", "cliente", "fecha", state_too),
        ],
    )
    order = {"PK": "PEDIDO#1", "estado": "pendiente", "fecha": "2026-09-06", "cliente": "4471", "lineas": "x" * 6500}
    answers = [_put(client, order)]
    for expression, values in (
        ("SET nota = :a", {":a": "timbre roto"}),
        ("SET estado = :a, repartidor = :b", {":a": "en_reparto", ":b": "R7"}),
        ("SET estado = :a REMOVE repartidor", {":a": "entregado"}),
    ):
        answers.append(
            client.update_item(
                TableName=_TABLE,
                Key={"PK": {"S": "PEDIDO#1"}},
                UpdateExpression=expression,
                ExpressionAttributeValues={name: {"S": text} for name, text in values.items()},
                ReturnConsumedCapacity="INDEXES",
            )
        )
    used = [answer["ConsumedCapacity"].get("GlobalSecondaryIndexes", {}) for answer in answers]
    return {name: sum(one.get(name, {}).get("CapacityUnits", 0.0) for one in used) for name in LIFE_UNITS}


@exercise.question(
    "a",
    asks="Put three numbers in place of the dots: units = {'gsi-estado': ..., 'gsi-repartidor': ..., 'gsi-cliente': "
    "...}.",
    hints=(
        "Make a table: four writes down, three indexes across. In each field ask: is the order in this index before "
        "the write, is it after, and has anything changed that the index holds?",
        "Put 1 times, delete 1 times, move 2 times the entry's units, nothing if nothing in the entry changes. An "
        "entry of keys and one short attribute is 1 unit.",
        "gsi-repartidor holds the order only while it has a repartidor. gsi-estado copies all, so that the note counts "
        "there, and estado changes twice.",
    ),
    value="gsi-estado 7 + 7 + 14 + 14 = 42, gsi-repartidor 0 + 0 + 1 + 1 = 2, gsi-cliente 1 + 0 + 1 + 1 = 3",
    solution="units = {'gsi-estado': 42, 'gsi-repartidor': 2, 'gsi-cliente': 3}",
    road="Index by index and write by write: put 1, move 2, delete 1, untouched 0, times the units of the entry.",
    misconceptions={
        "moved_in_place": "an entry that moves counted once",
        "all_moves": "every write taken for a move",
        "not_sparse": "an order without the key counted as an entry",
        "unprojected": "a change of what is not copied counted",
        "whole_item": "the item's size taken for the entry's",
        "elsewhere": "another number",
    },
)
def _judge_life(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Mapping) or set(answer) != set(LIFE_UNITS):
        wrong(
            WRONG_TYPE,
            f"The check needs a dict with the keys {', '.join(LIFE_UNITS)}; each value is a number of units.",
        )
    if any(value is ... or value is None for value in answer.values()):
        return Verdict("not attempted", ("Some of the dots are still there.",))
    given = {name: a_number(answer[name], f"the write units of {name}") for name in LIFE_UNITS}
    bad = [name for name, units in LIFE_UNITS.items() if given[name] != units]
    if not bad:
        return right("All three, as the lab charges them: what an index costs depends on what it holds of each write.")
    name, units = bad[0], given[bad[0]]
    seen = f"{len(LIFE_UNITS) - len(bad)} of 3 are right. Look at {name}, for which you have {units:g}."
    if name == "gsi-estado":
        if units == _WRITES * _ORDER_UNITS:
            wrong("moved_in_place", f"{seen} That is once per write. estado is its key: what must happen to the entry?")
        if units == 2 * _WRITES * _ORDER_UNITS:
            wrong("all_moves", f"{seen} That is twice per write. Which of the four writes changes its key?")
    elif units and units % _ORDER_UNITS == 0:
        wrong(
            "whole_item", f"{seen} Units are counted by the size of the entry. What does this index copy of the order?"
        )
    elif name == "gsi-repartidor" and units >= _WRITES:
        wrong("not_sparse", f"{seen} In two of the four writes the order has no repartidor, neither before nor after.")
    elif name == "gsi-cliente" and units == _WRITES:
        wrong(
            "unprojected", f"{seen} That is one per write. Does each of the four writes change something that it holds?"
        )
    wrong("elsewhere", f"{seen} Write down the four writes one by one: put 1, move 2, delete 1, untouched 0 entries.")


# ── b: a sparse index ────────────────────────────────────────────────────────────────────

ORDERS, CASES, CLOSED = 70, 24, 16
_MOST_LIST_UNITS = 10.0


@exercise.question(
    "b",
    asks="Write index, open_case, close_case and open_cases, then check them together: "
    "lab.check('indexes.b', (index, open_case, close_case, open_cases)).",
    hints=(
        "An order without the index's partition key is not in the index. So which orders should have that attribute?",
        "open_case sets two attributes in one UpdateItem: one to be the partition key, with the same text for all, and "
        "the time, to be the sort key. An attribute that says 'cerrada' is still an attribute.",
        "close_case: UpdateExpression='REMOVE incidencia'. open_cases: a Query of the index for the one text.",
    ),
    value="an index on (incidencia, desde); SET both to open a case, REMOVE incidencia to close it, Query the index",
    solution="""
        index = {
            "IndexName": "gsi-incidencia",
            "KeySchema": [
                {"AttributeName": "incidencia", "KeyType": "HASH"},
                {"AttributeName": "desde", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }

        def open_case(dynamodb, table, order, when):
            dynamodb.update_item(
                TableName=table,
                Key={"PK": {"S": order}},
                UpdateExpression="SET incidencia = :open, desde = :when",
                ExpressionAttributeValues={":open": {"S": "abierta"}, ":when": {"S": when}},
            )

        def close_case(dynamodb, table, order):
            dynamodb.update_item(
                TableName=table, Key={"PK": {"S": order}}, UpdateExpression="REMOVE incidencia, desde"
            )

        def open_cases(dynamodb, table):
            return dynamodb.query(
                TableName=table,
                IndexName="gsi-incidencia",
                KeyConditionExpression="incidencia = :open",
                ExpressionAttributeValues={":open": {"S": "abierta"}},
            )["Items"]
    """,
    road="The attribute exists as long as the case is open, so the index holds the open cases and nothing else. The "
    "time as sort key brings them in order.",
    misconceptions={
        "bad_index": "create_table refuses the index",
        "not_sparse": "the index holds more than the open cases",
        "erases": "opening or closing a case damages the order",
        "scan": "a Scan reads the whole table",
        "closed_listed": "closed cases are listed",
        "lost_cases": "open cases are missing",
        "not_by_time": "the cases are not in order of time",
        "wasteful": "the list costs too much",
    },
)
def _judge_sparse(answer: Any, learner: Learner) -> Verdict:
    names = "(index, open_case, close_case, open_cases)"
    if not isinstance(answer, tuple | list) or len(answer) != 4:
        wrong(WRONG_TYPE, f"This check needs four things: lab.check('indexes.b', {names}).")
    index, *functions = answer
    if not isinstance(index, Mapping):
        wrong(WRONG_TYPE, f"index should be a dict, as create_table takes it; it is {type(index).__name__}.")
    open_case = a_function(functions[0], "open_case", "dynamodb", "table", "order", "when")
    close_case = a_function(functions[1], "close_case", "dynamodb", "table", "order")
    open_cases = a_function(functions[2], "open_cases", "dynamodb", "table")
    client = boto3.client("dynamodb")
    _create_as_asked(client, index, "bad_index")
    draw = random.Random(61_120)
    orders = [f"PEDIDO#{draw.randrange(16**8):08x}" for _ in range(ORDERS)]
    for order in orders:
        day = f"2026-08-{draw.randrange(1, 29):02}"
        _put(client, {"PK": order, "fecha": day, "estado": "entregado", "importe": "31.90", "lineas": "x" * 1500})
    cases = draw.sample(orders, CASES)
    # Cases come one after the other; orders' own keys and dates say nothing about that.
    start = dt.datetime(2026, 9, 6, 8, 0)
    times = [(start + dt.timedelta(minutes=7 * place)).isoformat() for place in range(CASES)]
    learner.each(open_case, [(client, _TABLE, order, when) for order, when in zip(cases, times, strict=True)])
    closed = set(draw.sample(cases, CLOSED))
    learner.each(close_case, [(client, _TABLE, order) for order in cases if order in closed])
    _must_not_scan(learner.requests)
    _must_be_whole(client, cases)
    clock.advance(seconds=5)
    wanted = [order for order in cases if order not in closed]
    entries = _entries(client)
    if entries > len(wanted):
        why = (
            "Closed cases are still in it: an item leaves the index when the key attribute is gone, not when it says "
            "something else."
            if entries == CASES
            else "An index is sparse if most items do not have its partition key at all."
        )
        wrong("not_sparse", f"{len(wanted)} cases are open, and the index holds {entries} items. {why}")
    before = len(learner.requests)
    rows = _rows(learner.call(open_cases, client, _TABLE), "open_cases")
    asked = learner.requests[before:]
    _must_not_scan(asked)
    _must_list(wanted, [str(_text(row, "PK")) for row in rows], closed)
    units = sum(request.units for request in asked)
    if units > _MOST_LIST_UNITS:
        wrong("wasteful", f"The list of {len(wanted)} cases cost {units:g} read units. Ask the index, once.")
    return right(
        f"{ORDERS} orders, {CASES} cases opened, {CLOSED} closed: the index holds the {entries} open ones, and listing "
        f"them, oldest first, costs {units:g} read units."
    )


def _must_be_whole(client: Any, orders: Sequence[str]) -> None:
    for order in orders:
        item = client.get_item(TableName=_TABLE, Key={"PK": {"S": order}}, ConsistentRead=True).get("Item", {})
        clock.advance(seconds=0.1)
        if not {"fecha", "estado", "importe", "lineas"} <= item.keys():
            left = ", ".join(item) if item else "nothing"
            wrong(
                "erases",
                f"After its case was opened and perhaps closed, an order has {left} left. PutItem replaces the whole "
                "item and DeleteItem removes it; UpdateItem changes what it names.",
            )


def _must_list(wanted: Sequence[str], got: Sequence[str], closed: set[str]) -> None:
    if closed & set(got):
        wrong("closed_listed", f"{len(closed & set(got))} of the cases listed are closed.")
    if set(got) != set(wanted) or len(got) != len(wanted):
        wrong(
            "lost_cases",
            f"{len(wanted)} cases are open; open_cases returned {len(got)} rows, {len(set(got) & set(wanted))} of them "
            "open cases. Do open_case and open_cases name the same attribute and the same text?",
        )
    if list(got) != list(wanted):
        wrong(
            "not_by_time",
            "Every open case is listed, but not oldest first. An index sorts by its sort key: which attribute holds "
            "the time that open_case was given?",
        )


# ── c: the cheapest projection ────────────────────────────────────────────────────────────

A_DAY = {"orders": 2_000, "positions": 30, "lists": 500}
"""A day of the exercise: orders, changes of position of each, and lists asked for."""
ON_A_ROUTE, WRITE_PRICE = 20, 5
"""Orders in one list; what a write unit costs in read units, at on-demand prices."""
MOST_POINTS = 11_000


@exercise.question(
    "c",
    asks="Set projection and write on_the_road(dynamodb, table, route), then check both: "
    "lab.check('indexes.c', (projection, on_the_road)).",
    hints=(
        "What does the screen show? What is not shown need not be copied, and what is not copied costs the index "
        "nothing when it changes.",
        "There are 30 changes of posicion for each order. Which projections write to the index at each of them?",
        "Reading keys from the index and the rest from the table costs a read unit for each order. Copy what is shown: "
        "INCLUDE, with NonKeyAttributes.",
    ),
    value="{'ProjectionType': 'INCLUDE', 'NonKeyAttributes': ['importe', 'telefono']}, and one Query of the index",
    solution="""
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["importe", "telefono"]}

        def on_the_road(dynamodb, table, route):
            return dynamodb.query(
                TableName=table,
                IndexName="gsi-ruta",
                KeyConditionExpression="ruta = :route",
                ExpressionAttributeValues={":route": {"S": route}},
            )["Items"]
    """,
    road="With the two attributes copied, each order is one unit to enter, its positions are none, and a list is one "
    "small Query. Everything else is a copy that is paid for and not looked at.",
    misconceptions={
        "bad_projection": "create_table refuses the projection",
        "not_shown": "the screen lacks an attribute",
        "lost_rows": "orders are missing, or others come too",
        "scan": "a Scan reads the whole table",
        "copies_all": "everything is copied",
        "copies_what_changes": "an attribute that changes all the time is copied",
        "fetches_each": "each order is fetched from the table",
        "dear": "cheaper is possible",
    },
)
def _judge_projection(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both: lab.check('indexes.c', (projection, on_the_road)).")
    projection = answer[0]
    if not isinstance(projection, Mapping):
        wrong(WRONG_TYPE, f"projection should be a dict with ProjectionType; it is {type(projection).__name__}.")
    on_the_road = a_function(answer[1], "on_the_road", "dynamodb", "table", "route")
    client = boto3.client("dynamodb")
    _create_as_asked(client, _index("gsi-ruta", "ruta", "hora", projection), "bad_projection")
    draw = random.Random(55_012)
    routes: dict[str, set[str]] = {"VLC-3": set(), "VLC-8": set()}
    written = moved = 0.0
    for number in range(len(routes) * ON_A_ROUTE):
        route = list(routes)[number % len(routes)]
        order = f"PEDIDO#{draw.randrange(16**8):08x}"
        routes[route].add(order)
        item = {"PK": order, "ruta": route, "hora": f"2026-09-06T{9 + number // 6:02}:{draw.randrange(60):02}"}
        item |= {"importe": f"{draw.randrange(900, 9000) / 100:.2f}", "telefono": f"6{draw.randrange(10**8):08}"}
        item |= {"posicion": "39.4699,-0.3763", "lineas": "x" * 5500}
        written += _index_units(_put(client, item))
        moved += _index_units(
            client.update_item(
                TableName=_TABLE,
                Key={"PK": {"S": order}},
                UpdateExpression="SET posicion = :here",
                ExpressionAttributeValues={":here": {"S": f"39.{draw.randrange(10**4):04},-0.3763"}},
                ReturnConsumedCapacity="INDEXES",
            )
        )
        clock.advance(seconds=0.1)
    clock.advance(seconds=5)
    for route, orders in routes.items():
        rows = _rows(learner.call(on_the_road, client, _TABLE, route), "on_the_road", "importe", "telefono")
        got = [_text(row, "PK") for row in rows]
        if set(got) != orders or len(got) != len(orders):
            wrong(
                "lost_rows",
                f"Route {route} has {len(orders)} orders; on_the_road returned {len(got)} rows, "
                f"{len(set(got) & orders)} of them orders of this route.",
            )
    _must_not_scan(learner.requests)
    read = sum(request.units for request in learner.requests) / len(routes)
    put, move = written / (len(routes) * ON_A_ROUTE), moved / (len(routes) * ON_A_ROUTE)
    entering, moving = A_DAY["orders"] * put * WRITE_PRICE, A_DAY["orders"] * A_DAY["positions"] * move * WRITE_PRICE
    listing = A_DAY["lists"] * read
    points = entering + moving + listing
    seen = (
        f"A day costs {points:,.0f} points: {entering:,.0f} for orders that enter the index, {moving:,.0f} for their "
        f"positions, {listing:,.0f} for the lists."
    )
    if points <= MOST_POINTS:
        return right(f"{seen} A cheaper day is hardly possible.")
    if projection.get("ProjectionType") == "ALL":
        wrong(
            "copies_all",
            f"{seen} ALL copies the lines that nobody looks at here, and copies them again at each change.",
        )
    if move:
        wrong("copies_what_changes", f"{seen} An attribute that the index holds is written there each time it changes.")
    if any(request.operation in ("GetItem", "BatchGetItem", "TransactGetItems") for request in learner.requests):
        wrong(
            "fetches_each",
            f"{seen} Each order that is fetched from the table is rounded up alone, all its lines included.",
        )
    wrong("dear", f"{seen} {MOST_POINTS:,} are enough. Which of the three sums is larger than it need be, and why?")


def _index_units(answer: Any) -> float:
    indexes = answer["ConsumedCapacity"].get("GlobalSecondaryIndexes", {})
    return float(sum(one["CapacityUnits"] for one in indexes.values()))


# ── d: one index, three questions ────────────────────────────────────────────────────────

CITIES = ("VALENCIA", "SAGUNTO", "GANDIA", "ALZIRA")
_MOST_UNITS_A_QUESTION = 3.0


def _shop(draw: random.Random) -> list[dict[str, str]]:
    """Make the items of the exercise's four kinds, in no order that helps."""
    start = dt.datetime(2026, 9, 6, 9, 0)
    items = []
    for number in range(20):
        customer = f"CLIENTE#{draw.randrange(1000, 10_000)}-{number}"
        email = f"u{draw.randrange(16**6):06x}@example.com"
        items.append({"PK": customer, "SK": "PERFIL", "email": email})
        items += [{"PK": customer, "SK": f"SESION#{place}"} for place in range(2)]
        for place in range(2):
            cart = {"PK": customer, "SK": f"CARRITO#{place}", "fecha": _at(start, draw)}
            items.append(cart | ({"incidencia": "abierta"} if number % 4 == 1 and place == 0 else {}))
    for number in range(90):
        state = draw.choice(("pendiente", "en_reparto", "entregado"))
        order = {"PK": f"PEDIDO#{draw.randrange(16**6):06x}-{number}", "SK": "META", "fecha": _at(start, draw)}
        items.append(order | {"ciudad": draw.choice(CITIES), "estado": state})
    draw.shuffle(items)
    return items


def _at(start: dt.datetime, draw: random.Random) -> str:
    return (start + dt.timedelta(seconds=draw.randrange(40_000))).isoformat()


def _wanted(items: Sequence[Mapping[str, str]], what: str, value: str | None) -> list[tuple[str, str]]:
    """Return the keys of the items that answer one question, oldest first."""
    holds: dict[str, Callable[[Mapping[str, str]], bool]] = {
        "email": lambda item: item.get("email") == value,
        "reparto": lambda item: item.get("ciudad") == value and item.get("estado") == "en_reparto",
        "incidencias": lambda item: "incidencia" in item,
    }
    found = sorted((item for item in items if holds[what](item)), key=lambda item: item.get("fecha", ""))
    return [(item["PK"], item["SK"]) for item in found]


@exercise.question(
    "d",
    asks="Write index_keys(item) and find(dynamodb, table, what, value), then check both: "
    "lab.check('indexes.d', (index_keys, find)).",
    hints=(
        "For each question ask: what is known (that makes GSI1PK), and in which order is it wanted (that makes "
        "GSI1SK)?",
        "An order out for delivery: f\"{item['ciudad']}#en_reparto\" and its fecha. Items that no question is about "
        "get no keys: return {}.",
        "Give each kind a prefix of its own (EMAIL#, REPARTO#, INCIDENCIA#) and build the same text in find.",
    ),
    value="EMAIL#<address>, REPARTO#<city> for orders en_reparto, INCIDENCIA; GSI1SK is fecha; all others {}",
    solution="""
        def index_keys(item):
            if "email" in item:
                return {"GSI1PK": f"EMAIL#{item['email']}", "GSI1SK": "PERFIL"}
            if item.get("estado") == "en_reparto":
                return {"GSI1PK": f"REPARTO#{item['ciudad']}", "GSI1SK": item["fecha"]}
            if "incidencia" in item:
                return {"GSI1PK": "INCIDENCIA", "GSI1SK": item["fecha"]}
            return {}

        def find(dynamodb, table, what, value):
            key = {"email": f"EMAIL#{value}", "reparto": f"REPARTO#{value}", "incidencias": "INCIDENCIA"}[what]
            return dynamodb.query(
                TableName=table,
                IndexName="gsi1",
                KeyConditionExpression="GSI1PK = :key",
                ExpressionAttributeValues={":key": {"S": key}},
            )["Items"]
    """,
    road="What is known goes into the partition key, the order that is wanted into the sort key, and what nobody "
    "asks for gets neither. A prefix keeps the kinds apart.",
    misconceptions={
        "bad_keys": "the two attributes are not as the index needs them",
        "not_sparse": "items that no question is about are in the index",
        "scan": "a Scan reads the whole table",
        "lost_rows": "items are missing",
        "other_rows": "items that were not asked for",
        "not_by_time": "the items are not in order of time",
        "reads_too_much": "far more is read than is returned",
    },
)
def _judge_overloaded(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both functions: lab.check('indexes.d', (index_keys, find)).")
    index_keys = a_function(answer[0], "index_keys", "item")
    find = a_function(answer[1], "find", "dynamodb", "table", "what", "value")
    client = boto3.client("dynamodb")
    _create(client, [_index("gsi1", "GSI1PK", "GSI1SK", {"ProjectionType": "ALL"})], _key("PK"), _key("SK", "RANGE"))
    items = _shop(random.Random(77_411))
    for item, keys in zip(items, learner.each(index_keys, [(dict(item),) for item in items]), strict=True):
        _put(client, item | _index_keys(keys) | {"relleno": "x" * 700})
    clock.advance(seconds=5)
    email = next(item["email"] for item in items if "email" in item)
    questions = [("email", email), *(("reparto", city) for city in CITIES), ("incidencias", None)]
    units = []
    for what, value in questions:
        before = len(learner.requests)
        rows = _rows(learner.call(find, client, _TABLE, what, value), "find")
        asked = learner.requests[before:]
        _must_not_scan(asked)
        _must_answer(what, value, _wanted(items, what, value), [(_text(row, "PK"), _text(row, "SK")) for row in rows])
        units.append(sum(request.units for request in asked))
        if units[-1] > _MOST_UNITS_A_QUESTION:
            wrong(
                "reads_too_much",
                f"find({what!r}, {value!r}) returned the right {len(rows)} items and read {units[-1]:g} units. What is "
                "read and dropped is paid for: put what is known into GSI1PK, so that nothing else lies under it.",
            )
    useful = sum(len(_wanted(items, what, value)) for what, value in questions[1:]) + sum("email" in i for i in items)
    entries = _entries(client)
    if entries > useful:
        wrong(
            "not_sparse",
            f"All answers are right, and the index holds {entries} items although the three questions are about "
            f"{useful}. Each of the others is written and stored twice for nobody.",
        )
    return right(
        f"Three kinds of question, one index with {entries} of {len(items)} items; {len(questions)} answers for "
        f"{sum(units):g} read units."
    )


def _index_keys(keys: Any) -> dict[str, str]:
    if not isinstance(keys, Mapping):
        wrong(WRONG_TYPE, f"index_keys should return a dict, {{}} for no keys; it gave {type(keys).__name__}.")
    if not set(keys) <= {"GSI1PK", "GSI1SK"} or not all(isinstance(text, str) and text for text in keys.values()):
        wrong(
            "bad_keys",
            f"index_keys returned {', '.join(map(str, keys))}. The index has the keys GSI1PK and GSI1SK, both texts "
            "and neither of them empty.",
        )
    return dict(keys)


def _must_answer(what: str, value: Any, wanted: Sequence[Any], got: Sequence[Any]) -> None:
    asked = f"find({what!r}, {value!r})"
    if set(got) - set(wanted):
        wrong("other_rows", f"{asked} returned {len(set(got) - set(wanted))} items that it was not asked for.")
    if len(set(got)) < len(wanted) or len(got) != len(wanted):
        wrong(
            "lost_rows",
            f"{asked} returned {len(got)} items; {len(wanted)} fit. An item with only one of the two keys is not in "
            "the index. Is the key that find asks for, letter by letter, the one that index_keys made?",
        )
    if list(got) != list(wanted):
        wrong("not_by_time", f"{asked} returned the right items, but not the oldest first. What does GSI1SK hold?")


# ── e: the late index ───────────────────────────────────────────────────────────────────────

_BUDGET = 80
LAG = 1.0
"""Seconds by which the index is behind its table in question e."""


@exercise.question(
    "e",
    asks="Repair pay(dynamodb, table, customer), then check it: lab.check('indexes.e', pay).",
    hints=(
        "Two clicks, half a second apart. What does the index say at the second one, and what the table?",
        "A GSI cannot be read strongly. Looking at the table first helps against the late index, not against somebody "
        "who pays between your look and your write.",
        "Let the write itself look: ConditionExpression='estado = :open' in update_item. If it fails, boto3 raises "
        "dynamodb.exceptions.ConditionalCheckFailedException: then the answer is False.",
    ),
    value="update_item with ConditionExpression 'estado = :open'; a failed condition means False",
    solution="""
        def pay(dynamodb, table, customer):
            found = dynamodb.query(
                TableName=table,
                IndexName="gsi-cliente-estado",
                KeyConditionExpression="cliente = :customer AND estado = :open",
                ExpressionAttributeValues={":customer": {"S": customer}, ":open": {"S": "abierto"}},
            )["Items"]
            if not found:
                return False
            try:
                dynamodb.update_item(
                    TableName=table,
                    Key={"PK": found[0]["PK"]},
                    UpdateExpression="SET estado = :paid ADD pagos :one",
                    ConditionExpression="estado = :open",
                    ExpressionAttributeValues={
                        ":paid": {"S": "pagado"}, ":one": {"N": "1"}, ":open": {"S": "abierto"}
                    },
                )
            except dynamodb.exceptions.ConditionalCheckFailedException:
                return False
            return True
    """,
    road="The index finds the cart, the table decides. A condition is checked in the same step as the write, so that "
    "neither a late index nor another client can come between.",
    misconceptions={
        "pays_twice": "two clicks pay twice",
        "race": "somebody else can pay between the look and the write",
        "does_not_pay": "an open cart is not paid",
        "wrong_cart": "another item is changed",
        "says_the_wrong_thing": "what it returns is not what it did",
    },
)
def _judge_pay(answer: Any, learner: Learner) -> Verdict:
    pay = a_function(answer, "pay", "dynamodb", "table", "customer")
    learner.most_requests = _BUDGET
    client = boto3.client("dynamodb")
    _create(client, [_index("gsi-cliente-estado", "cliente", "estado", {"ProjectionType": "KEYS_ONLY"})])
    states = {"9001": "abierto", "9002": "pagado", "9003": "abierto", "9004": "abierto"}
    for customer, state in states.items():
        _put(client, {"PK": f"CARRITO#{int(customer) * 7}", "cliente": customer, "estado": state, "lineas": "x" * 300})
    clock.advance(seconds=5)
    replicas.replica_lag(LAG)
    first = _said(learner.call(pay, client, _TABLE, "9001"))
    state, payments = _cart(client, "9001")
    if payments == 0 or state != "pagado":
        wrong("does_not_pay", f"After the first click on pay the cart is {state} and has {payments} payments.")
    clock.advance(seconds=0.5)
    second = _said(learner.call(pay, client, _TABLE, "9001"))
    payments = _cart(client, "9001")[1]
    if payments > 1:
        wrong(
            "pays_twice",
            f"Two clicks, half a second apart: the cart has {payments} payments. The index was {LAG:g} s behind and "
            "still showed it as open. An index finds; only the table knows.",
        )
    if (first, second) != (True, False):
        wrong(
            "says_the_wrong_thing",
            f"Two clicks on one cart: one payment was made, and pay returned {first} and {second}. "
            "Return True if this call paid, False if not.",
        )
    if _said(learner.call(pay, client, _TABLE, "9002")) or _said(learner.call(pay, client, _TABLE, "7777")):
        wrong("says_the_wrong_thing", "A customer without an open cart was told that a payment was made.")
    raced = _said(_raced(pay, learner, client))
    if _cart(client, "9003")[1] > 1:
        wrong(
            "race",
            "Another service paid the cart in the moment before this function wrote, and it was paid twice. A look, "
            "however fresh, is over when the write comes: let the write itself make sure.",
        )
    if raced:
        wrong("says_the_wrong_thing", "Another service paid just before; pay returned True without having paid.")
    if _cart(client, "9004") != ("abierto", 0) or int(_count(client)) != len(states):
        wrong(
            "wrong_cart", "A cart that nobody paid was changed, or an item came into being. Which key does it write to?"
        )
    return right(
        "Two clicks, one payment; and when another service paid between the look and the write, still one. The index "
        "finds the cart, the table decides."
    )


def _said(answer: Any) -> bool:
    if not isinstance(answer, bool):
        wrong(WRONG_TYPE, f"pay should return True or False; it gave {type(answer).__name__}.")
    return answer


def _cart(client: Any, customer: str) -> tuple[str, int]:
    key = {"PK": {"S": f"CARRITO#{int(customer) * 7}"}}
    item = client.get_item(TableName=_TABLE, Key=key, ConsistentRead=True).get("Item", {})
    return str(_text(item, "estado")), int(_text(item, "pagos") or 0)


def _count(client: Any) -> int:
    return int(client.scan(TableName=_TABLE, Select="COUNT", ConsistentRead=True)["Count"])


def _raced(pay: Callable[..., Any], learner: Learner, client: Any) -> Any:
    """Call pay while another service pays the same cart just before pay's own first write."""
    other = boto3.client("dynamodb")
    done: list[str] = []

    def come_between(request: Request) -> None:
        if not done and request.operation in ("UpdateItem", "PutItem", "TransactWriteItems", "ExecuteStatement"):
            done.append(request.operation)
            other.update_item(
                TableName=_TABLE,
                Key={"PK": {"S": f"CARRITO#{9003 * 7}"}},
                UpdateExpression="SET estado = :paid ADD pagos :one",
                ExpressionAttributeValues={":paid": {"S": "pagado"}, ":one": {"N": "1"}},
            )

    return Learner(refuse=come_between).call(pay, client, _TABLE, "9003")
