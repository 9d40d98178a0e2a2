"""What a sentence-transformers model says about itself, in a folder here or on the Hugging Face hub.

It is read without the model's weights and without its code. The hub is asked only for a name that is not here.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from engine.core import files
from engine.core.errors import DownloadError, EncoderError
from engine.encoders.sentence_transformer import (
    CONFIG,
    LONGEST_TOKENS,
    MODULES,
    WEIGHTS,
    ModulePlaces,
    SentenceSettings,
    read_settings,
)
from engine.encoders.transformer import local_folder
from engine.encoders.transformer_mean import MAX_TOKENS

README = "README.md"
INDEX = "model.safetensors.index.json"
MOST_WEIGHT_BYTES = 4 << 30
_MOST_FILE_BYTES = 64 << 20  # of any other file: the tokenizer of a model of many languages takes 33 MB
_MOST_HEADER_BYTES = 25 << 20
_LENGTH_BYTES = 8
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")
_POSITIONS = ("max_position_embeddings", "n_positions")
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
_MOST_NAME = 80
_NAME = re.compile(r"[^\w.-]+", re.ASCII)
_HUB_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)
_SMALL = ("*.json", "README.md")
_NEEDED = ("*.json", "README.md", "*.txt", "*.model", "*.safetensors")
"""What is fetched: settings, words and safetensors; no pickle and no code."""
_WEIGHT_ENDINGS = (".safetensors", ".bin", ".pt", ".ckpt")
_NOT_NEEDED = ("onnx/*", "openvino/*")
_TIMEOUT_SECONDS = 20.0
_POOLS = {
    "mean_tokens": "the mean of its token vectors",
    "cls_token": "the vector of the first token",
    "max_tokens": "the largest value of each number among its tokens",
    "mean_sqrt_len_tokens": "the sum of its token vectors over the root of their number",
    "weightedmean_tokens": "the mean of its token vectors, the later ones counted more",
    "lasttoken": "the vector of the last token",
}
UNSTATED, _MOST_SETS = "not stated", 4


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model before it is loaded: where it is from, its licence and size, and how it makes rows.

    `licence` and `trained_on` (its data sets) are empty where its README names none. `parameters` is None where only
    the size of its files is known; `dim` where its config names no width; `max_tokens` is 0 where it reads all.
    """

    place: str
    licence: str
    trained_on: tuple[str, ...]
    architecture: str
    weight_bytes: int
    max_tokens: int
    pools: tuple[str, ...]
    unit_length: bool
    query_prompt: str = ""
    document_prompt: str = ""
    parameters: int | None = None
    dim: int | None = None

    @property
    def name(self) -> str:
        """The last part of its place, as the name of an encoder: "all-MiniLM-L6-v2"."""
        return name_from(PurePosixPath(self.place).name)

    @staticmethod
    def of(place: str) -> ModelFacts:
        """Read what a model says about itself, by its folder or its name on the hub; no weights are loaded.

        Raises EncoderError, StorageError or DownloadError.
        """
        folder = on_this_machine(place)
        return facts_on_hub(place) if folder is None else facts_of(folder, place=_called(place, folder))

    @property
    def data_sets(self) -> tuple[str, ...]:
        """The first of the data sets that its README lists, and how many more there are."""
        more = len(self.trained_on) - _MOST_SETS
        return (*self.trained_on[:_MOST_SETS], *([f"{more} more"] if more > 0 else [])) or (UNSTATED,)

    def spoken(self) -> dict[str, str]:
        """Return what to know about the model before it is loaded, each fact by its name on screen."""
        numbers = f", {self.parameters / 1e6:,.1f} million numbers" if self.parameters else ""
        pools = " and ".join(_POOLS.get(name, name) for name in self.pools)
        prompts = {"questions": self.query_prompt, "documents": self.document_prompt}
        before = [f"“{prompt.strip()}” before {what}" for what, prompt in prompts.items() if prompt.strip()]
        return {
            "Licence": self.licence or "its README names none: ask its author before you use it",
            "Size": f"{self.weight_bytes / 1e6:,.1f} MB of weights{numbers}",
            "Vector": f"{self.dim:,} numbers" if self.dim else "known once it is loaded",
            "Reads": f"the first {self.max_tokens:,} tokens" if self.max_tokens else "the whole document",
            "A row is": f"{pools}{', at unit length' if self.unit_length else ''}",
            "Prompts": "; ".join(before) or "none",
            "Kind": self.architecture or "unknown",
            "Trained on": ", ".join(self.data_sets),
        }

    def summary(self) -> str:
        """Return what the model is and when to choose it, in two sentences."""
        slow = "; it reads slowly without a GPU" if self.max_tokens else ""
        when = f"Choose it where it ranked your questions better than the default did{slow}."
        return f"A model of your own, {self.place}. {when}"


