"""The tables in data/: complete, explained, and found wherever the package is installed."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from flit_core.sdist import SdistBuilder
from flit_core.wheel import make_wheel_in

from dynamolab import LabError, data

ASK = """
import sys
sys.path[:0] = [{site!r}]
from dynamolab import data
print(data.folder())
print(len(data.table("prices")), len(data.operation_mix()), data.prices("us-east-1").usd("wcu_hour"))
"""


def tables(root: Path) -> list[Path]:
    found = sorted((root / "data").glob("*.csv"))
    assert found
    return found


def test_every_table_has_its_origin_in_the_readme(root: Path) -> None:
    readme = (root / "data" / "README.md").read_text(encoding="utf-8")
    rows = [line for line in readme.splitlines() if line.startswith("|")]
    assert [path.name for path in tables(root) if not any(f"`{path.name}`" in row for row in rows)] == []


def test_the_package_carries_every_table_byte_for_byte(root: Path) -> None:
    carried = {path.name: path.read_bytes() for path in (root / "src" / "dynamolab" / "_data").glob("*.csv")}
    assert carried == {path.name: path.read_bytes() for path in tables(root)}


def test_every_row_has_a_value_or_an_empty_one_for_every_column(root: Path) -> None:
    for path in tables(root):
        with path.open(encoding="utf-8", newline="") as file:
            lengths = {len(row) for row in csv.reader(file)}
        assert len(lengths) == 1, path.name


def test_a_checkout_reads_its_own_data_folder(root: Path) -> None:
    assert data.folder() == root / "data"


def asked_in(site: Path, at: Path) -> list[str]:
    """What a fresh Python says of the tables with the package of ``site`` first, started ``at`` some other folder."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    program = ASK.format(site=str(site))
    run = subprocess.run([sys.executable, "-c", program], cwd=at, env=clean, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def unpacked(wheel: Path, to: Path) -> Path:
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(to)
    return to


def expected(root: Path) -> str:
    return f"{len(data.table('prices'))} {len(data.operation_mix())} 0.00065"


def test_a_plain_install_finds_the_tables(root: Path, tmp_path: Path) -> None:
    site = unpacked(make_wheel_in(root / "pyproject.toml", tmp_path).file, tmp_path / "site")
    assert asked_in(site, tmp_path) == [str(site / "dynamolab" / "_data"), expected(root)]


def test_an_editable_install_finds_the_tables(root: Path, tmp_path: Path) -> None:
    site = unpacked(make_wheel_in(root / "pyproject.toml", tmp_path, editable=True).file, tmp_path / "site")
    source = Path((site / "dynamolab.pth").read_text(encoding="utf-8"))
    assert asked_in(source, tmp_path) == [str(root / "data"), expected(root)]


def test_an_install_from_the_source_archive_finds_the_tables(root: Path, tmp_path: Path) -> None:
    archive = SdistBuilder.from_ini_path(root / "pyproject.toml").build(tmp_path)
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path / "source", filter="data")
    (folder,) = (tmp_path / "source").iterdir()
    site = unpacked(make_wheel_in(folder / "pyproject.toml", tmp_path).file, tmp_path / "site")
    assert asked_in(site, tmp_path) == [str(site / "dynamolab" / "_data"), expected(root)]


def test_a_table_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(LabError, match="There is no table 'priecs' .* access_patterns, operation_mix, prices"):
        data.table("priecs")


def test_prices_of_a_region_that_there_is_not_are_answered_with_those_that_there_are() -> None:
    with pytest.raises(LabError, match="There are no prices of 'eu-south-2'.*us-east-1; eu-west-1"):
        data.prices("eu-south-2")


def test_every_price_has_a_confidence_an_origin_and_a_date_unless_a_problem_gives_it() -> None:
    for row in data.table("prices"):
        assert row["confidence"] in tuple("DAIF"), row
        assert len(row["origin"]) > 5, row
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]) or (row["date"] == "" and row["region"] == data.EXERCISE)
        assert float(row["usd"]) > 0


def test_no_price_stands_twice() -> None:
    named = [(row["region"], row["item"]) for row in data.table("prices")]
    assert len(named) == len(set(named))


def test_the_six_access_patterns_keep_what_survives_of_them() -> None:
    patterns = {row["pattern"]: row for row in data.access_patterns()}
    assert list(patterns) == ["C1", "C2", "C3", "C4", "C5", "C6"]
    assert [name for name, row in patterns.items() if row["given"] == "id_cliente"] == ["C1", "C3", "C4"]
    assert [name for name, row in patterns.items() if row["where"] == "gsi-estado-fecha"] == ["C6"]
    assert {row["call"] for row in patterns.values()} == {"get", "query"}


def test_every_read_of_the_operation_mix_answers_a_pattern_as_consistently_as_the_pattern_asks() -> None:
    patterns = {row["pattern"]: row for row in data.access_patterns()}
    answered = set()
    for row in data.operation_mix():
        names = row.pattern.split()
        assert bool(names) == (row.side == "read"), row.name
        assert {patterns[name]["consistency"] for name in names} <= {row.consistency}, row.name
        answered |= set(names)
    assert answered == {"C1", "C2", "C3", "C4", "C5"}
