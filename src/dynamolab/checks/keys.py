"""Exercise 02, keys: the order of sort keys, keys from questions, a period, a sort key in order of time, a cheap page.

Keys are judged by what Queries on them return in a fresh lab, and by the read units that these consume.
"""

from __future__ import annotations

import datetime as dt
import random
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import boto3

from ..live import clock
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, is_stub
from .verdicts import Judged, Verdict, right, wrong

exercise = Exercise("keys")

_TABLE = "tabla-de-prueba"


def _create() -> Any:
    """Make an empty table with the keys PK and SK, both texts; return a client."""
    client = boto3.client("dynamodb")
    client.create_table(
        TableName=_TABLE,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("PK", "SK")],
        BillingMode="PAY_PER_REQUEST",
    )
    return client


def _fill(client: Any, items: Sequence[Mapping[str, str]]) -> None:
    """Write the items, all with different keys, so slowly that no write is refused."""
    for i in range(0, len(items), 10):
        puts = [
            {"PutRequest": {"Item": {name: {"S": value} for name, value in item.items()}}} for item in items[i : i + 10]
        ]
        client.batch_write_item(RequestItems={_TABLE: puts})
        clock.advance(seconds=1)


def _query(client: Any, condition: str, values: Mapping[str, str], **more: Any) -> tuple[list[dict[str, str]], float]:
    """Return all items that a Query finds, as texts by attribute, and the read units of its pages."""
    found: list[dict[str, str]] = []
    units = 0.0
    request = {
        "TableName": _TABLE,
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": {name: {"S": value} for name, value in values.items()},
        "ReturnConsumedCapacity": "TOTAL",
        **more,
    }
    while True:
        page = client.query(**request)
        found += [{name: value["S"] for name, value in item.items()} for item in page["Items"]]
        units += page["ConsumedCapacity"]["CapacityUnits"]
        clock.advance(seconds=1)
        if "LastEvaluatedKey" not in page or "Limit" in more:
            return found, units
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


# ── a: the order of texts ─────────────────────────────────────────────────────────────────

TEXTS = (
    "PERFIL",
    "CARRITO#9",
    "CARRITO#10",
    "CARRITO#2026-08-31T09:00:00Z",
    "CARRITO#2026-08-31",
    "carrito#1",
    "SESION#ñ",
    "SESION#z",
)


@exercise.question(
    "a",
    asks="Set in_order to a list of the eight sort keys, then check it: lab.check('keys.a', in_order).",
    hints=(
        "Two texts are compared byte by byte, from the left. The first byte that differs decides.",
        "In UTF-8: digits come before capital letters, capitals before small letters, and ñ after all of them.",
        "When one text is the beginning of the other, the shorter one comes first.",
    ),
    value="CARRITO#10, CARRITO#2026-08-31, CARRITO#2026-08-31T09:00:00Z, CARRITO#9, PERFIL, SESION#z, SESION#ñ, "
    "carrito#1",
    solution="""
        in_order = [
            "CARRITO#10",
            "CARRITO#2026-08-31",
            "CARRITO#2026-08-31T09:00:00Z",
            "CARRITO#9",
            "PERFIL",
            "SESION#z",
            "SESION#ñ",
            "carrito#1",
        ]
    """,
    road="Bytes decide, not values, not languages: '1' < '2' < '9', capitals before small letters, ñ behind z.",
    misconceptions={
        "not_the_eight": "not each of the eight once",
        "by_value": "numbers in texts compared by their value",
        "case_ignored": "capitals and small letters taken for equal",
        "as_in_a_dictionary": "the order of a dictionary",
        "longer_first": "the longer text before its own beginning",
        "elsewhere": "another order",
    },
)
def _judge_order(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, list | tuple) or not all(isinstance(text, str) or is_stub(text) for text in answer):
        wrong(WRONG_TYPE, "The check needs a list of the eight texts, first to last.")
    if not answer or any(is_stub(text) for text in answer):
        raise Judged(Verdict("not attempted", ("Give all eight texts, first to last.",)))
    if sorted(answer) != sorted(TEXTS):
        wrong(
            "not_the_eight", f"Each of the eight once, as they are written; there are {len(set(answer))} in the list."
        )
    client = _create()
    _fill(client, [{"PK": "CLIENTE#1", "SK": text} for text in TEXTS])
    found, _ = _query(client, "PK = :pk", {":pk": "CLIENTE#1"})
    truth = [item["SK"] for item in found]
    place = {text: answer.index(text) for text in answer}
    if list(answer) == truth:
        return right("So a Query returns them.")
    if place["CARRITO#9"] < place["CARRITO#10"]:
        wrong(
            "by_value",
            "These are texts: of CARRITO#9 and CARRITO#10 the first byte that differs is the '9' or the '1'.",
        )
    if place["CARRITO#2026-08-31T09:00:00Z"] < place["CARRITO#2026-08-31"]:
        wrong(
            "longer_first", "A text that goes on where another ends comes after it: think of between and its last day."
        )
    if place["carrito#1"] < place["PERFIL"]:
        wrong("case_ignored", "A capital letter and its small one are different bytes. Which of the two is smaller?")
    if place["SESION#ñ"] < place["SESION#z"]:
        wrong(
            "as_in_a_dictionary",
            "In a dictionary ñ stands before z. DynamoDB looks at bytes: ñ has two, the first is 0xC3.",
        )
    first = next(i for i, text in enumerate(answer) if text != truth[i])
    wrong("elsewhere", f"The first {first} are right. Compare {answer[first]!r} with those behind it, byte by byte.")


