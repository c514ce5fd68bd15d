"""The requests that both servers are asked: seeded, plain DynamoDB JSON, in scenarios that each make their own tables.

A scenario takes something with ``ask(case, operation, body)`` and a seed. A case's name is ``group/what``; the list of
differences speaks of cases by these names.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterator
from typing import Any, Protocol

Value = dict[str, Any]
Item = dict[str, Value]

DETAILS = ("TOTAL", "INDEXES", "NONE", None)
KB = 1024


class Asks(Protocol):
    """What a scenario needs."""

    def ask(self, case: str, operation: str, body: Any, *, unordered: bool = False) -> Any:
        """Ask both servers; returns the lab's answer. The order of items counts unless ``unordered``."""

    def ask_until_ready(self, table: str) -> None:
        """Wait until both have the table."""


# --- values ---------------------------------------------------------------------------------------------------------


def text(rng: random.Random, length: int) -> str:
    """Random ASCII letters and digits."""
    return "".join(rng.choices(string.ascii_letters + string.digits, k=length))


def binary(rng: random.Random, length: int) -> str:
    """Random bytes in Base64."""
    return base64.b64encode(rng.randbytes(length)).decode()


def number(rng: random.Random) -> str:
    """A number in the form in which the service gives it back: no exponent, no needless zeros."""
    digits = str(rng.randrange(1, 10 ** rng.randint(1, 20))).rstrip("0") or "0"
    shift = rng.choice((0, 0, 0, rng.randint(1, 12), -rng.randint(1, 12)))
    if digits == "0":
        return "0"
    sign = rng.choice(("", "", "-"))
    if shift >= 0:
        return sign + digits + "0" * shift
    digits = digits.rjust(-shift + 1, "0")
    return f"{sign}{digits[:shift]}.{digits[shift:]}"


def value(rng: random.Random, depth: int = 0) -> Value:
    """A value of any type, nested up to three levels; only ASCII (see ``utf8`` for the rest)."""
    kinds = ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS"] + (["L", "M"] if depth < 3 else [])
    kind = rng.choice(kinds)
    few = rng.randint(0 if kind in "LM" else 1, 4)
    make: dict[str, Callable[[], Any]] = {
        "S": lambda: text(rng, rng.randint(0, 60)),
        "N": lambda: number(rng),
        "B": lambda: binary(rng, rng.randint(0, 60)),
        "BOOL": lambda: rng.random() < 0.5,
        "NULL": lambda: True,
        "SS": lambda: sorted({text(rng, rng.randint(1, 12)) for _ in range(few)}),
        "NS": lambda: sorted({number(rng) for _ in range(few)}),
        "BS": lambda: sorted({binary(rng, rng.randint(1, 12)) for _ in range(few)}),
        "L": lambda: [value(rng, depth + 1) for _ in range(few)],
        "M": lambda: {text(rng, rng.randint(1, 8)): value(rng, depth + 1) for _ in range(few)},
    }
    return {kind: make[kind]()}


def attributes(rng: random.Random, count: int) -> Item:
    """That many attributes with names of their own."""
    return {f"{text(rng, rng.randint(1, 10))}{place}": value(rng) for place, _ in enumerate(range(count))}


def detail(rng: random.Random) -> dict[str, str]:
    """A ``ReturnConsumedCapacity``, or none."""
    chosen = rng.choice(DETAILS)
    return {} if chosen is None else {"ReturnConsumedCapacity": chosen}


# --- tables ---------------------------------------------------------------------------------------------------------


def schema(*names: str) -> list[dict[str, str]]:
    """A key schema of a partition key and perhaps a sort key."""
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


def table(name: str, *keys: str, **types: str) -> dict[str, Any]:
    """The CreateTable request of an on-demand table whose keys are strings unless ``types`` says otherwise."""
    names = dict.fromkeys([*keys, *types])
    return {
        "TableName": name,
        "KeySchema": schema(*keys),
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": types.get(key, "S")} for key in names],
        "BillingMode": "PAY_PER_REQUEST",
    }


def index(name: str, *keys: str, projection: str = "ALL", include: tuple[str, ...] = ()) -> dict[str, Any]:
    """A secondary index."""
    projected: dict[str, Any] = {"ProjectionType": projection}
    if include:
        projected["NonKeyAttributes"] = list(include)
    return {"IndexName": name, "KeySchema": schema(*keys), "Projection": projected}


def made(asks: Asks, request: dict[str, Any]) -> str:
    """Make the table on both servers; returns its name."""
    asks.ask("tables/create", "CreateTable", request)
    name = str(request["TableName"])
    asks.ask_until_ready(name)
    return name


# --- scenarios ------------------------------------------------------------------------------------------------------


def tables(asks: Asks, seed: int) -> None:
    """Making, describing, changing and listing tables, and what is refused on the way."""
    rng = random.Random(f"tables {seed}")
    for place in range(40):
        request = table(f"made-{place}", *(("pk", "sk") if rng.random() < 0.7 else ("pk",)))
        for definition in request["AttributeDefinitions"]:
            definition["AttributeType"] = rng.choice("SNB")
        provisioned = rng.random() < 0.5
        units = {"ReadCapacityUnits": rng.randint(1, 900), "WriteCapacityUnits": rng.randint(1, 900)}
        if provisioned:
            request["BillingMode"] = "PROVISIONED"
            request["ProvisionedThroughput"] = units
        extra: set[str] = set()
        for kind, most in (("GlobalSecondaryIndexes", 3), ("LocalSecondaryIndexes", 2)):
            if kind == "LocalSecondaryIndexes" and len(request["KeySchema"]) == 1:
                continue
            indexes = []
            for which in range(rng.randint(0, most)):
                hash_name = f"g{which}" if kind.startswith("G") else "pk"
                range_name = f"r{which}"
                projection = rng.choice(("ALL", "KEYS_ONLY", "INCLUDE"))
                one = index(
                    f"{kind[0].lower()}si-{which}",
                    hash_name,
                    range_name,
                    projection=projection,
                    include=("alpha", "beta") if projection == "INCLUDE" else (),
                )
                extra |= {hash_name, range_name}
                if provisioned and kind.startswith("G"):
                    one["ProvisionedThroughput"] = units
                indexes.append(one)
            if indexes:
                request[kind] = indexes
        known = {definition["AttributeName"] for definition in request["AttributeDefinitions"]}
        request["AttributeDefinitions"] += [
            {"AttributeName": name, "AttributeType": rng.choice("SNB")} for name in sorted(extra - known)
        ]
        name = made(asks, request)
        asks.ask("tables/describe", "DescribeTable", {"TableName": name})
        if place < 10:
            asks.ask("tables/create-again", "CreateTable", request)
        if provisioned:
            throughput = {"ReadCapacityUnits": rng.randint(1, 900), "WriteCapacityUnits": rng.randint(901, 1900)}
            asks.ask("tables/update", "UpdateTable", {"TableName": name, "ProvisionedThroughput": throughput})
            asks.ask_until_ready(name)
            asks.ask("tables/describe", "DescribeTable", {"TableName": name})
            asks.ask("tables/update-same", "UpdateTable", {"TableName": name, "ProvisionedThroughput": throughput})
            asks.ask_until_ready(name)
    for limit in (None, 1, 7, 100):
        body: dict[str, Any] = {} if limit is None else {"Limit": limit}
        while True:
            answer = asks.ask("tables/list", "ListTables", body)
            if "LastEvaluatedTableName" not in answer:
                break
            body["ExclusiveStartTableName"] = answer["LastEvaluatedTableName"]
    for limit in (0, 101, -1):
        asks.ask("tables/list-invalid", "ListTables", {"Limit": limit})
    for place in range(40):
        asks.ask("tables/delete", "DeleteTable", {"TableName": f"made-{place}"})
    for operation in ("DescribeTable", "DeleteTable"):
        asks.ask("tables/missing", operation, {"TableName": "no-such-table"})
    asks.ask("tables/missing", "UpdateTable", {"TableName": "no-such-table", "BillingMode": "PAY_PER_REQUEST"})
    for place, (case, request) in enumerate(invalid_tables()):
        if request.get("TableName") == "refused":
            # Each its own name: one that is made by mistake must not be in the way of the next.
            request["TableName"] = f"refused-{place}"
        asks.ask(f"tables/{case}", "CreateTable", request)


