"""Answers to exercise 20, right and wrong, with what the checks are to say about each."""

import datetime as dt
import uuid
import zlib
from decimal import Decimal

import boto3
import numpy as np
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from checks.answering import Answers

book = Answers("customer_service")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

PARTS = ("tables", "save", "get_order", "orders_of", "on_the_road", "history")
SOLVES = {
    "a": lambda names: names["units"],
    "b": lambda names: names["load"],
    "c": lambda names: tuple(names[part] for part in PARTS),
    "d": lambda names: tuple(names[part] for part in PARTS),
    "e": lambda names: names["save_change"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────

READS = {"get_order": 9_000, "orders_of": 1_200, "on_the_road": 525, "history": 600, "one_scan": 800_000}
given("a", READS, "right", name="exact")
given("a", {name: float(units) for name, units in READS.items()}, "right", name="floats")
given("a", READS | {"one_scan": 2_000_000 * 3.2 * 1.024 / 4 * 0.5 / 1.024 * 1.02}, "right", name="pages cost a little")
given("a", READS | {"orders_of": Decimal(1_200), "history": np.float32(600)}, "right", name="other numbers")
given("a", READS | {"on_the_road": 410}, "wrong", "elsewhere", name="pieces of 4 KB not rounded up")
given("a", READS | {"orders_of": 14_400}, "wrong", "row_by_row", name="twelve rows")
given("a", READS | {"on_the_road": 10_500}, "wrong", "row_by_row", name="sixty rows")
given("a", READS | {"one_scan": 1_000_000}, "wrong", "row_by_row", name="each order of a Scan")
given("a", {name: 2 * units for name, units in READS.items()}, "wrong", "strong", name="all strong")
given("a", READS | {"on_the_road": 8_400}, "wrong", "whole_orders", name="sixty whole orders")
given("a", READS | {"orders_of": 12_000}, "wrong", "whole_orders", name="twelve whole orders")
given("a", READS | {"history": 0.5}, "wrong", "one_answer", name="one history")
given("a", READS | {"on_the_road": 1.5}, "wrong", "one_answer", name="one list")
given("a", READS | {"one_scan": 280_000_000}, "wrong", "scan_all_day", name="350 Scans")
given("a", READS | {"one_scan": 2_000_000 * 3.2}, "wrong", "elsewhere", name="kilobytes")
given("a", READS | {"history": 77}, "wrong", "elsewhere", name="another number")
given("a", READS | {"history": float("nan")}, "wrong", "elsewhere", name="nan")
given("a", READS | {"history": "600"}, "wrong", "wrong_type", name="a text")
given("a", {"history": 600}, "wrong", "wrong_type", name="one of five")
given("a", [9_000, 1_200, 525, 600, 800_000], "wrong", "wrong_type", name="a list")
given("a", dict.fromkeys(READS, ...), "not attempted", name="the dots")
given("a", READS | {"history": ...}, "not attempted", name="one of the dots")

# ── b ─────────────────────────────────────────────────────────────────────────────────

given("b", {"VALENCIA#entregado": 300}, "right", name="one key")
given("b", {"GANDIA#pendiente": 251}, "right", name="just enough")
given(
    "b", {"VALENCIA#entregado": 260, "SAGUNTO#en_reparto": 20, "ALZIRA#pendiente": 20}, "right", name="some beside it"
)
given("b", {"VALENCIA#entregado": 250}, "wrong", "at_the_ceiling", name="250")
given("b", {"VALENCIA#entregado": 240}, "wrong", "at_the_ceiling", name="240")
given("b", {"VALENCIA#entregado": 1_000}, "wrong", "too_many", name="1,000")
given("b", {"VALENCIA#entregado": 200, "GANDIA#entregado": 200}, "wrong", "too_many", name="400 in two")
given("b", {"VALENCIA#entregado": 75, "GANDIA#pendiente": 75}, "wrong", "spread", name="two heaps")
given("b", {"VALENCIA#entregado": 200, "GANDIA#pendiente": 100}, "wrong", "spread", name="a large and a small heap")
given("b", {"VALENCIA#entregado": 100}, "wrong", "spread", name="not enough")
given("b", {"MADRID#entregado": 300}, "wrong", "no_such_key", name="another city")
given("b", {"entregado": 300}, "wrong", "no_such_key", name="a state alone")
given("b", {"VALENCIA#entregado": -5}, "wrong", "wrong_type", name="negative")
given("b", {"VALENCIA#entregado": float("nan")}, "wrong", "wrong_type", name="nan")
given("b", {"VALENCIA#entregado": "many"}, "wrong", "wrong_type", name="a text for a number")
given("b", 300, "wrong", "wrong_type")
given("b", {}, "wrong", "wrong_type")
given("b", {"VALENCIA#entregado": ...}, "not attempted", name="the dots in a dict")

# ── c: the usual design, and what one changes in it ─────────────────────────────────────

ORDERS = "mercadofresco-pedidos-consulta"
ROAD = f"{ORDERS}-reparto"
SHOWN = ("id_pedido", "importe", "estado", "num_lineas")


def keys(partition, sort=None):
    schema = [{"AttributeName": partition, "KeyType": "HASH"}]
    return schema + ([{"AttributeName": sort, "KeyType": "RANGE"}] if sort else [])


def index(name, partition, sort=None, shown=None):
    """``shown`` is the attributes copied, "ALL" or None for the keys."""
    projection = {"ProjectionType": shown or "KEYS_ONLY"}
    if isinstance(shown, tuple):
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(shown)}
    return {"IndexName": name, "KeySchema": keys(partition, sort), "Projection": projection}


def table(schema, *indexes, name=ORDERS):
    names = {key["AttributeName"] for part in (schema, *(one["KeySchema"] for one in indexes)) for key in part}
    return {
        "TableName": name,
        "KeySchema": schema,
        "AttributeDefinitions": [{"AttributeName": one, "AttributeType": "S"} for one in sorted(names)],
        "BillingMode": "PAY_PER_REQUEST",
        **({"GlobalSecondaryIndexes": list(indexes)} if indexes else {}),
    }


BY_CUSTOMER = index("gsi-cliente-fecha", "id_cliente", "fecha_pedido", SHOWN)
BY_CITY = index("gsi-reparto-ciudad", "ciudad_reparto", "fecha_pedido", ("id_pedido", "repartidor"))
TABLES = table(keys("PK", "SK"), BY_CUSTOMER, BY_CITY)


def typed(texts):
    return {name: {"S": text} for name, text in texts.items()}


def put(dynamodb, table=ORDERS, **texts):
    dynamodb.put_item(TableName=table, Item=typed(texts))


def drop(dynamodb, table=ORDERS, **key):
    dynamodb.delete_item(TableName=table, Key=typed(key))


def query(dynamodb, condition, index=None, table=ORDERS, more=None, **values):
    return dynamodb.query(
        TableName=table,
        KeyConditionExpression=condition,
        ExpressionAttributeValues={f":{name}": {"S": text} for name, text in values.items()},
        **({"IndexName": index} if index else {}),
        **(more or {}),
    )["Items"]


def road_of(order):
    return {"ciudad_reparto": order["ciudad"]} if order["estado"] == "en_reparto" else {}


def save_head(dynamodb, order):
    put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK="META", **order, **road_of(order))


