"""A workspace reads the passages of its library after the vectors, and searches them once all are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import Library
from engine.passages import chunks
from engine.passages import encoder as module
from engine.progress import Progress
from engine.workspace import Workspace, comparison
from tests.passages.made import HashedWords, paper

ENCODER = "word2vec-sif"


class HashedChunks(HashedWords):
    """Stands for what compares, without loading it."""

    fingerprint = chunks.shipped_fingerprint()

    def __init__(self, encoder: object) -> None:
        del encoder


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(module, "PassageEncoder", HashedWords)
    monkeypatch.setattr(chunks, "ChunkReader", HashedChunks)
    monkeypatch.setattr(comparison, "load_encoder", lambda name: name)
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "papers", [paper("a", body=150), paper("b", body=0), paper("c", body=0)])
    return Workspace(tmp_path)


def test_passages_are_read_after_the_vectors(workspace: Workspace) -> None:
    assert workspace.passages() is None
    stages: list[Progress] = []
    workspace.prepare(ENCODER, report=stages.append)
    assert list(dict.fromkeys(one.stage for one in stages)) == [
        f"encode with {ENCODER}",
        "read passages",
        "read whole documents for Compare",
    ]
    matcher = workspace.passages()
    assert matcher is not None and set(matcher.view.number_of) == {"a", "b", "c"}
    assert workspace.passages() is matcher


def test_passages_are_searched_while_chunks_are_read(workspace: Workspace) -> None:
    searched: list[bool] = []

    def told(progress: Progress) -> None:
        if progress.stage == "read whole documents for Compare":
            searched.append(workspace.passages() is not None)

    workspace.prepare(ENCODER, report=told)
    assert searched and all(searched)


def test_nothing_is_loaded_where_all_chunks_are_read(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.prepare(ENCODER)
    monkeypatch.setattr(chunks, "ChunkReader", None)
    workspace.prepare(ENCODER)


def test_passages_are_searched_once_all_documents_have_theirs(workspace: Workspace, tmp_path: Path) -> None:
    workspace.prepare(ENCODER)
    with Library.open(tmp_path) as library:
        library.add_file("k2", "more", [paper("d", body=0)])
    assert workspace.passages() is None
    workspace.prepare(ENCODER)
    matcher = workspace.passages()
    assert matcher is not None and "d" in matcher.view.number_of
    workspace.remove_documents(["a"])
    matcher = workspace.passages()
    assert matcher is not None and set(matcher.view.number_of) == {"b", "c", "d"}


def test_a_library_of_abstracts_reads_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PassageEncoder", HashedWords)
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "records", [Document(f"d{n}", title=f"Kite {n}", abstract="It flies.") for n in range(3)])
    workspace = Workspace(tmp_path)
    workspace.prepare(ENCODER)
    assert workspace.passages() is None and not workspace.library.passages_folder.exists()
    assert not workspace.library.chunks_folder.exists()


def test_damaged_passages_are_left_out_of_a_search(
    workspace: Workspace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    workspace.prepare(ENCODER)
    (tmp_path / "passages" / "words" / "passages.json").write_text("{", "utf-8")
    workspace.forget()
    assert workspace.passages() is None and "passages are not searched" in caplog.text
