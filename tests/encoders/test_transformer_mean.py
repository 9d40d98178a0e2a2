"""Means of tokens and of sentences as a text's vector: the contract, the arithmetic, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from transformers import BertModel

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.documents import Document, Section
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.processor import fastest_precision
from engine.encoders.sentence_mean import SentenceMeanEncoder
from engine.encoders.transformer import Transformer, empty_model
from engine.encoders.transformer_mean import POOLS, TransformerChunksEncoder, TransformerMeanEncoder, sums
from engine.encoders.word_vectors import Word2vecMeanEncoder
from engine.research.baselines.random_rows import random_words
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.tiny_transformer import write_tiny_transformer

VECTORS = np.random.default_rng(6).standard_normal((3, 4, 2)).astype(np.float32)


LENGTHS = np.array([4, 1, 2])


PLAIN = {
    "cls_token": lambda rows: rows[0],
    "max_tokens": lambda rows: rows.max(axis=0),
    "mean_tokens": lambda rows: rows.mean(axis=0),
    "mean_sqrt_len_tokens": lambda rows: rows.sum(axis=0) / len(rows) ** 0.5,
    "weightedmean_tokens": lambda rows: np.average(rows, axis=0, weights=np.arange(1, len(rows) + 1)),
    "lasttoken": lambda rows: rows[-1],
}


@pytest.mark.parametrize("name", POOLS)
def test_a_pool_reads_the_text_alone(name: str) -> None:
    found = POOLS[name](VECTORS, LENGTHS)
    expected = [PLAIN[name](rows[:length]) for rows, length in zip(VECTORS, LENGTHS, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.dtype == np.float32
    dirty = VECTORS.copy()
    dirty[1, 1:], dirty[2, 2:] = 1e6, -1e6
    np.testing.assert_array_equal(POOLS[name](dirty, LENGTHS), found)


def test_sums_are_means_before_they_are_divided() -> None:
    np.testing.assert_allclose(sums(VECTORS, LENGTHS)[1], VECTORS[1, 0])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model")


class TestMeanContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tiny: Path) -> Encoder:
        return TransformerMeanEncoder.open(tiny, max_tokens=40, precision="float32")


def test_a_row_is_the_mean_of_all_token_vectors_at_unit_length(tiny: Path) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(tiny).eval(), AutoTokenizer.from_pretrained(tiny)
    encoder = TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32")
    documents = corpus()[:5]
    for document, row in zip(documents, encoder.encode_documents(documents), strict=True):
        given = tokenizer(document.text, truncation=True, max_length=8, return_tensors="pt")
        assert given["input_ids"].shape == (1, 8)
        with torch.inference_mode():
            mean = model(**given).last_hidden_state[0].mean(dim=0).numpy()
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-6)


def test_bfloat16_keeps_rows_to_a_hundredth_in_any_batch(tiny: Path) -> None:
    whole = TransformerMeanEncoder.open(tiny, max_tokens=40, precision="float32").encode_documents(corpus())
    quick = TransformerMeanEncoder.open(tiny, max_tokens=40, precision="bfloat16")
    together = quick.encode_documents(corpus())
    alone = np.concatenate([quick.encode_documents([document]) for document in corpus()])
    np.testing.assert_allclose(together, whole, atol=1e-2)
    np.testing.assert_allclose(alone, together, atol=1e-2)
    assert fastest_precision() in {"bfloat16", "float32"}


def test_what_changes_a_vector_changes_the_fingerprint(tiny: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    other = write_tiny_transformer(tmp_path / "other")
    weights = load_file(other / "model.safetensors")
    weights["embeddings.word_embeddings.weight"] += torch.ones(1)
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    kinds = [
        TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32"),
        TransformerMeanEncoder.open(tiny, max_tokens=9, precision="float32"),
        TransformerMeanEncoder.open(tiny, max_tokens=8, precision="bfloat16"),
        TransformerMeanEncoder.open(other, max_tokens=8, precision="float32"),
    ]
    assert len({kind.card.fingerprint for kind in kinds}) == 4
    again = TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32")
    again.encode_documents(corpus())
    assert again.card.fingerprint == kinds[0].card.fingerprint


def test_texts_are_read_in_halves_where_a_gpu_has_no_memory_for_all(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = TransformerMeanEncoder.open(tiny, precision="float32")
    whole = encoder.encode_documents(corpus())
    forward, asked = BertModel.forward, []

    def short_of_memory(self: BertModel, **given: torch.Tensor) -> object:
        asked.append(len(given["input_ids"]))
        if asked[-1] > 2:
            raise torch.OutOfMemoryError
        return forward(self, **given)

    monkeypatch.setattr(BertModel, "forward", short_of_memory)
    np.testing.assert_allclose(encoder.encode_documents(corpus()), whole, atol=1e-5)
    assert max(asked) > 2


def test_a_very_long_document_and_one_of_one_word_are_read(tiny: Path) -> None:
    encoder = TransformerMeanEncoder.open(tiny, max_tokens=40)
    rows = encoder.encode_documents(
        [Document("long", abstract="boiler valve " * 25_000), Document("one", title="gene")]
    )
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "surface waves over shallow water " * 500,
        "x" * 5_000 + " waves over water " * 50,
        "waves" + " " * 5_000 + "over water " * 50,
        " " * 5_000 + "waves over water " * 50,
        "\n".join(["waves"] * 3_000),
        "water " + "水" * 4_000,
    ],
)
@pytest.mark.parametrize("most", [3, 12, 40])
def test_the_first_tokens_of_a_long_text_are_those_of_the_whole(tiny: Path, text: str, most: int) -> None:
    model = Transformer.open(tiny)
    tokenizer = Tokenizer.from_str(model.tokenizer)
    tokenizer.enable_truncation(most)
    assert model.tokens([text, "waves"], most) == [tokenizer.encode(one).ids for one in (text, "waves")]


def test_operations_count_each_weight_twice_a_token_and_attention(tiny: Path) -> None:
    encoder = TransformerMeanEncoder.open(tiny, max_tokens=40)
    a_layer = 4 * 32 * 32 + 2 * 32 * 32  # queries, keys, values and output; then there and back
    tokens = len("boiler valve".split()) + 2
    expected = tokens * (2 * (2 * a_layer) + 2 * 4 * tokens * 32)
    assert encoder.operations([Document("a", title="Boiler valve")]) == expected  # without the pooler: nothing reads it


@pytest.mark.parametrize("max_tokens", [0, 65])
def test_more_tokens_than_the_model_reads_are_refused(tiny: Path, max_tokens: int) -> None:
    with pytest.raises(EncoderError, match=f"Expected max_tokens between 1 and 64, .* got {max_tokens}"):
        TransformerMeanEncoder.open(tiny, max_tokens=max_tokens)


def test_a_name_that_is_not_on_this_machine_is_refused_without_a_download() -> None:
    with pytest.raises(EncoderError, match=r"Expected nobody/nothing to be .* there is none\. Nothing is downloaded"):
        TransformerMeanEncoder.open("nobody/nothing")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="to be a folder of a transformers model with safetensors weights"):
        TransformerMeanEncoder.open(tmp_path)


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json", "config.json", "tokenizer_config.json"])
@pytest.mark.parametrize("content", [b"[1, 2]", b'{"a', b""])
def test_a_damaged_file_is_told(file: str, content: bytes, tmp_path: Path) -> None:
    folder = write_tiny_transformer(tmp_path / "damaged")
    (folder / file).write_bytes(content)
    with pytest.raises(EncoderError, match="to be a folder of a transformers model"):
        TransformerMeanEncoder.open(folder)


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    write_tiny_transformer(tmp_path / "pickled", safe=False)
    with pytest.raises(EncoderError, match="with safetensors weights"):
        TransformerMeanEncoder.open(tmp_path / "pickled")


def test_a_model_that_brings_its_own_code_is_refused_and_the_code_not_run(tmp_path: Path) -> None:
    folder = write_tiny_transformer(tmp_path / "own-code")
    settings = json.loads((folder / "config.json").read_text())
    own = {"AutoConfig": "own.OwnConfig", "AutoModel": "own.OwnModel"}
    (folder / "config.json").write_text(json.dumps({**settings, "model_type": "own", "auto_map": own}))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(EncoderError, match="no code is run from a model"):
        TransformerMeanEncoder.open(folder)
    assert not (tmp_path / "ran").exists()


def test_a_missing_weight_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = write_tiny_transformer(tmp_path / "part")
    weights = load_file(folder / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "layer.1" not in name}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EncoderError, match=r"Expected every weight of .*, encoder\.layer\.1"):
        TransformerMeanEncoder.open(folder)


def test_a_model_that_writes_is_refused(tmp_path: Path) -> None:
    from transformers import T5Config, T5Model

    folder = write_tiny_transformer(tmp_path / "writes")
    T5Model(T5Config(vocab_size=200, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)).save_pretrained(folder)
    with pytest.raises(EncoderError, match="Expected a model that reads only"):
        TransformerMeanEncoder.open(folder)


def test_settings_of_no_known_model_are_refused() -> None:
    with pytest.raises(EncoderError, match="Expected the settings of a transformers model, got others"):
        empty_model({"model_type": "own"})


def test_settings_that_were_changed_are_told(tiny: Path, tmp_path: Path) -> None:
    TransformerMeanEncoder.open(tiny, max_tokens=8).save(tmp_path / "saved")
    card = files.read_json(tmp_path / "saved" / "card.json")
    card["facts"]["max_tokens"] = 9
    files.write_json(tmp_path / "saved" / "card.json", card)
    with pytest.raises(StorageError, match=r"Expected the settings that .* was written with"):
        TransformerMeanEncoder.load(tmp_path / "saved")


def test_the_registry_reads_a_folder_of_transformers_and_one_of_ours(tiny: Path, tmp_path: Path) -> None:
    assert registry.load_folder(tiny).card.name == "transformer-mean"
    encoder = TransformerMeanEncoder.open(tiny, max_tokens=8)
    encoder.save(tmp_path / "saved")
    assert registry.load_folder(tmp_path / "saved").card == encoder.card


class TestChunksContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tiny: Path) -> Encoder:
        return TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")


def test_a_row_is_the_mean_of_its_chunks_rows(tiny: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")
    first = TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32")
    words = corpus()[0].text.replace(".", "").split()[:15]  # chunks of six words, two of six and one of three
    parts = [Document(str(number), abstract=" ".join(words[number : number + 6])) for number in (0, 6, 12)]
    whole = Document("whole", sections=(Section("One", " ".join(words[:5])), Section("Two", " ".join(words[5:]))))
    mean = first.encode_documents(parts).mean(axis=0)
    np.testing.assert_allclose(chunks.encode_documents([whole])[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_a_short_text_is_read_as_its_first_tokens_are(tiny: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=60, precision="float32")
    first = TransformerMeanEncoder.open(tiny, max_tokens=60, precision="float32")
    short = [Document(document.id, sections=document.sections) for document in corpus()]
    np.testing.assert_allclose(chunks.encode_documents(short), first.encode_documents(short), atol=1e-6)


def test_the_card_says_that_all_is_read_and_a_folder_keeps_the_chunks_length(tiny: Path, tmp_path: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")
    assert chunks.card.max_tokens is None
    assert (
        chunks.card.fingerprint != TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32").card.fingerprint
    )
    chunks.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    assert isinstance(again, TransformerChunksEncoder)
    np.testing.assert_array_equal(again.encode_documents(corpus()), chunks.encode_documents(corpus()))


def test_operations_count_every_chunk(tiny: Path) -> None:
    chunks = TransformerChunksEncoder.open(tiny, max_tokens=8, precision="float32")
    first = TransformerMeanEncoder.open(tiny, max_tokens=8, precision="float32")
    assert chunks.operations(corpus()[:3]) > 2 * first.operations(corpus()[:3])


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return SentenceMeanEncoder(Word2vecMeanEncoder(random_words(corpus())))


def test_a_row_is_the_mean_of_its_sentences_rows() -> None:
    inner = Word2vecMeanEncoder(random_words(corpus()))
    document = Document("d", title="Boiler of a valve", abstract="The gene. The gene is a cell and an enzyme.")
    sentences = ["Boiler of a valve", "The gene.", "The gene is a cell and an enzyme."]
    rows = inner.encode_documents([Document(str(place), abstract=text) for place, text in enumerate(sentences)])
    mean = rows.mean(axis=0)
    (found,) = SentenceMeanEncoder(inner).encode_documents([document])
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), atol=1e-6)
    assert not np.allclose(found, inner.encode_documents([document])[0], atol=1e-3)


def test_texts_without_a_sentence_or_a_word_are_zeros_among_others() -> None:
    encoder = SentenceMeanEncoder(Word2vecMeanEncoder(random_words(corpus())))
    rows = encoder.encode_documents([EMPTY, *(corpus() * 2), FOREIGN])
    assert rows.shape[0] == 82
    assert not rows[[0, -1]].any()
    np.testing.assert_allclose(np.linalg.norm(rows[1:-1], axis=1), 1, atol=1e-5)


def test_a_transformers_sentences_come_back_from_a_folder(tmp_path: Path) -> None:
    inner = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"), max_tokens=40, precision="float32")
    encoder = SentenceMeanEncoder(inner)
    encoder.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    assert again.card == encoder.card
    np.testing.assert_array_equal(again.encode_documents(corpus()[:3]), encoder.encode_documents(corpus()[:3]))


def test_another_encoder_within_a_folder_is_told(tmp_path: Path) -> None:
    encoder = SentenceMeanEncoder(Word2vecMeanEncoder(random_words(corpus())))
    encoder.save(tmp_path / "kept")
    Word2vecMeanEncoder(random_words(corpus()[:20])).save(tmp_path / "kept" / "encoder")
    with pytest.raises(StorageError, match=r"Expected the encoder sentence-mean saved in .*, found another within it"):
        SentenceMeanEncoder.load(tmp_path / "kept")


@pytest.mark.parametrize("name", ["tfidf", "ctpe"])
def test_an_encoder_that_reads_no_single_sentence_is_refused(name: str) -> None:
    inner = registry.fit(name, corpus()) if registry.find(name).learns else registry.load(name)
    with pytest.raises(EncoderError, match=f"reads single sentences, got {name}"):
        SentenceMeanEncoder(inner)
