"""Patents as the Lens gives them, in the JSON of its service and its bulk files, into documents.

Its documentation (docs.api.lens.org, read in its public source) names the fields: numbers and dates at the top, titles,
parties, classes and citations in `biblio`, and texts as lists of {"text": ..., "lang": ...}. Its scholarly works are
rows like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.documents import Document, Reference, patents
from engine.documents.dates import dates, year_in
from engine.documents.document import UNTITLED_DESCRIPTION
from engine.documents.text import one_line, tidy
from engine.reading.base import cut, object_at, objects_at, string_at
from engine.reading.patents.wordings import Wordings, by_language, companies, lines_of, person

_NUMBERS = frozenset({"jurisdiction", "doc_number"})
_CLASSES = ("classifications_cpc", "classifications_ipcr")


def is_lens_patent(values: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a patent of the Lens."""
    return "lens_id" in values and (isinstance(values.get("biblio"), dict) or values.keys() >= _NUMBERS)


def read_lens_patent(values: Mapping[str, Any]) -> Document:
    """Read one publication; values of wrong types are left out."""
    front = object_at(values, "biblio")
    country, number, kind, day = _number(object_at(front, "publication_reference"), values)
    filed_at, filed_as, _, filed = _number(object_at(front, "application_reference"))
    priorities = object_at(front, "priority_claims")
    inventors = patents.first_of_each(person(one) for one in _parties(front, "inventors"))
    owners = patents.first_of_each(_parties(front, "owners_all"))
    assignees = companies(patents.first_of_each(_parties(front, "applicants")), inventors) or owners
    texts = _texts(values, front)
    title = texts.own(texts.titles, "")
    identifier = patents.patent_id(country, number, kind)
    return Document(
        id=identifier or f"lens:{values['lens_id']}",
        kind="patent",
        title=title,
        abstract=texts.own(texts.abstracts, ""),
        sections=tuple(cut(lines_of(texts.own(texts.descriptions, ""), title), UNTITLED_DESCRIPTION)),
        references=tuple(_cited(front)),
        year=year_in(day),
        dates=dates(
            (patents.published(country, kind), day),
            ("filed", filed),
            *(("priority", string_at(one, "date")) for one in objects_at(priorities, "claims")),
            ("priority", string_at(object_at(priorities, "earliest_claim"), "date")),
        ),
        language=texts.language,
        translations=tuple(texts.translations()),
        categories=patents.symbols(_classes(front)),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier) if identifier else f"https://lens.org/{values['lens_id']}",
        family=_family(values) or patents.application_family(filed_at, filed_as),
        claims=texts.own(texts.claims, ()),
    )


def _texts(values: Mapping[str, Any], front: Mapping[str, Any]) -> Wordings[str]:
    """Return the texts in each language; of claims either each stands alone or one text holds all of them."""
    found = values.get("description")
    descriptions = found if isinstance(found, list) else [found]
    titles = _worded(front.get("invention_title"))
    return Wordings(
        (string_at(values, "lang"),),
        by_language((language, patents.sentence_case(one_line(text), language.lower())) for language, text in titles),
        by_language((language, tidy(text)) for language, text in _worded(values.get("abstract"))),
        by_language((string_at(one, "lang"), tuple(_claims(one))) for one in objects_at(values, "claims")),
        by_language((language, text.strip()) for one in descriptions for language, text in _worded(one)),
    )


def _worded(found: object) -> Iterator[tuple[str, str]]:
    """Yield the language and the text of what is a text, an object with one, or a list of these."""
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, str):
            yield "", one
        elif isinstance(one, dict):
            yield string_at(one, "lang"), string_at(one, "text")


def _claims(group: Mapping[str, Any]) -> Iterator[str]:
    texts = [_joined(one.get("claim_text")) for one in objects_at(group, "claims")]
    whole = patents.numbered_claims(texts[0]) if len(texts) == 1 else texts
    return patents.claims(one_line(text) for text in whole)


def _joined(text: object) -> str:
    return "\n".join(one for one in (text if isinstance(text, list) else [text]) if isinstance(one, str))


def _number(*references: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return a reference's country, number, kind and date, each from the first of several that has it."""

    def first(*names: str) -> str:
        return next((text for one in references for name in names if (text := string_at(one, name))), "")

    return first("jurisdiction"), first("doc_number"), first("kind"), first("date", "date_published")


def _parties(front: Mapping[str, Any], role: str) -> Iterator[str]:
    """Yield the names of a role, as they stand on the patent or as a program has shortened them to a text."""
    for one in objects_at(object_at(front, "parties"), role):
        found = next((value for name in ("extracted_name", "name") if (value := one.get(name))), "")
        yield one_line(string_at(found, "value") or string_at(found, "name") if isinstance(found, dict) else str(found))


def _classes(front: Mapping[str, Any]) -> Iterator[str]:
    for scheme in _CLASSES:
        for one in objects_at(object_at(front, scheme), "classifications"):
            yield string_at(one, "symbol")


def _cited(front: Mapping[str, Any]) -> Iterator[Reference]:
    for one in objects_at(object_at(front, "references_cited"), "citations"):
        country, number, kind, day = _number(object_at(object_at(one, "patcit"), "document_id"))
        if number:
            yield patents.cited_patent(country, number, kind, date=day)
        elif text := one_line(string_at(object_at(one, "nplcit"), "text")):
            yield Reference(text)


def _family(values: Mapping[str, Any]) -> str:
    """Return the simple family by the first Lens id of its members, where it has several."""
    members = objects_at(object_at(object_at(values, "families"), "simple_family"), "members")
    found = sorted(filter(None, (string_at(one, "lens_id") for one in members)))
    return f"lens-{found[0]}" if len(found) > 1 else ""
