"""First pages that we wrote, set in the ways of the large journals: where title, names, dates and abstract stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.reading.pdf.papers import INTRODUCTION, METHODS, REFERENCES, RESULTS
from tests.reading.pdf.writer import PdfWriter, text_width

TITLE = "Depth decides how tide pools keep their heat through the winter nights of a rocky coast"
NAMES = (
    "Ada Moor",
    "Ben K. Strand",
    "Chloé de la Rive",
    "Dirk van den Berg",
    "Eva-Maria Schönau",
    "Finn Lindqvist",
    "Grete Holm",
    "Hugo A. Marsh",
)
MARKS = ("1,2", "1", "2", "3", "1,3", "4", "2,5", "1,2*")
FIRST = "Small pools of the shore lose their heat at night and gain it again by day, and all that lives in them must"
LAST = "so that a rule of one line foretells the coldest hour of a pool before dawn."
SUMMARY = (
    f"{FIRST} follow. What decides how cold a pool becomes has been disputed for as long as pools have been measured. "
    "Here we show with two loggers in each of forty pools that depth, not area, sets the fall of the temperature. Deep "
    f"pools keep more than half of their heat, and wind adds little to the loss, {LAST}"
)
PLAIN = (
    "Water that the sea leaves behind between rocks is home to many animals. We measured how cold it becomes at night. "
    "The deeper the water, the warmer it stays, which may help those who look after a coast to choose what to protect."
)
BODY = 3 * (INTRODUCTION, METHODS, RESULTS)
PLACES = (
    "1 Institute of Shores, University of Northport, 12 Quay Street, Northport, Norway.",
    "2 Department of Heat, Southport College, Southport, Ireland. 3 Centre for Loggers, Eastport, Belgium.",
    "4 School of Seas, Westport, France. 5 Shore Laboratory, Midport, Chile.",
)
Frame = tuple[float, float, float, float]
"""Left edge, first baseline, width, lowest baseline."""


@dataclass(frozen=True)
class Expected:
    """What a layout must be read as; `stands` are pieces of text that stand in a section."""

    authors: tuple[str, ...] = NAMES
    year: int | None = 2021
    sections: tuple[str, ...] = ("Results", "Discussion")
    stands: tuple[str, ...] = ("A tide pool is a small body of water",)
    first: str = FIRST
    last: str = LAST


LAYOUTS: dict[str, tuple[Callable[[], PdfWriter], Expected]] = {}


def layout(
    **expected: object,
) -> Callable[[Callable[[], PdfWriter]], Callable[[], PdfWriter]]:
    def add(draw: Callable[[], PdfWriter]) -> Callable[[], PdfWriter]:
        LAYOUTS[draw.__name__] = (draw, Expected(**expected))  # type: ignore[arg-type]
        return draw

    return add


def lines_of(text: str, width: float, size: float, wider: float = 1.0) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) * wider <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


WIDER = {"bold": 1.06, "sans": 1.1, "italic": 1.0, "regular": 1.0}


def block(
    pdf: PdfWriter,
    x: float,
    y: float,
    width: float,
    text: str,
    size: float,
    font: str = "regular",
    leading: float = 1.2,
) -> float:
    """Set a paragraph with a ragged right edge; returns the y of the line below it."""
    for line in lines_of(text, width, size, WIDER[font]):
        pdf.line(x, y, line, size, font)
        y += leading * size
    return y


def flow(pdf: PdfWriter, frames: Sequence[Frame], texts: Sequence[str], size: float = 9) -> None:
    """Set paragraphs justified from frame to frame; a text that begins with # is a heading."""
    left = list(frames)
    x, y, width, low = left.pop(0)
    for text in texts:
        words = text.removeprefix("#").split()
        first = True
        if text.startswith("#"):
            y += 0.9 * size
        while words:
            if y > low:
                if not left:
                    return
                x, y, width, low = left.pop(0)
            start = 10 if first and not text.startswith("#") else 0
            taken = [words.pop(0)]
            while words and text_width(" ".join([*taken, words[0]]), size) <= width - start:
                taken.append(words.pop(0))
            line = " ".join(taken)
            free = width - start - text_width(line, size)
            spread = free / line.count(" ") if words and " " in line else 0
            if text.startswith("#"):
                pdf.line(x, y, line, size + 1, "bold")
            else:
                pdf.line(x + start, y, line, size, spread=spread)
            y, first = y + 1.2 * size, False


def names(
    pdf: PdfWriter,
    x: float,
    y: float,
    width: float,
    size: float,
    font: str = "regular",
    last: str = " & ",
    late: bool = False,
) -> float:
    """Set the names with raised marks; with `late` marks stand in the file behind their line, as some programs do."""
    at, later = x, []
    for place, (name, mark) in enumerate(zip(NAMES, MARKS, strict=True)):
        end = "" if place == len(NAMES) - 1 else last if place == len(NAMES) - 2 else ", "
        wide = text_width(name, size) * WIDER[font]
        raised = text_width(mark, 0.65 * size)
        if at + wide + raised > x + width:
            at, y = x, y + 1.3 * size
        pdf.line(at, y, name, size, font)
        if late:
            later.append((at + wide + 0.3, y - 0.42 * size, mark))
        else:
            pdf.line(at + wide + 0.3, y - 0.35 * size, mark, 0.65 * size, font)
        at += wide + raised + 0.6
        pdf.line(at, y, end.strip(), size, font)
        at += text_width(end, size) * WIDER[font]
    for mark_x, mark_y, mark in later:
        pdf.line(mark_x, mark_y, mark, 0.65 * size, font)
    return y + 1.3 * size


def small(pdf: PdfWriter, x: float, y: float, lines: Sequence[str], size: float = 7, font: str = "regular") -> float:
    for line in lines:
        pdf.line(x, y, line, size, font)
        y += 1.25 * size
    return y


def rest(
    pdf: PdfWriter, heads: Sequence[str] = ("Results", "Discussion"), *, head: str = "", size: float = 9
) -> PdfWriter:
    """Two more pages in two columns, each under a heading, and references; `head` stands at the top of both."""
    text = 4 * (RESULTS, METHODS, INTRODUCTION)
    for number, texts in enumerate((text, text[5:]), start=2):
        pdf.page()
        if head:
            pdf.line(40, 40, head, 8)
        named = [f"#{one}" for one in heads[number - 2 : number - 1]]
        low = 740 if number == 2 else 530
        flow(pdf, [(40, 80, 250, 740), (305, 80, 250, low)], (*named, *texts), size)
        pdf.line(40, 800, str(number), 7)
    pdf.line(305, 560, "References", size + 1, "bold")
    y = 575.0
    for number, entry in enumerate(REFERENCES, start=1):
        y = block(pdf, 305, y, 250, f"{number}. {entry}", 7)
    return pdf


@layout()
def dates_left_of_names() -> PdfWriter:
    """Dates left of the names, an abstract without a heading in the right two thirds, a kicker on each page."""
    pdf = PdfWriter().page()
    pdf.line(40, 60, "Article", 8, "bold")
    pdf.line(360, 60, "https://doi.org/10.1234/s41467-021-01234-5", 8)
    y = block(pdf, 40, 96, 515, TITLE, 24, leading=1.1)
    small(pdf, 40, y + 20, ["Received: 12 August 2020"], 8.5)
    small(pdf, 40, y + 41, ["Accepted: 26 May 2021"], 8.5)
    small(pdf, 40, y + 62, ["Published online: 14 June 2021"], 8.5)
    pdf.line(52, y + 92, "Check for updates", 7.5)
    y = names(pdf, 217, y + 20, 335, 9.2, "bold", late=True)
    y = block(pdf, 217, max(y + 24, 250), 340, SUMMARY, 10, leading=1.4)
    flow(pdf, [(40, y + 30, 250, 690), (305, y + 30, 250, 690)], (*BODY, *BODY), 8.2)
    small(pdf, 40, 735, ["A full list of affiliations appears at the end of the paper. e-mail: ada@example.org"], 7)
    pdf.line(40, 800, "Shore Communications |        (2021)12:3496", 7)
    return rest(pdf, head="Article    https://doi.org/10.1234/s41467-021-01234-5", size=8.2)


@layout()
def kicker_in_capitals() -> PdfWriter:
    """A kicker in capitals, a wide abstract in letters of its own, addresses at the foot of the page."""
    pdf = PdfWriter().page()
    pdf.line(40, 60, "ARTICLE", 20, "sans")
    pdf.line(40, 92, "https://doi.org/10.1234/s41467-021-01234-5", 7)
    pdf.line(280, 92, "OPEN", 9, "bold")
    y = block(pdf, 40, 130, 515, TITLE, 23, "regular", 1.1)
    y = names(pdf, 40, y + 8, 500, 10.5)
    y = block(pdf, 40, y + 20, 500, SUMMARY, 9.5, "sans", 1.35)
    flow(pdf, [(40, y + 30, 250, 680), (305, y + 30, 250, 680)], (*BODY, *BODY), 9)
    small(pdf, 40, 728, PLACES, 6.5)
    pdf.line(
        40,
        800,
        "SHORE COMMUNICATIONS | (2021) 12:3496 | https://doi.org/10.1234/s41467-021-01234-5 | www.example.org",
        7,
    )
    return rest(pdf, head="ARTICLE    SHORE COMMUNICATIONS | https://doi.org/10.1234/s41467-021-01234-5")


