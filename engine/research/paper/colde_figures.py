"""CoLDE's figures 6 to 8: batches, length of the text that is trained on, and sections in another order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.errors import EngineError
from engine.research.matching.form import Form
from engine.research.paper.colde_models import MATCHERS, PEERS, Pairs
from engine.research.paper.order import ordered
from engine.research.paper.published import colde as published
from engine.research.paper.tables import Claim, Line, Panel, Skipped, Table
from engine.research.paper.work import Work

BATCH, LENGTH, SHUFFLED = "colde-6", "colde-7", "colde-8"
SEED = 0
"""Of the order that sections are put in."""

PROTOCOL = (
    "Accuracy on the test pairs, the threshold from the valid ones. CoLDE is trained again with each setting, as for "
    "table 2. The paper draws these figures and gives no numbers: what can hold is what its text says of them."
)
_CHANGED = (
    " The sections of every document are put in another order when pairs are compared. p is McNemar's exact test "
    "between both orders on the test pairs; a change counts where p is below .05."
)
_CERTAIN = 0.05
_MODEL = "CoLDE"
_METRIC = "accuracy"


def batches(work: Work) -> Table:
    """Figure 6: a line a set over the size of a batch, for the same number of epochs."""
    sizes = {f"{size}": f"optimizer.batch={size}" for size in work.settings.colde.batches}
    panels = [_curve(work, name, sizes, told=_larger_helps) for name in work.settings.colde.figure_sets]
    return Table(BATCH, "CoLDE, figure 6: documents of a batch", PROTOCOL, panels)


def lengths(work: Work) -> Table:
    """Figure 7: a line a set over the most tokens of a section that are read in training."""
    sizes = {f"{size}": f"objective.max_tokens={size}" for size in work.settings.colde.lengths}
    panels = [_curve(work, name, sizes, told=lambda _: True) for name in work.settings.colde.figure_sets]
    return Table(LENGTH, "CoLDE, figure 7: most tokens of a section in training", PROTOCOL, panels)


def shuffled(work: Work) -> Table:
    """Figure 8: every model with the sections in their order and in another one."""
    panels = [_shuffled(work, name) for name in work.settings.colde.shuffled_sets]
    return Table(SHUFFLED, "CoLDE, figure 8: sections in another order", PROTOCOL + _CHANGED, panels)


def _larger_helps(beside: str) -> bool:
    return beside in published.LARGER_BATCHES_HELP


def _curve(work: Work, name: str, settings: Mapping[str, str], *, told: Callable[[str], bool]) -> Panel:
    """Accuracy by a setting; if the paper says so, more of it should do better."""
    beside, columns = published.DATASETS.get(name, ""), tuple(settings)
    pairs = Pairs(work, name)
    try:
        facts = _set(pairs)
        cells = {size: pairs.told(_MODEL, changes=(change,)) for size, change in settings.items()}
    except EngineError as error:
        return Panel(name, beside, columns, [], skipped=[Skipped(name, str(error))])
    by_metric = {metric: {size: one["figures"][metric] for size, one in cells.items()} for metric in (_METRIC, "auc")}
    lines = [Line(metric, figures) for metric, figures in by_metric.items()]
    places = {size: float(place) for place, size in enumerate(columns)}
    orders = [ordered(_METRIC, lines[0].ours, places)] if beside and told(beside) else []
    facts["fingerprints by column"] = {size: cell["fingerprint"] for size, cell in cells.items()}
    return Panel(name, beside, columns, lines, orders=orders, facts=facts, drawn=columns, kind="lines")


def _shuffled(work: Work, name: str) -> Panel:
    columns = ("as it is", "in another order", "p")
    pairs, beside = Pairs(work, name), published.DATASETS.get(name, "")
    lines: list[Line] = []
    skipped: list[Skipped] = []
    try:
        facts = _set(pairs)
    except EngineError as error:
        return Panel(name, beside, columns, [], skipped=[Skipped(name, str(error))])
    for model in (_MODEL, *PEERS, *MATCHERS):
        try:
            cells = [pairs.told(model, form=form) for form in (Form(), Form(shuffle_sections=SEED))]
            lines.append(_both(model, cells))
        except EngineError as error:
            skipped.append(Skipped(model, str(error)))
    claims = [_claim(line) for line in lines]
    return Panel(name, beside, columns, lines, claims=claims, skipped=skipped, facts=facts, drawn=columns[:2])


def _both(model: str, cells: Sequence[Mapping[str, Any]]) -> Line:
    one, other = cells
    only_one, only_other = (
        sum(a > b for a, b in zip(first["right"], second["right"], strict=True))
        for first, second in ((one, other), (other, one))
    )
    ours = {"as it is": one["figures"][_METRIC], "in another order": other["figures"][_METRIC]}
    chance = round(_chance(only_one, only_other), 4)
    return Line(model, {**ours, "p": chance}, facts={"fingerprint": one["fingerprint"]})


def _chance(only_one: int, only_other: int) -> float:
    """How likely such a difference is by chance (McNemar's exact test)."""
    from scipy.stats import binomtest

    differ = only_one + only_other
    return float(binomtest(only_one, differ).pvalue) if differ else 1.0


def _claim(line: Line) -> Claim:
    """What the paper says of a model, checked against p."""
    drops = line.ours["in another order"] < line.ours["as it is"] and line.ours["p"] < _CERTAIN
    figures = f"p {line.ours['p']:.2g}"
    if line.name in published.SUFFERS_FROM_SHUFFLING:
        return Claim(f"{line.name} does worse with its sections in another order", drops, figures)
    return Claim(f"{line.name} does as well with its sections in another order", line.ours["p"] >= _CERTAIN, figures)


def _set(pairs: Pairs) -> dict[str, Any]:
    return {"pairs": pairs.whole.counts["test"], "sha256": dict(pairs.whole.sha256)}
