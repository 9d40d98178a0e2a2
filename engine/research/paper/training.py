"""Encoders that the papers' tables need and Priorscope does not ship: trained once by their recipes, then reused."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

from engine.core import files
from engine.evaluation import Validation
from engine.research.paper.work import Work
from engine.research.train import RECIPES
from engine.training import Folders, corpora
from engine.training.settings import Recipe

ABLATIONS = ("keyvec-read-only", "keyvec-enc-only")
"""KeyVec's, each by the recipe of its name; without L_enc a document's vector is what the reader's states give."""


def trained(work: Work, name: str, recipe: str, settings: Sequence[str] = ()) -> Path:
    """The folder of an encoder: the one given for its name, else one trained by a recipe with these settings.

    A training that was stopped goes on. Raises EngineError if the data are not there.
    """
    if name in work.trained:
        return work.trained[name]
    made = RECIPES.load(recipe, [f"seed={work.settings.seed}", *settings])
    folder = _folder(work, name, made, made.data.corpora)
    if not folder.exists():
        run = folder.with_name(f"{folder.name}-run")
        folders = Folders(work.data, run, work.cache)
        score = Validation.of(made.data, work.data) if RECIPES.epochs_of(made) == "scored" else None
        encoder = RECIPES.train(made, folders, resume=run.exists(), score=score, report=work.report)
        if encoder is not None:  # else another process writes
            encoder.save(folder)
    return folder


def keyvec_row(work: Work, name: str) -> str:
    """The row of a name, an ablation of KeyVec with its folder. Raises EngineError for one that cannot be trained."""
    if name in ABLATIONS:
        return f"{name}={trained(work, name, name, work.settings.keyvec.settings)}"
    return work.row_of(name)


def trained_words(work: Work, name: str, settings: Sequence[str] = ()) -> Path:
    """The folder of word vectors: the one given for their name, else those trained by that recipe with these settings.

    Several tables need them: a process waits for another one that trains them. Raises EngineError if the data are
    not there.
    """
    if name in work.trained:
        return work.trained[name]
    recipe = RECIPES.load(name, [f"seed={work.settings.seed}", *settings])
    return RECIPES.keep_words(recipe, work.data, work.encoders / name, report=work.report)


def _folder(work: Work, name: str, recipe: Recipe, read: Sequence[str]) -> Path:
    """The folder of what a recipe makes of its corpora."""
    digests, told = corpora.digests(read, work.data), dataclasses.asdict(recipe)
    if told.get("head", {}).get("late_best") == 1:
        del told["head"]["late_best"]  # what is not used makes no other encoder
    place = files.fingerprint(json.dumps([told, digests], sort_keys=True, default=str))
    return work.encoders / f"{name}-{place}"