def invalid_tables() -> Iterator[tuple[str, dict[str, Any]]]:
    """CreateTable requests that the service refuses, with the names of their cases."""

    def changed(**changes: Any) -> dict[str, Any]:
        request = {**table("refused", "pk", "sk"), **changes}
        return {name: content for name, content in request.items() if content is not None}

    def defined(*names: str) -> list[dict[str, str]]:
        return [{"AttributeName": name, "AttributeType": "S"} for name in names]

    for name in ("", "a", "ab", "x" * 256, "with space", "umlaut-ä", "a/b"):
        yield "name", changed(TableName=name)
    yield "no-name", changed(TableName=None)
    for missing in ("KeySchema", "AttributeDefinitions"):
        yield "missing-member", changed(**{missing: None})
    yield "empty-schema", changed(KeySchema=[])
    yield "three-keys", changed(KeySchema=schema("pk", "sk") + schema("third"))
    yield "range-first", changed(KeySchema=list(reversed(schema("pk", "sk"))))
    yield "two-hashes", changed(KeySchema=schema("pk") + schema("sk"))
    yield "same-key-twice", changed(KeySchema=schema("pk", "pk"))
    yield "undefined-key", changed(KeySchema=schema("pk", "other"))
    yield "undefined-key", changed(KeySchema=schema("other"), AttributeDefinitions=defined("pk"))
    yield "unused-definition", changed(AttributeDefinitions=defined("pk", "sk", "more"))
    yield "too-few-definitions", changed(AttributeDefinitions=defined("pk"))
    yield "key-type", changed(KeySchema=[{"AttributeName": "pk", "KeyType": "SORT"}])
    yield "attribute-type", changed(AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "M"}])
    yield "billing-mode", changed(BillingMode="FREE")
    units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    yield "units-on-demand", changed(ProvisionedThroughput=units)
    yield "no-units", changed(BillingMode="PROVISIONED")
    yield "no-units", changed(BillingMode=None)
    for side in ("ReadCapacityUnits", "WriteCapacityUnits"):
        for wrong in (0, -1, 1_000_000_000_001):
            yield "units", changed(BillingMode="PROVISIONED", ProvisionedThroughput={**units, side: wrong})
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        hash_name = "pk" if kind.startswith("L") else "g"
        names = ("pk", "sk", "g", "r") if kind.startswith("G") else ("pk", "sk", "r")

        def indexed(*indexes: Any, kind: str = kind, names: tuple[str, ...] = names, **more: Any) -> dict[str, Any]:
            return changed(**{"AttributeDefinitions": defined(*names), kind: list(indexes), **more})

        good = index("by-r", hash_name, "r")
        yield "index-none", indexed(AttributeDefinitions=defined("pk", "sk"))
        yield "index-name", indexed({**good, "IndexName": "ab"})
        yield "index-name", indexed({**good, "IndexName": "a b c"})
        yield "index-name-twice", indexed(good, good)
        yield "index-undefined-key", indexed(index("by-r", hash_name, "nowhere"))
        yield "index-same-key-twice", indexed(index("by-r", hash_name, hash_name))
        yield "index-range-first", indexed({**good, "KeySchema": list(reversed(good["KeySchema"]))})
        yield "index-projection", indexed({**good, "Projection": {}})
        yield "index-projection", indexed({**good, "Projection": {"ProjectionType": "SOME"}})
        yield "index-projection-all-with-names", indexed(index("by-r", hash_name, "r", include=("a",)))
        most = 20 if kind.startswith("G") else 5
        yield "index-too-many", indexed(*[{**good, "IndexName": f"by-r-{place}"} for place in range(most + 1)])
    yield (
        "index-local-hash",
        changed(AttributeDefinitions=defined("pk", "sk", "g", "r"), LocalSecondaryIndexes=[index("by-r", "g", "r")]),
    )
    yield (
        "index-local-no-range",
        changed(AttributeDefinitions=defined("pk", "sk"), LocalSecondaryIndexes=[index("by-r", "pk")]),
    )
    yield (
        "index-local-no-sort-key",
        changed(
            KeySchema=schema("pk"),
            AttributeDefinitions=defined("pk", "r"),
            LocalSecondaryIndexes=[index("by-r", "pk", "r")],
        ),
    )
    yield (
        "index-units-on-demand",
        changed(
            AttributeDefinitions=defined("pk", "sk", "g"),
            GlobalSecondaryIndexes=[{**index("by-g", "g"), "ProvisionedThroughput": units}],
        ),
    )


