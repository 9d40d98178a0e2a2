"""Questions: what lies near a document, and why."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from fastapi import APIRouter
from typing_extensions import Doc

from engine.exports import SearchJson, search_as_json
from engine.server.given import BODY, Asker, GivenDocument, Held, Opened, encoder_named
from engine.workspace import NOTHING_READ, SearchRequest

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchBody(SearchRequest):
    """A search, and the document that asks; without one, liked documents ask."""

    __pydantic_config__: ClassVar = BODY
    document: Annotated[GivenDocument | None, Doc("the document that asks")] = None


@router.post("/search", summary="What lies near a document, and why")
def search(workspace: Opened, uploads: Held, caller: Asker, body: SearchBody) -> SearchJson:
    """Return the nearest documents with their evidence, as `priorscope search --json` does.

    What is not read yet ranks by its words alone; `unread` says how many documents that are.
    """
    began = time.perf_counter()
    body.check(has_document=body.document is not None)
    encoder_named(body.encoder)
    reading = body.document.read(workspace, uploads, caller) if body.document else NOTHING_READ
    read_seconds = time.perf_counter() - began
    at_once = replace(body, so_far=True)  # reading the library is a job of its own here
    answer = at_once.run(workspace, at_once.question(reading.document, workspace.library))
    return search_as_json(reading, answer, read_seconds)
