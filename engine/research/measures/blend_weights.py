"""How much CTPE counts in the blend, and the keywords beside it: `python -m engine.research blend_weights --data DIR`.

DIR of --data holds the benchmarks; only valid queries are read. A set of pairs has its related documents ask for each
other by title and abstract, those that have one. --documents cuts each corpus to the documents that are relevant to
them and others drawn at random. Both encoders' similarities are added with each weight of the coupled one, separately
for patents, papers, short questions and citing passages, alone and fused with the keywords at each of their weights.
The mean nDCG@10 over the sets decides; for passages, it is the mean with the keywords at their weight for passages. A
set of passages also asks without titles, as a person pastes a passage. A weight that is chosen on a set is not measured
on it: a table says what each set has with the weight that the others choose. --write FOLDER writes the blend of the
best weights there, or of --weights; the weights of the keywords are in `engine.encoders.registry`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cli.terminal import bar
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.documents import Document, Hit
from engine.documents.questions import SHORT_BELOW_TOKENS, is_citing_passage, is_short
from engine.encoders import Encoder, registry
from engine.encoders.blend import BlendEncoder
from engine.encoders.blend_settings import NAME, BlendSettings, name_of
from engine.evaluation import Benchmark, load_benchmark, systems
from engine.evaluation.benchmarks import QUERIES as QUERIES_FILE
from engine.evaluation.measure import PreparedSystem, rank, score
from engine.evaluation.systems import Encoded
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.matching.pair_set import load_pair_set
from engine.research.measures.full_texts import mixed_benchmark
from engine.research.measures.fusion import SETS as BENCHMARKS
from engine.research.measures.fusion import Fusion
from engine.training.long_corpus import PAIRS
from engine.vectors import VectorIndex

_SEED = 0


def smaller(benchmark: Benchmark, most: int) -> Benchmark:
    """Return the benchmark over at most `most` documents, or over all relevant ones if they are more.

    Documents relevant to any of these queries stay; some of the others are drawn, in their order. 0 keeps all.
    """
    if not most or len(benchmark.corpus) <= most:
        return benchmark
    relevant = {name for judged in benchmark.qrels.values() for name, gain in judged.items() if gain > 0}
    is_kept = np.array([document.id in relevant for document in benchmark.corpus])
    others = np.random.default_rng(_SEED).permutation(np.flatnonzero(~is_kept))
    is_kept[others[: max(0, most - int(is_kept.sum()))]] = True
    kept = [document for document, held in zip(benchmark.corpus, is_kept, strict=True) if held]
    return replace(benchmark, corpus=kept)


SETS = (*BENCHMARKS, "acl-long", "pmc-long", "patents-long")
WEIGHTS = (0.0, 0.125, 0.25, 0.5, 1.0, 1.5, 2.0)
KEYWORDS = (0.25, 0.5, 0.75, 1.0, 1.5)
KINDS = PATENTS, QUESTIONS, PASSAGES, PAPERS = ("patents", "questions", "passages", "papers")
METRICS = ("nDCG@10", "R@100")
_BARE = " without titles"
ALONE = "alone"
_FEWEST = 5  # queries of a kind in a set that is read for it
_ROWS_AT_ONCE = 4_096

Scores = Sequence[float]
"""Of each metric one."""

Figures = dict[str, dict[float, dict[str, Scores]]]
"""The scores by the keywords' weight, then by the coupled encoder's, then by set."""


@dataclass(frozen=True)
class Weighed:
    """Ranks a corpus by the sum of two similarities (q, n), the first times a weight."""

    ids: Sequence[str]
    coupled: NDArray[np.float32]
    general: NDArray[np.float32]
    weight: float

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first; the queries that the similarities are of."""
        del queries
        found = []
        for row in self.weight * self.coupled + self.general:
            best = np.argsort(-row, kind="stable")[:k]
            found.append([Hit(self.ids[place], float(row[place])) for place in best])
        return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every weight on every set, print and save the tables, and write the blend where asked."""
    given = measurement.read_options(_parser(), arguments)
    if given.weights is not None and given.write is None:
        _parser().error("expected --write FOLDER beside --weights")
    if given.weights is not None:
        _write(given, dict(zip(KINDS, given.weights, strict=True)), chosen_by="given")
        return
    figures: dict[str, Figures] = {kind: {} for kind in KINDS}
    facts: dict[str, Any] = {}
    for name in given.sets:
        whole = _benchmark(given.data / name)
        benchmark = smaller(whole, given.documents)
        cache = given.cache if benchmark is whole else None
        rows = [_prepared(row, benchmark, cache) for row in (given.coupled, given.general)]
        for form in _forms(benchmark):
            _measure(form, rows, figures, below=given.short_below)
        facts[name] = {
            "queries": len(benchmark.queries),
            "documents": len(benchmark.corpus),
            "sha256": dict(benchmark.sha256),
        }
        print(name, "measured", flush=True)
    choice = chosen(figures, blend=name_of(systems.name_of(given.general)))
    circumstances = measurement.circumstances("blend_weights", _words(given))
    text = as_markdown(figures, choice, circumstances)
    print(text)
    measurement.save(given.save, {**circumstances, "choice": choice, "figures": figures, "sets": facts}, text)
    if given.write is not None:
        _write(given, choice, chosen_by="by python -m engine.research blend_weights on valid queries")


def chosen(figures: Mapping[str, Figures], *, blend: str = NAME) -> dict[str, float]:
    """Return the keywords' weight with the best mean, and for it the coupled encoder's for documents and for questions.

    For passages it is the best beside the keywords at the weight that they have in passages with this blend.
    """
    best = {
        keywords: {kind: max(of[keywords], key=lambda weight: _mean(of[keywords][weight])) for kind, of in both.items()}
        for both in ({kind: of for kind, of in figures.items() if of and kind != PASSAGES},)
        for keywords in next(iter(both.values()))
        if keywords != ALONE
    }
    keywords = max(best, key=lambda one: sum(_mean(figures[kind][one][best[one][kind]]) for kind in best[one]))
    choice = {"keywords": float(keywords), **best[keywords]}
    if passages := figures.get(PASSAGES):
        of = passages[f"{registry.ENTRIES[blend].passage_weight}"]
        choice[PASSAGES] = max(of, key=lambda weight: _mean(of[weight]))
    return choice


def chosen_without(report: Path, name: str) -> dict[str, float]:
    """Return what the sets of a saved report but one choose; nothing for passages where no other set has any.

    Raises EvaluationError where the report is of no other set.
    """
    figures: dict[str, Figures] = {}
    for kind, of in files.read_json(report)["figures"].items():
        for keywords, weights in of.items():
            for weight, scores in weights.items():
                others = {one: of_set for one, of_set in scores.items() if one.removesuffix(_BARE) != name}
                if others:
                    figures.setdefault(kind, {}).setdefault(keywords, {})[float(weight)] = others
    if not {PAPERS, PATENTS, QUESTIONS} <= figures.keys():
        raise EvaluationError(
            f"Expected in {report.name} patents, questions and papers of other sets than {name}, got "
            f"{', '.join(figures) or 'none'}. Measure more sets."
        )
    return chosen(figures)


def left_out(of: Mapping[float, Mapping[str, Scores]]) -> list[tuple[str, str, float, float, float, float]]:
    """Return, by set and metric, the weight that the other sets choose, the set's score by it, and its own best."""
    found = []
    sets = list(next(iter(of.values())))
    for name in sets if len(sets) > 1 else ():
        for place, metric in enumerate(METRICS):
            others = {
                weight: _mean({one: scores for one, scores in some.items() if one != name}, place)
                for weight, some in of.items()
            }
            theirs = max(others, key=lambda weight: others[weight])
            own = max(of, key=lambda weight: of[weight][name][place])
            found.append((name, metric, theirs, of[theirs][name][place], own, of[own][name][place]))
    return found


