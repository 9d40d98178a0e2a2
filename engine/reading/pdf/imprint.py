"""What a publisher prints around a paper: kinds of article, dates, rights, names of the journal, a DOI, a year."""

from __future__ import annotations

import re

from engine.documents.dates import RECENT_YEAR, SHORT_MONTH
from engine.documents.identifiers import BEFORE_DOI, DOI

_LABEL = re.compile(
    r"^(?:(?:free )?(?:full|open)[- ](?:text|access)(?: \w+)?|free (?:article|full text|access)|(?:mini|"
    r"systematic |invited |literature |narrative |scoping )?-?reviews?(?: article| paper)?|(?:original|regular|"
    r"research|short|full|brief|rapid|invited|survey|data|conference|technical|case|special|review|featured?|"
    r"contributed|position|software|methods?)(?: (?:original|research|scientific|length|clinical|"
    r"issue))?(?: (?:articles?|papers?|reports?|communications?|notes?|stud(?:y|ies)|research|contributions?|"
    r"letters?|resources?))?|letters?(?: to the editor)?|editorials?|perspectives?|comment(?:ary|aries)?|"
    r"view ?points?|opinions?|correspondence|reports?|articles?|essays?|technology|protocols?|"
    r"(?:author['’]?s? |accepted |final )?(?:manuscript|preprint|post-?print)|(?:pre-?proof|early view|"
    r"in press|check for updates|peer[- ]reviewed|available online|downloaded from|creative commons|"
    r"under review|research highlights?|graphical abstract|book chapter|chapter \w+|technical report|"
    r"working paper|discussion paper|meta-analysis))$",
    re.IGNORECASE,
)
"""What journals print above a title: the kind of article, and who may read it."""
_KIND = re.compile(
    r"^\W{0,3}(?:[\w'’-]{1,30} ){0,3}(?:articles?|reports?|letters?|reviews?|communications?|papers?|research|preprint|"
    r"manuscript|(?:previously )?published works?|(?:open|public|free|full) access|online)(?: summary)?\W{0,3}$",
    re.IGNORECASE,
)
_ACCESS = re.compile(r"(?<!\s)\s{0,9}[|•·]\s{0,9}|(?<!\s)\s{1,9}(?:open access|open|free)$", re.IGNORECASE)
_AFTER_ABSTRACT = re.compile(
    r"^(?:ccs concepts|acm reference format|categories and subject descriptors|general terms|pacs\b|msc\b|"
    r"jel (?:classification|codes?)\b|(?:\d{4} )?(?:mathematics )?subject classification|how to cite|"
    r"cite (?:this|as)\b|to cite this|(?:article )?history\s*:|article info|highlights\s*$|abbreviations\s*:|"
    r"(?:first |date )?(?:received|submitted|revised|accepted|published(?: online)?|available online)\b\s*+:?\s*+"
    rf"(?:on\s|\d|{SHORT_MONTH}|$)|(?:doi\s*:|https?:|www\.)\s*+\S+$|"
    r"\W{0,2}\s?(?:corresponding author|correspondence|e-?mail(?: address(?:es)?)?)\b|"
    r"(?:academic |handling |reviewing )?editors?\s*:|editor [A-Z]|edited by|reviewed by|communicated by)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"^\W*(?:received|revised|accepted|published|available online|check for updates?|open access$|open$|citation\s*:|"
    r"competing interests?|conflicts? of interest|funding|for correspondence|author contributions?|"
    r"author affiliations?|publisher['’]s note|copyright|licensee|data availability|article info)",
    re.IGNORECASE,
)
"""What stands in a narrow column beside a first page's text, or below it."""
_SUBJECTS = re.compile(r"^(?i:subjects?(?: areas?| terms| categories)?)(?:\s*+:)?\s++[A-Z]")
_REGISTERED = r"clinicaltrials\.gov|\bNCT\d{8}|\bISRCTN\d|prospero\b"
_CLOSES = re.compile(
    r"^\(?(?i:(?:primary |source of )?funding(?: sources?)?|"
    r"(?:(?:clinical |systematic )?(?:trial|study|review) )?registration(?: numbers?)?)(?:\s*+[:.)]|\s++[A-Z\d(]|$)|"
    rf"^(?i:\(?funded by|\(supported by|\(?(?:{_REGISTERED}))"
)
"""Who paid for a study, or where it is registered, which stands below an abstract in medicine."""
_CLOSED = re.compile(
    rf"\((?:[^()]{{0,200}}\s)?(?:funded by|supported by|{_REGISTERED})[^()]{{0,300}}\)\.?$", re.IGNORECASE
)
"""The same in brackets at the end of an abstract's last paragraph."""
NOTICE = re.compile(
    r"^\[?(?:permission to (?:make|copy)|this article (?:was|is) (?:published|available)|"
    rf"©|\(c\) ?{RECENT_YEAR}|copyright\b|all rights reserved|open access\b|"
    r"(?:this|the) (?:is an open[- ]access|(?:work|article|paper|document|material) (?:is|has been) (?:\w+ ){0,4}"
    r"(?:licen[sc]ed|distributed|made available|published) under)|distributed under|published by\b|licensee\b|"
    r"the author\(?s?\)? (?:\d{4}|retain))",
    re.IGNORECASE,
)
"""A notice of rights beside an abstract, which is not part of it."""
_DOI = re.compile(rf"\b{BEFORE_DOI}\s*+({DOI}[^\s\"<>]{{1,300}}+)(?![^\s\"<>])", re.IGNORECASE)
_BARE_DOI = re.compile(rf"(?<![\w./])({DOI}[^\s\"<>]{{1,300}}+)(?![^\s\"<>])", re.IGNORECASE)
_EMPTY_DOI = re.compile(r"^[^/]*+/[^0-9]*+0[^1-9]*+$|nnn|xxx")
"""A DOI that a template leaves to be filled in."""
_MONTH = rf"{SHORT_MONTH}\w{{0,9}}+"
_NUMERAL = rf"\b({RECENT_YEAR})\b(?!\.\d)"
_YEARS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:published(?: online)?|publication date|posted|(?:first|available) online)(?:[^\n]{{0,30}}?|\s{{0,3}})"
        rf"{_NUMERAL}",
        rf"(?:\bvol(?:ume)?\b|proceedings|\bno\.)[^\n]{{0,60}}?{_NUMERAL}",
        rf"{_NUMERAL},? ?[;,:] ?\d{{1,4}}(?: ?\(\d{{1,4}}\)| ?:)",
        rf"\d{{1,4}}(?: ?\(\d{{1,4}}\))?,? \({_NUMERAL}\)",
        rf"\({_NUMERAL}\),? ?\d{{1,4}}\b",
        rf"{_NUMERAL},? (?:vol|{_MONTH}\b)",
        rf"(?:©|\(c\)|copyright)[^\n]{{0,30}}?{_NUMERAL}",
        rf"(?<!received )(?<!revised )(?<!accepted )(?<!submitted )\b{_MONTH}[^\n]{{0,12}}?{_NUMERAL}",
        rf"(?:accepted|revised|arxiv|received|submitted)[^\n]{{0,40}}?{_NUMERAL}",
        rf"{_MONTH}[^\n]{{0,30}}?{_NUMERAL}",
        rf"(?<![\w/-])({RECENT_YEAR})[-/]\d\d[-/]\d\d(?![\w/-])",
    )
]
"""Where a first page gives its year: publication before a volume, a volume before a month, receipt last."""
_RECEIPT = re.compile(
    r"(?:received|submitted|revised|accepted|resubmitted|available in pmc)\b[^\n;|]{0,40}", re.IGNORECASE
)
JOURNAL = re.compile(
    r"^(?:(?:the )?(?:\w+ ){0,3}journal(?:of\w*)?\b|proceedings|transactions|annals|bulletin|letters|ieee\b|"
    r"acm\b|vol(?:ume)?\b|research article|original (?:article|paper|research)|review(?: article)?$|"
    r"arxiv|preprint|technical report|open access|contents lists available)",
    re.IGNORECASE,
)