@layout(sections=(), year=2011)
def bold_letter() -> PdfWriter:
    """A letter without headings, whose bold first paragraph in the left column is the abstract."""
    pdf = PdfWriter().page()
    pdf.line(40, 60, "LETTER", 20, "sans")
    pdf.line(450, 60, "doi:10.1234/shore10001", 8)
    y = block(pdf, 40, 110, 515, TITLE, 22, leading=1.1)
    y = names(pdf, 40, y + 6, 500, 10) + 24
    low = block(pdf, 40, y, 250, SUMMARY, 9, "bold", 1.2)
    flow(pdf, [(40, low, 250, 700), (305, y, 250, 745)], (*BODY, *BODY), 9)
    small(pdf, 40, 722, PLACES, 6)
    pdf.line(40, 800, "1 8   |   S H O R E   |   V O L   4 7 2   |   7   A P R I L   2 0 1 1", 7)
    pdf.line(40, 812, "©2011 Northport Publishers Limited. All rights reserved", 7)
    return rest(pdf, (), head="RESEARCH LETTER")


@layout(sections=(), stands=("A tide pool is a small body of water", "We measured how cold it becomes"))
def summary_page() -> PdfWriter:
    """A page that sums the paper up, with the names, before the paper itself."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "RESEARCH", 8, "bold")
    pdf.line(40, 66, "RESEARCH ARTICLE SUMMARY", 11, "bold")
    pdf.line(40, 90, "SHORE BIOLOGY", 8, "bold")
    y = block(pdf, 40, 116, 400, TITLE, 18, "bold", 1.15)
    y = block(
        pdf,
        40,
        y + 2,
        400,
        ", ".join(NAMES) + "*",
        9,
        "bold",
    )
    flow(
        pdf,
        [(40, y + 20, 165, 700), (215, y + 20, 165, 700), (390, y + 20, 165, 700)],
        (f"INTRODUCTION: {PLAIN}", f"RATIONALE: {METHODS}", f"RESULTS: {RESULTS}", f"CONCLUSION: {INTRODUCTION}"),
        9,
    )
    small(
        pdf,
        40,
        730,
        [
            "The list of author affiliations is available in the full article online.",
            "*Corresponding author. Email: hugo@example.org",
        ],
        7,
    )
    pdf.line(40, 800, "Moor et al., Shores 378, 1186 (2021)     16 December 2021     1 of 1", 7)
    pdf.page()
    pdf.line(40, 40, "RESEARCH", 8, "bold")
    pdf.line(40, 66, "RESEARCH ARTICLE", 11, "bold")
    pdf.line(40, 90, "SHORE BIOLOGY", 8, "bold")
    y = block(pdf, 40, 116, 400, TITLE, 18, "bold", 1.15)
    y = names(pdf, 40, y + 2, 400, 9, "bold", ", ")
    y = block(pdf, 40, y + 10, 400, SUMMARY, 8.5, "regular", 1.25)
    flow(pdf, [(40, y + 20, 165, 700), (215, y + 20, 165, 700), (390, y + 20, 165, 700)], (*BODY, *BODY, *BODY), 9)
    small(pdf, 40, 715, PLACES, 6.5)
    pdf.line(40, 800, "Moor et al., Shores 378, eaba1624 (2021)     16 December 2021     1 of 12", 7)
    return rest(pdf, (), head="RESEARCH | RESEARCH ARTICLE")


@layout(sections=("INTRODUCTION", "RESULTS"))
def bold_between_rules() -> PdfWriter:
    """A kicker of the field, a bold abstract without a heading across most of the page, rights at its foot."""
    pdf = PdfWriter().page()
    pdf.line(40, 38, "SHORE ADVANCES | RESEARCH ARTICLE", 10)
    pdf.line(40, 66, "ENVIRONMENTAL STUDIES", 8.4, "bold")
    pdf.line(480, 66, "Copyright © 2021", 6)
    pdf.line(480, 74, "The Authors, some", 6)
    pdf.line(480, 82, "rights reserved;", 6)
    y = block(pdf, 40, 92, 400, TITLE, 17, "bold", 1.18)
    y = names(pdf, 40, y + 2, 400, 9.3, "bold", ", ", late=True)
    y = block(pdf, 40, y + 10, 430, SUMMARY, 8.3, "bold", 1.25)
    flow(pdf, [(40, y + 30, 250, 640), (305, y + 30, 250, 730)], ("#INTRODUCTION", *BODY, "#RESULTS", *BODY), 9)
    small(pdf, 40, 690, PLACES, 6.5)
    pdf.line(40, 800, "Moor et al., Shore Adv. 7, eabc1234 (2021)    9 June 2021    1 of 14", 7)
    return rest(pdf, ("DISCUSSION", "METHODS"), head="SHORE ADVANCES | RESEARCH ARTICLE")


@layout(sections=("Results",), stands=("A tide pool is a small body of water", "Water that the sea leaves behind"))
def significance_in_a_box() -> PdfWriter:
    """Two columns: a bold abstract on the left, a box that says what it means on the right, text right below both."""
    pdf = PdfWriter().page()
    y = block(pdf, 40, 70, 500, TITLE, 18, "bold", 1.15)
    y = names(pdf, 40, y + 4, 500, 10, "bold", ", and ")
    y = small(pdf, 40, y, PLACES, 7)
    y = small(
        pdf,
        40,
        y + 4,
        ["Edited by Ivar Jord, Northport, and approved May 1, 2021 (received for review October 7, 2020)"],
        7,
    )
    top = y + 14
    y = block(pdf, 40, top, 250, SUMMARY, 8.5, "bold", 1.2)
    pdf.line(40, y + 8, "tide pools | heat | loggers | depth", 8)
    pdf.line(313, top, "Significance", 9, "bold")
    low = block(pdf, 313, top + 14, 235, PLAIN, 8.5, "sans")
    flow(pdf, [(40, y + 30, 250, 700), (305, low + 24, 250, 640)], (*BODY, "#Results", *BODY), 9)
    small(
        pdf,
        305,
        670,
        [
            "Author contributions: A.M. and B.K.S. designed research; all wrote the paper.",
            "The authors declare no conflict of interest.",
            "Published under a licence that lets others share it.",
            "1To whom correspondence may be addressed. Email: ada@example.org.",
            "Published online June 14, 2021.",
        ],
        7,
    )
    pdf.line(
        40, 800, "www.example.org/cgi/doi/10.1234/shore.2017000118    PSHS | June 15, 2021 | vol. 118 | no. 24 | 1-8", 7
    )
    return rest(pdf)


@layout(sections=("Results",), stands=("A tide pool is a small body of water", "Water that the sea leaves behind"))
def significance_beside() -> PdfWriter:
    """A kicker between bars, the abstract in the left two thirds, its meaning and notes in a column at the right."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "RESEARCH ARTICLE", 8, "sans")
    pdf.line(130, 40, "ENVIRONMENTAL SCIENCES", 8, "sans")
    pdf.line(480, 40, "OPEN ACCESS", 8, "sans")
    y = block(pdf, 40, 80, 500, TITLE, 20, "bold", 1.15)
    y = names(pdf, 40, y + 4, 500, 9.5, "regular", ", and ")
    y = small(pdf, 40, y, ["Edited by Ivar Jord, Northport; received October 7, 2020; accepted May 1, 2021"], 7)
    low = block(pdf, 40, y + 16, 320, SUMMARY, 9, "bold", 1.25)
    pdf.line(40, low + 6, "tide pools | heat | loggers | depth", 8)
    pdf.line(390, y + 16, "Significance", 10, "bold")
    right = block(pdf, 390, y + 32, 160, PLAIN, 8, "sans", 1.25)
    small(
        pdf,
        390,
        max(right + 40, 560),
        [
            "Author affiliations: 1Institute of Shores,",
            "Northport; 2Department of Heat, Southport",
            "Author contributions: A.M. designed research;",
            "all wrote the paper.",
            "The authors declare no competing interest.",
            "Copyright © 2021 the Author(s).",
            "Published June 14, 2021.",
        ],
        6.5,
    )
    flow(pdf, [(40, low + 30, 320, 750)], (*BODY, "#Results", *BODY), 9)
    pdf.line(40, 800, "PSHS 2021 Vol. 118 No. 24 e2017000118    https://doi.org/10.1234/shore.2017000118    1 of 10", 7)
    return rest(pdf)


