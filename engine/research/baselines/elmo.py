"""ELMo: token vectors of a recurrent language model in both directions, with weights that a user brings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import EncoderError
from engine.core.rows import DenseRows, unit_length
from engine.documents import Document
from engine.documents.text import sentences
from engine.encoders import EncoderCard, storage
from engine.encoders.base import CardedEncoder
from engine.research.baselines.skip_thoughts import tokens

METHOD = "elmo/1"
NAME = "elmo"
SUMMARY = "The mean of ELMo's token vectors, by weights that were brought. It stands in tables as a baseline."
_FIRST, _LAST, _WORD_BEGINS, _WORD_ENDS, _PADDING = 256, 257, 258, 259, 260  # beside the 256 bytes of UTF-8
_SENTENCES_AT_ONCE = 32
_FORGET = 1.0  # what the authors' library adds to the forget gate
_NAME = re.compile(
    r"char_embed|CNN/[Wb]_cnn_\d+|CNN_high_\d+/[Wb]_(carry|transform)|CNN_proj/[Wb]_proj"
    r"|RNN_[01]/RNN/MultiRNNCell/Cell\d+/LSTMCell/(W_0|B|W_P_0)"
)
_STRANGE = "Expected the arrays of ELMo's own file, got others: {}. Convert them again."

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ElmoSettings:
    """The most bytes of a word with its two ends, the bounds of a cell and a state, and how many tokens are read."""

    max_characters: int = 50
    cell_clip: float = 3.0
    proj_clip: float = 3.0
    max_tokens: int = 256

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if self.max_characters < 3 or self.max_tokens < 1 or min(self.cell_clip, self.proj_clip) <= 0:
            raise ValueError("max_characters must be at least 3, max_tokens at least 1, and clips above 0")


class ElmoNetwork(nn.Module):
    """Characters of words to vectors, a layer of the two directions above the other (Peters et al., 2018).

    Parameters have the names of the authors' HDF5 file, as "RNN_0/RNN/MultiRNNCell/Cell1/LSTMCell/W_P_0".
    """

    def __init__(self, arrays: Arrays, settings: ElmoSettings) -> None:
        """Take the authors' arrays, whose matrices take rows from the left. Raises EncoderError for others."""
        super().__init__()
        self._settings = settings
        if strange := sorted(name for name in arrays if not _NAME.fullmatch(name)):
            raise EncoderError(_STRANGE.format(", ".join(strange[:3])))
        for name, array in arrays.items():
            self.register_buffer(name, torch.from_numpy(array.astype(np.float32)))
        self.layers, self._filters, self._highways = (
            sum(bool(re.fullmatch(form, name)) for name in arrays)
            for form in (r"RNN_0/.*/W_0", r"CNN/W_cnn_\d+", r"CNN_high_\d+/W_carry")
        )
        try:
            with torch.inference_mode():
                self([["a"]])
        except (KeyError, RuntimeError) as error:
            raise EncoderError(_STRANGE.format(error)) from None

    @property
    def dim(self) -> int:
        """The length of a token's vector, of both directions together."""
        return 2 * self._held["CNN_proj/b_proj"].shape[0]

    @property
    def _held(self) -> dict[str, Tensor]:
        return dict(self.named_buffers())

    def forward(self, sentence: Sequence[Sequence[str]]) -> list[Tensor]:
        """Return the mean over all layers of each token's vectors, (t, dim) for each of n sentences.

        The lowest layer is what the characters give, twice. Marks of the first and the last place are read and dropped.
        """
        lengths = [len(words) + 2 for words in sentence]
        words = self._words([character for one in sentence for character in self._characters(one)])
        both = []
        for direction in range(2):
            parts = [part.flip(0) if direction else part for part in torch.split(words, lengths)]
            state = nn.utils.rnn.pad_sequence(parts, batch_first=True)  # (n, t, d)
            total = state
            for layer in range(self.layers):
                made = self._run(direction, layer, state)
                state = made + state if layer else made
                total = total + state
            ends = [one[:length] for one, length in zip(total / (self.layers + 1), lengths, strict=True)]
            both.append([one.flip(0) if direction else one for one in ends])
        return [torch.cat(pair, dim=1)[1:-1] for pair in zip(*both, strict=True)]

    def _characters(self, words: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the characters of a sentence's words, and of the marks around it."""
        most = self._settings.max_characters - 2
        inner = [[_FIRST], *(list(word.encode()[:most]) for word in words), [_LAST]]
        return [[_WORD_BEGINS, *one, _WORD_ENDS, *[_PADDING] * (most - len(one))] for one in inner]

    def _words(self, characters: Sequence[Sequence[int]]) -> Tensor:
        """Return what w words' characters (w, c) give: filters over them, highways, and a projection, (w, d)."""
        held = self._held
        letters = held["char_embed"][torch.tensor(characters)].transpose(1, 2)  # (w, e, c)
        found = []
        for number in range(self._filters):
            filters = held[f"CNN/W_cnn_{number}"][0].permute(2, 1, 0)  # from (width, e, f)
            met = nn.functional.conv1d(letters, filters, held[f"CNN/b_cnn_{number}"])
            found.append(met.amax(dim=2).relu())
        made = torch.cat(found, dim=1)
        for number in range(self._highways):
            place = f"CNN_high_{number}"
            carry = (made @ held[f"{place}/W_carry"] + held[f"{place}/b_carry"]).sigmoid()
            turned = (made @ held[f"{place}/W_transform"] + held[f"{place}/b_transform"]).relu()
            made = carry * turned + (1 - carry) * made
        projected: Tensor = made @ held["CNN_proj/W_proj"] + held["CNN_proj/b_proj"]
        return projected

    def _run(self, direction: int, layer: int, inputs: Tensor) -> Tensor:
        """Return the states (n, t, d) of a layer with a projection after each step, cells and states clipped."""
        held = self._held
        kernel, bias, projection = (held[_cell(direction, layer, part)] for part in ("W_0", "B", "W_P_0"))
        cell_clip, proj_clip = self._settings.cell_clip, self._settings.proj_clip
        state = inputs.new_zeros(len(inputs), projection.shape[1])
        cell = inputs.new_zeros(len(inputs), projection.shape[0])
        states = []
        for step in range(inputs.shape[1]):
            gates = torch.cat([inputs[:, step], state], dim=1) @ kernel + bias
            takes, new, forgets, gives = gates.chunk(4, dim=1)
            cell = (forgets + _FORGET).sigmoid() * cell + takes.sigmoid() * new.tanh()
            cell = cell.clamp(-cell_clip, cell_clip)
            state = ((gives.sigmoid() * cell.tanh()) @ projection).clamp(-proj_clip, proj_clip)
            states.append(state)
        return torch.stack(states, dim=1)


class ElmoEncoder(CardedEncoder):
    """The mean of the token vectors of a text's first tokens, at unit length; each sentence is read alone.

    The layers count alike, as in an average of ELMo's three. A text without a token has a row of zeros.
    """

    def __init__(self, arrays: Arrays, settings: ElmoSettings | None = None) -> None:
        """Take arrays by the names of the authors' HDF5 file, and settings. Raises EncoderError for other arrays."""
        self._arrays, self._settings = dict(arrays), settings or ElmoSettings()
        self._network = ElmoNetwork(arrays, self._settings).eval()
        made_by = storage.fingerprint_of(METHOD, self._arrays, [NAME], settings=self._facts)
        most = self._settings.max_tokens
        self._card = EncoderCard(NAME, SUMMARY, self._network.dim, made_by, max_tokens=most)

    @torch.inference_mode()
    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim)."""
        read = [(place, words) for place, one in enumerate(documents) for words in self._sentences(one.text)]
        read.sort(key=lambda one: len(one[1]))
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        for start in range(0, len(read), _SENTENCES_AT_ONCE):
            part = read[start : start + _SENTENCES_AT_ONCE]
            for (place, _), vectors in zip(part, self._network([words for _, words in part]), strict=True):
                rows[place] += vectors.sum(dim=0).numpy()
        return unit_length(rows)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        facts = {storage.SETTINGS: self._facts}
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=[NAME], facts=facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        with storage.opening(folder, "ELMo", METHOD) as opened:
            settings = opened.settings_as(ElmoSettings, without="arrays")
            stored = opened.read(dict(opened.settings.get("arrays", {})))
            return cls(stored.arrays, settings)

    @property
    def _facts(self) -> dict[str, Any]:
        """The settings, with the dimensions of each array."""
        return {**asdict(self._settings), "arrays": {name: array.ndim for name, array in self._arrays.items()}}

    def _sentences(self, text: str) -> list[list[str]]:
        """Return the tokens of each sentence of a text's first ones."""
        found, left = [], self._settings.max_tokens
        for span in sentences(text):
            words = tokens(text[span.start : span.stop])[:left]
            left -= len(words)
            if words:
                found.append(words)
        return found


def _cell(direction: int, layer: int, part: str) -> str:
    return f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/{part}"
