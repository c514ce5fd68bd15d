"""What the builder promises: the same bytes, two editions of an exercise, and a check that sees every change."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import build

LESSON = """\
# A lesson

```{code-cell} ipython3
import os, sys
from IPython.display import SVG, display

print("counted:", sum(range(8)))
display(SVG(f'<svg xmlns="http://www.w3.org/2000/svg"><rect width="{3 + 4}" height="7"/></svg>'))
sorted(name for name in os.environ if name.startswith("AWS")), "\\x1b[31mred"
```

```{code-cell} ipython3
import ipywidgets

slider = ipywidgets.IntSlider(value=3, description="N")
slider
```

```{code-cell} ipython3
:tags: [raises-exception]

{}["missing"]
```
"""

EXERCISE = """\
# An exercise

+++ {"tags": ["solution"]}

The road to it.

+++

```{code-cell} ipython3
:tags: [stub]

answer = ...
```

```{code-cell} ipython3
:tags: [solution]

answer = 42
```

```{code-cell} ipython3
answer
```
"""


@pytest.fixture(autouse=True, scope="module")
def own_surroundings() -> Iterator[None]:
    """Here the builder is judged by what it does for an author, whose settings the gates do not add to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(build.HOSTILE, raising=False)
        yield


Repository = Callable[..., Path]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Makes a repository of the given sources, in a folder whose name has a space and an accent."""

    def make(**sources: str) -> Path:
        root = tmp_path / "mi laboratório"
        for name, text in sources.items():
            path = root / "course" / ("exercises" if name.startswith("ex") else "lessons") / f"{name}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return make


def run(root: Path, *arguments: str) -> int:
    return build.main([*arguments, "--root", str(root)])


def notebook(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def sources(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook(path)["cells"]]


@pytest.fixture(scope="module")
def built(own_surroundings: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lesson built once, for the tests that only read it."""
    root = tmp_path_factory.mktemp("built")
    (root / "course" / "lessons").mkdir(parents=True)
    (root / "course" / "lessons" / "00_lesson.md").write_text(LESSON, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_PROFILE", "mine")
        assert run(root) == 0
    return root / "notebooks" / "00_lesson.ipynb"


def test_a_second_build_gives_the_same_bytes(built: Path) -> None:
    before = built.read_bytes()
    built.unlink()
    assert run(built.parents[1]) == 0
    assert built.read_bytes() == before


def test_what_was_just_built_passes_the_check(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(built.parents[1], "--check") == 0
    assert capsys.readouterr().out == "1 notebooks are what their sources give, 0 are not\n"


def test_outputs_are_stored_with_their_counts_and_ids_are_numbered(built: Path) -> None:
    cells = notebook(built)["cells"]
    assert [cell["id"] for cell in cells] == [f"00_lesson-{number:03d}" for number in range(4)]
    assert [cell["execution_count"] for cell in cells[1:]] == [1, 2, 3]
    assert cells[1]["outputs"][0]["text"] == ["counted: 28\n"]
    assert "".join(cells[1]["outputs"][1]["data"]["image/svg+xml"]).startswith("<svg")


def test_nothing_of_this_run_or_this_machine_is_stored(built: Path) -> None:
    text = built.read_text(encoding="utf-8")
    assert "widget-view" not in text
    assert "\\u001b[" not in text
    assert str(Path.home()) not in text
    assert "timestamp" not in text.lower()
    assert notebook(built)["metadata"]["language_info"] == {"name": "python"}


def test_an_error_that_belongs_to_the_lesson_is_stored_without_its_stack(built: Path) -> None:
    [error] = notebook(built)["cells"][3]["outputs"]
    assert error["traceback"] == ["KeyError: 'missing'"]


def test_the_kernel_sees_no_aws_setting_of_the_author(built: Path) -> None:
    assert "".join(notebook(built)["cells"][1]["outputs"][-1]["data"]["text/plain"]).startswith("([], ")


def test_the_builder_leaves_its_own_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "mine")
    before = dict(os.environ)
    with build.quiet_environment() as inside:
        assert "AWS_PROFILE" not in os.environ
        assert inside["HOME"] != before.get("HOME")
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("counted: 28", "counted: 29", "cell 00_lesson-001, outputs"),
        ('width=\\"7\\"', 'width=\\"8\\"', "cell 00_lesson-001, outputs"),
        ("# A lesson", "# A lesion", "cell 00_lesson-000, source"),
        ("00_lesson-002", "00_lesson-020", "cell 00_lesson-002, id"),
        ('"execution_count": 2', '"execution_count": 3', "cell 00_lesson-002, execution_count"),
        ('"raises-exception"', '"raises-nothing"', "cell 00_lesson-003, metadata"),
        ('"name": "python3"', '"name": "python4"', "the notebook's metadata"),
        ('"cells"', '"sells', "is no notebook"),
    ],
)
def test_the_check_names_the_first_cell_that_was_changed(built: Path, old: str, new: str, said: str) -> None:
    good = built.read_text(encoding="utf-8")
    assert old in good
    found = build.difference(good.replace(old, new), good)
    assert found is not None
    assert said in found