@layout(sections=("RESULTS",), stands=("A tide pool is a small body of water",), last="what to protect.")
def label_in_capitals() -> PdfWriter:
    """A field above the title, the abstract behind its name in capitals, what it is good for, notes at the edge."""
    pdf = PdfWriter().page()
    pdf.line(440, 48, "MICROBIAL ECOLOGY", 9)
    y = block(pdf, 42, 140, 500, TITLE, 18, "sans", 1.15)
    y = names(pdf, 42, y + 6, 500, 9, "sans", ", ")
    y = small(pdf, 42, y + 4, PLACES, 7)
    y = block(pdf, 42, y + 18, 330, f"ABSTRACT {SUMMARY}", 9, "regular", 1.35)
    y = block(pdf, 42, y + 3, 330, f"IMPORTANCE {PLAIN}", 9, "regular", 1.35)
    block(pdf, 42, y + 4, 330, "KEYWORDS tide pools, heat, loggers", 9)
    small(
        pdf,
        400,
        520,
        [
            "Editor Ivar Jord, University of Northport",
            "Copyright © 2021 Moor et al. This is an open-",
            "access article distributed under the terms of",
            "the Creative Commons licence.",
            "Address correspondence to Ada Moor,",
            "ada@example.org.",
            "The authors declare no conflict of interest.",
            "Received 31 August 2020",
            "Accepted 1 May 2021",
            "Published 14 June 2021",
        ],
        7,
    )
    pdf.line(42, 800, "June 2021 Volume 12 Issue 3 e01486-21    1", 7)
    pdf.page()
    flow(pdf, [(42, 60, 500, 760)], (*BODY, "#RESULTS", *BODY, *BODY), 9)
    return rest(pdf, ("DISCUSSION", "MATERIALS AND METHODS"))


@layout(
    sections=("Introduction", "Methods", "Results"),
    stands=("A tide pool is a small body of water", "Water that the sea leaves behind"),
)
def summary_before_abstract() -> PdfWriter:
    """The journal's name larger than the title, dates and rights at the left, a simple summary before the abstract."""
    pdf = PdfWriter().page()
    pdf.line(74, 70, "shores", 24, "italic")
    pdf.line(36, 112, "Article", 10, "italic")
    y = block(pdf, 36, 132, 520, TITLE, 18, "bold", 1.05)
    y = names(pdf, 36, y + 6, 500, 10, "bold", " and ")
    for number, place in enumerate(PLACES, start=1):
        pdf.line(166, y + 8, str(number), 6)
        pdf.line(180, y + 11, place[2:80], 8)
        y += 11
    y = small(pdf, 166, y + 11, ["* Correspondence: hugo@example.org; Tel.: +1-336-716-2234"], 8)
    y = block(pdf, 166, y + 14, 392, f"Simple Summary: {PLAIN}", 9, "regular", 1.4)
    y = block(pdf, 166, y + 12, 392, f"Abstract: {SUMMARY}", 9, "regular", 1.4)
    y = block(pdf, 166, y + 12, 392, "Keywords: tide pools; heat; loggers", 9)
    small(
        pdf,
        36,
        380,
        [
            "Citation: Moor, A.; Strand, B.K.;",
            "de la Rive, C.; van den Berg, D.",
            "Depth Decides How Tide Pools",
            "Keep Their Heat. Shores 2021, 14, 48.",
            "https://doi.org/10.1234/shores14190048",
        ],
        7,
    )
    small(pdf, 36, 450, ["Academic Editor: Ivar Jord"], 7)
    small(pdf, 36, 470, ["Received: 10 August 2020", "Accepted: 1 May 2021", "Published: 14 June 2021"], 7)
    small(pdf, 36, 520, ["Publisher's Note: stays neutral", "with regard to claims in maps."], 7)
    small(pdf, 36, 600, ["Copyright: © 2021 by the authors.", "Licensee X, Basel, Switzerland."], 7)
    flow(pdf, [(166, y + 20, 392, 770)], ("#1. Introduction", *BODY), 9.9)
    pdf.line(36, 815, "Shores 2021, 14, 48. https://doi.org/10.1234/shores14190048", 7)
    pdf.line(420, 815, "https://www.example.org/journal/shores", 7)
    pdf.page()
    flow(pdf, [(166, 80, 392, 770)], ("#2. Methods", METHODS, RESULTS), 9.9)
    return rest(pdf, ("3. Results", "4. Discussion"), head="Shores 2021, 14, 48", size=9.9)


@layout(sections=("Introduction", "Results"))
def journal_larger_than_title() -> PdfWriter:
    """The journal's name above, and larger than the title; the abstract right of a narrow column, without a name."""
    pdf = PdfWriter().page()
    pdf.line(41, 50, "Shore", 20, "sans")
    pdf.line(41, 72, "Science", 20, "sans")
    pdf.line(452, 100, "View Article Online", 8, "sans")
    pdf.line(452, 110, "View Journal | View Issue", 6, "sans")
    pdf.line(51, 111, "EDGE ARTICLE", 11, "bold")
    y = block(pdf, 173, 147, 380, TITLE, 15.5, "bold", 1.16)
    small(pdf, 41, 150, ["Cite this: Shore Sci., 2021, 13, 2050"], 7)
    small(
        pdf,
        41,
        250,
        [
            "Received 10th August 2020",
            "Accepted 1st May 2021",
            "DOI: 10.1234/d1ls05088e",
            "rsc.example.org/shore-science",
        ],
        7,
    )
    y = names(pdf, 173, y + 2, 370, 10, "regular", " and ", late=True)
    y = block(pdf, 173, y + 16, 380, SUMMARY, 7.9, "sans", 1.5)
    flow(pdf, [(43, y + 40, 250, 690), (305, y + 40, 250, 740)], ("#Introduction", *BODY, *BODY), 9)
    small(
        pdf,
        43,
        720,
        [
            "aInstitute of Shores, Northport. E-mail: hugo@example.org",
            "† Electronic supplementary information (ESI) available.",
        ],
        6.5,
    )
    pdf.line(
        41, 800, "© 2021 The Author(s). Published by the Shore Society    Shore Sci., 2021, 13, 2050-2063 | 2050", 7
    )
    return rest(pdf, head="Shore Science    Edge Article")


@layout(sections=("INTRODUCTION", "RESULTS"))
def one_name_a_line() -> PdfWriter:
    """One author a line with the address behind a comma, an abstract without a name below them."""
    pdf = PdfWriter().page()
    y = block(pdf, 46, 80, 400, TITLE, 14, "sans", 1.2)
    for place, name in enumerate(NAMES):
        pdf.line(46, y + 6, name.upper() + ",", 10.5, "sans")
        at = 46 + text_width(name.upper() + ", ", 10.5) * 1.14 + 6
        pdf.line(at, y + 6, ("University of Northport, Norway", "Southport College, Ireland")[place % 2], 9)
        y += 13
    y = block(pdf, 46, y + 16, 400, SUMMARY, 9, "regular", 1.2)
    y = block(
        pdf,
        46,
        y + 6,
        400,
        "CCS Concepts: • Applied computing \u2192 Environmental sciences.".replace("\u2192", "-"),
        9,
    )
    y = block(pdf, 46, y + 4, 400, "Additional Key Words and Phrases: tide pools, heat, loggers", 9)
    y = small(pdf, 46, y + 6, ["ACM Reference Format:"], 8, "bold")
    y = block(
        pdf,
        46,
        y,
        400,
        "Ada Moor, Ben K. Strand, Chloé de la Rive, et al. 2021. "
        + TITLE
        + ". ACM Trans. Shores 3, 4, Article 12 (June 2021), 20 pages.",
        8,
    )
    flow(pdf, [(46, y + 20, 400, 640)], ("#1 INTRODUCTION", *BODY, *BODY), 10)
    small(
        pdf,
        46,
        690,
        [
            "Authors' addresses: Ada Moor, University of Northport, Norway; Ben K. Strand, Southport College, Ireland.",
            "Permission to make digital or hard copies of all or part of this work is granted without fee.",
            "© 2021 Association for Computing Machinery.",
            "ACM 1234-5678/2021/6-ART12 $15.00",
        ],
        7,
    )
    pdf.line(46, 740, "ACM Trans. Shores, Vol. 3, No. 4, Article 12. Publication date: June 2021.", 7)
    return rest(pdf, ("2 RESULTS", "3 DISCUSSION"), head="12:2    Moor et al.", size=10)


