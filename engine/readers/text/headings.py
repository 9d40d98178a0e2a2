"""Which lines of a plain text are headings, by words, numbers and capitals, without fonts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.text import one_line

Role = Literal["front", "title", "abstract", "keywords", "body", "claims", "references"]
"""The role of the lines after a heading."""

_MAX_WORDS = 14
_NAMED = re.compile(
    r"(?:introduction|background|motivation|preliminaries|overview|related works?|previous works?|prior art|"
    r"literature review|(?:materials? and |patients and |study )?methods?|methods and materials|methodology|"
    r"experiments?|experimental (?:setup|section|results|procedures?)|evaluation|results?|findings|"
    r"results and discussions?|(?:general )?discussions?|discussion and conclusions?|conclusions?|"
    r"conclusions? and (?:future work|outlook)|concluding remarks|limitations|future work|outlook|"
    r"acknowledge?ments?|funding|appendix(?: [A-Z\d])?(?:\s*[.:–—-]\s.*)?|appendices|data availability(?: statement)?|"
    r"(?:supplementary|supporting) (?:materials?|information)|author contributions|competing interests|"
    r"conflicts? of interest(?: statement)?|ethics statement|nomenclature|notation|description|specification|summary)"
    r"\s*:?",
    re.IGNORECASE,
)
PATENT_HEADING = re.compile(
    r"(?:(?:technical )?field(?: of (?:the )?(?:invention|disclosure|art))?|background(?: art| of (?:the )?invention)|"
    r"(?:brief )?summary of (?:the )?(?:invention|disclosure)|disclosure of (?:the )?invention|"
    r"(?:brief )?description of (?:the )?(?:several views of the )?(?:drawings?|figures?)(?: .*)?|"
    r"detailed description(?: of .*)?|description of (?:the )?(?:preferred|related|invention|embodiments?).*|"
    r"cross[- ]?references? to related .*|statement (?:regarding|as to) federally .*|best mode.*|"
    r"industrial applicability)\s*:?",
    re.IGNORECASE,
)
_RUN_IN = r"\s*(?:[:.]|\s[-–—]|—)\s*"
_TITLE = re.compile(r"title\s*:\s*(?P<rest>\S.*)", re.IGNORECASE)
_ABSTRACT = re.compile(
    rf"(?:abstract(?: of the (?:disclosure|invention))?)(?:{_RUN_IN}(?P<rest>.*)|\s*)", re.IGNORECASE
)
_ABSTRACT_BARE = re.compile(r"(?:Abstract|ABSTRACT)\s+(?P<rest>(?=[A-Z])(?:\S+\s+){8}.*)")
_KEYWORDS = re.compile(rf"(?:key ?words?(?: and phrases)?|index terms)(?:{_RUN_IN}(?P<rest>.*)|\s*)", re.IGNORECASE)
_REFERENCES = re.compile(
    r"(?:references(?: and notes| cited)?|bibliography|(?:literature|works) cited|reference list)\s*:?", re.IGNORECASE
)
_OWN_NUMBER = re.compile(r"(?:\d{1,2}|[IVX]{1,5})[.)]?\s+")
_APPENDIX = re.compile(r"(?:Appendix\s+[A-Z]\b[.:]?|[A-H][.)]?)\s+[A-Z][^.,;:\d]{2,80}")
_CANCELLED = r"\d{1,4}\W{1,6}cancell?ed"
_CLAIMS = re.compile(
    r"(?P<sure>.*\bwhat (?:is|we|i) claim(?:ed)?\b[^.]*?|(?:i|we) claim|.*\bis claimed (?:is|are defined as follows)|"
    r"(?:the )?(?:invention )?claimed is|claims?|patent claims|the claims)\s*[:.]?\s*"
    rf"(?P<rest>1\s*(?:[.)]\s|[.)]?\s*[-–—]\s*{_CANCELLED}).*)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:(?:section|chapter|appendix)\s+)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-H](?=[.)])|[A-H]\.\d{1,2})"
    r"(?P<mark>[.):]?)\s+(?P<title>[^\W\d_].*)"
)
_RUN_IN_NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+(?P<title>[A-Z][^.?!]{2,60})\.\s+(?P<rest>[A-Z].{9,})"
)
_CAPTION = re.compile(r"(?:fig(?:ure|\.)?|table|algorithm|listing|scheme|chart)\s*\d", re.IGNORECASE)
_FORMULA = re.compile(r"[\\{}=<>|←→∈∑≤≥]")
_NUMBER = re.compile(r"(?:(?P<top>\d{1,2})(?:\.\d{1,2})*[.)]?|[IVX]{1,5}\.)(?=\s+[^\W\d_])")
_CLAIM_START = re.compile(rf"(?:claims?\s+)?1\s*(?:[.)]\s*\S|(?:[-–—]|to|through|and)\s*{_CANCELLED})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: what follows it is for `role`; `rest` is text on its own line, `number` the number it carries."""

    title: str
    role: Role = "body"
    rest: str = ""
    number: str = ""

    @property
    def whole(self) -> str:
        """The heading as it is written, with its number."""
        return f"{self.number} {self.title}" if self.number else self.title


