"""Expressions, read as the service reads them: what is wrong with one is refused before anything else is looked at.

moto reads an expression only as far as it needs it, takes many that the service refuses, and fails on others with words
of its own. Here each is parsed whole, by the grammar of "Using expressions in DynamoDB" (AWS Developer Guide), and its
faults are told in the service's order and words; what passes, moto carries out. The words are those that the test
suites of dynalite and of paritysuite/dynamodb-conformance recorded of the service.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn

from moto.dynamodb.exceptions import MockValidationException
from moto.dynamodb.parsing.reserved_keywords import ReservedKeywords

from ..model import sizes

MAX_BYTES = 4096
MAX_OPERATORS = 300
MAX_IN_OPERANDS = 100
"""Quotas in Amazon DynamoDB: Expression parameters."""

_TOKEN = re.compile(
    r"\s*(?:(?P<word>[A-Za-z][A-Za-z0-9_]*)|(?P<name>\#[A-Za-z0-9_]+)|(?P<value>:[A-Za-z0-9_]+)"
    r"|(?P<number>[0-9]+)|(?P<sign><>|<=|>=|[=<>()\[\],.+-])|(?P<other>\S))"
)
_PLACEHOLDER = re.compile("[#:][0-9a-zA-Z_]+")
_KEYWORDS = ("AND", "OR", "NOT", "BETWEEN", "IN")
_COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
_SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")
_CONDITION_FUNCTIONS = {
    "attribute_exists": 1,
    "attribute_not_exists": 1,
    "attribute_type": 2,
    "begins_with": 2,
    "contains": 2,
    "size": 1,
}
_UPDATE_FUNCTIONS = {"if_not_exists": 2, "list_append": 2, "+": 2, "-": 2}
_ORDERED = ("S", "N", "B")
_TYPE_NAMES = ("S", "N", "B", "NULL", "SS", "BOOL", "L", "BS", "NS", "M")
_IN_WORDS = {"S": "STRING", "N": "NUMBER", "B": "BINARY", "NULL": "NULL", "BOOL": "BOOLEAN", "L": "LIST", "M": "MAP"}

# What goes with what: the expressions of an operation, and its older parameters that say the same in another way.
_CONDITION, _READ = ("ConditionExpression",), ("ProjectionExpression",)
_MEMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "PutItem": (_CONDITION, ("Expected", "ConditionalOperator")),
    "DeleteItem": (_CONDITION, ("Expected", "ConditionalOperator")),
    "UpdateItem": (("UpdateExpression", *_CONDITION), ("AttributeUpdates", "Expected", "ConditionalOperator")),
    "GetItem": (_READ, ("AttributesToGet",)),
    "Query": (
        (*_READ, "FilterExpression", "KeyConditionExpression"),
        ("AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"),
    ),
    "Scan": ((*_READ, "FilterExpression"), ("AttributesToGet", "ScanFilter", "ConditionalOperator")),
}
# The order in which the service reads the expressions of a request.
_ORDER = (
    "UpdateExpression",
    "ConditionExpression",
    "KeyConditionExpression",
    "FilterExpression",
    "ProjectionExpression",
)


def refuse(message: str | None) -> None:
    """Raise the service's ValidationException with this message; None lets the request pass."""
    if message is not None:
        raise MockValidationException(message)


# --- what an expression consists of -------------------------------------------------------------------------


@dataclass(frozen=True)
class Path:
    """A document path as it is written: names, names that stand for others (``#x``), positions in a list."""

    parts: tuple[str | int, ...]


@dataclass(frozen=True)
class Ref:
    """A value of the request: ``:v``."""

    name: str


@dataclass(frozen=True)
class Call:
    """A function, or ``+`` or ``-``, with its operands."""

    name: str
    operands: tuple[Node, ...]


@dataclass(frozen=True)
class Condition:
    """A comparison, BETWEEN, IN, AND, OR or NOT, with its operands."""

    operator: str
    operands: tuple[Node, ...]


Node = Path | Ref | Call | Condition


