"""`make lab` from a clean copy: what is missing, broken or strange about a machine is mended, or said in one sentence.

Here is what can be tried without fetching packages; `make test-startup` makes real environments.
"""

from __future__ import annotations

import errno
import fcntl
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jupyter_core.paths
import nbformat
import pytest

from dynamolab import jupyter
from dynamolab.errors import LabError
from startup import driver

GOOD = f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n"
SHIM = "#!/bin/sh\necho 'pyenv: python3.13: command not found' >&2; exit 127\n"
OLD = "#!/bin/sh\necho 3.10; exit 3\n"  # what the probe gives in a Python 3.10
BARE = "#!/bin/sh\nexit 4\n"  # and in one without ensurepip


@pytest.fixture
def tree(root: Path, tmp_path: Path) -> Path:
    """A clean copy of what `make lab` needs until it opens, in a folder with a name that few programs like."""
    folder = tmp_path / "Kurs für Ana's 数据 $HOME #1 100% [x]"
    shutil.copytree(root / ".ci", folder / ".ci", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(root / name, folder)
    return folder


@pytest.fixture
def environment(tree: Path) -> ModuleType:
    """The tree's own `.ci/environment.py`."""
    spec = importlib.util.spec_from_file_location("environment", tree / ".ci" / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


# --- which Python ---------------------------------------------------------------------------------------------------


def search(tree: Path, *folders: Path, **more: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, folders))
    shell = shutil.which("sh")
    assert shell is not None
    return subprocess.run(
        [shell, ".ci/python"], cwd=tree, env={"PATH": path, **more}, capture_output=True, text=True, timeout=60
    )


def test_a_shim_that_only_complains_hides_no_python_behind_it(tree: Path, tmp_path: Path) -> None:
    program(tmp_path / "shims" / "python3.13", SHIM)
    program(tmp_path / "bin" / "python3.13", GOOD)
    found = search(tree, tmp_path / "shims", tmp_path / "bin")
    assert found.returncode == 0
    assert found.stderr == ""
    assert Path(found.stdout.rstrip("\n")).resolve() == Path(sys.executable).resolve()


def test_a_home_and_a_path_of_another_python_are_not_its_own(tree: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "python3", GOOD)
    found = search(tree, tmp_path / "bin", PYTHONHOME="/junk", PYTHONPATH="/junk", PYTHONWARNINGS="error")
    assert (found.returncode, found.stderr) == (0, "")


def test_an_environment_stands_for_the_python_that_it_was_made_with(tree: Path, tmp_path: Path) -> None:
    """So an active .venv that must be made anew is not made by the Python that goes with it."""
    venv.create(tmp_path / "active", symlinks=True)
    found = search(tree, tmp_path / "active" / "bin")
    assert found.returncode == 0
    assert str(tmp_path) not in found.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SHIM, "The lab needs Python 3.11, 3.12 or 3.13; found: none. Install one"),
        (OLD, "The lab needs Python 3.11, 3.12 or 3.13; found: 3.10 ({python}). Install one"),
        (BARE, "{python} cannot make environments: install its venv module"),
    ],
)
def test_a_machine_without_a_python_for_the_lab_is_told_so(
    tree: Path, tmp_path: Path, text: str, sentence: str
) -> None:
    python = program(tmp_path / "bin" / "python3", text)
    found = search(tree, tmp_path / "bin")
    assert found.returncode == 1
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert found.stderr.startswith(sentence.format(python=python))


def test_a_python_that_was_named_and_will_not_do_is_said_and_another_one_taken(tree: Path, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "python3", GOOD)
    found = search(tree, tmp_path / "bin", PYTHON="/no/python")
    assert found.returncode == 0
    assert found.stderr.startswith("PYTHON=/no/python is no Python 3.11, 3.12 or 3.13")


# --- the Makefile ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("port", "argument"), [("8123", "--port=8123"), ("8; touch pwned", "--port=8; touch pwned"), ("-1", "--port=-1")]
)
def test_make_hands_the_port_on_as_it_is_written(tree: Path, port: str, argument: str) -> None:
    program(tree / ".ci" / "python", "#!/bin/sh\necho true\n")
    program(tree / ".venv" / "bin" / "python", '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    made = subprocess.run(
        ["make", "lab", f"PORT={port}"], cwd=tree, env=driver.MINE, capture_output=True, text=True, timeout=60
    )
    assert made.stdout.splitlines() == ["-E", "-X", "utf8", "-m", "dynamolab", "lab", argument]
    assert not (tree / "pwned").exists()


def test_whatever_make_runs_is_deaf_to_a_users_python_variables(root: Path) -> None:
    recipes = [
        line for line in (root / "Makefile").read_text().splitlines() if line.startswith("\t@") and "exec" in line
    ]
    assert len(recipes) >= 8
    assert [line for line in recipes if " -E -X utf8 " not in line] == []


