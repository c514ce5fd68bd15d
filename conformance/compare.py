"""Holds the lab against dynalite, an independent emulator of DynamoDB: the same requests to both, over HTTP.

``python conformance/compare.py`` installs dynalite (Node.js 20 or newer with npm), starts both servers on this machine,
sends them the seeded requests of ``cases.py`` and compares what they answer. Each difference must be listed in
``differences.toml`` with the AWS documentation that decides it; one that is not fails the run, and so does an entry
of the list that nothing shows any more.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from cases import SCENARIOS

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / "build" / "conformance"
DIFFERENCES = HERE / "differences.toml"
DEFAULT_SEED = 7

_SIGNED = (
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260906/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0"
)
# Between two requests the lab's clock jumps, so that no request is throttled: dynalite knows no limits.
_JUMP_MICROSECONDS = 60_000_000
_NOTHING = "(nothing)"
_ENUM = re.compile(r"(?<=enum value set: )\[([^]]*)\]")


@dataclass(frozen=True)
class Answer:
    """One server's answer: HTTP status and parsed body."""

    status: int
    content: Any


class Server:
    """One of the two, reached over a kept connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, operation: str, body: Any) -> Answer:
        """Send one request; ``body`` may be text that is no JSON."""
        headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20260906T100000Z",
            "Authorization": _SIGNED,
        }
        content = body if isinstance(body, str) else json.dumps(body)
        self._connection.request("POST", "/", content.encode(), headers)
        response = self._connection.getresponse()
        received = response.read()
        return Answer(response.status, json.loads(received) if received else None)


@dataclass(frozen=True)
class Difference:
    """Where two answers to one request differ: the place in the answer, and what each has there, as JSON text."""

    case: str
    operation: str
    path: str
    lab: str
    dynalite: str
    request: str


@dataclass
class Rule:
    """An entry of ``differences.toml``; each pattern must match the whole of its text.

    ``times``, ``equal`` and ``prefix`` ask for more: that the lab's number is so many times dynalite's and at most
    ``more`` above that; that both are the same number; that the lab's text is dynalite's after that prefix. ``right``
    is who is: ``lab``, ``dynalite`` (a shortcoming of the lab, which ``why`` then describes), or ``either``, where
    nothing decides and nothing depends on it.
    """

    id: str
    right: str
    why: str
    source: str
    case: str = ".*"
    operation: str = ".*"
    path: str = ".*"
    lab: str = ".*"
    dynalite: str = ".*"
    times: float | None = None
    more: float = 0
    equal: bool = False
    prefix: str | None = None
    met: int = field(default=0, compare=False)

    def matches(self, difference: Difference) -> bool:
        """Say whether this entry speaks of that difference."""
        alike = all(
            re.fullmatch(getattr(self, name), getattr(difference, name), re.DOTALL)
            for name in ("case", "operation", "path", "lab", "dynalite")
        )
        if alike and self.times is not None:
            return 0 <= float(difference.lab) - self.times * float(difference.dynalite) <= self.more
        if alike and self.equal:
            return Decimal(difference.lab) == Decimal(difference.dynalite)
        return alike and (self.prefix is None or difference.lab == self.prefix + difference.dynalite)


class Comparison:
    """Asks both servers the same and keeps the differences. The scenarios of ``cases.py`` are written against it."""

    def __init__(self, lab: Server, dynalite: Server) -> None:
        self.cases: collections.Counter[str] = collections.Counter()
        self.differences: list[Difference] = []
        self._lab, self._dynalite = lab, dynalite

    def ask(self, case: str, operation: str, body: Any, *, unordered: bool = False) -> Any:
        """Ask both and compare; returns the lab's answer (a dict), for the requests that follow from it."""
        lab, dynalite = self._lab.ask(operation, body), self._dynalite.ask(operation, body)
        self.cases[case] += 1
        request = body if isinstance(body, str) else json.dumps(body)
        unordered = unordered or operation == "Scan"  # the order of hashes is nobody's contract
        answers = [_plain(operation, answer, unordered) for answer in (lab, dynalite)]
        if "refusal" in answers[0] or "refusal" in answers[1]:
            found = _differ_in_refusal(*answers)
        else:
            found = _differ("", *answers)
        for path, mine, theirs in found:
            self.differences.append(Difference(case, operation, path, _text(mine), _text(theirs), request[:600]))
        return lab.content or {}

    def ask_until_ready(self, table: str) -> None:
        """Wait until both have made the table."""
        for _ in range(200):
            answers = [server.ask("DescribeTable", {"TableName": table}) for server in (self._lab, self._dynalite)]
            if all(answer.content.get("Table", {}).get("TableStatus") == "ACTIVE" for answer in answers):
                return
            time.sleep(0.01)
        raise SystemExit(f"Table {table} did not become active on both servers.")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _differ(path: str, lab: Any, dynalite: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(lab, dict) and isinstance(dynalite, dict):
        for name in sorted({*lab, *dynalite}):
            yield from _differ(f"{path}.{name}".lstrip("."), lab.get(name, _NOTHING), dynalite.get(name, _NOTHING))
    elif isinstance(lab, list) and isinstance(dynalite, list) and len(lab) == len(dynalite):
        for number, (mine, theirs) in enumerate(zip(lab, dynalite, strict=True)):
            yield from _differ(f"{path}[{number}]", mine, theirs)
    elif lab != dynalite:
        yield path, lab, dynalite


def _differ_in_refusal(lab: Any, dynalite: Any) -> Iterator[tuple[str, Any, Any]]:
    """Tell the one thing in which they differ: whether it is refused, with which code, or in which words."""
    mine, theirs = lab.get("refusal"), dynalite.get("refusal")
    if mine is None or theirs is None:
        yield "outcome", ": ".join(mine or ["done"]), ": ".join(theirs or ["done"])
    elif mine[0] != theirs[0]:
        yield "code", ": ".join(mine), ": ".join(theirs)
    elif mine[1] != theirs[1]:
        yield "message", mine[1], theirs[1]


def _plain(operation: str, answer: Answer, unordered: bool) -> Any:
    """Reduce an answer to what is compared."""
    content = answer.content
    if answer.status != 200:
        content = content if isinstance(content, dict) else {}
        kind = str(content.get("__type", "")).split("#")[-1]
        message = str(content.get("message", content.get("Message", "")))
        if "detected: " in message:
            # The order of several faults, and of the values that would have been right, is chance.
            count, _, faults = message.partition("detected: ")
            faults = _ENUM.sub(lambda found: f"[{', '.join(sorted(found[1].split(', ')))}]", faults)
            message = f"{count}detected: {'; '.join(sorted(faults.split('; ')))}"
        return {"refusal": (f"{answer.status} {kind}", message)}
    for name in ("Table", "TableDescription"):
        if name in content:
            described = _plain_table(content[name])
            if operation == "UpdateTable":
                # The service still tells the old throughput here; DescribeTable afterwards is compared.
                del described["ProvisionedThroughput"], described["BillingMode"]
            return {name: described}
    content = _sorted_sets(content)
    if unordered and "Items" in content:
        content["Items"].sort(key=_rank)
    for items in content.get("Responses", {}).values():
        items.sort(key=_rank)
    if isinstance(content.get("ConsumedCapacity"), list):
        content["ConsumedCapacity"].sort(key=_text)
    return content


def _plain_table(table: dict[str, Any]) -> dict[str, Any]:
    """Keep what the caller decided; dates, identifiers, counts and states are each server's own."""
    kept: dict[str, Any] = {name: table[name] for name in ("TableName", "KeySchema") if name in table}
    kept["AttributeDefinitions"] = sorted(table.get("AttributeDefinitions", []), key=_text)
    kept["BillingMode"] = table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
    kept["ProvisionedThroughput"] = _units(table)
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        for index in table.get(kind, []):
            projection = dict(index["Projection"])
            if "NonKeyAttributes" in projection:
                projection["NonKeyAttributes"] = sorted(projection["NonKeyAttributes"])
            found = {"KeySchema": index["KeySchema"], "Projection": projection}
            if kind == "GlobalSecondaryIndexes":
                found["ProvisionedThroughput"] = _units(index)
            kept.setdefault(kind, {})[index["IndexName"]] = found
    return kept


def _units(owner: dict[str, Any]) -> list[int]:
    throughput = owner.get("ProvisionedThroughput", {})
    return [throughput.get("ReadCapacityUnits", 0), throughput.get("WriteCapacityUnits", 0)]


def _sorted_sets(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: sorted(child, key=Decimal if name == "NS" else None)
            if name in ("SS", "NS", "BS") and isinstance(child, list)
            else _sorted_sets(child)
            for name, child in value.items()
        }
    return [_sorted_sets(child) for child in value] if isinstance(value, list) else value


def _rank(item: Any) -> str:
    """Give what items are sorted by where order does not count: their text, with each number in one writing."""
    return re.sub(r'"N": "([^"]*)"', lambda found: f'"N": "{Decimal(found[1]).normalize()}"', _text(item))


def install() -> Path:
    """Install dynalite with npm unless it is there; returns its command-line script."""
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]["dynalite"]
    package = CACHE / "node_modules" / "dynalite"
    with contextlib.suppress(OSError):
        if json.loads((package / "package.json").read_text(encoding="utf-8"))["version"] == wanted:
            return package / "cli.js"
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise SystemExit("The comparison needs Node.js 20 or newer with npm: install it and try again.")
    CACHE.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", CACHE / "package.json")
    # dynalite keeps its tables in memory: the compiled store that it could use on a disk is not needed.
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"]
    if subprocess.run(command, cwd=CACHE).returncode:
        raise SystemExit("npm could not install dynalite (its own words are above).")
    return package / "cli.js"


