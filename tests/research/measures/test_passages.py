"""Passages that are to be found: quoted, planted and covered, and how finding them is counted."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document, Section
from engine.encoders import registry
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS
from engine.library import KeywordIndex, Library
from engine.research.measures import coverage, planted_sentences, quoted_passages, quotes
from engine.research.nearness.revisions import dropped
from engine.search import Vocabulary
from engine.vectors import PassagePlace
from engine.workspace import Workspace
from tests.compare.shelves import PAPERS, Reader, matcher
from tests.compare.shelves import said as said_in_papers
from tests.evaluation.small import write_table
from tests.research.test_nearness import write_wordnet
from tests.search.hashed_words import HashedWords


@pytest.fixture
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


@pytest.mark.usefixtures("by_words")
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


@pytest.mark.usefixtures("by_words")
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


PORTS = "harbour quay warehouse crane ferry tide channel pilot lantern beacon rope barrel wharf customs cargo".split()
WOODS = "oak birch larch spruce willow alder hazel maple cedar juniper rowan aspen poplar walnut chestnut".split()
ANIMALS = "fox badger otter hedgehog squirrel weasel marten beaver lynx wolf stoat hare mole shrew vole".split()


def said(words: list[str], count: int, seed: int) -> str:
    """Sentences of twenty words each."""
    draw = random.Random(seed)
    each = (" ".join(f"{draw.choice(words)} {draw.choice('abcdefgh') * 4}{n}" for _ in range(10)) for n in range(count))
    return " ".join(f"The {one}." for one in each)


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two long papers on harbours and woods that ask, and abstracts on animals."""
    monkeypatch.setattr("engine.evaluation.kept_rows._encoder", HashedWords)
    papers = [
        Document(f"p{n}", title=f"Paper {n}", sections=(Section("All", said(words, 400, n)),))
        for n, words in enumerate((PORTS, WOODS))
    ]
    animals = [Document(f"w{n}", title=f"Animals {n}", abstract=said(ANIMALS, 3, 50 + n)) for n in range(3)]
    for name, documents in (("ours", papers), ("animals", animals)):
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / "corpus.parquet", documents)
    return ["--data", str(tmp_path), "--set", "ours", "--far", "animals", "--save", str(tmp_path / "report.json")]


def test_passages_show_sentences_and_quotes_that_beginnings_do_not(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quoted_passages.main([*line, "--count", "2", "--cache", str(tmp_path / "cache")])
    assert (tmp_path / "cache" / "passages").is_dir()
    report = json.loads((tmp_path / "report.json").read_text())
    written = report["sentences"]["as written"]
    assert written["by beginnings"] <= written["and passages"] == 1
    assert report["quoted"]["quotes as written"] == {"its paper": 1, "another paper": 0}
    assert report["quoted"]["abstracts of animals"] == {"another paper": 0}
    assert set(report["quoted"]) == {
        "quotes as written",
        "quotes a third of the words dropped",
        "abstracts of animals",
    }
    assert (
        "| as written |" in (tmp_path / "report.md").read_text() and "abstracts of animals" in capsys.readouterr().out
    )
    assert str(tmp_path) not in json.dumps(report)


SENTENCES = (
    "The {0} of a steam engine lets the hot water of the wide {0} into a narrow cold pipe.",
    "A network of many trained layers learns to tell every single {0} from pictures of it.",
    "The protein binds to an enzyme of the {0} and changes how quickly its genes are read.",
)


def planted_papers() -> list[Document]:
    """Six papers of three sentences each."""
    texts = {word: " ".join(sentence.format(word) for sentence in SENTENCES) for word in SUBJECTS}
    return [Document(word, title=word, sections=(Section("Trials", text),)) for word, text in texts.items()]


def planted(count: int) -> list[planted_sentences.Planted]:
    return planted_sentences.planted_in(planted_papers(), count, vocabulary())


def vocabulary() -> Vocabulary:
    keywords = KeywordIndex.in_memory(planted_papers())
    return Vocabulary(keywords.frequencies(), keywords.size)


def test_a_sentence_of_each_paper_is_asked_between_two_of_another() -> None:
    found = planted(4)
    assert len(found) == 4 and found == planted(4)
    for one in found:
        own = one.paper.document.sections[0].text
        assert one.sentence in own
        assert not any(sentence in own for sentence in one.beside) and len(set(one.beside)) == 2


def test_two_thirds_of_the_words_go_and_the_others_keep_their_order() -> None:
    left = planted_sentences.most_dropped("one two three four five six", random.Random(1)).split()
    assert len(left) == 2 and [word for word in "one two three four five six".split() if word in left] == left


def test_a_sentence_as_written_is_found_and_one_that_says_nothing_is_not() -> None:
    words = registry.load("word2vec-sif")
    right = planted_sentences.found(planted(5), lambda text, _: text, words, vocabulary())
    wrong = planted_sentences.found(planted(5), lambda *_: "Nothing whatever.", words, vocabulary())
    assert right["right"] == 1 > wrong["right"] and right["milliseconds"] > 0


def test_the_command_prints_a_line_a_form_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "acl-long").mkdir()
    saved = tmp_path / "planted.json"
    write_table(tmp_path / "acl-long" / CORPUS, planted_papers())
    line = ["--data", str(tmp_path), "--rows", "word2vec-sif", "--count", "4", "--save", str(saved)]
    planted_sentences.main(line)
    assert "| a third of the words dropped | word2vec-sif |" in capsys.readouterr().out
    assert json.loads(saved.read_text())["sentences"] == 4


