"""What each epoch of KeyVec draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.training.keyvec.corpus import corpus_of, epoch_batches, step_count
from engine.training.keyvec.reading import abstracts_of, full_texts_of
from tests.contracts.encoder import corpus
from tests.training.keyvec.small import full_text, recipe
from tests.training.small import word_vectors


def test_an_epoch_has_every_abstract_once_and_every_full_text_as_often_as_asked(data: Path) -> None:
    words, chosen = word_vectors(), recipe(data, "data.full_text_passes=3", "optimizer.batch=9")
    read = WordEmbeddings.of(words)
    full = full_texts_of([full_text(n) for n in range(4)], {f"full{n}": n == 3 for n in range(4)}, read, chosen)
    abstracts = abstracts_of([("ours", one) for one in corpus()], read, chosen)
    made = corpus_of(chosen, words, [abstracts, full])
    assert (len(made.abstracts), len(made.full), len(made.valid.texts)) == (40, 3, 1)
    batches = epoch_batches(made, chosen, epoch=0)
    assert len(batches) == step_count(made, chosen) == 6
    seen = np.bincount(np.concatenate([batch.documents for batch in batches]))
    assert seen.tolist() == [1] * 40 + [3] * 3
    assert {len(batch.documents) for batch in batches} <= {8, 9}
    again, later = (epoch_batches(made, chosen, epoch=epoch) for epoch in (0, 1))
    assert all((one.documents == other.documents).all() for one, other in zip(batches, again, strict=True))
    assert any((one.documents != other.documents).any() for one, other in zip(batches, later, strict=True))
    named = [made.keywords[number] for number in made.train.keywords(40)]
    assert len(named) == 5 and all(word in full_text(0).abstract for word in named)
