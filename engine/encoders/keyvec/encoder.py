"""The encoder that knows a document's salient sentences and key words (KeyVec, sections 3.1 to 3.3).

A document is read sentence by sentence: `read_sentences` cuts it, with the places in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.core.errors import EncoderError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, TokenIds, largest, unit_length
from engine.documents import Chunk, Document, Section, SectionRole
from engine.documents.text import Span, sentences
from engine.encoders import storage
from engine.encoders.base import EncoderCard, groups
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.keyvec.network import KeyvecNetwork, read_documents, sentence_vectors
from engine.encoders.keyvec.settings import METHOD, NAME, SUMMARY, KeyvecSettings, Salience
from engine.encoders.module_weights import HALF, outlined
from engine.encoders.storage import Arrays

_CHARACTERS_AT_ONCE = 2_000_000  # of documents read together; a longer document is read alone
_DOCUMENTS_AT_ONCE = 1_024
_SENTENCES_AT_ONCE = 512  # a second's work at most, so that progress is seen
_OF_CITATIONS = frozenset(("et", "al"))
"""Words in U that make poor key words: they stand beside names wherever works are cited."""

_WORDS, _NETWORK, _KEYWORDS = "words.", "network.", "keywords"  # of arrays: two prefixes and a name
MIN_BODY = 5
"""How many sentences a body needs for salient ones to be sought there, not in the abstract."""
_JUDGED: tuple[SectionRole, ...] = ("body", "abstract")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of one part of a document, and the numbers of its first known words (t,), at least one."""

    part: int
    section: Section
    span: Span
    ids: TokenIds

    def chunk(self, document: Document) -> Chunk:
        """Return the sentence's text in the document."""
        return self.section.chunk(document.id, self.part, self.span.start, self.span.stop)


def read_sentences(document: Document, words: WordEmbeddings, settings: KeyvecSettings) -> list[Sentence]:
    """Return the first `max_sentences` sentences with a known word, in reading order, without reference lists."""
    found: list[Sentence] = []
    for number, part in enumerate(document.parts):
        if part.role == "references":
            continue
        for span in sentences(part.text):
            ids = words.ids(part.text[span.start : span.stop], settings.max_words)
            if len(ids):
                found.append(Sentence(number, part, span, ids))
            if len(found) == settings.max_sentences:
                return found
    return found


def judged(found: Sequence[Sentence]) -> NDArray[np.int64]:
    """Return the places of the sentences that can be salient: the body's if it has five, else the abstract's.

    Without an abstract, a short body is used. Titles and claims never are.
    """
    by_role = {role: [place for place, one in enumerate(found) if one.section.role == role] for role in _JUDGED}
    body, abstract = by_role["body"], by_role["abstract"]
    return np.array(body if len(body) >= MIN_BODY or not abstract else abstract, np.int64)


@dataclass(frozen=True, slots=True)
class KeyvecShape:
    """What a reader must know about an encoder before its arrays."""

    reading: KeyvecSettings
    word_dim: int
    keywords: int

    def __post_init__(self) -> None:
        """Refuse sizes below 1."""
        if min(self.word_dim, self.keywords) < 1:
            raise ValueError(f"word_dim and keywords must be at least 1, got {self.word_dim} and {self.keywords}")

    def as_json(self) -> dict[str, Any]:
        """Return the shape as JSON holds it."""
        values = asdict(self)
        values["reading"]["widths"] = list(self.reading.widths)
        return values

    def outline(self) -> KeyvecNetwork:
        """Make a network of this shape without weights, which takes no memory."""
        with outlined():
            return KeyvecNetwork(self.word_dim, self.reading, keywords=self.keywords)

    @property
    def arrays(self) -> dict[str, int]:
        """The name of every array of an encoder, and its number of dimensions."""
        words = {f"{_WORDS}{name}": count for name, count in WordEmbeddings.expected({}).items()}
        network = {f"{_NETWORK}{name}": count for name, count in HALF.expected(self.outline()).items()}
        return {**words, _KEYWORDS: 1, **network}


