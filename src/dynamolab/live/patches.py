"""Putting the lab's functions in the place of moto's, and moto's back."""

from __future__ import annotations

from typing import Any


class Patches:
    """What one module replaced. Replacing the same name again keeps the first original."""

    def __init__(self) -> None:
        self._originals: dict[tuple[Any, str], Any] = {}

    def __bool__(self) -> bool:
        return bool(self._originals)

    def replace(self, place: Any, name: str, substitute: Any) -> None:
        """Set ``place.name`` to ``substitute`` until :meth:`undo`."""
        self._originals.setdefault((place, name), getattr(place, name))
        setattr(place, name, substitute)

    def undo(self) -> None:
        """Give everything back, the last first."""
        while self._originals:
            (place, name), original = next(reversed(self._originals.items()))
            setattr(place, name, original)
            del self._originals[place, name]  # not before: an undo that was cut short can be called again
