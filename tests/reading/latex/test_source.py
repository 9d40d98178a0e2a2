"""LaTeX source without comments, programs and what is switched off, an author's macros put in where they are used."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.reading.latex.sources import body, read, seconds


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"one % two {" + "\nthree", "one three"),
        ("one\n% two\nthree\n\nfour%\n\nfive", "one three\n\nfour\n\nfive"),
        (r"5\% and 10\,km of $5\%$ % gone", "5% and 10 km of $5\\%$"),
        (r"\begin{comment} gone \end{comment}kept", "kept"),
        (r"\verb+a\b{c}+ and \verb*!d!", "a\\b{c} and d"),
        ("<<echo=FALSE>>=\nplot(x)\n@\nkept", "kept"),
        ("<<never ended>>=\nkept", "<<never ended>>= kept"),
        (r"\begin{verbatim} kept", "kept"),
        (r"\iffalse gone \fi kept", "kept"),
        (r"\iffalse gone \ifx\a\b too \else too \fi gone \else kept \fi all", "kept all"),
        (r"\if0 gone \section{Gone} \fi kept", "kept"),
        (r"\if0\blind kept \fi all", "0kept all"),
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
