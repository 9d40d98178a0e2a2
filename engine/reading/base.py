"""What every reader returns, and what readers share: the document, warnings, notes, and entries that were left out.

A body is cut into sections at its headings. Footnotes and endnotes become a section of their own. Of a file of many
entries, one bad entry never refuses the good ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from engine.core.errors import InputError
from engine.documents import Document, Section
from engine.documents.dates import CITED_YEAR
from engine.documents.text import how_many, one_line
from engine.documents.works import UNPRINTED, Printed, id_by_content
from engine.reading.limits import LIMITS, Limits
from engine.reading.placeholders import said, without_placeholders

_CITES = re.compile(
    rf"\b{CITED_YEAR}[a-z]?\b|\bibid\b|\bop\. ?cit|\bloc\. ?cit|\bdoi\b|https?://|\bn\.d\.", re.IGNORECASE
)
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]{2,}")
_FEWEST_WORDS = 8
_OF_PUBLISHER = re.compile(
    r"(?:publisher(?:['’]s)? note|disclaimer|copyright|©|this is an open access|all rights reserved)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One document read from a file or a text.

    `format` is a name from `detect`. `warnings` are whole sentences for the reader. `pages` is known for PDF only.
    """

    document: Document
    format: str
    warnings: tuple[str, ...] = ()
    pages: int | None = None


def require_within(document: Document, place: str, limits: Limits) -> Document:
    """Return the document, if its text and lists are within the limits; `place` names it in the error."""
    limits.require("characters", sum(len(part.text) for part in document.parts), place)
    limits.require("sections", len(document.sections), place)
    limits.require("claims", len(document.claims), place)
    return document


def identified(document: Document, date: str = "", printed: Printed = UNPRINTED) -> Document:
    """Return the document, one without an id under the digest of its content: a record may lack its number."""
    if document.id:
        return document
    return replace(document, id=id_by_content(without_placeholders(document), said(one_line(date)), printed))


BodyPart = tuple[Literal["group", "heading", "text"], str]
"""A piece of a body: the name of a group that begins, a heading, or a paragraph."""


def cut(parts: Iterable[BodyPart], untitled: str) -> Iterator[Section]:
    """Yield a body's sections, cut at its headings; text before the first heading of a group has the group's name."""
    group, title, texts = untitled, "", list[str]()
    for kind, text in parts:
        if kind == "text":
            texts += filter(None, (text,))
            continue
        if title or texts:
            yield Section(title or group, "\n\n".join(texts))
        group, title = (text, "") if kind == "group" else (group, text)
        texts = []
    if title or texts:
        yield Section(title or group, "\n\n".join(texts))


class Omissions:
    """Tells `warn` what was left out of a file, reason by reason; the door bounds how many are passed on."""

    def __init__(self, warn: Callable[[str], None], limits: Limits = LIMITS) -> None:
        """Begin with a file, before anything is left out; `limits` hold for each of its documents."""
        self.tell = warn
        self._limits = limits
        self._first: InputError | None = None
        self._read = 0

    def entry(self, error: InputError) -> None:
        """Tell that an entry was left out, and why."""
        self._first = self._first or error
        self.tell(f"An entry was left out. {error}")

    def value(self, error: InputError) -> None:
        """Tell that a value was left out of an entry, and why."""
        self._first = self._first or error
        self.tell(f"A value was left out. {error}")

    def documents(self, entry: Iterable[Document], place: str) -> list[Document]:
        """Return the documents of one entry, as they are read; one that fails or is too large is left out.

        `place` names the entry in the error for a document beyond the limits.
        """
        found: list[Document] = []
        try:
            for document in entry:
                found.append(without_placeholders(identified(require_within(document, place, self._limits))))
        except InputError as error:
            self.entry(error)
        self._read += len(found)
        return found

    def finish(self) -> None:
        """End the file. Raises the first error where no entry at all could be read."""
        if self._first is not None and not self._read:
            raise self._first


def with_notes(document: Document, notes: Sequence[str]) -> Document:
    """Return the document with its notes as a section behind the others.

    They are a reference list if most of them cite and the document has no other.
    """
    if not notes:
        return document
    body = tuple(one for one in document.sections if one.role != "references")
    references = tuple(one for one in document.sections if one.role == "references")
    citing = not references and sum(1 for text in notes if _CITES.search(text)) > len(notes) / 2
    listed = Section("Notes", "\n\n".join(notes), "references" if citing else "body")
    return replace(document, sections=(*body, listed, *references))


def worded(notes: Iterable[str]) -> Iterator[str]:
    """Yield each note once, in one line; not a publisher's own, nor one of a few words, such as an address."""
    for text in dict.fromkeys(map(one_line, notes)):
        words = sum(1 for _ in islice(_WORD.finditer(text), _FEWEST_WORDS))
        if words == _FEWEST_WORDS and not _OF_PUBLISHER.match(text):
            yield text


def left_out_of_text(counts: Mapping[str, int], name: str = "") -> Iterator[str]:
    """Yield a sentence on what a reader leaves out of the text, by the nouns of it: {"table": 3, "program": 0}."""
    found = [how_many(count, noun) for noun, count in counts.items() if count]
    if found:
        *others, last = found
        listed = f"{', '.join(others)} and {last}" if others else last
        of = f" of {name}" if name else ""
        captions = " Captions are read." if counts.get("table") else ""
        yield f"Left out of the text{of}: {listed}.{captions}"


def left_out_about_authors(lines: Sequence[str]) -> str:
    """Return the sentence on lines below a title that a reader leaves out of the text."""
    return f"Lines about authors were left out of the text: {'; '.join(text[:60] for text in lines[:3])}."


def string_at(values: Mapping[str, Any], name: str) -> str:
    """Return a text of an object; empty where it has none, or something else."""
    value = values.get(name)
    return value if isinstance(value, str) else ""


def object_at(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an object within another; empty where it has none, or something else."""
    value = values.get(name)
    return value if isinstance(value, dict) else {}


def list_at(values: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list of an object; empty where it has none, or something else."""
    value = values.get(name)
    return value if isinstance(value, list) else []


def objects_at(values: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """Return the objects in a list of an object."""
    return (one for one in list_at(values, name) if isinstance(one, dict))
