"""Markdown into a document: headings by `#` or underline, a title from the front matter or the first heading.

markdown-it-py tells blocks and marks by CommonMark's rules; what stands in formulas and programs is kept as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.documents.people import is_about_authors, is_name, is_place, names_in, split_byline, unmarked
from engine.documents.text import clean, lowered, one_line, raised, without_tags
from engine.reading.base import ReadFile, left_out_about_authors, with_notes, worded
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.mathml import with_fractions
from engine.reading.text import dialects, headings
from engine.reading.text.dialects import authors_of, front_matter, year_of
from engine.reading.text.headings import TextHeading
from engine.reading.text.outline import Stretch, build, choose_abstract, looks_like_title
from engine.reading.text.plain import without_running_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MAX_HEADING = 500
_ATX = re.compile(r" {0,3}#{1,6}[ \t]++\S.*")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-{2,})[ \t]*")
_FORMULA = re.compile(
    r"\$\$(?:[^$\\]|\\.)++\$\$|\$(?:[^$\\\n]|\\.)++\$"
    r"|\\\((?:[^\\]|\\[^()])*+\\\)|\\\[(?:[^\\]|\\[^\[\]])*+\\\]",
    re.DOTALL,
)
_NOTE = re.compile(r"^\[\^[^\[\]\n]{1,60}\]:[ \t]*+", re.MULTILINE)
"""Where the text of a footnote begins, as pandoc and GitHub write it."""
_TEX = re.compile(r"[_^=$]|\\[A-Za-z]")
"""What formulas hold, and brackets that are only escaped do not."""
_PLAIN_HEADING = re.compile(
    r"\s*(?:abstract(?:\s*$|\s*[:.—–]|\s+-).*|(?:\d{1,2}|[IVX]{1,5})\.?\s+(?P<name>\w.*))", re.IGNORECASE
)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>((?:[^<]|<(?!/h)){1,500})</h\1>", re.IGNORECASE)
_TOWN = re.compile(r"[^\W\d_][\w.'-]{1,40}(?:,? [^\W\d_][\w.'-]{1,40}){0,3}(?:,? [\w-]{2,10})?")
_ADDRESS = re.compile(r"(?:^|(?<=\s))\S{1,80}@\S{1,80}$")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_SCRIPTS = {"<sup>": raised, "<sub>": lowered}
_BOLD = 7  # the level of a bold line, below all headings
_BOLD_WORDS = 20
_BUDGET = "budget"
_ROLES: dict[str, headings.Role] = {"keywords": "keywords", "tags": "keywords"}


@dataclass(frozen=True, slots=True)
class _Title:
    """A heading as it is written."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph that stands in no list, quote or table; `bold` if all of it is."""

    text: str
    bold: bool


def looks_like_markdown(text: str, *, sure: bool) -> bool:
    """Return whether a text has front matter, begins with a heading, or has two, and more than a plain text's.

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
    """Tell whether a line is a heading that only a plain text has: the word Abstract, or a number and a known name."""
    match = _PLAIN_HEADING.fullmatch(lines[at])
    if match is None or _underlined(lines, at):
        return False
    return match["name"] is None or headings.is_named(match["name"].strip())


def read_markdown(text: str, identifier: str, limits: Limits = LIMITS) -> ReadFile:
    """Read one document from Markdown; raises what the budget's check does."""
    text = clean(without_running_text(text) if "\f" in text else text)
    text = with_fractions(dialects.with_labels(dialects.without_latex(text)))
    lines = text.split("\n")
    fields, start = front_matter(lines)
    marked = headings.MarkedHeadings()
    walked = _walked("\n".join(dialects.common(dialects.front_lines(lines[start:]))), Budget.within(limits, "the text"))
    found = [marked.add(one.text, one.level) if isinstance(one, _Title) else one for one in walked]
    title = one_line(fields.get("title", "")) or marked.title
    title, found = (title, found) if title else _titled(found)
    notes = list[str]()
    found = list(_without_notes(found, notes))
    stretches = [*_from_fields(fields), *_stretches(found, title)]
    about = choose_abstract(stretches)
    warnings = () if title else ("No title was found: neither front matter nor a first heading gives one.",)
    warnings = (*warnings, left_out_about_authors(about)) if about else warnings
    document = build(identifier, title, stretches)
    language = fields.get("lang", "") if _LANGUAGE.fullmatch(fields.get("lang", "")) else ""
    document = replace(
        document,
        authors=authors_of(fields) or max(names_in(about), _lone_names(about), key=len),
        year=year_of(fields),
        language=language or document.language,
    )
    return ReadFile(with_notes(document, list(worded(notes))), "markdown", warnings)


