"""What a patent's publication says in several languages and spellings: its texts, and the names of its parties.

Headings and claim numbers of the EPO's texts often stand in the words alone. Its records spell each inventor,
applicant and owner several times.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from xml.etree.ElementTree import Element, SubElement

from engine.documents import Translation
from engine.documents.patents import claims, first_of_each
from engine.documents.people import DEGREE, TITLE, name_parts
from engine.documents.text import normalised_title
from engine.reading.base import BodyPart
from engine.reading.text.headings import PATENT_HEADING
from engine.reading.xml.tree import block, children, find_line, line

_ENGLISH = "en"
_NO_LANGUAGE = frozenset({"xx", "ol", "oo"})
"""What stands for a language that is unknown, or an office's own."""

Description = TypeVar("Description")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Wordings(Generic[Description]):
    """The texts of a publication by language; one that it does not name is empty. `said` are the languages it names."""

    said: tuple[str, ...]
    titles: Mapping[str, str]
    abstracts: Mapping[str, str]
    claims: Mapping[str, tuple[str, ...]]
    descriptions: Mapping[str, Description]

    @property
    def language(self) -> str:
        """The publication's own language: as it says if a text is in it, or that of its longest text."""
        given = [*self.descriptions, *self.claims, *self.abstracts, *self.titles]
        own = next((one for text in self.said if (one := text.lower()) in given), "")
        only = next((one for group in (self.descriptions, self.claims) for one in group if len(group) == 1), "")
        return own or only or (_ENGLISH if _ENGLISH in given else next(filter(None, given), ""))

    def own(self, texts: Mapping[str, _Value], nothing: _Value) -> _Value:
        """Return a text in the publication's language, else in English, else in any."""
        return next((texts[one] for one in (self.language, _ENGLISH, *texts) if one in texts), nothing)

    def translations(self) -> Iterator[Translation]:
        """Yield what it says in other languages."""
        for language in dict.fromkeys((*self.titles, *self.abstracts, *self.claims)):
            if language not in ("", self.language):
                yield Translation(
                    language,
                    self.titles.get(language, ""),
                    self.abstracts.get(language, ""),
                    self.claims.get(language, ()),
                )


def by_language(found: Iterable[tuple[str, _Value]]) -> dict[str, _Value]:
    """Return the first text in each language, empty ones left out."""
    texts: dict[str, _Value] = {}
    for said, text in found:
        language = said.lower()
        if text:
            texts.setdefault("" if language in _NO_LANGUAGE else language, text)
    return texts


_SPELLINGS = ("original", "intermediate", "", "docdba", "docdb", "epodoc", "epo")
"""The best first: as they stand on the publication, cleaned, or in the EPO's capitals."""
_COUNTED = ("epodoc", "epo", "docdb")
"""Spellings that name each party once; the others may repeat one with another letter."""
_OFFICE = re.compile(r"(?:(?<!\s)\s++)?\[[A-Z]{2}\]\s*+$")
_NOT_NAMED = re.compile(r"designation of (?:the )?inventor|not (?:yet )?been (?:filed|named)|waived", re.IGNORECASE)
_TITLES = re.compile(
    rf"(?:(?:{TITLE}|{DEGREE})\b[-.\s]*+(?:(?:phil|rer|nat|med|habil|chem|phys|pharm)\b[-.\s]*+)*+)++",
    re.IGNORECASE,
)
"""What the EPO writes behind a name, DR. RER. NAT."""


def parties(front: Element, role: str) -> tuple[str, ...]:
    """Return the names of a role ("inventor", "applicant", "assignee"), in the spelling that names most of them.

    A person's stand in the order of speech: "SCHELLER, HANS-ULRICH, DR." is Hans-Ulrich Scheller.
    """
    spelled: dict[str, list[str]] = {}
    for one in front.iter(role):
        spelling = one.get("data-format") or one.get("format") or ""
        name = _name(one)
        spelled.setdefault(spelling, []).append(person(name) if role == "inventor" else name)
    names = {spelling: first_of_each(spelled.get(spelling, ())) for spelling in (*_SPELLINGS, *spelled)}
    most = max((len(names[one]) for one in _COUNTED), default=0) or None
    return max((one[:most] for one in names.values()), key=len)


