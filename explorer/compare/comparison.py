"""A comparison of two documents, or of one with itself: made, shown as heatmaps over the texts, saved."""

from __future__ import annotations

import dataclasses
import io
import json
import logging
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial

import numpy as np
import streamlit as st

from engine import compare, exports
from engine.core.errors import EngineError
from engine.core.progress import Report
from engine.documents import Document
from engine.documents.markup import Markup, element
from explorer.compare import cells
from explorer.compare.cells import HeatmapCells, Opened
from explorer.compare.side_by_side import (
    COVERS_HELP,
    LABELS,
    Alone,
    ShownCell,
    ShownTexts,
    alone,
    changed,
    differences_view,
    show_claim_chart,
    side_by_side,
    versions_view,
)
from explorer.shared import notices
from explorer.shared.document import count_of_words
from explorer.shared.evidence import both_cite, ruler
from explorer.shared.heatmap import LARGE, STRIP, HeatmapValues, Walk, heatmap
from explorer.shared.markup import name_groups, shortened, show
from explorer.shared.page_view import OnPage, page_view
from explorer.shared.progress import at_the_top
from explorer.shared.salient import MarkedSentences
from explorer.shared.widgets import file_downloads, file_stem
from explorer.state import background, handles, session
from explorer.state.handles import short
from explorer.state.visit import LEVELS, CellPlace, ChosenPair, HeatmapLevel

_TWICE = {"a": "This document, down", "b": "This document, across"}
_PICKED, _LARGE, _AROUND = "picked_match", "large_heatmap", "heatmaps_around"
_MIX_HELP = (
    "CoLDE reads both texts whole, and compares them by the best match of each chunk: its BiLSTM and its attention do "
    "not touch this score. Shared words: how many of the telling words of each document stand in the other, "
    "rare ones counting most. CTPE, where a patent is compared, reads a paper's title and abstract and a patent's "
    "abstract and first claim. The shares were learned on pairs of related and unrelated documents, by kind."
)

_LONG_HELP = "The encoder of long documents reads both texts whole, and compares them by the best match of each chunk."
_COMPARING = background.JobWords(
    "Comparing the documents", done="The documents are compared.", here="Comparing the documents"
)
LONG_WORDS = 6_000
"""A document of this many words or more is read in the background, with its progress on the page."""

LONG_CHARACTERS = 400_000
"""A document of this many characters or more is compared in the background, with its progress on the page."""
_LOG = logging.getLogger(__name__)
_FILES = {"html": "Report, one HTML file", "json": "JSON, for a program", "zip": "CSV of the matrices, zipped"}
_A_DAY = (1980, 1, 1, 0, 0, 0)  # the same matrices make the same file


def are_read(*documents: Document, least_words: int | None = None) -> bool:
    """Tell whether documents are read; short ones are read at once, those of `least_words` or more beside the page."""
    least_words, reader = LONG_WORDS if least_words is None else least_words, handles.workspace().comparer()
    missing = [document for document in dict.fromkeys(documents) if not reader.is_read(document)]
    done = "The document is read." if len(missing) == 1 else "The documents are read."

    def make(report: Report) -> Sequence[Document]:
        for document in missing:
            reader.read(document, report=report)
        return missing

    found = background.value(
        background.JobWords("Reading the documents to compare", done, here="Reading the documents"),
        ("reading", *missing),
        make,
        kept=lambda: None if missing else documents,
        beside=any(count_of_words(document) >= least_words for document in missing),
    )
    if found is None:
        at_the_top("The documents are being read.")
    return found is not None


def compare_documents(a: Document, b: Document, pair: ChosenPair) -> compare.Comparison | None:
    """Return the comparison of two documents under the pair's exclusions; this visitor's last one is held.

    None while that of long documents is made beside the page.
    """
    reader, exclusions = handles.workspace().comparer(), exclusions_of(pair)
    is_long = any(sum(len(part.text) for part in one.parts) >= LONG_CHARACTERS for one in (a, b))

    def make(report: Report) -> compare.Comparison:
        found = reader.compare(a, b, exclusions, report=report)
        if pair.salient:
            _weigh(a, b, report)
        return found

    def kept() -> compare.Comparison | None:
        if is_long and not reader.is_compared(a, b, exclusions):
            return None
        key = (handles.workspace().state(), a, b, exclusions)
        return session.remember("comparison", key, lambda: reader.compare(a, b, exclusions))

    return background.value(_COMPARING, ("comparing", a.id, b.id, exclusions), make, kept=kept)


def _weigh(a: Document, b: Document, report: Report) -> None:
    """Weigh the sentences of both texts, so that the page has them at once."""
    salience = handles.workspace().salience
    try:
        if salience.is_there():
            salience.read([a, b], report=report)
    except EngineError as error:
        _LOG.info("sentences are not weighed: %s", error)  # the page says so where it shows them


