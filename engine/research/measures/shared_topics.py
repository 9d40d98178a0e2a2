"""Papers and patents with topics in common: phrases that authors give as keywords and that patents have in titles.

No set judges papers against patents. A keyword of two to four words is a topic if several papers carry it and a
patent's title contains it word for word. A work is relevant to every work that shares a topic, of either kind.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core import files
from engine.documents import Document, Kind
from engine.documents.text import tokens
from engine.evaluation import Benchmark
from engine.evaluation.benchmarks import Part, from_parts

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
    """One corpus of both kinds, and of each document that has one its topics."""

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

    def benchmark(self, kind: Kind, part: Part, settings: TopicSettings) -> Benchmark:
        """Documents of a kind that ask, and as relevant what shares a topic, another version of it aside.

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
    """The papers that carry each keyword of several words."""
    found: defaultdict[Phrase, set[str]] = defaultdict(set)
    for one in papers:
        for keyword in one.keywords:
            phrase = tuple(tokens(keyword))
            if len(phrase) in _WORDS:
                found[phrase].add(one.id)
    return found


def _titled(patents: Sequence[Document], phrases: Mapping[Phrase, object]) -> dict[Phrase, set[str]]:
    """The patents that have each phrase in their titles."""
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
