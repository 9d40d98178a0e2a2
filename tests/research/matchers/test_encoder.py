"""Matchers as encoders: the contract for each kind, and folders that are not theirs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.documents import Document, Section
from engine.encoders import registry, storage
from engine.research.baselines.rows import ROWS
from engine.research.matchers.encoder import Lexicon, MatcherEncoder, frequent_trigrams, sentences_of
from engine.research.matchers.networks import (
    KINDS,
    Kind,
    MatcherSettings,
    Read,
    batches,
    encode_reads,
    method_of,
    name_of,
)
from tests.contracts.encoder import EMPTY, EncoderContract, corpus
from tests.research.matchers import small
from tests.research.matchers.small import network, some_reads

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


@pytest.mark.parametrize("kind", KINDS)
def test_the_weights_that_learn_do_not_hold_the_words(kind: Kind) -> None:
    net = network(kind)
    encode_reads(net, some_reads(kind)).square().sum().backward()
    assert all(one.grad is not None for one in net.parameters())
    assert not any("table" in name for name in net.state_dict())


class TestMatcher(EncoderContract):
    @pytest.fixture(params=KINDS)
    def encoder(self, request: pytest.FixtureRequest) -> MatcherEncoder:
        return small.encoder(request.param)

    def test_rows_are_unit_or_nothing(self, encoder: MatcherEncoder) -> None:
        lengths = np.linalg.norm(encoder.encode_documents([*corpus(), EMPTY]), axis=1)
        np.testing.assert_allclose(lengths, [1] * 40 + [0], atol=1e-6)

    def test_any_folder_is_read_by_its_method(self, encoder: MatcherEncoder, tmp_path: Path) -> None:
        encoder.save(tmp_path / "saved")
        again = registry.load_folder(tmp_path / "saved", ROWS.loaders)
        assert isinstance(again, MatcherEncoder)
        assert (again.card, again.kind, again.facts) == (encoder.card, encoder.kind, {"pairs": 0})
        assert storage.read_head(tmp_path / "saved")[1]["method"] == method_of(encoder.kind)
        assert again.card.name == name_of(encoder.kind)


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_behind_the_first_words_is_not_read(kind: Kind) -> None:
    encoder = small.encoder(kind, replace(small.SETTINGS, max_words=400))
    words = [word for document in corpus() for word in document.sections[0].text.split()]
    long = [*words[:400], *reversed(words * 80)]
    assert len(long) > 50_000
    texts = (words[:400], long, words[:399])  # each alone: the rows of one batch may be rounded apart
    rows = [encoder.encode_documents([Document("a", title=" ".join(one))])[0] for one in texts]
    np.testing.assert_array_equal(rows[0], rows[1])
    assert np.abs(rows[0] - rows[2]).max() > 1e-5
    assert encoder.card.max_tokens == 400


def rewritten(folder: Path, **facts: object) -> Path:
    """The folder with other facts in its card."""
    card = files.read_json(folder / "card.json")
    files.write_json(folder / "card.json", {**card, "facts": {**card["facts"], **facts}})
    return folder


def test_other_settings_than_a_matchers_are_refused(tmp_path: Path) -> None:
    small.encoder("smith").save(tmp_path / "saved")
    rewritten(tmp_path / "saved", settings={"width": -8})
    with pytest.raises(
        StorageError, match=r"Expected a matcher in .*width must be at least 1.* Build the folder again"
    ):
        MatcherEncoder.load(tmp_path / "saved")


def forged(folder: Path, **arrays: np.ndarray) -> Path:
    """The folder with other arrays, checksums and fingerprint made to fit."""
    small.encoder("arc-i").save(folder)
    card = json.loads((folder / "card.json").read_text())
    found = {**files.read_arrays(folder / storage.WEIGHTS, card["weights_sha256"]), **arrays}
    words, settings = small.lexicon("arc-i").words, card["facts"]["settings"]
    card["weights_sha256"] = files.write_arrays(folder / storage.WEIGHTS, found)
    card["card"]["fingerprint"] = storage.fingerprint_of(card["method"], found, words, settings=settings)
    files.write_json(folder / "card.json", card)
    return folder


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    bias = {"network.out.bias": np.zeros(3, np.float32)}
    with pytest.raises(StorageError, match=r"Expected weights of the shapes .*found .*'out.bias': \(3,\).* Build it"):
        MatcherEncoder.load(forged(tmp_path / "bias", **bias))
    with pytest.raises(StorageError, match=r"Expected a matcher in .*: Expected one vector for each of"):
        MatcherEncoder.load(forged(tmp_path / "words", words=np.zeros((3, 6), np.float16)))
