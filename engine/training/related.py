"""Pairs of documents that belong together, drawn anew at every step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.errors import InputError
from engine.training.ctpe.recipe import RelatedSettings
from engine.training.examples import PairTokens, Places
from engine.training.pair_corpus import related_pairs

SMALLEST_GROUP = 4
_RELATED = 1  # keeps these draws apart from whatever else a step draws by its key


class Labelled(Protocol):
    """Documents with what tells those of other subjects apart; "" is a document without any."""

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
        """What a recipe draws from, None where it draws nothing.

        Raises InputError where there are fewer groups or pairs than one batch takes, or no file of pairs.
        """
        if not settings.share:
            return None
        made = cls(
            settings, subject_groups(tokens, settings.subjects), related_pairs(settings.files, data, tokens.names)
        )
        _require(len(made.groups), settings, f"sets of categories with {SMALLEST_GROUP} documents", settings.subjects)
        _require(len(made.pairs), settings, "related pairs", [f"{one.corpus}/{one.pairs}" for one in settings.files])
        return made

    @property
    def counts(self) -> dict[str, int]:
        """What there is to draw from."""
        return {"subjects": len(self.groups), "related_pairs": len(self.pairs)}

    def draw(self, key: tuple[int, int, int]) -> Places | None:
        """The related pairs of the step with this key, (batch, 2), or None where it has none.

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


def _require(count: int, settings: RelatedSettings, what: str, sources: Sequence[str]) -> None:
    if sources and count < settings.batch:
        raise InputError(
            f"Expected at least {settings.batch} {what} in {', '.join(sources)} for related.batch, got {count}. "
            "Lower related.batch, or name other corpora."
        )
