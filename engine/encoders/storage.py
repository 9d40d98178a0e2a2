"""An encoder as a folder: card.json, vocabulary.txt and weights in one file or several, with checksums."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from numpy.typing import NDArray

from engine.core import files
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, EncoderError, StorageError
from engine.core.rows import Precision
from engine.encoders.base import CardedEncoder, EncoderCard

CARD = "card.json"
WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.txt"
SETTINGS = "settings"
_FORMAT = 1
_FILE_BYTES = 15_900_000  # of arrays in one file: with its header below 16 MB, which any repository host accepts

Arrays = Mapping[str, NDArray[Any]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredEncoder:
    """The content of a folder: the card, named arrays, words in the order of the arrays' rows, settings and facts."""

    card: EncoderCard
    arrays: dict[str, NDArray[Any]]
    words: list[str]
    settings: dict[str, Any]
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class OpenedEncoder:
    """A stored encoder with only card.json read: its settings say which arrays to expect."""

    folder: Path
    card: EncoderCard
    value: Mapping[str, Any]

    @property
    def method(self) -> str:
        """The method that card.json names."""
        return str(self.value["method"])

    @property
    def settings(self) -> dict[str, Any]:
        """What changes a row besides arrays and words; empty if card.json has no such table."""
        found = self.value["facts"].get(SETTINGS)
        return dict(found) if isinstance(found, dict) else {}

    def settings_as(self, kind: type[T], *, without: str = "") -> T:
        """Return the settings, all or all but one, as a frozen dataclass. Raises ConfigError where they do not fit."""
        given = {name: value for name, value in self.settings.items() if name != without}
        return from_mapping(given, kind, origin=SETTINGS)

    def read(self, arrays: Mapping[str, int]) -> StoredEncoder:
        """Read everything else; `arrays` names every array expected with its number of dimensions.

        Raises StorageError where anything is missing, added, or damaged.
        """
        folder, card = self.folder, self.card
        found = _read_weights(folder, self.value["weights_sha256"])
        given = {name: array.ndim for name, array in found.items()}
        if given != dict(arrays):
            raise StorageError(f"Expected the arrays {_listed(arrays)} in {folder}, found {_listed(given)}.")
        words = _read_vocabulary(folder / VOCABULARY, self.value["vocabulary_sha256"])
        if fingerprint_of(self.method, found, words, settings=self.settings) != card.fingerprint:
            raise StorageError(
                f"Expected the encoder {card.fingerprint} in {folder}, found other weights. Build it again."
            )
        return StoredEncoder(card, found, words, self.settings, notes(self.value["facts"]))


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """The stored form of an encoder: all that changes a row, under the names that it has on disk.

    `words` are the lines of vocabulary.txt, such as words in the order of an array's rows, or a tokenizer. `settings`
    are JSON: what a reader must know before the arrays, and how documents are read.
    """

    method: str
    arrays: Arrays
    words: Sequence[str]
    settings: Mapping[str, Any]

    @property
    def fingerprint(self) -> str:
        """Return the name of all this."""
        return fingerprint_of(self.method, self.arrays, self.words, settings=self.settings)


class TrainedEncoder(CardedEncoder):
    """An encoder that is kept as weights, beside facts that do not change its rows (its recipe, its results)."""

    facts: dict[str, Any]
    _weights: StoredWeights

    def _keep(self, weights: StoredWeights, card: EncoderCard, facts: Mapping[str, Any] | None) -> None:
        """Take the stored form, the card but for its fingerprint, and facts to keep with them."""
        self._weights, self.facts = weights, notes(facts)
        self._card = dataclasses.replace(card, fingerprint=weights.fingerprint)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        stored = self._weights
        facts = {SETTINGS: stored.settings, **self.facts}
        write(folder, method=stored.method, card=self.card, arrays=stored.arrays, words=stored.words, facts=facts)


