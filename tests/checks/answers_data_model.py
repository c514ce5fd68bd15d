"""Answers to exercise 01 as learners give them, each with the judgement that it deserves."""

import decimal
from decimal import Decimal

import boto3
import numpy as np
from boto3.dynamodb.conditions import Key

from checks.answering import Answers

book = Answers("data_model")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["sizes"],
    "b": lambda names: names["names"],
    "c": lambda names: names["to_item"],
    "d": lambda names: names["item"],
    "e": lambda names: (names["note_change"], names["history"]),
}

# ── a ─────────────────────────────────────────────────────────────────────────────────

SIZES = (14, 14, 10, 8, 10, 24)
given("a", SIZES, "right", name="a tuple")
given("a", list(map(Decimal, SIZES)), "right", name="a list of decimals")
given(
    "a",
    dict(zip(("PK", "ciudad", "importe", "urgente", "tallas", "lineas"), SIZES, strict=True)),
    "right",
    name="a dict",
)
given("a", tuple(np.array(SIZES)), "right", name="numpy's numbers")
given("a", (12, 8, 3, 1, 4, 18), "wrong", "names_left_out", name="values alone")
given("a", (14, 13, 10, 8, 10, 24), "wrong", "letters_not_bytes", name="letters")
given("a", (14, 14, 12, 8, 10, 24), "wrong", "number_as_text", name="57.60 as text")
given("a", (14, 14, 11, 8, 10, 24), "wrong", "number_as_text", name="57.6 as text")
given("a", (14, 14, 9, 8, 10, 24), "wrong", "number_as_text", name="two pairs alone")
given("a", (14, 14, 10, 8, 12, 24), "wrong", "set_like_a_list", name="the set as text")
given("a", (14, 14, 10, 8, 15, 24), "wrong", "set_like_a_list", name="the set like a list")
given("a", (14, 14, 10, 8, 10, 15), "wrong", "documents_free", name="no overhead")
given("a", (14, 14, 10, 8, 10, 21), "wrong", "documents_free", name="no byte for the elements")
given("a", (14, 14, 10, 11, 10, 24), "wrong", "elsewhere", name="True as text")
given("a", (0, 0, 0, 0, 0, 0), "wrong", "elsewhere", name="zeros")
given("a", (14, 14, 10, 8, 10, float("nan")), "wrong", "elsewhere", name="nan")
given("a", 80, "wrong", "wrong_type")
given("a", (14, 14, 10), "wrong", "wrong_type", name="three numbers")
given("a", ("14", "14", "10", "8", "10", "24"), "wrong", "wrong_type", name="texts")
given("a", (), "wrong", "wrong_type", name="empty")
given("a", (14, 14, 10, 8, 10, ...), "not attempted", name="one is missing")
given("a", [..., ..., ..., ..., ..., ...], "not attempted", name="dots")

# ── b ─────────────────────────────────────────────────────────────────────────────────

