"""CoLDE's table 2, which method tells related long documents from others, and its figures 6 to 8.

The figures show batches, the length of the text that is trained on, and sections in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.core.errors import EngineError, EvaluationError
from engine.evaluation.significance import p_in_words
from engine.research.matching.pair_set import Form
from engine.research.paper.colde_models import ABLATIONS, MATCHERS, PLAIN, SBERT, Pairs
from engine.research.paper.published import colde as published
from engine.research.paper.settings import left_out
from engine.research.paper.tables import (
    CHANCE,
    Claim,
    Line,
    Order,
    Panel,
    Rows,
    Skipped,
    Table,
    by_column,
    by_name,
    each_line,
    ordered,
)
from engine.research.paper.work import Work

MATCHING = "colde-2"
MATCHING_PROTOCOL = (
    "Test pairs, the threshold by accuracy on the valid ones; bodies without title, abstract and references. The "
    "paper's pairs are others, and its negatives are drawn otherwise. CoLDE and its ablations are trained on the set's "
    "own train pairs over a transformer that stays as it is, so that its section and chunk embeddings are nothing. "
    "Rows of these names with \"learnt\" are the paper's form, whose transformer learns with them, and the paper's "
    "figures stand beside those. DSSM, ARC-I, HAN, SMITH and S-LONG are small, trained from scratch for a few epochs; "
    "HAN, SMITH and S-LONG read fewer words than in the paper. S-BERT is all-MiniLM-L6-v2, fine-tuned on the "
    "train pairs over the first tokens (512 unless a setting says otherwise); minilm is the same as it comes, by 256 "
    "tokens. colde and compare are what is shipped, which goes beyond the paper: its transformer learnt, too, on "
    "the train pairs of all three sets."
)
LEARNT = "learnt"
"""Follows the names of models whose whole transformer learnt."""

MATCHING_COLUMNS = (*published.COLUMNS, "auc")
_WHOLE = {f"{model} {LEARNT}": model for model in ABLATIONS}
_BEYOND = (PLAIN, "tfidf", "lsa", "bm25", "colde", "compare")
_ORDERED = ("f1", "accuracy")
_SHIPPED_READS = ("colde", "compare")


def matching(work: Work) -> Table:
    """Return a panel a set, a row a model."""
    panels = [_matching_panel(work, name) for name in work.settings.colde.sets]
    return Table(MATCHING, "CoLDE, table 2: matching long documents", MATCHING_PROTOCOL, panels)


def _matching_panel(work: Work, name: str) -> Panel:
    beside = published.DATASETS.get(name, "")
    pairs, learnt = Pairs(work, name), name in work.settings.colde.learnt_sets
    try:
        facts = {"pairs": pairs.whole.counts, "sha256": dict(pairs.whole.sha256)}
    except EngineError as error:
        return Panel.missing(name, beside, MATCHING_COLUMNS, error)
    own = work.settings.colde
    unread = () if name in own.read_sets else _SHIPPED_READS
    without = dict.fromkeys(unread, f"reading {name} takes long; add it to colde.read_sets")
    without |= left_out(own.leave_out, name)
    whole = tuple(_WHOLE) if learnt and LEARNT not in without else ()

    def line(row: str) -> Line:
        if row in _WHOLE:
            return _matching_line(Pairs(work, name, learnt=True), _WHOLE[row], beside)
        return _matching_line(pairs, row, "" if learnt and row in ABLATIONS else beside)

    lines, skipped = each_line((*MATCHERS, *ABLATIONS, *_BEYOND, *whole), line, without=without)
    orders, claims = MATCHING_ROWS.orders(lines), list(MATCHING_ROWS.claims(lines))
    return Panel(
        name,
        beside,
        MATCHING_COLUMNS,
        lines,
        orders=orders,
        claims=claims,
        skipped=skipped,
        facts=facts,
        drawn=_ORDERED,
    )


def _matching_line(pairs: Pairs, model: str, beside: str) -> Line:
    """Return a model's figures, with the paper's on the set that it stands beside."""
    cell = pairs.told(model)
    theirs = published.TABLE_2.get(model, {}).get(beside, {})
    facts = {name: cell[name] for name in ("fingerprint", "threshold", "valid")}
    right = [float(one) for one in cell["right"]]
    name = f"{model} {LEARNT}" if pairs.learnt else model
    return Line(name, cell["figures"], theirs, facts=facts, by_query={"accuracy": right})


def _matching_claims(lines: Sequence[Line]) -> Iterator[Claim]:
    """Tell whether CoLDE, in the paper's form if it is there, is ahead of rivals and ablations, as the paper says."""
    held = {line.name: line.ours["accuracy"] for line in lines}
    ending = f" {LEARNT}" if f"CoLDE {LEARNT}" in held else ""
    own = f"CoLDE{ending}"
    if own not in held:
        return
    ablations = [f"{name}{ending}" for name in tuple(ABLATIONS)[1:]]
    for others, said in ((list(MATCHERS), "its rivals"), (ablations, "its ablations")):
        there = [name for name in others if name in held]
        behind = [name for name in there if held[name] < held[own]]
        figures = f"{len(behind)} of {len(there)}"
        yield Claim(f"{own} ahead of {said} by accuracy", len(behind) == len(there) if there else None, figures)


