"""Notes, tags and read marks: kept by the library, found by lines, and there again when a removed work comes back.

Judgements: they stay in the library, with the whole document that asked, until they are taken back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import LibraryError, UnknownDocumentError
from engine.documents import Document, Identifier, Section
from engine.library.annotations import Annotation
from engine.library.filters import Filters
from engine.library.store import Library
from tests.library.records import BOX, DELTA, SLED


@pytest.fixture
def kites(library: Library) -> Library:
    library.add_file("k1", "kites.jsonl", [BOX, DELTA, SLED])
    return library


def found(library: Library, line: str) -> list[str]:
    return library.ids(Filters(lines=(line,)))


def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "kites.jsonl", [BOX, DELTA, SLED])
        assert library.annotations.of([BOX.id]) == [Annotation()]
        assert library.annotations.tag([BOX.id, SLED.id], "  to   Read ") == 2
        assert library.annotations.tag([BOX.id], "TO READ") == 0
        assert library.annotations.tag([DELTA.id], "to read") == 1
        assert library.annotations.note([BOX.id], "Holds in  gusts.\r\nSee figure 3. ") == 1
        assert library.annotations.mark_read([BOX.id, DELTA.id], True) == 2
    with Library.open(tmp_path) as library:
        box, delta, sled = library.annotations.of([BOX.id, DELTA.id, SLED.id])
        assert box == Annotation(("to Read",), "Holds in gusts.\nSee figure 3.", True)
        assert (delta, sled) == (Annotation(("to Read",), "", True), Annotation(("to Read",)))
        assert library.annotations.tags() == {"to Read": 3}


def test_what_was_written_is_taken_away(kites: Library) -> None:
    kites.annotations.tag([BOX.id], "wind")
    kites.annotations.note([BOX.id], "Holds.")
    kites.annotations.mark_read([BOX.id], True)
    assert kites.annotations.untag([BOX.id, SLED.id], "Wind") == 1
    assert kites.annotations.note([BOX.id], "Holds.") == 0
    assert kites.annotations.note([BOX.id, SLED.id], " \n ") == 1
    assert kites.annotations.mark_read([BOX.id, SLED.id], False) == 1
    assert kites.annotations.of([BOX.id]) == [Annotation()]
    assert kites.annotations.tags() == {}


@pytest.mark.parametrize("tag", ["", "  ", "x" * (Annotation.MAX_TAG + 1), 'say "kite"', "kite*"])
def test_a_tag_that_no_line_could_ask_for_is_refused(kites: Library, tag: str) -> None:
    with pytest.raises(LibraryError, match=r"Expected a tag of 1 to 60 characters .* Choose another tag\."):
        kites.annotations.tag([BOX.id], tag)


def test_a_note_that_is_too_long_is_refused(kites: Library) -> None:
    with pytest.raises(LibraryError, match=r"Expected a note of at most 20,000 characters, got 20,001"):
        kites.annotations.note([BOX.id], "x" * (Annotation.MAX_NOTE + 1))


def test_what_is_not_held_gets_no_tag_and_nothing_else_does(kites: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="holds none with the id 'p9'"):
        kites.annotations.tag([BOX.id, "p9"], "wind")
    assert kites.annotations.tags() == {}


def test_lines_find_tags_notes_and_read_documents(kites: Library) -> None:
    kites.annotations.tag([BOX.id], "Méthode du vent")
    kites.annotations.tag([DELTA.id], "method")
    kites.annotations.note([SLED.id], "Über 100% der Böen_tests, sagt Gale")
    kites.annotations.mark_read([DELTA.id], True)
    assert found(kites, 'tag:"méthode du vent"') == [BOX.id]
    assert found(kites, "tag:method") == found(kites, "tag:meth*") == [DELTA.id]
    assert found(kites, "tag:*") == [BOX.id, DELTA.id]
    assert found(kites, "note:uber") == found(kites, "note:bo*") == found(kites, 'note:"100 der boen"') == [SLED.id]
    assert found(kites, "note:bo") == found(kites, 'note:"der 100"') == []
    assert found(kites, "read:yes") == [DELTA.id]
    assert found(kites, "read:no NOT note:gale") == [BOX.id]
    assert found(kites, "tag:method OR note:gale OR author:nobody") == [DELTA.id, SLED.id]


def test_a_change_grows_the_version_and_a_repetition_does_not(kites: Library) -> None:
    versions = [kites.annotations.version()]
    for _ in range(2):
        kites.annotations.tag([BOX.id], "wind")
        kites.annotations.note([BOX.id], "Holds.")
        kites.annotations.mark_read([BOX.id], True)
        kites.screening.decide([BOX.id], "excluded", "Too short")
        versions.append(kites.annotations.version())
    assert versions[0] < versions[1] == versions[2]


def test_facets_count_again_when_a_tag_that_a_line_asks_for_is_given(kites: Library) -> None:
    filters = Filters(lines=("tag:wind",))
    assert kites.facets(filters).total == 0
    kites.annotations.tag([BOX.id], "wind")
    assert kites.facets(filters).total == 1


def test_a_file_that_is_imported_again_changes_nothing_that_was_written(kites: Library) -> None:
    kites.annotations.note([BOX.id], "Holds.")
    kites.add_file("k1", "kites.jsonl", [BOX])
    kites.add_file("k2", "copy.jsonl", [replace(BOX, id="copy")])
    assert kites.annotations.of([BOX.id, "copy"]) == [Annotation(note="Holds.")] * 2


def test_a_reference_that_gets_its_paper_keeps_its_note(library: Library) -> None:
    bare = replace(BOX, id="gale2015", abstract="", sections=())
    library.add_file("k1", "list.bib", [bare])
    library.annotations.note([bare.id], "Get the paper.")
    assert library.add_file("k2", "paper.pdf", [BOX]).completed == 1
    assert library.get([bare.id])[0].sections
    assert found(library, "note:paper beach") == [bare.id]


def test_a_tag_is_renamed_everywhere(kites: Library) -> None:
    kites.annotations.tag([BOX.id, DELTA.id], "To read")
    kites.annotations.tag([SLED.id], "Later")
    kites.remove([DELTA.id])
    assert kites.annotations.rename_tag("to READ", "Read soon") == 2
    assert kites.annotations.tags() == {"Later": 1, "Read soon": 1}
    kites.add_file("again", "again.ris", [DELTA])
    assert kites.annotations.of([DELTA.id])[0].tags == ("Read soon",)
    assert kites.annotations.rename_tag("read soon", "READ SOON") == 2
    assert kites.annotations.tags() == {"Later": 1, "READ SOON": 2}


def test_a_tag_is_taken_in_by_another(kites: Library) -> None:
    kites.annotations.tag([BOX.id, DELTA.id], "wind")
    kites.annotations.tag([DELTA.id, SLED.id], "Gusts")
    assert kites.annotations.rename_tag("wind", "gusts") == 2
    assert kites.annotations.tags() == {"Gusts": 3}
    assert kites.ids(Filters(lines=("tag:wind",))) == []


def test_what_cannot_be_renamed_is_said(kites: Library) -> None:
    with pytest.raises(LibraryError, match="Expected a tag that a document has, got 'wind'"):
        kites.annotations.rename_tag("wind", "gusts")
    kites.annotations.tag([BOX.id], "wind")
    with pytest.raises(LibraryError, match="Expected a tag of 1 to 60 characters"):
        kites.annotations.rename_tag("wind", "gust*")


WRITTEN = Annotation(("wind",), "Holds in gusts.", True)


@pytest.fixture
def removed(library: Library) -> Library:
    """A library whose only document was removed after it was noted and screened."""
    library.add_file("k1", "kites.jsonl", [BOX])
    library.annotations.tag([BOX.id], "wind")
    library.annotations.note([BOX.id], WRITTEN.note)
    library.annotations.mark_read([BOX.id], True)
    library.screening.decide([BOX.id], "excluded", "Too short")
    library.remove([BOX.id])
    return library


def written(library: Library, id_: str) -> tuple[Annotation, str]:
    (screened,) = library.screening.of([id_])
    return library.annotations.of([id_])[0], screened.reason if screened else ""


def test_while_it_is_away_nothing_of_it_is_counted_or_found(removed: Library) -> None:
    removed.add_file("k2", "delta.jsonl", [DELTA])
    assert removed.annotations.tags() == {}
    assert removed.ids(Filters(lines=("tag:wind OR note:gusts OR read:yes OR screen:excluded",))) == []
    assert removed.screening.flow().excluded == 0
    assert removed.annotations.of_removed() == 1


@pytest.mark.parametrize(
    "again",
    [
        lambda: BOX,
        lambda: replace(BOX, id="doi:10.1/box"),
        lambda: replace(BOX, id="gale2015", abstract="", sections=()),
        lambda: replace(BOX, title="", sections=()),
    ],
    ids=["the same file", "another id", "a bare reference", "the same id without a title"],
)
def test_the_same_work_gets_it_back(removed: Library, again: Callable[[], Document]) -> None:
    document = again()
    removed.add_file("k1", "kites.jsonl", [DELTA, document])
    assert written(removed, document.id) == (WRITTEN, "Too short")
    assert written(removed, DELTA.id) == (Annotation(), "")
    assert removed.annotations.of_removed() == 0


def test_a_number_that_names_the_work_is_enough(library: Library) -> None:
    known = Document("doi:10.1/box", title="Box kites", identifiers=(Identifier("doi", "10.1/box"),))
    library.add_file("k1", "one.ris", [known])
    library.annotations.note([known.id], "Holds.")
    library.remove_file("k1")
    library.add_file("k2", "two.ris", [replace(known, abstract="They flew.")])
    assert library.annotations.of([known.id]) == [Annotation(note="Holds.")]


def test_another_work_under_the_same_id_gets_nothing(removed: Library) -> None:
    removed.add_file("k2", "other.jsonl", [replace(DELTA, id=BOX.id)])
    assert written(removed, BOX.id) == (Annotation(), "")
    assert removed.annotations.of_removed() == 1


def test_it_comes_back_whenever_the_work_does(removed: Library) -> None:
    for key in ("k2", "k3"):
        removed.add_file(key, "kites.jsonl", [BOX])
        assert written(removed, BOX.id) == (WRITTEN, "Too short")
        removed.remove_file(key)


def test_it_can_be_forgotten_to_the_last_word(removed: Library) -> None:
    assert removed.annotations.forget_removed() == 1
    assert removed.annotations.of_removed() == 0
    removed.add_file("k2", "kites.jsonl", [BOX])
    assert written(removed, BOX.id) == (Annotation(), "")


def test_a_document_without_notes_leaves_nothing(library: Library) -> None:
    library.add_file("k1", "kites.jsonl", [BOX])
    library.remove([BOX.id])
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM remembered").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM remembered_keys").fetchone() == (0,)
    connection.close()


QUERY = Document(
    "draft",
    "paper",
    "Kites in gusts",
    "How a kite flies.",
    (Section("Method", "We tie it."),),
    year=2020,
    categories=("cs.RO",),
)
OTHER = Document("q2", "query", abstract="reels")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        yield opened


def test_a_library_without_judgements_has_none(library: Library) -> None:
    assert (len(library.judgements), library.judgements.queries(), library.judgements.grades(QUERY)) == (0, [], {})
    library.judgements.take_back(QUERY, "p1")
    library.judgements.forget("no such key")
    assert len(library.judgements) == 0


def test_grades_and_the_whole_query_are_there_after_reopening(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.judgements.judge(QUERY, "p1", 1)
        library.judgements.judge(QUERY, "p2", 0)
        library.judgements.judge(OTHER, "p1", 1)
    with Library.open(tmp_path) as library:
        last, first = library.judgements.queries()
        assert (last.query, last.grades) == (OTHER, {"p1": 1})
        assert (first.query, first.grades) == (QUERY, {"p1": 1, "p2": 0})
        assert first.when < last.when
        assert library.judgements.grades(QUERY) == {"p1": 1, "p2": 0}
        assert len(library.judgements) == 3


def test_a_query_whose_kind_was_corrected_is_kept_as_it_was_judged_last(library: Library) -> None:
    library.judgements.judge(QUERY, "p1", 1)
    corrected = replace(QUERY, kind="patent", year=1898)
    library.judgements.judge(corrected, "p2", 0)
    (judged,) = library.judgements.queries()
    assert (judged.query, judged.grades) == (corrected, {"p1": 1, "p2": 0})


def test_a_later_grade_takes_the_place_of_an_earlier_one(library: Library) -> None:
    library.judgements.judge(QUERY, "p1", 1)
    library.judgements.judge(QUERY, "p1", 0)
    assert library.judgements.grades(QUERY) == {"p1": 0}


def test_what_is_taken_back_is_gone_and_the_query_with_its_last_grade(library: Library) -> None:
    library.judgements.judge(QUERY, "p1", 1)
    library.judgements.judge(QUERY, "p2", 1)
    library.judgements.take_back(QUERY, "p1")
    assert library.judgements.grades(QUERY) == {"p2": 1}
    library.judgements.take_back(QUERY, "p2")
    assert library.judgements.queries() == []


def test_a_query_is_forgotten_whole(library: Library) -> None:
    library.judgements.judge(QUERY, "p1", 1)
    library.judgements.judge(OTHER, "p1", 1)
    library.judgements.forget(library.judgements.queries()[1].key)
    assert [judged.query.id for judged in library.judgements.queries()] == ["q2"]


def test_a_corrected_query_is_another_one(library: Library) -> None:
    library.judgements.judge(QUERY, "p1", 1)
    assert library.judgements.grades(replace(QUERY, title="Kites in storms")) == {}


def test_a_grade_of_another_scale_is_refused(library: Library) -> None:
    with pytest.raises(LibraryError, match=r"Expected the grade 1 \(relevant\) or 0 \(not relevant\), got 3"):
        library.judgements.judge(QUERY, "p1", 3)  # type: ignore[arg-type]
