"""LaTeX sources into documents: comments and programs go, macros are put in, commands and fonts become plain text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError
from engine.documents import Section, Translation
from engine.reading.dispatch import iter_documents, read_bytes, read_file, read_text
from engine.reading.latex.marks import (
    BEGIN_OF_SMALL,
    BOLD,
    CENTRED,
    END_OF_SMALL,
    HEADING,
    LINE,
    NORMAL,
    NOTE,
    RAISED,
    USUAL,
    fonts_of,
    is_mark,
    is_small,
    lines_of,
    mark,
    part_keywords,
    parts_of_abstract,
    resize,
    style_after,
    title_line,
    without_marks,
)
from engine.reading.limits import Budget
from tests.reading.latex.sources import body, read, seconds
from tests.reading.texts import ENGLISH, ENGLISH_BODY, GERMAN, GERMAN_BODY, PORTUGUESE, PORTUGUESE_BODY

PAPER = r"""% A paper that we wrote for the tests.
\documentclass[a4paper]{article}
\usepackage{amsmath}
\newcommand{\kettle}[1]{\textbf{#1}\section{Not here}}
\def\lid#1{\begin{abstract}#1\end{abstract}}
\title{Kettles that do not whistle\thanks{Paid by nobody.}:\\ na\"{\i}ve lids}
\author{Ada Lind\thanks{Lid Lab} \and Kurt G{\"o}del$^{1,2}$ \\ University of Lids}
\date{2020}
\begin{document}
\maketitle
\begin{abstract}
We make kettles quiet~\cite{lind1999}: noise falls by $x_1 = 100\%$ % or so
in \emph{most} cases.
\end{abstract}
\keywords{kettles, lids}
\section{Introduction}\label{sec:intro}
Kettles whistle \citep[p.~3]{a,b}, as Figure~\ref{fig:a} shows ``clearly''. See \url{https://a.example/b%20c_d~e}.%
\footnote{A footnote with {braces}.}

%% A comment between paragraphs.
Energy is
\begin{equation} E = mc^2 \end{equation}
as is known. \[ a^2 \] Some \href{https://x.example/y}{find} it \textcolor{red}{loud}:
\begin{itemize}
  \item cats
  \item[dogs] that bark
\end{itemize}
\begin{figure}[ht]\centering\includegraphics[width=2cm]{lid.pdf}\caption{A lid of \(d\) mm.}\end{figure}
\begin{tabular}{ll} 1 & 2 \\ 3 & 4 \end{tabular}
\subsection*{The lid}
\begin{verbatim}
\section{No section} { 100% $
\end{verbatim}
It costs 5\% \& \verb|x %in% {y}| more.
\paragraph{Seal.} Of rubber.
\section{Acknowledgements}
We thank cats.
\begin{thebibliography}{9}
\bibitem{a} A. Lind. \textit{Quiet lids}. 1999.
\bibitem[L]{b} A. Lovelace. Notes. 1843.
\end{thebibliography}
\end{document}
\section{After the end}
"""


def test_a_paper() -> None:
    reading = read(PAPER)
    document = reading.document
    told = "Left out of the text: 1 program and 1 table. Captions are read."
    assert (reading.format, reading.warnings) == ("latex", (told,))
    assert document.title == "Kettles that do not whistle: naïve lids"
    assert document.authors == ("Ada Lind", "Kurt Gödel")
    assert document.abstract == "We make kettles quiet: noise falls by $x_1 = 100\\%$ in most cases."
    assert document.keywords == ("kettles", "lids")
    assert [(section.title, section.role) for section in document.sections] == [
        ("Introduction", "body"),
        ("The lid", "body"),
        ("Acknowledgements", "body"),
        ("References", "references"),
    ]
    assert document.sections[0].text == (
        "Kettles whistle, as Figure shows “clearly”. See https://a.example/b%20c_d~e.\n\n"
        "Energy is as is known. Some find it loud:\n\n- cats\n- dogs that bark\n\nA lid of \\(d\\) mm."
    )
    assert document.sections[1].text == "It costs 5% & x %in% {y} more.\n\nSeal. Of rubber."
    assert document.sections[3].text == "A. Lind. Quiet lids. 1999.\n\nA. Lovelace. Notes. 1843."


def test_a_file_an_upload_and_pasted_source(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(PAPER)
    found = read_file(tmp_path / "paper.tex").document
    assert list(iter_documents(tmp_path / "paper.tex")) == [found]
    assert found.id.startswith("file:")
    assert read_text(PAPER).document.sections == found.sections
    assert read_bytes(PAPER.replace("\n", "\r\n").encode("utf-8-sig"), "x").document.sections == found.sections


def test_files_that_are_taken_in_are_named() -> None:
    text = r"\documentclass{a}\title{T}\input{preamble}\begin{document}\input{intro} \include{method} \input{intro}"
    said = "Files that the source takes in were not read: preamble, intro, method. Put their text into one file"
    assert read(text).warnings[-1].startswith(said)
    many = "".join(f"\\input{{f{number}}}" for number in range(9))
    assert "f0, f1, f2, f3, f4 and 4 more." in read("\\documentclass{a}" + many).warnings[-1]
    assert not any("takes in" in one for one in read(PAPER).warnings)


def test_what_is_missing_is_said() -> None:
    assert read("\\documentclass{a}\\begin{document}\\section{A}x\\section{B}y").warnings == (
        "No title was found: the source has no \\title.",
        "No abstract was found.",
    )


@pytest.mark.parametrize(
    "source",
    [
        r"\begin{abstract} It is quiet. \end{abstract}",
        r"\abstract{It is quiet.}",
        r"\section*{Abstract} It is quiet.",
        r"\begin{abstract} It is quiet.",
    ],
)
def test_ways_to_write_an_abstract(source: str) -> None:
    text = f"\\documentclass{{a}}\\title{{T}}\\begin{{document}}{source}\\section{{S}} A text."
    found = read(text).document
    assert (found.abstract, found.sections) == ("It is quiet.", (Section("S", "A text."),))


def test_an_abstract_in_the_preamble() -> None:
    found = read(r"\documentclass{jss}\Abstract{It is quiet.}\Keywords{lids, seals}\begin{document}\section{S} A.")
    assert (found.document.abstract, found.document.keywords) == ("It is quiet.", ("lids", "seals"))


def test_text_above_the_first_section_is_the_abstract() -> None:
    opening = "Words " * 25
    found = read(f"\\documentclass{{a}}\\begin{{document}}{opening}\\section{{S}} A \\section{{U}} B").document
    assert found.abstract == opening.strip()
    found = read("\\documentclass{a}\\begin{document}width=2\\section{S} A \\section{U} B").document
    assert found.abstract == ""


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (r"\author{Ada Lind, Kurt G\"odel and Bo Ek}", ("Ada Lind", "Kurt Gödel", "Bo Ek")),
        (r"\author{Ada Lind} \affil{Lid Lab} \author[2]{Bo Ek}", ("Ada Lind", "Bo Ek")),
        (r"\author{Ada Lind \hspace{1cm} Bo Ek \qquad Kurt G\"odel}", ("Ada Lind", "Bo Ek", "Kurt Gödel")),
        (
            r"\author{Ada Lind,\\ Bo Ek\\ Lab, 12 Town \And C. D. van Fen\\ Town}",
            ("Ada Lind", "Bo Ek", "C. D. van Fen"),
        ),
        (
            "\\author{Ada Lind \\\\\nLid University \\\\\n\\texttt{a@b.c}\n\\and\nBo Ek \\\\\nLab of Lids \\\\\nTown}",
            ("Ada Lind", "Bo Ek"),
        ),
        ("\\author{Ada Lind \\\\\nLid Lab \\\\\n\\\\\nBo Ek \\\\\nLab}", ("Ada Lind", "Bo Ek")),
        (r"\author{\IEEEauthorblockN{Ada Lind} \IEEEauthorblockA{Lid Lab}}", ("Ada Lind",)),
        (r"\author{anonymous}", ()),
    ],
)
def test_authors(written: str, names: tuple[str, ...]) -> None:
    assert read(f"\\documentclass{{a}}\\title{{T}}{written}\\begin{{document}}A").document.authors == names


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (r"\newcommand{\sys}{Foo}\title{\sys: Fast Retrieval}", "Foo: Fast Retrieval"),
        (r"\def\sys{\textsc{Foo}\xspace}\title{\sys: Fast Retrieval}", "Foo: Fast Retrieval"),
        (r"\newcommand{\sys}{?}\title{\sys: Fast Retrieval}\renewcommand\sys{Foo}", "Foo: Fast Retrieval"),
        (r"\newcommand{\full}{\sys: Fast}\newcommand{\sys}{Foo}\title{\full\ Retrieval}", "Foo: Fast Retrieval"),
        (r"\title{Boiling of \texorpdfstring{$\mathrm{H_2O}$}{water} at sea}", "Boiling of water at sea"),
        (r"\title{Kettles}\subtitle{A \emph{quiet} study}", "Kettles: A quiet study"),
        (r"\subtitle{A study}\title{Kettles:}", "Kettles: A study"),
        (r"\iffalse\title{Old}\fi\title{Kettles}", "Kettles"),
        (r"\title{10 Simple Rules}", "10 Simple Rules"),
    ],
)
def test_ways_to_write_a_title(written: str, title: str) -> None:
    found = read(f"\\documentclass{{a}}{written}\\begin{{document}}\\section{{S}}kept").document
    assert (found.title, found.sections) == (title, (Section("S", "kept"),))
    found = read(f"\\documentclass{{a}}\\begin{{document}}{written}\\section{{S}}kept").document
    assert (found.title, found.sections) == (title, (Section("S", "kept"),))


def test_what_a_class_prints_beside_the_title_is_no_text() -> None:
    front = r"\title{Kettles}\ccsdesc[500]{Heat~Steam}\received{1 May 2020}\subtitle{}"
    found = read(f"\\documentclass{{acmart}}\\begin{{document}}{front}\\maketitle\\section{{S}}kept").document
    assert (found.title, found.sections) == ("Kettles", (Section("S", "kept"),))


def test_a_number_in_a_heading_is_its_own_unless_it_counts() -> None:
    found = read(r"\documentclass{a}\section{1 Lids}a\section{2 Pots}b\section{7 Ways}c\section{1984 Heat}d").document
    assert [section.title for section in found.sections] == ["Lids", "Pots", "7 Ways", "1984 Heat"]


def test_source_in_another_encoding() -> None:
    reading = read_bytes("\\documentclass{a} Café".encode("latin-1"), "a.tex")
    assert reading.document.sections[0].text == "Café" or reading.document.abstract == "Café"
    assert "It was read as Windows-1252" in reading.warnings[0]


def test_very_many_sections() -> None:
    with pytest.raises(InputTooLargeError, match=r"at most 5,000 sections in a\.tex, found 5,001"):
        read("\\documentclass{a}" + "\\section{A} b " * 6000)


def test_very_many_marks() -> None:
    said = r"at most 2,000,000 commands, braces and dollars in a\.tex, found 2,400,\d{3}\. Split it"
    with pytest.raises(InputTooLargeError, match=said):
        read("\\documentclass{a}" + "{}" * 1_200_000)


def test_plain_tex_is_known_without_its_name() -> None:
    found = read_text("\\magnification=1200\n\\centerline{\\bf Quiet Lids}\n\\bye")
    assert (found.format, found.document.title) == ("latex", "Quiet Lids")
    assert read_text("\\input amstex\n\\topmatter\\title Lids\\endtitle\\endtopmatter").document.title == "Lids"
    assert read_text("A text about \\centerline and \\bye.").format == "text"


def test_lines_of_a_title_page_that_are_left_out_are_named() -> None:
    page = r"\begin{titlepage}\centering{\Huge Lids}\\ Ada Lind\\ Lid University\end{titlepage}"
    found = read(f"\\documentclass{{a}}\\begin{{document}}{page}\\chapter{{One}}A\\chapter{{Two}}B")
    assert (found.document.title, found.document.authors) == ("Lids", ("Ada Lind",))
    assert "Lines about authors were left out of the text: Lid University." in found.warnings


def test_the_title_that_goes_into_a_pdf() -> None:
    found = read(r"\documentclass{a}\hypersetup{pdftitle={Quiet Lids}}\begin{document}A")
    assert found.document.title == "Quiet Lids"


PIECES = (
    "\\def\\a#1{#1#1}\\a{",
    "\\newcommand{\\x}[1]{#1#1}\\x{\\x{\\x{a}}}",
    "\\twocolumn[",
    "\\def\\a{\\b\\b}\\def\\b{\\c\\c}\\def\\c{\\a}\\a",
    "{\\Large a} ",
    "{\\bf 1. Lids}\n\n",
    "\\hskip 1pt",
    "\\author{a b\\\\",
    "\\begin{abstract}a",
    "\\IfNoValueTF{a}{b}{c}",
    "{",
    "}",
    "$",
    "$$",
    "\\",
    "\\\\",
    "\\(",
    "\\[",
    "\\begin{verbatim}",
    "\\end{a}",
    "\\cite[",
    "\\cite{",
    "%",
    "%\n",
    "\\verb|",
    "\\verb!a",
    "\\url{",
    "\\'",
    "\\item[",
    "[",
    "\\a [ ",
    "\\newcommand",
    "\\newcommand{\\a}",
    "\\def\\a",
    "<<a>>=\n",
    " \n",
    "$a\n",
    "\\begin",
    "(;\n",
    "\\title{a",
    "\\author{a}",
    "\\input{a}",
    "~",
    "`",
    "-",
    "a-\n",
    "\\newcommand{\\a}{\\a\\a}\\a",
    "\\newcommand{\\a}{" + "{a" * 400,
    "\\def\\a{" + "boil " * 190 + "}\\a\\a\\a",
    "\\iffalse",
    "\\iffalse\\ifa\\fi",
    "\\let\\a ",
)


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_source_costs_no_more_than_its_length(piece: str) -> None:
    assert seconds(piece * (200_000 // len(piece))) < 5  # 0.01 to 0.3 s; what grows with the square takes minutes


@pytest.mark.parametrize("piece", ["\\cite[", "\\newcommand{\\a}{\\a\\a}\\a", "$a\n"])
def test_two_megabytes_of_hostile_source(piece: str) -> None:
    assert seconds(piece * (2_000_000 // len(piece))) < 30  # 0.5 to 3 s


@pytest.mark.parametrize(
    "written",
    [
        r"\begin{keyword} graph networks \sep attention \sep deep learning \end{keyword}",
        r"\keywords{graph networks \and attention \and deep learning}",
    ],
)
def test_keywords_as_publishers_part_them(written: str) -> None:
    found = read(f"\\documentclass{{a}}\\begin{{document}}{written}\\section{{S}} A \\section{{U}} B").document
    assert found.keywords == ("graph networks", "attention", "deep learning")


def test_many_authors_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Budget] = []
    monkeypatch.setattr(Budget, "check", lambda self: looks.append(self))
    names = " \\and ".join(f"Ada Moor{'x' * (number % 9)}" for number in range(400))
    source = f"\\documentclass{{article}}\\title{{A}}\\author{{{names}}}\\begin{{document}}A.\\end{{document}}"
    assert len(read_bytes(source.encode(), "a.tex").document.authors) > 5 and len(looks) >= 400


@pytest.mark.parametrize(
    ("front", "body", "own", "other"),
    [
        (
            rf"\begin{{abstract}}{ENGLISH}\end{{abstract}}\begin{{otherlanguage}}{{ngerman}}\begin{{abstract}}{GERMAN}"
            r"\end{abstract}\end{otherlanguage}",
            rf"\section{{Introduction}}{ENGLISH_BODY}",
            ("en", ENGLISH),
            ("de", GERMAN),
        ),
        (
            rf"\selectlanguage{{english}}\begin{{abstract}}{ENGLISH}\end{{abstract}}\selectlanguage{{ngerman}}"
            rf"\begin{{abstract}}{GERMAN}\end{{abstract}}",
            rf"\section{{Einleitung}}{GERMAN_BODY}",
            ("de", GERMAN),
            ("en", ENGLISH),
        ),
        (
            rf"\begin{{abstract}}{ENGLISH}\end{{abstract}}\begin{{resumo}}{PORTUGUESE}\end{{resumo}}",
            rf"\section{{Introdução}}{PORTUGUESE_BODY}",
            ("pt", PORTUGUESE),
            ("en", ENGLISH),
        ),
        (
            rf"\begin{{abstract}}{ENGLISH}\end{{abstract}}\renewcommand{{\abstractname}}{{Zusammenfassung}}"
            rf"\begin{{abstract}}{GERMAN}\end{{abstract}}",
            "",
            ("en", ENGLISH),
            ("de", GERMAN),
        ),
    ],
)
def test_an_abstract_in_two_languages(front: str, body: str, own: tuple[str, str], other: tuple[str, str]) -> None:
    found = read(rf"\documentclass{{article}}\title{{Reefs}}\begin{{document}}\maketitle {front}{body}").document
    assert (found.language, found.abstract) == own
    assert found.translations == (Translation(other[0], abstract=other[1]),)


def test_notes_are_a_section_at_the_end() -> None:
    note = "\\%s{This %s says more about the kettles than their text does.}"
    kinds = {"footnote": "first", "footnotetext[2]": "second", "endnote": "third", "marginpar[]": "fourth"}
    found = read(
        "\\documentclass{a}\\title{Lids\\thanks{Paid by the lid fund of the old town and its port.}}\\author{Ada Lind}"
        "\\begin{document}\\maketitle\\begin{abstract}We boil."
        "\\footnote{In the year of the flood we boiled no kettle at all.}"
        "\\end{abstract}\\section{One\\footnote{Paid by the lid fund of the old town and its port.}}Tea."
        + "".join(note % one for one in kinds.items())
        + "\\footnote{See \\cite{a}.} Hot.\\todo{Ask Bo whether all of the kettles were hot on that day.}"
        "\\begin{thebibliography}{9}\\bibitem{a} Ek, 1999.\\end{thebibliography}\\end{document}"
    )
    assert found.warnings == ("Left out of the text: 1 to-do note.",)
    assert found.document.abstract == "We boil."
    assert [one.title for one in found.document.sections] == ["One", "Notes", "References"]
    assert found.document.sections[0].text == "Tea. Hot."
    assert found.document.sections[1].text.split("\n\n") == [
        "In the year of the flood we boiled no kettle at all.",
        *(f"This {one} says more about the kettles than their text does." for one in kinds.values()),
    ]


def test_a_table_within_a_table_counts_once() -> None:
    table = "\\begin{tabular}{l}\\begin{tabular}{l}1\\end{tabular}\\end{tabular}"
    found = read("\\documentclass{a}\\begin{document}\\section{A}x" + table + table)
    assert found.warnings[-1] == "Left out of the text: 2 tables. Captions are read."


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"one % two {" + "\nthree", "one three"),
        ("one\n% two\nthree\n\nfour%\n\nfive", "one three\n\nfour\n\nfive"),
        (r"5\% and 10\,km of $5\%$ % gone", "5% and 10 km of $5\\%$"),
        (r"\begin{comment} gone \end{comment}kept", "kept"),
        (r"\verb+a\b{c}+ and \verb*!d!", "a\\b{c} and d"),
        (r"\lstinline|a % b| \lstinline[language=C]!c % d! \lstinline{e % {f}} on", "a % b c % d e % {f} on"),
        (
            r"\mintinline{c}{g % h} \mintinline[x=y]{c}|i % j| \Verb[x=y]#k % l# \pyth{m % n} on",
            "g % h i % j k % l m % n on",
        ),
        (r"\verb|--help ``a''| \verb$a % b$ on", "--help ``a'' a % b on"),
        (r"\newcommand{\show}{\lstinline[language=C]}\def\same{\verb}\show|a % b| \same+c % d+ on", "a % b c % d on"),
        (r"\newmintinline{java}{}\newmintinline[cc]{c}{}\javainline|a % b| \cc{c % d} on", "a % b c % d on"),
        (r"\NewDocumentCommand{\code}{v}{\texttt{#1}}\code{a % b} \code|c % d| on", "a % b c % d on"),
        (r"\newcommand{\java}[1]{\mintinline{java}{#1}}\java{a b} on % gone", "a b on"),
        ("\\MakeShortVerb{\\|}|a % b| on", "a % b on"),
        (
            r"\url{http://a.b/c%20d} \url{a\%b_c} \path|C:\x%y| \nolinkurl{d%e} on",
            r"http://a.b/c%20d a%b_c C:\x%y d%e on",
        ),
        ("<<echo=FALSE>>=\nplot(x)\n@\nkept", "kept"),
        ("<<never ended>>=\nkept", "<<never ended>>= kept"),
        (r"\begin{verbatim} kept", "kept"),
        (r"\iffalse gone \fi kept", "kept"),
        (r"\iffalse gone \ifx\a\b too \else too \fi gone \else kept \fi all", "kept all"),
        (r"\if0 gone \section{Gone} \fi kept", "kept"),
        (r"\if0\blind kept \fi all", "0 kept all"),
        (r"\let\ifdraft\iffalse \newif\ifnotes kept \ifnotes all \fi", "kept all"),
        (r"\iffalse gone \ifunknown{a}{b} gone \fi kept \iffalse gone \fi all", "kept all"),
        (r"\iffalse kept", "kept"),
        (r"\twocolumn[{\bf kept} \cite[1]{a} too] all", "kept too all"),
        (r"\twocolumn[kept", "[kept"),
        ('\\input{a}\\usepackage[ngerman]{babel}F"ur "`gro"se"\' \\"uber', "Für „große“ über"),
        ('He said "so" and "aha"', 'He said "so" and "aha"'),
    ],
)
def test_what_is_no_text_is_left_out(written: str, expected: str) -> None:
    assert body(written) == expected


def test_what_an_author_has_switched_off_is_no_text() -> None:
    source = (
        r"\documentclass{a}\newcommand{\todo}[1]{}\long\def\hide#1{}\newcommand{\both}[2][x]{}\newcommand{\em}[1]{#1}"
        "\n\\title{A Study\\tnoteref{t1}}\\begin{document}\\section{One}Good.\\todo{Ask {Bob}.} Fine.\\hide{hidden}"
        "\\both[a]{gone} End.\n\\begin{subfigure}[b]{0.45\\textwidth}Left\\end{subfigure}"
        "\\section{Two}More.\\end{document}"
    )
    found = read(source).document
    assert found.title == "A Study"
    text = found.sections[0].text
    assert "Bob" not in text and "hidden" not in text and "gone" not in text and "0.45" not in text
    assert text.split() == "Good. Fine. End. Left".split()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\newcommand{\x}[2][y]{#1 #2} \renewcommand\z{w} \x kept \x[z]{too}", "y kept z too"),
        (r"\def\x#1{\x{\x{#1}}} \x{kept}", "kept"),
        (r"\newcommand{\sys}{Foo}\sys is \sys{}, \textbf\sys.", "Foo is Foo, Foo."),
        (r"\def\sys{Foo\xspace}\sys is", "Foo is"),
        (r"\newcommand*\a{\b\ and \b}\newcommand{\b}{c}\a", "c and c"),
        (r"\newcommand{\a}{old}\renewcommand{\a}{new}\providecommand{\a}{none}\a", "new"),
        (r"\newcommand{\a}{old}\renewcommand{\a}[1]{new}\a{gone}", "new"),
        (r"\def\be{\begin{equation}}\def\ee{\end{equation}}one \be x \ee two", "one two"),
        (r"\newcommand{\R}{\mathbb{R}}in $\R^2$", r"in $\mathbb{R}^2$"),
        (r"\newcommand{\one}{\two}\newcommand{\two}{\one}\one\two kept", "kept"),
        (r"\renewcommand{\item}{gone}\begin{itemize}\item kept\end{itemize}", "- kept"),
        (r"\newcommand{\p}[2][of]{#2 #1}\p{lids} \p[and]{pots}", "lids of pots and"),
        (r"\def\p#1.#2{#1 and #2}\p lids.{pots}", "lids and pots"),
        (
            r"\NewDocumentCommand{\p}{s o m}{\IfBooleanTF{#1}{star}{none} \IfNoValueF{#2}{#2} #3}\p{a} \p*[b]{c}",
            "none a star b c",
        ),
        (r"\def\p#1\par{(#1)} \p lids \par kept", "(lids) kept"),
        (r"\let\p\textbf \p{kept}", "kept"),
        (r"\newenvironment{lid}[1]{\textit{#1}:}{!}\begin{lid}{Pot}boils\end{lid}", "Pot:boils!"),
        (r"\newcommand{\p}[1]{(#1)}\p{\p{\p{x}}}", "(((x)))"),
        (r"\newcommand{\n}[1]{\lVert #1\rVert}$\n x$", r"$\lVert x\rVert$"),
        (r"\newcommand{\p}[1]{\q{#1}}\newcommand{\q}[1]{[#1]}\p{x} \p{never closed", "[x] never closed"),
        (r"\newcommand{\a}{x \bfseries}\newcommand{\b}{y}\a\b", "x y"),
    ],
)
def test_macros_stand_for_their_text(written: str, expected: str) -> None:
    assert body(written) == expected


def test_macros_that_double_at_each_step_are_not_put_in() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    doubling = "".join(f"\\newcommand{{\\x{a}}}{{\\x{b}\\x{b}}}" for a, b in pairwise(names))
    text = body(doubling + "\\newcommand{\\xz}{boil }\\xa kept \\xy")
    assert text.endswith("kept boil boil")
    assert len(text) < 2000
    assert seconds(doubling * 1000 + "\\newcommand{\\xz}{boil }" + "\\xy" * 100_000) < 10  # 1.5 s


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"a\\[2pt]b", "a b"),
        (r"\cite{a}, \parencite[see][3]{b}. (\cite{c}) f()", ",. f()"),
        (r"$$x$$ stays, \[ y \] goes", "$$x$$ stays, goes"),
        (r"\begin{align*} a &= b \\ {c \end{align*} kept", "kept"),
        (r"\begin{tikzpicture}[x=1]\draw (0,0);\end{tikzpicture}kept", "kept"),
        (r"\begin{theorem}[Lid] It is \textbf{quiet}. \end{theorem}", "It is quiet."),
        (r"\parindent=0pt\vskip 1cm plus 2pt \hskip-.5em kept\kern1pt \textwidth=16cm too", "kept too"),
        (r"\font\big=cmbx12 scaled \magstep1 \catcode`\@=11 \hrule height 1pt kept", "kept"),
        (r"\ensuremath{x_1} and $\alpha$", r"$x_1$ and $\alpha$"),
        (r"\paragraph[A {\bf {very} short}]{S} kept", "S. kept"),
        (r"\bfseries {\bf kept} \textsc{too}", "kept too"),
        (r"{\setlength{\parindent}{0pt} kept}", "kept"),
        ("costs $5 and\n\nmore", "costs $5 and\n\nmore"),
        (r"stray } and \end{lemma} kept", "stray and\n\nkept"),
        ("one\n\\label{a}\ntwo\n\\[ x \\]\nthree", "one two three"),
        (r"kept \begin{lemma}\paragraph{too \end{lemma} and}", "kept\n\ntoo.\n\nand"),
    ],
)
def test_source_into_text(written: str, expected: str) -> None:
    assert body(written) == expected


def test_braces_without_end() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected braces nested at most 200 deep in a\.tex; they go deeper"):
        read("\\documentclass{a}" + "{" * 300)
    assert body("\\todo{" + "{" * 300 + "}" * 300 + "} kept") == "kept"


def test_a_heading_that_is_never_closed() -> None:
    found = read(r"\documentclass{a}\begin{lemma}\section{Method \end{lemma} A lid.").document
    assert found.sections == (Section("Method", "A lid."),)


def test_the_parts_of_an_abstract() -> None:
    text = f"Abstract: It boils.\n\n{HEADING}2. Results.\n\nIt is quiet.\n\nKeywords: lids, pots"
    abstract, keywords = parts_of_abstract(text)
    assert (abstract.role, abstract.text) == ("abstract", "It boils.\n\nResults: It is quiet.")
    assert (keywords.role, keywords.text) == ("keywords", "lids, pots")
    assert list(parts_of_abstract(" ")) == []


def test_a_note_in_a_title_is_left_out() -> None:
    assert title_line(f"Lids {BEGIN_OF_SMALL}A note{END_OF_SMALL} at sea") == "Lids at sea"
    assert title_line(f"{BEGIN_OF_SMALL}Lids") == "Lids"
    assert is_mark("$^{*}$") and is_mark(r"$^\dagger$") and not is_mark("$x^2$")


def test_keywords_between_dashes() -> None:
    assert part_keywords("lids \u2013 pots \u2014 seals") == "lids; pots; seals"
    assert part_keywords("non \u2013 linear, lids") == "non \u2013 linear, lids"


def test_the_style_after_a_command() -> None:
    bold = style_after(NORMAL, "bf", {})
    assert bold == NORMAL | BOLD
    assert style_after(bold, "rm", {}) == NORMAL
    assert style_after(NORMAL, "centering", {}) == NORMAL | CENTRED
    assert style_after(NORMAL, "lid", {}) is None
    small = style_after(NORMAL, "small", {})
    assert small is not None and is_small(small) and not is_small(NORMAL)


def test_fonts_of_plain_tex() -> None:
    fonts = fonts_of(
        r"\font\big=cmbx12 scaled \magstep2 \font\it=cmti10 \font\tiny cmr5 at 5.5pt \font\odd=cmr scaled 2000"
    )
    assert fonts["big"] & BOLD and fonts["big"] >= resize(0, 17) > NORMAL
    assert fonts["it"] & ~resize(0, 99) and is_small(fonts["tiny"]) and fonts["odd"] >= resize(0, 20)
    assert style_after(NORMAL, "big", fonts) == fonts["big"]
    assert resize(NORMAL, "many") == NORMAL


def test_lines_of_marked_text() -> None:
    large = resize(0, 20) | BOLD
    text = f"{mark(large)}Lids{mark(NORMAL)}{LINE}Ada{mark(NORMAL | RAISED)}1{mark(NORMAL)} Lind$^2$\n\nText"
    title, names, rest = lines_of(text)
    assert (title.plain, title.is_bold, title.size > USUAL, title.apart) == ("Lids", True, True, True)
    assert (names.plain, names.signed, names.apart) == ("Ada1 Lind$^2$", f"Ada{NOTE} Lind{NOTE}", False)
    assert (rest.text, rest.apart, rest.has(BOLD)) == ("Text", True, False)
    assert without_marks(text).startswith("Lids")
