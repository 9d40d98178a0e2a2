"""Token vectors that are kept: what is read again, what is dropped, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.ctpe.embeddings import RememberedVectors, TransformerTokens, remembered, remembering
from engine.encoders.transformer import Transformer
from tests.encoders.ctpe import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer


class Reader:
    """Reads a token as its number, twice; knows the texts that it was asked for."""

    def __init__(self, precision: torch.dtype = torch.float32) -> None:
        self.precision = precision
        self.asked: list[list[int]] = []

    def __call__(self, texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        self.asked += [list(ids) for ids in texts]
        vectors = torch.full((len(texts), max(map(len, texts), default=0), 2), 99, dtype=self.precision)
        for place, ids in enumerate(texts):
            vectors[place, : len(ids)] = torch.tensor(ids, dtype=self.precision)[:, None]
        return vectors, torch.tensor([len(ids) for ids in texts])


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def test_only_new_texts_are_read_and_all_come_back_in_their_order() -> None:
    held, read = RememberedVectors(1_000), Reader()
    held.vectors("a", [ids(1, 2)], read)
    vectors, lengths = held.vectors("a", [ids(5), ids(1, 2), ids(), ids(5)], read)
    assert read.asked == [[1, 2], [5], []], "a text that stands twice is read once"
    assert lengths.tolist() == [1, 2, 0, 1]
    assert vectors[..., 0].tolist() == [[5, 0], [1, 2], [0, 0], [5, 0]], "zeros beyond each length"
    assert vectors.dtype == torch.float32


def test_texts_of_no_token_have_one_place_of_zeros() -> None:
    vectors, lengths = RememberedVectors(1_000).vectors("a", [ids(), ids()], Reader())
    assert (vectors.tolist(), lengths.tolist()) == ([[[0, 0]], [[0, 0]]], [0, 0])


def test_another_model_reads_for_itself() -> None:
    held, read = RememberedVectors(1_000), Reader()
    for model in ("a", "b", "a"):
        held.vectors(model, [ids(7)], read)
    assert read.asked == [[7], [7]]


def test_the_oldest_make_room() -> None:
    """Two numbers of two bytes a token: there is room for four tokens."""
    held, read = RememberedVectors(16), Reader()
    for one in (ids(1, 2), ids(3), ids(4)):
        held.vectors("a", [one], read)
    held.vectors("a", [ids(3), ids(4), ids(1, 2)], read)
    assert read.asked == [[1, 2], [3], [4]]
    held.vectors("a", [ids(5)], read)
    held.vectors("a", [ids(3), ids(4), ids(5)], read)
    assert read.asked[3:] == [[5]], "only the first had to go"
    held.vectors("a", [ids(1, 2)], read)
    assert read.asked[4:] == [[1, 2]]


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_vectors_come_back_in_the_precision_that_they_were_read_in(precision: torch.dtype) -> None:
    held, read = RememberedVectors(1_000), Reader(precision)
    for _ in range(2):
        assert held.vectors("a", [ids(3)], read)[0].dtype == precision
    assert read.asked == [[3]]


def test_what_is_kept_is_a_copy() -> None:
    held, read = RememberedVectors(1_000), Reader()
    vectors, _ = held.vectors("a", [ids(3)], read)
    vectors.zero_()
    assert held.vectors("a", [ids(3)], read)[0].tolist() == [[[3, 3]]]


def test_vectors_are_remembered_within_only() -> None:
    assert remembered() is None
    with remembering():
        outer = remembered()
        assert outer is not None
        with remembering(0):
            assert remembered() is not outer
        assert remembered() is outer
    with pytest.raises(KeyboardInterrupt), remembering():
        raise KeyboardInterrupt
    assert remembered() is None


def counted(tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each call of the transformer reads, from now on."""
    calls: list[int] = []
    plain = tokens.transformer.token_vectors

    def read(given: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        calls.append(len(given))
        return plain(given)

    monkeypatch.setattr(tokens.transformer, "token_vectors", read)
    return calls


def test_a_text_is_read_once_while_vectors_are_remembered(
    tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["boiler valve", "", "gene pathway of the cell", "boiler valve"]
    wanted, wanted_lengths = tokens.encode(texts, 20)
    calls = counted(tokens, monkeypatch)
    with remembering():
        for _ in range(2):
            found, lengths = tokens.encode(texts, 20)
            assert lengths.tolist() == wanted_lengths.tolist()
            for row, plain, length in zip(found, wanted, lengths.tolist(), strict=True):
                torch.testing.assert_close(row[:length], plain[:length], atol=2e-3, rtol=0)
        tokens.encode(["steam", "gene pathway of the cell"], 20)
        tokens.encode(["gene pathway of the cell"], 3)  # other tokens: cut earlier
    assert calls == [3, 1, 1]
    tokens.encode(texts, 20)
    assert calls == [3, 1, 1, 4]


def test_what_has_no_room_is_read_again(tokens: TransformerTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(tokens, monkeypatch)
    texts = ["boiler valve", "gene pathway of the cell"]
    with remembering(most_bytes=0):
        found, lengths = tokens.encode(texts, 20)
        tokens.encode(texts, 20)
    assert calls == [2, 2] and found.isfinite().all() and min(lengths) > 2


def test_a_network_learns_on_vectors_that_were_remembered_while_it_only_read(tokens: TransformerTokens) -> None:
    network = tiny.network(tokens.dim)
    with remembering():
        with torch.inference_mode():
            tokens.encode(["boiler valve"], 20)
        network(*tokens.encode(["boiler valve", "gene"], 20)).sum().backward()
    assert all(np.isfinite(parameter.grad.numpy()).all() for parameter in network.parameters())


def test_two_models_do_not_share_what_is_remembered(tokens: TransformerTokens, tmp_path: Path) -> None:
    folder = write_tiny_transformer(tmp_path / "other", max_positions=40)
    other = TransformerTokens(Transformer.open(folder, precision="float32"))
    with remembering():
        one, another = (each.encode(["boiler valve"], 20)[0] for each in (tokens, other))
    assert not torch.allclose(one, another)
