"""One document against the library on the Compare page: its heatmap, a word for each part, and a cell's passages."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from datetime import date
from typing import get_args

import numpy as np
import streamlit as st

from engine import compare, exports
from engine.compare import Carriers, ColumnOrder, RowKind, RowOrder
from engine.core.progress import Report
from engine.documents import Document
from engine.documents.markup import Markup, element
from engine.documents.text import how_many, in_percent
from engine.workspace import Cache, LibraryState
from explorer.compare.cells import NAME_CHARACTERS, AxisPart, CellWords, HeatmapCells, Opened, pair_name
from explorer.compare.side_by_side import ShownCell, ShownTexts, keep_texts, side_by_side
from explorer.shared import notices
from explorer.shared.document import itself_here
from explorer.shared.heatmap import PROBABILITY, Axis, HeatmapValues, Walk, heatmap
from explorer.shared.markup import scroll_region, shortened, show
from explorer.shared.page_view import OnPage, page_view
from explorer.shared.progress import at_the_top
from explorer.shared.widgets import FileKind, bind, file_downloads, file_stem
from explorer.state import background, handles, session
from explorer.state.drafts import Draft
from explorer.state.visit import CoverageChoice

_COVERING = background.JobWords(
    "Comparing your document with the library",
    done="Your document is compared with the library.",
    here="Comparing your document with the library",
)
_KEPT = 4

LABELS = {"a": "Your document", "b": "In the library"}
OFFER = "Compare with the whole library"
_LEAD = "Which parts of your document does the library say already, which does it come close to, and which not?"
_ROW_NAMES = {
    "contributions": "What it adds",
    "sections": "Sections",
    "claims": "Claims",
    "paragraphs": "Paragraphs",
    "passages": "Passages",
}
_ROW_ORDER_NAMES = {"text": "As they stand", "coverage": "Least said first"}
_COLUMN_ORDER_NAMES = {"coverage": "What says most first", "year": "Earliest first"}
_NEAREST = "The 30 nearest documents"
_TARGET = "coverage-heatmap"
_FEW_LABELS, _DIFFERENCE = 26, 220
_NOTE = (
    "The stronger the colour, the likelier a document says this part of yours, perhaps in other words. ○ marks a part "
    "that a passage comes close to but does not say: read it. • marks a part with nothing like it here; it may still "
    "stand elsewhere. "
    "Click a cell, or go through them with the arrow keys, to see both passages."
)


def offer_coverage(first: Draft | None, second: Draft | None) -> None:
    """Draw a button that compares the first document with the library, where it stands alone."""
    if first is not None and second is None:
        st.button(
            OFFER,
            key="against-library",
            icon=":material/library_books:",
            width="stretch",
            on_click=session.change,
            args=("coverage",),
            kwargs={"on": True, "rows": _first_rows(first.document)},
            help=_LEAD,
        )


def _first_rows(document: Document) -> RowKind:
    """Return the rows to begin with: claims, else what a document says it adds, else its sections."""
    if document.claims:
        return "claims"
    return "contributions" if compare.adds_something(document) else "sections"


def panel() -> None:
    """Draw the library in the place of the second document: what the rows and columns are, and in which order."""
    choice = session.current().coverage
    with st.container(border=True, key="side-library", gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            show(element("p", "Against the library", class_="ps-label"))
            st.button(
                "Change",
                key="change-library",
                icon=":material/file_open:",
                type="tertiary",
                on_click=session.change,
                args=("coverage",),
                kwargs={"on": False, "document": "", "row": 0},
                help="Compare with one document instead",
            )
        show(element("p", _LEAD, class_="ps-quiet"))
        left, right = st.columns(2, gap="small")
        with left:
            _select("Rows", "rows", choice.rows, _ROW_NAMES, get_args(RowKind))
            _select("Order of rows", "row_order", choice.row_order, _ROW_ORDER_NAMES, get_args(RowOrder))
        with right:
            collections = {"": _NEAREST, **{name: name for name in handles.library().collections.counts()}}
            _select("Columns", "collection", choice.collection, collections, tuple(collections))
            _select("Order of columns", "column_order", choice.column_order, _COLUMN_ORDER_NAMES, get_args(ColumnOrder))


def _select(label: str, field: str, value: str, names: dict[str, str], choices: tuple[str, ...]) -> None:
    dropped = {"document": "", "row": 0} if field in ("rows", "collection") else {}
    bind(
        st.selectbox,
        label,
        choices,
        key=f"coverage-{field}",
        value=value if value in choices else choices[0],
        change=lambda chosen: session.change("coverage", **{field: chosen}, **dropped),
        format_func=names.__getitem__,
    )


def coverage_view(document: Document) -> None:
    """Draw the summary, the heatmap and the list of rows on the left; on the right the texts of the chosen cell."""
    choice = session.current().coverage
    found = _covered(document, choice)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="compare-head"):
        lines = [element("p", element("strong", found.summary()))]
        lines += [element("p", sentence)] if (sentence := found.chosen_sentence()) else []
        show(element("div", *lines, class_="ps-compare-score", role="status"))
        _downloads(found)
    if found.copies:
        notices.note(itself_here(found.copies))
    drawn = found.covering()
    _desk(found, drawn)
    keep_texts([found.question, *drawn.columns], key="texts-ahead")  # last: the page can be used without them


@st.fragment
def _desk(found: compare.Coverage, drawn: compare.Coverage) -> None:
    """Draw the heatmap, the rows and the texts, which a chosen cell draws again alone; `drawn` is what covers it."""
    place = _place(drawn, session.current().coverage)
    cells, pairs = _cells(drawn), [_texts(drawn, column) for column in range(len(drawn.columns))]
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        _heatmap(drawn, place, cells)
        if idle := len(found.columns) - len(drawn.columns):
            left_out = f"{how_many(idle, 'document')} that cover{'s' if idle == 1 else ''} nothing"
            show(element("p", f"Not drawn: {left_out}.", class_="ps-quiet"))
        show(_rows(found))
    with right, st.container(key="compare-texts"):
        _both(drawn, place, dataclasses.replace(pairs[place[1]], cells=Opened({_TARGET: cells}, pairs).table()))
    session.write_link()


def _covered(document: Document, choice: CoverageChoice) -> compare.Coverage | None:
    """Return the coverage of a document, in the chosen order; None while it is being worked out beside the page.

    It is kept for all visitors. Raises EngineError where it cannot be worked out.
    """
    settings = compare.CoverageSettings(rows=choice.rows, collection=choice.collection)
    unread = handles.workspace().left_to_cover()
    key = (handles.workspace().state(), unread == 0, document, settings)

    def make(report: Report) -> compare.Coverage:
        shelf = handles.workspace().shelf()
        return _kept().get(key, lambda: compare.cover(shelf, document, settings, report=report))

    found = background.value(_COVERING, ("covering", key), make, kept=lambda: _kept().held(key))
    if found is None:
        at_the_top("Your document is being compared with the library.")
        return None
    return dataclasses.replace(found.arranged(choice.row_order, choice.column_order), unread=unread)


@st.cache_resource(show_spinner=False)
def _kept() -> Cache[tuple[LibraryState, bool, Document, compare.CoverageSettings], compare.Coverage]:
    return Cache(_KEPT)


def _downloads(found: compare.Coverage) -> None:
    held = len(handles.library())

    def as_json() -> bytes:
        return json.dumps(compare.as_json(found), ensure_ascii=False, indent=1).encode()

    def report() -> bytes:
        return exports.coverage_html(found, held=held, made_on=date.today()).encode()

    kinds: Sequence[FileKind] = (
        ("html", "Report, one HTML file", report),
        ("json", "JSON, for a program", as_json),
        ("csv", "CSV, for a spreadsheet", lambda: exports.coverage_csv(found).encode()),
        ("png", "PNG of the heatmap", lambda: exports.coverage_png(found)),
    )
    file_downloads(
        kinds, stem=file_stem("coverage of", found.question.name), key="coverage", what="This heatmap and its passages"
    )


# The heatmap ------------------------------------------------------------------------------------


def _heatmap(found: compare.Coverage, place: tuple[int, int], cells: HeatmapCells) -> None:
    """Draw the heatmap, and under it the chosen cell in words."""

    def choose(row: int, column: int) -> None:
        session.change("coverage", row=_in_text(found).index(row), document=found.columns[column].id)

    values = np.array([[cell.p for cell in row] for row in found.cells])
    heat = HeatmapValues("coverage", values, _down(found), _across(found), PROBABILITY)
    show(
        element("div", element("h2", _ROW_NAMES[found.kind], class_="ps-title"), element("p", _NOTE, class_="ps-quiet"))
    )
    heatmap(heat, Walk(len(found.rows), len(found.columns), place, place), said=cells.said(place), on_choose=choose)


def _cells(found: compare.Coverage) -> HeatmapCells:
    """Return what the cells open: each its own two passages, among those that its document says or not."""
    matches = np.full((len(found.rows), len(found.columns)), -1)
    for column in range(len(found.columns)):
        for number, row in enumerate(_said_by(found, column)):
            matches[row, column] = number
    shape, all_cells = matches.shape, [cell for row in found.cells for cell in row]
    places = np.arange(len(all_cells)).reshape(shape)
    carriers = Carriers(
        tuple(cell.query for cell in all_cells),
        tuple(cell.document for cell in all_cells),
        np.stack([places, places], axis=-1),
        np.asarray([cell.p for cell in all_cells]).reshape(shape),
    )
    words = CellWords.each([f"{cell.in_words}; the passages: {cell.reading.in_words}" for cell in all_cells])
    return HeatmapCells(
        [AxisPart(shortened(row.title, NAME_CHARACTERS), None) for row in found.rows],
        [AxisPart(shortened(one.name, 60), None, str(column)) for column, one in enumerate(found.columns)],
        carriers,
        matches,
        CellWords(words.told, words.places.reshape(shape)),
    )


def _down(found: compare.Coverage) -> Axis:
    marks = {row: mark for mark, rows in zip("•○", found.not_said().values(), strict=True) for row in rows}
    openings = [f"{_named(found, row)}: {found.rows[row].chunk.text}" for row in range(len(found.rows))]
    labels = [(float(row), f"{marks.get(row, '')} {found.rows[row].title}".lstrip()) for row in range(len(found.rows))]
    return Axis("your document", openings, _few(labels))


def _across(found: compare.Coverage) -> Axis:
    openings = [f"{one.name}{f' ({one.year})' if one.year else ''}" for one in found.columns]
    return Axis("documents of the library", openings, _few([(float(n), one) for n, one in enumerate(openings)]))


def _few(labels: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """As many labels as an axis has room for, at even steps."""
    step = -(-len(labels) // _FEW_LABELS)
    return labels[::step]


def _named(found: compare.Coverage, row: int) -> str:
    one = found.rows[row]
    return f"{one.title}{f', p. {one.chunk.page}' if one.chunk.page else ''}"


def _rows(found: compare.Coverage) -> Markup:
    """Return every row with its word, how likely a document says it, and where the nearest passage stands."""
    heads = (element("th", name, scope="col") for name in ("Part", "In this library", "Likely said", "Nearest passage"))
    lines = [_line(found, row) for row in range(len(found.rows))]
    head = element("thead", element("tr", *heads))
    table = element("table", head, element("tbody", *lines), class_="ps-table", aria_label="Parts of your document")
    return scroll_region(table, "Rows", look="ps-coverage-rows")


def _line(found: compare.Coverage, row: int) -> Markup:
    best = found.row_best(row)
    word, likely = found.row_word(row), in_percent(found.row_p(row))
    badge = word if found.is_said(row) else element("span", word, class_="ps-badge")
    titles = {one.id: one.name for one in found.columns}
    near = [] if best is None else [element("div", f"{titles[best.document.document_id]}: {best.reading.word}")]
    if best is not None and best.difference:
        near.append(element("div", shortened(best.difference, _DIFFERENCE), class_="ps-quiet", title=best.difference))
    cells = (_named(found, row), badge, likely)
    return element("tr", *(element("td", one) for one in cells), element("td", *near))


# The texts --------------------------------------------------------------------------------------


def _in_text(found: compare.Coverage) -> list[int]:
    """Return the rows by their place in the text."""
    starts = [(one.chunk.part, one.chunk.start) for one in found.rows]
    return sorted(range(len(starts)), key=lambda row: starts[row])


def _place(found: compare.Coverage, choice: CoverageChoice) -> tuple[int, int]:
    """Return the chosen cell among the rows and columns as they stand now; the best where none is, or it is gone."""
    columns = [number for number, one in enumerate(found.columns) if one.id == choice.document]
    if not columns or choice.row >= len(found.rows):
        best = int(np.argmax([[cell.p for cell in cells] for cells in found.cells]))
        return best // len(found.columns), best % len(found.columns)
    return _in_text(found)[choice.row], columns[0]


def _said_by(found: compare.Coverage, column: int) -> list[int]:
    """Return the rows that a document says, the most probable first."""
    rows = [row for row, cells in enumerate(found.cells) if cells[column].is_said]
    return sorted(rows, key=lambda row: -found.cells[row][column].p)


def _texts(found: compare.Coverage, column: int) -> ShownTexts:
    """Return the question beside a document, with every passage that the document says marked."""
    matches = [_passage(found.cells[row][column]) for row in _said_by(found, column)]
    return ShownTexts(found.question, found.columns[column], LABELS, matches, pair=pair_name("", column))


def _both(found: compare.Coverage, place: tuple[int, int], texts: ShownTexts) -> None:
    """Draw both texts, with the chosen cell's passages in view, and their pages."""
    row, column = place
    said, order, cell = _said_by(found, column), _in_text(found), found.cells[row][column]
    match = said.index(row) if row in said else None
    extra = None if match is not None else _passage(cell)
    asked = found.columns[column].id == session.current().coverage.document
    chosen = ShownCell([cell.query], [cell.document], match, extra, (_TARGET, row, column), asked)
    picked = lambda number: session.change("coverage", row=order.index(said[number]))  # noqa: E731
    side_by_side(dataclasses.replace(texts, cell=chosen), key="texts", on_pick=picked)
    shown = OnPage(LABELS["b"], found.columns[column], cell.document), OnPage(LABELS["a"], found.question, cell.query)
    page_view(shown, key="coverage")


def _passage(cell: compare.CoverageCell) -> compare.Passage:
    return compare.Passage(round(cell.p, compare.Carriers.digits), cell.query, cell.document, cell.reading)
