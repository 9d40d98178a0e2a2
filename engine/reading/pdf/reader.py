"""Reads a PDF of a paper or a patent as a document: title, abstract, sections, reference list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.core.files import fingerprint, sha256_bytes
from engine.documents import Document, Placed, RecognisedPage, Section, Translation
from engine.reading.base import Reading
from engine.reading.languages import abstracts_by_language
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.pdf.front import doi_of, named_authors, plausible_title, year_of
from engine.reading.pdf.patent import as_patent, is_patent
from engine.reading.pdf.sections import Parts, parts_of
from engine.reading.pdf.worker import read_contents

_MOST_LISTED = 20


def read_pdf(data: bytes, name: str, limits: Limits = LIMITS) -> Reading:
    """Read a PDF; `name` is only used in messages.

    Raises an InputError's kind, with a sentence for the person, for a file that is empty, too large,
    not PDF, encrypted, cut off, damaged, over the page limit, or scanned.
    """
    budget = Budget.within(limits, name)
    contents = read_contents(data, name, budget)
    hint = plausible_title(contents.metadata["Title"])
    parts = parts_of(contents.pages, budget, hint, contents.outline)
    limits.require("sections", len(parts.sections), name)
    sure = {page.number + 1: page.recognised for page in contents.pages if page.recognised is not None}
    parts = replace(parts, sections=tuple(_with_scans(section, sure) for section in parts.sections))
    document = _document(parts, contents.metadata, data)
    left_out: list[str] = []
    if is_patent(parts.first_page, document.sections):
        document, left_out = as_patent(document, parts.first_page)
    document = replace(document, placed=tuple(_placed(document, parts, sure)))
    warnings = (*contents.warnings, *left_out, *_doubts(document, parts))
    return Reading(document, "pdf", warnings, pages=len(contents.pages))


def _with_scans(section: Section, sure: Mapping[int, float]) -> Section:
    """The section with which of its pages were recognised, and how surely."""
    pages = sorted({start.page for start in section.pages} & set(sure))
    return replace(section, recognised=tuple(RecognisedPage(page, sure[page]) for page in pages))


def _placed(document: Document, parts: Parts, sure: Mapping[int, float]) -> Iterator[Placed]:
    """Where title, abstract and claims stand, as far as they are found."""
    for part in document.parts:
        if part.role in ("title", "abstract", "claim") and part.text:
            starts, boxes = parts.places.find(part.text)
            if starts:
                found = _with_scans(replace(part, pages=starts), sure)
                yield Placed(part.title, len(part.text), starts, boxes, found.recognised)


def _document(parts: Parts, metadata: dict[str, str], data: bytes) -> Document:
    front = parts.front
    doi = doi_of(parts.first_page)
    told = [("", text) for text in front.abstract.split("\n\n")]
    language, abstracts = abstracts_by_language(told, (section.text for section in parts.sections))
    return Document(
        id=f"doi:{doi}" if doi else f"file:{fingerprint(data)}",
        kind="paper",
        title=front.title or plausible_title(metadata["Title"]),
        abstract=abstracts.pop(language, ""),
        sections=parts.sections,
        year=year_of(parts.masthead),
        language=language,
        translations=tuple(Translation(other, abstract=text) for other, text in abstracts.items()),
        keywords=front.keywords,
        authors=named_authors(metadata["Author"], parts.first_page, front.authors),
        url=f"https://doi.org/{doi}" if doi else "",
        file=sha256_bytes(data),
    )


def _doubts(document: Document, parts: Parts) -> list[str]:
    """What a person should look at before searching."""
    doubts = ["A repository's cover stands before the paper; it was left out."] if parts.covered else []
    if parts.left_out:
        pages = ", ".join(map(str, parts.left_out[:_MOST_LISTED]))
        doubts.append(f"Notes or text in a margin belong to no section and were left out: page {pages}.")
    if not document.title:
        doubts.append("No title was found; please add it.")
    if not document.abstract:
        doubts.append("No abstract was found; the sections stand for the whole text.")
    if len(document.sections) < 2:
        doubts.append("No section headings were found; the text stands in one section.")
    return doubts
