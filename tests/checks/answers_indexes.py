"""Answers to exercise 11 as learners give them, each with the judgement that it deserves."""

import boto3
from boto3.dynamodb.conditions import Attr, Key

from checks.answering import Answers

book = Answers("indexes")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["units"],
    "b": lambda names: (names["index"], names["open_case"], names["close_case"], names["open_cases"]),
    "c": lambda names: (names["projection"], names["on_the_road"]),
    "d": lambda names: (names["index_keys"], names["find"]),
    "e": lambda names: names["pay"],
}


def endless(*_):
    while True:
        pass


def stub(*_):
    return ...


def nothing(*_):
    return []


# ── a ─────────────────────────────────────────────────────────────────────────────────


def units(state, courier, customer):
    return {"gsi-estado": state, "gsi-repartidor": courier, "gsi-cliente": customer}


given("a", units(42, 2, 3), "right", name="whole numbers")
given("a", units(42.0, 2.0, 3.0), "right", name="as the lab prints them")
given("a", {"gsi-cliente": 3, "gsi-repartidor": 1 + 1, "gsi-estado": 7 + 7 + 14 + 14}, "right", name="another order")
given("a", units(28, 2, 3), "wrong", "moved_in_place", name="once a write")
given("a", units(56, 2, 3), "wrong", "all_moves", name="twice a write")
given("a", units(42, 4, 3), "wrong", "not_sparse", name="courier at each write")
given("a", units(42, 2, 4), "wrong", "unprojected", name="note counted")
given("a", units(42, 14, 3), "wrong", "whole_item", name="courier by the item")
given("a", units(42, 2, 21), "wrong", "whole_item", name="customer by the item")
given("a", units(35, 2, 3), "wrong", "elsewhere", name="one move")
given("a", units(42, 1, 3), "wrong", "elsewhere", name="the delete is free")
given("a", units(42, 2, 0), "wrong", "elsewhere", name="nothing")
given("a", units("42", 2, 3), "wrong", "wrong_type", name="text")
given("a", 47, "wrong", "wrong_type")
given("a", (42, 2, 3), "wrong", "wrong_type", name="a tuple")
given("a", {"gsi-estado": 42}, "wrong", "wrong_type", name="one of three")
given("a", {}, "wrong", "wrong_type", name="empty")
given("a", units(..., ..., ...), "not attempted", name="the dots")
given("a", units(42, ..., 3), "not attempted", name="one of the dots")

# ── b ─────────────────────────────────────────────────────────────────────────────────


def index_on(partition, sort=None, kind="KEYS_ONLY", name="gsi-incidencia"):
    keys = [{"AttributeName": partition, "KeyType": "HASH"}]
    keys += [{"AttributeName": sort, "KeyType": "RANGE"}] if sort else []
    return {"IndexName": name, "KeySchema": keys, "Projection": {"ProjectionType": kind}}


INDEX = index_on("incidencia", "desde")


def update(dynamodb, table, order, expression, **values):
    more = {"ExpressionAttributeValues": {f":{name}": {"S": text} for name, text in values.items()}} if values else {}
    dynamodb.update_item(TableName=table, Key={"PK": {"S": order}}, UpdateExpression=expression, **more)


def open_case(dynamodb, table, order, when):
    update(dynamodb, table, order, "SET incidencia = :a, desde = :b", a="abierta", b=when)


def close_case(dynamodb, table, order):
    update(dynamodb, table, order, "REMOVE incidencia")


def open_cases(dynamodb, table):
    return dynamodb.query(
        TableName=table,
        IndexName="gsi-incidencia",
        KeyConditionExpression="incidencia = :a",
        ExpressionAttributeValues={":a": {"S": "abierta"}},
    )["Items"]


def removes_both(dynamodb, table, order):
    update(dynamodb, table, order, "REMOVE incidencia, desde")


def sets_one(dynamodb, table, order, when):
    update(dynamodb, table, order, "SET incidencia = :a", a=when)


def sorts_itself(dynamodb, table):
    """The time is the partition key; the whole sparse index is scanned, and sorted here."""
    rows = dynamodb.scan(TableName=table, IndexName="gsi-incidencia")["Items"]
    return sorted(rows, key=lambda row: row["incidencia"]["S"])


