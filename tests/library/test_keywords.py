"""BM25 over a library: our postings against FTS5's own ranking, and whole documents as questions."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.library.keywords import KeywordIndex
from engine.library.postings import HEAD, K1, K3, B, question_terms
from engine.library.store import Library
from tests.library.records import DOCUMENTS


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


def test_words_as_written_are_told_apart_beside_stems(worded: Library) -> None:
    """Frequencies and sentences that recur go by what stands there, whatever was asked by stems before."""
    worded.keywords.search("reels", 5, stemmed=True)
    assert (worded.keywords.frequencies()["reels"], worded.keywords.frequencies()["reel"]) == (
        1,
        1,
    )  # the title; the text
    assert worded.keywords.holding([("kite", "line"), ("kites", "line"), ("reel", "drum"), ()]) == [2, 1, 1, 0]


def test_a_whole_document_finds_itself_first(worded: Library) -> None:
    for document in DOCUMENTS:
        assert worded.keywords.search(document.text, 3)[0].id == document.id


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


def test_an_import_is_seen_at_once(worded: Library) -> None:
    assert worded.keywords.size == 5
    worded.add_file("k2", "more", [Document("subs", title="A submarine dives")])
    assert [hit.id for hit in worded.keywords.search("submarine", 3)] == ["subs"]
    assert worded.keywords.size == 6


@pytest.mark.parametrize(
    "odd", ["naïve", "x\u2032y", "`quoted`", "a’b", "µm", "it's", "日本語", "\u017ftrange", 'say "kite"']
)
def test_odd_tokens_are_found_as_written_by_stems_and_in_titles(tmp_path: Path, odd: str) -> None:
    with Library.open(tmp_path, create=True) as worded:
        worded.add_file("k1", "odd", [Document("odd", title=f"{odd} thing"), *DOCUMENTS])
        assert worded.keywords.search(odd, 1)[0].id == "odd"
        assert worded.keywords.search(odd, 1, stemmed=True)[0].id == "odd"
        assert worded.title_matches(odd) == ["odd"]


def test_a_title_is_looked_for_whatever_control_characters_are_typed(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as worded:
        worded.add_file("k1", "one", [Document("a", title="Steam valves")])
        assert worded.title_matches("steam\0 valv") == ["a"]
        assert worded.title_matches("\0") == []


def test_terms_keep_their_numbers_from_file_to_file(tmp_path: Path) -> None:
    with Library.open(tmp_path / "two", create=True) as worded:
        worded.add_file("one", "one", [Document("1", title="soup noodles")])
        worded.add_file("two", "two", [Document("2", title="noodles kites"), Document("3", title="kites soup")])
        with worded._database.read() as connection:
            assert connection.execute("SELECT number, term FROM terms ORDER BY number").fetchall() == [
                (0, "soup"),
                (1, "noodles"),
                (2, "kites"),
            ]
        assert [hit.id for hit in worded.keywords.search("kites", 5)] == ["2", "3"]


def test_titles_with_all_words_of_one_group_are_found(tmp_path: Path) -> None:
    papers = (
        Document("a", title="Steam valves of boats", year=1890, abstract="kites"),
        Document("b", "patent", title="Steam pumps"),
        Document("c", title='A "kite"'),
    )
    with Library.open(tmp_path, create=True) as worded:
        worded.add_file("k1", "three", papers)
        found = worded.titled([["steam", "boats"], ["kite"]], 9)
        assert [(one.id, one.kind, one.title, one.year) for one in found] == [
            ("a", "paper", "Steam valves of boats", 1890),
            ("c", "paper", 'A "kite"', None),
        ]
        assert len(worded.titled([["steam"]], 1)) == 1
        assert worded.titled([["kites"]], 9) == []  # an abstract is not searched
        assert worded.titled([], 9) == worded.titled([[]], 9) == []
