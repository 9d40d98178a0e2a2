"""Documents are read some at a time, and what was read is kept whatever comes next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import Meter, Progress
from engine.search import cut_passages
from engine.vectors import PassageStore
from engine.workspace import filling
from engine.workspace.filling import fill
from tests.search.passages.made import HashedWords, paper

PAPERS = [paper(f"d{number}", body=20 * (number % 5)) for number in range(20)]


def opened(folder: Path) -> PassageStore:
    return PassageStore(folder, fingerprint=HashedWords.fingerprint, dim=HashedWords.dim)


@pytest.mark.parametrize("at_once", [1, 7, 1_000])
def test_batches_do_not_change_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(filling, "_PASSAGES_AT_ONCE", at_once)
    told: list[Progress] = []
    store = opened(tmp_path)
    fill(store, PAPERS, HashedWords(), Meter("read", len(PAPERS), told.append))
    view = store.view()
    for document in PAPERS:
        own, _ = view.of_documents(np.array([view.number_of[document.id]]))
        expected = HashedWords().encode([(document, cut_passages(document))])
        np.testing.assert_allclose(view.rows(own), expected, atol=0.01)
    assert (told[-1].done, told[-1].total) == (len(PAPERS), len(PAPERS))


def test_what_was_read_in_time_is_kept_when_the_run_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "_PASSAGES_AT_ONCE", 1)
    monkeypatch.setattr(filling, "_SECONDS_KEPT", 0)

    def stopped() -> object:
        yield from PAPERS[:6]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(opened(tmp_path), stopped(), HashedWords(), Meter("read", None, lambda _: None))  # type: ignore[arg-type]
    assert set(opened(tmp_path).ids) >= {paper.id for paper in PAPERS[:5]}


def test_a_document_without_words_is_kept_without_passages(tmp_path: Path) -> None:
    from engine.documents import Document

    store = opened(tmp_path)
    fill(store, [Document("empty"), PAPERS[1]], HashedWords(), Meter("read", 2, lambda _: None))
    assert set(store.ids) == {"empty", "d1"} and len(store.view()) == len(cut_passages(PAPERS[1]))
