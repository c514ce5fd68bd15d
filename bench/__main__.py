"""Runs the benchmarks: ``python bench`` all of them, ``python bench gate`` one.

A benchmark is a module in this folder with a function ``run() -> list[str]``: it measures and returns the lines to
print, each a ratio, for seconds differ from machine to machine. It raises AssertionError when one misses its bound.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main() -> int:
    """Run them one after the other; returns 1 if one missed its bound."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the lab.")
    parser.add_argument("name", nargs="*", choices=[[], *NAMES], help="which; none means all")
    missed = []
    for name in parser.parse_args().name or NAMES:
        print(f"{name}:", flush=True)
        try:
            lines = importlib.import_module(name).run()
        except AssertionError as bound:
            missed.append(name)
            lines = [f"MISSED: {bound}"]
        for line in lines:
            print(f"  {line}", flush=True)
    if missed:
        print(f"Missed its bound: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
