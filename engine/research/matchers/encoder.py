"""The encoder that a trained matcher is: documents to rows whose inner product is their cosine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray

from engine import encoders
from engine.core.errors import StorageError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard, storage, unit_length
from engine.research.matchers.build import build
from engine.research.matchers.lexicon import Lexicon
from engine.research.matchers.network import MatcherNetwork, encode_reads
from engine.research.matchers.settings import (
    KIND_OF,
    Kind,
    MatcherSettings,
    method_of,
    name_of,
    reads_words,
    summary_of,
)

_WORDS, _NETWORK = "words", "network."
_DOCUMENTS_AT_ONCE = 256  # whose numbers are held together


class MatcherEncoder(Encoder):
    """A network of any kind with the words or letters that it reads; a document without any is a row of zeros."""

    reads_sentences: ClassVar[bool] = False

    def __init__(
        self,
        kind: Kind,
        settings: MatcherSettings,
        lexicon: Lexicon,
        *,
        network: MatcherNetwork,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the parts of an encoder, on the processor, and facts to keep with it."""
        self.kind, self.settings = kind, settings
        self.facts = storage.notes(facts)
        self._lexicon, self._network = lexicon, network.eval()
        self._card = EncoderCard(
            name_of(kind),
            summary_of(kind),
            settings.dim,
            storage.fingerprint_of(method_of(kind), self._arrays(), lexicon.words, settings=asdict(settings)),
            max_tokens=settings.max_words,
            trained_on=trained_on,
        )

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @torch.inference_mode()
    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim), at unit length."""
        rows = np.zeros((len(documents), self.settings.dim), np.float32)
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            part = documents[start : start + _DOCUMENTS_AT_ONCE]
            reads = [self._lexicon.read(document, self.kind, self.settings) for document in part]
            rows[start : start + len(part)] = encode_reads(self._network, reads).numpy()
        return unit_length(rows)

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(
            folder,
            method=method_of(self.kind),
            card=self.card,
            arrays=self._arrays(),
            words=self._lexicon.words,
            facts={encoders.SETTINGS: asdict(self.settings), **self.facts},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        with storage.opening(folder, "a matcher", *KIND_OF) as opened:
            kind = KIND_OF[opened.method]
            settings = opened.settings_as(MatcherSettings)
            stored = opened.read(_expected(kind, settings))
            lexicon = Lexicon(stored.words, stored.arrays.get(_WORDS))
        network = build(kind, settings, lexicon)
        _put(network, stored.arrays, folder)
        trained_on = stored.card.trained_on
        return cls(kind, settings, lexicon, network=network, trained_on=trained_on, facts=stored.facts)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        words = {} if self._lexicon.vectors is None else {_WORDS: self._lexicon.vectors}
        weights = {f"{_NETWORK}{name}": tensor.numpy() for name, tensor in self._network.state_dict().items()}
        return words | weights


def _expected(kind: Kind, settings: MatcherSettings) -> dict[str, int]:
    """The name of every array of such an encoder, and its number of dimensions; a lexicon of one word has them all."""
    words = {_WORDS: np.zeros((1, 1), np.float16)} if reads_words(kind) else {}
    weights = build(kind, settings, Lexicon(("",), words.get(_WORDS))).state_dict()
    named = words | {f"{_NETWORK}{name}": tensor.numpy() for name, tensor in weights.items()}
    return {name: array.ndim for name, array in named.items()}


def _put(network: MatcherNetwork, arrays: Mapping[str, NDArray[Any]], folder: Path) -> None:
    """Put weights in place. Raises StorageError if they are another network's."""
    given = {name.removeprefix(_NETWORK): array for name, array in arrays.items() if name != _WORDS}
    wanted = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: array.shape for name, array in given.items()}
    if wanted != found:
        raise StorageError(f"Expected weights of the shapes {wanted} in {folder}, found {found}. Build it again.")
    network.load_state_dict({name: torch.from_numpy(np.copy(array)) for name, array in given.items()}, strict=True)
