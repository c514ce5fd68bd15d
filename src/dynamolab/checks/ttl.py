"""Exercise 13, time to live: an expiry that fires, readers that see no expired cart, rescues, and who deleted.

Carts are written, read and rescued in a fresh lab, whose clock then goes on for days; customers and hours are not those
of any notebook.
"""

from __future__ import annotations

import datetime as dt
import decimal
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import boto3
from botocore.exceptions import ClientError, ParamValidationError

from ..live import clock
from ..model import ttl as rules
from ..model.meters import MICROSECONDS
from .core import Exercise
from .learner import WRONG_TYPE, Learner, Request, a_function, a_number
from .verdicts import Verdict, right, wrong

exercise = Exercise("ttl")

_TABLE = "carritos-de-prueba"
HOUR, DAY = 3_600, 86_400


def _new_table(client: Any) -> None:
    """Create a table with a sort key, a stream of what is deleted, and TTL on ``caduca`` in force."""
    keys = {"PK": "HASH", "SK": "RANGE"}
    client.create_table(
        TableName=_TABLE,
        KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in keys.items()],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in keys],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    setting = {"Enabled": True, "AttributeName": "caduca"}
    client.update_time_to_live(TableName=_TABLE, TimeToLiveSpecification=setting)
    clock.advance(hours=1)


def _now() -> int:
    return int(clock.time())


def _cart_key(customer: Any, cart: str = "CARRITO") -> dict[str, Any]:
    return {"PK": {"S": f"CLIENTE#{customer}"}, "SK": {"S": cart}}


def _put(client: Any, customer: Any, cart: str = "CARRITO", caduca: int | None = None, filling: int = 40) -> None:
    item = _cart_key(customer, cart) | {"lineas": {"L": [{"S": "leche"}, {"S": "x" * filling}]}}
    client.put_item(TableName=_TABLE, Item=item | ({"caduca": {"N": str(caduca)}} if caduca is not None else {}))
    clock.advance(seconds=0.1)


def _get(client: Any, customer: Any, cart: str = "CARRITO") -> dict[str, Any] | None:
    answer = client.get_item(TableName=_TABLE, Key=_cart_key(customer, cart), ConsistentRead=True)
    item: dict[str, Any] | None = answer.get("Item")
    return item


# ── a: the expiry of a new cart ─────────────────────────────────────────────────────────

LIFETIME = 14 * DAY
"""Seconds that a cart of question a lives."""
_ZONES = (0, 2, -5, 9)


