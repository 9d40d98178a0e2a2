"""Labelled pairs of long documents, with the text of each that is compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research.matching.form import Form
from engine.training.long_corpus import PAIRS, SPLITS, LabelledPair, Split, ids_in, read_labelled_pairs

JUDGED: tuple[Split, ...] = ("valid", "test")
"""The splits that a threshold is chosen on and that figures are of."""


@dataclass(frozen=True)
class PairSet:
    """Pairs whose documents are both at hand, and their corpus, each document in its form.

    `missing` names the pairs of each split that lack a document.
    """

    name: str
    corpus: Sequence[Document]
    pairs: Sequence[LabelledPair]
    sha256: Mapping[str, str]
    form: Form | None = None
    missing: Sequence[LabelledPair] = field(default=())

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """The documents of pairs, by their ids: the ones to encode."""
        held = {document.id: document for document in self.corpus}
        return tuple(held[name] for name in ids_in(self.pairs))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The places (p, 2) in `documents` of the documents of p pairs."""
        place = {document.id: number for number, document in enumerate(self.documents)}
        return np.array([(place[pair.a], place[pair.b]) for pair in self.pairs], np.int64).reshape(-1, 2)

    @cached_property
    def related(self) -> NDArray[np.bool_]:
        """Whether the documents of each pair belong together: (p,)."""
        return np.array([pair.related for pair in self.pairs], np.bool_)

    def of(self, split: Split) -> NDArray[np.bool_]:
        """Which pairs belong to a split: (p,)."""
        return np.array([pair.split == split for pair in self.pairs], np.bool_)

    @property
    def empty(self) -> list[str]:
        """The documents that have no text to compare."""
        return [document.id for document in self.documents if not document.text.strip()]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many related, unrelated and left out pairs each split has."""
        return {
            split: {
                "related": sum(pair.split == split and pair.related for pair in self.pairs),
                "unrelated": sum(pair.split == split and not pair.related for pair in self.pairs),
                "left_out": sum(pair.split == split for pair in self.missing),
            }
            for split in SPLITS
        }

    @cached_property
    def judged(self) -> PairSet:
        """Only the valid and test pairs, which figures need, with the whole corpus."""
        return replace(self, pairs=[pair for pair in self.pairs if pair.split in JUDGED])

    def require_both(self, split: Split) -> None:
        """Raise EvaluationError if a split lacks related or unrelated pairs."""
        counts = self.counts[split]
        if not counts["related"] or not counts["unrelated"]:
            raise EvaluationError(
                f"Expected related and unrelated pairs of {self.name} in the split {split}, got {counts['related']} "
                f"and {counts['unrelated']}, with {counts['left_out']} left out for want of a document. "
                f"Complete {PAIRS} or {CORPUS}."
            )


def related_in(pairs: Sequence[LabelledPair], part: Split) -> tuple[dict[str, set[str]], defaultdict[str, set[str]]]:
    """What the part's related pairs, and those of the other parts, relate to each document.

    A ranking of the part's questions leaves the second out: an encoder may have been trained on it.
    """
    relevant: defaultdict[str, set[str]] = defaultdict(set)
    others: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        if pair.related:
            held = relevant if pair.split == part else others
            held[pair.a].add(pair.b)
            held[pair.b].add(pair.a)
    return dict(relevant), others


_BODY = Form()


def load_pair_set(path: Path, *, form: Form | None = _BODY) -> PairSet:
    """Read a pairs.tsv, or the one in a folder, with the corpus.parquet beside it; None leaves the documents whole.

    Raises EvaluationError if the corpus is missing, InputError if the table does not hold pairs.
    """
    table = path / PAIRS if path.is_dir() else path
    pairs = read_labelled_pairs(table)
    corpus = table.with_name(CORPUS)
    if not corpus.is_file():
        raise EvaluationError(
            f"Expected {CORPUS} beside {table.name} in {table.parent}; there is none. Put the pairs' documents there."
        )
    documents = [document if form is None else form.of(document) for document in read_documents(corpus)]
    held = {document.id for document in documents}
    whole = [pair for pair in pairs if pair.a in held and pair.b in held]
    return PairSet(
        name=table.resolve().parent.name,
        corpus=documents,
        pairs=whole,
        sha256={PAIRS: files.sha256_file(table), CORPUS: files.sha256_file(corpus)},
        form=form,
        missing=[pair for pair in pairs if not (pair.a in held and pair.b in held)],
    )
