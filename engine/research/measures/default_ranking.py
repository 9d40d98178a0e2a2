"""Whether the default beats what a user would pick instead: `python -m engine.research default_ranking --data DIR`.

DIR of --data holds the benchmarks. The default ranking, its encoder alone (--encoder names another than the default)
and the peers are measured on all queries of each benchmark. A paired randomisation test compares each of the two with
each peer; Holm's method corrects p over all tests in one metric. The weights of the ranking were chosen on valid
queries, which are among these; --queries test leaves them out.

--left-out names a report of `blend_weights`: each set is then asked with the weights of the blend, and of keywords
beside it, that the other sets' valid queries choose, so that these weights owe nothing to it. Passages that cite ask
like papers where no other set has any.

An encoder that takes an hour to read a set need not read it again. --kept names folders of reports that
`priorscope evaluate --by-query` saved as SET-NAME.json. A report's rows count if data, queries and fingerprint agree; a
report on all queries serves for some of them, and MiniLM's may come from another number format. Kept scores have four
decimals, so every score is compared at four.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, cast

from engine import encoders
from engine.cli.terminal import bar
from engine.core import files
from engine.documents import Document, Hit
from engine.encoders import minilm
from engine.encoders.blend import BlendEncoder
from engine.encoders.processor import PRECISIONS
from engine.evaluation import DEFAULT_ROW, Benchmark, Measured, fused_encoder, load_benchmark
from engine.evaluation.benchmarks import PARTS
from engine.evaluation.kept_rows import RowFolders, rows_in
from engine.evaluation.measure import PreparedSystem
from engine.evaluation.significance import Contrast, Corrected, contrast_as_json, contrast_runs, holm
from engine.evaluation.systems import AsSearched
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.measures import blend_weights
from engine.research.paper.work import made_by
from engine.search import Corpus, PassageEncoder, ranking_fingerprint
from engine.search.settings import RankingSettings

SETS = ("arxiv-subject", "patents-citation", "acm-citation", "cranfield", "cacm", "npl")
PEERS = ("bm25", "bm25-stems", "minilm")
LEFT_OUT = "default, weighed by other sets"
METRICS = ("nDCG@10", "R@100")
DIGITS = 4


@dataclass(frozen=True)
class Row:
    """A system's scores by query and metric, measured now or in the report `kept`."""

    fingerprint: str
    by_query: Mapping[str, Mapping[str, float]]
    kept: str = ""

    @classmethod
    def of(cls, measured: Measured) -> Self:
        """Return the scores of what was measured now."""
        return cls(measured.fingerprint, measured.by_query)

    def mean(self, metric: str) -> float:
        """Return the metric over all queries."""
        return sum(held[metric] for held in self.by_query.values()) / len(self.by_query)


def kept_row(path: Path, row: str, benchmark: Benchmark) -> Row | None:
    """Return a saved report's row, if it has the same data, queries and encoder, and each query's scores; else None."""
    if not path.is_file():
        return None
    report = files.read_json(path)
    held = report.get("encoders", {}).get(row, {})
    if report.get("sha256") != dict(benchmark.sha256) or "by_query" not in held:
        return None
    hidden = report["queries_own_works_hidden"], len(benchmark.own_works)
    is_alike = report["part"] == benchmark.part and hidden[0] == hidden[1]
    holds_all = report["part"] == "all" and hidden == (0, 0)  # a report without hidden documents serves any part
    if not (is_alike or holds_all) or held["fingerprint"] not in _made_by(row):
        return None
    asked = {query.id: held["by_query"].get(query.id) for query in benchmark.queries}
    return None if None in asked.values() else Row(held["fingerprint"], asked, path.name)


def _made_by(row: str) -> set[str]:
    """Return the fingerprints of a row's encoder: MiniLM has one in each number format, whose rows agree to 1e-2."""
    if row == minilm.MINILM:
        return {minilm.load(precision=precision).card.fingerprint for precision in PRECISIONS}
    if fused := fused_encoder(row):
        card, read_by = encoders.find(fused).card, ("", PassageEncoder.shipped_fingerprint())
        return {ranking_fingerprint(card, mixed=mixed, passages=one) for mixed in (False, True) for one in read_by}
    return {made_by(row)}


