"""Abstracts and full texts of our own, small enough to train KeyVec on in a test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.config import from_mapping, with_settings
from engine.documents import Document, Section
from engine.training.keyvec.recipe import KeyvecRecipe
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import write_table
from tests.training.small import word_vectors

FULL = 16


def subject_of(number: int) -> str:
    """The name of the subject of `full_text(number)`."""
    *names, _ = SUBJECTS
    return names[number % len(names)]


def full_text(number: int) -> Document:
    """A document whose second and sixth sentence say what its abstract says; the others are about graphs."""
    subject, other = subject_of(number), [*SUBJECTS][-1]
    generator = np.random.default_rng(number)

    def said(name: str) -> str:
        return f"We show that the {' of '.join(generator.permutation(SUBJECTS[name].split())[:6])}."

    abstract = said(subject)
    body = [said(other) for _ in range(8)]
    body[1], body[5] = abstract.replace("We show", "It is seen"), f"Also {abstract}"
    return Document(
        f"full{number}",
        title=f"On the {subject}",
        abstract=abstract,
        sections=(Section("Method", " ".join(body[:4])), Section("Results", " ".join(body[4:]))),
    )


def write_data(folder: Path) -> Path:
    """The corpora "ours" of abstracts and "full" of full texts with their pairs, and word vectors in "words".

    Of full0 to full15 the first ten train, the next four are valid, the last two are of a test pair.
    """
    for name in ("ours", "full"):
        (folder / name).mkdir(parents=True)
    write_table(folder / "ours" / "corpus.parquet", [replace(one, sections=()) for one in corpus()])
    write_table(folder / "full" / "corpus.parquet", [full_text(number) for number in range(FULL)])
    lines = ["id-a\tid-b\tlabel\tsplit"]
    for number in range(0, FULL, 2):
        split = "train" if number < 10 else "valid" if number < 14 else "test"
        lines.append(f"full{number}\tfull{number + 1}\t1\t{split}")
    (folder / "full" / "pairs.tsv").write_text("\n".join(lines) + "\n")
    word_vectors().save(folder / "words")
    return folder


def recipe(data: Path, *settings: str) -> KeyvecRecipe:
    """A recipe for the small corpora: four channels, states of six numbers, batches of ten, three epochs."""
    values: dict[str, Any] = {
        "method": "keyvec",
        "device": "cpu",
        "data": {"abstracts": ["ours"], "full_texts": ["full"], "full_text_passes": 2, "words": str(data / "words")},
        "words": {"least": 1},
        "keywords": {"vocabulary": 30, "per_document": 5},
        "network": {"channels": 4, "hidden": 6, "dim": 8},
        "optimizer": {"kind": "adam", "learning_rate": 0.01, "batch": 10},
        "schedule": {"epochs": 3},
    }
    return from_mapping(with_settings(values, settings), KeyvecRecipe, origin="test")
