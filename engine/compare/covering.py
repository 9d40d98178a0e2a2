"""How a coverage is computed: chooses the columns, reads what is missing, and says how near the passages are.

Each passage of the question has its best match in each document, and the probability p that the document says what it
says, perhaps in other words. Cosines and shared words alone do not tell: passages of one field are alike. How far the
match stands out from the passage's other neighbours in the library tells more, as in CSLS (Conneau et al. 2018, "Word
translation without parallel data", section 2.3); and of the few passages of the whole library that are most like it, a
network that compares two texts word by word (`engine.encoders.judge`) says how likely each says it. What it finds said
is among the columns, so that a draft whose paragraphs stand in as many documents finds each. Columns, matches and
judgements are made in one place, since each needs the others.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from statistics import fmean
from textwrap import shorten
from typing import TYPE_CHECKING, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from engine import search
from engine.compare.claim_chart import cut_claim
from engine.compare.coverage import CLOSE, Coverage, CoverageCell, Row, RowKind, cut_rows, parents, rank_of
from engine.core.errors import EmptyLibraryError, EncoderError, SearchError
from engine.core.progress import Meter, Report, silent
from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences
from engine.documents.works import fold, same_work
from engine.search import (
    AskedPassages,
    Pair,
    PassageJudge,
    PassageMatcher,
    QuestionRows,
    Reading,
    RowsKept,
    TellingWords,
    with_neighbours,
)
from engine.vectors import PassageView, ReadPassages

if TYPE_CHECKING:
    from engine.core.rows import DenseRows
    from engine.search import PassageReader
    from engine.vectors import PassagePlace


WEIGHTS = (-4.486, 5.65, 0.349, 2.338)
"""A logistic regression of `match_features`, for matches that are not judged (engine/research/reports/restated.md)."""

JUDGED_WEIGHTS = (-6.897, 7.159, 0.109, 2.204, -0.971, 1.153)
"""The same of what a judged match has: its cosine, how it stands out, how short it is, how many of the passage's
numbers it lacks, and what the judge says."""
NEIGHBOURS = 50
"""How many of a passage's nearest ones in the library a match has to stand out from."""

_NUMBER = re.compile(r"\d[\d.,]*")
_AT_ONCE, _JUDGED_AT_ONCE, _NOTE = 8, 64, 60
_CANDIDATES = 500
_SPARE = 10
"""Versions of one work fold, so a few documents more are read than are shown."""
_READ_NOW = 2
"""Where no passages are kept, those of twice as many documents as are shown say what usual neighbours are."""
_USUAL = 0.4
"""The cosine of usual neighbours, for a library with fewer passages than are asked for."""
_LEAST_SPREAD = 0.02
_JUDGED, _FEWEST_JUDGED, _JUDGED_IN_ALL = 8, 3, 120
"""How many matches of a passage are judged, the likeliest ones: fewer where a document has many passages, so that ten
pages take about 3 seconds on two cores."""
_OF_EACH = 2
"""How many of them stand in one document at most."""
_SHARED = 0.3
"""How much the share of telling words counts beside the cosine in this choice. Of condensed texts, both have the right
passage among the first three .90 of the time, cosines alone .83 among the first four."""
_FEWEST_LOOKED_AT, _LOOKED_AT_IN_ALL = 12, 480
"""How many of a passage's nearest ones they are chosen among, and how many of all passages'."""
_DIFFERENCES = 2
"""How many sentences at most are named that a close passage does not say."""
_TRIED = 3
"""How many of a document's nearest passages are tried: by cosines alone, a passage with words left out is missed."""
_GOES_ON = 0.2
"""A passage that holds this share of another's telling words may hold the rest in the next one."""


