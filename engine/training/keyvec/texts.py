"""Reads the corpora that KeyVec learns from as numbered sentences, and keeps what was read for the next run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.progress import Report
from engine.core.rows import Positions, SparseRows, TokenIds, unit_length_sparse
from engine.documents import Document
from engine.documents.text import content_tokens, sentences
from engine.encoders.ctpe import WordEmbeddings
from engine.encoders.keyvec import MIN_BODY, read_sentences
from engine.training.corpora import NOTHING, QUERY, TWICE, HeldOut, bounds, documents_of, stretches, to_train_on
from engine.training.keyvec.labels import WordCounts, dssm_vectors, idf, salient, tfidf_cosines, weighted
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.long_corpus import PAIRS, body_of, read_labelled_pairs

_VERSION = "keyvec-texts/2"
_ARRAYS, _ABOUT = "texts.safetensors", "texts.json"
_NO_TEXT, _NO_BODY = "no known word, or no abstract", f"fewer than {MIN_BODY} sentences of a body, or no abstract"

SentenceLabels = NDArray[np.int8]


UNKNOWN = -1
"""The label of a sentence without a judgement."""


@dataclass(frozen=True)
class NumberedSentences:
    """The m sentences of n documents: `flat` (t,) numbers of words, each sentence at `starts` (m + 1,) in it.

    Document i has the sentences `documents[i]` to `documents[i + 1]` (n + 1,). `salient` (m,) is 1, 0, or UNKNOWN.
    """

    flat: TokenIds
    starts: Positions
    documents: Positions
    salient: SentenceLabels

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.documents) - 1

    @classmethod
    def of(cls, documents: Sequence[Sequence[TokenIds]], salient: SentenceLabels | None = None) -> NumberedSentences:
        """Take documents given as the numbers of each sentence."""
        sentences = [one for sentences in documents for one in sentences]
        flat = np.concatenate([np.zeros(0, np.int32), *sentences]).astype(np.int32)
        labels = np.full(len(sentences), UNKNOWN, np.int8) if salient is None else salient
        return cls(flat, bounds([len(one) for one in sentences]), bounds([len(one) for one in documents]), labels)

    def sentences(self, place: int) -> list[TokenIds]:
        """Return the sentences of one document."""
        bounds = self.starts[self.documents[place] : self.documents[place + 1] + 1]
        return [self.flat[start:stop] for start, stop in pairwise(bounds)]

    def chosen(self, places: Positions) -> NumberedSentences:
        """Return some of the documents, in the order given."""
        counts = np.diff(self.documents)[places]
        sentences, documents = stretches(np.arange(len(self.salient)), self.documents[places], counts)  # (m',)
        lengths = np.diff(self.starts)[sentences]
        flat, starts = stretches(self.flat, self.starts[sentences], lengths)
        return NumberedSentences(flat, starts, documents, self.salient[sentences])

    def renumbered(self, number_of: TokenIds) -> NumberedSentences:
        """Give words other numbers (V,), below 0 if one is dropped; sentences without a word are dropped too."""
        flat = number_of[self.flat]
        return replace(self, flat=flat).kept(flat >= 0)

    def kept(self, words: NDArray[np.bool_]) -> NumberedSentences:
        """Keep only some of the words (t,); sentences without one are dropped too."""
        before = bounds(words)
        lengths = np.diff(before[self.starts])
        kept = lengths > 0
        counts = np.diff(bounds(kept)[self.documents])
        return NumberedSentences(self.flat[words], bounds(lengths[kept]), bounds(counts), self.salient[kept])


@dataclass(frozen=True)
class ReadTexts:
    """What was read of n documents: their sentences, and the content words of their abstracts by count (n, W).

    `words` are those W words, `valid` (n,) marks documents that are not trained on, `left_out` counts documents by the
    reason they are not here.
    """

    names: Sequence[str]
    texts: NumberedSentences
    counts: SparseRows
    words: Sequence[str]
    valid: NDArray[np.bool_]
    left_out: Mapping[str, int]

    def chosen(self, places: Positions) -> ReadTexts:
        """Return some of the documents, in the order given."""
        return replace(
            self,
            names=[self.names[place] for place in places],
            texts=self.texts.chosen(places),
            counts=self.counts[places],
            valid=self.valid[places],
        )

    def joined(self, other: ReadTexts) -> ReadTexts:
        """Return these documents, then the other ones."""
        column_of = {word: number for number, word in enumerate(self.words)}
        columns = np.array([column_of.setdefault(word, len(column_of)) for word in other.words], np.int64)
        moved = columns[other.counts.indices] if len(columns) else other.counts.indices
        indices = np.concatenate([self.counts.indices, moved])
        indptr = np.concatenate([self.counts.indptr, len(self.counts.indices) + other.counts.indptr[1:]])
        counts = csr_array(
            (np.concatenate([self.counts.data, other.counts.data]), indices, indptr),
            shape=(len(self.names) + len(other.names), len(column_of)),
        )
        return ReadTexts(
            [*self.names, *other.names],
            _behind(self.texts, other.texts),
            counts,
            list(column_of),
            np.concatenate([self.valid, other.valid]),
            {**self.left_out, **other.left_out},
        )


def _behind(one: NumberedSentences, other: NumberedSentences) -> NumberedSentences:
    return NumberedSentences(
        np.concatenate([one.flat, other.flat]),
        np.concatenate([one.starts, len(one.flat) + other.starts[1:]]),
        np.concatenate([one.documents, len(one.salient) + other.documents[1:]]),
        np.concatenate([one.salient, other.salient]),
    )


@dataclass(frozen=True, slots=True)
class Corpora:
    """Where corpora lie, the sha256 of each file that is read by its name, and where what is read is kept."""

    data: Path
    digests: Mapping[str, str]
    cache: Path
    report: Report


def read_abstracts(recipe: KeyvecRecipe, words: WordEmbeddings, corpora: Corpora) -> ReadTexts:
    """Read every whole document of the corpora of abstracts, except benchmarks' queries, their copies and families."""
    names = recipe.data.abstracts
    held_out = HeldOut.below(corpora.data)
    key = files.fingerprint(*_key(recipe, words, corpora, names), held_out.digest)
    folder = corpora.cache / f"keyvec-abstracts-{key}"
    if not folder.exists():
        documents = documents_of(names, corpora.data, corpora.report)
        _write(folder, abstracts_of(documents, words, recipe, held_out=held_out))
    return _read(folder)


