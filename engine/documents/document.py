"""What is read, searched and shown: documents, their sections and chunks, and hits.

Everything here is frozen. No arrays and no scores live inside a document: vectors stand in an
index beside the library, scores in a `Hit`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple, NotRequired
from urllib.parse import urlsplit

from typing_extensions import TypedDict

from engine.documents.text import plain_venue

Kind = Literal["paper", "patent", "query"]
"""What a document is; `query` is a passage or a question, not a whole work."""

SectionRole = Literal["title", "abstract", "body", "claim", "references"]
"""What a section is for; `references` are kept for reading and left out of every encoding."""

UNTITLED, UNTITLED_DESCRIPTION, REFERENCES = "Text", "Description", "References"
"""What a section is called that has no heading: in a paper, in a patent, and a list of references."""

KIND_NAMES: Mapping[Kind, str] = {"paper": "Paper", "patent": "Patent", "query": "Question"}
KINDS: tuple[Kind, ...] = tuple(KIND_NAMES)


def web_address(url: str) -> str:
    """Return an address if it is a plain http or https one, which may be followed; else the empty string."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    return url.strip() if parts.scheme in {"http", "https"} and parts.netloc and url.isprintable() else ""


class PageStart(NamedTuple):
    """The character of a text at which a page of its file begins; the first page is 1."""

    start: int
    page: int


class LineBox(NamedTuple):
    """Where a line of a section lies on its page, in points from the lower left corner of the page as it is shown.

    `start` is the offset of its first character in the section's text. It begins at `left` and ends at `right`, which
    is the smaller of the two where the line runs from right to left, as Arabic does, or a page that is upside down.
    """

    start: int
    page: int
    left: float
    bottom: float
    right: float
    top: float

    def between(self, start: int, stop: int, end: int) -> LineBox:
        """Return the stretch of this line that holds the characters from `start` to `stop`; the line ends at `end`."""
        forth = 1 if self.right >= self.left else -1
        more, width = 1.5 * forth * (self.top - self.bottom), (self.right - self.left) / max(end - self.start, 1)
        begins = self.left + (start - self.start) * width - more if start > self.start else self.left
        ends = self.left + (stop - self.start) * width + more if stop < end else self.right
        low, high = sorted((self.left, self.right))
        left, right = sorted(min(max(one, low), high) for one in (begins, ends))
        return self._replace(start=max(self.start, start), left=left, right=right)


class RecognisedPage(NamedTuple):
    """A page whose text was recognised from its picture, and how sure the recognition was, from 0 to 1."""

    page: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Section:
    """One titled stretch of a document's text, in reading order.

    `pages` says where the text goes on to another page, or back to an earlier one if a figure interrupted it.
    `boxes` says where its lines stand on those pages, `recognised` which of them were recognised from a scan. All
    three are empty if the source has none. Two sections that differ in them alone are equal.
    """

    title: str
    text: str
    role: SectionRole = "body"
    pages: tuple[PageStart, ...] = field(default=(), compare=False)
    boxes: tuple[LineBox, ...] = field(default=(), compare=False)
    recognised: tuple[RecognisedPage, ...] = field(default=(), compare=False)

    def page_at(self, offset: int) -> int | None:
        """Return the page that holds the character at an offset; None if that is not known."""
        at = bisect_right(self.pages, offset, key=lambda one: one.start)
        return self.pages[at - 1].page if at else None

    def lines_of(self, start: int, stop: int) -> list[LineBox]:
        """Return the lines that a stretch stands on.

        The first is cut at about where the stretch begins, the last at about where it ends: letters are taken to be
        equally wide, and the ends are a little wider than that says. Each has `left` left of `right`. Empty if the
        lines are not known.
        """
        first = max(bisect_right(self.boxes, start, key=lambda one: one.start) - 1, 0)
        found = []
        for place, box in enumerate(self.boxes[first:], start=first + 1):
            after = self.boxes[place].start if place < len(self.boxes) else len(self.text)
            if box.start >= stop:
                break
            paragraph = self.text.find("\n\n", box.start, after)  # the next one may be of lines that are not known
            end = after if paragraph < 0 else paragraph
            if end > start and self.text[max(box.start, start) : min(end, stop)].strip():
                found.append(box.between(start, stop, end))
        return found

    def with_text(self, text: str) -> Section:
        """Return this section with a corrected text; pages and lines outside of the stretch that differs stay known."""
        same = _alike(self.text, text)
        tail = len(self.text) - _alike(self.text[:same:-1], text[:same:-1])
        moved = len(text) - len(self.text)

        def kept(start: int) -> int | None:
            """Return where what began at an offset begins now; None if it is lost."""
            now = start if start <= same else start + moved if start >= tail else len(text)
            return now if now < len(text) else None

        pages = [one._replace(start=now) for one in self.pages if (now := kept(one.start)) is not None]
        boxes = [one._replace(start=now) for one in self.boxes if (now := kept(one.start)) is not None]
        return replace(self, text=text, pages=tuple(pages), boxes=tuple(boxes))

    def chunk(self, document_id: str, part: int, start: int, stop: int) -> Chunk:
        """Return a stretch of this section, which is a document's part of that number."""
        page = self.page_at(start)
        scanned = any(one.page == page for one in self.recognised)
        return Chunk(document_id, part, self.title, start, stop, self.text[start:stop], page, scanned)


