"""Columns as other tools name them, and values in any of the forms that services write them."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from engine.reading.tables.columns import as_ours, labels_of, names_of, python_list, text_of, year_of
from tests.reading.tables.rows import jsonl, of_csv, of_jsonl


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
