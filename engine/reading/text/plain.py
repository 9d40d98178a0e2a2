"""Plain and pasted text into a document: finds its own title, abstract, sections and claims.

A text of one short paragraph without heading or title is a query: a question or a passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import dropwhile

from engine.documents import Document
from engine.documents.text import clean, one_line
from engine.reading.base import Reading
from engine.reading.bylines import AUTHORS, is_about_authors, is_names, is_short, left_out, names_in
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.patent_fields import patent_url, people
from engine.reading.text import headings
from engine.reading.text.headings import Heading
from engine.reading.text.outline import Stretch, build, join_lines, looks_like_title
from engine.reading.text.patent_copies import patent_copy
from engine.reading.text.running_text import without_running_text
from engine.reading.text.section_numbers import counted

_CLASSIFIED = re.compile(
    r"\s*(?:中图分类号|中圖分類號|文献标识码|文章编号|УДК|UDC|CLC number|PACS numbers?|JEL codes?)\b.{0,200}$", re.I
)
"""A line of codes that stands beside key words."""
_QUERY_WORDS = 300
_ABSTRACT_WORDS = 600
_PROSE_WORDS = 20


def read_plain(text: str, identifier: str, format_name: str = "text", *, limits: Limits = LIMITS) -> Reading:
    """One document from plain text; raises what the budget's check does."""
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
    return replace(reading, document=document, warnings=(*_warnings(document, []), *_record_left_out(copy.left_out)))


def _record_left_out(lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"Lines of the patent's record were left out of the text: {'; '.join(line[:60] for line in lines[:3])}."


def _read(lines: list[str], identifier: str, format_name: str, budget: Budget) -> Reading:
    """One document from lines."""
    stretches = _cut(lines, budget)
    front, rest = stretches[0], stretches[1:]
    if not rest and (query := _query(front)):
        return Reading(Document(identifier, "query", abstract=query), format_name)
    title, blocks = _title(front, bool(rest))
    given = next((one for one in rest if one.role == "title"), None)
    if given is not None:
        title = title or one_line(" ".join(given.lines))
        rest.remove(given)
    opening, dropped = _opening(blocks, rest)
    document = replace(build(identifier, title, (*opening, *rest)), authors=names_in(dropped))
    return Reading(document, format_name, tuple(_warnings(document, dropped)))


def _cut(lines: list[str], budget: Budget) -> list[Stretch]:
    """The lines cut at headings; the first stretch is what stands before any."""
    stretches = [Stretch("", "front")]
    course = headings.Course()
    last = 0
    for at, line in enumerate(lines):
        budget.check()
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


def _is_front(lines: list[str], at: int, heading: Heading) -> bool:
    """Whether what looks like a heading is the title instead: the first line, in capitals or with a number."""
    if heading.role != "body" or any(line.strip() for line in lines[:at]):
        return False
    return not headings.is_named(heading.title)


def _query(front: Stretch) -> str:
    """The text of a single short paragraph; empty where there is a title or more."""
    if len(front.lines) > _QUERY_WORDS:
        return ""
    paragraphs = front.paragraphs
    if len(paragraphs) != 1 or len(paragraphs[0].split()) > _QUERY_WORDS or _title(front, False)[0]:
        return ""
    return paragraphs[0]


def _title(front: Stretch, followed: bool) -> tuple[str, list[str]]:
    """The title at the head of a text, if its first line looks like one, and the blocks after it.

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
    runs_on = taken == len(lines) and len(blocks) > 1 and blocks[1].lstrip()[0].islower()
    if not taken or alone or runs_on or not looks_like_title(title):
        return "", blocks
    rest = "\n".join(lines[taken:])
    return title, [*([rest] if rest else []), *blocks[1:]]


def _title_lines(lines: list[str]) -> int:
    """How many lines the title takes: up to the names of authors, or a longer line that begins a text."""
    for place, text in enumerate(lines):
        if place and (AUTHORS.search(text) or is_names(text)):
            return place
        if place and text[:1].isupper() and len(text) > max(80, 1.5 * len(lines[place - 1])):
            return place
    return len(lines)


def _opening(blocks: list[str], rest: Iterable[Stretch]) -> tuple[list[Stretch], list[str]]:
    """What stands between title and first heading: an abstract or a text; and lines about authors, left out.

    Prose is the abstract where no heading names one and it is not too long to be one.
    """
    has_abstract = any(one.role == "abstract" for one in rest)
    has_body = any(one.role in ("body", "claims") for one in rest)
    about = [is_about_authors(block) or (has_abstract and is_short(block)) for block in blocks]
    prose = [block for block, out in zip(blocks, about, strict=True) if not out]
    dropped = [one_line(block) for block, out in zip(blocks, about, strict=True) if out]
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
    if not document.title:
        yield "No title was found: the first line does not look like one. You can add it by hand."
    if dropped:
        yield left_out(dropped)
    if not document.abstract and not document.claims:
        yield "No abstract was found."