def values(asks: Asks, seed: int) -> None:
    """Items of every type, put, read whole and in part, replaced and deleted, with what each cost."""
    rng = random.Random(f"values {seed}")
    name = made(asks, table("values", "pk"))
    for place in range(400):
        key: Item = {"pk": {"S": f"{text(rng, 6)}{place}"}}
        first = {**key, **attributes(rng, rng.randint(0, 8))}
        asks.ask("values/put", "PutItem", {"TableName": name, "Item": first, **detail(rng)})
        consistent = {"ConsistentRead": rng.random() < 0.5}
        asks.ask("values/get", "GetItem", {"TableName": name, "Key": key, **consistent, **detail(rng)})
        if len(first) > 1:
            some = rng.sample(sorted(first), rng.randint(1, len(first)))
            names = {f"#n{number}": attribute for number, attribute in enumerate(some)}
            projection = {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
            body = {"TableName": name, "Key": key, **projection, **detail(rng)}
            asks.ask("values/get-projection", "GetItem", body)
        second = {**key, **attributes(rng, rng.randint(0, 8))}
        returned = {"ReturnValues": rng.choice(("ALL_OLD", "NONE"))}
        asks.ask("values/replace", "PutItem", {"TableName": name, "Item": second, **returned, **detail(rng)})
        asks.ask("values/delete", "DeleteItem", {"TableName": name, "Key": key, **returned, **detail(rng)})
        if place % 10 == 0:
            for operation in ("GetItem", "DeleteItem"):
                asks.ask("values/absent", operation, {"TableName": name, "Key": key, **detail(rng)})
    for written in (
        *("0", "-0", "00012.3400", "1e3", "1E-3", "1.50", "-1.0e2", ".5", "5.", "1e125", "1e-130"),
        *("9" * 38, "-" + "9" * 38, "0." + "0" * 100 + "1", "123456789012345678901234567890.12345678"),
    ):
        key = {"pk": {"S": text(rng, 8)}}
        item = {**key, "n": {"N": written}}
        asks.ask("numbers/put", "PutItem", {"TableName": name, "Item": item, "ReturnConsumedCapacity": "TOTAL"})
        asks.ask("numbers/get", "GetItem", {"TableName": name, "Key": key, "ConsistentRead": True})
    for letter in ("é", "日本", "😀", "ß", "\u0000", "\u2028"):
        for filler in (1005, 1015, 2030):
            item = {"pk": {"S": text(rng, 8)}, "v": {"S": letter * 3 + "x" * filler}, f"n{letter}": {"BOOL": True}}
            asks.ask("utf8/put", "PutItem", {"TableName": name, "Item": item, "ReturnConsumedCapacity": "TOTAL"})
            body = {"TableName": name, "Key": {"pk": item["pk"]}, "ReturnConsumedCapacity": "TOTAL"}
            asks.ask("utf8/get", "GetItem", body)


def sizes(asks: Asks, seed: int) -> None:
    """Items a byte around every kind of boundary: write units at 1 KB steps, read units at 4 KB steps."""
    rng = random.Random(f"sizes {seed}")
    name = made(asks, table("sizes", "pk", "sk", sk="N"))
    for place in range(200):
        key: Item = {"pk": {"S": text(rng, rng.randint(1, 9))}, "sk": {"N": number(rng)}}
        extra = attributes(rng, rng.randint(0, 5))

        def put(filler: int, key: Item = key, extra: Item = extra) -> float:
            item = {**key, **extra, "filler": {"S": "x" * filler}}
            body = {"TableName": name, "Item": item, "ReturnConsumedCapacity": "TOTAL"}
            answer = asks.ask("sizes/put", "PutItem", body)
            return float(answer["ConsumedCapacity"]["CapacityUnits"])

        # The filler with which the item just costs one unit more: a byte's disagreement about the rest shows there.
        asks.ask("sizes/delete", "DeleteItem", {"TableName": name, "Key": key, "ReturnConsumedCapacity": "TOTAL"})
        target = put(0) + rng.randint(0, 3)
        if place % 2 == 0:
            target += -target % 4  # a boundary of read units as well
        low, high = 0, int(target) * KB
        while low < high:
            asks.ask("sizes/delete", "DeleteItem", {"TableName": name, "Key": key})
            middle = (low + high) // 2
            low, high = (low, middle) if put(middle) > target else (middle + 1, high)
        for filler in (low, low - 1):
            asks.ask("sizes/delete", "DeleteItem", {"TableName": name, "Key": key, "ReturnConsumedCapacity": "TOTAL"})
            put(max(filler, 0))
            for consistent in (True, False):
                body = {"TableName": name, "Key": key, "ConsistentRead": consistent}
                asks.ask("sizes/get", "GetItem", {**body, "ReturnConsumedCapacity": "INDEXES"})
    for edge in (1024, 1025, 2048, 2049, 4096, 4097, 8192, 8193, 100 * KB, 100 * KB + 1, 400 * KB, 400 * KB + 1):
        # pk 2 + 1, sk 2 + 2, filler 6
        item = {"pk": {"S": "a"}, "sk": {"N": "1"}, "filler": {"S": "x" * (edge - 13)}}
        asks.ask("sizes/edge", "PutItem", {"TableName": name, "Item": item, "ReturnConsumedCapacity": "TOTAL"})
        body = {"TableName": name, "Key": {"pk": item["pk"], "sk": item["sk"]}, "ReturnConsumedCapacity": "TOTAL"}
        asks.ask("sizes/edge", "GetItem", {**body, "ConsistentRead": True})
        asks.ask("sizes/edge", "GetItem", body)
    for kind, length in (("S", 2048), ("S", 2049), ("B", 2048), ("B", 2049)):
        keyed = made(asks, table(f"keyed-{kind}-{length}", "pk", "sk", pk=kind, sk=kind))
        for pk, sk in ((length, 10), (10, length // 2), (10, 1025)):
            content = {
                attribute: {kind: "x" * size if kind == "S" else binary(rng, size)}
                for attribute, size in (("pk", pk), ("sk", sk))
            }
            asks.ask("sizes/key", "PutItem", {"TableName": keyed, "Item": content, "ReturnConsumedCapacity": "TOTAL"})
            asks.ask("sizes/key", "GetItem", {"TableName": keyed, "Key": content})
            asks.ask("sizes/key", "DeleteItem", {"TableName": keyed, "Key": content})


UPDATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("SET a = :s", (":s",)),
    ("SET a = :s, b = :n", (":s", ":n")),
    ("SET n = n + :one", (":one",)),
    ("SET n = :one - n", (":one",)),
    ("SET n = if_not_exists(n, :one) + :one", (":one",)),
    ("SET l = list_append(l, :l)", (":l",)),
    ("SET l = list_append(if_not_exists(l, :l), :l)", (":l",)),
    ("SET l[0] = :s", (":s",)),
    ("SET l[7] = :s", (":s",)),
    ("SET m.k = :s", (":s",)),
    ("SET m.deep.k = :s", (":s",)),
    ("SET m = :m", (":m",)),
    ("SET a = m.k", ()),
    ("SET filler = :big", (":big",)),
    ("REMOVE a", ()),
    ("REMOVE a, b, absent", ()),
    ("REMOVE l[0]", ()),
    ("REMOVE l[0], l[1]", ()),
    ("REMOVE m.k", ()),
    ("REMOVE filler", ()),
    ("ADD n :one", (":one",)),
    ("ADD fresh :one", (":one",)),
    ("ADD ss :ss", (":ss",)),
    ("ADD ns :ns", (":ns",)),
    ("DELETE ss :ss", (":ss",)),
    ("DELETE ns :ns", (":ns",)),
    ("SET a = :s REMOVE b ADD n :one", (":s", ":one")),
    # refused
    ("SET pk = :s", (":s",)),
    ("SET a = :s, a = :s", (":s",)),
    ("SET m = :m, m.k = :s", (":m", ":s")),
    ("SET n = n + :s", (":s",)),
    ("SET n = a + :one", (":one",)),
    ("SET a = absent", ()),
    ("SET absent.k = :s", (":s",)),
    ("SET a = :unknown", (":s",)),
    ("SET a = :s", (":s", ":n")),
    ("SET #x = :s", (":s",)),
    ("SET a = ", ()),
    ("SETT a = :s", (":s",)),
    ("SET a = :s SET b = :s", (":s",)),
    ("SET name = :s", (":s",)),
    ("SET size = :s", (":s",)),
    ("SET l = list_append(a, :l)", (":l",)),
    ("ADD a :one", (":one",)),
    ("ADD a :s", (":s",)),
    ("DELETE n :one", (":one",)),
    ("DELETE a :ss", (":ss",)),
    ("ADD ss :ns", (":ns",)),
    ("", ()),
)


def updates(asks: Asks, seed: int) -> None:
    """UpdateItem expressions, on items that have what they name and on such as do not exist."""
    rng = random.Random(f"updates {seed}")
    name = made(asks, table("updates", "pk"))
    given: dict[str, Callable[[], Value]] = {
        ":s": lambda: {"S": text(rng, rng.choice((1, 10, 900, 1100)))},
        ":n": lambda: {"N": number(rng)},
        ":one": lambda: {"N": str(rng.randint(-50, 50))},
        ":l": lambda: {"L": [{"S": text(rng, 5)}, {"N": "5"}]},
        ":m": lambda: {"M": {"k": {"S": text(rng, 5)}, "deep": {"M": {}}}},
        ":ss": lambda: {"SS": ["red", text(rng, 3)]},
        ":ns": lambda: {"NS": ["1", "22"]},
        ":big": lambda: {"S": "x" * rng.randint(1, 6000)},
    }
    for _ in range(6):
        for expression, values_named in UPDATES:
            key: Item = {"pk": {"S": text(rng, 10)}}
            if rng.random() < 0.8:
                item = {
                    **key,
                    "a": {"S": "alpha"},
                    "b": {"BOOL": True},
                    "n": {"N": "41"},
                    "l": {"L": [{"S": "first"}, {"N": "2"}, {"NULL": True}]},
                    "m": {"M": {"k": {"S": "v"}, "deep": {"M": {"k": {"N": "1"}}}}},
                    "ss": {"SS": ["green", "red"]},
                    "ns": {"NS": ["1", "3"]},
                    "filler": {"S": "x" * rng.choice((10, 800, 900, 1000, 4000))},
                }
                asks.ask("updates/before", "PutItem", {"TableName": name, "Item": item})
            body: dict[str, Any] = {"TableName": name, "Key": key, "UpdateExpression": expression, **detail(rng)}
            if values_named:
                body["ExpressionAttributeValues"] = {value_name: given[value_name]() for value_name in values_named}
            body["ReturnValues"] = rng.choice(("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"))
            asks.ask(f"updates/{expression or 'empty'}", "UpdateItem", body)
            asks.ask("updates/after", "GetItem", {"TableName": name, "Key": key, "ReturnConsumedCapacity": "TOTAL"})
    for returned in ("UPDATED_NEW", "ALL_NEW", "UPDATED_OLD", "ALL_OLD"):
        body = {
            "TableName": name,
            "Key": {"pk": {"S": text(rng, 10)}},
            "UpdateExpression": "SET a = :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
            "ReturnValues": returned,
        }
        asks.ask("updates/create", "UpdateItem", body)
    for body in ({}, {"ReturnValues": "ALL_NEW"}):
        key = {"pk": {"S": text(rng, 10)}}
        request = {"TableName": name, "Key": key, "ReturnConsumedCapacity": "TOTAL", **body}
        asks.ask("updates/no-expression", "UpdateItem", request)
        asks.ask("updates/after", "GetItem", {"TableName": name, "Key": key})


CONDITIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("attribute_exists(pk)", ()),
    ("attribute_not_exists(pk)", ()),
    ("attribute_exists(m.k)", ()),
    ("attribute_exists(l[1])", ()),
    ("attribute_exists(l[9])", ()),
    ("attribute_type(a, :type)", (":type",)),
    ("begins_with(a, :al)", (":al",)),
    ("contains(a, :al)", (":al",)),
    ("contains(ss, :red)", (":red",)),
    ("contains(l, :red)", (":red",)),
    ("size(a) > :n", (":n",)),
    ("size(l) = :n", (":n",)),
    ("n BETWEEN :n AND :big", (":n", ":big")),
    ("n IN (:n, :big)", (":n", ":big")),
    ("n = :n", (":n",)),
    ("n <> :n", (":n",)),
    ("n < :n", (":n",)),
    ("n >= :n", (":n",)),
    ("a > :n", (":n",)),
    ("absent = :n", (":n",)),
    ("absent <> :n", (":n",)),
    ("NOT n = :n", (":n",)),
    ("n = :n OR a = :al AND b = :true", (":n", ":al", ":true")),
    ("(n = :n OR a = :al) AND b = :true", (":n", ":al", ":true")),
    ("a = b", ()),
    ("m.k = :al", (":al",)),
    # refused
    ("n = ", ()),
    ("n == :n", (":n",)),
    ("n = :unknown", (":n",)),
    ("n = :n", (":n", ":al")),
    ("#x = :n", (":n",)),
    ("attribute_type(a, :al)", (":al",)),
    ("begins_with(a, :n)", (":n",)),
    ("n BETWEEN :big AND :n", (":n", ":big")),
    ("n BETWEEN :n AND :al", (":n", ":al")),
    ("n > :true", (":true",)),
    ("size(n) AND n = :n", (":n",)),
    ("unknown_function(a)", ()),
    ("attribute_exists(:n)", (":n",)),
    ("name = :al", (":al",)),
    ("", ()),
)


def conditions(asks: Asks, seed: int) -> None:
    """Conditions on the three writes, met and not met, on items that are there and on such as are not."""
    rng = random.Random(f"conditions {seed}")
    name = made(asks, table("conditions", "pk"))
    given: dict[str, Value] = {
        ":type": {"S": "S"},
        ":al": {"S": "al"},
        ":red": {"S": "red"},
        ":n": {"N": "3"},
        ":big": {"N": "99"},
        ":true": {"BOOL": True},
    }
    for _ in range(4):
        for expression, values_named in CONDITIONS:
            key: Item = {"pk": {"S": text(rng, 10)}}
            item = {
                **key,
                "a": {"S": rng.choice(("alpha", "al", "omega"))},
                "b": {"BOOL": True},
                "n": {"N": rng.choice(("3", "41"))},
                "l": {"L": [{"S": "red"}, {"N": "2"}, {"NULL": True}]},
                "m": {"M": {"k": {"S": "al"}}},
                "ss": {"SS": ["green", "red"]},
            }
            if rng.random() < 0.7:
                asks.ask("conditions/before", "PutItem", {"TableName": name, "Item": item})
            operation = rng.choice(("PutItem", "UpdateItem", "DeleteItem"))
            body: dict[str, Any] = {"TableName": name, "ConditionExpression": expression, **detail(rng)}
            if values_named:
                body["ExpressionAttributeValues"] = {value_name: given[value_name] for value_name in values_named}
            if operation == "PutItem":
                body["Item"] = item
            else:
                body["Key"] = key
            if operation == "UpdateItem":
                body["UpdateExpression"] = "REMOVE absent"
            asks.ask(f"conditions/{expression or 'empty'}", operation, body)
            asks.ask("conditions/after", "GetItem", {"TableName": name, "Key": key})


def reads(asks: Asks, seed: int) -> None:
    """Query and Scan: key conditions, order, limits and pages of them, filters, projections, counts."""
    rng = random.Random(f"reads {seed}")
    for sort_type in "SNB":
        name = made(asks, table(f"reads-{sort_type}", "pk", "sk", sk=sort_type))
        keys: list[Value] = []
        for place in range(60):
            sort: dict[str, Callable[[], Value]] = {
                "S": lambda: {"S": rng.choice("abc") + text(rng, rng.randint(0, 4))},
                "N": lambda: {"N": number(rng)},
                "B": lambda: {"B": binary(rng, rng.randint(1, 5))},
            }
            keys.append(sort[sort_type]())
            item: Item = {"pk": {"S": "one"}, "sk": keys[-1], "n": {"N": str(place)}, "filler": {"S": text(rng, 300)}}
            if rng.random() < 0.5:
                item["color"] = {"S": rng.choice(("red", "green"))}
            asks.ask("reads/before", "PutItem", {"TableName": name, "Item": item})
        for _ in range(120):
            body = query_of(rng, name, keys)
            case = "reads/query"
            pages = 0
            while True:
                answer = asks.ask(case, "Query", body)
                pages += 1
                if "LastEvaluatedKey" not in answer or pages == 4:
                    break
                case, body = "reads/query-next", {**body, "ExclusiveStartKey": answer["LastEvaluatedKey"]}
        for _ in range(60):
            body = {"TableName": name, **detail(rng), **options_of(rng)}
            strength = "strong" if body["ConsistentRead"] else "eventual"
            case = f"reads/scan-{strength}"
            pages = 0
            while True:
                answer = asks.ask(case, "Scan", body)
                pages += 1
                if "LastEvaluatedKey" not in answer or pages == 4:
                    break
                case, body = f"reads/scan-next-{strength}", {**body, "ExclusiveStartKey": answer["LastEvaluatedKey"]}
        nobody = {
            "TableName": name,
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "nobody"}},
            "ReturnConsumedCapacity": "TOTAL",
        }
        asks.ask("reads/query-nothing", "Query", nobody)
        asks.ask("reads/query-nothing", "Query", {**nobody, "ConsistentRead": True})
    empty = made(asks, table("reads-empty", "pk"))
    for detail_name in ("TOTAL", "INDEXES"):
        asks.ask("reads/scan-empty-eventual", "Scan", {"TableName": empty, "ReturnConsumedCapacity": detail_name})


