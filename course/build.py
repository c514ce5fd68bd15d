"""Builds the notebooks from their text sources, or checks that they are what their sources give.

    python course/build.py                      build everything
    python course/build.py 05_write_sharding    build what comes from the sources of that name
    python course/build.py --check              build in memory, compare, and say what differs

course/lessons/NAME.md     gives  notebooks/NAME.ipynb
course/exercises/NAME.md   gives  exercises/NAME.ipynb  without the cells tagged `solution`
                           and    solutions/NAME.ipynb  without the cells tagged `stub`

Every product is executed and its outputs are stored. The same source gives the same bytes on every machine.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from dynamolab import patience
from dynamolab.jupyter import KERNEL_STARTS, private_folders
from figures import without_comments

ROOT = Path(__file__).resolve().parents[1]
CELL_SECONDS = 120
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # names a model that lives in one kernel only
COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

HOSTILE = "DYNAMOLAB_HOSTILE_SETTINGS"
"""Names a file of variables that the gates put into every kernel: a learner's worst settings, none of which matters."""

Notebook = Any  # nbformat's NotebookNode: a dictionary with attributes


class BuildError(Exception):
    """A notebook that cannot be built; the message says which, where and why."""


@dataclass(frozen=True)
class Product:
    """One notebook to build: where its source stands and which cells it leaves out."""

    source: Path
    path: Path
    without: frozenset[str]

    @property
    def name(self) -> str:
        """The product's path within the repository, as people write it."""
        return f"{self.path.parent.name}/{self.path.name}"


def products(root: Path, stems: Sequence[str] = ()) -> list[Product]:
    """Every notebook that the sources under ``root`` give, or those of the named sources; sorted by path.

    Raises `BuildError` for a name without a source and for a source's name that cell ids cannot carry.
    """
    found = []
    for source in sorted((root / "course").glob("*/*.md")):
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", source.stem):
            raise BuildError(f"{source.name}: name the source with letters, digits, - and _ only, 60 at most.")
        file = f"{source.stem}.ipynb"
        if source.parent.name == "lessons":
            found.append(Product(source, root / "notebooks" / file, frozenset()))
        elif source.parent.name == "exercises":
            found.append(Product(source, root / "exercises" / file, frozenset({"solution"})))
            found.append(Product(source, root / "solutions" / file, frozenset({"stub"})))
    unknown = sorted(set(stems) - {product.source.stem for product in found})
    if unknown:
        raise BuildError(f"There is no source course/lessons/{unknown[0]}.md and no course/exercises/{unknown[0]}.md.")
    return sorted((p for p in found if not stems or p.source.stem in stems), key=lambda product: product.name)


def orphans(root: Path) -> list[str]:
    """Notebooks in the three folders that no source gives."""
    known = {product.path for product in products(root)}
    folders = ("notebooks", "exercises", "solutions")
    found = (path for folder in folders for path in sorted((root / folder).glob("*.ipynb")))
    return [f"{path.parent.name}/{path.name}" for path in found if path not in known]


def read(product: Product) -> Notebook:
    """The product's cells, not yet executed, with ids that are numbered in the source and so equal in both editions."""
    source = jupytext.reads(product.source.read_text(encoding="utf-8"), fmt={"extension": ".md", "format_name": "myst"})
    tags = {tag for cell in source.cells for tag in cell.metadata.get("tags", [])}
    if not product.without and tags & {"solution", "stub"}:
        raise BuildError(f"{product.name}: the tags `solution` and `stub` are for exercises, a lesson has one edition.")
    if product.without and "solution" not in tags:
        raise BuildError(f"{product.name}: the exercise has no cell tagged `solution`.")
    cells = []
    for number, cell in enumerate(source.cells):
        own = set(cell.metadata.get("tags", []))
        if own & product.without:
            continue
        text = cell.source if cell.cell_type == "code" else without_comments(cell.source)
        if not text and cell.source:
            continue  # nothing but comments
        kept = sorted(own - {"solution", "stub"})
        new = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
        id = f"{product.source.stem}-{number:03d}"
        cells.append(new(text, id=id, metadata={"tags": kept} if kept else {}))
    metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def kernel_environment(folder: Path) -> dict[str, str]:
    """The environment a notebook is executed in: this one without what is personal, and ``folder`` for its home.

    No AWS setting, no Jupyter or IPython setting and no start-up file of the author's reaches an output. The gates
    prove that none would change it either: they name a file of such settings.
    """
    personal = re.compile(r"(AWS|BOTO|DYNAMOLAB_PROGRESS|IPYTHON|JUPYTER|PYTHON)\w*$")
    kept = {name: value for name, value in os.environ.items() if not personal.match(name)}
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    own = {**kept, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", **private_folders(folder)}
    file = os.environ.get(HOSTILE)
    return {**own, **json.loads(Path(file).read_text(encoding="utf-8"))} if file else own


@contextlib.contextmanager
def quiet_environment() -> Iterator[dict[str, str]]:
    """Give this process `kernel_environment` in a temporary folder, and put the old one back at the end."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="build-", ignore_cleanup_errors=True) as folder:
        environment = kernel_environment(Path(folder))
        try:
            os.environ.clear()
            os.environ.update(environment)
            yield environment
        finally:
            os.environ.clear()
            os.environ.update(before)


def execute(notebook: Notebook, product: Product) -> None:
    """Run every cell in the product's own folder and keep the outputs; raises `BuildError` at a cell that fails."""
    # The cell that fails is the last one that was started, unless no cell was reached at all.
    reached: list[Notebook] = []
    try:
        for start in range(KERNEL_STARTS):
            try:
                _run(notebook, product, reached)
                return
            except RuntimeError:  # a kernel that finds its port taken ends before its first word
                if reached or start == KERNEL_STARTS - 1:
                    raise
    except CellExecutionError as error:
        raise BuildError(f"{_where(product, reached)} raised {error.ename}: {COLOUR.sub('', error.evalue)}") from None
    except CellTimeoutError:
        raise BuildError(f"{_where(product, reached)} was not done after {CELL_SECONDS} s.") from None
    except DeadKernelError:
        raise BuildError(f"{_where(product, reached)} ended its kernel.") from None
    except RuntimeError as error:
        raise BuildError(f"{_where(product, reached)} did not start: {error}") from None


def _run(notebook: Notebook, product: Product, reached: list[Notebook]) -> None:
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(product.path.parent)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
    )
    client.on_cell_execute = lambda cell, **_: reached.append(cell)
    with patience.bar(product.name, len(notebook.cells)) as advance:
        client.on_cell_executed = lambda cell_index, **_: advance(cell_index)
        client.execute()


