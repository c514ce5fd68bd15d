"""Answers to exercise 00 as learners give them, each with the judgement that it deserves."""

import hashlib
import itertools
import random
import zlib

import boto3
from botocore.exceptions import ClientError

from checks.answering import Answers

book = Answers("first_throttle")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["cause"],
    "b": lambda names: names["partition_key"],
    "c": lambda names: names["attack"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────


def reasons_of(error):
    return error.response.get("throttlingReasons") or error.response.get("ThrottlingReasons") or []


@is_right("a")
def by_the_end(error):
    reasons = reasons_of(error)
    if reasons:
        return "key" if reasons[0]["reason"].endswith("KeyRangeThroughputExceeded") else "capacity"


@is_right("a")
def by_a_part_of_it(error):
    reasons = reasons_of(error)
    if not reasons:
        return None
    return "key" if any("KeyRange" in each["reason"] for each in reasons) else "capacity"


@is_right("a")
def by_the_lower_case_name(error):
    lower = {name.lower(): value for name, value in error.response.items()}
    found = {each["reason"] for each in lower.get("throttlingreasons", [])}
    return ("key" if "KeyRange" in str(found) else "capacity") if found else None


@is_right("a")
def by_the_whole_text(error):
    text = str(error.response)
    if "KeyRangeThroughputExceeded" in text:
        return "key"
    return "capacity" if "ThroughputExceeded'" in text else None


@is_right("a")
def by_trying(error):
    for name in ("throttlingReasons", "ThrottlingReasons"):
        try:
            return "key" if "KeyRange" in error.response[name][0]["reason"] else "capacity"
        except KeyError:
            continue
    return None


@shows("a", "by_name")
def by_the_code(error):
    code = error.response["Error"]["Code"]
    return {"ThrottlingException": "key", "ProvisionedThroughputExceededException": "capacity"}.get(code)


@shows("a", "by_name")
def by_the_message(error):
    if not reasons_of(error):
        return None
    return "key" if "hot key" in error.response["Error"]["Message"] else "capacity"


@shows("a", "one_spelling")
def small_t(error):
    reasons = error.response.get("throttlingReasons")
    if reasons:
        return "key" if "KeyRange" in reasons[0]["reason"] else "capacity"


@shows("a", "one_spelling")
def capital_t(error):
    reasons = error.response.get("ThrottlingReasons", [])
    for each in reasons:
        return "key" if "KeyRange" in each["reason"] else "capacity"


@shows("a", "exact_reason")
def the_lessons_reason(error):
    reasons = reasons_of(error)
    if reasons:
        return "key" if reasons[0]["reason"] == "TableWriteKeyRangeThroughputExceeded" else "capacity"


@shows("a", "exact_reason")
def writes_only(error):
    reasons = reasons_of(error)
    if reasons:
        return "key" if "WriteKeyRange" in str(reasons) else "capacity"


@shows("a", "every_error")
def key_or_else_capacity(error):
    return "key" if "KeyRange" in str(reasons_of(error)) else "capacity"


@shows("a", "swapped")
def exchanged(error):
    return {"key": "capacity", "capacity": "key", None: None}[by_the_end(error)]


@shows("a", "elsewhere")
def always_key(error):
    return "key" if reasons_of(error) else None


@shows("a", "elsewhere")
def never(error):
    return len(error.response) < 0 or None


@shows("a", "wrong_type")
def the_reason_itself(error):
    return reasons_of(error)[0]["reason"] if reasons_of(error) else None


@shows("a", "wrong_type")
def true_or_false(error):
    return "KeyRange" in str(reasons_of(error))


@raises("a")
def visible_error_only(error):
    return "key" if "KeyRange" in error.response["throttlingReasons"][0]["reason"] else "capacity"


@raises("a")
def asks_the_exception(error):
    return "key" if error.reason else "capacity"


@raises("a")
def endless(error):
    while True:
        pass


@is_untouched("a")
def stub_a(error):
    return ...


given("a", "key", "wrong", "wrong_type")
given("a", [], "wrong", "wrong_type")

# ── b ─────────────────────────────────────────────────────────────────────────────────


@is_right("b")
def the_number(order):
    return order["pedido"]


@is_right("b")
def day_and_number(order):
    return f"PEDIDO#{order['fecha']}#{order['pedido']}"


@is_right("b")
def day_and_suffix(order):
    return f"PEDIDOS#{order['fecha']}.{zlib.crc32(order['pedido'].encode()) % 200 + 1}"


@is_right("b")
def digest(order):
    return hashlib.sha256(order["pedido"].encode()).hexdigest()


@is_right("b")
def last_digits(order):
    return f"PEDIDOS#{order['fecha']}.{order['pedido'][-3:]}"


@shows("b", "one_key")
def the_day(order):
    return f"PEDIDOS#{order['fecha']}"


@shows("b", "one_key")
def the_state(order):
    return f"ESTADO#{order['estado']}"


@shows("b", "one_key")
def visible_order_only(order):
    return "PEDIDOS#2026-09-06.17" if order["pedido"] == "PED-0004711" else "PEDIDOS"


@shows("b", "few_values")
def the_city(order):
    return order["ciudad"]


@shows("b", "few_values")
def two_halves(order):
    return f"{order['fecha']}.{zlib.crc32(order['pedido'].encode()) % 2}"


@shows("b", "one_frequent_value")
def the_customer(order):
    return order["cliente"]


@shows("b", "one_frequent_value")
def day_and_customer(order):
    return f"{order['fecha']}#{order['cliente']}"


@shows("b", "too_few_suffixes")
def ten_suffixes(order):
    return f"{order['fecha']}.{zlib.crc32(order['pedido'].encode()) % 10}"


@shows("b", "too_few_suffixes")
def last_digit(order):
    return f"{order['fecha']}.{order['pedido'][-1]}"


@shows("b", "salted_hash")
def built_in_hash(order):
    return f"{order['fecha']}.{hash(order['pedido']) % 200}"


@shows("b", "not_repeatable")
def random_suffix(order):
    return f"{order['fecha']}.{random.randint(1, 200)}"


turns = itertools.count()


@shows("b", "not_repeatable")
def in_turn(order):
    return f"{order['fecha']}.{next(turns) % 200}"


@shows("b", "not_known")
def customer_and_number(order):
    return f"{order['cliente']}#{order['pedido']}"


@shows("b", "not_known")
def state_in_the_key(order):
    return f"{order['estado']}#{order['pedido']}"


@shows("b", "wrong_type")
def number_only(order):
    return int(order["pedido"][4:])


@shows("b", "wrong_type")
def a_pair(order):
    return order["fecha"], order["pedido"]


@shows("b", "wrong_type")
def forgets_the_return(order):
    key = order["pedido"]  # noqa: F841


@shows("b", "wrong_type")
def empty_key(order):
    return ""


@raises("b")
def wrong_name(order):
    return order["id"]


@raises("b")
def forgets_to_encode(order):
    return f"{order['fecha']}.{zlib.crc32(order['pedido']) % 200}"


@raises("b")
def endless_b(order):
    number = 0
    while number >= 0:
        number += 1


@is_untouched("b")
def stub_b(order):
    return ...


given("b", "pedido", "wrong", "wrong_type")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def put(dynamodb, table, key, number, letters):
    item = {"PK": {"S": key}, "SK": {"S": f"PEDIDO#{number}"}, "v": {"S": "x" * letters}}
    dynamodb.put_item(TableName=table, Item=item)


@is_right("c")
def four_large_items(dynamodb, table):
    for i in range(4):
        put(dynamodb, table, "a", i, 390 * 1024)


@is_right("c")
def one_item_again_and_again(dynamodb, table):
    while True:
        put(dynamodb, table, "a", 0, 50_000)


@is_right("c")
def a_thousand_small_items(dynamodb, table):
    for i in range(1_001):
        put(dynamodb, table, "PEDIDOS#2026-09-06", i, 10)


@is_right("c")
def catches_the_refusal(dynamodb, table):
    try:
        four_large_items(dynamodb, table)
    except ClientError as error:
        print(error)


@is_right("c")
def a_batch(dynamodb, table):
    items = [{"PK": {"S": "a"}, "SK": {"S": str(i)}, "v": {"S": "x" * 300_000}} for i in range(6)]
    dynamodb.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item}} for item in items]})


