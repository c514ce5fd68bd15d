"""Runs cells alone, each in a fork of one warm process that has the libraries loaded and nothing run.

    python tests/notebooks/alone.py     reads a notebook's path on a line of stdin, answers with a line of JSON

Nine hundred kernels would take half an hour. A fork has the shell of a fresh kernel with the course's start-up file;
`test_alone` holds a sample against real kernels.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat

SECONDS = 600
"""Wall clock after which a cell is given up as hung; no cell needs a tenth of it."""


Ran = dict[str, Any]
"""What a learner sees of a cell: ``error``, its name, empty if there was none, and ``shown``, the lines of it."""


def shell() -> Any:
    """A shell as a fresh kernel of the course has it, whose tracebacks are kept instead of shown."""
    from IPython.core.interactiveshell import InteractiveShell

    from dynamolab.cells import STARTUP

    made = InteractiveShell.instance()
    made.automagic = False
    made.history_manager.enabled = False
    made.run_cell(STARTUP)
    return made


def warm() -> None:
    """Load what cells import, so that each fork need not."""
    import importlib
    import pkgutil

    import boto3
    import ipywidgets  # noqa: F401
    import pandas  # noqa: F401

    import dynamolab

    for module in pkgutil.walk_packages(dynamolab.__path__, "dynamolab."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    boto3.client("dynamodb", region_name="eu-west-1", aws_access_key_id="x", aws_secret_access_key="x")
    boto3.DEFAULT_SESSION = None
    gc.collect()
    gc.freeze()  # so that a fork's collections do not copy all that it shares with this process


def run(shell: Any, source: str) -> Ran:
    """Run a cell in this process."""
    kept: list[str] = []
    shell._showtraceback = lambda kind, error, lines: kept.extend(lines)
    result = shell.run_cell(source, store_history=True)
    error = result.error_in_exec or result.error_before_exec
    return {"error": "" if error is None else type(error).__name__, "shown": "\n".join(kept).splitlines()}


def forked(work: Callable[[], Any]) -> Any:
    """Do the work in a fork of this process, without its prints, and return what it gave; None if it did not end."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            with os.fdopen(writer, "w", encoding="utf-8") as out:
                json.dump(work(), out)
        finally:
            os._exit(0)  # whatever happened, a fork must not go on as if it were its parent
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as answers:
        if not select.select([answers], [], [], SECONDS)[0]:
            os.kill(child, signal.SIGKILL)
        answer = answers.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else None


def cells(path: Path) -> Iterator[Any]:
    """The code cells of a notebook."""
    return (cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")


def notebook(shell: Any, path: Path) -> dict[str, Any]:
    """Run each cell of a notebook with nothing before it, and each but the first with only the first before it."""
    sources = [cell.source for cell in cells(path)]
    os.environ["JPY_SESSION_NAME"] = str(path)  # as JupyterLab tells its kernels
    os.chdir(path.parent)

    def after_the_first() -> list[Ran]:
        run(shell, sources[0])
        return [forked(lambda source=source: run(shell, source)) for source in sources[1:]]

    return {
        "alone": [forked(lambda source=source: run(shell, source)) for source in sources],
        "after the first": forked(after_the_first),
    }


def main() -> None:
    """Answer one path after the other, until stdin ends."""
    made = shell()
    warm()
    for line in sys.stdin:
        found = notebook(made, Path(line.strip()))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(json.dumps(found | {"cpu seconds": used.ru_utime + used.ru_stime}), flush=True)


if __name__ == "__main__":
    main()
