"""Documents that belong together, by a table of pairs or by their subject, and which of them each step draws."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.core import files
from engine.core.errors import InputError
from engine.training.examples import PairTokens, Places
from engine.training.settings import RelatedFile, RelatedSettings

SMALLEST_GROUP = 4
GROUPS, PAIRS = f"sets of categories with {SMALLEST_GROUP} documents", "related pairs"
_BATCH = "related.batch"
_RELATED = 1  # keeps these draws apart from whatever else a step draws by its key


class Labelled(Protocol):
    """Documents with their subjects; "" is the subject of a document without one."""

    @property
    def subjects(self) -> Sequence[str]:
        """The subject of each document: (n,)."""


@dataclass(frozen=True)
class RelatedDocuments:
    """Groups of documents of one subject, and pairs (p, 2) of documents; `draw` takes some of either at a step."""

    settings: RelatedSettings
    groups: Sequence[Places]
    pairs: Places

    @classmethod
    def of(cls, settings: RelatedSettings, tokens: PairTokens, data: Path) -> RelatedDocuments | None:
        """What a recipe draws from, None if it draws nothing.

        Raises InputError if it has fewer groups or pairs than one batch takes, or if a file of pairs is missing.
        """
        if not settings.share:
            return None
        made = cls(
            settings, subject_groups(tokens, settings.subjects), related_pairs(settings.files, data, tokens.names)
        )
        batch, tables = settings.batch, [f"{one.corpus}/{one.pairs}" for one in settings.files]
        require(len(made.groups), batch, GROUPS, settings.subjects, key=_BATCH)
        require(len(made.pairs), batch, PAIRS, tables, key=_BATCH)
        return made

    @property
    def counts(self) -> dict[str, int]:
        """How many groups and pairs it draws from."""
        return {"subjects": len(self.groups), "related_pairs": len(self.pairs)}

    def draw(self, key: tuple[int, int, int]) -> Places | None:
        """The related pairs of the step with this key, (batch, 2), or None if it has none.

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

    def _of_groups(self, generator: np.random.Generator) -> Places:
        chances = np.sqrt([len(group) for group in self.groups])
        drawn = generator.choice(len(self.groups), self.settings.batch, replace=False, p=chances / chances.sum())
        groups = [self.groups[number] for number in drawn]
        sizes = np.array([len(group) for group in groups])
        first, second = generator.integers(0, sizes), generator.integers(0, sizes - 1)
        second += second >= first  # another than the first, each with equal chance
        return np.array([[group[i], group[j]] for group, i, j in zip(groups, first, second, strict=True)])


def subject_groups(tokens: Labelled, corpora: Sequence[str]) -> list[Places]:
    """The documents of each set of categories that at least four documents of a corpus carry, in their order."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, subject in enumerate(tokens.subjects):
        if subject and subject.split("\t", 1)[0] in corpora:
            found[subject].append(place)
    return [np.array(places, np.int64) for places in found.values() if len(places) >= SMALLEST_GROUP]


def related_pairs(related: Sequence[RelatedFile], data: Path, names: Sequence[str]) -> Places:
    """Every related pair whose documents are held: (m, 2), as places in `names`.

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
    """The sha256 of each file of pairs by its corpus and name. Raises InputError if one is missing."""
    paths = {f"{one.corpus}/{one.pairs}": data / one.corpus / one.pairs for one in related}
    for path in paths.values():
        if not path.is_file():
            raise InputError(f"Expected a table of related pairs at {path}; there is none.")
    return {name: files.sha256_file(path) for name, path in paths.items()}


def pairs_in(path: Path) -> Iterator[tuple[str, str]]:
    """The ids of each train pair of label 1 in a table. Raises InputError if it is missing or has other columns."""
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
