"""CTPE's tables 1 to 6: the sets, every method, embedding models, positions of the cut, and near negatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders.ctpe import Position, cut_pair
from engine.evaluation import Benchmark
from engine.evaluation.measure import score
from engine.evaluation.metrics import METRICS
from engine.research.paper.published import ctpe as published
from engine.research.paper.published.ctpe import CANDIDATE, TEST
from engine.research.paper.settings import left_out
from engine.research.paper.tables import (
    Claim,
    Line,
    Panel,
    Rows,
    Skipped,
    Table,
    by_column,
    by_line,
    each_line,
    of_means,
)
from engine.research.paper.work import Work, about, rounded

if TYPE_CHECKING:
    from engine.research.paper.ctpe_models import Cell

DATASETS = "ctpe-1"
MEAN_WORDS, VOCABULARY, MEAN_LABELS, CUT = "mean words", "vocabulary", "mean labels", "percent before the cut"
DATASET_ROWS = (*published.SIZES[:5], MEAN_WORDS, VOCABULARY, *published.SIZES[5:], MEAN_LABELS, CUT)
DATASETS_PROTOCOL = (
    "Candidates are the documents that are searched, test documents the queries. Words are counted by white space, as "
    "in the authors' scripts; the vocabulary is of tokens, as every method reads them. Labels are the relevant "
    "candidates of a test document. Mean words, vocabulary and mean labels are ours: the paper prints ranges alone. "
    "The last row is where the meaningful cut is, in percent of a document's tokens, the mean of at most 2,000 "
    "documents; the paper's figure (section 4.6) is of all documents together."
)
_DOCUMENTS = (CANDIDATE, TEST)
_MOST_CUT = 2_000
"""How many documents of a column are cut, evenly drawn."""


def datasets(work: Work) -> Table:
    """Return a panel a set, its candidates beside its test documents."""
    return Table(
        DATASETS,
        "CTPE, table 1: the sets",
        DATASETS_PROTOCOL,
        [_datasets_panel(work, data) for data in work.settings.ctpe.sets],
    )


def _datasets_panel(work: Work, data: str) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel.missing(data, beside, _DOCUMENTS, error)
    ours = sizes(benchmark)
    theirs = dict(published.TABLE_1.get(beside, {}))
    if beside in published.CUT_PERCENT:
        theirs = {column: {**theirs[column], CUT: published.CUT_PERCENT[beside]} for column in theirs}
    lines = [
        Line(row, _of_row(ours, row), _of_row(theirs, row))
        for row in DATASET_ROWS
        if any(row in figures for figures in (*ours.values(), *theirs.values()))
    ]
    return Panel(data, beside, _DOCUMENTS, lines, facts=about(benchmark))


def sizes(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    """Return the figures of a benchmark's candidates and test documents, by row; without years where it names none."""
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
    """Return the mean share of tokens before the meaningful cut, of documents with any."""
    pairs = [cut_pair(document, Position()) for document in documents if tokens(document.text)]
    counts = [(len(tokens(pair.former)), len(tokens(pair.latter))) for pair in pairs]
    return 100 * fmean(former / (former + latter) for former, latter in counts)


def _range(values: Sequence[int]) -> tuple[float, float]:
    return float(min(values)), float(max(values))


def _of_row(columns: Mapping[str, Mapping[str, float]], row: str) -> dict[str, float]:
    return {column: figures[row] for column, figures in columns.items() if row in figures}


RETRIEVAL = {"ctpe-2": published.METRICS[:3], "ctpe-3": published.METRICS[3:]}
BESIDE: Mapping[str, str] = {
    "random": "doc2vec(ran)",
    "random-words": "avg-word2vec(ran)",
    "tfidf": "TF-IDF",
    "lsa": "LSA",
    "lda-ctpe": "LDA",
    "glove-own": "avg-GloVe",
    "glove-full": "avg-GloVe(full)",
    "word2vec-own": "avg-word2vec",
    "word2vec-mean": "avg-word2vec(full)",
    "wmd(glove-own)": "WMD-GloVe",
    "wmd(glove-full)": "WMD-GloVe(full)",
    "wmd(word2vec-own)": "WMD-word2vec",
    "wmd": "WMD-word2vec(full)",
    "doc2vec-ctpe": "doc2vec",
    "doc2vecc": "Doc2VecC",
    "sentence-mean": "avg-Skip-thoughts",
    "CTPE": "CTPE-word2vec(full)",
}
"""The paper's method that a row stands for."""