class Marked:
    """The headings that a file marks, added in reading order, so that counting reveals section numbers."""

    def __init__(self) -> None:
        """Start without headings."""
        self._found: list[tuple[Heading, int]] = []
        self._last = 0

    def add(self, text: str, level: int) -> Heading:
        """The next heading, with its role by its words; its section number is left out of its title."""
        whole = one_line(text)
        match = _NUMBER.match(whole)
        number = match[0] if match is not None else ""
        if number.isdecimal() and not self._counts_on(int(number), whole[len(number) :].strip()):
            number = ""  # "10 Simple Rules" are ten rules
        elif match is not None and match["top"]:
            self._last = int(match["top"])
        heading = _of_title(whole[len(number) :].strip(), number)
        self._found.append((heading, level))
        return heading

    @property
    def title(self) -> str:
        """The document's title: the first heading, if of the first level or alone at the top, and no section's name."""
        if not self._found or self._found[0][0].role != "body" or is_named(self._found[0][0].title):
            return ""
        (first, level), others = self._found[0], self._found[1:]
        beside = [heading for heading, other in others if other == level]
        if any(other < level for _, other in others) or (level != 1 and beside):
            return ""
        inner = f"{first.number.rstrip('.)')}."
        counted = any(one.number for one in beside) or any(one.number.startswith(inner) for one, _ in others)
        return first.title if counted else first.whole

    def _counts_on(self, number: int, title: str) -> bool:
        """Whether a bare number is a section's: it follows the last one, or stands before a section's usual name."""
        role = _of_title(title, "").role
        return number in (1, self._last, self._last + 1) or role != "body" or is_named(title)


def find(lines: Sequence[str], at: int, within: Role) -> Heading | None:
    """The heading at a line, if it is one; `within` is the role of the stretch that it would end."""
    text = lines[at].strip()
    if not text or len(text) > 4000:
        return None
    return _by_word(lines, at, within) or _run_in(text, within) or _by_look(lines, at, within)


def _of_title(title: str, number: str) -> Heading:
    """A heading that the file marks as one, with its role by its words."""
    role = find([title, "1. A"], 0, "body")
    if role is None or role.role in ("body", "title"):
        return Heading(title, number=number)
    return Heading(title, role.role, number=number)