@contextlib.contextmanager
def dynalite(script: Path) -> Iterator[Server]:
    """Run dynalite on a free port for the time of a ``with`` block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    times = [part for kind in ("create", "update", "delete") for part in (f"--{kind}TableMs", "0")]
    command = ["node", str(script), "--host", "127.0.0.1", "--port", str(port), *times]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield Server(port)
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if process.poll() is not None:
            raise SystemExit(f"dynalite ended at once with status {process.returncode}.")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise SystemExit(f"dynalite does not answer on port {port}.")


@contextlib.contextmanager
def the_lab(seed: int) -> Iterator[Server]:
    """Run the lab's HTTP server on a free port for the time of a ``with`` block, its clock jumping at each request."""
    from dynamolab.live import clock, session
    from dynamolab.live.server import Server as LabServer

    session.start(seed)
    with LabServer("127.0.0.1", 0, now=lambda: clock.microseconds + _JUMP_MICROSECONDS) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield Server(server.server_port)
        finally:
            server.shutdown()
            thread.join()
            session.stop()


def judge(differences: list[Difference], rules: list[Rule]) -> list[Difference]:
    """Count each difference for the first entry that matches it; returns those that none does."""
    unlisted = []
    for difference in differences:
        rule = next((rule for rule in rules if rule.matches(difference)), None)
        if rule is None:
            unlisted.append(difference)
        else:
            rule.met += 1
    return unlisted


