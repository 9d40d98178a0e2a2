"""What is read, searched and shown: documents, their sections and chunks, and hits.

Everything here is frozen. No arrays and no scores live inside a document: vectors stand in an
index beside the library, scores in a `Hit`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

Kind = Literal["paper", "patent", "query"]
"""What a document is; `query` is a passage or a question, not a whole work."""

SectionRole = Literal["title", "abstract", "body", "claim", "references"]
"""What a section is for; `references` are kept for reading and left out of every encoding."""

KINDS: tuple[Kind, ...] = ("paper", "patent", "query")


def web_address(url: str) -> str:
    """An address if it is a plain http or https one, which may be followed; else the empty string."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    return url.strip() if parts.scheme in {"http", "https"} and parts.netloc and url.isprintable() else ""


class PageStart(NamedTuple):
    """From which character of a text on it stands on which page of its file, the first being 1."""

    start: int
    page: int


@dataclass(frozen=True, slots=True)
class Section:
    """One titled stretch of a document's text, in reading order.

    `pages` says where the text goes on to another page, back to an earlier one too where a figure stood between;
    empty where the source has no pages. It is no part of what a section is: two that differ in it alone are equal.
    """

    title: str
    text: str
    role: SectionRole = "body"
    pages: tuple[PageStart, ...] = field(default=(), compare=False)

    def page_at(self, offset: int) -> int | None:
        """The page on which the character at an offset stands; None where that is not known."""
        at = bisect_right(self.pages, offset, key=lambda one: one.start)
        return self.pages[at - 1].page if at else None

    def with_text(self, text: str) -> Section:
        """This section with a corrected text; pages that begin outside of the stretch that differs stay known."""
        same = _alike(self.text, text)
        tail = len(self.text) - _alike(self.text[:same:-1], text[:same:-1])
        moved = len(text) - len(self.text)
        pages = [one for one in self.pages if one.start <= same] + [
            PageStart(one.start + moved, one.page) for one in self.pages if one.start > same and one.start >= tail
        ]
        return replace(self, text=text, pages=tuple(one for one in pages if one.start < len(text)))

    def chunk(self, document_id: str, part: int, start: int, stop: int) -> Chunk:
        """A stretch of this section, which is a document's part of that number."""
        return Chunk(document_id, part, self.title, start, stop, self.text[start:stop], self.page_at(start))


def _alike(text: str, other: str) -> int:
    """How many characters two texts have in common from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))


@dataclass(frozen=True, slots=True)
class Document:
    """A paper, a patent, or a question, whole and in its sections.

    `id` comes from the source (a DOI, a patent number, a file's digest), never from an embedding.
    `sections` are the body and the reference list; title, abstract and claims have fields of
    their own. `claims` are one string a claim, without its number, a cancelled one empty, so that the
    others keep their numbers. `family` joins publications of one invention, or preprint and
    published; empty when unknown.
    """

    id: str
    kind: Kind = "paper"
    title: str = ""
    abstract: str = ""
    sections: tuple[Section, ...] = ()
    year: int | None = None
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    venue: str = ""
    authors: tuple[str, ...] = ()
    url: str = ""
    family: str = ""
    claims: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The title, or for a work without one what it is and its id: "Untitled patent US204080A"."""
        return self.title or f"Untitled {self.kind} {self.id}"

    @property
    def public_id(self) -> str:
        """The id where it says something to a person; empty where it is a digest of somebody's own file or text."""
        return "" if self.id.startswith(("file:", "text:")) else self.id

    @property
    def web_address(self) -> str:
        """The url where it may be followed, else empty."""
        return web_address(self.url)

    @property
    def first_claim(self) -> str:
        """The first claim that is not cancelled; empty where there is none."""
        return next(filter(None, self.claims), "")

    @property
    def parts(self) -> tuple[Section, ...]:
        """Every stretch of text in reading order: title, abstract, sections, then each claim.

        A `Chunk.part` is a position in this tuple, so it names one text without ambiguity even
        where two sections share a title.
        """
        return tuple(self._iter_parts())

    def _iter_parts(self) -> Iterator[Section]:
        if self.title:
            yield Section("Title", self.title, "title")
        if self.abstract:
            yield Section("Abstract", self.abstract, "abstract")
        yield from self.sections
        for number, claim in enumerate(self.claims, start=1):
            yield Section(f"Claim {number}", claim, "claim")

    @property
    def text(self) -> str:
        """All text that an encoder reads: every part but the reference list, one a paragraph."""
        return "\n\n".join(part.text for part in self._iter_parts() if part.role != "references")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of one part of a document: `document.parts[part].text[start:stop] == text`.

    `page` is that of its first character, in the file that the document was read from.
    """

    document_id: str
    part: int
    section: str
    start: int
    stop: int
    text: str
    page: int | None = None

    @property
    def place(self) -> str:
        """Its section and its page in words, as far as there are any: "Introduction, p. 2"."""
        return ", ".join(filter(None, (self.section, f"p. {self.page}" if self.page else "")))


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of an index or a ranking: an id and its score; larger is nearer."""

    id: str
    score: float
