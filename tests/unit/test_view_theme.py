"""The palette: contrast in both themes, and colours that stay apart for colour-blind readers."""

from __future__ import annotations

import itertools

import pytest

from dynamolab.view.theme import DARK, HEAT, LIGHT, TEXT_PAIRS, TOGETHER, contrast

Matrix = tuple[tuple[float, float, float], ...]
PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])

#: How a dichromat sees linear RGB: Machado, Oliveira and Fernandes (2009), severity 1.0.
EYES: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
SHAPES = ("admitted", "refused", "key", "query", "partition", "index", "bucket", "buffer", "cost", "alarm", "waiting")


def linear(colour: str) -> list[float]:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def seen(colour: str, eye: str) -> tuple[float, float, float]:
    """A colour in Oklab (Ottosson 2020), as that eye sees it."""
    rgb = linear(colour)
    r, g, b = (min(max(sum(a * c for a, c in zip(row, rgb, strict=True)), 0.0), 1.0) for row in EYES[eye])
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def distance(one: str, other: str, eye: str) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(seen(one, eye), seen(other, eye), strict=True)) ** 0.5)


@PALETTES
@pytest.mark.parametrize(("text", "behind"), TEXT_PAIRS)
def test_every_pair_of_words_and_background_reaches_4_5(palette: dict[str, str], text: str, behind: str) -> None:
    assert contrast(palette[text], palette[behind]) >= 4.5


@PALETTES
@pytest.mark.parametrize("role", SHAPES)
def test_every_shape_reaches_3_on_the_panel(palette: dict[str, str], role: str) -> None:
    assert contrast(palette[role], palette["panel"]) >= 3


@PALETTES
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("roles", TOGETHER, ids="+".join)
def test_shapes_that_stand_together_differ_for_every_eye(
    palette: dict[str, str], eye: str, roles: tuple[str, ...]
) -> None:
    # 0.02 is a just noticeable difference in Oklab between patches that touch. Key and query, which never meet in
    # a picture, are 0.046 apart for a deuteranope and look alike; 0.05 is where this palette's pairs read apart.
    for one, other in itertools.combinations(roles, 2):
        assert distance(palette[one], palette[other], eye) >= 0.05, (one, other)


@PALETTES
@pytest.mark.parametrize("eye", EYES)
def test_each_step_of_the_heat_scale_is_told_from_the_next_by_lightness_alone(
    palette: dict[str, str], eye: str
) -> None:
    lightness = [seen(palette[role], eye)[0] for role in HEAT]
    steps = [later - earlier for earlier, later in itertools.pairwise(lightness)]
    assert all(step > 0.05 for step in steps) or all(step < -0.05 for step in steps)


def test_the_simulated_eye_confuses_what_a_colour_blind_reader_confuses() -> None:
    red, green = "#d7191c", "#7a9a01"
    assert distance(red, green, "normal") > 0.2
    assert distance(red, green, "deuteranopia") < distance(red, green, "normal") / 2


@pytest.mark.parametrize("role", [role for role in LIGHT if role.endswith("-fill")])
def test_a_tint_belongs_to_a_role_with_a_colour_of_its_own(role: str) -> None:
    assert role.removesuffix("-fill") in LIGHT
