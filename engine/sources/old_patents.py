"""US patents of 1877 to 1898: title, description and claims from scanned text.

One record holds the pages as scanned: sheets of drawings first, then the specification in two columns. Line-end hyphens
are lost, line numbers stand among the words, and letters are misread, above all in capitals. Six records are empty.

Checked by eye on 40 records drawn at random after the last rule was written: 38 titles are right, one has a damaged
word and one a stray comma. Two earlier samples (37 and 35 of 40 right) were read while rules still changed. 96 % of the
records give claims; how they are cut was only spot-checked.

A title stands in up to three places, each misread differently: printed in capitals under the inventor's name; on every
sheet of drawings; and in the sentence "have invented certain new and useful Improvements in ...". The printed one is
taken if its words are known; else the sheet's that resembles it; else the printed one, mended with words of the
description.

Lines are mended: broken words joined, margin numbers and debris taken out. The rules use the corpus as their only
dictionary: what is frequent in the middle of lines is a word. Hyphens at line ends are lost in the scans, so
"appa / ratus" is joined because "apparatus" is common and "ratus" is not.
"""

from __future__ import annotations

import difflib
import re
import string
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest

from engine.core.errors import MalformedFileError
from engine.documents import Document, Section

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
    """Yield every patent of a collection of records.

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
    words = count_inner_words(line for _, lines in records for line in lines)
    for number, lines in records:
        yield _document(number, lines, words, tuple(categories.get(number, ())), year_of.get(int(number)))


def _records(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each record's number and its lines."""
    heads = list(_RECORD.finditer(text))
    for head, following in zip_longest(heads, heads[1:]):
        end = following.start() if following else len(text)
        lines = re.split(r"[\r\n\f]+", text[head.end() : end])
        yield head.group(1), [stripped for line in lines if (stripped := line.strip())]


def _table(data: bytes, numbers: set[str], *, column: int) -> dict[str, list[str]]:
    """Return the values of one column by the number in the first."""
    found: dict[str, list[str]] = {}
    for line in data.decode("ascii", "replace").splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) > column and cells[0] in numbers:
            found.setdefault(cells[0], []).append(cells[column])
    return found


def _years(table: dict[str, list[str]], numbers: set[str]) -> dict[int, int]:
    """Return the year of each number, also of one that the table lacks between two numbers of one year.

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
    text = _SIGNING.sub(" ", flow(clean_lines(body), words))
    description, claims = cut_claims(text)
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


def cut_claims(text: str) -> tuple[str, tuple[str, ...]]:
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
    """Cut at the numbers 1, 2, 3 ...; one that was misread is skipped."""
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
    """Yield the description: what the invention is for, then the part that goes through the drawings."""
    drawings = _DRAWINGS.search(description, min(200, len(description)))
    cut = description.rfind(" ", 0, drawings.start() + 1) + 1 if drawings else 0
    for title, part in (("Introduction", description[:cut]), ("Description", description[cut:])):
        if part.strip():
            yield Section(title, part.strip())


def _is_signature(line: str) -> bool:
    """Return whether a line is a name in capitals, as inventors and witnesses sign, or the head of a page."""
    return len(line) < 48 and is_capitals(line)


def _authors(printed: str, text: str) -> tuple[str, ...]:
    """Return the inventors' names, from the line above the title or from "Be it known that I, ..."."""
    names = re.split(r"[,.;:] ?OF |; ", printed)[0] if ", OF" in printed.replace(".", ",") else ""
    if not names and (found := _CITIZEN.search(text[:400])):
        names = found.group(1)
    single = re.split(r",? AND |, ", re.sub(r"(?<=[A-Z]{2})\.", "", " ".join(names.upper().split())))
    return tuple(name.title() for name in single if re.fullmatch(r"[A-Z. ’'-]{5,40}", name))