def save_change(dynamodb, order):
    sk = f"ESTADO#{order['cambio']}"
    put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK=sk, estado=order["estado"], cambio=order["cambio"])


def save(dynamodb, order):
    save_head(dynamodb, order)
    save_change(dynamodb, order)


def get_order(dynamodb, id_pedido):
    return dynamodb.get_item(TableName=ORDERS, Key=typed({"PK": f"PEDIDO#{id_pedido}", "SK": "META"})).get("Item")


def orders_of(dynamodb, id_cliente, first, last):
    condition = "id_cliente = :c AND fecha_pedido BETWEEN :a AND :b"
    backwards = {"ScanIndexForward": False}
    return query(dynamodb, condition, "gsi-cliente-fecha", more=backwards, c=id_cliente, a=first, b=f"{last}T23:59:59")


def on_the_road(dynamodb, ciudad):
    return query(dynamodb, "ciudad_reparto = :c", "gsi-reparto-ciudad", c=ciudad)


def history(dynamodb, id_pedido):
    return query(dynamodb, "PK = :p AND begins_with(SK, :s)", p=f"PEDIDO#{id_pedido}", s="ESTADO#")


USUAL = {"tables": TABLES, "save": save, "get_order": get_order}
USUAL |= {"orders_of": orders_of, "on_the_road": on_the_road, "history": history}


def design(**changed):
    """The usual design with some of its parts changed."""
    return tuple((USUAL | changed)[part] for part in PARTS)


# Right: the usual one, with a strong read; two tables with the history inside the order; the customer as the table's
# key; one overloaded index over pointer items.


def strong_get(dynamodb, id_pedido):
    key = typed({"PK": f"PEDIDO#{id_pedido}", "SK": "META"})
    return dynamodb.get_item(TableName=ORDERS, Key=key, ConsistentRead=True).get("Item", {})


given("c", design(get_order=strong_get), "right", name="one table, two indexes")


def two_save(dynamodb, order):
    """The order with an attribute for each change so far; then the other table."""
    key = typed({"id_pedido": order["id_pedido"]})
    known = dynamodb.get_item(TableName=ORDERS, Key=key, ConsistentRead=True).get("Item", {})
    kept = {name: value for name, value in known.items() if name.startswith("en ")}
    dynamodb.put_item(TableName=ORDERS, Item=kept | typed(order | {f"en {order['cambio']}": order["estado"]}))
    key = {"ciudad": order["ciudad"], "id_pedido": order["id_pedido"]}
    if order["estado"] == "en_reparto":
        put(dynamodb, ROAD, **key, repartidor=order["repartidor"])
    elif order["estado"] in ("fallido", "entregado"):
        drop(dynamodb, ROAD, **key)


def two_get(dynamodb, id_pedido):
    found = dynamodb.get_item(TableName=ORDERS, Key=typed({"id_pedido": id_pedido})).get("Item")
    return found and {name: value["S"] for name, value in found.items()}