@dataclass(frozen=True)
class Parsed:
    """An expression that can be read: a condition, or the sections of an update, or the paths of a projection."""

    condition: Node | None = None
    sections: tuple[tuple[str, tuple[tuple[Path, Node | None], ...]], ...] = ()
    paths: tuple[Path, ...] = ()
    redundant: bool = False
    """Whether parentheses stand directly in parentheses."""
    operators: int = 0
    by_value: bool = False
    """Whether what is wrong with it may depend on the values, and not on their types alone."""


class _Unreadable(Exception):
    """The expression breaks off the grammar; the message names the token."""


class _Parser:
    """Reads one expression; :class:`_Unreadable` at the first token that cannot stand where it stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            (str(match.lastgroup), match[match.lastgroup or 0], match.start(match.lastgroup or 0), match.end())
            for match in _TOKEN.finditer(text)
        ]
        self.place = 0
        self.operators = 0
        self.redundant = False

    # Tokens

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        place = self.place + ahead
        return self.tokens[place][:2] if place < len(self.tokens) else ("end", "")

    def fail(self) -> NoReturn:
        place = self.place
        token = self.tokens[place][1] if place < len(self.tokens) else "<EOF>"
        around = self.tokens[max(place - 1, 0) : place + 2]
        near = self.text[around[0][2] : around[-1][3]] if around else ""
        raise _Unreadable(f'Syntax error; token: "{token}", near: "{near}"')

    def sign(self, text: str) -> bool:
        """Take this sign if it comes next."""
        found = self.peek() == ("sign", text)
        self.place += found
        return found

    def keyword(self, *words: str) -> str | None:
        """Take one of these words, in any case, if one comes next."""
        kind, text = self.peek()
        if kind == "word" and text.upper() in words:
            self.place += 1
            return text.upper()
        return None

    def need(self, taken: Any) -> None:
        if not taken:
            self.fail()

    # Operands

    def path(self) -> Path:
        kind, text = self.peek()
        self.need(kind in ("word", "name") and not (kind == "word" and text.upper() in _KEYWORDS))
        self.place += 1
        parts: list[str | int] = [text]
        while True:
            if self.sign("."):
                kind, text = self.peek()
                self.need(kind in ("word", "name"))
                parts.append(text)
                self.place += 1
            elif self.sign("["):
                kind, text = self.peek()
                self.need(kind == "number")
                parts.append(int(text))
                self.place += 1
                self.need(self.sign("]"))
            else:
                return Path(tuple(parts))

    def operand(self, inner: Callable[[], Node]) -> Node:
        kind, text = self.peek()
        if kind == "value":
            self.place += 1
            return Ref(text)
        if kind == "word" and self.peek(1) == ("sign", "(") and text.upper() not in _KEYWORDS:
            self.place += 2
            self.operators += 1
            operands = [inner()]
            while self.sign(","):
                operands.append(inner())
            self.need(self.sign(")"))
            return Call(text, tuple(operands))
        return self.path()

    # Conditions

    def condition(self) -> Parsed:
        node = self.either()
        self.need(self.place == len(self.tokens))
        self.need(_is_condition(node))
        return Parsed(node, redundant=self.redundant, operators=self.operators)

    def either(self) -> Node:
        return self._joined("OR", self.both)

    def both(self) -> Node:
        return self._joined("AND", self.negated)

    def _joined(self, word: str, part: Callable[[], Node]) -> Node:
        parts = [part()]
        while self.peek()[0] == "word" and self.peek()[1].upper() == word:
            self.need(_is_condition(parts[-1]))
            self.place += 1
            self.operators += 1
            parts.append(part())
        self.need(len(parts) == 1 or _is_condition(parts[-1]))
        return parts[0] if len(parts) == 1 else Condition(word, tuple(parts))

    def negated(self) -> Node:
        if self.keyword("NOT"):
            self.operators += 1
            node = self.negated()
            self.need(_is_condition(node))
            return Condition("NOT", (node,))
        return self.compared()

    def compared(self) -> Node:
        left = self.one()
        if isinstance(left, Condition):
            return left
        kind, text = self.peek()
        if kind == "sign" and text in _COMPARISONS:
            self.place += 1
            self.operators += 1
            return Condition(text, (left, self.one()))
        word = self.keyword("BETWEEN", "IN")
        if word is None:
            return left
        self.operators += 1
        if word == "BETWEEN":
            low = self.one()
            self.need(self.keyword("AND"))
            return Condition(word, (left, low, self.one()))
        self.need(self.sign("("))
        choices = [self.one()]
        while self.sign(","):
            choices.append(self.one())
        self.need(self.sign(")"))
        return Condition(word, (left, *choices))

    def one(self) -> Node:
        """An operand, or whatever stands in parentheses."""
        if not self.sign("("):
            return self.operand(self.one)
        begin = self.place
        node = self.either()
        self.need(self.sign(")"))
        if self.tokens[begin][1] == "(" and self._closes(begin) == self.place - 2:
            self.redundant = True
        return node

    def _closes(self, opening: int) -> int:
        """The place of the parenthesis that closes the one at ``opening``."""
        depth = 0
        for place in range(opening, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[place][1], 0)
            if depth == 0:
                return place
        return -1

    # Updates and projections

    def update(self) -> Parsed:
        sections: list[tuple[str, tuple[tuple[Path, Node | None], ...]]] = []
        while self.place < len(self.tokens) or not sections:
            word = self.keyword(*_SECTIONS)
            self.need(word)
            actions = [self.action(str(word))]
            while self.sign(","):
                actions.append(self.action(str(word)))
            sections.append((str(word), tuple(actions)))
        return Parsed(sections=tuple(sections), operators=self.operators)

    def action(self, section: str) -> tuple[Path, Node | None]:
        path = self.path()
        if section == "REMOVE":
            return path, None
        if section != "SET":
            kind, text = self.peek()
            self.need(kind == "value")
            self.place += 1
            return path, Ref(text)
        self.need(self.sign("="))
        return path, self.sum()

    def sum(self) -> Node:
        left = self.term()
        for sign in ("+", "-"):
            if self.sign(sign):
                self.operators += 1
                return Call(sign, (left, self.term()))
        return left

    def term(self) -> Node:
        if not self.sign("("):
            return self.operand(self.sum)
        node = self.sum()
        self.need(self.sign(")"))
        return node

    def projection(self) -> Parsed:
        paths = [self.path()]
        while self.sign(","):
            paths.append(self.path())
        self.need(self.place == len(self.tokens))
        return Parsed(paths=tuple(paths))


def _is_condition(node: Node) -> bool:
    # A function may stand alone; size may not, which is told later and in other words.
    return isinstance(node, Condition | Call)


@functools.lru_cache(maxsize=1024)
def _parsed(member: str, text: str) -> Parsed | str:
    """The expression, or the fault for which it cannot be read."""
    if not text:
        return "The expression can not be empty;"
    size = len(text.encode())
    if size > MAX_BYTES:
        return f"Expression size has exceeded the maximum allowed size; expression size: {size}"
    parser = _Parser(text)
    try:
        if member == "UpdateExpression":
            parsed = parser.update()
        elif member == "ProjectionExpression":
            parsed = parser.projection()
        else:
            parsed = parser.condition()
    except _Unreadable as fault:
        return str(fault)
    if parsed.operators > MAX_OPERATORS:
        return f"The expression contains too many operators; operator count: {parsed.operators}"
    return dataclasses.replace(parsed, by_value="between" in text.lower() or "attribute_type" in text)


# --- what is wrong with one that can be read ----------------------------------------------------------------


@dataclass
class _Check:
    """The names and values of a request, what its expressions used of them, and the faults of one expression."""

    names: Mapping[str, str]
    values: Mapping[str, Mapping[str, Any]]
    used: set[str] = field(default_factory=set)
    faults: dict[str, str] = field(default_factory=dict)

    def fault(self, kind: str, message: str) -> None:
        """Keep the first fault of each kind."""
        self.faults.setdefault(kind, message)

    def first(self, *kinds: str) -> str | None:
        """The fault that the service tells, of these kinds in this order."""
        return next((self.faults[kind] for kind in kinds if kind in self.faults), None)

    # Names and values

    def resolved(self, path: Path) -> tuple[str | int, ...]:
        """The path with its names filled in; faults in its names are kept."""
        parts: list[str | int] = []
        for part in path.parts:
            if isinstance(part, str) and part.startswith("#"):
                self.used.add(part)
                if part not in self.names:
                    words = "An expression attribute name used in the document path is not defined; attribute name"
                    self.fault("name", f"{words}: {part}")
                    self.fault("name or value", f"{words}: {part}")
                parts.append(self.names.get(part, part))
            else:
                if isinstance(part, str) and part.upper() in _reserved():
                    self.fault("reserved", f"Attribute name is a reserved keyword; reserved keyword: {part}")
                parts.append(part)
        return tuple(parts)

    def typed(self, node: Node) -> str | None:
        """The type of an operand, where it is known before an item is read."""
        if isinstance(node, Ref) and node.name in self.values:
            return next(iter(self.values[node.name]), None)
        return "N" if isinstance(node, Call) and node.name == "size" else None

    def refer(self, node: Ref) -> None:
        """Note that a value is used, and whether there is none of that name."""
        self.used.add(node.name)
        if node.name not in self.values:
            words = "An expression attribute value used in expression is not defined; attribute value"
            self.fault("value", f"{words}: {node.name}")
            self.fault("name or value", f"{words}: {node.name}")

    # Conditions

    def condition(self, parsed: Parsed) -> str | None:
        """What is wrong with a condition, as the service tells it."""
        if parsed.redundant:
            return "The expression has redundant parentheses;"
        node = parsed.condition
        assert node is not None
        self._condition(node)
        if isinstance(node, Call) and node.name == "size":
            self._misused(node)
        return self.first("function", "misused", "reserved", "condition")

    def _condition(self, node: Node) -> None:
        if isinstance(node, Path):
            self.resolved(node)
        elif isinstance(node, Ref):
            self.refer(node)
        elif isinstance(node, Call):
            for operand in node.operands:
                self._condition(operand)
                self._no_condition(operand)
            self._call(node)
        else:
            for operand in node.operands:
                self._condition(operand)
                if node.operator not in ("AND", "OR", "NOT"):
                    self._no_condition(operand)
                elif isinstance(operand, Call) and operand.name == "size":
                    self._misused(operand)
            if node.operator not in ("AND", "OR", "NOT"):
                self._comparison(node)
        # Of the conditions, the service tells the first that has a fault, as they are written.
        found = self.first("name or value", "count", "distinct", "type")
        if found is not None and isinstance(node, Call | Condition):
            self.fault("condition", found)

    def _no_condition(self, operand: Node) -> None:
        if isinstance(operand, Call) and operand.name != "size":
            self._misused(operand)

    def _misused(self, call: Call) -> None:
        if call.name in _CONDITION_FUNCTIONS:
            words = "The function is not allowed to be used this way in an expression; function"
            self.fault("misused", f"{words}: {call.name}")

    def _call(self, call: Call) -> None:
        name, operands = call.name, call.operands
        if name not in _CONDITION_FUNCTIONS:
            self.fault("function", f"Invalid function name; function: {name}")
            return
        self._count(call, _CONDITION_FUNCTIONS)
        if "count" in self.faults:
            return
        self._distinct(name, operands)
        types = [self.typed(operand) for operand in operands]
        if name in ("attribute_exists", "attribute_not_exists") and not isinstance(operands[0], Path):
            self._no_path(name)
        elif name == "begins_with":
            self._types(name, types, ("S", "B"))
        elif name == "size" and types[0] in ("N", "BOOL", "NULL"):
            self._type(name, types[0])
        elif name == "attribute_type":
            self._attribute_type(operands[1], types[1])

    def _attribute_type(self, operand: Node, kind: str | None) -> None:
        if isinstance(operand, Ref) and kind is None:
            return  # a value that is not defined, which is a fault of its own
        if kind != "S":
            self._type("attribute_type", kind or "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
            return
        assert isinstance(operand, Ref)
        wanted = self.values[operand.name]["S"]
        if wanted not in _TYPE_NAMES:
            valid = "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
            self.fault("type", f"Invalid attribute type name found; type: {wanted}, valid types: {valid}")

    def _comparison(self, node: Condition) -> None:
        operator, operands = node.operator, node.operands
        types = [self.typed(operand) for operand in operands]
        if operator == "IN":
            if len(operands) - 1 > MAX_IN_OPERANDS:
                words = "The IN operator is provided with too many operands; number of operands"
                self.fault("type", f"{words}: {len(operands) - 1}")
            return
        self._distinct(operator, operands)
        if operator not in ("=", "<>"):
            self._types(operator, types, _ORDERED)
        if operator == "BETWEEN":
            self._bounds(operands[1], operands[2])

    def _bounds(self, low: Node, high: Node) -> None:
        if not (isinstance(low, Ref) and isinstance(high, Ref) and self.typed(low) and self.typed(high)):
            return
        bounds = [self.values[low.name], self.values[high.name]]
        shown = [f"AttributeValue: {{{kind}:{content}}}" for bound in bounds for kind, content in bound.items()]
        told = f"lower bound operand: {shown[0]}, upper bound operand: {shown[-1]}"
        if self.typed(low) != self.typed(high):
            words = "The BETWEEN operator requires same data type for lower and upper bounds"
            self.fault("type", f"{words}; {told}")
        elif not ordered(*bounds):
            words = "The BETWEEN operator requires upper bound to be greater than or equal to lower bound"
            self.fault("type", f"{words}; {told}")

    # What conditions and updates have in common

    def _count(self, call: Call, functions: Mapping[str, int]) -> None:
        if functions[call.name] != len(call.operands):
            words = "Incorrect number of operands for operator or function; operator or function"
            self.fault("count", f"{words}: {call.name}, number of operands: {len(call.operands)}")

    def _types(self, name: str, types: Iterable[str | None], allowed: tuple[str, ...]) -> None:
        for kind in types:
            if kind is not None and kind not in allowed:
                self._type(name, kind)

    def _type(self, name: str, kind: str | None) -> None:
        words = "Incorrect operand type for operator or function; operator or function"
        self.fault("type", f"{words}: {name}, operand type: {kind}")

    def _no_path(self, name: str) -> None:
        self.fault("type", f"Operator or function requires a document path; operator or function: {name}")

    def _distinct(self, name: str, operands: tuple[Node, ...]) -> None:
        paths = [self.resolved(operand) for operand in operands if isinstance(operand, Path)]
        if len(operands) == len(paths) == 2 and paths[0] == paths[1]:
            words = "The first operand must be distinct from the remaining operands for this operator or function"
            self.fault("distinct", f"{words}; operator: {name}, first operand: {_shown(paths[0])}")

    # Updates and projections

    def update(self, parsed: Parsed) -> str | None:
        """What is wrong with an update, as the service tells it."""
        seen: set[str] = set()
        paths: list[tuple[str | int, ...]] = []
        for section, actions in parsed.sections:
            if section in seen:
                self.fault("section", f'The "{section}" section can only be used once in an update expression;')
            seen.add(section)
            for path, value in actions:
                self._apart(paths, self.resolved(path))
                if value is not None:
                    self._assigned(value)
                kind = self.typed(value) if section in ("ADD", "DELETE") and value is not None else None
                if kind in _IN_WORDS and not (section == "ADD" and kind == "N"):
                    words = "Incorrect operand type for operator or function; operator"
                    self.fault("operand", f"{words}: {section}, operand type: {_IN_WORDS[kind]}")
        return self.first(
            "reserved", "function", "section", "name", "value", "overlap", "conflict", "operand", "count", "type"
        )

    def _assigned(self, node: Node) -> None:
        if isinstance(node, Path):
            self.resolved(node)
        elif isinstance(node, Ref):
            self.refer(node)
        elif isinstance(node, Call):
            for operand in node.operands:
                self._assigned(operand)
            if node.name not in _UPDATE_FUNCTIONS:
                self.fault("function", f"Invalid function name; function: {node.name}")
                return
            self._count(node, _UPDATE_FUNCTIONS)
            types = [self.typed(operand) for operand in node.operands]
            if node.name == "if_not_exists" and not isinstance(node.operands[0], Path):
                self._no_path(node.name)
            elif node.name != "if_not_exists":
                self._types(node.name, types, ("L",) if node.name == "list_append" else ("N",))

    def projection(self, parsed: Parsed) -> str | None:
        """What is wrong with a projection, as the service tells it."""
        paths: list[tuple[str | int, ...]] = []
        for path in parsed.paths:
            self._apart(paths, self.resolved(path))
        return self.first("reserved", "name", "overlap", "conflict")

    def _apart(self, paths: list[tuple[str | int, ...]], path: tuple[str | int, ...]) -> None:
        """Keep the fault of a path that is part of an earlier one, or takes a list for a map; else remember it."""
        for other in paths:
            told = f"path one: {_shown(other)}, path two: {_shown(path)}"
            advice = "must remove or rewrite one of these paths"
            for one, two in zip(other, path, strict=False):
                if type(one) is not type(two):
                    self.fault("conflict", f"Two document paths conflict with each other; {advice}; {told}")
                    break
                if one != two:
                    break
            else:
                self.fault("overlap", f"Two document paths overlap with each other; {advice}; {told}")
        paths.append(path)


def ordered(low: Mapping[str, Any], high: Mapping[str, Any]) -> bool:
    """Whether the second of two values of one type is not below the first."""
    ((kind, one),), ((_, two),) = low.items(), high.items()
    if kind == "N":
        return Decimal(one) <= Decimal(two)
    if kind == "B":  # raw bytes, or their base64 text
        return bool(sizes.canonical(low) <= sizes.canonical(high))
    return kind != "S" or bool(one.encode() <= two.encode())


def _shown(path: tuple[str | int, ...]) -> str:
    return f"[{', '.join(f'[{part}]' if isinstance(part, int) else part for part in path)}]"


@functools.cache
def _reserved() -> frozenset[str]:
    return frozenset(ReservedKeywords.get_reserved_keywords())


# --- what an expression speaks of ---------------------------------------------------------------------------


def attributes(member: str, text: str, names: Mapping[str, str]) -> list[str]:
    """The top-level attributes that an expression names, each once, in the order of their first mention.

    ``names`` are the request's ExpressionAttributeNames. An expression that cannot be read names none.
    """
    parsed = _parsed(member, text)
    if isinstance(parsed, str):
        return []
    found = [*parsed.paths, *(_paths(parsed.condition) if parsed.condition is not None else ())]
    return list(dict.fromkeys(names.get(str(path.parts[0]), str(path.parts[0])) for path in found))


def _paths(node: Node) -> Iterator[Path]:
    if isinstance(node, Path):
        yield node
    elif isinstance(node, Call | Condition):
        for operand in node.operands:
            yield from _paths(operand)


def key_condition(text: str, names: Mapping[str, str]) -> int:
    """Refuse a KeyConditionExpression that is no condition on keys; returns how many conditions it has.

    ``names`` are the request's ExpressionAttributeNames. Source: "Key condition expressions for the Query operation".
    """
    parsed = _parsed("KeyConditionExpression", text)
    if isinstance(parsed, str) or parsed.condition is None:
        return 0
    return len(_keys_of(parsed.condition, names, []))


def key_comparisons(
    text: str, names: Mapping[str, str], given: Mapping[str, Any]
) -> tuple[list[tuple[str, str, list[Any]]], list[str]]:
    """The comparisons of a KeyConditionExpression in the shape of moto's: (attribute, comparison, values) of each.

    With them the ``#names`` that were used. moto's own reader takes BETWEEN only as the last comparison, and a value
    only behind its attribute.
    """
    parsed = _parsed("KeyConditionExpression", text)
    if isinstance(parsed, str) or parsed.condition is None:
        raise MockValidationException(f"Invalid KeyConditionExpression: {parsed}")
    found: list[tuple[str, str, list[Any]]] = []
    used: list[str] = []

    def read(node: Node) -> None:
        if isinstance(node, Condition) and node.operator == "AND":
            for operand in node.operands:
                read(operand)
        elif isinstance(node, Condition | Call):
            comparison = node.operator if isinstance(node, Condition) else node.name
            if not isinstance(node.operands[0], Path):
                comparison = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(comparison, comparison)
            word = next(str(operand.parts[0]) for operand in node.operands if isinstance(operand, Path))
            used.extend([word] if word in names else [])
            values = [given[operand.name] for operand in node.operands if isinstance(operand, Ref)]
            found.append((names.get(word, word), comparison, values))

    read(parsed.condition)
    return found, used


def projected(text: str, names: Mapping[str, str]) -> tuple[list[list[str | int]], list[str]]:
    """The paths of a ProjectionExpression, with the names that ``#names`` stand for, and the ``#names`` used."""
    if not text:
        return [], []
    parsed = _parsed("ProjectionExpression", text)
    if isinstance(parsed, str):
        raise MockValidationException(f"Invalid ProjectionExpression: {parsed}")
    used = [part for path in parsed.paths for part in path.parts if isinstance(part, str) and part in names]
    return [[names.get(part, part) if isinstance(part, str) else part for part in path.parts]
            for path in parsed.paths], used  # fmt: skip


