"""A workspace reads the passages of its library after the vectors, and searches them once all are there.

The passages of a library's documents: all of them, none twice, and as the texts are now.

Documents are read some at a time, and what was read is kept whatever comes next.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.compare import chunks_fingerprint
from engine.core.errors import CancelledError, StorageError
from engine.core.progress import Meter, Progress, Report, silent
from engine.documents import Chunk, Document, Section
from engine.encoders import EncoderCard
from engine.encoders.colde import LongRows
from engine.library import Library
from engine.search import Question, cut_passages
from engine.search import passages as encoder_module
from engine.vectors import PassageStore, PassageView, kept_passage_store, open_passage_store
from engine.workspace import indexing
from engine.workspace import passages as module
from engine.workspace.indexing import encoder_for, index_library
from engine.workspace.passages import (
    chunk_view,
    fill_store,
    forget_foreign_chunks,
    has_passages_left,
    index_passages,
    keep_chunks,
    open_passages,
)
from engine.workspace.workspace import Workspace
from tests.search.hashed_words import HashedWords, paper, sentences
from tests.workspace.letters import completing, reference, remove_documents


class LetterPassages:
    """Reads a passage by how often it holds each letter; counts what it reads, and may stop."""

    fingerprint, dim = "letters", 26

    def __init__(self, stop_after: int | None = None) -> None:
        self.read: list[str] = []
        self._stop_after = stop_after

    def cut(self, document: Document) -> Sequence[Chunk]:
        return cut_passages(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        rows = []
        for document, passages in read:
            if self._stop_after is not None and len(self.read) >= self._stop_after:
                raise KeyboardInterrupt
            self.read.append(document.id)
            rows += [[one.text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for one in passages]
        return np.array(rows, np.float32).reshape(-1, 26)


def counts(store: PassageStore) -> dict[str, int]:
    view = store.view()
    return {name: int(view.counts[number]) for name, number in view.number_of.items()}


def wanted(library: Library) -> dict[str, int]:
    return {document.id: len(cut_passages(document)) for document in library.iter_documents()}


@pytest.fixture
def filled(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 5)
    monkeypatch.setattr(indexing, "_SECONDS_KEPT", 0)
    library.add_file("k", "papers", [paper(f"d{n}", body=20 * (n % 4)) for n in range(12)])
    return library


def test_every_document_is_read_once(filled: Library) -> None:
    encoder, told = LetterPassages(), list[Progress]()
    store = index_passages(filled, encoder, report=told.append)
    assert counts(store) == wanted(filled) == counts(open_passages(filled, encoder))
    assert sorted(encoder.read) == sorted(filled.ids())
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("read passages", 12, 12)
    index_passages(filled, encoder)
    assert len(encoder.read) == 12


def test_reading_goes_on_where_it_was_stopped(filled: Library) -> None:
    with pytest.raises(KeyboardInterrupt):
        index_passages(filled, LetterPassages(stop_after=7))
    encoder = LetterPassages()
    held = len(open_passages(filled, encoder))
    assert 0 < held <= 7
    store = index_passages(filled, encoder)
    assert len(encoder.read) == 12 - held and counts(store) == wanted(filled)


def test_a_text_that_changed_is_read_again(library: Library) -> None:
    library.add_file("k", "papers", [reference(1), paper("other")])
    encoder = LetterPassages()
    index_passages(library, encoder)
    library.add_file("k2", "full text", [completing(1)])
    assert len(open_passages(library, encoder)) == 1
    encoder.read.clear()
    after = counts(index_passages(library, encoder))
    assert encoder.read == [reference(1).id] and after == wanted(library)
    encoder.read.clear()
    index_passages(library, encoder)
    assert not encoder.read


def test_a_removed_document_has_no_passages(filled: Library) -> None:
    encoder = LetterPassages()
    index_passages(filled, encoder)
    remove_documents(filled, ["d1", "d5"])
    kept = kept_passage_store(filled.passages_folder / "letters")
    assert set(kept.ids) == set(filled.ids())


def test_damaged_passages_are_read_again(filled: Library) -> None:
    encoder = LetterPassages()
    index_passages(filled, encoder)
    (filled.passages_folder / "letters" / "passages.json").write_text("{", "utf-8")
    assert counts(index_passages(filled, encoder)) == wanted(filled)


def test_passages_that_were_read_in_another_way_go(filled: Library) -> None:
    other = LetterPassages()
    other.fingerprint = "other"
    index_passages(filled, other)
    index_passages(filled, LetterPassages())
    assert [folder.name for folder in filled.passages_folder.iterdir()] == ["letters"]


def test_what_cannot_be_read_is_left_when_documents_are_removed(
    filled: Library, caplog: pytest.LogCaptureFixture
) -> None:
    index_passages(filled, LetterPassages())
    (filled.passages_folder / "letters" / "passages.json").write_text("{}", "utf-8")
    remove_documents(filled, ["d1"])
    assert "are left as they are" in caplog.text


def test_a_stopped_reading_is_known_without_what_reads(filled: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.PassageEncoder, "shipped_fingerprint", lambda: "letters")
    assert not has_passages_left(filled)  # not begun
    with pytest.raises(KeyboardInterrupt):
        index_passages(filled, LetterPassages(stop_after=7))
    assert has_passages_left(filled)
    index_passages(filled, LetterPassages())
    assert not has_passages_left(filled)
    (filled.passages_folder / "letters" / "passages.json").write_text("{", "utf-8")
    assert has_passages_left(filled)


def test_passages_that_another_encoder_read_are_left_to_read(filled: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    index_passages(filled, LetterPassages())
    monkeypatch.setattr(module.PassageEncoder, "shipped_fingerprint", lambda: "words")
    assert has_passages_left(filled)


def test_what_has_just_come_is_read_before_long_documents(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 1)
    library.add_file("k", "papers", [paper(f"d{n}", body=0 if n % 2 else 120) for n in range(4)])
    library.add_file("k2", "more", [paper("new", body=0)])
    encoder = LetterPassages()
    index_passages(library, encoder, first={"new"})
    assert encoder.read == ["new", "d0", "d2", "d1", "d3"]


class Stops:
    """Stops the work at a report, as a job that gives way does."""

    def __init__(self, at: int) -> None:
        self.at, self.told = at, list[Progress]()

    def __call__(self, progress: Progress) -> None:
        self.told.append(progress)
        if len(self.told) == self.at:
            raise CancelledError("Stopped.")


def test_reading_that_gives_way_reads_nothing_twice(filled: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_SECONDS_KEPT", 1e9)  # nothing is kept but at the stop
    monkeypatch.setattr(Meter, "_emit_in_time", lambda self: self.finish())
    encoder = LetterPassages()
    for _ in range(3):
        with pytest.raises(CancelledError):
            index_passages(filled, encoder, report=Stops(2))
        assert set(open_passages(filled, encoder).ids) == set(encoder.read)
    assert counts(index_passages(filled, encoder)) == wanted(filled) and len(encoder.read) == len(set(encoder.read))


def test_a_very_long_document_is_read_in_parts_and_stops_between_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Meter, "_emit_in_time", lambda self: self.finish())
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 1)
    monkeypatch.setattr(module, "_FIRST_PASSAGES", 4)
    book, encoder = paper("book", body=200), LetterPassages()
    count = len(cut_passages(book))
    assert count > 8
    told = Stops(3)
    meter = Meter("read", 1, told)
    meter.expect(1, work=10.0)
    with pytest.raises(CancelledError):
        fill_store(opened(tmp_path), [book], encoder, meter, {"book": 10.0})
    assert len(encoder.read) == 2 and [one.share for one in told.told] == pytest.approx([0, 4 / count, 8 / count])
    store = opened(tmp_path)
    fill_store(store, [book], HashedWords(), Meter("read", 1, silent))
    expected = HashedWords().encode([(book, cut_passages(book))])
    np.testing.assert_allclose(store.view().rows(np.arange(count)), expected, atol=0.01)


def test_long_documents_are_read_first(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 1)
    library.add_file("k", "papers", [paper(f"d{n}", body=0 if n % 2 else 120) for n in range(6)])
    encoder, seen = LetterPassages(), list[set[str]]()

    def told() -> None:
        seen.append(set(open_passages(library, LetterPassages()).ids))

    index_passages(library, encoder, whole=told)
    assert encoder.read == ["d0", "d2", "d4", "d1", "d3", "d5"] and seen == [{"d0", "d2", "d4"}]
    index_passages(library, encoder, whole=told)
    assert len(seen) == 1


_READS = """
import sys
from pathlib import Path
from engine.workspace.passages import index_passages
from engine.library import Library
from engine.workspace import indexing, passages
from tests.workspace.test_passages import LetterPassages
passages._PASSAGES_AT_ONCE, indexing._SECONDS_KEPT = 1, 0
class Telling(LetterPassages):
    def encode(self, read):
        print(len(self.read), flush=True)
        return super().encode(read)
