"""What a sentence-transformers folder says about turning a text into a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import files
from engine.encoders.pooling import POOLS
from engine.errors import EncoderError

MODULES = "modules.json"
_READ = ("Transformer", "Pooling", "Normalize")
_CONFIG, _WHOLE, _LENGTHS = "config.json", "config_sentence_transformers.json", "sentence_*_config.json"
_MODE = "pooling_mode"
_SHORT = {"cls": "cls_token", "max": "max_tokens", "mean": "mean_tokens", "mean_sqrt_len": "mean_sqrt_len_tokens"}
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


def read_settings(folder: Path) -> tuple[Path, SentenceSettings]:
    """Where the folder keeps its transformer, and how rows are made. Raises EncoderError for unsupported settings.

    Classes that the folder names are never imported: modules are known by their names. Raises StorageError for a file
    that is missing or damaged.
    """
    places = _places(folder)
    transformer = places["Transformer"]
    lengths: Any = next((files.read_json(path) for path in sorted(transformer.glob(_LENGTHS))), {})
    whole: Any = files.read_json(folder / _WHOLE) if (folder / _WHOLE).exists() else {}
    pooling = files.read_json(places["Pooling"] / _CONFIG)
    for name, value in ((_LENGTHS, lengths), (_WHOLE, whole), (f"{places['Pooling'].name}/{_CONFIG}", pooling)):
        if not isinstance(value, dict):
            raise EncoderError(f"Expected settings by name in {name} of {folder}, got {value!r:.40}. Save it again.")
    asks, answers = _prompt(whole, _ASKS), _prompt(whole, _ANSWERS)
    if (asks or answers) and not pooling.get("include_prompt", True):
        raise EncoderError(
            f"Expected prompts that count as text in {folder}, got some that do not. Name another model."
        )
    by = whole.get("similarity_fn_name") or "cosine"
    if by not in ("cosine", "dot"):
        raise EncoderError(f"Expected rows compared by cosine or dot in {folder}, got {by!r}. Name another model.")
    return transformer, SentenceSettings(
        pools=_pools(pooling, folder),
        max_tokens=lengths.get("max_seq_length"),
        lower_case=bool(lengths.get("do_lower_case", False)),
        unit_length="Normalize" in places or by == "cosine",
        query_prompt=asks,
        document_prompt=answers,
    )


def _places(folder: Path) -> dict[str, Path]:
    """Each module's folder by the last word of its class. Raises EncoderError for unsupported modules."""
    modules = files.read_json(folder / MODULES)
    try:
        places = {str(one["type"]).rpartition(".")[2]: (folder / str(one["path"])) for one in modules}
    except (KeyError, TypeError):
        places = {}
    if list(places) not in (list(_READ), list(_READ[:2])):
        raise EncoderError(
            f"Expected the modules {', '.join(_READ[:2])} and perhaps {_READ[2]} in {folder / MODULES}, found "
            f"{', '.join(places) or 'none'}. Name a model that is made of these."
        )
    outside = [place for place in places.values() if not place.resolve().is_relative_to(folder.resolve())]
    if outside:
        raise EncoderError(f"Expected every module within {folder}, got {outside[0]}. Take the model's whole folder.")
    return places


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


def _prompt(settings: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """The prompt under the first of these names found, or the folder's default."""
    prompts = settings.get("prompts") or {}
    default = prompts.get(settings.get("default_prompt_name") or "", "")
    return str(next((prompts[name] for name in names if name in prompts), default))
