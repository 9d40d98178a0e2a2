"""Texts as a transformer's token vectors: an embedding model for CTPE's network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from engine.documents.text import first_tokens
from engine.encoders.ctpe.embeddings import Arrays, EmbeddingModel, Numbers, Offsets
from engine.encoders.ctpe.remembered_vectors import remembered
from engine.encoders.transformer import Transformer, empty_model


class TransformerTokens(EmbeddingModel):
    """One vector a token from a frozen transformer, including its start and end tokens."""

    kind = "transformer"
    halves_at_once = 32

    def __init__(self, transformer: Transformer) -> None:
        """Take a transformer, such as `Transformer.open(folder_or_name)` reads from this machine."""
        self.transformer = transformer

    @property
    def dim(self) -> int:
        """The length of a token's vector."""
        return self.transformer.dim

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The transformer's weights."""
        return self.transformer.arrays

    @property
    def words(self) -> tuple[str, ...]:
        """The tokenizer, as one line of JSON."""
        return (self.transformer.tokenizer,)

    @property
    def config(self) -> dict[str, Any]:
        """The transformer's settings, and the number format that it runs in."""
        return {"model": self.transformer.config, "precision": self.transformer.precision}

    @classmethod
    def expected(cls, config: Mapping[str, Any]) -> dict[str, int]:
        """The weights of a transformer with these settings. Raises EncoderError for settings of an unknown model."""
        return {name: tensor.ndim for name, tensor in empty_model(config["model"]).state_dict().items()}

    @classmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Put together what `arrays`, `words` and `config` gave."""
        return cls(Transformer.build(config["model"], words[0], arrays, precision=config["precision"]))

    def as_stored(self) -> Self:
        """Itself: a transformer is never trained here."""
        return self

    def ids(self, text: str, max_tokens: int) -> Numbers:
        """The numbers of a text's first `max_tokens` tokens; empty for a text without words."""
        if not first_tokens(text, 1):
            return np.empty(0, np.int32)
        opening = " ".join(text.split(maxsplit=max_tokens)[:max_tokens])  # a word is one token or more
        most = min(max_tokens, self.transformer.max_tokens or max_tokens)
        return np.array(self.transformer.tokens([opening], most)[0], np.int32)

    def encode_ids(self, flat: Numbers, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Vectors (b, t, dim) and lengths (b,) of b texts."""
        texts = [flat[start:stop] for start, stop in pairwise(offsets)]
        read, memory = self.transformer.token_vectors, remembered()
        return read([ids.tolist() for ids in texts]) if memory is None else memory.vectors(self._model, texts, read)

    @cached_property
    def _model(self) -> str:
        """Identifies the transformer among remembered vectors."""
        return self.fingerprint