with Library.open(Path(sys.argv[1])) as library:
    index_passages(library, Telling())
"""


def test_a_killed_reading_keeps_what_it_read(filled: Library) -> None:
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", _READS, str(filled.folder)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        view = open_passages(filled, LetterPassages()).view()
        assert len(view.number_of) >= 2
        assert_read(view, filled)
    encoder = LetterPassages()
    assert counts(index_passages(filled, encoder)) == wanted(filled) and len(encoder.read) <= 8


def assert_read(view: PassageView, library: Library) -> None:
    """Every document that is held has all of its passages, with their rows."""
    for document in library.get(list(view.number_of)):
        read, reader = view.read(document), LetterPassages()
        assert read is not None and list(read.passages) == reader.cut(document)
        rows = reader.encode([(document, read.passages)])
        np.testing.assert_allclose(read.rows, rows, atol=rows.max() / 254 + 1e-6)


# Chunks that were read to compare documents ----------------------------------------------------

CARD = EncoderCard("colde", "Counts letters.", 26, "letters")
CHUNKS = chunks_fingerprint(CARD)


def keep(library: Library, *names: str) -> None:
    for document in library.get(names):
        passages = cut_passages(document)
        keep_chunks(
            library, CARD, document.id, LongRows.of(document, passages, LetterPassages().encode([(document, passages)]))
        )


def held(library: Library) -> set[str]:
    view = chunk_view(library, CARD)
    return set() if view is None else set(view.number_of)


@pytest.fixture
def compared(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Two of three papers were compared; what is installed reads letters."""
    monkeypatch.setattr(module, "chunks_fingerprint", lambda card=CARD: chunks_fingerprint(card))
    library.add_file("k", "papers", [*(paper(f"d{n}", body=120) for n in range(3)), reference(1)])
    assert chunk_view(library, CARD) is None
    keep(library, "d0", "d1")
    return library


