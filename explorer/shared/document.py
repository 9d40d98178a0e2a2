"""A document on screen: its head, its facts, its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.documents import KIND_NAMES, Chunk, Document, Kind, Section
from engine.documents.document import public_id
from engine.documents.markup import Markup, element, joined
from engine.documents.text import how_many
from explorer.shared.markup import cut_at_word, scroll_region, typeset
from explorer.shared.salient import UNDERLINED, MarkedSentences, marked_sentences

UNTITLED = "Untitled"
_OPENING_CHARACTERS = 160
_SHOWN_AUTHORS = 4
SHOWN_CATEGORIES = 5
"""The most categories that are named with a document."""
_SHOWN_SECTIONS, _SHOWN_CHARACTERS = 60, 6_000
_BETWEEN = "\n\n"
"""What stands between two paragraphs."""


def head(document: Document, *, note: str = "", level: int = 2, categories: bool = True) -> Markup:
    """Title and metadata; `note` ends the line of metadata, `level` is the title's among the page's headings.

    Without `categories`, the page shows them another way.
    """
    title = element(f"h{level}", typeset(heading(document)), class_="ps-title")
    return element("div", title, meta_line(document, note=note, categories=categories))


def heading(document: Document) -> str:
    """Name a document by its title, or by the start of a person's own text, whose id would say nothing."""
    if document.title or (document.kind != "query" and document.public_id):
        return document.name
    return cut_at_word(" ".join(document.text.split()), _OPENING_CHARACTERS) or UNTITLED


def meta_line(document: Document, *, note: str = "", categories: bool = True) -> Markup:
    """Kind, year, venue, authors and, unless they are left out, categories on one line."""
    items: list[str] = [kind_badge(document.kind)]
    if document.year is not None:
        items.append(element("span", str(document.year)))
    if document.kind == "patent" and document.public_id:
        items.append(element("span", document.id))
    if document.authors:
        items.append(element("span", authors_line(document.authors)))
    if document.venue:
        items.append(element("em", typeset(document.venue)))
    if categories:
        items += [element("span", name, class_="ps-code") for name in document.categories[:SHOWN_CATEGORIES]]
    if note:
        items.append(element("span", note))
    return element("div", *items, class_="ps-meta")


def itself_here(ids: Sequence[str]) -> str:
    """Say that a question's own document is in the library, under these ids, and left out."""
    told = ", ".join([told for told in map(public_id, ids) if told][:3])
    return f"Your document is itself in the library{f' ({told})' if told else ''}, so it is not listed."


def kind_badge(kind: Kind) -> Markup:
    """Paper or patent, in a word and in a colour."""
    return element("span", KIND_NAMES[kind], class_=f"ps-kind ps-kind-{kind}")


def authors_line(authors: tuple[str, ...]) -> str:
    """Name the first authors, and say how many more there are."""
    more = len(authors) - _SHOWN_AUTHORS
    return ", ".join(authors[:_SHOWN_AUTHORS]) + (f" and {more} more" if more > 0 else "")


def full_text(document: Document, *, salient: MarkedSentences = (), found: Chunk | None = None) -> Markup:
    """Abstract, sections and claims, each under its heading, with the pages of its file; very long ones are cut.

    Sentences that are `salient` are marked, each followed by its p. The stretch that was `found` is marked and always
    among what is shown.
    """
    parts = [(number, part) for number, part in enumerate(document.parts) if part.role != "title" and _is_shown(part)]
    first = _first_shown([number for number, _ in parts], found)
    last = first + _SHOWN_SECTIONS
    pieces = [
        _part(
            part,
            [(chunk, p) for chunk, p in salient if chunk.part == number],
            found if found is not None and found.part == number else None,
        )
        for number, part in parts[first:last]
    ]
    if first:
        pieces.insert(0, element("p", f"{first:,} earlier sections are not shown.", class_="ps-quiet"))
    if len(parts) > last:
        pieces.append(element("p", f"{len(parts) - last:,} further sections are not shown.", class_="ps-quiet"))
    if not pieces:
        pieces = [element("p", "The library holds only the title of this document.", class_="ps-quiet")]
    if salient:
        pieces.insert(0, element("p", UNDERLINED, class_="ps-quiet"))
    return scroll_region(element("div", *pieces, class_="ps-text"), "Text of the document")