def query_of(rng: random.Random, name: str, keys: list[Value]) -> dict[str, Any]:
    """A Query on the collection ``one``."""
    low, high = rng.sample(keys, 2)
    kind = next(iter(low))
    if kind == "N" and float(low["N"]) > float(high["N"]):
        low, high = high, low
    if kind == "B" and base64.b64decode(low["B"]) > base64.b64decode(high["B"]):
        low, high = high, low
    if kind == "S" and low["S"] > high["S"]:
        low, high = high, low
    given: dict[str, Value] = {":p": {"S": "one"}}
    condition = "pk = :p"
    shape = rng.choice(("", "=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"))
    if shape == "BETWEEN":
        condition += " AND sk BETWEEN :low AND :high"
        given |= {":low": low, ":high": high}
    elif shape == "begins_with" and kind == "S":
        condition += " AND begins_with(sk, :low)"
        given[":low"] = {"S": low["S"][:2]}
    elif shape and shape != "begins_with":
        condition += f" AND sk {shape} :low"
        given[":low"] = low
    body: dict[str, Any] = {"TableName": name, "KeyConditionExpression": condition, **options_of(rng), **detail(rng)}
    if rng.random() < 0.4:
        body["ScanIndexForward"] = rng.random() < 0.5
    body["ExpressionAttributeValues"] = {**given, **body.get("ExpressionAttributeValues", {})}
    return body