class KeyvecEncoder(storage.TrainedEncoder):
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
        shape: KeyvecShape,
        arrays: Arrays,
        lines: Sequence[str],
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take weights as stored, and facts to keep with them (recipe, results).

        `lines` are the words in the order of the table's rows, then the key words without a vector. Raises EncoderError
        where an array has another shape than the settings say.
        """
        numbers: NDArray[np.int32] = arrays[_KEYWORDS]
        table = arrays[f"{_WORDS}numbers"]
        known = len(numbers) == shape.keywords and ((numbers >= 0) & (numbers < len(lines))).all()
        if not known or table.shape[1] != shape.word_dim or len(table) > len(lines):
            raise EncoderError(
                f"Expected {shape.keywords} key words and words of {shape.word_dim} numbers among {len(lines)} lines, "
                f"got {len(numbers)} key words and a table of {table.shape}. Build the encoder of parts that fit."
            )
        self.settings = shape.reading
        self._words = WordEmbeddings.build(storage.within(arrays, _WORDS), lines[: len(table)], {})
        self._network = shape.outline()
        HALF.fill(self._network, storage.within(arrays, _NETWORK))
        self._network.eval().requires_grad_(False)
        self._keywords = tuple(lines[number] for number in numbers)
        card = EncoderCard(self.name, self.summary, self.settings.dim, "", trained_on=trained_on)
        self._keep(storage.StoredWeights(METHOD, arrays, tuple(lines), shape.as_json()), card, facts)

    @classmethod
    def of(
        cls,
        words: WordEmbeddings,
        network: KeyvecNetwork,
        keywords: Sequence[str],
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Self:
        """Make the encoder of these parts, copied to the processor as they will be read back from disk.

        `keywords` stand in the order of the network's rows U. Raises EncoderError where the parts do not fit or are not
        finite.
        """
        if words.dim != network.word_dim:
            raise EncoderError(
                f"Expected a network for words of {words.dim} numbers, got one for {network.word_dim}. "
                f"Build the network with word_dim={words.dim}."
            )
        if len(set(keywords)) != network.keywords.out_features or len(keywords) != network.keywords.out_features:
            raise EncoderError(
                f"Expected {network.keywords.out_features} different key words, one a row of U, got {len(keywords)} "
                f"with {len(set(keywords))} different ones. Give them in the order of the rows."
            )
        if not bool(torch.isfinite(words.table).all()):
            raise EncoderError(
                "Expected word vectors of finite numbers, found others. The training went astray: take an earlier "
                "checkpoint or a smaller learning rate."
            )
        lines = tuple(dict.fromkeys((*words.words, *keywords)))
        line_of = {line: number for number, line in enumerate(lines)}
        arrays = {
            **{f"{_WORDS}{name}": array for name, array in words.arrays.items() if name in WordEmbeddings.expected({})},
            _KEYWORDS: np.array([line_of[word] for word in keywords], np.int32),
            **{f"{_NETWORK}{name}": array for name, array in HALF.stored(network).items()},
        }
        shape = KeyvecShape(network.settings, words.dim, len(keywords))
        return cls(shape, arrays, lines, trained_on=trained_on, facts=facts)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim), v at unit length."""
        rows = np.zeros((len(documents), self.settings.dim), np.float32)
        for part in groups(documents, _CHARACTERS_AT_ONCE, _DOCUMENTS_AT_ONCE):
            found = [self._read(document) for document in documents[part]]
            rows[part] = self._vectors(self._sentences(found), [len(one) for one in found])
        return unit_length(rows)

    def salience(self, documents: Sequence[Document], *, keywords: int = 10, report: Report = silent) -> list[Salience]:
        """Return the sentences of each document with their p, and its `keywords` likeliest key words.

        Sentences come from the body if it has at least five, else from the abstract, read without the rest, as in
        training. The key words come from the whole document's vector: softmax(U v).
        """
        found: list[Salience] = []
        for part in groups(documents, _CHARACTERS_AT_ONCE, _DOCUMENTS_AT_ONCE):
            group = documents[part]
            sentences = [self._read(document) for document in group]
            meter = Meter("weigh sentences", sum(map(len, sentences)), report)
            rows = self._sentences(sentences, meter)
            meter.finish()
            words = self._likeliest(self._vectors(rows, [len(one) for one in sentences]), keywords)
            places = [judged(one) for one in sentences]
            p = self._probabilities(rows, sentences, places)
            for document, own, chosen, shares, likeliest in zip(group, sentences, places, p, words, strict=True):
                chunks = tuple(own[place].chunk(document) for place in chosen)
                found.append(Salience(chunks, shares, likeliest if own else ()))
        return found

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a KeyVec encoder", METHOD) as opened:
            shape = opened.settings_as(KeyvecShape)
            stored = opened.read(shape.arrays)
            return cls(shape, stored.arrays, stored.words, trained_on=stored.card.trained_on, facts=stored.facts)

    def _read(self, document: Document) -> list[Sentence]:
        return read_sentences(document, self._words, self.settings)

    @torch.inference_mode()
    def _sentences(self, documents: Sequence[Sequence[Sentence]], meter: Meter | None = None) -> Tensor:
        """Return the vectors of all sentences of documents, end to end: (m, e)."""
        ids = [one.ids for sentences in documents for one in sentences]
        if meter is None:
            return sentence_vectors(self._network, self._words.table, ids)
        found = []
        for first in range(0, max(1, len(ids)), _SENTENCES_AT_ONCE):
            some = ids[first : first + _SENTENCES_AT_ONCE]
            found.append(sentence_vectors(self._network, self._words.table, some))
            meter.add(len(some))
        return torch.cat(found)

    @torch.inference_mode()
    def _vectors(self, sentences: Tensor, counts: Sequence[int]) -> DenseRows:
        """Return the vectors (n, dim) of documents with `counts` (n,) sentences each."""
        rows: DenseRows = read_documents(self._network, sentences, counts)[0].numpy()
        return rows

    @torch.inference_mode()
    def _probabilities(
        self, rows: Tensor, documents: Sequence[Sequence[Sentence]], places: Sequence[NDArray[np.int64]]
    ) -> list[NDArray[np.float32]]:
        """Return the p of the chosen sentences of each document."""
        starts = np.cumsum([0, *map(len, documents)])[:-1]
        chosen = np.concatenate([start + own for start, own in zip(starts, places, strict=True)])
        counts = [len(own) for own in places]
        logits = read_documents(self._network, rows[torch.from_numpy(chosen)], counts)[1]
        return np.split(logits.sigmoid().numpy(), np.cumsum(counts)[:-1])

    @torch.inference_mode()
    def _likeliest(self, rows: DenseRows, count: int) -> list[tuple[tuple[str, float], ...]]:
        """Return the likeliest words of vectors (n, dim), with p = softmax(U v) (KeyVec, section 3.3)."""
        found = []
        for row in rows:
            p = self._network.keywords(torch.from_numpy(row)).softmax(dim=0).numpy()  # (K,)
            likeliest = [(self._keywords[place], float(p[place])) for place in largest(p, count + len(_OF_CITATIONS))]
            found.append(tuple(one for one in likeliest if one[0] not in _OF_CITATIONS)[:count])
        return found