def plain_open(dynamodb, table, order, when):
    boto3.resource("dynamodb").Table(table).update_item(
        Key={"PK": order}, AttributeUpdates={"caso": {"Value": "si"}, "hora_caso": {"Value": when}}
    )


def plain_close(dynamodb, table, order):
    boto3.resource("dynamodb").Table(table).update_item(
        Key={"PK": order}, AttributeUpdates={"caso": {"Action": "DELETE"}}
    )


def plain_list(dynamodb, table):
    return (
        boto3.resource("dynamodb")
        .Table(table)
        .query(IndexName="casos", KeyConditionExpression=Key("caso").eq("si"))["Items"]
    )


def by_pages(dynamodb, table):
    pages = dynamodb.get_paginator("query").paginate(
        TableName=table,
        IndexName="gsi-incidencia",
        KeyConditionExpression="incidencia = :a",
        ExpressionAttributeValues={":a": {"S": "abierta"}},
    )
    return [row for page in pages for row in page["Items"]]


def reads_and_puts(dynamodb, table, order, when):
    item = dynamodb.get_item(TableName=table, Key={"PK": {"S": order}}, ConsistentRead=True)["Item"]
    dynamodb.put_item(TableName=table, Item=item | {"incidencia": {"S": "abierta"}, "desde": {"S": when}})


given("b", (INDEX, open_case, close_case, open_cases), "right", name="set and remove")
given("b", (INDEX, open_case, removes_both, by_pages), "right", name="removes both, pages")
given("b", (index_on("incidencia"), sets_one, close_case, sorts_itself), "right", name="scans the sparse index")
given(
    "b",
    (index_on("caso", "hora_caso", "ALL", "casos"), plain_open, plain_close, plain_list),
    "right",
    name="resource and ALL",
)
given("b", [INDEX, reads_and_puts, close_case, open_cases], "right", name="puts the whole item back")


def says_closed(dynamodb, table, order):
    update(dynamodb, table, order, "SET incidencia = :a", a="cerrada")


def state_open(dynamodb, table, order, when):
    update(dynamodb, table, order, "SET estado = :a, desde = :b", a="incidencia", b=when)


def state_closed(dynamodb, table, order):
    update(dynamodb, table, order, "SET estado = :a", a="entregado")


def state_list(dynamodb, table):
    pages = dynamodb.get_paginator("query").paginate(
        TableName=table,
        IndexName="gsi-incidencia",
        KeyConditionExpression="estado = :a",
        ExpressionAttributeValues={":a": {"S": "incidencia"}},
    )
    return sorted((row for page in pages for row in page["Items"]), key=lambda row: row["desde"]["S"])


def puts_only_the_case(dynamodb, table, order, when):
    item = {"PK": order, "incidencia": "abierta", "desde": when}
    dynamodb.put_item(TableName=table, Item={name: {"S": text} for name, text in item.items()})


def deletes_the_order(dynamodb, table, order):
    dynamodb.delete_item(TableName=table, Key={"PK": {"S": order}})


def scans_the_table(dynamodb, table):
    rows = boto3.resource("dynamodb").Table(table).scan(FilterExpression=Attr("incidencia").exists())["Items"]
    return sorted(rows, key=lambda row: row["desde"])


def leaves_it_open(dynamodb, table, order):
    update(dynamodb, table, order, "SET cerrada = :a", a="si")


remembered = []


def remembers_all(dynamodb, table, order, when):
    remembered.append(order)
    open_case(dynamodb, table, order, when)


def from_memory(dynamodb, table):
    return [{"PK": {"S": order}} for order in remembered]


def another_text(dynamodb, table):
    return dynamodb.query(
        TableName=table,
        IndexName="gsi-incidencia",
        KeyConditionExpression="incidencia = :a",
        ExpressionAttributeValues={":a": {"S": "ABIERTA"}},
    )["Items"]


def newest_first(dynamodb, table):
    return open_cases(dynamodb, table)[::-1]


def again_and_again(dynamodb, table):
    for _ in range(40):
        rows = open_cases(dynamodb, table)
    return rows