# --- an environment that is there -----------------------------------------------------------------------------------

NAMES = ("boto3", "dynamolab", "ipykernel", "jupyterlab", "moto", "pandas", "pytest")


def whole(environment: ModuleType) -> Path:
    """A .venv as the lab makes it, with empty packages; returns its folder of packages."""
    venv.create(environment.VENV, symlinks=True)
    (folder,) = environment.VENV.glob("lib/python*/site-packages")
    for name in NAMES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").touch()
    stamp = {"from": environment.fingerprint(), "packages": environment.packages()}
    environment.STAMP.write_text(environment.json.dumps(stamp))
    return Path(folder)


def test_a_whole_environment_is_left_alone_and_may_be_added_to(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = whole(environment)
    (folder / "more.py").touch()
    for name in ("PYTHONHOME", "PYTHONPATH"):
        monkeypatch.setenv(name, "/junk")
    monkeypatch.setattr(environment, "make", lambda: pytest.fail("made anew"))
    environment.main()


def no_stamp(environment: ModuleType, folder: Path) -> None:
    environment.STAMP.unlink()


def stamp_of_before(environment: ModuleType, folder: Path) -> None:
    environment.STAMP.write_text("12" * 32)


def another_lock(environment: ModuleType, folder: Path) -> None:
    environment.LOCK.write_text("numpy==1.0\n")


def another_folder(environment: ModuleType, folder: Path) -> None:
    environment.ROOT = environment.ROOT.parent / "elsewhere"
    shutil.copytree(environment.VENV.parent, environment.ROOT, symlinks=True)


def no_package(environment: ModuleType, folder: Path) -> None:
    shutil.rmtree(folder / "moto")


def emptied_package(environment: ModuleType, folder: Path) -> None:
    (folder / "moto" / "__init__.py").unlink()


def dangling_python(environment: ModuleType, folder: Path) -> None:
    environment.PYTHON.unlink()
    environment.PYTHON.symlink_to("/nowhere/python")


def python_of_another_version(environment: ModuleType, folder: Path) -> None:
    folder.parent.rename(folder.parent.with_name("python3.99"))
    stamp = {"from": environment.fingerprint(), "packages": environment.packages()}
    environment.STAMP.write_text(environment.json.dumps(stamp))


def only_a_file(environment: ModuleType, folder: Path) -> None:
    shutil.rmtree(environment.VENV)
    environment.VENV.write_text("my-project-3.12")


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (no_stamp, "is unfinished or not the lab's"),
        (stamp_of_before, "is unfinished or not the lab's"),
        (only_a_file, "is unfinished or not the lab's"),
        (another_lock, "was made from another lock or in another folder"),
        (another_folder, "was made from another lock or in another folder"),
        (no_package, "has lost packages"),
        (emptied_package, "has lost packages"),
        (dangling_python, "has no Python that runs"),
        (python_of_another_version, "has no Python that finds its packages"),
    ],
)
def test_an_environment_that_is_broken_is_made_anew_and_why_is_said(
    environment: ModuleType, capsys: pytest.CaptureFixture[str], harm: Callable[[ModuleType, Path], None], why: str
) -> None:
    folder = whole(environment)
    assert environment.trouble() is None
    harm(environment, folder)
    assert environment.trouble() == why

    def make() -> None:
        environment.remove()
        whole(environment)

    environment.make = make
    environment.main()
    assert capsys.readouterr().err == f"The .venv here {why}.\n"