def as_markdown(figures: Mapping[str, Figures], choice: Mapping[str, float], facts: Mapping[str, object]) -> str:
    """Return a table a kind of query: the means over sets by both weights, and each set by the others' weight."""
    lines = ["# The weights of the blend", "", f"{' / '.join(METRICS)}, valid queries, mean over sets.", ""]
    for kind, of in figures.items():
        if not of:
            continue
        sets = list(next(iter(next(iter(of.values())).values())))
        lines += [f"## {kind}: {', '.join(sets)}", ""]
        heads = ("CTPE's weight", *(f"keywords {one}" if one != ALONE else "no keywords" for one in of))
        weights = next(iter(of.values()))
        cells = [[f"{weight:g}", *(_said(of[one][weight]) for one in of)] for weight in weights]
        lines += measurement.table(heads, cells)
        beside = f"{registry.ENTRIES[NAME].passage_weight}" if kind == PASSAGES else f"{choice['keywords']}"
        rows = [
            [name, metric, f"{theirs:g}", f"{score:.4f}", f"{own:g}", f"{best:.4f}"]
            for name, metric, theirs, score, own, best in left_out(of[beside])
        ]
        if rows:
            told = ("set", "metric", "weight that the others choose", "with it", "its own best weight", "with that")
            lines += [f"Keywords at {beside}, each set left out:", "", *measurement.table(told, rows)]
    return "\n".join([*lines, *measurement.as_list({"chosen": dict(choice), **facts}), ""])