def texts(dynamodb, table):
    return [row["PK"]["S"] for row in open_cases(dynamodb, table)]


def whole_answer(dynamodb, table):
    return {"Items": open_cases(dynamodb, table)}


def not_in_the_table(dynamodb, table):
    return open_cases(dynamodb, "pedidos")


TWO_HASHES = {**INDEX, "KeySchema": [{"AttributeName": n, "KeyType": "HASH"} for n in ("incidencia", "incidencia")]}

given("b", (INDEX, open_case, says_closed, open_cases), "wrong", "not_sparse", name="cerrada")
given(
    "b",
    (index_on("estado", "fecha", "ALL"), state_open, state_closed, state_list),
    "wrong",
    "not_sparse",
    name="estado",
)
given("b", (INDEX, open_case, leaves_it_open, open_cases), "wrong", "not_sparse", name="a flag beside it")
given("b", (INDEX, puts_only_the_case, close_case, open_cases), "wrong", "erases", name="PutItem")
given("b", (INDEX, open_case, deletes_the_order, open_cases), "wrong", "erases", name="DeleteItem")
given("b", (INDEX, open_case, close_case, scans_the_table), "wrong", "scan", name="Scan")
given("b", (INDEX, remembers_all, close_case, from_memory), "wrong", "closed_listed", name="from memory")
given("b", (INDEX, open_case, close_case, another_text), "wrong", "lost_cases", name="another text")
given("b", (INDEX, open_case, close_case, nothing), "wrong", "lost_cases", name="nothing returned")
given("b", (INDEX, open_case, close_case, newest_first), "wrong", "not_by_time", name="newest first")
given(
    "b", (index_on("incidencia", "fecha"), open_case, close_case, open_cases), "wrong", "not_by_time", name="by fecha"
)
given("b", (INDEX, open_case, close_case, again_and_again), "wrong", "wasteful", name="forty times")
given("b", (TWO_HASHES, open_case, close_case, open_cases), "wrong", "bad_index", name="two hash keys")
given("b", ({}, open_case, close_case, open_cases), "wrong", "bad_index", name="an empty index")
given("b", ({"KeySchema": 5}, open_case, close_case, open_cases), "wrong", "bad_index", name="no key schema")
given(
    "b", (index_on("incidencia", "desde", "SOME"), open_case, close_case, open_cases), "wrong", "bad_index", name="SOME"
)
given("b", (INDEX, open_case, close_case, texts), "wrong", "wrong_type", name="texts")
given("b", (INDEX, open_case, close_case, whole_answer), "wrong", "wrong_type", name="whole answer")
given("b", ("incidencia", open_case, close_case, open_cases), "wrong", "wrong_type", name="index by name")
given("b", (INDEX, open_case), "wrong", "wrong_type", name="two of four")
given("b", (INDEX, open_case, close_case, 3), "wrong", "wrong_type", name="a number")
given("b", (INDEX, open_case, close_case, not_in_the_table), "raised", name="the notebook's table")
given("b", (INDEX, endless, close_case, open_cases), "raised", name="endless")
given("b", (INDEX, stub, close_case, open_cases), "not attempted", name="one stub")
given("b", (..., open_case, close_case, open_cases), "not attempted", name="no index")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def include(*names):
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(names)}


KEYS, ALL = {"ProjectionType": "KEYS_ONLY"}, {"ProjectionType": "ALL"}


def on_the_road(dynamodb, table, route):
    return dynamodb.query(
        TableName=table,
        IndexName="gsi-ruta",
        KeyConditionExpression="ruta = :r",
        ExpressionAttributeValues={":r": {"S": route}},
    )["Items"]


def by_resource(dynamodb, table, route):
    pedidos = boto3.resource("dynamodb").Table(table)
    return pedidos.query(IndexName="gsi-ruta", KeyConditionExpression=Key("ruta").eq(route))["Items"]


def only_the_screen(dynamodb, table, route):
    return dynamodb.query(
        TableName=table,
        IndexName="gsi-ruta",
        KeyConditionExpression="ruta = :r",
        ProjectionExpression="PK, importe, telefono",
        ExpressionAttributeValues={":r": {"S": route}},
    )["Items"]


