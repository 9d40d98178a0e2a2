"""Corpora on disk into coupled pairs of token ids, kept for the next run, and what each epoch draws from them.

Order, negatives, and for CTPE_T the documents nearest to each by TF-IDF, which its negatives come from.

"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.core.rows import Positions, TokenIds
from engine.documents import Document
from engine.encoders.ctpe import Position, cut_pair
from engine.training.corpora import (
    NOTHING,
    QUERY,
    TWICE,
    HeldOut,
    bounds,
    documents_of,
    stretches,
    subject_of,
    to_train_on,
)
from engine.training.ctpe.recipe import CtpeRecipe

if TYPE_CHECKING:
    from engine.encoders.ctpe import EmbeddingModel

_VERSION = "pairs/3"
_ARRAYS, _ABOUT = "tokens.safetensors", "tokens.json"
_EMPTY = "a half without known words"
NEAREST = 100
_PRODUCTS_AT_ONCE = 40_000_000  # similarities held at once, some 500 MB as a sparse block
_TOO_COMMON = 0.1  # words in more than this share of documents say nothing of what is near, and cost the most


@dataclass(frozen=True)
class PairTokens:
    """The tokens of n documents end to end: document i has flat[starts[i]:starts[i + 1]], cut at cuts[i].

    flat is (t,), starts (n + 1,), cuts (n,), names the documents' ids. The former half ends where the latter begins.
    `subjects` (n,) tells documents of other corpora or other sets of categories apart; "" is a document without any.
    """

    flat: TokenIds
    starts: Positions
    cuts: Positions
    names: Sequence[str]
    subjects: Sequence[str] = ()

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.cuts)

    @classmethod
    def of(cls, halves: Sequence[tuple[Sequence[int], Sequence[int]]], names: Sequence[str]) -> PairTokens:
        """Take halves given as two lists of ids a document."""
        lengths = np.array([[len(former), len(latter)] for former, latter in halves], dtype=np.int64).reshape(-1, 2)
        starts = bounds(lengths.sum(axis=1))
        flat = np.array([token for former, latter in halves for token in (*former, *latter)], dtype=np.int32)
        return cls(flat, starts, starts[:-1] + lengths[:, 0], names)


@dataclass(frozen=True)
class CtpeBatch:
    """A batch of m documents (m,), each a pair of halves.

    `other` (m,) is each pair's negative document; it lends its former half where `swaps_former` (m,) says so, else
    its latter. `key` seeds whatever else the batch draws.
    """

    documents: Positions
    other: Positions
    swaps_former: NDArray[np.bool_]
    key: tuple[int, int, int]


@dataclass(frozen=True)
class Sampling:
    """What an epoch draws: `nearest` (n, k) makes every second negative a near one (CTPE_T, section 4.7).

    A row of `nearest` ends in -1 where fewer than k are near. `related` gives a step's pairs of documents that belong
    together (m, 2) by the step's key, or None for most.
    """

    batch: int
    nearest: TokenIds | None = None
    related: Callable[[tuple[int, int, int]], Positions | None] | None = None


def step_count(documents: int, batch: int) -> int:
    """Return the number of batches that an epoch takes."""
    return -(-documents // batch)


def epoch_batches(tokens: PairTokens, sampling: Sampling, *, seed: int, epoch: int) -> list[CtpeBatch]:
    """Return an epoch's batches, in which every document comes once.

    They follow from the seed and the epoch's number alone, so an interrupted epoch can go on.
    """
    generator = np.random.default_rng([seed, epoch])
    order = generator.permutation(len(tokens))
    other = negatives(order, len(tokens), generator=generator, nearest=sampling.nearest)
    swaps = generator.random(len(order)) < 0.5
    return [
        CtpeBatch(order[part], other[part], swaps[part], (seed, epoch, number))
        for number, part in enumerate(_parts(len(order), sampling.batch))
    ]


def negatives(
    documents: Positions, count: int, *, generator: np.random.Generator, nearest: TokenIds | None = None
) -> Positions:
    """Draw another document for each (m,) of some: (m,).

    Evenly from all `count` documents; with `nearest` (count, k), with equal chance evenly from each one's nearest
    (CTPE, section 4.7: random(random(T_100(d_i, D)), random(D))).
    """
    other = generator.integers(0, count, len(documents))
    if nearest is not None:
        near = nearest[documents, generator.integers(0, nearest.shape[1], len(documents))]
        takes_near = (generator.random(len(documents)) < 0.5) & (near >= 0)
        other = np.where(takes_near, near, other)
    while (own := other == documents).any():
        other[own] = generator.integers(0, count, int(own.sum()))
    return other


def half_lengths(tokens: PairTokens, documents: Positions, is_former: NDArray[np.bool_]) -> Positions:
    """Count the tokens in a half of each document, the former where `is_former` says so: (m,)."""
    former = tokens.cuts[documents] - tokens.starts[documents]
    latter = tokens.starts[documents + 1] - tokens.cuts[documents]
    return np.where(is_former, former, latter)


def halves_of(tokens: PairTokens, documents: Positions, is_former: NDArray[np.bool_]) -> tuple[TokenIds, Positions]:
    """Return the ids of a half of each document (m,), end to end, and the places (m + 1,) between them.

    The former half of documents where `is_former` (m,), else the latter.
    """
    starts = np.where(is_former, tokens.starts[documents], tokens.cuts[documents])
    return stretches(tokens.flat, starts, half_lengths(tokens, documents, is_former))


def _parts(count: int, size: int) -> list[slice]:
    """Cut batches of at most `size`, as even as possible, so that no batch has only a few rows."""
    steps = step_count(count, size)
    bounds = [count * step // steps for step in range(steps + 1)]
    return [slice(start, stop) for start, stop in pairwise(bounds)]


@dataclass(frozen=True)
class PairCorpus:
    """The pairs of a recipe's corpora; `left_out` counts documents by the reason they are not in it."""

    tokens: PairTokens
    left_out: Mapping[str, int]
    key: str