def _said(of_sets: Mapping[str, Scores]) -> str:
    return " / ".join(f"{_mean(of_sets, place):.4f}" for place in range(len(METRICS)))


def _benchmark(folder: Path) -> Benchmark:
    """Return the valid queries of a benchmark; of a set of pairs, the titles and abstracts of related documents."""
    if (folder / QUERIES_FILE).is_file() or not (folder / PAIRS).is_file():
        return load_benchmark(folder, part="valid")
    found = mixed_benchmark(load_pair_set(folder, form=None), 0.0, 1, "valid").benchmark
    queries = [replace(query, sections=(), claims=()) for query in found.queries]
    asking = [query for query in queries if not is_short(query)]  # the others are titles without an abstract
    return replace(found, queries=asking, qrels={query.id: found.qrels[query.id] for query in asking})


def _forms(benchmark: Benchmark) -> list[Benchmark]:
    """Return the benchmark, and the passages among its queries without their titles where it has any."""
    bare = [replace(query, title="") for query in benchmark.queries if is_citing_passage(query)]
    if len(bare) < _FEWEST:
        return [benchmark]
    qrels = {query.id: benchmark.qrels[query.id] for query in bare}
    return [benchmark, replace(benchmark, name=benchmark.name + _BARE, queries=bare, qrels=qrels)]


def _measure(
    benchmark: Benchmark, rows: Sequence[PreparedSystem], figures: Mapping[str, Figures], *, below: int
) -> None:
    """Add a set's figures, of each kind of its queries."""
    coupled, general = (similarities(row, benchmark) for row in rows)
    keywords = ROWS.prepare(systems.KEYWORDS_ROW, benchmark.corpus)
    kinds = {query.id: _kind(query, below) for query in benchmark.queries}
    ids = [document.id for document in benchmark.corpus]
    for weight in WEIGHTS:
        weighed = Weighed(ids, coupled, general, weight)
        fusion = Fusion(weighed, keywords.system)
        for name in (ALONE, *map(str, KEYWORDS)):
            if name != ALONE:
                fusion.weight = float(name)
            run = rank(benchmark, PreparedSystem(name, weighed if name == ALONE else fusion, "", None))
            by_query = score(run, benchmark)[1]
            for kind in KINDS:
                scores = [one for query, one in by_query.items() if kinds[query] == kind]
                if len(scores) >= _FEWEST and (weight or kind != PATENTS):  # a blend without its first part is none
                    means = [round(sum(one[metric] for one in scores) / len(scores), 4) for metric in METRICS]
                    figures[kind].setdefault(name, {}).setdefault(weight, {})[benchmark.name] = means


