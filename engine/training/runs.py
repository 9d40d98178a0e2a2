"""Recipes by name or path: which method one is of, and its run from corpora on disk to an encoder's folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from engine import config, provenance
from engine.encoders.word_vectors import WordVectors
from engine.errors import ConfigError
from engine.progress import Meter, Report, silent
from engine.readers import iter_documents
from engine.research.baselines import glove
from engine.research.baselines.glove import GloveRecipe
from engine.research.matchers.recipe import MatcherRecipe
from engine.training import corpora, word2vec
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.colde.recipe import ColdeRecipe
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.student.recipe import StudentRecipe
from engine.training.word2vec import TrainedWords, Word2vecRecipe

RECIPES = Path(__file__).resolve().parent / "recipes"
WordsRecipe = GloveRecipe | Word2vecRecipe
ScoredRecipe = CdssmRecipe | CtpeRecipe | KeyvecRecipe | StudentRecipe
"""Recipes whose epochs may be scored on valid queries of benchmarks."""

Recipe = ScoredRecipe | ColdeRecipe | MatcherRecipe | WordsRecipe

METHODS: Mapping[str, type[Recipe]] = {
    "cdssm": CdssmRecipe,
    "colde": ColdeRecipe,
    "ctpe": CtpeRecipe,
    "glove": GloveRecipe,
    "keyvec": KeyvecRecipe,
    "matcher": MatcherRecipe,
    "student": StudentRecipe,
    "word2vec": Word2vecRecipe,
}


def recipe_names() -> tuple[str, ...]:
    """Every recipe that comes with the program."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


def load_recipe(name: str, settings: Sequence[str] = ()) -> Recipe:
    """The recipe of a name, or of a .toml file, with each "key.sub=value" of `settings` put in its place.

    Raises ConfigError for an unknown name, and for every wrong key and value at once.
    """
    is_path = name.endswith(".toml")
    if not is_path and name not in recipe_names():
        raise ConfigError(
            f"Expected a recipe among {', '.join(recipe_names())}, or the path of a .toml file; got {name!r}."
        )
    path = Path(name) if is_path else RECIPES / f"{name}.toml"
    values = config.with_settings(config.read_toml(path), settings)
    method = str(values.get("method", ""))
    if method not in METHODS:
        raise ConfigError(f"{path.name}: method must be one of {', '.join(map(repr, METHODS))}, got {method!r}.")
    recipe: Recipe = config.from_mapping(values, METHODS[method], origin=path.name)
    return recipe


def run(recipe: WordsRecipe, data: Path, *, report: Report = silent) -> WordVectors:
    """Train word vectors on the corpora in `data`. Raises InputError where one is missing."""
    digests = corpora.digests(recipe.corpora, data)
    texts = _texts(recipe, data, report)
    if isinstance(recipe, GloveRecipe):
        trained = glove.train(texts, recipe, report=report)
    else:
        trained = word2vec.train(texts, recipe, report=report)
    return as_shipped(trained, recipe, digests)


def as_shipped(trained: TrainedWords, recipe: WordsRecipe, digests: Mapping[str, str]) -> WordVectors:
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
        "repeatable": _REPEATABLE[recipe.method],
    }
    vectors = trained.vectors.astype(np.float16)
    return WordVectors(trained.words, vectors, trained.counts, trained.tokens, recipe.corpora, facts)


_REPEATABLE = {
    "glove": "Two runs of the same recipe on one machine agree.",
    "word2vec": "With more than one worker two runs of the same recipe differ slightly.",
}


def _texts(recipe: WordsRecipe, data: Path, report: Report) -> Iterator[str]:
    for name in recipe.corpora:
        meter = Meter(f"read {name}", None, report)
        for document in iter_documents(data / name / corpora.CORPUS):
            yield document.text
            meter.add()
        meter.finish()
