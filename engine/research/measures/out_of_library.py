"""Asks libraries for fields that were taken out of them: `python -m engine.research out_of_library --data DIR`.

One category, archive or area of arXiv's papers, or one venue of acm-citation or pmc-long, is taken out at a time with
all of its documents, and some of these ask what is left; so do documents that stay, each with itself left out. The
headline is the shipped one (`engine.search.verdicts.headline`), which `readings` fits and measures between whole
collections: here the fields that stay are nearer to the one that is gone, from a sister category to the other area of
science. The figures are shares of questions that are told that nothing is near.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, cast

import numpy as np

from engine import encoders
from engine.cli.terminal import Parser, bar
from engine.core.progress import Meter
from engine.core.rows import DenseRows, Flags
from engine.documents import Document, text
from engine.documents.questions import is_bare_topic
from engine.encoders import Encoder
from engine.research import measurement
from engine.research.nearness.asked import Collection
from engine.research.nearness.fields import COMPUTING, Field, archives_of, drawn, read_fields, series_of
from engine.search import TellingWords, Vocabulary
from engine.search.readings import SENTENCES
from engine.search.verdicts import NEAREST, Among, ReadHit, headline, unknown_terms, verdict

ASKING = 30
"""How many documents of what is taken out ask, and how many of what stays; each whole, and by its title."""

_OUT, _IN = "taken out", "stays"
_FORMS = ("document", "title")
_COMPUTING, _EXACT = "arxiv-cs", "arxiv-exact"

Shares = dict[str, float]
"""The share of questions refused, by who asks and in which form: "taken out, title"."""


class Kind(NamedTuple):
    """A way to take a field out: from what collection, what a document's fields are, and how large the least is."""

    collection: str
    named: str
    labels: Callable[[Document], set[str]]
    least: int


KINDS = (
    Kind("arxiv", "a category", lambda one: set(one.categories), 150),
    Kind("arxiv", "an archive", archives_of, 300),
    Kind("acm-citation", "a venue", lambda one: {series_of(one.venue)} - {""}, 40),
    Kind("pmc-long", "a venue", lambda one: {one.venue} - {""}, 30),
)


class Library:
    """A collection from which a field can be taken out."""

    def __init__(self, collection: Collection) -> None:
        """Take a collection with its rows."""
        self._collection = collection
        self.documents = collection.field.documents

    @cached_property
    def _tokens(self) -> list[frozenset[str]]:
        return [frozenset(text.tokens(one.text)) for one in self.documents]

    @cached_property
    def _holders(self) -> Counter[str]:
        return Counter(chain.from_iterable(self._tokens))

    def without(self, out: Flags) -> Vocabulary:
        """Return the words of the documents that stay."""
        gone = Counter(chain.from_iterable(self._tokens[place] for place in np.flatnonzero(out)))
        return Vocabulary(self._holders - gone, int((~out).sum()))

    def refuses(self, question: Document, row: DenseRows, out: Flags, vocabulary: Vocabulary, itself: str) -> bool:
        """Tell whether a question with its row (dim,) is told that nothing of what stays is near."""
        cosines = np.where(out, -np.inf, self._collection.rows @ row)
        cosines[self._collection.places[itself]] = -np.inf
        words = TellingWords.of(question.text)
        best = [place for place in np.argsort(-cosines, kind="stable")[:NEAREST] if np.isfinite(cosines[place])]
        pairs = [words.pair(self._collection.words[place], float(cosines[place])) for place in best]
        unknown, telling = unknown_terms(question.text, vocabulary)
        found = verdict(pairs, Among(vocabulary.documents), unknown=unknown, telling=telling)
        of_topic = is_bare_topic(question)
        return not headline(found, [ReadHit("paper", replace(pair, is_topic=of_topic).read()) for pair in pairs]).near


