"""Which sentences are judged, and what holds a document out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.evaluation.benchmarks import read_documents
from engine.research.salience.texts import (
    Body,
    SentenceWords,
    citing_sentences,
    held_out,
    mentions,
    read_citations,
    trained_on,
)
from engine.training.long_corpus import LabelledPair
from tests.research.salience.made import KEY, paper


def test_a_body_is_without_title_abstract_references_and_sentences_without_a_word() -> None:
    body = Body.of(paper())
    assert len(body.sentences) == 8
    assert (body.texts[2], body.texts[6]) == KEY
    assert not any("42." == text or "Governor, A." in text or "engines" in text for text in body.texts)
    assert len(body.abstract) == 2


def test_a_sentence_stands_where_it_says() -> None:
    body = Body.of(paper())
    for chunk in body.sentences:
        part = body.document.parts[chunk.part]
        assert (part.text[chunk.start : chunk.stop], part.title) == (chunk.text, chunk.section)


def test_words_weigh_by_how_few_sentences_have_them() -> None:
    words = SentenceWords.of(["coal coal engine", "coal governor", "coal"])
    rows = words.rows(["coal governor", "the unknown"]).toarray()
    column = words.vectorizer.vocabulary_
    assert rows[0, column["governor"]] > rows[0, column["coal"]]
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert not rows[1].any()


def test_nothing_to_weigh_by_is_told() -> None:
    with pytest.raises(EvaluationError, match="Expected sentences with words to weigh by, got none"):
        SentenceWords.of(["the of 42"])


def test_held_out_stands_in_no_pair_that_trains() -> None:
    pairs = [
        LabelledPair("a", "b", True, "train"),
        LabelledPair("b", "c", True, "test"),
        LabelledPair("d", "e", True, "valid"),
        LabelledPair("e", "f", False, "test"),
    ]
    assert trained_on(pairs) == {"a", "b"}
    assert held_out(pairs, "test") == {"c", "e", "f"}
    assert held_out(pairs, "valid") == {"d"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as Collins (1997) shows", {("Collins", 1997)}),
        ("is known (Ge et al., 1998; van der Berg, 2001a).", {("Ge", 1998), ("van der Berg", 2001)}),
        ("see (Och and Ney, 2003)", {("Och", 2003)}),
        ("Brown, Pietra and Mercer (1993) and Collins’s (1999) parser", {("Brown", 1993), ("Collins", 1999)}),
        ("in 1997 there were 1998 trees", set()),
    ],
)
def test_a_mention_is_the_first_name_with_the_year(text: str, expected: set[tuple[str, int]]) -> None:
    assert mentions(text) == expected


def citing(name: str, *said: str) -> Document:
    return Document(id=name, title=name, sections=(Section("Work", " ".join(said)),), year=2005)


BOILER = "Boilers burst under too much steam pressure, as found by Adams (1990)."
OTHERS = "Some others used valves of iron (Baker, 1990)."
PAPERS = [
    Document(id="cited", title="Boilers", year=1990),
    Document(id="second", title="Valves", year=1990),
    citing("one", BOILER, OTHERS),
    citing("two", "Steam boilers are tested by pressure of cold water (Adams, 1990; Clark, 1991).", OTHERS),
    citing("three", OTHERS, "It is so (Adams, 1990)."),
    citing("four", OTHERS),
]


def test_the_name_is_told_from_who_cites_and_its_sentences_are_taken_without_marks() -> None:
    found = citing_sentences(PAPERS, [("one", "cited"), ("two", "cited"), ("three", "cited")])
    assert set(found) == {"cited"}
    assert found["cited"].mention == ("Adams", 1990)
    assert len(found["cited"].sentences) == 2
    assert not any("1990" in text or "Clark" in text for text in found["cited"].sentences)
    assert found["cited"].sentences[0].startswith("Boilers burst under too much steam pressure")


def test_a_paper_that_one_cites_or_whose_name_is_shared_is_left_out() -> None:
    assert citing_sentences(PAPERS, [("one", "cited")]) == {}
    both = [("one", "cited"), ("two", "cited"), ("one", "second"), ("two", "second")]
    assert citing_sentences(PAPERS, both) == {}


def test_papers_that_are_not_at_hand_count_for_nothing() -> None:
    assert citing_sentences(PAPERS, [("one", "gone"), ("gone", "cited"), ("cited", "cited")]) == {}


def test_citations_are_two_columns(tmp_path: Path) -> None:
    (tmp_path / "citations.tsv").write_text("citing\tcited\na\tb\n")
    assert read_citations(tmp_path / "citations.tsv") == [("a", "b")]
    (tmp_path / "other.tsv").write_text("citing\tcited\na b\n")
    for name in ("other.tsv", "none.tsv"):
        with pytest.raises(EvaluationError, match=f"Expected the columns citing and cited.* in {name}"):
            read_citations(tmp_path / name)


def test_known_names_are_told_in_real_papers(shared: Path) -> None:
    """Nobody tells the authors: that these come out is evidence that the rule works."""
    folder = shared / "data" / "acl-long"
    pairs = read_citations(folder / "citations.tsv")
    known = {"acl:P97-1003": "Collins", "acl:J96-1002": "Berger", "acl:P05-1066": "Collins", "acl:P08-1068": "Koo"}
    by = {citing for citing, cited in pairs if cited in known}
    documents = read_documents(folder / "corpus.parquet")
    near = [document for place, document in enumerate(documents) if document.id in by | set(known) or place % 40 == 0]
    found = citing_sentences(near, [pair for pair in pairs if pair[1] in known])
    assert {name: one.mention[0] for name, one in found.items()} == known
