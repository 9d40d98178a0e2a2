"""What every patent format shares: numbers, classification codes, claims, names and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NUMBER = re.compile(r"([A-Z]{0,2})(\d++)")
_SYMBOL = re.compile(r"([A-HY]\d{2}[A-Z])\s*(\d{1,4})\s*/\s*(\d{2,6})")
_CLAIM_NUMBER = re.compile(r"\s*\d+(?:\s*[-–]\s*\d+)?\s*[.)]\s*")
_CANCELLED = re.compile(
    r"\s*+(?:claims?\s++)?(?:(?P<first>\d{1,4})\s*+[.)]?\s*+(?:(?:[-–—]|to|through|and)\s*+(?P<last>\d{1,4})\s*+)?[.):]?\s*+)?"
    r"[(\[]?\s*+(?:previously\s++)?cancell?ed\s*+(?:without prejudice\s*+)?[)\]]?\s*+\.?\s*+",
    re.IGNORECASE,
)
_MOST_CANCELLED = 999  # at once; a longer range is a misprint


def patent_id(country: str, number: str, kind: str) -> str:
    """A publication's id as offices and search sites write it, such as US8930553B2: no leading zeros.

    An application's number keeps the zeros after its year, so only a grant's are dropped.
    """
    compact = re.sub(r"[\s/,-]", "", number).upper()
    match = _NUMBER.fullmatch(compact)
    return (
        f"{country}{match[1]}{match[2].lstrip('0') or '0'}{kind}" if match is not None else f"{country}{compact}{kind}"
    )


def patent_url(identifier: str) -> str:
    """The page of a publication at Google Patents."""
    return f"https://patents.google.com/patent/{identifier}/en"


def application_family(country: str, number: str) -> str:
    """The family that an application's publication and its grant share; empty without a number."""
    digits = re.sub(r"\D", "", number)
    return f"{country}-application-{digits}" if digits else ""


def symbol(text: str) -> str:
    """An IPC or CPC code as the offices print it: `G06F 15/16`.

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
    """Codes as printed, each once, in the order of the file."""
    return tuple(dict.fromkeys(printed for code in codes if (printed := symbol(code))))


def claims(texts: Iterable[str]) -> Iterator[str]:
    """Claims without their numbers.

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


def cancelled(text: str) -> range:
    """The numbers of the claims that a text such as "1.-20. (canceled)" says are cancelled; 0 alone where it has none.

    Empty for any other text.
    """
    match = _CANCELLED.fullmatch(text)
    if match is None:
        return range(0)
    first = int(match["first"] or 0)
    last = int(match["last"] or first)
    return range(first, last + 1 if first <= last < first + _MOST_CANCELLED else first + 1)


def unnumbered(claim: str) -> str:
    """A claim without the number at its start."""
    match = _CLAIM_NUMBER.match(claim)
    return claim[match.end() :].strip() if match is not None else claim.strip()


def year(date: str) -> int | None:
    """The year of a date written as digits, 20150106; None for anything else."""
    match = re.match(r"\s*((?:1[789]|20)\d{2})", date)
    return int(match[1]) if match is not None else None
