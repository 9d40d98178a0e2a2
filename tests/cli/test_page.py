"""`priorscope page`, as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.cli.main import main
from tests.browser.tiny_pdf import tiny_pdf

Run = Callable[..., str]
WORDS = "A seal keeps both away from the gear"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command beside a PDF; `{pdf}` in a word is its path."""
    (tmp_path / "a.pdf").write_bytes(tiny_pdf())

    def run(*words: str, code: int = 0) -> str:
        given = [word.format(pdf=tmp_path / "a.pdf", out=tmp_path / "x.png") for word in words]
        assert main([*given, "--library", str(tmp_path / "library")]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    return run


def test_a_files_passage_is_found_and_its_page_written(run: Run, tmp_path: Path) -> None:
    told = run("page", "{pdf}", "--text", WORDS, "--out", "{out}")
    assert "page 1 of 1\nThe passage stands on 2 lines of page 1." in told
    with Image.open(tmp_path / "x.png") as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    assert pixels.shape == (1684, 1190, 3)
    assert (pixels[:, :, 0] - pixels[:, :, 2] > 100).any()  # the tint


def test_places_are_told_in_points_and_in_shares_of_the_page(run: Run) -> None:
    found = json.loads(run("page", "{pdf}", "--text", WORDS, "--json"))
    assert (found["page"], found["pages"], found["width"], found["height"]) == (1, 1, 595, 842)
    first = found["lines"][0]
    left, bottom, right, top = first["points"]
    assert first["shares"] == pytest.approx([left / 595, 1 - top / 842, right / 595, 1 - bottom / 842], abs=1e-3)
    assert found["passage"] == {"section": "Introduction", "text": WORDS}
    assert found["out"] is None


def test_a_document_of_the_library_is_shown_from_its_copy(run: Run, tmp_path: Path) -> None:
    run("import", "{pdf}", "--encoder", "tfidf")
    (tmp_path / "a.pdf").unlink()
    (tmp_path / "query.txt").write_text("Turbines driven by the tide stand in salt water and sand.")
    (hit,) = json.loads(run("search", str(tmp_path / "query.txt"), "--encoder", "tfidf", "--json"))["hits"]
    at = hit["passage"]["document_at"]
    place = f"{at['part']}:{at['start']}:{at['stop']}"
    found = json.loads(run("page", hit["id"], "--passage", place, "--json"))
    assert found["passage"]["text"] == hit["passage"]["document"]
    assert found["lines"]


def test_a_page_is_shown_without_a_passage(run: Run) -> None:
    assert run("page", "{pdf}", "--page", "1", "--scale", "0.5", "--out", "{out}").startswith("Tidal turbines")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--page", "9"), "Expected a page from 1 to 1 of a.pdf, got 9"),
        (("--scale", "99"), "Expected a scale from 0.1 to 8"),
        (("--text", "no such words"), "which it does not hold in this order"),
        (("--passage", "1:2"), "Expected a place such as 2:0:120"),
        (("--passage", "99:0:5"), "Expected a place such as 2:0:120"),
        (("--passage", "1:5:99999"), "Expected a place such as 2:0:120"),
    ],
)
def test_what_the_file_does_not_have_is_refused(run: Run, words: tuple[str, ...], told: str) -> None:
    assert told in run("page", "{pdf}", *words, code=2)


def test_a_document_without_a_pdf_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kites\n\nKites fly in the wind.\n")
    assert "no copy of one is kept" in run("page", str(tmp_path / "a.md"), code=2)
