"""The base of every explorer: sliders, one picture, one sentence; a static twin where there is no kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import ipywidgets as widgets

from ..errors import LabError
from .picture import Picture

#: What an explorer draws for the values of its controls: a picture, and a sentence with its numbers.
Draw = Callable[..., tuple[Picture, str]]


class Explorer(widgets.VBox):  # type: ignore[misc]
    """Controls above a picture and a sentence, redrawn on every change of a control.

    ``controls`` maps the argument names of ``draw`` to value widgets, in the order in which they are shown.
    ``draw`` must return pictures of one size, so that nothing below them moves. It is called at once, and
    what it raises then goes to the caller; later, behind a slider, an error is shown in place of the picture.

    ``picture`` and ``sentence`` are what is shown now; ``opening`` is the first picture, kept as static twin.
    """

    def __init__(self, controls: Mapping[str, Any], draw: Draw) -> None:
        self.controls = dict(controls)
        self._draw = draw
        self.picture, self.sentence = draw(**self._values())
        self.opening, self._opening_sentence = self.picture, self.sentence
        self._shown = widgets.HTML(layout=widgets.Layout(width="auto", overflow="hidden"))
        self._told = widgets.HTML(layout=widgets.Layout(width="auto", min_height="4.5em"))
        super().__init__([*self.controls.values(), self._shown, self._told])
        self.add_class("dynamolab-explorer")
        self._show(self.picture.svg, self.sentence)
        for control in self.controls.values():
            control.observe(self._changed, names="value")

    def _values(self) -> dict[str, Any]:
        return {name: control.value for name, control in self.controls.items()}

    def _changed(self, _: Any) -> None:
        # ipywidgets swallows what a callback raises: the picture would just stop moving. So it is shown.
        try:
            self.picture, self.sentence = self._draw(**self._values())
        except LabError as error:
            self._fail(str(error))
        except Exception as error:
            self._fail(f"This picture could not be drawn: {type(error).__name__}: {error}")
        else:
            self._show(self.picture.svg, self.sentence)

    def _fail(self, sentence: str) -> None:
        self.sentence = sentence
        self._show(f'<p role="alert" class="dl-error" style="margin:1em">{escape(sentence)}</p>', "")

    def _show(self, inside: str, sentence: str) -> None:
        # The box keeps the picture's proportions whatever is in it, so nothing below it jumps.
        wide, high = (
            f"max-width:{self.opening.width}px",
            f"aspect-ratio:{self.opening.width}/{self.opening.height}",
        )
        self._shown.value = f'<div style="{wide};{high}">{inside}</div>'
        text = f"{wide};margin:0;font-size:1.1em;line-height:1.45"
        self._told.value = f'<p aria-live="polite" style="{text}">{escape(sentence)}</p>'

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, the opening picture for viewers without a kernel, and its sentence."""
        live = super()._repr_mimebundle_(**kwargs) or {}
        return {**live, "image/svg+xml": self.opening.svg, "text/plain": self._opening_sentence}

    def __repr__(self) -> str:
        return self._opening_sentence
