"""Records that no number names, from every reader into a library: different works stay apart, the same one folds."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.files import fingerprint
from engine.documents import Document
from engine.documents.works import id_by_content
from engine.library import Library
from engine.reading import iter_documents

FIELDS = ("title", "year", "venue", "author", "abstract")
RECORDS = (
    ("Editorial", "2019", "Journal of Reefs", "Lind, Ada", ""),
    ("Editorial", "2019", "Harbour Light", "Lind, Ada", ""),
    ("Editorial", "2021", "Harbour Light", "Lind, Ada", ""),
    ("Editorial", "2021", "Harbour Light", "Kor, Bo", ""),
    ("Annual report of the harbour board on lamps", "2019", "Harbour Light", "Kor, Bo", ""),
    ("Annual report of the harbour board on lamps", "2021", "Harbour Light", "Kor, Bo", ""),
    ("News", "2019", "Paint Today", "", "We welcome you to this issue."),
    ("News", "2019", "Ice Today", "", "We welcome you to this issue."),
)
"""Eight works."""
Record = tuple[str, ...]


def _tagged(*tags: str, begins: str = "", ends: str = "", around: str = "{}") -> Callable[[Record], str]:
    def write(record: Record) -> str:
        pairs = zip(tags, record, strict=True)
        return begins + "".join(f"{tag}{value}\n" for tag, value in pairs if value) + ends

    return lambda record: around.format(write(record))


def _bibtex(record: Record) -> str:
    names = ("title", "year", "journal", "author", "abstract")
    return "@article{a, " + ", ".join(f"{name}={{{one}}}" for name, one in zip(names, record, strict=True)) + "}\n"


def _endnote(record: Record) -> str:
    title, year, venue, author, abstract = record
    return (
        f"<record><contributors><authors><author>{author}</author></authors></contributors><titles><title>{title}"
        f"</title></titles><periodical><full-title>{venue}</full-title></periodical><dates><year>{year}</year></dates>"
        f"<abstract>{abstract}</abstract></record>"
    )


def _csl(record: Record) -> dict[str, object]:
    title, year, venue, author, abstract = record
    family, _, given = author.partition(", ")
    names = [{"family": family, "given": given}] if author else []
    return {"title": title, "issued": {"date-parts": [[int(year)]]}, "container-title": venue} | (
        {"author": names} | ({"abstract": abstract} if abstract else {})
    )


def _table(delimiter: str) -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerows([("title", "year", "journal", "authors", "abstract"), *RECORDS])
    return file.getvalue()


FILES = {
    "a.ris": "".join(
        map(_tagged("TI  - ", "PY  - ", "JO  - ", "AU  - ", "AB  - ", begins="TY  - JOUR\n", ends="ER  - \n"), RECORDS)
    ),
    "a.bib": "".join(map(_bibtex, RECORDS)),
    "a.enw": "\n".join(map(_tagged("%T ", "%D ", "%J ", "%A ", "%X ", begins="%0 Journal Article\n"), RECORDS)),
    "a.ciw": "FN X\nVR 1.0\n"
    + "".join(map(_tagged("TI ", "PY ", "SO ", "AU ", "AB ", begins="PT J\n", ends="ER\n\n"), RECORDS))
    + "EF",
    "a.nbib": "\n".join(map(_tagged("TI  - ", "DP  - ", "JT  - ", "FAU - ", "AB  - ", begins="OWN - X\n"), RECORDS)),
    "refworks.txt": "\n".join(
        map(_tagged("T1 ", "YR ", "JF ", "A1 ", "AB ", begins="RT Journal Article\nSR Electronic\n"), RECORDS)
    ),
    "labelled.txt": "\n".join(map(_tagged("Title: ", "Year: ", "Source: ", "Author: ", "Abstract: "), RECORDS)),
    "endnote.xml": f"<xml><records>{''.join(map(_endnote, RECORDS))}</records></xml>",
    "csl.json": json.dumps(list(map(_csl, RECORDS))),
    "a.jsonl": "".join(json.dumps(dict(zip(FIELDS, one, strict=True))) + "\n" for one in RECORDS),
    "a.csv": _table(","),
    "a.tsv": _table("\t"),
}


@pytest.mark.parametrize("name", FILES)
def test_different_works_stay_apart_and_come_once(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    read = list(iter_documents(path))
    assert [(one.title, str(one.year), one.venue, len(one.authors)) for one in read] == [
        (title, year, venue, bool(author)) for title, year, venue, author, _ in RECORDS
    ]
    with Library.open(tmp_path / "library", create=True) as library:
        assert library.add_file("k", name, read).added == len(RECORDS)
        assert library.add_file("again", name, read).added == 0


def test_one_record_has_one_id_in_every_reader(tmp_path: Path) -> None:
    ids = {}
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        ids[name] = [one.id for one in iter_documents(tmp_path / name)][6:]  # whose author has no name to spell
    assert {name: found for name, found in ids.items() if found != ids["a.csv"]} == {}


@pytest.mark.parametrize("written", ["", "NA", "[No abstract available]"])
def test_a_placeholder_is_no_part_of_an_id(written: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"title,abstract,year,journal\nNews,{written},2019,Ice\n", encoding="utf-8")
    (document,) = iter_documents(tmp_path / "a.csv")
    assert document.id == f"text:{fingerprint('News', '', '2019', 'in Ice')}"


def test_editorials_of_two_months_stay_apart(tmp_path: Path) -> None:
    months = "".join(f"TY  - JOUR\nTI  - Editorial\nPY  - 2019/0{n}/01/\nJO  - Ice\nER  - \n" for n in (3, 4))
    (tmp_path / "a.ris").write_text(months, encoding="utf-8")
    rows = "title,abstract,publication date,journal\nEditorial,,2019-03-01,Ice\nEditorial,,2019-04-01,Ice\n"
    (tmp_path / "a.csv").write_text(rows, encoding="utf-8")
    for name in ("a.ris", "a.csv"):
        assert len({one.id for one in iter_documents(tmp_path / name)}) == 2, name


def _printed(*tags: str, begins: str = "", ends: str = "") -> str:
    """Anonymous editorials of one journal and year in six places of it, and once more with other dashes."""
    places = [("5", "1", "1-2"), ("5", "1", "9-12"), ("5", "2", "1-2"), ("6", "1", "1-2"), ("5", "", ""), ("", "", "")]
    spelt = [(volume, issue, pages.replace("-", "\N{EN DASH}")) for volume, issue, pages in places]
    values = [("Editorial", "2019", "Ice", *place) for place in (*places, *spelt)]
    return "".join(
        f"{begins}{''.join(tag.format(one) for tag, one in zip(tags, each, strict=True) if one)}{ends}"
        for each in values
    )


PRINTED = {
    "a.ris": _printed(
        *("TI  - {}\n", "PY  - {}\n", "JO  - {}\n", "VL  - {}\n", "IS  - {}\n", "SP  - {}\n"),
        begins="TY  - JOUR\n",
        ends="ER  - \n",
    ),
    "a.bib": _printed(
        *("title={{{}}}, ", "year={{{}}}, ", "journal={{{}}}, ", "volume={{{}}}, ", "number={{{}}}, ", "pages={{{}}}"),
        begins="@article{a, ",
        ends="}\n",
    ),
    "a.enw": _printed(
        *("%T {}\n", "%D {}\n", "%J {}\n", "%V {}\n", "%N {}\n", "%P {}\n"), begins="%0 Journal Article\n", ends="\n"
    ),
    "a.ciw": _printed(
        *("TI {}\n", "PY {}\n", "SO {}\n", "VL {}\n", "IS {}\n", "BP {}\n"), begins="PT J\n", ends="ER\n\n"
    ),
    "a.nbib": _printed(
        *("TI  - {}\n", "DP  - {}\n", "JT  - {}\n", "VI  - {}\n", "IP  - {}\n", "PG  - {}\n"),
        begins="OWN - X\n",
        ends="\n",
    ),
    "refworks.txt": _printed(
        *("T1 {}\n", "YR {}\n", "JF {}\n", "VO {}\n", "IS {}\n", "SP {}\n"),
        begins="RT Journal Article\nSR Electronic\n",
        ends="\n",
    ),
    "labelled.txt": _printed(
        *("Title: {}\n", "Year: {}\n", "Source: {}\n", "Volume: {}\n", "Issue: {}\n", "Pages: {}\n"), ends="\n"
    ),
    "endnote.xml": "<xml><records>"
    + _printed(
        "<titles><title>{}</title></titles>",
        "<dates><year>{}</year></dates>",
        "<periodical><full-title>{}</full-title></periodical>",
        *("<volume>{}</volume>", "<number>{}</number>", "<pages>{}</pages>"),
        begins="<record>",
        ends="</record>",
    )
    + "</records></xml>",
    "a.csv": "title,year,journal,volume,issue,pages,abstract\n"
    + "".join(
        f"Editorial,2019,Ice,{place},\n"
        for dash in ("-", "\N{EN DASH}")
        for place in (f"5,1,1{dash}2", f"5,1,9{dash}12", f"5,2,1{dash}2", f"6,1,1{dash}2", "5,,", ",,")
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_anonymous_editorials_of_one_year_are_told_apart_by_volume_issue_and_page(name: str, tmp_path: Path) -> None:
    begins = "FN X\nVR 1.0\n" if name == "a.ciw" else ""
    (tmp_path / name).write_text(begins + PRINTED[name], encoding="utf-8")
    read = list(iter_documents(tmp_path / name))
    assert len(read) == 12 and [one.id for one in read[:6]] == [one.id for one in read[6:]]
    assert len({one.id for one in read}) == 6
    (tmp_path / "a.csv").write_text(PRINTED["a.csv"], encoding="utf-8")
    assert [one.id for one in read] == [one.id for one in iter_documents(tmp_path / "a.csv")]
    with Library.open(tmp_path / "library", create=True) as library:
        assert library.add_file("k", name, read[:4]).added == 4
        assert library.add_file("again", name, read[6:10]).folded == 4


def test_a_citation_as_json_is_told_apart_by_its_place(tmp_path: Path) -> None:
    items = [
        {"title": "Editorial", "issued": {"date-parts": [[2019]]}, "container-title": "Ice", "volume": 5, "page": page}
        for page in ("1-2", "9-12", "1")
    ]
    (tmp_path / "csl.json").write_text(json.dumps(items), encoding="utf-8")
    first, second, third = (one.id for one in iter_documents(tmp_path / "csl.json"))
    assert first == third != second


def test_a_record_that_tells_its_place_folds_into_one_that_tells_none(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - Editorial\nPY  - 2019\nJO  - Ice\n{}ER  - \n"
    for name, place in (("old.ris", ""), ("new.ris", "VL  - 5\nSP  - 1\n")):
        (tmp_path / name).write_text(text.format(place), encoding="utf-8")
    with Library.open(tmp_path / "library", create=True) as library:
        assert library.add_file("k", "old.ris", iter_documents(tmp_path / "old.ris")).added == 1
        assert library.add_file("n", "new.ris", iter_documents(tmp_path / "new.ris")).folded == 1


@pytest.mark.parametrize(
    "earlier", [("Editorial", ""), ("Editorial", "", "2019", "Lind, Ada")], ids=["a table's", "an entry's"]
)
def test_a_library_under_earlier_ids_takes_the_same_record_once(earlier: tuple[str, ...], tmp_path: Path) -> None:
    ours = Document("", title="Editorial", year=2019, authors=("Lind, Ada",), venue="Journal of Reefs")
    held = Document(
        f"text:{fingerprint(*earlier)}", title="Editorial", year=2019, authors=ours.authors, venue=ours.venue
    )
    others = [Document("", title="Editorial", year=2019, authors=ours.authors, venue="Harbour Light"), ours]
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("k", "old.csv", [held])
        again = [
            Document(id_by_content(one), title=one.title, year=one.year, authors=one.authors, venue=one.venue)
            for one in others
        ]
        found = library.add_file("new", "new.csv", again)
        assert (found.added, found.folded) == (1, 1)
        assert [(one.id, one.venue) for one in library.iter_documents()] == [
            (held.id, "Journal of Reefs"),
            (id_by_content(others[0]), "Harbour Light"),
        ]


def test_a_long_text_is_named_by_itself() -> None:
    text = " ".join(f"word{number}" for number in range(20))
    assert id_by_content(Document("", abstract=text, year=2019)) == id_by_content(
        Document("", abstract=text, venue="Ice")
    )
