"""What is compared as JSON values: two documents, one within itself, two or three together, versions, a coverage.

It is long, because the type of each answer stands beside what fills it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NotRequired, TypeVar, cast, get_args, overload

from typing_extensions import TypedDict

from engine.compare.coverage import NOTHING, SAID, WORDS, Coverage, CoverageCell, RowKind
from engine.compare.model import (
    DIGITS,
    LETTERS,
    Acknowledged,
    ClaimElement,
    Comparison,
    Differences,
    Grid,
    Letter,
    Mixed,
    Passage,
    Uncovered,
    UncoveredPassage,
    numbers,
)
from engine.compare.together import LevelGrid, Together
from engine.compare.versions import Change, ChangeKind, Versions
from engine.core.config import filled
from engine.documents import Chunk, Kind, PageJson, PassageJson, WorkJson
from engine.search import Reading, ReadingJson

T = TypeVar("T")
_COVERAGE_DIGITS = 3
NumbersJson = list[list[float]]
"""A matrix by its rows."""


@overload
def as_json(
    found: Comparison | Together, versions: Versions | None = None
) -> ComparisonJson | WithinJson | TogetherJson: ...
@overload
def as_json(found: Coverage) -> CoverageJson: ...
def as_json(
    found: Comparison | Together | Coverage, versions: Versions | None = None
) -> ComparisonJson | WithinJson | TogetherJson | CoverageJson:
    """Return what a comparison, of two documents or more or of one within itself, or a coverage shows.

    `versions` is what the second of two documents changes of the first.
    """
    if isinstance(found, Together):
        return _together(found)
    if isinstance(found, Coverage):
        return _coverage(found)
    return _within(found) if found.is_within else _comparison(found, versions)


class LevelJson(TypedDict):
    """The parts of several documents at one level, and how near every two are."""

    names: list[str]
    values: NumbersJson


def level_as_json(grid: LevelGrid) -> LevelJson:
    """Return the names and numbers of a grid of several documents."""
    return {"names": list(grid.names), "values": numbers(grid.values)}


class StretchJson(PageJson):
    """A stretch of a document's section, and its text."""

    section: str
    start: int
    stop: int
    text: str


def _place(chunk: Chunk) -> StretchJson:
    """Return where a chunk stands, and its text; the page where it is known."""
    return {
        "section": chunk.section,
        "start": chunk.start,
        "stop": chunk.stop,
        "text": chunk.text,
        **chunk.page_as_json,
    }


# Two documents --------------------------------------------------------------------------------


class MixedPartJson(TypedDict):
    """A number that a document score is mixed of, and its share of the score."""

    name: str
    value: float
    share: float


class DocumentScoreJson(TypedDict):
    """How near two whole documents are; `read` says of what the reading is, `near_part` which stretch it is of."""

    score: float
    percentile: float | None
    reading: ReadingJson
    read: str
    near_part: NotRequired[StretchJson]
    parts: NotRequired[list[MixedPartJson]]


class GridJson(TypedDict):
    """The parts of both documents by name, and how near they are: A's with B's, and each document's with its own."""

    a: list[str]
    b: list[str]
    across: NumbersJson
    within_a: NumbersJson
    within_b: NumbersJson


class AttentionJson(TypedDict):
    """How much each chunk attends to each of the other document's."""

    a_to_b: NumbersJson
    b_to_a: NumbersJson


class ChunksJson(GridJson):
    """Chunks, and how they attend to each other."""

    attention: AttentionJson


class PairJson(TypedDict):
    """Two passages that say nearly the same."""

    score: float
    reading: ReadingJson | None
    a: StretchJson
    b: StretchJson


class MatchJson(PairJson):
    """Two passages that say nearly the same, and whether as another's words: quoted, cited, or empty for neither."""

    acknowledged: Acknowledged


class ScoredStretchJson(StretchJson):
    """A passage of the other document, and how near it comes."""

    score: float
    reading: ReadingJson | None


class ClaimElementJson(TypedDict):
    """An element of a claim, and the passages of the other document that come nearest to it."""

    side: Letter
    claim: int
    element: StretchJson
    passages: list[ScoredStretchJson]


class DifferenceJson(StretchJson):
    """A passage that the other document does not cover, its number of words, and what comes nearest there."""

    words: int
    nearest: ScoredStretchJson | None


class UncoveredJson(TypedDict):
    """How many words of a document, of how many, the other does not cover; `close` of them have something near."""

    words: int
    of_words: int
    share: float
    close: float
    passages: list[DifferenceJson]


class DifferencesJson(TypedDict):
    """What of each document the other does not cover; `same` is the share of the shorter one that is in both."""

    a: UncoveredJson
    b: UncoveredJson
    same: float
    versions: bool


