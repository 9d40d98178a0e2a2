"""Real papers and patents in `shared/formats`: what must come out of each, checked against the files by eye.

Where a reader departs from its file: JATS footnotes ("Publisher's Note") and sections that hold
nothing but supplementary files are left out, and an untitled `ack` is called Acknowledgements. The
Green Book patent has no headings of its own; its sections carry the names of its groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.reading.dispatch import iter_documents, read_bytes, read_file


@dataclass(frozen=True)
class Expected:
    file: str
    format: str
    id: str
    title: str
    abstract: str
    sections: str
    year: int
    categories: tuple[str, ...]
    claims: int
    last_claim: str = ""
    authors: int = 1
    venue: str = ""
    family: str = ""


TABLE = (
    Expected(
        "jats/PMC7599108.xml",
        format="jats",
        id="PMC7599108",
        title=(
            "The efficacy of aspirin and metformin combination therapy in patients with rectal aberrant "
            "crypt foci: a double-blinded randomized controlled trial"
        ),
        abstract="Background: The incidence and mortality",
        sections=(
            "Background | Methods/design | Study design and setting | Ethical considerations and "
            "registration | Eligibility criteria | Intervention | Outcome measurements | Randomization | "
            "Drug supply | Sample size estimation | Statistical analysis | Trial steering committee and "
            "data monitoring committee | Study flow | Discussion | Abbreviations | Acknowledgements | "
            "Current study status | Authors’ contributions | Funding | Availability of data and materials"
            " | Ethics approval and consent to participate | Consent for publication | Competing "
            "interests | References"
        ),
        year=2020,
        categories=("Study Protocol",),
        claims=0,
        authors=10,
        venue="BMC Cancer",
        family="",
    ),
    Expected(
        "jats/PMC7602352.xml",
        format="jats",
        id="PMC7602352",
        title=(
            "Randomised prospective phase II trial in multiple brain metastases comparing outcomes "
            "between hippocampal avoidance whole brain radiotherapy with or without simultaneous "
            "integrated boost: HA-SIB-WBRT study protocol"
        ),
        abstract="Background: Recent evidence supports",
        sections=(
            "Introduction | Background | Rationale | Objectives | Study design | Methods: participants, "
            "interventions and outcomes | Study setting | Eligibility criteria | Interventions | Outcomes"
            " and timeline | Primary endpoint | Secondary endpoints | Sample size | Assignment of "
            "interventions | Data collection and management | Data management | Statistical methods | "
            "Statistical analysis plans | Oversight and monitoring | Safety | Ethics and dissemination | "
            "Research ethics | Confidentiality | Discussion | Trial status | Abbreviations | "
            "Acknowledgements | Authors’ contributions | Funding | Availability of data and materials | "
            "Ethics approval and consent to participate | Consent for publication | Competing interests |"
            " References"
        ),
        year=2020,
        categories=("Study Protocol",),
        claims=0,
        authors=11,
        venue="BMC Cancer",
        family="",
    ),
    Expected(
        "jats/PMC7667753.xml",
        format="jats",
        id="PMC7667753",
        title=(
            "Impact of HPV-16/18 AS04-adjuvanted vaccine on preventing subsequent infection and disease "
            "after excision treatment: post-hoc analysis from a randomized controlled trial"
        ),
        abstract="Background: It is widely acknowledged",
        sections=(
            "Background | Methods | Eligible participants | Cytology and histopathology | HPV DNA testing"
            " | Statistical analysis | Results | Enrollment and follow-up characteristic of women after "
            "cervical surgery | Impact of vaccination on rate of HPV infections and abnormal cytological "
            "results after excision treatment | Impact of vaccination on occurrence of LSIL+ and "
            "subsequent histopathologically confirmed disease | Discussion | Conclusions | Abbreviations "
            "| Acknowledgements | Authors’ contributions | Funding | Availability of data and materials |"
            " Ethics approval and consent to participate | Consent for publication | Competing interests "
            "| References"
        ),
        year=2020,
        categories=("Research Article",),
        claims=0,
        authors=7,
        venue="BMC Infectious Diseases",
        family="",
    ),
    Expected(
        "jats/PMC7718682.xml",
        format="jats",
        id="PMC7718682",
        title=(
            "Interprofessional versus monoprofessional case-based learning in childhood cancer and the "
            "effect on healthcare professionals’ knowledge and attitudes: study protocol for a randomised"
            " trial"
        ),
        abstract="Background: Interprofessional education",
        sections=(
            "Background | Methods | Trial design | Setting and eligibility criteria | Exclusion criteria "
            "| Participant withdrawal | Recruitment | Details of the intervention | Pilot testing | "
            "Outcomes | Primary outcome | Secondary outcomes | Data collection | Sample size | Sample "
            "size estimation adjusted for clustering | Allocation and sequence generation | Statistical "
            "methods | Data handling and record keeping | Quality control and quality assurance | Ethics "
            "and dissemination | Risk and benefits | Ethical considerations | Publication plan | "
            "Publications planned | Design articles | Discussion | Abbreviations | Acknowledgements | "
            "Authors’ contributions | Funding | Availability of data and materials | Ethics approval and "
            "consent to participate | Consent for publication | Competing interests | References"
        ),
        year=2020,
        categories=("Study Protocol",),
        claims=0,
        authors=11,
        venue="BMC Health Services Research",
        family="",
    ),
    Expected(
        "uspto/US03937375.greenbook",
        format="greenbook",
        id="US3937375A",
        title="Bumper support for a boat loader",
        abstract="A unit mountable on a rear bumper of a",
        sections="Brief Summary | Brief Description of Drawings | Detailed Description",
        year=1976,
        categories=("B60R 9/00",),
        claims=3,
        last_claim="The combination as set forth in claim 2, wherein",
        authors=1,
        venue="",
        family="US-application-05518454",
    ),
    Expected(
        "uspto/US06859910.xml",
        format="uspto-grant",
        id="US6859910B2",
        title="Methods and systems for transactional tunneling",
        abstract="Methods and systems for executing an",
        sections=(
            "CROSS REFERENCE TO RELATED U.S. APPLICATIONS | BACKGROUND OF THE INVENTION | SUMMARY | BRIEF"
            " DESCRIPTION OF THE FIGURES | DETAILED DESCRIPTION"
        ),
        year=2005,
        categories=("G06F 15/00", "G06F 17/00", "G06F 17/21", "G06F 17/24"),
        claims=2,
        last_claim="A method of claim 1, further comprising: caching",
        authors=1,
        venue="Bluestreak.com",
        family="US-application-09832323",
    ),
    Expected(
        "uspto/US08930553.xml",
        format="uspto-grant",
        id="US8930553B2",
        title="Managing mid-dialog session initiation protocol (SIP) messages",
        abstract="Processing mid-dialog SIP messages by",
        sections=(
            "FIELD OF THE INVENTION | BACKGROUND OF THE INVENTION | SUMMARY OF THE INVENTION | BRIEF "
            "DESCRIPTION OF THE DRAWINGS | DETAILED DESCRIPTION OF THE INVENTION"
        ),
        year=2015,
        categories=("G06F 15/16",),
        claims=8,
        last_claim="A computer program product for processing",
        authors=3,
        venue="International Business Machines Corporation",
        family="US-application-13648029",
    ),
    Expected(
        "uspto/US20010000044A1.xml",
        format="uspto-application",
        id="US20010000044A1",
        title=(
            "Systems and Methods For Transacting Business Over A Global Communications Network Such As The Internet"
        ),
        abstract="A business model / process is described",
        sections=(
            "Field OF Invention | Background Of Invention | Summary of Invention | Brief Description of "
            "Drawings | Detailed Description"
        ),
        year=2001,
        categories=("G06F 17/60",),
        claims=21,
        last_claim="The system of claim 20, wherein the server is",
        authors=1,
        venue="",
        family="US-application-09342866",
    ),
    Expected(
        "uspto/US20050004437A1.xml",
        format="uspto-application",
        id="US20050004437A1",
        title="Simulation device for playful evaluation and display of blood sugar levels",
        abstract="A simulation device for playful",
        sections=(
            "CROSS-REFERENCE TO RELATED APPLICATION(S) | BACKGROUND | SUMMARY | BRIEF DESCRIPTION OF THE "
            "DRAWINGS | DETAILED DESCRIPTION OF THE INVENTION"
        ),
        year=2005,
        categories=("A61B 5/00",),
        claims=10,
        last_claim="The simulation device as set forth in claim 1,",
        authors=2,
        venue="",
        family="US-application-10830857",
    ),
)


@pytest.mark.parametrize("expected", TABLE, ids=lambda expected: expected.file)
def test_real_file_is_read_right(shared: Path, expected: Expected) -> None:
    reading = read_file(shared / "formats" / expected.file)
    document = reading.document
    assert reading.format == expected.format
    assert all("tables. Captions are read." in one for one in reading.warnings)
    assert document.kind == ("paper" if expected.format == "jats" else "patent")
    assert (document.id, document.title, document.year) == (expected.id, expected.title, expected.year)
    assert document.abstract.startswith(expected.abstract)
    assert [section.title for section in document.sections] == expected.sections.split(" | ")
    assert document.categories == expected.categories
    assert len(document.claims) == expected.claims
    assert not expected.claims or document.claims[-1].startswith(expected.last_claim)
    assert (len(document.authors), document.venue, document.family) == (
        expected.authors,
        expected.venue,
        expected.family,
    )


def test_references_come_last_and_are_marked(shared: Path) -> None:
    for expected in TABLE:
        sections = read_file(shared / "formats" / expected.file).document.sections
        marked = [place for place, section in enumerate(sections) if section.role == "references"]
        assert marked == ([len(sections) - 1] if expected.format == "jats" else [])


def test_no_claim_keeps_its_number(shared: Path) -> None:
    for expected in TABLE:
        document = read_file(shared / "formats" / expected.file).document
        assert all(claim[0].isupper() for claim in document.claims)


def test_real_files_are_told_apart_without_their_names(shared: Path) -> None:
    for expected in TABLE:
        reading = read_bytes((shared / "formats" / expected.file).read_bytes(), "upload")
        assert reading.format == expected.format


def test_weekly_file_of_real_patents_is_streamed(shared: Path, tmp_path: Path) -> None:
    patents = [one for one in TABLE if one.format.startswith("uspto") and "2001" not in one.file]
    weekly = b"".join((shared / "formats" / one.file).read_bytes() for one in patents if one.id != "US20010000044A1")
    (tmp_path / "weekly.xml").write_bytes(weekly * 3)
    found = [document.id for document in iter_documents(tmp_path / "weekly.xml")]
    assert found == [one.id for one in patents if one.id != "US20010000044A1"] * 3