_OFFICE = re.compile(r"[A-Z]{3,7}\W{1,4}STATES?\b|\bSTATES\W+[I ]*PATENT|PATENT\W+OFFIC", re.IGNORECASE)
_FORM = re.compile(r"form\w{0,4}\W{0,3}part|\bpart (?:of|cf|uf)\b|letters? patent|dated [A-Z]\w+ ?\d", re.IGNORECASE)
_INVENTOR = re.compile(
    r"[,.;] ?[O0][FE] [A-Z]|^OF [A-Z]|^AND [A-Z]|ASSIGNOR|SAME PLACE|^ONE-?.?HAL[FE]|\bCOMPANY,|\bSAID [A-Z]"
)
_SHEET_FURNITURE = re.compile(
    r"\bno\.? ?\d|model|mode\.|sheets?\b|patented|witness|inventor|attorn|photo|lithog|peters|washing|\d{3}",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"invented\b.{0,60}?\bImprovements? ?(?:in|on|for|of|relating to) (?:the )?(.{4,120}?)"
    r"(?:[,;:.] ?(?:of which|of the|and I|and we|and do|do|fully|which|of)\b|; and|\. (?:The|My|I)\b)",
    re.DOTALL,
)
_CAPITAL, _SMALL_LETTER, _SMALL = re.compile("[A-Z]"), re.compile("[a-z]"), re.compile("[a-z]{3}")
_PLACE = re.compile(
    r"^.*\b(?:ALABAMA|ARKANSAS|CALIFORNIA|COLORADO|CONNECTICUT|DAKOTA|DELAWARE|COLUMBIA|FLORIDA|GEORGIA|ILLINOIS|"
    r"INDIANA|IOWA|KANSAS|KENTUCKY|LOUISIANA|MAINE|MARYLAND|MASSACHUSETTS|MICHIGAN|MINNESOTA|MISSISSIPPI|MISSOURI|"
    r"MONTANA|NEBRASKA|NEVADA|HAMPSHIRE|JERSEY|MEXICO|NEW YORK|N\. ?Y|CAROLINA|OHIO|OREGON|PENNSYLVANIA|"
    r"RHODE ISLAND|TENNESSEE|TEXAS|UTAH|VERMONT|[VW]IRGINIA|WASHINGTON|[VW]ISCONSIN|ENGLAND|GERMANY|FRANCE|CANADA)\W+"
)
_LETTERS = re.compile(r"[a-z]+")
_HEAD_LINES = 16
_GOOD = 0.93
_COMMON, _VERY_COMMON = 20, 100


@dataclass(frozen=True, slots=True)
class SpecificationHead:
    """The head of a specification: who, what, and the line after which its text begins."""

    inventor: str
    title: str
    body_line: int


def find_head(lines: Sequence[str]) -> SpecificationHead:
    """Find the inventor's lines, the printed title, and the line after "forming part of Letters Patent"."""
    office = next((n for n, line in enumerate(lines) if _OFFICE.search(line) and line.isupper()), None)
    first = 0 if office is None else office + 1
    span = len(lines) if office is None else first + _HEAD_LINES
    form = next((n for n in range(first, min(span, len(lines))) if _FORM.search(lines[n])), None)
    if form is None:
        return SpecificationHead("", "", first)
    start = first if office is not None else max(0, form - 5)
    block = [line for line in lines[start:form] if _letters(line) >= 3 and not _OFFICE.search(line)]
    cut = _title_start(block)
    return SpecificationHead(" ".join(block[:cut]), _PLACE.sub("", " ".join(block[cut:])), form + 1)


def best_title(printed: str, sheets: Sequence[str], body: str, words: Mapping[str, int]) -> str:
    """Return the title in sentence case, from its three witnesses; "" where all are lost."""
    own = _own_words(body, words)
    shown, tidy_sheets = _tidy(printed), [_tidy(line) for line in sheets]
    likeness = 0.9 if _known(shown, own, words) >= _GOOD else 0.6
    alike = [line for line in tidy_sheets if _alike(line, printed, likeness)]
    candidates = [candidate for candidate in (shown, *alike, mend(printed, own, words)) if candidate]
    best = max(
        candidates, key=lambda title: (_known(title, own, words), -len(_LETTERS.findall(title.lower()))), default=""
    )
    found = _SPOKEN.search(body[:2500])
    spoken = _tidy(" ".join(found.group(1).split())) if found else ""
    if best and (_known(best, own, words) >= _GOOD or len(spoken) < 0.5 * len(best)):
        return _sentence_case(best)
    lone = max(tidy_sheets, key=lambda title: (_known(title, own, words), len(title)), default="")
    return _sentence_case(spoken or (lone if _known(lone, own, words) >= _GOOD else ""))