def test_the_check_sees_one_changed_number_and_writes_nothing(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(lesson=LESSON)
    assert run(root) == 0
    product = root / "notebooks" / "lesson.ipynb"
    product.write_text(product.read_text(encoding="utf-8").replace("counted: 28", "counted: 29"), encoding="utf-8")
    corrupted = product.read_bytes()
    capsys.readouterr()
    assert run(root, "--check") == 1
    assert "counted: 29" in capsys.readouterr().err
    assert product.read_bytes() == corrupted


def test_the_check_sees_a_changed_source_a_missing_product_and_one_without_a_source(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(one="# One\n", two="# Two\n", three="# Three\n")
    assert run(root) == 0
    (root / "course" / "lessons" / "one.md").write_text("# Another\n", encoding="utf-8")
    (root / "course" / "lessons" / "two.md").unlink()
    (root / "notebooks" / "three.ipynb").unlink()
    capsys.readouterr()
    assert run(root, "--check") == 1
    said = capsys.readouterr()
    assert "cell one-000, source" in said.err
    assert "notebooks/three.ipynb" in said.err
    assert "is missing" in said.err
    assert "notebooks/two.ipynb  NO SOURCE" in said.err
    assert said.out == "0 notebooks are what their sources give, 3 are not\n"


def test_the_exercise_has_the_stub_and_the_solution_has_the_answer(repository: Repository) -> None:
    root = repository(exercise=EXERCISE)
    assert run(root) == 0
    assert sources(root / "exercises" / "exercise.ipynb") == ["# An exercise", "answer = ...", "answer"]
    assert sources(root / "solutions" / "exercise.ipynb") == [
        "# An exercise",
        "The road to it.",
        "answer = 42",
        "answer",
    ]
    assert "42" not in (root / "exercises" / "exercise.ipynb").read_text(encoding="utf-8")
    assert not (root / "notebooks").exists()


def test_a_cell_has_the_same_id_in_both_editions(repository: Repository) -> None:
    root = repository(exercise=EXERCISE)
    assert run(root) == 0
    ids = [{cell["id"] for cell in notebook(root / d / "exercise.ipynb")["cells"]} for d in ("exercises", "solutions")]
    assert ids[0] & ids[1] == {"exercise-000", "exercise-004"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("exercise", "# No solution\n", "no cell tagged `solution`"),
        ("lesson", EXERCISE, "a lesson has one edition"),
        ("with.dot", "# A name\n", "name the source with"),
    ],
)
def test_a_source_that_cannot_be_right_is_refused(
    repository: Repository, capsys: pytest.CaptureFixture[str], name: str, text: str, said: str
) -> None:
    assert run(repository(**{name: text})) == 1
    assert said in capsys.readouterr().err


def test_a_cell_that_fails_stops_the_build_with_its_notebook_and_cell(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(lesson="# L\n\n```{code-cell} ipython3\nx = 1\n```\n\n```{code-cell} ipython3\nx + 'a'\n```\n")
    assert run(root) == 1
    said = capsys.readouterr().err
    assert "notebooks/lesson.ipynb: cell lesson-002 (`x + 'a'`) raised TypeError" in said
    assert not (root / "notebooks" / "lesson.ipynb").exists()


def test_only_the_named_source_is_built(repository: Repository) -> None:
    root = repository(one="# One\n", two="# Two\n")
    assert run(root, "two") == 0
    assert [path.name for path in (root / "notebooks").iterdir()] == ["two.ipynb"]


def test_two_at_once_build_and_find_the_same_and_stop_at_the_first_that_fails(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(one=LESSON, two="# Two\n", three="# Three\n")
    assert run(root) == 0
    (root / "notebooks" / "two.ipynb").unlink()
    capsys.readouterr()
    assert run(root, "--check", "--jobs=2") == 1
    said = capsys.readouterr()
    assert said.out == "2 notebooks are what their sources give, 1 are not\n"
    assert [line.split()[0] for line in said.err.splitlines()] == [
        f"notebooks/{name}.ipynb" for name in ("one", "three", "two")
    ]
    (root / "course" / "lessons" / "one.md").write_text("```{code-cell} ipython3\n1 / 0\n```\n", encoding="utf-8")
    assert run(root, "--check", "--jobs=2") == 1
    assert "notebooks/one.ipynb: cell one-000 (`1 / 0`) raised ZeroDivisionError" in capsys.readouterr().err


def test_an_unknown_name_is_said_and_nothing_is_built(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(one="# One\n")
    assert run(root, "one", "onne") == 1
    assert "There is no source course/lessons/onne.md" in capsys.readouterr().err
    assert not (root / "notebooks").exists()


def test_a_kernel_that_dies_before_its_first_word_is_started_again_and_one_that_never_speaks_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    product = build.Product(Path("course/lessons/a.md"), Path("notebooks/a.ipynb"), frozenset())
    starts = []

    def dies(times: int) -> Callable[..., None]:
        def run(notebook: object, product: object, reached: list[object]) -> None:
            starts.append(1)
            if len(starts) <= times:
                raise RuntimeError("Kernel died before replying to kernel_info")

        return run

    monkeypatch.setattr(build, "_run", dies(build.KERNEL_STARTS - 1))
    build.execute(None, product)
    assert len(starts) == build.KERNEL_STARTS
    starts.clear()
    monkeypatch.setattr(build, "_run", dies(build.KERNEL_STARTS))
    with pytest.raises(build.BuildError, match="notebooks/a.ipynb: the kernel did not start: Kernel died"):
        build.execute(None, product)
