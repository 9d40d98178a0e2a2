"""How the two rankings are weighed, and what names the choice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document, Hit
from engine.encoders import registry
from engine.library import keyword_fingerprint
from engine.rows import Rows
from engine.search import Corpus, asking, rank_all, ranking_fingerprint, ranks, words_fingerprint
from engine.search.feedback import Blind
from engine.search.ranks import Tried, fused, keyword_weight, rank_by_both
from tests.search.library import DOCUMENTS, QUERY, fill, weigh

NEAR, TERMS = [Hit("a", 0.9), Hit("b", 0.8)], [Hit("b", 7.0), Hit("a", 6.0)]


def test_the_heavier_ranking_decides() -> None:
    assert [hit.id for hit in fused(NEAR, TERMS, 6.0)] == ["b", "a"]
    assert [hit.id for hit in fused(NEAR, TERMS, 0.5)] == ["a", "b"]


def test_the_default_asks_again_with_what_came_first(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        asked = replace(QUERY, title="", abstract="Three rounds")  # words of one paper alone
        once, twice = (rank_by_both([asked], 7, by, tried=Tried(Blind(1, beta)))[0] for beta in (0.0, 0.5))
    assert once[0].id == twice[0].id == "p-molecules"
    assert {hit.score for hit in once[1:]} == {0.0}
    assert [hit.id for hit in twice[1:3]] == ["p-crystals", "p-crystals-preprint"]
    assert twice[2].score > twice[3].score > 0


def test_a_document_is_not_moved_towards_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def moved(rows: Rows, rankings: list[list[Hit]], **_: object) -> Rows:
        seen.extend([hit.id for hit in hits] for hits in rankings)
        return rows

    monkeypatch.setattr(ranks, "moved_blindly", moved)
    library, encoder, index = fill(tmp_path)
    with library:
        rank_all([DOCUMENTS[0]], 7, Corpus(encoder, index, library.keywords))
    assert DOCUMENTS[0].id not in seen[0]
    assert DOCUMENTS[1].id in seen[0]


def test_each_encoder_has_its_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (keyword_weight("blend"), keyword_weight("another")) == (0.75, registry.USUAL_KEYWORD_WEIGHT)
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        alone = {name: rank_all([QUERY], 7, by, ranking=name) for name in ("encoder", "keywords")}
        for name, weight in (("encoder", 1e-9), ("keywords", 1e9)):
            weigh(monkeypatch, keyword_weight=weight)
            order = [hit.id for hit in rank_by_both([QUERY], 7, by, tried=Tried(Blind(beta=0)))[0]]
            expected = [hit.id for hit in alone[name][0]]
            assert order[: len(expected)] == expected


def test_a_passage_that_cites_goes_more_by_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passage, paper = (replace(QUERY, abstract=f"{QUERY.text} [3]", kind=kind) for kind in ("query", "paper"))
    assert (keyword_weight("blend", passage), keyword_weight("blend", paper)) == (1.5, 0.75)
    assert keyword_weight("another", passage) == registry.USUAL_KEYWORD_WEIGHT
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        weigh(monkeypatch, keyword_weight=1e-9, passage_weight=1e9)
        answers = [rank_by_both([one], 7, by, tried=Tried(Blind(beta=0)))[0] for one in (passage, paper)]
        alone = [rank_all([passage], 7, by, ranking=name)[0] for name in ("keywords", "encoder")]
        for answer, expected in zip(answers, alone, strict=True):
            assert [hit.id for hit in answer][: len(expected)] == [hit.id for hit in expected]


@pytest.mark.parametrize(
    ("asked", "by_stems"),
    [
        (Document("q", abstract="filters", kind="query"), True),
        (Document("q", title="Filters"), True),  # a record of a paper, of which only the title is known
        (Document("q", abstract="word " * 39, kind="query"), True),
        (Document("q", abstract="word " * 40, kind="query"), False),
        (Document("q", abstract="word " * 40 + "as in [3]", kind="query"), True),
        (Document("q", abstract="word " * 40 + "as in [3]"), False),  # a paper with marks is no passage
    ],
)
def test_short_questions_and_passages_ask_for_every_form(asked: Document, by_stems: bool) -> None:
    assert asking.asks_by_stems(asked) is by_stems


def test_a_question_finds_other_forms_where_it_asks_by_stems(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        asked = Document("q", abstract="admitting classified", kind="query")
        longer = replace(asked, abstract=f"{asked.abstract} {'kite ' * 40}")
        (found,), (none,) = (rank_all([one], 7, by, ranking="keywords") for one in (asked, longer))
        assert {hit.id for hit in found} == {"US1", "p-images"} and none == []  # admits, classify
        best = []
        for stemmed in (None, True, False):
            hits = rank_by_both([asked], 7, by, tried=Tried(Blind(beta=0), stemmed=stemmed))[0]
            best.append(hits[0].id)
    assert best == ["p-images", "p-images", "p-molecules"]  # nothing matched: the first of the library


def test_the_fingerprint_names_weights_keywords_and_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    card = registry.fit("tfidf", DOCUMENTS).card
    found = {ranking_fingerprint(card), ranking_fingerprint(replace(card, fingerprint="other"))}
    weigh(monkeypatch, keyword_weight=5.0)
    found.add(ranking_fingerprint(card))
    weigh(monkeypatch, passage_weight=5.0)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr("engine.library.postings.QUESTION_TERMS", 12)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr(ranks, "BLIND", Blind(documents=5))
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr(asking, "SHORT_BELOW_TOKENS", 30)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr(asking, "CITING_TIMES", 2)
    found.add(ranking_fingerprint(card))
    assert len(found) == 8


def test_the_keywords_are_named_by_every_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert keyword_fingerprint() == "bm25 k1=1.2 b=0.75 k3=8.0 terms=96 head=5"
    assert keyword_fingerprint(stemmed=True) == f"{keyword_fingerprint()} words=snowball english"
    assert words_fingerprint() not in (keyword_fingerprint(), keyword_fingerprint(stemmed=True))
    for name in ("K1", "B", "K3", "QUESTION_TERMS", "HEAD"):
        before = keyword_fingerprint()
        monkeypatch.setattr(f"engine.library.postings.{name}", 77)
        assert keyword_fingerprint() != before
