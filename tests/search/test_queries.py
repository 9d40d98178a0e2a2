"""Which words a question asks with, how often each counts, and Rocchio's formula on rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import Rows
from engine.documents import Document, Hit, Section
from engine.encoders import Encoder, registry
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.search.queries import (
    add_telling,
    asked_terms,
    asks_by_stems,
    leading_words,
    leave_out,
    most_telling,
    move_blindly,
    query_row,
    stem_set,
    token_set,
    words_fingerprint,
)
from engine.search.settings import SHIPPED, Blind, RankingSettings
from engine.search.vocabulary import Vocabulary
from engine.vectors import open_index
from tests.search.library import DOCUMENTS, QUERY
from tests.search.library import QUERY as CRYSTALS

CORPUS = [
    Document(f"d{number}", title="The wind", abstract=f"A kite in the wind number{number}.") for number in range(9)
]
KITES = Document(
    "q",
    title="Kites",
    abstract="The roton and the wind.",
    sections=(Section("Method", "A kite. A reel. The zeppelin."),),
)


def vocabulary() -> Vocabulary:
    keywords = KeywordIndex.in_memory(DOCUMENTS)
    return Vocabulary(keywords.frequencies(), keywords.size)


def test_words_count_more_in_the_sentences_of_a_passage_that_cite() -> None:
    text = "A kite flies. The reel holds a line [3]. The drum turns."
    asked = Document("q", "query", abstract=text)
    n = SHIPPED.citing_times
    expected = {
        "a": 1 + n,
        "kite": 1,
        "flies": 1,
        "the": n + 1,
        "reel": n,
        "holds": n,
        "line": n,
        "drum": 1,
        "turns": 1,
    }
    assert asked_terms(asked) == expected
    assert asked_terms(asked, RankingSettings(citing_times=1))["reel"] == 1


def test_words_of_other_questions_and_of_documents_count_once() -> None:
    plain = "A kite flies. The reel holds a line."
    assert asked_terms(Document("q", "query", abstract=plain))["reel"] == 1
    assert asked_terms(Document("d", "paper", abstract=f"{plain[:-1]} [3]."))["reel"] == 1


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
    assert asks_by_stems(asked) is by_stems
    assert [asks_by_stems(asked, RankingSettings(stemmed=stemmed)) for stemmed in (True, False)] == [True, False]


def test_telling_words_are_the_documents_own() -> None:
    words = most_telling([DOCUMENTS[4]], vocabulary())
    assert {"eccentric", "exhaust"} <= set(words)
    assert not {"the", "of", "claim"} & set(words)
    assert len(words) <= 20
    assert "eccentric" not in most_telling([DOCUMENTS[4]], vocabulary(), without={"eccentric"})
    assert "valve" in words
    assert "valve" not in most_telling([DOCUMENTS[4]], vocabulary(), without={"valves"})  # in any form


def test_the_keyword_query_is_the_querys_terms_and_the_liked_documents_words() -> None:
    own = add_telling(asked_terms(CRYSTALS), [], vocabulary())
    assert own == question_terms(CRYSTALS)
    terms = add_telling(own, [DOCUMENTS[4]], vocabulary())
    assert own <= terms and terms["eccentric"] == own["eccentric"] + KeywordIndex.HEAD
    assert "eccentric" in add_telling(Counter(), [DOCUMENTS[4]], vocabulary())


def test_words_are_tokens() -> None:
    assert token_set(["Mixed-effects", " ", "Kite"]) == {"mixed", "effects", "kite"}


def test_a_stem_stands_for_every_form() -> None:
    assert stem_set(["Filters", "filtering", "Mixed-effects"]) == {"filter", "mix", "effect"}


def test_a_word_is_dropped_in_all_its_forms() -> None:
    terms = Counter({"kite": 2, "kites": 1, "winds": 1})
    assert leave_out(terms, stem_set(["Kites"])) == {"winds": 1}


def test_nothing_is_dropped_without_a_word() -> None:
    terms = Counter({"kite": 2, "wind": 1, "the": 9})
    assert leave_out(terms, {"the"}) == {"kite": 2, "wind": 1}
    assert leave_out(terms, ()) == terms


def test_the_rarest_words_lead_and_unknown_ones_do_not_count() -> None:
    keywords = KeywordIndex.in_memory([*CORPUS, Document("r", abstract="A roton on a reel.")])
    found = leading_words(KITES, keywords, 9)
    assert found[:2] == ["roton", "reel"]  # the abstract counts more than the body
    assert "zeppelin" not in found and "the" not in found  # held by none; by nearly all
    assert leading_words(KITES, keywords, 1) == ["roton"]
    assert leading_words(Document("e"), keywords, 9) == []


def test_of_a_words_forms_the_one_said_most_is_offered() -> None:
    held = ["A roton.", "Rotons.", "Rotons.", "A maxon."]
    corpus = [*CORPUS, *(Document(f"r{number}", abstract=text) for number, text in enumerate(held))]
    keywords = KeywordIndex.in_memory(corpus)
    assert leading_words(Document("q", abstract="Rotons, a roton and rotons; a maxon."), keywords, 2) == [
        "rotons",
        "maxon",
    ]
    assert leading_words(Document("q", abstract="A roton of rotons; a maxon."), keywords, 2) == ["maxon", "roton"]
    assert leading_words(Document("q", abstract="Kites."), keywords, 9) == []  # which no document says


def test_the_keywords_are_named_by_every_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert keyword_fingerprint() == "bm25 k1=1.2 b=0.75 k3=8.0 terms=96 head=5 long=1000 apart=20/0.1/10"
    assert keyword_fingerprint(stemmed=True) == f"{keyword_fingerprint()} words=snowball english"
    assert words_fingerprint() not in (keyword_fingerprint(), keyword_fingerprint(stemmed=True))
    for name in ("K1", "B", "K3", "QUESTION_TERMS", "HEAD"):
        before = keyword_fingerprint()
        monkeypatch.setattr(f"engine.library.postings.{name}", 77)
        assert keyword_fingerprint() != before
    changed = [RankingSettings(citing_times=2), RankingSettings(stemmed=True), RankingSettings(stemmed=False)]
    assert len({words_fingerprint(), *map(words_fingerprint, changed)}) == 4


TFIDF = registry.fit("tfidf", DOCUMENTS)
LSA = registry.fit("lsa", DOCUMENTS)


@pytest.mark.parametrize("encoder", [TFIDF, LSA], ids=["sparse", "dense"])
def test_the_row_follows_rocchio(encoder: Encoder) -> None:
    def dense(documents: list[Document]) -> np.ndarray:
        rows = encoder.encode_queries(documents)
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    liked, disliked = list(DOCUMENTS[:2]), [DOCUMENTS[3]]
    expected = dense([QUERY])[0] + 0.75 * dense(liked).mean(axis=0) - 0.5 * dense(disliked)[0]
    row = query_row(encoder, QUERY, liked=liked, disliked=disliked)
    found = row if isinstance(row, np.ndarray) else row.toarray()
    assert found.shape == (1, encoder.card.dim)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[0], expected / np.linalg.norm(expected), atol=1e-6)


def test_liked_documents_stand_for_a_missing_query() -> None:
    row = query_row(LSA, None, liked=[DOCUMENTS[4]])
    np.testing.assert_allclose(row, LSA.encode_queries([DOCUMENTS[4]]), atol=1e-6)


def test_a_row_needs_a_query_or_a_liked_document() -> None:
    with pytest.raises(ValueError, match="needs a query or a liked document"):
        query_row(TFIDF, None)


@pytest.mark.parametrize("encoder", [TFIDF, LSA], ids=["sparse", "dense"])
def test_rows_move_towards_the_mean_of_what_they_found(encoder: Encoder, tmp_path: Path) -> None:
    def dense(rows: Rows) -> np.ndarray:
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    kind = "sparse" if encoder.card.sparse else "embedded"
    index = open_index(tmp_path / "v", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind=kind)
    held = encoder.encode_documents(DOCUMENTS)
    index.add([document.id for document in DOCUMENTS], held)
    asked = encoder.encode_queries([QUERY, DOCUMENTS[4], DOCUMENTS[5]])
    found = [
        [Hit(name, 1.0) for name in names] for names in (("p-molecules", "gone", "p-crystals", "US3"), ("US2",), ())
    ]
    moved = move_blindly(asked, found, encoder=encoder, index=index, blind=Blind(documents=2, beta=0.5))
    first = dense(asked)[0] + 0.5 * (dense(held)[0] + dense(held)[1]) / 2  # neither what is not held, nor the third
    expected = np.stack([first, dense(asked)[1] + 0.5 * dense(held)[5], dense(asked)[2]])
    np.testing.assert_allclose(dense(moved), expected, atol=1e-6)
    assert type(moved) is type(asked)
    assert moved.dtype == np.float32


def test_rows_that_found_nothing_stay(tmp_path: Path) -> None:
    index = open_index(tmp_path / "v", fingerprint=LSA.card.fingerprint, dim=LSA.card.dim, kind="embedded")
    asked = LSA.encode_queries([QUERY])
    assert move_blindly(asked, [[]], encoder=LSA, index=index, blind=Blind()) is asked
