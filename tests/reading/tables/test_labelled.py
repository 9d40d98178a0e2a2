"""Records whose fields have names: Ovid, ProQuest, EBSCO, Cochrane and the like, and what is only like them."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError, UnsupportedFormatError, WrongExtensionError
from engine.documents import Document
from engine.reading.dispatch import detect, iter_documents, read_bytes
from engine.reading.limits import Limits
from engine.reading.tables.labelled import looks_like_labelled, read_labelled, unread_records
from tests.reading.references.written import SIZE

OVID = """<1. >
VN  - Ovid Technologies
AN  - 2012345678
AU  - Lind, Ada [Inventor, Reprint Author]
AU  - Ek, Bo MD, PhD 1,2,*
TI  - Quiet lids.  [Article]
SO  - Lid Notes. 12 (3) (pp 101-109), 2019. Date of Publication: 25 Aug 2019.
DO  - http://dx.doi.org/10.1234/lid.7
KW  - *noise; steam
AB  - Aims: To hear lids. Methods: We listened.
      Results: They rattle.

<2. >
TI  - Pots.
AU  - Vik Q.
SO  - Lid Notes. 7(4):9-19, 2018 Aug 25.
AB  - Pots boil.
"""
LABELS = """<1>
Unique Identifier
  33000001
Authors
  Lind A. Ek B.
Title
  Quiet lids.
Source
  Lid Notes. 12(3):101-109, 2019 Aug 25.
Digital Object Identifier
  10.1234/lid.7
Keywords
  noise; steam
Abstract
  Aims: To hear lids. Methods: We listened.
  Results: They rattle.

<2>
Authors
  Vik Q.
Title
  Pots.
Source
  Lid Notes. 7(4):9-19, 2018.
Abstract
  Pots boil.
"""
RULE = "_" * 60
PROQUEST = f"""{RULE}

Report Information from ProQuest
5 March 2021 10:00

{RULE}

Document 1 of 2

Quiet lids.

Author: Lind, Ada; Ek, Bo

Publication info: Lid Notes ; Delft  Vol. 12, Iss. 3,  (Aug 2019): 101-109.

Abstract: Aims: To hear lids. Methods: We listened. Results: They rattle.

Subject: noise

Identifier / keyword: noise; steam

Keywords: noise; steam

Publication title: Lid Notes

Publication year: 2019

DOI: 10.1234/lid.7

ProQuest document ID: 2500000001

{RULE}

Document 2 of 2

Pots.

Author: Vik, Q

Abstract: Pots boil.

Publication title: Lid Notes

Publication year: 2018

{RULE}

Contact us at: https://example.org/help
Database copyright 2021
"""
EBSCO = """Record: 1
Title: Quiet lids.
Authors: Lind, Ada
Ek, Bo
Source: Lid Notes. Aug2019, Vol. 12 Issue 3, p101-109. 9p.
Document Type: Article
Subject Terms: *noise
*steam
Abstract: Aims: To hear lids. Methods: We listened. Results: They rattle.
ISSN: 1234-5678
DOI: 10.1234/lid.7
Database: Lid Index

Record: 2
Title: Pots.
Authors: Vik, Q
Source: Lid Notes. 2018, Vol. 7 Issue 4, p9-19. 11p.
Abstract: Pots boil.
Database: Lid Index
"""
COCHRANE = """Record #1 of 2
ID: CN-02000001
AU: Lind A
AU: Ek B
TI: Quiet lids.
SO: Lid Notes
YR: 2019
PT: Journal Article
KY: noise; steam
DOI: 10.1234/lid.7
AB: Aims: To hear lids. Methods: We listened. Results: They rattle.
US: https://example.org/lid

Record #2 of 2
ID: CN-02000002
AU: Vik Q
TI: Pots.
SO: Lid Notes
YR: 2018
AB: Pots boil.
"""
CAB = """Record 1 of 2 - CAB Abstracts
TI: Quiet lids.
AU: Lind-A; Ek-B
SO: Lid Notes. 2019; 12(3): 101-109.
DOI: 10.1234/lid.7
DE: noise; steam
AB: Aims: To hear lids. Methods: We listened.
    Results: They rattle.

