"""Encoders that are trained for the tables alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.research.paper import keyvec_clusters, keyvec_retrieval, training
from engine.research.paper.training import ABLATIONS, trained
from engine.research.paper.work import Work
from engine.training import Recipes
from tests.research.paper.small_keyvec import settings
from tests.training.keyvec.small import write_data
from tests.training.long import write_long_corpora


def test_a_setting_that_does_nothing_makes_no_other_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that counts all chunks is found by its recipe from before it could count a share of them."""
    write_long_corpora(tmp_path)
    work, folders, named = Work(tmp_path, tmp_path / "cache"), [], []
    monkeypatch.setattr(Recipes, "train", lambda self, recipe, around, **more: folders.append(around.run))
    fingerprint = training.files.fingerprint
    monkeypatch.setattr(training.files, "fingerprint", lambda text: named.append(text) or fingerprint(text))
    for share in (1, 0.5):
        trained(work, "CoLDE", "colde-cpu", ['data.corpora=["ours"]', f"head.late_best={share}"])
    assert ["late_best" in json.loads(text)[0]["head"] for text in named] == [False, True]
    assert folders[0] != folders[1]


def test_ablations_are_trained_once_and_clustered(keyvec_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(keyvec_work.data / "small")
    for name in ("ours", "full"):
        (keyvec_work.data / "small" / name).rename(keyvec_work.data / name)
    words = keyvec_work.data / "small" / "words"
    small = [
        f"data.words={words}",
        'data.full_texts=["full"]',
        "words.least=1",
        "network.channels=2",
        "schedule.epochs=1",
    ]
    row, other = ABLATIONS
    own = Work(
        keyvec_work.data, keyvec_work.cache, settings(f'keyvec.rows=["{row}", "lsa"]', f"keyvec.settings={small}")
    )
    table = keyvec_clusters.table(own)
    (panel,) = table.panels
    assert [line.name for line in panel.lines] == [row, "lsa"]
    assert (own.encoders / panel.lines[0].name).parent.is_dir() and not panel.skipped
    monkeypatch.setattr(Recipes, "train", None)
    assert keyvec_clusters.table(own) == table
    given = Work(
        keyvec_work.data, keyvec_work.cache, own.settings, trained={other: next(own.encoders.glob(f"{row}-*[!n]"))}
    )
    assert keyvec_retrieval.keyvec_row(given, other).startswith(f"{other}=")