@exercise.question(
    "a",
    asks="Repair new_cart(customer, now), then check it: lab.check('ttl.a', new_cart).",
    hints=(
        "Write down, for one cart, what it stores in caduca: which name, which type, how many digits?",
        "now is an aware datetime, in whatever zone: its timestamp() is seconds since 1970, the same everywhere.",
        "{'N': str(int(now.timestamp()) + 14 * 24 * 3600)}, at the top of the item, under the name caduca.",
    ),
    value="caduca: {'N': str(int(now.timestamp()) + 14 * 24 * 3600)}",
    solution="""
        def new_cart(customer, now):
            expires = int(now.timestamp()) + 14 * 24 * 3600
            return {
                "PK": {"S": f"CLIENTE#{customer}"},
                "SK": {"S": "CARRITO"},
                "caduca": {"N": str(expires)},
                "lineas": {"L": []},
            }
    """,
    road="TTL takes a Number of seconds since 1970 under exactly the table's attribute name, and says nothing to "
    "anything else. Only a look at what is stored, or the metric of deletions, would have told.",
    misconceptions={
        "milliseconds": "milliseconds taken for seconds",
        "not_a_number": "an expiry that is no Number",
        "another_attribute": "the table's TTL attribute is not at the top of the item",
        "wrong_key": "the cart is stored under another key",
        "time_zone": "the clock on the wall taken for seconds since 1970",
        "already_over": "the cart is born expired",
        "another_lifetime": "another lifetime",
        "refused": "DynamoDB refuses the item",
    },
)
def _judge_new_cart(answer: Any, learner: Learner) -> Verdict:
    new_cart = a_function(answer, "new_cart", "customer", "now")
    client = boto3.client("dynamodb")
    _new_table(client)
    draw = random.Random(44_718)
    customers = [str(draw.randrange(1_000, 10_000)) for _ in range(24)]
    began = clock.now()
    calls = []
    for place, customer in enumerate(customers):
        zone = dt.timezone(dt.timedelta(hours=_ZONES[place % len(_ZONES)]))
        calls.append((customer, (began + dt.timedelta(minutes=place)).astimezone(zone)))
    for (customer, now), item in zip(calls, learner.each(new_cart, calls), strict=True):
        if not isinstance(item, Mapping):
            wrong(WRONG_TYPE, f"new_cart should return an item, a dict; it gave {type(item).__name__}.")
        if any(item.get(name) != part for name, part in _cart_key(customer).items()):
            wrong("wrong_key", f"The cart of customer {customer} has to have PK CLIENTE#{customer} and SK CARRITO.")
        try:
            client.put_item(TableName=_TABLE, Item=dict(item))
        except (ClientError, ParamValidationError) as error:
            wrong("refused", f"put_item refused the item: {' '.join(str(error).split())[:220]}")
        _must_expire(item, int(now.timestamp()))
        clock.advance(seconds=0.1)
    clock.move_to(round((began.timestamp() + LIFETIME - HOUR) * MICROSECONDS))
    early = sum(_get(client, customer) is None for customer in customers)
    clock.advance(days=4)
    left = sum(_get(client, customer) is not None for customer in customers)
    if early or left:
        wrong(
            "another_lifetime", f"Of {len(customers)} carts {early} went before their 14 days, {left} stayed for good."
        )
    return right(
        f"{len(customers)} carts, opened in four time zones: an hour before the end of their 14 days all were there, "
        "and some days after it none."
    )


