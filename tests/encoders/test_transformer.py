"""Transformers loaded by two threads at once, and of every shape that the papers name."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError
from engine.core.rows import batches
from engine.documents import Document
from engine.encoders.transformer import Transformer, config_of, empty_model, local_folder, without_dropout
from engine.encoders.transformer_mean import TransformerMeanEncoder
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.tiny_shapes import POSITIONS, SHAPES, write_shape
from tests.encoders.tiny_transformer import write_tiny_transformer

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = """
import threading, torch
from engine.encoders.transformer import empty_model

CONFIG = {"model_type": "bert", "vocab_size": 9, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1}
begin, problems = threading.Barrier(4), []

def load():
    begin.wait()
    try:
        assert empty_model(CONFIG).config.hidden_size == 4
    except Exception as error:
        problems.append(repr(error))

threads = [threading.Thread(target=load) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(problems)
"""


def test_threads_that_are_the_first_to_load_a_model_all_get_it() -> None:
    # a process of its own, because the library is imported once; without the lock one run in two or three fails
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]"


def test_threads_that_cut_at_other_lengths_get_their_own(tmp_path: Path) -> None:
    model = Transformer.open(write_tiny_transformer(tmp_path), precision="float32")
    text, wrong, begin = "steam valve " * 40, [], threading.Barrier(2)

    def read(length: int) -> None:
        begin.wait()
        wrong.extend(found for _ in range(400) if (found := len(model.tokens([text], length)[0])) != length)

    threads = [threading.Thread(target=read, args=(length,)) for length in (8, 32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_batches_are_of_like_lengths_and_of_so_many_tokens() -> None:
    lengths = [3, 256, 17, 256, 90, 1, 200]
    found = list(batches(lengths, 512))
    assert sorted(place for batch in found for place in batch) == list(range(7))
    assert found[0] == [1, 3]
    assert all(len(batch) * max(lengths[place] for place in batch) <= 512 for batch in found)
    assert list(batches([900, 2], 512)) == [[0], [1]], "a text that is too long is read alone"
    assert list(batches([], 512)) == []


SMALL = {
    "bert": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4},
    "distilbert": {"dim": 4, "n_layers": 1, "n_heads": 1, "hidden_dim": 4},
    "gpt2": {"n_embd": 4, "n_layer": 1, "n_head": 1},
}


@pytest.mark.parametrize("kind", SMALL)
def test_a_model_of_any_kind_drops_nothing_where_it_is_told_so(kind: str) -> None:
    from torch.nn import Dropout

    config = config_of(empty_model({"model_type": kind, "vocab_size": 9, **SMALL[kind]}))

    def shares(settings: dict[str, object]) -> set[float]:
        return {part.p for part in empty_model(settings).modules() if isinstance(part, Dropout)}

    assert shares(config) == {0.1}
    assert shares(without_dropout(config)) == {0.0}
    kept = without_dropout(config, of="att")
    changed = {name for name, value in kept.items() if value != config[name]}
    assert len(changed) == 1 and "att" in changed.pop()
    assert 0.1 in shares(kept)


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
