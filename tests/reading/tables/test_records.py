"""A row becomes a document, or is refused with its row and column."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from engine.core.errors import MalformedFileError, MissingColumnError
from engine.documents import Section
from engine.reading.dispatch import read_bytes
from engine.reading.limits import Limits
from engine.reading.tables.records import TableRow, load_json, to_document
from tests.reading.tables.rows import jsonl, of_csv, of_jsonl, of_parquet, parquet


def test_lists_in_csv_may_be_cut_by_semicolons() -> None:
    document = of_csv("title,keywords,sections\nA,tea; heat,All of it.\n")[0]
    assert document.keywords == ("tea", "heat")
    assert document.sections == (Section("Text", "All of it."),)


def test_missing_ids_are_told_by_content() -> None:
    ids = [one.id for one in of_jsonl(jsonl({"title": "A"}, {"title": "B"}, {"title": "A"}, {"title": "A", "id": 7}))]
    assert ids[0] == ids[2] != ids[1]
    assert ids[3] == "7"


def test_empty_values_are_nothing() -> None:
    nothing = {"title": "A", "abstract": None, "year": None, "sections": None, "authors": [], "url": ""}
    (document,) = of_jsonl(jsonl(nothing))
    assert (document.abstract, document.year, document.sections, document.authors) == ("", None, (), ())
    (document,) = of_csv("title,year,sections,claims\nA,,,\n")
    assert (document.year, document.sections, document.claims) == (None, (), ())


@pytest.mark.parametrize("year", [1999, "1999", " 1999 ", 1999.0, "1999.0", "1999."])
def test_years(year: object) -> None:
    assert of_jsonl(jsonl({"title": "A", "year": year}))[0].year == 1999


@pytest.mark.parametrize(
    ("written", "keywords"),
    [("[18F]FDG; PET", ("[18F]FDG", "PET")), ("[2+2] cycloaddition", ("[2+2] cycloaddition",)), ('["a;b"]', ("a;b",))],
)
def test_a_bracket_that_begins_a_word_is_no_list(written: str, keywords: tuple[str, ...]) -> None:
    assert of_csv(f'title,keywords\nA,"{written.replace(chr(34), chr(34) * 2)}"\n')[0].keywords == keywords
    assert of_jsonl(jsonl({"title": "A", "keywords": written}))[0].keywords == keywords


def test_nulls_in_lists_are_left_out() -> None:
    rows = [{"title": "A", "authors": ["B", None], "keywords": [None], "sections": [None, {"text": "C"}]}]
    for documents in (of_jsonl(jsonl(*rows)), of_parquet(parquet(rows))):
        assert (documents[0].authors, documents[0].keywords) == (("B",), ())
        assert documents[0].sections == (Section("Text", "C"),)


def test_a_text_beside_a_list_of_references_is_kept() -> None:
    references = {"title": "References", "text": "[1] A."}
    (document,) = of_jsonl(jsonl({"title": "A", "text": "Words.", "sections": [references]}))
    assert document.sections == (Section("Text", "Words."), Section("References", "[1] A.", "references"))
    (document,) = of_jsonl(jsonl({"title": "A", "text": "Words.", "sections": [{"title": "One", "text": "First."}]}))
    assert document.sections == (Section("One", "First."),)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://example.org", "10.1234/x"])
def test_only_links_to_the_web_are_kept(url: str) -> None:
    assert of_jsonl(jsonl({"title": "A", "url": url}))[0].url == ""


def test_characters_that_a_database_cannot_hold_are_mended() -> None:
    (document,) = of_jsonl(b'{"title": "A\\u0000 \\ud800 B", "abstract": "a\\r\\nb"}\n')
    assert (document.title, document.abstract) == ("A \ufffd B", "a\nb")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"year": "soon"}, "a year as four digits in the column 'year' of row 2 of a.jsonl, found 'soon'"),
        ({"year": 20015}, "a year as four digits in the column 'year' of row 2"),
        ({"year": "9" * 5000}, r"a year as four digits in the column 'year' of row 2 .*9\.\.\."),
        ({"year": "1999.5"}, "a year as four digits in the column 'year' of row 2 of a.jsonl, found '1999.5'"),
        ({"year": True}, "a year as four digits in the column 'year'"),
        ({"kind": "book"}, "one of paper, patent, query in the column 'kind' of row 2 of a.jsonl, found 'book'"),
        ({"title": True}, "text in the column 'title' of row 2"),
        ({"authors": [1]}, "names, or objects with names, in the column 'authors' of row 2"),
        ({"authors": {"a": 1}}, "names, or objects with names, in the column 'authors' of row 2"),
        ({"categories": 7}, "a list in the column 'categories' of row 2"),
        ({"keywords": [True]}, "a list of texts in the column 'keywords' of row 2"),
        ({"year": 801}, "a year as four digits in the column 'year' of row 2 of a.jsonl, found 801"),
        ({"sections": [5]}, "objects like .* in the column 'sections' of row 2"),
        ({"sections": [{"text": 1}]}, "objects like .* in the column 'sections' of row 2"),
        ({"sections": [{"title": 1, "text": "A"}]}, "a text as each title in the column 'sections' of row 2"),
        ({"keywords": '["tea", heat]'}, "a JSON list .* in the column 'keywords' of row 2"),
        ({"sections": '[{"title": '}, "a JSON list .* in the column 'sections' of row 2"),
    ],
)
def test_what_is_left_out_is_told_with_row_and_column(values: dict[str, Any], said: str) -> None:
    told: list[str] = []
    found = of_jsonl(jsonl({"title": "Fine"}, {"title": "A", **values}), said=told)
    assert [one.title for one in found] == (["Fine"] if "title" in values else ["Fine", "A"])
    assert len(told) == 1
    assert re.search(rf"^A(?:n entry| value) was left out\. Expected {said}.*Correct it and try again", told[0])
    with pytest.raises(MalformedFileError, match=f"Expected {said}"):
        to_document(TableRow({"title": "A", **values}, "row 2 of a.jsonl"))


def test_a_row_without_text_columns() -> None:
    told: list[str] = []
    assert len(of_jsonl(jsonl({"title": "A"}, {"name": "B"}), said=told)) == 1
    assert "Expected a column title, abstract or text in row 2 of a.jsonl, found the" in told[0]
    with pytest.raises(MissingColumnError, match=r"a column title, abstract or text in row 1 of a.jsonl, found the"):
        of_jsonl(jsonl({"name": "B"}))


def test_a_table_without_text_columns() -> None:
    with pytest.raises(MissingColumnError, match=r"in a\.csv, found the columns name, words\. Rename one of them"):
        read_bytes(b"name,words\nA,B\n", "a.csv")
    with pytest.raises(MissingColumnError, match=r"in a\.parquet, found the columns name"):
        read_bytes(parquet([{"name": "A"}]), "a.parquet")


def test_rows_with_empty_text_are_kept() -> None:
    assert [one.text for one in of_jsonl(jsonl({"id": "1", "title": "", "abstract": ""}))] == [""]


@pytest.mark.parametrize("bomb", ["[" * 100_000, '{"a":' * 100_000, '{"title": "A", "x": ' + "[" * 50 + "]" * 50 + "}"])
def test_deep_json(bomb: str) -> None:
    with pytest.raises(MalformedFileError, match=r"Expected JSON nested at most 32 deep in .*a.jsonl; it goes deeper"):
        of_jsonl(bomb.encode())


def test_a_number_of_thousands_of_digits() -> None:
    with pytest.raises(MalformedFileError, match=r"found one of thousands of digits. Write it as text, or take it out"):
        of_jsonl(b'{"id": "a", "title": "A", "cited": ' + b"9" * 5_000 + b"}")


def test_brackets_within_texts_are_no_nesting() -> None:
    assert load_json(json.dumps({"title": "[{" * 500 + '\\"'}), "a") == {"title": "[{" * 500 + '\\"'}


def test_lists_are_bounded() -> None:
    told: list[str] = []
    (found,) = of_jsonl(jsonl({"title": "A", "authors": list("abcd")}), Limits(max_list_items=3), told)
    assert found.authors == ()
    assert "Expected at most 3 entries in the column 'authors' of row 1 of a.jsonl, found 4. Split" in told[0]


@pytest.mark.parametrize("title", ["Bibliography", "6. References", "References and Notes", "VII Literature Cited"])
def test_a_reference_list_is_known_by_its_title(title: str) -> None:
    (found,) = of_jsonl(jsonl({"title": "T", "sections": [{"title": title, "text": "A. Lind. Lids."}]}))
    assert found.sections[0].role == "references"


def test_sections_of_one_name_stay_apart_but_paragraphs_of_one_section_are_joined() -> None:
    two = [{"title": "Method", "text": "One."}, {"title": "Method", "text": "Two."}]
    paragraphs = [{"section": "Method", "text": "One."}, {"section": "Method", "text": "Two."}]
    rows = [{"title": "A", "sections": two}, {"title": "B", "sections": paragraphs}]
    apart, joined = of_jsonl("".join(json.dumps(row) + "\n" for row in rows).encode())
    assert apart.sections == (Section("Method", "One."), Section("Method", "Two."))
    assert joined.sections == (Section("Method", "One.\n\nTwo."),)