def options_of(rng: random.Random) -> dict[str, Any]:
    """What Query and Scan have in common."""
    body: dict[str, Any] = {"ConsistentRead": rng.random() < 0.5}
    if rng.random() < 0.5:
        body["Limit"] = rng.choice((1, 2, 7, 13, 40, 60, 61))
    if rng.random() < 0.4:
        expression, given = rng.choice(
            (
                ("color = :f", {":f": {"S": "red"}}),
                ("attribute_exists(color)", {}),
                ("n > :f", {":f": {"N": "30"}}),
                ("n BETWEEN :f AND :g", {":f": {"N": "10"}, ":g": {"N": "20"}}),
                ("color = :f AND NOT n < :g", {":f": {"S": "green"}, ":g": {"N": "20"}}),
            )
        )
        body["FilterExpression"] = expression
        if given:
            body["ExpressionAttributeValues"] = given
    shape = rng.random()
    if shape < 0.25:
        body["Select"] = "COUNT"
    elif shape < 0.5:
        body["ProjectionExpression"] = rng.choice(("n", "pk, sk", "color, n", "#c, absent", "filler"))
        if "#c" in body["ProjectionExpression"]:
            body["ExpressionAttributeNames"] = {"#c": "color"}
    return body


def pages(asks: Asks, seed: int) -> None:
    """Collections of more than 1 MB: where the page ends and what it costs."""
    rng = random.Random(f"pages {seed}")
    collections = ((25, 41_500), (25, 41_943), (25, 41_944), (30, 38_000), (8, 380_000), (300, 4_000), (1100, 1_000))
    for count, size in collections:
        name = made(asks, table(f"pages-{size}", "pk", "sk"))
        for number_ in range(count):
            # pk 2 + 1, sk 2 + 5, v 1
            item = {"pk": {"S": "p"}, "sk": {"S": f"{number_:05}"}, "v": {"S": "x" * (size - 11)}}
            asks.ask("pages/before", "PutItem", {"TableName": name, "Item": item})
        for operation in ("Query", "Scan"):
            for consistent in (True, False):
                strength = "strong" if consistent else "eventual"
                body: dict[str, Any] = {
                    "TableName": name,
                    "ConsistentRead": consistent,
                    "ReturnConsumedCapacity": rng.choice(("TOTAL", "INDEXES")),
                    "Select": "COUNT",
                }
                if operation == "Query":
                    body["KeyConditionExpression"] = "pk = :p"
                    body["ExpressionAttributeValues"] = {":p": {"S": "p"}}
                for _ in range(4):
                    answer = asks.ask(f"pages/{count}-of-{size}-{strength}", operation, body)
                    if "LastEvaluatedKey" not in answer:
                        break
                    body = {**body, "ExclusiveStartKey": answer["LastEvaluatedKey"]}


