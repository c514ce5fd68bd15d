"""When a cell misses a name: one sentence that says which cell makes it, instead of a stack.

Learners run cells alone and out of order. Python then says ``name 'dynamodb' is not defined``, which is true and no
help: the name is made by a cell further up.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .errors import in_short

# What a kernel runs at its start: light, for the package itself is imported when the first name is missing.
STARTUP = """\
def _explain(*arguments, **more):
    from dynamolab.cells import explain

    return explain(*arguments, **more)


if not get_ipython().custom_exceptions:
    get_ipython().set_custom_exc((NameError,), _explain)
del _explain
"""
"""The start-up file of a kernel whose notebooks are the course's."""


def install(shell: Any = None) -> None:
    """Let this kernel explain a missing name; does nothing outside of one, and nothing the second time.

    A kernel that already has a handler of its own for exceptions keeps it.
    """
    if shell is None:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), explain)


def explain(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> list[str]:
    """Show a ``NameError`` as one sentence with the cell to run first, and return the lines that were shown."""
    lines = [sentence(getattr(error, "name", None), _sources(shell), str(error)), *in_short(error)[1:]]
    shell._showtraceback(kind, error, lines)
    return lines


def sentence(name: str | None, sources: Sequence[str], error: str) -> str:
    """Return what to do about a missing ``name`` in a notebook whose code cells are ``sources`` (none if unknown)."""
    if not name:
        return f"NameError: {error}"
    for number, source in enumerate(sources, start=1):
        if name in _bound(source):
            first = next(line.strip() for line in source.splitlines() if line.strip())
            return (
                f"`{name}` is made by code cell {number} (`{first[:60]}`): run the cells from the top down to there, "
                "then this one again (menu Run, Run All Above Selected Cell)."
            )
    if sources:
        return f"NameError: {error}; no cell of this notebook makes `{name}`. Is it misspelt?"
    return (
        f"`{name}` is not made yet: run the cells above this one first (menu Run, Run All Above Selected Cell), or "
        "look whether it is misspelt."
    )


def _bound(source: str) -> set[str]:
    """Return the names that a cell makes at its top level."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic, or a learner's half line
        return set()
    return set(_names(tree.body))


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
