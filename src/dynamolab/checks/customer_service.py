"""Exercise 20, customer service: four questions answered by key from one table (or two) that the shop's feed fills.

A design is what it does: the learner's tables are created in a fresh lab, a generated feed goes through the learner's
writer, and the four readers are compared with what the feed said. Units, entries and the hottest key are measured.
"""

from __future__ import annotations

import datetime as dt
import itertools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

import boto3
import numpy as np
from botocore.exceptions import ClientError, ParamValidationError

from ..live import clock, insights
from ..traffic.workload import admitted, places
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("customer_service")

TABLE = "mercadofresco-pedidos-consulta"
CITIES = ("VALENCIA", "SAGUNTO", "GANDIA", "ALZIRA")
STATES = ("pendiente", "preparado", "en_reparto", "fallido", "entregado", "cancelado")
A_DAY = {"get_order": 18_000, "orders_of": 2_400, "on_the_road": 350, "history": 1_200}
"""How often a day customer service asks each of the four questions."""

# ── a: what the four questions cost a day ─────────────────────────────────────────────────

READS = {"get_order": 9_000.0, "orders_of": 1_200.0, "on_the_road": 525.0, "history": 600.0, "one_scan": 800_000.0}
"""Read units: a day of each question when its rows lie together, and one Scan of two million orders of 3.2 KB."""
_ALONE = {"get_order": (1, 0.5), "orders_of": (12, 6.0), "on_the_road": (60, 30.0), "history": (4, 2.0)}
"""Rows of one answer, and its units if each row is rounded up alone."""
_WHOLE = {"orders_of": 5.0, "on_the_road": 24.0}
"""Units of one answer if its rows are whole orders of 3.2 KB."""


@exercise.question(
    "a",
    asks="Put five numbers in place of the dots: units = {'get_order': ..., 'orders_of': ..., 'on_the_road': ..., "
    "'history': ..., 'one_scan': ...}.",
    hints=(
        "One answer first, then times its number a day. A Query sums the bytes of its rows, and only then rounds up.",
        "An eventually consistent read is half a unit for each 4 KB begun. 12 rows of 160 bytes are 1.9 KB.",
        "The Scan reads everything: 2,000,000 × 3.2 KB, in pieces of 4 KB, half a unit each. Once, not 350 times.",
    ),
    value="9,000, 1,200, 525 (60 rows of 160 bytes are 9.4 KB, so 1.5 units) and 600 a day; one Scan 800,000",
    solution="""
        units = {
            "get_order": 18_000 * 0.5,
            "orders_of": 2_400 * 0.5,
            "on_the_road": 350 * 1.5,
            "history": 1_200 * 0.5,
            "one_scan": 2_000_000 * 3.2 / 4 * 0.5,
        }
    """,
    road="Sum the bytes of one answer, round up to 4 KB, halve for eventual consistency, multiply by the day.",
    misconceptions={
        "row_by_row": "each row rounded up alone",
        "strong": "strongly consistent reads counted",
        "whole_orders": "whole orders counted where a row of a list is enough",
        "one_answer": "one answer counted, not a day",
        "scan_all_day": "the day's Scans counted, not one",
        "elsewhere": "another number",
    },
)
def _judge_reads(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Mapping) or set(answer) != set(READS):
        wrong(WRONG_TYPE, f"The check needs a dict with the keys {', '.join(READS)}; each value is a number of units.")
    if any(is_stub(value) for value in answer.values()):
        return Verdict("not attempted", ("Some of the dots are still there.",))
    given = {name: a_number(answer[name], f"the read units of {name}") for name in READS}
    bad = [name for name, units in READS.items() if not abs(given[name] - units) <= 0.03 * units]
    if not bad:
        shown = sum(units for name, units in READS.items() if name != "one_scan")
        return right(
            f"The four questions read {shown:,.0f} units in a whole day. One Scan reads {READS['one_scan']:,.0f}, "
            f"{READS['one_scan'] / shown:.0f} times as much, and on_the_road would need 350 of them."
        )
    name, units = bad[0], given[bad[0]]
    seen = f"{len(READS) - len(bad)} of {len(READS)} are right. Look at {name}, for which you have {units:,.10g}."
    if _is(units, 2 * READS[name]):
        wrong("strong", f"{seen} That is twice too much: customer service reads with eventual consistency.")
    if name == "one_scan":
        if _is(units, 350 * READS[name]):
            wrong("scan_all_day", f"{seen} That is a day of 350 Scans. How much is one?")
        if _is(units, 2_000_000 * 0.5):
            wrong("row_by_row", f"{seen} That rounds up each order alone. A Scan sums a page's bytes before it rounds.")
        wrong("elsewhere", f"{seen} How many pieces of 4 KB are two million orders of 3.2 KB?")
    if _is(units * A_DAY[name], READS[name]):
        wrong("one_answer", f"{seen} That is one answer. How often a day is it asked?")
    if _is(units, _ALONE[name][1] * A_DAY[name]):
        wrong("row_by_row", f"{seen} That rounds up each of the {_ALONE[name][0]} rows. A Query sums them first.")
    if name in _WHOLE and _is(units, _WHOLE[name] * A_DAY[name]):
        wrong(
            "whole_orders", f"{seen} That reads whole orders. A row of the list has 160 bytes, if it is stored as one."
        )
    wrong(
        "elsewhere", f"{seen} Write down one answer: its bytes, the pieces of 4 KB begun, half of that; then the day."
    )


def _is(number: float, other: float) -> bool:
    return abs(number - other) <= 0.01 * other


# ── b: the workload that breaks an index ──────────────────────────────────────────────────

MOST_ORDERS, ORDER_UNITS, PARTITIONS, CEILING = 300, 4, 4, 1_000


