"""Search by words: which documents hold a term and how often, and BM25 against FTS5's own ranking."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.documents import Document, Section
from engine.library.keywords import KeywordIndex
from engine.library.postings import (
    HEAD,
    K1,
    K3,
    LONG,
    B,
    Tail,
    are_many,
    best_on_one_scale,
    on_one_scale,
    question_terms,
)
from engine.library.store import Library
from engine.search.queries import asked_terms
from tests.contracts.library_words import WRITINGS, WordsContract
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


def test_ties_go_to_the_earlier_document() -> None:
    index = KeywordIndex.in_memory([Document(str(n), title="same words here") for n in range(30)])
    assert [hit.id for hit in index.search("words", 4)] == ["0", "1", "2", "3"]


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


def test_stems_find_every_form_of_a_word() -> None:
    index = KeywordIndex.in_memory(DOCUMENTS)
    assert index.search("sailing bakes", 5) == []
    assert {hit.id for hit in index.search("sailing bakes", 5, stemmed=True)} == {"boats", "breads"}
    assert [hit.id for hit in index.search("sailing bakes", 5, within={"soups", "breads"}, stemmed=True)] == ["breads"]


def test_the_forms_of_a_word_are_one_term_in_question_and_document() -> None:
    """By hand: N = 3, one document holds the stem, twice in 3 tokens of 5/3 in the mean; asked for twice."""
    corpus = [Document("a", title="filter filters wind"), Document("b", title="kite"), Document("c", title="soup")]
    index = KeywordIndex.in_memory(corpus)
    tf = 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 3 / (5 / 3)))
    expected = math.log((3 - 1 + 0.5) / 1.5) * tf * 2 * (K3 + 1) / (2 + K3)
    (hit,) = index.search("filtering filtered", 3, stemmed=True)
    assert hit.id == "a" and hit.score == pytest.approx(expected, rel=1e-5)
    assert index.search("filtering filtered", 3) == []
    as_written, by_stems = (index.search("kite", 3, stemmed=stemmed)[0] for stemmed in (False, True))
    assert by_stems.score == pytest.approx(as_written.score)


def test_title_and_abstract_count_more_where_a_body_follows() -> None:
    asked = Document("q", title="kite reel", abstract="kite", sections=(Section("Body", "kite tail"),))
    assert question_terms(asked) == {"kite": 2 * HEAD + 1, "reel": HEAD, "tail": 1}


def test_title_and_abstract_count_once_where_nothing_follows() -> None:
    assert question_terms(Document("q", title="kite", abstract="a kite")) == {"kite": 2, "a": 1}


def ndcg(found: list[str], relevant: set[str]) -> float:
    gained = sum(1 / math.log2(rank + 2) for rank, id_ in enumerate(found[:10]) if id_ in relevant)
    return gained / sum(1 / math.log2(rank + 2) for rank in range(min(10, len(relevant))))


def test_quality_on_a_judged_collection(shared: Path) -> None:
    """The reference point on cranfield is 0.350 (BM25 with all terms)."""
    import pyarrow.parquet as parquet

    def read(name: str) -> list[Document]:
        rows = parquet.read_table(shared / "data" / "cranfield" / f"{name}.parquet").to_pylist()
        return [Document(row["id"], title=row["title"] or "", abstract=row["abstract"] or "") for row in rows]

    relevant: dict[str, set[str]] = {}
    for line in (shared / "data" / "cranfield" / "qrels.tsv").read_text().splitlines():
        query, document, score = line.split("\t")
        if score.isdigit() and int(score) > 0:
            relevant.setdefault(query, set()).add(document)
    index = KeywordIndex.in_memory(read("corpus"))
    queries = [query for query in read("queries") if query.id in relevant]
    valid = [q for q in queries if int(hashlib.sha1(q.id.encode()).hexdigest(), 16) % 5 == 0]
    scores = [ndcg([hit.id for hit in index.search(q.text, 10)], relevant[q.id]) for q in queries]
    assert len(valid) > 10 and sum(scores) / len(scores) > 0.335


def test_the_reference_list_is_not_indexed() -> None:
    document = Document("a", title="Kites", sections=(Section("References", "[1] Submarines", "references"),))
    assert KeywordIndex.in_memory([document, *DOCUMENTS]).search("submarines", 3) == []


@pytest.mark.parametrize(("one", "other", "title"), WRITINGS)
def test_a_short_question_finds_a_word_however_it_is_written(one: str, other: str, title: str) -> None:
    written = [Document("it", title=title), *(Document(f"b{n}", title=f"Pumps and valves {n}") for n in range(9))]
    index = KeywordIndex.in_memory(written)
    for asked in (one, other):
        question = asked_terms(Document("q", "query", asked))
        assert [hit.id for hit in index.search(question, 3, stemmed=True)] == ["it"]
    assert index.holders([one]) == [frozenset({"it"})]


def test_spellings_count_as_one_word_and_a_paper_asks_as_it_writes() -> None:
    titles = ["colour", "color", *["pump"] * 8]
    index = KeywordIndex.in_memory([Document(f"d{n}", title=title) for n, title in enumerate(titles)])
    first, second = index.search("colour", 2, stemmed=True)
    assert first.score == pytest.approx(second.score)
    assert [hit.id for hit in index.search("colour", 2)] == ["d0"]


def test_a_spelling_whose_stem_is_of_other_words_does_not_count() -> None:
    titles = ["optimizing", *["optimal"] * 9, *["pump"] * 20]
    index = KeywordIndex.in_memory([Document(f"d{n}", title=title) for n, title in enumerate(titles)])
    assert index.search("optimising", 5, stemmed=True) == []


def test_a_compound_does_not_make_a_document_longer() -> None:
    index = KeywordIndex.in_memory([Document("a", title="non-linear pump"), Document("b", title="loud green pump")])
    assert index.lengths() == {"a": 3, "b": 3}
    first, second = index.search("pump", 2)
    assert first.score == pytest.approx(second.score)


class TestWords(WordsContract):
    """Over SQLite."""


@pytest.mark.parametrize("long", [0, 5, 60, 300, 950])
@pytest.mark.parametrize("k", [1, 30, 400, 5_000])
def test_the_best_of_both_groups_are_the_best_of_all_on_one_scale(long: int, k: int) -> None:
    draw = np.random.default_rng(long + k)
    scores = np.round(draw.exponential(3, 1_000) * (draw.random(1_000) < 0.6), 1).astype(np.float32)  # many are equal
    flags = draw.permutation(np.arange(1_000) < long)
    scores[flags] *= 2
    best, found = best_on_one_scale(scores, flags, k)
    scaled = on_one_scale(scores, flags)
    order = [place for place in np.argsort(-scaled, kind="stable").tolist() if scores[place] > 0][:k]
    assert best.tolist() == order and np.array_equal(found, scaled[order])