def _without_notes(
    found: list[TextHeading | _Paragraph | str], notes: list[str]
) -> Iterator[TextHeading | _Paragraph | str]:
    """Yield the parts of a text without the notes between them, which go to `notes`; those of a reference list stay."""
    listed = False
    for one in found:
        listed = one.role == "references" if isinstance(one, TextHeading) else listed
        if isinstance(one, _Paragraph) and not listed and _NOTE.match(one.text):
            _, *texts = _NOTE.split(one.text)
            notes.extend(texts)
        else:
            yield one


def _stretches(found: Sequence[TextHeading | _Paragraph | str], title: str) -> list[Stretch]:
    """Return the text under each heading; title, journal's banner and names above the abstract make no section."""
    stretches = [Stretch("", "body")]
    awaited = any(isinstance(one, TextHeading) and one.role == "abstract" for one in found)
    begun, front = False, True
    for one in found:
        if isinstance(one, str):
            stretches[-1].lines.append(one)
        elif isinstance(one, _Paragraph):
            _add(stretches, one.text, front=front)
        elif front and headings.is_banner(one.title):
            continue
        elif front and begun and awaited and one.role == "body" and _names_authors(one.title):
            stretches[-1].lines.extend([one.title, ""])
        else:
            if begun or title not in (one.title, one.whole):
                stretches.append(Stretch(one.title, one.role))
                front = front and not (one.role == "body" and one.title)
            begun, awaited = True, awaited and one.role != "abstract"
    return stretches


def _lone_names(about: Sequence[str]) -> tuple[str, ...]:
    """Return the names that stand each on a line of its own, perhaps before its place, above all but places.

    With an address behind each, a name stands first or behind the address of another: New York is none.
    """
    found: list[str] = []
    addresses = sum("@" in one for one in about) > 1
    before = "@"
    for whole in about:
        one = unmarked(_ADDRESS.sub("", whole))
        pieces = split_byline(one)
        named = is_name(one) or (len(pieces) > 1 and is_name(pieces[0]) and is_place(pieces[1]))
        if named and not (addresses and "@" not in before and not is_name(before)):
            found.append(pieces[0])
        elif not named and one and not is_place(one) and not _TOWN.fullmatch(one):
            break
        before = whole
    return tuple(dict.fromkeys(filter(is_name, found)))


def _names_authors(title: str) -> bool:
    pieces = split_byline(title)
    return bool(pieces) and all(is_name(one) or is_place(one) for one in pieces)


def _titled(found: list[TextHeading | _Paragraph | str]) -> tuple[str, list[TextHeading | _Paragraph | str]]:
    """Return the title that stands as a paragraph above an abstract or an introduction, and the rest of the parts."""
    first = next(
        (one for one in found if isinstance(one, TextHeading) or (isinstance(one, _Paragraph) and one.text)), None
    )
    if not isinstance(first, _Paragraph) or headings.of_paragraph(first.text, front=True, within="body"):
        return "", found
    heading = next((one for one in found if isinstance(one, TextHeading)), None)
    text = one_line(first.text)
    if heading is None or not headings.opens(heading) or not looks_like_title(text) or is_about_authors(text):
        return "", found
    return text, [one for one in found if one is not first]


def _add(stretches: list[Stretch], text: str, *, front: bool) -> None:
    """Add a paragraph; one that says by its first words what it is begins a part of its own."""
    heading = headings.of_paragraph(text, front=front, within=stretches[-1].role)
    if heading is None:
        stretches[-1].lines.extend([*text.split("\n"), ""])
        return
    stretches.append(Stretch(heading.title, heading.role, [*heading.rest.split("\n"), ""] if heading.rest else []))
    if heading.role == "keywords" and heading.rest:
        stretches.append(Stretch(""))


def _walked(source: str, budget: Budget) -> list[_Title | _Paragraph | str]:
    """Return each heading, paragraph and other line of text, in order; headings in quotes and lists do not count.

    A paragraph that is bold from end to end is a heading if it reads as one. With two such, every one is where the text
    has at most one other heading.
    """
    found = list(_walk(source, budget))
    known = sum(isinstance(one, _Paragraph) and one.bold and headings.is_heading(one.text) for one in found)
    every = known > 1 and sum(isinstance(one, _Title) for one in found) < 2
    return [
        _Title(one.text, _BOLD)
        if isinstance(one, _Paragraph) and one.bold and (every or headings.is_heading(one.text))
        else one
        for one in found
    ]