# ── templates ────────────────────────────────────────────────────────────────────────────

_Pair = tuple[str, str]


def _pair(answer: Any, what: str, fields: Sequence[str]) -> _Pair:
    """Return two texts with known {fields}; else end the judgement."""
    if is_stub(answer) or (isinstance(answer, list | tuple) and any(is_stub(part) for part in answer)):
        raise Judged(Verdict("not attempted", (f"Give two texts for {what}: PK and SK.",)))
    if (
        not isinstance(answer, list | tuple)
        or len(answer) != 2
        or not all(isinstance(part, str) and part for part in answer)
    ):
        wrong(WRONG_TYPE, f"The check needs two texts for {what}, PK and SK, with names in braces: '{{{fields[0]}}}'.")
    for part in answer:
        _pieces(part, what, fields)
    return answer[0], answer[1]


def _pieces(template: str, what: str, fields: Sequence[str]) -> list[tuple[str, str | None]]:
    """Return the literal texts of a template, each with the field that follows it."""
    try:
        pieces = [(literal, name) for literal, name, _, _ in string.Formatter().parse(template)]
    except ValueError as error:
        wrong(WRONG_TYPE, f"{template!r} for {what}: {error}. Names stand in braces, {{{fields[0]}}}.")
    for _, name in pieces:
        if name is not None and name not in fields:
            wrong(WRONG_TYPE, f"{template!r} for {what} has {{{name}}}. There are: {', '.join(fields)}.")
    return pieces


def _known_part(
    template: str, known: Mapping[str, str], begun: Mapping[str, str] | None = None
) -> tuple[str, str | None]:
    """Return a template's text up to the first field that is not known, and that field (None if there is none).

    ``begun`` holds the beginning of a field of which no more is known; the text ends with it.
    """
    text = ""
    for literal, name, _, _ in string.Formatter().parse(template):
        text += literal
        if name is None:
            continue
        if name not in known:
            return text + (begun or {}).get(name, ""), name
        text += known[name]
    return text, None


# ── b: keys from questions ───────────────────────────────────────────────────────────────

STOP_FIELDS = ("furgoneta", "fecha", "dia", "hora", "entrega", "cliente", "ciudad")
_VANS = 5


def _fields_of(moment: dt.datetime) -> dict[str, str]:
    return {"fecha": f"{moment:%Y-%m-%d}", "dia": f"{moment:%d/%m/%Y}", "hora": f"{moment:%Y-%m-%dT%H:%M:%SZ}"}