@dataclass(frozen=True, slots=True)
class CoverageSettings:
    """What the rows are, and which documents the columns: the nearest ones, or all of a collection."""

    rows: RowKind = "sections"
    documents: int = 30
    collection: str = ""

    def __post_init__(self) -> None:
        """Refuse unknown rows and fewer than one document."""
        if self.rows not in (known := get_args(RowKind)):
            raise SearchError(f"Expected rows of {', '.join(known)}; got {self.rows!r}. Choose one of these.")
        if self.documents < 1:
            raise SearchError(
                f"Expected at least 1 document to compare with, got {self.documents}. Ask for more, or leave it out."
            )


class Named(Protocol):
    """Named sets of documents."""

    def ids(self, name: str) -> list[str]:
        """Return the ids of a collection's documents. Raises LibraryError for an unknown one."""


class ShelfLibrary(Protocol):
    """The part of a library that a coverage needs."""

    @property
    def collections(self) -> Named:
        """Its collections."""

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return documents by their ids, in this order."""

    def duplicates_of(self, document: Document) -> set[str]:
        """Return the ids of documents that are the same work as this one."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """What a question is covered from: a library, what reads passages, and the library's, where all are kept.

    `nearest` gives the ids of a number of documents nearest to a question, for a library whose passages are not kept.
    Without a judge, how matches stand out is all that counts. `unread` documents of the library are not read yet.
    `kept` holds what was read of questions.
    """

    library: ShelfLibrary
    reader: PassageReader
    matcher: PassageMatcher | None
    nearest: Callable[[Document, int], list[str]]
    judge: PassageJudge | None = None
    unread: int = 0
    kept: RowsKept | None = None


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A document's best match of a passage: where it stands, what a reading reads of both, and how it stands out.

    p is the probability that the document says the passage; of one that says too little to be quoted, 0. `judged` is
    what the judge says, as a logit, of the likeliest matches, and `lacking` how many numbers of the passage they lack.
    """

    document: Chunk
    pair: Pair
    contrast: float
    p: float
    judged: float | None = None
    lacking: int = 0

    @property
    def features(self) -> tuple[float, ...]:
        """The numbers that p is made of."""
        if self.judged is None:
            return match_features(self.pair, self.contrast)
        pair = self.pair
        return (1.0, pair.cosine, self.contrast, pair.short, math.log1p(self.lacking), self.judged)

    def reading(self) -> Reading:
        """Return how near the two are: the same where they probably say the same, else by their reading."""
        return self.pair.read("passage", same=self.p)


AcrossDocuments = tuple[PassageMatch, ...]
"""The match of a passage in each of m documents."""
AcrossPassages = tuple[PassageMatch, ...]
"""The match of each of q passages in a document."""
Tried = tuple[PassageMatch, ...]
"""The likeliest matches of a passage in any document, the likeliest first."""


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """The m documents that a question's passages were compared with, the q passages' matches, and its copies."""

    columns: tuple[Document, ...]
    matches: tuple[AcrossDocuments, ...]
    copies: tuple[str, ...]


def cover(shelf: Shelf, question: Document, settings: CoverageSettings, *, report: Report = silent) -> Coverage:
    """Return the coverage of a question, its rows as they stand and its columns by what they cover.

    Raises SearchError where the document has no such rows, EmptyLibraryError where no other document is held,
    LibraryError for an unknown collection, and EncoderError where readings do not fit the encoder of passages.
    """
    if shelf.reader.fingerprint != search.fitted_on("passage"):
        raise EncoderError(
            "Expected the encoder of passages that readings were fitted to; another is installed. "
            "Install Priorscope again."
        )
    rows, passages = cut_rows(question, settings.rows)
    compared = compare_all(shelf, question, passages, settings, report=report)
    matches = _with_parents(rows, compared.matches) if settings.rows == "claims" else compared.matches
    readings = [[match.reading() for match in each] for each in matches]
    cells = tuple(
        tuple(_cell(row, passages, matches, readings, column) for column in range(len(compared.columns)))
        for row in rows
    )
    found = Coverage(
        question,
        settings.rows,
        tuple(rows),
        compared.columns,
        cells,
        np.array([len(one.text.split()) for one in passages], np.int64),
        np.array([[match.p for match in each] for each in matches], np.float64),
        np.array([[rank_of(one) for one in each] for each in readings], np.int64),
        compared.copies,
        shelf.unread,
    )
    return (_with_differences(shelf.judge, found) if shelf.judge is not None else found).arranged()