def exclusions_of(pair: ChosenPair) -> compare.Exclusions:
    """Return what the pair leaves out."""
    return compare.Exclusions(pair.references, pair.recurring, pair.min_words)


def score_panel(comparison: compare.Comparison) -> Markup:
    """Return the word for two documents, what it was read from, its ruler, and what the whole texts say."""
    nearness, mixed = comparison.nearness, comparison.mixed
    word = element("span", nearness.with_p, class_="ps-word-large", title=nearness.meaning)
    read = element("span", comparison.read_part("the first", "the second"), class_="ps-quiet")
    help_ = f"{mixed.sentence(short)} {_MIX_HELP}" if mixed is not None else _LONG_HELP
    scored = f"Score of the whole texts: {comparison.score:.2f}. {comparison.reading.sentence}"
    lines = [
        element("p", comparison.said_in_both("the first", "the second"), title=COVERS_HELP),
        element("p", scored, class_="ps-quiet", title=help_),
        both_cite(comparison.shared_references),
    ]
    near = element("div", word, read, ruler(nearness), class_="ps-compare-near")
    return element("div", near, element("div", *lines), class_="ps-compare-score", role="status")


def within_panel(comparison: compare.Comparison) -> Markup:
    """Return what stands above one document against itself."""
    told = "Which of its passages come near one another." if comparison.passages else "No passage comes near another."
    heading = element("h2", "Within this document", class_="ps-title")
    return element("div", heading, element("p", told, class_="ps-quiet"), role="status")


def comparison_view(comparison: compare.Comparison, versions: compare.Versions | None = None) -> None:
    """Heatmaps in a strip, the texts under it, in one screen; a cell chosen in one opens in the other.

    With `versions`, what the second document changes stands in place of what nothing in the other covers.
    """
    _desk(comparison, versions)
    texts = _texts(comparison)
    if versions is not None:
        versions_view(texts, versions)
    show_claim_chart(texts, comparison.claims, key="claims")
    if versions is None and not comparison.is_within:
        differences_view(texts, comparison)


@st.fragment
def _desk(comparison: compare.Comparison, versions: compare.Versions | None) -> None:
    """Heatmaps and texts, which a chosen cell draws again alone."""
    cell, salient, heats = _shown_cell(comparison), _salient(comparison), _heats(comparison)
    texts = dataclasses.replace(_texts(comparison), cell=cell, salient=salient, alone=_marked(comparison, versions))
    opened = cells.Opened({heat.target: cells.cells(comparison, level, heat) for level, heat in heats.items()})
    texts = dataclasses.replace(texts, cells=opened.table())
    with st.container(key="compare-desk"):
        _heatmaps(comparison, heats, opened)
        side_by_side(texts, key="texts", on_pick=lambda number: _pick(comparison, number))
        _pages(comparison, cell, texts.labels)
    session.write_link()


def _texts(comparison: compare.Comparison) -> ShownTexts:
    """Return the two texts with their matches, without a chosen cell."""
    labels = _TWICE if comparison.is_within else LABELS
    return ShownTexts(
        comparison.a,
        comparison.b,
        labels,
        comparison.passages,
        chains=comparison.chains,
        acknowledged=comparison.acknowledged,
    )


def _pages(comparison: compare.Comparison, cell: ShownCell | None, labels: Mapping[str, str]) -> None:
    """Offer the pages of the match that is chosen, or of the chosen chunks where they hold none."""
    if cell is None:
        return
    match = cell.evidence if cell.match is None else comparison.passages[cell.match]
    stretches = [match.a, match.b] if match else [*cell.a[:1], *cell.b[:1]]
    documents = (comparison.a, comparison.b)
    shown = [OnPage(labels[side], one, found) for side, one, found in zip("ab", documents, stretches, strict=False)]
    page_view(shown, key="compare")


def _marked(comparison: compare.Comparison, versions: compare.Versions | None) -> Alone | None:
    """Return which differences the texts mark, if any."""
    if comparison.is_within or not session.current().pair.alone:
        return None
    return alone(comparison) if versions is None else changed(versions)


def _salient(comparison: compare.Comparison) -> dict[str, MarkedSentences] | None:
    """Return the salient sentences of both texts; None where they are not to be marked or cannot be read."""
    if not (session.current().pair.salient and handles.workspace().salience.is_there()):
        return None
    marked: dict[str, MarkedSentences] | None = None
    with notices.shown_errors():
        found = handles.workspace().salience.read([comparison.a, comparison.b])
        marked = {side: one.strongest() for side, one in zip("ab", found, strict=True)}
    return marked


