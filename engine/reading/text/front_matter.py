"""A Markdown file's front matter: its top-level fields as text; YAML is never evaluated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from engine.documents.text import one_line

_MAX_LINES = 200
_FIELD = re.compile(
    r"(title|abstract|description|keywords|tags|authors?|date|year|published|lang)\s*+:\s*+(.*)", re.IGNORECASE
)
_BLOCK = re.compile(r"[|>][-+\d]{0,2}(?:\s+#.*)?")
_ITEM = re.compile(r"\s*+-\s++(.*)")
_BETWEEN_AUTHORS = re.compile(r"(?:(?<!\s)\s++)?;\s*+|(?<!\s)\s++(?:and|&)\s++|,\s*+(?:and|&)\s++")
_PART = re.compile(r"\b(given|family)(?:[ _-]?names?)?:\s*([^\s,{}][^,{}]*)", re.IGNORECASE)
_NAME_FIELD = re.compile(r"(?:full[ _-]?)?name\s*:\s*", re.IGNORECASE)
_OTHER_FIELD = re.compile(r"(?!(?:full[ _-]?)?name\s*:)[\w-]+:\s", re.IGNORECASE)
_TITLE_BLOCK = ("title", "author", "date")
_MAX_NAME = 100
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")


def front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The fields that stand between two lines of `---`, as title, abstract and author, and the line after them.

    A text may be plain, quoted, or a block (`|` or `>`) of indented lines, which keeps its paragraphs; the items of a
    list are joined by semicolons. Fields of fields are not read.
    """
    if lines and lines[0].startswith("% "):
        return _title_block(lines)
    if not lines or lines[0].strip() != "---":
        return {}, 0
    for stop in range(1, min(len(lines), _MAX_LINES)):
        if lines[stop].rstrip() in ("---", "..."):
            return dict(_fields(lines[1:stop])), stop + 1
    return {}, 0


def _title_block(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The fields of pandoc's title block, and the line after it: `% title`, `% authors`, `% date`.

    Each may go on in indented lines; authors stand on lines of their own or between semicolons.
    """
    found: list[list[str]] = []
    for line in lines[:_MAX_LINES]:
        if line.startswith("%") and len(found) < len(_TITLE_BLOCK):
            found.append([line[1:].strip()])
        elif found and line[:1].isspace() and line.strip():
            found[-1].append(line.strip())
        else:
            break
    texts = zip(_TITLE_BLOCK, found, strict=False)
    fields = {key: "; ".join(one) if key == "author" else " ".join(one) for key, one in texts if any(one)}
    return fields, sum(map(len, found))


def _fields(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for at, line in enumerate(lines):
        if match := _FIELD.fullmatch(line.rstrip()):
            value = _value(match[2].strip(), list(_below(lines[at + 1 :])))
            if value:
                yield match[1].lower(), value


def _below(lines: Sequence[str]) -> Iterator[str]:
    """The lines that go on with a field: indented ones, blank ones, items of a list, and the list's end."""
    for line in lines:
        if line.strip(" \t]") and not line[0].isspace() and not _ITEM.fullmatch(line):
            return
        yield line


def _value(first: str, below: list[str]) -> str:
    """A field's text, from what stands on its own line and below it."""
    if _BLOCK.fullmatch(first):
        paragraphs = re.split(r"\n\s*\n", "\n".join(below))
        return "\n\n".join(text for one in paragraphs if (text := one_line(one)))
    items = _items(below)
    if not first and items:
        return "; ".join(text for one in items if (text := _item(one)))
    whole = one_line(" ".join((first, *below)))
    if whole.startswith("[") and whole.endswith("]"):
        return "; ".join(text for one in whole[1:-1].split(",") if (text := _unquoted(one)))
    return _unquoted(whole)


def _items(below: Sequence[str]) -> list[list[str]]:
    """The lines of each item of a list; what stands further in belongs to the item above it."""
    items: list[list[str]] = []
    depth = None
    for line in below:
        match = _ITEM.fullmatch(line)
        if match is not None and (depth is None or match.start(1) <= depth):
            depth = match.start(1) if depth is None else depth
            items.append([match[1]])
        elif items and line.strip():
            items[-1].append(line.strip())
    return items


def _item(lines: Sequence[str]) -> str:
    """An item's text; of a list of fields its name, also one in two parts."""
    parts = {match[1].lower(): _unquoted(match[2]) for line in lines for match in _PART.finditer(line)}
    if parts.get("given") and parts.get("family"):
        return f"{parts['given']} {parts['family']}"
    named = next((line for line in lines if _NAME_FIELD.match(line)), lines[0])
    return _unquoted(named)


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return one_line(str(json.loads(value)))
        except json.JSONDecodeError:
            return one_line(value[1:-1])
    return one_line(value.strip("'"))


def authors_of(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The authors that front matter names: a list, names with "and" or semicolons between, or a list of `name: ...`."""
    listed = fields.get("author") or fields.get("authors") or ""
    names = [name for part in _BETWEEN_AUTHORS.split(listed) for name in _apart(part)]
    named = (_NAME_FIELD.sub("", name) for name in names if not _OTHER_FIELD.match(name))
    return tuple(dict.fromkeys(_unquoted(name) for name in named if 0 < len(name) <= _MAX_NAME))


def _apart(listed: str) -> list[str]:
    """Names with commas between, each of several words; "Lovelace, Ada" and "van der Berg, Jan Peter" are one."""
    names = [name.strip() for name in listed.split(",")]
    return names if all(len(name.split()) > 1 and not name[0].islower() for name in names) else [listed.strip()]


def year_of(fields: Mapping[str, str]) -> int | None:
    """The year that front matter gives by itself or in a date."""
    for key in ("year", "date", "published"):
        if match := _YEAR.search(fields.get(key, "")):
            return int(match[0])
    return None
