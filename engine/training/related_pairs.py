"""Related documents of several sources: which pairs a step draws, and which documents are not strangers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.training.examples import Places
from engine.training.related import GROUPS, PAIRS, RelatedDocuments, related_pairs, require, subject_groups
from engine.training.settings import RelatedFile, RelatedSettings

_SOURCE, _SIDES = 2, 3  # keep these draws apart from whatever else a step draws by its key


class PairSources(Protocol):
    """Where a recipe has related documents from, and in which share of the steps from `subjects`."""

    @property
    def subjects(self) -> tuple[str, ...]:
        """Corpora whose documents are of one subject where they carry the same set of categories."""

    @property
    def files(self) -> tuple[RelatedFile, ...]:
        """Tables of pairs."""

    @property
    def subject_share(self) -> float:
        """In which share of the steps a subject's documents are drawn."""


class Labelled(Protocol):
    """n documents by their names, with what tells those of other subjects and families apart ("" = none)."""

    @property
    def names(self) -> Sequence[str]:
        """Their ids: (n,)."""

    @property
    def subjects(self) -> Sequence[str]:
        """The subject of each: (n,)."""

    @property
    def families(self) -> Sequence[str]:
        """The family of each: (n,)."""


class PairBatch(NamedTuple):
    """A step's pairs of related documents (m, 2) and what seeds its other draws; a pair's first document asks."""

    pairs: Places
    key: tuple[int, int, int]


@dataclass(frozen=True)
class RelatedPairs:
    """Sources of related pairs with the chance of each.

    A step draws from one source, so that strangers cannot be told apart by what kind of document they are.

    `joined` (n, n) marks documents that a train pair joins. `subjects` and `families` (n,) give documents with one
    label the same number, and -1 to a document without a label.
    """

    sources: Sequence[RelatedDocuments]
    chances: NDArray[np.float64]
    joined: csr_array
    subjects: Places
    families: Places

    @classmethod
    def of(cls, settings: PairSources, corpus: Labelled, data: Path, *, batch: int) -> RelatedPairs:
        """What a recipe draws from. Raises InputError if a source has fewer pairs than a batch takes."""
        none = np.zeros((0, 2), np.int64)
        sources, sizes = [], []
        if settings.subjects:
            groups = subject_groups(corpus, settings.subjects)
            require(len(groups), batch, GROUPS, settings.subjects)
            drawn = RelatedSettings(share=1.0, batch=batch, subjects=settings.subjects, subject_share=1.0)
            sources.append(RelatedDocuments(drawn, groups, none))
        for one in settings.files:
            pairs = related_pairs([one], data, corpus.names)
            require(len(pairs), batch, PAIRS, [f"{one.corpus}/{one.pairs}"])
            drawn = RelatedSettings(share=1.0, batch=batch, files=(one,), subject_share=0.0)
            sources.append(RelatedDocuments(drawn, [], pairs))
            sizes.append(len(pairs))
        return cls(
            sources,
            _chances(sizes, settings.subject_share, has_subjects=bool(settings.subjects)),
            joined(np.concatenate([none, *(one.pairs for one in sources)]), len(corpus.names)),
            _numbered(corpus.subjects),
            _numbered(corpus.families),
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many groups and pairs it draws from."""
        return {
            "subjects": sum(len(one.groups) for one in self.sources),
            "related_pairs": sum(len(one.pairs) for one in self.sources),
        }

    def draw(self, key: tuple[int, int, int]) -> PairBatch:
        """The related pairs of the step with this key; which of the two asks is drawn too."""
        source = np.random.default_rng([*key, _SOURCE]).choice(len(self.sources), p=self.chances)
        pairs = cast(Places, self.sources[source].draw(key))  # its share of the steps is all of them
        swaps = np.random.default_rng([*key, _SIDES]).random(len(pairs)) < 0.5
        return PairBatch(np.where(swaps[:, None], pairs[:, ::-1], pairs), key)

    def same_label(self, one: Places, other: Places) -> NDArray[np.bool_]:
        """Which of two lists of documents, (m,) and (n,), are the same or share a label or a train pair: (m, n)."""
        found: NDArray[np.bool_] = np.asarray(self.joined[one][:, other].toarray(), bool) | (one[:, None] == other)
        for labels in (self.subjects, self.families):
            ours, theirs = labels[one][:, None], labels[other]
            found |= (ours == theirs) & (ours >= 0)
        return found


def _chances(sizes: Sequence[int], subject_share: float, *, has_subjects: bool) -> NDArray[np.float64]:
    """The chance of each source: that of subjects first, then of files by how many pairs each has."""
    if not sizes:
        return np.ones(1)
    share = subject_share if has_subjects else 0.0
    of_files = (1 - share) * np.array(sizes) / sum(sizes)
    return np.concatenate([[share], of_files]) if has_subjects else of_files


def joined(pairs: Places, count: int) -> csr_array:
    """Which of `count` documents the pairs (p, 2) join, either way: (count, count)."""
    rows, columns = np.concatenate([pairs, pairs[:, ::-1]]).T
    return csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(count, count))


def _numbered(labels: Sequence[str]) -> Places:
    """Labels (n,) as numbers, -1 for the empty one."""
    number_of = {label: number for number, label in enumerate(sorted({*labels} - {""}))}
    return np.array([number_of.get(label, -1) for label in labels], np.int64)