@pytest.fixture
def coverage_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A library of papers, and the same papers as both sets; synonyms leave out words."""
    with Library.open(tmp_path / "library", create=True) as held:
        held.add_file("k", "papers", PAPERS)
    for name in coverage.SETS:
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / "corpus.parquet", PAPERS)
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher())
    monkeypatch.setattr(kept_rows, "_encoder", Reader)
    monkeypatch.setattr(coverage, "Synonyms", lambda _: None)
    monkeypatch.setattr(coverage, "changed", lambda text, draw, _: dropped(text, draw))
    words = ["--library", str(tmp_path / "library"), "--data", str(tmp_path), "--wordnet", "none"]
    return [*words, "--save", str(tmp_path / "report.json")]


def test_planted_paragraphs_are_found_and_the_report_is_saved(
    coverage_line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    coverage.main([*coverage_line, "--count", "2"])
    report = json.loads((tmp_path / "report.json").read_text())
    found = report["test"]["all"]
    assert found["as written"] == 1 and found["a third of the words dropped"] == 1
    assert set(report["test"]) == {"the library", "acl-long", "pmc-long", "all"}
    assert list(report["valid"]) == [f"{one:g}" for one in coverage.THRESHOLDS]
    told = capsys.readouterr().out
    assert "| all | 100.0% | 100.0% |" in told
    assert "DIR" in report["command"] and str(tmp_path) not in report["command"]


def test_the_parts_share_no_document_and_both_are_used() -> None:
    parts = {one.id: coverage.part_of(one.id) for one in PAPERS}
    assert set(parts.values()) == {"valid", "test"}


def test_a_paragraph_is_sentences_in_a_row_of_at_least_eighty_words() -> None:
    found = coverage.paragraph(PAPERS[0], random.Random(1))
    assert any(found in part.text for part in PAPERS[0].parts)
    assert 80 <= len(found.split()) <= 92 and found.endswith(".")
    assert (
        coverage.paragraph(PAPERS[0].__class__("short", abstract=said_in_papers("kite", 1, 2)), random.Random(1)) == ""
    )


def observed(column: int) -> coverage.Observed:
    """One document with a paragraph of each kind, which column 0 says; others do not."""
    told, cold = np.array([0.9, 0.1]), np.array([0.1, 0.1])
    kinds = ("as written", "a third of the words dropped", "words changed for synonyms")
    planted = {kind: (told, column) for kind in kinds} | {coverage.UNRELATED: (cold, -1)}
    return coverage.Observed("the library", planted, np.array([cold, cold]))


def test_a_paragraph_counts_only_where_its_own_document_says_it() -> None:
    right, wrong, gone = (coverage.shares([observed(column)], 0.5) for column in (0, 1, -1))
    assert right["as written"] == 1 and wrong["as written"] == gone["as written"] == 0
    assert right[coverage.UNRELATED] == right[coverage.OWN] == 0
