"""Exercise 05, write sharding: a suffix that can be read back, how many of them, and reading them all.

Every answer is judged by what it does: to ids, to partitions, or to a table in a fresh lab. The data come
from seeds that no notebook uses.
"""

from __future__ import annotations

import collections
import datetime as dt
import functools
import math
import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn
from unittest import mock

import boto3

from ..live import clock
from ..traffic.workload import sharded_writes
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, a_number
from .verdicts import Verdict, right, wrong

exercise = Exercise("write_sharding")

# ── a: a calculated suffix ──────────────────────────────────────────────────────────────

IDS_PER_KIND = 1_000
FULLEST = 2.0
"""Fair shares that the fullest suffix may get: chance alone gives about 1.5 with 1,000 ids on 40 suffixes."""

_MIDNIGHT = 1_788_652_800_000  # 2026-09-06 in milliseconds since 1970, where the ids made of time begin
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _uuid(draw: random.Random) -> str:
    return str(uuid.UUID(int=draw.getrandbits(128), version=4))


def _ulid(draw: random.Random, milliseconds: int) -> str:
    number = milliseconds << 80 | draw.getrandbits(80)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def _kinds_of_id(draw: random.Random) -> dict[str, list[str]]:
    """Make ids of each kind that the exercise names."""
    count, first = range(IDS_PER_KIND), draw.randrange(20_000, 70_000)
    return {
        "UUIDs": [_uuid(draw) for _ in count],
        "ULIDs": [_ulid(draw, _MIDNIGHT + 3 * i) for i in count],
        "numbers in a row": [str(first + i) for i in count],
        "PED-0000001 and so on": [f"PED-{first + i:07d}" for i in count],
        "milliseconds": [str(_MIDNIGHT + 7 * i) for i in count],
        "ids with ñ, € and 🍊": [f"señal-€{first + i}-🍊" for i in count],
    }


@exercise.question(
    "a",
    asks="Write suffix(order_id, n), then check it: lab.check('write_sharding.a', suffix).",
    hints=(
        "Whoever reads the order back knows its id and n, nothing else. Only these two may decide the suffix.",
        "Turn the id into one big number in which every character counts, then take it modulo n.",
        "A checksum is such a number: zlib.crc32(order_id.encode()). A remainder runs from 0 to n - 1; you "
        "want 1 to n.",
    ),
    value="zlib.crc32(order_id.encode()) % n + 1",
    solution="""
        import zlib

        def suffix(order_id, n):
            return zlib.crc32(order_id.encode()) % n + 1
    """,
    road="A checksum mixes every byte of the id into one number, whatever the ids look like, and is the "
    "same in every process and language. MD5 and SHA-256 spread as evenly and cost a little more time.",
    misconceptions={
        "not_repeatable": "the same order gets different suffixes",
        "salted_hash": "hash() differs from process to process",
        "off_by_one": "the range is off by one",
        "ignores_n": "n is not used",
        "product_formula": "the product of code points",
        "code_point_sum": "the sum of code points",
        "uneven": "one suffix gets too much",
    },
)
def _judge_suffix(answer: Any, learner: Learner) -> Verdict:
    suffix = a_function(answer, "suffix", "order_id", "n")
    kinds = _kinds_of_id(random.Random(41_507))
    few = [id for ids in kinds.values() for id in ids[:25]]
    _must_repeat(suffix, learner, few)
    for n in (10, 1, 2, 40, 200):
        _must_lie_in_range(n, few, learner.each(suffix, [(id, n) for id in few]))
    fullest = 0.0
    for n in (10, 40):
        given = {kind: learner.each(suffix, [(id, n) for id in ids]) for kind, ids in kinds.items()}
        fullest = max(fullest, _must_spread(n, kinds, given))
    return right(
        f"Six kinds of id, {IDS_PER_KIND:,} of each: the fullest suffix never gets more than {fullest:.2f} "
        "times its fair share, and the same id gives the same suffix in any process."
    )


