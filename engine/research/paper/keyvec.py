"""KeyVec's two tables: papers found by the description of a field, and papers clustered by their venue.

There is one query a field, made of documents that are not searched. Draws of papers are clustered by their rows, and
the clusters compared with the venues.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import EngineError, EvaluationError
from engine.core.rows import DenseRows, SparseRows, unit_length, unit_length_sparse
from engine.documents import Document
from engine.documents.text import sentences
from engine.evaluation import systems
from engine.evaluation.benchmarks import CORPUS, QUERIES, read_documents
from engine.evaluation.measure import System
from engine.evaluation.metrics import KEYVEC, Judged
from engine.evaluation.systems import name_of
from engine.research.baselines.rows import ROWS
from engine.research.paper.published import keyvec as published
from engine.research.paper.settings import KeyvecTables, left_out
from engine.research.paper.tables import Line, Panel, Rows, Table, by_name, by_places, each_line
from engine.research.paper.work import Work, made_by, rounded, there

Subjects = Callable[[Document], Sequence[str]]
"""The subjects that a document carries: its categories, or its author's key words."""


@dataclass(frozen=True, slots=True)
class FieldSettings:
    """Which subjects are asked for, and how many held-out documents describe one.

    KeyVec has 70 queries ("Document Retrieval"), so of more subjects the 70 with most held-out documents are taken.
    """

    described_by: int = 10
    fewest_held_out: int = 5
    fewest_relevant: int = 20
    most_fields: int = 70
    seed: int = 1


@dataclass(frozen=True, slots=True)
class FieldTask:
    """A pool of documents, a description of each field as a query whose id is the field's, and what is relevant.

    `described_by` names the held-out documents that a description is made of.
    """

    pool: Sequence[Document]
    queries: Sequence[Document]
    relevant: Mapping[str, frozenset[str]]
    described_by: Mapping[str, tuple[str, ...]]


def field_task(
    pool: Sequence[Document], held_out: Sequence[Document], subjects: Subjects, settings: FieldSettings
) -> FieldTask:
    """Describe the fields that enough documents carry on both sides; a document is relevant that carries the field.

    Leaves out a subject that exactly the documents of another carry ("math.IT" beside "cs.IT"). Raises EvaluationError
    if a document stands on both sides, or no field has enough documents.
    """
    both = {document.id for document in pool} & {document.id for document in held_out}
    if both:
        raise EvaluationError(
            f"Expected held-out documents that are not in the pool, got {len(both)} that are, the first {min(both)!r}. "
            "Take them out of one side."
        )
    carried, describing = _carrying(pool, subjects), _carrying(held_out, subjects)
    enough = [
        field
        for field, documents in describing.items()
        if len(documents) >= settings.fewest_held_out and len(carried.get(field, ())) >= settings.fewest_relevant
    ]
    relevant: dict[str, frozenset[str]] = {}
    for field in sorted(enough, key=lambda field: (-len(describing[field]), field)):
        ids = frozenset(document.id for document in carried[field])
        if ids not in relevant.values() and len(relevant) < settings.most_fields:
            relevant[field] = ids
    if not relevant:
        raise EvaluationError(
            f"Expected a subject that {settings.fewest_held_out} held-out documents and {settings.fewest_relevant} of "
            f"the pool carry, found none among {len(describing)}. Give more documents."
        )
    chosen = {field: _chosen(describing[field], subjects, field, settings) for field in relevant}
    queries = [description(field, documents) for field, documents in chosen.items()]
    described = {field: tuple(document.id for document in documents) for field, documents in chosen.items()}
    return FieldTask(pool, queries, relevant, described)


def description(field: str, documents: Sequence[Document]) -> Document:
    """Return a text about a field: its documents' titles, then each abstract's first sentence; it is not named."""
    titles = ". ".join(document.title.rstrip(".") for document in documents if document.title)
    return Document(id=field, kind="query", title=titles, abstract=" ".join(map(_first_sentence, documents)).strip())