def test_what_was_compared_is_kept(compared: Library) -> None:
    view = chunk_view(compared, CARD)
    assert view is not None and set(view.number_of) == {"d0", "d1"}
    assert_read(view, compared)
    keep(compared, "d1")
    assert held(compared) == {"d0", "d1"}
    assert chunk_view(compared, replace(CARD, fingerprint="words")) is None


def test_chunks_of_a_text_that_changed_are_not_used(compared: Library) -> None:
    keep(compared, reference(1).id)
    compared.add_file("k3", "full text", [completing(1)])
    assert held(compared) == {"d0", "d1"}
    keep(compared, "d2")
    assert held(compared) == {"d0", "d1", "d2"}
    keep(compared, reference(1).id)
    view = chunk_view(compared, CARD)
    assert view is not None and len(view.number_of) == 4
    assert_read(view, compared)


def test_a_removed_document_has_no_chunks(compared: Library) -> None:
    remove_documents(compared, ["d0"])
    assert set(kept_passage_store(compared.chunks_folder / CHUNKS).ids) == {"d1"}


def test_damaged_chunks_make_room_for_others(compared: Library) -> None:
    (compared.chunks_folder / CHUNKS / "passages.json").write_text("{}", "utf-8")
    with pytest.raises(StorageError, match="Expected passages of format 1"):
        chunk_view(compared, CARD)
    keep(compared, "d2")
    assert held(compared) == {"d2"}


