"""Answers to exercise 02 as learners give them, each with the judgement that it deserves."""

import datetime

import boto3
from boto3.dynamodb.conditions import Attr, Key

from checks.answering import Answers
from dynamolab.checks.keys import TEXTS

book = Answers("keys")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["in_order"],
    "b": lambda names: names["stop_keys"],
    "c": lambda names: names["period"],
    "d": lambda names: names["sort_key"],
    "e": lambda names: names["design"],
}

# ── a ─────────────────────────────────────────────────────────────────────────────────

T10, DAY, MOMENT, T9 = "CARRITO#10", "CARRITO#2026-08-31", "CARRITO#2026-08-31T09:00:00Z", "CARRITO#9"
SMALL, Z, N = "carrito#1", "SESION#z", "SESION#ñ"
given("a", [T10, DAY, MOMENT, T9, "PERFIL", Z, N, SMALL], "right", name="by hand")
given("a", tuple(sorted(TEXTS)), "right", name="a tuple")
given("a", sorted(TEXTS, key=str.encode), "right", name="by their bytes")
given("a", [T9, T10, DAY, MOMENT, "PERFIL", Z, N, SMALL], "wrong", "by_value", name="9 before 10")
given("a", [T10, MOMENT, DAY, T9, "PERFIL", Z, N, SMALL], "wrong", "longer_first", name="longer first")
given("a", [T10, DAY, MOMENT, T9, SMALL, "PERFIL", Z, N], "wrong", "case_ignored", name="small among capitals")
given("a", [SMALL, T10, DAY, MOMENT, T9, "PERFIL", Z, N], "wrong", "case_ignored", name="small ones first")
given("a", [T10, DAY, MOMENT, T9, "PERFIL", N, Z, SMALL], "wrong", "as_in_a_dictionary", name="ñ before z")
given("a", [T10, DAY, MOMENT, T9, Z, N, "PERFIL", SMALL], "wrong", "elsewhere", name="S before P")
given("a", [DAY, MOMENT, T10, T9, "PERFIL", Z, N, SMALL], "wrong", "elsewhere", name="2026 before 10")
given("a", list(TEXTS), "wrong", "by_value", name="as they stand")
given("a", sorted(TEXTS, reverse=True), "wrong", "by_value", name="backwards")
given("a", sorted(TEXTS)[:7], "wrong", "not_the_eight", name="seven")
given("a", [T10] * 8, "wrong", "not_the_eight", name="one eight times")
given("a", [text.lower() for text in sorted(TEXTS)], "wrong", "not_the_eight", name="in small letters")
given("a", set(TEXTS), "wrong", "wrong_type", name="a set")
given("a", list(range(8)), "wrong", "wrong_type", name="numbers")
given("a", "CARRITO#10", "wrong", "wrong_type")
given("a", [], "not attempted", name="empty")
given("a", [T10, ...], "not attempted", name="half done")

# ── b ─────────────────────────────────────────────────────────────────────────────────

