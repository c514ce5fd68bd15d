"""Exercise 01, the data model: bytes by hand, names worth renaming, types on the way in, a full item, a history.

Bytes are the model's; everything else is stored in a fresh lab and judged by what the lab then charges and holds.
"""

from __future__ import annotations

import decimal
import random
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import boto3
from botocore.exceptions import ClientError, ParamValidationError

from ..live import clock
from ..model.sizes import MAX_ITEM_BYTES, ItemError, attribute_sizes, item_size
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, a_number, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("data_model")

_TABLE = "tabla-de-prueba"


def _create(client: Any, *keys: str) -> None:
    client.create_table(
        TableName=_TABLE,
        KeySchema=[{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
        BillingMode="PAY_PER_REQUEST",
    )


# ── a: bytes by hand ──────────────────────────────────────────────────────────────────────

CART: dict[str, Any] = {
    "PK": {"S": "CLIENTE#4471"},
    "ciudad": {"S": "Logroño"},
    "importe": {"N": "57.60"},
    "urgente": {"BOOL": True},
    "tallas": {"NS": ["35", "1000"]},
    "lineas": {"L": [{"M": {"id": {"S": "P-17"}, "n": {"N": "2"}}}]},
}
_SIZES = {name: sum(parts) for name, parts in attribute_sizes(CART).items()}
_SLIPS: dict[str, tuple[tuple[range, str, str], ...]] = {
    "ciudad": ((range(13, 14), "letters_not_bytes", "ñ is one letter. How many bytes is it in UTF-8?"),),
    "importe": (
        (
            range(11, 13),
            "number_as_text",
            "A number is not stored as its text: two digits to a byte, and one byte more.",
        ),
        (range(9, 10), "number_as_text", "57 and 60 are two pairs, and every number but 0 takes one byte more."),
    ),
    "tallas": (
        (range(12, 17), "set_like_a_list", "A set has no overhead at all: it is the sum of its members, as numbers."),
    ),
    "lineas": (
        (range(15, 16), "documents_free", "A list and a map cost 3 bytes each, and 1 for each element in them."),
        (
            range(16, 24),
            "documents_free",
            "Count again: 3 for the list, 3 for the map, and 1 for each of three elements.",
        ),
    ),
}


@exercise.question(
    "a",
    asks="Set sizes to six numbers of bytes, in the item's order, then check it: lab.check('data_model.a', sizes).",
    hints=(
        "Each attribute is its name and its value, both in bytes. PK is 2 and CLIENTE#4471 is 12.",
        "A number: zeros at its ends fall away, then two digits to a byte, paired off from the point, and 1 byte more.",
        "lineas is the name (6), the list (3, and 1 for its element), the map (3, and 1 for each of its two elements), "
        "and what is in it: id and P-17, n and 2.",
    ),
    value="14, 14, 10, 8, 10, 24: 80 bytes in all",
    solution="sizes = (2 + 12, 6 + 8, 7 + 3, 7 + 1, 6 + 2 + 2, 6 + 3 + 1 + 3 + 2 + (2 + 4) + (1 + 2))",
    road="Names count like values, text counts in UTF-8, numbers by pairs of digits, lists and maps have an overhead "
    "and sets have none.",
    misconceptions={
        "names_left_out": "the names are left out",
        "letters_not_bytes": "letters counted, not bytes",
        "number_as_text": "a number counted like a text",
        "set_like_a_list": "a set taken for a list",
        "documents_free": "lists and maps taken for free",
        "elsewhere": "another number",
    },
)
def _judge_sizes(answer: Any, learner: Learner) -> Verdict:
    if isinstance(answer, Mapping):
        answer = [answer.get(name) for name in CART]
    if not isinstance(answer, list | tuple) or len(answer) != len(CART):
        wrong(WRONG_TYPE, f"The check needs {len(CART)} numbers, one for each of {', '.join(CART)}.")
    if any(is_stub(part) for part in answer):
        raise Judged(Verdict("not attempted", (f"Give all {len(CART)} numbers.",)))
    given = dict(zip(CART, (a_number(part, "bytes of one attribute") for part in answer), strict=True))
    good = [name for name in CART if given[name] == _SIZES[name]]
    if len(good) == len(CART):
        return right(f"{sum(_SIZES.values())} bytes in all, each attribute as DynamoDB counts it.")
    seen = f"{len(good)} of {len(CART)} are right."
    if all(given[name] == _SIZES[name] - len(name) for name in CART):
        wrong(
            "names_left_out", f"{seen} These are the values alone. The names are stored with each item, and paid for."
        )
    bad = next(name for name in CART if name not in good)
    for values, misconception, says in _SLIPS.get(bad, ()):
        if given[bad] in values:
            wrong(misconception, f"{seen} {bad}: {says}")
    wrong("elsewhere", f"{seen} {bad} is not {given[bad]:g} bytes. Take its name and its value apart, and count each.")


# ── b: three names ────────────────────────────────────────────────────────────────────────

MOST_NAMES = 3
_FIRST_LINES = (18, 25, 33, 42, 57)


def _cart(lines: int, draw: random.Random) -> dict[str, Any]:
    def line() -> dict[str, Any]:
        return {
            "M": {
                "identificador_producto": {"S": f"P-{draw.randrange(10_000):04}"},
                "uds": {"N": str(draw.randrange(1, 9))},
                "precio_unitario_euros": {"N": f"{draw.randrange(100, 990) / 100:.2f}"},
                "sustituible_si_se_agota": {"BOOL": draw.random() < 0.5},
            }
        }

    return {
        "PK": {"S": f"CLIENTE#{draw.randrange(1_000, 9_999)}"},
        "identificador_de_la_sesion_del_cliente": {"S": f"s-{draw.getrandbits(48):012x}"},
        "fecha_y_hora_de_la_ultima_modificacion": {"S": "2026-10-02T17:04:11Z"},
        "direccion_de_entrega": {"M": {"calle_y_numero_del_edificio": {"S": "Calle Mayor 17"}}},
        "lineas": {"L": [line() for _ in range(lines)]},
    }


def _names_in(value: Any) -> set[str]:
    """Return every attribute's name in an item, those inside lists and maps as well."""
    found: set[str] = set()
    for name, content in value.items():
        found.add(name)
        parts = content.get("L", [content])
        for part in parts:
            if "M" in part:
                found |= _names_in(part["M"])
    return found


def _renamed(item: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    def value(content: Mapping[str, Any]) -> dict[str, Any]:
        if "M" in content:
            return {"M": _renamed(content["M"], names)}
        return {"L": [value(part) for part in content["L"]]} if "L" in content else dict(content)

    return {names.get(name, name): value(content) for name, content in item.items()}


def _units(client: Any, items: Sequence[Mapping[str, Any]]) -> float:
    """Store the items, each as a new one, and return the write units that the lab charged."""
    total = 0.0
    for item in items:
        client.delete_item(TableName=_TABLE, Key={"PK": item["PK"]})
        answer = client.put_item(TableName=_TABLE, Item=item, ReturnConsumedCapacity="TOTAL")
        total += answer["ConsumedCapacity"]["CapacityUnits"]
        clock.advance(seconds=1)
    return total


@exercise.question(
    "b",
    asks="Set names to a dict of at most three old names and their new ones, then check it: "
    "lab.check('data_model.b', names).",
    hints=(
        "A name costs its bytes each time it occurs in the item. Which names occur once, and which in each line?",
        "Four names occur in each line. Bytes saved a line: the old name's length less the new one's.",
        "Rename the three longest of the four, to one letter each, no two of them alike.",
    ),
    value="identificador_producto, precio_unitario_euros and sustituible_si_se_agota, to one to three letters each",
    solution="""
        names = {
            "identificador_producto": "i",
            "precio_unitario_euros": "p",
            "sustituible_si_se_agota": "s",
        }
    """,
    road="Long names at the top cost some 40 bytes once. In a cart of 42 lines a name of 22 letters inside the "
    "lines costs 924.",
    misconceptions={
        "too_many": "more than three names",
        "key_renamed": "the key has to keep its name",
        "not_there": "a name that no cart has",
        "collision": "two attributes get the same name",
        "stands_once": "names that stand once in the item",
        "not_enough": "some of the dear names are left",
    },
)
def _judge_names(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Mapping) or not all(
        isinstance(part, str) and part for pair in answer.items() for part in pair
    ):
        if isinstance(answer, Mapping) and any(is_stub(part) for part in answer.values()):
            raise Judged(Verdict("not attempted", ("Put a new name in place of the dots.",)))
        wrong(WRONG_TYPE, "The check needs a dict of texts: {'old name': 'new name'}.")
    names = dict(answer)
    draw = random.Random(31_991)
    carts = [_cart(lines, draw) for lines in _FIRST_LINES]
    there = _names_in(carts[0])
    if len(names) > MOST_NAMES:
        wrong("too_many", f"{len(names)} names are renamed; the team changes {MOST_NAMES}. Which three are worth it?")
    if "PK" in names:
        wrong("key_renamed", "The table declares its key as PK: an item without an attribute of that name is refused.")
    unknown = [name for name in names if name not in there]
    if unknown:
        wrong("not_there", f"No cart has an attribute {unknown[0]!r}. Copy the names from the item.")
    after = [names.get(name, name) for name in there]
    if len(set(after)) < len(after):
        twice = next(name for name in sorted(after) if after.count(name) > 1)
        wrong("collision", f"Two attributes would be called {twice!r}, and whoever reads one gets the other's value.")
    client = boto3.client("dynamodb")
    _create(client, "PK")
    before_units = _units(client, carts)
    units = _units(client, [_renamed(cart, names) for cart in carts])
    seen = f"{len(carts)} carts of {_FIRST_LINES[0]} to {_FIRST_LINES[-1]} lines: {before_units:g} write units before, "
    seen += f"{units:g} now."
    if units <= before_units / 2:
        return right(f"{seen} The names in the lines were most of the cart.")
    inner = _names_in(carts[0]["lineas"]["L"][0]["M"])
    if names and not inner & names.keys():
        wrong("stands_once", f"{seen} These names are long, but each stands in a cart once. Which stand there often?")
    wrong(
        "not_enough", f"{seen} At most half is wanted. Count for each name: its bytes, times how often it stands there."
    )


# ── c: types on the way in ───────────────────────────────────────────────────────────────


def _rows() -> list[dict[str, str]]:
    prices = ("1,95", "0,10", "7,50", "12,00", "1299,99", "0,07", "4,35", "19,99", "3,00", "2,15")
    labels = ("curado;oferta", "", "fresco", "", "sin gluten;oferta;bio", "bio", "", "oferta", "curado", "")
    stocks = ("40", "7", "0", "112", "3", "9", "10", "1000", "25", "8")
    return [
        {
            "id": f"P-{7_100 + i}",
            "precio": price,
            "stock": stock,
            "etiquetas": label,
            "retirado": "sí" if i % 4 == 1 else "no",
        }
        for i, (price, stock, label) in enumerate(zip(prices, stocks, labels, strict=True))
    ]


@exercise.question(
    "c",
    asks="Write to_item(row), then check it: lab.check('data_model.c', to_item).",
    hints=(
        "Run it on each of the rows and store what comes out. There are four faults, and two of them raise nothing.",
        "Decimal('1.95') is exact, Decimal(1.95) is not. bool('no') is True. And what does ''.split(';') give?",
        "Decimal(row['precio'].replace(',', '.')), int(row['stock']), row['retirado'] == 'sí', and no etiquetas at "
        "all when there are none: an empty set cannot be stored, and an empty label is none.",
    ),
    value="Decimal from text for the price, int for the stock, == 'sí' for the flag, etiquetas only if there are some",
    solution="""
        from decimal import Decimal

        def to_item(row):
            item = {
                "PK": "PRODUCTO#" + row["id"],
                "precio": Decimal(row["precio"].replace(",", ".")),
                "stock": int(row["stock"]),
                "retirado": row["retirado"] == "sí",
            }
            if row["etiquetas"]:
                item["etiquetas"] = set(row["etiquetas"].split(";"))
            return item
    """,
    road="Everything in a CSV is text; the table takes nearly everything and converts nothing. So the types are "
    "decided here, in one place, or nowhere.",
    misconceptions={
        "float": "a float for an amount",
        "binary_digits": "a Decimal made from a float",
        "number_as_text": "a number stored as text",
        "truthy_text": "a text taken for true or false",
        "empty_set": "an empty set",
        "labels_lost": "the labels are not those of the row",
        "wrong_value": "a value that is not the row's",
        "lost_row": "a product that is not found under its key",
    },
)
def _judge_types(answer: Any, learner: Learner) -> Verdict:
    to_item = a_function(answer, "to_item", "row")
    rows = _rows()
    items = learner.each(to_item, [(dict(row),) for row in rows])
    client = boto3.client("dynamodb")
    _create(client, "PK")
    table = boto3.resource("dynamodb").Table(_TABLE)
    for row, item in zip(rows, items, strict=True):
        if not isinstance(item, dict):
            wrong(
                WRONG_TYPE,
                f"to_item should return a dict, as a boto3 resource takes it; it gave {type(item).__name__}.",
            )
        _store(table, row, item)
    for row in rows:
        _must_hold(client, row)
    return right(
        f"{len(rows)} products, each stored with exact prices and numbers that can be compared; a query for a stock "
        "below 10 now finds what it should."
    )


def _store(table: Any, row: Mapping[str, str], item: Mapping[str, Any]) -> None:
    seen = f"The row {row['id']} (precio {row['precio']}, etiquetas {row['etiquetas']!r}) could not be stored."
    try:
        table.put_item(Item=item)
    except (decimal.Inexact, decimal.Rounded):
        wrong(
            "binary_digits",
            f"{seen} A Decimal made from a float has all the float's binary digits, more than DynamoDB's 38. Make it "
            "from the text.",
        )
    except TypeError as error:
        if "Float" in str(error):
            wrong("float", f"{seen} boto3 takes no float, since most prices are none. Which type holds 1.95 exactly?")
        wrong(WRONG_TYPE, f"{seen} boto3 says: {str(error)[:120]}")
    except ClientError as error:
        message = error.response["Error"]["Message"]
        if " set " in message:
            wrong("empty_set", f"{seen} DynamoDB says: {message}. What is there to store when a product has no labels?")
        wrong("lost_row", f"{seen} DynamoDB says: {message[:150]}")


def _must_hold(client: Any, row: Mapping[str, str]) -> None:
    item = client.get_item(TableName=_TABLE, Key={"PK": {"S": f"PRODUCTO#{row['id']}"}}).get("Item")
    if item is None:
        wrong("lost_row", f"Nothing is stored under PRODUCTO#{row['id']}. Is the key PRODUCTO# and the row's id?")
    for name in ("precio", "stock"):
        kind, value = next(iter(item.get(name, {"": None}).items()))
        wanted = Decimal(row[name].replace(",", "."))
        if kind == "S":
            wrong(
                "number_as_text",
                f"{name} of {row['id']} is stored as text, {value!r}. As text, '112' is less than '9', and ADD fails.",
            )
        if kind != "N" or Decimal(value) != wanted:
            close = kind == "N" and abs(Decimal(value) - wanted) < Decimal("0.001")
            wrong(
                "binary_digits" if close else "wrong_value",
                f"{name} of {row['id']} is {row[name]} in the row and {value} in the table.",
            )
    flag, wanted_flag = item.get("retirado"), {"BOOL": row["retirado"] == "sí"}
    if flag != wanted_flag:
        wrong(
            "truthy_text",
            f"retirado of {row['id']} is {row['retirado']!r} in the row and {flag} in the table. Any text but '' "
            "is true in Python, 'no' as well.",
        )
    kind, labels = next(iter(item.get("etiquetas", {"SS": []}).items()))
    found = [part.get("S") for part in labels] if kind == "L" else [] if kind == "NULL" else labels
    wanted_labels = sorted(row["etiquetas"].split(";")) if row["etiquetas"] else []
    if not isinstance(found, list) or sorted(map(str, found)) != wanted_labels:
        wrong("labels_lost", f"etiquetas of {row['id']}: the row says {row['etiquetas']!r}, the table has {found!r}.")


# ── d: the item that is full ─────────────────────────────────────────────────────────────


@exercise.question(
    "d",
    asks="Set item to an item in DynamoDB's own form, then check it: lab.check('data_model.d', item).",
    hints=(
        "SET estado = 'activo' adds a name of 6 bytes and a value of 6. How much room may the item leave?",
        "400 KB are 400 times 1,024 bytes, names included.",
        "With PK = CLIENTE#4471 (14 bytes) and nota (4), 409,582 letters fill it to the last byte.",
    ),
    value="any item of 409,589 to 409,600 bytes, for example nota with 409,582 letters beside CLIENTE#4471",
    solution="""
        item = {"PK": {"S": "CLIENTE#4471"}, "nota": {"S": "x" * (400 * 1024 - 18)}}
    """,
    road="The limit is 409,600 bytes for all names and values together. An item that leaves fewer than 12 of them can "
    "be read and deleted, but no longer marked.",
    misconceptions={
        "decimal_kb": "a KB taken for 1,000 bytes",
        "names_left_out": "the names or the key left out",
        "too_large": "an item over the limit",
        "too_small": "there is still room",
        "has_estado": "the attribute is there already",
    },
)
def _judge_full(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Mapping) or not all(isinstance(value, Mapping) for value in answer.values()):
        wrong(WRONG_TYPE, "The check needs an item in DynamoDB's own form: {'PK': {'S': '...'}, 'nota': {'S': '...'}}.")
    if any(is_stub(content) for value in answer.values() for content in value.values()):
        raise Judged(Verdict("not attempted", ("Put a value in place of the dots.",)))
    client = boto3.client("dynamodb")
    _create(client, "PK")
    if "estado" in answer:
        wrong("has_estado", "It has an estado already: setting it then replaces a value and need not add any byte.")
    try:
        size = item_size(answer)
        client.put_item(TableName=_TABLE, Item=dict(answer))
    except (ItemError, ParamValidationError, TypeError, AttributeError) as error:
        wrong(WRONG_TYPE, f"This is not an item in DynamoDB's own form: {' '.join(str(error).split())[:150]}")
    except ClientError as error:
        over = size - MAX_ITEM_BYTES
        if over <= 0:
            wrong(WRONG_TYPE, f"DynamoDB refuses it for another reason: {error.response['Error']['Message'][:150]}")
        if over <= 100:
            wrong("names_left_out", f"It is refused: {over} bytes too many. Names and the key count as well.")
        wrong("too_large", f"It is refused: {size:,} bytes, and the limit is 400 KB. Bytes count, not letters.")
    clock.advance(seconds=2)
    try:
        client.update_item(
            TableName=_TABLE,
            Key={"PK": answer["PK"]},
            UpdateExpression="SET estado = :e",
            ExpressionAttributeValues={":e": {"S": "activo"}},
        )
    except ClientError:
        return right(f"{size:,} bytes are accepted; {MAX_ITEM_BYTES - size} are left, and estado = activo needs 12.")
    room = MAX_ITEM_BYTES - size
    if 399_900 <= size <= 400_000:
        wrong("decimal_kb", f"{size:,} bytes leave room for {room:,} more: a KB is 1,024 bytes here.")
    wrong("too_small", f"The update passed: {size:,} bytes leave room for {room:,} more, and it needs 12.")


# ── e: a history ─────────────────────────────────────────────────────────────────────────

CHANGES = {"4711": 120, "4712": 10}
MOST_UNITS = 2
"""Write units that one change may cost on average."""
_MOST_READ_UNITS = 6.0
_STATES = ("pendiente", "pagado", "preparado", "en_reparto", "entregado", "devuelto")
_WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}


def _changes(month: int, count: int, draw: random.Random) -> list[tuple[str, str]]:
    """Return moments and states, nearly in order of time: every fifth comes late."""
    changes = [
        (
            f"2026-{month:02}-{2 + i // 40:02}T{8 + i % 40 // 4:02}:{i % 4 * 15:02}:{draw.randrange(60):02}Z",
            draw.choice(_STATES),
        )
        for i in range(count)
    ]
    for i in range(4, count, 5):
        changes[i - 1], changes[i] = changes[i], changes[i - 1]
    return changes


@exercise.question(
    "e",
    asks="Write both functions, then check them: lab.check('data_model.e', (note_change, history)).",
    hints=(
        "What does a write to the order's own item cost, whatever it changes? What does a small item beside it cost?",
        "Each change can be an item of its own under the order's PK. What makes its sort key unique and sorts it?",
        "SK = HISTORIAL#<moment>. History is then one Query: PK = ..., begins_with(SK, HISTORIAL#).",
    ),
    value="an item for each change, with the same PK and SK = HISTORIAL#<moment>; the history by one Query",
    solution="""
        def note_change(dynamodb, table, order, moment, estado):
            item = {"PK": f"PEDIDO#{order}", "SK": f"HISTORIAL#{moment}", "estado": estado}
            dynamodb.put_item(TableName=table, Item={name: {"S": value} for name, value in item.items()})

        def history(dynamodb, table, order):
            found = dynamodb.query(
                TableName=table,
                KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
                ExpressionAttributeValues={":pk": {"S": f"PEDIDO#{order}"}, ":sk": {"S": "HISTORIAL#"}},
            )
            return [(item["SK"]["S"].removeprefix("HISTORIAL#"), item["estado"]["S"]) for item in found["Items"]]
    """,
    road="A write costs the size of the whole item. A list that grows makes every later change dearer, wherever it "
    "lies; an item for each change costs one unit for ever, and the sort key keeps them in order for nothing.",
    misconceptions={
        "in_the_order": "each change pays for the whole order",
        "grows_beside": "a list that grows in an item of its own",
        "lost_order": "the order itself is replaced",
        "lost_changes": "changes that replace each other",
        "not_in_order": "the changes are not in order of time",
        "other_orders": "changes of another order",
        "invented": "changes that nobody made",
        "scan": "a Scan reads the whole table",
        "dear_to_read": "reading the history costs too much",
    },
)
def _judge_history(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both functions: lab.check('data_model.e', (note_change, history)).")
    note = a_function(answer[0], "note_change", "dynamodb", "table", "order", "moment", "estado")
    history = a_function(answer[1], "history", "dynamodb", "table", "order")
    client = boto3.client("dynamodb")
    _create(client, "PK", "SK")
    draw = random.Random(52_770)
    learner.most_requests = 600
    changes = {order: _changes(10 + i, count, draw) for i, (order, count) in enumerate(CHANGES.items())}
    for order in changes:
        client.put_item(TableName=_TABLE, Item=_order(order))
    calls = [(client, _TABLE, order, moment, estado) for order, noted in changes.items() for moment, estado in noted]
    _note(learner, note, calls)
    writes = [request for request in learner.requests if request.operation in _WRITES]
    for order in changes:
        stored = client.get_item(TableName=_TABLE, Key=_key_of_order(order), ConsistentRead=True).get("Item", {})
        if stored.get("lineas") != _order(order)["lineas"]:
            wrong("lost_order", f"PEDIDO#{order} has lost its lineas: a put replaces the whole item under its key.")
    _must_be_cheap(writes, len(calls))
    before = len(learner.requests)
    for order, noted in changes.items():
        others = {pair for other, pairs in changes.items() if other != order for pair in pairs}
        _must_be_the_history(learner.call(history, client, _TABLE, order), noted, others)
    reads = learner.requests[before:]
    units = sum(request.units for request in reads)
    if any(request.operation == "Scan" for request in reads):
        wrong("scan", f"The history is right, but a Scan read the whole table for it: {units:g} units, and all orders.")
    if units > _MOST_READ_UNITS:
        wrong(
            "dear_to_read", f"The history is right, but reading it took {len(reads)} requests and {units:g} read units."
        )
    cost = sum(request.units for request in writes) / len(calls)
    return right(
        f"{len(calls)} changes at {cost:.2g} write units each on average, both histories whole and in order for "
        f"{units:g} read units."
    )


def _order(order: str) -> dict[str, Any]:
    return {**_key_of_order(order), "lineas": {"S": f"{order}: " + "x" * 3_000}}


def _key_of_order(order: str) -> dict[str, Any]:
    return {"PK": {"S": f"PEDIDO#{order}"}, "SK": {"S": "PEDIDO"}}


def _note(learner: Learner, note: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    for i in range(0, len(calls), 20):
        learner.each(note, calls[i : i + 20])
        clock.advance(seconds=1)  # so slowly that no write is refused


def _must_be_cheap(writes: Sequence[Request], count: int) -> None:
    total = sum(request.units for request in writes)
    if total <= MOST_UNITS * count:
        return
    seen = f"{count} changes cost {total:g} write units, {total / count:.1f} each; {MOST_UNITS} are allowed."
    if any('"PEDIDO"' in repr(request.parameters).replace("'", '"') for request in writes):
        wrong(
            "in_the_order",
            f"{seen} Each write to the order's item pays for its 3 KB and all that has been added to it.",
        )
    wrong("grows_beside", f"{seen} The last ones cost the most: each pays for all the changes before it once more.")


def _must_be_the_history(answered: Any, noted: Sequence[tuple[str, str]], others: set[tuple[str, str]]) -> None:
    if not isinstance(answered, list | tuple) or not all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)
        for pair in answered
    ):
        wrong(WRONG_TYPE, "history should return a list of pairs of texts, (moment, estado).")
    got, wanted = [(pair[0], pair[1]) for pair in answered], sorted(noted)
    if got == wanted:
        return
    if others & set(got):
        wrong("other_orders", "Among the changes of one order are some of another. Does the key name the order?")
    if not set(got) <= set(wanted):
        strange = next(pair for pair in got if pair not in wanted)
        wrong("invented", f"{strange} is no change of this order. The moment is wanted as it was given, and the state.")
    if set(got) != set(wanted):
        wrong(
            "lost_changes",
            f"{len(wanted)} changes were made, {len(set(got))} came back. Do they replace each other under one key?",
        )
    late = " Some changes arrive late." if len(got) == len(wanted) else " Some come twice."
    wrong("not_in_order", f"All {len(wanted)} changes are there, but not once each and oldest first.{late}")
