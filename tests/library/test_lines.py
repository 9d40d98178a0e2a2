"""Lines of words and fields let documents through, or say what is wrong and where."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import LineError
from engine.documents import Document
from engine.library.filters import Filters
from engine.library.lines import MOST_LINE_CHARACTERS, MOST_LINES, condition, fault_of, whole_lines
from engine.library.store import Library

PUMP = Document(
    "pump",
    "patent",
    title="Heat pump with a finned exchanger",
    abstract="A heat exchanger with fins feeds the pump; its seal sits three words from the piston ring.",
    authors=("Ana María Hernández",),
    inventors=("Ana María Hernández",),
    assignees=("Siemens AG",),
    year=2016,
    categories=("F28F 1/32",),
)
SOUND = Document(
    "sound",
    title="Speech and sound",
    abstract="A pump hums. The exchanger of ideas runs on heat.",
    authors=("Smith, Ada", "Jones, Bob"),
    year=2009,
    venue="Journal of Applied Physics",
    categories=("cs.SD",),
)
UNDATED = Document("undated", title="Ribs of ships", abstract="A rib and a tube.", authors=("Ada Jones",))


@pytest.fixture
def held(library: Library) -> Library:
    library.add_file("k", "three.jsonl", [PUMP, SOUND, UNDATED])
    return library


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pump", "pump sound"),
        ("PUMP exchanger", "pump sound"),
        ('"heat exchanger"', "pump"),
        ("heat-exchanger", "pump"),  # a word with a mark inside is kept as two
        ("fin*", "pump"),
        ("fin", ""),
        ("fin* OR rib", "pump undated"),
        ("pump NOT speech", "pump"),
        ("NOT pump", "undated"),
        ("rib OR pump speech", "sound undated"),  # AND binds more than OR
        ("(rib OR pump) speech", "sound"),
        ("NOT (rib OR speech)", "pump"),
        ("seal near/6 ring", "pump"),
        ("seal near/5 ring", ""),
        ('seal near/5 "piston ring"', "pump"),
        ("title:pump", "pump"),
        ('title:"heat pump"', "pump"),
        ("title: pump", "pump"),
        ("author:hernandez", "pump"),
        ('author:"hernández ana"', "pump"),
        ("inventor:her*", "pump"),
        ('author:"ada jones"', "undated"),  # not Ada of one name and Jones of another
        ("author:ada", "sound undated"),
        ("author:siemens", ""),
        ("assignee:siemens", "pump"),
        ("year:2016", "pump"),
        ("year:2000-2010", "sound"),
        ("year:2010-", "pump"),
        ("year:-2010", "sound"),
        ("NOT year:2016", "sound undated"),
        ("cpc:F28F", "pump"),
        ("cpc:f28f1/32", "pump"),
        ("category:cs.SD", "sound"),
        ("venue:physics", "sound"),
        (r'venue:"applied\ {physics}"', "sound"),
        ("venue:%", ""),
        ("kind:patent", "pump"),
        ("kind:papers", "sound undated"),
        ("pump and speech", "sound"),
    ],
)
def test_what_a_line_finds(held: Library, line: str, expected: str) -> None:
    assert held.ids(Filters(lines=(line,))) == expected.split()
    assert held.count(Filters(lines=(line,))) == len(expected.split())


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


def test_a_faulty_line_is_refused_by_a_library(held: Library) -> None:
    with pytest.raises(LineError, match="closing bracket"):
        held.ids(Filters(lines=("(pump",)))


@pytest.mark.parametrize(
    "line", ['pump"; DROP TABLE documents --', "pump') OR 1=1", 'a" OR "b*', "title:^x", "{a b} : c", "near(a b)"]
)
def test_what_is_typed_is_never_a_command(held: Library, line: str) -> None:
    if fault_of(line) is None:
        assert set(held.ids(Filters(lines=(line,)))) <= {"pump", "sound", "undated"}
    assert len(held) == 3


def test_each_line_must_hold_and_with_the_other_filters(held: Library) -> None:
    assert held.ids(Filters(lines=("pump", "heat"), year_to=2010)) == ["sound"]


OR_OF_FIELDS = "title:ribs OR year:2016-2020"


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        (Filters(), ["pump", "undated"]),
        (Filters(kinds=frozenset({"paper"})), ["undated"]),
        (Filters(kinds=frozenset({"patent"}), year_to=2016), ["pump"]),
        (Filters(year_to=2010), []),
        (Filters(categories=frozenset({"F28F"})), ["pump"]),
        (Filters(lines=("tube OR speech",)), ["undated"]),
    ],
)
def test_a_line_with_or_is_one_group_beside_the_other_filters(
    held: Library, beside: Filters, expected: list[str]
) -> None:
    for lines in ((*beside.lines, OR_OF_FIELDS), (OR_OF_FIELDS, *beside.lines)):
        filters = replace(beside, lines=lines)
        assert held.ids(filters) == expected
        assert held.count(filters) == held.facets(filters).total == len(expected)
        assert [row.id for row in held.listing.page(filters)] == expected
    assert held.count(Filters(lines=(OR_OF_FIELDS,))) == 2  # what stands beside the line


def test_whole_lines_leave_out_faults_and_repetitions() -> None:
    assert whole_lines(["pump", "(", "pump", "rib"]) == ("pump", "rib")
    assert len(whole_lines([f"word{chr(97 + number)}" for number in range(MOST_LINES + 3)])) == MOST_LINES


def test_names_are_changed_and_taken_out_with_their_document(held: Library, tmp_path: Path) -> None:
    held.remove(["undated"])
    assert held.ids(Filters(lines=("author:ada",))) == ["sound"]
    assert held.by_person("ada jon") == []
    assert held.by_person("smith a") == ["sound"]
    assert held.by_person("...") == []


def test_names_and_categories_are_looked_up_by_their_tables_keys(held: Library) -> None:
    sql, parameters = condition('author:"ada smith" cpc:F28F')
    with held._database.read() as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {sql}", parameters).fetchall()
    assert not [step for *_, step in plan if "SCAN people" in step or "SCAN categories" in step]


def test_facets_count_what_a_line_lets_through(held: Library) -> None:
    found = held.facets(Filters(lines=("pump OR rib",), kinds=frozenset({"paper"})))
    assert (found.total, dict(found.kinds), dict(found.categories)) == (2, {"paper": 2, "patent": 1}, {"cs.SD": 1})