MATCHING_ROWS = Rows(
    by_name((*MATCHERS, *ABLATIONS, *_BEYOND, *_WHOLE)),
    lambda lines: by_column(lines, _ORDERED),
    _matching_claims,
)
"""What follows from the lines of a panel."""


BATCH, LENGTH, SHUFFLED = "colde-6", "colde-7", "colde-8"
SEED = 0
"""Of the order that sections are put in."""

FIGURES_PROTOCOL = (
    "Accuracy on the test pairs, the threshold from the valid ones. CoLDE is trained again with each setting, as for "
    "table 2. The paper draws these figures and gives no numbers: what can hold is what its text says of them."
)
_CHANGED = (
    " The sections of every document are put in another order when pairs are compared. p is McNemar's exact test "
    "between both orders on the test pairs; a change counts where p is below .05."
)
_RIVALS = (
    " A rival is trained and reads with the bound, too, over all of a document; in the paper it reads documents whole "
    "when pairs are compared. S-BERT reads 512 tokens in any case and is left out."
)
_CERTAIN = 0.05
_MODEL = "CoLDE"
_METRIC = "accuracy"


def batches(work: Work) -> Table:
    """Return figure 6: a line a set over the size of a batch, for the same number of epochs."""
    sizes = {f"{size}": f"optimizer.batch={size}" for size in work.settings.colde.batches}
    panels = [_curve(work, name, sizes) for name in work.settings.colde.figure_sets]
    return Table(BATCH, "CoLDE, figure 6: documents of a batch", FIGURES_PROTOCOL, panels)


def lengths(work: Work) -> Table:
    """Return figure 7: a line a model over the most tokens that are read in training, of a section or by a rival."""
    panels = [_by_length(work, name) for name in work.settings.colde.figure_sets]
    return Table(LENGTH, "CoLDE, figure 7: most tokens of a section in training", FIGURES_PROTOCOL + _RIVALS, panels)


def shuffled(work: Work) -> Table:
    """Return figure 8: every model with the sections in their order and in another one."""
    panels = [_shuffled(work, name) for name in work.settings.colde.shuffled_sets]
    return Table(SHUFFLED, "CoLDE, figure 8: sections in another order", FIGURES_PROTOCOL + _CHANGED, panels)


def _curve(work: Work, name: str, settings: Mapping[str, str]) -> Panel:
    """Return accuracy by the size of a batch; if the paper says so, more documents should do better."""
    beside, columns = published.DATASETS.get(name, ""), tuple(settings)
    pairs = Pairs(work, name)
    try:
        facts = _set(pairs)
        cells = _cells(pairs, _MODEL, settings)
    except EngineError as error:
        return Panel.missing(name, beside, columns, error)
    by_metric = {metric: {size: one["figures"][metric] for size, one in cells.items()} for metric in (_METRIC, "auc")}
    lines = [Line(metric, figures) for metric, figures in by_metric.items()]
    orders = [_rising(_METRIC, lines[0])] if beside in published.LARGER_BATCHES_HELP else []
    facts["fingerprints by column"] = _fingerprints(cells)
    return Panel(name, beside, columns, lines, orders=orders, facts=facts, drawn=columns, kind="lines")


