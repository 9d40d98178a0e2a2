"""The server's application: routes under /v1 over one opened library."""

from __future__ import annotations

from fastapi import FastAPI

from engine.workspace import Workspace


def create_app(workspace: Workspace) -> FastAPI:
    """Return the application that answers from a library."""
    app = FastAPI(title="Priorscope", version="1")

    @app.get("/v1/library")
    def library() -> dict[str, int]:
        return {"documents": len(workspace.library)}

    return app
