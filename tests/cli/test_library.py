"""`priorscope library`, as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli.main import main
from tests.browser.tiny_pdf import tiny_pdf

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on a library in a folder of the test."""
    (tmp_path / "a.pdf").write_bytes(tiny_pdf())

    def run(*words: str) -> str:
        assert main([*words, "--library", str(tmp_path / "library")]) == 0
        return capsys.readouterr().out

    return run


def copies(run: Run) -> dict[str, object]:
    found = json.loads(run("library", "--json"))["copies"]
    assert isinstance(found, dict)
    return found


def test_the_library_tells_what_it_holds_and_how_large_its_copies_are(run: Run, tmp_path: Path) -> None:
    run("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    size = (tmp_path / "a.pdf").stat().st_size
    assert copies(run) == {"files": 1, "bytes": size, "kept_at_import": True}
    assert run("library").splitlines() == [
        f"1 document from 1 file in {tmp_path / 'library'}",
        "1 paper, 0 patents",
        "1 copy of PDFs, 0.0 MB; imports keep a copy of each PDF",
    ]


def test_copies_are_switched_off_for_good_or_for_one_import(run: Run, tmp_path: Path) -> None:
    run("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf", "--no-copies")
    assert copies(run) == {"files": 0, "bytes": 0, "kept_at_import": True}
    assert "imports do not keep a copy" in run("library", "--copies", "off")
    run("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    assert copies(run)["files"] == 0
    run("library", "--copies", "on")
    run("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    assert copies(run)["files"] == 1


def test_copies_are_removed_and_the_documents_stay(run: Run, tmp_path: Path) -> None:
    run("import", str(tmp_path / "a.pdf"), "--encoder", "tfidf")
    found = json.loads(run("library", "--remove-copies", "--json"))
    assert (found["documents"], found["copies"]["files"]) == (1, 0)
