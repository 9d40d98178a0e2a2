"""Markdown into a document: headings by `#` or underline, a title from the front matter or the first heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.readers.base import Reading
from engine.readers.bylines import left_out
from engine.readers.clean import clean, one_line
from engine.readers.text import headings
from engine.readers.text.front_matter import authors_of, front_matter, year_of
from engine.readers.text.headings import Heading
from engine.readers.text.outline import Stretch, build, choose_abstract

_MAX_HEADING = 500
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-{2,})[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])")
_MARKS = re.compile(r"[\[*_`]")
_CODE = re.compile(r"`([^`\n]+)`")
_PLAIN_HEADING = re.compile(
    r"\s*(?:abstract(?:\s*$|\s*[:.—–]|\s+-).*|(?:\d{1,2}|[IVX]{1,5})\.?\s+(?P<name>\w.*))", re.IGNORECASE
)
_ROLES: dict[str, headings.Role] = {"keywords": "keywords", "tags": "keywords"}


def looks_like_markdown(text: str, *, sure: bool) -> bool:
    """Whether a text has front matter, begins with a heading, or has two, and more than a plain text's.

    With `sure` the name says that it is Markdown. A line with `#` may be a table's row or a line of a program, so
    headings count only at the start or below a blank line.
    """
    if sure or text.lstrip().startswith("---\n"):
        return True
    lines = [line if len(line) <= _MAX_HEADING else "..." for line in text.strip().splitlines()[:400]]
    marked = [at for at, line in enumerate(lines) if _ATX.fullmatch(line) and not (at and lines[at - 1].strip())]
    if not marked or marked[0] == 0:
        return bool(marked)
    return len(marked) > max(1, sum(_is_plain_heading(lines, at) for at in range(len(lines))))


def _is_plain_heading(lines: list[str], at: int) -> bool:
    """Whether a line is a heading that only a plain text has: the word Abstract, or a number and a known name."""
    match = _PLAIN_HEADING.fullmatch(lines[at])
    if match is None or _underlined(lines, at):
        return False
    return match["name"] is None or headings.is_named(match["name"].strip())


def read_markdown(text: str, identifier: str) -> Reading:
    """One document from Markdown."""
    lines = clean(text).split("\n")
    fields, start = front_matter(lines)
    marked = headings.Marked()
    walked = list(_walk(lines[start:], marked))
    title = one_line(fields.get("title", "")) or marked.title
    stretches = [*_from_fields(fields), Stretch("", "body")]
    begun = False
    for found in walked:
        if isinstance(found, str):
            stretches[-1].lines.append(found)
        elif begun or title not in (found.title, found.whole):
            stretches.append(Stretch(found.title, found.role))
        begun = begun or isinstance(found, Heading)
    about = choose_abstract(stretches)
    warnings = () if title else ("No title was found: neither front matter nor a first heading gives one.",)
    warnings = (*warnings, left_out(about)) if about else warnings
    document = replace(build(identifier, title, stretches), authors=authors_of(fields), year=year_of(fields))
    return Reading(document, "markdown", warnings)


def _walk(lines: list[str], marked: headings.Marked) -> Iterator[Heading | str]:
    """Each line as a heading, also added to `marked`, or as text; nothing within a code fence is a heading."""
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        opened = _FENCE.match(line)
        if opened is not None and (not fence or opened[1] == fence):
            fence = "" if fence else opened[1]
        elif fence:
            yield line
        elif len(line) <= _MAX_HEADING and (match := _ATX.fullmatch(line)) is not None:
            yield marked.add(_unmarked(match["title"]), len(match[1]))
        elif (under := _underlined(lines, at)) is not None:
            yield marked.add(_unmarked(line), 1 if under[1] else 2)
            at += 1
        else:
            yield _unmarked(line)
        at += 1


def _underlined(lines: list[str], at: int) -> re.Match[str] | None:
    """The underline of a heading that is one line of text below a blank line."""
    if not lines[at].strip() or at + 1 == len(lines) or (at and lines[at - 1].strip()):
        return None
    return _UNDERLINE.fullmatch(lines[at + 1])


def _unmarked(line: str) -> str:
    """A line without the marks of links, emphasis and code; their text stays."""
    if not _MARKS.search(line):
        return line
    line = _LINK.sub(r"\1", line)
    return _CODE.sub(r"\1", _EMPHASIS.sub(r"\2", line))


def _from_fields(fields: dict[str, str]) -> Iterator[Stretch]:
    for key, value in fields.items():
        if key in ("abstract", "description") and value:
            yield Stretch("Abstract", "abstract", value.split("\n"))
        elif key in _ROLES and value:
            yield Stretch("Keywords", "keywords", [value])
