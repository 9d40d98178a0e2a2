"""Papers and a patent that we wrote, set as PDFs in the ways that journals and offices set them."""

from __future__ import annotations

from engine.documents import Document
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.writer import PdfWriter

ABSTRACT = (
    "Tide pools lose heat at night and gain it by day, and the small animals that live in them must follow. We "
    "measured forty pools on a rocky coast for one year and show that depth, not area, decides how far the "
    "temperature falls before dawn."
)
INTRODUCTION = (
    "A tide pool is a small body of water that the sea leaves behind twice a day. Its temperature depends on the sun, "
    "on the wind, and on the depth of the basin in which it stands. Earlier work has looked at single pools for a few "
    "days. We ask what a whole year shows, and whether a simple rule can tell warm pools from cold ones."
)
METHODS = (
    "Each pool carried two loggers, one at the surface and one at the deepest point. They wrote a value every ten "
    "minutes from March to the following February. Depth was measured with a rod at low water, and area was taken from "
    "photographs. Pools that storms had changed were measured again and counted as new pools from that day on."
)
RESULTS = (
    "Deep pools cooled less than shallow ones in every month. A pool of half a metre lost four degrees in a clear "
    "night, while a pool of ten centimetres lost nine. Area made no difference once depth was known. The rule held on "
    "windy days too, although the spread between pools was then smaller than in calm weather."
)
REFERENCES = (
    "Arden K, Mole P (2011). Heat in shallow water. Journal of Shores 4, 11-29.",
    "Birch L (2014). The night side of the coast, with a long title that needs a second line to stand in full. Shore "
    "Letters 9, 1-8.",
    "Coral T, Dune S, Ebb V (2019). Loggers for rough places. Methods on Rocks 2, 100-120.",
)


def one_column(**options: str) -> PdfWriter:
    """Numbered headings in bold, running heads, page numbers, a reference list with hanging indents."""
    pdf = PdfWriter(**options)  # type: ignore[arg-type]
    pdf.page()
    pdf.centred(90, "Depth Decides How Tide Pools", 18, "bold")
    pdf.centred(112, "Keep Their Heat", 18, "bold")
    pdf.centred(140, "Ada Moor and Ben K. Strand", 12)
    pdf.centred(156, "Institute of Shores, University of Northport", 10, "italic")
    pdf.centred(190, "Abstract", 10, "bold")
    pdf.paragraph(120, 206, 355, ABSTRACT, size=9)
    pdf.line(90, 270, "Keywords: tide pools, temperature, loggers.")
    pdf.line(90, 300, "1  Introduction", 14, "bold")
    y = pdf.paragraph(90, 322, 415, INTRODUCTION)
    y = pdf.paragraph(90, y, 415, METHODS.replace("Each pool", "For this study each pool"), indent=15)
    pdf.line(90, y + 20, "2  Methods", 14, "bold")
    y = pdf.paragraph(90, y + 42, 415, METHODS)
    pdf.line(90, y + 18, "2.1  Loggers", 11, "bold")
    pdf.paragraph(90, y + 34, 415, RESULTS)
    pdf.centred(800, "1")
    for number in (2, 3, 4):
        pdf.page()
        pdf.line(90, 50, "Moor and Strand" if number % 2 else "Depth decides", 9, "italic")
        pdf.centred(800, str(number))
        pdf.line(90, 90, ("3  Results", "4  Discussion", "5  Conclusions")[number - 2], 14, "bold")
        y = pdf.paragraph(90, 112, 415, RESULTS)
        y = pdf.paragraph(90, y, 415, INTRODUCTION, indent=15)
    pdf.line(90, y + 20, "References", 14, "bold")
    y += 42
    for entry in REFERENCES:
        first, *rest = entry.replace("full. Shore", "full.|Shore").split("|")
        pdf.line(90, y, first)
        for text in rest:
            y += 12
            pdf.line(105, y, text)
        y += 12
    return pdf


def two_columns() -> PdfWriter:
    """A title and an abstract across the page, two columns, roman numbers in capitals, a wide figure between."""
    pdf = PdfWriter()
    pdf.page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 20)
    pdf.centred(106, "Ada Moor, Ben K. Strand", 11)
    pdf.line(50, 140, "Abstract. " + ABSTRACT[:70].rsplit(" ", 1)[0], 9)
    pdf.paragraph(50, 151, 495, ABSTRACT[len(ABSTRACT[:70].rsplit(" ", 1)[0]) + 1 :], size=9)
    pdf.line(120, 200, "I. INTRODUCTION", 10)
    y = pdf.paragraph(50, 218, 236, f"{INTRODUCTION} {INTRODUCTION}")
    pdf.line(130, y + 10, "II. METHODS", 10)
    pdf.paragraph(50, y + 28, 236, f"{METHODS} {METHODS} The last measured value in the left column stands be-")
    pdf.paragraph(309, 200, 236, f"fore the right column begins. {METHODS} {RESULTS}")
    pdf.line(390, 500, "III. RESULTS", 10)
    pdf.paragraph(309, 518, 236, f"{RESULTS} {METHODS}")
    pdf.page()
    y = pdf.paragraph(50, 60, 236, RESULTS)
    pdf.paragraph(309, 60, 236, f"{RESULTS.replace('Deep', 'Very deep')}")
    pdf.paragraph(
        50,
        240,
        495,
        "Figure 1. Temperature of all forty pools through the year, with the nights of the two "
        "storms marked in grey, and the days on which loggers were lost marked by crosses below.",
        size=9,
    )
    pdf.line(130, 300, "IV. CONCLUSION", 10)
    pdf.paragraph(50, 318, 236, f"{INTRODUCTION} {RESULTS}")
    pdf.line(390, 300, "REFERENCES", 10)
    y = 318.0
    for number, entry in enumerate(REFERENCES, start=1):
        y = pdf.paragraph(309, y, 236, f"[{number}] {entry}", size=9)
    return pdf