class ComparisonJson(TypedDict):
    """Two documents compared; `versions` where the second was compared as a later version of the first."""

    document: DocumentScoreJson
    sections: GridJson
    chunks: ChunksJson
    passages: list[MatchJson]
    chains: list[list[int]]
    claims: list[ClaimElementJson]
    shared_references: list[WorkJson]
    differences: DifferencesJson
    versions: NotRequired[VersionsJson]


def _comparison(found: Comparison, versions: Versions | None) -> ComparisonJson:
    told: ComparisonJson = {
        "document": _document_score(found),
        "sections": _grid(found.sections),
        "chunks": {
            **_grid(found.chunks),
            "attention": {"a_to_b": numbers(found.attention), "b_to_a": numbers(found.attention_back)},
        },
        "passages": _passages(found),
        "chains": [list(chain) for chain in found.chains],
        "claims": [_claim_element(element) for element in found.claims],
        "shared_references": [one.as_json() for one in found.shared_references],
        "differences": _differences(found.differences),
    }
    if versions is not None:
        told["versions"] = _versions(versions)
    return told


def _document_score(found: Comparison) -> DocumentScoreJson:
    told: DocumentScoreJson = {
        "score": found.score,
        "percentile": found.percentile,
        "reading": found.nearness.as_json(),
        "read": found.read_part("a", "b"),
    }
    if found.near_part is not None:
        told["near_part"] = _place(found.near_part)
    if found.mixed is not None:
        told["parts"] = _mixed(found.mixed)
    return told


def _mixed(mixed: Mixed) -> list[MixedPartJson]:
    """Return the parts of a document score, the encoder's similarity first."""
    return [{"name": one.name, "value": one.value, "share": round(one.share, DIGITS)} for one in mixed.parts]


def _grid(grid: Grid) -> GridJson:
    return filled(GridJson, grid, **{name: numbers(getattr(grid, name)) for name in ("across", "within_a", "within_b")})


def _passages(found: Comparison) -> list[MatchJson]:
    """Return the matches, best first, each with how it is given as another's."""
    each = zip(found.passages, found.acknowledged, strict=True)
    return [{**_passage(passage), "acknowledged": how} for passage, how in each]


def _passage(passage: Passage) -> PairJson:
    word = _word(passage.reading)
    return {"score": passage.score, "reading": word, "a": _place(passage.a), "b": _place(passage.b)}


def _word(reading: Reading | None) -> ReadingJson | None:
    return None if reading is None else reading.as_json()


def _claim_element(one: ClaimElement) -> ClaimElementJson:
    """Return the element's place, and the other document's places with their scores."""
    others = [(each, each.b if one.side == "a" else each.a) for each in one.passages]
    passages = [{"score": each.score, "reading": _word(each.reading), **_place(chunk)} for each, chunk in others]
    return filled(ClaimElementJson, one, element=_place(one.element), passages=passages)


def _differences(found: Differences) -> DifferencesJson:
    """Return what of each document nothing in the other covers, and whether they are versions of one text."""
    return {"a": _uncovered(found.a), "b": _uncovered(found.b), "same": found.same, "versions": found.are_versions}


def _uncovered(found: Uncovered) -> UncoveredJson:
    passages = [_difference(one) for one in found.passages]
    return filled(UncoveredJson, found, close=found.close.share, passages=passages)


def _difference(one: UncoveredPassage) -> DifferenceJson:
    """Return the passage's place and text, its words, and the nearest miss."""
    nearest: ScoredStretchJson | None = None
    if one.nearest is not None:
        nearest = {"score": one.score, "reading": _word(one.reading), **_place(one.nearest)}
    return {**_place(one.passage), "words": one.words, "nearest": nearest}


# One within itself, three, versions -----------------------------------------------------------


class WithinSectionsJson(TypedDict):
    """The sections of a document, and how near every two are."""

    names: list[str]
    within: NumbersJson


class WithinChunksJson(TypedDict):
    """The chunks of a document, where they stand, how near every two are, and how they attend to each other."""

    names: list[str]
    places: list[StretchJson]
    within: NumbersJson
    attention: NumbersJson


class WithinJson(TypedDict):
    """One document compared with itself."""

    sections: WithinSectionsJson
    chunks: WithinChunksJson
    passages: list[PairJson]


class LetteredJson(TypedDict):
    """A document of several, and the letter that it goes by."""

    letter: str
    id: str
    title: str


class OwnedLevelJson(LevelJson):
    """A level, and the letter of each part's document."""

    documents: list[str]


class TogetherChunksJson(OwnedLevelJson):
    """Chunks, and how they attend to each other."""

    attention: NumbersJson


class TogetherJson(TypedDict):
    """Several documents at all levels; what is of two of them goes by their letters, as in "A B"."""

    documents: list[LetteredJson]
    scores: NumbersJson
    readings: dict[str, ReadingJson]
    sections: OwnedLevelJson
    chunks: TogetherChunksJson
    passages: dict[str, list[MatchJson]]
    differences: dict[str, DifferencesJson]


