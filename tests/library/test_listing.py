"""Pages of documents in every order and under filters, and how many pass by kind, year, category and venue."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from engine.core.errors import LineError, UnknownDocumentError
from engine.documents import Document
from engine.library import listing
from engine.library.annotations import Annotation
from engine.library.filters import Filters
from engine.library.listing import Facets, Order
from engine.library.store import Library
from tests.library.records import BOX, DELTA, SLED

TITLES = {"a": "«Zephyr»", "b": "Éolian harps", "c": "$k$-means", "d": "", "e": "eagles"}
YEARS = {"a": 2001, "b": None, "c": 1999, "d": 2001, "e": None}


@pytest.fixture
def five(library: Library) -> Library:
    library.add_file("k1", "five.csv", [Document(one, "paper", TITLES[one], year=YEARS[one]) for one in TITLES])
    return library


@pytest.mark.parametrize(
    ("order", "rising", "falling"),
    [("added", "abcde", "edcba"), ("title", "ebcad", "acbed"), ("year", "cadbe", "daceb")],
)
def test_every_order_goes_both_ways_and_what_lacks_the_field_comes_last(
    five: Library, order: Order, rising: str, falling: str
) -> None:
    assert "".join(row.id for row in five.listing.page(order=order)) == rising
    assert "".join(row.id for row in five.listing.page(order=order, descending=True)) == falling


@pytest.mark.parametrize("order", ["added", "title", "year"])
def test_pages_follow_each_other_without_gap_or_repetition(five: Library, order: Order) -> None:
    whole = [row.id for row in five.listing.page(order=order)]
    pages = [five.listing.page(order=order, first=first, count=2) for first in (0, 2, 4, 6)]
    assert [row.id for page in pages for row in page] == whole
    assert [len(page) for page in pages] == [2, 2, 1, 0]


@pytest.mark.parametrize("order", ["added", "title", "year"])
@pytest.mark.parametrize("descending", [False, True])
def test_pages_far_down_follow_those_before_under_filters_too(
    five: Library, order: Order, descending: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    five.collections.add("kept", ["e", "d", "b", "a"])
    five.annotations.tag(["a", "d", "e"], "wind")
    chosen = Filters(collections=frozenset({"kept"}), lines=("tag:wind",), files=frozenset({"five.csv"}))
    every = five.listing.page(order=order, descending=descending)
    for filters in (None, Filters(), chosen, Filters(year_from=2000), Filters(kinds=frozenset({"patent"}))):
        passing = [row.id for row in every if row.id in five.ids(filters)]
        for looked_up in (0, 3, 10**9):
            monkeypatch.setattr(listing, "_LOOKED_UP", looked_up)
            pages = [
                five.listing.page(filters, order=order, descending=descending, first=at, count=2) for at in (0, 2, 4)
            ]
            assert [row.id for page in pages for row in page] == passing


def test_documents_before_a_page_far_down_are_not_looked_up_one_by_one(
    five: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_LOOKED_UP", 4)
    asked: list[str] = []
    with five._database.read() as connection:
        connection.set_trace_callback(asked.append)
    five.listing.page(Filters(kinds=frozenset({"paper"})), order="title", count=2)
    five.listing.page(Filters(kinds=frozenset({"paper"})), order="title", first=4, count=2)
    five.listing.page(Filters(year_from=2000), order="title", count=2)
    queries = [one for one in asked if "ORDER BY sort_title" in one]
    with five._database.read() as connection:
        plans = [connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchone()[3] for query in queries]
    assert plans == [
        "SCAN documents USING INDEX documents_by_title",
        "SCAN documents USING COVERING INDEX documents_by_title",
        "SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)",
    ]


def test_a_row_says_what_brought_it_and_what_was_written(library: Library) -> None:
    library.add_file("k1", "first.ris", [BOX, DELTA])
    library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
    library.annotations.tag([BOX.id], "wind")
    library.annotations.note([BOX.id], "Holds.")
    library.screening.decide([DELTA.id], "excluded", "Too short")
    box, delta, sled = library.listing.page()
    assert (box.files, delta.files, sled.files) == (("first.ris", "second.ris"), ("first.ris",), ("second.ris",))
    first, second = (file.when for file in library.files())
    assert (box.added, sled.added) == (first, second)
    assert (box.title, box.year, box.kind) == (BOX.title, BOX.year, "paper")
    assert box.annotation == Annotation(("wind",), "Holds.") and delta.annotation == Annotation()
    assert delta.screened is not None and delta.screened.reason == "Too short" and box.screened is None


def test_filters_limit_the_pages(library: Library) -> None:
    library.add_file("k1", "first.ris", [BOX, DELTA])
    library.add_file("k2", "second.ris", [SLED, replace(BOX, id="box again")])
    second = Filters(files=frozenset({"second.ris"}))
    assert [row.id for row in library.listing.page(second, order="title")] == [BOX.id, SLED.id]
    both = replace(second, lines=("year:2016-",))
    assert [row.id for row in library.listing.page(both)] == [SLED.id]
    with pytest.raises(LineError):
        library.listing.page(Filters(lines=("year:soon",)))


def test_a_completed_reference_keeps_its_place(library: Library) -> None:
    library.add_file("k1", "list.bib", [replace(BOX, id="gale2015", abstract="", sections=()), DELTA])
    assert library.add_file("k2", "paper.pdf", [BOX]).completed == 1
    assert [row.id for row in library.listing.page()] == ["gale2015", DELTA.id]


def test_rows_and_whole_documents_come_by_id(five: Library) -> None:
    assert [row.id for row in five.listing.of(["c", "a"])] == ["c", "a"]
    (kept,) = five.listing.kept(["c"])
    assert (kept.document, kept.listed) == (five.get(["c"])[0], five.listing.of(["c"])[0])
    with pytest.raises(UnknownDocumentError):
        five.listing.of(["c", "z"])


def test_pages_in_the_usual_orders_are_read_from_indexes(five: Library) -> None:
    with five._database.read() as connection:
        for order, ordered in listing._ORDERED.items():
            for way in ("ASC", "DESC"):
                query = f"EXPLAIN QUERY PLAN SELECT position FROM documents ORDER BY {ordered.format(way=way)} LIMIT 9"
                plan = " ".join(row[3] for row in connection.execute(query))
                assert "USING COVERING INDEX documents_by_" in plan and "TEMP B-TREE" not in plan, (order, plan)


VENUES, FACET_YEARS = ("", "Walks", "Winds"), (None, 1999, 2004)
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
    for number, (venue, year, codes) in enumerate(product(VENUES, FACET_YEARS, CODES))
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
