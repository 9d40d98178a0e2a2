from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError
from engine.documents import Section, Translation
from engine.reading.dispatch import iter_documents, read_bytes, read_file, read_text
from engine.reading.limits import Budget
from tests.reading.abstracts import ENGLISH, ENGLISH_BODY, GERMAN, GERMAN_BODY, PORTUGUESE, PORTUGUESE_BODY
from tests.reading.latex.sources import read, seconds

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