def _reports(folders: Sequence[Path], name: str) -> list[Path]:
    """Return the saved reports on a set."""
    return [path for folder in folders for path in sorted(folder.glob(f"{name}-*.json"))]


@dataclass(frozen=True)
class Reweighed:
    """A corpus ranked as a search ranks it, by other weights."""

    corpus: Corpus
    settings: RankingSettings

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first."""
        return self.corpus.rank(queries, k, settings=self.settings)


def reweighed(benchmark: Benchmark, choice: Mapping[str, float], cache: Path | None) -> Measured:
    """Return the default with the weights of a choice (`blend_weights.chosen_without`)."""
    started, keep = time.perf_counter(), None if cache is None else cache / benchmark.corpus_sha256
    shipped = ROWS.prepare(DEFAULT_ROW, benchmark.corpus, keep=keep, report=bar())
    corpus = cast(AsSearched, shipped.system).corpus
    encoder = cast(BlendEncoder, corpus.encoder)
    settings = replace(
        encoder.settings,
        weight=choice[blend_weights.PATENTS],
        short_weight=choice[blend_weights.QUESTIONS],
        passage_weight=choice.get(blend_weights.PASSAGES, choice[blend_weights.PAPERS]),
        paper_weight=choice[blend_weights.PAPERS],
    )
    other = BlendEncoder(encoders.load(settings.coupled), encoders.load(settings.general), settings)
    index = corpus.index
    if settings.weight != encoder.settings.weight:  # rows depend on it alone
        index, _ = rows_in(RowFolders(keep), other, benchmark.corpus, name=other.card.name, report=bar())
    weights = RankingSettings(keyword_weight=choice["keywords"])
    if blend_weights.PASSAGES not in choice:
        weights = replace(weights, passage_weight=choice["keywords"], citing_times=1, stemmed=False)
    system = Reweighed(replace(corpus, encoder=other, index=index), weights)
    fingerprint = files.fingerprint(other.card.fingerprint, repr(weights))
    return PreparedSystem(LEFT_OUT, system, fingerprint, None).measure(benchmark, started=started)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every set, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    if given.left_out is not None and given.encoder != encoders.DEFAULT:
        _parser().error(f"expected --left-out without --encoder: it weighs the parts of {encoders.DEFAULT}")
    is_usual = given.encoder == encoders.DEFAULT
    ours: tuple[str, ...] = (DEFAULT_ROW if is_usual else f"{DEFAULT_ROW}({given.encoder})", given.encoder)
    if given.left_out is not None:
        ours = (LEFT_OUT,)
    contrasts: dict[str, list[Contrast]] = {}
    facts: dict[str, Any] = {}
    for name in given.sets:
        benchmark = load_benchmark(given.data / name, part=given.queries)
        if given.hide_itself:
            benchmark = benchmark.without_own_works()
        rows: dict[str, Row] = {}
        if given.left_out is not None:
            choice = blend_weights.chosen_without(given.left_out, name)
            rows[LEFT_OUT] = Row.of(reweighed(benchmark, choice, given.cache))
        for row in (*ours, *given.peers):
            if row in rows:
                continue
            kept = (kept_row(path, row, benchmark) for path in _reports(given.kept, name))
            rows[row] = next(filter(None, kept), None) or Row.of(
                ROWS.measure(benchmark, row, cache=given.cache, report=bar())
            )
        contrasts[name] = _contrasts(rows, ours, given.peers)
        facts[name] = _facts(benchmark, rows) | ({} if given.left_out is None else {"choice": choice})
        print(name, {row: {metric: round(one.mean(metric), 3) for metric in METRICS} for row, one in rows.items()})
    verdicts = corrected(contrasts)
    circumstances = measurement.circumstances("default_ranking", _words(given))
    text = as_markdown(verdicts, circumstances)
    print(text)
    measurement.save(given.save, {**circumstances, "contrasts": verdicts, "sets": facts}, text)


def corrected(contrasts: Mapping[str, Sequence[Contrast]]) -> list[dict[str, Any]]:
    """Return every contrast as a JSON value with its set; p is corrected over those of one row in one metric."""
    every = [(name, one) for name, of_set in contrasts.items() for one in of_set]
    found = []
    for row, metric in dict.fromkeys((one.ours, one.metric) for _, one in every):
        held = [(name, one) for name, one in every if (one.ours, one.metric) == (row, metric)]
        for (name, one), p in zip(held, holm([one.p for _, one in held]), strict=True):
            found.append(
                {"set": name, "queries": one.wins + one.ties + one.losses, **contrast_as_json(Corrected(one, p))}
            )
    return found


def as_markdown(verdicts: Sequence[Mapping[str, Any]], facts: Mapping[str, object]) -> str:
    """Return a table a row of ours and metric, a line a set and peer, and the circumstances below."""
    lines = ["# The default against what a user would pick instead", ""]
    for row, metric in dict.fromkeys((one["ours"], one["metric"]) for one in verdicts):
        lines += [f"## {row}, {metric}", ""]
        held = [one for one in verdicts if (one["ours"], one["metric"]) == (row, metric)]
        lines += measurement.table(
            ("set", "queries", "against", row, "peer", "difference", "p", "verdict"), _cells(held)
        )
    return "\n".join([*lines, *measurement.as_list(facts), ""])


def _cells(held: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    return [
        [
            one["set"],
            str(one["queries"]),
            one["theirs"],
            *(f"{mean:.3f}" for mean in one["means"]),
            f"{one['interval'][0]:+.3f} to {one['interval'][1]:+.3f}",
            f"{one['p_holm']:.4f}",
            one["verdict"],
        ]
        for one in held
    ]


def _contrasts(rows: Mapping[str, Row], ours: Sequence[str], peers: Sequence[str]) -> list[Contrast]:
    def scores(row: str, metric: str) -> dict[str, float]:
        """Return scores rounded as in reports: a rounded score and an unrounded one would never tie."""
        return {query: round(held[metric], DIGITS) for query, held in rows[row].by_query.items()}

    return [
        contrast_runs(scores(row, metric), scores(peer, metric), names=(row, peer), metric=metric)
        for row in ours
        for metric in METRICS
        for peer in peers
    ]


def _facts(benchmark: Benchmark, rows: Mapping[str, Row]) -> dict[str, Any]:
    return {
        "queries": len(benchmark.queries),
        "documents": len(benchmark.corpus),
        "own_works_hidden": len(benchmark.own_works),
        "sha256": dict(benchmark.sha256),
        "fingerprints": {row: one.fingerprint for row, one in rows.items()},
        "kept": {row: one.kept for row, one in rows.items() if one.kept},
    }


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--encoder", given.encoder, "--queries", given.queries, "--sets", *given.sets]
    return [*words, "--peers", *given.peers, *(["--hide-itself"] if given.hide_itself else []), *_left_out(given)]


def _left_out(given: argparse.Namespace) -> list[str]:
    return [] if given.left_out is None else ["--left-out", given.left_out.name]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("default_ranking", __doc__, cache=True)
    parser.add_argument("--encoder", default=encoders.DEFAULT, help=f"by itself (default: {encoders.DEFAULT})")
    measurement.add_sets(parser, SETS)
    parser.add_argument("--peers", nargs="+", default=PEERS, metavar="ROW", help=f"default: {' '.join(PEERS)}")
    parser.add_argument("--queries", choices=PARTS, default="all", help="which queries to ask (default: all)")
    parser.add_argument("--hide-itself", action="store_true", help="leave a query's own works out of its rankings")
    parser.add_argument("--left-out", type=Path, metavar="FILE", help="a report of blend_weights: see above")
    parser.add_argument(
        "--kept", type=Path, nargs="+", default=[], metavar="DIR", help="reports, SET-NAME.json, to take scores from"
    )
    return parser
