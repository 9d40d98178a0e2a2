"""Markdown into a document: headings by `#` or underline, a title from the front matter or the first heading."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from engine.readers import headings
from engine.readers.base import Reading
from engine.readers.clean import clean, one_line
from engine.readers.headings import Heading
from engine.readers.outline import Stretch, build, choose_abstract

_MAX_HEADING = 500
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-{2,})[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_FIELD = re.compile(r"(title|abstract|description|keywords|tags)\s*:\s*(.*)", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])")
_MARKS = re.compile(r"[\[*_`]")
_CODE = re.compile(r"`([^`\n]+)`")
_ROLES: dict[str, headings.Role] = {"keywords": "keywords", "tags": "keywords"}


def looks_like_markdown(text: str, *, sure: bool) -> bool:
    """Whether a text has Markdown headings or front matter; with `sure` the name says that it is Markdown."""
    if sure or text.lstrip().startswith("---\n"):
        return True
    lines = (line for line in text.splitlines()[:400] if len(line) <= _MAX_HEADING)
    return any(_ATX.fullmatch(line) for line in lines)


def read_markdown(text: str, identifier: str) -> Reading:
    """One document from Markdown."""
    lines = clean(text).split("\n")
    fields, start = _front_matter(lines)
    walked = list(_walk(lines[start:]))
    title = fields.get("title", "") or headings.title_among(
        [(heading, level) for heading, level, _ in walked if heading is not None]
    )
    stretches = [*_from_fields(fields), Stretch("", "body")]
    begun = False
    for heading, _, line in walked:
        if heading is None:
            stretches[-1].lines.append(line)
        elif begun or heading.title != title:
            stretches.append(Stretch(heading.title, heading.role))
        begun = begun or heading is not None
    choose_abstract(stretches)
    warnings = () if title else ("No title was found: neither front matter nor a first heading gives one.",)
    return Reading(build(identifier, title, stretches), "markdown", warnings)


def _walk(lines: list[str]) -> Iterator[tuple[Heading | None, int, str]]:
    """Each line as a heading with its level, or as text; nothing within a code fence is a heading."""
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        opened = _FENCE.match(line)
        if opened is not None and (not fence or opened[1] == fence):
            fence = "" if fence else opened[1]
        elif fence:
            yield None, 0, line
        elif len(line) <= _MAX_HEADING and (match := _ATX.fullmatch(line)) is not None:
            yield headings.of_title(_unmarked(match["title"])), len(match[1]), ""
        elif (under := _underlined(lines, at)) is not None:
            yield headings.of_title(_unmarked(line)), 1 if under[1] else 2, ""
            at += 1
        else:
            yield None, 0, _unmarked(line)
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


def _front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    """The simple fields of a YAML front matter, and the line after it; no YAML is evaluated."""
    if not lines or lines[0].strip() != "---":
        return {}, 0
    for stop in range(1, min(len(lines), 200)):
        if lines[stop].strip() in ("---", "..."):
            fields = (match for line in lines[1:stop] if (match := _FIELD.fullmatch(line.strip())))
            return {match[1].lower(): _unquoted(match[2]) for match in fields}, stop + 1
    return {}, 0


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return one_line(str(json.loads(value)))
        except json.JSONDecodeError:
            return one_line(value[1:-1])
    return one_line(value.strip("'[]|>"))


def _from_fields(fields: dict[str, str]) -> Iterator[Stretch]:
    for key, value in fields.items():
        if key in ("abstract", "description") and value:
            yield Stretch("Abstract", "abstract", [value])
        elif key in _ROLES and value:
            yield Stretch("Keywords", "keywords", [value.replace('"', "")])
