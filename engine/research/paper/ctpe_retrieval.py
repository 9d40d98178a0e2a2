"""CTPE's tables 2 and 3: every method of the paper that we can run, and what a user would try beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.core.errors import EngineError
from engine.evaluation import Benchmark
from engine.evaluation.measure import score
from engine.evaluation.metrics import METRICS
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import left_out
from engine.research.paper.tables import Claim, Line, Panel, Rows, Skipped, Table, by_column, each_line
from engine.research.paper.work import Work, about, rounded

COLUMNS = {"ctpe-2": published.METRICS[:3], "ctpe-3": published.METRICS[3:]}
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

PROTOCOL = (
    "Each set is rebuilt, of other documents than the paper's, unless its folder is named as the paper's own file. "
    "CTPE, CTPE_T and CTPE_0 are the paper's own form, one small network trained on the set's own corpus, its best "
    "epoch by MAP@20 on the valid queries; ctpe is the encoder that is shipped, which goes beyond the paper. wmd "
    "reranks the first 200 of word2vec-mean, wmd(ROW) those of ROW. sentence-mean stands where the paper has Skip-"
    "thoughts. MAP divides by 20 and NDCG's ideal has 20 ones, as the paper defines them. So a query with fewer than "
    "20 relevant documents cannot reach 1. Below each set stand the largest figures possible, of rankings that begin "
    "with every relevant document; the last column is a row's share of the largest in the first column. The paper's "
    "largest is known by its fewest and its most labels (table 1)."
)
_RANKS = 20
_RATIOS = ("tfidf", "word2vec-mean")


def table(work: Work, name: str) -> Table:
    """Table 2 (P, R and F1) or 3 (MAP, NDCG and bpref), a panel a set."""
    columns = COLUMNS[name]
    title = f"CTPE, table {name[-1]}: {', '.join(columns)}"
    return Table(name, title, PROTOCOL, [_panel(work, data, columns) for data in work.settings.ctpe.sets])


def _panel(work: Work, data: str, columns: tuple[str, ...]) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel(data, beside, columns, [], skipped=[Skipped(data, str(error))])
    without = left_out(work.settings.ctpe.leave_out, data)
    lines, skipped = each_line((*BESIDE, *PEERS), lambda row: _line(work, benchmark, row), without=without)
    most = {name: value for name, value in rounded(largest(benchmark)).items() if name in columns}
    lines = told(columns).arranged([_with_share(line, columns[0], most) for line in lines])
    return Panel(
        data,
        beside,
        (*columns, share_of(columns[0])),
        lines,
        orders=told(columns).orders(lines),
        claims=list(told(columns).claims(lines)),
        skipped=skipped,
        facts=about(benchmark) | {"the largest possible": most} | _largest_there(columns[0], beside),
        drawn=(columns[0],),
    )


def told(columns: tuple[str, ...]) -> Rows:
    """What follows from the lines of a panel with these columns."""
    return Rows(
        lambda lines: sorted(lines, key=lambda line: line.ours[columns[0]]),
        lambda lines: by_column(lines, columns),
        lambda lines: _ratios(lines, columns[0]),
    )


def largest(benchmark: Benchmark) -> dict[str, float]:
    """Each metric of rankings that begin with every relevant document: P@20 is the mean of min(relevant, 20) / 20."""
    relevant = {query: [name for name, grade in of.items() if grade > 0] for query, of in benchmark.qrels.items()}
    return score({query: [*names, *[""] * _RANKS] for query, names in relevant.items()}, benchmark)[0]


def share_of(column: str) -> str:
    """The name of the column with the share that a row reaches of the largest figure possible."""
    return f"of the largest {column}"


def _with_share(line: Line, column: str, most: Mapping[str, float]) -> Line:
    return replace(line, ours={**line.ours, share_of(column): line.ours[column] / most[column]})


def _largest_there(column: str, beside: str) -> dict[str, str]:
    """The paper's largest P@20, which is also its largest MAP@20, by the fewest and the most labels of a query."""
    labels = published.TABLE_1.get(beside, {}).get(published.TEST, {})
    ends = [min(labels[name], _RANKS) / _RANKS for name in published.SIZES[5:] if name in labels]
    if not ends:
        return {}
    return {f"the largest {column} in the paper": " to ".join(f"{end:g}" for end in dict.fromkeys(ends))}


def _line(work: Work, benchmark: Benchmark, row: str) -> Line:
    """One method with every metric. Raises EngineError if it cannot be loaded here."""
    method = BESIDE.get(row, "")
    theirs = published.TABLES_2_AND_3.get(method, {}).get(published.DATASETS.get(benchmark.name, ""), {})
    line = _measured(work, benchmark, row)
    return replace(line, ours={name: line.ours[name] for name in METRICS}, theirs=theirs, beside=method)


def _measured(work: Work, benchmark: Benchmark, row: str) -> Line:
    """Our side of a line: of a small model that is trained here, or of a row as `priorscope evaluate` has it.

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
    """How far CTPE is ahead of two baselines, as a ratio here and in the paper."""
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
