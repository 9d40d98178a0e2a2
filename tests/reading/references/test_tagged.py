"""Records of tagged lines: RIS, MEDLINE, EndNote, RefWorks and Web of Science."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError, ManyDocumentsError
from engine.documents import Document
from engine.reading.base import Omissions
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.limits import Limits
from engine.reading.references import tagged
from engine.reading.references.tagged import REFWORKS, Dialect, TaggedRecord, read_records
from tests.reading.references.written import RIS, SIZE, ris

TAGGED = re.compile(r"([A-Z]{2})(?: |$)(.*)")
OPEN = replace(REFWORKS, tagged=TAGGED, begins=frozenset({"NO"}), gap=" ")
CLOSED = replace(OPEN, begins=frozenset({"BE"}), ends=frozenset({"EN"}), around=frozenset({"HE"}), gap="\n")


def records(
    text: str, dialect: Dialect, told: list[str] | None = None, limits: Limits | None = None
) -> list[TaggedRecord]:
    omissions = Omissions((told if told is not None else []).append)
    return list(read_records(text.splitlines(), dialect, "a", limits or Limits(), omissions))


def test_records_that_end_and_lines_outside_of_them() -> None:
    told: list[str] = []
    one, two = records("HE x\nAU z\nBE 1\nTI a\n  b\nTI c\nEN \nnote\nAU y\nBE 2\nTI d", CLOSED, told)
    assert (one.line, one.all("TI"), one.lines("TI"), one.first("AU", "BE")) == (3, ["a\nb", "c"], ["a", "b", "c"], "1")
    assert (two.place, two.first("TI")) == ("the record of line 10 of a", "d")
    assert told == ["2 lines of a outside of its records were left out, the first of them line 2: 'AU z'."]


@pytest.mark.parametrize(
    "text", ["NO 1\nTI a\n\nNO 2\nTI b", "NO 1\nTI a\nNO 2\nTI b", "AU x\nTI a\n\nmore\n\nAU y\nAU z\nTI b"]
)
def test_records_without_an_end_begin_as_the_first_did(text: str) -> None:
    assert [one.first("TI").split()[0] for one in records(text, OPEN)] == ["a", "b"]


def test_a_record_is_bounded() -> None:
    told: list[str] = []
    text = "NO 0\nTI b\nNO 1\n" + "TI a\n  b\n" * 300 + "NO 2\nTI c\nNO 3\n" + "TI a\n" * 300
    found = records(text, OPEN, told, limits=Limits(max_record_bytes=1000))
    assert [one.all("NO", "TI") for one in found] == [["0", "b"], ["2", "c"]]
    assert ["at most 0 MiB in the record of line 3 of a; it is" in one for one in told] == [True, False]


def test_ris() -> None:
    (found,) = ris(RIS)
    assert found == Document(
        id="doi:10.1007/bf01700692",
        title="On incompleteness",
        abstract="We show it.\nAnd more.",
        year=1931,
        keywords=("logic", "proof"),
        venue="Math.",
        authors=("Gödel, Kurt", "Lind, Ada"),
        url="https://doi.org/10.1007/bf01700692",
    )


@pytest.mark.parametrize(
    "text",
    [
        "TY  - JOUR\nTI  - A\nER  - \n",
        "TY  - JOUR\nTI  - A\nER  -",
        "TY  - JOUR\nTI  - A",
        "TY  - JOUR\nTI  - A\n\n\n",
        "\ufeffTY  - JOUR\r\nTI  - A\r\nER  -\r\n",
        "Provider: X\nContent: text/plain\n\nTY  - GEN\nT1  - A\nER  - \n",
        "TY - JOUR\nTI - A\nER -\n",
        "TY- JOUR\nTI- A\nER- \n",
        "TY  -JOUR\nTI  -A\nER  -\n",
        "TY  - BOOK\nBT  - A\nPB  - B\nER  - \n",
    ],
)
def test_ways_to_write_a_record(text: str) -> None:
    assert [one.title for one in ris(text)] == ["A"]


LATE = """DB  - Lid Index
TI  - Quiet lids
AB  - Lids rattle.
We listened.
TY  - JOUR
T2  - Lid Notes
PY  - 2019
AU  - Lind, Ada
KW  - noise
ER  - 

