"""A folder is opened by the kind of index that can read it; the number of documents chooses the kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import VectorIndexError
from engine.vectors.registry import BINARY_ABOVE, FEWEST, RECALL_AT_10, chosen_kind, open_index
from engine.vectors.storage import has_codes
from tests.conftest import PROJECT


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorIndexError, match="among embedded, binary, sparse, got 'fast'"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="fast")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "documents", "kind"),
    [
        ("auto", 0, "embedded"),
        ("auto", BINARY_ABOVE, "embedded"),
        ("auto", BINARY_ABOVE + 1, "binary"),
        ("embedded", 10**7, "embedded"),
        ("binary", FEWEST, "binary"),
        ("binary", FEWEST - 1, "embedded"),
    ],
)
def test_the_number_of_documents_decides_unless_a_person_does(asked: str, documents: int, kind: str) -> None:
    assert chosen_kind(asked, sparse=False, documents=documents) == kind  # type: ignore[arg-type]


def test_sparse_rows_have_their_own_index() -> None:
    assert chosen_kind("auto", sparse=True, documents=10**7) == "sparse"
    assert chosen_kind("embedded", sparse=True, documents=10) == "sparse"
    with pytest.raises(VectorIndexError, match=r"Expected an encoder of dense rows.*got one of sparse rows\. Leave"):
        chosen_kind("binary", sparse=True, documents=10)


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(VectorIndexError, match="Expected an index of auto, embedded, binary, got 'exact'"):
        chosen_kind("exact", sparse=False, documents=10)  # type: ignore[arg-type]


def test_the_figures_are_those_of_the_report() -> None:
    report = json.loads((PROJECT / "engine" / "research" / "reports" / "retrieve.json").read_text("utf-8"))
    assert {size["documents"]: size["recall"] for size in report["sizes"]} == RECALL_AT_10
    assert report["k"] == 10
    exact = {size["documents"]: size["exact_milliseconds"]["p50"] for size in report["sizes"]}
    share = (BINARY_ABOVE - 20_000) / 80_000
    assert 40 < exact[20_000] + share * (exact[100_000] - exact[20_000]) < 60  # half of a tenth of a second


def test_a_folder_without_codes_has_none(tmp_path: Path) -> None:
    assert not has_codes(tmp_path / "none")
    index = open_index(tmp_path / "few", fingerprint="f", dim=4, kind="binary")
    index.flush()
    assert not has_codes(tmp_path / "few")