def two_orders_of(dynamodb, id_cliente, first, last):
    condition = Key("id_cliente").eq(id_cliente) & Key("fecha_pedido").between(first, last + "~")
    orders = boto3.resource("dynamodb").Table(ORDERS)
    return orders.query(IndexName="por-cliente", KeyConditionExpression=condition, ScanIndexForward=False)["Items"]


def two_on_the_road(dynamodb, ciudad):
    return query(dynamodb, "ciudad = :c", table=ROAD, c=ciudad)


def two_history(dynamodb, id_pedido):
    item = two_get(dynamodb, id_pedido)
    return [{"cambio": name[3:], "estado": item[name]} for name in sorted(item) if name.startswith("en ")]


TWO_TABLES = [
    table(keys("id_pedido"), index("por-cliente", "id_cliente", "fecha_pedido", "ALL")),
    table(keys("ciudad", "id_pedido"), name=ROAD),
]
TWO = (TWO_TABLES, two_save, two_get, two_orders_of, two_on_the_road, two_history)
given("c", TWO, "right", name="two tables, the history in the order")


def customer_save(dynamodb, order):
    key = {"PK": f"CLIENTE#{order['id_cliente']}", "SK": f"{order['fecha_pedido']}#{order['id_pedido']}"}
    put(dynamodb, **key, **order, **road_of(order))
    save_change(dynamodb, order)


def customer_get(dynamodb, id_pedido):
    found = query(dynamodb, "id_pedido = :i", "por-id", i=id_pedido)
    return found[0] if found else None


def customer_orders_of(dynamodb, id_cliente, first, last):
    values = {"p": f"CLIENTE#{id_cliente}", "a": first, "b": f"{last}T~"}
    return query(dynamodb, "PK = :p AND SK BETWEEN :a AND :b", more={"ScanIndexForward": False}, **values)


def fetched_road(dynamodb, ciudad):
    rows = query(dynamodb, "ciudad_reparto = :c", "gsi-reparto-ciudad", c=ciudad)
    if not rows:
        return []
    wanted = [{"PK": row["PK"], "SK": row["SK"]} for row in rows]
    return dynamodb.batch_get_item(RequestItems={ORDERS: {"Keys": wanted}})["Responses"][ORDERS]


CUSTOMER = (
    table(keys("PK", "SK"), index("por-id", "id_pedido", None, "ALL"), index("gsi-reparto-ciudad", "ciudad_reparto")),
    customer_save,
    customer_get,
    customer_orders_of,
    fetched_road,
    history,
)
given("c", CUSTOMER, "right", name="the customer as the table's key")


def pointer_head(dynamodb, order):
    by_customer = {"GSI1PK": f"CLIENTE#{order['id_cliente']}", "GSI1SK": order["fecha_pedido"]}
    put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK="B", **order, **by_customer)


def pointer_save(dynamodb, order):
    pk = f"PEDIDO#{order['id_pedido']}"
    pointer_head(dynamodb, order)
    save_change(dynamodb, order)
    if order["estado"] == "en_reparto":
        road = {"GSI1PK": f"REPARTO#{order['ciudad']}", "GSI1SK": order["cambio"]}
        put(dynamodb, PK=pk, SK="REPARTO", id_pedido=order["id_pedido"], repartidor=order["repartidor"], **road)
    elif order["estado"] in ("fallido", "entregado"):
        drop(dynamodb, PK=pk, SK="REPARTO")


def pointer_split(dynamodb, order):
    """The lines in an item of their own, written if they are not there yet."""
    lines = {"PK": f"PEDIDO#{order['id_pedido']}", "SK": "A"}
    if "Item" not in dynamodb.get_item(TableName=ORDERS, Key=typed(lines)):
        put(dynamodb, **lines, lineas=order["lineas"])
    pointer_save(dynamodb, {name: text for name, text in order.items() if name != "lineas"})


def pointer_get(dynamodb, id_pedido):
    parts = query(dynamodb, "PK = :p AND SK <= :s", p=f"PEDIDO#{id_pedido}", s="B")
    return {name: value for part in parts for name, value in part.items()}


def pointer_orders_of(dynamodb, id_cliente, first, last):
    values = {"p": f"CLIENTE#{id_cliente}", "a": first, "b": f"{last}T~"}
    condition, backwards = "GSI1PK = :p AND GSI1SK BETWEEN :a AND :b", {"ScanIndexForward": False}
    return query(dynamodb, condition, "gsi1", more=backwards, **values)


def pointer_road(dynamodb, ciudad):
    return query(dynamodb, "GSI1PK = :p", "gsi1", p=f"REPARTO#{ciudad}")


GSI1 = index("gsi1", "GSI1PK", "GSI1SK", "ALL")
POINTERS = (table(keys("PK", "SK"), GSI1), pointer_save, pointer_get, pointer_orders_of, pointer_road, history)
given("c", POINTERS, "right", name="one overloaded index")


def without(schema, name):
    return schema | {"AttributeDefinitions": [a for a in schema["AttributeDefinitions"] if a["AttributeName"] != name]}