def read_pairs(
    recipe: CtpeRecipe, model: EmbeddingModel, data: Path, *, corpora: Mapping[str, str], cache: Path, report: Report
) -> PairCorpus:
    """Return the pairs of a recipe's corpora, from `cache` where a run of the same data, words and cut left them.

    `corpora` gives each corpus's sha256 by its name, in the order they are read.
    """
    settings = recipe.pairs
    position, tokens = settings.position, settings.max_tokens
    held_out = HeldOut.below(data)
    key = files.fingerprint(
        _VERSION,
        *(f"{name}={digest}" for name, digest in corpora.items()),
        f"{position} {tokens} {model.kind} {sorted(model.config.items())}",
        "\n".join(model.words),
        held_out.digest,
    )
    folder = cache / f"pairs-{key}"
    if not folder.exists():
        documents = documents_of(list(corpora), data, report)
        where = Position.parse(position)
        _write(folder, *tokenise(documents, where, lambda half: model.ids(half, tokens), held_out=held_out))
    return _read(folder, key)


def tokenise(
    documents: Iterable[tuple[str, Document]],
    position: Position,
    ids: Callable[[str], TokenIds],
    *,
    held_out: HeldOut = NOTHING,
) -> tuple[PairTokens, dict[str, int]]:
    """Cut documents in two and number the tokens of their halves; what cannot be trained on is counted by reason.

    A document comes with the name of its corpus.
    """
    flat, starts, cuts = array("i"), array("q", [0]), array("q")
    subjects: dict[str, str] = {}  # by the document's id
    left_out = dict.fromkeys((QUERY, TWICE, _EMPTY), 0)
    for corpus, document in to_train_on(documents, held_out=held_out, taken=subjects, left_out=left_out):
        pair = cut_pair(document, position)
        former, latter = ids(pair.former), ids(pair.latter)
        if not len(former) or not len(latter):
            left_out[_EMPTY] += 1
            continue
        subjects[document.id] = subject_of(corpus, document.categories)
        flat.frombytes(former.tobytes())
        cuts.append(len(flat))
        flat.frombytes(latter.tobytes())
        starts.append(len(flat))
    arrays = np.array(flat, np.int32), np.array(starts, np.int64), np.array(cuts, np.int64)
    return PairTokens(*arrays, list(subjects), list(subjects.values())), left_out