def page_after_page(dynamodb, table, route):
    request = {
        "TableName": table,
        "IndexName": "gsi-ruta",
        "KeyConditionExpression": "ruta = :r",
        "ExpressionAttributeValues": {":r": {"S": route}},
    }
    page = dynamodb.query(**request)
    rows = page["Items"]
    while "LastEvaluatedKey" in page:
        page = dynamodb.query(**request, ExclusiveStartKey=page["LastEvaluatedKey"])
        rows += page["Items"]
    return rows


def batch(dynamodb, table, route):
    keys = [{"PK": row["PK"]} for row in on_the_road(dynamodb, table, route)]
    return dynamodb.batch_get_item(RequestItems={table: {"Keys": keys}})["Responses"][table]


def one_by_one(dynamodb, table, route):
    keys = [{"PK": row["PK"]} for row in on_the_road(dynamodb, table, route)]
    return [dynamodb.get_item(TableName=table, Key=key)["Item"] for key in keys]


def scan_and_filter(dynamodb, table, route):
    return boto3.resource("dynamodb").Table(table).scan(FilterExpression=Attr("ruta").eq(route))["Items"]


def scan_the_index(dynamodb, table, route):
    return boto3.resource("dynamodb").Table(table).scan(IndexName="gsi-ruta")["Items"]


def asks_ten_times(dynamodb, table, route):
    for _ in range(10):
        rows = on_the_road(dynamodb, table, route)
    return rows


def visible_route(dynamodb, table, route):
    return on_the_road(dynamodb, table, "VLC-1")


def counts(dynamodb, table, route):
    return len(on_the_road(dynamodb, table, route))


given("c", (include("importe", "telefono"), on_the_road), "right", name="two attributes")
given("c", (include("telefono", "importe"), by_resource), "right", name="by the resource")
given("c", (include("importe", "telefono", "lineas_n"), only_the_screen), "right", name="projection expression")
given("c", [include("importe", "telefono"), page_after_page], "right", name="page after page")
given("c", (ALL, on_the_road), "wrong", "copies_all", name="ALL")
given("c", (ALL, only_the_screen), "wrong", "copies_all", name="ALL, little returned")
given("c", (include("importe", "telefono", "posicion"), on_the_road), "wrong", "copies_what_changes", name="posicion")
given("c", (KEYS, batch), "wrong", "fetches_each", name="keys and BatchGetItem")
given("c", (KEYS, one_by_one), "wrong", "fetches_each", name="keys and GetItem")
given("c", (include("importe"), batch), "wrong", "fetches_each", name="half and BatchGetItem")
given("c", (include("importe", "telefono", "lineas"), on_the_road), "wrong", "dear", name="the lines too")
given("c", (include("importe", "telefono"), asks_ten_times), "wrong", "dear", name="ten times")
given("c", (KEYS, on_the_road), "wrong", "not_shown", name="keys only")
given("c", (include("importe"), on_the_road), "wrong", "not_shown", name="no telephone")
given("c", (include("importe", "telefono"), scan_and_filter), "wrong", "scan", name="Scan")
given("c", (include("importe", "telefono"), scan_the_index), "wrong", "lost_rows", name="both routes")
given("c", (include("importe", "telefono"), visible_route), "wrong", "lost_rows", name="the visible route")
given("c", (include("importe", "telefono"), nothing), "wrong", "lost_rows", name="nothing")
given("c", (include(), on_the_road), "wrong", "bad_projection", name="INCLUDE nothing")
given("c", ({"ProjectionType": "include"}, on_the_road), "wrong", "bad_projection", name="small letters")
given("c", ({}, on_the_road), "wrong", "bad_projection", name="empty")
given("c", ("ALL", on_the_road), "wrong", "wrong_type", name="a text")
given("c", (include("importe", "telefono"), counts), "wrong", "wrong_type", name="a count")
given("c", on_the_road, "wrong", "wrong_type", name="only the reader")
given("c", (include("importe", "telefono"), endless), "raised", name="endless")
given("c", (include("importe", "telefono"), lambda dynamodb, table, route: {}["x"]), "raised", name="raises")
given("c", (..., on_the_road), "not attempted", name="no projection")
given("c", (ALL, stub), "not attempted", name="the stub")