def patent(*, opening: str = "", labels: bool = False) -> PdfWriter:
    """A front page with numbered data, then two columns with line numbers between them, claims at the end.

    `opening` is text above the description's first heading; with `labels` a page of a drawing stands before.
    """
    pdf = PdfWriter()
    pdf.page()
    pdf.line(50, 60, "(12) United States Patent", 16, "bold")
    pdf.line(309, 60, "(10) Patent No.: US 9,876,543 B2", 12)
    pdf.line(309, 76, "(45) Date of Patent: Jan. 6, 2015", 12)
    left = ["(54) POOL WARMER WITH A FLOATING", "LID", "(71) Applicant: Northport Pools", "(72) Inventor: Ada Moor",
            "(21) Appl. No.: 13/123,456", "(22) Filed: May 2, 2012", "(51) Int. Cl.", "E04H 4/12 (2006.01)",
            "F24J 2/04 (2006.01)", "(52) U.S. Cl."]  # fmt: skip
    for place, text in enumerate(left):
        pdf.line(50, 110 + 14 * place, text)
    pdf.line(400, 110, "(57) ABSTRACT")
    pdf.paragraph(
        309,
        126,
        236,
        "A warmer for pools has a lid that floats on the water and turns toward the sun. The lid "
        "carries a dark plate, and a float that keeps the plate above the water at all times.",
    )
    pdf.line(380, 220, "2 Claims, 1 Drawing Sheet")
    if labels:
        pdf.page()
        pdf.centred(40, "U.S. Patent Jan. 6, 2015 Sheet 1 of 1 US 9,876,543 B2")
        for number in range(12):
            pdf.line(80 + 30 * (number % 5), 140 + 40 * number, f"lid {10 + 2 * number}")
        pdf.line(250, 700, "FIG. 1")
    for page in (1, 2):
        pdf.page()
        pdf.centred(40, "US 9,876,543 B2")
        pdf.line(160, 56, str(2 * page - 1))
        pdf.line(420, 56, str(2 * page))
        for number in range(1, 9):
            pdf.line(294, 80 + 60 * number, str(5 * number), 8)
        y = 80.0
        if page == 1:
            pdf.line(80, 80, "POOL WARMER WITH A FLOATING LID", 10)
            below = pdf.paragraph(50, 100, 236, opening, indent=10) if opening else 92.0
            pdf.line(110, below + 12, "BACKGROUND", 10)
            y = below + 30
        pdf.paragraph(50, y, 236, " ".join([INTRODUCTION, METHODS, RESULTS, INTRODUCTION]), indent=10)
        if page == 1:
            pdf.line(370, 80, "DETAILED DESCRIPTION", 10)
            pdf.paragraph(309, 98, 236, " ".join([METHODS, RESULTS, INTRODUCTION, METHODS]), indent=10)
            continue
        y = pdf.paragraph(309, 80, 236, RESULTS, indent=10)
        pdf.line(319, y, "What is claimed is:")
        y = pdf.paragraph(
            309,
            y + 12,
            236,
            "1. A warmer for a pool, comprising a lid that floats on the water of the pool; a "
            "dark plate on the lid; and a float that keeps the plate above the water.",
            indent=10,
        )
        pdf.paragraph(
            309,
            y,
            236,
            "2. The warmer of claim 1, wherein the lid turns toward the sun by means of a sail "
            "that the wind moves, and stops at night.",
            indent=10,
        )
    return pdf


def document_of(*lines: str, after: str = INTRODUCTION) -> Document:
    """A document whose lines are set as given, all of about one width, with a paragraph after them."""
    pdf = PdfWriter().page()
    for place, line in enumerate(lines):
        pdf.line(90, 100 + 12 * place, line)
    pdf.paragraph(90, 100 + 12 * len(lines) + 24, 415, after)
    return read_pdf(pdf.data(), "x.pdf").document


def text_of(*lines: str, after: str = INTRODUCTION) -> str:
    return document_of(*lines, after=after).sections[0].text.split("\n\n")[0]
