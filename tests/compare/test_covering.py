"""A document against a library: what is planted is found in its document, and the rest may be new."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from engine.compare import Coverage, RowKind
from engine.compare.covering import CoverageSettings, Shelf, cover
from engine.core.errors import EmptyLibraryError, EncoderError, SearchError
from engine.documents import Document
from engine.search import cut_passages
from tests.compare.shelves import PAPERS, Books, Reader, draft, matcher, said, shelf

PARAGRAPH = PAPERS[5].sections[0].text[:600].rsplit(". ", 1)[0] + "."


def row_of(coverage: Coverage, title: str) -> int:
    return next(number for number, row in enumerate(coverage.rows) if row.title.startswith(title))


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("kind", [kind for kind in get_args(RowKind) if kind != "claims"])
def test_a_planted_paragraph_lights_its_row_and_its_column(kind: str, kept: bool) -> None:
    found = cover(shelf(kept=kept), draft(PARAGRAPH), CoverageSettings(kind, documents=8))  # type: ignore[arg-type]
    row = row_of(found, "Planted 0")
    assert found.is_covered(row)
    best = found.row_best(row)
    assert best is not None and best.document.document_id == "d5" and best.reading.word == "says the same"
    assert PAPERS[5].parts[best.document.part].text[best.document.start : best.document.stop] == best.document.text
    assert found.columns[0].id == "d5" and found.chosen()[0].column == 0
    assert row not in found.new()
    assert all(found.rows[one].title.startswith(("Abstract", "Introduction", "Discussion")) for one in found.new())
    assert len(found.new()) == len(found.rows) - 1


def test_a_paragraph_across_two_passages_of_a_document_is_found() -> None:
    text = PAPERS[7].sections[0].text.split(". ")
    straddling = ". ".join(text[6:17]) + "."  # a passage ends within it
    found = cover(shelf(), draft(straddling), CoverageSettings(documents=8))
    best = found.row_best(row_of(found, "Planted"))
    assert best is not None and best.is_covered and best.document.document_id == "d7"
    assert straddling in best.document.text


def test_what_no_document_says_may_be_new() -> None:
    found = cover(shelf(), draft(said("zeppelin", 9)), CoverageSettings(documents=8))
    assert len(found.new()) == len(found.rows)
    assert found.chosen() == ()


def test_a_document_far_from_the_question_is_a_column_where_it_holds_one_paragraph() -> None:
    found = cover(shelf(), draft(PARAGRAPH), CoverageSettings(documents=1))
    assert [one.id for one in found.columns] == ["d5"]


@pytest.mark.parametrize("kept", [True, False])
def test_all_documents_of_a_collection_are_columns(kept: bool) -> None:
    found = cover(shelf(kept=kept), draft(PARAGRAPH), CoverageSettings(documents=1, collection="mine"))
    assert {one.id for one in found.columns} == {"d3", "d4"}


@pytest.mark.parametrize("kept", [True, False])
def test_the_questions_copies_are_left_out_and_named(kept: bool) -> None:
    found = cover(shelf(Books(copies={"d5"}), kept=kept), draft(PARAGRAPH), CoverageSettings(documents=24))
    assert "d5" not in [one.id for one in found.columns]
    assert found.copies == ("d5",)


def test_a_version_of_the_question_is_left_out() -> None:
    asked = replace(draft(PARAGRAPH), title=f"{PAPERS[5].title}", year=PAPERS[5].year)
    found = cover(shelf(), asked, CoverageSettings(documents=8))
    assert "d5" in found.copies and "d5" not in [one.id for one in found.columns]


def test_claims_are_rows_of_a_patent_however_short() -> None:
    patent = Document("US9", "patent", "Kite", claims=(PARAGRAPH, "The kite of claim 1, wherein it flies."))
    found = cover(shelf(), patent, CoverageSettings("claims", documents=8))
    assert [row.title for row in found.rows] == ["Claim 1", "Claim 2"]
    assert found.new() == [1]


def test_a_library_with_no_other_document_is_refused() -> None:
    only = (PAPERS[0],)
    alone = Shelf(Books(only), Reader(), matcher(only), lambda _document, _most: [])
    with pytest.raises(EmptyLibraryError, match="holds none but the question"):
        cover(alone, PAPERS[0], CoverageSettings())


def test_progress_is_told_of_reading_and_comparing() -> None:
    stages: dict[str, int] = {}
    cover(
        shelf(),
        draft(PARAGRAPH),
        CoverageSettings(documents=4),
        report=lambda one: stages.__setitem__(one.stage, one.done),
    )
    assert stages == {"read your document": len(cut_passages(draft(PARAGRAPH))), "compare passages": 4}


def test_readings_of_another_encoder_are_refused() -> None:
    other = Reader()
    other.fingerprint = "another"
    with pytest.raises(EncoderError, match="Expected the encoder of passages that readings were fitted to"):
        cover(replace(shelf(), reader=other), draft(), CoverageSettings())


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SearchError, match="Expected at least 1 document to compare with, got 0"):
        CoverageSettings(documents=0)
    with pytest.raises(SearchError, match="Expected rows of sections, claims, paragraphs, passages; got 'lines'"):
        CoverageSettings("lines")  # type: ignore[arg-type]