DB  - Lid Index
TI  - Pots
TY  - JOUR
PY  - 2018
AU  - Ek, Bo
ER  - 
"""


@pytest.mark.parametrize(
    "text",
    [
        LATE,
        "\ufeff" + LATE,
        LATE.replace("\n", "\r"),
        LATE.replace("ER  - \n", ""),
        LATE.replace("ER  - \n\n", "ER  - \n"),
        "Found in Lid Index\nSearch: lids\n\n" + LATE,
        "".join(f"   {line}\n" for line in LATE.splitlines()),
    ],
)
@pytest.mark.parametrize("name", ["a.ris", "a.txt", "a"])
def test_a_record_whose_type_comes_late(text: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text.encode())
    told: list[str] = []
    lids, pots = iter_documents(tmp_path / name, warn=told.append)
    assert (lids.title, lids.abstract, lids.year, lids.venue) == (
        "Quiet lids",
        "Lids rattle.\nWe listened.",
        2019,
        "Lid Notes",
    )
    assert (lids.authors, lids.keywords, pots.title, pots.authors) == (("Lind, Ada",), ("noise",), "Pots", ("Ek, Bo",))
    assert [one for one in told if "promises" not in one] == []


def test_what_comes_before_a_type_is_of_its_record_or_a_record_itself() -> None:
    first, second = ris("AU  - Lind, Ada\nTY  - JOUR\nTI  - A\nER  - \nTI  - B\nTY  - JOUR\nAU  - Ek, Bo\nER  - \n")
    assert (first.authors, second.title, second.authors) == (("Lind, Ada",), "B", ("Ek, Bo",))
    first, second = ris("TI  - A\nAU  - Lind, Ada\n\nTY  - JOUR\nTI  - B\nER  - \n")
    assert (first.title, first.authors, second.title, second.authors) == ("A", ("Lind, Ada",), "B", ())


@pytest.mark.parametrize(
    ("lines", "authors"),
    [
        (["A1  - Georgi, D.", "AU  - Bello, L.", "AU  - Carmi, A."], ["Georgi, D.", "Bello, L.", "Carmi, A."]),
        (["AU  - Georgi, D.", "A1  - Bello, L.", "AU  - Carmi, A."], ["Georgi, D.", "Bello, L.", "Carmi, A."]),
        (["AU  - Georgi, D.", "AU  - Bello, L.", "A1  - Georgi, Dan", "A1  - Bello, Leo"], ["Georgi, D.", "Bello, L."]),
        (["A1  - Wang, Li", "AU  - Wang, Li", "AU  - Wang, Xu"], ["Wang, Li", "Wang, Xu"]),
        (["AU  - Wang, L.", "AU  - Wang, L. X."], ["Wang, L.", "Wang, L. X."]),
        (["AU  - 张三;李四；王五"], ["张三", "李四", "王五"]),
        (["AU  - O&apos;Brien, A.; Ek, B."], ["O'Brien, A.", "Ek, B."]),
        (["A2  - Boss, B."], ["Boss, B."]),
    ],
)
def test_authors_under_two_tags(lines: list[str], authors: list[str]) -> None:
    (found,) = ris("\n".join(["TY  - JOUR", "TI  - A", *lines, "ER  - ", ""]))
    assert list(found.authors) == authors


def test_a_source_that_cites_names_the_journal_and_the_year() -> None:
    (found,) = ris("TY  - JOUR\nTI  - A\nSO  - Lid Notes. 12(3):1-9, 2019 Aug 25.\nER  - \n")
    assert (found.venue, found.year) == ("Lid Notes", 2019)


def test_markup_in_a_record_is_no_text() -> None:
    (found,) = ris("TY  - JOUR\nTI  - <i>In vivo</i> H<sub>2</sub>O &amp; heat\nAB  - <p>p &lt; .05.</p>\nER  - \n")
    assert (found.title, found.abstract) == ("In vivo H2O & heat", "p < .05.")


def test_records_without_their_end() -> None:
    found = ris("TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\nER  - \nTY  - JOUR\nTI  - C")
    assert [one.title for one in found] == ["A", "B", "C"]


def test_lines_outside_of_records_are_left_out_and_told() -> None:
    said: list[str] = []
    assert len(ris("1. \nTY  - JOUR\nTI  - A\nER  - \n\nC1  - Base: X\nUR  - y\n\nSearch:\n1  a (3)\n", said=said)) == 1
    assert said == ["2 lines of a.ris outside of its records were left out, the first of them line 6: 'C1  - Base: X'."]


def test_lines_after_a_blank_one_go_on_with_an_abstract_alone() -> None:
    said: list[str] = []
    first, second = ris("TY  - JOUR\nAB  - One.\n\nTwo.\n\n2.\nTY  - JOUR\nTI  - B\n\nSearch:\n1  lids\n", said=said)
    assert (first.abstract, second.title) == ("One.\n\nTwo.", "B")
    assert said == ["1 line of a.ris outside of its records were left out, the first of them line 10: 'Search:'."]


def test_cochranes_records() -> None:
    (found,) = ris(
        "Record #1 of 1\nProvider: W\n\nTY  -  CTLG\nA1  -  Ek B\nT1  -  Lids\nYR  -  2019\nJA  -  Lid Notes\n"
        "DOI -  10.1234/x.1\nKY  -  lids;pots\nN2  -  AIM: Lids. A mid-\nAB-line.\nRecord #2 of 2\nER  -  \n"
    )
    assert (found.id, found.year, found.venue, found.authors) == ("doi:10.1234/x.1", 2019, "Lid Notes", ("Ek B",))
    assert (found.keywords, found.abstract) == (("lids", "pots"), "AIM: Lids. A mid-\nAB-line.")


def test_editors_stand_for_authors() -> None:
    assert ris("TY  - BOOK\nTI  - A\nA2  - Lind, Ada\nER  - \n")[0].authors == ("Lind, Ada",)


def test_old_line_ends_and_utf_16_are_told_by_content() -> None:
    text = "TY  - JOUR\rTI  - Naïve lids\rPY  - 2021\rAB  - Of lids.\rER  - \r"
    for data in (text.encode(), text.encode("utf-16"), text.replace("\r", "\n").encode("utf-8-sig")):
        assert read_bytes(data, "a.ris").document.title == "Naïve lids"
        assert read_bytes(data, "upload").format == "ris"
    long_search = "Database: X\n" + "1 lids.tw. (3)\n" * 60
    assert read_bytes((long_search + text.replace("\r", "\n")).encode(), "a.ris").document.year == 2021


@pytest.mark.parametrize("piece", ["TY  - A\n", "AU  - a\n", "more\n", "ER  - \n", "TI  -", " ", "\n"])
def test_hostile_ris_costs_no_more_than_its_length(piece: str) -> None:
    begun = time.process_time()
    try:
        ris("TY  - JOUR\nTI  - A\n" + piece * (SIZE // len(piece)))
    except InputTooLargeError:
        pass
    assert time.process_time() - begun < 5


NBIB = """PMID- 31234567
OWN - NLM
STAT- MEDLINE
LID - 10.1234/lid.7 [doi]
DP  - 2019 Nov 3
TI  - Quiet lids on kettles: a trial of
      forty kitchens.
