"""What a run folder says of its run: recipe, commit, data, what it begins with, seed and hardware."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine import encoders
from engine.core import files, provenance
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, EngineError, InputError, TrainingError
from engine.encoders import WordVectors
from engine.training.settings import Recipe

RUN = "run.json"
_MAY_CHANGE = frozenset({"schedule.patience", "schedule.checkpoint_minutes"})  # when a run goes on
_SOURCES = "sources"
_EPOCHS, _DECAY, _CONSTANT = "schedule.epochs", "decay", "constant"
"""So may the number of epochs, unless the learning rate falls towards the last one: it would have been another."""
_GONE: dict[str, dict[str, Any]] = {
    "data": {"coherence": "", "coherence_documents": 5_000},
    "backbone": {"embedding_spread": 0.02},
    "objective": {"feature_dropout": 0.0, "near_strangers": 0, "straight": 0.0},
    "pairs": {"fresh_cuts": []},
}
"""Keys that recipes had once, with the values under which a run is the same without them."""
_KEYS = frozenset({"source", "words"})
"""What recipes call a folder of weights, or a name that stands for one."""


def folder_of(source: str) -> Path:
    """Return the folder of that name in pretrained/, else the path, whether or not it exists."""
    shipped = encoders.PRETRAINED / source
    return shipped if shipped.is_dir() else Path(source)


def open_words(source: str) -> WordVectors:
    """Load the word vectors in a folder of pretrained/ or at a path. Raises InputError if the folder is missing."""
    folder = folder_of(source)
    if not folder.is_dir():
        raise InputError(
            f"Expected word vectors in {source}, a folder of pretrained/ or a path; there is none. "
            "Train them: priorscope train word2vec-full."
        )
    return WordVectors.load(folder)


@dataclasses.dataclass(frozen=True, slots=True)
class Folders:
    """Where corpora lie, where the run is kept, and where what is read of them is kept for the next run."""

    data: Path
    run: Path
    cache: Path


def open_run(
    folder: Path,
    recipe: Recipe,
    digests: Mapping[str, str],
    *,
    resume: bool,
    writes: bool = True,
    may_change: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Begin a run in a folder, or go on with the one that is there; gives what run.json says of it.

    `may_change` names keys of the recipe, beside the schedule's, that only matter when training is over.
    A run that ended before its first checkpoint, such as one without its word vectors, is not gone on with.
    Raises TrainingError if the folder holds a run and `resume` is not asked for, or one of another recipe, other
    data, or other word vectors, transformers or teachers under the same name.
    """
    plain = _plain(recipe)
    facts = {
        "recipe": plain,
        "seed": recipe.seed,
        "corpora_sha256": dict(digests),
        _SOURCES: source_digests(plain),
        "commit": provenance.commit(),
        "hardware": provenance.hardware(),
    }
    if _begun(folder) and writes:
        if not resume:
            raise TrainingError(
                f"Expected a new run folder, found a run in {folder}. Add --resume to go on with it, or name another."
            )
        schedule = plain.get("schedule", {})
        epochs = {_EPOCHS} if schedule.get(_DECAY, _CONSTANT) == _CONSTANT else frozenset()
        may = _MAY_CHANGE | may_change | epochs
        _require_same(_with_defaults(files.read_json(folder / RUN), type(recipe)), facts, may)
    if writes:
        files.write_json(folder / RUN, facts)
    return facts


def _begun(folder: Path) -> bool:
    """Tell whether a folder holds a run with something to go on with."""
    return (folder / RUN).exists() and any(entry.name != RUN for entry in folder.iterdir())


def _with_defaults(run: dict[str, Any], kind: type[Recipe]) -> dict[str, Any]:
    """Return what run.json says; an older recipe gets the keys that came later, and loses those that went."""
    given = dict(run.get("recipe", {}))
    for key, gone in _GONE.items():
        if isinstance(table := given.get(key), dict):
            given[key] = {name: value for name, value in table.items() if name not in gone or value != gone[name]}
    try:
        recipe = from_mapping(given, kind, origin=RUN)
    except ConfigError as error:
        raise TrainingError(f"Expected a run that can be gone on with: {error} Train in another run folder.") from None
    return {**run, "recipe": _plain(recipe)}


def _plain(recipe: Recipe) -> dict[str, Any]:
    """Return a recipe as JSON holds it."""
    values: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(recipe)))
    return values


def _require_same(before: Mapping[str, Any], now: Mapping[str, Any], may_change: frozenset[str]) -> None:
    """Raise a TrainingError that names every key in which a run differed."""
    different = [
        name
        for part in ("recipe", "corpora_sha256")
        for name in _different(before.get(part, {}), now[part])
        if name not in may_change
    ]
    sources = before.get(_SOURCES, {})  # older runs did not say
    different += [f"what lies in {name}" for name, one in now[_SOURCES].items() if sources.get(name, one) != one]
    if different:
        raise TrainingError(
            f"Expected to go on with the same run, but these differ: {', '.join(different)}. "
            "Put them back, or train in another run folder."
        )


def _different(before: Any, now: Any, prefix: str = "") -> list[str]:  # noqa: ANN401  values of JSON
    if not isinstance(before, dict) or not isinstance(now, dict):
        return [] if before == now else [prefix.rstrip(".")]
    keys = sorted(before.keys() | now.keys())
    return [name for key in keys for name in _different(before.get(key), now.get(key), f"{prefix}{key}.")]


def source_digests(recipe: Mapping[str, Any]) -> dict[str, str]:
    """Return a digest of the weights in each folder that a recipe, as JSON holds it, names, by key ("vectors.source").

    Leaves out a source that is not a folder here, such as a transformer's name at a hub: the recipe's text names it.
    """
    found = {}
    for key, name in _sources(recipe):
        folder = _folder(name)
        weights = sorted(folder.glob("*.safetensors")) if folder is not None else []
        if weights:
            found[key] = files.fingerprint(*(part for one in weights for part in (one.name, files.sha256_file(one))))
    return found


def _sources(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Return the keys that name a source, at any depth, with their values."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _sources(value, f"{prefix}{key}.")
        elif key in _KEYS and isinstance(value, str) and value:
            yield f"{prefix}{key}", value


def _folder(name: str) -> Path | None:
    """Return the folder of a name in pretrained/, of the teacher's package, or at a path; None if there is none."""
    try:
        shipped = encoders.PRETRAINED / name
        folder = shipped if shipped.is_dir() else encoders.source_folder(name)
    except EngineError:
        return None  # the code that opens it reports what is wrong
    return folder if folder.is_dir() else None
