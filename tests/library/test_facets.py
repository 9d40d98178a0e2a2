"""How many documents pass, by kind, year, category and venue."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from engine.documents import Document
from engine.library.facets import Facets
from engine.library.filters import Filters
from engine.library.store import Library

VENUES, YEARS = ("", "Walks", "Winds"), (None, 1999, 2004)
CODES = (("cs.LG",), ("cs.LG", "cs.RO"), ("G06F 17/30", "B65H75/44"), ())
DOCUMENTS = [
    Document(
        f"d{number}",
        "patent" if number % 3 == 0 else "paper",
        f"A title of its own, number {number}",
        f"Text {number} says nothing that another one says.",
        year=year,
        venue=venue,
        categories=codes,
    )
    for number, (venue, year, codes) in enumerate(product(VENUES, YEARS, CODES))
]
CHOICES = [
    Filters(),
    Filters(kinds=frozenset({"patent"})),
    Filters(year_from=2000),
    Filters(year_to=2000, venues=frozenset({"Walks"})),
    Filters(categories=frozenset({"cs.LG"})),
    Filters(categories=frozenset({"cs.LG", "cs.RO", "G06F17/30"}), kinds=frozenset({"paper"})),
    Filters(collections=frozenset({"Box"})),
    Filters(
        collections=frozenset({"Box"}), categories=frozenset({"cs.LG"}), year_from=1999, venues=frozenset({"Winds"})
    ),
    Filters(kinds=frozenset({"patent"}), venues=frozenset({"nowhere"})),
]


@pytest.fixture
def held(library: Library) -> Library:
    library.add_file("k", "made.jsonl", DOCUMENTS)
    library.collections.add("Box", [f"d{number}" for number in range(0, len(DOCUMENTS), 2)])
    return library


def groups(document: Document) -> set[str]:
    return {{"G06F 17/30": "G06F", "B65H75/44": "B65H"}.get(code, code) for code in document.categories}


def counted_one_by_one(library: Library, filters: Filters) -> Facets:
    """The same by looking at every document."""

    def passing(**left_out: object) -> list[Document]:
        return library.get(library.ids(replace(filters, **left_out)))  # type: ignore[arg-type]

    return Facets(
        total=len(passing()),
        kinds=Counter(one.kind for one in passing(kinds=frozenset())),
        years=Counter(one.year for one in passing(year_from=None, year_to=None) if one.year),
        categories=Counter(name for one in passing(categories=frozenset()) for name in groups(one)),
        venues=Counter(one.venue for one in passing(venues=frozenset()) if one.venue),
    )


@pytest.mark.parametrize("filters", CHOICES)
def test_a_facet_counts_what_choosing_each_value_would_show(held: Library, filters: Filters) -> None:
    assert held.facets(filters) == counted_one_by_one(held, filters)
    assert held.facets(filters) == counted_one_by_one(held, filters)  # from what is held


def test_the_largest_come_first_and_years_run_upwards(held: Library) -> None:
    found = held.facets()
    for counts in (found.kinds, found.categories, found.venues):
        assert list(counts.values()) == sorted(counts.values(), reverse=True)
    assert list(found.years) == [1999, 2004]


def test_counts_follow_the_library_and_its_collections(held: Library) -> None:
    box = Filters(collections=frozenset({"Box"}))
    before, kept = held.facets(), held.facets(box)
    held.collections.take_out("Box", ["d0"])
    held.remove(["d1"])
    held.add_file("more", "more.jsonl", [Document("n1", "paper", "One more title", "Something else.", venue="Waves")])
    assert held.facets(box).total == kept.total - 1
    assert held.facets().total == before.total and held.facets().venues["Waves"] == 1


def test_the_documents_are_read_once_and_not_for_every_choice(held: Library) -> None:
    held.facets()
    held.facets(CHOICES[1])
    asked: list[str] = []
    with held._database.read() as connection:
        connection.set_trace_callback(asked.append)
    for filters in CHOICES[:4]:
        held.facets(filters)
    assert asked and not any(statement.startswith(("SELECT position", "SELECT category")) for statement in asked)


def test_categories_and_collections_together_are_not_looked_up_pair_by_pair(held: Library) -> None:
    chosen = Filters(collections=frozenset({"Box"}), categories=frozenset({"cs.LG", "cs.RO"}))
    condition, parameters = chosen.condition()
    with held._database.read() as connection:
        query = f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {condition}"
        plan = [step for *_, step in connection.execute(query, parameters)]
    assert not any("id=? AND rowid=?" in step for step in plan)