@exercise.question(
    "b",
    asks="Set load = {'VALENCIA#pendiente': orders a second, ...}, then check it: "
    "lab.check('customer_service.b', load).",
    hints=(
        "The table takes 4,000 write units a second, and so does the index. What is the limit of one partition?",
        "An order of 3.2 KB is 4 write units, in the table and in an index that copies ALL.",
        "All orders of one key lie in one partition. How many orders a second exceed 1,000 units there?",
    ),
    value="more than 250 orders a second under one key, for example {'VALENCIA#entregado': 300}",
    solution='load = {"VALENCIA#entregado": 300}',
    road="300 orders of 4 units are 1,200 units a second. The table spreads them over all its keys; the index puts "
    "them where their city and state say, and a partition admits 1,000.",
    misconceptions={
        "too_many": "more orders than allowed",
        "no_such_key": "a key that the index cannot have",
        "spread": "the load is spread over too many keys",
        "at_the_ceiling": "the partition is full, but no more",
    },
)
def _judge_load(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Mapping) or not answer:
        wrong(WRONG_TYPE, "load should be a dict: a key of the index, and how many orders a second come under it.")
    if any(is_stub(value) for value in answer.values()):
        return Verdict("not attempted", ("Some of the dots are still there.",))
    load = {key: a_number(rate, f"orders a second under {key}") for key, rate in answer.items()}
    unknown = [key for key in load if key not in {f"{city}#{state}" for city in CITIES for state in STATES}]
    if unknown:
        wrong(
            "no_such_key",
            f"{unknown[0]!r} is no city and state of the shop. Cities: {', '.join(CITIES)}; "
            f"states: {', '.join(STATES)}.",
        )
    if not all(0 <= rate < 1e9 for rate in load.values()):
        wrong(WRONG_TYPE, "Orders a second are numbers from 0 upwards.")
    total = sum(load.values())
    if total > MOST_ORDERS:
        wrong(
            "too_many",
            f"{total:,.0f} orders a second in all; the feed sends {MOST_ORDERS} at most. A key can be hot with fewer: "
            "what counts are units, not orders.",
        )
    demand = np.array([rate * ORDER_UNITS for rate in load.values()], dtype=np.float64)
    given, refused = admitted(demand, places(list(load), PARTITIONS), PARTITIONS)
    fullest = float((given + refused).max())
    seen = (
        f"{total:,.0f} orders a second are {total * ORDER_UNITS:,.0f} write units for the table, of the 4,000 that it "
        f"takes. The fullest partition of the index gets {fullest:,.0f}."
    )
    if refused.sum() > 0:
        return right(
            f"{seen} It admits {CEILING:,}. What the index cannot take, the table refuses as well: "
            f"{refused.sum() / demand.sum():.1%} of this load."
        )
    if fullest > 0.9 * CEILING:
        wrong("at_the_ceiling", f"{seen} It admits {CEILING:,}, so that nothing is refused, if only just.")
    wrong(
        "spread",
        f"{seen} It admits {CEILING:,}. No key has more than {max(load.values()):,.10g} orders a second. When would "
        "all that the feed sends have the same city and state?",
    )


# ── the feed of c and d ───────────────────────────────────────────────────────────────────

Order = dict[str, str]
_PATHS = (
    ("pendiente", "preparado", "en_reparto", "entregado"),
    ("pendiente", "preparado", "en_reparto"),
    ("pendiente", "preparado", "en_reparto", "fallido", "en_reparto"),
    ("pendiente", "preparado", "en_reparto", "entregado"),
    ("pendiente", "preparado"),
    ("pendiente", "preparado", "en_reparto", "fallido", "en_reparto", "entregado"),
    ("pendiente", "cancelado"),
    ("pendiente", "preparado", "en_reparto"),
    ("pendiente", "preparado", "en_reparto", "fallido"),
    ("pendiente", "preparado", "en_reparto", "entregado"),
)
_OVER = ("entregado", "cancelado")
LIVING = 20
"""Orders whose whole life goes through the writer."""
OLD = 2_000
"""Delivered orders of the first load: each comes once, in order of date."""
LOAD_RATE = 400
"""Orders a second of the first load."""
HOTTEST = 250.0
"""Write units a second that the hottest key may get in the first load, a quarter of a partition's ceiling."""
_LINES = "leche 2|pan 1|tomates 1.5|arroz 3|"


def _order(draw: random.Random, customer: str, when: str) -> Order:
    lines = draw.randrange(8, 40)
    return {
        "id_pedido": f"P-{draw.randrange(16**10):010x}",
        "id_cliente": customer,
        "fecha_pedido": when,
        "ciudad": draw.choices(CITIES, (4, 2, 2, 2))[0],
        "estado": "pendiente",
        "cambio": when,
        "importe": f"{draw.randrange(900, 9_000) / 100:.2f}",
        "num_lineas": str(lines),
        "lineas": (_LINES * 90)[: draw.randrange(2_850, 2_950)],
    }


@dataclass
class _Feed:
    """What the shop's feed says: changes in the order of time, and what customer service then ought to see."""

    changes: list[Order] = field(default_factory=list)
    now: dict[str, Order] = field(default_factory=dict)
    histories: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def on_the_road(self, city: str) -> set[str]:
        return {id for id, order in self.now.items() if (order["ciudad"], order["estado"]) == (city, "en_reparto")}

    def orders_of(self, customer: str, first: str, last: str) -> list[Order]:
        found = [
            order
            for order in self.now.values()
            if order["id_cliente"] == customer and first <= order["fecha_pedido"][:10] <= last
        ]
        return sorted(found, key=lambda order: order["fecha_pedido"], reverse=True)

    @property
    def unfinished(self) -> int:
        return sum(order["estado"] not in _OVER for order in self.now.values())


CUSTOMERS = ("4471", "44710", "9002", "350")
_FIRST, _LAST = "2026-09-02", "2026-09-05"


def _living(draw: random.Random) -> _Feed:
    """Make orders of four customers over a week, with every change of their state; some changes come twice."""
    feed, changes = _Feed(), []
    start = dt.datetime(2026, 8, 31, 8, 0)
    times = [start + dt.timedelta(seconds=draw.randrange(7 * 86_400 - 40_000)) for _ in range(LIVING - 3)]
    # The first and the last moment of the range that is asked for, and two orders in one second.
    times += [dt.datetime.fromisoformat(f"{_FIRST}T00:00:00"), dt.datetime.fromisoformat(f"{_LAST}T23:59:58")]
    times += [times[-1]]
    for number, when in enumerate(times):
        customer = CUSTOMERS[0] if number >= LIVING - 3 else CUSTOMERS[number % 4 if number % 3 else 0]
        order = _order(draw, customer, when.isoformat())
        for state in _PATHS[number % len(_PATHS)]:
            order = order | {"estado": state, "cambio": when.isoformat()}
            if state == "en_reparto":
                order["repartidor"] = f"R{draw.randrange(1, 10)}"
            changes.append(order)
            when += dt.timedelta(seconds=draw.randrange(600, 9_000))
        feed.now[order["id_pedido"]] = order
    changes.sort(key=lambda order: order["cambio"])
    for place, order in enumerate(changes):
        feed.changes += [order] * (2 if place % 9 == 4 else 1)
        feed.histories.setdefault(order["id_pedido"], []).append((order["estado"], order["cambio"]))
    return feed


