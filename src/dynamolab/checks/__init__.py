"""What grades the exercises: ``check``, ``hint``, ``solution`` and ``progress``, by plain id."""

from .core import Result, check, hint, progress, reset, solution

__all__ = ["Result", "check", "hint", "progress", "reset", "solution"]