def _stops(draw: random.Random) -> list[dict[str, str]]:
    """Return stops of some vans around the end of a month; now and then two within one second, at one customer."""
    stops = []
    for van in range(1, _VANS + 1):
        moment = dt.datetime(2026, 9, 29, 7) + dt.timedelta(seconds=draw.randrange(3_600))
        for i in range(20):
            if i % 7 != 3:
                moment += dt.timedelta(seconds=draw.randrange(3_000, 14_000))
                customer = f"CLIENTE#{draw.randrange(1_000, 9_999)}"
            stops.append(
                {
                    "furgoneta": f"F-{van:02}",
                    **_fields_of(moment),
                    "entrega": f"ENT-{draw.randrange(10**7):07}",
                    "cliente": customer,
                    "ciudad": draw.choice(("Madrid", "Getafe", "Alcalá")),
                }
            )
    return stops


@exercise.question(
    "b",
    asks="Set stop_keys to two texts, for PK and SK, then check it: lab.check('keys.b', stop_keys).",
    hints=(
        "What do all three questions give? Only that can be the partition key.",
        "Within a van, all three ask for an order or a range of time. So time comes first in the sort key.",
        "Two stops in one second need one thing more behind the time, which differs: the number of the delivery.",
    ),
    value="('FURGONETA#{furgoneta}', 'PARADA#{hora}#{entrega}')",
    solution="""
        stop_keys = ("FURGONETA#{furgoneta}", "PARADA#{hora}#{entrega}")
    """,
    road="What every question gives is the partition key; what they sort by, or take a range of, begins the sort key; "
    "what makes an item unique ends it.",
    misconceptions={
        "not_given": "the partition key holds what a question does not give",
        "one_key": "everything under one partition key",
        "overwritten": "different stops have the same key",
        "not_by_time": "the sort key does not begin with the time",
        "day_first": "days written before months do not sort",
    },
)
def _judge_stop_keys(answer: Any, learner: Learner) -> Verdict:
    pk, sk = _pair(answer, "a stop", STOP_FIELDS)
    for question, given in (("the newest stop of a van", ("furgoneta",)), ("the stops of a period", ("furgoneta",))):
        missing = [name for _, name in _pieces(pk, "a stop", STOP_FIELDS) if name is not None and name not in given]
        if missing:
            wrong(
                "not_given",
                f"Asked for {question}, one knows {', '.join(given)}, and PK needs {missing[0]} as well. A Query "
                "names one whole partition key.",
            )
    if "{furgoneta}" not in pk:
        wrong(
            "one_key",
            f"PK is {pk!r} for every stop of every van: one partition for all writes. What do the questions give?",
        )
    draw = random.Random(14_229)
    stops = _stops(draw)
    left = len({(pk.format_map(stop), sk.format_map(stop)) for stop in stops})
    if left < len(stops):
        wrong(
            "overwritten",
            f"{len(stops)} stops were written, {left} are in the table: some have the same PK and SK, and a put "
            "replaces. A van may make two deliveries within one second.",
        )
    client = _create()
    rows = [{"PK": pk.format_map(stop), "SK": sk.format_map(stop), "hora": stop["hora"]} for stop in stops]
    _fill(client, draw.sample(rows, len(rows)))
    first = next((name for _, name in _pieces(sk, "a stop", STOP_FIELDS) if name not in (None, "furgoneta")), None)
    why = "day_first" if first == "dia" else "not_by_time"
    for van in sorted({stop["furgoneta"] for stop in stops}):
        own = sorted((stop["hora"], stop["entrega"]) for stop in stops if stop["furgoneta"] == van)
        _must_answer(client, pk, sk, van, [hora for hora, _ in own], why)
    return right(
        f"{len(stops)} stops of {_VANS} vans: the newest one, a day and a period, each by one Query that reads "
        "only what it returns."
    )


