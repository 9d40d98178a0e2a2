"""CoLDE on disk: big matrices as bytes, what is refused, and a folder that stands alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.encoders import minilm, registry
from engine.encoders.colde.encoder import ColdeEncoder
from engine.encoders.colde.network import Backbone, Numbered, read_chunks
from engine.encoders.transformer import Transformer, config_of
from tests.encoders.colde import tiny


def wide() -> Backbone:
    """A transformer of one layer whose widest matrices are big enough to be kept as bytes."""
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=600,
        hidden_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=512,
        max_position_embeddings=32,
    )
    with torch.random.fork_rng():
        torch.manual_seed(6)
        return Backbone(BertModel(config).eval(), sections=5, chunks=4)


def made_of(backbone: Backbone, folder: Path, **changed: Any) -> ColdeEncoder:  # noqa: ANN401
    """An encoder over a backbone, with the tokenizer of the tiny transformer."""
    return ColdeEncoder.from_parts(
        backbone,
        tiny.head(backbone.dim),
        tokenizer=Transformer.open(folder, precision="float32").tokenizer,
        settings=tiny.settings(**changed),
    )


@pytest.fixture(scope="module")
def wide_encoder(folder: Path) -> ColdeEncoder:
    return made_of(wide(), folder)


def test_big_matrices_are_bytes_with_a_scale_for_64_numbers(wide_encoder: ColdeEncoder) -> None:
    arrays, held = wide_encoder._parts.arrays, wide().model.state_dict()
    kept = {name: array for name, array in arrays.items() if array.dtype == np.int8}
    short = "backbone.model.encoder.layer.0.output.dense.weight"
    assert {short, "backbone.model.embeddings.word_embeddings.weight"} <= kept.keys()
    assert "backbone.model.encoder.layer.0.attention.self.query.weight" not in kept, "4,096 numbers are not many"
    numbers, scales = kept[short], arrays[f"{short}:scales"]
    assert (numbers.shape, scales.shape, scales.dtype) == ((64, 512), (64, 8), np.float32)
    original = held["encoder.layer.0.output.dense.weight"].numpy()
    restored = wide_encoder._parts.backbone.model.encoder.layer[0].output.dense.weight.numpy()
    steps = np.repeat(scales, 64, axis=1)
    assert (np.abs(restored - original) <= 0.5001 * steps).all()
    np.testing.assert_allclose(restored, numbers * steps, atol=1e-7)


def test_chunks_keep_their_directions(wide_encoder: ColdeEncoder) -> None:
    generator = np.random.default_rng(7)
    tokens = [tuple(generator.integers(5, 600, 30).tolist()) for _ in range(20)]
    given = [Numbered(tokens, np.zeros(20, np.int64), np.arange(20))]
    before, after = (read_chunks(backbone, given)[0] for backbone in (wide(), wide_encoder._parts.backbone))
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    assert (np.einsum("cd,cd->c", before, after) / lengths).min() > 0.999


def test_what_was_made_and_what_comes_back_are_the_same_to_the_bit(wide_encoder: ColdeEncoder, tmp_path: Path) -> None:
    wide_encoder.save(tmp_path / "saved")
    again = ColdeEncoder.load(tmp_path / "saved")
    document = tiny.long_document()
    for first, second in zip(wide_encoder.read([document]), again.read([document]), strict=True):
        np.testing.assert_array_equal(first.rows, second.rows)
    again.save(tmp_path / "again")
    for path in (tmp_path / "saved").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def test_what_changes_a_vector_changes_the_fingerprint(folder: Path, colde: ColdeEncoder) -> None:
    changes: list[dict[str, Any]] = [
        {"chunk_tokens": 17},
        {"whole_sentences": False},
        {"sections": 2},
        {"pooling": "first"},
        {"skip": False},
        {"space_dim": 16},
        {"aggregation": "mean"},
        {"heads": 2},
    ]
    found = {tiny.encoder(folder, **change).card.fingerprint for change in changes}
    found |= {made.card.fingerprint for made in (colde, tiny.placed(folder), tiny.placed(folder, moved=0.5))}
    assert len(found) == len(changes) + 3


def test_training_further_changes_no_encoder(folder: Path) -> None:
    backbone = tiny.backbone(folder)
    encoder = made_of(backbone, folder)
    before = encoder.encode_documents([tiny.long_document()])
    with torch.no_grad():
        for part in backbone.parameters():
            part += 1
    np.testing.assert_array_equal(encoder.encode_documents([tiny.long_document()]), before)


def test_a_number_that_is_none_is_refused(folder: Path) -> None:
    for number in (torch.nan, torch.inf):
        backbone = tiny.backbone(folder)
        backbone.sections.weight[1, 2] = number
        with pytest.raises(EncoderError, match=r"others in backbone\.sections\.weight\. The training went astray"):
            made_of(backbone, folder)


def test_parts_that_do_not_fit_the_settings_are_refused(folder: Path) -> None:
    with pytest.raises(EncoderError, match=r"Expected chunk_tokens up to 64, .* got 65"):
        tiny.encoder(folder, chunk_tokens=65)
    with pytest.raises(EncoderError, match=r"Expected heads to divide the 32 numbers .* got 3"):
        tiny.encoder(folder, heads=3)
    with pytest.raises(EncoderError, match=r"Expected backbone\.chunks\.weight of shape \(9, 32\), got \(4, 32\)"):
        made_of(tiny.backbone(folder), folder, chunk_numbers=9)
    for skip in (False, True):
        with pytest.raises(EncoderError, match=r"the settings need, got 1 too few or too many: head\.skip\.weight"):
            ColdeEncoder.from_parts(
                tiny.backbone(folder), tiny.head(skip=not skip), tokenizer="", settings=tiny.settings(skip=skip)
            )


def rewritten(encoder: ColdeEncoder, folder: Path, **settings: object) -> Path:
    """A saved encoder whose card says other settings; None takes one away."""
    encoder.save(folder)
    card = files.read_json(folder / "card.json")
    changed = {**card["facts"]["settings"], **settings}
    card["facts"]["settings"] = {name: value for name, value in changed.items() if value is not None}
    files.write_json(folder / "card.json", card)
    return folder


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"chunk_tokens": 17}, r"Expected the encoder \w+ in .*, found other weights"),
        ({"dim": 25}, r"Expected the encoder \w+ in .*, found other weights"),
        ({"chunk_tokens": 0}, "Expected a CoLDE encoder in .*chunk_tokens must be at least 1, got 0"),
        ({"size": 3}, "Expected a CoLDE encoder in .*unknown key size"),
        ({"backbone": None}, "Expected a CoLDE encoder in .*backbone must be a table"),
        ({"backbone": {"model_type": "own"}}, "Expected a CoLDE encoder in .*settings of a transformers model"),
        ({"skip": False}, r"Expected the arrays .*, found .*head\.skip\.weight"),
    ],
)
def test_settings_that_were_changed_are_told(
    colde: ColdeEncoder, tmp_path: Path, settings: dict[str, Any], told: str
) -> None:
    folder = rewritten(colde, tmp_path / "saved", **settings)
    with pytest.raises(StorageError, match=told):
        ColdeEncoder.load(folder)


def test_a_card_without_settings_is_told(colde: ColdeEncoder, tmp_path: Path) -> None:
    colde.save(tmp_path / "saved")
    card = files.read_json(tmp_path / "saved" / "card.json")
    for settings in ({}, {"settings": 3}):
        files.write_json(tmp_path / "saved" / "card.json", {**card, "facts": settings})
        with pytest.raises(
            StorageError,
            match=r"Expected a CoLDE encoder in .*backbone must be a table",
        ):
            ColdeEncoder.load(tmp_path / "saved")


def test_a_folder_stands_alone(colde: ColdeEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **more: object) -> None:
        raise AssertionError(f"looked for a model: {given} {more}")

    colde.save(tmp_path / "saved")
    monkeypatch.setattr(Transformer, "open", refuse)
    monkeypatch.setattr(minilm, "minilm_folder", refuse)
    monkeypatch.setattr(torch, "load", refuse)
    loaded = registry.load_folder(tmp_path / "saved")
    assert loaded.card == colde.card
    assert {path.suffix for path in (tmp_path / "saved").iterdir()} == {".json", ".safetensors", ".txt"}


def test_a_backbone_that_was_read_with_its_pooler_keeps_none(folder: Path, colde: ColdeEncoder) -> None:
    assert not [name for name in colde._parts.arrays if "pooler" in name]
    assert config_of(colde._parts.backbone.model) == colde._parts.config
    kept = colde._parts.settings(colde.settings)
    assert {**kept, **dataclasses.asdict(colde.settings)} == {**kept, "late_best": 1.0}


def test_what_ships_is_small_and_its_files_are() -> None:
    folder = registry.shipped_folder("colde")
    assert folder is not None
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert sum(sizes.values()) <= 60e6
    assert max(sizes.values()) <= 16e6
