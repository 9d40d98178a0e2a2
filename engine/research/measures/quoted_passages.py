"""What a hit shows of a quote from far into its paper: `python -m engine.research quoted_passages --data DIR`.

DIR of --data holds a set of whole papers; all of them are the corpus. Three sentences of each of --count papers ask,
as in `quotes`. The first table says how often the evidence for their paper shows one of these very sentences, when it
reads the paper's beginning alone, and when it reads the passages that matched, too. The second says how often a
passage of the paper is said to hold most of the quote, how often one of the other papers found is, and how often one is
where abstracts of the sets named by --far ask, which are on other subjects.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from engine import encoders
from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.documents import Chunk, Document
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.library import KeywordIndex
from engine.research import measurement
from engine.research.measures.quotes import DROPPED, SET, WRITTEN, quotes_of, unread
from engine.research.nearness.revisions import dropped
from engine.search import AskedPassages, PassageMatcher, Vocabulary
from engine.search.evidence.explain import Explainer
from engine.search.searcher import PASSAGES_SHOWN
from engine.search.vocabulary import BY_WORDS
from engine.training.long_corpus import PAIRS

FAR = ("cranfield", "npl")
COUNT, SEED = 200, 1
_FOUND = 10
_FEWEST_WORDS = 20

Shares = dict[str, dict[str, float]]
"""By who asks, shares of the questions by what is counted."""


@dataclass(frozen=True, slots=True)
class Papers:
    """Whole papers by their ids, what explains them, and their passages."""

    held: Mapping[str, Document]
    explainer: Explainer
    matcher: PassageMatcher

    def looked_through(self, asked: AskedPassages, name: str) -> list[Chunk]:
        """Return the passages of a paper that a search looks through for a question."""
        parts, places = self.held[name].parts, self.matcher.view.nearest_in(name, asked.rows, PASSAGES_SHOWN)
        return [parts[place.part].chunk(name, *place) for place in places]

    def quoting(self, question: Document) -> set[str]:
        """Return the first ten documents found by single passages that hold most of a question."""
        asked = self.matcher.ask(question)
        names = [] if asked is None else self.matcher.nearest(asked, _FOUND)[:_FOUND]
        passages = [one for name in names if asked is not None for one in self.looked_through(asked, name)]
        found = self.explainer.explain(question, [self.held[name] for name in names], passages)
        return {name for name, one in zip(names, found, strict=True) if one.quoted}


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask, count, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    path = given.data / given.set / CORPUS
    corpus = read_documents(path)
    keywords = KeywordIndex.in_memory(corpus)
    keep = None if given.cache is None else given.cache / given.set
    matcher = kept_rows.matcher(corpus, keep, bar())
    assert matcher is not None, "the passages' encoder is shipped"
    explainer = Explainer(encoders.load(BY_WORDS), Vocabulary.of(keywords))
    papers = Papers({one.id: one for one in corpus}, explainer, matcher)
    quotes = quotes_of(unread(corpus, path.parent / PAIRS), given.count, SEED)
    sentences, quoted = of_quotes(papers, {name: one.text for name, one in quotes.items()})
    for name in given.far:
        quoted[f"abstracts of {name}"] = {
            "another paper": of_strangers(papers, given.data / name / CORPUS, given.count)
        }
    facts = {"sha256": files.sha256_file(path), **measurement.circumstances("quoted_passages", _words(given))}
    title = "# What hits show of quotes"
    text = "\n".join([title, "", *as_markdown(sentences), *as_markdown(quoted), *measurement.as_list(facts), ""])
    print(text)
    measurement.save(given.save, {**facts, "sentences": sentences, "quoted": quoted}, text)


def of_quotes(papers: Papers, quotes: Mapping[str, str]) -> tuple[Shares, Shares]:
    """Return how often one of the sentences is shown, and how often passages hold most of the quote."""
    sentences: Shares = {}
    quoted: Shares = {}
    for form in (WRITTEN, DROPPED):
        beginnings: list[bool] = []
        matched: list[bool] = []
        own: list[bool] = []
        others: list[bool] = []
        for name, quote in quotes.items():
            said = quote if form == WRITTEN else dropped(quote, random.Random(f"{SEED} {name}"))
            question = Document("quote", "query", abstract=said)
            asked = papers.matcher.ask(question)
            passages = [] if asked is None else papers.looked_through(asked, name)
            for shown, looked in ((beginnings, []), (matched, passages)):
                (one,) = papers.explainer.explain(question, [papers.held[name]], looked)
                shown.append(one.passage is not None and _plain(one.passage.document.text) in _plain(quote))
            own.append(one.quoted is not None)
            others.append(bool(papers.quoting(question) - {name}))
        sentences[form] = {"by beginnings": fmean(beginnings), "and passages": fmean(matched)}
        quoted[f"quotes {form}"] = {"its paper": fmean(own), "another paper": fmean(others)}
    return sentences, quoted


def of_strangers(papers: Papers, corpus: Path, count: int) -> float:
    """Return the share of another corpus's texts, drawn by the seed, that a passage is said to mostly hold."""
    texts = [one for one in read_documents(corpus) if len(one.text.split()) >= _FEWEST_WORDS]
    drawn = random.Random(SEED).sample(texts, min(count, len(texts)))
    return fmean(bool(papers.quoting(Document("far", "query", abstract=one.text))) for one in drawn)


def as_markdown(shares: Shares) -> list[str]:
    """Return a line for each who asks."""
    columns = list(dict.fromkeys(column for one in shares.values() for column in one))
    lines = [
        [who, *(f"{one[column]:.3f}" if column in one else "" for column in columns)] for who, one in shares.items()
    ]
    return measurement.table(("who asks", *columns), lines)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _words(given: argparse.Namespace) -> list[str]:
    return ["--data", "DIR", "--set", given.set, "--far", *given.far, "--count", str(given.count)]


def _parser() -> Parser:
    parser = measurement.make_parser("quoted_passages", __doc__, cache=True)
    parser.add_argument("--set", default=SET, metavar="SET", help=f"of whole papers (default: {SET})")
    parser.add_argument("--far", nargs="*", default=FAR, metavar="SET", help=f"default: {' '.join(FAR)}")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"of quotes (default: {COUNT})")
    return parser
