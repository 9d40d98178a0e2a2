"""What a version changes and what nothing covers are found: `python -m engine.research differences --data DIR`.

DIR of --data holds sets of whole documents with pairs.tsv. Of each of --count pairs of a part, the first document gets
a second version: paragraphs of the other one are new in it, others are moved, dropped, and rewritten sentence by
sentence, with a third of the words dropped or with words changed for WordNet's synonyms (--wordnet, the folder of its
files). Precision and recall count words of sentences. A second table says how well `differences` tells what nothing
covers: between the versions, and in unrelated documents into which reworded paragraphs of the other one were put.

Thresholds are tried on the valid part with --choose, which prints the best; the report is of the test part with the
engine's own.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Self

import numpy as np

from engine.cli.terminal import Parser, bar
from engine.compare import Words
from engine.compare.differences import Text, Thresholds, differences, uncovered
from engine.compare.model import MOSTLY
from engine.compare.pairs import NearestSentences
from engine.compare.read_document import sentences_of
from engine.compare.stretches import Similarities
from engine.compare.versions import CHANGE_KINDS, Spelt, align
from engine.core.progress import Meter
from engine.documents import Document
from engine.research import measurement
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.nearness.revisions import Revision, Reword, Synonyms, changed, dropped, label_of, revision
from engine.training.long_corpus import LabelledPair, Split

SETS = ("acl-long", "pmc-long", "patents-long")
COUNT, SEED = 60, 1
_GRID = {"in_place": (0.25, 0.3, 0.35), "elsewhere": (0.5, 0.6, 0.7), "same_words": (0.75, 0.8, 0.85)}
_COVERS = tuple(round(0.3 + 0.025 * step, 3) for step in range(13))
UNCOVERED, COVERED = "not covered", "covered"

Counts = Counter[tuple[str, str]]
"""Words by what became of them and by what the engine tells."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two texts, how well their sentences match, and what became of each sentence of either."""

    old: Text
    new: Text
    table: Spelt
    nearest: NearestSentences
    of_old: tuple[str, ...]
    of_new: tuple[str, ...]

    @classmethod
    def of(cls, made: Revision, words: Words) -> Self:
        """Return the two versions of a document."""
        old, new = (_text(document, words) for document in (made.old, made.new))
        table = Spelt(Similarities(old.sentences, new.sentences), old, new)
        labels = (
            tuple(label_of(chunk, stretches) for chunk in text.sentences.chunks)
            for text, stretches in ((old, made.of_old), (new, made.of_new))
        )
        nearest = NearestSentences.of(table, (old.follows, new.follows), (old.kept, new.kept))
        return cls(old, new, table, nearest, *labels)


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Versions of documents, and unrelated documents with paragraphs of the other one."""

    versions: tuple[Compared, ...]
    unrelated: tuple[Compared, ...]


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose thresholds, or measure those of the engine, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    words = Words.shipped()
    rewords: dict[str, Reword] = {"a third of the words dropped": dropped}
    if given.wordnet is not None:
        synonyms = Synonyms(given.wordnet)
        rewords["words changed for synonyms"] = lambda text, draw: changed(text, draw, synonyms)
    sets = {name: load_pair_set(given.data / name, form=None) for name in given.sets}
    part: Split = "valid" if given.choose else "test"
    held = {name: made_of(one, part, given.count, words, rewords) for name, one in sets.items()}
    if given.choose:
        print("\n".join(_chosen(list(held.values()))))
        return
    figures = {name: figures_of(one) for name, one in held.items()}
    line = ["--data", "DIR", "--sets", *given.sets, "--count", str(given.count)]
    line += ["--wordnet", "DIR"] if given.wordnet is not None else []
    facts: dict[str, Any] = {
        "thresholds": asdict(Thresholds()) | {"versions": MOSTLY},
        "sha256": {name: one.sha256 for name, one in sets.items()},
        **measurement.circumstances("differences", line),
    }
    text = "\n".join(["# What a version changes, and what nothing covers", "", *as_markdown(figures)])
    text = "\n".join([text, *measurement.as_list(facts), ""])
    print(text)
    measurement.save(given.save, {**facts, "figures": figures}, text)


def made_of(pairs: PairSet, part: Split, count: int, words: Words, rewords: Mapping[str, Reword]) -> Made:
    """Return versions of `count` documents of a part's pairs, and as many unrelated ones with reworded paragraphs."""
    held = {document.id: document for document in pairs.corpus}
    drawn = [pair for pair in pairs.pairs if pair.split == part]
    random.Random(SEED).shuffle(drawn)
    meter = Meter(f"make versions of {pairs.name}", 2 * count, bar())
    versions = _first(count, _versions(drawn, held, rewords), words, meter)
    apart = [pair for pair in drawn if not pair.related]
    return Made(versions, _first(count, _with_others(apart, held, rewords), words, meter))


def counted(one: Compared, thresholds: Thresholds) -> Counts:
    """Return words of the new version by kind, and of the old one where either says that they are dropped."""
    states = align(one.old, one.new, one.table, one.nearest, thresholds).states(one.old, one.new)
    found: Counts = Counter()
    sides = ((one.old, one.of_old, states[0], CHANGE_KINDS[-1:]), (one.new, one.of_new, states[1], CHANGE_KINDS[:-1]))
    for text, labels, said, kinds in sides:
        for label, state, count in zip(labels, said, text.sentences.counts.tolist(), strict=True):
            if state:
                found[label if label in kinds else "", state if state in kinds else ""] += count
    return found


