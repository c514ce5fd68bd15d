"""`python -m dynamolab lab`: where it opens, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from dynamolab import jupyter
from dynamolab.checks import core


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "mi laboratório"
    (folder / "notebooks").mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), folder / "notebooks" / "welcome.ipynb")
    return folder


def command(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "dynamolab", *arguments]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=60)


def test_it_prints_an_address_that_opens_the_welcome_page_and_one_ctrl_c_ends_it(
    course: Path, start_lab: Callable[..., Any]
) -> None:
    lab = start_lab(course, "--port", "0")
    assert "/lab/tree/notebooks/welcome.ipynb?token=" in lab.address
    with urllib.request.urlopen(lab.address, timeout=30) as page:
        assert page.status == 200
        assert b"JupyterLab" in page.read()
    assert lab.stop() == 0


def test_all_notebooks_of_a_course_share_one_file_of_progress(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.chdir(course)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(jupyter, "_run", lambda *_: seen.append(os.environ[core.PROGRESS]))
    jupyter.serve_lab(0, browser=False)
    assert seen == [str(course / ".lab" / "progress.jsonl")]


def test_it_asks_for_the_token_and_offers_no_news(course: Path, start_lab: Callable[..., Any]) -> None:
    lab = start_lab(course, "--port", "0")
    base, token = lab.address.partition("/lab/tree")[0], lab.address.partition("token=")[2]
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{base}/api/contents", timeout=30)
    with urllib.request.urlopen(f"{base}/lab?token={token}", timeout=30) as page:
        settings = page.read().decode().partition('<script id="jupyter-config-data"')[2].partition(">")[2]
    config = json.loads(settings.partition("</script>")[0])
    assert "@jupyterlab/apputils-extension:announcements" in config["disabledExtensions"]


def test_a_taken_port_gives_way_to_the_next_and_one_line_says_so(course: Path, start_lab: Callable[..., Any]) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        lab = start_lab(course, "--port", str(taken))
    other = int(lab.address.split(":")[2].partition("/")[0])
    assert other != taken
    assert lab.printed[0] == f"Port {taken} is taken; the lab uses {other}.\n"


def test_everything_it_writes_is_in_the_courses_own_hidden_folder(course: Path, start_lab: Callable[..., Any]) -> None:
    start_lab(course, "--port", "0").stop()
    assert {path.name for path in course.iterdir()} == {"notebooks", ".lab"}
    assert (course / ".lab" / "data" / "nbsignatures.db").is_file()


def test_a_course_that_cannot_be_written_to_opens_all_the_same(course: Path, start_lab: Callable[..., Any]) -> None:
    (course / ".lab").write_text("in the way of the folder")
    lab = start_lab(course, "--port", "0")
    with urllib.request.urlopen(lab.address, timeout=30) as page:
        assert page.status == 200


def test_without_the_course_it_ends_with_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(jupyter, "__file__", str(tmp_path / "a" / "b" / "jupyter.py"))
    with pytest.raises(jupyter.LabError, match="no notebooks/welcome.ipynb here"):
        jupyter.course_root()


def test_the_current_folders_course_comes_first(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    assert jupyter.course_root() == course


@pytest.mark.parametrize("port", ["-1", "65536", "eight", "8_8", ""])
def test_a_port_that_is_none_is_refused_with_a_sentence(tmp_path: Path, port: str) -> None:
    ended = command("lab", f"--port={port}", folder=tmp_path)
    assert ended.returncode == 2
    assert "is no port" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("environ", "platform", "headless"),
    [
        ({}, "linux", True),
        ({"DISPLAY": ":0"}, "linux", False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", False),
        ({"DISPLAY": ":0", "SSH_CONNECTION": "a b"}, "linux", True),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", True),
        ({}, "darwin", False),
        ({"SSH_TTY": "/dev/ttys1"}, "darwin", True),
    ],
)
def test_a_browser_is_opened_only_where_there_is_one_to_see(
    environ: dict[str, str], platform: str, headless: bool
) -> None:
    assert jupyter.is_headless(environ, platform) is headless
