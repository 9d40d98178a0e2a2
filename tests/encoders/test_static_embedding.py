"""StaticEmbedding folders: the mean of word vectors, as the folder says, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.core.errors import EncoderError
from engine.documents import Document
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.bring import look_at_model, spoken_facts
from engine.encoders.sentence_transformer import StaticEmbeddingEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.tiny_transformer import MARKS


def write_words(folder: Path, *, name: str = "embedding.weight", whole: object = None) -> Path:
    """Write a folder as sentence-transformers does, with drawn vectors of the words of the tests' corpus."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    folder.mkdir()
    words = sorted({word for document in corpus() for word in document.text.lower().replace(".", "").split()})
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate([*MARKS, *words])}, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    with torch.random.fork_rng():
        torch.manual_seed(3)
        table = torch.randn(len(MARKS) + len(words), 24)
    table[:5] = 0
    save_file({name: table}, folder / "model.safetensors")
    kinds = ("StaticEmbedding", "Normalize")
    listed = [{"idx": n, "name": str(n), "path": "" if not n else "1_Normalize"} for n in range(2)]
    modules = [{**one, "type": f"sentence_transformers.models.{kind}"} for one, kind in zip(listed, kinds, strict=True)]
    (folder / "modules.json").write_text(json.dumps(modules))
    if whole is not None:
        (folder / "config_sentence_transformers.json").write_text(json.dumps(whole))
    return folder


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
        return StaticEmbeddingEncoder.open(write_words(tmp_path_factory.mktemp("static") / "model"))


@pytest.mark.parametrize("name", ["embedding.weight", "embeddings"])
def test_a_row_is_the_mean_of_its_words_at_unit_length(name: str, tmp_path: Path) -> None:
    folder = write_words(tmp_path / "model", name=name)
    encoder = registry.load_folder(folder)
    assert isinstance(encoder, StaticEmbeddingEncoder)
    table = load_file(folder / "model.safetensors")[name].numpy()
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    (row,) = encoder.encode_documents([Document("a", abstract="boiler valve boiler")])
    mean = table[[vocabulary[word] for word in ("boiler", "valve", "boiler")]].mean(axis=0)
    np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-6)
    assert not encoder.encode_documents([Document("a")]).any()


def test_prompts_stand_before_questions_and_are_kept(tmp_path: Path) -> None:
    folder = write_words(tmp_path / "model", whole={"prompts": {"query": "boiler "}})
    encoder = registry.load_folder(folder)
    asked = [Document("a", abstract="valve")]
    expected = encoder.encode_documents([Document("a", abstract="boiler valve")])
    np.testing.assert_allclose(encoder.encode_queries(asked), expected, atol=1e-6)
    encoder.save(tmp_path / "kept")
    np.testing.assert_allclose(registry.load_folder(tmp_path / "kept").encode_queries(asked), expected, atol=1e-6)


def test_its_facts_say_that_it_reads_everything(tmp_path: Path) -> None:
    told = spoken_facts(look_at_model(str(write_words(tmp_path / "model"))))
    assert (told["Reads"], told["Vector"], told["Kind"]) == ("the whole document", "24 numbers", "words")


def _no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _bad_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def _pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _few_vectors(folder: Path) -> None:
    save_file({"embeddings": torch.zeros(3, 24)}, folder / "model.safetensors")


def _more_arrays(folder: Path) -> None:
    save_file({"embeddings": torch.zeros(90, 4), "mapping": torch.zeros(90)}, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_no_tokenizer, "found none that can be read"),
        (_bad_tokenizer, "Expected a tokenizer in"),
        (_pickled, "found none that can be read"),
        (_few_vectors, "Expected a vector for each of .* words, got 3x24"),
        (_more_arrays, "Expected one table, .*, got embeddings, mapping"),
    ],
)
def test_what_cannot_be_read_is_told(harm: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    folder = write_words(tmp_path / "model")
    harm(folder)
    with pytest.raises(EncoderError, match=said):
        registry.load_folder(folder)
