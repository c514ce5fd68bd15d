"""Answers to exercise 13 as learners give them, each with the judgement that it deserves."""

import calendar
import datetime
from decimal import Decimal
from fractions import Fraction

import boto3
import numpy as np
from boto3.dynamodb.conditions import Attr, Key

from checks.answering import Answers

book = Answers("ttl")
given, is_right, shows, raises, is_untouched = book.given, book.is_right, book.shows, book.raises, book.is_untouched

SOLVES = {
    "a": lambda names: names["new_cart"],
    "b": lambda names: names["living"],
    "c": lambda names: names["rescue"],
    "d": lambda names: names["archive"],
    "e": lambda names: names["undead"],
    "f": lambda names: names["gb"],
}
DAY = 24 * 3600


def endless(*_):
    while True:
        pass


# ── a ─────────────────────────────────────────────────────────────────────────────────


def cart(customer, **more):
    return {"PK": {"S": f"CLIENTE#{customer}"}, "SK": {"S": "CARRITO"}, **more}


def number(value):
    return {"N": str(value)}


@is_right("a")
def seconds(customer, now):
    return cart(customer, caduca=number(int(now.timestamp()) + 14 * DAY), lineas={"L": []})


@is_right("a")
def later_date(customer, now):
    return cart(customer, caduca=number(round((now + datetime.timedelta(days=14)).timestamp())))


@is_right("a")
def calendar_of_utc(customer, now):
    return cart(customer, caduca=number(calendar.timegm(now.utctimetuple()) + 14 * DAY))


@is_right("a")
def with_a_fraction(customer, now):
    return cart(customer, caduca=number(now.timestamp() + 14 * DAY), creado={"S": now.isoformat()})


@shows("a", "milliseconds")
def as_in_javascript(customer, now):
    return cart(customer, caduca=number(int(now.timestamp() * 1000) + 14 * DAY * 1000))


@shows("a", "milliseconds")
def milliseconds_and_seconds(customer, now):
    return cart(customer, caduca=number(int(now.timestamp() * 1000) + 14 * DAY))


@shows("a", "not_a_number")
def iso_date(customer, now):
    return cart(customer, caduca={"S": (now + datetime.timedelta(days=14)).isoformat()})


@shows("a", "not_a_number")
def text_of_digits(customer, now):
    return cart(customer, caduca={"S": str(int(now.timestamp()) + 14 * DAY)})


@shows("a", "another_attribute")
def capital_letter(customer, now):
    return cart(customer, Caduca=number(int(now.timestamp()) + 14 * DAY))


@shows("a", "another_attribute")
def inside_a_map(customer, now):
    return cart(customer, carrito={"M": {"caduca": number(int(now.timestamp()) + 14 * DAY)}})


@shows("a", "another_attribute")
def no_expiry(customer, now):
    return cart(customer)


@shows("a", "wrong_key")
def another_key(customer, now):
    return seconds(customer, now) | {"SK": {"S": f"CARRITO#{now.date()}"}}


@shows("a", "wrong_key")
def visible_customer(customer, now):
    return seconds("4471", now)


@shows("a", "time_zone")
def wall_clock(customer, now):
    return cart(customer, caduca=number(calendar.timegm(now.timetuple()) + 14 * DAY))


@shows("a", "time_zone")
def without_zone(customer, now):
    bare = now.replace(tzinfo=datetime.UTC)
    return cart(customer, caduca=number(int(bare.timestamp()) + 14 * DAY))


@shows("a", "already_over")
def a_duration(customer, now):
    return cart(customer, caduca=number(14 * DAY))


@shows("a", "already_over")
def the_moment_before(customer, now):
    return cart(customer, caduca=number(int(now.timestamp()) - 14 * DAY))


@shows("a", "another_lifetime")
def fourteen_hours_and_a_bit(customer, now):
    return cart(customer, caduca=number(int(now.timestamp()) + 14 * 3600 + 100))


@shows("a", "another_lifetime")
def four_weeks(customer, now):
    return cart(customer, caduca=number(int(now.timestamp()) + 28 * DAY))


@shows("a", "another_lifetime")
def visible_moment(customer, now):
    return cart(customer, caduca=number(1_788_700_000 + 20 * DAY))