def _by_word(lines: Sequence[str], at: int, within: Role) -> Heading | None:
    """A heading told by its words: abstract, keywords, references, claims."""
    text = lines[at].strip()
    plain = _without_number(text)
    if match := _ABSTRACT.fullmatch(plain) or (_ABSTRACT_BARE.fullmatch(plain) if at else None):
        return Heading("Abstract", "abstract", match["rest"] or "")
    if match := _KEYWORDS.fullmatch(text):
        return Heading("Keywords", "keywords", match["rest"] or "")
    if _REFERENCES.fullmatch(plain):
        return Heading(plain.rstrip(": "), "references")
    if within != "claims" and len(text) < 400 and (match := _CLAIMS.fullmatch(text)):
        if match["rest"] or _CLAIM_START.match(_next(lines, at)):
            return Heading("Claims", "claims", match["rest"] or "")
    if within == "front" and (match := _TITLE.fullmatch(text)):
        return Heading("Title", "title", match["rest"])
    return None


def _run_in(text: str, within: Role) -> Heading | None:
    """A numbered heading with its text on the same line: `4.1.1 Data. We use ...`."""
    match = _RUN_IN_NUMBERED.fullmatch(text) if within not in ("claims", "references") else None
    if match is None or len(match["title"].split()) > 6:
        return None
    return Heading(match["title"], rest=match["rest"], number=match["number"])


def _by_look(lines: Sequence[str], at: int, within: Role) -> Heading | None:
    """A heading told by a known name, a number, or capitals, on a line that stands alone."""
    text = lines[at].strip()
    plain = _without_number(text)
    if len(text) > 120 or not _stands_alone(lines, at) or len(plain.split()) > _MAX_WORDS:
        return None
    number = text.split()[0].rstrip(".):") if plain != text else ""
    if is_named(plain):
        return Heading(plain.rstrip(": "), number=number)
    apart = not _line(lines, at - 1) and not _line(lines, at + 1)
    if within == "references" and apart and _APPENDIX.fullmatch(text):
        return Heading(text)
    if within in ("claims", "references") or text.endswith((".", ",", ";", ":")):
        return None
    if _CAPTION.match(text) or _FORMULA.search(text) or "@" in text:
        return None
    if number:
        return Heading(plain, number=number) if plain[:1].isupper() else None
    if within == "front":
        return None
    titled = apart and within == "body" and _is_titled(text) and len(text.split()) <= 8
    return Heading(text) if titled or _is_capitals(text) else None


def is_named(title: str) -> bool:
    """Whether a heading is one of the names that papers and patents give their sections."""
    return bool(_NAMED.fullmatch(title) or PATENT_HEADING.fullmatch(title))


def _without_number(text: str) -> str:
    """A heading's text without its number: `2.1. Method` and `IV. METHOD` give the name."""
    match = _NUMBERED.fullmatch(text)
    if match is None or (match["number"][0].isalpha() and not match["mark"]):
        return text
    return match["title"].strip()


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    """Whether neither the line before nor the one after runs through this line."""
    above, below = _line(lines, at - 1), _line(lines, at + 1)
    ends_above = not above or above[-1] in '.!?:;)]"”' or len(above) < 50
    begins_below = not below or not below[0].islower()
    return ends_above and begins_below


def _is_capitals(text: str) -> bool:
    """Whether a line is in capitals and more than initials: the head of a table is short words only."""
    letters = [character for character in text if character.isalpha()]
    longest = max(map(len, re.findall(r"[^\W\d_]+", text)), default=0)
    return len(letters) >= 8 and longest >= 5 and len(text.split()) <= 10 and text == text.upper()


def _is_titled(text: str) -> bool:
    """Whether a line reads as a heading: a capital first, no sentence's end, no list of names."""
    return text[:1].isupper() and text[-1].isalnum() and text != text.upper() and not re.search(r"[@,;]|https?:", text)


def _line(lines: Sequence[str], at: int) -> str:
    return lines[at].strip() if 0 <= at < len(lines) else ""


def _next(lines: Sequence[str], at: int) -> str:
    """The next line that is not blank."""
    return next((line.strip() for line in lines[at + 1 : at + 6] if line.strip()), "")


def is_reference_list(title: str) -> bool:
    """Whether a section's title, with or without its number, is that of a reference list."""
    return _REFERENCES.fullmatch(_OWN_NUMBER.sub("", title.strip(), 1)) is not None
