"""The JupyterLab that the course is read in: its folders, its settings, its start."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from dynamolab import cells
from dynamolab.errors import LabError

WELCOME = "notebooks/welcome.ipynb"
KERNEL_STARTS = 3
"""How often a kernel is started before it is given up."""

T = TypeVar("T")

FOLDERS = ("notebooks", "exercises", "solutions")
PROGRESS = "DYNAMOLAB_PROGRESS"  # read by dynamolab.checks, which this module need not load


def course_root() -> Path:
    """The folder that holds the course: the current one, or else the checkout that this package is installed from.

    Raises `LabError` when neither has the welcome page.
    """
    for folder in (Path.cwd(), Path(__file__).resolve().parents[2]):
        if (folder / WELCOME).is_file():
            return folder
    raise LabError(
        f"There is no {WELCOME} here: the package is installed without the course. "
        "Change to the folder that holds the course and run `python -m dynamolab lab` again."
    )


def private_folders(folder: Path) -> dict[str, str]:
    """Environment variables that keep everything Jupyter and IPython read and write inside ``folder``.

    So the learner's own profile, start-up files, extensions and kernels change nothing in the course, and the course
    leaves nothing in the home folder.
    """
    profile = folder / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    # Kernels warn at each start that they talk over TCP without encryption; here they talk to this machine only.
    # And IPython takes a word such as `save(0)` for its own command while the learner's function is not yet made.
    settings = "c.IPKernelApp.log_level = 40\nc.InteractiveShell.automagic = False\n"
    (profile / "ipython_kernel_config.py").write_text(settings, encoding="utf-8")
    # A cell run alone may miss a name before `import dynamolab` could teach the kernel to explain it.
    startup = profile / "startup" / "names.py"
    startup.parent.mkdir(exist_ok=True)
    startup.write_text(cells.STARTUP, encoding="utf-8")
    # JupyterLab's announcements ask for consent at the first start, then fetch news and look for updates.
    page = folder / "config" / "labconfig" / "page_config.json"
    page.parent.mkdir(parents=True, exist_ok=True)
    disabled = {"@jupyterlab/apputils-extension:announcements": True}
    page.write_text(json.dumps({"disabledExtensions": disabled}), encoding="utf-8")
    return {
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONNOUSERSITE": "1",
    }


def started(start: Callable[[], T]) -> T:
    """Return what ``start``, which starts a kernel, gives; try again if the kernel ended before its first word.

    A kernel's manager looks for free ports and the kernel binds them a moment later. Where two processes start kernels
    at the same time, one may find a port taken. Raises ``RuntimeError`` after ``KERNEL_STARTS`` of them.
    """
    for _ in range(KERNEL_STARTS - 1):
        with contextlib.suppress(RuntimeError):
            return start()
    return start()


def is_headless(environ: dict[str, str], platform: str) -> bool:
    """Whether opening a browser is hopeless or unwanted: CI, a remote shell, or Linux without a display."""
    if any(environ.get(name) for name in ("CI", "SSH_CONNECTION", "SSH_TTY")):
        return True
    return platform.startswith("linux") and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def serve_lab(port: int, browser: bool) -> None:
    """Run JupyterLab on 127.0.0.1 with the welcome page until Ctrl-C; 0 takes any free port.

    A taken port gives way to the next free one. Raises `LabError` when the course is not there.
    """
    root = course_root()
    with contextlib.ExitStack() as stack:
        os.environ.pop("JUPYTER_PATH", None)
        os.environ.pop("JUPYTER_CONFIG_PATH", None)
        try:
            os.environ.update(private_folders(root / ".lab"))
            os.environ[PROGRESS] = str(root / ".lab" / "progress.jsonl")
        except OSError:  # a course on a read-only disk
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="lab-"))
            os.environ.update(private_folders(Path(folder)))
            os.environ[PROGRESS] = str(Path(folder) / "progress.jsonl")
        _run(root, port or _free_port(), browser and not is_headless(dict(os.environ), sys.platform))


def _run(root: Path, port: int, browser: bool) -> None:
    from jupyterlab.labapp import LabApp  # reads the folders above when it is imported

    token = secrets.token_hex(16)
    server = LabApp.initialize_server(
        [
            f"--ServerApp.root_dir={root}",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            f"--ServerApp.open_browser={browser}",
            "--ServerApp.allow_root=True",  # a container's only user; the server listens on this machine alone
            "--ServerApp.log_level=WARN",
            "--LabApp.log_level=WARN",
            f"--IdentityProvider.token={token}",
            f"--LabApp.default_url=/lab/tree/{WELCOME}",
            "--LabApp.extension_manager=readonly",  # would ask a registry for its list
            "--LanguageServerManager.autodetect=False",  # would run npm to look for servers
        ]
    )
    logging.getLogger("tornado.general").setLevel(logging.ERROR)  # it warns of Jupyter's own ping settings
    _trust(server.contents_manager.notary, root)

    def say_where() -> None:
        if server.port != port:
            print(f"Port {port} is taken; the lab uses {server.port}.", flush=True)
        print(f"The lab is open at  http://127.0.0.1:{server.port}/lab/tree/{WELCOME}?token={token}")
        print("Ctrl-C stops it.", flush=True)

    # Jupyter's own handler asks whether Ctrl-C was meant.
    signal.signal(signal.SIGINT, lambda *_: server.stop(from_signal=True))
    server.io_loop.add_callback(say_where)  # runs after the server has bound its port
    server.start()


def _trust(notary: Any, root: Path) -> None:
    """Sign the course's notebooks, since JupyterLab hides the pictures stored in a notebook that it has not signed."""
    import nbformat

    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.ipynb")):
            # A notebook that cannot be read is shown as such by JupyterLab; it must not keep the lab shut.
            with contextlib.suppress(Exception):
                notary.sign(nbformat.read(path, as_version=4))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
