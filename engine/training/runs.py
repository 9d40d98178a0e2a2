"""Runs a recipe: from corpora on disk to the folder of an encoder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from engine import config, files, provenance
from engine.encoders.word_vectors import WordVectors
from engine.errors import ConfigError, InputError
from engine.progress import Meter, Report, silent
from engine.readers import iter_documents
from engine.training.word2vec import TrainedWords, Word2vecRecipe, train

RECIPES = Path(__file__).resolve().parent / "recipes"
CORPUS = "corpus.parquet"


def recipe_names() -> tuple[str, ...]:
    """Every recipe that comes with the program."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


def load_recipe(name: str) -> Word2vecRecipe:
    """The recipe of a name. Raises ConfigError for an unknown one."""
    if name not in recipe_names():
        raise ConfigError(f"Expected a recipe among {', '.join(recipe_names())}, got {name!r}.")
    return config.load_toml(RECIPES / f"{name}.toml", Word2vecRecipe)


def run(recipe: Word2vecRecipe, data: Path, *, report: Report = silent) -> WordVectors:
    """Train word vectors on the corpora in `data`. Raises InputError where one is missing."""
    digests = _digests(recipe, data)
    trained = train(_texts(recipe, data, report), recipe, report=report)
    return as_shipped(trained, recipe, digests)


def as_shipped(trained: TrainedWords, recipe: Word2vecRecipe, digests: Mapping[str, str]) -> WordVectors:
    """Trained words in half precision, with what a reader needs to judge or repeat the run."""
    facts = {
        "recipe": dataclasses.asdict(recipe),
        "corpora_sha256": dict(digests),
        "documents": trained.documents,
        "tokens": trained.tokens,
        "words": len(trained.words),
        "seconds": round(trained.seconds),
        "hardware": provenance.hardware(),
        "commit": provenance.commit(),
        "repeatable": "With more than one worker two runs of the same recipe differ slightly.",
    }
    vectors = trained.vectors.astype(np.float16)
    return WordVectors(trained.words, vectors, trained.counts, trained.tokens, recipe.corpora, facts)


def _digests(recipe: Word2vecRecipe, data: Path) -> dict[str, str]:
    missing = [name for name in recipe.corpora if not (data / name / CORPUS).is_file()]
    if missing:
        raise InputError(
            f"Expected a folder with {CORPUS} for each of {', '.join(recipe.corpora)} in {data}; missing: "
            f"{', '.join(missing)}. Name the folder that holds them all."
        )
    return {name: files.sha256_file(data / name / CORPUS) for name in recipe.corpora}


def _texts(recipe: Word2vecRecipe, data: Path, report: Report) -> Iterator[str]:
    for name in recipe.corpora:
        meter = Meter(f"read {name}", None, report)
        for document in iter_documents(data / name / CORPUS):
            yield document.text
            meter.add()
        meter.finish()
