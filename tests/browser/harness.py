"""A notebook in JupyterLab in headless Chromium: opened, run, and every explorer in it driven by hand.

``drive`` does for each explorer what a learner does: moves every control by keyboard, every slider by mouse, presses
every button, scrolls over it. What it finds is an :class:`Explored`; screenshots go to a folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, Request, WebSocket, expect, sync_playwright

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
PRESSES = 20
"""Key presses on each slider that are timed."""

# From the key's event to the frame that shows what it changed, by the page's own clock.
_WATCH = """root => {
  const seen = root.dlSeen = {pressed: null, waits: [], least: Infinity};
  root.addEventListener('keydown', () => { seen.pressed = performance.now(); }, true);
  const changed = mutations => {
    for (const {target} of mutations) {
      if (target.querySelector('svg')) seen.least = Math.min(seen.least, target.getBoundingClientRect().height);
    }
    if (seen.pressed === null) return;
    const began = seen.pressed;
    seen.pressed = null;
    requestAnimationFrame(() => setTimeout(() => seen.waits.push(performance.now() - began)));
  };
  for (const part of root.querySelectorAll('.widget-html-content')) {
    new MutationObserver(changed).observe(part, {childList: true});
  }
}"""
_NAMELESS = """root => [...root.querySelectorAll('[tabindex="0"], button, select, input, [contenteditable=true]')]
  .filter(part => part.checkVisibility())
  .filter(part => !(part.getAttribute('aria-label') || part.textContent.trim() && part.tagName === 'BUTTON'
                    || part.labels && part.labels.length && part.labels[0].textContent.trim()))
  .map(part => part.outerHTML.slice(0, 200))"""
_NULLS = """root => [...root.querySelectorAll('[title="null"]')].map(part => part.outerHTML.slice(0, 200))"""


@dataclass
class Explored:
    """What came of driving one explorer; ``moved`` holds ("keyboard" or "mouse", control) in order of use."""

    place: int
    moved: list[tuple[str, str]] = field(default_factory=list)
    stuck: list[tuple[str, str]] = field(default_factory=list)
    nameless: list[str] = field(default_factory=list)
    """Parts that the keyboard reaches and a reader of the screen cannot name, and titles that say "null"."""
    milliseconds: list[float] = field(default_factory=list)
    """From each key press to the frame with the changed picture."""
    heights: set[int] = field(default_factory=set)
    """Heights of the explorer in pixels: more than one means that what follows it jumped."""
    flickered: bool = False
    trapped: bool = False
    """Whether the wheel over it did not scroll the notebook."""

    @property
    def percentile_95(self) -> float:
        """95 of 100 presses were answered within so many milliseconds."""
        waits = sorted(self.milliseconds)
        return waits[min(len(waits) - 1, int(0.95 * len(waits)))]


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Yield the browser; raises AssertionError where there is none."""
    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    assert found, "There is no Chromium here: install it (Debian: apt-get install chromium; macOS: Google Chrome)."
    with sync_playwright() as playwright:
        # The gates' guard is in Python only: Chromium's own look-ups, for updates and accounts, find nothing instead.
        sealed = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server"]
        # A container's only user is root, for whom Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", *sealed])
        yield browser
        browser.close()


