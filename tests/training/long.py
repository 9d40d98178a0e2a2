"""Pairs of long documents of our own, small enough to train CoLDE on in a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.config import from_mapping, with_settings
from engine.training.colde.recipe import ColdeRecipe
from tests.contracts.encoder import SUBJECTS, corpus
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_table

NAMES = [document.id for document in corpus()]
"""Ten documents of each of four subjects, the subjects in turn."""


def write_long_data(folder: Path) -> Path:
    """The corpora of `write_long_corpora`, and a transformer in "tiny"."""
    write_tiny_transformer(folder / "tiny")
    return write_long_corpora(folder)


def write_long_corpora(folder: Path) -> Path:
    """The corpora "ours" and "more" with their pairs.

    Related are neighbours of one subject: those of the first seven documents of each train, the others are valid.
    """
    for corpus_name, subjects in (("ours", (0, 1)), ("more", (2, 3))):
        held = [number for number in range(len(NAMES)) if number % 4 in subjects]
        (folder / corpus_name).mkdir(parents=True)
        write_table(folder / corpus_name / "corpus.parquet", [corpus()[number] for number in held])
        (folder / corpus_name / "pairs.tsv").write_text(_pairs(subjects))
    return folder


def recipe(data: Path, *settings: str) -> ColdeRecipe:
    """A recipe for the small corpora: chunks of eight tokens, a frozen transformer, three epochs."""
    values: dict[str, Any] = {
        "method": "colde",
        "device": "cpu",
        "data": {"corpora": ["ours", "more"]},
        "backbone": {
            "source": str(data / "tiny"),
            "trained": False,
            "chunk_tokens": 8,
            "chunk_numbers": 4,
            "tokens_at_once": 64,
        },
        "head": {"heads": 2, "lstm_dim": 8, "dim": 6, "skip": True},
        "objective": {"temperature": 0.1},
        "optimizer": {"learning_rate": 0.01, "batch": 8},
        "schedule": {"epochs": 3},
    }
    made: ColdeRecipe = from_mapping(with_settings(values, list(settings)), ColdeRecipe, origin="long")
    return made


def _pairs(subjects: tuple[int, int]) -> str:
    lines = ["id-a\tid-b\tlabel\tsplit"]
    for subject, other in (subjects, subjects[::-1]):
        ours = [NAMES[number] for number in range(subject, len(NAMES), len(SUBJECTS))]
        theirs = [NAMES[number] for number in range(other, len(NAMES), len(SUBJECTS))]
        for place in range(len(ours) - 1):
            split = "train" if place < 6 else "valid"
            lines += [f"{ours[place]}\t{ours[place + 1]}\t1\t{split}", f"{ours[place]}\t{theirs[place]}\t0\t{split}"]
    return "\n".join(lines) + "\n"