AB  - BACKGROUND: Lids rattle. METHODS: We listened to
      forty of them.
FAU - Lind, Ada
AU  - Lind A
FAU - Ek, Bo
AU  - Ek B
CN  - Lid Group
JT  - Journal of lids
TA  - J Lids
MH  - *Kettles/physiology
OT  - noise
"""


@pytest.mark.parametrize("name", ["a.nbib", "pubmed-set.txt", "upload"])
@pytest.mark.parametrize("data", [NBIB.encode(), ("\n" + NBIB).replace("\n", "\r\n").encode("utf-8-sig")])
def test_a_record_of_medline(data: bytes, name: str) -> None:
    reading = read_bytes(data, name)
    found = reading.document
    assert (reading.format, reading.warnings) == ("medline", ())
    assert found.title == "Quiet lids on kettles: a trial of forty kitchens."
    assert found.abstract == "BACKGROUND: Lids rattle. METHODS: We listened to forty of them."
    assert (found.id, found.year, found.venue) == ("doi:10.1234/lid.7", 2019, "Journal of lids")
    assert [one.scheme for one in found.identifiers] == ["pmid"]
    assert found.authors == ("Lind, Ada", "Ek, Bo", "Lid Group")
    assert found.keywords == ("noise", "Kettles/physiology")


def test_a_record_without_doi_and_full_names() -> None:
    text = b"OWN - NLM\nPMID- 7\nTI  - Lids\nAU  - Lind A\nTA  - J Lids\nDEP - 20200102\n"
    found = read_bytes(text, "a.nbib").document
    assert (found.id, found.authors, found.venue, found.year) == ("pmid:7", ("Lind A",), "J Lids", 2020)
    assert found.url == "https://pubmed.ncbi.nlm.nih.gov/7/"


def test_several_records_of_medline(tmp_path: object) -> None:
    second = NBIB.replace("31234567", "8").replace("lid.7", "lid.8")
    with pytest.raises(ManyDocumentsError):
        read_bytes(f"{NBIB}\n{second}".encode(), "a.nbib")
    (tmp_path / "a.nbib").write_text(f"{NBIB}\n{second}")  # type: ignore[operator]
    assert [one.id for one in iter_documents(tmp_path / "a.nbib")] == ["doi:10.1234/lid.7", "doi:10.1234/lid.8"]  # type: ignore[operator]


@pytest.mark.parametrize("text", ["AB - a word, then\nTI  - more", "PMID is a number.\nTI  - A"])
def test_text_that_is_no_record(text: str) -> None:
    assert read_bytes(text.encode(), "a.txt").format == "text"


@pytest.mark.parametrize("piece", ["PMID- 1\n", "TI  - a\n", "      a\n", "\n", "10.", " "])
def test_hostile_records_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    try:
        read_bytes((NBIB + piece * (SIZE // len(piece))).encode(), "a.nbib")
    except ManyDocumentsError:
        pass
    assert time.process_time() - begun < 5


ENDNOTE = """%0 Journal Article
%A Lind, Ada
%A Ek, Bo
%T Quiet lids on
kettles
%J Journal of Lids
%D 2019
%K noise
steam; lids
%R 10.1234/lid.7
%X Lids rattle.