PEERS = ("rwmd", "bm25", "word2vec-sif", "minilm", "CTPE_T", "CTPE_0", "ctpe")
"""Rows that the paper's tables do not have: a bound of WMD, what a user would try, and CTPE's other forms."""

RETRIEVAL_PROTOCOL = (
    "Each set is rebuilt, of other documents than the paper's, unless its folder is named as the paper's own file. "
    "CTPE, CTPE_T and CTPE_0 are the paper's own form, one small network trained on the set's own corpus, its best "
    "epoch by MAP@20 on the valid queries; ctpe is the encoder that is shipped, which goes beyond the paper. wmd "
    "reranks the first 200 of word2vec-mean, wmd(ROW) those of ROW. sentence-mean stands where the paper has Skip-"
    "thoughts. MAP divides by 20 and NDCG's ideal has 20 ones: section 4.3 names both without a formula, and so we "
    "infer them from the size of the paper's figures. So a query with fewer than 20 relevant documents cannot reach 1. "
    "Below each set stand the largest figures possible, of rankings that begin with every relevant document; the last "
    "column is a row's share of the largest in the first column. The paper's largest is known by its fewest and its "
    "most labels (table 1)."
)
_RANKS = 20
_RATIOS = ("tfidf", "word2vec-mean")


def retrieval(work: Work, name: str) -> Table:
    """Return table 2 (P, R and F1) or 3 (MAP, NDCG and bpref), a panel a set."""
    columns = RETRIEVAL[name]
    title = f"CTPE, table {name[-1]}: {', '.join(columns)}"
    return Table(
        name, title, RETRIEVAL_PROTOCOL, [_retrieval_panel(work, data, columns) for data in work.settings.ctpe.sets]
    )


def _retrieval_panel(work: Work, data: str, columns: tuple[str, ...]) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel.missing(data, beside, columns, error)
    without = left_out(work.settings.ctpe.leave_out, data)
    lines, skipped = each_line((*BESIDE, *PEERS), lambda row: _retrieval_line(work, benchmark, row), without=without)
    most = {name: value for name, value in rounded(largest(benchmark)).items() if name in columns}
    lines = retrieval_rows(columns).arranged([_with_share(line, columns[0], most) for line in lines])
    return Panel(
        data,
        beside,
        (*columns, share_of(columns[0])),
        lines,
        orders=retrieval_rows(columns).orders(lines),
        claims=list(retrieval_rows(columns).claims(lines)),
        skipped=skipped,
        facts=about(benchmark) | {"the largest possible": most} | _largest_there(columns[0], beside),
        drawn=(columns[0],),
    )


def retrieval_rows(columns: tuple[str, ...]) -> Rows:
    """Return what follows from the lines of a panel with these columns."""
    return Rows(
        lambda lines: sorted(lines, key=lambda line: line.ours[columns[0]]),
        lambda lines: by_column(lines, columns),
        lambda lines: _ratios(lines, columns[0]),
    )


def largest(benchmark: Benchmark) -> dict[str, float]:
    """Return each metric of rankings that begin with every relevant document: P@20 is the mean of min(n, 20) / 20."""
    relevant = {query: [name for name, grade in of.items() if grade > 0] for query, of in benchmark.qrels.items()}
    return score({query: [*names, *[""] * _RANKS] for query, names in relevant.items()}, benchmark)[0]


def share_of(column: str) -> str:
    """Return the name of the column with the share that a row reaches of the largest figure possible."""
    return f"of the largest {column}"


def _with_share(line: Line, column: str, most: Mapping[str, float]) -> Line:
    return replace(line, ours={**line.ours, share_of(column): line.ours[column] / most[column]})


def _largest_there(column: str, beside: str) -> dict[str, str]:
    """Return the paper's largest P@20, also its largest MAP@20, by the fewest and the most labels of a query."""
    labels = published.TABLE_1.get(beside, {}).get(published.TEST, {})
    ends = [min(labels[name], _RANKS) / _RANKS for name in published.SIZES[5:] if name in labels]
    if not ends:
        return {}
    return {f"the largest {column} in the paper": " to ".join(f"{end:g}" for end in dict.fromkeys(ends))}