def _must_expire(item: Mapping[str, Any], now: int) -> None:
    """End the judgement if this item's expiry is not ``LIFETIME`` after ``now``, by an hour at most."""
    value = item.get("caduca")
    if not isinstance(value, Mapping):
        wrong(
            "another_attribute", f"The table's TTL names caduca. This item has {', '.join(map(str, item))} at its top."
        )
    if "N" not in value:
        kind = next(iter(value), "nothing")
        wrong("not_a_number", f"caduca is of type {kind}. It was stored, and TTL passes over it without a word.")
    try:
        expires = decimal.Decimal(str(value["N"]))
    except decimal.InvalidOperation:
        wrong("not_a_number", f"caduca holds {value['N']!r}, which is no number.")
    wanted = now + LIFETIME
    if abs(expires - wanted) <= 60:
        return
    off = expires - wanted
    if expires > 10**11:
        wrong(
            "milliseconds",
            f"caduca has {len(str(int(expires)))} digits. Taken for seconds, that is tens of thousands of years ahead.",
        )
    if rules.is_expired({"caduca": {"N": str(expires)}}, "caduca", now * MICROSECONDS):
        wrong(
            "already_over", "caduca lies before the moment in which the cart is opened. Is it a moment, or a duration?"
        )
    if abs(off) <= 14 * HOUR and abs(off) % (HOUR // 4) <= 60:
        wrong(
            "time_zone",
            f"A cart's expiry is {abs(off) / HOUR:g} hours off. Seconds since 1970 are the same in every zone; the "
            "hour on the wall is not.",
        )
    wrong(
        "another_lifetime",
        f"A cart expires {float(expires - now) / DAY:.4g} days after it was opened. 14 were asked for.",
    )


# ── b: only living carts ─────────────────────────────────────────────────────────────────

_BUDGET = 60


@exercise.question(
    "b",
    asks="Write living(dynamodb, table, customer, now), then check it: lab.check('ttl.b', living).",
    hints=(
        "Three kinds of cart: caduca later than now, caduca earlier than now, no caduca. Which of them live?",
        "A comparison with an attribute that is not there is false. attribute_not_exists(caduca) says the other half.",
        "FilterExpression='attribute_not_exists(caduca) OR caduca > :now', {':now': {'N': str(now)}}. A filter may "
        "leave a page empty: go on while there is a LastEvaluatedKey.",
    ),
    value="a Query of the customer, all pages, filter: attribute_not_exists(caduca) OR caduca > :now",
    solution="""
        def living(dynamodb, table, customer, now):
            pages = dynamodb.get_paginator("query").paginate(
                TableName=table,
                KeyConditionExpression="PK = :customer",
                FilterExpression="attribute_not_exists(caduca) OR caduca > :now",
                ExpressionAttributeValues={":customer": {"S": f"CLIENTE#{customer}"}, ":now": {"N": str(now)}},
            )
            return [item for page in pages for item in page["Items"]]
    """,
    road="Expired carts stay for hours or days, so the reader decides. What has no expiry lives for ever, and a page "
    "that the filter empties is not the last one.",
    misconceptions={
        "shows_expired": "expired carts are shown",
        "drops_the_eternal": "carts without an expiry are left out",
        "one_page": "only the first page",
        "lost_carts": "living carts are missing",
        "other_customers": "carts of other customers",
        "scan": "a Scan reads the whole table",
        "deletes": "a reader that changes the table",
    },
)
def _judge_living(answer: Any, learner: Learner) -> Verdict:
    living = a_function(answer, "living", "dynamodb", "table", "customer", "now")
    client = boto3.client("dynamodb")
    _new_table(client)
    draw = random.Random(80_231)
    now = _now()
    alive: dict[str, set[str]] = {"5120": set(), "5121": set(), "5122": set(), "5129": set()}
    expired, eternal = 0, set()
    for customer in list(alive)[:3]:
        for place in range(9):
            kind = (
                draw.choice(("living", "expired", "eternal")) if place > 2 else ("living", "expired", "eternal")[place]
            )
            # Nothing that expired a few minutes ago is deleted within these seconds, but for a cart or two.
            when = {"living": now + draw.randrange(HOUR, 20 * DAY), "expired": now - draw.randrange(20, 300)}.get(kind)
            name = f"CARRITO#{draw.randrange(16**6):06x}"
            _put(client, customer, name, when)
            if kind == "expired":
                expired += 1
            else:
                alive[customer].add(name)
                eternal |= {name} if kind == "eternal" else set()
    # This customer's first megabyte has expired; what lives comes after it.
    for place in range(16):
        _put(client, "5129", f"CARRITO#0{place:02}", now - 60, filling=80_000)
    _put(client, "5129", "CARRITO#9", now + DAY)
    alive["5129"].add("CARRITO#9")
    expired += 16
    clock.advance(seconds=5)
    before = client.scan(TableName=_TABLE, Select="COUNT")["Count"]
    learner.most_requests = _BUDGET
    for customer, wanted in alive.items():
        got = _carts(learner.call(living, client, _TABLE, customer, _now()), customer)
        _must_not_scan(learner.requests)
        if customer == "5129" and not got:
            wrong(
                "one_page",
                "A customer has one living cart after many that have expired, and living returned none. A Query "
                "stops at 1 MB, the filter leaves nothing of that page, and there is a LastEvaluatedKey.",
            )
        _must_live(got, wanted, eternal)
    if client.scan(TableName=_TABLE, Select="COUNT")["Count"] < before - 3:
        wrong("deletes", "After living was called, carts were gone from the table. It is asked to read, not to delete.")
    units = sum(request.units for request in learner.requests)
    return right(
        f"Four customers, {expired} carts expired and still in the table: none of them was shown, and all "
        f"{sum(map(len, alive.values()))} living ones were. All that was read is paid for: {units:g} read units."
    )


def _carts(answered: Any, customer: str) -> list[str]:
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"living should return a list of carts; it gave {type(answered).__name__}.")
    names = []
    for item in answered:
        key = [_plain(item, name) for name in ("PK", "SK")]
        if not all(isinstance(part, str) for part in key):
            wrong(WRONG_TYPE, "Each cart should be an item as the table holds it, with PK and SK.")
        if key[0] != f"CLIENTE#{customer}":
            wrong("other_customers", f"Asked for customer {customer}, living returned a cart of {key[0]}.")
        names.append(key[1])
    return names


def _plain(item: Any, name: str) -> Any:
    value = item.get(name) if isinstance(item, Mapping) else None
    return next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else value


