"""Plain and pasted text into a document: finds its own title, abstract, sections and claims.

A short paragraph without heading or title is a query: a question, or a passage that cites; a longer one that only tells
is an abstract. Page numbers and running
heads are taken out of a text that pdftotext or another converter made page by page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile

from engine.documents import Document
from engine.documents.patents import patent_url, people
from engine.documents.people import has_address, is_about_authors, is_names, names_in
from engine.documents.questions import reads_as_question
from engine.documents.text import clean, one_line
from engine.reading.base import ReadFile, left_out_about_authors
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.text import headings
from engine.reading.text.claims import claims_at
from engine.reading.text.headings import TextHeading, counted
from engine.reading.text.outline import Stretch, build, is_short, join_lines, looks_like_title
from engine.reading.text.patent_copies import patent_copy

_CLASSIFIED = re.compile(
    r"\s*(?:中图分类号|中圖分類號|文献标识码|文章编号|УДК|UDC|CLC number|PACS numbers?|JEL codes?)\b.{0,200}$", re.I
)
"""A line of codes that stands beside key words."""
_QUERY_WORDS = 300
_ABSTRACT_WORDS = 600
_PROSE_WORDS = 20
_BEFORE_CLAIMS: tuple[headings.Role, ...] = ("front", "title", "abstract", "keywords")


def read_plain(text: str, identifier: str, format_name: str = "text", *, limits: Limits = LIMITS) -> ReadFile:
    """Read one document from plain text; raises what the budget's check does."""
    budget = Budget.within(limits, "the text")
    lines = clean(without_running_text(text)).split("\n")
    copy = patent_copy(lines)
    if copy is None:
        return _read(lines, identifier, format_name, budget)
    reading = _read(copy.lines, copy.number or identifier, format_name, budget)
    document = replace(
        reading.document,
        kind="patent",
        title=copy.title,
        year=copy.year,
        **people(copy.inventors, copy.assignees),
        url=patent_url(copy.number) if copy.number else "",
    )
    warnings = [*_warnings(document, [])]
    if copy.left_out:
        shown = "; ".join(line[:60] for line in copy.left_out[:3])
        warnings.append(f"Lines of the patent's record were left out of the text: {shown}.")
    return replace(reading, document=document, warnings=tuple(warnings))


def _read(lines: list[str], identifier: str, format_name: str, budget: Budget) -> ReadFile:
    """Read one document from lines."""
    stretches = _cut(lines, budget)
    front, rest = stretches[0], stretches[1:]
    if not rest and (query := _query(front)):
        return ReadFile(Document(identifier, "query", abstract=query), format_name)
    title, blocks = _title(front, bool(rest))
    given = next((one for one in rest if one.role == "title"), None)
    if given is not None:
        title = title or one_line(" ".join(given.lines))
        rest.remove(given)
    opening, dropped = _opening(blocks, rest)
    document = replace(build(identifier, title, (*opening, *rest)), authors=names_in(dropped))
    return ReadFile(document, format_name, tuple(_warnings(document, dropped)))


def _cut(lines: list[str], budget: Budget) -> list[Stretch]:
    """Return the lines cut at headings; the first stretch is what stands before any."""
    stretches = [Stretch("", "front")]
    course = headings.Course()
    last = 0
    for at, line in enumerate(lines):
        budget.check()
        if stretches[-1].role in _BEFORE_CLAIMS and (claimed := claims_at(lines, at)) is not None:
            stretches.append(Stretch("Claims", "claims", [claimed]))
            continue
        heading = headings.find(lines, at, stretches[-1].role)
        if heading is not None and heading.number:
            top = counted(heading.number)
            follows = top is None or not last or last <= top <= last + 1
            known = heading.role != "body" or headings.is_named(heading.title)
            heading = heading if follows or known else None
            last = top if heading is not None and top is not None else last
        if heading is not None and not (len(stretches) == 1 and _is_front(lines, at, heading)):
            heading = course.settled(heading)
            stretches.append(Stretch(heading.title, heading.role, [heading.rest] if heading.rest else []))
        else:
            stretches[-1].lines.extend([] if _CLASSIFIED.match(line) else [line])
        if stretches[-1].role in ("keywords", "title") and not line.strip() and len(stretches[-1].lines) > 1:
            stretches.append(Stretch(""))
    return stretches


