"""C-DSSM's tables 1 to 6: words that share their trigrams, then LDA and three variants of the model.

The models' columns are recall, precision and F1 at 1 to 50.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.errors import EngineError
from engine.documents import text
from engine.documents.text import most_frequent, trigrams
from engine.evaluation import Benchmark
from engine.evaluation.metrics import CDSSM_DEPTHS
from engine.research.paper.published import cdssm as published
from engine.research.paper.settings import CdssmTables, left_out
from engine.research.paper.tables import Line, Panel, Rows, Skipped, Table, by_column, by_line, by_name, each_line
from engine.research.paper.work import Work, about
from engine.research.train import RECIPES
from engine.training import corpora
from engine.training.cdssm.recipe import CdssmRecipe

LETTERS = "cdssm-1"
LETTER_COLUMNS = ("trigrams", "collisions")
LETTERS_PROTOCOL = (
    "The most frequent words of all texts at hand, each read as its letter trigrams with how often each stands there "
    "(section II.A). A collision is a word with the same trigrams as a more frequent one. The paper repeats the "
    "figures of DSSM, whose words come from web queries."
)


def letters(work: Work) -> Table:
    """Return vocabularies of the paper's sizes, as far as the texts have words enough, and all words."""
    return Table(
        LETTERS, "C-DSSM, table 1: words that share all their trigrams", LETTERS_PROTOCOL, [_letters_panel(work)]
    )


def collisions(words: Sequence[str]) -> dict[str, int]:
    """Return how many trigrams different words have, and how many of the words have those of an earlier one."""
    known = {one for word in words for one in trigrams(word)}
    read = {tuple(sorted(trigrams(word))) for word in words}
    return {"trigrams": len(known), "collisions": len(words) - len(read)}


def _letters_panel(work: Work) -> Panel:
    names, sizes = work.settings.cdssm.texts, tuple(published.COLLISIONS)
    try:
        digests = corpora.digests(names, work.data)
    except EngineError as error:
        return Panel.missing("texts", published.WORDS, LETTER_COLUMNS, error)
    measured = work.cells.find(
        LETTERS, {"sha256": digests, "sizes": sizes}, lambda: _count_collisions(work, names, sizes)
    )
    count = measured["words"]
    lines = [
        Line(f"{size:,} words", measured["of"][str(size)], published.COLLISIONS[size])
        for size in sizes
        if size <= count
    ]
    skipped = [
        Skipped(f"{size:,} words", f"Expected {size:,} different words in {', '.join(names)}, found {count:,}.")
        for size in sizes
        if size > count
    ]
    return Panel(
        "texts",
        published.WORDS,
        LETTER_COLUMNS,
        [*lines, Line(f"all {count:,} words", measured["of"]["all"])],
        orders=by_column(lines, LETTER_COLUMNS) if len(lines) > 1 else (),
        skipped=skipped,
        facts={"sha256": digests},
    )


def _count_collisions(work: Work, names: Sequence[str], sizes: Sequence[int]) -> Mapping[str, Any]:
    counts: Counter[str] = Counter()
    for _, document in corpora.documents_of(names, work.data, work.report):
        counts.update(text.tokens(document.text))
    words = most_frequent(counts, len(counts))
    parts = {str(size): words[:size] for size in sizes if size <= len(words)}
    return {"words": len(words), "of": {name: collisions(part) for name, part in {**parts, "all": words}.items()}}


LDA = "lda"
TABLES = {"cdssm-2": LDA, "cdssm-3": "cdssm-two-towers", "cdssm-4": "cdssm-trigrams", "cdssm-5": "cdssm-words"}
"""The row of each table that has one."""

COMPARISON = "cdssm-6"
PROTOCOL = (
    "In the paper an abstract of PubMed asks for the others that belong to the same question of BioASQ (section III), "
    "so its figures are of another collection: what can hold here is an order, in tables 2 to 5 that of F1 over the "
    "depths, in table 6 that of the four models. recall@k takes k as the number of relevant documents where k is "
    "smaller. The models are the recipes cdssm-two-towers, cdssm-trigrams and cdssm-words, with the same counts of "
    "queries and negatives a step."
)
_COMPARED = ("f1@1", "f1@5", "f1@10")
_BESIDE = "BioASQ"
ROWS_TOLD = Rows(by_name((*TABLES.values(), *CdssmTables().peers)), lambda lines: by_column(lines, _COMPARED))
"""What follows from the lines of a panel of table 6."""