given("c", design(tables=without(TABLES, "id_cliente")), "wrong", "bad_tables", name="a key is not declared")
given("c", design(tables=TABLES | {"TableName": "pedidos"}), "wrong", "bad_tables", name="another name")
given("c", design(tables=TABLES | {"BillingMode": "PROVISIONED"}), "wrong", "bad_tables", name="provisioned")
given("c", design(tables={"TableName": ORDERS}), "wrong", "bad_tables", name="only a name")
given("c", design(tables={"pedidos": TABLES}), "wrong", "bad_tables", name="a dict of tables")
given("c", design(tables=TABLES | {"Clave": "PK"}), "wrong", "bad_tables", name="an unknown argument")


def scanned(dynamodb, ciudad):
    return dynamodb.scan(
        TableName=ORDERS,
        FilterExpression="ciudad = :c AND estado = :e",
        ExpressionAttributeValues=typed({":c": ciudad, ":e": "en_reparto"}),
    )["Items"]


def scanned_index(dynamodb, ciudad):
    rows = dynamodb.scan(TableName=ORDERS, IndexName="gsi-reparto-ciudad")["Items"]
    return [row for row in rows if row["ciudad_reparto"]["S"] == ciudad]


def finds_by_scan(dynamodb, order):
    dynamodb.scan(TableName=ORDERS)
    save(dynamodb, order)


given("c", design(on_the_road=scanned), "wrong", "scan", name="scan of the table")
given("c", design(on_the_road=scanned_index), "wrong", "scan", name="scan of the index")
given("c", design(save=finds_by_scan), "wrong", "scan", name="scan in the writer")


def other_key(dynamodb, id_pedido):
    return dynamodb.get_item(TableName=ORDERS, Key=typed({"PK": f"PEDIDO-{id_pedido}", "SK": "META"})).get("Item")


def key_of_a_second(dynamodb, order):
    put(dynamodb, PK=f"CLIENTE#{order['id_cliente']}", SK=order["fecha_pedido"], **order, **road_of(order))
    save_change(dynamodb, order)


given("c", design(get_order=other_key), "wrong", "lost_order", name="another key")
given("c", (CUSTOMER[0], key_of_a_second, *CUSTOMER[2:]), "wrong", "lost_order", name="two orders in one second")


def without_lines(dynamodb, order):
    save(dynamodb, {name: text for name, text in order.items() if name != "lineas"})


def change_alone(dynamodb, order):
    put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK="META", id_pedido=order["id_pedido"], estado=order["estado"])


given("c", design(save=without_lines), "wrong", "incomplete", name="no lines")
given("c", design(save=change_alone), "wrong", "incomplete", name="PutItem of the change alone")


def first_only(dynamodb, order):
    try:
        dynamodb.put_item(
            TableName=ORDERS,
            Item=typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META", **order, **road_of(order)}),
            ConditionExpression="attribute_not_exists(PK)",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass
    save_change(dynamodb, order)


given("c", design(save=first_only), "wrong", "stale", name="the first state for ever")


def copied_once(dynamodb, order):
    save(dynamodb, order)
    if order["estado"] == "pendiente":
        key = {"PK": f"CLIENTE#{order['id_cliente']}", "SK": f"{order['fecha_pedido']}#{order['id_pedido']}"}
        put(dynamodb, **key, fecha=order["fecha_pedido"], **{name: order[name] for name in SHOWN})


def copies_of(dynamodb, id_cliente, first, last):
    rows = customer_orders_of(dynamodb, id_cliente, first, last)
    return [row | {"fecha_pedido": row["fecha"]} for row in rows]


given("c", design(save=copied_once, orders_of=copies_of), "wrong", "stale", name="a copy that is never renewed")


def all_of_the_customer(dynamodb, id_cliente, first, last):
    return query(dynamodb, "id_cliente = :c", "gsi-cliente-fecha", more={"ScanIndexForward": False}, c=id_cliente)


def every_city(dynamodb, ciudad):
    return [row for city in ("VALENCIA", "SAGUNTO", "GANDIA", "ALZIRA") for row in on_the_road(dynamodb, city)]


def invents(dynamodb, id_pedido):
    return get_order(dynamodb, id_pedido) or typed({"id_pedido": id_pedido, "estado": "?"})


given("c", design(orders_of=all_of_the_customer), "wrong", "other_rows", name="no range")
given("c", design(on_the_road=every_city), "wrong", "other_rows", name="every city")
given("c", design(get_order=invents), "wrong", "other_rows", name="an order that nobody has")


def after_the_first(dynamodb, id_cliente, first, last):
    return orders_of(dynamodb, id_cliente, f"{first}T00:00:01", last)


def two_at_most(dynamodb, ciudad):
    return on_the_road(dynamodb, ciudad)[:1]


def up_to_last(dynamodb, id_cliente, first, last):
    condition, more = "id_cliente = :c AND fecha_pedido BETWEEN :a AND :b", {"ScanIndexForward": False}
    return query(dynamodb, condition, "gsi-cliente-fecha", more=more, c=id_cliente, a=first, b=last)


def oldest_first(dynamodb, id_cliente, first, last):
    return orders_of(dynamodb, id_cliente, first, last)[::-1]


given("c", design(orders_of=after_the_first), "wrong", "lost_rows", name="without midnight")
given("c", design(on_the_road=two_at_most), "wrong", "lost_rows", name="one row at most")
given("c", design(on_the_road=lambda dynamodb, ciudad: []), "wrong", "lost_rows", name="nobody is on the road")
given("c", design(orders_of=up_to_last), "wrong", "last_day", name="BETWEEN two days")
given("c", design(orders_of=oldest_first), "wrong", "not_newest_first", name="oldest first")

FEW = index("gsi-cliente-fecha", "id_cliente", "fecha_pedido", ("id_pedido", "estado"))
given("c", design(tables=table(keys("PK", "SK"), FEW, BY_CITY)), "wrong", "not_shown", name="too little copied")


def stays_listed(dynamodb, order):
    """Sets the index's key when the order leaves, and nobody removes it."""
    save_change(dynamodb, order)
    told = order | road_of(order)
    dynamodb.update_item(
        TableName=ORDERS,
        Key=typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"}),
        UpdateExpression="SET " + ", ".join(f"{name} = :{name}" for name in told),
        ExpressionAttributeValues=typed({f":{name}": text for name, text in told.items()}),
    )


def forgets_to_drop(dynamodb, order):
    two_save(dynamodb, order)
    if order["estado"] == "fallido":
        key = {"ciudad": order["ciudad"], "id_pedido": order["id_pedido"]}
        put(dynamodb, ROAD, **key, repartidor=order["repartidor"])


given("c", design(save=stays_listed), "wrong", "still_listed", name="delivered orders stay")
given("c", (TWO_TABLES, forgets_to_drop, *TWO[2:]), "wrong", "still_listed", name="failed deliveries stay")


def state_as_key(dynamodb, order):
    save_head(dynamodb, order)
    sk = f"ESTADO#{order['estado']}"
    put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK=sk, estado=order["estado"], cambio=order["cambio"])


