"""Makes the lab's environment in .venv, unless the one that is there is whole and up to date.

Run by `make` with any Python 3.11 to 3.13; needs nothing but the standard library. The environment counts as made
only when its stamp has been written, which is the last thing to happen, so an interrupted run starts afresh.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "made-from"
LOCK = ROOT / "requirements.lock"


def fingerprint() -> str:
    """What the environment depends on: the lock, the package's own requirements and the folder it stands in.

    The folder counts because the package is installed as a link to it: a copied tree must not run its original.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    parts = [LOCK.read_text(encoding="utf-8"), json.dumps([project["build-system"], project["project"]]), str(ROOT)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def is_whole() -> bool:
    """Whether .venv was finished from this very lock in this very folder and its Python still finds the packages."""
    try:
        if STAMP.read_text(encoding="utf-8") != fingerprint():
            return False
        find = "from importlib.util import find_spec as f, sys; sys.exit(not all(map(f, sys.argv[1:])))"
        names = ["boto3", "dynamolab", "ipykernel", "jupyterlab", "moto", "pandas", "pytest"]
        return subprocess.run([PYTHON, "-c", find, *names], capture_output=True).returncode == 0
    except OSError:
        return False


def install(*arguments: str) -> None:
    """Run pip in the environment, counting the packages on a terminal; raises SystemExit with a sentence."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--progress-bar=off", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, errors="replace") as pip:
        assert pip.stdout is not None
        count = 0
        for line in pip.stdout:
            if line.startswith("Collecting ") and sys.stderr.isatty():
                count += 1
                print(f"\r  {count} packages", end="", file=sys.stderr, flush=True)
        if count:
            print(file=sys.stderr)
    if pip.returncode:
        raise SystemExit("pip could not install the packages (its own words are above): mend that and run make again.")


def make() -> None:
    """Make .venv anew from the lock."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    print(f"Making the environment in .venv (Python {version}; once, a minute or two) ...", file=sys.stderr, flush=True)
    if VENV.is_dir() and not VENV.is_symlink():
        shutil.rmtree(VENV)
    else:
        VENV.unlink(missing_ok=True)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    install("--requirement", str(LOCK))
    install("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    STAMP.write_text(fingerprint(), encoding="utf-8")


if __name__ == "__main__":
    if not is_whole():
        try:
            make()
        except (OSError, subprocess.CalledProcessError) as error:
            raise SystemExit(f"The environment could not be made in {VENV}: {error}") from None
        except KeyboardInterrupt:
            raise SystemExit("Interrupted: the next run makes the environment from the start.") from None
