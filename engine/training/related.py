"""Documents that belong together, by tables of pairs or by their subject, and what each step draws of them."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import InputError
from engine.core.rows import Positions
from engine.training.settings import RelatedFile, RelatedSettings

SMALLEST_GROUP = 4
GROUPS, PAIRS = f"sets of categories with {SMALLEST_GROUP} documents", "related pairs"
_BATCH = "related.batch"
_RELATED = 1  # keeps these draws apart from whatever else a step draws by its key
_SOURCE, _SIDES = 2, 3  # keep these draws apart from whatever else a step draws by its key


@dataclass(frozen=True)
class RelatedDocuments:
    """Groups of documents of one subject, and pairs (p, 2) of documents; `draw` takes some of either at a step."""

    settings: RelatedSettings
    groups: Sequence[Positions]
    pairs: Positions

    @classmethod
    def of(
        cls, settings: RelatedSettings, data: Path, *, names: Sequence[str], subjects: Sequence[str]
    ) -> RelatedDocuments | None:
        """Return what a recipe draws from documents by their `names` and `subjects` (n,), None if it draws nothing.

        Raises InputError if it has fewer groups or pairs than one batch takes, or if a file of pairs is missing.
        """
        if not settings.share:
            return None
        groups, pairs = subject_groups(subjects, settings.subjects), related_pairs(settings.files, data, names)
        made = cls(settings, groups, pairs)
        batch, tables = settings.batch, [f"{one.corpus}/{one.pairs}" for one in settings.files]
        require(len(made.groups), batch, GROUPS, settings.subjects, key=_BATCH)
        require(len(made.pairs), batch, PAIRS, tables, key=_BATCH)
        return made

    @property
    def counts(self) -> dict[str, int]:
        """How many groups and pairs it draws from."""
        return {"subjects": len(self.groups), "related_pairs": len(self.pairs)}

    def draw(self, key: tuple[int, int, int]) -> Positions | None:
        """Return the related pairs of the step with this key, (batch, 2), or None if it has none.

        Groups are drawn without replacement by the square root of their size, then two documents of each, so that no
        two rows are of one subject. Pairs of a file are drawn evenly, without replacement.
        """
        generator = np.random.default_rng([*key, _RELATED])
        if generator.random() >= self.settings.share:
            return None
        takes_subjects = generator.random() < self.settings.subject_share
        if len(self.groups) and (takes_subjects or not len(self.pairs)):
            return self._of_groups(generator)
        return self.pairs[generator.choice(len(self.pairs), self.settings.batch, replace=False)]

    def _of_groups(self, generator: np.random.Generator) -> Positions:
        chances = np.sqrt([len(group) for group in self.groups])
        drawn = generator.choice(len(self.groups), self.settings.batch, replace=False, p=chances / chances.sum())
        groups = [self.groups[number] for number in drawn]
        sizes = np.array([len(group) for group in groups])
        first, second = generator.integers(0, sizes), generator.integers(0, sizes - 1)
        second += second >= first  # another than the first, each with equal chance
        return np.array([[group[i], group[j]] for group, i, j in zip(groups, first, second, strict=True)])


def subject_groups(subjects: Sequence[str], corpora: Sequence[str]) -> list[Positions]:
    """Return the documents of each set of categories that at least four documents of a corpus carry, in their order.

    `subjects` (n,) has a subject for each document, "" where it has none.
    """
    found: dict[str, list[int]] = defaultdict(list)
    for place, subject in enumerate(subjects):
        if subject and subject.split("\t", 1)[0] in corpora:
            found[subject].append(place)
    return [np.array(places, np.int64) for places in found.values() if len(places) >= SMALLEST_GROUP]


def related_pairs(related: Sequence[RelatedFile], data: Path, names: Sequence[str]) -> Positions:
    """Return every related pair whose documents are held: (m, 2), as places in `names`.

    A table with the columns label and split gives its train pairs of label 1. Raises InputError if a file is
    missing, has other columns, or gives no pair.
    """
    number_of = {name: number for number, name in enumerate(names)}
    found: list[tuple[int, int]] = []
    for one in related:
        pairs = [
            (number_of[a], number_of[b])
            for a, b in pairs_in(data / one.corpus / one.pairs)
            if a in number_of and b in number_of and a != b
        ]
        if not pairs:
            raise InputError(
                f"Expected pairs of documents from the corpora in {one.corpus}/{one.pairs}, found none. "
                "Name the corpus that the pairs belong to."
            )
        found += pairs
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def pair_digests(related: Sequence[RelatedFile], data: Path) -> dict[str, str]:
    """Return the sha256 of each file of pairs by its corpus and name. Raises InputError if one is missing."""
    paths = {f"{one.corpus}/{one.pairs}": data / one.corpus / one.pairs for one in related}
    for path in paths.values():
        if not path.is_file():
            raise InputError(f"Expected a table of related pairs at {path}; there is none.")
    return {name: files.sha256_file(path) for name, path in paths.items()}


def pairs_in(path: Path) -> Iterator[tuple[str, str]]:
    """Give the ids of each train pair of label 1 in a table. Raises InputError if it is missing or of other columns."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if not {"id-a", "id-b"} <= set(rows.fieldnames or ()):
                raise InputError(
                    f"Expected the columns id-a and id-b in {path.name}, found {', '.join(rows.fieldnames or ())}. "
                    "Separate the columns by tabs and name them in the first line."
                )
            for row in rows:
                if row.get("split", "train") == "train" and row.get("label", "1") == "1":
                    yield row["id-a"], row["id-b"]
    except FileNotFoundError:
        raise InputError(f"Expected a table of related pairs at {path}; there is none.") from None


