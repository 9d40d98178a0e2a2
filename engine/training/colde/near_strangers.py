"""Hard negatives for long documents: those that share most words with a document and do not belong to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine import text
from engine.training.long_corpus import LongBatch, LongCorpus

Places = NDArray[np.int64]

AMONG = 10
_TOO_COMMON = 0.5  # words in more than this share of documents say nothing of what is near


def near_strangers(corpus: LongCorpus, *, count: int = AMONG) -> Places:
    """The `count` documents of the largest TF-IDF cosine to each, the nearest first: (n, count), filled up with -1.

    Only documents of train pairs have some and are some, of their own corpus, and never such as a train pair or a
    family joins. A document that only a valid or a test pair tells to belong may be among them.
    """
    found = np.full((len(corpus.documents), count), -1, np.int64)
    for name, pairs in corpus.train.items():
        held = np.unique(pairs.places)
        if not len(held) or name not in corpus.valid:
            continue
        similarity = _similarity([corpus.documents[place].text for place in held])  # (h, h)
        similarity[corpus.same_label(held)] = 0
        order = np.argsort(-similarity, axis=1, kind="stable")[:, :count]  # (h, count)
        near = np.where(np.take_along_axis(similarity, order, 1) > 0, held[order], -1)
        found[held, : near.shape[1]] = near
    return found


def with_strangers(batch: LongBatch, near: Places, each: int) -> LongBatch:
    """A batch that also has `each` of every document's near strangers, drawn anew for every batch."""
    generator = np.random.default_rng((*batch.key, each))
    rows = near[batch.documents]  # (b, count)
    drawn = generator.permuted(rows, axis=1)[:, :each]
    documents = np.union1d(batch.documents, drawn[drawn >= 0])
    return batch._replace(documents=documents)


def _similarity(texts: list[str]) -> NDArray[np.float32]:
    """Cosines of sublinear TF-IDF rows, (n, n)."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    counter = TfidfVectorizer(analyzer=text.tokens, sublinear_tf=True, max_df=_TOO_COMMON, dtype=np.float32)
    rows = counter.fit_transform(texts)
    similarity: NDArray[np.float32] = (rows @ rows.T).toarray()
    return similarity