def test_a_link_named_venv_is_removed_and_what_it_leads_to_stays(environment: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    environment.VENV.symlink_to(tmp_path / "mine")
    environment.remove()
    assert not environment.VENV.is_symlink()
    assert (tmp_path / "mine").is_dir()


def test_the_link_to_the_package_is_plain_ascii_in_a_folder_with_any_name(environment: ModuleType) -> None:
    folder = whole(environment)
    shutil.rmtree(folder / "dynamolab")
    (folder / "dynamolab.pth").write_text(f"{environment.ROOT / 'src'}\n", encoding="utf-8")
    (environment.ROOT / "src").mkdir()
    (environment.ROOT / "src" / "dynamolab.py").touch()
    environment.link_relatively()
    found = subprocess.run(
        [environment.PYTHON, "-c", "import dynamolab; print(ascii(dynamolab.__file__))"],
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        text=True,
    )
    assert found.stderr == ""
    assert "dynamolab.py" in found.stdout


# --- making one -----------------------------------------------------------------------------------------------------


def test_of_pips_settings_only_those_hold_that_say_where_packages_come_from(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        "global.index-url='https://mirror.example/simple'",
        "global.user='true'",
        "install.target='/elsewhere'",
        "install.find-links='/a\\n/b'",
        ":env:.index-url='https://other.example/simple'",
        ":env:.require-virtualenv='1'",
        "WARNING: something else",
    ]
    monkeypatch.setattr(environment, "run", lambda *_, **__: lines)
    settings = environment.pip_settings()
    for name in ("PIP_CONFIG_FILE", "PIP_DISABLE_PIP_VERSION_CHECK"):
        settings.pop(name)
    assert settings == {"PIP_INDEX_URL": "https://other.example/simple", "PIP_FIND_LINKS": "/a\n/b"}


def test_nothing_of_another_environment_or_of_pip_reaches_the_making(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = ("PIP_USER", "PIP_TARGET", "PYTHONHOME", "PYTHONPATH", "PYTHONWARNINGS", "VIRTUAL_ENV")
    for name in foreign:
        monkeypatch.setenv(name, "1")
    assert not set(foreign) & set(environment.own_environment())


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ["WARNING: Retrying (Retry(total=0)) after ...", "ERROR: No matching distribution found"],
            "not reach its index",
        ),
        (["ERROR: Could not install: [Errno 28] No space left on device"], "The disk is full: "),
        (["noise", "ERROR: ResolutionImpossible: x", "", "more noise"], "(ERROR: ResolutionImpossible: x): mend that"),
        (["Traceback", "PermissionError: [Errno 13] no"], "(PermissionError: [Errno 13] no): mend that"),
        ([], "(it did not say why): mend that"),
    ],
)
def test_what_pip_says_when_it_fails_becomes_one_sentence_and_a_log(
    environment: ModuleType, lines: list[str], sentence: str
) -> None:
    code = "import sys; print(sys.argv[1]); sys.exit(1)"
    with pytest.raises(environment.Failed) as failed:
        environment.run(sys.executable, "-c", code, "\n".join(lines), environment=dict(os.environ))
    assert sentence in str(failed.value)
    assert "\n" not in str(failed.value)
    assert environment.LOG.read_text().split("\n")[: len(lines)] == lines


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left", "x"), KeyboardInterrupt()])
def test_a_making_that_ends_half_way_leaves_nothing_and_says_one_sentence(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def run(*command: object, **_: Any) -> list[str]:
        if "venv" in command:
            (environment.VENV / "bin").mkdir(parents=True)
            return []
        raise error

    monkeypatch.setattr(environment, "run", run)
    with pytest.raises(SystemExit) as ended:
        environment.main()
    assert "make" in str(ended.value.code)
    assert "\n" not in str(ended.value.code)
    assert not environment.VENV.exists()


def test_a_hand_that_interrupts_ends_the_program_that_runs(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program would go on for ever; if it were waited for, this test would be given up as hung.
    code = "print('Collecting x', flush=True)\nwhile True: pass"
    monkeypatch.setattr(environment.sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.print", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        environment.run(sys.executable, "-c", code, environment=dict(os.environ), counting=True)


def test_a_folder_in_which_no_environment_can_stand_is_said(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment.os, "access", lambda *_: False)  # the superuser may write anywhere
    with pytest.raises(SystemExit, match="^This folder cannot be written to"):
        environment.main()
    root = environment.ROOT
    for name, sentence in (("a:b", "has a colon"), ("a\nb", "a line break"), ("Kurs f\udcfcr", "not written in UTF-8")):
        monkeypatch.setattr(environment, "ROOT", root / name)
        with pytest.raises(environment.Failed, match=sentence):
            environment.check_folder()


def test_a_second_make_waits_for_the_first_and_makes_nothing_itself(environment: ModuleType, tree: Path) -> None:
    first = os.open(tree, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX)
    command = [sys.executable, ".ci/environment.py"]
    with subprocess.Popen(command, cwd=tree, stderr=subprocess.PIPE, text=True) as second:
        try:
            assert second.stderr is not None
            assert second.stderr.readline() == "Another make is making the environment: waiting for it ...\n"
            whole(environment)
            os.close(first)
            assert second.wait(60) == 0
            assert second.stderr.read() == ""
        finally:
            second.kill()  # one that does not wait would fetch packages


# --- opening the lab ------------------------------------------------------------------------------------------------

STRANGER = """
import sys
import jupyter_core.paths
jupyter_core.paths.SYSTEM_CONFIG_PATH[:] = [sys.argv[1]]
jupyter_core.paths.SYSTEM_JUPYTER_PATH[:] = [sys.argv[1]]
from dynamolab.__main__ import main
sys.exit(main(["lab", "--port=0", "--no-browser"]))
"""
# Automagic is off in the lab's own IPython profile, on in any other.
CELL = "import os, sys; print(os.path.basename(os.getcwd()), get_ipython().automagic, sys.flags.utf8_mode)"


def test_in_a_folder_of_any_name_on_a_machine_set_up_otherwise_a_kernel_runs_and_nothing_is_left_at_home(
    tmp_path: Path,
) -> None:
    course = tmp_path / "Kurs für Ana's 数据 $HOME #1 100% [x]"
    (course / "notebooks").mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), course / "notebooks" / "welcome.ipynb")
    home, machine = tmp_path / "home", tmp_path / "machine"
    for folder in (home / ".jupyter", machine):
        folder.mkdir(parents=True)
        (folder / "jupyter_server_config.py").write_text('c.ServerApp.base_url = "/other/"\nprint("their settings")\n')
    kernel = program(home / "data" / "kernels" / "python3" / "kernel.json", "")
    kernel.write_text('{"argv": ["false"], "display_name": "Python 3", "language": "python"}')
    startup = home / "ipython" / "profile_default" / "startup" / "a.py"
    startup.parent.mkdir(parents=True)
    startup.write_text('print("their start-up")')
    (home / "startup.py").write_text('print("their PYTHONSTARTUP")')
    before = sorted(home.rglob("*"))
    theirs = {
        "HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "JUPYTER_PATH": str(home / "data"),
        "JUPYTER_DATA_DIR": str(home / "data"), "JUPYTER_CONFIG_DIR": str(home / ".jupyter"), "JUPYTER_TOKEN": "x",
        "JUPYTER_GATEWAY_URL": "http://127.0.0.1:9", "JUPYTERLAB_DIR": "/junk", "JUPYTERLAB_SETTINGS_DIR": "/junk",
        "PYTHONSTARTUP": str(home / "startup.py"), "PYTHONUTF8": "0", "TZ": "Asia/Kathmandu", "COLUMNS": "1",
    }  # fmt: skip
    with driver.started(course, sys.executable, "-c", STRANGER, str(machine), **theirs) as (_, printed):
        assert len(printed) == 2, printed
        address = printed[0].rpartition(" ")[2]
        assert driver.run_cell(address, CELL) == "notebooks False 1\n"
    assert sorted(home.rglob("*")) == before
    assert (course / ".lab").is_dir()


def test_a_course_that_cannot_be_written_to_says_that_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "welcome.ipynb").touch()
    (tmp_path / ".lab").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(jupyter, "_run", lambda *_: None)
    jupyter.serve_lab(0, browser=False)
    said = capsys.readouterr().out
    assert said.startswith("Nothing can be written here (Not a directory): answers and changes last only until")
    assert said.count("\n") == 1

    def nowhere(*_: object, **__: object) -> None:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", nowhere)
    with pytest.raises(LabError, match="There is no folder that the lab could write to: set TMPDIR"):
        jupyter.serve_lab(0, browser=False)