def _alike(text: str, other: str) -> int:
    """Count the characters that two texts have in common from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))


class Identifier(NamedTuple):
    """What names a work outside of this library: "doi", "10.1145/2505515.2505665"."""

    scheme: str
    value: str


DateKind = Literal["priority", "filed", "published", "granted", "revised"]


class DocumentDate(NamedTuple):
    """A day in a document's life, in ISO 8601 as exactly as the source says it: "1893", "1893-07" or "1893-07-04"."""

    kind: DateKind
    day: str


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a part that has a field of its own stands in the file: the title, the abstract, or a claim.

    `name` is the part's title in `Document.parts`, `characters` how long its text was when it was read: a corrected
    text of another length stands nowhere. The rest is as in `Section`.
    """

    name: str
    characters: int
    pages: tuple[PageStart, ...] = ()
    boxes: tuple[LineBox, ...] = ()
    recognised: tuple[RecognisedPage, ...] = ()


class WorkJson(TypedDict):
    """A work of a reference list: its title, empty where it is not told, and the entry verbatim."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One parsed entry of a reference list; `text` is the entry verbatim."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    identifiers: tuple[Identifier, ...] = ()

    @property
    def name(self) -> str:
        """The title, or the whole entry where its title is not told."""
        return self.title or self.text

    def as_json(self) -> WorkJson:
        """Return what a list of shared works shows of it."""
        return {"title": self.title, "text": self.text}