@layout(
    sections=("INTRODUCTION", "RESULTS"), stands=("A tide pool is a small body of water", "Forty pools were measured")
)
def highlights_page() -> PdfWriter:
    """A page with a picture, highlights, a short list of names and the paper in brief; then the paper."""
    pdf = PdfWriter().page()
    pdf.line(40, 60, "Article", 12, "bold")
    y = block(pdf, 40, 90, 500, TITLE, 20, "bold", 1.15)
    pdf.line(40, y + 20, "Graphical abstract", 11, "bold")
    pdf.line(100, y + 80, "shallow", 9, "sans")
    pdf.line(200, y + 80, "deep", 9, "sans")
    pdf.line(40, 400, "Highlights", 11, "bold")
    for place, line in enumerate(
        ("Forty pools were measured for a year", "Depth decides how warm they stay", "Wind adds little to the loss")
    ):
        pdf.line(40, 418 + 14 * place, "• " + line, 9)
    pdf.line(320, 400, "Authors", 11, "bold")
    pdf.line(320, 418, "Ada Moor, Ben K. Strand,", 9)
    pdf.line(320, 430, "Chloé de la Rive, ..., Grete Holm,", 9)
    pdf.line(320, 442, "Hugo A. Marsh", 9)
    pdf.line(320, 466, "Correspondence", 11, "bold")
    pdf.line(320, 482, "hugo@example.org", 9)
    pdf.line(320, 506, "In brief", 11, "bold")
    block(pdf, 320, 522, 220, PLAIN, 9)
    small(
        pdf,
        40,
        770,
        [
            "Moor et al., 2021, Shore Reports 36, 109",
            "June 14, 2021 © 2021 The Author(s).",
            "https://doi.org/10.1234/j.shorerep.2021.109",
        ],
        7,
    )
    pdf.page()
    pdf.line(40, 40, "Shore Reports", 14, "bold")
    pdf.line(40, 76, "Article", 12, "bold")
    y = block(pdf, 40, 104, 500, TITLE, 18, "bold", 1.15)
    y = names(pdf, 40, y + 6, 500, 9.5, "regular", ", and ")
    y = small(pdf, 40, y, PLACES, 7)
    y = small(
        pdf,
        40,
        y,
        ["6 Lead contact", "*Correspondence: hugo@example.org", "https://doi.org/10.1234/j.shorerep.2021.109"],
        7,
    )
    pdf.line(40, y + 16, "SUMMARY", 10, "bold")
    y = block(pdf, 40, y + 34, 515, SUMMARY, 9, "regular", 1.3)
    flow(pdf, [(40, y + 20, 250, 740), (305, y + 29, 250, 740)], ("#INTRODUCTION", *BODY, *BODY), 9)
    pdf.line(40, 800, "Shore Reports 36, 109, June 14, 2021 © 2021 The Author(s). 1", 7)
    return rest(pdf, ("RESULTS", "DISCUSSION"), head="Article")


@layout(sections=("Background", "Results"), first=f"Background {FIRST}")
def bookmarks_twice() -> PdfWriter:
    """Bookmarks that name Background and Results once below the abstract, and once for the text."""
    pdf = PdfWriter(
        bookmarks=[
            TITLE,
            "Abstract",
            "Background",
            "Results",
            "Conclusions",
            "Background",
            "Results",
            "Discussion",
            "References",
        ],
        levels=[0, 1, 2, 2, 2, 1, 1, 1, 1],
    ).page()
    pdf.line(40, 40, "Moor et al. Shore Biology (2021) 22:5", 8, "italic")
    pdf.line(40, 50, "https://doi.org/10.1234/s12915-021-01805", 8)
    pdf.line(470, 44, "Shore Biology", 12)
    pdf.line(44, 92, "RESEARCH ARTICLE", 12, "bold")
    pdf.line(470, 92, "Open Access", 12, "bold")
    y = block(pdf, 40, 130, 420, TITLE, 23, "regular", 1.1)
    y = names(pdf, 40, y + 4, 500, 11, "regular", " and ")
    pdf.line(46, y + 20, "Abstract", 10.5, "bold")
    y += 36
    part = SUMMARY.split(". ")
    for label, text in (
        ("Background", part[0] + "."),
        ("Results", ". ".join(part[1:3]) + "."),
        ("Conclusions", ". ".join(part[3:])),
    ):
        pdf.line(46, y, label, 10, "bold")
        indent = text_width(label, 10) * 1.06 + 6
        lines = lines_of(text, 490 - indent, 10)
        pdf.line(46 + indent, y, lines[0], 10)
        y = block(pdf, 46, y + 12, 490, " ".join(lines[1:]), 10) + 3
    pdf.line(46, y, "Keywords", 10, "bold")
    pdf.line(96, y, "Tide pools, Heat, Loggers", 10)
    flow(pdf, [(40, y + 40, 250, 640), (305, y + 40, 250, 740)], ("#Background", *BODY, *BODY), 9.8)
    small(pdf, 40, 690, ["*Correspondence:", "hugo@example.org", *PLACES], 7)
    return rest(pdf, head="Moor et al. Shore Biology (2021) 22:5", size=9.8)


@layout(sections=("INTRODUCTION",))
def column_of_editors() -> PdfWriter:
    """Editors, dates and the citation left of the text; the abstract at the right without a name, then key words."""
    pdf = PdfWriter().page()
    pdf.line(440, 60, "ORIGINAL RESEARCH", 8, "bold")
    pdf.line(440, 70, "published: 14 June 2021", 7)
    pdf.line(440, 80, "doi: 10.3389/fshore.2021.00123", 7)
    y = block(pdf, 176, 130, 380, TITLE, 19, "bold", 1.15)
    y = names(pdf, 176, y + 4, 380, 10.5, "bold", " and ")
    y = small(pdf, 176, y + 2, [place[:84] for place in PLACES], 7, "italic")
    y = block(pdf, 176, y + 12, 380, SUMMARY, 9.5, "sans", 1.3)
    y = block(pdf, 176, y + 6, 380, "Keywords: tide pools, heat, loggers", 8, "bold")
    flow(pdf, [(176, y + 24, 380, 770)], ("#INTRODUCTION", *BODY, *BODY), 9.5)
    at = small(pdf, 40, 300, ["Edited by:", "Ivar Jord,", "University of Northport, Norway"], 7, "italic")
    at = small(
        pdf,
        40,
        at + 8,
        ["Reviewed by:", "Jan Kai,", "Southport College, Ireland", "Kim Lee,", "Westport School, France"],
        7,
        "italic",
    )
    at = small(pdf, 40, at + 8, ["*Correspondence:", "Hugo A. Marsh", "hugo@example.org"], 7)
    at = small(pdf, 40, at + 8, ["Received: 10 August 2020", "Accepted: 1 May 2021", "Published: 14 June 2021"], 7)
    small(
        pdf,
        40,
        at + 8,
        [
            "Citation:",
            "Moor A, Strand BK, de la Rive C",
            "(2021) Depth decides how tide",
            "pools keep their heat.",
            "Front. Shores 12:123.",
        ],
        7,
    )
    pdf.line(40, 810, "Frontiers in Shores | www.example.org    1    June 2021 | Volume 12 | Article 123", 7)
    return rest(pdf, heads=("RESULTS", "DISCUSSION"), head="Moor et al.    Depth decides how tide pools", size=9.5)


@layout(sections=("Introduction", "Results"))
def information_beside_abstract() -> PdfWriter:
    """Lists are offered, the journal's name stands between rules, information on the article left of the abstract."""
    pdf = PdfWriter().page()
    pdf.centred(40, "Shore Research 75 (2021) 102-110", 8)
    pdf.centred(70, "Contents lists available at ScienceShore", 8)
    pdf.centred(96, "Shore Research", 15)
    pdf.centred(120, "journal homepage: www.example.org/locate/shore", 8)
    y = block(pdf, 40, 160, 500, TITLE, 13.5, leading=1.25)
    y = names(pdf, 40, y + 4, 500, 10.5, last=", ")
    y = small(pdf, 40, y + 2, PLACES, 6.5, "italic")
    pdf.line(40, y + 24, "A R T I C L E  I N F O", 8)
    pdf.line(200, y + 24, "A B S T R A C T", 8)
    small(
        pdf,
        40,
        y + 44,
        [
            "Article history:",
            "Received 10 August 2020",
            "Received in revised form 3 March 2021",
            "Accepted 1 May 2021",
            "Available online 14 June 2021",
        ],
        6.8,
    )
    small(pdf, 40, y + 96, ["Keywords:", "Tide pools", "Heat", "Loggers"], 6.8)
    y = block(pdf, 200, y + 44, 355, SUMMARY, 8, "regular", 1.25)
    pdf.line(430, y + 6, "© 2021 Elsevier Ltd. All rights reserved.", 7)
    flow(pdf, [(40, y + 50, 250, 690), (305, y + 50, 250, 740)], ("#1. Introduction", *BODY, *BODY), 9)
    small(pdf, 40, 720, ["* Corresponding author.", "E-mail address: hugo@example.org (H.A. Marsh)."], 6.5)
    small(
        pdf,
        40,
        770,
        ["https://doi.org/10.1234/j.shore.2021.102", "0043-1354/© 2021 Elsevier Ltd. All rights reserved."],
        6.5,
    )
    return rest(pdf, ("2. Results", "3. Discussion"), head="A. Moor et al.    Shore Research 75 (2021) 102-110")


