"""A document as it was read, from a file or out of the library: all that it says, section by section."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired

from typing_extensions import TypedDict

from engine.core.config import filled
from engine.documents import DateKind, Identifier, Kind, Section, SectionRole
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
    return filled(
        DocumentJson,
        document,
        reading,
        dates={one.kind: one.day for one in document.dates},
        identifiers=_numbers(document.identifiers),
        sections=[_section(one) for one in sorted(document.sections, key=lambda one: one.role == "references")],
        translations=[filled(TranslationJson, one) for one in document.translations],
        references=[filled(ReferenceJson, one, identifiers=_numbers(one.identifiers)) for one in document.references],
    )


def _section(section: Section) -> SectionJson:
    told: SectionJson = {"title": section.title, "text": section.text, "role": section.role}
    if section.pages:
        told["page"] = section.page_at(0)
    if section.recognised:
        told["recognised"] = [filled(RecognisedPageJson, one) for one in section.recognised]
    return told


def _numbers(identifiers: Iterable[Identifier]) -> list[str]:
    return [f"{one.scheme}:{one.value}" for one in identifiers]
