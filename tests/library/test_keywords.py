"""BM25 over a library: our postings against FTS5's own ranking, and whole documents as questions."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.library import KeywordIndex, Library, question_terms
from engine.library.postings import HEAD, K1, K3, B

TEXTS = {
    "kites": "A kite flies in the wind. The kite has a tail and a line.",
    "reels": "A reel holds the line of a kite; the reel has a drum.",
    "boats": "A boat sails before the wind across the bay.",
    "soups": "Soup of leeks and potatoes, served hot.",
    "breads": "Bread of rye, baked slowly and served cold.",
}
DOCUMENTS = [Document(id_, title=id_.title(), abstract=text) for id_, text in TEXTS.items()]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path, create=True) as opened:
        opened.add_file("k1", "texts", DOCUMENTS)
        yield opened


def test_postings_give_the_scores_that_fts5_gives(library: Library) -> None:
    with library._database.read() as connection:
        by_fts5 = connection.execute(
            "SELECT documents.id, -bm25(keywords) AS score FROM keywords JOIN documents ON position = keywords.rowid"
            " WHERE keywords MATCH 'kite OR wind OR line' ORDER BY score DESC"
        ).fetchall()
    ours = library.keywords.search("kite wind line", 5)
    assert [hit.id for hit in ours] == [id_ for id_, _ in by_fts5] and len(ours) == 3
    assert [hit.score for hit in ours] == pytest.approx([score for _, score in by_fts5], rel=1e-4)


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


def test_words_as_written_are_told_apart_beside_stems(library: Library) -> None:
    """Frequencies and sentences that recur go by what stands there, whatever was asked by stems before."""
    library.keywords.search("reels", 5, stemmed=True)
    assert (library.keywords.frequencies()["reels"], library.keywords.frequencies()["reel"]) == (
        1,
        1,
    )  # the title; the text
    assert library.keywords.holding([("kite", "line"), ("kites", "line"), ("reel", "drum"), ()]) == [2, 1, 1, 0]


def test_a_whole_document_finds_itself_first(library: Library) -> None:
    for document in DOCUMENTS:
        assert library.keywords.search(document.text, 3)[0].id == document.id


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


def test_title_and_abstract_count_more_where_a_body_follows() -> None:
    asked = Document("q", title="kite reel", abstract="kite", sections=(Section("Body", "kite tail"),))
    assert question_terms(asked) == {"kite": 2 * HEAD + 1, "reel": HEAD, "tail": 1}


def test_title_and_abstract_count_once_where_nothing_follows() -> None:
    assert question_terms(Document("q", title="kite", abstract="a kite")) == {"kite": 2, "a": 1}


def test_documents_that_share_no_term_are_left_out() -> None:
    index = KeywordIndex.in_memory(DOCUMENTS)
    assert [hit.id for hit in index.search("soup", 5)] == ["soups"]
    assert index.search("submarine", 5) == []
    assert index.search("", 5) == [] and index.search("!?", 5) == []


def test_within_limits_the_answer(library: Library) -> None:
    assert [hit.id for hit in library.keywords.search("kite wind", 5, within={"boats", "soups"})] == ["boats"]
    assert library.keywords.search("kite wind", 5, within=[]) == []
    assert library.keywords.search("kite wind", 5, within=["nowhere"]) == []


def test_ties_go_to_the_earlier_document() -> None:
    index = KeywordIndex.in_memory([Document(str(n), title="same words here") for n in range(30)])
    assert [hit.id for hit in index.search("words", 4)] == ["0", "1", "2", "3"]


def test_the_reference_list_is_not_indexed() -> None:
    document = Document("a", title="Kites", sections=(Section("References", "[1] Submarines", "references"),))
    assert KeywordIndex.in_memory([document, *DOCUMENTS]).search("submarines", 3) == []


def test_frequencies_count_documents(library: Library) -> None:
    frequencies = library.keywords.frequencies()
    assert (frequencies["kite"], frequencies["served"], frequencies.get("submarine", 0)) == (2, 2, 0)
    assert frequencies.documents == 5 and "kite" in frequencies and len(frequencies) == len(list(frequencies))


def test_an_import_is_seen_at_once(library: Library) -> None:
    assert library.keywords.size == 5
    library.add_file("k2", "more", [Document("subs", title="A submarine dives")])
    assert [hit.id for hit in library.keywords.search("submarine", 3)] == ["subs"]
    assert library.keywords.size == 6


@pytest.mark.parametrize(
    "odd", ["naïve", "x\u2032y", "`quoted`", "a’b", "µm", "it's", "日本語", "\u017ftrange", 'say "kite"']
)
def test_odd_tokens_are_found_as_written_by_stems_and_in_titles(tmp_path: Path, odd: str) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "odd", [Document("odd", title=f"{odd} thing"), *DOCUMENTS])
        assert library.keywords.search(odd, 1)[0].id == "odd"
        assert library.keywords.search(odd, 1, stemmed=True)[0].id == "odd"
        assert library.title_matches(odd) == ["odd"]


def test_a_title_is_looked_for_whatever_control_characters_are_typed(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one", [Document("a", title="Steam valves")])
        assert library.title_matches("steam\0 valv") == ["a"]
        assert library.title_matches("\0") == []


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


def test_terms_keep_their_numbers_from_file_to_file(tmp_path: Path) -> None:
    with Library.open(tmp_path / "two", create=True) as library:
        library.add_file("one", "one", [Document("1", title="soup noodles")])
        library.add_file("two", "two", [Document("2", title="noodles kites"), Document("3", title="kites soup")])
        with library._database.read() as connection:
            assert connection.execute("SELECT number, term FROM terms ORDER BY number").fetchall() == [
                (0, "soup"),
                (1, "noodles"),
                (2, "kites"),
            ]
        assert [hit.id for hit in library.keywords.search("kites", 5)] == ["2", "3"]
