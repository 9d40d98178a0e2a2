"""Passages that cite, told from other questions by their marks."""

from __future__ import annotations

import pytest

from engine.documents.document import Document
from engine.documents.questions import citing_sentences, is_citing_passage, is_short

CITING = [
    "Walks on graphs mix fast [3], as was shown for expanders.",
    "Mixing was shown for expanders [12, 13] and later for trees [4-6].",
    "Mixing was shown for expanders (Alder and Birch, 2010; Cedar 2011a).",
    "Mixing was shown for expanders (see Alder et al., 2010).",
    "As Alder (2010) shows, walks on expanders mix fast.",
    "As Alder et al. 2010 show, walks on expanders mix fast.",
    "Mixing was shown for expanders [Alder 2010].",
]
NOT_CITING = [
    "Walks whose rate lies in [0, 1] mix fast.",
    "How fast do walks on expanders mix?",
    "Walks on graphs (since 2010 called lazy) mix fast.",
    "An array a[i] holds the 2010 values (in metres).",
    "It opened in 2010 (and closed in 2011).",
]


@pytest.mark.parametrize("text", CITING)
def test_a_question_with_marks_of_citation_is_a_passage_that_cites(text: str) -> None:
    assert is_citing_passage(Document("q", "query", abstract=text))


@pytest.mark.parametrize("text", NOT_CITING)
def test_other_brackets_and_years_are_none(text: str) -> None:
    assert not is_citing_passage(Document("q", "query", abstract=text))


@pytest.mark.parametrize("kind", ["paper", "patent"])
def test_a_document_that_cites_is_no_passage(kind: str) -> None:
    assert not is_citing_passage(Document("d", "paper" if kind == "paper" else "patent", abstract=CITING[0]))


def test_a_long_text_is_told_in_time_that_grows_with_it() -> None:
    assert not is_citing_passage(Document("q", "query", abstract="(A" + " Aa, (" * 50_000))


def test_sentences_that_cite_are_those_with_a_mark() -> None:
    text = "Walks mix fast. Expanders were shown to mix [3]. Trees mix slowly (Alder, 2010)! Nothing else."
    asked = Document("q", "query", title="Mixing (Birch, 2011)", abstract=text)
    expected = ["Mixing (Birch, 2011)", "Expanders were shown to mix [3].", "Trees mix slowly (Alder, 2010)!"]
    assert citing_sentences(asked) == expected
    assert citing_sentences(Document("q", "query", abstract="Walks mix fast.")) == []
    assert citing_sentences(Document("d", "paper", abstract=text)) == []


def test_a_text_of_fewer_than_forty_tokens_is_short() -> None:
    short, long = (Document("q", abstract="word " * count) for count in (39, 40))
    assert is_short(short) and not is_short(long)
    assert is_short(long, below_tokens=41) and not is_short(Document("q", title="", abstract=" "), below_tokens=0)
