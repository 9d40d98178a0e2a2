"""What works are numbered by: DOI, arXiv, PubMed, PubMed Central and patent numbers, how they look, and their pages.

A number may stand behind what leads to it: "doi:", "https://dx.doi.org/", "arXiv:", "PMID", the address of a page. The
functions read a text that is a number. Who looks for one in a longer text decides where it ends, and builds its pattern
from the pieces here, which are read without regard to letter case.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from engine.documents.document import Identifier
from engine.documents.patents import patent_id
from engine.documents.text import one_line

DOI = r"10\.\d{4,9}/"
"""How a DOI begins; any character may follow, so where it ends depends on what it stands in."""

ARXIV = r"(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})"
"""A preprint's number since 2007, or its archive and number before, without a version."""

PUBMED = r"\d{1,9}"
"""A number of PubMed's; one of PubMed Central's has "PMC" before it."""

PATENT = r"[A-Z]{2}[A-Z]{0,2}\d{4,13}"
"""A patent's number without blanks and marks: its office, letters such as RE, and digits; its kind may follow."""

PATENT_KIND = r"[A-Z]\d?"

ORCID = r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]"
"""A number of a researcher, not of a work."""

_HTTP = r"(?:https?://)?(?:www\.)?"
DOI_PAGE = rf"{_HTTP}(?:dx\.)?doi\.org/"
ARXIV_PAGE = rf"{_HTTP}(?:arxiv\.org|ar5iv(?:\.labs\.arxiv)?\.org)/(?:abs|pdf|html|ps|format)/"
PUBMED_PAGE = rf"{_HTTP}(?:ncbi\.nlm\.nih\.gov/)?pubmed(?:\.ncbi\.nlm\.nih\.gov)?/"
BEFORE_DOI = rf"(?:(?:doi\s*+[:=]?\s*+)?{DOI_PAGE}|doi\s*+[:=]?\s*+)"
BEFORE_ARXIV = rf"(?:{ARXIV_PAGE}|arxiv\s*+:?\s*+)"
BEFORE_PUBMED = rf"(?:{PUBMED_PAGE}|(?:pmid|pubmed(?: id)?)\s*+:?\s*+)"
"""What leads to a number: a page's address, or what the number is called, with or without a colon."""

_PMC_PAGE = rf"{_HTTP}(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/"
_END = r"(?:[/?#]\S*)?"
_DOI = re.compile(rf"{BEFORE_DOI}?({DOI}\S+)", re.IGNORECASE)
_ARXIV_DOI = rf"{BEFORE_DOI}?10\.48550/arxiv\."
_ARXIV = re.compile(
    rf"(?:{BEFORE_ARXIV}|{_ARXIV_DOI})?(({ARXIV})(?:v\d+)?)(?:\.pdf)?/?(?:\s*\[[\w.-]+\])?", re.IGNORECASE
)
_PUBMED = re.compile(rf"({BEFORE_PUBMED})?({PUBMED})(?(1){_END})", re.IGNORECASE)
_PMC = re.compile(rf"((?:{_PMC_PAGE})?PMC\s?)?({PUBMED})(?:\.\d{{1,2}})?(?(1){_END})", re.IGNORECASE)
_PATENT = re.compile(rf"{PATENT}(?:{PATENT_KIND})?")
_LONGEST_PATENT = 40


def doi_number(text: str) -> str:
    """Return a DOI without what leads to it; empty where the text does not begin with one."""
    match = _DOI.match(one_line(text))
    return match[1].rstrip(".,;") if match is not None else ""


def arxiv_number(text: str) -> str:
    """Return the number of a preprint, also in its DOI, without its version and subject; empty for any other text."""
    match = _ARXIV.fullmatch(one_line(text))
    return match[2] if match is not None else ""


def pubmed_number(text: str) -> str:
    """Return the digits of a number of PubMed's; empty for any other text."""
    match = _PUBMED.fullmatch(one_line(text))
    return match[2] if match is not None else ""