@is_right("c")
def updates(dynamodb, table):
    put(dynamodb, table, "a", 0, 390 * 1024)
    for _ in range(3):
        dynamodb.update_item(
            TableName=table,
            Key={"PK": {"S": "a"}, "SK": {"S": "PEDIDO#0"}},
            UpdateExpression="SET estado = :e",
            ExpressionAttributeValues={":e": {"S": "activo"}},
        )


@shows("c", "spread")
def a_key_for_each(dynamodb, table):
    for i in range(6):
        put(dynamodb, table, f"a{i}", i, 200 * 1024)


@shows("c", "spread")
def many_small_keys(dynamodb, table):
    for i in range(120):
        put(dynamodb, table, f"a{i}", i, 10)


@shows("c", "too_little")
def three_large_items(dynamodb, table):
    for i in range(3):
        put(dynamodb, table, "a", i, 390 * 1024)


@shows("c", "too_little")
def many_tiny_items(dynamodb, table):
    for i in range(100):
        put(dynamodb, table, "a", i, 10)


@shows("c", "too_little")
def nothing_sent(dynamodb, table):
    print("attack!")


@shows("c", "reads")
def reads_one_key(dynamodb, table):
    put(dynamodb, table, "a", 0, 390 * 1024)
    key = {"PK": {"S": "a"}, "SK": {"S": "PEDIDO#0"}}
    for _ in range(40):
        dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)


@shows("c", "too_much")
def ten_keys_then_one(dynamodb, table):
    for i in range(40):
        put(dynamodb, table, f"a{i % 10}", i, 390 * 1024)


@shows("c", "too_much")
def others_first(dynamodb, table):
    for i in range(8):
        put(dynamodb, table, f"b{i}", i, 390 * 1024)
    four_large_items(dynamodb, table)


@shows("c", "other_table")
def a_table_of_its_own(dynamodb, table):
    dynamodb.create_table(
        TableName="mine",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("PK", "SK")],
        ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    )
    put(dynamodb, "mine", "a", 0, 10)


@shows("c", "wrong_type")
def takes_no_table(dynamodb):
    four_large_items(dynamodb, "pedidos")


@raises("c")
def too_large_an_item(dynamodb, table):
    put(dynamodb, table, "a", 0, 401 * 1024)


@raises("c")
def key_without_types(dynamodb, table):
    dynamodb.put_item(TableName=table, Item={"PK": "a", "SK": "b"})


@raises("c")
def the_notebooks_table(dynamodb, table):
    four_large_items(dynamodb, "pedidos")


@raises("c")
def spread_for_ever(dynamodb, table):
    for i in itertools.count():
        put(dynamodb, table, f"a{i}", i, 10)


@raises("c")
def endless_c(dynamodb, table):
    while True:
        pass


@raises("c")
def a_client_of_its_own_and_a_fault(dynamodb, table):
    four_large_items(boto3.client("dynamodb"), table + "?")


@is_untouched("c")
def stub_c(dynamodb, table):
    return ...


given("c", 4, "wrong", "wrong_type")