def _must_answer(client: Any, pk: str, sk: str, van: str, times: Sequence[str], why: str) -> None:
    """Ask the three questions about a van whose stops have these times; end the judgement at a wrong answer."""
    known = {"furgoneta": van}
    key = pk.format_map(known)

    def must(question: str, wanted: Sequence[str], condition: str, values: Mapping[str, str], **more: Any) -> None:
        found, _ = _query(client, f"PK = :pk AND {condition}", {":pk": key, **values}, **more)
        got = [item["hora"] for item in found]
        if got == list(wanted):
            return
        says = {
            "day_first": "Written as 02/10/2026, the 2nd of October comes before the 30th of September.",
            "not_by_time": "Within a partition key items lie in the order of SK. Does yours begin with the time?",
        }[why]
        seen = (
            f"{question} of {van}: {len(wanted)} wanted; {len(set(got) & set(wanted))} of the {len(got)} returned are"
        )
        wrong(why, f"{seen} right, or they are not in order. {says}")

    begin, _ = _known_part(sk, known)
    newest = "begins_with(SK, :sk)" if begin else "SK > :sk"
    must("The newest stop", times[-1:], newest, {":sk": begin or " "}, ScanIndexForward=False, Limit=1)
    fecha = times[8][:10]
    day = {**known, "fecha": fecha, "dia": f"{fecha[8:]}/{fecha[5:7]}/{fecha[:4]}"}
    begin, _ = _known_part(sk, day, {"hora": fecha})
    must("The stops of a day", [t for t in times if t.startswith(fecha)], "begins_with(SK, :sk)", {":sk": begin or " "})
    low, high = times[4], times[-4]
    ends = [_known_part(sk, {**known, **_fields_of(dt.datetime.fromisoformat(t[:-1]))})[0] for t in (low, high)]
    values = {":low": ends[0] or " ", ":high": ends[1] + "~"}
    if values[":low"] > values[":high"]:
        wrong(
            why,
            f"The stops of {van} from {low} to {high}: with this SK the beginning of the period sorts behind its end.",
        )
    must("The stops of a period", [t for t in times if low <= t <= high], "SK BETWEEN :low AND :high", values)


# ── c: a period ──────────────────────────────────────────────────────────────────────────

FIRST, LAST = "2026-08-20", "2026-09-10"
_CUSTOMER, _HEAVY, _NEW = "7301", "7302", "7303"
_MOST_UNITS = 2.0


def _carts(client: Any) -> dict[str, list[str]]:
    """Write customers' collections; return the sort keys of the carts in the period, newest first, by customer."""
    inside = (
        "2026-08-20T00:00:00Z",
        "2026-08-20T09:30:00Z",
        "2026-08-31T23:59:59Z",
        "2026-09-01T00:00:00Z",
        "2026-09-05T18:04:11Z",
        "2026-09-10T00:00:01Z",
        "2026-09-10T23:59:59Z",
    )
    outside = ("2026-08-19T23:59:59Z", "2026-09-11T00:00:00Z", "2026-09-28T10:00:00Z", "2025-09-01T10:00:00Z")
    expected = {_CUSTOMER: [*inside], _HEAVY: [f"2026-09-0{1 + i // 3}T1{i % 3}:00:00Z" for i in range(14)], _NEW: []}
    rows = []
    for customer, times in expected.items():
        key = f"CLIENTE#{customer}"
        others = ("HISTORIAL#2026-09-01T10:00:00Z", "PERFIL", "SESION#2026-09-02", "CUPON#2026-09-03")
        rows += [{"PK": key, "SK": name} for name in others]
        lines = "x" * (90_000 if customer == _HEAVY else 80)
        rows += [{"PK": key, "SK": f"CARRITO#{time}", "lineas": lines} for time in times]
    key = f"CLIENTE#{_CUSTOMER}"
    rows += [{"PK": key, "SK": f"CARRITO#{time}"} for time in outside]
    # What a filter would have to read.
    rows += [{"PK": key, "SK": f"CARRITO#2024-0{1 + i}-05T10:00:00Z", "lineas": "x" * 60_000} for i in range(8)]
    _fill(client, rows)
    return {
        customer: [f"CARRITO#{time}" for time in sorted(times, reverse=True)] for customer, times in expected.items()
    }