def _is_front(lines: list[str], at: int, heading: TextHeading) -> bool:
    """Return whether what looks like a heading is the title instead: the first line, in capitals or with a number."""
    if heading.role != "body" or any(line.strip() for line in lines[:at]):
        return False
    return not headings.is_named(heading.title)


def _query(front: Stretch) -> str:
    """Return the text of a single short paragraph that asks; empty where there is a title or more."""
    if len(front.lines) > _QUERY_WORDS:
        return ""
    paragraphs = front.paragraphs
    if len(paragraphs) != 1 or len(paragraphs[0].split()) > _QUERY_WORDS or _title(front, False)[0]:
        return ""
    return paragraphs[0] if reads_as_question(paragraphs[0]) else ""


def _title(front: Stretch, followed: bool) -> tuple[str, list[str]]:
    """Return the title at the head of a text, if its first line looks like one, and the blocks after it.

    `followed` says that a heading comes after, so a single block may be the title.
    """
    lines = [*dropwhile(lambda line: not line.strip() or headings.is_banner(line.strip()), front.lines)] or front.lines
    blocks = [block for block in re.split(r"\n\s*\n", "\n".join(lines)) if block.strip()]
    if not blocks:
        return "", []
    lines = [line.strip() for line in blocks[0].strip().split("\n")]
    taken = _title_lines(lines)
    title = one_line(join_lines("\n".join(lines[:taken])))
    alone = taken == len(lines) and len(blocks) == 1 and not followed
    runs_on = taken == len(lines) and len(blocks) > 1 and blocks[1].lstrip()[0].islower() and not names_in(blocks[1:2])
    if not taken or alone or runs_on or not looks_like_title(title):
        return "", blocks
    rest = "\n".join(lines[taken:])
    return title, [*([rest] if rest else []), *blocks[1:]]


def _title_lines(lines: list[str]) -> int:
    """Return how many lines the title takes: up to the names of authors, or a longer line that begins a text."""
    for place, text in enumerate(lines):
        if place and (has_address(text) or is_names(text)):
            return place
        if place and text[:1].isupper() and len(text) > max(80, 1.5 * len(lines[place - 1])):
            return place
    return len(lines)


def _opening(blocks: list[str], rest: Iterable[Stretch]) -> tuple[list[Stretch], list[str]]:
    """Return what stands between title and first heading: an abstract or a text; and lines about authors, left out.

    Prose is the abstract where no heading names one and it is not too long to be one.
    """
    has_abstract = any(one.role == "abstract" for one in rest)
    has_body = any(one.role in ("body", "claims") for one in rest)
    about = [is_about_authors(block) or (has_abstract and is_short(block)) for block in blocks]
    prose = [block for block, out in zip(blocks, about, strict=True) if not out]
    dropped = [block for block, out in zip(blocks, about, strict=True) if out]
    words = sum(len(block.split()) for block in prose)
    role: headings.Role = "body" if has_abstract or words > _ABSTRACT_WORDS else "abstract"
    if role == "body" and not has_abstract and not has_body and len(prose) > 1:
        first, others = prose[:1], prose[1:]
        if _PROSE_WORDS <= len(first[0].split()) <= _QUERY_WORDS:
            return [Stretch("", "abstract", _lines(first)), Stretch("", "body", _lines(others))], dropped
    return ([Stretch("", role, _lines(prose))] if prose else []), dropped


def _lines(blocks: Iterable[str]) -> list[str]:
    return "\n\n".join(blocks).split("\n")


def _warnings(document: Document, dropped: list[str]) -> Iterable[str]:
    if not document.title and (document.sections or dropped):
        yield "No title was found: the first line does not look like one. You can add it by hand."
    if dropped:
        yield left_out_about_authors([*map(one_line, dropped)])
    if not document.abstract and not document.claims:
        yield "No abstract was found."