def score_fields(task: FieldTask, system: System) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return P@10, MAP and MRR over all fields, and by field, from rankings of the whole pool."""
    found = system.rank(task.queries, len(task.pool))
    judged = {
        query.id: Judged.of([hit.id for hit in hits], dict.fromkeys(task.relevant[query.id], 1))
        for query, hits in zip(task.queries, found, strict=True)
    }
    over_all = {name: metric.over(list(judged.values())) for name, metric in KEYVEC.items()}
    return over_all, {
        field: {name: metric.score(one) for name, metric in KEYVEC.items()} for field, one in judged.items()
    }


def _carrying(documents: Sequence[Document], subjects: Subjects) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        for subject in dict.fromkeys(subjects(document)):
            found[subject].append(document)
    return found


def _chosen(documents: Sequence[Document], subjects: Subjects, field: str, settings: FieldSettings) -> list[Document]:
    """Return the documents that describe a field, those with fewest other fields first; chance orders equal ones."""
    shuffled = sorted(documents, key=lambda document: document.id)
    random.Random(f"{settings.seed} {field}").shuffle(shuffled)
    return sorted(shuffled, key=lambda document: len(set(subjects(document))))[: settings.described_by]


def _first_sentence(document: Document) -> str:
    spans = sentences(document.abstract)
    return document.abstract[spans[0].start : spans[0].stop] if spans else ""


RETRIEVAL = "keyvec-1"
ARXIV, ACM = "arxiv-subject", "acm-citation"
ABLATIONS = ("keyvec-read-only", "keyvec-enc-only")
"""Each by the recipe of its name; without L_enc a document's vector is what the reader's states give."""
RETRIEVAL_PROTOCOL = (
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
_RETRIEVAL_COLUMNS = tuple(KEYVEC)
RETRIEVAL_ROWS = Rows(
    by_name(KeyvecTables().rows), lambda lines: by_places(lines, _RETRIEVAL_COLUMNS, published.PLACES)
)
"""What follows from the lines of a panel."""


def retrieval(work: Work) -> Table:
    """Return a panel a set, a row an encoder."""
    tasks: Mapping[str, Callable[[Work], FieldTask]] = {ARXIV: arxiv_fields, ACM: acm_fields}
    panels = [_retrieval_panel(work, data, task) for data, task in tasks.items()]
    return Table(RETRIEVAL, "KeyVec, retrieval by a field's description", RETRIEVAL_PROTOCOL, panels)


def row_of(work: Work, name: str) -> str:
    """Return the row of a name, an ablation's with its folder. Raises EngineError for one that cannot be trained."""
    if name in ABLATIONS:
        return f"{name}={work.train(name, name, work.settings.keyvec.settings)}"
    return work.row_of(name)


def arxiv_fields(work: Work) -> FieldTask:
    """Return the categories of arxiv-subject, described by its queries. Raises EngineError if the set is not there."""
    pool, held_out = (read_documents(there(work.data / ARXIV / name)) for name in (CORPUS, QUERIES))
    return field_task(pool, held_out, lambda document: document.categories, _field_settings(work))


def acm_fields(work: Work) -> FieldTask:
    """Return the authors' key words of acm-citation, described by every tenth document, sought in the others."""
    worded = [document for document in read_documents(there(work.data / ACM / CORPUS)) if document.keywords]
    held_out = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) == 0]
    others = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) != 0]
    pool = random.Random(work.settings.seed).sample(others, min(work.settings.keyvec.pool, len(others)))
    return field_task(
        pool, held_out, lambda document: [word.lower() for word in document.keywords], _field_settings(work)
    )


def _retrieval_panel(work: Work, data: str, make: Callable[[Work], FieldTask]) -> Panel:
    try:
        task = make(work)
    except EngineError as error:
        return Panel.missing(data, "", _RETRIEVAL_COLUMNS, error)
    sha256 = files.sha256_file(work.data / data / CORPUS)
    line = partial(_retrieval_line, work, task=task, corpus=work.cache / sha256, whole=data == ARXIV)
    own = work.settings.keyvec
    lines, skipped = each_line(own.rows, line, without=left_out(own.leave_out, data))
    facts = {"fields": len(task.relevant), "documents": len(task.pool), "sha256": {CORPUS: sha256}}
    orders = RETRIEVAL_ROWS.orders(lines)
    return Panel(
        data, "", _RETRIEVAL_COLUMNS, lines, orders=orders, skipped=skipped, facts=facts, drawn=_RETRIEVAL_COLUMNS
    )


def _retrieval_line(work: Work, row: str, *, task: FieldTask, corpus: Path, whole: bool) -> Line:
    """Return P@10, MAP and MRR of one row; `corpus` is where all rows are kept, `whole` that the pool is all."""
    row = row_of(work, row)
    texts = [part for one in (*task.pool, *task.queries) for part in (one.id, one.text)]
    named = {"row": name_of(row), "made_by": made_by(row), "texts": files.fingerprint(*texts)}
    relevant = [part for field, ids in task.relevant.items() for part in (field, *sorted(ids))]
    key = {**named, "relevant": files.fingerprint(*relevant)}
    keep = corpus if whole else work.cache / named["texts"]
    measure = partial(_measure_retrieval, work, row, task, keep=keep, among=corpus)
    cell = work.cells.find(f"{RETRIEVAL}-{name_of(row)}", key, measure)
    return Line(
        name_of(row),
        cell["figures"],
        beside=published.ROWS.get(name_of(row), ""),
        facts={"fingerprint": cell["fingerprint"]},
    )


