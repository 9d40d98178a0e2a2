"""A sentence-transformers folder, read as it says without that library: its settings, modules and encoders."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.processor import ComputePrecision
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import MAX_TOKENS, POOLS, TransformerMeanEncoder

WEIGHTS = "model.safetensors"
_WEIGHT, _BIAS = "linear.weight", "linear.bias"
MODULES = "modules.json"
LONGEST_TOKENS = 512
"""How many tokens are read where a folder names no limit."""
_WORDS = "StaticEmbedding"
_READ = re.compile(rf"(Transformer Pooling( Dense)*|{_WORDS})( Normalize)?")
CONFIG, _WHOLE, _LENGTHS = "config.json", "config_sentence_transformers.json", "sentence_*_config.json"
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
METHOD = "static-embedding/1"
SUMMARY = "The mean of word vectors of another's model. Choose it to compare with a quick model of your own."
_TOKENIZER = "tokenizer.json"
_NAMES = ("embedding.weight", "embeddings")
_TABLE = "table"
_MOST_TOKENIZER_BYTES = 64 << 20


def _gelu(rows: DenseRows) -> DenseRows:
    from scipy.special import erf

    return np.asarray(rows * 0.5 * (1.0 + erf(rows / np.sqrt(2.0))), np.float32)


ACTIVATIONS: Mapping[str, Callable[[DenseRows], DenseRows]] = {
    "Identity": lambda rows: rows,
    "Tanh": np.tanh,
    "ReLU": lambda rows: np.maximum(rows, 0),
    "GELU": _gelu,
}
"""By the last word of torch's class; a folder's class is never imported."""


@dataclass(frozen=True, slots=True)
class DenseLayer:
    """One layer: weight (out, in), bias (out,) or None, and the activation's name."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32] | None
    activation: str

    def __call__(self, rows: DenseRows) -> DenseRows:
        """Map rows (n, in) to (n, out)."""
        found = rows @ self.weight.T
        return np.asarray(ACTIVATIONS[self.activation](found if self.bias is None else found + self.bias), np.float32)


def activation_of(folder: Path) -> str:
    """Return the activation that a module's config names. Raises EncoderError for an unknown one, or StorageError."""
    config: Any = files.read_json(folder / CONFIG)
    named = config.get("activation_function", "Tanh") if isinstance(config, dict) else ""
    name = str(named).rpartition(".")[2]
    if name not in ACTIVATIONS:
        raise EncoderError(f"Expected an activation among {', '.join(ACTIVATIONS)} in {folder}, got {named!r:.60}.")
    return name


def read_layers(folders: Sequence[Path], activations: Sequence[str], width: int) -> tuple[DenseLayer, ...]:
    """Read the layers that follow a pooled row of `width` numbers; weights are safetensors.

    Raises EncoderError where weights are missing or do not follow one another.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    made = []
    for folder, activation in zip(folders, activations, strict=True):
        try:
            arrays = {name: array.float().numpy() for name, array in load_file(folder / WEIGHTS).items()}
        except (OSError, SafetensorError):
            raise EncoderError(
                f"Expected {WEIGHTS} in {folder}, found none that can be read. Take a version of the model with "
                "safetensors."
            ) from None
        made.append(_layer(arrays, activation, width, folder))
        width = len(made[-1].weight)
    return tuple(made)


def _layer(arrays: Mapping[str, NDArray[Any]], activation: str, width: int, folder: Path) -> DenseLayer:
    weight, bias = arrays.get(_WEIGHT), arrays.get(_BIAS)
    fits = weight is not None and weight.ndim == 2 and weight.shape[1] == width
    if weight is None or not fits or (bias is not None and bias.shape != weight.shape[:1]):
        shape = "none" if weight is None else "x".join(map(str, weight.shape))
        raise EncoderError(f"Expected a matrix for rows of {width} numbers in {folder}, got {shape}. Copy it again.")
    return DenseLayer(
        np.ascontiguousarray(weight, np.float32), None if bias is None else np.asarray(bias, np.float32), activation
    )


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
    """The activation of each layer that a pooled row goes through (`engine.encoders.sentence_transformer`)."""


@dataclass(frozen=True, slots=True)
class ModulePlaces:
    """The folders of a model's modules; `words` says that its first is a table of words, with no network."""

    first: Path
    dense: tuple[Path, ...] = ()
    words: bool = False


