"""What passes filters is the same however it is looked up, and is counted again only when it may have changed."""

from __future__ import annotations

import pytest

from engine.library import passing
from engine.library.database import Database
from engine.library.filters import Filters
from engine.library.store import Library
from tests.library.noted import BOX, DELTA, SLED

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
    condition = passing.condition

    def told(connection: object, filters: Filters) -> tuple[str, list[str | int]]:
        counted.append(filters)
        return condition(connection, filters)  # type: ignore[arg-type]

    monkeypatch.setattr(passing, "condition", told)
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
