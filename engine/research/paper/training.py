"""Encoders that the papers' tables need and that nobody ships: trained by their recipes once, then found again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from filelock import FileLock

from engine import files
from engine.errors import EvaluationError
from engine.evaluation.validation import Validation
from engine.research.matchers.recipe import MatcherRecipe
from engine.research.paper.work import Work
from engine.training import corpora, runs
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.colde.recipe import ColdeRecipe
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.run_folder import Folders


def trained(work: Work, name: str, recipe: str, settings: Sequence[str] = ()) -> Path:
    """The folder of an encoder: the one given for its name, else one trained by a recipe with these settings.

    A training that was stopped goes on. Raises EngineError where the data are not there.
    """
    if name in work.trained:
        return work.trained[name]
    made: Any = runs.load_recipe(recipe, [f"seed={work.settings.seed}", *settings])
    folder = _folder(work, name, made, made.data.corpora)
    if not folder.exists():
        run = folder.with_name(f"{folder.name}-run")
        _train(made, Folders(work.data, run, work.cache), folder, work=work)
    return folder


def trained_words(work: Work, name: str) -> Path:
    """The folder of word vectors: the one given for their name, else those trained by the recipe of that name.

    Several tables need them: a process waits for another one that trains them. Raises EngineError where the data are
    not there.
    """
    if name in work.trained:
        return work.trained[name]
    recipe = cast(runs.WordsRecipe, runs.load_recipe(name, [f"seed={work.settings.seed}"]))
    folder = _folder(work, name, recipe, recipe.corpora)
    work.encoders.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not folder.exists():
            runs.run(recipe, work.data, report=work.report).save(folder)
    return folder


def _folder(work: Work, name: str, recipe: runs.Recipe, read: Sequence[str]) -> Path:
    """Where what a recipe makes of the corpora that it reads stands."""
    digests = corpora.digests(read, work.data)
    place = files.fingerprint(json.dumps([dataclasses.asdict(recipe), digests], sort_keys=True, default=str))
    return work.encoders / f"{name}-{place}"


def _train(recipe: object, folders: Folders, out: Path, *, work: Work) -> None:
    """Train by a recipe of any method that the tables have, and save it."""
    resume = folders.run.exists()
    encoder: Any
    if isinstance(recipe, CdssmRecipe):
        from engine.training.cdssm import trainer as cdssm  # torch is slow to import

        valid = Validation.load(recipe.data.valid, work.data, metric=recipe.data.metric) if recipe.data.valid else None
        encoder = cdssm.train(recipe, folders, resume=resume, score=valid, report=work.report)
    elif isinstance(recipe, KeyvecRecipe):
        from engine.training.keyvec import trainer as keyvec

        valid = Validation.load(recipe.data.valid, work.data, metric=recipe.data.metric) if recipe.data.valid else None
        encoder = keyvec.train(recipe, folders, resume=resume, score=valid, report=work.report)
    elif isinstance(recipe, ColdeRecipe):
        from engine.training.colde import trainer as colde

        encoder = colde.train(recipe, folders, resume=resume, report=work.report)
    elif isinstance(recipe, MatcherRecipe):
        from engine.research.matchers import trainer

        encoder = trainer.train(recipe, folders, resume=resume, report=work.report)
    else:
        raise EvaluationError(f"Expected a recipe of C-DSSM, KeyVec, CoLDE or a matcher, got {type(recipe).__name__}.")
    if encoder is not None:  # else another process writes
        encoder.save(out)
