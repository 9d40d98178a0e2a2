"""A document as it was read, from a file or out of the library: all that it says, section by section."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from engine.documents import DateKind, Kind, Reference, Section, SectionRole, Translation
from engine.reading import ReadFile


class RecognisedPageJson(TypedDict):
    """A page whose text was recognised from its picture, and how sure that was, from 0 to 1."""

    page: int
    confidence: float


class SectionJson(TypedDict):
    """A section; the page where it begins, from 1, is known for a PDF only, `recognised` for a scan."""

    title: str
    text: str
    role: SectionRole
    page: NotRequired[int | None]
    recognised: NotRequired[list[RecognisedPageJson]]


class TranslationJson(TypedDict):
    """The document's own words in another language."""

    language: str
    title: str
    abstract: str
    claims: list[str]


class ReferenceJson(TypedDict):
    """An entry of its reference list: verbatim, and what could be told from it."""

    text: str
    title: str
    authors: list[str]
    year: int | None
    venue: str
    identifiers: list[str]


class DocumentJson(TypedDict):
    """What a document says. `format` is what it was read as, "library" for one that a library holds."""

    id: str
    kind: Kind
    title: str
    authors: list[str]
    inventors: list[str]
    assignees: list[str]
    year: int | None
    dates: dict[DateKind, str]
    venue: str
    language: str
    abstract: str
    keywords: list[str]
    categories: list[str]
    identifiers: list[str]
    family: str
    url: str
    format: str
    pages: int | None
    sections: list[SectionJson]
    claims: list[str]
    translations: list[TranslationJson]
    references: list[ReferenceJson]
    warnings: list[str]


def document_as_json(reading: ReadFile) -> DocumentJson:
    """Return what was read; reference lists come last among the sections, so that nothing is lost."""
    document = reading.document
    body = [section for section in document.sections if section.role != "references"]
    references = [section for section in document.sections if section.role == "references"]
    return {
        "id": document.id,
        "kind": document.kind,
        "title": document.title,
        "authors": list(document.authors),
        "inventors": list(document.inventors),
        "assignees": list(document.assignees),
        "year": document.year,
        "dates": {one.kind: one.day for one in document.dates},
        "venue": document.venue,
        "language": document.language,
        "abstract": document.abstract,
        "keywords": list(document.keywords),
        "categories": list(document.categories),
        "identifiers": [f"{one.scheme}:{one.value}" for one in document.identifiers],
        "family": document.family,
        "url": document.url,
        "format": reading.format,
        "pages": reading.pages,
        "sections": [_section(section) for section in (*body, *references)],
        "claims": list(document.claims),
        "translations": [_translation(one) for one in document.translations],
        "references": [_reference(one) for one in document.references],
        "warnings": list(reading.warnings),
    }


def _section(section: Section) -> SectionJson:
    told: SectionJson = {"title": section.title, "text": section.text, "role": section.role}
    if section.pages:
        told["page"] = section.page_at(0)
    if section.recognised:
        told["recognised"] = [{"page": one.page, "confidence": one.confidence} for one in section.recognised]
    return told


def _translation(translation: Translation) -> TranslationJson:
    return {
        "language": translation.language,
        "title": translation.title,
        "abstract": translation.abstract,
        "claims": list(translation.claims),
    }


def _reference(reference: Reference) -> ReferenceJson:
    return {
        "text": reference.text,
        "title": reference.title,
        "authors": list(reference.authors),
        "year": reference.year,
        "venue": reference.venue,
        "identifiers": [f"{one.scheme}:{one.value}" for one in reference.identifiers],
    }
