"""What is no text in LaTeX source: comments, programs, what is switched off."""

from __future__ import annotations

import pytest

from tests.reading.latex.sources import body, read


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