_BREAK = "\f"
_PAGE_NUMBER = re.compile(
    r"[-–—\[( ]*(?:page |p\. ?|seite |página |стр\. )?(?:\d{1,4}|[ivxl]{1,6})(?: ?(?:of|/|von|de) ?\d{1,4})?[-–—\]) ]*",
    re.I,
)
_COUNTED = re.compile(r"(?:fig|tab|abb|chapter|section|appendix|algorithm|kapitel|chapitre|cap[íi]t|part|claim)", re.I)
"""What counts its own numbers at the top of a page: a caption or a heading."""
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SMALL = frozenset({"and", "und", "others", "the", "for", "with"})
_EDGE = 3  # lines at the top and at the bottom of a page that may be furniture
_LONGEST = 120
_FRONT = 12
_LINES_A_PAGE = 4


def without_running_text(text: str) -> str:
    """Return the text with its pages joined, without page numbers and the lines that pages repeat at their edges.

    Pages end with form feeds; without those, with numbers that stand alone and count on.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    pages = [page.split("\n") for page in lines.split(_BREAK)] if _BREAK in text else _by_numbers(lines.split("\n"))
    if len(pages) < 2:
        return text
    front = _words(line for line in pages[0][: 4 * _FRONT] if line.strip())
    repeated = _repeated(pages)
    kept = [_without_furniture(page, repeated, front if number else frozenset()) for number, page in enumerate(pages)]
    return _joined([page for page in kept if page])


def _by_numbers(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines cut below numbers that stand alone and count on, page by page; one page without such."""
    alone = [
        at
        for at, line in enumerate(lines)
        if line.strip().isdecimal() and len(line.strip()) < 5 and _stands_alone(lines, at)
    ]
    pages: list[list[str]] = []
    start, last, counted = 0, -1, 0
    for at in alone:
        number = int(lines[at])
        filled = sum(1 for line in lines[start:at] if line.strip())
        if filled >= _LINES_A_PAGE and (last < 0 or number == last + 1):
            pages.append(list(lines[start : at + 1]))
            start, last, counted = at + 1, number, counted + 1
    pages.append(list(lines[start:]))
    return pages if counted > 1 else [list(lines)]


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    before = lines[at - 1].strip() if at else ""
    after = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return not before and not after


def _edges(page: Sequence[str]) -> list[int]:
    """Return the places of a page's first and last lines that hold text."""
    held = [at for at, line in enumerate(page) if line.strip()]
    return sorted({*held[:_EDGE], *held[-_EDGE:]})


def _shape(line: str) -> str:
    """Return a line with each number as one sign, as page numbers differ."""
    if _COUNTED.match(line.strip()):
        return " ".join(line.split()).lower()
    return _DIGITS.sub("#", " ".join(line.split())).lower()


def _repeated(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the shapes of short lines that stand at the edges of two pages or more."""
    counts = Counter(
        shape for page in pages for shape in {_shape(page[at]) for at in _edges(page) if len(page[at]) <= _LONGEST}
    )
    return frozenset(shape for shape, count in counts.items() if count > 1 and len(shape) > 2)


def _without_furniture(page: Sequence[str], repeated: frozenset[str], front: frozenset[str]) -> list[str]:
    """Return a page's lines without its number and running heads, from its edges inwards.

    A line that stands alone at the top of a page and holds only words of the first page's head is a running head.
    """
    held = [at for at, line in enumerate(page) if line.strip()]
    gone: set[int] = set()
    for places, top in ((held[:_EDGE], True), (held[: -_EDGE - 1 : -1], False)):
        for at in places:
            line = page[at].strip()
            words = _words([line])
            names = (
                top
                and words
                and words <= front
                and len(line) <= _LONGEST
                and not "".join(page[at + 1 : at + 2]).strip()
            )
            if _PAGE_NUMBER.fullmatch(line) or _shape(line) in repeated or names:
                gone.add(at)
            else:
                break
    return "\n".join(line for at, line in enumerate(page) if at not in gone).strip("\n").split("\n") if held else []


def _words(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line)) - _SMALL


def _joined(pages: Sequence[Sequence[str]]) -> str:
    """Return the pages as one text: a paragraph that a page's end cuts goes on, others are parted."""
    text: list[str] = []
    for page in pages:
        last = text[-1].strip() if text else ""
        first = page[0].strip()
        goes_on = last and last[-1] not in ".!?:" and first[:1].islower()
        text.extend([*([] if goes_on or not text else [""]), *page])
    return "\n".join(text)