Record 2 of 2 - CAB Abstracts
TI: Pots.
AU: Vik-Q
SO: Lid Notes. 2018; 7: 9-19
AB: Pots boil.
"""
NOTE_EXPRESS = """{Reference Type}: Journal Article
{Title}: Quiet lids.
{Author}: Lind Ada
{Author}: Ek Bo
{Journal}: Lid Notes
{Year}: 2019
{Keywords}: noise; steam
{DOI}: 10.1234/lid.7
{Abstract}: Aims: To hear lids. Methods: We listened. Results: They rattle.

{Reference Type}: Journal Article
{Title}: Pots.
{Author}: Vik Q
{Journal}: Lid Notes
{Year}: 2018
{Abstract}: Pots boil.
"""
CAPITALS = """TITLE: Quiet lids.
AUTHOR: Lind, Ada; Ek, Bo
JOURNAL: Lid Notes
YEAR: 2019
KEYWORDS: noise; steam
DOI: 10.1234/lid.7
ABSTRACT: Aims: To hear lids. Methods: We listened.
RESULTS: They rattle.

AUTHOR: Vik, Q
TITLE: Pots.
JOURNAL: Lid Notes
YEAR: 2018
ABSTRACT: Pots boil.
"""
CNKI = """SrcDatabase-来源库: 期刊
Title-题名: Quiet lids.
Author-作者: Lind Ada;Ek Bo;
Organ-单位: 大学
Source-文献来源: Lid Notes
Keyword-关键词: noise;steam
Summary-摘要: Aims: To hear lids. Methods: We listened. Results: They rattle.
PubTime-发表时间: 2019-08-25
DOI-DOI: 10.1234/lid.7

SrcDatabase-来源库: 期刊
Title-题名: Pots.
Author-作者: Vik Q;
Source-文献来源: Lid Notes
Summary-摘要: Pots boil.
PubTime-发表时间: 2018-01-01
"""
ROWS = """"TITLE","Quiet lids."
"AUTHOR NAMES","Lind A.","Ek B."
"SOURCE","Lid Notes (2019) 12:3 (101-109). Date of Publication: 25 Aug 2019"
"AUTHOR KEYWORDS","noise","steam"
"ABSTRACT","Aims: To hear lids. Methods: We listened. Results: They rattle."
"DOI","10.1234/lid.7"

"TITLE","Pots."
"AUTHOR NAMES","Vik Q."
"SOURCE","Lid Notes (2018) 7:4 (9-19). Date of Publication: 2018"
"ABSTRACT","Pots boil."
"""
UNTYPED = """TI  - Quiet lids.
AU  - Lind, Ada
AU  - Ek, Bo
JO  - Lid Notes
PY  - 2019
KW  - noise
KW  - steam
DO  - 10.1234/lid.7
AB  - Aims: To hear lids. Methods: We listened. Results: They rattle.
ER  - 

TI  - Pots.
AU  - Vik, Q
JO  - Lid Notes
PY  - 2018
AB  - Pots boil.
ER  - 
"""
VILLAGE = """<RECORD 1>
Accession number:20191234
Title:Quiet lids.
Authors:Lind, A. (1); Ek, B. (1, 2)
Source title:Lid Notes
Publication year:2019
Uncontrolled terms:lids
Keywords:noise; steam
Abstract:Aims: To hear lids. Methods: We listened. Results: They rattle.
DOI:10.1234/lid.7
https://example.org/lid
<RECORD 2>
Accession number:20181234
Title:Pots.
Authors:Vik, Q.
Source title:Lid Notes
Publication year:2018
Abstract:Pots boil.
"""
WANFANG = """1.
【篇名】Quiet lids.
【作者】Lind Ada;Ek Bo
【刊名】Lid Notes
【年】2019
【关键词】noise;steam
【DOI】10.1234/lid.7
【摘要】Aims: To hear lids. Methods: We listened. Results: They rattle.
2.
【篇名】Pots.
【作者】Vik Q
【刊名】Lid Notes
【年】2018
【摘要】Pots boil.
"""
EMBASE = """RECORD 1

TITLE
Quiet lids.
AUTHOR NAMES
Lind A.
Ek B.
SOURCE
Lid Notes (2019) 12:3 (101-109). Date of Publication: 25 Aug 2019
ABSTRACT
Aims: To hear lids. Methods: We listened. Results: They rattle.
AUTHOR KEYWORDS
noise; steam
DOI
10.1234/lid.7

RECORD 2

