"""Which three documents are shown: only those with both sections, by ids, and the median."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.paper.triples import candidates, middle, section_of
from tests.research.paper.three_papers import ROWS, papers_set


def named(folder: Path, rows: tuple[str, ...] = ROWS) -> tuple[list[str], int]:
    pairs = papers_set(folder, rows)
    found = candidates(pairs)
    return ["".join(pairs.documents[place].id for place in one) for one in found.triples], found.asked


def test_a_query_comes_with_its_first_related_and_unrelated_document(tmp_path: Path) -> None:
    assert named(tmp_path) == (["abc", "dec"], 3)  # "f" has no related work


def test_a_pair_of_any_split_that_relates_the_other_two_rules_them_out(tmp_path: Path) -> None:
    rows = (*ROWS, "b\tc\t1\ttrain", "a\tg\t0\ttest")
    assert named(tmp_path, rows)[0] == ["abg", "dec"]


def test_a_set_without_such_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"sections abstract, claims; got none of 3\. Name other sections"):
        candidates(papers_set(tmp_path), ("abstract", "claims"))


def test_a_heading_is_found_behind_its_number_and_only_with_text() -> None:
    sections = [Section("Introduction", " "), Section("1. INTRODUCTION", "x"), Section("IV Related works", "y")]
    document = Document("a", sections=tuple(sections))
    assert (section_of(document, "introduction"), section_of(document, "Related Work")) == (1, 2)
    assert section_of(document, "method") is None


def test_the_median_is_the_lower_of_two_and_the_first_of_equals() -> None:
    assert middle([0.4, 0.1, 0.3]) == 2
    assert middle([0.4, 0.1, 0.3, 0.2]) == 3
    assert middle([0.2, 0.2, 0.2]) == 1