class ChangeJson(TypedDict):
    """A passage that a later version changes; `old` and `new` are null where a version lacks it."""

    kind: ChangeKind
    words: int
    score: float
    old: StretchJson | None
    new: StretchJson | None
    nearest: StretchJson | None


class VersionsJson(TypedDict):
    """What a later version changes: every change, and the share of the words that each kind has."""

    old_words: int
    new_words: int
    shares: dict[ChangeKind, float]
    changes: list[ChangeJson]


def _within(found: Comparison) -> WithinJson:
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


def _together(found: Together) -> TogetherJson:
    """Return all levels, and the passages of every two documents."""

    def of_pairs(tell: Callable[[Comparison], T]) -> dict[str, T]:
        return {f"{LETTERS[a]} {LETTERS[b]}": tell(one) for (a, b), one in found.compared.items()}

    def level(grid: LevelGrid) -> OwnedLevelJson:
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


def _versions(found: Versions) -> VersionsJson:
    """Return the shares of each kind, and every change."""
    shares = {kind: found.share(kind) for kind in cast(tuple[ChangeKind, ...], get_args(ChangeKind))}
    changes = [_change(one) for one in found.changes]
    return {"old_words": found.old_words, "new_words": found.new_words, "shares": shares, "changes": changes}


def _change(one: Change) -> ChangeJson:
    """Return the kind, the words, and the places in both versions."""
    places = {"old": one.old, "new": one.new, "nearest": one.nearest}
    return filled(ChangeJson, one, **{name: _place(chunk) if chunk else None for name, chunk in places.items()})


# A document against a library -----------------------------------------------------------------


class CoverageQuestionJson(TypedDict):
    """The document that is covered."""

    id: str
    title: str
    kind: Kind


class CoverageRowJson(PageJson):
    """A part of the document: what the library says of it in a word, how probably, and where it stands."""

    title: str
    word: str
    covered: bool
    p: float
    share: float
    words: int
    reading: ReadingJson | None
    part: int
    start: int
    stop: int


class CoverageColumnJson(TypedDict):
    """A document of the library, and what share of the words it says."""

    id: str
    title: str
    year: int | None
    kind: Kind
    share: float


class CoverageCellJson(TypedDict):
    """The nearest passages of a part and a document; `differs` are sentences that the document does not say."""

    p: float
    query: PassageJson
    document: PassageJson
    differs: NotRequired[list[PassageJson]]


class MemberJson(TypedDict):
    """One of a few documents: what share of the words it adds to those before it, and says alone."""

    id: str
    share: float
    alone: float


class CoverageSetJson(TypedDict):
    """The few documents that together say most, and what share of the words they say."""

    share: float
    documents: list[MemberJson]


class CoverageJson(TypedDict):
    """A document against a library: rows are its parts, columns the nearest documents, by their numbers from 0."""

    question: CoverageQuestionJson
    by: RowKind
    words: dict[str, str]
    covered_from: float
    share: float
    unread: NotRequired[int]
    rows: list[CoverageRowJson]
    columns: list[str]
    documents: list[CoverageColumnJson]
    cells: list[list[float]]
    said: list[list[str]]
    readings: list[list[ReadingJson]]
    passages: list[list[CoverageCellJson]]
    set: CoverageSetJson
    nothing_like_it: list[int]
    new: list[int]
    copies: list[str]


class _UnreadJson(TypedDict):
    unread: NotRequired[int]


def _coverage(found: Coverage) -> CoverageJson:
    """Return rows, columns, and what each cell says; rows and columns are numbered from 0, as they stand here.

    "covered", "covered_from" and "new" are the old names of what is said, from which p on, and nothing_like_it; they
    go with the next version.
    """
    every = [cell for cells in found.cells for cell in cells]
    unread: _UnreadJson = {"unread": found.unread} if found.unread else {}
    width = max(1, len(found.columns))

    def grid(values: list[T]) -> list[list[T]]:
        return [values[first : first + width] for first in range(0, len(values), width)]

    return {
        "question": {"id": found.question.id, "title": found.question.title, "kind": found.question.kind},
        "by": found.kind,
        "words": dict(WORDS),
        "covered_from": found.said_from,
        "share": _share(found.share),
        **unread,
        "rows": [_coverage_row(found, row) for row in range(len(found.rows))],
        "columns": [one.id for one in found.columns],
        "documents": [
            filled(CoverageColumnJson, one, share=_share(found.column_share(column)))
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


def _coverage_row(found: Coverage, row: int) -> CoverageRowJson:
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


def _coverage_cell(cell: CoverageCell) -> CoverageCellJson:
    """Return the two passages of a cell with their places, and p."""
    told: CoverageCellJson = {"p": _share(cell.p), "query": cell.query.as_json(), "document": cell.document.as_json()}
    if cell.differs:
        told["differs"] = [one.as_json() for one in cell.differs]
    return told


def _share(value: float) -> float:
    return round(value, _COVERAGE_DIGITS)
