"""The report on layouts, on papers that need no LaTeX."""

from __future__ import annotations

import difflib
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.measures import layouts
from engine.research.measures.layouts import (
    OTHER_READERS,
    OtherReader,
    headings_f1,
    in_order,
    marks_of,
    recall,
    words_of,
)
from engine.research.typesetting.known_papers import Author, KnownPaper, KnownSection, Piece
from tests.reading.pdf.papers import one_column

PAPER = KnownPaper(
    "one",
    "Tides in small pools",
    (Author("Ada Moor", 0, "moor@example.org"), Author("Ben Strand", 0, "strand@example.org")),
    ("Marine Station, Porto, Portugal",),
    "We looked at pools. They were small.",
    ("pools",),
    (
        KnownSection("Introduction", (Piece("paragraph", "Pools are wet."), Piece("figure", "A pool."))),
        KnownSection("Methods", (Piece("subheading", "Sites"), Piece("paragraph", "We went there twice."))),
    ),
    ("A. Moor: Pools. 1999",),
)


def document(**changes: object) -> Document:
    fields: dict[str, object] = {
        "title": PAPER.title,
        "abstract": PAPER.abstract,
        "authors": ("Ada Moor", "Ben Strand"),
        "sections": (
            Section("Introduction", "Pools are wet."),
            Section("Methods", "We went there twice."),
            Section("References", "A. Moor: Pools. 1999", "references"),
        ),
        **changes,
    }
    return Document(id="x", kind="paper", **fields)  # type: ignore[arg-type]


def test_a_paper_read_right_has_full_marks() -> None:
    marks = marks_of(PAPER, document())
    assert (marks.words, marks.purity, marks.title, marks.abstract, marks.headings, marks.authors) == (1,) * 6


def test_marks_tell_what_is_wrong() -> None:
    marks = marks_of(
        PAPER,
        document(
            title="Tides",
            abstract="",
            authors=("Ada Moor",),
            sections=(Section("", "Pools are wet."), Section("Methods", "Sites. twice there We went")),
        ),
    )
    assert marks.title == marks.abstract == marks.authors == 0
    assert marks.words == pytest.approx(5 / 14)
    assert marks.purity == pytest.approx(5 / 8)
    assert marks.headings == pytest.approx(2 / 3)


def test_words_have_no_marks_and_no_ligatures() -> None:
    assert words_of("The \ufb01rst, na\u00efve_way: 3.5 %") == ["the", "first", "na\u00efve", "way", "3", "5"]


def test_words_in_order_are_a_longest_common_subsequence() -> None:
    draw = random.Random(1)
    for _ in range(50):
        one, other = ([draw.choice("abcd") for _ in range(draw.randint(0, 80))] for _ in range(2))
        table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
        for i, a in enumerate(one):
            for j, b in enumerate(other):
                table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
        assert in_order(one, other) == table[-1][-1]
        blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
        assert in_order(one, other) >= sum(block.size for block in blocks)
    assert recall("we went there", "First there, then we all went there") == 1
    assert recall("", "word") == 0


def test_headings_count_as_often_as_they_stand() -> None:
    assert headings_f1(["Results", "Results"], ["RESULTS"]) == pytest.approx(2 / 3)
    assert headings_f1(["1 Aims"], ["1. Aims", ""]) == 1
    assert headings_f1(["Aims"], []) == 0


def test_words_that_a_lines_end_cuts_are_whole() -> None:
    reader = OtherReader(lambda data: data.decode(), program="no such program")
    assert reader.text(b"infor-\n mation and well-\nKnown") == "information and well-\nKnown"
    assert not reader.is_installed and not OtherReader(bytes.decode, module="no_such_module").is_installed


@pytest.mark.parametrize("name", OTHER_READERS)
def test_each_reads_a_paper(name: str) -> None:
    if not OTHER_READERS[name].is_installed:
        pytest.skip(f"{name} is not installed: only the report on layouts compares with it, and leaves it out, too")
    assert "Introduction" in OTHER_READERS[name].text(one_column().data())


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