def _keys_of(node: Node, names: Mapping[str, str], found: list[str]) -> list[str]:
    if isinstance(node, Call):
        operator = node.name
        if operator in ("attribute_exists", "attribute_not_exists", "attribute_type", "contains"):
            refuse(f"Invalid operator used in KeyConditionExpression: {operator}")
        if operator == "size":
            refuse("KeyConditionExpressions cannot contain nested operations")
    elif isinstance(node, Condition):
        operator = node.operator
        if operator in ("OR", "NOT", "IN", "<>"):
            refuse(f"Invalid operator used in KeyConditionExpression: {operator}")
        if operator == "AND":
            for operand in node.operands:
                _keys_of(operand, names, found)
            return found
    else:
        return found
    wrong = "Invalid condition in KeyConditionExpression"
    if operator in ("BETWEEN", "begins_with") and not isinstance(node.operands[0], Path):
        refuse(f"{wrong}: {operator} operator must have the key attribute as its first operand")
    paths: list[Path] = []
    for operand in node.operands:
        if isinstance(operand, Path):
            if paths:
                refuse(f"{wrong}: Multiple attribute names used in one condition")
            if len(operand.parts) > 1:
                refuse("KeyConditionExpressions cannot have conditions on nested attributes")
            paths.append(operand)
        elif isinstance(operand, Call | Condition):
            _keys_of(operand, names, found)
    if not paths:
        refuse(f"{wrong}: No key attribute specified")
    name = names.get(str(paths[0].parts[0]), str(paths[0].parts[0]))
    if name in found:
        refuse("KeyConditionExpressions must only contain one condition per key")
    found.append(name)
    return found