def read_settings(folder: Path) -> tuple[ModulePlaces, SentenceSettings]:
    """Return where the folder keeps its modules, and how rows are made. Raises EncoderError for unsupported settings.

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
        return ModulePlaces(modules[_WORDS][0], words=True), told
    (transformer,), (pooled,) = modules["Transformer"], modules["Pooling"]
    dense = tuple(modules.get("Dense", ()))
    lengths = next((_table(path) for path in sorted(transformer.glob(_LENGTHS))), {})
    pooling = _table(pooled / CONFIG)
    if (asks or answers) and not pooling.get("include_prompt", True):
        raise EncoderError(
            f"Expected prompts that count as text in {folder}, got some that do not. Name another model."
        )
    return ModulePlaces(transformer, dense), SentenceSettings(
        pools=_pools(pooling, folder),
        max_tokens=_limit(lengths, folder) or _tokenizers_limit(transformer),
        lower_case=bool(lengths.get("do_lower_case", False)),
        unit_length=unit_length,
        query_prompt=asks,
        document_prompt=answers,
        dense=tuple(map(activation_of, dense)),
    )


def module_kinds(folder: Path) -> list[tuple[str, Path]]:
    """Return the last word of each module's class and its folder, in order; empty where the list cannot be read.

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
    """Return the folders of each kind of module. Raises EncoderError for unsupported modules."""
    found = module_kinds(folder)
    kinds = [kind for kind, _ in found]
    if not _READ.fullmatch(" ".join(kinds)):
        raise EncoderError(
            f"Expected the modules Transformer, Pooling and perhaps Dense and Normalize, or {_WORDS}, in "
            f"{folder / MODULES}, found {', '.join(kinds) or 'none'}. Name a model that is made of these."
        )
    return {kind: [place for name, place in found if name == kind] for kind in kinds}


def _table(path: Path, *, optional: bool = False) -> dict[str, Any]:
    """Read settings by name. Raises EncoderError for another value, StorageError for a missing or damaged file."""
    if optional and not path.exists():
        return {}
    found = files.read_json(path)
    if not isinstance(found, dict):
        place = f"{path.name} of {path.parent}"
        raise EncoderError(f"Expected settings by name in {place}, got {found!r:.40}. Save it again.")
    return found


def _limit(lengths: Mapping[str, Any], folder: Path) -> int | None:
    """Return how many tokens the folder has read at most; None where it names no number."""
    given = lengths.get("max_seq_length")
    if given is not None and not (type(given) is int and given > 0):
        raise EncoderError(f"Expected a max_seq_length of at least 1 in {folder}, got {given!r:.40}. Mend it there.")
    return given


def _tokenizers_limit(folder: Path) -> int | None:
    """Return the longest text that a tokenizer's settings name; None for none, or for a placeholder of many digits."""
    path = folder / "tokenizer_config.json"
    limit = _table(path, optional=True).get("model_max_length")
    return limit if isinstance(limit, int) and 0 < limit <= _MOST_TOKENS else None


def _pools(settings: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
    """Return the ways of pooling that are switched on, under their older or newer names."""
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
    """Return the prompt under the first of these names found, or the folder's default."""
    prompts = settings.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(one, str) for one in prompts.values()):
        raise EncoderError(f"Expected prompts by name in {folder}, got {prompts!r:.60}. Mend them there.")
    default = prompts.get(str(settings.get("default_prompt_name") or ""), "")
    return str(next((prompts[name] for name in names if name in prompts), default))