@shows("a", "refused")
def a_bare_number(customer, now):
    return cart(customer, caduca=int(now.timestamp()) + 14 * DAY)


@shows("a", "refused")
def a_number_that_is_no_text(customer, now):
    return cart(customer, caduca={"N": int(now.timestamp()) + 14 * DAY})


@shows("a", "wrong_type")
def only_the_number(customer, now):
    return int(now.timestamp()) + 14 * DAY


@shows("a", "wrong_type")
def forgets_to_return(customer, now):
    seconds(customer, now)


@raises("a")
def adds_days_to_a_number(customer, now):
    return cart(customer, caduca=number(now.timestamp() + datetime.timedelta(days=14)))


@is_untouched("a")
def stub_a(customer, now):
    return ...


given("a", endless, "raised", name="endless")
given("a", {"caduca": {"N": "1"}}, "wrong", "wrong_type", name="an item")

# ── b ─────────────────────────────────────────────────────────────────────────────────

ALIVE = "attribute_not_exists(caduca) OR caduca > :now"


def pages(dynamodb, table, customer, now, **more):
    values = {":pk": {"S": f"CLIENTE#{customer}"}}
    if ":now" in more.get("FilterExpression", ""):
        values[":now"] = {"N": str(now)}
    yield from dynamodb.get_paginator("query").paginate(
        TableName=table, KeyConditionExpression="PK = :pk", ExpressionAttributeValues=values, **more
    )


@is_right("b")
def filter_on_the_server(dynamodb, table, customer, now):
    return [row for page in pages(dynamodb, table, customer, now, FilterExpression=ALIVE) for row in page["Items"]]


@is_right("b")
def filter_here(dynamodb, table, customer, now):
    rows = [row for page in pages(dynamodb, table, customer, now) for row in page["Items"]]
    return [row for row in rows if "caduca" not in row or int(row["caduca"]["N"]) > now]


@is_right("b")
def plain_items(dynamodb, table, customer, now):
    carts = boto3.resource("dynamodb").Table(table)
    condition = Attr("caduca").not_exists() | Attr("caduca").gt(now)
    request = {"KeyConditionExpression": Key("PK").eq(f"CLIENTE#{customer}"), "FilterExpression": condition}
    while True:
        page = carts.query(**request)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


@is_right("b")
def not_expired(dynamodb, table, customer, now):
    condition = "NOT (attribute_exists(caduca) AND caduca <= :now)"
    return [r for page in pages(dynamodb, table, customer, now, FilterExpression=condition) for r in page["Items"]]


@shows("b", "shows_expired")
def no_filter(dynamodb, table, customer, now):
    return [row for page in pages(dynamodb, table, customer, now) for row in page["Items"]]


@shows("b", "shows_expired")
def the_wrong_way_round(dynamodb, table, customer, now):
    condition = "attribute_not_exists(caduca) OR caduca < :now"
    return [r for page in pages(dynamodb, table, customer, now, FilterExpression=condition) for r in page["Items"]]


@shows("b", "drops_the_eternal")
def as_in_the_lesson(dynamodb, table, customer, now):
    condition = "caduca > :now"
    return [r for page in pages(dynamodb, table, customer, now, FilterExpression=condition) for r in page["Items"]]


@shows("b", "one_page")
def first_page(dynamodb, table, customer, now):
    return dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        FilterExpression=ALIVE,
        ExpressionAttributeValues={":pk": {"S": f"CLIENTE#{customer}"}, ":now": {"N": str(now)}},
    )["Items"]


@shows("b", "lost_carts")
def milliseconds(dynamodb, table, customer, now):
    return filter_on_the_server(dynamodb, table, customer, now * 1000)[:1]


@shows("b", "lost_carts")
def every_cart_twice(dynamodb, table, customer, now):
    return filter_on_the_server(dynamodb, table, customer, now) * 2


@shows("b", "lost_carts")
def nothing(dynamodb, table, customer, now):
    return [] if customer else None


@shows("b", "other_customers")
def visible_customer_of_b(dynamodb, table, customer, now):
    return filter_on_the_server(dynamodb, table, "5120", now)


@shows("b", "scan")
def scan(dynamodb, table, customer, now):
    rows = boto3.resource("dynamodb").Table(table).scan()["Items"]
    return [row for row in rows if row["PK"] == f"CLIENTE#{customer}" and row.get("caduca", now + 1) > now]


