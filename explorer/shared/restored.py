"""The query that a link or an earlier step names, for the pages that show it."""

from __future__ import annotations

from engine.core.errors import EngineError
from engine.documents import Document
from explorer.shared import notices
from explorer.state import drafts, session
from explorer.state.links import Visit


def restored_query(visit: Visit) -> Document | None:
    """The query of this visit; if its link names a document that is gone, say so and go on without it."""
    try:
        return drafts.restored(visit)
    except EngineError as error:
        notices.problem(str(error))
        session.forget_query()
        return None