@pytest.mark.parametrize("forget", [forget_foreign_chunks, module.forget_passages])
def test_what_was_kept_in_another_way_goes(compared: Library, forget: Callable[[Library], None]) -> None:
    before = compared.chunks_folder / "colde" / "fingerprint" / "ab" / "abcdef"
    before.mkdir(parents=True)
    (before / "about.json").write_text("{}", "utf-8")
    forget(compared)
    assert [folder.name for folder in compared.chunks_folder.iterdir()] == [CHUNKS]
    assert held(compared) == {"d0", "d1"}


def test_without_what_compares_no_chunks_are_kept(compared: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "chunks_fingerprint", lambda: "")
    forget_foreign_chunks(compared)
    assert not list(compared.chunks_folder.iterdir())


PAPERS = [paper(f"d{number}", body=20 * (number % 5)) for number in range(20)]


def opened(folder: Path) -> PassageStore:
    return open_passage_store(folder, fingerprint=HashedWords.fingerprint, dim=HashedWords.dim)


@pytest.mark.parametrize("at_once", [1, 7, 1_000])
def test_batches_do_not_change_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", at_once)
    told: list[Progress] = []
    store = opened(tmp_path)
    fill_store(store, PAPERS, HashedWords(), Meter("read", len(PAPERS), told.append))
    view = store.view()
    for document in PAPERS:
        own, _ = view.of_documents(np.array([view.number_of[document.id]]))
        expected = HashedWords().encode([(document, cut_passages(document))])
        np.testing.assert_allclose(view.rows(own), expected, atol=0.01)
    assert (told[-1].done, told[-1].total) == (len(PAPERS), len(PAPERS))


def test_what_was_read_in_time_is_kept_when_the_run_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 1)
    monkeypatch.setattr(indexing, "_SECONDS_KEPT", 0)

    def stopped() -> object:
        yield from PAPERS[:6]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill_store(opened(tmp_path), stopped(), HashedWords(), Meter("read", None, lambda _: None))  # type: ignore[arg-type]
    assert set(opened(tmp_path).ids) >= {paper.id for paper in PAPERS[:5]}


def test_a_document_without_words_is_kept_without_passages(tmp_path: Path) -> None:
    from engine.documents import Document

    store = opened(tmp_path)
    fill_store(store, [Document("empty"), PAPERS[1]], HashedWords(), Meter("read", 2, lambda _: None))
    assert set(store.ids) == {"empty", "d1"} and len(store.view()) == len(cut_passages(PAPERS[1]))


ENCODER = "word2vec-sif"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(encoder_module, "PassageEncoder", HashedWords)
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "papers", [paper("a", body=150), paper("b", body=0), paper("c", body=0)])
    return Workspace(tmp_path)


def prepare(workspace: Workspace, report: Report = silent) -> None:
    workspace.prepare(ENCODER, report=report)
    workspace.read_passages(report=report)


def test_passages_are_read_after_the_vectors(workspace: Workspace) -> None:
    assert workspace.passages() is None
    stages: list[Progress] = []
    prepare(workspace, stages.append)
    assert list(dict.fromkeys(one.stage for one in stages)) == [f"encode with {ENCODER}", "read passages"]
    matcher = workspace.passages()
    assert matcher is not None and set(matcher.view.number_of) == {"a", "b", "c"}
    assert workspace.passages() is matcher


