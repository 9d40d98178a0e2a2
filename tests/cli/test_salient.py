"""`priorscope salient`, with a small encoder on texts of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from engine.cli.main import main
from engine.encoders import registry
from engine.research.bench.searching import as_markdown
from tests.encoders.keyvec.tiny import paper, tiny_keyvec
from tests.reading.pdf.writer import PdfWriter

Run = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A paper as a file; the shipped encoder is a small one."""
    tiny_keyvec().save(tmp_path / "pretrained" / "keyvec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")
    path = tmp_path / "paper.md"
    path.write_text(as_markdown(paper()), "utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> str:
        assert main(["salient", *words]) == 0
        return capsys.readouterr().out

    return run


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["salient", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_json_has_the_promised_keys_and_no_others(file: Path, run: Run) -> None:
    value: dict[str, Any] = json.loads(run(str(file), "--json"))
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


def test_the_strongest_stand_in_reading_order(file: Path, run: Run) -> None:
    every = json.loads(run(str(file), "--json"))["sentences"]
    first = json.loads(run(str(file), "--json", "--first", "3"))["sentences"]
    least = sorted((sentence["p"] for sentence in every), reverse=True)[2]
    assert first == [sentence for sentence in every if sentence["p"] >= least]
    assert json.loads(run(str(file), "--json", "--first", "900"))["sentences"] == every


def test_the_text_says_what_to_read_first(file: Path, run: Run) -> None:
    text = run(str(file))
    assert text.startswith("On the boiler of an engine (paper)\n\nRead this first (5 of 8 sentences):\n  0.")
    assert "[Method]" in text
    every = [sentence["p"] for sentence in json.loads(run(str(file), "--json"))["sentences"]]
    assert "says how likely it is to carry what an abstract would say, from 0 to 1; the average" in text
    assert f"the average sentence here has {mean(every):.2f}." in text
    assert "Read this first (1 of 8 sentences):" in run(str(file), "--first", "1")
    words = json.loads(run(str(file), "--json"))["keywords"]
    assert f"Key words: {words[0]['word']}, {words[1]['word']}" in text


def test_a_text_without_a_known_word_says_so(file: Path, run: Run) -> None:
    file.write_text("Zyxwv\n\nAbstract\n\nQqq rrr sss.\n", "utf-8")
    assert "No sentence of its body or abstract holds a word that the encoder knows." in run(str(file))
    assert json.loads(run(str(file), "--json"))["sentences"] == []


def test_key_words_are_phrases_and_boilerplate_is_no_sentence_to_read_first(file: Path, run: Run) -> None:
    text = (
        "On steam\n\nAbstract\n\nWe fit restricted maximum likelihood (REML) of a steam boiler. "
        "REML has steam pressure.\n\n"
        "1 Method\n\n" + "The boiler has a piston. This work was supported by the steam society. " * 6
    )
    file.write_text(text, "utf-8")
    words = [keyword["word"] for keyword in json.loads(run(str(file), "--json"))["keywords"]]
    assert "restricted maximum likelihood (REML)" in words and "boiler" in words
    assert not any(word.startswith("fit") or "society" in word for word in words)
    every = [sentence["text"] for sentence in json.loads(run(str(file), "--json"))["sentences"]]
    assert every and not any("supported" in one for one in every)


def test_a_large_library_says_which_words_are_rare(
    file: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["import", str(file), "--library", str(tmp_path / "library"), "--encoder", "tfidf"]) == 0
    of_words = run(str(file), "--json", "--library", str(tmp_path / "library"))  # too small to tell
    assert of_words.endswith(run(str(file), "--json"))
    monkeypatch.setattr("engine.workspace.salience._TELLING_DOCUMENTS", 1)
    by_library = json.loads(run(str(file), "--json", "--library", str(tmp_path / "library")))
    assert by_library["keywords"] != json.loads(run(str(file), "--json"))["keywords"]


def test_an_encoder_is_named_or_lies_in_a_folder(file: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(file), "--encoder", str(registry.PRETRAINED / "keyvec")) == run(str(file))
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
        "priorscope: Expected --first of 1 or more, got 0. Leave it out to have every sentence.\n"
    )


def test_a_warning_of_the_reader_is_told_apart_from_the_answer(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    misnamed = file.with_suffix(".pdf")
    misnamed.write_bytes(file.read_bytes())
    assert main(["salient", str(misnamed), "--json"]) == 0
    told = capsys.readouterr()
    assert "promises another format" in told.err
    assert json.loads(told.out)["sentences"]
