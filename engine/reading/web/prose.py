"""The elements of a web page as the parts of a document: headings, paragraphs, abstract and reference lists.

One pass, without recursion. What a `Layout` drops is left out with all that it holds. Formulas become LaTeX, from the
source that stands beside them, else from their MathML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal
from xml.etree.ElementTree import Element

from engine.documents.text import one_line, tidy
from engine.reading.limits import Budget
from engine.reading.mathml import delimited, of_math, script_mark, settle_fractions
from engine.reading.text.headings import MarkedHeadings, find

Test = Callable[[Element], bool]

_EMPTY_BRACKETS = re.compile(r"(?:(?<!\s)\s++)?(?:\[\s*+\]|\(\s*+\))|(?<![\s|·;])[\s|·;]++$")
_SPACES = re.compile(r"\s+")
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "header hgroup hr html main nav ol p pre section summary table tbody tfoot thead tr ul".split()
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ROWS = frozenset({"tbody", "thead", "tfoot", "tr", "td", "th", "colgroup"})
_UNREAD = frozenset(
    "script style noscript template iframe frame frameset object embed applet svg canvas audio video button select "
    "option textarea input dialog map title head meta link base datalist progress annotation annotation-xml".split()
)


def never(_element: Element) -> bool:
    """Return false, for every element."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How one kind of page marks its parts.

    `drop` tells what is not text of the work; `abstract` and `references` the elements that hold these whole, `entry`
    one entry in a list of references and `not_cited` what else stands in one; `run_in` headings that begin a paragraph,
    `heading` elements that are headings beside those of HTML.
    """

    drop: Test = never
    abstract: Test = never
    references: Test = never
    entry: Test = lambda element: element.tag == "li"
    not_cited: Test = never
    run_in: Test = never
    heading: Test = never


@dataclass(slots=True)
class ProsePart:
    """A heading with its level, a paragraph, an abstract, key words, or a reference list's title and entries."""

    kind: Literal["heading", "text", "abstract", "references", "keywords"]
    text: str = ""
    level: int = 0
    entries: list[str] = field(default_factory=list)


def classes(element: Element) -> set[str]:
    """Return the names in an element's class."""
    return set(element.get("class", "").split())


def tagged(root: Element, *tags: str) -> Iterator[Element]:
    """Return the elements with one of these tags, in reading order."""
    return (one for one in root.iter() if one.tag in tags)


def parts(root: Element, layout: Layout, budget: Budget | None = None) -> list[ProsePart]:
    """Return the parts of an element in reading order; raises InputTooLargeError for too many headings or seconds."""
    return _Writer(root, layout, budget).write()


def text_line(element: Element | None, drop: Test = never) -> str:
    """Return all text of an element in one line, its formulas as LaTeX."""
    if element is None:
        return ""
    found = _Writer(element, Layout(drop=drop)).write()
    return one_line(" ".join(part.text for part in found))


def paragraphs(element: Element, drop: Test = never) -> list[str]:
    """Return the paragraphs of an element; inner headings stand before the first one under each, with a colon.

    A heading that only says that this is an abstract is left out.
    """
    found: list[str] = []
    heading = ""
    for part in parts(element, Layout(drop=drop)):
        if part.kind == "heading":
            named = MarkedHeadings().add(part.text, part.level).role == "abstract"
            heading = "" if named else part.text.rstrip(":. ")
            continue
        found.append(f"{heading}: {part.text}" if heading else part.text)
        heading = ""
    label = find(found, 0, "front") if found else None
    if label is not None and label.role == "abstract":
        found[0] = label.rest
    return [text for text in found if text]


def _is_front(element: Element) -> bool:
    """Return whether an element within an abstract repeats the title or its notes."""
    return element.tag == "h1" or (element.tag == "ul" and "notes" in classes(element))


def is_unread(element: Element) -> bool:
    """Return whether an element never holds text of a work: programs, styles, controls, outside resources."""
    return element.tag in _UNREAD


def is_data_table(table: Element) -> bool:
    """Return whether a table holds values; old pages lay out their prose in one."""
    if any(name in table.get("class", "") for name in ("ltx_eqn", "equation")) or table.get("role") == "presentation":
        return False
    long = (one for one in islice(_prose_elements(table), _LOOKED_AT) if one.tag != "p" or _is_prose(one))
    return next(islice(long, 1, None), None) is None


def data_tables(root: Element, layout: Layout) -> int:
    """Return how many tables of values stand in the text, whose cells are not read."""
    count, waiting = 0, [root]
    while waiting:
        one = waiting.pop()
        if layout.drop(one) or layout.references(one) or is_unread(one):
            continue
        if one.tag == "table" and is_data_table(one):
            count += 1
        else:
            waiting.extend(one)
    return count


def _prose_elements(table: Element) -> Iterator[Element]:
    return (one for one in islice(table.iter(), 10 * _LOOKED_AT) if one.tag == "p" or one.tag in HEADINGS)


def _is_prose(paragraph: Element) -> bool:
    return sum(map(len, paragraph.itertext())) > _PROSE_CHARACTERS


_PROSE_CHARACTERS, _LOOKED_AT, _BATCH = 100, 500, 256