def one_model(work: Work, name: str) -> Table:
    """Return table 2, 3, 4 or 5: one model, each depth a column."""
    row = TABLES[name]
    panels = [_of_one(work, data, row) for data in work.settings.cdssm.sets]
    return Table(name, f"C-DSSM, {published.ROWS[row]}", PROTOCOL, panels)


def comparison(work: Work) -> Table:
    """Return table 6: the four models by F1 at 1, 5 and 10."""
    panels = [_compared(work, data) for data in work.settings.cdssm.sets]
    return Table(COMPARISON, "C-DSSM, table 6: F1 of the four models", PROTOCOL, panels)


def _of_one(work: Work, data: str, row: str) -> Panel:
    try:
        benchmark = work.benchmark(data)
        measured = line(work, benchmark, row)
    except EngineError as error:
        return Panel(data, _BESIDE, _depths(), [], skipped=[Skipped(row, str(error))])
    by_metric = [_at_depths(measured, metric) for metric in ("recall", "precision", "f1")]
    return Panel(
        data,
        _BESIDE,
        _depths(),
        by_metric,
        orders=by_line(by_metric[2:]),
        facts={**about(benchmark), **measured.facts, **_queries(work, (row,))},
        drawn=_depths(),
        kind="lines",
    )


def _compared(work: Work, data: str) -> Panel:
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel.missing(data, _BESIDE, _COMPARED, error)
    rows = (*TABLES.values(), *work.settings.cdssm.peers)
    without = left_out(work.settings.cdssm.leave_out, data)
    lines, skipped = each_line(rows, lambda row: line(work, benchmark, row), without=without)
    return Panel(
        data,
        _BESIDE,
        _COMPARED,
        lines,
        orders=ROWS_TOLD.orders(lines),
        skipped=skipped,
        facts={**about(benchmark), **_queries(work, tuple(TABLES.values()))},
        drawn=("f1@10",),
    )


def line(work: Work, benchmark: Benchmark, row: str) -> Line:
    """Return one model with all its figures. Raises EngineError if it cannot be loaded or trained."""
    if row in TABLES.values() and row != LDA:
        folder = work.train(row, row, work.settings.cdssm.settings)
        cell = work.ranked(f"{row}={folder}", benchmark)
    else:
        cell = work.ranked(row, benchmark)
    ours = {_plain(name): value for name, value in cell["figures"].items() if name.endswith("-cdssm")}
    theirs = {_plain(name): value for name, value in published.FIGURES.get(row, {}).items()}
    facts = {"fingerprint": cell["fingerprint"], "seconds": cell["seconds"]}
    by_query = {_plain(name): values for name, values in cell["by_query"].items()}
    return Line(row, ours, theirs, beside=published.ROWS.get(row, ""), facts=facts, by_query=by_query)


def _queries(work: Work, rows: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the queries of a training step, each among as many documents, by model; given folders' are not known."""
    recipes = {row: _recipe(work, row) for row in rows if row != LDA and row not in work.trained}
    return {"queries a step of training": {row: made.queries for row, made in recipes.items()}} if recipes else {}


def _recipe(work: Work, row: str) -> CdssmRecipe:
    made: CdssmRecipe = RECIPES.load(row, work.settings.cdssm.settings)
    return made


def _at_depths(measured: Line, metric: str) -> Line:
    """Return one metric of a model at every depth."""
    ours, theirs = (
        {f"@{k}": figures[f"{metric}@{k}"] for k in CDSSM_DEPTHS} for figures in (measured.ours, measured.theirs)
    )
    return Line(metric, ours, theirs)


def _depths() -> tuple[str, ...]:
    return tuple(f"@{k}" for k in CDSSM_DEPTHS)


def _plain(name: str) -> str:
    return name.removesuffix("-cdssm")