def by_time(dynamodb, id_pedido):
    return sorted(history(dynamodb, id_pedido), key=lambda row: row["cambio"]["S"])


def random_key(dynamodb, order):
    save_head(dynamodb, order)
    sk = f"ESTADO#{order['cambio']}#{uuid.uuid4()}"
    put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK=sk, estado=order["estado"], cambio=order["cambio"])


def only_the_last(dynamodb, id_pedido):
    return [get_order(dynamodb, id_pedido)]


def last_first(dynamodb, id_pedido):
    return history(dynamodb, id_pedido)[::-1]


given("c", design(save=state_as_key, history=by_time), "wrong", "lost_history", name="the state as the sort key")
given("c", design(history=only_the_last), "wrong", "lost_history", name="the last state only")
given("c", design(save=random_key), "wrong", "doubled_history", name="a random sort key")
given("c", design(history=last_first), "wrong", "history_order", name="newest first")


def in_datetimes(dynamodb, id_pedido):
    rows = history(dynamodb, id_pedido)
    return [{**row, "cambio": dt.datetime.fromisoformat(row["cambio"]["S"])} for row in rows]


def moment_with_a_tail(dynamodb, order):
    save_change(dynamodb, order | {"cambio": f"{order['cambio']}#{uuid.uuid4()}"})
    save_head(dynamodb, order)


given("c", design(history=in_datetimes), "wrong", "history_order", name="datetimes")
given("c", design(save=moment_with_a_tail), "wrong", "history_order", name="a random tail to the moment")

WHOLE = index("gsi-cliente-fecha", "id_cliente", "fecha_pedido", "ALL")


def filtered(dynamodb, id_cliente, first, last):
    rows = all_of_the_customer(dynamodb, id_cliente, first, last)
    return [row for row in rows if first <= row["fecha_pedido"]["S"][:10] <= last]


def reads_every_order(dynamodb, id_pedido):
    order = get_order(dynamodb, id_pedido)
    if order:
        all_of_the_customer(dynamodb, order["id_cliente"]["S"], "", "")
    return order


whole = table(keys("PK", "SK"), WHOLE, BY_CITY)
given("c", design(tables=whole, orders_of=filtered), "wrong", "reads_too_much", name="a filter instead of a key")
given("c", design(tables=whole, get_order=reads_every_order), "wrong", "reads_too_much", name="the customer's orders")


def state_everywhere(dynamodb, order):
    pk, both = f"PEDIDO#{order['id_pedido']}", f"{order['ciudad']}#{order['estado']}"
    put(dynamodb, PK=pk, SK="META", **order, ciudad_reparto=both)
    save_change(dynamodb, order)


def state_road(dynamodb, ciudad):
    return on_the_road(dynamodb, f"{ciudad}#en_reparto")


def state_road_by_statement(dynamodb, ciudad):
    return dynamodb.execute_statement(
        Statement=f'SELECT * FROM "{ORDERS}"."gsi-reparto-ciudad" WHERE ciudad_reparto = ?',
        Parameters=[{"S": f"{ciudad}#en_reparto"}],
    )["Items"]


