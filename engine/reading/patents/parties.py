"""Inventors, applicants and owners in the EPO's records, which spell each of them several times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element

from engine.reading.patent_fields import first_of_each
from engine.reading.xml.tree import find_line, line

_SPELLINGS = ("original", "intermediate", "", "docdba", "docdb", "epodoc", "epo")
"""The best first: as they stand on the publication, cleaned, or in the EPO's capitals."""
_COUNTED = ("epodoc", "epo", "docdb")
"""Spellings that name each party once; the others may repeat one with another letter."""
_OFFICE = re.compile(r"(?:(?<!\s)\s++)?\[[A-Z]{2}\]\s*+$")
_NOT_NAMED = re.compile(r"designation of (?:the )?inventor|not (?:yet )?been (?:filed|named)|waived", re.IGNORECASE)
_TITLE = re.compile(
    r"(?:(?:dr|prof|ing|dipl|phil|rer|nat|med|habil|phd|mag|msc|bsc|chem|phys|pharm)\b[-.\s]*+)++", re.IGNORECASE
)
_SUFFIX = re.compile(r"(?:jr|sr)\.?|I{1,3}|IV", re.IGNORECASE)


def parties(front: Element, role: str) -> tuple[str, ...]:
    """The names of a role ("inventor", "applicant", "assignee"), in the spelling that names most, or the best of those.

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
    """Applicants without those who are inventors, as they had to be in the United States until 2012."""
    persons = {_words(name) for name in inventors}
    return tuple(name for name in applicants if _words(name) not in persons)


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name.lower()))


def _name(party: Element) -> str:
    """A name as it stands, without its office: "9SOLUTIONS OY [FI]" is 9SOLUTIONS OY."""
    book = next((one for one in party if one.tag in ("addressbook", f"{party.tag}-name")), party)
    parts = (find_line(book, tag) for tag in ("first-name", "middle-name", "last-name"))
    whole = find_line(book, "name") or find_line(book, "orgname") or " ".join(filter(None, parts)) or line(book)
    name = _OFFICE.sub("", whole).strip(" ,;")
    return "" if _NOT_NAMED.search(name) else name


def person(name: str) -> str:
    """A name in the order of speech, without titles, where the EPO writes the surname first."""
    if name.isupper() and name.count(" ") == 1 and not re.search(r"[.,]", name):
        name = name.replace(" ", ", ")  # where the EPO writes a name in capitals, the surname comes first
    last, *given = (part.strip() for part in name.split(","))
    words = [*(one for one in given if not (_TITLE.fullmatch(one) or _SUFFIX.fullmatch(one))), last]
    words += [one for one in given if _SUFFIX.fullmatch(one)]
    return " ".join(_cased(words))


def _cased(words: Iterable[str]) -> Iterator[str]:
    """Words with capitals at their beginnings only, where they are in capitals throughout."""
    for word in filter(None, words):
        yield word.title() if word.isupper() and not _SUFFIX.fullmatch(word) else word
