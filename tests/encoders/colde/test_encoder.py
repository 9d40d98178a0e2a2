"""CoLDE's encoder: its settings, the contract, three levels by hand, bad input, and its weights on disk."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.progress import Progress
from engine.documents import Document, Section
from engine.encoders import minilm, registry
from engine.encoders.base import Encoder
from engine.encoders.colde import encoder as module
from engine.encoders.colde.encoder import ColdeEncoder
from engine.encoders.colde.long_documents import Levels, LongRows
from engine.encoders.colde.network import Backbone, Numbered, read_chunks
from engine.encoders.colde.settings import ColdeSettings
from engine.encoders.transformer import Transformer, config_of
from tests.contracts.encoder import EMPTY, EncoderContract, corpus
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
        return Backbone(BertModel(config).eval(), ColdeSettings(section_numbers=5, chunk_numbers=4))


def made_of(backbone: Backbone, folder: Path, **changed: Any) -> ColdeEncoder:  # noqa: ANN401
    """An encoder over a backbone, with the tokenizer of the tiny transformer."""
    return ColdeEncoder.of(
        backbone,
        tiny.head(backbone.dim),
        tokenizer=Transformer.open(folder, precision="float32").tokenizer,
        settings=tiny.settings(**changed),
    )


@pytest.fixture(scope="module")
def wide_encoder(folder: Path) -> ColdeEncoder:
    return made_of(wide(), folder)


def test_big_matrices_are_bytes_with_a_scale_for_64_numbers(wide_encoder: ColdeEncoder) -> None:
    arrays, held = wide_encoder.model.arrays, wide().model.state_dict()
    kept = {name: array for name, array in arrays.items() if array.dtype == np.int8}
    short = "backbone.model.encoder.layer.0.output.dense.weight"
    assert {short, "backbone.model.embeddings.word_embeddings.weight"} <= kept.keys()
    assert "backbone.model.encoder.layer.0.attention.self.query.weight" not in kept, "4,096 numbers are not many"
    numbers, scales = kept[short], arrays[f"{short}:scales"]
    assert (numbers.shape, scales.shape, scales.dtype) == ((64, 512), (64, 8), np.float32)
    original = held["encoder.layer.0.output.dense.weight"].numpy()
    restored = wide_encoder.model.backbone.model.encoder.layer[0].output.dense.weight.numpy()
    steps = np.repeat(scales, 64, axis=1)
    assert (np.abs(restored - original) <= 0.5001 * steps).all()
    np.testing.assert_allclose(restored, numbers * steps, atol=1e-7)


def test_chunks_keep_their_directions(wide_encoder: ColdeEncoder) -> None:
    generator = np.random.default_rng(7)
    tokens = [tuple(generator.integers(5, 600, 30).tolist()) for _ in range(20)]
    given = [Numbered(tokens, np.zeros(20, np.int64), np.arange(20))]
    before, after = (read_chunks(backbone, given)[0] for backbone in (wide(), wide_encoder.model.backbone))
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
            ColdeEncoder.of(
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
    assert not [name for name in colde.model.arrays if "pooler" in name]
    assert config_of(colde.model.backbone.model) == colde.model.config
    kept = colde._weights.settings
    assert {**kept, **dataclasses.asdict(colde.settings)} == {**kept, "late_best": 1.0}


def test_what_ships_is_small_and_its_files_are() -> None:
    folder = registry.find("colde").folder
    assert folder is not None
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert sum(sizes.values()) <= 60e6
    assert max(sizes.values()) <= 16e6


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self, folder: Path) -> Encoder:
        return tiny.placed(folder, moved=0.1)


class TestContractOfTwoSections(EncoderContract):
    """Chunks cut after every so many tokens, numbered in two stretches as they are for training."""

    @pytest.fixture
    def encoder(self, folder: Path) -> Encoder:
        return tiny.placed(folder, moved=0.1, sections=2, whole_sentences=False)


def one(encoder: ColdeEncoder, document: Document) -> LongRows:
    return encoder.read([document])[0]


def assert_unit(rows: np.ndarray) -> None:
    np.testing.assert_allclose(np.linalg.norm(rows, axis=-1), 1, atol=1e-5)


def assert_same(found: Levels, expected: Levels, atol: float = 1e-6) -> None:
    for field in dataclasses.fields(Levels):
        np.testing.assert_allclose(getattr(found, field.name), getattr(expected, field.name), atol=atol)


def test_a_document_has_vectors_at_three_levels(colde: ColdeEncoder) -> None:
    long = one(colde, tiny.long_document())
    assert long.sections == ("Abstract", "Part 1", "Part 2", "Part 3")
    assert len(long.chunks) == len(long.rows) == len(long.section_of) > 10
    levels = colde.levels(long)
    assert levels.document.shape == (24,)
    assert levels.sections.shape == (4, 24)
    assert levels.chunks.shape == (len(long.chunks), 32)
    for rows in (levels.document, levels.sections, levels.chunks):
        assert rows.dtype == np.float32
        assert_unit(rows)
    np.testing.assert_allclose(levels.chunks[3], long.rows[3] / np.linalg.norm(long.rows[3]), atol=1e-6)
    np.testing.assert_array_equal(colde.encode_documents([tiny.long_document()])[0], levels.document)


def test_the_levels_are_those_of_the_head(colde: ColdeEncoder) -> None:
    long = one(colde, tiny.long_document())
    counts = np.bincount(long.section_of)
    rows = torch.zeros(1, 4, counts.max(), 32)
    for section, count in enumerate(counts):
        rows[0, section, :count] = torch.from_numpy(long.rows[long.section_of == section])
    inside = torch.from_numpy(np.arange(counts.max()) < counts[:, None])[None]
    head = colde.model.head
    levels = colde.levels(long)
    np.testing.assert_allclose(levels.sections, head(rows, inside)[0], atol=1e-5)
    whole = torch.from_numpy(long.rows)[None, None]
    np.testing.assert_allclose(
        levels.document, head(whole, torch.ones(whole.shape[:3], dtype=torch.bool))[0, 0], atol=1e-5
    )


def test_sections_of_very_unlike_sizes_are_those_of_the_head(colde: ColdeEncoder) -> None:
    generator = np.random.default_rng(5)
    sections = [generator.normal(size=(count, 32)).astype(np.float32) for count in (1, 40, 2, 9, 1, 1, 5)]
    inside = torch.arange(40) < torch.tensor([[len(rows)] for rows in sections])
    padded = torch.zeros(1, 7, 40, 32)
    padded[0, inside] = torch.from_numpy(np.concatenate(sections))
    np.testing.assert_allclose(colde._vectors(sections), colde.model.head(padded, inside[None])[0], atol=1e-5)


def test_chunks_that_are_left_out_are_as_if_never_there(colde: ColdeEncoder) -> None:
    long = one(colde, tiny.long_document())
    keep = np.ones(len(long.chunks), np.bool_)
    keep[[0, 4, 7]] = False
    keep[long.section_of == 1] = False
    shorter = LongRows(
        ("Abstract", "Part 2", "Part 3"),
        tuple(chunk for chunk, kept in zip(long.chunks, keep, strict=True) if kept),
        np.searchsorted([0, 2, 3], long.section_of[keep]),
        long.rows[keep],
    )
    found, expected = colde.levels(long, keep=keep), colde.levels(shorter)
    np.testing.assert_allclose(found.document, expected.document, atol=1e-6)
    np.testing.assert_allclose(found.sections[[0, 2, 3]], expected.sections, atol=1e-6)
    np.testing.assert_allclose(found.chunks[keep], expected.chunks, atol=1e-6)
    assert not found.sections[1].any() and not found.chunks[~keep].any()
    assert_same(colde.levels(long, keep=np.ones(len(keep), np.bool_)), colde.levels(long))


def test_with_every_chunk_left_out_all_is_zeros(colde: ColdeEncoder) -> None:
    long = one(colde, tiny.long_document())
    nothing = colde.levels(long, keep=np.zeros(len(long.chunks), np.bool_))
    for rows in (nothing.document, nothing.sections, nothing.chunks):
        assert rows.size and not rows.any()


def test_marks_of_another_length_are_refused(colde: ColdeEncoder) -> None:
    long = one(colde, tiny.long_document())
    with pytest.raises(EncoderError, match=rf"one mark for each of {len(long.chunks)} chunks .* shape \(2,\)"):
        colde.levels(long, keep=np.ones(2, np.bool_))


def test_a_document_without_text_has_no_vectors(colde: ColdeEncoder) -> None:
    long = one(colde, EMPTY)
    assert (long.sections, long.chunks, long.rows.shape, long.section_of.shape) == ((), (), (0, 32), (0,))
    levels = colde.levels(long)
    assert (levels.document.shape, levels.sections.shape, levels.chunks.shape) == ((24,), (0, 24), (0, 32))
    assert not levels.document.any()
    full = one(colde, tiny.long_document())
    assert colde.attends(long, full).shape == (0, len(full.chunks))
    assert colde.attends(full, long).shape == (len(full.chunks), 0)


def test_one_word_is_a_document(colde: ColdeEncoder) -> None:
    for document in (Document("a", title="boiler"), Document("b", sections=(Section("", "boiler"),))):
        long = one(colde, document)
        assert len(long.chunks) == 1
        levels = colde.levels(long)
        assert_unit(levels.document)
        np.testing.assert_allclose(levels.sections[0], levels.document, atol=1e-6)


def test_other_documents_and_their_order_change_nothing(placed: ColdeEncoder) -> None:
    ours = tiny.long_document()
    others = [tiny.long_document("other", sections=5, subject="graph"), *corpus()[:3], EMPTY]
    alone = placed.levels(one(placed, ours))
    assert_same(placed.levels(placed.read([*others, ours])[-1]), alone, atol=1e-4)
    assert_same(placed.levels(placed.read([ours, *others])[0]), alone, atol=1e-4)


def test_documents_are_read_in_groups_with_the_same_result(
    colde: ColdeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [tiny.long_document(), *corpus()[:4], EMPTY]
    told: list[Progress] = []
    together = colde.read(documents, report=told.append)
    assert (told[-1].stage, told[-1].done) == ("read chunks", sum(len(long.chunks) for long in together))
    monkeypatch.setattr(module, "_CHARACTERS_AT_ONCE", 300)
    apart = colde.read(documents, report=told.append)
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("read documents", 6, 6)
    for found, expected in zip(apart, together, strict=True):
        assert (found.sections, found.chunks) == (expected.sections, expected.chunks)
        np.testing.assert_array_equal(found.section_of, expected.section_of)
        np.testing.assert_allclose(found.rows, expected.rows, atol=1e-6)
    np.testing.assert_allclose(
        colde.encode_documents(documents), [colde.levels(long).document for long in apart], atol=1e-6
    )
    assert colde.read([]) == []


def test_the_same_text_elsewhere_has_another_vector_once_its_place_was_learnt(
    colde: ColdeEncoder, placed: ColdeEncoder
) -> None:
    text = tiny.words("steam", 8)
    document = Document("d", sections=tuple(Section(str(number), text) for number in range(3)))
    same, different = (one(encoder, document).rows for encoder in (colde, placed))
    np.testing.assert_allclose(same[1:], same[:2], atol=1e-6)
    assert np.abs(different[1:] - different[:2]).max(axis=1).min() > 1e-2


def test_the_stretch_of_a_chunk_counts_once_it_was_learnt(folder: Path) -> None:
    document = tiny.long_document()
    rows = [one(tiny.placed(folder, sections=count), document).rows for count in (1, 2, 5)]
    assert not np.allclose(rows[0], rows[1], atol=1e-2)
    assert not np.allclose(rows[1], rows[2], atol=1e-2)
    np.testing.assert_allclose(rows[0][:4], rows[1][:4], atol=1e-5)  # numbered the same in both


@pytest.mark.parametrize("sections", [2, 3, 4, 5])
def test_from_two_to_five_sections_and_any_number_of_chunks(placed: ColdeEncoder, sections: int) -> None:
    document = Document(
        "d", sections=tuple(Section(str(n), tiny.words("graph", 8 * n)) for n in range(1, sections + 1))
    )
    levels = placed.levels(one(placed, document))
    assert levels.sections.shape == (sections, 24)
    assert_unit(levels.sections)


def test_attention_is_shared_out_over_the_other_document(colde: ColdeEncoder) -> None:
    a, b = colde.read([tiny.long_document(), tiny.long_document("b", sections=2, subject="graph")])
    shares = colde.attends(a, b)
    assert shares.shape == (len(a.chunks), len(b.chunks))
    assert shares.dtype == np.float32
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    attention = colde.model.head.attention
    assert attention is not None
    inside = torch.ones(1, len(b.rows), dtype=torch.bool)
    _, weights = attention(torch.from_numpy(a.rows)[None], torch.from_numpy(b.rows)[None], inside)
    np.testing.assert_allclose(shares, weights[0].mean(0), atol=1e-6)


def test_without_attention_the_shares_are_equal(folder: Path) -> None:
    encoder = tiny.encoder(folder, aggregation="mean", skip=False)
    a, b = encoder.read([tiny.long_document(), tiny.long_document("b", sections=2)])
    np.testing.assert_allclose(encoder.attends(a, b), 1 / len(b.chunks))


def test_bfloat16_keeps_rows_to_a_hundredth(colde: ColdeEncoder, folder: Path) -> None:
    quick = tiny.encoder(folder, precision="bfloat16")
    documents = [tiny.long_document(), *corpus()[:6]]
    for found, expected in zip(quick.read(documents), colde.read(documents), strict=True):
        cosines = np.einsum("cd,cd->c", quick.levels(found).chunks, colde.levels(expected).chunks)
        assert cosines.min() > 0.999
    np.testing.assert_allclose(quick.encode_documents(documents), colde.encode_documents(documents), atol=2e-2)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_fastest_precision_is_the_processor_s(
    folder: Path, monkeypatch: pytest.MonkeyPatch, precision: str
) -> None:
    monkeypatch.setattr("engine.encoders.colde.encoder.reading_precision", lambda: precision)
    found = tiny.encoder(folder, precision="fastest")
    assert str(next(found.model.backbone.parameters()).dtype) == f"torch.{precision}"
    assert one(found, tiny.long_document()).rows.dtype == np.float32


def test_an_untrained_encoder_is_drawn_from_its_seed(folder: Path) -> None:
    opened = Transformer.open(folder, precision="float32")
    first, again, other = (ColdeEncoder.untrained(opened, tiny.settings(), seed=seed) for seed in (1, 1, 2))
    assert first.card == again.card == tiny.encoder(folder).card
    assert first.card.fingerprint != other.card.fingerprint


def test_the_same_encoder_numbers_chunks_in_other_stretches(placed: ColdeEncoder, folder: Path) -> None:
    document = tiny.long_document()
    expected = tiny.placed(folder, sections=3)
    found = placed.with_sections(3)
    assert found.card == expected.card
    np.testing.assert_array_equal(one(found, document).rows, one(expected, document).rows)
    for sections in (0, 6):
        with pytest.raises(EncoderError, match=rf"Expected 1 to 5 sections, .*; got {sections}\."):
            placed.with_sections(sections)


def test_the_same_encoder_reads_in_another_precision(colde: ColdeEncoder, folder: Path) -> None:
    quick = colde.with_facts({"seed": 1}).in_precision("bfloat16")
    assert quick.facts == {"seed": 1}
    assert quick.card == tiny.encoder(folder, precision="bfloat16").card
    document = tiny.long_document()
    assert not np.array_equal(one(quick, document).rows, one(colde, document).rows)
    back = quick.in_precision("float32")
    assert back.card == colde.card
    np.testing.assert_array_equal(one(back, document).rows, one(colde, document).rows)


def test_chunks_are_compared_in_a_space_of_their_own(folder: Path) -> None:
    encoder = tiny.encoder(folder, space_dim=16)
    long = one(encoder, tiny.long_document())
    chunks = encoder.levels(long).chunks
    assert (long.rows.shape[1], chunks.shape) == (32, (len(long.chunks), 16))
    mapped = encoder.model.head.spaced(torch.from_numpy(long.rows)).numpy()
    np.testing.assert_allclose(chunks, mapped / np.linalg.norm(mapped, axis=1)[:, None], atol=1e-6)


def test_how_near_two_documents_are_mixes_the_share_of_the_settings(folder: Path) -> None:
    plain, mixed = tiny.encoder(folder), tiny.encoder(folder, late_share=0.3)
    a, b = (plain.levels(long) for long in plain.read([tiny.long_document(), tiny.long_document("b", subject="graph")]))
    cosine = float(a.document @ b.document)
    assert plain.similarity(a, b) == pytest.approx(cosine)
    assert mixed.similarity(a, b) == pytest.approx(0.7 * cosine + 0.3 * a.late(b))
    assert mixed.similarity(a, b) == pytest.approx(mixed.similarity(b, a), abs=1e-6)
    assert mixed.similarity(a, a) == pytest.approx(1, abs=1e-5)


def test_the_chunks_that_match_best_may_count_alone(folder: Path, tmp_path: Path) -> None:
    whole = tiny.encoder(folder, late_share=1.0)
    best = whole.with_late_best(0.4)
    a, b = (whole.levels(long) for long in whole.read([tiny.long_document(), tiny.long_document("b", subject="graph")]))
    assert best.similarity(a, b) == pytest.approx(a.late(b, best=0.4)) != pytest.approx(whole.similarity(a, b))
    assert best.card.fingerprint != whole.card.fingerprint == best.with_late_best(1).card.fingerprint
    assert best.reading_fingerprint == whole.reading_fingerprint
    whole.with_facts({"known": 1}).save(tmp_path / "colde")
    (tmp_path / "colde" / "README.md").write_text("What we know of it.")
    best.save_settings(tmp_path / "colde")
    again = ColdeEncoder.load(tmp_path / "colde")
    assert (again.settings.late_best, again.card, again.facts) == (0.4, best.card, {"known": 1})
    assert (tmp_path / "colde" / "README.md").read_text() == "What we know of it."


def test_an_encoder_from_before_the_best_share_keeps_its_fingerprint(folder: Path, tmp_path: Path) -> None:
    encoder = tiny.encoder(folder)
    encoder.save(tmp_path / "saved")
    card = json.loads((tmp_path / "saved" / "card.json").read_text())
    assert "late_best" not in card["facts"]["settings"]
    assert ColdeEncoder.load(tmp_path / "saved").settings == encoder.settings


def test_a_document_s_own_vector_is_made_only_where_it_counts(folder: Path) -> None:
    chunks_alone, mixed = tiny.encoder(folder, late_share=1.0), tiny.encoder(folder, late_share=0.99)
    long = one(mixed, tiny.long_document())
    assert mixed.levels(long).document.any() and not chunks_alone.levels(long).document.any()
    assert not chunks_alone.levels_of(long.rows).document.any()
    assert_same(
        dataclasses.replace(mixed.levels(long), document=chunks_alone.levels(long).document), chunks_alone.levels(long)
    )
    assert chunks_alone.encode_documents([tiny.long_document()]).any()


def test_facts_are_kept_and_change_no_vector(colde: ColdeEncoder, tmp_path: Path) -> None:
    facts = {"results": [{"auc": 0.9}], "settings": "not ours"}
    known = colde.with_facts(facts)
    assert known.card == colde.card
    known.save(tmp_path / "saved")
    assert ColdeEncoder.load(tmp_path / "saved").facts == {"results": [{"auc": 0.9}]} == known.facts


def test_encoders_over_one_transformer_share_what_they_read(folder: Path) -> None:
    first, other = tiny.encoder(folder), tiny.encoder(folder, dim=8, space_dim=12, late_share=0.5)
    assert first.card.fingerprint != other.card.fingerprint
    assert first.reading_fingerprint == other.reading_fingerprint
    for changed in ({"chunk_tokens": 12}, {"whole_sentences": False}, {"sections": 2}, {"pooling": "first"}):
        assert tiny.encoder(folder, **changed).reading_fingerprint != first.reading_fingerprint
    moved = tiny.placed(folder)
    assert moved.reading_fingerprint != first.reading_fingerprint


def test_levels_of_chunk_vectors_are_those_of_the_document(colde: ColdeEncoder) -> None:
    long = one(colde, tiny.long_document())
    whole, alone = colde.levels(long), colde.levels_of(long.rows)
    np.testing.assert_allclose(alone.document, whole.document, atol=1e-6)
    np.testing.assert_allclose(alone.chunks, whole.chunks, atol=1e-6)
    assert alone.sections.shape == (0, 24)
    assert not colde.levels_of(long.rows[:0]).document.any()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"chunk_tokens": 0}, "chunk_tokens must be at least 1, got 0"),
        ({"sections": 0}, "sections must be at least 1, got 0"),
        ({"sections": 6}, "sections must be at most section_numbers, 5, got 6"),
        ({"section_numbers": 0}, "section_numbers must be at least 1, got 0"),
        ({"chunk_numbers": 0}, "chunk_numbers must be at least 1, got 0"),
        ({"heads": 0}, "heads must be at least 1, got 0"),
        ({"dim": 0}, "dim must be at least 1, got 0"),
        ({"lstm_dim": 0}, "lstm_dim must be an even number from 2 on, got 0"),
        ({"lstm_dim": 33}, "lstm_dim must be an even number from 2 on, got 33"),
        ({"space_dim": -1}, "space_dim must be 0 or more, got -1"),
        ({"late_share": 1.5}, "late_share must be a share from 0 to 1, got 1.5"),
        ({"late_share": -0.1}, "late_share must be a share from 0 to 1, got -0.1"),
        ({"late_best": 0}, "late_best must be a share above 0 and up to 1, got 0"),
        ({"late_best": 1.1}, "late_best must be a share above 0 and up to 1, got 1.1"),
        ({"pooling": "max"}, "pooling must be one of mean, first, got 'max'"),
        ({"aggregation": "sum"}, "aggregation must be one of lstm, mean, got 'sum'"),
        ({"precision": "int8"}, "precision must be one of fastest, float32, bfloat16, got 'int8'"),
    ],
)
def test_a_value_outside_its_range_is_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ColdeSettings(**wrong)


def test_the_paper_s_sizes_are_the_usual_ones() -> None:
    usual = ColdeSettings()
    assert (usual.heads, usual.lstm_dim, usual.dim, usual.section_numbers) == (4, 512, 256, 5)
    assert (usual.aggregation, usual.skip, usual.sections) == ("lstm", False, 1)


def test_the_card_of_a_shipped_encoder_is_read_without_torch(
    colde: ColdeEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert "colde" not in registry.encoder_names()
    colde.save(tmp_path / "colde")
    assert "colde" in registry.encoder_names()
    assert registry.find("colde").card == colde.card
    assert registry.load("colde").card == colde.card
    script = (
        "import sys; from pathlib import Path; from engine.encoders import registry\n"
        f"registry.PRETRAINED = Path({str(tmp_path)!r})\n"
        "assert 'colde' in registry.encoder_names() and registry.find('colde').card.dim == 24\n"
        "assert not {'torch', 'transformers', 'tokenizers'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).resolve().parents[3], check=True)


def test_a_library_is_not_searched_by_it(colde: ColdeEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    colde.save(tmp_path / "colde")
    assert set(registry.encoder_names()) - set(registry.search_names()) == {"colde"}
    assert registry.load_folder(tmp_path / "colde").card == colde.card


def test_operations_count_every_chunk(colde: ColdeEncoder) -> None:
    one, other = (Document(name, abstract=" ".join(["valve"] * count)) for name, count in (("a", 3), ("b", 200)))
    lengths = [len(tokens) for tokens in colde.cut(other).tokens]
    config = colde.model.backbone.model.config
    width, layers = config.hidden_size, config.num_hidden_layers
    matrices = layers * (4 * width * width + 2 * width * config.intermediate_size)
    expected = sum(length * (2 * matrices + 4 * layers * width * length) for length in lengths)
    assert len(lengths) > 1 and colde.operations([other]) == expected
    assert colde.operations([one, other]) == colde.operations([one]) + expected
    assert colde.operations([Document("c")]) == 0
