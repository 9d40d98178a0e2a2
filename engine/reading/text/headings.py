"""Which lines of a plain text are headings, by words, numbers and capitals, without fonts.

A heading may begin with a number: `2.1.`, `IV.`, `Chapter 3`, and `一、` and `第2章`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.documents.people import has_address
from engine.documents.text import one_line
from engine.reading import heading_names

IDEOGRAPH = "[\u3041-\u30ff\u3400-\u9fff]"
"""A character of Chinese or Japanese, as a pattern."""

_COUNTING = "一二三四五六七八九"
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")
_CHAPTER = "(?i:section|chapter|kapitel|abschnitt|chapitre|cap[íi]tulo|capitolo|глава|раздел)"
_NUMBERED = re.compile(
    rf"(?:(?:{_CHAPTER}|appendix)\s+)?(?P<number>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}}|[IVX]{{1,5}}|[A-H](?=[.)])|"
    r"[A-H]\.\d{1,2})(?P<mark>[.):]?)\s+(?P<title>[^\W\d_].*)"
)
_MARKED = re.compile(
    rf"(?:{_CHAPTER}\s+(?:\d{{1,2}}|[IVX]{{1,5}})[.:]?|(?P<top>\d{{1,2}})(?:\.\d{{1,2}}){{0,5}}[.)]?|[IVX]{{1,5}}\.)"
    r"(?=\s+[^\W\d_])"
)
_IDEOGRAPHIC = re.compile(
    rf"(?P<written>第\s?(?P<chapter>\d{{1,2}}|[{_COUNTING}十]{{1,3}})\s?[章节節编編部]\s{{0,4}}"
    rf"|(?P<count>[{_COUNTING}十]{{1,3}})\s?[、.．]\s{{0,4}}|[(（][{_COUNTING}十]{{1,3}}[)）]\s{{0,4}}"
    rf"|(?P<digits>\d{{1,2}})(?:[.．]\d{{1,2}}){{0,3}}(?P<mark>\s?[.．、)）]?\s{{0,4}}))(?P<title>{IDEOGRAPH}.*)"
)


def apart(text: str) -> tuple[str, str]:
    """Return a heading's number, in digits or letters, and its text: `2.1. Method`, `IV. METHOD`, `第2章 方法`."""
    match = _NUMBERED.fullmatch(text)
    if match is not None and (match["mark"] or not match["number"][0].isalpha()):
        return match["number"], match["title"].strip()
    match = _IDEOGRAPHIC.fullmatch(text)
    if match is None or not _is_apart(match):
        return "", text
    return match["chapter"] or match["count"] or match["written"].rstrip(" .．、)）"), match["title"].strip()


def marked(heading: str) -> tuple[str, int | None]:
    """Return the number that begins a heading which the file marks, as written; and its first part, if digits."""
    if match := _MARKED.match(heading):
        return match[0], int(match["top"]) if match["top"] else None
    match = _IDEOGRAPHIC.fullmatch(heading)
    return (match["written"].strip(), None) if match is not None and _is_apart(match) else ("", None)


def counted(number: str) -> int | None:
    """Return what the first part of a number counts, as it goes up by one; None for letters."""
    top = number.replace("．", ".").partition(".")[0]
    if top.isdecimal():
        return int(top)
    if top and all(one in f"{_COUNTING}十" for one in top):
        tens, ten, ones = top.rpartition("十")
        return (10 * (_COUNTING.find(tens) + 1 if tens else 1) if ten else 0) + (
            _COUNTING.find(ones) + 1 if ones else 0
        )
    return _ROMAN.index(top) + 1 if top in _ROMAN else None


def _is_apart(match: re.Match[str]) -> bool:
    """Return whether a number is a heading's: digits without a mark or a space may begin a text, as a year does."""
    return match["digits"] is None or bool(match["mark"]) or heading_names.KNOWN.match(match["title"]) is not None


Role = Literal["front", "title", "abstract", "keywords", "contents", "body", "claims", "references"]
"""The role of the lines after a heading; those of contents name other headings and are left out."""