def indexes(asks: Asks, seed: int) -> None:
    """Tables with global and local indexes: what writes cost, and reads of the indexes."""
    rng = random.Random(f"indexes {seed}")
    request = table("indexed", "pk", "sk", g="S", r="N")
    request["GlobalSecondaryIndexes"] = [
        index("g-all", "g", "r"),
        index("g-keys", "g", projection="KEYS_ONLY"),
        index("g-some", "g", projection="INCLUDE", include=("a",)),
    ]
    request["LocalSecondaryIndexes"] = [
        index("l-all", "pk", "r"),
        index("l-keys", "pk", "r", projection="KEYS_ONLY"),
        index("l-some", "pk", "r", projection="INCLUDE", include=("a",)),
    ]
    name = made(asks, request)
    keys: list[Item] = []
    for place in range(120):
        key: Item = {"pk": {"S": rng.choice(("one", "two"))}, "sk": {"S": f"{place:03}"}}
        keys.append(key)
        item = {**key, "a": {"S": text(rng, 5)}, "filler": {"S": "x" * rng.choice((10, 900, 1000, 2000))}}
        if rng.random() < 0.8:
            item["g"] = {"S": rng.choice(("red", "green"))}
        if rng.random() < 0.8:
            item["r"] = {"N": str(place)}
        asks.ask("indexes/put", "PutItem", {"TableName": name, "Item": item, **detail(rng)})
    for expression, given in (
        ("SET g = :v", {":v": {"S": "blue"}}),
        ("SET g = :v", {":v": {"S": "red"}}),
        ("SET r = :v", {":v": {"N": "0"}}),
        ("REMOVE g", {}),
        ("REMOVE r", {}),
        ("SET a = :v", {":v": {"S": "new"}}),
        ("SET filler = :v", {":v": {"S": "short"}}),
        ("SET unseen = :v", {":v": {"BOOL": True}}),
    ):
        for key in rng.sample(keys, 6):
            body: dict[str, Any] = {"TableName": name, "Key": key, "UpdateExpression": expression, **detail(rng)}
            if given:
                body["ExpressionAttributeValues"] = given
            if given.get(":v", {}).get("N") == "0":
                # No two entries of an index with the same sort key: the order of such is nobody's contract.
                body["ExpressionAttributeValues"] = {":v": {"N": f"{rng.randrange(1000, 10**9)}"}}
            asks.ask("indexes/update", "UpdateItem", body)
    for key in rng.sample(keys, 20):
        asks.ask("indexes/delete", "DeleteItem", {"TableName": name, "Key": key, **detail(rng)})
    for index_name in ("g-all", "g-keys", "g-some", "l-all", "l-keys", "l-some", "nowhere"):
        for pk in ("red", "green", "nothing") if index_name.startswith("g") else ("one", "two", "nothing"):
            hash_name = "pk" if index_name.startswith("l") else "g"
            for _ in range(4):
                unordered = False
                body = {
                    "TableName": name,
                    "IndexName": index_name,
                    "KeyConditionExpression": f"{hash_name} = :p",
                    "ExpressionAttributeValues": {":p": {"S": pk}},
                    **detail(rng),
                }
                if index_name != "g-keys" and index_name != "g-some" and rng.random() < 0.5:
                    body["KeyConditionExpression"] += " AND r > :r"
                    body["ExpressionAttributeValues"][":r"] = {"N": str(rng.randint(0, 100))}
                elif index_name in ("g-keys", "g-some"):
                    unordered = True  # no sort key
                if rng.random() < 0.3 and not unordered:
                    body["Limit"] = rng.choice((1, 5, 20))
                if rng.random() < 0.5:
                    body["Select"] = rng.choice(("ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT"))
                if rng.random() < 0.3 and not index_name.startswith("g"):
                    body["ConsistentRead"] = True
                if body.get("Select") == "ALL_ATTRIBUTES" and index_name in ("l-keys", "l-some"):
                    del body["Select"]  # see query-fetching
                asks.ask(f"indexes/query-{index_name}", "Query", body, unordered=unordered)
        asks.ask(
            f"indexes/scan-{index_name}-eventual", "Scan", {"TableName": name, "IndexName": index_name, **detail(rng)}
        )

    for index_name in ("l-keys", "l-some"):
        body = {
            "TableName": name,
            "IndexName": index_name,
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": "one"}},
            "Select": "ALL_ATTRIBUTES",
            "ReturnConsumedCapacity": "INDEXES",
        }
        asks.ask("indexes/query-fetching", "Query", body)
        asks.ask("indexes/query-fetching", "Query", {**body, "ConsistentRead": True})
    body = {
        "TableName": name,
        "IndexName": "g-some",
        "KeyConditionExpression": "g = :p",
        "ExpressionAttributeValues": {":p": {"S": "red"}},
    }
    asks.ask("indexes/query-strong", "Query", {**body, "ConsistentRead": True})
    asks.ask("indexes/query-all", "Query", {**body, "Select": "ALL_ATTRIBUTES"})


def index_refusals(asks: Asks, seed: int) -> None:
    """Values that an index cannot take as its keys."""
    request = table("index-refusals", "pk", g="S", r="N")
    request["GlobalSecondaryIndexes"] = [index("g-all", "g", "r")]
    name = made(asks, request)
    key: Item = {"pk": {"S": "a"}}
    for wrong in (
        {"g": {"N": "1"}},
        {"r": {"S": "1"}},
        {"g": {"S": ""}},
        {"g": {"NULL": True}},
        {"g": {"S": "x" * 2049}},
    ):
        (attribute, content), *_ = wrong.items()
        asks.ask("index_refusals/put", "PutItem", {"TableName": name, "Item": {**key, **wrong}})
        entries = [{"PutRequest": {"Item": {**key, **wrong}}}]
        asks.ask("index_refusals/batch", "BatchWriteItem", {"RequestItems": {name: entries}})
        update = {"UpdateExpression": f"SET {attribute} = :v", "ExpressionAttributeValues": {":v": content}}
        asks.ask("index_refusals/update", "UpdateItem", {"TableName": name, "Key": key, **update})