def _old(draw: random.Random) -> list[Order]:
    """Make the delivered orders of one old day, in the order of the feed."""
    when, orders = dt.datetime(2026, 8, 3, 7, 0), []
    for _ in range(OLD):
        when += dt.timedelta(seconds=draw.randrange(1, 50))
        order = _order(draw, str(draw.randrange(10_000, 40_000)), when.isoformat())
        delivered = (when + dt.timedelta(hours=5)).isoformat()
        orders.append(order | {"estado": "entregado", "cambio": delivered, "repartidor": "R3"})
    return orders


# ── judging a design ──────────────────────────────────────────────────────────────────────

_WRITES = (
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
    "ExecuteStatement",
    "BatchExecuteStatement",
    "ExecuteTransaction",
)
_NAMES = "(tables, save, get_order, orders_of, on_the_road, history)"
_REQUESTS_A_CALL = 40
"""Requests that one call of a learner's function may make: the longest list of the feed has fewer rows."""


@dataclass
class _Design:
    """A learner's tables and functions, running in a fresh lab; ``reads`` holds units by function."""

    tables: list[Mapping[str, Any]]
    functions: dict[str, Callable[..., Any]]
    client: Any
    requests: list[Request] = field(default_factory=list)
    written: float = 0.0
    read: dict[str, list[float]] = field(default_factory=dict)
    places: dict[str, set[tuple[str, str | None]]] = field(default_factory=dict)

    def save(self, orders: Sequence[Order], seconds: float = 0.2) -> None:
        """Hand changes to the writer, so slowly that nothing is refused."""
        for order in orders:
            self._call("save", dict(order))
            clock.advance(seconds=seconds)

    def ask(self, function: str, *arguments: str) -> Any:
        """Return what one of the readers says; its requests must not scan."""
        before = len(self.requests)
        answer = self._call(function, *arguments)
        asked = self.requests[before:]
        units = sum(request.units for request in asked)
        if any(request.operation == "Scan" for request in asked):
            wrong(
                "scan",
                f"{function} scans, here for {units:g} read units: a Scan reads and pays for all there is, and with "
                "two million orders that is 800,000 units. Which key do you know? Query that.",
            )
        self.read.setdefault(function, []).append(units)
        self.places.setdefault(function, set()).update(place for request in asked for place in _read_at(request))
        clock.advance(seconds=0.2)
        return answer

    def _call(self, function: str, *arguments: Any) -> Any:
        learner = Learner(most_requests=_REQUESTS_A_CALL)
        answer = learner.call(self.functions[function], self.client, *arguments)
        self.requests += learner.requests
        return answer

    def mean(self, function: str) -> float:
        """Return the read units of one call of a reader, on average."""
        return sum(self.read[function]) / len(self.read[function])

    def entries(self, place: tuple[str, str | None]) -> int:
        """Return how many items a table or an index holds."""
        table = self.client.describe_table(TableName=place[0])["Table"]
        if place[1] is None:
            return int(table["ItemCount"])
        indexes = table.get("GlobalSecondaryIndexes", []) + table.get("LocalSecondaryIndexes", [])
        return int(next(index["ItemCount"] for index in indexes if index["IndexName"] == place[1]))

    def heat(self) -> dict[tuple[str, str | None, str], float]:
        """Return the write units, and a third of the read units, that each key of each table and index used."""
        return {
            (table, index, str(key[1])): units / insights.WRITE_WEIGHT
            for (table, index, ranking), found in insights.insights.rankings.items()
            if ranking == "PKC"
            for key, units in found.counts.items()
        }


def _read_at(request: Request) -> list[tuple[str, str | None]]:
    """Return the table, and the index if it is one, that a Query, a GetItem or a SELECT reads."""
    if request.operation in ("Query", "GetItem"):
        return [(str(request.parameters["TableName"]), request.parameters.get("IndexName"))]
    found = _FROM.search(str(request.parameters.get("Statement", "")))
    return [(found["table"], found["index"])] if found else []


_FROM = re.compile(r"""\bFROM\s+"(?P<table>[^"]+)"(?:\."?(?P<index>[\w.-]+)"?)?""", re.IGNORECASE)


def _design(answer: Any, check: str) -> _Design:
    """Take the learner's six things and create the tables; end the judgement if that fails."""
    if not isinstance(answer, tuple | list) or len(answer) != 6:
        wrong(WRONG_TYPE, f"This check needs six things: lab.check('{check}', {_NAMES}).")
    tables = [answer[0]] if isinstance(answer[0], Mapping) else answer[0]
    if not isinstance(tables, list | tuple) or not tables or not all(isinstance(one, Mapping) for one in tables):
        wrong(WRONG_TYPE, "tables should be a dict of create_table's arguments, or a list of such dicts.")
    functions = {
        "save": a_function(answer[1], "save", "dynamodb", "order"),
        "get_order": a_function(answer[2], "get_order", "dynamodb", "id_pedido"),
        "orders_of": a_function(answer[3], "orders_of", "dynamodb", "id_cliente", "first", "last"),
        "on_the_road": a_function(answer[4], "on_the_road", "dynamodb", "ciudad"),
        "history": a_function(answer[5], "history", "dynamodb", "id_pedido"),
    }
    client = boto3.client("dynamodb")
    for table in tables:
        name = str(table.get("TableName"))
        if "TableName" not in table:
            wrong(
                "bad_tables",
                f"tables has no TableName, only {', '.join(map(str, table))[:60] or 'nothing'}: give the arguments of "
                "create_table as a dict, or a list of such dicts for several tables.",
            )
        if not name.startswith(TABLE):
            wrong("bad_tables", f"A table is called {name!r}; the name is {TABLE}, a second one's begins with it.")
        if table.get("BillingMode") != "PAY_PER_REQUEST":
            wrong("bad_tables", f"{name} should be on-demand: BillingMode is PAY_PER_REQUEST.")
        try:
            client.create_table(**table)
        except (ClientError, ParamValidationError, TypeError) as error:
            wrong("bad_tables", f"create_table refused {name}: {' '.join(str(error).split())[:260]}")
    return _Design(list(tables), functions, client)


