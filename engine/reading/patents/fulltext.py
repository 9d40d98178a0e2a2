"""Descriptions, abstracts and claims in the EPO's XML, whose headings and numbers often stand in the text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from engine.documents.text import normalised_title
from engine.reading.base import Part
from engine.reading.patent_fields import claims
from engine.reading.text.headings import PATENT_HEADING
from engine.reading.xml.tree import block, children, line

_BREAKS = frozenset({"li", "ul", "ol", "sl", "dl", "dt", "dd", "br", "row", "claim-text"})
_NO_PROSE = frozenset({"img", "tables", "table", "chemistry", "image"})
_NUMBER = re.compile(r"(?:(?<!\s)\s++)?[\[(]\s?\d{3,5}\s?[\])]\s*+")
_CLAIM = re.compile(r"\s*+(\d{1,4})\s*+[.)]\s*+(?=\S)")
_HEADING_CHARACTERS = 100


def parts(element: Element | None, title: str) -> Iterator[Part]:
    """What a description consists of; without marked headings, lines that read as such are taken, but for the title."""
    if element is None:
        return
    found = list(_flow(element))
    texts = [(one.tag, block(one, breaks=_BREAKS, without=_NO_PROSE)) for one in found]
    marked = any(tag == "heading" for tag, _ in texts)
    numbered = 2 * sum(1 for _, text in texts if _NUMBER.match(text)) >= len(texts)
    for tag, text in texts:
        if tag == "heading" or (not marked and _is_heading(text, numbered=numbered)):
            if normalised_title(text) != normalised_title(title):
                yield "heading", " ".join(text.split())
        else:
            yield "text", _NUMBER.sub("", text, count=1) if _NUMBER.match(text) else text


def lines_of(description: str, title: str) -> Iterator[Part]:
    """The same of a description that is a text, one paragraph a line."""
    element = Element("description")
    for text in description.split("\n"):
        SubElement(element, "p").text = text
    return parts(element, title)


def paragraphs(abstract: Element) -> str:
    """The paragraphs of an abstract, its heading left out."""
    texts = (block(one, breaks=_BREAKS, without=_NO_PROSE) for one in _flow(abstract) if one.tag != "heading")
    return "\n\n".join(filter(None, texts)) or line(abstract)


def numbered_claims(element: Element) -> tuple[str, ...]:
    """Claims one by one, also where a single element holds them all, each with its number."""
    found = list(children(element, "claim"))
    if len(found) != 1:
        return tuple(claims(line(one, apart=_BREAKS, without=_NO_PROSE) for one in found))
    texts = list(children(found[0], "claim-text")) or found
    lines = [text for one in texts for text in _lines(one) if text.strip()]
    split: list[list[str]] = []
    for text in lines:
        match = _CLAIM.match(text)
        if match is not None and int(match[1]) == len(split) + 1:
            split.append([text])
        elif split:
            split[-1].append(text)
    whole = [" ".join(lines)] if not split else [" ".join(one) for one in split]
    return tuple(claims(" ".join(one.split()) for one in whole))


def _lines(text: Element) -> list[str]:
    """A claim's text; its own lines count where it holds no steps, as in a text that was only cut into lines."""
    if any(True for _ in children(text, "claim-text")):
        return [line(text, apart=_BREAKS, without=_NO_PROSE)]
    return "".join(text.itertext()).split("\n")


def _is_heading(text: str, *, numbered: bool) -> bool:
    """Whether a paragraph reads as a heading; where most paragraphs are numbered, a short one without is one."""
    if not 0 < len(text) <= _HEADING_CHARACTERS or text.endswith((".", ";", ",")) or _NUMBER.match(text):
        return False
    return bool(numbered or text.isupper() or PATENT_HEADING.fullmatch(text))


def _flow(element: Element) -> Iterator[Element]:
    """Headings and paragraphs in reading order, whatever they are wrapped in."""
    for child in element:
        if child.tag in ("heading", "p", "paragraph"):
            yield child
        elif child.tag not in _NO_PROSE:
            yield from _flow(child)
