"""Rocchio's formula on rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import Rows
from engine.documents import Document, Hit
from engine.encoders import Encoder, registry
from engine.search.queries import moved_blindly, query_row
from engine.search.settings import Blind
from engine.vectors import open_index
from tests.search.library import DOCUMENTS, QUERY

TFIDF = registry.fit("tfidf", DOCUMENTS)
LSA = registry.fit("lsa", DOCUMENTS)


@pytest.mark.parametrize("encoder", [TFIDF, LSA], ids=["sparse", "dense"])
def test_the_row_follows_rocchio(encoder: Encoder) -> None:
    def dense(documents: list[Document]) -> np.ndarray:
        rows = encoder.encode_queries(documents)
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    liked, disliked = list(DOCUMENTS[:2]), [DOCUMENTS[3]]
    expected = dense([QUERY])[0] + 0.75 * dense(liked).mean(axis=0) - 0.5 * dense(disliked)[0]
    row = query_row(encoder, QUERY, liked=liked, disliked=disliked)
    found = row if isinstance(row, np.ndarray) else row.toarray()
    assert found.shape == (1, encoder.card.dim)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found[0], expected / np.linalg.norm(expected), atol=1e-6)


def test_liked_documents_stand_for_a_missing_query() -> None:
    row = query_row(LSA, None, liked=[DOCUMENTS[4]])
    np.testing.assert_allclose(row, LSA.encode_queries([DOCUMENTS[4]]), atol=1e-6)


def test_a_row_needs_a_query_or_a_liked_document() -> None:
    with pytest.raises(ValueError, match="needs a query or a liked document"):
        query_row(TFIDF, None)


@pytest.mark.parametrize("encoder", [TFIDF, LSA], ids=["sparse", "dense"])
def test_rows_move_towards_the_mean_of_what_they_found(encoder: Encoder, tmp_path: Path) -> None:
    def dense(rows: Rows) -> np.ndarray:
        return rows if isinstance(rows, np.ndarray) else rows.toarray()

    kind = "sparse" if encoder.card.sparse else "embedded"
    index = open_index(tmp_path / "v", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind=kind)
    held = encoder.encode_documents(DOCUMENTS)
    index.add([document.id for document in DOCUMENTS], held)
    asked = encoder.encode_queries([QUERY, DOCUMENTS[4], DOCUMENTS[5]])
    found = [
        [Hit(name, 1.0) for name in names] for names in (("p-molecules", "gone", "p-crystals", "US3"), ("US2",), ())
    ]
    moved = moved_blindly(asked, found, encoder=encoder, index=index, blind=Blind(documents=2, beta=0.5))
    first = dense(asked)[0] + 0.5 * (dense(held)[0] + dense(held)[1]) / 2  # neither what is not held, nor the third
    expected = np.stack([first, dense(asked)[1] + 0.5 * dense(held)[5], dense(asked)[2]])
    np.testing.assert_allclose(dense(moved), expected, atol=1e-6)
    assert type(moved) is type(asked)
    assert moved.dtype == np.float32


def test_rows_that_found_nothing_stay(tmp_path: Path) -> None:
    index = open_index(tmp_path / "v", fingerprint=LSA.card.fingerprint, dim=LSA.card.dim, kind="embedded")
    asked = LSA.encode_queries([QUERY])
    assert moved_blindly(asked, [[]], encoder=LSA, index=index, blind=Blind()) is asked
