"""The watch over the gates sees whatever would leave the machine, in each of their processes: the gate is red."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import build
import run_all
from egress.watch import Watch, hostile
from run_all import Gate

OUT = """\
import contextlib, os, socket, sys, urllib.request

def attempt(do, *what):
    with contextlib.suppress(OSError):
        do(*what)
        raise SystemExit("it was let through")

attempt(socket.create_connection, ("192.0.2.1", 443))
attempt(socket.socket().connect, ("192.0.2.2", 443))
attempt(socket.socket().connect_ex, ("192.0.2.3", 443))
attempt(socket.socket(socket.AF_INET6).connect, ("2001:db8::1", 443))
attempt(socket.socket(type=socket.SOCK_DGRAM).sendto, b"x", ("192.0.2.4", 53))
attempt(socket.socket(type=socket.SOCK_DGRAM).sendmsg, [b"x"], [], 0, ("192.0.2.5", 53))
attempt(socket.getaddrinfo, "a.example", 443)
attempt(socket.gethostbyname, "b.example")
attempt(socket.gethostbyaddr, "192.0.2.6")
attempt(socket.getnameinfo, ("192.0.2.7", 443), 0)
attempt(urllib.request.urlopen, "https://c.example/")
attempt(socket.socket().connect, ("127.0.0.1", int(os.environ["EGRESS_CANARY"])))
"""
SEEN = [f"192.0.2.{number}" for number in range(1, 4)] + ["2001:db8::1", "192.0.2.4", "192.0.2.5"]
SEEN += ["a.example", "b.example", "192.0.2.6", "192.0.2.7"]
HERE = """\
import socket, tempfile, threading

with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(("localhost", server.getsockname()[1])).close()
    socket.create_connection(server.getsockname()).close()
with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
    server.bind(folder + "/s")
    server.listen()
    socket.socket(socket.AF_UNIX).connect(folder + "/s")
a, b = socket.socketpair()
a.sendmsg([b"x"])
"""
BOTO3 = """\
import boto3, botocore.exceptions
try:
    boto3.client("dynamodb", config=boto3.session.Config(retries={"total_max_attempts": 1})).list_tables()
except Exception as error:
    print(error)
"""
# What the watch must see although the program itself passes over it in silence.
QUIET = """\
import contextlib, socket
with contextlib.suppress(OSError):
    socket.getaddrinfo("leaves.example", 443)
"""


@pytest.fixture
def watch() -> Iterator[Watch]:
    with hostile(os.environ) as found:
        yield found


def child(watch: Watch, code: str, **more: str) -> str:
    """What a Python process in the watch's surroundings prints."""
    environment = {name: value for name, value in {**watch.environment, **more}.items() if value}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout


def test_each_way_out_is_refused_and_written_down_with_its_host(watch: Watch) -> None:
    child(watch, OUT, HTTPS_PROXY="", https_proxy="", ALL_PROXY="")
    left = watch.left()
    assert [line for host, line in zip(SEEN, left, strict=False) if f"'{host}'" not in line] == []
    assert "'c.example'" in left[-2]
    assert "'127.0.0.1':" in left[-1]  # the canary
    assert len(left) == len(SEEN) + 2
    assert "<string>:" in left[0]  # the line that tried
    assert watch.left() == []


def test_this_machine_itself_may_be_asked(watch: Watch) -> None:
    child(watch, HERE)
    assert watch.left() == []
    assert len(watch.processes()) == 1


def test_a_child_of_a_child_is_watched_too(watch: Watch) -> None:
    child(watch, f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {QUIET!r}], check=True)")
    assert len(watch.left()) == 1
    assert len(watch.processes()) == 2


def test_boto3_without_the_lab_asks_the_canary_and_with_it_nobody(watch: Watch) -> None:
    child(watch, BOTO3, AWS_CA_BUNDLE="")
    assert any(f"'127.0.0.1':{watch.environment['EGRESS_CANARY']}" in line for line in watch.left())
    child(watch, f"import dynamolab as lab\nlab.start()\n{BOTO3}")
    child(watch, f"import dynamolab as lab\n{BOTO3}")
    assert watch.left() == []


