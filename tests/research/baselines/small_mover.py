"""Texts whose subject only some words tell, in vectors where other numbers are louder, and a recipe for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.core.config import from_mapping, with_settings
from engine.documents import Document
from engine.encoders import WordVectors
from engine.research.baselines.supervised_mover import MoverRecipe
from tests.evaluation.small import write_table

SUBJECTS, WORDS, NOISE = 4, 30, 40
LOUD = 4


def write_subjects(folder: Path) -> Path:
    """Corpora "ours" to train on and "asked" to search, with its queries, and word vectors.

    Every subject has thirty words, of which a text says three, beside six words that any text says. The first four
    numbers of a vector tell the subject of a word; the four behind them are drawn, and larger.
    """
    drawn = np.random.default_rng(7)
    vocabulary = [f"s{subject}w{number}" for subject in range(SUBJECTS) for number in range(WORDS)]
    vocabulary += [f"any{number}" for number in range(NOISE)]
    vectors = 2 * drawn.normal(size=(len(vocabulary), SUBJECTS + LOUD))
    vectors[:, :SUBJECTS] = np.repeat(
        np.vstack([np.eye(SUBJECTS), np.zeros(SUBJECTS)]), [WORDS] * SUBJECTS + [NOISE], 0
    )
    WordVectors(vocabulary, vectors.astype(np.float16), np.ones(len(vocabulary), np.int64), 1).save(folder / "words")

    def text(name: str, subject: int, kind: str = "paper") -> Document:
        said = [f"s{subject}w{number}" for number in drawn.choice(WORDS, 3, replace=False)]
        said += [f"any{number}" for number in drawn.choice(NOISE, 6, replace=False)]
        return Document(name, kind=kind, abstract=" ".join(said), categories=(f"subject {subject}",))

    for name, prefix in (("ours", "o"), ("asked", "a")):
        (folder / name).mkdir(parents=True)
        texts = [text(f"{prefix}{number}", number % SUBJECTS) for number in range(80)]
        write_table(folder / name / "corpus.parquet", texts)
    queries = [text(f"q{number}", number % SUBJECTS, "query") for number in range(20)]
    write_table(folder / "asked" / "queries.parquet", queries)
    judged = [(query, place) for query in range(20) for place in range(80) if query % SUBJECTS == place % SUBJECTS]
    lines = ["query-id\tcorpus-id\tscore", *(f"q{query}\ta{place}\t1" for query, place in judged)]
    (folder / "asked" / "qrels.tsv").write_text("\n".join(lines) + "\n")
    return folder


def recipe(data: Path, *settings: str) -> MoverRecipe:
    """Eight documents a step, forty steps."""
    values: dict[str, Any] = {
        "method": "swmd",
        "device": "cpu",
        "words": str(data / "words"),
        "data": {"subjects": ["ours"], "steps": 40},
        "network": {"max_tokens": 20, "most_words": 10, "dim": 8},
        "optimizer": {"learning_rate": 0.02, "batch": 4, "words_learning_rate": 0.05},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), MoverRecipe, origin="test")
