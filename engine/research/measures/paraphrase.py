"""Sentences that cite a work ask for it: `python -m engine.research paraphrase --data DIR`.

DIR of --data holds acl-long with its citations.tsv. A question is a sentence that cites a paper of the set
(`engine.research.salience.texts.links`), one for each pair of papers, drawn by a seed; what it cites is relevant. All
marks of citation are taken out of it, the names of the authors of what it cites, and its title or the name before a
colon in that. The paper that the sentence is from, and what a train or valid pair relates to that, are left out of its
ranking; nobody is asked for those.

The corpus are all papers, whole, or with --documents some: those that are relevant and others drawn by a seed, where a
row reads slowly. Rows `passages`, `minilm-passages` and `bm25-passages` rank by a document's best passage alone. The
default is compared with every other row by a paired randomisation test; Holm's method corrects p over them in a metric.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.documents import Document
from engine.documents.text import content_tokens
from engine.evaluation import DEFAULT_ROW, Benchmark, Measured
from engine.evaluation.benchmarks import from_parts
from engine.evaluation.significance import contrast_as_json, contrast_rows
from engine.research import measurement
from engine.research.baselines.rows import ROWS
from engine.research.matching.pair_set import JUDGED, PairSet, load_pair_set, related_in
from engine.research.salience.texts import FEWEST_WORDS, Link, links, mentions, read_citations, without_marks
from engine.training.long_corpus import Split

SET = "acl-long"
CITATIONS = "citations.tsv"
ASKED_ROWS = ("bm25", "bm25-passages", "student", "passages", "meaning", DEFAULT_ROW)
METRICS = ("nDCG@10", "R@100", "first")
SEED = 1
_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_LEFT_OVER = re.compile(
    r"\s*[(\[](?:[\s,;:]|e\.g\.|cf\.|see)*(?=[,;.:)\]]|\s|$)|(?<=\s)[)\]]|\s+(?=[,;.])|(?<=[,;])\s*[,;]"
)
"""What is left of a list of marks: an open bracket, stops after spaces, two stops."""

_FEWEST_BESIDE_MARKS = 3
"""Words that an expression in brackets holds beside marks of citation, so that it stays."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    pairs = load_pair_set(given.data / given.set, form=None)
    citations = given.data / given.set / CITATIONS
    benchmark = asked(pairs, links(pairs.corpus, read_citations(citations)), given.part, given.documents)
    measured = [ROWS.measure(benchmark, row, cache=given.cache, report=bar()) for row in given.rows]
    facts = {
        "questions": len(benchmark.queries),
        "documents": len(benchmark.corpus),
        "relevant documents": len({name for grades in benchmark.qrels.values() for name in grades}),
        "sha256": {**pairs.sha256, CITATIONS: files.sha256_file(citations)},
        **measurement.circumstances("paraphrase", _words(given)),
    }
    figures = {one.name: figures_of(one, benchmark) for one in measured}
    contrasts = _contrasts(measured)
    text = "\n".join(
        ["# Citing sentences that ask", "", *as_markdown(figures, contrasts), *measurement.as_list(facts), ""]
    )
    print(text)
    fingerprints = {one.name: one.fingerprint for one in measured}
    report = {**facts, "figures": figures, "contrasts": contrasts, "fingerprints": fingerprints}
    measurement.save(given.save, report, text)


def asked(pairs: PairSet, every: Sequence[Link], part: Split, most: int | None = None) -> Benchmark:
    """Return the questions of a part, and the corpus: all documents, or about `most`, the relevant among them."""
    held = {one.id: one for one in pairs.corpus}
    _, others = related_in(pairs.pairs, part)
    cited: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for link in drawn([link for link in every if link.cited not in others[link.citing]]):
        cited[link.citing, link.sentence].add(link.cited)
    names = {link.cited: link.mention[0] for link in every}
    queries: list[Document] = []
    qrels: dict[str, dict[str, int]] = {}
    excluded: dict[str, frozenset[str]] = {}
    for number, ((citing, sentence), found) in enumerate(sorted(cited.items())):
        text = masked(sentence, [(names[name], held[name].title) for name in sorted(found)])
        if len(content_tokens(text)) >= FEWEST_WORDS:
            query = Document(f"{citing} sentence {number}", "query", abstract=text)
            queries.append(query)
            qrels[query.id] = dict.fromkeys(sorted(found), 1)
            excluded[query.id] = frozenset({citing} | (others[citing] - found))
    corpus = _some(pairs.corpus, {name for grades in qrels.values() for name in grades}, most)
    at_hand = {one.id for one in corpus}
    left_out = {name: ids & at_hand for name, ids in excluded.items()}
    return from_parts(pairs.name, corpus, queries, qrels, excluded=left_out)


