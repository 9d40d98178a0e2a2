"""What patents have in every format: numbers, dates, classification codes, claims, citations and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypedDict

from engine.documents.dates import day, year_in
from engine.documents.document import DateKind, Identifier, Reference

_NUMBER = re.compile(r"([A-Z]{0,2})(\d++)")
_SYMBOL = re.compile(r"([A-HY]\d{2}[A-Z])\s*(\d{1,4})\s*/\s*(\d{2,6})")
_CLAIM_NUMBER = re.compile(r"\s*\d+(?:\s*[-–]\s*\d+)?\s*[.)]\s*")
_NUMBERED = re.compile(r"(?:\A|\s)(\d{1,3})\s?[.)]\s+(?=[A-Z])")
_CANCELLED = re.compile(
    r"\s*+(?:claims?\s++)?(?:(?P<first>\d{1,4})\s*+[.)]?\s*+(?:(?:[-–—]|to|through|and)\s*+(?P<last>\d{1,4})\s*+)?[.):]?\s*+)?"
    r"[(\[]?\s*+(?:previously\s++)?cancell?ed\s*+(?:without prejudice\s*+)?[)\]]?\s*+\.?\s*+",
    re.IGNORECASE,
)
_MOST_CANCELLED = 999  # at once; a longer range is a misprint
_PCT_NUMBER = re.compile(r"(\d{2})(\d{5,6})")  # of applications before 2004, with two digits of the year
_FIRST_PCT_YEAR = 78
_SHORT_US_APPLICATION = re.compile(r"(20\d{2})(\d{6})")  # as the EPO writes it, without a zero after the year
_EP_DIGITS = 7

DESCRIPTION_GROUPS = {
    key: title
    for keys, title in (
        (("PARN", "RELAPP"), "Other Patent Relations"),
        (("GOVT", "GOVINT"), "Government Interest"),
        (("BSUM", "BRFSUM"), "Brief Summary"),
        (("DRWD", "DRWDESC"), "Brief Description of Drawings"),
        (("DETD", "DETDESC"), "Detailed Description"),
    )
    for key in keys
}
"""The groups of a description in the USPTO's formats before 2005, with the names that its XML since then gives them."""


class People(TypedDict):
    """The fields of a document that name who made a patent, and who owns it."""

    venue: str
    authors: tuple[str, ...]
    inventors: tuple[str, ...]
    assignees: tuple[str, ...]


def people(inventors: tuple[str, ...], assignees: tuple[str, ...]) -> People:
    """Return who made a patent and who owns it: its authors are its inventors, its venue is the first owner."""
    return People(venue=next(iter(assignees), ""), authors=inventors, inventors=inventors, assignees=assignees)


def patent_id(country: str, number: str, kind: str) -> str:
    """Return a publication's id as search sites write it, such as US8930553B2, EP0488701A1 or WO1995010353A1.

    An office's own spelling and the EPO's give the same id. A grant has no leading zeros; an application's number keeps
    the zeros after its year. Empty without a number.
    """
    compact = re.sub(r"[\s/,.-]", "", number).upper().removeprefix(country or "-")
    if country == "WO" and (match := _PCT_NUMBER.fullmatch(compact)) is not None:
        century = 19 if int(match[1]) >= _FIRST_PCT_YEAR else 20
        compact = f"{century}{match[1]}{match[2]:0>6}"
    elif country == "US" and kind.startswith("A") and (match := _SHORT_US_APPLICATION.fullmatch(compact)) is not None:
        compact = f"{match[1]}0{match[2]}"
    elif country == "EP" and compact.isdecimal():
        compact = f"{compact.lstrip('0'):0>{_EP_DIGITS}}"
    elif (match := _NUMBER.fullmatch(compact)) is not None and (country == "US" or not match[1]):
        compact = f"{match[1]}{match[2].lstrip('0') or '0'}"
    return f"{country}{compact}{kind}" if compact else ""


def sentence_case(title: str, language: str = "en") -> str:
    """Write a title in capitals throughout in small letters; not in German, whose nouns would lose their capital."""
    return title.capitalize() if title.isupper() and language != "de" else title


