"""What the library holds: its numbers, its documents, and one of them whole."""

from __future__ import annotations

from fastapi import APIRouter

from engine.exports import DocumentJson, document_as_json
from engine.reading import ReadFile
from engine.server.given import Asker, Opened, Unchanged

router = APIRouter()


@router.get("/documents/{id:path}", summary="One document, whole", dependencies=[Unchanged])
def get_document(workspace: Opened, _caller: Asker, id: str) -> DocumentJson:
    """Return a document by its id, a number, its title or an author: metadata, sections with their pages, claims."""
    return document_as_json(ReadFile(workspace.library.find_one(id), "library"))