def require(count: int, batch: int, what: str, sources: Sequence[str], *, key: str = "") -> None:
    """Raise InputError if sources, if any, have fewer of something than a batch takes; `key` names its size."""
    if sources and count < batch:
        raise InputError(
            f"Expected at least {batch} {what} in {', '.join(sources)} for {key or 'a batch'}, got {count}. "
            f"Lower {key or 'the batch'}, or name other corpora."
        )


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

    pairs: Positions
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
    subjects: Positions
    families: Positions

    @classmethod
    def of(cls, settings: PairSources, corpus: Labelled, data: Path, *, batch: int) -> RelatedPairs:
        """Return what a recipe draws from. Raises InputError if a source has fewer pairs than a batch takes."""
        none = np.zeros((0, 2), np.int64)
        sources, sizes = [], []
        if settings.subjects:
            groups = subject_groups(corpus.subjects, settings.subjects)
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
        """Return the related pairs of the step with this key; which of the two asks is drawn too."""
        source = np.random.default_rng([*key, _SOURCE]).choice(len(self.sources), p=self.chances)
        pairs = cast(Positions, self.sources[source].draw(key))  # its share of the steps is all of them
        swaps = np.random.default_rng([*key, _SIDES]).random(len(pairs)) < 0.5
        return PairBatch(np.where(swaps[:, None], pairs[:, ::-1], pairs), key)

    def same_label(self, one: Positions, other: Positions) -> NDArray[np.bool_]:
        """Tell which of documents (m,) and (n,) are the same or share a label or a train pair: (m, n)."""
        found: NDArray[np.bool_] = np.asarray(self.joined[one][:, other].toarray(), bool) | (one[:, None] == other)
        for labels in (self.subjects, self.families):
            ours, theirs = labels[one][:, None], labels[other]
            found |= (ours == theirs) & (ours >= 0)
        return found


def _chances(sizes: Sequence[int], subject_share: float, *, has_subjects: bool) -> NDArray[np.float64]:
    """Return the chance of each source: that of subjects first, then of files by how many pairs each has."""
    if not sizes:
        return np.ones(1)
    share = subject_share if has_subjects else 0.0
    of_files = (1 - share) * np.array(sizes) / sum(sizes)
    return np.concatenate([[share], of_files]) if has_subjects else of_files


def joined(pairs: Positions, count: int) -> csr_array:
    """Tell which of `count` documents the pairs (p, 2) join, either way: (count, count)."""
    rows, columns = np.concatenate([pairs, pairs[:, ::-1]]).T
    return csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(count, count))


def _numbered(labels: Sequence[str]) -> Positions:
    """Number labels (n,), -1 for the empty one."""
    number_of = {label: number for number, label in enumerate(sorted({*labels} - {""}))}
    return np.array([number_of.get(label, -1) for label in labels], np.int64)