given("c", design(save=state_everywhere, on_the_road=state_road), "wrong", "not_sparse", name="city and state of all")
given(
    "c",
    design(save=state_everywhere, on_the_road=state_road_by_statement),
    "wrong",
    "not_sparse",
    name="city and state of all, by PartiQL",
)

BY_STATE = index("gsi-estado", "estado", "fecha_pedido")
given("c", design(tables=table(keys("PK", "SK"), BY_CUSTOMER, BY_CITY, BY_STATE)), "wrong", "hot_key", name="by state")


def also_by_day(dynamodb, order):
    save(dynamodb, order)
    put(dynamodb, PK=f"DIA#{order['fecha_pedido'][:10]}", SK=order["id_pedido"], importe=order["importe"])


given("c", design(save=also_by_day), "wrong", "hot_key", name="by day")


def visible_only(dynamodb, id_pedido):
    return typed({"id_pedido": "P-1", "estado": "pendiente"})


def endless(dynamodb, order):
    while True:
        save_head(dynamodb, order)


def counts_for_ever(dynamodb, id_pedido):
    number = 0
    while True:
        number += 1


def misspelt(dynamodb, id_pedido):
    return get_order(dynamodb, id_pedido)["Item"]


def typeless(dynamodb, order):
    dynamodb.put_item(TableName=ORDERS, Item={"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"})


def stub(dynamodb, id_pedido):
    return ...


def whole_answer(dynamodb, id_pedido):
    return dynamodb.get_item(TableName=ORDERS, Key=typed({"PK": f"PEDIDO#{id_pedido}", "SK": "META"}))


given("c", design(get_order=visible_only), "wrong", "other_rows", name="hard-coded")
given("c", design(save=endless), "raised", name="an endless writer")
given("c", design(get_order=counts_for_ever), "raised", name="an endless loop without requests")
given("c", design(get_order=misspelt), "raised", name="KeyError")
given("c", design(save=typeless), "raised", name="texts without a type")
given("c", design(get_order=whole_answer), "wrong", "wrong_type", name="the whole answer")
given("c", design(history=lambda dynamodb, id_pedido: 3), "wrong", "wrong_type", name="a number for a history")
given("c", design(history=lambda dynamodb, id_pedido: ["x"]), "wrong", "wrong_type", name="texts for a history")
given("c", design(on_the_road=history), "wrong", "lost_rows", name="functions mixed up")
given("c", design(orders_of=get_order), "wrong", "wrong_type", name="a parameter is missing")
given("c", design(tables="mercadofresco"), "wrong", "wrong_type", name="a name for tables")
given("c", design()[:5], "wrong", "wrong_type", name="five of six")
given("c", save, "wrong", "wrong_type", name="the writer alone")
given("c", design(history=stub), "not attempted", name="one stub")
given("c", design(tables=...), "not attempted", name="tables are dots")

# ── d ─────────────────────────────────────────────────────────────────────────────────

given("d", (POINTERS[0], pointer_split, *POINTERS[2:]), "right", name="lines apart, one overloaded index")


def split_save(dynamodb, order):
    """The lines are written if they are not there; the rest lies in a small item."""
    pk = f"PEDIDO#{order['id_pedido']}"
    if "Item" not in dynamodb.get_item(TableName=ORDERS, Key=typed({"PK": pk, "SK": "LINEAS"})):
        put(dynamodb, PK=pk, SK="LINEAS", lineas=order["lineas"])
    save(dynamodb, {name: text for name, text in order.items() if name != "lineas"})


def put_and_look_back(dynamodb, order):
    """What the put replaces tells whether the lines are there."""
    pk, rest = f"PEDIDO#{order['id_pedido']}", {name: text for name, text in order.items() if name != "lineas"}
    item = typed({"PK": pk, "SK": "META"} | rest | road_of(order))
    if not dynamodb.put_item(TableName=ORDERS, Item=item, ReturnValues="ALL_OLD").get("Attributes"):
        put(dynamodb, PK=pk, SK="LINEAS", lineas=order["lineas"])
    save_change(dynamodb, order)


def compressed(dynamodb, order):
    lines = {"lineas": {"B": zlib.compress(order["lineas"].encode())}}
    item = typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"} | order | road_of(order)) | lines
    dynamodb.put_item(TableName=ORDERS, Item=item)
    save_change(dynamodb, order)


def decompressed(dynamodb, id_pedido):
    order = get_order(dynamodb, id_pedido)
    return order and order | {"lineas": zlib.decompress(order["lineas"]["B"]).decode()}


def in_a_transaction(dynamodb, order):
    pk, rest = f"PEDIDO#{order['id_pedido']}", {name: text for name, text in order.items() if name != "lineas"}
    items = [{"PK": pk, "SK": "META"} | rest | road_of(order)]
    items += [{"PK": pk, "SK": f"ESTADO#{order['cambio']}", "estado": order["estado"], "cambio": order["cambio"]}]
    if "Item" not in dynamodb.get_item(TableName=ORDERS, Key=typed({"PK": pk, "SK": "LINEAS"})):
        items += [{"PK": pk, "SK": "LINEAS", "lineas": order["lineas"]}]
    dynamodb.transact_write_items(TransactItems=[{"Put": {"TableName": ORDERS, "Item": typed(item)}} for item in items])