def _walk(source: str, budget: Budget) -> Iterator[_Title | _Paragraph | str]:
    tokens = _parser().parse(source, {_BUDGET: budget})
    mark = ""
    cells: list[str] = []
    for before, token in pairwise((*tokens[:1], *tokens)):
        budget.check()
        if before.type == "list_item_open":
            mark = f"{before.info}{before.markup} "
        if token.type == "html_block" and (match := _HTML_HEADING.fullmatch(token.content.strip())):
            yield _Title(without_tags(match[2]), int(match[1]))
            continue
        if token.type != "inline":
            yield from _lines(token, cells)
            continue
        text = _plain(token.children or ())
        if before.type in ("td_open", "th_open"):
            cells.append(text)
        elif before.type == "heading_open" and not before.level and "\n" not in text and len(text) <= _MAX_HEADING:
            yield _Title(dialects.without_attributes(text), int(before.tag[1]))
        elif before.type == "paragraph_open" and not before.level:
            yield _Paragraph(text, _is_bold(token.children or ()) and len(text.split()) <= _BOLD_WORDS)
        else:
            yield from f"{mark}{text}".split("\n")
            yield from () if before.hidden else ("",)
        mark = ""


def _is_bold(tokens: Sequence[Token]) -> bool:
    """Return whether one bold stretch is all of a paragraph."""
    shown = [
        token for token in tokens if token.type not in ("em_open", "em_close") and token.content.strip() + token.tag
    ]
    shown = [token for token in shown if token.type != "html_inline"]
    opened = sum(token.type == "strong_open" for token in shown)
    return opened == 1 and shown[0].type == "strong_open" and shown[-1].type == "strong_close"


def _lines(token: Token, cells: list[str]) -> Iterator[str]:
    """Yield a program's or HTML's lines, the row whose `cells` end here, or the blank line after a list or a table."""
    if token.type in ("fence", "code_block"):
        yield from token.content.split("\n")
    elif token.type == "html_block":
        yield from unescape(without_tags(token.content)).split("\n")
    elif token.type == "tr_close":
        yield " | ".join(cells)
        cells.clear()
    elif token.type in ("table_close", "bullet_list_close", "ordered_list_close"):
        yield ""


def _plain(tokens: Sequence[Token]) -> str:
    """Return the text of a paragraph without its marks; a formula keeps its source."""
    text = ""
    for before, token in pairwise((None, *tokens)):
        piece = _piece(before, token) if token is not None else ""
        write = _SCRIPTS.get(before.content) if before is not None else None
        text += write(text[-1:], piece) if write is not None else piece
    return text


def _piece(before: Token | None, token: Token) -> str:
    if token.type == "image":
        return _plain(token.children or ())
    if token.type == "html_inline":
        return " " if token.content.startswith("<br") else ""
    if token.type == "text":
        linked = before is not None and before.type in ("image", "link_close", "code_inline")
        return dialects.plain(dialects.after_link(token.content) if linked else token.content)
    return "\n" if token.type in ("softbreak", "hardbreak") else token.content


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.block.ruler.before("table", "clock", _clock, {"alt": ["paragraph", "blockquote", "list", "reference"]})
    return parser


def _clock(state: StateBlock, _start: int, _stop: int, _silent: bool) -> bool:
    """Look at the clock before each block and each line; nothing is taken in."""
    state.env[_BUDGET].check()
    return False


def _formula(state: StateInline, silent: bool) -> bool:
    """Take a formula in as it is written; also look at the clock."""
    state.env[_BUDGET].check()
    match = _FORMULA.match(state.src, state.pos, state.posMax)
    if match is None or not _TEX.search(match[0]):
        return False
    if not silent:
        state.push("formula", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _underlined(lines: list[str], at: int) -> re.Match[str] | None:
    """Return the underline of a heading that is one line of text below a blank line."""
    if not lines[at].strip() or at + 1 == len(lines) or (at and lines[at - 1].strip()):
        return None
    return _UNDERLINE.fullmatch(lines[at + 1])


def _from_fields(fields: dict[str, str]) -> Iterator[Stretch]:
    for key, value in fields.items():
        if key in ("abstract", "description") and value:
            yield Stretch("Abstract", "abstract", value.split("\n"))
        elif key in _ROLES and value:
            yield Stretch("Keywords", "keywords", [value])