def _must_repeat(suffix: Callable[..., Any], learner: Learner, ids: Sequence[str]) -> None:
    calls = [(id, 10) for id in ids]
    first = learner.each(suffix, calls)
    for id, given in zip(ids, first, strict=True):
        if isinstance(given, bool) or not hasattr(given, "__index__"):
            tip = {type(None): " Is a return missing?", float: " Divide with //, not with /."}.get(type(given), "")
            wrong(WRONG_TYPE, f"suffix({id!r}, 10) gave {type(given).__name__}, not a whole number.{tip}")
    # In another order and as other objects of the same text: neither a turn nor an identity may decide.
    if learner.each(suffix, [("".join(list(id)), 10) for id in reversed(ids)]) != first[::-1]:
        wrong(
            "not_repeatable",
            "The same order id got one suffix in the first call and another in the second. Such keys "
            "spread well, but whoever looks for one order has to ask all n of them. Calculate the suffix "
            "from the id alone.",
        )
    with mock.patch("builtins.hash", lambda value, real=hash: real(("another process", value))):
        elsewhere = learner.each(suffix, calls)
    by_hash = sum(given in (hash(id) % 10, hash(id) % 10 + 1) for id, given in zip(ids, first, strict=True))
    if elsewhere != first or by_hash > 0.95 * len(ids):
        wrong(
            "salted_hash",
            "Python's hash() of a text starts from a number that each process draws anew. The service that "
            "reads would look under another suffix than the one that wrote. Take a checksum or a digest "
            "instead.",
        )


def _must_lie_in_range(n: int, ids: Sequence[str], given: Sequence[Any]) -> None:
    id, number = next(((id, x) for id, x in zip(ids, given, strict=True) if not 1 <= x <= n), ("", 1))
    if not id:
        return
    seen = f"suffix({id!r}, {n}) gave {number}; the suffixes of n = {n} are 1 to {n}."
    if max(given) <= n + 1 and min(given) >= 0:
        wrong("off_by_one", f"{seen} A reader that asks 1 to n misses these orders. x % n runs from 0 to n - 1.")
    wrong("ignores_n", f"{seen} Whatever n is, it says how many suffixes there are.")


def _must_spread(n: int, kinds: Mapping[str, list[str]], given: Mapping[str, list[Any]]) -> float:
    """Return the fullest suffix's load in fair shares, over all kinds; end the judgement if it is too much."""
    fullest = 0.0
    for kind, numbers in given.items():
        counts = collections.Counter(int(number) for number in numbers)
        number = max(range(1, n + 1), key=lambda number: counts[number])
        unused = [number for number in range(1, n + 1) if not counts[number]]
        share = counts[number] / len(numbers)
        if share * n > FULLEST or len(unused) > 1:
            seen = (
                f"Of {len(numbers):,} ids ({kind}) on {n} suffixes, suffix {number} gets {share:.1%}; a fair "
                f"share is {1 / n:.1%}."
            )
            _say_why_uneven(seen, n, kinds, given)
        if unused:
            wrong(
                "off_by_one",
                f"Of {len(numbers):,} ids ({kind}) not one got suffix {unused[0]} of 1 to {n}, while every other "
                "suffix is used. x % n has n values already; with n - 1 one is left out.",
            )
        fullest = max(fullest, share * n)
    return fullest


def _say_why_uneven(seen: str, n: int, kinds: Mapping[str, list[str]], given: Mapping[str, list[Any]]) -> NoReturn:
    pairs = [pair for kind, ids in kinds.items() for pair in zip(ids, given[kind], strict=True)]
    if _is_formula(pairs, lambda id: math.prod(map(ord, id)), n):
        wrong(
            "product_formula",
            f"{seen} A product keeps every factor that it has met: once enough twos and fives are in it, the "
            "remainder is 0 whatever follows. Use something that forgets no character, like a checksum.",
        )
    if _is_formula(pairs, lambda id: sum(map(ord, id)), n):
        wrong(
            "code_point_sum",
            f"{seen} Sums of digits crowd around their middle, as the sum of several dice does. With few "
            "suffixes that hardly shows; with more it does. Try a checksum.",
        )
    wrong("uneven", f"{seen} Which part of the id decides? Let every character count: try a checksum.")