_MAX_WORDS = 14
_LONGEST_NAME = 64  # of a part, in characters
_MAX_PARAGRAPH = 10_000
_PAPER_HEADING = re.compile(
    r"(?:appendix(?: [A-Z\d])?(?:\s*+[.:–—-]\s.*)?|description|specification|summary)\s{0,9}:?", re.IGNORECASE
)
PATENT_HEADING = re.compile(
    r"(?:(?:technical )?field(?: of (?:the )?(?:invention|disclosure|art))?|background(?: art| of (?:the )?invention)|"
    r"(?:brief )?summary of (?:the )?(?:invention|disclosure)|disclosure of (?:the )?invention|"
    r"(?:brief )?description of (?:the )?(?:several views of the )?(?:drawings?|figures?)(?: .*)?|"
    r"detailed description(?: of .*)?|description of (?:the )?(?:preferred|related|invention|embodiments?).*|"
    r"cross[- ]?references? to related .*|statement (?:regarding|as to) federally .*|best mode.*|"
    r"industrial applicability)\s{0,9}:?",
    re.IGNORECASE,
)
_TITLE = re.compile(r"title\s*:\s*(?P<rest>\S.*)", re.IGNORECASE)
_ABSTRACT_BARE = re.compile(r"(?P<name>Abstract|ABSTRACT)\s+(?P<rest>(?=[A-Z])(?:\S+\s+){8}.*)")
_ROMAN_NUMBER = re.compile(r"[IVX]{1,5}\.?\s+")
_BETWEEN_KEYWORDS = re.compile(r"(?:(?<!\s)\s++)?[;·•|]\s*+|, ")
_ENDS = " .:-\uff0e\uff1a\N{EN DASH}\N{EM DASH}"
_ENTRY = re.compile(r".*[\s.…·](?:\d{1,4}|[ivxl]{1,6})\s*")
"""A line of a table of contents: it ends with a page's number."""
_APPENDIX = re.compile(r"(?:Appendix\s+[A-Z]\b[.:]?|[A-H][.)]?)\s+[A-Z][^.,;:\d]{2,80}")
_CANCELLED = r"\d{1,4}\W{1,6}cancell?ed"
_FIRST_CLAIM = rf"(?P<rest>1\s*+(?:[.)]\s|[.)]?\s*+[-–—]\s*+{_CANCELLED}).*)"
_CLAIMS = re.compile(
    r"(?:.{0,300}\bwhat (?:is|we|i) claim(?:ed)?\b[^.]{0,80}?|(?:i|we) claim|"
    r".{0,300}\bis claimed (?:is|are defined as follows)|(?:the )?(?:invention )?claimed is)"
    rf"\s*+[:.]?\s*+{_FIRST_CLAIM}?|"
    rf"claims?\s*+[:.]?\s*+{_FIRST_CLAIM.replace('rest', 'after')}",
    re.IGNORECASE,
)
_COUNT = re.compile(r"(?:(?<!\s)\s++)?[(\uff08]\d{1,4}[)\uff09]\s*+:?$")
"""How many claims follow, as Google Patents writes after their heading."""
_RUN_IN_NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+(?P<title>[A-Z][^.?!]{2,60})\.\s+(?P<rest>[A-Z].{9,})"
)
_CAPTION = re.compile(r"(?:fig(?:ure|\.)?|table|algorithm|listing|scheme|chart)\s*\d", re.IGNORECASE)
_FORMULA = re.compile(r"[\\{}=<>|←→∈∑≤≥]")
_BANNER = re.compile(
    r"(?:(?:original |full |short |regular )?(?:research |review )?(?:article|paper|communication|report)|review|"
    r"open access|preprint|letter|editorial|case report|original research|technical (?:note|report)|"
    r"(?:edited|reviewed) by|authors?(?: (?:and|&) affiliations?)?|"
    r"specialty section|citation|copyright|article ?info(?:rmation)?|a r t i c l e i n f o|"
    r"(?:https?://|(?:e-?)?issn\b|doi:? ?(?:10\.|http)|arxiv: ?\d|available online|©).{0,200}|"
    r"(?:graphical )?highlights?|contents lists available .{0,80}|journal homepage.{0,80}|"
    r".{0,80}\bvol(?:ume|\.)? ?\d.{0,80}|.{3,80} \d{1,4} ?\(\d{4}\)[ :,]{0,2}\d{1,6} ?[-–] ?\d{1,6})",
    re.IGNORECASE,
)
"""What a journal prints above a title."""
_CLAIM_START = re.compile(rf"(?:claims?\s+)?1\s*(?:[.)]\s*\S|(?:[-–—]|to|through|and)\s*{_CANCELLED})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextHeading:
    """A heading: what follows it is for `role`; `rest` is text on its own line, `number` the number it carries."""

    title: str
    role: Role = "body"
    rest: str = ""
    number: str = ""

    @property
    def whole(self) -> str:
        """The heading as it is written, with its number."""
        return f"{self.number} {self.title}" if self.number else self.title


class Course:
    """Follows a text's headings in their order: some names are an abstract's at its head and a section's at its end."""

    def __init__(self) -> None:
        """Start without headings."""
        self._begun = False
        self._languages: frozenset[str] = frozenset()

    def settled(self, heading: TextHeading) -> TextHeading:
        """Return the next heading in its role: a "Summary" below an introduction or beside an abstract is a section.

        An abstract in another language does not count.
        """
        if heading.role == "abstract":
            known = heading_names.languages_of(heading.title)
            if heading_names.LATE.match(heading.title) and (self._begun or heading.number or known & self._languages):
                heading = replace(heading, role="body")
            self._languages |= known
        if heading.role == "claims":
            self._begun = False  # a patent's abstract may stand after its claims
        elif heading.role == "body" and (heading.number or is_named(heading.title)):
            self._begun = True
        return heading


class MarkedHeadings:
    """The headings that a file marks, added in reading order, so that counting reveals section numbers."""

    def __init__(self) -> None:
        """Start without headings."""
        self._found: list[tuple[TextHeading, int]] = []
        self._last = 0
        self._letter = "A"
        self._course = Course()

    def add(self, text: str, level: int) -> TextHeading:
        """Return the next heading, with its role by its words; its section number is left out of its title."""
        whole = one_line(text)
        number, top = marked(whole)
        if not number and whole[:3] == f"{self._letter}. " and whole[3:4].isupper():
            number, self._letter = whole[:2], chr(ord(self._letter) + 1)
        elif number:
            self._letter = "A"
        if number.isdecimal() and not self._counts_on(int(number), whole[len(number) :].strip()):
            number = ""  # "10 Simple Rules" are ten rules
        elif top:
            self._last = top
        heading = self._course.settled(_of_title(whole[len(number) :].strip(), number))
        self._found.append((heading, level))
        return heading

    @property
    def title(self) -> str:
        """The document's title: the first heading, if of the first level or alone at the top, and no section's name.

        Where all headings are of one level it is the title, too, if an abstract or an introduction follows.
        """
        below = (at for at, (one, _) in enumerate(self._found) if not is_banner(one.title) and one.role != "contents")
        start = next(below, 0)
        if not self._found or self._found[start][0].role != "body" or is_named(self._found[start][0].title):
            return ""
        (first, level), others = self._found[start], self._found[start + 1 :]
        beside = [heading for heading, other in others if other == level]
        if any(other < level for _, other in others) or (level != 1 and beside and not _introduced(first, beside)):
            return ""
        inner = f"{first.number.rstrip('.)')}."
        counted = any(one.number for one in beside) or any(one.number.startswith(inner) for one, _ in others)
        return first.title if counted else first.whole

    def _counts_on(self, number: int, title: str) -> bool:
        """Tell whether a bare number is a section's: it follows the last, or stands before a section's usual name."""
        role = _of_title(title, "").role
        return number in (1, self._last, self._last + 1) or role != "body" or is_named(title)


def _introduced(first: TextHeading, beside: Sequence[TextHeading]) -> bool:
    """Return whether a heading stands above a paper's own first part, without a number of its own."""
    return not first.number and any(opens(one) for one in beside)


def opens(heading: TextHeading) -> bool:
    """Tell whether a heading is of a paper's first part: abstract, key words or introduction, or what has number 1."""
    return (
        heading.role in ("abstract", "keywords")
        or heading_names.OPENING.match(heading.title) is not None
        or heading.number.rstrip(".)、 ") in ("1", "I", "一", "第1章", "第一章")
    )


def find(lines: Sequence[str], at: int, within: Role) -> TextHeading | None:
    """Return the heading at a line, if it is one; `within` is the role of the stretch that it would end."""
    text = lines[at].strip()
    if not text or len(text) > _MAX_PARAGRAPH or (within == "contents" and _ENTRY.fullmatch(text)):
        return None
    return _by_word(lines, at, within) or _run_in(text, within) or _by_look(lines, at, within)


def of_paragraph(text: str, *, front: bool, within: Role) -> TextHeading | None:
    """Return the heading that an unmarked paragraph is by its words: Abstract, Keywords, Contents, References, Claims.

    One with its text on the line counts only where `front` says that no section has begun.
    """
    within = "front" if front and within == "body" else within
    found = find(["", text, "1. A"], 1, within) if len(text) <= _MAX_PARAGRAPH else None
    if found is None or found.role in ("body", "title"):
        return None
    return found if front or not found.rest else None


def is_heading(text: str) -> bool:
    """Return whether a line that is set as a heading reads as one: a part's name, or a number before a title."""
    found = find([text, "1. A"], 0, "body")
    number, title = apart(text)
    return (found is not None and not found.rest) or is_named(title) or (bool(number) and title[:1].isupper())


def is_banner(title: str) -> bool:
    """Return whether a heading is what a journal prints above a title."""
    return _BANNER.fullmatch(title) is not None


def _of_title(title: str, number: str) -> TextHeading:
    """Return a heading that the file marks as one, with its role by its words."""
    if heading_names.CONTENTS.match(title):
        return TextHeading(title, "contents", number=number)
    role = find([title, "1. A"], 0, "body")
    if role is None or role.role in ("body", "title"):
        return TextHeading(title, number=number)
    return TextHeading(title, role.role, number=number)


def _by_word(lines: Sequence[str], at: int, within: Role) -> TextHeading | None:
    """Return a heading told by its words: abstract, keywords, contents, references, claims."""
    text = lines[at].strip()
    number, plain = apart(text)
    if found := _abstract(plain, number, at, within) or _keywords(text):
        return found if found.rest or not text[0].islower() or _stands_alone(lines, at) else None
    if len(text) > 400:
        return None
    if len(text) <= _LONGEST_NAME:
        if heading_names.REFERENCES.match(plain) and (
            not text[0].islower() or text == "references" or _stands_alone(lines, at)
        ):
            return TextHeading(plain.rstrip(_ENDS), "references")
        if within in ("front", "abstract", "keywords", "contents") and heading_names.CONTENTS.match(text):
            return TextHeading(text, "contents")
    if within != "claims" and (found := _claims(lines, at)):
        return found
    if within == "front" and (match := _TITLE.fullmatch(text)):
        return TextHeading("Title", "title", match["rest"])
    return None


def _abstract(plain: str, number: str, at: int, within: Role) -> TextHeading | None:
    """Return the heading of an abstract; one that may end a paper takes in the text on its line only at the head."""
    if len(plain) <= _LONGEST_NAME and heading_names.ABSTRACT.match(plain):
        return TextHeading(plain.strip(_ENDS), "abstract", number=number)
    if run_in := heading_names.run_in_abstract(plain):
        late = heading_names.LATE.match(run_in.name) and within not in ("front", "abstract", "keywords")
        return None if late else TextHeading(run_in.name, "abstract", run_in.rest)
    match = _ABSTRACT_BARE.fullmatch(plain) if at else None
    return TextHeading(match["name"], "abstract", match["rest"]) if match is not None else None


def _keywords(text: str) -> TextHeading | None:
    if len(text) <= _LONGEST_NAME and heading_names.KEYWORDS.match(text):
        return TextHeading("Keywords", "keywords")
    if run_in := heading_names.run_in_keywords(text):
        return TextHeading("Keywords", "keywords", run_in.rest)
    label = heading_names.KEYWORDS_LABEL.match(text)
    words = _BETWEEN_KEYWORDS.split(text[label.end() :]) if label is not None and not text[0].islower() else []
    if len(words) > 1 and all(0 < len(word.split()) <= 4 for word in words):
        return TextHeading("Keywords", "keywords", text[label.end() :] if label is not None else "")
    return None


def _claims(lines: Sequence[str], at: int) -> TextHeading | None:
    """Return the heading of claims, if the first one follows it."""
    text = lines[at].strip()
    if match := _CLAIMS.fullmatch(text):
        rest = match["rest"] or match["after"] or ""
        return TextHeading("Claims", "claims", rest) if rest or _CLAIM_START.match(_next(lines, at)) else None
    if len(text) <= _LONGEST_NAME and heading_names.CLAIMS.match(_COUNT.sub("", text)):
        below = _next(lines, at)
        if _CLAIM_START.match(below) or _CLAIMS.fullmatch(below):
            return TextHeading("Claims", "claims")
    return None


def _run_in(text: str, within: Role) -> TextHeading | None:
    """Return a numbered heading with its text on the same line: `4.1.1 Data. We use ...`."""
    match = _RUN_IN_NUMBERED.fullmatch(text) if within not in ("claims", "references") else None
    if match is None or len(match["title"].split()) > 6:
        return None
    return TextHeading(match["title"], rest=match["rest"], number=match["number"])


def _by_look(lines: Sequence[str], at: int, within: Role) -> TextHeading | None:
    """Return a heading told by a known name, a number, or capitals, on a line that stands alone."""
    text = lines[at].strip()
    number, plain = apart(text)
    if len(text) > 120 or not _stands_alone(lines, at) or len(plain.split()) > _MAX_WORDS:
        return None
    if is_named(plain):
        return TextHeading(plain.rstrip(": \uff1a"), number=number)
    alone = not _line(lines, at - 1) and not _line(lines, at + 1)
    if within == "references" and alone and _APPENDIX.fullmatch(text):
        return TextHeading(text)
    if within in ("claims", "references") or text.endswith((".", ",", ";", ":", *"。，；：、")):
        return None
    if _CAPTION.match(text) or _FORMULA.search(text) or "@" in text:
        return None
    if number:
        if within == "front" and (has_address(text) or "," in text or _counts_on_below(lines, at, number)):
            return None  # an address
        return TextHeading(plain, number=number) if plain[:1].isupper() or _is_short_ideographic(plain) else None
    if within == "front":
        return None
    titled = alone and within == "body" and _is_titled(text) and len(text.split()) <= 8
    return TextHeading(text) if titled or _is_capitals(text) else None


def _counts_on_below(lines: Sequence[str], at: int, number: str) -> bool:
    """Return whether the next line begins with the next number, as in a list of addresses."""
    below = apart(_line(lines, at + 1))[0]
    return number.isdecimal() and below.isdecimal() and int(below) == int(number) + 1


def _is_short_ideographic(text: str) -> bool:
    """Return whether a text begins with an ideograph and is as short as a heading."""
    return len(text) <= 30 and re.match(IDEOGRAPH, text) is not None


def is_named(title: str) -> bool:
    """Return whether a heading is one of the names that papers and patents give their sections."""
    return bool(heading_names.BODY.match(title) or _PAPER_HEADING.fullmatch(title) or PATENT_HEADING.fullmatch(title))


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    """Return whether neither the line before nor the one after runs through this line."""
    above, below = _line(lines, at - 1), _line(lines, at + 1)
    ends_above = not above or above[-1] in '.!?:;)]"”。！？：；）』」' or len(above) < 25
    ends_above = ends_above or (len(above) < 50 and not re.search(IDEOGRAPH, above))
    begins_below = not below or not below[0].islower()
    return ends_above and begins_below


def _is_capitals(text: str) -> bool:
    """Return whether a line is in capitals and more than initials: the head of a table is short words only."""
    letters = [character for character in text if character.isupper()]
    longest = max((len(word) for word in re.findall(r"[^\W\d_]+", text) if word.isupper()), default=0)
    return len(letters) >= 8 and longest >= 5 and len(text.split()) <= 10 and text == text.upper()


def _is_titled(text: str) -> bool:
    """Return whether a line reads as a heading: a capital first, no sentence's end, no list of names."""
    return text[:1].isupper() and text[-1].isalnum() and text != text.upper() and not re.search(r"[@,;]|https?:", text)


def _line(lines: Sequence[str], at: int) -> str:
    return lines[at].strip() if 0 <= at < len(lines) else ""


def _next(lines: Sequence[str], at: int) -> str:
    """Return the next line that is not blank."""
    return next((line.strip() for line in lines[at + 1 : at + 6] if line.strip()), "")


def is_reference_list(title: str) -> bool:
    """Return whether a section's title, with or without its number, names a reference list."""
    plain = _ROMAN_NUMBER.sub("", title.strip(), 1)
    return heading_names.REFERENCES.match(apart(plain)[1]) is not None
