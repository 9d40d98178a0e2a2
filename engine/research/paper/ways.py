"""The ways to run a system here: a row, an encoder's folder, a recipe, or the row of a rebuilt table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine import config
from engine.errors import ConfigError
from engine.evaluation.encoder_folders import READINGS
from engine.research.baselines.rows import ROWS
from engine.research.matchers.recipe import MatcherRecipe
from engine.research.matching.rows import names as matched_names
from engine.research.paper import (
    cdssm,
    colde_figures,
    colde_matching,
    ctpe_embeddings,
    ctpe_positions,
    ctpe_retrieval,
    ctpe_sampling,
    keyvec_clusters,
    keyvec_retrieval,
)
from engine.research.paper.colde_models import ABLATIONS, MATCHERS, PEERS
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import PaperSettings
from engine.research.train import RECIPES

FOLDER = "FOLDER"
"""Stands in a command for a folder, or a model on this machine, that a user names."""

_SETTINGS = PaperSettings()
_MATCHED = (*PEERS, *MATCHERS)
_COLDE = tuple(ABLATIONS)[:1]

ROWS_OF: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(ctpe_retrieval.COLUMNS, (*ctpe_retrieval.BESIDE, *ctpe_retrieval.PEERS)),
    ctpe_embeddings.NAME: tuple(dict.fromkeys((*_SETTINGS.ctpe.embeddings, *ctpe_embeddings.BESIDE))),
    ctpe_positions.NAME: tuple(published.TABLE_5),
    ctpe_sampling.NAME: tuple(published.TABLE_6),
    colde_matching.NAME: (*_MATCHED, *ABLATIONS),
    colde_figures.BATCH: _COLDE,
    colde_figures.LENGTH: _COLDE,
    colde_figures.SHUFFLED: (*_COLDE, *_MATCHED),
    **dict.fromkeys((keyvec_retrieval.NAME, keyvec_clusters.NAME), _SETTINGS.keyvec.rows),
    **{table: (row,) for table, row in cdssm.TABLES.items()},
    cdssm.COMPARISON: (*cdssm.TABLES.values(), *_SETTINGS.cdssm.peers),
}
"""The rows of each rebuilt table that stand for something the papers name."""


class Way(Protocol):
    """One way to run a system."""

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where it is known."""


@dataclass(frozen=True, slots=True)
class AsRow:
    """A row of `evaluate`, by its name."""

    name: str

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""
        return f"evaluate --encoders {self.name}"

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where it is known."""
        return _unless(self.name in ROWS.names(), "a row of evaluate", self.name)


@dataclass(frozen=True, slots=True)
class AsPairs:
    """A row of `match`, which tells pairs of long documents, by its name."""

    name: str

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""
        return f"match --encoders {self.name}"

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where it is known."""
        return _unless(self.name in matched_names(), "a row of match", self.name)


@dataclass(frozen=True, slots=True)
class AsFolder:
    """A row of `evaluate` with the folder of a model that a user brings, and how the model is read."""

    name: str
    reading: str = "tokens"

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""
        return f"evaluate --encoders {self.name}={FOLDER}:{self.reading}"

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where it is known."""
        return _unless(self.reading in READINGS, "a reading of a folder", self.reading)


@dataclass(frozen=True, slots=True)
class AsRecipe:
    """A recipe of `train` with changes to its values; a matcher's row of `match` takes the folder that it writes."""

    name: str
    settings: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""
        return shlex.join(["train", self.name, *_changes(self.settings)])

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where it is known and takes these values."""
        try:
            RECIPES.load(self.name, self.settings)
        except ConfigError as error:
            return str(error)
        return ""


@dataclass(frozen=True, slots=True)
class AsMatcher:
    """A kind of matcher, by the recipe that trains it."""

    kind: str

    @property
    def recipe(self) -> str:
        """The recipe's name."""
        return f"matcher-{self.kind}"

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""
        return f"train {self.recipe}"

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where a recipe trains that kind."""
        if self.recipe not in RECIPES.names():
            return _unless(False, "a kind of matcher with a recipe", self.kind)
        recipe = RECIPES.load(self.recipe)
        fits = isinstance(recipe, MatcherRecipe) and recipe.kind == self.kind
        return _unless(fits, f"a recipe of the kind {self.kind}", self.recipe)


@dataclass(frozen=True, slots=True)
class InTable:
    """A row of a table that `tables` makes, with changes to how tables are made."""

    table: str
    row: str
    settings: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """What follows `python -m engine.research`, without the data."""
        return shlex.join(["tables", "--tables", self.table, *_changes(self.settings)])

    @property
    def problem(self) -> str:
        """Why the name leads nowhere; empty where the table has that row."""
        if self.table not in ROWS_OF:
            return _unless(False, f"a table among {', '.join(ROWS_OF)}", self.table)
        try:
            config.from_mapping(config.with_settings({}, self.settings), PaperSettings, origin="--set")
        except ConfigError as error:
            return str(error)
        return _unless(self.row in ROWS_OF[self.table], f"a row of {self.table}", self.row)


def _changes(settings: Sequence[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def _unless(known: bool, wanted: str, given: str) -> str:
    return "" if known else f"Expected {wanted}, got {given!r}."
