"""S-BERT: a pre-trained transformer that reads a document's first tokens and is fine-tuned on pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn

from engine import encoders
from engine.documents import Document
from engine.encoders import Transformer, TransformerMeanEncoder, bare_model
from engine.encoders.masked_texts import Read, Texts
from engine.encoders.processor import reading_precision
from engine.encoders.transformer import without_dropout
from engine.research.matchers.network import MatcherNetwork
from engine.research.matchers.recipe import SBertRecipe


class SBert(MatcherNetwork):
    """The mean of a transformer's token vectors (Reimers and Gurevych, EMNLP 2019, section 3)."""

    def __init__(self, model: nn.Module, dim: int) -> None:
        """Take a `transformers` model with vectors of length `dim`."""
        super().__init__()
        self.model, self._dim = model, dim

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self._dim

    def forward(self, texts: Texts) -> Tensor:
        """Documents, each a row of token ids, as vectors: (b, dim)."""
        inside = texts.inside
        states = self.model(input_ids=texts.numbers, attention_mask=inside.long()).last_hidden_state  # (b, t, dim)
        means: Tensor = (states.float() * inside[..., None]).sum(1) / texts.lengths[:, None]
        return means


class SBertStart:
    """A transformer as a recipe begins with it.

    It learns without dropout, whose scores of attention take gigabytes; the recipe's `word_dropout` hides tokens.
    """

    def __init__(self, recipe: SBertRecipe, opened: Transformer) -> None:
        """Take an opened transformer. Raises EncoderError where it cannot read as many tokens as the recipe says."""
        self._recipe, self._opened = recipe, opened
        self._before = TransformerMeanEncoder(opened, max_tokens=recipe.network.max_tokens)  # checks the length
        self.network = SBert(bare_model(without_dropout(opened.config)), opened.dim)
        held = opened.arrays
        weights = {name: torch.from_numpy(held[name]) for name in self.network.model.state_dict()}
        self.network.model.load_state_dict(weights, strict=True)

    @classmethod
    def of(cls, recipe: SBertRecipe) -> Self:
        """Open the recipe's transformer. Raises EncoderError, MissingExtraError or ChecksumError if it is not there."""
        source = recipe.network.source
        folder = encoders.minilm_folder() if source == encoders.MINILM else Path(source)
        return cls(recipe, Transformer.open(folder, precision="float32"))

    def read(self, document: Document) -> Read:
        """The first tokens of a document in one row; nothing of one without text."""
        ids = self._opened.tokens([document.text], self._recipe.network.max_tokens) if document.text.strip() else []
        return Read.of(ids)

    def encoder(self, facts: Mapping[str, Any]) -> TransformerMeanEncoder:
        """The encoder of the present weights, which any command reads as it reads other transformers."""
        weights = {name: tensor.numpy() for name, tensor in self.network.cpu().model.state_dict().items()}
        model = Transformer.build(
            self._opened.config,
            self._opened.tokenizer,
            {**self._opened.arrays, **weights},
            precision=reading_precision(),
        )
        return TransformerMeanEncoder(
            model,
            max_tokens=self._recipe.network.max_tokens,
            trained_on=(Path(self._recipe.network.source).name, *self._recipe.data.corpora),
            facts=facts,
        )
