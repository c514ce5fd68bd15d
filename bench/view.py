"""How long a slider takes: the Python part of a step, and from the key press to the picture in headless Chromium.

The bounds are what a hand does not notice: 30 ms in Python at 64 partitions, 100 ms in all for 95 of 100 presses.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from dynamolab.view import sharding_explorer
from dynamolab.view.explorers import sandbox_explorer
from dynamolab.view.explorers.sandbox import Scene, hour

ROOT = Path(__file__).resolve().parents[1]
MOST_PYTHON = 30.0
MOST_PRESS = 100.0
NOTEBOOKS = ("05_write_sharding", "90_gallery")


def run() -> list[str]:
    """Return the measured lines; raises AssertionError when a bound is missed."""
    lines = []
    for what, step in (("64 partitions", python_step()), ("64 partitions and a simulated hour", sandbox_step())):
        lines.append(f"Python part of a slider step, {what}: {step:.1f} ms in the median (bound {MOST_PYTHON:.0f})")
        assert step <= MOST_PYTHON, lines[-1]
    worst = 0.0
    for name, place, waits, high in presses():
        middle = statistics.median(waits)
        lines.append(
            f"key press to picture, {name}, explorer {place + 1}: {middle:.0f} ms in the median, "
            f"{high:.0f} ms for 95 of 100 ({len(waits)} presses; bound {MOST_PRESS:.0f})"
        )
        worst = max(worst, high)
    assert worst <= MOST_PRESS, "; ".join(lines)
    return lines


def python_step() -> float:
    """Return the median milliseconds that an explorer of 64 partitions takes to draw anew."""
    explorer = sharding_explorer(partitions=64, n=200)
    slider, waits = explorer.controls["n"], []
    for _, n in (*slider.options, *reversed(slider.options)):
        began = time.perf_counter()
        slider.value = n
        waits.append(1000 * (time.perf_counter() - began))
    return statistics.median(waits)


def sandbox_step() -> float:
    """Return the median milliseconds of the sandbox for each change of a control, nothing of it known before."""
    start = Scene(writes_per_second=1_000, item_bytes=4_096, partitions=64, table_capacity=6_000, index_capacity=6_000)
    explorer, waits = sandbox_explorer(start), []
    for name in ("writes_per_second", "item_bytes", "share", "n", "table_capacity", "index_capacity"):
        slider = explorer.controls[name]
        before = slider.value
        for _, value in slider.options:
            hour.cache_clear()
            began = time.perf_counter()
            slider.value = value
            waits.append(1000 * (time.perf_counter() - began))
        slider.value = before
    return statistics.median(waits)


def presses() -> list[tuple[str, int, list[float], float]]:
    """Return (notebook, place, milliseconds of each press, 95th percentile) for every explorer that is driven."""
    sys.path.insert(0, str(ROOT / "tests"))
    from browser.harness import chromium, copy_of_course, explore, new_page, served

    found = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, chromium() as browser:
        course = copy_of_course(ROOT, Path(folder))
        names = [name for name in NOTEBOOKS if (course / "notebooks" / f"{name}.ipynb").is_file()]
        with served(course) as address:
            for name in names:
                with new_page(browser) as page:
                    for explored in explore(page, address, f"notebooks/{name}.ipynb", ROOT / "artifacts"):
                        found.append((name, explored.place, explored.milliseconds, explored.percentile_95))
    return found