def test_a_long_documents_passages_are_shown_before_all_are_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PASSAGES_AT_ONCE", 1)
    text = Section("Flights", sentences(40, word="glider"))
    asked = Question(Document("mine", title="Silk", abstract=sentences(9, word="glider"), sections=(text,)), k=3)
    shown: list[int] = []

    def told(progress: Progress) -> None:
        if progress.stage == "read passages":
            first = workspace.searcher(ENCODER).search(asked).results[0]
            shown.append(len(first.evidence.passages))
            assert first.document.id == "a" and (workspace.passages() is None or progress.done == 3)

    monkeypatch.setattr(Meter, "_emit_in_time", lambda self: self.finish())
    prepare(workspace, told)
    assert shown[0] == 0 and shown[-1] == 3
    assert workspace.passages() is not None


def test_the_passages_that_another_process_reads_rank_and_count_as_they_come(
    workspace: Workspace, tmp_path: Path
) -> None:
    asked = Question(Document("mine", title="Silk", abstract=sentences(9, word="glider")), k=3)
    with Library.open(tmp_path) as library:
        index_library(library, encoder_for(library, ENCODER))
    assert not workspace.searcher(ENCODER).search(asked).verdict.read
    store = open_passage_store(
        tmp_path / "passages" / HashedWords.fingerprint, fingerprint="words", dim=HashedWords.dim
    )
    store.keep()  # begun
    for left, name in enumerate("abc"):
        found = workspace.searcher(ENCODER).search(asked)
        share = (0, 33, 67)[left]
        assert (
            f"Read so far: the passages of {share} % of your library; those of {3 - left} document"
            in found.verdict.read
        )
        assert workspace.left_to_read(ENCODER) == (0, 3 - left)
        fill_store(store, workspace.library.get([name]), HashedWords(), Meter("read", 1, silent))
    assert workspace.left_to_read(ENCODER) == (0, 0)
    assert not workspace.searcher(ENCODER).search(asked).verdict.read


@pytest.mark.parametrize(("left", "unread"), [((0, 0), 3), ((0, 2), 2), ((3, 1), 3)])
def test_what_covers_a_draft_knows_how_many_documents_are_not_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, left: tuple[int, int], unread: int
) -> None:
    monkeypatch.setattr(workspace, "left_to_read", lambda _name: left)
    assert workspace.passages() is None and workspace.shelf().unread == unread
    monkeypatch.setattr(
        workspace, "passages", lambda: encoder_module.PassageMatcher(PassageView.of([], 8), HashedWords())
    )
    assert workspace.shelf().unread == left[0]


def test_passages_are_searched_once_all_documents_have_theirs(workspace: Workspace, tmp_path: Path) -> None:
    prepare(workspace)
    with Library.open(tmp_path) as library:
        library.add_file("k2", "more", [paper("d", body=0)])
    assert workspace.passages() is None
    prepare(workspace)
    matcher = workspace.passages()
    assert matcher is not None and "d" in matcher.view.number_of
    workspace.remove_documents(["a"])
    matcher = workspace.passages()
    assert matcher is not None and set(matcher.view.number_of) == {"b", "c", "d"}


def test_a_library_of_abstracts_reads_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_module, "PassageEncoder", HashedWords)
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "records", [Document(f"d{n}", title=f"Kite {n}", abstract="It flies.") for n in range(3)])
    workspace = Workspace(tmp_path)
    prepare(workspace)
    assert workspace.passages() is None and not workspace.library.passages_folder.exists()
    assert not workspace.library.chunks_folder.exists()


def test_damaged_passages_are_left_out_of_a_search(
    workspace: Workspace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    prepare(workspace)
    (tmp_path / "passages" / "words" / "passages.json").write_text("{", "utf-8")
    workspace.forget()
    assert workspace.passages() is None and "passages are not searched" in caplog.text
