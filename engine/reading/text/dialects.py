"""What Markdown's dialects add to CommonMark: pandoc, Quarto, MyST, Obsidian, and what converters of PDF leave.

Their marks go, and the words that they mark stay. Of front matter the top-level fields are read as text; YAML is never
evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from engine.documents.dates import year_in
from engine.documents.people import is_name, is_names, is_place, split_names, unmarked
from engine.documents.text import one_line
from engine.reading.heading_names import ABSTRACT, KEYWORDS

_MAX_LINES = 200
_AUTHORS = (
    *("author", "authors", "author_name", "author_names", "creator", "creators", "dc.creator", "dc:creator", "byline"),
    *("by", "writer", "writers", "autor", "autoren", "autores", "auteur", "auteurs", "contributors", "contributor"),
)
"""Keys of front matter under which authors stand; the first that is there counts."""
_FIELD = re.compile(
    rf"(title|abstract|description|keywords|tags|date|year|published|lang|{'|'.join(map(re.escape, _AUTHORS))})"
    r"\s*+:\s*+(.*)",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"[|>][-+\d]{0,2}(?:\s+#.*)?")
_ITEM = re.compile(r"(\s*+)-(?:\s++(.*))?")
_PART = re.compile(r"\b(?:(given|first|fore)|family|last|sur)(?:[ _-]?names?)?:\s*([^\s,{}][^,{}]*)", re.IGNORECASE)
_NAME_FIELD = re.compile(r"(?:(?:full[ _-]?)?name|literal)\s*:\s*", re.IGNORECASE)
_OTHER_FIELD = re.compile(r"(?!(?:full[ _-]?)?name\s*:)[\w-]+:\s", re.IGNORECASE)
_BRACED_FIELDS = re.compile(r"\{([^{}]{1,2000})\}")
_TITLE_BLOCK = ("title", "author", "date")
_MAX_NAME = 100


def front_matter(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """Return the fields that stand between two lines of `---`, as title, abstract and author, and the line after them.

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
    """Return the fields of pandoc's title block, and the line after it: `% title`, `% authors`, `% date`.

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
            key, below = match[1].lower(), list(_below(lines[at + 1 :]))
            if key in _AUTHORS and _BLOCK.fullmatch(match[2].strip()):
                yield key, "; ".join(filter(None, map(str.strip, below)))
            elif value := _value(match[2].strip(), below):
                yield key, value


def _below(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that go on with a field: indented ones, blank ones, items of a list, and the list's end."""
    for line in lines:
        if line.strip(" \t]") and not line[0].isspace() and not _ITEM.fullmatch(line):
            return
        yield line


def _value(first: str, below: list[str]) -> str:
    """Return a field's text, from what stands on its own line and below it."""
    if _BLOCK.fullmatch(first):
        paragraphs = re.split(r"\n\s*\n", "\n".join(below))
        return "\n\n".join(text for one in paragraphs if (text := one_line(one)))
    items = _items(below)
    if not first and items:
        return "; ".join(text for one in items if (text := _item(one)))
    whole = one_line(" ".join((first, *below)))
    if re.match(r"\[?\s*\{", whole) and (braced := _BRACED_FIELDS.findall(whole)):
        return "; ".join(text for one in braced if (text := _item(one.split(","))))
    if whole.startswith("[") and whole.endswith("]"):
        return "; ".join(text for one in whole[1:-1].split(",") if (text := _unquoted(one)))
    return _unquoted(whole)


def _items(below: Sequence[str]) -> list[list[str]]:
    """Return the lines of each item of a list; what stands further in belongs to the item above it."""
    items: list[list[str]] = []
    depth = None
    for line in below:
        match = _ITEM.fullmatch(line)
        if match is not None and (depth is None or match.end(1) <= depth):
            depth = match.end(1) if depth is None else depth
            items.append([match[2] or ""])
        elif items and line.strip():
            items[-1].append(line.strip())
    return items


def _item(lines: Sequence[str]) -> str:
    """Return an item's text; of a list of fields its name, also one in two parts."""
    lines = [one.strip() for line in lines for one in (line[1:-1].split(",") if line.startswith("{") else [line])]
    parts = {bool(match[1]): _unquoted(match[2]) for line in lines for match in _PART.finditer(line)}
    if parts.get(True) and parts.get(False):
        return f"{parts[True]} {parts[False]}"
    named = next((line for line in lines if _NAME_FIELD.match(line)), lines[0])
    return _unquoted(_NAME_FIELD.sub("", named).removesuffix(":"))


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return one_line(str(json.loads(value)))
        except json.JSONDecodeError:
            return one_line(value[1:-1])
    return one_line(value.strip("'"))


_BESIDE = re.compile(r"^(?:written )?by\s+|\s\([^()]{0,300}\)(?=\s*(?:[,;&]|and\b|$))", re.IGNORECASE)