given("b", ("FURGONETA#{furgoneta}", "PARADA#{hora}#{entrega}"), "right", name="with prefixes")
given("b", ["{furgoneta}", "{hora}#{entrega}"], "right", name="bare")
given("b", ("F#{furgoneta}", "{fecha}#{hora}#{entrega}"), "right", name="the day first")
given("b", ("{furgoneta}", "{hora}{ciudad}{cliente}{entrega}"), "right", name="everything behind")
given("b", ("VAN#{furgoneta}", "{furgoneta}#{hora}#{entrega}#{dia}"), "right", name="the van twice")
given("b", ("{furgoneta}#{fecha}", "{hora}#{entrega}"), "wrong", "not_given", name="van and day")
given("b", ("{ciudad}", "{furgoneta}#{hora}#{entrega}"), "wrong", "not_given", name="the city")
given("b", ("{fecha}", "{furgoneta}#{hora}#{entrega}"), "wrong", "not_given", name="the day")
given("b", ("ENTREGA#{entrega}", "{hora}"), "wrong", "not_given", name="the delivery")
given("b", ("PARADAS", "{furgoneta}#{hora}#{entrega}"), "wrong", "one_key", name="one key")
given("b", ("F-07", "PARADA#{hora}#{entrega}"), "wrong", "one_key", name="the visible van only")
given("b", ("{furgoneta}", "{hora}"), "wrong", "overwritten", name="the time alone")
given("b", ("{furgoneta}", "PARADA#{hora}#{cliente}"), "wrong", "overwritten", name="time and customer")
given("b", ("{furgoneta}", "{fecha}"), "wrong", "overwritten", name="the day alone")
given("b", ("{furgoneta}", "PARADA"), "wrong", "overwritten", name="nothing that differs")
given("b", ("{furgoneta}", "{entrega}"), "wrong", "not_by_time", name="the delivery alone")
given("b", ("{furgoneta}", "{entrega}#{hora}"), "wrong", "not_by_time", name="the delivery first")
given("b", ("{furgoneta}", "{ciudad}#{hora}#{entrega}"), "wrong", "not_by_time", name="the city first")
given("b", ("{furgoneta}", "{fecha}#{entrega}"), "wrong", "not_by_time", name="the day, no time")
given("b", ("{furgoneta}", "{dia}#{hora}#{entrega}"), "wrong", "day_first", name="days first")
given("b", ("{furgoneta}", "PARADA#{dia}#{entrega}"), "wrong", "day_first", name="days first, no time")
given("b", ("{furgon}", "{hora}#{entrega}"), "wrong", "wrong_type", name="no such field")
given("b", ("{furgoneta}", "{hora#{entrega}"), "wrong", "wrong_type", name="a brace is missing")
given("b", ("{}", "{}"), "wrong", "wrong_type", name="no names")
given("b", "{furgoneta}", "wrong", "wrong_type", name="one text")
given("b", ("{furgoneta}", ""), "wrong", "wrong_type", name="no sort key")
given("b", {"PK": "{furgoneta}", "SK": "{hora}"}, "wrong", "wrong_type", name="a dict")
given("b", 5, "wrong", "wrong_type")
given("b", (), "wrong", "wrong_type", name="empty")
given("b", (..., ...), "not attempted", name="dots")
given("b", ["{furgoneta}", ...], "not attempted", name="half done")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def mine(customer):
    return Key("PK").eq(f"CLIENTE#{customer}")


def every_page(carts, condition, **more):
    request = {"KeyConditionExpression": condition, "ScanIndexForward": False, **more}
    while True:
        page = carts.query(**request)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