def doi_of(text: str) -> str:
    """Return the only DOI that a page prints as such; nothing for none or several."""
    return _only_doi(_DOI, text)


def bare_doi_of(text: str) -> str:
    """Return the only DOI of a page's head and foot, which may stand there without its name."""
    return _only_doi(_BARE_DOI, text)


def _only_doi(pattern: re.Pattern[str], text: str) -> str:
    found = {match.rstrip(".,;:)]}'\"”").lower() for match in pattern.findall(text)}
    return found.pop() if len(found) == 1 and not any(map(_EMPTY_DOI.search, found)) else ""


def year_of(text: str) -> int | None:
    """Return the year that a first page gives with its publication, else its volume or month, else its receipt."""
    without = _RECEIPT.sub("", text)
    match = next((match for pattern in _YEARS if (match := pattern.search(without))), None)
    receipts = (pattern.finditer(text) for pattern in _YEARS)
    years = [int(match[1])] if match else [int(one[1]) for found in receipts for one in found]
    return max(years, default=None)


def is_mark(text: str) -> bool:
    """Tell whether a line is what journals print above a title: the kind of an article, or who may read it."""
    parts = [part for part in _ACCESS.split(text.strip()) if part]
    return not parts or any(_LABEL.match(part) or _KIND.match(part) for part in parts)


def is_beside(text: str) -> bool:
    """Tell whether a line is what publishers set beside a first page's text: dates, rights, editors, a citation."""
    return bool(_BESIDE.match(text) or NOTICE.match(text)) or ends_abstract(text)


def ends_abstract(text: str) -> bool:
    """Whether a block after an abstract does not belong to it: classes, dates, addresses."""
    return bool(_AFTER_ABSTRACT.match(text) or _SUBJECTS.match(text))


def closes_abstract(text: str) -> bool:
    """Whether a paragraph begins with who paid for a study or where it is registered: the abstract ends above it."""
    return bool(_CLOSES.match(text))


def is_closed(text: str) -> bool:
    """Whether a paragraph ends with the same in brackets: the abstract ends with it."""
    return bool(_CLOSED.search(text))


def is_notice(text: str) -> bool:
    """Whether a block is a notice of rights, dates, or an address, which no abstract is."""
    words = text.split()
    named = sum(1 for word in words if word[:1].isupper())
    return bool(NOTICE.match(text)) or ends_abstract(text) or named > 0.5 * len(words)