def _text(row: Any, name: str) -> Any:
    value = row.get(name) if isinstance(row, Mapping) else None
    return next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else value


def _same(value: Any, wanted: str) -> bool:
    if str(value) == wanted:
        return True
    try:
        return Decimal(str(value)) == Decimal(wanted)
    except InvalidOperation:
        return False


def _rows(answered: Any, function: str, *names: str) -> list[Mapping[str, Any]]:
    """Return the answer if it is a list of rows with these attributes; else end the judgement."""
    if not isinstance(answered, list | tuple) or not all(isinstance(row, Mapping) for row in answered):
        what = type(answered).__name__
        if isinstance(answered, list | tuple):
            what = f"a list with a {next(type(row).__name__ for row in answered if not isinstance(row, Mapping))}"
        wrong(WRONG_TYPE, f"{function} should return a list of items or dicts; it gave {what}.")
    for row in answered:
        missing = [name for name in names if _text(row, name) is None]
        if missing:
            wrong(
                "not_shown",
                f"{function}: the screen shows {', '.join(names)}; a row came without {', '.join(missing)}. An index "
                "holds its keys, the table's keys and what its projection copies.",
            )
    return list(answered)


def _see_orders(design: _Design, orders: Sequence[Order]) -> None:
    for order in orders:
        id = order["id_pedido"]
        found = design.ask("get_order", id)
        if not found:
            wrong("lost_order", f"get_order({id!r}) returned {found!r}, and the feed has sent that order.")
        if not isinstance(found, Mapping):
            wrong(WRONG_TYPE, f"get_order should return one item or dict, or None; it gave {type(found).__name__}.")
        missing = [name for name in order if _text(found, name) is None]
        if "id_pedido" in missing and "Item" in found:
            wrong(WRONG_TYPE, "get_order should return the item itself; this is the whole answer, with Item inside.")
        if "id_pedido" not in missing and not _same(_text(found, "id_pedido"), id):
            wrong("other_rows", f"get_order({id!r}) returned the order {_text(found, 'id_pedido')!r}.")
        if "estado" not in missing and not _same(_text(found, "estado"), order["estado"]):
            wrong(
                "stale",
                f"get_order({id!r}) says {_text(found, 'estado')!r}; the feed's last word was {order['estado']!r}.",
            )
        if missing:
            wrong(
                "incomplete", f"get_order({id!r}) came without {', '.join(missing)}. The complete order is asked for."
            )
        changed = [name for name, text in order.items() if not _same(_text(found, name), text)]
        if changed:
            wrong("incomplete", f"get_order({id!r}): {', '.join(changed)} is not what the feed sent last.")


def _see_lists(design: _Design, feed: _Feed) -> None:
    for customer in CUSTOMERS:
        for first, last in ((_FIRST, _LAST), ("2026-09-05", "2026-09-05"), ("2026-08-01", "2026-12-31")):
            _see_one_list(design, feed, customer, first, last)
    if design.ask("orders_of", "77", "2026-08-01", "2026-12-31"):
        wrong("other_rows", "orders_of gave orders to a customer who has none.")


def _see_one_list(design: _Design, feed: _Feed, customer: str, first: str, last: str) -> None:
    asked, wanted = f"orders_of({customer!r}, {first!r}, {last!r})", feed.orders_of(customer, first, last)
    rows = _rows(
        design.ask("orders_of", customer, first, last),
        asked,
        "id_pedido",
        "fecha_pedido",
        "importe",
        "estado",
        "num_lineas",
    )
    got = [str(_text(row, "id_pedido")) for row in rows]
    ids = {order["id_pedido"] for order in wanted}
    if set(got) - ids:
        wrong("other_rows", f"{asked} returned {len(set(got) - ids)} orders of other days or of other customers.")
    lost = [order for order in wanted if order["id_pedido"] not in got]
    if lost and all(order["fecha_pedido"][:10] == last for order in lost):
        wrong(
            "last_day",
            f"{asked} lacks {len(lost)} orders of {last}. Both days belong to the range, and to a text comparison "
            f"'{last}T17:20:00' comes after '{last}'.",
        )
    if lost or len(got) != len(wanted):
        wrong("lost_rows", f"{asked} returned {len(got)} rows; {len(wanted)} orders are in the range.")
    times = [str(_text(row, "fecha_pedido")) for row in rows]
    if times != sorted(times, reverse=True):
        wrong("not_newest_first", f"{asked} has the right orders, but not the newest first.")
    for order in wanted:
        row = rows[got.index(order["id_pedido"])]
        if any(not _same(_text(row, name), order[name]) for name in ("estado", "importe", "num_lineas")):
            wrong(
                "stale",
                f"{asked} shows {_text(row, 'estado')!r} for an order that is {order['estado']!r}. A copy has to be "
                "written at each change of what it shows.",
            )
    # Whole rows, or one fetched from the table for each, are allowed; what is read and dropped is not.
    if (units := design.read["orders_of"][-1]) > 1 + len(wanted):
        wrong(
            "reads_too_much",
            f"{asked} returned {len(wanted)} rows and read {units:g} units. What a filter drops is paid for: put the "
            "range into the key condition.",
        )


def _see_the_road(design: _Design, feed: _Feed) -> None:
    for city in CITIES:
        wanted, asked = feed.on_the_road(city), f"on_the_road({city!r})"
        rows = _rows(design.ask("on_the_road", city), asked, "id_pedido", "repartidor")
        got = [str(_text(row, "id_pedido")) for row in rows]
        extra = [feed.now[id]["estado"] for id in got if id not in wanted and id in feed.now]
        if any(state != "en_reparto" for state in extra):
            state = next(state for state in extra if state != "en_reparto")
            wrong(
                "still_listed",
                f"{asked} lists an order that is {state!r}. Whatever puts an order on the list has to be taken away "
                "when its state changes.",
            )
        if set(got) - wanted:
            wrong("other_rows", f"{asked} lists {len(set(got) - wanted)} orders of other cities.")
        if len(got) != len(wanted) or wanted - set(got):
            wrong("lost_rows", f"{asked} returned {len(got)} rows; {len(wanted)} orders are en_reparto there.")
        for row, id in zip(rows, got, strict=True):
            if not _same(_text(row, "repartidor"), feed.now[id]["repartidor"]):
                wrong("stale", f"{asked} shows another repartidor than the feed's last word for {id}.")
        if (units := design.read["on_the_road"][-1]) > 1 + len(wanted):
            wrong(
                "reads_too_much",
                f"{asked} returned {len(wanted)} rows and read {units:g} units. What is read and dropped is paid for.",
            )


