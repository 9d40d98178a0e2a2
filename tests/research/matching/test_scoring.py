"""Rows to scores: every encoder, each document once, kept rows, sections, and mixes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EncoderError, EvaluationError
from engine.encoders import minilm, registry
from engine.research.matching.judging import Scored
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import Row, parse_rows
from engine.research.matching.scoring import Plan, score
from engine.search import PassageEncoder
from tests.encoders.tiny_transformer import write_tiny_transformer


def test_rows_of_all_kinds_are_scored_in_the_order_asked_for(pairs: PairSet, tmp_path: Path) -> None:
    folder = tmp_path / "sif"
    registry.fit("tfidf", pairs.corpus).save(folder)
    rows = parse_rows(f"mix(own,bm25),word2vec-sif,own={folder},tfidf")
    found = score(rows, pairs)
    assert [one.name for one in found] == ["mix(own,bm25)", "word2vec-sif", "own", "tfidf"]
    assert len({one.fingerprint for one in found}) == 4
    assert all(one.scores.shape == (40,) for one in found)
    assert all(one.seconds is not None for one in found[1:])
    assert set(found[0].facts["weights"]) == {"own", "bm25"}


def test_ctpe_reads_bodies(pairs: PairSet) -> None:
    found = score([Row("ctpe")], pairs)[0]
    assert np.isfinite(found.scores).all()


def test_passages_match_both_ways_and_are_kept(pairs: PairSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = score([Row("passages")], pairs, Plan(cache=tmp_path))[0]
    assert found.scores[pairs.related].mean() > found.scores[~pairs.related].mean() + 0.05
    assert found.scores.max() <= 1 + 1e-3
    monkeypatch.setattr(PassageEncoder, "encode", None)
    again = score([Row("passages")], pairs, Plan(cache=tmp_path))[0]
    assert again.fingerprint == found.fingerprint and (again.scores == found.scores).all()


def test_kept_scores_are_taken_unless_a_folder_is_named(pairs: PairSet, tmp_path: Path) -> None:
    kept = {"tfidf": Scored("tfidf", "earlier", np.arange(40.0))}
    found = score(parse_rows("tfidf"), pairs, Plan(kept=kept))
    assert found[0].fingerprint == "earlier"
    registry.fit("tfidf", pairs.corpus).save(tmp_path / "tfidf")
    found = score(parse_rows(f"tfidf={tmp_path / 'tfidf'}"), pairs, Plan(kept=kept))
    assert found[0].fingerprint != "earlier"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("tiny") / "model", max_positions=256)


def test_colde_numbers_sections_as_asked(pairs: PairSet, tiny: Path, tmp_path: Path) -> None:
    import torch

    from engine.encoders.colde import ColdeEncoder, ColdeSettings

    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, section_numbers=3, precision="float32")
    encoder = ColdeEncoder.untrained(tiny, settings)
    with torch.no_grad():
        encoder.model.backbone.sections.weight.normal_()
    held = Scored("tfidf", "f", np.zeros(40))
    asked = [Row("colde", tmp_path / "colde"), Row("tfidf")]
    ColdeEncoder.of(
        encoder.model.backbone, encoder.model.head, tokenizer=encoder.model.tokenizer, settings=settings
    ).save(tmp_path / "colde")
    one, _ = score(asked, pairs, Plan(kept={"tfidf": held}))
    two, words = score(asked, pairs, Plan(kept={"tfidf": held}, sections=2))
    assert (two.facts, words.facts) == ({"sections": 2}, {})
    assert one.fingerprint != two.fingerprint
    assert not np.allclose(one.scores, two.scores)
    with pytest.raises(
        EncoderError, match="Expected 1 to 3 sections, which this encoder's embeddings tell apart; got 4"
    ):
        score(asked, pairs, Plan(kept={"tfidf": held}, sections=4))
    with pytest.raises(EvaluationError, match="a row that CoLDE reads, to number its sections; got tfidf"):
        score([Row("tfidf")], pairs, Plan(kept={"tfidf": held}, sections=2))


def test_minilm_is_read_from_its_package_either_way(
    pairs: PairSet, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "minilm_folder", lambda: tiny)
    first, chunks = score(parse_rows("minilm,minilm-chunks"), pairs)
    assert (first.name, chunks.name) == ("minilm", "minilm-chunks")
    assert first.fingerprint != chunks.fingerprint
    np.testing.assert_allclose(chunks.scores, first.scores, atol=2e-2)  # short texts are one chunk


def test_colde_scores_pairs_by_its_own_similarity_from_chunks_that_are_kept(
    pairs: PairSet, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.encoders.colde import ColdeEncoder, ColdeSettings
    from engine.training.colde import chunks as chunk_vectors

    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=0.5, precision="float32")
    encoder = ColdeEncoder.untrained(tiny, settings)
    encoder.save(tmp_path / "colde")
    (found,) = score([Row("colde", tmp_path / "colde")], pairs, Plan(cache=tmp_path / "cache"))
    levels = [encoder.levels(long) for long in encoder.read(pairs.documents)]
    wanted = [encoder.similarity(levels[a], levels[b]) for a, b in pairs.places]
    np.testing.assert_allclose(found.scores, wanted, atol=1e-3)  # kept in half precision
    ColdeEncoder.untrained(tiny, replace(settings, dim=4), seed=2).save(tmp_path / "other")
    monkeypatch.setattr(chunk_vectors, "read_chunks", None)  # the chunks that the first one read
    (other,) = score([Row("other", tmp_path / "other")], pairs, Plan(cache=tmp_path / "cache"))
    assert other.fingerprint != found.fingerprint and not np.allclose(other.scores, found.scores)
