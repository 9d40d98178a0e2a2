"""US patents of 1877 to 1898: title, description and claims from scanned text.

One record holds the pages as scanned: sheets of drawings first, then the specification in two columns. Line-end hyphens
are lost, line numbers stand among the words, and letters are misread, above all in capitals. Six records are empty.

Checked by eye on 40 records drawn at random after the last rule was written: 38 titles are right, one has a damaged
word and one a stray comma. Two earlier samples (37 and 35 of 40 right) were read while rules still changed. 96 % of the
records give claims; how they are cut was only spot-checked.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from engine.core.errors import MalformedFileError
from engine.documents import Document, Section
from engine.sources import ocr_words
from engine.sources.old_patent_titles import best_title, find_head, is_capitals, sheet_lines

_RECORD = re.compile(r"(?m)^/Volumes/\S*?/US(\d+)\.txt\t")
_FORMALITY = re.compile(
    r"\W*(?:Appl\w*\.? ?\w* ?fi\w+|To a[lid]{1,3},? ?w?\w*n|Serial? No|\(?No,? [Mm]o\w+|Patented in )", re.IGNORECASE
)
_SIGNING = re.compile(
    r"(?:In|The) (?:testimony|witness|presence) (?:whereof|that).{10,260}?(?:witnesses|presence|hand|name)\b.{0,60}?"
    r"[.:]|"
    r"This specification signed.{0,120}?[.:]|Witness(?:es)?:",
    re.IGNORECASE | re.DOTALL,
)
_CLAIM = re.compile(
    r"(?:what|that which) (?:I|we)[\w ,]{0,60}claim|\b(?:I|we) (?:therefore |hereby |now )?claim\b|"
    r"(?:desire|wish) to secure by letters patent|\bclaim (?:is\b|as\b|and desire|the following|1\b)|"
    r"(?:point out and )?distinctly ?claim",
    re.IGNORECASE,
)
_FIRST_CLAIM = re.compile(r"\b1\. (?=(?:A|An|The|In|As) )|\b2\. (?=(?:An?|The|In) [a-z])")
_CLAIM_OPENING = re.compile(
    r"(?:\bis|\bare)?\s*[:—–]\s*|\b(?:is|are)[,.]? ?[-—–]?\s*(?=[A-Z1])|(?<=invention)\W+(?=[A-Z1])"
)
_CLAIM_NUMBER = re.compile(r"(?:(?<=\s)|^)(\d{1,2})[.,] ?(?=[A-Z(])")
_DRAWINGS = re.compile(
    r"(?:In|Referring to|Reference is had to|Figure|Fig\.) (?:the )?(?:said |annexed |accompanying )*"
    r"(?:drawings?|1,? (?:is|represents|shows|illustrates|of the))"
)
_CITIZEN = re.compile(
    r"known ?that ?(?:I|we),? ?(.{4,60}?),? ?(?:,|\ba\b|\bof\b|\bciti|\bresid|\bsubject)", re.IGNORECASE
)


def parse(text: bytes, codes: bytes, years: bytes) -> Iterator[Document]:
    """Every patent of a collection of records.

    `text` is the records' text (Windows-1252), `codes` a table of number, place and CPC code,
    `years` one of number and year, both separated by tabs with a head line. Raises
    MalformedFileError where the text holds no record.
    """
    records = list(_records(text.decode("cp1252", "replace")))
    if not records:
        raise MalformedFileError("Expected records that begin with /Volumes/.../US<number>.txt; found none.")
    numbers = {number for number, _ in records}
    categories = _table(codes, numbers, column=2)
    year_of = _years(_table(years, numbers, column=1), numbers)
    words = ocr_words.count_words(line for _, lines in records for line in lines)
    for number, lines in records:
        yield _document(number, lines, words, tuple(categories.get(number, ())), year_of.get(int(number)))


def _records(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each record's number and its lines."""
    heads = list(_RECORD.finditer(text))
    for head, following in zip_longest(heads, heads[1:]):
        end = following.start() if following else len(text)
        lines = re.split(r"[\r\n\f]+", text[head.end() : end])
        yield head.group(1), [stripped for line in lines if (stripped := line.strip())]


def _table(data: bytes, numbers: set[str], *, column: int) -> dict[str, list[str]]:
    """The values of one column by the number in the first."""
    found: dict[str, list[str]] = {}
    for line in data.decode("ascii", "replace").splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) > column and cells[0] in numbers:
            found.setdefault(cells[0], []).append(cells[column])
    return found


