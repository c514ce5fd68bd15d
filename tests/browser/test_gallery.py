"""The gallery in light and dark, at 100 % and at a projector's 150 %: every explorer fits and follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.harness import (
    bring_into_view,
    chromium,
    copy_of_course,
    errors,
    explorers,
    new_page,
    open_notebook,
    run_all,
    served,
)
from dynamolab.view.explorers import __all__ as every_explorer
from dynamolab.view.theme import DARK, LIGHT

pytestmark = pytest.mark.browser

PANEL = """root => [...root.querySelectorAll('svg.dl-picture')].map(svg => {
  const box = svg.getBoundingClientRect();
  const fill = getComputedStyle(svg.querySelector('rect')).fill.match(/\\d+/g);
  const colour = '#' + fill.map(part => (+part).toString(16).padStart(2, '0')).join('');
  const page = root.closest('.jp-OutputArea-output').getBoundingClientRect();
  return [colour, box.left >= page.left - 1 && box.right <= page.right + 1];
})"""
WIDER = "root => root.scrollWidth - root.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def in_theme(page: Page, name: str) -> None:
    """Choose a theme in JupyterLab's menu."""
    page.locator(".lm-MenuBar-item", has_text="Settings").click()
    page.locator(".lm-Menu-item:visible", has_text="Theme").first.hover()
    page.locator(".lm-Menu-item:visible", has_text=name).first.click()
    page.wait_for_function("dark => document.body.dataset.jpThemeLight === String(!dark)", arg=name.endswith("Dark"))


def test_every_explorer_of_the_gallery_follows_the_theme_and_fits_the_page_at_any_zoom(
    root: Path, tmp_path: Path, browser: Browser
) -> None:
    artifacts = root / "artifacts"
    artifacts.mkdir(exist_ok=True)
    with served(copy_of_course(root, tmp_path)) as address, new_page(browser) as page:
        open_notebook(page, address, "notebooks/90_gallery.ipynb")
        run_all(page)
        found = 0
        for found, explorer in enumerate(explorers(page), start=1):
            for theme, palette in (("JupyterLab Dark", DARK), ("JupyterLab Light", LIGHT)):
                in_theme(page, theme)
                for factor in (1.5, 1):
                    # What zooming does to a layout: the same screen has room for fewer of its pixels.
                    page.set_viewport_size({"width": round(1400 / factor), "height": round(1000 / factor)})
                    bring_into_view(explorer)
                    name = f"90_gallery-{theme.split()[-1].lower()}-{round(100 * factor)}-{found - 1}.png"
                    page.screenshot(path=artifacts / name)
                    pictures = explorer.evaluate(PANEL)
                    assert pictures
                    assert {colour for colour, _ in pictures} == {palette["panel"]}, name
                    assert all(fits for _, fits in pictures), name
                    assert explorer.evaluate(WIDER) <= 0, name
        assert found == len(every_explorer)
        assert errors(page) == []
