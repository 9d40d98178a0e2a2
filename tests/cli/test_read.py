from __future__ import annotations

import argparse
import io
import json
import sys
from pathlib import Path

import pytest

from engine.cli import read
from engine.core.errors import InputError
from engine.documents import Document, DocumentDate, Identifier, PageStart, Reference, Section, Translation
from engine.reading import ReadFile
from tests.reading import texts
from tests.reading.pdf.papers import one_column


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    read.add_read(parser.add_subparsers(required=True))
    namespace = parser.parse_args(["read", *arguments])
    namespace.run(namespace)


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_json_has_exactly_its_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "article.xml").write_text(texts.JATS)
    run(str(tmp_path / "article.xml"), "--json")
    value = json.loads(capsys.readouterr().out)
    head = ["id", "kind", "title", "authors", "inventors", "assignees", "year", "dates", "venue", "language"]
    middle = [
        "abstract",
        "keywords",
        "categories",
        "identifiers",
        "family",
        "url",
        "format",
        "pages",
        "sections",
        "claims",
    ]
    assert list(value) == [*head, *middle, "translations", "references", "warnings"]
    assert (value["kind"], value["id"], value["year"], value["format"]) == ("paper", "PMC123456", 2020, "jats")
    assert value["authors"]
    assert all(list(section) == ["title", "text", "role"] for section in value["sections"])
    assert value["sections"][-1]["role"] == "references"
    assert value["sections"][-1]["title"] == "Literature"
    told = "Left out of the text of article.xml: 1 table. Captions are read."
    assert (value["claims"], value["warnings"]) == ([], [told])


def test_json_of_all_that_a_document_knows() -> None:
    document = Document(
        "US1234567B2",
        kind="patent",
        title="Lid",
        references=(Reference("[1] Lids", "Lids", ("Ada",), 1999, "J", (Identifier("doi", "10.1/x"),)),),
        identifiers=(Identifier("doi", "10.1/y"),),
        dates=(DocumentDate("filed", "2001-02"),),
        translations=(Translation("de", "Deckel"),),
        inventors=("Bo Ek",),
        sections=(Section("One", "Text", pages=(PageStart(0, 3),)),),
    )
    value = read.reading_as_json(ReadFile(document, "pdf", pages=7))
    assert (value["pages"], value["dates"], value["identifiers"]) == (7, {"filed": "2001-02"}, ["doi:10.1/y"])
    assert value["sections"] == [{"title": "One", "text": "Text", "role": "body", "page": 3}]
    assert value["translations"] == [{"language": "de", "title": "Deckel", "abstract": "", "claims": []}]
    assert value["references"] == [
        {
            "text": "[1] Lids",
            "title": "Lids",
            "authors": ["Ada"],
            "year": 1999,
            "venue": "J",
            "identifiers": ["doi:10.1/x"],
        }
    ]


def test_json_of_a_patent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grant.xml").write_text(texts.GRANT)
    run(str(tmp_path / "grant.xml"), "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["kind"] == "patent"
    assert value["claims"] == ["A lid comprising: a rim; and a seal.", "The lid of claim 1, of steel."]


def test_reference_lists_come_last(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    give(monkeypatch, b"A Title\n\nMethods\nWe do.\n\nReferences\n[1] A.\n\nAppendix A\nMore.\n")
    run("-", "--json")
    sections = json.loads(capsys.readouterr().out)["sections"]
    assert [section["title"] for section in sections] == ["Methods", "Appendix A", "References"]


def test_the_outline_of_a_pdf_names_the_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pools.pdf").write_bytes(one_column().data())
    run(str(tmp_path / "pools.pdf"))
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Discussion [") and " words, p. 3] " in line for line in lines)


def test_outline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "paper.pdf").write_text(texts.JATS)
    run(str(tmp_path / "paper.pdf"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Boiling of H2O")
    assert lines[1] == "paper; read as jats; PMC123456; 2020"
    assert "Results [2 words] It boiled." in lines
    assert lines[-2].startswith("Note: The name paper.pdf promises another format")
    assert lines[-1] == "Note: Left out of the text of paper.pdf: 1 table. Captions are read."


def test_outline_of_a_patent_has_its_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grant.xml").write_text(texts.GRANT)
    run(str(tmp_path / "grant.xml"))
    assert "Claim 2 [7 words] The lid of claim 1, of steel." in capsys.readouterr().out


def test_a_question_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    give(monkeypatch, "\ufeffWhy do kettles whistle?".encode())
    run("-", "--json")
    value = json.loads(capsys.readouterr().out)
    assert (value["kind"], value["abstract"]) == ("query", "Why do kettles whistle?")


def test_standard_input_in_another_encoding(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, "Thé?".encode("utf-16"))
    run("-")
    assert "Thé?" in capsys.readouterr().out
    give(monkeypatch, "Thé?".encode("latin-1"))
    run("-")
    told = capsys.readouterr().out
    assert "Thé?" in told and "standard input is not in UTF-8" in told


def test_a_missing_file_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is none"):
        run(str(tmp_path / "none.xml"))
