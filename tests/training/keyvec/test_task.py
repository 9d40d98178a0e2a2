"""What KeyVec learns: each of its parts alone, and both."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.documents.text import STOP_WORDS
from engine.training.keyvec.task import keyword_loss, read_loss
from tests.contracts.encoder import SUBJECTS
from tests.training.keyvec.small import FULL, full_text, subject_of
from tests.training.keyvec.trained import AUC, RECALL, train


def test_training_finds_salient_sentences_and_key_words(data: Path, tmp_path: Path) -> None:
    encoder = train(
        data, tmp_path / "run", "schedule.epochs=20", "data.full_text_passes=12", "optimizer.learning_rate=0.02"
    )
    first = encoder.facts["curve"][0]
    best = max(encoder.facts["curve"], key=lambda one: sum(one["scores"].values()))
    assert encoder.facts["curve"][-1]["loss"] < 0.7 * first["loss"]
    assert best["scores"][AUC] > 0.8
    assert best["scores"][RECALL] > 0.3  # 0.17 by chance, some 0.5 by the subject alone
    found = encoder.salience([full_text(14)])[0]
    assert found.p[[1, 5]].mean() > 1.5 * found.p[[0, 2, 3, 4, 6, 7]].mean()
    assert not {word for word, _ in found.keywords} & STOP_WORDS
    held_out = range(10, FULL)
    told = encoder.salience([full_text(number) for number in held_out])
    subjects = [SUBJECTS[subject_of(number)].split() for number in held_out]
    own = [[word in words for word, _ in one.keywords[:6]] for one, words in zip(told, subjects, strict=True)]
    assert np.mean(own) > 0.6  # a third by chance: three subjects share the words


@pytest.mark.parametrize(
    ("settings", "scored"),
    [
        (["objective.enc=0", "data.abstracts=[]", "optimizer.batch=4"], {AUC}),
        (["objective.read=0"], {RECALL}),
        (["objective.read=0", "data.full_texts=[]"], set()),
    ],
    ids=["read-only", "enc-only", "abstracts"],
)
def test_an_ablation_learns_its_part_alone(data: Path, tmp_path: Path, settings: list[str], scored: set[str]) -> None:
    encoder = train(data, tmp_path / "run", *settings, "schedule.epochs=6")
    curve = encoder.facts["curve"]
    assert set(curve[0]["scores"]) == scored
    assert curve[-1]["loss"] < curve[0]["loss"]
    start = train(data, tmp_path / "start", *settings, "schedule.epochs=0")
    moved = {
        name: not np.array_equal(start._parts.arrays[name], encoder._parts.arrays[name])
        for name in ("network.keywords.weight", "network.out.weight", "network.salient.weight")
    }
    read_only = "objective.enc=0" in settings
    assert moved == {
        "network.keywords.weight": not read_only,
        "network.out.weight": not read_only,
        "network.salient.weight": True,
    }


LOGITS = [0.3, -1.2, 2.0, 0.0, -0.4]


SALIENT = [1, 0, 1, 0, 0]


DOCUMENTS = [0, 0, 0, 2, 2]


def test_the_readers_loss_is_the_likelihood_of_the_labels() -> None:
    expected = 0.0
    for logit, is_salient in zip(LOGITS, SALIENT, strict=True):
        p = 1 / (1 + math.exp(-logit))
        expected -= math.log(p) if is_salient else math.log(1 - p)
    loss = read_loss(torch.tensor(LOGITS), torch.tensor(SALIENT), torch.tensor(DOCUMENTS))
    assert float(loss) == pytest.approx(expected / 2, rel=1e-5)
    assert float(read_loss(torch.zeros(0), torch.zeros(0), torch.zeros(0, dtype=torch.long))) == 0


def test_the_encoders_loss_is_the_likelihood_of_the_key_words() -> None:
    logits = [[0.1, -0.5, 2.0, 0.7], [1.0, 0.0, 0.0, -3.0], [5.0, 5.0, 5.0, 5.0]]
    words, documents = [2, 3, 0], [0, 0, 1]
    expected = 0.0
    for word, document in zip(words, documents, strict=True):
        row = [math.exp(number) for number in logits[document]]
        expected -= math.log(row[word] / sum(row))
    loss = keyword_loss(torch.tensor(logits), torch.tensor(words), torch.tensor(documents))
    assert float(loss) == pytest.approx(expected / 2, rel=1e-5)
    none = torch.zeros(0, dtype=torch.long)
    assert float(keyword_loss(torch.tensor(logits), none, none)) == 0
