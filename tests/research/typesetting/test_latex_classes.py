"""Papers in LaTeX; LaTeX itself is not needed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.reading import read_text
from engine.research.typesetting import latex_classes
from engine.research.typesetting.latex_classes import CLASSES, set_by_latex
from tests.research.measures.test_layouts import PAPER


@pytest.mark.parametrize("name", CLASSES)
def test_a_source_holds_all_parts(name: str) -> None:
    source = CLASSES[name](PAPER)
    document = read_text(source).document
    assert document.title == PAPER.title and PAPER.abstract in document.abstract
    assert [one.title for one in document.sections][:2] == ["Introduction", "Sites"]  # "Methods" has no text of its own
    assert all(author.name in source for author in PAPER.authors)


def test_signs_are_written_so_that_latex_prints_them() -> None:
    assert latex_classes._tex("5 % of a_b & \u201cc\u201d \u2013 <d>") == (
        r"5 \% of a\_b \& ``c'' -- \ensuremath{<}d\ensuremath{>}"
    )


def test_an_error_of_latex_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"This is pdfTeX\n! LaTeX Error: File `llncs.cls' not found.\n", b"")
    monkeypatch.setattr(latex_classes.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"Expected pdflatex to set one\.tex, it said: ! LaTeX Error: File"):
        set_by_latex([PAPER], CLASSES["lecture-notes"], tmp_path)
