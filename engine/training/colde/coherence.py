"""Titles with their abstracts as documents of two sections: more to learn coherence from than long documents give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.sparse import block_diag, csr_array, eye_array

from engine.documents import Document, Section
from engine.errors import InputError
from engine.readers import iter_documents
from engine.training.corpora import CORPUS, queries_in
from engine.training.long_corpus import LongCorpus, PlacedPairs


def with_coherence(corpus: LongCorpus, name: str, data: Path, *, count: int) -> LongCorpus:
    """A corpus with `count` documents of another one that have a title and an abstract, evenly drawn from all of it.

    Each belongs to itself alone, so that its title and its abstract are positives and all other documents' negatives.
    It has no valid pairs, and no benchmark's query or one of its family. Raises InputError where no document has both,
    or the corpus is there already.
    """
    if name in corpus.parts:
        raise InputError(f"Expected a corpus for coherence beside {', '.join(corpus.parts)}, got {name} again.")
    held_out = queries_in(data)
    whole = [
        one
        for one in iter_documents(data / name / CORPUS)
        if one.title and one.abstract and held_out.isdisjoint({one.id, one.family or one.id})
    ]
    documents = tuple(_of_two_sections(one) for one in whole[:: max(1, len(whole) // count)][:count])
    if not documents:
        raise InputError(f"Expected documents with a title and an abstract in {name}/{CORPUS}, found none.")
    first, last = len(corpus.documents), len(corpus.documents) + len(documents)
    places = np.arange(first, last)
    alone = PlacedPairs(np.stack([places, places], axis=1), np.ones(len(documents), bool))
    return replace(
        corpus,
        documents=(*corpus.documents, *documents),
        parts={**corpus.parts, name: slice(first, last)},
        train={**corpus.train, name: alone},
        related=csr_array(block_diag((corpus.related, eye_array(len(documents), dtype=bool)), format="csr")),
    )


def _of_two_sections(document: Document) -> Document:
    sections = (Section("", document.title), Section("", document.abstract))
    return Document(document.id, kind=document.kind, sections=sections)
