"""Each figure of a text is the cell of the report that it comes from."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.errors import ConfigError, EvaluationError
from engine.research.measures import figures

README = figures.PROJECT / "README.md"
MEASURED = re.compile(r"(?<![\w./-])(?:\d*\.\d+(?!\w|\.\d)|\d[\d,.]*(?= (?:%|s|ms|seconds|minutes)\b))")
UNTIED = {
    "engine/research/README.md": 94,
    "pretrained/README.md": 94,
    "pretrained/blend/README.md": 38,
    "pretrained/blend-large/README.md": 13,
    "pretrained/cdssm/README.md": 22,
    "pretrained/colde/README.md": 193,
    "pretrained/ctpe/README.md": 80,
    "pretrained/judge/README.md": 7,
    "pretrained/keyvec/README.md": 30,
    "pretrained/student/README.md": 78,
    "pretrained/student-large/README.md": 3,
    "pretrained/student-passages/README.md": 62,
}
"""How many goals, settings and figures of trials that no report holds each text has; may only grow fewer."""
SOURCES = """
[["text.md".tables]]
head = "| nDCG@10 / P@20 |"
metrics = ["nDCG@10", "P@20"]
["text.md".tables.rows]
"ours" = "COLUMN: rows.ours.METRIC"

[["text.md".sentences]]
says = "in {} s, {} % of {} documents"
of = ["a: speed.ms over 1000", "a: share", "a: documents"]
"""
TEXT = """# Text

| nDCG@10 / P@20 | a | b |
|---|---|---|
| theirs | .111 / .222 | |
| ours | .123 / **0.20** | |

Read in 1.5 s, 64 %
of 12,345 documents.
"""
REPORT = {"rows": {"ours": {"nDCG@10": 0.1234, "P@20": 0.2}}, "speed": {"ms": 1490}, "share": 0.64, "documents": 12345}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project of one text and one report."""
    monkeypatch.setattr(figures, "PROJECT", tmp_path)
    monkeypatch.setattr(figures, "REPORTS", tmp_path)
    monkeypatch.setattr(figures, "SOURCES", tmp_path / "figures.toml")
    figures._report.cache_clear()
    for name, text in {"figures.toml": SOURCES, "text.md": TEXT, "a.json": json.dumps(REPORT)}.items():
        (tmp_path / name).write_text(text, "utf-8")
    yield tmp_path
    figures._report.cache_clear()


def test_every_figure_is_what_its_report_says(capsys: pytest.CaptureFixture[str]) -> None:
    figures.main([])
    assert re.fullmatch(r"All [1-9]\d{2,} figures are what their reports say\.\n", capsys.readouterr().out)


def test_no_figure_is_named_twice() -> None:
    places = Counter((one.text.name, one.text.parent.name, one.place.start) for one in figures.figures())
    assert [place for place, times in places.items() if times > 1] == []


def test_the_readme_holds_no_other_measured_figure() -> None:
    assert [one for one in untied(README) if "Python" not in one] == []


def test_no_text_gains_a_figure_that_no_cell_stands_behind() -> None:
    found = {text: len(untied(figures.PROJECT / text)) for text in UNTIED}
    assert {text: count for text, count in found.items() if count > UNTIED[text]} == {}


def untied(path: Path) -> list[str]:
    """The measured figures of a text that `figures.toml` does not name, with what stands before each."""
    text = path.read_text("utf-8")
    named = {place for one in figures.figures() if one.text == path for place in range(one.place.start, one.place.stop)}
    measured = list(MEASURED.finditer(text))
    assert measured
    return [text[found.start() - 40 : found.end()] for found in measured if found.start() not in named]


@pytest.mark.usefixtures("project")
def test_figures_are_written_as_the_text_writes_them() -> None:
    found = list(figures.figures())
    assert [one.written for one in found] == [".123", "0.20", "1.5", "64", "12,345"]
    assert [one.expected for one in found] == [".123", "0.20", "1.5", "64", "12,345"]


def test_a_cell_that_changes_is_told_and_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = REPORT | {"rows": {"ours": {"nDCG@10": 0.1299, "P@20": 0.256}}, "share": 0.7, "documents": 1_000_000}
    (project / "a.json").write_text(json.dumps(changed))
    with pytest.raises(EvaluationError, match=r"4 differ:\n  text.md: \.123 is \.130 in a: rows\.ours\.\"nDCG@10\""):
        figures.main([])
    figures.main(["--write"])
    text = (project / "text.md").read_text("utf-8")
    assert "| ours | .130 / **0.26** | |" in text and "1.5 s, 70 %\nof 1,000,000 documents" in text
    figures.main([])
    assert "All 5 figures" in capsys.readouterr().out


def test_a_cell_may_be_of_a_card(project: Path) -> None:
    (project / "figures.toml").write_text(SOURCES.replace("a: documents", "model/card: facts.documents"), "utf-8")
    with pytest.raises(ConfigError, match=r"card\.json is not there"):
        figures.main([])
    (project / "model").mkdir()
    (project / "model" / "card.json").write_text(json.dumps({"facts": {"documents": 12_345}}))
    figures.main([])


def test_a_figure_halfway_between_two_may_be_either(project: Path) -> None:
    changed = REPORT | {"rows": {"ours": {"nDCG@10": 0.1225, "P@20": 0.2}}}
    (project / "a.json").write_text(json.dumps(changed))
    figures.main([])


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("text.md", "Read in", "Taken in", ""),  # words before the sentence may change
        ("text.md", "documents", "texts", "Expected once in text.md, with 3 figures"),
        ("text.md", "| ours", "| mine", "Expected rows in text.md's table"),
        ("text.md", "| nDCG@10 / P@20 |", "| MAP |", "Expected a table in text.md that begins"),
        ("text.md", ".123 / **0.20**", ".123", "Expected 2 figures in"),
        ("figures.toml", "a: share", "a: shares", "Expected a number at 'a: shares'"),
        ("figures.toml", "a: share", "c: share", "c.json is not there"),
    ],
)
def test_what_leads_nowhere_is_told(project: Path, name: str, old: str, new: str, told: str) -> None:
    path = project / name
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    if told:
        with pytest.raises(ConfigError, match=re.escape(told)):
            figures.main([])
    else:
        figures.main([])