def _with_parents(rows: Sequence[Row], matches: Sequence[AcrossDocuments]) -> tuple[AcrossDocuments, ...]:
    """Return the matches of claims (q of m), each dependent claim's as probable as that of the claim it builds on."""
    made = list(matches)
    for row, parent in sorted(parents(rows).items()):
        built_on = [made[one] for one in rows[parent].passages]
        limits = [fmean(each[column].p for each in built_on) for column in range(len(built_on[0]))]
        for one in rows[row].passages:
            made[one] = tuple(
                replace(match, p=min(match.p, limit)) for match, limit in zip(made[one], limits, strict=True)
            )
    return tuple(made)


def compare_all(
    shelf: Shelf,
    question: Document,
    passages: Sequence[Chunk],
    settings: CoverageSettings,
    *,
    report: Report = silent,
) -> ComparedColumns:
    """Match a question's passages with each column. Raises EmptyLibraryError where no other document is held.

    Of what the judge did not read, nothing is likelier to say a passage than the best that it read.
    """
    copies = shelf.library.duplicates_of(question)
    view = _view(shelf, question, settings, copies, report)
    matching = _look_up(shelf, question, passages, view, copies, report)
    if settings.collection:
        matching = matching.within(set(shelf.library.collections.ids(settings.collection)) - copies)
    likeliest, itself = _likeliest(shelf.library, question, matching)
    if shelf.judge is not None:
        likeliest = _judged(shelf.judge, matching, likeliest, report)
    columns, others = _columns(shelf, question, settings, matching, likeliest, copies)
    if not columns:
        raise EmptyLibraryError(
            "Expected documents to compare with; the library or collection holds none but the question. "
            "Import some first."
        )
    found = [list(across) for across in _tried(matching, columns, report)]
    places = {one.id: column for column, one in enumerate(columns)}
    for across, near in zip(found, likeliest, strict=True):
        if shelf.judge is not None and near:
            share = near[0].p / max(near[0].p, *(match.p for match in across))
            across[:] = (replace(match, p=match.p * share) for match in across)
        for match in near:
            if (column := places.get(match.document.document_id)) is not None:
                across[column] = min(across[column], match, key=_best_first)
    return ComparedColumns(tuple(columns), tuple(map(tuple, found)), tuple(sorted(copies | itself | others)))


def _look_up(
    shelf: Shelf,
    question: Document,
    passages: Sequence[Chunk],
    view: PassageView,
    copies: Set[str],
    report: Report,
) -> Matching:
    """Read the question's passages a few at a time, and look up what is nearest to each, so that progress shows it."""
    meter = Meter("read your document", len(passages), report)
    meter.begin()
    among, read = view.held & ~view.among(copies), QuestionRows.of(shelf.reader, question, shelf.kept)
    rows, nearest, scores = [], [], []
    for first in range(0, len(passages), _AT_ONCE):
        some = passages[first : first + _AT_ONCE]
        rows.append(read.read(some))
        found, cosines = view.search(rows[-1], NEIGHBOURS, among=among)
        nearest.append(found)
        scores.append(cosines)
        meter.say(_nearest_said(shelf.library, view, some[0], int(found[0, 0])))
        meter.add(len(some))
    meter.finish()
    read.keep(shelf.kept)
    known = np.where(np.concatenate(nearest) >= 0, np.concatenate(scores), _USUAL).astype(np.float64)
    spread = np.maximum(known.std(axis=1), _LEAST_SPREAD)
    asked = AskedPassages(passages, np.concatenate(rows))
    return Matching(asked, view, np.concatenate(nearest), known.mean(axis=1), spread)


