"""Every lesson has the form that readers learn to expect, and the map of the course tells the truth about it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest

import build
from dynamolab.checks import core

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "course" / "lessons"
TITLES = (
    "*Write sharding*",
    "*DynamoDB*",
    "*Partições Quentes no DynamoDB*",
    "*Amazon DynamoDB*",
    "*Capacidad de ampliación y de adaptación*",
)
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
ROW = re.compile(r"^\|(.+)\|$", re.MULTILINE)


@dataclass(frozen=True)
class Lesson:
    """A lesson's source, and the notebook that was built from it."""

    source: Path

    @property
    def stem(self) -> str:
        return self.source.stem

    @property
    def number(self) -> str:
        return self.stem[:2]

    @cached_property
    def cells(self) -> list[Any]:
        fmt = {"extension": ".md", "format_name": "myst"}
        return list(jupytext.reads(self.source.read_text(encoding="utf-8"), fmt=fmt).cells)

    @cached_property
    def text(self) -> str:
        texts = (cell.source for cell in self.cells if cell.cell_type == "markdown")
        return "\n\n".join(build.without_comments(text) for text in texts)

    @cached_property
    def code(self) -> list[str]:
        return [cell.source for cell in self.cells if cell.cell_type == "code"]

    @cached_property
    def notebook(self) -> Any:
        return nbformat.read(ROOT / "notebooks" / f"{self.stem}.ipynb", as_version=4)

    def head(self, word: str) -> str:
        """The paragraph of the head that begins with that word."""
        match = re.search(rf"^\*\*{word}\*\* (.+)$", self.text, re.MULTILINE)
        assert match, f"{self.stem} does not say **{word}** in its head"
        return match[1]

    @property
    def title(self) -> str:
        match = re.match(rf"# {self.number} · (.+)", self.text)
        assert match, f"{self.stem} does not begin with '# {self.number} · Title'"
        return match[1]

    @property
    def minutes(self) -> int:
        match = re.match(r"(\d+) \(.+\)\.", self.head("Minutes"))
        assert match, f"{self.stem} does not say how its minutes are counted"
        return int(match[1])

    @property
    def needs(self) -> list[str]:
        return [Path(link).name[:2] for _, link in LINK.findall(self.head("You need"))]

    @property
    def closing(self) -> str:
        return self.text[self.text.index("## What you have seen") :]


LESSONS = [Lesson(path) for path in sorted(SOURCES.glob("[0-8][0-9]_*.md"))]
WELCOME = (SOURCES / "welcome.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")

every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)


def rows(text: str) -> list[list[str]]:
    """The cells of the table rows in a text, without the lines below the headers."""
    found = [[part.strip() for part in re.split(r"(?<!\\)\|", row)] for row in ROW.findall(text)]
    return [row for row in found if not set("".join(row)) <= set("-:")]


def test_there_are_lessons_to_look_at() -> None:
    assert len(LESSONS) >= 12


@every_lesson
def test_a_lesson_opens_with_what_it_does_teaches_needs_and_takes(lesson: Lesson) -> None:
    before_code = next(place for place, cell in enumerate(lesson.cells) if cell.cell_type == "code")
    head = "\n".join(cell.source for cell in lesson.cells[:before_code])
    places = [head.find(f"**{word}**") for word in ("You will", "You will learn", "You need", "Minutes")]
    assert -1 not in places
    assert places == sorted(places)
    assert lesson.title
    assert 15 <= lesson.minutes <= 40


@every_lesson
def test_a_lesson_asks_for_three_predictions_or_more_each_by_its_own_letter(lesson: Lesson) -> None:
    asked = [id for code in lesson.code for id in re.findall(r'lab\.check\("([^"]+)"', code)]
    assert len(asked) >= 3
    assert sorted(asked) == list(core.questions(f"lesson_{lesson.number}"))


