"""What the fuzzer asks for: values, items, expressions; each expression can also be worked out here."""

from __future__ import annotations

import decimal
import random
from dataclasses import dataclass, field
from typing import Any

from .arithmetic import Item, Value, item_bytes, number, order, same

FREE = ("a", "b", "c")
"""Attributes of any type; ``n`` is a number, ``g1`` to ``g3`` are for indexes, ``exp`` for TTL, ``pad`` for size."""

INDEX_TYPES = {"g1": "S", "g2": "N", "g3": "B"}
_TEXTS = ("", "x", "ñandú", "日本", "𝄞", "a b'c\"d", "0" * 50)


class WrongUpdate(Exception):
    """The service refuses what the update asks of this item."""


# --- values -----------------------------------------------------------------------------------------------------------


def numeral(rng: random.Random) -> str:
    return rng.choice(
        (
            str(rng.randint(-5, 5)),
            f"{rng.randint(-99999, 99999) / 100}",
            "1E+10",
            "-0.00",
            "007.50",
            "9" * 38,
            "1" + "0" * 30,
            "-1.5E-20",
            "9.9E+125",
            "1E-130",
        )
    )


def scalar(rng: random.Random, kind: str) -> Value:
    if kind == "S":
        return {"S": rng.choice(_TEXTS)}
    if kind == "N":
        return {"N": numeral(rng)}
    if kind == "B":
        return {"B": bytes(rng.randrange(256) for _ in range(rng.randint(0, 5)))}
    return {kind: kind == "NULL" or rng.random() < 0.5}


def any_value(rng: random.Random, depth: int = 0) -> Value:
    kind = rng.choice(("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")[: 10 if depth < 3 else 5])
    few = rng.randint(1, 3)
    if kind == "SS":
        return {"SS": rng.sample(_TEXTS[1:], few)}
    if kind == "NS":
        return {"NS": rng.sample(("0", "1", "-2", "3.5", "1E+3"), few)}
    if kind == "BS":
        return {"BS": rng.sample((b"\x00", b"ab", b"\xff\xfe", b"z"), few)}
    if kind == "L":
        return {"L": [any_value(rng, depth + 1) for _ in range(few - 1)]}
    if kind == "M":
        return {"M": {rng.choice("xyzé"): any_value(rng, depth + 1) for _ in range(few)}}
    return scalar(rng, kind)


def key_value(rng: random.Random, kind: str, several: int = 5) -> Value:
    """One of few values, the first of them the most often: a skewed key."""
    place = min(rng.randrange(several), rng.randrange(several))
    if kind == "S":
        return {"S": ("hot", "b", "ñ", "k3", "k4", "k5", "k6")[place]}
    if kind == "N":
        return {"N": ("1", "2.50", "-3", "1E+3", "0", "17", "0.1")[place]}
    return {"B": (b"hot", b"\x00", b"\xff\x01", b"k", b"kk", b"kkk", b"\x80")[place]}


def fill(item: Item, rng: random.Random, wanted: int | None = None) -> Item:
    """Add ``pad``, so that the item's size is often just at an edge."""
    base = item_bytes(item) + 3
    if wanted is None:
        chance = rng.random()
        if chance < 0.5:
            return item
        kb = 1024
        wanted = (
            rng.choice((1, 2, 4, 8)) * kb + rng.choice((-1, 0, 1))
            if chance < 0.75
            else rng.randint(5, 60) * kb
            if chance < 0.9
            else rng.randint(200, 398) * kb
            if chance < 0.95
            else 400 * kb + rng.choice((-1000, 0, 0, 1, 1, 60_000))
        )
    if wanted > base:
        item["pad"] = {"S": "p" * (wanted - base)} if rng.random() < 0.7 else {"B": b"p" * (wanted - base)}
    return item