@exercise.question(
    "c",
    asks="Write period(carts, customer, first, last), then check it: lab.check('keys.c', period).",
    hints=(
        "A range of sort keys is one condition: Key('SK').between(low, high). Which SK is the last that still belongs?",
        "CARRITO#2026-09-10T23:59:59Z comes after CARRITO#2026-09-10. End the range behind the whole day.",
        "between(f'CARRITO#{first}', f'CARRITO#{last}~'), ScanIndexForward=False, and go on with ExclusiveStartKey "
        "while there is a LastEvaluatedKey.",
    ),
    value="a Query with between(f'CARRITO#{first}', f'CARRITO#{last}~') and ScanIndexForward=False, every page of it",
    solution="""
        from boto3.dynamodb.conditions import Key

        def period(carts, customer, first, last):
            mine = Key("PK").eq(f"CLIENTE#{customer}")
            days = Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")
            request = {"KeyConditionExpression": mine & days, "ScanIndexForward": False}
            items = []
            while True:
                page = carts.query(**request)
                items += page["Items"]
                if "LastEvaluatedKey" not in page:
                    return items
                request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    """,
    road="Both ends of the range are texts. The first day begins with its own date; the last one ends behind all "
    "that begins with its date.",
    misconceptions={
        "last_day": "the last day is lost",
        "days_lost": "days of the period are lost",
        "other_days": "days outside the period",
        "other_kinds": "items that are no carts",
        "oldest_first": "oldest first",
        "not_in_order": "not in order of time",
        "one_page": "only the first page of a Query",
        "filters": "a filter reads what it throws away",
        "scan": "a Scan reads the whole table",
        "nothing_read": "no carts came back",
    },
)
def _judge_period(answer: Any, learner: Learner) -> Verdict:
    period = a_function(answer, "period", "carts", "customer", "first", "last")
    expected = _carts(_create())
    table = boto3.resource("dynamodb").Table(_TABLE)
    learner.most_requests = 60
    total = 0.0
    for customer, wanted in expected.items():
        before = len(learner.requests)
        got = _sort_keys(learner.call(period, table, customer, FIRST, LAST))
        asked = learner.requests[before:]
        clock.advance(seconds=60)
        _must_be_the_period(customer, got, wanted, asked)
        total += sum(request.units for request in asked)
    return right(
        f"{FIRST} to {LAST}, both whole: three customers, one of them with more than a page, {total:g} read units."
    )


def _sort_keys(answered: Any) -> list[str]:
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"period should return a list of items; it gave {type(answered).__name__}.")
    keys = [item.get("SK") if isinstance(item, Mapping) else item for item in answered]
    keys = [next(iter(key.values())) if isinstance(key, Mapping) and len(key) == 1 else key for key in keys]
    if not all(isinstance(key, str) for key in keys):
        wrong(WRONG_TYPE, "Each element of the list should be an item, with its PK and SK.")
    return [str(key) for key in keys]


def _must_be_the_period(customer: str, got: Sequence[str], wanted: Sequence[str], asked: Sequence[Request]) -> None:
    units = sum(request.units for request in asked)
    if any(request.operation == "Scan" for request in asked):
        wrong(
            "scan", f"A Scan read all customers' items for one of them: {units:g} read units. Name the partition key."
        )
    seen = f"CLIENTE#{customer}, {FIRST} to {LAST}: {len(wanted)} carts wanted, "
    seen += f"{len(set(got) & set(wanted))} of them returned."
    extra, lost = [key for key in got if key not in wanted], [key for key in wanted if key not in got]
    if any(not key.startswith("CARRITO#") for key in extra):
        wrong(
            "other_kinds", f"{seen} Also returned: {next(k for k in extra if k[:8] != 'CARRITO#')}, which is no cart."
        )
    if extra:
        wrong("other_days", f"{seen} Also returned: {extra[0]}, which is not in the period.")
    if lost and not got:
        wrong(
            "nothing_read",
            f"{seen} PK is CLIENTE#<customer>, SK is CARRITO#<time>: compare them with what you ask for.",
        )
    if lost and all(key[8:18] == LAST for key in lost):
        wrong("last_day", f"{seen} Those of the last day are missing: {lost[-1]} sorts behind CARRITO#{LAST}.")
    if lost and customer == _HEAVY:
        wrong("one_page", f"{seen} A Query stops at 1 MB and says so by a LastEvaluatedKey. Go on from there.")
    if lost:
        wrong(
            "days_lost", f"{seen} Missing, for example: {lost[0]}. Both the first and the last day belong to it whole."
        )
    if list(got) != list(wanted):
        if list(got) == list(wanted)[::-1]:
            wrong("oldest_first", f"{seen} They come oldest first. A Query can read backwards.")
        wrong("not_in_order", f"{seen} They are not newest first, each once.")
    if customer == _CUSTOMER and units > _MOST_UNITS:
        wrong(
            "filters",
            f"{seen} That cost {units:g} read units: carts of other years were read and thrown away. The key condition "
            "chooses what is read.",
        )