@every_lesson
def test_a_lesson_says_what_to_see_after_nearly_all_that_it_shows(lesson: Lesson) -> None:
    cells = lesson.notebook.cells
    shown, unsaid = 0, []
    for place, cell in enumerate(cells):
        if cell.cell_type != "code" or not cell.outputs or "lab.check(" in cell.source or "_explorer(" in cell.source:
            continue
        shown += 1
        after = []
        for following in cells[place + 1 :]:
            if following.cell_type == "code" and following.outputs:
                break
            after.append(following.source)
        if not any(re.search(r"\bSee\b[^.\n]*[:,]", text) for text in after):
            unsaid.append(cell.id)
    assert len(unsaid) <= shown / 4, f"of {shown} outputs these are left without a word: {unsaid}"


@every_lesson
def test_a_lesson_closes_with_a_table_practice_its_sources_and_the_next_lesson(lesson: Lesson) -> None:
    closing = lesson.closing
    places = [closing.find(part) for part in ("\n| ", "**In practice.**", "**What the sources say**", "**Next:**")]
    assert -1 not in places
    assert places == sorted(places)


@every_lesson
def test_what_the_sources_say_names_the_sources_and_says_what_became_of_each_statement(lesson: Lesson) -> None:
    part = lesson.closing.partition("**What the sources say**")[2].partition("**Next:**")[0]
    header, *statements = rows(part)
    assert header == ["source", "statement", "here"]
    assert len(statements) >= 3
    named = [source for source, _, _ in statements if source]
    assert statements[0][0]
    assert set(named) <= set(TITLES)
    assert len(named) == len(set(named))
    assert [here for _, _, here in statements if not re.match("shown|refined|corrected|documented", here)] == []


@every_lesson
def test_the_sections_that_the_sources_table_points_to_are_there(lesson: Lesson) -> None:
    part = lesson.closing.partition("**What the sources say**")[2].partition("**Next:**")[0]
    pointers = {quoted for _, _, here in rows(part)[1:] for quoted in re.findall(r'"([^"]+)"', here)}
    headings = re.findall(r"^(?:#{2,4} |\*\*)(.+?)\.?(?:\*\*|$)", lesson.text, re.MULTILINE)
    assert [pointer for pointer in sorted(pointers) if not any(h.startswith(pointer) for h in headings)] == []


@every_lesson
def test_a_lesson_leads_to_the_next_one_and_to_its_exercise(lesson: Lesson) -> None:
    said = lesson.closing.partition("**Next:**")[2]
    following = [other.stem for other in LESSONS if other.number > lesson.number]
    first = next(link for _, link in LINK.findall(said) if not link.startswith("../exercises/"))
    assert first == (f"{following[0]}.ipynb" if following else "welcome.ipynb")
    if (ROOT / "course" / "exercises" / lesson.source.name).is_file():
        assert f"(../exercises/{lesson.stem}.ipynb)" in lesson.closing


@pytest.mark.parametrize("path", sorted((ROOT / "course").glob("*/*.md")), ids=lambda path: path.stem)
def test_links_lead_to_files_that_are_there_and_carry_their_lessons_titles(path: Path) -> None:
    folder = ROOT / ("notebooks" if path.parent.name == "lessons" else "exercises")
    titles = {f"{lesson.stem}.ipynb": f"{lesson.number} · {lesson.title}" for lesson in LESSONS}
    for text, link in LINK.findall(path.read_text(encoding="utf-8")):
        if re.match("https?:|#|mailto:", link):
            continue
        assert (folder / link.partition("#")[0]).is_file(), f"{path.name} links {link}, which is not there"
        if re.match(r"\d\d · ", text):
            assert text == titles[Path(link).name]


def test_the_links_of_the_readme_lead_to_files_that_are_there() -> None:
    links = [link for _, link in LINK.findall(README) if not link.startswith("http")]
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []


def map_of_the_course() -> list[list[str]]:
    return [row for row in rows(WELCOME.partition("## Problems")[0]) if re.fullmatch(r"\d\d", row[0])]