def source_link(document: Document) -> Markup:
    """Return a link to the document on the web, or nothing if the address is missing or unsafe."""
    address = document.web_address
    if not address:
        return Markup("")
    link = element("a", address, href=address, target="_blank", rel="noopener noreferrer")
    return element("p", link, class_="ps-quiet")


def count_of_words(document: Document) -> int:
    """Count the words, by white space, that an encoder reads."""
    return len(document.text.split())


def outline(document: Document, *, pages: int | None = None) -> str:
    """Say what a document consists of: words, sections, claims, and the pages of its file where it has any."""
    parts = {"section": len(document.sections), "claim": len(list(filter(None, document.claims))), "page": pages or 0}
    counts = [how_many(count, noun) for noun, count in parts.items() if count]
    return ", ".join([how_many(count_of_words(document), "word"), *counts])


def _is_shown(part: Section) -> bool:
    """Tell whether there is something to show: a cancelled claim has no text."""
    return bool(part.text) or part.role != "claim"


def _first_shown(numbers: Sequence[int], found: Chunk | None) -> int:
    """Return which part to show first: part 0, or a later one if the passage that was found would be cut off."""
    place = numbers.index(found.part) if found is not None and found.part in numbers else 0
    return 0 if place < _SHOWN_SECTIONS else min(place - _SHOWN_SECTIONS // 2, len(numbers) - _SHOWN_SECTIONS)


def _part(part: Section, salient: MarkedSentences, found: Chunk | None) -> Markup:
    first, last = _stretch_shown(part, found)
    paragraphs: list[Markup] = []
    start = first
    for paragraph in part.text[first:last].split(_BETWEEN):
        stop = start + len(paragraph)
        if paragraph.strip():
            paragraphs.append(element("p", *_paragraph(part, salient, found, start, stop, opens=not paragraphs)))
        start = stop + len(_BETWEEN)
    before = [element("p", "This section begins further up.", class_="ps-quiet")] if first else []
    behind = [element("p", "This section goes on.", class_="ps-quiet")] if last < len(part.text) else []
    return joined([element("h3", typeset(part.title or "Untitled section")), *before, *paragraphs, *behind])


def _stretch_shown(part: Section, found: Chunk | None) -> tuple[int, int]:
    """Return the characters of a part that are shown: its beginning, or from before what was found further down."""
    if found is None or found.stop <= _SHOWN_CHARACTERS:
        return 0, min(len(part.text), _SHOWN_CHARACTERS)
    about = found.start - _SHOWN_CHARACTERS // 2
    first = max(part.text.rfind(" ", 0, about), part.text.rfind("\n", 0, about)) + 1
    return first, min(len(part.text), max(found.stop, first + _SHOWN_CHARACTERS))


def _paragraph(
    part: Section, salient: MarkedSentences, found: Chunk | None, start: int, stop: int, *, opens: bool
) -> Iterator[Markup]:
    """Yield a paragraph in pieces where a page begins and where what was found does; `opens` if it is the first shown.

    Pages are named where they begin, at the first paragraph, and at what was found.
    """
    own = (found.start, found.stop) if found is not None else (stop, stop)
    pages = {max(start, one.start): one.page for one in part.pages if start - len(_BETWEEN) <= one.start < stop}
    for place in (*([start] if opens else []), *([own[0]] if start <= own[0] < stop else [])):
        if (page := part.page_at(place)) is not None:
            pages.setdefault(place, page)
    cuts = sorted({start, stop, *pages, *(max(start, min(one, stop)) for one in own)})
    for left, right in pairwise(cuts):
        if left in pages:
            yield joined([element("span", f"p. {pages[left]}", class_="ps-page"), " "])
        text = marked_sentences(part.text, salient, left, right)
        yield element("mark", text, class_="ps-found") if own[0] <= left < own[1] else text
