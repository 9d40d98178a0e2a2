"""What is measured of a trained encoder and kept beside it: shares of chunks, mixes, students, and what it bears."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from engine.compare import document_score
from engine.compare.document_score import Calibration, Mix
from engine.core.errors import EncoderError, EvaluationError
from engine.encoders.colde import ColdeEncoder, ColdeSettings, numbered, read_chunks
from engine.encoders.student import StudentEncoder
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from engine.research.matching.scoring import encoder_scores
from engine.research.measures import colde_best, colde_mix, colde_robustness, student_between
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
from tests.contracts.encoder import corpus
from tests.encoders.colde import tiny
from tests.encoders.test_student import moved as moved_student
from tests.encoders.test_student import tiny as tiny_student
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.research.matching.small_pairs import write_pairs
from tests.training.long import recipe, write_long_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data = write_long_data(tmp_path / "data")
    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=1.0)
    ColdeEncoder.untrained(data / "tiny", settings).with_facts({"hardware": "ours"}).save(tmp_path / "colde")
    return data


def options(data: Path) -> list[str]:
    folder = data.parent
    return ["--data", str(data), "--encoder", str(folder / "colde"), "--sets", "ours", "more", "--cache", str(folder)]


def test_each_set_is_measured_with_each_share_and_one_is_kept(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = data.parent / "best.json"
    colde_best.main([*options(data), "--shares", "0.25", "0.5", "--save", str(report), "--keep", "0.25"])
    told = json.loads(report.read_text())
    assert list(told["auc"]) == ["ours", "more"]
    assert all(list(by) == ["0.25", "0.5", "1"] for by in told["auc"].values())
    assert told["pairs"]["ours"] > 0 and set(told["sha256"]) == {"ours", "more"}
    printed = capsys.readouterr().out
    assert printed.strip() == report.with_suffix(".md").read_text().strip()
    assert "| 25% |" in printed and "share that the others choose" in printed
    again = ColdeEncoder.load(data.parent / "colde")
    assert again.settings.late_best == 0.25 and again.facts == {"hardware": "ours"}
    whole = again.with_late_best(1)
    assert whole.card.fingerprint == told["fingerprint"]


def test_the_share_is_chosen_by_other_sets_and_of_equal_ones_all_chunks_win() -> None:
    found = {"a": {0.3: 0.9, 1.0: 0.8}, "b": {0.3: 0.7, 1.0: 0.75}, "c": {0.3: 0.6, 1.0: 0.6}}
    assert colde_best.chosen_by(found, ["a", "c"]) == 0.3
    assert colde_best.chosen_by(found, ["b", "c"]) == 1.0
    assert colde_best.chosen_by(found, ["c"]) == 1.0
    table = colde_best.as_markdown(found, {"command": "so"})
    assert "| b | 30% | 0.7000 | 0.7500 |" in table


@pytest.mark.parametrize("wrong", [["--shares", "0"], ["--keep", "1.5"]])
def test_a_share_outside_its_range_is_refused_before_anything_is_read(data: Path, wrong: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected shares above 0 and up to 1"):
        colde_best.main([*options(data), *wrong])
    assert not list(data.parent.glob("*/*/vectors.safetensors"))


@pytest.mark.usefixtures("few_pairs")
def test_a_mix_is_fitted_kept_and_taken_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, folder = write_long_data(tmp_path / "data"), tmp_path / "colde"
    settings = ColdeSettings(chunk_tokens=8, lstm_dim=8, dim=8, skip=True, late_share=1.0)
    untrained = ColdeEncoder.untrained(data / "tiny", settings).with_facts({"hardware": "ours"})
    untrained.save(folder)
    (folder / "README.md").write_text("What we know of it.")
    options = ["--data", str(data), "--encoder", str(folder), "--cache", str(tmp_path / "kept")]
    options += ["--calibration-sets", "ours", "more"]
    colde_mix.main([*options, "--sets", "ours", "--word-sets", "ours", "more"])
    encoder = ColdeEncoder.load(folder)
    assert (folder / "README.md").read_text() == "What we know of it."
    mix = Mix.from_facts(encoder.facts)
    assert mix is not None and len(mix.common) > 5
    about = encoder.facts["mix_fitted_on"]
    assert (about["sets"], about["words_of"], encoder.facts["hardware"]) == (["ours"], ["ours", "more"], "ours")
    known = Calibration.from_facts(encoder.facts).unrelated["paper, paper"]
    assert known.pairs == 12 and list(known.quantiles) == sorted(known.quantiles)
    assert encoder.facts["calibrated_on"]["sets"] == ["ours", "more"]
    share = mix.shares["paper, paper"]
    out = capsys.readouterr().out
    assert f"paper, paper: {1 - share.words - share.second:.3f} similarity + {share.words:.3f} shared words" in out
    assert "ours: AUC on valid similarity" in out and "paper, paper: 12 unrelated pairs" in out
    colde_mix.main([*options, "--without"])
    again = ColdeEncoder.load(folder)
    assert again.card.fingerprint == untrained.card.fingerprint
    assert Mix.from_facts(again.facts) is None and "mix_fitted_on" not in again.facts
    assert Calibration.from_facts(again.facts).unrelated["paper, paper"] != known


def test_unrelated_valid_pairs_are_drawn_by_the_seed(tmp_path: Path) -> None:
    whole = load_pair_set(write_long_data(tmp_path) / "ours", form=None)
    drawn = colde_mix.drawn(whole, 4, seed=1)
    assert len(drawn.pairs) == 4
    assert all(pair.split == "valid" and not pair.related for pair in drawn.pairs)
    assert drawn.pairs == colde_mix.drawn(whole, 4, seed=1).pairs
    assert drawn.pairs != colde_mix.drawn(whole, 4, seed=2).pairs
    assert len(colde_mix.drawn(whole, 99, seed=1).pairs) == 6


@pytest.fixture
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_score, "_FEWEST_PAIRS", 5)


@pytest.fixture(scope="module")
def robustness_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_tiny_transformer(folder / "tiny")
    write_pairs(folder / "small")
    return folder


@pytest.fixture(scope="module")
def encoder(robustness_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folders = Folders(robustness_data, tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("cache"))
    made = trainer.train(recipe(robustness_data, "data.corpora=['small']", "schedule.epochs=1"), folders)
    assert made is not None
    folder = tmp_path_factory.mktemp("encoders") / "colde"
    made.save(folder)
    return folder


@pytest.fixture(scope="module")
def pairs(robustness_data: Path) -> PairSet:
    return load_pair_set(robustness_data / "small", form=None)


@pytest.mark.parametrize("form", [Form(), Form(shuffle_sections=3), Form(max_tokens=9)])
@pytest.mark.parametrize("moved", [0.0, 1.0])
def test_remembered_chunks_score_as_reading_does(robustness_data: Path, form: Form, moved: float) -> None:
    encoder = tiny.placed(robustness_data / "tiny", moved=moved, chunk_tokens=8)
    whole, bodies = (load_pair_set(robustness_data / "small", form=one) for one in (None, form))
    for sections in (1, 3):
        found = scored(Variation("compared", "", form, sections), encoder, whole, RememberedChunks(encoder))
        wanted = encoder_scores(encoder.with_sections(sections), bodies)
        np.testing.assert_allclose(found.scores, wanted, atol=2e-3)


def test_equal_chunks_are_read_once(robustness_data: Path, pairs: PairSet, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counting(backbone: object, documents: list[object]) -> object:
        read.append(sum(len(one.tokens) for one in documents))  # type: ignore[attr-defined]
        return read_chunks(backbone, documents)  # type: ignore[arg-type]

    monkeypatch.setattr("engine.training.colde.chunks.read_chunks", counting)
    for moved, again in ((0.0, 0), (1.0, 1)):
        encoder = tiny.placed(robustness_data / "tiny", moved=moved, chunk_tokens=8)
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
    robustness_data: Path,
    encoder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, values in (("LENGTHS", (9,)), ("BATCHES", (6,)), ("SECTIONS", (2,))):
        monkeypatch.setattr(colde_robustness, name, values)
    options = [
        "--data",
        str(robustness_data),
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


def test_a_folder_of_another_recipe_is_refused(encoder: Path, robustness_data: Path, tmp_path: Path) -> None:
    one = ColdeEncoder.load(encoder)
    one.save(tmp_path / "batches-of-6")
    given = argparse.Namespace(data=robustness_data, encoder=encoder, train=tmp_path, cache=None)
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


def test_the_student_between_two_is_written_with_what_both_were_made_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = tiny_student(), moved_student()
    one.facts, other.facts = {"best_epoch": 1}, {"best_epoch": 2}
    for name, student in (("one", one), ("other", other)):
        student.save(tmp_path / name)
    words = [str(tmp_path / "one"), str(tmp_path / "other"), "--share", "0.25", "--tokens", "7", "--query-tokens", "9"]
    student_between.main([*words, "--write", str(tmp_path / "new")])
    found = StudentEncoder.load(tmp_path / "new")
    assert (found.settings.max_tokens, found.settings.query_tokens) == (7, 9)
    np.testing.assert_array_equal(
        found.encode_documents(corpus()[:2]), one.between(other, 0.25).reading(7).encode_documents(corpus()[:2])
    )
    assert found.facts["between"] == {
        "share": 0.25,
        "of": [
            {"fingerprint": one.card.fingerprint, "best_epoch": 1},
            {"fingerprint": other.card.fingerprint, "best_epoch": 2},
        ],
    }
    assert found.card.fingerprint in capsys.readouterr().out


def test_a_share_outside_its_range_writes_nothing(tmp_path: Path) -> None:
    tiny_student().save(tmp_path / "one")
    words = [str(tmp_path / "one"), str(tmp_path / "one"), "--share", "1.5", "--write", str(tmp_path / "new")]
    with pytest.raises(EncoderError, match=r"Expected a share from 0 to 1, got 1\.5"):
        student_between.main(words)
    assert not (tmp_path / "new").exists()