TITLE
Pots.
AUTHOR NAMES
Vik Q.
SOURCE
Lid Notes (2018) 7:4 (9-19)
ABSTRACT
Pots boil.
"""
SCIFINDER = """START_RECORD
FIELD Copyright:Copyright (C) 2019 ACS on SciFinder (R))
FIELD Title:Quiet lids.
FIELD Author:Lind, Ada; Ek, Bo
FIELD Abstract:Aims: To hear lids. Methods: We listened. Results: They rattle.
FIELD Journal Title:Lid Notes
FIELD Publication Year:2019
FIELD Keywords:noise; steam
FIELD Digital Object Identifier:10.1234/lid.7
END_RECORD

START_RECORD
FIELD Title:Pots.
FIELD Author:Vik, Q
FIELD Abstract:Pots boil.
FIELD Journal Title:Lid Notes
FIELD Publication Year:2018
END_RECORD
"""
DIALOG = """FN- Dialog
TI- Quiet lids.
AU- Lind, Ada
AU- Ek, Bo
JN- Lid Notes
PY- 2019
DE- noise; steam
DO- 10.1234/lid.7
AB- Aims: To hear lids. Methods: We listened. Results: They rattle.

TI- Pots.
AU- Vik, Q
JN- Lid Notes
PY- 2018
AB- Pots boil.
"""
PSYC = """Database: PsycINFO
Result 1.
Title: Quiet lids.
Author(s): Lind, Ada; Ek, Bo
Journal: Lid Notes
Year of Publication: 2019
Keywords: noise; steam
Digital Object Identifier: 10.1234/lid.7
Abstract: Aims: To hear lids. Methods: We listened. Results: They rattle.

Result 2.
Title: Pots.
Author(s): Vik, Q
Journal: Lid Notes
Year of Publication: 2018
Abstract: Pots boil.
"""
CSA = """Record 1 of 2
DN: Database Name
    CSA
TI: Title
    Quiet lids.
AU: Author
    Lind, Ada; Ek, Bo
SO: Source
    Lid Notes, 2019
DE: Descriptors
    noise; steam
DO: DOI
    10.1234/lid.7
AB: Abstract
    Aims: To hear lids. Methods: We listened. Results: They rattle.

Record 2 of 2
TI: Title
    Pots.
AU: Author
    Vik, Q
SO: Source
    Lid Notes, 2018
AB: Abstract
    Pots boil.