def _is_formula(pairs: Sequence[tuple[str, Any]], formula: Callable[[str], int], n: int) -> bool:
    """Say whether all pairs of id and suffix follow this formula modulo n, or modulo AWS's 200 first.

    Only ASCII ids are looked at: there code points and UTF-8 bytes, both of them ways to write it, are the same.
    """
    return any(
        all(formula(id) % modulus % n + 1 == number for id, number in pairs if id.isascii()) for modulus in (n, 200)
    )


# ── b: how many suffixes ────────────────────────────────────────────────────────────────

ORDERS_PER_SECOND = 1_250
ORDER_BYTES = 1_434
"""1.4 KB, which is charged as 2 write units."""
DAYS = 400
DAYS_WITH_REFUSALS = 12
"""On how many of them the team puts up with refused writes: 3 of 100."""
MOST_QUERIES = 250
"""Queries that reading one day may take, and so the highest N."""


def _refused_shares(n: int) -> list[float]:
    """Return, for each of ``DAYS`` days, the share of writes refused when the day's key has ``n`` suffixes.

    Each day's keys hash to other places, so that each day is another throw of n balls into four partitions.
    """
    days = (dt.date(2026, 9, 6) + dt.timedelta(days=day) for day in range(DAYS))
    return [
        sharded_writes(
            n, item_bytes=ORDER_BYTES, writes_per_second=ORDERS_PER_SECOND, day=f"PEDIDOS#{day}"
        ).refused_share
        for day in days
    ]


@exercise.question(
    "b",
    asks="Set N to a number of suffixes, then check it: lab.check('write_sharding.b', N).",
    hints=(
        "A partition's limit is in write units a second. How many units does one order of 1.4 KB take?",
        "N suffixes fall into 4 partitions like N balls into 4 boxes. With few balls, one box often gets far too many.",
        "A partition may get at most 1,000 of the 2,500 units: 40 % of the suffixes, where 25 % is the "
        "mean. With ten suffixes that fails on three days of ten. Try ten times as many.",
    ),
    value="any N from about 65 to 250; 100 leaves room on both sides",
    solution="N = 100",
    road="1,250 orders of 2 units are 2,500 write units a second, and four partitions admit 4,000 if they "
    "share evenly. They do not: where a suffix lands is chance. Few suffixes make large lumps, many make "
    "small ones.",
    misconceptions={
        "no_sharding": "all orders under one key",
        "forgot_item_size": "the limit counts units, not writes",
        "no_margin": "exactly rate / 1,000",
        "one_per_partition": "N suffixes are not N partitions",
        "too_few": "too few suffixes to spread evenly",
        "too_many": "reading the day back costs too much",
    },
)
def _judge_count(answer: Any, learner: Learner) -> Verdict:
    number = a_number(answer, "N, how many suffixes a day has")
    if not number.is_integer() or number < 1:
        wrong(WRONG_TYPE, f"N is {number:g}; it has to be a whole number from 1 upwards.")
    n = int(number)
    if n > MOST_QUERIES:
        wrong(
            "too_many",
            f"With N = {n:,} each reading of a day takes {n:,} Queries, and each of them costs at least "
            f"0.5 read units even if it finds nothing. The team allows {MOST_QUERIES}; far fewer spread "
            "well enough.",
        )
    shares = _refused_shares(n)
    bad = sum(share > 0 for share in shares)
    seen = f"N = {n}: writes are refused on {bad} of {DAYS} days, on the worst of them {max(shares):.1%}."
    if bad <= DAYS_WITH_REFUSALS:
        return right(f"{seen} Reading a day takes {n} of the {MOST_QUERIES} Queries allowed.")
    misconception, why = _TOO_FEW.get(n, _TOO_FEW_TO_SPREAD)
    wrong(misconception, f"{seen} {why}")


_TOO_FEW = {
    1: ("no_sharding", "One suffix is one key, and one key lives in one partition."),
    2: (
        "forgot_item_size",
        "1,250 writes a second are not 1,250 units: an order of 1.4 KB takes 2, so these are 2,500 units.",
    ),
    3: (
        "no_margin",
        "2,500 / 1,000 leaves each key just under the limit; two keys that meet in one partition exceed it.",
    ),
    4: (
        "one_per_partition",
        "A suffix does not choose its partition, the hash does: four keys fill all four on 9 days of 100.",
    ),
}
_TOO_FEW_TO_SPREAD = (
    "too_few",
    "The hash throws the suffixes into four partitions and the fullest one decides. More throws come out more even.",
)

