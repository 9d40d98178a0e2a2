"""What is compared as JSON values: two documents, one within itself, two or three together, versions, a coverage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from engine.compare.coverage import NOTHING, SAID, WORDS, Coverage, CoverageCell
from engine.compare.model import (
    DIGITS,
    LETTERS,
    ClaimElement,
    Comparison,
    Differences,
    Grid,
    Mixed,
    Passage,
    Uncovered,
    UncoveredPassage,
    numbers,
)
from engine.compare.together import LevelGrid, Together
from engine.compare.versions import Change, ChangeKind, Versions
from engine.documents import Chunk
from engine.search import Reading

_COVERAGE_DIGITS = 3


def as_json(found: Comparison | Together | Versions | Coverage) -> dict[str, Any]:
    """Return what a comparison, of two documents or more or of one within itself, or a coverage shows."""
    if isinstance(found, Together):
        return _together(found)
    if isinstance(found, Versions):
        return _versions(found)
    if isinstance(found, Coverage):
        return _coverage(found)
    return _within(found) if found.is_within else _comparison(found)


def level_as_json(grid: LevelGrid) -> dict[str, Any]:
    """Return the names and numbers of a grid of several documents."""
    return {"names": list(grid.names), "values": numbers(grid.values)}


def _place(chunk: Chunk) -> dict[str, object]:
    """Return where a chunk stands, and its text; the page where it is known."""
    where = {"section": chunk.section, "start": chunk.start, "stop": chunk.stop}
    return {**where, "text": chunk.text, **chunk.page_as_json}


# Two documents --------------------------------------------------------------------------------


def _comparison(found: Comparison) -> dict[str, Any]:
    parts = {"parts": _mixed(found.mixed)} if found.mixed is not None else {}
    reading = {"reading": found.nearness.as_json(), "read": found.read_part("a", "b")}
    part = {"near_part": _place(found.near_part)} if found.near_part is not None else {}
    return {
        "document": {"score": found.score, "percentile": found.percentile, **reading, **part, **parts},
        "sections": _grid(found.sections),
        "chunks": {
            **_grid(found.chunks),
            "attention": {"a_to_b": numbers(found.attention), "b_to_a": numbers(found.attention_back)},
        },
        "passages": _passages(found),
        "chains": [list(chain) for chain in found.chains],
        "claims": [_claim_element(element) for element in found.claims],
        "shared_references": [{"title": one.title, "text": one.text} for one in found.shared_references],
        "differences": _differences(found.differences),
    }


def _mixed(mixed: Mixed) -> list[dict[str, str | float]]:
    """Return the parts of a document score, the encoder's similarity first."""
    return [{"name": one.name, "value": one.value, "share": round(one.share, DIGITS)} for one in mixed.parts]


def _grid(grid: Grid) -> dict[str, object]:
    matrices = {"across": grid.across, "within_a": grid.within_a, "within_b": grid.within_b}
    return {"a": list(grid.a), "b": list(grid.b), **{name: numbers(rows) for name, rows in matrices.items()}}


def _passages(found: Comparison) -> list[dict[str, object]]:
    """Return the matches, best first, each with how it is given as another's."""
    each = zip(found.passages, found.acknowledged, strict=True)
    return [{**_passage(passage), "acknowledged": how} for passage, how in each]


def _passage(passage: Passage) -> dict[str, object]:
    return {"score": passage.score, **_word(passage.reading), "a": _place(passage.a), "b": _place(passage.b)}


def _word(reading: Reading | None) -> dict[str, object]:
    return {"reading": None if reading is None else reading.as_json()}


def _claim_element(one: ClaimElement) -> dict[str, object]:
    """Return the element's place, and the other document's places with their scores."""
    others = [(each, each.b if one.side == "a" else each.a) for each in one.passages]
    return {
        "side": one.side,
        "claim": one.claim,
        "element": _place(one.element),
        "passages": [{"score": each.score, **_word(each.reading), **_place(chunk)} for each, chunk in others],
    }


def _differences(found: Differences) -> dict[str, object]:
    """Return what of each document nothing in the other covers, and whether they are versions of one text."""
    return {"a": _uncovered(found.a), "b": _uncovered(found.b), "same": found.same, "versions": found.are_versions}


def _uncovered(found: Uncovered) -> dict[str, object]:
    passages = [_difference(one) for one in found.passages]
    shares = {"share": found.share, "close": found.close.share}
    return {"words": found.words, "of_words": found.of_words, **shares, "passages": passages}


def _difference(one: UncoveredPassage) -> dict[str, object]:
    """Return the passage's place and text, its words, and the nearest miss."""
    nearest = None if one.nearest is None else {"score": one.score, **_word(one.reading), **_place(one.nearest)}
    return {**_place(one.passage), "words": one.words, "nearest": nearest}


# One within itself, three, versions -----------------------------------------------------------


