"""TeX's commands and braces become plain text."""

from __future__ import annotations

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Section
from tests.reading.latex.sources import body, read


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