# ── c: reading a day back ───────────────────────────────────────────────────────────────

SHARDS = 12
_TABLE = "pedidos-de-prueba"
_DAY = "2026-09-06"
_DAY_BEFORE = "2026-09-05"
_LARGE_SHARDS = {5: 30, 8: 16}  # orders of 90 KB: three pages and two, with room on both sides
_PAGES = SHARDS + 2 + 1
_MOST_REQUESTS = 4 * _PAGES
_BUDGET = 150


def _new_table(client: Any) -> None:
    client.create_table(
        TableName=_TABLE,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
        BillingMode="PAY_PER_REQUEST",
    )


def _put(client: Any, day: str, suffix: Any, order_id: str, hora: str, filling: int) -> None:
    item = {"PK": f"PEDIDOS#{day}.{suffix}", "SK": order_id, "hora": hora, "historial": "." * filling}
    client.put_item(TableName=_TABLE, Item={name: {"S": value} for name, value in item.items()})
    clock.advance(seconds=1)  # so slowly that no write is refused


def _time_of(day: str, draw: random.Random) -> str:
    time = dt.datetime.fromisoformat(day) + dt.timedelta(milliseconds=draw.randrange(86_400_000))
    return f"{time.isoformat(timespec='milliseconds')}Z"


def _write_day(client: Any, draw: random.Random) -> dict[str, tuple[int, str]]:
    """Write a day of orders, and one row a suffix of the day before; return suffix and time by order id."""
    rows = {}
    for shard in range(1, SHARDS + 1):
        filling = 90_000 if shard in _LARGE_SHARDS else 300
        for _ in range(_LARGE_SHARDS.get(shard, draw.randrange(4, 9))):
            order_id, hora = _uuid(draw), _time_of(_DAY, draw)
            rows[order_id] = (shard, hora)
            _put(client, _DAY, shard, order_id, hora, filling)
        _put(client, _DAY_BEFORE, shard, _uuid(draw), _time_of(_DAY_BEFORE, draw), 300)
    return rows


@exercise.question(
    "c",
    asks="Write read_day(dynamodb, table, day, n), then check it: lab.check('write_sharding.c', read_day).",
    hints=(
        "Which suffixes does a day have when n is 3? Write them down, from the first to the last.",
        "A Query gives at most 1 MB. If there is more, its answer has a LastEvaluatedKey: hand it to the "
        "next Query as ExclusiveStartKey, until there is none. A paginator does this for you.",
        "Each suffix comes sorted by its sort key, the order id. Sort the whole list by hora when all is there.",
    ),
    value="a Query for every page of every suffix from 1 to n, then one sort by hora; no exception is caught",
    solution="""
        def read_day(dynamodb, table, day, n):
            rows = []
            for number in range(1, n + 1):
                pages = dynamodb.get_paginator("query").paginate(
                    TableName=table,
                    KeyConditionExpression="PK = :pk",
                    ExpressionAttributeValues={":pk": {"S": f"PEDIDOS#{day}.{number}"}},
                )
                for page in pages:
                    rows += page["Items"]
            return sorted(rows, key=lambda row: row["hora"]["S"])
    """,
    road="Scatter: one Query per suffix, every page of it. Gather: one list, sorted once. No exception is "
    "caught, so a refusal that outlives boto3's retries ends the reading instead of shortening its answer.",
    misconceptions={
        "scan": "a Scan reads the whole table",
        "bare_day_key": "the key has no suffix",
        "nothing_read": "no rows came back",
        "not_from_the_table": "the rows are not from the table it was given",
        "other_days": "rows of another day",
        "off_by_one": "the first or the last suffix is never read",
        "fixed_n": "a fixed number of suffixes",
        "lost_suffixes": "some suffixes are never read",
        "one_page": "only the first page of a Query",
        "lost_rows": "some rows are missing",
        "duplicates": "rows that come twice",
        "not_by_time": "the rows are not in order of time",
        "wasteful": "far more requests than pages",
        "swallows_refusals": "a refused Query is passed over in silence",
    },
)
def _judge_reading(answer: Any, learner: Learner) -> Verdict:
    read_day = a_function(answer, "read_day", "dynamodb", "table", "day", "n")
    client = boto3.client("dynamodb")
    _new_table(client)
    written = _write_day(client, random.Random(90_412))
    learner.most_requests = _BUDGET
    answered = learner.call(read_day, client, _TABLE, _DAY, SHARDS)
    units = sum(request.units for request in learner.requests)
    _must_not_scan(learner.requests, units)
    rows = _rows(answered)
    _must_be_the_day(rows, written, learner.requests)
    _must_be_in_order(rows)
    if len(learner.requests) > _MOST_REQUESTS:
        wrong(
            "wasteful",
            f"Every row is there, in order, but it took {len(learner.requests)} requests for {_PAGES} "
            "pages, and each costs at least half a read unit. Ask for the suffixes 1 to n only, and "
            "without a small Limit.",
        )
    clock.advance(seconds=60)
    how = _must_not_swallow(read_day, client, written)
    return right(
        f"All {len(written)} rows of {SHARDS} suffixes, in order of time: {len(learner.requests)} requests, "
        f"{units:g} read units. When one Query was refused, {how}."
    )


