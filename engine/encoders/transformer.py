"""A transformer on this machine: texts to token ids, token ids to one vector a token."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.encoders.processor import ComputePrecision, dtype_of, reading_device, reading_precision, within_memory

if TYPE_CHECKING:
    import torch
    from torch import nn

_DAMAGED = (OSError, ValueError, ImportError, TypeError, AttributeError, KeyError)
"""What `transformers` raises for folders with a missing, damaged or foreign file."""

_CHARACTERS_A_TOKEN = 10
"""The characters that are read for each token wanted, unless these turn out too few; English takes five. Reading all of
a paper of 30,000 characters for its first 96 tokens took 60 ms."""

_LOADING = threading.RLock()
"""Held while `transformers` builds a model: it replaces its own module during import and loads classes lazily, so that
a second thread can find it half made ("has no attribute 'AutoConfig'")."""

_FIRST_VERSION = "5.23.0"
"""The version that settings name under any installed one: it is part of the fingerprint, and rows do not change."""

_TOKENS_AT_ONCE = {"cpu": 2_048}
"""Of the texts that are read together: what passes between the layers then stays in a processor's cache."""
_TOKENS_ELSEWHERE = 131_072

_UNREAD = ("pooler.",)  # weights that no token vector depends on, which many checkpoints lack


