"""The two losses of KeyVec: functions of tensors."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits


def read_loss(logits: Tensor, salient: Tensor, documents: Tensor) -> Tensor:
    """L_read = -sum over salient sentences of log p - sum over the others of log(1 - p) (KeyVec, section 4), a scalar.

    `logits` of p and `salient` are of sentences (m,), of which sentence i is in document `documents[i]` (m,). The mean
    over documents; 0 where there is none.
    """
    with torch.autocast(logits.device.type, enabled=False):
        entropy = binary_cross_entropy_with_logits(logits.float(), salient.float(), reduction="sum")
        return entropy / _count(documents)


def keyword_loss(logits: Tensor, words: Tensor, documents: Tensor) -> Tensor:
    """L_enc = -sum over a document's key words of log softmax(U v)[w] (KeyVec, section 4), a scalar.

    `logits` U v are (b, K); key word i is `words[i]` (w,) of document `documents[i]` (w,). The mean over documents
    that have one; 0 where none has.
    """
    with torch.autocast(logits.device.type, enabled=False):
        logs = logits.float().log_softmax(dim=1)  # (b, K)
        return -logs[documents, words].sum() / _count(documents)


def _count(documents: Tensor) -> int:
    """How many different documents there are, at least 1."""
    return max(1, len(set(documents.tolist())))
