"""An author's macros are put in where they are used."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.reading.latex.sources import body, seconds


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
