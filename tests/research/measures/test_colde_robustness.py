"""What an encoder bears: changed documents, changed training, and the table of both."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.encoders.colde import ColdeEncoder, numbered, read_chunks
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from engine.research.matching.scoring import encoder_scores
from engine.research.measures import colde_robustness
from engine.research.measures.colde_robustness import (
    Figure,
    Variation,
    accuracy_bar,
    as_markdown,
    compared,
    scored,
    some,
    trained,
)
from engine.training import Folders
from engine.training.colde import trainer
from engine.training.colde.chunks import RememberedChunks
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import write_pairs
from tests.training.long import recipe


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_tiny_transformer(folder / "tiny")
    write_pairs(folder / "small")
    return folder


@pytest.fixture(scope="module")
def encoder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folders = Folders(data, tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("cache"))
    made = trainer.train(recipe(data, "data.corpora=['small']", "schedule.epochs=1"), folders)
    assert made is not None
    folder = tmp_path_factory.mktemp("encoders") / "colde"
    made.save(folder)
    return folder


@pytest.fixture(scope="module")
def pairs(data: Path) -> PairSet:
    return load_pair_set(data / "small", form=None)


@pytest.mark.parametrize("form", [Form(), Form(shuffle_sections=3), Form(max_tokens=9)])
@pytest.mark.parametrize("moved", [0.0, 1.0])
def test_remembered_chunks_score_as_reading_does(data: Path, form: Form, moved: float) -> None:
    encoder = tiny.placed(data / "tiny", moved=moved, chunk_tokens=8)
    whole, bodies = (load_pair_set(data / "small", form=one) for one in (None, form))
    for sections in (1, 3):
        found = scored(Variation("compared", "", form, sections), encoder, whole, RememberedChunks(encoder))
        wanted = encoder_scores(encoder.with_sections(sections), bodies)
        np.testing.assert_allclose(found.scores, wanted, atol=2e-3)


def test_equal_chunks_are_read_once(data: Path, pairs: PairSet, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counting(backbone: object, documents: list[object]) -> object:
        read.append(sum(len(one.tokens) for one in documents))  # type: ignore[attr-defined]
        return read_chunks(backbone, documents)  # type: ignore[arg-type]

    monkeypatch.setattr("engine.training.colde.chunks.read_chunks", counting)
    for moved, again in ((0.0, 0), (1.0, 1)):
        encoder = tiny.placed(data / "tiny", moved=moved, chunk_tokens=8)
        chunks = RememberedChunks(encoder)
        document = colde_robustness.of_form(pairs, Form()).documents[0]
        first = next(chunks.rows([document]))
        read.clear()
        np.testing.assert_array_equal(first, next(chunks.rows([document])))
        assert read == []
        turned = next(chunks.rows([document], sections=2))
        assert (sum(read) > 0) is bool(again)
        wanted = read_chunks(encoder.reader[0], [numbered(encoder.cut(document), sections=2)])[0]
        np.testing.assert_allclose(turned, wanted, atol=2e-3)


def test_every_variation_is_measured_trained_and_saved(
    data: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, values in (("LENGTHS", (9,)), ("BATCHES", (6,)), ("SECTIONS", (2,))):
        monkeypatch.setattr(colde_robustness, name, values)
    options = [
        "--data",
        str(data),
        "--encoder",
        str(encoder),
        "--benchmarks",
        "small",
        "--cache",
        str(tmp_path / "kept"),
    ]
    options += ["--train", str(tmp_path / "trained"), "--save", str(tmp_path / "report.json")]
    colde_robustness.main(options)
    value = json.loads((tmp_path / "report.json").read_text())
    names = [one["name"] for one in value["figures"]]
    assert names == [one.name for one in (*compared(), *trained())]
    assert names[:3] == ["as it is", "sections in another order", "the first 9 words"]
    assert value["figures"][0]["p"] is None and all(0 <= one["p"] <= 1 for one in value["figures"][1:])
    assert value["encoder"] == ColdeEncoder.load(encoder).card.fingerprint
    assert value["command"].endswith("--encoder colde --benchmarks small --train DIR")
    table = (tmp_path / "report.md").read_text()
    assert table in capsys.readouterr().out and "| batches of 6 | " in table
    kept = {path.name for path in (tmp_path / "trained").iterdir()}
    assert {"batches-of-6", "9-tokens-of-a-section", "made-into-1-section", "made-into-2-sections"} <= kept
    monkeypatch.setattr(trainer, "train", None)  # what was trained is not trained again
    colde_robustness.main(options)
    assert json.loads((tmp_path / "report.json").read_text())["figures"] == value["figures"]
    colde_robustness.main([*options, "--rows", "the first", "batches"])
    few = json.loads((tmp_path / "report.json").read_text())
    chosen = ("as it is", "the first 9 words", "batches of 6")
    assert few["figures"] == [one for one in value["figures"] if one["name"] in chosen]
    assert few["command"].endswith("--train DIR --rows 'the first' batches")


def test_so_many_pairs_are_drawn_evenly_and_the_others_are_not_read(pairs: PairSet) -> None:
    test = [pair for pair in pairs.pairs if pair.split == "test"]
    assert len(test) > 3
    few = some(pairs, 3)
    assert [pair for pair in few.pairs if pair.split == "test"] == [test[place * len(test) // 3] for place in range(3)]
    assert {pair.split for pair in few.pairs} == {"valid", "test"}
    assert len(few.documents) < len(pairs.documents)
    every = some(pairs, None)
    assert list(every.pairs) == [pair for split in ("valid", "test") for pair in pairs.pairs if pair.split == split]


def test_a_folder_of_another_recipe_is_refused(encoder: Path, data: Path, tmp_path: Path) -> None:
    one = ColdeEncoder.load(encoder)
    one.save(tmp_path / "batches-of-6")
    given = argparse.Namespace(data=data, encoder=encoder, train=tmp_path, cache=None)
    variation = Variation("trained", "batches of 6", settings=("optimizer.batch=6",))
    with pytest.raises(
        EvaluationError, match=r"Expected an encoder of colde's recipe in .*, found one of another\. Name"
    ):
        colde_robustness.retrained(one, variation, given)


@pytest.mark.parametrize(
    ("value", "drawn"), [(0.3, ""), (0.5, ""), (0.75, "█" * 10), (0.8797, "█" * 15 + "▎"), (1, "█" * 20)]
)
def test_a_bar_begins_at_a_half(value: float, drawn: str) -> None:
    assert accuracy_bar(value) == drawn


def test_a_table_has_a_row_a_variation_and_columns_a_set() -> None:
    figures = [
        Figure(name, "compared", "as it is", {"accuracy": 0.8627, "auc": 0.9458}, {}, None) for name in ("acl", "pmc")
    ]
    figures.append(Figure("pmc", "trained", "batches of 50", {"accuracy": 1.0, "auc": 1.0}, {}, 0.25))
    lines = as_markdown(figures).splitlines()
    assert lines[0].startswith("| What is compared | acl: accuracy from .5 to 1 | accuracy | AUC | p | pmc:")
    cells = "██████████████▌ | .863 | .946 | "
    assert lines[2] == f"| as it is | {cells} | {cells} |"
    assert lines[6] == f"| batches of 50 |  | | |  | {'█' * 20} | 1.000 | 1.000 | 0.25 |"
