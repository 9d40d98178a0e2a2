"""`priorscope coverage`, on files and a library of our own papers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.documents import Document, Section
from engine.library import Library
from engine.research.bench.searching import as_markdown
from engine.workspace import Workspace
from tests.compare.shelves import PAPERS, Reader, draft, matcher

Run = Callable[..., str]
PARAGRAPH = PAPERS[5].sections[0].text[:600].rsplit(". ", 1)[0] + "."


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of papers whose passages are kept, read by hashed words."""
    folder = tmp_path / "library"
    with Library.open(folder, create=True) as held:
        held.add_file("k", "papers", PAPERS)
        held.collections.add("mine", ["d3", "d4"])
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher())
    return folder


@pytest.fixture
def run(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(document: Document, *words: str, code: int = 0) -> str:
        file = tmp_path / "draft.md"
        file.write_text(as_markdown(document), "utf-8")
        assert main(["coverage", str(file), "--library", str(library), *words]) == code
        read = capsys.readouterr()
        return read.err if code else read.out

    return run


def test_json_says_which_rows_are_covered_and_by_what(run: Run) -> None:
    value = json.loads(run(draft(PARAGRAPH), "--json"))
    row = next(row for row in value["rows"] if row["title"] == "Planted 0")
    assert row["covered"] is True and row["p"] > 0.9
    number = value["rows"].index(row)
    column = value["columns"].index("d5")
    assert value["cells"][number][column] == row["p"]
    assert len(value["cells"]) == len(value["rows"]) and len(value["cells"][0]) == len(value["columns"])
    assert value["readings"][number][column]["word"] == "says the same"
    assert PARAGRAPH[:40] in value["passages"][number][column]["query"]["text"]
    assert value["set"]["documents"][0]["id"] == "d5"
    assert number not in value["new"]


def test_the_terminal_shows_each_row_and_the_documents_that_cover_most(run: Run) -> None:
    told = run(draft(PARAGRAPH), "--documents", "6")
    assert "6 documents of 24 in the library" in told
    (planted,) = [line for line in told.splitlines() if "Planted 0" in line]
    assert "100 %" in planted and "may be new" not in planted and PAPERS[5].title in planted
    (own,) = [line for line in told.splitlines() if " Discussion " in line]
    assert own.startswith("may be new")
    assert f"the words: {PAPERS[5].title}." in " ".join(told.split())


def test_a_long_title_keeps_the_number_of_its_paragraph(run: Run) -> None:
    name = "A long name of a section that nobody could ever read in full"
    named = replace(draft(PARAGRAPH), sections=(Section(name, PARAGRAPH),))
    assert " ..., paragraph 1 " in run(named, "--rows", "paragraphs")


def test_a_collection_and_rows_by_paragraphs_least_covered_first(run: Run) -> None:
    value = json.loads(
        run(draft(PARAGRAPH), "--collection", "mine", "--rows", "paragraphs", "--sort-rows", "coverage", "--json")
    )
    assert sorted(value["columns"]) == ["d3", "d4"]
    assert value["by"] == "paragraphs"
    assert [row["share"] for row in value["rows"]] == sorted(row["share"] for row in value["rows"])


def test_columns_by_year_begin_with_the_earliest(run: Run) -> None:
    value = json.loads(run(draft(PARAGRAPH), "--sort-columns", "year", "--json"))
    years = [one["year"] for one in value["documents"]]
    assert years == sorted(years)


def test_files_are_written_as_asked(run: Run, tmp_path: Path) -> None:
    table, picture, report = tmp_path / "c.csv", tmp_path / "c.png", tmp_path / "c.html"
    run(draft(PARAGRAPH), "--csv", str(table), "--png", str(picture), "--report", str(report))
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert {row["row"]: row["covered"] for row in rows}["Planted 0"] == "yes"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "What stands already" in report.read_text("utf-8")


def test_a_library_without_documents_is_refused(tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Library.open(tmp_path / "empty", create=True).close()
    run(draft())
    assert main(["coverage", str(tmp_path / "draft.md"), "--library", str(tmp_path / "empty")]) == 2
    assert "Expected a library with documents to compare with; it holds none" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--collection", "gone"), "gone"),
        (("--documents", "0"), "Expected at least 1 document to compare with"),
        (("--rows", "claims"), "Expected a document with claims"),
    ],
)
def test_what_cannot_be_covered_is_said_in_one_line(run: Run, words: tuple[str, ...], sentence: str) -> None:
    told = run(draft(), *words, code=2)
    assert sentence in told.splitlines()[-1]
