"""The three files that say which versions belong to the lab, held against each other and against what is installed."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

import dynamolab
from versions import asked

FILES = ("pyproject.toml", "requirements.lock", "environment.yml")
PIN = re.compile(r"(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)==(?P<version>[A-Za-z0-9.+!]+)(?: *; *(?P<marker>[^#]+))?")


def pins(lock: str) -> dict[str, Requirement]:
    """The lock's entries by name."""
    lines = (line.partition("#")[0].strip() for line in lock.splitlines())
    return {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines if PIN.fullmatch(line)}


def version(pin: Requirement) -> Version:
    """The one version that a lock's entry allows."""
    return Version(next(iter(pin.specifier)).version)


def disagreements(project: str, lock: str, environment: str) -> list[str]:
    """Everything in which the three texts do not fit together, one sentence each."""
    found = []
    lines = [line.partition("#")[0].strip() for line in lock.splitlines()]
    entries = [line for line in lines if line]
    found += [f"the lock's line {line!r} is no exact pin" for line in entries if not PIN.fullmatch(line)]
    names = [line.partition("==")[0] for line in entries]
    if names != sorted(set(names)):
        found.append("the lock is not sorted, or names a package twice")
    locked = pins(lock)
    for wanted in asked(project):
        pin = locked.get(canonicalize_name(wanted.name))
        if pin is None:
            found.append(f"{wanted.name} is in pyproject.toml and not in the lock")
        elif not wanted.specifier.contains(version(pin)):
            found.append(f"the lock's {pin} is outside pyproject.toml's {wanted}")
    conda = yaml.safe_load(environment)["dependencies"]
    pythons = [text for text in conda if isinstance(text, str) and text.split()[0] == "python"]
    range_wanted = SpecifierSet(tomllib.loads(project)["project"]["requires-python"])
    if [SpecifierSet(text.removeprefix("python")) for text in pythons] != [range_wanted]:
        found.append(f"environment.yml asks for {pythons}, pyproject.toml for Python {range_wanted}")
    if [part["pip"] for part in conda if isinstance(part, dict)] != [["-r requirements.lock", "-e ."]]:
        found.append("environment.yml's pip part is not the lock and this package")
    if sorted(text.split()[0] for text in conda if isinstance(text, str)) != ["pip", "python"]:
        found.append("environment.yml takes more than Python and pip from conda")
    return found


@pytest.fixture
def texts(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text(encoding="utf-8") for name in FILES}


def test_pyproject_lock_and_environment_agree(texts: dict[str, str]) -> None:
    assert disagreements(*texts.values()) == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("requirements.lock", "\nmoto==5.2", "\nmoto==5.3"),
        ("requirements.lock", "\nmoto==", "\nmotto=="),
        ("requirements.lock", "\njsonschema==4.24", "\njsonschema==4.25"),
        ("requirements.lock", "\nnumpy==", "\nnumpy>="),
        ("requirements.lock", "\nnumpy==", "\n--index" + "-url https://example.org\nnumpy=="),
        ("requirements.lock", "\nnumpy==", "\nzope==1.0\nnumpy=="),
        ("pyproject.toml", '"pandas>=3.0,<4"', '"pandas>=2.0,<3"'),
        ("pyproject.toml", '"botocore>=1.44,<1.45"', '"botocore>=1.45,<1.46"'),
        ("pyproject.toml", 'requires-python = ">=3.11,<3.14"', 'requires-python = ">=3.12,<3.14"'),
        ("environment.yml", "-r requirements.lock", "-r requirements.txt"),
        ("environment.yml", "  - pip\n", "  - pip\n  - numpy\n"),
        ("environment.yml", "python >=3.11,<3.14", "python >=3.11"),
    ],
)
def test_one_wrong_line_in_any_of_the_three_is_seen(texts: dict[str, str], file: str, old: str, new: str) -> None:
    assert old in texts[file]
    assert disagreements(*{**texts, file: texts[file].replace(old, new, 1)}.values()) != []


