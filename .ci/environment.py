"""Makes the lab's environment in .venv, unless the one that is there is whole and up to date.

Run by `make` with any Python 3.11 to 3.13; needs nothing but the standard library. The environment counts as made
only when its stamp has been written, which is the last thing to happen, so an interrupted run starts afresh.
"""

from __future__ import annotations

import ast
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "made-from"
LOCK = ROOT / "requirements.lock"
LOG = ROOT / "build" / "environment.log"

# Of pip's settings, a person's or a company's, these say where packages come from and are kept. The others say what
# is done with them (user, target, prefix, require-virtualenv, no-binary ...): here that is for this file to say.
KEPT = {
    "cache-dir", "cert", "client-cert", "default-timeout", "extra-index-url", "find-links", "index-url",
    "keyring-provider", "no-cache-dir", "no-index", "proxy", "retries", "timeout", "trusted-host", "use-feature",
}  # fmt: skip
UNREACHED = ("Retrying (Retry(", "Max retries exceeded", "Could not fetch URL")


class Failed(Exception):
    """The environment cannot be made; the message says why and what to do next."""


def fingerprint() -> str:
    """What the environment depends on: the lock, the package's own requirements and the folder it stands in.

    The folder counts because the package is installed as a link to it: a copied tree must not run its original.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    parts = [LOCK.read_text(encoding="utf-8"), json.dumps([project["build-system"], project["project"]]), str(ROOT)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def packages() -> list[str]:
    """What stands in the environment's folder of packages and is not empty, as paths within the environment."""
    found = (path for path in VENV.glob("lib/python*/site-packages/*") if path.name != "__pycache__")
    return sorted(str(path.relative_to(VENV)) for path in found if not path.is_dir() or any(path.iterdir()))


def trouble() -> str | None:
    """Why .venv cannot be used, to follow "The .venv here ..."; None if it is whole and made from this very lock.

    Packages that were added to it later do no harm.
    """
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        made_from, made = stamp["from"], set(stamp["packages"])
    except (OSError, ValueError, LookupError, TypeError):
        return "is unfinished or not the lab's"
    try:
        if made_from != fingerprint():
            return "was made from another lock or in another folder"
        if not made <= set(packages()):
            return "has lost packages"
        find = "from importlib.util import find_spec as f, sys; sys.exit(not all(map(f, sys.argv[1:])))"
        names = ["boto3", "dynamolab", "ipykernel", "jupyterlab", "moto", "pandas", "pytest"]
        ended = subprocess.run([PYTHON, "-I", "-X", "utf8", "-c", find, *names], capture_output=True)
        return None if ended.returncode == 0 else "has no Python that finds its packages"
    except OSError:
        return "has no Python that runs"


def own_environment() -> dict[str, str]:
    """This process' environment without what leads Python, or pip, to other folders."""
    foreign = re.compile(r"PIP_|PYTHON|VIRTUAL_ENV$|__PYVENV_LAUNCHER__$")
    kept = {name: value for name, value in os.environ.items() if not foreign.match(name)}
    return {**kept, "PYTHONUTF8": "1"}


def run(*command: object, environment: dict[str, str], counting: bool = False) -> list[str]:
    """Run a program, with a count of packages on a terminal; returns its lines. Raises `Failed` in its last words."""
    lines: list[str] = []
    shown = counting and sys.stderr.isatty()
    with subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            assert process.stdout is not None
            count = 0
            for line in process.stdout:
                lines.append(line.rstrip())
                count += line.startswith("Collecting ")
                if shown and line.startswith(("Collecting ", "Installing collected ")):
                    doing = "installing ..." if line.startswith("Installing") else ""
                    print(f"\r  {count} packages {doing}", end="", file=sys.stderr, flush=True)
        except BaseException:
            process.kill()  # a hand that ends this run ends its programs too
            raise
    if shown and count:
        print(file=sys.stderr)
    if process.returncode:
        raise Failed(explained(lines))
    return lines


def explained(lines: list[str]) -> str:
    """One sentence or two from what a program that failed has printed; all of it goes to the log if it can."""
    log = ""
    with contextlib.suppress(OSError):
        LOG.parent.mkdir(exist_ok=True)
        LOG.write_text("\n".join([*lines, ""]), encoding="utf-8")
        log = f" All that was said is in {LOG.relative_to(ROOT)}."
    if any("No space left on device" in line for line in lines):
        return "The disk is full: the environment takes about 1 GB. Make room and run make again."
    if any(word in line for line in lines for word in UNREACHED):
        return (
            "The packages could not be fetched, for pip did not reach its index: connect to the network, or name a "
            f"mirror in pip's settings, and run make again.{log}"
        )
    errors = [line for line in lines if re.match(r"ERROR|Error|\w*(?:Error|Exception):", line)]
    said = [line for line in errors or lines if line.strip()] or ["it did not say why"]
    return f"The environment could not be made ({said[-1].strip()}): mend that and run make again.{log}"


