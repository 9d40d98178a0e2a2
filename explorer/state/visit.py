"""What this visitor chose: the question, the pair that is compared, its coverage, what is measured, and the looks."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal, get_args

from engine.compare import ColumnOrder, RowKind, RowOrder
from engine.documents.questions import Ranking
from engine.library import Filters, Order

Origin = Literal["", "library", "example", "text", "own"]
"""Where a document came from: nothing yet, the library, one of our examples, a short text in a link made before own
texts were kept, or the visitor's own file, text or correction, which a link names by the key under which it is kept."""
HeatmapLevel = Literal["section", "chunk"]
LEVELS: tuple[HeatmapLevel, ...] = get_args(HeatmapLevel)
"""The heatmaps, as they stand from left to right."""
MatrixName = Literal["across", "within_a", "within_b", "attention", "attention_back"]
MATRICES: tuple[MatrixName, ...] = get_args(MatrixName)
"""Which matrix the heatmaps show."""
Place = Literal["a", "b", "c"]
EVERY_PLACE: tuple[Place, ...] = get_args(Place)
PLACES: tuple[Place, ...] = EVERY_PLACE[:2]
"""The first document and the second; a third one is asked for when both are there."""
QuestionKind = Literal["subjects", "judged", "small", "own"]
"""The questions with known answers: the library's subjects, the visitor's judgements, our small set, or the visitor's
own files, which a link cannot carry."""
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
Way = Literal["answers", "blind"]
"""Rankings are measured on known answers, or judged blind by the visitor."""
WAYS: tuple[Way, ...] = get_args(Way)
METRIC = "nDCG@10"
MapColour = Literal["cluster", "kind", "year", "category"]
COLOURS: tuple[MapColour, ...] = get_args(MapColour)
"""What the colours of the map stand for."""
MapLabels = Literal["auto", "regions", "topics", "details", "none"]
LABELS: tuple[MapLabels, ...] = get_args(MapLabels)
"""Which cluster labels the map shows; `auto` follows the zoom."""
Cited = Literal["", "yes", "no"]
CITED: tuple[Cited, ...] = get_args(Cited)
"""Whether all documents answer, those that the query cites, or those that it does not cite."""
LibraryPart = Literal["overview", "documents", "screening"]
PARTS: tuple[LibraryPart, ...] = get_args(LibraryPart)
"""The parts of the Library page."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One side: `query` is an id, an example's name or the key of a kept document, as `origin` says."""

    origin: Origin = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell of a heatmap: row of the first document, column of the second, both from 0."""

    level: HeatmapLevel
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """Everything on the Compare page that a link restores.

    `min_words` leaves out shorter matches; `salient` marks salient sentences in both texts, `alone` what nothing in the
    other covers. `versions` reads the second document as a later version of the first.
    """

    a: Choice = Choice()
    b: Choice = Choice()
    cell: CellPlace | None = None
    matrix: MatrixName = "across"
    references: bool = True
    recurring: bool = True
    min_words: int = 0
    salient: bool = True
    alone: bool = True
    versions: bool = False
    c: Choice = Choice()

    def side(self, place: Place) -> Choice:
        """Return what stands in one place."""
        sides: dict[Place, Choice] = {"a": self.a, "b": self.b, "c": self.c}
        return sides[place]

    def with_side(self, place: Place, choice: Choice) -> ChosenPair:
        """Return the pair with another document in one place; the cell of the old one is dropped."""
        side: dict[str, Choice] = {place: choice}
        return dataclasses.replace(self, cell=None, versions=False, **side)  # type: ignore[arg-type]

    def swapped(self) -> ChosenPair:
        """Return the same pair with its first two documents exchanged."""
        cell = CellPlace(self.cell.level, self.cell.column, self.cell.row) if self.cell else None
        others: dict[MatrixName, MatrixName] = {"within_a": "within_b", "within_b": "within_a"}
        others |= {"attention": "attention_back", "attention_back": "attention"}
        return dataclasses.replace(self, a=self.b, b=self.a, cell=cell, matrix=others.get(self.matrix, self.matrix))


@dataclass(frozen=True, slots=True)
class CoverageChoice:
    """Everything that a link restores; `on` says whether the first document is compared with the library.

    An empty `collection` means the nearest documents. `row` is the chosen cell's, as rows stand in the text, and
    `document` the id of its document, empty if no cell is chosen.
    """

    on: bool = False
    rows: RowKind = "sections"
    row_order: RowOrder = "text"
    column_order: ColumnOrder = "coverage"
    collection: str = ""
    row: int = 0
    document: str = ""


@dataclass(frozen=True, slots=True)
class EvaluationChoice:
    """Everything on the Evaluate page that a link restores.

    Empty `rows` means the quick ones. `row` and `against` are the two rankings compared query by query, empty if not
    picked; `query` is the id of the query whose rankings are shown.
    """

    questions: QuestionKind = "subjects"
    rows: tuple[str, ...] = ()
    metric: str = METRIC
    row: str = ""
    against: str = ""
    query: str = ""
    way: Way = "answers"


@dataclass(frozen=True, slots=True)
class Visit:
    """Everything a link restores.

    `query` is an id, an example's name, or the key of a document of the visitor's own, as `origin` says; it is empty
    where that is not kept. `checking` is the key of what is open for correction before it becomes the query. `selected`
    is the id of the hit that a page should point at, `beside` the encoder whose map stands beside the first one's,
    `pair` what is compared, `coverage` the same with the library, `evaluation` what is measured, `part` the open part
    of the Library page, `order` what its documents are sorted by and `turned` whether the other way round than usual,
    `review` the name of the review that is worked on, empty for the first, `card` the encoder whose card the Models
    page shows, empty for the one in use. `as_question` says that a query which is only a person's name is asked as any
    other, and not for what that person wrote.
    """

    origin: Origin = ""
    query: str = ""
    encoder: str = "default"
    ranking: Ranking = "default"
    k: int = 10
    filters: Filters = dataclasses.field(default_factory=Filters)
    cited: Cited = ""
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    selected: str = ""
    colour: MapColour = "cluster"
    labels: MapLabels = "auto"
    beside: str = ""
    pair: ChosenPair = dataclasses.field(default_factory=ChosenPair)
    coverage: CoverageChoice = dataclasses.field(default_factory=CoverageChoice)
    evaluation: EvaluationChoice = dataclasses.field(default_factory=EvaluationChoice)
    checking: str = ""
    part: LibraryPart = "overview"
    order: Order = "added"
    turned: bool = False
    review: str = ""
    card: str = ""
    as_question: bool = False