def name_from(text: str) -> str:
    """Turn a text into an encoder's name: at most 80 letters, digits, "-", "_" and "."."""
    return files.portable_name(_NAME.sub("-", text).strip("-._")[:_MOST_NAME] or "model")


def facts_of(folder: Path, *, place: str = "", sizes: Mapping[str, int] | None = None) -> ModelFacts:
    """Read what a folder says; `place` is what a person calls it.

    `sizes` are the bytes of the files of a model whose weights are not here yet. Raises EncoderError where a file leads
    out of the folder, is too large, or the model needs pickles, code of its own or another kind of module; StorageError
    where a file is missing or damaged.
    """
    if not (folder / MODULES).is_file() and not (folder / CONFIG).is_file():
        raise not_a_model(place or str(folder))
    check_files(folder)
    if (folder / MODULES).is_file():
        places, settings = read_settings(folder)
        for module in (places.first, *places.dense):
            check_files(module, root=_root(folder))
    else:
        places, settings = ModulePlaces(folder), SentenceSettings(("mean_tokens",), max_tokens=MAX_TOKENS)
    within = places.first
    config = {"model_type": "words"} if places.words else _read_table(within / CONFIG)
    _refuse_code(config, folder)
    shapes: list[list[int]] = []
    parameters: int | None = None
    if sizes is None:
        found = [path for place in (within, *places.dense) for path in weight_files(place)]
        shapes = [shape for path in found for shape in _shapes(path)]
        weight_bytes, parameters = sum(path.stat().st_size for path in found), sum(map(math.prod, shapes))
    else:
        prefixes = [place.relative_to(folder).as_posix().removeprefix(".") for place in (within, *places.dense)]
        weight_bytes = sum(_announced(sizes, prefix) for prefix in prefixes)
    if weight_bytes > MOST_WEIGHT_BYTES:
        raise EncoderError(
            f"Expected weights of at most {MOST_WEIGHT_BYTES >> 30} GB, {place or folder} has "
            f"{weight_bytes / (1 << 30):.1f} GB. Choose a smaller model."
        )
    front = _front_matter(folder / README)
    positions = next((int(config[key]) for key in _POSITIONS if isinstance(config.get(key), int)), 0)
    most = 0 if places.words else settings.max_tokens or LONGEST_TOKENS
    return ModelFacts(
        place or folder.name,
        ", ".join(front.get("license", ())),
        tuple(front.get("datasets", ())),
        str(config.get("model_type", "")),
        weight_bytes,
        min(most, positions) if positions > 0 else most,
        settings.pools,
        settings.unit_length,
        settings.query_prompt,
        settings.document_prompt,
        parameters,
        _dim(places, settings, config, shapes),
    )


def _dim(
    places: ModulePlaces, settings: SentenceSettings, config: Mapping[str, Any], shapes: Sequence[Sequence[int]]
) -> int | None:
    """Return how many numbers a row has: a word's, those of the last Dense module, or of the pooled token vectors."""
    if places.words:
        return int(shapes[0][-1]) if shapes and shapes[0] else None
    if places.dense:
        out = _read_table(places.dense[-1] / CONFIG).get("out_features")
        return out if isinstance(out, int) else None
    width = next((int(config[key]) for key in _WIDTHS if isinstance(config.get(key), int)), None)
    return None if width is None else width * len(settings.pools)


def not_a_model(place: str) -> EncoderError:
    """Return the error about a place that holds none; the same whether or not a folder is there."""
    return EncoderError(
        f"Expected the folder of a sentence-transformers model, with {MODULES} or {CONFIG} in it, or a model's name on "
        f"the Hugging Face hub; {place:.160} is neither. Check how it is spelled."
    )


