"""How well cited works are found: near misses, figures and the report."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.reading import read_bytes
from engine.research.measures import cited
from engine.research.measures.cited import Found, as_markdown, main, near_miss, printed, web_page
from engine.search.citations.entries import parse_entry
from engine.search.citations.matching import agreement, may_cite
from tests.research.measures.test_layouts import PAPER


def test_a_page_is_read_with_its_list() -> None:
    paper = replace(PAPER, references=("Davis T. Direct <methods>. SIAM 2006.", "Duff I. Sparse matrices. 1986."))
    document = read_bytes(web_page(paper, numbered=True, columns=2).encode(), "paper.html").document
    (listed,) = (one.text for one in document.sections if one.role == "references")
    assert document.title == PAPER.title
    assert "[1] Davis T. Direct <methods>." in listed and "[2] Duff" in listed


def test_a_missing_chromium_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cited.shutil, "which", lambda _: None)
    with pytest.raises(EvaluationError, match="Expected Chromium to print papers, found none"):
        printed(["<p>"], tmp_path)


def test_an_error_of_chromium_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess([], 1, b"", b"no display")
    monkeypatch.setattr(cited.shutil, "which", lambda name: name)
    monkeypatch.setattr(cited.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EvaluationError, match=r"print page-0\.html, it said: no display"):
        printed(["<p>"], tmp_path)


WORK = Document("w", title="Direct methods for sparse linear systems", year=2006, authors=("Davis, Tim",))


def test_a_near_miss_is_another_work_by_the_same_authors() -> None:
    for seed in range(20):
        miss = near_miss(WORK, random.Random(seed))
        assert miss.authors == WORK.authors and (miss.title, miss.year) != (WORK.title, WORK.year)
        entry = parse_entry("Davis T (2006). Direct methods for sparse linear systems. SIAM.")
        found = may_cite(entry, miss.title, miss.year)
        assert found is None or agreement(entry, miss, found) is None


def test_figures_are_over_all_citations() -> None:
    lines = as_markdown([Found("one", "PDF", right=3, wrong=1, missed=0), Found("two", "HTML", right=5, missed=1)])
    assert lines[0].startswith("Precision 0.889, recall 0.889 over 9 citations")
    assert any("two" in line and "HTML" in line for line in lines)


def test_real_papers_with_their_lists_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cited, "_drawn", lambda given, folder: ([], [Document("o", title="Another work", year=1999)]))
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in ("a", "b"):
        listed = "".join(
            f"[{n}] T. Davis. {word} methods for {name} linear systems of equations. SIAM, 200{n}.\n"
            for n, word in enumerate(("Direct", "Indirect", "Iterative", "Random"), start=1)
        )
        entries = "".join(
            f"@book{{{name}{n}, title={{{word} methods for {name} linear systems of equations}}, author={{Davis, T}}, "
            f"year=200{n}}}\n"
            for n, word in enumerate(("Direct", "Indirect", "Iterative", "Random"), start=1)
        )
        (papers / f"{name}.md").write_text(f"# On {name}\n\n## Body\n\nText.\n\n## References\n\n{listed}")
        (papers / f"{name}.bib").write_text(entries)
    saved = tmp_path / "cited.json"
    main(["--data", str(tmp_path), "--papers", str(papers), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert report["figures"]["precision"] == report["figures"]["recall"] == 1.0
    assert [one["name"] for one in report["documents"]] == ["b.md"]
    assert report["circumstances"]["command"].startswith("python -m engine.research cited --data")
    assert saved.with_suffix(".md").is_file()


def test_a_missing_benchmark_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*acm-citation"):
        main(["--data", str(tmp_path)])