@dataclass(frozen=True, slots=True)
class Translation:
    """A document's own words in another language, as its publisher gives them; `language` as in `Document`."""

    language: str
    title: str = ""
    abstract: str = ""
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A paper, a patent, or a question, whole and in its sections.

    `id` comes from the source (a DOI, a patent number, a file's digest), never from an embedding.
    `sections` are the body and the text of the reference list; title, abstract and claims have fields of their own.
    `claims` are one string a claim, without its number, a cancelled one empty, so that the others keep their numbers.
    `references` are the entries of the reference list, where a reader has parsed them. `language` is a code of BCP 47
    ("en", "de"), empty when unknown; `translations` has at most one entry a language. `family` joins publications of
    one invention, or preprint and published; empty when unknown. `file` is the sha256 of the PDF whose pages and lines
    the parts name, `placed` says where those of title, abstract and claims stand; two documents that differ in these
    two alone are equal.
    """

    id: str
    kind: Kind = "paper"
    title: str = ""
    abstract: str = ""
    sections: tuple[Section, ...] = ()
    _: KW_ONLY
    claims: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    year: int | None = None
    dates: tuple[DocumentDate, ...] = ()
    language: str = ""
    translations: tuple[Translation, ...] = ()
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    venue: str = ""
    authors: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    url: str = ""
    family: str = ""
    file: str = field(default="", compare=False)
    placed: tuple[Placed, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Keep the venue as plain text, whatever brought it."""
        object.__setattr__(self, "venue", plain_venue(self.venue))

    @property
    def name(self) -> str:
        """The title, or for a work without one what it is and its id: "Untitled patent US204080A"."""
        return self.title or f"Untitled {self.kind} {self.id}"

    @property
    def public_id(self) -> str:
        """The id if it tells a person something."""
        return public_id(self.id)

    @property
    def web_address(self) -> str:
        """The url if it may be followed, else empty."""
        return web_address(self.url)

    @property
    def first_claim(self) -> str:
        """The first claim that is not cancelled; empty if the document has no such claim."""
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
            yield self._field("Title", self.title, "title")
        if self.abstract:
            yield self._field("Abstract", self.abstract, "abstract")
        yield from self.sections
        for number, claim in enumerate(self.claims, start=1):
            yield self._field(f"Claim {number}", claim, "claim")

    def _field(self, name: str, text: str, role: SectionRole) -> Section:
        """Return a field of its own as a part, with where it stands."""
        for one in self.placed:
            if one.name == name and one.characters == len(text):
                return Section(name, text, role, one.pages, one.boxes, one.recognised)
        return Section(name, text, role)

    @property
    def text(self) -> str:
        """All text that an encoder reads: every part but the reference list, one a paragraph."""
        return "\n\n".join(part.text for part in self._iter_parts() if part.role != "references")


def public_id(id_: str) -> str:
    """Return an id if it tells a person something; nothing if it is only a digest of a file or a text."""
    return "" if id_.startswith(("file:", "text:")) else id_


def as_fields(document: Document) -> dict[str, Any]:
    """Return a document as JSON holds it, without empty fields."""
    given = {one.name: getattr(document, one.name) for one in fields(document)}
    given["sections"] = [_trimmed(_values(section)) for section in document.sections]
    given["references"] = [_trimmed(_values(reference)) for reference in document.references]
    given["translations"] = [_trimmed(_values(translation)) for translation in document.translations]
    given["placed"] = [_trimmed(_values(one)) for one in document.placed]
    return {name: value for name, value in given.items() if value}


def from_fields(given: Mapping[str, Any]) -> Document:
    """Return the document of `as_fields`, also after it went through JSON."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    values["sections"] = tuple(_section(*part) for part in given.get("sections", ()))
    values["references"] = tuple(_reference(*part) for part in given.get("references", ()))
    values["identifiers"] = tuple(Identifier(*part) for part in given.get("identifiers", ()))
    values["dates"] = tuple(DocumentDate(*part) for part in given.get("dates", ()))
    values["translations"] = tuple(_translation(*part) for part in given.get("translations", ()))
    values["placed"] = tuple(_placed(*one) for one in given.get("placed", ()))
    return Document(**values)


def _values(part: Section | Reference | Translation | Placed) -> list[Any]:
    return [getattr(part, one.name) for one in fields(part)]


def _trimmed(values: list[Any]) -> list[Any]:
    """Values without the empty ones at their end."""
    while values and not values[-1]:
        values.pop()
    return values


def _section(
    title: str = "",
    text: str = "",
    role: SectionRole = "body",
    pages: Sequence[Any] = (),
    boxes: Sequence[Any] = (),
    recognised: Sequence[Any] = (),
) -> Section:
    return Section(title, text, role, *_lines(pages, boxes, recognised))


def _placed(name: str, characters: int, *places: Sequence[Any]) -> Placed:
    pages, boxes, recognised = _lines(*places)
    return Placed(name, characters, pages, boxes, recognised)


def _lines(
    pages: Sequence[Any] = (), boxes: Sequence[Any] = (), recognised: Sequence[Any] = ()
) -> tuple[tuple[PageStart, ...], tuple[LineBox, ...], tuple[RecognisedPage, ...]]:
    """Return where a text stands, from the lists that JSON holds."""
    starts, lines = (PageStart(*one) for one in pages), (LineBox(*one) for one in boxes)
    return tuple(starts), tuple(lines), tuple(RecognisedPage(*one) for one in recognised)


def _reference(
    text: str = "",
    title: str = "",
    authors: Sequence[str] = (),
    year: int | None = None,
    venue: str = "",
    identifiers: Sequence[Any] = (),
) -> Reference:
    return Reference(text, title, tuple(authors), year, venue, tuple(Identifier(*one) for one in identifiers))


def _translation(language: str = "", title: str = "", abstract: str = "", claims: Sequence[str] = ()) -> Translation:
    return Translation(language, title, abstract, tuple(claims))


class PageJson(TypedDict):
    """The page where a text begins, from 1, and that it is a scan; each where it is known."""

    page: NotRequired[int]
    recognised: NotRequired[bool]


class PlaceJson(PageJson):
    """Where a text stands: `document.parts[part].text[start:stop]`, in a section of this title."""

    section: str
    part: int
    start: int
    stop: int


class PassageJson(PlaceJson):
    """A text, and where it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of one part of a document: `document.parts[part].text[start:stop] == text`.

    `page` is the page of its first character, in the file that the document was read from; `recognised` says that the
    page is a scan, so that the text may hold mistakes.
    """

    document_id: str
    part: int
    section: str
    start: int
    stop: int
    text: str
    page: int | None = None
    recognised: bool = False

    @property
    def place(self) -> str:
        """Its section and its page in words, as far as they are known: "Introduction, p. 2 (scan)"."""
        page = f"p. {self.page}{' (scan)' if self.recognised else ''}" if self.page else ""
        return ", ".join(filter(None, (self.section, page)))

    @property
    def page_as_json(self) -> PageJson:
        """Its page, and whether that is a scan, as far as they are known."""
        known = PageJson()
        if self.page is not None:
            known["page"] = self.page
        if self.recognised:
            known["recognised"] = True
        return known

    @property
    def place_as_json(self) -> PlaceJson:
        """Where it stands in its document."""
        where: PlaceJson = {"section": self.section, "part": self.part, "start": self.start, "stop": self.stop}
        return {**where, **self.page_as_json}

    def as_json(self) -> PassageJson:
        """Return where it stands, and its text."""
        return {**self.place_as_json, "text": self.text}


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of an index or a ranking: an id and its score; larger is nearer."""

    id: str
    score: float
