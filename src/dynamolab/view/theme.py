"""The colours and shapes of the visual language: one role per noun, the same in every picture.

A thing is never told by colour alone: *admitted* is solid, *refused* is hatched and has its own outline,
the *ceiling* is a dashed line with its label and number.
"""

from __future__ import annotations

from typing import Final

#: role -> colour on a light panel. Blue and vermilion come from Okabe and Ito's colour-blind-safe set; the
#: shades used for text are darker than the set's own, so that they reach a contrast of 4.5 on the panel.
LIGHT: Final[dict[str, str]] = {
    "panel": "#ffffff",
    "edge": "#d5dae0",
    "ink": "#1b2026",
    "muted": "#56606b",
    "grid": "#e4e8ec",
    "admitted": "#0072b2",
    "on-admitted": "#ffffff",
    "refused": "#d55e00",
    "refused-fill": "#fdeadd",
    "refused-text": "#a84300",
    "key": "#007a5a",
    "query": "#99407a",
}

#: role -> colour on a dark panel.
DARK: Final[dict[str, str]] = {
    "panel": "#1b2026",
    "edge": "#3a424c",
    "ink": "#eef2f6",
    "muted": "#b1bcc8",
    "grid": "#323a43",
    "admitted": "#56b4e9",
    "on-admitted": "#0c1a26",
    "refused": "#f5873a",
    "refused-fill": "#3d2718",
    "refused-text": "#ffab73",
    "key": "#3fc79b",
    "query": "#e39ac6",
}

#: (text role, role of what lies behind it): every pair in which words or numbers are drawn.
TEXT_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    ("ink", "panel"),
    ("muted", "panel"),
    ("admitted", "panel"),
    ("refused-text", "panel"),
    ("key", "panel"),
    ("on-admitted", "admitted"),
)

#: The fonts a learner's system is likely to have; widths are estimated for the widest of them.
FONT_FAMILY: Final = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"


def style_sheet(roles: set[str]) -> str:
    """The CSS of one picture, for the roles it uses: light, dark, and JupyterLab's own choice of the two.

    Every element also carries the light colour as an attribute, so a viewer that drops CSS still shows it.
    """

    def variables(palette: dict[str, str]) -> str:
        return "{" + "".join(f"--dl-{role}:{palette[role]};" for role in palette if role in roles) + "}"

    light, dark = variables(LIGHT), variables(DARK)
    uses = "".join(
        f".dl-f-{role}{{fill:var(--dl-{role})}}.dl-s-{role}{{stroke:var(--dl-{role})}}"
        for role in LIGHT
        if role in roles
    )
    # A picture is shown as an <img>, where the page's theme cannot reach it and the media query follows the
    # system instead. So each picture brings its own opaque panel: text and panel change together, and any
    # combination of page, JupyterLab theme and system setting stays readable. Drawn inline (behind sliders)
    # it can see JupyterLab's theme, and follows it.
    return (
        f".dl-picture{light}"
        f"@media (prefers-color-scheme:dark){{.dl-picture{dark}}}"
        f'[data-jp-theme-light="true"] .dl-picture{light}'
        f'[data-jp-theme-light="false"] .dl-picture{dark}'
        f"{uses}"
    )


def contrast(one: str, other: str) -> float:
    """The contrast ratio (1 to 21) of two ``#rrggbb`` colours, as WCAG 2.2 defines it."""

    def luminance(colour: str) -> float:
        channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
