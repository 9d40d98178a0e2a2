"""`python -m engine.research salience`, on papers of our own."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.salience import command
from tests.evaluation.small import write_table
from tests.research.salience.made import KEY, Reader, paper


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    folder = tmp_path / "data" / "long"
    folder.mkdir(parents=True)
    citing = [
        Document(id=name, title=name, abstract="None.", sections=(Section("Work", text),))
        for name, text in (
            ("one", "A flywheel stores energy between the strokes of an engine (Adams, 1990). It is late."),
            ("two", "Energy is stored by a heavy flywheel, says Adams (1990), between strokes. We go on."),
        )
    ]
    learnt = [paper(f"t{number}", year=1980) for number in range(4)]
    documents = [*learnt, paper("held", year=1990), paper("other"), *citing]
    write_table(folder / "corpus.parquet", documents)
    plain = pq.read_table(folder / "corpus.parquet")
    years = pa.array([document.year for document in documents], pa.int64())
    pq.write_table(plain.append_column("year", years), folder / "corpus.parquet")
    pairs = ["id-a\tid-b\tlabel\tsplit", "t0\tt1\t1\ttrain", "t2\tt3\t1\ttrain", "held\tother\t1\ttest"]
    (folder / "pairs.tsv").write_text("\n".join(pairs) + "\n")
    (folder / "citations.tsv").write_text("citing\tcited\none\theld\ntwo\theld\n")
    save = str(tmp_path / "report.json")
    return ["--data", str(tmp_path / "data"), "--sets", "long", "--top", "1", "--save", save]


def test_readers_and_baselines_are_scored_on_both_kinds_of_labels(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    rows = SimpleNamespace(trained_encoder=lambda row: Reader("flywheel"), rows_of=lambda given: [given])
    monkeypatch.setattr(command, "ROWS", rows)
    command.main([*line, "--keyvec", "keyvec"])
    made = json.loads((tmp_path / "report.json").read_text())["sets"]["long"]
    rows = {"position", "TextRank", "TF-IDF centrality", "keyvec"}
    assert set(made["abstract"]["rows"]) == rows
    assert made["abstract"]["documents"] == 2
    assert made["abstract"]["rows"]["keyvec"]["P@labels"] == pytest.approx(1 / 2)
    assert made["citing"]["documents"] == 1
    assert made["citing"]["rows"]["keyvec"] == {"P@labels": 1.0, "P@5": 0.2, "P@2": 0.5, "ROC-AUC": 1.0}
    assert set(made["sha256"]) == {"corpus.parquet", "pairs.tsv", "citations.tsv"}
    text = (tmp_path / "report.md").read_text()
    assert "labels by citing: 1 documents" in text
    assert text.strip() in capsys.readouterr().out
    assert KEY[1] not in text


def test_baselines_alone_need_no_encoder_and_no_citations(line: list[str], tmp_path: Path) -> None:
    (tmp_path / "data" / "long" / "citations.tsv").unlink()
    command.main(line)
    made = json.loads((tmp_path / "report.json").read_text())["sets"]["long"]
    assert set(made) == {"sha256", "abstract"}


def test_an_encoder_that_tells_no_sentences_is_refused(line: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected an encoder that tells salient sentences, as keyvec does"):
        command.main([*line, "--keyvec", "word2vec-mean"])
