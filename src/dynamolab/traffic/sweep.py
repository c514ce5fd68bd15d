"""Many designs under one workload: the same pure function for each, here one after the other or on an engine's workers.

``docs/scale.md`` shows it with Dask, on the cores of one machine and on a cluster.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ..arguments import shown, whole
from ..errors import LabError
from ..model.parameters import DEFAULTS, Parameters
from .design import Design, Workload
from .outcome import Outcome
from .simulate import Retrying, simulate

if TYPE_CHECKING:
    import pandas as pd

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""What applies a function to each item and gives the results in the items' order, as the built-in ``map`` does."""

Measure = Callable[[Outcome, Design], Mapping[str, Any]]
"""What is kept of one simulation: a row's values by column."""


def totals(outcome: Outcome, design: Design) -> dict[str, float]:
    """Return the outcome's totals as one row: ``write_sent_units``, ``read_refused_share`` and so on."""
    return {f"{side}_{name}": value for side, row in outcome.totals.items() for name, value in row.items()}


def sweep(
    workload: Workload,
    designs: Mapping[Any, Design] | Iterable[Design],
    *,
    measure: Measure = totals,
    map: Map = map,
    parameters: Parameters = DEFAULTS,
    start: float = 0.0,
    retries: Retrying | None = None,
    seconds: int | None = None,
) -> pd.DataFrame:
    """Return what each of ``designs`` does with ``workload``, one row each, in their order.

    Columns: ``design`` (its name in a mapping, else its number from 0), the plain settings in which the designs differ,
    and what ``measure(outcome, design)`` returns: the totals unless told otherwise, a bill, a worst minute. Only this
    row is kept of a simulation. ``map`` runs them: the built-in one in turn, :func:`on_dask` on several workers, with
    the same result. The other arguments are those of ``simulate``. Raises LabError where there is nothing to run.
    """
    __tracebackhide__ = True  # a notebook folds these frames: what a learner's measure raises is theirs
    if not callable(measure) or not callable(map):
        raise LabError(f"Both measure and map are functions, not {shown(map if callable(measure) else measure)}.")
    if not isinstance(designs, Iterable):
        raise LabError(f"The designs are a list of them, or a mapping of names to designs, not {shown(designs)}.")
    named = dict(designs) if isinstance(designs, Mapping) else dict(enumerate(designs))
    if not named:
        raise LabError("There is no design to run; pass a list of them, or a mapping of names to designs.")
    for name, design in named.items():
        if not isinstance(design, Design):
            raise LabError(f"Each thing to run is a Design; {shown(name)} is {shown(design)}.")
    run = functools.partial(_row, workload, measure, parameters, start, retries, seconds)
    rows = list(map(run, list(named.values())))
    if len(rows) != len(named):
        raise LabError(f"The map that was passed gave {len(rows):,} results for {len(named):,} designs.")
    import pandas as pd

    settings = _differing(list(named.values()))
    return pd.DataFrame([{"design": name, **own, **row} for name, own, row in zip(named, settings, rows, strict=True)])


def variants(design: Design, **values: Iterable[Any]) -> list[Design]:
    """Return ``design`` with every combination of other settings: ``variants(design, shards=(1, 2), write_units=...)``.

    The last setting varies fastest. Raises LabError for a setting that a design does not have.
    """
    if not isinstance(design, Design):
        raise LabError(f"Variants are of a Design, not of {shown(design)}.")
    known = [each.name for each in fields(design)]
    for name, given in values.items():
        if name not in known:
            raise LabError(f"A design has no setting {name!r}; it has {', '.join(known)}.")
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise LabError(f"Give the values of {name} as a list, such as {name}=[...], not as {shown(given)}.")
    return [replace(design, **dict(zip(values, chosen, strict=True))) for chosen in itertools.product(*values.values())]


def on_dask(workers: int | None = None, *, scheduler: Any = "processes") -> Map:
    """Return a ``map`` that runs on Dask: on ``workers`` processes of this machine (None: as many as it has cores).

    ``scheduler``: what Dask's ``compute`` takes: a ``Client`` of the package ``distributed`` for a cluster, or
    "synchronous" to look for an error in this process. Items travel in batches, so that the workload is sent a few
    times and not once an item. Raises LabError if Dask is not installed.
    """
    if workers is not None:
        workers = whole("the workers", workers, 1, 1_000)

    def mapped(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        try:
            import dask.bag
        except ImportError:
            raise LabError("Dask is not installed; `pip install dask` in the lab's environment brings it.") from None
        given = list(items)
        if not given:
            return []
        engine: Any = dask  # typed in part
        batches = min(len(given), 4 * (workers or engine.system.CPU_COUNT))
        bag = engine.bag.from_sequence(given, npartitions=batches)
        # A batch at a time: unless told, Dask hands six to one process, while the others have nothing to do.
        return list(bag.map(function).compute(scheduler=scheduler, num_workers=workers, chunksize=1))

    return mapped


def _row(
    workload: Workload,
    measure: Measure,
    parameters: Parameters,
    start: float,
    retries: Retrying | None,
    seconds: int | None,
    design: Design,
) -> dict[str, Any]:
    __tracebackhide__ = True
    outcome = simulate(workload, design, parameters=parameters, start=start, retries=retries, seconds=seconds)
    return dict(measure(outcome, design))


def _differing(designs: list[Design]) -> list[dict[str, Any]]:
    """Return, for each design, those of its plain settings that are not the same in all of them."""
    plain = (str, int, float, type(None))
    names = [each.name for each in fields(designs[0])]
    kept = []
    for name in names:
        values = [getattr(design, name) for design in designs]
        if all(isinstance(value, plain) for value in values) and any(value != values[0] for value in values):
            kept.append(name)
    return [{name: getattr(design, name) for name in kept} for design in designs]


__all__ = ["Map", "Measure", "on_dask", "sweep", "totals", "variants"]
