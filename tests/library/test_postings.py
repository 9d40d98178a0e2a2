"""Postings: which documents hold a term, how often, and what that counts."""

from __future__ import annotations

import numpy as np
import pytest

from engine.documents import Document
from engine.library.keywords import KeywordIndex
from engine.library.postings import TermCounts, TermWeights
from engine.library.store import Library
from tests.library.texts import DOCUMENTS


def test_postings_give_the_scores_that_fts5_gives(worded: Library) -> None:
    with worded._database.read() as connection:
        by_fts5 = connection.execute(
            "SELECT documents.id, -bm25(keywords) AS score FROM keywords JOIN documents ON position = keywords.rowid"
            " WHERE keywords MATCH 'kite OR wind OR line' ORDER BY score DESC"
        ).fetchall()
    ours = worded.keywords.search("kite wind line", 5)
    assert [hit.id for hit in ours] == [id_ for id_, _ in by_fts5] and len(ours) == 3
    assert [hit.score for hit in ours] == pytest.approx([score for _, score in by_fts5], rel=1e-4)


def test_a_repeated_term_counts_more_but_not_without_end() -> None:
    index = KeywordIndex.in_memory(DOCUMENTS)
    once = {hit.id: hit.score for hit in index.search("soup kite", 5)}
    often = {hit.id: hit.score for hit in index.search("soup kite kite kite", 5)}
    assert often["soups"] == pytest.approx(once["soups"])
    assert 1 < often["kites"] / once["kites"] < 3


def test_a_long_question_does_not_drift_to_a_long_document() -> None:
    """Many common words met in one long text must not outweigh the few telling words of a short one."""
    common = [f"common{n}" for n in range(400)]
    # every common word stands in several short documents, so that it tells a little less than "kite"
    short = [Document(f"s{n}", abstract=" ".join(common[n : n + 5])) for n in range(0, 398)]
    corpus = [
        *short,
        Document("long", abstract=" ".join(common)),
        Document("near", abstract="kite tail wind reel line drum"),
    ]
    index = KeywordIndex.in_memory(corpus)
    assert index.search(" ".join(["kite tail wind reel line", *common]), 1)[0].id == "near"


def test_documents_that_share_no_term_are_left_out() -> None:
    index = KeywordIndex.in_memory(DOCUMENTS)
    assert [hit.id for hit in index.search("soup", 5)] == ["soups"]
    assert index.search("submarine", 5) == []
    assert index.search("", 5) == [] and index.search("!?", 5) == []


def test_within_limits_the_answer(worded: Library) -> None:
    assert [hit.id for hit in worded.keywords.search("kite wind", 5, within={"boats", "soups"})] == ["boats"]
    assert worded.keywords.search("kite wind", 5, within=[]) == []
    assert worded.keywords.search("kite wind", 5, within=["nowhere"]) == []


def test_ties_go_to_the_earlier_document() -> None:
    index = KeywordIndex.in_memory([Document(str(n), title="same words here") for n in range(30)])
    assert [hit.id for hit in index.search("words", 4)] == ["0", "1", "2", "3"]


def test_frequencies_count_documents(worded: Library) -> None:
    frequencies = worded.keywords.frequencies()
    assert (frequencies["kite"], frequencies["served"], frequencies.get("submarine", 0)) == (2, 2, 0)
    assert frequencies.documents == 5 and "kite" in frequencies and len(frequencies) == len(list(frequencies))


def test_places_are_kept_in_four_bytes() -> None:
    counts = TermCounts(np.array([0, 2, 3]), np.array([0, 1, 1], np.uint32), np.array([1, 2, 1], np.uint16))
    matrix = TermWeights(counts, [0, 1], ["graph", "node"]).matrix
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
