"""All that the lab touches inside moto and botocore is named in one table, and a change of it in one sentence."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import uses_of_moto
from dynamolab import LabError
from dynamolab.live import underneath
from dynamolab.live.underneath import USES, Uses

BUILTIN = (dict, list, object, Exception)
NAMED = {(uses.place, name) for uses in USES for name in uses.attributes}
PLACES = {uses.place for uses in USES}
# Documented, and the same since boto3 began.
PUBLIC = ("boto3.exceptions", "botocore.exceptions", "botocore.config")


@pytest.fixture(scope="module")
def sources(root: Path) -> dict[str, str]:
    files = sorted((root / "src" / "dynamolab" / "live").glob("*.py"))
    assert files
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def found(place: str) -> Any:
    module, _, kind = place.partition(":")
    return getattr(importlib.import_module(module), kind) if kind else importlib.import_module(module)


def is_named(place: str, name: str) -> bool:
    """Whether the table has it: for the module, or for the class or one that inherits it."""
    if (place, name) in NAMED or f"{place}:{name}" in PLACES or place in PUBLIC:
        return True
    if ":" not in place:
        return False
    kind = found(place)
    if any(hasattr(base, name) for base in BUILTIN if issubclass(kind, base)):
        return True
    return any(name == known and ":" in where and issubclass(found(where), kind) for where, known in NAMED)


def test_moto_and_botocore_have_everything_that_the_lab_uses_with_these_parameters() -> None:
    code = "from dynamolab.live.underneath import faults; print(*faults(), *faults(late=True), sep='\\n', end='')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_what_the_lab_imports_of_moto_and_botocore_is_named(sources: dict[str, str]) -> None:
    names = {(file, *name) for file, source in sources.items() for name in uses_of_moto.imported(source)}
    assert len(names) > 50
    assert [name for name in sorted(names) if not is_named(*name[1:])] == [], "add it to live/underneath.py: USES"


def test_what_the_lab_replaces_in_moto_and_botocore_is_named() -> None:
    names = uses_of_moto.replaced()
    assert len(names) > 40
    assert [name for name in names if not is_named(*name)] == [], "add it to live/underneath.py: USES"


def test_what_the_lab_reads_of_moto_s_classes_is_named(root: Path, tmp_path: Path) -> None:
    names = uses_of_moto.typed(root, tmp_path)
    assert len(names) > 100
    assert [name for name in names if not is_named(*name)] == [], "add it to live/underneath.py: USES"


def test_what_the_lab_reads_of_untyped_handlers_is_named(sources: dict[str, str]) -> None:
    pairs = {pair for source in sources.values() for pair in uses_of_moto.untyped(source)}
    assert {variable for variable, _ in pairs} == set(uses_of_moto.UNTYPED)
    wrong = [
        (variable, name)
        for variable, name in sorted(pairs)
        if not any((place, name) in NAMED for place in uses_of_moto.UNTYPED[variable])
    ]
    assert wrong == [], "add it to live/underneath.py: USES"


def test_nothing_is_named_that_the_lab_does_not_use(root: Path) -> None:
    files = (root / "src" / "dynamolab").rglob("*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files if file.name != "underneath.py")
    assert [name for name in sorted(NAMED) if name[1] not in text] == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import botocore.endpoint\nbotocore.endpoint.time", ("botocore.endpoint", "time")),
        ("import moto.core.utils as u\nvars(u)['datetime']", ("moto.core.utils", "datetime")),
        ("def f():\n    from moto.dynamodb.models import x", ("moto.dynamodb.models", "x")),
        ("from moto.core import utils\nutils.utcnow()", ("moto.core.utils", "utcnow")),
    ],
)
def test_every_way_of_reaching_into_moto_is_seen(line: str, name: tuple[str, str]) -> None:
    assert list(uses_of_moto.imported(line)) == [name]


class Thing:
    """Stands for a class of moto's."""

    declared: int

    def __init__(self) -> None:
        self.kept = 1

    def read(self) -> Any:
        return self.only_read  # type: ignore[attr-defined]

    def call(self, one: Any, two: Any = None) -> None: ...

    @staticmethod
    def lone(one: Any) -> None: ...