def check_files(folder: Path, *, root: Path | None = None) -> None:
    """Raise EncoderError for what is not a plain file within `root`, or too large to be read.

    `root` is the folder itself, or the whole model in the cache of downloads, whose files are links to others in there.
    """
    inside = root or _root(folder)
    for path in sorted(folder.iterdir()):
        if not path.resolve().is_relative_to(inside):
            raise EncoderError(
                f"Expected every file of the model within {folder}, {path.name} leads out of it. Copy the files "
                "themselves there."
            )
        if path.is_dir():
            continue
        if not path.is_file():
            raise EncoderError(f"Expected files in {folder}, {path.name} is none or its link is broken. Take it away.")
        if path.suffix in (".json", ".txt", ".md", ".model") and path.stat().st_size > _MOST_FILE_BYTES:
            raise EncoderError(
                f"Expected {path.name} of at most {_MOST_FILE_BYTES >> 20} MB in {folder}, got "
                f"{path.stat().st_size >> 20:,} MB. Take the model's files as they were published."
            )


def weight_files(folder: Path) -> list[Path]:
    """Return a transformer's safetensors files. Raises EncoderError where there are only pickles, or nothing."""
    if (folder / INDEX).is_file() and not (folder / WEIGHTS).is_file():
        listed = _read_table(folder / INDEX).get("weight_map")
        names = sorted({str(name) for name in listed.values()}) if isinstance(listed, dict) else []
        found = [folder / name for name in names if PurePosixPath(name).name == name]
        if not found or not all(path.is_file() for path in found) or len(found) != len(names):
            raise EncoderError(f"Expected every file that {INDEX} of {folder} names, some are missing. Copy them all.")
        return found
    if (folder / WEIGHTS).is_file():
        return [folder / WEIGHTS]
    pickled = any(next(folder.glob(pattern), None) for pattern in _PICKLES)
    raise EncoderError(_no_weights(str(folder), pickled=pickled))


def _announced(sizes: Mapping[str, int], prefix: str) -> int:
    """Return the bytes of weights among the files that the hub lists. Raises EncoderError where it lists none."""
    wanted = {name: size for name, size in sizes.items() if PurePosixPath(name).parent == PurePosixPath(prefix)}
    whole = wanted.get(str(PurePosixPath(prefix) / WEIGHTS))
    found = whole if whole is not None else sum(size for name, size in wanted.items() if name.endswith(".safetensors"))
    if not found:
        pickled = any(PurePosixPath(name).match(pattern) for name in sizes for pattern in _PICKLES)
        raise EncoderError(_no_weights("this model", pickled=pickled))
    return found


def _no_weights(where: str, *, pickled: bool) -> str:
    found = "only pickled weights, which can run code and are never loaded" if pickled else "none"
    return f"Expected weights as {WEIGHTS} in {where}, found {found}. Take a version of the model with safetensors."


def _refuse_code(config: Mapping[str, Any], folder: Path) -> None:
    """Raise EncoderError for a model that brings its own classes, unless the library knows its kind without them."""
    if "auto_map" not in config:
        return
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES  # type: ignore[attr-defined]

    if config.get("model_type") not in CONFIG_MAPPING_NAMES:
        raise EncoderError(
            f"Expected a model that the transformers library knows, {folder.name} needs code of its own, and a model's "
            "code is never run. Choose another."
        )


def _root(folder: Path) -> Path:
    """Return what files of a folder may lie in: itself, or the model's whole folder in the cache of downloads."""
    whole = folder.resolve()
    is_download = whole.parent.name == "snapshots" and whole.parent.parent.name.startswith("models--")
    return whole.parent.parent if is_download else whole


def _read_table(path: Path) -> dict[str, Any]:
    found = files.read_json(path)
    if not isinstance(found, dict):
        raise EncoderError(f"Expected settings by name in {path}, got {found!r:.40}. Take the published file.")
    return found


def _shapes(path: Path) -> list[list[int]]:
    """Return the shape of every array of a safetensors file, from the table at its start; no array is read."""
    damaged = EncoderError(f"Expected a safetensors file, {path} is damaged or another kind. Copy it again.")
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        if not 2 <= length <= min(_MOST_HEADER_BYTES, size - _LENGTH_BYTES):
            raise damaged
        text = file.read(length)
    try:
        arrays = [entry for name, entry in json.loads(text).items() if name != "__metadata__"]
        ends, shapes = [one["data_offsets"][1] for one in arrays], [list(one["shape"]) for one in arrays]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise damaged from None
    if not ends or max(ends) != size - _LENGTH_BYTES - length:
        raise damaged
    return shapes


