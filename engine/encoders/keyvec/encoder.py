"""The encoder that knows a document's salient sentences and key words (KeyVec, sections 3.1 to 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, largest
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.counts import unit_length
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.keyvec.network import KeyvecNetwork
from engine.encoders.keyvec.parts import Parts, Shape
from engine.encoders.keyvec.reading import read_documents, sentence_vectors
from engine.encoders.keyvec.salience import Salience
from engine.encoders.keyvec.sentences import Sentence, judged, read_sentences
from engine.encoders.keyvec.settings import METHOD, NAME, SUMMARY

_CHARACTERS_AT_ONCE = 2_000_000  # of documents read together; a longer document is read alone
_DOCUMENTS_AT_ONCE = 1_024
_SENTENCES_AT_ONCE = 512  # a second's work at most, so that progress is seen
_OF_CITATIONS = frozenset(("et", "al"))
"""Words in U that make poor key words: they stand beside names wherever works are cited."""


class KeyvecEncoder(CardedEncoder):
    """Key-semantics preserving vectors (KeyVec): sentences weighted by how likely they are salient.

    All parts but reference lists are read, at most `max_sentences`; a document without a known word is a row of zeros.
    Rows agree to 1e-6 between batches: everything is in float32, which costs little because each word is multiplied
    once (see SentenceCnn).
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY
    reads_sentences: ClassVar[bool] = False

    def __init__(
        self,
        words: WordEmbeddings,
        network: KeyvecNetwork,
        keywords: Sequence[str],
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the parts of an encoder, and facts to keep with it (its recipe, its results).

        The parts are copied to the processor as they will be stored, so figures hold for the saved encoder. Raises
        EncoderError where they do not fit or are not finite.
        """
        self._set(Parts.of(words, network, keywords), trained_on, facts or {})

    def _set(self, parts: Parts, trained_on: tuple[str, ...], facts: Mapping[str, Any]) -> None:
        self.facts = storage.notes(facts)
        self._parts, self.settings = parts, parts.network.settings
        settings = parts.shape.as_json()
        fingerprint = storage.fingerprint_of(METHOD, parts.arrays, parts.lines, settings=settings)
        self._card = EncoderCard(self.name, self.summary, self.settings.dim, fingerprint, trained_on=trained_on)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim), v at unit length."""
        rows = np.zeros((len(documents), self.settings.dim), np.float32)
        for part in _groups(documents):
            found = [self._read(document) for document in documents[part]]
            rows[part] = self._vectors(self._sentences(found), [len(one) for one in found])
        return unit_length(rows)

    def salience(self, documents: Sequence[Document], *, keywords: int = 10, report: Report = silent) -> list[Salience]:
        """The sentences of each document with their p, and its `keywords` likeliest key words.

        Sentences come from the body if it has at least five, else from the abstract, read without the rest, as in
        training. The key words come from the whole document's vector: softmax(U v).
        """
        found: list[Salience] = []
        for part in _groups(documents):
            group = documents[part]
            sentences = [self._read(document) for document in group]
            meter = Meter("weigh sentences", sum(map(len, sentences)), report)
            rows = self._sentences(sentences, meter)
            meter.finish()
            words = self._keywords(self._vectors(rows, [len(one) for one in sentences]), keywords)
            places = [judged(one) for one in sentences]
            p = self._probabilities(rows, sentences, places)
            for document, own, chosen, shares, likeliest in zip(group, sentences, places, p, words, strict=True):
                chunks = tuple(own[place].chunk(document) for place in chosen)
                found.append(Salience(chunks, shares, likeliest if own else ()))
        return found

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        parts = self._parts
        storage.write(
            folder,
            method=METHOD,
            card=self.card,
            arrays=parts.arrays,
            words=parts.lines,
            facts={storage.SETTINGS: parts.shape.as_json(), **self.facts},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a KeyVec encoder", METHOD) as opened:
            shape = opened.settings_as(Shape)
            stored = opened.read(shape.arrays)
            made = cls.__new__(cls)
            made._set(Parts.build(shape, stored.arrays, stored.words), stored.card.trained_on, stored.facts)
        return made

    def _read(self, document: Document) -> list[Sentence]:
        return read_sentences(document, self._parts.words, self.settings)

    @torch.inference_mode()
    def _sentences(self, documents: Sequence[Sequence[Sentence]], meter: Meter | None = None) -> Tensor:
        """The vectors of all sentences of documents, end to end: (m, e)."""
        ids = [one.ids for sentences in documents for one in sentences]
        if meter is None:
            return sentence_vectors(self._parts.network, self._parts.words.table, ids)
        found = []
        for first in range(0, max(1, len(ids)), _SENTENCES_AT_ONCE):
            some = ids[first : first + _SENTENCES_AT_ONCE]
            found.append(sentence_vectors(self._parts.network, self._parts.words.table, some))
            meter.add(len(some))
        return torch.cat(found)

    @torch.inference_mode()
    def _vectors(self, sentences: Tensor, counts: Sequence[int]) -> DenseRows:
        """The vectors (n, dim) of documents with `counts` (n,) sentences each."""
        rows: DenseRows = read_documents(self._parts.network, sentences, counts)[0].numpy()
        return rows

    @torch.inference_mode()
    def _probabilities(
        self, rows: Tensor, documents: Sequence[Sequence[Sentence]], places: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.float32]]:
        """The p of the chosen sentences of each document."""
        starts = np.cumsum([0, *map(len, documents)])[:-1]
        chosen = np.concatenate([start + own for start, own in zip(starts, places, strict=True)])
        counts = [len(own) for own in places]
        logits = read_documents(self._parts.network, rows[torch.from_numpy(chosen)], counts)[1]
        return np.split(logits.sigmoid().numpy(), np.cumsum(counts)[:-1])

    @torch.inference_mode()
    def _keywords(self, rows: DenseRows, count: int) -> list[tuple[tuple[str, float], ...]]:
        """The likeliest words of vectors (n, dim), with their probabilities: softmax(U v) (KeyVec, section 3.3)."""
        parts, found = self._parts, []
        for row in rows:
            p = parts.network.keywords(torch.from_numpy(row)).softmax(dim=0).numpy()  # (K,)
            likeliest = [(parts.keywords[place], float(p[place])) for place in largest(p, count + len(_OF_CITATIONS))]
            found.append(tuple(one for one in likeliest if one[0] not in _OF_CITATIONS)[:count])
        return found


def _groups(documents: Sequence[Document]) -> list[slice]:
    """Groups of documents to read together, bounded in number and characters."""
    groups, start, characters = [], 0, 0
    for place, document in enumerate(documents):
        size = sum(len(part.text) for part in document.parts)
        full = characters + size > _CHARACTERS_AT_ONCE or place - start >= _DOCUMENTS_AT_ONCE
        if place > start and full:
            groups.append(slice(start, place))
            start, characters = place, 0
        characters += size
    return [*groups, slice(start, len(documents))] if len(documents) > start else groups
