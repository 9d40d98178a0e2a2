"""What the library holds: its numbers, its documents with what a person keeps of them, and one of them whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response
from typing_extensions import Doc, TypedDict

from engine.exports import (
    RECORD_FORMATS,
    DocumentJson,
    DocumentsChangeJson,
    DocumentsJson,
    EncodersJson,
    FlowJson,
    LibraryJson,
    NextJson,
    RemovedJson,
    RenamedTagJson,
    ReviewsJson,
    TagsJson,
    document_as_json,
    documents_as_json,
    encoders_as_json,
    flow_as_json,
    library_as_json,
    next_as_json,
    removed_as_json,
    reviews_as_json,
    tags_as_json,
)
from engine.library import fault_of
from engine.reading import ReadFile
from engine.server.given import NameBody, OpenWorkspace, RequestBody, Unchanged, Writer, from_query
from engine.workspace import ChangeRequest, DocumentsRequest, FilterRequest, ReviewRequest

router = APIRouter()
_MEDIA_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "bibtex": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
}
AskedDocuments = Annotated[DocumentsRequest, Depends(from_query(DocumentsRequest))]
AskedReview = Annotated[ReviewRequest, Depends(from_query(ReviewRequest))]


@router.get("/library", summary="What the library holds", dependencies=[Unchanged])
def get_library(workspace: OpenWorkspace) -> LibraryJson:
    """Return its numbers of documents, files, duplicates and failures."""
    return library_as_json(workspace.library)


@router.get("/encoders", summary="The encoders")
def list_encoders() -> EncodersJson:
    """Return every encoder's card, and which is the default."""
    return encoders_as_json()


@router.get("/documents", summary="The documents, a page at a time", dependencies=[Unchanged])
def list_documents(workspace: OpenWorkspace, asked: AskedDocuments) -> DocumentsJson:
    """Return rows of documents that pass the filters, with what a person keeps of each, and how many there are."""
    return documents_as_json(*asked.rows(workspace.library))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeBody(RequestBody, ChangeRequest):
    """What to note on documents, and decide."""


@router.post("/documents/change", summary="Tag, note, mark as read, and screen documents")
def change_documents(workspace: OpenWorkspace, _caller: Writer, body: ChangeBody) -> DocumentsChangeJson:
    """Make all changes, or none if a document is unknown; say how many documents each changed."""
    return body.run(workspace.library)


@router.delete("/documents", summary="Take documents out of the library")
def remove_documents(
    workspace: OpenWorkspace, _caller: Writer, ids: Annotated[list[str], Query(description="documents by id")]
) -> RemovedJson:
    """Remove all of them, or none if one is not held; their notes wait in case they come back."""
    return removed_as_json(workspace.remove_documents(ids), workspace.library)


@router.get(
    "/export/{format}",
    summary="References of documents for other programs",
    response_class=Response,
    responses={200: {"content": {media_type: {} for media_type in _MEDIA_TYPES.values()}}},
    dependencies=[Unchanged],
)
def export_documents(
    workspace: OpenWorkspace,
    format: Literal["csv", "json", "bibtex", "ris"],
    asked: AskedDocuments,
) -> Response:
    """Return the documents that pass, or those named, as `priorscope documents --format` prints them."""
    library = workspace.library
    rows, _ = asked.rows(library, every=True)
    kept = library.listing.in_review(asked.review).kept([row.id for row in rows])
    return Response(RECORD_FORMATS[format](kept).encode(), media_type=_MEDIA_TYPES[format])


@router.get("/documents/{id:path}", summary="One document, whole", dependencies=[Unchanged])
def get_document(workspace: OpenWorkspace, id: str) -> DocumentJson:
    """Return a document by its id, a number, its title or an author: metadata, sections with their pages, claims."""
    return document_as_json(ReadFile(workspace.library.find_one(id), "library"))


class LineJson(TypedDict):
    """How many documents a line of words and fields finds, or what is wrong with it and where."""

    documents: int
    fault: str
    at: int | None


@router.get("/line", summary="What a line of words and fields finds", dependencies=[Unchanged])
def check_line(
    workspace: OpenWorkspace, line: Annotated[str, Query(description="such as kite* year:2015-")]
) -> LineJson:
    """Return how many documents a line finds by itself; a fault in it is told, not raised."""
    fault = fault_of(line)
    if fault is not None:
        return {"documents": 0, "fault": str(fault), "at": fault.at}
    return {
        "documents": workspace.library.count(FilterRequest(line=(line,)).filters(workspace.library)),
        "fault": "",
        "at": None,
    }


@router.get("/tags", summary="Every tag", dependencies=[Unchanged])
def list_tags(workspace: OpenWorkspace) -> TagsJson:
    """Return tags with their numbers of documents."""
    return tags_as_json(workspace.library.annotations.tags())


@router.put("/tags/{tag:path}", summary="Rename a tag")
def rename_tag(workspace: OpenWorkspace, _caller: Writer, tag: str, body: NameBody) -> RenamedTagJson:
    """Give a tag another name on every document; one that exists takes it in."""
    return {"renamed": workspace.library.annotations.rename_tag(tag, body["name"])}


@router.get("/reviews", summary="Every review", dependencies=[Unchanged])
def list_reviews(workspace: OpenWorkspace) -> ReviewsJson:
    """Return reviews with their numbers of decisions."""
    return reviews_as_json(workspace.library.reviews.counts())


@router.get("/reviews/next", summary="The next document to screen", dependencies=[Unchanged])
def next_to_screen(workspace: OpenWorkspace, asked: AskedReview) -> NextJson:
    """Return the first undecided document that passes the filters, with its abstract."""
    return next_as_json(asked.next(workspace.library))


@router.get("/reviews/flow", summary="A review's numbers, as PRISMA names them", dependencies=[Unchanged])
def get_flow(workspace: OpenWorkspace, asked: AskedReview) -> FlowJson:
    """Return how many records were identified, screened, excluded for which reasons, and included."""
    return flow_as_json(asked.flow(workspace.library))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewBody(RequestBody):
    """A review that begins."""

    name: Annotated[str, Doc("what it is called")]
    ids: Annotated[
        tuple[str, ...], Doc("documents by id: these alone, in this order (default: the whole library as it grows)")
    ] = ()


@router.post("/reviews", status_code=201, summary="Begin a review")
def begin_review(workspace: OpenWorkspace, _caller: Writer, body: ReviewBody) -> ReviewsJson:
    """Begin a review of the whole library, or of some documents, such as the hits of a search; `name` is its name.

    If the name is taken, a review of some documents gets a number after it. One of the same documents in the same order
    goes on, under the name that it has.
    """
    reviews = workspace.library.reviews
    begun = reviews.make_of(body.ids, body.name) if body.ids else reviews.make(body.name)
    return reviews_as_json(reviews.counts(), begun)


@router.put("/reviews/{name:path}", summary="Rename a review")
def rename_review(workspace: OpenWorkspace, _caller: Writer, name: str, body: NameBody) -> ReviewsJson:
    """Give a review another name."""
    workspace.library.reviews.rename(name, body["name"])
    return reviews_as_json(workspace.library.reviews.counts())


@router.delete("/reviews/{name:path}", summary="Delete a review with its decisions")
def delete_review(workspace: OpenWorkspace, _caller: Writer, name: str) -> ReviewsJson:
    """Forget a review and what was decided in it."""
    workspace.library.reviews.delete(name)
    return reviews_as_json(workspace.library.reviews.counts())
