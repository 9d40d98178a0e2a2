"""What a matcher reads of a document: words in rows, trigrams with their counts."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.errors import EncoderError
from engine.documents import Document, Section
from engine.encoders.masked_texts import Read, batches
from engine.research.matchers.lexicon import Lexicon, frequent_trigrams, sentences_of
from engine.research.matchers.settings import Kind, MatcherSettings

TEXT = "The valve opens. The boiler of the engine is hot, and the steam rises! A valve closes."


DOCUMENT = Document("d", sections=(Section("Body", TEXT), Section("References", "Engine 1999.", "references")))


WORDS = ("the", "valve", "opens", "boiler", "engine", "hot", "steam", "rises", "closes")


def lexicon() -> Lexicon:
    return Lexicon(WORDS, np.ones((len(WORDS), 2), np.float16))


def rows(kind: Kind, **settings: int) -> list[list[str]]:
    read = lexicon().read(DOCUMENT, kind, MatcherSettings(**settings))
    return [[WORDS[number] for number in row] for row in np.split(read.numbers, np.cumsum(read.lengths)[:-1])]


def test_sentences_end_after_the_words_that_are_read() -> None:
    assert [len(one) for one in sentences_of(DOCUMENT, 100)] == [3, 11, 3]
    assert sentences_of(DOCUMENT, 5) == [["the", "valve", "opens"], ["the", "boiler"]]
    assert sentences_of(DOCUMENT, 3) == [["the", "valve", "opens"]]
    assert sentences_of(Document("empty"), 3) == []


def test_han_reads_sentences_and_cuts_long_ones() -> None:
    first, last = ["the", "valve", "opens"], ["valve", "closes"]
    assert rows("han") == [first, ["the", "boiler", "the", "engine", "hot", "the", "steam", "rises"], last]
    middle = [["the", "boiler", "the", "engine", "hot"], ["the", "steam", "rises"]]
    assert rows("han", row_words=5) == [first, *middle, last]


def test_smith_fills_blocks_with_whole_sentences() -> None:
    assert [len(row) for row in rows("smith", row_words=11)] == [11, 2]
    assert [len(row) for row in rows("smith", row_words=5)] == [3, 5, 5]


@pytest.mark.parametrize("kind", ["arc-i", "s-long"])
def test_others_read_one_row(kind: Kind) -> None:
    assert [len(row) for row in rows(kind)] == [13]
    assert rows(kind, max_words=5) == [["the", "valve", "opens", "the", "boiler"]]


def test_known_trigrams_are_counted() -> None:
    read = Lexicon(("#th", "the", "he#", "xyz", "alv")).read(DOCUMENT, "dssm", MatcherSettings())
    assert (read.numbers.tolist(), read.lengths.tolist()) == ([0, 1, 2, 4], [4])
    counts = np.log1p(np.array([4, 4, 4, 2]))
    assert read.weights is not None
    np.testing.assert_allclose(read.weights, counts / np.linalg.norm(counts), rtol=1e-6)
    assert len(Lexicon(("xyz",)).read(DOCUMENT, "dssm", MatcherSettings())) == 0


def test_frequent_trigrams_stand_in_most_documents() -> None:
    documents = [Document("a", title="aba aba aba"), Document("b", title="cab"), Document("c", title="cab")]
    assert frequent_trigrams(documents, MatcherSettings(trigrams=3)) == ("#ca", "ab#", "cab")
    assert frequent_trigrams(documents[:1], MatcherSettings()) == ("#ab", "aba", "ba#")


def test_words_without_vectors_are_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected one vector for each of 2 words, got \(3, 4\)\. Give them in"):
        Lexicon(("a", "b"), np.zeros((3, 4), np.float16))


def test_hidden_words_leave_rows_that_hold_some() -> None:
    read = Read(np.arange(6, dtype=np.int32), np.array([2, 3, 1]), np.arange(6, dtype=np.float32))
    kept = np.array([False, False, True, False, True, True])
    thin = read.thinned(kept)
    assert (thin.numbers.tolist(), thin.lengths.tolist()) == ([2, 4, 5], [2, 1])
    assert thin.weights is not None and thin.weights.tolist() == [2, 4, 5]
    assert read.thinned(~kept & kept) is read


def test_batches_hold_so_many_numbers_with_their_padding() -> None:
    reads = [Read.of([[1] * length] * count) for length, count in ((3, 2), (10, 1), (1, 4), (0, 1), (10, 9))]
    assert list(batches(reads, 24)) == [[2, 0], [1], [4]]
    assert sorted(place for batch in batches(reads, 10**6) for place in batch) == [0, 1, 2, 4]
    assert list(batches([], 5)) == []