PRODUCT, PRICE, OTHER, COUNT = (
    "identificador_producto",
    "precio_unitario_euros",
    "sustituible_si_se_agota",
    "uds",
)
SESSION, WHEN, STREET = (
    "identificador_de_la_sesion_del_cliente",
    "fecha_y_hora_de_la_ultima_modificacion",
    "calle_y_numero_del_edificio",
)
given("b", {PRODUCT: "i", PRICE: "p", OTHER: "s"}, "right", name="one letter")
given("b", {PRODUCT: "id", PRICE: "eur", OTHER: "sus"}, "right", name="two and three letters")
given("b", {PRODUCT: "ñ", PRICE: "€", OTHER: "1"}, "right", name="odd names")
given("b", {PRODUCT: "i", PRICE: "p", OTHER: "s", COUNT: "n"}, "wrong", "too_many", name="all four")
given("b", {name: name[:1] for name in (PRODUCT, PRICE, OTHER, COUNT, SESSION)}, "wrong", "too_many", name="five")
given("b", {"PK": "k", PRODUCT: "i", PRICE: "p"}, "wrong", "key_renamed", name="the key")
given("b", {"producto": "i", PRICE: "p", OTHER: "s"}, "wrong", "not_there", name="a guess")
given("b", {"identificador": "i"}, "wrong", "not_there", name="the lesson's name")
given("b", {PRODUCT: "x", PRICE: "x", OTHER: "x"}, "wrong", "collision", name="all x")
given("b", {PRODUCT: COUNT, PRICE: "p"}, "wrong", "collision", name="a name that is taken")
given("b", {SESSION: "s", WHEN: "f", STREET: "c"}, "wrong", "stands_once", name="the longest three")
given("b", {"lineas": "l"}, "wrong", "stands_once", name="the list's name")
given("b", {}, "wrong", "not_enough", name="none")
given("b", {PRODUCT: "i", PRICE: "p"}, "wrong", "not_enough", name="two")
given("b", {PRODUCT: "i", SESSION: "s", WHEN: "f"}, "wrong", "not_enough", name="one inside, two outside")
given("b", {PRODUCT: "i", PRICE: "p", COUNT: "n"}, "wrong", "not_enough", name="the short one instead")
given("b", {PRODUCT: "producto", PRICE: "precio", OTHER: "sustituible"}, "wrong", "not_enough", name="a little shorter")
given("b", {PRODUCT: "", PRICE: "p"}, "wrong", "wrong_type", name="an empty name")
given("b", {PRODUCT: 1, PRICE: 2, OTHER: 3}, "wrong", "wrong_type", name="numbers")
given("b", [(PRODUCT, "i")], "wrong", "wrong_type", name="a list")
given("b", "i", "wrong", "wrong_type")
given("b", {PRODUCT: ...}, "not attempted", name="dots inside")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def item_of(row, **more):
    item = {
        "PK": "PRODUCTO#" + row["id"],
        "precio": Decimal(row["precio"].replace(",", ".")),
        "stock": int(row["stock"]),
        "retirado": row["retirado"] == "sí",
    }
    if row["etiquetas"]:
        item["etiquetas"] = set(row["etiquetas"].split(";"))
    return item | more


@is_right("c")
def plain(row):
    return item_of(row)


@is_right("c")
def by_way_of_text(row):
    return item_of(row, precio=Decimal(str(float(row["precio"].replace(",", ".")))), stock=Decimal(row["stock"]))


@is_right("c")
def a_list_of_labels(row):
    return item_of(row, etiquetas=[label for label in row["etiquetas"].split(";") if label])


@is_right("c")
def nothing_as_null(row):
    return item_of(row, etiquetas=set(row["etiquetas"].split(";")) if row["etiquetas"] else None)


@is_right("c")
def cents_and_rounding(row):
    euros, cents = row["precio"].split(",")
    return item_of(row, precio=(Decimal(euros) * 100 + int(cents)) / 100, retirado=row["retirado"].startswith("s"))


@is_right("c")
def rounded(row):
    return item_of(row, precio=round(Decimal(float(row["precio"].replace(",", "."))), 2))


@shows("c", "float")
def a_float(row):
    return item_of(row, precio=float(row["precio"].replace(",", ".")))


@shows("c", "float")
def a_float_stock(row):
    return item_of(row, stock=float(row["stock"]))


@shows("c", "binary_digits")
def decimal_of_float(row):
    return item_of(row, precio=Decimal(float(row["precio"].replace(",", "."))))


@shows("c", "binary_digits")
def thirty_digits(row):
    with decimal.localcontext(decimal.Context(prec=30)) as context:
        return item_of(row, precio=context.create_decimal(float(row["precio"].replace(",", "."))))


@shows("c", "number_as_text")
def price_as_text(row):
    return item_of(row, precio=row["precio"])


@shows("c", "number_as_text")
def stock_as_text(row):
    return item_of(row, stock=row["stock"])


@shows("c", "truthy_text")
def truthy(row):
    return item_of(row, retirado=bool(row["retirado"]))


@shows("c", "truthy_text")
def another_spelling(row):
    return item_of(row, retirado=row["retirado"] == "si")


@shows("c", "truthy_text")
def flag_as_text(row):
    return item_of(row, retirado=row["retirado"])


@shows("c", "labels_lost")
def empty_member(row):
    return item_of(row, etiquetas=set(row["etiquetas"].split(";")))


@shows("c", "empty_set")
def empty_set(row):
    return item_of(row, etiquetas={label for label in row["etiquetas"].split(";") if label})


@shows("c", "labels_lost")
def no_labels(row):
    item = item_of(row)
    item.pop("etiquetas", None)
    return item