We listened.
%U https://example.org/lid
"""


@pytest.mark.parametrize("name", ["a.enw", "upload", "a.txt"])
@pytest.mark.parametrize("data", [ENDNOTE.encode(), ENDNOTE.replace("\n", "\r").encode(), ENDNOTE.encode("utf-16")])
def test_a_record_of_endnote(data: bytes, name: str) -> None:
    reading = read_bytes(data, name)
    found = reading.document
    assert (reading.format, reading.warnings) == ("endnote", ())
    assert (found.title, found.abstract) == ("Quiet lids on kettles", "Lids rattle.\n\nWe listened.")
    assert (found.id, found.year, found.venue) == ("doi:10.1234/lid.7", 2019, "Journal of Lids")
    assert (found.authors, found.keywords) == (("Lind, Ada", "Ek, Bo"), ("noise", "steam", "lids"))


def test_several_records_and_a_patent(tmp_path: Path) -> None:
    patent = "%0 Patent\n%T Lid\n%A Ek, Bo\n%I Lids AB\n%@ US1234567B2\n%D 2001\n"
    (tmp_path / "a.enw").write_text(ENDNOTE + "\n" + patent + patent.replace("4567", "4568"))
    _, first, second = iter_documents(tmp_path / "a.enw")
    assert (first.kind, first.id, first.venue) == ("patent", "US1234567B2", "Lids AB")
    assert second.id == "US1234568B2"


@pytest.mark.parametrize("name", ["a.enw", "a.txt", "a.ref"])
@pytest.mark.parametrize(
    "second", ["%T Pots\n%D 2000\n", "%D 2000\n%T Pots\n", "%A Ek, Bo\n%D 2000\n%T Pots\n", "\n%T Pots\n%D 2000"]
)
def test_records_as_refer_writes_them(name: str, second: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"%A Lind, Ada\n%T Lids\n%X They\nrattle.\n%D 1999\n\n{second}")
    lids, pots = iter_documents(tmp_path / name)
    assert (lids.title, lids.authors, lids.year, lids.abstract) == ("Lids", ("Lind, Ada",), 1999, "They\nrattle.")
    assert (pots.title, pots.year) == ("Pots", 2000)


@pytest.mark.parametrize("text", ["%A note\n%Todo\nText of TeX", "% A\n% T x\n% D y\n", "%T Lids\nand no more"])
def test_comments_are_no_records(text: str) -> None:
    assert not tagged.ENDNOTE.opens(text, sure=False)


RW_RECORD = """RT Journal Article
SR Electronic(1)
A1 Lind,Ada
A1 Vik,Bo
T1 Kettles that whistle
  in the night
