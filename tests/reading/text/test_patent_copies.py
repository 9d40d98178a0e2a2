"""Patents copied from the pages of patent offices and search sites."""

from __future__ import annotations

import time

import pytest

from engine.documents import Document
from engine.reading.dispatch import read_text

CLAIMS = "1. A lid, comprising: a rim; and\na knob.\n2. The lid of claim 1, of steel.\n"
DESCRIPTION = "TECHNICAL FIELD\n[0001] Lids.\nBACKGROUND\n[0002] Lids rattle.\n"

GOOGLE = f"""US20220012345A1 - Quiet lid - Google Patents

Quiet lid
Abstract
A lid that does
not rattle.

Images (3)

Classifications
A47J36/06 Lids or covers
US20220012345A1
United States
Download PDF
Find Prior Art
Similar
Inventor
Ada Lind
Bo Ek
Current Assignee
Lid Tools Ltd
Worldwide applications
2020  US
Status
Abandoned
Claims (2)
Hide Dependent
What is claimed is:
{CLAIMS}
Description
{DESCRIPTION}
Patent Citations (1)
US1111111A 1990-01-01 Old lid
Similar Documents
US2222222A Older lid
"""
USPTO = f"""( 1 of 1 )
United States Patent Application \t20220012345
Kind Code \tA1
Lind; Ada ; et al. \tJanuary 13, 2022

QUIET
LID

Abstract

A lid that does not rattle.

Inventors: \tLind; Ada; (Town, SE) ; Ek; Bo; (Lund, SE)
Assignee: \tLid Tools Ltd (Town, SE)
Appl. No.: \t16/999999
Filed: \tJuly 10, 2020

References Cited
U.S. Patent Documents
1111111 \tJanuary 1990 \tOld

Claims

{CLAIMS}
Description

{DESCRIPTION} * * * * *
"""
ESPACENET = f"""Bibliographic data: US2022012345 (A1) \N{HORIZONTAL BAR} 2022-01-13
QUIET LID
Page bookmark\tUS2022012345 (A1)  -  QUIET LID
Inventor(s):\tADA LIND [SE]; BO EK [SE]
Applicant(s):\tLID TOOLS LTD [SE]
Classification:
- international:\tA47J36/06
Application number:\tUS202016999999 20200710
Abstract of  US2022012345 (A1)
Translate this text into
A lid that does not rattle.

Claims: US2022012345 (A1)

{CLAIMS}
Description: US2022012345 (A1)

{DESCRIPTION}"""
PATENTSCOPE = f"""1. WO2022012345 - QUIET LID
PCT Biblio. Data Description Claims Drawings
Publication Number
WO/2022/012345
Publication Date
13.01.2022
Applicants
LID TOOLS LTD [SE]/[SE]
Inventors
Ada LIND
Bo EK
Title
(EN) QUIET LID
(FR) COUVERCLE SILENCIEUX
Abstract
(FR) Un couvercle qui ne fait pas de bruit.
(EN) A lid that does not rattle.
Related patent documents

Description
{DESCRIPTION}
Claims
{CLAIMS}"""
LENS = f"""Quiet Lid
US 10,123,456 B2 | Patent | Granted
Published: Jan 13, 2022
Applicants: Lid Tools Ltd
Inventors: Ada Lind; Bo Ek
Priority: Jul 10, 2020
Abstract
A lid that does not rattle.

Claims
{CLAIMS}
Description
{DESCRIPTION}"""


def read(text: str) -> Document:
    return read_text(text).document


@pytest.mark.parametrize("text", [GOOGLE, USPTO, ESPACENET, PATENTSCOPE, LENS])
def test_a_patent_as_a_page_shows_it(text: str) -> None:
    document = read(text)
    assert (document.kind, document.title.lower()) == ("patent", "quiet lid")
    assert document.abstract == "A lid that does not rattle."
    assert document.claims == ("A lid, comprising: a rim; and a knob.", "The lid of claim 1, of steel.")
    assert [(one.title, one.text) for one in document.sections if one.text] == [
        ("TECHNICAL FIELD", "[0001] Lids."),
        ("BACKGROUND", "[0002] Lids rattle."),
    ]
    assert [name.lower() for name in document.inventors] == ["ada lind", "bo ek"]
    assert (document.authors, document.venue) == (document.inventors, document.assignees[0])
    assert [name.lower() for name in document.assignees] == ["lid tools ltd"]


