"""What a learner sees: a notebook opened in JupyterLab in a browser, run to its end, its explorers moved by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import build
from browser.harness import (
    changes,
    chromium,
    copy_of_course,
    drive,
    errors,
    explore,
    explorers,
    look,
    new_page,
    open_notebook,
    run_all,
    served,
)

pytestmark = pytest.mark.browser

EXPLORED = ("05_write_sharding", "90_gallery")
"""Notebooks whose explorers are driven; one that is not there yet is left out."""

STAND_IN = """\
# A stand-in for a lesson

```{code-cell} ipython3
import ipywidgets
from IPython.display import SVG, display


def bar(n):
    rect = f'<rect width="{n}" height="9"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="dl-picture" width="90" height="90">{rect}</svg>'


display(SVG(bar(5)))
```

```{code-cell} ipython3
slider = ipywidgets.IntSlider(value=5, min=1, max=64, description="N")
picture = ipywidgets.HTML(bar(5))
slider.observe(lambda change: setattr(picture, "value", bar(change.new if LIVE else 5)), "value")
explorer = ipywidgets.VBox([slider, picture])
explorer.add_class("dynamolab-explorer")
_ = display(explorer)
```
"""

EVERY_CONTROL = """\
# Every kind of control

```{code-cell} ipython3
import ipywidgets as widgets

from dynamolab import view
from dynamolab.view.explorers.controls import choice, steps, whole

goals = view.Checklist("browser", [view.Goal("full", "A partition is at its ceiling.", lambda level: level >= 100)])


def simulate(load, size, kind, speed):
    return [second * load * size * (2 if kind == "b" else 1) * (3 if speed == "fast" else 1) for second in range(30)]


def draw_at(levels, second):
    goals.see(levels[second])
    level = levels[second]
    admitted, refused = min(level, 100), max(level - 100, 0)
    picture = view.partition_bars([admitted], [refused], ceiling=100, title="Level", caption="By second.", top=900)
    return picture, f"In second {second} the level is {level}."


view.TimeExplorer(
    {
        "load": whole("load", 3, 1, 20),
        "size": steps("size", (1, 2, 5), 2, str),
        "kind": choice("kind", {"single": "a", "double": "b"}, "a"),
        "speed": widgets.ToggleButtons(options=["slow", "fast"], description="speed"),
    },
    simulate,
    draw_at,
    frames=30,
    start=5,
    before="When is it full?",
    after="Now make it last.",
    checklist=goals,
)
```
"""

SLOW = """\
# A slow cell

```{code-cell} ipython3
import time

import dynamolab as lab
```

```{code-cell} ipython3
lab.start(seed=7)
```

```{code-cell} ipython3
ended = lab.drive(lambda: time.sleep(WAIT), per_second=10, seconds=2)
ended
```
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with new_page(browser) as found:
        yield found


@pytest.mark.parametrize("lesson", EXPLORED)
def test_every_explorer_of_the_notebook_follows_keyboard_and_mouse_and_leaves_the_page_still(
    root: Path, tmp_path: Path, page: Page, lesson: str
) -> None:
    with served(copy_of_course(root, tmp_path)) as address:
        found = explore(page, address, f"notebooks/{lesson}.ipynb", root / "artifacts")
    assert found
    for explored in found:
        assert explored.moved, explored
        assert explored.stuck == []
        assert explored.nameless == []
        assert len(explored.heights) == 1, explored
        assert not explored.flickered
        assert not explored.trapped
        assert explored.milliseconds


def built(folder: Path, **sources: str) -> Path:
    """A course of the given lessons, built."""
    lessons = folder / "course" / "lessons"
    lessons.mkdir(parents=True)
    for name, text in {"welcome": "# Welcome\n", **sources}.items():
        (lessons / f"{name}.md").write_text(text, encoding="utf-8")
    assert build.main(["--root", str(folder)]) == 0
    return folder


