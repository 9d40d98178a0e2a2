"""TeX's commands and braces become plain text."""

from __future__ import annotations

import pytest

from engine.documents import Section
from engine.errors import MalformedFileError
from tests.readers.latex.sources import body, read


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"a\\[2pt]b", "a b"),
        (r"\cite{a}, \parencite[see][3]{b}. (\cite{c}) f()", ",. f()"),
        (r"$$x$$ stays, \[ y \] goes", "$$x$$ stays, goes"),
        (r"\begin{align*} a &= b \\ {c \end{align*} kept", "kept"),
        (r"\begin{tikzpicture}[x=1]\draw (0,0);\end{tikzpicture}kept", "kept"),
        (r"\begin{theorem}[Lid] It is \textbf{quiet}. \end{theorem}", "It is quiet."),
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
    assert body("\\footnote{" + "{" * 300 + "}" * 300 + "} kept") == "kept"


def test_a_heading_that_is_never_closed() -> None:
    found = read(r"\documentclass{a}\begin{lemma}\section{Method \end{lemma} A lid.").document
    assert found.sections == (Section("Method", "A lid."),)