def _retrieval_line(work: Work, benchmark: Benchmark, row: str) -> Line:
    """Return one method with every metric. Raises EngineError if it cannot be loaded here."""
    method = BESIDE.get(row, "")
    theirs = published.TABLES_2_AND_3.get(method, {}).get(published.DATASETS.get(benchmark.name, ""), {})
    line = _measured(work, benchmark, row)
    return replace(line, ours={name: line.ours[name] for name in METRICS}, theirs=theirs, beside=method)


def _measured(work: Work, benchmark: Benchmark, row: str) -> Line:
    """Return our side of a line: of a small model that is trained here, or of a row as `priorscope evaluate` has it.

    The set's own word vectors are the ones that tables 4 to 6 learn from, so that they are trained once.
    """
    from engine.research.paper.ctpe_models import FULL, GLOVE, GLOVE_FULL, OWN, Models  # brings torch

    models = Models(work, benchmark)
    words = {"word2vec-own": OWN, "word2vec-mean": FULL, "glove-own": GLOVE, "glove-full": GLOVE_FULL}
    moved = {"wmd": "word2vec-mean", **{f"wmd({name})": name for name in words}}
    trained: Mapping[str, Callable[[], Any]] = {
        **{name: partial(models.average, embedding) for name, embedding in words.items()},
        "CTPE": lambda: models.ctpe(f"CTPE {FULL}"),
        "CTPE_T": lambda: models.ctpe("CTPE_T", settings=['objective.sampling="tfidf"']),
        "CTPE_0": lambda: models.ctpe(f"CTPE_0 {FULL}", epochs=0),
    }
    if row in trained:
        cell = trained[row]()
        return Line(row, cell.metrics, facts=cell.facts, by_query=cell.by_query)
    asked = f"wmd({moved[row]})={models.words(words[moved[row]])}" if row in moved else row
    kept = work.ranked(asked, benchmark)
    facts = {"fingerprint": kept["fingerprint"], "seconds": kept["seconds"]}
    return Line(row, kept["figures"], facts=facts, by_query=kept["by_query"])


def _ratios(lines: Sequence[Line], column: str) -> Iterator[Claim]:
    """Give how far CTPE is ahead of two baselines, as a ratio here and in the paper."""
    held = {line.name: line for line in lines}
    for form in ("CTPE", "ctpe"):
        for base in _RATIOS:
            if form not in held or base not in held or not held[base].ours[column]:
                continue
            ours = held[form].ours[column] / held[base].ours[column]
            paper, under = held.get("CTPE", held[form]).theirs.get(column), held[base].theirs.get(column)
            if paper and under:
                theirs = paper / under
                reached = [f"{held[name].ours[share_of(column)]:.2f}" for name in (form, base)]
                figures = f"{ours:.2f} times, the paper {theirs:.2f}; {' and '.join(reached)} of the largest possible"
                yield Claim(f"{form} above {base} by {column} as far as in the paper", ours >= theirs, figures)


EMBEDDINGS = "ctpe-4"
EMBEDDINGS_PROTOCOL = (
    "F1@20. The networks are small and in the paper's own form, trained on the set's own corpus; the best epoch is "
    "that of the valid queries. Our sentence vectors are means of word vectors and stand beside Skip-thoughts, "
    "MiniLM's token vectors beside BERT."
)
EMBEDDINGS_BESIDE = {"sentence means": "Skip-thoughts", "MiniLM": "BERT"}
"""The paper's row that stands beside an embedding model of ours if the two models differ."""

_EMBEDDINGS_METRIC = "F1@20"
_COMPARED = (("CTPE", "avg"), ("CTPE", "CTPE_0"), ("avg", "CTPE_0"))


def embeddings(work: Work) -> Table:
    """Return a panel a set, a row an embedding model."""
    panels = [_embeddings_panel(work, data) for data in work.settings.ctpe.small_sets]
    return Table(EMBEDDINGS, "CTPE, table 4: embedding models, F1@20", EMBEDDINGS_PROTOCOL, panels)


