"""Comparisons from kept chunks, measured on documents of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry
from engine.research.__main__ import main
from engine.research.bench import kept_chunks
from engine.research.matching.pair_set import load_pair_set
from engine.workspace import comparison
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_table
from tests.search.hashed_words import paper


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three test pairs of whole papers, of which two share one, and a pair of abstracts."""
    folder = tmp_path / "data" / "small"
    folder.mkdir(parents=True)
    write_table(folder / "corpus.parquet", [paper(f"d{n}", body=120 if n < 6 else 0) for n in range(8)])
    rows = ["d0\td1", "d1\td2", "d3\td4", "d6\td7"]
    (folder / "pairs.tsv").write_text(
        "id-a\tid-b\tlabel\tsplit\n" + "".join(f"{row}\t1\ttest\n" for row in rows), "utf-8"
    )
    return tmp_path / "data"


def test_pairs_have_long_documents_of_their_own(data: Path) -> None:
    held = load_pair_set(data / "small" / "pairs.tsv", form=None)
    pairs = kept_chunks.drawn(held, 1, 0)
    names = [document.id for pair in pairs for document in pair]
    assert len(pairs) == 2 and len(set(names)) == 4 and not {"d6", "d7"} & set(names)
    with pytest.raises(EvaluationError, match="Expected 3 test pairs of long documents of their own in small, found 2"):
        kept_chunks.drawn(held, 2, 0)


def test_the_command_prints_and_saves_the_report(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = tiny.placed(write_tiny_transformer(tmp_path / "model"))
    monkeypatch.setattr(comparison, "load_colde", lambda _: encoder)
    saved = tmp_path / "report.json"
    given = ["bench", "chunks", "--data", str(data), "--sets", "small", "--pairs", "1", "--save", str(saved)]
    assert main(given) == 0
    assert "small, test: largest change document score 0.0" in capsys.readouterr().out
    report = json.loads(saved.read_text("utf-8"))
    (found,) = report["sets"]
    assert report["encoder"] == "colde" and report["fingerprint"] == registry.find("colde").card.fingerprint
    assert found["pairs"] == 1 and found["median_words"] > 1_000 and found["chunks"] > 100
    assert set(found["milliseconds"]) == {"kept", "processor", "read"}
    assert 0 < found["largest"]["chunk cells"] < 0.05
