"""Answers to exercise 05 as learners give them, each with the judgement that it deserves.

At least three different right answers where the design is free, a wrong one for each named misconception, and what
every check meets: the stub, nothing, a wrong type, code that raises or does not end, code for the visible data only.
"""

import decimal
import functools
import hashlib
import heapq
import itertools
import math
import random
import time
import uuid
import zlib
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import boto3
import numpy as np
from boto3.dynamodb.conditions import Key
from botocore.exceptions import ClientError

from checks.answering import Answers

book = Answers("write_sharding")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["suffix"],
    "b": lambda names: names["N"],
    "c": lambda names: names["read_day"],
    "d": lambda names: names["modulus"],
    "e": lambda names: (names["suffix"], names["get_order"]),
}


# ── a ─────────────────────────────────────────────────────────────────────────────────


@is_right("a")
def crc32(order_id, n):
    return zlib.crc32(order_id.encode()) % n + 1


@is_right("a")
def md5(order_id, n):
    return int(hashlib.md5(order_id.encode()).hexdigest(), 16) % n + 1


@is_right("a")
def sha256_of_the_first_bytes(order_id, n):
    digest = hashlib.sha256(order_id.encode("utf-8")).digest()
    return 1 + int.from_bytes(digest[:8], "big") % n


@is_right("a")
def fnv_1a(order_id, n):
    total = 0x811C9DC5
    for byte in order_id.encode():
        total = (total ^ byte) * 0x01000193 & 0xFFFFFFFF
    return total % n + 1


@is_right("a")
def uuid5(order_id, n):
    return uuid.uuid5(uuid.NAMESPACE_URL, order_id).int % n + 1


@is_right("a")
def seeded_generator(order_id, n):
    return random.Random(order_id).randint(1, n)


@is_right("a")
def share_of_the_hash_space(order_id, n):
    return int(zlib.crc32(order_id.encode()) / 2**32 * n) + 1


@is_right("a")
def numpy_integer(order_id, n):
    return np.int64(zlib.crc32(order_id.encode()) % n + 1)


@is_right("a")
def prints_as_it_goes(order_id, n):
    print("looking at", order_id)
    return zlib.crc32(order_id.encode()) % n + 1


given("a", functools.partial(lambda salt, order_id, n: crc32(salt + order_id, n), "x"), "right", name="partial")


@shows("a", "not_repeatable")
def random_suffix(order_id, n):
    return random.randint(1, n)


turns = itertools.count()


@shows("a", "not_repeatable")
def in_turn(order_id, n):
    return next(turns) % n + 1


@shows("a", "not_repeatable")
def by_clock(order_id, n):
    return time.perf_counter_ns() % n + 1


@shows("a", "not_repeatable")
def by_identity(order_id, n):
    return (id(order_id) >> 4) % n + 1


@shows("a", "salted_hash")
def built_in_hash(order_id, n):
    return hash(order_id) % n + 1


@shows("a", "salted_hash")
def hash_of_a_pair(order_id, n):
    return abs(hash(("2026-09-06", order_id))) % n + 1


@shows("a", "salted_hash")
def hash_method(order_id, n):
    return order_id.__hash__() % n + 1


@shows("a", "off_by_one")
def zero_based(order_id, n):
    return zlib.crc32(order_id.encode()) % n


@shows("a", "off_by_one")
def one_too_many(order_id, n):
    return zlib.crc32(order_id.encode()) % (n + 1)


@shows("a", "off_by_one")
def one_beyond(order_id, n):
    return zlib.crc32(order_id.encode()) % (n + 1) + 1


@shows("a", "off_by_one")
def last_one_left_out(order_id, n):
    return zlib.crc32(order_id.encode()) % max(1, n - 1) + 1


@raises("a")
def last_one_left_out_and_n_of_one(order_id, n):
    return zlib.crc32(order_id.encode()) % (n - 1) + 1


