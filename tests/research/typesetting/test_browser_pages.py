"""Papers as web pages; Chromium itself is not needed."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.reading import read_bytes
from engine.research.typesetting import browser_pages
from engine.research.typesetting.browser_pages import printed, web_page
from tests.research.typesetting.test_marks import PAPER


def test_a_page_is_read_with_its_list() -> None:
    paper = replace(PAPER, references=("Davis T. Direct <methods>. SIAM 2006.", "Duff I. Sparse matrices. 1986."))
    document = read_bytes(web_page(paper, numbered=True, columns=2).encode(), "paper.html").document
    (listed,) = (one.text for one in document.sections if one.role == "references")
    assert document.title == PAPER.title
    assert "[1] Davis T. Direct <methods>." in listed and "[2] Duff" in listed


def test_a_missing_chromium_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_pages.shutil, "which", lambda _: None)
    with pytest.raises(EvaluationError, match="Expected Chromium to print papers, found none"):
        printed(["<p>"], tmp_path)


def test_an_error_of_chromium_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"", b"no display")
    monkeypatch.setattr(browser_pages.shutil, "which", lambda name: name)
    monkeypatch.setattr(browser_pages.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"print page-0\.html, it said: no display"):
        printed(["<p>"], tmp_path)
