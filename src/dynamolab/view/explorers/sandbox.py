"""The last explorer: every control at once, an hour of one table, and goals that tick themselves."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from ... import arguments
from ...data import prices
from ...errors import LabError
from ...model.billing import on_demand, provisioned
from ...model.parameters import DEFAULTS, Parameters
from ...model.partitions import PARTITION_UNITS, partitions_for
from ...model.sizes import MAX_ITEM_BYTES
from ...model.throttling import BillingMode
from ...model.units import write_units
from ...traffic import demand
from ...traffic.design import Design, IndexDesign, IndexWrites, Workload
from ...traffic.outcome import Outcome
from ...traffic.simulate import simulate
from ..checklist import Checklist, Goal
from ..frames.bars import partition_bars
from ..frames.cost import Priced, cost_bars
from ..frames.flows import Flow, table_flows
from ..picture import Picture
from ..play import TimeExplorer
from ..svg import number
from .controls import choice, counted, size_text, steps

Copied = Literal["none", "KEYS_ONLY", "ALL"]

STEPS: Final = 12
"""An hour is simulated in so many steps."""
SECONDS: Final = 300
"""What one step lasts: as long as a full burst."""
KEYS: Final = 500
"""Partition keys of the table; the hot one is one of them."""
STATES: Final = ("pendiente", "en_preparacion", "en_reparto", "entregado")
"""The values of the index's partition key, equally often written."""
MOVES: Final = 0.3
"""The part of the writes that change an entry's state: a delete and a put in the index."""
KEY_BYTES: Final = 100
"""An entry that holds keys only."""

_RATES: Final = (10, 50, 100, 200, 300, 400, 500, 650, 800, 1_000, 1_300, 1_600, 2_000, 2_500, 3_000, 4_000, 6_000)
_BYTES: Final = tuple(1024 * kb for kb in (1, 2, 3, 4, 5, 8, 10, 15, 20, 30))
_SHARES: Final = (0, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
_SHARDS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50)
_PARTITIONS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 56, 64)
_UNITS: Final = (50, 100, 200, 300, 400, 500, 650, 800, 1_000, 1_300, 1_600, 2_000, 2_600, 3_200, 4_000, 6_000,
                 8_000, 12_000, 16_000, 20_000, 30_000, 40_000)  # fmt: skip
_MODES: Final[dict[str, BillingMode]] = {"provisioned": "PROVISIONED", "on-demand": "PAY_PER_REQUEST"}
_COPIED: Final[dict[str, Copied]] = {"none": "none", "KEYS_ONLY": "KEYS_ONLY", "ALL": "ALL"}
_NAMES: Final = {mode: name for name, mode in _MODES.items()}
_INDEX: Final = "by-state"


@dataclass(frozen=True)
class Scene:
    """What the controls say. ``share``: per cent of the writes that go to the hot key; ``n``: suffixes of each key.

    ``table_capacity`` and ``index_capacity`` (WCU) count in provisioned mode only. ``copied``: what the index copies.
    ``splits``: whether hot partitions are split. Raises LabError for what no table can have.
    """

    writes_per_second: int = 500
    item_bytes: int = 2_048
    share: float = 20
    n: int = 1
    partitions: int = 4
    mode: BillingMode = "PROVISIONED"
    table_capacity: int = 650
    index_capacity: int = 1_000
    copied: Copied = "KEYS_ONLY"
    splits: bool = True

    def __post_init__(self) -> None:
        whole = {"writes_per_second": (1, 10_000), "item_bytes": (1, MAX_ITEM_BYTES), "n": (1, 50),
                 "partitions": (1, 64), "table_capacity": (1, 40_000), "index_capacity": (1, 40_000)}  # fmt: skip
        for name, (least, most) in whole.items():
            arguments.whole(name, getattr(self, name), least, most)
        arguments.number("share, per cent of the writes,", self.share, 0, 100)
        arguments.one_of("mode", self.mode, _NAMES)
        arguments.one_of("copied", self.copied, _COPIED)
        if not isinstance(self.splits, bool):
            raise LabError(f"Choose splits as True or False, not {arguments.shown(self.splits)}.")

    @property
    def capacity(self) -> int:
        """What the table can give in a second: its WCU, or, on demand, what its partitions give together."""
        if self.mode == "PROVISIONED":
            return self.table_capacity
        return self.partitions * PARTITION_UNITS["write"]