def texts_of(tokens: PairTokens, corpora: Sequence[str], data: Path, report: Report) -> list[str]:
    """Return the whole text of each tokenised document, in their order; the corpora are read for it."""
    places = {name: place for place, name in enumerate(tokens.names)}
    texts = [""] * len(tokens)
    for _, document in documents_of(corpora, data, report):
        place = places.pop(document.id, None)
        if place is not None:
            texts[place] = document.text
    return texts


def _write(folder: Path, tokens: PairTokens, left_out: Mapping[str, int]) -> None:
    arrays: dict[str, TokenIds | Positions] = {"flat": tokens.flat, "starts": tokens.starts, "cuts": tokens.cuts}
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, arrays)
        about = {"left_out": dict(left_out), "names": list(tokens.names), "subjects": list(tokens.subjects)}
        files.write_json(new / _ABOUT, {"sha256": digest, **about})


def _read(folder: Path, key: str) -> PairCorpus:
    about = files.read_json(folder / _ABOUT)
    arrays = files.read_arrays(folder / _ARRAYS, about["sha256"])
    return PairCorpus(PairTokens(**arrays, names=about["names"], subjects=about["subjects"]), about["left_out"], key)


def read_nearest(corpus: PairCorpus, *, cache: Path, report: Report = silent) -> TokenIds:
    """Return the nearest documents of a corpus, (n, 100), from `cache` where an earlier run left them."""
    folder = cache / f"nearest-{corpus.key}"
    if not folder.exists():
        found = nearest_by_tfidf(corpus.tokens, count=NEAREST, report=report)
        with files.new_folder(folder) as new:
            files.write_json(new / "nearest.json", files.write_arrays(new / "nearest.safetensors", {"nearest": found}))
    return files.read_arrays(folder / "nearest.safetensors", files.read_json(folder / "nearest.json"))["nearest"]


def nearest_by_tfidf(tokens: PairTokens, *, count: int, report: Report = silent) -> TokenIds:
    """Return the `count` documents of the largest TF-IDF cosine to each, the nearest first: (n, count).

    Words of more than a tenth of the documents are left out, for speed; CTPE (section 4.7) does not say so. A row
    ends in -1 where fewer share a word; a document is not near itself. Memory holds one block of rows' products with
    all others at once.
    """
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import TfidfTransformer

    documents, words = len(tokens), int(tokens.flat.max(initial=0)) + 1
    columns = np.where(tokens.flat < 0, words, tokens.flat)  # marks between words are in every document, so they go
    ones = np.ones(len(columns), np.float32)
    counts = csr_array((ones, columns, tokens.starts), shape=(documents, words + 1), copy=True)
    counts.sum_duplicates()  # in place, so the corpus keeps arrays of its own
    frequencies = np.bincount(counts.indices, minlength=words + 1)
    kept = np.flatnonzero(frequencies <= max(_TOO_COMMON * documents, 2))
    rows = TfidfTransformer(sublinear_tf=True).fit_transform(counts[:, kept]).tocsr().astype(np.float32)
    transposed = rows.T.tocsr()
    nearest = np.full((documents, count), -1, dtype=np.int32)
    meter = Meter("nearest by TF-IDF", documents, report)
    block = max(1, _PRODUCTS_AT_ONCE // documents)
    for first in range(0, documents, block):
        products = (rows[first : first + block] @ transposed).tocsr()  # (block, n)
        for number, (start, stop) in enumerate(zip(products.indptr, products.indptr[1:], strict=False)):
            _put_nearest(
                nearest[first + number], products.indices[start:stop], products.data[start:stop], first + number
            )
        meter.add(products.shape[0])
    meter.finish()
    return nearest


def _put_nearest(row: TokenIds, documents: TokenIds, similarities: NDArray[np.float32], own: int) -> None:
    """Fill a row with the documents of the largest similarities, without itself; equal ones in the corpus's order."""
    others = documents != own
    documents, similarities = documents[others], similarities[others]
    if len(documents) > len(row):
        top = np.argpartition(-similarities, len(row))[: len(row)]
        documents, similarities = documents[top], similarities[top]
    order = np.lexsort((documents, -similarities))
    row[: len(order)] = documents[order]