@shows("b", "deletes")
def cleans_up(dynamodb, table, customer, now):
    for row in no_filter(dynamodb, table, customer, now):
        if "caduca" in row and int(row["caduca"]["N"]) <= now:
            dynamodb.delete_item(TableName=table, Key={"PK": row["PK"], "SK": row["SK"]})
    return filter_on_the_server(dynamodb, table, customer, now)


@shows("b", "wrong_type")
def the_whole_answer(dynamodb, table, customer, now):
    return {"Items": filter_on_the_server(dynamodb, table, customer, now)}


@shows("b", "wrong_type")
def only_names(dynamodb, table, customer, now):
    return [row["SK"]["S"] for row in filter_on_the_server(dynamodb, table, customer, now)]


@raises("b")
def every_cart_has_an_expiry(dynamodb, table, customer, now):
    return [row for row in no_filter(dynamodb, table, customer, now) if int(row["caduca"]["N"]) > now]


@raises("b")
def a_number_as_it_is(dynamodb, table, customer, now):
    return dynamodb.query(
        TableName=table,
        KeyConditionExpression="PK = :pk",
        FilterExpression="caduca > :now",
        ExpressionAttributeValues={":pk": {"S": customer}, ":now": now},
    )["Items"]


@raises("b")
def the_same_page_for_ever(dynamodb, table, customer, now):
    while True:
        first_page(dynamodb, table, customer, now)


@is_untouched("b")
def stub_b(dynamodb, table, customer, now):
    return ...


given("b", endless, "raised", name="endless")
given("b", [], "wrong", "wrong_type", name="a list")

# ── c ─────────────────────────────────────────────────────────────────────────────────


def set_expiry(dynamodb, table, customer, until, **more):
    return dynamodb.update_item(
        TableName=table,
        Key=cart(customer),
        UpdateExpression="SET caduca = :until",
        ExpressionAttributeValues={":until": number(until)},
        **more,
    )