@layout(sections=("Introduction", "Results"))
def notes_at_the_left() -> PdfWriter:
    """The kind of article in a bar, small notes far down at the left, a run-in bold Abstract."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "RESEARCH ARTICLE", 10, "sans")
    y = block(pdf, 175, 100, 380, TITLE, 20, "bold", 1.15)
    y = names(pdf, 175, y + 4, 380, 10, "bold")
    y = small(pdf, 175, y + 2, [place[:90] for place in PLACES], 8)
    pdf.line(175, y + 18, "Abstract", 9, "bold")
    lines = lines_of(SUMMARY, 330, 9)
    pdf.line(222, y + 18, lines[0], 9)
    y = block(pdf, 175, y + 30, 380, " ".join(lines[1:]), 9)
    pdf.line(175, y + 2, "DOI: https://doi.org/10.1234/eShore.12345.001", 7)
    flow(pdf, [(175, y + 30, 380, 770)], ("#Introduction", *BODY, *BODY), 9.5)
    at = small(pdf, 40, 420, ["*For correspondence:", "hugo@example.org (HAM)"], 7)
    at = small(
        pdf, 40, at + 8, ["Competing interests: The authors", "declare that no competing", "interests exist."], 7
    )
    at = small(pdf, 40, at + 8, ["Funding: See page 18"], 7)
    at = small(pdf, 40, at + 8, ["Received: 10 August 2020", "Accepted: 1 May 2021", "Published: 14 June 2021"], 7)
    small(pdf, 40, at + 8, ["Reviewing editor: Ivar Jord,", "Northport, Norway"], 7)
    pdf.line(40, 810, "Moor et al. eShore 2021;10:e12345. DOI: https://doi.org/10.1234/eShore.12345    1 of 22", 7)
    return rest(pdf, head="Research article    Shores", size=9.5)


@layout(sections=("INTRODUCTION", "RESULTS"))
def names_between_strokes() -> PdfWriter:
    """Dates above the title, names parted by strokes, addresses left of an abstract with a heading."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "Received: 10 August 2020", 7)
    pdf.line(180, 40, "Revised: 3 March 2021", 7)
    pdf.line(320, 40, "Accepted: 1 May 2021", 7)
    pdf.line(40, 50, "DOI: 10.1234/sho.12345", 7)
    pdf.line(40, 80, "ORIGINAL ARTICLE", 9, "sans")
    pdf.line(480, 80, "WILEY", 16, "bold")
    y = block(pdf, 40, 120, 500, TITLE, 20, "bold", 1.15)
    y = block(
        pdf, 40, y + 4, 480, "   |   ".join(f"{name}{mark}" for name, mark in zip(NAMES, "12312312", strict=True)), 11
    )
    small(
        pdf,
        40,
        y + 20,
        [
            "1Institute of Shores, Northport, Norway",
            "2Department of Heat, Southport, Ireland",
            "3Centre for Loggers, Eastport, Belgium",
            "",
            "Correspondence",
            "Hugo A. Marsh, Institute of Shores,",
            "Northport, Norway.",
            "Email: hugo@example.org",
            "",
            "Funding information",
            "Shore Foundation, Grant 12-34",
        ],
        7.5,
    )
    pdf.line(210, y + 20, "Abstract", 11, "bold")
    y = block(pdf, 210, y + 36, 345, SUMMARY, 9, "sans", 1.35)
    pdf.line(210, y + 8, "KEYWORDS", 8, "bold")
    y = block(pdf, 210, y + 20, 345, "depth, heat, loggers, tide pools", 8)
    flow(pdf, [(40, y + 60, 250, 740), (305, y + 60, 250, 740)], ("#1 | INTRODUCTION", *BODY, *BODY), 9)
    pdf.line(
        40, 800, "Shore Ecology. 2021;28:1-12.    wileyshore.example.org/journal/sho    © 2021 The Authors    1", 7
    )
    return rest(pdf, ("2 | RESULTS", "3 | DISCUSSION"), head="MOOR et al.")


@layout(sections=("Introduction", "Results"))
def indented_abstract() -> PdfWriter:
    """An abstract without a name that is set narrower than the text, and of its size."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "ARTICLE", 9, "bold")
    y = block(pdf, 60, 90, 480, TITLE, 16, "bold", 1.2)
    y = names(pdf, 60, y + 6, 480, 9.5)
    y = small(pdf, 60, y + 2, PLACES, 7, "italic")
    y = block(pdf, 80, y + 18, 400, SUMMARY, 9, "regular", 1.3)
    flow(pdf, [(40, y + 34, 250, 690), (305, y + 34, 250, 740)], ("#Introduction", *BODY, *BODY), 9)
    small(
        pdf,
        40,
        730,
        [
            "Correspondence to Hugo A. Marsh: hugo@example.org",
            "© 2021 Moor et al. This article is distributed under the terms of a licence.",
        ],
        7,
    )
    pdf.line(40, 800, "J. Shore Biol. 2021 Vol. 220 No. 6 e202009113    1 of 22", 7)
    return rest(pdf)


@layout(sections=("Introduction", "Results"), year=2021)
def manuscript_with_numbers() -> PdfWriter:
    """A double-spaced manuscript with numbered lines: a title of the text's size, names, and the abstract overleaf."""
    pdf = PdfWriter()
    count = 0

    def put(y: float, text: str, font: str = "regular") -> None:
        nonlocal count
        count += 1
        pdf.line(50, y, str(count), 8, "sans")
        pdf.line(80, y, text, 12, font)

    pdf.page()
    pdf.line(
        80, 30, "bioShore preprint doi: https://doi.org/10.1234/2021.06.14.448; this version posted June 14, 2021.", 7
    )
    y = 70.0
    for line in lines_of(TITLE, 440, 12, 1.06):
        put(y, line, "bold")
        y += 24
    for line in lines_of(", ".join(f"{name}{mark[0]}" for name, mark in zip(NAMES, MARKS, strict=True)), 440, 12):
        put(y + 12, line)
        y += 24
    for line in (place for one in PLACES for place in lines_of(one, 440, 12)):
        put(y + 24, line)
        y += 24
    put(y + 48, "* Correspondence: hugo@example.org")
    for heads in (("Abstract", (SUMMARY,)), ("Introduction", BODY), ("Results", BODY), ("Discussion", BODY)):
        pdf.page()
        pdf.line(
            80,
            30,
            "bioShore preprint doi: https://doi.org/10.1234/2021.06.14.448; this version posted June 14, 2021.",
            7,
        )
        put(70, heads[0], "bold")
        y = 94.0
        for text in heads[1]:
            for line in lines_of(text, 440, 12):
                if y < 780:
                    put(y, line)
                    y += 24
    return pdf


@layout(sections=("INTRODUCTION", "RESULTS"))
def picture_beside_abstract() -> PdfWriter:
    """Buttons below the names, ABSTRACT: run in beside a picture's lettering, headings behind a square."""
    pdf = PdfWriter().page()
    pdf.line(480, 40, "Article", 12, "sans")
    pdf.line(470, 56, "pubs.example.org/JShS", 8, "sans")
    y = block(pdf, 40, 90, 500, TITLE, 18, "bold", 1.15)
    y = names(pdf, 40, y + 6, 500, 10.5, last=", and ")
    pdf.line(46, y + 14, "Cite This: J. Shore Soc. 2021, 143, 9015-9025", 8)
    pdf.line(400, y + 14, "Read Online", 8, "bold")
    pdf.line(46, y + 34, "ACCESS", 9, "bold")
    pdf.line(160, y + 34, "Metrics & More", 8)
    pdf.line(300, y + 34, "Article Recommendations", 8)
    pdf.line(450, y + 34, "Supporting Information", 8)
    y += 56
    lines = lines_of(f"ABSTRACT: {SUMMARY}", 300, 9.5)
    for line in lines[:9]:
        pdf.line(40, y, line, 9.5)
        y += 11.5
    pdf.line(400, y - 60, "deep", 7, "sans")
    pdf.line(470, y - 40, "shallow", 7, "sans")
    y = block(pdf, 40, y, 510, " ".join(lines[9:]), 9.5) + 10
    flow(pdf, [(40, y + 20, 250, 690), (305, y + 29, 250, 690)], ("#INTRODUCTION", *BODY, *BODY), 9.5)
    small(pdf, 40, 730, ["Received: August 10, 2020", "Published: June 14, 2021"], 7.5)
    pdf.line(
        40,
        800,
        "© 2021 American Shore Society    9015    https://doi.org/10.1234/jshs.1c01234    J. Shore Soc. 2021, 143, 9",
        7,
    )
    return rest(
        pdf,
        ("RESULTS", "DISCUSSION"),
        head="Journal of the Shore Society    pubs.example.org/JShS    Article",
        size=9.5,
    )


