"""A benchmark folder, written document by document."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation import load_benchmark
from engine.research.sets import folder as writing
from engine.research.sets.folder import new_benchmark

CLAIM = "a boiler comprising: a drum; a valve, and a weight"
DOCUMENTS = [
    Document("p", kind="patent", abstract="boiler. a boiler with a valve", claims=(CLAIM,)),
    Document("d1", title="Steam", abstract="of ships", year=1901),
    Document("d2", title="Sails", abstract="of hemp"),
]


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_ROWS", 2)  # more than one stretch of the file
    with new_benchmark(tmp_path / "ships") as made:
        for document in DOCUMENTS:
            made.corpus.add(document)
        made.queries.add(Document("q", title="Ships", abstract="by steam"))
        made.judge({"q": {"d1", "p"}})
    found = load_benchmark(tmp_path / "ships")
    assert list(found.corpus) == DOCUMENTS and made.corpus.count == 3
    assert found.qrels == {"q": {"d1": 1, "p": 1}} and found.queries[0].title == "Ships"


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no more"), new_benchmark(tmp_path / "ships") as made:
        made.corpus.add(DOCUMENTS[0])
        raise ValueError("no more")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(EvaluationError, match=r"Expected a new folder at .*, it exists\. Name another"):
        with new_benchmark(tmp_path):
            raise AssertionError("not reached")
    assert (tmp_path / "mine.txt").read_text() == "mine"
