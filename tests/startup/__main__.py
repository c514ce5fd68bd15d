"""`make test-startup`: opens the lab from clean copies of the course, in the places and states that learners have.

    python tests/startup            everything, about five minutes
    python tests/startup offline    the named variations

Each variation makes a copy of the tree, runs `make lab` in it as a learner would, and has a kernel of that lab run a
cell; or it reads the one sentence that says what is missing. What a machine cannot offer is said, not passed over.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from driver import MINE, opens, refuses

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from made import MADE  # noqa: E402  (tests/ is no package)

ODD = "Kurs für Ana's 数据 $HOME #1 100% [x]"


class Missing(Exception):
    """What this machine cannot offer."""


def copy(folder: Path) -> Path:
    """A copy of the course as a clone would have it; there may be no git to ask."""
    return Path(shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(*MADE)))


# --- the variations, in the order in which they share two environments -----------------------------------------------


def odd_path(folder: Path) -> None:
    """A path with spaces, quotes, signs and other alphabets; an empty HOME; another locale; no git; two at once."""
    course, home, tools = copy(folder / ODD), folder / "home", folder / "tools"
    home.mkdir()
    tools.mkdir()
    for name in ("make", "sh", "env"):
        (tools / name).symlink_to(str(shutil.which(name)))
    strange = {"HOME": str(home), "LC_ALL": "C", "PATH": str(tools), "PYTHON": sys.executable, "PYTHONHOME": "/junk"}
    with subprocess.Popen(
        ["make", "environment"], cwd=course, env={**MINE, **strange}, stderr=subprocess.PIPE, text=True
    ) as first:
        printed = opens(course, **strange)
        said = first.communicate()[1]
    assert first.returncode == 0, said
    assert "\n".join([*printed, said]).count("Making the environment") == 1, f"both made it: {printed} {said}"
    assert list(home.iterdir()) == [], "something was written to HOME"


def offline(folder: Path) -> None:
    """Once the environment is made, nothing needs the network."""
    here = [sys.executable, str(Path(__file__)), "--open-here"]
    ended = subprocess.run(
        ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *here],
        cwd=folder / ODD,
        env=MINE,
        capture_output=True,
        text=True,
    )
    if "unshare" in ended.stderr and ended.returncode:
        raise Missing(f"no namespace without network ({ended.stderr.strip()})")
    assert ended.returncode == 0, ended.stdout + ended.stderr


def taken_port(folder: Path) -> None:
    """A port that is taken gives way to the next one."""
    import socket

    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        printed = opens(folder / ODD, "make", "lab", f"PORT={port}")
    assert printed[0].startswith(f"Port {port} is taken; the lab uses "), printed


def read_only(folder: Path) -> None:
    """A whole course on a read-only disk opens, and says that nothing will be kept."""
    script = 'mount --bind . . && mount -o remount,bind,ro "$PWD" && cd "$PWD" && exec "$@"'
    inside = ("unshare", "-rm", "sh", "-c", script, "sh")
    probe = subprocess.run([*inside, "sh", "-c", "! test -w ."], cwd=folder / ODD, env=MINE, capture_output=True)
    if probe.returncode:
        raise Missing(f"no read-only view of a folder ({probe.stderr.decode().strip()})")
    printed = opens(folder / ODD, *inside, "make", "lab", "PORT=0")
    assert printed[0].startswith("Nothing can be written here (Read-only file system)"), printed
    assert "copy the course" in refuses(folder / ODD, *inside, "make", "test")


def broken(folder: Path) -> None:
    """An environment that was copied, lost packages or lost its Python is made anew; its reason is said."""
    course = copy(folder / "broken")
    shutil.copytree(folder / ODD / ".venv", course / ".venv", symlinks=True)
    (course / ".venv" / "bin" / "python").unlink()
    (course / ".venv" / "bin" / "python").symlink_to("/nowhere/python")
    printed = opens(course)
    assert printed[0] == "The .venv here was made from another lock or in another folder.", printed


def unreachable(folder: Path) -> None:
    """Without the network before the environment is made there is one sentence, and no half of an environment."""
    course = copy(folder / "unreachable")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1", "PIP_CONFIG_FILE": os.devnull}
    said = refuses(course, **{**nowhere, "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1"})
    assert "pip did not reach its index" in said, said
    assert not (course / ".venv").exists()


VARIATIONS: tuple[Callable[[Path], None], ...] = (odd_path, offline, taken_port, read_only, broken, unreachable)


def main(names: list[str]) -> int:
    """Run the variations; returns 0 if each one held or cannot be had here."""
    if names == ["--open-here"]:
        opens(Path.cwd())
        return 0
    failed = 0
    with tempfile.TemporaryDirectory(prefix="startup-", ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary).resolve()
        for variation in VARIATIONS:
            if names and variation.__name__ not in [*names, "odd_path"]:  # the others stand on its environment
                continue
            begun = time.monotonic()
            try:
                variation(folder)
                word = "held"
            except Missing as missing:
                word = f"CANNOT BE HAD HERE: {missing}"
            except AssertionError as error:
                failed += 1
                word = f"FAILED: {error}"
            print(f"{variation.__name__:<12}{time.monotonic() - begun:7.1f} s  {word}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