@dataclass(frozen=True)
class Hour:
    """An hour of steady writes, in steps of five minutes, in write units a second on average over the step.

    ``admitted`` and ``refused``: the table's, (steps, partitions by number); ``count``: its partitions in each step.
    ``index_units`` and ``for_index``, by step: what the index took, and what the table refused because of it; ``owed``:
    the units in its buffer at the step's end. ``splits`` and ``index_splits``: the steps that begin with a split for
    heat, of the table or of its index; ``stayed_whole``: whether a hot partition was not split, since that would not
    help. ``usd``: what AWS bills for the hour.
    """

    scene: Scene
    admitted: NDArray[np.float64]
    refused: NDArray[np.float64]
    count: tuple[int, ...]
    index_units: NDArray[np.float64]
    for_index: NDArray[np.float64]
    owed: NDArray[np.float64]
    splits: tuple[int, ...]
    index_splits: tuple[int, ...]
    stayed_whole: bool
    usd: float

    @property
    def refused_share(self) -> float:
        """Refused units over sent ones, from 0 to 1."""
        lost = float(self.refused.sum())
        return lost / (lost + float(self.admitted.sum()))

    @property
    def split_helped(self) -> bool:
        """Whether fewer writes are refused in the step that begins with a split than in the one before it."""
        lost = self.refused.sum(axis=1)
        return any(lost[step] < 0.99 * lost[step - 1] for step in self.splits + self.index_splits)

    @property
    def hot_in_a_cool_table(self) -> bool:
        """Whether a partition gives all it can while the table uses under a tenth of its capacity."""
        full = self.admitted.max(axis=1) >= 0.999 * PARTITION_UNITS["write"]
        return bool((full & (self.admitted.sum(axis=1) < self.scene.capacity / 10)).any())


@functools.lru_cache(maxsize=256)
def hour(scene: Scene) -> Hour:
    """Simulate an hour of steady writes to a table with one index.

    The simulation goes by steps of five minutes: the rules that count seconds are given units by the step. For a steady
    rate that is the hour of 3,600 steps, to about one per cent of what is sent, many times as fast. (Whether a
    partition was hot is judged by its average over ten minutes: a split may follow a burst that lasted nearly so long,
    where one minute after the other would show that it is over.)
    """
    entry = scene.item_bytes if scene.copied == "ALL" else KEY_BYTES
    has_index = scene.copied != "none"
    entries = IndexWrites(entry, 1.0, MOVES, keys=_states())
    work = Workload(
        demand.constant(SECONDS * scene.writes_per_second, STEPS),
        _keys(scene.share),
        item_bytes=scene.item_bytes,
        indexes={_INDEX: entries},
    )
    provided = scene.mode == "PROVISIONED"
    index = IndexDesign(1, SECONDS * scene.index_capacity) if provided else IndexDesign()
    design = Design(
        scene.mode,
        read_units=1 if provided else 0,
        write_units=SECONDS * scene.table_capacity if provided else 0,
        partitions=max(scene.partitions, partitions_for(0, scene.table_capacity)) if provided else scene.partitions,
        shards=scene.n,
        indexes={_INDEX: index} if has_index else {},
    )
    out = simulate(work, design, parameters=_by_the_step(scene.splits))
    admitted, refused = (units / SECONDS for units in (out.partition_units("write"), out.partition_refused("write")))
    index_units = out.index_units(_INDEX) / SECONDS if has_index else np.zeros(STEPS)
    if provided:
        paid = scene.table_capacity + (scene.index_capacity if has_index else 0)
        bill = provisioned(paid, 0, prices(), hours=1)
    else:
        bill = on_demand(float(admitted.sum() + index_units.sum()) * SECONDS, 0, prices())
    for_index = _because_of(out, f"/index/{_INDEX}") / SECONDS
    for_heat = [event for event in out.event_log if not event.detail.endswith((": capacity", ": size"))]
    splits = {(event.second, event.resource) for event in for_heat if event.event == "split" and event.second < STEPS}
    born = [event.second for event in out.event_log if event.resource is None and event.event == "split"]
    return Hour(
        scene,
        admitted,
        np.where(refused > 1e-6, refused, 0.0),
        tuple(admitted.shape[1] - sum(second > step for second in born) for step in range(STEPS)),
        index_units,
        for_index,
        _owed(out, scene, for_index) if has_index else np.zeros(STEPS),
        tuple(sorted(second for second, resource in splits if resource is None)),
        tuple(sorted(second for second, resource in splits if resource is not None)),
        any(event.event == "stayed whole" for event in for_heat),
        bill.total,
    )


