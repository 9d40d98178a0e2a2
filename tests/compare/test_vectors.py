"""What was read of a library's documents, kept on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.compare.vectors import KeptRows, forget_kept
from engine.documents import Section
from engine.encoders.colde.levels import LongRows
from engine.errors import StorageError
from engine.library import Library
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn


def assert_same(one: LongRows, other: LongRows) -> None:
    assert (one.sections, one.chunks) == (other.sections, other.chunks)
    assert np.array_equal(one.rows, other.rows) and np.array_equal(one.section_of, other.section_of)


def test_a_document_is_read_once(tmp_path: Path) -> None:
    encoder = StandIn()
    for document in (KITES, PATENT):
        first = KeptRows(tmp_path, encoder).read(document)
        assert KeptRows(tmp_path, encoder).holds(document) and not KeptRows(tmp_path, encoder).holds(GLIDERS)
        assert_same(KeptRows(tmp_path, encoder).read(document), first)
    assert encoder.documents_read == 2


def test_another_text_or_encoder_is_read_anew(tmp_path: Path) -> None:
    encoder, other = StandIn(), StandIn("another")
    KeptRows(tmp_path, encoder).read(KITES)
    KeptRows(tmp_path, encoder).read(replace(KITES, sections=(*KITES.sections, Section("More", "A kite."))))
    KeptRows(tmp_path, other).read(KITES)
    assert (encoder.documents_read, other.documents_read) == (2, 1)


def test_encoders_that_read_alike_share_what_is_kept(tmp_path: Path) -> None:
    encoder, retrained = StandIn("before", reads_by="transformer"), StandIn("after", reads_by="transformer")
    first = KeptRows(tmp_path, encoder).read(KITES)
    assert_same(KeptRows(tmp_path, retrained).read(KITES), first)
    assert (encoder.documents_read, retrained.documents_read) == (1, 0)


def test_what_leaves_the_library_is_forgotten_by_every_encoder(tmp_path: Path) -> None:
    encoders = (StandIn(), StandIn("another"))
    with Library.open(tmp_path, create=True) as library:
        forget_kept(library, ["unknown"])  # nothing is kept, so nothing is looked up
        library.add_file("k", "two.jsonl", [KITES, GLIDERS])
        for encoder in encoders:
            for document in (KITES, GLIDERS):
                KeptRows.of_library(library, encoder).read(document)
        forget_kept(library, [KITES.id])
        for encoder in encoders:
            kept = KeptRows.of_library(library, encoder)
            assert kept.holds(GLIDERS) and not kept.holds(KITES)


@pytest.mark.parametrize("name", ["rows.safetensors", "about.json"])
def test_what_is_damaged_is_read_again(tmp_path: Path, name: str) -> None:
    encoder = StandIn()
    kept = KeptRows(tmp_path, encoder)
    first = kept.read(KITES)
    (file,) = tmp_path.rglob(name)
    file.write_bytes(file.read_bytes()[:-3] + b"[]}")
    assert kept.get(KITES) is None
    assert_same(kept.read(KITES), first)
    assert encoder.documents_read == 2
    assert_same(kept.read(KITES), first)


def test_a_document_without_chunks_is_kept(tmp_path: Path) -> None:
    kept = KeptRows(tmp_path, StandIn())
    kept.read(replace(KITES, abstract="", sections=()))
    found = kept.get(replace(KITES, abstract="", sections=()))
    assert found is not None and (found.chunks, found.sections) == ((), ())


def test_a_library_has_a_folder_for_them(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        KeptRows.of_library(library, StandIn()).read(KITES)
    assert len(list((tmp_path / "library" / "chunks" / "stand-in").rglob("about.json"))) == 1


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="Expected to write"):
        KeptRows(tmp_path / "file", StandIn()).read(KITES)
