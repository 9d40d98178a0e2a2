"""CoLDE's table 2: which method tells related long documents from others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.errors import EngineError
from engine.research.paper.colde_models import ABLATIONS, MATCHERS, PLAIN, Pairs
from engine.research.paper.published import colde as published
from engine.research.paper.settings import left_out
from engine.research.paper.tables import Claim, Line, Panel, Rows, Skipped, Table, by_column, by_name, each_line
from engine.research.paper.work import Work

NAME = "colde-2"
PROTOCOL = (
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

COLUMNS = (*published.COLUMNS, "auc")
_WHOLE = {f"{model} {LEARNT}": model for model in ABLATIONS}
_BEYOND = (PLAIN, "tfidf", "lsa", "bm25", "colde", "compare")
_ORDERED = ("f1", "accuracy")
_SHIPPED_READS = ("colde", "compare")


def table(work: Work) -> Table:
    """A panel a set, a row a model."""
    panels = [_panel(work, name) for name in work.settings.colde.sets]
    return Table(NAME, "CoLDE, table 2: matching long documents", PROTOCOL, panels)


def _panel(work: Work, name: str) -> Panel:
    beside = published.DATASETS.get(name, "")
    pairs, learnt = Pairs(work, name), name in work.settings.colde.learnt_sets
    try:
        facts = {"pairs": pairs.whole.counts, "sha256": dict(pairs.whole.sha256)}
    except EngineError as error:
        return Panel(name, beside, COLUMNS, [], skipped=[Skipped(name, str(error))])
    own = work.settings.colde
    unread = () if name in own.read_sets else _SHIPPED_READS
    without = dict.fromkeys(unread, f"reading {name} takes long; add it to colde.read_sets")
    without |= left_out(own.leave_out, name)
    whole = tuple(_WHOLE) if learnt and LEARNT not in without else ()

    def line(row: str) -> Line:
        if row in _WHOLE:
            return _line(Pairs(work, name, learnt=True), _WHOLE[row], beside)
        return _line(pairs, row, "" if learnt and row in ABLATIONS else beside)

    lines, skipped = each_line((*MATCHERS, *ABLATIONS, *_BEYOND, *whole), line, without=without)
    orders, claims = ROWS_TOLD.orders(lines), list(ROWS_TOLD.claims(lines))
    return Panel(
        name, beside, COLUMNS, lines, orders=orders, claims=claims, skipped=skipped, facts=facts, drawn=_ORDERED
    )


def _line(pairs: Pairs, model: str, beside: str) -> Line:
    """A model's figures, with the paper's on the set that it stands beside."""
    cell = pairs.told(model)
    theirs = published.TABLE_2.get(model, {}).get(beside, {})
    facts = {name: cell[name] for name in ("fingerprint", "threshold", "valid")}
    right = [float(one) for one in cell["right"]]
    name = f"{model} {LEARNT}" if pairs.learnt else model
    return Line(name, cell["figures"], theirs, facts=facts, by_query={"accuracy": right})


def _claims(lines: Sequence[Line]) -> Iterator[Claim]:
    """Whether CoLDE, in the paper's form if it is there, is ahead of rivals and ablations, as the paper says."""
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


ROWS_TOLD = Rows(
    by_name((*MATCHERS, *ABLATIONS, *_BEYOND, *_WHOLE)),
    lambda lines: by_column(lines, _ORDERED),
    _claims,
)
"""What follows from the lines of a panel."""
