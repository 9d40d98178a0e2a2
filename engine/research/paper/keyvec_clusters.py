"""KeyVec's table of clustering: papers by their venue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from engine import evaluation
from engine.core import files
from engine.core.errors import EngineError, EvaluationError
from engine.documents import Document
from engine.evaluation import systems
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research.baselines.rows import ROWS
from engine.research.paper.published import keyvec as published
from engine.research.paper.settings import KeyvecTables, left_out
from engine.research.paper.tables import Line, Panel, Rows, Skipped, Table, by_name, by_places, each_line
from engine.research.paper.training import keyvec_row
from engine.research.paper.venues import VenueDraw, VenueSettings, draw_papers, score_clusters
from engine.research.paper.work import Work, made_by, rounded, there

NAME = "keyvec-2"
ACM = "acm-citation"
COLUMNS = ("F1", "V-measure", "ARI")
ROWS_TOLD = Rows(by_name(KeyvecTables().rows), lambda lines: by_places(lines, COLUMNS, published.PLACES))
"""What follows from the lines of a panel."""
PROTOCOL = (
    "Draws of 850 ACM papers of 186 venues, as many papers of each as of any other or one more; a year's meeting is a "
    "venue, two years of one series only where series run out. k-means, k = 186, on rows at unit length, the best of "
    "three starts; the mean of the draws and its standard deviation. Encoders that learn from a corpus learn from the "
    "papers of all draws. The paper's figures are not in the text at hand; its sentences give the order."
)


def table(work: Work) -> Table:
    """One panel, a row an encoder."""
    return Table(NAME, "KeyVec, clustering by venue", PROTOCOL, [_panel(work)])


def _panel(work: Work) -> Panel:
    own = work.settings.keyvec
    settings = VenueSettings(own.papers, own.venues, own.draws)
    try:
        documents = read_documents(there(work.data / ACM / CORPUS))
        draws = draw_papers(documents, settings)
    except EngineError as error:
        return Panel(ACM, "", COLUMNS, [], skipped=[Skipped(ACM, str(error))])
    wanted = {name for draw in draws for name in draw.ids}
    drawn = [document for document in documents if document.id in wanted]
    without = left_out(own.leave_out, "")
    lines, skipped = each_line(own.rows, lambda row: _line(work, row, drawn, draws), without=without)
    facts = {**asdict(settings), "documents": len(drawn)}
    facts["sha256"] = {CORPUS: files.sha256_file(work.data / ACM / CORPUS)}
    facts["standard deviation"] = {line.name: line.facts["stdev"] for line in lines}
    orders = ROWS_TOLD.orders(lines)
    return Panel(ACM, "", COLUMNS, lines, orders=orders, skipped=skipped, facts=facts, drawn=COLUMNS)


def _line(work: Work, row: str, drawn: Sequence[Document], draws: Sequence[VenueDraw]) -> Line:
    """One row's mean over the draws."""
    row = keyvec_row(work, row)
    name = evaluation.name_of(row)
    texts = files.fingerprint(*(part for one in drawn for part in (one.id, one.text)))
    papers = files.fingerprint(*(part for draw in draws for part in (f"{draw.seed}", *draw.ids)))
    key = {"row": name, "made_by": made_by(row), "texts": texts, "draws": papers}
    cell = work.cells.find(f"{NAME}-{name}", key, lambda: clustered(work, row, drawn, draws, keep=work.cache / texts))
    facts = {"fingerprint": cell["fingerprint"], "stdev": cell["stdev"]}
    return Line(name, cell["figures"], beside=published.ROWS.get(name, ""), facts=facts)


def clustered(
    work: Work, row: str, drawn: Sequence[Document], draws: Sequence[VenueDraw], *, keep: Path
) -> dict[str, Any]:
    """One row's figures. Raises EvaluationError for a row that has no vectors to cluster."""
    corpus = work.cache / files.sha256_file(work.data / ACM / CORPUS)
    prepared = ROWS.prepare(row, drawn, keep=keep, among=corpus, report=work.report)
    if not isinstance(prepared.system, systems.Encoded):
        raise EvaluationError(f"Expected rows to cluster, got {row}, which only ranks. Leave it out of this table.")
    index = prepared.system.index
    scores = [score_clusters(index.rows(draw.ids), draw) for draw in draws]
    each = {name: [one[name] for one in scores] for name in COLUMNS}
    spread = {name: stdev(values) if len(values) > 1 else 0.0 for name, values in each.items()}
    figures = rounded({name: mean(values) for name, values in each.items()})
    return {"figures": figures, "stdev": rounded(spread), "fingerprint": prepared.fingerprint}