def _embeddings_panel(work: Work, data: str) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel.missing(data, beside, published.METHODS, error)
    lines, skipped = each_line(work.settings.ctpe.embeddings, lambda embedding: _embedding_line(work, data, embedding))
    skipped += _missing({line.beside for line in lines} | set(work.settings.ctpe.embeddings), beside)
    return Panel(
        data,
        beside,
        published.METHODS,
        lines,
        orders=[*by_column(lines, published.METHODS), *by_line(lines)],
        claims=list(_embedding_claims(lines)),
        skipped=skipped,
        facts=about(benchmark),
        drawn=published.METHODS,
    )


def _missing(present: Set[str], beside: str) -> Iterator[Skipped]:
    """Give the paper's rows beside which none of ours stands, with their figures."""
    for name, sets in published.TABLE_4.items():
        if name not in present and beside in sets:
            figures = [f"{way} {value:.4f}" for way, value in zip(published.METHODS, sets[beside], strict=True)]
            yield Skipped(name, f"not among ctpe.embeddings; the paper has {', '.join(figures)}")


def _embedding_line(work: Work, data: str, embedding: str) -> Line:
    from engine.encoders.ctpe.embeddings import remembering  # brings torch
    from engine.research.paper.ctpe_models import Models

    models = Models(work, work.benchmark(data), small=True)
    with remembering():  # a transformer reads no half twice
        cells = [
            models.average(embedding),
            models.ctpe(f"CTPE_0 {embedding}", embedding=embedding, epochs=0),
            models.ctpe(f"CTPE {embedding}", embedding=embedding),
        ]
    beside = EMBEDDINGS_BESIDE.get(embedding, embedding)
    theirs = published.TABLE_4.get(beside, {}).get(published.DATASETS.get(data, ""), ())
    ours = [cell.metrics[_EMBEDDINGS_METRIC] for cell in cells]
    return Line(
        embedding,
        dict(zip(published.METHODS, ours, strict=True)),
        dict(zip(published.METHODS, theirs, strict=False)),
        beside=beside,
        facts={"fingerprint": cells[2].fingerprint, "cells": [cell.facts for cell in cells]},
        by_query=dict(part for name, cell in zip(published.METHODS, cells, strict=True) for part in _parts(name, cell)),
    )


def _parts(name: str, cell: Cell) -> Iterator[tuple[str, Sequence[float]]]:
    """Return each query's precision and recall under the names by which a column's F1 is tested."""
    return zip(of_means(name), (cell.by_query["P@20"], cell.by_query["R@20"]), strict=True)


def _embedding_claims(lines: Sequence[Line]) -> Iterator[Claim]:
    """Give how often one way is above another, here and in the paper; it holds if all rows agree with the paper."""
    beside = [line for line in lines if line.theirs]
    if not beside:
        return
    for better, worse in _COMPARED:
        ours = sum(line.ours[better] > line.ours[worse] for line in lines)
        theirs = sum(line.theirs[better] > line.theirs[worse] for line in beside)
        same = all((one.ours[better] > one.ours[worse]) == (one.theirs[better] > one.theirs[worse]) for one in beside)
        figures = f"{ours} of {len(lines)} here, {theirs} of {len(beside)} in the paper"
        yield Claim(f"{better} above {worse} on the same rows as in the paper", same, figures)


POSITIONS = "ctpe-5"
MEANINGFUL = "meaningful"
POSITIONS_PROTOCOL = (
    "Five positions over word2vec(full), small networks in the paper's own form. Meaningful is title | abstract for "
    "papers; these patents have no claims, so that theirs is title and abstract | opening of the description, where "
    "the paper has abstract | first claim. The paper's last column, avg, is the mean of a position's precision, recall "
    "and F1 on its three sets; ours is of the sets that stand here, where there are several."
)
MEAN = "avg"
_EVERY_SET = "all sets"
_POSITION_METRICS = {"P@20": "p", "R@20": "r", "F1@20": "f1"}


def positions(work: Work) -> Table:
    """Return a panel a set, a row a position."""
    panels = [_positions_panel(work, data) for data in work.settings.ctpe.small_sets]
    measured = [panel for panel in panels if panel.lines]
    means = [_position_means(measured)] if len(measured) > 1 else []
    return Table(POSITIONS, "CTPE, table 5: positions of the cut", POSITIONS_PROTOCOL, [*panels, *means])


