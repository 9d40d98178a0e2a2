"""CTPE's table 1: how large the sets are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders.ctpe import Position, cut_pair
from engine.evaluation import Benchmark
from engine.research.paper.published import ctpe as published
from engine.research.paper.published.ctpe import CANDIDATE, TEST
from engine.research.paper.tables import Line, Panel, Skipped, Table
from engine.research.paper.work import Work, about

NAME = "ctpe-1"
MEAN_WORDS, VOCABULARY, MEAN_LABELS, CUT = "mean words", "vocabulary", "mean labels", "percent before the cut"
ROWS = (*published.SIZES[:5], MEAN_WORDS, VOCABULARY, *published.SIZES[5:], MEAN_LABELS, CUT)
PROTOCOL = (
    "Candidates are the documents that are searched, test documents the queries. Words are counted by white space, as "
    "in the authors' scripts; the vocabulary is of tokens, as every method reads them. Labels are the relevant "
    "candidates of a test document. Mean words, vocabulary and mean labels are ours: the paper prints ranges alone. "
    "The last row is where the meaningful cut is, in percent of a document's tokens, the mean of at most 2,000 "
    "documents; the paper's figure (section 4.6) is of all documents together."
)
_COLUMNS = (CANDIDATE, TEST)
_MOST_CUT = 2_000
"""How many documents of a column are cut, evenly drawn."""


def table(work: Work) -> Table:
    """A panel a set, its candidates beside its test documents."""
    return Table(NAME, "CTPE, table 1: the sets", PROTOCOL, [_panel(work, data) for data in work.settings.ctpe.sets])


def _panel(work: Work, data: str) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel(data, beside, _COLUMNS, [], skipped=[Skipped(data, str(error))])
    ours = sizes(benchmark)
    theirs = dict(published.TABLE_1.get(beside, {}))
    if beside in published.CUT_PERCENT:
        theirs = {column: {**theirs[column], CUT: published.CUT_PERCENT[beside]} for column in theirs}
    lines = [
        Line(row, _of_row(ours, row), _of_row(theirs, row))
        for row in ROWS
        if any(row in figures for figures in (*ours.values(), *theirs.values()))
    ]
    return Panel(data, beside, _COLUMNS, lines, facts=about(benchmark))


def sizes(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    """The figures of a benchmark's candidates and test documents, by row; without years where it names none."""
    labels = [sum(grade > 0 for grade in grades.values()) for grades in benchmark.qrels.values()]
    judged = dict(zip(published.SIZES[5:], _range(labels), strict=True)) | {MEAN_LABELS: fmean(labels)}
    return {CANDIDATE: _sizes(benchmark.corpus), TEST: _sizes(benchmark.queries) | judged}


def _sizes(documents: Sequence[Document]) -> dict[str, float]:
    words = [len(document.text.split()) for document in documents]
    years = [document.year for document in documents if document.year is not None]
    figures = (float(len(documents)), *(_range(years) if years else ()), *_range(words))
    names = published.SIZES if years else (published.SIZES[0], *published.SIZES[3:])
    vocabulary = {token for document in documents for token in tokens(document.text)}
    found = dict(zip(names, figures, strict=False)) | {MEAN_WORDS: fmean(words), VOCABULARY: float(len(vocabulary))}
    return found | {CUT: _percent_before(documents[:: max(1, -(-len(documents) // _MOST_CUT))])}


def _percent_before(documents: Sequence[Document]) -> float:
    """The mean share of tokens before the meaningful cut, of documents with any."""
    pairs = [cut_pair(document, Position()) for document in documents if tokens(document.text)]
    counts = [(len(tokens(pair.former)), len(tokens(pair.latter))) for pair in pairs]
    return 100 * fmean(former / (former + latter) for former, latter in counts)


def _range(values: Sequence[int]) -> tuple[float, float]:
    return float(min(values)), float(max(values))


def _of_row(columns: Mapping[str, Mapping[str, float]], row: str) -> dict[str, float]:
    return {column: figures[row] for column, figures in columns.items() if row in figures}
