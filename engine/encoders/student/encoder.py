"""The encoder of a small transformer taught by a larger one: the mean of its token vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn

from engine.core.errors import EncoderError
from engine.core.processes import one_torch_thread
from engine.core.rows import DenseRows, Precision, Rows
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import EncoderCard
from engine.encoders.bert import is_plain
from engine.encoders.module_weights import RUNS, outlined
from engine.encoders.student.settings import DOCUMENTS, METHOD, NAME, SUMMARY, StudentSettings, name_of, summary_of
from engine.encoders.transformer import Transformer, bare_model, config_of
from engine.encoders.transformer_mean import TransformerMeanEncoder

_CONFIG = "config"
_SHORTEST = 1e-9  # of a row of zeros


class StudentEncoder(storage.TrainedEncoder, TransformerMeanEncoder):
    """The mean of the vectors of a text's first tokens at unit length, of a transformer kept as bytes.

    The weights are used as stored, so figures hold for the saved encoder. Rows agree between batches to 1e-2 where
    the processor multiplies bfloat16 quickly, elsewhere to 1e-6. A question (a document of kind "query") may be read
    further than a paper or a patent.
    """

    name: ClassVar[str] = NAME
    method: ClassVar[str] = METHOD
    summary: ClassVar[str] = SUMMARY

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        shape: tuple[Mapping[str, Any], str],
        settings: StudentSettings | None = None,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take weights as stored, the transformer's (config, tokenizer), and facts to keep.

        Raises EncoderError where they do not fit each other.
        """
        self.settings = settings or StudentSettings()
        self._arrays, (self._config, tokenizer) = dict(arrays), shape
        model = Transformer(self._filled(), Tokenizer.from_str(tokenizer))
        super().__init__(model, max_tokens=self.settings.max_tokens, trained_on=trained_on, facts=facts)
        most = self._model.max_tokens or self.settings.query_tokens
        if self.settings.query_tokens > most:
            raise EncoderError(
                f"Expected query_tokens of at most {most}, the most that the model reads; got "
                f"{self.settings.query_tokens}."
            )

    @classmethod
    def of(
        cls,
        model: nn.Module,
        tokenizer: str,
        settings: StudentSettings,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Self:
        """Make the encoder of a `transformers` model without a pooler; its big matrices become bytes, as stored."""
        shape = config_of(model), tokenizer
        return cls(RUNS.stored(model), shape, settings, trained_on=trained_on, facts=facts)

    def reading(self, max_tokens: int, *, query_tokens: int = 0) -> Self:
        """Return the same transformer over the first `max_tokens` of a text, with its facts.

        It reads `query_tokens` of a question if that is above 0. Raises EncoderError for more tokens than it has
        positions.
        """
        return self.as_it_reads(replace(self.settings, max_tokens=max_tokens, query_tokens=query_tokens))

    def as_it_reads(self, settings: StudentSettings) -> Self:
        """Return the same transformer read by other settings, with its facts. Raises EncoderError as `reading` does."""
        shape = self._config, self._model.tokenizer
        return type(self)(self._arrays, shape, settings, trained_on=self.card.trained_on, facts=self.facts)

    @property
    def transformer(self) -> Transformer:
        """The transformer, for those that read its token vectors."""
        return self._model

    @property
    def tokenizer(self) -> str:
        """The tokenizer as one line of JSON."""
        return self._model.tokenizer

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of the part of each text that is read, with the model's start and end tokens."""
        return self._model.tokens(texts, self.settings.max_tokens)

    def to_train(self) -> nn.Module:
        """Copy the transformer to train it further, in float32 and without dropout."""
        return self._filled().eval()

    def between(self, other: Self, share: float, *, facts: Mapping[str, Any] | None = None) -> Self:
        """Return the transformer with weights `share` of the way from this one's to another's; it reads as this one.

        If two models started as one and learnt different things, the one between can know both (Wortsman et al.,
        "Robust fine-tuning of zero-shot models", CVPR 2022, section 3). Raises EncoderError where their shapes or words
        differ, and for a share outside 0 to 1.
        """
        if not 0 <= share <= 1:
            raise EncoderError(f"Expected a share from 0 to 1, got {share}.")
        if dict(self._config) != dict(other._config) or self._model.tokenizer != other._model.tokenizer:
            raise EncoderError(
                "Expected two transformers of one shape and one vocabulary, got others. Train both from one teacher "
                "with the same layers."
            )
        made, theirs = self._filled(), other._filled().state_dict()
        ours = made.state_dict()
        weights = {name: part for name, part in ours.items() if part.is_floating_point()}
        made.load_state_dict(ours | {name: torch.lerp(part, theirs[name], share) for name, part in weights.items()})
        trained_on = tuple(dict.fromkeys([*self.card.trained_on, *other.card.trained_on]))
        return self.of(made, self._model.tokenizer, self.settings, trained_on=trained_on, facts=facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a taught transformer", METHOD) as opened:
            config = opened.settings.get(_CONFIG)
            stored = opened.read(RUNS.expected(_outline(config)) if config else {})
            settings = opened.settings_as(StudentSettings, without=_CONFIG)
            parts = dict(config or {}), stored.words[0]
            return cls(stored.arrays, parts, settings, trained_on=stored.card.trained_on, facts=stored.facts)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim); a single one on one thread, so that parallel requests do not wait."""
        with one_torch_thread(when=len(documents) == 1):
            return super().encode_documents(documents)

    def sentence_rows(self, rows: Rows, fingerprint: str) -> DenseRows | None:
        """Return the rows themselves at unit length, if the fingerprint is this encoder's."""
        if self.card.fingerprint != fingerprint:
            return None
        dense = cast(DenseRows, rows)
        lengths = np.linalg.norm(dense, axis=1, keepdims=True)
        return np.asarray(dense / np.maximum(lengths, _SHORTEST), np.float32)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim); questions are read as far as the settings say."""
        if not (most := self.settings.query_tokens):
            return self.encode_documents(documents)
        tokens: list[list[int]] = [[] for _ in documents]
        for of_questions, limit in ((True, most), (False, self.settings.max_tokens)):
            places = [place for place, one in enumerate(documents) if (one.kind == "query") is of_questions]
            read = self._model.tokens([documents[place].text for place in places], limit)
            for place, ids in zip(places, read, strict=True):
                tokens[place] = ids
        with one_torch_thread(when=len(documents) == 1):
            return self._means(tokens)

    def _described(self, trained_on: tuple[str, ...]) -> EncoderCard:
        """Return the card, from the stored weights."""
        self._weights = storage.StoredWeights(METHOD, self._arrays, [self._model.tokenizer], self._shape)
        name = name_of(self._config, self.settings.reads)
        return EncoderCard(
            name,
            summary_of(name),
            self._model.dim,
            self._weights.fingerprint,
            max_tokens=self.settings.max_tokens,
            trained_on=trained_on,
            stored=cast(Precision, self.settings.stored),
        )

    def _filled(self) -> nn.Module:
        """Make a transformer with the stored weights."""
        made = _outline(self._config)
        RUNS.fill(made, self._arrays)
        return made

    @property
    def _shape(self) -> dict[str, Any]:
        """What changes a row besides the weights."""
        settings = asdict(self.settings)
        if not self.settings.query_tokens:  # as it was before this could be chosen
            del settings["query_tokens"]
        if self.settings.reads == DOCUMENTS:
            del settings["reads"]
        return {**settings, _CONFIG: dict(self._config)}


def _outline(config: Mapping[str, Any]) -> nn.Module:
    """Make a transformer of these settings, to be filled."""
    with outlined(when=is_plain(config)):
        return bare_model(config)