class SentenceTransformerEncoder(TransformerMeanEncoder):
    """A text's first tokens, prompted, cut, pooled and scaled as the folder says.

    Queries and documents may have different prompts; neighbours of a library's document are sought with its document
    row.
    """

    name: ClassVar[str] = "sentence-transformer"
    method: ClassVar[str] = "sentence-transformer/1"
    summary: ClassVar[str] = (
        "A sentence encoder read as its folder says. Choose it to compare with a model of your own; it is slow."
    )

    def __init__(
        self,
        model: Transformer,
        *,
        max_tokens: int = MAX_TOKENS,
        trained_on: tuple[str, ...] = (),
        settings: SentenceSettings | None = None,
        layers: tuple[DenseLayer, ...] = (),
    ) -> None:
        """Take a transformer and how its token vectors make a row. Raises EncoderError if it reads fewer tokens."""
        self._how, self._layers = settings or SentenceSettings(("mean_tokens",)), layers
        super().__init__(model, max_tokens=max_tokens, trained_on=trained_on)
        self._pooled_dim = model.dim * len(self._how.pools)
        self._card = dataclasses.replace(self._card, dim=len(layers[-1].weight) if layers else self._pooled_dim)

    @classmethod
    def open(
        cls, name: str | Path, *, max_tokens: int | None = None, precision: ComputePrecision | None = None
    ) -> Self:
        """Read a folder; `max_tokens` replaces the folder's limit, within the model's.

        Raises EncoderError where the folder has unsupported parts or cannot be used, and StorageError where a file is
        missing or damaged.
        """
        places, settings = read_settings(Path(name))
        model = Transformer.open(places.first, precision=precision)
        layers = read_layers(places.dense, settings.dense, model.dim * len(settings.pools))
        own = settings.max_tokens or LONGEST_TOKENS
        most = min(own, model.max_tokens or own) if max_tokens is None else max_tokens
        return cls(model, max_tokens=most, trained_on=(Path(name).name,), settings=settings, layers=layers)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return self._rows(documents, self._how.query_prompt)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return self._rows(documents, self._how.document_prompt)

    def _rows(self, documents: Sequence[Document], prompt: str) -> DenseRows:
        texts = [(prompt + document.text).strip() for document in documents]
        if self._how.lower_case:
            texts = [text.lower() for text in texts]
        rows = self._pooled(self._model.tokens(texts, self._max_tokens), self._pooled_dim)
        for layer in self._layers:
            rows = layer(rows)
        return unit_length(rows) if self._how.unit_length else rows

    def _pool(self, vectors: DenseRows, lengths: NDArray[np.int64]) -> DenseRows:
        return np.concatenate([POOLS[name](vectors, lengths) for name in self._how.pools], axis=1)

    def _settings(self) -> dict[str, Any]:
        how = {**dataclasses.asdict(self._how), "pools": list(self._how.pools), "dense": list(self._how.dense)}
        if not self._how.dense:
            del how["dense"]  # as it was before, so that rows that are kept stay valid
        return {**super()._settings(), "sentence": how}

    def _own_arrays(self) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {}
        for number, layer in enumerate(self._layers):
            found[f"dense.{number}.weight"] = layer.weight
            none = np.zeros(len(layer.weight), np.float32)
            found[f"dense.{number}.bias"] = none if layer.bias is None else layer.bias
        return found

    @classmethod
    def _own_dimensions(cls, settings: Mapping[str, Any]) -> dict[str, int]:
        numbers = range(len(settings["sentence"].get("dense", ())))
        return {f"dense.{number}.{name}": of for number in numbers for name, of in (("weight", 2), ("bias", 1))}

    @classmethod
    def _from(
        cls,
        model: Transformer,
        settings: Mapping[str, Any],
        trained_on: tuple[str, ...],
        own: Mapping[str, NDArray[Any]],
    ) -> Self:
        given = settings["sentence"]
        dense = tuple(given.get("dense", ()))
        how = SentenceSettings(**{**given, "pools": tuple(given["pools"]), "dense": dense})
        layers = tuple(
            DenseLayer(own[f"dense.{number}.weight"], own[f"dense.{number}.bias"], activation)
            for number, activation in enumerate(dense)
        )
        return cls(model, max_tokens=settings["max_tokens"], trained_on=trained_on, settings=how, layers=layers)


