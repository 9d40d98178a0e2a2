"""Passages of whole documents answer: what stands in the middle of a paper is found, at its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cli.search import as_json, as_text
from engine.core.progress import Meter, silent
from engine.documents import Document, PageStart, Section
from engine.encoders import registry
from engine.library import Filters, Library
from engine.reading import ReadFile as Read
from engine.search import readings
from engine.search.answers import Question
from engine.search.passages import AskedPassages, PassageMatcher
from engine.search.searcher import Searcher
from engine.vectors import PassageStore, open_index
from engine.workspace import fill_store
from tests.search.hashed_words import HashedWords

SUBJECTS = "kite sail rudder mast anchor glider turbine propeller piston valve boiler condenser".split()


def said(subject: str, count: int, seed: int) -> str:
    """Sentences of twelve words each, that no other text has."""
    words = np.random.default_rng(seed).integers(100_000, size=(count, 11))
    return " ".join(f"{subject.capitalize()} {' '.join(f'w{one}' for one in each)}." for each in words)


def paper(number: int, *, long: bool) -> Document:
    subject, other = SUBJECTS[number % 12], SUBJECTS[(number + 5) % 12]
    text = said(other, 45, number)
    body = (
        Section("Method", said(subject, 45, number + 100)),
        Section("Results", text, pages=(PageStart(0, 4), PageStart(len(text) // 2, 5))),
    )
    return Document(
        f"d{number}",
        title=f"On the {subject}",
        abstract=said(subject, 3, number + 200),
        sections=body if long else (),
        year=2000 + number,
    )


DOCUMENTS = tuple(paper(number, long=number % 2 == 0) for number in range(40))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library"), create=True) as held:
        held.add_file("k", "papers", DOCUMENTS)
        yield held


@pytest.fixture(scope="module")
def matcher(tmp_path_factory: pytest.TempPathFactory) -> PassageMatcher:
    store = PassageStore(tmp_path_factory.mktemp("passages"), fingerprint="words", dim=HashedWords.dim)
    fill_store(store, DOCUMENTS, HashedWords(), Meter("read", len(DOCUMENTS), silent))
    return PassageMatcher(store.view(), HashedWords())


def searcher(library: Library, folder: Path, matcher: PassageMatcher | None) -> Searcher:
    encoder = registry.load("word2vec-sif")
    index = open_index(folder / "index", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind="embedded")
    heads = [Document(one.id, title=one.title, abstract=one.abstract) for one in DOCUMENTS]
    index.add([one.id for one in DOCUMENTS], np.asarray(encoder.encode_documents(heads)))
    return Searcher(library, encoder, index, passages=matcher)


def quoted(number: int) -> Question:
    """Three sentences from the middle of a paper's results ask, by meaning alone, without their subject."""
    said = DOCUMENTS[number].sections[1].text.split(". ")[14:17]
    return Question(
        Document("text:q", "query", abstract=". ".join(one.split(" ", 1)[1] for one in said) + "."), ranking="encoder"
    )


def test_a_quote_from_the_middle_finds_its_paper_and_its_page(
    library: Library, matcher: PassageMatcher, tmp_path: Path
) -> None:
    without, whole = searcher(library, tmp_path, None), searcher(library, tmp_path, matcher)
    for number in (4, 16, 30):
        assert without.search(quoted(number)).results[0].document.id != f"d{number}"
        first = whole.search(quoted(number)).results[0]
        assert first.document.id == f"d{number}"
        best = first.evidence.passages[0]
        asked = quoted(number).document.abstract.split(". ")[0]
        assert best.document.section == "Results" and best.document.page == 4 and asked in best.document.text
        assert best.score <= 1 and first.scores["passages"] > 0