def _must_live(got: Sequence[str], wanted: set[str], eternal: set[str]) -> None:
    dead = set(got) - wanted
    if dead:
        wrong("shows_expired", f"{len(dead)} of {len(got)} carts shown had expired. TTL has not got round to them yet.")
    missing = wanted - set(got)
    if missing and missing <= eternal:
        wrong(
            "drops_the_eternal",
            f"{len(missing)} carts without caduca were left out. They never expire, and a comparison with an "
            "attribute that is not there is not true.",
        )
    if missing or len(got) != len(wanted):
        wrong("lost_carts", f"{len(wanted)} carts of a customer live; living returned {len(got)}.")


def _must_not_scan(requests: Sequence[Request]) -> None:
    if any(request.operation == "Scan" for request in requests):
        wrong(
            "scan",
            "A Scan pays for the carts of all customers to show those of one. The customer is the partition key.",
        )


# ── c: rescue ──────────────────────────────────────────────────────────────────────────────


@exercise.question(
    "c",
    asks="Write rescue(dynamodb, table, customer, until), then check it: lab.check('ttl.c', rescue).",
    hints=(
        "What does update_item do if TTL has deleted the cart a moment ago?",
        "A look before the write does not help: the cart can go between the two. ConditionExpression is checked with "
        "the write.",
        "ConditionExpression='attribute_exists(PK)'. Catch dynamodb.exceptions.ConditionalCheckFailedException, and "
        "only that: then the answer is False.",
    ),
    value="update_item, SET caduca = :until, with attribute_exists(PK); a failed condition, and nothing else, is False",
    solution="""
        def rescue(dynamodb, table, customer, until):
            try:
                dynamodb.update_item(
                    TableName=table,
                    Key={"PK": {"S": f"CLIENTE#{customer}"}, "SK": {"S": "CARRITO"}},
                    UpdateExpression="SET caduca = :until",
                    ConditionExpression="attribute_exists(PK)",
                    ExpressionAttributeValues={":until": {"N": str(until)}},
                )
            except dynamodb.exceptions.ConditionalCheckFailedException:
                return False
            return True
    """,
    road="UpdateItem creates what it does not find. The condition turns that into an answer, in the same step as the "
    "write, so that TTL cannot come between. A refusal for want of capacity is another thing and must not look like "
    "it.",
    misconceptions={
        "not_rescued": "the cart is not rescued",
        "wrong_expiry": "an expiry that TTL does not follow",
        "loses_lines": "the cart loses its lines",
        "ghost": "a cart that was gone comes back empty",
        "race": "TTL can come between the look and the write",
        "says_the_wrong_thing": "what it returns is not what it did",
        "swallows_refusals": "a refused request is taken for a deleted cart",
    },
)
def _judge_rescue(answer: Any, learner: Learner) -> Verdict:
    rescue = a_function(answer, "rescue", "dynamodb", "table", "customer", "until")
    client = boto3.client("dynamodb")
    _new_table(client)
    for customer in ("7001", "7002", "7003"):
        _put(client, customer, caduca=_now() + 2 * DAY)
    _put(client, "7004", caduca=_now() - 1)
    until = _now() + 2 * DAY + 11 * HOUR
    said = _said(learner.call(rescue, client, _TABLE, "7004", until))
    _must_be_rescued(_get(client, "7004"), until, said)
    said = _said(learner.call(rescue, client, _TABLE, "8888", until))
    _must_stay_away(_get(client, "8888"), "ghost", "A cart that TTL had deleted")
    if said:
        wrong("says_the_wrong_thing", "Asked to rescue a cart that was gone, rescue returned True.")
    said = _said(_between(rescue, learner, client, "7001", until))
    _must_stay_away(
        _get(client, "7001"), "race", "TTL deleted the cart between two requests of rescue, and after that the cart"
    )
    if said:
        wrong("says_the_wrong_thing", "The cart was deleted before rescue wrote to it, and rescue returned True.")
    refused = Learner(refuse=lambda request: "ThrottlingException").attempt(rescue, client, _TABLE, "7002", until)
    if refused.error is None and refused.value is False:
        wrong(
            "swallows_refusals",
            "The lab refused the request for want of capacity, and rescue returned False, as if the cart were gone. "
            "Catch the failed condition and nothing else.",
        )
    if refused.error is None:
        wrong(
            "says_the_wrong_thing",
            "The lab refused every request, and rescue did not say so: let the exception through.",
        )
    return right(
        "An expired cart was rescued with its lines; one that was gone stayed away, also when TTL came at the last "
        "moment; and a refused request was not taken for either."
    )


