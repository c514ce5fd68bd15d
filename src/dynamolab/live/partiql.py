"""PartiQL statements, read into the operations that they stand for.

The part of the language that DynamoDB knows: SELECT, INSERT, UPDATE and DELETE on one table or index, and EXISTS around
a SELECT (AWS Developer Guide, "PartiQL - a SQL-compatible query language for Amazon DynamoDB").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from moto.dynamodb.exceptions import MockValidationException

from .validation import refuse

Value = dict[str, Any]
Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<text>'(?:[^']|'')*')
      | (?P<name>"(?:[^"]|"")*")
      | (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
      | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*)
      | (?P<sign><<|>>|<>|!=|<=|>=|[-=<>(){}\[\],.?:*+;])
    )""",
    re.VERBOSE,
)
_COMPARISONS = {"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
# The details after the colon, as paritysuite/dynamodb-conformance recorded them; nothing follows what is no token.
_NOT_WELL_FORMED = "Statement wasn't well formed, can't be processed: "
_AFTER_A_TABLE = ("WHERE", "SET", "REMOVE", "RETURNING", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET", "JOIN", "VALUE")
_ORDERED = ("S", "N", "B")
_FLIPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Condition:
    """A node of a WHERE clause: ``and``, ``or`` and ``not`` hold nodes, all others a path and values."""

    kind: str
    path: Path = ()
    values: tuple[Value, ...] = ()
    parts: tuple[Condition, ...] = ()

    def conjuncts(self) -> tuple[Condition, ...]:
        """The conditions that must all hold."""
        return self.parts if self.kind == "and" else (self,)


@dataclass
class Statement:
    """One statement: its verb, its table, and what it says."""

    verb: str
    table: str
    index: str | None = None
    where: tuple[Condition, ...] = ()
    projection: tuple[Path, ...] = ()
    item: dict[str, Value] = field(default_factory=dict)
    sets: list[tuple[Path, Any]] = field(default_factory=list)
    removes: list[Path] = field(default_factory=list)
    returning: str = "NONE"
    descending: bool = False
    order: tuple[Path, ...] = ()
    """What ORDER BY names."""


def parse(text: str, parameters: list[Value] | None = None) -> Statement:
    """Read a statement; the service's ValidationException for one that cannot be read."""
    parser = _Parser(text, list(parameters or []))
    found = parser.statement()
    parser.end()
    return found


class _Parser:
    def __init__(self, text: str, parameters: list[Value]) -> None:
        self.text = text
        self.parameters = parameters
        self.used = 0
        self.tokens = list(self._tokens())
        self.place = 0

    def _tokens(self) -> Iterator[tuple[str, str]]:
        place = 0
        text = self.text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None or match.lastgroup is None:
                raise MockValidationException(_NOT_WELL_FORMED)
            yield match.lastgroup, match[match.lastgroup]
            place = match.end()

    def fail(self) -> NoReturn:
        raise MockValidationException(f"{_NOT_WELL_FORMED}Unexpected token")

    # --- tokens -----------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.place += 1
        return token

    def sign(self, text: str) -> bool:
        if self.peek() == ("sign", text):
            self.place += 1
            return True
        return False

    def word(self, *texts: str) -> bool:
        """Take these words if they come next."""
        for ahead, text in enumerate(texts):
            kind, found = self.peek(ahead)
            if kind != "word" or found.upper() != text:
                return False
        self.place += len(texts)
        return True

    def calls(self, *functions: str) -> bool:
        """Whether a call of one of these functions comes next."""
        kind, text = self.peek()
        return kind == "word" and text.lower() in functions and self.peek(1) == ("sign", "(")

    def need(self, taken: bool) -> None:
        if not taken:
            self.fail()

    def name(self) -> str:
        kind, text = self.take()
        if kind == "name":
            return text[1:-1].replace('""', '"')
        self.need(kind == "word")
        return text

    # --- statements -------------------------------------------------------------------------------------

    def statement(self) -> Statement:
        if self.word("EXISTS"):
            self.need(self.sign("(") and self.word("SELECT"))
            found = self.select()
            found.verb = "EXISTS"
            self.need(self.sign(")"))
        elif self.word("SELECT"):
            found = self.select()
        elif self.word("INSERT", "INTO"):
            found = Statement("INSERT", *self.place_of())
            if not self.word("VALUE"):
                if self.peek(1) == ("word", "VALUE"):
                    self.leftover()
                self.fail()
            value = self.value()
            self.need("M" in value)
            found.item = value["M"]
        elif self.word("UPDATE"):
            found = self.update()
        elif self.word("DELETE", "FROM"):
            found = Statement("DELETE", *self.place_of(aliased=True))
            self.tail(found)
            if found.returning not in ("NONE", "ALL_OLD"):
                words = found.returning.replace("UPDATED", "MODIFIED").replace("_", " ")
                refuse(
                    f"Invalid returning clause: RETURNING {words} *. Only RETURNING ALL OLD * is allowed in DELETE "
                    "statements."
                )
        else:
            self.fail()
        return found

    def end(self) -> None:
        self.sign(";")
        if self.place < len(self.tokens):
            self.leftover()
        if self.used != len(self.parameters):
            refuse("Number of parameters in request and statement don't match.")

    def select(self) -> Statement:
        projection: list[Path] = []
        if not self.sign("*"):
            projection.append(self.path())
            while self.sign(","):
                projection.append(self.path())
        self.need(self.word("FROM"))
        table, index = self.place_of(aliased=True)
        found = Statement("SELECT", table, index, projection=tuple(projection))
        self.tail(found)
        if self.word("ORDER", "BY"):
            found.order = (self.path(),)
            found.descending = self.word("DESC")
            self.word("ASC")
        return found

    def place_of(self, *, aliased: bool = False) -> tuple[str, str | None]:
        """The table, and its index, that a statement is about. With ``aliased`` an alias is refused as such."""
        parts = [self.name()]
        while self.sign("."):
            parts.append(self.name())
        if len(parts) > 2:
            refuse("A path may contain at most 2 components in the FROM clause")
        if "" in parts:
            refuse("Path component cannot be an empty string")
        kind, text = self.peek()
        if aliased and (kind == "name" or (kind == "word" and text.upper() not in _AFTER_A_TABLE)):
            refuse("Aliasing is not supported")
        return parts[0], parts[1] if len(parts) > 1 else None

    def leftover(self) -> NoReturn:
        raise MockValidationException(f"{_NOT_WELL_FORMED}Unexpected token after expression")

    def update(self) -> Statement:
        found = Statement("UPDATE", *self.place_of(aliased=True))
        while True:
            if self.word("SET"):
                while True:
                    path = self.path()
                    self.need(self.sign("="))
                    found.sets.append((path, self.term()))
                    if not self.sign(","):
                        break
            elif self.word("REMOVE"):
                found.removes.append(self.path())
                while self.sign(","):
                    found.removes.append(self.path())
            else:
                break
        self.need(bool(found.sets or found.removes))
        self.tail(found)
        return found

    def tail(self, found: Statement) -> None:
        if self.word("WHERE"):
            found.where = self.either().conjuncts()
        if self.word("RETURNING"):
            changed = "ALL" if self.word("ALL") else "UPDATED" if self.word("MODIFIED") else self.fail()
            side = "OLD" if self.word("OLD") else "NEW" if self.word("NEW") else self.fail()
            self.need(self.sign("*"))
            found.returning = f"{changed}_{side}"

    # --- conditions -------------------------------------------------------------------------------------

    def either(self) -> Condition:
        parts = [self.both()]
        while self.word("OR"):
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Condition("or", parts=tuple(parts))

    def both(self) -> Condition:
        parts = list(self.one().conjuncts())
        while self.word("AND"):
            parts += self.one().conjuncts()
        return parts[0] if len(parts) == 1 else Condition("and", parts=tuple(parts))

    def one(self) -> Condition:
        if self.word("NOT"):
            return Condition("not", parts=(self.one(),))
        if self.sign("("):
            inner = self.either()
            self.need(self.sign(")"))
            return inner
        kind, text = self.peek()
        if self.calls("begins_with", "contains", "attribute_type"):
            self.place += 2
            path = self.path()
            self.need(self.sign(","))
            value = self.value()
            self.need(self.sign(")"))
            return Condition(text.lower(), path, (value,))
        if kind in ("text", "number") or text == "?":
            value = self.value()
            written = self.comparison()
            return self.ordered(Condition(_FLIPPED[written], self.path(), (value,)), written)
        path = self.path()
        if self.word("BETWEEN"):
            low = self.value()
            self.need(self.word("AND"))
            return self.ordered(Condition("between", path, (low, self.value())), "BETWEEN")
        if self.word("IN"):
            return Condition("in", path, tuple(self.list_of_values()))
        if self.word("IS"):
            negated = self.word("NOT")
            if self.word("MISSING"):
                return Condition("exists" if negated else "missing", path)
            self.need(self.word("NULL"))
            null = Condition("=", path, ({"NULL": True},))
            return Condition("not", parts=(null,)) if negated else null
        written = self.comparison()
        return self.ordered(Condition(written, path, (self.value(),)), written)

    def ordered(self, node: Condition, written: str) -> Condition:
        """Refuse to look for what is less or more than a value that has no order."""
        for value in node.values if written not in ("=", "<>") else ():
            kind = next(iter(value), "")
            if kind not in _ORDERED:
                refuse(
                    "Incorrect operand type for operator or function; operator or function: "
                    f"{written}, operand type: {kind}"
                )
        return node

    def comparison(self) -> str:
        kind, text = self.take()
        self.need(kind == "sign" and text in _COMPARISONS)
        return _COMPARISONS[text]

    def list_of_values(self) -> list[Value]:
        close = ")" if self.sign("(") else "]"
        if close == "]":
            self.need(self.sign("["))
        found = [self.value()]
        while self.sign(","):
            found.append(self.value())
        self.need(self.sign(close))
        return found

    # --- values and paths -------------------------------------------------------------------------------

    def path(self) -> Path:
        parts: list[str | int] = [self.name()]
        while True:
            if self.sign("."):
                parts.append(self.name())
            elif self.sign("["):
                kind, text = self.take()
                self.need(kind == "number")
                parts.append(int(text))
                self.need(self.sign("]"))
            else:
                return tuple(parts)

    def term(self) -> Any:
        """What SET assigns: a value, a path, a sum or difference of them, or list_append, set_add, set_delete."""
        left = self.operand()
        for sign in ("+", "-"):
            if self.sign(sign):
                return (sign, left, self.operand())
        return left

    def operand(self) -> Any:
        kind, text = self.peek()
        if self.calls("list_append", "set_add", "set_delete"):
            self.place += 2
            first = self.operand()
            self.need(self.sign(","))
            second = self.operand()
            self.need(self.sign(")"))
            return (text.lower(), first, second)
        plain = kind == "name" or (kind == "word" and text.upper() not in ("TRUE", "FALSE", "NULL"))
        return ("path", self.path()) if plain else ("value", self.value())

    def value(self) -> Value:
        kind, text = self.take()
        if kind == "text":
            return {"S": text[1:-1].replace("''", "'")}
        if kind == "number":
            return {"N": text}
        if kind == "word":
            constants: dict[str, Value] = {"TRUE": {"BOOL": True}, "FALSE": {"BOOL": False}, "NULL": {"NULL": True}}
            self.need(text.upper() in constants)
            return constants[text.upper()]
        if text == "-":
            kind, text = self.take()
            self.need(kind == "number")
            return {"N": f"-{text}"}
        if text == "?":
            self.used += 1
            if self.used > len(self.parameters):
                refuse("Number of parameters in request and statement don't match.")
            return self.parameters[self.used - 1]
        if text == "[":
            return {"L": list(self.until("]"))}
        if text == "<<":
            return self.set_of(list(self.until(">>")))
        if text == "{":
            return {"M": self.map()}
        self.fail()

    def until(self, close: str) -> Iterator[Value]:
        if self.sign(close):
            return
        yield self.value()
        while self.sign(","):
            yield self.value()
        self.need(self.sign(close))

    def set_of(self, members: list[Value]) -> Value:
        kinds = {next(iter(member)) for member in members}
        self.need(len(kinds) == 1 and kinds <= {"S", "N", "B"})
        (kind,) = kinds
        return {f"{kind}S": [member[kind] for member in members]}

    def map(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        while not self.sign("}"):
            kind, text = self.take()
            self.need(kind in ("text", "name"))
            self.need(self.sign(":"))
            found[text[1:-1].replace("''", "'")] = self.value()
            self.need(self.sign(",") or self.peek() == ("sign", "}"))
        return found


# --- back into expressions ----------------------------------------------------------------------------------


class Expressions:
    """Names and values of one request's expressions, and how conditions and assignments are written in them."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Value] = {}

    def path(self, path: Path) -> str:
        """The path, written with placeholders."""
        text = ""
        for part in path:
            if isinstance(part, int):
                text += f"[{part}]"
            else:
                text += ("." if text else "") + self.name(part)
        return text

    def name(self, name: str) -> str:
        """The placeholder of a name, one for each name."""
        for placeholder, known in self.names.items():
            if known == name:
                return placeholder
        self.names[f"#n{len(self.names)}"] = name
        return f"#n{len(self.names) - 1}"

    def value(self, value: Value) -> str:
        """The placeholder of a value."""
        self.values[f":v{len(self.values)}"] = value
        return f":v{len(self.values) - 1}"

    def condition(self, node: Condition) -> str:
        """A condition as a filter or condition expression."""
        if node.kind in ("and", "or"):
            return f" {node.kind.upper()} ".join(f"({self.condition(part)})" for part in node.parts)
        if node.kind == "not":
            return f"NOT ({self.condition(node.parts[0])})"
        path, values = self.path(node.path), [self.value(value) for value in node.values]
        if node.kind == "missing":
            return f"attribute_not_exists({path})"
        if node.kind == "exists":
            return f"attribute_exists({path})"
        if node.kind == "between":
            return f"{path} BETWEEN {values[0]} AND {values[1]}"
        if node.kind == "in":
            return f"{path} IN ({', '.join(values)})"
        if node.kind in _FLIPPED:
            return f"{path} {node.kind} {values[0]}"
        return f"{node.kind}({path}, {values[0]})"

    def all_of(self, nodes: tuple[Condition, ...] | list[Condition]) -> str:
        """All of the conditions together."""
        written = [(node, self.condition(node)) for node in nodes]
        return " AND ".join(f"({text})" if node.kind == "or" else text for node, text in written)

    def update(self, statement: Statement) -> str:
        """SET and REMOVE as an update expression."""
        sets: list[str] = []
        adds: list[str] = []
        deletes: list[str] = []
        for path, term in statement.sets:
            if term[0] in ("set_add", "set_delete"):
                (adds if term[0] == "set_add" else deletes).append(f"{self.path(path)} {self.term(term[2])}")
            else:
                sets.append(f"{self.path(path)} = {self.term(term)}")
        removes = [self.path(path) for path in statement.removes]
        clauses = (("SET", sets), ("REMOVE", removes), ("ADD", adds), ("DELETE", deletes))
        return " ".join(f"{word} {', '.join(parts)}" for word, parts in clauses if parts)

    def term(self, term: Any) -> str:
        """What is assigned."""
        kind = term[0]
        if kind == "value":
            return self.value(term[1])
        if kind == "path":
            return self.path(term[1])
        if kind == "list_append":
            return f"list_append({self.term(term[1])}, {self.term(term[2])})"
        return f"{self.term(term[1])} {kind} {self.term(term[2])}"

    def into(self, body: dict[str, Any]) -> dict[str, Any]:
        """Add the names and values to a request, where there are any."""
        if self.names:
            body["ExpressionAttributeNames"] = self.names
        if self.values:
            body["ExpressionAttributeValues"] = self.values
        return body


def equalities(where: tuple[Condition, ...]) -> Mapping[str, Value]:
    """The top-level attributes that must equal one value."""
    return {str(node.path[0]): node.values[0] for node in where if node.kind == "=" and len(node.path) == 1}
