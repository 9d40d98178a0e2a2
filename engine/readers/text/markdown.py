"""Markdown into a document: headings by `#` or underline, a title from the front matter or the first heading.

markdown-it-py tells blocks and marks by CommonMark's rules; what stands in formulas and programs is kept as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.readers.base import Reading
from engine.readers.bylines import left_out
from engine.readers.text import headings
from engine.readers.text.front_matter import authors_of, front_matter, year_of
from engine.readers.text.headings import Heading
from engine.readers.text.outline import Stretch, build, choose_abstract
from engine.text import clean, one_line, without_tags

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MAX_HEADING = 500
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-{2,})[ \t]*")
_FORMULA = re.compile(
    r"\$\$(?:[^$\\]|\\.)++\$\$|\$(?:[^$\\\n]|\\.)++\$"
    r"|\\\((?:[^\\]|\\[^()])*+\\\)|\\\[(?:[^\\]|\\[^\[\]])*+\\\]",
    re.DOTALL,
)
_TEX = re.compile(r"[_^=$]|\\[A-Za-z]")
"""What formulas hold, and brackets that are only escaped do not."""
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
    walked = list(_walk("\n".join(lines[start:]), marked))
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


def _walk(source: str, marked: headings.Marked) -> Iterator[Heading | str]:
    """Each heading, also added to `marked`, and each line of text; headings in quotes and lists do not count."""
    tokens = _parser().parse(source)
    mark = ""
    cells: list[str] = []
    for before, token in pairwise((*tokens[:1], *tokens)):
        if before.type == "list_item_open":
            mark = f"{before.info}{before.markup} "
        if token.type != "inline":
            yield from _lines(token, cells)
            continue
        text = _plain(token.children or ())
        if before.type in ("td_open", "th_open"):
            cells.append(text)
        elif before.type == "heading_open" and not before.level and "\n" not in text and len(text) <= _MAX_HEADING:
            yield marked.add(text, int(before.tag[1]))
        else:
            yield from f"{mark}{text}".split("\n")
            yield from () if before.hidden else ("",)
        mark = ""


def _lines(token: Token, cells: list[str]) -> Iterator[str]:
    """The lines of a program or of HTML, the row whose `cells` end here, the blank line after a list or a table."""
    if token.type in ("fence", "code_block"):
        yield from token.content.split("\n")
    elif token.type == "html_block":
        yield from without_tags(token.content).split("\n")
    elif token.type == "tr_close":
        yield " | ".join(cells)
        cells.clear()
    elif token.type in ("table_close", "bullet_list_close", "ordered_list_close"):
        yield ""


def _plain(tokens: Sequence[Token]) -> str:
    """The text of a paragraph without its marks; a formula keeps its source."""
    return "".join(_piece(token) for token in tokens)


def _piece(token: Token) -> str:
    if token.type == "image":
        return _plain(token.children or ())
    if token.type == "html_inline":
        return " " if token.content.startswith("<br") else ""
    return "\n" if token.type in ("softbreak", "hardbreak") else token.content


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.inline.ruler.before("escape", "formula", _formula)
    return parser


def _formula(state: StateInline, silent: bool) -> bool:
    """Take a formula in as it is written."""
    match = _FORMULA.match(state.src, state.pos, state.posMax)
    if match is None or not _TEX.search(match[0]):
        return False
    if not silent:
        state.push("formula", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _underlined(lines: list[str], at: int) -> re.Match[str] | None:
    """The underline of a heading that is one line of text below a blank line."""
    if not lines[at].strip() or at + 1 == len(lines) or (at and lines[at - 1].strip()):
        return None
    return _UNDERLINE.fullmatch(lines[at + 1])


def _from_fields(fields: dict[str, str]) -> Iterator[Stretch]:
    for key, value in fields.items():
        if key in ("abstract", "description") and value:
            yield Stretch("Abstract", "abstract", value.split("\n"))
        elif key in _ROLES and value:
            yield Stretch("Keywords", "keywords", [value])
