"""Explorers whose subject is time: play, pause, step, scrub."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from ..arguments import is_whole, shown
from ..errors import LabError
from .explorer import Explorer, _html
from .picture import Picture

if TYPE_CHECKING:
    from .checklist import Checklist

Simulate = Callable[..., Any]
DrawAt = Callable[[Any, int], tuple[Picture | Sequence[Picture], str]]


class TimeExplorer(Explorer):
    """An explorer that computes once for each change of a control, and then draws any moment of what it computed.

    ``simulate`` gets the controls' values and returns a state; ``draw_at(state, frame)`` draws moment ``frame``, from 0
    to ``frames - 1``. ``name`` is what a frame is ("second", "minute"), ``start`` the frame that it opens with and that
    its static twin shows, ``interval`` the milliseconds between two frames when played. Nothing plays by itself. To a
    reader whose system asks for less motion, stepping and scrubbing are offered, and playing is not.

    ``time`` is the slider, ``player`` what plays. Raises LabError for no frames or a start outside of them.
    """

    def __init__(
        self,
        controls: Mapping[str, Any],
        simulate: Simulate,
        draw_at: DrawAt,
        *,
        frames: int,
        start: int = 0,
        name: str = "second",
        interval: int = 300,
        before: str = "",
        after: str = "",
        checklist: Checklist | None = None,
    ) -> None:
        if not is_whole(frames) or not is_whole(start) or frames < 1 or not 0 <= start < frames:
            raise LabError(
                f"start is {shown(start)} of {shown(frames)} frames: pass at least one frame, and a start among them."
            )
        frames, start = int(frames), int(start)
        known: dict[str, Any] = {}

        def draw(*, frame: int, **values: Any) -> tuple[Picture | Sequence[Picture], str]:
            if known.get("values") != values:
                known.clear()
                known.update(state=simulate(**values), values=values)
            return draw_at(known["state"], frame)

        last = frames - 1
        self.player = widgets.Play(value=start, min=0, max=last, interval=interval, layout={"display": "none"})
        self.time = widgets.IntSlider(
            value=start,
            min=0,
            max=last,
            description=name,
            style={"description_width": "80px"},
            layout=widgets.Layout(width="auto", max_width="560px", margin="2px"),
        )
        widgets.jslink((self.player, "value"), (self.time, "value"))  # in the page: no round trip between two frames
        self.play = _button("play", f"play from this {name} on", self._play)
        self.play.add_class("dl-play")
        self.player.observe(self._playing, names="playing")
        buttons = [
            self.play,
            _button("first", f"go to the first {name}", lambda _: self.go(0)),
            _button("back", f"one {name} back", lambda _: self.go(self.time.value - 1)),
            _button("on", f"one {name} on", lambda _: self.go(self.time.value + 1)),
        ]
        calm = _html('<span class="dl-calm">Your system asks for less motion: step, or move the slider.</span>')
        row = widgets.HBox([*buttons, calm, self.player], layout=widgets.Layout(margin="2px 2px 2px 86px"))
        super().__init__(
            {**controls, "frame": self.time},
            draw,
            rows=[*controls.values(), self.time, row],
            before=before,
            after=after,
            checklist=checklist,
        )

    def go(self, frame: int) -> None:
        """Pause, and show that frame; before the first it is the first, after the last the last."""
        self.player.playing = False
        self.time.value = min(max(frame, 0), self.time.max)

    def _play(self, _: Any) -> None:
        if not self.player.playing and self.time.value == self.time.max:
            self.time.value = 0
        self.player.playing = not self.player.playing

    def _playing(self, change: Any) -> None:
        self.play.description = "pause" if change["new"] else "play"

    def _spoken(self) -> str:
        return "off" if self.player.playing else super()._spoken()  # three sentences a second drown each other


def _button(description: str, tooltip: str, do: Callable[[Any], None]) -> Any:
    button = widgets.Button(description=description, tooltip=tooltip, layout=widgets.Layout(width="5.5em"))
    button.on_click(do)
    return button