# ── d: in order of time ──────────────────────────────────────────────────────────────────

_UTC = dt.UTC
_ZONES = (_UTC, dt.timezone(dt.timedelta(hours=2)), dt.timezone(dt.timedelta(hours=-5)))


@exercise.question(
    "d",
    asks="Write sort_key(moment, line), then check it: lab.check('keys.d', sort_key).",
    hints=(
        "Sort some keys of the faulty one as texts: moments of two time zones, then 9 and 10, then a whole second.",
        "moment.astimezone(datetime.timezone.utc) is the same instant in UTC. And isoformat leaves out a fraction that "
        "is zero: which parameter makes its length fixed?",
        "isoformat(timespec='microseconds') in UTC, and the line filled up with zeros: f'{line:04}'.",
    ),
    value="UTC, microseconds always written, the line with four digits",
    solution="""
        import datetime

        def sort_key(moment, line):
            utc = moment.astimezone(datetime.timezone.utc)
            return f"{utc.isoformat(timespec='microseconds')}#{line:04}"
    """,
    road="A text sorts as time does if every part of it has a fixed length, the largest unit stands first, and all "
    "of it is in one time zone.",
    misconceptions={
        "not_by_time": "the texts do not sort by time at all",
        "local_time": "several time zones",
        "varying_length": "fractions of a second that come and go",
        "no_zeros": "numbers without leading zeros",
        "collides": "two different lines get one key",
    },
)
def _judge_sort_key(answer: Any, learner: Learner) -> Verdict:
    sort_key = a_function(answer, "sort_key", "moment", "line")
    draw = random.Random(83_377)
    start = dt.datetime(2025, 11, 3, 8, tzinfo=_UTC)
    seconds = sorted(draw.sample(range(60_000_000), 120))
    whole = [(start + dt.timedelta(seconds=second), 1) for second in seconds]
    zoned = [(start + dt.timedelta(minutes=17 * i), 1) for i in range(60)]
    zoned = [(moment.astimezone(_ZONES[i % 3]), line) for i, (moment, line) in enumerate(zoned)]
    early = start - dt.timedelta(days=9)
    fractions = [
        (early + dt.timedelta(microseconds=part), 1) for part in (0, 7, 250_000, 999_999, 1_000_000, 1_000_001)
    ]
    lines = [(start, line) for line in (1, 2, 9, 10, 11, 99, 100, 101, 999, 1_000, 1_200)]
    every = [
        (moment.astimezone(draw.choice(_ZONES)), draw.randrange(1, 1_201)) for moment, _ in whole + zoned + fractions
    ]
    for misconception, cases, says in (
        ("not_by_time", whole, "Largest unit first: the year, then month, day and time."),
        ("local_time", zoned, "These instants were written in several time zones. In which one should all keys be?"),
        ("varying_length", fractions, "One of them has a fraction of a second. Is its text as long as the others'?"),
        ("no_zeros", lines, "As texts, '10' comes before '9'."),
        ("not_by_time", sorted(every), "Largest unit first, and every part of a fixed length."),
    ):
        _must_sort(learner, sort_key, cases, misconception, says)
    return right(f"{len(whole) + len(zoned) + len(fractions) + len(lines)} keys sort as their instants and lines do.")


def _must_sort(
    learner: Learner,
    sort_key: Callable[..., Any],
    cases: Sequence[tuple[dt.datetime, int]],
    misconception: str,
    says: str,
) -> None:
    keys = learner.each(sort_key, cases)
    for key in keys:
        if not isinstance(key, str) or not 1 <= len(key.encode()) <= 1_024:
            wrong(WRONG_TYPE, f"A sort key is a text of 1 to 1,024 bytes here; sort_key gave {key!r:.60}.")
    for i in range(1, len(keys)):
        if keys[i - 1] == keys[i]:
            wrong(
                "collides",
                f"{_case(cases[i - 1])} and {_case(cases[i])} both get {keys[i]!r}: the second put replaces the first.",
            )
        if keys[i - 1].encode() > keys[i].encode():
            wrong(
                misconception,
                f"{_case(cases[i - 1])} comes before {_case(cases[i])}, but {keys[i - 1]!r} sorts after {keys[i]!r}. "
                f"{says}",
            )