def authors_of(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return the authors in front matter: a list, names between "and" or semicolons, or a list of `name: ...`."""
    listed = next((fields[key] for key in _AUTHORS if fields.get(key)), "")
    named = (_NAME_FIELD.sub("", name) for name in split_names(_BESIDE.sub("", listed)) if not _OTHER_FIELD.match(name))
    return tuple(dict.fromkeys(_unquoted(name) for name in named if 0 < len(name) <= _MAX_NAME))


def year_of(fields: Mapping[str, str]) -> int | None:
    """Return the year that front matter gives by itself or in a date."""
    years = (year_in(fields.get(key, "")) for key in ("year", "date", "published"))
    return next(filter(None, years), None)


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LEFT_OUT = re.compile(
    r"\([\w:.-]{1,100}\)=\s*"  # MyST: the name of the heading below
    r"|:{3}.*"  # pandoc, Quarto, MyST: a division begins or ends
    r"|\+{3}(?:\s.*)?"  # MyST: a cell ends
    r"|\{\d{1,5}\}-{10,}+\s*+|\[MISSING_PAGE_\w{1,20}:\d{1,5}\]"  # marker: a page ends; Nougat: one is not read
    r"|\{\{[<%].*[%>]\}\}\s*"  # Quarto, Hugo: a program is to write here
    r"|\[(?:TOC|\[_TOC_\])\]\s*|\\(?:newpage|pagebreak|tableofcontents|maketitle)\s*",
)
_OF_LATEX = (
    (re.compile(r"^\\section\*?\{([^{}\n]{1,300})\}", re.MULTILINE), r"\n## \1\n"),
    (re.compile(r"^\\subsection\*?\{([^{}\n]{1,300})\}", re.MULTILINE), r"\n### \1\n"),
    (re.compile(r"^\\subsubsection\*?\{([^{}\n]{1,300})\}", re.MULTILINE), r"\n#### \1\n"),
    (re.compile(r"^\\begin\{abstract\}", re.MULTILINE), "\n## Abstract\n"),
    (re.compile(r"^\\end\{abstract\}", re.MULTILINE), "\n"),
    (
        re.compile(
            r"^\\(?:(?:begin|end)\{(?:figure|table|tabular)\*?\}|includegraphics|captionsetup|hline$).*", re.MULTILINE
        ),
        "",
    ),
    (re.compile(r"^\\(?:caption|footnotetext)\{(.*)\}$", re.MULTILINE), r"\n\1\n"),
    (re.compile(r"^\\hline ((?:[^\\\n]|\\(?!\\$))*+)\\\\$", re.MULTILINE), r"\1\n"),
)
"""Mathpix and Nougat write LaTeX's title and headings among Markdown's."""
_BRACED = r"\{\s*+((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,200}+\}){0,200}+\}){1,2000}?)\}"
_TITLE = re.compile(rf"^\\title{_BRACED}", re.MULTILINE)
_AUTHOR = re.compile(rf"^\\author{_BRACED}", re.MULTILINE)
_OPENS = re.compile(r"[#*_\s]*+(?:(?:1|I)[.)]?\s+)?(?:a ?b ?s ?t ?r ?a ?c ?t|summary|introduction)\b", re.IGNORECASE)
_MOST_FRONT = 60
_MARK = (
    r"[ \t]*(?:\$(?:[ \t]*\{[ \t]*\})?[ \t]*\^[ \t]*(?:\{(?:[^{}$]|\{[^{}$]{0,20}\}){0,40}\}|[^\s{}$])[ \t]*\$"
    r"|\\\((?:\{\})?\^(?:\{[^{}]{0,40}\}|\w)\\\)|<sup>[^<>\n]{0,40}</sup>|\[\d{1,2}(?:, ?\d{1,2})*+\])"
)
_MARKED = re.compile(rf"(?<=[^\W\d_]|[.)]){_MARK}(?P<next>[ \t]*[^\W\d_])?")
"""A raised mark behind a name, as converters write it."""
_BETWEEN_NAMES = re.compile(
    r"(?<=[^\W\d_]|\.)[ ]?(?:\$[^$\n]{1,60}\$|\d{1,2}(?: ?, ?(?:\d{1,2}|[*\u2217†‡]))*+) ?(?=(?P<next>[^\W\d_])|[,;]|$)"
)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_AND = re.compile(r"^\s*&\s*(?=[^\W\d_])")
"""What Nougat leaves of LaTeX's way to part authors."""
_NAMED = re.compile(r"\W*authors?\W*:[\s*_]*+", re.IGNORECASE)
_NOTE_OF_TITLE = re.compile(r"\$[ {}]*\^[ {]*(?:[*\u2217†‡§]|\\(?:a?st|d?dag)\w*)[ }]*\$|<sup>[*\u2217†‡§]</sup>")
_LABEL = re.compile(r"^[ \t]*(\*\*|__|\*|_)([A-Za-z ]{4,30}?)\1\s++(?=[\w(“\"])", re.MULTILINE)
_COMMENT = "%%"
_ATTRIBUTES = re.compile(r"\{([^{}\n]{1,200})\}")
_ATTRIBUTE = re.compile(r"[#.][A-Za-z][\w:.-]*|-|[A-Za-z][\w-]*=\S*|:?[A-Za-z][\w-]*:")
_SPAN = re.compile(r"\[([^\[\]\n]{1,300})\](\{[^{}\n]{1,200}\})")
_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_NOTED = re.compile(r"\[\^[^\[\]\n]{1,60}\](?!:)")
"""Where a footnote is named in the text."""
_HIGHLIGHT = re.compile(r"==(?=\S)([^=\n]{1,300})==")
_BLOCK_NAME = re.compile(r"(?<=\S) \^[A-Za-z0-9-]{1,60}$")
_CALLOUT = re.compile(r"\[!\w{1,30}\][+-]? ?")


def without_latex(text: str) -> str:
    """Return a text with Markdown's headings for those of LaTeX."""
    if "\\" not in text:
        return text
    for pattern, written in _OF_LATEX:
        text = pattern.sub(written, text)
    text = _TITLE.sub(lambda match: f"# {one_line(match[1])}", text)
    return _AUTHOR.sub(lambda match: match[1].replace("\\\\", "\n"), text)


def with_labels(text: str) -> str:
    """Return a text with a colon behind each label in bold or italics, as "**Abstract** We ...", that has none."""
    return _LABEL.sub(lambda match: f"{match[2]}: " if _is_label(match[2]) else match[0], text)


def _is_label(name: str) -> bool:
    return bool(ABSTRACT.match(name) or KEYWORDS.match(name))


def front_lines(lines: list[str]) -> list[str]:
    """Return lines with those above the abstract as people write them: no raised marks, each broken line by itself."""
    end = next((at for at, line in enumerate(lines[:_MOST_FRONT]) if at and _OPENS.match(line)), 0)
    begun, row, front = False, False, list[str]()
    for line in _apart("\n".join(_AND.sub("", _BREAK.sub("  \n", line)) for line in lines[:end]).split("\n")):
        cells = line.strip("|:- ") if line.startswith("|") else ""
        row = bool(line.startswith("|") and (row or is_names(cells)))  # of a table that sets the names
        cells = cells if row else line[found.end() :] if (found := _NAMED.match(line)) else line
        marked = _MARKED.sub(lambda match: f";{match['next']}" if match["next"] else "", cells)
        parted = _BETWEEN_NAMES.sub(lambda match: "; " if match["next"] else "", marked)
        marked = parted if is_names(parted) or is_name(parted.strip()) else marked
        front.append(marked if begun else _NOTE_OF_TITLE.sub("", line))
        front += [""] * (row or line.endswith(("  ", "\\")))
        begun = begun or bool(line.strip())
    return [*front, *lines[end:]]


def _apart(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines; where a name stands over its institute or address, each line of that block by itself."""
    block: list[str] = []
    for line in (*lines, ""):
        if line.strip():
            block.append(line)
            continue
        first = unmarked(_MARKED.sub("", block[0].replace("\\", "")).strip(" *_")) if len(block) > 1 else ""
        over = (is_name(first) or is_names(first)) and any(map(is_place, block[1:]))
        yield from (f"{one.rstrip(chr(92))}  " for one in block) if over else block
        yield line
        block = []


def common(lines: list[str]) -> list[str]:
    """Return the lines without those that a dialect alone understands; what stands in programs is kept."""
    kept: list[str] = []
    fence = ""
    comment = False
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            fence = "" if found is not None and found[1].startswith(fence) else fence
        elif found is not None:
            fence = found[1]
        elif line.strip().startswith(_COMMENT) or comment:
            comment = comment != (line.count(_COMMENT) % 2 == 1)  # Obsidian: a comment may take several lines
            continue
        elif _LEFT_OUT.fullmatch(line.strip()):
            line = ""
        kept.append(line)
    return kept if not comment else lines


def plain(text: str) -> str:
    """Return a text without attributes of its spans, its links between pages by the words that they show."""
    text = _BLOCK_NAME.sub("", text)
    if "==" in text:
        text = _HIGHLIGHT.sub(r"\1", text)
    if "[" not in text and "{" not in text:
        return text
    text = _NOTED.sub("", _LINK.sub(_linked, text))
    text = _SPAN.sub(lambda match: match[1] if _is_attributes(match[2]) else match[0], text)
    return _CALLOUT.sub("", text) if text.startswith("[!") else text


def without_attributes(heading: str) -> str:
    """Return a heading without the attributes at its end, such as `{#sec:lids .unnumbered}` or `{-}`."""
    start = heading.rfind("{")
    if start > 0 and heading.endswith("}") and _is_attributes(heading[start:]):
        return heading[:start].rstrip()
    return heading


def after_link(text: str) -> str:
    """Return what follows a link or a picture without the attributes that belong to it."""
    match = _ATTRIBUTES.match(text)
    return text[match.end() :] if match is not None and _is_attributes(match[0]) else text


def _is_attributes(braced: str) -> bool:
    match = _ATTRIBUTES.fullmatch(braced)
    words = re.sub(r'"[^"]*"', "x", match[1]).split() if match is not None else []
    return bool(words) and all(_ATTRIBUTE.fullmatch(word) for word in words)


def _linked(match: re.Match[str]) -> str:
    if match[1]:
        return ""
    return match[3] or match[2].partition("#")[0] or match[2].lstrip("#")
