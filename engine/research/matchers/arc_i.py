"""ARC-I: three layers of convolutions with max pooling over a document's words."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import max_pool1d, relu

from engine.encoders.masked_texts import Texts, up_to
from engine.research.matchers.network import FrozenWords, MatcherNetwork
from engine.research.matchers.settings import MatcherSettings

_LAYERS, _WINDOW, _POOLED = 3, 3, 2


class ArcI(MatcherNetwork):
    """Windows of three words, the larger of every two neighbours (Hu et al., NeurIPS 2014, section 2), three times.

    As CoLDE's authors use it (section 4.1.3): one network for both documents, which are compared by their cosine. The
    third layer's maximum is over the whole document, so that any length gives one vector.
    """

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        widths = [words.dim] + [settings.width] * (_LAYERS - 1)
        self.layers = nn.ModuleList(nn.Conv1d(width, settings.width, _WINDOW, padding=_WINDOW // 2) for width in widths)
        self.out = nn.Linear(settings.width, settings.dim)

    def forward(self, texts: Texts) -> Tensor:
        """Documents as vectors: (b, dim)."""
        states, lengths = self.words(texts).transpose(1, 2), texts.lengths  # (b, d, w)
        for number, layer in enumerate(self.layers):
            if number:
                states = max_pool1d(states, _POOLED, ceil_mode=True)  # (b, width, w / 2)
                lengths = (lengths + _POOLED - 1) // _POOLED
            # no value is below 0 here, so zeros behind the length are never the larger
            states = relu(layer(states)) * up_to(lengths, states.shape[2])[:, None]  # (b, width, w)
        vectors: Tensor = self.out(states.amax(2))
        return vectors
