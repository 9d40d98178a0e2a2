"""The library: what goes in comes out, a whole file at a time."""

from __future__ import annotations

from pathlib import Path

from engine.library import Library
from tests.library.stored import PAPER, PATENT


def test_it_is_there_after_reopening(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER])
    with Library.open(tmp_path) as library:
        assert library.ids() == [PAPER.id]
        assert [hit.id for hit in library.keywords.search("kites", 3)] == [PAPER.id]


def test_counts_and_columns(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    counts = library.counts()
    assert (counts.documents, counts.papers, counts.patents, counts.files) == (2, 1, 1, 1)
    assert (counts.year_min, counts.year_max) == (2011, 2015)
    assert library.category_counts() == {"A63H": 1, "B65H": 1, "cs.RO": 1, "physics.flu-dyn": 1}
    assert library.venue_counts() == {"Journal of Wind": 1}
    summaries = library.summaries()
    assert summaries.ids == [PAPER.id, PATENT.id]
    assert summaries.categories == ["cs.RO", "A63H"]
    assert summaries.years == [2015, 2011]


def test_an_empty_library_answers(library: Library) -> None:
    counts = library.counts()
    assert (counts.documents, counts.papers, counts.year_min) == (0, 0, None)
    assert library.summaries().ids == [] and library.ids() == [] and len(library) == 0
    assert library.keywords.search("kite", 5) == []
    assert library.keywords.size == 0


def test_titles_are_found_by_their_words(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.title_matches("tethered ki") == [PAPER.id]
    assert library.title_matches("reel") == [PATENT.id]
    assert library.title_matches("drum") == []
    assert library.title_matches(" ") == []


def test_folders_lie_beside_the_database(library: Library) -> None:
    assert library.vectors_folder("lsa") == library.folder / "vectors" / "lsa"
    assert library.encoder_folder("lsa") == library.folder / "encoders" / "lsa"
    assert library.map_folder("lsa") == library.folder / "maps" / "lsa"