@layout(sections=("Introduction", "Results"))
def cover_of_a_repository() -> PdfWriter:
    """A cover with the paper's data under their names, then the author's manuscript as an archive keeps it."""
    pdf = PdfWriter().page()
    pdf.line(50, 70, "NPORT", 16, "bold")
    pdf.line(50, 88, "Northport Previously Published Works", 14, "bold")
    y = 120.0
    for label, lines in (
        ("Title", lines_of(TITLE, 480, 11)),
        ("Permalink", ["https://eshores.example.org/uc/item/164678cs"]),
        ("Journal", ["Shores, 378(6625)"]),
        ("ISSN", ["0036-8075"]),
        ("Authors", ["Moor, Ada", "Strand, Ben K", "de la Rive, Chloé", "et al."]),
        ("Publication Date", ["2021-06-14"]),
        ("DOI", ["10.1234/shores.aba1624"]),
    ):
        pdf.line(50, y, label, 12, "bold")
        for line in lines:
            y += 18
            pdf.line(50, y, line, 11)
        y += 27
    pdf.line(50, y, "Peer reviewed", 11)
    pdf.line(57, 780, "eShores.org    Powered by the Northport Digital Library", 11)
    pdf.page()
    pdf.line(131, 38, "NHS Public Access", 22, "bold")
    pdf.line(131, 55, "Author manuscript", 14)
    pdf.line(131, 68, "Shores. Author manuscript; available in PMC 2022 February 27.", 11)
    pdf.line(90, 87, "Published in final edited form as:", 10)
    pdf.line(95, 99, "Shores. 2021 June 14; 378(6625): eaba1624. doi:10.1234/shores.aba1624.", 10)
    y = block(pdf, 90, 141, 420, TITLE, 14, "bold", 1.4)
    y = names(pdf, 90, y + 6, 420, 10, "bold", ", ")
    y = small(pdf, 90, y + 2, PLACES, 10)
    pdf.line(90, y + 16, "Abstract", 12, "bold")
    y = block(pdf, 108, y + 34, 390, SUMMARY, 10, "regular", 1.4)
    flow(pdf, [(90, y + 16, 420, 690)], ("#Introduction", INTRODUCTION), 10)
    small(
        pdf,
        90,
        720,
        [
            "This work is licensed under a Creative Commons Attribution 4.0 International License.",
            "* Corresponding author. hugo@example.org",
        ],
        8,
    )
    return rest(pdf, head="Moor et al.    Page 2", size=10)


@layout(sections=("Introduction", "Results"), year=2021)
def capitals_and_grid() -> PdfWriter:
    """A title in capitals, a mark of what it is below it, names in a grid with addresses, the date below them."""
    pdf = PdfWriter().page()
    lines = lines_of(TITLE.upper(), 420, 17, 1.3)
    y = 100.0
    for line in lines:
        pdf.centred(y, line, 17)
        y += 20
    pdf.centred(y + 14, "A PREPRINT", 10)
    y += 46
    for row in range(4):
        for column in range(2):
            name = NAMES[2 * row + column]
            x = 130 + 220 * column
            pdf.line(x, y, name, 10, "bold")
            pdf.line(x, y + 12, "Institute of Shores, Northport", 10)
            pdf.line(x, y + 24, f"{name.split()[0].lower()}@example.org".replace("é", "e"), 10)
        y += 48
    pdf.centred(y + 6, "June 14, 2021", 10)
    pdf.centred(y + 32, "ABSTRACT", 12, "bold")
    y = pdf.paragraph(108, y + 52, 380, SUMMARY)
    pdf.line(72, y + 8, "Keywords", 10, "bold")
    pdf.line(120, y + 8, "tide pools · heat · loggers", 10)
    pdf.line(72, y + 34, "1 Introduction", 12, "bold")
    pdf.paragraph(72, y + 52, 450, f"{INTRODUCTION} {METHODS}")
    pdf.page()
    pdf.line(300, 40, "A PREPRINT", 10)
    pdf.line(72, 80, "2 Results", 12, "bold")
    y = pdf.paragraph(72, 98, 450, f"{INTRODUCTION} {METHODS} {RESULTS}")
    y = pdf.paragraph(72, y, 450, f"{INTRODUCTION} {METHODS} {RESULTS}")
    pdf.line(72, y + 20, "3 Discussion", 12, "bold")
    pdf.paragraph(72, y + 38, 450, f"{INTRODUCTION} {METHODS} {RESULTS}")
    return pdf


@layout(sections=("Introduction", "Results"))
def dates_below_names() -> PdfWriter:
    """The kind of article in a bar, dates and rights on lines below the names, a heading for the abstract."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "Shore Systems (2021) 16:175-189", 8)
    pdf.line(40, 50, "https://doi.org/10.1234/s11625-020-00123-4", 8)
    pdf.line(44, 84, "ORIGINAL ARTICLE", 11, "bold")
    y = block(pdf, 40, 130, 500, TITLE, 16, "bold", 1.2)
    at = 40.0
    y += 8
    for place, (name, mark) in enumerate(zip(NAMES, MARKS, strict=True)):
        if at > 430:
            at, y = 40, y + 14
        pdf.line(at, y, name, 10.5, "bold")
        at += text_width(name, 10.5) * 1.06 + 1
        pdf.line(at, y - 3, mark.strip("*"), 6.5)
        at += 12
        if place < len(NAMES) - 1:
            pdf.line(at, y, "·", 10.5)
            at += 8
    pdf.line(40, y + 24, "Received: 10 August 2019 / Accepted: 1 December 2020 / Published online: 14 January 2021", 8)
    pdf.line(40, y + 34, "© The Author(s) 2021", 8)
    pdf.line(40, y + 60, "Abstract", 11, "bold")
    y = block(pdf, 40, y + 76, 500, SUMMARY, 10)
    pdf.line(40, y + 10, "Keywords", 10, "bold")
    pdf.line(92, y + 10, "Tide pools · Heat · Loggers", 10)
    flow(pdf, [(40, y + 50, 250, 640), (305, y + 50, 250, 740)], ("#Introduction", *BODY, *BODY), 10)
    small(pdf, 40, 690, ["* Hugo A. Marsh", "hugo@example.org", *PLACES], 7)
    return rest(pdf, head="Shore Systems (2021) 16:175-189", size=10)


@layout(sections=())
def dates_in_brackets() -> PdfWriter:
    """Dates in brackets below the addresses, a narrow abstract without a name, a text without headings."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "SRL 126, 150501 (2021)", 9)
    pdf.centred(40, "SHORE REVIEW LETTERS", 10)
    y = 80.0
    for line in lines_of(TITLE, 420, 13, 1.06):
        pdf.centred(y, line, 13, "bold")
        y += 16
    y = names(pdf, 90, y + 8, 420, 10, last=", and ")
    for place in PLACES:
        pdf.centred(y + 4, place, 8.5, "italic")
        y += 10
    pdf.centred(y + 14, "(Received 10 August 2020; accepted 1 May 2021; published 14 June 2021)", 9)
    y = block(pdf, 90, y + 34, 410, SUMMARY, 9)
    pdf.line(90, y + 8, "DOI: 10.1234/ShoreRevLett.126.150501", 8)
    flow(pdf, [(40, y + 40, 250, 720), (305, y + 40, 250, 720)], BODY, 10)
    pdf.line(40, 790, "0031-9007/21/126(15)/150501(6)    150501-1    © 2021 Shore Society", 8)
    return rest(pdf, (), head="SRL 126, 150501 (2021)", size=10)


@layout(sections=(), year=2008)
def bold_in_three_columns() -> PdfWriter:
    """A report in three columns, whose bold first paragraph is the abstract."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "REPORTS", 12, "bold")
    y = block(pdf, 40, 80, 515, TITLE, 18, "bold", 1.15)
    top = names(pdf, 40, y + 4, 510, 9.5, "regular", ", ") + 16
    low = block(pdf, 40, top, 165, SUMMARY, 9, "bold", 1.2)
    flow(pdf, [(40, low + 8, 165, 690), (218, top, 162, 740), (393, top, 162, 740)], 3 * BODY, 9)
    small(pdf, 40, 715, ["1Institute of Shores, Northport, Norway. 2Dept", "of Heat, Southport, Ireland."], 6.5)
    pdf.line(40, 800, "www.shoremag.org   SHORES   VOL 319   14 MARCH 2008   1527", 7)
    for number in (2, 3):
        pdf.page()
        pdf.line(40, 40, "REPORTS", 8)
        flow(pdf, [(40, 70, 165, 740), (215, 70, 165, 740), (390, 70, 165, 740)], (3 * BODY)[number:], 9)
    return pdf


@layout(sections=("Introduction", "Methods"), first=f"Background {FIRST}", stands=(PLAIN[:50],))
def abstract_under_headings() -> PdfWriter:
    """Headings within the abstract, a summary by the authors behind it, rights and dates in a column at the left."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "RESEARCH ARTICLE", 10, "sans")
    y = block(pdf, 200, 90, 360, TITLE, 18, "bold", 1.15)
    y = names(pdf, 200, y + 4, 350, 10, "bold")
    y = small(pdf, 200, y, [place[:80] for place in PLACES], 8)
    pdf.line(200, y + 18, "Abstract", 13, "bold")
    y += 38
    first, *middle, last = SUMMARY.split(". ")
    for label, text in (("Background", f"{first}."), ("Methods and findings", ". ".join([*middle, last]))):
        pdf.line(200, y, label, 11, "bold")
        y = block(pdf, 200, y + 14, 355, text, 10) + 8
    pdf.line(200, y + 6, "Author summary", 13, "bold")
    block(pdf, 200, y + 24, 355, PLAIN, 10)
    small(
        pdf, 40, 300, ["OPEN ACCESS", "Citation: Moor A, Strand BK, et al. (2021)", "Depth decides how tide pools"], 7
    )
    small(pdf, 40, 380, ["Received: August 10, 2020", "Accepted: May 1, 2021", "Published: June 14, 2021"], 7)
    small(pdf, 40, 420, ["Copyright: © 2021 Moor et al. This is an", "open access article."], 7)
    pdf.line(40, 810, "PLOS Shore | https://doi.org/10.1371/journal.pshore.1003   June 14, 2021   1 / 20", 7)
    for title in ("Introduction", "Methods", "Results"):
        pdf.page()
        flow(pdf, [(200, 60, 355, 760)], (f"#{title}", *BODY), 10)
    return pdf


