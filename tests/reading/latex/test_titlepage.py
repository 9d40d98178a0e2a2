"""Title, authors, abstract and headings that only fonts and places show; names among marks, degrees and addresses."""

from __future__ import annotations

import pytest

from engine.reading.latex.marks import HARD, LINE, NOTE, SOFT
from engine.reading.latex.titlepage import line_of_names, names_in, year_of
from tests.reading.latex.sources import Expected, read, require


@pytest.mark.parametrize(
    ("source", "year"),
    [
        (r"\copyrightyear{2020}\acmYear{2021}\acmConference[Lid '19]{Lids}{June 3--5, 2019}{Ek}", 2021),
        (r"\acmConference[Lid '19]{Lid '19: On {Lids}}{June 3--5, 2019}{Ek, Mill}", 2019),
        (r"\pubyear{0000}\copyrightyear{2018}", 2018),
        (r"\Year{2017}\date{1 May 2016}", 2017),
        (r"\jyear{2021}", 2021),
        (r"\jmlrheading{23}{2022}{1960-2001}{1/21}{2/22}{x}{A. Lind}", 2022),
        (r"\IEEEpubid{0000--0000/00\$00.00~\copyright~2021 IEEE}", 2021),
        (r"\conferenceinfo{Lids}{July 2012, Ek}", 2012),
        (r"\date{Received: 12 Mar 2020 / Accepted: 5 June 2021}", 2021),
        (r"\received{1 May 2019}\accepted{1988 July 3}", 1988),
        (r"\date{\today}\citeyear{lind2001}\versionyear{2022}\year=2020", None),
        (r"\date{Received: date / Accepted: date}\Year{}", None),
    ],
)
def test_the_year_that_a_class_is_told(source: str, year: int | None) -> None:
    assert year_of(source) == year


def test_a_year_behind_the_text_is_none_of_the_papers() -> None:
    source = r"\documentclass{a}\title{T}%s\begin{document}\section{S}x\end{document}\date{1999}"
    assert read(source % "").document.year is None
    assert read(source % r"\date{May 2003}").document.year == 2003