def read_full_texts(recipe: KeyvecRecipe, words: WordEmbeddings, corpora: Corpora) -> ReadTexts:
    """Return the bodies of the documents of train pairs, labelled, and of those of valid pairs.

    A document of a train pair trains even if it is in a valid or test pair, too, unless the recipe says `apart`.
    Documents of valid pairs that train, or are in a test pair, are left out.
    """
    names = recipe.data.full_texts
    drawn = recipe.seed if recipe.labels.similarity == "dssm" else ""
    labels = f"{recipe.labels} {recipe.data.apart} {drawn}"
    key = files.fingerprint(*_key(recipe, words, corpora, [*names, *(f"{name}/{PAIRS}" for name in names)]), labels)
    folder = corpora.cache / f"keyvec-full-{key}"
    if not folder.exists():
        splits = [splits_of(corpora.data / name / PAIRS, apart=recipe.data.apart) for name in names]
        valid_of = {id_: is_valid for split in splits for id_, is_valid in split.items()}
        documents = documents_of(names, corpora.data, corpora.report)
        chosen = (document for _, document in documents if document.id in valid_of)
        _write(folder, full_texts_of(chosen, valid_of, words, recipe))
    return _read(folder)


def splits_of(pairs: Path, *, apart: bool) -> dict[str, bool]:
    """Tell whether a document is valid, by id; leaves out documents that neither train nor are valid.

    A document of a train pair trains; with `apart`, only if it is in no valid or test pair. Another document is valid
    if it is in a valid pair and in no test pair.
    """
    found = read_labelled_pairs(pairs)
    held: dict[str, set[str]] = {}
    for pair in found:
        for id_ in (pair.a, pair.b):
            held.setdefault(id_, set()).add(pair.split)
    trains = {id_ for id_, splits in held.items() if (splits == {"train"} if apart else "train" in splits)}
    valid = {id_ for id_, splits in held.items() if "valid" in splits and "test" not in splits} - trains
    return {**dict.fromkeys(trains, False), **dict.fromkeys(valid, True)}


def abstracts_of(
    documents: Iterable[tuple[str, Document]],
    words: WordEmbeddings,
    recipe: KeyvecRecipe,
    *,
    held_out: HeldOut = NOTHING,
) -> ReadTexts:
    """Read documents as the encoder does, without labels; each comes with the name of its corpus."""
    counts, names, texts = WordCounts(), dict[str, None](), list[list[TokenIds]]()
    left_out = dict.fromkeys((QUERY, TWICE, _NO_TEXT), 0)
    chosen = to_train_on(documents, held_out=held_out, taken=names, left_out=left_out)
    for _, document in chosen:
        found, own = read_sentences(document, words, recipe.network), content_tokens(document.abstract)
        if not found or not own:
            left_out[_NO_TEXT] += 1
            continue
        names[document.id] = None
        texts.append([one.ids for one in found])
        counts.add(own)
    rows = counts.rows()
    return ReadTexts(
        list(names), NumberedSentences.of(texts), rows, list(counts.column_of), np.zeros(len(names), bool), left_out
    )


