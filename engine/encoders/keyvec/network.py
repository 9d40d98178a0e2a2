"""The network of KeyVec: words to sentences, sentences to a vector with key words (KeyVec, sections 3.1 and 3.2)."""

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
    """The reader's answer to b documents of up to s sentences.

    `states` (b, s, 2 hidden) and `logits` (b, s) mean nothing where `inside` (b, s) is False.
    """

    states: Tensor
    logits: Tensor
    inside: Tensor


class KeyvecNetwork(nn.Module):
    """The Neural Reader and the Neural Encoder (KeyVec, sections 3.1 and 3.2)."""

    def __init__(self, word_dim: int, settings: KeyvecSettings, *, keywords: int) -> None:
        """Take the length of a word's vector and the number of key words; the current seed draws the weights."""
        super().__init__()
        self.word_dim, self.settings = word_dim, settings
        self.sentences = SentenceCnn(word_dim, settings.channels, settings.widths)
        self.ahead = nn.LSTM(self.sentences.out_dim, settings.hidden, batch_first=True)
        self.back = nn.LSTM(self.sentences.out_dim, settings.hidden, batch_first=True)
        self.salient = nn.Linear(2 * settings.hidden, 1)
        self.out = nn.Linear(2 * settings.hidden, settings.dim)
        self.keywords = nn.Linear(settings.dim, keywords, bias=False)
        with torch.no_grad():  # with torch's defaults all vectors start alike, and the first thousand steps are lost
            self.out.weight.mul_(_WIDER_OUT)
            for lstm in (self.ahead, self.back):
                lstm.get_parameter("weight_ih_l0").mul_(_WIDER_IN)

    def read(self, sentences: Tensor, counts: Tensor) -> ReadSentences:
        """Read the sentences (m, e) of b documents, end to end; `counts` (b,) says how many each has, at least one.

        h_i = [forward; backward], and the logit of p_i = sigmoid(w . h_i + bias) (KeyVec, section 3.1). Padding follows
        a document in either direction, so it never reaches a state; a packed sequence would take quadratic time in the
        backward pass.
        """
        with torch.autocast(sentences.device.type, enabled=False):  # an LSTM is slower in bfloat16 on a processor
            padded, inside = by_document(sentences.float(), counts)  # (b, s, e), (b, s)
            backwards = _turned(self.back(_turned(padded, counts))[0], counts)
            states = torch.cat([self.ahead(padded)[0], backwards], dim=2)  # (b, s, 2 hidden)
            logits: Tensor = self.salient(states)[..., 0]  # (b, s)
        return ReadSentences(states, logits, inside)

    def vectors(self, read: ReadSentences) -> Tensor:
        """V = tanh(W sum_i (p_i / sum p) h_i + bias) (KeyVec, section 3.2): (b, dim).

        The shares come from the logarithms of p, so that they sum to 1 even for tiny p.
        """
        with torch.autocast(read.states.device.type, enabled=False):
            shares = logsigmoid(read.logits).masked_fill(~read.inside, -torch.inf).softmax(dim=1)  # (b, s)
            pooled = torch.einsum("bs,bsh->bh", shares, read.states)  # (b, 2 hidden)
            found: Tensor = torch.tanh(self.out(pooled))
        return found


def _turned(rows: Tensor, counts: Tensor) -> Tensor:
    """Each document's first `counts` (b,) rows (b, s, d), from the last to the first."""
    places = torch.arange(rows.shape[1], device=rows.device).expand(rows.shape[:2])  # (b, s)
    turned = torch.where(places < counts[:, None], counts[:, None] - 1 - places, places)
    return rows.gather(1, turned[..., None].expand_as(rows))
