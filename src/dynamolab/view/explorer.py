"""The base of every explorer: controls, pictures, a sentence; a static twin where there is no kernel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as widgets

from ..errors import LabError
from .picture import Picture
from .svg import MARGIN, Canvas, wrap

if TYPE_CHECKING:
    from .checklist import Checklist

#: What an explorer draws for the values of its controls: one picture or several, and a sentence with its numbers.
Draw = Callable[..., tuple[Picture | Sequence[Picture], str]]

# ipywidgets gives a slider's handle no name, and tells a reader of the screen the number of a step, not its words.
# No Python trait reaches the page's parts; this runs in the live page only and is no part of what a notebook stores.
_NAMES: Final = """
const root = this.closest('.dynamolab-explorer');
if (root && !root.dlNamed) {
  root.dlNamed = true;
  const name = () => {
    root.querySelectorAll('.widget-slider').forEach(nameSlider);
    root.querySelectorAll('.widget-toggle-buttons').forEach(nameButtons);
    root.querySelectorAll('.widget-play').forEach(namePlayer);
  };
  const nameSlider = row => {
    const handle = row.querySelector('[role=slider]');
    const readout = row.querySelector('.widget-readout');
    if (!handle || !readout) return;
    const words = row.querySelector('.widget-label').textContent;
    handle.setAttribute('aria-label', words);
    handle.setAttribute('aria-valuetext', readout.textContent);
    readout.setAttribute('role', 'textbox');
    readout.setAttribute('aria-label', words + ', as a number or word');
  };
  const nameButtons = row => {
    row.setAttribute('role', 'group');
    row.setAttribute('aria-label', row.querySelector('.widget-label').textContent);
    row.querySelectorAll('button').forEach(
      button => button.setAttribute('aria-pressed', button.classList.contains('mod-active')));
  };
  const namePlayer = row => row.querySelectorAll('button').forEach(
    (button, i) => button.setAttribute('aria-label', ['play or pause', 'stop', 'repeat'][i]));
  // JupyterLab would take the arrow keys for its cells; every other key stays a shortcut.
  const keep = event => {
    const at = event.target;
    if (!at.closest || !at.closest('.dynamolab-explorer')) return;
    const moves = /^(Arrow|Home|End|Page)/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (moves) at.dataset.lmSuppressShortcuts = 'true'; else delete at.dataset.lmSuppressShortcuts;
  };
  if (!window.dlKeys) window.addEventListener('keydown', window.dlKeys = keep, true);
  new MutationObserver(name).observe(root, {childList: true, characterData: true, subtree: true});
  name();
}
"""
_STYLE: Final = (
    ".dynamolab-explorer [role=slider]:focus-visible,.dynamolab-explorer button:focus-visible"
    "{outline:3px solid #2684d0;outline-offset:2px}"
    ".dl-calm{display:none}"
    "@media (prefers-reduced-motion:reduce){.dynamolab-explorer .dl-play{display:none}"
    ".dynamolab-explorer .widget-play{display:none}.dl-calm{display:block}}"
)


class Explorer(widgets.VBox):  # type: ignore[misc]
    """Controls above pictures and a sentence, redrawn on every change of a control.

    ``controls`` maps the argument names of ``draw`` to value widgets, in the order in which they are shown; ``rows``
    shows them in another way. ``draw`` must return pictures of one size, so that nothing below them moves. It is
    called at once, and what it raises then goes to the caller; later, behind a slider, an error is shown in place of
    the pictures. ``before`` is a question put above the controls, ``after`` the follow-up below the sentence, and
    ``checklist`` stands last.

    ``picture`` (the first of ``pictures``) and ``sentence`` are what is shown now; ``opening`` is the static twin: the
    opening pictures with every word around them, as one.
    """

    def __init__(
        self,
        controls: Mapping[str, Any],
        draw: Draw,
        *,
        rows: Sequence[Any] | None = None,
        before: str = "",
        after: str = "",
        checklist: Checklist | None = None,
    ) -> None:
        self.controls = dict(controls)
        self._draw = draw
        self.pictures, self.sentence = self._drawn()
        self._width = max(picture.width for picture in self.pictures)
        self._height = sum(picture.height for picture in self.pictures)
        tasks = checklist.text if checklist is not None else ""
        self._opening_words = "\n".join(filter(None, (before, self.sentence, after, tasks)))
        below = [words for words in (self.sentence, after, *tasks.splitlines()) if words]
        self.opening = stacked([*_written([before] if before else []), *self.pictures, *_written(below)])
        self._shown, self._told = _html(overflow="hidden"), _html(min_height="5em")
        for control in self.controls.values():
            if getattr(control, "tooltip", "") is None:
                control.tooltip = control.description  # without one, the page says title="null"
        asked, followed = ([_paragraph(words, self._width)] if words else [] for words in (before, after))
        shown = list(rows) if rows is not None else list(self.controls.values())
        last = [checklist.view] if checklist is not None else []
        help_ = _html(f'<style onload="{escape(_NAMES)}">{_STYLE}</style>', height="0", margin="0")
        super().__init__([*asked, *shown, self._shown, self._told, *followed, *last, help_])
        self.add_class("dynamolab-explorer")
        self._show(self.sentence)
        for control in self.controls.values():
            control.observe(self._changed, names="value")

    @property
    def picture(self) -> Picture:
        """The first picture shown now."""
        return self.pictures[0]

    def _drawn(self) -> tuple[tuple[Picture, ...], str]:
        pictures, sentence = self._draw(**{name: control.value for name, control in self.controls.items()})
        return ((pictures,) if isinstance(pictures, Picture) else tuple(pictures)), sentence

    def _changed(self, _: Any) -> None:
        # ipywidgets swallows what a callback raises: the picture would just stop moving. So it is shown.
        try:
            self.pictures, self.sentence = self._drawn()
        except LabError as error:
            self._fail(str(error))
        except Exception as error:
            self._fail(f"This picture could not be drawn: {type(error).__name__}: {error}")
        else:
            self._show(self.sentence)

    def _fail(self, sentence: str) -> None:
        self.sentence = sentence
        alert = f'<p role="alert" class="dl-error" style="margin:1em;line-height:1.45">{escape(sentence)}</p>'
        self._show("", instead=alert)

    def _show(self, sentence: str, instead: str = "") -> None:
        # The box keeps the pictures' proportions whatever is in it, so nothing below it jumps.
        wide, high = f"max-width:{self._width}px", f"aspect-ratio:{self._width}/{self._height}"
        inside = instead or "".join(picture.svg for picture in self.pictures)
        self._shown.value = f'<div style="{wide};{high};line-height:0">{inside}</div>'
        text = f"{wide};margin:0;font-size:1.1em;line-height:1.45"
        self._told.value = f'<p aria-live="{self._spoken()}" style="{text}">{escape(sentence)}</p>'

    def _spoken(self) -> str:
        """Whether a reader of the screen says each new sentence: "polite", or "off"."""
        return "polite"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget; for viewers without a kernel, the opening pictures with all their words."""
        live = super()._repr_mimebundle_(**kwargs) or {}
        return {**live, "image/svg+xml": self.opening.svg, "text/plain": self._opening_words}

    def __repr__(self) -> str:
        return self._opening_words


