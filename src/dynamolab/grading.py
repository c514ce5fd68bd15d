"""``python -m dynamolab grade``: runs submitted notebooks, each in a fresh kernel, and says which checks pass.

What counts is what :func:`dynamolab.checks.check` found during the run, not what the notebook stores: each check
writes its outcome to a record, so that results survive a cell that raises, hangs or ends its kernel. The last ask of a
question counts. It grades learning, not trust: who wants to can make a notebook write a record of its own.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .arguments import is_number
from .checks import core
from .errors import LabError
from .jupyter import private_folders, started
from .patience import Advance

CELL_SECONDS = 120.0
"""How long one cell may run unless the caller says otherwise."""

ANSWER_SECONDS = 10.0
"""How long an interrupted kernel is waited for before the rest of its notebook is given up."""

_TIMED_OUT = "TimedOut"
_ASKS = re.compile(r"""\bcheck\(\s*["']([a-z0-9_]+)\.[a-z0-9]+["']""")


@dataclass(frozen=True)
class Mark:
    """One check of one notebook: its outcome, what it showed, and its points."""

    id: str
    outcome: str
    misconception: str | None
    points: int
    possible: int = 1


@dataclass(frozen=True)
class Graded:
    """One notebook: its marks in the order of the exercise, and in ``trouble`` what kept it from running whole."""

    notebook: str
    marks: tuple[Mark, ...] = ()
    trouble: tuple[str, ...] = field(default=())

    @property
    def points(self) -> int:
        """The points that the notebook has."""
        return sum(mark.points for mark in self.marks)

    @property
    def possible(self) -> int:
        """The points that it could have."""
        return sum(mark.possible for mark in self.marks)


def grade(notebook: Path, *, timeout: float = CELL_SECONDS, say: Advance = lambda share: None) -> Graded:
    """Run one notebook in a fresh kernel and return what its checks found; ``say`` is told its share that is done.

    A cell may run for ``timeout`` seconds of wall clock; then it is interrupted and the run goes on with the next one.
    Nothing is written to the notebook. A notebook that cannot be read, or asks no check, has no marks and says why.
    """
    import nbformat

    try:
        content: Any = nbformat.read(notebook, as_version=4)
        sources = [cell.source for cell in content.cells if cell.cell_type == "code"]
    except FileNotFoundError:
        return Graded(str(notebook), trouble=("There is no such file.",))
    except Exception as error:  # whatever a damaged file raises
        return Graded(str(notebook), trouble=(f"It cannot be read as a notebook: {_line(error)}",))
    names = list(dict.fromkeys(name for source in sources for name in _ASKS.findall(source)))
    known = [name for name in names if name in core.exercises()]
    if not known:
        return Graded(str(notebook), trouble=("It asks no check of this course: nothing to grade.",))
    with tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True) as folder:
        record = Path(folder) / "record.jsonl"
        trouble = list(_run(content, notebook, Path(folder), record, timeout, say))
        found = _read(record)
    marks = []
    for id, question in ((id, q) for name in known for id, q in core.questions(name).items()):
        outcome, misconception = found.get(id, ("not attempted", None))
        points = question.points if outcome == "right" else 0
        marks.append(Mark(id, outcome, misconception, points, question.points))
    return Graded(str(notebook), tuple(marks), tuple(trouble))


def _run(content: Any, path: Path, folder: Path, record: Path, timeout: float, say: Advance) -> Iterator[str]:
    """Execute cell after cell, whatever happens in them; yields one sentence for each thing that went wrong."""
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    client: Any = NotebookClient(
        content,
        timeout=timeout,
        interrupt_on_timeout=True,
        error_on_timeout={"ename": _TIMED_OUT, "evalue": "", "traceback": []},
        kernel_name="python3",
        allow_errors=True,
        store_widget_state=False,
    )
    client.log.setLevel(logging.CRITICAL)  # It would tell each timeout in words of its own.
    replies: list[Any] = []
    client.on_cell_executed = lambda execute_reply, **_: replies.append(execute_reply)
    with _environment(folder, record), contextlib.ExitStack() as stack:
        started(lambda: stack.enter_context(client.setup_kernel(cwd=str(path.resolve().parent))))
        for number, cell in enumerate(content.cells):
            say(number / len(content.cells))
            if cell.cell_type != "code":
                continue
            where = f"Cell {number + 1} (`{cell.source.strip().partition(chr(10))[0][:60]}`)"
            try:
                client.execute_cell(cell, number)
                if replies and replies.pop()["content"].get("ename") == _TIMED_OUT:
                    yield f"{where} was interrupted after {timeout:g} s."
                    if not _answers(client, replies):
                        yield "The kernel did not stop; the rest of the notebook was not run."
                        return
                    continue
            except DeadKernelError:
                yield f"{where} ended its kernel; the rest of the notebook was not run."
                return
            if "raises-exception" in cell.metadata.get("tags", []):
                continue
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    yield f"{where} raised {output.ename}: {_line(output.evalue)}"


def _answers(client: Any, replies: list[Any]) -> bool:
    """Say whether an interrupted kernel does again as it is told."""
    import nbformat
    from nbclient.exceptions import DeadKernelError

    cell = nbformat.v4.new_code_cell("pass")
    client.nb.cells.append(cell)
    before, client.timeout = client.timeout, ANSWER_SECONDS
    try:
        client.execute_cell(cell, len(client.nb.cells) - 1, store_history=False)
        return bool(replies.pop()["content"].get("ename") != _TIMED_OUT)
    except DeadKernelError:
        return False
    finally:
        client.timeout = before
        client.nb.cells.pop()


@contextlib.contextmanager
def _environment(folder: Path, record: Path) -> Iterator[None]:
    """Give kernels a home of their own, no AWS setting of this machine, and the file that checks write to."""
    before = dict(os.environ)
    home = folder / "home"
    home.mkdir()
    kept = {
        name: value for name, value in before.items() if not name.startswith(("AWS_", "BOTO", "PYTHON", core.PROGRESS))
    }
    kept |= {**private_folders(folder), "HOME": str(home), core.RECORD: str(record), "PYTHONDONTWRITEBYTECODE": "1"}
    if "PYTHONPATH" in before and not sys.flags.ignore_environment:
        kept["PYTHONPATH"] = before["PYTHONPATH"]  # modules are looked for as this process itself does
    try:
        os.environ.clear()
        os.environ.update(kept)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _read(record: Path) -> dict[str, tuple[str, str | None]]:
    """Return the last outcome of each question on record, and the misconception that it showed."""
    found = {}
    for line in record.read_text(encoding="utf-8").splitlines() if record.is_file() else []:
        with contextlib.suppress(ValueError, KeyError):  # A kernel that died may leave half a line.
            entry = json.loads(line)
            found[entry["id"]] = (entry["outcome"], entry["misconception"])
    return found


def _line(error: object) -> str:
    words = " ".join(re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split())
    return words if len(words) <= 200 else words[:197] + "..."


# --- reports --------------------------------------------------------------------------------------------------------


def table(graded: Sequence[Graded]) -> str:
    """Return the report that people read: one line a check, its notebook above it, a sum below."""
    lines = []
    for one in graded:
        lines.append(f"{one.notebook}: {one.points} of {one.possible} points")
        for mark in one.marks:
            shown = f" ({mark.misconception.replace('_', ' ')})" if mark.misconception else ""
            lines.append(f"  {mark.id:<24} {mark.points} of {mark.possible}  {mark.outcome}{shown}")
        lines += [f"  ! {sentence}" for sentence in one.trouble]
    every = len(graded)
    whole = sum(one.points == one.possible > 0 for one in graded)
    lines.append(f"{every} notebook{'s' * (every != 1)}: {whole} with every check right.")
    return "\n".join(lines)


def as_json(graded: Sequence[Graded]) -> str:
    """Return everything that is known, as JSON: a list with one object a notebook."""
    found = [{**asdict(one), "points": one.points, "possible": one.possible} for one in graded]
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def as_csv(graded: Sequence[Graded]) -> str:
    """Return a gradebook as CSV: one row a notebook, one column a check with its points, empty where not asked."""
    ids = list(dict.fromkeys(mark.id for one in graded for mark in one.marks))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["notebook", *ids, "points", "possible", "trouble"])
    for one in graded:
        points = {mark.id: mark.points for mark in one.marks}
        row = [points.get(id, "") for id in ids]
        writer.writerow([one.notebook, *row, one.points, one.possible, " ".join(one.trouble)])
    return out.getvalue()


def write(path: Path, text: str) -> None:
    """Write a report as a whole: an interrupt or a full disk leaves what was there before. LabError if it cannot."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        if path.exists() and not path.is_file():  # a pipe or /dev/stdout is written to, not replaced
            path.write_text(text, encoding="utf-8")
            return
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise LabError(f"The report could not be written to {path}: {error.strerror}.") from None


def status(graded: Sequence[Graded]) -> int:
    """Return the exit status: 0 every check of every notebook is right, 3 some are not, 4 a notebook has no marks."""
    if any(not one.marks for one in graded):
        return 4
    return 0 if all(one.points == one.possible for one in graded) else 3


def grade_all(
    notebooks: Sequence[Path], *, timeout: float = CELL_SECONDS, say: Advance = lambda done: None
) -> list[Graded]:
    """Grade the notebooks one after another; ``say`` is told how many are done, in fractions while one runs."""
    if not is_number(timeout) or timeout <= 0:
        raise LabError(f"A cell needs a time limit above 0 seconds, not {timeout:g}.")
    found: list[Graded] = []
    for notebook in notebooks:
        done = len(found)
        found.append(grade(notebook, timeout=timeout, say=lambda share, done=done: say(done + share)))  # type: ignore[misc]
    return found