# --- requests -----------------------------------------------------------------------------------------------


def check(action: str, body: Mapping[str, Any]) -> None:
    """Refuse a request of this operation (``PutItem``) with an expression that the service refuses.

    Transactions and batches are looked at member by member. Operations without expressions pass.
    """
    for name, request in _requests(action, body):
        allowed, older = _MEMBERS[name]
        _mixed(request, allowed, older)
        _given(request, allowed)
        _all(request, allowed)


def _requests(action: str, body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if action in _MEMBERS:
        yield action, body
    elif action == "BatchGetItem":
        for request in (body.get("RequestItems") or {}).values():
            yield "GetItem", request
    elif action in ("TransactGetItems", "TransactWriteItems"):
        names = {"Put": "PutItem", "Delete": "DeleteItem", "Update": "UpdateItem", "Get": "GetItem"}
        for entry in body.get("TransactItems") or ():
            for kind, request in entry.items():
                yield names.get(kind, "DeleteItem"), request


def _mixed(request: Mapping[str, Any], allowed: tuple[str, ...], older: tuple[str, ...]) -> None:
    given = [member for member in allowed if request.get(member) is not None]
    old = [member for member in older if request.get(member) is not None]
    if "KeyConditions" in old and "KeyConditionExpression" not in given:
        old.remove("KeyConditions")  # the old way to name the key goes with the new ways of all else
    if given and old:
        refuse(
            "Can not use both expression and non-expression parameters in the same request: "
            f"Non-expression parameters: {{{', '.join(old)}}} Expression parameters: {{{', '.join(given)}}}"
        )


def _given(request: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    """The names and values themselves."""
    present = [member for member in allowed if request.get(member) is not None]
    names, values = request.get("ExpressionAttributeNames"), request.get("ExpressionAttributeValues")
    if names is not None and not present:
        refuse("ExpressionAttributeNames can only be specified when using expressions")
    conditions = [member for member in allowed if member != "ProjectionExpression"]
    if values is not None and conditions and not any(member in present for member in conditions):
        verb = "are" if len(conditions) > 1 else "is"
        refuse(
            "ExpressionAttributeValues can only be specified when using expressions: "
            f"{' and '.join(conditions)} {verb} null"
        )
    for member, given, mark in (("Names", names, "#"), ("Values", values, ":")):
        if given is None:
            continue
        if not given:
            refuse(f"ExpressionAttribute{member} must not be empty")
        for key in given:
            if _PLACEHOLDER.fullmatch(key) is None or key[0] != mark:
                refuse(f'ExpressionAttribute{member} contains invalid key: Syntax error; key: "{key}"')


def _all(request: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    """The expressions, and whether they use all that is given."""
    names, values = request.get("ExpressionAttributeNames") or {}, request.get("ExpressionAttributeValues") or {}
    named = tuple(names.items())
    types = tuple((name, next(iter(value), "")) for name, value in values.items())
    used: set[str] = set()
    for member in _ORDER:
        text = request.get(member) if member in allowed else None
        if text is None:
            continue
        parsed = _parsed(member, text)
        if isinstance(parsed, str):
            refuse(f"Invalid {member}: {parsed}")
        elif parsed.by_value:
            message, there = _judged(member, parsed, names, values)
        else:
            message, there = _judged_by_types(member, text, named, types)
        refuse(f"Invalid {member}: {message}" if message else None)
        used |= there
    for kind, given in (("Names", names), ("Values", values)):
        unused = [key for key in given if key not in used]
        if unused:
            refuse(f"Value provided in ExpressionAttribute{kind} unused in expressions: keys: {{{', '.join(unused)}}}")


@functools.lru_cache(maxsize=1024)
def _judged_by_types(
    member: str, text: str, names: tuple[tuple[str, str], ...], types: tuple[tuple[str, str], ...]
) -> tuple[str | None, frozenset[str]]:
    """As :func:`_judged`, for an expression whose values do not matter: a driver sends the same one a million times."""
    parsed = _parsed(member, text)
    assert not isinstance(parsed, str)
    return _judged(member, parsed, dict(names), {name: {kind: None} if kind else {} for name, kind in types})


def _judged(
    member: str, parsed: Parsed, names: Mapping[str, str], values: Mapping[str, Mapping[str, Any]]
) -> tuple[str | None, frozenset[str]]:
    """What is wrong with an expression that can be read, and the names and values that it uses."""
    checked = _Check(names, values)
    judge = {"UpdateExpression": checked.update, "ProjectionExpression": checked.projection}
    message = judge.get(member, checked.condition)(parsed)
    return message, frozenset(checked.used)
