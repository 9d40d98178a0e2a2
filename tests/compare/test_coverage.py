"""Coverage: what a set of documents says of a draft's claims, passage by passage, and the chart of claims."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.compare import as_json
from engine.compare.claim_chart import elements, independent_claims
from engine.compare.coverage import (
    CLOSE,
    NOTHING,
    SAID,
    Coverage,
    CoverageCell,
    Row,
    RowKind,
    cut_rows,
    parents,
    rank_of,
)
from engine.compare.covering import CoverageSettings, Shelf, cover, probability
from engine.core.errors import EmptyLibraryError, EncoderError, SearchError
from engine.documents import Chunk, Document, Section
from engine.search import Pair, Reading, cut_passages
from tests.compare.shelves import PAPERS, Books, Reader, draft, matcher, said, shelf
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
    chunk = Chunk("q", 0, "Body", 0, 1, "x")

    def read(one: float) -> Reading:
        word = "says the same" if one >= 0.5 else "closely related" if one >= 0.2 else "same field"
        return Reading(word, max(one, 1 - one), 0.5)

    def cell(row: tuple[int, ...], column: int) -> CoverageCell:
        best = max(p[one][column] for one in row)
        return CoverageCell(chunk, replace(chunk, document_id=f"d{column}"), read(best), best)

    return Coverage(
        Document("q", title="Question"),
        "sections",
        tuple(Row(f"row {n}", replace(chunk, part=n), row) for n, row in enumerate(rows)),
        documents,
        tuple(tuple(cell(row, column) for column in range(len(years))) for row in rows),
        np.array(words),
        np.array(p).reshape(len(words), len(years)),
        np.array([[rank_of(read(one)) for one in each] for each in p], np.int64).reshape(len(words), len(years)),
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


def test_a_passage_holds_one_paragraph_and_short_ones_go_with_others() -> None:
    long, short = sentences(6), "In short, it flies."
    document = Document("q", sections=(Section("Method", "\n\n".join([short, long, long, short, short, long, short])),))
    _, passages = cut_rows(document, "sections")
    paragraphs = [f"{short}\n\n{long}", long, f"{short}\n\n{short}\n\n{long}\n\n{short}"]
    assert [one.text for one in passages] == paragraphs
    (text,) = (part.text for part in document.parts if part.role == "body")
    assert [text[one.start : one.stop] for one in passages] == paragraphs


def test_rows_that_a_document_lacks_are_refused_with_the_ones_it_may_have() -> None:
    with pytest.raises(SearchError, match="Expected a document with claims; got 'On kites', which has none"):
        cut_rows(asked(), "claims")


def test_a_row_is_said_by_the_share_of_its_words_and_nothing_is_like_it_only_where_that_holds_throughout() -> None:
    assert [COVERAGE.row_share(row) for row in range(3)] == [1.0, 1.0, 0.4]
    assert [COVERAGE.row_word(row) for row in range(3)] == ["said there", "said there", "close: read it"]
    assert COVERAGE.not_said() == {"nothing like it here": [], "close: read it": [2]}
    assert COVERAGE.share == pytest.approx(250 / 400)
    assert COVERAGE.row_p(2) == pytest.approx(0.9 * 100 / 250)
    far = made([[0.1], [0.3], [0.1]], [10, 10, 10], [(0, 1), (2,)], [2000])
    assert [far.row_rank(row) for row in range(2)] == [CLOSE, NOTHING]


def test_a_single_passage_is_as_likely_said_as_its_best_match_and_not_all_of_it_by_a_little() -> None:
    one = made([[0.34, 0.1], [0.31, 0.7]], [10, 10], [(0,), (1,)], [2000, 2001])
    assert [one.row_word(row) for row in range(2)] == ["close: read it", "said there"]
    assert [one.row_p(row) for row in range(2)] == pytest.approx([0.34, 0.7])


def test_the_chosen_documents_add_the_most_words_each_and_say_what_they_alone_cover() -> None:
    chosen = COVERAGE.chosen()
    assert [one.column for one in chosen] == [0, 1]
    assert [one.share for one in chosen] == [0.5, 0.125] and [one.alone for one in chosen] == [0.5, 0.125]
    assert COVERAGE.chosen_share() == pytest.approx(250 / 400)
    sentence = COVERAGE.chosen_sentence().replace("\N{NO-BREAK SPACE}", " ")
    assert sentence == "2 documents together say 62 % of the words: Paper 0 (50 %), Paper 1 (12 %)."


def test_what_two_chosen_documents_cover_is_covered_by_neither_alone() -> None:
    both = made([[1, 1], [1, 0], [1, 0], [0, 1]], [10, 10, 10, 10], [(0, 1, 2, 3)], [1, 2])
    assert [(one.column, one.alone) for one in both.chosen()] == [(0, 0.5), (1, 0.25)]
    assert both.chosen_sentence().count("in none of the others") == 2


def test_at_most_five_documents_are_chosen() -> None:
    assert len(made(np.eye(8).tolist(), [10] * 8, [tuple(range(8))], [2000] * 8).chosen()) == 5


def test_where_nothing_is_said_no_documents_are_chosen_and_what_is_close_is_never_called_new() -> None:
    cold = made([[0.0], [0.1]], [10, 10], [(0,), (1,)], [2000])
    assert cold.chosen() == () and cold.chosen_sentence() == "" and cold.of_rank(NOTHING) == [0, 1]
    assert cold.summary() == "Nothing here is like it: none of 1 document says any of its 2 sections, or comes close."
    close = made([[0.0], [0.3]], [10, 10], [(0,), (1,)], [2000])
    assert close.summary().replace("\N{NO-BREAK SPACE}", " ") == (
        "Of 2 sections, 1 has something close that you should read and 1 has nothing like it here."
    )


def test_while_documents_are_not_read_nothing_is_like_no_other_but_so_far() -> None:
    partly = replace(COVERAGE, unread=25_381)
    words = [partly.row_word(row) for row in range(3)]
    assert words == [COVERAGE.row_word(row).replace(" here", " so far") for row in range(3)]
    assert partly.summary().endswith("25,381 documents of the library are not read yet.")
    nothing = replace(made([[0.0], [0.1]], [10, 20], [(0,), (1,)], [None]), unread=1)
    assert nothing.summary() == (
        "Nothing so far is like it: none of 1 document says any of its 2 sections, or comes close. "
        "1 document of the library is not read yet."
    )
    assert (
        nothing.row_word(0) == "nothing like it so far" and next(iter(nothing.not_said())) == "nothing like it so far"
    )
    assert as_json(nothing)["unread"] == 1 and "unread" not in as_json(COVERAGE)


def test_a_single_row_is_said_in_the_singular() -> None:
    alone = made([[0.0]], [10], [(0,)], [2000]).summary()
    assert alone == "Nothing here is like it: none of 1 document says it, or comes close."
    one = made([[0.9]], [10], [(0,)], [2000])
    assert one.summary() == "Of 1 section, 1 is said there. 1 document says 100 % of the words."


def test_rows_and_columns_are_arranged_and_cells_follow() -> None:
    found = COVERAGE.arranged("coverage", "year")
    assert [row.title for row in found.rows] == ["row 2", "row 0", "row 1"]
    assert [one.id for one in found.columns] == ["d2", "d0", "d1"]  # an unknown year comes last
    assert [[cell.document.document_id for cell in cells] for cells in found.cells] == [["d2", "d0", "d1"]] * 3
    assert found.of_rank(CLOSE) == [0] and found.share == COVERAGE.share
    back = found.arranged("text", "coverage")
    assert [row.title for row in back.rows] == ["row 0", "row 1", "row 2"]
    assert [one.id for one in back.columns] == ["d0", "d2", "d1"]


def test_documents_that_cover_nothing_are_left_out_of_what_is_drawn() -> None:
    found = made([[0.9, 0.0, 0.0], [0.0, 0.0, 0.3]], [10, 10], [(0,), (1,)], [2000, 2001, 2002])
    drawn = found.covering()
    assert [one.id for one in drawn.columns] == ["d0", "d2"] and drawn.ranks.shape == drawn.p.shape == (2, 2)
    assert [[cell.document.document_id for cell in cells] for cells in drawn.cells] == [["d0", "d2"]] * 2
    assert drawn.rows == found.rows and drawn.summary().startswith("Of 2 sections, 1 is said there and 1 has something")
    nothing = made([[0.0, 0.0]], [10], [(0,)], [2000, 2001])
    assert nothing.covering().columns == nothing.columns


def test_json_holds_rows_columns_cells_and_what_stands_behind_them() -> None:
    value = as_json(COVERAGE)
    assert value["columns"] == ["d0", "d1", "d2"]
    assert value["cells"] == [[0.9, 0.0, 0.9], [0.0, 0.9, 0.9], [0.9, 0.0, 0.0]]
    assert value["new"] == value["nothing_like_it"] == []
    assert value["said"][1] == ["nothing like it here", "said there", "said there"]
    rows = value["rows"]
    assert isinstance(rows, list)
    assert [(row["title"], row["word"], row["covered"], row["p"]) for row in rows] == [
        *(("row 0", "said there", True, 0.9), ("row 1", "said there", True, 0.9)),
        ("row 2", "close: read it", False, 0.36),
    ]
    assert {"readings", "passages", "set", "copies", "share", "covered_from"} <= value.keys()


def test_a_match_that_stands_out_is_likelier_to_say_it() -> None:
    pair = Pair(0.6, 0.4, 0.5, 120)
    assert probability(pair, 0.3) > probability(pair, 0.1) > probability(pair, 0.0)
    assert probability(replace(pair, contained=0.9), 0.1) > probability(pair, 0.1)


PARAGRAPH = PAPERS[5].sections[0].text[:600].rsplit(". ", 1)[0] + "."


def row_of(coverage: Coverage, title: str) -> int:
    return next(number for number, row in enumerate(coverage.rows) if row.title.startswith(title))


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("kind", [kind for kind in get_args(RowKind) if kind not in {"claims", "contributions"}])
def test_a_planted_paragraph_lights_its_row_and_its_column(kind: str, kept: bool) -> None:
    found = cover(shelf(kept=kept), draft(PARAGRAPH), CoverageSettings(kind, documents=8))  # type: ignore[arg-type]
    row = row_of(found, "Planted 0")
    assert found.is_said(row)
    best = found.row_best(row)
    assert best is not None and best.document.document_id == "d5" and best.reading.word == "says the same"
    assert PAPERS[5].parts[best.document.part].text[best.document.start : best.document.stop] == best.document.text
    assert found.columns[0].id == "d5" and found.chosen()[0].column == 0
    others = [one for some in found.not_said().values() for one in some]
    assert all(found.rows[one].title.startswith(("Abstract", "Introduction", "Discussion")) for one in others)
    assert len(others) == len(found.rows) - 1


def test_a_paragraph_across_two_passages_of_a_document_is_found() -> None:
    text = PAPERS[7].sections[0].text.split(". ")
    straddling = ". ".join(text[6:17]) + "."  # a passage ends within it
    found = cover(shelf(), draft(straddling), CoverageSettings(documents=8))
    best = found.row_best(row_of(found, "Planted"))
    assert best is not None and best.is_said and best.document.document_id == "d7"
    assert straddling in best.document.text


def test_what_no_document_says_is_not_called_said() -> None:
    found = cover(shelf(), draft(said("zeppelin", 9)), CoverageSettings(documents=8))
    assert found.of_rank(SAID) == []
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
    assert found.of_rank(SAID) == [0]


def test_a_dependent_claim_is_said_no_more_than_the_claim_it_builds_on() -> None:
    own = PAPERS[9].sections[0].text[:600].rsplit(". ", 1)[0]
    patent = Document(
        "US9", "patent", "Kite", claims=(said("zeppelin", 9), f"The kite of claim 1, wherein {own}.", own)
    )
    found = cover(shelf(), patent, CoverageSettings("claims", documents=8))
    assert found.row_rank(2) == SAID and found.row_rank(1) != SAID
    assert found.row_p(1) <= found.row_p(0) < 0.5


@pytest.mark.parametrize(
    ("claim", "parent"),
    [
        ("The kite of claim 1, wherein it flies.", 1),
        ("2. The kite as claimed in any one of claims 1 to 3, that flies.", 1),
        ("A kite according to Claim 2 with a tail.", 2),
        ("A kite with a tail.", None),
    ],
)
def test_a_dependent_claim_names_its_parent(claim: str, parent: int | None) -> None:
    rows = [
        Row(f"Claim {n}", Chunk("q", n, f"Claim {n}", 0, 1, text), (n,))
        for n, text in enumerate(("A kite.", "The kite of claim 1.", "A kite with a string.", claim), start=1)
    ]
    found = parents(rows).get(3)
    assert found == (None if parent is None else parent - 1)


@pytest.mark.parametrize(
    ("claims", "above"),
    [
        ((), []),
        (("A kite.", "The kite of claim 1.", "A reel.", "The reel of claim 3.", "That of claim 2."), [1, 1, 3, 3, 1]),
        (
            (
                "A method of flying.",
                "A method of flying according to claim 1, comprising a turn.",
                "A kite comprising a reel that performs the method of claim 1 or 2.",
                "4. A medium storing instructions to carry out the method of claim 1.",
                "The kite of claim 3, which stores a line.",
            ),
            [1, 1, 3, 4, 3],
        ),
        (("The kite of claim 2.", "The kite of claim 2.", "The kite of claim 0 or 9.", ""), [1, 2, 3, 4]),
    ],
)
def test_each_claim_stands_under_an_independent_one(claims: Sequence[str], above: list[int]) -> None:
    assert independent_claims(claims) == above


def test_what_a_document_adds_are_rows_of_their_own() -> None:
    text = (
        "Kites are old. We show that a tail of silk makes them steadier. Smith proposed tails of paper. "
        "The present invention provides a reel for such a kite. Our results suggest that wind matters little."
    )
    document = Document(
        "q", title="Kites", sections=(Section("Introduction", text),), claims=("A kite.", "The kite of claim 1.")
    )
    rows, passages = cut_rows(document, "contributions")
    assert [row.title for row in rows] == [
        *("Claim 1", "We show that a tail of silk makes them steadier."),
        "The present invention provides a reel for such a kite.",
        "Our results suggest that wind matters little.",
    ]
    assert [one.text.split()[0] for one in passages] == ["A", "We", "The", "Our"]


class Words:
    """A judge that finds a text said where the passage has all its long words."""

    def __init__(self) -> None:
        self.pairs = 0

    def judge(
        self, asked: Sequence[str], there: Sequence[str], pairs: Sequence[tuple[int, int]]
    ) -> NDArray[np.float64]:
        self.pairs += len(pairs)
        sets = [[set(re.findall(r"\w{5,}", text.lower())) for text in texts] for texts in (asked, there)]
        return np.array([9.0 if sets[0][one] <= sets[1][other] else -9.0 for one, other in pairs])


def test_the_likeliest_matches_of_each_passage_are_judged_and_the_judge_decides() -> None:
    judge = Words()
    asked = draft(PARAGRAPH, f"{PARAGRAPH} Harpoons differ decisively from everything.")
    found = cover(replace(shelf(), judge=judge), asked, CoverageSettings(documents=8))
    assert found.is_said(row_of(found, "Planted 0")) and not found.is_said(row_of(found, "Planted 1"))
    assert found.row_word(row_of(found, "Planted 1")) == "close: read it"


class Never(Words):
    """A judge that finds nothing said."""

    def judge(
        self, asked: Sequence[str], there: Sequence[str], pairs: Sequence[tuple[int, int]]
    ) -> NDArray[np.float64]:
        return np.full(len(pairs), -9.0)


def test_what_the_judge_did_not_read_is_no_likelier_than_the_best_that_it_read() -> None:
    unjudged = cover(replace(shelf(), judge=None), draft(PARAGRAPH), CoverageSettings(documents=24))
    judged = cover(replace(shelf(), judge=Never()), draft(PARAGRAPH), CoverageSettings(documents=24))
    row = row_of(judged, "Planted 0")
    assert max(cell.p for cell in unjudged.cells[row_of(unjudged, "Planted 0")]) > 0.5
    assert len(judged.columns) == 24 and max(cell.p for cell in judged.cells[row]) < 0.01


def test_of_a_close_passage_the_sentences_that_it_does_not_say_are_named() -> None:
    own = "Harpoons differ decisively from everything."
    asked = draft(PARAGRAPH, f"{PARAGRAPH} {own}", said("zeppelin", 9))
    found = cover(replace(shelf(), judge=Words()), asked, CoverageSettings(documents=8))
    told, close, far = (found.row_best(row_of(found, f"Planted {n}")) for n in range(3))
    assert told is not None and close is not None and far is not None
    assert [one.text for one in close.differs] == [own] and close.difference == f"Not said there: “{own}”"
    assert asked.parts[close.differs[0].part].text[close.differs[0].start : close.differs[0].stop] == own
    assert not told.differs and not told.difference and not far.differs
    row = row_of(found, "Planted 1")
    assert as_json(found)["passages"][row][found.cells[row].index(close)]["differs"][0]["text"] == own


def test_of_a_claim_of_one_sentence_the_clauses_count() -> None:
    first, second, *_ = PAPERS[5].sections[0].text.split(". ")
    claim = f"A glider comprising: {first.lower()}; a harpoon differing decisively; and {second.lower()}"
    found = cover(
        replace(shelf(), judge=Words()),
        Document("US9", "patent", "Kite", claims=(claim,)),
        CoverageSettings("claims", documents=8),
    )
    best = found.row_best(0)
    assert best is not None and best.is_close and best.differs[-1].text == "a harpoon differing decisively"


def test_each_document_that_the_judge_finds_to_say_a_paragraph_of_a_draft_is_a_column() -> None:
    sources = PAPERS[:8]
    texts = [" ".join(one.sections[0].text[:600].split()[3:-1:2]) + "." for one in sources]
    found = cover(replace(shelf(), judge=Words()), draft(*texts), CoverageSettings(documents=len(texts)))
    assert {one.id for one in found.columns} == {one.id for one in sources}
    for number, source in enumerate(sources):
        best = found.row_best(row_of(found, f"Planted {number}"))
        assert best is not None and best.is_said and best.document.document_id == source.id


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
    count = len(cut_passages(draft(PARAGRAPH)))
    assert stages == {"read your document": count, "compare passages": 4, "judge passages": 8 * count}


def test_readings_of_another_encoder_are_refused() -> None:
    other = Reader()
    other.fingerprint = "another"
    with pytest.raises(EncoderError, match="Expected the encoder of passages that readings were fitted to"):
        cover(replace(shelf(), reader=other), draft(), CoverageSettings())


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SearchError, match="Expected at least 1 document to compare with, got 0"):
        CoverageSettings(documents=0)
    with pytest.raises(
        SearchError, match="Expected rows of contributions, sections, claims, paragraphs, passages; got 'lines'"
    ):
        CoverageSettings("lines")  # type: ignore[arg-type]


def cut(claim: str) -> list[str]:
    document = Document(
        "US1", "patent", title="Winch", sections=(Section("Description", "Text."),), claims=("First.", claim)
    )
    found = [chunk for number, chunk in elements(document) if number == 2]
    for chunk in found:
        assert document.parts[chunk.part].text[chunk.start : chunk.stop] == chunk.text
        assert chunk.section == "Claim 2"
    return [chunk.text for chunk in found]


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        (
            "A winch comprising: a drum of steel; a clutch on the drum; and a generator joined to it.",
            ["A winch comprising", "a drum of steel", "a clutch on the drum", "a generator joined to it."],
        ),
        (
            "The winch of claim 1, wherein the drum is made of steel and wherein the clutch is magnetic.",
            ["The winch of claim 1", "wherein the drum is made of steel", "wherein the clutch is magnetic."],
        ),
        (
            "A method of reeling comprising the steps of\n(a) opening the clutch of the winch;\n(b) closing it again.",
            [
                "A method of reeling comprising the steps of",
                "(a) opening the clutch of the winch",
                "(b) closing it again.",
            ],
        ),
        ("A kite.", ["A kite."]),
        (
            "A kite of silk; or silk; and wool; with a tail of paper.",
            ["A kite of silk", "silk; and wool", "with a tail of paper."],
        ),
        (
            "The combination of a drum and a tether, substantially as set forth.",
            ["The combination of a drum and a tether, substantially as set forth."],
        ),
    ],
)
def test_a_claim_is_cut_where_an_element_begins(claim: str, wanted: list[str]) -> None:
    assert cut(claim) == wanted


def test_nothing_of_a_claim_is_lost() -> None:
    claim = "A device, comprising: a sensor; a memory, wherein the memory is fast;\n and a\nscreen that shows it all."
    joined = "".join(cut(claim))
    assert [letter for letter in claim if letter.isalnum()][:10] == [letter for letter in joined if letter.isalnum()][
        :10
    ]
    assert set("".join(claim.split())) - set("".join(joined.split())) <= set(";,:")


def test_a_paper_and_an_empty_claim_have_no_elements() -> None:
    assert elements(Document("p", sections=(Section("Text", "A kite; a winch."),))) == []
    assert elements(Document("US1", "patent", claims=(" ",))) == []


def test_a_cancelled_claim_has_no_elements_and_the_others_keep_their_numbers() -> None:
    patent = Document("US1", "patent", title="Winch", claims=("", "", "A winch; and a drum of steel.", "", "A kite."))
    found = elements(patent)
    assert [(number, chunk.section, chunk.text) for number, chunk in found] == [
        (3, "Claim 3", "A winch; and a drum of steel."),
        (5, "Claim 5", "A kite."),
    ]
    assert all(patent.parts[chunk.part].title == chunk.section for _, chunk in found)