def _years(table: dict[str, list[str]], numbers: set[str]) -> dict[int, int]:
    """The year of each number, also of one that the table lacks where the numbers before and after it are of one year.

    The Office numbers patents in the order in which it grants them.
    """
    told = {int(number): int(years[0]) for number, years in table.items()}
    known = sorted(told)
    found = dict(told)
    for number in map(int, numbers):
        at = bisect(known, number)
        if 0 < at < len(known) and told[known[at - 1]] == told[known[at]]:
            found.setdefault(number, told[known[at]])
    return found


def _document(
    number: str, lines: list[str], words: Counter[str], categories: tuple[str, ...], year: int | None
) -> Document:
    head = find_head(lines)
    body = [line for line in lines[head.body_line :] if not _FORMALITY.match(line) and not _is_signature(line)]
    text = _SIGNING.sub(" ", ocr_words.flow(ocr_words.clean_lines(body), words))
    description, claims = split_claims(text)
    title = best_title(head.title, sheet_lines(lines[: head.body_line], head.inventor), text, words)
    return Document(
        id=f"US{number}A",
        kind="patent",
        title=title,
        sections=tuple(_sections(description)),
        year=year,
        categories=tuple(dict.fromkeys(categories)),
        authors=_authors(head.inventor, text),
        url=f"https://patents.google.com/patent/US{number}A",
        claims=claims,
    )


def split_claims(text: str) -> tuple[str, tuple[str, ...]]:
    """Cut a specification before "What I claim is", and the claims at their numbers."""
    anchors = _CLAIM.finditer(text, len(text) // 3)
    opening = next(
        (anchor for anchor in anchors if "not" not in text[max(0, anchor.start() - 12) : anchor.start()]), None
    )
    opening = opening or _FIRST_CLAIM.search(text, len(text) // 2)
    if opening is None:
        return text.strip(), ()
    description = text[: opening.start()]
    cut = max(description.rfind("\n\n"), description.rfind(". "))
    if opening.start() - cut < 200:
        description = description[: cut + 1]
    if "claim" not in opening.group().lower() and "patent" not in opening.group().lower():
        return text[: opening.start()].strip(), tuple(_claims(text[opening.start() :]))
    start = _CLAIM_OPENING.search(text, opening.end(), opening.end() + 240)
    return description.strip(), tuple(_claims(text[start.end() if start else opening.end() :]))


def _claims(text: str) -> Iterator[str]:
    """Cut at the numbers 1, 2, 3 ...; one that was misread is passed over."""
    starts: list[tuple[int, int]] = []
    expected = 1 if text[:3] != "2. " else 2
    for number in _CLAIM_NUMBER.finditer(text):
        if expected <= int(number.group(1)) <= expected + 1:
            starts.append(number.span())
            expected = int(number.group(1)) + 1
    if not starts or starts[0][0] > 200:
        starts.insert(0, (0, 0))
    ends = [*(start for start, _ in starts[1:]), len(text)]
    for (_, start), end in zip(starts, ends, strict=True):
        if claim := " ".join(text[start:end].split()):
            yield claim


def _sections(description: str) -> Iterator[Section]:
    """The description: what the invention is for, then the part that goes through the drawings."""
    drawings = _DRAWINGS.search(description, min(200, len(description)))
    cut = description.rfind(" ", 0, drawings.start() + 1) + 1 if drawings else 0
    for title, part in (("Introduction", description[:cut]), ("Description", description[cut:])):
        if part.strip():
            yield Section(title, part.strip())


def _is_signature(line: str) -> bool:
    """Whether a line is a name in capitals, as inventors and witnesses sign, or the head of a page."""
    return len(line) < 48 and is_capitals(line)


def _authors(printed: str, text: str) -> tuple[str, ...]:
    """The inventors' names, from the line above the title or from "Be it known that I, ..."."""
    names = re.split(r"[,.;:] ?OF |; ", printed)[0] if ", OF" in printed.replace(".", ",") else ""
    if not names and (found := _CITIZEN.search(text[:400])):
        names = found.group(1)
    single = re.split(r",? AND |, ", re.sub(r"(?<=[A-Z]{2})\.", "", " ".join(names.upper().split())))
    return tuple(name.title() for name in single if re.fullmatch(r"[A-Z. ’'-]{5,40}", name))
