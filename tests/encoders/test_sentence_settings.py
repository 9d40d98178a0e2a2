"""Settings that a folder of sentence-transformers names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import EncoderError, StorageError
from engine.encoders import registry
from engine.encoders.sentence_transformer import SentenceTransformerEncoder, read_settings
from engine.encoders.transformer_mean import TransformerMeanEncoder
from tests.encoders.tiny_sentences import USUAL, write
from tests.encoders.tiny_transformer import write_tiny_transformer


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