@shows("c", "labels_lost")
def one_label(row):
    return item_of(row, **({"etiquetas": {row["etiquetas"]}} if row["etiquetas"] else {}))


@shows("c", "labels_lost")
def labels_as_text(row):
    return item_of(row, etiquetas=row["etiquetas"])


@shows("c", "wrong_value")
def without_comma(row):
    return item_of(row, precio=Decimal(row["precio"].replace(",", "")))


@shows("c", "wrong_value")
def whole_euros(row):
    return item_of(row, precio=int(row["precio"].split(",")[0]))


@shows("c", "wrong_value")
def forgets_the_stock(row):
    item = item_of(row)
    del item["stock"]
    return item


@shows("c", "lost_row")
def bare_key(row):
    return item_of(row, PK=row["id"])


@shows("c", "lost_row")
def no_key(row):
    item = item_of(row)
    del item["PK"]
    return item


@shows("c", "lost_row")
def visible_row_only(row):
    return item_of({"id": "P-0417", "precio": "1,95", "stock": "40", "etiquetas": "oferta", "retirado": "no"})


@shows("c", "wrong_type")
def forgets_to_return(row):
    item = item_of(row)  # noqa: F841


@shows("c", "wrong_type")
def a_pair(row):
    return row["id"], row["precio"]


@shows("c", "wrong_type")
def an_object_inside(row):
    return item_of(row, fecha=object())


@raises("c")
def comma_left_in(row):
    return item_of(row, precio=Decimal(row["precio"]))


@raises("c")
def another_column(row):
    return item_of(row, stock=int(row["existencias"]))


@raises("c")
def endless(row):
    while True:
        pass


@is_untouched("c")
def stub_c(row):
    return ...


given("c", {"PK": "PRODUCTO#P-0417"}, "wrong", "wrong_type", name="an item")

# ── d ─────────────────────────────────────────────────────────────────────────────────


def note(letters, key="CLIENTE#4471"):
    return {"PK": {"S": key}, "nota": {"S": "x" * letters}}


given("d", note(400 * 1024 - 18), "right", name="to the last byte")
given("d", note(400 * 1024 - 18 - 11), "right", name="11 bytes left")
given("d", {"PK": {"S": "a"}, "b": {"B": b"\x00" * (409_600 - 4)}}, "right", name="bytes")
given("d", {"PK": {"S": "a"}, "n": {"S": "ñ" * 204_797}}, "right", name="two-byte letters")
given("d", {"PK": {"S": "a"}, "l": {"L": [{"S": "x" * 2_047}] * 199 + [{"S": "x" * 2_032}]}}, "right", name="a list")
given("d", note(400 * 1024 - 18 - 12), "wrong", "too_small", name="12 bytes left")
given("d", note(390 * 1024), "wrong", "too_small", name="390 KB")
given("d", note(1), "wrong", "too_small", name="one letter")
given("d", note(400_000 - 18), "wrong", "decimal_kb", name="400,000 bytes")
given("d", note(400_000 - 30), "wrong", "decimal_kb", name="12 bytes under 400,000")
given("d", note(400 * 1024), "wrong", "names_left_out", name="409,600 letters")
given("d", note(400 * 1024 - 17), "wrong", "names_left_out", name="one too many")
given("d", note(400 * 1024 - 14), "wrong", "names_left_out", name="the key alone")
given("d", note(500 * 1024), "wrong", "too_large", name="500 KB")
given("d", {"PK": {"S": "a"}, "n": {"S": "ñ" * 409_590}}, "wrong", "too_large", name="letters, not bytes")
given("d", note(409_582 - 12) | {"estado": {"S": "activo"}}, "wrong", "has_estado", name="estado is in it")
given("d", {"PK": "CLIENTE#4471", "nota": "x" * 409_582}, "wrong", "wrong_type", name="the resource's form")
given("d", {"PK": {"S": "a"}, "nota": {"S": 409_582}}, "wrong", "wrong_type", name="a number as text")
given("d", {"PK": {"X": "a"}}, "wrong", "wrong_type", name="no such type")
given("d", {"nota": {"S": "x" * 409_590}}, "wrong", "wrong_type", name="no key")
given("d", {}, "wrong", "wrong_type", name="empty")
given("d", "x" * 409_600, "wrong", "wrong_type", name="a text")
given("d", 409_582, "wrong", "wrong_type")
given("d", {"PK": {"S": "CLIENTE#4471"}, "nota": {"S": ...}}, "not attempted", name="dots inside")