@layout(sections=("Introduction", "Results"))
def manuscript_of_an_archive() -> PdfWriter:
    """An archive's marks above the title, names with degrees, an abstract that notes and a page's end cut."""
    pdf = PdfWriter().page()
    pdf.line(131, 38, "NIH Public Access", 22, "bold")
    pdf.line(131, 55, "Author Manuscript", 14)
    pdf.line(131, 68, "Shores. Author manuscript; available in PMC 2022 February 27.", 10, "italic")
    pdf.line(90, 87, "Published in final edited form as:", 10)
    pdf.line(95, 99, "Shores. 2021 June 14; 378(6625): 12-20. doi:10.1234/shores.aba1624.", 10)
    y = block(pdf, 90, 141, 420, TITLE, 14, "bold", 1.4)
    y = block(pdf, 90, y + 6, 420, ", ".join(f"{name}, Ph.D.1" for name in NAMES), 10, "bold")
    y = small(pdf, 90, y + 2, PLACES, 10)
    pdf.line(90, y + 16, "Abstract", 12, "bold")
    before, cut, after = SUMMARY.partition(" two loggers")
    block(pdf, 108, y + 34, 390, before, 10, "regular", 1.4)
    small(pdf, 90, 700, ["© 2021 Shore Society. All rights reserved."], 8)
    small(pdf, 90, 712, ["Corresponding Author: Hugo A. Marsh, Institute of Shores, Northport; hugo@example.org."], 8)
    pdf.page()
    pdf.line(90, 40, "Moor et al.    Page 2", 8)
    y = block(pdf, 108, 80, 390, cut + after, 10, "regular", 1.4)
    flow(pdf, [(90, y + 20, 420, 740)], ("#Introduction", *BODY), 10)
    return rest(pdf, head="Moor et al.    Page 3", size=10)


@layout(sections=("INTRODUCTION", "RESULTS"))
def heading_beside_text() -> PdfWriter:
    """ABSTRACT over the left column, text beside it; lines of addresses and of the foot end between the columns."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "Shore Acids Research, 2021, Vol. 49, No. 12    6098-6113", 8)
    pdf.line(40, 50, "doi: 10.1234/nsr/gkz1234    Published online 14 June 2021", 8)
    y = block(pdf, 40, 90, 515, TITLE, 18, "bold", 1.15)
    y = names(pdf, 40, y + 6, 510, 12, "bold", " and ")
    y = small(pdf, 40, y, PLACES, 9)
    pdf.line(40, y + 10, "Received August 10, 2020; Revised March 3, 2021; Accepted May 1, 2021", 8)
    top = y + 40
    pdf.line(40, top, "ABSTRACT", 10, "bold")
    low = block(pdf, 40, top + 16, 250, SUMMARY, 10, "bold", 1.2)
    flow(pdf, [(40, low + 14, 250, 690), (305, top, 250, 740)], ("#INTRODUCTION", *BODY, *BODY), 9.5)
    small(pdf, 40, 715, ["*To whom correspondence should be addressed. Tel: +44 20; Email: hugo@example.org"], 7)
    pdf.line(40, 800, "© The Author(s) 2021. Published by Shore University Press. This is an Open Access article", 7)
    return rest(pdf, ("RESULTS", "DISCUSSION"), head="6099    Shore Acids Research, 2021, Vol. 49", size=9.5)


DEGREES = ("MD", "PhD", "MD, PhD", "MPH", "MD", "PhD", "MD", "MSc")
PARTS = (
    f"{FIRST} follow. What decides how cold a pool becomes has been disputed.",
    "Here we show with two loggers in each of forty pools that depth, not area, sets the fall.",
    "Deep pools keep more than half of their heat, and wind adds little.",
    f"We conclude from it, {LAST}",
)
"""An abstract in parts: why, how, what was found, and what follows."""
MEDICAL = ("IMPORTANCE", "OBJECTIVE", "RESULTS", "CONCLUSIONS AND RELEVANCE")
POINTS = (
    "Question Does depth decide how cold",
    "tide pools become at night?",
    "Findings In this study of forty pools,",
    "depth set the fall of the warmth.",
    "Meaning A rule of one line may do.",
)
MASTHEAD = ("SHORES | Original Investigation", "JAMS. 2021;325(3):102-110. doi:10.1234/jams.2021.0123")


def parts(pdf: PdfWriter, x: float, y: float, width: float, labels: Sequence[str] = MEDICAL, size: float = 9) -> float:
    """Set an abstract in parts, each behind its bold name on the line."""
    for label, text in zip(labels, PARTS, strict=True):
        pdf.line(x, y, label, size - 1, "bold")
        start = text_width(label, size - 1) * 1.1 + 6
        first = lines_of(text, width - start, size)[0]
        pdf.line(x + start, y, first, size)
        y = block(pdf, x, y + 1.2 * size, width, text[len(first) :].strip(), size) + 4
    return y


def box(pdf: PdfWriter, x: float, y: float, name: str = "Key Points", lines: Sequence[str] = POINTS) -> float:
    """Set a box of short lines under its bold name."""
    pdf.line(x, y, name, 10, "bold")
    return small(pdf, x, y + 16, lines, 8)


def medical_head(pdf: PdfWriter, x: float = 40) -> float:
    """Set the kind of article, the title, and the names with degrees; returns where the abstract begins."""
    pdf.line(x, 40, MASTHEAD[0], 9, "bold")
    y = block(pdf, x, 80, 500, TITLE, 18, "bold", 1.15)
    named = "; ".join(f"{name}, {degree}" for name, degree in zip(NAMES, DEGREES, strict=True))
    return block(pdf, x, y + 4, 500, named, 9) + 20


def medical_foot(pdf: PdfWriter, x: float, y: float) -> PdfWriter:
    """Set the citation below the abstract, then the text from the next page on."""
    small(pdf, x, y, [MASTHEAD[1], "Published online June 14, 2021."])
    pdf.page()
    flow(pdf, [(40, 60, 250, 740), (305, 60, 250, 740)], (*BODY, *BODY))
    return rest(pdf, head="Research Original Investigation")


IN_BOX = ("A tide pool is a small body of water", "Does depth decide how cold", "A rule of one line may do.")


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def points_right_of_parts() -> PdfWriter:
    """An abstract in parts without a heading in the left two thirds, a box and addresses at the right."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    y = parts(pdf, 40, top, 300)
    box(pdf, 400, top)
    small(pdf, 400, top + 120, ["Author Affiliations: Institute of Shores", "(Moor, Strand); Southport College."])
    return medical_foot(pdf, 40, y + 4)


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def points_left_of_parts() -> PdfWriter:
    """The same with the box at the left."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    box(pdf, 40, top)
    return medical_foot(pdf, 220, parts(pdf, 220, top, 320) + 4)


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def points_below_parts() -> PdfWriter:
    """The same with the box below the abstract."""
    pdf = PdfWriter().page()
    y = parts(pdf, 40, medical_head(pdf), 480)
    return medical_foot(pdf, 40, box(pdf, 40, y + 24) + 20)


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def points_above_parts() -> PdfWriter:
    """The same with the box above the abstract."""
    pdf = PdfWriter().page()
    y = box(pdf, 40, medical_head(pdf))
    return medical_foot(pdf, 40, parts(pdf, 40, y + 20, 480) + 4)


def around_box(pdf: PdfWriter, top: float, width: float, gap: float, *, left: bool) -> PdfWriter:
    """Set an abstract in parts around a box in its upper corner, and from edge to edge below it."""
    full, low, y = 515, top + 16 + 1.2 * 8 * len(WIDE_POINTS) + 6, top
    for label, text in zip(MEDICAL, PARTS, strict=True):
        words, behind = text.split(), text_width(label, 8) * 1.1 + 6
        pdf.line(40 + (width + gap) * (left and y < low), y, label, 8, "bold")
        while words:
            beside = y < low
            x = 40 + behind + (width + gap) * (left and beside)
            line = lines_of(" ".join(words), full - behind - (width + gap) * beside, 9)[0]
            pdf.line(x, y, line, 9)
            words, behind, y = words[len(line.split()) :], 0, y + 1.2 * 9
        y += 4
    box(pdf, 40 if left else 555 - width, top, lines=WIDE_POINTS)
    return medical_foot(pdf, 40, max(y, low) + 4)


WIDE_POINTS = (
    "Question Does depth decide how cold tide pools",
    "become at night on a shore of rock?",
    "Findings In this study of forty pools, depth and not",
    "area set the fall of the warmth.",
    "Meaning A rule of one line may do.",
    "Wind adds little to it.",
)


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def parts_around_a_wide_box_at_the_left() -> PdfWriter:
    """A box nearly as wide as the abstract's lines beside it, which go on below it from edge to edge."""
    pdf = PdfWriter().page()
    return around_box(pdf, medical_head(pdf), 230, 5, left=True)


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def parts_around_a_box_at_the_left() -> PdfWriter:
    """The same with a narrower box, below which the abstract's last line is short."""
    pdf = PdfWriter().page()
    return around_box(pdf, medical_head(pdf), 215, 5, left=True)