def _within(found: Comparison) -> dict[str, Any]:
    sections, chunks = found.sections, found.chunks
    return {
        "sections": {"names": list(sections.a), "within": numbers(sections.within_a)},
        "chunks": {
            "names": list(chunks.a),
            "places": [_place(chunk) for chunk in found.chunks_a],
            "within": numbers(chunks.within_a),
            "attention": numbers(found.attention),
        },
        "passages": [_passage(passage) for passage in found.passages],
    }


def _together(found: Together) -> dict[str, Any]:
    """Return all levels, and the passages of every two documents."""

    def of_pairs(tell: Callable[[Comparison], object]) -> dict[str, object]:
        return {f"{LETTERS[a]} {LETTERS[b]}": tell(one) for (a, b), one in found.compared.items()}

    def level(grid: LevelGrid) -> dict[str, object]:
        return {**level_as_json(grid), "documents": [LETTERS[owner] for owner in grid.owners]}

    return {
        "documents": [
            {"letter": letter, "id": one.id, "title": one.title}
            for letter, one in zip(LETTERS, found.documents, strict=False)
        ],
        "scores": numbers(found.scores),
        "readings": of_pairs(lambda one: one.nearness.as_json()),
        "sections": level(found.sections),
        "chunks": {**level(found.chunks), "attention": numbers(found.attention)},
        "passages": of_pairs(_passages),
        "differences": of_pairs(lambda one: _differences(one.differences)),
    }


def _versions(found: Versions) -> dict[str, Any]:
    """Return the shares of each kind, and every change."""
    shares = {kind: found.share(kind) for kind in get_args(ChangeKind)}
    changes = [_change(one) for one in found.changes]
    return {"old_words": found.old_words, "new_words": found.new_words, "shares": shares, "changes": changes}


def _change(one: Change) -> dict[str, object]:
    """Return the kind, the words, and the places in both versions."""
    chunks = {"old": one.old, "new": one.new, "nearest": one.nearest}
    places = {name: _place(chunk) if chunk is not None else None for name, chunk in chunks.items()}
    return {"kind": one.kind, "words": one.words, "score": one.score, **places}


# A document against a library -----------------------------------------------------------------


def _coverage(found: Coverage) -> dict[str, Any]:
    """Return rows, columns, and what each cell says; rows and columns are numbered from 0, as they stand here.

    "covered", "covered_from" and "new" are the old names of what is said, from which p on, and nothing_like_it; they
    go with the next version.
    """
    every = [cell for cells in found.cells for cell in cells]
    width = max(1, len(found.columns))

    def grid(values: Sequence[object]) -> list[Sequence[object]]:
        return [values[first : first + width] for first in range(0, len(values), width)]

    return {
        "question": {"id": found.question.id, "title": found.question.title, "kind": found.question.kind},
        "by": found.kind,
        "words": dict(WORDS),
        "covered_from": found.said_from,
        "share": _share(found.share),
        **({"unread": found.unread} if found.unread else {}),
        "rows": [_coverage_row(found, row) for row in range(len(found.rows))],
        "columns": [one.id for one in found.columns],
        "documents": [
            {
                "id": one.id,
                "title": one.title,
                "year": one.year,
                "kind": one.kind,
                "share": _share(found.column_share(column)),
            }
            for column, one in enumerate(found.columns)
        ],
        "cells": grid([_share(cell.p) for cell in every]),
        "said": grid([cell.word for cell in every]),
        "readings": grid([cell.reading.as_json() for cell in every]),
        "passages": grid([_coverage_cell(cell) for cell in every]),
        "set": {
            "share": _share(found.chosen_share()),
            "documents": [
                {"id": found.columns[one.column].id, "share": _share(one.share), "alone": _share(one.alone)}
                for one in found.chosen()
            ],
        },
        "nothing_like_it": found.of_rank(NOTHING),
        "new": found.of_rank(NOTHING),
        "copies": list(found.copies),
    }


def _coverage_row(found: Coverage, row: int) -> dict[str, object]:
    one, best = found.rows[row], found.row_best(row)
    return {
        "title": one.title,
        "word": found.row_word(row),
        "covered": found.row_rank(row) == SAID,
        "p": _share(found.row_p(row)),
        "share": _share(found.row_share(row)),
        "words": int(found.words[list(one.passages)].sum()),
        "reading": None if best is None else best.reading.as_json(),
        "part": one.chunk.part,
        "start": one.chunk.start,
        "stop": one.chunk.stop,
        **one.chunk.page_as_json,
    }


def _coverage_cell(cell: CoverageCell) -> dict[str, object]:
    """Return the two passages of a cell with their places, and p."""

    def placed(chunk: Chunk) -> dict[str, object]:
        where = {"section": chunk.section, "part": chunk.part, "start": chunk.start, "stop": chunk.stop}
        return {**where, **chunk.page_as_json, "text": chunk.text}

    both = {"query": placed(cell.query), "document": placed(cell.document)}
    return {"p": _share(cell.p), **both, **({"differs": [placed(one) for one in cell.differs]} if cell.differs else {})}


def _share(value: float) -> float:
    return round(value, _COVERAGE_DIGITS)
