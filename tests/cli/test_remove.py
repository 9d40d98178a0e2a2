"""`priorscope remove`, as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli.main import main

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on a library of three documents from two files."""

    def run(*words: str, code: int = 0) -> str:
        assert main([*words, "--library", str(tmp_path / "library")]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    for name, titles in (
        ("a.jsonl", ("Kites in gusts", "Tide pools at night")),
        ("b.jsonl", ("Harbour seals in ice",)),
    ):
        lines = [{"id": title[:4], "title": title, "abstract": f"We study {title}."} for title in titles]
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)))
    run("import", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "--encoder", "tfidf")
    return run


def found(run: Run, tmp_path: Path) -> list[str]:
    (tmp_path / "query.txt").write_text("Kites\n\nKites and tide pools and seals in the ice at night")
    answer = json.loads(run("search", str(tmp_path / "query.txt"), "--encoder", "tfidf", "--json"))
    return sorted(hit["id"] for hit in answer["hits"])


def test_documents_are_removed_by_id(run: Run, tmp_path: Path) -> None:
    assert found(run, tmp_path) == ["Harb", "Kite", "Tide"]
    assert run("remove", "Kite") == "1 document removed. The library holds 2.\n"
    assert found(run, tmp_path) == ["Harb", "Tide"]
    assert json.loads(run("remove", "Tide", "Harb", "--json")) == {"removed": ["Tide", "Harb"], "total": 0}
    assert not list((tmp_path / "library" / "vectors").iterdir())


def test_notes_that_wait_for_removed_documents_are_told(run: Run) -> None:
    run("documents", "Kite", "Tide", "--note", "Holds.")
    assert json.loads(run("remove", "Kite", "--json")) == {"removed": ["Kite"], "total": 2, "notes_waiting": 1}
    assert "on 2 removed documents wait in case they come back. To forget them: priorscope" in run("remove", "Tide")


def test_a_file_is_removed_by_its_name_or_its_path(run: Run, tmp_path: Path) -> None:
    assert run("remove", "--file", "a.jsonl") == "2 documents removed. The library holds 1.\n"
    assert found(run, tmp_path) == ["Harb"]
    assert run("remove", "--file", str(tmp_path / "b.jsonl")) == "1 document removed. The library holds 0.\n"


def test_vectors_of_what_went_are_gone_from_the_disk(run: Run, tmp_path: Path) -> None:
    run("remove", "Kite")
    headers = [path.read_text() for path in (tmp_path / "library" / "vectors").rglob("*.json")]
    assert any("Tide" in header for header in headers)
    assert not any("Kite" in header for header in headers)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "it holds none with the id 'nowhere'"),
        (("--file", "c.jsonl"), "Expected the name of an imported file, got 'c.jsonl'; the library has"),
    ],
)
def test_what_is_not_there_is_named(run: Run, words: tuple[str, ...], said: str) -> None:
    assert said in run("remove", *words, code=2)


def test_a_name_that_two_files_have_is_no_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.jsonl").write_text('{"id": "x", "title": "Another one", "abstract": "Of its own."}')
    run("import", str(tmp_path / "more"), "--encoder", "tfidf")
    assert "Expected the name of one file, got a.jsonl, which 2 have" in run("remove", "--file", "a.jsonl", code=2)
