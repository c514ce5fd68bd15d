"""Opens the lab as a learner would, and runs a cell in a kernel of its JupyterLab, as the page in a browser does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket  # websocket-client

CELL = "import boto3, dynamolab as lab; lab.start(seed=7); boto3.client('dynamodb').list_tables()['TableNames']"
# Python, pip and make of their own mind are what the variations are about; the rest is this machine's. Where the tests
# are themselves run by make, its variables would have another make speak of the folders that it enters.
MINE = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MAKE", "MFLAGS", "PORT"))}


@contextmanager
def started(folder: Path, *command: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """`make lab` (or the command) in the folder: its process and the lines that it printed until its address or end."""
    process = subprocess.Popen(
        [*command] or ["make", "lab", "PORT=0"],
        cwd=folder,
        env={**MINE, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        printed: list[str] = []
        for line in process.stdout:
            printed.append(line.rstrip())
            if line.startswith("Ctrl-C"):
                break
        yield process, printed
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def opens(folder: Path, *command: str, **environment: str) -> list[str]:
    """Open the lab, run a cell in it, press Ctrl-C; returns what was printed. Anything else is an AssertionError."""
    with started(folder, *command, **environment) as (_, printed):
        addresses = [word for line in printed for word in line.split() if word.startswith("http://")]
        assert addresses, f"the lab did not open: {printed}"
        shown = run_cell(addresses[0], CELL)
        assert shown == "[]", f"the cell gave {shown!r}"
    return printed


def refuses(folder: Path, *command: str, **environment: str) -> str:
    """Run the command, which must fail, and return its one sentence, without make's own line."""
    with started(folder, *command, **environment) as (process, printed):
        assert process.wait(60) != 0, f"it ended well: {printed}"
    said = [line for line in printed if not line.startswith(("make: ***", "Making the environment"))]
    assert len(said) == 1, f"not one sentence: {said}"
    return said[0]


def run_cell(address: str, code: str, folder: str = "notebooks") -> str:
    """Run ``code`` in a fresh kernel of the lab at ``address`` (with its token); returns what the cell has shown.

    The kernel works in ``folder``, as that of a notebook that lies there.
    """
    base, token = address.partition("/lab/tree")[0], address.partition("token=")[2]
    session = {"path": f"{folder}/{uuid.uuid4()}.ipynb", "type": "notebook", "name": "", "kernel": {"name": "python3"}}
    kernel = _ask(f"{base}/api/sessions", token, "POST", session)["kernel"]["id"]
    try:
        url = f"{base.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels?session_id={uuid.uuid4().hex}"
        channel = websocket.create_connection(url, timeout=120, header=[f"Authorization: token {token}"])
        try:
            return _execute(channel, code)
        finally:
            channel.close()
    finally:
        _ask(f"{base}/api/kernels/{kernel}", token, "DELETE")


def _ask(url: str, token: str, method: str, content: Any = None) -> Any:
    body = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(url, body, {"Authorization": f"token {token}"}, method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read() or b"null")


def _execute(channel: Any, code: str) -> str:
    mine = uuid.uuid4().hex
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
    header = {"msg_id": mine, "session": mine, "username": "", "msg_type": "execute_request", "version": "5.3"}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    channel.send(json.dumps(message))
    shown: list[str] = []
    while True:
        said = json.loads(channel.recv())
        if said["parent_header"].get("msg_id") != mine:
            continue
        content = said["content"]
        if said["msg_type"] == "stream":
            shown.append(content["text"])
        elif said["msg_type"] == "execute_result":
            shown.append(content["data"]["text/plain"])
        elif said["msg_type"] == "error":
            shown.append(f"{content['ename']}: {content['evalue']}")
        elif said["msg_type"] == "status" and content["execution_state"] == "idle":
            return "".join(shown)