def companies(applicants: Sequence[str], inventors: Iterable[str]) -> tuple[str, ...]:
    """Return the applicants who are not inventors; in the United States, inventors had to apply until 2012."""
    persons = {_words(name) for name in inventors}
    return tuple(name for name in applicants if _words(name) not in persons)


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name.lower()))


def _name(party: Element) -> str:
    """Return a name as it stands, without its office: "9SOLUTIONS OY [FI]" is 9SOLUTIONS OY."""
    book = next((one for one in party if one.tag in ("addressbook", f"{party.tag}-name")), party)
    parts = (find_line(book, tag) for tag in ("first-name", "middle-name", "last-name"))
    whole = find_line(book, "name") or find_line(book, "orgname") or " ".join(filter(None, parts)) or line(book)
    name = _OFFICE.sub("", whole).strip(" ,;")
    return "" if _NOT_NAMED.search(name) else name


def person(name: str) -> str:
    """Return a name in the order of speech, without titles, where the EPO writes the surname first."""
    if name.isupper() and name.count(" ") == 1 and not re.search(r"[.,]", name):
        name = name.replace(" ", ", ")  # where the EPO writes a name in capitals, the surname comes first
    family, given, generation = name_parts(name)
    parts = (*(part for part in given if not _TITLES.fullmatch(part)), family)
    words = (part.title() if part.isupper() else part for part in parts if part)
    return " ".join((*words, *generation))


_BREAKS = frozenset({"li", "ul", "ol", "sl", "dl", "dt", "dd", "br", "row", "claim-text"})
_NO_PROSE = frozenset({"img", "tables", "table", "chemistry", "image"})
_NUMBER = re.compile(r"(?:(?<!\s)\s++)?[\[(]\s?\d{3,5}\s?[\])]\s*+")
_CLAIM = re.compile(r"\s*+(\d{1,4})\s*+[.)]\s*+(?=\S)")
_HEADING_CHARACTERS = 100


def parts(element: Element | None, title: str) -> Iterator[BodyPart]:
    """Yield a description's parts; where no heading is marked, lines that read as one are, but for the title."""
    if element is None:
        return
    found = list(flow(element, _NO_PROSE))
    texts = [(one.tag, block(one, breaks=_BREAKS, without=_NO_PROSE)) for one in found]
    marked = any(tag == "heading" for tag, _ in texts)
    numbered = 2 * sum(1 for _, text in texts if _NUMBER.match(text)) >= len(texts)
    for tag, text in texts:
        if tag == "heading" or (not marked and _is_heading(text, numbered=numbered)):
            if normalised_title(text) != normalised_title(title):
                yield "heading", " ".join(text.split())
        else:
            yield "text", _NUMBER.sub("", text, count=1) if _NUMBER.match(text) else text


def lines_of(description: str, title: str) -> Iterator[BodyPart]:
    """Return the same of a description that is a text, one paragraph a line."""
    element = Element("description")
    for text in description.split("\n"):
        SubElement(element, "p").text = text
    return parts(element, title)


def paragraphs(abstract: Element) -> str:
    """Return the paragraphs of an abstract, its heading left out."""
    texts = (block(one, breaks=_BREAKS, without=_NO_PROSE) for one in flow(abstract, _NO_PROSE) if one.tag != "heading")
    return "\n\n".join(filter(None, texts)) or line(abstract)


def numbered_claims(element: Element) -> tuple[str, ...]:
    """Return the claims one by one, also where a single element holds them all, each with its number."""
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
    """Return a claim's text; its own lines count where it holds no steps, as in a text that was only cut into lines."""
    if any(True for _ in children(text, "claim-text")):
        return [line(text, apart=_BREAKS, without=_NO_PROSE)]
    return "".join(text.itertext()).split("\n")


def _is_heading(text: str, *, numbered: bool) -> bool:
    """Return whether a paragraph reads as a heading; where most paragraphs are numbered, a short one without is one."""
    if not 0 < len(text) <= _HEADING_CHARACTERS or text.endswith((".", ";", ",")) or _NUMBER.match(text):
        return False
    return bool(numbered or text.isupper() or PATENT_HEADING.fullmatch(text))


def flow(element: Element | None, without: Collection[str] = ()) -> Iterator[Element]:
    """Yield headings and paragraphs in reading order, whatever they are wrapped in; not in elements named `without`."""
    for child in element if element is not None else ():
        if child.tag in ("heading", "p", "paragraph"):
            yield child
        elif child.tag not in without:
            yield from flow(child, without)
