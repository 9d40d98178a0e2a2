"""The paper's ablations of CoLDE: the settings that the recipes name, trained and measured beside each other."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document, Section
from engine.encoders.colde import ColdeEncoder
from engine.research.matching.pair_set import load_pair_set
from engine.research.matching.rows import parse_rows
from engine.research.matching.scoring import Plan, score
from engine.training import runs
from engine.training.colde import trainer
from engine.training.run_folder import Folders
from engine.training.runs import SHIPPED
from tests.training.long import recipe, write_long_data

NAMES = ("-Aug", "-LSTM", "-CL")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


def ablations(name: str) -> dict[str, list[str]]:
    """The settings of each ablation as the recipe's header gives them."""
    header = (runs.FOLDER / f"{name}.toml").read_text().partition("\n\n")[0].replace("\n#", "")
    found = {part: header.partition(f"{part} --set")[2] for part in NAMES}
    return {part: re.findall(r"[\w.]+=\w+", re.split(r", |\. |\.$", text)[0]) for part, text in found.items()}


@pytest.mark.parametrize("name", ["colde-cpu", "colde-paper"])
def test_the_header_names_settings_of_the_recipe(name: str) -> None:
    found = ablations(name)
    assert found["-LSTM"] == ["head.aggregation=mean"]
    assert found["-CL"] == ["objective.kind=cosine", "objective.sections=1"]
    assert found["-Aug"][0] == "objective.sections=1"
    for settings in found.values():
        paper = ["head.late_share=0", "head.late_best=1", "objective.late=0", "head.skip=false", "head.space_dim=0"]
        SHIPPED.load(name, [*settings, *(paper if name == "colde-cpu" else [])])


def test_each_ablation_is_trained_and_measured(data: Path, tmp_path: Path) -> None:
    settings = {"full": ["head.skip=false"], **ablations("colde-cpu")}
    for name, changed in settings.items():
        folders = Folders(data, tmp_path / f"{name}-run", tmp_path / "cache")
        encoder = trainer.train(recipe(data, "head.skip=false", "schedule.epochs=1", *changed), folders)
        assert isinstance(encoder, ColdeEncoder)
        encoder.save(tmp_path / name)
    rows = parse_rows(",".join(f"{name}={tmp_path / name}" for name in settings))
    found = score(rows, load_pair_set(data / "ours"), Plan(cache=tmp_path / "cache"))
    assert [one.name for one in found] == ["full", *NAMES]
    assert len({one.fingerprint for one in found}) == 4
    assert all(not np.allclose(one.scores, found[0].scores) for one in found[1:])


def test_without_numbers_of_sections_and_chunks_a_chunk_is_read_alike_wherever_it_stands(data: Path) -> None:
    changed = ["backbone.trained=true", *ablations("colde-paper")["-Aug"]]
    encoder = trainer.train(recipe(data, "schedule.epochs=1", *changed), Folders(data, data / "run", data / "cache"))
    assert encoder is not None and encoder.settings.chunk_numbers == encoder.settings.section_numbers == 1
    twice = Document("twice", sections=tuple(Section(title, "steam boiler pressure") for title in ("One", "Two")))
    first, second = encoder.read([twice])[0].rows
    np.testing.assert_allclose(first, second, atol=1e-6)