def _must_not_scan(requests: Sequence[Request], units: float) -> None:
    if any(request.operation == "Scan" for request in requests):
        wrong(
            "scan",
            f"A Scan pays for every row of the table, here {units:g} read units, and the more days the table "
            "holds, the more it pays. The keys wanted are known: ask for those.",
        )


def _rows(answered: Any) -> list[tuple[str, str]]:
    """Return order id and time of each row, from low-level or plain items."""
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"read_day should return a list of rows; it gave {type(answered).__name__}.")
    rows = []
    for row in answered:
        order_id, hora = _plain(row, "SK"), _plain(row, "hora")
        if not (isinstance(order_id, str) and isinstance(hora, str)):
            what = f"a dict with {', '.join(map(str, row))}" if isinstance(row, dict) else type(row).__name__
            wrong(
                WRONG_TYPE,
                f"Each row should be an item as the table holds it, with PK, SK, hora; one was {what}.",
            )
        rows.append((order_id, hora))
    return rows


def _plain(item: Any, name: str) -> Any:
    value = item.get(name) if isinstance(item, Mapping) else None
    return next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else value


def _must_be_the_day(
    rows: Sequence[tuple[str, str]], written: Mapping[str, tuple[int, str]], requests: Sequence[Request]
) -> None:
    got = collections.Counter(order_id for order_id, _ in rows)
    if not got and _asked_for_bare_day(requests):
        wrong(
            "bare_day_key",
            f"It asked for PEDIDOS#{_DAY}, and nothing is stored under that key. Every row has a suffix: "
            f"PEDIDOS#{_DAY}.1 to PEDIDOS#{_DAY}.{SHARDS}. Ask for each of them.",
        )
    if not got:
        wrong(
            "nothing_read",
            f"The table holds {len(written)} rows of the day; read_day returned none. Their keys are "
            f"PEDIDOS#{_DAY}.1, PEDIDOS#{_DAY}.2 and so on: compare them with the one that it asks for.",
        )
    if not got.keys() & written.keys():
        wrong(
            "not_from_the_table",
            "None of its rows is in the table that it was given. Use the arguments dynamodb, table, day "
            "and n, not what your notebook happens to hold.",
        )
    if got.keys() - written.keys():
        wrong("other_days", f"Some of its rows do not belong to {_DAY}. Ask for the keys of this day only.")
    if written.keys() - got.keys():
        _say_what_is_missing(got.keys() & written.keys(), written)
    twice = sum(count > 1 for count in got.values())
    if twice:
        wrong("duplicates", f"{twice} rows come more than once. Is a page added twice, or a suffix asked twice?")