def choices(scene: Scene) -> list[Hour]:
    """Return the same hour in both modes with both projections of the index, everything else as in ``scene``."""
    return [
        hour(_settled(replace(scene, mode=mode, copied=copied)))
        for mode in _NAMES
        for copied in ("KEYS_ONLY", "ALL")
    ]  # fmt: skip


def cheapest_without_refusals(scene: Scene) -> bool:
    """Say whether the scene, with an index, refuses nothing at the lowest cost.

    Compared with are the other modes and projections, and the next smaller WCU of the table and of the index.
    """
    mine = hour(_settled(scene))
    if scene.copied == "none" or mine.refused.any():
        return False
    others = choices(scene)
    if scene.mode == "PROVISIONED":
        for name in ("table_capacity", "index_capacity"):
            smaller = [units for units in _UNITS if units < getattr(scene, name)]
            others += [hour(_settled(replace(scene, **{name: units}))) for units in smaller[-1:]]  # type: ignore[arg-type]
    return not any(other.usd < mine.usd * (1 - 1e-9) and not other.refused.any() for other in others)


GOALS: Final = (
    Goal(
        "ceiling",
        "A partition works at its ceiling while the table uses less than a tenth of its capacity.",
        lambda scene: hour(_settled(scene)).hot_in_a_cool_table,
    ),
    Goal(
        "index",
        "The table refuses writes because of its index.",
        lambda scene: bool(hour(_settled(scene)).for_index.any()),
    ),
    Goal(
        "helped",
        "A hot partition is split, and fewer writes are refused from then on.",
        lambda scene: hour(_settled(scene)).split_helped,
    ),
    Goal(
        "whole",
        "A partition stays hot and whole, because no split would help.",
        lambda scene: hour(_settled(scene)).stayed_whole,
    ),
    Goal(
        "cheapest",
        "With an index, nothing is refused all hour; no other mode, projection or smaller WCU does that for less.",
        cheapest_without_refusals,
    ),
)


@arguments.typed
def sandbox_explorer(scene: Scene | None = None, *, step: int = 3) -> TimeExplorer:
    """All controls at once: an hour of steady writes to one table with one index, in steps of five minutes.

    Controls: writes a second, item size, the hot key's share, N (suffixes of each key), partitions, WCU of table and
    index, mode, what the index copies, whether hot partitions are split; and the time. Pictures: the partitions, the
    index and its buffer, cost beside refusals of both modes with both projections. The checklist ticks itself.
    ``scene`` is what it opens with. Errors: :class:`Scene`. Rests on the AWS pages "Designing partition keys", "Burst
    and adaptive capacity", "Understanding global secondary index write throttling" and "DynamoDB pricing".
    """
    opening = scene if scene is not None else Scene()
    if not isinstance(opening, Scene):
        raise LabError(f"The explorer opens with a Scene(...), not with {arguments.shown(scene)}.")
    checklist = Checklist("sandbox", GOALS)

    def compute(**values: Any) -> Scene:
        chosen = Scene(**values)
        checklist.see(chosen)
        return chosen

    def draw_at(chosen: Scene, step: int) -> tuple[list[Picture], str]:
        found = hour(_settled(chosen))
        return [_bars(found, step), _flows(found, step), _costs(chosen)], _sentence(found, step)

    controls = {
        "writes_per_second": steps("writes/s", _RATES, opening.writes_per_second, number),
        "item_bytes": steps("item size", _BYTES, opening.item_bytes, size_text),
        "share": steps("hot key", _SHARES, opening.share, lambda step: f"{step} %"),  # type: ignore[arg-type]
        "n": steps("N", _SHARDS, opening.n, number),
        "table_capacity": steps("table WCU", _UNITS, opening.table_capacity, number),
        "index_capacity": steps("index WCU", _UNITS, opening.index_capacity, number),
        "partitions": steps("partitions", _PARTITIONS, opening.partitions, number),
        "splits": choice("splits", {"on": True, "off": False}, opening.splits),
        "mode": choice("mode", dict(_MODES), opening.mode),
        "copied": choice("index", _COPIED, opening.copied),
    }
    explorer = TimeExplorer(controls, compute, draw_at, frames=STEPS, start=step, name="step", checklist=checklist)
    _arrange(explorer, checklist)
    return explorer