@layout(first=f"IMPORTANCE {FIRST}", stands=IN_BOX)
def parts_around_a_box_at_the_right() -> PdfWriter:
    """The same with the box at the right."""
    pdf = PdfWriter().page()
    return around_box(pdf, medical_head(pdf), 230, 5, left=False)


@layout(year=None)
def abstract_that_ends_half_a_page() -> PdfWriter:
    """An abstract that leaves its page half empty: the next page begins the text, without a heading."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    pdf.line(60, top, "ABSTRACT", 10, "bold")
    assert block(pdf, 60, top + 14, 470, SUMMARY, 9) < 0.65 * 740
    pdf.page()
    flow(pdf, [(60, 60, 470, 740)], BODY)
    return rest(pdf)


@layout()
def abstract_wider_than_the_columns() -> PdfWriter:
    """An abstract low on its page and as wide as that; the text begins on the next, in columns, without a heading."""
    pdf = PdfWriter().page()
    medical_head(pdf)
    pdf.line(40, 640, "ABSTRACT", 10, "bold")
    y = block(pdf, 40, 654, 515, SUMMARY, 9)
    assert y > 0.65 * 780
    return medical_foot(pdf, 40, 770)


@layout(stands=("A tide pool is a small body of water", "Pools cool at night.", "A rule of one line may do."))
def known_beside_a_paragraph() -> PdfWriter:
    """An abstract of one paragraph under its heading, what is known and what is new in boxes at the right."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    pdf.line(40, top, "ABSTRACT", 10, "bold")
    y = block(pdf, 40, top + 14, 320, SUMMARY, 9)
    low = box(pdf, 400, top, "What is already known on this topic", ("Pools cool at night.", "Why was not known."))
    box(pdf, 400, low + 8, "What this study adds", ("Depth sets the fall.", "A rule of one line may do."))
    return medical_foot(pdf, 40, y + 10)


@layout(stands=("A tide pool is a small body of water", "Depth sets the fall.", "A rule of one line may do."))
def highlights_above_abstract() -> PdfWriter:
    """Highlights in short points above the abstract."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    y = box(
        pdf, 40, top, "Highlights", ("• Depth sets the fall.", "• Wind adds little.", "• A rule of one line may do.")
    )
    pdf.line(40, y + 14, "Abstract", 10, "bold")
    return medical_foot(pdf, 40, block(pdf, 40, y + 28, 480, SUMMARY, 9) + 10)


@layout(
    first=f"Background {FIRST}", stands=("A tide pool is a small body of water", "We searched for pools", "Shore Fund")
)
def panel_right_of_summary() -> PdfWriter:
    """A summary in parts with who paid for it, and a panel on what was known at the right."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    pdf.line(40, top, "Summary", 10, "bold")
    y = parts(pdf, 40, top + 14, 320, ("Background", "Methods", "Findings", "Interpretation"))
    pdf.line(40, y, "Funding", 8, "bold")
    pdf.line(80, y, "Shore Fund.", 9)
    lines = (
        "Evidence before this study",
        "We searched for pools and",
        "found none with two loggers.",
        "Added value",
        "Depth.",
    )
    box(pdf, 400, top, "Research in context", lines)
    return medical_foot(pdf, 40, y + 20)


@layout(stands=("A tide pool is a small body of water", "Water that is left behind keeps its heat."))
def significance_beside_a_bare_paragraph() -> PdfWriter:
    """A narrow paragraph without a heading, and a short box that says what it means at the right."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    y = block(pdf, 40, top, 320, SUMMARY, 9, "bold")
    box(pdf, 400, top, "Significance", ("Water that is left behind", "keeps its heat."))
    return medical_foot(pdf, 40, y + 10)


@layout(first=f"BACKGROUND {FIRST}", stands=("A tide pool is a small body of water", "Shore Foundation"))
def funded_below_parts() -> PdfWriter:
    """An abstract under names on lines of their own, who paid for it below; a text without headings; a dated head."""
    pdf = PdfWriter().page()
    pdf.line(40, 40, "The Northport Journal of Shore Medicine", 18, "bold")
    pdf.centred(80, "ORIGINAL ARTICLE", 10)
    y = block(pdf, 60, 110, 470, TITLE, 20, "bold", 1.15)
    y = block(pdf, 60, y + 6, 470, ", ".join(NAMES), 10) + 20
    pdf.centred(y, "ABSTRACT", 10, "bold")
    y += 16
    for label, text in zip(("BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"), PARTS, strict=True):
        pdf.line(150, y, label, 8, "bold")
        y = block(pdf, 150, y + 11, 400, text, 9) + 3
    block(pdf, 150, y, 400, "(Funded by the Shore Foundation; POOLS ClinicalTrials.gov number, NCT01234567.)", 9)
    pdf.page()
    flow(pdf, [(40, 60, 250, 740), (305, 60, 250, 740)], BODY)
    return rest(pdf, head="n shore j med 384;2 shore.example.org June 14, 2021")


@layout(sections=("Introduction", "Results"), first=f"Background {FIRST}")
def columns_of_their_own() -> PdfWriter:
    """A text in two narrow columns below a summary, dates at the right: no other page has these columns."""
    pdf = PdfWriter().page()
    top = medical_head(pdf)
    pdf.line(40, top, "Summary", 10, "bold")
    y = parts(pdf, 40, top + 12, 380, ("Background", "Methods", "Findings", "Interpretation"))
    small(
        pdf,
        440,
        top,
        ["Shore 2021; 397: 102-10", "Published Online", "June 14, 2021", "Institute of Shores,", "Northport"],
    )
    flow(pdf, [(40, y + 40, 190, 770), (240, y + 40, 190, 770)], ("#Introduction", *BODY))
    return rest(pdf, head="Articles")


def manuscript(running: str = "", note: str = "", title: str = TITLE, font: str = "regular") -> PdfWriter:
    """Set a double-spaced title page in one size, an abstract on the second page, the text after it."""
    pdf = PdfWriter().page()
    pdf.line(72, 50, running, 12)
    y = 250.0
    for line in [
        *lines_of(title, 430, 12),
        "",
        *(one for name in NAMES[:3] for one in (name, "University of Northport")),
    ]:
        pdf.centred(y, line, 12, font if y < 270 else "regular")
        y += 28
    pdf.centred(y, note, 12)
    pdf.line(72, y + 40, "Correspondence should be addressed to Ada Moor, ada@example.org. June 2021.", 12)
    for head, text in (("Abstract", SUMMARY), ("Introduction", INTRODUCTION), ("Results", RESULTS)):
        pdf.page()
        pdf.centred(80, head, 12, "bold")
        block(pdf, 72, 110, 450, text, 12, "regular", 2.2)
    return pdf


SHEETS: dict[str, Callable[[], PdfWriter]] = {
    "plain_manuscript": manuscript,
    "manuscript_with_a_running_head": lambda: manuscript("Running head: TIDE POOLS AND HEAT", "Author Note"),
    "manuscript_with_a_bold_title": lambda: manuscript("Running head: POOLS", "Author Note", font="bold"),
    "manuscript_in_capitals": lambda: manuscript(title=TITLE.upper()),
    "manuscript_with_a_label": lambda: manuscript(title=f"Title: {TITLE}"),
}
for _name, _draw in SHEETS.items():
    LAYOUTS[_name] = (_draw, Expected(authors=NAMES[:3], sections=("Introduction", "Results")))