def pubmed_identifiers(text: str) -> tuple[Identifier, ...]:
    """Return PubMed's number as a document's identifier, beside what the document is named by; none without one."""
    number = pubmed_number(text)
    return (Identifier("pmid", number),) if number else ()


def numbers_beside(id_: str, doi: str, arxiv: str) -> tuple[Identifier, ...]:
    """Return a DOI and a preprint's number as identifiers, without the one that a document is named by."""
    given = (Identifier("doi", doi), Identifier("arxiv", arxiv))
    return tuple(one for one in given if one.value and id_.lower() != f"{one.scheme}:{one.value}".lower())


def pmc_number(text: str) -> str:
    """Return a number of PubMed Central's as it names a work, PMC7599108, without a version; empty for other texts."""
    match = _PMC.fullmatch(one_line(text))
    return f"PMC{match[2]}" if match is not None else ""


def patent_number(text: str) -> str:
    """Return a patent's number without blanks and marks, US8930553B2; empty for any other text."""
    compact = re.sub(r"[\s,./-]", "", text[:_LONGEST_PATENT]).upper()
    return compact if _PATENT.fullmatch(compact) else ""


def doi_url(doi: str) -> str:
    """Return the page of a DOI; empty without one, as for the others."""
    return f"https://doi.org/{doi}" if doi else ""


def arxiv_url(number: str) -> str:
    """Return the page of a preprint."""
    return f"https://arxiv.org/abs/{number}" if number else ""


def pubmed_url(number: str) -> str:
    """Return the page of a record of PubMed's."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{number}/" if number else ""


def pmc_url(number: str) -> str:
    """Return the page of an article of PubMed Central's, by its number with "PMC"."""
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{number}/" if number else ""


_CALLED = {
    "doi": "DOI",
    "arxiv": "arXiv number",
    "pmid": "PubMed number",
    "pmc": "PubMed Central number",
    "patent": "patent number",
}
_MOST_CHARACTERS = 300
_PATENT_PAGE = re.compile(
    rf"{_HTTP}(?:patents\.google\.com/patent/|lens\.org/lens/search/patent/\S*?publication_key=)"
    rf"([A-Z]{{2}})([A-Z]{{0,2}}\d{{4,13}})([A-Z]\d?)?{_END}",
    re.IGNORECASE,
)
_SPELT_US = re.compile(r"\A(?:U\.\s?S\.?|United States)(?=[\s\d])", re.IGNORECASE)
_SURE_DIGITS = 5
_OFFICE = r"US|EP|WO|JP|DE|GB|FR|CN|KR|CA|AU|CH|AT|ES|IT|NL|SE|RU|IN|BR|TW"
_PRINTED_PATENT = re.compile(
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
    """Return a number with what it is: "DOI 10.1000/182"."""
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


def _doi(text: str) -> Identifier | None:
    match = _DOI.fullmatch(text)
    return Identifier("doi", unquote(match[1])) if match is not None else None


def _preprint(text: str) -> Identifier | None:
    match = _ARXIV.fullmatch(text)
    return Identifier("arxiv", match[1]) if match is not None else None


def _in_pubmed(text: str) -> Identifier | None:
    """Read a number of PubMed's or PubMed Central's; digits alone may be anything."""
    for scheme, pattern in (("pmid", _PUBMED), ("pmc", _PMC)):
        match = pattern.fullmatch(text)
        if match is not None and match[1]:
            return Identifier(scheme, match[2])
    return None


def _patent_page(text: str) -> Identifier | None:
    match = _PATENT_PAGE.fullmatch(text)
    return _patent_of(match[1], match[2], match[3]) if match is not None else None


def _patent(text: str) -> Identifier | None:
    match = _PRINTED_PATENT.fullmatch(_SPELT_US.sub("US", text))
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


_READERS = (_doi, _preprint, _in_pubmed, _patent_page, _patent, _bare_us_patent)