def _kind(query: Document, below: int) -> str:
    if is_short(query, below_tokens=below):
        return QUESTIONS
    if query.kind == "patent":
        return PATENTS
    return PASSAGES if is_citing_passage(query) else PAPERS


def similarities(row: PreparedSystem, benchmark: Benchmark) -> NDArray[np.float32]:
    """Return the similarity of every query with every document of the corpus: (q, n)."""
    encoder, index = _parts(row)
    asked = np.asarray(encoder.encode_queries(benchmark.queries))
    ids = [document.id for document in benchmark.corpus]
    blocks = [ids[first : first + _ROWS_AT_ONCE] for first in range(0, len(ids), _ROWS_AT_ONCE)]
    return np.concatenate([asked @ np.asarray(index.rows(block)).T for block in blocks], axis=1)


def _parts(row: PreparedSystem) -> tuple[Encoder, VectorIndex]:
    system = row.system
    if not isinstance(system, Encoded):
        raise TypeError(f"expected the row of an encoder, got {row.name}")
    return system.encoder, system.index


def _prepared(row: str, benchmark: Benchmark, cache: Path | None) -> PreparedSystem:
    keep = None if cache is None else cache / benchmark.corpus_sha256
    return ROWS.prepare(row, benchmark.corpus, keep=keep, report=bar())


def _write(given: argparse.Namespace, choice: Mapping[str, float], *, chosen_by: str) -> None:
    """Write the blend of these weights; its two encoders lie beside its folder."""
    settings = BlendSettings(
        coupled=systems.name_of(given.coupled),
        general=systems.name_of(given.general),
        weight=choice[PATENTS],
        short_weight=choice[QUESTIONS],
        short_below_tokens=given.short_below,
        passage_weight=choice.get(PASSAGES),
        paper_weight=choice.get(PAPERS),
    )
    facts = {
        "parts": f"{settings.coupled} and {settings.general}",
        "chosen": chosen_by,
        "commit": provenance.commit(),
        "hardware": provenance.hardware(),
    }
    parts = [ROWS.trained_encoder(row) for row in (given.coupled, given.general)]
    BlendEncoder(parts[0], parts[1], settings, facts=facts).save_beside(given.write)


def _mean(of_sets: Mapping[str, Scores], place: int = 0) -> float:
    """Return the mean over sets of one metric, the first unless told."""
    return sum(scores[place] for scores in of_sets.values()) / len(of_sets)


def _words(given: argparse.Namespace) -> list[str]:
    parts = [
        f"--coupled={systems.without_place(given.coupled)}",
        f"--general={systems.without_place(given.general)}",
    ]
    words = ["--data", "DIR", "--sets", *given.sets, *parts, "--short-below", str(given.short_below)]
    return [*words, *(["--documents", str(given.documents)] if given.documents else [])]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("blend_weights", __doc__, cache=True)
    measurement.add_sets(parser, SETS)
    parser.add_argument("--coupled", default="ctpe", metavar="ROW", help="the coupled encoder (default: ctpe)")
    parser.add_argument("--general", default="student", metavar="ROW", help="the general encoder (default: student)")
    parser.add_argument(
        "--short-below", type=int, default=SHORT_BELOW_TOKENS, metavar="N", help="tokens of a whole document"
    )
    parser.add_argument(
        "--weights",
        nargs=len(KINDS),
        type=float,
        metavar="W",
        help=f"write these, measure nothing: {', '.join(KINDS)}",
    )
    parser.add_argument("--documents", type=int, default=0, metavar="N", help="of a set (default: 0, all)")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write the blend here")
    return parser