def _case(case: tuple[dt.datetime, int]) -> str:
    return f"({case[0].isoformat()}, line {case[1]})"


# ── e: the cheapest page ─────────────────────────────────────────────────────────────────

KINDS = ("perfil", "sesion", "activo", "antiguo")
PAGE_FIELDS = ("cliente", "sesion", "hora", "carrito")
_MOST_PAGE_UNITS = 1.0


def _customers() -> dict[str, dict[str, list[dict[str, str]]]]:
    """Return each customer's entities by kind: the faithful one has many old carts."""
    found = {}
    for customer, old, sessions in (("8101", 80, 2), ("8102", 3, 1), ("81", 12, 3), ("8103", 0, 1)):
        known = {"cliente": customer}
        found[customer] = {
            "perfil": [known],
            "sesion": [{**known, "sesion": f"{customer}-{i}{i}f"} for i in range(sessions)],
            "activo": [{**known, "hora": "2026-10-02T17:04:11Z", "carrito": "ff-01"}],
            "antiguo": [
                {
                    **known,
                    "hora": f"20{16 + i // 12}-{1 + i % 12:02}-05T18:04:11Z",
                    "carrito": f"{i * 37 % 101:02x}-{i}",
                }
                for i in range(old)
            ],
        }
    return found


@exercise.question(
    "e",
    asks="Set design to a dict with perfil, sesion, activo, antiguo and page, then check it: "
    "lab.check('keys.e', design).",
    hints=(
        "A Query pays for every item that it reads. Which of the four kinds must the page's Query not meet?",
        "begins_with can take a prefix that three kinds share. Or put the fourth under another PK.",
        "SK of perfil, sesion and activo: PAGINA#PERFIL, PAGINA#SESION#{sesion}, PAGINA#CARRITO; of antiguo: "
        "ANTIGUO#{hora}; page: PAGINA#.",
    ),
    value="for example PAGINA# before the sort keys of perfil, sesion and activo, ANTIGUO#{hora} for antiguo, and "
    "page = PAGINA#",
    solution="""
        design = {
            "perfil": ("CLIENTE#{cliente}", "PAGINA#PERFIL"),
            "sesion": ("CLIENTE#{cliente}", "PAGINA#SESION#{sesion}"),
            "activo": ("CLIENTE#{cliente}", "PAGINA#CARRITO#{hora}"),
            "antiguo": ("CLIENTE#{cliente}", "ANTIGUO#{hora}"),
            "page": "PAGINA#",
        }
    """,
    road="What is read together begins alike; what is not, begins otherwise or lies elsewhere. The sort key's first "
    "letters are the cheapest index there is.",
    misconceptions={
        "not_given": "the partition key holds more than the customer",
        "overwritten": "different items have the same key",
        "old_carts_read": "the page reads the old carts",
        "page_incomplete": "the page's Query does not return all of it",
        "strangers": "items of other customers",
        "history_mixed": "the old carts cannot be asked for alone",
        "history_order": "the old carts are not in order of time",
    },
)
def _judge_design(answer: Any, learner: Learner) -> Verdict:
    if not isinstance(answer, Mapping):
        wrong(WRONG_TYPE, f"The check needs a dict with {', '.join(KINDS)} and page.")
    missing = [name for name in (*KINDS, "page") if name not in answer]
    if missing:
        wrong(WRONG_TYPE, f"The design says nothing of {missing[0]}.")
    if any(is_stub(value) for value in answer.values()):
        raise Judged(Verdict("not attempted", ("Replace all the dots.",)))
    design = {kind: _pair(answer[kind], kind, PAGE_FIELDS) for kind in KINDS}
    begin = answer["page"]
    if not isinstance(begin, str) or "{" in begin:
        wrong(
            WRONG_TYPE, "page is a plain text: what the sort keys of the page's items begin with; '' for all of them."
        )
    customers = _customers()
    _must_have_own_keys(design, customers)
    client = _create()
    rows = []
    for customer, kinds in customers.items():
        for kind, entities in kinds.items():
            pk, sk = design[kind]
            more = {"de": customer, "kind": kind, "v": "x" * (3_000 if kind in ("activo", "antiguo") else 40)}
            for entity in entities:
                key = {"PK": pk.format_map(entity), "SK": sk.format_map(entity)}
                rows.append({**key, **more, "hora": entity.get("hora", "-")})
    _fill(client, rows)
    most = max(_page_units(client, design, begin, customer, kinds) for customer, kinds in customers.items())
    for customer, kinds in customers.items():
        _must_list_old_carts(client, design, customer, [entity["hora"] for entity in kinds["antiguo"]])
    return right(
        f"Profile, sessions and the active cart by one Query: {most:g} read units at most, also for the customer with "
        "80 old carts, and those by a Query of their own."
    )