# --- the simulation ---------------------------------------------------------------------------------------------------


@functools.cache
def _by_the_step(splits: bool) -> Parameters:
    """The service's rules for a clock that counts steps: units are by the step, spans of time in steps.

    A bucket holds its own step's refill besides what is saved. Heat and peaks are looked at every ten minutes: for a
    steady rate a longer look finds the same. What that look takes off a peak's delay, half an hour is shorter by.
    """
    by_step = {
        name: getattr(DEFAULTS, name) * SECONDS
        for name in (
            "partition_write_units", "partition_read_units", "on_demand_write_units", "on_demand_read_units",
            "table_write_quota", "table_read_quota",
        )
    }  # fmt: skip
    return replace(
        DEFAULTS,
        **by_step,
        burst_seconds=1 + DEFAULTS.burst_seconds // SECONDS,
        ramp_burst_seconds=1 + (DEFAULTS.ramp_burst_seconds - 1) / SECONDS,
        ramp_seconds=DEFAULTS.ramp_seconds // SECONDS - 2,
        ramp_peak_seconds=2,
        heat_split_seconds=DEFAULTS.heat_split_seconds // SECONDS,
        heat_slots=1,
        heat_samples=64,
        heat_split_share=DEFAULTS.heat_split_share if splits else 1e9,
    )


def _settled(scene: Scene) -> Scene:
    """The scene without what does not matter to it, so that no hour is simulated twice."""
    if scene.mode != "PROVISIONED":
        return replace(scene, table_capacity=1, index_capacity=1)
    return replace(scene, index_capacity=1) if scene.copied == "none" else scene


@functools.lru_cache(maxsize=64)
def _keys(share: float) -> demand.Keys:
    # Under each key lies what no split can divide: one item, such as a counter.
    return demand.celebrity(KEYS, share / 100)


@functools.cache
def _states() -> demand.Keys:
    # Within a state entries lie by date: the newest are written, so a split cannot divide them either.
    return demand.few(STATES)


def _because_of(out: Outcome, resource: str) -> NDArray[np.float64]:
    """The table's write units that were refused because of a resource whose ARN ends so, by step."""
    found = np.zeros(out.seconds)
    for block in out.records[None, "write"].blocks:
        for (_, arn), units in block.stretch.refused.items():
            if arn.endswith(resource):
                found[block.first : block.last] += units
    return found


