"""What routes get of a request: the workspace, who asks, the document that a body names, and whether it has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Annotated, Any, ClassVar, TypeVar, cast, get_args, get_type_hints

from anyio import CapacityLimiter
from fastapi import Depends, Query, Request, Response, params
from fastapi.dependencies.utils import get_flat_params
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator
from starlette.exceptions import HTTPException
from typing_extensions import Doc, TypedDict

from engine.core.errors import UnknownEncoderError
from engine.core.files import fingerprint, stamp
from engine.reading import ReadFile, read_text
from engine.server.access import Caller
from engine.server.problems import MEDIA_TYPE, NOT_MODIFIED, Problem, ProblemError
from engine.server.uploads import Uploads
from engine.workspace import Workspace

T = TypeVar("T")


def _workspace(request: Request) -> Workspace:
    return cast(Workspace, request.app.state.workspace)


def _uploads(request: Request) -> Uploads:
    return cast(Uploads, request.app.state.uploads)


def _caller(request: Request) -> Caller:
    return getattr(request.state, "caller", None) or Caller(scope="read")


def _writer(request: Request) -> Caller:
    caller = _caller(request)
    if caller.scope != "write":
        raise ProblemError(
            403, "Read only", "Expected a token with the scope write; this one may only read. Ask for another."
        )
    return caller


class Turns:
    """Lets a few questions be answered at once, and one comparison; the others wait.

    Each uses all processors as far as it can, so that more at once would only take more memory.
    """

    MOST_SEARCHES: ClassVar[int] = 4

    def __init__(self) -> None:
        """Begin with all turns free."""
        self.searches, self.comparisons = CapacityLimiter(self.MOST_SEARCHES), CapacityLimiter(1)


async def _in_turn(request: Request) -> AsyncIterator[None]:
    async with request.app.state.turns.searches:
        yield


async def _alone(request: Request) -> AsyncIterator[None]:
    async with request.app.state.turns.comparisons:
        yield


InTurn, Alone = Depends(_in_turn), Depends(_alone)
OpenWorkspace = Annotated[Workspace, Depends(_workspace)]
Held = Annotated[Uploads, Depends(_uploads)]
Asker = Annotated[Caller, Depends(_caller)]
Writer = Annotated[Caller, Depends(_writer)]


class GivenDocument(BaseModel):
    """A document: its text, or one of the library, or one that was sent to /v1/uploads before."""

    model_config = ConfigDict(extra="forbid")
    text: str | None = Field(None, description="the text itself, of any length that the readers take")
    id: str | None = Field(None, description="a document of the library: its id, a number, its title or an author")
    upload: str | None = Field(None, description="the name that /v1/uploads answered with")

    @model_validator(mode="after")
    def _check(self) -> GivenDocument:
        if sum(value is not None for value in (self.text, self.id, self.upload)) != 1:
            raise ValueError("expected one of text, id and upload")
        return self


def _reading(workspace: OpenWorkspace, uploads: Held, caller: Asker) -> Callable[[GivenDocument], ReadFile]:
    """Return what gives a document as it was read. That raises InputError or UnknownDocumentError."""

    def read(given: GivenDocument) -> ReadFile:
        if given.text is not None:
            return read_text(given.text)
        if given.upload is not None:
            return uploads.find(given.upload, caller.digest)
        return ReadFile(workspace.library.find_one(given.id or ""), "library")

    return read


ReadGiven = Annotated[Callable[[GivenDocument], ReadFile], Depends(_reading)]


def unchanged(request: Request, response: Response, workspace: OpenWorkspace) -> None:
    """Answer 304 where the caller holds the answer of the library as it is now; the tag stands in the answer."""
    folder = workspace.library.folder  # opened now, which writes beside the database
    parts = [workspace.library.stamp(), *(stamp(folder / name) for name in ("vectors", "maps"))]
    parts += [stamp(one) for kept in ("vectors", "maps") for one in sorted((folder / kept).glob("*"))]
    tag = f'W/"{fingerprint(str(request.url), repr(parts))}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    held = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if tag.removeprefix("W/") in held:  # the weak comparison of RFC 9110, section 13.1.2
        raise HTTPException(NOT_MODIFIED, headers=headers)
    response.headers.update(headers)


Unchanged = Depends(unchanged)


def _named(request: Request) -> None:
    """Refuse what the address says beyond what the route takes: a filter that is misspelled would limit nothing."""
    taken = get_flat_params(request.scope["route"].dependant)
    known = sorted(one.alias for one in taken if isinstance(one.field_info, params.Query))
    if unknown := [name for name in request.query_params if name not in known]:
        said = f"Expected {', '.join(known) or 'nothing'} after the ? of the address, got {unknown[0][:60]!r}."
        raise ProblemError(422, "Wrong request", f"{said} /v1/docs lists what each route takes.")


OnlyKnown = Depends(_named)


def _descriptions(request: type) -> dict[str, str]:
    """Return what each field of a request says of itself."""
    hints = get_type_hints(request, include_extras=True)
    notes = {
        name: next((one for one in get_args(hint)[1:] if isinstance(one, Doc)), None) for name, hint in hints.items()
    }
    return {name: note.documentation for name, note in notes.items() if note is not None}


def _describe(schema: dict[str, Any], request: type) -> None:
    for name, description in _descriptions(request).items():
        schema["properties"].get(name, {})["description"] = description


class RequestBody:
    """A request that is read from a body: a name that it does not have is refused, and its fields are described."""

    __pydantic_config__: ClassVar = {"extra": "forbid", "json_schema_extra": _describe}


class NameBody(TypedDict):
    """A name, new or of something that begins."""

    name: str


def from_query(request: type[T]) -> Callable[..., T]:
    """Return what makes a request from the parameters of an address, each described as its field is."""
    described, hints = _descriptions(request), get_type_hints(request)
    parameters = [
        Parameter(
            one.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if one.default is MISSING else one.default,
            annotation=Annotated[hints[one.name], Query(description=described.get(one.name))],
        )
        for one in fields(cast(Any, request))
    ]

    def made(**given: Any) -> T:  # noqa: ANN401
        return request(**given)

    made.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return made


def encoder_named(name: str) -> str:
    """Return an encoder's name. Raises UnknownEncoderError for a name that none has, and for a folder's path."""
    from engine import encoders

    if name not in ("default", *encoders.encoder_names()):
        raise UnknownEncoderError(f"Expected an encoder's name, got {name[:60]!r}. GET /v1/encoders lists them.")
    return name


_CONTENT = {MEDIA_TYPE: {"schema": TypeAdapter(Problem).json_schema()}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "What was wrong with the request", "content": _CONTENT},
    "5XX": {"description": "What the server cannot do now, or lacks", "content": _CONTENT},
}
"""What every route may answer instead."""