def stacked(pictures: Sequence[Picture]) -> Picture:
    """Several pictures below each other as one, their alt texts one after the other."""
    if len(pictures) == 1:
        return pictures[0]
    width, height, parts = max(picture.width for picture in pictures), 0, []
    for picture in pictures:
        # Within another picture, one has a place instead of a style that fits it to the page.
        parts.append(re.sub(' style="[^"]*"', f' y="{height}"', picture.svg, count=1))
        height += picture.height
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'style="width:100%;max-width:{width}px;height:auto">\n' + "\n".join(parts) + "\n</svg>"
    )
    return Picture(whole, " ".join(filter(None, (picture.alt for picture in pictures))), width, height)


def _written(paragraphs: Sequence[str], width: int = 760) -> list[Picture]:
    """Paragraphs as a picture of words (none for none): what stands around a picture where there is no kernel."""
    if not paragraphs:
        return []
    canvas, y = Canvas(width), 8.0
    for paragraph in paragraphs:
        for row in wrap(paragraph, width - 2 * MARGIN, 16, lines=12):
            y += 22
            canvas.text(MARGIN, y, row, size=16)
        y += 6
    return [canvas.picture(y + 8, title="In words", alt=" ".join(paragraphs))]


def _html(value: str = "", **layout: str) -> Any:
    return widgets.HTML(value, tooltip="", layout=widgets.Layout(width="auto", **layout))


def _paragraph(words: str, width: int) -> Any:
    style = f"max-width:{width}px;margin:.4em 0;font-size:1.1em;line-height:1.45"
    return _html(f'<p style="{style}">{escape(words)}</p>')