def covered(one: Compared, covers: float, *, unrelated: bool) -> Counts:
    """Return words by whether anything of the other text covers them: of unrelated ones, those of the second alone."""
    found: Counts = Counter()
    for text, labels, scores in (
        (one.new, one.of_new, one.nearest.scores_b),
        *([] if unrelated else [(one.old, one.of_old, one.nearest.scores_a)]),
    ):
        flags = uncovered(text, scores, covers)
        for number in np.flatnonzero(text.kept).tolist():
            is_alone = labels[number] in ("new", "dropped")
            label = UNCOVERED if is_alone != unrelated else COVERED
            found[label, UNCOVERED if flags[number] else COVERED] += int(text.sentences.counts[number])
    return found


def rates(counts: Counts, kind: str) -> dict[str, float]:
    """Return precision, recall and F1 of one kind, each from 0 to 1."""
    hit = counts[kind, kind]
    said = sum(count for (_, state), count in counts.items() if state == kind)
    true = sum(count for (label, _), count in counts.items() if label == kind)
    return {"precision": hit / max(said, 1), "recall": hit / max(true, 1), "f1": 2 * hit / max(said + true, 1)}


def figures_of(made: Made) -> dict[str, Any]:
    """Return all figures of one set, with the engine's thresholds."""
    counts: Counts = sum((counted(one, Thresholds()) for one in made.versions), Counter())
    between: Counts = sum((covered(one, Thresholds().covers, unrelated=False) for one in made.versions), Counter())
    apart: Counts = sum((covered(one, Thresholds().covers, unrelated=True) for one in made.unrelated), Counter())
    same = [
        [differences(one.old, one.new, one.nearest).same for one in some] for some in (made.versions, made.unrelated)
    ]
    return {
        "documents": len(made.versions),
        "kinds": {kind: rates(counts, kind) for kind in CHANGE_KINDS},
        "between versions": {UNCOVERED: rates(between, UNCOVERED), COVERED: rates(between, COVERED)},
        "in unrelated documents": {UNCOVERED: rates(apart, UNCOVERED), COVERED: rates(apart, COVERED)},
        "least same words of versions": min(same[0], default=0.0),
        "most same words of unrelated documents": max(same[1], default=0.0),
    }


def as_markdown(figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the kinds of changes, what nothing covers, and what tells versions."""
    kinds = [[name, kind, *_told(rate)] for name, one in figures.items() for kind, rate in one["kinds"].items()]
    cover = [
        [name, where, kind, *_told(rate)]
        for name, one in figures.items()
        for where in ("between versions", "in unrelated documents")
        for kind, rate in one[where].items()
    ]
    last = ("least same words of versions", "most same words of unrelated documents")
    same = [[name, str(one["documents"]), *(f"{one[head]:.2f}" for head in last)] for name, one in figures.items()]
    heads = ("precision", "recall", "F1")
    return [
        *measurement.table(("set", "kind", *heads), kinds),
        *measurement.table(("set", "where", "sentences", *heads), cover),
        *measurement.table(("set", "documents", *last), same),
    ]


def _told(rate: Mapping[str, float]) -> list[str]:
    return [f"{rate[name]:.3f}" for name in ("precision", "recall", "f1")]


def _chosen(held: Sequence[Made]) -> list[str]:
    """Return the thresholds with the best mean F1 over sets and kinds, and those beside them."""
    tried = []
    for values in product(*_GRID.values()):
        thresholds = replace(Thresholds(), **dict(zip(_GRID, values, strict=True)))
        found: list[float] = []
        for made in held:
            counts: Counts = sum((counted(one, thresholds) for one in made.versions), Counter())
            found += [rates(counts, kind)["f1"] for kind in CHANGE_KINDS]
        tried.append((sum(found) / len(found), str(thresholds)))
    for covers in _COVERS:
        found = []
        for made in held:
            between: Counts = sum((covered(one, covers, unrelated=False) for one in made.versions), Counter())
            apart: Counts = sum((covered(one, covers, unrelated=True) for one in made.unrelated), Counter())
            found += [rates(between, UNCOVERED)["f1"], rates(apart, COVERED)["f1"]]
        tried.append((sum(found) / len(found), f"covers={covers}"))
    return [f"{score:.4f}  {name}" for score, name in sorted(tried, reverse=True)]


def _versions(
    pairs: Sequence[LabelledPair], held: Mapping[str, Document], rewords: Mapping[str, Reword]
) -> Iterator[Revision]:
    for pair in pairs:
        draw = random.Random(f"{SEED} {pair.a} {pair.b}")
        made = revision(held[pair.a], held[pair.b], draw, rewords)
        if made is not None:
            yield made


def _with_others(
    pairs: Sequence[LabelledPair], held: Mapping[str, Document], rewords: Mapping[str, Reword]
) -> Iterator[Revision]:
    """Give the first document as the old text, and the second with reworded paragraphs of the first as the new one."""
    for number, pair in enumerate(pairs):
        draw = random.Random(f"{SEED} {pair.a} {pair.b}")
        reword = list(rewords.values())[number % len(rewords)]
        made = revision(held[pair.b], held[pair.a], draw, rewords, told=reword)
        if made is not None:
            yield replace(made, old=held[pair.a], of_old=())


def _first(count: int, made: Iterator[Revision], words: Words, meter: Meter) -> tuple[Compared, ...]:
    found = []
    for one in made:
        found.append(Compared.of(one, words))
        meter.add()
        if len(found) == count:
            break
    return tuple(found)


def _text(document: Document, words: Words) -> Text:
    sentences, roles, telling = sentences_of(document, words)
    return Text(document, sentences, np.array([role != "references" for role in roles], np.bool_), telling)


def _parser() -> Parser:
    parser = measurement.make_parser("differences", __doc__)
    measurement.add_sets(parser, SETS)
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"of documents (default: {COUNT})")
    parser.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's files; without, no words are changed")
    parser.add_argument("--choose", action="store_true", help="try thresholds on the valid part, and print them")
    return parser
