"""A set of pairs of our own: forty documents about four subjects; related are two of one subject."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from engine.documents import Document, Section
from engine.research.matching.pair_set import PairSet, load_pair_set
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import write_table

HEAD = "id-a\tid-b\tlabel\tsplit"
SPLIT_OF = ("train", "train", "valid", "test", "test")
SUBJECT_NAMES = tuple(SUBJECTS)


def long_corpus() -> list[Document]:
    """The documents with an abstract that tells nothing and a reference list, which are not to be compared."""
    return [
        dataclasses.replace(
            document,
            abstract="The same words everywhere.",
            sections=(
                *document.sections,
                Section("Discussion", f"In the end {document.sections[0].text}."),
                Section("References", "A list of the same works."),
            ),
        )
        for document in corpus()
    ]


def lines() -> list[str]:
    """Twenty related pairs and twenty others in three splits."""
    rows = []
    for number in range(5):
        for place, subject in enumerate(SUBJECT_NAMES):
            other = SUBJECT_NAMES[(place + 1) % 4]
            first = f"{subject}{4 * number + place}"
            rows.append(f"{first}\t{subject}{4 * number + place + 20}\t1\t{SPLIT_OF[number]}")
            rows.append(f"{first}\t{other}{4 * number + (place + 1) % 4 + 20}\t0\t{SPLIT_OF[number]}")
    return rows


def write_pairs(folder: Path, rows: Sequence[str] | None = None, documents: Sequence[Document] | None = None) -> Path:
    """Write pairs.tsv and corpus.parquet; gives the table's path."""
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / "corpus.parquet", long_corpus() if documents is None else documents)
    table = folder / "pairs.tsv"
    table.write_text("\n".join([HEAD, *(lines() if rows is None else rows)]) + "\n")
    return table


def pair_set(folder: Path, rows: Sequence[str] | None = None, documents: Sequence[Document] | None = None) -> PairSet:
    """The set as a run reads it."""
    return load_pair_set(write_pairs(folder, rows, documents))
