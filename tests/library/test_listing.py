"""Pages of documents: in every order, under filters, with what brought them and what was written about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.errors import LineError, UnknownDocumentError
from engine.documents import Document
from engine.library import listing
from engine.library.annotations import Annotation
from engine.library.filters import Filters
from engine.library.listing import Order
from engine.library.store import Library
from tests.library.noted import BOX, DELTA, SLED

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