def test_a_program_that_makes_credentials_is_seen(watch: Watch) -> None:
    earlier = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE")
    for lab, runs in (("", True), ("import dynamolab", False)):
        child(watch, f"{lab}\n{BOTO3}", **dict.fromkeys(earlier, ""))
        assert any("a program for credentials was run" in line for line in watch.left()) is runs


def test_a_program_that_is_not_python_is_counted_by_the_canary(watch: Watch) -> None:
    # As Chromium would, with the canary for its proxy; no guard stands in this process.
    port = watch.environment["EGRESS_CANARY"]
    code = f"import socket; socket.create_connection(('127.0.0.1', {port})).sendall(b'CONNECT d.example:443\\r\\n')"
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", code], env=bare, check=True, timeout=60)
    left: list[str] = []
    for _ in range(600):
        left += watch.left()
        if left:
            break
        time.sleep(0.1)
    assert left == ["the canary was asked: CONNECT d.example:443"]


def test_a_kernel_of_the_builder_is_watched_in_a_learners_surroundings(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons = tmp_path / "course" / "lessons"
    lessons.mkdir(parents=True)
    cell = QUIET + "import os\nos.environ['AWS_PROFILE'], os.environ['HTTPS_PROXY'][:16]\n"
    (lessons / "a.md").write_text(f"# A\n\n```{{code-cell}} ipython3\n{cell}```\n", encoding="utf-8")
    for name, value in watch.environment.items():
        monkeypatch.setenv(name, value)
    assert build.main(["--root", str(tmp_path)]) == 0
    built = (tmp_path / "notebooks" / "a.ipynb").read_text(encoding="utf-8")
    assert "('prod', 'http://127.0.0.1')" in built
    [line] = watch.left()
    assert "ipykernel_launcher" in line


def test_a_kernel_that_jupyterlab_starts_is_watched(
    watch: Watch, root: Path, monkeypatch: pytest.MonkeyPatch, start_lab: Callable[..., Any]
) -> None:
    for name, value in watch.environment.items():
        monkeypatch.setenv(name, value)
    lab = start_lab(root, "--port", "0")
    address, _, token = lab.address.partition("/lab/tree/notebooks/welcome.ipynb?token=")
    request = urllib.request.Request(f"{address}/api/kernels", b"{}", {"Authorization": f"token {token}"})
    assert urllib.request.urlopen(request).status == 201
    watched: list[list[str]] = []
    for _ in range(600):
        watched += watch.processes()
        if any("ipykernel_launcher" in line for line in watched):
            break
        time.sleep(0.1)
    lab.stop()
    assert sum("ipykernel_launcher" in line for line in watched) == 1
    assert sum("dynamolab" in line for line in watched) == 1
    assert watch.left() == []


@pytest.fixture
def artifacts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_all, "ARTIFACTS", tmp_path)


def test_a_gate_whose_tests_all_pass_is_red_when_one_of_them_tried_to_leave(
    watch: Watch, tmp_path: Path, artifacts: None, capsys: pytest.CaptureFixture[str]
) -> None:
    body = textwrap.indent(QUIET, "    ")
    (tmp_path / "test_it.py").write_text(f"def test_that_is_quiet():\n{body}\ndef test_other(): pass\n")
    gate = Gate("gate", (*run_all.PYTEST, "-p", "no:cacheprovider", "--numprocesses=2", str(tmp_path)), 60)
    result = run_all.run(gate, watch.environment, watch)
    assert (result.passed, result.failed, result.left, result.word) == (2, 1, 1, "FAILED (1 tried to leave)")
    assert result.watched >= 3  # pytest and its two workers
    said = capsys.readouterr().out
    assert "LEFT THE MACHINE: 'leaves.example':443 (socket.getaddrinfo) in " in said
    assert "test_it.py::test_that_is_quiet (call)" in said
    assert "0 left the machine" not in run_all.summary([result], [])


def test_a_gate_that_nobody_watched_has_failed(watch: Watch, artifacts: None) -> None:
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = run_all.run(Gate("gate", ("-c", ""), 60), bare, watch)
    assert (result.failed, result.word) == (1, "FAILED (not watched)")
    result = run_all.run(Gate("gate", ("-c", ""), 60), watch.environment, watch)
    assert (result.failed, result.watched) == (0, 1)
    assert "\n0 left the machine (1 Python processes watched)\n" in run_all.summary([result], [])