def full_texts_of(
    documents: Iterable[Document], valid_of: Mapping[str, bool], words: WordEmbeddings, recipe: KeyvecRecipe
) -> ReadTexts:
    """Return the bodies of documents with labels from their abstracts, which are not among what is read."""
    names, texts, held = dict[str, None](), list[list[TokenIds]](), list[int]()
    counts, said = WordCounts(), WordCounts()  # of abstracts; of sentences, the abstract's before the body's
    left_out = dict.fromkeys((TWICE, _NO_BODY), 0)
    for document in documents:
        if document.id in names:
            left_out[TWICE] += 1
            continue
        body = body_of(document)
        found = read_sentences(body, words, recipe.network)
        if len(found) < MIN_BODY or not content_tokens(document.abstract):
            left_out[_NO_BODY] += 1
            continue
        spans = [document.abstract[span.start : span.stop] for span in sentences(document.abstract)]
        for text in (*spans, *(one.chunk(body).text for one in found)):
            said.add(content_tokens(text))
        names[document.id] = None
        texts.append([one.ids for one in found])
        held += [len(spans), len(found)]
        counts.add(content_tokens(document.abstract))
    valid = np.array([valid_of[name] for name in names], bool)
    labels = _labels(said, held, ~valid, recipe)
    return ReadTexts(
        list(names), NumberedSentences.of(texts, labels), counts.rows(), list(counts.column_of), valid, left_out
    )


def _labels(said: WordCounts, counts: Sequence[int], trains: NDArray[np.bool_], recipe: KeyvecRecipe) -> SentenceLabels:
    """Return the labels of all sentences of bodies, by the words of `said`: each document's abstract, then its body.

    `counts` says how many sentences these are. Words are weighed by the sentences of bodies that are trained on.
    """
    if not counts:
        return np.zeros(0, np.int8)
    rows, settings = said.rows(), recipe.labels
    stops = np.cumsum(counts)  # (2 n,), an abstract's end, its body's, the next abstract's, ...
    bounds = list(zip([0, *stops[1:-1:2]], stops[::2], stops[1::2], strict=True))
    learnt = [np.arange(start, stop) for (_, start, stop), is_learnt in zip(bounds, trains, strict=True) if is_learnt]
    weights = idf(rows[np.concatenate(learnt)] if learnt else rows)
    if settings.similarity == "dssm":
        vectors = dssm_vectors(
            unit_length_sparse(weighted(rows, weights)), list(said.column_of), bounds, trains, recipe.seed
        )
        cosines = (vectors[first:start] @ vectors[start:stop].T for first, start, stop in bounds)
    else:
        cosines = (tfidf_cosines(rows[first:start], rows[start:stop], weights) for first, start, stop in bounds)
    found = [salient(one, threshold=settings.threshold, top=settings.top) for one in cosines]
    return np.concatenate(found).astype(np.int8)


def _key(recipe: KeyvecRecipe, words: WordEmbeddings, corpora: Corpora, names: Sequence[str]) -> list[str]:
    network = recipe.network
    digests = [f"{name}={corpora.digests[name]}" for name in names]
    return [_VERSION, *digests, f"{network.max_sentences} {network.max_words}", "\n".join(words.words)]


def _write(folder: Path, read_texts: ReadTexts) -> None:
    texts, counts = read_texts.texts, read_texts.counts
    arrays = {
        **{name: getattr(texts, name) for name in ("flat", "starts", "documents", "salient")},
        **{f"counts.{name}": getattr(counts, name) for name in ("data", "indices", "indptr")},
        "valid": read_texts.valid,
    }
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, arrays)
        about = {name: getattr(read_texts, name) for name in ("names", "words", "left_out")}
        files.write_json(new / _ABOUT, {"sha256": digest, **about})


def _read(folder: Path) -> ReadTexts:
    about = files.read_json(folder / _ABOUT)
    arrays = files.read_arrays(folder / _ARRAYS, about["sha256"])
    texts = NumberedSentences(*(arrays[name] for name in ("flat", "starts", "documents", "salient")))
    parts = tuple(arrays[f"counts.{name}"] for name in ("data", "indices", "indptr"))
    counts = csr_array(parts, shape=(len(about["names"]), len(about["words"])))
    return ReadTexts(about["names"], texts, counts, about["words"], arrays["valid"], about["left_out"])