def test_every_kind_of_control_is_named_works_by_keyboard_and_ticks_the_list(
    root: Path, tmp_path: Path, browser: Browser, page: Page
) -> None:
    with served(built(tmp_path, controls=EVERY_CONTROL)) as address:
        open_notebook(page, address, "notebooks/controls.ipynb")
        run_all(page)
        (explorer,) = [found for found in explorers(page) if found.is_visible()]
        for name in ("load", "size", "second"):
            expect(explorer.get_by_role("slider", name=name, exact=True)).to_be_visible()
        for name in ("play", "first", "back", "on", "slow", "fast"):
            expect(explorer.get_by_role("button", name=name, exact=True)).to_be_visible()
        expect(explorer.get_by_role("combobox", name="kind")).to_be_visible()
        expect(explorer.get_by_role("slider", name="size")).to_have_attribute("aria-valuetext", "2")
        expect(explorer.get_by_text("0 of 1 reached")).to_be_visible()
        found = drive(page, explorer)
        page.screenshot(path=root / "artifacts" / "controls.png")
        assert found.stuck == []
        assert {control.split(",")[0] for how, control in found.moved if how == "keyboard"} == {
            "load", "size", "kind", "fast", "second", "first", "back", "on", "play",
        }  # fmt: skip
        assert {control for how, control in found.moved if how == "mouse"} >= {"load", "size", "second", "play"}
        assert (found.nameless, found.flickered, len(found.heights)) == ([], False, 1)
        expect(explorer.get_by_text("1 of 1 reached")).to_be_visible()

        run_all(page)  # a rerun in the same kernel keeps the tick
        expect(page.get_by_text("1 of 1 reached")).to_be_visible()

        with new_page(browser, reduced_motion="reduce") as still:
            open_notebook(still, address, "notebooks/controls.ipynb")
            run_all(still)
            calm = next(explorers(still))
            expect(calm.get_by_text("Your system asks for less motion")).to_be_visible()
            expect(calm.get_by_role("button", name="play")).to_be_hidden()
            expect(calm.get_by_role("button", name="on", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    "ask",
    ["fetch('https://news.example/')", "new WebSocket('wss://a.example/')", "(new Image()).src = '//a.example'"],
)
def test_a_page_that_asks_another_machine_fails_its_test(browser: Browser, ask: str) -> None:
    with pytest.raises(AssertionError, match="example"), new_page(browser) as page:
        page.set_content("<base href='https://here.example/'><p>here</p>")
        page.evaluate(f"() => {{ try {{ {ask} }} catch {{}} }}")
        page.wait_for_timeout(500)


def test_a_long_wait_shows_a_bar_while_it_lasts_and_nothing_afterwards(root: Path, tmp_path: Path, page: Page) -> None:
    folder = built(tmp_path, slow=SLOW.replace("WAIT", "0"))
    stored = folder / "notebooks" / "slow.ipynb"
    # Built without the wait, then made slow: the wait is for the eyes, and nothing is asserted about its length.
    stored.write_text(stored.read_text(encoding="utf-8").replace("time.sleep(0)", "time.sleep(0.3)"), encoding="utf-8")
    with served(folder) as address:
        open_notebook(page, address, "notebooks/slow.ipynb")
        page.locator(".lm-MenuBar-item", has_text="Run").click()
        page.locator(".lm-Menu-item:visible", has_text="Run All Cells").first.click()
        bar = page.locator("progress.dl-patience")
        expect(bar).to_be_visible()
        page.screenshot(path=root / "artifacts" / "progress.png")
        last = page.locator(".jp-NotebookPanel:visible .jp-CodeCell").last
        expect(last.locator(".jp-OutputArea-output")).to_contain_text("20 calls in 2 s: 20 admitted", timeout=30_000)
        expect(bar).to_have_count(0)
        expect(last.locator(".jp-OutputArea-child")).to_have_count(1)
        assert errors(page) == []


def test_stored_pictures_show_before_anything_runs_and_this_gate_tells_a_live_picture_from_a_dead_one(
    tmp_path: Path, page: Page
) -> None:
    lessons = {name: STAND_IN.replace("LIVE", str(name == "live")) for name in ("live", "dead")}
    with served(built(tmp_path, **lessons)) as address:
        open_notebook(page, address, "notebooks/live.ipynb")
        # Unsigned, the notebook would show the text <IPython.core.display.SVG object> in its place.
        expect(page.locator('.jp-OutputArea-output[data-mime-type="image/svg+xml"]')).to_be_visible()
        assert page.locator(".Toastify__toast").all_inner_texts() == []  # no news, no questions
        run_all(page)
        live = drive(page, next(explorers(page)))
        assert [how for how, _ in live.moved] == ["keyboard", "keyboard", "mouse"]
        assert live.stuck == []
        assert live.nameless != []  # no part of this stand-in has a name
        assert errors(page) == []

        open_notebook(page, address, "notebooks/dead.ipynb")
        run_all(page)
        dead = next(explorers(page))
        shown = look(dead)
        assert not changes(dead, shown, patience=0.5)
        found = drive(page, dead, patience=1)
        assert found.moved == []
        assert [how for how, _ in found.stuck] == ["keyboard", "keyboard", "mouse"]
