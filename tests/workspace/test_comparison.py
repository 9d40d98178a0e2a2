"""What was read of a document for comparisons, and what to read first of it: read once and kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.compare import Exclusions, chunks_fingerprint
from engine.core.errors import CancelledError, EmptyInputError, StorageError
from engine.core.progress import Progress, Report
from engine.documents import Chunk, Document, Section
from engine.encoders import EncoderCard, registry
from engine.encoders.colde import Levels, LongRows
from engine.encoders.keyvec import KeyvecEncoder, Salience
from engine.library import Library
from engine.search import PassageEncoder, readings
from engine.workspace import comparison, salience
from engine.workspace.comparison import Comparer
from engine.workspace.keeping import OwnDocument
from engine.workspace.salience import SalienceReader
from engine.workspace.workspace import Workspace
from tests.encoders.keyvec.tiny import paper, tiny_keyvec
from tests.explorer.comparisons import PAPER, PATENT
from tests.explorer.conftest import OWN


class Words:
    """An encoder that counts three words: one chunk a part."""

    card = EncoderCard("colde", "counts", 3, "f" * 16)
    facts: dict[str, Any] = {}  # noqa: RUF012  as an encoder's

    reader = (SimpleNamespace(dim=3),)

    def __init__(self) -> None:
        self.reads: list[str] = []

    def read(self, documents: Sequence[Document], *, report: object = None) -> list[LongRows]:
        return [self._read(document) for document in documents]

    def _read(self, document: Document) -> LongRows:
        self.reads.append(document.id)
        parts = [
            (n, part) for n, part in enumerate(document.parts) if part.role not in ("title", "references") and part.text
        ]
        chunks = tuple(Chunk(document.id, n, part.title, 0, len(part.text), part.text) for n, part in parts)
        rows = [[1 + chunk.text.count(word) for word in ("blade", "generator", "walk")] for chunk in chunks]
        names = tuple(part.title for _, part in parts)
        return LongRows(names, chunks, np.arange(len(chunks)), np.asarray(rows, np.float32).reshape(-1, 3))

    def cut(self, document: Document) -> LongRows:
        found = self._read(document)
        self.reads.pop()
        return found

    def levels(self, long: LongRows, *, keep: Any = None) -> Levels:  # noqa: ANN401
        rows = long.rows * (np.ones(len(long.rows)) if keep is None else keep)[:, None]
        units = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
        total = units.sum(0)
        return Levels(total / max(1e-9, float(np.linalg.norm(total))), units, units)

    def similarity(self, a: Levels, b: Levels) -> float:
        return a.similarity(b, late_share=0)

    def attends(self, a: LongRows, b: LongRows) -> Any:  # noqa: ANN401
        return np.full((len(a.chunks), len(b.chunks)), 1 / len(b.chunks), np.float32)


LONG = Document(
    "long",
    title="Blades",
    abstract="A blade.",
    sections=(Section("All", "The blade of a generator turns at a walk. " * 200),),
)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Words:
    words = Words()
    monkeypatch.setattr(
        "engine.workspace.passages.chunks_fingerprint", lambda card=words.card: chunks_fingerprint(card)
    )
    monkeypatch.setattr(PassageEncoder, "is_installed", lambda: False)
    monkeypatch.setattr(comparison, "load_colde", lambda _: words)
    return words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def workspace(folder: Path) -> Iterator[Workspace]:
    with Workspace(folder, create=True) as opened:
        yield opened


@pytest.fixture
def comparer(workspace: Workspace) -> Comparer:
    return workspace.comparer()


def test_other_exclusions_read_nothing_again(encoder: Words, comparer: Comparer) -> None:
    first = comparer.compare(PAPER, PATENT, Exclusions())
    assert encoder.reads == ["a", "b"]
    again = comparer.compare(PAPER, PATENT, Exclusions(references=False, min_words=30))
    assert encoder.reads == ["a", "b"]
    assert again.exclusions.min_words == 30
    assert len(again.passages) < len(first.passages)
    assert comparer.is_read(PAPER)


def test_the_last_comparisons_are_kept_and_their_progress_is_heard(encoder: Words, comparer: Comparer) -> None:
    heard: list[Progress] = []
    exclusions = Exclusions(min_words=3)
    assert not comparer.is_compared(PAPER, PATENT, exclusions)
    first = comparer.compare(PAPER, PATENT, exclusions, report=heard.append)
    assert (heard[-1].stage, heard[-1].done) == ("compare sentences", heard[-1].total)
    assert comparer.is_compared(PAPER, PATENT, exclusions) and not comparer.is_compared(PAPER, PATENT, Exclusions())
    assert comparer.compare(PAPER, PATENT, exclusions) is first
    assert encoder.reads == ["a", "b"]


def test_a_comparison_can_be_stopped(encoder: Words, comparer: Comparer) -> None:
    def stop(_: Progress) -> None:
        raise CancelledError("Stopped.")

    for document in (PAPER, PATENT):
        comparer.read(document)
    with pytest.raises(CancelledError, match="Stopped"):
        comparer.compare(PAPER, PATENT, Exclusions(), report=stop)
    assert not comparer.is_compared(PAPER, PATENT, Exclusions()) and encoder.reads == ["a", "b"]


def test_a_text_that_was_changed_is_another_one(encoder: Words, comparer: Comparer) -> None:
    comparer.read(PAPER)
    changed = Document("a", "paper", "Tidal rotors", "Another abstract altogether.")
    assert not comparer.is_read(changed)
    comparer.read(changed)
    assert encoder.reads == ["a", "a"]


@pytest.mark.usefixtures("encoder")
def test_only_the_last_documents_are_kept(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "_KEPT_SIDES", 1)
    comparer = workspace.comparer()
    comparer.read(PAPER)
    comparer.read(PATENT)
    assert not comparer.is_read(PAPER)
    assert comparer.is_read(PATENT)


def test_a_long_document_of_the_library_is_read_once(encoder: Words, folder: Path) -> None:
    with Workspace(folder, create=True) as workspace:
        workspace.library.add_file("own", "own.jsonl", [LONG, *OWN])
        first = workspace.comparer().read(LONG)
        workspace.comparer().read(OWN[0])
        assert encoder.reads == [LONG.id, OWN[0].id]
    encoder.reads.clear()
    with Workspace(folder) as workspace:
        again = workspace.comparer().read(LONG)
        assert not encoder.reads
        assert again.long.chunks == first.long.chunks and again.long.sections == ("Abstract", "All")
        np.testing.assert_allclose(again.long.rows, encoder._read(LONG).rows, rtol=0.01)
        encoder.reads.clear()
        workspace.comparer().read(replace(LONG, abstract="Other words."))  # no document of the library any more
        workspace.comparer().read(OWN[0])  # a short one is read again
        assert encoder.reads == [LONG.id, OWN[0].id]


def test_an_import_reads_nothing_to_compare(encoder: Words, workspace: Workspace) -> None:
    workspace.library.add_file("own", "own.jsonl", [LONG])
    workspace.read_passages()
    assert not encoder.reads and not workspace.library.chunks_folder.exists()


def test_what_is_kept_is_used_at_once(encoder: Words, workspace: Workspace) -> None:
    workspace.library.add_file("own", "own.jsonl", [LONG])
    workspace.comparer().read(LONG)
    workspace.comparer()._sides.forget()
    workspace.comparer().read(LONG)
    assert encoder.reads == [LONG.id]


def test_damaged_chunks_are_read_and_kept_again(
    encoder: Words, workspace: Workspace, caplog: pytest.LogCaptureFixture
) -> None:
    workspace.library.add_file("own", "own.jsonl", [LONG])
    workspace.comparer().read(LONG)
    (folder,) = workspace.library.chunks_folder.iterdir()
    (folder / "passages.json").write_text("{", "utf-8")
    for reads in (2, 2):
        workspace.forget()
        workspace.comparer()._sides.forget()
        workspace.comparer().read(LONG)
        assert encoder.reads == [LONG.id] * reads
    assert "documents are read to be compared" in caplog.text


def test_chunks_of_a_kept_document_of_ones_own_outlive_the_app(encoder: Words, workspace: Workspace) -> None:
    key = workspace.own.keep(OwnDocument(LONG, "own.pdf"))
    first = workspace.comparer().read(LONG)
    with Workspace(workspace.folder) as restarted:
        again = restarted.comparer().read(restarted.own.get(key).document)
    assert encoder.reads == [LONG.id] and again.long.chunks == first.long.chunks
    assert np.array_equal(again.long.rows, first.long.rows)


def test_a_folder_that_cannot_be_written_to_keeps_nothing(
    encoder: Words, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("Read-only.")

    workspace.library.add_file("own", "own.jsonl", [LONG])
    monkeypatch.setattr("engine.workspace.passages.keep_chunks", refuse)
    assert workspace.comparer().read(LONG).long.chunks and "chunks are not kept: Read-only." in caplog.text
    assert encoder.reads == [LONG.id]


@pytest.mark.usefixtures("encoder")
def test_the_rows_of_nearness_come_from_the_index(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    library = workspace.library
    library.add_file("own", "own.jsonl", [PAPER, PATENT])
    comparer, plain = workspace.comparer(), workspace.comparer().compare(PAPER, PATENT, Exclusions())
    workspace.prepare("default")

    def refuse(document: Document) -> None:
        raise AssertionError(document.id)

    readings._document_row.cache_clear()
    monkeypatch.setattr(readings, "_document_row", refuse)
    comparer._sides.forget()
    comparer._compared.forget()
    kept = comparer.compare(PAPER, PATENT, Exclusions())
    assert comparer.read(PAPER).row is not None
    assert kept.nearness.word == plain.nearness.word and kept.nearness.cosine == pytest.approx(
        plain.nearness.cosine, abs=0.01
    )
    for path in library.vectors_folder("blend").rglob("index.json"):
        path.write_text("{", "utf-8")
    workspace.forget()
    comparer._sides.forget()
    assert comparer.read(PAPER).row is None  # a damaged index: it is read again


@pytest.mark.usefixtures("encoder")
def test_without_a_library_the_shipped_words_count(folder: Path) -> None:
    with Workspace(folder) as workspace:
        comparer = workspace.comparer()
        assert comparer.words().keywords is None and comparer.words() is comparer.words()
        assert comparer.compare(PAPER, PATENT, Exclusions()).passages
    assert not folder.exists()


@pytest.mark.usefixtures("encoder")
def test_another_library_of_as_many_documents_has_other_words(folder: Path, comparer: Comparer) -> None:
    recurs = "The blade turns the shaft of the large generator."
    query = Document("q", "paper", "Blades", f"{recurs} The walk of one lone particle mixes within hours here.")

    def fill(word: str, sentence: str) -> None:
        abstracts = [f"{word}{n} {sentence if n < 10 else f'kite{n}'}" for n in range(60)]
        with Library.open(folder, create=True) as library:
            documents = [Document(f"{word}{n}", abstract=abstract) for n, abstract in enumerate(abstracts)]
            library.add_file(word, word, documents)

    fill("alpha", recurs)
    before = comparer.read(query)
    assert before.recurring.tolist() == [True, False]
    shutil.rmtree(folder)
    fill("beta", "Nothing of the kind.")
    assert not comparer.is_read(query)
    after = comparer.read(query)
    assert after.recurring.tolist() == [False, False]
    assert after.words is not before.words
    assert comparer.read(query) is after


@pytest.mark.usefixtures("encoder")
def test_a_document_without_words_is_refused(comparer: Comparer) -> None:
    with pytest.raises(EmptyInputError, match="Expected text to compare"):
        comparer.read(Document("x", "paper", "Title"))


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weights")
    tiny_keyvec().save(folder / "keyvec")
    return folder


@pytest.fixture
def reader(weights: Path, monkeypatch: pytest.MonkeyPatch) -> SalienceReader:
    monkeypatch.setattr(registry, "PRETRAINED", weights)
    return SalienceReader()


def test_a_document_is_read_once(reader: SalienceReader, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = KeyvecEncoder.salience

    def counted(self: KeyvecEncoder, documents: Sequence[Document], *, keywords: int, report: Report) -> list[Salience]:
        read.extend(document.id for document in documents)
        return plain(self, documents, keywords=keywords, report=report)

    monkeypatch.setattr(KeyvecEncoder, "salience", counted)
    one, two = paper("one"), paper("two", sentences=6)
    assert reader.known(one) is None
    first = reader.read([one, two, one])
    assert [len(found.sentences) for found in first] == [8, 6, 8]
    assert "boiler" in {word for word, _ in first[0].keywords}
    again = reader.read([two, one])
    assert [again[1], again[0]] == first[:2]
    assert read == ["one", "two"]
    assert reader.known(one) is first[0]


def test_what_was_said_of_many_documents_is_forgotten_in_turn(
    reader: SalienceReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salience, "_KEPT", 2)
    documents = [paper(name) for name in "abc"]
    assert len(reader.read(documents)) == 3
    assert [reader.known(document) is not None for document in documents] == [False, True, True]


def test_the_encoder_is_loaded_ahead(reader: SalienceReader, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.warm()
    monkeypatch.setattr(registry, "load", None)  # it is not asked for
    assert reader.encoder().card.name == "keyvec"


def test_an_encoder_that_is_missing_or_damaged_stops_no_warming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    missing = SalienceReader()
    assert not missing.is_there() and missing.known(paper("one")) is None
    missing.warm()
    tiny_keyvec().save(tmp_path / "keyvec")
    (tmp_path / "keyvec" / "weights.safetensors").write_bytes(b"no weights")
    with caplog.at_level("INFO"):
        SalienceReader().warm()
    assert "it is damaged" in caplog.text
    with pytest.raises(StorageError, match="it is damaged"):
        SalienceReader().read([paper("one")])


def test_a_library_that_has_changed_has_its_documents_read_again(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", weights)
    monkeypatch.setattr(salience, "_TELLING_DOCUMENTS", 2)
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own.jsonl", [paper("a"), paper("b")])
        reader = SalienceReader(library=lambda: library)
        reader.read([paper("one")])
        assert reader.known(paper("one")) is not None
        library.add_file("more", "more.jsonl", [paper("c", sentences=6)])
        assert reader.known(paper("one")) is None