def drawn(every: Sequence[Link]) -> list[Link]:
    """Return one sentence of each pair of papers."""
    said: defaultdict[tuple[str, str], list[Link]] = defaultdict(list)
    for link in every:
        said[link.citing, link.cited].append(link)
    return [random.Random(f"{SEED} {citing} {cited}").choice(some) for (citing, cited), some in said.items()]


def masked(sentence: str, cited: Sequence[tuple[str, str]]) -> str:
    """Return a sentence without marks of citation, and without the names and titles of what it cites."""
    text = without_marks(_BRACKETS.sub(_beside_marks, sentence))
    for name, title in cited:
        before, colon, _ = title.partition(":")
        for said in (title, *([before] if colon else []), name):
            text = re.sub(rf"(?<!\w){re.escape(said.strip())}(?:['’]s?)?(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(_LEFT_OVER.sub("", " ".join(text.split())).split())


def _beside_marks(brackets: re.Match[str]) -> str:
    """Return an expression in brackets, or nothing where it is marks of citation for the most part."""
    if not mentions(brackets[1]) or len(content_tokens(without_marks(brackets[1]))) >= _FEWEST_BESIDE_MARKS:
        return brackets[0]
    return " "


def figures_of(measured: Measured, benchmark: Benchmark) -> dict[str, float]:
    """Return the metrics over all questions, and the share whose first document is relevant."""
    first = [ids[:1] for ids in measured.run.values()]
    is_right = [bool(ids) and ids[0] in benchmark.qrels[query] for query, ids in zip(measured.run, first, strict=True)]
    found = {name: measured.metrics[name] for name in METRICS[:-1]}
    return {**found, METRICS[-1]: sum(is_right) / len(is_right)}


def as_markdown(figures: Mapping[str, Mapping[str, float]], contrasts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line a row, and a line a row and metric that the default is compared with."""
    rows = [[name, *(f"{one[metric]:.3f}" for metric in METRICS)] for name, one in figures.items()]
    lines = measurement.table(("row", *METRICS), rows)
    if not contrasts:
        return lines
    told = [
        [
            one["ours"],
            one["metric"],
            *(f"{mean:.3f}" for mean in one["means"]),
            f"{one['interval'][0]:+.3f} to {one['interval'][1]:+.3f}",
            f"{one['p_holm']:.4f}",
        ]
        for one in contrasts
    ]
    return [
        *lines,
        *measurement.table(("row", "metric", "mean", DEFAULT_ROW, "95 % of the difference", "p (Holm)"), told),
    ]


def _contrasts(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """Return every other row against the default, where that is one."""
    if DEFAULT_ROW not in [one.name for one in measured] or len(measured) < 2:
        return []
    found = [one for metric in METRICS[:-1] for one in contrast_rows(measured, DEFAULT_ROW, metric)]
    return [{**contrast_as_json(one), "moved": []} for one in found]


def _some(corpus: Sequence[Document], needed: set[str], most: int | None) -> list[Document]:
    order = sorted(corpus, key=lambda one: (one.id not in needed, random.Random(f"{SEED} {one.id}").random()))
    chosen = {one.id for one in order[: max(most, len(needed))]} if most is not None else {one.id for one in corpus}
    return [one for one in corpus if one.id in chosen]


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--set", given.set, "--rows", *given.rows, "--part", given.part]
    return [*words, *([] if given.documents is None else ["--documents", str(given.documents)])]


def _parser() -> Parser:
    parser = measurement.make_parser("paraphrase", __doc__, cache=True)
    parser.add_argument("--set", default=SET, metavar="SET", help=f"of papers with citations (default: {SET})")
    parser.add_argument("--rows", nargs="+", default=ASKED_ROWS, metavar="ROW", help=f"default: {' '.join(ASKED_ROWS)}")
    parser.add_argument("--part", choices=JUDGED, default="test", help="whose pairs are asked for (default: test)")
    parser.add_argument("--documents", type=int, metavar="N", help="of the corpus (default: all)")
    return parser