def _say_what_is_missing(got: set[str], written: Mapping[str, tuple[int, str]]) -> None:
    missing = written.keys() - got
    seen = f"{len(missing)} of {len(written)} rows are missing"
    lost = sorted({shard for shard, _ in written.values()} - {written[order_id][0] for order_id in got})
    if lost in ([1], [SHARDS]):
        wrong(
            "off_by_one",
            f"{seen}: with n = {SHARDS}, nothing of suffix {lost[0]} was read. Suffixes run from 1 to n; "
            "range(n) runs from 0 to n - 1. The rows are stored, and nobody asks for them.",
        )
    if lost and lost == list(range(lost[0], SHARDS + 1)):
        wrong(
            "fixed_n",
            f"{seen}: with n = {SHARDS}, the suffixes from {lost[0]} on were not read. n says how many there are.",
        )
    if lost:
        wrong("lost_suffixes", f"{seen}: nothing was read of suffix {_listed(lost)}. All of 1 to n belong to the day.")
    cut = sorted({written[order_id][0] for order_id in missing})
    first_missing = {shard: min(id for id in missing if written[id][0] == shard) for shard in cut}
    # A Query gives a suffix in order of its sort key, the order id: one page is everything before some id.
    if all(id < first_missing.get(written[id][0], "~") for id in got):
        wrong(
            "one_page",
            f"{seen}, all at the end of suffix {_listed(cut)}. A Query stops at 1 MB and "
            "says so by a LastEvaluatedKey. Go on from there until there is none.",
        )
    wrong("lost_rows", f"{seen}, in suffix {_listed(cut)}. Is every page added to the list?")


def _listed(parts: Sequence[object]) -> str:
    *first, last = map(str, parts)
    return f"{', '.join(first)} and {last}" if first else last


def _asked_for_bare_day(requests: Sequence[Request]) -> bool:
    return any(f"PEDIDOS#{_DAY}" in _texts(request.parameters) for request in requests)


def _texts(value: Any) -> list[str]:
    """Return every text inside a request's parameters."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [text for part in value for text in _texts(part)]
    return [value] if isinstance(value, str) else []


def _must_be_in_order(rows: Sequence[tuple[str, str]]) -> None:
    times = [hora for _, hora in rows]
    late = next((i for i in range(1, len(times)) if times[i] < times[i - 1]), None)
    if late is None:
        return
    if times == sorted(times, reverse=True):
        wrong("not_by_time", "Every row is there, but newest first. The day is wanted oldest first.")
    wrong(
        "not_by_time",
        f"Every row is there, but row {late + 1} is earlier than row {late}. A Query sorts one suffix, and "
        "by order id. Sort the whole list by hora.",
    )


def _must_not_swallow(read_day: Callable[..., Any], client: Any, written: Mapping[str, tuple[int, str]]) -> str:
    """Refuse one request, as after boto3's last retry, and say how the reader took it."""
    asked: list[Request] = []

    def refuse(request: Request) -> str | None:
        asked.append(request)
        return "ThrottlingException" if len(asked) == 4 else None

    attempt = Learner(refuse=refuse, most_requests=_BUDGET).attempt(read_day, client, _TABLE, _DAY, SHARDS)
    if attempt.error is not None:
        return "the exception reached the caller"
    got = {order_id for order_id, _ in _rows(attempt.value)}
    if written.keys() - got:
        wrong(
            "swallows_refusals",
            f"The lab refused one Query even after boto3's retries, and read_day returned {len(got)} of "
            f"{len(written)} rows as if they were the day. Let the exception through, or ask again: a part "
            "must not look like the whole.",
        )
    return "it asked again and lost nothing"


# ── d: the product formula ───────────────────────────────────────────────────────────

UUIDS = 20_000
LOWEST, HIGHEST = 150, 250
MOST_SHARES = 2.0
"""Fair shares that the fullest suffix may get. All primes in the range stay below 1.5, all others exceed 2.3."""


@functools.cache
def _products() -> tuple[int, ...]:
    """Return the product of the code points of each of ``UUIDS`` random UUIDs."""
    draw = random.Random(77_003)
    return tuple(math.prod(map(ord, _uuid(draw))) for _ in range(UUIDS))


