"""`python -m engine.research key_words`, on papers of our own: what is right, which part is read, what is fitted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.core.errors import EvaluationError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import registry
from engine.research.measures import key_words
from engine.research.measures.key_words import f1, main, stems_of
from engine.search.evidence import key_words as shipped
from tests.encoders.keyvec.tiny import tiny_keyvec
from tests.evaluation.small import write_table

GIVEN = ("box kites", "bridle")


class Flat:
    """An encoder for which everything is equally near."""

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        return np.tile(np.float32([1, 0]), (len(documents), 1))

    encode_queries = encode_documents


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "acm-citation"
    folder.mkdir()
    text = "A box kite has a bridle and a long tail of silk that keeps it steady while the wind blows hard. " * 2
    papers = [Document(f"p{n}", title=f"Box kites {n}", abstract=text) for n in range(12)]
    papers += [Document("short", title="Box kites", abstract="Too short."), Document("none", abstract=text)]
    write_table(folder / "corpus.parquet", papers)
    table = pq.read_table(folder / "corpus.parquet")
    given = [list(GIVEN) if one.id != "none" else [] for one in papers]
    pq.write_table(table.append_column("keywords", pa.array(given, pa.list_(pa.string()))), folder / "corpus.parquet")
    monkeypatch.setattr(key_words, "SIZES", {"test": 4, "fit": 6, "valid": 2})
    load = registry.load
    monkeypatch.setattr(registry, "load", lambda name: tiny_keyvec() if name == "keyvec" else load(name))
    monkeypatch.setattr(key_words, "sentence_encoder", Flat)
    key_words._remembering.cache_clear()
    yield tmp_path
    key_words._remembering.cache_clear()


def test_forms_of_a_phrase_are_right_and_brackets_are_not_read() -> None:
    assert stems_of(["Box-Kites", "box kite (BK)", "", "!"]) == {("box", "kite")}
    assert f1(["box kite", "tail"], stems_of(GIVEN), 2) == pytest.approx(1 / 2)
    assert f1(["bridles", "box kite"], stems_of(GIVEN), 2) == 1
    assert f1(["tail", "box kite"], stems_of(GIVEN), 1) == 0
    assert f1(["box kite"], stems_of(GIVEN), 10) == pytest.approx(2 / 12)  # ten places, one used


def test_every_row_is_measured_on_the_test_part_alone(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "report.json"
    main(["--data", str(data), "--sets", "acm-citation", "--save", str(save), "--note", "Another tool has .9."])
    made = json.loads(save.read_text())
    assert made["sets"]["acm-citation"]["documents"] == 4
    assert made["sets"]["acm-citation"]["of_them_in_the_text"] == 1
    rows = made["sets"]["acm-citation"]["rows"]
    assert list(rows) == list(key_words.SYSTEMS)
    assert rows["priorscope"]["F1@10"] > rows["KeyVec"]["F1@10"] == 0  # it knows no word of kites
    assert set(rows["priorscope"]) == {"F1@5", "F1@10"} and set(rows["TF-IDF"]) == {"F1@5", "F1@10", "p@5", "p@10"}
    text = capsys.readouterr().out
    assert "| priorscope |" in text and "Another tool has .9." in save.with_suffix(".md").read_text()


def test_parts_share_no_document_and_none_has_its_key_words(data: Path) -> None:
    parts = {}
    for split in ("test", "fit", "valid"):
        given = key_words._parser().parse_args(["--data", str(data)])
        part = key_words.judged(given, "acm-citation", split)
        assert not any(one.keywords for one in part.documents)
        assert all(one == stems_of(GIVEN) for one in part.given)
        parts[split] = {one.id for one in part.documents}
    assert {name: len(ids) for name, ids in parts.items()} == {"test": 4, "fit": 6, "valid": 2}
    assert not (parts["test"] & parts["fit"] or parts["test"] & parts["valid"] or parts["fit"] & parts["valid"])
    assert not {"short", "none"} & set.union(*parts.values())


def test_weights_are_fitted_for_short_and_long_documents(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_words, "FITTED_ON", {"short": "acm-citation", "long": "acm-citation"})
    fitted = key_words.fitted(
        key_words.judged(key_words._parser().parse_args(["--data", str(data)]), "acm-citation", "fit")
    )
    assert list(fitted["weights"]) == list(shipped.FEATURES)
    (tmp_path / "weights.json").write_bytes(shipped.FILE.read_bytes())
    monkeypatch.setattr(key_words.key_words, "FILE", tmp_path / "weights.json")
    main(["--data", str(data), "--fit"])
    assert json.loads((tmp_path / "weights.json").read_text())["long"] == fitted


def test_a_set_without_key_words_is_refused(data: Path) -> None:
    table = pq.read_table(data / "acm-citation" / "corpus.parquet").drop_columns(["keywords"])
    pq.write_table(table, data / "acm-citation" / "corpus.parquet")
    with pytest.raises(EvaluationError, match="Expected documents with key words in the test part of acm-citation"):
        main(["--data", str(data), "--sets", "acm-citation", "--save", str(data / "report.json")])