def test_a_user_without_a_name_and_a_home_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "welcome.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    environ = dict(os.environ)
    monkeypatch.setattr(os, "environ", environ)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it is for a number without an entry
    monkeypatch.setattr(jupyter, "_run", lambda *_: None)
    jupyter.serve_lab(0, browser=False)
    assert environ["HOME"] == str(tmp_path / ".lab")


def test_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        assert jupyter.free_port(taken) > taken
    assert jupyter.free_port(0) > 0


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.EACCES, "You may not listen on port 80: give one from 1024 on, or 0."),
        (errno.EADDRNOTAVAIL, "The lab cannot listen on 127.0.0.1"),
        (errno.EADDRINUSE, "Port 80 and those after it are taken"),
    ],
)
def test_a_port_that_cannot_be_had_is_said(monkeypatch: pytest.MonkeyPatch, code: int, sentence: str) -> None:
    class Refusing(socket.socket):
        def bind(self, address: Any) -> None:
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(jupyter.socket, "socket", Refusing)
    with pytest.raises(LabError, match=f"^{sentence}"):
        jupyter.free_port(80)


def test_a_jupyterlab_that_is_not_whole_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SYSTEM_CONFIG_PATH", "SYSTEM_JUPYTER_PATH"):
        monkeypatch.setattr(jupyter_core.paths, name, [])
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    with pytest.raises(LabError, match="JupyterLab is not installed whole .* remove .venv and run `make lab` again"):
        jupyter._run(tmp_path, 0, False)


def test_a_lab_interrupted_while_it_is_loaded_ends_without_a_stack() -> None:
    """As on Ctrl-C: the package's first lines give the signal its default, and its command takes it back."""
    code = (
        "import signal, sys; sys.argv = ['-m']; sys.orig_argv = ['python', '-m', 'dynamolab', 'lab']\n"
        "import dynamolab; signal.raise_signal(signal.SIGINT)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (-2, "")
