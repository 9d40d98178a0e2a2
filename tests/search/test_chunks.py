"""CoLDE's chunks are kept as passages are, and give what reading the document gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import Meter, silent
from engine.documents import Document
from engine.encoders import registry
from engine.encoders.colde import ColdeEncoder
from engine.search.chunks import ChunkReader, chunks_fingerprint, has_chunk_encoder, kept_rows, shipped_fingerprint
from engine.vectors import PassageStore
from engine.workspace import fill_store
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.search.hashed_words import paper

CLAIMED = replace(paper("claimed"), kind="patent", claims=("A kite with a tail.", "The kite of claim 1, of silk."))
DOCUMENTS = [paper("a"), CLAIMED, Document("empty"), paper("abstract", body=0)]


@pytest.fixture(scope="module")
def colde(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    return tiny.placed(write_tiny_transformer(tmp_path_factory.mktemp("transformer") / "model"))


def test_kept_chunks_are_what_the_encoder_reads(colde: ColdeEncoder, tmp_path: Path) -> None:
    reader = ChunkReader(colde)
    store = PassageStore(tmp_path, fingerprint=reader.fingerprint, dim=reader.dim)
    fill_store(store, DOCUMENTS, reader, Meter("read", len(DOCUMENTS), silent))
    view = PassageStore.kept(tmp_path).view()
    for document, read in zip(DOCUMENTS, colde.read(DOCUMENTS), strict=True):
        kept = kept_rows(view, document)
        assert kept is not None
        assert (kept.sections, kept.chunks) == (read.sections, read.chunks)
        assert kept.section_of.tolist() == read.section_of.tolist()
        np.testing.assert_allclose(kept.rows, read.rows, atol=1e-2 * max(1, np.abs(read.rows).max(initial=0)))
    assert kept_rows(view, paper("other")) is None


def test_another_way_to_read_has_chunks_of_its_own(colde: ColdeEncoder) -> None:
    assert ChunkReader(colde).fingerprint == chunks_fingerprint(colde.card)
    assert chunks_fingerprint(colde.card) != chunks_fingerprint(colde.with_sections(2).card)
    assert chunks_fingerprint(colde.card) == chunks_fingerprint(colde.with_facts({"note": "read alike"}).card)


def test_the_shipped_encoders_chunks_are_known_without_its_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert has_chunk_encoder() and shipped_fingerprint() == chunks_fingerprint(registry.load("colde").card)
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert not has_chunk_encoder()
