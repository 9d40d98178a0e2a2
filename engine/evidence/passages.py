"""Finds the sentence of a query and the sentence of a document that match best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.documents import Chunk, Document
from engine.encoders.base import Encoder
from engine.evidence.base import PassagePair
from engine.evidence.sentences import Prepared
from engine.evidence.vocabulary import Vocabulary
from engine.rows import Rows, largest

WORD_SHARE = 0.5
MAX_CANDIDATES = 16
_FIRST_SENTENCES = 4
_USUAL_TERMS = 8


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A pair of sentences worth the encoder's time."""

    hit: int
    query: int
    document: int
    overlap: float


def best_pairs(
    query: Prepared, documents: Sequence[Prepared], *, encoder: Encoder, vocabulary: Vocabulary
) -> list[PassagePair | None]:
    """The best pair of sentences for each document; None where one side has no sentence.

    similarity = 1/2 cosine of the sentences' words, each weighing its idf
               + 1/2 cosine of the encoder's rows of the two sentences, not below 0.

    The words choose sixteen pairs a document, the encoder reads only those sentences, in two batches
    for all documents: the words alone miss another wording, the encoder alone prefers what is general.
    """
    columns = {key: n for n, key in enumerate(sorted(frozenset().union(*query.keys)))}
    ours = _word_rows(query, columns, vocabulary)
    candidates = [
        _Candidate(hit, i, j, overlap)
        for hit, document in enumerate(documents)
        for i, j, overlap in _by_words(ours, _word_rows(document, columns, vocabulary))
    ]
    scores = _with_encoder(query, documents, candidates, encoder)
    best: list[PassagePair | None] = [None] * len(documents)
    for candidate, score in zip(candidates, scores.tolist(), strict=True):
        held = best[candidate.hit]
        if held is None or score > held.score:
            ours, theirs = query.sentences[candidate.query], documents[candidate.hit].sentences[candidate.document]
            best[candidate.hit] = PassagePair(ours, theirs, min(1.0, max(0.0, score)))
    return best


def _by_words(ours: csr_array, theirs: csr_array) -> Iterator[tuple[int, int, float]]:
    """The pairs of sentences with the largest overlap of words; the first sentences where no word is shared.

    Both are (s, words); gives a row of each and their overlap.
    """
    overlap = (ours @ theirs.T).toarray()  # (s_query, s_document)
    width = overlap.shape[1]
    best = [int(n) for n in largest(overlap.ravel(), MAX_CANDIDATES) if overlap.flat[n] > 0]
    if not best:
        rows, columns = (range(min(_FIRST_SENTENCES, size)) for size in overlap.shape)
        best = [i * width + j for i in rows for j in columns]
    return ((n // width, n % width, float(overlap.flat[n])) for n in best)


def _word_rows(prepared: Prepared, columns: Mapping[str, int], vocabulary: Vocabulary) -> csr_array:
    """Sentences as rows of idf, cut to the words that the query knows: (s, words).

    Rows are divided by their length before the cut, and a sentence of few words by that of eight usual
    ones: else a sentence of two words would match any other that holds them.
    """
    data: list[float] = []
    indices: list[int] = []
    starts = [0]
    for keys, squares in zip(prepared.keys, prepared.squares, strict=True):
        length = max(squares, squares * _USUAL_TERMS / len(keys)) ** 0.5
        for key in keys & columns.keys():
            indices.append(columns[key])
            data.append(vocabulary.idf(key) / length)
        starts.append(len(data))
    return csr_array((np.asarray(data, np.float32), indices, starts), shape=(len(prepared.keys), len(columns)))


def _with_encoder(
    query: Prepared, documents: Sequence[Prepared], candidates: Sequence[_Candidate], encoder: Encoder
) -> NDArray[np.float64]:
    """The similarity of each candidate: (candidates,)."""
    if not candidates:
        return np.zeros(0)
    ours = sorted({candidate.query for candidate in candidates})
    theirs = sorted({(candidate.hit, candidate.document) for candidate in candidates})
    our_rows = encoder.encode_queries([_alone(query.sentences[n]) for n in ours])
    their_rows = encoder.encode_documents([_alone(documents[hit].sentences[n]) for hit, n in theirs])
    our_place = {n: place for place, n in enumerate(ours)}
    their_place = {pair: place for place, pair in enumerate(theirs)}
    cosines = _cosines(
        our_rows[[our_place[candidate.query] for candidate in candidates]],
        their_rows[[their_place[candidate.hit, candidate.document] for candidate in candidates]],
    )
    overlaps = np.asarray([candidate.overlap for candidate in candidates])
    return WORD_SHARE * overlaps + (1 - WORD_SHARE) * np.maximum(cosines, 0)


def _alone(sentence: Chunk) -> Document:
    """A sentence as a document of its own."""
    return Document(id=f"{sentence.document_id}#{sentence.part}:{sentence.start}", abstract=sentence.text)


def _cosines(ours: Rows, theirs: Rows) -> NDArray[np.float64]:
    """The cosine of each row with the row across: two of (n, dim) -> (n,)."""
    products = _row_sums(ours, theirs)
    lengths = np.sqrt(_row_sums(ours, ours) * _row_sums(theirs, theirs))
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)


def _row_sums(ours: Rows, theirs: Rows) -> NDArray[np.float64]:
    """Inner product of each row with the row across: (n,)."""
    if isinstance(ours, np.ndarray):
        sums: NDArray[np.float64] = np.einsum("nd,nd->n", ours, theirs, dtype=np.float64)
        return sums
    return np.asarray(ours.multiply(theirs).sum(axis=1), np.float64).ravel()
