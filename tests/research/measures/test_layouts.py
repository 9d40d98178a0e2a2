"""The report on layouts, on papers that need no LaTeX."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.measures import layouts
from engine.research.typesetting.known_papers import KnownPaper
from engine.research.typesetting.other_readers import OtherReader
from tests.reading.pdf.papers import one_column
from tests.research.typesetting.test_marks import PAPER


def set_papers(papers: Sequence[KnownPaper], layout: str, folder: Path) -> list[Path]:
    made = folder / f"{layout}.pdf"
    made.write_bytes(one_column().data())
    return [made for _ in papers]


def test_the_command_measures_prints_and_saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    others = {"same": OtherReader(lambda data: PAPER.body, module="json"), "absent": OtherReader(repr, module="absent")}
    monkeypatch.setattr(layouts, "OTHER_READERS", others)
    monkeypatch.setattr(layouts, "set_papers", set_papers)
    monkeypatch.setattr(layouts, "_papers", lambda folder, count: iter([PAPER] * count))
    monkeypatch.setattr(layouts.shutil, "which", lambda name: name)
    saved = tmp_path / "layouts.json"
    layouts.main(["--data", str(tmp_path), "--papers", "12", "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]) == set(layouts.LAYOUTS) and report["missing"] == ["absent"]
    assert all(of["same"]["words"] == 1 and of["priorscope"]["title"] == 0 for of in report["figures"].values())
    printed = capsys.readouterr().out
    assert "2 of each layout" in printed and "left out, as they are not installed: absent" in printed
    assert printed.count("(held out)") == 2 * len(report["held out"]) == 4


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EvaluationError, match=r"Expected layouts among ieee-conference, .*; got cuneiform\."):
        layouts.main(["--data", str(tmp_path), "--layouts", "cuneiform"])
    monkeypatch.setattr(layouts.shutil, "which", lambda name: None)
    with pytest.raises(EvaluationError, match=r"Expected soffice to set the papers, found none\. Install libreoffice"):
        layouts.main(["--data", str(tmp_path), "--layouts", "two-columns"])
    monkeypatch.setattr(layouts.shutil, "which", lambda name: name)
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*pmc-long, found none\. Give the folder"):
        layouts.main(["--data", str(tmp_path)])
