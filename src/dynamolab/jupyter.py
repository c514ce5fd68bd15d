"""The JupyterLab that the course is read in: its folders, its settings, its start."""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import re
import secrets
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Mapping
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
PORTS = 50
"""How many ports are tried, from the one asked for on, before the lab gives up."""

_PERSONAL = re.compile(r"(?:IPYTHON|JPY_|JUPYTER|PYTHON)\w*")


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
        "PYTHONUTF8": "1",  # whatever the machine's encoding, a file that a cell opens is read in the same one
    }


def impersonal(environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` without the variables by which a person has set up Python, IPython or Jupyter.

    They would send a kernel to other folders, run start-up files in it, or turn warnings into errors.
    """
    return {name: value for name, value in environ.items() if not _PERSONAL.fullmatch(name)}


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

    A taken port gives way to the next free one. Raises `LabError` when the course is not there, when no port can be
    had, or when JupyterLab is not installed whole.
    """
    root = course_root()
    free = free_port(port)
    # Modules are looked for as this process itself does: after `python -E`, not where PYTHONPATH says.
    seen = () if sys.flags.ignore_environment else ("PYTHONPATH",)
    environment = impersonal(os.environ) | {name: os.environ[name] for name in seen if name in os.environ}
    os.environ.clear()
    os.environ.update(environment)
    with contextlib.ExitStack() as stack:
        kept_in = root / ".lab"
        try:
            folders = private_folders(kept_in)
        except OSError as refused:  # a course on a read-only disk, or one of another user
            print(f"Nothing can be written here ({refused.strerror}): ", end="")
            print("answers and changes last only until the lab is closed. Copy the course to keep them.", flush=True)
            kept_in = _temporary(stack)
            folders = private_folders(kept_in)
        if os.path.expandvars(kept_in) != str(kept_in):
            # IPython takes $HOME for the variable also where it is a part of a folder's own name.
            folders = private_folders(_temporary(stack))
        os.environ.update(folders)
        os.environ[PROGRESS] = str(kept_in / "progress.jsonl")
        if os.path.expanduser("~") == "~":  # a user without a name, as in many containers
            os.environ["HOME"] = str(kept_in)
        if free != port and port:
            print(f"Port {port} is taken; the lab uses {free}.", flush=True)
        _run(root, free, browser and not is_headless(dict(os.environ), sys.platform))


def _temporary(stack: contextlib.ExitStack) -> Path:
    try:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True)))
    except OSError:
        raise LabError("There is no folder that the lab could write to: set TMPDIR to one and try again.") from None


def free_port(port: int) -> int:
    """The first free port of 127.0.0.1 from ``port`` on, or any for 0. Raises `LabError` when none can be had."""
    for candidate in range(port, min(port + PORTS, 65536)):
        try:
            # JupyterLab binds it a moment later; nothing keeps it meanwhile, as nothing else could be told of it.
            with socket.socket() as probe:
                if os.name != "nt":  # as the server does: a port that was left a moment ago is free
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", candidate))
                return int(probe.getsockname()[1])
        except OSError as refused:
            if refused.errno == errno.EACCES:
                raise LabError(f"You may not listen on port {candidate}: give one from 1024 on, or 0.") from None
            if refused.errno != errno.EADDRINUSE:
                raise LabError(f"The lab cannot listen on 127.0.0.1 ({refused.strerror}): enable loopback.") from None
    raise LabError(f"Port {port} and those after it are taken: give another one, or 0 for any free one.")


def _run(root: Path, port: int, browser: bool) -> None:
    try:
        from jupyter_core import paths

        # A machine's own settings, extensions and kernels, for all of its users: here they would change the course.
        paths.SYSTEM_CONFIG_PATH.clear()
        paths.SYSTEM_JUPYTER_PATH.clear()
        from jupyterlab.labapp import LabApp  # reads the folders above when it is imported
    except ImportError as missing:
        raise LabError(
            f"JupyterLab is not installed whole ({missing}): remove .venv and run `make lab` again, "
            "or install requirements.lock anew."
        ) from None

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
