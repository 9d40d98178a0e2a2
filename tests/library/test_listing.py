"""Documents listed: every order, lines of words and fields, filters, and people by their names."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.documents.people import PersonName
from engine.library import filters as passing
from engine.library import listing
from engine.library.database import Database
from engine.library.filters import Filters
from engine.library.lines import MOST_LINE_CHARACTERS, MOST_LINES, condition, fault_of, whole_lines
from engine.library.store import Library
from tests.contracts.library_lists import (
    CHOICES,
    ListsContract,
)


@pytest.mark.parametrize(
    ("line", "at", "said"),
    [
        ('a "open', 2, 'Expected a second " for the one at character 3'),
        ("(pump OR rib", 12, "Expected a closing bracket at character 13, got the end of the line"),
        ("pump OR", 7, "Expected a word, a phrase, a field or a bracket at character 8"),
        ("pump ) rib", 5, "Expected the end of the line at character 6, got “)”"),
        ("colour:red", 0, "Expected the name of a field at character 1, got “colour”"),
        ("colour:red", 0, "one of title, author, inventor, assignee, year, cpc, category, venue, kind, tag, note"),
        ("pump year:20", 10, "Expected a year or years at character 11, got “20”"),
        ("year:-", 5, "Expected a year or years"),
        ("kind:book", 5, "Expected one of paper, patent"),
        ("author:...", 7, "Expected a name"),
        ("title:", 6, "Expected a word or a phrase after title:"),
        ("seal near/5", 11, "Expected a word or a phrase after near/5"),
        ("seal near/500 ring", 5, "Expected near/1 to near/100"),
        ("1234", 0, "Expected a word with a letter"),
        ("NOT", 3, "Expected a word"),
        ("", 0, "Expected a word"),
        ("(" * 30 + "a" + ")" * 30, 20, "Expected at most 20 brackets within each other"),
        ("a " * 101, 200, "Expected a line of at most 100 words and signs, got 101"),
        ("a" * (MOST_LINE_CHARACTERS + 1), MOST_LINE_CHARACTERS, "Expected a line of at most 1,000 characters"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(line: str, at: int, said: str) -> None:
    fault = fault_of(line)
    assert fault is not None
    assert fault.at == at
    assert said in str(fault)


def test_whole_lines_leave_out_faults_and_repetitions() -> None:
    assert whole_lines(["pump", "(", "pump", "rib"]) == ("pump", "rib")
    assert len(whole_lines([f"word{chr(97 + number)}" for number in range(MOST_LINES + 3)])) == MOST_LINES


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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is a kite?",
        "10,123,456",
        "Pang, Lee, Brown",
        "Kites (2002)",
        "a b c d e f g",
        "x" * 90,
        "x" * 79 + "1",
    ],
)
def test_another_text_is_no_name(text: str) -> None:
    assert PersonName.read(text) is None


class TestLists(ListsContract):
    def test_documents_before_a_page_far_down_are_not_looked_up_one_by_one(
        self, five: Library, monkeypatch: pytest.MonkeyPatch
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

    def test_pages_in_the_usual_orders_are_read_from_indexes(self, five: Library) -> None:
        with five._database.read() as connection:
            for order, ordered in listing._ORDERED.items():
                for way in ("ASC", "DESC"):
                    query = (
                        f"EXPLAIN QUERY PLAN SELECT position FROM documents ORDER BY {ordered.format(way=way)} LIMIT 9"
                    )
                    plan = " ".join(row[3] for row in connection.execute(query))
                    assert "USING COVERING INDEX documents_by_" in plan and "TEMP B-TREE" not in plan, (order, plan)

    def test_the_documents_are_read_once_and_not_for_every_choice(self, held: Library) -> None:
        held.facets()
        held.facets(CHOICES[1])
        asked: list[str] = []
        with held._database.read() as connection:
            connection.set_trace_callback(asked.append)
        for filters in CHOICES[:4]:
            held.facets(filters)
        assert asked and not any(statement.startswith(("SELECT position", "SELECT category")) for statement in asked)

    def test_categories_and_collections_together_are_not_looked_up_pair_by_pair(self, held: Library) -> None:
        chosen = Filters(collections=frozenset({"Box"}), categories=frozenset({"cs.LG", "cs.RO"}))
        condition, parameters = chosen.condition()
        with held._database.read() as connection:
            query = f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {condition}"
            plan = [step for *_, step in connection.execute(query, parameters)]
        assert not any("id=? AND rowid=?" in step for step in plan)

    def test_names_and_categories_are_looked_up_by_their_tables_keys(self, three: Library) -> None:
        sql, parameters = condition('author:"ada smith" cpc:F28F')
        with three._database.read() as connection:
            plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {sql}", parameters).fetchall()
        assert not [step for *_, step in plan if "SCAN people" in step or "SCAN categories" in step]

    def test_only_the_last_totals_are_held(self, kites: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(passing, "_HELD", 2)
        totals = passing.Totals()
        database = Database(kites.folder / "library.sqlite3")
        with database.read() as connection:
            for year in range(4):
                assert totals.documents(connection, Filters(year_from=2015 + year)) == max(0, 3 - year)
        database.close()
        assert len(totals._held) == 2