def batches(asks: Asks, seed: int) -> None:
    """BatchWriteItem and BatchGetItem over two tables, and what they refuse."""
    rng = random.Random(f"batches {seed}")
    names = [made(asks, table("batch-one", "pk")), made(asks, table("batch-two", "pk"))]
    for _ in range(80):
        request: dict[str, list[Any]] = {}
        written: dict[str, list[Item]] = {}
        for place in range(rng.randint(1, 25)):
            target = rng.choice(names)
            key: Item = {"pk": {"S": f"{text(rng, 5)}{place}"}}
            if rng.random() < 0.8:
                item = {**key, "filler": {"S": "x" * rng.choice((1, 500, 1010, 1030, 3500, 4100))}}
                entry: dict[str, Any] = {"PutRequest": {"Item": item}}
            else:
                entry = {"DeleteRequest": {"Key": key}}
            request.setdefault(target, []).append(entry)
            written.setdefault(target, []).append(key)
        asks.ask("batches/write", "BatchWriteItem", {"RequestItems": request, **detail(rng)})
        wanted = {
            target: {"Keys": keys, "ConsistentRead": rng.random() < 0.5} for target, keys in sorted(written.items())
        }
        asks.ask("batches/get", "BatchGetItem", {"RequestItems": wanted, **detail(rng)})
    one = names[0]

    def put(key: str, **more: Value) -> dict[str, Any]:
        return {"PutRequest": {"Item": {"pk": {"S": key}, **more}}}

    def delete(key: str) -> dict[str, Any]:
        return {"DeleteRequest": {"Key": {"pk": {"S": key}}}}

    for case, entries in (
        ("twenty-six", [put(str(place)) for place in range(26)]),
        ("none", []),
        ("duplicate", [put("a"), put("a", more={"N": "1"})]),
        ("duplicate", [put("a"), delete("a")]),
        ("empty-entry", [{}]),
        ("both", [{**put("a"), **delete("a")}]),
        ("no-key", [{"PutRequest": {"Item": {"other": {"S": "a"}}}}]),
        ("key-type", [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}]),
        ("empty-key", [put("")]),
        ("wrong-key", [{"DeleteRequest": {"Key": {"other": {"S": "a"}}}}]),
        ("extra-key", [{"DeleteRequest": {"Key": {"pk": {"S": "a"}, "other": {"S": "a"}}}}]),
        ("too-large", [put("a", filler={"S": "x" * 409_600})]),
        ("wrong-number", [put("a", n={"N": "one"})]),
    ):
        asks.ask(f"batches/write-{case}", "BatchWriteItem", {"RequestItems": {one: entries}})
    for case, keys in (
        ("hundred-and-one", [{"pk": {"S": str(place)}} for place in range(101)]),
        ("none", []),
        ("duplicate", [{"pk": {"S": "a"}}, {"pk": {"S": "a"}}]),
        ("wrong-key", [{"other": {"S": "a"}}]),
        ("key-type", [{"pk": {"N": "1"}}]),
        ("extra-key", [{"pk": {"S": "a"}, "other": {"S": "a"}}]),
        ("empty-key", [{"pk": {"S": ""}}]),
    ):
        asks.ask(f"batches/get-{case}", "BatchGetItem", {"RequestItems": {one: {"Keys": keys}}})
    for operation, content in (("BatchWriteItem", [put("a")]), ("BatchGetItem", {"Keys": [{"pk": {"S": "a"}}]})):
        asks.ask("batches/no-table", operation, {"RequestItems": {"no-such-table": content}})
        asks.ask("batches/short-name", operation, {"RequestItems": {"ab": content}})
        asks.ask("batches/nothing", operation, {"RequestItems": {}})
        asks.ask("batches/nothing", operation, {})


