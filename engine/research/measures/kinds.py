"""Whether papers and patents are better ranked apart and then joined: `python -m engine.research kinds --data DIR`.

DIR of --data holds the sets. The papers of --papers and the patents of each set of --patents form one corpus. A
document is relevant if it shares a topic (`SharedTopics`), whatever its kind. The default ranking ranks all as one
list, and each kind separately, joined by `engine.search.fusion.list_weights` at each of --sharpness
(0: both kinds count the same). Beside the metrics, the tables give how many of the first ten are of another kind than
the question, and below, how many of the relevant documents are. The means over the sets and over both kinds that ask
come last. Each table's p, which is not corrected, tells where a gain costs something.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from engine.cli.terminal import bar
from engine.core import files
from engine.documents import Document, Kind
from engine.documents.selections import ids_by_kind
from engine.documents.text import tokens
from engine.evaluation import Benchmark
from engine.evaluation.benchmarks import CORPUS, QueryPart, from_parts, read_documents
from engine.evaluation.measure import PreparedSystem, rank, score
from engine.evaluation.significance import randomisation_p
from engine.evaluation.systems import name_of
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.measures.fusion import TriedRanking
from engine.search.settings import RankingSettings

Phrase = tuple[str, ...]
_WORDS = range(2, 5)
_VALID_ONE_IN = 5


@dataclass(frozen=True, slots=True)
class TopicSettings:
    """How many papers carry a topic, at most how many patents; other papers beside; at most how many ask of a kind."""

    fewest_papers: int = 3
    most_papers: int = 60
    most_patents: int = 60
    others: int = 6_000
    asked: int = 1_000
    seed: int = 1


@dataclass(frozen=True, slots=True)
class SharedTopics:
    """One corpus of both kinds, and of each document that has one its topics.

    No set judges papers against patents. A keyword of two to four words is a topic if several papers carry it and a
    patent's title contains it word for word. A work is relevant to every work that shares a topic, of either kind.
    """

    corpus: Sequence[Document]
    topics: Mapping[str, frozenset[Phrase]]

    @classmethod
    def of(cls, papers: Sequence[Document], patents: Sequence[Document], settings: TopicSettings) -> SharedTopics:
        """Find the topics of both; papers without one are drawn, patents without one all stay."""
        carried = _within(_keywords(papers), settings.fewest_papers, settings.most_papers)
        titled = _within(_titled(patents, carried), 1, settings.most_patents)
        topics: defaultdict[str, set[Phrase]] = defaultdict(set)
        for phrase, ids in titled.items():
            for name in (*ids, *carried[phrase]):
                topics[name].add(phrase)
        rest = [one for one in papers if one.keywords and one.id not in topics]
        drawn = random.Random(settings.seed).sample(rest, min(settings.others, len(rest)))
        corpus = [*(one for one in papers if one.id in topics), *drawn, *patents]
        return cls(corpus, {name: frozenset(found) for name, found in topics.items()})

    def benchmark(self, kind: Kind, part: QueryPart, settings: TopicSettings) -> Benchmark:
        """Return documents of a kind that ask, and as relevant what shares a topic, another version of it aside.

        Raises EvaluationError if none of them has a relevant document.
        """
        having = [one for one in self.corpus if one.kind == kind and one.id in self.topics]
        asked = [one for one in having if part == "all" or (part == "valid") == _is_valid(one.id)]
        queries = random.Random(settings.seed).sample(asked, min(settings.asked, len(asked)))
        members: defaultdict[Phrase, list[Document]] = defaultdict(list)
        for one in self.corpus:
            for phrase in self.topics.get(one.id, ()):
                members[phrase].append(one)
        qrels = {
            query.id: {
                one.id: 1
                for phrase in self.topics[query.id]
                for one in members[phrase]
                if one.id != query.id and not (query.family and one.family == query.family)
            }
            for query in queries
        }
        return from_parts(f"{kind}s", self.corpus, queries, qrels, part=part)


def _is_valid(name: str) -> bool:
    return files.spread(name, _VALID_ONE_IN) == 0


def _keywords(papers: Sequence[Document]) -> dict[Phrase, set[str]]:
    """Return the papers that carry each keyword of several words."""
    found: defaultdict[Phrase, set[str]] = defaultdict(set)
    for one in papers:
        for keyword in one.keywords:
            phrase = tuple(tokens(keyword))
            if len(phrase) in _WORDS:
                found[phrase].add(one.id)
    return found


def _titled(patents: Sequence[Document], phrases: Mapping[Phrase, object]) -> dict[Phrase, set[str]]:
    """Return the patents that have each phrase in their titles."""
    found: defaultdict[Phrase, set[str]] = defaultdict(set)
    for one in patents:
        words = tokens(one.title)
        for size in _WORDS:
            for first in range(len(words) - size + 1):
                phrase = tuple(words[first : first + size])
                if phrase in phrases:
                    found[phrase].add(one.id)
    return found


def _within(held: Mapping[Phrase, set[str]], fewest: int, most: int) -> dict[Phrase, set[str]]:
    return {phrase: ids for phrase, ids in held.items() if fewest <= len(ids) <= most}


METRICS = ("nDCG@10", "R@100")
KINDS: tuple[Kind, ...] = ("patent", "paper")
SHARPNESS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
ONE_LIST = "one list"
_FIRST = 10

Figures = dict[str, dict[str, Any]]
"""By what asks in which set: by ranking the metrics, the share of the other kind, and p against one list."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every ranking on every set; print the table and save it."""
    given = measurement.read_options(_parser(), arguments)
    papers = read_documents(given.data / given.papers / CORPUS)
    settings = TopicSettings(others=given.others, asked=given.most)
    figures: Figures = {}
    facts: dict[str, Any] = {}
    for name in given.patents:
        shared = SharedTopics.of(papers, read_documents(given.data / name / CORPUS), settings)
        asked = [shared.benchmark(kind, given.queries, settings) for kind in KINDS]
        rankings, fingerprint = _rankings(given, shared.corpus, asked[0])
        for benchmark in asked:
            figures[f"{benchmark.name} of {given.papers} and {name}"] = _measured(benchmark, rankings)
        facts[name] = {
            "documents": len(shared.corpus),
            "topics": len(frozenset().union(*shared.topics.values())),
            "queries": {one.name: len(one.queries) for one in asked},
            "sha256": {one: files.sha256_file(given.data / one / CORPUS) for one in (given.papers, name)},
            "fingerprint": fingerprint,
        }
        print(name, "measured", flush=True)
    circumstances = measurement.circumstances("kinds", _words(given))
    text = as_markdown(figures, given.queries, {**facts, **circumstances})
    print(text)
    report = {**circumstances, "settings": asdict(settings), "part": given.queries, "sets": facts}
    measurement.save(given.save, {**report, "figures": figures}, text)


