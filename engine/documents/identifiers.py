"""Knows a text that is nothing but a work's number, a DOI, arXiv's, PubMed's or a patent's, or its page's address."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from engine.documents.document import Identifier
from engine.documents.patents import patent_id

_CALLED = {
    "doi": "DOI",
    "arxiv": "arXiv number",
    "pmid": "PubMed number",
    "pmc": "PubMed Central number",
    "patent": "patent number",
}

_MOST_CHARACTERS = 300
_HTTP = r"(?:https?://)?(?:www\.)?"
_END = r"(?:[/?#]\S*)?"
_DOI = re.compile(rf"(?:{_HTTP}(?:dx\.)?doi\.org/|doi\s?:?\s?)?(10\.\d{{4,9}}/\S+)", re.IGNORECASE)
_ARXIV = re.compile(
    rf"(?:{_HTTP}arxiv\.org/(?:abs|pdf|html|ps)/|arxiv\s?:?\s?)?"
    r"((?:[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d{1,3})?)(?:\.pdf)?/?",
    re.IGNORECASE,
)
_PMID = re.compile(rf"(?:{_HTTP}pubmed\.ncbi\.nlm\.nih\.gov/|(?:pmid|pubmed)\s?:?\s?)(\d{{1,9}}){_END}", re.IGNORECASE)
_PMC = re.compile(
    rf"(?:{_HTTP}(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/)?PMC\s?(\d{{1,9}}){_END}", re.IGNORECASE
)
_PATENT_PAGE = re.compile(
    rf"{_HTTP}(?:patents\.google\.com/patent/|lens\.org/lens/search/patent/\S*?publication_key=)"
    rf"([A-Z]{{2}})([A-Z]{{0,2}}\d{{4,13}})([A-Z]\d?)?{_END}",
    re.IGNORECASE,
)
_SPELT_US = re.compile(r"\A(?:U\.\s?S\.?|United States)(?=[\s\d])", re.IGNORECASE)
_SURE_DIGITS = 5
_OFFICE = r"US|EP|WO|JP|DE|GB|FR|CN|KR|CA|AU|CH|AT|ES|IT|NL|SE|RU|IN|BR|TW"
_PATENT = re.compile(
    rf"(?P<office>{_OFFICE})(?:[\s.-]?(?:pat(?:ent)?|appl(?:ication)?|publ?(?:ication)?)\b\.?)?(?:\s?nos?\.?)?[\s.-]{{0,2}}"
    r"(?P<number>[A-Z]{0,2}\d{1,4}(?:[\s,./-]?\d{1,7}){0,3})[\s.-]?(?P<kind>[ABCEHPSTUY]\d?)?",
    re.IGNORECASE,
)
_BARE_US = re.compile(
    r"(?:pat(?:ent)?\b\.?\s?)?(?:nos?\b\.?\s?)?"
    r"(?P<number>\d{1,2},\d{3},\d{3}|\d{2,3},\d{3}|\d{6,8}|20\d{2}/?\d{7}|(?:RE|PP|D)\s?\d{2,4},?\d{3})"
    r"[\s.-]?(?P<kind>[ABCEHPS]\d?)?",
    re.IGNORECASE,
)
_BARE_DIGITS = range(1_000_000, 15_000_000)
"""Seven or eight digits alone that may be a US grant: 20261231 is a day, and so is most of what is beyond."""


def spoken(number: Identifier) -> str:
    """A number with what it is: "DOI 10.1000/182"."""
    return f"{_CALLED[number.scheme]} {number.value}"


def asked_number(text: str) -> Identifier | None:
    """Return the number that a text consists of, however it is spelt; None where it says more, or something else.

    A patent's number without its office is taken for a US one where it is written as one: with its commas or its kind
    ("8,930,553", "223898A"), as an application ("2015/0123456"), or with as many digits as today's grants ("10123456").
    """
    text = text.strip().strip("<>\"'.,;").strip()
    if not text or len(text) > _MOST_CHARACTERS or "\n" in text:
        return None
    return next((found for read in _READERS if (found := read(text)) is not None), None)


def _of_one(scheme: str, pattern: re.Pattern[str]) -> Callable[[str], Identifier | None]:
    def read(text: str) -> Identifier | None:
        match = pattern.fullmatch(text)
        return Identifier(scheme, unquote(match[1])) if match is not None else None

    return read


def _patent_page(text: str) -> Identifier | None:
    match = _PATENT_PAGE.fullmatch(text)
    return _patent_of(match[1], match[2], match[3]) if match is not None else None


def _patent(text: str) -> Identifier | None:
    match = _PATENT.fullmatch(_SPELT_US.sub("US", text))
    if match is None:
        return None
    office, number, kind = match["office"], match["number"], match["kind"] or ""
    if sum(map(str.isdigit, number)) < _SURE_DIGITS and (office.islower() or (number.isdecimal() and not kind)):
        return None  # "in 2015" and the like
    return _patent_of(office, number, kind)


def _bare_us_patent(text: str) -> Identifier | None:
    match = _BARE_US.fullmatch(text)
    if match is None:
        return None
    number, kind = match["number"], match["kind"]
    if number.isdecimal() and len(number) <= 8 and not kind and int(number) not in _BARE_DIGITS:
        return None
    return _patent_of("US", number, kind)


def _patent_of(office: str, number: str, kind: str | None) -> Identifier:
    return Identifier("patent", patent_id(office.upper(), number, (kind or "").upper()))


_READERS = (
    _of_one("doi", _DOI),
    _of_one("arxiv", _ARXIV),
    _of_one("pmid", _PMID),
    _of_one("pmc", _PMC),
    _patent_page,
    _patent,
    _bare_us_patent,
)