@shows("a", "ignores_n")
def always_two_hundred(order_id, n):
    return zlib.crc32(order_id.encode()) % 200 + 1


@shows("a", "ignores_n")
def always_ten(order_id, n):
    return zlib.crc32(order_id.encode()) % 10 + 1


@shows("a", "ignores_n")
def no_remainder(order_id, n):
    return zlib.crc32(order_id.encode())


@shows("a", "product_formula")
def product(order_id, n):
    return math.prod(ord(character) for character in order_id) % n + 1


@shows("a", "product_formula")
def product_of_bytes(order_id, n):
    total = 1
    for byte in order_id.encode():
        total *= byte
    return total % n + 1


@shows("a", "product_formula")
def product_by_way_of_200(order_id, n):
    return math.prod(map(ord, order_id)) % 200 % n + 1


@shows("a", "code_point_sum")
def total_of_code_points(order_id, n):
    return sum(ord(character) for character in order_id) % n + 1


@shows("a", "uneven")
def last_character(order_id, n):
    return ord(order_id[-1]) % n + 1


@shows("a", "uneven")
def length(order_id, n):
    return len(order_id) % n + 1


@shows("a", "uneven")
def always_one(order_id, n):
    return 1


@shows("a", "uneven")
def bytes_as_one_number(order_id, n):
    return int.from_bytes(order_id.encode(), "big") % n + 1


@shows("a", "uneven")
def visible_ids_only(order_id, n):
    return {"PED-0000001": 3, "PED-0000002": 7}.get(order_id, 0) % n + 1


@raises("a")
def visible_ids_or_nothing(order_id, n):
    return {"PED-0000001": 3, "PED-0000002": 7}[order_id]


@raises("a")
def digits_only(order_id, n):
    return int(order_id) % n + 1


@raises("a")
def ascii_only(order_id, n):
    return zlib.crc32(order_id.encode("ascii")) % n + 1


@raises("a")
def forgets_to_encode(order_id, n):
    return zlib.crc32(order_id) % n + 1


@raises("a")
def calls_itself(order_id, n):
    return calls_itself(order_id, n)


@raises("a")
def leaves(order_id, n):
    raise SystemExit(1)


@raises("a")
def endless(order_id, n):
    total = 0
    while total >= 0:
        total += 1
    return total


@raises("a")
def endless_and_deaf(order_id, n):
    while True:
        try:
            endless(order_id, n)
        except Exception:
            continue


@raises("a")
def endless_sleeper(order_id, n):
    while True:
        time.sleep(1)


@shows("a", "wrong_type")
def forgets_to_return(order_id, n):
    number = zlib.crc32(order_id.encode()) % n + 1  # noqa: F841


@shows("a", "wrong_type")
def text_suffix(order_id, n):
    return str(zlib.crc32(order_id.encode()) % n + 1)


@shows("a", "wrong_type")
def fraction_of_n(order_id, n):
    return zlib.crc32(order_id.encode()) / 2**32 * n


@shows("a", "wrong_type")
def true_or_false(order_id, n):
    return len(order_id) % 2 == 0


@shows("a", "wrong_type")
def takes_only_the_id(order_id):
    return zlib.crc32(order_id.encode()) % 10 + 1


@is_untouched("a")
def stub(order_id, n):
    return ...


@is_untouched("a")
def stub_with_docstring(order_id, n):
    """Return the suffix."""


@is_untouched("a")
def half_done(order_id, n):
    number = zlib.crc32(order_id.encode())  # noqa: F841
    return ...


given("a", None, "not attempted")
given("a", ..., "not attempted")
given("a", 7, "wrong", "wrong_type")
given("a", "zlib.crc32", "wrong", "wrong_type")
given("a", [], "wrong", "wrong_type")

# ── b ─────────────────────────────────────────────────────────────────────────────────

