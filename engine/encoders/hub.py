"""Models by their name on the Hugging Face hub: one that is on this machine already, or one that can be fetched."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.core.errors import DownloadError, EncoderError
from engine.encoders.model_folder import CONFIG, ModelFacts, facts_of, not_a_model
from engine.encoders.sentence_settings import MODULES
from engine.encoders.transformer import local_folder

_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)
_SMALL = ("*.json", "README.md")
_NEEDED = ("*.json", "README.md", "*.txt", "*.model", "*.safetensors")
"""What is fetched: settings, words and safetensors; no pickle and no code."""
_WEIGHTS = (".safetensors", ".bin", ".pt", ".ckpt")
_NOT_NEEDED = ("onnx/*", "openvino/*")
_TIMEOUT_SECONDS = 20.0


def is_name(place: str) -> bool:
    """Whether a text can be a model's name there: "NAME" or "OWNER/NAME"."""
    return bool(_NAME.fullmatch(place)) and ".." not in place


def on_this_machine(place: str) -> Path | None:
    """The folder of a path, or of a name that an earlier download left here; None without either."""
    folder = Path(place).expanduser()
    try:
        if folder.is_dir() and ((folder / MODULES).is_file() or (folder / CONFIG).is_file()):
            return folder
    except (OSError, ValueError):  # a name too long, a null byte, a folder that is closed to us
        return None
    found = local_folder(place) if is_name(place) else None
    return found if found is not None and any(map(_has_weights, found.rglob("*"))) else None


def facts_on_hub(name: str) -> ModelFacts:
    """What the hub says about a model, from its small files and the sizes of the others.

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


def _has_weights(path: Path) -> bool:
    """Whether a file holds weights, of any kind: a download that was stopped, or only looked at, has none."""
    return path.suffix in _WEIGHTS and path.is_file()


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
