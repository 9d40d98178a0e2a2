"""Skip-thoughts: a sentence as the last state of a recurrent network that read it, with weights that a user brings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import EncoderError
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard, storage

METHOD = "skip-thoughts/1"
NAME = "skip-thoughts"
SUMMARY = "Skip-thoughts of a sentence, by weights that were brought. It stands in tables as a baseline."
UNKNOWN, END = "UNK", "<eos>"
MODELS: Mapping[str, tuple[str, ...]] = {"uni": ("encoder",), "bi": ("encoder", "encoder_r")}
"""The networks of uni-skip and bi-skip: forwards, and backwards. Combine-skip has both models."""

_PARTS = {"W": 2, "Wx": 2, "U": 2, "Ux": 2, "b": 1, "bx": 1}
_SENTENCES_AT_ONCE = 64
_TOKEN = re.compile(r"\w+|[^\w\s]")

Arrays = Mapping[str, NDArray[Any]]


def tokens(text: str) -> list[str]:
    """Return words and punctuation marks as they are written."""
    return _TOKEN.findall(text)


@dataclass(frozen=True, slots=True)
class _Settings:
    models: tuple[Literal["uni", "bi"], ...]


class SkipThoughtsEncoder(Encoder):
    """The last states of uni-skip, bi-skip or both, each at unit length (Kiros et al., NeurIPS 2015, section 2).

    A word without a vector is read as `UNK`, and `<eos>` ends every text, which should be a single sentence: the
    reading "sentences" of a folder takes the mean over those of a document. A text without a word has a row of zeros.
    """

    def __init__(self, words: Sequence[str], arrays: Arrays) -> None:
        """Take words (V) and arrays by the names that their authors give them, after the model: "uni/encoder_U".

        Of each model: `table` (V, e) and of each of its networks `W` (e, 2 h), `U` (h, 2 h), `b` (2 h,), reset gates
        first, `Wx` (e, h), `Ux` (h, h) and `bx` (h,). Raises EncoderError where they do not fit.
        """
        self._words, self._arrays = list(words), dict(arrays)
        self._number = {word: number for number, word in enumerate(words)}
        self._models = [model for model in MODELS if f"{model}/table" in arrays]
        wanted = {name for model in self._models for name in expected(model)}
        lacking = sorted({UNKNOWN, END} - self._number.keys()) or sorted(wanted ^ arrays.keys())
        if lacking or not self._models:
            raise EncoderError(
                f"Expected the words {UNKNOWN} and {END} and the arrays of uni-skip, bi-skip or both, got too few or "
                f"too many: {', '.join(lacking[:3]) or 'none'}. Convert the weights again."
            )
        self._networks = {
            (model, network): _gru(arrays, f"{model}/{network}", len(words))
            for model in self._models
            for network in MODELS[model]
        }
        dim = sum(network.hidden_size for network in self._networks.values())
        settings = {"models": self._models}
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self._words, settings=settings)
        self._card = EncoderCard(NAME, SUMMARY, dim, fingerprint)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @torch.inference_mode()
    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode texts, one sentence each: (n, dim)."""
        unknown = self._number[UNKNOWN]
        read = [[self._number.get(token, unknown) for token in tokens(document.text)] for document in documents]
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        filled = sorted((place for place, ids in enumerate(read) if ids), key=lambda place: len(read[place]))
        for start in range(0, len(filled), _SENTENCES_AT_ONCE):
            places = filled[start : start + _SENTENCES_AT_ONCE]
            ids = [np.array([*read[place], self._number[END]]) for place in places]
            rows[places] = np.concatenate([unit_length(self._states(model, ids)) for model in self._models], axis=1)
        return unit_length(rows)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        facts = {storage.SETTINGS: {"models": self._models}}
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self._words, facts=facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        with storage.opening(folder, "Skip-thoughts", METHOD) as opened:
            models = opened.settings_as(_Settings).models
            stored = opened.read({name: ndim for model in models for name, ndim in expected(model).items()})
            return cls(stored.words, stored.arrays)

    def _states(self, model: str, ids: Sequence[NDArray[np.int64]]) -> DenseRows:
        """Return the last states of a model's networks, side by side, of n sentences: (n, h)."""
        table = self._arrays[f"{model}/table"]
        found = []
        for network in MODELS[model]:
            ordered = [one[::-1] for one in ids] if network == "encoder_r" else ids
            vectors = [torch.from_numpy(table[one].astype(np.float32)) for one in ordered]
            packed = nn.utils.rnn.pack_sequence(vectors, enforce_sorted=False)
            found.append(self._networks[model, network](packed)[1][0])
        states: DenseRows = torch.cat(found, dim=1).numpy()
        return states


def expected(model: str) -> dict[str, int]:
    """Return the arrays of a model by name, and the number of dimensions of each."""
    parts = {f"{model}/{network}_{part}": ndim for network in MODELS[model] for part, ndim in _PARTS.items()}
    return {f"{model}/table": 2, **parts}


def _gru(arrays: Arrays, network: str, words: int) -> nn.GRU:
    """Return a network of the authors' arrays. Raises EncoderError where their shapes do not fit."""
    given = {part: torch.from_numpy(arrays[f"{network}_{part}"].astype(np.float32)) for part in _PARTS}
    table = arrays[f"{network.partition('/')[0]}/table"]
    e, h = table.shape[1], given["Ux"].shape[1]
    wanted = {"W": (e, 2 * h), "Wx": (e, h), "U": (h, 2 * h), "Ux": (h, h), "b": (2 * h,), "bx": (h,)}
    wrong = [part for part, shape in wanted.items() if tuple(given[part].shape) != shape]
    if wrong or len(table) != words:
        raise EncoderError(
            f"Expected {words} vectors and weights that fit them in {network}, got {len(table)} vectors and other "
            f"shapes of {', '.join(wrong) or 'nothing'}. Convert the weights again."
        )
    made = nn.GRU(e, h)
    weights: dict[str, Tensor] = {
        "weight_ih_l0": torch.cat([given["W"].T, given["Wx"].T]),
        "weight_hh_l0": torch.cat([given["U"].T, given["Ux"].T]),
        "bias_ih_l0": torch.cat([given["b"], given["bx"]]),
        "bias_hh_l0": torch.zeros(3 * h),
    }
    made.load_state_dict(weights)
    return made.eval()
