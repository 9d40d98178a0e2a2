"""Which sentences are judged, and what holds a document out."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.research.salience.texts import Body, SentenceWords, held_out, trained_on
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