# ── d ─────────────────────────────────────────────────────────────────────────────────


def index_keys(item):
    if "email" in item:
        return {"GSI1PK": f"EMAIL#{item['email']}", "GSI1SK": "PERFIL"}
    if item.get("estado") == "en_reparto":
        return {"GSI1PK": f"REPARTO#{item['ciudad']}", "GSI1SK": item["fecha"]}
    if "incidencia" in item:
        return {"GSI1PK": "INCIDENCIA", "GSI1SK": item["fecha"]}
    return {}


def ask(dynamodb, table, key, **more):
    return dynamodb.query(
        TableName=table,
        IndexName="gsi1",
        KeyConditionExpression="GSI1PK = :key",
        ExpressionAttributeValues={":key": {"S": key}},
        **more,
    )["Items"]


def find(dynamodb, table, what, value):
    return ask(dynamodb, table, {"email": f"EMAIL#{value}", "reparto": f"REPARTO#{value}"}.get(what, "INCIDENCIA"))


def keys_without_prefix(item):
    if item["SK"] == "PERFIL":
        return {"GSI1PK": item["email"], "GSI1SK": item["PK"]}
    if item["SK"] == "META" and item["estado"] == "en_reparto":
        return {"GSI1PK": item["ciudad"] + "#" + item["estado"], "GSI1SK": item["fecha"] + item["PK"]}
    return {"GSI1PK": "abierta", "GSI1SK": item["fecha"]} if "incidencia" in item else {}


def find_without_prefix(dynamodb, table, what, value):
    return ask(dynamodb, table, {"email": value, "reparto": f"{value}#en_reparto", "incidencias": "abierta"}[what])


def keys_by_question(item):
    """Few partition keys, and the rest at the beginning of the sort key."""
    if "email" in item:
        return {"GSI1PK": "EMAIL", "GSI1SK": item["email"]}
    if item.get("estado") == "en_reparto":
        return {"GSI1PK": "REPARTO", "GSI1SK": f"{item['ciudad']}#{item['fecha']}"}
    return {"GSI1PK": "INCIDENCIAS", "GSI1SK": f"#{item['fecha']}"} if "incidencia" in item else {}


def find_by_question(dynamodb, table, what, value):
    condition = Key("GSI1PK").eq(what.upper()) & Key("GSI1SK").begins_with(value or "#")
    return boto3.resource("dynamodb").Table(table).query(IndexName="gsi1", KeyConditionExpression=condition)["Items"]


def keys_with_the_customer(item):
    keys = index_keys(item)
    return keys | ({"GSI1SK": f"{keys['GSI1SK']}#{item['PK']}"} if keys else {})


given("d", (index_keys, find), "right", name="prefixes")
given("d", (keys_without_prefix, find_without_prefix), "right", name="no prefixes")
given("d", (keys_by_question, find_by_question), "right", name="begins_with")
given("d", [keys_with_the_customer, find], "right", name="a longer sort key")


def all_orders(item):
    if "estado" in item:
        return {"GSI1PK": f"{item['ciudad']}#{item['estado']}", "GSI1SK": item["fecha"]}
    return keys_without_prefix(item)


def everything(item):
    return keys_without_prefix(item) or {"GSI1PK": item["PK"], "GSI1SK": item["SK"]}


def city_only(item):
    return {"GSI1PK": f"REPARTO#{item['ciudad']}", "GSI1SK": item["fecha"]} if "ciudad" in item else index_keys(item)


def find_and_filter(dynamodb, table, what, value):
    if what != "reparto":
        return find(dynamodb, table, what, value)
    return [row for row in find(dynamodb, table, what, value) if row["estado"]["S"] == "en_reparto"]


def one_key(item):
    keys = index_keys(item)
    return keys | {"GSI1PK": "X"} if keys else keys


def filters_one_key(dynamodb, table, what, value):
    rows = ask(dynamodb, table, "X")
    if what == "email":
        return [row for row in rows if row.get("email", {}).get("S") == value]
    if what == "reparto":
        return [row for row in rows if row.get("ciudad", {}).get("S") == value]
    return [row for row in rows if "incidencia" in row]