def problems_on_the_welcome_page() -> list[list[str]]:
    part = WELCOME.partition("## Problems")[2].partition("\n## ")[0]
    return [row for row in rows(part) if re.fullmatch(r"\d\d", row[0])]


def test_the_map_has_each_lesson_with_its_title_its_minutes_and_what_it_needs() -> None:
    told = [(row[0], row[1], row[3], row[4]) for row in map_of_the_course()]
    assert told == [
        (
            lesson.number,
            f"[{lesson.title}]({lesson.stem}.ipynb)",
            str(lesson.minutes),
            ", ".join(sorted(lesson.needs)),
        )
        for lesson in LESSONS
    ]


def test_the_map_asks_a_question_for_each_lesson() -> None:
    questions = [row[2] for row in map_of_the_course()]
    assert all(question.endswith("?") for question in questions)
    assert len(set(questions)) == len(LESSONS)


def test_the_map_has_each_exercise_with_its_minutes() -> None:
    for row in map_of_the_course():
        source = next((ROOT / "course" / "exercises").glob(f"{row[0]}_*.md"), None)
        if source is None:
            assert row[5] == ""
            continue
        minutes = re.search(r"^\*\*Minutes\*\* (\d+)", source.read_text(encoding="utf-8"), re.MULTILINE)
        assert minutes
        assert row[5] == f"[exercise {row[0]}](../exercises/{source.stem}.ipynb), {minutes[1]} minutes"


def test_the_welcome_page_has_each_problem_with_its_title_its_minutes_and_what_it_needs() -> None:
    lessons = {lesson.stem for lesson in LESSONS}
    problems = [
        Lesson(path) for path in sorted((ROOT / "course" / "exercises").glob("*.md")) if path.stem not in lessons
    ]
    assert problems
    told = problems_on_the_welcome_page()
    for row, problem in zip(told, problems, strict=True):
        head = re.match(rf"# Problem {problem.number} · (.+)", problem.text)
        assert head
        assert row[:2] == [problem.number, f"[{head[1]}](../exercises/{problem.stem}.ipynb)"]
        assert row[2].endswith("?")
        assert problem.head("Minutes") == f"{row[3]}."
        assert row[4] == ", ".join(sorted(problem.needs))


def routes() -> list[tuple[list[str], int]]:
    table = WELCOME.partition("## Three routes")[2]
    return [
        (re.findall(r"\b\d\d\b", row[1]), int(re.match(r"\d+", row[2])[0]))  # type: ignore[index]
        for row in rows(table)[1:4]
    ]


def test_a_routes_minutes_are_the_sum_of_its_lessons_own() -> None:
    minutes = {lesson.number: lesson.minutes for lesson in LESSONS}
    assert [total for _, total in routes()] == [sum(minutes[number] for number in route) for route, _ in routes()]


def test_a_route_has_what_a_lesson_needs_before_the_lesson() -> None:
    needs = {lesson.number: lesson.needs for lesson in LESSONS}
    for route, _ in routes():
        for place, number in enumerate(route):
            assert set(needs[number]) <= set(route[:place]), f"{number} needs {needs[number]}, the route is {route}"


def test_the_three_routes_fit_half_a_day_and_a_day_and_the_third_leaves_nothing_out() -> None:
    (_, half), (_, whole), (everything, _) = routes()
    assert half <= 200 < whole <= 330
    assert everything == [lesson.number for lesson in LESSONS]


def test_the_readme_lists_every_lesson_with_its_minutes() -> None:
    told = [row for row in rows(README) if re.fullmatch(r"\d\d", row[0]) and "](notebooks/" in row[1]]
    for row, lesson in zip(told, LESSONS, strict=True):
        assert row[1].startswith(f"[{lesson.title}](notebooks/{lesson.stem}.ipynb): ")
        assert (row[0], row[2]) == (lesson.number, str(lesson.minutes))
    for _, total in routes():
        assert re.search(rf"\b{total}\b", README)
