"""A workspace reads the passages of its library after the vectors, and searches them once all are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.progress import Meter, Progress
from engine.documents import Document, Section
from engine.library import Library
from engine.search import Question
from engine.search.passages import encoder as module
from engine.workspace import filling
from engine.workspace.workspace import Workspace
from tests.search.passages.made import HashedWords, paper, sentences

ENCODER = "word2vec-sif"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(module, "PassageEncoder", HashedWords)
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "papers", [paper("a", body=150), paper("b", body=0), paper("c", body=0)])
    return Workspace(tmp_path)


def test_passages_are_read_after_the_vectors(workspace: Workspace) -> None:
    assert workspace.passages() is None
    stages: list[Progress] = []
    workspace.prepare(ENCODER, report=stages.append)
    assert list(dict.fromkeys(one.stage for one in stages)) == [f"encode with {ENCODER}", "read passages"]
    matcher = workspace.passages()
    assert matcher is not None and set(matcher.view.number_of) == {"a", "b", "c"}
    assert workspace.passages() is matcher


def test_a_long_documents_passages_are_shown_before_all_are_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "_PASSAGES_AT_ONCE", 1)
    text = Section("Flights", sentences(40, word="glider"))
    asked = Question(Document("mine", title="Silk", abstract=sentences(9, word="glider"), sections=(text,)), k=3)
    shown: list[int] = []

    def told(progress: Progress) -> None:
        if progress.stage == "read passages":
            first = workspace.searcher(ENCODER).search(asked).results[0]
            shown.append(len(first.evidence.passages))
            assert first.document.id == "a" and workspace.passages() is None

    monkeypatch.setattr(Meter, "_emit_in_time", lambda self: self.finish())
    workspace.prepare(ENCODER, report=told)
    assert shown[0] == 0 and shown[-1] == 3
    assert workspace.passages() is not None


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