def sheet_lines(lines: Sequence[str], inventor: str) -> list[str]:
    """Return the lines in capitals on sheets of drawings that may be titles, alone and with the line that follows."""
    names = set(re.findall(r"[A-Z]{3,}", inventor.split(", OF ")[0]))
    plain = (line for line in lines if not _SHEET_FURNITURE.search(line) and not _OFFICE.search(line))
    found = [line for line in plain if is_capitals(line)]
    found = [line for line in found if not names & set(re.findall(r"[A-Z]{3,}", line))]
    return found + [f"{one} {other}" for one, other in pairwise(found)]


def is_capitals(line: str) -> bool:
    """Return whether a line is in capitals, except for a misread letter here and there."""
    if _SMALL.search(line):
        return False
    capitals, small = len(_CAPITAL.findall(line)), len(_SMALL_LETTER.findall(line))
    return capitals >= 3 and capitals >= 0.85 * (capitals + small) and capitals > 0.5 * len(line)


def mend(title: str, own: set[str], words: Mapping[str, int]) -> str:
    """Return a title whose broken or misread words are replaced by those that the description uses."""
    pieces = re.findall(r"[A-Za-z]+|[-,&;]", _tidy(title).lower())
    return "".join(_mended(pieces, own, words)).strip()


def _mended(pieces: list[str], own: set[str], words: Mapping[str, int]) -> Iterator[str]:
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if not piece.isalpha():
            yield piece
            place += 1
            continue
        taken, word = _mend_one(pieces[place : place + 4], own, words)
        yield word if place and pieces[place - 1] == "-" else f" {word}"
        place += taken


def _mend_one(pieces: list[str], own: set[str], words: Mapping[str, int]) -> tuple[int, str]:
    """Return how many pieces make the next word, and the word."""
    first = pieces[0]
    run = pieces[: _run_length(pieces)]
    wholes = ["".join(run[:number]) for number in range(1, len(run) + 1)]
    for number in range(len(wholes), 1, -1):
        broken = not all(_is_word(piece, own, words) for piece in run[:number])
        if broken and (wholes[number - 1] in own or are_one_word(first, "".join(run[1:number]), words)):
            return number, wholes[number - 1]
        if broken and len(wholes[number - 1]) > 5 and (near := _nearest(wholes[number - 1], own, 0.88)):
            return number, near
    if _is_word(first, own, words):
        return 1, first
    for number, whole in enumerate(wholes, start=1):
        if len(whole) > 3 and (near := _nearest(whole, own)):
            return number, near
    for cut in range(4, len(first) - 3):  # two words that the scan ran together
        if words.get(first[:cut], 0) >= _VERY_COMMON and words.get(first[cut:], 0) >= _VERY_COMMON:
            return 1, f"{first[:cut]} {first[cut:]}"
    return 1, first


def _nearest(piece: str, own: set[str], least: float = 0.78) -> str:
    """Return the word of nearly the same length and letters, which begins or ends as the piece does; "" for none."""
    may_be = [
        word
        for word in own
        if word[-1] == piece[-1]
        and abs(len(word) - len(piece)) < 3
        and (word[0] == piece[0] or word[-3:] == piece[-3:])
    ]
    return next(iter(difflib.get_close_matches(piece, may_be, 1, least)), "")


def _run_length(pieces: list[str]) -> int:
    return next((number for number, piece in enumerate(pieces) if not piece.isalpha()), len(pieces))


def _own_words(body: str, words: Mapping[str, int]) -> set[str]:
    """Return the words of a description, without pieces and misreadings that occur once."""
    counts = Counter(_LETTERS.findall(body.lower()))
    return {word for word, count in counts.items() if words.get(word, 0) >= 3 or (count >= 3 and len(word) > 3)}


def _title_start(block: list[str]) -> int:
    """Return where the title begins: after the last line of the inventors and assignees."""
    last = max((number for number, line in enumerate(block) if _INVENTOR.search(line.upper())), default=-1)
    if last < 0:
        return min(1, max(0, len(block) - 1))
    while last + 2 < len(block) and not re.search(r"[.:;]\W*$", block[last]):
        last += 1
    return last + 1


def _known(title: str, own: set[str], words: Mapping[str, int]) -> float:
    """Return the share of a title's letters that stand in known words; a lone letter is not known."""
    pieces = _pieces(title)
    known = sum(len(piece) for piece in pieces if _is_word(piece, own, words))
    return known / max(1, sum(map(len, pieces)))


