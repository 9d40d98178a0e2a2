"""Sentences as evidence: those of a document with their words, and the two of a pair of texts that match best."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.rows import Rows, largest
from engine.documents import Chunk, Document, Section
from engine.documents.text import Span, chunks, sentences
from engine.documents.words import compounds, words
from engine.encoders import Encoder
from engine.search.boilerplate import is_boilerplate
from engine.search.readings import Reading
from engine.search.vocabulary import Vocabulary

MAX_SENTENCES = 200
MAX_CLAIM_SENTENCES = 50
_MIN_WORDS, _MIN_TERMS = 6, 3
MAX_WORDS = 60
_USUAL_CHARACTERS = 200
_NO_KEY = frozenset({""})

Worded: TypeAlias = tuple[Chunk, frozenset[str]]
"""A sentence and its words."""


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A document's sentences with the words in each, and how often it uses each word and phrase.

    `sentences` may be shown as a passage; `keys` are the words of each and `squares` the sums of the words' squared
    idf. `counts` are for tokens as written, `phrases` for pairs of neighbouring tokens that occur at least twice. Each
    part was read up to the character in `read`, by the part's number. `spare` are short sentences, which are not shown
    where there are others, with their words.
    """

    document: Document
    sentences: tuple[Chunk, ...]
    keys: tuple[frozenset[str], ...]
    squares: tuple[float, ...]
    counts: Counter[str]
    phrases: dict[tuple[str, str], int]
    read: Mapping[int, int]
    spare: tuple[Worded, ...] = ()


def prepare(document: Document, vocabulary: Vocabulary) -> PreparedText:
    """Read a document once for all evidence; at most 200 sentences, with 50 kept for claims.

    Boilerplate is not counted at all. Titles and very short sentences count, but are shown as passages only as a last
    resort.
    """
    return _gathered(document, _bounded(document), vocabulary)


def extend(prepared: PreparedText, passages: Iterable[Chunk], vocabulary: Vocabulary) -> PreparedText:
    """Return the document read further: what some of its passages say beyond what was read.

    In these passages short sentences may be shown, too: they matched a question that may have no other.
    """
    bounds = sorted({(one.part, one.start, one.stop) for one in passages})
    added = _gathered(prepared.document, _beyond(prepared, bounds), vocabulary)
    inside = [one for one in prepared.spare if any(_lies_in(one[0], bound) for bound in bounds)]
    if not added.read and not inside:
        return prepared
    shown = _Shown.of([*inside, *added.spare], vocabulary)
    counts, phrases = prepared.counts.copy(), dict(prepared.phrases)
    counts.update(added.counts)
    for pair, count in added.phrases.items():
        phrases[pair] = phrases.get(pair, 0) + count
    return PreparedText(
        prepared.document,
        prepared.sentences + added.sentences + shown.sentences,
        prepared.keys + added.keys + shown.keys,
        prepared.squares + added.squares + shown.squares,
        counts,
        phrases,
        {**prepared.read, **added.read},
    )


def says_enough(words: int, keys: int) -> bool:
    """Tell whether a sentence can be shown by itself, by how many words it has and how many can be evidence."""
    return words >= _MIN_WORDS and keys >= _MIN_TERMS


class _Shown(NamedTuple):
    """Sentences that may be shown, with their words."""

    sentences: tuple[Chunk, ...]
    keys: tuple[frozenset[str], ...]
    squares: tuple[float, ...]

    @classmethod
    def of(cls, chosen: Sequence[Worded], vocabulary: Vocabulary) -> Self:
        """Return some sentences by their words."""
        return cls(
            tuple(chunk for chunk, _ in chosen),
            tuple(keys for _, keys in chosen),
            tuple(sum([vocabulary.idf(key) ** 2 for key in keys]) for _, keys in chosen),
        )


def _gathered(document: Document, found: Iterable[tuple[str, Chunk]], vocabulary: Vocabulary) -> PreparedText:
    """Return the sentences found, each with the role of its part, and what is counted in them."""
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    levels: dict[str, list[Worded]] = {"good": [], "short": [], "title": []}
    read: dict[int, int] = {}
    for role, chunk in found:
        read[chunk.part] = chunk.stop
        said = words(chunk.text, ends=False)
        distinct = set(said)
        keys = frozenset(map(vocabulary.keys.__getitem__, distinct)) - _NO_KEY
        if role != "title" and is_boilerplate(chunk.text, distinct, keys):
            continue
        counts.update(chain(said, (one.solid for one in compounds(chunk.text))))
        pairs.update(pairwise(said))
        good = says_enough(len(said), len(keys))
        if keys:
            levels["title" if role == "title" else "good" if good else "short"].append((chunk, keys))
    shown = _Shown.of(levels["good"] or levels["short"] or levels["title"], vocabulary)
    phrases = {pair: count for pair, count in pairs.items() if count > 1}
    return PreparedText(document, *shown, counts, phrases, read, tuple(levels["short"] if levels["good"] else ()))


