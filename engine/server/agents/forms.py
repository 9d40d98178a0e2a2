"""What an agent gets: the short forms of documents, passages and comparisons that tools answer with."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import ClassVar, Self

from pydantic import Field

from engine import compare, search, workspace
from engine.documents import Chunk, Document
from engine.documents.text import clean, how_many, in_percent, one_line
from engine.library import Library
from engine.server.agents.paging import AnswerForm, Line, QuotedText, ShortForm

_SNIPPET, _AUTHORS, _TOP, _OPENING = 400, 2, 8, 120
"""Characters of a passage in a list, authors that are named, entries of a list of counts, characters of an opening."""


def shorten(text: str, characters: int = _SNIPPET) -> str:
    """Return the beginning of a text, on one line."""
    return textwrap.shorten(text, characters, placeholder=" …")


class DocumentForm(ShortForm):
    """A document by name."""

    id: Line = Field(description="Its id, which other tools take")
    title: Line = ""
    year: int | None = None
    kind: str = ""
    by: Line = Field(default="", description="Authors, inventors or assignees, the first two")
    venue: Line = ""

    @classmethod
    def of(cls, document: Document, **more: object) -> Self:
        """Name a document; `more` are the fields that a form adds."""
        people = document.authors or document.inventors or document.assignees
        by = ", ".join(people[:_AUTHORS]) + (" et al." if len(people) > _AUTHORS else "")
        facts = {"title": shorten(document.name, 300), "year": document.year, "kind": document.kind, "by": by}
        return cls.model_validate({"id": document.id, **facts, "venue": shorten(document.venue, 100), **more})


class PlaceForm(ShortForm):
    """A stretch of a document, and where it stands."""

    section: int | None = Field(default=None, description="The number by which read_document gives the section")
    heading: Line = ""
    page: int | None = Field(default=None, description="The page of the file on which it begins, from 1")
    scan: bool = Field(default=False, description="Recognised from a picture of the page, so it may hold mistakes")
    text: QuotedText = Field(default="", description="Quoted from the document")

    @classmethod
    def of(cls, chunk: Chunk, text: str | None = None, **more: object) -> Self:
        """Show a stretch, or another text for it; `more` are the fields that a form adds."""
        said = shorten(chunk.text) if text is None else text
        where = {"section": chunk.part + 1, "heading": shorten(chunk.section, 120), "page": chunk.page}
        return cls.model_validate({**where, "scan": chunk.recognised, "text": said, **more})


class Count(ShortForm):
    """A name, and how many documents have it."""

    name: Line
    documents: int


class Overview(AnswerForm):
    """What the library holds, and how much of it is read."""

    lists: ClassVar[tuple[str, ...]] = ("collections", "categories", "venues", "files")

    state: str = Field(default="", description="ready, partly read, being read, empty or missing")
    documents: int = 0
    papers: int = 0
    patents: int = 0
    years: str = ""
    collections: Sequence[Count] = ()
    categories: Sequence[Count] = Field(default=(), description="The largest; a patent counts by its class")
    venues: Sequence[Count] = Field(default=(), description="The largest")
    files: Sequence[Count] = Field(default=(), description="The last imports")

    @classmethod
    def of(cls, library: Library, state: str, note: str) -> Self:
        """Describe a library."""
        counts = library.counts()
        return cls(
            state=state,
            note=note,
            documents=counts.documents,
            papers=counts.papers,
            patents=counts.patents,
            years=f"{counts.year_min} to {counts.year_max}" if counts.year_min else "",
            collections=_counts(library.collections.counts()),
            categories=_counts(library.category_counts(), _TOP),
            venues=_counts(library.venue_counts(), _TOP),
            files=_counts(library.import_counts(), _TOP),
        )


def _counts(counts: Mapping[str, int], most: int | None = None) -> list[Count]:
    return [Count(name=one, documents=number) for one, number in islice(counts.items(), most)]


class FoundDocument(DocumentForm):
    """A document that is near, and its passage that is nearest."""

    nearness: str = Field(default="", description="How near it is, and how probably")
    nearest: PlaceForm | None = Field(default=None, description="Its passage that is nearest to the question")
    cited: bool | None = Field(default=None, description="Whether the question cites it")


class FoundDocuments(AnswerForm):
    """Documents, the nearest first."""

    lists: ClassVar[tuple[str, ...]] = ("documents",)

    documents: Sequence[FoundDocument] = ()

    @classmethod
    def of(cls, answer: search.Answer, empty: str) -> Self:
        """Give the hits of a search; `empty` says why none are."""
        copies = f"The library holds it: {', '.join(answer.query_duplicates)}." if answer.query_duplicates else ""
        return cls(note=f"{answer.sentence} {empty} {copies}", documents=[_found(one) for one in answer.results])


def _found(result: search.Result) -> FoundDocument:
    passage = next(iter(result.evidence.passages), result.evidence.passage)
    nearest = None if passage is None else PlaceForm.of(passage.document)
    nearness = (result.by_passage if result.by_passage and result.by_passage.is_near else result.reading).with_p
    return FoundDocument.of(result.document, nearness=nearness, nearest=nearest, cited=result.cited)


class Source(DocumentForm):
    """A document that holds a quote, or comes near to it."""

    verbatim: bool = Field(description="Whether the words stand there, letter by letter; white space does not count")
    nearness: str = ""
    places: Sequence[PlaceForm] = Field(default=(), description="Where it stands, with the sentences around it")


class Sources(AnswerForm):
    """Where a quote comes from, verbatim or, where no document holds it so, the nearest."""

    lists: ClassVar[tuple[str, ...]] = ("sources",)

    verbatim: bool | None = Field(default=None, description="Whether any document holds the words, letter by letter")
    sources: Sequence[Source] = ()

    @classmethod
    def of(cls, found: workspace.QuoteSources) -> Self:
        """Give the sources of a quote."""
        is_verbatim = any(one.is_verbatim for one in found.sources)
        told = "" if is_verbatim else "No document holds these words verbatim; the nearest passages follow."
        return cls(note=f"{told} {found.unread}", verbatim=is_verbatim, sources=tuple(map(_source, found.sources)))


def _source(one: workspace.QuoteSource) -> Source:
    nearness = "" if one.is_verbatim or one.reading is None else one.reading.with_p
    parts = one.document.parts
    around = [search.with_neighbours(parts[chunk.part].text, chunk.start, chunk.stop) for chunk in one.passages]
    places = [PlaceForm.of(*found) for found in zip(one.passages, around, strict=True)]
    return Source.of(one.document, verbatim=one.is_verbatim, nearness=nearness, places=places)


class Heading(ShortForm):
    """A section of an outline."""

    number: int = Field(description="What read_document takes in `sections`")
    heading: Line
    pages: str = ""
    words: int = 0
    opening: Line = ""


class DocumentText(AnswerForm):
    """A document: its outline, or the text of sections or pages."""

    lists: ClassVar[tuple[str, ...]] = ("sections", "texts")

    document: DocumentForm | None = None
    identifiers: Line = ""
    url: str = ""
    resource: str = Field(default="", description="The address of the whole document as a resource")
    pages: int | None = Field(default=None, description="The last page that is known; missing where no pages are")
    sections: Sequence[Heading] = Field(default=(), description="The outline")
    texts: Sequence[PlaceForm] = Field(default=(), description="Verbatim text in reading order")

    @classmethod
    def outline(cls, document: Document, resource: str) -> Self:
        """Give the sections of a document with their pages."""
        parts = document.parts
        return cls(
            document=DocumentForm.of(document),
            identifiers=", ".join(f"{one.scheme}:{one.value}" for one in document.identifiers),
            url=document.web_address,
            resource=resource,
            pages=max((one.page for part in parts for one in part.pages), default=None),
            sections=[
                Heading(
                    number=number,
                    heading=shorten(part.title, 160) or "Untitled",
                    pages=_span([one.page for one in part.pages]),
                    words=len(part.text.split()),
                    opening=shorten(part.text, _OPENING),
                )
                for number, part in enumerate(parts, start=1)
            ],
        )

    @classmethod
    def text(cls, document: Document, numbers: Sequence[int], pages: tuple[int, int] | None) -> Self:
        """Give the text of some sections, by number, as far as it stands on the pages from the first to the last."""
        texts = [
            PlaceForm.of(chunk, chunk.text, heading="" if place else chunk.section)
            for number in numbers
            for place, chunk in enumerate(_pieces(document, number - 1, pages))
        ]
        told = "" if texts else "No text stands there."
        return cls(document=DocumentForm.of(document), texts=texts, note=told)


def _span(pages: Sequence[int]) -> str:
    first, last = min(pages, default=0), max(pages, default=0)
    return "" if not pages else str(first) if first == last else f"{first}-{last}"


def _pieces(document: Document, number: int, pages: tuple[int, int] | None) -> Iterator[Chunk]:
    """Yield a part in passages that leave nothing out, of those pages that were asked for."""
    part = document.parts[number]
    edges = [0, *(one.start for one in part.pages if one.start), len(part.text)]
    for start, stop in pairwise(edges):
        page = part.page_at(start)
        if pages is not None and not (page is not None and pages[0] <= page <= pages[1]):
            continue
        begins = [start + one.start for one in search.cut_text(part.text[start:stop])]
        for one in pairwise([*begins, stop]):
            yield part.chunk(document.id, number, *one)


def whole_text(document: Document) -> str:
    """Return a document as Markdown: its facts, then each section under its heading, with its pages."""
    named = DocumentForm.of(document)
    facts = [f"{name}: {value}" for name, value in named.model_dump(exclude_defaults=True).items() if name != "title"]
    parts = [f"# {named.title}", "\n".join(facts)]
    for part in document.parts:
        if part.role != "title":
            pages = _span([one.page for one in part.pages])
            parts += [f"## {one_line(part.title) or 'Untitled'}{f' (p. {pages})' if pages else ''}", clean(part.text)]
    return "\n\n".join(parts)


class MatchForm(ShortForm):
    """Two passages that match, one of each document."""

    nearness: str = ""
    a: PlaceForm
    b: PlaceForm


class Difference(PlaceForm):
    """A passage of one document that the other does not say."""

    only_in: str = Field(description="a or b")
    words: int
    close: QuotedText = Field(default="", description="The nearest sentence of the other, where one is near")


class ComparedDocuments(AnswerForm):
    """How near two documents are, where they match, and what only one of them says."""

    lists: ClassVar[tuple[str, ...]] = ("matches", "differences")

    a: DocumentForm | None = None
    b: DocumentForm | None = None
    nearness: str = ""
    said_in_both: Line = ""
    matches: Sequence[MatchForm] = Field(default=(), description="The best first")
    differences: Sequence[Difference] = Field(default=(), description="What the other does not say, the longest first")

    @classmethod
    def of(cls, found: compare.Comparison) -> Self:
        """Give a comparison."""
        same = "These look like two versions of one text. " if found.differences.are_versions else ""
        both_cite = f"Both cite {how_many(count, 'work')}." if (count := len(found.shared_references)) else ""
        return cls(
            a=DocumentForm.of(found.a),
            b=DocumentForm.of(found.b),
            nearness=f"{found.nearness.with_p}, {found.read_part('a', 'b')}",
            said_in_both=found.said_in_both("a", "b"),
            note=f"{same}{both_cite}",
            matches=[
                MatchForm(
                    nearness=one.reading.with_p if one.reading else "", a=PlaceForm.of(one.a), b=PlaceForm.of(one.b)
                )
                for one in found.passages
            ],
            differences=sorted(
                (*_differences("a", found.differences.a), *_differences("b", found.differences.b)),
                key=lambda one: -one.words,
            ),
        )


def _differences(letter: str, found: compare.Uncovered) -> Iterator[Difference]:
    for one in found.longest:
        close = shorten(one.nearest.text) if one.is_close and one.nearest is not None else ""
        yield Difference.of(one.passage, only_in=letter, words=one.words, close=close)


class DraftPart(ShortForm):
    """A part of a draft, and what of the library is nearest to it."""

    part: Line = Field(description="Which part of the draft")
    page: int | None = None
    word: str = Field(description="said there; close: read it; or nothing like it")
    likely: str = Field(description="How likely a document says it")
    nearest: DocumentForm | None = Field(default=None, description="The document that says it, or comes closest")
    passage: PlaceForm | None = Field(default=None, description="Its passage that does")
    not_said: Line = Field(default="", description="What of the part that passage does not say")


class SayingDocument(DocumentForm):
    """A document, and how much of a draft it says."""

    says: str = Field(description="The share of the draft's words")


class WhatIsNew(AnswerForm):
    """Which parts of a draft the library says already, the least said first."""

    lists: ClassVar[tuple[str, ...]] = ("parts", "documents")

    summary: Line = ""
    parts: Sequence[DraftPart] = ()
    documents: Sequence[SayingDocument] = Field(default=(), description="The documents that together say most")

    @classmethod
    def of(cls, found: compare.Coverage) -> Self:
        """Give a coverage."""
        chosen = [(found.columns[one.column], in_percent(one.share)) for one in found.chosen()]
        copies = f"Left out, because it is the draft itself: {', '.join(found.copies)}." if found.copies else ""
        return cls(
            summary=found.summary(),
            note=copies,
            parts=[_part(found, row) for row in range(len(found.rows))],
            documents=[SayingDocument.of(document, says=share) for document, share in chosen],
        )


def _part(found: compare.Coverage, row: int) -> DraftPart:
    best, own = found.row_best(row), found.rows[row]
    if best is not None and not (best.is_said or best.is_close):
        best = None
    document = None if best is None else next(one for one in found.columns if one.id == best.document.document_id)
    return DraftPart(
        part=shorten(own.title, 160),
        page=own.chunk.page,
        word=found.row_word(row),
        likely=in_percent(found.row_p(row)),
        nearest=None if document is None else DocumentForm.of(document),
        passage=None if best is None else PlaceForm.of(best.document),
        not_said="" if best is None else shorten(" … ".join(one.text for one in best.differs)),
    )


class CitedWork(ShortForm):
    """An entry of a reference list."""

    entry: Line = Field(description="The title, or the entry as it is printed")
    year: int | None = None
    held: Line = Field(default="", description="The id of the library's document, where it holds the work")


class CitedWorks(AnswerForm):
    """What a document cites; what the library holds comes first."""

    lists: ClassVar[tuple[str, ...]] = ("works",)

    references: int | None = None
    held: int | None = Field(default=None, description="How many of them the library holds")
    works: Sequence[CitedWork] = ()

    @classmethod
    def of(cls, found: search.Citations) -> Self:
        """Give the entries of a reference list."""
        ids = {id(entry): held for held, entry in reversed(list(found.held.items()))}
        works = [
            CitedWork(entry=shorten(one.name, 300), year=one.year, held=ids.get(id(one), ""))
            for one in found.references
        ]
        told = "" if works else "No reference list was found in it."
        count, held = len(works), found.works_held
        return cls(references=count, held=held, works=sorted(works, key=lambda one: not one.held), note=told)


class Done(AnswerForm):
    """What a change did."""

    lists: ClassVar[tuple[str, ...]] = ("documents",)

    done: Line = Field(default="", description="What was done, in a sentence")
    documents: Sequence[DocumentForm] = ()