def _is_word(piece: str, own: set[str], words: Mapping[str, int]) -> bool:
    if len(piece) < 3:
        return words.get(piece, 0) >= 2000 and len(piece) == 2
    return piece in own or words.get(piece, 0) >= _COMMON


def _alike(one: str, other: str, least: float) -> bool:
    first, second = (re.sub(r"[^a-z]", "", text.lower()) for text in (one, other))
    return bool(first and second) and difflib.SequenceMatcher(None, first, second).ratio() >= least


def _pieces(title: str) -> list[str]:
    return _LETTERS.findall(title.lower())


def _tidy(title: str) -> str:
    """Return a title without debris and what follows its sentence, with 0 for the letter O mended."""
    title = re.sub(r"^\W*I?\W*MI? ?PROVEMENT", "IMPROVEMENT", title)
    title = re.sub(r"(?<=\w\w)\. +[A-Z][a-z]+ [a-z].*$", "", title)
    title = re.sub(r"(?<=[A-Za-z])0+|0+(?=[A-Za-z])", lambda zeros: "O" * len(zeros.group()), title)
    title = re.sub(r"\s*-\s*", "-", " ".join(re.sub(r"[^\w\s&,;'-]+", " ", title).split()))
    return title.strip(" .,;:-'\"*|_~^").rstrip()


def _sentence_case(title: str) -> str:
    title = title.lower()
    return title[:1].upper() + title[1:]


def _letters(line: str) -> int:
    return sum(letter.isalpha() for letter in line)


_WORD = re.compile(r"[A-Za-z]+")
_SMALL_WORD = re.compile(r"[a-z]+")
_BROKEN_HYPHEN = re.compile(r"(?<=[a-z])\u2026(?=[a-z])|(?<=[a-z])- ?\u2026")
_MARGIN_NUMBER = re.compile(r"(?:\d{1,3}|[Il] ?[0-9O]{1,2}|\d[Oo]) (?=[A-Za-z(])")
_HAS_WORD = re.compile(r"[A-Za-z]{3}")
_LEAST_COUNT = 3
_SHORT_LINE = 0.75
_TAIL_CHARACTERS = 40  # no piece of a word is longer


def count_inner_words(lines: Iterable[str]) -> Counter[str]:
    """Return how often each word occurs inside a line, in lower case: pieces of broken words are at the ends."""
    return Counter(chain.from_iterable(_WORD.findall(line.lower())[1:-1] for line in lines))


def clean_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines without line numbers from the margins and without lines that hold no word."""
    return [line for line in map(_without_margin_number, lines) if _HAS_WORD.search(line)]


def flow(lines: list[str], words: Mapping[str, int]) -> str:
    """Join lines into running text; a short line that ends a sentence ends a paragraph."""
    return _BROKEN_HYPHEN.sub("", "".join(_flowing(lines, words))).strip()


def _flowing(lines: list[str], words: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines with what joins them: nothing within a broken word, a space, or a paragraph's end."""
    shorter = _SHORT_LINE * sorted(map(len, lines))[len(lines) // 2] if lines else 0
    tail = ""  # the last characters so far; "" where a text or a paragraph begins
    for line in lines:
        if tail and not _is_broken(tail, line, words):
            yield " "
            tail += " "
        yield line
        tail = (tail + line)[-_TAIL_CHARACTERS:]
        if len(line) < shorter and line.endswith((".", ":", ".—")):
            yield "\n\n"
            tail = ""


def are_one_word(first: str, second: str, words: Mapping[str, int]) -> bool:
    """Return whether two pieces are one broken word."""
    whole = words.get(first + second, 0)
    return whole >= _LEAST_COUNT and whole > min(words.get(first, 0), words.get(second, 0))


def _without_margin_number(line: str) -> str:
    stripped = line.strip()
    number = _MARGIN_NUMBER.match(stripped)
    return stripped[number.end() :] if number else stripped


def _is_broken(tail: str, line: str, words: Mapping[str, int]) -> bool:
    head = _SMALL_WORD.match(line)
    if head is None:
        return False
    first = tail[len(tail.rstrip(string.ascii_letters)) :]
    return bool(first) and are_one_word(first.lower(), head.group(), words)