@pytest.mark.parametrize(
    "names", [("kept", "declared"), ("call(one, two)",), ("call(one, ...)",), ("call(..., two, one)",), ("lone(one)",)]
)
def test_what_is_there_is_no_fault(names: tuple[str, ...]) -> None:
    assert list(underneath._faults(Uses(f"{__name__}:Thing", "a module", names))) == []


@pytest.mark.parametrize(
    ("place", "name", "sentence"),
    [
        (f"{__name__}:Thing", "missing", "Thing.missing of PLACE is gone: a module"),
        (f"{__name__}:Thing", "only_read", "Thing.only_read of PLACE is gone: a module"),
        (f"{__name__}:Thing", "missing(one)", "Thing.missing of PLACE is gone: a module"),
        (f"{__name__}:Thing", "call(one)", "Thing.call of PLACE takes (one, two), not (one): a module"),
        (f"{__name__}:Thing", "call(two, ...)", "Thing.call of PLACE takes (one, two), not (two, ...): a module"),
        (f"{__name__}:Thing", "call(...)", "Thing.call of PLACE takes (one, two), not (...): a module"),
        (f"{__name__}:Thing", "lone()", "Thing.lone of PLACE takes (one), not (): a module"),
        (f"{__name__}:Nothing", "call()", "PLACE has no Nothing any more: a module"),
        (__name__, "nothing", "PLACE.nothing is gone: a module"),
        (__name__, "BUILTIN()", "PLACE.BUILTIN is no function any more: a module"),
        ("moto.nothing", "name", "moto.nothing cannot be imported, No module named 'moto.nothing': a module"),
    ],
)
def test_a_change_is_named_in_a_sentence(place: str, name: str, sentence: str) -> None:
    assert list(underneath._faults(Uses(place, "a module", (name,)))) == [sentence.replace("PLACE", __name__)]


@pytest.mark.parametrize(
    ("versions", "sentence"),
    [
        ({"moto": "5.3.1", "botocore": "1.44.8"}, "moto 5.3.1 is installed"),
        ({"moto": "5.20.1", "botocore": "1.44.8"}, "moto 5.20.1 is installed"),
        ({"moto": "5.2.5", "botocore": "1.43.127"}, "botocore 1.43.127 is installed"),
        ({"moto": "6.0.0", "botocore": "2.0"}, "moto 6.0.0 and botocore 2.0 are installed"),
    ],
)
def test_another_minor_version_is_named_when_the_lab_is_imported(
    monkeypatch: pytest.MonkeyPatch, versions: dict[str, str], sentence: str
) -> None:
    monkeypatch.setattr(underneath, "USES", ())
    monkeypatch.setattr(underneath.importlib.metadata, "version", versions.__getitem__)
    with pytest.raises(LabError) as caught:
        underneath.require()
    assert str(caught.value) == (
        f"The lab was made with moto 5.2 and botocore 1.44, and {sentence}. "
        "Install what it was tested with: pip install -r requirements.lock"
    )


def test_what_is_missing_is_named_when_the_lab_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(underneath, "USES", (Uses("moto", "a module", ("nothing",)),))
    versions = {"moto": "5.2.9", "botocore": "1.44.99"}
    monkeypatch.setattr(underneath.importlib.metadata, "version", versions.__getitem__)
    with pytest.raises(LabError, match=r"botocore 1\.44\.99 are installed \(moto\.nothing is gone: a module\)\. Inst"):
        underneath.require()


def test_pyproject_allows_the_minor_versions_that_the_lab_was_made_with_and_no_other(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ranges = {each.name: each.specifier for each in map(Requirement, project["dependencies"])}
    for name, minor in underneath.MADE_WITH.items():
        first, second = map(int, minor.split("."))
        lower, upper = sorted(ranges[name], key=lambda each: each.operator, reverse=True)
        assert (lower.operator, upper.operator, upper.version) == (">=", "<", f"{first}.{second + 1}")
        assert lower.version.split(".")[:2] == minor.split(".")


def test_the_lab_looks_before_it_imports_anything_else_of_moto(root: Path, sources: dict[str, str]) -> None:
    head, call, _ = sources["__init__.py"].partition("    require()  #")
    assert call
    first = [f"{name}.py" for name in re.findall(r"from \.(\w+) import", head)]
    assert "underneath.py" in first
    assert [(file, name) for file in first for name in uses_of_moto.imported(sources[file])] == []
