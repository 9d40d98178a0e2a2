"""The passages of a corpus are read once for all evaluations, by document and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk, Document
from engine.evaluation import kept_passages
from engine.evaluation.kept_passages import key_of, matcher
from engine.search import cut_passages
from tests.search.passages.made import HashedWords, paper

CORPUS = [paper("a"), paper("b", body=120), paper("c", body=0)]


class Counting(HashedWords):
    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        self.read += [document.title for document, _ in read]
        return super().encode(read)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Counting:
    made = Counting()
    monkeypatch.setattr(kept_passages, "_encoder", lambda: made)
    return made


def test_passages_are_kept_for_other_corpora_and_for_questions(encoder: Counting, tmp_path: Path) -> None:
    first = matcher(CORPUS, tmp_path / "one")
    assert first is not None and set(first.view.number_of) == {"a", "b", "c"}
    assert encoder.read == ["On a", "On b", "On c"]
    bare = [CORPUS[0], replace(CORPUS[1], sections=())]
    second = matcher(bare, tmp_path / "other")
    assert second is not None and set(second.view.number_of) == {"a", "b"}
    assert encoder.read[3:] == ["On b"]  # its text is another
    assert second.view.counts[second.view.number_of["b"]] == len(cut_passages(bare[1]))
    asked = second.ask(CORPUS[1])
    assert asked is not None and len(asked.passages) == len(cut_passages(CORPUS[1])) and len(encoder.read) == 4
    np.testing.assert_allclose(asked.rows, HashedWords().encode([(CORPUS[1], asked.passages)]), atol=0.01)
    second.ask(paper("new"))
    assert encoder.read[4:] == ["On new"]


def test_without_a_folder_passages_are_read_for_this_run(encoder: Counting) -> None:
    found = matcher(CORPUS, None)
    assert found is not None
    asked = found.ask(CORPUS[0])
    assert asked is not None and max(found.scores(asked, ["a", "b", "c"]).items(), key=lambda one: one[1])[0] == "a"


def test_nothing_is_read_without_what_reads_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_passages, "has_passage_encoder", lambda: False)
    assert matcher(CORPUS, None) is None


def test_a_key_names_a_document_with_its_text() -> None:
    keys = {key_of(one) for one in (*CORPUS, replace(CORPUS[0], sections=()), replace(CORPUS[0], id="z"))}
    assert len(keys) == 5 and key_of(CORPUS[0]) == key_of(paper("a"))