def partition_key_only(item):
    return {name: text for name, text in index_keys(item).items() if name == "GSI1PK"}


def no_time(item):
    keys = index_keys(item)
    return keys | {"GSI1SK": item["PK"]} if keys else keys


def hard_coded(dynamodb, table, what, value):
    return find(dynamodb, table, what, "VALENCIA" if what == "reparto" else value)


def forgets_incidents(item):
    return {} if "incidencia" in item else index_keys(item)


def scans(dynamodb, table, what, value):
    return boto3.resource("dynamodb").Table(table).scan(FilterExpression=Attr("email").eq(value))["Items"]


def empty_key(item):
    return index_keys(item) or {"GSI1PK": "", "GSI1SK": ""}


def none_key(item):
    return index_keys(item) or {"GSI1PK": None, "GSI1SK": None}


def own_names(item):
    return {"gsi1pk": "a", "gsi1sk": "b"}


def low_level(item):
    return {name: {"S": text} for name, text in index_keys(item).items()}


def a_pair(item):
    return "EMAIL", "PERFIL"


def may_return_none(item):
    return index_keys(item) or None


def every_item_has_an_email(item):
    return {"GSI1PK": item["email"], "GSI1SK": "PERFIL"}


given("d", (all_orders, find_without_prefix), "wrong", "not_sparse", name="delivered orders too")
given("d", (everything, find_without_prefix), "wrong", "not_sparse", name="everything")
given("d", (city_only, find), "wrong", "other_rows", name="city without state")
given("d", (city_only, find_and_filter), "wrong", "reads_too_much", name="city, filtered")
given("d", (one_key, filters_one_key), "wrong", "reads_too_much", name="one key")
given("d", (partition_key_only, find), "wrong", "lost_rows", name="no sort key")
given("d", (index_keys, find_without_prefix), "wrong", "lost_rows", name="two spellings")
given("d", (forgets_incidents, find), "wrong", "lost_rows", name="no incidents")
given("d", (no_time, find), "wrong", "not_by_time", name="by customer")
given("d", (index_keys, hard_coded), "wrong", "other_rows", name="the visible city")
given("d", (index_keys, scans), "wrong", "scan", name="Scan")
given("d", (empty_key, find), "wrong", "bad_keys", name="empty texts")
given("d", (none_key, find), "wrong", "bad_keys", name="None as a key")
given("d", (own_names, find), "wrong", "bad_keys", name="other names")
given("d", (low_level, find), "wrong", "bad_keys", name="low-level values")
given("d", (a_pair, find), "wrong", "wrong_type", name="a pair")
given("d", (may_return_none, find), "wrong", "wrong_type", name="None")
given("d", (index_keys, lambda dynamodb, table, what, value: {}), "wrong", "wrong_type", name="no list")
given("d", index_keys, "wrong", "wrong_type", name="one of two")
given("d", (index_keys, "gsi1"), "wrong", "wrong_type", name="a text")
given("d", (every_item_has_an_email, find), "raised", name="KeyError")
given("d", (endless, find), "raised", name="endless")
given("d", (stub, find), "not attempted", name="one stub")
given("d", (stub, stub), "not attempted", name="both stubs")

# ── e ─────────────────────────────────────────────────────────────────────────────────


def open_cart(dynamodb, table, customer):
    found = dynamodb.query(
        TableName=table,
        IndexName="gsi-cliente-estado",
        KeyConditionExpression="cliente = :c AND estado = :o",
        ExpressionAttributeValues={":c": {"S": customer}, ":o": {"S": "abierto"}},
    )["Items"]
    return found[0]["PK"] if found else None


def mark(dynamodb, table, pk, **more):
    values = {":p": {"S": "pagado"}, ":one": {"N": "1"}}
    if ":o" in more.get("ConditionExpression", ""):
        values[":o"] = {"S": "abierto"}
    dynamodb.update_item(
        TableName=table,
        Key={"PK": pk},
        UpdateExpression="SET estado = :p ADD pagos :one",
        ExpressionAttributeValues=values,
        **more,
    )


