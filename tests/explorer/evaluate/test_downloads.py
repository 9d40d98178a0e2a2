"""What was measured, as files."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from engine.evaluation.formats import read_run
from explorer.evaluate import downloads
from tests.explorer.conftest import Start
from tests.explorer.evaluate.measuring import ROWS, held, measured


@pytest.mark.usefixtures("library")
def test_what_was_measured_can_be_taken_along(app: Start) -> None:
    measured(app)
    saved = json.loads(downloads.as_json(held(), ROWS, "bm25"))
    assert set(saved["encoders"]) == set(ROWS)
    assert len(saved["encoders"]["bm25"]["by_query"]) == 40
    assert saved["contrasts"]
    with zipfile.ZipFile(io.BytesIO(downloads.as_runs(held(), ROWS))) as archive:
        assert archive.namelist() == ["bm25.run", "tfidf.run", "judgements.qrels"]
        assert len(archive.read("bm25.run").splitlines()[0].split()) == 6


@pytest.mark.usefixtures("library")
def test_one_ranking_alone_can_be_taken_along(app: Start) -> None:
    measured(app)
    saved = json.loads(downloads.as_json(held(), ROWS[:1], ROWS[0]))
    assert list(saved["encoders"]) == [ROWS[0]]
    assert "contrasts" not in saved
    assert f"Against {ROWS[0]}" not in downloads.as_markdown(held(), ROWS[:1], ROWS[0]).decode()
    assert f"## Against {ROWS[0]}" in downloads.as_markdown(held(), ROWS, ROWS[0]).decode()


@pytest.mark.usefixtures("library")
def test_a_run_with_spaces_in_its_ids_keeps_six_columns(app: Start, tmp_path: Path) -> None:
    measured(app)
    found = held()
    odd = replace(found.measured["bm25"], run={"a b": ("c d", "e")})
    with zipfile.ZipFile(io.BytesIO(downloads.as_runs(replace(found, measured={"x": odd}), ["x"]))) as archive:
        (tmp_path / "x.run").write_bytes(archive.read("x.run"))
    assert read_run(tmp_path / "x.run") == {"a%20b": ("c%20d", "e")}
