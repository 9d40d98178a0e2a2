"""Papers as DOCX; LibreOffice itself is not needed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.reading import read_bytes
from engine.research.typesetting import word_styles
from engine.research.typesetting.word_styles import STYLES, set_by_libreoffice
from tests.research.measures.test_layouts import PAPER


@pytest.mark.parametrize("name", STYLES)
def test_a_file_holds_all_parts(name: str) -> None:
    document = read_bytes(STYLES[name](PAPER), "paper.docx").document
    text = " ".join([document.title, document.abstract, *(f"{one.title} {one.text}" for one in document.sections)])
    assert all(part in text for part in ("Pools are wet.", "Methods", "We went there twice.", PAPER.abstract))


def test_an_error_of_libreoffice_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"", b"no display")
    monkeypatch.setattr(word_styles.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"Expected soffice to set one\.pdf, it said: no display\. Install"):
        set_by_libreoffice([PAPER], STYLES["two-columns"], tmp_path)
