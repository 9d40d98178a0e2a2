"""The ways to run a system here: a row, an encoder's folder, a recipe, or the row of a rebuilt table."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core import config
from engine.core.errors import ConfigError
from engine.evaluation.systems import READINGS
from engine.research.baselines.rows import ROWS
from engine.research.matchers.trainer import MatcherRecipe
from engine.research.matching.rows import names as matched_names
from engine.research.paper import cdssm, colde, ctpe, keyvec
from engine.research.paper.colde_models import ABLATIONS, MATCHERS, PLAIN, SBERT
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import PaperSettings
from engine.research.train import RECIPES

FOLDER = "FOLDER"
"""Stands in a command for a folder, or a model on this machine, that a user names."""

_SETTINGS = PaperSettings()
_MATCHED = (PLAIN, *MATCHERS)
_COLDE = tuple(ABLATIONS)[:1]

ROWS_OF: Mapping[str, tuple[str, ...]] = {
    ctpe.DATASETS: ctpe.DATASET_ROWS,
    **dict.fromkeys(ctpe.RETRIEVAL, (*ctpe.BESIDE, *ctpe.PEERS)),
    ctpe.EMBEDDINGS: tuple(dict.fromkeys((*_SETTINGS.ctpe.embeddings, *ctpe.EMBEDDINGS_BESIDE))),
    ctpe.POSITIONS: tuple(published.TABLE_5),
    ctpe.SAMPLING: tuple(published.TABLE_6),
    colde.MATCHING: (*_MATCHED, *ABLATIONS),
    colde.BATCH: _COLDE,
    colde.LENGTH: (*_COLDE, *(name for name in MATCHERS if name != SBERT)),
    colde.SHUFFLED: (*_COLDE, *_MATCHED),
    **dict.fromkeys((keyvec.RETRIEVAL, keyvec.CLUSTERING), _SETTINGS.keyvec.rows),
    cdssm.LETTERS: cdssm.LETTER_COLUMNS,
    **{table: (row,) for table, row in cdssm.TABLES.items()},
    cdssm.COMPARISON: (*cdssm.TABLES.values(), *_SETTINGS.cdssm.peers),
}
"""The rows of each rebuilt table that stand for something the papers name."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to run a system.

    `command` is what follows `python -m engine.research`, without the data, and `row` the row of a rebuilt table.
    `check` says why a name in it leads nowhere, and nothing where each is known.
    """

    command: str
    check: Callable[[], str] = field(compare=False)
    row: str = ""


def as_row(name: str) -> Way:
    """Return a row of `evaluate`, by its name; one over another, as "wmd(glove-full)=FOLDER", may name a folder."""

    def check() -> str:
        return _unless(name in ROWS.names() or ROWS.again(name) is not None, "a row of evaluate", name)

    return Way(shlex.join(["evaluate", "--encoders", name]), check)


def as_pairs(name: str) -> Way:
    """Return a row of `match`, which tells pairs of long documents, by its name."""
    return Way(f"match --encoders {name}", lambda: _unless(name in matched_names(), "a row of match", name))


def as_folder(name: str, reading: str = "tokens") -> Way:
    """Return a row of `evaluate` with the folder of a model that a user brings, and how the model is read."""
    command = f"evaluate --encoders {name}={FOLDER}{':' if reading else ''}{reading}"
    return Way(command, lambda: _unless(reading in READINGS, "a reading of a folder", reading))


def as_recipe(name: str, settings: tuple[str, ...] = ()) -> Way:
    """Return a recipe of `train` with changes to its values; a matcher's row of `match` takes its folder."""
    return Way(shlex.join(["train", name, *_changes(settings)]), lambda: _refusal(lambda: RECIPES.load(name, settings)))


def as_matcher(kind: str) -> Way:
    """Return a kind of matcher, by the recipe that trains it."""
    name = f"matcher-{kind}"

    def check() -> str:
        if name not in RECIPES.names():
            return _unless(False, "a kind of matcher with a recipe", kind)
        recipe = RECIPES.load(name)
        fits = isinstance(recipe, MatcherRecipe) and recipe.kind == kind
        return _unless(fits, f"a recipe of the kind {kind}", name)

    return Way(f"train {name}", check)


def in_table(table: str, row: str, settings: tuple[str, ...] = ()) -> Way:
    """Return a row of a table that `tables` makes, with changes to how tables are made."""

    def check() -> str:
        if table not in ROWS_OF:
            return _unless(False, f"a table among {', '.join(ROWS_OF)}", table)
        refused = _refusal(
            lambda: config.from_mapping(config.with_settings({}, settings), PaperSettings, origin="--set")
        )
        return refused or _unless(row in ROWS_OF[table], f"a row of {table}", row)

    return Way(shlex.join(["tables", "--tables", table, *_changes(settings)]), check, row)


def _refusal(read: Callable[[], object]) -> str:
    """Return what is wrong with settings; empty where they can be read."""
    try:
        read()
    except ConfigError as error:
        return str(error)
    return ""


def _changes(settings: Sequence[str]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def _unless(known: bool, wanted: str, given: str) -> str:
    return "" if known else f"Expected {wanted}, got {given!r}."
