"""KeyVec's table of retrieval: papers found by the description of a field."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from engine import evaluation
from engine.core import files
from engine.core.errors import EngineError
from engine.evaluation.benchmarks import CORPUS, QUERIES, read_documents
from engine.evaluation.metrics import KEYVEC
from engine.research.baselines.rows import ROWS
from engine.research.paper.fields import FieldSettings, FieldTask, field_task, score_fields
from engine.research.paper.published import keyvec as published
from engine.research.paper.settings import KeyvecTables, left_out
from engine.research.paper.tables import Line, Panel, Rows, Skipped, Table, by_name, by_places, each_line
from engine.research.paper.training import keyvec_row
from engine.research.paper.work import Work, made_by, rounded, there

NAME = "keyvec-1"
ARXIV, ACM = "arxiv-subject", "acm-citation"
PROTOCOL = (
    "The paper asks with 70 pages of an encyclopaedia, one a field of study, among 669 papers. Here a field is an "
    "arXiv category or an ACM author's key word, and up to ten held-out documents that carry it describe it: their "
    "titles, then the first sentence of each abstract; those that carry fewest other fields first, of equals by chance "
    "with a fixed seed. A field needs five held-out documents and twenty of the pool; the 70 with most held-out "
    "documents are asked for. A document of the pool is relevant that carries the field. Of arxiv-subject the pool is "
    "the whole corpus and held out are its queries. Of acm-citation the pool is drawn among the documents with key "
    "words, and held out is every tenth of these by its id's sha1; authors give few key words, so that its figures are "
    "lower bounds. Encoders that learn from a corpus learn from the pool alone. The paper's figures are not in the "
    "text at hand; its sentences give the order."
)
_HELD_OUT_ONE_IN = 10
_COLUMNS = tuple(KEYVEC)
ROWS_TOLD = Rows(by_name(KeyvecTables().rows), lambda lines: by_places(lines, _COLUMNS, published.PLACES))
"""What follows from the lines of a panel."""


def table(work: Work) -> Table:
    """A panel a set, a row an encoder."""
    tasks: Mapping[str, Callable[[Work], FieldTask]] = {ARXIV: arxiv_fields, ACM: acm_fields}
    panels = [_panel(work, data, task) for data, task in tasks.items()]
    return Table(NAME, "KeyVec, retrieval by a field's description", PROTOCOL, panels)


def arxiv_fields(work: Work) -> FieldTask:
    """The categories of arxiv-subject, described by its queries. Raises EngineError if the set is not there."""
    pool, held_out = (read_documents(there(work.data / ARXIV / name)) for name in (CORPUS, QUERIES))
    return field_task(pool, held_out, lambda document: document.categories, _settings(work))


def acm_fields(work: Work) -> FieldTask:
    """The authors' key words of acm-citation, described by every tenth document, sought in a pool of the others."""
    worded = [document for document in read_documents(there(work.data / ACM / CORPUS)) if document.keywords]
    held_out = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) == 0]
    others = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) != 0]
    pool = random.Random(work.settings.seed).sample(others, min(work.settings.keyvec.pool, len(others)))
    return field_task(pool, held_out, lambda document: [word.lower() for word in document.keywords], _settings(work))


def _panel(work: Work, data: str, make: Callable[[Work], FieldTask]) -> Panel:
    try:
        task = make(work)
    except EngineError as error:
        return Panel(data, "", _COLUMNS, [], skipped=[Skipped(data, str(error))])
    sha256 = files.sha256_file(work.data / data / CORPUS)
    line = partial(_line, work, task=task, corpus=work.cache / sha256, whole=data == ARXIV)
    own = work.settings.keyvec
    lines, skipped = each_line(own.rows, line, without=left_out(own.leave_out, data))
    facts = {"fields": len(task.relevant), "documents": len(task.pool), "sha256": {CORPUS: sha256}}
    orders = ROWS_TOLD.orders(lines)
    return Panel(data, "", _COLUMNS, lines, orders=orders, skipped=skipped, facts=facts, drawn=_COLUMNS)


def _line(work: Work, row: str, *, task: FieldTask, corpus: Path, whole: bool) -> Line:
    """P@10, MAP and MRR of one row; `corpus` is where rows of all documents are kept, `whole` that the pool is all."""
    row = keyvec_row(work, row)
    texts = [part for one in (*task.pool, *task.queries) for part in (one.id, one.text)]
    named = {"row": evaluation.name_of(row), "made_by": made_by(row), "texts": files.fingerprint(*texts)}
    relevant = [part for field, ids in task.relevant.items() for part in (field, *sorted(ids))]
    key = {**named, "relevant": files.fingerprint(*relevant)}
    keep = corpus if whole else work.cache / named["texts"]
    measure = partial(_measure, work, row, task, keep=keep, among=corpus)
    cell = work.cells.find(f"{NAME}-{evaluation.name_of(row)}", key, measure)
    return Line(
        evaluation.name_of(row),
        cell["figures"],
        beside=published.ROWS.get(evaluation.name_of(row), ""),
        facts={"fingerprint": cell["fingerprint"]},
    )


def _measure(work: Work, row: str, task: FieldTask, *, keep: Path, among: Path) -> dict[str, Any]:
    prepared = ROWS.prepare(row, task.pool, keep=keep, among=among, report=work.report)
    over_all, _ = score_fields(task, prepared.system)
    return {"figures": rounded(over_all), "fingerprint": prepared.fingerprint}


def _settings(work: Work) -> FieldSettings:
    own = work.settings.keyvec
    return FieldSettings(
        fewest_held_out=own.fewest_held_out, fewest_relevant=own.fewest_relevant, seed=work.settings.seed
    )