def _measure_retrieval(work: Work, row: str, task: FieldTask, *, keep: Path, among: Path) -> dict[str, Any]:
    prepared = ROWS.prepare(row, task.pool, keep=keep, among=among, report=work.report)
    over_all, _ = score_fields(task, prepared.system)
    return {"figures": rounded(over_all), "fingerprint": prepared.fingerprint}


def _field_settings(work: Work) -> FieldSettings:
    own = work.settings.keyvec
    return FieldSettings(
        fewest_held_out=own.fewest_held_out, fewest_relevant=own.fewest_relevant, seed=work.settings.seed
    )


_YEAR = re.compile(r"\W*(?:'\d\d|\b(?:19|20)\d\d)\b.*$")
_STARTS = 3

Labels = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VenueSettings:
    """How many papers of how many venues are drawn (KeyVec, "Document Clustering": 850 of 186), and how often."""

    papers: int = 850
    venues: int = 186
    draws: int = 10


@dataclass(frozen=True, slots=True)
class VenueDraw:
    """Papers of one draw by id, and the venue of each as a number: (n,)."""

    seed: int
    ids: tuple[str, ...]
    venues: NDArray[np.int64]


def series(venue: str) -> str:
    """Return the series that a year's meeting belongs to: "CHI" of "CHI '19", "ADCS" of "ADCS 2017"."""
    return _YEAR.sub("", venue) or venue


def draw_papers(documents: Sequence[Document], settings: VenueSettings) -> list[VenueDraw]:
    """Return draws with the seeds 0, 1, ...: `settings.venues` venues, each with equally many papers, or one more.

    A year's meeting is a venue, as in the data. Two meetings of one series are drawn only if the data have fewer series
    than the settings ask for, because no text tells them apart. Raises EvaluationError if too few venues have enough
    papers.
    """
    each, more = divmod(settings.papers, settings.venues)
    papers: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        if document.venue and document.text.strip():
            papers[document.venue].append(document.id)
    enough = sorted(venue for venue, ids in papers.items() if len(ids) >= each + bool(more))
    if not each or len(enough) < settings.venues:
        raise EvaluationError(
            f"Expected {settings.venues} venues with {each + bool(more)} papers or more, found {len(enough)}. "
            "Ask for fewer venues or papers."
        )
    return [_draw_venues(seed, papers, enough, settings) for seed in range(settings.draws)]


def score_clusters(rows: DenseRows | SparseRows, draw: VenueDraw) -> dict[str, float]:
    """Return `clustering_scores` of k-means clusters of rows (n, dim) at unit length, k = the number of venues."""
    from sklearn.cluster import KMeans

    unit = unit_length_sparse(rows) if isinstance(rows, csr_array) else unit_length(np.asarray(rows, np.float32))
    count = len(set(draw.venues.tolist()))
    clusters = KMeans(count, n_init=_STARTS, random_state=draw.seed).fit_predict(unit)
    return clustering_scores(draw.venues, clusters)


def clustering_scores(classes: Labels, clusters: Labels) -> dict[str, float]:
    """Return F1 of pairs, V-measure and ARI of clusters (n,) against classes (n,).

    V-measure is the harmonic mean of homogeneity 1 - H(C|K)/H(C) and completeness 1 - H(K|C)/H(K) (Rosenberg and
    Hirschberg, EMNLP 2007, section 2). ARI, the adjusted Rand index, is 1 for the same partition and about 0 for one
    by chance (Hubert and Arabie, 1985).
    """
    from sklearn.metrics import adjusted_rand_score, v_measure_score

    return {
        "F1": pair_f1(classes, clusters),
        "V-measure": float(v_measure_score(classes, clusters)),
        "ARI": float(adjusted_rand_score(classes, clusters)),
    }


def pair_f1(classes: Labels, clusters: Labels) -> float:
    """Return the harmonic mean of the share of a cluster's pairs in one class, and of a class's in one cluster.

    Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 16.3; 0 if no pair is shared.
    """
    from sklearn.metrics.cluster import pair_confusion_matrix

    (_, wrong), (missed, right) = pair_confusion_matrix(classes, clusters)
    return float(2 * right / (2 * right + wrong + missed)) if right else 0.0