def test_what_is_installed_is_what_the_lock_says(texts: dict[str, str]) -> None:
    here = [pin for pin in pins(texts["requirements.lock"]).values() if pin.marker is None or pin.marker.evaluate()]
    wrong = []
    for pin in here:
        try:
            installed = importlib.metadata.version(pin.name)
        except importlib.metadata.PackageNotFoundError:
            installed = "nothing"
        if installed != str(version(pin)):
            wrong.append(f"{pin}: {installed} is installed")
    assert wrong == []


def test_the_lock_names_what_its_packages_need_on_every_python_and_system_and_nothing_else(
    texts: dict[str, str],
) -> None:
    python = SpecifierSet(tomllib.loads(texts["pyproject.toml"])["project"]["requires-python"])
    machines = [
        {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.1", **system}
        for minor in range(40)
        if python.contains(f"3.{minor}.1")
        for system in (
            {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
            {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
        )
    ]
    todo = asked(texts["pyproject.toml"])
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        wanted = todo.pop()
        key = (canonicalize_name(wanted.name), frozenset(wanted.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            below = importlib.metadata.requires(wanted.name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # a package for another system, if the test above passes
        environments = [{**machine, "extra": extra} for machine in machines for extra in ("", *wanted.extras)]
        for requirement in map(Requirement, below):
            if requirement.marker is None or any(requirement.marker.evaluate(e) for e in environments):
                todo.append(requirement)
    assert {name for name, _ in seen} == set(pins(texts["requirements.lock"]))


def imports(folder: Path) -> set[str]:
    """The packages, not of Python itself, that the modules below a folder import anywhere in them."""
    found = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(str(node.module).partition(".")[0])
    return found - sys.stdlib_module_names


def undeclared(names: set[str], wanted: list[Requirement]) -> list[str]:
    """Which of the imported packages no requirement brings by its own name."""
    providers = importlib.metadata.packages_distributions()
    declared = {canonicalize_name(each.name) for each in wanted}
    return sorted(
        name
        for name in names
        if name in providers and not declared & {canonicalize_name(each) for each in providers[name]}
    )


def test_the_package_declares_whatever_it_imports(root: Path, texts: dict[str, str]) -> None:
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["scale"]]
    names = imports(root / "src" / "dynamolab") - {"dynamolab"}
    assert len(names) > 10
    assert undeclared(names, [Requirement(text) for text in wanted]) == []


def test_the_tests_and_the_tools_declare_whatever_they_import(root: Path, texts: dict[str, str]) -> None:
    for folder in ("course", "tests", ".ci", "bench", "conformance"):
        assert undeclared(imports(root / folder) - {"dynamolab"}, asked(texts["pyproject.toml"])) == [], folder


def test_an_import_that_nothing_declares_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import json\ndef f():\n    from botocore.config import Config\nimport moto.core\n")
    assert undeclared(imports(tmp_path), [Requirement("moto>=5")]) == ["botocore"]


def test_the_search_for_a_python_and_pyproject_name_the_same_versions(root: Path, texts: dict[str, str]) -> None:
    wanted = SpecifierSet(tomllib.loads(texts["pyproject.toml"])["project"]["requires-python"])
    minors = [minor for minor in range(40) if wanted.contains(f"3.{minor}.1")]
    finder = (root / ".ci" / "python").read_text(encoding="utf-8")
    bounds = re.findall(r"\(3, (\d+)\) <= sys.version_info\[:2\] < \(3, (\d+)\)", finder)
    assert bounds
    assert set(bounds) == {(str(minors[0]), str(minors[-1] + 1))}
    assert {int(minor) for minor in re.findall(r"\bpython3\.(\d+)", finder)} == set(minors)


def test_the_package_and_pyproject_name_the_same_release(texts: dict[str, str]) -> None:
    assert dynamolab.__version__ == tomllib.loads(texts["pyproject.toml"])["project"]["version"]
