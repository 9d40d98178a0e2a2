"""A small SMITH: a transformer over blocks of sentences, another over the blocks."""

from __future__ import annotations

from torch import Tensor, nn

from engine.encoders.masked_texts import Texts, by_document
from engine.research.matchers.network import FrozenWords, MatcherNetwork
from engine.research.matchers.settings import MatcherSettings
from engine.research.matchers.transformer import SequenceReader, to_all


class Smith(MatcherNetwork):
    """Two levels of transformers, each read by its first token (Yang et al., CIKM 2020, section 3.2).

    The published one begins with pre-trained levels; this one is small and learns from the pairs alone.
    """

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        self.inputs = nn.Linear(words.dim, settings.width)
        self.word_level, self.block_level = (
            SequenceReader(settings.width, heads=settings.heads, layers=settings.layers, attention=to_all)
            for _ in range(2)
        )
        self.out = nn.Linear(settings.width, settings.dim)

    def forward(self, texts: Texts) -> Tensor:
        """Documents as vectors: (b, dim)."""
        blocks = self.word_level(self.inputs(self.words(texts)), texts.inside)  # (n, width)
        vectors: Tensor = self.out(self.block_level(*by_document(blocks, texts.rows)))
        return vectors