def _said(answer: Any) -> bool:
    if not isinstance(answer, bool):
        wrong(WRONG_TYPE, f"rescue should return True or False; it gave {type(answer).__name__}.")
    return answer


def _must_be_rescued(item: dict[str, Any] | None, until: int, said: bool) -> None:
    if item is None:
        wrong("not_rescued", "An expired cart was still in the table before rescue was called, and was gone after it.")
    expires = rules.expiry(item, "caduca")
    if expires is not None and expires < _now():
        wrong(
            "not_rescued", "The cart had expired and was still there; after rescue its caduca still lies in the past."
        )
    if expires != until:
        wrong(
            "wrong_expiry",
            f"until was {until}; caduca now is {item.get('caduca')}. It takes until as it is: a Number of seconds.",
        )
    if len(item.get("lineas", {}).get("L", [])) != 2:
        wrong(
            "loses_lines",
            "The rescued cart has lost its lines. PutItem replaces the whole item; UpdateItem what it names.",
        )
    if not said:
        wrong("says_the_wrong_thing", "The cart was rescued, and rescue returned False.")


def _must_stay_away(item: dict[str, Any] | None, misconception: str, what: str) -> None:
    if item is not None:
        left = ", ".join(name for name in item if name not in ("PK", "SK")) or "nothing else"
        wrong(misconception, f"{what} was there again, with {left} in it. UpdateItem creates what it does not find.")


def _between(rescue: Callable[..., Any], learner: Learner, client: Any, customer: str, until: int) -> Any:
    """Call rescue while TTL deletes the cart just before rescue's first write."""
    other = boto3.client("dynamodb")
    done: list[str] = []

    def come_between(request: Request) -> None:
        if not done and request.operation in ("UpdateItem", "PutItem", "TransactWriteItems", "ExecuteStatement"):
            done.append(request.operation)
            other.delete_item(TableName=_TABLE, Key=_cart_key(customer))

    return Learner(refuse=come_between).call(rescue, client, _TABLE, customer, until)


# ── d: the stream's tell-tale ───────────────────────────────────────────────────────────────


