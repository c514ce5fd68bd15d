"""When a cell misses a name or a table: one sentence that says which cell makes it, instead of a stack.

Learners run cells alone and out of order. Python then says ``name 'dynamodb' is not defined``, or the service that it
finds no such table, which is true and no help: the name, or the table, is made by a cell further up.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import errors
from .errors import in_short

# What a kernel runs at its start: light, for the package itself is imported when the first name is missing.
STARTUP = """\
def _explain(*arguments, **more):
    from dynamolab.cells import explain

    return explain(*arguments, **more)


if not get_ipython().custom_exceptions:
    get_ipython().set_custom_exc((NameError, KeyboardInterrupt), _explain)
del _explain
"""
"""The start-up file of a kernel whose notebooks are the course's."""


def install(shell: Any = None) -> None:
    """Let this kernel explain a missing name or table; does nothing outside of one, and nothing the second time.

    A kernel that already has a handler of its own for exceptions keeps it.
    """
    errors.advise = advice
    if shell is None:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((NameError, KeyboardInterrupt), explain)


def explain(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> list[str]:
    """Show a ``NameError`` as one sentence with the cell to run first, an interrupt as one with what to do next.

    Returns the lines that were shown.
    """
    if isinstance(error, KeyboardInterrupt):
        first = "Interrupted: run the cell again, or begin with an empty lab by lab.start()."
    else:
        first = sentence(getattr(error, "name", None), _sources(shell), str(error))
    lines = [first, *in_short(error)[1:]]
    shell._showtraceback(kind, error, lines)
    return lines


def sentence(name: str | None, sources: Sequence[str], error: str) -> str:
    """Return what to do about a missing ``name`` in a notebook whose code cells are ``sources`` (none if unknown)."""
    if not name:
        return f"NameError: {error}"
    for number, source in enumerate(sources, start=1):
        if name in _bound(source):
            return f"`{name}` is {_by_cell('made', number, source)}"
    if sources:
        return f"NameError: {error}; no cell of this notebook makes `{name}`. Is it misspelt?"
    return f"`{name}` is not made yet: {_ABOVE} is misspelt."


_ABOVE = "run the cells above this one first (menu Run, Run All Above Selected Cell), or look whether it"


def _by_cell(done: str, number: int, source: str) -> str:
    first = next(line.strip() for line in source.splitlines() if line.strip())
    return (
        f"{done} by code cell {number} (`{first[:60]}`): run the cells from the top down to there, then this one again "
        "(menu Run, Run All Above Selected Cell)."
    )


def advice(error: BaseException) -> str | None:
    """Return what to run first if ``error`` says that a table, or the lab itself, is not there; else None.

    The error stays as it is: the sentence is shown below it.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return None
    if isinstance(error, errors.LabError) and str(error).startswith("The lab is not running"):
        return start_sentence(_sources(shell))
    table = missing_table(error)
    return None if table is None else table_sentence(table, _sources(shell))


def start_sentence(sources: Sequence[str]) -> str | None:
    """Return which of a notebook's code cells starts the lab; None if none does."""
    for number, source in enumerate(sources, start=1):
        if "lab.start(" in source:
            return f"The lab is {_by_cell('started', number, source)}"
    return None


def table_sentence(table: str, sources: Sequence[str]) -> str:
    """Return what to do about a missing ``table`` in a notebook whose code cells are ``sources`` (none if unknown)."""
    for number, source in enumerate(sources, start=1):
        if _makes(source, table, sources):
            return f"The table `{table}` is {_by_cell('made', number, source)}"
    return f"The table `{table}` is not made yet: {_ABOVE}s name is misspelt."


def missing_table(error: BaseException) -> str | None:
    """Return the table that ``error`` did not find, the service's or one of the lab's; None for all other errors."""
    response = getattr(error, "response", None)
    if not isinstance(response, Mapping):
        found = re.match(r"The lab has no table '([^']+)'", str(error)) if isinstance(error, errors.LabError) else None
        return found[1] if found else None
    told = response.get("Error", {})
    if told.get("Code") != "ResourceNotFoundException" or "Index" in told.get("Message", ""):
        return None
    # The service does not say which table; the request did, and botocore's frame still holds it.
    for frame, _ in traceback.walk_tb(error.__traceback__):
        asked = frame.f_locals.get("api_params")
        if frame.f_code.co_name == "_make_api_call" and isinstance(asked, Mapping):
            return next(_tables(asked), None)
    return None


def _tables(asked: Mapping[str, Any]) -> Iterator[str]:
    """Name the tables of a request: of one table, of a batch, of a transaction."""
    if isinstance(asked.get("TableName"), str):
        yield asked["TableName"].rpartition("/")[2]  # an ARN does for a name
    if isinstance(asked.get("RequestItems"), Mapping):
        yield from asked["RequestItems"]
    for part in asked.get("TransactItems", ()):
        yield from (action["TableName"] for action in part.values() if "TableName" in action)


def _makes(source: str, table: str, sources: Sequence[str]) -> bool:
    """Say whether a cell calls ``create_table``, or a function of the notebook's that does, for that table."""
    functions = {node.name: node for text in sources for node in _body(text) if isinstance(node, ast.FunctionDef)}
    named = {table} | {name for text in sources for name in _bound_to(text, table)}
    for node in _body(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for call in _calls(node):
            reached = _reached(call, functions)
            if reached is not None and any(_mentions(part, named) for part in (node, *reached)):
                return True
    return False


def _reached(call: ast.Call, functions: Mapping[str, ast.FunctionDef]) -> list[ast.AST] | None:
    """Return the functions that lead from a call to ``create_table``; None if it does not get there."""
    to_visit, seen, found = [call.func], set[str](), False
    while to_visit:
        function = to_visit.pop()
        found = found or isinstance(function, ast.Attribute) and function.attr == "create_table"
        if isinstance(function, ast.Name) and function.id in functions and function.id not in seen:
            seen.add(function.id)
            to_visit += [inner.func for inner in _calls(functions[function.id])]
    return [functions[name] for name in sorted(seen)] if found else None


def _calls(node: ast.AST) -> list[ast.Call]:
    return [inside for inside in ast.walk(node) if isinstance(inside, ast.Call)]


def _mentions(node: ast.AST, named: set[str]) -> bool:
    """Say whether the code holds one of the names, as a text or as a variable."""
    return any(
        (isinstance(inside, ast.Constant) and inside.value in named)
        or (isinstance(inside, ast.Name) and isinstance(inside.ctx, ast.Load) and inside.id in named)
        for inside in ast.walk(node)
    )


def _bound_to(source: str, value: str) -> Iterator[str]:
    """Name the variables that a cell sets to a text, also as one of several: ``ORDERS, INDEX = "orders", "date"``."""
    for node in _body(source):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, given = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(given, ast.Tuple):
                pairs = list(zip(target.elts, given.elts, strict=False))
            else:
                pairs = [(target, given)]
            for name, part in pairs:
                if isinstance(name, ast.Name) and isinstance(part, ast.Constant) and part.value == value:
                    yield name.id


def _bound(source: str) -> set[str]:
    """Return the names that a cell makes at its top level."""
    return set(_names(_body(source)))


def _body(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:  # a magic, or a learner's half line
        return []


def _names(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
            continue
        for inside in ast.walk(node):
            if isinstance(inside, ast.Name) and isinstance(inside.ctx, ast.Store):
                yield inside.id


def _sources(shell: Any) -> list[str]:
    """Return the code cells of the notebook that this kernel runs, as last saved; none where it cannot be known."""
    names = getattr(shell, "user_ns", {})
    told = [names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")]
    for path in (Path(name) for name in told if name):
        for candidate in (path, Path.cwd() / path.name):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                cells = json.loads(candidate.read_text(encoding="utf-8"))["cells"]
                return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return []
