"""Filters limit what a library answers, and what passes is counted again only when it may have changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.documents import Document
from engine.library import filters as passing
from engine.library.database import Database
from engine.library.filters import Filters
from engine.library.store import Library
from tests.library.records import BOX, DELTA, PAPER, PATENT, SLED


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), [PAPER.id, PATENT.id]),
        (Filters(kinds=frozenset({"patent"})), [PATENT.id]),
        (Filters(year_from=2012), [PAPER.id]),
        (Filters(year_to=2012), [PATENT.id]),
        (Filters(categories=frozenset({"A63H"})), [PATENT.id]),
        (Filters(categories=frozenset({"A63H27/08"})), [PATENT.id]),
        (Filters(categories=frozenset({"cs.RO", "B65H"})), [PAPER.id, PATENT.id]),
        (Filters(venues=frozenset({"Journal of Wind"})), [PAPER.id]),
        (Filters(venues=frozenset({r"{Journal} of\ Wind"})), [PAPER.id]),  # as lists and links once had it
        (Filters(kinds=frozenset({"patent"}), year_from=2014), []),
    ],
)
def test_filters(library: Library, filters: Filters, expected: list[str]) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.ids(filters) == expected


@pytest.mark.parametrize("asked", ["G06F17/30", "G06F 17/30", "g06f17/30", "G 06 F 17/30"])
def test_a_patent_code_is_found_however_it_is_spelt(library: Library, asked: str) -> None:
    spellings = ["G06F 17/30", "G06F17/30", "g06f 17/30", "G 06 F 17/30"]
    documents = [Document(f"d{n}", title=f"Reel {n}", categories=(code,)) for n, code in enumerate(spellings)]
    others = [("G06F 17/301",), ("G06F 17/3",), ("G06Q 17/30",), ("cs.LG",)]
    documents += [Document(f"o{n}", title=f"Line {n}", categories=codes) for n, codes in enumerate(others)]
    library.add_file("k1", "codes.jsonl", documents)
    assert library.ids(Filters(categories=frozenset({asked}))) == ["d0", "d1", "d2", "d3"]
    assert library.ids(Filters(categories=frozenset({asked, "cs.LG"}))) == ["d0", "d1", "d2", "d3", "o3"]
    assert library.ids(Filters(categories=frozenset({asked[:-3], "cs.lg"}))) == []
    assert library.ids(Filters(categories=frozenset({"g06f"}))) == ["d0", "d1", "d2", "d3", "o0", "o1"]
    assert library.category_counts() == {"G06F": 6, "G06Q": 1, "cs.LG": 1}


def test_a_patent_code_is_looked_up_by_the_table_s_key(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True):
        condition, parameters = Filters(categories=frozenset({"G06F17/30"})).condition()
    connection = sqlite3.connect(tmp_path / "library.sqlite3")
    plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {condition}", parameters).fetchall()
    connection.close()
    assert not any("SCAN categories" in step for *_, step in plan)


def test_years_beside_another_filter_are_read_as_they_lie_and_not_year_by_year(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True):
        pass
    years, patents = Filters(year_from=1990), Filters(year_from=1990, kinds=frozenset({"patent"}))
    connection = sqlite3.connect(tmp_path / "library.sqlite3")
    plans = []
    for filters, order in ((years, ""), (patents, ""), (patents, " ORDER BY sort_title LIMIT 25")):
        condition, parameters = filters.condition()
        query = f"EXPLAIN QUERY PLAN SELECT position FROM documents WHERE {condition}{order}"
        plans.append(connection.execute(query, parameters).fetchone()[3])
    connection.close()
    assert plans[0].startswith("SEARCH documents USING COVERING INDEX documents_by_year")
    assert plans[1:] == ["SCAN documents", "SCAN documents USING INDEX documents_by_title"]


def test_a_document_without_a_year_passes_no_limit_on_years(library: Library) -> None:
    library.add_file("k1", "one.txt", [Document("undated", title="Kites")])
    assert library.ids(Filters(year_to=2030)) == []
    assert library.summaries().years == [0]


def test_what_an_import_brought_is_found_by_its_name_whatever_else_brought_it(imported: Library) -> None:
    found = {name: imported.ids(Filters(files=frozenset({name}))) for name in ("kites.jsonl", "pools.jsonl", "x.csv")}
    assert found == {"kites.jsonl": ["p1", "US1"], "pools.jsonl": ["p1", "p2"], "x.csv": []}
    both = Filters(kinds=frozenset({"patent"}), files=frozenset({"kites.jsonl", "pools.jsonl"}))
    assert imported.ids(both) == ["US1"]
    assert imported.facets(Filters(files=frozenset({"pools.jsonl"}))).kinds == {"paper": 2}


FIRST, BOTH = Filters(files=frozenset({"one.ris"})), Filters(files=frozenset({"one.ris", "two.ris"}))


@pytest.fixture
def kites(library: Library) -> Library:
    library.add_file("k1", "one.ris", [BOX, DELTA])
    library.add_file("k2", "two.ris", [SLED, BOX])
    return library


@pytest.mark.parametrize("many", [1, 10**9])
def test_an_import_finds_the_same_large_or_small(kites: Library, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(passing, "_MANY", many)
    assert kites.ids(FIRST) == [BOX.id, DELTA.id] and kites.count(FIRST) == 2
    assert [row.id for row in kites.listing.page(FIRST, order="title", descending=True)] == [DELTA.id, BOX.id]
    assert kites.count(BOTH) == 3 and kites.screening.next(Filters(files=frozenset({"two.ris"}))) == BOX.id
    kites.screening.decide([BOX.id, SLED.id], "included")
    assert (kites.screening.flow(FIRST).included, kites.screening.flow(BOTH).identified) == (1, 4)
    assert kites.count(Filters(files=frozenset({"none.ris"}))) == 0


def test_totals_are_counted_once_until_something_changes(kites: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Filters] = []
    condition = passing.condition_of

    def told(connection: object, filters: Filters) -> tuple[str, list[str | int]]:
        counted.append(filters)
        return condition(connection, filters)  # type: ignore[arg-type]

    monkeypatch.setattr(passing, "condition_of", told)
    tagged = Filters(lines=("tag:wind",))
    assert (kites.count(FIRST), kites.count(FIRST), kites.count(tagged), kites.count(tagged)) == (2, 2, 0, 0)
    assert counted == [FIRST, tagged]
    kites.annotations.tag([BOX.id], "wind")
    assert (kites.count(FIRST), kites.count(tagged)) == (2, 1)
    assert counted == [FIRST, tagged, tagged]
    kites.remove([BOX.id])
    assert (kites.count(FIRST), kites.count(tagged)) == (1, 0)
    kites.collections.add("read", [DELTA.id])
    read = Filters(collections=frozenset({"read"}))
    assert kites.count(read) == 1
    kites.collections.take_out("read", [DELTA.id])
    assert kites.count(read) == 0


def test_a_file_that_brings_only_what_is_held_is_counted_and_selected(kites: Library) -> None:
    later = Filters(files=frozenset({"later.ris"}))
    assert (kites.count(later), kites.selection(later)) == (0, frozenset())
    before = kites.screening.flow()
    kites.add_file("k3", "later.ris", [DELTA])
    assert kites.screening.flow().duplicates == before.duplicates + 1
    assert (kites.count(later), kites.selection(later)) == (1, {DELTA.id})
    kites.remove_file("k3")
    assert (kites.count(later), kites.selection(later)) == (0, frozenset())


def test_a_collection_is_known_by_its_new_name_alone(kites: Library) -> None:
    kites.collections.add("read", [BOX.id])
    old, new = (Filters(collections=frozenset({name})) for name in ("read", "cited"))
    assert (kites.count(old), kites.count(new)) == (1, 0)
    kites.collections.rename("read", "cited")
    assert (kites.count(old), kites.count(new)) == (0, 1)


def test_the_last_selections_are_held_until_something_changes(kites: Library) -> None:
    limits = [FIRST, BOTH, Filters(kinds=frozenset({"paper"})), Filters(lines=("tag:wind",))]
    first, *others = [kites.selection(one) for one in limits]
    assert [first, *others] == [set(kites.ids(one)) for one in limits]
    assert all(kites.selection(one) is found for one, found in zip(limits[1:], others, strict=True))
    again = kites.selection(FIRST)
    assert again == first and again is not first
    assert kites.selection(limits[-1]) is others[-1]
    kites.annotations.tag([BOX.id], "wind")
    assert kites.selection(limits[-1]) == {BOX.id} and kites.selection(FIRST) is again


def test_only_the_last_totals_are_held(kites: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "_HELD", 2)
    totals = passing.Totals()
    database = Database(kites.folder / "library.sqlite3")
    with database.read() as connection:
        for year in range(4):
            assert totals.documents(connection, Filters(year_from=2015 + year)) == max(0, 3 - year)
    database.close()
    assert len(totals._held) == 2
