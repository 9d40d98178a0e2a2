"""A stand-in for CTPE's DBLP, papers that cite papers: `python -m engine.research dblp_stand_in --data DIR --to DIR`.

--data holds acl-long, its corpus.parquet and citations.tsv. As in the paper (sections 4.1 and 4.4) a document is a
title and an abstract, which are its two parts; a paper asks for those that it cites; and every query is younger than
every candidate. As in the authors' own script a query cites a least number of candidates, and candidates that no query
cites stay. Queries are valid or test by their ids, as in any set without query-splits.tsv.

The rest of the protocol cannot be followed, because acl-long has 1,578 papers, of 1980 to 2016, and 2,089 citations.
The paper has 20,000 candidates and 1,000 queries; 15 or 16 relevant documents a query, so that precision at 20 cannot
come near its own; and abstracts of at least 150 words, which one paper in seven has here. Texts that are longer than
the paper's longest are left out as there, and so are texts that are too short to ask. The paper's methods read the
queries in training; here they do not, nor do they read a candidate that copies one by its title or half of its text.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from engine.cli.terminal import Parser
from engine.core import config
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.documents.text import normalised_title, tokens
from engine.evaluation import load_benchmark
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research.sets.folder import new_benchmark
from engine.training.corpora import abstract_of
from engine.training.settings import CheckedSettings, Rules, at_least

ALIKE = 0.5
"""The share of the shorter text's runs of words that both texts must have."""

_RUN = 5
"""The words of a run: long enough that two texts on one subject have few in common."""

Run = tuple[str, ...]


class Copies:
    """Finds the copies of some queries, one document at a time: what has a query's title, or nearly its text.

    They are left out of what is trained on. This is wider than the rules of `engine.documents.works`, which hide a
    document from a person: here a wrong yes costs one document of a corpus, and a wrong no lets a model learn from a
    question.
    """

    def __init__(self, queries: Sequence[Document]) -> None:
        """Take the queries; their texts are kept as runs of five words."""
        self._titles: defaultdict[str, set[str]] = defaultdict(set)
        self._queries: defaultdict[Run, set[str]] = defaultdict(set)
        self._sizes: dict[str, int] = {}
        for query in queries:
            self._titles[normalised_title(query.title)].add(query.id)
            found = _runs(query)
            self._sizes[query.id] = len(found)
            for run in found:
                self._queries[run].add(query.id)
        self._titles.pop("", None)

    def of(self, document: Document) -> set[str]:
        """Return the ids of the queries that a document copies: by title, or by half of the shorter text's runs."""
        found = _runs(document)
        shared = Counter(query for run in found for query in self._queries.get(run, ()))
        alike = {
            query for query, count in shared.items() if count >= ALIKE * max(1, min(len(found), self._sizes[query]))
        }
        return alike | self._titles.get(normalised_title(document.title), set())

    def without(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Return the documents that copy no query."""
        return (document for document in documents if not self.of(document))


def first_of_copies(documents: Sequence[Document]) -> list[Document]:
    """Return the documents without those that copy an earlier one."""
    place = {document.id: at for at, document in enumerate(documents)}
    copies = Copies(documents)
    return [one for one in documents if all(place[other] >= place[one.id] for other in copies.of(one))]


def _runs(document: Document) -> frozenset[Run]:
    """Return every run of five tokens of a document's title and abstract; of fewer tokens, all of them as one."""
    words = tokens(f"{document.title} {document.abstract}")
    if not words:
        return frozenset()
    return frozenset(tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1)))


SOURCE, CITATIONS = "acl-long", "citations.tsv"
_COLUMNS = ("citing", "cited")


@dataclass(frozen=True, slots=True)
class StandInSettings(CheckedSettings):
    """Queries are of the year `since` and later and cite `fewest` candidates; a text has some words, by white space.

    2009 leaves 1,017 candidates and 162 queries, with the most citations of all years: 2006 has 673 and 169, 2011 1,222
    and 95. With one citation each there would be 278 queries, with three 81. `most_words` is the paper's longest text
    (table 1).
    """

    since: int = 2009
    fewest: int = at_least(1, 2)
    fewest_words: int = 40
    most_words: int = 421

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (
                0 < self.fewest_words <= self.most_words,
                f"fewest_words must be from 1 to most_words, got {self.fewest_words} and {self.most_words}",
            ),
        )


