"""ELMo: the contract, and the authors' steps one number after another."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError
from engine.documents import Document
from engine.encoders import Encoder
from engine.research.baselines.elmo import ElmoEncoder, ElmoNetwork, ElmoSettings
from engine.research.baselines.rows import ROWS
from tests.contracts.encoder import EncoderContract, corpus
from tests.research.baselines.tiny_recurrent import Arrays, elmo

SMALL = ElmoSettings(max_characters=12, cell_clip=0.8, proj_clip=0.6)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return ElmoEncoder(elmo(), SMALL)

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        """Drawn weights read letters and nothing of what words mean."""
        rows = np.asarray(encoder.encode_documents(corpus()))
        assert len(np.unique(rows.round(4), axis=0)) == len(rows)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def word(arrays: Arrays, inner: list[int]) -> np.ndarray:
    """What the characters of a word give: filters, their largest, the highway, the projection."""
    inner = inner[:10]
    letters = arrays["char_embed"][[258, *inner, 259, *[260] * (10 - len(inner))]].astype(float)
    found = []
    for number in (0, 1):
        filters, bias = arrays[f"CNN/W_cnn_{number}"][0], arrays[f"CNN/b_cnn_{number}"]
        width = len(filters)
        windows = [letters[start : start + width] for start in range(len(letters) - width + 1)]
        met = [[(window * filters[:, :, one]).sum() + bias[one] for one in range(len(bias))] for window in windows]
        found.append(np.maximum(np.max(met, axis=0), 0))
    x = np.concatenate(found)
    carry = sigmoid(x @ arrays["CNN_high_0/W_carry"] + arrays["CNN_high_0/b_carry"])
    turned = np.maximum(x @ arrays["CNN_high_0/W_transform"] + arrays["CNN_high_0/b_transform"], 0)
    return (carry * turned + (1 - carry) * x) @ arrays["CNN_proj/W_proj"] + arrays["CNN_proj/b_proj"]


def layer(arrays: Arrays, name: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
    W, B, P = (arrays[f"{name}/{part}"].astype(float) for part in ("W_0", "B", "W_P_0"))
    cell, state, found = np.zeros(len(P)), np.zeros(P.shape[1]), []
    for x in inputs:
        i, j, f, o = np.split(np.concatenate([x, state]) @ W + B, 4)
        cell = np.clip(sigmoid(f + 1) * cell + sigmoid(i) * np.tanh(j), -0.8, 0.8)
        state = np.clip((sigmoid(o) * np.tanh(cell)) @ P, -0.6, 0.6)
        found.append(state)
    return found


def by_hand(arrays: Arrays, words: list[str]) -> np.ndarray:
    """The mean over three layers of each token's vectors: (t, 2 d)."""
    lowest = [word(arrays, inner) for inner in ([256], *(list(one.encode()) for one in words), [257])]
    both = []
    for direction in (0, 1):
        below = lowest[::-1] if direction else lowest
        names = [f"RNN_{direction}/RNN/MultiRNNCell/Cell{number}/LSTMCell" for number in (0, 1)]
        first = layer(arrays, names[0], below)
        second = [made + under for made, under in zip(layer(arrays, names[1], first), first, strict=True)]
        mean = [sum(parts) / 3 for parts in zip(below, first, second, strict=True)]
        both.append(mean[::-1] if direction else mean)
    return np.concatenate(both, axis=1)[1:-1]


def test_tokens_get_the_mean_of_all_layers_of_both_directions() -> None:
    arrays, sentences = elmo(), [["Boilers", "gauge"], ["a", "valve", "über", "incomprehensibly"]]
    found = ElmoNetwork(arrays, SMALL)(sentences)
    for vectors, words in zip(found, sentences, strict=True):
        np.testing.assert_allclose(vectors, by_hand(arrays, words), atol=1e-5)


def test_a_row_is_the_mean_over_the_tokens_of_sentences_read_alone() -> None:
    arrays = elmo()
    row = ElmoEncoder(arrays, SMALL).encode_documents([Document("a", abstract="The valve leaks. It is old.")])[0]
    parts = [by_hand(arrays, words) for words in (["The", "valve", "leaks", "."], ["It", "is", "old", "."])]
    wanted = np.concatenate(parts).sum(axis=0)
    np.testing.assert_allclose(row, wanted / np.linalg.norm(wanted), atol=1e-5)


def test_no_more_tokens_are_read_than_the_settings_say(tmp_path: Path) -> None:
    few = ElmoEncoder(elmo(), ElmoSettings(max_tokens=3))
    texts = [Document("a", abstract="The valve leaks."), Document("b", abstract="The valve leaks a lot. It is old.")]
    rows = few.encode_documents(texts)
    assert few.card.max_tokens == 3
    longer = ElmoEncoder(elmo(), ElmoSettings(max_tokens=300)).encode_documents(texts)
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)
    assert not np.allclose(longer[0], longer[1], atol=1e-3)
    few.save(tmp_path / "saved")
    again = ROWS.trained_encoder(f"elmo={tmp_path / 'saved'}")
    assert again.card == few.card
    np.testing.assert_array_equal(again.encode_documents(texts), rows)


@pytest.mark.parametrize("lost", ["CNN_proj/b_proj", "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/W_P_0", "char_embed"])
def test_an_array_too_few_is_told(lost: str) -> None:
    arrays = elmo()
    del arrays[lost]
    with pytest.raises(EncoderError, match=f"Expected the arrays of ELMo's own file, got others: .*{lost}"):
        ElmoEncoder(arrays)


def test_other_arrays_are_told() -> None:
    for name in ("softmax/W", "lstm.weight", ""):
        with pytest.raises(EncoderError, match=rf"got others: {re.escape(name)}\. Convert"):
            ElmoEncoder({**elmo(), name: np.zeros((2, 2), np.float32)})
    with pytest.raises(EncoderError, match=r"got others: .*shape"):
        ElmoEncoder({**elmo(), "CNN_proj/W_proj": np.zeros((2, 4), np.float32)})


def test_settings_outside_their_ranges_are_refused() -> None:
    with pytest.raises(ValueError, match="clips above 0"):
        ElmoSettings(cell_clip=0)