@pytest.mark.parametrize(
    ("text", "identifier", "year"),
    [
        (GOOGLE, "US20220012345A1", None),
        (ESPACENET, "US20220012345A1", 2022),
        (PATENTSCOPE, "", 2022),
        (LENS, "US10123456B2", 2022),
        (USPTO, "", 2022),
    ],
)
def test_what_the_record_says(text: str, identifier: str, year: int | None) -> None:
    document = read(text)
    assert document.public_id == identifier
    assert document.year == year
    assert document.url == (f"https://patents.google.com/patent/{identifier}/en" if identifier else "")


def test_the_record_is_said_to_be_left_out() -> None:
    said = read_text(GOOGLE).warnings[-1]
    assert said.startswith("Lines of the patent's record were left out of the text: ")


def test_a_german_patent_without_the_line_of_the_site() -> None:
    text = "Deckel\n\nAbstract\nEin Deckel.\nDE102020123456A1\nGermany\nInventor: Ada Lind\nStatus\nPending\n\n"
    text += "Description\nStand der Technik\nDeckel klappern.\n\nClaims (1)\nTranslated from German\n"
    document = read(f"{text}1. Deckel mit Knauf.\n")
    assert (document.title, document.abstract) == ("Deckel", "Ein Deckel.")
    assert document.claims == ("Deckel mit Knauf.",)


@pytest.mark.parametrize(
    "text",
    [
        "Quiet lids\n\nAbstract\nStatus is a word.\n\n1 Introduction\nImages are nice.\n",
        "Quiet lids\n\nInventor: Ada Lind\n\nAbstract\nA lid.\n\n1 Introduction\nText.\n",
    ],
)
def test_a_paper_is_no_copy_of_a_patent(text: str) -> None:
    assert read(text).kind == "paper"


@pytest.mark.parametrize("piece", ["US 1", "1,", "Inventor ", "A; ", "(", "[", "* ", "claims ", "- "])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    run = piece * (50_000 // len(piece))
    begun = time.process_time()
    record = f"Quiet lid\nUS1234567B2\nInventors: {run}\n{run}\nStatus: {run}\n"
    read(f"{record}Abstract\nA lid. {run}\n{run}\nClaims\n1. {run}\n")
    assert time.process_time() - begun < 5


def test_a_front_page_with_the_codes_of_its_data() -> None:
    text = (
        "(12) United States Patent\nLind\n\n(10) Patent No.: US 9,876,543 B2\n(45) Date of Patent: Jan. 6, 2015\n\n"
        "(54) REEF DRIFT METER\n\n(71) Applicant: Reef Tools, Inc., Oakland, CA (US)\n"
        "(72) Inventors: Ada Lind, Accra (GH); Bo Vik, Oakland, CA (US)\n(21) Appl. No.: 13/123,456\n\n"
        "(57) ABSTRACT\n\nA meter floats over a reef.\n\nBACKGROUND\n\nReefs drift.\n\nWhat is claimed is:\n\n"
        "1. A meter.\n2. The meter of claim 1.\n"
    )
    reading = read_text(text)
    found = reading.document
    assert (found.id, found.kind, found.title) == ("US9876543B2", "patent", "REEF DRIFT METER")
    assert found.abstract == "A meter floats over a reef."
    assert (found.inventors, found.assignees) == (("Ada Lind", "Bo Vik"), ("Reef Tools, Inc.",))
    assert (len(found.claims), [section.title for section in found.sections]) == (2, ["BACKGROUND"])
    assert any(one.startswith("Lines of the patent's record were left out") for one in reading.warnings)
