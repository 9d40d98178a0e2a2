"""Token means of every shape of transformer that the papers name, each against the model's own output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError
from engine.documents import Document
from engine.encoders.transformer import Transformer, local_folder
from engine.encoders.transformer_mean import TransformerMeanEncoder
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.tiny_shapes import POSITIONS, SHAPES, write_shape

LONGEST = {**dict.fromkeys(SHAPES, POSITIONS), "roberta": POSITIONS - 2, "mpnet": POSITIONS - 2, "xlnet": None}
LONG = Document("long", abstract="boiler valve " * 400)


@pytest.fixture(scope="module", params=SHAPES)
def shape(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(shape: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_shape(tmp_path_factory.mktemp("shape") / shape, shape)


@pytest.fixture(scope="module")
def encoder(folder: Path) -> TransformerMeanEncoder:
    return TransformerMeanEncoder.open(folder, precision="float32")


def test_a_row_is_the_mean_of_what_the_model_gives_for_the_text_alone(
    folder: Path, encoder: TransformerMeanEncoder
) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    documents = [Document("one", title="valve"), *corpus()[:4]]  # of many lengths, so that the batch pads
    for document, row in zip(documents, encoder.encode_documents(documents), strict=True):
        ids = tokenizer(document.text, truncation=True, max_length=encoder.card.max_tokens)["input_ids"]
        with torch.inference_mode():
            mean = model(input_ids=torch.tensor([ids])).last_hidden_state[0].mean(dim=0).numpy()
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-5)


def test_what_a_text_is_encoded_with_does_not_matter(encoder: TransformerMeanEncoder) -> None:
    documents = [*corpus()[:4], EMPTY, LONG, Document("one", title="valve")]
    together = encoder.encode_documents(documents)
    alone = np.concatenate([encoder.encode_documents([document]) for document in documents])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert np.isfinite(together).all()
    assert together[[0, 1, 2, 3, 5, 6]].any(axis=1).all()


def test_the_longest_text_is_as_long_as_the_model_has_positions(shape: str, folder: Path) -> None:
    model = Transformer.open(folder, precision="float32")
    assert model.max_tokens == LONGEST[shape]
    if LONGEST[shape] is not None:
        whole = TransformerMeanEncoder(model, max_tokens=LONGEST[shape])
        assert np.isfinite(whole.encode_documents([LONG])).all()
        with pytest.raises(EncoderError, match=f"Expected max_tokens between 1 and {LONGEST[shape]}"):
            TransformerMeanEncoder(model, max_tokens=LONGEST[shape] + 1)


def test_a_saved_encoder_comes_back_the_same(encoder: TransformerMeanEncoder, tmp_path: Path) -> None:
    encoder.save(tmp_path / "kept")
    again = TransformerMeanEncoder.load(tmp_path / "kept")
    assert again.card == encoder.card
    np.testing.assert_array_equal(again.encode_documents(corpus()[:5]), encoder.encode_documents(corpus()[:5]))


def test_operations_count_every_matrix(shape: str, encoder: TransformerMeanEncoder) -> None:
    a_layer = {"xlnet": 5 * 16 * 16 + 2 * 16 * 16}.get(shape, 4 * 16 * 16 + 2 * 16 * 16)
    if shape in ("gpt", "gpt2", "xlm"):
        a_layer = 4 * 16 * 16 + 2 * 16 * 64  # the inner width is four times the outer one
    tokens = len(encoder._tokens([Document("a", title="Boiler valve")])[0])
    least = tokens * (2 * (2 * a_layer) + 2 * 4 * tokens * 16)
    found = encoder.operations([Document("a", title="Boiler valve")])
    assert least <= found < 1.3 * least  # XLNet has a few weights more


def test_a_model_that_no_download_left_here_is_nowhere() -> None:
    for name in ("nobody/nothing", "not a name", "/no/such/folder"):
        assert local_folder(name) is None