def _draw_venues(seed: int, papers: dict[str, list[str]], enough: Sequence[str], settings: VenueSettings) -> VenueDraw:
    generator = random.Random(seed)
    shuffled = generator.sample(enough, len(enough))
    first = {series(venue): venue for venue in reversed(shuffled)}
    later = [venue for venue in shuffled if first[series(venue)] != venue]
    alone = [venue for venue in shuffled if first[series(venue)] == venue]
    chosen = [*alone, *later][: settings.venues]
    each, more = divmod(settings.papers, settings.venues)
    ids = [generator.sample(papers[venue], each + (place < more)) for place, venue in enumerate(chosen)]
    venues = np.repeat(np.arange(len(chosen)), [len(own) for own in ids])
    return VenueDraw(seed, tuple(name for own in ids for name in own), venues)


CLUSTERING = "keyvec-2"
CLUSTERING_COLUMNS = ("F1", "V-measure", "ARI")
CLUSTERING_ROWS = Rows(
    by_name(KeyvecTables().rows), lambda lines: by_places(lines, CLUSTERING_COLUMNS, published.PLACES)
)
"""What follows from the lines of a panel."""
CLUSTERING_PROTOCOL = (
    "Draws of 850 ACM papers of 186 venues, as many papers of each as of any other or one more; a year's meeting is a "
    "venue, two years of one series only where series run out. k-means, k = 186, on rows at unit length, the best of "
    "three starts; the mean of the draws and its standard deviation. Encoders that learn from a corpus learn from the "
    "papers of all draws. The paper's figures are not in the text at hand; its sentences give the order."
)


def clustering(work: Work) -> Table:
    """Return one panel, a row an encoder."""
    return Table(CLUSTERING, "KeyVec, clustering by venue", CLUSTERING_PROTOCOL, [_clustering_panel(work)])


def _clustering_panel(work: Work) -> Panel:
    own = work.settings.keyvec
    settings = VenueSettings(own.papers, own.venues, own.draws)
    try:
        documents = read_documents(there(work.data / ACM / CORPUS))
        draws = draw_papers(documents, settings)
    except EngineError as error:
        return Panel.missing(ACM, "", CLUSTERING_COLUMNS, error)
    wanted = {name for draw in draws for name in draw.ids}
    drawn = [document for document in documents if document.id in wanted]
    without = left_out(own.leave_out, "")
    lines, skipped = each_line(own.rows, lambda row: _clustering_line(work, row, drawn, draws), without=without)
    facts = {**asdict(settings), "documents": len(drawn)}
    facts["sha256"] = {CORPUS: files.sha256_file(work.data / ACM / CORPUS)}
    facts["standard deviation"] = {line.name: line.facts["stdev"] for line in lines}
    orders = CLUSTERING_ROWS.orders(lines)
    return Panel(
        ACM, "", CLUSTERING_COLUMNS, lines, orders=orders, skipped=skipped, facts=facts, drawn=CLUSTERING_COLUMNS
    )


def _clustering_line(work: Work, row: str, drawn: Sequence[Document], draws: Sequence[VenueDraw]) -> Line:
    """Return one row's mean over the draws."""
    row = row_of(work, row)
    name = name_of(row)
    texts = files.fingerprint(*(part for one in drawn for part in (one.id, one.text)))
    papers = files.fingerprint(*(part for draw in draws for part in (f"{draw.seed}", *draw.ids)))
    key = {"row": name, "made_by": made_by(row), "texts": texts, "draws": papers}
    cell = work.cells.find(
        f"{CLUSTERING}-{name}", key, lambda: clustered(work, row, drawn, draws, keep=work.cache / texts)
    )
    facts = {"fingerprint": cell["fingerprint"], "stdev": cell["stdev"]}
    return Line(name, cell["figures"], beside=published.ROWS.get(name, ""), facts=facts)


def clustered(
    work: Work, row: str, drawn: Sequence[Document], draws: Sequence[VenueDraw], *, keep: Path
) -> dict[str, Any]:
    """Return one row's figures. Raises EvaluationError for a row that has no vectors to cluster."""
    corpus = work.cache / files.sha256_file(work.data / ACM / CORPUS)
    prepared = ROWS.prepare(row, drawn, keep=keep, among=corpus, report=work.report)
    if not isinstance(prepared.system, systems.Encoded):
        raise EvaluationError(f"Expected rows to cluster, got {row}, which only ranks. Leave it out of this table.")
    index = prepared.system.index
    scores = [score_clusters(index.rows(draw.ids), draw) for draw in draws]
    each = {name: [one[name] for one in scores] for name in CLUSTERING_COLUMNS}
    spread = {name: stdev(values) if len(values) > 1 else 0.0 for name, values in each.items()}
    figures = rounded({name: mean(values) for name, values in each.items()})
    return {"figures": figures, "stdev": rounded(spread), "fingerprint": prepared.fingerprint}
