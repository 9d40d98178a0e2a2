"""Patents of each source: of today's search and the former one, as granted, and scanned ones of old."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Document, DocumentDate, Section
from engine.sources import modern_patents, old_patents, patent_pages, uspto_grants
from engine.sources.old_patents import best_title, find_head, mend, sheet_lines
from tests.sources.old import OTHER, PAGE, SHEET, parse, record

RECORD: dict[str, Any] = {
    "guid": "US-1234567-B2",
    "inventionTitle": "KITE LINE REEL",
    "datePublished": "2011-02-03T00:00:00Z",
    "abstractHtml": "A reel (<b>10</b>) for the line &amp; tail of a kite.",
    "backgroundTextHtml": "CROSS REFERENCE\n(1) None.",
    "briefHtml": "BACKGROUND OF THE INVENTION<br />(2) Lines tangle.<br />(3) Tails too.",
    "descriptionHtml": "DETAILED DESCRIPTION:<br />[0004] <figref>FIG. 1</figref> shows a reel.",
    "claimsHtml": "1-2. (canceled)<br />3. A reel comprising:<br />a drum; and<br />a line.<br />4. One of claim 3.",
    "cpcInventiveFlattened": "A63H27/08;B65H75/44",
    "cpcAdditionalFlattened": "A63H27/08",
    "inventorsName": ["Gale; Ada", "BREEZE BO"],
    "familyIdentifierCurStr": 77,
}

FILLING = "The line of a kite is wound. " * 40

FIELDS: dict[str, Any] = {
    "title": "KITE LINE REEL",
    "publication_number": "9876543",
    "publication_date": "2018-01-23",
    "filing_date": "2015-03-10",
    "kind_code": "B2",
    "abstract": "A reel\n\nfor a kite.",
    "description": f"BACKGROUND\n\n[0002] Lines tangle.\n\nSUMMARY\n\n{FILLING}",
    "claims": "What is claimed is:\n\n1. A reel comprising:\n\na drum.\n\n2. The reel of claim 1.",
    "cpc_classes": [{"class": "A63H 27/08", "version": "20130101"}, {"class": "A63H 27/08", "version": "20200101"}],
    "inventors": [{"first_name": "Ada", "last_name": "Gale", "city": "Windham"}],
    "assignees": [{"name": "Kites Inc."}, {"name": "Kites Inc."}],
    "family_id": "77",
}

GRANT = """<?xml version="1.0" encoding="UTF-8"?>
<us-patent-grant lang="EN" country="US" file="US09999999-20180619.XML">
<us-bibliographic-data-grant><publication-reference><document-id><country>US</country><doc-number>09999999</doc-number>
<kind>B2</kind><date>20180619</date></document-id></publication-reference>
<invention-title id="d2e43">Kite line reel</invention-title></us-bibliographic-data-grant>
<abstract id="abstract"><p>A reel for a kite.</p></abstract>
<description id="description"><heading>BACKGROUND</heading><p num="0001">Lines tangle.</p></description>
<claims id="claims"><claim id="CLM-1" num="00001"><claim-text>1. A reel comprising a drum.</claim-text></claim></claims>
</us-patent-grant>"""


@pytest.fixture(scope="module")
def patent() -> Document:
    first, _ = parse(record("123456", SHEET, PAGE), record("123457", OTHER))
    return first


def test_a_record_is_a_patent() -> None:
    (patent,) = modern_patents.parse(json.dumps([RECORD]).encode())
    assert (patent.id, patent.kind, patent.year, patent.family) == ("US1234567B2", "patent", 2011, "77")
    assert patent.title == "Kite line reel"
    assert patent.abstract == "A reel (10) for the line & tail of a kite."
    assert patent.sections == (
        Section("Cross reference", "None."),
        Section("Background of the invention", "Lines tangle.\n\nTails too."),
        Section("Detailed description", "FIG. 1 shows a reel."),
    )
    assert patent.claims == ("A reel comprising: a drum; and a line.", "One of claim 3.")
    assert patent.categories == ("A63H27/08", "B65H75/44")
    assert patent.authors == ("Ada Gale", "BREEZE BO")


def test_a_scanned_patent_without_a_title() -> None:
    scanned = RECORD | {
        "inventionTitle": "OCR SCANNED DOCUMENT",
        "claimsHtml": "<claim-text/>",
        "backgroundTextHtml": "",
    }
    titled = scanned | {"briefHtml": "(1) 28,436<br />METHOD OF WINDING THE LINE<br />OF A KITE<br />(2) Ada Gale"}
    debris = scanned | {"briefHtml": "A AN A NTSRL<br />ABSTRACT OF THE DISCLOSURE<br />(2) Ada Gale"}
    one, other = modern_patents.parse(json.dumps([titled, debris]).encode())
    assert one.title == "Method of winding the line of a kite"
    assert other.title == ""
    assert one.claims == ()


@pytest.mark.parametrize("data", [b"", b"{}1", b"[{}]", b"[1]", b'[{"guid": null}]'])
def test_not_such_a_file(data: bytes) -> None:
    with pytest.raises(MalformedFileError, match="Expected a JSON list of patents from the public search"):
        list(modern_patents.parse(data))


def page(**values: Any) -> bytes:  # noqa: ANN401  JSON is any value
    return json.dumps(FIELDS | values).encode()


def test_a_page_is_a_patent() -> None:
    (patent,) = patent_pages.parse([page()])
    assert (patent.id, patent.kind, patent.year, patent.family) == ("US9876543B2", "patent", 2018, "77")
    assert (patent.title, patent.abstract) == ("Kite line reel", "A reel for a kite.")
    assert patent.sections == (Section("Background", "Lines tangle."), Section("Summary", FILLING.strip()))
    assert patent.claims == ("A reel comprising: a drum.", "The reel of claim 1.")
    assert patent.categories == ("A63H 27/08",)
    assert (patent.inventors, patent.authors, patent.assignees) == (("Ada Gale",), ("Ada Gale",), ("Kites Inc.",))
    assert patent.dates == (DocumentDate("filed", "2015-03-10"), DocumentDate("granted", "2018-01-23"))
    assert patent.url == "https://patents.google.com/patent/US9876543B2/en"


@pytest.mark.parametrize(
    ("number", "published", "kind", "identifier"),
    [
        ("5439055", "1995-08-08", "B1", "US5439055A"),
        ("6460631", "2002-10-08", "B1", "US6460631B1"),
        ("RE43633", "2012-09-04", "B1", "USRE43633E1"),
        ("RE35000", "1995-07-18", "B1", "USRE35000E"),
        ("20200000001\n\n    ", "2020-01-02", "A1", "US20200000001A1"),
    ],
)
def test_kinds_are_those_of_the_office(number: str, published: str, kind: str, identifier: str) -> None:
    (patent,) = patent_pages.parse([page(publication_number=number, publication_date=published, kind_code=kind)])
    assert patent.id == identifier


def test_an_application_is_published_and_has_no_inventors_on_its_page() -> None:
    record = {name: value for name, value in FIELDS.items() if name not in {"inventors", "assignees"}}
    (patent,) = patent_pages.parse([json.dumps(record | {"kind_code": "A1"}).encode()])
    assert patent.dates[-1].kind == "published"
    assert (patent.inventors, patent.assignees) == ((), ())


def test_a_reissues_claims_keep_their_numbers() -> None:
    claims = "We claim:\n\n.[.1. A reel with a\n\nhandle..].\n\n.Iadd.2. A reel.\n\n3. The reel of claim 2..Iaddend."
    (patent,) = patent_pages.parse([page(publication_number="RE43633", claims=claims)])
    assert patent.claims == ("", "A reel.", "The reel of claim 2.")


@pytest.mark.parametrize("description", ["", None, "FIG. 1 is a view of a kite."])
def test_a_page_of_pictures_is_left_out(description: str | None) -> None:
    assert list(patent_pages.parse([page(description=description)])) == []


@pytest.mark.parametrize("data", [b"", b"[1]", b'{"description": 5}', page(publication_date=None), page(claims=None)])
def test_not_such_a_page(data: bytes) -> None:
    with pytest.raises(MalformedFileError, match="Expected a patent's page as patent-client's JSON"):
        list(patent_pages.parse([data]))


def test_each_file_is_a_patent() -> None:
    patents = list(uspto_grants.parse([GRANT.encode(), GRANT.replace("09999999", "09999998").encode()]))
    assert [(one.id, one.kind, one.year) for one in patents] == [
        ("US9999999B2", "patent", 2018),
        ("US9999998B2", "patent", 2018),
    ]
    assert patents[0].claims == ("A reel comprising a drum.",)


def test_identity_and_codes(patent: Document) -> None:
    assert (patent.id, patent.kind, patent.year) == ("US123456A", "patent", 1886)
    assert patent.categories == ("B65H75/44", "A63H27/08")
    assert patent.authors == ("Ada Gale",)


def test_claims_are_cut_at_their_numbers(patent: Document) -> None:
    assert patent.claims == (
        "The combination of a drum, A, and the line of a kite, as set forth.",
        "The apparatus, consisting of the drum A and the handle B, substantially as described.",
    )


def test_the_description_flows(patent: Document) -> None:
    introduction, description = patent.sections
    assert "the class of apparatus employed" in introduction.text
    assert "may be carried in one hand" in introduction.text
    assert description.title == "Description" and description.text.startswith("In the drawings, Figure 1")
    assert description.text.endswith("I do not claim a drum alone.")
    assert "Application filed" not in patent.text and "Witnesses" not in patent.text and "STORM" not in patent.text


def test_an_empty_record_is_kept_and_says_so() -> None:
    patent, _ = parse(record("123456", ""), record("123457", OTHER))
    assert patent.title == "" and patent.name == "Untitled patent US123456A"
    assert patent.sections == () and patent.claims == () and patent.year == 1886


@pytest.mark.parametrize(
    ("before", "after", "year"),
    [("1885", "1885", 1885), ("1885", "1886", None), ("1885", "", None), ("", "1886", None)],
)
def test_a_year_that_the_table_lacks_is_that_of_both_neighbours(before: str, after: str, year: int | None) -> None:
    told = {"123456": before, "123458": after}
    table = "pat\tyear\n" + "".join(f"{number}\t{one}\n" for number, one in told.items() if one)
    numbers = ("123456", "123457", "123458")
    patents = parse(*(record(number, OTHER) for number in numbers), years=table.encode())
    assert [patent.year for patent in patents] == [int(before or 0) or None, year, int(after or 0) or None]


def test_no_record_at_all() -> None:
    with pytest.raises(MalformedFileError, match="found none"):
        parse("no record")


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("We describe it at length. " * 9 + "I claim: A reel with a drum.", ("A reel with a drum.",)),
        ("We describe it. " * 9 + "What we claim is— 1. A reel. 3. A kite.", ("A reel.", "A kite.")),
        ("We describe it. " * 9 + "1. The reel. 2. The kite.", ("The reel.", "The kite.")),
        ("We describe it. " * 9 + "claim as new, and desire to secure by Letters Patent, is A reel.", ("A reel.",)),
        ("We describe it. " * 9, ()),
    ],
)
def test_openings_of_claims(text: str, claims: tuple[str, ...]) -> None:
    assert old_patents.cut_claims(text)[1] == claims


def test_broken_and_misread_words_are_mended() -> None:
    words = Counter({"knitting": 50, "machine": 90, "for": 5000, "varnishing": 40, "cloth": 60, "stockings": 30})
    own = {"knitting", "machine", "varnishing", "cloth", "for"}
    assert mend("KNIT TING MACH NE FOR CLOTH", own, words) == "knitting machine for cloth"
    assert mend("CLOTH-WARNISHING MACHINE.", own, words) == "cloth-varnishing machine"


def test_a_new_paragraph_is_not_joined_to_the_one_before() -> None:
    words = Counter(reels=5)
    line = "the drum is turned by hand, and so is the reel"
    assert old_patents.flow([line, line, "a ree.", "ls"], words) == f"{line} {line} a ree.\n\nls"


def test_the_title_is_the_sheets_where_the_printed_one_is_broken(patent: Document) -> None:
    assert patent.title == "Reel for kite lines"


def test_the_spoken_title_where_sheet_and_print_are_lost() -> None:
    broken = PAGE.replace("REEL FoR K TE LN ES.", "R% EE?L F Q K% TX.")
    patent, _ = parse(record("123456", broken), record("123457", OTHER))
    assert patent.title == "Reels for kite lines"


def test_a_head_without_its_first_line() -> None:
    lines = ["IMPROVEMENT IN REELS.", "Specification forming part of Letters Patent No. 198,780", "Be it known"]
    assert find_head(lines).title == "IMPROVEMENT IN REELS."
    assert find_head(["nothing"]).title == ""


def test_sheet_lines_leave_out_furniture_and_the_inventor() -> None:
    lines = ["(No Model.)", "A. GALE.", "REEL FOR", "KITE LINES.", "WITNESSES", "zz 2", "No. 123,456."]
    assert sheet_lines(lines, "ADA GALE, OF WINDSOR") == ["REEL FOR", "KITE LINES.", "REEL FOR KITE LINES."]


def test_a_title_without_witness_is_empty() -> None:
    assert best_title("", [], "", Counter()) == ""


def test_lines_are_joined_only_where_a_word_is_broken() -> None:
    words = Counter({"apparatus": 9, "appa": 0, "the": 99, "me": 9, "theme": 3, "drum": 9})
    assert old_patents.flow(["of the appa", "ratus and the", "me drum is here for long."], words) == (
        "of the apparatus and the me drum is here for long."
    )


def test_margins_and_debris_are_taken_out() -> None:
    assert old_patents.clean_lines(["25 carried in", "% 2 |", "IO the reel", "10", "a drum"]) == [
        "carried in",
        "the reel",
        "a drum",
    ]


def test_a_word_broken_over_three_lines_is_joined_from_all_its_pieces() -> None:
    words = Counter(appara=5, apparatus=9)
    assert old_patents.flow(["an appa", "ra", "tus"], words) == "an apparatus"