@contextlib.contextmanager
def new_page(browser: Browser, **options: object) -> Iterator[Page]:
    """Yield a page of its own, as large as a small screen; at its end it must have asked this machine only."""
    context = browser.new_context(**{"viewport": {"width": 1400, "height": 1000}, **options})  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(30_000)
    abroad: list[str] = []

    def ask(asked: Request | WebSocket) -> None:
        address = urlsplit(asked.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != "127.0.0.1":
            abroad.append(asked.url)

    context.on("request", ask)
    page.on("websocket", ask)
    yield page
    context.close()
    assert abroad == [], abroad


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Yield the address of a lab that serves ``folder`` on 127.0.0.1, and end that lab afterwards."""
    line = [sys.executable, "-m", "dynamolab", "lab", "--no-browser", "--port", "0"]
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "stdout": subprocess.PIPE}
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(line, cwd=folder, env=environment, text=True, **quiet)  # type: ignore[call-overload]
    try:
        yield next(word for text in process.stdout for word in text.split() if word.startswith("http://"))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


def copy_of_course(root: Path, to: Path) -> Path:
    """Copy the course, so that what JupyterLab saves by itself never reaches the repository."""
    for name in COURSE:
        if (root / name).is_dir():
            shutil.copytree(root / name, to / name, ignore=shutil.ignore_patterns(".*"))
    return to


def open_notebook(page: Page, address: str, path: str) -> None:
    """Open a notebook under JupyterLab, in a workspace of its own; wait until it is drawn and its kernel listens."""
    name = Path(path)
    page.goto(address.replace("/lab/tree/notebooks/welcome.ipynb", f"/lab/workspaces/{name.stem}/tree/{path}"))
    expect(page.locator(".lm-DockPanel-tabBar .lm-mod-current")).to_have_text(name.name, timeout=60_000)
    expect(page.locator(".jp-NotebookPanel:visible .jp-Cell").first).to_be_visible(timeout=60_000)
    sessions = re.sub("/lab/tree/[^?]*", "/api/sessions", address)
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


def explorers(page: Page) -> Iterator[Locator]:
    """Yield every explorer of the open notebook, from top to bottom, each scrolled into view.

    JupyterLab takes cells that are far out of view from the page, so the notebook is scrolled through.
    """
    scroller = page.locator(".jp-NotebookPanel:visible .jp-WindowedPanel-outer").first
    scroller.evaluate("part => { part.scrollTop = 0; }")
    count = 0
    while True:
        page.wait_for_timeout(400)
        fresh = page.locator(".jp-NotebookPanel:visible .dynamolab-explorer:not([data-place]):visible")
        if fresh.count():
            fresh.first.evaluate("(root, place) => { root.dataset.place = place; }", count)
            found = page.locator(f'.dynamolab-explorer[data-place="{count}"]')
            bring_into_view(found)
            yield found
            count += 1
            continue
        where = "part => [part.scrollTop, part.scrollHeight]"
        before = scroller.evaluate(where)
        scroller.evaluate("part => { part.scrollTop += 0.7 * part.clientHeight; }")
        page.wait_for_timeout(200)
        if scroller.evaluate(where) == before:
            return


def look(explorer: Locator) -> str:
    """All that the explorer shows besides its controls: pictures, sentence, ticks."""
    parts = explorer.locator(".widget-html-content")
    return str(parts.evaluate_all("parts => parts.map(part => part.innerHTML).join()"))


def changes(explorer: Locator, before: str, patience: float = 5) -> bool:
    """Whether the explorer shows something else within ``patience`` seconds."""
    for _ in range(int(20 * patience)):
        if look(explorer) != before:
            return True
        explorer.page.wait_for_timeout(50)
    return False


def drive(page: Page, explorer: Locator, place: int = 0, patience: float = 5) -> Explored:
    """Move every control of an explorer, by keyboard and by mouse, and say what came of it."""
    found = Explored(place)
    explorer.evaluate(_WATCH)

    def note(how: str, control: str, before: str) -> None:
        moved = changes(explorer, before, patience)
        (found.moved if moved else found.stuck).append((how, control))
        found.heights.add(round(explorer.evaluate("root => root.getBoundingClientRect().height")))

    found.heights.add(round(explorer.evaluate("root => root.getBoundingClientRect().height")))
    for row in explorer.locator(".widget-slider:visible").all():
        label = row.locator(".widget-label").inner_text()
        handle = row.locator("[role=slider]")
        for key in _keys(handle):
            before = look(explorer)
            handle.focus()
            page.keyboard.press(key)
            note("keyboard", f"{label}, {key}", before)
        before = look(explorer)
        _drag(page, row)
        note("mouse", label, before)
        _time(page, explorer, handle)
    for select in explorer.locator("select:visible").all():
        label = select.evaluate("part => part.labels.length ? part.labels[0].textContent : ''")
        last = select.evaluate("part => part.selectedIndex === part.options.length - 1")
        before = look(explorer)
        select.focus()
        page.keyboard.press("ArrowUp" if last else "ArrowDown")
        note("keyboard", label, before)
    for button in explorer.locator(".widget-toggle-buttons button:not(.mod-active):visible").all():
        before, label = look(explorer), button.inner_text()
        button.focus()
        page.keyboard.press("Enter")
        note("keyboard", label, before)
    for label in ("first", "on", "back", "play"):
        button = explorer.locator("button.widget-button:visible", has_text=re.compile(f"^{label}$"))
        for way in ("keyboard", "mouse") if button.count() else ():
            if label == "first":  # so that there is somewhere to go back from
                explorer.locator("button.widget-button:visible", has_text=re.compile("^on$")).click()
                page.wait_for_timeout(500)
            before = look(explorer)
            if way == "mouse":
                button.first.click()
            else:
                button.first.focus()
                page.keyboard.press("Enter")
            note(way, label, before)
            if label == "play":
                explorer.locator("button.widget-button:visible", has_text=re.compile("^pause$")).click()
                page.wait_for_timeout(500)
    found.nameless = [*explorer.evaluate(_NAMELESS), *explorer.evaluate(_NULLS)]
    seen = explorer.evaluate("root => ({waits: root.dlSeen.waits, least: root.dlSeen.least})")
    found.milliseconds = seen["waits"]
    found.flickered = seen["least"] is not None and seen["least"] < 50
    found.trapped = not _scrolls(page, explorer)
    return found


def _keys(handle: Locator) -> tuple[str, str]:
    at_end = handle.evaluate("part => +part.getAttribute('aria-valuenow') >= +part.getAttribute('aria-valuemax')")
    return ("ArrowLeft", "ArrowRight") if at_end else ("ArrowRight", "ArrowLeft")


def _drag(page: Page, row: Locator) -> None:
    """Drag the handle to the far side of its middle."""
    track, handle = row.locator(".slider").bounding_box(), row.locator(".noUi-handle").bounding_box()
    assert track is not None
    assert handle is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    share = 0.05 if x > track["x"] + track["width"] / 2 else 0.95
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(track["x"] + share * track["width"], y, steps=4)
    page.mouse.up()


def _time(page: Page, explorer: Locator, handle: Locator) -> None:
    """Press arrow keys to and fro, each once the last one is answered; the page keeps the times."""
    page.wait_for_timeout(500)  # what the drag sent has arrived
    handle.focus()
    to, fro = _keys(handle)
    for i in range(PRESSES):
        count = explorer.evaluate("root => root.dlSeen.waits.length")
        page.keyboard.press(fro if i % 2 else to)
        for _ in range(40):
            if explorer.evaluate("root => root.dlSeen.waits.length") > count:
                break
            page.wait_for_timeout(25)


def _scrolls(page: Page, explorer: Locator) -> bool:
    bring_into_view(explorer)
    box = explorer.bounding_box()
    assert box is not None
    scroller = page.locator(".jp-NotebookPanel:visible .jp-WindowedPanel-outer").first
    before = scroller.evaluate("part => part.scrollTop")
    page.mouse.move(box["x"] + 200, box["y"] + box["height"] / 2)
    for way in (-300, 300):
        page.mouse.wheel(0, way)
        page.wait_for_timeout(500)
        if scroller.evaluate("part => part.scrollTop") != before:
            return True
    return False


def explore(page: Page, address: str, path: str, pictures: Path) -> list[Explored]:
    """Open a notebook, run it, drive every explorer in it; screenshots before and after go to ``pictures``."""
    pictures.mkdir(exist_ok=True)
    stem = Path(path).stem
    open_notebook(page, address, path)
    found = []
    try:
        run_all(page)
        for place, explorer in enumerate(explorers(page)):
            page.screenshot(path=pictures / f"{stem}-{place}-before.png")
            found.append(drive(page, explorer, place))
            bring_into_view(explorer)
            page.screenshot(path=pictures / f"{stem}-{place}.png")
            assert errors(page) == []
    finally:
        page.screenshot(path=pictures / f"{stem}.png")
    return found