def _nearest_said(library: ShelfLibrary, view: PassageView, passage: Chunk, nearest: int) -> str:
    """Say where the passage nearest to one of the question's stands: "Introduction: nearest in The title"."""
    if nearest < 0:
        return ""
    (document,) = library.get([view.names[view.owner[nearest]]])
    return f"{passage.section or 'Untitled'}: nearest in {shorten(document.name, _NOTE, placeholder=' ...')}"


def _view(
    shelf: Shelf, question: Document, settings: CoverageSettings, copies: Set[str], report: Report
) -> PassageView:
    """Return the library's passages, or where they are not kept those of its nearest documents, which are read now."""
    if shelf.matcher is not None:
        return shelf.matcher.view
    near = shelf.nearest(question, _READ_NOW * (settings.documents + _SPARE) + len(copies))
    own = shelf.library.collections.ids(settings.collection) if settings.collection else []
    ids = [one for one in dict.fromkeys([*own, *near]) if one not in copies]
    meter, documents = Meter("read the documents near it", len(ids), report), shelf.library.get(ids)
    meter.expect(len(ids), work=sum(len(document.text) for document in documents))
    meter.begin()
    read = []
    for document in documents:
        passages = shelf.reader.cut(document)
        if passages:
            read.append(ReadPassages(document.id, passages, shelf.reader.encode([(document, passages)])))
        meter.add(1, len(document.text))
    meter.finish()
    return PassageView.in_memory(read, shelf.reader.dim)


# How near passages are ------------------------------------------------------------------------


@dataclass(frozen=True)
class Matching:
    """A question's passages (q) against those of documents.

    `nearest` (q, k) are the numbers of the nearest passages of the library, -1 where it has fewer; `usual` (q,) is the
    mean of their cosines and `spread` (q,) their standard deviation.
    """

    asked: AskedPassages
    view: PassageView
    nearest: NDArray[np.int64]
    usual: NDArray[np.float64]
    spread: NDArray[np.float64]
    _read: dict[str, _Theirs] = field(default_factory=dict)

    @cached_property
    def words(self) -> list[TellingWords]:
        """The telling words of each of the question's passages."""
        return [TellingWords.of(one.text) for one in self.asked.passages]

    def within(self, ids: Set[str]) -> Matching:
        """Return the same with the nearest passages of these documents alone; what is usual stays the library's."""
        nearest, _ = self.view.search(self.asked.rows, NEIGHBOURS, among=self.view.among(ids))
        return replace(self, nearest=nearest)

    def matches(self, document: Document) -> AcrossPassages:
        """Return a document's best match of each passage.

        A passage may stand across two neighbouring ones of the document: these are tried together, too.
        """
        theirs = self._theirs(document)
        scores = self.asked.rows @ theirs.rows.T  # (q, n)
        tried = np.argsort(-scores, axis=1, kind="stable")[:, :_TRIED].tolist()
        return tuple(
            min((match for place in some for match in self._at(one, theirs, place)), key=_best_first)
            for one, some in enumerate(tried)
        )

    def near(self, one: int, most: int, documents: Mapping[str, Document]) -> list[PassageMatch]:
        """Return a passage's matches with the `most` nearest ones, those of these documents; the most alike first."""
        found: list[PassageMatch] = []
        nearest = self.nearest[one, :most]
        for passage in nearest[nearest >= 0].tolist():
            owner = int(self.view.owner[passage])
            if (document := documents.get(self.view.names[owner])) is not None:
                found += self._at(one, self._theirs(document), passage - int(self.view.first[owner]))
        return sorted(found, key=lambda match: -match.pair.cosine - _SHARED * match.pair.contained)

    def around(self, match: PassageMatch) -> str:
        """Return what a match holds, as the judge reads it."""
        return _around(self._read[match.document.document_id].parts, match.document)

    def _theirs(self, document: Document) -> _Theirs:
        if document.id not in self._read:
            passages, _ = self.view.of_documents(np.array([self.view.number_of[document.id]]))
            places = [self.view.place(one) for one in passages.tolist()]
            self._read[document.id] = _Theirs(document, places, self.view.rows(passages))
        return self._read[document.id]

    def _at(self, one: int, theirs: _Theirs, place: int) -> Iterator[PassageMatch]:
        """Yield the match of a passage with one of a document's, and with that and one beside it, if it may go on."""
        cosine = float(self.asked.rows[one] @ theirs.rows[place])
        single = self._match(one, theirs, (place, place), cosine)
        yield single
        if single.pair.contained >= _GOES_ON:
            for both in theirs.beside(place):
                together = float(self.asked.rows[one] @ theirs.row(both))
                yield self._match(one, theirs, both, max(together, cosine))

    def _match(self, one: int, theirs: _Theirs, some: tuple[int, int], cosine: float) -> PassageMatch:
        chunk, words = theirs.stretch(some)
        own, contrast = self.words[one], float((cosine - self.usual[one]) / self.spread[one])
        both = own.pair(words, cosine)
        return PassageMatch(chunk, both, contrast, probability(both, contrast) if own.can_be_quoted else 0.0)


