"""What readings of all formats keep to: warnings in sentences, names of untitled parts, notes, what is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Document, Section
from engine.reading.base import (
    BodyPart,
    Omissions,
    cut,
    left_out_about_authors,
    left_out_of_text,
    with_notes,
    worded,
)
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.formats import NAMED
from engine.reading.limits import Limits
from tests.reading import texts
from tests.reading.pdf import papers

WRITTEN = {
    "uspto-grant": texts.GRANT.encode(),
    "uspto-application": texts.APPLICATION.encode(),
    "greenbook": texts.GREENBOOK.encode(),
    "jats": texts.JATS.encode(),
    "tei": texts.TEI.encode(),
    "text": texts.PASTED.encode(),
    "pdf": papers.one_column().data(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_reading_says_its_format_by_the_name_that_detection_gave_it(name: str) -> None:
    reading = read_bytes(WRITTEN[name], "upload")
    assert reading.format == name
    assert name in NAMED
    assert (reading.pages is not None) == (name == "pdf"), "only a PDF has pages"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_warning_is_a_sentence(name: str) -> None:
    for warning in read_bytes(WRITTEN[name], "upload").warnings:
        assert re.fullmatch(r"[A-Z].*[.]", warning, re.DOTALL)


def test_parts_without_a_title_have_the_same_names_in_every_format() -> None:
    references = "<ref-list><ref><mixed-citation>Watt, Steam.</mixed-citation></ref></ref-list>"
    jats = f"<article><body><p>Steam rises.</p></body><back>{references}</back></article>"
    references = "<div><biblStruct><note type='raw_reference'>Watt, Steam.</note></biblStruct></div>"
    tei = (
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body><div><p>Steam rises.</p></div></body>"
        f"<back>{references}</back></text></TEI>"
    )
    for written in (jats, tei):
        sections = read_bytes(written.encode(), "a.xml").document.sections
        assert [section.title for section in sections] == ["Text", "References"]
        assert sections[1].role == "references"
    patent = read_bytes(texts.GRANT.encode(), "a.xml").document
    assert patent.sections[0].title == "Description"


def test_a_body_is_cut_at_its_groups_and_headings() -> None:
    parts: list[BodyPart] = [
        ("text", "a"),
        ("text", ""),
        ("group", "Summary"),
        ("text", "b"),
        ("heading", "Lids"),
        ("heading", "Spouts"),
        ("text", "c"),
        ("group", "Drawings"),
    ]
    assert list(cut(parts, "Description")) == [
        Section("Description", "a"),
        Section("Summary", "b"),
        Section("Lids", ""),
        Section("Spouts", "c"),
    ]
    assert list(cut([], "Description")) == []


def broken() -> Iterator[Document]:
    yield Document("a")
    raise MalformedFileError("Expected a title in line 3, found none. Write one.")


def test_an_entry_that_fails_is_left_out_and_told_with_its_reason() -> None:
    told: list[str] = []
    omissions = Omissions(told.append)
    assert omissions.documents([Document("b")], "line 1") == [Document("b")]
    assert omissions.documents(broken(), "line 2") == [Document("a")]
    omissions.finish()
    assert told == ["An entry was left out. Expected a title in line 3, found none. Write one."]


def test_a_file_without_any_entry_that_can_be_read_is_refused_with_the_first_reason() -> None:
    omissions = Omissions(lambda _: None)
    omissions.entry(MalformedFileError("The first."))
    omissions.entry(MalformedFileError("The second."))
    with pytest.raises(MalformedFileError, match=r"The first\."):
        omissions.finish()


def test_a_value_that_is_left_out_is_told() -> None:
    told: list[str] = []
    Omissions(told.append).value(MalformedFileError("Expected a year."))
    assert told == ["A value was left out. Expected a year."]


SECTIONS = [{"title": f"Part {number}", "text": "Tea."} for number in range(40)]
ARTICLE = (
    "<article><front><article-meta><title-group><article-title>{0}</article-title></title-group></article-meta>"
    "</front><body>{1}</body></article>"
)
PARTS = "".join(f"<sec><title>Part {number}</title><p>Tea.</p></sec>" for number in range(40))
PATENT = (
    "<us-patent-grant><us-bibliographic-data-grant><publication-reference><document-id><country>US</country>"
    "<doc-number>{0}</doc-number><kind>B2</kind></document-id></publication-reference><invention-title>{0}"
    "</invention-title></us-bibliographic-data-grant><description>{1}</description></us-patent-grant>\n"
)
EUROPEAN = (
    '<patent-document country="EP" doc-number="{0}" kind="A1"><bibliographic-data><technical-data>'
    '<invention-title lang="EN">{0}</invention-title></technical-data></bibliographic-data>'
    '<description lang="EN">{1}</description></patent-document>\n'
)
HEADED = "".join(f"<heading>Part {number}</heading><p>Tea.</p>" for number in range(40))
LONG = "tea " * 600
TEXT = {"1": "Tea.", "2": LONG, "3": "Tea.", "4": "Tea."}


def table(form: str) -> str:
    """Four works as rows of a table; the second has too many sections, or a text that is too long."""
    many = {"2": {"sections": SECTIONS}}
    rows = [{"title": number, "abstract": "Tea.", **many.get(number, {})} for number in TEXT]
    if form == "csv":
        cells = (f'"{json.dumps(one.get("sections", [])).replace(chr(34), 2 * chr(34))}"' for one in rows)
        return "title,sections\n" + "".join(f"{row['title']},{cell}\n" for row, cell in zip(rows, cells, strict=True))
    if form == "answer":
        return json.dumps({"total": 4, "results": rows})
    return json.dumps(rows) if form == "list" else "\n".join(map(json.dumps, rows))


def _set(root: str, member: str, parts: str) -> str:
    return f"<{root}>{''.join(member.format(n, parts if n == '2' else '') for n in TEXT)}</{root}>"


FAMILIES = {
    "a.csv": table("csv"),
    "a.jsonl": table("lines"),
    "list.json": table("list"),
    "answer.json": table("answer"),
    "a.ris": "".join(f"TY  - JOUR\nTI  - {n}\nAB  - {text}\nER  - \n\n" for n, text in TEXT.items()),
    "a.nbib": "".join(f"PMID- {n}\nTI  - {n}\nAB  - {text}\n\n" for n, text in TEXT.items()),
    "a.enw": "".join(f"%0 Journal Article\n%T {n}\n%X {text}\n\n" for n, text in TEXT.items()),
    "a.ciw": "FN X\nVR 1.0\n" + "".join(f"PT J\nTI {n}\nAB {text}\nER\n\n" for n, text in TEXT.items()) + "EF\n",
    "rw.txt": "".join(
        f"RT Journal Article\nSR Electronic\nID {n}\nA1 Osei, M.\nT1 {n}\nAB {text}\n\n" for n, text in TEXT.items()
    ),
    "a.bib": "".join(f"@article{{k{n}, title={{{n}}},\n abstract={{{text}}}}}\n" for n, text in TEXT.items()),
    "pubmed.txt": "".join(
        f"{n}. Tea. 2020 Jan;1(1):1.\n\n{n}.\n\nOsei M, Lund P.\n\n{text}\n\nPMID: {n}\n\n\n"
        for n, text in TEXT.items()
    ),
    "green.txt": "".join(
        f"PATN\nWKU  03999999{n}\nTTL  {n}\nISD  19761228\nABST\nPAL  {text}\n" for n, text in TEXT.items()
    ),
    "pmc.xml": _set("pmc-articleset", ARTICLE, PARTS),
    "uspto.xml": "".join('<?xml version="1.0"?>\n' + PATENT.format(n, HEADED if n == "2" else "") for n in TEXT),
    "st36.xml": _set("patent-documents", EUROPEAN, HEADED),
    "a.atom": "<feed>"
    + "".join(
        f"<entry><id>http://arxiv.org/abs/2101.0000{n}</id><title>{n}</title><summary>{text}</summary></entry>"
        for n, text in TEXT.items()
    )
    + "</feed>",
}
"""Four works of each family of files; the second is beyond the limits."""


@pytest.mark.parametrize("name", FAMILIES)
def test_a_document_beyond_the_limits_costs_no_other(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FAMILIES[name])
    told: list[str] = []
    limits = Limits(max_sections=5, max_characters=2_000)
    found = [one.title.rstrip(".") for one in iter_documents(tmp_path / name, limits, warn=told.append)]
    assert found == ["1", "3", "4"]
    [said] = told
    assert re.match(
        r"An entry was left out\. Expected at most (5 sections|2,000 characters of text) in .*(row|line) \d", said
    )


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - {"list.json", "answer.json"}))  # a list of JSON is one record
def test_a_record_of_more_bytes_than_any_costs_no_other(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FAMILIES[name])
    told: list[str] = []
    limits = Limits(max_record_bytes=800, max_file_bytes=800)
    found = [one.title.rstrip(".") for one in iter_documents(tmp_path / name, limits, warn=told.append)]
    assert [one for one in found if one != "2"] == ["1", "3", "4"]  # a long line costs its own value alone
    assert re.match(r"An? (entry|value) was left out\. Expected at most 0 MiB in .*(row|line) \d", told[0])


@pytest.mark.parametrize("name", ["uspto.xml", "st36.xml"])
def test_patents_without_a_number_are_told_apart_by_their_text(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(re.sub(r"<doc-number>.*?</doc-number>|doc-number=\"\d\"", "", FAMILIES[name]))
    found = list(iter_documents(tmp_path / name))
    assert [one.id[:5] for one in found] == ["text:"] * 4
    assert len({one.id for one in found}) == 4
    assert not any(one.url for one in found)


def test_control_characters_cost_no_record(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_text(FAMILIES["a.ris"].replace("AB  - Tea", "AB  - A\x02Tea\x00"))
    told: list[str] = []
    found = list(iter_documents(tmp_path / "a.ris", warn=told.append))
    assert found[0].abstract == "A Tea ."
    assert told == ["6 control characters of a.ris belong to no text, and were left out."]


@pytest.mark.parametrize(
    "bad",
    [
        '{"title": "2", "notes": ' + "[" * 40 + "]" * 40 + "}",
        '{"title": "2", "year": ' + "9" * 5_000 + "}",
        "[1]",
        "null",
        '{"title": "2", x}',
    ],
)
@pytest.mark.parametrize("form", ["list", "answer", "lines"])
@pytest.mark.parametrize("first", [True, False])
def test_a_value_that_is_no_work_costs_no_other(bad: str, form: str, first: bool, tmp_path: Path) -> None:
    good = [f'{{"title": "{number}"}}' for number in "134"]
    rows = [bad, *good] if first and bad[0] == "{" else [good[0], bad, *good[1:]]
    text = "\n".join(rows) if form == "lines" else f"[{','.join(rows)}]"
    (tmp_path / "a.json").write_text(f'{{"total": 4, "results": {text}}}' if form == "answer" else text)
    told: list[str] = []
    assert [one.title for one in iter_documents(tmp_path / "a.json", warn=told.append)] == ["1", "3", "4"]
    assert len(told) == 1


CITING = ["Lind, Lids (Oxford 1999) 12.", "Ibid., 14.", "So they say."]
LISTED = Section("References", "Ek, 1999.", "references")


def test_notes_stand_behind_the_text() -> None:
    document = Document("a", sections=(Section("Tea", "Hot."), LISTED))
    assert with_notes(document, []) == document
    assert [one.title for one in with_notes(document, ["Not all."]).sections] == ["Tea", "Notes", "References"]


def test_notes_that_cite_are_a_reference_list_where_there_is_no_other() -> None:
    cited = with_notes(Document("a", sections=(Section("Tea", "Hot."),)), CITING)
    assert [one.role for one in cited.sections] == ["body", "references"]
    beside = with_notes(Document("a", sections=(Section("Tea", "Hot."), LISTED)), CITING)
    assert [one.role for one in beside.sections] == ["body", "body", "references"]


def test_notes_of_a_few_words_and_of_publishers_are_left_out() -> None:
    long = "This note says more about kettles than the text does."
    assert list(worded([f"{long}\n", long, "See https://a.example/b.", "*", ""])) == [long]
    assert list(worded(["Publisher's Note The publisher takes no side in any question of borders."])) == []
    assert list(worded(["水壶在海上慢慢漂移。"])) == ["水壶在海上慢慢漂移。"]


def test_what_is_left_out_is_counted() -> None:
    assert list(left_out_of_text({"table": 0})) == []
    assert list(left_out_of_text({"table": 2, "program": 1, "to-do note": 3}, "a.tex")) == [
        "Left out of the text of a.tex: 2 tables, 1 program and 3 to-do notes. Captions are read."
    ]
    assert list(left_out_of_text({"program": 1})) == ["Left out of the text: 1 program."]


def test_lines_about_authors_that_are_left_out_are_said_by_the_first() -> None:
    said = left_out_about_authors(["Ada Lind", "x" * 70, "Town", "Never said"])
    assert said == f"Lines about authors were left out of the text: Ada Lind; {'x' * 60}; Town."
