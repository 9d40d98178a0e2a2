"""`priorscope read`, `page` and `salient`: a file's document, a passage on its page, and what to read first."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pytest
from PIL import Image

from engine.cli.main import build_parser, main
from engine.core.errors import InputError
from engine.documents import Document, DocumentDate, Identifier, PageStart, Reference, Section, Translation
from engine.encoders import registry
from engine.exports import document_as_json
from engine.reading import ReadFile
from engine.research.bench.searching import as_markdown
from tests.browser.tiny_pdf import tiny_pdf
from tests.encoders.keyvec.tiny import paper, tiny_keyvec
from tests.reading import texts
from tests.reading.pdf.papers import one_column
from tests.reading.pdf.writer import PdfWriter

Run = Callable[..., str]
WORDS = "A seal keeps both away from the gear"


def run(*arguments: str) -> None:
    namespace = build_parser("read").parse_args(["read", *arguments])
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
    value = document_as_json(ReadFile(document, "pdf", pages=7))
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


@pytest.fixture
def run_on_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command beside a PDF; `{pdf}` in a word is its path."""
    (tmp_path / "a.pdf").write_bytes(tiny_pdf())

    def run_on_pdf(*words: str, code: int = 0) -> str:
        given = [word.format(pdf=tmp_path / "a.pdf", out=tmp_path / "x.png") for word in words]
        assert main([*given, "--library", str(tmp_path / "library")]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run_on_pdf


def test_a_files_passage_is_found_and_its_page_written(run_on_pdf: Run, tmp_path: Path) -> None:
    told = run_on_pdf("page", "{pdf}", "--text", WORDS, "--out", "{out}")
    assert "page 1 of 1\nThe passage stands on 2 lines of page 1." in told
    with Image.open(tmp_path / "x.png") as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    assert pixels.shape == (1684, 1190, 3)
    assert (pixels[:, :, 0] - pixels[:, :, 2] > 100).any()  # the tint


def test_places_are_told_in_points_and_in_shares_of_the_page(run_on_pdf: Run) -> None:
    found = json.loads(run_on_pdf("page", "{pdf}", "--text", WORDS, "--json"))
    assert (found["page"], found["pages"], found["width"], found["height"]) == (1, 1, 595, 842)
    first = found["lines"][0]
    left, bottom, right, top = first["points"]
    assert first["shares"] == pytest.approx([left / 595, 1 - top / 842, right / 595, 1 - bottom / 842], abs=1e-3)
    assert found["passage"] == {"section": "Introduction", "text": WORDS}
    assert found["out"] is None


def test_a_document_of_the_library_is_shown_from_its_copy(run_on_pdf: Run, tmp_path: Path) -> None:
    run_on_pdf("import", "{pdf}", "--encoder", "tfidf")
    (tmp_path / "a.pdf").unlink()
    (tmp_path / "query.txt").write_text("Turbines driven by the tide stand in salt water and sand.")
    (hit,) = json.loads(run_on_pdf("search", str(tmp_path / "query.txt"), "--encoder", "tfidf", "--json"))["hits"]
    at = hit["passage"]["document_at"]
    place = f"{at['part']}:{at['start']}:{at['stop']}"
    found = json.loads(run_on_pdf("page", hit["id"], "--passage", place, "--json"))
    assert found["passage"]["text"] == hit["passage"]["document"]
    assert found["lines"]


def test_a_page_is_shown_without_a_passage(run_on_pdf: Run) -> None:
    assert run_on_pdf("page", "{pdf}", "--page", "1", "--scale", "0.5", "--out", "{out}").startswith("Tidal turbines")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--page", "9"), "Expected a page from 1 to 1 of a.pdf, got 9"),
        (("--scale", "99"), "Expected a scale from 0.1 to 8"),
        (("--text", "no such words"), "which it does not hold in this order"),
        (("--passage", "1:2"), "Expected a place such as 2:0:120"),
        (("--passage", "1:0:5", "--text", "Gears"), "Expected a passage by its words or by its place, got both"),
        (("--passage", "99:0:5"), "Expected a place such as 2:0:120"),
        (("--passage", "1:5:99999"), "Expected a place such as 2:0:120"),
    ],
)
def test_what_the_file_does_not_have_is_refused(run_on_pdf: Run, words: tuple[str, ...], told: str) -> None:
    assert told in run_on_pdf("page", "{pdf}", *words, code=2)


