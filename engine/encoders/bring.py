"""Bring a sentence-transformers model of a person's own, by its folder or its name on the Hugging Face hub.

A person looks at it first; then it is kept beside the shipped encoders.

"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from engine.core import files
from engine.core.errors import DownloadError, EncoderError
from engine.encoders import kept_models, registry, storage
from engine.encoders.kept_models import KeptModel
from engine.encoders.model_folder import CONFIG, README, ModelFacts, facts_of, name_from, not_a_model
from engine.encoders.sentence_transformer import MODULES, StaticEmbeddingEncoder
from engine.encoders.transformer import local_folder
from engine.encoders.transformer_mean import TransformerMeanEncoder

_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?", re.ASCII)
_SMALL = ("*.json", "README.md")
_NEEDED = ("*.json", "README.md", "*.txt", "*.model", "*.safetensors")
"""What is fetched: settings, words and safetensors; no pickle and no code."""
_WEIGHTS = (".safetensors", ".bin", ".pt", ".ckpt")
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
_RANKINGS = ("default", "meaning", "keywords", "bm25", "bm25-stems")  # what measures and bake-offs call by these names
_UNSTATED, _MOST_SETS = "not stated", 4


def is_name(place: str) -> bool:
    """Tell whether a text can be a model's name there: "NAME" or "OWNER/NAME"."""
    return bool(_NAME.fullmatch(place)) and ".." not in place


def on_this_machine(place: str) -> Path | None:
    """Return the folder of a path, or of a name that an earlier download left here; None without either."""
    folder = Path(place).expanduser()
    try:
        if folder.is_dir() and ((folder / MODULES).is_file() or (folder / CONFIG).is_file()):
            return folder
    except (OSError, ValueError):  # a name too long, a null byte, a folder that is closed to us
        return None
    found = local_folder(place) if is_name(place) else None
    return found if found is not None and any(map(_has_weights, found.rglob("*"))) else None


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


def _has_weights(path: Path) -> bool:
    """Tell whether a file holds weights, of any kind: a download that was stopped, or only looked at, has none."""
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


def look_at_model(place: str) -> ModelFacts:
    """Return what a model says about itself, by its folder or its name on the Hugging Face hub; no weights are loaded.

    The hub is asked only for a name that is not on this machine. Raises EncoderError, StorageError or DownloadError.
    """
    folder = on_this_machine(place)
    return facts_on_hub(place) if folder is None else facts_of(folder, place=_called(place, folder))


def bring_model(place: str, *, name: str = "") -> KeptModel:
    """Keep a copy of a model under a name, by default its own; it is offered once it was measured.

    A model that is kept already from the same place is kept as it is. Raises EncoderError where the name is taken or
    the model cannot be used, StorageError or DownloadError.
    """
    folder = on_this_machine(place)
    facts = look_at_model(place)
    name = name_from(name or facts.name)
    if name.lower() in {*registry.ENTRIES, *_RANKINGS}:
        raise EncoderError(f"Expected a name that no encoder has, got {name!r}. Give the model another name.")
    folder = folder or fetch(place)
    facts = facts_of(folder, place=facts.place)  # of what arrived, where the hub only announced it
    encoder = registry.load_folder(folder)
    if not isinstance(encoder, TransformerMeanEncoder | StaticEmbeddingEncoder):
        raise EncoderError(f"Expected a sentence-transformers model in {place}, found another encoder. Name another.")
    if (held := {one.name: one for one in kept_models.list_kept()}.get(name)) is not None:
        if storage.read_card(kept_models.kept_folder(name))[0].fingerprint == encoder.card.fingerprint:
            return held
        if held.offered:
            raise EncoderError(
                f"Expected a name that no encoder has, {name!r} is in use. Remove that model first, or give this one "
                "another name."
            )
    return _keep(encoder, folder, name, facts)


def _keep(
    encoder: TransformerMeanEncoder | StaticEmbeddingEncoder, folder: Path, name: str, facts: ModelFacts
) -> KeptModel:
    """Write a model's weights, README and facts under a name."""
    licence, sets = facts.licence or _UNSTATED, _named(facts.trained_on)
    words = replace(encoder.card, name=name, summary=summary(facts), trained_on=sets, licence=licence)
    encoder.called(words).save(kept_models.kept_folder(name))
    if (folder / README).is_file():
        files.write_bytes(kept_models.kept_folder(name) / README, (folder / README).read_bytes())
    kept = KeptModel(name, replace(facts, dim=words.dim, max_tokens=words.max_tokens or 0), {})
    kept_models.write(kept)
    return kept


def spoken_facts(facts: ModelFacts) -> dict[str, str]:
    """Return what to know about a model before it is loaded, each fact by its name on screen."""
    numbers = f", {facts.parameters / 1e6:,.1f} million numbers" if facts.parameters else ""
    pools = " and ".join(_POOLS.get(name, name) for name in facts.pools)
    prompts = {"questions": facts.query_prompt, "documents": facts.document_prompt}
    told = [f"“{prompt.strip()}” before {what}" for what, prompt in prompts.items() if prompt.strip()]
    return {
        "Licence": facts.licence or "its README names none: ask its author before you use it",
        "Size": f"{facts.weight_bytes / 1e6:,.1f} MB of weights{numbers}",
        "Vector": f"{facts.dim:,} numbers" if facts.dim else "known once it is loaded",
        "Reads": f"the first {facts.max_tokens:,} tokens" if facts.max_tokens else "the whole document",
        "A row is": f"{pools}{', at unit length' if facts.unit_length else ''}",
        "Prompts": "; ".join(told) or "none",
        "Kind": facts.architecture or "unknown",
        "Trained on": ", ".join(_named(facts.trained_on)),
    }


def summary(facts: ModelFacts) -> str:
    """Return what the model is and when to choose it, in two sentences."""
    slow = "; it reads slowly without a GPU" if facts.max_tokens else ""
    when = f"Choose it where it ranked your questions better than the default did{slow}."
    return f"A model of your own, {facts.place}. {when}"


def _named(sets: Sequence[str]) -> tuple[str, ...]:
    """Return the first of the data sets that a README lists, and how many more there are."""
    more = len(sets) - _MOST_SETS
    return (*sets[:_MOST_SETS], *([f"{more} more"] if more > 0 else [])) or (_UNSTATED,)


def _called(place: str, folder: Path) -> str:
    """What a model is called: a hub's name as it is; of a folder the README's title if that is a name, or its own name.

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