def install(settings: dict[str, str], *arguments: str) -> None:
    """Install into the environment with pip; raises `Failed`."""
    # Relative paths, since pip reads a meaning into # and [ in a path.
    command = (PYTHON, "-m", "pip", "install", "--progress-bar=off", *arguments)
    run(*command, environment={**own_environment(), **settings}, counting=True)


def pip_settings() -> dict[str, str]:
    """The environment variables that give pip those of the user's settings that are `KEPT`, and no others."""
    loud = {"PIP_QUIET", "PIP_VERBOSE", "PIP_LOG"}
    users = {name: value for name, value in os.environ.items() if name.startswith("PIP_") and name not in loud}
    found: dict[str, str] = {}
    listed = run(PYTHON, "-m", "pip", "config", "list", environment={**own_environment(), **users})
    for section in ("global", "install", ":env:"):  # the later one wins, as in pip
        for line in listed:
            name, _, value = line.partition("=")
            if name.startswith(f"{section}.") and (key := name.removeprefix(f"{section}.")) in KEPT:
                found[f"PIP_{key.replace('-', '_').upper()}"] = str(ast.literal_eval(value))
    return {**found, "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def make() -> None:
    """Make .venv anew from the lock; raises `Failed` or OSError."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    print(f"Making the environment in .venv (Python {version}; once, a minute or two) ...", file=sys.stderr, flush=True)
    remove()
    try:
        run(sys.executable, "-m", "venv", VENV, environment=own_environment())
        settings = pip_settings()
        install(settings, "--requirement", LOCK.name)
        install(settings, "--no-deps", "--no-build-isolation", "--editable", ".")
        link_relatively()
        STAMP.write_text(json.dumps({"from": fingerprint(), "packages": packages()}), encoding="utf-8")
    except BaseException:
        with contextlib.suppress(OSError):
            remove()  # half an environment helps nobody, and takes the room on a full disk
        raise


def link_relatively() -> None:
    """Write the link from the packages to src/ as a relative path, which is plain ASCII whatever the folder's name.

    Python 3.11 and 3.12 read such a link in the terminal's encoding, and do not even start when they cannot.
    """
    for link in VENV.glob("lib/python*/site-packages/dynamolab.pth"):
        link.write_text(os.path.relpath(ROOT / "src", link.parent) + "\n", encoding="ascii")


def remove() -> None:
    """Remove .venv, whatever it is; what a link leads to stays."""
    if VENV.is_dir() and not VENV.is_symlink():
        shutil.rmtree(VENV)
    else:
        VENV.unlink(missing_ok=True)


def check_folder() -> None:
    """Raise `Failed` if no environment can stand in this folder, whatever is done."""
    if set(":\n\r") & set(str(ROOT)):
        raise Failed("No environment can be made in a folder whose path has a colon or a line break: move the course.")
    try:
        str(ROOT).encode()
    except UnicodeEncodeError:
        raise Failed("The path of this folder is not written in UTF-8: rename the folder or move the course.") from None
    if not os.access(ROOT, os.W_OK):
        raise Failed(
            "This folder cannot be written to, so no environment can be made in it: "
            "copy the course to one of your own and run make there."
        )


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Keep other runs in this folder from making the environment too; wait for one that is at it."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another make is making the environment: waiting for it ...", file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            pass  # a disk that knows no locks
        yield
    finally:
        os.close(handle)


def main() -> None:
    """Make the environment if there is need to; raises SystemExit with a sentence."""
    try:
        if trouble() is None:
            return
        check_folder()
        with alone():
            why = trouble()  # another run may have made it meanwhile
            if why is None:
                return
            if os.path.lexists(VENV):
                print(f"The .venv here {why}.", file=sys.stderr, flush=True)
            make()
        why = trouble()
        if why is not None:
            raise Failed(f"The environment was made, but {why}: say so to whoever gave you the course.")
    except Failed as failed:
        raise SystemExit(str(failed)) from None
    except OSError as error:
        raise SystemExit(
            f"The environment could not be made ({error.strerror}: {error.filename}): "
            "mend that, or remove .venv by hand, and run make again."
        ) from None
    except KeyboardInterrupt:
        raise SystemExit("Interrupted: the next run makes the environment from the start.") from None


if __name__ == "__main__":
    main()