def _position_means(panels: Sequence[Panel]) -> Panel:
    """Return the paper's last column: the mean of all figures of a position."""
    of_place: dict[str, list[float]] = {place: [] for place in published.TABLE_5}
    for line in (line for panel in panels for line in panel.lines):
        of_place[line.name] += [line.ours[name] for name in _POSITION_METRICS]
    lines = [
        Line(place, {MEAN: round(fmean(figures), 4)}, {MEAN: published.TABLE_5_MEANS[place]})
        for place, figures in of_place.items()
    ]
    facts = {"sets": ", ".join(panel.data for panel in panels)}
    return Panel(_EVERY_SET, "three sets", (MEAN,), lines, orders=by_column(lines, (MEAN,)), facts=facts)


def _positions_panel(work: Work, data: str) -> Panel:
    beside, columns = published.DATASETS.get(data, ""), tuple(_POSITION_METRICS)
    try:
        benchmark = work.benchmark(data)
        lines = [_position_line(work, data, place) for place in published.TABLE_5]
    except EngineError as error:
        return Panel.missing(data, beside, columns, error)
    orders = by_column(lines, columns)
    return Panel(data, beside, columns, lines, orders=orders, facts=about(benchmark), drawn=("F1@20",))


def _position_line(work: Work, data: str, place: str) -> Line:
    from engine.research.paper.ctpe_models import FULL, Models  # brings torch

    models = Models(work, work.benchmark(data), small=True)
    if place == MEANINGFUL:
        cell = models.ctpe(f"CTPE {FULL}")
    else:
        cell = models.ctpe(f"CTPE {place.replace('%', ' percent')}", settings=[f'pairs.position="{place}"'])
    row = published.TABLE_5[place].get(published.DATASETS.get(data, ""))
    theirs = {} if row is None else {name: asdict(row)[short] for name, short in _POSITION_METRICS.items()}
    return Line(
        place,
        {name: cell.metrics[name] for name in _POSITION_METRICS},
        theirs,
        facts=cell.facts,
        by_query=cell.by_query,
    )


SAMPLING = "ctpe-6"
SAMPLING_PROTOCOL = (
    "CTPE_T draws half of its negatives from the 100 nearest documents by TF-IDF (section 4.7), here without the words "
    "of more than a tenth of the documents. The epoch is the best on the valid queries of those that were trained; the "
    "paper has no valid queries and counts the epochs of its result. Only where the training stopped by itself before "
    "its last epoch is that its convergence."
)
_SAMPLING_COLUMNS = ("P@20", "R@20", "best epoch", "epochs trained")


def sampling(work: Work) -> Table:
    """Return a panel a set, a row a way to draw negatives."""
    panels = [_sampling_panel(work, data) for data in work.settings.ctpe.small_sets]
    return Table(SAMPLING, "CTPE, table 6: CTPE_T against CTPE", SAMPLING_PROTOCOL, panels)


def _sampling_panel(work: Work, data: str) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
        lines = [_sampling_line(work, data, name) for name in published.TABLE_6]
    except EngineError as error:
        return Panel.missing(data, beside, _SAMPLING_COLUMNS, error)
    orders = by_column(lines, _SAMPLING_COLUMNS)
    return Panel(
        data, beside, _SAMPLING_COLUMNS, lines, orders=orders, facts=about(benchmark), drawn=("P@20", "best epoch")
    )


def _sampling_line(work: Work, data: str, name: str) -> Line:
    from engine.research.paper.ctpe_models import FULL, Models  # brings torch

    models = Models(work, work.benchmark(data))
    if name == "CTPE":
        cell = models.ctpe(f"CTPE {FULL}")
    else:
        cell = models.ctpe(name, settings=['objective.sampling="tfidf"'])
    row = published.TABLE_6[name].get(published.DATASETS.get(data, ""))
    theirs = {} if row is None else {"P@20": row.p, "R@20": row.r, "best epoch": float(row.epochs)}
    epochs = {"best epoch": float(cell.best_epoch or 0), "epochs trained": float(cell.epochs or 0)}
    ours = {**{metric: cell.metrics[metric] for metric in _SAMPLING_COLUMNS[:2]}, **epochs}
    return Line(name, ours, theirs, facts=cell.facts, by_query=cell.by_query)
