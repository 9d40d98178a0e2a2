"""Skip-thoughts: the contract, and the authors' steps one number after another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError, StorageError
from engine.documents import Document
from engine.encoders import Encoder
from engine.evaluation import systems
from engine.research.baselines.rows import ROWS
from engine.research.baselines.skip_thoughts import SkipThoughtsEncoder, tokens
from tests.contracts.encoder import EncoderContract, corpus
from tests.research.baselines.tiny_recurrent import WORDS, Arrays, skip_thoughts


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return SkipThoughtsEncoder(WORDS, skip_thoughts())

    def test_the_inner_product_puts_the_same_subject_first(self, encoder: Encoder) -> None:
        """Drawn weights read the order of words and nothing of what they mean."""
        rows = np.asarray(encoder.encode_documents(corpus()))
        assert len(np.unique(rows.round(4), axis=0)) == len(rows)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def read(arrays: Arrays, network: str, vectors: np.ndarray) -> np.ndarray:
    """The last state, by Kiros et al., equations 3 to 6."""
    W, Wx, U, Ux, b, bx = (arrays[f"{network}_{part}"].astype(float) for part in ("W", "Wx", "U", "Ux", "b", "bx"))
    state = np.zeros(len(Ux))
    for x in vectors:
        reset, update = np.split(sigmoid(x @ W + b + state @ U), 2)
        new = np.tanh(x @ Wx + bx + reset * (state @ Ux))
        state = update * state + (1 - update) * new
    return state


def by_hand(arrays: Arrays, words: list[str]) -> np.ndarray:
    places = [WORDS.index(word) for word in words]
    uni = read(arrays, "uni/encoder", arrays["uni/table"][places])
    vectors = arrays["bi/table"][places]
    bi = np.concatenate([read(arrays, "bi/encoder", vectors), read(arrays, "bi/encoder_r", vectors[::-1])])
    return np.concatenate([one / np.linalg.norm(one) for one in (uni, bi)]) / np.sqrt(2)


def test_a_row_is_the_last_state_of_each_network_with_the_end_read() -> None:
    arrays = skip_thoughts()
    texts = ["boiler valve", "gene unheard expression cell protein"]
    rows = SkipThoughtsEncoder(WORDS, arrays).encode_documents([Document(one, abstract=one) for one in texts])
    np.testing.assert_allclose(rows[0], by_hand(arrays, ["boiler", "valve", "<eos>"]), atol=1e-5)
    wanted = by_hand(arrays, ["gene", "UNK", "expression", "cell", "protein", "<eos>"])
    np.testing.assert_allclose(rows[1], wanted, atol=1e-5)


@pytest.mark.parametrize(("models", "dim"), [(("uni",), 6), (("bi",), 8), (("uni", "bi"), 14)])
def test_either_model_may_stand_alone_and_comes_back_from_its_folder(
    models: tuple[str, ...], dim: int, tmp_path: Path
) -> None:
    made = SkipThoughtsEncoder(WORDS, skip_thoughts(models))
    assert made.card.dim == dim
    made.save(tmp_path / "saved")
    again = ROWS.trained_encoder(f"skip-thoughts={tmp_path / 'saved'}")
    np.testing.assert_array_equal(again.encode_documents(corpus()[:4]), made.encode_documents(corpus()[:4]))


def test_a_folder_is_read_by_its_sentences(tmp_path: Path) -> None:
    made = SkipThoughtsEncoder(WORDS, skip_thoughts())
    made.save(tmp_path / "saved")
    mean = systems.load_given(f"{tmp_path / 'saved'}:sentences", ROWS.loaders)
    parts = made.encode_documents([Document("a", abstract=one) for one in ("A boiler valve.", "The gene cell.")]).sum(
        axis=0
    )
    row = mean.encode_documents([Document("a", abstract="A boiler valve. The gene cell.")])[0]
    np.testing.assert_allclose(row, parts / np.linalg.norm(parts), atol=1e-6)


def test_marks_are_tokens_and_letters_keep_their_size() -> None:
    assert tokens("The boiler's valve, 2.") == ["The", "boiler", "'", "s", "valve", ",", "2", "."]


def test_weights_that_do_not_fit_are_told() -> None:
    arrays = skip_thoughts()
    del arrays["bi/encoder_r_U"]
    with pytest.raises(EncoderError, match=r"got too few or too many: bi/encoder_r_U\. Convert the weights again"):
        SkipThoughtsEncoder(WORDS, arrays)
    with pytest.raises(EncoderError, match="got too few or too many: <eos>"):
        SkipThoughtsEncoder(WORDS[:-1], skip_thoughts())
    with pytest.raises(EncoderError, match="got too few or too many: none"):
        SkipThoughtsEncoder(WORDS, {})
    with pytest.raises(EncoderError, match=r"uni/encoder, got .* vectors and other shapes of U\. Convert"):
        SkipThoughtsEncoder(WORDS, {**skip_thoughts(), "uni/encoder_U": np.zeros((6, 11), np.float32)})
    with pytest.raises(EncoderError, match="Expected 3 vectors and weights"):
        SkipThoughtsEncoder(["a", "UNK", "<eos>"], skip_thoughts())


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        SkipThoughtsEncoder.load(tmp_path)
