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
    "partition": "#33465c",
    "partition-fill": "#e6ebf1",
    "index": "#4527a0",
    "index-fill": "#e9e4f7",
    "bucket": "#2b6570",
    "bucket-fill": "#d9edf0",
    "buffer": "#6b4e00",
    "buffer-fill": "#f6ecc8",
    "cost": "#4d3b1f",
    "cost-fill": "#efe6d8",
    "alarm": "#b0062c",
    "alarm-fill": "#fbe3e8",
    "waiting": "#545d67",
    "waiting-fill": "#eceef1",
    "heat-0": "#eef3f8",
    "heat-1": "#cfe0ee",
    "heat-2": "#a3c6e0",
    "heat-3": "#6ea6cd",
    "heat-4": "#3a81b5",
    "heat-5": "#135c94",
    "heat-6": "#08386b",
    "bytes": "#7a8ea3",
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
    "partition": "#c9d8ea",
    "partition-fill": "#2f3b48",
    "index": "#9483f7",
    "index-fill": "#252240",
    "bucket": "#62a7aa",
    "bucket-fill": "#193237",
    "buffer": "#f4dd72",
    "buffer-fill": "#3d3719",
    "cost": "#f2d3b5",
    "cost-fill": "#3f3327",
    "alarm": "#e5677d",
    "alarm-fill": "#381f26",
    "waiting": "#d0d5db",
    "waiting-fill": "#333a42",
    "heat-0": "#222b35",
    "heat-1": "#263f56",
    "heat-2": "#2a587d",
    "heat-3": "#3379a6",
    "heat-4": "#4f9fcb",
    "heat-5": "#86c5e6",
    "heat-6": "#d3ecfa",
    "bytes": "#71879d",
}

#: (text role, role of what lies behind it): every pair in which words or numbers are drawn.
TEXT_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    ("ink", "panel"),
    ("muted", "panel"),
    ("admitted", "panel"),
    ("refused-text", "panel"),
    ("key", "panel"),
    ("on-admitted", "admitted"),
    ("query", "panel"),
    *((role, "panel") for role in ("partition", "index", "bucket", "buffer", "cost", "alarm", "waiting")),
    *((role, f"{role}-fill") for role in ("partition", "index", "bucket", "buffer", "cost", "alarm", "waiting")),
    *(("ink", f"{role}-fill") for role in ("partition", "index", "bucket", "buffer", "cost", "alarm", "waiting")),
    *(("on-admitted", role) for role in ("key", "query", "partition", "index", "bucket", "buffer", "cost", "alarm")),
    ("on-admitted", "waiting"),
    *(("ink", f"heat-{step}") for step in range(3)),
    *(("on-admitted", f"heat-{step}") for step in range(5, 7)),
)

#: Roles of shapes that stand beside each other in one picture: these differ for every kind of eye, and by their
#: form besides. Nouns that never meet in a picture may be closer.
TOGETHER: Final[tuple[tuple[str, ...], ...]] = (
    ("admitted", "refused", "bucket"),
    ("admitted", "refused", "index", "buffer"),
    ("admitted", "refused", "waiting"),
    ("admitted", "refused", "cost"),
    ("admitted", "query", "alarm"),
    ("partition", "key"),
    ("partition", "index"),
    ("waiting", "alarm"),
)

#: A sequential scale from nothing to the most, in one hue, so that only lightness tells (it runs the other way
#: round in the dark). Words and hatching on the last two steps are drawn in ``on-admitted``, on the first three
#: in ``ink``; refused work is hatched or outlined, as everywhere.
HEAT: Final[tuple[str, ...]] = tuple(f"heat-{step}" for step in range(7))

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