def _bounded(document: Document) -> Iterator[tuple[str, Chunk]]:
    """Yield the first sentences of a document; claims are counted apart so that a long description leaves them room."""
    left = {"claim": MAX_CLAIM_SENTENCES, "other": MAX_SENTENCES - MAX_CLAIM_SENTENCES}
    for position, part in enumerate(document.parts):
        if part.role == "references":
            continue
        account = "claim" if part.role == "claim" else "other"
        if left[account] == 0:
            continue
        for span in islice(short_sentences(part, max_characters=left[account] * _USUAL_CHARACTERS), left[account]):
            left[account] -= 1
            yield part.role, part.chunk(document.id, position, span.start, span.stop)


def _beyond(prepared: PreparedText, bounds: Iterable[tuple[int, int, int]]) -> Iterator[tuple[str, Chunk]]:
    """Yield the sentences of some stretches (part, start, stop) that lie behind what was read of their parts."""
    document = prepared.document
    for part, first, stop in bounds:
        section, start = document.parts[part], max(first, prepared.read.get(part, 0))
        for span in short_sentences(replace(section, text=section.text[start:stop])) if start < stop else ():
            yield section.role, section.chunk(document.id, part, start + span.start, start + span.stop)


def _lies_in(chunk: Chunk, bound: tuple[int, int, int]) -> bool:
    return chunk.part == bound[0] and bound[1] <= chunk.start and chunk.stop <= bound[2]


def short_sentences(part: Section, *, max_characters: int | None = None) -> Iterator[Span]:
    """Yield sentences short enough to be read in a list: longer ones are cut at semicolons, then by length.

    A text is read up to the last whole sentence within `max_characters`.
    """
    found = sentences(part.text[:max_characters])
    if max_characters is not None and len(part.text) > max_characters and len(found) > 1:
        found.pop()
    for sentence in found:
        text = part.text[sentence.start : sentence.stop]
        if text.count(" ") < MAX_WORDS:
            yield sentence
            continue
        for clause in _clauses(text):
            for piece in chunks(text[clause.start : clause.stop], MAX_WORDS):
                start = sentence.start + clause.start + piece.start
                yield Span(start, start + piece.stop - piece.start)


def _clauses(text: str) -> Iterator[Span]:
    start = 0
    for match in re.finditer(r";\s", text):
        yield Span(start, match.start() + 1)
        start = match.end()
    yield Span(start, len(text))


WORD_SHARE = 0.5
MAX_CANDIDATES = 16
MIN_CANDIDATES = 3
MAX_READ = 200
"""How many pairs of sentences the encoder reads for one answer, spread over its documents, at least three each."""

_FIRST_SENTENCES = 4


@dataclass(frozen=True, slots=True)
class PassagePair:
    """The sentences or passages of the query and of the document that match best; score in [0, 1].

    `reading` says how near two passages are, where they are related; sentences are too short for one.
    """

    query: Chunk
    document: Chunk
    score: float
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """A document's best pair of sentences, None without one, and the number of the query in it."""

    query: int = 0
    pair: PassagePair | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A pair of sentences worth the encoder's time: numbers of a document, a query's sentence and the document's."""

    document: int
    ours: int
    theirs: int
    overlap: float


def best_pairs(
    queries: Sequence[PreparedText], documents: Sequence[PreparedText], *, encoder: Encoder, vocabulary: Vocabulary
) -> list[Best]:
    """Return the best pair of sentences for each document, with any of the queries; none where either has no sentence.

    similarity = 1/2 cosine of the sentences' words, each weighing its idf
               + 1/2 cosine of the encoder's rows of the two sentences, not below 0.

    The words choose sixteen pairs a document, fewer for many documents, and the encoder reads only those sentences, in
    two batches for all documents. Words alone miss other wordings; the encoder alone prefers general sentences.
    """
    sentences = [(number, sentence) for number, query in enumerate(queries) for sentence in query.sentences]
    candidates = _candidates(queries, documents, vocabulary)
    scores = _with_encoder([sentence for _, sentence in sentences], documents, candidates, encoder)
    best = [Best() for _ in documents]
    for candidate, score in zip(candidates, scores.tolist(), strict=True):
        held = best[candidate.document].pair
        if held is None or score > held.score:
            number, ours = sentences[candidate.ours]
            theirs = documents[candidate.document].sentences[candidate.theirs]
            best[candidate.document] = Best(number, PassagePair(ours, theirs, min(1.0, max(0.0, score))))
    return best