def notes(facts: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return an encoder's facts that do not change vectors: all but its settings."""
    return {name: fact for name, fact in (facts or {}).items() if name != SETTINGS}


def within(arrays: Arrays, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names begin with a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def fingerprint_of(
    method: str, arrays: Arrays, words: Sequence[str], *, settings: Mapping[str, Any] | None = None
) -> str:
    """Name everything that changes a vector: the method with its version, the arrays, the words and the settings."""
    parts: list[bytes | str] = [method, "\n".join(words)]
    if settings:
        parts.append(json.dumps(settings, sort_keys=True))
    for name in sorted(arrays):
        array = arrays[name]
        parts += [name, str(array.dtype), str(array.shape), array.tobytes()]
    return files.fingerprint(*parts)


def write(
    folder: Path,
    *,
    method: str,
    card: EncoderCard,
    arrays: Arrays,
    words: Sequence[str],
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write an encoder into `folder`, all or nothing, replacing what was there.

    Of the facts only "settings" may change a vector, so they are part of the fingerprint.
    """
    with files.new_folder(folder) as new:
        vocabulary = "".join(f"{word}\n" for word in words).encode()
        files.write_bytes(new / VOCABULARY, vocabulary)
        value = {
            "format": _FORMAT,
            "method": method,
            "card": dataclasses.asdict(card),
            "weights_sha256": _write_weights(new, arrays),
            "vocabulary_sha256": files.sha256_bytes(vocabulary),
            "facts": dict(facts or {}),
        }
        files.write_json(new / CARD, value)


def replace_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Replace a stored encoder's facts; its settings, weights and notes stay.

    Raises StorageError where the folder is not an encoder's.
    """
    value = read_head(folder)[1]
    settings = {key: value["facts"][key] for key in (SETTINGS,) if key in value["facts"]}
    files.write_json(folder / CARD, {**value, "facts": {**settings, **facts}})


def replace_settings(folder: Path, card: EncoderCard, settings: Mapping[str, Any]) -> None:
    """Replace a stored encoder's settings, and its card with their fingerprint; weights, other facts and notes stay.

    Raises StorageError where the folder is not an encoder's.
    """
    value = read_head(folder)[1]
    facts = {**value["facts"], SETTINGS: dict(settings)}
    files.write_json(folder / CARD, {**value, "card": dataclasses.asdict(card), "facts": facts})


def read_card(folder: Path) -> EncoderCard:
    """Return the card of a stored encoder. Raises StorageError where the folder is not an encoder's."""
    return read_head(folder)[0]


def read_head(folder: Path) -> tuple[EncoderCard, dict[str, Any]]:
    """Return the card of a stored encoder and all that its card.json holds, without its weights.

    Raises StorageError where the folder is not an encoder's.
    """
    value = files.read_json(folder / CARD)
    wanted = {"format", "method", "card", "weights_sha256", "vocabulary_sha256", "facts"}
    tables = isinstance(value, dict) and all(isinstance(value.get(key), dict) for key in ("card", "facts"))
    if not tables or wanted - value.keys() or value["format"] != _FORMAT:
        raise StorageError(
            f"Expected an encoder of format {_FORMAT} in {folder}, found another. Build the folder again."
        )
    try:
        given = {key: field for key, field in value["card"].items() if field is not None}
        card = from_mapping(given, _CardFields, origin=CARD)
    except ConfigError as error:
        raise StorageError(f"Expected an encoder's card in {folder}: {error} Build the folder again.") from None
    return EncoderCard(**dataclasses.asdict(card)), value


def read(folder: Path, *, method: str, arrays: Mapping[str, int]) -> StoredEncoder:
    """Read what `write` wrote; `arrays` names every array expected with its number of dimensions.

    Raises StorageError where anything is missing, added, damaged, or of another method.
    """
    return _opened(folder, (method,)).read(arrays)


def check_stored(folder: Path) -> None:
    """Read all files of a stored encoder. Raises StorageError where one is missing or damaged."""
    _, value = read_head(folder)
    _read_weights(folder, value["weights_sha256"])
    _read_vocabulary(folder / VOCABULARY, value["vocabulary_sha256"])


@contextmanager
def opening(folder: Path, what: str, *methods: str) -> Iterator[OpenedEncoder]:
    """Read an encoder of one of these methods in two steps: its settings, then the arrays that they lead one to expect.

    Raises StorageError for another method, and turns ConfigError, EncoderError or ValueError in the block into a
    StorageError about `what`.
    """
    opened = _opened(folder, methods)
    try:
        yield opened
    except (ConfigError, EncoderError, ValueError) as error:
        raise StorageError(f"Expected {what} in {folder}: {error} Build the folder again.") from None


def _opened(folder: Path, methods: Sequence[str]) -> OpenedEncoder:
    card, value = read_head(folder)
    if value["method"] not in methods:
        raise StorageError(f"Expected an encoder of {', '.join(methods)} in {folder}, found one of {value['method']}.")
    return OpenedEncoder(folder, card, value)


def _write_weights(folder: Path, arrays: Arrays) -> str | list[str]:
    """Write one file and return its sha256; for arrays too big for one, several files and a list."""
    files_of = _spread(arrays)
    if len(files_of) < 2:
        return files.write_arrays(folder / WEIGHTS, arrays)
    return [files.write_arrays(folder / _numbered(number), part) for number, part in enumerate(files_of, start=1)]


def _read_weights(folder: Path, sha256: str | list[str]) -> dict[str, NDArray[Any]]:
    if isinstance(sha256, str):
        return files.read_arrays(folder / WEIGHTS, sha256)
    parts = [files.read_arrays(folder / _numbered(number), one) for number, one in enumerate(sha256, start=1)]
    return {name: array for part in parts for name, array in part.items()}


def _spread(arrays: Arrays) -> list[dict[str, NDArray[Any]]]:
    """Return the arrays by name, grouped to fit in one file; one too big for that has its own.

    Sorted by name, so that the same arrays give the same files in any order.
    """
    spread: list[dict[str, NDArray[Any]]] = []
    room = 0
    for name, array in sorted(arrays.items()):
        if not spread or array.nbytes > room:
            spread.append({})
            room = _FILE_BYTES
        spread[-1][name] = array
        room -= array.nbytes
    return spread


def _numbered(number: int) -> str:
    """Return the name of one of several files of weights: "weights-00001.safetensors"."""
    return WEIGHTS.replace(".", f"-{number:05d}.")


def _read_vocabulary(path: Path, sha256: str) -> list[str]:
    if not path.exists():
        raise StorageError(f"Expected the file {path.name} in {path.parent}; it is missing. Build the folder again.")
    data = path.read_bytes()
    if files.sha256_bytes(data) != sha256:
        raise StorageError(
            f"Expected {path} as it was written, found other bytes: it is damaged. Build the folder again."
        )
    return data.decode().split("\n")[:-1]


def _listed(arrays: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({dimensions}-d)" for name, dimensions in sorted(arrays.items())) or "none"


@dataclass(frozen=True, slots=True)
class _CardFields:
    """EncoderCard with the types that JSON gives."""

    name: str
    summary: str
    dim: int
    fingerprint: str
    unit: str
    trained_on: tuple[str, ...]
    licence: str
    sparse: bool
    max_tokens: int | None = None
    stored: str = "float32"

    def __post_init__(self) -> None:
        """Refuse an unknown way of storing rows."""
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")
