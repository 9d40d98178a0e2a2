"""A document on screen: its head, its facts, its text."""

from __future__ import annotations

from engine.documents import KIND_NAMES, Document, Section
from engine.markup import Markup, element, joined
from engine.text import how_many
from explorer.shared.salient import UNDERLINED, Marked, marked_sentences

UNTITLED = "Untitled"
_OPENING_CHARACTERS = 160
_SHOWN_AUTHORS, _SHOWN_CATEGORIES = 4, 5
_SHOWN_SECTIONS, _SHOWN_CHARACTERS = 60, 6_000


def head(document: Document, *, note: str = "", level: int = 2) -> Markup:
    """Title and metadata; `note` ends the line of metadata, `level` is the title's among the page's headings."""
    title = element(f"h{level}", heading(document), class_="ps-title")
    return element("div", title, meta_line(document, note=note))


def heading(document: Document) -> str:
    """A document's name: its title, or the start of a person's own text, whose id would say nothing."""
    if document.title or (document.kind != "query" and document.public_id):
        return document.name
    text = " ".join(document.text.split())
    if len(text) <= _OPENING_CHARACTERS:
        return text or UNTITLED
    return f"{text[:_OPENING_CHARACTERS].rsplit(' ', 1)[0]} …"


def meta_line(document: Document, *, note: str = "") -> Markup:
    """Kind, year, venue, authors and categories on one line."""
    items: list[str] = [kind_badge(document.kind)]
    if document.year is not None:
        items.append(element("span", str(document.year)))
    if document.kind == "patent" and document.public_id:
        items.append(element("span", document.id))
    if document.authors:
        items.append(element("span", authors_line(document.authors)))
    if document.venue:
        items.append(element("em", document.venue))
    items += [element("span", name, class_="ps-code") for name in document.categories[:_SHOWN_CATEGORIES]]
    if note:
        items.append(element("span", note))
    return element("div", *items, class_="ps-meta")


def kind_badge(kind: str) -> Markup:
    """Paper or patent, in a word and in a colour."""
    return element("span", KIND_NAMES.get(kind, kind), class_=f"ps-kind ps-kind-{kind}")


def authors_line(authors: tuple[str, ...]) -> str:
    """The first authors, and how many more there are."""
    more = len(authors) - _SHOWN_AUTHORS
    return ", ".join(authors[:_SHOWN_AUTHORS]) + (f" and {more} more" if more > 0 else "")


def full_text(document: Document, *, salient: Marked = ()) -> Markup:
    """Abstract, sections and claims, each under its heading; very long ones are cut and say so.

    Sentences that are `salient` are marked, each followed by its p.
    """
    parts = [(number, part) for number, part in enumerate(document.parts) if part.role != "title" and _is_shown(part)]
    pieces = [
        _part(part, [(chunk, p) for chunk, p in salient if chunk.part == number])
        for number, part in parts[:_SHOWN_SECTIONS]
    ]
    if len(parts) > _SHOWN_SECTIONS:
        pieces.append(
            element("p", f"{len(parts) - _SHOWN_SECTIONS:,} further sections are not shown.", class_="ps-quiet")
        )
    if not pieces:
        pieces = [element("p", "The library holds only the title of this document.", class_="ps-quiet")]
    if salient:
        pieces.insert(0, element("p", UNDERLINED, class_="ps-quiet"))
    text = element("div", *pieces, class_="ps-text")
    return element("div", text, class_="ps-scroll", role="region", aria_label="Text of the document", tabindex="0")


def source_link(document: Document) -> Markup:
    """A link to the document on the web, or nothing if the address is missing or unsafe."""
    address = document.web_address
    if not address:
        return Markup("")
    return element(
        "p", element("a", address, href=address, target="_blank", rel="noopener noreferrer"), class_="ps-quiet"
    )


def count_of_words(document: Document) -> int:
    """How many words, by white space, an encoder reads."""
    return len(document.text.split())


def outline(document: Document, *, pages: int | None = None) -> str:
    """What a document consists of, in one line: words, sections, claims, and the pages of its file where it has any."""
    parts = {"section": len(document.sections), "claim": len(list(filter(None, document.claims))), "page": pages or 0}
    counts = [how_many(count, noun) for noun, count in parts.items() if count]
    return ", ".join([how_many(count_of_words(document), "word"), *counts])


def _is_shown(part: Section) -> bool:
    """Whether there is something to show: a cancelled claim has no text."""
    return bool(part.text) or part.role != "claim"


def _part(part: Section, salient: Marked) -> Markup:
    text = part.text[:_SHOWN_CHARACTERS]
    cut = [element("p", "This section goes on.", class_="ps-quiet")] if len(part.text) > _SHOWN_CHARACTERS else []
    paragraphs, start = [], 0
    for paragraph in text.split("\n\n"):
        stop = start + len(paragraph)
        if paragraph.strip():
            paragraphs.append(element("p", marked_sentences(text, salient, start, stop)))
        start = stop + 2
    return joined([element("h3", part.title or "Untitled section"), *paragraphs, *cut])