def _around(parts: Sequence[Section], chunk: Chunk) -> str:
    return with_neighbours(parts[chunk.part].text, chunk.start, chunk.stop)


class _Theirs:
    """A document's passages by their places, and their rows (n, dim)."""

    def __init__(self, document: Document, places: Sequence[PassagePlace], rows: DenseRows) -> None:
        self.rows, self.parts = rows, document.parts
        self._id, self._places = document.id, places
        self._read: dict[tuple[int, int], tuple[Chunk, TellingWords]] = {}

    def beside(self, one: int) -> Iterator[tuple[int, int]]:
        """Yield a passage with the one before it and with the one behind it, where both are of one part."""
        for before, behind in pairwise(range(max(0, one - 1), min(len(self._places), one + 2))):
            if self._places[before].part == self._places[behind].part:
                yield before, behind

    def row(self, both: tuple[int, int]) -> DenseRows:
        """Return the row (dim,) of two passages together, at unit length."""
        joined = self.rows[list(both)].sum(axis=0)
        return np.asarray(joined / max(float(np.linalg.norm(joined)), 1e-9), np.float32)

    def stretch(self, some: tuple[int, int]) -> tuple[Chunk, TellingWords]:
        """Return the text from one passage to another, and its telling words."""
        if some not in self._read:
            first, last = self._places[some[0]], self._places[some[1]]
            chunk = self.parts[first.part].chunk(self._id, first.part, first.start, last.stop)
            self._read[some] = chunk, TellingWords.of(chunk.text)
        return self._read[some]


def match_features(pair: Pair, contrast: float) -> tuple[float, ...]:
    """Return the numbers that say how probably a match says a passage, the first of them always 1: (f,).

    `contrast` is how far the match's cosine lies above the mean of the passage's `NEIGHBOURS` nearest ones in the
    library, in their standard deviations.
    """
    return (1.0, pair.cosine, contrast, pair.contained)


def probability(pair: Pair, contrast: float) -> float:
    """Return how probably a match says a passage, where either is as likely before it is looked at."""
    return _logistic(WEIGHTS, match_features(pair, contrast))


def _logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    return 1 / (1 + math.exp(-math.fsum(w * x for w, x in zip(weights, features, strict=True))))


