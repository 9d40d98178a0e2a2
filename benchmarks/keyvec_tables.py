"""KeyVec's two tables on rebuilt data: `python -m benchmarks.keyvec_tables --data DIR --encoders NAME[=FOLDER],...`.

DIR of --data holds arxiv-subject and acm-citation.

Retrieval by a field's description. The paper asks with 70 pages of an encyclopaedia, one a field of study, among 669
papers. Here a field is an arXiv category or an ACM author's key word, and up to ten held-out documents that carry it
describe it: their titles, then the first sentence of each abstract; those that carry fewest other fields first, of
equals by chance with a fixed seed. A field needs five held-out documents and twenty of the pool; the 70 with most
held-out documents are asked for. A document of the pool is relevant that carries the field. Of arxiv-subject the
pool is the whole corpus (1991 to 2015), the held-out documents are its queries (2016 on), which nothing trains on. Of
acm-citation the pool is drawn, --pool documents with key words, and held out is every tenth document with key words by
its id's sha1; our encoders read that corpus in training without its key words, and authors give few key words, so that
its figures are lower bounds. Encoders that learn from a corpus learn from the pool alone.

Clustering by venue. Ten draws of 850 ACM papers of 186 venues, as many papers of each as of any other or one more; a
year's meeting is a venue, two years of one series only where series run out. k-means, k = 186, on rows at unit length,
the best of three starts. Encoders that learn from a corpus learn from the papers of all draws.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.writing import as_list, circumstances, save, table
from engine import files
from engine.cli.terminal import bar
from engine.documents import Document
from engine.errors import EvaluationError
from engine.evaluation.benchmarks import CORPUS, QUERIES, read_documents
from engine.evaluation.fields import FieldSettings, FieldTask, field_task, score_fields
from engine.evaluation.metrics import KEYVEC
from engine.evaluation.report import check_place
from engine.evaluation.systems import Encoded, name_of, prepare, rows_of, without_place
from engine.evaluation.venues import VenueDraw, VenueSettings, draw_papers, score_clusters

ARXIV, ACM = "arxiv-subject", "acm-citation"
FIELDS_ARXIV, FIELDS_ACM, VENUES = "fields-arxiv", "fields-acm", "venues"
CLUSTER_COLUMNS = ("F1", "V-measure", "ARI")
_HELD_OUT_ONE_IN = 10


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row in every table asked for, print the tables and save them after each."""
    given = _parser().parse_args(arguments)
    rows = rows_of(given.encoders)
    check_place(given.save)
    report: dict[str, Any] = {"tables": {}, **circumstances("keyvec_tables", _command(given, rows))}
    makers: Mapping[str, Callable[[], dict[str, Any]]] = {
        FIELDS_ARXIV: lambda: fields_table(arxiv_fields(given), rows, _kept(given, ARXIV)),
        FIELDS_ACM: lambda: fields_table(acm_fields(given), rows, _kept(given, "")),
        VENUES: lambda: venues_table(given, rows),
    }
    for name in given.tables:
        data = given.data / (ARXIV if name == FIELDS_ARXIV else ACM)
        used = (CORPUS, QUERIES) if name == FIELDS_ARXIV else (CORPUS,)
        sha256 = {file: files.sha256_file(data / file) for file in used}
        report["tables"][name] = {"data": data.name, "sha256": sha256, **makers[name]()}
        save(given.save, report, as_markdown(report))
    print(as_markdown(report))


def arxiv_fields(given: argparse.Namespace) -> FieldTask:
    """The categories of arxiv-subject, described by its queries."""
    pool, held_out = (read_documents(given.data / ARXIV / name) for name in (CORPUS, QUERIES))
    return field_task(pool, held_out, lambda document: document.categories, _settings(given))


def acm_fields(given: argparse.Namespace) -> FieldTask:
    """The authors' key words of acm-citation, described by every tenth document, sought in a pool of the others."""
    worded = [document for document in read_documents(given.data / ACM / CORPUS) if document.keywords]
    held_out = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) == 0]
    others = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) != 0]
    pool = random.Random(given.seed).sample(others, min(given.pool, len(others)))
    return field_task(pool, held_out, lambda document: [word.lower() for word in document.keywords], _settings(given))


def fields_table(task: FieldTask, rows: Sequence[str], keep: Path | None) -> dict[str, Any]:
    """P@10, MAP and MRR of every row."""
    encoders = {}
    for row in rows:
        prepared = prepare(row, task.pool, keep=_of_documents(keep, task.pool), report=bar())
        over_all, by_field = score_fields(task, prepared.system)
        encoders[prepared.name] = {
            "fingerprint": prepared.fingerprint,
            **_rounded(over_all),
            "by_field": {field: _rounded(scores) for field, scores in by_field.items()},
        }
    relevant = {field: len(ids) for field, ids in task.relevant.items()}
    return {"documents": len(task.pool), "relevant": relevant, "described_by": task.described_by, "encoders": encoders}


def venues_table(given: argparse.Namespace, rows: Sequence[str]) -> dict[str, Any]:
    """F1, V-measure and ARI of every row, mean and standard deviation over the draws."""
    settings = VenueSettings(given.papers, given.venues, given.draws)
    documents = read_documents(given.data / ACM / CORPUS)
    draws = draw_papers(documents, settings)
    wanted = {name for draw in draws for name in draw.ids}
    drawn = [document for document in documents if document.id in wanted]
    encoders = {name_of(row): clustered(row, drawn, draws, keep=_kept(given, "")) for row in rows}
    return {"documents": len(drawn), "settings": asdict(settings), "encoders": encoders}