def attributes(rng: random.Random, now: int) -> Item:
    """What an item may hold besides its key."""
    item: Item = {}
    for name, kind in INDEX_TYPES.items():
        chance = rng.random()
        if chance < 0.6:
            item[name] = key_value(rng, kind, 4)
        elif chance < 0.63:
            item[name] = scalar(rng, rng.choice("SNB"))
    if rng.random() < 0.6:
        item["n"] = {"N": str(rng.randint(-9, 9))}
    for name in FREE:
        if rng.random() < 0.35:
            item[name] = any_value(rng)
    if rng.random() < 0.5:
        item["exp"] = expiry(rng, now)
    return item


def expiry(rng: random.Random, now: int) -> Value:
    chance = rng.random()
    if chance < 0.1:
        return any_value(rng)
    seconds = rng.choice((-200_000_000, -4000, -1, 0, 1, 60, 3600, 7200, 86_400, 400_000))
    return {"N": str(now // 1_000_000 + seconds) + (".5" if chance > 0.95 else "")}


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass
class Writing:
    """Names and values of one request's expressions."""

    names: dict[str, str] = field(default_factory=dict)
    values: Item = field(default_factory=dict)

    def name(self, attribute: str) -> str:
        short = f"#{attribute}"
        self.names[short] = attribute
        return short

    def value(self, value: Value) -> str:
        short = f":v{len(self.values)}"
        self.values[short] = value
        return short

    def into(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.values:
            request["ExpressionAttributeValues"] = self.values
        return request


Condition = tuple[Any, ...]


def condition(rng: random.Random, names: tuple[str, ...], depth: int = 0) -> Condition:
    name = rng.choice(names)
    kind = rng.choice(
        ("exists", "missing", "compare", "compare", "between", "begins", "contains", "type", "in", "size", "both")
        + (("not", "and", "or") if depth < 2 else ())
    )
    plain = rng.choice("SNB")
    if kind == "compare":
        sign = rng.choice(("=", "<>", "<", "<=", ">", ">="))
        return kind, name, sign, any_value(rng) if sign in ("=", "<>") and rng.random() < 0.3 else _operand(rng, plain)
    if kind == "between":
        low, high = sorted((_operand(rng, plain), _operand(rng, plain)), key=order)
        return kind, name, low, high
    if kind == "begins":
        return kind, name, rng.choice(({"S": rng.choice(("", "h", "x", "k"))}, {"B": b"h"}))
    if kind == "size":
        return kind, name, rng.choice(("=", "<", ">=")), {"N": str(rng.randint(0, 4))}
    if kind == "both":
        return kind, name, rng.choice(("=", "<", ">=")), rng.choice([other for other in names if other != name])
    if kind == "contains":
        return kind, name, _operand(rng, plain)
    if kind == "type":
        return kind, name, rng.choice(("S", "N", "B", "L", "M", "SS", "BOOL", "NULL"))
    if kind == "in":
        return kind, name, [_operand(rng, plain), _operand(rng, rng.choice("SNB"))]
    if kind == "not":
        return kind, condition(rng, names, depth + 1)
    if kind in ("and", "or"):
        return kind, condition(rng, names, depth + 1), condition(rng, names, depth + 1)
    return kind, name


def _operand(rng: random.Random, kind: str) -> Value:
    return key_value(rng, kind) if rng.random() < 0.6 else scalar(rng, kind)


def written(node: Condition, writing: Writing) -> str:
    kind, *rest = node
    if kind == "not":
        return f"NOT ({written(rest[0], writing)})"
    if kind in ("and", "or"):
        return f"({written(rest[0], writing)}) {kind.upper()} ({written(rest[1], writing)})"
    name = writing.name(rest[0])
    if kind == "compare":
        return f"{name} {rest[1]} {writing.value(rest[2])}"
    if kind == "size":
        return f"size({name}) {rest[1]} {writing.value(rest[2])}"
    if kind == "both":
        return f"{name} {rest[1]} {writing.name(rest[2])}"
    if kind == "between":
        return f"{name} BETWEEN {writing.value(rest[1])} AND {writing.value(rest[2])}"
    if kind == "in":
        return f"{name} IN ({', '.join(map(writing.value, rest[1]))})"
    if kind == "type":
        return f"attribute_type({name}, {writing.value({'S': rest[1]})})"
    words = {"begins": "begins_with", "contains": "contains"}
    if kind in words:
        return f"{words[kind]}({name}, {writing.value(rest[1])})"
    return f"attribute_{'exists' if kind == 'exists' else 'not_exists'}({name})"


def names_in(node: Condition) -> set[str]:
    """The attributes that a condition speaks of."""
    kind, *rest = node
    return (
        set().union(*map(names_in, rest))
        if kind in ("not", "and", "or")
        else {rest[0], rest[2 if kind == "both" else 0]}
    )


def holds(node: Condition, item: Item | None) -> bool:
    """Whether the condition is true of the item, None for no item."""
    kind, *rest = node
    if kind == "not":
        return not holds(rest[0], item)
    if kind == "and":
        return holds(rest[0], item) and holds(rest[1], item)
    if kind == "or":
        return holds(rest[0], item) or holds(rest[1], item)
    there = (item or {}).get(rest[0])
    if kind in ("exists", "missing"):
        return (there is not None) == (kind == "exists")
    if kind == "both":
        other = (item or {}).get(rest[2])
        return there is not None and other is not None and _compared(there, rest[1], other)
    if there is None:
        return kind == "compare" and rest[1] == "<>"
    ((type_, content),) = there.items()
    if kind == "compare":
        return _compared(there, rest[1], rest[2])
    if kind == "size":
        return type_ not in ("N", "BOOL", "NULL") and _compared({"N": str(len(content))}, rest[1], rest[2])
    if kind == "between":
        return _compared(there, ">=", rest[1]) and _compared(there, "<=", rest[2])
    if kind == "in":
        return any(same(there) == same(each) for each in rest[1])
    if kind == "type":
        return bool(type_ == rest[1])
    if kind == "begins":
        ((wanted, start),) = rest[1].items()
        return type_ == wanted and bool(content.startswith(start))
    ((wanted, member),) = rest[1].items()
    if type_ in ("S", "B") and type_ == wanted:
        return member in content
    if type_ in ("SS", "NS", "BS") and type_[0] == wanted:
        return same(rest[1])[1] in same(there)[1]
    return type_ == "L" and same(rest[1]) in [same(each) for each in content]


def _compared(there: Value, sign: str, value: Value) -> bool:
    if sign in ("=", "<>"):
        return (same(there) == same(value)) == (sign == "=")
    if there.keys() != value.keys() or not there.keys() <= {"S", "N", "B"}:
        return False
    one, other = order(there), order(value)
    return bool({"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[sign])


def inside(value: Value, path: str) -> Value | None:
    """What a projection shows of a value of which it names one part: ``.x`` or ``[1]``."""
    ((kind, content),) = value.items()
    if path == ".x":
        return {"M": {"x": content["x"]}} if kind == "M" and "x" in content else None
    return {"L": [content[1]]} if kind == "L" and len(content) > 1 else None


Action = tuple[Any, ...]


def update(rng: random.Random, now: int, forbidden: tuple[str, ...]) -> list[Action]:
    """Some actions, each on an attribute of its own."""
    names = [name for name in (*FREE, "n", "g1", "g2", "g3", "exp", "pad") if name not in forbidden]
    actions: list[Action] = []
    for name in rng.sample(names, rng.choice((1, 1, 2, 3))):
        if name == "pad":
            room = fill({}, rng).get("pad", {"S": "short"})
            actions.append(("set", name, room) if rng.random() < 0.7 else ("remove", name))
        elif name == "n":
            kind = rng.choice(("plus", "minus", "add", "default", "set"))
            value = {"N": str(rng.randint(-3, 9))}
            actions.append((kind, name, value))
        elif name in INDEX_TYPES:
            value = key_value(rng, INDEX_TYPES[name], 4) if rng.random() < 0.95 else scalar(rng, rng.choice("SNB"))
            actions.append(rng.choice((("set", name, value), ("set", name, value), ("remove", name))))
        elif name == "exp":
            actions.append(("set", name, expiry(rng, now)) if rng.random() < 0.8 else ("remove", name))
        else:
            kind = rng.choice(("set", "set", "remove", "default", "append", "add", "delete", "inside", "copy"))
            value = any_value(rng)
            if kind == "append":
                value = {"L": [any_value(rng, 2) for _ in range(rng.randint(0, 2))]}
            elif kind in ("add", "delete"):
                value = rng.choice(({"SS": ["x", "日本"]}, {"NS": ["1", "-2"]}, {"BS": [b"ab"]}, {"SS": ["x"]}))
            actions.append((kind, name, value))
    return actions


def update_text(actions: list[Action], writing: Writing) -> str:
    clauses: dict[str, list[str]] = {}
    for kind, name, *rest in actions:
        short = writing.name(name)
        value = writing.value(rest[0]) if rest and kind not in ("copy", "remove") else ""
        clause, text = {
            "set": ("SET", f"{short} = {value}"),
            "plus": ("SET", f"{short} = {short} + {value}"),
            "minus": ("SET", f"{short} = {short} - {value}"),
            "default": ("SET", f"{short} = if_not_exists({short}, {value})"),
            "append": ("SET", f"{short} = list_append({short}, {value})"),
            "inside": ("SET", f"{short}.x = {value}"),
            "copy": ("SET", f"{short} = {writing.name('n') if kind == 'copy' else ''}"),
            "remove": ("REMOVE", short),
            "add": ("ADD", f"{short} {value}"),
            "delete": ("DELETE", f"{short} {value}"),
        }[kind]
        clauses.setdefault(clause, []).append(text)
    return " ".join(f"{clause} {', '.join(texts)}" for clause, texts in clauses.items())


def updated(actions: list[Action], key: Item, before: Item | None) -> Item:
    """The item after the update; raises WrongUpdate where the service refuses it."""
    old = dict(before or key)
    new = dict(old)
    for kind, name, *rest in actions:
        there = old.get(name)
        if kind == "set":
            new[name] = rest[0]
        elif kind == "remove":
            new.pop(name, None)
        elif kind == "default":
            new[name] = rest[0] if there is None else there
        elif kind == "copy":
            if "n" not in old:
                raise WrongUpdate
            new[name] = old["n"]
        elif kind in ("plus", "minus"):
            if there is None or "N" not in there:
                raise WrongUpdate
            new[name] = _sum(there["N"], rest[0]["N"], 1 if kind == "plus" else -1)
        elif kind == "append":
            if there is None or "L" not in there:
                raise WrongUpdate
            new[name] = {"L": [*there["L"], *rest[0]["L"]]}
        elif kind == "inside":
            if there is None or "M" not in there:
                raise WrongUpdate
            new[name] = {"M": {**there["M"], "x": rest[0]}}
        elif kind == "add":
            new[name] = _added(there, rest[0])
        else:
            _delete(new, name, there, rest[0])
    return new


def _sum(one: str, other: str, sign: int) -> Value:
    total = number(one) + sign * number(other)
    return {"N": f"{decimal.Context(prec=60).normalize(total):f}"}


def _added(there: Value | None, value: Value) -> Value:
    if there is None:
        return value
    ((kind, content),) = value.items()
    if kind not in there:
        raise WrongUpdate
    if kind == "N":
        return _sum(there["N"], content, 1)
    return {kind: [*there[kind], *(m for m in content if same({kind[0]: m}) not in _members(there))]}


def _members(value: Value) -> list[Any]:
    ((kind, content),) = value.items()
    return [same({kind[0]: member}) for member in content]


def _delete(new: Item, name: str, there: Value | None, value: Value) -> None:
    if there is None:
        return
    ((kind, content),) = value.items()
    if kind not in there:
        raise WrongUpdate
    left = [m for m in there[kind] if same({kind[0]: m}) not in _members(value)]
    if left:
        new[name] = {kind: left}
    else:
        new.pop(name)