@exercise.question(
    "d",
    asks="Write archive(records), then check it: lab.check('ttl.d', archive).",
    hints=(
        "Print one record of each kind. In which part do a deletion by the shop and one by TTL differ?",
        "TTL's has userIdentity, {'Type': 'Service', 'PrincipalId': 'dynamodb.amazonaws.com'}. The others do not "
        "have the key at all: record.get('userIdentity').",
        "The cart as it was is record['dynamodb']['OldImage'].",
    ),
    value="OldImage of the records with eventName REMOVE and the service's userIdentity",
    solution="""
        def archive(records):
            return [
                record["dynamodb"]["OldImage"]
                for record in records
                if record["eventName"] == "REMOVE"
                and record.get("userIdentity", {}).get("PrincipalId") == "dynamodb.amazonaws.com"
            ]
    """,
    road="Whether a cart had expired says nothing about who deleted it. The record does: the service signs its own.",
    misconceptions={
        "all_removals": "carts that the shop deleted are archived",
        "guesses_by_expiry": "an expiry in the past taken for a deletion by TTL",
        "not_removed": "carts that were not deleted are archived",
        "nothing_found": "TTL's deletions are not recognised",
        "keys_only": "the key is archived, not the cart",
        "lost_carts": "carts are missing",
    },
)
def _judge_archive(answer: Any, learner: Learner) -> Verdict:
    archive = a_function(answer, "archive", "records")
    client = boto3.client("dynamodb")
    _new_table(client)
    draw = random.Random(12_905)
    customers = draw.sample(range(1_000, 10_000), 28)
    by_shop, over_and_by_shop, by_ttl, kept = customers[:6], customers[6:11], customers[11:20], customers[20:]
    for customer in customers:
        # All but the kept ones have expired when anything is deleted, so that the expiry tells nothing.
        _put(client, customer, caduca=_now() + (DAY * 40 if customer in kept or customer in by_shop else 30))
    clock.advance(minutes=2)
    gone = {customer for customer in customers if _get(client, customer) is None}
    for customer in by_shop + over_and_by_shop:
        if customer not in gone:
            client.delete_item(TableName=_TABLE, Key=_cart_key(customer))
    by_ttl = by_ttl + [customer for customer in over_and_by_shop if customer in gone]
    over_and_by_shop = [customer for customer in over_and_by_shop if customer not in gone]
    for customer in kept[:5]:
        _put(client, customer, caduca=_now() - 10**9)
    stream: dict[str, dict[str, Any]] = {}
    for _ in range(5):
        _read_stream(client, stream)
        clock.advance(hours=12)
    _read_stream(client, stream)
    records = list(stream.values())
    answered = learner.call(archive, records)
    if not isinstance(answered, list | tuple):
        wrong(WRONG_TYPE, f"archive should return a list of carts; it gave {type(answered).__name__}.")
    got = []
    for item in answered:
        pk = _plain(item, "PK")
        if not isinstance(pk, str):
            wrong(WRONG_TYPE, "Each archived cart should be an item as the stream shows it, with PK and lineas.")
        if "lineas" not in item:
            wrong(
                "keys_only",
                "What was archived are keys. The cart as it was before it was deleted is in the record too.",
            )
        got.append(int(pk.removeprefix("CLIENTE#")))
    return _say_what_was_archived(got, set(by_ttl), set(over_and_by_shop), set(by_shop), len(records))


def _read_stream(client: Any, records: dict[str, dict[str, Any]]) -> None:
    """Add the records of the last 24 hours, for which a stream keeps them, to those read before."""
    streams = boto3.client("dynamodbstreams")
    arn = client.describe_table(TableName=_TABLE)["Table"]["LatestStreamArn"]
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        begin = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        iterator = streams.get_shard_iterator(**begin)["ShardIterator"]
        for record in streams.get_records(ShardIterator=iterator)["Records"]:
            records.setdefault(record["dynamodb"]["SequenceNumber"], record)


def _say_what_was_archived(
    got: Sequence[int], by_ttl: set[int], over_and_by_shop: set[int], by_shop: set[int], records: int
) -> Verdict:
    found = set(got)
    if not found:
        wrong(
            "nothing_found",
            f"Of {records} records {len(by_ttl)} are deletions by TTL, and archive returned nothing. Are the names "
            "spelled as in records[-1]? Lambda's events have small letters where boto3 has capitals.",
        )
    if found - by_ttl - by_shop - over_and_by_shop:
        wrong("not_removed", "It archived carts that nobody has deleted. Which eventName does a deletion have?")
    if found & by_shop:
        wrong(
            "all_removals", f"It archived {len(found - by_ttl)} carts that the shop deleted itself, say after payment."
        )
    if found & over_and_by_shop:
        wrong(
            "guesses_by_expiry",
            f"It archived {len(found - by_ttl)} carts that had expired and were then deleted by the shop. Expired is "
            "not yet deleted: the record itself says who did it.",
        )
    if found != by_ttl or len(got) != len(by_ttl):
        wrong("lost_carts", f"TTL deleted {len(by_ttl)} carts; archive returned {len(got)}.")
    return right(
        f"{records} records: the {len(got)} carts that TTL deleted, and none of the "
        f"{len(by_shop) + len(over_and_by_shop)} that the shop did, although {len(over_and_by_shop)} of those had "
        "expired as well."
    )


# ── e: an expired item that is never deleted ───────────────────────────────────────────────

_YEARS = 5 * 365 * DAY


