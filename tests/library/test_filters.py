"""Filters limit what a library answers."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.documents import Document
from engine.library.filters import Filters
from engine.library.store import Library
from tests.library.stored import PAPER, PATENT


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