# ── e ─────────────────────────────────────────────────────────────────────────────────


def text(**values):
    return {name: {"S": value} for name, value in values.items()}


def an_item_each(dynamodb, table, order, moment, estado):
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", SK=f"HISTORIAL#{moment}", estado=estado))


def read_items(dynamodb, table, order):
    pages = dynamodb.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
        ExpressionAttributeValues=text(**{":pk": f"PEDIDO#{order}", ":sk": "HISTORIAL#"}),
    )
    return [(item["SK"]["S"][10:], item["estado"]["S"]) for page in pages for item in page["Items"]]


def own_collection(dynamodb, table, order, moment, estado):
    boto3.resource("dynamodb").Table(table).put_item(Item={"PK": f"HISTORIAL#{order}", "SK": moment, "e": estado})


def read_own_collection(dynamodb, table, order):
    found = boto3.resource("dynamodb").Table(table).query(KeyConditionExpression=Key("PK").eq(f"HISTORIAL#{order}"))
    return [[item["SK"], item["e"]] for item in found["Items"]]


def by_update(dynamodb, table, order, moment, estado):
    dynamodb.update_item(
        TableName=table,
        Key=text(PK=f"PEDIDO#{order}", SK=f"HISTORIAL#{moment}"),
        UpdateExpression="SET estado = :e",
        ExpressionAttributeValues=text(**{":e": estado}),
    )


def state_in_the_key(dynamodb, table, order, moment, estado):
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", SK=f"{moment}#{estado}"))


def read_state_in_the_key(dynamodb, table, order):
    found = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk AND SK < :sk",
        ExpressionAttributeValues=text(**{":pk": f"PEDIDO#{order}", ":sk": "3"}),
    )
    return [tuple(item["SK"]["S"].split("#")) for item in found["Items"]]


def with_the_newest_beside(dynamodb, table, order, moment, estado):
    an_item_each(dynamodb, table, order, moment, estado)
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", SK="ESTADO", estado=estado))


given("e", (an_item_each, read_items), "right", name="an item each")
given("e", [own_collection, read_own_collection], "right", name="a collection of its own")
given("e", (by_update, read_items), "right", name="by update")
given("e", (state_in_the_key, read_state_in_the_key), "right", name="the state in the key")
given("e", (with_the_newest_beside, read_items), "right", name="the newest beside it")


def append(sk):
    def add(dynamodb, table, order, moment, estado):
        dynamodb.update_item(
            TableName=table,
            Key=text(PK=f"PEDIDO#{order}", SK=sk),
            UpdateExpression="SET historial = list_append(if_not_exists(historial, :none), :one)",
            ExpressionAttributeValues={":none": {"L": []}, ":one": {"L": [{"S": f"{moment}#{estado}"}]}},
        )

    return add


def read_list(sk):
    def read(dynamodb, table, order):
        item = dynamodb.get_item(TableName=table, Key=text(PK=f"PEDIDO#{order}", SK=sk))["Item"]
        return sorted(tuple(entry["S"].split("#")) for entry in item["historial"]["L"])

    return read


def item_and_order(dynamodb, table, order, moment, estado):
    an_item_each(dynamodb, table, order, moment, estado)
    dynamodb.update_item(
        TableName=table,
        Key=text(PK=f"PEDIDO#{order}", SK="PEDIDO"),
        UpdateExpression="SET estado = :e",
        ExpressionAttributeValues=text(**{":e": estado}),
    )


def over_the_order(dynamodb, table, order, moment, estado):
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", SK="PEDIDO", hora=moment, estado=estado))


def one_key_for_all(dynamodb, table, order, moment, estado):
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", SK="HISTORIAL#", hora=moment, estado=estado))


def one_a_day(dynamodb, table, order, moment, estado):
    dynamodb.put_item(
        TableName=table, Item=text(PK=f"PEDIDO#{order}", SK=f"HISTORIAL#{moment[:10]}", hora=moment, estado=estado)
    )


def read_hora(dynamodb, table, order):
    found = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
        ExpressionAttributeValues=text(**{":pk": f"PEDIDO#{order}", ":sk": "HISTORIAL#"}),
    )
    return [(item["hora"]["S"], item["estado"]["S"]) for item in found["Items"]]


