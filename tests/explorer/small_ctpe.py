"""A folder of shipped encoders with a small, untrained CTPE in it, which looks like the real one on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from engine.documents import Document
from engine.encoders import registry
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.word_vectors import WordVectors
from engine.text import tokens
from tests.encoders.ctpe import tiny

FACTS = {
    "recipe": {"method": "ctpe", "network": {"channels": 16}, "schedule": {"epochs": 3}},
    "corpora_sha256": {"arxiv-subject": "0" * 64},
    "hardware": "a machine of a test",
    "loss_curve": [
        {"epoch": 1, "loss": 0.0912, "valid": 0.101},
        {"epoch": 2, "loss": 0.0534, "valid": 0.127},
        {"epoch": 3, "loss": 0.0421, "valid": 0.124},
    ],
    "results": [{"benchmark": "arxiv-subject", "ndcg@10": 0.154, "P@20": 0.131}],
    "overlaps": ["No query stands in the training text."],
}


def ship(folder: Path, documents: Iterable[Document]) -> Path:
    """A folder to set as `registry.PRETRAINED`; its CTPE knows the words of the documents given."""
    folder.mkdir()
    (folder / "word2vec").symlink_to(registry.PRETRAINED / "word2vec", target_is_directory=True)
    known = WordVectors.load(folder / "word2vec")
    wanted = {token for document in documents for token in tokens(document.text)}
    rows = [row for row, word in enumerate(known.words) if word in wanted]
    vectors = np.ascontiguousarray(known.vectors[rows])
    chosen = WordVectors([known.words[row] for row in rows], vectors, known.counts[rows], known.tokens)
    tiny.encoder(WordEmbeddings.of(chosen), facts=FACTS, trained_on=("arxiv-subject",)).save(folder / "ctpe")
    return folder