def _rankings(
    given: argparse.Namespace, corpus: Sequence[Document], benchmark: Benchmark
) -> tuple[dict[str, TriedRanking], str]:
    """Return what is measured, by name, and what names the encoder."""
    keep = None if given.cache is None else given.cache / benchmark.corpus_sha256
    held, keywords = ROWS.prepare(given.encoder, corpus, keep=keep, report=bar()), KeywordIndex.in_memory(corpus)
    one = TriedRanking(held.system, keywords, RankingSettings())  # type: ignore[arg-type]  # rows of an encoder
    apart = {
        f"apart, sharpness {sharpness:g}": replace(
            one, settings=RankingSettings(sharpness=sharpness), kinds=ids_by_kind(corpus)
        )
        for sharpness in given.sharpness
    }
    return {ONE_LIST: one, **apart}, held.fingerprint


def _measured(benchmark: Benchmark, rankings: Mapping[str, TriedRanking]) -> dict[str, Any]:
    """Return every ranking's figures, and how many of the relevant documents are of the other kind, on average."""
    kind = benchmark.queries[0].kind
    others = {one.id for one in benchmark.corpus if one.kind != kind}
    found: dict[str, Any] = {"relevant": _share(benchmark.qrels, others)}
    base: dict[str, list[float]] = {}
    for name, ranking in rankings.items():
        run = rank(benchmark, PreparedSystem(name, ranking, "", None))
        over_all, by_query = score(run, benchmark)
        scores = {metric: [by_query[query][metric] for query in run] for metric in METRICS}
        base = base or scores
        found[name] = {
            **{metric: round(over_all[metric], 4) for metric in METRICS},
            "other kind": _share({query: ids[:_FIRST] for query, ids in run.items()}, others),
            "p": {metric: round(randomisation_p(scores[metric], base[metric]), 4) for metric in METRICS},
        }
    return found


def _share(found: Mapping[str, Sequence[str] | Mapping[str, int]], others: set[str]) -> float:
    return round(float(np.mean([np.mean([one in others for one in ids]) for ids in found.values() if ids])), 3)


def as_markdown(figures: Figures, part: QueryPart, facts: Mapping[str, object]) -> str:
    """Return a table an asker and set, a line a ranking, then the means that decide; the circumstances below."""
    lines = ["# Papers and patents in one list", ""]
    for name, found in figures.items():
        lines += [f"## {name}, {part} queries", ""]
        heads = ("ranking", *METRICS, f"of the other kind among {_FIRST}", *(f"p of {metric}" for metric in METRICS))
        rows = [
            [
                ranking,
                *(f"{one[metric]:.4f}" for metric in METRICS),
                f"{one['other kind']:.3f}",
                *("" if ranking == ONE_LIST else f"{one['p'][metric]:.4f}" for metric in METRICS),
            ]
            for ranking, one in found.items()
            if ranking != "relevant"
        ]
        lines += [
            *measurement.table(heads, rows),
            f"Of the relevant, {found['relevant']:.3f} are of the other kind.",
            "",
        ]
    rankings = [name for name in next(iter(figures.values())) if name != "relevant"]
    means = [[name, *(f"{_mean(figures, name, metric):.4f}" for metric in METRICS)] for name in rankings]
    lines += ["## Means of the above", "", *measurement.table(("ranking", *METRICS), means)]
    return "\n".join([*lines, *measurement.as_list(facts), ""])


def _mean(figures: Figures, ranking: str, metric: str) -> float:
    return float(np.mean([found[ranking][metric] for found in figures.values()]))


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--papers", given.papers, "--patents", *given.patents, "--queries", given.queries]
    numbers = ["--others", str(given.others), "--most", str(given.most)]
    return [*words, "--encoder", name_of(given.encoder), *numbers, "--sharpness", *map(str, given.sharpness)]


def _parser() -> argparse.ArgumentParser:
    parser = measurement.make_parser("kinds", __doc__, cache=True)
    parser.add_argument("--papers", default="acm-citation", metavar="SET", help="papers with keywords")
    parser.add_argument("--patents", nargs="+", default=["patents-long", "patents-citation"], metavar="SET")
    parser.add_argument("--encoder", default="blend", metavar="NAME[=FOLDER]", help="a name or a folder")
    parser.add_argument("--queries", choices=("valid", "test", "all"), default="valid", help="default: valid")
    parser.add_argument("--sharpness", nargs="+", type=float, default=SHARPNESS, metavar="POWER")
    parser.add_argument("--others", type=int, default=6_000, metavar="N", help="papers without a topic beside")
    parser.add_argument("--most", type=int, default=1_000, metavar="N", help="at most N documents of each kind ask")
    return parser
