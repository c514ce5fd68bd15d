"""The lab's command line: ``python -m dynamolab lab`` opens the course in JupyterLab."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from dynamolab.errors import LabError
from dynamolab.jupyter import serve_lab


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 (any free one) to 65535")
    return number


def _grade(options: argparse.Namespace) -> int:
    from dynamolab import grading, patience

    with patience.bar("grading", len(options.notebook)) as advance:
        graded = grading.grade_all(options.notebook, timeout=options.timeout, say=advance)
    try:
        if options.json:
            grading.write(options.json, grading.as_json(graded))
        if options.csv:
            grading.write(options.csv, grading.as_csv(graded))
    finally:
        print(grading.table(graded))
    return grading.status(graded)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 done, 1 could not (one sentence on stderr), 2 wrongly called.

    ``grade`` also returns 3 if a check is not right, 4 if a notebook has no marks at all and 130 if it is interrupted.
    """
    parser = argparse.ArgumentParser(prog="python -m dynamolab", description="A laboratory for DynamoDB's throughput.")
    commands = parser.add_subparsers(dest="command", required=True)
    lab = commands.add_parser("lab", help="open the course in JupyterLab")
    lab.add_argument("--port", type=_port, default=8888, help="where to listen (8888); 0 takes any free port")
    lab.add_argument("--no-browser", action="store_true", help="only print the address")
    http = commands.add_parser("serve", help="serve DynamoDB over HTTP in real time: AWS CLI, other languages")
    http.add_argument("--port", type=_port, default=8000, help="where to listen (8000); 0 takes any free port")
    http.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: this machine only)")
    http.add_argument("--seed", type=int, default=7, help="what request ids are drawn from (7)")
    grade = commands.add_parser("grade", help="run submitted notebooks and say which checks pass")
    grade.add_argument("notebook", nargs="+", type=Path, metavar="NOTEBOOK", help="an .ipynb file; it is not changed")
    grade.add_argument("--json", type=Path, metavar="F", help="write everything that was found to F")
    grade.add_argument("--csv", type=Path, metavar="F", help="write a gradebook to F: a row a notebook")
    grade.add_argument("--timeout", type=float, default=120, metavar="S", help="seconds that one cell may run (120)")
    options = parser.parse_args(arguments)
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # see this package's __init__
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if options.command == "grade":
            return _grade(options)
        if options.command == "serve":
            from dynamolab.live.server import serve

            serve(host=options.host, port=options.port, seed=options.seed)
        else:
            serve_lab(options.port, browser=not options.no_browser)
    except LabError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # for a server: before it has taken over the signal
        if options.command == "grade":
            print("Interrupted: the notebooks are not all graded, and no report was written.", file=sys.stderr)
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