class _Writer:
    """Walks an element with a stack of its own."""

    def __init__(self, root: Element, layout: Layout, budget: Budget | None = None) -> None:
        self._root, self._layout = root, layout
        self._parts: list[ProsePart] = []
        self._pieces: list[str] = []
        self._kept_as_written = 0
        self._lead = ""
        self._budget, self._seen = budget, 0

    def write(self) -> list[ProsePart]:
        self._opened(self._root)
        waiting: list[tuple[Element, Iterator[Element]]] = [(self._root, iter(self._root))]
        while waiting:
            element, others = waiting[-1]
            child = next(others, None)
            self._seen += 1
            if self._budget is not None and self._seen % _BATCH == 0:
                self._budget.check()
            if child is None:
                waiting.pop()
                self._closed(element)
                if waiting:
                    self._text(element.tail)
            elif self._passed(child):
                self._text(child.tail)
            else:
                self._opened(child)
                waiting.append((child, iter(child)))
        self._flush()
        if self._lead:
            self._parts.append(ProsePart("text", self._lead))
        return self._parts

    def _passed(self, element: Element) -> bool:
        """Return whether an element is done with: dropped, or written whole."""
        if self._layout.drop(element):
            return True
        drawn = formula(element)
        if drawn is not None:
            self._pieces.append(f" {drawn} " if drawn.startswith("$$") else drawn)
            return True
        if element.tag in _UNREAD:
            return True
        if element.tag in HEADINGS or self._layout.heading(element):
            self._heading(element)
            return True
        if self._layout.abstract(element):
            self._flush()
            found = paragraphs(element, lambda one: self._layout.drop(one) or _is_front(one))
            self._parts.append(ProsePart("abstract", "\n\n".join(found)))
            return True
        if self._layout.references(element):
            self._references(element)
            return True
        return element.tag == "table" and self._values(element)

    def _heading(self, element: Element) -> None:
        self._flush()
        text = text_line(element, self._layout.drop)
        if text and self._layout.run_in(element):
            self._lead = f"{self._lead} {text}".strip()
        elif text:
            if self._budget is not None:
                self._budget.spend("sections")
            self._parts.append(ProsePart("heading", text, HEADINGS.get(element.tag, 2)))

    def _values(self, table: Element) -> bool:
        """Return whether a table holds values; its caption is then read, and its cells are not."""
        if not is_data_table(table):
            return False
        self._flush()
        for caption in table.iter("caption"):
            if text := text_line(caption, self._layout.drop):
                self._parts.append(ProsePart("text", text))
        return True

    def _references(self, element: Element) -> None:
        self._flush()
        title, entries = reference_list(element, self._layout)
        if entries:
            self._parts.append(ProsePart("references", title, entries=entries))

    def _opened(self, element: Element) -> None:
        settle_fractions(element)
        tag = element.tag
        if tag in _BLOCKS and tag not in _ROWS:
            self._flush()
        elif tag in ("li", "br"):
            self._pieces.append("\n")
        elif tag in _ROWS:
            self._pieces.append("\n" if tag == "tr" else " ")
        if tag == "pre":
            self._kept_as_written += 1
        text = element.text or ""
        mark = script_mark(element, self._pieces[-1][-1:]) if self._pieces else ""
        marked = mark and not any(map(self._layout.drop, element.iter()))
        self._text(f"{mark}{text.lstrip()}" if marked else text)

    def _closed(self, element: Element) -> None:
        tag = element.tag
        if tag == "pre":
            self._kept_as_written -= 1
        if tag in _BLOCKS and tag not in _ROWS:
            self._flush()

    def _text(self, text: str | None) -> None:
        if text:
            self._pieces.append(text if self._kept_as_written else _SPACES.sub(" ", text))

    def _flush(self) -> None:
        text = tidy("".join(self._pieces)) if self._pieces else ""
        self._pieces = []
        if text:
            self._parts.append(ProsePart("text", f"{self._lead} {text}".lstrip()))
            self._lead = ""


def reference_list(element: Element, layout: Layout) -> tuple[str, list[str]]:
    """Return the title of a list of references and its entries."""
    title = ""
    entries: list[str] = []
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if one.tag in HEADINGS:
            title = title or text_line(one, layout.drop)
        elif layout.entry(one):
            if text := _EMPTY_BRACKETS.sub("", text_line(one, layout.not_cited)):
                entries.append(text)
        elif not layout.drop(one) and one.tag not in _UNREAD:
            waiting.extend(reversed(one))
    return title, entries


_RENDERED = frozenset("MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display".split())
_PREVIEWS = frozenset("MathJax_Preview MathJax_Error MathJax_Message katex-html".split())
"""Classes of MathJax 2 and KaTeX; arXiv gives the class "mathjax" to text that MathJax may look at."""
_PICTURE = re.compile(r"(?:^|[\s_-])(?:tex|latex|math(?:tex|jax)?)(?=$|[\s_-])", re.IGNORECASE)


def formula(element: Element) -> str | None:
    """Return an element's formula between dollars; empty for a second drawing of one; None for all other elements."""
    tag = element.tag
    if tag == "math":
        return of_math(element)
    if tag == "script":
        kind = element.get("type", "").lower()
        if kind.startswith("math/tex"):
            return delimited(element.text or "", display="display" in kind)
        return ""
    if tag == "img":
        return _of_picture(element)
    names = {*element.get("class", "").split()}
    if names & _PREVIEWS:
        return ""
    if tag == "mjx-container" or names & _RENDERED:
        found = next(element.iter("math"), None)
        return formula(found) if found is not None else ""
    return None


def _of_picture(element: Element) -> str | None:
    names = element.get("class", "")
    if not _PICTURE.search(names) or "fallback" in names:
        return None
    return delimited(element.get("alt", ""), display="display" in names)