def _front_matter(path: Path) -> dict[str, list[str]]:
    """Return the values at the head of a README, by name: plain ones and lists of plain ones; no other YAML is read."""
    if not path.is_file():
        return {}
    found = _FRONT.match(path.read_text("utf-8", errors="replace").replace("\r\n", "\n"))
    values: dict[str, list[str]] = {}
    name = ""
    for line in found[1].split("\n") if found else ():
        if item := re.match(r"\s*-\s+(.+)", line):
            values.setdefault(name, []).append(_plain(item[1]))
        elif pair := re.match(r"([\w-]+):\s*(.*)", line):
            name = pair[1]
            given = pair[2].strip()
            inner = given[1:-1].split(",") if given.startswith("[") and given.endswith("]") else [given]
            values[name] = [_plain(one) for one in inner if _plain(one)]
    if values.get("license") == ["other"] and values.get("license_name"):
        values["license"] = values["license_name"]
    return values


def _plain(text: str) -> str:
    return text.strip().strip("'\"").strip()


def is_name(place: str) -> bool:
    """Tell whether a text can be a model's name there: "NAME" or "OWNER/NAME"."""
    return bool(_HUB_NAME.fullmatch(place)) and ".." not in place


def on_this_machine(place: str) -> Path | None:
    """Return the folder of a path, or of a name that an earlier download left here; None without either."""
    folder = Path(place).expanduser()
    try:
        if folder.is_dir() and ((folder / MODULES).is_file() or (folder / CONFIG).is_file()):
            return folder
    except (OSError, ValueError):  # a name too long, a null byte, a folder that is closed to us
        return None
    found = local_folder(place) if is_name(place) else None
    held = () if found is None else found.rglob("*")  # a download that was stopped, or only looked at, has no weights
    return found if any(path.suffix in _WEIGHT_ENDINGS and path.is_file() for path in held) else None


def facts_on_hub(name: str) -> ModelFacts:
    """Return what the hub says about a model, from its small files and the sizes of the others.

    The hub learns the name that is asked for, and nothing else. Raises DownloadError where it cannot be reached,
    EncoderError where it has no such model or the model cannot be used.
    """
    from huggingface_hub import HfApi, snapshot_download

    if not is_name(name):
        raise not_a_model(name)
    with _asking(name), tempfile.TemporaryDirectory(prefix="priorscope-") as temporary:
        listed = HfApi().model_info(name, files_metadata=True, timeout=_TIMEOUT_SECONDS)
        sizes = {one.rfilename: one.size or 0 for one in listed.siblings or ()}
        snapshot_download(name, revision=listed.sha, local_dir=temporary, allow_patterns=[*_SMALL])
        return facts_of(Path(temporary), place=name, sizes=sizes)


def fetch(name: str) -> Path:
    """Download a model to where `huggingface_hub` keeps them, and return its folder there.

    Raises DownloadError where the hub cannot be reached, EncoderError where it has no such model.
    """
    from huggingface_hub import snapshot_download

    with _asking(name):
        return Path(snapshot_download(name, allow_patterns=[*_NEEDED], ignore_patterns=[*_NOT_NEEDED]))


@contextmanager
def _asking(name: str) -> Iterator[None]:
    """Turn what goes wrong on the way to the hub into one sentence on it."""
    from huggingface_hub import errors
    from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of whichever client it uses

    try:
        yield
    except errors.RepositoryNotFoundError:
        raise EncoderError(
            f"Expected a model of the Hugging Face hub that is open to all, {name} is not there or needs a login. "
            "Check its name, or download it yourself and name its folder."
        ) from None
    except (errors.HfHubHTTPError, errors.OfflineModeIsEnabled, HTTPError, OSError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DownloadError(
            f"Expected to reach the Hugging Face hub for {name}, which is not on this machine; it cannot be reached "
            f"({reason:.120}). Check the network, or download the model elsewhere and name its folder here."
        ) from None


def _called(place: str, folder: Path) -> str:
    """Return a model's name on the hub; of a folder the README's title if that is a name, else the folder's name.

    What is kept names no place of this machine.
    """
    if is_name(place) and not Path(place).is_dir():
        return place
    whole = folder.resolve()
    if whole.parent.name == "snapshots":  # a download: models--OWNER--NAME/snapshots/COMMIT
        return whole.parent.parent.name.removeprefix("models--").replace("--", "/")
    readme = whole / README
    titles = re.findall(r"^# +(.+?) *$", readme.read_text("utf-8", errors="replace"), re.M) if readme.is_file() else []
    return titles[0] if titles and is_name(titles[0]) else whole.name