class StaticEmbeddingEncoder(CardedEncoder):
    """The mean of the vectors of all tokens of a text, prompted and scaled as the folder says; zeros without any."""

    def __init__(self, table: NDArray[np.float32], tokenizer: str, settings: SentenceSettings) -> None:
        """Take vectors (v, dim) and the tokenizer as JSON, whose ids are their rows. Raises EncoderError if not."""
        from tokenizers import Tokenizer

        self._table, self._how = table, settings
        self._tokenizer = Tokenizer.from_str(tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._json: str = self._tokenizer.to_str(pretty=False)
        words = max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1) + 1
        if table.ndim != 2 or words > len(table):
            shape = "x".join(map(str, table.shape))
            raise EncoderError(f"Expected a vector for each of {words:,} words, got {shape}. Take the whole folder.")
        fingerprint = storage.fingerprint_of(METHOD, {_TABLE: table}, [json.dumps(self._settings()), self._json])
        self._card = EncoderCard("static-embedding", SUMMARY, table.shape[1], fingerprint)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Read a folder. Raises EncoderError where it holds something else, StorageError where a file is damaged."""
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        places, settings = read_settings(folder)
        path = places.first / _TOKENIZER
        try:
            arrays = load_file(places.first / WEIGHTS)
            tokenizer = path.read_text("utf-8") if path.stat().st_size <= _MOST_TOKENIZER_BYTES else ""
        except (OSError, SafetensorError, UnicodeDecodeError):
            raise EncoderError(
                f"Expected {WEIGHTS} and {_TOKENIZER} in {places.first}, found none that can be read. Take a version "
                "of the model with both."
            ) from None
        if len(arrays) != 1 or not set(arrays) <= set(_NAMES):
            raise EncoderError(
                f"Expected one table, {' or '.join(_NAMES)}, in {places.first / WEIGHTS}, got "
                f"{', '.join(sorted(arrays)[:4])}. Name another model."
            )
        table = next(iter(arrays.values())).float().numpy()
        try:
            return cls(np.ascontiguousarray(table), tokenizer, settings)
        except EncoderError:
            raise
        except Exception as error:  # noqa: BLE001  what the tokenizers library raises has no class of its own
            raise EncoderError(f"Expected a tokenizer in {path}, got {error}. Take the published file.") from None

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return self._rows(documents, self._how.query_prompt)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return self._rows(documents, self._how.document_prompt)

    def save(self, folder: Path) -> None:
        """Write the table and the tokenizer into `folder`, atomically."""
        settings = self._settings()
        storage.write(
            folder,
            method=METHOD,
            card=self.card,
            arrays={_TABLE: self._table},
            words=[json.dumps(settings), self._json],
            facts=settings,
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        card, value = storage.read_head(folder)
        stored = storage.read(folder, method=METHOD, arrays={_TABLE: 2})
        if stored.words[:1] != [json.dumps(value["facts"])]:
            raise StorageError(f"Expected the settings that {folder} was written with, found others. Build it again.")
        given = value["facts"]["sentence"]
        how = SentenceSettings(**{**given, "pools": tuple(given["pools"]), "dense": ()})
        return cls(stored.arrays[_TABLE], stored.words[1], how).called(card)

    def _rows(self, documents: Sequence[Document], prompt: str) -> DenseRows:
        texts = [(prompt + document.text).strip() for document in documents]
        rows = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for place, encoding in enumerate(self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
            if encoding.ids:
                rows[place] = self._table[encoding.ids].mean(axis=0)
        return unit_length(rows) if self._how.unit_length else rows

    def _settings(self) -> dict[str, Any]:
        """Return what changes a row besides the table and the tokenizer."""
        how = dataclasses.asdict(self._how)
        return {"sentence": {**how, "pools": list(self._how.pools), "dense": []}}