def _where(product: Product, reached: list[Notebook]) -> str:
    if not reached:
        return f"{product.name}: the kernel"
    first_line = reached[-1].source.strip().partition("\n")[0]
    return f"{product.name}: cell {reached[-1].id} (`{first_line}`)"


def clean(notebook: Notebook) -> None:
    """Drop from the outputs what another run, another machine or another terminal would give differently."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = COLOUR.sub("", output.text)
            elif output.output_type == "error":
                output.evalue = COLOUR.sub("", output.evalue)
                # The stack names files of this machine; the learner's own run shows theirs.
                output.traceback = [f"{output.ename}: {output.evalue}"]
            else:
                output.data.pop(WIDGET_VIEW, None)
    notebook.metadata.language_info = {"name": "python"}


def build(product: Product) -> str:
    """The text of the product's .ipynb file, executed."""
    notebook = read(product)
    product.path.parent.mkdir(exist_ok=True)
    execute(notebook, product)
    clean(notebook)
    nbformat.validate(notebook)
    text: str = nbformat.writes(notebook, version=4)
    return text.rstrip("\n") + "\n"


def difference(stored: str, built: str) -> str | None:
    """The first thing in which two notebook files differ, with the cell's id; None if they are the same."""
    if stored == built:
        return None
    try:
        old = nbformat.reads(stored, as_version=4)
    except Exception:  # whatever a damaged file raises
        return "the stored file is no notebook"
    new = nbformat.reads(built, as_version=4)
    for mine, theirs in zip(old.cells, new.cells, strict=False):
        if mine == theirs:
            continue
        for part in ("id", "cell_type", "source", "metadata", "execution_count", "outputs"):
            if mine.get(part) != theirs.get(part):
                return f"cell {theirs.id}, {part}: {_first_line(mine.get(part), theirs.get(part))}"
    if len(old.cells) != len(new.cells):
        return f"{len(old.cells)} cells stored, {len(new.cells)} built"
    return "the notebook's metadata or layout"


def _first_line(stored: object, built: object) -> str:
    def lines(value: object) -> list[str]:
        text = value if isinstance(value, str) else json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
        return text.splitlines()

    pairs = [(a, b) for a, b in zip(lines(stored), lines(built), strict=False) if a != b]
    old, new = pairs[0] if pairs else (str(stored), str(built))
    start = max(0, len(os.path.commonprefix([old, new])) - 30)
    return f"stored {old[start : start + 90]!r}, built {new[start : start + 90]!r}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build or check; returns the exit status: 0 well, 1 something differs or cannot be built."""
    parser = argparse.ArgumentParser(prog="course/build.py", description="Build the notebooks from their sources.")
    parser.add_argument("stem", nargs="*", metavar="STEM", help="a source's name without .md; none means all")
    parser.add_argument("--check", action="store_true", help="write nothing; say which notebooks differ")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository (the one this file stands in)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many notebooks are built at once (1)")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    same, wrong = 0, 0
    try:
        wanted = products(root, options.stem)
        with quiet_environment(), _workers(options.jobs) as each:
            for product, (text, seconds) in zip(wanted, each(_timed, wanted), strict=True):
                stored = product.path.read_text(encoding="utf-8") if product.path.is_file() else None
                found = "is missing" if stored is None else difference(stored, text)
                said = "same"
                if found is None:
                    same += 1
                elif options.check:
                    wrong += 1
                    said = f"DIFFERS: {found}"
                else:
                    product.path.write_text(text, encoding="utf-8", newline="\n")
                    said = "written"
                print(f"{product.name}  {seconds:.1f} s  {said}", file=sys.stderr, flush=True)
            for name in [] if options.stem else orphans(root):
                wrong += 1
                print(f"{name}  NO SOURCE: add one under course/ or delete the notebook", file=sys.stderr, flush=True)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    if options.check:
        print(f"{same} notebooks are what their sources give, {wrong} are not")
    return 1 if wrong else 0


def _timed(product: Product) -> tuple[str, float]:
    started = time.monotonic()
    return build(product), time.monotonic() - started


@contextlib.contextmanager
def _workers(jobs: int) -> Iterator[Callable[..., Iterable[tuple[str, float]]]]:
    """Yield what takes the place of `map`: itself, or one that spreads the work over ``jobs`` processes, in order."""
    if jobs <= 1:
        yield map
        return
    # Started afresh: a fork would share this process's sockets.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    sys.exit(main())