@exercise.question(
    "e",
    asks="Write undead(now), then check it: lab.check('ttl.e', undead).",
    hints=(
        "The rule of what counts as an expiry has one exception that hides in the number itself.",
        "Somebody sets caduca to 0, to be rid of the cart at once. What happens?",
        "An expiry more than five years in the past is ignored: now - 6 * 365 * 24 * 3600.",
    ),
    value="any number of seconds more than five years before now, such as 0",
    solution="""
        def undead(now):
            return {"N": str(now - 6 * 365 * 24 * 3600)}
    """,
    road="DynamoDB takes an expiry more than five years past for a mistake and leaves the item alone. So 0, or a "
    "date of the old shop carried over, makes an item that every reader hides and nobody deletes.",
    misconceptions={
        "not_a_number": "a value that is no Number",
        "not_expired": "an expiry that is still to come",
        "deleted": "DynamoDB deletes it",
        "refused": "DynamoDB refuses the value",
    },
)
def _judge_undead(answer: Any, learner: Learner) -> Verdict:
    undead = a_function(answer, "undead", "now")
    client = boto3.client("dynamodb")
    _new_table(client)
    now = _now()
    value = learner.call(undead, now)
    if not isinstance(value, Mapping):
        wrong(
            WRONG_TYPE,
            f"undead should return an attribute's value, such as {{'N': '1'}}; it gave {type(value).__name__}.",
        )
    try:
        client.put_item(TableName=_TABLE, Item=_cart_key("1") | {"caduca": dict(value)})
    except (ClientError, ParamValidationError) as error:
        wrong("refused", f"put_item refused it: {' '.join(str(error).split())[:220]}")
    if set(value) != {"N"}:
        wrong(
            "not_a_number",
            f"A value of type {next(iter(value), 'nothing')} is no expiry at all. Look for one that is a Number.",
        )
    if not rules.is_expired({"caduca": value}, "caduca", now * MICROSECONDS):
        wrong("not_expired", "caduca lies in the future: this cart lives. It is to have expired already.")
    clock.advance(days=30)
    if _get(client, "1") is None:
        wrong("deleted", "30 days later the cart is gone: TTL did what it is there for. How far back does it look?")
    return right("Expired before it was written, and still there 30 days later: TTL does not look that far back.")


# ── f: how large the table stays ────────────────────────────────────────────────────────────

GB_A_DAY, DAYS, LATE = 2.4, 14, 1.5
SIZE = GB_A_DAY * (DAYS + LATE)


@exercise.question(
    "f",
    asks="Put a number of GB in place of the dots: gb.",
    hints=(
        "A table stops growing when as much leaves in a day as comes in. How old is a cart when it leaves?",
        "Carts leave when they are deleted, not when they expire. So how many days of inflow are in the table?",
    ),
    value=f"{SIZE:g}: 2.4 GB a day times 15.5 days",
    solution=f"gb = {SIZE:g}",
    road="The size is the inflow times the time that a cart stays: its lifetime and the lateness of its deletion.",
    misconceptions={
        "forgot_the_lateness": "expired carts counted as gone",
        "one_day": "one day's inflow",
        "only_the_expired": "only the expired carts counted",
        "grows_for_ever": "a table that grows for ever",
        "elsewhere": "another number",
    },
)
def _judge_size(answer: Any, learner: Learner) -> Verdict:
    gb = a_number(answer, "GB in the table")
    if abs(gb - SIZE) <= 0.05:
        return right(f"{gb:g} GB: {GB_A_DAY:g} a day for the {DAYS + LATE:g} days that a cart stays in the table.")
    if abs(gb - GB_A_DAY * DAYS) <= 0.05:
        wrong(
            "forgot_the_lateness",
            "So it would be if carts went in the moment they expire. Until then they are stored, and billed.",
        )
    if abs(gb - GB_A_DAY) <= 0.05:
        wrong("one_day", "That comes in one day. How many days' worth are in the table at a time?")
    if abs(gb - GB_A_DAY * LATE) <= 0.05:
        wrong("only_the_expired", "That much has expired and is still there. The living carts are in the table too.")
    if gb >= GB_A_DAY * 100:
        wrong("grows_for_ever", "After the first weeks as much is deleted every day as comes in.")
    wrong(
        "elsewhere", "How many days does a cart stay in the table, from the moment it is written until it is deleted?"
    )
