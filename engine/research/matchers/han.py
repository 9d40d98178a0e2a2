"""HAN: a recurrent network with attention over the words of sentences, another over the sentences."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from engine.encoders.masked_texts import Texts, by_document
from engine.research.matchers.network import FrozenWords, MatcherNetwork
from engine.research.matchers.settings import MatcherSettings


class Han(MatcherNetwork):
    """Words to sentences, sentences to a document, by the same two steps (Yang et al., NAACL 2016, section 2)."""

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        self.word_level = Level(words.dim, settings.width)
        self.sentence_level = Level(2 * settings.width, settings.width)
        self.out = nn.Linear(2 * settings.width, settings.dim)

    def forward(self, texts: Texts) -> Tensor:
        """Documents as vectors: (b, dim)."""
        with torch.autocast(texts.numbers.device.type, enabled=False):  # a GRU is slower in bfloat16 on a processor
            sentences = self.word_level(self.words(texts), texts.inside)  # (n, 2 width)
            vectors: Tensor = self.out(self.sentence_level(*by_document(sentences, texts.rows)))
        return vectors


class Level(nn.Module):
    """A GRU in both directions, then the mean of its states by attention (equations 5 to 7, and 8 to 10)."""

    def __init__(self, inputs: int, width: int) -> None:
        """Take what is read, and how wide the states are in each direction."""
        super().__init__()
        self.gru = nn.GRU(inputs, width, batch_first=True, bidirectional=True)
        self.hidden = nn.Linear(2 * width, 2 * width)
        self.context = nn.Linear(2 * width, 1, bias=False)

    def forward(self, given: Tensor, inside: Tensor) -> Tensor:
        """Sequences (n, w, inputs), which hold something where `inside` (n, w): (n, 2 width)."""
        packed = pack_padded_sequence(given, inside.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        states = pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=given.shape[1])[0]
        scores = self.context(torch.tanh(self.hidden(states)))[..., 0].masked_fill(~inside, -torch.inf)  # (n, w)
        means: Tensor = (scores.softmax(1)[..., None] * states).sum(1)
        return means