@dataclass(frozen=True)
class StandIn:
    """The candidates, the queries, each query's relevant candidates, and how many candidates copied a query."""

    corpus: Sequence[Document]
    queries: Sequence[Document]
    relevant: Mapping[str, Set[str]]
    copies: int

    @classmethod
    def of(cls, papers: Sequence[Document], cited: Mapping[str, Set[str]], settings: StandInSettings) -> StandIn:
        """Part papers into candidates and queries by their years. Raises EvaluationError if no query is left."""
        usable = [abstract_of(paper) for paper in papers if _is_usable(paper, settings)]
        older = [paper for paper in usable if (paper.year or 0) < settings.since]
        younger = [paper for paper in usable if (paper.year or 0) >= settings.since]
        asked = first_of_copies(list(_citing(younger, older, cited, settings.fewest)))
        corpus = list(Copies(asked).without(older))
        relevant = _citing(asked, corpus, cited, settings.fewest)
        if not relevant:
            raise EvaluationError(
                f"Expected papers of {settings.since} or later that cite {settings.fewest} earlier ones, found none "
                f"among {len(usable)}. Take an earlier year, or fewer citations."
            )
        ids = {query.id: found for query, found in relevant.items()}
        return cls(corpus, list(relevant), ids, len(older) - len(corpus))


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the folder and say what is in it."""
    given = _parser().parse_args(arguments)
    asked = {"since": given.since, "fewest": given.fewest}
    settings: StandInSettings = config.from_mapping(asked, StandInSettings, origin="the command")
    source = given.data / SOURCE
    if not (source / CORPUS).is_file():
        raise EvaluationError(f"Expected {CORPUS} in {source}; it is missing. Name another --data.")
    made = StandIn.of(read_documents(source / CORPUS), citations_in(source / CITATIONS), settings)
    with new_benchmark(given.to) as folder:
        for document in made.corpus:
            folder.corpus.add(document)
        for query in made.queries:
            folder.queries.add(query)
        folder.judge(made.relevant)
    pairs = sum(map(len, made.relevant.values()))
    print(
        f"{len(made.corpus):,} documents and {len(made.queries):,} queries with {pairs:,} citations in {given.to}; "
        f"{_valid(given.to):,} of the queries are valid. Left out as copies of a query: {made.copies:,}."
    )


def citations_in(path: Path) -> dict[str, set[str]]:
    """Return what each paper cites: the columns citing and cited, by tabs. Raises EvaluationError for another file."""
    if not path.is_file():
        raise EvaluationError(f"Expected {path.name} in {path.parent}; it is missing. Name another --data.")
    found: defaultdict[str, set[str]] = defaultdict(set)
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for number, row in enumerate(rows, start=1):
            if len(row) != len(_COLUMNS) or not all(row):
                raise EvaluationError(
                    f"Expected {' and '.join(_COLUMNS)} with a tab between them in line {number} of {path.name}, got "
                    f"{' | '.join(row)[:80]!r}. Write two columns."
                )
            if tuple(row) != _COLUMNS:
                found[row[0]].add(row[1])
    return dict(found)


def _valid(folder: Path) -> int:
    """Return how many queries are valid: of few, perhaps none."""
    try:
        return len(load_benchmark(folder, part="valid").queries)
    except EvaluationError:
        return 0


def _is_usable(paper: Document, settings: StandInSettings) -> bool:
    words = len(f"{paper.title} {paper.abstract}".split())
    has_all = bool(paper.title and paper.abstract and paper.year)
    return has_all and settings.fewest_words <= words <= settings.most_words


def _citing(
    papers: Sequence[Document], candidates: Sequence[Document], cited: Mapping[str, Set[str]], fewest: int
) -> dict[Document, Set[str]]:
    """Return the papers that cite enough of the candidates, with those."""
    ids = {candidate.id for candidate in candidates}
    found = {paper: cited.get(paper.id, set()) & ids for paper in papers}
    return {paper: each for paper, each in found.items() if len(each) >= fewest}


def _parser() -> argparse.ArgumentParser:
    usual = StandInSettings()
    parser = Parser(
        prog="python -m engine.research dblp_stand_in",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help=f"holds {SOURCE}")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="the new folder; the tables look for DIR/acl-citation"
    )
    parser.add_argument(
        "--since", type=int, default=usual.since, metavar="YEAR", help=f"of the oldest query (default: {usual.since})"
    )
    parser.add_argument(
        "--fewest", type=int, default=usual.fewest, metavar="N", help=f"citations of a query (default: {usual.fewest})"
    )
    return parser