def report(comparison: Comparison, rules: list[Rule], unlisted: list[Difference], seconds: float) -> str:
    """Put the run into words: counts, the listed differences, and the unlisted ones, one of each kind."""
    groups: collections.Counter[str] = collections.Counter()
    for case, count in comparison.cases.items():
        groups[case.split("/")[0]] += count
    lines = [f"  {name:<12}{count:>6}" for name, count in sorted(groups.items())]
    lines = [f"{comparison.cases.total()} requests compared in {seconds:.0f} s:", *lines, "", "Listed differences:"]
    for rule in sorted((rule for rule in rules if rule.met), key=lambda rule: -rule.met):
        lines.append(f"  {rule.met:>6}  {rule.id} (right: {rule.right}; {rule.source})")
    kinds: dict[tuple[str, ...], list[Difference]] = {}
    for found in unlisted:
        place = re.sub(r"\[\d+\]", "[]", found.path)
        sample = (found.lab, found.dynalite) if found.path in ("message", "code", "outcome") else ()
        kinds.setdefault((found.case, found.operation, place, *sample), []).append(found)
    if kinds:
        lines += ["", f"NOT listed: {len(unlisted)} differences of {len(kinds)} kinds"]
    for alike in kinds.values():
        found = alike[0]
        lines += [
            f"  {found.case}: {found.operation} {found.path} ({len(alike)} times)",
            f"    lab      {found.lab[:300]}",
            f"    dynalite {found.dynalite[:300]}",
            f"    request  {found.request[:300]}",
        ]
    return "\n".join(lines)


def rules() -> list[Rule]:
    """Read the list of differences."""
    return [Rule(**entry) for entry in tomllib.loads(DIFFERENCES.read_text(encoding="utf-8"))["difference"]]


def main() -> int:
    """Compare; returns 0 when every difference is listed and every entry of the list was met."""
    parser = argparse.ArgumentParser(description="Compare the lab with dynalite.")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help=f"of the requests ({DEFAULT_SEED})")
    parser.add_argument("--only", help="only the scenarios whose name contains this")
    options = parser.parse_args()
    listed = rules()
    script = install()
    started = time.monotonic()
    with dynalite(script) as theirs, the_lab(options.seed) as mine:
        comparison = Comparison(mine, theirs)
        for scenario in SCENARIOS:
            if options.only is None or options.only in scenario.__name__:
                scenario(comparison, options.seed)
    unlisted = judge(comparison.differences, listed)
    print(report(comparison, listed, unlisted, time.monotonic() - started))
    # Another seed, or a part of the scenarios, may not show every difference.
    whole = options.only is None and options.seed == DEFAULT_SEED
    stale = [rule.id for rule in listed if whole and not rule.met]
    if stale:
        print(f"\nListed but never met, so to be taken off the list: {', '.join(stale)}")
    print(f"\n{comparison.cases.total()} cases, {len(unlisted)} unlisted differences, {len(stale)} stale entries")
    return 1 if unlisted or stale else 0


if __name__ == "__main__":
    sys.exit(main())