def _heats(comparison: compare.Comparison) -> dict[HeatmapLevel, HeatmapValues]:
    """Return the numbers of both heatmaps, or of the one that was opened large."""
    large: HeatmapLevel | None = st.session_state.get(_LARGE)
    return {level: _heat(comparison, level) for level in LEVELS if large in (None, level)}


def _heat(comparison: compare.Comparison, level: HeatmapLevel) -> HeatmapValues:
    """Return the numbers of a heatmap around its chosen cell, or around what the other's chosen cell stands for."""
    cell = _chosen(comparison, level)
    if level == "section":
        if cell is None and (chunks := _chosen(comparison, "chunk")):
            cell = int(comparison.section_of_a[chunks[0]]), int(comparison.section_of_b[chunks[1]])
        return cells.section_heatmap(comparison, _around(comparison, level, cell))
    if cell is None and (section := _chosen(comparison, "section")):
        cell = cells.best_chunks(comparison, *section)
    return cells.chunk_heatmap(comparison, session.current().pair.matrix, _around(comparison, level, cell))


def _around(
    comparison: compare.Comparison, level: HeatmapLevel, cell: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Return the cell around which a heatmap is shown: the former one while that shows the chosen one."""
    held = st.session_state.setdefault(_AROUND, {})
    pair = comparison.a.id, comparison.b.id
    of, before = held.pop(level, (None, None))
    if cell is not None and of == pair:
        cell = cells.around(_grid(comparison, level).across.shape, cell, before)
    if cell is not None:
        held[level] = (pair, cell)
    return cell


def _heatmaps(comparison: compare.Comparison, heats: Mapping[HeatmapLevel, HeatmapValues], opened: Opened) -> None:
    """Draw both beside each other, or the one that was opened large."""
    for column, (level, heat) in zip(st.columns(len(heats), gap="medium"), heats.items(), strict=True):
        with column:
            _level_head(level, heat, is_large=len(heats) == 1)
            _heatmap(comparison, heat, level, opened.grids[heat.target], height=LARGE if len(heats) == 1 else STRIP)
    name_groups("heatmaps", {f"head-{level}": f"Heatmap of {level}s" for level in heats})


def _level_head(level: HeatmapLevel, heat: HeatmapValues, *, is_large: bool) -> None:
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key=f"head-{level}"
    ):
        ours, theirs = heat.rows.title, heat.columns.title
        axes = f"Down and across: {ours}" if ours == theirs else f"Down: {ours} · across: {theirs}"
        show(cells.heatmap_head(heat, axes, look="ps-heat-head"))
        st.button(
            "Show both" if is_large else "Open large",
            icon=":material/close_fullscreen:" if is_large else ":material/open_in_full:",
            key=f"large-{level}",
            type="tertiary",
            help=f"The heatmap of {level}s over the whole width, with longer names",
            on_click=st.session_state.update,
            args=({_LARGE: None if is_large else level},),
        )


def _heatmap(
    comparison: compare.Comparison, heat: HeatmapValues, level: HeatmapLevel, opened: HeatmapCells, *, height: int
) -> None:
    """Draw one heatmap, the chosen cell in words, and which stretch is shown."""

    def choose(row: int, column: int) -> None:
        st.session_state.pop(_PICKED, None)
        session.change("pair", cell=CellPlace(level, row, column))

    chosen = _chosen(comparison, level)
    said = cells.HINT if chosen is None else opened.said(chosen)
    heatmap(heat, _walk(comparison, level, heat, chosen), said=said, on_choose=choose, height=height)
    _partly(comparison, heat, level)


def _walk(
    comparison: compare.Comparison, level: HeatmapLevel, heat: HeatmapValues, chosen: tuple[int, int] | None
) -> Walk:
    """Let arrow keys start at the highest cell that is shown: the browser opens it without asking the server."""
    shown = np.nan_to_num(heat.values, nan=-np.inf)
    row, column = np.unravel_index(int(shown.argmax()), shown.shape) if shown.size else (0, 0)
    first = heat.rows.first + int(row), heat.columns.first + int(column)
    rows, columns = _grid(comparison, level).across.shape
    return Walk(rows, columns, chosen, first)


def _partly(comparison: compare.Comparison, heat: HeatmapValues, level: HeatmapLevel) -> None:
    """Say which stretch is shown, if not all."""
    grid = _grid(comparison, level)
    pieces = []
    for axis, shown, count, name in zip(
        (heat.rows, heat.columns), heat.values.shape, grid.across.shape, ("first", "second"), strict=True
    ):
        if shown < count:
            whose = ("down" if name == "first" else "across") if comparison.is_within else f"of the {name}"
            pieces.append(f"{level}s {axis.first + 1:,} to {axis.first + shown:,} of {count:,} {whose}")
    if pieces:
        how = "Choose a cell of the sections" if level == "chunk" else "Go on with the arrow keys"
        text = f"Shown: {' and '.join(pieces)}. {how} to see others."
        show(element("p", text, class_="ps-quiet"))


def _shown_cell(comparison: compare.Comparison) -> ShownCell | None:
    """Return the chosen cell's stretches of both texts, and the match behind it."""
    cell = session.current().pair.cell
    if cell is None or (place := _chosen(comparison, cell.level)) is None:
        return None
    picked, picked_cell = st.session_state.get(_PICKED, (None, None))
    is_picked = picked_cell == cell and picked is not None and picked < len(comparison.passages)
    return cells.opened(comparison, cell.level, place, picked if is_picked else None)


def _grid(comparison: compare.Comparison, level: HeatmapLevel) -> compare.Grid:
    return comparison.sections if level == "section" else comparison.chunks


def _chosen(comparison: compare.Comparison, level: HeatmapLevel) -> tuple[int, int] | None:
    """Return the chosen cell of this heatmap; None if it belongs to the other, or a link names a missing one."""
    cell = session.current().pair.cell
    grid = _grid(comparison, level)
    rows, columns = grid.across.shape
    if cell is None or cell.level != level or cell.row >= rows or cell.column >= columns:
        return None
    return cell.row, cell.column


def _pick(comparison: compare.Comparison, number: int) -> None:
    """Choose the cell of a match that was pressed in the texts."""
    match = comparison.passages[number]
    rows = [n for n, chunk in enumerate(comparison.chunks_a) if cells.overlap(chunk, match.a)]
    columns = [n for n, chunk in enumerate(comparison.chunks_b) if cells.overlap(chunk, match.b)]
    if rows and columns:
        cell = CellPlace("chunk", rows[0], columns[0])
        st.session_state[_PICKED] = (number, cell)
        session.change("pair", cell=cell)


def comparison_downloads(comparison: compare.Comparison, versions: compare.Versions | None = None) -> None:
    """Draw one button that opens the three formats; a file is made when it is asked for."""
    salient = session.current().pair.salient  # a file is made outside the visitor's session
    _downloads(
        (comparison.a, comparison.b),
        ("html", partial(comparison_report, comparison, salient=salient, versions=versions)),
        ("json", partial(comparison_json, comparison, versions)),
        ("zip", partial(comparison_tables, comparison)),
    )


def together_downloads(found: compare.Together) -> None:
    """Draw the same for three documents, but for the tables."""
    card = handles.workspace().comparer().encoder().card

    def report() -> bytes:
        return exports.together_html(found, encoder=card, made_on=date.today()).encode()

    _downloads(found.documents, ("html", report), ("json", lambda: _as_bytes(compare.as_json(found))))


def _downloads(documents: Sequence[Document], *kinds: tuple[str, Callable[[], bytes]]) -> None:
    named = [(ending, _FILES[ending], made) for ending, made in kinds]
    stem = " and ".join(dict.fromkeys(shortened(one.name, cells.NAME_CHARACTERS) for one in documents))
    file_downloads(named, stem=file_stem("compare", stem), key="comparison", what="This comparison")


def comparison_report(
    comparison: compare.Comparison, *, salient: bool = True, versions: compare.Versions | None = None
) -> bytes:
    """Return the report: one file that fetches and runs nothing; `salient` is the page's switch."""
    marked = _salient_texts(comparison) if salient else None
    card, today = handles.workspace().comparer().encoder().card, date.today()
    return exports.comparison_html(comparison, encoder=card, made_on=today, salient=marked, versions=versions).encode()


def _salient_texts(comparison: compare.Comparison) -> exports.SalientTexts | None:
    """Return what the page underlines; None where the encoder is not installed or damaged."""
    if not handles.workspace().salience.is_there():
        return None
    try:
        a, b = handles.workspace().salience.read([comparison.a, comparison.b])
    except EngineError as error:
        _LOG.warning("the report goes without salient sentences: %s", error)  # the page says so where it shows them
        return None
    return exports.SalientTexts(a, b, handles.workspace().salience.encoder().card)


def comparison_json(comparison: compare.Comparison, versions: compare.Versions | None = None) -> bytes:
    """Return all three levels, passages, differences and claims; what a version changes; or one document's own."""
    return _as_bytes(compare.as_json(comparison, versions))


def _as_bytes(value: Mapping[str, object]) -> bytes:
    file = io.StringIO()
    json.dump(value, file, ensure_ascii=False, indent=1)  # as it is made: two books have many numbers
    return file.getvalue().encode()


def comparison_tables(comparison: compare.Comparison) -> bytes:
    """Return one CSV file a matrix, in a zip file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in exports.csv_files(comparison).items():
            archive.writestr(zipfile.ZipInfo(name, _A_DAY), text)
    return stream.getvalue()