def _product_spread(modulus: int) -> tuple[float, int]:
    """Return the fullest suffix's load in fair shares, and how many suffixes are used."""
    counts = collections.Counter(product % modulus for product in _products())
    return max(counts.values()) * modulus / UUIDS, len(counts)


def _factors(number: int) -> list[int]:
    """Return the prime factors of a number, in rising order, each as often as it occurs."""
    for divisor in range(2, math.isqrt(number) + 1):
        if number % divisor == 0:
            return [divisor, *_factors(number // divisor)]
    return [number]


def _who_brings(factors: Sequence[int]) -> str:
    """Name, for each factor that a character of a UUID has, one such character and its code point."""
    brought = {}
    for factor in sorted(set(factors)):
        found = next((character for character in "-0123456789abcdef" if ord(character) % factor == 0), None)
        if found is not None:
            brought[factor] = f"'{found}' ({ord(found)}) brings a {factor}"
    return _listed(list(brought.values()))


@exercise.question(
    "d",
    asks="Set modulus to a whole number from 150 to 250, then check it: lab.check('write_sharding.d', modulus).",
    hints=(
        "200 = 2 · 2 · 2 · 5 · 5. Every factor of 200 is also in some character of a UUID: '2' is 50, '-' is 45.",
        "The product must never collect what divides the modulus. Which numbers have no small factor to be collected?",
        "The characters are '-' (45), '0' to '9' (48 to 57) and 'a' to 'f' (97 to 102). Take a prime above them.",
    ),
    value="any prime from 151 to 241, for example 199",
    solution="modulus = 199",
    road="No code point of a UUID's characters contains a prime above 102, so no product is ever a multiple of it. "
    "Remainder 0, suffix 1, stays empty; the other suffixes share the orders.",
    misconceptions={
        "unchanged": "the formula as it stands",
        "factor_in_common": "the product collects a factor of the modulus",
        "out_of_range": "the team asked for 150 to 250",
    },
)
def _judge_modulus(answer: Any, learner: Learner) -> Verdict:
    number = a_number(answer, "the modulus, from 150 to 250")
    if not number.is_integer():
        wrong(WRONG_TYPE, f"A remainder needs a whole number; modulus is {number:g}.")
    modulus = int(number)
    if not LOWEST <= modulus <= HIGHEST:
        wrong("out_of_range", f"modulus is {modulus:,}; the team wants between {LOWEST} and {HIGHEST} suffixes.")
    fullest, used = _product_spread(modulus)
    factors = _factors(modulus)
    seen = f"{UUIDS:,} UUIDs use {used} of {modulus} suffixes, and the fullest gets {fullest:.2f} times its fair share."
    if fullest <= MOST_SHARES:
        return right(f"{seen} {modulus} has no divisor that a product of these characters could collect.")
    why = f"{modulus} = {' · '.join(map(str, factors))}. {_who_brings(factors)}, and a product keeps what it has."
    wrong("unchanged" if modulus == 200 else "factor_in_common", f"{seen} {why}")


# ── e: one order ────────────────────────────────────────────────────────────────────────

ORDERS = 150
_SUFFIXES = 7
_LOOKED_UP = 25


@exercise.question(
    "e",
    asks="Write get_order(dynamodb, table, day, order_id, n), then check it together with your suffix: "
    "lab.check('write_sharding.e', (suffix, get_order)).",
    hints=(
        "GetItem needs the whole key, PK and SK. SK is the order id; what is PK made of?",
        "The writer used your suffix function from question a. Call the same one.",
        "get_item answers without 'Item' if there is no such order: .get('Item') is None then.",
    ),
    value="one get_item with PK = PEDIDOS#<day>.<suffix(order_id, n)> and SK = the order id",
    solution="""
        import zlib

        def suffix(order_id, n):
            return zlib.crc32(order_id.encode()) % n + 1

        def get_order(dynamodb, table, day, order_id, n):
            key = {"PK": {"S": f"PEDIDOS#{day}.{suffix(order_id, n)}"}, "SK": {"S": order_id}}
            return dynamodb.get_item(TableName=table, Key=key).get("Item")
    """,
    road="The id rebuilds the key, so that an order costs one GetItem, 0.5 read units, whatever N is. With "
    "a random suffix the same question costs up to N requests.",
    misconceptions={
        "scan": "a Scan reads the whole table",
        "random_suffix": "a random suffix cannot be found again",
        "asks_every_suffix": "several requests for one order",
        "reads_the_collection": "all orders of a suffix are read to return one",
        "bare_day_key": "the key has no suffix",
        "key_not_rebuilt": "the key it asks for is not the one written",
        "other_order": "another order comes back",
        "invents": "an order that does not exist",
    },
)
def _judge_lookup(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        wrong(WRONG_TYPE, "This check needs both functions: lab.check('write_sharding.e', (suffix, get_order)).")
    suffix = a_function(answer[0], "suffix", "order_id", "n")
    get_order = a_function(answer[1], "get_order", "dynamodb", "table", "day", "order_id", "n")
    client = boto3.client("dynamodb")
    _new_table(client)
    draw = random.Random(23_118)
    ids = [_uuid(draw) for _ in range(ORDERS)]
    numbers = learner.each(suffix, [(order_id, _SUFFIXES) for order_id in ids])
    for order_id, number in zip(ids, numbers, strict=True):
        _put(client, _DAY, number, order_id, _time_of(_DAY, draw), 1_300)
    wanted = draw.sample(ids, _LOOKED_UP)
    found = learner.each(get_order, [(client, _TABLE, _DAY, order_id, _SUFFIXES) for order_id in wanted])
    asked = list(learner.requests)
    units = sum(request.units for request in asked)
    _must_not_scan(asked, units)
    _must_find(wanted, found, asked, lambda: learner.each(suffix, [(order_id, _SUFFIXES) for order_id in wanted]))
    if len(asked) > _LOOKED_UP:
        wrong(
            "asks_every_suffix",
            f"Each order was found, but {_LOOKED_UP} look-ups took {len(asked)} requests. The id alone "
            "tells the suffix: one request is enough.",
        )
    if units > _LOOKED_UP:
        wrong(
            "reads_the_collection",
            f"Each order was found, but one look-up cost {units / _LOOKED_UP:.1f} read units on average, "
            "not 0.5. What is read is paid for, even if it is thrown away. Name the sort key as well: "
            "GetItem.",
        )
    if learner.call(get_order, client, _TABLE, _DAY, _uuid(draw), _SUFFIXES):
        wrong("invents", "Asked for an id that nobody ordered, it returned an order. The answer then is None.")
    return right(
        f"{_LOOKED_UP} orders found with {_LOOKED_UP} requests, {units / _LOOKED_UP:g} read units each, "
        "however many suffixes there are."
    )


def _must_find(
    wanted: Sequence[str], found: Sequence[Any], asked: Sequence[Request], suffixes: Callable[[], list[Any]]
) -> None:
    for item in found:
        if item and not isinstance(_plain(item, "SK"), str):
            tip = " Its part 'Item' is what is wanted." if isinstance(item, Mapping) and "Item" in item else ""
            wrong(
                WRONG_TYPE,
                f"get_order should return the order's item or None; it gave {type(item).__name__}.{tip}",
            )
    got = [_plain(item, "SK") if item else None for item in found]
    if any(order_id not in (None, want) for order_id, want in zip(got, wanted, strict=True)):
        wrong("other_order", "Asked for one order, it returned another. Which id does its key hold?")
    if None not in got:
        return
    seen = f"{got.count(None)} of {len(wanted)} orders were not found, though all of them are in the table."
    if suffixes() != suffixes():
        wrong(
            "random_suffix",
            f"{seen} The suffix of one id changes from call to call, so its key cannot be built a second "
            "time. Calculate it from the id, as in question a.",
        )
    if _asked_for_bare_day(asked):
        wrong("bare_day_key", f"{seen} It asked for PEDIDOS#{_DAY}; they lie under PEDIDOS#{_DAY}.<suffix>.")
    wrong(
        "key_not_rebuilt",
        f"{seen} Compare the key that it asks for with the one written: PK is "
        f"PEDIDOS#{_DAY}.<suffix(order_id, n)>, SK is the order id.",
    )