def lines_of_new_orders(dynamodb, order):
    """The lines are written with the first state alone: an old order comes delivered, and without them."""
    if order["estado"] == "pendiente":
        put(dynamodb, PK=f"PEDIDO#{order['id_pedido']}", SK="LINEAS", lineas=order["lineas"])
    save(dynamodb, {name: text for name, text in order.items() if name != "lineas"})


def split_get(dynamodb, id_pedido):
    parts = query(dynamodb, "PK = :p AND SK BETWEEN :a AND :b", p=f"PEDIDO#{id_pedido}", a="LINEAS", b="META")
    return {name: value for part in parts for name, value in part.items()}


def fetched_orders_of(dynamodb, id_cliente, first, last):
    rows = orders_of(dynamodb, id_cliente, first, last)
    if not rows:
        return []
    wanted = [{"PK": row["PK"], "SK": row["SK"]} for row in rows]
    found = dynamodb.batch_get_item(RequestItems={ORDERS: {"Keys": wanted}})["Responses"][ORDERS]
    return sorted(found, key=lambda row: row["fecha_pedido"]["S"], reverse=True)


ONLY_KEYS = table(keys("PK", "SK"), index("gsi-cliente-fecha", "id_cliente", "fecha_pedido"), BY_CITY)
given("d", design(save=split_save, get_order=split_get), "right", name="lines apart")
given("d", design(save=put_and_look_back, get_order=split_get), "right", name="what the put replaced")
given("d", design(save=compressed, get_order=decompressed), "right", name="compressed")
given("d", design(save=in_a_transaction, get_order=split_get), "wrong", "transactions", name="in transactions")
given("d", design(save=lines_of_new_orders, get_order=split_get), "wrong", "not_right_yet", name="lines of new orders")
given(
    "d",
    design(tables=ONLY_KEYS, save=split_save, get_order=split_get, orders_of=fetched_orders_of),
    "right",
    name="lines apart, keys only",
)
given("d", design(), "wrong", "rewrites_lines", name="the source's design")
given("d", design(tables=ONLY_KEYS, orders_of=fetched_orders_of), "wrong", "rewrites_lines", name="keys only")
given("d", design(tables=whole), "wrong", "copies_all", name="ALL")
given("d", TWO, "wrong", "copies_all", name="two tables and ALL")
given("d", design(orders_of=up_to_last), "wrong", "not_right_yet", name="the last day is missing")
given("d", design(tables={"TableName": ORDERS}), "wrong", "not_right_yet", name="no tables")
given("d", design(save=endless), "raised", name="endless")
given("d", design(history=stub), "not attempted", name="a stub in d")
given("d", 800_000, "wrong", "wrong_type")

# ── e ─────────────────────────────────────────────────────────────────────────────────


def note(dynamodb, table, order):
    pk, sk = f"PEDIDO#{order['id_pedido']}", f"ESTADO#{order['cambio']}"
    put(dynamodb, table, PK=pk, SK=sk, estado=order["estado"], cambio=order["cambio"])


def head(dynamodb, table, order, condition=None):
    update, values = "SET estado = :e, cambio = :c", {":e": order["estado"], ":c": order["cambio"]}
    if order["estado"] == "en_reparto":
        update, values[":r"] = update + ", ciudad_reparto = :r", order["ciudad"]
    else:
        update += " REMOVE ciudad_reparto"
    dynamodb.update_item(
        TableName=table,
        Key=typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"}),
        UpdateExpression=update,
        ExpressionAttributeValues=typed(values),
        **({"ConditionExpression": condition} if condition else {}),
    )


NEWER = "attribute_not_exists(cambio) OR cambio < :c"


@is_right("e")
def conditional_update(dynamodb, table, order):
    note(dynamodb, table, order)
    try:
        head(dynamodb, table, order, NEWER)
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass


@is_right("e")
def conditional_put(dynamodb, table, order):
    item = {"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"}
    item |= {name: order[name] for name in ("estado", "cambio")} | road_of(order)
    newer = Attr("cambio").not_exists() | Attr("cambio").lte(order["cambio"])
    try:
        boto3.resource("dynamodb").Table(table).put_item(Item=item, ConditionExpression=newer)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
    note(dynamodb, table, order)


@is_right("e")
def looks_then_compares(dynamodb, table, order):
    """Reads first, and writes only if what it read is still there; tries again if not."""
    note(dynamodb, table, order)
    key = typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"})
    for _ in range(5):
        known = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item", {})
        if known and known["cambio"]["S"] >= order["cambio"]:
            return
        item = key | typed({"estado": order["estado"], "cambio": order["cambio"]} | road_of(order))
        more = {"ConditionExpression": "attribute_not_exists(PK)"}
        if known:
            more = {"ConditionExpression": "cambio = :k", "ExpressionAttributeValues": {":k": known["cambio"]}}
        try:
            return dynamodb.put_item(TableName=table, Item=item, **more)
        except dynamodb.exceptions.ConditionalCheckFailedException:
            continue


@shows("e", "back_on_the_road")
def as_it_was(dynamodb, table, order):
    note(dynamodb, table, order)
    head(dynamodb, table, order)


