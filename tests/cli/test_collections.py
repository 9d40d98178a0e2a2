"""`priorscope collections`, and a search of one, on a small library of our own texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.library import Library
from tests.search.library import DOCUMENTS

Run = Callable[..., str]
FIRST, SECOND, THIRD = (document.id for document in DOCUMENTS[:3])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("key", "texts", DOCUMENTS)
    return tmp_path / "library"


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str, code: int = 0) -> str:
        assert main([*words, "--library", str(folder)]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run


def test_documents_come_and_go_and_are_counted(run: Run) -> None:
    assert "No collections yet. Make one with `priorscope collections add NAME ID`." in run("collections", "list")
    assert run("collections", "add", "To read", FIRST, SECOND) == "2 added. To read holds 2.\n"
    assert run("collections", "add", "To read", SECOND, THIRD) == "1 added. To read holds 3.\n"
    assert run("collections", "remove", "To read", FIRST) == "1 removed. To read holds 2.\n"
    assert run("collections", "list") == "      2  To read\n"
    shown = run("collections", "show", "To read").splitlines()
    assert [line.split("  ")[0] for line in shown] == [SECOND, THIRD]
    renamed = run("collections", "rename", "to read", "Read")
    assert renamed == "The collection is called Read now. It holds 2.\n"
    assert "its documents, 2, stay" in run("collections", "delete", "Read")
    assert "No collections yet" in run("collections", "list")


def test_json_says_the_same(run: Run) -> None:
    assert json.loads(run("collections", "add", "A", FIRST, "--json")) == {"added": 1, "name": "A", "documents": 1}
    assert json.loads(run("collections", "list", "--json")) == {"collections": [{"name": "A", "documents": 1}]}
    (document,) = json.loads(run("collections", "show", "A", "--json"))["documents"]
    assert (document["id"], document["title"]) == (FIRST, DOCUMENTS[0].title)
    assert json.loads(run("collections", "delete", "A", "--json")) == {"deleted": 1, "name": "A", "documents": 1}


def test_references_of_a_collection_come_out(run: Run) -> None:
    run("collections", "add", "A", FIRST, SECOND)
    found = run("collections", "show", "A", "--format", "bibtex")
    assert found.count("\n@") + found.startswith("@") == 2 and DOCUMENTS[0].title.split()[0] in found


def test_references_of_a_collection_hold_what_was_written(run: Run) -> None:
    run("collections", "add", "A", FIRST)
    run("documents", FIRST, "--tag", "to read", "--note", "See figure 2.")
    found = run("collections", "show", "A", "--format", "ris")
    assert "KW  - to read" in found and "N1  - See figure 2." in found


def test_a_search_looks_through_one_collection(run: Run, folder: Path) -> None:
    run("collections", "add", "A", SECOND)
    query = folder / "query.md"
    query.write_text(f"Something like {DOCUMENTS[0].title}, and {DOCUMENTS[1].abstract}", "utf-8")
    words = ("search", str(query), "--ranking", "keywords", "--encoder", "tfidf", "--json", "--collection")
    assert [hit["id"] for hit in json.loads(run(*words, "a"))["hits"]] == [SECOND]
    assert "Expected the name of a collection, got 'b'; the library has A" in run(*words, "b", code=2)


def test_a_collection_alone_can_ask(run: Run) -> None:
    run("collections", "add", "A", FIRST)
    words = ("search", "--ranking", "keywords", "--encoder", "tfidf", "-k", "3")
    assert run(*words, "--like-collection", "A").startswith("More like 1 document of the library\n")
    hits = json.loads(run(*words, "--like-collection", "a", "--like", FIRST, "--json"))["hits"]
    assert hits and FIRST not in {hit["id"] for hit in hits}
    assert "Expected the name of a collection, got 'b'" in run(*words, "--like-collection", "b", code=2)


def test_what_is_not_there_is_refused_in_one_line(run: Run) -> None:
    for words, said in (
        (("add", "A", "nowhere"), "holds none with the id 'nowhere'"),
        (("show", "A"), "Expected the name of a collection, got 'A'"),
        (("remove", "A", FIRST), "Expected the name of a collection, got 'A'"),
    ):
        error = run("collections", *words, code=2)
        assert said in error and error.count("\n") == 1