"""
LISTS = {
    **{"embase.txt": EMBASE, "embase-close.txt": EMBASE.replace("\n\n", "\n"), "scifinder.txt": SCIFINDER},
    **{"dialog-close.txt": DIALOG, "psyc.txt": PSYC, "psyc-bare.txt": PSYC.removeprefix("Database: PsycINFO\n")},
    **{"blanks.txt": DIALOG.removeprefix("FN- Dialog\n").replace("- ", "  "), "csa.txt": CSA},
    **{
        f"{word}.txt": PSYC.replace("Result ", f"{word} ")
        for word in ("Citation", "Reference #", "Search result", "Treffer")
    },
    **{"ovid.ovd": OVID, "labels.txt": LABELS, "proquest.txt": PROQUEST, "ebsco.txt": EBSCO, "cochrane.txt": COCHRANE},
    **{"cab.txt": CAB, "a.net": NOTE_EXPRESS, "capitals": CAPITALS, "cnki.txt": CNKI, "rows.csv": ROWS},
    **{
        "village.txt": VILLAGE,
        "dialog.txt": COCHRANE.replace("Record #1 of 2", "1/5/1").replace("Record #2 of 2", "1/5/2"),
    },
    **{
        "wanfang.txt": WANFANG,
        "medline.txt": UNTYPED.replace("ER  - \n", "").replace("PY ", "DP ").replace("JO ", "JT "),
    },
    **{"untyped.ris": UNTYPED, "lower.txt": OVID.lower()},
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_records_of_services(name: str, mark: str, end: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((mark + LISTS[name].replace("\n", end)).encode())
    told: list[str] = []
    lids, pots = iter_documents(tmp_path / name, warn=told.append)
    assert [one for one in told if "promises" not in one] == []
    assert (lids.title.lower(), pots.title.lower()) == ("quiet lids.", "pots.")
    assert lids.abstract.lower() == "aims: to hear lids. methods: we listened. results: they rattle."
    assert (pots.abstract.lower(), lids.id, lids.year, pots.year) == ("pots boil.", "doi:10.1234/lid.7", 2019, 2018)
    assert (lids.venue.lower(), pots.venue.lower()) == ("lid notes", "lid notes")
    assert [one.split()[0].rstrip(",").lower() for one in lids.authors] == ["lind", "ek"]
    assert [one.split()[0].rstrip(",").lower() for one in pots.authors] == ["vik"]
    assert lids.keywords == ("noise", "steam")


def test_what_services_write_behind_a_name_goes() -> None:
    lids, _ = _read(OVID)
    assert lids.authors == ("Lind, Ada", "Ek, Bo")
    lids, _ = _read(LABELS)
    assert lids.authors == ("Lind A.", "Ek B.")
    lids, _ = _read(CAB)
    assert lids.authors == ("Lind A", "Ek B")


def test_a_patent_and_an_upload_of_one_record() -> None:
    text = OVID.split("<2. >")[0].replace("VN  -", "PT  - Patent\nPN  - US 1234567 B2\nVN  -")
    found = read_bytes(text.encode(), "a.ovd")
    assert (found.format, found.document.kind, found.document.id) == ("labelled", "patent", "US1234567B2")


def test_a_record_without_text_is_told_and_left_out() -> None:
    told: list[str] = []
    found = _read(OVID.replace("TI  - Pots.\n", "").replace("AB  - Pots boil.\n", ""), told=told)
    assert [one.title for one in found] == ["Quiet lids."]
    assert told == ["The record of line 14 of a.ovd has neither a title nor an abstract, and was left out."]


def test_a_record_is_bounded() -> None:
    told: list[str] = []
    grown = OVID.replace("Pots boil.", "Pots boil.\n      " * 200)
    assert [one.title for one in _read(grown, told=told, limits=Limits(max_record_bytes=1_000))] == ["Quiet lids."]
    assert ["the record of line 14 of a.ovd; it is larger" in one for one in told] == [True]
    with pytest.raises(InputTooLargeError, match=r"the record of line 2 of a\.ovd"):
        _read(grown.replace("They rattle.", "They rattle.\n      " * 200), limits=Limits(max_record_bytes=1_000))


def test_one_record_is_one_where_nothing_else_looks_so() -> None:
    text = "TI  - Quiet lids\nAU  - Lind, Ada\nPY  - 2019\nAB  - They rattle.\n"
    found = read_bytes(text.encode(), "a.txt")
    assert (found.format, found.document.title, found.document.abstract) == ("labelled", "Quiet lids", "They rattle.")


def test_one_record_of_nothing_but_fields_is_one() -> None:
    text = "Record Number: A1\nTitle: Quiet lids\nAuthor: Ada Lind\nSource: Lid Notes, 2019\n"
    found = read_bytes(text.encode(), "a.txt").document
    assert (found.title, found.authors, found.venue, found.year) == ("Quiet lids", ("Ada Lind",), "Lid Notes", 2019)


def test_a_field_that_comes_late_in_a_file_is_one() -> None:
    first, *_, last = _read(OVID + OVID.replace("They rattle.\n", "They rattle.\nCM  - a comment\n") * 100)
    assert (first.abstract, len(first.authors)) == (
        "Aims: To hear lids. Methods: We listened. Results: They rattle.",
        2,
    )
    assert last.title == "Pots."


def test_a_wrong_value_costs_no_record() -> None:
    told: list[str] = []
    assert len(_read(COCHRANE.replace("YR: 2018", "YR: 18"), told=told)) == 2
    assert ["four digits" in one for one in told] == [True]


def _read(text: str, *, told: list[str] | None = None, limits: Limits | None = None) -> list[Document]:
    warn = (told if told is not None else []).append
    return list(read_labelled(io.BytesIO(text.encode()), "a.ovd", limits or Limits(), warn))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Scopus\nEXPORT DATE: 05 March 2021\n\nLind, A.\nLids\n(2019) Lid Notes",
            "Scopus's plain text.* RIS, BibTeX or CSV",
        ),
        ("=LDR  01490nam a2200361 a 4500\n=001  7\n=245  10$aLids.\n", "MARC records.* as RIS or BibTeX"),
        (
            "1: Lind A. Lids. Lid Notes. 2019. PMID: 33000001.\n\n2: Ek B.\nPots. 2018. PMID: 33000002.\n",
            'PubMed.*"Abstract',
        ),
        ("- id: lids\n  title: Lids\n  issued: 2019\n- id: pots\n  title: Pots\n", "YAML.* as CSL JSON"),
        ("---\nreferences:\n- id: lids\n  title: Lids\n- id: pots\n  title: Pots\n---\n", "YAML.* as CSL JSON"),
        (
            "AU  - Lind\nXT  - Lids\nPY  - 2019\n\nAU  - Ek\nXT  - Pots\nPY  - 2018\n",
            "with the fields AU, XT, PY.* as RIS",
        ),
        ("### 00000nM2.01200024      h\n001 7\n331 Lids\n", "MAB2 records.* as RIS"),
        ('@prefix dct: <http://purl.org/dc/terms/> .\n<#a> dct:title "Lids" .\n', "Turtle.* as RIS or BibTeX"),
        ('# made by us\nPREFIX dct: <http://purl.org/dc/terms/>\n<#a> dct:title "Lids" .\n', "Turtle.* as RIS"),
        ('<http://a.b/c> <http://purl.org/dc/terms/title> "Lids" .\n' * 2, "N-Triples.* as RIS"),
        ("lind:\n    type: Article\n    title: Lids\nek:\n    type: Book\n", "Hayagriva.* as CSL JSON"),
        ("lind:\n  title: Lids\n  author: Lind, Ada\n  type: article\n", "Hayagriva.* as CSL JSON"),
        ("cff-version: 1.2.0\nmessage: Cite this\ntitle: Lids\n", "CITATION.cff.* BibTeX"),
        ("title: Lids\nauthors:\n  - family-names: Lind\ncff-version: 1.2.0\n", "CITATION.cff.* BibTeX"),
        (
            "\\begin{thebibliography}{1}\n\\bibitem{a} A. Lind, Lids.\n\\end{thebibliography}\n",
            r"\.bbl.*the \.bib file",
        ),
        (
            "% made by BibTeX\n\\newcommand{\\natexlab}[1]{#1}\n\n\\begin{thebibliography}{1}\n",
            r"\.bbl.*the \.bib file",
        ),
        ("\\bibitem{lind} A. Lind, Lids, Lid Notes 12 (2019).\n", r"\.bbl.*the \.bib file"),
        ("{{cite journal |last=Lind |title=Lids |year=2019}}\n", "Wikipedia's templates.* Zotero"),
        ("* {{Citation |last=Lind |title=Lids}}\n* {{Cite book |title=Pots}}\n", "Wikipedia's templates.* Zotero"),
        (
            "References\n\n1. Lind A. Lids. 2019.\n2. Vik Q. Pots. 2020.\n3. Land M. Paint. 2021.\n",
            "printed list of references.* as RIS",
        ),
        (
            "Lind, Ada, and Bo Ek. “Lids.” 2019.\nVik, Q. “Pots.” 2020.\nLand, Mara. Paint. 2021.\n",
            "printed list of references.* as RIS",
        ),
        (
            "% $ biblatex auxiliary file $\n% $ biblatex bbl format version 3.2 $\n\\begingroup\n",
            r"\.bbl.*the \.bib file",
        ),
        ("000 01142cam  2200301 a 4500\n001 92005291\n245 10 $a Lids.\n", "MARC records.* as RIS or BibTeX"),
        ("000000001 LDR   L 00000nam\n000000001 24510 L $$aLids.\n", "MARC records.* as RIS or BibTeX"),
        ("TY  - JOUR\n", "RIS without a field.* again"),
        ("10.1234/a\n10.1234/b\n", "list of numbers.* Zotero"),
        ("doi:10.1234/a; https://doi.org/10.1234/b\n", "list of numbers.* Zotero"),
        ("23456789\n23456790\n", "list of numbers.* Zotero"),
        ("PMID: 23456789, PMID: 23456790, arXiv:2101.00001", "list of numbers.* Zotero"),
        (
            "1. Lind A, Ek B. Lids. J Lids.\n   2019;12(3):45-67.\n2. Vik Q. Pots. 2020.\n3. Land M. Paint. 2021.\n",
            "printed list of references.* as RIS",
        ),
        (
            "[1] A. Lind and B. Ek, Lids, 2019.\n[2] Q. Vik, Pots, 2020.\n[3] M. de Land, Paint, 2021.\n",
            "printed list of references.* as RIS",
        ),
        (
            "Lind, A., & Ek, B. (2019). Lids.\n\nVik, Q. (2020). Pots.\n\nvan der Land, M. P. (2021). Paint.\n",
            "printed list of references.* as RIS",
        ),
    ],
)
@pytest.mark.parametrize("name", ["list.txt", "list.dat", "list"])
def test_a_list_that_is_not_read_is_no_text(text: str, said: str, name: str) -> None:
    with pytest.raises((UnsupportedFormatError, WrongExtensionError), match=rf"{name}.*{said}"):
        detect(text.encode(), name)


TEXTS = (
    "Title: Quiet lids\nAuthors: Ada Lind\nAbstract: Lids rattle.\n\nIntroduction\n\nWe listened to lids.\n",
    "Q: What do lids do?\nA: They rattle.\nQ: When?\nA: At night.\nQ: Why?\nA: Steam.\n",
    "Anna: Hello.\nAuthor: I write.\nAnna: What?\nAuthor: Lids.\nEditor: No.\nAuthor: Yes.\n",
    "Cite as:\n\n@article{lind, title={Lids}, author={Lind, Ada}, year={2019}}\n\nThis text is on lids.\n",
    "---\ntitle: Lids\nauthor: Ada Lind\n---\n\nThe lids rattle.\n",
    "---\nreferences:\n- id: lids\n  title: Lids\n- id: pots\n  title: Pots\n---\n\n# Lids\n\nThey rattle [@lids].\n",
    "References\n\n1. Lind A. Lids. 2019. PMID: 33000001.\n2. Ek B. Pots. 2018. PMID: 33000002.\n",
    "Note: lids rattle.\nTitle: of a book\n"
    + "We listened to them for a whole night, and they rattled.\n" * 30
    + "Title: of another\n",
    "Subject: Lids\nFrom: Ada\nDate: 2019\n\nThey rattle.\n\nSubject: Pots\nFrom: Bo\nDate: 2018\n\nThey boil.\n",
    "<1>\nLids rattle.\n\n<2>\nPots boil.\n",
    "_" * 40 + "\n\nAbstract: Lids rattle.\n\nKeywords: lids\n\n" + "We listened to them for a whole night.\n\n" * 30,
    "=" * 20 + "\nTitle: Lids\nAuthors: Ada Lind\nAbstract: They rattle.\nYear: 2019\n" + "=" * 20 + "\n\nThe text.\n",
    "Definitions\nlid: what lies on a pot\npot: what lies below a lid\nauthor: who writes\nyear: a time\n",
    "%A comment\n% of TeX\n",
    "In 2019 we measured lids.\nIn 2020 A. Lind measured pots.\nB. Ek said in 2021 that pots boil.\n",
    "1. A lid of 2019, on a pot.\n2. The lid of claim 1, made in 2020.\n3. The lid of claim 1, of steel.\n",
    "A. Lind wrote in 2019.\nB. Ek did in 2020.\n",
    "---\npaper:\n  type: article\n---\n\nLids rattle.\n",
    "10.1234/a is where lids are told of.\n",
    "The year 1999 and the year 2000\n",
    "ABSTRACT\nLids rattle.\n\nKEYWORDS\nlids\n\nTITLES\nThey are long.\n\nABSTRACT ALGEBRA\nIt is short.\n",
    "TV  is off.\nPC  is on.\nThe lids rattle.\n",
    "<error> is what the lid said.\n\nThe pot said nothing.\n",
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_plain_text_stays_one(text: str) -> None:
    assert detect(text.encode(), "a.txt") in ("text", "markdown")
    assert (looks_like_labelled(text), unread_records(text)) == (False, None)


@pytest.mark.parametrize(
    "piece", ["<1>\n", "TI  - a\n", "AU: a\n", "Title: a\n", "1. a PMID: 1\n", "- id: a\n", "[", "\n", '"a","b"\n']
)
def test_hostile_lists_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    for text in (OVID + piece * (SIZE // len(piece)), piece * (SIZE // len(piece))):
        looks_like_labelled(text)
        unread_records(text)
        try:
            _read(text)
        except MalformedFileError:
            pass
    assert time.process_time() - begun < 5