SHOWN: dict[str, tuple[str, Expected]] = {
    "plain-bold": (
        r"""\input macros
\nopagenumbers \magnification=1200
\hsize=6in \vsize=8.9in \baselineskip=14pt plus 2pt
\centerline{\bf ON THE GROWTH OF KETTLE STEAM}
\vskip .3in
\centerline{\rm Eva Roe}
\centerline{\it Department of Steam, East Mill, Quito}
\vskip .1in
\centerline{and}
\centerline{\rm Ben Fox}
\centerline{\it West Mill, Ek}
\vskip 1cm
\centerline{\bf ABSTRACT}
\medskip
{\narrower\noindent Steam on kitchen kettles grows at night. We weighed it for one winter.\par}
\bigskip
\beginsection 1. Introduction

Kettles are heavy in the morning\footnote{$^1$}{Not all of them.}. \item{1.} Some are light.
\beginsection 2. The balance\par
It has two arms. $x^2 \over y$
\vfill\eject
\centerline{\bf References}
\item{[1]} E. Roe, {\it Slow fish}, 2001.
\end
""",
        {
            "title": "ON THE GROWTH OF KETTLE STEAM",
            "authors": ["Eva Roe", "Ben Fox"],
            "abstract": "Steam on kitchen kettles grows at night. We weighed it for one winter.",
            "sections": ["Introduction", "The balance", "References"],
        },
    ),
    "plain-def": (
        r"""\font\titlefont=cmbx10 scaled\magstep2
\font\sc=cmcsc10
\def\title#1{\centerline{\titlefont #1}}
\def\section#1{\bigskip\noindent{\bf #1}\medskip}
\title{Slow whistle in lid pots}
\medskip
\centerline{\sc Ada Lind and Kurt Ek}
\medskip
\noindent{\bf Abstract:} We boil many lids and find that they whistle.
\section{1. Introduction}
Lids move slowly.
\section{2. Pots}
We drew many pots.
\bye
""",
        {
            "title": "Slow whistle in lid pots",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil many lids and find that they whistle.",
            "sections": ["Introduction", "Pots"],
        },
    ),
    "plain-two-line": (
        r"""% plain TeX
\magnification=\magstephalf
\font\bigbf=cmbx12 scaled \magstep1
\centerline{\bigbf Slow whistle in}
\centerline{\bigbf pots of lids}
\bigskip
\centerline{A. Lind and K. Ek}
\centerline{Lid Institute, Town}
\bigskip
\noindent {\bf Abstract.} We boil many lids and find that they whistle.

\bigskip
\leftline{\bf 1. Introduction}
\smallskip
Lids move slowly.
\proclaim Theorem 1. All lids whistle.\par
\noindent{\it Proof.} Look at a map.
\leftline{\bf 2. Pots}
We drew pots.
\bye
""",
        {
            "title": "Slow whistle in pots of lids",
            "authors": ["A. Lind", "K. Ek"],
            "abstract": "We boil many lids and find that they whistle.",
            "sections": ["Introduction", "Pots"],
        },
    ),
    "latex209": (
        r"""\documentstyle[12pt,epsf]{article}
\begin{document}
\begin{titlepage}
\begin{flushright}
CERN-TH/95-12\\ hep-th/9501001
\end{flushright}
\vspace{1cm}
\begin{center}
{\Large\bf Slow Whistle in Lid Pots}\\
\vspace{1cm}
{\large Ada Lind$^{a}$\footnote{al@example.org} and Kurt Ek$^{b}$}\\
\vspace{.5cm}
{\it $^a$ Lid Institute, Town}\\
{\it $^b$ North Mill, Tromso}\\
\vspace{1cm}
{\bf Abstract}
\end{center}
\noindent
We boil many lids and find that they whistle.
\end{titlepage}
\section{Introduction}
Lids move.
\section{Pots}
Drawn.
\end{document}
""",
        {
            "title": "Slow Whistle in Lid Pots",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil many lids and find that they whistle.",
            "sections": ["Introduction", "Pots"],
        },
    ),
    "center-title": (
        r"""\documentclass{article}
\begin{document}
\begin{center}
\textbf{\LARGE Slow Whistle in Lid Pots}\\[1em]
Ada Lind\textsuperscript{1}, Kurt Ek\textsuperscript{2}\\
\textsuperscript{1}Lid Institute, Town\\
\textsuperscript{2}North Mill
\end{center}
\begin{abstract}
We boil many lids.
\end{abstract}
\section{Introduction} Lids move. \section{B} x
\end{document}
""",
        {
            "title": "Slow Whistle in Lid Pots",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil many lids.",
        },
    ),
    "titlepage-rule": (
        r"""\documentclass{book}
\newcommand{\HRule}{\rule{\linewidth}{0.5mm}}
\begin{document}
\begin{titlepage}
\centering
\includegraphics[width=3cm]{logo}\par
{\scshape\LARGE University of Town \par}
\vspace{1cm}
{\scshape\Large Doctoral thesis\par}
\HRule\\[0.4cm]
{\huge\bfseries Quiet growth of kettle steam\\ in sheltered kitchens\par}
\HRule
\vspace{2cm}
{\Large\itshape Eva Roe\par}
\vfill
supervised by\par
Dr.~Ben Fox
\vfill
{\large \today\par}
\end{titlepage}
\frontmatter
\chapter*{Zusammenfassung}
Eis wuchs.
\chapter*{Abstract}
Steam on kitchen kettles grows at night.
\mainmatter
\chapter{Introduction} Kettles.
\chapter{Balance} Arms.
\end{document}
""",
        {
            "title": "Quiet growth of kettle steam in sheltered kitchens",
            "authors": ["Eva Roe"],
        },
    ),
    "plos": (
        r"""\documentclass[10pt,letterpaper]{article}
\begin{document}
\vspace*{0.2in}
\begin{flushleft}
{\Large
\textbf\newline{Slow whistle in lid pots} % Please use "sentence case"
}
\newline
\\
Ada Lind\textsuperscript{1,2\Yinyang},
Kurt Ek\textsuperscript{2\Yinyang},
with the Lid Consortium\textsuperscript{\textpilcrow}
\\
\bigskip
\textbf{1} Affiliation Dept/Program/Center, Institution Name, City, State, Country
\\
\bigskip
* correspondingauthor@institute.edu
\end{flushleft}
\section*{Abstract}
We boil.
\section*{Introduction}
R.
\end{document}
""",
        {
            "title": "Slow whistle in lid pots",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
        },
    ),
    "twocolumn-raw": (
        r"""\documentclass{article}
\begin{document}
\twocolumn[{\centering
{\Large\bfseries Slow Whistle in Pots\par}\vskip 1em
{\large Ada Lind and Kurt Ek\par}
{\itshape Lid Institute\par}
}]
\begin{abstract}We boil.\end{abstract}
\section{Introduction}R. \section{Pots} M.
\end{document}
""",
        {
            "title": "Slow Whistle in Pots",
            "authors": ["Ada Lind", "Kurt Ek"],
            "abstract": "We boil.",
            "sections": ["Introduction", "Pots"],
        },
    ),
    "maketitle-def-heading": (
        r"""\documentclass[12pt]{amsart}
\def\sect#1{\bigskip\noindent{\bf #1}\par\medskip}
\begin{document}
\title{Slow whistle}\author{Ada Lind}\maketitle
\begin{abstract}We boil.\end{abstract}
\sect{1. Introduction}
Lids.
\sect{2. Pots}
M.
\end{document}
""",
        {
            "sections": ["Introduction", "Pots"],
            "abstract": "We boil.",
        },
    ),
    "thesis": (
        r"""\documentclass{report}\begin{document}\begin{titlepage}
\begin{center}
\textsc{\Large University of Lids}\\[1cm]
{\LARGE \bf The Slow Boiling\\of Small Pots}\\[1cm]
by\\[0.3cm]
{\large Ada Maria Lind}\\[1cm]
A dissertation submitted in partial fulfilment\\
of the requirements for the degree of\\
Doctor of Philosophy\\[1cm]
Supervisor: Prof. Bo Ek\\
June 2020
\end{center}
\end{titlepage}
\begin{abstract}It boils.\end{abstract}
\chapter{Introduction}A.\chapter{Pots}B.\end{document}
""",
        {
            "title": "The Slow Boiling of Small Pots",
            "authors": ["Ada Maria Lind"],
            "abstract": "It boils.",
        },
    ),
    "sizes-without-braces": (
        r"""\documentclass{scrbook}\begin{document}\begin{titlepage}
\vspace*{2cm}
\noindent\Huge\textbf{Slow Pots}\\
\Large\textbf{A study of lids}

\vspace{2cm}\noindent\large Ada Lind

\vfill Lid University, 2020
\end{titlepage}
\chapter{Introduction}A.\chapter{Pots}B.\end{document}
""",
        {
            "authors": ["Ada Lind"],
        },
    ),
    "maketitle-in-a-page": (
        r"""\documentclass{article}\begin{document}\begin{titlepage}
\title{Slow Pots}\author{Ada Lind}\maketitle\thispagestyle{empty}
\begin{abstract}It boils.\end{abstract}\end{titlepage}\section{Introduction}A.\end{document}
""",
        {
            "title": "Slow Pots",
            "authors": ["Ada Lind"],
            "abstract": "It boils.",
            "sections": ["Introduction"],
        },
    ),
    "plain-notes": (
        r"""\magnification=\magstep1
\baselineskip=15pt
\def\ref#1{[#1]}
\centerline{\bf Slow Pots and Quiet Lids\footnote*{Supported by nobody.}}
\bigskip
\centerline{Ada Lind\footnote{$^\dagger$}{Lid Lab.}}
\smallskip
\centerline{Department of Lids}
\centerline{Lid University}
\bigskip
\noindent{\bf Abstract.}\enspace It boils slowly.
\bigskip
{\bf \S 1. Introduction.}
\par
Lids move \ref{1}.
\medskip
{\bf \S 2. Pots.}
Pots hold.
\vskip 12pt
\centerline{\bf References}
\medskip
\item{1.} B. Ek, {\it Lids}, 1999.
\bye
""",
        {
            "title": "Slow Pots and Quiet Lids",
            "authors": ["Ada Lind"],
            "abstract": "It boils slowly.",
        },
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_the_source_only_shows(name: str) -> None:
    require(*SHOWN[name])


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        (f"Ada Lind{NOTE}{HARD}Bo Ek", ["Ada Lind", "Bo Ek"]),
        (f"1{NOTE} Ada Lind", ["Ada Lind"]),
        ("1st Ada Lind", ["Ada Lind"]),
        ("Dr. Ada Lind, PhD, Bo Ek Jr., and Cy Fox, Senior Member, IEEE", ["Ada Lind", "Bo Ek Jr.", "Cy Fox"]),
        ("Ada Lind, Jr. and Bo Ek, III", ["Ada Lind Jr.", "Bo Ek III"]),
        (f"Ada Lind{LINE}Lid Lab{LINE}{LINE}Bo Ek", ["Ada Lind", "Bo Ek"]),
        (f"Ada Lind{NOTE}{SOFT}Bo Ek{NOTE}{LINE}Cy Fox{NOTE}{LINE}{NOTE}Lid Town", ["Ada Lind", "Bo Ek", "Cy Fox"]),
        (f"Ada Lind{SOFT}Bo Ek{LINE}Cy Fox{SOFT}Di Gun{LINE}Lid Town", ["Ada Lind", "Bo Ek", "Cy Fox", "Di Gun"]),
        (f"by{LINE}Ada Lind", ["Ada Lind"]),
        ("Lind, Ada", ["Ada Lind"]),
        ("Ada Lind e Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("王伟, 李小明", ["王伟", "李小明"]),
        ("Ada Lind, ada@lid.example, Bo Ek", ["Ada Lind", "Bo Ek"]),
        ("Anonymous Authors", []),
        ("Lid University", []),
    ],
)
def test_the_names_of_an_entry(entry: str, names: list[str]) -> None:
    assert list(names_in(entry, lambda: None)) == names


def test_a_line_of_names_alone() -> None:
    assert line_of_names("Ada Lind and Bo Ek") == ["Ada Lind", "Bo Ek"]
    assert line_of_names("Lids whistle at night when it boils.") == []


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (r"\author{\begin{tabular}{c}Ada Lind\\Lid Lab\end{tabular}\and Bo Ek}", ("Ada Lind", "Bo Ek")),
        (r"\author{Ada Lind\,$^{1,*}$ and Bo\\ Ek}", ("Ada Lind",)),
        ("\\author{Ada\n Lind,\n Bo Ek}", ("Ada Lind", "Bo Ek")),
        (r"\author{\href{https://lid.example}{Ada Lind}}", ("Ada Lind",)),
    ],
)
def test_names_in_source(written: str, names: tuple[str, ...]) -> None:
    assert read(f"\\documentclass{{a}}\\title{{T}}{written}\\begin{{document}}A").document.authors == names


def test_every_entry_is_told_though_it_holds_no_name() -> None:
    told: list[None] = []
    assert not list(names_in(f"Moor 1{HARD}Moor 2{HARD}Moor 3", lambda: told.append(None)))
    assert len(told) == 3
