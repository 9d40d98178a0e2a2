"""Questions: what lies near a document, where a quote comes from, how documents compare, and what is known of one."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from typing_extensions import Doc, TypedDict

from engine import compare
from engine.compare import ComparisonJson, CoverageJson, TogetherJson, WithinJson
from engine.core.config import filled
from engine.documents import Kind, PassageJson
from engine.exports import SearchJson, search_as_json
from engine.reading import PagePicture
from engine.search import ReadingJson, find_citations
from engine.server.given import (
    Alone,
    GivenDocument,
    InTurn,
    OpenWorkspace,
    ReadGiven,
    RequestBody,
    Unchanged,
    encoder_named,
    from_query,
)
from engine.workspace import (
    NOTHING_READ,
    CompareRequest,
    CoverageRequest,
    DrawnPageJson,
    PageRequest,
    SalientJson,
    SalientRequest,
    SearchRequest,
    Workspace,
    sources_of,
)

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchBody(RequestBody, SearchRequest):
    """A search, and the document that asks; without one, liked documents ask."""

    document: Annotated[GivenDocument | None, Doc("the document that asks")] = None


@router.post("/search", summary="What lies near a document, and why", dependencies=[InTurn])
def search(workspace: OpenWorkspace, read: ReadGiven, body: SearchBody) -> SearchJson:
    """Return the nearest documents with their evidence, as `priorscope search --json` does.

    What is not read yet ranks by its words alone; `unread` says how many documents that are.
    """
    began = time.perf_counter()
    body.check(has_document=body.document is not None)
    encoder_named(body.encoder)
    reading = read(body.document) if body.document else NOTHING_READ
    read_seconds = time.perf_counter() - began
    at_once = replace(body, so_far=True)  # reading the library is a job of its own here
    answer = at_once.run(workspace, at_once.question(reading.document, workspace.library))
    return search_as_json(reading, answer, read_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteBody(RequestBody):
    """A quote whose source is sought."""

    quote: Annotated[str, Doc("the words, up to 5,000 characters; an ellipsis stands for what was left out")]
    k: Annotated[int, Doc("how many documents at most")] = 10


class SourceJson(TypedDict):
    """A document that holds a quote verbatim, or comes near to it, and the passages where it does."""

    id: str
    kind: Kind
    title: str
    year: int | None
    url: str
    verbatim: bool
    reading: ReadingJson | None
    passages: list[PassageJson]


class SourcesJson(TypedDict):
    """The sources of a quote, those that hold it verbatim first; `unread` says what of the library is not read yet."""

    sources: list[SourceJson]
    unread: str


@router.post("/passages", summary="Where a quote comes from", dependencies=[InTurn])
def find_source(workspace: OpenWorkspace, body: QuoteBody) -> SourcesJson:
    """Return the documents that hold a quote's words, with section and page, or those that come nearest to it."""
    found = sources_of(workspace, body.quote, body.k)
    sources = [
        filled(
            SourceJson,
            one.document,
            verbatim=one.is_verbatim,
            reading=one.reading.as_json() if one.reading else None,
            passages=[passage.as_json() for passage in one.passages],
        )
        for one in found.sources
    ]
    return {"sources": sources, "unread": found.unread}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareBody(RequestBody, CompareRequest):
    """One document, which is compared with itself, or two or three."""

    documents: Annotated[tuple[GivenDocument, ...], Doc("one document, which is compared with itself, or two or three")]


@router.post("/compare", summary="Documents beside each other, or one within itself", dependencies=[Alone])
def compare_documents(
    workspace: OpenWorkspace, read: ReadGiven, body: CompareBody
) -> ComparisonJson | WithinJson | TogetherJson:
    """Compare by sections, chunks and passages: what matches, and what of each stands in no other.

    One document is compared with itself, two with each other, three two by two; `versions` says what the second of two
    changes.
    """
    body.check(len(body.documents))
    encoder_named(body.encoder)
    documents = [read(one).document for one in body.documents]
    return compare.as_json(*body.run(workspace, documents))


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageBody(RequestBody, CoverageRequest):
    """A document that is compared with the library, part by part."""

    document: Annotated[GivenDocument, Doc("the document, such as a draft or a patent")]


@router.post("/coverage", summary="What of a document the library already says", dependencies=[Alone])
def cover(workspace: OpenWorkspace, read: ReadGiven, body: CoverageBody) -> CoverageJson:
    """Return for each part whether the library says it, comes close, or has nothing like it, with the passage."""
    reading = read(body.document)
    return compare.as_json(body.run(workspace, reading.document))


@dataclass(frozen=True, slots=True, kw_only=True)
class SalientBody(RequestBody, SalientRequest):
    """A document whose sentences are weighed."""

    document: Annotated[GivenDocument, Doc("the document")]


@router.post("/salient", summary="What of a document to read first", dependencies=[InTurn])
def salient(workspace: OpenWorkspace, read: ReadGiven, body: SalientBody) -> SalientJson:
    """Return its sentences with how telling each is, and its key words."""
    encoder_named(body.encoder)
    return body.as_json(body.run(workspace, read(body.document).document))


@dataclass(frozen=True, slots=True, kw_only=True)
class CitingBody(RequestBody):
    """A document whose reference list is looked up."""

    document: Annotated[GivenDocument, Doc("the document")]


class CitedJson(TypedDict):
    """An entry of a reference list, and the ids of the library's documents that it means."""

    text: str
    title: str
    year: int | None
    held: list[str]


class CitedWorksJson(TypedDict):
    """What a document cites, in its order."""

    references: list[CitedJson]


@router.post("/citations", summary="What a document cites, and what of it the library holds", dependencies=[InTurn])
def citations(workspace: OpenWorkspace, read: ReadGiven, body: CitingBody) -> CitedWorksJson:
    """Return the entries of its reference list, each with the documents of the library that it means."""
    found = find_citations(read(body.document).document, workspace.library)
    held: dict[int, list[str]] = {}
    for id_, entry in found.held.items():
        held.setdefault(id(entry), []).append(id_)
    return {"references": [filled(CitedJson, one, held=held.get(id(one), [])) for one in found.references]}


_PAGE = Depends(from_query(PageRequest))


def _page(workspace: Workspace, id_: str, asked: PageRequest) -> tuple[DrawnPageJson, PagePicture]:
    document = workspace.library.find_one(id_)
    return asked.run(document, workspace.pages.file_of(document), workspace.pages, name=id_)


@router.get("/page", summary="Where a passage stands on a page of its PDF", dependencies=[Unchanged, InTurn])
def get_page(workspace: OpenWorkspace, id: str, asked: Annotated[PageRequest, _PAGE]) -> DrawnPageJson:
    """Return a page's size, and the lines on it that a passage stands on."""
    return _page(workspace, id, asked)[0]


@router.get(
    "/page.png",
    summary="A page of a PDF as a picture",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
    dependencies=[Unchanged, InTurn],
)
def get_page_picture(workspace: OpenWorkspace, id: str, asked: Annotated[PageRequest, _PAGE]) -> Response:
    """Return the page, with the lines of the passage boxed."""
    return Response(_page(workspace, id, asked)[1].png, media_type="image/png")