def _see_histories(design: _Design, feed: _Feed) -> None:
    for id, wanted in feed.histories.items():
        asked = f"history({id!r})"
        rows = _rows(design.ask("history", id), asked, "estado", "cambio")
        got = [(str(_text(row, "estado")), str(_text(row, "cambio"))) for row in rows]
        others = sorted(set(got) - set(wanted))
        if others and {state for state, _ in wanted} == {state for state, _ in got}:
            wrong(
                "history_order",
                f"{asked} says {others[0][0]} at {others[0][1]!r}, which the feed never said; its first change is at "
                f"{wanted[0][1]!r}. estado and cambio should be the feed's own texts.",
            )
        if set(wanted) - set(got):
            wrong(
                "lost_history",
                f"{asked} has {len(set(got))} of {len(wanted)} changes: {', '.join(state for state, _ in wanted)}. "
                "A change is lost if a later one is written over it; a state may come twice.",
            )
        if len(got) > len(set(got)):
            wrong("doubled_history", f"{asked} has the same change twice. The feed may send one twice; write it once.")
        if got != wanted:
            wrong("history_order", f"{asked} has every change, but not the oldest first, or some that never were.")


def _must_read_little(design: _Design) -> None:
    for function in ("get_order", "history"):
        if (units := design.mean(function)) > 1.5:
            wrong(
                "reads_too_much",
                f"{function} reads {units:.1f} units for one order of 3.2 KB. More than the order is read, or it is "
                "read piece by piece, each rounded up.",
            )


def _must_be_sparse(design: _Design, feed: _Feed, orders: int) -> None:
    others = {place for function, found in design.places.items() if function != "on_the_road" for place in found}
    for place in sorted(design.places.get("on_the_road", set()) - others, key=str):
        if (entries := design.entries(place)) > feed.unfinished:
            road = sum(order["estado"] == "en_reparto" for order in feed.now.values())
            wrong(
                "not_sparse",
                f"{place[1] or place[0]} serves on_the_road alone and holds {entries} items. Of {orders:,} orders, "
                f"{road} are en_reparto. Let an order have the index's key only as long as it is on the road.",
            )


def _run_small(design: _Design, feed: _Feed) -> None:
    """Let a week's feed through the writer and ask everything; end the judgement at the first thing that is wrong."""
    before = len(design.requests)
    design.save(feed.changes)
    writing = design.requests[before:]
    if any(request.operation == "Scan" for request in writing):
        wrong("scan", "save scans the table at each change. The order's id is known: it can be a key.")
    design.written = sum(_points(request) for request in writing)
    clock.advance(seconds=5)
    _see_orders(design, list(feed.now.values()))
    if (ghost := design.ask("get_order", "P-0000000000")) and _text(ghost, "id_pedido") is not None:
        wrong("other_rows", "get_order returned an order for an id that nobody has. The answer then is None.")
    _see_lists(design, feed)
    _see_the_road(design, feed)
    _see_histories(design, feed)
    _must_read_little(design)
    _must_be_sparse(design, feed, LIVING)


def _points(request: Request) -> float:
    return request.units * (WRITE_PRICE if request.operation in _WRITES else 1)


_SOLUTION = """
        ORDERS = "mercadofresco-pedidos-consulta"

        def schema(partition, sort):
            return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]

        def index(name, partition, *shown):
            projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(shown)}
            return {"IndexName": name, "KeySchema": schema(partition, "fecha_pedido"), "Projection": projection}

        names = ("PK", "SK", "id_cliente", "ciudad_reparto", "fecha_pedido")
        tables = {
            "TableName": ORDERS,
            "KeySchema": schema("PK", "SK"),
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
            "BillingMode": "PAY_PER_REQUEST",
            "GlobalSecondaryIndexes": [
                index("gsi-cliente-fecha", "id_cliente", "id_pedido", "importe", "estado", "num_lineas"),
                index("gsi-reparto-ciudad", "ciudad_reparto", "id_pedido", "repartidor"),
            ],
        }

        def put(dynamodb, **texts):
            dynamodb.put_item(TableName=ORDERS, Item={name: {"S": text} for name, text in texts.items()})

        def query(dynamodb, condition, index=None, newest_first=False, **values):
            more = {"IndexName": index} if index else {}
            pages = dynamodb.get_paginator("query").paginate(
                TableName=ORDERS,
                KeyConditionExpression=condition,
                ExpressionAttributeValues={f":{name}": {"S": text} for name, text in values.items()},
                ScanIndexForward=not newest_first,
                **more,
            )
            return [item for page in pages for item in page["Items"]]

        def save(dynamodb, order):
            pk = f"PEDIDO#{order['id_pedido']}"
            road = {"ciudad_reparto": order["ciudad"]} if order["estado"] == "en_reparto" else {}
            put(dynamodb, PK=pk, SK="META", **order, **road)
            put(dynamodb, PK=pk, SK=f"ESTADO#{order['cambio']}", estado=order["estado"], cambio=order["cambio"])

        def get_order(dynamodb, id_pedido):
            key = {"PK": {"S": f"PEDIDO#{id_pedido}"}, "SK": {"S": "META"}}
            return dynamodb.get_item(TableName=ORDERS, Key=key).get("Item")

        def orders_of(dynamodb, id_cliente, first, last):
            condition = "id_cliente = :customer AND fecha_pedido BETWEEN :first AND :last"
            return query(
                dynamodb, condition, "gsi-cliente-fecha", True, customer=id_cliente, first=first, last=f"{last}T99"
            )

        def on_the_road(dynamodb, ciudad):
            return query(dynamodb, "ciudad_reparto = :city", "gsi-reparto-ciudad", city=ciudad)

        def history(dynamodb, id_pedido):
            return query(dynamodb, "PK = :pk AND begins_with(SK, :kind)", pk=f"PEDIDO#{id_pedido}", kind="ESTADO#")
"""