def patent_url(identifier: str) -> str:
    """Return the page of a publication at Google Patents; empty without a number."""
    return f"https://patents.google.com/patent/{identifier}/en" if identifier else ""


def application_family(country: str, number: str) -> str:
    """Return the family that an application's publication and its grant share; empty without a number."""
    digits = re.sub(r"\D", "", number)
    return f"{country}-application-{digits}" if digits else ""


def symbol(text: str) -> str:
    """Return an IPC or CPC code as the offices print it: `G06F 15/16`.

    Reads `G06F015/00` and `G06F 15/16` by their stroke, and `B60R  900` by its columns: four
    characters of subclass, three of main group, the rest is the subgroup.
    """
    text = " ".join(text.split()) if "/" in text else text.rstrip()
    match = _SYMBOL.fullmatch(text)
    if match is not None:
        return f"{match[1]} {int(match[2])}/{match[3]}"
    group, subgroup = text[4:7].strip(), text[7:].strip()
    if "/" not in text and group.isdecimal() and subgroup.isdecimal():
        return f"{text[:4]} {int(group)}/{subgroup:0<2}"
    return " ".join(text.split())


def symbols(codes: Iterable[str]) -> tuple[str, ...]:
    """Return codes as printed, each once, in the order of the file."""
    return tuple(dict.fromkeys(printed for code in codes if (printed := symbol(code))))


def claims(texts: Iterable[str]) -> Iterator[str]:
    """Yield claims without their numbers.

    A cancelled claim before others is an empty text, so that those keep their numbers; after the last it is left out.
    """
    count = places = 0
    for text in texts:
        if gone := cancelled(text):
            missing = gone.stop - 1 - count
            places = missing if places < missing <= places + _MOST_CANCELLED else places + 1
        elif claim := unnumbered(text):
            yield from [""] * places
            yield claim
            count, places = count + places + 1, 0


def numbered_claims(text: str) -> list[str]:
    """Return claims that stand in one text, cut at their numbers; the whole text where it has none."""
    starts: list[re.Match[str]] = []
    for match in _NUMBERED.finditer(text):
        if int(match[1]) == len(starts) + 1:
            starts.append(match)
    if not starts:
        return [text]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    return [text[match.end() : end] for match, end in zip(starts, ends, strict=True)]


def cancelled(text: str) -> range:
    """Return the numbers of the claims that a text such as "1.-20. (canceled)" takes back; 0 alone where it has none.

    Empty for any other text.
    """
    match = _CANCELLED.fullmatch(text)
    if match is None:
        return range(0)
    first = int(match["first"] or 0)
    last = int(match["last"] or first)
    return range(first, last + 1 if first <= last < first + _MOST_CANCELLED else first + 1)


def unnumbered(claim: str) -> str:
    """Return a claim without the number at its start."""
    match = _CLAIM_NUMBER.match(claim)
    return claim[match.end() :].strip() if match is not None else claim.strip()


def published(country: str, kind: str) -> DateKind:
    """Return what the day of a publication is, by the code of its kind: a grant's is the day of its grant."""
    if country == "US":
        return "published" if re.fullmatch(r"(?:A[129]|P[149]|H\d?)", kind) else "granted"
    return "granted" if kind[:1] in ("B", "C") else "published"


def cited_patent(country: str, number: str, kind: str, *, name: str = "", date: str = "") -> Reference:
    """Return a patent that another one cites; `name` is its inventor or applicant."""
    compact = re.sub(r"\s", "", number)
    printed = " ".join(filter(None, (country, compact.removeprefix(country or "-"), kind)))
    iso = day(date)
    return Reference(
        ", ".join(filter(None, (printed, name, iso))),
        authors=(name,) if name else (),
        year=year_in(date),
        identifiers=(Identifier("patent", patent_id(country, number, kind)),),
    )


def first_of_each(names: Iterable[str]) -> tuple[str, ...]:
    """Return names, each once whatever its capitals; one that is not all in capitals goes before one that is."""
    kept: dict[str, str] = {}
    for name in filter(None, names):
        key = re.sub(r"\W", "", name).lower()
        if key not in kept or (kept[key].isupper() and not name.isupper()):
            kept[key] = name
    return tuple(kept.values())
