"""What a sentence-transformers folder says about turning a text into a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core import files
from engine.core.errors import EncoderError
from engine.encoders.dense_layers import activation_of
from engine.encoders.pooling import POOLS

MODULES = "modules.json"
LONGEST_TOKENS = 512
"""How many tokens are read where a folder names no limit."""

_WORDS = "StaticEmbedding"
_READ = re.compile(rf"(Transformer Pooling( Dense)*|{_WORDS})( Normalize)?")
_CONFIG, _WHOLE, _LENGTHS = "config.json", "config_sentence_transformers.json", "sentence_*_config.json"
_MODE = "pooling_mode"
_SHORT = {
    "cls": "cls_token",
    "max": "max_tokens",
    "mean": "mean_tokens",
    "mean_sqrt_len": "mean_sqrt_len_tokens",
    "weightedmean": "weightedmean_tokens",
}
_MOST_TOKENS = 100_000  # a larger limit is transformers' word for none
_ASKS, _ANSWERS = ("query",), ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class SentenceSettings:
    """How rows are made: which token vectors count, whether a row has unit length, and what prefixes a text.

    `max_tokens` is None where the folder names no limit. Rows have unit length where the folder says so, or where it
    compares by cosine, its default.
    """

    pools: tuple[str, ...]
    max_tokens: int | None = None
    lower_case: bool = False
    unit_length: bool = True
    query_prompt: str = ""
    document_prompt: str = ""
    dense: tuple[str, ...] = ()
    """The activation of each layer that a pooled row goes through (`engine.encoders.dense_layers`)."""


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a model's modules; `words` says that its first is a table of words, with no network."""

    first: Path
    dense: tuple[Path, ...] = ()
    words: bool = False


def read_settings(folder: Path) -> tuple[Places, SentenceSettings]:
    """Where the folder keeps its modules, and how rows are made. Raises EncoderError for unsupported settings.

    Classes that the folder names are never imported: modules are known by their names. Raises StorageError for a file
    that is missing or damaged.
    """
    modules = _modules(folder)
    whole = _table(folder / _WHOLE, optional=True)
    by = whole.get("similarity_fn_name") or "cosine"
    if by not in ("cosine", "dot"):
        raise EncoderError(f"Expected rows compared by cosine or dot in {folder}, got {by!r}. Name another model.")
    unit_length = "Normalize" in modules or by == "cosine"
    asks, answers = _prompt(whole, _ASKS, folder), _prompt(whole, _ANSWERS, folder)
    if _WORDS in modules:
        told = SentenceSettings(("mean_tokens",), None, False, unit_length, asks, answers)
        return Places(modules[_WORDS][0], words=True), told
    (transformer,), (pooled,) = modules["Transformer"], modules["Pooling"]
    dense = tuple(modules.get("Dense", ()))
    lengths = next((_table(path) for path in sorted(transformer.glob(_LENGTHS))), {})
    pooling = _table(pooled / _CONFIG)
    if (asks or answers) and not pooling.get("include_prompt", True):
        raise EncoderError(
            f"Expected prompts that count as text in {folder}, got some that do not. Name another model."
        )
    return Places(transformer, dense), SentenceSettings(
        pools=_pools(pooling, folder),
        max_tokens=_limit(lengths, folder) or _tokenizers_limit(transformer),
        lower_case=bool(lengths.get("do_lower_case", False)),
        unit_length=unit_length,
        query_prompt=asks,
        document_prompt=answers,
        dense=tuple(map(activation_of, dense)),
    )


def module_kinds(folder: Path) -> list[tuple[str, Path]]:
    """The last word of each module's class and its folder, in order; empty where the list cannot be read.

    Raises EncoderError for a module outside the folder, StorageError where the list is missing or damaged.
    """
    listed = files.read_json(folder / MODULES)
    try:
        found = [(str(one["type"]).rpartition(".")[2], folder / str(one["path"])) for one in listed]
    except (KeyError, TypeError):
        return []
    outside = [place for _, place in found if not place.resolve().is_relative_to(folder.resolve())]
    if outside:
        raise EncoderError(f"Expected every module within {folder}, got {outside[0]}. Take the model's whole folder.")
    return found


def _modules(folder: Path) -> dict[str, list[Path]]:
    """The folders of each kind of module. Raises EncoderError for unsupported modules."""
    found = module_kinds(folder)
    kinds = [kind for kind, _ in found]
    if not _READ.fullmatch(" ".join(kinds)):
        raise EncoderError(
            f"Expected the modules Transformer, Pooling and perhaps Dense and Normalize, or {_WORDS}, in "
            f"{folder / MODULES}, found {', '.join(kinds) or 'none'}. Name a model that is made of these."
        )
    return {kind: [place for name, place in found if name == kind] for kind in kinds}


def _table(path: Path, *, optional: bool = False) -> dict[str, Any]:
    """A file's settings by name. Raises EncoderError for another value, StorageError for a missing or damaged file."""
    if optional and not path.exists():
        return {}
    found = files.read_json(path)
    if not isinstance(found, dict):
        place = f"{path.name} of {path.parent}"
        raise EncoderError(f"Expected settings by name in {place}, got {found!r:.40}. Save it again.")
    return found


def _limit(lengths: Mapping[str, Any], folder: Path) -> int | None:
    """How many tokens the folder has read at most; None where it names no number."""
    given = lengths.get("max_seq_length")
    if given is not None and not (type(given) is int and given > 0):
        raise EncoderError(f"Expected a max_seq_length of at least 1 in {folder}, got {given!r:.40}. Mend it there.")
    return given


def _tokenizers_limit(folder: Path) -> int | None:
    """The longest text that a tokenizer's settings name; None where they name none, or a placeholder of many digits."""
    path = folder / "tokenizer_config.json"
    limit = _table(path, optional=True).get("model_max_length")
    return limit if isinstance(limit, int) and 0 < limit <= _MOST_TOKENS else None


def _pools(settings: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
    """The ways of pooling that are switched on, under their older or newer names."""
    named = settings.get(_MODE, ())
    given = [_SHORT.get(one, one) for one in ([named] if isinstance(named, str) else named)]
    switched = [key.removeprefix(f"{_MODE}_") for key, on in settings.items() if key.startswith(f"{_MODE}_") and on]
    wanted = {*given, *switched}
    if not wanted or not wanted <= POOLS.keys():
        raise EncoderError(
            f"Expected a pooling among {', '.join(POOLS)} in {folder}, got {', '.join(sorted(wanted)) or 'none'}. "
            "Name another model."
        )
    return tuple(name for name in POOLS if name in wanted)


def _prompt(settings: Mapping[str, Any], names: tuple[str, ...], folder: Path) -> str:
    """The prompt under the first of these names found, or the folder's default."""
    prompts = settings.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(one, str) for one in prompts.values()):
        raise EncoderError(f"Expected prompts by name in {folder}, got {prompts!r:.60}. Mend them there.")
    default = prompts.get(str(settings.get("default_prompt_name") or ""), "")
    return str(next((prompts[name] for name in names if name in prompts), default))