def _candidates(
    queries: Sequence[PreparedText], documents: Sequence[PreparedText], vocabulary: Vocabulary
) -> list[_Candidate]:
    """Return the pairs for the encoder to read, document by document; all queries' sentences are numbered in a row."""
    known = sorted({key for query in queries for keys in query.keys for key in keys})
    columns = {key: number for number, key in enumerate(known)}
    ours = vocabulary.rows(_words(queries), columns)
    most = min(MAX_CANDIDATES, max(MIN_CANDIDATES, MAX_READ // max(1, len(documents))))
    return [
        _Candidate(number, i, j, overlap)
        for number, document in enumerate(documents)
        for i, j, overlap in _by_words(ours, vocabulary.rows(_words([document]), columns), most)
    ]


def _by_words(ours: csr_array, theirs: csr_array, most: int) -> Iterator[tuple[int, int, float]]:
    """Return the pairs of sentences that share most words; the first sentences if none share a word.

    Both are (s, words); gives a row of each and their overlap.
    """
    overlap = (ours @ theirs.T).toarray()  # (s_query, s_document)
    width = overlap.shape[1]
    best = [int(n) for n in largest(overlap.ravel(), most) if overlap.flat[n] > 0]
    if not best:
        rows, columns = (range(min(_FIRST_SENTENCES, size)) for size in overlap.shape)
        best = [i * width + j for i in rows for j in columns][:most]
    return ((n // width, n % width, float(overlap.flat[n])) for n in best)


def _words(texts: Sequence[PreparedText]) -> Iterator[tuple[frozenset[str], float]]:
    """Return the words of every sentence of some texts, and the sum of their squared idf."""
    return ((keys, squares) for text in texts for keys, squares in zip(text.keys, text.squares, strict=True))


def _with_encoder(
    sentences: Sequence[Chunk], documents: Sequence[PreparedText], candidates: Sequence[_Candidate], encoder: Encoder
) -> NDArray[np.float64]:
    """Return the similarity of each candidate: (candidates,)."""
    if not candidates:
        return np.zeros(0)
    ours = sorted({candidate.ours for candidate in candidates})
    theirs = sorted({(candidate.document, candidate.theirs) for candidate in candidates})
    our_rows = encoder.encode_queries([_alone(sentences[n]) for n in ours])
    their_rows = encoder.encode_documents([_alone(documents[number].sentences[n]) for number, n in theirs])
    our_place = {n: place for place, n in enumerate(ours)}
    their_place = {pair: place for place, pair in enumerate(theirs)}
    cosines = _cosines(
        our_rows[[our_place[candidate.ours] for candidate in candidates]],
        their_rows[[their_place[candidate.document, candidate.theirs] for candidate in candidates]],
    )
    overlaps = np.asarray([candidate.overlap for candidate in candidates])
    return WORD_SHARE * overlaps + (1 - WORD_SHARE) * np.maximum(cosines, 0)


def _alone(sentence: Chunk) -> Document:
    """Return a sentence as a document."""
    return Document(id=f"{sentence.document_id}#{sentence.part}:{sentence.start}", abstract=sentence.text)


def _cosines(ours: Rows, theirs: Rows) -> NDArray[np.float64]:
    """Return the cosine of each row with its counterpart: two of (n, dim) -> (n,)."""
    products = _row_sums(ours, theirs)
    lengths = np.sqrt(_row_sums(ours, ours) * _row_sums(theirs, theirs))
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)


def _row_sums(ours: Rows, theirs: Rows) -> NDArray[np.float64]:
    """Return the inner product of each row with its counterpart: (n,)."""
    if isinstance(ours, np.ndarray):
        sums: NDArray[np.float64] = np.einsum("nd,nd->n", ours, theirs, dtype=np.float64)
        return sums
    return np.asarray(ours.multiply(theirs).sum(axis=1), np.float64).ravel()
