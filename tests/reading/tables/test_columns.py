"""CSV, Parquet and other tables into documents: columns as other tools name them, values in any form, rows refused."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import (
    InputError,
    InputTooLargeError,
    MalformedFileError,
    MissingColumnError,
    TruncatedFileError,
)
from engine.documents import Section
from engine.reading.dispatch import detect, iter_documents, read_bytes
from engine.reading.limits import Limits
from engine.reading.references.entries import cited_source
from engine.reading.tables.columns import as_ours, labels_of, names_of, python_list, text_of, year_of
from engine.reading.tables.records import TableRow, load_json, to_document
from tests.reading.tables.rows import DOCUMENT, ROW, jsonl, of_csv, of_jsonl, of_parquet, parquet


@pytest.mark.parametrize(
    "header",
    [
        "Title,Year,Authors,DOI,Abstract,Source title,Author Keywords,EID",  # Scopus
        "title,publication_year,authorships.author.display_name,doi,abstract,primary_location.source.display_name,DE,x",
        "Title,Publication Year,Author,DOI,Abstract Note,Publication Title,Keywords,Key",  # Zotero
    ],
)
def test_columns_as_other_tools_name_them(header: str) -> None:
    (found,) = of_csv(f"{header}\nQuiet lids,2020,Lind A.; Ek B.,10.1234/x,Of lids.,Lid Journal,lids; noise,7\n")
    assert (found.id, found.url) == ("doi:10.1234/x", "https://doi.org/10.1234/x")
    assert (found.title, found.year, found.abstract, found.venue) == ("Quiet lids", 2020, "Of lids.", "Lid Journal")
    assert (found.authors, found.keywords) == (("Lind A.", "Ek B."), ("lids", "noise"))


def test_a_column_of_our_own_name_goes_before_others() -> None:
    (found,) = of_csv("Author,authors,Title,title,doi,id\nx,Ada Lind,y,Lids,10.1234/x,own\n")
    assert (found.id, found.title, found.authors, found.url) == (
        "own",
        "Lids",
        ("Ada Lind",),
        "https://doi.org/10.1234/x",
    )
    (record,) = of_jsonl(jsonl({"Title": "Lids", "Year": 2020, "DOI": None}))
    assert (record.title, record.year) == ("Lids", 2020)


def test_kinds_of_patents_make_patents() -> None:
    lens = "#,Jurisdiction,Kind,Display Key,Lens ID,Publication Year,Title,Abstract,Applicants,Inventors,URL\n"
    (found,) = of_csv(f"{lens}1,EP,A1,EP 1234567 A1,1-2,2019,LID,A lid.,POTS AG;;LIDS AB,LIND ADA;;EK BO,https://l/1\n")
    assert (found.id, found.kind, found.year, found.venue) == ("EP1234567A1", "patent", 2019, "POTS AG; LIDS AB")
    assert (found.authors, found.url) == (("LIND ADA", "EK BO"), "https://l/1")


def test_google_patents() -> None:
    header = "id,title,assignee,inventor/author,priority date,publication date,grant date,result link\n"
    link = "https://patents.google.com/patent/US1234567B2/en"
    text = f'search URL:,https://x\n{header}US-1234567-B2,Lid,Pots AG,"Ada Lind, Bo Ek",2018-01-02,2021-03-04,,{link}\n'
    (found,) = of_csv(text)
    assert (found.id, found.kind, found.year) == ("US1234567B2", "patent", 2021)
    assert (found.authors, found.venue, found.url) == (("Ada Lind", "Bo Ek"), "Pots AG", link)


@pytest.mark.parametrize(
    ("text", "authors", "year"),
    [
        (
            "Item Title,Publication Title,Item DOI,Authors,Publication Year\nLids,J,10.1007/x,Ada LindBo Ek,2021\n",
            ("Ada Lind", "Bo Ek"),
            2021,
        ),
        (
            'PMID,Title,Authors,Citation,Publication Year\n1,Lids,"Lind A, Ek B.",x,2021\n',
            ("Lind A", "Ek B"),
            2021,
        ),
        ("PMID,Title,Authors,Citation,Publication Year\n1,Lids,Lind A.,x,2021\n", ("Lind A",), 2021),
        (
            'Cites,Authors,Title,Year,Source,ArticleURL\n1,"A Lind, B Ek",Lids,2021,J,x\n',
            ("A Lind", "B Ek"),
            2021,
        ),
        (
            "Lens ID,Title,Date Published,Author/s\n1,Lids,2021-03-02,Ada Lind; Bo Ek\n",
            ("Ada Lind", "Bo Ek"),
            2021,
        ),
        ("patent_id\tpatent_date\tpatent_title\n10000000\t2018-06-19\tLids\n", (), 2018),
        ("PT\tAU\tTI\tSO\tID\tPY\nJ\tLind, A; Ek, B\tLids\tJ\tNOISE\t2021\n", ("Lind, A", "Ek, B"), 2021),
        ("titles,summaries,terms\nLids,Of lids.,\"['cs.CV', 'cs.LG']\"\n", (), None),
        ("Titel;Autoren;Jahr\nLids;Lind, Ada;2021\n", ("Lind, Ada",), 2021),
        (
            "id,display_name,authorships.author.display_name\nW1,Lids,Ada Lind|Bo Ek\n",
            ("Ada Lind", "Bo Ek"),
            None,
        ),
    ],
)
def test_exports_of_services(text: str, authors: tuple[str, ...], year: int | None) -> None:
    (found,) = of_csv(text)
    assert (found.title, found.authors, found.year) == ("Lids", authors, year)


def test_ids_of_services() -> None:
    assert of_csv("patent_id,patent_title\n10000000,Lid\n")[0].id == "US10000000"
    assert of_csv("patent_id,patent_title\nD345393,Lid\n")[0].id == "USD345393"
    assert of_csv("PMID,Title\n12,Lids\n")[0].id == "pmid:12"
    (both,) = of_csv("PMID,DOI,Title\n12.0,10.1000/lids,Lids\n")
    assert (both.id, [*both.identifiers]) == ("doi:10.1000/lids", [("pmid", "12")])
    assert of_csv("id,title,doi\nhttps://openalex.org/W1,Lids,https://doi.org/10.1234/x\n")[0].id == "doi:10.1234/x"
    assert of_csv("UT,TI,SO,PT,ID\nWOS:1,Lids,J,J,NOISE\n")[0].id.startswith("text:")


def test_a_patent_of_zoteros_names_its_assignee() -> None:
    header = "Key,Item Type,Publication Year,Author,Title,Publication Title,Assignee\n"
    patent, paper = of_csv(f'{header}A,patent,2019,"Ek, Bo",Lid,,Pots AG\nB,journalArticle,2020,"Ek, Bo",Lids,J,\n')
    assert (patent.kind, patent.venue, paper.kind, paper.venue) == ("patent", "Pots AG", "paper", "J")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (
            ["题名", "作者", "摘要", "关键词", "刊名", "年"],
            ["title", "authors", "abstract", "keywords", "venue", "year"],
        ),
        (["发明名称", "发明人", "申请人", "公开(公告)日"], ["title", "authors", "venue", "year"]),
        (
            ["発明の名称", "発明者", "出願人/権利者", "公知日", "要約"],
            ["title", "authors", "venue", "year", "abstract"],
        ),
        (["Название", "Авторы", "Журнал", "Год", "Аннотация"], ["title", "authors", "venue", "year", "abstract"]),
        (["Título", "Autores", "Resumen", "Año", "Revista"], ["title", "authors", "abstract", "year", "venue"]),
        (["제목", "저자", "학술지", "연도", "초록"], ["title", "authors", "venue", "year", "abstract"]),
        (["Titel", "Autor", "Jahr", "Zusammenfassung"], ["title", "authors", "year", "abstract"]),
        (["Authors", "Title", "Publication", "Year", "Publisher"], ["authors", "title", "venue", "year", "Publisher"]),
    ],
)
def test_columns_in_other_languages(header: list[str], expected: list[str]) -> None:
    assert as_ours(header) == expected


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (2021, 2021),
        ("2021", 2021),
        (2021.0, 2021),
        ("2021-03-02T00:00:00Z", 2021),
        ("2 March 2021", 2021),
        ("02.03.2021", 2021),
        ("3/2/21", 2021),
        ("3/2/99", 1999),
        ("20210302", 2021),
        (20210302, 2021),
        (1614643200, 2021),
        (1614643200000, 2021),
        ("2021年3月", 2021),
        ({"date-parts": [["2021", 3]]}, 2021),
        ({"raw": "Spring 2021"}, 2021),
        ([2021, 3, 2], 2021),
        (date(2021, 3, 2), 2021),
        (datetime(2021, 3, 2, tzinfo=UTC), 2021),
        (None, None),
        ("", None),
        (0, None),
        ("n.d.", None),
        (float("nan"), None),
    ],
)
def test_years(value: object, year: int | None) -> None:
    assert year_of(value) == year


@pytest.mark.parametrize("value", [801, "801", "soon", True, "1999.5", 20015, ["x"]])
def test_what_is_no_year(value: object) -> None:
    with pytest.raises(ValueError, match="no year"):
        year_of(value)


@pytest.mark.parametrize(
    "author",
    [
        "Ada M. Lind",
        {"name": "Ada M. Lind", "authorId": "7"},
        {"given": "Ada M.", "family": "Lind", "sequence": "first", "affiliation": []},
        {"first": "Ada", "middle": ["M."], "last": "Lind", "suffix": ""},
        {"firstName": "Ada M.", "lastName": "Lind", "creatorType": "author"},
        {"ForeName": "Ada M.", "LastName": "Lind", "Initials": "AM"},
        {"author": {"display_name": "Ada M. Lind"}, "author_position": "first"},
        {"literal": "Ada M. Lind"},
        {"person": {"surname": "Lind", "forename": "Ada M."}},
        ["Lind", "Ada M.", ""],
    ],
)
def test_an_author_in_any_form(author: object) -> None:
    assert names_of([author, None]) == ["Ada M. Lind"]


def test_authors_in_other_forms() -> None:
    assert names_of({"name": "Ada Lind"}) == ["Ada Lind"]
    assert names_of([{"given": "Bo", "family": "Berg", "non-dropping-particle": "van der"}]) == ["Bo van der Berg"]
    editor = {"lastName": "Ek", "creatorType": "editor"}
    assert names_of([editor, {"lastName": "Lind", "creatorType": "author"}]) == ["Lind"]
    assert names_of([editor]) == ["Ek"]
    assert names_of("[{'authorId': '1', 'name': 'Ada Lind'}, {'name': \"Bo O'Ek\"}]") == ["Ada Lind", "Bo O'Ek"]
    assert names_of([5]) is None
    assert names_of(5) is None
    assert names_of([{"x": {"y": 1}}]) is None


def test_texts_and_labels() -> None:
    assert text_of(["One", "", "Two"], "\n\n") == "One\n\nTwo"
    assert text_of(["One", "Two"], "") == "One"
    assert text_of([{"text": "One", "section": "Abstract"}], " ") == "One"
    assert text_of({"de": "Eins", "en": "One"}, " ") == "One"
    assert (text_of(1984, ""), text_of(None, ""), text_of(True, "")) == ("1984", "", None)
    assert text_of({"a": {"b": {"c": {"d": {"e": "f"}}}}}, "") is None
    assert labels_of(["a", {"tag": "b"}, {"display_name": "c"}]) == ["a", "b", "c"]
    assert labels_of([True]) is None
    assert python_list("['a', \"b's\", None]") == ["a", "b's"]
    assert python_list("[18F]FDG") is None


@pytest.mark.parametrize("piece", ["'a',", "['", "\\", "'name': '", "1/", "20", "(", '"'])
def test_hostile_texts_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    text = piece * (100_000 // len(piece))
    for one in (text, f"[{text}]", f"['{text}"):
        python_list(one)
        names_of(one)
        try:
            year_of(one)
        except ValueError:
            pass
    assert time.process_time() - begun < 5


def test_lists_in_csv_may_be_cut_by_semicolons() -> None:
    document = of_csv("title,keywords,sections\nA,tea; heat,All of it.\n")[0]
    assert document.keywords == ("tea", "heat")
    assert document.sections == (Section("Text", "All of it."),)


@pytest.mark.parametrize(
    ("source", "venue", "year"),
    [
        ("Reef Notes (2021) 12:3 (101-109). Date of Publication: 25 Aug 2021", "Reef Notes", 2021),
        ("Reef Notes (2019) 54 (83-86). Date of Publication: 1 Jan 2019", "Reef Notes", 2019),
        ("Reef Notes. 12 (3) (pp 101-109), 2021. Date of Publication: 25 Aug 2021.", "Reef Notes", 2021),
        ("Reef Notes. Aug2021, Vol. 12 Issue 3, p101-109. 9p.", "Reef Notes", 2021),
        ("Reef Notes January/February 2010;14(1):56", "Reef Notes", 2010),
        ("Reef Notes 12, Winter 2007: 7-14.", "Reef Notes", 2007),
        ("Gazette of Reefs. 1288(3), Nov. 16, 2004.", "Gazette of Reefs", 2004),
        ("BMJ (Clinical research ed.). 340:c1723, 2010", "BMJ (Clinical research ed.)", 2010),
        ("Reef Notes, pp 2010-2019, 12(3), 2021", "Reef Notes", 2021),
        ("Reef Notes, 2021", "Reef Notes", 2021),
        ("Reef Notes. 2021.", "Reef Notes", 2021),
        *(
            (text, text, None)
            for text in ("Reef Notes", "2021 Conference on Reefs (CR 2021)", "Reef Notes, vol 1234", "3D 2020")
        ),
    ],
)
def test_a_source_as_databases_cite_it(source: str, venue: str, year: int | None) -> None:
    assert cited_source(source) == (venue, year)
    (found,) = of_csv(f'title,source\nDrift,"{source}"\n')
    assert (found.venue, found.year) == (venue, year)


def test_a_year_of_its_own_goes_before_that_of_the_source() -> None:
    (found,) = of_csv('title,source,publication year\nDrift,"Reef Notes (2021) 12:3 (1-9)",2020\n')
    assert (found.venue, found.year) == ("Reef Notes", 2020)


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
def test_a_year_as_text_or_number(year: object) -> None:
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


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_has_every_column(delimiter: str) -> None:

    held = io.StringIO()
    writer = csv.writer(held, delimiter=delimiter)
    writer.writerow(ROW)
    writer.writerow(value if isinstance(value, str) else json.dumps(value) for value in ROW.values())
    assert of_csv(held.getvalue()) == [DOCUMENT]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_header_in_quotation_marks_may_hold_the_delimiter(delimiter: str) -> None:
    rows = [["title", f"notes{delimiter} long", "year"], ["A", "b", "1999"]]
    text = "".join(delimiter.join(f'"{cell}"' for cell in row) + "\n" for row in rows)
    assert [(one.title, one.year) for one in of_csv(text)] == [("A", 1999)]


def test_a_table_with_old_line_ends_is_told_by_its_header() -> None:
    assert detect(b"title,abstract\rA,B\r", "a") == "csv"


def test_a_byte_order_mark_is_no_part_of_a_column() -> None:
    assert read_bytes("\ufefftitle,abstract\nA,B\n".encode(), "a.csv").document.title == "A"


def test_a_mark_before_a_formula_that_our_export_puts_there_is_taken_off() -> None:
    (found,) = of_csv("title,abstract\n'-omics of the cell,'tis so\n")
    assert (found.title, found.abstract) == ("-omics of the cell", "'tis so")


def test_a_quotation_mark_that_does_not_close_costs_its_row_alone() -> None:
    told: list[str] = []
    assert [one.title for one in of_csv('title,abstract\nA,B\n"C, D\nE,F\nG,"H"\nI,J\n', said=told)] == [
        "A",
        "E",
        "G",
        "I",
    ]
    assert "Expected CSV in line 3 of a.csv" in told[0]
    assert [one.title for one in of_csv('title,abstract\nA,B\n"C, D', said=told)] == ["A"]
    assert "Expected a closing quotation mark in line 3 of a.csv or below" in told[1]
    with pytest.raises(TruncatedFileError, match=r"a closing quotation mark in line 2 of a\.csv or below; the file"):
        of_csv('title,abstract\n"C, D')


def test_malformed_csv() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected CSV in line 2 of a\.csv: .*Double the quotation marks"):
        of_csv('title,abstract\n"A"B,C\n')


def test_rows_of_another_width() -> None:
    told: list[str] = []
    found = of_csv("title,abstract,year\nA,B\nC,D,1999,F\nG,H,2000,,\n,\n x\n", said=told)
    assert [(one.title, one.year) for one in found] == [("A", None), ("G", 2000), ("x", None)]
    assert len(told) == 1
    assert "Expected 3 columns in line 3 of a.csv, as its header has; found 4. Put quotation marks" in told[0]
    with pytest.raises(MalformedFileError, match=r"found 1 without title and text\. Fill the row, or take it out"):
        of_csv("year,title\n1999\n")


@pytest.mark.parametrize(
    "above",
    [
        "search URL:,https://example.org/?q=(lids)&before=priority:20210101\n",
        "sep=,\n",
        '"sep=,"\n\n',
        '"About the data: Exported on Mar 02, 2021.\nCriteria: lids, pots; in full data."\n',
        "Lids 2021\n\nFound: 2 results\n",
    ],
)
def test_lines_above_the_header(above: str) -> None:
    told: list[str] = []
    found = of_csv(f'{above}Title,Abstract,Authors,Year\nLids,"Of\nlids",A,2021\nPots,x,B,x\n', said=told)
    assert [one.title for one in found] == ["Lids", "Pots"]
    assert f"of line {above.count(chr(10)) + 4} of a.csv, found 'x'" in told[0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_separator_that_the_first_line_names(delimiter: str) -> None:
    (found,) = of_csv(f"sep={delimiter}\r\nTitle{delimiter}Year\r\nLids{delimiter}1999\r\n")
    assert (found.title, found.year) == ("Lids", 1999)


@pytest.mark.parametrize("piece", ['"', '""', '",', ",", "\n", '"\n', 'a"\n', ',"x\n'])
def test_hostile_csv_costs_no_more_than_its_length(piece: str) -> None:
    begun = time.process_time()
    try:
        of_csv("title,abstract\n" + piece * (20_000 // len(piece)))
    except InputError:
        pass
    assert time.process_time() - begun < 5


def test_parquet_has_every_column() -> None:
    assert of_parquet(parquet([ROW])) == [DOCUMENT]


def test_a_time_outside_the_calendar_in_parquet() -> None:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    times = pyarrow.array([0, 2**62], pyarrow.timestamp("ms"))
    pyarrow.parquet.write_table(pyarrow.table({"title": ["A", "B"], "year": times}), held)
    told: list[str] = []
    assert [one.year for one in of_parquet(held.getvalue(), said=told)] == [1970, None]
    assert re.search(r"years 1 to 9999 in the column 'year' of rows 1 to 2 of a; .* Write dates as text", told[0])


def test_year_that_is_no_number_in_parquet() -> None:
    rows = [{"title": "A", "year": 2000.0}, {"title": "B", "year": float("nan")}]
    assert [one.year for one in of_parquet(parquet(rows))] == [2000, None]


def test_truncated_parquet() -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a\.parquet to end with Parquet's mark PAR1"):
        read_bytes(parquet([ROW])[:-10], "a.parquet")


def test_damaged_parquet() -> None:
    data = bytearray(parquet([{"title": "A" * 1000 + str(n)} for n in range(50)]))
    noise = random.Random(1)
    for place in range(4, len(data) - 4):
        data[place] = noise.randrange(256)
    with pytest.raises(MalformedFileError, match=r"Expected a whole Parquet file in a\.parquet; it is damaged"):
        read_bytes(bytes(data), "a.parquet")


def test_parquet_row_groups_are_bounded() -> None:
    data = parquet([{"title": f"{n} " * 100} for n in range(100)])
    with pytest.raises(
        InputTooLargeError, match=r"Expected row groups of at most 0 MiB in a; group 1 unpacks to 0 MiB"
    ):
        of_parquet(data, Limits(max_row_group_bytes=100))


def test_parquet_text_that_is_not_utf8() -> None:
    import pyarrow

    bad = pyarrow.array([b"caf\xe9", b"tea"], pyarrow.binary()).view(pyarrow.string())
    held = io.BytesIO()
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"title": bad, "abstract": ["b", "c"]}), held)
    told: list[str] = []
    assert [one.title for one in of_parquet(held.getvalue(), said=told)] == ["", "tea"]
    assert told == [
        "A value was left out. Expected UTF-8 text in the column 'title' of rows 1 to 2 of a, as Parquet has "
        "it, found the byte 0xe9 that UTF-8 does not allow there. Write the column in UTF-8."
    ]


def test_real_corpora_are_read(shared: Path) -> None:
    documents = list(iter_documents(shared / "data" / "patents-claims" / "corpus.parquet"))
    assert len(documents) == 189
    assert {document.kind for document in documents} == {"patent"}
    assert all(document.title and document.categories for document in documents)


def test_a_bad_year_costs_no_row_and_a_bad_row_no_other() -> None:
    rows = [{"title": "A", "year": 801}, {"title": "B", "year": 2000}, {"title": "C" * 3000, "year": 2001}]
    told: list[str] = []
    found = of_parquet(parquet(rows), Limits(max_record_bytes=2000), told)
    assert [(one.title, one.year) for one in found] == [("A", None), ("B", 2000)]
    assert (
        "A value was left out. Expected a year as four digits in the column 'year' of row 1 of a, found 801" in told[0]
    )
    assert "Expected rows of at most 0 MiB in row 3 of a; it is larger. Split it." in told[1]


def test_nested_values_of_dictionaries() -> None:
    rows: list[dict[str, Any]] = [
        {
            "title": "A",
            "authors": [{"name": "Ada"}, None],
            "sections": [{"title": "S", "text": "T"}],
            "keywords": ["k"],
        },
        {"title": "B", "authors": None, "sections": [], "keywords": ["k", "l"]},
    ]
    first, second = of_parquet(parquet(rows))
    assert (first.authors, first.sections, first.keywords) == (("Ada",), (Section("S", "T"),), ("k",))
    assert (second.authors, second.sections, second.keywords) == ((), (), ("k", "l"))


@pytest.mark.parametrize(
    "columns",
    [
        {"title": ["x"] * 30_000},
        {"title": ["x" * 100_000] * 400},
        {"title": ["a"], "keywords": [["x"] * 400_000]},
    ],
)
def test_a_small_file_that_unpacks_to_much_is_refused(columns: dict[str, list[Any]]) -> None:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), held, compression="zstd")
    with pytest.raises(InputTooLargeError, match=r"Expected a to unpack to at most 10 MiB, as a file of its"):
        of_parquet(held.getvalue(), Limits(max_decoded_bytes=10 << 20))


def test_the_fields_of_solr_are_ours() -> None:
    header = ["id", "title_display", "author_display", "abstract", "publication_date"]
    assert as_ours(header) == ["id", "title", "authors", "abstract", "year"]
    assert as_ours(["docid", "title_s", "authFullName_s", "producedDateY_i", "abstract_s", "journalTitle_s"])[1:] == [
        *("title", "authors", "year", "abstract", "venue"),
    ]
    assert as_ours(["title", "title_display"]) == ["title", "title_display"]