def _likeliest(library: ShelfLibrary, question: Document, matching: Matching) -> tuple[list[Tried], set[str]]:
    """Return each passage's likeliest matches among the nearest ones, and the ids of versions of the question."""
    count, view = len(matching.asked.passages), matching.view
    looked_at = max(_FEWEST_LOOKED_AT, _LOOKED_AT_IN_ALL // count)
    kept = max(_FEWEST_JUDGED, min(_JUDGED, _JUDGED_IN_ALL // count))
    some = matching.nearest[:, :looked_at]
    owners = np.unique(view.owner[some[some >= 0]]).tolist()
    documents = {one.id: one for one in library.get([view.names[owner] for owner in owners])}
    itself = {name for name, one in documents.items() if same_work(question, one)}
    others = {name: one for name, one in documents.items() if name not in itself}
    near = (matching.near(one, looked_at, others) for one in range(count))
    return [_few_of_each(matches)[:kept] for matches in near], itself


def _few_of_each(matches: Sequence[PassageMatch]) -> Tried:
    """Return the matches that can be likely, at most two of a document."""
    held, found = Counter[str](), list[PassageMatch]()
    for match in matches:
        if match.p > 0 and held[match.document.document_id] < _OF_EACH:
            held[match.document.document_id] += 1
            found.append(match)
    return tuple(found)


def _judged(judge: PassageJudge, matching: Matching, likeliest: Sequence[Tried], report: Report) -> list[Tried]:
    """Return the likeliest matches of q passages again, judged, and the likeliest first."""
    texts = [one.text for one in matching.asked.passages]
    chosen = [(one, match) for one, near in enumerate(likeliest) for match in near]
    made: list[list[PassageMatch]] = [[] for _ in texts]
    meter = Meter("judge passages", len(chosen), report)
    meter.begin()
    for first in range(0, len(chosen), _JUDGED_AT_ONCE):
        some = chosen[first : first + _JUDGED_AT_ONCE]
        there = [matching.around(match) for _, match in some]
        asked, held = list(dict.fromkeys(one for one, _ in some)), list(dict.fromkeys(there))
        pairs = [(asked.index(one), held.index(text)) for (one, _), text in zip(some, there, strict=True)]
        logits = judge.judge([texts[one] for one in asked], held, pairs)
        for (one, unjudged), text, logit in zip(some, there, logits.tolist(), strict=True):
            match = replace(unjudged, judged=logit, lacking=len(_numbers(texts[one]) - _numbers(text)))
            made[one].append(replace(match, p=_logistic(JUDGED_WEIGHTS, match.features)))
        meter.add(len(some))
    meter.finish()
    return [tuple(sorted(near, key=_best_first)) for near in made]


def _numbers(text: str) -> set[str]:
    return {found.rstrip(".,") for found in _NUMBER.findall(text)}


def _tried(matching: Matching, columns: Sequence[Document], report: Report) -> Iterator[AcrossDocuments]:
    """Yield the best match of each of the question's passages in each of m documents."""
    found: list[AcrossPassages] = []
    meter = Meter("compare passages", len(columns), report)
    for document in columns:
        found.append(matching.matches(document))
        meter.add()
    meter.finish()
    yield from zip(*found, strict=True)


def _best_first(match: PassageMatch) -> tuple[bool, float, int]:
    """Order judged matches first, then by p to a hundredth, and of two that are as likely the shorter before."""
    return match.judged is None, -round(match.p, 2), len(match.document.text)


def _cell(
    row: Row,
    passages: Sequence[Chunk],
    matches: Sequence[AcrossDocuments],
    readings: Sequence[Sequence[Reading]],
    column: int,
) -> CoverageCell:
    """Return the best of a row's matches among those of all passages (q,) with one document."""
    best = min(row.passages, key=lambda one: (rank_of(readings[one][column]), -matches[one][column].p))
    return CoverageCell(passages[best], matches[best][column].document, readings[best][column], matches[best][column].p)


def _with_differences(judge: PassageJudge, found: Coverage) -> Coverage:
    """Return the same with the sentences that the nearest passage of a row does not say; of a close one at least one.

    Where the row's passage is a single sentence, its clauses count, as those of a claim.
    """
    bests = enumerate(map(found.row_best, range(len(found.rows))))
    near = {row: best for row, best in bests if best is not None and best.rank <= CLOSE}
    pieces = {row: _pieces(found.question, best.query) for row, best in near.items()}
    columns = {one.id: one for one in found.columns}
    asked, there, pairs = list[str](), list[str](), list[tuple[int, int]]()
    for row, own in pieces.items():
        document = near[row].document
        pairs += [(len(asked) + place, len(there)) for place in range(len(own))]
        asked += [one.text for one in own]
        there.append(_around(columns[document.document_id].parts, document))
    logits = iter(judge.judge(asked, there, pairs).tolist() if pairs else ())
    cells = list(found.cells)
    for row, own in pieces.items():
        said = [next(logits) for _ in own]
        least = sorted(range(len(own)), key=said.__getitem__)
        fewest = 1 if near[row].is_close else 0
        shown = sorted(one for place, one in enumerate(least[:_DIFFERENCES]) if place < fewest or said[one] < 0)
        told = replace(near[row], differs=tuple(own[one] for one in shown))
        cells[row] = tuple(told if cell is near[row] else cell for cell in cells[row])
    return replace(found, cells=tuple(cells))


def _pieces(question: Document, passage: Chunk) -> list[Chunk]:
    """Return the sentences of a passage, of one sentence its clauses; none where it cannot be cut."""
    spans = sentences(passage.text)
    spans = spans if len(spans) > 1 else list(cut_claim(passage.text))
    part, start = question.parts[passage.part], passage.start
    cut = [part.chunk(question.id, passage.part, start + one.start, start + one.stop) for one in spans]
    return cut if len(cut) > 1 else []


# Which documents are the columns ---------------------------------------------------------------


def _columns(
    shelf: Shelf,
    question: Document,
    settings: CoverageSettings,
    matching: Matching,
    likeliest: Sequence[Tried],
    copies: Set[str],
) -> tuple[list[Document], set[str]]:
    """Return the documents to compare with, and the ids of those that turn out to be the question itself."""
    held = matching.view.number_of
    if settings.collection:
        ids = shelf.library.collections.ids(settings.collection)
    else:
        ids = _nearest(shelf, matching, likeliest, settings.documents + _SPARE)
    counted = [one for one in ids if one not in copies and one in held and matching.view.counts[held[one]]]
    documents = shelf.library.get(counted)
    itself = {one.id for one in documents if same_work(question, one)}
    others = [one for one in documents if one.id not in itself]
    if settings.collection:
        return others, itself
    return [one.document for one in fold(others)][: settings.documents], itself


def _nearest(shelf: Shelf, matching: Matching, likeliest: Sequence[Tried], most: int) -> list[str]:
    """Return the ids of the nearest documents: first those that say a passage, then those that match best both ways.

    By whole documents alone, one would be missed that holds a single paragraph of the question.
    """
    view, ranked = matching.view, matching.nearest.T.ravel()  # each passage's first neighbours, then its second
    owners = view.owner[ranked[ranked >= 0]].tolist()
    order = [view.names[owner] for owner in dict.fromkeys(owners)][:_CANDIDATES]
    both_ways = PassageMatcher(view, shelf.reader).scores(matching.asked, order)
    near = sorted(both_ways, key=lambda name: -both_ways[name])
    return list(dict.fromkeys([*_holders(matching, likeliest, most // 2), *near]))[:most]


def _holders(matching: Matching, likeliest: Sequence[Tried], usual: int) -> list[str]:
    """Return the documents that are the likeliest to say a passage, then those that come second, and so on.

    All that say one best are among them, else `usual` ones; of those that come alike first what says more words.
    """
    best = [{match.document.document_id: match.p for match in reversed(near)} for near in likeliest]
    ranked = [sorted(of.items(), key=lambda one: -one[1]) for of in best]
    found: dict[str, None] = {}
    saying = 0
    for place in range(max(map(len, ranked), default=0)):
        said, expected = Counter[str](), defaultdict[str, float](float)
        for passage, near in zip(matching.asked.passages, ranked, strict=True):
            if place < len(near):
                name, p = near[place]
                words = len(passage.text.split())
                said[name] += words if p >= Coverage.said_from else 0
                expected[name] += words * p
        found |= dict.fromkeys(sorted(expected, key=lambda name: (-said[name], -expected[name])))
        saying = saying or sum(count > 0 for count in said.values())
    return list(found)[: max(usual, saying)]