def clustered(row: str, drawn: Sequence[Document], draws: Sequence[VenueDraw], *, keep: Path | None) -> dict[str, Any]:
    """One row's figures. Raises EvaluationError for a row that has no vectors to cluster."""
    prepared = prepare(row, drawn, keep=_of_documents(keep, drawn), report=bar())
    if not isinstance(prepared.system, Encoded):
        raise EvaluationError(f"Expected rows to cluster, got {row}, which only ranks. Leave it out of this table.")
    index = prepared.system.index
    scores = [score_clusters(index.rows(draw.ids), draw) for draw in draws]
    each = {name: [one[name] for one in scores] for name in CLUSTER_COLUMNS}
    spread = {name: stdev(values) if len(values) > 1 else 0.0 for name, values in each.items()}
    by_draw = [_rounded(one) for one in scores]
    means = _rounded({name: mean(values) for name, values in each.items()})
    return {"fingerprint": prepared.fingerprint, "mean": means, "stdev": _rounded(spread), "by_draw": by_draw}


def as_markdown(report: Mapping[str, Any]) -> str:
    """Both tables with how they were made, and the circumstances."""
    lines = ["# KeyVec's tables on rebuilt data", ""]
    for name, made in report["tables"].items():
        lines += (_venue_lines if name == VENUES else _field_lines)(made)
        prints = ", ".join(f"{row} {one['fingerprint']}" for row, one in made["encoders"].items())
        lines += [*as_list({"sha256": made["sha256"], "fingerprints": prints}), ""]
    protocol = str(__doc__).split("\n\n", 2)[2].strip()
    facts = as_list({name: report[name] for name in ("command", "commit", "hardware")})
    return "\n".join([*lines, "## Protocol", "", protocol, "", *facts, ""])


def _field_lines(made: Mapping[str, Any]) -> list[str]:
    fields, pool = len(made["relevant"]), made["documents"]
    rows = [[row, *(f"{one[name]:.4f}" for name in KEYVEC)] for row, one in made["encoders"].items()]
    head = f"## Retrieval by a field's description: {made['data']}, {fields} fields, {pool:,} documents"
    return [head, "", *table(["", *KEYVEC], rows)]


def _venue_lines(made: Mapping[str, Any]) -> list[str]:
    settings = made["settings"]
    rows = [
        [row, *(f"{one['mean'][name]:.4f} ± {one['stdev'][name]:.4f}" for name in CLUSTER_COLUMNS)]
        for row, one in made["encoders"].items()
    ]
    head = "## Clustering by venue: {papers} papers of {venues} venues, mean ± standard deviation of {draws} draws"
    return [head.format(**settings), "", *table(["", *CLUSTER_COLUMNS], rows)]


def _settings(given: argparse.Namespace) -> FieldSettings:
    return FieldSettings(fewest_held_out=given.fewest_held_out, fewest_relevant=given.fewest_relevant, seed=given.seed)


def _kept(given: argparse.Namespace, whole_corpus: str) -> Path | None:
    """Where rows are kept: those of a whole corpus as `priorscope evaluate --cache` keeps them."""
    if given.cache is None or not whole_corpus:
        return given.cache
    kept: Path = given.cache / files.sha256_file(given.data / whole_corpus / CORPUS)
    return kept


def _of_documents(keep: Path | None, documents: Sequence[Document]) -> Path | None:
    """A folder for the rows of just these documents, where `keep` is not yet one corpus's own."""
    if keep is None or len(keep.name) == 64:
        return keep
    return keep / files.fingerprint(*(document.id for document in documents))


def _rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in scores.items()}


def _command(given: argparse.Namespace, rows: Sequence[str]) -> list[str]:
    names = ("pool", "fewest-held-out", "fewest-relevant", "papers", "venues", "draws", "seed")
    options = [word for name in names for word in (f"--{name}", str(getattr(given, name.replace("-", "_"))))]
    encoders = ",".join(map(without_place, rows))
    return ["--data", "DIR", "--encoders", encoders, "--tables", *given.tables, *options]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    every = [FIELDS_ARXIV, FIELDS_ACM, VENUES]
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a set")
    parser.add_argument("--encoders", required=True, metavar="NAMES", help="as in `priorscope evaluate`, with commas")
    parser.add_argument("--tables", nargs="+", choices=every, default=every)
    parser.add_argument("--pool", type=int, default=20_000, help="ACM documents to search (default: 20000)")
    parser.add_argument("--fewest-held-out", type=int, default=FieldSettings().fewest_held_out, metavar="N")
    parser.add_argument("--fewest-relevant", type=int, default=FieldSettings().fewest_relevant, metavar="N")
    parser.add_argument("--papers", type=int, default=VenueSettings().papers, help="of a draw (default: 850)")
    parser.add_argument("--venues", type=int, default=VenueSettings().venues, help="of a draw (default: 186)")
    parser.add_argument("--draws", type=int, default=VenueSettings().draws, help="(default: 10)")
    parser.add_argument("--seed", type=int, default=FieldSettings().seed)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the rows of each encoder and corpus here")
    parser.add_argument("--save", type=Path, default=Path("benchmarks/reports/keyvec-tables.json"))
    return parser


if __name__ == "__main__":
    main()
