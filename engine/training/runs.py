"""Recipes by name or path: which method one is of, and its run from corpora on disk to an encoder's folder."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
from filelock import FileLock

from engine.core import config, files, provenance
from engine.core.errors import ConfigError
from engine.core.progress import Report, silent
from engine.encoders import WordVectors
from engine.training import corpora
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.colde.recipe import ColdeRecipe
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.run_folder import Folders
from engine.training.settings import Recipe, WordsRecipe
from engine.training.student.recipe import PassagesRecipe, StudentRecipe
from engine.training.word2vec import Word2vecRecipe


@dataclass(frozen=True, slots=True)
class Method:
    """The type of a method's recipes, the module whose `train` runs one, and what becomes of its epochs.

    Epochs are "scored" on valid queries of benchmarks or "unscored". Word vectors are trained in one go, so their
    epochs are "unkept".
    """

    recipe: type[Recipe | WordsRecipe]
    trainer: str
    epochs: Literal["scored", "unscored", "unkept"]


METHODS: Mapping[str, Method] = {
    "cdssm": Method(CdssmRecipe, "engine.training.cdssm.trainer", "scored"),
    "colde": Method(ColdeRecipe, "engine.training.colde.trainer", "unscored"),
    "ctpe": Method(CtpeRecipe, "engine.training.ctpe.trainer", "scored"),
    "keyvec": Method(KeyvecRecipe, "engine.training.keyvec.trainer", "scored"),
    "passages": Method(PassagesRecipe, "engine.training.student.passages", "unscored"),
    "student": Method(StudentRecipe, "engine.training.student.trainer", "scored"),
    "word2vec": Method(Word2vecRecipe, "engine.training.word2vec", "unkept"),
}


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipes in `folders`, of `methods` by name."""

    methods: Mapping[str, Method]
    folders: tuple[Path, ...]

    def names(self) -> tuple[str, ...]:
        """Return every recipe that can be asked for by name."""
        return tuple(sorted(self._paths()))

    def load(self, name: str, settings: Sequence[str] = ()) -> Any:  # noqa: ANN401  of the type of its method
        """Return the recipe of a name, or of a .toml file, with each "key.sub=value" of `settings` put in its place.

        Raises ConfigError for an unknown name, and for every wrong key and value at once.
        """
        paths = self._paths()
        is_path = name.endswith(".toml")
        if not is_path and name not in paths:
            raise ConfigError(
                f"Expected a recipe among {', '.join(sorted(paths))}, or the path of a .toml file; got {name!r}."
            )
        path = Path(name) if is_path else paths[name]
        values = config.with_settings(config.read_toml(path), settings)
        method = str(values.get("method", ""))
        if method not in self.methods:
            known = ", ".join(map(repr, self.methods))
            raise ConfigError(f"{path.name}: method must be one of {known}, got {method!r}.")
        return config.from_mapping(values, self.methods[method].recipe, origin=path.name)

    def epochs_of(self, recipe: Recipe | WordsRecipe) -> str:
        """Return what becomes of the recipe's epochs, as of `Method`."""
        return self.methods[recipe.method].epochs

    def train(
        self,
        recipe: Recipe,
        folders: Folders,
        *,
        resume: bool = False,
        score: object = None,
        report: Report = silent,
    ) -> Any:  # noqa: ANN401  an encoder with facts and save
        """Train an encoder; `score` scores an epoch, where they are scored. None if another process writes it.

        Word vectors that a recipe of C-DSSM wants of another length are trained first, and kept in the cache. Raises
        EngineError as the method's trainer does.
        """
        more: dict[str, Any] = {"score": score} if self.epochs_of(recipe) == "scored" else {}
        if isinstance(recipe, CdssmRecipe) and recipe.vectors.dim and recipe.reads_words:
            words = self.load(recipe.vectors.recipe, [f"dim={recipe.vectors.dim}"])
            place = folders.cache / Path(recipe.vectors.recipe).stem
            more["words"] = self.keep_words(words, folders.data, place, report=report)
        trainer = import_module(self.methods[recipe.method].trainer)  # torch is slow to import
        return trainer.train(recipe, folders, resume=resume, report=report, **more)

    def train_words(self, recipe: WordsRecipe, data: Path, *, report: Report = silent) -> WordVectors:
        """Train word vectors on the corpora in `data`. Raises InputError if one is missing."""
        digests = corpora.digests(recipe.corpora, data)
        trainer = import_module(self.methods[recipe.method].trainer)
        texts = (document.text for _, document in corpora.documents_of(recipe.corpora, data, report))
        trained = trainer.train(texts, recipe, report=report)
        facts = {
            "recipe": dataclasses.asdict(recipe),
            "corpora_sha256": digests,
            "documents": trained.documents,
            "tokens": trained.tokens,
            "words": len(trained.words),
            "seconds": round(trained.seconds),
            "hardware": provenance.hardware(),
            "commit": provenance.commit(),
            "repeatable": trainer.REPEATABLE,
        }
        vectors = trained.vectors.astype(np.float16)
        return WordVectors(trained.words, vectors, trained.counts, trained.tokens, recipe.corpora, facts)

    def keep_words(self, recipe: WordsRecipe, data: Path, place: Path, *, report: Report = silent) -> Path:
        """Return the folder of word vectors by a recipe: `place`, its name with a digest of the recipe and its corpora.

        They are trained unless they are there; a process waits for another one that trains them. Raises ConfigError for
        a recipe of an encoder, and InputError if a corpus is missing.
        """
        if self.epochs_of(recipe) != "unkept":
            raise ConfigError(f"Expected a recipe of word vectors, got one of {recipe.method}. Name word2vec-full.")
        read = corpora.digests(recipe.corpora, data)
        text = json.dumps([dataclasses.asdict(recipe), read], sort_keys=True, default=str)
        folder = place.with_name(f"{place.name}-{files.fingerprint(text)}")
        files.make_private_folder(place.parent)
        with FileLock(folder.with_name(f"{folder.name}.lock")):
            if not folder.exists():
                self.train_words(recipe, data, report=report).save(folder)
        return folder

    def _paths(self) -> dict[str, Path]:
        return {path.stem: path for folder in self.folders for path in folder.glob("*.toml")}


FOLDER = Path(__file__).resolve().parent / "recipes"
SHIPPED = Recipes(METHODS, (FOLDER,))
"""The recipes of what a user trains."""
