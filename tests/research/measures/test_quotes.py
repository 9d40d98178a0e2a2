"""Quotes that ask for their paper: what is quoted, how it is changed, and how finding it is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.evaluation import kept_rows
from engine.research.measures import quotes
from engine.vectors import PassagePlace
from tests.evaluation.small import write_table
from tests.research.test_nearness import write_wordnet
from tests.search.hashed_words import HashedWords


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passages with the same words are near each other."""
    monkeypatch.setattr(kept_rows, "_encoder", HashedWords)


SENTENCE = "We show that the {} of a large mill wears out within years when nobody looks after it."
SUBJECTS = "boiler valve piston crank gauge rivet".split()


def papers() -> list[Document]:
    """Six papers of four sentences each, and one whose sentences are too short to quote."""
    found = [
        Document(word, title=f"The {word}", sections=(Section("Trials", " ".join([SENTENCE.format(word)] * 4)),))
        for word in SUBJECTS
    ]
    return [*found, Document("short", title="Short", sections=(Section("Trials", "It works. It does. So it is."),))]


def test_three_sentences_of_a_body_are_quoted() -> None:
    found = quotes.quotes_of(papers(), 10, 1)
    assert set(found) == set(SUBJECTS)
    assert found["crank"].text == " ".join([SENTENCE.format("crank")] * 3)
    document = papers()[SUBJECTS.index("crank")]
    part, start, stop = found["crank"].place
    assert document.parts[part].text[start:stop] == found["crank"].text
    assert list(quotes.quotes_of(papers(), 2, 1)) == list(found)[:2]
    assert list(quotes.quotes_of(papers(), 6, 2)) != list(found)


def test_what_a_train_pair_names_is_not_quoted(tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv"
    assert quotes.unread(papers(), table) == papers()
    lines = ["boiler\tvalve\t1\ttrain", "crank\tgauge\t0\ttrain", "boiler\trivet\t1\ttest"]
    table.write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *lines, ""]))
    assert [one.id for one in quotes.unread(papers(), table)] == ["piston", "crank", "gauge", "rivet", "short"]


def test_a_paper_that_is_not_found_counts() -> None:
    run = {"quote a": ["a", "b"], "quote b": ["a", "b"], "quote c": ["a"], "quote d": [], "quote e": ["e"]}
    assert quotes.found(run, {}) == {"first": 0.4, "in the first ten": 0.6}
    right = {"quote a": True, "quote b": True, "quote c": True, "quote d": True, "quote e": False}
    assert quotes.found(run, right) == {"first": 0.4, "in the first ten": 0.6, "its passage, of those": 0.5}


def test_the_quoted_passage_is_told_from_the_others_of_its_paper() -> None:
    one, other = "boiler valve steam", "graph node edge"
    paper = Document("a", sections=(Section("One", f"{one}."), Section("Two", f"{other}.")))
    matcher = kept_rows.matcher([paper], None)
    assert matcher is not None
    for text, part in ((one, 0), (other, 1)):
        query = Document("quote a", kind="query", abstract=text)
        for place in (0, 1):
            told = {"a": quotes.Quote(text, PassagePlace(place, 0, 5))}
            assert quotes.is_right(matcher, query, told) == (place == part)
        assert not quotes.is_right(matcher, query, {"a": quotes.Quote(text, PassagePlace(part, 90, 95))})


def test_the_command_saves_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "acl-long").mkdir()
    write_table(tmp_path / "acl-long" / "corpus.parquet", papers())
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--rows", "bm25", "--wordnet", str(write_wordnet(tmp_path / "words"))]
    quotes.main([*words, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert list(report["figures"]) == [quotes.WRITTEN, quotes.DROPPED, quotes.CHANGED]
    assert report["figures"][quotes.WRITTEN]["bm25"] == {
        "first": 1.0,
        "in the first ten": 1.0,
        "its passage, of those": 1.0,
    }
    assert report["quotes"] == 6 and report["command"].endswith("--count 200 --wordnet DIR")
    assert "| as written | bm25 | 1.000 | 1.000 | 1.000 |" in capsys.readouterr().out