@shows("e", "back_on_the_road")
def state_alone_is_guarded(dynamodb, table, order):
    """The list is kept by a write of its own, which looks at nothing."""
    note(dynamodb, table, order)
    try:
        head(dynamodb, table, order, NEWER)
    except dynamodb.exceptions.ConditionalCheckFailedException:
        if order["estado"] == "en_reparto":
            dynamodb.update_item(
                TableName=table,
                Key=typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"}),
                UpdateExpression="SET ciudad_reparto = :r",
                ExpressionAttributeValues=typed({":r": order["ciudad"]}),
            )


@shows("e", "older_state")
def never_back_once_delivered(dynamodb, table, order):
    """Guards the two last states; between the others an old change still wins."""
    note(dynamodb, table, order)
    known = dynamodb.get_item(TableName=table, Key=typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"}))
    if known.get("Item", {}).get("estado", {}).get("S") not in ("entregado", "cancelado"):
        head(dynamodb, table, order)


@shows("e", "history_cut")
def drops_what_is_late(dynamodb, table, order):
    try:
        head(dynamodb, table, order, NEWER)
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return
    note(dynamodb, table, order)


@shows("e", "does_not_save")
def first_state_only(dynamodb, table, order):
    note(dynamodb, table, order)
    try:
        head(dynamodb, table, order, "attribute_not_exists(cambio)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass


@shows("e", "does_not_save")
def no_history(dynamodb, table, order):
    head(dynamodb, table, order)


@shows("e", "does_not_save")
def nothing(dynamodb, table, order):
    return order["estado"]


@shows("e", "does_not_save")
def compares_with_nothing(dynamodb, table, order):
    note(dynamodb, table, order)
    try:
        head(dynamodb, table, order, "cambio < :c")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass


@shows("e", "history_doubled")
def a_random_place_in_the_history(dynamodb, table, order):
    conditional_update(dynamodb, table, order)
    pk, sk = f"PEDIDO#{order['id_pedido']}", f"ESTADO#{order['cambio']}#{uuid.uuid4()}"
    drop(dynamodb, table, PK=pk, SK=f"ESTADO#{order['cambio']}")
    put(dynamodb, table, PK=pk, SK=sk, estado=order["estado"], cambio=order["cambio"])


@shows("e", "lost_when_refused")
def swallows_every_error(dynamodb, table, order):
    note(dynamodb, table, order)
    try:
        head(dynamodb, table, order, NEWER)
    except ClientError:
        pass


@shows("e", "lost_when_refused")
def stops_at_a_known_change(dynamodb, table, order):
    """The history says that the message came; not that META was written."""
    item = typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": f"ESTADO#{order['cambio']}"})
    item |= typed({"estado": order["estado"], "cambio": order["cambio"]})
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(PK)")
        head(dynamodb, table, order, NEWER)
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass


@is_right("e")
def tries_again_itself(dynamodb, table, order):
    note(dynamodb, table, order)
    for _ in range(3):
        try:
            return head(dynamodb, table, order, NEWER)
        except ClientError as error:
            if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                return None
    raise TimeoutError(order["id_pedido"])


@is_right("e")
def both_or_the_history_alone(dynamodb, table, order):
    pk, told = f"PEDIDO#{order['id_pedido']}", {"estado": order["estado"], "cambio": order["cambio"]}
    meta = {"TableName": table, "Item": typed({"PK": pk, "SK": "META"} | told | road_of(order))}
    newer = {"ConditionExpression": NEWER, "ExpressionAttributeValues": typed({":c": order["cambio"]})}
    change = {"TableName": table, "Item": typed({"PK": pk, "SK": f"ESTADO#{order['cambio']}"} | told)}
    try:
        dynamodb.transact_write_items(TransactItems=[{"Put": meta | newer}, {"Put": change}])
    except dynamodb.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] != "ConditionalCheckFailed":
            raise
        dynamodb.put_item(**change)


@shows("e", "race")
def looks_then_writes(dynamodb, table, order):
    note(dynamodb, table, order)
    key = typed({"PK": f"PEDIDO#{order['id_pedido']}", "SK": "META"})
    known = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item", {})
    if not known or known["cambio"]["S"] < order["cambio"]:
        head(dynamodb, table, order)


@raises("e")
def lets_the_failure_through(dynamodb, table, order):
    note(dynamodb, table, order)
    head(dynamodb, table, order, NEWER)


@raises("e")
def waits_for_its_turn(dynamodb, table, order):
    while True:
        try:
            return head(dynamodb, table, order, "cambio < :c")
        except dynamodb.exceptions.ConditionalCheckFailedException:
            continue


@raises("e")
def takes_the_list_apart(dynamodb, table, order):
    return order["historial"]


@is_untouched("e")
def stub_e(dynamodb, table, order): ...


def note_of_two(dynamodb, order):
    note(dynamodb, "pedidos", order)


given("e", 5, "wrong", "wrong_type")
given("e", "conditional_update", "wrong", "wrong_type")
given("e", note_of_two, "wrong", "wrong_type", name="a parameter too few")