_DESIGN_MISCONCEPTIONS = {
    "bad_tables": "the tables cannot be created as they are",
    "scan": "a Scan",
    "lost_order": "an order is not found",
    "incomplete": "the order is not complete",
    "stale": "an older state is shown",
    "other_rows": "rows that were not asked for",
    "lost_rows": "rows are missing",
    "last_day": "the last day of the range is missing",
    "not_newest_first": "the orders are not the newest first",
    "not_shown": "the screen lacks an attribute",
    "still_listed": "orders stay on the list after they have left the road",
    "lost_history": "changes are missing from the history",
    "doubled_history": "a change stands in the history twice",
    "history_order": "the history is not the feed's, in order",
    "reads_too_much": "far more is read than is returned",
    "not_sparse": "the list of the road is kept in an index of all orders",
    "hot_key": "one key gets too much of the first load",
}


@exercise.question(
    "c",
    asks=f"Write tables and the five functions, then check them together: lab.check('customer_service.c', {_NAMES}).",
    hints=(
        "Start from the questions. Two of the four know the order's id: what should the table's partition key be? The "
        "other two know a customer or a city: each wants an index, or an item of its own.",
        "History: one small item per change beside the order, with the time in its sort key, so that a repeated change "
        "is written over itself. Customer: an index with fecha_pedido as sort key; the end of a day is a text that "
        "comes after all its times.",
        "The road: an attribute that only orders en_reparto have, as partition key of an index. Delivered: the "
        "attribute goes. And nothing that many orders share, a day or a state, may be a partition key of all of them.",
    ),
    value="PK PEDIDO#<id> with SK META and ESTADO#<time>, an index on id_cliente and fecha_pedido, a sparse one on the "
    "city of orders en_reparto",
    solution=_SOLUTION,
    road="Each question names what it knows, and that becomes a partition key; the order that it wants becomes a sort "
    "key. What passes, like being on the road, is an attribute that comes and goes.",
    misconceptions=_DESIGN_MISCONCEPTIONS,
    points=3,
)
def _judge_design(answer: Any, learner: Learner) -> Verdict:
    design = _design(answer, "customer_service.c")
    feed = _living(random.Random(51_203))
    _run_small(design, feed)
    before, draw = design.heat(), random.Random(88_014)
    old = _old(draw)
    # The first few hundred show early which key is hot; the rest shows that it stays cool.
    hottest, units = _loaded(design, old[:250], 250, before)
    hottest, units = _loaded(design, old[250:], OLD, before)
    clock.advance(seconds=5)
    _see_orders(design, draw.sample(old, 10))
    _must_be_sparse(design, feed, LIVING + OLD)
    reads = ", ".join(f"{name} {design.mean(name):.2g}" for name in A_DAY)
    where = hottest[1] or hottest[0]
    return right(
        f"{LIVING + OLD:,} orders, {len(feed.changes) + OLD:,} changes: every answer is right, without a Scan. Read "
        f"units of an answer: {reads}.",
        f"In a first load of {LOAD_RATE} orders a second the hottest key is {hottest[2]} of {where}, with {units:.1f} "
        f"write units a second: {1_000 / units:,.0f} times below the 1,000 of a partition.",
    )


def _loaded(
    design: _Design, orders: Sequence[Order], loaded: int, before: Mapping[tuple[str, str | None, str], float]
) -> tuple[tuple[str, str | None, str], float]:
    """Load old orders; return the hottest key of all ``loaded`` so far and its units a second; end it if too hot."""
    design.save(orders)
    rates = {key: (units - before.get(key, 0.0)) * LOAD_RATE / loaded for key, units in design.heat().items()}
    hottest = max(rates, key=lambda key: (rates[key], str(key)))
    if rates[hottest] > HOTTEST:
        wrong(
            "hot_key",
            f"The answers are right. But a first load brings {LOAD_RATE} orders a second, in order of date and long "
            f"delivered, and the key {hottest[2]!r} of {hottest[1] or hottest[0]} gets {rates[hottest]:,.0f} write "
            f"units a second of it. A partition takes 1,000; stay below {HOTTEST:.0f}: no key for what many share.",
        )
    return hottest, rates[hottest]


# ── d: the cheapest that passes ───────────────────────────────────────────────────────────

WRITE_PRICE = 5
"""What a write unit costs in read units, at on-demand prices."""
ORDERS_A_DAY = 8_000
MOST_POINTS = 800_000