@is_right("c")
def with_a_tilde(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")))


@is_right("c")
def to_the_last_second(carts, customer, first, last):
    yield from every_page(
        carts, mine(customer) & Key("SK").between(f"CARRITO#{first}T00:00:00Z", f"CARRITO#{last}T23:59:59Z")
    )


@is_right("c")
def to_the_next_day(carts, customer, first, last):
    after = datetime.date.fromisoformat(last) + datetime.timedelta(days=1)
    return list(every_page(carts, mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{after}")))


@is_right("c")
def a_paginator_of_the_client(carts, customer, first, last):
    pages = carts.meta.client.get_paginator("query").paginate(
        TableName=carts.name,
        KeyConditionExpression="PK = :pk AND SK BETWEEN :a AND :b",
        ExpressionAttributeValues={":pk": f"CLIENTE#{customer}", ":a": f"CARRITO#{first}", ":b": f"CARRITO#{last}U"},
        ScanIndexForward=False,
    )
    return [item for page in pages for item in page["Items"]]


@is_right("c")
def sorted_by_itself(carts, customer, first, last):
    condition = mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")
    items = every_page(carts, condition, ScanIndexForward=True)
    return sorted(items, key=lambda item: item["SK"], reverse=True)


@shows("c", "last_day")
def between_the_days(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}")))


@shows("c", "last_day")
def to_midnight(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}T00:00:00Z")))


@shows("c", "days_lost")
def from_the_second_day(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").between(f"CARRITO#{first}~", f"CARRITO#{last}~")))


@shows("c", "days_lost")
def the_first_day_only(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").begins_with(f"CARRITO#{first}")))


@shows("c", "other_days")
def all_of_the_carts(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").begins_with("CARRITO#")))


@shows("c", "other_days")
def whole_months(carts, customer, first, last):
    condition = mine(customer) & Key("SK").between(f"CARRITO#{first[:7]}", f"CARRITO#{last[:7]}~")
    return list(every_page(carts, condition))


@shows("c", "other_days")
def one_day_too_many(carts, customer, first, last):
    after = datetime.date.fromisoformat(last) + datetime.timedelta(days=1)
    return list(every_page(carts, mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{after}~")))


@shows("c", "other_kinds")
def from_the_first_day_on(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").gte(f"CARRITO#{first}")))


@shows("c", "other_kinds")
def all_of_it(carts, customer, first, last):
    return list(every_page(carts, mine(customer)))


@shows("c", "oldest_first")
def forwards(carts, customer, first, last):
    condition = mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")
    return list(every_page(carts, condition, ScanIndexForward=True))


@shows("c", "not_in_order")
def by_day_only(carts, customer, first, last):
    items = sorted(with_a_tilde(carts, customer, first, last), key=lambda item: item["SK"])
    return sorted(items, key=lambda item: item["SK"][:18], reverse=True)


@shows("c", "not_in_order")
def twice(carts, customer, first, last):
    return with_a_tilde(carts, customer, first, last) * 2


@shows("c", "one_page")
def first_page(carts, customer, first, last):
    condition = mine(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")
    return carts.query(KeyConditionExpression=condition, ScanIndexForward=False)["Items"]


@shows("c", "one_page")
def at_most_ten(carts, customer, first, last):
    return with_a_tilde(carts, customer, first, last)[:10]


@shows("c", "filters")
def chosen_in_python(carts, customer, first, last):
    items = every_page(carts, mine(customer) & Key("SK").begins_with("CARRITO#"))
    return [item for item in items if first <= item["SK"][8:18] <= last]


@shows("c", "filters")
def whole_collection(carts, customer, first, last):
    items = every_page(carts, mine(customer))
    return [item for item in items if item["SK"].startswith("CARRITO#") and first <= item["SK"][8:18] <= last]


@shows("c", "scan")
def scan(carts, customer, first, last):
    chosen = Attr("PK").eq(f"CLIENTE#{customer}") & Attr("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")
    return carts.scan(FilterExpression=chosen)["Items"]


@shows("c", "nothing_read")
def bare_customer(carts, customer, first, last):
    return list(every_page(carts, Key("PK").eq(customer) & Key("SK").between(f"CARRITO#{first}", f"CARRITO#{last}~")))


@shows("c", "nothing_read")
def bare_days(carts, customer, first, last):
    return list(every_page(carts, mine(customer) & Key("SK").between(first, f"{last}~")))


@shows("c", "nothing_read")
def visible_customer_only(carts, customer, first, last):
    return [{"PK": "CLIENTE#4471", "SK": "CARRITO#2026-09-06T18:04:11Z"}] if customer == "4471" else []


@shows("c", "wrong_type")
def whole_answer(carts, customer, first, last):
    return carts.query(KeyConditionExpression=mine(customer))


@shows("c", "wrong_type")
def how_many(carts, customer, first, last):
    return len(with_a_tilde(carts, customer, first, last))


@shows("c", "wrong_type")
def forgets_the_return(carts, customer, first, last):
    with_a_tilde(carts, customer, first, last)


@shows("c", "wrong_type")
def takes_no_days(carts, customer):
    return with_a_tilde(carts, customer, "2026-08-01", "2026-08-31")


@raises("c")
def two_conditions(carts, customer, first, last):
    condition = mine(customer) & Key("SK").gte(f"CARRITO#{first}") & Key("SK").lte(f"CARRITO#{last}~")
    return carts.query(KeyConditionExpression=condition)["Items"]


@raises("c")
def no_key(carts, customer, first, last):
    return carts.query(KeyConditionExpression=Key("SK").between(first, last))["Items"]


@raises("c")
def same_page_for_ever(carts, customer, first, last):
    items = []
    while len(items) < 10**9:
        items += carts.query(KeyConditionExpression=mine(customer))["Items"]
    return items


@raises("c")
def another_table(carts, customer, first, last):
    return first_page(boto3.resource("dynamodb").Table("mercadofresco-carritos"), customer, first, last)


@is_untouched("c")
def stub_c(carts, customer, first, last):
    return ...


given("c", [], "wrong", "wrong_type")

# ── d ─────────────────────────────────────────────────────────────────────────────────

UTC = datetime.UTC
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)


@is_right("d")
def iso_in_utc(moment, line):
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')}#{line:04}"


@is_right("d")
def iso_with_an_offset(moment, line):
    return f"{moment.astimezone(UTC).isoformat()}#{line:04}"


@is_right("d")
def strftime(moment, line):
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") + f"#{line:06d}"


@is_right("d")
def microseconds_since_1970(moment, line):
    return f"{(moment - EPOCH) // datetime.timedelta(microseconds=1):020}#{line:04}"


@is_right("d")
def digits_only(moment, line):
    return f"{moment.astimezone(UTC):%Y%m%d%H%M%S%f}{str(line).zfill(5)}"


@shows("d", "not_by_time")
def day_first(moment, line):
    return f"{moment.astimezone(UTC):%d/%m/%Y %H:%M:%S.%f}#{line:04}"


@shows("d", "not_by_time")
def month_first(moment, line):
    return f"{moment.astimezone(UTC):%m-%d-%Y %H:%M:%S.%f}#{line:04}"


@shows("d", "not_by_time")
def line_first(moment, line):
    return f"{line:04}#{moment.astimezone(UTC).isoformat(timespec='microseconds')}"


@shows("d", "local_time")
def the_faulty_one(moment, line):
    return f"{moment.isoformat()}#{line}"


@shows("d", "local_time")
def local_and_fixed(moment, line):
    return f"{moment.isoformat(timespec='microseconds')}#{line:04}"


@shows("d", "local_time")
def zone_taken_off(moment, line):
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}#{line:04}"


@shows("d", "varying_length")
def iso_with_z(moment, line):
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat()}Z#{line:04}"


@shows("d", "varying_length")
def seconds_as_a_float(moment, line):
    return f"{str((moment - EPOCH) / datetime.timedelta(seconds=1)).rstrip('0').rstrip('.')}~#{line:04}"


@shows("d", "no_zeros")
def bare_line(moment, line):
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')}#{line}"


@shows("d", "no_zeros")
def two_digits(moment, line):
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')}#{line:02}"


@shows("d", "collides")
def no_line(moment, line):
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


@shows("d", "collides")
def whole_seconds(moment, line):
    return f"{moment.astimezone(UTC).isoformat(timespec='seconds')}#{line:04}"


@shows("d", "collides")
def milliseconds(moment, line):
    return f"{moment.astimezone(UTC).isoformat(timespec='milliseconds')}#{line:04}"


@shows("d", "collides")
def always_the_same(moment, line):
    return "2026-10-02T17:04:11Z#0001"


@shows("d", "not_by_time")
def backwards(moment, line):
    return f"{10**18 - (moment - EPOCH) // datetime.timedelta(microseconds=1):020}#{line:04}"


@shows("d", "wrong_type")
def a_number(moment, line):
    return int(moment.timestamp() * 10_000) + line


@shows("d", "wrong_type")
def a_pair(moment, line):
    return moment.isoformat(), line


@shows("d", "wrong_type")
def forgets_to_return(moment, line):
    iso_in_utc(moment, line)


@raises("d")
def line_as_text(moment, line):
    return moment.isoformat() + "#" + line


@raises("d")
def parses_a_text(moment, line):
    return datetime.datetime.fromisoformat(moment).isoformat()


@raises("d")
def endless(moment, line):
    while True:
        line += 1


@is_untouched("d")
def stub_d(moment, line):
    return ...


given("d", "moment", "wrong", "wrong_type")
given("d", [], "wrong", "wrong_type")

# ── e ─────────────────────────────────────────────────────────────────────────────────

C = "CLIENTE#{cliente}"


def design(
    perfil="PAGINA#PERFIL", sesion="PAGINA#SESION#{sesion}", activo="PAGINA#CARRITO", antiguo="ANTIGUO#{hora}", **more
):
    made = {"perfil": (C, perfil), "sesion": (C, sesion), "activo": (C, activo), "antiguo": (C, antiguo)}
    return made | {"page": "PAGINA#"} | more


given("e", design(), "right", name="a prefix for the page")
given("e", design(activo="PAGINA#CARRITO#{hora}"), "right", name="the time in the active cart's key")
given(
    "e",
    {
        "perfil": (C, "PERFIL"),
        "sesion": (C, "SESION#{sesion}"),
        "activo": (C, "CARRITO"),
        "antiguo": (C + "#ANTIGUOS", "{hora}"),
        "page": "",
    },
    "right",
    name="another collection",
)
given(
    "e",
    {
        "perfil": ["{cliente}", "0"],
        "sesion": ["{cliente}", "01{sesion}"],
        "activo": ["{cliente}", "02"],
        "antiguo": ["{cliente}", "1#{hora}"],
        "page": "0",
    },
    "right",
    name="short ones",
)
given("e", design(antiguo=f"{'Z'}#{{hora}}#{{cliente}}"), "right", name="something behind the time")
usual = design(perfil="PERFIL", sesion="SESION#{sesion}", activo="CARRITO#{hora}", antiguo="ANTIGUO#{hora}", page="")
given("e", usual, "wrong", "old_carts_read", name="all of the collection")
given("e", design(antiguo="PAGINA#ANTIGUO#{hora}"), "wrong", "old_carts_read", name="the old carts on the page")
given(
    "e",
    usual | {"activo": (C, "CARRITO#ACTIVO"), "antiguo": (C, "CARRITO#{hora}")},
    "wrong",
    "old_carts_read",
    name="as in the lesson",
)
given("e", usual | {"page": "PERFIL"}, "wrong", "page_incomplete", name="the profile alone")
given("e", usual | {"page": "PAGINA#"}, "wrong", "page_incomplete", name="a prefix that nothing has")
given("e", design(activo="CARRITO#{hora}"), "wrong", "page_incomplete", name="the cart is left out")
given(
    "e", design() | {"sesion": ("SESION#{cliente}", "{sesion}")}, "wrong", "page_incomplete", name="sessions elsewhere"
)
given("e", design(sesion="PAGINA#SESION"), "wrong", "overwritten", name="one session")
given("e", design(perfil="PAGINA#", activo="PAGINA#"), "wrong", "overwritten", name="profile and cart")
given("e", design(antiguo="ANTIGUO"), "wrong", "overwritten", name="one old cart")
given("e", design() | {"antiguo": ("{cliente}#{hora}", "ANTIGUO")}, "wrong", "not_given", name="the time in PK")
given("e", design() | {"sesion": ("SESION#{sesion}", "{cliente}")}, "wrong", "not_given", name="the session in PK")
given("e", design() | {"perfil": ("CLIENTES", "{cliente}")}, "wrong", "not_given", name="all customers under one PK")
given(
    "e", design(perfil="PAGINA#{cliente}", antiguo="{hora}"), "wrong", "history_mixed", name="old carts without prefix"
)
given("e", usual | {"antiguo": ("CLIENTE#{cliente}03", "{hora}")}, "wrong", "strangers", name="03 behind the customer")
given("e", design(antiguo="ANTIGUO#{carrito}"), "wrong", "history_order", name="by the cart's id")
given("e", design(antiguo="ANTIGUO#{carrito}#{hora}"), "wrong", "history_order", name="the cart's id first")
given("e", design(antiguo="P{hora}"), "wrong", "history_mixed", name="a prefix that begins like another")
given(
    "e",
    design() | {name: ("TODOS{cliente}", f"{sk}") for name, sk in (("antiguo", "PAGINA{hora}"),)},
    "right",
    name="a collection of its own with the same prefix",
)
given("e", {name: pair for name, pair in design().items() if name != "page"}, "wrong", "wrong_type", name="no page")
given("e", design(page=5), "wrong", "wrong_type", name="page is a number")
given("e", design(page="{cliente}"), "wrong", "wrong_type", name="page with a field")
given("e", design(perfil="PAGINA#PERFIL#{hora}"), "wrong", "wrong_type", name="a profile has no time")
given("e", design(sesion="PAGINA#{id}"), "wrong", "wrong_type", name="no such field")
given(
    "e",
    dict.fromkeys(("perfil", "sesion", "activo", "antiguo", "page"), "PAGINA#"),
    "wrong",
    "wrong_type",
    name="texts",
)
given("e", {}, "wrong", "wrong_type", name="empty")
given("e", "PAGINA#", "wrong", "wrong_type")
given("e", design(page=...), "not attempted", name="page is missing")
given("e", dict.fromkeys(("perfil", "sesion", "activo", "antiguo", "page"), ...), "not attempted", name="dots")
given("e", design() | {"perfil": (..., ...)}, "not attempted", name="dots inside")
