"""Postings: which documents hold a term, how often, what that counts, and long documents scored apart."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.documents import Document, Section
from engine.library.keywords import KeywordIndex
from engine.library.postings import LONG, Tail, TermCounts, TermWeights, are_many, on_one_scale
from engine.library.store import Library
from tests.library.records import DOCUMENTS


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


WORDS = [f"word{number}" for number in range(3_000)]


def drawn(count: int, *, base: float, step: float) -> NDArray[np.float32]:
    """Scores of a group: all above `base`, exponential beyond it."""
    return (base + np.random.default_rng(count).exponential(step, count)).astype(np.float32)


def test_a_tail_is_fitted_to_what_is_above_its_threshold() -> None:
    tail = Tail.of(drawn(20_000, base=0.0, step=3.0).astype(np.float64))
    assert tail.tau == pytest.approx(0.1, abs=0.01)
    assert tail.u == pytest.approx(3 * np.log(10), rel=0.05)
    assert tail.beta == pytest.approx(3, rel=0.1)


def test_each_group_gets_its_share_of_the_first_ranks() -> None:
    short, long = drawn(900, base=2.0, step=1.0), drawn(100, base=30.0, step=6.0)
    flags = np.arange(1_000) >= 900
    found = on_one_scale(np.concatenate([short, long]), flags)
    assert np.array_equal(found[:900], short)
    first = np.argsort(-found)[:100]
    assert 4 <= flags[first].sum() <= 18  # ten are to be expected; without this all hundred are long
    assert np.array_equal(np.argsort(-found[900:]), np.argsort(-long))


def test_the_larger_group_keeps_its_scores_if_it_is_the_long_one() -> None:
    short, long = drawn(100, base=2.0, step=1.0), drawn(900, base=30.0, step=6.0)
    flags = np.arange(1_000) < 900
    found = on_one_scale(np.concatenate([long, short]), flags)
    assert np.array_equal(found[:900], long)
    assert 4 <= (~flags[np.argsort(-found)[:100]]).sum() <= 18


def test_a_score_far_beyond_all_others_stays_first() -> None:
    short, long = drawn(900, base=2.0, step=1.0), drawn(100, base=30.0, step=6.0)
    long[17] = 300
    assert on_one_scale(np.concatenate([short, long]), np.arange(1_000) >= 900).argmax() == 917


def test_zeros_stay_zeros_and_others_above_them() -> None:
    short, long = drawn(300, base=1.0, step=1.0), drawn(40, base=5.0, step=2.0)
    short[:250] = long[:30] = 0
    scores = np.concatenate([short, long])
    found = on_one_scale(scores, np.arange(340) >= 300)
    assert np.array_equal(found > 0, scores > 0)


@pytest.mark.parametrize(("short", "long"), [(500, 0), (0, 500), (500, 19), (19, 500)])
def test_a_group_of_few_changes_nothing(short: int, long: int) -> None:
    scores = np.concatenate([drawn(short, base=1.0, step=1.0), drawn(long, base=9.0, step=1.0)])
    assert np.array_equal(on_one_scale(scores, np.arange(short + long) >= short), scores)


@pytest.mark.parametrize("scored", [0, 900])
def test_a_group_without_scores_changes_nothing(scored: int) -> None:
    scores = np.zeros(1_000, np.float32)
    scores[scored : scored + 50] = drawn(50, base=1.0, step=1.0)
    assert np.array_equal(on_one_scale(scores, np.arange(1_000) >= 900), scores)


def test_whole_papers_do_not_push_abstracts_out_of_the_first_ranks() -> None:
    draw = np.random.default_rng(1)

    def some(count: int) -> str:
        return " ".join(draw.choice(WORDS, count))

    abstracts = [Document(f"abstract{number}", abstract=some(100)) for number in range(90)]
    papers = [Document(f"paper{n}", abstract=some(100), sections=(Section("Body", some(2 * LONG)),)) for n in range(30)]
    index = KeywordIndex.in_memory([*abstracts, *papers])
    first = [hit.id for hit in index.search(some(150), 20)]
    assert sum(name.startswith("paper") for name in first) <= 10
    among = {document.id for document in abstracts}
    assert [hit.id for hit in index.search("word1 word2 word3", 5, within=among)] == [
        hit.id for hit in KeywordIndex.in_memory(abstracts).search("word1 word2 word3", 5)
    ]


@pytest.mark.parametrize(
    ("long", "documents", "expected"),
    [(0, 0, False), (0, 50, False), (1, 50, True), (23, 98_363, False), (300, 26_300, True), (4_400, 26_033, True)],
)
def test_one_long_document_in_a_hundred_is_many(long: int, documents: int, *, expected: bool) -> None:
    assert are_many(long, documents) is expected
