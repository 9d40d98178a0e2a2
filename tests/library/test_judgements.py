"""Judgements stay in the library, with the whole document that asked, until they are taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import LibraryError
from engine.documents import Document, Section
from engine.library.store import Library

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
