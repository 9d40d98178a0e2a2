"""The default ranking: how both lists are weighed and asked again, and what names the choice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.rows import Rows
from engine.documents import Document, Hit
from engine.encoders import registry
from engine.search import queries as question_words
from engine.search import ranking
from engine.search.answers import Question
from engine.search.ranking import Corpus, fuse_relative, keyword_weight, ranking_fingerprint
from engine.search.searcher import Searcher
from engine.search.settings import Blind, RankingSettings
from tests.search.library import DOCUMENTS, QUERY, fill, weigh

ONCE = RankingSettings(blind=Blind(beta=0))
NEAR, TERMS = [Hit("a", 0.9), Hit("b", 0.8)], [Hit("b", 7.0), Hit("a", 6.0)]


def test_the_heavier_ranking_decides() -> None:
    assert [hit.id for hit in fuse_relative(NEAR, TERMS, 6.0, depth=200)] == ["b", "a"]
    assert [hit.id for hit in fuse_relative(NEAR, TERMS, 0.5, depth=200)] == ["a", "b"]


def test_the_default_asks_again_with_what_came_first(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        asked = replace(QUERY, title="", abstract="Three rounds")  # words of one paper alone
        once, twice = (by.rank([asked], 7, settings=RankingSettings(blind=Blind(1, beta)))[0] for beta in (0.0, 0.5))
    assert once[0].id == twice[0].id == "p-molecules"
    assert {hit.score for hit in once[1:]} == {0.0}
    assert [hit.id for hit in twice[1:3]] == ["p-crystals", "p-crystals-preprint"]
    assert twice[2].score > twice[3].score > 0


def test_a_document_is_not_moved_towards_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def moved(rows: Rows, rankings: list[list[Hit]], **_: object) -> Rows:
        seen.extend([hit.id for hit in hits] for hits in rankings)
        return rows

    monkeypatch.setattr(ranking, "move_blindly", moved)
    library, encoder, index = fill(tmp_path)
    with library:
        Corpus(encoder, index, library.keywords).rank([DOCUMENTS[0]], 7)
    assert DOCUMENTS[0].id not in seen[0]
    assert DOCUMENTS[1].id in seen[0]


def test_each_encoder_has_its_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, usual = ("blend", "student-large", "another"), registry.USUAL_KEYWORD_WEIGHT
    assert [keyword_weight(name) for name in names] == [0.75, 0.75, usual]
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        alone = {name: by.rank([QUERY], 7, ranking=name) for name in ("encoder", "keywords")}
        for name, weight in (("encoder", 1e-9), ("keywords", 1e9)):
            weigh(monkeypatch, keyword_weight=weight)
            order = [hit.id for hit in by.rank([QUERY], 7, settings=ONCE)[0]]
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
        answers = [by.rank([one], 7, settings=ONCE)[0] for one in (passage, paper)]
        alone = [by.rank([passage], 7, ranking=name)[0] for name in ("keywords", "encoder")]
        for answer, expected in zip(answers, alone, strict=True):
            assert [hit.id for hit in answer][: len(expected)] == [hit.id for hit in expected]


def test_a_question_finds_other_forms_where_it_asks_by_stems(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        by = Corpus(encoder, index, library.keywords)
        asked = Document("q", abstract="admitting classified", kind="query")
        longer = replace(asked, abstract=f"{asked.abstract} {'kite ' * 40}")
        (found,), (none,) = (by.rank([one], 7, ranking="keywords") for one in (asked, longer))
        assert {hit.id for hit in found} == {"US1", "p-images"} and none == []  # admits, classify
        best = []
        for stemmed in (None, True, False):
            hits = by.rank([asked], 7, settings=RankingSettings(blind=Blind(beta=0), stemmed=stemmed))[0]
            best.append(hits[0].id)
    assert best == ["p-images", "p-images", "p-molecules"]  # nothing matched: the first of the library


def test_a_live_search_is_a_batch_of_one(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        for settings in (RankingSettings(), ONCE, RankingSettings(keyword_weight=1e9), RankingSettings(sharpness=0.0)):
            searcher = Searcher(library, encoder, index, settings=settings)
            found = [result.document.id for result in searcher.search(Question(QUERY)).results]
            bulk = [hit.id for hit in searcher.rank([QUERY], 10)[0]]
            assert [name for name in bulk if name in found] == found  # versions of one work are folded in a search


def test_the_fingerprint_names_weights_settings_and_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    card = registry.fit("tfidf", DOCUMENTS).card
    found = {ranking_fingerprint(card), ranking_fingerprint(replace(card, fingerprint="other"))}
    weigh(monkeypatch, keyword_weight=5.0)
    found.add(ranking_fingerprint(card))
    weigh(monkeypatch, passage_weight=5.0)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr("engine.library.postings.QUESTION_TERMS", 12)
    found.add(ranking_fingerprint(card))
    monkeypatch.setattr(question_words, "SHORT_BELOW_TOKENS", 30)
    found.add(ranking_fingerprint(card))
    changed = [
        RankingSettings(depth=100),
        RankingSettings(blind=Blind(documents=5)),
        RankingSettings(citing_times=2),
        RankingSettings(stemmed=True),
        RankingSettings(keyword_weight=7.0),
        RankingSettings(passage_weight=7.0),
    ]
    found |= {ranking_fingerprint(card, settings=settings) for settings in changed}
    kinds = {ranking_fingerprint(card, mixed=True, settings=RankingSettings(sharpness=power)) for power in (1.0, 2.0)}
    assert len(found | kinds) == 6 + len(changed) + 2


def test_the_fingerprint_of_what_is_shipped_stays() -> None:
    card = replace(registry.fit("tfidf", DOCUMENTS).card, name="another", fingerprint="known")
    assert ranking_fingerprint(card) == "95cbea11544616c8"
    assert ranking_fingerprint(card, mixed=True) == "61a9f0f3c5aabe80"
