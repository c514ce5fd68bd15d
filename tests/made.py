"""What running the course leaves in its folder; a clone has none of it, and there may be no git to ask."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MADE = (".git", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()))
"""Names and patterns, as ``shutil.ignore_patterns`` takes them."""