for number in (64, 70, 80, 100, 128, 199, 200, 250, 100.0, decimal.Decimal(120), Fraction(240, 2), np.int64(150)):
    given("b", number, "right")
given("b", 1, "wrong", "no_sharding")
given("b", math.ceil(1_250 / 1_000), "wrong", "forgot_item_size")
given("b", math.ceil(2_500 / 1_000), "wrong", "no_margin")
given("b", 4, "wrong", "one_per_partition")
for number in (5, 8, 10, 13, 20, 30, 40):
    given("b", number, "wrong", "too_few")
for number in (251, 1_250, 10**6, 10**9):
    given("b", number, "wrong", "too_many")
for wrong_type in (0, -5, 2.5, float("nan"), float("inf"), "100", "", True, [], [100], {}, math.ceil, 10**400):
    given("b", wrong_type, "wrong", "wrong_type", name=f"{wrong_type!r:.20}")
given("b", None, "not attempted")
given("b", ..., "not attempted")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def pages_of(dynamodb, table, key):
    request = {
        "TableName": table,
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": {"S": key}},
    }
    while True:
        page = dynamodb.query(**request)
        yield page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def hora(row):
    return row["hora"]["S"]


def shard(dynamodb, table, day, number):
    return [row for page in pages_of(dynamodb, table, f"PEDIDOS#{day}.{number}") for row in page]