def test_passages_of_some_documents_say_why_and_do_not_rank(
    library: Library, matcher: PassageMatcher, tmp_path: Path
) -> None:
    long = matcher.view.only({one.id: one.id for one in DOCUMENTS if one.sections})
    partly = searcher(library, tmp_path, replace(matcher, view=long, is_whole=False))
    for number in (4, 16):
        without = searcher(library, tmp_path, None).search(quoted(number)).results
        found = partly.search(quoted(number)).results
        assert [(one.document.id, one.scores) for one in found] == [(one.document.id, one.scores) for one in without]
        shown = {bool(one.document.sections): bool(one.evidence.passages) for one in found}
        assert shown == {True: True, False: False}


class Distinct(HashedWords):
    """Hardly any two words share a number."""

    dim = 4096


TELLING = "Basalt columns cool from their margins and crack into hexagons as they shrink."


def long(name: str, subject: str, *, place: int) -> Document:
    """Five hundred sentences on a subject, and behind some of them the telling one."""
    plain = said(subject, 500, place).split(". ")
    text = ". ".join([*plain[:place], TELLING[:-1], *plain[place:]])
    pages = tuple(PageStart(start, 1 + start // 2_000) for start in range(0, len(text), 2_000))
    sections = (Section("All of it", text, pages=pages),)
    return Document(name, title=f"On the {subject}", abstract=said(subject, 4, place + 1), sections=sections)


@pytest.mark.parametrize(
    "asked", [Document("text:q", "query", abstract=TELLING), long("text:q", "canal", place=390)], ids=["text", "paper"]
)
def test_the_evidence_is_the_very_sentence_however_far_it_stands(asked: Document, tmp_path: Path) -> None:
    held = long("far", "mill", place=430)
    documents = (held, *DOCUMENTS)
    with asking(documents, Distinct(), tmp_path) as whole:
        results = whole.search(Question(asked, k=len(documents))).results
    with Library.open(tmp_path / "library") as library:
        without = searcher(library, tmp_path / "other", None).search(Question(asked, k=len(documents))).results
    found, missed = (next(one.evidence for one in each if one.document.id == "far") for each in (results, without))
    assert found.passage is not None and found.passage.score > 0.9
    assert found.passage.query.text == found.passage.document.text == TELLING
    start = held.sections[0].text.index(TELLING)
    assert (found.passage.document.start, found.passage.document.page) == (start, 1 + start // 2_000)
    assert {"basalt", "hexagons"} <= {term.term for term in found.terms}
    assert missed.passage is None or missed.passage.document.text != TELLING


def test_a_passage_that_says_most_of_a_short_question_is_told(tmp_path: Path) -> None:
    question = Question(Document("text:q", "query", abstract=TELLING), k=41)
    with asking((long("far", "mill", place=430), *DOCUMENTS), Distinct(), tmp_path) as whole:
        answer, other = (
            whole.search(question),
            whole.search(replace(question, document=Document("q", title="Kite sail"))),
        )
    first = next(one for one in answer.results if one.document.id == "far")
    quoted = first.evidence.quoted
    assert first.reading.word == "unrelated" and quoted is not None and quoted.held == quoted.telling >= 5
    assert all(one.evidence.quoted is None for one in (*answer.results, *other.results) if one.document.id != "far")
    assert answer.verdict.near and answer.verdict.sentence.startswith("A passage of a document says most of the ques")
    assert f"    {quoted.sentence}" in as_text(Read(question.document, "text"), answer, 0.0, question).split("\n")
    hits = json.loads(json.dumps(as_json(Read(question.document, "text"), answer, 0.0)))["hits"]
    assert hits[first.rank - 1]["quoted"] == {"words": quoted.held, "of": quoted.telling}
    assert [one["quoted"] for one in hits if one["id"] != "far"] == [None] * (len(hits) - 1)


@contextmanager
def asking(documents: Sequence[Document], reader: HashedWords, folder: Path) -> Iterator[Searcher]:
    """A searcher of some documents whose passages were read."""
    with Library.open(folder / "library", create=True) as held:
        held.add_file("k", "papers", documents)
        store = PassageStore(folder / "passages", fingerprint="words", dim=reader.dim)
        fill_store(store, documents, reader, Meter("read", len(documents), silent))
        yield searcher(held, folder, PassageMatcher(store.view(), reader))


def test_pairs_of_passages_come_best_first(library: Library, matcher: PassageMatcher, tmp_path: Path) -> None:
    answer = searcher(library, tmp_path, matcher).search(Question(paper(2, long=True), k=5))
    for result in answer.results:
        scores = [pair.score for pair in result.evidence.passages]
        assert scores == sorted(scores, reverse=True) and 1 <= len(scores) <= 3
        for pair in result.evidence.passages:
            for document, chunk in ((paper(2, long=True), pair.query), (result.document, pair.document)):
                assert document.parts[chunk.part].text[chunk.start : chunk.stop] == chunk.text


def test_passages_have_a_word_where_the_scale_is_of_what_read_them(
    library: Library, matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HashedWords, "fingerprint", readings.fitted_on("passage"))
    held = searcher(library, tmp_path, matcher)
    few = quoted(16).document
    passage = DOCUMENTS[16].sections[1].text[:1200]
    first = held.search(Question(replace(few, abstract=passage), k=1, ranking="encoder")).results[0]
    best = first.evidence.passages[0]
    assert best.reading is not None and best.reading.rank <= readings.CLOSE and first.by_passage is best.reading
    assert best.reading.cosine == pytest.approx(best.score, abs=1e-6)
    short = replace(few, abstract=" ".join(passage.split()[:12]))
    shown = held.search(Question(short, k=1, ranking="encoder")).results[0]
    assert shown.evidence.passages and shown.evidence.passages[0].reading is None


def test_filters_and_hidden_documents_hold_for_passages(
    library: Library, matcher: PassageMatcher, tmp_path: Path
) -> None:
    whole = searcher(library, tmp_path, matcher)
    assert not whole.search(Question(quoted(4).document, filters=Filters(kinds=frozenset({"patent"})))).results
    answer = whole.search(Question(DOCUMENTS[4], k=40))
    assert "d4" in answer.query_duplicates and "d4" not in [result.document.id for result in answer.results]


def test_single_passages_are_looked_for_among_what_passes_the_filters(
    library: Library, matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    plain = PassageMatcher.nearest

    def nearest(
        self: PassageMatcher, passages: AskedPassages, k: int, among: np.ndarray | None = None
    ) -> Sequence[str]:
        found = plain(self, passages, k, among)
        asked.append(set(found))
        return found

    monkeypatch.setattr(PassageMatcher, "nearest", nearest)
    years = Filters(year_from=2030, year_to=2033)
    answer = searcher(library, tmp_path, matcher).search(Question(quoted(4).document, filters=years))
    assert asked == [{"d30", "d31", "d32", "d33"}]
    assert {result.document.id for result in answer.results} <= asked[0]


def test_keywords_alone_read_no_passages(
    library: Library, matcher: PassageMatcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(HashedWords, "encode")
    answer = searcher(library, tmp_path, matcher).search(Question(quoted(4).document, ranking="keywords"))
    assert answer.results and all("passages" not in result.scores for result in answer.results)


def test_json_has_the_passages_with_their_place(library: Library, matcher: PassageMatcher, tmp_path: Path) -> None:
    question = quoted(16)
    answer = searcher(library, tmp_path, matcher).search(question)
    value = json.loads(json.dumps(as_json(Read(question.document, "text"), answer, 0.0)))
    first = value["hits"][0]["passages"][0]
    assert list(first) == ["score", "reading", "query", "document"]
    assert first["reading"] is None  # by another encoder's rows than the scale was fitted to
    assert {"section", "page", "start", "stop", "text"} <= set(first["document"])
    assert first["document"]["section"] == "Results" and first["document"]["page"] == 4
