"""Titles and abstracts beside long documents, in a corpus and in a whole training."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import ConfigError, InputError
from engine.training.colde import trainer
from engine.training.colde.trainer import with_coherence
from engine.training.long_corpus import contrastive_batches, read_long_corpora
from engine.training.run_folder import Folders
from tests.contracts.encoder import corpus as documents
from tests.evaluation.small import write_table
from tests.training.long import recipe, write_long_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_long_data(tmp_path_factory.mktemp("long"))
    short = [replace(one, id=f"short-{one.id}", title=f"On {one.id}", abstract=one.text) for one in documents()[:12]]
    (folder / "short").mkdir()
    write_table(folder / "short" / "corpus.parquet", [*short, replace(short[0], id="untitled", title="")])
    return folder


def test_each_belongs_to_itself_alone_and_has_two_sections(data: Path) -> None:
    long = read_long_corpora(["ours"], data)
    found = with_coherence(long, "short", data, count=6)
    assert found.parts == {"ours": slice(0, 20), "short": slice(20, 26)}
    assert [one.id for one in found.documents[20:]] == [f"short-{one.id}" for one in documents()[:12:2]]
    assert [section.text for section in found.documents[20].sections] == ["On steam0", documents()[0].text]
    assert (found.same_label(np.arange(20)) == long.same_label(np.arange(20))).all()
    assert (found.same_label(np.arange(20, 26)) == np.eye(6, dtype=bool)).all()
    assert not found.same_label(np.arange(26))[:20, 20:].any()
    assert found.valid.keys() == {"ours"}
    batches = [batch.documents.tolist() for batch in contrastive_batches(found, 8, seed=1, epoch=0)]
    assert sorted(place for batch in batches for place in batch if place >= 20) == list(range(20, 26))


def test_queries_of_benchmarks_are_held_out(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    (tmp_path / "data" / "asked").mkdir()
    write_table(tmp_path / "data" / "asked" / "queries.parquet", [replace(documents()[0], id="short-steam0")])
    found = with_coherence(read_long_corpora(["ours"], data), "short", tmp_path / "data", count=20)
    assert len(found.documents[20:]) == 11 and "short-steam0" not in {one.id for one in found.documents}


def test_a_corpus_without_both_and_one_that_is_there_already_are_told(data: Path, tmp_path: Path) -> None:
    long = read_long_corpora(["ours"], data)
    with pytest.raises(InputError, match="Expected a corpus for coherence beside ours, got ours again"):
        with_coherence(long, "ours", data, count=6)
    (tmp_path / "bare").mkdir()
    write_table(tmp_path / "bare" / "corpus.parquet", [replace(documents()[0], title="")])
    with pytest.raises(InputError, match=r"with a title and an abstract in bare/corpus.parquet, found none"):
        with_coherence(long, "bare", tmp_path, count=6)


@pytest.mark.parametrize("beyond", ["data.coherence=short", "objective.near_strangers=2"])
def test_an_encoder_is_trained_with_it_and_learns_something_else(data: Path, tmp_path: Path, beyond: str) -> None:
    made = {}
    for name, settings in (("plain", ()), ("beyond", (beyond, "data.coherence_documents=6"))):
        folders = Folders(data, tmp_path / name, tmp_path / "cache")
        made[name] = trainer.train(recipe(data, "schedule.epochs=1", *settings), folders)
    plain, other = made["plain"], made["beyond"]
    assert plain is not None
    assert other is not None
    assert plain.card.fingerprint != other.card.fingerprint
    assert ("short" in other.card.trained_on) == ("coherence" in beyond)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (("objective.near_strangers=11",), "near_strangers must be from 0 to 10, got 11"),
        (("data.coherence_documents=0",), "coherence_documents must be at least 1"),
        (
            ("objective.kind=cosine", "objective.sections=1", "objective.near_strangers=1"),
            'near_strangers needs kind = "contrastive"',
        ),
        (
            ("objective.kind=cosine", "objective.sections=1", "data.coherence=short"),
            'data.coherence needs objective.kind = "contrastive"',
        ),
    ],
)
def test_settings_that_cannot_be_are_refused(data: Path, settings: tuple[str, ...], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        recipe(data, *settings)
