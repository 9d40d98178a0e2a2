"""Titled stretches of text into a document: title, abstract, keywords, sections, claims, references."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from engine.documents import Document, Section, Translation
from engine.documents.document import REFERENCES, UNTITLED, UNTITLED_DESCRIPTION
from engine.documents.patents import claims
from engine.documents.people import is_about_authors
from engine.documents.text import one_line
from engine.reading.languages import abstracts_by_language
from engine.reading.text.claims import claim_lines
from engine.reading.text.headings import PATENT_HEADING, Role

_BROKEN_WORD = re.compile(r"\b(\w+)-\n(\w+)")
_HYPHENATED = re.compile(r"\b\w+-\w+\b")
_WORD = re.compile(r"\w+")
_LETTERED = re.compile(r"[a-z],? [A-Z]")
"""The mark of an author's address before it; also an article, seldom."""
_TWO_SENTENCES = re.compile(r"[a-z]{2}[.!?]\s+[A-Z]|[。！？]")
_TITLE_WORDS = 30
_SHORT = 20
_TITLE_CHARACTERS = 400
_LIST_ITEM = re.compile(r"(?:[-*•▪◦–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s")


@dataclass(slots=True)
class Stretch:
    """The lines under one heading; `wrapped` where a paragraph may take several of them."""

    title: str
    role: Role = "body"
    lines: list[str] = field(default_factory=list)
    wrapped: bool = True

    @property
    def paragraphs(self) -> list[str]:
        """Paragraphs between blank lines, each with its wrapped lines joined."""
        blocks = re.split(r"\n\s*\n", "\n".join(self.lines))
        if not self.wrapped:
            return [text for block in blocks if (text := block.strip())]
        found: list[list[str]] = []
        for block in blocks:
            paragraph = join_lines(block)
            goes_on = paragraph[:1].islower() and not _LETTERED.match(paragraph)
            if found and goes_on and found[-1][-1][-1] not in ".!?:;":
                found[-1].append(paragraph)  # a text with a blank line after each line
            elif paragraph:
                found.append([paragraph])
        return [" ".join(pieces) for pieces in found]

    @property
    def text(self) -> str:
        """The paragraphs, with a blank line between them."""
        return "\n\n".join(self.paragraphs)


def build(identifier: str, title: str, stretches: Iterable[Stretch]) -> Document:
    """Return the document of a title and the stretches after it; claims or a patent's headings make it a patent."""
    parts = list(stretches)
    claimed = tuple(claim for part in parts if part.role == "claims" for claim in split_claims(part.lines))
    headings = sum(1 for part in parts if part.role == "body" and PATENT_HEADING.fullmatch(part.title))
    patent = bool(claimed) or headings >= 2
    told = [(part.title, text) for part in parts if part.role == "abstract" for text in part.paragraphs]
    language, abstracts = abstracts_by_language(told, (part.text for part in parts if part.role == "body"))
    return Document(
        id=identifier,
        kind="patent" if patent else "paper",
        title=title,
        abstract=abstracts.pop(language, ""),
        language=language,
        translations=tuple(Translation(other, abstract=text) for other, text in abstracts.items()),
        sections=tuple(_sections(parts, UNTITLED_DESCRIPTION if patent else UNTITLED)),
        keywords=tuple(_keywords(parts)),
        claims=claimed,
    )


def looks_like_title(text: str) -> bool:
    """Return whether a text is short enough, and begins and ends as a title does."""
    words = text.split()
    return (
        0 < len(words) <= _TITLE_WORDS
        and len(text) <= _TITLE_CHARACTERS
        and text[-1] not in ".,;:。，；："
        and not text[0].islower()
        and not _TWO_SENTENCES.search(text)
    )


def choose_abstract(stretches: Sequence[Stretch]) -> list[str]:
    """Take the text above the first section as the abstract, where no heading names one and sections follow.

    Lines about authors among it are taken out and given back.
    """
    named = any(one.role == "abstract" for one in stretches)
    first = next((one for one in stretches if one.role == "body"), None)
    if first is None or first.title or not first.text or len(stretches) < 2:
        return []
    sections = sum(1 for one in stretches if one.role == "body") > 1
    if not named and not sections:
        return []
    paragraphs = first.paragraphs
    about = [text for text in paragraphs if is_about_authors(text) or (named and is_short(text))]
    prose = [text for text in paragraphs if text not in about]
    if about:
        first.lines, first.wrapped = "\n\n".join(prose).split("\n"), False
    if not named and not all(map(is_short, prose)):
        first.role = "abstract"
    return about


def is_short(block: str) -> bool:
    """Tell whether a block is a line of words without a sentence, as names, places and dates are."""
    text = one_line(block)
    return len(text.split()) < _SHORT and len(text) < 300 and not re.search(r"[a-z]{3}[.!?](?:\s|$)|。", text)


def split_claims(lines: Sequence[str]) -> list[str]:
    """Return the claims one by one, without their numbers."""
    return list(claims(one_line(join_lines("\n".join(one))) for one in claim_lines(lines)))


def join_lines(block: str) -> str:
    """Join wrapped lines to one, with broken words mended; items of a list keep lines of their own."""
    if "-\n" in block:
        whole = frozenset([*_HYPHENATED.findall(block), *_WORD.findall(block)])
        block = _BROKEN_WORD.sub(lambda match: _mended(match, whole), block)
    joined: list[list[str]] = []
    for text in (" ".join(line.split()) for line in block.split("\n")):
        if not joined or _LIST_ITEM.match(text):
            joined.append([text])
        elif text:
            joined[-1].append(text)
    return "\n".join(" ".join(item).strip() for item in joined).strip()


def _mended(match: re.Match[str], whole: Collection[str]) -> str:
    """Return a word broken at a line's end: its hyphen stays before a capital or a digit, or where it stands elsewhere.

    So it does in a word that holds a hyphen before, as "state-of-the-art", unless the two parts stand as one elsewhere.
    """
    first, second = match[1], match[2]
    keep = not second[0].islower() or not first[-1].isalpha() or f"{first}-{second}" in whole
    compound = match.string[max(0, match.start() - 1)] == "-" and f"{first}{second}" not in whole
    return f"{first}-{second}" if keep or compound else f"{first}{second}"


def _sections(parts: Sequence[Stretch], untitled: str) -> Iterable[Section]:
    """Yield body stretches and, last, reference lists; a heading without text stays only above other headings."""
    for place, part in enumerate(parts):
        last = place + 1 == len(parts) or parts[place + 1].role != "body"
        text = part.text if part.role == "body" else ""
        if part.role == "body" and (text or (part.title and not last)):
            yield Section(part.title or untitled, text)
    for part in parts:
        if part.role == "references" and (text := part.text):
            yield Section(part.title or REFERENCES, text, "references")


def _keywords(parts: Iterable[Stretch]) -> Iterable[str]:
    words = (word for part in parts if part.role == "keywords" for word in re.split(r"[;,·•|\n；，、]", part.text))
    yield from dict.fromkeys(word for one in words if (word := one_line(one).strip(". ")))
