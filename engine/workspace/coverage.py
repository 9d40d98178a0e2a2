"""Opens what covering a document by a workspace's library needs (`engine.compare.cover`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.compare import Shelf
from engine.documents import Document

if TYPE_CHECKING:
    from engine.workspace.workspace import Workspace

_ENCODER = "default"


def shelf_of(workspace: Workspace) -> Shelf:
    """Return what a workspace's library gives, with the passage encoder loaded."""

    def nearest(document: Document, most: int) -> list[str]:
        from engine.search import Question

        is_encoded = workspace.vector_count(_ENCODER) >= len(workspace.library)
        asked = Question(document, k=most, ranking="default" if is_encoded else "keywords")
        return [result.document.id for result in workspace.searcher(_ENCODER).search(asked).results]

    return Shelf(workspace.library, workspace.passage_encoder(), workspace.passages(), nearest)
