"""What designs cost beside what they refuse, and cost against utilisation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ..picture import Picture, PictureError
from ..svg import MARGIN, Box, Canvas, clean, number, shorten, text_width, ticks
from .common import WIDTH, frame, positive, sentences, values_of

MOST_DESIGNS: Final = 24
MOST_LINES: Final = 6
_DASHES: Final = ("", "9 5", "2 4", "12 4 2 4", "5 3", "1 3")


@dataclass(frozen=True)
class Priced:
    """A design with what it costs (USD for the time that the title names) and how many requests it refuses of all."""

    name: str
    usd: float
    refused: float = 0.0
    sent: float = 0.0


@frame
def cost_bars(
    designs: Iterable[Priced],
    *,
    title: str,
    caption: str | None = None,
    per: str = "a day",
    top: float | None = None,
) -> Picture:
    """What each design costs and, on the same row, the share of the requests that it refuses; 1 to 24 rows.

    A star marks the cheapest of those that refuse nothing. ``per`` is the time that the money pays for. ``top`` (USD)
    keeps the scale of the money still while a slider moves; the scale of the refusals is always 0 to 100 %.
    """
    rows = list(designs)
    if not rows:
        raise PictureError("There is no design to draw: pass at least one with its name and its cost.")
    if len(rows) > MOST_DESIGNS:
        raise PictureError(f"{number(len(rows))} designs are too many for one picture; pass at most {MOST_DESIGNS}.")
    usd = values_of("usd", (row.usd for row in rows))
    refused = values_of("refused", (row.refused for row in rows))
    sent = values_of("sent", (row.sent for row in rows))
    for row, lost, all_of_them in zip(rows, refused, sent, strict=True):
        if lost > all_of_them:
            raise PictureError(f"{clean(row.name)!r} refuses {number(lost)} of {number(all_of_them)} requests sent.")
    shares = [lost / all_of_them if all_of_them else 0.0 for lost, all_of_them in zip(refused, sent, strict=True)]
    names, per = [clean(row.name) for row in rows], shorten(clean(per), 120, 14)
    clear = [i for i, lost in enumerate(refused) if not lost]
    best = min(clear, key=lambda i: usd[i]) if clear else None
    seen = caption if caption is not None else _bars_caption(names, usd, shares, best, per)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    y = canvas.legend(MARGIN, y + 33, [("cost", f"USD {per}"), ("refused", "share of the requests refused")])
    y += 24  # also where there is no star: the picture keeps its height while a slider moves
    if best is not None:
        canvas.shapes([_star(MARGIN + 9, y - 5)], role="key", name="legend star")
        canvas.text(MARGIN + 26, y, "the cheapest that refuses nothing", size=15)
    else:
        canvas.text(MARGIN + 26, y, "none of them refuses nothing", size=15, role="muted")
    high, gap, size = 24.0, 14.0, 15.0
    shown = [shorten(name, 240, size) for name in names]
    left = MARGIN + 24 + max(text_width(name, size) for name in shown) + 12
    share_words = [_share(share, lost) for share, lost in zip(shares, refused, strict=True)]
    money = [_usd(value) for value in usd]
    room_share = max(text_width(words, size, bold=True) for words in share_words) + 8
    room_money = max(text_width(words, size, bold=True) for words in money) + 8
    both = WIDTH - MARGIN - left - room_share - room_money - 24
    long_money, long_share = 0.58 * both, 0.42 * both
    start = left + long_money + room_money + 24
    scale = long_money / (max(*usd, positive("top", top) or 0.0) or 1.0)
    y += 18
    bottom = y + len(rows) * (high + gap)
    boxes: list[Box] = [(left, y + gap / 2 + i * (high + gap), value * scale, high) for i, value in enumerate(usd)]
    drawn = [i for i, value in enumerate(usd) if value > 0]
    canvas.bars([boxes[i] for i in drawn], role="cost", names=[f"cost {i}" for i in drawn])
    losing = [i for i, share in enumerate(shares) if share > 0]
    hatched: list[Box] = [(start, boxes[i][1], shares[i] * long_share, high) for i in losing]
    canvas.bars(hatched, role="refused-fill", names=[f"refused {i}" for i in losing])
    canvas.hatch([box for box in hatched if box[2] >= 6])
    canvas.hatch([box for box in hatched if box[2] < 6])
    canvas.line(left, y, left, bottom, role="ink")
    canvas.line(start, y, start, bottom, role="ink", name="nothing refused")
    for i, (x, top_y, wide, _) in enumerate(boxes):
        level = top_y + 17
        canvas.text(MARGIN + 24, level, shown[i], size=size, bold=i == best)
        canvas.text(x + wide + 8, level, money[i], size=size, bold=True)
        role = "refused-text" if refused[i] else "muted"
        canvas.text(
            start + shares[i] * long_share + 8, level, share_words[i], size=size, bold=refused[i] > 0, role=role
        )
        if i == best:
            canvas.shapes([_star(MARGIN + 9, level - 5)], role="key", name="cheapest")

    listed = "; ".join(
        f"{name} {cost} USD {per}, {words} refused" for name, cost, words in zip(shown, money, share_words, strict=True)
    )
    return canvas.picture(bottom + 16, title=title, alt=sentences(title, listed, seen))


def _bars_caption(names: list[str], usd: list[float], shares: list[float], best: int | None, per: str) -> str:
    """One sentence that says what to see."""
    least = min(range(len(usd)), key=lambda i: usd[i])
    cheapest = f"{shorten(names[least], 220, 16)} is cheapest with {_usd(usd[least])} USD {per}"
    if best is None:
        return f"Every design refuses something; {cheapest} and refuses {_percent(shares[least])}."
    if usd[best] == usd[least]:
        return f"{shorten(names[best], 220, 16)} is cheapest with {_usd(usd[best])} USD {per} and refuses nothing."
    return f"{cheapest}, but refuses {_percent(shares[least])}; refusing nothing costs {_usd(usd[best])} USD."


def _share(share: float, lost: float) -> str:
    return f"{_percent(share)} ({number(lost)})" if lost else "0 %"


def _percent(share: float) -> str:
    return "under 0.1 %" if 0 < share < 0.001 else f"{number(100 * share)} %"


def _usd(value: float) -> str:
    """An amount of money: cents below 1,000 USD, no more than a reader needs above."""
    return f"{value:.2f}" if 0.005 <= value < 1000 else number(value)


def _star(x: float, y: float, size: float = 9.0) -> list[tuple[float, float]]:
    points = [(math.pi * (i / 5 - 0.5), size if i % 2 == 0 else 0.42 * size) for i in range(10)]
    return [(x + far * math.cos(angle), y + far * math.sin(angle)) for angle, far in points]


# --- cost against utilisation ------------------------------------------------------------------------------


@frame
def cost_curve(
    on_demand: float,
    capacity: Mapping[str, float],
    *,
    title: str,
    caption: str | None = None,
    unit: str = "USD a month",
    at: float | None = None,
) -> Picture:
    """What the same capacity costs by how much of it is used: on-demand grows, paid capacity is flat.

    ``on_demand`` is the price of what the capacity could do at 100 % utilisation; ``capacity`` maps names
    ("provisioned", "reserved, 3 years") to what having it costs, whether used or not: 1 to 6 lines. A ring marks where
    each meets on-demand: its break-even utilisation. ``at`` marks a utilisation of one's own, from 0 to 1. Rests on
    the AWS page "DynamoDB pricing".
    """
    full = positive("on_demand", on_demand) or 1.0
    if not 1 <= len(capacity) <= MOST_LINES:
        raise PictureError(f"capacity has {number(len(capacity))} entries; pass 1 to {MOST_LINES} prices by name.")
    names = [clean(name) for name in capacity]
    flat = values_of("capacity", capacity.values())
    if at is not None and not (math.isfinite(at) and 0 <= at <= 1):
        raise PictureError(f"at is {at:g}; pass a utilisation from 0 to 1.")
    unit = shorten(clean(unit), 150, 14)
    points = [price / full for price in flat]
    seen = caption if caption is not None else _curve_caption(names, points)

    canvas = Canvas(WIDTH)
    y = canvas.header(title, seen)
    highest = max(full, *flat)
    size = 14.0
    left = MARGIN + max(text_width(number(tick), size) for tick in ticks(highest)) + 10
    labels = [shorten(name, 170, 15) for name in ("on-demand", *names)]
    right = WIDTH - MARGIN - max([text_width(words, 15, bold=True) for words in labels] + [110.0]) - 24
    plot_top = y + (52 if at is None else 74)
    base = plot_top + max(250.0, 42.0 * len(labels))
    scale, wide = (base - plot_top) / highest, right - left

    canvas.text(MARGIN, plot_top - 18, unit, size=size, role="muted")
    for tick in ticks(highest):
        level = base - tick * scale
        canvas.line(left, level, right, level, role="grid" if tick else "ink", name=f"tick {number(tick)}")
        canvas.text(left - 8, level + 5, number(tick), size=size, role="muted", anchor="end")
    for percent in range(0, 101, 20):
        x = left + percent / 100 * wide
        canvas.line(x, base, x, base + 5, role="muted")
        canvas.text(x, base + 22, f"{percent} %", size=size, role="muted", anchor="middle")
    canvas.text(left, base + 44, "utilisation of the capacity", size=size, role="muted")

    ends = [base - full * scale, *(base - price * scale for price in flat)]
    canvas.strokes([[(left, base), (right, ends[0])]], role="admitted", width=3, name="on-demand")
    for i, level in enumerate(ends[1:]):
        canvas.strokes([[(left, level), (right, level)]], role="cost", width=2.5, dashes=_DASHES[i], name=f"line {i}")
    beside = _apart(ends, 40.0, plot_top, base - 18)
    for i, (words, level, y_text) in enumerate(zip(labels, ends, beside, strict=True)):
        role = "cost" if i else "admitted"
        canvas.strokes([[(right + 4, level), (right + 16, y_text)]], role="muted", width=1)
        canvas.text(right + 20, y_text + 5, words, size=15, role=role, bold=True)
        if i:
            words = f"pays from {number(100 * points[i - 1])} %" if points[i - 1] < 1 else "never pays"
            canvas.text(right + 20, y_text + 23, words, size=14, role="muted")

    meet = sorted((share, base - price * scale) for share, price in zip(points, flat, strict=True) if 0 < share < 1)
    if at is not None:
        x = left + at * wide
        canvas.line(x, plot_top - 28, x, base, role="ink", width=1.5, dashed=True, name="utilisation")
        words = f"used: {number(100 * at)} %"
        half = text_width(words, size) / 2
        canvas.text(min(max(x, left + half), right - half), plot_top - 36, words, size=size, anchor="middle")
    lowest = plot_top
    for share, level in reversed(meet):
        x = left + share * wide
        canvas.line(x, level, x, base, role="ink", width=1, dashed=True, name="break-even")
        canvas.shapes([_ring(x, level)], role="panel")
        canvas.strokes([[*_ring(x, level), _ring(x, level)[0]]], role="ink", width=2, name="ring")
        words = f"{number(100 * share)} %"
        fits = x + 12 + text_width(words, 15, bold=True) <= right
        if fits and level > lowest and level + 20 <= base - 3:
            canvas.text(x + 12, level + 20, words, size=15, bold=True, halo=True)
            lowest = level + 24
    listed = "; ".join(
        f"{name} {number(price)} {unit}, "
        + (f"break-even at {number(100 * share)} %" if share < 1 else "never below on-demand")
        for name, price, share in zip(names, flat, points, strict=True)
    )
    alt = sentences(title, f"on-demand {number(full)} {unit} at 100 % utilisation; {listed}", seen)
    return canvas.picture(base + 62, title=title, alt=alt)


def _ring(x: float, y: float) -> list[tuple[float, float]]:
    return [(x + 6.5 * math.cos(math.pi * i / 8), y + 6.5 * math.sin(math.pi * i / 8)) for i in range(16)]


def _apart(levels: list[float], gap: float, top: float, bottom: float) -> list[float]:
    """The levels, moved so that neighbours are ``gap`` apart and all lie between ``top`` and ``bottom``."""
    order = sorted(range(len(levels)), key=lambda i: levels[i])
    moved = list(levels)
    least = top
    for i in order:
        moved[i] = max(levels[i], least)
        least = moved[i] + gap
    most = bottom
    for i in reversed(order):
        moved[i] = min(moved[i], most)
        most = moved[i] - gap
    return moved


def _curve_caption(names: list[str], points: list[float]) -> str:
    """One sentence that says what to see."""
    first = points[0]
    name = shorten(names[0], 220, 16)
    if first >= 1:
        return f"On-demand is cheaper than {name} at every utilisation."
    if not first:
        return f"{name} costs nothing."
    return f"Below {number(100 * first)} % utilisation on-demand is cheaper than {name}, above it dearer."
