from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from engine.documents import Section
from engine.errors import InputTooLargeError, MalformedFileError, TextEncodingError
from engine.readers import Reading, iter_documents, read_bytes, read_file, read_text

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


def read(text: str) -> Reading:
    return read_bytes(text.encode(), "a.tex")


def body(text: str) -> str:
    """The text of one section that holds some source."""
    return (
        read(f"\\documentclass{{a}}\\title{{T}}\\begin{{document}}\\section{{S}}\n{text}\n\\end{{document}}")
        .document.sections[0]
        .text
    )


def test_a_paper() -> None:
    reading = read(PAPER)
    document = reading.document
    assert (reading.format, reading.warnings) == ("latex", ())
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
    ("written", "expected"),
    [
        (r"one % two {" + "\nthree", "one three"),
        ("one\n% two\nthree\n\nfour%\n\nfive", "one three\n\nfour\n\nfive"),
        (r"5\% and 10\,km of $5\%$ % gone", "5% and 10 km of $5\\%$"),
        (r"a\\[2pt]b", "a b"),
        (r"\cite{a}, \parencite[see][3]{b}. (\cite{c}) f()", ",. f()"),
        (r"$$x$$ stays, \[ y \] goes", "$$x$$ stays, goes"),
        (r"\begin{align*} a &= b \\ {c \end{align*} kept", "kept"),
        (r"\begin{tikzpicture}[x=1]\draw (0,0);\end{tikzpicture}kept", "kept"),
        (r"\begin{theorem}[Lid] It is \textbf{quiet}. \end{theorem}", "It is quiet."),
        (r"\begin{comment} gone \end{comment}kept", "kept"),
        (r"\newcommand{\x}[2][y]{#1 } \renewcommand\z{w} \x kept", "kept"),
        (r"\def\x#1{\x{\x{#1}}} \x{kept}", "kept"),
        (r"\bfseries {\bf kept} \textsc{too}", "kept too"),
        (r"{\setlength{\parindent}{0pt} kept}", "kept"),
        ("costs $5 and\n\nmore", "costs $5 and\n\nmore"),
        (r"\verb+a\b{c}+ and \verb*!d!", "a\\b{c} and d"),
        ("<<echo=FALSE>>=\nplot(x)\n@\nkept", "kept"),
        ("<<never ended>>=\nkept", "<<never ended>>= kept"),
        (r"stray } and \end{lemma} kept", "stray and\n\nkept"),
        ("one\n\\label{a}\ntwo\n\\[ x \\]\nthree", "one two three"),
        (r"\begin{verbatim} kept", "kept"),
        (r"\newcommand{\sys}{Foo}\sys is \sys{}, \textbf\sys.", "Foo is Foo, Foo."),
        (r"\def\sys{Foo\xspace}\sys is", "Foo is"),
        (r"\newcommand*\a{\b\ and \b}\newcommand{\b}{c}\a", "c and c"),
        (r"\newcommand{\a}{old}\renewcommand{\a}{new}\providecommand{\a}{none}\a", "new"),
        (r"\newcommand{\a}{old}\renewcommand{\a}[1]{new}\a{kept}", "kept"),
        (r"\def\be{\begin{equation}}\def\ee{\end{equation}}one \be x \ee two", "one two"),
        (r"\newcommand{\R}{\mathbb{R}}in $\R^2$", r"in $\mathbb{R}^2$"),
        (r"\newcommand{\one}{\two}\newcommand{\two}{\one}\one\two kept", "kept"),
        (r"\renewcommand{\item}{gone}\begin{itemize}\item kept\end{itemize}", "- kept"),
        (r"\newcommand{\a}{x \bfseries}\newcommand{\b}{y}\a\b", "x y"),
        (r"\iffalse gone \fi kept", "kept"),
        (r"\iffalse gone \ifx\a\b too \else too \fi gone \else kept \fi all", "kept all"),
        (r"\if0 gone \section{Gone} \fi kept", "kept"),
        (r"\if0\blind kept \fi all", "0kept all"),
        (r"\let\ifdraft\iffalse \newif\ifnotes kept \ifnotes all \fi", "kept all"),
        (r"\iffalse gone \ifunknown{a}{b} gone \fi kept \iffalse gone \fi all", "kept all"),
        (r"\iffalse kept", "kept"),
        (r"kept \begin{lemma}\paragraph{too \end{lemma} and}", "kept\n\ntoo.\n\nand"),
    ],
)
def test_source_into_text(written: str, expected: str) -> None:
    assert body(written) == expected


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


def test_macros_that_double_at_each_step_are_not_put_in() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    doubling = "".join(f"\\newcommand{{\\x{a}}}{{\\x{b}\\x{b}}}" for a, b in pairwise(names))
    text = body(doubling + "\\newcommand{\\xz}{boil }\\xa kept \\xy")
    assert text.endswith("kept boil boil")
    assert len(text) < 2000
    assert seconds(doubling * 1000 + "\\newcommand{\\xz}{boil }" + "\\xy" * 100_000) < 10  # 1.5 s


def test_source_in_another_encoding() -> None:
    with pytest.raises(TextEncodingError, match="iconv -f LATIN1 -t UTF-8"):
        read_bytes("\\documentclass{a} Café".encode("latin-1"), "a.tex")


def test_braces_without_end() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected braces nested at most 200 deep in a\.tex; they go deeper"):
        read("\\documentclass{a}" + "{" * 300)
    assert body("\\footnote{" + "{" * 300 + "}" * 300 + "} kept") == "kept"


def test_a_heading_that_is_never_closed() -> None:
    found = read(r"\documentclass{a}\begin{lemma}\section{Method \end{lemma} A lid.").document
    assert found.sections == (Section("Method", "A lid."),)


def test_very_many_sections() -> None:
    with pytest.raises(InputTooLargeError, match=r"at most 5,000 sections in a\.tex, found 6,000"):
        read("\\documentclass{a}" + "\\section{A} b " * 6000)


PIECES = (
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


def seconds(text: str) -> float:
    """How long it takes to read or to refuse some source."""
    begun = time.process_time()
    try:
        read(f"\\documentclass{{a}}\\begin{{document}}{text}")
    except (MalformedFileError, InputTooLargeError):
        pass
    return time.process_time() - begun


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_source_costs_no_more_than_its_length(piece: str) -> None:
    assert seconds(piece * (200_000 // len(piece))) < 5  # 0.01 to 0.3 s; what grows with the square takes minutes


@pytest.mark.parametrize("piece", ["\\cite[", "\\newcommand{\\a}{\\a\\a}\\a", "$a\n"])
def test_two_megabytes_of_hostile_source(piece: str) -> None:
    assert seconds(piece * (2_000_000 // len(piece))) < 30  # 0.5 to 3 s


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
    "written",
    [
        r"\begin{keyword} graph networks \sep attention \sep deep learning \end{keyword}",
        r"\keywords{graph networks \and attention \and deep learning}",
    ],
)
def test_keywords_as_publishers_part_them(written: str) -> None:
    found = read(f"\\documentclass{{a}}\\begin{{document}}{written}\\section{{S}} A \\section{{U}} B").document
    assert found.keywords == ("graph networks", "attention", "deep learning")
