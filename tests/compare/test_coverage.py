"""One document against many: rows as they are asked for, what is covered, and which documents cover most."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.compare import as_json
from engine.compare.coverage import COVERED, Coverage, CoverageCell, Row, RowKind, cut_rows
from engine.compare.covering import probability
from engine.core.errors import SearchError
from engine.documents import Chunk, Document, Section
from engine.search import Pair, Reading
from tests.search.hashed_words import sentences

TEXT = sentences(30)
CLAIMS = ("A kite having a tail.", "", "The kite of claim 1, wherein the tail is long.")


def asked(**changes: object) -> Document:
    sections = (
        Section("Method", f"{sentences(9)}\n\nA heading\n\n{sentences(40, word='glider')}"),
        Section("References", TEXT, "references"),
        Section("Acknowledgments", TEXT),
    )
    return replace(Document("q", title="On kites", abstract=sentences(8), sections=sections), **changes)  # type: ignore[arg-type]


def made(p: list[list[float]], words: list[int], rows: list[tuple[int, ...]], years: list[int | None]) -> Coverage:
    """A coverage of made probabilities (q, m)."""
    documents = tuple(Document(f"d{n}", title=f"Paper {n}", year=year) for n, year in enumerate(years))
    reading = Reading("closely related", 0.8, 0.5)
    chunk = Chunk("q", 0, "Body", 0, 1, "x")

    def cell(row: tuple[int, ...], column: int) -> CoverageCell:
        best = max(p[one][column] for one in row)
        return CoverageCell(chunk, replace(chunk, document_id=f"d{column}"), reading, best)

    return Coverage(
        Document("q", title="Question"),
        "sections",
        tuple(Row(f"row {n}", replace(chunk, part=n), row) for n, row in enumerate(rows)),
        documents,
        tuple(tuple(cell(row, column) for column in range(len(years))) for row in rows),
        np.array(words),
        np.array(p).reshape(len(words), len(years)),
    )


COVERAGE = made(
    [[0.9, 0.0, 0.9], [0.0, 0.9, 0.9], [0.0, 0.0, 0.0], [0.9, 0.0, 0.0]],
    [100, 50, 150, 100],
    [(0,), (1,), (2, 3)],
    [2001, None, 1990],
)


@pytest.mark.parametrize(
    ("kind", "titles"),
    [
        ("sections", ["Abstract", "Method", "Claim 1", "Claim 3"]),
        ("claims", ["Claim 1", "Claim 3"]),
        ("paragraphs", ["Abstract, paragraph 1", "Method, paragraph 1", "Method, paragraph 3"]),
    ],
)
def test_rows_are_what_is_asked_for_without_reference_lists_and_thanks(kind: RowKind, titles: list[str]) -> None:
    long = (" ".join(["A kite having a tail"] * 9), "", " ".join(["The kite of claim 1 wherein the tail is long"] * 4))
    document = asked(claims=CLAIMS if kind == "claims" else long if kind == "sections" else ())
    rows, passages = cut_rows(document, kind)
    assert [row.title for row in rows] == titles
    assert [one for row in rows for one in row.passages] == list(range(len(passages)))
    for one in (*passages, *(row.chunk for row in rows)):
        assert document.parts[one.part].text[one.start : one.stop] == one.text


def test_paragraphs_of_stock_phrases_are_no_rows() -> None:
    stock = "The foregoing description is illustrative, and modifications will be apparent to those skilled in the art."
    own = sentences(9)
    stocked = Document("q", sections=(Section("Method", f"{own}\n\n{stock} {stock} {stock}"),))
    assert [row.chunk.text for row in cut_rows(stocked, "paragraphs")[0]] == [own]


def test_each_passage_is_a_row_numbered_in_its_section() -> None:
    rows, passages = cut_rows(asked(), "passages")
    assert len(rows) == len(passages) > 3
    assert rows[1].title == "Method, passage 1" and rows[2].title == "Method, passage 2"


def test_rows_that_a_document_lacks_are_refused_with_the_ones_it_may_have() -> None:
    with pytest.raises(SearchError, match="Expected a document with claims; got 'On kites', which has none"):
        cut_rows(asked(), "claims")


def test_a_row_is_covered_by_the_share_of_its_words() -> None:
    assert [COVERAGE.row_share(row) for row in range(3)] == [1.0, 1.0, 0.4]
    assert COVERAGE.new() == [2] and not COVERAGE.is_covered(2)
    assert COVERAGE.share == pytest.approx(250 / 400)


def test_the_chosen_documents_add_the_most_words_each_and_say_what_they_alone_cover() -> None:
    chosen = COVERAGE.chosen()
    assert [one.column for one in chosen] == [0, 1]
    assert [one.share for one in chosen] == [0.5, 0.125] and [one.alone for one in chosen] == [0.5, 0.125]
    assert COVERAGE.chosen_share() == pytest.approx(250 / 400)
    sentence = COVERAGE.chosen_sentence().replace("\N{NO-BREAK SPACE}", " ")
    assert sentence == "2 documents together cover 62 % of the words: Paper 0 (50 %), Paper 1 (12 %)."


def test_what_two_chosen_documents_cover_is_covered_by_neither_alone() -> None:
    both = made([[1, 1], [1, 0], [1, 0], [0, 1]], [10, 10, 10, 10], [(0, 1, 2, 3)], [1, 2])
    assert [(one.column, one.alone) for one in both.chosen()] == [(0, 0.5), (1, 0.25)]
    assert both.chosen_sentence().count("in none of the others") == 2


def test_at_most_five_documents_are_chosen() -> None:
    assert len(made(np.eye(8).tolist(), [10] * 8, [tuple(range(8))], [2000] * 8).chosen()) == 5


def test_nothing_covered_has_no_chosen_documents_and_every_row_may_be_new() -> None:
    cold = made([[0.0], [COVERED - 0.01]], [10, 10], [(0,), (1,)], [2000])
    assert cold.chosen() == () and cold.chosen_sentence() == "" and cold.new() == [0, 1]
    assert cold.summary() == "All of it may be new: 1 document covers none of its 2 sections."


def test_a_single_row_is_said_in_the_singular() -> None:
    assert made([[0.0]], [10], [(0,)], [2000]).summary() == "All of it may be new: 1 document covers none of it."
    one = made([[0.9]], [10], [(0,)], [2000])
    assert one.summary() == "Of 1 section, none seems to be new. 1 document covers 100 % of the words."


def test_rows_and_columns_are_arranged_and_cells_follow() -> None:
    found = COVERAGE.arranged("coverage", "year")
    assert [row.title for row in found.rows] == ["row 2", "row 0", "row 1"]
    assert [one.id for one in found.columns] == ["d2", "d0", "d1"]  # an unknown year comes last
    assert [[cell.document.document_id for cell in cells] for cells in found.cells] == [["d2", "d0", "d1"]] * 3
    assert found.new() == [0] and found.share == COVERAGE.share
    back = found.arranged("text", "coverage")
    assert [row.title for row in back.rows] == ["row 0", "row 1", "row 2"]
    assert [one.id for one in back.columns] == ["d0", "d2", "d1"]


def test_json_holds_rows_columns_cells_and_what_stands_behind_them() -> None:
    value = as_json(COVERAGE)
    assert value["columns"] == ["d0", "d1", "d2"]
    assert value["cells"] == [[0.9, 0.0, 0.9], [0.0, 0.9, 0.9], [0.9, 0.0, 0.0]]
    assert value["new"] == [2]
    rows = value["rows"]
    assert isinstance(rows, list)
    assert [(row["title"], row["covered"], row["p"]) for row in rows] == [
        *(("row 0", True, 0.9), ("row 1", True, 0.9), ("row 2", False, 0.9))
    ]
    assert {"readings", "passages", "set", "copies", "share"} <= value.keys()


def test_a_match_that_stands_out_is_likelier_to_cover() -> None:
    pair = Pair(0.6, 0.4, 0.5, 120)
    assert probability(pair, 0.3) > probability(pair, 0.1) > probability(pair, 0.0)
    assert probability(replace(pair, contained=0.9), 0.1) > probability(pair, 0.1)