def test_a_document_without_a_pdf_says_so(run_on_pdf: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kites\n\nKites fly in the wind.\n")
    assert "no copy of one is kept" in run_on_pdf("page", str(tmp_path / "a.md"), code=2)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A paper as a file; the shipped encoder is a small one."""
    tiny_keyvec().save(tmp_path / "pretrained" / "keyvec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")
    path = tmp_path / "paper.md"
    path.write_text(as_markdown(paper()), "utf-8")
    return path


@pytest.fixture
def run_salient(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_salient(*words: str) -> str:
        assert main(["salient", *words]) == 0
        return capsys.readouterr().out

    return run_salient


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["salient", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_json_has_the_promised_keys_and_no_others(file: Path, run_salient: Run) -> None:
    value: dict[str, Any] = json.loads(run_salient(str(file), "--json"))
    assert list(value) == ["sentences", "keywords"]
    sections = {section.title: section.text for section in paper().sections}
    for sentence in value["sentences"]:
        assert list(sentence) == ["text", "section", "start", "stop", "p"]
        assert sections[sentence["section"]][sentence["start"] : sentence["stop"]] == sentence["text"]
        assert 0 < sentence["p"] < 1
    assert [sentence["section"] for sentence in value["sentences"]] == ["Method"] * 4 + ["Results"] * 4
    assert 3 <= len(value["keywords"]) <= 10
    assert all(list(keyword) == ["word", "p"] for keyword in value["keywords"])
    text = paper().text.lower()
    assert all(keyword["word"].lower() in text for keyword in value["keywords"]), "stands in the text"
    assert [keyword["p"] for keyword in value["keywords"]] == sorted((k["p"] for k in value["keywords"]), reverse=True)


def test_the_strongest_stand_in_reading_order(file: Path, run_salient: Run) -> None:
    every = json.loads(run_salient(str(file), "--json"))["sentences"]
    first = json.loads(run_salient(str(file), "--json", "--first", "3"))["sentences"]
    least = sorted((sentence["p"] for sentence in every), reverse=True)[2]
    assert first == [sentence for sentence in every if sentence["p"] >= least]
    assert json.loads(run_salient(str(file), "--json", "--first", "900"))["sentences"] == every


def test_the_text_says_what_to_read_first(file: Path, run_salient: Run) -> None:
    text = run_salient(str(file))
    assert text.startswith("On the boiler of an engine (paper)\n\nRead this first (5 of 8 sentences):\n  0.")
    assert "[Method]" in text
    every = [sentence["p"] for sentence in json.loads(run_salient(str(file), "--json"))["sentences"]]
    assert "says how likely it is to carry what an abstract would say, from 0 to 1; the average" in text
    assert f"the average sentence here has {mean(every):.2f}." in text
    assert "Read this first (1 of 8 sentences):" in run_salient(str(file), "--first", "1")
    words = json.loads(run_salient(str(file), "--json"))["keywords"]
    assert f"Key words: {words[0]['word']}, {words[1]['word']}" in text


def test_a_text_without_a_known_word_says_so(file: Path, run_salient: Run) -> None:
    file.write_text("Zyxwv\n\nAbstract\n\nQqq rrr sss.\n", "utf-8")
    assert "No sentence of its body or abstract holds a word that the encoder knows." in run_salient(str(file))
    assert json.loads(run_salient(str(file), "--json"))["sentences"] == []


def test_key_words_are_phrases_and_boilerplate_is_no_sentence_to_read_first(file: Path, run_salient: Run) -> None:
    text = (
        "On steam\n\nAbstract\n\nWe fit restricted maximum likelihood (REML) of a steam boiler. "
        "REML has steam pressure.\n\n"
        "1 Method\n\n" + "The boiler has a piston. This work was supported by the steam society. " * 6
    )
    file.write_text(text, "utf-8")
    words = [keyword["word"] for keyword in json.loads(run_salient(str(file), "--json"))["keywords"]]
    assert "restricted maximum likelihood (REML)" in words and "boiler" in words
    assert not any(word.startswith("fit") or "society" in word for word in words)
    every = [sentence["text"] for sentence in json.loads(run_salient(str(file), "--json"))["sentences"]]
    assert every and not any("supported" in one for one in every)


def test_a_large_library_says_which_words_are_rare(
    file: Path, run_salient: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["import", str(file), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]) == 0
    of_words = run_salient(str(file), "--json", "--library", str(tmp_path / "library"))  # too small to tell
    assert of_words.endswith(run_salient(str(file), "--json"))
    monkeypatch.setattr("engine.workspace.salience._TELLING_DOCUMENTS", 1)
    by_library = json.loads(run_salient(str(file), "--json", "--library", str(tmp_path / "library")))
    assert by_library["keywords"] != json.loads(run_salient(str(file), "--json"))["keywords"]


def test_an_encoder_is_named_or_lies_in_a_folder(
    file: Path, run_salient: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_salient(str(file), "--encoder", str(registry.PRETRAINED / "keyvec")) == run_salient(str(file))
    assert refusal(capsys, str(file), "--encoder", "keywec").startswith("priorscope: Expected an encoder among blend")
    assert "ships no weights" in refusal(capsys, str(file), "--encoder", "tfidf")


def test_an_encoder_that_weighs_no_sentences_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()  # the shipped ones
    assert refusal(capsys, str(file), "--encoder", "word2vec-sif") == (
        "priorscope: Expected an encoder that weighs sentences, such as keyvec; got word2vec-sif. "
        "Give --encoder keyvec, or leave it out.\n"
    )


def test_weights_that_are_not_there_are_said(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "nothing")
    assert "Expected the file card.json in" in refusal(capsys, str(file))


def test_bad_files_are_named(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scan, empty = tmp_path / "scan.pdf", tmp_path / "empty.md"
    pdf = PdfWriter()
    pdf.page().picture()
    scan.write_bytes(pdf.data())
    empty.write_bytes(b"")
    assert "OCR" in refusal(capsys, str(scan))
    assert "empty" in refusal(capsys, str(empty))
    assert "there is none" in refusal(capsys, str(tmp_path / "none.pdf"))
    assert refusal(capsys, str(file), "--first", "0") == (
        "priorscope: Expected to be asked for at least 1 sentence, got 0. Leave it out for all.\n"
    )


def test_a_warning_of_the_reader_is_told_apart_from_the_answer(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    misnamed = file.with_suffix(".pdf")
    misnamed.write_bytes(file.read_bytes())
    assert main(["salient", str(misnamed), "--json"]) == 0
    told = capsys.readouterr()
    assert "promises another format" in told.err
    assert json.loads(told.out)["sentences"]