noted = []


def by_turn(dynamodb, table, order, moment, estado):
    noted.append(moment)
    sk = f"HISTORIAL#{len(noted):06}"
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", SK=sk, hora=moment, estado=estado))


def newest_first(dynamodb, table, order):
    return read_items(dynamodb, table, order)[::-1]


def everything_in_one_collection(dynamodb, table, order, moment, estado):
    dynamodb.put_item(TableName=table, Item=text(PK="HISTORIAL", SK=moment, estado=estado, pedido=order))


def read_everything(dynamodb, table, order):
    found = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues=text(**{":pk": "HISTORIAL"}),
    )
    return [(item["SK"]["S"], item["estado"]["S"]) for item in found["Items"]]


def by_scan(dynamodb, table, order):
    items = dynamodb.scan(TableName=table)["Items"]
    mine = [item for item in items if item["PK"]["S"] == f"PEDIDO#{order}" and item["SK"]["S"] != "PEDIDO"]
    return sorted((item["SK"]["S"][10:], item["estado"]["S"]) for item in mine)


def one_by_one(dynamodb, table, order):
    found = []
    for moment, _ in read_items(dynamodb, table, order):
        item = dynamodb.get_item(TableName=table, Key=text(PK=f"PEDIDO#{order}", SK=f"HISTORIAL#{moment}"))["Item"]
        found.append((moment, item["estado"]["S"]))
    return found


def with_the_prefix(dynamodb, table, order):
    return [(f"HISTORIAL#{moment}", estado) for moment, estado in read_items(dynamodb, table, order)]


def raw_items(dynamodb, table, order):
    return dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues=text(**{":pk": f"PEDIDO#{order}"}),
    )["Items"]


def tries_for_ever(dynamodb, table, order, moment, estado):
    while True:
        an_item_each(dynamodb, table, order, moment, estado)


def missing_key(dynamodb, table, order, moment, estado):
    dynamodb.put_item(TableName=table, Item=text(PK=f"PEDIDO#{order}", estado=estado))


def visible_order_only(dynamodb, table, order, moment, estado):
    if order == "4711" and moment == "2026-09-06T10:00:00Z":
        an_item_each(dynamodb, table, order, moment, estado)


def stub_note(dynamodb, table, order, moment, estado):
    return ...


def stub_history(dynamodb, table, order):
    return ...


given("e", (append("PEDIDO"), read_list("PEDIDO")), "wrong", "in_the_order", name="a list in the order")
given("e", (item_and_order, read_items), "wrong", "in_the_order", name="the state in the order too")
given("e", (append("HISTORIAL"), read_list("HISTORIAL")), "wrong", "grows_beside", name="a list beside it")
given("e", (over_the_order, read_items), "wrong", "lost_order", name="over the order")
given("e", (one_key_for_all, read_hora), "wrong", "lost_changes", name="one key for all")
given("e", (one_a_day, read_hora), "wrong", "lost_changes", name="one a day")
given("e", (visible_order_only, read_items), "wrong", "lost_changes", name="the visible order only")
given("e", (by_turn, read_hora), "wrong", "not_in_order", name="as they came")
given("e", (an_item_each, newest_first), "wrong", "not_in_order", name="newest first")
given("e", (everything_in_one_collection, read_everything), "wrong", "other_orders", name="all in one collection")
given("e", (an_item_each, with_the_prefix), "wrong", "invented", name="the prefix left in")
given("e", (an_item_each, by_scan), "wrong", "scan", name="scan")
given("e", (an_item_each, one_by_one), "wrong", "dear_to_read", name="one by one")
given("e", (an_item_each, raw_items), "wrong", "wrong_type", name="raw items")
given("e", (an_item_each, 5), "wrong", "wrong_type", name="a number")
given("e", an_item_each, "wrong", "wrong_type", name="one function")
given("e", (), "wrong", "wrong_type", name="empty")
given("e", (missing_key, read_items), "raised", name="no sort key")
given("e", (tries_for_ever, read_items), "raised", name="for ever")
given("e", (an_item_each, read_list("PEDIDO")), "raised", name="reads what is not there")
given("e", (stub_note, stub_history), "not attempted", name="stubs")
given("e", (an_item_each, stub_history), "not attempted", name="one stub")
given("e", (stub_note, read_items), "not attempted", name="the other stub")