@is_right("c")
def guarded(dynamodb, table, customer, until):
    try:
        set_expiry(dynamodb, table, customer, until, ConditionExpression="attribute_exists(PK)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


@is_right("c")
def guarded_by_the_expiry(dynamodb, table, customer, until):
    try:
        set_expiry(dynamodb, table, customer, until, ConditionExpression="attribute_exists(caduca)")
        return True
    except dynamodb.exceptions.ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return False
        raise


@is_right("c")
def by_resource(dynamodb, table, customer, until):
    carts = boto3.resource("dynamodb").Table(table)
    try:
        carts.update_item(
            Key={"PK": f"CLIENTE#{customer}", "SK": "CARRITO"},
            UpdateExpression="SET caduca = :until",
            ConditionExpression=Attr("SK").exists(),
            ExpressionAttributeValues={":until": until},
        )
    except carts.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True


@is_right("c")
def puts_the_same_cart_back(dynamodb, table, customer, until):
    """Read and put, guarded: dearer by a read, and it undoes what others changed in between."""
    item = dynamodb.get_item(TableName=table, Key=cart(customer), ConsistentRead=True).get("Item")
    if item is None:
        return False
    try:
        dynamodb.put_item(
            TableName=table, Item=item | {"caduca": number(until)}, ConditionExpression="attribute_exists(PK)"
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


@shows("c", "ghost")
def as_in_production(dynamodb, table, customer, until):
    set_expiry(dynamodb, table, customer, until)
    return True


@shows("c", "ghost")
def looks_at_what_was_there(dynamodb, table, customer, until):
    return "Attributes" in set_expiry(dynamodb, table, customer, until, ReturnValues="ALL_OLD")


@shows("c", "race")
def looks_first(dynamodb, table, customer, until):
    if "Item" not in dynamodb.get_item(TableName=table, Key=cart(customer), ConsistentRead=True):
        return False
    set_expiry(dynamodb, table, customer, until)
    return True


@shows("c", "loses_lines")
def puts_a_new_one(dynamodb, table, customer, until):
    try:
        dynamodb.put_item(
            TableName=table, Item=cart(customer, caduca=number(until)), ConditionExpression="attribute_exists(PK)"
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


@shows("c", "not_rescued")
def only_living_ones(dynamodb, table, customer, until):
    try:
        dynamodb.update_item(
            TableName=table,
            Key=cart(customer),
            UpdateExpression="SET caduca = :until",
            ConditionExpression="caduca > :earlier",
            ExpressionAttributeValues={":until": number(until), ":earlier": number(until - 2 * DAY)},
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


@shows("c", "not_rescued")
def says_yes(dynamodb, table, customer, until):
    return bool(customer)


@shows("c", "wrong_expiry")
def milliseconds_of_c(dynamodb, table, customer, until):
    return guarded(dynamodb, table, customer, until * 1000)


@shows("c", "wrong_expiry")
def removes_the_expiry(dynamodb, table, customer, until):
    dynamodb.update_item(TableName=table, Key=cart(customer), UpdateExpression="REMOVE caduca")
    return True


@shows("c", "wrong_expiry")
def as_text(dynamodb, table, customer, until):
    dynamodb.update_item(
        TableName=table,
        Key=cart(customer),
        UpdateExpression="SET caduca = :until",
        ExpressionAttributeValues={":until": {"S": str(until)}},
    )
    return True


@shows("c", "says_the_wrong_thing")
def always_true(dynamodb, table, customer, until):
    guarded(dynamodb, table, customer, until)
    return True


@shows("c", "says_the_wrong_thing")
def always_false(dynamodb, table, customer, until):
    return guarded(dynamodb, table, customer, until) and False


@shows("c", "swallows_refusals")
def catches_everything(dynamodb, table, customer, until):
    try:
        return guarded(dynamodb, table, customer, until)
    except Exception:
        return False


@shows("c", "says_the_wrong_thing")
def catches_and_says_yes(dynamodb, table, customer, until):
    try:
        return guarded(dynamodb, table, customer, until)
    except dynamodb.exceptions.ClientError:
        return True


@shows("c", "wrong_type")
def returns_the_answer(dynamodb, table, customer, until):
    return set_expiry(dynamodb, table, customer, until)


@shows("c", "wrong_type")
def three_arguments(dynamodb, table, customer):
    return guarded(dynamodb, table, customer, 0)


@raises("c")
def lets_the_condition_out(dynamodb, table, customer, until):
    set_expiry(dynamodb, table, customer, until, ConditionExpression="attribute_exists(PK)")
    return True


@raises("c")
def visible_customers(dynamodb, table, customer, until):
    return guarded(dynamodb, table, {"4471": "4471"}[customer], until)


@is_untouched("c")
def stub_c(dynamodb, table, customer, until):
    return ...


given("c", endless, "raised", name="endless")
given("c", True, "wrong", "wrong_type")

# ── d ─────────────────────────────────────────────────────────────────────────────────

SERVICE = {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}


@is_right("d")
def by_the_principal(records):
    return [
        record["dynamodb"]["OldImage"]
        for record in records
        if record.get("userIdentity", {}).get("PrincipalId") == "dynamodb.amazonaws.com"
    ]


@is_right("d")
def by_the_whole_identity(records):
    return [r["dynamodb"]["OldImage"] for r in records if r.get("userIdentity") == SERVICE]


@is_right("d")
def step_by_step(records):
    for record in records:
        if record["eventName"] != "REMOVE" or "userIdentity" not in record:
            continue
        if record["userIdentity"]["Type"] == "Service":
            yield record["dynamodb"]["OldImage"]


@shows("d", "all_removals")
def every_removal(records):
    return [record["dynamodb"]["OldImage"] for record in records if record["eventName"] == "REMOVE"]


@shows("d", "all_removals")
def nobodys(records):
    return [r["dynamodb"]["OldImage"] for r in records if r["eventName"] == "REMOVE" and "userIdentity" not in r]


@shows("d", "guesses_by_expiry")
def expired_when_deleted(records):
    return [
        record["dynamodb"]["OldImage"]
        for record in records
        if record["eventName"] == "REMOVE"
        and int(record["dynamodb"]["OldImage"]["caduca"]["N"])
        < record["dynamodb"]["ApproximateCreationDateTime"].timestamp()
    ]


@shows("d", "not_removed")
def every_old_image(records):
    return [record["dynamodb"]["OldImage"] for record in records if "OldImage" in record["dynamodb"]]


@shows("d", "not_removed")
def every_record(records):
    return [r["dynamodb"].get("OldImage") or r["dynamodb"]["NewImage"] for r in records]


@shows("d", "nothing_found")
def small_letters(records):
    return [r["dynamodb"]["OldImage"] for r in records if r.get("userIdentity", {}).get("type") == "Service"]


@shows("d", "nothing_found")
def another_word(records):
    return [record["dynamodb"]["OldImage"] for record in records if record["eventName"] == "EXPIRE"]


@shows("d", "nothing_found")
def visible_carts(records):
    return [r["dynamodb"]["OldImage"] for r in records if r["dynamodb"]["Keys"]["PK"]["S"] == "CLIENTE#olvidado"]


@shows("d", "keys_only")
def only_the_keys(records):
    return [r["dynamodb"]["Keys"] for r in records if r.get("userIdentity") == SERVICE]


@shows("d", "lost_carts")
def the_first_five(records):
    return by_the_principal(records)[:5]


@shows("d", "lost_carts")
def each_twice(records):
    return by_the_principal(records) * 2


@shows("d", "wrong_type")
def the_records(records):
    return [record for record in records if record.get("userIdentity") == SERVICE]


@shows("d", "wrong_type")
def how_many(records):
    return len(by_the_principal(records))


@raises("d")
def every_record_has_an_identity(records):
    return [r["dynamodb"]["OldImage"] for r in records if r["userIdentity"]["Type"] == "Service"]


@raises("d")
def new_image(records):
    return [r["dynamodb"]["NewImage"] for r in records if r.get("userIdentity") == SERVICE]


@is_untouched("d")
def stub_d(records):
    return ...


given("d", endless, "raised", name="endless")
given("d", [], "wrong", "wrong_type", name="a list")

# ── e ─────────────────────────────────────────────────────────────────────────────────


@is_right("e")
def zero(now):
    return {"N": "0"}


@is_right("e")
def six_years(now):
    return number(now - 6 * 365 * DAY)


@is_right("e")
def below_zero(now):
    return {"N": "-1"}


@is_right("e")
def a_date_of_the_old_shop(now):
    return number(int(datetime.datetime(2019, 1, 1, tzinfo=datetime.UTC).timestamp()))


@shows("e", "not_a_number")
def a_text(now):
    return {"S": str(now - 60)}


@shows("e", "not_a_number")
def null(now):
    return {"NULL": True}


@shows("e", "not_expired")
def milliseconds_of_e(now):
    return number(now * 1000)


@shows("e", "not_expired")
def in_an_hour(now):
    return number(now + 3600)


@shows("e", "deleted")
def a_minute_ago(now):
    return number(now - 60)


@shows("e", "deleted")
def four_years(now):
    return number(now - 4 * 365 * DAY)


@shows("e", "deleted")
def minus_a_little(now):
    return {"N": f"{now - 0.5}"}


@shows("e", "refused")
def no_digits(now):
    return {"N": "ayer"}


@shows("e", "refused")
def python_number(now):
    return {"N": now}


@shows("e", "wrong_type")
def bare_number(now):
    return 0


@shows("e", "wrong_type")
def bare_text(now):
    return "0"


@raises("e")
def a_date(now):
    return number(now.timestamp())


@is_untouched("e")
def stub_e(now):
    return ...


given("e", endless, "raised", name="endless")
given("e", 0, "wrong", "wrong_type")

# ── f ─────────────────────────────────────────────────────────────────────────────────

for gb in (37.2, Decimal("37.2"), Fraction(186, 5), 2.4 * 15.5, np.float64(37.2)):
    given("f", gb, "right", name=f"{type(gb).__name__} {gb}")
given("f", 33.6, "wrong", "forgot_the_lateness")
given("f", 2.4, "wrong", "one_day")
given("f", 3.6, "wrong", "only_the_expired")
given("f", 2.4 * 365, "wrong", "grows_for_ever", name="a year's")
given("f", float("inf"), "wrong", "grows_for_ever", name="infinite")
given("f", 55, "wrong", "elsewhere")
given("f", 0, "wrong", "elsewhere")
given("f", float("nan"), "wrong", "elsewhere", name="no number")
given("f", "37.2", "wrong", "wrong_type", name="text")
given("f", [37.2], "wrong", "wrong_type", name="a list")
given("f", ..., "not attempted", name="the dots")
given("f", None, "not attempted")
