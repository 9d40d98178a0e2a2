"""Texts as word vectors, and as means of sentences."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.encoders.ctpe.embeddings import SentenceMeans, WordEmbeddings, end_to_end
from engine.errors import EncoderError
from tests.encoders.test_word_vectors import vectors_of

VECTORS = {"boiler": [1.0, 0.0], "valve": [0.0, 1.0], "steam": [0.5, 0.5], "gene": [-1.0, 0.0]}


@pytest.fixture
def words() -> WordEmbeddings:
    return WordEmbeddings.of(vectors_of(VECTORS))


def test_tokens_become_numbers_and_unknown_ones_are_passed_over(words: WordEmbeddings) -> None:
    found = words.ids("The BOILER, its <b>valve</b> & the boiler.", 200)
    assert found.dtype == np.int32
    assert found.tolist() == [0, 1, 0]


def test_the_first_known_words_are_read_and_no_more(words: WordEmbeddings) -> None:
    assert words.ids("what is a boiler valve gene steam", 3).tolist() == [0, 1, 3]
    assert len(words.ids("boiler valve " * 50_000, 200)) == 200


@pytest.mark.parametrize("text", ["", "unknown words only", "12 34", "漢字", "<b></b>"])
def test_nothing_known_is_no_number(words: WordEmbeddings, text: str) -> None:
    assert words.ids(text, 200).shape == (0,)
    assert words.ids(text, 200).dtype == np.int32


def test_texts_become_padded_vectors_and_lengths(words: WordEmbeddings) -> None:
    tokens, lengths = words.encode(["valve boiler gene", "", "steam"], 200)
    assert lengths.tolist() == [3, 0, 1]
    assert tokens.shape == (3, 3, 2)
    assert tokens.dtype == torch.float32
    assert tokens[0].tolist() == [[0, 1], [1, 0], [-1, 0]]
    assert tokens[2, 0].tolist() == [0.5, 0.5]


def test_no_text_and_only_empty_texts_give_no_vector(words: WordEmbeddings) -> None:
    for texts in ([], ["", ""]):
        tokens, lengths = words.encode(texts, 200)
        assert tokens.shape == (len(texts), 0, 2)
        assert lengths.tolist() == [0] * len(texts)


def test_numbers_stand_end_to_end() -> None:
    flat, offsets = end_to_end([np.array([5, 6], np.int32), np.empty(0, np.int32), np.array([7], np.int32)])
    assert (flat.tolist(), offsets.tolist(), flat.dtype) == ([5, 6, 7], [0, 2, 2, 3], np.int32)
    assert [len(part) for part in end_to_end([])] == [0, 1]


def test_a_table_is_frozen_until_it_is_trained(words: WordEmbeddings) -> None:
    ids = end_to_end([words.ids("boiler valve", 9)])
    assert not words.encode_ids(*ids)[0].requires_grad
    words.requires_grad_(True)
    words.encode_ids(*ids)[0].sum().backward()
    assert words.table.grad.tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]


def test_what_is_stored_comes_back_and_does_not_follow_later_training(words: WordEmbeddings) -> None:
    stored = words.as_stored()
    again = WordEmbeddings.build(stored.arrays, stored.words, stored.config)
    assert again.fingerprint == stored.fingerprint == words.fingerprint
    torch.testing.assert_close(again.table, stored.table, rtol=0, atol=0)
    torch.testing.assert_close(stored.table, words.table, rtol=0, atol=0.01)
    with torch.no_grad():
        words.table.mul_(-1)
    assert words.fingerprint != stored.fingerprint
    assert stored.table[0, 0] > 0 > words.as_stored().table[0, 0]


@pytest.mark.parametrize("rows", [np.zeros((0, 2)), np.zeros((3, 2)), np.zeros(2)])
def test_words_without_their_vectors_are_refused(rows: np.ndarray) -> None:
    with pytest.raises(EncoderError, match=r"Expected words and one vector each, got [02] words and vectors of shape"):
        WordEmbeddings(["a", "b"][: 2 * len(rows)], rows.astype(np.float32))


def test_a_sentence_is_the_mean_of_its_words_and_sentences_come_before_tokens(words: WordEmbeddings) -> None:
    means = SentenceMeans(words)
    tokens, lengths = means.encode(["The boiler has a valve. Nothing known. Gene et al. saw steam!", "", "Valve."], 200)
    assert lengths.tolist() == [2, 0, 1]
    assert tokens.shape == (3, 2, 2)
    torch.testing.assert_close(tokens[0], torch.tensor([[0.5, 0.5], [-0.25, 0.25]]))
    torch.testing.assert_close(tokens[2], torch.tensor([[0.0, 1.0], [0.0, 0.0]]))


def test_sentences_are_counted_not_words(words: WordEmbeddings) -> None:
    means = SentenceMeans(words)
    assert means.encode(["Boiler valve steam. Gene valve. Steam. Boiler."], 2)[1].tolist() == [2]
    assert means.encode(["Boiler valve. " * 20_000], 200)[1].tolist() == [200]


def test_the_words_of_sentences_can_be_trained(words: WordEmbeddings) -> None:
    words.requires_grad_(True)
    SentenceMeans(words).encode(["Boiler valve. Gene."], 9)[0].sum().backward()
    assert words.table.grad.tolist() == [[0.5, 0.5], [0.5, 0.5], [0, 0], [1, 1]]


def test_sentences_and_words_of_one_table_have_two_fingerprints(words: WordEmbeddings) -> None:
    means = SentenceMeans(words)
    assert means.fingerprint != words.fingerprint
    assert SentenceMeans.build(means.arrays, means.words, means.config).fingerprint == means.fingerprint
    assert means.as_stored().word_embeddings is not words
