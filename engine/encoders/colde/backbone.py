"""CoLDE's transformer: one vector a chunk, aware of its section and its number there (CoLDE, section 3.1)."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn

Pooling = Literal["mean", "first"]


class Backbone(nn.Module):
    """A `transformers` model with learned section and chunk embeddings added to its words (CoLDE, section 3.1).

    Both embeddings are added to the word vectors before the model adds its position embeddings. They start at zero, so
    that an untrained backbone reads as its transformer does. Numbers beyond the tables use their last rows.
    """

    def __init__(self, model: Any, *, sections: int, chunks: int, pooling: Pooling = "mean") -> None:  # noqa: ANN401  a `transformers` class without types
        """Take an encoder model of hidden size d, and how many sections, and chunks in one, to tell apart."""
        super().__init__()
        self.model, self.pooling = model, pooling
        if getattr(model, "pooler", None) is not None:
            model.pooler = None  # chunk vectors do not use it, and many checkpoints lack its weights
        self.dim: int = model.config.hidden_size
        self.sections = nn.Embedding(sections, self.dim)
        self.chunks = nn.Embedding(chunks, self.dim)
        for table in self.added:
            nn.init.zeros_(table.weight)

    def scatter(self, spread: float) -> None:
        """Draw both embeddings, their numbers with a standard deviation of `spread`, so that they can learn."""
        for table in self.added:
            nn.init.normal_(table.weight, std=spread)

    @property
    def added(self) -> tuple[nn.Embedding, nn.Embedding]:
        """The embeddings that are added to words: of sections, of chunks."""
        return self.sections, self.chunks

    def forward(self, tokens: Tensor, lengths: Tensor, sections: Tensor, chunks: Tensor) -> Tensor:
        """Vectors (b, d) of chunks: token ids (b, t) with lengths (b,), numbers of sections and chunks (b,).

        The mean of the token vectors within a chunk's length, or the first token's.
        """
        words = self.model.get_input_embeddings()(tokens)  # (b, t, d)
        words = words + (_rows(self.sections, sections) + _rows(self.chunks, chunks))[:, None]  # (b, t, d)
        inside = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]  # (b, t)
        states: Tensor = self.model(inputs_embeds=words, attention_mask=inside.long()).last_hidden_state  # (b, t, d)
        if self.pooling == "first":
            return states[:, 0].float()
        total = (states.float() * inside[..., None]).sum(1)  # (b, d)
        return total / lengths.clamp(min=1)[:, None]


def _rows(table: nn.Embedding, numbers: Tensor) -> Tensor:
    rows: Tensor = table(numbers.clamp(max=table.num_embeddings - 1))
    return rows
