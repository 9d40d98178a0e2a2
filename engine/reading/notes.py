"""What stands beside the text: footnotes and endnotes, which become a section, and what a reader leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from engine.documents import Document, Section
from engine.documents.text import how_many, one_line

_CITES = re.compile(
    r"\b(?:1[5-9]|20)\d{2}[a-z]?\b|\bibid\b|\bop\. ?cit|\bloc\. ?cit|\bdoi\b|https?://|\bn\.d\.", re.IGNORECASE
)
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]{2,}")
_FEWEST_WORDS = 8
_OF_PUBLISHER = re.compile(
    r"(?:publisher(?:['’]s)? note|disclaimer|copyright|©|this is an open access|all rights reserved)\b", re.IGNORECASE
)


def with_notes(document: Document, notes: Sequence[str]) -> Document:
    """The document with its notes as a section behind the others.

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
    """Notes in one line each, once each, without a publisher's own and those of a few words, such as an address."""
    for text in dict.fromkeys(map(one_line, notes)):
        words = sum(1 for _ in islice(_WORD.finditer(text), _FEWEST_WORDS))
        if words == _FEWEST_WORDS and not _OF_PUBLISHER.match(text):
            yield text


def left_out(counts: Mapping[str, int], name: str = "") -> Iterator[str]:
    """A sentence on what a reader leaves out of the text, by the nouns of it: {"table": 3, "program": 0}."""
    found = [how_many(count, noun) for noun, count in counts.items() if count]
    if found:
        *others, last = found
        listed = f"{', '.join(others)} and {last}" if others else last
        of = f" of {name}" if name else ""
        captions = " Captions are read." if counts.get("table") else ""
        yield f"Left out of the text{of}: {listed}.{captions}"