def main(arguments: Sequence[str] | None = None) -> None:
    """Take every field out in turn, ask, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    encoder = encoders.load(SENTENCES)
    fields = collections_of(read_fields(given.data, given.library, report=bar()))
    figures: dict[str, dict[str, Shares]] = {}
    for name, field in fields.items():
        keep = None if given.cache is None else given.cache
        library = Library(Collection(field, encoder, keep=keep, report=bar()))
        for kind, taken in taken_out(name, field).items():
            figures[f"{name}, {kind}"] = refusals(library, taken, encoder)
            print("\n".join(as_markdown({f"{name}, {kind}": figures[f"{name}, {kind}"]})), flush=True)
    facts = {
        "documents": {name: len(field.documents) for name, field in fields.items()},
        "sha256": {name: field.sha256 for name, field in fields.items() if field.sha256},
        **measurement.circumstances("out_of_library", ["--data", "DIR", "--library", "DIR"]),
    }
    lines = ["# Questions of fields that a library does not hold", "", *as_markdown(figures), *each_of(figures)]
    measurement.save(given.save, {**facts, "figures": figures}, "\n".join([*lines, *measurement.as_list(facts), ""]))


def collections_of(fields: Sequence[Field]) -> dict[str, Field]:
    """Return the three collections that fields are taken out of; arXiv's is of both areas of the sample library."""
    held = {one.name: one for one in fields}
    computing, exact = held[_COMPUTING], held[_EXACT]
    rows = None if computing.rows is None or exact.rows is None else np.concatenate([computing.rows, exact.rows])
    both = Field("arxiv", "", [*computing.documents, *exact.documents], computing.label, rows=rows)
    return {"arxiv": both, "acm-citation": held["acm"], "pmc-long": held["pmc"]}


def taken_out(name: str, field: Field) -> dict[str, dict[str, Flags]]:
    """Return which documents (n,) go with each field, by the kind of field and its name."""
    found: dict[str, dict[str, Flags]] = {}
    for kind in KINDS:
        if kind.collection == name:
            places: defaultdict[str, list[int]] = defaultdict(list)
            for place, document in enumerate(field.documents):
                for label in kind.labels(document):
                    places[label].append(place)
            large = {label: some for label, some in sorted(places.items()) if len(some) >= kind.least}
            found[kind.named] = {label: _flags(some, len(field.documents)) for label, some in large.items()}
    if name == "arxiv":
        computing = np.array([archives_of(one) <= COMPUTING for one in field.documents])
        found["an area"] = {"computing": computing, "exact sciences": ~computing}
    return found


def refusals(library: Library, taken: Mapping[str, Flags], encoder: Encoder) -> dict[str, Shares]:
    """Return how often each library without a field refuses that field's questions, and those of what stays."""
    meter = Meter("ask without a field", len(taken), bar())
    found: dict[str, Shares] = {}
    for label, out in taken.items():
        vocabulary = library.without(out)
        found[label] = {}
        for who, flags in ((_OUT, out), (_IN, ~out)):
            some = drawn((library.documents[place] for place in np.flatnonzero(flags).tolist()), ASKING, key=label)
            for form in _FORMS:
                asked = [one if form == "document" else Document(one.id, "query", abstract=one.title) for one in some]
                rows = cast(DenseRows, encoder.encode_queries(asked))
                told = [
                    library.refuses(question, row, out, vocabulary, question.id)
                    for question, row in zip(asked, rows, strict=True)
                ]
                found[label][f"{who}, {form}"] = fmean(told)
        meter.add()
    meter.finish()
    return found


def as_markdown(figures: Mapping[str, Mapping[str, Shares]]) -> list[str]:
    """Return a line a kind of field: the mean over the fields, and of those taken out the least and the most."""
    lines = []
    for kind, labels in figures.items():
        if labels:
            means = [fmean(one[column] for one in labels.values()) for column in _columns()]
            whole = [one[f"{_OUT}, document"] for one in labels.values()]
            lines.append(
                [kind, str(len(labels)), *(f"{mean:.1%}" for mean in means), f"{min(whole):.0%} to {max(whole):.0%}"]
            )
    return measurement.table(("what is taken out", "fields", *_columns(), "taken out, document: by field"), lines)


def each_of(figures: Mapping[str, Mapping[str, Shares]]) -> list[str]:
    """Return a line a field."""
    rows = [
        [kind, label, *(f"{one[column]:.0%}" for column in _columns())]
        for kind, labels in figures.items()
        for label, one in labels.items()
    ]
    return ["## Each field", "", *measurement.table(("what is taken out", "field", *_columns()), rows)]


def _columns() -> list[str]:
    return [f"{who}, {form}" for who in (_OUT, _IN) for form in _FORMS]


def _flags(places: Sequence[int], size: int) -> Flags:
    found = np.zeros(size, np.bool_)
    found[list(places)] = True
    return found


def _parser() -> Parser:
    parser = measurement.make_parser("out_of_library", __doc__, cache=True)
    parser.add_argument(
        "--library", type=Path, required=True, metavar="DIR", help="the sample library with its vectors"
    )
    return parser