def _must_have_own_keys(
    design: Mapping[str, _Pair], customers: Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]]
) -> None:
    keys: dict[_Pair, str] = {}
    for kind in KINDS:
        pk, sk = design[kind]
        beyond = [name for _, name in _pieces(pk, kind, PAGE_FIELDS) if name not in (None, "cliente")]
        if beyond or "{cliente}" not in pk:
            strange = f"needs {beyond[0]} too" if beyond else "does not name the customer"
            wrong("not_given", f"The page knows the customer and nothing else; PK of {kind}, {pk!r}, {strange}.")
        for entity in (entity for kinds in customers.values() for entity in kinds[kind]):
            try:
                key = pk.format_map(entity), sk.format_map(entity)
            except KeyError as error:
                wrong(WRONG_TYPE, f"SK of {kind}, {sk!r}: a {kind} has no {error.args[0]}.")
            if key in keys:
                other = "another" if keys[key] == kind else f"one of kind {keys[key]}"
                wrong(
                    "overwritten",
                    f"An item of kind {kind} gets the key {key} that {other} has already: the later put replaces it.",
                )
            keys[key] = kind


def _page_units(
    client: Any,
    design: Mapping[str, _Pair],
    begin: str,
    customer: str,
    kinds: Mapping[str, Sequence[Mapping[str, str]]],
) -> float:
    """Return the read units of a customer's page; end the judgement if something is missing or too much is read."""
    key = design["perfil"][0].format_map({"cliente": customer})
    condition, values = ("PK = :pk", {":pk": key})
    if begin:
        condition, values = f"{condition} AND begins_with(SK, :sk)", {**values, ":sk": begin}
    found, units = _query(client, condition, values)
    if any(item["de"] != customer for item in found):
        wrong("strangers", f"The page of customer {customer} shows items of another one. Does PK tell 81 from 8101?")
    lost = [kind for kind in KINDS[:3] if sum(item["kind"] == kind for item in found) < len(kinds[kind])]
    if lost:
        wrong(
            "page_incomplete",
            f"PK = {key!r} with SK beginning {begin!r} gives {len(found)} items; of {lost[0]} not all are among them.",
        )
    old = sum(item["kind"] == "antiguo" for item in found)
    if old or units > _MOST_PAGE_UNITS:
        wrong(
            "old_carts_read",
            f"The page of customer {customer} costs {units:g} read units: its Query reads {old} old carts of 3 KB, "
            "which nobody wants to see there.",
        )
    return units


def _must_list_old_carts(client: Any, design: Mapping[str, _Pair], customer: str, times: Sequence[str]) -> None:
    pk, sk = design["antiguo"]
    begin, _ = _known_part(sk, {"cliente": customer})
    condition, values = "PK = :pk", {":pk": pk.format_map({"cliente": customer})}
    if begin:
        condition, values = f"{condition} AND begins_with(SK, :sk)", {**values, ":sk": begin}
    found, _ = _query(client, condition, values)
    strange = next((item for item in found if item["kind"] != "antiguo" or item["de"] != customer), None)
    if strange is not None:
        wrong(
            "history_mixed",
            f"Asked for the old carts alone (SK beginning {begin!r}), a Query also returns {strange['SK']!r}, of kind "
            f"{strange['kind']}. Which prefix is theirs only?",
        )
    if [item["hora"] for item in found] != sorted(times):
        wrong("history_order", f"The {len(times)} old carts of customer {customer} do not come in order of time.")