def _owed(out: Outcome, scene: Scene, for_index: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the index owes at the end of each step: at most its buffer, which is full where it makes writes fail."""
    units, most = out.partition_units("write", _INDEX), DEFAULTS.index_buffer_units
    ceiling = PARTITION_UNITS["write"] * SECONDS
    own, saved = np.zeros(units.shape[1]), np.inf
    rate = scene.index_capacity * SECONDS if scene.mode == "PROVISIONED" else np.inf
    owed = np.zeros(STEPS)
    for step, taken in enumerate(units):
        own = np.minimum(own + ceiling, ceiling) - taken
        if rate < np.inf:
            saved = min(saved + rate, (1 + DEFAULTS.burst_seconds / SECONDS) * rate) - float(taken.sum())
        owed[step] = max(0.0, -float(own.min()), -saved)
        own = np.minimum(own, 0.0)
    return np.minimum(np.where(for_index > 0, most, np.round(owed, 6)), most)


# --- pictures and words -----------------------------------------------------------------------------------------------


def _bars(found: Hour, step: int) -> Picture:
    took, lost = found.admitted[step], found.refused[step]
    count = found.count[step]
    share = _percent(float(took.sum()) / found.scene.capacity)
    return partition_bars(
        took[:count].round(3),
        lost[:count].round(3),
        ceiling=PARTITION_UNITS["write"],
        title=f"{_when(step)}: {counted(count, 'partition')}",
        caption=f"The table works at {share} of its capacity.",
        top=float((found.admitted + found.refused).max()),
    )


def _flows(found: Hour, step: int) -> Picture:
    scene = found.scene
    provided = scene.mode == "PROVISIONED"
    for_index = float(found.for_index[step])
    own = max(float(found.refused[step].sum()) - for_index, 0.0)
    table = Flow(
        "table", round(float(found.admitted[step].sum()), 3), scene.table_capacity if provided else None,
        refused=round(own, 3),
    )  # fmt: skip
    if scene.copied == "none":
        index, said = Flow("(no index)", 0.0), "The table has no index."
    else:
        index = Flow(
            f"index, {scene.copied}", round(float(found.index_units[step]), 3),
            scene.index_capacity if provided else None,
            owed=round(float(found.owed[step]), 3), refused=round(for_index, 3),
        )  # fmt: skip
        said = "The index is behind" if index.owed else "The index keeps up"
        said += "; the table refuses writes for its own limits." if own > 0.001 else "."
        if for_index:
            said = "The index is too slow, so the table refuses writes."
    return table_flows(table, [index], title=f"{_when(step)}: the table and its index", caption=said)


def _costs(scene: Scene) -> Picture:
    """The choices of mode and projection; that of the scene is marked."""
    rows = [
        Priced(
            ("\u25b8 " if (each.scene.mode, each.scene.copied) == (scene.mode, scene.copied) else "")
            + f"{_NAMES[each.scene.mode]}, {each.scene.copied}",
            each.usd,
            float(each.refused.sum()) * SECONDS / _units(scene),
            float((each.admitted + each.refused).sum()) * SECONDS / _units(scene),
        )
        for each in choices(scene)
    ]
    return cost_bars(
        rows, title="The whole hour: cost beside refusals", caption=_cost_words(hour(_settled(scene))), per="an hour"
    )


def _cost_words(found: Hour) -> str:
    name = f"{_NAMES[found.scene.mode]}, {found.scene.copied}"
    return f"This table ({name}): {found.usd:.2f} USD, {_percent(found.refused_share)} refused."


def _sentence(found: Hour, step: int) -> str:
    scene = found.scene
    sent = f"{counted(scene.writes_per_second, 'write')} of {size_text(scene.item_bytes)} a second"
    needs = scene.writes_per_second * _units(scene)
    lost = float(found.refused[step].sum())
    here = f"{number(round(lost, 1))} of {number(needs)} WU/s refused"
    why = f", {number(round(float(found.for_index[step]), 1))} of them for the index" if found.for_index.any() else ""
    splits = f"; the table split after {_listed(found.splits)} minutes" if found.splits else ""
    splits += f"; the index split after {_listed(found.index_splits)} minutes" if found.index_splits else ""
    whole = "; a hot partition stayed whole" if found.stayed_whole else ""
    return (
        f"{sent}, {scene.share:g} % to one key, N = {scene.n}: {here}{why}. "
        f"The hour: {_percent(found.refused_share)} refused{splits}{whole}; {found.usd:.2f} USD."
    )


def _listed(steps: tuple[int, ...]) -> str:
    minutes = [f"{step * SECONDS // 60}" for step in steps]
    return minutes[0] if len(minutes) == 1 else f"{', '.join(minutes[:-1])} and {minutes[-1]}"


def _when(step: int) -> str:
    return f"Minutes {step * SECONDS // 60} to {(step + 1) * SECONDS // 60}"


def _units(scene: Scene) -> int:
    return write_units(scene.item_bytes)


def _percent(share: float) -> str:
    return "under 0.1 %" if 0 < share < 0.001 else f"{number(round(100 * share, 1))} %"


# --- controls ---------------------------------------------------------------------------------------------------------


def _arrange(explorer: TimeExplorer, checklist: Checklist) -> None:
    """Controls in two columns and the checklist beside the pictures, where the page is wide enough."""
    own = list(explorer.controls.values())[:-1]
    rest = [child for child in explorer.children if child not in own and child is not checklist.view]
    time, shown = rest[:2], rest[2:]
    grid = widgets.Layout(grid_template_columns="repeat(auto-fit, minmax(340px, 1fr))", max_width="1000px")
    checklist.view.layout = widgets.Layout(flex="1 1 240px", min_width="240px", max_width="720px", margin="0 0 0 16px")
    shown[1].layout.min_height = "6.5em"  # four lines: the column is narrower than a page
    pictures = widgets.VBox(shown, layout=widgets.Layout(flex="1 1 600px", max_width="772px"))
    beside = widgets.Box([pictures, checklist.view], layout=widgets.Layout(flex_flow="row wrap"))
    explorer.children = (widgets.GridBox(own, layout=grid), *time, beside)
    sizes = [explorer.controls["table_capacity"], explorer.controls["index_capacity"]]

    def enable(_: Any = None) -> None:
        for each in sizes:
            each.disabled = explorer.controls["mode"].value != "PROVISIONED"

    explorer.controls["mode"].observe(enable, names="value")
    enable()