def _by_length(work: Work, name: str) -> Panel:
    """Return accuracy by the most tokens, a line a model; CoLDE's should rise and stay above (section 4.4.2)."""
    own, beside = work.settings.colde, published.DATASETS.get(name, "")
    columns = tuple(map(str, own.lengths))
    pairs, lines, skipped = Pairs(work, name), list[Line](), list[Skipped]()
    try:
        facts = _set(pairs)
    except EngineError as error:
        return Panel.missing(name, beside, columns, error)
    for model in dict.fromkeys((_MODEL, *own.length_rivals)):
        try:
            bound = _bound(model)
            cells = _cells(pairs, model, {size: f"{bound}={size}" for size in columns})
        except EngineError as error:
            skipped.append(Skipped(model, str(error)))
            continue
        lines.append(Line(model, {size: cell["figures"][_METRIC] for size, cell in cells.items()}))
        facts[f"auc of {model} by column"] = {size: cell["figures"]["auc"] for size, cell in cells.items()}
        facts[f"fingerprints of {model} by column"] = _fingerprints(cells)
    orders = [_rising(line.name, line) for line in lines if line.name == _MODEL and beside]
    claims = [_ahead(lines)] if beside and len(lines) > 1 and lines[0].name == _MODEL else []
    drawn: dict[str, Any] = {"drawn": columns, "kind": "lines"}
    return Panel(name, beside, columns, lines, orders=orders, claims=claims, skipped=skipped, facts=facts, **drawn)


def _bound(model: str) -> str:
    """Return the key of a model's recipe that bounds what it reads. Raises EvaluationError for one that has none."""
    if model == _MODEL:
        return "objective.max_tokens"
    known = [one for one in MATCHERS if one != SBERT]
    if model not in known:
        raise EvaluationError(f"Expected rivals among {', '.join(known)}; got {model}. Change colde.length_rivals.")
    return "network.max_words"


def _cells(pairs: Pairs, model: str, settings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return what a model tells of pairs with each change to its recipe, by column."""
    return {column: pairs.told(model, changes=(change,)) for column, change in settings.items()}


def _rising(name: str, line: Line) -> Order:
    """Return the order of a line's columns where the paper's rises from each to the next."""
    return ordered(name, line.ours, {column: float(place) for place, column in enumerate(line.ours)})


def _ahead(lines: Sequence[Line]) -> Claim:
    """Tell whether the first line is above all others in every column."""
    first, *others = lines
    behind = sum(other.ours[column] < value for other in others for column, value in first.ours.items())
    every = len(others) * len(first.ours)
    return Claim(f"{first.name} ahead of its rivals at every length", behind == every, f"{behind} of {every}")


def _fingerprints(cells: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {column: cell["fingerprint"] for column, cell in cells.items()}


def _shuffled(work: Work, name: str) -> Panel:
    columns = ("as it is", "in another order", CHANCE)
    pairs, beside = Pairs(work, name), published.DATASETS.get(name, "")
    try:
        facts = _set(pairs)
    except EngineError as error:
        return Panel.missing(name, beside, columns, error)
    lines, skipped = each_line((_MODEL, PLAIN, *MATCHERS), lambda model: _both(pairs, model))
    claims = [_claim(line) for line in lines if line.name != PLAIN]
    return Panel(name, beside, columns, lines, claims=claims, skipped=skipped, facts=facts, drawn=columns[:2])


def _both(pairs: Pairs, model: str) -> Line:
    """Return what a model tells of documents as they are, and with their sections in another order."""
    one, other = (pairs.told(model, form=form) for form in (Form(), Form(shuffle_sections=SEED)))
    only_one, only_other = (
        sum(a > b for a, b in zip(first["right"], second["right"], strict=True))
        for first, second in ((one, other), (other, one))
    )
    ours = {"as it is": one["figures"][_METRIC], "in another order": other["figures"][_METRIC]}
    chance = round(_chance(only_one, only_other), 4)
    return Line(model, {**ours, CHANCE: chance}, facts={"fingerprint": one["fingerprint"]})


def _chance(only_one: int, only_other: int) -> float:
    """Return how likely such a difference is by chance (McNemar's exact test)."""
    from scipy.stats import binomtest

    differ = only_one + only_other
    return float(binomtest(only_one, differ).pvalue) if differ else 1.0


def _claim(line: Line) -> Claim:
    """Return what the paper says of a model, checked against p."""
    drops = line.ours["in another order"] < line.ours["as it is"] and line.ours[CHANCE] < _CERTAIN
    figures = f"p {p_in_words(line.ours[CHANCE])}"
    if line.name in published.SUFFERS_FROM_SHUFFLING:
        return Claim(f"{line.name} does worse with its sections in another order", drops, figures)
    return Claim(f"{line.name} does as well with its sections in another order", line.ours[CHANCE] >= _CERTAIN, figures)


def _set(pairs: Pairs) -> dict[str, Any]:
    return {"pairs": pairs.whole.counts["test"], "sha256": dict(pairs.whole.sha256)}
