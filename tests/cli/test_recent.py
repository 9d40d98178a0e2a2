"""`priorscope recent` as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.documents import Document
from engine.library import Library
from engine.workspace import OwnDocument, Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Library.open(tmp_path / "library", create=True).close()
    with Workspace(tmp_path / "library") as workspace:
        key = workspace.own.keep(OwnDocument(Document("t", title="A draft"), "draft.md"))
        workspace.recent.record("search", "A draft", {"own": [key]})
        workspace.recent.record("compare", "One and Other", {"a": ["library:p"], "b": ["library:q"]})
    return tmp_path / "library"


def said(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    assert main(["recent", "--library", str(folder), *words]) == 0
    return capsys.readouterr().out


def test_the_list_is_printed_with_its_links_and_limits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, folder)
    assert text.index("compare  One and Other") < text.index("search   A draft")
    assert "compare?a=library%3Ap&b=library%3Aq" in text and "?own=" in text
    assert "Kept of your own: 1 document, 0.0 MB. Each stays 30 days after its last use" in text
    assert "up to 1,000 documents and 200 MB in all" in text


def test_entries_and_limits_are_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, folder, "--json", "--days", "7", "--megabytes", "50"))
    assert [entry["title"] for entry in found["entries"]] == ["One and Other", "A draft"]
    assert found["settings"] == {"remember": True, "days": 7, "megabytes": 50, "documents": 1_000}
    assert found["own_documents"]["documents"] == 1 and found["damaged"] == 0


def test_one_entry_or_all_are_forgotten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = json.loads(said(capsys, folder, "--json"))["entries"][0]["key"]
    assert "One and Other" not in said(capsys, folder, "--forget", key)
    text = said(capsys, folder, "--forget-all", "--remember", "no")
    assert "Nothing is remembered." in text and "0 documents" in text and "Nothing new is kept." in text


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("days", "0", "Expected days from 1 to 3,650, got 0"),
        ("megabytes", "200000", "Expected megabytes from 1 to 100,000, got 200,000"),
        ("documents", "-1", "Expected documents from 1 to 100,000, got -1"),
    ],
)
def test_a_limit_out_of_range_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], limit: str, value: str, reason: str
) -> None:
    assert main(["recent", "--library", str(folder), f"--{limit}", value]) == 2
    assert f"{reason}. Choose a number in between." in capsys.readouterr().err


def test_a_lower_limit_forgets_the_oldest_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace(folder) as workspace:
        workspace.own.keep(OwnDocument(Document("u", title="Another draft"), "other.md"))
    assert "Kept of your own: 1 document" in said(capsys, folder, "--documents", "1")
