"""A second encoder of whole documents, whose similarity of two of them can be a part of their score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.documents import Chunk, Document
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.errors import FingerprintError
from engine.rows import DenseRows


@dataclass(frozen=True, slots=True)
class Second:
    """A shipped encoder by its name, and the fingerprint that it had when the mix was fitted."""

    name: str
    fingerprint: str

    @classmethod
    def shipped(cls, name: str) -> Second:
        """The encoder of a name as it is now. Raises UnknownEncoderError, or StorageError where it is damaged."""
        return cls(name, _load(name).card.fingerprint)

    def open(self) -> Encoder:
        """The encoder, loaded once. Raises FingerprintError where it has changed since the mix was fitted."""
        encoder = _load(self.name)
        if encoder.card.fingerprint != self.fingerprint:
            raise FingerprintError(
                f"Expected {self.name} as it was when the mix of the document score was fitted, {self.fingerprint}; "
                f"found {encoder.card.fingerprint}. Fit the mix anew."
            )
        return encoder

    def row(self, document: Document) -> DenseRows | None:
        """The vector (dim,) of a document, None where the encoder finds nothing to read in it. Raises as `open`."""
        row: DenseRows = self.open().encode_documents([document])[0]
        return row if row.any() else None


def without(document: Document, gone: Iterable[Chunk]) -> Document:
    """A document without the stretches that are gone, which do not overlap."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for chunk in gone:
        spans.setdefault(chunk.part, []).append((chunk.start, chunk.stop))
    if not spans:
        return document
    texts = iter([_cut(part.text, spans.get(number, [])) for number, part in enumerate(document.parts)])
    return replace(  # in the order of the parts
        document,
        title=next(texts) if document.title else "",
        abstract=next(texts) if document.abstract else "",
        sections=tuple(replace(section, text=next(texts), pages=()) for section in document.sections),
        claims=tuple(next(texts) for _ in document.claims),
    )


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, stop in sorted(spans, reverse=True):
        text = text[:start] + text[stop:]
    return text


@lru_cache(maxsize=2)
def _load(name: str) -> Encoder:
    return registry.load(name)
