"""Words, numbers and colours of the pictures."""

from __future__ import annotations

import itertools

import pytest

from dynamolab.view.svg import clean, number, round_step, shorten, text_width, ticks, wrap
from dynamolab.view.theme import DARK, LIGHT, TEXT_PAIRS, contrast, style_sheet


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (0.006, "0.006"),
        (4.25, "4.25"),
        (99.96, "100"),
        (937.5, "938"),
        (624.9999999999, "625"),
        (1875, "1,875"),
        (999_999, "999,999"),
        (999_999.9, "1 M"),
        (27_000_000, "27 M"),
        (999_999_999.9, "1 G"),
        (1e9, "1 G"),
        (1.5e12, "1.5 T"),
        (1e15, "1e+15"),
        (-2500, "-2,500"),
    ],
)
def test_a_number_is_written_for_a_reader(value: float, written: str) -> None:
    assert number(value) == written


@pytest.mark.parametrize("top", [0.003, 1, 7, 999, 1000, 2500, 1e9])
def test_ticks_are_round_evenly_spaced_and_never_above_the_top(top: float) -> None:
    found = ticks(top)
    assert found[0] == 0
    assert len(found) >= 2
    assert found[-1] <= top * (1 + 1e-9)
    steps = [b - a for a, b in itertools.pairwise(found)]
    assert max(steps) - min(steps) <= 1e-9 * top
    assert f"{steps[0]:.6e}"[0] in "125"


def test_a_scale_without_height_has_one_tick() -> None:
    assert ticks(0) == [0]


@pytest.mark.parametrize(
    ("least", "step"), [(0.2, 1), (1, 1), (1.1, 2), (3, 5), (7, 10), (10, 10), (11, 20), (730, 1000)]
)
def test_labels_are_thinned_to_round_steps(least: float, step: int) -> None:
    assert round_step(least) == step


def test_text_that_fits_stays_whole_and_other_text_ends_in_an_ellipsis() -> None:
    assert shorten("orders", 200, 14) == "orders"
    cut = shorten("orders of the whole year by customer", 100, 14)
    assert cut.endswith("…")
    assert text_width(cut, 14) <= 100


@pytest.mark.parametrize(
    "text", ["one two three four five six seven eight nine ten", "x" * 300, "注文" * 60, "a " + "y" * 200, "", "   "]
)
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_wrapped_lines_never_exceed_their_width_or_count(text: str, lines: int) -> None:
    rows = wrap(text, 180, 16, lines=lines)
    assert len(rows) <= lines
    assert all(text_width(row, 16) <= 180 for row in rows)
    whole = "".join(rows).replace(" ", "")
    if not whole.endswith("…"):
        assert whole == text.replace(" ", "")


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    assert clean("a\x00b\ud800c\nd\te") == "a\ufffdb\ufffdc d e"


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "behind"), TEXT_PAIRS)
def test_words_reach_a_contrast_of_4_5(palette: dict[str, str], text: str, behind: str) -> None:
    assert contrast(palette[text], palette[behind]) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", ["admitted", "refused", "key", "query", "ink"])
def test_shapes_reach_a_contrast_of_3_on_the_panel(palette: dict[str, str], role: str) -> None:
    assert contrast(palette[role], palette["panel"]) >= 3


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


def test_both_palettes_know_the_same_roles() -> None:
    assert LIGHT.keys() == DARK.keys()


def test_every_text_role_a_style_sheet_names_has_a_colour_in_each_theme() -> None:
    css = style_sheet(set(LIGHT))
    for role in LIGHT:
        assert css.count(f"--dl-{role}:{LIGHT[role]};") == 2  # the default and JupyterLab's light theme
        assert css.count(f"--dl-{role}:{DARK[role]};") == 2  # the system's dark setting and JupyterLab's dark theme
        assert f".dl-f-{role}{{fill:var(--dl-{role})}}" in css
