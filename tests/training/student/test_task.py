"""What a small transformer learns in its steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from engine.encoders import Transformer
from engine.training.related import RelatedDocuments
from engine.training.related_pairs import RelatedPairs
from engine.training.settings import RelatedSettings
from engine.training.student import trainer
from engine.training.student.related_texts import RelatedTexts
from engine.training.student.task import PlacedTexts, StudentTask
from tests.contracts.encoder import corpus
from tests.training.student.small import RELATED, recipe


def test_every_text_comes_once_before_one_comes_again(data: Path, teacher: Path) -> None:
    given = recipe(data, teacher, "optimizer.batch=4", "objective.steps=3")
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(10)], np.ones((10, 32), np.float16))
    task = StudentTask(given, trainer.begun(Transformer.open(teacher), given), texts)
    seen = [place for epoch in range(5) for batch in task.batches(epoch) for place in batch.places.tolist()]
    assert len(seen) == 60 and all(seen.count(place) == 6 for place in range(10))
    again = [batch.places.tolist() for batch in task.batches(1)]
    assert again == [batch.places.tolist() for batch in task.batches(1)]
    assert all(batch == sorted(batch) for batch in again)  # lengths rise with the number here


def test_what_belongs_together_is_learnt_beside_the_teacher_s_places(data: Path, teacher: Path) -> None:
    given, transformer = recipe(data, teacher, RELATED, "seed=3"), Transformer.open(teacher)
    model = trainer.begun(transformer, given)
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(6)], np.ones((6, 32), np.float16))
    related = RelatedTexts.of(given.related, transformer, data, max_tokens=64)
    assert related is not None
    alone, both = StudentTask(given, model, texts), StudentTask(given, model, texts, related=related)
    for batch in both.batches(0):
        one, other = related.draw(batch.key).pairs.T
        rows = [_placed(model, [related.tokens[place] for place in side]) for side in (one, other)]
        logits = rows[0] @ rows[1].T / 0.1
        logits[related.pairs.same_label(one, other) & ~np.eye(3, dtype=bool)] = -np.inf
        shares = [logits - np.log(np.exp(logits).sum(axis, keepdims=True)) for axis in (0, 1)]
        by_hand = -np.mean([np.diag(share) for share in shares])
        added = float(both.loss(batch).detach()) - float(alone.loss(batch).detach())
        assert added == pytest.approx(2 * by_hand, rel=1e-3, abs=1e-3)


def test_related_texts_of_one_subject_or_family_are_no_negatives(data: Path, teacher: Path) -> None:
    given = recipe(data, teacher, "related={weight = 2.0, batch = 5, temperature = 0.1, titles = ['ours']}")
    transformer = Transformer.open(teacher)
    model = trainer.begun(transformer, given)
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(6)], np.ones((6, 32), np.float16))
    related = RelatedTexts(transformer.tokens([one.text for one in corpus()[:10]], 64), _five_pairs())
    alone, both = StudentTask(given, model, texts), StudentTask(given, model, texts, related=related)
    for batch in both.batches(0):
        one, other = related.draw(batch.key).pairs.T
        rows = [_placed(model, [related.tokens[place] for place in side]) for side in (one, other)]
        drawn = (one // 2).tolist()  # which of the five pairs
        counted = [[{this, that} not in ({0, 2}, {3, 4}) for that in drawn] for this in drawn]
        scores = np.exp(rows[0] @ rows[1].T / 0.1)
        sums = [(scores * counted).sum(axis) for axis in (0, 1)]
        by_hand = np.mean([np.log(total / scores.diagonal()) for total in sums])
        added = float(both.loss(batch).detach()) - float(alone.loss(batch).detach())
        assert added == pytest.approx(2 * by_hand, rel=1e-4, abs=1e-4)


def _five_pairs() -> RelatedPairs:
    """Of ten texts each with the next; the first and third pair are of one subject, the last two of one family."""
    every = RelatedSettings(share=1.0, batch=5, subjects=("ours",), subject_share=0.0)
    source = RelatedDocuments(every, [], np.arange(10).reshape(-1, 2))
    subjects, families = np.array([0, 0, -1, -1, 0, 0, -1, -1, -1, -1]), np.array([-1] * 6 + [0] * 4)
    return RelatedPairs([source], np.ones(1), csr_array((10, 10), dtype=bool), subjects, families)


def _placed(model: Any, texts: list[Any]) -> Any:  # noqa: ANN401  a module without types, arrays
    rows = []
    for ids in texts:
        with torch.no_grad():
            row = model(input_ids=torch.tensor([list(ids)])).last_hidden_state[0].sum(0).numpy()
        rows.append(row / np.linalg.norm(row))
    return np.array(rows, np.float64)
