"""A library's own systems: prepared in its folder, and by which rows."""

from __future__ import annotations

from engine.encoders import registry
from engine.evaluation.library_systems import prepare_in, row_fingerprint
from engine.library import Library
from engine.workspace import Workspace
from tests.evaluation.judged import DOCUMENTS


def test_a_row_says_beforehand_by_what_it_will_rank(library: Library) -> None:
    card = registry.card("word2vec-sif")
    for row in ("bm25", "bm25-stems", "keywords", "default", "word2vec-sif"):
        prepared = prepare_in(Workspace(library.folder), row, DOCUMENTS, encoder="word2vec-sif")
        assert row_fingerprint(row, card, passages=False) == prepared.fingerprint
    assert row_fingerprint("tfidf", registry.card("tfidf"), passages=True) == ""
