"""Pages drawn from known text, and how many of their words come out right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.reading.pdf.rapidocr import RapidOcr
from engine.reading.pdf.recognition import ENGINES
from engine.reading.pdf.tesseract import Tesseract
from engine.research.measures import recognition

WORDS = "reefs move slowly and nobody has looked at them for long enough to say how far they go in a year of calm"


@pytest.mark.parametrize("columns", [1, 2])
def test_a_page_holds_what_it_says(columns: int) -> None:
    page = recognition.drawn(" ".join([WORDS] * 200), columns=columns)
    assert page.picture.size == (2480, 3508)
    assert 400 < len(page.words) < 22 * 200  # a page of a long text
    assert page.words[:3] == ["reefs", "move", "slowly"]
    worn = recognition.worn(page)
    assert worn.words == page.words and worn.picture.size == page.picture.size
    assert worn.picture.tobytes() != page.picture.tobytes()


def test_a_drawn_page_is_read() -> None:
    page = recognition.drawn(WORDS, columns=2)
    for name, engine in ENGINES.items():
        if engine.is_installed():
            read = recognition.read_here(name, [page])
            assert recognition.right_words(page.words, recognition._tokens(read)) > 0.9


def test_words_count_in_their_order() -> None:
    assert recognition.right_words(["a", "b", "c", "d"], ["a", "x", "c", "d"]) == 0.75
    assert recognition.right_words(["a", "b"], ["b", "a"]) == 0.5
    assert recognition.right_words([], ["b"]) == 0


def test_the_command_measures_prints_and_saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(recognition, "_texts", lambda folder, count: iter([WORDS] * count))
    monkeypatch.setattr(
        recognition, "read_here", lambda engine, pages: " ".join(word for page in pages for word in page.words)
    )
    monkeypatch.setattr(RapidOcr, "is_installed", lambda: True)
    monkeypatch.setattr(Tesseract, "is_installed", lambda: False)
    recognition.main(["--data", str(tmp_path), "--pages", "1", "--save", str(tmp_path / "scans.json")])
    report = json.loads((tmp_path / "scans.json").read_text())
    assert set(report["figures"]) == {
        f"{how}, {many}" for how in ("clean", "skewed and noisy") for many in ("one column", "two columns")
    }
    assert all(one["priorscope, rapidocr"]["words right"] == 1 for one in report["figures"].values())
    assert "words right" in capsys.readouterr().out


def test_a_folder_without_papers_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*pmc-long, found none\. Give the folder"):
        recognition.main(["--data", str(tmp_path)])
