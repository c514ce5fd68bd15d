"""What a learner sees: a lesson opened in JupyterLab in a real browser, run to its end, its slider moved by hand."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

import build

pytestmark = pytest.mark.browser

CHROMIUMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
COURSE = ("notebooks", "exercises", "solutions", "data")
RUN_SECONDS = 240
IDLE = '.jp-Notebook-ExecutionIndicator:visible[data-status="idle"]'

STAND_IN = """\
# A stand-in for a lesson

```{code-cell} ipython3
import ipywidgets
from IPython.display import SVG, display


def bar(n):
    rect = f'<rect width="{n}" height="9"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="dl-picture" width="90" height="9">{rect}</svg>'


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        pytest.fail("There is no Chromium here: install it (Debian: apt-get install chromium; macOS: Google Chrome).")
    with sync_playwright() as playwright:
        # A container's only user is root, for whom Chromium has no sandbox.
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()


def open_notebook(page: Page, lab: Any, path: str) -> None:
    """Open a notebook under JupyterLab, in a workspace of its own; wait until it is drawn and its kernel listens."""
    name = Path(path)
    page.goto(lab.address.replace("/lab/tree/notebooks/welcome.ipynb", f"/lab/workspaces/{name.stem}/tree/{path}"))
    expect(page.locator(".lm-DockPanel-tabBar .lm-mod-current")).to_have_text(name.name, timeout=60_000)
    expect(page.locator(".jp-NotebookPanel:visible .jp-Cell").first).to_be_visible(timeout=60_000)
    sessions = re.sub("/lab/tree/[^?]*", "/api/sessions", lab.address)
    for _ in range(120):
        kernels = [entry["kernel"] for entry in page.request.get(sessions).json() if entry["path"] == path]
        if any(kernel["execution_state"] == "idle" and kernel["connections"] for kernel in kernels):
            break
        page.wait_for_timeout(500)
    expect(page.locator(IDLE)).to_be_visible(timeout=60_000)


def menu(page: Page, name: str, item: str) -> None:
    """Choose an item of JupyterLab's menu bar."""
    page.locator(".lm-MenuBar-item", has_text=re.compile(f"^{name}$")).click()
    page.locator(".lm-Menu-item:visible", has_text=re.compile(f"^{item}$")).click()


def errors(page: Page) -> list[str]:
    """What went wrong on the page: errors of cells, text on stderr, an explorer's or a widget's own error."""
    kinds = (
        '[data-mime-type="application/vnd.jupyter.error"]',
        '[data-mime-type="application/vnd.jupyter.stderr"]',
        ".jp-NotebookPanel .dl-error",
        ".jupyter-widgets-error-widget, .jp-OutputArea-output:has-text('Error displaying widget')",
    )
    return [text for kind in kinds for text in page.locator(kind).all_inner_texts()]


def run_all(page: Page) -> None:
    """Clear every output, run every cell, and wait until each has its number; an error ends the wait at once."""
    menu(page, "Edit", "Clear Outputs of All Cells")
    prompts = page.locator(".jp-NotebookPanel:visible .jp-CodeCell .jp-InputPrompt")
    expect(prompts.filter(has_text=re.compile(r"\d"))).to_have_count(0)
    menu(page, "Run", "Run All Cells")
    numbered = prompts.filter(has_text=re.compile(r"^\[\d+\]:$"))
    for _ in range(RUN_SECONDS):
        assert errors(page) == []
        if numbered.count() == prompts.count():
            break
        page.wait_for_timeout(1000)
    expect(numbered).to_have_count(prompts.count())
    expect(page.locator(IDLE)).to_be_visible()


def picture(explorer: Locator) -> str:
    """The explorer's picture as it stands in the page."""
    svg = explorer.locator("svg.dl-picture").first
    expect(svg).to_be_visible()
    return str(svg.evaluate("svg => svg.outerHTML"))


def bring_into_view(part: Locator) -> None:
    """Scroll until a part of the notebook stays in view: the cells above it get their heights as they pass by."""
    where: float | None = None
    for _ in range(20):
        part.evaluate("part => part.scrollIntoView({block: 'center'})")
        part.page.wait_for_timeout(300)
        before, where = where, part.evaluate("part => part.getBoundingClientRect().top")
        if where == before:
            return
    raise AssertionError("the notebook never came to rest")


def move_slider(explorer: Locator, label: str, key: str, patience: int = 10) -> tuple[str, str]:
    """Press a key on the slider of that label; returns the picture before and after, once it has changed.

    Raises AssertionError when the picture stands still for ``patience`` seconds.
    """
    row = explorer.locator(".widget-slider", has=explorer.page.get_by_text(label, exact=True))
    before = picture(explorer)
    row.locator("[role=slider]").focus()
    explorer.page.keyboard.press(key)
    changed = explorer.locator("svg.dl-picture").first
    for _ in range(10 * patience):
        if str(changed.evaluate("svg => svg.outerHTML")) != before:
            return before, picture(explorer)
        explorer.page.wait_for_timeout(100)
    raise AssertionError(f"{key} on the slider {label} changed nothing in the picture")


@pytest.fixture
def course(root: Path, tmp_path: Path) -> Path:
    """A copy of the course, so that what JupyterLab saves by itself never reaches the repository."""
    for name in COURSE:
        if (root / name).is_dir():
            shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns(".*"))
    return tmp_path


@pytest.mark.parametrize(("lesson", "label"), [("05_write_sharding", "N")])
def test_the_lesson_runs_to_its_end_and_its_picture_follows_the_slider(
    root: Path, course: Path, page: Page, start_lab: Callable[..., Any], lesson: str, label: str
) -> None:
    artifacts = root / "artifacts"
    artifacts.mkdir(exist_ok=True)
    lab = start_lab(course, "--port", "0")
    open_notebook(page, lab, f"notebooks/{lesson}.ipynb")
    try:
        run_all(page)
        explorer = page.locator(".jp-OutputArea-output .dynamolab-explorer").last
        bring_into_view(explorer)
        page.screenshot(path=artifacts / f"{lesson}-before.png")
        before, after = move_slider(explorer, label, "ArrowRight")
        assert before != after
        assert errors(page) == []
    finally:
        page.screenshot(path=artifacts / f"{lesson}.png")
    assert lab.stop() == 0


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """A course of one notebook whose picture follows its slider, and one whose picture does not."""
    lessons = tmp_path / "course" / "lessons"
    lessons.mkdir(parents=True)
    (lessons / "welcome.md").write_text("# Welcome\n", encoding="utf-8")
    for name in ("live", "dead"):
        text = STAND_IN.replace("LIVE", str(name == "live"))
        (lessons / f"{name}.md").write_text(text, encoding="utf-8")
    assert build.main(["--root", str(tmp_path)]) == 0
    return tmp_path


def test_stored_pictures_show_before_anything_runs_and_this_gate_tells_a_live_picture_from_a_dead_one(
    stand_in: Path, page: Page, start_lab: Callable[..., Any]
) -> None:
    lab = start_lab(stand_in, "--port", "0")
    open_notebook(page, lab, "notebooks/live.ipynb")
    # Unsigned, the notebook would show the text <IPython.core.display.SVG object> in its place.
    expect(page.locator('.jp-OutputArea-output[data-mime-type="image/svg+xml"]')).to_be_visible()
    assert page.locator(".Toastify__toast").all_inner_texts() == []  # no news, no questions
    run_all(page)
    move_slider(page.locator(".dynamolab-explorer"), "N", "ArrowRight")
    assert errors(page) == []

    open_notebook(page, lab, "notebooks/dead.ipynb")
    run_all(page)
    with pytest.raises(AssertionError, match="changed nothing"):
        move_slider(page.locator(".jp-NotebookPanel:visible .dynamolab-explorer"), "N", "ArrowRight", patience=2)