def refusals(asks: Asks, seed: int) -> None:
    """Requests on items that the service refuses: codes and messages."""
    name = made(asks, table("refusals", "pk", "sk"))
    good: Item = {"pk": {"S": "a"}, "sk": {"S": "b"}}
    for case, item in (
        ("no-sort-key", {"pk": {"S": "a"}}),
        ("no-key", {"v": {"S": "a"}}),
        ("nothing", {}),
        ("key-type", {**good, "sk": {"N": "1"}}),
        ("empty-key", {**good, "pk": {"S": ""}}),
        ("empty-key", {**good, "sk": {"S": ""}}),
        ("empty-value", {**good, "v": {}}),
        ("two-types", {**good, "v": {"S": "a", "N": "1"}}),
        ("unknown-type", {**good, "v": {"X": "a"}}),
        ("null-false", {**good, "v": {"NULL": False}}),
        ("empty-set", {**good, "v": {"SS": []}}),
        ("empty-set", {**good, "v": {"NS": []}}),
        ("empty-set", {**good, "v": {"BS": []}}),
        ("duplicates", {**good, "v": {"SS": ["a", "a"]}}),
        ("duplicates", {**good, "v": {"NS": ["1", "1"]}}),
        ("duplicates-equal", {**good, "v": {"NS": ["1", "1.0"]}}),
        ("duplicates", {**good, "v": {"BS": ["Yg==", "Yg=="]}}),
        ("no-number", {**good, "v": {"N": "one"}}),
        ("no-number", {**good, "v": {"N": ""}}),
        ("no-number", {**good, "v": {"NS": ["1", "b"]}}),
        ("no-number", {**good, "v": {"N": "NaN"}}),
        ("no-number", {**good, "v": {"N": "Infinity"}}),
        ("overflow", {**good, "v": {"N": "1e126"}}),
        ("overflow", {**good, "v": {"N": "-1e126"}}),
        ("underflow", {**good, "v": {"N": "1e-131"}}),
        ("digits", {**good, "v": {"N": "1" * 39}}),
        ("nested", {**good, "v": {"M": {"x": {"L": [{"N": "one"}]}}}}),
        ("deep", {**good, "v": deep(32)}),
        ("deep", {**good, "v": deep(31)}),
        ("deep", {**good, "v": deep(33)}),
        ("too-large", {**good, "v": {"S": "x" * 409_600}}),
        ("empty-string", {**good, "v": {"S": ""}}),
        ("empty-string", {**good, "v": {"SS": ["", "a"]}}),
        ("empty-string", {**good, "": {"S": "a"}}),
    ):
        asks.ask(f"refusals/put-{case}", "PutItem", {"TableName": name, "Item": item})
    for case, key in (
        ("no-sort-key", {"pk": {"S": "a"}}),
        ("nothing", {}),
        ("extra", {**good, "v": {"S": "a"}}),
        ("other", {"pk": {"S": "a"}, "v": {"S": "a"}}),
        ("key-type", {**good, "sk": {"N": "1"}}),
        ("empty-key", {**good, "pk": {"S": ""}}),
        ("empty-value", {**good, "sk": {}}),
        ("no-number", {**good, "sk": {"N": "one"}}),
    ):
        for operation in ("GetItem", "DeleteItem", "UpdateItem"):
            asks.ask(f"refusals/key-{case}", operation, {"TableName": name, "Key": key})
    bodies: dict[str, dict[str, Any]] = {
        "GetItem": {"Key": good},
        "DeleteItem": {"Key": good},
        "UpdateItem": {"Key": good, "UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"S": "a"}}},
        "PutItem": {"Item": good},
        "Query": {"KeyConditionExpression": "pk = :v", "ExpressionAttributeValues": {":v": {"S": "a"}}},
        "Scan": {},
    }
    for operation, body in bodies.items():
        body = {"TableName": name, **body}
        asks.ask("refusals/no-table", operation, {**body, "TableName": "no-such-table"})
        for wrong in ("", "ab", "x" * 256, "a b c"):
            asks.ask("refusals/table-name", operation, {**body, "TableName": wrong})
        asks.ask("refusals/no-table-name", operation, {key: part for key, part in body.items() if key != "TableName"})
        for needed in ("Key", "Item"):
            if needed in body:
                asks.ask(f"refusals/no-{needed}", operation, {k: part for k, part in body.items() if k != needed})
        asks.ask("refusals/detail", operation, {**body, "ReturnConsumedCapacity": "ALL"})
        asks.ask("refusals/detail", operation, {**body, "ReturnConsumedCapacity": "total"})
        if operation in ("DeleteItem", "UpdateItem", "PutItem"):
            asks.ask("refusals/return-values", operation, {**body, "ReturnValues": "SOME"})
            asks.ask("refusals/return-values", operation, {**body, "ReturnValues": "ALL_NEW"})
        if operation in ("GetItem", "Query", "Scan"):
            for expression in ("", "a,,b", "a, a", "a, a.b", "name", "a b", "#x", "1a", ":v"):
                asks.ask("refusals/projection", operation, {**body, "ProjectionExpression": expression})
        for wrong_names in ({}, {"#x": "unused"}, {"x": "pk"}, {"#x": ""}):
            asks.ask("refusals/names", operation, {**body, "ExpressionAttributeNames": wrong_names})
        if operation in ("Query", "Scan"):
            for limit in (0, -1):
                asks.ask("refusals/limit", operation, {**body, "Limit": limit})
            asks.ask("refusals/select", operation, {**body, "Select": "SOME"})
            asks.ask("refusals/select", operation, {**body, "Select": "SPECIFIC_ATTRIBUTES"})
            asks.ask("refusals/select", operation, {**body, "Select": "ALL_PROJECTED_ATTRIBUTES"})
            asks.ask("refusals/select", operation, {**body, "Select": "COUNT", "ProjectionExpression": "a"})
            asks.ask("refusals/index", operation, {**body, "IndexName": "nowhere"})
            asks.ask("refusals/filter", operation, {**body, "FilterExpression": ""})
            asks.ask("refusals/filter", operation, {**body, "FilterExpression": "a ="})
            for start in ({"pk": {"S": "a"}}, {"pk": {"S": "a"}, "sk": {"N": "1"}}, {**good, "v": {"S": "a"}}):
                asks.ask("refusals/start-key", operation, {**body, "ExclusiveStartKey": start})
    scan = {"TableName": name}
    for segment, total in ((0, 0), (1, 1), (2, 1), (-1, 2), (0, 1_000_001), (None, 2), (0, None)):
        parts = {"Segment": segment, "TotalSegments": total}
        asks.ask("refusals/segments", "Scan", scan | {key: part for key, part in parts.items() if part is not None})
    for condition, given in (
        ("sk = :v", {":v": {"S": "a"}}),
        ("pk > :v", {":v": {"S": "a"}}),
        ("pk = :v", {":v": {"N": "1"}}),
        ("pk = :v AND v = :v", {":v": {"S": "a"}}),
        ("pk = :v AND sk <> :v", {":v": {"S": "a"}}),
        ("pk = :v OR sk = :v", {":v": {"S": "a"}}),
        ("pk = :v AND sk = :v AND sk = :v", {":v": {"S": "a"}}),
        ("pk = :v AND NOT sk = :v", {":v": {"S": "a"}}),
        ("pk = :v AND sk IN (:v)", {":v": {"S": "a"}}),
        ("pk = :v AND contains(sk, :v)", {":v": {"S": "a"}}),
        ("pk = :v AND sk BETWEEN :w AND :v", {":v": {"S": "a"}, ":w": {"S": "b"}}),
        ("pk = :v AND begins_with(sk, :w)", {":v": {"S": "a"}, ":w": {"N": "1"}}),
        ("pk = :w", {":v": {"S": "a"}}),
        ("pk = :v", {":v": {"S": "a"}, ":w": {"S": "b"}}),
        ("pk = :v", {}),
        ("pk = :v", {":v": {"S": ""}}),
        ("", {":v": {"S": "a"}}),
    ):
        body = {"TableName": name, "KeyConditionExpression": condition, "ExpressionAttributeValues": given}
        asks.ask(f"refusals/query {condition}", "Query", body)
    asks.ask("refusals/no-condition", "Query", {"TableName": name})
    filtered = {**bodies["Query"], "TableName": name, "FilterExpression": "sk = :v"}
    asks.ask("refusals/filter-on-key", "Query", filtered)


def deep(levels: int) -> Value:
    """A string inside that many lists."""
    content: Value = {"S": "x"}
    for _ in range(levels):
        content = {"L": [content]}
    return content


def transport(asks: Asks, seed: int) -> None:
    """What is refused before an operation begins: text that is no JSON, members of the wrong type."""
    for broken in ("", "{", "{'TableName': 'a'}", "nul"):
        asks.ask("transport/no-json", "PutItem", broken)
    asks.ask("transport/unknown-operation", "NoSuchThing", {})
    asks.ask("transport/unknown-operation", "putItem", {})
    wrongs: tuple[Any, ...] = (True, 1, 1.5, "text", [], {}, ["text"], [{}], {"a": "text"}, {"a": []}, {"a": 1})
    members: dict[str, tuple[str, ...]] = {
        "CreateTable": ("TableName", "KeySchema", "AttributeDefinitions", "ProvisionedThroughput", "BillingMode"),
        "PutItem": ("TableName", "Item", "ReturnConsumedCapacity", "ExpressionAttributeNames"),
        "GetItem": ("TableName", "Key", "ConsistentRead", "ProjectionExpression"),
        "UpdateItem": ("Key", "UpdateExpression", "ExpressionAttributeValues"),
        "Query": ("Limit", "ScanIndexForward", "KeyConditionExpression", "ExclusiveStartKey"),
        "BatchWriteItem": ("RequestItems",),
        "BatchGetItem": ("RequestItems",),
    }
    for operation, names in members.items():
        for name in names:
            for wrong in wrongs:
                asks.ask(f"transport/type-of-{name}", operation, {name: wrong})
    for kind in ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"):
        for wrong in wrongs:
            body = {"TableName": "no-such-table", "Item": {"pk": {kind: wrong}}}
            asks.ask(f"transport/type-of-value-{kind}", "PutItem", body)


SCENARIOS: tuple[Callable[[Asks, int], None], ...] = (
    tables,
    values,
    sizes,
    updates,
    conditions,
    reads,
    pages,
    indexes,
    index_refusals,
    batches,
    refusals,
    transport,
)
