"""How long a library takes to list, count and find its documents under filters, to note, and to count a review."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import get_args

from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.library import Filters, Library, Order
from engine.library.screening import DECISIONS
from engine.research import measurement
from engine.research.bench.searching import Times, load

_WORDS, _TITLE, _ABSTRACT = 8_000, 9, 40
_FILES = {"large.jsonl": 0.8, "medium.ris": 0.19, "small.bib": 0.01}
"""The imports that bring the documents, and which share of them each brings."""
_TAGGED, _DECIDED = 100, 2
"""One document in 100 has the tag, every other one is decided and in the collection."""
_PAGE = 25
_COLLECTION = "Every other one"


@dataclass(frozen=True, slots=True)
class PagingSpeed:
    """Milliseconds of each step over made documents, and how many seconds importing them took."""

    hardware: str
    load: float
    commit: str
    documents: int
    seed: int
    repeats: int
    seconds_to_import: float
    milliseconds: Mapping[str, Times]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser(
        "documents", help="pages of a large library's documents, counts by filter, notes and screening"
    )
    parser.add_argument("--documents", type=int, default=250_000, metavar="N", help="how many (default: 250000)")
    parser.add_argument("--repeats", type=int, default=20, metavar="N", help="of each step (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="which documents are made (default: 0)")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    measurement.check_save(arguments)
    report = measure_paging(arguments.documents, repeats=arguments.repeats, seed=arguments.seed)
    measurement.give(report.as_json(), as_text(report), arguments)


def measure_paging(documents: int, *, repeats: int, seed: int) -> PagingSpeed:
    """Make a library of made documents, half of them screened, and time each step; the first of each warms up.

    Raises EvaluationError for fewer documents than have a page in the middle, and for no repeat.
    """
    if documents < 4 * _PAGE or repeats < 1:
        raise EvaluationError(
            f"Expected at least {4 * _PAGE} documents and 1 repeat, got {documents} and {repeats}. Ask for more."
        )
    busy = load()
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "library", create=True) as library:
        started = time.perf_counter()
        _fill(library, documents, seed)
        seconds = time.perf_counter() - started
        steps = _steps(library, documents) | _filtering(library)
        times = {name: _timed(step, repeats) for name, step in steps.items()}
    return PagingSpeed(
        provenance.hardware(), busy, provenance.commit(), documents, seed, repeats, round(seconds, 1), times
    )


def as_text(report: PagingSpeed) -> str:
    """Return the report as a table, a row a step."""
    lines = [
        f"{report.hardware}, load {report.load}",
        f"{report.documents:,} made documents, imported in {report.seconds_to_import} s; {report.repeats} of each step",
        f"{'step':<40}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}",
    ]
    lines += [f"{name:<40}{one.p50:>9.1f}{one.p95:>9.1f}{one.max:>9.1f}" for name, one in report.milliseconds.items()]
    return "\n".join(lines)


def _steps(library: Library, documents: int) -> dict[str, Callable[[], object]]:
    """Return what is timed, by name."""
    listing, screening = library.listing, library.screening
    limits = {
        "all": Filters(),
        "a large import": Filters(files=frozenset({"large.jsonl"})),
        "a small import": Filters(files=frozenset({"small.bib"})),
        "a word": Filters(lines=(_word(0),)),
        "a tag": Filters(lines=("tag:kept",)),
        "the undecided": Filters(lines=("screen:undecided",)),
    }
    places = {"first": 0, "middle": documents // 2, "last": documents - _PAGE}
    steps: dict[str, Callable[[], object]] = {}
    turn = cycle(DECISIONS)

    def flow_after_a_decision(filters: Filters) -> object:
        screening.decide(["d1"], next(turn))
        return screening.flow(filters)

    for order in get_args(Order):
        for name, first in places.items():
            steps[f"{name} page by {order}"] = partial(listing.page, order=order, first=first, count=_PAGE)
    for name, filters in limits.items():
        steps[f"first page by title, {name}"] = partial(listing.page, filters, order="title", count=_PAGE)
        steps[f"count, {name}"] = partial(library.count, filters)
        steps[f"review's flow after a decision, {name}"] = partial(flow_after_a_decision, filters)
        steps[f"review's flow again, {name}"] = partial(screening.flow, filters)
        steps[f"next undecided, {name}"] = partial(screening.next, filters)
    steps["one note kept"] = lambda: library.annotations.note(["d1"], f"Seen at {time.perf_counter()}")
    steps["one decision kept"] = lambda: screening.decide(["d1"], next(turn))
    return steps


def _filtering(library: Library) -> dict[str, Callable[[], object]]:
    """Return what is timed of the counts beside filters, and of the words of a question within them."""
    limits = {
        "all": Filters(),
        "patents": Filters(kinds=frozenset({"patent"})),
        "years": Filters(year_from=2000, year_to=2010),
        "a category": Filters(categories=frozenset({"c3"})),
        "a venue": Filters(venues=frozenset({"Journal 7"})),
        "an author": Filters(lines=("author:gale77",)),
        "patents of a venue": Filters(kinds=frozenset({"patent"}), venues=frozenset({"Journal 7"}), year_from=2024),
        "a collection of half": Filters(collections=frozenset({_COLLECTION})),
        "a large import": Filters(files=frozenset({"large.jsonl"})),
        "a title's word": Filters(lines=(f"title:{_word(0)}",)),
        "all but a word": Filters(lines=(f"NOT {_word(0)}",)),
        "the undecided": Filters(lines=("screen:undecided",)),
    }
    (question,) = library.get(["d1"])
    others = (Filters(lines=(f"NOT {_word(number)}",)) for number in cycle(range(1, _WORDS)))

    def just_opened(filters: Filters) -> object:
        with Library.open(library.folder) as other:
            return other.facets(filters)

    def last(filters: Filters) -> object:
        first = max(0, library.count(filters) - _PAGE)
        return library.listing.page(filters, order="title", first=first, count=_PAGE)

    def words(filters: Filters) -> object:
        return library.keywords.search(question.title, _PAGE, within=library.selection(filters))

    steps: dict[str, Callable[[], object]] = {
        f"facets, just opened, {name}": partial(just_opened, limits[name]) for name in ("all", "patents")
    }
    for name, filters in limits.items():
        steps[f"facets, {name}"] = partial(library.facets, filters)
        steps[f"last page by title, {name}"] = partial(last, filters)
        steps[f"words within, {name}"] = partial(words, filters)
    steps["facets, each time all but another word"] = lambda: library.facets(next(others))
    steps["words within, each time all but another"] = lambda: words(next(others))
    return steps


def _timed(step: Callable[[], object], repeats: int) -> Times:
    taken = []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        step()
        taken.append((time.perf_counter() - started) * 1000)
    return Times.of(taken[1:])


def _fill(library: Library, documents: int, seed: int) -> None:
    made = _made(seed)
    counts = {name: int(share * documents) for name, share in _FILES.items()}
    counts["large.jsonl"] += documents - sum(counts.values())
    for name, count in counts.items():
        library.add_file(name, name, islice(made, count))
    held = library.ids()
    library.annotations.tag(held[::_TAGGED], "kept")
    library.collections.add(_COLLECTION, held[::_DECIDED])
    library.screening.decide(held[::_DECIDED], "excluded", "Wrong subject")


def _made(seed: int) -> Iterator[Document]:
    """Give documents of random words, one after the other."""
    draw = random.Random(seed)
    number = 0
    while True:
        words = [_word(draw.randrange(_WORDS)) for _ in range(_TITLE + _ABSTRACT)]
        yield Document(
            f"d{number}",
            "patent" if number % 3 == 0 else "paper",
            " ".join(words[:_TITLE]),
            " ".join(words[_TITLE:]),
            year=draw.choice([None, *range(1990, 2025)]),
            categories=(f"c{number % 50}",),
            venue=f"Journal {number % 200}",
            authors=(f"Ada Gale{number % 9_999}",),
        )
        number += 1


def _word(number: int) -> str:
    """Return a word of letters for a number."""
    letters = ""
    for _ in range(4):
        number, rest = divmod(number, 26)
        letters += chr(ord("a") + rest)
    return f"w{letters}"