@is_right("e")
def state_must_be_open(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    if pk is None:
        return False
    try:
        mark(dynamodb, table, pk, ConditionExpression="estado = :o")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


@is_right("e")
def no_payment_yet(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    try:
        if pk:
            mark(dynamodb, table, pk, ConditionExpression="attribute_exists(PK) AND attribute_not_exists(pagos)")
        return pk is not None
    except dynamodb.exceptions.ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False


@is_right("e")
def transaction(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    if pk is None:
        return False
    update = {
        "TableName": table,
        "Key": {"PK": pk},
        "UpdateExpression": "SET estado = :p ADD pagos :one",
        "ConditionExpression": "estado = :o",
        "ExpressionAttributeValues": {":p": {"S": "pagado"}, ":one": {"N": "1"}, ":o": {"S": "abierto"}},
    }
    try:
        dynamodb.transact_write_items(TransactItems=[{"Update": update}])
    except dynamodb.exceptions.TransactionCanceledException:
        return False
    return True


@is_right("e")
def looks_and_makes_sure(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    if pk is None:
        return False
    cart = dynamodb.get_item(TableName=table, Key={"PK": pk}, ConsistentRead=True)["Item"]
    return cart["estado"]["S"] == "abierto" and state_must_be_open(dynamodb, table, customer)


@shows("e", "pays_twice")
def as_in_production(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    if pk is None:
        return False
    mark(dynamodb, table, pk)
    return True


@shows("e", "pays_twice")
def the_item_must_exist(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    if pk is None:
        return False
    mark(dynamodb, table, pk, ConditionExpression="attribute_exists(PK)")
    return True


@shows("e", "race")
def looks_first(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    if pk is None:
        return False
    cart = dynamodb.get_item(TableName=table, Key={"PK": pk}, ConsistentRead=True)["Item"]
    if cart["estado"]["S"] != "abierto":
        return False
    mark(dynamodb, table, pk)
    return True


@shows("e", "does_not_pay")
def always_no(dynamodb, table, customer):
    return bool(customer) and False


@shows("e", "does_not_pay")
def the_condition_is_the_wrong_way_round(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    try:
        mark(dynamodb, table, pk, ConditionExpression="estado <> :o")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


@shows("e", "wrong_cart")
def pays_all_of_the_shop(dynamodb, table, customer):
    done = state_must_be_open(dynamodb, table, customer)
    if done:
        state_must_be_open(dynamodb, table, "9004")
    return done


@shows("e", "wrong_cart")
def keeps_a_log_in_the_table(dynamodb, table, customer):
    done = state_must_be_open(dynamodb, table, customer)
    dynamodb.put_item(TableName=table, Item={"PK": {"S": f"LOG#{customer}"}})
    return done


@shows("e", "says_the_wrong_thing")
def always_yes(dynamodb, table, customer):
    state_must_be_open(dynamodb, table, customer)
    return True


@shows("e", "says_the_wrong_thing")
def yes_if_found(dynamodb, table, customer):
    pk = open_cart(dynamodb, table, customer)
    state_must_be_open(dynamodb, table, customer)
    return pk is not None


@shows("e", "wrong_type")
def returns_nothing(dynamodb, table, customer):
    state_must_be_open(dynamodb, table, customer)


@raises("e")
def reads_the_index_strongly(dynamodb, table, customer):
    return dynamodb.query(
        TableName=table,
        IndexName="gsi-cliente-estado",
        KeyConditionExpression="cliente = :c",
        ExpressionAttributeValues={":c": {"S": customer}},
        ConsistentRead=True,
    )


@raises("e")
def lets_the_condition_out(dynamodb, table, customer):
    mark(dynamodb, table, open_cart(dynamodb, table, customer), ConditionExpression="estado = :o")
    return True


@raises("e")
def waits_for_the_index(dynamodb, table, customer):
    while open_cart(dynamodb, table, customer):
        as_in_production(dynamodb, table, customer)
    return True


@is_untouched("e")
def stub_e(dynamodb, table, customer):
    return ...


given("e", True, "wrong", "wrong_type")
given("e", endless, "raised", name="endless")