JF Journal of Kettles
YR 2021
K1 kettles; lids
AB We hear kettles.
DO 10.1234/k.7
LK https://a.example/7
ER
"""


def test_a_record_of_refworks() -> None:
    found = read_bytes(RW_RECORD.encode(), "a.txt")
    document = found.document
    assert (found.format, document.id, document.title) == (
        "refworks",
        "doi:10.1234/k.7",
        "Kettles that whistle in the night",
    )
    assert (document.authors, document.year, document.venue) == (("Lind, Ada", "Vik, Bo"), 2021, "Journal of Kettles")
    assert (document.abstract, document.keywords) == ("We hear kettles.", ("kettles", "lids"))
    assert document.url == "https://a.example/7"


def test_refworks_tells_its_tags_first(tmp_path: Path) -> None:
    legend = "Tag legend\n*****\nRT=Reference Type\nA1=Primary Authors\nT1=Primary Title\nAB=Abstract\n"
    head = f"Refworks Export Tagged Format\n\nCharacter Set=utf-8\n\n{legend}\n***** End of legend *****\n\n"
    second = "RT Dissertation\nSR 1\nA1 张三;李四\nT1 Pots\nAB They boil.\n\nEND OF REFERENCES\n"
    (tmp_path / "a.txt").write_text(f"{head}BEGIN EXPORTED REFERENCES\n\n{RW_RECORD}\n{second}")
    lids, pots = iter_documents(tmp_path / "a.txt")
    assert (lids.authors, lids.abstract) == (("Lind, Ada", "Vik, Bo"), "We hear kettles.")
    assert (pots.title, pots.authors, pots.abstract) == ("Pots", ("张三", "李四"), "They boil.")


def test_many_records_and_a_patent_of_refworks(tmp_path: Path) -> None:
    patent = "RT Patent\nA1 Lind,Ada\nT1 Kettle\nPB Kettles Inc.\nPN US1234567B2\nYR 2020\n\n"
    (tmp_path / "a.txt").write_text(f"{RW_RECORD}\n{patent}{RW_RECORD}")
    first, second, third = iter_documents(tmp_path / "a.txt")
    assert (second.kind, second.id, second.venue) == ("patent", "US1234567B2", "Kettles Inc.")
    assert first == third


@pytest.mark.parametrize(
    "text", ["RT Journal Article", "RT is a tag\nof RefWorks\n", "RT Journal Article\nand so on\nT1 x\n"]
)
def test_what_only_begins_like_a_record(text: str) -> None:
    assert not REFWORKS.opens(text, sure=False)


WEBOFSCIENCE = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Lind, A
   Ek, B
AF Lind, Ada
   Ek, Bo
TI Quiet lids on
   kettles
SO JOURNAL OF LIDS
DE noise; steam
ID VIBRATION
AB Lids rattle. We
   listened.
PY 2019
DI 10.1234/lid.7
WC Acoustics; Mechanics
UT WOS:0007
ER

"""


@pytest.mark.parametrize("name", ["a.ciw", "savedrecs.txt", "upload"])
@pytest.mark.parametrize("head", [True, False])
def test_a_record_of_webofscience(name: str, *, head: bool) -> None:
    text = f"{WEBOFSCIENCE}EF" if head else WEBOFSCIENCE[WEBOFSCIENCE.index("PT J") :]
    reading = read_bytes(f"\ufeff{text}".encode(), name)
    found = reading.document
    assert (reading.format, reading.warnings) == ("web-of-science", ())
    assert (found.title, found.abstract) == ("Quiet lids on kettles", "Lids rattle. We listened.")
    assert (found.id, found.year, found.venue) == ("doi:10.1234/lid.7", 2019, "JOURNAL OF LIDS")
    assert (found.authors, found.keywords) == (("Lind, Ada", "Ek, Bo"), ("noise", "steam", "VIBRATION"))
    assert found.categories == ("Acoustics", "Mechanics")


def test_patents_of_derwent(tmp_path: Path) -> None:
    patent = (
        "PT P\nPN US1234567-B2; EP7654321-A1\nTI Lid\nAU EK B\nAE LIDS AB (LIDS-C)\nPD US1234567-B2 02 Mar 2021\nER\n"
    )
    (tmp_path / "a.ciw").write_text(WEBOFSCIENCE + patent + "EF\n")
    _, found = iter_documents(tmp_path / "a.ciw")
    assert (found.kind, found.id, found.year, found.authors) == ("patent", "US1234567B2", 2021, ("EK B",))
    assert found.venue == "LIDS AB (LIDS-C)"