class Transformer:
    """A model of the `transformers` library with its tokenizer, both for inference only.

    Weights are safetensors, code is the library's own, and nothing is downloaded.
    """

    def __init__(self, model: Any, tokenizer: Any, *, precision: ComputePrecision | None = None) -> None:  # noqa: ANN401
        """Take a `transformers` model and a `tokenizers` tokenizer; the fastest precision, unless one is named."""
        self.precision: ComputePrecision = precision or reading_precision()
        self._device = reading_device()
        self._model = model.eval().requires_grad_(False).to(self._device, dtype_of(self.precision))
        self._tokenizer = tokenizer
        self._cutting = threading.Lock()  # the length to cut at lies in the tokenizer, which several threads may use
        self._tokenizer.no_padding()
        self.dim: int = model.config.hidden_size
        self._padding = _padding(model.config)

    @classmethod
    def open(cls, name: str | Path, *, precision: ComputePrecision | None = None) -> Self:
        """Read a folder, or the model of a name that an earlier download left on this machine.

        Raises EncoderError where the model is missing or cannot be used.
        """
        from safetensors import SafetensorError

        offline = {"local_files_only": True, "trust_remote_code": False}
        try:
            with _library() as transformers:
                model, found = transformers.AutoModel.from_pretrained(
                    str(name), use_safetensors=True, output_loading_info=True, dtype="float32", **offline
                )
                tokenizer = transformers.AutoTokenizer.from_pretrained(str(name), **offline)
        except (*_DAMAGED, SafetensorError) as error:
            said = (str(error).strip() or type(error).__name__).splitlines()[0]
            reason = said if Path(name).is_dir() else "there is none."
            raise EncoderError(
                f"Expected {name} to be a folder of a transformers model with safetensors weights, or the name of one "
                f"that is on this machine; {reason} Nothing is downloaded and no code is run from a model."
            ) from None
        _check(name, model, tokenizer, found)
        return cls(model, tokenizer.backend_tokenizer, precision=precision)

    @classmethod
    def build(
        cls,
        config: Mapping[str, Any],
        tokenizer: str,
        arrays: Mapping[str, NDArray[Any]],
        *,
        precision: ComputePrecision,
    ) -> Self:
        """Build a transformer from `config`, `tokenizer` and `arrays`."""
        import torch
        from tokenizers import Tokenizer

        model = empty_model(config)
        model.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()}, strict=True)
        return cls(model, Tokenizer.from_str(tokenizer), precision=precision)

    @property
    def config(self) -> dict[str, Any]:
        """The model's settings, as JSON holds them, without where it was read from."""
        return config_of(self._model)

    @property
    def device(self) -> str:
        """The kind of device that it reads on: "cpu" or "cuda"."""
        return self._device.type

    @property
    def tokenizer(self) -> str:
        """The tokenizer as one line of JSON, without the length that texts were last cut at."""
        with self._cutting:
            self._tokenizer.no_truncation()
            text: str = self._tokenizer.to_str(pretty=False)
        return text

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every weight by name, in float32."""
        held = self._model.state_dict()
        return {name: (part.float() if part.is_floating_point() else part).cpu().numpy() for name, part in held.items()}

    @property
    def max_tokens(self) -> int | None:
        """The longest text that the model has positions for; None if unlimited (XLNet says -1)."""
        limit: int | None = getattr(self._model.config, "max_position_embeddings", None)
        return None if limit is None or limit < 1 else limit - _positions_kept(self._model)

    def tokens(self, texts: Sequence[str], max_tokens: int) -> list[list[int]]:
        """Return the first `max_tokens` token ids of each text, including the model's start and end tokens."""
        openings = [_opening(text, max_tokens * _CHARACTERS_A_TOKEN) for text in texts]
        with self._cutting:
            self._tokenizer.enable_truncation(max_tokens)
            found = [encoding.ids for encoding in self._tokenizer.encode_batch(openings)]
            for place, (ids, opening, text) in enumerate(zip(found, openings, texts, strict=True)):
                if len(ids) < max_tokens and len(opening) < len(text):
                    found[place] = self._tokenizer.encode(text).ids
        return found

    def token_vectors(self, tokens: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Read token ids of b texts: vectors (b, t, dim) in the model's precision, and lengths (b,); t >= 1.

        Both are on the processor, wherever the model runs.
        """
        import torch

        lengths = torch.tensor([len(ids) for ids in tokens])
        padded = torch.full((len(tokens), max(1, int(lengths.max()))), self._padding)  # (b, t), behind the text
        for row, ids in enumerate(tokens):
            padded[row, : len(ids)] = torch.tensor(ids, dtype=torch.long)
        mask = (torch.arange(padded.shape[1]) < lengths[:, None]).long()

        def read(rows: slice) -> torch.Tensor:
            given = {"input_ids": padded[rows].to(self._device), "attention_mask": mask[rows].to(self._device)}
            found: torch.Tensor = self._model(**given).last_hidden_state
            return found.cpu()

        with torch.inference_mode():
            return within_memory(read, len(tokens)), lengths

    def operations(self, tokens: int) -> int:
        """Count the floating point operations for a text of `tokens` tokens."""
        return count_operations(self._model, [tokens])


def count_operations(model: Any, lengths: Iterable[int]) -> int:  # noqa: ANN401  a `transformers` class without types
    """Count a model's floating point operations for texts of these tokens: 2 a weight of a matrix, and attention."""
    from torch import nn

    looked_up = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    named = model.named_parameters()
    read = [part for name, part in named if not name.startswith(_UNREAD) and not name.endswith("bias")]
    linear = sum(part.numel() for part in read if part.ndim > 1 and id(part) not in looked_up)
    a_token = 4 * model.config.hidden_size * model.config.num_hidden_layers  # attention: scores and their use
    return sum(tokens * (2 * linear + a_token * tokens) for tokens in lengths)


def tokens_at_once(device: str) -> int:
    """Return how many tokens a transformer reads at a time on this kind of device."""
    return _TOKENS_AT_ONCE.get(device, _TOKENS_ELSEWHERE)


def local_folder(name: str) -> Path | None:
    """Return where an earlier download left the model of a name on this machine; None if it was never downloaded."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (HFValidationError, LocalEntryNotFoundError):
        return None


def _positions_kept(model: Any) -> int:  # noqa: ANN401  a class of transformers, which has no types
    """Return how many positions texts cannot use: RoBERTa and MPNet count from after the padding position."""
    from torch import nn

    for name, part in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(part, nn.Embedding) and part.padding_idx is not None:
            return part.padding_idx + 1
    return 0


def _padding(config: Any) -> int:  # noqa: ANN401  a class of transformers, which has no types
    """Return the padding id, which tokens never attend to: the model's own, or 0 if it has none (GPT-2)."""
    own: int | None = getattr(config, "pad_token_id", None)
    return own if own is not None and 0 <= own < config.vocab_size else 0


def config_of(model: Any) -> dict[str, Any]:  # noqa: ANN401  a class of transformers, which has no types
    """Return a model's settings, as JSON holds them, without where it was read from."""
    from engine.encoders.bert import Bert

    if isinstance(model, Bert):
        return dict(model.settings)
    settings: dict[str, Any] = json.loads(model.config.to_json_string(use_diff=False))
    settings["transformers_version"] = _FIRST_VERSION
    return {key: value for key, value in settings.items() if not key.startswith("_") and key != "dtype"}


def without_dropout(config: Mapping[str, Any], *, of: str = "") -> dict[str, Any]:
    """Return a model's settings with every dropout at 0, by whatever name; only those with `of` in it, as "att".

    "attention_probs_dropout_prob" of BERT, "attention_dropout" of DistilBERT, "attn_pdrop" of GPT-2.
    """
    dropped = {
        name: 0.0
        for name, share in config.items()
        if ("dropout" in name or "pdrop" in name) and of in name and isinstance(share, float)
    }
    return {**config, **dropped}


def empty_model(config: Mapping[str, Any]) -> Any:  # noqa: ANN401  a class of transformers, which has no types
    """Make a model of these settings without weights. Raises EncoderError for settings of an unknown model."""
    settings = dict(config)
    try:
        with _library() as transformers:
            known = transformers.AutoConfig.for_model(settings.pop("model_type"), **settings)
            return transformers.AutoModel.from_config(known)
    except (KeyError, ValueError, TypeError) as error:
        raise EncoderError(
            f"Expected the settings of a transformers model, got others: {error}. Build the folder again."
        ) from None


def bare_model(config: Mapping[str, Any]) -> nn.Module:
    """Make a model of these settings without weights and without the pooler, which token vectors do not need.

    BERT is our own, so that `transformers` need not be imported. Raises EncoderError for settings of an unknown model.
    """
    from engine.encoders.bert import Bert, is_plain

    if is_plain(config):
        return Bert(config)
    model = empty_model(config)
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return cast("nn.Module", model)


@contextmanager
def _library() -> Iterator[Any]:
    """Return the `transformers` module, for one thread at a time."""
    with _LOADING:
        import transformers

        transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        yield transformers


def _check(name: str | Path, model: Any, tokenizer: Any, found: Mapping[str, Any]) -> None:  # noqa: ANN401
    """Raise EncoderError for a model whose token vectors would not be the trained ones."""
    missing = sorted(key for key in found["missing_keys"] if not key.startswith(_UNREAD))
    wrong = sorted(str(key) for key in found["mismatched_keys"])
    if missing or wrong:
        raise EncoderError(
            f"Expected every weight of {name} in its safetensors file, {', '.join([*missing, *wrong][:3])} and others "
            f"({len(missing) + len(wrong)}) are not there. Take the model's whole folder."
        )
    if model.config.is_encoder_decoder:
        raise EncoderError(f"Expected a model that reads only, got {name}, which also writes. Name an encoder model.")
    if getattr(tokenizer, "backend_tokenizer", None) is None:
        raise EncoderError(f"Expected a tokenizer.json in {name}, found another tokenizer. Save a fast one there.")


def _opening(text: str, characters: int) -> str:
    """Return a text up to the last space within `characters`; all of it where it is shorter or has no space there."""
    if len(text) <= characters:
        return text
    end = max(text.rfind(space, 0, characters) for space in " \n\t")
    return text[:end] if end > 0 else text