@exercise.question(
    "d",
    asks=f"Make your design cheaper, then check it: lab.check('customer_service.d', {_NAMES}).",
    hints=(
        "Look at the sums: is it the reads or the writes? And of the writes: what changes when a state "
        "changes, and how many bytes are written for it?",
        "UpdateItem is charged by the size of the whole item, not by what it names. An order of 3.2 KB costs 4 units "
        "whenever any attribute of it changes.",
        "Put lineas, which never change, into an item of their own (SK LINEAS), written only if it is not there yet. "
        "get_order is then a Query of the order's collection that puts the parts together.",
    ),
    value="keep lineas in an item of their own that is written once; each change then writes items below 1 KB",
    solution=_SOLUTION.replace(
        """            put(dynamodb, PK=pk, SK="META", **order, **road)
""",
        """            lines = {"PK": {"S": pk}, "SK": {"S": "LINEAS"}}
            if "Item" not in dynamodb.get_item(TableName=ORDERS, Key=lines):
                put(dynamodb, PK=pk, SK="LINEAS", lineas=order["lineas"])
            rest = {name: text for name, text in order.items() if name != "lineas"}
            put(dynamodb, PK=pk, SK="META", **rest, **road)
""",
    ).replace(
        """            key = {"PK": {"S": f"PEDIDO#{id_pedido}"}, "SK": {"S": "META"}}
            return dynamodb.get_item(TableName=ORDERS, Key=key).get("Item")
""",
        """            pk = f"PEDIDO#{id_pedido}"
            parts = query(dynamodb, "PK = :pk AND SK BETWEEN :a AND :b", pk=pk, a="LINEAS", b="META")
            return {name: value for part in parts for name, value in part.items()} or None
""",
    ),
    road="The lines are nine tenths of an order and never change. Apart from the rest they are written once, and each "
    "of the other changes costs one unit instead of four.",
    misconceptions={
        "not_right_yet": "it does not yet do what c asks",
        "copies_all": "an index copies what no list shows",
        "rewrites_lines": "the order's lines are written at every change",
        "transactions": "each write is paid twice",
    },
)
def _judge_cheapest(answer: Any, learner: Learner) -> Verdict:
    design = _design_or_not(answer)
    feed = _living(random.Random(93_377))
    try:
        _run_small(design, feed)
        writing = design.written / LIVING * ORDERS_A_DAY
        twice = sum(
            map(
                _points,
                (each for each in design.requests if each.operation in ("TransactWriteItems", "ExecuteTransaction")),
            )
        )
        reading = {name: design.mean(name) * often for name, often in A_DAY.items()}
        _must_keep_what_comes_delivered(design)
    except Judged as judged:
        if judged.verdict.outcome != "wrong" or judged.verdict.misconception == WRONG_TYPE:
            raise
        wrong("not_right_yet", *judged.verdict.paragraphs)
    points = writing + sum(reading.values())
    seen = (
        f"A day costs {points:,.0f} points: {writing:,.0f} for {ORDERS_A_DAY:,} orders "
        f"({design.written / LIVING:.0f} each), {sum(reading.values()):,.0f} for all questions."
    )
    if points <= MOST_POINTS:
        return right(f"{seen} That is within the {MOST_POINTS:,}, and every answer is still right.")
    kinds = [
        index.get("Projection", {}).get("ProjectionType")
        for table in design.tables
        for index in table.get("GlobalSecondaryIndexes", ())
    ]
    if "ALL" in kinds:
        wrong(
            "copies_all",
            f"{seen} {MOST_POINTS:,} are allowed. An index with ALL copies the lines too, again at each change.",
        )
    if points - twice / 2 / LIVING * ORDERS_A_DAY <= MOST_POINTS:
        wrong(
            "transactions",
            f"{seen} {MOST_POINTS:,} are allowed. TransactWriteItems is charged two units where a write is charged "
            "one. What is lost if the items are written one after the other, and the feed repeats a change?",
        )
    wrong(
        "rewrites_lines",
        f"{seen} {MOST_POINTS:,} are allowed. A write is charged by the size of the whole item, whichever attribute "
        "changes. What is large in an order, and does it change?",
    )


def _must_keep_what_comes_delivered(design: _Design) -> None:
    """Let some orders of the first load through the writer, whose first message is their last, and read them."""
    old = _old(random.Random(61_507))[:5]
    design.save(old)
    clock.advance(seconds=5)
    try:
        _see_orders(design, old)
    except Judged as judged:
        if judged.verdict.outcome != "wrong":
            raise
        wrong(
            judged.verdict.misconception or WRONG_TYPE,
            *judged.verdict.paragraphs,
            "It is an order of the first load: it came once, already delivered.",
        )


def _design_or_not(answer: Any) -> _Design:
    try:
        return _design(answer, "customer_service.d")
    except Judged as judged:
        if judged.verdict.misconception != "bad_tables":
            raise
        wrong("not_right_yet", *judged.verdict.paragraphs)


# ── e: a feed that repeats itself ─────────────────────────────────────────────────────────

_E_TABLE = "pedidos-de-prueba"


