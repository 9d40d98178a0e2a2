"""Wikitext: an article's sections as plain text, and the titles that it links to."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from engine.documents import Section
from engine.documents.text import tidy, without_tags

LEAD = "Lead"
"""The title that the text before the first heading is given."""

_LEFT_OUT = frozenset(
    "references|notes|notes and references|see also|external links|further reading|bibliography|sources|citations|"
    "footnotes|works cited|gallery".split("|")
)
"""Sections that list other works and pages, as CoLDE's authors remove references from papers."""

_ELEMENTS = "ref|math|nowiki|gallery|timeline|syntaxhighlight|source|score|chem|imagemap"
_DROPPED = re.compile(
    rf"(?P<opens><!--)|(?P<ends>-->)|<(?P<close>/?)(?P<name>{_ELEMENTS})\b[^<>]*?(?P<empty>/?)>", re.IGNORECASE
)
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
_OUTSIDE = re.compile(r"\[(?:https?:|ftp:)?//[^\s\[\]]*[ \t]*([^\[\]\n]*)\]")
_HEADING = re.compile(r"(={1,6})([^=\n].*?)\1[ \t]*")
_LIST = re.compile(r"[*#:;]+[ \t]*")
_QUOTES, _SWITCH = re.compile(r"'{2,}"), re.compile(r"__[A-Z]+__")
_LISTS_NAMES = re.compile(r"\{\{[ \t]*(?:disambig\w*|hndis|geodis|surname|given name)[ \t]*[|}\-]", re.IGNORECASE)
_MOST_NESTED = 6
_OTHER_SPACES = frozenset(
    "file image category template wikipedia project help portal user special media draft mediawiki module talk book "
    "timedtext wikt wiktionary commons wikisource wikiquote wikibooks wikidata species meta".split()
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)?")


def links_in(source: str) -> frozenset[str]:
    """The titles of articles that a source links to, whatever part of it the link stands in.

    A title begins with a capital and has spaces for underscores. Other namespaces, in English, and other wikis do not
    count; neither do links that templates bring.
    """
    found = (_target(match[1]) for match in _LINK.finditer(_without_elements(source)))
    return frozenset(title for title in found if title)


def sections_in(source: str) -> tuple[Section, ...]:
    """The sections under headings of the second level that have text, and the lead; without lists of other works."""
    return tuple(
        Section(title, text)
        for title, lines in _cut(_plain(source))
        if title.lower() not in _LEFT_OUT and (text := tidy("\n".join(lines)))
    )


def is_list_of_names(source: str) -> bool:
    """Whether a page only tells apart what bears one name."""
    return _LISTS_NAMES.search(source) is not None


def _cut(text: str) -> Iterator[tuple[str, list[str]]]:
    """Every section with its lines; headings further down only end a paragraph."""
    title, lines = LEAD, list[str]()
    for line in text.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading is None:
            lines.append(_LIST.sub("", line, count=1) if line[:1] in {"*", "#", ":", ";"} else line)
        elif len(heading[1]) <= 2:
            yield title, lines
            title, lines = heading[2].strip(), []
        else:
            lines.append("")
    yield title, lines


def _plain(source: str) -> str:
    """A source as text: no templates, tables, references, files or markup; links by what they show."""
    text = _without_braces(_without_elements(source))
    for _ in range(_MOST_NESTED):  # links in the captions of files
        text, count = _LINK.subn(lambda match: _shown(match[1]), text)
        if not count:
            break
    text = _SWITCH.sub("", _QUOTES.sub("", _OUTSIDE.sub(r"\1", text)))
    return html.unescape(without_tags(text, gap=" "))


def _without_elements(source: str) -> str:
    """A source without comments, references and what is not prose.

    One that is never closed loses its tag alone; of two that begin before one ends, the first goes to that end.
    """
    spans: list[tuple[int, int]] = []
    opened: tuple[str, int] | None = None
    marks = [(_named(match), bool(match["ends"] or match["close"]), match) for match in _DROPPED.finditer(source)]
    closed = {name: match.start() for name, closes, match in marks if closes}  # the last one of each name
    for name, closes, match in marks:
        if opened is not None:
            if closes and opened[0] == name:
                spans.append((opened[1], match.end()))
                opened = None
        elif match["empty"] or closes:
            spans.append(match.span())
        elif closed.get(name, -1) > match.start():
            opened = (name, match.start())
    return _cut_out(source, spans)


def _named(match: re.Match[str]) -> str:
    return "--" if match["opens"] or match["ends"] else match["name"].lower()


def _without_braces(source: str) -> str:
    """A source without templates and tables, however deep they nest; braces that do not close stay."""
    begun: list[int] = []
    spans: list[tuple[int, int]] = []
    for match in _BRACES.finditer(source):
        if match[0] in ("{{", "{|"):
            begun.append(match.start())
        elif begun:
            start = begun.pop()
            while spans and spans[-1][0] > start:
                spans.pop()  # within this one
            spans.append((start, match.end()))
    return _cut_out(source, spans)


def _cut_out(text: str, spans: list[tuple[int, int]]) -> str:
    """A text without some stretches, which are in order and apart."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return "".join(text[start:stop] for start, stop in zip(edges[::2], edges[1::2], strict=True))


def _shown(link: str) -> str:
    """What a link shows: its last part, or nothing of one to a file or a category."""
    target, named, shown = link.partition("|")
    if _space(target) and not target.lstrip().startswith(":"):
        return ""
    return shown.rpartition("|")[2] if named else target.strip().lstrip(":")


def _target(link: str) -> str:
    """The title that a link leads to; empty for one that leads to no article."""
    title = link.partition("|")[0].partition("#")[0].replace("_", " ")
    title = " ".join(html.unescape(title).split())
    if not title or _space(title):
        return ""
    return title[0].upper() + title[1:]


def _space(target: str) -> bool:
    """Whether a link leads to another namespace, or another wiki."""
    name, found, _ = target.strip().lstrip(":").partition(":")
    name = name.strip()
    lower = name.lower().removesuffix(" talk")
    return bool(found) and (lower in _OTHER_SPACES or _LANGUAGE.fullmatch(name) is not None)