@is_right("c")
def page_by_page(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        rows.extend(shard(dynamodb, table, day, number))
    rows.sort(key=hora)
    return rows


@is_right("c")
def paginator(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        for page in dynamodb.get_paginator("query").paginate(
            TableName=table,
            KeyConditions={
                "PK": {"AttributeValueList": [{"S": f"PEDIDOS#{day}.{number}"}], "ComparisonOperator": "EQ"}
            },
        ):
            rows += page["Items"]
    return sorted(rows, key=lambda row: row["hora"]["S"])


@is_right("c")
def merged_generator(dynamodb, table, day, n):
    sorted_shards = [sorted(shard(dynamodb, table, day, number), key=hora) for number in range(1, n + 1)]
    yield from heapq.merge(*sorted_shards, key=hora)


@is_right("c")
def plain_items_of_the_resource(dynamodb, table, day, n):
    pedidos = boto3.resource("dynamodb").Table(table)
    rows = []
    for number in range(1, n + 1):
        request = {"KeyConditionExpression": Key("PK").eq(f"PEDIDOS#{day}.{number}")}
        while True:
            page = pedidos.query(**request)
            rows += page["Items"]
            if "LastEvaluatedKey" not in page:
                break
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    return sorted(rows, key=lambda row: row["hora"])


@is_right("c")
def in_parallel(dynamodb, table, day, n):
    with ThreadPoolExecutor(4) as pool:
        shards = pool.map(lambda number: shard(dynamodb, table, day, number), range(1, n + 1))
        return sorted((row for rows in shards for row in rows), key=hora)


@is_right("c")
def asks_again_when_refused(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        while True:
            try:
                rows += shard(dynamodb, table, day, number)
                break
            except ClientError:
                time.sleep(1)
    return sorted(rows, key=hora)


@is_right("c")
def complains_in_its_own_words(dynamodb, table, day, n):
    try:
        return page_by_page(dynamodb, table, day, n)
    except ClientError as error:
        raise RuntimeError(f"{day} could not be read wholly") from error


@shows("c", "off_by_one")
def from_zero(dynamodb, table, day, n):
    return sorted((row for number in range(n) for row in shard(dynamodb, table, day, number)), key=hora)


@shows("c", "off_by_one")
def up_to_but_not_n(dynamodb, table, day, n):
    return sorted((row for number in range(1, n) for row in shard(dynamodb, table, day, number)), key=hora)


@shows("c", "off_by_one")
def from_two(dynamodb, table, day, n):
    return sorted((row for number in range(2, n + 1) for row in shard(dynamodb, table, day, number)), key=hora)


@shows("c", "fixed_n")
def always_ten_suffixes(dynamodb, table, day, n):
    return sorted((row for number in range(1, 11) for row in shard(dynamodb, table, day, number)), key=hora)


@shows("c", "lost_suffixes")
def odd_ones(dynamodb, table, day, n):
    return sorted((row for number in range(1, n + 1, 2) for row in shard(dynamodb, table, day, number)), key=hora)


@shows("c", "one_page")
def first_pages(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        rows += next(pages_of(dynamodb, table, f"PEDIDOS#{day}.{number}"))
    return sorted(rows, key=hora)


@shows("c", "one_page")
def one_more_page_at_most(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        for page in itertools.islice(pages_of(dynamodb, table, f"PEDIDOS#{day}.{number}"), 2):
            rows += page
    return sorted(rows, key=hora)


@shows("c", "lost_rows")
def last_pages(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        *_, last = pages_of(dynamodb, table, f"PEDIDOS#{day}.{number}")
        rows += last
    return sorted(rows, key=hora)


@shows("c", "duplicates")
def adds_the_first_page_twice(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        rows += next(pages_of(dynamodb, table, f"PEDIDOS#{day}.{number}"))
        rows += shard(dynamodb, table, day, number)
    return sorted(rows, key=hora)


@shows("c", "not_by_time")
def one_suffix_after_the_other(dynamodb, table, day, n):
    return [row for number in range(1, n + 1) for row in shard(dynamodb, table, day, number)]


@shows("c", "not_by_time")
def by_order_id(dynamodb, table, day, n):
    return sorted(page_by_page(dynamodb, table, day, n), key=lambda row: row["SK"]["S"])


@shows("c", "not_by_time")
def newest_first(dynamodb, table, day, n):
    return sorted(page_by_page(dynamodb, table, day, n), key=hora, reverse=True)


@shows("c", "not_by_time")
def merges_unsorted_shards(dynamodb, table, day, n):
    return list(heapq.merge(*(shard(dynamodb, table, day, number) for number in range(1, n + 1)), key=hora))


@shows("c", "scan")
def scan(dynamodb, table, day, n):
    pages = dynamodb.get_paginator("scan").paginate(TableName=table)
    rows = [row for page in pages for row in page["Items"] if f"#{day}." in row["PK"]["S"]]
    return sorted(rows, key=hora)


@shows("c", "scan")
def filtered_scan(dynamodb, table, day, n):
    pages = dynamodb.get_paginator("scan").paginate(
        TableName=table,
        FilterExpression="begins_with(PK, :day)",
        ExpressionAttributeValues={":day": {"S": f"PEDIDOS#{day}."}},
    )
    return sorted((row for page in pages for row in page["Items"]), key=hora)


@shows("c", "swallows_refusals")
def passes_over_refusals(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        try:
            rows += shard(dynamodb, table, day, number)
        except ClientError:
            continue
    return sorted(rows, key=hora)


@shows("c", "swallows_refusals")
def stops_at_a_refusal(dynamodb, table, day, n):
    rows = []
    try:
        for number in range(1, n + 1):
            rows += shard(dynamodb, table, day, number)
    except Exception as error:
        print("oh", error)
    return sorted(rows, key=hora)


@shows("c", "bare_day_key")
def without_suffix(dynamodb, table, day, n):
    return sorted((row for page in pages_of(dynamodb, table, f"PEDIDOS#{day}") for row in page), key=hora)


@shows("c", "nothing_read")
def another_separator(dynamodb, table, day, n):
    return [
        row
        for number in range(1, n + 1)
        for page in pages_of(dynamodb, table, f"PEDIDOS#{day}#{number}")
        for row in page
    ]


@shows("c", "nothing_read")
def empty_list(dynamodb, table, day, n):
    return []


@shows("c", "other_days")
def the_day_before_too(dynamodb, table, day, n):
    return sorted(page_by_page(dynamodb, table, day, n) + page_by_page(dynamodb, table, "2026-09-05", n), key=hora)


@shows("c", "not_from_the_table")
def visible_rows_only(dynamodb, table, day, n):
    return [{"PK": {"S": "PEDIDOS#2026-09-06.1"}, "SK": {"S": "PED-0000001"}, "hora": {"S": "2026-09-06T17:00:00Z"}}]


@shows("c", "wasteful")
def hundred_suffixes_to_be_safe(dynamodb, table, day, n):
    return page_by_page(dynamodb, table, day, 100)


@raises("c")
def million_suffixes_to_be_safe(dynamodb, table, day, n):
    return page_by_page(dynamodb, table, day, 1_000_000)


@shows("c", "wasteful")
def one_row_at_a_time(dynamodb, table, day, n):
    rows = []
    for number in range(1, n + 1):
        pages = dynamodb.get_paginator("query").paginate(
            TableName=table,
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": {"S": f"PEDIDOS#{day}.{number}"}},
            PaginationConfig={"PageSize": 1},
        )
        rows += [row for page in pages for row in page["Items"]]
    return sorted(rows, key=hora)


@raises("c")
def expects_a_next_page(dynamodb, table, day, n):
    page = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": {"S": f"PEDIDOS#{day}.1"}},
    )
    return page["Items"] + [page["LastEvaluatedKey"]]


@raises("c")
def wrong_table(dynamodb, table, day, n):
    return page_by_page(dynamodb, "pedidos-que-no-existe", day, n)


@raises("c")
def wrong_types_in_the_key(dynamodb, table, day, n):
    return dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": f"PEDIDOS#{day}.1"},
    )["Items"]


@raises("c")
def same_page_for_ever(dynamodb, table, day, n):
    rows = []
    more = True
    while more:
        page = dynamodb.query(
            TableName=table,
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": {"S": f"PEDIDOS#{day}.5"}},
        )
        rows += page["Items"]
        more = "LastEvaluatedKey" in page
    return rows


@raises("c")
def deaf_loop(dynamodb, table, day, n):
    while True:
        try:
            dynamodb.query(
                TableName=table,
                KeyConditionExpression="PK = :pk",
                ExpressionAttributeValues={":pk": {"S": f"PEDIDOS#{day}.1"}},
            )
        except:  # noqa: E722
            continue


@shows("c", "wrong_type")
def returns_a_count(dynamodb, table, day, n):
    return len(page_by_page(dynamodb, table, day, n))


@shows("c", "wrong_type")
def forgets_the_return(dynamodb, table, day, n):
    page_by_page(dynamodb, table, day, n)


@shows("c", "wrong_type")
def returns_pages(dynamodb, table, day, n):
    return [shard(dynamodb, table, day, number) for number in range(1, n + 1)]


@shows("c", "wrong_type")
def returns_ids(dynamodb, table, day, n):
    return [row["SK"]["S"] for row in page_by_page(dynamodb, table, day, n)]


@shows("c", "wrong_type")
def takes_no_n(dynamodb, table, day):
    return page_by_page(dynamodb, table, day, 12)


@is_untouched("c")
def stub_c(dynamodb, table, day, n):
    return ...


given("c", None, "not attempted")
given("c", [], "wrong", "wrong_type")

# ── d ─────────────────────────────────────────────────────────────────────────────────

for modulus in (151, 157, 173, 199, 211, 241, 227.0, decimal.Decimal(197), np.int64(233)):
    given("d", modulus, "right", name=repr(modulus))
given("d", 200, "wrong", "unchanged")
for modulus in (150, 158, 169, 178, 187, 198, 201, 209, 210, 221, 240, 243, 247, 250):
    given("d", modulus, "wrong", "factor_in_common")
for modulus in (0, -199, 1, 7, 10, 101, 149, 251, 257, 10**9):
    given("d", modulus, "wrong", "out_of_range")
for wrong_type in (199.5, float("nan"), float("inf"), "199", "a prime", True, [199], {}, crc32, 10**400):
    given("d", wrong_type, "wrong", "wrong_type", name=f"{wrong_type!r:.12}")
given("d", None, "not attempted")
given("d", ..., "not attempted")

# ── e ─────────────────────────────────────────────────────────────────────────────────


def key_of(suffix, day, order_id, n):
    return {"PK": {"S": f"PEDIDOS#{day}.{suffix(order_id, n)}"}, "SK": {"S": order_id}}


def get_item(dynamodb, table, day, order_id, n):
    return dynamodb.get_item(TableName=table, Key=key_of(crc32, day, order_id, n)).get("Item")


def get_item_strongly(dynamodb, table, day, order_id, n):
    answer = dynamodb.get_item(TableName=table, Key=key_of(md5, day, order_id, n), ConsistentRead=True)
    if "Item" in answer:
        return answer["Item"]


def query_with_both_keys(dynamodb, table, day, order_id, n):
    answer = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk AND SK = :sk",
        ExpressionAttributeValues={
            ":pk": {"S": f"PEDIDOS#{day}.{crc32(order_id, n)}"},
            ":sk": {"S": order_id},
        },
    )
    return answer["Items"][0] if answer["Items"] else None


def resource_item(dynamodb, table, day, order_id, n):
    key = {"PK": f"PEDIDOS#{day}.{uuid5(order_id, n)}", "SK": order_id}
    return boto3.resource("dynamodb").Table(table).get_item(Key=key).get("Item", {})


given("e", (crc32, get_item), "right", name="get_item")
given("e", [crc32, get_item], "right", name="a list of both")
given("e", (md5, get_item_strongly), "right", name="strongly")
given("e", (crc32, query_with_both_keys), "right", name="query with both keys")
given("e", (uuid5, resource_item), "right", name="resource")


def scan_for_one(dynamodb, table, day, order_id, n):
    answer = dynamodb.scan(
        TableName=table, FilterExpression="SK = :sk", ExpressionAttributeValues={":sk": {"S": order_id}}
    )
    return answer["Items"][0] if answer["Items"] else None


def every_suffix(dynamodb, table, day, order_id, n):
    for number in range(1, n + 1):
        key = {"PK": {"S": f"PEDIDOS#{day}.{number}"}, "SK": {"S": order_id}}
        item = dynamodb.get_item(TableName=table, Key=key).get("Item")
        if item:
            return item


def whole_suffix(dynamodb, table, day, order_id, n):
    rows = next(pages_of(dynamodb, table, f"PEDIDOS#{day}.{crc32(order_id, n)}"))
    return next((row for row in rows if row["SK"]["S"] == order_id), None)


def filtered_suffix(dynamodb, table, day, order_id, n):
    answer = dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        FilterExpression="importe = :t OR hora > :z",
        ExpressionAttributeValues={
            ":pk": {"S": f"PEDIDOS#{day}.{crc32(order_id, n)}"},
            ":t": {"N": "0"},
            ":z": {"S": ""},
        },
    )
    return next((row for row in answer["Items"] if row["SK"]["S"] == order_id), None)


def bare_key(dynamodb, table, day, order_id, n):
    return dynamodb.get_item(TableName=table, Key={"PK": {"S": f"PEDIDOS#{day}"}, "SK": {"S": order_id}}).get("Item")


def random_key(dynamodb, table, day, order_id, n):
    return dynamodb.get_item(TableName=table, Key=key_of(random_suffix, day, order_id, n)).get("Item")


def sort_key_with_prefix(dynamodb, table, day, order_id, n):
    key = {"PK": {"S": f"PEDIDOS#{day}.{crc32(order_id, n)}"}, "SK": {"S": f"PEDIDO#{order_id}"}}
    return dynamodb.get_item(TableName=table, Key=key).get("Item")


def first_of_the_suffix(dynamodb, table, day, order_id, n):
    return next(pages_of(dynamodb, table, f"PEDIDOS#{day}.{crc32(order_id, n)}"))[0]


def finds_something_always(dynamodb, table, day, order_id, n):
    return get_item(dynamodb, table, day, order_id, n) or {"SK": {"S": order_id}, "hora": {"S": "?"}}


def whole_answer(dynamodb, table, day, order_id, n):
    return dynamodb.get_item(TableName=table, Key=key_of(crc32, day, order_id, n))


def list_of_one(dynamodb, table, day, order_id, n):
    return [get_item(dynamodb, table, day, order_id, n)]


def no_key_error(dynamodb, table, day, order_id, n):
    return dynamodb.get_item(TableName=table, Key=key_of(crc32, day, order_id, n))["Item"]


def key_without_types(dynamodb, table, day, order_id, n):
    return dynamodb.get_item(TableName=table, Key={"PK": f"PEDIDOS#{day}.1", "SK": order_id}).get("Item")


def tries_for_ever(dynamodb, table, day, order_id, n):
    item = None
    while item is None:
        item = bare_key(dynamodb, table, day, order_id, n)
    return item


def visible_order_only(dynamodb, table, day, order_id, n):
    return {"PK": {"S": "PEDIDOS#2026-09-06.3"}, "SK": {"S": "PED-0000001"}}


def stub_e(dynamodb, table, day, order_id, n):
    return ...


given("e", (crc32, scan_for_one), "wrong", "scan", name="scan")
given("e", (random_suffix, random_key), "wrong", "random_suffix", name="random on both sides")
given("e", (random_suffix, get_item), "wrong", "random_suffix", name="random writer")
given("e", (random_suffix, every_suffix), "wrong", "asks_every_suffix", name="random, all asked")
given("e", (crc32, every_suffix), "wrong", "asks_every_suffix", name="all asked")
given("e", (crc32, whole_suffix), "wrong", "reads_the_collection", name="whole suffix")
given("e", (crc32, filtered_suffix), "wrong", "reads_the_collection", name="filtered suffix")
given("e", (crc32, bare_key), "wrong", "bare_day_key", name="bare key")
given("e", (md5, get_item), "wrong", "key_not_rebuilt", name="two formulas")
given("e", (zero_based, get_item), "wrong", "key_not_rebuilt", name="off by one between writer and reader")
given("e", (crc32, sort_key_with_prefix), "wrong", "key_not_rebuilt", name="another sort key")
given("e", (crc32, first_of_the_suffix), "wrong", "other_order", name="first of the suffix")
given("e", (crc32, visible_order_only), "wrong", "other_order", name="visible order only")
given("e", (crc32, finds_something_always), "wrong", "invents", name="invents")
given("e", (crc32, whole_answer), "wrong", "wrong_type", name="whole answer")
given("e", (crc32, list_of_one), "wrong", "wrong_type", name="list of one")
given("e", get_item, "wrong", "wrong_type", name="only the reader")
given("e", (crc32, 5), "wrong", "wrong_type", name="a number")
given("e", (get_item, crc32), "wrong", "wrong_type", name="the wrong way round")
given("e", (), "wrong", "wrong_type", name="an empty pair")
given("e", (crc32, no_key_error), "raised", name="no such order raises")
given("e", (digits_only, get_item), "raised", name="suffix raises")
given("e", (crc32, key_without_types), "raised", name="key without types")
given("e", (crc32, tries_for_ever), "raised", name="tries for ever")
given("e", (endless, get_item), "raised", name="endless suffix")
given("e", (stub, stub_e), "not attempted", name="both stubs")
given("e", (crc32, stub_e), "not attempted", name="one stub")
given("e", (stub, get_item), "not attempted", name="the other stub")
given("e", None, "not attempted")