@exercise.question(
    "e",
    asks="Repair save_change(dynamodb, table, order), then check it: lab.check('customer_service.e', save_change).",
    hints=(
        "Play it by hand: en_reparto comes at 10:00, entregado at 11:00, and then the one of 10:00 once more. What "
        "does the order say, and is it on the list?",
        "Only a change that is newer than the one stored may touch META. The history takes every change, late or not.",
        "ConditionExpression='attribute_not_exists(cambio) OR cambio < :c' on the update of META. If it fails, boto3 "
        "raises dynamodb.exceptions.ConditionalCheckFailedException: nothing is to be done then.",
    ),
    value="update META only under the condition attribute_not_exists(cambio) OR cambio < :c, and pass over its failure",
    solution="""
        def save_change(dynamodb, table, order):
            pk, change = {"S": f"PEDIDO#{order['id_pedido']}"}, {"S": order["cambio"]}
            values = {":e": {"S": order["estado"]}, ":c": change}
            dynamodb.put_item(
                TableName=table,
                Item={"PK": pk, "SK": {"S": f"ESTADO#{order['cambio']}"}, "estado": values[":e"], "cambio": change},
            )
            if order["estado"] == "en_reparto":
                update = "SET estado = :e, cambio = :c, ciudad_reparto = :r"
                values[":r"] = {"S": order["ciudad"]}
            else:
                update = "SET estado = :e, cambio = :c REMOVE ciudad_reparto"
            try:
                dynamodb.update_item(
                    TableName=table,
                    Key={"PK": pk, "SK": {"S": "META"}},
                    UpdateExpression=update,
                    ConditionExpression="attribute_not_exists(cambio) OR cambio < :c",
                    ExpressionAttributeValues=values,
                )
            except dynamodb.exceptions.ConditionalCheckFailedException:
                pass
    """,
    road="The change carries its own time. The write compares it with the one stored, in the same step, and an older "
    "one changes nothing; in the history it has its place by its time.",
    misconceptions={
        "back_on_the_road": "an old change puts a delivered order back on the list",
        "older_state": "an older state is written over a newer one",
        "history_cut": "a late change is missing from the history",
        "does_not_save": "a newer change is not saved",
        "race": "a newer change can come between the look and the write",
        "history_doubled": "a change stands in the history twice",
        "lost_when_refused": "a change is lost when a write is refused",
    },
)
def _judge_repeats(answer: Any, learner: Learner) -> Verdict:
    save_change = a_function(answer, "save_change", "dynamodb", "table", "order")
    client = boto3.client("dynamodb")
    keys = [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
    client.create_table(
        TableName=_E_TABLE,
        KeySchema=keys,
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("PK", "SK", "ciudad_reparto")],
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=[
            {
                "IndexName": "gsi-reparto",
                "KeySchema": [{"AttributeName": "ciudad_reparto", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    draw = random.Random(40_771)
    lives = [_life(draw, _PATHS[number % len(_PATHS)]) for number in range(10)]
    for life in lives:
        for change in life:  # first as it should be
            _save_change(save_change, client, change)
        _must_say(client, life, "")
    for life in lives:  # then again, late: everything but the last word
        for change in life[:-1]:
            _save_change(save_change, client, change)
        _must_say(client, life, ", after older changes came once more")
    swapped = [_life(draw, _PATHS[number % len(_PATHS)]) for number in range(5)]
    for life in swapped:  # new orders, whose last two changes come the wrong way round
        for change in (*life[:-2], life[-1], life[-2]):
            _save_change(save_change, client, change)
        _must_say(client, life, ", although its last two changes came the wrong way round")
    _must_not_race(save_change, client, _life(draw, _PATHS[0]))
    _must_not_lose(save_change, client, _life(draw, _PATHS[0]))
    count = sum(map(len, lives + swapped))
    return right(
        f"{len(lives + swapped)} orders, {count} changes, many of them repeated, late or the wrong way round: each "
        "order shows its newest state, the list of the road is right, and each history is whole."
    )


def _life(draw: random.Random, path: Sequence[str]) -> list[Order]:
    when = dt.datetime(2026, 9, 6, 9, 0) + dt.timedelta(seconds=draw.randrange(20_000))
    order, life = _order(draw, "4471", when.isoformat()), []
    for state in path:
        more = {"repartidor": "R7"} if state == "en_reparto" else {}
        order = order | {"estado": state, "cambio": when.isoformat()} | more
        life.append(order)
        when += dt.timedelta(seconds=draw.randrange(600, 6_000))
    return life


def _save_change(
    save_change: Callable[..., Any],
    client: Any,
    change: Order,
    refuse: Callable[[Request], str | None] | None = None,
) -> None:
    Learner(refuse=refuse, most_requests=_REQUESTS_A_CALL).call(save_change, client, _E_TABLE, dict(change))
    clock.advance(seconds=0.1)


def _stored(client: Any, id: str) -> tuple[Mapping[str, Any], list[tuple[Any, Any]]]:
    """Return an order's META and its history, as they are in the table."""
    items = client.query(
        TableName=_E_TABLE,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": {"S": f"PEDIDO#{id}"}},
        ConsistentRead=True,
    )["Items"]
    meta: Mapping[str, Any] = next((item for item in items if _text(item, "SK") == "META"), {})
    rows = [item for item in items if str(_text(item, "SK")).startswith("ESTADO#")]
    return meta, [(_text(row, "estado"), _text(row, "cambio")) for row in rows]


def _must_say(client: Any, life: Sequence[Order], how: str) -> None:
    meta, rows = _stored(client, life[-1]["id_pedido"])
    last = life[-1]
    state, listed = _text(meta, "estado"), _text(meta, "ciudad_reparto")
    wanted = last["ciudad"] if last["estado"] == "en_reparto" else None
    if not how and (state != last["estado"] or listed != wanted or len(rows) < len(life)):
        wrong(
            "does_not_save",
            f"Changes came one by one, in order, up to {last['estado']!r}. META says {state!r} and ciudad_reparto is "
            f"{listed!r}; {len(rows)} of {len(life)} changes are in the history."
            + ("" if meta else " The first change finds no META: a comparison with what is not there is false."),
        )
    if listed is not None and wanted is None:
        wrong(
            "back_on_the_road",
            f"An order is {last['estado']!r}{how}, and it is on the list of the road in {listed}. Its customer has "
            "had it for hours.",
        )
    if state != last["estado"] or listed != wanted:
        wrong(
            "older_state", f"An order is {last['estado']!r}{how}, and META says {state!r}, ciudad_reparto {listed!r}."
        )
    if len(rows) > len(life):
        wrong(
            "history_doubled",
            f"An order had {len(life)} changes{how}, and its history has {len(rows)}. A change that comes again is the "
            "same one: it has to find its own place.",
        )
    if {(change["estado"], change["cambio"]) for change in life} != set(rows):
        wrong(
            "history_cut",
            f"An order had {len(life)} changes{how}, and its history has {len(rows)}. A late change is no news for "
            "META, but it did happen.",
        )


def _must_not_race(save_change: Callable[..., Any], client: Any, life: Sequence[Order]) -> None:
    """Save a change while another process saves a newer one, just before the first write to META."""
    *first, change, last = life
    other, done = boto3.client("dynamodb"), itertools.count()
    for one in first:
        _save_change(save_change, client, one)

    def come_between(request: Request) -> None:
        if request.operation in _WRITES and "META" in str(request.parameters) and next(done) == 0:
            other.update_item(
                TableName=_E_TABLE,
                Key={"PK": {"S": f"PEDIDO#{last['id_pedido']}"}, "SK": {"S": "META"}},
                UpdateExpression="SET estado = :e, cambio = :c REMOVE ciudad_reparto",
                ExpressionAttributeValues={":e": {"S": last["estado"]}, ":c": {"S": last["cambio"]}},
            )

    _save_change(save_change, client, change, come_between)
    meta, _ = _stored(client, last["id_pedido"])
    if _text(meta, "estado") != last["estado"] or _text(meta, "ciudad_reparto") is not None:
        wrong(
            "race",
            f"Another process saved {last['estado']!r} in the moment before this one wrote the older "
            f"{change['estado']!r}, and the older won. A look is over when the write comes: let the write "
            "itself compare.",
        )


def _must_not_lose(save_change: Callable[..., Any], client: Any, life: Sequence[Order]) -> None:
    """Refuse the first write to META for its rate: the caller has to hear of it, and a repetition to be saved."""
    *first, last = life
    for one in first:
        _save_change(save_change, client, one)
    done = itertools.count()

    def too_fast(request: Request) -> str | None:
        to_meta = request.operation in _WRITES and "META" in str(request.parameters)
        return "ThrottlingException" if to_meta and next(done) == 0 else None

    learner = Learner(refuse=too_fast, most_requests=_REQUESTS_A_CALL)
    heard = learner.attempt(save_change, client, _E_TABLE, dict(last)).error is not None
    if heard:  # so the message comes again
        _save_change(save_change, client, last)
    meta, rows = _stored(client, last["id_pedido"])
    if _text(meta, "estado") != last["estado"] or len(rows) < len(life):
        what = "and its message came again" if heard else "and save_change returned as if nothing had happened"
        wrong(
            "lost_when_refused",
            f"DynamoDB refused a write of {last['estado']!r} with a ThrottlingException, {what}. META says "
            f"{_text(meta, 'estado')!r}; {len(rows)} of {len(life)} changes are in the history. Only a failed "
            "condition is no error, and a message is done with when both items are written.",
        )
