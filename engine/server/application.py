"""The server's application: the routes under /v1, their page that works offline, and one opened library behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import fastapi_offline
from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.security import HTTPBearer
from fastapi.staticfiles import StaticFiles
from typing_extensions import TypedDict

from engine.core.errors import EngineError
from engine.server.agents.protocol import mcp_application
from engine.server.given import PROBLEMS, OnlyKnown, Turns
from engine.server.problems import handle_errors
from engine.server.routes import collections, evaluations, jobs, library, maps, questions
from engine.server.uploads import Uploads
from engine.workspace import Cache, Workspace, begin_work

_ROUTES = {
    library: "library",
    collections: "collections",
    questions: "questions",
    maps: "the map",
    evaluations: "evaluations",
    jobs: "files and jobs",
}
_MOST_EVALUATIONS = 50
_FILES = Path(fastapi_offline.__file__).parent / "static"
_CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'"
)
_TOKEN = HTTPBearer(
    scheme_name="token", description="A token of `priorscope token add`, where one is asked for", auto_error=False
)
"""What the schema says of tokens; `Access` checks them."""
_DESCRIPTION = (
    "What lies near a paper or a patent, and why, from one library. A document asks by its text, by the id that it has "
    "in the library, or as a file sent to `/v1/uploads`. Errors are problem details (RFC 9457). Within `/v1` fields "
    "are added and never taken away."
)


class HealthJson(TypedDict):
    """That the server answers; nothing of the library, because everybody may ask."""

    status: str


def create_app(workspace: Workspace, *, agents_write: bool = False) -> FastAPI:
    """Return the application that answers from a library; `Access` stands before it.

    Agents are answered at /mcp; with `agents_write` they get tools that import, collect and note, too, unless their
    token may only read.
    """
    agents = mcp_application(workspace, write=agents_write)

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        begin_work(workspace)
        with suppress(EngineError):  # who asks is told
            workspace.warm("default")
        async with agents.router.lifespan_context(agents):
            yield
        workspace.close()

    app = FastAPI(
        title="Priorscope",
        version="1",
        description=_DESCRIPTION,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=running,
        responses=PROBLEMS,
        separate_input_output_schemas=False,
    )
    app.state.evaluations = Cache(_MOST_EVALUATIONS)
    app.state.workspace, app.state.uploads, app.state.turns = workspace, Uploads(), Turns()
    handle_errors(app)
    api = APIRouter(prefix="/v1", dependencies=[OnlyKnown, Depends(_TOKEN)])

    @api.get("/health", tags=["server"], summary="Whether the server answers")
    def health() -> HealthJson:
        """Answer at once, to everybody."""
        return {"status": "ok"}

    for module, tag in _ROUTES.items():
        api.include_router(module.router, tags=[tag])
    app.include_router(api)
    app.router.routes.extend(agents.routes)
    _add_page(app)
    return app


def _add_page(app: FastAPI) -> None:
    """Add the page that shows the routes and tries them; its script and style lie beside it, none on a network."""

    @app.get("/", include_in_schema=False)
    def lead_on() -> RedirectResponse:
        return RedirectResponse("/v1/docs", 303)

    @app.get("/v1/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        page = get_swagger_ui_html(
            openapi_url="/v1/openapi.json",
            title="Priorscope · REST",
            swagger_js_url="/v1/docs/files/swagger-ui-bundle.js",
            swagger_css_url="/v1/docs/files/swagger-ui.css",
            swagger_favicon_url="data:,",
        )
        page.headers["Content-Security-Policy"] = _CONTENT_POLICY
        return page

    app.mount("/v1/docs/files", StaticFiles(directory=_FILES))
