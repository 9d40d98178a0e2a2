"""Sets a known paper by LaTeX in the classes of four publishers: IEEE's, ACM's, APS's and Springer's."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.core.errors import EvaluationError
from engine.research.typesetting.known_papers import Author, KnownPaper, Piece

_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}", '"': "''", "\u2018": "`", "\u2019": "'", "\u201c": "``", "\u201d": "''", "\u2013": "--",
    "\u2014": "---",
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(_SIGNS)) + "]")
_TWICE = 2
_SECONDS = 120

_IEEE = r"""\documentclass[conference]{IEEEtran}
\usepackage{amsmath}
\pagestyle{plain}
\begin{document}
\title{%(title)s}
\author{%(grid)s}
\maketitle
\thispagestyle{plain}
\begin{abstract}
%(abstract)s
\end{abstract}
\begin{IEEEkeywords}
%(keywords)s
\end{IEEEkeywords}
%(body)s
%(references)s
\end{document}
"""
_ACM = r"""\documentclass[sigconf]{acmart}
\renewcommand{\rmdefault}{ptm}\renewcommand{\sfdefault}{phv}\renewcommand{\ttdefault}{pcr}
\setcopyright{acmlicensed}
\copyrightyear{2019}
\acmYear{2019}
\acmConference[OPEN '19]{Meeting on Open Studies}{June 3--5, 2019}{Porto, Portugal}
\acmBooktitle{Meeting on Open Studies (OPEN '19), June 3--5, 2019, Porto, Portugal}
\acmISBN{978-1-4503-0000-0/19/06}
\begin{document}
\title[{%(short)s}]{%(title)s}
%(cells)s
\renewcommand{\shortauthors}{%(running)s}
\begin{abstract}
%(abstract)s
\end{abstract}
\begin{CCSXML}
<ccs2012><concept><concept_id>10002950</concept_id><concept_desc>Mathematics of computing</concept_desc>
<concept_significance>500</concept_significance></concept></ccs2012>
\end{CCSXML}
\ccsdesc[500]{Mathematics of computing~Probability and statistics}
\ccsdesc[300]{Applied computing~Health informatics}
\keywords{%(keywords)s}
\maketitle
%(body)s
%(references)s
\end{document}
"""
_APS = r"""\documentclass[aps,prd,reprint]{revtex4-2}
\usepackage{amsmath}
\begin{document}
\title{%(title)s}
%(cells)s
\date{14 March 2018}
\begin{abstract}
%(abstract)s
\end{abstract}
\keywords{%(keywords)s}
\maketitle
%(body)s
%(references)s
\end{document}
"""
_SPRINGER = r"""\documentclass[runningheads]{llncs}
\usepackage{amsmath}
\begin{document}
\title{%(title)s}
\titlerunning{%(short)s}
\author{%(list)s}
\authorrunning{%(running)s}
\institute{%(institutes)s}
\maketitle
\begin{abstract}
%(abstract)s
\keywords{%(dotted)s}
\end{abstract}
%(body)s
%(references)s
\end{document}
"""


def ieee_conference(paper: KnownPaper) -> str:
    """Set two columns, authors in a grid, a bold abstract that begins in its line, Roman numbers."""
    return _IEEE % {**_common(paper), "grid": " \\and\n".join(_ieee_cell(paper, one) for one in paper.authors)}


def acm_conference(paper: KnownPaper) -> str:
    """Set two columns, authors in rows, classes and a box of rights at the foot, running heads."""
    cells = "\n".join(
        f"\\author{{{one.name}}}\n\\affiliation{{\\institution{{{place[0]}}}\\city{{{place[1]}}}"
        f"\\country{{{place[2]}}}}}\n\\email{{{one.email}}}"
        for one, place in ((one, _parted(paper.places[one.place])) for one in paper.authors)
    )
    return _ACM % {**_common(paper), "cells": cells}


def physical_review(paper: KnownPaper) -> str:
    """Set two columns, title and abstract over both, authors in a line above each address."""
    cells = "\n".join(
        f"\\author{{{one.name}}}\n\\email{{{one.email}}}\n\\affiliation{{{_tex(paper.places[one.place])}}}"
        for one in paper.authors
    )
    return _APS % {**_common(paper), "cells": cells}


def lecture_notes(paper: KnownPaper) -> str:
    """Set one narrow column, running heads with the page's number, an indented abstract in small letters."""
    listed = " \\and ".join(f"{one.name}\\inst{{{one.place + 1}}}" for one in paper.authors)
    emails = ", ".join(one.email for one in paper.authors)
    institutes = " \\and ".join(map(_tex, paper.places)) + f"\\\\ \\email{{{emails}}}"
    dotted = " \\and ".join(map(_tex, paper.keywords))
    return _SPRINGER % {**_common(paper), "list": listed, "institutes": institutes, "dotted": dotted}


CLASSES: Mapping[str, Callable[[KnownPaper], str]] = {
    "ieee-conference": ieee_conference,
    "acm-conference": acm_conference,
    "physical-review": physical_review,
    "lecture-notes": lecture_notes,
}
"""The layouts that LaTeX sets, by their names."""


def set_by_latex(papers: Sequence[KnownPaper], source: Callable[[KnownPaper], str], folder: Path) -> list[Path]:
    """Set the papers as PDFs in a folder. Raises EvaluationError where LaTeX fails."""
    return [_run(source(paper), paper.name, folder) for paper in papers]


def _run(source: str, name: str, folder: Path) -> Path:
    written = folder / f"{name}.tex"
    written.write_text(source, "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(written)]
    for _ in range(_TWICE):
        done = subprocess.run(command, capture_output=True, cwd=folder, timeout=_SECONDS, check=False)
    if done.returncode:
        error = next((line for line in done.stdout.decode("latin-1").splitlines() if line.startswith("!")), "no reason")
        raise EvaluationError(f"Expected pdflatex to set {written.name}, it said: {error}. Install texlive-publishers.")
    return written.with_suffix(".pdf")


def _common(paper: KnownPaper) -> dict[str, str]:
    last = paper.authors[0].name.split()[-1]
    return {
        "title": _tex(paper.title),
        "short": _tex(paper.short_title),
        "running": f"{last} et al." if len(paper.authors) > 2 else " and ".join(one.name for one in paper.authors),
        "abstract": _tex(paper.abstract),
        "keywords": ", ".join(map(_tex, paper.keywords)),
        "body": "\n\n".join(
            f"\\section{{{_tex(one.heading)}}}\n\n" + "".join(map(_piece, one.pieces)) for one in paper.sections
        ),
        "references": _references(paper.references),
    }


def _piece(piece: Piece) -> str:
    """Return a piece in LaTeX: a note joins the paragraph before it, whatever else begins a paragraph of its own."""
    text = piece.text if piece.kind == "equation" else _tex(piece.text)
    return {
        "paragraph": f"\n\n{text}",
        "subheading": f"\n\n\\subsection{{{text}}}",
        "footnote": f"\\footnote{{{text}}}",
        "equation": f"\n\n\\begin{{equation}}\n{text}\n\\end{{equation}}",
        "figure": "\n\n\\begin{figure}\n\\centering\n\\setlength{\\unitlength}{1mm}\\begin{picture}(60,30)"
        "\\put(0,0){\\line(1,0){60}}\\put(0,0){\\line(0,1){30}}\\put(5,3){\\line(2,1){40}}\\put(24,-4){Days}"
        f"\\put(2,27){{Share}}\\put(46,23){{Site B}}\\end{{picture}}\n\\caption{{{text}}}\n\\end{{figure}}",
        "table": f"\n\n\\begin{{table}}\n\\caption{{{text}}}\n\\centering\n\\begin{{tabular}}{{lrrr}}\n\\hline\n"
        "Site & Count & Mean & Share \\\\ \\hline\nNorth & 120 & 4.2 & 0.31 \\\\\nSouth & 96 & 3.9 & 0.28 \\\\\n"
        "River valley & 151 & 4.8 & 0.41 \\\\ \\hline\n\\end{tabular}\n\\end{table}",
    }[piece.kind]


def _references(entries: Sequence[str]) -> str:
    listed = "\n".join(f"\\bibitem{{r{number}}} {_tex(entry)}" for number, entry in enumerate(entries))
    return f"\\begin{{thebibliography}}{{99}}\n{listed}\n\\end{{thebibliography}}"


def _ieee_cell(paper: KnownPaper, author: Author) -> str:
    place, city, country = _parted(paper.places[author.place])
    return (
        f"\\IEEEauthorblockN{{{author.name}}}\n\\IEEEauthorblockA{{\\textit{{{place}}} \\\\ {city}, {country} \\\\ "
        f"{author.email}}}"
    )


def _parted(place: str) -> tuple[str, str, str]:
    """Return an address as institution, city and country."""
    *institution, city, country = place.split(", ")
    return _tex(", ".join(institution)), _tex(city), _tex(country)


def _tex(text: str) -> str:
    return _SPECIAL.sub(lambda sign: _SIGNS[sign[0]], text)
