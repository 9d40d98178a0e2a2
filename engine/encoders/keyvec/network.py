"""The network of KeyVec: words to sentences, and those to a vector with key words (KeyVec, sections 3.1 and 3.2)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from engine.encoders.keyvec.sentence_cnn import SentenceCnn
from engine.encoders.keyvec.settings import KeyvecSettings
from engine.encoders.masked_texts import by_document

_WIDER_IN, _WIDER_OUT = 3, 10  # tried on the training loss of 2,600 abstracts alone


class ReadSentences(NamedTuple):
    """What the reader makes of b documents of up to s sentences.

    `states` (b, s, 2 hidden) and `logits` (b, s) mean nothing where `inside` (b, s) is False.
    """

    states: Tensor
    logits: Tensor
    inside: Tensor


class KeyvecNetwork(nn.Module):
    """The Neural Reader and the Neural Encoder (KeyVec, sections 3.1 and 3.2)."""

    def __init__(self, word_dim: int, settings: KeyvecSettings, *, keywords: int) -> None:
        """Take the length of a word's vector and the number of key words; weights are drawn from the current seed."""
        super().__init__()
        self.word_dim, self.settings = word_dim, settings
        self.sentences = SentenceCnn(word_dim, settings.channels, settings.widths)
        self.ahead = nn.LSTM(self.sentences.out_dim, settings.hidden, batch_first=True)
        self.back = nn.LSTM(self.sentences.out_dim, settings.hidden, batch_first=True)
        self.salient = nn.Linear(2 * settings.hidden, 1)
        self.out = nn.Linear(2 * settings.hidden, settings.dim)
        self.keywords = nn.Linear(settings.dim, keywords, bias=False)
        with torch.no_grad():  # as torch draws them all vectors begin alike, and the first thousand steps are lost
            self.out.weight.mul_(_WIDER_OUT)
            for lstm in (self.ahead, self.back):
                lstm.get_parameter("weight_ih_l0").mul_(_WIDER_IN)

    def read(self, sentences: Tensor, counts: Tensor) -> ReadSentences:
        """The sentences of documents that have so many each (b,), all at least one, end to end: (m, e).

        h_i = [forward; backward], and the logit of p_i = sigmoid(w . h_i + bias) (KeyVec, section 3.1). Padding stands
        behind a document whichever way it is read, so nothing of it comes into a state; a packed sequence would take
        the square of its length in the backward pass.
        """
        with torch.autocast(sentences.device.type, enabled=False):  # an LSTM is slower in bfloat16 on a processor
            padded, inside = by_document(sentences.float(), counts)  # (b, s, e), (b, s)
            backwards = _turned(self.back(_turned(padded, counts))[0], counts)
            states = torch.cat([self.ahead(padded)[0], backwards], dim=2)  # (b, s, 2 hidden)
            logits: Tensor = self.salient(states)[..., 0]  # (b, s)
        return ReadSentences(states, logits, inside)

    def vectors(self, read: ReadSentences) -> Tensor:
        """V = tanh(W sum_i (p_i / sum p) h_i + bias) (KeyVec, section 3.2): (b, dim).

        The shares come from the logarithms of p, so that they add up to 1 however small every p is.
        """
        with torch.autocast(read.states.device.type, enabled=False):
            shares = logsigmoid(read.logits).masked_fill(~read.inside, -torch.inf).softmax(dim=1)  # (b, s)
            pooled = torch.einsum("bs,bsh->bh", shares, read.states)  # (b, 2 hidden)
            found: Tensor = torch.tanh(self.out(pooled))
        return found


def _turned(rows: Tensor, counts: Tensor) -> Tensor:
    """The first rows (b, s, d) of each document, so many as it has (b,), from the last to the first."""
    places = torch.arange(rows.shape[1], device=rows.device).expand(rows.shape[:2])  # (b, s)
    turned = torch.where(places < counts[:, None], counts[:, None] - 1 - places, places)
    return rows.gather(1, turned[..., None].expand_as(rows))
